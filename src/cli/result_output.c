/* SPDX-License-Identifier: MIT */
/* result_output.c -- shared by solve and learn: checks the output format before
 * the work, and prints the result after it. */
#include <math.h>
#include <string.h>

#include "cli.h"

/* ---- before -------------------------------------------------------------- */

/* Is this one of "csv|edges"? */
static bool is_among(const char *suffixes, const char *word, size_t n)
{
    while (suffixes && *suffixes && n) {
        size_t length = strcspn(suffixes, "|");
        if (length == n && !strncmp(suffixes, word, n))
            return true;
        suffixes += length + (suffixes[length] == '|');
    }
    return false;
}

/* The suffix of a path without .gz or .zst: where it begins, and its length. */
static const char *suffix_of(const char *path, size_t *n)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t end = strlen(name);
    if (end > 3 && !strcmp(name + end - 3, ".gz"))
        end -= 3;
    else if (end > 4 && !strcmp(name + end - 4, ".zst"))
        end -= 4;
    size_t dot = end;
    while (dot > 0 && name[dot - 1] != '.')
        dot--;
    *n = dot > 1 ? end - dot : 0;
    return name + dot;
}

const struct bestdag_json *find_format(const struct bestdag_json *all,
                                       const char *name, const char *path)
{
    size_t n;
    const char *suffix = suffix_of(path, &n);
    for (int64_t i = 0; i < bestdag_json_count(all); i++) {
        const struct bestdag_json *row = bestdag_json_at(all, i);
        if (name ? !strcmp(text_of(row, "name"), name)
                 : is_among(text_of(row, "suffixes"), suffix, n))
            return row;
    }
    return NULL;
}

/* "edges, dot" */
static void list_formats(const struct bestdag_json *all, bool bare,
                         char to[256])
{
    size_t n = 0;
    to[0] = 0;
    for (int64_t i = 0; i < bestdag_json_count(all) && n < 256; i++) {
        const struct bestdag_json *row = bestdag_json_at(all, i);
        if (!bare || number_of(row, "needs_tables") < 1)
            n += (size_t)snprintf(to + n, 256 - n, "%s%s", n ? ", " : "",
                                  text_of(row, "name"));
    }
}

static int check_format(struct cli *cli, const struct bestdag_json *all,
                        bool bare)
{
    char known[256];
    const char *names[32];
    int count = 0;
    const struct bestdag_json *format =
        find_format(all, cli->format, cli->output);
    if (format && !(bare && number_of(format, "needs_tables") > 0))
        return BESTDAG_OK;
    list_formats(all, bare, known);
    if (format)
        return report_error(
            cli, BESTDAG_USAGE,
            "the format %s needs probabilities, and a score file "
            "has none: use learn, or write one of %s",
            text_of(format, "name"), known);
    if (!cli->format)
        return report_error(cli, BESTDAG_USAGE,
                            "%s: not the suffix of a network format; known: %s",
                            cli->output, known);
    for (; count < bestdag_json_count(all) && count < 32; count++)
        names[count] = text_of(bestdag_json_at(all, count), "name");
    const char *near = bestdag_name_nearest(cli->format, names, count);
    return report_error(cli, BESTDAG_USAGE,
                        "there is no network format '%s'%s%s%s", cli->format,
                        near ? ", did you mean '" : "; known: ",
                        near ? near : known, near ? "'?" : "");
}

int check_input(struct cli *cli, const char *suffixes, const char *hint)
{
    size_t n;
    const char *suffix = suffix_of(cli->file[0], &n);
    return is_among(suffixes, suffix, n)
               ? report_error(cli, BESTDAG_USAGE, "%s %s", cli->file[0], hint)
               : BESTDAG_OK;
}

int check_output(struct cli *cli, bool bare)
{
    size_t n;
    const char *certificate = setting_text(cli, "certificate");
    if (certificate)
        stat(certificate, &cli->old_certificate);
    if (cli->json && !cli->output_given)
        return BESTDAG_OK;
    suffix_of(cli->output, &n);
    if (!cli->format && (!strcmp(cli->output, "-") || !n))
        cli->format = bare ? "edges" : "bif";
    char *text = bestdag_list(cli->run, "formats");
    struct bestdag_json *all = bestdag_json_read(cli->run, text);
    bestdag_text_free(text);
    int status =
        all ? check_format(cli, all, bare) : bestdag_run_status(cli->run);
    bestdag_json_free(all);
    return status;
}

static bool has_numbers(const struct bestdag_table *table)
{
    double x;
    for (int c = 0; c < bestdag_table_columns(table); c++)
        if (bestdag_table_numbers(table, c, 0, 1, &x) == 1)
            return true;
    return false;
}

int check_numbers(struct cli *cli, const struct bestdag_table *table,
                  bool is_default)
{
    if (!table || (cli->json && !cli->output_given) || !has_numbers(table) ||
        setting_text(cli, "discretize"))
        return bestdag_run_status(cli->run);
    if (is_default && cli->format) {
        cli->format = "json";
        return BESTDAG_OK;
    }
    char *text = bestdag_list(cli->run, "formats");
    struct bestdag_json *all = bestdag_json_read(cli->run, text);
    const struct bestdag_json *format =
        find_format(all, cli->format, cli->output);
    int status = bestdag_run_status(cli->run);
    bestdag_text_free(text);
    if (!status && number_of(format, "holds_numbers") < 1)
        status =
            report_error(cli, BESTDAG_USAGE,
                         "the format %s cannot hold variables that are "
                         "numbers: write JSON (-o net.json), or a structure "
                         "format, or cut the numbers (--discretize)",
                         text_of(format, "name"));
    bestdag_json_free(all);
    return status;
}

/* ---- after --------------------------------------------------------------- */

/* A bound that leaves room for half of the score or more is not worth printing;
 * JSON has it. */
static bool is_idle(const struct bestdag_json *r, double room)
{
    return room >= 0.5 * fmax(fabs(number_of(r, "score")), 1);
}

/* "proved optimal over all parent sets", or the largest distance to the
 * optimum. */
static void say_proof(struct cli *cli, const struct bestdag_json *r)
{
    const char *status = text_of(r, "status"),
               *over = text_of(r, "proved_over");
    double room = number_of(r, "bound") - number_of(r, "score");
    bool is_global = number_of(r, "bound") >= number_of(r, "global_bound");
    const char *ending = !strcmp(status, "stopped") ? "stopped at a limit; "
                         : !strcmp(status, "interrupted") ? "interrupted; "
                                                          : "";
    int64_t warnings = bestdag_json_count(bestdag_json_get(r, "warnings"));
    if (!strcmp(status, "optimal"))
        say(cli, "proved optimal over %s%s%s",
            !strcmp(over, "candidate sets") ? "the " : "", over,
            warnings ? ", but the table is questionable: see the warnings above"
                     : "");
    else if (isnan(room))
        say(cli, "%snot proved optimal; no bound is known", ending);
    else if (is_idle(r, room))
        say(cli, "%snot proved optimal; no useful bound is known", ending);
    else
        say(cli,
            "%snot proved optimal; at most %.3f below the optimum over %s "
            "parent sets",
            ending, ceil(room * 1e3) / 1e3,
            is_global ? "all allowed" : "these");
}

/* The bound over all parent sets within max-parents and rules, unless say_proof
 * has printed it. */
static void say_rest(struct cli *cli, const struct bestdag_json *r)
{
    double room = number_of(r, "global_bound") - number_of(r, "score");
    bool is_proved = !strcmp(text_of(r, "status"), "optimal");
    if (is_proved || number_of(r, "global_bound") > number_of(r, "bound"))
        if (!isnan(room) && !is_idle(r, room))
            say(cli,
                "at most %.3f below the optimum over all allowed parent sets",
                ceil(room * 1e3) / 1e3);
}

static void say_score(struct cli *cli, const struct bestdag_json *r)
{
    const char *name = text_of(r, "score_name");
    double bound = number_of(r, "bound");
    if (isnan(bound))
        say(cli, "score%s%s %.6f", name ? " " : "", name ? name : "",
            number_of(r, "score"));
    else
        say(cli, "score%s%s %.6f, bound %.6f, gap %.3g %%", name ? " " : "",
            name ? name : "", number_of(r, "score"), bound,
            strcmp(text_of(r, "status"), "optimal") != 0
                ? 100 * number_of(r, "gap")
                : 0);
}

/* Notes that score, bound and proof refer to a completed table. */
static void say_em(struct cli *cli, const struct bestdag_json *em)
{
    if (!bestdag_json_count(em))
        return;
    if (!isnan(number_of(em, "observed_score")))
        say(cli,
            "structural EM: log-likelihood %.6f of the values that are there, "
            "less the penalty %.6f",
            number_of(em, "log_likelihood"), number_of(em, "observed_score"));
    say(cli,
        "%.0f completed tables from %.0f starts (best: %s)%s; score, bound and "
        "proof are of %s",
        number_of(em, "completed_tables"), number_of(em, "starts"),
        text_of(em, "start") ? text_of(em, "start") : "none",
        number_of(em, "converged") > 0 ? "" : ", not converged",
        text_of(em, "score_of"));
}

static void say_work(struct cli *cli, const struct bestdag_json *r)
{
    char a[64], b[64], c[32];
    const struct bestdag_json *seconds = bestdag_json_get(r, "seconds");
    double scoring = number_of(seconds, "score");
    if (!isnan(scoring))
        say(cli, "%s kept of %s scored by %s in %.2f s",
            counted(number_of(r, "parent_sets"), "parent set", a),
            grouped(number_of(r, "scores_computed"), c), text_of(r, "parents"),
            scoring);
    say(cli, "%s: %s, %s, %.2f s; %.2f s in total", text_of(r, "solver"),
        counted(number_of(r, "steps"), "step", a),
        counted(number_of(r, "restarts"), "restart", b),
        number_of(seconds, "solve"), number_of(seconds, "total"));
}

static void summarise(struct cli *cli, const struct bestdag_result *result,
                      const char *json)
{
    struct bestdag_json *r = bestdag_json_read(cli->run, json);
    if (r) {
        summarise_network(cli, bestdag_result_network(result));
        say_score(cli, r);
        say_proof(cli, r);
        say_rest(cli, r);
        say_em(cli, bestdag_json_get(r, "em"));
        say_strongest(cli, r);
        say_work(cli, r);
    }
    bestdag_json_free(r);
}

/* Failing to write a certificate does not discard the network; it is detected
 * here: there is no file, or still the old one. */
static bool lacks_certificate(const struct cli *cli)
{
    const char *path = setting_text(cli, "certificate");
    const struct stat *old = &cli->old_certificate;
    struct stat now;
    if (!path || !strcmp(path, "-"))
        return false;
    if (stat(path, &now))
        return true;
    return S_ISREG(now.st_mode) && now.st_ino == old->st_ino &&
           now.st_dev == old->st_dev && now.st_size == old->st_size &&
           now.st_mtim.tv_sec == old->st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == old->st_mtim.tv_nsec;
}

int show_answer(struct cli *cli, struct bestdag_result *result)
{
    char *json = bestdag_result_json(cli->run, result);
    if (json && !put_network(cli, bestdag_result_network(result)) &&
        !write_page(cli, result)) {
        bestdag_checkpoint_clear(cli->run, cli->options);
        summarise(cli, result, json);
    }
    if (cli->json && !bestdag_run_status(cli->run))
        print_json(cli, json);
    else
        bestdag_text_free(json);
    if (bestdag_run_status(cli->run))
        return bestdag_run_status(cli->run);
    if (lacks_certificate(cli))
        return report_error(cli, BESTDAG_FAILED,
                            "%s: the certificate was not written",
                            setting_text(cli, "certificate"));
    const char *required = setting_text(cli, "require-optimal");
    if (required && (!strcmp(required, "yes") || !strcmp(required, "true")) &&
        strcmp(bestdag_result_text(result, "status"), "optimal") != 0)
        return report_error(cli, BESTDAG_UNPROVED,
                            "the network is not proved optimal "
                            "(--require-optimal)");
    return BESTDAG_OK;
}
