/* SPDX-License-Identifier: MIT */
/* verify_report.c -- the results of a verification, as JSON: nothing that was
 * only stated is called checked. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "verify/verify.h"

/* "all parent sets", ...: the stated scope of the bound. */
static void describe_scope(const struct verification *x, char to[96])
{
    const struct verify_sidecar *c = &x->sidecar;
    bool ruled = x->book.count || bestdag_verify_sidecar_note(c, "rules");
    const char *rules = ruled ? " that the rules allow" : "";
    bool complete = c->complete;
    /* lists that were made before these rules were known */
    if (x->book.count && !x->same_rules &&
        (x->other_rules || bestdag_rulebook_obliges(&x->book)))
        complete = false;
    if (!complete)
        snprintf(to, 96, "candidate sets");
    else if (c->limit < 0)
        snprintf(to, 96, "all parent sets%s", rules);
    else
        snprintf(to, 96, "parent sets up to %d%s", c->limit, rules);
}

/* Which part of the scope was checked. */
static void describe_basis(const struct verification *x, char to[400])
{
    const struct verify_recount *r = &x->recount;
    const char *missing = bestdag_verify_sidecar_note(&x->sidecar, "missing");
    int n = x->lists->n;
    if (!x->has_data && !x->sidecar.root)
        snprintf(to, 400, "no file beside the score file says more");
    else if (!x->has_data)
        snprintf(to, 400, "stated by the file, not checked%s",
                 !missing ? ""
                 : !strcmp(missing, "em")
                     ? "; of the table as the last network completed it"
                     : "; of the rows that have each family");
    else if (r->wrong[0])
        snprintf(to, 400, "the table contradicts the file");
    else if (r->formula == VERIFY_FORMULA_NONE)
        snprintf(to, 400, "not checked: %s", r->skipped);
    else if (r->checked < x->lists->sets)
        snprintf(to, 400,
                 "%lld of %lld listed scores checked, then --families were "
                 "used up; completeness not checked",
                 (long long)r->checked, (long long)x->lists->sets);
    else if (!r->enumerated)
        snprintf(to, 400, "listed scores checked; completeness not: %s",
                 r->skipped);
    else if (r->complete < n)
        snprintf(to, 400,
                 "listed scores checked; completeness of %d of %d lists, then "
                 "--families were used up",
                 r->complete, n);
    else
        snprintf(to, 400, "checked with the table");
}

static void add_rules(struct bestdag_json_writer *w, const char *key,
                      const struct verify_rulebook *book,
                      bool (*fits)(const struct verify_rule *))
{
    bestdag_json_open(w, key, '[');
    for (int i = 0; i < book->count; i++) {
        const struct verify_rule *m = &book->rule[i];
        if (!fits(m))
            continue;
        bestdag_json_open(w, NULL, '{');
        bestdag_json_add_text(w, "file", m->file);
        bestdag_json_add_integer(w, "line", m->line);
        bestdag_json_add_text(w, "rule", m->text);
        bestdag_json_close(w, '}');
    }
    bestdag_json_close(w, ']');
}

static bool is_unused(const struct verify_rule *m)
{
    return m->unused;
}

static bool is_unchecked(const struct verify_rule *m)
{
    return m->unchecked;
}

static bool is_broken(const struct verify_rule *m)
{
    return m->broken;
}

static void add_certificate(struct bestdag_json_writer *w,
                            const struct kernel_proof *p)
{
    bestdag_json_open(w, "certificate", '{');
    bestdag_json_add_bool(w, "holds", !p->refused);
    if (p->refused)
        bestdag_json_add_text(w, "claim", NULL);
    else
        bestdag_json_add_integer(w, "claim", p->claim);
    bestdag_json_add_integer(w, "shift", p->shift);
    bestdag_json_add_integer(w, "parts", p->parts);
    bestdag_json_add_integer(w, "multipliers", p->multipliers);
    bestdag_json_add_integer(w, "deleted_sets", p->deletions);
    bestdag_json_add_integer(w, "expansions", p->expansions);
    bestdag_json_add_integer(w, "prefixes", p->prefixes);
    bestdag_json_close(w, '}');
}

static void add_network(struct bestdag_json_writer *w,
                        const struct verification *x)
{
    bestdag_json_open(w, "network", '{');
    bestdag_json_add_bool(w, "acyclic", x->acyclic);
    bestdag_json_add_bool(w, "in_lists", x->network.listed);
    bestdag_json_add_bool(w, "obeys_rules", x->obeys);
    if (x->network.listed)
        bestdag_json_add_integer(w, "cost", x->network.cost);
    else
        bestdag_json_add_text(w, "cost", NULL);
    bestdag_json_close(w, '}');
}

static void add_data(struct bestdag_json_writer *w,
                     const struct verification *x)
{
    const struct verify_recount *r = &x->recount;
    if (!x->has_data) {
        bestdag_json_add_text(w, "data", NULL);
        return;
    }
    bestdag_json_open(w, "data", '{');
    bestdag_json_add_integer(w, "rows", r->total);
    bestdag_json_add_integer(w, "scores_checked", r->checked);
    bestdag_json_add_integer(w, "complete_variables", r->complete);
    bestdag_json_add_integer(w, "families", r->families);
    bestdag_json_add_text(w, "contradiction", r->wrong[0] ? r->wrong : NULL);
    bestdag_json_add_text(w, "not_checked", r->skipped[0] ? r->skipped : NULL);
    bestdag_json_close(w, '}');
}

static const char *status_of(const struct verification *x)
{
    if (x->reason[0])
        return "refused";
    return x->verdict.optimal ? "optimal" : "bounded";
}

static void add_values(struct bestdag_json_writer *w,
                       const struct verification *x)
{
    double gap = x->verdict.optimal ? 0
                                    : (x->verdict.bound - x->verdict.score) /
                                          fmax(1, fabs(x->verdict.score));
    bestdag_json_add_number(w, "score", x->verdict.score);
    bestdag_json_add_number(w, "bound", x->verdict.bound);
    bestdag_json_add_number(w, "gap", x->reason[0] ? (double)NAN : gap);
    bestdag_json_add_number(w, "tolerance", x->verdict.tolerance);
}

char *bestdag_verification_state(struct verification *x)
{
    struct bestdag_json_writer w = {.out.run = x->run};
    char scope[96], basis[400];
    describe_scope(x, scope);
    describe_basis(x, basis);
    bestdag_json_open(&w, NULL, '{');
    bestdag_json_add_text(&w, "status", status_of(x));
    add_values(&w, x);
    bestdag_json_add_text(&w, "proved_over", x->proof.refused ? NULL : scope);
    bestdag_json_add_text(&w, "basis", basis);
    bestdag_json_add_text(&w, "reason", x->reason[0] ? x->reason : NULL);
    bestdag_json_add_text(&w, "score_name",
                          bestdag_verify_sidecar_note(&x->sidecar, "score"));
    bestdag_json_add_integer(&w, "variables", x->lists->n);
    bestdag_json_add_integer(&w, "parent_sets", x->lists->sets);
    add_network(&w, x);
    add_certificate(&w, &x->proof);
    bestdag_json_open(&w, "rules", '{');
    bestdag_json_add_integer(&w, "count", x->book.count);
    bestdag_json_add_text(&w, "lists_made_under",
                          bestdag_verify_sidecar_note(&x->sidecar, "rules"));
    add_rules(&w, "not_used", &x->book, is_unused);
    add_rules(&w, "not_checked", &x->book, is_unchecked);
    add_rules(&w, "broken", &x->book, is_broken);
    bestdag_json_close(&w, '}');
    add_data(&w, x);
    bestdag_json_open(&w, "seconds", '{');
    bestdag_json_add_number(&w, "total", bestdag_seconds() - x->run->start);
    bestdag_json_close(&w, '}');
    bestdag_json_add_integer(&w, "peak_memory_bytes",
                             bestdag_memory_peak(x->run));
    bestdag_json_add_text(&w, "version", bestdag_version());
    bestdag_json_close(&w, '}');
    return bestdag_json_take(&w);
}
