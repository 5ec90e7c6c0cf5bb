/* SPDX-License-Identifier: MIT */
/* cluster_parts.c -- makes parts from the components of a part. */
#include "search/clusters/cluster_parts.h"

#include <assert.h>
#include <string.h>

void bestdag_part_release(struct bestdag_part *t)
{
    bestdag_relaxation_free(t->relax);
    bestdag_free(t->variable);
    bestdag_free(t->order);
    bestdag_free(t->cost);
}

int bestdag_part_init(struct bestdag_part *t, int n)
{
    t->n = n;
    t->variable = bestdag_alloc(t->run, (size_t)n * sizeof *t->variable);
    t->order = bestdag_alloc(t->run, (size_t)n * sizeof *t->order);
    t->cost = bestdag_calloc(t->run, (size_t)n, sizeof *t->cost);
    return bestdag_run_status(t->run);
}

/* ---- splitting ----------------------------------------------------------- */

void bestdag_part_split_release(struct bestdag_part_split *s)
{
    bestdag_free(s->component);
    bestdag_free(s->start);
    bestdag_free(s->member);
    bestdag_free(s->rename);
    bestdag_free(s->inside);
}

static const struct bestdag_candidates *list_of_part(const void *job, int v)
{
    return &((const struct bestdag_part *)job)->relax->list[v].head;
}

/* The component that contains all members of a cluster, or -1. */
static int component_of(const struct bestdag_part_split *s,
                        const struct bestdag_cluster *c)
{
    for (int i = 1; i < c->size; i++)
        if (s->component[c->member[i]] != s->component[c->member[0]])
            return -1;
    return s->component[c->member[0]];
}

int bestdag_part_split_find(const struct bestdag_part *t,
                            struct bestdag_part_split *s)
{
    const struct bestdag_pool *pool = &t->relax->pool;
    size_t n = (size_t)t->n, clusters = (size_t)pool->count;
    *s = (struct bestdag_part_split){.run = t->run};
    s->component = bestdag_alloc(s->run, n * sizeof *s->component);
    s->member = bestdag_alloc(s->run, n * sizeof *s->member);
    s->rename = bestdag_alloc(s->run, n * sizeof *s->rename);
    s->inside = bestdag_alloc(s->run, clusters * sizeof *s->inside);
    if (bestdag_run_status(s->run))
        return bestdag_run_status(s->run);
    s->count =
        bestdag_candidates_split(s->run, t->n, list_of_part, t, s->component);
    if (s->count < 0)
        return bestdag_run_status(s->run);
    s->start = bestdag_calloc(s->run, (size_t)s->count + 2, sizeof *s->start);
    if (!s->start)
        return bestdag_run_status(s->run);
    for (int v = 0; v < t->n; v++)
        s->start[s->component[v] + 2]++;
    for (int i = 0; i < s->count; i++)
        s->start[i + 2] += s->start[i + 1];
    for (int v = 0; v < t->n; v++) {
        s->member[s->start[s->component[v] + 1]++] = v;
        s->rename[v] = -1;
    }
    for (int i = 0; i < pool->count; i++)
        s->inside[i] = component_of(s, pool->at[i]);
    return BESTDAG_OK;
}

static int fill_subproblem(struct bestdag_part *to,
                           const struct bestdag_part *from,
                           const struct bestdag_part_split *split, int sub)
{
    for (int k = split->start[sub]; k < split->start[sub + 1]; k++) {
        int v = split->member[k];
        if (bestdag_relaxation_fill(to->relax, split->rename[v],
                                    &from->relax->list[v].head, split->rename,
                                    false))
            return bestdag_run_status(split->run);
    }
    return bestdag_relaxation_ready(to->relax);
}

/* Copies the clusters inside the subproblem, with their multipliers. */
static int inherit(struct bestdag_part *to, const struct bestdag_part *from,
                   const struct bestdag_part_split *split, int sub)
{
    const struct bestdag_pool *p = &from->relax->pool;
    int32_t *member = bestdag_alloc(split->run, (size_t)to->n * sizeof *member);
    for (int i = 0; member && i < p->count; i++) {
        const struct bestdag_cluster *c = p->at[i];
        struct bestdag_shape shape = {.member = member,
                                      .label = c->label,
                                      .size = c->size,
                                      .classes = c->classes,
                                      .least = c->least};
        if (split->inside[i] != sub)
            continue;
        for (int k = 0; k < c->size; k++)
            member[k] = split->rename[c->member[k]];
        int number = bestdag_relaxation_cluster(to->relax, &shape);
        if (number >= 0)
            to->relax->pool.y[number] = p->y[i];
    }
    bestdag_free(member);
    if (bestdag_run_status(split->run))
        return bestdag_run_status(split->run);
    bestdag_relaxation_set(to->relax, to->relax->pool.y);
    if (to->relax->bound < 0) { /* without multipliers it is at least 0 */
        memset(to->relax->pool.y, 0,
               (size_t)to->relax->pool.count * sizeof *to->relax->pool.y);
        bestdag_relaxation_set(to->relax, to->relax->pool.y);
    }
    assert(to->relax->bound >= 0);
    return BESTDAG_OK;
}

int bestdag_part_take(struct bestdag_part *to, const struct bestdag_part *from,
                      const struct bestdag_part_split *split, int sub)
{
    const int32_t *member = split->member + split->start[sub];
    int placed = 0;
    *to = (struct bestdag_part){
        .run = from->run, .proof = from->proof, .depth = from->depth + 1};
    if (bestdag_part_init(to, split->start[sub + 1] - split->start[sub]))
        return bestdag_run_status(split->run);
    for (int i = 0; i < to->n; i++) {
        split->rename[member[i]] = i;
        to->variable[i] = from->variable[member[i]];
        to->cost[i] = from->cost[member[i]];
        to->upper += to->cost[i];
    }
    for (int i = 0; i < from->n && placed < to->n; i++)
        if (split->rename[from->order[i]] >= 0)
            to->order[placed++] = split->rename[from->order[i]];
    to->relax = bestdag_relaxation_new(split->run, to->n);
    if (to->relax && !fill_subproblem(to, from, split, sub))
        inherit(to, from, split, sub);
    for (int i = 0; i < to->n; i++)
        split->rename[member[i]] = -1;
    return bestdag_run_status(split->run);
}
