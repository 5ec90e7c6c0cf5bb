/* SPDX-License-Identifier: MIT */
/* arc_moves.c -- finds the best change of one arc. */
#include "search/direct/arc_moves.h"

#include <assert.h>
#include <string.h>

#include "base/random.h"

/* ---- allocation ---------------------------------------------------------- */

static int count_leaves(int n)
{
    int leaves = 1;
    while (leaves < n)
        leaves *= 2;
    return leaves;
}

int64_t bestdag_arc_moves_bytes(int n)
{
    int64_t each = sizeof(struct bestdag_move) + sizeof(bool) + sizeof(int);
    return n * each + 2 * count_leaves(n) * (int64_t)sizeof(int);
}

static void mark(struct bestdag_arc_moves *m, int v)
{
    if (!m->is_stale[v])
        m->stale[m->stales++] = v;
    m->is_stale[v] = true;
}

static int allocate(struct bestdag_run *run, struct bestdag_arc_moves *m)
{
    size_t n = (size_t)m->n, leaves = (size_t)m->leaves;
    m->best = bestdag_calloc(run, n, sizeof *m->best);
    m->winner = bestdag_alloc(run, 2 * leaves * sizeof *m->winner);
    m->is_stale = bestdag_calloc(run, n, sizeof *m->is_stale);
    m->stale = bestdag_alloc(run, n * sizeof *m->stale);
    m->tabu_list.seen = bestdag_alloc(run, (size_t)m->tabu_list.room *
                                               sizeof *m->tabu_list.seen);
    return bestdag_run_status(run);
}

struct bestdag_arc_moves *bestdag_arc_moves_new(
    struct bestdag_run *run, struct bestdag_closure *graph,
    const struct bestdag_arc_gains *gains, int tabu)
{
    struct bestdag_arc_moves *m = bestdag_calloc(run, 1, sizeof *m);
    if (!m)
        return NULL;
    m->graph = graph;
    m->gains = gains;
    m->n = graph->n;
    m->leaves = count_leaves(m->n);
    m->tabu_list.room = tabu;
    if (allocate(run, m)) {
        bestdag_arc_moves_free(m);
        return NULL;
    }
    for (int i = 0; i < 2 * m->leaves; i++)
        m->winner[i] = -1;
    for (int v = 0; v < m->n; v++)
        mark(m, v);
    return m;
}

void bestdag_arc_moves_free(struct bestdag_arc_moves *m)
{
    if (!m)
        return;
    bestdag_free(m->best);
    bestdag_free(m->winner);
    bestdag_free(m->is_stale);
    bestdag_free(m->stale);
    bestdag_free(m->tabu_list.seen);
    bestdag_precedence_release(&m->ahead);
    bestdag_closure_free(m->paths);
    bestdag_free(m);
}

/* ---- rules --------------------------------------------------------------- */

static bool is_ahead(const struct bestdag_arc_moves *m, int from, int to)
{
    const int32_t *ahead = bestdag_precedence_of(&m->ahead, to);
    for (int i = 0; i < bestdag_precedence_count(&m->ahead, to); i++)
        if (ahead[i] == from)
            return true;
    return false;
}

int bestdag_arc_moves_obey(struct bestdag_run *run, struct bestdag_arc_moves *m,
                           const struct bestdag_knowledge *k)
{
    m->knowledge = k;
    if (bestdag_precedence_init(run, &m->ahead, k) || !m->ahead.start)
        return bestdag_run_status(run);
    m->paths = bestdag_closure_new(run, m->n);
    for (int v = 0; m->paths && v < m->n; v++)
        for (int i = 0; i < bestdag_precedence_count(&m->ahead, v); i++)
            bestdag_closure_add(m->paths,
                                bestdag_precedence_of(&m->ahead, v)[i], v);
    return bestdag_run_status(run);
}

/* The parent set in `row`, with u added or removed. */
struct changed {
    const uint64_t *row;
    int u, count;
};

static bool holds(const struct bestdag_fact *f, struct changed set)
{
    if (f->kind == BESTDAG_FACT_DEGREE)
        return set.count >= f->low && set.count <= f->high;
    bool has = bestdag_row_has(set.row, f->parent) ^ (f->parent == set.u);
    return has == (f->kind == BESTDAG_FACT_HAS);
}

static bool satisfies(const struct bestdag_knowledge *k, int child,
                      struct changed set)
{
    for (int64_t i = k->local_start[child]; i < k->local_start[child + 1];
         i++) {
        bool any = false;
        for (int64_t j = k->local.clause[i].from;
             j < k->local.clause[i].to && !any; j++)
            any = holds(&k->local.fact[j], set);
        if (!any)
            return false;
    }
    return true;
}

/* Would the child, which obeys its rules, still do so with u added or
 * removed? */
static bool obeys(const struct bestdag_arc_moves *m, int child, int u)
{
    const struct bestdag_knowledge *k = m->knowledge;
    if (!k)
        return true;
    const uint64_t *row = bestdag_closure_parents(m->graph, child);
    bool is_removed = bestdag_row_has(row, u);
    struct changed set = {row, u,
                          m->graph->count[child] + (is_removed ? -1 : 1)};
    if (is_removed ? bestdag_knowledge_requires(k, child, u)
                   : !bestdag_knowledge_allows(k, child, u))
        return false;
    return set.count >= k->least[child] && set.count <= k->most[child] &&
           satisfies(k, child, set);
}

/* ---- visited graphs ------------------------------------------------------ */

static uint64_t number_of_arc(int from, int to)
{
    return bestdag_mix((uint64_t)from << 32 | (uint32_t)to);
}

static uint64_t after(const struct bestdag_tabu_list *t,
                      const struct bestdag_move *move)
{
    uint64_t graph = t->now ^ number_of_arc(move->from, move->to);
    return move->kind == BESTDAG_TURN
               ? graph ^ number_of_arc(move->to, move->from)
               : graph;
}

static bool is_tabu(const struct bestdag_tabu_list *t,
                    const struct bestdag_move *move)
{
    if (!t->used)
        return false;
    uint64_t graph = after(t, move);
    for (int i = 0; i < t->used; i++)
        if (t->seen[i] == graph)
            return true;
    return false;
}

static void remember(struct bestdag_tabu_list *t)
{
    if (!t->room)
        return;
    assert(t->next >= 0 && t->next < t->room);
    t->seen[t->next] = t->now;
    t->next = (t->next + 1) % t->room;
    t->used += t->used < t->room;
}

void bestdag_arc_moves_forget(struct bestdag_arc_moves *m)
{
    m->tabu_list.used = m->tabu_list.next = 0;
}

/* ---- the best move of a child -------------------------------------------- */

static int64_t gain_of_turn(const struct bestdag_arc_gains *g, int from, int to)
{
    int64_t drop = bestdag_gain(g, to, from), add = bestdag_gain(g, from, to);
    return drop == BESTDAG_NO_GAIN || add == BESTDAG_NO_GAIN ? BESTDAG_NO_GAIN
                                                             : drop + add;
}

bool bestdag_arc_moves_is_legal(const struct bestdag_arc_moves *m,
                                const struct bestdag_move *move)
{
    const struct bestdag_arc_gains *g = m->gains;
    const struct bestdag_closure *paths = m->paths ? m->paths : m->graph;
    int from = move->from, to = move->to;
    switch (move->kind) {
    case BESTDAG_ADD:
        return bestdag_arc_gains_has_room(g, to) &&
               bestdag_closure_can_add(m->graph, from, to) &&
               !bestdag_row_has(bestdag_closure_descendants(paths, to), from) &&
               obeys(m, to, from);
    case BESTDAG_DROP:
        return bestdag_row_has(bestdag_closure_parents(m->graph, to), from) &&
               obeys(m, to, from);
    case BESTDAG_TURN:
        return bestdag_arc_gains_has_room(g, from) &&
               bestdag_row_has(bestdag_closure_parents(m->graph, to), from) &&
               bestdag_closure_can_reverse(paths, from, to) &&
               obeys(m, to, from) && obeys(m, from, to);
    default:
        return false;
    }
}

/* Takes the move if it is better than *best. A tabu move is left out and sets
 * *barred, since it may be allowed after the next step. */
static void consider(const struct bestdag_arc_moves *m,
                     const struct bestdag_move *move, struct bestdag_move *best,
                     bool *barred)
{
    if (move->gain == BESTDAG_NO_GAIN ||
        (best->kind && move->gain <= best->gain) ||
        !bestdag_arc_moves_is_legal(m, move))
        return;
    if (is_tabu(&m->tabu_list, move))
        *barred = true;
    else
        *best = *move;
}

/* The best legal move of an arc into v (see arc_moves.h). */
static struct bestdag_move look_over(const struct bestdag_arc_moves *m, int v,
                                     bool *barred)
{
    const struct bestdag_arc_gains *g = m->gains;
    const uint64_t *parents = bestdag_closure_parents(m->graph, v);
    const int64_t *row = bestdag_arc_gains_row(g, v);
    int others = bestdag_arc_gains_others(g, v);
    struct bestdag_move best = {.gain = BESTDAG_NO_GAIN};
    for (int i = 0; i < others; i++) {
        int u = bestdag_arc_gains_other(g, v, i);
        struct bestdag_move move = {row[i], u, v, BESTDAG_ADD};
        if (u == v)
            continue;
        if (!bestdag_row_has(parents, u)) {
            if (row[i] > best.gain)
                consider(m, &move, &best, barred);
            continue;
        }
        move.kind = BESTDAG_DROP;
        consider(m, &move, &best, barred);
        move.kind = BESTDAG_TURN;
        move.gain = gain_of_turn(g, u, v);
        consider(m, &move, &best, barred);
    }
    return best;
}

/* ---- the best move of all ------------------------------------------------ */

static bool beats(const struct bestdag_arc_moves *m, int a, int b)
{
    if (a < 0 || b < 0)
        return a >= 0;
    const struct bestdag_move *x = &m->best[a], *y = &m->best[b];
    if (!x->kind || !y->kind)
        return x->kind != BESTDAG_NO_MOVE;
    return x->gain != y->gain ? x->gain > y->gain : a < b;
}

/* Finds the best move of a child and updates the tournament tree. */
static void settle(struct bestdag_arc_moves *m, int v)
{
    bool barred = false;
    m->best[v] = look_over(m, v, &barred);
    if (barred)
        mark(m, v);
    int at = m->leaves + v;
    m->winner[at] = m->best[v].kind ? v : -1;
    for (at /= 2; at; at /= 2) {
        int left = m->winner[2 * at], right = m->winner[2 * at + 1];
        m->winner[at] = beats(m, right, left) ? right : left;
    }
}

static void settle_stale(struct bestdag_arc_moves *m)
{
    int count = m->stales;
    m->stales = 0;
    for (int i = 0; i < count; i++) { /* only marks that are set need an
                                         update */
        m->is_stale[m->stale[i]] = false;
        settle(m, m->stale[i]);
    }
}

struct bestdag_move bestdag_arc_moves_pick(struct bestdag_arc_moves *m)
{
    settle_stale(m);
    for (;;) {
        int v = m->winner[1];
        if (v < 0)
            return (struct bestdag_move){.gain = BESTDAG_NO_GAIN};
        if (bestdag_arc_moves_is_legal(m, &m->best[v]) &&
            !is_tabu(&m->tabu_list, &m->best[v]))
            return m->best[v];
        settle(m, v);
    }
}

/* ---- making a move ------------------------------------------------------- */

static void mark_row(struct bestdag_arc_moves *m, const uint64_t *row)
{
    size_t words = m->graph->words;
    for (int v = bestdag_row_next(row, words, 0); v >= 0;
         v = bestdag_row_next(row, words, v + 1))
        mark(m, v);
}

/* The gains of v change: those of moves into v, and of reversing arcs out of
 * v. */
static void mark_child(struct bestdag_arc_moves *m, int v)
{
    mark(m, v);
    mark_row(m, bestdag_closure_children(m->graph, v));
}

/* Variables that no longer reach some others may get new parents, and arcs out
 * of them may become reversible. */
static void mark_freed(struct bestdag_arc_moves *m,
                       const struct bestdag_closure *paths)
{
    for (int i = 0; i < paths->frees; i++)
        mark_child(m, paths->freed[i]);
}

static void add_arc(struct bestdag_arc_moves *m, int from, int to)
{
    bestdag_closure_add(m->graph, from, to);
    if (m->paths && !is_ahead(m, from, to))
        bestdag_closure_add(m->paths, from, to);
}

static void drop_arc(struct bestdag_arc_moves *m, int from, int to)
{
    bestdag_closure_drop(m->graph, from, to);
    if (!m->paths) {
        mark_freed(m, m->graph);
    } else if (!is_ahead(m, from, to)) {
        bestdag_closure_drop(m->paths, from, to);
        mark_freed(m, m->paths);
    }
}

int bestdag_arc_moves_make(struct bestdag_arc_moves *m,
                           const struct bestdag_move *move, int children[2])
{
    remember(&m->tabu_list);
    m->tabu_list.now = after(&m->tabu_list, move);
    if (move->kind == BESTDAG_ADD)
        add_arc(m, move->from, move->to);
    else
        drop_arc(m, move->from, move->to);
    mark_child(m, move->to);
    children[0] = move->to;
    if (move->kind != BESTDAG_TURN)
        return 1;
    add_arc(m, move->to, move->from);
    mark_child(m, move->to);
    mark_child(m, move->from);
    children[1] = move->from;
    return 2;
}
