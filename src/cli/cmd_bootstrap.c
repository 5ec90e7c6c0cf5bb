/* SPDX-License-Identifier: MIT */
/* cmd_bootstrap.c -- bestdag bootstrap: arc strengths and the averaged
 * network. */
#include <string.h>

#include "cli.h"

enum { MOST_LINES = 30 }; /* of arcs in the summary */

/* ---- summary ------------------------------------------------------------- */

static void say_resamples(struct cli *cli, const struct bestdag_json *r)
{
    char a[32], b[64], c[32];
    const char *status = text_of(r, "status");
    bool ended = !strcmp(status, "finished");
    say(cli, "%s%s%s of %s learned, %s proved optimal; %.2f s in total",
        ended ? "" : status, ended ? "" : ": ",
        grouped(number_of(r, "resamples"), a),
        counted(number_of(r, "resamples_asked"), "resample", b),
        grouped(number_of(r, "resamples_optimal"), c),
        number_of(bestdag_json_get(r, "seconds"), "total"));
}

static void say_average(struct cli *cli, const struct bestdag_json *r)
{
    char a[64], b[64];
    double turned = number_of(r, "turned"), lost = number_of(r, "left_out");
    say(cli, "score %s %.6f", text_of(r, "score_name"), number_of(r, "score"));
    say(cli, "threshold %.4g (%s); %s adjacent in some resample",
        number_of(r, "threshold"),
        number_of(r, "threshold_estimated") > 0 ? "estimated" : "given",
        counted(number_of(r, "pairs"), "pair", a));
    if (turned + lost > 0)
        say(cli,
            "%s against the majority, %s above the threshold left out: because "
            "of rules, or to avoid a cycle",
            counted(turned, "arc", a), counted(lost, "edge", b));
}

static void say_arcs(struct cli *cli, const struct bestdag_json *arcs)
{
    char a[64];
    int64_t count = bestdag_json_count(arcs);
    if (count)
        say(cli, "strength  direction");
    for (int64_t i = 0; i < count && i < MOST_LINES; i++) {
        const struct bestdag_json *arc = bestdag_json_at(arcs, i);
        say(cli, "%8.3f  %9.3f  %s -> %s", number_of(arc, "strength"),
            number_of(arc, "direction"), text_of(arc, "from"),
            text_of(arc, "to"));
    }
    if (count > MOST_LINES)
        say(cli, "and %s; --strengths FILE writes all",
            counted((double)(count - MOST_LINES), "more arc", a));
}

static void summarise(struct cli *cli, const struct bestdag_result *result,
                      const char *json)
{
    struct bestdag_json *r = bestdag_json_read(cli->run, json);
    if (r) {
        summarise_network(cli, bestdag_result_network(result));
        say_average(cli, r);
        say_resamples(cli, r);
        say_arcs(cli, bestdag_json_get(r, "strengths"));
    }
    bestdag_json_free(r);
}

/* Are the strengths written to standard output, instead of the network? */
static bool is_for_strengths(const struct cli *cli)
{
    const char *path = setting_text(cli, "strengths");
    return path && !strcmp(path, "-");
}

static int show(struct cli *cli, struct bestdag_result *result)
{
    char *json = bestdag_result_json(cli->run, result);
    if (json && (cli->output_given || !is_for_strengths(cli)))
        put_network(cli, bestdag_result_network(result));
    if (json && !bestdag_run_status(cli->run) && !write_page(cli, result))
        summarise(cli, result, json);
    if (cli->json && !bestdag_run_status(cli->run))
        return print_json(cli, json);
    bestdag_text_free(json);
    return bestdag_run_status(cli->run);
}

static int run_bootstrap(struct cli *cli)
{
    bool is_default = !cli->format;
    int status = check_input(cli, "jkl",
                             "holds candidate sets; resamples need the table");
    if (!status && (cli->output_given || !is_for_strengths(cli)))
        status = check_output(cli, false);
    if (status)
        return status;
    struct bestdag_table *table =
        bestdag_table_read(cli->run, cli->file[0], cli->options);
    if (cli->output_given || !is_for_strengths(cli))
        status = check_numbers(cli, table, is_default);
    struct bestdag_result *result =
        status ? NULL
               : bestdag_bootstrap(cli->run, table, cli->rules, cli->options);
    bestdag_table_free(table);
    if (status)
        return status;
    status = result ? show(cli, result) : bestdag_run_status(cli->run);
    bestdag_result_free(result);
    return status;
}

static const char *const examples[] = {
    "bestdag bootstrap survey.csv -o average.bif",
    "bestdag bootstrap survey.csv -R 1000 --strengths strengths.csv -o net.svg",
    "bestdag bootstrap survey.csv --threshold 0.85 --score bdeu --json",
    "bestdag bootstrap genes.csv --solver hc --time-per-resample 30s -t 1h",
    "bestdag bootstrap survey.csv --constraints expert.rules -o average.bif",
    NULL};

const struct cli_command command_bootstrap = {
    .name = "bootstrap",
    .summary = "estimate arc strengths by resampling, and average networks",
    .arguments = "DATA",
    .least = 1,
    .most = 1,
    .options = "@bootstrap @score parents parents.max-parents candidates "
               "time-per-variable theorem-2 queue no-prune solver set start "
               "temp-dir discretize @fit "
               "@table threads seed time-limit effort memory-limit gap",
    .takes = TAKES_OUTPUT | TAKES_RULES | TAKES_NETWORK_FORMAT | TAKES_REPORT |
             TAKES_JSON,
    .about = "Learns a network, as 'bestdag learn' does, from each of many "
             "bootstrap resamples of the rows of DATA. The strength of an arc "
             "is the fraction of these networks in which its two ends are "
             "adjacent; its direction is the fraction of those in which it "
             "points this way. The averaged network has the arcs whose "
             "strength exceeds a threshold, in their most frequent direction, "
             "added strongest first without closing a cycle; its parameters "
             "are estimated from all of DATA.\n\nConstraints hold in every "
             "network and in the averaged one. A time limit or Ctrl-C ends the "
             "run with the resamples finished so far. The same seed gives the "
             "same strengths for any number of threads, unless a time limit or "
             "Ctrl-C cuts the run short. Resamples are learned in parallel, "
             "one per thread, or fewer if --memory-limit has no room for more.",
    .common = "resamples threshold strengths output report json score ess "
              "max-parents constraints solver missing time-per-resample "
              "time-limit threads seed",
    .examples = examples,
    .run = run_bootstrap,
    .lists = "scores parents solvers formats tables",
    .renamed = fit_renamed,
};
