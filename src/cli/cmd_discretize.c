/* SPDX-License-Identifier: MIT */
/* cmd_discretize.c -- bestdag discretize: numbers become states. */
#include <string.h>

#include "cli.h"

static int count_numbers(const struct bestdag_table *t)
{
    int count = 0;
    for (int c = 0; c < bestdag_table_columns(t); c++)
        count += bestdag_table_states(t, c) == 0;
    return count;
}

static int run_discretize(struct cli *cli)
{
    if (!strcmp(setting_text(cli, "missing"), "drop"))
        bestdag_options_set(cli->run, cli->options, "missing", "keep");
    if (cli->json)
        bestdag_options_set(cli->run, cli->options, "save-cuts", "-");
    struct bestdag_table *table =
        bestdag_table_read(cli->run, cli->file[0], cli->options);
    struct bestdag_table *result =
        bestdag_table_discretize(cli->run, table, cli->options);
    if (!cli->json || cli->output_given)
        write_table(cli, result);
    if (!bestdag_run_status(cli->run))
        say(cli, "%d columns of numbers before, %d now", count_numbers(table),
            count_numbers(result));
    bestdag_table_free(result);
    bestdag_table_free(table);
    return bestdag_run_status(cli->run);
}

static const char *const examples[] = {
    "bestdag discretize iris.csv -o iris2.csv",
    "bestdag discretize a.csv --method quantile:4 --save-cuts cuts.json -o "
    "a4.csv",
    "bestdag discretize b.csv --cuts cuts.json -o b4.csv",
    "bestdag discretize iris.csv --method mdl --class class -o iris.dat", NULL};

const struct command command_discretize = {
    .name = "discretize",
    .summary = "turns numbers into states, with cut points to use again",
    .arguments = "DATA",
    .least = 1,
    .most = 1,
    .options = "@discretize @table threads time-limit memory-limit",
    .takes = TAKES_OUTPUT | TAKES_FORMAT | TAKES_JSON,
    .about = "Replaces columns of numbers by columns of states. The labels "
             "tell the\n"
             "interval. Missing values stay missing. With --json the cut "
             "points are\n"
             "printed, and the table only goes to -o.",
    .examples = examples,
    .run = run_discretize,
    .list = "methods",
};
