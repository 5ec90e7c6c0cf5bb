/* SPDX-License-Identifier: MIT */
/* cmd_cpdag.c -- bestdag cpdag: the equivalence class of a network. */
#include "cli.h"

static void print_arcs(FILE *to, const struct bestdag_json *list,
                       const char *sign)
{
    for (int64_t i = 0; i < bestdag_json_count(list); i++) {
        const struct bestdag_json *arc = bestdag_json_at(list, i);
        fprintf(to, "  %s %s %s\n", bestdag_json_text(bestdag_json_at(arc, 0)),
                sign, bestdag_json_text(bestdag_json_at(arc, 1)));
    }
}

static void print_report(struct cli *cli, FILE *to,
                         const struct bestdag_json *report)
{
    (void)cli;
    const struct bestdag_json *compelled =
        bestdag_json_get(report, "compelled");
    const struct bestdag_json *reversible =
        bestdag_json_get(report, "reversible");
    char a[64];
    fprintf(to, "%s\n",
            counted((double)bestdag_json_count(compelled), "compelled arc", a));
    print_arcs(to, compelled, "->");
    fprintf(
        to, "%s\n",
        counted((double)bestdag_json_count(reversible), "reversible arc", a));
    print_arcs(to, reversible, "--");
    const struct bestdag_json *ignored =
        bestdag_json_get(report, "reversible_ignores");
    if (bestdag_json_count(ignored) && bestdag_json_count(reversible))
        fprintf(to, "not considered: %s\n",
                counted((double)bestdag_json_count(ignored), "rule", a));
}

static int run_cpdag(struct cli *cli)
{
    struct bestdag_network *network =
        bestdag_network_read(cli->run, cli->file[0]);
    char *json = bestdag_network_class_under(cli->run, network, cli->rules);
    bool is_written = cli->output_given || (cli->format && !cli->json);
    if (is_written)
        bestdag_network_write_class_under(cli->run, network, cli->rules,
                                          cli->format, cli->output);
    bestdag_network_free(network);
    if (cli->json)
        return print_json(cli, json);
    if (!is_written)
        return show_report(cli, json, print_report);
    bestdag_text_free(json);
    return bestdag_run_status(cli->run);
}

static const char *const examples[] = {
    "bestdag cpdag net.bif",
    "bestdag cpdag net.bif -o class.svg",
    "bestdag cpdag net.bif -O edges",
    "bestdag cpdag net.bif --json",
    "bestdag cpdag net.bif --constraints expert.rules",
    NULL};

const struct cli_command command_cpdag = {
    .name = "cpdag",
    .summary = "compute the equivalence class: compelled and reversible arcs",
    .arguments = "NET",
    .least = 1,
    .most = 1,
    .options = "time-limit memory-limit",
    .takes = TAKES_OUTPUT | TAKES_CLASS_FORMAT | TAKES_JSON | TAKES_RULES,
    .about =
        "Networks with the same skeleton (adjacent pairs) and the same "
        "v-structures (children of two parents that are not adjacent) encode "
        "the same independences: data cannot distinguish the members of this "
        "equivalence class. An arc is compelled if it points the same way in "
        "all of them, otherwise reversible. -o or -O write the graph of the "
        "class (CPDAG), with reversible arcs undirected. Under constraints, "
        "which NET must obey, only members that obey those on arcs, tiers and "
        "orders count; other constraints are ignored.",
    .examples = examples,
    .run = run_cpdag,
};
