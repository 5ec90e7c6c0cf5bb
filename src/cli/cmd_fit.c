/* SPDX-License-Identifier: MIT */
/* cmd_fit.c -- bestdag fit: parameters for a given structure. */
#include "cli.h"

static int run_fit(struct cli *cli)
{
    struct bestdag_network *structure =
        bestdag_network_read(cli->run, cli->file[1]);
    struct bestdag_table *table =
        bestdag_table_read_by_rank(cli->run, cli->file[0], cli->options);
    struct bestdag_network *network =
        table ? bestdag_network_fit_under(cli->run, structure, table,
                                          cli->rules, cli->options)
              : NULL; /* an error, or this rank has counted for rank 0 */
    bestdag_table_free(table);
    bestdag_network_free(structure);
    if (network)
        write_network(cli, network);
    bestdag_network_free(network);
    return bestdag_run_status(cli->run);
}

static const char *const examples[] = {
    "bestdag fit rows.csv structure.bif -o fitted.bif",
    "bestdag fit rows.csv arcs.csv --pseudo 1 -o fitted.json",
    "bestdag fit rows.csv structure.bif --constraints expert.rules",
    "bestdag fit holes.csv structure.bif --missing em -o fitted.bif",
    "echo '[a][b|a]' > s.modelstring && bestdag fit rows.csv s.modelstring",
    NULL};

const struct cli_command command_fit = {
    .name = "fit",
    .summary = "estimate the parameters of a given structure",
    .arguments = "DATA NET",
    .least = 2,
    .most = 2,
    .options = "@fit @em @table threads seed time-limit memory-limit",
    .takes = TAKES_OUTPUT | TAKES_PARAMETER_RULES | TAKES_NETWORK_FORMAT |
             TAKES_JSON | TAKES_AVAILABLE | TAKES_EM,
    .about =
        "Estimates the probabilities of every variable given its parents in "
        "NET from the rows of DATA, smoothed by one imaginary row spread "
        "evenly "
        "over each table, so that no new row is impossible. --ess or --pseudo "
        "set another amount; --ess 0 gives relative frequencies (maximum "
        "likelihood). Columns and variables are matched "
        "by name, states by label; other columns are ignored, as are "
        "probabilities that NET may have. A parent configuration that never "
        "occurs in DATA gets uniform probabilities; how many did is "
        "reported.\n\nRows with a missing value are dropped by default. "
        "--missing em uses all that DATA has: expectation-maximisation, by "
        "exact inference, from several starts; --missing available estimates "
        "each table from the rows that have its variables.\n\nConstraints on "
        "probabilities (--constraints) are obeyed: "
        "the result maximises the likelihood of the counts, with what --pseudo "
        "or --ess adds to them, among the parameters that satisfy them.",
    .common = "ess pseudo constraints missing ignore output output-format json",
    .examples = examples,
    .run = run_fit,
    .lists = "formats tables",
};
