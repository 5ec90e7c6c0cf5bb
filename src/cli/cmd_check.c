/* SPDX-License-Identifier: MIT */
/* cmd_check.c -- bestdag check: contents and problems of a table. */
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
        fprintf(to, "equal up to the names of states: ");
        print_names(to, bestdag_json_at(list, i), 10);
    }
    if (n > 10)
        fprintf(to, "duplicates: and %lld more groups\n", (long long)(n - 10));
}

/* A name and blanks up to a width, counted in characters. */
static void print_padded(FILE *to, const char *name)
{
    int width = characters(name);
    fprintf(to, "  %s%*s ", name, width < 24 ? 24 - width : 0, "");
}

static void print_column(FILE *to, const struct bestdag_json *c, double rows)
{
    char a[32];
    const char *kind = text_of(c, "kind");
    print_padded(to, text_of(c, "name"));
    if (!strcmp(kind, "codes"))
        fprintf(to, "%4.0f state%s, most often '%s' (%.1f %%)",
                number_of(c, "states"), number_of(c, "states") > 1 ? "s" : "",
                text_of(c, "most_common") ? text_of(c, "most_common") : "",
                100 * number_of(c, "share"));
    else if (!strcmp(kind, "numbers"))
        fprintf(to, "numbers from %g to %g, mean %g", number_of(c, "least"),
                number_of(c, "most"), number_of(c, "mean"));
    else if (number_of(c, "distinct") > 0)
        fprintf(to, "text with at least %s distinct values",
                grouped(number_of(c, "distinct"), a));
    else
        fputs("no value at all", to);
    if (number_of(c, "missing") > 0)
        fprintf(to, ", %s missing (%.1f %%)",
                grouped(number_of(c, "missing"), a),
                100 * number_of(c, "missing") / rows);
    fputc('\n', to);
}

/* "parent sets to score: 460 (up to 2 parents), 1,300 (3), 2,560 (4)" */
static void print_cost(FILE *to, const struct bestdag_json *cost)
{
    char a[32];
    const struct bestdag_json *sizes = bestdag_json_get(cost, "by_max_parents");
    int64_t n = bestdag_json_count(sizes);
    if (n < 2)
        return;
    fprintf(to, "parent sets to score:");
    for (int64_t i = 1; i < n && i < 4; i++)
        fprintf(to, i == 1 ? " %s (up to %lld parents)" : ", %s (%lld)",
                grouped(number_of(bestdag_json_at(sizes, i), "families"), a),
                (long long)i + 1);
    fputc('\n', to);
}

static void print_size(FILE *to, const struct bestdag_json *report)
{
    char a[64], b[64];
    double rows = number_of(report, "rows");
    double weight = number_of(report, "total_weight");
    double different = number_of(report, "distinct_rows");
    fputs(counted(rows, "row", a), to);
    if (!isnan(different))
        fprintf(to, " (%s different)", grouped(different, b));
    fprintf(to, " x %s\n", counted(number_of(report, "columns"), "column", a));
    if (weight > rows)
        fprintf(to, "weights: the rows count as %s\n", grouped(weight, b));
    if (number_of(report, "cells_missing") > 0)
        fprintf(to, "missing: %s; complete: %s\n",
                counted(number_of(report, "cells_missing"), "cell", a),
                counted(number_of(report, "rows_complete"), "row", b));
}

/* ---- missing values ------------------------------------------------------ */

enum { TESTS = 5 }; /* that are printed without -v */

static void print_together(FILE *to, const struct bestdag_json *holes,
                           int64_t most)
{
    char a[64];
    const struct bestdag_json *list = bestdag_json_get(holes, "together");
    for (int64_t i = 0; i < bestdag_json_count(list) && i < most; i++) {
        const struct bestdag_json *t = bestdag_json_at(list, i);
        fprintf(to,
                "missing together: '%s' and '%s' in %s, %.1f expected by "
                "chance (p = %.2g)\n",
                text_of(t, "column"), text_of(t, "with"),
                counted(number_of(t, "both"), "row", a),
                number_of(t, "expected"), number_of(t, "adjusted"));
    }
    if (number_of(holes, "pairs") > (double)most)
        fprintf(to, "missing together: and %.0f more pairs\n",
                number_of(holes, "pairs") - (double)most);
}

static void print_depends(FILE *to, const struct bestdag_json *holes,
                          int64_t most)
{
    const struct bestdag_json *list = bestdag_json_get(holes, "depends");
    for (int64_t i = 0; i < bestdag_json_count(list) && i < most; i++) {
        const struct bestdag_json *t = bestdag_json_at(list, i);
        fprintf(
            to,
            "missing by other columns: '%s' is missing in %.1f %% of the rows "
            "in which '%s' is '%s', in %.1f %% of the others (p = %.2g)\n",
            text_of(t, "column"), 100 * number_of(t, "share_there"),
            text_of(t, "on"), text_of(t, "state"),
            100 * number_of(t, "share_elsewhere"), number_of(t, "adjusted"));
    }
    if (number_of(holes, "dependences") > (double)most)
        fprintf(to, "missing by other columns: and %.0f more pairs\n",
                number_of(holes, "dependences") - (double)most);
}

/* What the tests found, and what to do. */
static void print_holes(struct cli *cli, FILE *to,
                        const struct bestdag_json *holes)
{
    char a[32];
    int64_t most = cli->verbose ? 20 : TESTS;
    if (!bestdag_json_count(holes))
        return;
    fprintf(to,
            "rows with missing values: %.1f %%, in %s different pattern%s\n",
            100 * number_of(holes, "rows_share"),
            grouped(number_of(holes, "patterns"), a),
            number_of(holes, "patterns") > 1 ? "s" : "");
    print_finding(to, holes, "empty", "without any value (--ignore)");
    print_together(to, holes, most);
    print_depends(to, holes, most);
    if (!(number_of(holes, "tests") > 0))
        fprintf(to, "too few values to test how they are missing\n");
    else if (number_of(holes, "random") > 0)
        fprintf(to,
                "%s tests found nothing against values missing completely at "
                "random\n",
                grouped(number_of(holes, "tests"), a));
    if (!(number_of(holes, "tested_all") > 0))
        fprintf(to, "not all columns were tested for how they are missing\n");
    fprintf(to, "recommended: --missing %s: %s\n",
            text_of(holes, "recommended"), text_of(holes, "reason"));
}

static void print_report(struct cli *cli, FILE *to,
                         const struct bestdag_json *report)
{
    const struct bestdag_json *columns = bestdag_json_get(report, "column");
    int64_t n = bestdag_json_count(columns);
    print_size(to, report);
    print_holes(cli, to, bestdag_json_get(report, "holes"));
    print_finding(to, report, "constant", "constant");
    print_finding(to, report, "likely_identifiers", "likely identifiers");
    print_finding(to, report, "dates", "dates or times");
    print_finding(to, report, "need_discretising",
                  "numbers, learned as such or cut into states (--discretize)");
    print_finding(to, report, "many_states", "many states");
    print_duplicates(to, report);
    print_dependent(to, report);
    print_cost(to, bestdag_json_get(report, "learning"));
    if (!(number_of(report, "searched") > 0))
        fprintf(to, "not all pairs of columns were compared\n");
    int64_t shown = cli->verbose || n <= 60 ? n : 20;
    for (int64_t i = 0; i < shown; i++)
        print_column(to, bestdag_json_at(columns, i),
                     number_of(report, "rows"));
    if (shown < n)
        fprintf(to, "  and %lld more; -v shows all\n", (long long)(n - shown));
}

static int run_check(struct cli *cli)
{
    struct bestdag_table *table =
        bestdag_table_read(cli->run, cli->file[0], cli->options);
    char *json = bestdag_table_check(cli->run, table);
    bestdag_table_free(table);
    return show_report(cli, json, print_report);
}

static const char *const examples[] = {
    "bestdag check survey.csv", "bestdag check survey.csv.gz --json",
    "zcat big.csv.gz | bestdag check - --no-header -v", NULL};

const struct cli_command command_check = {
    .name = "check",
    .summary = "examine a table: contents and problems",
    .arguments = "DATA",
    .least = 1,
    .most = 1,
    .options = "@table threads time-limit memory-limit",
    .takes = TAKES_OUTPUT | TAKES_JSON,
    .about =
        "Reads a table and reports its rows, columns, states and missing "
        "values, and what would disturb learning: constant columns, likely "
        "identifiers, columns that are equal up to the names of their states, "
        "columns that are a function of another one. Columns of numbers are "
        "named.\n\nMissing values are kept, and examined: "
        "which columns are missing together, and whether a column is missing "
        "more often where another one has some value (chi-square tests, "
        "corrected for their number by Holm's method, at 0.05 for all "
        "together). Where it is, rows without missing values are a biased "
        "sample, and dropping the others distorts what is learned. The report "
        "recommends a value of --missing for learning.",
    .common = "json output input-format no-header delimiter decimal na ignore "
              "max-states weights verbose",
    .examples = examples,
    .run = run_check,
    .lists = "tables",
    .missing = "keep",
};
