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
    s->count = 0;
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
        if (p->y[i]) {
            count++;
            numbers += length_of(p->at[i]);
        }
    bestdag_saved_clusters_release(s);
    s->number = bestdag_alloc(from->run, (size_t)numbers * sizeof *s->number);
    s->y = bestdag_alloc(from->run, (size_t)count * sizeof *s->y);
    if (!s->number || !s->y)
        return bestdag_run_status(from->run);
    int32_t *to = s->number;
    for (int i = 0; i < p->count; i++)
        if (p->y[i]) {
            to = describe(p->at[i], to);
            s->y[s->count++] = p->y[i];
        }
    assert(to == s->number + numbers && s->count == count);
    s->bound = from->bound;
    return BESTDAG_OK;
}

int bestdag_saved_clusters_give(const struct bestdag_saved_clusters *s,
                                struct bestdag_relaxation *to)
{
    const int32_t *at = s->number;
    for (int64_t i = 0; i < s->count; i++) {
        struct bestdag_shape shape = {.least = at[0],
                                      .size = at[1],
                                      .classes = at[2],
                                      .member = at + HEAD,
                                      .label = at + HEAD + at[1]};
        int number = bestdag_relaxation_cluster(to, &shape);
        if (number < 0)
            return bestdag_run_status(to->run);
        to->pool.y[number] = s->y[i];
        at += HEAD + 2 * (int64_t)at[1];
    }
    bestdag_relaxation_set(to, to->pool.y);
    return bestdag_run_status(to->run);
}
