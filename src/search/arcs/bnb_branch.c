/* SPDX-License-Identifier: MIT */
/* bnb_branch.c -- cycles of the chosen sets, and rules that they break.
 *
 * Decided precedences need no further decision: a cycle u -> v ... w -> u in
 * which v precedes w anyway has two arcs to decide, not three. Of the cycles
 * with the fewest arcs to decide, the one with the greatest total loss is
 * taken. Arcs with the greatest loss come first: the later subproblems then
 * require them. Plain branching takes the first cycle instead, a shortest one
 * through the first variable on a cycle, and its arcs in their order.
 *
 * Time: a search over the chosen arcs and precedence rows for each variable on
 * a cycle. */
#include "search/arcs/bnb_branch.h"

#include <limits.h>
#include <string.h>

/* ---- the graph of the chosen sets ---------------------------------------- */

static uint64_t *row_of(const struct bestdag_brancher *b, int v)
{
    return b->child + (size_t)v * b->propagation->state.words;
}

static void draw_graph(struct bestdag_brancher *b)
{
    const struct bestdag_arc_state *m = &b->propagation->state;
    memset(b->child, 0, (size_t)m->n * m->words * sizeof *b->child);
    for (int v = 0; v < m->n; v++) {
        const struct bestdag_list *list = &m->problem->sets->list[v];
        int set = b->choice[v];
        for (int64_t k = list->start[set]; k < list->start[set + 1]; k++)
            bestdag_row_add(row_of(b, list->member[k]), v);
    }
}

static bool must(const struct bestdag_arc_state *m, int child, int parent)
{
    int local = bestdag_problem_local(m->problem, child, parent);
    return local >= 0 && bestdag_arc_state_is(m, m->required, child, local);
}

static bool add_fact(struct bestdag_brancher *b, struct bestdag_fact fact)
{
    if (b->count == b->room) {
        int room = 2 * b->room + 16;
        struct bestdag_run *run = b->propagation->state.run;
        void *more =
            bestdag_realloc(run, b->fact, (size_t)room * sizeof *b->fact);
        if (!more)
            return false;
        b->fact = more;
        b->room = room;
    }
    b->fact[b->count++] = fact;
    return true;
}

static bool add_arc(struct bestdag_brancher *b, enum bestdag_fact_kind kind,
                    int parent, int child)
{
    return add_fact(b, (struct bestdag_fact){
                           .kind = kind, .child = child, .parent = parent});
}

/* ---- cycles -------------------------------------------------------------- */

/* cyclic: variables on a cycle of chosen arcs and precedences, or with a path
 * to one. */
static bool find_cyclic(struct bestdag_brancher *b)
{
    const struct bestdag_arc_state *m = &b->propagation->state;
    size_t words = m->words;
    bool any = true, is_less = true;
    memset(b->cyclic, 0, words * sizeof *b->cyclic);
    for (int v = 0; v < m->n; v++)
        bestdag_row_add(b->cyclic, v);
    while (is_less && any) {
        is_less = any = false;
        for (int v = bestdag_row_next(b->cyclic, words, 0); v >= 0;
             v = bestdag_row_next(b->cyclic, words, v + 1)) {
            const uint64_t *to = row_of(b, v);
            const uint64_t *after = bestdag_arc_state_row(m, m->after, v);
            uint64_t goes_on = 0;
            for (size_t w = 0; w < words; w++)
                goes_on |= (to[w] | after[w]) & b->cyclic[w];
            any |= goes_on != 0;
            is_less |= !goes_on;
            if (!goes_on)
                bestdag_row_drop(b->cyclic, v);
        }
    }
    return any;
}

/* The loss of v without this parent, capped so that n losses do not
 * overflow. */
static int64_t loss_of(const struct bestdag_brancher *b, int v, int parent)
{
    const struct bestdag_arc_state *m = &b->propagation->state;
    const struct bestdag_indexed_list *candidates = &m->problem->candidates[v];
    int local = bestdag_problem_local(m->problem, v, parent);
    int set = b->choice[v];
    int64_t most = m->problem->none / (m->n + 1);
    while (set < candidates->count &&
           bestdag_indexed_list_holds(candidates, set, local))
        set = bestdag_arc_state_first(m, v, set + 1);
    int64_t loss = candidates->cost[set] - candidates->cost[b->choice[v]];
    return loss < most ? loss : most;
}

static bool is_free(const struct bestdag_arc_state *m, int u, int v)
{
    return bestdag_row_has(bestdag_arc_state_row(m, m->after, u), v);
}

/* Follows `from` from `last` back to the start, and lists the arcs to be
 * decided, greatest loss first (plain: beginning at the start); returns their
 * number. */
static int trace(struct bestdag_brancher *b, int start, int last)
{
    const struct bestdag_arc_state *m = &b->propagation->state;
    int arcs = 0;
    for (int v = start, u = last;; v = u, u = b->from[u]) {
        if (!is_free(m, u, v)) {
            struct bestdag_loss arc = {u, v, loss_of(b, v, u)};
            int k = arcs++;
            for (; k > 0 && (b->is_plain || b->cycle[k - 1].loss < arc.loss);
                 k--)
                b->cycle[k] = b->cycle[k - 1];
            b->cycle[k] = arc;
        }
        if (u == start)
            return arcs;
    }
}

/* Keeps the cycle if it is better than the best so far. */
static void consider(struct bestdag_brancher *b, int arcs)
{
    int64_t least = b->cycle[arcs - 1].loss, total = 0;
    for (int i = 0; i < arcs; i++)
        total += b->cycle[i].loss;
    bool is_better = !b->arcs || arcs < b->arcs || total > b->total ||
                     (total == b->total && least > b->least);
    if (!is_better)
        return;
    struct bestdag_loss *old = b->best;
    b->best = b->cycle;
    b->cycle = old;
    b->arcs = arcs;
    b->least = least;
    b->total = total;
}

/* Appends the new cyclic variables of the row after `end`. */
static int enqueue(struct bestdag_brancher *b, int x, const uint64_t *row,
                   int end)
{
    size_t words = b->propagation->state.words;
    for (size_t w = 0; w < words; w++) {
        uint64_t fresh = row[w] & b->cyclic[w] & ~b->seen[w];
        b->seen[w] |= fresh;
        for (; fresh; fresh &= fresh - 1) {
            int v = (int)w * 64 + __builtin_ctzll(fresh);
            b->from[v] = x;
            b->queue[end++] = v;
        }
    }
    return end;
}

/* The last variable on a cycle through `start` with the fewest arcs to decide,
 * no more than the best has; -1: none. Breadth first: precedences stay on their
 * level. */
static int find_last(struct bestdag_brancher *b, int start)
{
    const struct bestdag_arc_state *m = &b->propagation->state;
    int begin = 0, end = 1, level = 0;
    memset(b->seen, 0, m->words * sizeof *b->seen);
    b->queue[0] = start;
    while (begin < end && (!b->arcs || level <= b->arcs)) {
        int last = -1;
        for (int i = begin; i < end; i++) {
            int x = b->queue[i];
            if (is_free(m, x, start))
                return x;
            if (last < 0 && bestdag_row_has(row_of(b, x), start))
                last = x;
            end = enqueue(b, x, bestdag_arc_state_row(m, m->after, x), end);
        }
        if (last >= 0)
            return !b->arcs || level < b->arcs ? last : -1;
        int next = end;
        for (int i = begin; i < end; i++)
            next = enqueue(b, b->queue[i], row_of(b, b->queue[i]), next);
        begin = end;
        end = next;
        level++;
    }
    return -1;
}

/* Turns the best cycle into facts; false: out of memory. */
static bool find_cycle(struct bestdag_brancher *b)
{
    size_t words = b->propagation->state.words;
    b->arcs = 0;
    if (!find_cyclic(b))
        return true;
    for (int v = bestdag_row_next(b->cyclic, words, 0); v >= 0;
         v = b->is_plain && b->arcs
                 ? -1
                 : bestdag_row_next(b->cyclic, words, v + 1)) {
        int last = find_last(b, v);
        if (last >= 0)
            consider(b, trace(b, v, last));
        bestdag_row_drop(b->cyclic, v); /* all its cycles were considered */
    }
    bool good = true;
    for (int i = 0; i < b->arcs && good; i++)
        good =
            add_arc(b, BESTDAG_FACT_LACKS, b->best[i].parent, b->best[i].child);
    return good;
}

/* ---- paths --------------------------------------------------------------- */

/* Is there a path along chosen arcs? `from` has it. */
static bool has_path(struct bestdag_brancher *b, int start, int end)
{
    size_t words = b->propagation->state.words;
    int count = 1;
    memset(b->seen, 0, words * sizeof *b->seen);
    memset(b->cyclic, 0xff, words * sizeof *b->cyclic);
    bestdag_row_add(b->seen, start);
    b->queue[0] = start;
    for (int i = 0; i < count && !bestdag_row_has(b->seen, end); i++)
        count = enqueue(b, b->queue[i], row_of(b, b->queue[i]), count);
    return start != end && bestdag_row_has(b->seen, end);
}

/* The path that was found must lose an arc. */
static bool cut_path(struct bestdag_brancher *b, int start, int end)
{
    bool good = true;
    for (int v = end; v != start && good; v = b->from[v])
        if (!must(&b->propagation->state, v, b->from[v]))
            good = add_arc(b, BESTDAG_FACT_LACKS, b->from[v], v);
    return good;
}

/* A path is required: branches on the arcs that leave the variables which
 * `start` reaches by required arcs, to variables that can still reach `end`. */
static bool extend_path(struct bestdag_brancher *b, int start, int end)
{
    const struct bestdag_propagation *d = b->propagation;
    const struct bestdag_problem *p = d->state.problem;
    bool good = true;
    bestdag_propagation_reach(d, start, false, b->seen);
    bestdag_propagation_origins(d, end, true, b->mine);
    for (int u = 0; u < p->n; u++) {
        if (!bestdag_row_has(b->seen, u))
            continue;
        for (int64_t k = p->user_start[u]; k < p->user_start[u + 1] && good;
             k++) {
            const struct bestdag_occurrence *to = &p->user[k];
            if (!bestdag_row_has(b->seen, to->child) &&
                bestdag_row_has(b->mine, to->child) &&
                !bestdag_arc_state_is(&d->state, d->state.forbidden, to->child,
                                      to->local))
                good = add_arc(b, BESTDAG_FACT_HAS, u, to->child);
        }
    }
    return good;
}

/* ---- rules --------------------------------------------------------------- */

static bool has_arc(const struct bestdag_brancher *b, int child, int parent)
{
    return bestdag_row_has(row_of(b, parent), child);
}

static bool has_child(const struct bestdag_brancher *b, int u)
{
    return bestdag_row_next(row_of(b, u), b->propagation->state.words, 0) >= 0;
}

/* Does the fact hold for the chosen sets? */
static bool holds(struct bestdag_brancher *b, const struct bestdag_fact *f)
{
    const struct bestdag_arc_state *m = &b->propagation->state;
    switch (f->kind) {
    case BESTDAG_FACT_HAS:
        return has_arc(b, f->child, f->parent);
    case BESTDAG_FACT_LACKS:
        return !has_arc(b, f->child, f->parent);
    case BESTDAG_FACT_DEGREE: {
        const struct bestdag_list *list = &m->problem->sets->list[f->child];
        int set = b->choice[f->child];
        int64_t size = list->start[set + 1] - list->start[set];
        return size >= f->low && size <= f->high;
    }
    case BESTDAG_FACT_LEAF:
        return !has_child(b, f->parent);
    case BESTDAG_FACT_USED:
        return has_child(b, f->parent);
    case BESTDAG_FACT_APART:
        return !has_arc(b, f->child, f->parent) &&
               !has_arc(b, f->parent, f->child);
    case BESTDAG_FACT_ANCESTOR:
        return has_path(b, f->parent, f->child);
    case BESTDAG_FACT_NOT_ANCESTOR:
        return !has_path(b, f->parent, f->child);
    case BESTDAG_FACT_FALSE:
        break;
    }
    return false;
}

/* Branches on a child for u. */
static bool offer_children(struct bestdag_brancher *b, int u)
{
    const struct bestdag_arc_state *m = &b->propagation->state;
    const struct bestdag_problem *p = m->problem;
    bool good = true;
    for (int64_t k = p->user_start[u]; k < p->user_start[u + 1] && good; k++)
        if (!bestdag_arc_state_is(m, m->forbidden, p->user[k].child,
                                  p->user[k].local))
            good = add_arc(b, BESTDAG_FACT_HAS, u, p->user[k].child);
    return good;
}

/* Branches on a pending fact that does not hold. */
static bool branch_on_pending(struct bestdag_brancher *b,
                              const struct bestdag_pending *o)
{
    struct bestdag_fact f = o->fact, other = o->fact;
    switch (f.kind) {
    case BESTDAG_FACT_USED:
        return offer_children(b, f.parent);
    case BESTDAG_FACT_ANCESTOR:
        return extend_path(b, f.parent, f.child);
    case BESTDAG_FACT_NOT_ANCESTOR: /* has_path() just found it */
        return cut_path(b, f.parent, f.child);
    case BESTDAG_FACT_APART: /* it must not hold */
        return add_arc(b, BESTDAG_FACT_HAS, f.parent, f.child) &&
               add_arc(b, BESTDAG_FACT_HAS, f.child, f.parent);
    case BESTDAG_FACT_DEGREE: /* it must not hold */
        f.high = f.low - 1;
        f.low = 0;
        other.low = other.high + 1;
        other.high = INT_MAX;
        return add_fact(b, f) && add_fact(b, other);
    default:
        return true;
    }
}

/* Branches on the undecided literals of a clause. */
static bool branch_on_clause(struct bestdag_brancher *b,
                             const struct bestdag_disjunction *c)
{
    const struct bestdag_fact *fact = b->propagation->k->cross.fact;
    bool good = true;
    for (int64_t i = c->from; i < c->to && good; i++)
        if (bestdag_propagation_truth(b->propagation, &fact[i]) ==
            BESTDAG_UNSURE)
            good = add_fact(b, fact[i]);
    return good;
}

/* Branches on a pending fact or a clause that does not hold; *good: there is
 * none. */
static bool find_violation(struct bestdag_brancher *b, bool *good)
{
    const struct bestdag_propagation *d = b->propagation;
    const struct bestdag_clauses *all = d->k ? &d->k->cross : NULL;
    for (int64_t i = 0; i < *d->state.spare; i++)
        if (holds(b, &d->pending[i].fact) != d->pending[i].holds) {
            *good = branch_on_pending(b, &d->pending[i]);
            return false;
        }
    for (int64_t i = 0; all && i < all->count; i++) {
        int64_t k = all->clause[i].from, to = all->clause[i].to;
        while (k < to && !holds(b, &all->fact[k]))
            k++;
        if (k == to) {
            *good = branch_on_clause(b, &all->clause[i]);
            return false;
        }
    }
    return true;
}

/* Order rules are no clauses but precedences: a graph breaks them if it makes a
 * cycle with those. */
bool bestdag_brancher_obeys(struct bestdag_brancher *b)
{
    bool good = true;
    b->count = 0;
    draw_graph(b);
    return !find_cyclic(b) && find_violation(b, &good);
}

/* Either one of these children has a parent in the cluster that it does not
 * have as chosen, or none has. */
static bool branch_on_slack(struct bestdag_brancher *b,
                            const struct bestdag_slack *slack)
{
    const struct bestdag_arc_state *m = &b->propagation->state;
    bool good = true;
    for (int k = 0; k < slack->children; k++)
        for (int i = 0; i < slack->size && good; i++) {
            int v = slack->child[k], u = slack->member[i];
            int local = bestdag_problem_local(m->problem, v, u);
            if (local >= 0 && !has_arc(b, v, u) &&
                !bestdag_arc_state_is(m, m->forbidden, v, local))
                good = add_arc(b, BESTDAG_FACT_HAS, u, v);
        }
    return good && b->count &&
           add_arc(b, BESTDAG_FACT_LACKS, b->fact[0].parent, b->fact[0].child);
}

static int64_t cost_of(const struct bestdag_brancher *b)
{
    const struct bestdag_problem *p = b->propagation->state.problem;
    int64_t sum = 0;
    for (int v = 0; v < p->n; v++)
        sum += p->candidates[v].cost[b->choice[v]];
    return sum;
}

/* Finds a DAG that obeys the rules and either costs as much as the bound, or
 * shows for which cluster too much is paid. False: neither. If it breaks a
 * rule, branching on cycles comes first. */
static bool find_slack(struct bestdag_brancher *b, enum bestdag_branch *to)
{
    const struct bestdag_arc_state *m = &b->propagation->state;
    const struct bestdag_arc_bound *c = m->arc_bound;
    struct bestdag_slack slack;
    if (!c->row->settled || !c->row->settled(c->data, m, b->choice) ||
        !bestdag_brancher_obeys(b))
        return false;
    *to = BESTDAG_BREAK_NONE;
    if (cost_of(b) <= *m->bound)
        return true;
    *to = BESTDAG_BREAK_FACTS;
    return c->row->slack(c->data, m, &slack) && branch_on_slack(b, &slack);
}

enum bestdag_branch bestdag_brancher_find(struct bestdag_brancher *b)
{
    const struct bestdag_arc_state *m = &b->propagation->state;
    bool good = true;
    enum bestdag_branch found;
    b->count = 0;
    if (find_slack(b, &found))
        return found;
    b->count = 0;
    m->arc_bound->row->choose(m->arc_bound->data, m, b->choice);
    draw_graph(b);
    if (!find_cycle(b))
        return BESTDAG_BREAK_FAILED;
    if (!b->arcs && find_violation(b, &good))
        return BESTDAG_BREAK_NONE;
    return good ? BESTDAG_BREAK_FACTS : BESTDAG_BREAK_FAILED;
}

/* ---- memory -------------------------------------------------------------- */

int bestdag_brancher_init(struct bestdag_run *run, struct bestdag_brancher *b,
                          struct bestdag_propagation *propagation)
{
    size_t n = (size_t)propagation->state.n, words = propagation->state.words;
    *b = (struct bestdag_brancher){.propagation = propagation};
    b->choice = bestdag_alloc(run, n * sizeof *b->choice);
    b->queue = bestdag_alloc(run, (n + 1) * sizeof *b->queue);
    b->from = bestdag_alloc(run, n * sizeof *b->from);
    b->cyclic = bestdag_alloc(run, words * sizeof *b->cyclic);
    b->seen = bestdag_alloc(run, words * sizeof *b->seen);
    b->mine = bestdag_alloc(run, words * sizeof *b->mine);
    b->child = bestdag_alloc(run, n * words * sizeof *b->child);
    b->cycle = bestdag_alloc(run, (n + 1) * sizeof *b->cycle);
    b->best = bestdag_alloc(run, (n + 1) * sizeof *b->best);
    return bestdag_run_status(run);
}

void bestdag_brancher_release(struct bestdag_brancher *b)
{
    bestdag_free(b->choice);
    bestdag_free(b->fact);
    bestdag_free(b->queue);
    bestdag_free(b->from);
    bestdag_free(b->cyclic);
    bestdag_free(b->seen);
    bestdag_free(b->mine);
    bestdag_free(b->child);
    bestdag_free(b->cycle);
    bestdag_free(b->best);
    *b = (struct bestdag_brancher){0};
}
