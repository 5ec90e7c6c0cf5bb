/* SPDX-License-Identifier: MIT */
/* bnb_branch.c -- cycles of the chosen sets, rules that they break.
 *
 * What comes before what by marks is free: a cycle u -> v ... w -> u in which v
 * is before w anyway has two arcs to decide, not three. Of the cycles with the
 * fewest arcs to decide the one is taken whose subcases cost most together.
 * Arcs that are dear to lose come first: the others then have them as musts.
 *
 * Time: a search over the chosen arcs and rows for each variable on a cycle. */
#include "search/arcs/bnb_branch.h"

#include <limits.h>
#include <string.h>

/* ---- the graph of the chosen sets ------------------------------------------
 */

static uint64_t *row_of(const struct bestdag_brancher *b, int v)
{
    return b->child + (size_t)v * b->decider->marked.words;
}

static void draw_graph(struct bestdag_brancher *b)
{
    const struct bestdag_arc_marks *m = &b->decider->marked;
    memset(b->child, 0, (size_t)m->n * m->words * sizeof *b->child);
    for (int v = 0; v < m->n; v++) {
        const struct bestdag_list *list = &m->problem->sets->list[v];
        int set = b->choice[v];
        for (int64_t k = list->start[set]; k < list->start[set + 1]; k++)
            bestdag_row_add(row_of(b, list->member[k]), v);
    }
}

static bool must(const struct bestdag_arc_marks *m, int child, int parent)
{
    int local = bestdag_problem_local(m->problem, child, parent);
    return local >= 0 && bestdag_arc_marks_is(m, m->must, child, local);
}

static bool add_fact(struct bestdag_brancher *b, struct bestdag_fact fact)
{
    if (b->count == b->room) {
        int room = 2 * b->room + 16;
        struct bestdag_run *run = b->decider->marked.run;
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

/* ---- cycles ----------------------------------------------------------------
 */

/* core: who is on a cycle of chosen arcs and free ones, or leads there. */
static bool find_core(struct bestdag_brancher *b)
{
    const struct bestdag_arc_marks *m = &b->decider->marked;
    size_t words = m->words;
    bool any = true, is_less = true;
    memset(b->core, 0, words * sizeof *b->core);
    for (int v = 0; v < m->n; v++)
        bestdag_row_add(b->core, v);
    while (is_less && any) {
        is_less = any = false;
        for (int v = bestdag_row_next(b->core, words, 0); v >= 0;
             v = bestdag_row_next(b->core, words, v + 1)) {
            const uint64_t *to = row_of(b, v);
            const uint64_t *after = bestdag_arc_marks_row(m, m->after, v);
            uint64_t goes_on = 0;
            for (size_t w = 0; w < words; w++)
                goes_on |= (to[w] | after[w]) & b->core[w];
            any |= goes_on != 0;
            is_less |= !goes_on;
            if (!goes_on)
                bestdag_row_drop(b->core, v);
        }
    }
    return any;
}

/* What v loses without this parent; not more than n of them can add up. */
static int64_t loss_of(const struct bestdag_brancher *b, int v, int parent)
{
    const struct bestdag_arc_marks *m = &b->decider->marked;
    const struct bestdag_indexed_list *candidates = &m->problem->candidates[v];
    int local = bestdag_problem_local(m->problem, v, parent);
    int set = b->choice[v];
    int64_t most = m->problem->none / (m->n + 1);
    while (set < candidates->count &&
           bestdag_indexed_list_holds(candidates, set, local))
        set = bestdag_arc_marks_first(m, v, set + 1);
    int64_t loss = candidates->cost[set] - candidates->cost[b->choice[v]];
    return loss < most ? loss : most;
}

static bool is_free(const struct bestdag_arc_marks *m, int u, int v)
{
    return bestdag_row_has(bestdag_arc_marks_row(m, m->after, u), v);
}

/* From `last`, before the start again, back to it: the arcs that are to be
 * decided, the dearest first; how many. */
static int trace(struct bestdag_brancher *b, int start, int last)
{
    const struct bestdag_arc_marks *m = &b->decider->marked;
    int arcs = 0;
    for (int v = start, u = last;; v = u, u = b->from[u]) {
        if (!is_free(m, u, v)) {
            struct bestdag_loss arc = {u, v, loss_of(b, v, u)};
            int k = arcs++;
            for (; k > 0 && b->cycle[k - 1].loss < arc.loss; k--)
                b->cycle[k] = b->cycle[k - 1];
            b->cycle[k] = arc;
        }
        if (u == start)
            return arcs;
    }
}

/* Keeps the cycle if it is better than the best one until now. */
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

/* Those of the row that are in the core and new go behind `end`. */
static int enqueue(struct bestdag_brancher *b, int x, const uint64_t *row,
                   int end)
{
    size_t words = b->decider->marked.words;
    for (size_t w = 0; w < words; w++) {
        uint64_t fresh = row[w] & b->core[w] & ~b->seen[w];
        b->seen[w] |= fresh;
        for (; fresh; fresh &= fresh - 1) {
            int v = (int)w * 64 + __builtin_ctzll(fresh);
            b->from[v] = x;
            b->queue[end++] = v;
        }
    }
    return end;
}

/* Who is last on a cycle through `start` with the fewest arcs to decide, no
 * more than the best one has; -1: there is none. Level by level: free arcs
 * stay on their level. */
static int find_last(struct bestdag_brancher *b, int start)
{
    const struct bestdag_arc_marks *m = &b->decider->marked;
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
            end = enqueue(b, x, bestdag_arc_marks_row(m, m->after, x), end);
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

/* The best cycle becomes facts; false: memory. */
static bool find_cycle(struct bestdag_brancher *b)
{
    size_t words = b->decider->marked.words;
    b->arcs = 0;
    if (!find_core(b))
        return true;
    for (int v = bestdag_row_next(b->core, words, 0); v >= 0;
         v = bestdag_row_next(b->core, words, v + 1)) {
        int last = find_last(b, v);
        if (last >= 0)
            consider(b, trace(b, v, last));
        bestdag_row_drop(b->core, v); /* cycles through it were looked at */
    }
    bool good = true;
    for (int i = 0; i < b->arcs && good; i++)
        good =
            add_arc(b, BESTDAG_FACT_LACKS, b->best[i].parent, b->best[i].child);
    return good;
}

/* ---- paths -----------------------------------------------------------------
 */

/* Is there a path along chosen arcs? Then `from` leads back. */
static bool has_path(struct bestdag_brancher *b, int start, int end)
{
    size_t words = b->decider->marked.words;
    int count = 1;
    memset(b->seen, 0, words * sizeof *b->seen);
    memset(b->core, 0xff, words * sizeof *b->core);
    bestdag_row_add(b->seen, start);
    b->queue[0] = start;
    for (int i = 0; i < count && !bestdag_row_has(b->seen, end); i++)
        count = enqueue(b, b->queue[i], row_of(b, b->queue[i]), count);
    return start != end && bestdag_row_has(b->seen, end);
}

/* The path that was found must lose an arc. */
static bool break_path(struct bestdag_brancher *b, int start, int end)
{
    bool good = true;
    for (int v = end; v != start && good; v = b->from[v])
        if (!must(&b->decider->marked, v, b->from[v]))
            good = add_arc(b, BESTDAG_FACT_LACKS, b->from[v], v);
    return good;
}

/* A path must be: an arc leaves what `start` reaches by musts, for something
 * from which `end` can still be reached. */
static bool extend_path(struct bestdag_brancher *b, int start, int end)
{
    const struct bestdag_propagation *d = b->decider;
    const struct bestdag_problem *p = d->marked.problem;
    bool good = true;
    bestdag_propagation_reach(d, start, false, b->seen);
    bestdag_propagation_origins(d, end, true, b->mine);
    for (int u = 0; u < p->n; u++) {
        if (!bestdag_row_has(b->seen, u))
            continue;
        for (int64_t k = p->user_start[u]; k < p->user_start[u + 1] && good;
             k++) {
            const struct bestdag_user *to = &p->user[k];
            if (!bestdag_row_has(b->seen, to->child) &&
                bestdag_row_has(b->mine, to->child) &&
                !bestdag_arc_marks_is(&d->marked, d->marked.barred, to->child,
                                      to->local))
                good = add_arc(b, BESTDAG_FACT_HAS, u, to->child);
        }
    }
    return good;
}

/* ---- rules -----------------------------------------------------------------
 */

static bool has_arc(const struct bestdag_brancher *b, int child, int parent)
{
    return bestdag_row_has(row_of(b, parent), child);
}

static bool has_child(const struct bestdag_brancher *b, int u)
{
    return bestdag_row_next(row_of(b, u), b->decider->marked.words, 0) >= 0;
}

/* Does the fact hold for the chosen sets? */
static bool holds(struct bestdag_brancher *b, const struct bestdag_fact *f)
{
    const struct bestdag_arc_marks *m = &b->decider->marked;
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

/* Somebody must have u as a parent. */
static bool offer_children(struct bestdag_brancher *b, int u)
{
    const struct bestdag_arc_marks *m = &b->decider->marked;
    const struct bestdag_problem *p = m->problem;
    bool good = true;
    for (int64_t k = p->user_start[u]; k < p->user_start[u + 1] && good; k++)
        if (!bestdag_arc_marks_is(m, m->barred, p->user[k].child,
                                  p->user[k].local))
            good = add_arc(b, BESTDAG_FACT_HAS, u, p->user[k].child);
    return good;
}

/* What is owed and not there. */
static bool break_owed(struct bestdag_brancher *b, const struct bestdag_owed *o)
{
    struct bestdag_fact f = o->fact, other = o->fact;
    switch (f.kind) {
    case BESTDAG_FACT_USED:
        return offer_children(b, f.parent);
    case BESTDAG_FACT_ANCESTOR:
        return extend_path(b, f.parent, f.child);
    case BESTDAG_FACT_NOT_ANCESTOR: /* the path was just found */
        return break_path(b, f.parent, f.child);
    case BESTDAG_FACT_APART: /* does not hold */
        return add_arc(b, BESTDAG_FACT_HAS, f.parent, f.child) &&
               add_arc(b, BESTDAG_FACT_HAS, f.child, f.parent);
    case BESTDAG_FACT_DEGREE: /* likewise */
        f.high = f.low - 1;
        f.low = 0;
        other.low = other.high + 1;
        other.high = INT_MAX;
        return add_fact(b, f) && add_fact(b, other);
    default:
        return true;
    }
}

/* The literals of a clause that the marks leave open. */
static bool break_clause(struct bestdag_brancher *b,
                         const struct bestdag_disjunction *c)
{
    const struct bestdag_fact *fact = b->decider->k->cross.fact;
    bool good = true;
    for (int64_t i = c->from; i < c->to && good; i++)
        if (bestdag_propagation_truth(b->decider, &fact[i]) == BESTDAG_UNSURE)
            good = add_fact(b, fact[i]);
    return good;
}

/* Something that is owed, or a clause, and does not hold; true: all is well. */
static bool find_breach(struct bestdag_brancher *b, bool *good)
{
    const struct bestdag_propagation *d = b->decider;
    const struct bestdag_clauses *all = d->k ? &d->k->cross : NULL;
    for (int64_t i = 0; i < *d->marked.spare; i++)
        if (holds(b, &d->owed[i].fact) != d->owed[i].holds) {
            *good = break_owed(b, &d->owed[i]);
            return false;
        }
    for (int64_t i = 0; all && i < all->count; i++) {
        int64_t k = all->clause[i].from, to = all->clause[i].to;
        while (k < to && !holds(b, &all->fact[k]))
            k++;
        if (k == to) {
            *good = break_clause(b, &all->clause[i]);
            return false;
        }
    }
    return true;
}

/* Order rules are no clauses: what they say is in the rows of what comes before
 * what, and a graph breaks them if it closes a cycle with those. */
bool bestdag_brancher_obeys(struct bestdag_brancher *b)
{
    bool good = true;
    b->count = 0;
    draw_graph(b);
    return !find_core(b) && find_breach(b, &good);
}

/* One of these members has a parent in the cluster that it has not as chosen,
 * or none has. */
static bool break_slack(struct bestdag_brancher *b,
                        const struct bestdag_slack *slack)
{
    const struct bestdag_arc_marks *m = &b->decider->marked;
    bool good = true;
    for (int k = 0; k < slack->children; k++)
        for (int i = 0; i < slack->size && good; i++) {
            int v = slack->child[k], u = slack->member[i];
            int local = bestdag_problem_local(m->problem, v, u);
            if (local >= 0 && !has_arc(b, v, u) &&
                !bestdag_arc_marks_is(m, m->barred, v, local))
                good = add_arc(b, BESTDAG_FACT_HAS, u, v);
        }
    return good && b->count &&
           add_arc(b, BESTDAG_FACT_LACKS, b->fact[0].parent, b->fact[0].child);
}

static int64_t cost_of(const struct bestdag_brancher *b)
{
    const struct bestdag_problem *p = b->decider->marked.problem;
    int64_t sum = 0;
    for (int v = 0; v < p->n; v++)
        sum += p->candidates[v].cost[b->choice[v]];
    return sum;
}

/* A DAG that obeys, and is as good as the bound or shows where that pays too
 * much. False: there is none, or nothing is to be learnt. Where one breaks a
 * rule it is better to see first what is on a cycle: less is open then. */
static bool find_slack(struct bestdag_brancher *b, enum bestdag_branch *to)
{
    const struct bestdag_arc_marks *m = &b->decider->marked;
    const struct bestdag_arc_bound *c = m->ceiling;
    struct bestdag_slack slack;
    if (!c->row->settled || !c->row->settled(c->data, m, b->choice) ||
        !bestdag_brancher_obeys(b))
        return false;
    *to = BESTDAG_BREAK_NONE;
    if (cost_of(b) <= *m->bound)
        return true;
    *to = BESTDAG_BREAK_FACTS;
    return c->row->slack(c->data, m, &slack) && break_slack(b, &slack);
}

enum bestdag_branch bestdag_brancher_find(struct bestdag_brancher *b)
{
    const struct bestdag_arc_marks *m = &b->decider->marked;
    bool good = true;
    enum bestdag_branch found;
    b->count = 0;
    if (find_slack(b, &found))
        return found;
    b->count = 0;
    m->ceiling->row->choose(m->ceiling->data, m, b->choice);
    draw_graph(b);
    if (!find_cycle(b))
        return BESTDAG_BREAK_FAILED;
    if (!b->arcs && find_breach(b, &good))
        return BESTDAG_BREAK_NONE;
    return good ? BESTDAG_BREAK_FACTS : BESTDAG_BREAK_FAILED;
}

/* ---- all of it -------------------------------------------------------------
 */

int bestdag_brancher_init(struct bestdag_run *run, struct bestdag_brancher *b,
                          struct bestdag_propagation *decider)
{
    size_t n = (size_t)decider->marked.n, words = decider->marked.words;
    *b = (struct bestdag_brancher){.decider = decider};
    b->choice = bestdag_alloc(run, n * sizeof *b->choice);
    b->queue = bestdag_alloc(run, (n + 1) * sizeof *b->queue);
    b->from = bestdag_alloc(run, n * sizeof *b->from);
    b->core = bestdag_alloc(run, words * sizeof *b->core);
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
    bestdag_free(b->core);
    bestdag_free(b->seen);
    bestdag_free(b->mine);
    bestdag_free(b->child);
    bestdag_free(b->cycle);
    bestdag_free(b->best);
    *b = (struct bestdag_brancher){0};
}
