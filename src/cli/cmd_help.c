/* SPDX-License-Identifier: MIT */
/* cmd_help.c -- bestdag help: the overview, a command's help, man pages
 * and completion. */
#include <string.h>

#include "cli.h"

static int run_help(struct cli *cli)
{
    const char *what = cli->files ? cli->file[0] : NULL;
    if (!what) {
        print_overview(stdout);
        return BESTDAG_OK;
    }
    bool man = !strcmp(what, "man"), completion = !strcmp(what, "completion");
    if (man || completion) {
        if (cli->files < 2)
            return report_error(
                cli, BESTDAG_USAGE, "an argument is missing: bestdag help %s",
                man ? "man FOLDER" : "completion bash|zsh|fish");
        return man ? write_manuals(cli, cli->file[1])
                   : print_completion(cli, cli->file[1]);
    }
    const struct cli_command *asked = find_command(what);
    if (!asked)
        return unknown_command(cli, what);
    if (cli->files > 1)
        return report_error(cli, BESTDAG_USAGE, "unexpected argument '%s'",
                            cli->file[1]);
    cli->command = asked;
    if (gather_settings(cli))
        return bestdag_run_status(cli->run);
    print_usage(cli, stdout);
    return BESTDAG_OK;
}

static const char *const examples[] = {
    "bestdag help fit", "bestdag help man /usr/local/share/man/man1",
    "bestdag help completion bash > bestdag.bash; . ./bestdag.bash", NULL};

const struct cli_command command_help = {
    .name = "help",
    .summary = "explain a command",
    .arguments = "[COMMAND | man FOLDER | completion SHELL]",
    .most = 2,
    .options = "",
    .about = "Prints the help of a command, as COMMAND --help does. 'man' "
             "writes the man pages to a folder; 'completion' prints a "
             "completion script for bash, zsh or fish. Both are generated from "
             "the tables that define the options.",
    .examples = examples,
    .run = run_help,
};
