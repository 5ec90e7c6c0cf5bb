/* SPDX-License-Identifier: MIT */
/* bnb_node.c -- one node: its decisions, its bound, its children.
 *
 * A fact that was false for a child is false for all later ones, even if the
 * child itself is impossible. A child's bound is that of its own decisions and
 * what follows from them, but never below its parent's. */
#include "search/arcs/bnb_node.h"
#include "base/growing_array.h"

#include <assert.h>
#include <string.h>

/* Measured on water1000, hailfinder (bench/log/2026-11-17-sensitivity.csv). */
enum {
    ROUNDS = 2, /* of tightening; 1: the same, 4: gap of hailfinder x 0.98 */
    ONLY = 64,  /* chains of only children up to this length count as one node;
                   8..512: the same */
    LOOKS = 8   /* sets examined in the time of a decision, per variable */
};

/* Lower bound and limit of a node: costs outside are ignored. */
struct range {
    int64_t least, limit;
};

/* ---- a node -------------------------------------------------------------- */

/* Decides the i-th child of an inner node: facts before i do not hold, the i-th
 * does. */
static bool decide_child(struct bestdag_bnb_node *e,
                         const struct bestdag_fact *fact, int i)
{
    bool good = true;
    for (int k = 0; k < i && good; k++)
        good = bestdag_propagate(&e->propagation, &fact[k], false);
    return good && bestdag_propagate(&e->propagation, &fact[i], true);
}

/* Lists the inner nodes above the node, nearest first; negative: error. */
static int list_path(struct bestdag_bnb_node *e,
                     const struct bestdag_bnb_leaf *leaf)
{
    int count = 0;
    for (const struct bestdag_bnb_inner_node *f = leaf->fork; f; f = f->up) {
        if (!BESTDAG_GROW(e->run, e->path, e->path_room, count + 1))
            return -1;
        e->path[count++] = f;
    }
    return count;
}

/* Makes all decisions of the node, and what follows. */
static bool rebuild(struct bestdag_bnb_node *e,
                    const struct bestdag_bnb_leaf *leaf)
{
    bestdag_arc_state_undo(&e->propagation.state, e->propagation.base);
    int count = list_path(e, leaf);
    bool good = count >= 0 && e->propagation.possible;
    for (int i = count - 1; i >= 0 && good; i--)
        good = decide_child(e, e->path[i]->fact,
                            i ? e->path[i - 1]->index : leaf->index);
    return good && bestdag_propagation_settle(&e->propagation);
}

/* ---- networks and bounds ------------------------------------------------- */

/* Room for so many more. */
static bool make_room(struct bestdag_run *run, struct bestdag_bnb_children *b,
                      int branchings, int facts)
{
    if (!BESTDAG_GROW(run, b->branching, b->branching_room,
                      b->branchings + branchings))
        return false;
    if (b->facts + facts > b->room) {
        int room = 2 * b->room + facts + 16;
        void *fact =
            bestdag_realloc(run, b->fact, (size_t)room * sizeof *b->fact);
        b->fact = fact ? fact : b->fact;
        void *bound =
            bestdag_realloc(run, b->bound, (size_t)room * sizeof *b->bound);
        b->bound = bound ? bound : b->bound;
        if (!fact || !bound)
            return false;
        b->room = room;
    }
    return true;
}

/* Keeps the network if it is the best of these children. */
static int64_t keep_network(struct bestdag_bnb_node *e,
                            struct bestdag_bnb_children *to)
{
    const struct bestdag_problem *p = e->propagation.state.problem;
    int64_t cost = 0;
    for (int v = 0; v < p->n; v++)
        cost += p->candidates[v].cost[e->brancher.choice[v]];
    if (cost < to->cost) {
        to->cost = cost;
        memcpy(to->found, e->brancher.choice, (size_t)p->n * sizeof *to->found);
    }
    return to->cost;
}

/* Takes over networks that the bound finds as a by-product. */
static void take_guess(struct bestdag_bnb_node *e, int64_t *limit,
                       struct bestdag_bnb_children *to)
{
    const struct bestdag_arc_state *m = &e->propagation.state;
    const struct bestdag_arc_bound *c = m->arc_bound;
    if (!c->row->guess || !c->row->guess(c->data, m, e->brancher.choice) ||
        !bestdag_brancher_obeys(&e->brancher))
        return;
    int64_t cost = keep_network(e, to);
    *limit = cost < *limit ? cost : *limit;
}

/* Tightens the bound and propagates, for a few rounds. False: no network below
 * the limit is left. */
static bool tighten(struct bestdag_bnb_node *e, int64_t *limit,
                    struct bestdag_bnb_children *to)
{
    struct bestdag_arc_state *m = &e->propagation.state;
    const struct bestdag_arc_bound *c = m->arc_bound;
    if (!c->row->tighten)
        return true;
    for (int i = 0; i < ROUNDS; i++) {
        if (!c->row->tighten(c->data, m, *limit))
            return false;
        if (!i)
            take_guess(e, limit, to);
        bool is_new = m->logged > 0;
        if ((is_new && !bestdag_propagation_settle(&e->propagation)) ||
            *m->bound >= *limit)
            return false;
        if (!is_new)
            break;
    }
    return true;
}

/* Computes the bounds of all children, at least the node's own; restores the
 * state. */
static void bound_children(struct bestdag_bnb_node *e, struct range range,
                           const struct bestdag_bnb_child *s,
                           struct bestdag_bnb_children *to)
{
    struct bestdag_arc_state *m = &e->propagation.state;
    size_t before = m->trailed;
    int64_t limit = range.limit;
    int64_t own = *m->bound > range.least ? *m->bound : range.least;
    bool good = true;
    for (int i = 0; i < s->count; i++) {
        const struct bestdag_fact *fact = &to->fact[s->from + i];
        int64_t *bound = &to->bound[s->from + i];
        size_t here = m->trailed;
        *bound = m->problem->none;
        if (good && bestdag_propagate(&e->propagation, fact, true) &&
            bestdag_propagation_settle(&e->propagation))
            *bound = *m->bound > own ? *m->bound : own;
        if (*bound >= limit)
            *bound = m->problem->none;
        bestdag_arc_state_undo(m, here);
        good = good && i + 1 < s->count &&
               bestdag_propagate(&e->propagation, fact, false) &&
               bestdag_propagation_settle(&e->propagation) && *m->bound < limit;
    }
    bestdag_arc_state_undo(m, before);
    assert(m->trailed == before);
}

/* The child with the least bound; -1: none. *alive: how many are left. */
static int find_best(const struct bestdag_bnb_child *s,
                     const struct bestdag_bnb_children *b, int64_t none,
                     int *alive)
{
    int best = -1;
    int64_t least = none;
    *alive = 0;
    for (int i = 0; i < s->count; i++) {
        *alive += b->bound[s->from + i] < none;
        if (b->bound[s->from + i] < least) {
            least = b->bound[s->from + i];
            best = i;
        }
    }
    return best;
}

/* Splits the present node of the propagation; false: nothing to split, or an
 * error. */
static bool split(struct bestdag_bnb_node *e, struct range *range,
                  struct bestdag_bnb_children *to)
{
    const struct bestdag_brancher *b = &e->brancher;
    to->expanded++;
    if (!tighten(e, &range->limit, to))
        return false;
    enum bestdag_branch found = bestdag_brancher_find(&e->brancher);
    if (found == BESTDAG_BREAK_NONE) {
        int64_t cost = keep_network(e, to);
        range->limit = cost < range->limit ? cost : range->limit;
    }
    if (found != BESTDAG_BREAK_FACTS || !make_room(e->run, to, 1, b->count))
        return false;
    struct bestdag_bnb_child *s = &to->branching[to->branchings++];
    *s = (struct bestdag_bnb_child){.from = to->facts, .count = b->count};
    s->next = -1;
    memcpy(to->fact + to->facts, b->fact, (size_t)b->count * sizeof *b->fact);
    to->facts += b->count;
    assert(to->facts <= to->room && to->branchings <= to->branching_room);
    bound_children(e, *range, s, to);
    return true;
}

/* Sets that the bound has examined on this thread. */
static int64_t work_of(const struct bestdag_bnb_node *e)
{
    const struct bestdag_arc_state *m = &e->propagation.state;
    const struct bestdag_arc_bound *b = m->arc_bound;
    return b->row->work && m->mine ? b->row->work(b->data, m->mine) : 0;
}

int bestdag_bnb_node_expand(struct bestdag_bnb_node *e,
                            const struct bestdag_bnb_leaf *leaf,
                            struct bestdag_expand_limits dive,
                            struct bestdag_bnb_children *to)
{
    const struct bestdag_problem *p = e->propagation.state.problem;
    struct range range = {leaf->bound, dive.limit};
    int64_t before = work_of(e);
    to->branchings = to->facts = 0;
    to->expanded = 0;
    to->cost = p->none;
    /* With a tightened bound, chains of only children are followed at once. */
    bool goes_on = e->propagation.state.arc_bound->row->tighten != NULL;
    bool good = rebuild(e, leaf) && *e->propagation.state.bound < range.limit;
    while (good && split(e, &range, to) && !bestdag_run_stopped(e->run)) {
        struct bestdag_bnb_child *s = &to->branching[to->branchings - 1];
        int alive, best = find_best(s, to, p->none, &alive);
        bool is_only = alive == 1 && goes_on && to->branchings % ONLY;
        if (best < 0 || (to->expanded >= dive.most && !is_only))
            break;
        to->expanded -= is_only;
        s->next = best;
        range.least = to->bound[s->from + best];
        good = decide_child(e, to->fact + s->from, best) &&
               bestdag_propagation_settle(&e->propagation);
    }
    to->work = work_of(e) - before +
               (int64_t)LOOKS * p->n * (to->expanded + to->facts);
    return bestdag_run_status(e->run);
}

/* ---- other ranks --------------------------------------------------------- */

void bestdag_bnb_children_pass(struct bestdag_run *run,
                               const struct bestdag_problem *problem,
                               struct bestdag_bnb_children *children,
                               struct bestdag_archive *p)
{
    int branchings = children->branchings, facts = children->facts;
    BESTDAG_PASS(p, branchings);
    BESTDAG_PASS(p, facts);
    BESTDAG_PASS(p, children->cost);
    BESTDAG_PASS(p, children->expanded);
    BESTDAG_PASS(p, children->work);
    if (bestdag_archive_opens(p)) {
        children->branchings = children->facts = 0;
        if (!make_room(run, children, branchings, facts))
            return;
        children->branchings = branchings;
        children->facts = facts;
    }
    bestdag_archive_pass(p, children->branching,
                         (size_t)branchings * sizeof *children->branching);
    bestdag_archive_pass(p, children->fact,
                         (size_t)facts * sizeof *children->fact);
    bestdag_archive_pass(p, children->bound,
                         (size_t)facts * sizeof *children->bound);
    if (children->cost < problem->none)
        bestdag_archive_pass(p, children->found,
                             (size_t)problem->n * sizeof *children->found);
}

/* ---- memory -------------------------------------------------------------- */

int bestdag_bnb_node_init(struct bestdag_run *run, struct bestdag_bnb_node *e,
                          const struct bestdag_problem *problem,
                          const struct bestdag_arc_bound *arc_bound,
                          const struct bestdag_knowledge *knowledge)
{
    *e = (struct bestdag_bnb_node){.run = run};
    if (bestdag_propagation_init(run, &e->propagation, problem, arc_bound,
                                 knowledge))
        return bestdag_run_status(run);
    return bestdag_brancher_init(run, &e->brancher, &e->propagation);
}

int bestdag_bnb_node_prepare(struct bestdag_run *run,
                             const struct bestdag_arc_bound *arc_bound,
                             const struct bestdag_problem *problem,
                             const struct bestdag_knowledge *knowledge,
                             int64_t limit)
{
    struct bestdag_propagation d = {0};
    if (arc_bound->row->prepare &&
        !bestdag_propagation_init(run, &d, problem, arc_bound, knowledge) &&
        d.possible)
        arc_bound->row->prepare(arc_bound->data, &d.state, limit);
    bestdag_propagation_release(&d);
    return bestdag_run_status(run);
}

void bestdag_bnb_node_release(struct bestdag_bnb_node *e)
{
    bestdag_brancher_release(&e->brancher);
    bestdag_propagation_release(&e->propagation);
    bestdag_free(e->path);
    *e = (struct bestdag_bnb_node){0};
}

void bestdag_bnb_children_release(struct bestdag_bnb_children *children)
{
    bestdag_free(children->branching);
    bestdag_free(children->fact);
    bestdag_free(children->bound);
    bestdag_free(children->found);
    *children = (struct bestdag_bnb_children){0};
}
