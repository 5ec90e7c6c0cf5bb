/* SPDX-License-Identifier: MIT */
/* cmd_relate.c -- bestdag relate: what the graph of a network says about its
 * variables. */
#include <math.h>
#include <string.h>

#include "cli.h"

/* "a, b and c" */
static void print_names(FILE *to, const struct bestdag_json *list)
{
    int64_t n = bestdag_json_count(list);
    for (int64_t i = 0; i < n; i++)
        fprintf(to, "%s%s", !i ? "" : (i == n - 1 ? " and " : ", "),
                text_at(list, i));
}

/* "a -> b <- c" */
static void print_path(FILE *to, const struct bestdag_json *object)
{
    const struct bestdag_json *path = bestdag_json_get(object, "path");
    const struct bestdag_json *arrows = bestdag_json_get(object, "arrows");
    for (int64_t i = 0; i < bestdag_json_count(path); i++) {
        if (i)
            fprintf(to, " %s ", text_at(arrows, i - 1));
        fputs(text_at(path, i), to);
    }
}

static void print_collider(FILE *to, const struct bestdag_json *collider)
{
    const struct bestdag_json *through = bestdag_json_get(collider, "through");
    int64_t n = bestdag_json_count(through);
    fprintf(to, "  collider %s: ", text_of(collider, "variable"));
    if (n == 1) {
        fprintf(to, "open because it is given\n");
        return;
    }
    fprintf(to, "open because its descendant %s is given (",
            text_of(collider, "given"));
    for (int64_t i = 0; i < n; i++)
        fprintf(to, "%s%s", i ? " -> " : "", text_at(through, i));
    fprintf(to, ")\n");
}

static void print_separation(FILE *to, const struct bestdag_json *report)
{
    const struct bestdag_json *given = bestdag_json_get(report, "given");
    const struct bestdag_json *colliders =
        bestdag_json_get(report, "colliders");
    const struct bestdag_json *from = bestdag_json_get(report, "from");
    bool is_separated = number_of(report, "separated") > 0;
    print_names(to, from);
    fprintf(to, "%s%s d-separated from ",
            bestdag_json_count(from) > 1 ? " are" : " is",
            is_separated ? "" : " not");
    print_names(to, bestdag_json_get(report, "to"));
    if (bestdag_json_count(given)) {
        fprintf(to, " given ");
        print_names(to, given);
    }
    if (is_separated) {
        fputc('\n', to);
        return;
    }
    fprintf(to, "\n  open path: ");
    print_path(to, report);
    fputc('\n', to);
    for (int64_t i = 0; i < bestdag_json_count(colliders); i++)
        print_collider(to, bestdag_json_at(colliders, i));
}

/* One name per line, under the number of them. */
static void print_list_of(FILE *to, const struct bestdag_json *report,
                          const char *key, const char *noun)
{
    const struct bestdag_json *list = bestdag_json_get(report, key);
    char a[64];
    if (!list)
        return;
    fprintf(to, "%s\n", counted((double)bestdag_json_count(list), noun, a));
    for (int64_t i = 0; i < bestdag_json_count(list); i++)
        fprintf(to, "  %s\n", text_at(list, i));
}

static void print_blanket(FILE *to, const struct bestdag_json *report)
{
    static const char *const parts[] = {"parents", "children", "spouses"};
    char a[64];
    const struct bestdag_json *all = bestdag_json_get(report, "blanket");
    if (!all)
        return;
    fprintf(to, "%s in the Markov blanket\n",
            counted((double)bestdag_json_count(all), "variable", a));
    for (int k = 0; k < 3; k++) {
        const struct bestdag_json *list = bestdag_json_get(report, parts[k]);
        if (!bestdag_json_count(list))
            continue;
        fprintf(to, "  %-10s", parts[k]);
        print_names(to, list);
        fputc('\n', to);
    }
}

static void print_paths(FILE *to, const struct bestdag_json *report)
{
    const struct bestdag_json *paths = bestdag_json_get(report, "paths");
    int64_t n = bestdag_json_count(paths);
    bool is_complete = number_of(report, "paths_complete") > 0;
    char a[64];
    if (!paths)
        return;
    fprintf(to, "%s%s\n", counted((double)n, "path", a),
            is_complete ? "" : ", and there are more (--max-paths)");
    for (int64_t i = 0; i < n; i++) {
        const struct bestdag_json *path = bestdag_json_at(paths, i);
        bool is_open = number_of(path, "open") > 0;
        fprintf(to, "  %-8s", is_open ? "open" : "blocked");
        print_path(to, path);
        if (!is_open) {
            fprintf(to, "  (at ");
            print_names(to, bestdag_json_get(path, "blocked_at"));
            fputc(')', to);
        }
        fputc('\n', to);
    }
}

static void print_separator(FILE *to, const struct bestdag_json *report)
{
    const struct bestdag_json *list = bestdag_json_get(report, "separator");
    if (!list)
        return;
    if (bestdag_json_count(list)) {
        fprintf(to, "separated by ");
        print_names(to, list);
        fputc('\n', to);
    } else
        fprintf(to, number_of(report, "separable") > 0
                        ? "separated without further variables\n"
                        : "no set separates them: they are adjacent\n");
}

/* ---- conditional tables -------------------------------------------------- */

enum { LEAST_CELL = 6 };

static int wider(int width, const char *text)
{
    int n = (int)strlen(text);
    return n > width ? n : width;
}

/* The widest label of parent i, or its name. */
static int width_of_parent(const struct bestdag_json *cpt, int64_t i)
{
    const struct bestdag_json *rows = bestdag_json_get(cpt, "rows");
    int width = wider(0, text_at(bestdag_json_get(cpt, "parents"), i));
    for (int64_t j = 0; j < bestdag_json_count(rows); j++)
        width = wider(
            width,
            text_at(bestdag_json_get(bestdag_json_at(rows, j), "given"), i));
    return width;
}

static void print_row(FILE *to, const struct bestdag_json *cpt,
                      const struct bestdag_json *row, const int *width)
{
    const struct bestdag_json *states = bestdag_json_get(cpt, "states");
    const struct bestdag_json *given = bestdag_json_get(row, "given");
    const struct bestdag_json *p = bestdag_json_get(row, "probability");
    const struct bestdag_json *count = bestdag_json_get(row, "count");
    for (int64_t i = 0; i < bestdag_json_count(given); i++)
        fprintf(to, "%s%-*s", i ? "  " : "", width[i], text_at(given, i));
    for (int64_t s = 0; s < bestdag_json_count(p); s++)
        fprintf(to, "%s%*.4f", s || bestdag_json_count(given) ? "  " : "",
                wider(LEAST_CELL, text_at(states, s)),
                bestdag_json_number(bestdag_json_at(p, s)));
    if (count)
        fprintf(to, "  %9.0f", bestdag_json_number(count));
    fputc('\n', to);
}

static void print_table(FILE *to, const struct bestdag_json *cpt,
                        const int *width)
{
    const struct bestdag_json *states = bestdag_json_get(cpt, "states");
    const struct bestdag_json *parents = bestdag_json_get(cpt, "parents");
    const struct bestdag_json *rows = bestdag_json_get(cpt, "rows");
    int64_t count = bestdag_json_count(parents);
    for (int64_t i = 0; i < count; i++)
        fprintf(to, "%s%-*s", i ? "  " : "", width[i], text_at(parents, i));
    for (int64_t s = 0; s < bestdag_json_count(states); s++)
        fprintf(to, "%s%*s", s || count ? "  " : "", LEAST_CELL,
                text_at(states, s));
    if (bestdag_json_get(bestdag_json_at(rows, 0), "count"))
        fprintf(to, "  %9s", "data rows");
    fputc('\n', to);
    for (int64_t j = 0; j < bestdag_json_count(rows); j++)
        print_row(to, cpt, bestdag_json_at(rows, j), width);
}

/* "sex=f  -60 + 0.75 height, sd 9, 50 data rows" */
static void print_regressions(FILE *to, const struct bestdag_json *list)
{
    for (int64_t j = 0; j < bestdag_json_count(list); j++) {
        const struct bestdag_json *one = bestdag_json_at(list, j);
        const struct bestdag_json *given = bestdag_json_get(one, "given");
        const struct bestdag_json *c = bestdag_json_get(one, "coefficients");
        for (int64_t i = 0; i < bestdag_json_count(given); i++)
            fprintf(to, "%s=%s  ", bestdag_json_key(given, i),
                    text_at(given, i));
        fprintf(to, "mean %.6g", number_of(one, "intercept"));
        for (int64_t i = 0; i < bestdag_json_count(c); i++) {
            double x = bestdag_json_number(bestdag_json_at(c, i));
            fprintf(to, " %c %.6g %s", x < 0 ? '-' : '+', fabs(x),
                    bestdag_json_key(c, i));
        }
        fprintf(to, ", sd %.6g", number_of(one, "sd"));
        if (bestdag_json_get(one, "count"))
            fprintf(to, ", %.0f data rows", number_of(one, "count"));
        fputc('\n', to);
    }
}

static void print_cpt(FILE *to, const struct bestdag_json *cpt)
{
    enum { MOST_PARENTS = 64 };
    int width[MOST_PARENTS] = {0};
    int64_t count = bestdag_json_count(bestdag_json_get(cpt, "parents"));
    if (!cpt)
        return;
    fprintf(to, "P(%s", text_of(cpt, "variable"));
    for (int64_t i = 0; i < count; i++)
        fprintf(to, "%s%s", i ? ", " : " | ",
                text_at(bestdag_json_get(cpt, "parents"), i));
    fprintf(to, ")\n");
    if (bestdag_json_get(cpt, "regressions")) {
        print_regressions(to, bestdag_json_get(cpt, "regressions"));
        return;
    }
    if (count > MOST_PARENTS) /* of one state each, or there were no table */
        fprintf(to, "  (too many parents to print: see --json)\n");
    for (int64_t i = 0; i < count && count <= MOST_PARENTS; i++)
        width[i] = width_of_parent(cpt, i);
    if (count <= MOST_PARENTS)
        print_table(to, cpt, width);
}

static void print_report(struct cli *cli, FILE *to,
                         const struct bestdag_json *report)
{
    (void)cli;
    if (bestdag_json_get(report, "separated"))
        print_separation(to, report);
    print_blanket(to, report);
    print_list_of(to, report, "ancestors", "ancestor");
    print_list_of(to, report, "descendants", "descendant");
    print_paths(to, report);
    print_separator(to, report);
    print_cpt(to, bestdag_json_get(report, "cpt"));
}

static int run_relate(struct cli *cli)
{
    struct bestdag_network *network =
        bestdag_network_read(cli->run, cli->file[0]);
    char *json = bestdag_network_relate(
        cli->run, network, cli->files > 1 ? cli->file[1] : NULL, cli->options);
    bestdag_network_free(network);
    return show_report(cli, json, print_report);
}

static const char *const examples[] = {
    "bestdag relate net.bif 'fog ; aground | lamp'",
    "bestdag relate net.bif 'fog, wind ; aground | lamp, horn' --json",
    "bestdag relate net.bif --blanket aground",
    "bestdag relate net.bif --paths 'fog,aground | lamp'",
    "bestdag relate net.bif --separator fog,aground",
    "bestdag relate net.json --cpt aground",
    NULL};

const struct cli_command command_relate = {
    .name = "relate",
    .summary = "ask the graph: separation, blankets, paths, tables",
    .arguments = "NET [QUESTION]",
    .least = 1,
    .most = 2,
    .options = "@relate time-limit memory-limit",
    .takes = TAKES_OUTPUT | TAKES_JSON,
    .about =
        "Reads what the arcs of a network say about its variables. The "
        "question 'A, B ; C | D, E' is whether A and B are d-separated from C "
        "given D and E, and hence independent; if they are not, a shortest "
        "open path is printed, with the reason that each of its colliders is "
        "open. Other questions are options, and several can be asked at once. "
        "All but --cpt need the structure alone. Names with blanks or signs "
        "stand in double quotes: '\"water level\" ; aground'.",
    .common = "blanket ancestors descendants paths separator cpt output json",
    .examples = examples,
    .run = run_relate,
};
