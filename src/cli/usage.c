/* SPDX-License-Identifier: MIT */
/* usage.c -- help on the screen, from the tables. Examples come first. */
#include <string.h>

#include "cli.h"

enum { WIDTH = 78, INDENT = 26 };

void print_overview(FILE *to)
{
    fprintf(to,
            "bestdag %s: learns Bayesian networks from data, and says how good "
            "they are\n\nusage: bestdag COMMAND [OPTIONS] FILES\n\n",
            bestdag_version());
    for (int i = 0; commands[i]; i++)
        fprintf(to, "  %-12s%s\n", commands[i]->name, commands[i]->summary);
    fprintf(to,
            "\n'bestdag COMMAND --help' explains a command; 'bestdag --version "
            "-v' tells\nwhat this build can do.\n");
}

/* Breaks text at blanks; the first line goes on at column `column`. */
static void print_wrapped(FILE *to, const char *text, int column)
{
    bool first = true;
    while (*(text += strspn(text, " "))) {
        int n = (int)strcspn(text, " ");
        if (!first && column + 1 + n > WIDTH) {
            fprintf(to, "\n%*s", INDENT, "");
            column = INDENT;
        } else if (!first)
            column += fprintf(to, " ");
        column += fprintf(to, "%.*s", n, text);
        text += n;
        first = false;
    }
}

/* "help [default; from 1 to 20]" */
static void full_help(const struct setting *s, char to[512])
{
    int n = snprintf(to, 512, "%s", s->help);
    bool range = !strcmp(s->type, "integer") || !strcmp(s->type, "number");
    bool fallback = s->fallback && strcmp(s->type, "flag");
    if (s->choices && n < 512)
        n += snprintf(to + n, 512 - (size_t)n, ": %s", s->choices);
    if (fallback && n < 512)
        n += snprintf(to + n, 512 - (size_t)n, " [%s]", s->fallback);
    if (range && n < 512)
        snprintf(to + n, 512 - (size_t)n, " (%.10g to %.10g)", s->least,
                 s->most);
}

static void print_setting(FILE *to, const struct setting *s)
{
    char name[128], help[512];
    int n = s->letter
                ? snprintf(name, sizeof name, "  -%c, --%s", s->letter, s->key)
                : snprintf(name, sizeof name, "      --%s", s->key);
    if (s->value)
        n += snprintf(name + n, sizeof name - (size_t)n, " %s", s->value);
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

static const char *title_of(const char *group)
{
    static const char *const titles[][2] = {
        {"run", "Limits"},
        {"table", "Reading tables"},
        {"discretize", "Discretising"},
        {"fit", "Parameters"},
        {"evaluate", "Evaluation"},
        {"generate", "Generating"},
        {"sample", "Sampling"},
        {"output", "Output"},
    };
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (!strcmp(titles[i][0], group))
            return titles[i][1];
    return group;
}

int print_list(struct cli *cli, FILE *to, const char *what)
{
    char *text = bestdag_list(cli->run, what);
    struct bestdag_json *list = bestdag_json_read(cli->run, text);
    bestdag_text_free(text);
    for (int64_t i = 0; i < bestdag_json_count(list); i++) {
        const struct bestdag_json *row = bestdag_json_at(list, i);
        int n = fprintf(to, "  %s", text_of(row, "name"));
        if (n >= INDENT)
            n = fprintf(to, "\n") - 1;
        fprintf(to, "%*s", INDENT - n, "");
        print_wrapped(to, text_of(row, "help"), INDENT);
        fputc('\n', to);
    }
    bestdag_json_free(list);
    return bestdag_run_status(cli->run);
}

void print_usage(struct cli *cli, FILE *to)
{
    const struct command *c = cli->command;
    fprintf(to, "bestdag %s: %s\n\nusage: bestdag %s [OPTIONS] %s\n", c->name,
            c->summary, c->name, c->arguments);
    fprintf(to, "\nExamples\n");
    for (int i = 0; c->examples[i]; i++)
        fprintf(to, "  %s\n", c->examples[i]);
    fprintf(to, "\n%s\n", c->about);
    if (c->list) {
        fprintf(to, "\nThe %s\n", c->list);
        print_list(cli, to, c->list);
    }
    const char *group = "";
    for (int i = 0; i < cli->settings; i++) {
        if (strcmp(group, cli->setting[i].group)) {
            group = cli->setting[i].group;
            fprintf(to, "\n%s\n", title_of(group));
        }
        print_setting(to, &cli->setting[i]);
    }
}
