/* SPDX-License-Identifier: MIT */
/* cmd_list.c -- bestdag list: the choices of the library. */
#include <string.h>

#include "cli.h"

static int print_all(struct cli *cli)
{
    char *text = bestdag_list(cli->run, "lists");
    struct bestdag_json *lists = bestdag_json_read(cli->run, text);
    bestdag_text_free(text);
    for (int64_t i = 0; i < bestdag_json_count(lists); i++) {
        const struct bestdag_json *row = bestdag_json_at(lists, i);
        const char *name = text_of(row, "name");
        if (!strcmp(name, "lists") || !strcmp(name, "options"))
            continue;
        printf("%s%s: %s\n", i ? "\n" : "", name, text_of(row, "help"));
        print_list(cli, stdout, name);
    }
    bestdag_json_free(lists);
    printf("\n'bestdag list options' shows every option.\n");
    return bestdag_run_status(cli->run);
}

static int run_list(struct cli *cli)
{
    const char *what = cli->files ? cli->file[0] : NULL;
    if (cli->json)
        return print_json(cli, bestdag_list(cli->run, what ? what : "lists"));
    if (!what)
        return print_all(cli);
    if (!print_list(cli, stdout, what) && cli->verbose &&
        !strcmp(what, "solvers"))
        print_solver_settings(cli, stdout, NULL);
    return bestdag_run_status(cli->run);
}

static const char *const examples[] = {"bestdag list", "bestdag list formats",
                                       "bestdag list solvers -v",
                                       "bestdag list options --json", NULL};

const struct cli_command command_list = {
    .name = "list",
    .summary = "list scores, solvers, formats, methods and options",
    .arguments = "[WHAT]",
    .most = 1,
    .options = "",
    .takes = TAKES_JSON,
    .about = "Prints the library's lists of choices; with -v also the settings "
             "of the solvers (--set) and the kinds of rules that each "
             "supports. Without WHAT, prints all lists except the options.",
    .examples = examples,
    .run = run_list,
    .lists = "lists",
};
