/* SPDX-License-Identifier: MIT */
/* rule_options.c -- rules from the command line: --constraints FILE, --require
 * A,B and --forbid A,B, each may be repeated. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* The end of a name: a comma, or the closing quote ("" is a quote inside). NULL
 * if that is missing. */
static const char *name_end(const char *text)
{
    if (*text != '"')
        return text + strcspn(text, ",");
    for (text++; *text; text++) {
        if (*text == '"' && text[1] != '"')
            return text + 1;
        text += *text == '"';
    }
    return NULL;
}

static bool is_plain(const char *name, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strchr(" \t\"#,:|()<>=+*", name[i]) ||
            (name[i] == '-' && i + 1 < n && name[i + 1] == '>'))
            return false;
    return true;
}

/* A name in the syntax of rules; a name that was given in quotes keeps them. */
static void print_name(FILE *to, const char *name, size_t n, bool quoted)
{
    if (*name == '"' || !quoted) {
        fprintf(to, "%.*s", (int)n, name);
        return;
    }
    fputc('"', to);
    for (size_t i = 0; i < n; i++)
        fprintf(to, "%s%c", name[i] == '"' ? "\"" : "", name[i]);
    fputc('"', to);
}

/* "not A -> B"; the caller frees it. NULL: out of memory. */
static char *make_arc(const char *value, size_t n, bool forbidden, bool quoted)
{
    char *line = NULL;
    size_t size;
    const char *second = value + n + 1;
    FILE *to = open_memstream(&line, &size);
    if (!to)
        return NULL;
    fprintf(to, "%s", forbidden ? "not " : "");
    print_name(to, value, n, quoted);
    fprintf(to, " -> ");
    print_name(to, second, strlen(second), quoted);
    if (!fclose(to))
        return line;
    free(line);
    return NULL;
}

/* Does it parse as a rule? Tried in a separate run: clearing an error of the
 * command's run would restart its time limit and clear a stop. */
static bool is_rule(const char *line)
{
    struct bestdag_run *scratch = bestdag_run_new();
    struct bestdag_rules *rules = bestdag_rules_new(scratch);
    bool is_fine = bestdag_rules_add(scratch, rules, line) != BESTDAG_USAGE;
    bestdag_rules_free(rules);
    bestdag_run_free(scratch);
    return is_fine;
}

/* Quotes only where they are needed, so that messages show what was typed. A
 * keyword of the rule language needs them, too. */
static int add_arc(struct cli *cli, const char *value, size_t n, bool forbidden)
{
    const char *second = value + n + 1;
    bool is_quoted = !is_plain(value, n) || !is_plain(second, strlen(second));
    char *line = make_arc(value, n, forbidden, is_quoted);
    if (line && !is_quoted && !is_rule(line)) {
        free(line);
        line = make_arc(value, n, forbidden, true);
    }
    if (!line)
        return report_error(cli, BESTDAG_MEMORY, "out of memory");
    int status = bestdag_rules_add(cli->run, cli->rules, line);
    free(line);
    return status;
}

static int add_rule(struct cli *cli, const char *key, const char *value)
{
    const char *end = name_end(value);
    int status;
    if (!cli->rules)
        cli->rules = bestdag_rules_new(cli->run);
    if (!strcmp(key, "constraints"))
        status = bestdag_rules_read(cli->run, cli->rules, value);
    else if (!end || end == value || *end != ',' || !end[1])
        return report_error(cli, BESTDAG_USAGE,
                            "--%s: '%s' is not two names separated by a comma "
                            "(quote names that contain one)",
                            key, value);
    else
        status =
            add_arc(cli, value, (size_t)(end - value), !strcmp(key, "forbid"));
    if (!status)
        return BESTDAG_OK;
    if (bestdag_run_status(cli->run))
        report_error(cli, status, "%s", bestdag_run_error(cli->run));
    bestdag_run_clear(cli->run);
    return status;
}

int read_rules(struct cli *cli)
{
    int status = BESTDAG_OK;
    for (int i = 0; !status && i < cli->rules_given; i++)
        status = add_rule(cli, cli->rule[i].key, cli->rule[i].value);
    return status;
}
