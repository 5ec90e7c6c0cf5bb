/* SPDX-License-Identifier: MIT */
/* structure_draft.c -- a bare structure that is read name by name and arc by
 * arc.
 *
 * Names are found by hashing, arcs are sorted once at the end: reading takes
 * time O(names + arcs log arcs). */
#include "formats/structure_draft.h"
#include "base/growing_array.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static uint32_t hash_text(const char *text, size_t n)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)text[i]) * 16777619u;
    return h ^ h >> 15;
}

/* The bucket that holds the name, or the free one where it belongs. */
static int32_t *bucket_of(const struct bestdag_draft *d, const char *text,
                          size_t n)
{
    uint32_t mask = (uint32_t)(d->buckets - 1), h = hash_text(text, n);
    for (;; h++) {
        int32_t *bucket = &d->bucket[h & mask];
        const char *name = *bucket ? d->name[*bucket - 1] : NULL;
        if (!name || (!strncmp(name, text, n) && !name[n]))
            return bucket;
    }
}

static int grow(struct bestdag_draft *d)
{
    int room = d->name_room ? 2 * d->name_room : 16;
    if (room > INT_MAX / 4)
        return bestdag_fail(d->run, BESTDAG_MEMORY, "too many variables");
    char **name = bestdag_realloc(d->run, d->name, (size_t)room * sizeof *name);
    if (name)
        d->name = name;
    int32_t *bucket = bestdag_calloc(d->run, 2 * (size_t)room, sizeof *bucket);
    if (!name || !bucket) {
        bestdag_free(bucket);
        return bestdag_run_status(d->run);
    }
    bestdag_free(d->bucket);
    d->bucket = bucket;
    d->buckets = 2 * room;
    d->name_room = room;
    for (int v = 0; v < d->names; v++)
        *bucket_of(d, d->name[v], strlen(d->name[v])) = v + 1;
    return BESTDAG_OK;
}

int bestdag_draft_find(const struct bestdag_draft *d, const char *text,
                       size_t n)
{
    return d->names ? *bucket_of(d, text, n) - 1 : -1;
}

int bestdag_draft_variable(struct bestdag_draft *d, const char *text, size_t n)
{
    int v = bestdag_draft_find(d, text, n);
    if (v >= 0)
        return v;
    if (d->names == d->name_room && grow(d))
        return -1;
    char *name = bestdag_strndup(d->run, text, n);
    if (!name)
        return -1;
    *bucket_of(d, text, n) = d->names + 1;
    d->name[d->names] = name;
    return d->names++;
}

int bestdag_draft_add_arc(struct bestdag_draft *d, int from, int to)
{
    if (!BESTDAG_GROW(d->run, d->arc, d->arc_room, d->arcs + 1))
        return bestdag_run_status(d->run);
    d->arc[d->arcs++] = (struct bestdag_arc){from, to};
    return BESTDAG_OK;
}

static int by_child(const void *a, const void *b)
{
    const struct bestdag_arc *x = a, *y = b;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

/* Sorts and returns how many arcs are different. */
static int64_t sort_arcs(struct bestdag_draft *d)
{
    int64_t kept = 0;
    if (d->arcs)
        qsort(d->arc, (size_t)d->arcs, sizeof *d->arc, by_child);
    for (int64_t i = 0; i < d->arcs; i++)
        if (!kept || by_child(&d->arc[kept - 1], &d->arc[i]))
            d->arc[kept++] = d->arc[i];
    return kept;
}

static int set_arcs(struct bestdag_draft *d, struct bestdag_network *net,
                    int64_t arcs)
{
    int *from = bestdag_alloc(d->run, (size_t)arcs * sizeof *from);
    for (int64_t i = 0; from && i < arcs; i++)
        from[i] = d->arc[i].from;
    for (int64_t i = 0, k; from && i < arcs; i = k) {
        int to = d->arc[i].to;
        for (k = i; k < arcs && d->arc[k].to == to; k++)
            ;
        if (bestdag_dag_set_parents(d->run, net->dag, to, from + i,
                                    (int)(k - i)))
            break;
    }
    bestdag_free(from);
    return bestdag_run_status(d->run);
}

struct bestdag_network *bestdag_draft_finish(struct bestdag_draft *d,
                                             const char *file)
{
    struct bestdag_network *net = bestdag_network_empty(d->run, d->names);
    if (!net)
        return NULL;
    for (int v = 0; v < d->names; v++) {
        bestdag_network_set_variable(d->run, net, v, d->name[v], NULL, 0);
        d->name[v] = NULL;
    }
    int64_t arcs = sort_arcs(d);
    if (arcs < d->arcs)
        bestdag_note(d->run, 0, "%s: %lld arcs are given more than once", file,
                     (long long)(d->arcs - arcs));
    if (!set_arcs(d, net, arcs))
        return net;
    bestdag_network_free(net);
    return NULL;
}

void bestdag_draft_release(struct bestdag_draft *d)
{
    for (int v = 0; v < d->names; v++)
        bestdag_free(d->name[v]);
    bestdag_free(d->name);
    bestdag_free(d->arc);
    bestdag_free(d->bucket);
    *d = (struct bestdag_draft){.run = d->run};
}
