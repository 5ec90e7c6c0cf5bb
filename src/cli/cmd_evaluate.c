/* SPDX-License-Identifier: MIT */
/* cmd_evaluate.c -- bestdag evaluate: how well a network fits a table. */
#include <math.h>

#include "cli.h"

static void print_scores(FILE *to, const struct bestdag_json *scores)
{
    for (int64_t i = 0; i < bestdag_json_count(scores); i++) {
        double x = bestdag_json_number(bestdag_json_at(scores, i));
        if (!isnan(x))
            fprintf(to, "score %-16s %.6f\n", bestdag_json_key(scores, i), x);
    }
}

static void print_report(struct cli *cli, FILE *to,
                         const struct bestdag_json *report)
{
    (void)cli;
    const struct bestdag_json *rows =
        bestdag_json_get(report, "row_log_likelihood");
    char a[32];
    double ll = number_of(report, "log_likelihood");
    fprintf(to, "rows                   %s\n",
            grouped(number_of(report, "rows"), a));
    if (isnan(ll))
        fprintf(to, "log-likelihood         minus infinity\n");
    else
        fprintf(to,
                "log-likelihood         %.6f\n"
                "log-likelihood per row %.6f\n",
                ll, number_of(report, "log_likelihood_per_row"));
    if (number_of(report, "zero_probability_rows") > 0)
        fprintf(to, "impossible rows        %s\n",
                grouped(number_of(report, "zero_probability_rows"), a));
    fprintf(to, "free parameters        %s\n",
            grouped(number_of(report, "free_parameters"), a));
    print_scores(to, bestdag_json_get(report, "scores"));
    for (int64_t i = 0; i < bestdag_json_count(rows); i++) {
        double x = bestdag_json_number(bestdag_json_at(rows, i));
        fprintf(to, "%lld %.10g\n", (long long)(i + 1),
                isnan(x) ? -INFINITY : x);
    }
}

static int run_evaluate(struct cli *cli)
{
    struct bestdag_network *network =
        bestdag_network_read(cli->run, cli->file[1]);
    struct bestdag_table *table =
        bestdag_table_read(cli->run, cli->file[0], cli->options);
    char *json =
        bestdag_network_evaluate(cli->run, network, table, cli->options);
    bestdag_table_free(table);
    bestdag_network_free(network);
    return show_report(cli, json, print_report);
}

static const char *const examples[] = {
    "bestdag evaluate test.csv fitted.bif",
    "bestdag evaluate test.csv fitted.bif --per-row -o rows.txt",
    "bestdag evaluate test.csv fitted.bif --json", NULL};

const struct cli_command command_evaluate = {
    .name = "evaluate",
    .summary = "compute log-likelihood and scores of a network on a table",
    .arguments = "DATA NET",
    .least = 2,
    .most = 2,
    .options =
        "@evaluate @inference score.ess score.pseudo pseudo-file prior alpha "
        "iss-mu iss-w structure-prior pnal-penalty "
        "@table threads time-limit memory-limit",
    .takes = TAKES_OUTPUT | TAKES_JSON,
    .about = "The log-likelihood (natural logarithm, higher is better) is the "
             "sum over rows of log P(row), with P from the network's tables. A "
             "row of probability 0 makes it minus infinity; such rows are "
             "counted. Missing values are summed out: the probability is "
             "that of the present values (--missing drop leaves such rows "
             "out). Columns and variables are matched by name, states by "
             "label.\n\nThe scores are those of the network's structure on "
             "this table: they rate what the table says about the arcs and do "
             "not use the network's own tables; a table with missing values "
             "has pnal alone. bde needs --prior.",
    .common = "per-row ess prior missing ignore output json",
    .examples = examples,
    .run = run_evaluate,
    .lists = "scores tables formats",
    .missing = "keep",
};
