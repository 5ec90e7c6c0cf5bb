/* SPDX-License-Identifier: MIT */
/* network_check.c -- does a network obey the rules? Each rule is checked as
 * written, for every choice of its "for all" variables. */
#include <string.h>

#include "base/row.h"
#include "base/growing_array.h"
#include "verify/rules/rulebook.h"

struct verify_rule_checker {
    struct bestdag_run *run;
    struct verify_rulebook *book;
    const struct kernel_network *g;
    uint64_t *ancestor; /* owns; [n * words]; computed at first use */
    size_t words;
    int *used;  /* owns; [n]: number of children */
    int *order; /* owns; pairs of all `order` lines */
    int64_t orders, order_room;
    uint64_t *listed; /* owns; arcs that `allow only` lines name */
};

static bool has_arc(const struct kernel_network *g, int a, int b)
{
    for (int64_t i = g->start[b]; i < g->start[b + 1]; i++)
        if (g->parent[i] == a)
            return true;
    return false;
}

/* Computes rows of ancestors, by as many passes over all variables as the
 * longest path has arcs. */
static int make_ancestors(struct verify_rule_checker *c)
{
    const struct kernel_network *g = c->g;
    uint64_t *rows =
        bestdag_calloc(c->run, (size_t)g->n * c->words + 1, sizeof *rows);
    if (!rows)
        return BESTDAG_MEMORY;
    c->ancestor = rows;
    for (bool more = true; more;) {
        more = false;
        for (int v = 0; v < g->n; v++) {
            uint64_t *to = rows + (size_t)v * c->words;
            int count = bestdag_row_count(to, c->words);
            for (int64_t i = g->start[v]; i < g->start[v + 1]; i++) {
                bestdag_row_join(to, rows + (size_t)g->parent[i] * c->words,
                                 c->words);
                bestdag_row_add(to, g->parent[i]);
            }
            more |= bestdag_row_count(to, c->words) != count;
        }
    }
    return BESTDAG_OK;
}

/* Does the term hold? *failed: no memory. */
static bool holds(struct verify_rule_checker *c, const struct verify_term *t,
                  bool *failed)
{
    const struct kernel_network *g = c->g;
    int64_t degree = g->start[t->a + 1] - g->start[t->a];
    bool is = false;
    switch (t->kind) {
    case VERIFY_TERM_ARC:
        is = has_arc(g, t->a, t->b);
        break;
    case VERIFY_TERM_ROOT:
        is = !degree;
        break;
    case VERIFY_TERM_LEAF:
        is = !c->used[t->a];
        break;
    case VERIFY_TERM_ADJACENT:
        is = has_arc(g, t->a, t->b) || has_arc(g, t->b, t->a);
        break;
    case VERIFY_TERM_DEGREE:
        is = degree >= t->low && degree <= t->high;
        break;
    case VERIFY_TERM_ANCESTOR:
        *failed = !c->ancestor && make_ancestors(c);
        is = !*failed &&
             bestdag_row_has(c->ancestor + (size_t)t->b * c->words, t->a);
        break;
    default:
        break;
    }
    return is != t->negated;
}

static int check_clause(struct verify_rule_checker *c, struct verify_rule *m,
                        const int *chosen)
{
    bool any = false, failed = false;
    for (int64_t i = m->from; i < m->to && !any && !failed; i++) {
        struct verify_term t = bestdag_rulebook_term(c->book, i, chosen);
        any = holds(c, &t, &failed);
    }
    m->broken |= !any;
    return failed ? BESTDAG_MEMORY : BESTDAG_OK;
}

static int gather_order(struct verify_rule_checker *c,
                        const struct verify_rule *m, const int *chosen)
{
    for (int64_t i = m->from; i + 1 < m->to; i++) {
        if (!BESTDAG_GROW(c->run, c->order, c->order_room, 2 * c->orders + 2))
            return BESTDAG_MEMORY;
        c->order[2 * c->orders] = bestdag_rulebook_term(c->book, i, chosen).a;
        c->order[2 * c->orders + 1] =
            bestdag_rulebook_term(c->book, i + 1, chosen).a;
        c->orders++;
    }
    return BESTDAG_OK;
}

static void check_parents(struct verify_rule_checker *c, struct verify_rule *m,
                          const int *chosen)
{
    int child = bestdag_rulebook_term(c->book, m->from, chosen).a;
    for (int64_t k = c->g->start[child]; k < c->g->start[child + 1]; k++) {
        bool listed = false;
        for (int64_t i = m->from + 1; i < m->to && !listed; i++)
            listed =
                bestdag_rulebook_term(c->book, i, chosen).a == c->g->parent[k];
        m->broken |= !listed;
    }
}

static int gather_allowed(struct verify_rule_checker *c,
                          const struct verify_rule *m, const int *chosen)
{
    if (!c->listed)
        c->listed = bestdag_calloc(c->run, (size_t)c->g->n * c->words + 1,
                                   sizeof *c->listed);
    for (int64_t i = m->from; c->listed && i < m->to; i++) {
        struct verify_term t = bestdag_rulebook_term(c->book, i, chosen);
        bestdag_row_add(c->listed + (size_t)t.b * c->words, t.a);
    }
    return bestdag_run_status(c->run);
}

static int check_tiers(struct verify_rule_checker *c, struct verify_rule *m)
{
    const struct verify_term **tier =
        bestdag_calloc(c->run, (size_t)c->g->n + 1, sizeof *tier);
    if (!tier)
        return BESTDAG_MEMORY;
    for (int64_t i = m->from; i < m->to; i++)
        tier[c->book->term[i].a] = &c->book->term[i];
    for (int v = 0; v < c->g->n; v++)
        for (int64_t i = c->g->start[v]; i < c->g->start[v + 1]; i++) {
            const struct verify_term *from = tier[c->g->parent[i]];
            if (from && tier[v])
                m->broken |= from->low > tier[v]->low ||
                             (from->low == tier[v]->low && from->negated);
        }
    bestdag_free((void *)tier);
    return BESTDAG_OK;
}

static int check_choice(void *user, const struct verify_rule *rule,
                        const int *chosen)
{
    struct verify_rule_checker *c = user;
    struct verify_rule *m = &c->book->rule[rule - c->book->rule];
    switch (m->kind) {
    case VERIFY_RULE_CLAUSE:
        return check_clause(c, m, chosen);
    case VERIFY_RULE_ORDER:
        return gather_order(c, m, chosen);
    case VERIFY_RULE_PARENTS:
        check_parents(c, m, chosen);
        return BESTDAG_OK;
    case VERIFY_RULE_ALLOW:
        return gather_allowed(c, m, chosen);
    case VERIFY_RULE_TIERS:
        return m->each ? BESTDAG_USAGE : check_tiers(c, m);
    default:
        return BESTDAG_USAGE;
    }
}

/* A violation of several lines of a kind together is attributed to the
 * first. */
static void mark_first_broken(struct verify_rule_checker *c,
                              enum verify_rule_kind kind)
{
    for (int i = 0; i < c->book->count; i++)
        if (c->book->rule[i].kind == kind) {
            c->book->rule[i].broken = true;
            return;
        }
}

static int check_together(struct verify_rule_checker *c)
{
    bool cyclic = false;
    if (bestdag_kernel_cyclic(c->run, c->g, c->order, c->orders, &cyclic))
        return BESTDAG_MEMORY;
    if (cyclic)
        mark_first_broken(c, VERIFY_RULE_ORDER);
    for (int v = 0; c->listed && v < c->g->n; v++)
        for (int64_t i = c->g->start[v]; i < c->g->start[v + 1]; i++)
            if (!bestdag_row_has(c->listed + (size_t)v * c->words,
                                 c->g->parent[i])) {
                mark_first_broken(c, VERIFY_RULE_ALLOW);
                return BESTDAG_OK;
            }
    return BESTDAG_OK;
}

int bestdag_rulebook_check(struct verify_rulebook *book,
                           const struct kernel_network *g)
{
    struct verify_rule_checker c = {.run = book->run, .book = book, .g = g};
    c.words = bestdag_row_words(g->n);
    c.used = bestdag_calloc(c.run, (size_t)g->n + 1, sizeof *c.used);
    int status = c.used ? BESTDAG_OK : BESTDAG_MEMORY;
    for (int64_t i = 0; !status && i < g->start[g->n]; i++)
        c.used[g->parent[i]]++;
    for (int i = 0; i < book->count && !status; i++) {
        status = bestdag_rulebook_each(book, &book->rule[i], check_choice, &c);
        if (status == BESTDAG_USAGE && !bestdag_run_status(c.run)) {
            book->rule[i].unchecked = true;
            status = BESTDAG_OK;
        }
    }
    if (!status)
        status = check_together(&c);
    bestdag_free(c.ancestor);
    bestdag_free(c.used);
    bestdag_free(c.order);
    bestdag_free(c.listed);
    return status;
}
