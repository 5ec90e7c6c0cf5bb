/* SPDX-License-Identifier: MIT */
/* count_cube.c -- the contingency tables of all sets of a size, from bit
 * columns and subtraction.
 *
 * For a prefix T the cells are filled with "any" in place of every last state:
 * such a cell is a core cell of a subset of T, whose row was counted earlier.
 * Then, for one variable of T after the other, "any" minus the other states
 * gives the last state. Time for a prefix and a bit column: core(T) population
 * counts of rows / 64 words, and about one addition per cell. Memory: 4 bytes
 * per core cell of each set that is kept. */
#include "counts/count_cube.h"

#include <assert.h>
#include <string.h>

#include "base/popcount.h"
#include "counts/ranks.h"

static const double WORD_NS = 0.22, CALL_NS = 2, CELL_NS = 1.5, ROW_NS = 1.4;

enum {
    MOST_CELLS = 1 << 13, /* of a prefix */
    MOST_MASKS = 1 << 18, /* words of the masks of a prefix */
    MOST_TABLES = 1 << 21 /* numbers in the tables of a prefix */
};

/* A prefix among those of its size. */
struct prefix {
    int64_t start; /* its beginning in `core` */
    int64_t base;  /* base + l is the rank of prefix + l among sets of its
                      size */
    int width;     /* bit columns of its l: numbers per row */
};

struct level {
    struct prefix *prefix; /* owns; [prefixes] */
    int32_t *core;         /* owns */
};

struct bestdag_count_cube {
    const struct bestdag_columns *columns;
    bestdag_popcount_fn *popcount;
    struct bestdag_ranks ranks; /* for places - from */
    int from, n;                /* first place; number of places from it on */
    int *upto; /* owns; [states + 2]: first place with more states */
    int most_states;
    struct level level[BESTDAG_CUBE_MOST + 1]; /* by size of sets */
};

/* A cell of a prefix T, with "any" for last states: a core cell of a subset A
 * of T. */
struct spot {
    const int32_t *row; /* of A's core cell; by bit column */
    int64_t base;       /* of A */
    int32_t cell;       /* in A's core */
    int32_t total;      /* rows in it */
    int members;        /* of A */
};

struct bestdag_count_cubes {
    const struct bestdag_count_cube *cube;
    struct bestdag_run *run;
    int path[BESTDAG_CUBE_MOST]; /* prefix of masks and spots */
    int depth;
    uint64_t *mask[BESTDAG_CUBE_MOST]; /* of path[0 .. d]; inside block */
    void *block[BESTDAG_CUBE_MOST];    /* own */
    int64_t room[BESTDAG_CUBE_MOST];
    struct spot *spot[BESTDAG_CUBE_MOST + 1]; /* own; [cells of d members] */
    int spots[BESTDAG_CUBE_MOST + 1];
    int spot_room[BESTDAG_CUBE_MOST + 1];
    int32_t *total;  /* owns; [MOST_CELLS] */
    int32_t **row;   /* owns; [MOST_CELLS] */
    int32_t *number; /* owns; [number_room]: `row` points into it */
    int64_t number_room;
};

/* ---- layout -------------------------------------------------------------- */

static int states_at(const struct bestdag_count_cube *c, int place)
{
    assert(place >= 0);
    return c->columns->states[c->columns->order[place]];
}

/* The cube counts prefix + l for places l below the result. */
static int cut_place(const struct bestdag_count_cube *c, const int *prefix,
                     int count)
{
    double core = 1, cells = 1, words = (double)c->columns->words;
    for (int i = 0; i < count; i++) {
        int states = states_at(c, prefix[i]);
        core *= states - 1;
        cells *= states;
    }
    if (cells > MOST_CELLS || core * words > MOST_MASKS ||
        cells * c->columns->first[c->columns->bit_places] > MOST_TABLES)
        return 0;
    double each = core * (words * WORD_NS + CALL_NS) + cells * CELL_NS;
    double most = (ROW_NS * (double)c->columns->rows + 64) / each + 1;
    int states = most < c->most_states ? (int)most : c->most_states;
    int cut = states < 2 ? 0 : c->upto[states];
    if (cut > c->columns->bit_places)
        cut = c->columns->bit_places;
    /* Every set that a larger prefix would count must have its own prefix
     * counted. */
    return count && prefix[count - 1] >= cut ? 0 : cut;
}

/* The number of bit columns of the l of a prefix. */
static int width_of(const struct bestdag_count_cube *c, const int *prefix,
                    int count)
{
    int cut = cut_place(c, prefix, count);
    int from = count ? prefix[count - 1] + 1 : c->from;
    return cut > from ? c->columns->first[cut] - c->columns->first[from] : 0;
}

static int64_t core_of(const struct bestdag_count_cube *c, const int *prefix,
                       int count)
{
    int64_t core = 1;
    for (int i = 0; i < count; i++)
        core *= states_at(c, prefix[i]) - 1;
    return core;
}

/* ---- levels ---------------------------------------------------------- */

struct bestdag_count_cube *bestdag_count_cube_new(
    struct bestdag_run *run, const struct bestdag_columns *columns, int from)
{
    struct bestdag_count_cube *c = bestdag_calloc(run, 1, sizeof *c);
    if (!c)
        return NULL;
    c->columns = columns;
    c->popcount = bestdag_popcount_pick();
    c->from = from;
    c->n = columns->n - from;
    c->most_states = c->n ? states_at(c, columns->n - 1) : 1;
    c->upto = bestdag_calloc(run, (size_t)c->most_states + 2, sizeof *c->upto);
    if (c->upto && !bestdag_ranks_init(run, &c->ranks, c->n)) {
        for (int s = 0, p = 0; s <= c->most_states; s++) {
            while (p < columns->n && states_at(c, p) <= s)
                p++;
            c->upto[s] = p;
        }
        return c;
    }
    bestdag_count_cube_free(c);
    return NULL;
}

void bestdag_count_cube_free(struct bestdag_count_cube *c)
{
    if (!c)
        return;
    for (int i = 0; i <= BESTDAG_CUBE_MOST; i++) {
        bestdag_free(c->level[i].prefix);
        bestdag_free(c->level[i].core);
    }
    bestdag_free(c->ranks.choose);
    bestdag_free(c->upto);
    bestdag_free(c);
}

static void first_set(const struct bestdag_count_cube *c, int *set, int count)
{
    for (int i = 0; i < count; i++)
        set[i] = c->from + i;
}

/* The size of the cores of all sets of a size; fills `to` unless it is NULL. */
static int64_t lay_out(const struct bestdag_count_cube *c, int size,
                       struct prefix *to)
{
    int set[BESTDAG_CUBE_MOST], count = size - 1;
    int64_t start = 0, before = 0;
    first_set(c, set, count);
    do {
        int from = count ? set[count - 1] + 1 : c->from;
        int width = width_of(c, set, count);
        if (to)
            *to++ = (struct prefix){
                .start = start, .base = before - from, .width = width};
        start += core_of(c, set, count) * width;
        before += c->columns->n - from;
    } while (bestdag_rank_next(c->columns->n, set, count));
    return start;
}

int64_t bestdag_count_cube_bytes(const struct bestdag_count_cube *c, int size)
{
    int64_t prefixes = bestdag_choose(&c->ranks, c->n, size - 1);
    if (size > BESTDAG_CUBE_MOST || prefixes > (int64_t)1 << 32)
        return INT64_MAX / 4;
    return lay_out(c, size, NULL) * (int64_t)sizeof(int32_t) +
           prefixes * (int64_t)sizeof(struct prefix);
}

static void count_ones(struct bestdag_count_cube *c)
{
    const struct bestdag_columns *columns = c->columns;
    int from = columns->first[c->from < columns->bit_places ? c->from : 0];
    for (int z = 0; z < width_of(c, NULL, 0); z++) {
        const uint64_t *bits = columns->bits + (from + z) * columns->words;
        c->popcount(bits, bits, columns->words, 1, c->level[1].core + z);
    }
}

int bestdag_count_cube_level(struct bestdag_run *run,
                             struct bestdag_count_cube *c, int size, bool keep)
{
    struct level *level = &c->level[size];
    if (!keep && size > 1) /* single variables are needed at once */
        return BESTDAG_OK;
    int64_t prefixes = bestdag_choose(&c->ranks, c->n, size - 1);
    level->prefix =
        bestdag_alloc(run, (size_t)prefixes * sizeof *level->prefix);
    if (!level->prefix)
        return BESTDAG_MEMORY;
    int64_t numbers = lay_out(c, size, level->prefix);
    level->core = bestdag_alloc(run, (size_t)numbers * sizeof(int32_t));
    if (!level->core)
        return BESTDAG_MEMORY;
    if (size == 1)
        count_ones(c);
    return BESTDAG_OK;
}

/* ---- scratch --------------------------------------------------------- */

struct bestdag_count_cubes *bestdag_count_cubes_new(
    struct bestdag_run *run, const struct bestdag_count_cube *cube)
{
    struct bestdag_count_cubes *s = bestdag_calloc(run, 1, sizeof *s);
    if (!s)
        return NULL;
    s->run = run;
    s->cube = cube;
    s->total = bestdag_alloc(run, MOST_CELLS * sizeof *s->total);
    s->row = bestdag_alloc(run, MOST_CELLS * sizeof *s->row);
    if (s->total && s->row)
        return s;
    bestdag_count_cubes_free(s);
    return NULL;
}

void bestdag_count_cubes_free(struct bestdag_count_cubes *s)
{
    if (!s)
        return;
    for (int d = 0; d < BESTDAG_CUBE_MOST; d++)
        bestdag_free(s->block[d]);
    for (int d = 0; d <= BESTDAG_CUBE_MOST; d++)
        bestdag_free(s->spot[d]);
    bestdag_free(s->total);
    bestdag_free(s->row);
    bestdag_free(s->number);
    bestdag_free(s);
}

static int make_masks(struct bestdag_count_cubes *s, const int *prefix,
                      int depth)
{
    const struct bestdag_columns *c = s->cube->columns;
    int others = states_at(s->cube, prefix[depth]) - 1;
    int64_t before = core_of(s->cube, prefix, depth), words = c->words;
    int64_t need = before * others * words;
    if (!depth) { /* the columns themselves, which are not modified */
        s->mask[0] = (uint64_t *)(uintptr_t)bestdag_bit_column(c, prefix[0], 0);
        return BESTDAG_OK;
    }
    if (need > s->room[depth]) {
        bestdag_free(s->block[depth]);
        s->room[depth] = 0;
        s->block[depth] = bestdag_alloc(s->run, (size_t)need * 8 + 64);
        if (!s->block[depth])
            return BESTDAG_MEMORY;
        s->mask[depth] =
            (uint64_t *)(((uintptr_t)s->block[depth] + 63) / 64 * 64);
        s->room[depth] = need;
    }
    uint64_t *to = s->mask[depth];
    for (int64_t i = 0; i < before; i++)
        for (int k = 0; k < others; k++, to += words) {
            const uint64_t *a = s->mask[depth - 1] + i * words;
            const uint64_t *b = bestdag_bit_column(c, prefix[depth], k);
            for (int64_t w = 0; w < words; w++)
                to[w] = a[w] & b[w];
        }
    return BESTDAG_OK;
}

/* ---- spots ------------------------------------------------------------ */

static int spot_space(struct bestdag_count_cubes *s, int depth, int count)
{
    if (count > s->spot_room[depth]) {
        bestdag_free(s->spot[depth]);
        s->spot_room[depth] = 0;
        s->spot[depth] =
            bestdag_alloc(s->run, (size_t)count * sizeof *s->spot[depth]);
        if (!s->spot[depth])
            return BESTDAG_MEMORY;
        s->spot_room[depth] = count;
    }
    s->spots[depth] = count;
    return BESTDAG_OK;
}

/* The empty prefix has one cell: all rows. */
static int make_first_spot(struct bestdag_count_cubes *s)
{
    const struct bestdag_count_cube *c = s->cube;
    const struct level *level = &c->level[1];
    if (spot_space(s, 0, 1))
        return BESTDAG_MEMORY;
    int from =
        c->from < c->columns->bit_places ? c->columns->first[c->from] : 0;
    *s->spot[0] = (struct spot){.row = level->core - from,
                                .base = level->prefix->base,
                                .total = (int32_t)c->columns->total};
    return BESTDAG_OK;
}

/* The spot of A + place in `state`; it has a row only if larger sets of A +
 * place are kept. */
static struct spot add_member(const struct bestdag_count_cube *c,
                              const struct spot *of, int place, int state)
{
    int others = states_at(c, place) - 1, members = of->members + 1;
    int column = c->columns->first[place];
    const struct level *level = &c->level[members + 1];
    struct spot to = {.cell = of->cell * others + state,
                      .total = of->row[column + state],
                      .members = members};
    if (level->core) {
        const struct prefix *p = &level->prefix[of->base + place];
        to.base = p->base;
        to.row = level->core + p->start + (int64_t)to.cell * p->width -
                 (column + others);
    }
    return to;
}

static int make_spots(struct bestdag_count_cubes *s, int place, int depth)
{
    int states = states_at(s->cube, place), count = s->spots[depth];
    if (spot_space(s, depth + 1, count * states))
        return BESTDAG_MEMORY;
    const struct spot *from = s->spot[depth];
    struct spot *to = s->spot[depth + 1];
    for (int e = 0; e < count; e++, from++) {
        for (int k = 0; k < states - 1; k++)
            *to++ = add_member(s->cube, from, place, k);
        *to++ = *from;
    }
    return BESTDAG_OK;
}

/* Keeps what belongs to the common beginning with the last prefix. */
static int follow(struct bestdag_count_cubes *s, const int *prefix, int count)
{
    int same = 0;
    /* a prefix of another size is on another level: its rows were not kept */
    if (s->depth != count)
        s->depth = 0;
    if (!s->depth && make_first_spot(s))
        return BESTDAG_MEMORY;
    while (same < s->depth && s->path[same] == prefix[same])
        same++;
    s->depth = same;
    for (int d = same; d < count; d++) {
        if (make_masks(s, prefix, d) || make_spots(s, prefix[d], d))
            return BESTDAG_MEMORY;
        s->path[d] = prefix[d];
        s->depth = d + 1;
    }
    return BESTDAG_OK;
}

/* ---- the tables of a prefix ------------------------------------------- */

static void subtract_block(int32_t *restrict to, const int32_t *restrict less,
                           int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] -= less[i];
}

/* Turns "any" into the last state, for the variable whose consecutive states
 * are `stride` cells apart. The rows of consecutive cells are adjacent. */
static void subtract(struct bestdag_count_cubes *s, int cells, int stride,
                     int states, int width)
{
    int64_t block = (int64_t)stride * width;
    for (int e = (states - 1) * stride; e < cells; e += states * stride)
        for (int k = 1; k < states; k++) {
            subtract_block(s->row[e], s->row[e - k * stride], block);
            subtract_block(s->total + e, s->total + e - k * stride, stride);
        }
}

static int reserve(struct bestdag_count_cubes *s, int cells, int width)
{
    int64_t need = (int64_t)cells * width;
    if (need > s->number_room) {
        bestdag_free(s->number);
        s->number_room = 0;
        s->number = bestdag_alloc(s->run, (size_t)need * sizeof(int32_t));
        if (!s->number)
            return BESTDAG_MEMORY;
        s->number_room = need;
    }
    for (int e = 0; e < cells; e++)
        s->row[e] = s->number + (int64_t)e * width;
    return BESTDAG_OK;
}

/* Counts a core cell of the prefix, and stores it if its level does. */
static void count_core(struct bestdag_count_cubes *s, const struct spot *spot,
                       int column, int width, int32_t *to)
{
    const struct bestdag_columns *c = s->cube->columns;
    if (!spot->total)
        memset(to, 0, (size_t)width * sizeof *to);
    else
        s->cube->popcount(s->mask[s->depth - 1] + spot->cell * c->words,
                          c->bits + column * c->words, c->words, width, to);
    if (spot->row) /* the cube's own, written when the prefix is counted */
        memcpy((int32_t *)(uintptr_t)spot->row + column, to,
               (size_t)width * sizeof *to);
}

static void fill(struct bestdag_count_cubes *s, int from, int width)
{
    const struct spot *spot = s->spot[s->depth];
    int column = s->cube->columns->first[from];
    for (int e = 0; e < s->spots[s->depth]; e++, spot++) {
        s->total[e] = spot->total;
        if (spot->members == s->depth && s->depth)
            count_core(s, spot, column, width, s->row[e]);
        else
            for (int z = 0; z < width; z++)
                s->row[e][z] = spot->row[column + z];
    }
}

int bestdag_count_cubes_count(struct bestdag_count_cubes *s, const int *prefix,
                              int count, struct bestdag_prefix_tables *to)
{
    const struct bestdag_count_cube *c = s->cube;
    int width = width_of(c, prefix, count);
    to->from = count ? prefix[count - 1] + 1 : c->from;
    to->cut = to->from;
    if (!width)
        return BESTDAG_OK;
    if (follow(s, prefix, count) || reserve(s, s->spots[count], width))
        return BESTDAG_MEMORY;
    int cells = s->spots[count];
    fill(s, to->from, width);
    for (int i = count - 1, stride = 1; i >= 0; i--) {
        int states = states_at(c, prefix[i]);
        subtract(s, cells, stride, states, width);
        stride *= states;
    }
    to->cut = cut_place(c, prefix, count);
    to->cells = cells;
    to->total = s->total;
    to->row = s->row;
    return BESTDAG_OK;
}
