/* SPDX-License-Identifier: MIT */
/* problem.c -- makes indexed lists with integer costs from scored lists. */
#include "problem/problem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fault.h"
#include "base/row.h"
#include "problem/cost_unit.h"
#include "problem/precedence.h"
#include "problem/problem_check.h"

/* ---- one list ------------------------------------------------------------ */

/* The sum of the sizes of all sets of a list. */
static int64_t members_of(const struct bestdag_list *list)
{
    return list->count ? list->start[list->count] : 0;
}

struct maker {
    struct bestdag_run *run;
    struct bestdag_problem *problem;
    struct bestdag_precedence ahead; /* owns */
    uint64_t *row;                   /* owns; n bits: scratch */
    int32_t *local; /* owns; [n]: bit of a variable in the list being made */
};

/* Finds the variables that occur in the list of v. */
static int find_universe(struct maker *k, int v)
{
    struct bestdag_run *run = k->run;
    const struct bestdag_list *list = &k->problem->sets->list[v];
    struct bestdag_indexed_list *m = &k->problem->candidates[v];
    const int32_t *ahead = bestdag_precedence_of(&k->ahead, v);
    size_t words = bestdag_row_words(k->problem->n);
    uint64_t *row = k->row;
    memset(row, 0, words * sizeof *row);
    for (int64_t i = 0; i < members_of(list); i++)
        bestdag_row_add(row, list->member[i]);
    for (int i = 0; m->count && i < bestdag_precedence_count(&k->ahead, v); i++)
        bestdag_row_add(row, ahead[i]);
    m->universe = bestdag_row_count(row, words);
    m->words = m->universe ? (m->universe + 63) / 64 : 1;
    m->member = bestdag_alloc(run, (size_t)m->universe * sizeof *m->member);
    if (!m->member)
        return bestdag_run_status(run);
    int i = 0;
    for (int u = bestdag_row_next(row, words, 0); u >= 0;
         u = bestdag_row_next(row, words, u + 1)) {
        k->local[u] = i;
        m->member[i++] = u;
    }
    return BESTDAG_OK;
}

static int local_of(const struct bestdag_indexed_list *m, int u)
{
    int low = 0, high = m->universe;
    while (low < high) {
        int middle = (low + high) / 2;
        if (m->member[middle] < u)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m->universe && m->member[low] == u ? low : -1;
}

/* Adds bit i to the mask and counts it, unless it is set. */
static void join(struct bestdag_indexed_list *m, uint64_t *mask, int i)
{
    if (bestdag_row_has(mask, i))
        return;
    bestdag_row_add(mask, i);
    m->start[i + 1]++;
}

static void fill_masks(const struct maker *maker, int v)
{
    const struct bestdag_list *list = &maker->problem->sets->list[v];
    struct bestdag_indexed_list *m = &maker->problem->candidates[v];
    const int32_t *ahead = bestdag_precedence_of(&maker->ahead, v);
    int aheads = bestdag_precedence_count(&maker->ahead, v);
    for (int set = 0; set < m->count; set++) {
        uint64_t *mask = m->mask + (int64_t)set * m->words;
        for (int64_t k = list->start[set]; k < list->start[set + 1]; k++) {
            assert(list->member[k] >= 0 && list->member[k] != v);
            assert(list->member[k] < maker->problem->n);
            join(m, mask, maker->local[list->member[k]]);
        }
        for (int k = 0; k < aheads; k++)
            join(m, mask, maker->local[ahead[k]]);
    }
    for (int i = 0; i < m->universe; i++)
        m->start[i + 1] += m->start[i];
}

/* start[i + 1] moves from the start of i's sets to their end. */
static void fill_with(struct bestdag_indexed_list *m)
{
    memmove(m->start + 1, m->start, (size_t)m->universe * sizeof *m->start);
    for (int set = 0; set < m->count; set++) {
        const uint64_t *mask = bestdag_indexed_list_mask(m, set);
        size_t words = (size_t)m->words;
        for (int i = bestdag_row_next(mask, words, 0); i >= 0;
             i = bestdag_row_next(mask, words, i + 1))
            m->with[m->start[i + 1]++] = set;
    }
}

static int fill_list(struct maker *maker, int v)
{
    struct bestdag_run *run = maker->run;
    struct bestdag_problem *p = maker->problem;
    const struct bestdag_list *list = &p->sets->list[v];
    struct bestdag_indexed_list *m = &p->candidates[v];
    int64_t bits = members_of(list) +
                   list->count * bestdag_precedence_count(&maker->ahead, v);
    if (list->count > INT32_MAX / 2 || bits > INT32_MAX)
        return bestdag_fail(run, BESTDAG_MEMORY,
                            "variable '%s' has too many candidate sets",
                            p->sets->names[v]);
    m->count = (int)list->count;
    if (BESTDAG_FAULT("dropped-set") && m->count > 1)
        m->count--;
    if (find_universe(maker, v))
        return bestdag_run_status(run);
    size_t count = (size_t)m->count;
    m->mask = bestdag_calloc(run, count * (size_t)m->words, sizeof *m->mask);
    m->cost = bestdag_alloc(run, (count + 1) * sizeof *m->cost);
    m->start = bestdag_calloc(run, (size_t)m->universe + 1, sizeof *m->start);
    m->with = bestdag_alloc(run, (size_t)bits * sizeof *m->with);
    if (!m->mask || !m->cost || !m->start || !m->with)
        return bestdag_run_status(run);
    fill_masks(maker, v);
    fill_with(m);
    return BESTDAG_OK;
}

/* ---- costs --------------------------------------------------------------- */

static void fill_costs(struct bestdag_problem *p)
{
    double carry = 0; /* Kahan summation: 10,000 terms lose nothing */
    for (int v = 0; v < p->n; v++) {
        const struct bestdag_list *list = &p->sets->list[v];
        struct bestdag_indexed_list *m = &p->candidates[v];
        for (int set = 0; set < m->count; set++) {
            m->cost[set] =
                bestdag_cost_units(p, list->score[0] - list->score[set]);
            assert(set ? m->cost[set] >= m->cost[set - 1] : !m->cost[set]);
            assert(m->cost[set] <= p->cap && p->cap <= p->none);
        }
        m->cost[m->count] = p->none;
        double term = (m->count ? list->score[0] : 0) - carry;
        double sum = p->best + term;
        carry = (sum - p->best) - term;
        p->best = sum;
    }
}

/* ---- occurrences in lists ------------------------------------------------ */

static int fill_users(struct bestdag_run *run, struct bestdag_problem *p)
{
    p->user_start =
        bestdag_calloc(run, (size_t)p->n + 2, sizeof *p->user_start);
    if (!p->user_start)
        return bestdag_run_status(run);
    int64_t *at = p->user_start + 1; /* becomes the end of each, in place */
    for (int v = 0; v < p->n; v++)
        for (int i = 0; i < p->candidates[v].universe; i++)
            at[p->candidates[v].member[i] + 1]++;
    for (int u = 0; u < p->n; u++)
        at[u + 1] += at[u];
    p->user = bestdag_alloc(run, (size_t)at[p->n] * sizeof *p->user);
    if (!p->user)
        return bestdag_run_status(run);
    for (int v = 0; v < p->n; v++) {
        const struct bestdag_indexed_list *m = &p->candidates[v];
        for (int i = 0; i < m->universe; i++)
            p->user[at[m->member[i]]++] = (struct bestdag_occurrence){
                .child = v, .local = i, .first = m->with[m->start[i]]};
    }
    return BESTDAG_OK;
}

static int fill(struct maker *k)
{
    struct bestdag_problem *p = k->problem;
    k->row = bestdag_alloc(k->run, bestdag_row_words(p->n) * sizeof *k->row);
    k->local = bestdag_alloc(k->run, (size_t)p->n * sizeof *k->local);
    int status = bestdag_run_status(k->run);
    for (int v = 0; v < p->n && !status; v++) {
        status = fill_list(k, v);
        p->offset[v + 1] = p->offset[v] + p->candidates[v].words;
    }
    p->words = p->offset[p->n];
    bestdag_free(k->row);
    bestdag_free(k->local);
    return status ? status : fill_users(k->run, p);
}

/* ---- interface ----------------------------------------------------------- */

int64_t bestdag_problem_bytes(const struct bestdag_sets *sets)
{
    int64_t bytes = (int64_t)sets->n * 256;
    for (int v = 0; v < sets->n; v++) {
        const struct bestdag_list *list = &sets->list[v];
        int64_t members = members_of(list);
        int64_t universe = members < sets->n ? members : sets->n;
        bytes += list->count * (8 * ((universe + 63) / 64) + 8);
        bytes += members * 4 + universe * 20;
    }
    return bytes;
}

struct bestdag_problem *bestdag_problem_new(struct bestdag_run *run,
                                            const struct bestdag_sets *sets)
{
    return bestdag_problem_under(run, sets, NULL);
}

/* Makes all but shift, none, cap and costs; NULL: error. */
static struct bestdag_problem *make(struct bestdag_run *run,
                                    const struct bestdag_sets *sets,
                                    const struct bestdag_knowledge *knowledge)
{
    struct bestdag_problem *p = bestdag_calloc(run, 1, sizeof *p);
    if (!p)
        return NULL;
    p->sets = sets;
    p->candidates = bestdag_calloc(run, (size_t)sets->n, sizeof *p->candidates);
    p->offset = bestdag_calloc(run, (size_t)sets->n + 1, sizeof *p->offset);
    if (p->candidates && p->offset) {
        struct maker k = {.run = run, .problem = p};
        int status = bestdag_precedence_init(run, &k.ahead, knowledge);
        p->n = sets->n;
        status = status ? status : fill(&k);
        bestdag_precedence_release(&k.ahead);
        if (!status)
            return p;
    }
    bestdag_problem_free(p);
    return NULL;
}

struct bestdag_problem *bestdag_problem_under(
    struct bestdag_run *run, const struct bestdag_sets *sets,
    const struct bestdag_knowledge *knowledge)
{
    struct bestdag_problem *p =
        make(run, sets, BESTDAG_FAULT("broken-rule") ? NULL : knowledge);
    if (p && bestdag_cost_unit_choose(run, p, knowledge)) {
        bestdag_problem_free(p);
        return NULL;
    }
    if (p)
        fill_costs(p);
    assert(!p || bestdag_problem_is_sound(p));
    return p;
}

struct bestdag_problem *bestdag_problem_without_order(
    struct bestdag_run *run, const struct bestdag_problem *from)
{
    struct bestdag_problem *p = make(run, from->sets, NULL);
    if (p) {
        p->shift = from->shift;
        p->none = from->none;
        p->cap = from->cap;
        fill_costs(p);
    }
    return p;
}

void bestdag_problem_free(struct bestdag_problem *p)
{
    if (!p)
        return;
    for (int v = 0; v < p->n; v++) {
        struct bestdag_indexed_list *m = &p->candidates[v];
        bestdag_candidates_release(&m->head);
        bestdag_free(m->start);
        bestdag_free(m->with);
    }
    bestdag_free(p->candidates);
    bestdag_free(p->offset);
    bestdag_free(p->user_start);
    bestdag_free(p->user);
    bestdag_free(p->known);
    bestdag_free(p);
}

double bestdag_problem_nats(const struct bestdag_problem *p, int64_t cost)
{
    return p->best - ldexp((double)cost, -p->shift);
}

/* Costs are rounded by at most half a unit per variable, and the sum of the
 * best scores by less: adding n units is always enough. */
double bestdag_problem_round_up(const struct bestdag_problem *p, double bound)
{
    return bound + ldexp((double)p->n, -p->shift);
}

double bestdag_problem_bound(const struct bestdag_problem *p, int64_t least)
{
    return bestdag_problem_round_up(p, bestdag_problem_nats(p, least));
}

int bestdag_problem_local(const struct bestdag_problem *p, int v, int u)
{
    return local_of(&p->candidates[v], u);
}

struct bestdag_dag *bestdag_problem_dag(struct bestdag_run *run,
                                        const struct bestdag_problem *p,
                                        const int32_t *choice)
{
    struct bestdag_dag *dag = bestdag_dag_new(run, p->n);
    for (int v = 0; v < p->n && dag; v++) {
        const struct bestdag_list *list = &p->sets->list[v];
        bool is_set = choice[v] >= 0 && choice[v] < list->count;
        int64_t from = is_set ? list->start[choice[v]] : 0;
        int count = is_set ? (int)(list->start[choice[v] + 1] - from) : 0;
        if (!is_set ||
            bestdag_dag_set_parents(run, dag, v, list->member + from, count)) {
            bestdag_dag_free(dag);
            return NULL;
        }
    }
    return dag;
}

int bestdag_problem_find(const struct bestdag_problem *p, int v,
                         const int *parents, int count)
{
    const struct bestdag_list *list = &p->sets->list[v];
    for (int set = 0; set < list->count; set++) {
        int64_t from = list->start[set];
        if (list->start[set + 1] - from != count)
            continue;
        if (!count || !memcmp(list->member + from, parents,
                              (size_t)count * sizeof *parents))
            return set;
    }
    return -1;
}
