/* SPDX-License-Identifier: MIT */
/* cmd_learn.c -- bestdag learn: from a table to a fitted network. */
#include "cli.h"

static int run_learn(struct cli *cli)
{
    bool is_default = !cli->format;
    int status =
        check_input(cli, "jkl", "holds candidate sets, not a table: use solve");
    if (!status)
        status = check_output(cli, false);
    if (status)
        return status;
    struct bestdag_table *table =
        bestdag_table_read_by_rank(cli->run, cli->file[0], cli->options);
    if (!table) /* an error, or this rank has counted for rank 0 */
        return bestdag_run_status(cli->run);
    status = check_numbers(cli, table, is_default);
    struct bestdag_result *result =
        status ? NULL
               : bestdag_learn(cli->run, table, cli->rules, cli->options);
    bestdag_table_free(table);
    if (status)
        return status;
    status = result ? show_answer(cli, result) : bestdag_run_status(cli->run);
    bestdag_result_free(result);
    return status;
}

const struct renamed_option fit_renamed[] = {
    {"fit.pseudo", "fit-pseudo",
     "pseudo-count for the estimated probabilities, in place of --fit-ess; 0: "
     "relative frequencies (maximum likelihood)"},
    {"fit.ess", "fit-ess",
     "equivalent sample size of a uniform Dirichlet prior for the estimated "
     "probabilities; keeps them above 0; 0: relative frequencies (maximum "
     "likelihood); not with --fit-pseudo"},
    {NULL, NULL, NULL}};

static const char *const examples[] = {
    "bestdag learn survey.csv -o net.bif",
    "bestdag learn survey.csv -o net.bif --report net.html",
    "bestdag learn survey.csv --score bdeu --ess 10 --max-parents 3 -o net.bif",
    "bestdag learn genes.csv -t 10m -j 8 --save-scores genes.jkl -o net.json",
    "bestdag learn survey.csv --solver orders --set steps=1000000 --json",
    "bestdag learn survey.csv --start expert.bif --fit-pseudo 1 -o net.svg",
    NULL};

const struct cli_command command_learn = {
    .name = "learn",
    .summary = "learn a network from a table: structure and parameters",
    .arguments = "DATA",
    .least = 1,
    .most = 1,
    .options = "@score @parents @solve @learn @fit @em @table threads seed "
               "time-limit effort memory-limit gap",
    .takes = TAKES_OUTPUT | TAKES_RULES | TAKES_NETWORK_FORMAT | TAKES_REPORT |
             TAKES_JSON | TAKES_AVAILABLE | TAKES_EM,
    .about =
        "Learns structure and parameters in one run: scores candidate parent "
        "sets, searches for the network of highest score over them, and "
        "estimates its probabilities. Reports the score, an upper bound on the "
        "score of any network over the candidate sets, and the gap between the "
        "two; a network is called optimal only if that is proved, and the "
        "report says over which parent sets. Columns of numbers "
        "make a Gaussian or, with columns of states, a conditional Gaussian "
        "network, which is written as JSON unless -O says otherwise; "
        "--discretize cuts them into states.\n\nThe score is recomputed "
        "from DATA. The strongest arcs are listed with the score that would be "
        "lost without them. 'compelled' arcs point the same way in every "
        "network of the equivalence class that obeys the constraints on arcs, "
        "tiers and orders; 'reversible' ones do not. --report has everything "
        "on one page.\n\nWithout a time limit the run ends with a proof, or "
        "after a counted amount of work: 100 + n core seconds for n columns, "
        "times --effort. The same seed then gives the same network for any "
        "number of threads. A time limit or Ctrl-C ends the run with the best "
        "network so far; candidate sets take at most half of the "
        "time.\n\n--ess and --pseudo belong to the score. Probabilities are "
        "smoothed by one imaginary row spread evenly over each table, so that "
        "no new row is impossible; --fit-ess or --fit-pseudo set another "
        "amount, and --fit-ess 0 gives relative frequencies (maximum "
        "likelihood). A network with more than --max-entries probabilities is "
        "written without them, and a note says so.",
    .common = "output report json score ess max-parents constraints require "
              "forbid solver time-limit effort threads seed missing fit-ess",
    .examples = examples,
    .run = run_learn,
    .lists = "scores parents solvers formats tables",
    .renamed = fit_renamed,
};
