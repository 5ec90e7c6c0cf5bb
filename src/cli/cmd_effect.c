/* SPDX-License-Identifier: MIT */
/* cmd_effect.c -- bestdag effect: what an intervention on one variable does to
 * another. */
#include <math.h>
#include <string.h>

#include "cli.h"

enum { LEAST_CELL = 8, RANGE_CELL = 18, TEXT_COLUMN = 13 };

static void print_names(FILE *to, const struct bestdag_json *list)
{
    for (int64_t i = 0; i < bestdag_json_count(list); i++)
        fprintf(to, "%s%s", i ? ", " : "", text_at(list, i));
}

/* A column for each state of the effect: its name, its width. */
struct columns {
    const struct bestdag_json *states; /* an object: a row of "given_do" */
    int first;                         /* width of the names of rows */
    int least;                         /* width of a cell */
    bool has_mean;
};

static int cell_of(const struct columns *c, int64_t i)
{
    int n = (int)strlen(bestdag_json_key(c->states, i));
    return n > c->least ? n : c->least;
}

static void print_head(FILE *to, const struct columns *c, const char *name)
{
    fprintf(to, "%-*s", c->first, name);
    for (int64_t i = 0; i < bestdag_json_count(c->states); i++)
        fprintf(to, "  %*s", cell_of(c, i), bestdag_json_key(c->states, i));
    fprintf(to, c->has_mean ? "  %*s\n" : "\n", c->least, "mean");
}

/* The numbers of an object, and the mean. */
static void print_numbers(FILE *to, const struct columns *c,
                          const struct bestdag_json *row, double mean,
                          const char *format)
{
    for (int64_t i = 0; i <= bestdag_json_count(c->states); i++) {
        bool is_mean = i == bestdag_json_count(c->states);
        double x =
            is_mean ? mean : bestdag_json_number(bestdag_json_at(row, i));
        int width = is_mean ? c->least : cell_of(c, i);
        char text[64];
        if (is_mean && !c->has_mean)
            continue;
        snprintf(text, sizeof text, isnan(x) ? "-" : format, x);
        fprintf(to, "  %*s", width, text);
    }
    fputc('\n', to);
}

static void print_range(FILE *to, const struct bestdag_json *range, int width)
{
    char text[64];
    snprintf(text, sizeof text, "%+.4f to %+.4f",
             bestdag_json_number(bestdag_json_at(range, 0)),
             bestdag_json_number(bestdag_json_at(range, 1)));
    fprintf(to, "  %*s", width, text);
}

static void print_given_do(FILE *to, struct columns *c,
                           const struct bestdag_json *report)
{
    const struct bestdag_json *rows = bestdag_json_get(report, "given_do");
    const struct bestdag_json *means = bestdag_json_get(report, "means");
    print_head(to, c, text_of(report, "cause"));
    for (int64_t s = 0; s < bestdag_json_count(rows); s++) {
        fprintf(to, "%-*s", c->first, bestdag_json_key(rows, s));
        print_numbers(to, c, bestdag_json_at(rows, s),
                      bestdag_json_number(bestdag_json_at(means, s)), "%.4f");
    }
}

static void print_differences(FILE *to, struct columns *c,
                              const struct bestdag_json *report)
{
    const struct bestdag_json *list = bestdag_json_get(report, "differences");
    for (int64_t i = 0; i < bestdag_json_count(list); i++) {
        const struct bestdag_json *d = bestdag_json_at(list, i);
        int n = fprintf(to, "%s - %s", text_of(d, "to"), text_of(d, "from"));
        fprintf(to, "%*s", c->first > n ? c->first - n : 0, "");
        print_numbers(to, c, bestdag_json_get(d, "difference"),
                      number_of(d, "mean"), "%+.4f");
    }
}

static void print_difference_ranges(FILE *to, const struct columns *c,
                                    const struct bestdag_json *report)
{
    const struct bestdag_json *list = bestdag_json_get(report, "differences");
    for (int64_t i = 0; i < bestdag_json_count(list); i++) {
        const struct bestdag_json *d = bestdag_json_at(list, i);
        const struct bestdag_json *range = bestdag_json_get(d, "range");
        int n = fprintf(to, "%s - %s", text_of(d, "to"), text_of(d, "from"));
        fprintf(to, "%*s", c->first > n ? c->first - n : 0, "");
        for (int64_t k = 0; k < bestdag_json_count(range); k++)
            print_range(to, bestdag_json_at(range, k), cell_of(c, k));
        if (c->has_mean)
            print_range(to, bestdag_json_get(d, "mean_range"), c->least);
        fputc('\n', to);
    }
}

/* The widest name of a row, a difference included. */
static int width_of(const struct bestdag_json *report)
{
    const struct bestdag_json *rows = bestdag_json_get(report, "given_do");
    const struct bestdag_json *list = bestdag_json_get(report, "differences");
    rows = rows ? rows : bestdag_json_get(report, "means");
    size_t width = strlen(text_of(report, "cause"));
    for (int64_t i = 0; i < bestdag_json_count(rows); i++) {
        size_t n = strlen(bestdag_json_key(rows, i));
        width = n > width ? n : width;
    }
    for (int64_t i = 0; i < bestdag_json_count(list); i++) {
        const struct bestdag_json *d = bestdag_json_at(list, i);
        size_t n = strlen(text_of(d, "to")) + strlen(text_of(d, "from")) + 3;
        width = n > width ? n : width;
    }
    return (int)width;
}

/* "season=winter", "season in winter spring" or "horn ~ 0.2 0.8". */
static void print_evidence(FILE *to, const char *name,
                           const struct bestdag_json *what)
{
    const char *state = bestdag_json_text(what);
    bool is_list = bestdag_json_text(bestdag_json_at(what, 0)) != NULL;
    if (state)
        fprintf(to, ", %s=%s", name, state);
    else
        fprintf(to, is_list ? ", %s in" : ", %s ~", name);
    for (int64_t i = 0; i < bestdag_json_count(what); i++)
        if (is_list)
            fprintf(to, " %s", text_at(what, i));
        else
            fprintf(to, " %g", bestdag_json_number(bestdag_json_at(what, i)));
}

static void print_title(FILE *to, const struct bestdag_json *report)
{
    const struct bestdag_json *given = bestdag_json_get(report, "given");
    fprintf(to, "P(%s | do(%s)", text_of(report, "effect"),
            text_of(report, "cause"));
    for (int64_t i = 0; i < bestdag_json_count(given); i++)
        print_evidence(to, bestdag_json_key(given, i),
                       bestdag_json_at(given, i));
    fprintf(to, ")\n");
}

static void print_adjustment(FILE *to, const struct bestdag_json *report)
{
    const struct bestdag_json *set = bestdag_json_get(report, "adjustment");
    if (!(number_of(report, "causal_path") > 0)) {
        fprintf(to, "no directed path leads from %s to %s: no effect\n",
                text_of(report, "cause"), text_of(report, "effect"));
        return;
    }
    fprintf(to, "adjustment   ");
    if (bestdag_json_count(set))
        print_names(to, set);
    else
        fprintf(to, "none needed");
    fputc('\n', to);
}

/* Does an arc to or from the cause have two directions in the class? */
static void print_class(FILE *to, struct columns *c,
                        const struct bestdag_json *report, bool has_rules)
{
    const char *whose = has_rules ? " under the rules" : "";
    char a[64];
    double sets = number_of(report, "parent_sets");
    if (number_of(report, "identified") > 0) {
        fprintf(to,
                "identified   yes: the same in all networks of the "
                "equivalence class%s\n",
                whose);
        return;
    }
    fprintf(to,
            "identified   no: the data cannot tell the direction of the arcs "
            "between\n             %s and ",
            text_of(report, "cause"));
    print_names(to, bestdag_json_get(report, "reversible"));
    fprintf(to, "; over %s that %s has in\n             %s%s:\n",
            counted(sets, "parent set", a), text_of(report, "cause"),
            number_of(report, "complete") > 0
                ? "the equivalence class"
                : "a part of the equivalence class, which has more",
            whose);
    c->least = RANGE_CELL;
    print_difference_ranges(to, c, report);
    const struct bestdag_json *ignored =
        bestdag_json_get(report, "reversible_ignores");
    if (bestdag_json_count(ignored))
        fprintf(to, "not considered: %s\n",
                counted((double)bestdag_json_count(ignored), "rule", a));
}

static void print_assumption(FILE *to, const struct bestdag_json *report)
{
    fprintf(to, "assumption   ");
    print_wrapped(to, text_of(report, "assumption"), TEXT_COLUMN);
    fputc('\n', to);
}

/* Prints "yes", or what the range is over. */
static void print_identified(struct cli *cli, FILE *to,
                             const struct bestdag_json *report)
{
    const char *whose = cli->rules ? " under the rules" : "";
    if (number_of(report, "identified") > 0)
        fprintf(to,
                "identified   yes: the same in all networks of the "
                "equivalence class%s\n",
                whose);
    else
        fprintf(to, "identified   no; over %s%s:\n",
                number_of(report, "complete") > 0
                    ? "the equivalence class"
                    : "a part of the equivalence class, which has more",
                whose);
}

/* ---- effects on numbers -------------------------------------------------- */

/* Where states change the slope: "  0.75  with probability 0.5: sex=f". */
static void print_slopes(FILE *to, const struct bestdag_json *list)
{
    for (int64_t i = 0; i < bestdag_json_count(list); i++) {
        const struct bestdag_json *one = bestdag_json_at(list, i);
        const struct bestdag_json *states = bestdag_json_get(one, "states");
        fprintf(to, "  %10.6g with", number_of(one, "slope"));
        for (int64_t k = 0; k < bestdag_json_count(states); k++)
            fprintf(to, "%s %s=%s", k ? "," : "", bestdag_json_key(states, k),
                    text_at(states, k));
        fprintf(to, " (probability %.4g)\n", number_of(one, "probability"));
    }
}

/* Effect of a number on a number. */
static void print_slope(struct cli *cli, FILE *to,
                        const struct bestdag_json *report)
{
    const struct bestdag_json *range = bestdag_json_get(report, "range");
    const struct bestdag_json *list = bestdag_json_get(report, "slopes");
    const char *cause = text_of(report, "cause");
    const char *effect = text_of(report, "effect");
    fprintf(to,
            "slope        %.6g: the mean of %s grows by it with each unit "
            "of %s\n",
            number_of(report, "slope"), effect, cause);
    if (list)
        fprintf(to, "             the average of the slopes, which are\n");
    print_slopes(to, list);
    print_adjustment(to, report);
    print_identified(cli, to, report);
    if (!(number_of(report, "identified") > 0))
        fprintf(to, "slope        %.6g to %.6g\n",
                bestdag_json_number(bestdag_json_at(range, 0)),
                bestdag_json_number(bestdag_json_at(range, 1)));
    print_assumption(to, report);
}

/* Effect of a variable with states on a number: means and their differences. */
static void print_means(struct cli *cli, FILE *to,
                        const struct bestdag_json *report)
{
    const struct bestdag_json *means = bestdag_json_get(report, "means");
    const struct bestdag_json *sds = bestdag_json_get(report, "sds");
    const struct bestdag_json *list = bestdag_json_get(report, "differences");
    bool is_identified = number_of(report, "identified") > 0;
    int first = width_of(report);
    print_title(to, report);
    fprintf(to, "%-*s  %12s  %12s\n", first, text_of(report, "cause"), "mean",
            "sd");
    for (int64_t s = 0; s < bestdag_json_count(means); s++)
        fprintf(to, "%-*s  %12.6g  %12.6g\n", first, bestdag_json_key(means, s),
                bestdag_json_number(bestdag_json_at(means, s)),
                bestdag_json_number(bestdag_json_at(sds, s)));
    for (int64_t i = 0; i < bestdag_json_count(list); i++) {
        const struct bestdag_json *d = bestdag_json_at(list, i);
        int n = fprintf(to, "%s - %s", text_of(d, "to"), text_of(d, "from"));
        fprintf(to, "%*s  %+12.6g\n", first > n ? first - n : 0, "",
                number_of(d, "mean"));
    }
    print_adjustment(to, report);
    print_identified(cli, to, report);
    for (int64_t i = 0; i < bestdag_json_count(list) && !is_identified; i++) {
        const struct bestdag_json *d = bestdag_json_at(list, i);
        const struct bestdag_json *range = bestdag_json_get(d, "mean_range");
        int n = fprintf(to, "%s - %s", text_of(d, "to"), text_of(d, "from"));
        fprintf(to, "%*s  %+12.6g to %+.6g\n", first > n ? first - n : 0, "",
                bestdag_json_number(bestdag_json_at(range, 0)),
                bestdag_json_number(bestdag_json_at(range, 1)));
    }
    print_assumption(to, report);
}

/* Effect of a number on a variable with states: none. */
static void print_none(struct cli *cli, FILE *to,
                       const struct bestdag_json *report)
{
    print_adjustment(to, report);
    fprintf(to, "             in a network with numbers none is a parent of "
                "states\n");
    print_identified(cli, to, report);
    print_assumption(to, report);
}

static void print_report(struct cli *cli, FILE *to,
                         const struct bestdag_json *report)
{
    const struct bestdag_json *rows = bestdag_json_get(report, "given_do");
    struct columns c = {.states = bestdag_json_at(rows, 0),
                        .first = width_of(report),
                        .least = LEAST_CELL,
                        .has_mean = bestdag_json_get(report, "means") != NULL};
    if (!rows) {
        (bestdag_json_get(report, "slope")   ? print_slope
         : bestdag_json_get(report, "means") ? print_means
                                             : print_none)(cli, to, report);
        return;
    }
    print_title(to, report);
    print_given_do(to, &c, report);
    print_differences(to, &c, report);
    print_adjustment(to, report);
    print_class(to, &c, report, cli->rules != NULL);
    if (number_of(report, "sample_size") > 0)
        fprintf(to,
                "sampled      effective sample size %.0f: --json has the "
                "standard errors\n",
                number_of(report, "sample_size"));
    print_assumption(to, report);
}

static int run_effect(struct cli *cli)
{
    struct bestdag_network *network =
        bestdag_network_read(cli->run, cli->file[0]);
    char *json = bestdag_network_effect(cli->run, network, cli->file[1],
                                        cli->file[2], cli->rules, cli->options);
    bestdag_network_free(network);
    return show_report(cli, json, print_report);
}

static const char *const examples[] = {
    "bestdag effect net.bif lamp aground",
    "bestdag effect net.bif lamp 'aground | season=winter'",
    "bestdag effect net.bif lamp aground --constraints expert.rules",
    "bestdag effect net.bif lamp aground --json", NULL};

const struct cli_command command_effect = {
    .name = "effect",
    .summary = "compute what setting one variable does to another",
    .arguments = "NET CAUSE EFFECT",
    .least = 3,
    .most = 3,
    .options = "@inference seed threads time-limit memory-limit",
    .takes = TAKES_OUTPUT | TAKES_JSON | TAKES_RULES,
    .about =
        "Prints the probabilities of EFFECT after an intervention that sets "
        "CAUSE, for each of its states: P(EFFECT | do(CAUSE)), by graph "
        "surgery, and a smallest set of variables to adjust for, which "
        "gives the same from observations. Evidence stands behind the effect: "
        "'aground | season=winter', also as several states or likelihoods, as "
        "in 'query'. On a number the effect is the mean for each state of "
        "CAUSE; of a number on a number, a slope. Data cannot distinguish the "
        "networks of "
        "an equivalence class; if they differ in the effect, it is not "
        "identified, and its range over all of them is printed. Under "
        "constraints, which NET must obey, only networks that obey those on "
        "arcs, tiers and orders count.\n\nAll of it is causal only if the arcs "
        "of the network are the causal directions and no two of its variables "
        "have a common cause outside it.",
    .common = "constraints require forbid output json",
    .examples = examples,
    .run = run_effect,
};
