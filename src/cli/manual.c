/* SPDX-License-Identifier: MIT */
/* manual.c -- man pages in troff, from the same tables as --help. */
#include <stdlib.h>
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

static void put_setting(FILE *to, const struct setting *s)
{
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
    put(to, s->help);
    if (s->choices) {
        fputs(": ", to);
        put(to, s->choices);
    }
    if (s->fallback && strcmp(s->type, "flag")) {
        fputs(" [", to);
        put(to, s->fallback);
        fputs("]", to);
    }
    fputc('\n', to);
}

/* Paragraphs of `about` are separated by blank lines; lines that begin with
 * blanks are kept as they are. */
static void put_about(FILE *to, const char *about)
{
    fputs(".nf\n", to);
    put(to, about);
    fputs("\n.fi\n", to);
}

static void put_list(struct cli *cli, FILE *to, const char *what)
{
    char *text = bestdag_list(cli->run, what);
    struct bestdag_json *list = bestdag_json_read(cli->run, text);
    bestdag_text_free(text);
    for (int64_t i = 0; i < bestdag_json_count(list); i++) {
        fputs(".TP\n.B ", to);
        put(to, text_of(bestdag_json_at(list, i), "name"));
        fputc('\n', to);
        put(to, text_of(bestdag_json_at(list, i), "help"));
        fputc('\n', to);
    }
    bestdag_json_free(list);
}

static void put_command(struct cli *cli, FILE *to)
{
    const struct command *c = cli->command;
    fprintf(to, ".TH BESTDAG\\-%s 1 \"\" \"bestdag %s\"\n.SH NAME\n", c->name,
            bestdag_version());
    fprintf(to, "bestdag\\-%s \\- ", c->name);
    put(to, c->summary);
    fprintf(to, "\n.SH SYNOPSIS\n.B bestdag %s\n[\\fIOPTIONS\\fR] ", c->name);
    put(to, c->arguments);
    fputs("\n.SH EXAMPLES\n.nf\n", to);
    for (int i = 0; c->examples[i]; i++) {
        put(to, c->examples[i]);
        fputc('\n', to);
    }
    fputs(".fi\n.SH DESCRIPTION\n", to);
    put_about(to, c->about);
    if (c->list)
        put_list(cli, to, c->list);
    fputs(".SH OPTIONS\n", to);
    for (int i = 0; i < cli->settings; i++)
        put_setting(to, &cli->setting[i]);
    fputs(".SH EXIT STATUS\n0: done; 1: internal or I/O error; 2: wrong usage; "
          "3: bad input file; 6: the memory limit cannot hold the request; "
          "130, 143: interrupted.\n.SH SEE ALSO\n.BR bestdag (1)\n",
          to);
}

static void put_overview(FILE *to)
{
    fprintf(to,
            ".TH BESTDAG 1 \"\" \"bestdag %s\"\n.SH NAME\nbestdag \\- "
            "learns Bayesian networks from data\n.SH SYNOPSIS\n.B "
            "bestdag\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] "
            "\\fIFILES\\fR\n.SH COMMANDS\n",
            bestdag_version());
    for (int i = 0; commands[i]; i++) {
        fputs(".TP\n.B ", to);
        put(to, commands[i]->name);
        fputc('\n', to);
        put(to, commands[i]->summary);
        fputc('\n', to);
    }
    fputs(".SH SEE ALSO\n", to);
    for (int i = 0; commands[i]; i++)
        fprintf(to, ".BR bestdag\\-%s (1)%s\n", commands[i]->name,
                commands[i + 1] ? "," : "");
}

static FILE *open_page(struct cli *cli, const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/bestdag%s%s.1", folder, *name ? "-" : "",
             name);
    FILE *to = fopen(path, "w");
    if (!to)
        complain(cli, BESTDAG_FAILED, "cannot write '%s'", path);
    return to;
}

static int close_page(struct cli *cli, FILE *to)
{
    bool broken = ferror(to) != 0;
    broken |= fclose(to) != 0;
    return broken ? complain(cli, BESTDAG_FAILED, "cannot write a man page")
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
