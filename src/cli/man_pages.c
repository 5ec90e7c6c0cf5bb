/* SPDX-License-Identifier: MIT */
/* man_pages.c -- man pages in troff, from the same tables as --help. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "cli.h"

/* Text of the page: hyphens, backslashes and leading dots are special. */
static void put(FILE *to, const char *text)
{
    bool line_start = true;
    for (; *text; text++) {
        if (line_start && (*text == '.' || *text == '\''))
            fputs("\\&", to);
        if (*text == '-' || *text == '\\')
            fputc('\\', to);
        if (*text == '\\')
            fputc('e', to);
        else
            fputc(*text, to);
        line_start = *text == '\n';
    }
}

static void put_setting(FILE *to, const struct cli_setting *s)
{
    char help[HELP_ROOM];
    fputs(".TP\n.B ", to);
    if (s->letter)
        fprintf(to, "\\-%c, ", s->letter);
    fputs("\\-\\-", to);
    put(to, s->key);
    if (s->value) {
        fputs(" \\fI", to);
        put(to, s->value);
        fputs("\\fR", to);
    }
    fputc('\n', to);
    full_help(s, help);
    put(to, help);
    fputc('\n', to);
}

static void put_settings(const struct cli *cli, FILE *to)
{
    const char *group = "";
    fputs(".SH OPTIONS\n", to);
    for (int i = 0; i < cli->settings; i++) {
        if (strcmp(group, cli->setting[i].group)) {
            group = cli->setting[i].group;
            fprintf(to, ".SS %s\n", title_of(group));
        }
        put_setting(to, &cli->setting[i]);
    }
}

static void put_list(struct cli *cli, FILE *to, const char *what)
{
    char help[HELP_ROOM];
    char *text = bestdag_list(cli->run, what);
    struct bestdag_json *list = bestdag_json_read(cli->run, text);
    bestdag_text_free(text);
    fprintf(to, ".SS %s\n", title_of(what));
    for (int64_t i = 0; i < bestdag_json_count(list); i++) {
        const struct bestdag_json *row = bestdag_json_at(list, i);
        fputs(".TP\n.B ", to);
        put(to, text_of(row, "name"));
        fputc('\n', to);
        full_row(row, help);
        put(to, help);
        fputc('\n', to);
    }
    bestdag_json_free(list);
}

/* The title of a page, in capitals. */
static void put_title(FILE *to, const char *command)
{
    fprintf(to, ".TH BESTDAG%s", *command ? "\\-" : "");
    for (; *command; command++)
        fputc(toupper((unsigned char)*command), to);
    fprintf(to, " 1 \"\" \"bestdag %s\"\n", bestdag_version());
}

static void put_exit_status(FILE *to)
{
    fputs(".SH EXIT STATUS\n", to);
    for (int i = 0; exit_codes[i][0]; i++) {
        fprintf(to, ".TP\n.B %s\n", exit_codes[i][0]);
        put(to, exit_codes[i][1]);
        fputc('\n', to);
    }
}

/* All pages except `own`. */
static void put_see_also(FILE *to, const char *own)
{
    const char *sign = *own ? ",\n" : "";
    fputs(".SH SEE ALSO\n", to);
    if (*own)
        fputs(".BR bestdag (1)", to);
    for (int i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, own) != 0) {
            fprintf(to, "%s.BR bestdag\\-%s (1)", sign, commands[i]->name);
            sign = ",\n";
        }
    fputc('\n', to);
}

static void put_command(struct cli *cli, FILE *to)
{
    const struct cli_command *c = cli->command;
    const char *lists = c->lists ? c->lists : "";
    char list[64];
    put_title(to, c->name);
    fprintf(to, ".SH NAME\nbestdag\\-%s \\- ", c->name);
    put(to, c->summary);
    fprintf(to, "\n.SH SYNOPSIS\n.B bestdag %s\n[\\fIOPTIONS\\fR] ", c->name);
    put(to, c->arguments);
    fputs("\n.SH EXAMPLES\n.nf\n", to);
    for (int i = 0; c->examples[i]; i++) {
        put(to, c->examples[i]);
        fputc('\n', to);
    }
    fputs(".fi\n.SH DESCRIPTION\n", to);
    put(to, c->about);
    fputc('\n', to);
    while (next_word(&lists, list))
        put_list(cli, to, list);
    put_settings(cli, to);
    put_exit_status(to);
    put_see_also(to, c->name);
}

static const char *const overview_examples[] = {
    "bestdag check survey.csv",
    "bestdag discretize survey.csv --save-cuts cuts.json -o states.csv",
    "bestdag learn states.csv -o net.bif --report net.html",
    "bestdag learn states.csv --constraints expert.rules -o net.bif",
    "bestdag bootstrap states.csv --strengths strengths.csv -o average.bif",
    "bestdag classify predict new.csv net.bif --class outcome",
    NULL};

static const char overview_about[] =
    "Learns Bayesian networks from tables of discrete states, and states how "
    "good they are. A network comes with its score, an upper bound on the "
    "score of any network over the same candidate parent sets, and what was "
    "proved over which sets. Expert knowledge is given as rules, which every "
    "network obeys.\n\nResults go to standard output, or to the file of -o; "
    "messages and progress go to standard error. The suffixes .gz and .zst "
    "compress files; - is standard input or output. Scores are natural "
    "logarithms, higher is better. The same seed gives the same result for any "
    "number of threads, unless a time limit ends the run.\n\nA time limit, "
    "SIGINT, SIGTERM, SIGUSR1, SIGHUP (unless ignored, as under nohup) or "
    "SIGXCPU ends "
    "a search, and the best network so far is written; another signal at least "
    "two seconds later ends the process at once.";

static void put_overview(FILE *to)
{
    put_title(to, "");
    fputs(".SH NAME\nbestdag \\- learns Bayesian networks from data\n"
          ".SH SYNOPSIS\n.B bestdag\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] "
          "\\fIFILES\\fR\n.SH EXAMPLES\n.nf\n",
          to);
    for (int i = 0; overview_examples[i]; i++) {
        put(to, overview_examples[i]);
        fputc('\n', to);
    }
    fputs(".fi\n.SH DESCRIPTION\n", to);
    put(to, overview_about);
    fputs("\n.SH COMMANDS\n", to);
    for (int i = 0; commands[i]; i++) {
        fputs(".TP\n.B ", to);
        put(to, commands[i]->name);
        fputc('\n', to);
        put(to, commands[i]->summary);
        fputc('\n', to);
    }
    put_exit_status(to);
    put_see_also(to, "");
}

static FILE *open_page(struct cli *cli, const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/bestdag%s%s.1", folder, *name ? "-" : "",
             name);
    FILE *to = fopen(path, "w");
    if (!to)
        report_error(cli, BESTDAG_FAILED, "cannot write '%s': %s", path,
                     strerror(errno));
    return to;
}

static int close_page(struct cli *cli, FILE *to)
{
    bool broken = ferror(to) != 0;
    broken |= fclose(to) != 0;
    return broken ? report_error(cli, BESTDAG_FAILED, "cannot write a man page")
                  : BESTDAG_OK;
}

int write_manuals(struct cli *cli, const char *folder)
{
    FILE *to = open_page(cli, folder, "");
    if (!to)
        return BESTDAG_FAILED;
    put_overview(to);
    int status = close_page(cli, to);
    for (int i = 0; commands[i] && !status; i++) {
        cli->command = commands[i];
        to = open_page(cli, folder, commands[i]->name);
        if (!to || gather_settings(cli))
            return BESTDAG_FAILED;
        put_command(cli, to);
        status = close_page(cli, to);
    }
    return status;
}
