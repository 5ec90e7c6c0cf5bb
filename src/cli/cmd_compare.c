/* SPDX-License-Identifier: MIT */
/* cmd_compare.c -- bestdag compare: distances between two structures. */
#include <math.h>

#include "cli.h"

static void print_rates(FILE *to, const char *what,
                        const struct bestdag_json *rates)
{
    fprintf(to, "%-22s precision %.4f, recall %.4f, F1 %.4f\n", what,
            number_of(rates, "precision"), number_of(rates, "recall"),
            number_of(rates, "f1"));
}

static void print_report(struct cli *cli, FILE *to,
                         const struct bestdag_json *report)
{
    char a[64];
    (void)cli;
    fprintf(to,
            "SHD of the DAGs        %.0f\nSHD of the CPDAGs      %.0f\n"
            "equivalent             %s\n",
            number_of(report, "shd_dag"), number_of(report, "shd_cpdag"),
            number_of(report, "equivalent") > 0 ? "yes" : "no");
    print_rates(to, "skeleton", bestdag_json_get(report, "skeleton"));
    print_rates(to, "arcs", bestdag_json_get(report, "arcs"));
    fprintf(to, "moral graphs differ in %s\n",
            counted(number_of(report, "moral_hamming"), "edge", a));
}

static int run_compare(struct cli *cli)
{
    struct bestdag_network *truth =
        bestdag_network_read(cli->run, cli->file[0]);
    struct bestdag_network *learned =
        bestdag_network_read(cli->run, cli->file[1]);
    char *json = bestdag_network_compare(cli->run, truth, learned);
    bestdag_network_free(truth);
    bestdag_network_free(learned);
    return show_report(cli, json, print_report);
}

static const char *const examples[] = {
    "bestdag compare truth.bif learned.bif",
    "bestdag compare truth.bif arcs.csv --json", NULL};

const struct cli_command command_compare = {
    .name = "compare",
    .summary = "compare the structures of two networks",
    .arguments = "TRUTH LEARNED",
    .least = 2,
    .most = 2,
    .options = "time-limit memory-limit",
    .takes = TAKES_OUTPUT | TAKES_JSON,
    .about = "Compares the structures of two networks over the same variables, "
             "which are matched by name. Data cannot distinguish networks of "
             "one equivalence class: if shd_cpdag is 0, no learner could do "
             "better. --json has all measures.",
    .common = "output json",
    .examples = examples,
    .run = run_compare,
    .lists = "measures",
};
