/* SPDX-License-Identifier: MIT */
/* saved_clusters.c -- clusters that outlive a relaxation. */
#include "bounds/saved_clusters.h"

#include <assert.h>

enum { HEAD = 3 }; /* numbers before the members of a cluster */

void bestdag_saved_clusters_release(struct bestdag_saved_clusters *s)
{
    bestdag_free(s->number);
    bestdag_free(s->y);
    s->number = NULL;
    s->y = NULL;
    s->count = s->numbers = 0;
}

static int64_t length_of(const struct bestdag_cluster *c)
{
    return HEAD + 2 * (int64_t)c->size;
}

static int32_t *describe(const struct bestdag_cluster *c, int32_t *to)
{
    to[0] = c->least;
    to[1] = c->size;
    to[2] = c->classes;
    memcpy(to + HEAD, c->member, (size_t)c->size * sizeof *to);
    memcpy(to + HEAD + c->size, c->label, (size_t)c->size * sizeof *to);
    return to + length_of(c);
}

int bestdag_saved_clusters_take(struct bestdag_saved_clusters *s,
                                const struct bestdag_relaxation *from)
{
    const struct bestdag_pool *p = &from->pool;
    int64_t count = 0, numbers = 0;
    for (int i = 0; i < p->count; i++)
        if (p->y[i] > 0) {
            count++;
            numbers += length_of(p->at[i]);
        }
    bestdag_saved_clusters_release(s);
    s->numbers = numbers;
    s->number = bestdag_alloc(from->run, (size_t)numbers * sizeof *s->number);
    s->y = bestdag_alloc(from->run, (size_t)count * sizeof *s->y);
    if (!s->number || !s->y)
        return bestdag_run_status(from->run);
    int32_t *to = s->number;
    for (int i = 0; i < p->count; i++)
        if (p->y[i] > 0) {
            to = describe(p->at[i], to);
            s->y[s->count++] = p->y[i];
        }
    assert(to == s->number + numbers && s->count == count);
    s->bound = from->bound;
    return BESTDAG_OK;
}

/* The cluster at *at in `number`; advances *at. */
static struct bestdag_shape next_shape(const int32_t **at)
{
    const int32_t *from = *at;
    *at += HEAD + 2 * (int64_t)from[1];
    return (struct bestdag_shape){.least = from[0],
                                  .size = from[1],
                                  .classes = from[2],
                                  .member = from + HEAD,
                                  .label = from + HEAD + from[1]};
}

int bestdag_saved_clusters_give(const struct bestdag_saved_clusters *s,
                                struct bestdag_relaxation *to)
{
    const int32_t *at = s->number;
    for (int64_t i = 0; i < s->count; i++) {
        struct bestdag_shape shape = next_shape(&at);
        int number = bestdag_relaxation_cluster(to, &shape);
        if (number < 0)
            return bestdag_run_status(to->run);
        to->pool.y[number] = s->y[i];
    }
    bestdag_relaxation_set(to, to->pool.y);
    return bestdag_run_status(to->run);
}

/* Copies the shape, renumbered, into member[size]; false: a member has no
 * number. */
static bool renumber(struct bestdag_shape *shape, const int32_t *number,
                     int32_t *member)
{
    for (int i = 0; i < shape->size; i++) {
        member[i] = number[shape->member[i]];
        if (member[i] < 0)
            return false;
    }
    shape->member = member;
    return true;
}

int bestdag_saved_clusters_give_part(const struct bestdag_saved_clusters *s,
                                     const int32_t *variable, int n,
                                     struct bestdag_relaxation *to)
{
    const int32_t *at = s->number;
    int32_t *number = bestdag_alloc(to->run, (size_t)n * sizeof *number);
    int32_t *member = bestdag_alloc(to->run, (size_t)n * sizeof *member);
    for (int v = 0; number && v < n; v++)
        number[v] = -1;
    for (int i = 0; number && i < to->n; i++)
        number[variable[i]] = i;
    for (int64_t i = 0; number && member && i < s->count; i++) {
        struct bestdag_shape shape = next_shape(&at);
        int found = renumber(&shape, number, member)
                        ? bestdag_relaxation_cluster(to, &shape)
                        : -1;
        if (found >= 0)
            to->pool.y[found] = s->y[i];
        if (bestdag_run_status(to->run))
            break;
    }
    bestdag_free(number);
    bestdag_free(member);
    if (!bestdag_run_status(to->run))
        bestdag_relaxation_set(to, to->pool.y);
    return bestdag_run_status(to->run);
}
