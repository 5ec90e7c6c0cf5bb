/* SPDX-License-Identifier: MIT */
/* impute.c -- fills the missing cells of a table from a network.
 *
 * The cells of a row that are there are evidence, those that are missing are
 * explained: together (the most probable joint state of the row's holes, which
 * is never an impossible combination), each alone (which makes the fewest wrong
 * cells on average), or by a draw from their joint distribution. A draw is made
 * from the joint table of a row's holes where that is small, else hole by hole,
 * each given those before it; both draw from the same distribution. Every row
 * has its own stream of random numbers, so that results do not depend on
 * threads. */
#include "models/query/impute.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "models/query/numeric_impute.h"

static const struct bestdag_option option_rows[] = {
    {"fill", BESTDAG_CHOICE, "joint", .choices = "joint|cells|draws",
     .value = "HOW",
     .help = "joint: the most probable states of all missing cells of a row "
             "together; cells: of each cell alone; draws: drawn given the "
             "row"},
    {"tables", BESTDAG_INTEGER, NULL, 1, 1e6, .value = "M",
     .help = "M completed tables, drawn; the rows of all of them one after the "
             "other, with their number in a first column, table"},
    {"probabilities", BESTDAG_FLAG, "no",
     .help = "write the probabilities of all states of the missing cells "
             "instead of the table"},
    {0}};
const struct bestdag_option_group bestdag_impute_options = {"impute",
                                                            option_rows};

enum {
    MOST_JOINT = 1024
}; /* largest joint table that draws are made from; larger ones are drawn hole
      by hole */

/* ---- holes --------------------------------------------------------------- */

bool bestdag_imputation_number(const char *label, double *to)
{
    return bestdag_number_parse(label, strlen(label), to);
}

static bool is_missing(const struct bestdag_column *c, int64_t row)
{
    if (c->kind == BESTDAG_NUMBERS)
        return isnan(((const double *)c->cells)[row]);
    return c->kind == BESTDAG_OPAQUE ? !c->distinct
                                     : bestdag_column_code(c, row) < 0;
}

/* A column of numbers can only take states that are numbers. */
static bool can_fill(const struct bestdag_imputation *m,
                     const struct bestdag_row_source *s)
{
    const struct bestdag_column *c = &m->table->column[s->column];
    const struct bestdag_variable *x = &m->a.network->variable[s->variable];
    double number;
    if (c->kind != BESTDAG_CODES && c->kind != BESTDAG_NUMBERS)
        return !c->distinct;
    if (x->is_number)
        return true;
    if (s->encoder.is_cut)
        return false;
    for (int k = 0; c->kind == BESTDAG_NUMBERS && k < x->states; k++)
        if (!bestdag_imputation_number(x->labels[k], &number))
            return false;
    return true;
}

/* Notes the missing cells that stay missing, by column. */
static void note_unfilled(const struct bestdag_imputation *m)
{
    int64_t strange = 0, other = 0;
    for (int c = 0; c < m->table->columns; c++) {
        bool is_source = false, is_filled = false;
        for (int i = 0; i < m->rows.sources; i++)
            if (m->rows.source[i].column == c) {
                is_source = true;
                is_filled = m->can_fill[i];
            }
        strange += !is_source ? m->table->column[c].missing : 0;
        other += is_source && !is_filled ? m->table->column[c].missing : 0;
    }
    if (strange)
        bestdag_note(m->a.run, 0,
                     "missing cells in columns that the network does not have: "
                     "%lld, left as they are",
                     (long long)strange);
    if (other)
        bestdag_note(m->a.run, 0,
                     "missing numbers of which the network knows intervals "
                     "only: %lld, left as they are; 'bestdag discretize' cuts "
                     "the table",
                     (long long)other);
}

static int64_t mark_row(struct bestdag_imputation *m, int64_t row, int64_t at)
{
    for (int i = 0; i < m->rows.sources; i++) {
        const struct bestdag_row_source *s = &m->rows.source[i];
        if (!m->can_fill[i] || !is_missing(&m->table->column[s->column], row))
            continue;
        if (m->hole)
            m->hole[at] = (struct bestdag_hole){i, m->numbers};
        if (m->hole)
            m->numbers += s->encoder.states;
        at++;
    }
    return at;
}

static int list_holes(struct bestdag_imputation *m)
{
    struct bestdag_run *run = m->a.run;
    size_t rows = (size_t)m->table->rows;
    m->can_fill =
        bestdag_calloc(run, (size_t)m->rows.sources + 1, sizeof *m->can_fill);
    m->first = bestdag_alloc(run, (rows + 1) * sizeof *m->first);
    if (!m->can_fill || !m->first)
        return bestdag_run_status(run);
    for (int i = 0; i < m->rows.sources; i++)
        m->can_fill[i] = can_fill(m, &m->rows.source[i]);
    note_unfilled(m);
    for (int64_t r = 0; r < m->table->rows; r++) {
        m->first[r] = m->holes;
        m->holes = mark_row(m, r, m->holes);
        int64_t count = m->holes - m->first[r];
        m->most = count > m->most ? (int)count : m->most;
    }
    m->first[rows] = m->holes;
    m->hole = bestdag_alloc(run, ((size_t)m->holes + 1) * sizeof *m->hole);
    for (int64_t r = 0; m->hole && r < m->table->rows; r++)
        mark_row(m, r, m->first[r]);
    return bestdag_run_status(run);
}

static int new_results(struct bestdag_imputation *m)
{
    struct bestdag_run *run = m->a.run;
    int64_t states = m->has_probabilities ? 0 : m->holes * m->tables;
    int64_t numbers = m->has_probabilities ? m->numbers : 0;
    int64_t values = bestdag_network_has_numbers(m->a.network) ? states : 0;
    if (bestdag_reserve(run,
                        states * (int64_t)sizeof *m->state +
                            values * (int64_t)sizeof *m->value +
                            2 * numbers * (int64_t)sizeof *m->share,
                        "the missing cells"))
        return bestdag_run_status(run);
    m->state = bestdag_alloc(run, ((size_t)states + 1) * sizeof *m->state);
    m->value = bestdag_alloc(run, ((size_t)values + 1) * sizeof *m->value);
    m->share = bestdag_alloc(run, ((size_t)numbers + 1) * sizeof *m->share);
    m->error = bestdag_calloc(run, (size_t)numbers + 1, sizeof *m->error);
    for (int64_t i = 0; m->state && i < states; i++)
        m->state[i] = -1;
    for (int64_t i = 0; m->value && i < values; i++)
        m->value[i] = NAN;
    for (int64_t i = 0; m->share && i < numbers; i++)
        m->share[i] = NAN;
    return bestdag_run_status(run);
}

int bestdag_imputation_find_holes(struct bestdag_imputation *m)
{
    return list_holes(m) ? bestdag_run_status(m->a.run) : new_results(m);
}

/* ---- one row ------------------------------------------------------------- */

/* A row that is being filled; arrays live for one call. */
struct row_fill {
    struct bestdag_imputation *m;
    struct bestdag_row_worker *w;
    int worker, count;
    int64_t first; /* index of its first hole */
    int *variable, *state;
    double *share; /* [states of one variable, or MOST_JOINT] */
};

static int hole_states(const struct row_fill *f, int i)
{
    int source = f->m->hole[f->first + i].source;
    return f->m->rows.source[source].encoder.states;
}

int bestdag_imputation_best(const double *share, int states)
{
    int best = 0;
    for (int s = 1; s < states; s++)
        if (share[s] > share[best])
            best = s;
    return best;
}

/* The first state where the sum of probabilities passes a random number. */
static int64_t draw(const double *share, int64_t count,
                    struct bestdag_random *random)
{
    double u = bestdag_random_unit(random), all = 0;
    int64_t last = 0;
    for (int64_t i = 0; i < count; i++)
        all += share[i];
    u *= all;
    for (int64_t i = 0; i < count; i++) {
        if (!(share[i] > 0))
            continue;
        last = i;
        u -= share[i];
        if (u < 0)
            break;
    }
    return last;
}

static int fill_cells(struct row_fill *f, int32_t *to)
{
    struct bestdag_imputation *m = f->m;
    for (int i = 0; i < f->count; i++) {
        const struct bestdag_hole *hole = &m->hole[f->first + i];
        int states = hole_states(f, i);
        double *share = m->has_probabilities ? m->share + hole->at : f->share;
        if (bestdag_session_marginal(f->w->run, f->w->session, f->variable[i],
                                     share, states))
            return bestdag_run_status(f->w->run);
        if (!m->has_probabilities)
            to[i] = bestdag_imputation_best(share, states);
        else if (bestdag_session_sample_size(f->w->session) > 0 &&
                 bestdag_session_errors(f->w->run, f->w->session,
                                        m->error + hole->at, states))
            return bestdag_run_status(f->w->run);
    }
    return BESTDAG_OK;
}

/* Do the holes include all variables that are not known? Then the MPE is the
 * explanation of the holes, and cheaper than MAP. */
static bool is_all_unknown(const struct row_fill *f)
{
    int known = 0;
    for (int i = 0; i < f->m->rows.sources; i++)
        known += f->w->now[i] != BESTDAG_HOLE;
    return known + f->count == f->m->a.network->dag->n;
}

static int fill_together(struct row_fill *f, int32_t *to)
{
    bool is_all = is_all_unknown(f);
    int count = is_all ? f->m->a.network->dag->n : f->count;
    double ln_p;
    if (bestdag_session_explain(f->w->run, f->w->session,
                                is_all ? NULL : f->variable, count, 1, f->state,
                                &ln_p) < 0)
        return bestdag_run_status(f->w->run);
    for (int i = 0; i < f->count; i++)
        to[i] = f->state[is_all ? f->variable[i] : i];
    return BESTDAG_OK;
}

static int64_t joint_size(const struct row_fill *f)
{
    int64_t size = 1;
    for (int i = 0; i < f->count && size <= MOST_JOINT; i++)
        size *= hole_states(f, i);
    return size;
}

static int draw_together(struct row_fill *f, int64_t size,
                         struct bestdag_random *random)
{
    struct bestdag_imputation *m = f->m;
    if (bestdag_session_joint(f->w->run, f->w->session, f->variable, f->count,
                              f->share, size))
        return bestdag_run_status(f->w->run);
    for (int t = 0; t < m->tables; t++) {
        int64_t rest = draw(f->share, size, random);
        for (int i = f->count - 1; i >= 0; i--) {
            m->state[t * m->holes + f->first + i] =
                (int32_t)(rest % hole_states(f, i));
            rest /= hole_states(f, i);
        }
    }
    return BESTDAG_OK;
}

/* Draws each hole given those before it; these observations are retracted at
 * the end. */
static int draw_singly(struct row_fill *f, int32_t *to,
                       struct bestdag_random *random)
{
    int status = BESTDAG_OK;
    for (int i = 0; i < f->count && !status; i++) {
        int states = hole_states(f, i);
        status = bestdag_session_marginal(f->w->run, f->w->session,
                                          f->variable[i], f->share, states);
        if (status)
            break;
        to[i] = (int32_t)draw(f->share, states, random);
        status = bestdag_session_observe(f->w->run, f->w->session,
                                         f->variable[i], to[i]);
    }
    for (int i = 0; i < f->count && !status; i++)
        status = bestdag_session_observe(f->w->run, f->w->session,
                                         f->variable[i], -1);
    return status;
}

static int fill_by_draws(struct row_fill *f, int64_t row)
{
    struct bestdag_imputation *m = f->m;
    struct bestdag_random random =
        bestdag_random_init(m->a.run->seed, (uint64_t)row);
    int64_t size = joint_size(f);
    int status = BESTDAG_OK;
    if (size <= MOST_JOINT)
        return draw_together(f, size, &random);
    for (int t = 0; t < m->tables && !status; t++)
        status = draw_singly(f, m->state + t * m->holes + f->first, &random);
    return status;
}

static int fill_row(struct row_fill *f, int64_t row, int at)
{
    struct bestdag_imputation *m = f->m;
    bool is_excluded;
    f->first = m->first[row];
    f->count = (int)(m->first[row + 1] - f->first);
    if (!f->count)
        return BESTDAG_OK;
    for (int i = 0; i < f->count; i++)
        f->variable[i] = m->rows.source[m->hole[f->first + i].source].variable;
    if (bestdag_row_sessions_tell(&m->rows, f->worker, at, &is_excluded))
        return bestdag_run_status(f->w->run);
    double ln = bestdag_session_evidence(f->w->run, f->w->session);
    if (bestdag_run_status(f->w->run) || ln == -INFINITY)
        return bestdag_run_status(f->w->run);
    int status = m->has_probabilities || m->fill == BESTDAG_FILL_CELLS
                     ? fill_cells(f, m->state + f->first)
                 : m->fill == BESTDAG_FILL_JOINT
                     ? fill_together(f, m->state + f->first)
                     : fill_by_draws(f, row);
    if (bestdag_session_sample_size(f->w->session) > 0)
        m->is_sampled = true;
    return status;
}

static int most_states(const struct bestdag_imputation *m)
{
    int most = MOST_JOINT;
    for (int i = 0; i < m->rows.sources; i++)
        if (m->rows.source[i].encoder.states > most)
            most = m->rows.source[i].encoder.states;
    return most;
}

static int fill_block(void *argument, int64_t block, int worker)
{
    struct bestdag_imputation *m = argument;
    struct row_fill f = {
        .m = m, .w = &m->rows.worker[worker], .worker = worker};
    struct bestdag_run *run = f.w->run;
    size_t n = (size_t)m->a.network->dag->n + 1;
    int64_t from;
    int count = bestdag_row_sessions_encode(&m->rows, worker, block, &from);
    f.variable = bestdag_alloc(run, n * sizeof *f.variable);
    f.state = bestdag_alloc(run, n * sizeof *f.state);
    f.share = bestdag_alloc(run, (size_t)most_states(m) * sizeof *f.share);
    if (f.variable && f.state && f.share)
        for (int r = 0; r < count && !bestdag_run_stopped(run); r++)
            if (fill_row(&f, from + r, r))
                break;
    bestdag_free(f.variable);
    bestdag_free(f.state);
    bestdag_free(f.share);
    return bestdag_run_stopped(run) && !bestdag_run_status(run)
               ? BESTDAG_FAILED
               : bestdag_run_status(run);
}

/* ---- the whole ----------------------------------------------------------- */

int bestdag_imputation_choose(struct bestdag_imputation *m,
                              const struct bestdag_options *options)
{
    const struct bestdag_option_group *g = &bestdag_impute_options;
    const char *fill = bestdag_option_value(options, g, "fill").text;
    bool is_filled = bestdag_option_given(options, g, "fill");
    m->has_probabilities =
        bestdag_option_value(options, g, "probabilities").integer != 0;
    m->is_numbered = bestdag_option_given(options, g, "tables");
    m->tables = m->is_numbered
                    ? (int)bestdag_option_value(options, g, "tables").integer
                    : 1;
    m->fill = !strcmp(fill, "cells")   ? BESTDAG_FILL_CELLS
              : !strcmp(fill, "draws") ? BESTDAG_FILL_DRAWS
                                       : BESTDAG_FILL_JOINT;
    if (m->is_numbered && is_filled && m->fill != BESTDAG_FILL_DRAWS)
        return bestdag_fail(m->a.run, BESTDAG_USAGE,
                            "tables are drawn: fill=%s would make them all the "
                            "same",
                            fill);
    if (m->has_probabilities && (m->is_numbered || is_filled))
        return bestdag_fail(m->a.run, BESTDAG_USAGE,
                            "probabilities are written instead of filled "
                            "tables: fill and tables do not apply");
    if (m->is_numbered)
        m->fill = BESTDAG_FILL_DRAWS;
    return BESTDAG_OK;
}

static int64_t count_impossible(const struct bestdag_imputation *m)
{
    int64_t count = 0;
    for (int64_t r = 0; r < m->table->rows; r++) {
        int64_t at = m->first[r];
        if (m->first[r + 1] > at)
            count += m->has_probabilities ? isnan(m->share[m->hole[at].at]) != 0
                                          : m->state[at] < 0;
    }
    return count;
}

void bestdag_imputation_release(struct bestdag_imputation *m)
{
    bestdag_free(m->can_fill);
    bestdag_free(m->first);
    bestdag_free(m->hole);
    bestdag_free(m->state);
    bestdag_free(m->value);
    bestdag_free(m->share);
    bestdag_free(m->error);
}

int bestdag_imputation_note(const struct bestdag_imputation *m,
                            int64_t impossible)
{
    bestdag_note(m->a.run, 1, "missing cells that are filled: %lld",
                 (long long)m->holes);
    if (m->is_sampled)
        bestdag_note(m->a.run, 0,
                     "the probabilities of missing cells are estimates from "
                     "samples: exact tables do not fit");
    if (impossible)
        bestdag_note(m->a.run, 0,
                     "rows of probability 0: %lld; their missing cells are "
                     "left as they are",
                     (long long)impossible);
    return bestdag_run_status(m->a.run);
}

static int impute(struct bestdag_imputation *m,
                  const struct bestdag_options *options)
{
    m->rows.a = &m->a;
    if (bestdag_imputation_choose(m, options) ||
        bestdag_row_sessions_init(&m->rows, m->table) ||
        bestdag_imputation_find_holes(m) ||
        bestdag_row_sessions_run(&m->rows, m, fill_block))
        return bestdag_run_status(m->a.run);
    return bestdag_imputation_note(m, count_impossible(m));
}

struct bestdag_table *bestdag_network_impute(
    struct bestdag_run *run, const struct bestdag_network *network,
    const struct bestdag_table *table, const struct bestdag_options *options)
{
    struct bestdag_imputation m = {.table = table};
    struct bestdag_table *to = NULL;
    if (bestdag_lacks(run, network, "network") ||
        bestdag_lacks(run, table, "table"))
        return NULL;
    if (bestdag_network_has_numbers(network))
        return bestdag_numeric_impute(run, network, table, options);
    if (!bestdag_asking_init(run, &m.a, network, "", NULL)) {
        m.a.options = options;
        if (!impute(&m, options))
            to = m.has_probabilities ? bestdag_imputation_probabilities(&m)
                                     : bestdag_imputation_table(&m);
    }
    bestdag_imputation_release(&m);
    bestdag_row_sessions_release(&m.rows);
    bestdag_asking_release(&m.a);
    return to;
}
