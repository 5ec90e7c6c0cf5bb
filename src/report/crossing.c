/* SPDX-License-Identifier: MIT */
/* crossing.c -- the order of the items within the layers of a drawing.
 *
 * Sweeps down and up put every item at the mean place of those it is linked to
 * in the layer before (Sugiyama, Tagawa and Toda 1981); neighbours whose links
 * cross less in the other order are exchanged (Gansner and others 1993); the
 * order with the fewest crossings is kept. Crossings are counted with a Fenwick
 * tree: O(links log items) per sweep. */
#include <stdlib.h>
#include <string.h>

#include "report/drawing.h"

enum { SWEEPS = 40, PATIENCE = 8, EXCHANGES = 4 /* rounds in a sweep */ };

struct key {
    double mean;
    int place, item;
};

struct comb {
    struct bestdag_sketch *s;
    struct key *key; /* owns; [items] */
    int *best;       /* owns; [items]: `at` with the fewest crossings */
    int64_t *tree;   /* owns; [items + 1] */
    int64_t fewest;
};

/* ---- the order to begin with --------------------------------------------- */

/* Traverses items along links, so that connected items start close together;
 * appends each to its layer. */
static void walk(struct bestdag_sketch *s, int root, int *stack, int *filled)
{
    int top = 0;
    stack[top++] = root;
    s->place[root] = 0;
    while (top) {
        int v = stack[--top];
        int l = s->layer[v];
        s->at[s->start[l] + filled[l]++] = v;
        for (int64_t k = s->up_start[v]; k < s->up_start[v + 1]; k++)
            if (s->place[s->up[k]] < 0) {
                s->place[s->up[k]] = 0;
                stack[top++] = s->up[k];
            }
        for (int64_t k = s->down_start[v + 1] - 1; k >= s->down_start[v]; k--)
            if (s->place[s->down[k]] < 0) {
                s->place[s->down[k]] = 0;
                stack[top++] = s->down[k];
            }
    }
}

static void number_places(struct bestdag_sketch *s)
{
    for (int l = 0; l < s->layers; l++)
        for (int i = s->start[l]; i < s->start[l + 1]; i++)
            s->place[s->at[i]] = i - s->start[l];
}

static int begin(struct bestdag_sketch *s)
{
    int *stack = bestdag_alloc(s->run, ((size_t)s->items + 1) * sizeof *stack);
    int *filled = bestdag_calloc(s->run, (size_t)s->layers + 1, sizeof *filled);
    if (stack && filled) {
        for (int i = 0; i < s->items; i++)
            s->place[i] = -1;
        for (int i = 0; i < s->items; i++)
            if (s->layer[i] >= 0 && s->place[i] < 0)
                walk(s, i, stack, filled);
        number_places(s);
    }
    bestdag_free(stack);
    bestdag_free(filled);
    return bestdag_run_status(s->run);
}

/* ---- crossings
 * ---------------------------------------------------------------
 */

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Links in the tree that end beyond `place`. */
static int64_t beyond(const int64_t *tree, int place, int64_t put)
{
    int64_t upto = 0;
    for (int i = place + 1; i > 0; i -= i & -i)
        upto += tree[i];
    return put - upto;
}

/* Crossings between layer l and the next. */
static int64_t count_layer(struct comb *c, int l, int *ends)
{
    struct bestdag_sketch *s = c->s;
    int size = s->start[l + 2] - s->start[l + 1];
    int64_t crossings = 0, put = 0;
    memset(c->tree, 0, ((size_t)size + 1) * sizeof *c->tree);
    for (int i = s->start[l]; i < s->start[l + 1]; i++) {
        int v = s->at[i], count = 0;
        for (int64_t k = s->down_start[v]; k < s->down_start[v + 1]; k++)
            ends[count++] = s->place[s->down[k]];
        qsort(ends, (size_t)count, sizeof *ends, compare_ints);
        for (int k = 0; k < count; k++)
            crossings += beyond(c->tree, ends[k], put);
        for (int k = 0; k < count; k++, put++)
            for (int at = ends[k] + 1; at <= size; at += at & -at)
                c->tree[at]++;
    }
    return crossings;
}

static int64_t count_all(struct comb *c, int *ends)
{
    int64_t crossings = 0;
    for (int l = 0; l + 1 < c->s->layers; l++)
        crossings += count_layer(c, l, ends);
    return crossings;
}

/* ---- sweeps
 * --------------------------------------------------------------------
 */

static int compare_keys(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    if (x->mean < y->mean || x->mean > y->mean)
        return x->mean < y->mean ? -1 : 1;
    return x->place - y->place;
}

/* A place relative to its layer's width, as layers differ in size. */
static double share_of(const struct bestdag_sketch *s, int layer, double place)
{
    return (place + 0.5) / (s->start[layer + 1] - s->start[layer]);
}

/* The mean place of the items linked to v; v's own if there are none. */
static double mean_place(const struct bestdag_sketch *s, int v, bool above)
{
    const int64_t *start = above ? s->up_start : s->down_start;
    const int *to = above ? s->up : s->down;
    double sum = 0;
    for (int64_t k = start[v]; k < start[v + 1]; k++)
        sum += s->place[to[k]];
    if (start[v] == start[v + 1])
        return share_of(s, s->layer[v], s->place[v]);
    return share_of(s, s->layer[v] + (above ? -1 : 1),
                    sum / (double)(start[v + 1] - start[v]));
}

static void comb_layer(struct comb *c, int l, bool above)
{
    struct bestdag_sketch *s = c->s;
    int from = s->start[l], count = s->start[l + 1] - from;
    for (int i = 0; i < count; i++) {
        int v = s->at[from + i];
        c->key[i] = (struct key){mean_place(s, v, above), i, v};
    }
    qsort(c->key, (size_t)count, sizeof *c->key, compare_keys);
    for (int i = 0; i < count; i++) {
        s->at[from + i] = c->key[i].item;
        s->place[c->key[i].item] = i;
    }
}

/* By how much fewer links of a and b cross if b comes first; to[start[v]] and
 * following are the other ends of v's links. */
static int64_t gain_of(const struct bestdag_sketch *s, const int64_t *start,
                       const int *to, int a, int b)
{
    int64_t gain = 0;
    for (int64_t i = start[a]; i < start[a + 1]; i++)
        for (int64_t k = start[b]; k < start[b + 1]; k++) {
            int x = s->place[to[i]], y = s->place[to[k]];
            gain += (x > y) - (x < y);
        }
    return gain;
}

/* Returns whether neighbours were exchanged. */
static bool exchange_all(struct bestdag_sketch *s)
{
    bool better = false;
    for (int l = 0; l < s->layers; l++)
        for (int i = s->start[l]; i + 1 < s->start[l + 1]; i++) {
            int a = s->at[i], b = s->at[i + 1];
            if (gain_of(s, s->up_start, s->up, a, b) +
                    gain_of(s, s->down_start, s->down, a, b) <=
                0)
                continue;
            s->at[i] = b;
            s->at[i + 1] = a;
            s->place[a]++;
            s->place[b]--;
            better = true;
        }
    return better;
}

static void comb_all(struct comb *c, int *ends)
{
    struct bestdag_sketch *s = c->s;
    size_t bytes = (size_t)s->start[s->layers] * sizeof *s->at;
    c->fewest = count_all(c, ends);
    memcpy(c->best, s->at, bytes);
    for (int sweep = 0, idle = 0; sweep < SWEEPS && idle < PATIENCE; sweep++) {
        for (int i = 1; i < s->layers; i++)
            comb_layer(c, sweep % 2 ? s->layers - 1 - i : i, sweep % 2 == 0);
        for (int k = 0; k < EXCHANGES && exchange_all(s); k++)
            continue;
        int64_t crossings = count_all(c, ends);
        idle = crossings < c->fewest ? 0 : idle + 1;
        if (!idle) {
            c->fewest = crossings;
            memcpy(c->best, s->at, bytes);
        }
        if (bestdag_run_stopped(s->run))
            break;
    }
    memcpy(s->at, c->best, bytes);
    number_places(s);
}

int bestdag_sketch_order(struct bestdag_sketch *s)
{
    struct comb c = {.s = s};
    size_t items = (size_t)s->items + 1;
    int *ends = bestdag_alloc(s->run, items * sizeof *ends);
    c.key = bestdag_alloc(s->run, items * sizeof *c.key);
    c.best = bestdag_alloc(s->run, items * sizeof *c.best);
    c.tree = bestdag_alloc(s->run, items * sizeof *c.tree);
    if (ends && c.key && c.best && c.tree && !begin(s))
        comb_all(&c, ends);
    bestdag_free(ends);
    bestdag_free(c.key);
    bestdag_free(c.best);
    bestdag_free(c.tree);
    return bestdag_run_status(s->run);
}
