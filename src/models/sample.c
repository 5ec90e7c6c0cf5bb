/* SPDX-License-Identifier: MIT */
/* sample.c -- forward sampling, block by block and variable by variable.
 *
 * A block is some thousand rows. Within it variables are processed in
 * topological order, each in a few short passes over the rows, all without
 * branches: the parents' joint state (joint_state.c), random numbers
 * (random_lanes.h), and a lookup in the variable's alias tables (alias.c) that
 * gives the column's cells. All data of a pass fit into the first-level cache.
 * A cell takes one random number of 32 bits. Variables that are functions of
 * their parents take none; those that are always in one state are filled in,
 * and left out of their children's tables.
 *
 * Variables that are numbers are drawn from their regressions
 * (number_columns.c).
 *
 * Random numbers belong to a block and a variable. So the result is the same
 * for any number of threads, and fewer rows are the beginning of more rows.
 *
 * Memory: the table itself, and at most as much for the alias tables as the
 * network's tables take. */
#include <stdio.h>
#include <string.h>

#include "data/table.h"
#include "models/alias.h"
#include "models/number_columns.h"
#include "models/random_lanes.h"
#include "parallel/parallel.h"
#include "base/options.h"

static const struct bestdag_option option_rows[] = {
    {"rows", BESTDAG_INTEGER, "1000", 1, 1e12, .letter = 'n', .value = "N",
     .help = "number of rows to draw"},
    {0}};
const struct bestdag_option_group bestdag_sample_options = {"sample",
                                                            option_rows};

enum {
    BLOCK = 2048,         /* rows; part of the meaning of a seed */
    ITEM_CELLS = 1 << 20, /* cells that a worker fills at a time, at least */
    SALT =
        0x5a3c1e7 /* separates these random numbers from others of the seed */
};
static const int64_t MOST_ENTRIES = (int64_t)1 << 31;

enum kind { CONSTANT, CERTAIN, DRAWN, NUMBER };

/* How to fill one column. */
struct plan {
    int variable;
    enum kind kind;
    int state;                   /* of a constant */
    struct bestdag_digit *digit; /* owns; parents that are not constant */
    int digits;
    int bits;        /* of the alias tables; 0: a function of the parents */
    uint32_t *entry; /* owns; [joint states of the digits << bits] */
    void *cells;     /* of the column */
    int bytes;       /* per cell */
    struct bestdag_number_family number; /* owns; of a number */
};

struct scratch {
    uint32_t index[BLOCK];
    uint32_t random[BLOCK + BESTDAG_LANES];
};

struct job {
    struct bestdag_run *run;
    const struct bestdag_network *network;
    struct bestdag_table *table;
    struct plan *plan;       /* owns; [n], by variable */
    int *order;              /* owns; [n], parents first */
    struct scratch *scratch; /* owns; one per worker */
    int64_t blocks_an_item;
};

/* ---- the passes ---------------------------------------------------------- */

/* index[i] becomes the alias entry of row i. */
BESTDAG_INLINE void fetch_entries(const struct plan *p, struct scratch *s,
                                  int n)
{
    const uint32_t *entry = p->entry;
    int bits = p->bits;
    for (int i = 0; i < n; i++)
        s->index[i] = s->index[i] << bits | s->random[i] >> (32 - bits);
    for (int i = 0; i < n; i++)
        s->index[i] = entry[s->index[i]];
}

BESTDAG_INLINE void draw_bytes(const struct scratch *s, int bits,
                               uint8_t *restrict to, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = (uint8_t)bestdag_alias_draw(s->index[i], bits, s->random[i]);
}

BESTDAG_INLINE void draw_pairs(const struct scratch *s, int bits,
                               uint16_t *restrict to, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = (uint16_t)bestdag_alias_draw(s->index[i], bits, s->random[i]);
}

BESTDAG_INLINE void draw(const struct plan *p, struct scratch *s,
                         struct bestdag_random_lanes *lanes, int64_t from,
                         int n)
{
    bestdag_random_lanes_fill(lanes, s->random, n);
    fetch_entries(p, s, n);
    if (p->bytes == 1)
        draw_bytes(s, p->bits, (uint8_t *)p->cells + from, n);
    else
        draw_pairs(s, p->bits, (uint16_t *)p->cells + from, n);
}

BESTDAG_AVX2 static void draw_avx2(const struct plan *p, struct scratch *s,
                                   struct bestdag_random_lanes *lanes,
                                   int64_t from, int n)
{
    draw(p, s, lanes, from, n);
}

/* Fills cells first .. first + n - 1 from entries that are the states. */
static void look_up(const struct plan *p, const struct scratch *s,
                    int64_t first, int n)
{
    const uint32_t *entry = p->entry;
    uint8_t *byte = (uint8_t *)p->cells + first;
    uint16_t *pair = (uint16_t *)p->cells + first;
    if (p->bytes == 1)
        for (int i = 0; i < n; i++)
            byte[i] = (uint8_t)entry[s->index[i]];
    else
        for (int i = 0; i < n; i++)
            pair[i] = (uint16_t)entry[s->index[i]];
}

static void repeat(const struct plan *p, int64_t first, int n)
{
    if (p->bytes == 1)
        memset((uint8_t *)p->cells + first, p->state, (size_t)n);
    else
        for (int i = 0; i < n; i++)
            ((uint16_t *)p->cells)[first + i] = (uint16_t)p->state;
}

/* Fills the first n cells of a block of one column. */
static void fill_cells(const struct job *job, const struct plan *p,
                       struct scratch *s, int64_t block, int n)
{
    int64_t first = block * BLOCK;
    uint64_t stream = (uint64_t)block << 32 | (uint32_t)p->variable;
    struct bestdag_random_lanes lanes;
    if (p->kind == NUMBER) {
        struct bestdag_row_block rows = {first, n, s->index};
        bestdag_number_draw(&p->number, &rows, job->run->seed ^ SALT, stream,
                            p->cells);
        return;
    }
    if (p->kind == CONSTANT) {
        repeat(p, first, n);
        return;
    }
    bestdag_digits_index(p->digit, p->digits, first, n, s->index);
    if (p->kind == CERTAIN) {
        look_up(p, s, first, n);
        return;
    }
    bestdag_random_lanes_init(&lanes, job->run->seed ^ SALT, stream);
    if (bestdag_has_avx2())
        draw_avx2(p, s, &lanes, first, n);
    else
        draw(p, s, &lanes, first, n);
}

static int fill_blocks(void *argument, int64_t item, int worker)
{
    const struct job *job = argument;
    int64_t rows = job->table->rows, first = item * job->blocks_an_item;
    for (int64_t b = first; b < first + job->blocks_an_item; b++) {
        int64_t left = rows - b * BLOCK;
        if (left <= 0)
            break;
        for (int i = 0; i < job->network->dag->n; i++)
            fill_cells(job, &job->plan[job->order[i]], &job->scratch[worker], b,
                       left < BLOCK ? (int)left : BLOCK);
    }
    return BESTDAG_OK;
}

/* ---- preparation --------------------------------------------------------- */

/* The rows of a variable's table that can occur, given the parents that are
 * constant: row j of them is row_at(., j) of the table. */
struct rows {
    const struct bestdag_variable *x;
    const struct plan *plan;
    int64_t count, base, *stride; /* owns stride; [digits] */
};

static const double *row_at(const struct rows *rows, int64_t j)
{
    int64_t at = rows->base;
    for (int d = rows->plan->digits - 1; d >= 0; d--) {
        int states = rows->plan->digit[d].states;
        at += j % states * rows->stride[d];
        j /= states;
    }
    return rows->x->table + at * rows->x->states;
}

static int list_digits(struct bestdag_run *run, const struct job *job,
                       struct plan *p, struct rows *rows)
{
    const struct bestdag_parents *parents =
        &job->network->dag->parents[p->variable];
    size_t room = (size_t)parents->count;
    int64_t stride = bestdag_network_configurations(job->network, p->variable);
    p->digit = bestdag_alloc(run, room * sizeof *p->digit);
    rows->stride = bestdag_alloc(run, room * sizeof *rows->stride);
    if (!p->digit || !rows->stride)
        return bestdag_run_status(run);
    for (int i = 0; i < parents->count; i++) {
        const struct bestdag_column *c = &job->table->column[parents->at[i]];
        const struct plan *parent = &job->plan[parents->at[i]];
        stride /= c->states;
        if (parent->kind == CONSTANT) {
            rows->base += parent->state * stride;
            continue;
        }
        rows->count *= c->states;
        rows->stride[p->digits] = stride;
        p->digit[p->digits++] =
            (struct bestdag_digit){c->cells, c->bytes, c->states};
    }
    return BESTDAG_OK;
}

/* The only state that a row allows; -1: there are several. */
static int only_state(const double *row, int states)
{
    int only = -1;
    for (int s = 0; s < states; s++)
        if (row[s] > 0) {
            if (only >= 0)
                return -1;
            only = s;
        }
    return only;
}

static enum kind kind_of(const struct rows *rows, int *state)
{
    bool is_constant = true;
    *state = only_state(row_at(rows, 0), rows->x->states);
    for (int64_t j = 0; j < rows->count; j++) {
        int only = only_state(row_at(rows, j), rows->x->states);
        if (only < 0)
            return DRAWN;
        is_constant = is_constant && only == *state;
    }
    return is_constant ? CONSTANT : CERTAIN;
}

static int build_entries(struct bestdag_run *run, struct plan *p,
                         const struct rows *rows)
{
    struct bestdag_alias_scratch scratch = {0};
    int states = rows->x->states;
    p->bits = p->kind == CERTAIN ? 0 : bestdag_alias_bits(states);
    if (rows->count > MOST_ENTRIES >> p->bits)
        return bestdag_fail(run, BESTDAG_MEMORY,
                            "the table of '%s' is too large to sample from",
                            rows->x->name);
    p->entry =
        bestdag_alloc(run, (size_t)rows->count * sizeof *p->entry << p->bits);
    if (!p->entry || bestdag_alias_scratch_new(run, states, &scratch)) {
        bestdag_alias_scratch_release(&scratch);
        return bestdag_run_status(run);
    }
    for (int64_t j = 0; j < rows->count; j++)
        if (p->kind == CERTAIN)
            p->entry[j] = (uint32_t)only_state(row_at(rows, j), states);
        else
            bestdag_alias_build(row_at(rows, j), states, &scratch,
                                p->entry + (j << p->bits));
    bestdag_alias_scratch_release(&scratch);
    return BESTDAG_OK;
}

static int plan_number(struct bestdag_run *run, const struct job *job,
                       struct plan *p)
{
    const struct bestdag_parents *parents =
        &job->network->dag->parents[p->variable];
    struct bestdag_number_family *f = &p->number;
    int numbers = 0;
    p->kind = NUMBER;
    if (bestdag_number_family_init(run, job->network, p->variable, f))
        return bestdag_run_status(run);
    for (int i = 0; i < parents->count; i++) {
        const struct bestdag_column *c = &job->table->column[parents->at[i]];
        if (c->kind == BESTDAG_NUMBERS)
            f->parent[numbers++] = c->cells;
        else
            f->digit[f->digits++] =
                (struct bestdag_digit){c->cells, c->bytes, c->states};
    }
    return BESTDAG_OK;
}

static int make_plan(struct bestdag_run *run, const struct job *job, int v)
{
    struct plan *p = &job->plan[v];
    struct rows rows = {.x = &job->network->variable[v], .plan = p, .count = 1};
    p->variable = v;
    p->cells = job->table->column[v].cells;
    p->bytes = job->table->column[v].bytes;
    if (rows.x->is_number)
        return plan_number(run, job, p);
    int status = list_digits(run, job, p, &rows);
    if (!status) {
        p->kind = kind_of(&rows, &p->state);
        if (p->kind != CONSTANT)
            status = build_entries(run, p, &rows);
    }
    bestdag_free(rows.stride);
    return status;
}

static int make_plans(struct bestdag_run *run, struct job *job)
{
    int n = job->network->dag->n;
    job->order = bestdag_alloc(run, (size_t)n * sizeof *job->order);
    job->plan = bestdag_calloc(run, (size_t)n, sizeof *job->plan);
    if (!job->order || !job->plan ||
        bestdag_dag_order(run, job->network->dag, job->order) < 0)
        return bestdag_run_status(run);
    for (int i = 0; i < n; i++)
        if (make_plan(run, job, job->order[i]))
            break;
    return bestdag_run_status(run);
}

static int add_column(struct bestdag_run *run, struct bestdag_table *table,
                      const struct bestdag_variable *x)
{
    struct bestdag_column *c =
        bestdag_table_add(run, table, bestdag_strdup(run, x->name));
    if (c && x->is_number) {
        c->kind = BESTDAG_NUMBERS;
        c->bytes = sizeof(double);
        c->cells = bestdag_alloc(run, (size_t)table->rows * sizeof(double));
        return bestdag_run_status(run);
    }
    if (c)
        c->labels = bestdag_calloc(run, (size_t)x->states, sizeof *c->labels);
    if (!c || !c->labels)
        return bestdag_run_status(run);
    c->states = x->states;
    c->bytes = bestdag_code_bytes(x->states);
    for (int s = 0; s < x->states; s++)
        if (!(c->labels[s] = bestdag_strdup(run, x->labels[s])))
            return bestdag_run_status(run);
    c->cells = bestdag_alloc(run, (size_t)table->rows * (size_t)c->bytes);
    return bestdag_run_status(run);
}

static struct bestdag_table *new_table(struct bestdag_run *run,
                                       const struct bestdag_network *network,
                                       int64_t rows)
{
    int64_t bytes = 0;
    char what[64];
    for (int v = 0; v < network->dag->n; v++)
        bytes += network->variable[v].is_number
                     ? (int)sizeof(double)
                     : bestdag_code_bytes(network->variable[v].states);
    if (__builtin_mul_overflow(bytes, rows, &bytes))
        bytes = INT64_MAX;
    snprintf(what, sizeof what, "a table of %lld rows and %d columns",
             (long long)rows, network->dag->n);
    if (bestdag_reserve(run, bytes, what))
        return NULL;
    struct bestdag_table *table = bestdag_table_new(run, rows);
    for (int v = 0; table && v < network->dag->n; v++)
        if (add_column(run, table, &network->variable[v])) {
            bestdag_table_free(table);
            return NULL;
        }
    return table;
}

/* ---- the whole ----------------------------------------------------------- */

static int64_t items_of(struct job *job)
{
    int64_t blocks = (job->table->rows + BLOCK - 1) / BLOCK;
    int64_t cells = (int64_t)BLOCK * (job->network->dag->n + 1);
    job->blocks_an_item = 1 + ITEM_CELLS / cells;
    return (blocks + job->blocks_an_item - 1) / job->blocks_an_item;
}

/* After a stop, keeps the rows that are complete. */
static void shorten(struct bestdag_run *run, struct job *job, int64_t items)
{
    int64_t rows = items * job->blocks_an_item * BLOCK;
    if (rows >= job->table->rows)
        return;
    bestdag_note(run, 0, "stopped after %lld of %lld rows", (long long)rows,
                 (long long)job->table->rows);
    job->table->rows = job->table->total = rows;
}

static int fill(struct bestdag_run *run, struct job *job)
{
    int64_t items = items_of(job), done = 0;
    int threads = bestdag_parallel_threads(run, items);
    bestdag_run_phase(run, "sampling", items);
    if (make_plans(run, job))
        return bestdag_run_status(run);
    job->scratch = bestdag_alloc(run, (size_t)threads * sizeof *job->scratch);
    struct bestdag_work work = {
        .job = job, .items = items, .work = fill_blocks};
    if (!job->scratch || bestdag_parallel(run, &work, &done))
        return bestdag_run_status(run);
    shorten(run, job, done);
    return BESTDAG_OK;
}

static void release(struct job *job)
{
    for (int v = 0; job->plan && v < job->network->dag->n; v++) {
        bestdag_free(job->plan[v].digit);
        bestdag_free(job->plan[v].entry);
        bestdag_number_family_release(&job->plan[v].number);
    }
    bestdag_free(job->plan);
    bestdag_free(job->order);
    bestdag_free(job->scratch);
}

struct bestdag_table *bestdag_network_sample(
    struct bestdag_run *run, const struct bestdag_network *network,
    int64_t rows)
{
    if (bestdag_lacks(run, network, "network"))
        return NULL;
    if (rows < 0 || !bestdag_network_is_fitted(network)) {
        bestdag_fail(run, BESTDAG_USAGE,
                     rows < 0 ? "cannot draw %lld rows"
                              : "cannot draw %lld rows from a network without "
                                "tables: fit it first",
                     (long long)rows);
        return NULL;
    }
    struct job job = {.run = run, .network = network};
    job.table = new_table(run, network, rows);
    int status = job.table ? fill(run, &job) : BESTDAG_FAILED;
    release(&job);
    if (!status)
        return job.table;
    bestdag_table_free(job.table);
    return NULL;
}
