/* SPDX-License-Identifier: MIT */
/* cmd_explore.c -- bestdag explore: a network as a page that answers, opened in
 * the browser. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static int write_it(struct cli *cli, struct bestdag_network *network,
                    const char *page)
{
    const char *path = cli->file[0], *slash = strrchr(path, '/');
    char *line = command_line(cli);
    if (line)
        bestdag_network_note(cli->run, network, "command", line);
    free(line);
    if (strcmp(path, "-") != 0)
        bestdag_network_note(cli->run, network, "title",
                             slash ? slash + 1 : path);
    return bestdag_run_status(cli->run)
               ? bestdag_run_status(cli->run)
               : bestdag_network_report(cli->run, network, page);
}

/* Counts the rows of DATA behind the rows of the network's tables. */
static int count_rows(struct cli *cli, struct bestdag_network *network)
{
    struct bestdag_table *table =
        bestdag_table_read(cli->run, cli->file[1], cli->options);
    if (table)
        bestdag_network_count(cli->run, network, table);
    bestdag_table_free(table);
    return bestdag_run_status(cli->run);
}

static int run_explore(struct cli *cli)
{
    char page[PATH_MAX];
    struct bestdag_network *network =
        bestdag_network_read(cli->run, cli->file[0]);
    int status = bestdag_run_status(cli->run);
    if (!status && cli->files > 1)
        status = count_rows(cli, network);
    if (!status && !cli->output_given)
        status = make_page_path(cli, page);
    if (!status)
        status = write_it(cli, network, cli->output_given ? cli->output : page);
    bestdag_network_free(network);
    return status || cli->output_given ? status
                                       : open_in_browser(cli, page, stdout);
}

static const char *const examples[] = {
    "bestdag explore net.bif", "bestdag explore net.bif survey.csv -o net.html",
    "BROWSER=firefox bestdag explore net.json.gz", NULL};

const struct cli_command command_explore = {
    .name = "explore",
    .summary = "open a network in the browser, and ask it there",
    .arguments = "NET [DATA]",
    .least = 1,
    .most = 2,
    .options = "@table time-limit memory-limit",
    .takes = TAKES_PAGE,
    .about =
        "Writes one HTML page with the drawing of the network, its tables and "
        "the code that computes with them, and opens it in the browser: a "
        "click on a state sets evidence, a click with Shift an intervention, "
        "and all probabilities follow. The page needs no server and loads "
        "nothing. With DATA it shows how many rows of the data are behind each "
        "row of the tables.\n\nThe page is a file in a new folder of TMPDIR "
        "(or /tmp) "
        "and stays there; with -o it goes to FILE and is not opened. The "
        "browser is the command in the environment variable BROWSER, else "
        "xdg-open; where none can be started, the path is printed on standard "
        "output. 'bestdag learn --explore' does the same with a network that "
        "it has just learned.",
    .common = "output missing ignore quiet",
    .examples = examples,
    .run = run_explore,
    .lists = "tables",
};
