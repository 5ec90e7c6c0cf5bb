/* SPDX-License-Identifier: MIT */
/* astar.c -- the optimal network by A* over subsets.
 *
 * A node is a set S of variables whose order is settled, at cost g(S); adding v
 * costs best(v, S). The way from nothing to all variables of a component is an
 * order, and the cheapest way an optimal one (Yuan and Malone 2012). Nodes are
 * expanded by f = g + h; three things keep them few:
 *
 *   h       static pattern databases: variables are cut into groups, and for
 *           every set U of one group the table has the least cost of adding U
 *           last, all others being there. Groups add up, h never exceeds the
 *           true cost to go, and it is consistent: no node is opened again.
 *   limit   a node is kept only if f is below what the incumbent costs.
 *   forced  if some v already has the best set it can ever have, it is added
 *           alone: nothing is gained by waiting (Karan and Zola 2016).
 *
 * Each component of the core is solved alone. Stopped, by a limit or by memory,
 * the least f that is open bounds its component, and the incumbent stays.
 *
 * Memory: 16 bytes a node in a table at most two thirds full, which doubles,
 * and 16 an open entry. The way back is found again from the costs. */
#include "problem/core.h"
#include "search/incumbent.h"

enum { MOST = 64, WATCH = 1024 };

static const int64_t CLOSED = INT64_MIN; /* the sign of a node's g */

struct node {
    uint64_t set;
    int64_t g; /* with CLOSED, if it was expanded; NONE: the slot is empty */
};

static const int64_t NONE = INT64_MAX;

struct entry {
    int64_t f;
    uint64_t set;
};

/* The cost of adding the missing ones of a group, by which they are. */
struct group {
    int from, size;
    int64_t *cost; /* owns; [2^size] */
};

struct search {
    struct bestdag_task *task;
    struct bestdag_run *run;
    const struct bestdag_component *at;
    uint64_t all;
    struct group group[MOST];
    int groups;
    int64_t future[MOST];      /* the least that v can cost */
    struct node *node;         /* owns; [slots] */
    uint64_t slots, nodes;     /* slots: a power of two */
    struct entry *open;        /* owns; [room]: a heap */
    int64_t opened, room;      /* of the heap */
    int64_t limit;             /* nodes from here on are not wanted */
    int64_t bytes;             /* that there may be */
    int64_t steps, most_steps; /* look-ups; 0: no limit */
    int64_t expanded;
    bool is_full; /* memory or steps are used up */
};

static int64_t look_up(struct search *s, int v, uint64_t available)
{
    s->steps++;
    return bestdag_piece_best(&s->at->piece[v], available);
}

/* ---- cost to go ------------------------------------------------------------
 */

static int64_t cost_to_go(const struct search *s, uint64_t set)
{
    uint64_t missing = s->all & ~set;
    int64_t h = 0;
    for (int i = 0; i < s->groups; i++) {
        const struct group *g = &s->group[i];
        h += g->cost[missing >> g->from & (((uint64_t)1 << g->size) - 1)];
    }
    return h;
}

/* c(U) = min over v in U of best(v, all - U) + c(U - v). */
static int fill_group(struct search *s, struct group *g)
{
    uint64_t size = (uint64_t)1 << g->size;
    g->cost = bestdag_alloc(s->run, size * sizeof *g->cost);
    if (!g->cost)
        return bestdag_run_status(s->run);
    g->cost[0] = 0;
    for (uint64_t u = 1; u < size; u++) {
        uint64_t others = s->all & ~(u << g->from);
        g->cost[u] = NONE;
        for (uint64_t left = u; left; left &= left - 1) {
            int v = g->from + __builtin_ctzll(left);
            int64_t sum = look_up(s, v, others) + g->cost[u & ~(left & -left)];
            if (sum < g->cost[u])
                g->cost[u] = sum;
        }
        if (!(u % WATCH))
            bestdag_run_watch(s->run, s->expanded);
    }
    return BESTDAG_OK;
}

/* Groups of nearly the same size, at most what was asked for. */
static int fill_groups(struct search *s)
{
    int n = s->at->n;
    int most = (int)bestdag_task_setting(s->task, "group").integer;
    most = most < 1 ? 1 : most;
    s->groups = (n + most - 1) / most;
    if (s->groups < 2 && n > 8)
        s->groups = 2; /* one group alone would be the whole search */
    for (int i = 0; i < s->groups; i++) {
        struct group *g = &s->group[i];
        g->from = i * n / s->groups;
        g->size = (i + 1) * n / s->groups - g->from;
        if (fill_group(s, g))
            return bestdag_run_status(s->run);
    }
    for (int v = 0; v < n; v++)
        s->future[v] = look_up(s, v, s->all);
    return BESTDAG_OK;
}

/* ---- nodes -----------------------------------------------------------------
 */

static uint64_t slot_of(const struct search *s, uint64_t set)
{
    uint64_t hash = set * 0x9e3779b97f4a7c15u;
    uint64_t at = (hash ^ hash >> 32) & (s->slots - 1);
    while (s->node[at].g != NONE && s->node[at].set != set)
        at = (at + 1) & (s->slots - 1);
    return at;
}

/* Would this much more be too much? Then the search is over. */
static bool is_too_much(struct search *s, int64_t bytes)
{
    s->is_full |= bytes > s->bytes - bestdag_memory_used(s->run);
    return s->is_full;
}

static int make_slots(struct search *s, uint64_t slots)
{
    struct node *old = s->node;
    uint64_t before = s->slots;
    s->node = bestdag_alloc(s->run, slots * sizeof *s->node);
    if (!s->node) {
        s->node = old;
        return bestdag_run_status(s->run);
    }
    s->slots = slots;
    for (uint64_t i = 0; i < slots; i++)
        s->node[i].g = NONE;
    for (uint64_t i = 0; i < before; i++)
        if (old[i].g != NONE)
            s->node[slot_of(s, old[i].set)] = old[i];
    bestdag_free(old);
    return BESTDAG_OK;
}

static int make_room(struct search *s)
{
    int64_t room = s->room ? 2 * s->room : 1024;
    if (is_too_much(s, room * (int64_t)sizeof *s->open))
        return BESTDAG_OK;
    struct entry *open =
        bestdag_realloc(s->run, s->open, (size_t)room * sizeof *open);
    if (!open)
        return bestdag_run_status(s->run);
    s->open = open;
    s->room = room;
    return BESTDAG_OK;
}

/* Larger sets first among equals: they are nearer to the end. */
static bool is_before(struct entry a, struct entry b)
{
    return a.f != b.f ? a.f < b.f : a.set > b.set;
}

static void push(struct search *s, struct entry e)
{
    int64_t i = s->opened++;
    for (; i > 0 && is_before(e, s->open[(i - 1) / 2]); i = (i - 1) / 2)
        s->open[i] = s->open[(i - 1) / 2];
    s->open[i] = e;
}

static struct entry pop(struct search *s)
{
    struct entry top = s->open[0], last = s->open[--s->opened];
    int64_t i = 0;
    for (int64_t k; (k = 2 * i + 1) < s->opened; i = k) {
        if (k + 1 < s->opened && is_before(s->open[k + 1], s->open[k]))
            k++;
        if (!is_before(s->open[k], last))
            break;
        s->open[i] = s->open[k];
    }
    s->open[i] = last;
    return top;
}

/* Room for one node more, in the table and in the heap. */
static int ensure_room(struct search *s)
{
    if (s->nodes * 3 >= s->slots * 2 &&
        !is_too_much(s, (int64_t)(2 * s->slots * sizeof *s->node)) &&
        make_slots(s, 2 * s->slots))
        return bestdag_run_status(s->run);
    return s->opened == s->room ? make_room(s) : BESTDAG_OK;
}

/* `set` can be reached at cost g. */
static int reach(struct search *s, uint64_t set, int64_t g)
{
    int64_t f = g + cost_to_go(s, set);
    if (f >= s->limit)
        return BESTDAG_OK;
    if (ensure_room(s) || s->is_full)
        return bestdag_run_status(s->run);
    struct node *node = &s->node[slot_of(s, set)];
    bool is_new = node->g == NONE;
    if (!is_new && (node->g < 0 || node->g <= g))
        return BESTDAG_OK;
    s->nodes += is_new;
    *node = (struct node){set, g};
    push(s, (struct entry){f, set});
    return BESTDAG_OK;
}

/* ---- the search ------------------------------------------------------------
 */

/* What each missing one costs now; stops at one that will never cost less, and
 * returns it alone. */
static uint64_t weigh(struct search *s, uint64_t set, int64_t cost[MOST])
{
    uint64_t missing = s->all & ~set;
    for (uint64_t left = missing; left; left &= left - 1) {
        int v = __builtin_ctzll(left);
        cost[v] = look_up(s, v, set);
        if (cost[v] == s->future[v])
            return left & -left;
    }
    return missing;
}

static int expand(struct search *s, uint64_t set, int64_t g)
{
    int64_t cost[MOST];
    uint64_t next = weigh(s, set, cost);
    for (; next; next &= next - 1)
        if (reach(s, set | (next & -next), g + cost[__builtin_ctzll(next)]))
            break;
    return bestdag_run_status(s->run);
}

static bool is_over(struct search *s)
{
    if (!(s->expanded % WATCH))
        bestdag_run_watch(s->run, s->expanded);
    s->is_full |= s->most_steps && s->steps >= s->most_steps;
    return s->is_full || bestdag_run_stopped(s->run);
}

/* The least cost of the component, the limit if there is none below it, or if
 * it is ended before, a bound. A node that did not fit is above the f of the
 * one before it, which is the bound then. */
static int64_t walk(struct search *s, bool *is_solved)
{
    int64_t bound = 0;
    *is_solved = false;
    if (reach(s, 0, 0) || s->is_full)
        return 0;
    while (s->opened) {
        bound = s->open[0].f;
        if (is_over(s))
            return bound;
        struct entry e = pop(s);
        struct node *node = &s->node[slot_of(s, e.set)];
        int64_t g = node->g;
        if (g < 0)
            continue;
        if (e.set == s->all) {
            *is_solved = true;
            return g;
        }
        node->g = g | CLOSED;
        s->expanded++;
        if (expand(s, e.set, g) || s->is_full)
            return bound;
    }
    *is_solved = true;
    return s->limit;
}

/* Backwards from all: a node of the right cost. Fills order[n]. */
static void trace_back(struct search *s, int *order)
{
    uint64_t left = s->all;
    for (int i = s->at->n - 1; i >= 0; i--) {
        int64_t cost = s->node[slot_of(s, left)].g & ~CLOSED;
        for (int v = 0; v < s->at->n; v++) {
            uint64_t rest = left & ~((uint64_t)1 << v);
            const struct node *node = &s->node[slot_of(s, rest)];
            if (rest == left || node->g == NONE ||
                (node->g & ~CLOSED) + look_up(s, v, rest) != cost)
                continue;
            order[i] = s->at->variable[v];
            left = rest;
            break;
        }
    }
}

/* ---- the solver ------------------------------------------------------------
 */

struct plan {
    struct bestdag_core *core; /* owns */
    int *order, *rank;         /* own; [n] */
    int64_t bound;             /* of the cost of all components */
    bool is_possible;
};

static int64_t cost_of(struct search *s, const struct plan *p, int from)
{
    int64_t cost = 0;
    uint64_t before = 0;
    for (int i = 0; i < s->at->n; i++) {
        int v = 0;
        while (s->at->variable[v] != p->order[from + i])
            v++;
        cost += look_up(s, v, before);
        before |= (uint64_t)1 << v;
    }
    return cost;
}

static void forget(struct search *s)
{
    for (int i = 0; i < s->groups; i++) {
        bestdag_free(s->group[i].cost);
        s->group[i].cost = NULL;
    }
    bestdag_free(s->node);
    bestdag_free(s->open);
    s->node = NULL;
    s->open = NULL;
    s->slots = s->nodes = 0;
    s->opened = s->room = 0;
    s->groups = 0;
}

/* order[from ..) is the incumbent's; a better one takes its place. */
static int solve_component(struct search *s, struct plan *p, int from)
{
    int64_t none = s->task->problem->none, first = cost_of(s, p, from);
    bool is_solved = false;
    s->all = ~(uint64_t)0 >> (MOST - s->at->n);
    s->limit = first < none ? first : none;
    if (fill_groups(s) || make_slots(s, 1024))
        return bestdag_run_status(s->run);
    int64_t cost = walk(s, &is_solved);
    if (bestdag_run_status(s->run))
        return bestdag_run_status(s->run);
    if (is_solved && cost < s->limit)
        trace_back(s, p->order + from);
    p->is_possible &= !is_solved || cost < none;
    p->bound += cost < none ? cost : 0;
    return BESTDAG_OK;
}

/* What all together may take. */
static int64_t find_bytes(const struct bestdag_run *run)
{
    int64_t limit = bestdag_memory_limit(run);
    int64_t most = bestdag_memory_physical() / 10 * 8;
    if (!limit || (most && most < limit))
        limit = most ? most : INT64_MAX;
    return limit;
}

static int prepare(struct search *s, struct plan *p)
{
    struct bestdag_value steps = bestdag_task_setting(s->task, "steps");
    size_t n = (size_t)s->task->n;
    s->bytes = find_bytes(s->run);
    s->most_steps = steps.text ? steps.integer : 0;
    p->is_possible = true;
    p->core = bestdag_core_new(s->run, s->task->problem);
    p->order = bestdag_calloc(s->run, n, sizeof *p->order);
    p->rank = bestdag_calloc(s->run, n, sizeof *p->rank);
    if (bestdag_run_status(s->run) ||
        bestdag_incumbent_find(s->task, p->order, &s->steps))
        return bestdag_run_status(s->run);
    for (int i = 0; i < s->task->n; i++)
        p->rank[p->order[i]] = i;
    return BESTDAG_OK;
}

static int solve_all(struct search *s, struct plan *p)
{
    int from = 0;
    for (int i = 0; i < p->core->components; i++) {
        s->at = &p->core->component[i];
        bestdag_incumbent_part(s->at, p->rank, p->order + from);
        if (s->at->n > MOST)
            bestdag_note(s->run, 0,
                         "astar: %d variables depend on each other, more than "
                         "%d: they keep the order that was found first",
                         s->at->n, MOST);
        else if (solve_component(s, p, from))
            return bestdag_run_status(s->run);
        forget(s);
        from += s->at->n;
    }
    return BESTDAG_OK;
}

static int solve(struct bestdag_task *task, struct bestdag_answer *to)
{
    struct search s = {.task = task, .run = task->run};
    struct plan p = {0};
    if (!prepare(&s, &p) && !solve_all(&s, &p) && p.is_possible)
        bestdag_incumbent_answer(task, p.order, p.bound, to);
    if (!bestdag_run_status(task->run))
        bestdag_note(task->run, 1, "astar: %lld nodes expanded",
                     (long long)s.expanded);
    to->steps = s.steps;
    forget(&s);
    bestdag_core_free(p.core);
    bestdag_free(p.order);
    bestdag_free(p.rank);
    return bestdag_run_status(task->run);
}

const struct bestdag_solver bestdag_solver_astar = {
    .name = "astar",
    .help = "proves: A* over subsets with static pattern databases, for up to "
            "64 variables that depend on each other; any time",
    .ground = BESTDAG_ON_SETS,
    .solve = solve,
};
