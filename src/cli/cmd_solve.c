/* SPDX-License-Identifier: MIT */
/* cmd_solve.c -- bestdag solve: from candidate parent sets to a structure. */
#include "cli.h"

static int run_solve(struct cli *cli)
{
    int status = check_input(cli, "csv|tsv|tab|txt|data|dat|arff",
                             "is a table: use learn, or run score first");
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
    .summary = "find the best network over candidate parent sets",
    .arguments = "SCORES",
    .least = 1,
    .most = 1,
    .options = "@solve threads seed time-limit effort memory-limit gap",
    .takes = TAKES_OUTPUT | TAKES_RULES | TAKES_STRUCTURE_FORMAT |
             TAKES_REPORT | TAKES_JSON,
    .about =
        "Selects one parent set per variable from SCORES (.jkl, also .gz and "
        ".zst) such that there is no cycle and the sum of the scores is as "
        "high as can be found. Stops when it is done, at a limit, or on "
        "Ctrl-C, and always writes the best network so far. Reports the score, "
        "an upper bound on the score of any network over these sets, and the "
        "gap between the two; a network is called optimal only if that is "
        "proved.\n\nA score file has neither states nor rows, so the result is "
        "a structure only: a list of arcs (CSV) unless -o or -O select another "
        "format. BIF, NET and UAI cannot hold it; 'bestdag fit' adds "
        "probabilities, 'bestdag learn' does everything in one run.",
    .common = "output output-format report json solver set start constraints "
              "require-optimal certificate time-limit effort gap memory-limit "
              "threads seed",
    .examples = examples,
    .run = run_solve,
    .lists = "solvers formats",
};
