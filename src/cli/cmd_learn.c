/* SPDX-License-Identifier: MIT */
/* cmd_learn.c -- bestdag learn: from a table to a network, the whole way. */
#include "cli.h"

static int run_learn(struct cli *cli)
{
    int status =
        check_input(cli, "jkl", "holds candidate sets, not a table: use solve");
    if (!status)
        status = check_output(cli, false);
    if (status)
        return status;
    struct bestdag_table *table =
        bestdag_table_read(cli->run, cli->file[0], cli->options);
    struct bestdag_result *result =
        bestdag_learn(cli->run, table, cli->rules, cli->options);
    bestdag_table_free(table);
    status = result ? show_answer(cli, result) : bestdag_run_status(cli->run);
    bestdag_result_free(result);
    return status;
}

const struct renamed_option fit_renamed[] = {
    {"fit.pseudo", "fit-pseudo",
     "add this much to every count when the probabilities are estimated, which "
     "keeps them from 0; 0: shares as they are counted (maximum likelihood)"},
    {"fit.ess", "fit-ess",
     "spread this many imagined rows evenly over each table when the "
     "probabilities are estimated; not with --fit-pseudo"},
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
    .summary = "a network from a table: scores, search, probabilities",
    .arguments = "DATA",
    .least = 1,
    .most = 1,
    .options = "@score @parents @solve @learn @fit @table threads seed "
               "time-limit effort memory-limit gap",
    .takes = TAKES_OUTPUT | TAKES_RULES | TAKES_NETWORK_FORMAT | TAKES_REPORT |
             TAKES_JSON,
    .about =
        "Does in one what score, solve and fit do: finds candidate parent sets "
        "with\n"
        "their scores, searches the best network over them, and estimates its\n"
        "probabilities. With the network come its score, computed anew from "
        "DATA, a\n"
        "bound above which no network over the candidate sets can score, and "
        "the gap\n"
        "between the two; only a network that reaches the bound is called "
        "optimal, and\n"
        "it is said over what. The strongest arcs are named with what the "
        "score "
        "would\n"
        "lose without them; 'compelled' ones point this way in every network "
        "with the\n"
        "same independences that obeys the rules on arcs, tiers and orders, "
        "'reversible'\n"
        "ones do not. --report tells all in a page.\n"
        "\n"
        "Without a time limit it ends with a proof, or when an amount of "
        "counted work\n"
        "is done: 100 + n core seconds for n columns, times --effort. Then "
        "the same\n"
        "seed gives the same network for any number of threads. A time limit "
        "or Ctrl-C\n"
        "ends it with the best network so far; candidate sets take at most "
        "half of the\n"
        "time.\n"
        "\n"
        "--ess and --pseudo belong to the score. Probabilities are shares as "
        "they are\n"
        "counted (maximum likelihood) unless --fit-pseudo or --fit-ess smooth "
        "them.\n"
        "Columns of numbers must be discretised first ('bestdag discretize').",
    .examples = examples,
    .run = run_learn,
    .lists = "scores parents solvers formats tables",
    .renamed = fit_renamed,
};
