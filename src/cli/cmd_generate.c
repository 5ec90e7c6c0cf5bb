/* SPDX-License-Identifier: MIT */
/* cmd_generate.c -- bestdag generate: a random network. */
#include "cli.h"

static int run_generate(struct cli *cli)
{
    struct bestdag_network *network =
        bestdag_network_generate(cli->run, cli->options);
    if (network)
        write_network(cli, network);
    bestdag_network_free(network);
    return bestdag_run_status(cli->run);
}

static const char *const examples[] = {
    "bestdag generate --variables 50 --max-parents 3 --states 2:4 -o net.bif",
    "bestdag generate --recipe nips2015 --variables 2000 --seed 3 -o "
    "net.bif.gz",
    NULL};

const struct cli_command command_generate = {
    .name = "generate",
    .summary = "generate a random network",
    .arguments = "",
    .options = "@generate seed threads time-limit memory-limit",
    .takes = TAKES_OUTPUT | TAKES_NETWORK_FORMAT | TAKES_JSON,
    .about = "Draws a structure and its tables at random: an order of the "
             "variables, the parents of each among its predecessors, and the "
             "rows of its table. The same seed gives the same network. The "
             "variables are X1, X2, ..., their states s1, s2, ...",
    .common = "variables max-parents states arcs concentration recipe seed "
              "output output-format json",
    .examples = examples,
    .run = run_generate,
    .lists = "formats",
};
