/* SPDX-License-Identifier: MIT */
/* cmd_check.c -- bestdag check: what is in a table. */
#include <math.h>
#include <string.h>

#include "cli.h"

/* "a, b, c and 7 more" */
static void print_names(FILE *to, const struct bestdag_json *list, int most)
{
    int64_t n = bestdag_json_count(list);
    for (int64_t i = 0; i < n && i < most; i++)
        fprintf(to, "%s'%s'", i ? ", " : "",
                bestdag_json_text(bestdag_json_at(list, i)));
    if (n > most)
        fprintf(to, " and %lld more", (long long)(n - most));
    fputc('\n', to);
}

static void print_finding(FILE *to, const struct bestdag_json *report,
                          const char *key, const char *what)
{
    const struct bestdag_json *list = bestdag_json_get(report, key);
    if (!bestdag_json_count(list))
        return;
    fprintf(to, "%s: ", what);
    print_names(to, list, 10);
}

static void print_dependent(FILE *to, const struct bestdag_json *report)
{
    const struct bestdag_json *list = bestdag_json_get(report, "dependent");
    int64_t n = bestdag_json_count(list);
    for (int64_t i = 0; i < n && i < 10; i++) {
        const struct bestdag_json *row = bestdag_json_at(list, i);
        fprintf(to, "determined: '%s' is a function of '%s'\n",
                text_of(row, "column"), text_of(row, "determined_by"));
    }
    if (n > 10)
        fprintf(to, "determined: and %lld more\n", (long long)(n - 10));
}

static void print_duplicates(FILE *to, const struct bestdag_json *report)
{
    const struct bestdag_json *list = bestdag_json_get(report, "duplicated");
    int64_t n = bestdag_json_count(list);
    for (int64_t i = 0; i < n && i < 10; i++) {
        fprintf(to, "the same but for names: ");
        print_names(to, bestdag_json_at(list, i), 10);
    }
    if (n > 10)
        fprintf(to, "the same but for names: and %lld more groups\n",
                (long long)(n - 10));
}

static void print_column(FILE *to, const struct bestdag_json *c)
{
    char a[32];
    const char *kind = text_of(c, "kind");
    fprintf(to, "  %-24s ", text_of(c, "name"));
    if (!strcmp(kind, "codes"))
        fprintf(to, "%4.0f states, most often '%s' (%.1f %%)",
                number_of(c, "states"),
                text_of(c, "most_common") ? text_of(c, "most_common") : "",
                100 * number_of(c, "share"));
    else if (!strcmp(kind, "numbers"))
        fprintf(to, "numbers from %g to %g, mean %g", number_of(c, "least"),
                number_of(c, "most"), number_of(c, "mean"));
    else
        fprintf(to, "text with at least %s different values",
                grouped(number_of(c, "distinct"), a));
    if (number_of(c, "missing") > 0)
        fprintf(to, ", %s missing", grouped(number_of(c, "missing"), a));
    fputc('\n', to);
}

static void print_report(struct cli *cli, FILE *to,
                         const struct bestdag_json *report)
{
    char a[32], b[32], c[32];
    const struct bestdag_json *columns = bestdag_json_get(report, "column");
    int64_t n = bestdag_json_count(columns);
    fprintf(to, "%s rows (%s different) x %s columns\n",
            grouped(number_of(report, "rows"), a),
            grouped(number_of(report, "distinct_rows"), b),
            grouped((double)n, c));
    if (number_of(report, "cells_missing") > 0)
        fprintf(to, "missing: %s cells; %s rows are complete\n",
                grouped(number_of(report, "cells_missing"), a),
                grouped(number_of(report, "rows_complete"), b));
    print_finding(to, report, "constant", "constant");
    print_finding(to, report, "likely_identifiers", "likely identifiers");
    print_finding(to, report, "need_discretising",
                  "numbers, to be discretised (bestdag discretize)");
    print_finding(to, report, "many_states", "many states");
    print_duplicates(to, report);
    print_dependent(to, report);
    if (!(number_of(report, "searched") > 0))
        fprintf(to, "not all pairs of columns were compared\n");
    int64_t shown = cli->verbose || n <= 60 ? n : 20;
    for (int64_t i = 0; i < shown; i++)
        print_column(to, bestdag_json_at(columns, i));
    if (shown < n)
        fprintf(to, "  and %lld more; -v shows all\n", (long long)(n - shown));
}

static int run_check(struct cli *cli)
{
    if (!setting_text(cli, "missing") ||
        !strcmp(setting_text(cli, "missing"), "drop"))
        bestdag_options_set(cli->run, cli->options, "missing", "keep");
    struct bestdag_table *table =
        bestdag_table_read(cli->run, cli->file[0], cli->options);
    char *json = bestdag_table_check(cli->run, table);
    bestdag_table_free(table);
    return show_report(cli, json, print_report);
}

static const char *const examples[] = {
    "bestdag check survey.csv", "bestdag check survey.csv.gz --json",
    "zcat big.csv.gz | bestdag check - --no-header -v", NULL};

const struct command command_check = {
    .name = "check",
    .summary = "what is in a table",
    .arguments = "DATA",
    .least = 1,
    .most = 1,
    .options = "@table threads time-limit memory-limit",
    .takes = TAKES_OUTPUT | TAKES_JSON,
    .about = "Reads a table and tells its rows, columns, states and missing "
             "values, and\n"
             "what would trouble learning: constant columns, likely "
             "identifiers, columns\n"
             "that are the same but for the names of their states, columns "
             "that are a\n"
             "function of another one, numbers that must be discretised first. "
             "Missing\n"
             "values are kept and counted.",
    .examples = examples,
    .run = run_check,
};
