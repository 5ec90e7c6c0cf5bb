/* SPDX-License-Identifier: MIT */
/* verify.c -- checks a network and a certificate against a score file, with
 * code that shares nothing with the search: its own readers of score files,
 * rules and certificates, whole numbers, its own counting.
 *
 * Input that cannot be read is an error (BESTDAG_INPUT). A claim that can be
 * read but does not hold is not: the report states it, with the reason. */
#include "verify/verify.h"

#include <stdio.h>
#include <string.h>

#include "base/sha256.h"
#include "base/text.h"

static const struct bestdag_option option_rows[] = {
    {"constraints", BESTDAG_FILES, .value = "FILE",
     .help = "rules under which the network was learned; can be repeated"},
    {"data", BESTDAG_FILE, .value = "DATA",
     .help = "table that was scored; the listed scores are recomputed, and the "
             "lists are checked for completeness"},
    {"families", BESTDAG_INTEGER, "1000000", 0, 9e15, .value = "N",
     .help = "with --data: score at most this many families; what could not be "
             "checked is reported"},
    {0}};
const struct bestdag_option_group bestdag_verify_options = {"verify",
                                                            option_rows};

static void refuse(struct verification *x, const char *format, ...)
    BESTDAG_PRINTF(2, 3);

/* Keeps the first reason only. */
static void refuse(struct verification *x, const char *format, ...)
{
    va_list list;
    if (x->reason[0])
        return;
    va_start(list, format);
    vsnprintf(x->reason, sizeof x->reason, format, list);
    va_end(list);
    bestdag_text_tidy(x->reason);
}

/* ---- rules --------------------------------------------------------------- */

/* One path per line. */
static int read_rules(struct verification *x, const char *paths)
{
    int status = BESTDAG_OK;
    while (paths && *paths && !status) {
        size_t n = strcspn(paths, "\n");
        char *path = bestdag_strndup(x->run, paths, n);
        status = path ? bestdag_rulebook_read(&x->book, path) : BESTDAG_MEMORY;
        bestdag_free(path);
        paths += n + (paths[n] == '\n');
    }
    return status;
}

/* The sidecar has the text of the rules, or its hash if it is long. */
static int compare_rules(struct verification *x)
{
    const char *noted = bestdag_verify_sidecar_note(&x->sidecar, "rules");
    struct bestdag_sha256 sha;
    char hex[BESTDAG_SHA256_HEX], hashed[BESTDAG_SHA256_HEX + 64];
    char *text = bestdag_rulebook_text(&x->book);
    if (!text)
        return BESTDAG_MEMORY;
    bestdag_sha256_init(&sha);
    bestdag_sha256_update(&sha, text, strlen(text));
    bestdag_sha256_hex(&sha, hex);
    snprintf(hashed, sizeof hashed, "%d rules, sha256 %s", x->book.count, hex);
    x->same_rules = noted && (!strcmp(text, noted) || !strcmp(hashed, noted));
    x->other_rules = noted && !x->same_rules;
    bestdag_free(text);
    return BESTDAG_OK;
}

/* Is any variable before another? */
static bool has_order(const struct verify_deduction *x)
{
    for (size_t i = 0; i < (size_t)x->n * x->words; i++)
        if (x->before[i])
            return true;
    return false;
}

static int take_rules(struct verification *x)
{
    const char *paths =
        bestdag_option_value(x->options, &bestdag_verify_options, "constraints")
            .text;
    x->book.run = x->run;
    x->book.lists = x->lists;
    int status = read_rules(x, paths);
    if (!status)
        status = compare_rules(x);
    if (status || !x->book.count)
        return status;
    status = bestdag_deduction_make(&x->book, x->lists, &x->deduction);
    if (!status && x->deduction.impossible)
        status = bestdag_fail(x->run, BESTDAG_INFEASIBLE,
                              "no network satisfies the rules");
    if (!status && has_order(&x->deduction)) {
        x->proof.before = x->deduction.before;
        x->proof.row_words = x->deduction.words;
    }
    return status;
}

/* ---- the network --------------------------------------------------------- */

static int check_network(struct verification *x)
{
    bool cyclic = false;
    if (bestdag_kernel_cyclic(x->run, &x->network, NULL, 0, &cyclic))
        return BESTDAG_MEMORY;
    x->acyclic = !cyclic;
    x->obeys = true;
    if (cyclic)
        refuse(x, "the network has a cycle");
    else if (bestdag_rulebook_check(&x->book, &x->network))
        return bestdag_run_status(x->run);
    for (int i = 0; i < x->book.count; i++) {
        const struct verify_rule *m = &x->book.rule[i];
        if (!m->broken)
            continue;
        x->obeys = false;
        refuse(x, "the network breaks %.100s:%d: %.300s", m->file, m->line,
               m->text);
    }
    return BESTDAG_OK;
}

static void rate_network(struct verification *x)
{
    char why[200] = "";
    bestdag_kernel_rate(x->lists, &x->network, why);
    if (!x->network.listed)
        refuse(x, "%s", why);
}

/* ---- the certificate ----------------------------------------------------- */

static int check_certificate(struct verification *x, const char *path)
{
    x->proof.run = x->run;
    x->proof.lists = x->lists;
    struct bestdag_source *from = bestdag_source_open(x->run, path);
    if (!from)
        return bestdag_run_status(x->run);
    int status = bestdag_proof_check(&x->proof, from);
    bestdag_source_close(from);
    if (!status && x->proof.refused)
        refuse(x, "%s", x->proof.reason);
    return status;
}

/* ---- the table ----------------------------------------------------------- */

/* Can the lists be checked for completeness? Records why not. */
static bool can_exhaust(struct verification *x)
{
    const char *why = NULL;
    if (!x->sidecar.complete)
        why = "the lists are not stated to be complete";
    else if (x->other_rules)
        why = "the lists were made under rules that were not given";
    else if (x->same_rules &&
             (bestdag_rulebook_obliges(&x->book) || x->deduction.clauses))
        why = "the lists were made under rules that do more than forbid arcs "
              "and limit their number";
    if (why)
        snprintf(x->recount.skipped, sizeof x->recount.skipped, "%s", why);
    return !why;
}

static bool rules_about_chances(const struct verify_rulebook *book)
{
    for (int i = 0; i < book->count; i++)
        if (book->rule[i].kind == VERIFY_RULE_CHANCE)
            return true;
    return false;
}

static int recount(struct verification *x, const struct bestdag_table *table)
{
    struct verify_recount *r = &x->recount;
    struct verify_reach reach = {.limit = x->sidecar.limit};
    r->run = x->run;
    r->lists = x->lists;
    r->budget =
        bestdag_option_value(x->options, &bestdag_verify_options, "families")
            .integer;
    x->has_data = true;
    int status = bestdag_recount_start(r, &x->sidecar, table);
    if (status)
        return status;
    if (r->formula == VERIFY_FORMULA_NONE ||
        (x->same_rules && rules_about_chances(&x->book))) {
        snprintf(r->skipped, sizeof r->skipped,
                 r->score ? "scores of this kind (%.60s) cannot be checked "
                            "here"
                          : "no file beside the lists says what score they "
                            "have",
                 r->score ? r->score : "");
        r->formula = VERIFY_FORMULA_NONE;
        return BESTDAG_OK;
    }
    if (!r->wrong[0])
        status = bestdag_recount_lists(r);
    if (!status && !r->wrong[0] && r->checked == x->lists->sets &&
        can_exhaust(x)) {
        if (x->same_rules) {
            reach.allowed = x->deduction.allowed;
            reach.most = x->deduction.most;
        }
        status = bestdag_recount_completeness(r, &reach);
    }
    return status;
}

static int check_data(struct verification *x)
{
    const char *path =
        bestdag_option_value(x->options, &bestdag_verify_options, "data").text;
    if (!path)
        return BESTDAG_OK;
    struct bestdag_table *table = bestdag_table_read(x->run, path, x->options);
    int status = table ? recount(x, table) : bestdag_run_status(x->run);
    bestdag_table_free(table);
    if (!status && x->recount.wrong[0])
        refuse(x, "%s", x->recount.wrong);
    return status;
}

/* ---- the whole ----------------------------------------------------------- */

static int check(struct verification *x, const char *scores,
                 const char *network, const char *certificate)
{
    struct bestdag_source *from = bestdag_source_open(x->run, scores);
    x->lists = from ? bestdag_lists_read(x->run, from) : NULL;
    bestdag_source_close(from);
    if (!x->lists ||
        bestdag_verify_sidecar_read(x->run, scores, x->lists, &x->sidecar))
        return bestdag_run_status(x->run);
    struct bestdag_network *net = bestdag_network_read(x->run, network);
    int status = net ? bestdag_kernel_take(x->run, x->lists, net, &x->network)
                     : bestdag_run_status(x->run);
    bestdag_network_free(net);
    if (!status)
        status = take_rules(x);
    if (!status)
        status = bestdag_lists_rate(x->run, x->lists, scores);
    if (!status)
        status = check_certificate(x, certificate);
    if (!status)
        status = check_network(x);
    if (!status)
        rate_network(x);
    if (!status)
        status = check_data(x);
    return status ? status
                  : bestdag_kernel_conclude(&x->proof, &x->network,
                                            !x->reason[0], &x->verdict);
}

static void release(struct verification *x)
{
    bestdag_recount_release(&x->recount);
    bestdag_proof_release(&x->proof);
    bestdag_deduction_release(&x->deduction);
    bestdag_rulebook_release(&x->book);
    bestdag_verify_sidecar_release(&x->sidecar);
    bestdag_lists_free(x->lists);
    bestdag_kernel_release(&x->network);
}

char *bestdag_verify(struct bestdag_run *run, const char *scores,
                     const char *network, const char *certificate,
                     const struct bestdag_options *options)
{
    char *report = NULL;
    if (bestdag_lacks(run, scores, "score file") ||
        bestdag_lacks(run, network, "network") ||
        bestdag_lacks(run, certificate, "certificate"))
        return NULL;
    struct verification *x = bestdag_calloc(run, 1, sizeof *x);
    if (!x)
        return NULL;
    x->run = run;
    x->options = options;
    if (!check(x, scores, network, certificate))
        report = bestdag_verification_state(x);
    release(x);
    bestdag_free(x);
    return report;
}
