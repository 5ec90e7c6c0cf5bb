/* SPDX-License-Identifier: MIT */
/* cmd_score.c -- bestdag score: from a table to candidate parent sets. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* Finished variables are stored in OUTPUT.part until all sets are written, or
 * in the folder of --checkpoint, from which a run always resumes. */
static int set_part(struct cli *cli)
{
    char *path = NULL;
    size_t size = 0;
    const char *folder = setting_text(cli, "checkpoint");
    if (setting_text(cli, "part") || (!folder && !strcmp(cli->output, "-")))
        return BESTDAG_OK;
    if (folder)
        bestdag_options_set(cli->run, cli->options, "resume", "yes");
    FILE *to = open_memstream(&path, &size);
    if (!to)
        return report_error(cli, BESTDAG_MEMORY, "out of memory");
    if (folder)
        fprintf(to, "%s/sets.part", folder);
    else
        fprintf(to, "%s.part", cli->output);
    if (fclose(to)) {
        free(path);
        return report_error(cli, BESTDAG_MEMORY, "out of memory");
    }
    int status = bestdag_options_set(cli->run, cli->options, "part", path);
    free(path);
    return status;
}

static void summarise(struct cli *cli, const char *description)
{
    char a[32], b[32], c[32];
    struct bestdag_json *d = bestdag_json_read(cli->run, description);
    if (!d)
        return; /* out of memory: the run holds the error */
    const char *proved = text_of(d, "proved_over");
    double n = number_of(d, "variables");
    say(cli, "%s sets kept of %s scored for %s variables (%s, %s), %.2f s",
        grouped(number_of(d, "parent_sets"), a),
        grouped(number_of(d, "scores_computed"), b), grouped(n, c),
        text_of(d, "score_name"), text_of(d, "parents"),
        number_of(bestdag_json_get(d, "seconds"), "score"));
    if (proved)
        say(cli, "complete over %s", proved);
    else
        say(cli, "not complete: %s of %s lists are complete; %s",
            grouped(number_of(d, "complete_variables"), a), grouped(n, b),
            text_of(d, "status"));
    if (!proved && strcmp(text_of(d, "status"), "heuristic") != 0 &&
        cli->output_given)
        say(cli, "--resume continues with the unfinished variables");
    bestdag_json_free(d);
}

static int show(struct cli *cli, char *description)
{
    if (!bestdag_run_status(cli->run))
        summarise(cli, description);
    if (cli->json)
        return print_json(cli, description);
    bestdag_text_free(description);
    return bestdag_run_status(cli->run);
}

static int run_score(struct cli *cli)
{
    if (set_part(cli))
        return bestdag_run_status(cli->run);
    struct bestdag_table *table =
        bestdag_table_read_by_rank(cli->run, cli->file[0], cli->options);
    if (!table) /* an error, or this rank has counted for rank 0 */
        return bestdag_run_status(cli->run);
    struct bestdag_sets *sets =
        bestdag_sets_find(cli->run, table, cli->rules, cli->options);
    bestdag_table_free(table);
    if (sets && (!cli->json || cli->output_given))
        if (!bestdag_sets_write(cli->run, sets, cli->output, cli->options))
            bestdag_checkpoint_clear(cli->run, cli->options);
    char *description = sets ? bestdag_sets_describe(cli->run, sets) : NULL;
    bestdag_sets_free(sets);
    return show(cli, description);
}

static const char *const examples[] = {
    "bestdag score survey.csv -o survey.jkl",
    "bestdag score survey.csv --score bdeu --ess 10 --max-parents 3 -o "
    "s.jkl.gz",
    "bestdag score genes.csv --parents independence --time-per-variable 1s "
    "-o g.jkl",
    "bestdag score genes.csv -o g.jkl --resume", NULL};

const struct cli_command command_score = {
    .name = "score",
    .summary = "score candidate parent sets of every variable",
    .arguments = "DATA",
    .least = 1,
    .most = 1,
    .options = "@score @parents @sets @table checkpoint threads seed "
               "time-limit effort memory-limit",
    .takes = TAKES_OUTPUT | TAKES_RULES | TAKES_JSON | TAKES_AVAILABLE,
    .about =
        "Scores parent sets of every variable and keeps those that can be in "
        "an optimal network: sets that score no better than one of their "
        "subsets are dominated and pruned. The output is a .jkl file, as "
        "GOBNILP, BLIP and others read; what that format cannot express "
        "(score, rows, limits, which lists are complete) is in "
        "FILE.jkl.json.\n\nDuring the run, finished variables are stored in "
        "FILE.part; after a crash, --resume continues from there. A time limit "
        "or Ctrl-C ends the run early with the sets found so far. Scores are "
        "natural logarithms, higher is better. Constant columns get no arcs.",
    .common =
        "output score ess max-parents parents candidates time-per-variable "
        "constraints missing ignore resume time-limit effort threads json",
    .examples = examples,
    .run = run_score,
    .lists = "scores parents",
};
