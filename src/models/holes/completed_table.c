/* SPDX-License-Identifier: MIT */
/* completed_table.c -- a table completed by a network: expected counts of any
 * family.
 *
 * Structural EM (Friedman 1998) scores families that the present network does
 * not have on the counts that it expects. For each kind of row (equal rows are
 * stored once) and each component of its holes (hole_posterior.h), the joint
 * posterior of the component is stored as a list of joint states
 * (joint_list.c); components are independent given the row's values, so the
 * posterior of the holes of any family is a product of marginals of these.
 * Where a component has too many joint states, a session of the inference
 * engine answers for it.
 *
 * Most families of a row have one hole or two. The posteriors of single holes
 * are stored variable by variable, in the order of rows, as the codes are, so
 * that counting a family reads a few arrays sequentially. Joints of two holes
 * of a component are stored row by row. Only three holes of one component need
 * its list, or the session.
 *
 * A count is a whole number of units of 2^-shift rows: every contribution of a
 * row is rounded, so that sums do not depend on order or threads. Members of a
 * family are taken in ascending order, so that the products do not either.
 *
 * A family costs a pass over all kinds of rows, and where a row has holes of
 * it, the product of their states. Memory: 4 bytes per cell, 8 per state of a
 * hole and per joint state of two holes of a component, and for each listed
 * joint state 8 plus 2 per hole. */
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
    MOST_PAIRED = 32 /* pairs are stored for components of up to this many
                        holes: 496 small tables per row */
};

/* ---- patterns ------------------------------------------------------------ */

static void take_component(const struct bestdag_hole_plan *p, int c,
                           const int64_t *lacking,
                           struct bestdag_completed_pattern *to)
{
    const struct bestdag_hole_component *from = &p->component[c];
    to->component[to->components++] =
        (struct bestdag_completed_component){to->slots, from->holes, -1};
    for (int h = 0; h < from->holes; h++) {
        int v = p->hole[from->first + h];
        int states = p->network->variable[v].states;
        to->slot[to->slots] =
            (struct bestdag_hole_slot){v, c, h, states, lacking[v]};
        to->slot_of[v] = (int16_t)to->slots++;
    }
}

/* Lays out the joints of two holes. */
static int place_pairs(struct bestdag_run *run,
                       struct bestdag_completed_pattern *to)
{
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
                to->pair[at++] = to->cells;
                to->cells += to->slot[k->first + a].states *
                             to->slot[k->first + b].states;
            }
    }
    return bestdag_run_status(run);
}

/* Stores the pattern that the plan is set to; lacking[v]: kinds of rows before
 * it that lack v. */
static int take_pattern(struct bestdag_run *run,
                        const struct bestdag_hole_plan *p,
                        const int64_t *lacking,
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
        take_component(p, c, lacking, to);
    return place_pairs(run, to);
}

static void take_row(struct bestdag_completion *c, int64_t row,
                     int64_t *lacking)
{
    struct bestdag_completed_pattern *p = &c->pattern[c->patterns - 1];
    p->rows++;
    c->pattern_of[row] = c->patterns - 1;
    for (int i = 0; i < p->slots; i++) {
        int v = p->slot[i].variable;
        lacking[v]++;
        c->component[v * c->rows->count + row] = (int16_t)p->slot[i].component;
    }
}

/* Finds the patterns, and how many kinds of rows lack each variable. */
static int find_patterns(struct bestdag_run *run, struct bestdag_completion *c,
                         int64_t *lacking)
{
    struct bestdag_hole_plan plan = {0};
    const struct bestdag_hole_rows *rows = c->rows;
    int status = bestdag_hole_plan_new(run, c->network, 1, &plan);
    for (int64_t i = 0; !status && i < rows->count; i++) {
        if (!i || rows->pattern[i] != rows->pattern[i - 1]) {
            bestdag_hole_plan_set(&plan, bestdag_hole_row(rows, i),
                                  rows->pattern[i]);
            c->pattern[c->patterns].first = i;
            status =
                take_pattern(run, &plan, lacking, &c->pattern[c->patterns++]);
        }
        if (!status)
            take_row(c, i, lacking);
    }
    bestdag_hole_plan_release(&plan);
    return bestdag_run_status(run);
}

/* Computes everything that depends on the structure alone. */
static int lay_out(struct bestdag_run *run, struct bestdag_completion *c)
{
    size_t n = (size_t)c->n, count = (size_t)c->rows->count;
    int64_t *lacking = bestdag_calloc(run, n + 1, sizeof *lacking);
    c->pattern =
        bestdag_calloc(run, (size_t)c->rows->patterns + 1, sizeof *c->pattern);
    c->pattern_of = bestdag_alloc(run, (count + 1) * sizeof *c->pattern_of);
    c->row = bestdag_calloc(run, count + 1, sizeof *c->row);
    c->weight = bestdag_alloc(run, (count + 1) * sizeof *c->weight);
    c->code = bestdag_alloc(run, (count + 1) * n * sizeof *c->code);
    c->component = bestdag_alloc(run, (count + 1) * n * sizeof *c->component);
    c->marginal = bestdag_calloc(run, n + 1, sizeof *c->marginal);
    if (!bestdag_run_status(run))
        find_patterns(run, c, lacking);
    for (size_t v = 0; v < n && !bestdag_run_status(run); v++) {
        size_t states = (size_t)c->network->variable[v].states;
        c->marginal[v] = bestdag_calloc(run, (size_t)lacking[v] * states + 1,
                                        sizeof *c->marginal[v]);
        for (size_t i = 0; i < count; i++)
            c->code[v * count + i] = bestdag_hole_row(c->rows, (int64_t)i)[v];
    }
    for (size_t i = 0; i < count && !bestdag_run_status(run); i++)
        c->weight[i] = ldexp((double)c->rows->weight[i], c->shift);
    bestdag_free(lacking);
    return bestdag_run_status(run);
}

/* ---- posteriors ---------------------------------------------------------- */

struct filler {
    struct bestdag_hole_plan plan;
    struct bestdag_joint_list list;
    struct bestdag_session *session; /* owns; or NULL */
};

struct filling {
    struct bestdag_run *run;
    struct bestdag_completion *c;
    int *rank;             /* owns */
    struct filler *filler; /* owns; one per worker */
    const int64_t *large;  /* rows that sessions are asked about */
    _Atomic bool is_cut;   /* stopped within a block */
};

/* Adds one joint state of a component to the joints of two holes. */
static void add_pairs(const struct bestdag_completed_pattern *p,
                      const struct bestdag_completed_component *k,
                      const uint16_t *digit, double weight, double *pair)
{
    const int *at = p->pair + k->pair;
    for (int b = 1; b < k->holes; b++)
        for (int a = 0; a < b; a++)
            pair[*at++ + digit[a] * p->slot[k->first + b].states + digit[b]] +=
                weight;
}

/* Sums a component's list to the posteriors of single holes and of two. */
static void sum_up(const struct bestdag_completion *c, int component,
                   int64_t row)
{
    const struct bestdag_completed_pattern *p = &c->pattern[c->pattern_of[row]];
    const struct bestdag_completed_component *k = &p->component[component];
    const struct bestdag_completed_row *r = &c->row[row];
    const uint16_t *digit = r->digit + r->from[component];
    for (int32_t i = r->start[component]; i < r->start[component + 1];
         i++, digit += k->holes) {
        for (int h = 0; h < k->holes; h++)
            bestdag_completed_marginal(c, p, &p->slot[k->first + h],
                                       row)[digit[h]] += r->p[i];
        if (k->pair >= 0)
            add_pairs(p, k, digit, r->p[i], r->pair);
    }
}

/* Copies a row's lists. */
static int keep_row(struct filling *f, const struct bestdag_joint_list *l,
                    const int32_t *start, int64_t row)
{
    const struct bestdag_completed_pattern *p =
        &f->c->pattern[f->c->pattern_of[row]];
    struct bestdag_completed_row *to = &f->c->row[row];
    size_t components = (size_t)p->components, count = (size_t)l->count;
    to->p = bestdag_alloc(f->run, (count + 1) * sizeof *to->p);
    to->pair = bestdag_calloc(f->run, (size_t)p->cells + 1, sizeof *to->pair);
    to->digit =
        bestdag_alloc(f->run, ((size_t)l->digits + 1) * sizeof *to->digit);
    to->start = bestdag_alloc(f->run, (2 * components + 1) * sizeof *to->start);
    if (!to->p || !to->pair || !to->digit || !to->start)
        return BESTDAG_MEMORY;
    to->from = to->start + components + 1;
    memcpy(to->p, l->p, count * sizeof *to->p);
    memcpy(to->digit, l->digit, (size_t)l->digits * sizeof *to->digit);
    memcpy(to->start, start, (components + 1) * sizeof *start);
    for (int c = 0, from = 0; c < p->components; c++) {
        to->from[c] = from;
        from += bestdag_completed_length(to, c) * p->component[c].holes;
        sum_up(f->c, c, row);
    }
    return BESTDAG_OK;
}

static int fill_row(struct filling *f, struct filler *w, int64_t row,
                    int32_t *start)
{
    const struct bestdag_completed_pattern *p =
        &f->c->pattern[f->c->pattern_of[row]];
    bestdag_hole_plan_set(&w->plan, bestdag_hole_row(f->c->rows, row),
                          f->c->rows->pattern[row]);
    w->list.count = w->list.digits = 0;
    start[0] = 0;
    for (int c = 0; c < p->components; c++) {
        bool fits;
        if (bestdag_joint_list_add(&w->list, c, &fits))
            return BESTDAG_MEMORY;
        start[c + 1] = (int32_t)w->list.count;
    }
    return keep_row(f, &w->list, start, row);
}

/* A row may take long, so a stop is checked for at every row. */
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

/* ---- components with too many joint states ------------------------------- */

int bestdag_completion_tell(struct bestdag_run *run,
                            struct bestdag_session *session,
                            const struct bestdag_completion *c, int64_t row)
{
    const uint16_t *code = bestdag_hole_row(c->rows, row);
    for (int v = 0; v < c->n; v++)
        if (bestdag_session_observe(run, session, v,
                                    code[v] == BESTDAG_HOLE ? -1 : code[v]))
            return bestdag_run_status(run);
    bestdag_session_evidence(run, session);
    return bestdag_run_status(run);
}

/* Gets the posteriors of single holes and of two from the session. */
static int ask_component(struct filling *f, struct bestdag_session *session,
                         int component, int64_t row)
{
    const struct bestdag_completed_pattern *p =
        &f->c->pattern[f->c->pattern_of[row]];
    const struct bestdag_completed_component *k = &p->component[component];
    const struct bestdag_hole_slot *slot = p->slot + k->first;
    const int *at = p->pair + k->pair;
    for (int b = 0; b < k->holes; b++) {
        int v = slot[b].variable;
        if (bestdag_session_joint(
                f->run, session, &v, 1,
                bestdag_completed_marginal(f->c, p, &slot[b], row),
                slot[b].states))
            return bestdag_run_status(f->run);
    }
    for (int b = 1; k->pair >= 0 && b < k->holes; b++)
        for (int a = 0; a < b; a++) {
            int two[2] = {slot[a].variable, slot[b].variable};
            if (bestdag_session_joint(f->run, session, two, 2,
                                      f->c->row[row].pair + *at++,
                                      (int64_t)slot[a].states * slot[b].states))
                return bestdag_run_status(f->run);
        }
    return BESTDAG_OK;
}

static int ask_row(void *data, int64_t item, int worker)
{
    struct filling *f = data;
    int64_t row = f->large[item];
    struct bestdag_session **session = &f->filler[worker].session;
    if (!*session)
        *session = bestdag_session_new(f->run, f->c->engine);
    if (!*session || bestdag_completion_tell(f->run, *session, f->c, row))
        return bestdag_run_status(f->run);
    const struct bestdag_completed_pattern *p =
        &f->c->pattern[f->c->pattern_of[row]];
    for (int c = 0; c < p->components; c++)
        if (!bestdag_completed_length(&f->c->row[row], c) &&
            ask_component(f, *session, c, row))
            return bestdag_run_status(f->run);
    return BESTDAG_OK;
}

static bool is_large(const struct bestdag_completion *c, int64_t row)
{
    const struct bestdag_completed_pattern *p = &c->pattern[c->pattern_of[row]];
    for (int k = 0; k < p->components; k++)
        if (!bestdag_completed_length(&c->row[row], k))
            return true;
    return false;
}

static int compile(struct bestdag_run *run, struct bestdag_completion *c)
{
    c->exact = bestdag_options_new(run);
    if (c->exact)
        bestdag_options_need_exact(run, c->exact);
    if (!bestdag_run_status(run))
        c->engine = bestdag_engine_new(run, c->network, NULL, 0, c->exact);
    return bestdag_run_status(run);
}

static int ask_all(struct bestdag_run *run, struct bestdag_completion *c,
                   bool *done)
{
    int64_t taken = 0, count = c->rows->count;
    int64_t *large = bestdag_alloc(run, ((size_t)count + 1) * sizeof *large);
    struct filling f = {.run = run, .c = c, .large = large};
    for (int64_t i = 0; large && i < count; i++)
        if (is_large(c, i))
            large[c->large++] = i;
    struct bestdag_work work = {.job = &f, .items = c->large, .work = ask_row};
    int workers = bestdag_parallel_threads(run, work.items + 1);
    f.filler = bestdag_calloc(run, (size_t)workers, sizeof *f.filler);
    if (!bestdag_run_status(run) && c->large && !compile(run, c)) {
        work.threads = bestdag_engine_sessions(run, c->engine, workers);
        bestdag_parallel(run, &work, &taken);
    }
    for (int i = 0; f.filler && i < workers; i++)
        bestdag_session_free(f.filler[i].session);
    bestdag_free(f.filler);
    bestdag_free(large);
    *done = taken == work.items;
    return bestdag_run_status(run);
}

/* ---- the whole ----------------------------------------------------------- */

int bestdag_completion_make(struct bestdag_run *run,
                            const struct bestdag_network *network,
                            const struct bestdag_hole_rows *rows,
                            struct bestdag_completion *to, bool *done)
{
    struct bestdag_slice_limits share = {.reports = true};
    bool is_cut;
    *to = (struct bestdag_completion){.network = network,
                                      .rows = rows,
                                      .n = network->dag->n,
                                      .total = rows->weight_of,
                                      .shift = SHIFT};
    *done = false;
    while (to->shift > 8 && ldexp((double)to->total + 1, to->shift) >= 0x1p61)
        to->shift--;
    struct bestdag_run *slice = bestdag_run_slice(run, share);
    if (slice && !lay_out(slice, to) && !fill(slice, to, done) && *done)
        ask_all(slice, to, done);
    bestdag_run_join_cut(slice, &is_cut);
    *done = *done && !is_cut;
    return bestdag_run_status(run);
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
        bestdag_free(c->row[i].pair);
        bestdag_free(c->row[i].start);
    }
    for (int v = 0; c->marginal && v < c->n; v++)
        bestdag_free(c->marginal[v]);
    bestdag_free(c->marginal);
    bestdag_free(c->component);
    bestdag_free(c->weight);
    bestdag_free(c->row);
    bestdag_free(c->pattern);
    bestdag_free(c->pattern_of);
    bestdag_free(c->code);
    bestdag_engine_free(c->engine);
    bestdag_options_free(c->exact);
    *c = (struct bestdag_completion){0};
}
