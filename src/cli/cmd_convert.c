/* SPDX-License-Identifier: MIT */
/* cmd_convert.c -- bestdag convert: network formats and pictures. */
#include "cli.h"

static int run_convert(struct cli *cli)
{
    struct bestdag_network *network =
        bestdag_network_read(cli->run, cli->file[0]);
    if (network)
        write_network(cli, network);
    bestdag_network_free(network);
    return bestdag_run_status(cli->run);
}

static const char *const examples[] = {
    "bestdag convert net.bif -o net.xmlbif",
    "bestdag convert net.bif -o net.svg",
    "bestdag convert net.net -O modelstring",
    "bestdag convert net.uai.gz -o net.json.zst", NULL};

const struct cli_command command_convert = {
    .name = "convert",
    .summary = "convert between network formats; draw pictures",
    .arguments = "NET",
    .least = 1,
    .most = 1,
    .options = "time-limit memory-limit",
    .takes = TAKES_OUTPUT | TAKES_NETWORK_FORMAT | TAKES_JSON,
    .about = "Reads a network and writes it in the format of -O, or of the "
             "suffix of -o. Structure formats (modelstring, edges, dot) and "
             "pictures leave the probabilities out.",
    .common = "output output-format json quiet",
    .examples = examples,
    .run = run_convert,
    .lists = "formats",
};
