/* SPDX-License-Identifier: MIT */
/* cmd_impute.c -- bestdag impute: fills the missing cells of a table. */
#include <string.h>

#include "cli.h"

/* Numbers stay as they are written if they are read as states. */
static int keep_spelling(struct cli *cli)
{
    for (int i = 0; i < cli->settings; i++)
        if (cli->setting[i].given && !strcmp(cli->setting[i].key, "max-states"))
            return BESTDAG_OK;
    return bestdag_options_set(cli->run, cli->options, "max-states", "65534");
}

/* On standard output the table has the format of DATA. */
static int write_alike(struct cli *cli, const struct bestdag_table *table)
{
    char *text = bestdag_list(cli->run, "tables");
    struct bestdag_json *all = bestdag_json_read(cli->run, text);
    const struct bestdag_json *format = find_format(all, NULL, cli->file[0]);
    if (!cli->format && !cli->output_given && format)
        cli->format = text_of(format, "name");
    int status = write_table(cli, table);
    cli->format = NULL;
    bestdag_json_free(all);
    bestdag_text_free(text);
    return status;
}

static int run_impute(struct cli *cli)
{
    char a[64];
    if (keep_spelling(cli))
        return bestdag_run_status(cli->run);
    struct bestdag_network *network =
        bestdag_network_read(cli->run, cli->file[1]);
    struct bestdag_table *table =
        network ? bestdag_table_read(cli->run, cli->file[0], cli->options)
                : NULL;
    struct bestdag_table *result =
        table ? bestdag_network_impute(cli->run, network, table, cli->options)
              : NULL;
    if (result && !write_alike(cli, result))
        say(cli, "%s written",
            counted((double)bestdag_table_rows(result), "row", a));
    bestdag_table_free(result);
    bestdag_table_free(table);
    bestdag_network_free(network);
    return bestdag_run_status(cli->run);
}

static const char *const examples[] = {
    "bestdag impute holes.csv net.bif -o full.csv",
    "bestdag impute holes.csv net.bif --tables 20 --seed 7 -o draws.csv",
    "bestdag impute holes.csv net.bif --probabilities", NULL};

const struct cli_command command_impute = {
    .name = "impute",
    .summary = "fill the missing cells of a table from a network",
    .arguments = "DATA NET",
    .least = 2,
    .most = 2,
    .options = "@impute @inference @table threads seed time-limit memory-limit",
    .takes = TAKES_OUTPUT | TAKES_TABLE_FORMAT,
    .about =
        "The present cells of a row are evidence; the missing ones get "
        "their most probable states, all of a row together (--fill joint), "
        "each alone (--fill cells), or are drawn from their distribution given "
        "the row (--fill draws, --tables M). Present cells are written as they "
        "were read, also those of columns that the network does not have. "
        "Values that the network does not know are kept, and are not used as "
        "evidence. A row of probability 0 is not "
        "filled, and such rows are counted.\n\nA table that is filled once "
        "looks more certain than it is: for standard errors, estimate on each "
        "of several drawn tables, and add the spread between them. The same "
        "seed gives the same table for any number of threads.",
    .common = "fill tables probabilities output output-format na ignore seed "
              "threads",
    .examples = examples,
    .run = run_impute,
    .lists = "tables formats",
    .missing = "keep",
};
