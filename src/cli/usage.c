/* SPDX-License-Identifier: MIT */
/* usage.c -- --help and --help-all, from the tables. Examples come first. */
#include <string.h>

#include "cli.h"

enum { WIDTH = 78, INDENT = 26 };

const char *const exit_codes[][2] = {
    {"0", "success, also if a limit ended the run: --json has the status"},
    {"1", "internal error, or a file that cannot be written"},
    {"2", "wrong usage, or an unsupported combination"},
    {"3", "bad or missing input file: the message says where and why"},
    {"4", "no network satisfies the rules, or the evidence is impossible"},
    {"5", "not proved as required; the result is still written"},
    {"6", "the memory limit is too low for the request"},
    {"130, 143",
     "interrupted (SIGINT, SIGTERM); the best network so far is written"},
    {"129, 138", "the same for SIGHUP, unless ignored, and SIGUSR1"},
    {"152", "the same for SIGXCPU"},
    {NULL, NULL},
};

void print_overview(FILE *to)
{
    fprintf(to,
            "bestdag %s: learns Bayesian networks from data, and states how "
            "good they are\n\nusage: bestdag COMMAND [OPTIONS] FILES\n\n",
            bestdag_version());
    for (int i = 0; commands[i]; i++)
        fprintf(to, "  %-12s%s\n", commands[i]->name, commands[i]->summary);
    fprintf(to, "\nTo begin: bestdag learn DATA.csv -o net.bif --report "
                "net.html\n\n'bestdag COMMAND --help' explains a command, "
                "--help-all all of its options;\n'bestdag --version -v' shows "
                "what this build supports.\n\nExit codes\n");
    for (int i = 0; exit_codes[i][0]; i++)
        fprintf(to, "  %-12s%s\n", exit_codes[i][0], exit_codes[i][1]);
}

void print_wrapped(FILE *to, const char *text, int indent)
{
    bool first = true;
    int column = indent;
    while (*(text += strspn(text, " ")) && *text != '\n') {
        int n = (int)strcspn(text, " \n");
        if (!first && column + 1 + n > WIDTH) {
            fprintf(to, "\n%*s", indent, "");
            column = indent;
        } else if (!first)
            column += fprintf(to, " ");
        column += fprintf(to, "%.*s", n, text);
        text += n;
        first = false;
    }
}

bool next_word(const char **text, char to[64])
{
    *text += strspn(*text, " ");
    size_t n = strcspn(*text, " ");
    snprintf(to, 64, "%.*s", (int)n, *text);
    *text += n;
    return n > 0;
}

/* "a, b or c" from "a|b|c", unless the help names all of them. */
static void list_choices(const char *help, const char *choices, char to[256])
{
    bool all_named = true;
    size_t used = 0;
    to[0] = 0;
    for (const char *c = choices ? choices : ""; *c;) {
        char word[64];
        size_t n = strcspn(c, "|");
        snprintf(word, sizeof word, "%.*s", (int)n, c);
        all_named = all_named && strstr(help, word);
        c += n + (c[n] == '|');
        const char *sign = !used ? "" : *c ? ", " : " or ";
        if (used < 256)
            used += (size_t)snprintf(to + used, 256 - used, "%s%s", sign, word);
    }
    if (all_named)
        to[0] = 0;
}

void full_help(const struct cli_setting *s, char to[HELP_ROOM])
{
    char choices[256];
    size_t n = (size_t)snprintf(to, HELP_ROOM, "%s", s->help);
    bool range = !strcmp(s->type, "integer") || !strcmp(s->type, "number");
    list_choices(s->help, s->choices, choices);
    if (*choices && n < HELP_ROOM)
        n += (size_t)snprintf(to + n, HELP_ROOM - n, ": %s", choices);
    if (s->fallback && strcmp(s->type, "flag") && n < HELP_ROOM)
        n += (size_t)snprintf(to + n, HELP_ROOM - n, " [%s]", s->fallback);
    if (range && n < HELP_ROOM)
        snprintf(to + n, HELP_ROOM - n, /* all digits of integers */
                 s->most >= 1e9 && s->most < 1e16 ? " (%.10g to %.0f)"
                                                  : " (%.10g to %.10g)",
                 s->least, s->most);
}

void full_row(const struct bestdag_json *row, char to[HELP_ROOM])
{
    const char *suffixes = text_of(row, "suffixes");
    const char *needs = text_of(row, "needs");
    double reads = number_of(row, "reads"), present = number_of(row, "present");
    size_t n = (size_t)snprintf(to, HELP_ROOM, "%s", text_of(row, "help"));
    for (const char *s = suffixes; s && *s && n < HELP_ROOM;) {
        size_t length = strcspn(s, "|");
        n += (size_t)snprintf(to + n, HELP_ROOM - n, "%s.%.*s",
                              s == suffixes ? " (" : " ", (int)length, s);
        s += length + (s[length] == '|');
    }
    if (suffixes && n < HELP_ROOM)
        n += (size_t)snprintf(to + n, HELP_ROOM - n, "%s)",
                              reads < 1 ? "; written only" : "");
    if (present < 1 && n < HELP_ROOM)
        n += (size_t)snprintf(to + n, HELP_ROOM - n, ": not in this build");
    if (needs && !strcmp(needs, "table") && n < HELP_ROOM)
        snprintf(to + n, HELP_ROOM - n, "; needs the table: learn only");
}

/* The help up to the first semicolon, and the default. */
static void short_help(const struct cli_setting *s, char to[HELP_ROOM])
{
    size_t n = strcspn(s->help, ";");
    bool has_default = s->fallback && strcmp(s->type, "flag") != 0;
    snprintf(to, HELP_ROOM, "%.*s%s%s%s", (int)n, s->help,
             has_default ? " [" : "", has_default ? s->fallback : "",
             has_default ? "]" : "");
}

static void print_setting(FILE *to, const struct cli_setting *s, bool is_short)
{
    char name[128], help[HELP_ROOM];
    int n;
    if (s->solver)
        n = snprintf(name, sizeof name, "    --set %s=%s", s->key,
                     s->value ? s->value : "yes|no");
    else {
        n = s->letter
                ? snprintf(name, sizeof name, "  -%c, --%s", s->letter, s->key)
                : snprintf(name, sizeof name, "      --%s", s->key);
        if (s->value)
            n += snprintf(name + n, sizeof name - (size_t)n, " %s", s->value);
    }
    if (is_short)
        short_help(s, help);
    else
        full_help(s, help);
    fprintf(to, "%s", name);
    if (n >= INDENT - 1) {
        fputc('\n', to);
        n = 0;
    }
    fprintf(to, "%*s", INDENT - n, "");
    print_wrapped(to, help, INDENT);
    fputc('\n', to);
}

const char *title_of(const char *group)
{
    static const char *const titles[][2] = {
        {"run", "Running"},
        {"table", "Reading tables"},
        {"discretize", "Discretising"},
        {"score", "Score and prior"},
        {"parents", "Candidate parent sets"},
        {"scores", "Scores"},
        {"solve", "Search"},
        {"solvers", "Solvers"},
        {"learn", "Learning"},
        {"bootstrap", "Resampling"},
        {"rules", "Constraints"},
        {"sets", "Score files"},
        {"verify", "Checks"},
        {"fit", "Parameters"},
        {"em", "Expectation-maximisation"},
        {"evaluate", "Evaluation"},
        {"query", "Query"},
        {"impute", "Filling"},
        {"inference", "Inference"},
        {"generate", "Generating"},
        {"sample", "Sampling"},
        {"relate", "Questions"},
        {"output", "Output"},
        {"tables", "Formats of tables"},
        {"formats", "Formats of networks"},
        {"methods", "Methods"},
        {"measures", "Measures"},
        {"lists", "Lists"},
    };
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (!strcmp(titles[i][0], group))
            return titles[i][1];
    return group;
}

/* A row of a list: name, and what it is. */
static void print_row(FILE *to, const struct bestdag_json *row)
{
    char help[HELP_ROOM];
    int n = fprintf(to, "  %s", text_of(row, "name"));
    if (n >= INDENT)
        n = fprintf(to, "\n") - 1;
    fprintf(to, "%*s", INDENT - n, "");
    full_row(row, help);
    print_wrapped(to, help, INDENT);
    fputc('\n', to);
}

/* "local, order": the kinds of rules that a solver supports. */
static void print_rules(FILE *to, const struct bestdag_json *takes)
{
    int64_t count = bestdag_json_count(takes);
    fprintf(to, "    rules supported%*s", INDENT - 19, "");
    for (int64_t i = 0; i < count; i++)
        fprintf(to, "%s%s", i ? ", " : "",
                bestdag_json_text(bestdag_json_at(takes, i)));
    fprintf(to, count ? "\n" : "none\n");
}

int print_solver_settings(struct cli *cli, FILE *to, const char *solver)
{
    char *text = bestdag_list(cli->run, "solvers");
    struct bestdag_json *list = bestdag_json_read(cli->run, text);
    bestdag_text_free(text);
    for (int64_t i = 0; i < bestdag_json_count(list); i++) {
        const struct bestdag_json *row = bestdag_json_at(list, i);
        const struct bestdag_json *settings = bestdag_json_get(row, "settings");
        const char *name = text_of(row, "name");
        if (solver && strcmp(solver, name) != 0)
            continue;
        fprintf(to, "\nSettings of %s\n", name);
        for (int64_t k = 0; k < bestdag_json_count(settings); k++) {
            struct cli_setting s = setting_of(bestdag_json_at(settings, k));
            print_setting(to, &s, false);
        }
        print_rules(to, bestdag_json_get(row, "takes"));
    }
    bestdag_json_free(list);
    return bestdag_run_status(cli->run);
}

int print_list(struct cli *cli, FILE *to, const char *what)
{
    char *text = bestdag_list(cli->run, what);
    struct bestdag_json *list = bestdag_json_read(cli->run, text);
    const char *group = "";
    bestdag_text_free(text);
    for (int64_t i = 0; i < bestdag_json_count(list); i++) {
        const struct bestdag_json *row = bestdag_json_at(list, i);
        struct cli_setting s = setting_of(row);
        if (s.group && strcmp(group, s.group)) {
            fprintf(to, "%s%s%s\n", i ? "\n" : "", s.solver ? "Solver " : "",
                    title_of(s.group));
            group = s.group;
        }
        if (s.group)
            print_setting(to, &s, false);
        else
            print_row(to, row);
    }
    bestdag_json_free(list);
    return bestdag_run_status(cli->run);
}

static void print_settings(struct cli *cli, FILE *to)
{
    const char *group = "";
    for (int i = 0; i < cli->settings; i++) {
        if (strcmp(group, cli->setting[i].group)) {
            group = cli->setting[i].group;
            fprintf(to, "\n%s\n", title_of(group));
        }
        print_setting(to, &cli->setting[i], false);
    }
}

/* The settings of the short help, and where the rest is. */
static void print_common(const struct cli *cli, FILE *to)
{
    const struct cli_command *c = cli->command;
    const char *keys = c->common, *lists = c->lists ? c->lists : "";
    char key[64], rest[256];
    fprintf(to, "\nCommon options\n");
    while (next_word(&keys, key))
        for (int i = 0; i < cli->settings; i++)
            if (!strcmp(cli->setting[i].key, key))
                print_setting(to, &cli->setting[i], true);
    size_t n = (size_t)snprintf(rest, sizeof rest,
                                "'bestdag %s --help-all' shows all %d options",
                                c->name, cli->settings);
    for (const char *sign = " and lists "; next_word(&lists, key); sign = ", ")
        n += (size_t)snprintf(rest + n, sizeof rest - n, "%s%s", sign, key);
    fputc('\n', to);
    print_wrapped(to, rest, 0);
    fprintf(to, ".\n");
}

static void print_about(FILE *to, const char *about, bool is_short)
{
    bool is_first = true;
    for (; *about && (is_first || !is_short); is_first = false) {
        fputc('\n', to);
        print_wrapped(to, about, 0);
        fputc('\n', to);
        about += strcspn(about, "\n");
        about += strspn(about, "\n");
    }
}

static void print_all(struct cli *cli, FILE *to)
{
    const char *lists = cli->command->lists ? cli->command->lists : "";
    char list[64];
    while (next_word(&lists, list)) {
        fprintf(to, "\n%s\n", title_of(list));
        print_list(cli, to, list);
    }
    print_settings(cli, to);
}

void print_usage(struct cli *cli, FILE *to)
{
    const struct cli_command *c = cli->command;
    const char *solver = setting_text(cli, "solver");
    bool is_short = c->common && !cli->help_all;
    fprintf(to, "bestdag %s: %s\n\nusage: bestdag %s [OPTIONS]%s%s\n", c->name,
            c->summary, c->name, *c->arguments ? " " : "", c->arguments);
    fprintf(to, "\nExamples\n");
    for (int i = 0; c->examples[i]; i++)
        fprintf(to, "  %s\n", c->examples[i]);
    print_about(to, c->about, is_short);
    if (is_short)
        print_common(cli, to);
    else
        print_all(cli, to);
    if (solver && strcmp(solver, "auto") != 0)
        print_solver_settings(cli, to, solver);
}
