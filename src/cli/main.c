/* SPDX-License-Identifier: MIT */
/* main.c -- the command `bestdag`: finds the subcommand and runs it. A new
 * command is a file in this folder and a row here. */
#include <stdlib.h>
#include <string.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "cli.h"

/* In the order of a typical workflow; the overview prints them so. */
#define COMMANDS(ROW)                                                          \
    ROW(check)                                                                 \
    ROW(discretize)                                                            \
    ROW(learn)                                                                 \
    ROW(score)                                                                 \
    ROW(solve)                                                                 \
    ROW(bootstrap)                                                             \
    ROW(verify)                                                                \
    ROW(fit)                                                                   \
    ROW(query)                                                                 \
    ROW(impute)                                                                \
    ROW(explore)                                                               \
    ROW(evaluate)                                                              \
    ROW(compare)                                                               \
    ROW(effect)                                                                \
    ROW(relate)                                                                \
    ROW(cpdag)                                                                 \
    ROW(classify)                                                              \
    ROW(sample)                                                                \
    ROW(generate)                                                              \
    ROW(convert)                                                               \
    ROW(list)                                                                  \
    ROW(help)
#define DECLARE(name) extern const struct cli_command command_##name;
#define ENTRY(name) &command_##name,
COMMANDS(DECLARE)
const struct cli_command *const commands[] = {COMMANDS(ENTRY) NULL};

const struct cli_command *find_command(const char *name)
{
    for (int i = 0; commands[i]; i++)
        if (!strcmp(commands[i]->name, name))
            return commands[i];
    return NULL;
}

/* ---- running ------------------------------------------------------------ */

static int print_version(struct cli *cli, bool verbose)
{
    printf("bestdag %s\n", bestdag_version());
    if (!verbose)
        return BESTDAG_OK;
    char *text = bestdag_list(cli->run, "features");
    struct bestdag_json *list = bestdag_json_read(cli->run, text);
    for (int64_t i = 0; i < bestdag_json_count(list); i++) {
        const struct bestdag_json *row = bestdag_json_at(list, i);
        printf("  %-10s %-4s %s\n", text_of(row, "name"),
               number_of(row, "present") > 0 ? "yes" : "no",
               text_of(row, "help"));
    }
    bestdag_json_free(list);
    bestdag_text_free(text);
    return bestdag_run_status(cli->run);
}

int unknown_command(struct cli *cli, const char *name)
{
    const char *names[64];
    int count = 0;
    for (; commands[count]; count++)
        names[count] = commands[count]->name;
    const char *near = bestdag_name_nearest(name, names, count);
    if (near)
        return report_error(cli, BESTDAG_USAGE,
                            "unknown command '%s', did you mean '%s'?", name,
                            near);
    return report_error(cli, BESTDAG_USAGE,
                        "unknown command '%s'; 'bestdag help' lists them",
                        name);
}

/* Under a memory limit, freed memory is returned to the system instead of kept
 * in fragments: the limit is on resident memory. */
static void give_back_memory(const struct cli *cli)
{
    if (!setting_text(cli, "memory-limit"))
        return;
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, 32 << 10);
    mallopt(M_TRIM_THRESHOLD, 128 << 10);
#endif
}

static int run_command(struct cli *cli, int count, char **arguments)
{
    if (gather_settings(cli))
        return bestdag_run_status(cli->run);
    int status = parse_arguments(cli, count, arguments);
    bool is_about_another = cli->files && !strcmp(cli->command->name, "help");
    if (cli->help && !is_about_another) {
        print_usage(cli, stdout);
        return BESTDAG_OK;
    }
    if (status)
        return status;
    give_back_memory(cli);
    status = read_rules(cli);
    if (signal_caught()) /* clearing an error has cleared the stop */
        bestdag_run_stop(cli->run);
    return status ? status : cli->command->run(cli);
}

static int dispatch(struct cli *cli, int count, char **arguments)
{
    const char *name = count > 1 ? arguments[1] : NULL;
    if (!name) {
        print_overview(stderr);
        return BESTDAG_USAGE;
    }
    if (!strcmp(name, "--version") || !strcmp(name, "-V"))
        return print_version(cli, count > 2 && !strcmp(arguments[2], "-v"));
    if (!strcmp(name, "--help") || !strcmp(name, "-h") ||
        !strcmp(name, "--help-all")) {
        print_overview(stdout);
        return BESTDAG_OK;
    }
    cli->command = find_command(name);
    if (!cli->command)
        return unknown_command(cli, name);
    return run_command(cli, count - 2, arguments + 2);
}

/* Of several ranks only the first prints. */
static void discard_output(void)
{
    if (!freopen("/dev/null", "w", stdout) ||
        !freopen("/dev/null", "w", stderr)) {
        fclose(stdout);
        fclose(stderr);
    }
}

int main(int count, char **arguments)
{
    struct cli cli = {.run = bestdag_run_new(),
                      .output = "-",
                      .word = arguments,
                      .words = count};
    if (!cli.run)
        return report_error(&cli, BESTDAG_MEMORY, "out of memory");
    bestdag_run_own_process(cli.run);
    catch_signals(cli.run); /* also those that come while MPI starts, */
    bestdag_run_launch(cli.run);
    catch_signals(cli.run); /* since MPICH takes SIGUSR1 for itself */
    if (bestdag_run_rank(cli.run))
        discard_output();
    int status = bestdag_run_status(cli.run);
    if (!status)
        status = dispatch(&cli, count, arguments);
    clear_line(&cli);
    if (bestdag_run_status(cli.run))
        status = report_error(&cli, bestdag_run_status(cli.run), "%s",
                              bestdag_run_error(cli.run));
    if ((fflush(stdout) || ferror(stdout)) && !status)
        status =
            report_error(&cli, BESTDAG_FAILED, "cannot write standard output");
    if (cli.log && fclose(cli.log) && !status)
        status = report_error(&cli, BESTDAG_FAILED, "cannot write the log");
    free(cli.named_file);
    bestdag_options_free(cli.options);
    bestdag_rules_free(cli.rules);
    free(cli.rule);
    bestdag_json_free(cli.table);
    status = signal_caught() ? 128 + signal_caught() : status;
    status = bestdag_run_land(cli.run, status);
    bestdag_run_free(cli.run);
    return status;
}
