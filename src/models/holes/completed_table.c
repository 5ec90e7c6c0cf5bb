/* SPDX-License-Identifier: MIT */
/* completed_table.c -- a table completed by a network: expected counts of any
 * family.
 *
 * Structural EM (Friedman 1998) scores families that the present network does
 * not have on the counts that it expects. For each kind of row and each
 * component of its holes (hole_posterior.h) the joint posterior of the
 * component is kept, as a list of joint states (joint_list.c); components are
 * independent given the row's values, so the posterior of the holes of any
 * family is a product of marginals of these. Where a component has too many
 * joint states, a session of the inference engine answers for the row, family
 * by family.
 *
 * A count is a whole number of units of 2^-shift rows: every contribution of a
 * row is rounded, so that sums do not depend on order or threads. Members of a
 * family are taken in ascending order, so that the products do not either.
 *
 * Most families of a row have one hole or two: marginals and joints of two
 * holes of a component are kept as counts, ready to be added.
 *
 * A family costs a pass over all kinds of rows, and where a row has holes of
 * it, the product of their states, or, for three holes of one component, the
 * length of its list. Memory: 2 bytes a cell, 8 and 2 a hole for a joint state,
 * 8 for each number that is kept of a row. */
#include "models/holes/completed_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "inference/engine.h"
#include "models/holes/completed_rows.h"
#include "parallel/parallel.h"

enum {
    SHIFT = 30,      /* 2^-30 rows: 1e-9 */
    BLOCK = 32,      /* kinds of rows */
    MOST_PAIRED = 16 /* holes of a component whose pairs are kept: 120 small
                        tables for a row */
};

/* ---- patterns --------------------------------------------------------------
 */

static void take_component(const struct bestdag_hole_plan *p, int c,
                           struct bestdag_completed_pattern *to)
{
    const struct bestdag_hole_component *from = &p->component[c];
    to->component[to->components++] =
        (struct bestdag_completed_component){to->slots, from->holes, -1};
    for (int h = 0; h < from->holes; h++) {
        int v = p->hole[from->first + h];
        int states = p->network->variable[v].states;
        to->slot[to->slots] =
            (struct bestdag_hole_slot){v, c, h, to->marginals, states};
        to->marginals += states;
        to->slot_of[v] = (int16_t)to->slots++;
    }
}

/* Where the joints of two holes are. */
static int place_pairs(struct bestdag_run *run,
                       struct bestdag_completed_pattern *to)
{
    to->units = to->marginals;
    for (int c = 0; c < to->components; c++) {
        int h = to->component[c].holes;
        to->component[c].pair = h > 1 && h <= MOST_PAIRED ? to->pairs : -1;
        to->pairs += h <= MOST_PAIRED ? h * (h - 1) / 2 : 0;
    }
    to->pair = bestdag_alloc(run, ((size_t)to->pairs + 1) * sizeof *to->pair);
    for (int c = 0, at = 0; to->pair && c < to->components; c++) {
        const struct bestdag_completed_component *k = &to->component[c];
        for (int b = 1; k->pair >= 0 && b < k->holes; b++)
            for (int a = 0; a < b; a++) {
                to->pair[at++] = to->units;
                to->units += to->slot[k->first + a].states *
                             to->slot[k->first + b].states;
            }
    }
    return bestdag_run_status(run);
}

/* Of the pattern that the plan is set to. */
static int take_pattern(struct bestdag_run *run,
                        const struct bestdag_hole_plan *p,
                        struct bestdag_completed_pattern *to)
{
    size_t n = (size_t)p->n;
    to->slot = bestdag_alloc(run, ((size_t)p->holes + 1) * sizeof *to->slot);
    to->component =
        bestdag_alloc(run, ((size_t)p->components + 1) * sizeof *to->component);
    to->slot_of = bestdag_alloc(run, n * sizeof *to->slot_of);
    if (!to->slot || !to->component || !to->slot_of)
        return bestdag_run_status(run);
    for (size_t v = 0; v < n; v++)
        to->slot_of[v] = -1;
    for (int c = 0; c < p->components; c++)
        take_component(p, c, to);
    return place_pairs(run, to);
}

static int find_patterns(struct bestdag_run *run, struct bestdag_completion *c)
{
    struct bestdag_hole_plan plan = {0};
    const struct bestdag_hole_rows *rows = c->rows;
    c->pattern =
        bestdag_calloc(run, (size_t)rows->patterns + 1, sizeof *c->pattern);
    c->pattern_of =
        bestdag_alloc(run, ((size_t)rows->count + 1) * sizeof *c->pattern_of);
    c->row = bestdag_calloc(run, (size_t)rows->count + 1, sizeof *c->row);
    int status = bestdag_run_status(run);
    if (!status)
        status = bestdag_hole_plan_new(run, c->network, 1, &plan);
    for (int64_t i = 0; !status && i < rows->count; i++) {
        if (!i || rows->pattern[i] != rows->pattern[i - 1]) {
            bestdag_hole_plan_set(&plan, bestdag_hole_row(rows, i),
                                  rows->pattern[i]);
            c->pattern[c->patterns].first = i;
            status = take_pattern(run, &plan, &c->pattern[c->patterns++]);
        }
        c->pattern[c->patterns - 1].rows++;
        c->pattern_of[i] = c->patterns - 1;
    }
    bestdag_hole_plan_release(&plan);
    return bestdag_run_status(run);
}

/* ---- posteriors ------------------------------------------------------------
 */

struct filler {
    struct bestdag_hole_plan plan;
    struct bestdag_joint_list list;
};

struct filling {
    struct bestdag_run *run;
    struct bestdag_completion *c;
    int *rank;             /* owns */
    struct filler *filler; /* owns; one per worker */
    _Atomic bool is_cut;   /* stopped inside a block */
};

/* One joint state of component c into its pairs. */
static void add_pairs(const struct bestdag_completed_pattern *p,
                      const struct bestdag_completed_component *k,
                      const uint16_t *digit, double weight, double *sum)
{
    const int *at = p->pair + k->pair;
    for (int b = 1; b < k->holes; b++)
        for (int a = 0; a < b; a++)
            sum[*at++ + digit[a] * p->slot[k->first + b].states + digit[b]] +=
                weight;
}

/* Marginals and joints of two holes, as counts. */
static int keep_units(struct filling *f, const struct bestdag_joint_list *l,
                      const struct bestdag_completed_pattern *p, double weight,
                      struct bestdag_completed_row *to)
{
    double *sum = bestdag_calloc(f->run, (size_t)p->units + 1, sizeof *sum);
    to->unit = bestdag_alloc(f->run, ((size_t)p->units + 1) * sizeof *to->unit);
    if (sum && to->unit) {
        memcpy(sum, to->marginal, (size_t)p->marginals * sizeof *sum);
        for (int c = 0; c < p->components; c++) {
            const struct bestdag_completed_component *k = &p->component[c];
            const uint16_t *digit = l->digit + to->from[c];
            for (int32_t i = to->start[c]; k->pair >= 0 && i < to->start[c + 1];
                 i++, digit += k->holes)
                add_pairs(p, k, digit, l->p[i], sum);
        }
        for (int i = 0; i < p->units; i++)
            to->unit[i] = llround(sum[i] * weight);
    }
    bestdag_free(sum);
    return bestdag_run_status(f->run);
}

/* Copies what a list has found, and sums up marginals. */
static int keep_row(struct filling *f, const struct bestdag_joint_list *l,
                    const struct bestdag_completed_pattern *p,
                    const int32_t *start, double weight,
                    struct bestdag_completed_row *to)
{
    size_t numbers = (size_t)l->count + (size_t)p->marginals + 1;
    size_t bounds = 2 * (size_t)p->components + 1;
    int32_t from = 0;
    to->p = bestdag_calloc(f->run, numbers, sizeof *to->p);
    to->digit =
        bestdag_alloc(f->run, ((size_t)l->digits + 1) * sizeof *to->digit);
    to->start = bestdag_alloc(f->run, bounds * sizeof *to->start);
    if (!to->p || !to->digit || !to->start)
        return BESTDAG_MEMORY;
    to->marginal = to->p + l->count;
    to->from = to->start + p->components + 1;
    memcpy(to->p, l->p, (size_t)l->count * sizeof *to->p);
    memcpy(to->digit, l->digit, (size_t)l->digits * sizeof *to->digit);
    memcpy(to->start, start, ((size_t)p->components + 1) * sizeof *start);
    for (int c = 0; c < p->components; c++) {
        const struct bestdag_completed_component *k = &p->component[c];
        to->from[c] = from;
        for (int32_t i = start[c]; i < start[c + 1]; i++)
            for (int h = 0; h < k->holes; h++)
                to->marginal[p->slot[k->first + h].marginal +
                             to->digit[from++]] += to->p[i];
    }
    return keep_units(f, l, p, weight, to);
}

static int fill_row(struct filling *f, struct filler *w, int64_t row,
                    int32_t *start)
{
    const struct bestdag_completed_pattern *p =
        &f->c->pattern[f->c->pattern_of[row]];
    bool fits = true;
    bestdag_hole_plan_set(&w->plan, bestdag_hole_row(f->c->rows, row),
                          f->c->rows->pattern[row]);
    w->list.count = w->list.digits = 0;
    start[0] = 0;
    for (int c = 0; c < p->components && fits; c++) {
        if (bestdag_joint_list_add(&w->list, c, &fits))
            return BESTDAG_MEMORY;
        start[c + 1] = (int32_t)w->list.count;
    }
    double weight = ldexp((double)f->c->rows->weight[row], f->c->shift);
    return fits ? keep_row(f, &w->list, p, start, weight, &f->c->row[row])
                : BESTDAG_OK;
}

/* Rows may take long: every one looks whether the run is stopped. */
static int fill_block(void *data, int64_t item, int worker)
{
    struct filling *f = data;
    int64_t end = (item + 1) * BLOCK;
    int32_t *start =
        bestdag_alloc(f->run, ((size_t)f->c->n + 1) * sizeof *start);
    for (int64_t i = item * BLOCK; start && i < end && i < f->c->rows->count;
         i++) {
        if (!f->c->pattern[f->c->pattern_of[i]].components)
            continue;
        if (bestdag_run_stopped(f->run)) {
            f->is_cut = true;
            break;
        }
        if (fill_row(f, &f->filler[worker], i, start))
            break;
    }
    bestdag_free(start);
    return bestdag_run_status(f->run);
}

static int rank_variables(struct bestdag_run *run, struct filling *f)
{
    int n = f->c->n, *order = bestdag_alloc(run, (size_t)n * sizeof *order);
    f->rank = bestdag_alloc(run, (size_t)n * sizeof *f->rank);
    if (order && f->rank &&
        bestdag_dag_order(run, f->c->network->dag, order) == n)
        for (int i = 0; i < n; i++)
            f->rank[order[i]] = i;
    bestdag_free(order);
    return bestdag_run_status(run);
}

static int fill(struct bestdag_run *run, struct bestdag_completion *c,
                bool *done)
{
    int64_t taken = 0;
    struct filling f = {.run = run, .c = c};
    struct bestdag_work work = {.job = &f,
                                .items = (c->rows->count + BLOCK - 1) / BLOCK,
                                .work = fill_block};
    int workers = bestdag_parallel_threads(run, work.items + 1);
    f.filler = bestdag_calloc(run, (size_t)workers, sizeof *f.filler);
    if (f.filler)
        rank_variables(run, &f);
    for (int i = 0; i < workers && !bestdag_run_status(run); i++)
        if (!bestdag_hole_plan_new(run, c->network, 1, &f.filler[i].plan))
            bestdag_joint_list_new(run, &f.filler[i].plan, f.rank,
                                   &f.filler[i].list);
    if (!bestdag_run_status(run))
        bestdag_parallel(run, &work, &taken);
    for (int i = 0; f.filler && i < workers; i++) {
        bestdag_joint_list_release(&f.filler[i].list);
        bestdag_hole_plan_release(&f.filler[i].plan);
    }
    bestdag_free(f.filler);
    bestdag_free(f.rank);
    *done = taken == work.items && !f.is_cut;
    return bestdag_run_status(run);
}

/* ---- the whole -------------------------------------------------------------
 */

static int copy_codes(struct bestdag_run *run, struct bestdag_completion *c)
{
    int64_t count = c->rows->count;
    c->code = bestdag_alloc(run, ((size_t)count + 1) * (size_t)c->n *
                                     sizeof *c->code);
    for (int v = 0; c->code && v < c->n; v++)
        for (int64_t i = 0; i < count; i++)
            c->code[v * count + i] = bestdag_hole_row(c->rows, i)[v];
    return bestdag_run_status(run);
}

/* For the rows that have no list. */
static int compile(struct bestdag_run *run, struct bestdag_completion *c)
{
    for (int64_t i = 0; i < c->rows->count; i++)
        c->large += c->pattern[c->pattern_of[i]].components && !c->row[i].p;
    if (!c->large)
        return BESTDAG_OK;
    c->exact = bestdag_options_new(run);
    if (c->exact)
        bestdag_options_need_exact(run, c->exact);
    if (!bestdag_run_status(run))
        c->engine = bestdag_engine_new(run, c->network, NULL, 0, c->exact);
    return bestdag_run_status(run);
}

int bestdag_completion_make(struct bestdag_run *run,
                            const struct bestdag_network *network,
                            const struct bestdag_hole_rows *rows,
                            struct bestdag_completion *to, bool *done)
{
    *to = (struct bestdag_completion){.network = network,
                                      .rows = rows,
                                      .n = network->dag->n,
                                      .total = rows->weight_of,
                                      .shift = SHIFT,
                                      .run = run};
    *done = false;
    while (to->shift > 8 && ldexp((double)to->total + 1, to->shift) >= 0x1p61)
        to->shift--;
    if (find_patterns(run, to) || copy_codes(run, to) || fill(run, to, done) ||
        !*done)
        return bestdag_run_status(run);
    return compile(run, to);
}

double bestdag_completion_share(const struct bestdag_completion *c)
{
    int64_t open = 0;
    for (int64_t i = 0; i < c->patterns; i++)
        open += c->pattern[i].components ? c->pattern[i].rows : 0;
    return c->rows->count ? (double)open / (double)c->rows->count : 0;
}

void bestdag_completion_release(struct bestdag_completion *c)
{
    for (int64_t i = 0; c->pattern && i < c->patterns; i++) {
        bestdag_free(c->pattern[i].slot);
        bestdag_free(c->pattern[i].component);
        bestdag_free(c->pattern[i].slot_of);
        bestdag_free(c->pattern[i].pair);
    }
    for (int64_t i = 0; c->row && i < c->rows->count; i++) {
        bestdag_free(c->row[i].p);
        bestdag_free(c->row[i].digit);
        bestdag_free(c->row[i].unit);
        bestdag_free(c->row[i].start);
    }
    bestdag_free(c->row);
    bestdag_free(c->pattern);
    bestdag_free(c->pattern_of);
    bestdag_free(c->code);
    bestdag_engine_free(c->engine);
    bestdag_options_free(c->exact);
    *c = (struct bestdag_completion){0};
}
