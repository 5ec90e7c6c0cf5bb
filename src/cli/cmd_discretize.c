/* SPDX-License-Identifier: MIT */
/* cmd_discretize.c -- bestdag discretize: turns numbers into states. */
#include <string.h>

#include "cli.h"

static bool is_changed(const struct bestdag_table *a,
                       const struct bestdag_table *b, int c)
{
    int states = bestdag_table_states(b, c);
    bool is_same = bestdag_table_states(a, c) == states;
    for (int s = 0; s < states && is_same; s++)
        is_same =
            !strcmp(bestdag_table_label(a, c, s), bestdag_table_label(b, c, s));
    return !is_same;
}

static void summarise(struct cli *cli, const struct bestdag_table *before,
                      const struct bestdag_table *after)
{
    int columns = bestdag_table_columns(after), changed = 0, numbers = 0;
    char a[64];
    for (int c = 0; c < columns; c++) {
        changed += is_changed(before, after, c);
        numbers += bestdag_table_states(after, c) == 0;
    }
    say(cli, "%d of %s discretised", changed, counted(columns, "column", a));
    if (numbers)
        say(cli, "%s of numbers or text left", counted(numbers, "column", a));
}

static int run_discretize(struct cli *cli)
{
    if (cli->json && setting_text(cli, "save-cuts"))
        return report_error(
            cli, BESTDAG_USAGE,
            "--json prints what --save-cuts would write: give one "
            "of them");
    if (cli->json)
        bestdag_options_set(cli->run, cli->options, "save-cuts", "-");
    struct bestdag_table *table =
        bestdag_table_read(cli->run, cli->file[0], cli->options);
    struct bestdag_table *result =
        bestdag_table_discretize(cli->run, table, cli->options);
    if (!cli->json || cli->output_given)
        write_table(cli, result);
    if (!bestdag_run_status(cli->run))
        summarise(cli, table, result);
    bestdag_table_free(result);
    bestdag_table_free(table);
    return bestdag_run_status(cli->run);
}

static const char *const examples[] = {
    "bestdag discretize iris.csv -o iris2.csv",
    "bestdag discretize a.csv --method quantile:4 --save-cuts c.json -o b.csv",
    "bestdag discretize d.csv --cuts c.json -o e.csv",
    "bestdag discretize iris.csv --method mdl --class species -o iris.dat",
    NULL};

const struct cli_command command_discretize = {
    .name = "discretize",
    .summary = "turn numeric columns into states, with reusable cut points",
    .arguments = "DATA",
    .least = 1,
    .most = 1,
    .options = "@discretize @table threads time-limit memory-limit",
    .takes = TAKES_OUTPUT | TAKES_TABLE_FORMAT | TAKES_JSON,
    .about =
        "Replaces numeric columns by columns of states, whose labels give the "
        "interval. Missing values stay missing. The cut points can be saved "
        "and applied to a second table, which then gets the same states. With "
        "--json the cut points are printed, and the table only goes to -o.",
    .common = "method columns class cuts save-cuts output output-format json "
              "ignore na decimal",
    .examples = examples,
    .run = run_discretize,
    .lists = "methods tables",
    .missing = "keep",
};
