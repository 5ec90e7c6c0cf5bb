/* SPDX-License-Identifier: MIT */
/* neighbour_families.c -- lists grow around a network.
 *
 * Strategies look for good sets of each variable on its own; which of them fit
 * together shows only in a network. So a search that found one may ask for the
 * sets that its next step could need: for a variable with parents P
 *
 *     P, every P - w, and of P + u and of each P - w + u the best few
 *
 * which is what hill climbing would look at, and exchanges as well. A step
 * costs (|P| + 1) n families per variable, counted row by row as for hill
 * climbing. Dominated sets are pruned as everywhere. Variables are independent
 * of each other: threads take them in any order. */
#include "parents/neighbour_families.h"

#include <math.h>
#include <string.h>

#include "parallel/parallel.h"
#include "scores/neighbour_scores.h"

enum { BEST_FEW = 16 }; /* of a row; not measured yet: serves learn/ alone */

/* One thread's. */
struct gatherer {
    struct bestdag_neighbour_scores *toggle; /* owns */
    struct bestdag_scorer_scratch *scratch;  /* owns */
    struct bestdag_collector *collector;     /* owns */
    int64_t *row;                            /* owns; [n] */
    int *base, *set;                         /* owns; [n] each */
};

struct growth {
    struct bestdag_run *run;
    struct bestdag_sets *sets;
    const struct bestdag_neighbour_families *around;
    struct gatherer *gatherer; /* owns; [threads] */
    int threads;
    int *due; /* owns; [n]: variables that are to be done */
    int64_t dues;
    struct bestdag_list *fresh; /* owns; [n]: what replaces a list */
    int64_t more;
};

/* ---- lists -----------------------------------------------------------------
 */

static int add_list(struct bestdag_collector *c,
                    const struct bestdag_list *list)
{
    for (int64_t i = 0; i < list->count; i++)
        if (bestdag_collector_add(c, list->member + list->start[i],
                                  (int)(list->start[i + 1] - list->start[i]),
                                  list->score[i]))
            return BESTDAG_MEMORY;
    return BESTDAG_OK;
}

static bool are_equal(const int32_t *a, const int32_t *b, int64_t count)
{
    return !count || !memcmp(a, b, (size_t)count * sizeof *a);
}

static bool is_same(const struct bestdag_list *a, int64_t i,
                    const struct bestdag_list *b, int64_t j)
{
    int64_t size = a->start[i + 1] - a->start[i];
    return a->score[i] == b->score[j] &&
           size == b->start[j + 1] - b->start[j] &&
           are_equal(a->member + a->start[i], b->member + b->start[j], size);
}

/* How many sets are new? Both are sorted alike, and what is old and left out
 * was dominated. */
static int64_t count_new(const struct bestdag_list *old,
                         const struct bestdag_list *list)
{
    int64_t count = 0, j = 0;
    for (int64_t i = 0; i < list->count; i++) {
        while (j < old->count && old->score[j] > list->score[i])
            j++;
        int64_t k = j;
        while (k < old->count && old->score[k] == list->score[i] &&
               !is_same(old, k, list, i))
            k++;
        count += k == old->count || old->score[k] != list->score[i];
    }
    return count;
}

/* The fresh list replaces that of v, if anything is new in it: else it stays,
 * and so does what was made of it. */
static int64_t put(struct bestdag_sets *sets, int v, struct bestdag_list *fresh)
{
    struct bestdag_list *list = &sets->list[v];
    int64_t more = count_new(list, fresh);
    if (more) {
        struct bestdag_list old = *list;
        fresh->ceiling = old.ceiling;
        fresh->max_parents = old.max_parents;
        *list = *fresh;
        *fresh = old;
    }
    bestdag_list_release(fresh);
    return more;
}

/* ---- the neighbours of one family ------------------------------------------
 */

static bool is_allowed(const struct growth *g, int v, const int *set, int count)
{
    return !g->around->knowledge ||
           bestdag_knowledge_local(g->around->knowledge, v, set, count);
}

static int offer(const struct growth *g, struct gatherer *w, int v,
                 const int *set, int count, int64_t score)
{
    if (score == BESTDAG_NO_FAMILY || score < BESTDAG_NO_PARAMETERS ||
        !is_allowed(g, v, set, count))
        return BESTDAG_OK;
    return bestdag_collector_add(w->collector, set, count,
                                 bestdag_scorer_nats(g->around->scorer, score));
}

static bool is_among(const int *base, int count, int u)
{
    for (int i = 0; i < count; i++)
        if (base[i] == u)
            return true;
    return false;
}

/* Keeps the best few of those to add that beat the base, best first. */
static int choose_few(const struct growth *g, const struct gatherer *w, int v,
                      int count, int few[BEST_FEW])
{
    const struct bestdag_scorer *s = g->around->scorer;
    int chosen = 0;
    for (int u = 0; u < s->n; u++) {
        int64_t score = w->row[u];
        if (u == v || s->states[u] < 2 || score <= w->row[v] ||
            score == BESTDAG_NO_FAMILY || is_among(w->base, count, u) ||
            (chosen == BEST_FEW && score <= w->row[few[chosen - 1]]))
            continue;
        int i = chosen < BEST_FEW ? chosen++ : chosen - 1;
        for (; i > 0 && w->row[few[i - 1]] < score; i--)
            few[i] = few[i - 1];
        few[i] = u;
    }
    return chosen;
}

/* The base, with one less, and the best with one more. */
static int gather_row(const struct growth *g, struct gatherer *w, int v,
                      int count)
{
    int n = g->sets->n, few[BEST_FEW], most = g->around->max_parents;
    struct bestdag_neighbours ask = {.child = v,
                                     .parents = w->base,
                                     .count = count,
                                     .adds = most < 0 || count < most,
                                     .to = n,
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
    int chosen = choose_few(g, w, v, count, few);
    for (int i = 0; i < chosen; i++) {
        int size = bestdag_neighbour_score(w->base, count, few[i], w->set);
        if (offer(g, w, v, w->set, size, w->row[few[i]]))
            return BESTDAG_MEMORY;
    }
    return BESTDAG_OK;
}

/* On a worker: a new list for one variable. */
static int gather(void *argument, int64_t item, int worker)
{
    struct growth *g = argument;
    struct gatherer *w = &g->gatherer[worker];
    int v = g->due[item];
    const struct bestdag_parents *p = &g->around->dag->parents[v];
    if (add_list(w->collector, &g->sets->list[v]))
        return BESTDAG_MEMORY;
    for (int skip = -1; skip < p->count; skip++) {
        int count = 0;
        for (int i = 0; i < p->count; i++)
            if (i != skip)
                w->base[count++] = p->at[i];
        if (gather_row(g, w, v, count))
            return BESTDAG_MEMORY;
    }
    return bestdag_collector_finish(w->collector, true, &g->fresh[v]);
}

static int take(void *argument, int64_t item)
{
    struct growth *g = argument;
    g->more += put(g->sets, g->due[item], &g->fresh[g->due[item]]);
    return BESTDAG_OK;
}

/* ---- the network's own families --------------------------------------------
 */

/* Calling thread: the family of v alone. */
static int add_family(struct growth *g, int v)
{
    struct gatherer *w = &g->gatherer[0];
    const struct bestdag_parents *p = &g->around->dag->parents[v];
    struct bestdag_family family;
    if (bestdag_scorer_family(g->around->scorer, w->scratch, v, p->at, p->count,
                              &family) ||
        add_list(w->collector, &g->sets->list[v]) ||
        offer(g, w, v, p->at, p->count, family.score) ||
        bestdag_collector_finish(w->collector, true, &g->fresh[v]))
        return bestdag_run_status(g->run);
    g->more += put(g->sets, v, &g->fresh[v]);
    return BESTDAG_OK;
}

static bool has_family(const struct growth *g, int v)
{
    const struct bestdag_list *list = &g->sets->list[v];
    const struct bestdag_parents *p = &g->around->dag->parents[v];
    for (int64_t i = 0; i < list->count; i++)
        if (list->start[i + 1] - list->start[i] == p->count &&
            are_equal(list->member + list->start[i], p->at, p->count))
            return true;
    return false;
}

/* ---- the whole -------------------------------------------------------------
 */

static int make(struct growth *g)
{
    size_t n = (size_t)g->sets->n;
    g->threads = bestdag_parallel_threads(g->run, g->sets->n);
    g->gatherer =
        bestdag_calloc(g->run, (size_t)g->threads, sizeof *g->gatherer);
    g->due = bestdag_alloc(g->run, n * sizeof *g->due);
    g->fresh = bestdag_calloc(g->run, n, sizeof *g->fresh);
    for (int i = 0; g->gatherer && i < g->threads; i++) {
        struct gatherer *w = &g->gatherer[i];
        w->toggle = bestdag_neighbour_scores_new(g->run, g->around->scorer);
        w->scratch = bestdag_scorer_scratch_new(g->run, g->around->scorer);
        w->collector = bestdag_collector_new(g->run);
        w->row = bestdag_alloc(g->run, n * sizeof *w->row);
        w->base = bestdag_alloc(g->run, n * sizeof *w->base);
        w->set = bestdag_alloc(g->run, n * sizeof *w->set);
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
    }
    for (int v = 0; g->fresh && v < g->sets->n; v++)
        bestdag_list_release(&g->fresh[v]);
    bestdag_free(g->gatherer);
    bestdag_free(g->fresh);
    bestdag_free(g->due);
}

static bool is_done(const struct growth *g, int v)
{
    const struct bestdag_dag *before = g->around->before;
    const struct bestdag_parents *p = &g->around->dag->parents[v];
    if (g->sets->list[v].ceiling == -INFINITY)
        return true;
    return before && before->parents[v].count == p->count &&
           are_equal(before->parents[v].at, p->at, p->count);
}

/* The variable is to be done, if its families are not too many. */
static void add_due(struct growth *g, struct bestdag_neighbour_families *around,
                    int v)
{
    int64_t families =
        ((int64_t)around->dag->parents[v].count + 1) * g->sets->n;
    int64_t sum = around->families + families;
    if (around->most_families && sum > around->most_families)
        return;
    around->families = sum;
    g->due[g->dues++] = v;
}

int bestdag_sets_grow(struct bestdag_run *run, struct bestdag_sets *sets,
                      struct bestdag_neighbour_families *around, int64_t *more)
{
    struct growth g = {.run = run, .sets = sets, .around = around};
    struct bestdag_work work = {.job = &g, .work = gather, .take = take};
    int status = make(&g);
    around->families = 0;
    for (int v = 0; !status && v < sets->n; v++) {
        if (is_done(&g, v))
            continue;
        add_due(&g, around, v);
        if (!has_family(&g, v))
            status = add_family(&g, v);
    }
    work.items = g.dues;
    if (!status && g.dues)
        bestdag_parallel(run, &work, NULL);
    release(&g);
    *more = g.more;
    return bestdag_run_status(run);
}

int bestdag_sets_join(struct bestdag_run *run, struct bestdag_sets *sets,
                      const struct bestdag_sets *from, int64_t *more)
{
    struct bestdag_collector *c = bestdag_collector_new(run);
    *more = 0;
    for (int v = 0; c && v < sets->n; v++) {
        struct bestdag_list fresh = {0};
        bool is_alike = from->list[v].max_parents == sets->list[v].max_parents;
        double ceiling = is_alike ? from->list[v].ceiling : (double)INFINITY;
        if (add_list(c, &sets->list[v]) || add_list(c, &from->list[v]) ||
            bestdag_collector_finish(c, true, &fresh)) {
            bestdag_list_release(&fresh);
            break;
        }
        *more += put(sets, v, &fresh);
        if (ceiling < sets->list[v].ceiling)
            sets->list[v].ceiling = ceiling;
    }
    bestdag_collector_free(c);
    sets->scored += from->scored;
    return bestdag_run_status(run);
}
