/* SPDX-License-Identifier: MIT */
/* help.c -- bestdag help: the overview, a command's help, and what packagers
 * need: man pages and completion. */
#include <string.h>

#include "cli.h"

static int run_help(struct cli *cli)
{
    const char *what = cli->files ? cli->file[0] : NULL;
    if (!what) {
        print_overview(stdout);
        return BESTDAG_OK;
    }
    if (cli->files == 2 && !strcmp(what, "man"))
        return write_manuals(cli, cli->file[1]);
    if (cli->files == 2 && !strcmp(what, "completion"))
        return print_completion(cli, cli->file[1]);
    const struct command *asked = find_command(what);
    if (!asked || cli->files > 1)
        return complain(cli, BESTDAG_USAGE,
                        "no help on '%s'; 'bestdag help' lists the commands",
                        what);
    cli->command = asked;
    if (gather_settings(cli))
        return bestdag_run_status(cli->run);
    print_usage(cli, stdout);
    return BESTDAG_OK;
}

static const char *const examples[] = {
    "bestdag help fit", "bestdag help man /usr/local/share/man/man1",
    "bestdag help completion bash > ~/.bash_completion.d/bestdag", NULL};

const struct command command_help = {
    .name = "help",
    .summary = "explains a command",
    .arguments = "[COMMAND | man FOLDER | completion SHELL]",
    .most = 2,
    .options = "",
    .about = "Prints the help of a command. 'man' writes the man pages into a "
             "folder,\n"
             "'completion' prints completion for bash, zsh or fish; both are "
             "made from\n"
             "the same tables as the help and the parsing of options.",
    .examples = examples,
    .run = run_help,
};
