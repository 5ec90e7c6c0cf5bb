/* SPDX-License-Identifier: MIT */
/* sharded_tally.c -- a tally of rows that are spread over ranks.
 *
 * A table cache has the tables of a path with each of some variables. One cache
 * is for the present path. The others are for families that will be requested
 * soon, and have the tables of child and shared parents with each last parent;
 * a hash of child and shared parents selects the cache. Cells of a table have
 * the digits of the path first (data/shards.h). */
#include "counts/sharded_tally.h"

#include <assert.h>
#include <string.h>

#include "base/random.h"
#include "data/shards.h"

enum {
    SOON_MOST = 512,         /* caches for families */
    SOON_PLACES = 512 * 1024 /* about n times their number: 6 MB for `path` and
                                `place` */
};

struct table_cache {
    int *path; /* owns; [n + 1] */
    int count; /* -1: empty */
    int64_t shared;
    int64_t *place; /* owns; [n]: offset of a variable's table, or -1 */
    int64_t *table; /* owns */
    int64_t used, room;
};

struct bestdag_sharded_tally {
    struct bestdag_run *run;
    const struct bestdag_table *table;
    struct table_cache now;
    struct table_cache *soon; /* owns; [slots]: for families */
    int slots;
    int64_t soon_room;         /* sum of `room` of these caches */
    int *wanted;               /* owns; [n] */
    int64_t *weight;           /* owns; of the groups of the path */
    int64_t *number;           /* owns; group of a cell of the path, or -1 */
    int64_t groups;            /* -1: not known yet */
    int64_t cell_room;         /* of weight and number */
    struct bestdag_cell *cell; /* owns */
    int64_t cells_room;
};

static int cache_init(struct bestdag_run *run, struct table_cache *s, int n)
{
    s->count = -1;
    s->path = bestdag_alloc(run, ((size_t)n + 1) * sizeof *s->path);
    s->place = bestdag_alloc(run, (size_t)n * sizeof *s->place);
    return bestdag_run_status(run);
}

static void cache_release(struct table_cache *s)
{
    bestdag_free(s->path);
    bestdag_free(s->place);
    bestdag_free(s->table);
}

struct bestdag_sharded_tally *bestdag_sharded_tally_new(
    struct bestdag_run *run, const struct bestdag_table *table)
{
    struct bestdag_sharded_tally *t = bestdag_calloc(run, 1, sizeof *t);
    if (!t)
        return NULL;
    t->run = run;
    t->table = table;
    t->groups = -1;
    t->slots = SOON_PLACES / (table->columns + 1) + 1;
    t->slots = t->slots < SOON_MOST ? t->slots : SOON_MOST;
    t->soon = bestdag_calloc(run, (size_t)t->slots, sizeof *t->soon);
    t->wanted =
        bestdag_alloc(run, ((size_t)table->columns + 1) * sizeof *t->wanted);
    if (!cache_init(run, &t->now, table->columns) &&
        !bestdag_sharded_tally_path(t, NULL, 0))
        return t;
    bestdag_sharded_tally_free(t);
    return NULL;
}

void bestdag_sharded_tally_free(struct bestdag_sharded_tally *t)
{
    if (!t)
        return;
    cache_release(&t->now);
    for (int i = 0; t->soon && i < t->slots; i++)
        cache_release(&t->soon[i]);
    bestdag_free(t->soon);
    bestdag_free(t->wanted);
    bestdag_free(t->weight);
    bestdag_free(t->number);
    bestdag_free(t->cell);
    bestdag_free(t);
}

/* ---- caches -------------------------------------------------------------- */

static int cache_begin(struct bestdag_sharded_tally *t, struct table_cache *s,
                       const int *path, int count)
{
    if (count)
        memcpy(s->path, path, (size_t)count * sizeof *path);
    s->count = count;
    s->used = 0;
    s->shared = bestdag_shard_cells(t->table, path, count);
    for (int v = 0; v < t->table->columns; v++)
        s->place[v] = -1;
    return bestdag_run_status(t->run);
}

static bool cache_is_of(const struct table_cache *s, const int *path, int count)
{
    return s->count == count &&
           (!count || !memcmp(s->path, path, (size_t)count * sizeof *path));
}

/* Makes room for more cells behind the tables; NULL: out of memory. */
static int64_t *cache_room(struct bestdag_run *run, struct table_cache *s,
                           int64_t cells)
{
    if (s->used + cells > s->room) {
        int64_t room = s->used + cells + s->room / 2;
        int64_t *more =
            bestdag_realloc(run, s->table, (size_t)room * sizeof *more);
        if (!more)
            return NULL;
        s->table = more;
        s->room = room;
    }
    return s->table + s->used;
}

static int64_t states_of(const struct bestdag_sharded_tally *t, int v)
{
    return t->table->column[v].states;
}

/* Fetches the tables of variables that are not in the cache, in one message;
 * those that do not fit are fetched when they are requested. */
static int cache_fill(struct bestdag_sharded_tally *t, struct table_cache *s,
                      const int *variables, int count)
{
    struct bestdag_shard_request r = {
        .variables = s->path, .count = s->count, .more = t->wanted};
    int64_t cells = 0;
    for (int i = 0; i < count; i++) {
        int v = variables[i];
        int64_t own = (s->shared > 0 ? s->shared : 0) * states_of(t, v);
        if (s->place[v] >= 0 || (r.mores && cells + own > BESTDAG_SHARD_CELLS))
            continue;
        s->place[v] = s->used + cells;
        cells += own;
        t->wanted[r.mores++] = v;
    }
    if (!r.mores)
        return BESTDAG_OK;
    int64_t *to = cache_room(t->run, s, cells);
    if (to && !bestdag_shards_count(t->run, t->table, &r, to)) {
        s->used += cells;
        return BESTDAG_OK;
    }
    s->count = -1;
    return bestdag_run_status(t->run);
}

/* ---- the path ------------------------------------------------------------ */

int bestdag_sharded_tally_path(struct bestdag_sharded_tally *t,
                               const int *variables, int count)
{
    if (cache_is_of(&t->now, variables, count))
        return BESTDAG_OK;
    t->groups = -1;
    return cache_begin(t, &t->now, variables, count);
}

/* The cache for families of `child` that share all parents but the last. */
static struct table_cache *soon_of(const struct bestdag_sharded_tally *t,
                                   const int *shared, int count, int child)
{
    uint64_t hash = bestdag_mix((uint64_t)child);
    for (int i = 0; i < count; i++)
        hash = bestdag_mix(hash ^ (uint64_t)shared[i]);
    return &t->soon[hash % (uint64_t)t->slots];
}

/* Makes the table of the path and a variable by transposing a table of a
 * cache in `soon`, whose path ends with the variable; the last variable of the
 * table is that of the path. */
static int turn_table(struct bestdag_sharded_tally *t, int variable)
{
    struct table_cache *now = &t->now;
    const struct table_cache *soon =
        soon_of(t, now->path, now->count - 1, variable);
    int last = now->path[now->count - 1];
    int64_t a = states_of(t, variable), b = states_of(t, last);
    int64_t *to = cache_room(t->run, now, now->shared * a);
    if (!to)
        return BESTDAG_MEMORY;
    const int64_t *from = soon->table + soon->place[last];
    for (int64_t g = 0; g < now->shared / b; g++)
        for (int64_t j = 0; j < b; j++)
            for (int64_t i = 0; i < a; i++)
                to[(g * b + j) * a + i] = from[(g * a + i) * b + j];
    now->place[variable] = now->used;
    now->used += now->shared * a;
    return BESTDAG_OK;
}

static bool is_soon(const struct bestdag_sharded_tally *t, int variable)
{
    const struct table_cache *now = &t->now;
    int shared = now->count - 1;
    if (shared < 0 || now->shared <= 0)
        return false;
    const struct table_cache *soon = soon_of(t, now->path, shared, variable);
    return soon->count == now->count && soon->path[shared] == variable &&
           !memcmp(soon->path, now->path, (size_t)shared * sizeof *now->path) &&
           soon->place[now->path[shared]] >= 0;
}

/* NULL: error. */
static const int64_t *table_of(struct bestdag_sharded_tally *t, int variable)
{
    if (t->now.count < 0)
        return NULL;
    if (t->now.place[variable] < 0 &&
        (is_soon(t, variable) ? turn_table(t, variable)
                              : cache_fill(t, &t->now, &variable, 1)))
        return NULL;
    return t->now.table + t->now.place[variable];
}

/* Finds the counts of the path by summing out any available table. */
static int sum_out(struct bestdag_sharded_tally *t)
{
    const struct table_cache *s = &t->now;
    int v = 0;
    while (v < t->table->columns && s->place[v] < 0)
        v++;
    if (v == t->table->columns) {
        struct bestdag_shard_request r = {.variables = s->path,
                                          .count = s->count};
        return bestdag_shards_count(t->run, t->table, &r, t->number);
    }
    const int64_t *from = s->table + s->place[v];
    int64_t states = states_of(t, v);
    for (int64_t i = 0; i < s->shared; i++) {
        t->number[i] = 0;
        for (int64_t k = 0; k < states; k++)
            t->number[i] += from[i * states + k];
    }
    return BESTDAG_OK;
}

static int find_groups(struct bestdag_sharded_tally *t)
{
    int64_t cells = t->now.shared > 0 ? t->now.shared : 1;
    if (t->groups >= 0 || t->now.count < 0)
        return bestdag_run_status(t->run);
    if (cells > t->cell_room) {
        bestdag_free(t->weight);
        bestdag_free(t->number);
        t->cell_room = 0;
        t->weight = bestdag_alloc(t->run, (size_t)cells * sizeof *t->weight);
        t->number = bestdag_alloc(t->run, (size_t)cells * sizeof *t->number);
        if (!t->weight || !t->number)
            return bestdag_run_status(t->run);
        t->cell_room = cells;
    }
    if (sum_out(t))
        return bestdag_run_status(t->run);
    t->groups = 0;
    for (int64_t i = 0; i < cells; i++) {
        int64_t weight = t->number[i];
        t->number[i] = weight ? t->groups : -1;
        if (weight)
            t->weight[t->groups++] = weight;
    }
    return BESTDAG_OK;
}

int64_t bestdag_sharded_tally_groups(struct bestdag_sharded_tally *t)
{
    return find_groups(t) ? 0 : t->groups;
}

const int64_t *bestdag_sharded_tally_weights(struct bestdag_sharded_tally *t)
{
    return find_groups(t) ? NULL : t->weight;
}

/* ---- counts -------------------------------------------------------------- */

int bestdag_sharded_tally_sum(struct bestdag_sharded_tally *t, int variable,
                              const struct bestdag_score_terms *const *terms,
                              int count, int64_t *sums, int64_t *cells)
{
    const int64_t *table = table_of(t, variable);
    int64_t all = t->now.shared * states_of(t, variable);
    memset(sums, 0, (size_t)count * sizeof *sums);
    *cells = 0;
    if (!table)
        return bestdag_run_status(t->run);
    for (int64_t i = 0; i < all; i++) {
        if (!table[i])
            continue;
        ++*cells;
        for (int f = 0; f < count; f++)
            sums[f] += bestdag_score_terms_at(terms[f], table[i]);
    }
    return BESTDAG_OK;
}

int bestdag_sharded_tally_cells(struct bestdag_sharded_tally *t, int variable,
                                const struct bestdag_cell **cells,
                                int64_t *count)
{
    const int64_t *table = table_of(t, variable);
    int64_t states = states_of(t, variable), all = t->now.shared * states;
    *count = 0;
    if (!table || find_groups(t))
        return bestdag_run_status(t->run);
    if (all > t->cells_room) {
        bestdag_free(t->cell);
        t->cells_room = 0;
        t->cell = bestdag_alloc(t->run, (size_t)all * sizeof *t->cell);
        if (!t->cell)
            return bestdag_run_status(t->run);
        t->cells_room = all;
    }
    for (int64_t i = 0; i < all; i++)
        if (table[i])
            t->cell[(*count)++] =
                (struct bestdag_cell){.group = t->number[i / states],
                                      .state = (int)(i % states),
                                      .count = table[i],
                                      .row = -1};
    *cells = t->cell;
    return BESTDAG_OK;
}

int bestdag_sharded_tally_ahead(struct bestdag_sharded_tally *t,
                                const int *variables, int count)
{
    if (t->now.count < 0)
        return bestdag_run_status(t->run);
    for (int i = 0; i < count; i++)
        if (t->now.place[variables[i]] < 0 && is_soon(t, variables[i]) &&
            turn_table(t, variables[i]))
            return BESTDAG_MEMORY;
    return cache_fill(t, &t->now, variables, count);
}

/* Empties caches for families until those left have no more cells than one
 * message may have. */
static void limit_soon(struct bestdag_sharded_tally *t)
{
    for (int i = 0; t->soon_room > BESTDAG_SHARD_CELLS && i < t->slots; i++) {
        struct table_cache *s = &t->soon[i];
        t->soon_room -= s->room;
        bestdag_free(s->table);
        s->table = NULL;
        s->room = 0;
        s->count = -1;
    }
}

/* How many of these families, at least 1, can be counted in the time of a
 * message, 0.05 ms or more. `row`: nanoseconds per row and family
 * (data/shard_bits.c, data/shard_counts.c). */
static int count_guesses(const struct bestdag_sharded_tally *t,
                         const struct table_cache *s,
                         const struct bestdag_parents_ahead *a)
{
    double cells = (double)s->shared * (double)states_of(t, a->last[0]);
    double row = cells <= 256 ? 0.002 * cells : 5;
    double most = 5e4 / (row * (double)(t->table->shards->most_rows + 1));
    return most >= a->lasts ? a->lasts : most > 1 ? (int)most : 1;
}

int bestdag_sharded_tally_ahead_of(struct bestdag_sharded_tally *t,
                                   const struct bestdag_parents_ahead *a)
{
    struct table_cache *s = soon_of(t, a->parents, a->count, a->child);
    if (!s->path && cache_init(t->run, s, t->table->columns))
        return bestdag_run_status(t->run);
    if (a->count)
        memcpy(t->wanted, a->parents, (size_t)a->count * sizeof *a->parents);
    t->wanted[a->count] = a->child;
    if (!cache_is_of(s, t->wanted, a->count + 1)) {
        limit_soon(t);
        cache_begin(t, s, t->wanted, a->count + 1);
    } else if (a->lasts && s->place[a->last[0]] >= 0)
        return BESTDAG_OK;
    int64_t room = s->room;
    int lasts = a->is_guess && a->lasts ? count_guesses(t, s, a) : a->lasts;
    int status = cache_fill(t, s, a->last, lasts);
    t->soon_room += s->room - room;
    return status;
}
