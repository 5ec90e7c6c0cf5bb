/* SPDX-License-Identifier: MIT */
/* cmd_solve.c -- bestdag solve: from candidate parent sets to a structure. */
#include "cli.h"

static int run_solve(struct cli *cli)
{
    int status = check_input(cli, "csv|tsv|tab|txt|data|dat|arff",
                             "is a table: use learn, or score it first");
    if (!status)
        status = check_output(cli, true);
    if (status)
        return status;
    struct bestdag_sets *sets = bestdag_sets_read(cli->run, cli->file[0]);
    struct bestdag_result *result =
        bestdag_solve(cli->run, sets, cli->rules, cli->options);
    bestdag_sets_free(sets);
    status = result ? show_answer(cli, result) : bestdag_run_status(cli->run);
    bestdag_result_free(result);
    return status;
}

static const char *const examples[] = {
    "bestdag solve survey.jkl",
    "bestdag solve survey.jkl -t 1m -o best.csv",
    "bestdag solve survey.jkl --solver orders --set steps=1000000 --json",
    "bestdag solve survey.jkl --start best.csv -t 10m -o better.modelstring",
    "bestdag solve survey.jkl -q | bestdag fit survey.csv - -o net.bif",
    NULL};

const struct cli_command command_solve = {
    .name = "solve",
    .summary = "the best network over candidate parent sets",
    .arguments = "SCORES",
    .least = 1,
    .most = 1,
    .options = "@solve threads seed time-limit effort memory-limit gap",
    .takes = TAKES_OUTPUT | TAKES_RULES | TAKES_STRUCTURE_FORMAT |
             TAKES_REPORT | TAKES_JSON,
    .about = "Chooses one parent set for each variable from SCORES (.jkl, also "
             ".gz and .zst)\n"
             "so that no cycle arises and the sum of the scores is as high as "
             "can be found.\n"
             "It ends by itself, at a limit, or with Ctrl-C, and always writes "
             "the best\n"
             "network so far. With it come a bound, above which no network "
             "over these sets\n"
             "can score, and the gap between the two; only a network that "
             "reaches the bound\n"
             "is called optimal.\n"
             "\n"
             "A score file knows neither states nor rows, so the result is a "
             "bare structure:\n"
             "a list of arcs (CSV) unless -o or -O say otherwise. BIF, NET and "
             "UAI cannot\n"
             "hold it; 'bestdag fit' gives it probabilities, 'bestdag learn' "
             "does all in one.",
    .examples = examples,
    .run = run_solve,
    .lists = "solvers formats",
};
