/* SPDX-License-Identifier: MIT */
/* propagation.c -- truth of literals under decisions, and unit propagation.
 *
 * Time: a decision visits the clauses that name one of its variables, and once
 * each clause with a path and each pending fact; a path is found by a search
 * over the remaining arcs. */
#include "search/arcs/propagation.h"
#include "base/growing_array.h"

#include <limits.h>
#include <string.h>

/* ---- reach --------------------------------------------------------------- */

/* Is the arc into the child required, or, if `may`, not forbidden? */
static bool leads(const struct bestdag_arc_state *m, bool may, int child,
                  int local)
{
    return may ? !bestdag_arc_state_is(m, m->forbidden, child, local)
               : bestdag_arc_state_is(m, m->required, child, local);
}

static void visit(const struct bestdag_propagation *d, int v, uint64_t *row,
                  int *end)
{
    if (bestdag_row_has(row, v))
        return;
    bestdag_row_add(row, v);
    d->queue[(*end)++] = v;
}

void bestdag_propagation_reach(const struct bestdag_propagation *d, int u,
                               bool may, uint64_t *row)
{
    const struct bestdag_problem *p = d->state.problem;
    int end = 0;
    memset(row, 0, d->state.words * sizeof *row);
    visit(d, u, row, &end);
    for (int i = 0; i < end; i++) {
        int x = d->queue[i];
        for (int64_t k = p->user_start[x]; k < p->user_start[x + 1]; k++)
            if (leads(&d->state, may, p->user[k].child, p->user[k].local))
                visit(d, p->user[k].child, row, &end);
    }
}

void bestdag_propagation_origins(const struct bestdag_propagation *d, int v,
                                 bool may, uint64_t *row)
{
    const struct bestdag_problem *p = d->state.problem;
    int end = 0;
    memset(row, 0, d->state.words * sizeof *row);
    visit(d, v, row, &end);
    for (int i = 0; i < end; i++) {
        int x = d->queue[i];
        for (int k = 0; k < p->candidates[x].universe; k++)
            if (leads(&d->state, may, x, k))
                visit(d, p->candidates[x].member[k], row, &end);
    }
}

/* ---- truth --------------------------------------------------------------- */

static enum bestdag_truth contrary(enum bestdag_truth t)
{
    return BESTDAG_TRUE - t;
}

static enum bestdag_truth has(const struct bestdag_arc_state *m, int child,
                              int parent)
{
    int local = bestdag_problem_local(m->problem, child, parent);
    if (local < 0 || bestdag_arc_state_is(m, m->forbidden, child, local))
        return BESTDAG_UNTRUE;
    return bestdag_arc_state_is(m, m->required, child, local) ? BESTDAG_TRUE
                                                              : BESTDAG_UNSURE;
}

static enum bestdag_truth within(const struct bestdag_arc_state *m,
                                 const struct bestdag_fact *f)
{
    const struct bestdag_indexed_list *candidates =
        &m->problem->candidates[f->child];
    size_t words = (size_t)candidates->words;
    int from = m->problem->offset[f->child];
    int64_t least = bestdag_row_count(m->required + from, words);
    int64_t most =
        candidates->universe - bestdag_row_count(m->forbidden + from, words);
    least = m->low[f->child] > least ? m->low[f->child] : least;
    most = m->high[f->child] < most ? m->high[f->child] : most;
    if (most < f->low || least > f->high)
        return BESTDAG_UNTRUE;
    return least >= f->low && most <= f->high ? BESTDAG_TRUE : BESTDAG_UNSURE;
}

/* Does u have a required child (TRUE), or a possible one (UNSURE)? *child is
 * the last possible child, *count their number. */
static enum bestdag_truth used(const struct bestdag_arc_state *m, int u,
                               int *child, int *count)
{
    const struct bestdag_problem *p = m->problem;
    *count = 0;
    for (int64_t k = p->user_start[u]; k < p->user_start[u + 1]; k++) {
        const struct bestdag_occurrence *user = &p->user[k];
        if (bestdag_arc_state_is(m, m->required, user->child, user->local))
            return BESTDAG_TRUE;
        if (bestdag_arc_state_is(m, m->forbidden, user->child, user->local))
            continue;
        *child = user->child;
        (*count)++;
    }
    return *count ? BESTDAG_UNSURE : BESTDAG_UNTRUE;
}

static enum bestdag_truth apart(const struct bestdag_arc_state *m,
                                const struct bestdag_fact *f)
{
    enum bestdag_truth one = has(m, f->child, f->parent);
    enum bestdag_truth other = has(m, f->parent, f->child);
    return contrary(one > other ? one : other);
}

/* Is it a pending fact that u has a child? */
static bool is_use_pending(const struct bestdag_propagation *d, int u)
{
    for (int64_t i = 0; i < *d->state.spare; i++)
        if (d->pending[i].fact.kind == BESTDAG_FACT_USED &&
            d->pending[i].fact.parent == u)
            return true;
    return false;
}

/* Is it a pending fact that there is a path (TRUE), or none (UNTRUE)? */
static enum bestdag_truth pending_path(const struct bestdag_propagation *d,
                                       int from, int to)
{
    for (int64_t i = 0; i < *d->state.spare; i++) {
        const struct bestdag_fact *f = &d->pending[i].fact;
        if (f->parent != from || f->child != to)
            continue;
        if (f->kind == BESTDAG_FACT_ANCESTOR)
            return BESTDAG_TRUE;
        if (f->kind == BESTDAG_FACT_NOT_ANCESTOR)
            return BESTDAG_UNTRUE;
    }
    return BESTDAG_UNSURE;
}

static enum bestdag_truth ancestor(struct bestdag_propagation *d, int from,
                                   int to)
{
    struct bestdag_arc_state *m = &d->state;
    enum bestdag_truth pending = pending_path(d, from, to);
    if (pending != BESTDAG_UNSURE)
        return pending;
    if (from == to ||
        bestdag_row_has(bestdag_arc_state_row(m, m->after, to), from))
        return BESTDAG_UNTRUE;
    bestdag_propagation_reach(d, from, false, d->reach);
    if (bestdag_row_has(d->reach, to))
        return BESTDAG_TRUE;
    bestdag_propagation_reach(d, from, true, d->reach);
    return bestdag_row_has(d->reach, to) ? BESTDAG_UNSURE : BESTDAG_UNTRUE;
}

static enum bestdag_truth will_be_used(const struct bestdag_propagation *d,
                                       int u)
{
    int child, count;
    return is_use_pending(d, u) ? BESTDAG_TRUE
                                : used(&d->state, u, &child, &count);
}

enum bestdag_truth bestdag_propagation_truth(struct bestdag_propagation *d,
                                             const struct bestdag_fact *f)
{
    const struct bestdag_arc_state *m = &d->state;
    switch (f->kind) {
    case BESTDAG_FACT_HAS:
        return has(m, f->child, f->parent);
    case BESTDAG_FACT_LACKS:
        return contrary(has(m, f->child, f->parent));
    case BESTDAG_FACT_DEGREE:
        return within(m, f);
    case BESTDAG_FACT_LEAF:
        return contrary(will_be_used(d, f->parent));
    case BESTDAG_FACT_USED:
        return will_be_used(d, f->parent);
    case BESTDAG_FACT_APART:
        return apart(m, f);
    case BESTDAG_FACT_ANCESTOR:
        return ancestor(d, f->parent, f->child);
    case BESTDAG_FACT_NOT_ANCESTOR:
        return contrary(ancestor(d, f->parent, f->child));
    case BESTDAG_FACT_FALSE:
        break;
    }
    return BESTDAG_UNTRUE;
}

/* ---- decisions ----------------------------------------------------------- */

static bool add_pending(struct bestdag_propagation *d,
                        const struct bestdag_fact *fact, bool holds)
{
    int64_t count = *d->state.spare;
    if (!BESTDAG_GROW(d->state.run, d->pending, d->pending_room, count + 1))
        return false;
    d->pending[count] = (struct bestdag_pending){*fact, holds};
    bestdag_arc_state_write(&d->state, (uint64_t *)d->state.spare,
                            (uint64_t)count + 1);
    return true;
}

static bool mark_leaf(struct bestdag_arc_state *m, int u)
{
    const struct bestdag_problem *p = m->problem;
    bool good = true;
    for (int64_t k = p->user_start[u]; k < p->user_start[u + 1] && good; k++)
        good = bestdag_arc_state_forbid(m, p->user[k].child, u);
    return good;
}

/* The number of parents is outside the range: on one side, if the other is
 * excluded; else the fact is pending. */
static bool decide_outside(struct bestdag_propagation *d,
                           const struct bestdag_fact *f)
{
    struct bestdag_arc_state *m = &d->state;
    if (f->low <= m->low[f->child])
        return f->high < INT_MAX &&
               bestdag_arc_state_degree(m, f->child, (int64_t)f->high + 1,
                                        INT_MAX);
    if (f->high >= m->high[f->child])
        return bestdag_arc_state_degree(m, f->child, 0, (int64_t)f->low - 1);
    return add_pending(d, f, false);
}

static bool decide_path(struct bestdag_propagation *d, int from, int to,
                        bool holds)
{
    struct bestdag_fact f = {.kind = holds ? BESTDAG_FACT_ANCESTOR
                                           : BESTDAG_FACT_NOT_ANCESTOR,
                             .parent = from,
                             .child = to};
    enum bestdag_truth now = bestdag_propagation_truth(d, &f);
    if (now != BESTDAG_UNSURE)
        return now == BESTDAG_TRUE;
    return add_pending(d, &f, true) &&
           (!holds || bestdag_arc_state_precede(&d->state, from, to));
}

bool bestdag_propagate(struct bestdag_propagation *d,
                       const struct bestdag_fact *f, bool holds)
{
    struct bestdag_arc_state *m = &d->state;
    struct bestdag_fact is_used = {
        .kind = BESTDAG_FACT_USED, .child = -1, .parent = f->parent};
    switch (f->kind) {
    case BESTDAG_FACT_HAS:
    case BESTDAG_FACT_LACKS:
        return (f->kind == BESTDAG_FACT_HAS) == holds
                   ? bestdag_arc_state_require(m, f->child, f->parent)
                   : bestdag_arc_state_forbid(m, f->child, f->parent);
    case BESTDAG_FACT_DEGREE:
        return holds ? bestdag_arc_state_degree(m, f->child, f->low, f->high)
                     : decide_outside(d, f);
    case BESTDAG_FACT_LEAF:
    case BESTDAG_FACT_USED:
        return (f->kind == BESTDAG_FACT_USED) == holds
                   ? is_use_pending(d, f->parent) ||
                         add_pending(d, &is_used, true)
                   : mark_leaf(m, f->parent);
    case BESTDAG_FACT_APART:
        if (!holds)
            return add_pending(d, f, false);
        return bestdag_arc_state_forbid(m, f->child, f->parent) &&
               bestdag_arc_state_forbid(m, f->parent, f->child);
    case BESTDAG_FACT_ANCESTOR:
        return decide_path(d, f->parent, f->child, holds);
    case BESTDAG_FACT_NOT_ANCESTOR:
        return decide_path(d, f->parent, f->child, !holds);
    case BESTDAG_FACT_FALSE:
        break;
    }
    return !holds;
}

/* ---- propagation --------------------------------------------------------- */

/* Propagates a clause: at least one of the facts holds. */
static bool look_at(struct bestdag_propagation *d,
                    const struct bestdag_fact *fact, int64_t count)
{
    const struct bestdag_fact *left = NULL;
    for (int64_t i = 0; i < count; i++) {
        enum bestdag_truth t = bestdag_propagation_truth(d, &fact[i]);
        if (t == BESTDAG_TRUE || (t == BESTDAG_UNSURE && left))
            return true;
        if (t == BESTDAG_UNSURE)
            left = &fact[i];
    }
    return left && bestdag_propagate(d, left, true);
}

static bool look_at_clause(struct bestdag_propagation *d, int64_t i)
{
    const struct bestdag_clauses *all = &d->k->cross;
    const struct bestdag_disjunction *c = &all->clause[i];
    return look_at(d, all->fact + c->from, c->to - c->from);
}

/* No path from f->parent to f->child: forbids arcs from variables that the
 * former reaches to variables that reach the latter. */
static bool bar_paths(struct bestdag_propagation *d,
                      const struct bestdag_fact *f)
{
    struct bestdag_arc_state *m = &d->state;
    size_t words = m->words;
    uint64_t *from = d->reach, *to = d->reach + words;
    bestdag_propagation_reach(d, f->parent, false, from);
    bestdag_propagation_origins(d, f->child, false, to);
    if (bestdag_row_has(from, f->child))
        return false;
    bool good = true;
    for (int y = bestdag_row_next(to, words, 0); y >= 0 && good;
         y = bestdag_row_next(to, words, y + 1)) {
        const struct bestdag_indexed_list *candidates =
            &m->problem->candidates[y];
        for (int i = 0; i < candidates->universe && good; i++)
            if (bestdag_row_has(from, candidates->member[i]))
                good = bestdag_arc_state_forbid(m, y, candidates->member[i]);
    }
    return good;
}

static bool look_at_used(struct bestdag_arc_state *m, int u)
{
    int child = -1, count;
    enum bestdag_truth t = used(m, u, &child, &count);
    if (t == BESTDAG_UNSURE && count == 1)
        return bestdag_arc_state_require(m, child, u);
    return t != BESTDAG_UNTRUE;
}

static bool look_at_pending(struct bestdag_propagation *d,
                            const struct bestdag_pending *o)
{
    const struct bestdag_fact *f = &o->fact;
    struct bestdag_fact side[2] = {*f, *f};
    switch (f->kind) {
    case BESTDAG_FACT_USED:
        return look_at_used(&d->state, f->parent);
    case BESTDAG_FACT_NOT_ANCESTOR:
        return bar_paths(d, f);
    case BESTDAG_FACT_ANCESTOR:
        bestdag_propagation_reach(d, f->parent, true, d->reach);
        return bestdag_row_has(d->reach, f->child);
    case BESTDAG_FACT_APART: /* it must not hold */
        side[0].kind = side[1].kind = BESTDAG_FACT_HAS;
        side[1].child = f->parent;
        side[1].parent = f->child;
        return look_at(d, side, 2);
    case BESTDAG_FACT_DEGREE: /* it must not hold */
        side[0].low = 0;
        side[0].high = f->low - 1;
        side[1].low = f->high + 1;
        side[1].high = INT_MAX;
        return look_at(d, side, 2);
    default:
        return true;
    }
}

/* Visits the clauses of the variables in the log, from `at` on. */
static bool follow_log(struct bestdag_propagation *d, size_t *at)
{
    const struct bestdag_arc_state *m = &d->state;
    for (; *at < m->logged; ++*at) {
        int v = m->log[*at];
        for (int64_t i = d->start[v]; i < d->start[v + 1]; i++)
            if (!look_at_clause(d, d->clause[i]))
                return false;
    }
    return true;
}

static bool follow(struct bestdag_propagation *d)
{
    const struct bestdag_arc_state *m = &d->state;
    size_t at = 0, seen;
    int64_t pending_count;
    do {
        if (d->k && !follow_log(d, &at))
            return false;
        seen = m->logged;
        pending_count = *m->spare;
        for (int64_t i = 0; i < d->paths; i++)
            if (!look_at_clause(d, d->path[i]))
                return false;
        for (int64_t i = 0; i < *m->spare; i++) {
            struct bestdag_pending one = d->pending[i]; /* a copy: the array may
                                                           grow */
            if (!look_at_pending(d, &one))
                return false;
        }
    } while (m->logged > seen || *m->spare > pending_count);
    return !bestdag_run_status(m->run);
}

bool bestdag_propagation_settle(struct bestdag_propagation *d)
{
    return follow(d) && bestdag_arc_state_settle(&d->state);
}

/* ---- the rules ----------------------------------------------------------- */

/* Counts, or fills in, the clauses that name each variable. */
static void index_clauses(struct bestdag_propagation *d, bool fills)
{
    const struct bestdag_clauses *all = &d->k->cross;
    d->paths = 0;
    for (int64_t c = 0; c < all->count; c++) {
        bool has_path = false;
        for (int64_t i = all->clause[c].from; i < all->clause[c].to; i++) {
            const struct bestdag_fact *f = &all->fact[i];
            int about[2] = {f->child, f->parent};
            has_path |= f->kind == BESTDAG_FACT_ANCESTOR ||
                        f->kind == BESTDAG_FACT_NOT_ANCESTOR;
            for (int k = 0; k < 2; k++) {
                if (about[k] < 0 || (k && f->kind == BESTDAG_FACT_DEGREE))
                    continue;
                if (fills)
                    d->clause[d->start[about[k]]] = c;
                d->start[about[k] + !fills]++;
            }
        }
        if (has_path && fills)
            d->path[d->paths] = c;
        d->paths += has_path;
    }
}

static int make_index(struct bestdag_run *run, struct bestdag_propagation *d)
{
    size_t n = (size_t)d->state.n;
    d->start = bestdag_calloc(run, n + 2, sizeof *d->start);
    if (!d->start)
        return bestdag_run_status(run);
    index_clauses(d, false);
    for (size_t v = 0; v < n; v++)
        d->start[v + 1] += d->start[v];
    d->clause = bestdag_alloc(run, (size_t)d->start[n] * sizeof *d->clause);
    d->path = bestdag_alloc(run, (size_t)d->paths * sizeof *d->path);
    if (!d->clause || !d->path)
        return bestdag_run_status(run);
    index_clauses(d, true); /* start[v] becomes the end of v */
    memmove(d->start + 1, d->start, n * sizeof *d->start);
    d->start[0] = 0;
    return BESTDAG_OK;
}

/* The rules' rows are transitively closed, and so are the precedences made from
 * them. */
static bool mark_order(struct bestdag_propagation *d, int v)
{
    struct bestdag_arc_state *m = &d->state;
    const uint64_t *row = bestdag_knowledge_row(d->k, d->k->before, v);
    bool good = true;
    for (int u = row ? bestdag_row_next(row, m->words, 0) : -1; u >= 0 && good;
         u = bestdag_row_next(row, m->words, u + 1)) {
        bestdag_row_add(bestdag_arc_state_row(m, m->before, v), u);
        bestdag_row_add(bestdag_arc_state_row(m, m->after, u), v);
        good = bestdag_arc_state_forbid(m, u, v);
    }
    return good;
}

/* Requires the parents that are in all sets of v. */
static bool mark_common(struct bestdag_propagation *d, int v)
{
    const struct bestdag_indexed_list *candidates =
        &d->state.problem->candidates[v];
    bool good = true;
    for (int i = 0; i < candidates->universe && good; i++)
        if (candidates->start[i + 1] - candidates->start[i] ==
            candidates->count)
            good =
                bestdag_arc_state_require(&d->state, v, candidates->member[i]);
    return good;
}

static bool mark_rules(struct bestdag_propagation *d)
{
    bool good = *d->state.bound < d->state.problem->none;
    for (int v = 0; d->k && v < d->state.n && good; v++)
        good = mark_order(d, v);
    for (int v = 0; v < d->state.n && good; v++)
        good = mark_common(d, v);
    for (int64_t i = 0; d->k && i < d->k->cross.count && good; i++)
        good = look_at_clause(d, i);
    return good && bestdag_propagation_settle(d);
}

int bestdag_propagation_init(struct bestdag_run *run,
                             struct bestdag_propagation *d,
                             const struct bestdag_problem *problem,
                             const struct bestdag_arc_bound *arc_bound,
                             const struct bestdag_knowledge *knowledge)
{
    size_t n = (size_t)problem->n;
    *d = (struct bestdag_propagation){.k = knowledge};
    if (bestdag_arc_state_init(run, &d->state, problem, arc_bound))
        return bestdag_run_status(run);
    d->queue = bestdag_alloc(run, n * sizeof *d->queue);
    d->reach = bestdag_calloc(run, 2 * d->state.words, sizeof *d->reach);
    if (!d->queue || !d->reach || (knowledge && make_index(run, d)))
        return bestdag_run_status(run);
    d->possible = mark_rules(d);
    d->base = d->state.trailed;
    return bestdag_run_status(run);
}

void bestdag_propagation_release(struct bestdag_propagation *d)
{
    bestdag_arc_state_release(&d->state);
    bestdag_free(d->pending);
    bestdag_free(d->start);
    bestdag_free(d->clause);
    bestdag_free(d->path);
    bestdag_free(d->queue);
    bestdag_free(d->reach);
    *d = (struct bestdag_propagation){0};
}
