/* SPDX-License-Identifier: MIT */
/* cmd_query.c -- bestdag query: probabilities given evidence, from a network.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

enum {
    WIDEST = 32,   /* characters that names are aligned to */
    NUMBER = 8,    /* characters of a probability */
    MOST_BAR = 40, /* characters of a bar for probability 1 */
    LEAST_BAR = 8  /* shorter bars are left out */
};

/* ---- for people ---------------------------------------------------------- */

static int longer(int width, const char *text)
{
    int n = characters(text);
    return n > width && n <= WIDEST ? n : width;
}

static void put_padded(FILE *to, const char *text, int width)
{
    int n = characters(text);
    fprintf(to, "%s%*s", text, n < width ? width - n : 0, "");
}

/* "0.123456  ######"; `taken`: columns of the line so far. */
static void put_probability(FILE *to, double p, double error, int taken)
{
    int room = screen_width(STDOUT_FILENO) - taken - NUMBER - 2;
    if (p >= 1e-6 || !(p > 0))
        fprintf(to, "%*.6f", NUMBER, p);
    else
        fprintf(to, "%*.2e", NUMBER, p);
    if (!isnan(error)) {
        int n = fprintf(to, " +- %.6f", error);
        room -= n > 0 ? n : 0;
    }
    room = room < MOST_BAR ? room : MOST_BAR;
    int length = (int)floor(p * room + 0.5);
    if (room >= LEAST_BAR && length > 0)
        fputs("  ", to);
    for (int i = 0; room >= LEAST_BAR && i < length; i++)
        fputc('#', to);
    fputc('\n', to);
}

static void print_marginals(FILE *to, const struct bestdag_json *all,
                            const struct bestdag_json *errors)
{
    int name = 4, label = 3;
    for (int64_t i = 0; i < bestdag_json_count(all); i++) {
        const struct bestdag_json *one = bestdag_json_at(all, i);
        name = longer(name, bestdag_json_key(all, i));
        for (int64_t s = 0; s < bestdag_json_count(one); s++)
            label = longer(label, bestdag_json_key(one, s));
    }
    for (int64_t i = 0; i < bestdag_json_count(all); i++) {
        const struct bestdag_json *one = bestdag_json_at(all, i);
        const struct bestdag_json *error = bestdag_json_at(errors, i);
        for (int64_t s = 0; s < bestdag_json_count(one); s++) {
            put_padded(to, s ? "" : bestdag_json_key(all, i), name + 2);
            put_padded(to, bestdag_json_key(one, s), label + 2);
            put_probability(to, bestdag_json_number(bestdag_json_at(one, s)),
                            bestdag_json_number(bestdag_json_at(error, s)),
                            name + label + 4);
        }
    }
}

/* Width of each column of a joint table, and their sum. */
static int column_widths(const struct bestdag_json *joint, int *width)
{
    const struct bestdag_json *first =
        bestdag_json_get(bestdag_json_at(joint, 0), "states");
    int64_t columns = bestdag_json_count(first);
    int all = 0;
    for (int64_t c = 0; c < columns; c++) {
        width[c] = longer(3, bestdag_json_key(first, c));
        for (int64_t i = 0; i < bestdag_json_count(joint); i++)
            width[c] = longer(
                width[c],
                bestdag_json_text(bestdag_json_at(
                    bestdag_json_get(bestdag_json_at(joint, i), "states"), c)));
        all += width[c] + 2;
    }
    return all;
}

static void print_joint(FILE *to, const struct bestdag_json *joint)
{
    const struct bestdag_json *first =
        bestdag_json_get(bestdag_json_at(joint, 0), "states");
    int64_t columns = bestdag_json_count(first);
    int *width = calloc((size_t)columns + 1, sizeof *width);
    if (!width)
        return;
    int taken = column_widths(joint, width);
    for (int64_t c = 0; c < columns; c++)
        put_padded(to, bestdag_json_key(first, c), width[c] + 2);
    fputs("probability\n", to);
    for (int64_t i = 0; i < bestdag_json_count(joint); i++) {
        const struct bestdag_json *row = bestdag_json_at(joint, i);
        const struct bestdag_json *states = bestdag_json_get(row, "states");
        for (int64_t c = 0; c < columns; c++)
            put_padded(to, bestdag_json_text(bestdag_json_at(states, c)),
                       width[c] + 2);
        put_probability(to, number_of(row, "probability"),
                        number_of(row, "standard_error"), taken);
    }
    free(width);
}

/* States are texts, values of numbers are numbers. */
static void print_explained(FILE *to, const struct bestdag_json *all, int name)
{
    for (int64_t i = 0; i < bestdag_json_count(all); i++) {
        const struct bestdag_json *one = bestdag_json_at(all, i);
        const char *state = bestdag_json_text(one);
        fputs("  ", to);
        put_padded(to, bestdag_json_key(all, i), name + 2);
        if (state)
            fprintf(to, "%s\n", state);
        else
            fprintf(to, "%.6g\n", bestdag_json_number(one));
    }
}

static void print_explanations(FILE *to, const struct bestdag_json *list)
{
    for (int64_t k = 0; k < bestdag_json_count(list); k++) {
        const struct bestdag_json *one = bestdag_json_at(list, k);
        const struct bestdag_json *values = bestdag_json_get(one, "values");
        const struct bestdag_json *states = bestdag_json_get(one, "states");
        int name = 4;
        for (int64_t i = 0; i < bestdag_json_count(states); i++)
            name = longer(name, bestdag_json_key(states, i));
        for (int64_t i = 0; i < bestdag_json_count(values); i++)
            name = longer(name, bestdag_json_key(values, i));
        if (values)
            fprintf(to, "explanation %lld, log-density %.6f", (long long)k + 1,
                    number_of(one, "log_density"));
        else
            fprintf(to, "explanation %lld, probability %.6g", (long long)k + 1,
                    number_of(one, "probability"));
        if (!isnan(number_of(one, "standard_error")))
            fprintf(to, " +- %.2g", number_of(one, "standard_error"));
        fputc('\n', to);
        print_explained(to, states, name);
        print_explained(to, values, name);
    }
}

/* "x  mean 1.5  sd 0.25", with standard errors if they were sampled. */
static void print_numbers(FILE *to, const struct bestdag_json *all)
{
    int name = 4;
    for (int64_t i = 0; i < bestdag_json_count(all); i++)
        name = longer(name, bestdag_json_key(all, i));
    for (int64_t i = 0; i < bestdag_json_count(all); i++) {
        const struct bestdag_json *one = bestdag_json_at(all, i);
        double error[2] = {number_of(one, "mean_error"),
                           number_of(one, "sd_error")};
        put_padded(to, bestdag_json_key(all, i), name + 2);
        fprintf(to, "mean %-12.6g", number_of(one, "mean"));
        if (!isnan(error[0]))
            fprintf(to, " +- %-8.2g", error[0]);
        fprintf(to, "  sd %.6g", number_of(one, "sd"));
        if (!isnan(error[1]))
            fprintf(to, " +- %.2g", error[1]);
        fputc('\n', to);
    }
}

/* A square of numbers, under the names of the columns. */
static void print_covariances(FILE *to, const struct bestdag_json *all)
{
    enum { COLUMN = 14 };
    int name = 10;
    if (!all)
        return;
    for (int64_t i = 0; i < bestdag_json_count(all); i++)
        name = longer(name, bestdag_json_key(all, i));
    put_padded(to, "covariance", name + 2);
    for (int64_t i = 0; i < bestdag_json_count(all); i++)
        fprintf(to, "%*s", COLUMN, bestdag_json_key(all, i));
    fputc('\n', to);
    for (int64_t i = 0; i < bestdag_json_count(all); i++) {
        const struct bestdag_json *row = bestdag_json_at(all, i);
        put_padded(to, bestdag_json_key(all, i), name + 2);
        for (int64_t j = 0; j < bestdag_json_count(row); j++)
            fprintf(to, "%*.6g", COLUMN,
                    bestdag_json_number(bestdag_json_at(row, j)));
        fputc('\n', to);
    }
}

/* "P(evidence) 0.25", or a density if numbers are known. */
static void print_evidence(FILE *to, const struct bestdag_json *report)
{
    bool is_density = bestdag_json_get(report, "evidence_density") != NULL;
    double p = number_of(report, is_density ? "evidence_density"
                                            : "evidence_probability");
    const char *what = is_density ? "density of the evidence" : "P(evidence)";
    if (p > 0)
        fprintf(to, "%s %.6g", what, p);
    else /* too small for a double */
        fprintf(to, "%s exp(%.6f)", what,
                number_of(report, is_density ? "log_evidence_density"
                                             : "log_evidence_probability"));
}

static void print_report(struct cli *cli, FILE *to,
                         const struct bestdag_json *report)
{
    const struct bestdag_json *marginals =
        bestdag_json_get(report, "marginals");
    const struct bestdag_json *joint = bestdag_json_get(report, "joint");
    const struct bestdag_json *list = bestdag_json_get(report, "explanations");
    double size = number_of(report, "effective_sample_size");
    double error = number_of(report, "evidence_standard_error");
    (void)cli;
    print_evidence(to, report);
    if (!isnan(error))
        fprintf(to, " +- %.2g", error);
    fprintf(to, ", by %s", text_of(report, "method"));
    if (!isnan(size))
        fprintf(to, ", effective sample size %.0f", size);
    fputc('\n', to);
    print_marginals(to, marginals, bestdag_json_get(report, "standard_errors"));
    print_numbers(to, bestdag_json_get(report, "numbers"));
    print_covariances(to, bestdag_json_get(report, "covariances"));
    if (joint)
        print_joint(to, joint);
    print_explanations(to, list);
}

/* ---- for programs -------------------------------------------------------- */

/* A column of texts, in the order of their first rows. */
struct text_column {
    const char **label; /* owns the array */
    int *code;          /* owns; [rows] */
    int labels;
    int64_t rows;
};

static bool new_texts(struct text_column *c, int64_t rows)
{
    *c = (struct text_column){
        .label = calloc((size_t)rows + 1, sizeof *c->label),
        .code = calloc((size_t)rows + 1, sizeof *c->code)};
    return c->label && c->code;
}

static void add_text(struct text_column *c, const char *text)
{
    int i = 0;
    while (i < c->labels && strcmp(c->label[i], text) != 0)
        i++;
    if (i == c->labels)
        c->label[c->labels++] = text;
    c->code[c->rows++] = i;
}

static void free_texts(struct text_column *c)
{
    free(c->label);
    free(c->code);
}

static void put_texts(struct cli *cli, struct bestdag_table *to,
                      const char *name, const struct text_column *c)
{
    bestdag_table_add_codes(cli->run, to, name, c->code, sizeof *c->code,
                            c->labels, c->label);
}

static struct bestdag_table *out_of_memory(struct cli *cli)
{
    report_error(cli, BESTDAG_MEMORY, "out of memory");
    return NULL;
}

static int64_t count_states(const struct bestdag_json *marginals)
{
    int64_t all = 0;
    for (int64_t i = 0; i < bestdag_json_count(marginals); i++)
        all += bestdag_json_count(bestdag_json_at(marginals, i));
    return all;
}

/* variable, state, probability, and standard_error if there are errors: p has
 * room for both. */
static struct bestdag_table *fill_marginals(struct cli *cli,
                                            const struct bestdag_json *all,
                                            const struct bestdag_json *errors,
                                            struct text_column column[2],
                                            double *p)
{
    int64_t rows = count_states(all), at = 0;
    for (int64_t i = 0; i < bestdag_json_count(all); i++) {
        const struct bestdag_json *one = bestdag_json_at(all, i);
        const struct bestdag_json *error = bestdag_json_at(errors, i);
        for (int64_t s = 0; s < bestdag_json_count(one); s++) {
            add_text(&column[0], bestdag_json_key(all, i));
            add_text(&column[1], bestdag_json_key(one, s));
            p[rows + at] = bestdag_json_number(bestdag_json_at(error, s));
            p[at++] = bestdag_json_number(bestdag_json_at(one, s));
        }
    }
    struct bestdag_table *to = bestdag_table_new(cli->run, rows);
    put_texts(cli, to, "variable", &column[0]);
    put_texts(cli, to, "state", &column[1]);
    bestdag_table_add_numbers(cli->run, to, "probability", p);
    if (errors)
        bestdag_table_add_numbers(cli->run, to, "standard_error", p + rows);
    return to;
}

static struct bestdag_table *tabulate_marginals(
    struct cli *cli, const struct bestdag_json *all,
    const struct bestdag_json *errors)
{
    int64_t rows = count_states(all);
    struct text_column column[2];
    bool good = new_texts(&column[0], rows);
    good = new_texts(&column[1], rows) && good;
    double *p = calloc(2 * (size_t)rows + 1, sizeof *p);
    struct bestdag_table *to = good && p
                                   ? fill_marginals(cli, all, errors, column, p)
                                   : out_of_memory(cli);
    free_texts(&column[0]);
    free_texts(&column[1]);
    free(p);
    return to;
}

/* variable, mean, sd; for a covariance matrix, a column for each number. */
static struct bestdag_table *tabulate_numbers(struct cli *cli,
                                              const struct bestdag_json *all)
{
    int64_t rows = bestdag_json_count(all);
    const struct bestdag_json *first = bestdag_json_at(all, 0);
    struct text_column column;
    double *value = calloc((size_t)rows + 1, sizeof *value);
    if (!new_texts(&column, rows) || !value) {
        free(value);
        free_texts(&column);
        return out_of_memory(cli);
    }
    for (int64_t i = 0; i < rows; i++)
        add_text(&column, bestdag_json_key(all, i));
    struct bestdag_table *to = bestdag_table_new(cli->run, rows);
    put_texts(cli, to, "variable", &column);
    for (int64_t c = 0; c < bestdag_json_count(first); c++) {
        for (int64_t i = 0; i < rows; i++)
            value[i] = bestdag_json_number(
                bestdag_json_at(bestdag_json_at(all, i), c));
        bestdag_table_add_numbers(cli->run, to, bestdag_json_key(first, c),
                                  value);
    }
    free(value);
    free_texts(&column);
    return to;
}

/* The c-th variable's states in all rows of a list. */
static void add_states(struct cli *cli, struct bestdag_table *to,
                       const struct bestdag_json *list, int64_t c)
{
    struct text_column column;
    const char *name = NULL;
    if (new_texts(&column, bestdag_json_count(list))) {
        for (int64_t i = 0; i < bestdag_json_count(list); i++) {
            const struct bestdag_json *states =
                bestdag_json_get(bestdag_json_at(list, i), "states");
            name = bestdag_json_key(states, c);
            add_text(&column, bestdag_json_text(bestdag_json_at(states, c)));
        }
        put_texts(cli, to, name, &column);
    }
    free_texts(&column);
}

/* The c-th number's values in all rows of a list. */
static void add_values(struct cli *cli, struct bestdag_table *to,
                       const struct bestdag_json *list, int64_t c,
                       double *value)
{
    const char *name = NULL;
    for (int64_t i = 0; i < bestdag_json_count(list); i++) {
        const struct bestdag_json *values =
            bestdag_json_get(bestdag_json_at(list, i), "values");
        name = bestdag_json_key(values, c);
        value[i] = bestdag_json_number(bestdag_json_at(values, c));
    }
    bestdag_table_add_numbers(cli->run, to, name, value);
}

/* Adds a field of all rows of a list, unless the first row lacks it. */
static void add_field(struct cli *cli, struct bestdag_table *to,
                      const struct bestdag_json *list, const char *key,
                      double *value)
{
    if (!bestdag_json_get(bestdag_json_at(list, 0), key))
        return;
    for (int64_t i = 0; i < bestdag_json_count(list); i++)
        value[i] = number_of(bestdag_json_at(list, i), key);
    bestdag_table_add_numbers(cli->run, to, key, value);
}

/* A column for each variable, and the probability or density: of a joint table,
 * or of explanations. */
static struct bestdag_table *tabulate_states(struct cli *cli,
                                             const struct bestdag_json *list)
{
    int64_t rows = bestdag_json_count(list);
    const struct bestdag_json *first = bestdag_json_at(list, 0);
    double *value = calloc((size_t)rows + 1, sizeof *value);
    if (!value)
        return out_of_memory(cli);
    struct bestdag_table *to = bestdag_table_new(cli->run, rows);
    int64_t states = bestdag_json_count(bestdag_json_get(first, "states"));
    int64_t values = bestdag_json_count(bestdag_json_get(first, "values"));
    for (int64_t c = 0; c < states; c++)
        add_states(cli, to, list, c);
    for (int64_t c = 0; c < values; c++)
        add_values(cli, to, list, c, value);
    add_field(cli, to, list, "probability", value);
    add_field(cli, to, list, "standard_error", value);
    add_field(cli, to, list, "log_density", value);
    free(value);
    return to;
}

static int write_answer(struct cli *cli, const char *json)
{
    struct bestdag_json *report = bestdag_json_read(cli->run, json);
    const struct bestdag_json *marginals =
        bestdag_json_get(report, "marginals");
    const struct bestdag_json *joint = bestdag_json_get(report, "joint");
    const struct bestdag_json *list = bestdag_json_get(report, "explanations");
    struct bestdag_table *table = NULL;
    if (!report)
        return bestdag_run_status(cli->run);
    if (list && (marginals || joint)) {
        bestdag_json_free(report);
        return report_error(cli, BESTDAG_USAGE,
                            "a table holds either targets or explanations: ask "
                            "for one of them, or use --json");
    }
    const struct bestdag_json *numbers = bestdag_json_get(report, "numbers");
    const struct bestdag_json *square = bestdag_json_get(report, "covariances");
    if (marginals && numbers) {
        bestdag_json_free(report);
        return report_error(
            cli, BESTDAG_USAGE,
            "a table holds either states or numbers: ask for one "
            "kind of targets, or use --json");
    }
    table =
        square || numbers ? tabulate_numbers(cli, square ? square : numbers)
        : marginals
            ? tabulate_marginals(cli, marginals,
                                 bestdag_json_get(report, "standard_errors"))
            : tabulate_states(cli, joint ? joint : list);
    bestdag_json_free(report);
    int status = table ? write_table(cli, table) : BESTDAG_MEMORY;
    bestdag_table_free(table);
    return status;
}

/* ---- the command --------------------------------------------------------- */

static int answer(struct cli *cli, const struct bestdag_network *network,
                  const char *text)
{
    char *json = bestdag_network_query(cli->run, network, text, cli->options);
    bool is_written = cli->output_given || (cli->format && !cli->json);
    int status = bestdag_run_status(cli->run);
    if (json && is_written)
        status = write_answer(cli, json);
    if (!json || status || (is_written && !cli->json)) {
        bestdag_text_free(json);
        return status;
    }
    return cli->json ? print_json(cli, json)
                     : show_report(cli, json, print_report);
}

/* Answers the query for every row of a table of evidence. */
static int answer_rows(struct cli *cli, const struct bestdag_network *network,
                       const char *text, const char *path)
{
    struct bestdag_table *rows =
        network ? bestdag_table_read(cli->run, path, cli->options) : NULL;
    char a[64];
    if (rows && (!cli->json || cli->output_given) &&
        !bestdag_network_query_write(cli->run, network, text, rows, cli->format,
                                     cli->output, cli->options))
        say(cli, "%s answered",
            counted((double)bestdag_table_rows(rows), "row", a));
    if (rows && cli->json && !bestdag_run_status(cli->run))
        bestdag_network_query_write(cli->run, network, text, rows, "json", "-",
                                    cli->options);
    bestdag_table_free(rows);
    return bestdag_run_status(cli->run);
}

static int run_query(struct cli *cli)
{
    const char *path = setting_text(cli, "evidence");
    const char *text = cli->files > 1 ? cli->file[1] : "";
    struct bestdag_network *network =
        bestdag_network_read(cli->run, cli->file[0]);
    int status = bestdag_run_status(cli->run);
    if (!status)
        status = path ? answer_rows(cli, network, text, path)
                      : answer(cli, network, text);
    bestdag_network_free(network);
    return status;
}

static const char *const examples[] = {
    "bestdag query net.bif 'aground, lifeboat | fog=yes, lamp=dark'",
    "bestdag query net.bif '| season in winter spring' -O csv",
    "bestdag query net.bif 'aground | do(lamp=lit), fog=yes' --json",
    "bestdag query net.bif '| aground=yes' --mpe --best 3",
    "bestdag query net.bif aground --evidence rows.csv -o answers.csv",
    NULL};

const struct cli_command command_query = {
    .name = "query",
    .summary = "probabilities of some variables given others",
    .arguments = "NET [QUERY]",
    .least = 1,
    .most = 2,
    .options = "@query @inference @table threads seed time-limit memory-limit",
    .takes = TAKES_OUTPUT | TAKES_ANSWER_FORMAT | TAKES_JSON,
    .about =
        "QUERY is 'TARGETS | EVIDENCE': names of variables, separated by "
        "commas, and what is known, separated by commas. Without targets it is "
        "about all variables. Evidence is a state (fog=yes), several possible "
        "states (season in winter spring), the likelihood of each state (horn "
        "~ 0.2 0.8), the value of a number (age=37.5), or an intervention, "
        "do(lamp=lit), which cuts the arcs into the variable. Several items "
        "about one variable hold together. "
        "Names and states with blanks or with one of , | ; = ~ ( ) stand in "
        "double quotes; a quote inside is doubled.\n\nThe answer comes with "
        "the probability of the evidence and the method that found it. "
        "Impossible evidence is an error (exit code 4) that names items which "
        "exclude each other, no more than needed. -O and -o write a table for "
        "programs; with --evidence it has a row for each row of the file.",
    .common = "joint do mpe map best evidence output output-format json "
              "threads",
    .examples = examples,
    .run = run_query,
    .lists = "tables formats",
    .missing = "keep",
};
