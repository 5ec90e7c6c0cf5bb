/* SPDX-License-Identifier: MIT */
/* cmd_sample.c -- bestdag sample: rows drawn from a network. */
#include <stdlib.h>

#include "cli.h"

static int run_sample(struct cli *cli)
{
    double rows = strtod(setting_text(cli, "rows"), NULL);
    struct bestdag_network *network =
        bestdag_network_read(cli->run, cli->file[0]);
    struct bestdag_table *table =
        bestdag_network_sample(cli->run, network, (int64_t)rows);
    int variables = bestdag_network_variables(network);
    bestdag_network_free(network);
    if (!cli->json || cli->output_given)
        write_table(cli, table);
    bestdag_table_free(table);
    if (bestdag_run_status(cli->run))
        return bestdag_run_status(cli->run);
    say(cli, "%.0f rows of %d variables, seed %s", rows, variables,
        setting_text(cli, "seed"));
    if (cli->json)
        printf("{\n  \"rows\": %.0f,\n  \"variables\": %d,\n  \"seed\": "
               "%.0f\n}\n",
               rows, variables, strtod(setting_text(cli, "seed"), NULL));
    return BESTDAG_OK;
}

static const char *const examples[] = {
    "bestdag sample net.bif -n 5000 -o rows.csv",
    "bestdag sample net.bif -n 1000000 --seed 7 -o rows.dat.zst", NULL};

const struct cli_command command_sample = {
    .name = "sample",
    .summary = "draw rows from a network",
    .arguments = "NET",
    .least = 1,
    .most = 1,
    .options = "@sample seed threads time-limit memory-limit",
    .takes = TAKES_OUTPUT | TAKES_TABLE_FORMAT | TAKES_JSON,
    .about = "Forward sampling: every variable is drawn after its parents. The "
             "same seed gives the same rows for any number of threads. NET "
             "needs probabilities; 'bestdag fit' estimates them.",
    .examples = examples,
    .run = run_sample,
    .lists = "tables",
};
