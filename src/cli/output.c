/* SPDX-License-Identifier: MIT */
/* output.c -- what commands print: reports, JSON, networks, tables. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* Prints into memory first: a file is written whole or not at all. */
static int write_report(struct cli *cli, const struct bestdag_json *report,
                        report_fn *print)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return report_error(cli, BESTDAG_MEMORY, "out of memory");
    print(cli, to, report);
    bool broken = ferror(to) != 0;
    broken |= fclose(to) != 0;
    int status = broken ? report_error(cli, BESTDAG_MEMORY, "out of memory")
                        : bestdag_text_write(cli->run, text, cli->output);
    free(text);
    return status;
}

int show_report(struct cli *cli, char *json, report_fn *print)
{
    int status = bestdag_run_status(cli->run);
    if (!cli->json || cli->output_given) {
        struct bestdag_json *report = bestdag_json_read(cli->run, json);
        bestdag_json_tidy(report); /* no control characters on a terminal */
        status = report ? write_report(cli, report, print)
                        : bestdag_run_status(cli->run);
        bestdag_json_free(report);
    }
    if (cli->json && !status)
        return print_json(cli, json);
    bestdag_text_free(json);
    return status;
}

int print_json(struct cli *cli, char *json)
{
    if (json)
        bestdag_text_write(cli->run, json, "-");
    bestdag_text_free(json);
    return bestdag_run_status(cli->run);
}

double number_of(const struct bestdag_json *object, const char *key)
{
    return bestdag_json_number(bestdag_json_get(object, key));
}

const char *text_of(const struct bestdag_json *object, const char *key)
{
    return bestdag_json_text(bestdag_json_get(object, key));
}

int characters(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

const char *text_at(const struct bestdag_json *list, int64_t i)
{
    return bestdag_json_text(bestdag_json_at(list, i));
}

const char *grouped(double value, char to[32])
{
    char digits[32];
    int n = snprintf(digits, sizeof digits, "%.0f", fabs(value));
    char *out = to;
    if (value < 0)
        *out++ = '-';
    for (int i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = 0;
    return to;
}

const char *counted(double value, const char *noun, char to[64])
{
    char number[32];
    snprintf(to, 64, "%s %s%s", grouped(value, number), noun,
             value == 1 ? "" : "s"); /* NOLINT: a whole number */
    return to;
}

void summarise_network(struct cli *cli, const struct bestdag_network *network)
{
    char a[64], b[64], c[64], d[64];
    char *description = bestdag_network_describe(cli->run, network);
    struct bestdag_json *n = bestdag_json_read(cli->run, description);
    bool is_fitted = number_of(n, "fitted") > 0;
    bestdag_text_free(description);
    if (n)
        say(cli, "%s, %s, at most %s%s%s",
            counted(number_of(n, "variables"), "variable", a),
            counted(number_of(n, "arcs"), "arc", b),
            counted(number_of(n, "most_parents"), "parent", c),
            is_fitted ? ", " : "; no probabilities",
            is_fitted
                ? counted(number_of(n, "free_parameters"), "free parameter", d)
                : "");
    bestdag_json_free(n);
}

int put_network(struct cli *cli, const struct bestdag_network *network)
{
    if (cli->json && !cli->output_given)
        return bestdag_run_status(cli->run);
    if (cli->format)
        return bestdag_network_write_as(cli->run, network, cli->format,
                                        cli->output);
    return bestdag_network_write(cli->run, network, cli->output);
}

int write_network(struct cli *cli, const struct bestdag_network *network)
{
    if (put_network(cli, network))
        return bestdag_run_status(cli->run);
    summarise_network(cli, network);
    return cli->json
               ? print_json(cli, bestdag_network_describe(cli->run, network))
               : bestdag_run_status(cli->run);
}

int write_table(struct cli *cli, const struct bestdag_table *table)
{
    if (cli->format)
        return bestdag_table_write_as(cli->run, table, cli->format,
                                      cli->output);
    return bestdag_table_write(cli->run, table, cli->output);
}
