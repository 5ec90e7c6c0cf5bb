/* SPDX-License-Identifier: MIT */
/* arguments.c -- parses the words of the command line into settings.
 *
 * --key value, --key=value, -k value, -kvalue, flags alone (short ones may be
 * joined: -qv), "--" ends the options, "-" is a file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* Options of the command line itself; `takes` 0: of every command. */
static const struct {
    unsigned takes;
    struct cli_setting setting;
} own[] = {
    {TAKES_RULES | TAKES_PARAMETER_RULES,
     {.key = "constraints",
      .group = "rules",
      .type = "file",
      .role = "input",
      .value = "FILE",
      .help = "rules that the network must obey, one per line; also Tetrad "
              "knowledge and GOBNILP constraint files; can be repeated"}},
    {TAKES_RULES,
     {.key = "require",
      .group = "rules",
      .type = "text",
      .value = "A,B",
      .help = "the network must have the arc from A to B; can be repeated"}},
    {TAKES_RULES,
     {.key = "forbid",
      .group = "rules",
      .type = "text",
      .value = "A,B",
      .help =
          "the network must not have the arc from A to B; can be repeated"}},
    {TAKES_OUTPUT,
     {.key = "output",
      .letter = 'o',
      .type = "file",
      .value = "FILE",
      .fallback = "-",
      .help = "where the result is written; - is standard output; .gz and .zst "
              "compress it"}},
    {TAKES_PAGE,
     {.key = "output",
      .letter = 'o',
      .type = "file",
      .value = "FILE",
      .help = "write the page to FILE and do not open it; - is standard "
              "output"}},
    {TAKES_NETWORK_FORMAT,
     {.key = "output-format",
      .letter = 'O',
      .type = "text",
      .value = "FORMAT",
      .list = "formats",
      .help = "one of the network formats; by default by the suffix of -o, bif "
              "on standard output"}},
    {TAKES_STRUCTURE_FORMAT,
     {.key = "output-format",
      .letter = 'O',
      .type = "text",
      .value = "FORMAT",
      .list = "formats",
      .help = "one of the network formats except bif, net and uai; by default "
              "by the suffix of -o, edges on standard output"}},
    {TAKES_TABLE_FORMAT,
     {.key = "output-format",
      .letter = 'O',
      .type = "text",
      .value = "FORMAT",
      .list = "tables",
      .help = "csv, tsv, dat or arff; by default by the suffix of -o, csv on "
              "standard output"}},
    {TAKES_ANSWER_FORMAT,
     {.key = "output-format",
      .letter = 'O',
      .type = "text",
      .value = "FORMAT",
      .list = "tables",
      .help = "csv, tsv, dat or arff: a table for programs; by default by the "
              "suffix of -o"}},
    {TAKES_CLASS_FORMAT,
     {.key = "output-format",
      .letter = 'O',
      .type = "text",
      .value = "FORMAT",
      .choices = "edges|dot|svg|png",
      .help = "edges, dot, svg or png; by default by the suffix of -o, edges "
              "on standard output"}},
    {TAKES_REPORT,
     {.key = "report",
      .type = "file",
      .role = "output",
      .value = "FILE",
      .help = "also write an HTML report on the network, which answers "
              "queries; with drawing, tables, arcs, progress of the search, "
              "data, rules and provenance"}},
    {TAKES_REPORT,
     {.key = "explore",
      .type = "flag",
      .help = "open the report in the browser (BROWSER, else xdg-open); "
              "without --report it is a file in a folder of its own"}},
    {TAKES_JSON,
     {.key = "json",
      .type = "flag",
      .help = "print one JSON object on standard output; other results go to "
              "-o only"}},
    {0,
     {.key = "quiet",
      .letter = 'q',
      .type = "flag",
      .help = "no summary, no notes"}},
    {0,
     {.key = "verbose",
      .letter = 'v',
      .type = "flag",
      .help = "print more details"}},
    {0,
     {.key = "progress",
      .type = "choice",
      .value = "WHEN",
      .fallback = "auto",
      .choices = "auto|always|never",
      .help =
          "progress on standard error: auto (on a terminal), always or never"}},
    {0,
     {.key = "log",
      .type = "file",
      .role = "output",
      .value = "FILE",
      .help = "append notes and progress; FILE.csv: as a table"}},
    {0,
     {.key = "help",
      .letter = 'h',
      .type = "flag",
      .help = "print the short help"}},
    {0,
     {.key = "help-all",
      .type = "flag",
      .help = "print the help with every option and every choice"}},
};

/* ---- gathering ----------------------------------------------------------- */

static void add_setting(struct cli *cli, const struct cli_setting *s)
{
    if (cli->settings < MOST_SETTINGS)
        cli->setting[cli->settings++] = *s;
}

struct cli_setting setting_of(const struct bestdag_json *row)
{
    const char *letter = text_of(row, "letter");
    return (struct cli_setting){.key = text_of(row, "name"),
                                .group = text_of(row, "group"),
                                .type = text_of(row, "type"),
                                .fallback = text_of(row, "default"),
                                .choices = text_of(row, "choices"),
                                .value = text_of(row, "value"),
                                .help = text_of(row, "help"),
                                .solver = text_of(row, "solver"),
                                .role = text_of(row, "role"),
                                .least = number_of(row, "least"),
                                .most = number_of(row, "most"),
                                .letter = (char)(letter ? *letter : 0)};
}

/* Replaces key and help by the command's own (cli_command.renamed). */
static void rename_setting(const struct cli *cli, struct cli_setting *s)
{
    const struct renamed_option *r = cli->command->renamed;
    for (; r && r->option; r++) {
        size_t n = strlen(s->group);
        if (!strncmp(r->option, s->group, n) && r->option[n] == '.' &&
            !strcmp(r->option + n + 1, s->key)) {
            s->option = s->key;
            s->key = r->key;
            s->help = r->help;
            return;
        }
    }
}

static void add_library_row(struct cli *cli, const struct bestdag_json *row)
{
    struct cli_setting s = setting_of(row);
    if (cli->command->missing && !strcmp(s.key, "missing"))
        s.fallback = cli->command->missing;
    rename_setting(cli, &s);
    add_setting(cli, &s);
}

static bool is_word(const char *text, const char *word, size_t n)
{
    return strlen(text) == n && !strncmp(text, word, n);
}

/* word[0..n) is "@group", "key", or "group.key". */
static bool row_fits(const struct bestdag_json *row, const char *word, size_t n)
{
    const char *dot = memchr(word, '.', n);
    const char *group = text_of(row, "group");
    if (*word == '@')
        return is_word(group, word + 1, n - 1);
    if (!dot)
        return is_word(text_of(row, "name"), word, n);
    size_t before = (size_t)(dot - word);
    return is_word(group, word, before) &&
           is_word(text_of(row, "name"), dot + 1, n - before - 1);
}

static void add_library_settings(struct cli *cli)
{
    const char *word = cli->command->options;
    while (*(word += strspn(word, " "))) {
        size_t n = strcspn(word, " ");
        for (int64_t i = 0; i < bestdag_json_count(cli->table); i++) {
            const struct bestdag_json *row = bestdag_json_at(cli->table, i);
            if (row_fits(row, word, n))
                add_library_row(cli, row);
        }
        word += n;
    }
}

static void add_own_settings(struct cli *cli)
{
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        struct cli_setting s = own[i].setting;
        if (!s.group)
            s.group = "output";
        if (!own[i].takes || (cli->command->takes & own[i].takes))
            add_setting(cli, &s);
    }
}

int gather_settings(struct cli *cli)
{
    cli->settings = 0;
    if (!cli->options)
        cli->options = bestdag_options_new(cli->run);
    if (!cli->table) {
        char *text = bestdag_list(cli->run, "options");
        cli->table = bestdag_json_read(cli->run, text);
        bestdag_text_free(text);
    }
    if (bestdag_run_status(cli->run))
        return bestdag_run_status(cli->run);
    add_library_settings(cli);
    add_own_settings(cli);
    return BESTDAG_OK;
}

/* ---- parsing ------------------------------------------------------------- */

static struct cli_setting *find_key(struct cli *cli, const char *key, size_t n)
{
    for (int i = 0; i < cli->settings; i++)
        if (strlen(cli->setting[i].key) == n &&
            !strncmp(cli->setting[i].key, key, n))
            return &cli->setting[i];
    return NULL;
}

static struct cli_setting *find_letter(struct cli *cli, char letter)
{
    for (int i = 0; i < cli->settings; i++)
        if (cli->setting[i].letter == letter)
            return &cli->setting[i];
    return NULL;
}

const char *setting_text(const struct cli *cli, const char *key)
{
    for (int i = 0; i < cli->settings; i++)
        if (!strcmp(cli->setting[i].key, key))
            return cli->setting[i].given ? cli->setting[i].given
                                         : cli->setting[i].fallback;
    return NULL;
}

static bool is_flag(const struct cli_setting *s)
{
    return !strcmp(s->type, "flag");
}

static int unknown_option(struct cli *cli, const char *word)
{
    const char *names[MOST_SETTINGS];
    char key[64];
    for (int i = 0; i < cli->settings; i++)
        names[i] = cli->setting[i].key;
    snprintf(key, sizeof key, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    const char *near =
        word[1] == '-' ? bestdag_name_nearest(key, names, cli->settings) : NULL;
    if (near)
        return report_error(cli, BESTDAG_USAGE,
                            "unknown option '--%s', did you mean '--%s'?", key,
                            near);
    return report_error(cli, BESTDAG_USAGE,
                        "unknown option '%s'; 'bestdag %s --help' lists them",
                        word, cli->command->name);
}

/* An option of the command line itself, not of the library. */
static int set_own(struct cli *cli, const struct cli_setting *s,
                   const char *value)
{
    if (!strcmp(s->key, "output")) {
        cli->output = value;
        cli->output_given = true;
    } else if (!strcmp(s->key, "output-format"))
        cli->format = value;
    else if (!strcmp(s->key, "report"))
        cli->page = value;
    else if (!strcmp(s->key, "explore"))
        cli->explore = true;
    else if (!strcmp(s->key, "json"))
        cli->json = true;
    else if (!strcmp(s->key, "quiet"))
        cli->quiet = true;
    else if (!strcmp(s->key, "verbose"))
        cli->verbose++;
    else if (!strcmp(s->key, "help"))
        cli->help = true;
    else if (!strcmp(s->key, "help-all"))
        cli->help = cli->help_all = true;
    else if (!strcmp(s->key, "progress") && strcmp(value, "auto") &&
             strcmp(value, "always") && strcmp(value, "never"))
        return report_error(cli, BESTDAG_USAGE,
                            "--progress: '%s' is not one of %s", value,
                            s->choices);
    return BESTDAG_OK;
}

/* The library's message begins with its own key of the setting: it is replaced
 * by the option's. */
static int complain_of(struct cli *cli, const struct cli_setting *s,
                       const char *option, int status)
{
    const char *error = bestdag_run_error(cli->run);
    size_t n = strlen(option);
    status = report_error(cli, status, "--%s%s",
                          strncmp(error, option, n) ? "" : s->key,
                          strncmp(error, option, n) ? error : error + n);
    bestdag_run_clear(cli->run);
    return status;
}

static int set(struct cli *cli, struct cli_setting *s, const char *value)
{
    const char *option = s->option ? s->option : s->key;
    int status;
    s->given = value;
    if (s->role && strcmp(s->role, "folder") != 0 && note_file(cli, s, value))
        return BESTDAG_MEMORY;
    if (!strcmp(s->group, "output"))
        return set_own(cli, s, value);
    if (!strcmp(s->group, "rules")) {
        cli->rule[cli->rules_given++] = (struct rule_given){s->key, value};
        return BESTDAG_OK;
    }
    if (!strcmp(s->group, "run"))
        status = bestdag_run_set(cli->run, option, value);
    else {
        char name[128]; /* other groups may have the same key */
        snprintf(name, sizeof name, "%s.%s", s->group, option);
        status = bestdag_options_set(cli->run, cli->options, name, value);
    }
    return status ? complain_of(cli, s, option, status) : BESTDAG_OK;
}

/* The remaining words; *next is the one after the current. */
struct argument_words {
    int count;
    char **at;
    int next;
};

static int take_value(struct cli *cli, struct cli_setting *s,
                      struct argument_words *w)
{
    if (w->next >= w->count)
        return report_error(cli, BESTDAG_USAGE, "--%s needs a value: %s",
                            s->key, s->value);
    return set(cli, s, w->at[w->next++]);
}

static int parse_long(struct cli *cli, char *word, struct argument_words *w)
{
    size_t n = strcspn(word + 2, "=");
    struct cli_setting *s = find_key(cli, word + 2, n);
    bool joined = word[2 + n] == '=';
    if (!s)
        return unknown_option(cli, word);
    if (joined && is_flag(s) && !strcmp(s->group, "output"))
        return report_error(cli, BESTDAG_USAGE, "--%s takes no value", s->key);
    if (joined)
        return set(cli, s, word + 2 + n + 1);
    return is_flag(s) ? set(cli, s, "yes") : take_value(cli, s, w);
}

static int parse_short(struct cli *cli, char *word, struct argument_words *w)
{
    for (char *c = word + 1; *c; c++) {
        struct cli_setting *s = find_letter(cli, *c);
        int status;
        if (!s)
            return unknown_option(cli, word);
        if (!is_flag(s))
            return c[1] ? set(cli, s, c + 1) : take_value(cli, s, w);
        status = set(cli, s, "yes");
        if (status)
            return status;
    }
    return BESTDAG_OK;
}

static int parse_word(struct cli *cli, char *word, struct argument_words *w,
                      bool *only_files)
{
    if (!*only_files && !strcmp(word, "--")) {
        *only_files = true;
        return BESTDAG_OK;
    }
    if (!*only_files && word[0] == '-' && word[1])
        return word[1] == '-' ? parse_long(cli, word, w)
                              : parse_short(cli, word, w);
    if (cli->files == MOST_FILES)
        return report_error(cli, BESTDAG_USAGE, "too many arguments: '%s'",
                            word);
    cli->file[cli->files++] = word;
    return BESTDAG_OK;
}

static int check_files(struct cli *cli)
{
    const struct cli_command *c = cli->command;
    if (cli->files < c->least)
        return report_error(cli, BESTDAG_USAGE,
                            "an argument is missing: bestdag %s %s", c->name,
                            c->arguments);
    if (cli->files > c->most)
        return report_error(cli, BESTDAG_USAGE,
                            "unexpected argument '%s': bestdag %s %s",
                            cli->file[c->most], c->name, c->arguments);
    return BESTDAG_OK;
}

static int open_log(struct cli *cli)
{
    const char *path = setting_text(cli, "log");
    if (!path)
        return BESTDAG_OK;
    cli->log = fopen(bestdag_run_rank(cli->run) ? "/dev/null" : path, "a");
    if (!cli->log)
        return report_error(cli, BESTDAG_FAILED, "cannot open the log '%s': %s",
                            path, strerror(errno));
    setvbuf(cli->log, NULL, _IOLBF, BUFSIZ); /* for readers of a running log */
    size_t n = strlen(path);
    cli->log_is_table = n > 4 && !strcmp(path + n - 4, ".csv");
    if (cli->log_is_table && !ftell(cli->log))
        fputs("phase,seconds,done,best,bound,memory\n", cli->log);
    return BESTDAG_OK;
}

/* Most commands need complete rows, or sum missing values out by themselves. */
static int check_missing(struct cli *cli, const char *how)
{
    bool is_em = !strcmp(how, "em");
    if ((!is_em && strcmp(how, "available") != 0) ||
        cli->command->takes & (is_em ? TAKES_EM : TAKES_AVAILABLE))
        return BESTDAG_OK;
    return report_error(
        cli, BESTDAG_USAGE, "--missing %s is for %s, not for %s", how,
        is_em ? "learn and fit" : "learn, score and fit", cli->command->name);
}

/* Opens no input yet: the meaning of an option must not depend on the order of
 * the options. */
int parse_arguments(struct cli *cli, int count, char **arguments)
{
    struct argument_words w = {.count = count, .at = arguments};
    bool only_files = false;
    cli->rule = calloc((size_t)count + 1, sizeof *cli->rule);
    if (!cli->rule)
        return report_error(cli, BESTDAG_MEMORY, "out of memory");
    while (w.next < w.count) {
        char *word = w.at[w.next++];
        int status = parse_word(cli, word, &w, &only_files);
        if (status)
            return status;
    }
    if (cli->help)
        return BESTDAG_OK;
    int status = check_files(cli);
    if (!status)
        status = check_paths(cli);
    const char *missing = setting_text(cli, "missing");
    if (!status && missing)
        status = check_missing(cli, missing);
    if (!status && missing)
        status =
            bestdag_options_set(cli->run, cli->options, "missing", missing);
    if (!status)
        status = open_log(cli);
    if (!status)
        start_terminal(cli, setting_text(cli, "progress"));
    return status;
}
