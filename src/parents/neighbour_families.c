/* SPDX-License-Identifier: MIT */
/* neighbour_families.c -- extends candidate lists around a network.
 *
 * Strategies find good sets of each variable on its own; which of them fit
 * together shows only in a network. So a search that found one may ask for the
 * sets that its next step could need: for a variable with parents P
 *
 *     P, every P - w, and of P + u and of each P - w + u the best few
 *
 * which are the sets that hill climbing would consider, and exchanges as well;
 * and those of a forward selection among the predecessors of v in an order of
 * the network. This costs about 3/2 (|P| + 1) n families per variable, counted
 * row by row as for hill climbing. Dominated sets are pruned as everywhere.
 * Variables are independent of each other: threads take them in any order.
 *
 * None of these contains a child of v together with the other parents of that
 * child, which v needs to change places with it (the reversal of an arc with
 * new parents for both ends is due to Grzegorczyk and Husmeier, 2008). So
 * forward selection also begins with each child c, among the parents of v and
 * of c and, with many variables, the likely parents before v.
 *
 * With many variables, u is restricted to likely parents. Then P + u is also
 * tried with the next best ones, and, once that brings little, with all others,
 * n^2 families in total: this finds parents that are likely only given P.
 * Variables that had no turn come first next time. */
#include "parents/neighbour_families.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "parallel/parallel.h"
#include "parents/arc_reversals.h"
#include "parents/merged_lists.h"
#include "scores/neighbour_scores.h"

enum {
    BEST_FEW = 16
}; /* additions kept per row; not measured yet: used by
      learn/ only */
/* A family whose parents have FAR_MORE times as many joint states as there are
 * rows is counted by sorting the rows, and costs as much as SORTED others: 39
 * ns per row, measured on BDeu networks of andes, where one variable has 36
 * parents. */
enum { FAR_MORE = 1000, SORTED = 400 };
/* With fewer new sets than n / FEW_NEW, all other variables are tried. */
enum { FEW_NEW = 2 };

/* The best additions, best first. */
struct few {
    int count, at[BEST_FEW];
};

/* Data of one thread. */
struct gatherer {
    struct bestdag_neighbour_scores *toggle; /* owns */
    struct bestdag_scorer_scratch *scratch;  /* owns */
    struct bestdag_collector *collector;     /* owns */
    int64_t *row;                            /* owns; [n] */
    int *base, *set;                         /* owns; [n] each */
    bool *among;                             /* owns; [n]: may be added */
    struct few few;                          /* of the last row */
    double least; /* least score, in nats, of a set to keep */
};

struct growth {
    struct bestdag_run *run;
    struct bestdag_sets *sets;
    const struct bestdag_neighbour_families *around;
    struct gatherer *gatherer; /* owns; [threads] */
    int threads;
    struct bestdag_arc_reversals arcs; /* owns; of the network */
    enum bestdag_reach reach;
    int *due; /* owns; [n]: variables to process */
    int64_t dues, done;
    struct bestdag_list *fresh; /* owns; [n]: new lists */
    struct few *few;            /* owns; [n]: found in WIDE or FAR; or NULL */
    int64_t more;
};

/* ---- the neighbours of one family ---------------------------------------- */

static bool is_allowed(const struct growth *g, int v, const int *set, int count)
{
    return !g->around->knowledge ||
           bestdag_knowledge_local(g->around->knowledge, v, set, count);
}

static int offer(const struct growth *g, struct gatherer *w, int v,
                 const int *set, int count, int64_t score)
{
    if (score == BESTDAG_NO_FAMILY ||
        bestdag_scorer_lacks(g->around->scorer, v, score) ||
        !is_allowed(g, v, set, count))
        return BESTDAG_OK;
    double nats = bestdag_scorer_nats(g->around->scorer, score);
    return nats < w->least
               ? BESTDAG_OK
               : bestdag_collector_add(w->collector, set, count, nats);
}

static bool is_among(const int *base, int count, int u)
{
    for (int i = 0; i < count; i++)
        if (base[i] == u)
            return true;
    return false;
}

/* The best few additions that beat the base, best first. */
static struct few choose_few(const struct growth *g, const struct gatherer *w,
                             int v, int count)
{
    const struct bestdag_scorer *s = g->around->scorer;
    struct few few = {0};
    for (int u = 0; u < s->n; u++) {
        int64_t score = w->row[u];
        if (u == v || s->states[u] < 2 || score <= w->row[v] ||
            score == BESTDAG_NO_FAMILY || is_among(w->base, count, u) ||
            (few.count == BEST_FEW && score <= w->row[few.at[few.count - 1]]))
            continue;
        int i = few.count < BEST_FEW ? few.count++ : few.count - 1;
        for (; i > 0 && w->row[few.at[i - 1]] < score; i--)
            few.at[i] = few.at[i - 1];
        few.at[i] = u;
    }
    return few;
}

/* Scores the base, the base with one parent less, and the best with one
 * more. */
static int gather_row(const struct growth *g, struct gatherer *w, int v,
                      int count)
{
    int n = g->sets->n, most = g->around->max_parents;
    struct bestdag_neighbours ask = {
        .child = v,
        .parents = w->base,
        .count = count,
        .adds = most < 0 || count < most,
        .to = n,
        .among = g->reach == BESTDAG_FAR ? NULL : w->among,
        .score = w->row};
    for (int u = 0; u < n; u++)
        w->row[u] = BESTDAG_NO_FAMILY;
    if (bestdag_neighbour_scores_scores(w->toggle, &ask) ||
        offer(g, w, v, w->base, count, w->row[v]))
        return BESTDAG_MEMORY;
    for (int i = 0; i < count; i++) {
        int size = bestdag_neighbour_score(w->base, count, w->base[i], w->set);
        if (offer(g, w, v, w->set, size, w->row[w->base[i]]))
            return BESTDAG_MEMORY;
    }
    struct few few = choose_few(g, w, v, count);
    for (int i = 0; i < few.count; i++) {
        int u = few.at[i];
        int size = bestdag_neighbour_score(w->base, count, u, w->set);
        if (offer(g, w, v, w->set, size, w->row[u]))
            return BESTDAG_MEMORY;
    }
    w->few = few;
    return BESTDAG_OK;
}

/* Which of the variables in reach may be added. */
enum whom { NOBODY, ANYBODY, THOSE_BEFORE };

static void let(const struct growth *g, struct gatherer *w, int v,
                enum whom whom)
{
    const struct bestdag_likely_parents *likely = g->around->likely;
    bool is_wide = g->reach == BESTDAG_WIDE;
    const int *at = !likely ? NULL : is_wide ? likely->wide[v] : likely->at[v];
    int count = !likely   ? g->sets->n
                : is_wide ? likely->wides[v]
                          : likely->count[v];
    for (int i = 0; i < count; i++) {
        int u = likely ? at[i] : i;
        w->among[u] = whom == ANYBODY || (whom == THOSE_BEFORE &&
                                          g->arcs.place[u] < g->arcs.place[v]);
    }
}

/* The rows of P and of each P - w. */
static int gather_around(const struct growth *g, struct gatherer *w, int v)
{
    const struct bestdag_parents *p = &g->around->dag->parents[v];
    for (int skip = -1; skip < p->count; skip++) {
        int count = 0;
        for (int i = 0; i < p->count; i++)
            if (i != skip)
                w->base[count++] = p->at[i];
        if (gather_row(g, w, v, count))
            return BESTDAG_MEMORY;
    }
    return BESTDAG_OK;
}

/* Forward selection: adds the best allowed variable to the base while that
 * gains. */
static int select_forward(const struct growth *g, struct gatherer *w, int v,
                          int count)
{
    for (;;) {
        if (gather_row(g, w, v, count))
            return BESTDAG_MEMORY;
        if (!w->few.count)
            return BESTDAG_OK;
        count = bestdag_neighbour_score(w->base, count, w->few.at[0], w->set);
        memcpy(w->base, w->set, (size_t)count * sizeof *w->base);
    }
}

static int gather_near(const struct growth *g, struct gatherer *w, int v)
{
    let(g, w, v, ANYBODY);
    int status = gather_around(g, w, v);
    let(g, w, v, THOSE_BEFORE);
    if (!status)
        status = select_forward(g, w, v, 0);
    let(g, w, v, NOBODY);
    return status;
}

/* Allows, or no longer allows, the parents of v. */
static void let_family(const struct growth *g, struct gatherer *w, int v,
                       bool may)
{
    const struct bestdag_parents *p = &g->around->dag->parents[v];
    for (int i = 0; i < p->count; i++)
        w->among[p->at[i]] = may;
}

/* Forward selection from each child, as if it preceded v. */
static int gather_reversed(const struct growth *g, struct gatherer *w, int v)
{
    int status = BESTDAG_OK;
    for (int i = g->arcs.first[v]; !status && i < g->arcs.first[v + 1]; i++) {
        if (g->around->likely)
            let(g, w, v, THOSE_BEFORE);
        let_family(g, w, v, true);
        let_family(g, w, g->arcs.child[i], true);
        w->base[0] = g->arcs.child[i];
        w->least = g->arcs.own[v] + g->arcs.loss[i];
        status = select_forward(g, w, v, 1);
        w->least = -INFINITY;
        let_family(g, w, v, false);
        let_family(g, w, g->arcs.child[i], false);
        if (g->around->likely)
            let(g, w, v, NOBODY);
    }
    return status;
}

/* P + u for every u in reach. */
static int gather_far(const struct growth *g, struct gatherer *w, int v)
{
    const struct bestdag_parents *p = &g->around->dag->parents[v];
    if (p->count)
        memcpy(w->base, p->at, (size_t)p->count * sizeof *w->base);
    if (g->reach == BESTDAG_WIDE)
        let(g, w, v, ANYBODY);
    int status = gather_row(g, w, v, p->count);
    if (g->reach == BESTDAG_WIDE)
        let(g, w, v, NOBODY);
    g->few[v] = w->few;
    return status;
}

static int (*const gather_in[BESTDAG_REACHES])(const struct growth *g,
                                               struct gatherer *w, int v) = {
    [BESTDAG_NEAR] = gather_near,
    [BESTDAG_REVERSED] = gather_reversed,
    [BESTDAG_WIDE] = gather_far,
    [BESTDAG_FAR] = gather_far};

/* On a worker: a new list for one variable. */
static int gather(void *argument, int64_t item, int worker)
{
    struct growth *g = argument;
    struct gatherer *w = &g->gatherer[worker];
    int v = g->due[item];
    if (bestdag_collector_add_list(w->collector, &g->sets->list[v]) ||
        gather_in[g->reach](g, w, v))
        return BESTDAG_MEMORY;
    return bestdag_collector_finish(w->collector, true, &g->fresh[v]);
}

static uint64_t mix_parents(const struct growth *g, int v, uint64_t number)
{
    const struct bestdag_parents *p = &g->around->dag->parents[v];
    for (int i = 0; i < p->count; i++)
        number = bestdag_mix(number ^ (uint64_t)p->at[i]);
    return number;
}

/* A hash of what is considered for v: its parents, and for reversals its
 * children and their parents; never 0. */
static uint64_t number_of(const struct growth *g, int v)
{
    uint64_t number = mix_parents(g, v, 1);
    for (int i = g->arcs.first[v];
         g->reach == BESTDAG_REVERSED && i < g->arcs.first[v + 1]; i++)
        number = mix_parents(g, g->arcs.child[i],
                             bestdag_mix(number ^ (uint64_t)g->arcs.child[i]));
    return number | 1;
}

/* Additions found in WIDE or FAR become likely parents, and v is processed
 * again. */
static int take_far(struct growth *g, int v)
{
    struct bestdag_likely_parents *likely = g->around->likely;
    for (int i = 0; i < g->few[v].count; i++) {
        int u = g->few[v].at[i];
        if (bestdag_likely_parents_find(likely, v, u) >= 0)
            continue;
        if (g->around->grown)
            g->around->grown->done[BESTDAG_NEAR][v] = 0;
        if (bestdag_likely_parents_add(g->run, likely, v, u))
            return BESTDAG_MEMORY;
    }
    return BESTDAG_OK;
}

static int take(void *argument, int64_t item)
{
    struct growth *g = argument;
    struct bestdag_grown *grown = g->around->grown;
    int v = g->due[item];
    g->more += bestdag_list_renew(g->sets, v, &g->fresh[v]);
    g->done = item + 1;
    if (grown)
        grown->done[g->reach][v] = number_of(g, v);
    return g->reach == BESTDAG_NEAR || g->reach == BESTDAG_REVERSED
               ? BESTDAG_OK
               : take_far(g, v);
}

static int pass(void *argument, int64_t item, struct bestdag_archive *p)
{
    struct growth *g = argument;
    int v = g->due[item];
    if (g->few)
        BESTDAG_PASS(p, g->few[v]);
    bestdag_list_pass(g->run, &g->fresh[v], p);
    return bestdag_run_status(g->run);
}

/* ---- the network's own families ------------------------------------------ */

/* On the calling thread: adds the family of v. */
static int add_family(struct growth *g, int v)
{
    struct gatherer *w = &g->gatherer[0];
    const struct bestdag_parents *p = &g->around->dag->parents[v];
    struct bestdag_family family;
    if (bestdag_scorer_family(g->around->scorer, w->scratch, v, p->at, p->count,
                              &family) ||
        bestdag_collector_add_list(w->collector, &g->sets->list[v]) ||
        offer(g, w, v, p->at, p->count, family.score) ||
        bestdag_collector_finish(w->collector, true, &g->fresh[v]))
        return bestdag_run_status(g->run);
    g->more += bestdag_list_renew(g->sets, v, &g->fresh[v]);
    return BESTDAG_OK;
}

static bool has_family(const struct growth *g, int v)
{
    const struct bestdag_list *list = &g->sets->list[v];
    const struct bestdag_parents *p = &g->around->dag->parents[v];
    for (int64_t i = 0; i < list->count; i++)
        if (list->start[i + 1] - list->start[i] == p->count &&
            (!p->count || !memcmp(list->member + list->start[i], p->at,
                                  (size_t)p->count * sizeof *p->at)))
            return true;
    return false;
}

/* ---- interface ----------------------------------------------------------- */

static int make(struct growth *g)
{
    size_t n = (size_t)g->sets->n;
    g->threads = bestdag_parallel_threads(g->run, g->sets->n);
    g->gatherer =
        bestdag_calloc(g->run, (size_t)g->threads, sizeof *g->gatherer);
    g->due = bestdag_alloc(g->run, n * sizeof *g->due);
    bestdag_arc_reversals_init(g->run, &g->arcs, g->around->dag);
    g->fresh = bestdag_calloc(g->run, n, sizeof *g->fresh);
    if (g->around->likely)
        g->few = bestdag_calloc(g->run, n, sizeof *g->few);
    for (int i = 0; g->gatherer && i < g->threads; i++) {
        struct gatherer *w = &g->gatherer[i];
        w->toggle = bestdag_neighbour_scores_new(g->run, g->around->scorer);
        w->scratch = bestdag_scorer_scratch_new(g->run, g->around->scorer);
        w->collector = bestdag_collector_new(g->run);
        w->least = -INFINITY;
        w->row = bestdag_alloc(g->run, n * sizeof *w->row);
        w->base = bestdag_alloc(g->run, n * sizeof *w->base);
        w->set = bestdag_alloc(g->run, n * sizeof *w->set);
        w->among = bestdag_calloc(g->run, n, sizeof *w->among);
    }
    return bestdag_run_status(g->run);
}

static void release(struct growth *g)
{
    for (int i = 0; g->gatherer && i < g->threads; i++) {
        struct gatherer *w = &g->gatherer[i];
        bestdag_neighbour_scores_free(w->toggle);
        bestdag_scorer_scratch_free(w->scratch);
        bestdag_collector_free(w->collector);
        bestdag_free(w->row);
        bestdag_free(w->base);
        bestdag_free(w->set);
        bestdag_free(w->among);
    }
    for (int v = 0; g->fresh && v < g->sets->n; v++)
        bestdag_list_release(&g->fresh[v]);
    bestdag_free(g->gatherer);
    bestdag_free(g->fresh);
    bestdag_free(g->few);
    bestdag_free(g->due);
    bestdag_arc_reversals_release(&g->arcs);
}

static bool is_done(const struct growth *g, int v)
{
    const struct bestdag_grown *grown = g->around->grown;
    bool is_childless = g->arcs.first[v] == g->arcs.first[v + 1];
    if (g->sets->list[v].ceiling == -INFINITY ||
        (g->reach == BESTDAG_REVERSED && is_childless))
        return true;
    return grown && grown->done[g->reach][v] == number_of(g, v);
}

/* Estimated families: a step or two from each child. */
static int64_t reversed_families(const struct growth *g, int v)
{
    const struct bestdag_likely_parents *likely = g->around->likely;
    const struct bestdag_parents *parents = g->around->dag->parents;
    int64_t families = 0;
    for (int i = g->arcs.first[v]; i < g->arcs.first[v + 1]; i++)
        families += 2 * (parents[v].count + parents[g->arcs.child[i]].count) +
                    (likely ? likely->count[v] : 0);
    return families;
}

/* The cost of a family of v, relative to one with few parents. */
static int64_t weight_of(const struct growth *g, int v)
{
    const struct bestdag_scorer *s = g->around->scorer;
    const struct bestdag_parents *p = &g->around->dag->parents[v];
    double states = 1;
    for (int i = 0; i < p->count; i++)
        states *= s->states[p->at[i]];
    return states > FAR_MORE * (double)s->table->rows ? SORTED : 1;
}

static int64_t families_of(const struct growth *g, int v)
{
    const struct bestdag_likely_parents *likely = g->around->likely;
    int64_t rows = g->around->dag->parents[v].count + 1;
    if (g->reach == BESTDAG_REVERSED)
        return weight_of(g, v) * reversed_families(g, v);
    if (g->reach != BESTDAG_NEAR)
        return weight_of(g, v) *
               (g->reach == BESTDAG_FAR ? g->sets->n : likely->wides[v] + 1);
    /* and about half as many for the forward selection */
    return weight_of(g, v) * (rows + rows / 2 + 1) *
           (likely ? likely->count[v] + 1 : g->sets->n);
}

/* Lists the variables to process, beginning with `first`, as many as are
 * allowed. */
static void find_due(struct growth *g,
                     struct bestdag_neighbour_families *around, int first)
{
    int n = g->sets->n;
    g->dues = g->done = 0;
    for (int i = 0; i < n; i++) {
        int v = (first + i) % n;
        if (is_done(g, v))
            continue;
        int64_t sum = around->families + families_of(g, v);
        if (around->most_families && sum > around->most_families) {
            if (sum - around->families > around->most_families)
                continue; /* too expensive on its own: go on with others */
            break;
        }
        around->families = sum;
        g->due[g->dues++] = v;
    }
}

/* Grows the lists with this reach, as far as limits and time allow. */
static int grow(struct growth *g, struct bestdag_neighbour_families *around,
                enum bestdag_reach reach)
{
    struct bestdag_work work = {
        .job = g, .work = gather, .take = take, .pass = pass};
    struct bestdag_grown *grown = around->grown;
    int *next = grown ? &grown->next[reach] : NULL;
    g->reach = reach;
    find_due(g, around, next ? *next : 0);
    work.items = g->dues;
    if (!g->dues)
        return BESTDAG_OK;
    bestdag_parallel(g->run, &work, NULL);
    if (next)
        *next = g->done < g->dues ? g->due[g->done]
                                  : (g->due[g->dues - 1] + 1) % g->sets->n;
    return bestdag_run_status(g->run);
}

int bestdag_sets_grow(struct bestdag_run *run, struct bestdag_sets *sets,
                      struct bestdag_neighbour_families *around, int64_t *more)
{
    struct growth g = {.run = run, .sets = sets, .around = around};
    int status = make(&g);
    around->families = 0;
    for (int v = 0; !status && v < sets->n; v++)
        if (!is_done(&g, v) && !has_family(&g, v))
            status = add_family(&g, v);
    if (!status)
        status = grow(&g, around, BESTDAG_NEAR);
    if (!status && !bestdag_run_stopped(run)) {
        bestdag_arc_reversals_weigh(&g.arcs, around->dag, sets);
        status = grow(&g, around, BESTDAG_REVERSED);
    }
    if (!status && around->likely && !bestdag_run_stopped(run))
        status = grow(&g, around, BESTDAG_WIDE);
    bool is_settled = g.more < sets->n / FEW_NEW;
    if (!status && around->likely && is_settled && !bestdag_run_stopped(run))
        grow(&g, around, BESTDAG_FAR);
    release(&g);
    *more = g.more;
    return bestdag_run_status(run);
}

struct bestdag_grown *bestdag_grown_new(struct bestdag_run *run, int n)
{
    struct bestdag_grown *grown = bestdag_calloc(run, 1, sizeof *grown);
    if (!grown)
        return NULL;
    grown->n = n;
    for (int i = 0; i < BESTDAG_REACHES; i++)
        grown->done[i] = bestdag_calloc(run, (size_t)n, sizeof *grown->done[i]);
    if (!bestdag_run_status(run))
        return grown;
    bestdag_grown_free(grown);
    return NULL;
}

void bestdag_grown_free(struct bestdag_grown *grown)
{
    for (int i = 0; grown && i < BESTDAG_REACHES; i++)
        bestdag_free(grown->done[i]);
    bestdag_free(grown);
}
