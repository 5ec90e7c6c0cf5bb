/* SPDX-License-Identifier: MIT */
/* cmd_verify.c -- bestdag verify: checks a certificate. */
#include <math.h>
#include <string.h>

#include "cli.h"

static void print_rules(FILE *to, const struct bestdag_json *rules,
                        const char *what)
{
    for (int64_t i = 0; i < bestdag_json_count(rules); i++) {
        const struct bestdag_json *rule = bestdag_json_at(rules, i);
        fprintf(to, "%s:%.0f: %s: %s\n", text_of(rule, "file"),
                number_of(rule, "line"), what, text_of(rule, "rule"));
    }
}

static void print_network(FILE *to, const struct bestdag_json *report)
{
    const struct bestdag_json *net = bestdag_json_get(report, "network");
    fprintf(to, "network                %s, %s%s\n",
            number_of(net, "acyclic") > 0 ? "no cycle" : "has a cycle",
            number_of(net, "in_lists") > 0 ? "every family in its list"
                                           : "not all families in their lists",
            number_of(net, "obeys_rules") > 0 ? "" : ", breaks a rule");
    if (!isnan(number_of(report, "score")))
        fprintf(to, "score                  %.6f\n",
                number_of(report, "score"));
}

static void print_bound(FILE *to, const struct bestdag_json *report)
{
    double bound = number_of(report, "bound");
    double gap = number_of(report, "gap");
    if (isnan(bound)) {
        fprintf(to, "bound                  not proved\n");
        return;
    }
    fprintf(to, "bound                  %.6f, proved\n", bound);
    if (!isnan(gap))
        fprintf(to, "gap                    %.4g %%\n", 100 * gap);
    fprintf(to, "over                   %s\n", text_of(report, "proved_over"));
    fprintf(to, "                       %s\n", text_of(report, "basis"));
}

static void print_report(struct cli *cli, FILE *to,
                         const struct bestdag_json *report)
{
    const struct bestdag_json *rules = bestdag_json_get(report, "rules");
    const char *status = text_of(report, "status");
    (void)cli;
    print_network(to, report);
    print_bound(to, report);
    print_rules(to, bestdag_json_get(rules, "not_used"),
                "not used: the bound holds, but may be weaker");
    print_rules(to, bestdag_json_get(rules, "not_checked"),
                "not checked whether the network obeys it");
    if (!strcmp(status, "optimal"))
        fprintf(to, "proved optimal\n");
    else if (!strcmp(status, "bounded"))
        fprintf(to, "the bound is proved; the network may not be optimal\n");
    else
        fprintf(to, "refused\n");
}

/* Prints the reason if the certificate is refused. Returns the exit code. */
static int report_refusal(struct cli *cli, const char *json)
{
    struct bestdag_json *report = bestdag_json_read(cli->run, json);
    const char *reason = text_of(report, "reason");
    int status = reason ? report_error(cli, BESTDAG_UNPROVED, "%s", reason)
                        : bestdag_run_status(cli->run);
    bestdag_json_free(report);
    return status;
}

static int run_verify(struct cli *cli)
{
    int status = check_input(cli, "csv|tsv|tab|txt|data|dat|arff",
                             "is a table: the arguments of verify are SCORES "
                             "NET CERT, and --data names the table");
    if (status)
        return status;
    char *json = bestdag_verify(cli->run, cli->file[0], cli->file[1],
                                cli->file[2], cli->options);
    if (!json)
        return bestdag_run_status(cli->run);
    status = report_refusal(cli, json);
    int shown = show_report(cli, json, print_report);
    return shown ? shown : status;
}

static const char *const examples[] = {
    "bestdag verify survey.jkl best.csv survey.cert",
    "bestdag verify survey.jkl best.csv survey.cert --data survey.csv",
    "bestdag verify survey.jkl net.bif survey.cert.gz --constraints "
    "expert.rules",
    NULL};

const struct cli_command command_verify = {
    .name = "verify",
    .summary = "check a certificate that a network is optimal",
    .arguments = "SCORES NET CERT",
    .least = 3,
    .most = 3,
    .options = "@verify @table time-limit memory-limit",
    .takes = TAKES_OUTPUT | TAKES_JSON,
    .about =
        "Reads candidate parent sets (.jkl), a network over them and a "
        "certificate, and checks in integer arithmetic, with code that shares "
        "nothing with the solvers, that the network is acyclic, that its "
        "families are in the lists, and that no network over the lists scores "
        "above the bound that the certificate claims. Exit code 0: the "
        "certificate proves its claim about the network; 5: it does not; 3: a "
        "file cannot be read.\n\nWhat the lists themselves leave out is stated "
        "in SCORES.json; with --data the scores are recomputed and "
        "completeness is checked, as far as --families allows. A rule that "
        "verify cannot use is reported: the bound holds without it.",
    .common = "data constraints families missing ignore output json time-limit "
              "memory-limit",
    .examples = examples,
    .run = run_verify,
    .lists = "tables formats",
};
