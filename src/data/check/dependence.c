/* SPDX-License-Identifier: MIT */
/* dependence.c -- columns that are functions of another column.
 *
 * B determines A if rows that agree in B agree in A; rows in which either is
 * missing are ignored. All pairs are tried, nearly all of which fail after a
 * few comparisons:
 *
 *     B's ring     for each value of B its rows, in random order, each with a
 *                  link to the next, the last to the first
 *     A's probes   rows, in random order, whose value of A is not the most
 *                  common one
 *
 * B determines A if and only if no row differs in A from its successor in B's
 * ring; and if some row does, then one whose value is not the most common does.
 * If B is independent of A, each probe differs with probability 1/2 or more,
 * however rare its value is. If all probes pass and there are further such
 * rows, all rows are examined.
 *
 * Without missing values B needs more values than A has (as many would make
 * them duplicates), so tables of binary columns cost nothing. Determining
 * columns are tried by number of values, fewest first, in blocks whose rings
 * fit in the cache. Determined columns are not tried again. A column may
 * determine others if it is no identifier, no duplicate of an earlier column,
 * and has two rows per value on average. A few rows prove nothing: each row
 * beyond the first of its value of B may agree with that one in A by chance;
 * the probability that all do must be below 1 in 1000 over all pairs of the
 * table.
 *
 * The search is given up, and
 * says so, after a fixed amount of work. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "data/check/column_facts.h"
#include "data/keysort.h"
#include "parallel/parallel.h"

enum {
    PROBES = 24,           /* kept for each column */
    BLOCK_BYTES = 1 << 19, /* of rings */
    MOST_IN_BLOCK = 64,
    CHUNK = 64 /* columns tried as one work item */
};
static const int64_t MOST_LOOKS = (int64_t)1 << 33;

struct probes {
    uint32_t row[PROBES];
    int count;
    bool are_all; /* these are all such rows */
};

struct search {
    struct bestdag_run *run;
    const struct bestdag_table *table;
    struct bestdag_column_facts *facts;
    uint32_t *shuffled;           /* owns; all rows */
    struct probes *probe;         /* owns; [columns] */
    int *open, opens;             /* owns; columns not yet determined */
    int64_t least, least_missing; /* least number of values of an open column
                                     without, and with missing ones */
    int *by, bys;                 /* owns; columns that may determine others */
    int *block, blocks;           /* part of `by`: the present block */
    uint32_t *ring;               /* owns; [MOST_IN_BLOCK or less][rows] */
    int64_t *looks;               /* owns; of each chunk */
};

/* ---- cells --------------------------------------------------------------- */

static inline bool is_missing(const struct bestdag_column *c, uint32_t row)
{
    if (c->bytes == 1)
        return ((const uint8_t *)c->cells)[row] == BESTDAG_MISSING_1;
    if (c->bytes == 2)
        return ((const uint16_t *)c->cells)[row] == BESTDAG_MISSING_2;
    return isnan(((const double *)c->cells)[row]);
}

static inline bool differs(const struct bestdag_column *c, uint32_t a,
                           uint32_t b)
{
    if (c->bytes == 1)
        return ((const uint8_t *)c->cells)[a] != ((const uint8_t *)c->cells)[b];
    if (c->bytes == 2)
        return ((const uint16_t *)c->cells)[a] !=
               ((const uint16_t *)c->cells)[b];
    return ((const double *)c->cells)[a] != ((const double *)c->cells)[b];
}

/* ---- rings --------------------------------------------------------------- */

static int link_codes(struct bestdag_run *run, const struct search *s,
                      const struct bestdag_column *c, uint32_t *next)
{
    size_t states = (size_t)c->states;
    uint32_t *first = bestdag_alloc(run, 2 * states * sizeof *first);
    if (!first)
        return bestdag_run_status(run);
    uint32_t *last = first + states;
    memset(first, 0xff, 2 * states * sizeof *first);
    for (int64_t i = 0; i < s->table->rows; i++) {
        uint32_t r = s->shuffled[i];
        int code = bestdag_column_code(c, r);
        next[r] = r;
        if (code < 0)
            continue;
        if (first[code] == UINT32_MAX)
            first[code] = r;
        else
            next[last[code]] = r;
        last[code] = r;
    }
    for (size_t v = 0; v < states; v++)
        if (first[v] != UINT32_MAX)
            next[last[v]] = first[v];
    bestdag_free(first);
    return BESTDAG_OK;
}

static int link_numbers(struct bestdag_run *run, const struct search *s,
                        const struct bestdag_column *c, uint32_t *next)
{
    size_t rows = (size_t)s->table->rows, from = 0;
    struct bestdag_keyed *at = bestdag_alloc(run, 2 * rows * sizeof *at);
    if (!at)
        return bestdag_run_status(run);
    for (size_t i = 0; i < rows; i++) {
        uint32_t r = s->shuffled[i];
        at[i] = (struct bestdag_keyed){
            bestdag_key_of_double(((const double *)c->cells)[r]), r};
    }
    bestdag_keyed_sort(at, at + rows, rows);
    for (size_t i = 0; i < rows; i++) {
        bool is_last = i + 1 == rows || at[i + 1].key != at[i].key;
        next[at[i].row] = at[is_last ? from : i + 1].row;
        if (at[i].key == UINT64_MAX) /* missing */
            next[at[i].row] = at[i].row;
        if (is_last)
            from = i + 1;
    }
    bestdag_free(at);
    return BESTDAG_OK;
}

/* On a worker: the ring of one column of the block. */
static int make_ring(void *data, int64_t item, int worker)
{
    struct search *s = data;
    const struct bestdag_column *c = &s->table->column[s->block[item]];
    uint32_t *next = s->ring + item * s->table->rows;
    (void)worker;
    return c->kind == BESTDAG_CODES ? link_codes(s->run, s, c, next)
                                    : link_numbers(s->run, s, c, next);
}

/* ---- one pair ------------------------------------------------------------ */

/* Does a row differ in A from the next row of the ring in which A is known? */
static inline bool breaks(const struct bestdag_column *a, const uint32_t *next,
                          uint32_t row)
{
    uint32_t other = next[row];
    if (a->missing)
        while (other != row && is_missing(a, other))
            other = next[other];
    return differs(a, row, other);
}

struct pair {
    const struct bestdag_column *a, *b;
    const struct probes *probes; /* of a */
    const uint32_t *next;        /* of b */
    uint32_t common;             /* a row with the most common value of a */
    int columns;                 /* of the table */
};

/* Rows in which both are known. */
struct evidence {
    int64_t rows;
    int64_t rare;      /* rows whose value of A is not A's most common one */
    int64_t confirmed; /* rows whose value of B another row has, too */
};

static struct evidence weigh(const struct pair *p, int64_t rows)
{
    struct evidence e = {0};
    for (int64_t i = 0; i < rows; i++) {
        uint32_t r = (uint32_t)i, other = p->next[r];
        if (is_missing(p->a, r) || is_missing(p->b, r))
            continue;
        while (other != r && is_missing(p->a, other))
            other = p->next[other];
        e.rows++;
        e.rare += differs(p->a, r, p->common);
        e.confirmed += other != r;
    }
    return e;
}

/* k rows of one value of B, k > 1, confirm k - 1 times: at least half of the
 * rows counted. Two random rows agree in A with probability at most (1 - q)^2 +
 * q^2, where q is the share of values that are not the most common one. */
static bool is_convincing(const struct pair *p, int64_t rows)
{
    struct evidence e = weigh(p, rows);
    double q = (double)e.rare / (double)(e.rows ? e.rows : 1);
    double agree = (1 - q) * (1 - q) + q * q;
    return (double)e.confirmed / 2 * -log(agree) >
           log(1000.0 * p->columns * p->columns);
}

static bool passes_all(const struct pair *p, int64_t rows, int64_t *looks)
{
    if (!p->probes->are_all)
        for (int64_t r = 0; r < rows; r++)
            if (!(p->a->missing && is_missing(p->a, (uint32_t)r)) &&
                breaks(p->a, p->next, (uint32_t)r)) {
                *looks += r;
                return false;
            }
    *looks += rows;
    return is_convincing(p, rows);
}

static inline bool determines(const struct pair *p, int64_t rows,
                              int64_t *looks)
{
    for (int i = 0; i < p->probes->count; i++)
        if (breaks(p->a, p->next, p->probes->row[i])) {
            *looks += i + 1;
            return false;
        }
    *looks += p->probes->count;
    return passes_all(p, rows, looks);
}

/* Can B determine A, judging by the number of their values? */
static inline bool is_possible(const struct search *s, int a, int b)
{
    int64_t values = s->facts[b].distinct;
    if (a == b)
        return false;
    if (s->table->column[b].missing)
        return true;
    return s->facts[a].distinct < values ||
           (s->facts[a].distinct == values && s->table->column[a].missing);
}

/* ---- all pairs ----------------------------------------------------------- */

/* On a worker: tries a chunk of open columns against the block. */
static int try_chunk(void *data, int64_t item, int worker)
{
    struct search *s = data;
    int64_t rows = s->table->rows, looks = 0;
    int from = (int)item * CHUNK;
    int to = from + CHUNK < s->opens ? from + CHUNK : s->opens;
    (void)worker;
    for (int i = from; i < to; i++) {
        int a = s->open[i];
        struct pair p = {.a = &s->table->column[a],
                         .probes = &s->probe[a],
                         .common = (uint32_t)s->facts[a].common_row,
                         .columns = s->table->columns};
        for (int k = 0; k < s->blocks && s->facts[a].determined_by < 0; k++) {
            int b = s->block[k];
            p.b = &s->table->column[b];
            p.next = s->ring + k * rows;
            if (is_possible(s, a, b) && determines(&p, rows, &looks))
                s->facts[a].determined_by = b;
        }
        if (bestdag_run_stopped(s->run))
            break;
    }
    s->looks[item] += looks;
    return BESTDAG_OK;
}

static void find_least(struct search *s)
{
    s->least = s->least_missing = INT64_MAX;
    for (int i = 0; i < s->opens; i++) {
        int a = s->open[i];
        int64_t values = s->facts[a].distinct;
        int64_t *least =
            s->table->column[a].missing ? &s->least_missing : &s->least;
        if (values < *least)
            *least = values;
    }
}

static void drop_determined(struct search *s)
{
    int count = 0;
    for (int i = 0; i < s->opens; i++)
        if (s->facts[s->open[i]].determined_by < 0)
            s->open[count++] = s->open[i];
    s->opens = count;
    find_least(s);
}

static int try_block(struct search *s, int64_t *looks)
{
    struct bestdag_work rings = {
        .job = s, .items = s->blocks, .work = make_ring};
    struct bestdag_work chunks = {
        .job = s, .items = (s->opens + CHUNK - 1) / CHUNK, .work = try_chunk};
    int64_t made = 0, done = 0;
    if (bestdag_parallel(s->run, &rings, &made) || made < rings.items)
        return bestdag_run_status(s->run);
    memset(s->looks, 0, (size_t)chunks.items * sizeof *s->looks);
    bestdag_parallel(s->run, &chunks, &done);
    for (int64_t i = 0; i < chunks.items; i++)
        *looks += s->looks[i];
    drop_determined(s);
    return bestdag_run_status(s->run);
}

/* Can a column of the block determine an open column, by is_possible()? Does
 * not test every pair: a table of 100,000 columns has 10^10 of them. */
static bool is_useful(const struct search *s)
{
    for (int k = 0; k < s->blocks; k++) {
        int b = s->block[k];
        int64_t values = s->facts[b].distinct;
        if (s->least < values || s->least_missing <= values ||
            s->table->column[b].missing)
            return true;
    }
    return false;
}

static int try_all(struct search *s, bool *complete)
{
    int64_t bytes = s->table->rows * (int64_t)sizeof *s->ring, looks = 0;
    int size = (int)(BLOCK_BYTES / (bytes ? bytes : 1));
    size = size < 1 ? 1 : size > MOST_IN_BLOCK ? MOST_IN_BLOCK : size;
    s->ring = bestdag_alloc(s->run, (size_t)size * (size_t)bytes);
    if (!s->ring)
        return bestdag_run_status(s->run);
    bestdag_run_phase(s->run, "dependences", s->bys);
    for (int from = 0; from < s->bys && s->opens; from += size) {
        s->block = s->by + from;
        s->blocks = size < s->bys - from ? size : s->bys - from;
        if (is_useful(s) && try_block(s, &looks))
            return bestdag_run_status(s->run);
        if (bestdag_run_watch(s->run, from) || looks > MOST_LOOKS) {
            *complete = false;
            break;
        }
    }
    return BESTDAG_OK;
}

/* ---- preparing ----------------------------------------------------------- */

static void shuffle(struct search *s)
{
    struct bestdag_random random = bestdag_random_init(s->run->seed, 0xc8ec);
    for (int64_t r = 0; r < s->table->rows; r++) {
        uint64_t k = bestdag_random_below(&random, (uint64_t)r + 1);
        s->shuffled[r] = s->shuffled[k];
        s->shuffled[k] = (uint32_t)r;
    }
}

static void find_probes(const struct search *s, int column)
{
    const struct bestdag_column *c = &s->table->column[column];
    struct probes *p = &s->probe[column];
    uint32_t common = (uint32_t)s->facts[column].common_row;
    p->are_all = true;
    for (int64_t i = 0; i < s->table->rows; i++) {
        uint32_t r = s->shuffled[i];
        if ((c->missing && is_missing(c, r)) || !differs(c, r, common))
            continue;
        if (p->count == PROBES) {
            p->are_all = false;
            return;
        }
        p->row[p->count++] = r;
    }
}

static int compare_values(const void *a, const void *b, void *facts)
{
    const struct bestdag_column_facts *f = facts;
    int x = *(const int *)a, y = *(const int *)b;
    if (f[x].distinct != f[y].distinct)
        return f[x].distinct < f[y].distinct ? -1 : 1;
    return x - y;
}

static void choose(struct search *s)
{
    for (int c = 0; c < s->table->columns && !bestdag_run_stopped(s->run);
         c++) {
        const struct bestdag_column_facts *f = &s->facts[c];
        if (s->table->column[c].kind == BESTDAG_OPAQUE || f->is_constant ||
            f->leader != c)
            continue;
        find_probes(s, c);
        s->open[s->opens++] = c;
        if (!f->is_identifier && bestdag_column_facts_is_repetitive(f))
            s->by[s->bys++] = c;
    }
    find_least(s);
    qsort_r(s->by, (size_t)s->bys, sizeof *s->by, compare_values, s->facts);
}

int bestdag_dependences_find(struct bestdag_run *run,
                             const struct bestdag_table *table,
                             struct bestdag_column_facts *facts, bool *complete)
{
    struct search s = {.run = run, .table = table, .facts = facts};
    size_t n = (size_t)table->columns, chunks = n / CHUNK + 1;
    s.shuffled = bestdag_calloc(run, (size_t)table->rows, sizeof *s.shuffled);
    s.probe = bestdag_calloc(run, n, sizeof *s.probe);
    s.open = bestdag_calloc(run, n, sizeof *s.open);
    s.by = bestdag_calloc(run, n, sizeof *s.by);
    s.looks = bestdag_calloc(run, chunks, sizeof *s.looks);
    *complete = true;
    if (!bestdag_run_status(run)) {
        shuffle(&s);
        choose(&s);
        try_all(&s, complete);
    }
    bestdag_free(s.shuffled);
    bestdag_free(s.probe);
    bestdag_free(s.open);
    bestdag_free(s.by);
    bestdag_free(s.looks);
    bestdag_free(s.ring);
    return bestdag_run_status(run);
}
