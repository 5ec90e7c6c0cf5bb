/* SPDX-License-Identifier: MIT */
/* recount.c -- local scores by plain counting, in floating point.
 *
 * Rows are split by one parent after the other; a group is a joint state that
 * occurs. With n_c rows in the cells (group and state of the child), n_j in the
 * groups:
 *
 *     ll      sum n_c ln n_c - sum n_j ln n_j
 *     bd      sum lnG(a + n_c) - lnG(a) - sum lnG(A + n_j) - lnG(A)
 *
 * No superset of the parents scores more than its penalty alone (the likelihood
 * is at most 1), or, for Dirichlet priors with equal pseudo-counts, than one
 * factor 1 / r for every cell: the first row of a cell has at most that
 * probability given those before it, and supersets have no fewer cells. */
#include "verify/recount/recount.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"

/* Sums of n ln n in double are off by less than 1e-9 of the score for any table
 * that fits into memory, and lists are rounded to 2^-32 nat per cell. Residuals
 * of columns that nearly determine each other have fewer correct digits. */
double bestdag_recount_slack(const struct verify_recount *r, double score)
{
    bool is_exact = r->formula < VERIFY_FORMULA_GAUSSIAN;
    return 1e-6 + (is_exact ? 1e-9 : 1e-8) * fabs(score);
}

/* ---- the score ----------------------------------------------------------- */

static double noted_number(const struct verify_sidecar *c, const char *key,
                           double otherwise)
{
    const char *text = bestdag_verify_sidecar_note(c, key);
    double x;
    return text && bestdag_number_parse(text, strlen(text), &x) ? x : otherwise;
}

static void take_prior(struct verify_recount *r, const struct verify_sidecar *c)
{
    const char *text = bestdag_verify_sidecar_note(c, "structure-prior");
    if (!text || !strcmp(text, "uniform"))
        return;
    if (strncmp(text, "arcs:", 5) ||
        !bestdag_number_parse(text + 5, strlen(text + 5), &r->arc_cost) ||
        r->arc_cost < 0)
        r->formula = VERIFY_FORMULA_NONE;
}

static bool is_gaussian(const char *name)
{
    static const char *const names[] = {"ll-g",  "aic-g",  "bic-g",
                                        "ll-cg", "aic-cg", "bic-cg"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

static void take_formula(struct verify_recount *r,
                         const struct verify_sidecar *c)
{
    const char *name = bestdag_verify_sidecar_note(c, "score");
    r->score = name;
    r->weight = 1;
    if (!name)
        return;
    if (!strcmp(name, "ll"))
        r->formula = VERIFY_FORMULA_LIKELIHOOD;
    else if (!strcmp(name, "aic") || !strcmp(name, "bic"))
        r->formula = VERIFY_FORMULA_PENALISED;
    else if (!strcmp(name, "k2") ||
             (!strcmp(name, "bd") &&
              !bestdag_verify_sidecar_note(c, "pseudo-file")))
        r->formula = VERIFY_FORMULA_CONSTANT;
    else if (!strcmp(name, "bdeu"))
        r->formula = VERIFY_FORMULA_SPREAD;
    else if (is_gaussian(name))
        r->formula = VERIFY_FORMULA_GAUSSIAN;
    else if (!strcmp(name, "bge"))
        r->formula = VERIFY_FORMULA_BGE;
    if (!strncmp(name, "ll-", 3))
        r->weight = 0;
    r->iss_mu = noted_number(c, "iss-mu", 1);
    r->iss_w = noted_number(c, "iss-w", 0);
    if (!strcmp(name, "bic") || !strncmp(name, "bic-", 4))
        r->weight = r->total > 0 ? log((double)r->total) / 2 : 0;
    r->prior = r->formula == VERIFY_FORMULA_SPREAD ? noted_number(c, "ess", 1)
               : !strcmp(name, "bd") ? noted_number(c, "pseudo", 1)
                                     : 1;
    if (!(r->prior > 0))
        r->formula = VERIFY_FORMULA_NONE;
    take_prior(r, c);
}

/* ---- the table ----------------------------------------------------------- */

static int find_column(const struct bestdag_table *table, const char *name,
                       int guess)
{
    int columns = bestdag_table_columns(table);
    if (guess < columns && !strcmp(bestdag_table_name(table, guess), name))
        return guess;
    for (int c = 0; c < columns; c++)
        if (!strcmp(bestdag_table_name(table, c), name))
            return c;
    return -1;
}

static int copy_codes(struct verify_recount *r,
                      const struct bestdag_table *table, int v, int column)
{
    int block[1024];
    r->code[v] =
        bestdag_alloc(r->run, (size_t)(r->rows + 1) * sizeof **r->code);
    if (!r->code[v])
        return BESTDAG_MEMORY;
    for (int64_t from = 0; from < r->rows;) {
        int got = bestdag_table_codes(table, column, from, 1024, block);
        if (got <= 0)
            return bestdag_fail(r->run, BESTDAG_INPUT,
                                "the table: '%s' cannot be counted",
                                r->lists->names[v]);
        for (int i = 0; i < got; i++) {
            if (block[i] < 0 || block[i] >= r->states[v])
                return bestdag_fail(r->run, BESTDAG_INPUT,
                                    "the table: '%s' has missing values",
                                    r->lists->names[v]);
            r->code[v][from + i] = (uint16_t)block[i];
        }
        from += got;
    }
    return BESTDAG_OK;
}

/* Copies a column of numbers; for others value[v] stays NULL. */
static int copy_numbers(struct verify_recount *r,
                        const struct bestdag_table *table, int v, int column)
{
    double block[1024];
    if (r->rows && bestdag_table_numbers(table, column, 0, 1, block) != 1)
        return BESTDAG_OK;
    r->value[v] =
        bestdag_alloc(r->run, (size_t)(r->rows + 1) * sizeof **r->value);
    r->states[v] = 2;
    for (int64_t from = 0; r->value[v] && from < r->rows;) {
        int got = bestdag_table_numbers(table, column, from, 1024, block);
        for (int i = 0; i < got; i++) {
            if (!isfinite(block[i]))
                return bestdag_fail(r->run, BESTDAG_INPUT,
                                    "the table: '%s' has missing values",
                                    r->lists->names[v]);
            r->value[v][from + i] = block[i];
        }
        from += got > 0 ? got : r->rows;
    }
    return bestdag_run_status(r->run);
}

static int take_column(struct verify_recount *r,
                       const struct bestdag_table *table, int v)
{
    const char *name = r->lists->names[v];
    int column = find_column(table, name, v);
    if (column < 0)
        return bestdag_fail(r->run, BESTDAG_INPUT,
                            "the table has no column '%s'", name);
    r->states[v] = bestdag_table_states(table, column);
    if (!r->states[v] && copy_numbers(r, table, v, column))
        return bestdag_run_status(r->run);
    if (r->value[v])
        return BESTDAG_OK;
    if (!r->states[v] || r->states[v] > UINT16_MAX)
        return bestdag_fail(r->run, BESTDAG_INPUT,
                            "the table: '%s' has no states, or too many; give "
                            "the table that was scored",
                            name);
    return copy_codes(r, table, v, column);
}

static int take_table(struct verify_recount *r,
                      const struct bestdag_table *table)
{
    size_t n = (size_t)r->lists->n + 1, rows;
    r->rows = bestdag_table_rows(table);
    rows = (size_t)r->rows + 1;
    if (r->rows >= INT32_MAX)
        return bestdag_fail(r->run, BESTDAG_INPUT,
                            "the table has too many rows");
    r->states = bestdag_calloc(r->run, n, sizeof *r->states);
    r->code = bestdag_calloc(r->run, n, sizeof *r->code);
    r->value = bestdag_calloc(r->run, n, sizeof *r->value);
    r->number = bestdag_calloc(r->run, n, sizeof *r->number);
    r->times = bestdag_calloc(r->run, rows, sizeof *r->times);
    r->cell = bestdag_calloc(r->run, rows, sizeof *r->cell);
    r->of = bestdag_calloc(r->run, rows, sizeof *r->of);
    r->count = bestdag_calloc(r->run, rows, sizeof *r->count);
    r->sum = bestdag_calloc(r->run, rows, sizeof *r->sum);
    if (bestdag_run_status(r->run))
        return BESTDAG_MEMORY;
    for (int64_t i = 0; i < r->rows; i++)
        r->total += r->times[i] = bestdag_table_weight(table, i);
    for (int v = 0; v < r->lists->n; v++)
        if (take_column(r, table, v))
            return bestdag_run_status(r->run);
    return BESTDAG_OK;
}

/* Fails if there are numbers and the score is not one for numbers. */
static int check_numbers(const struct verify_recount *r)
{
    for (int v = 0; v < r->lists->n; v++)
        if (r->value[v] && r->formula < VERIFY_FORMULA_GAUSSIAN)
            return bestdag_fail(
                r->run, BESTDAG_INPUT,
                "the table: '%s' is a column of numbers; give the table that "
                "was scored",
                r->lists->names[v]);
    return BESTDAG_OK;
}

int bestdag_recount_start(struct verify_recount *r,
                          const struct verify_sidecar *sidecar,
                          const struct bestdag_table *table)
{
    const char *missing = bestdag_verify_sidecar_note(sidecar, "missing");
    if (missing)
        return bestdag_fail(r->run, BESTDAG_USAGE,
                            "the lists are of a table with missing values "
                            "(--missing %s), whose scores are not recounted: "
                            "verify them without --data",
                            missing);
    if (take_table(r, table))
        return bestdag_run_status(r->run);
    take_formula(r, sidecar);
    if (check_numbers(r) || bestdag_recount_moments(r))
        return bestdag_run_status(r->run);
    double rows = noted_number(sidecar, "rows", -1);
    if (rows >= 0 && rows != (double)r->total) /* whole numbers */
        snprintf(r->wrong, sizeof r->wrong,
                 "the lists were made from %.0f rows, and the table has %lld",
                 rows, (long long)r->total);
    return BESTDAG_OK;
}

void bestdag_recount_release(struct verify_recount *r)
{
    for (int v = 0; r->code && v < r->lists->n; v++)
        bestdag_free(r->code[v]);
    bestdag_free(r->code);
    bestdag_free(r->states);
    bestdag_free(r->times);
    bestdag_free(r->cell);
    bestdag_free(r->of);
    bestdag_free(r->count);
    bestdag_free(r->sum);
    bestdag_free(r->table);
    bestdag_free(r->key);
    bestdag_free(r->key_number);
    for (int v = 0; r->value && v < r->lists->n; v++)
        bestdag_free(r->value[v]);
    bestdag_free(r->value);
    bestdag_free(r->whole);
    bestdag_free(r->number);
    bestdag_free(r->stamp);
}

/* ---- counting ------------------------------------------------------------ */

void bestdag_recount_whole(const struct verify_recount *r,
                           struct verify_grouping *to)
{
    memset(to->of, 0, (size_t)r->rows * sizeof *to->of);
    to->count = r->rows > 0;
}

/* Numbers the new groups by a table of all possible ones. */
static int split_by_table(struct verify_recount *r,
                          const struct verify_grouping *from, int v,
                          struct verify_grouping *to)
{
    int64_t states = r->states[v], size = from->count * states;
    int32_t count = 0;
    if (size > r->table_room) {
        bestdag_free(r->table);
        r->table_room = 0;
        r->table = bestdag_alloc(r->run, 2 * (size_t)size * sizeof *r->table);
        if (!r->table)
            return BESTDAG_MEMORY;
        r->table_room = 2 * size;
    }
    memset(r->table, 0, (size_t)size * sizeof *r->table);
    for (int64_t i = 0; i < r->rows; i++) {
        int32_t *number = &r->table[from->of[i] * states + r->code[v][i]];
        if (!*number)
            *number = ++count;
        to->of[i] = *number - 1;
    }
    to->count = count;
    return BESTDAG_OK;
}

static int make_keys(struct verify_recount *r)
{
    size_t room = 64;
    while (room < 2 * (size_t)r->rows)
        room *= 2;
    r->key = bestdag_alloc(r->run, room * sizeof *r->key);
    r->key_number = bestdag_alloc(r->run, room * sizeof *r->key_number);
    r->stamp = bestdag_calloc(r->run, room, sizeof *r->stamp);
    r->key_room = (int64_t)room;
    return bestdag_run_status(r->run);
}

/* Numbers the new groups by the keys that occur. */
static int split_by_keys(struct verify_recount *r,
                         const struct verify_grouping *from, int v,
                         struct verify_grouping *to)
{
    uint64_t states = (uint64_t)r->states[v];
    if (!r->key_room && make_keys(r))
        return BESTDAG_MEMORY;
    uint64_t mask = (uint64_t)r->key_room - 1;
    r->stamps++;
    to->count = 0;
    for (int64_t i = 0; i < r->rows; i++) {
        uint64_t key = (uint64_t)from->of[i] * states + r->code[v][i];
        uint64_t at = bestdag_mix(key) & mask;
        while (r->stamp[at] == r->stamps && r->key[at] != key)
            at = (at + 1) & mask;
        if (r->stamp[at] != r->stamps) {
            r->stamp[at] = r->stamps;
            r->key[at] = key;
            r->key_number[at] = to->count++;
        }
        to->of[i] = r->key_number[at];
    }
    return BESTDAG_OK;
}

int bestdag_recount_split(struct verify_recount *r,
                          const struct verify_grouping *from, int variable,
                          struct verify_grouping *to)
{
    int64_t size = (int64_t)from->count * r->states[variable];
    return size <= 4 * r->rows + 4096 ? split_by_table(r, from, variable, to)
                                      : split_by_keys(r, from, variable, to);
}

/* ---- scoring ------------------------------------------------------------- */

static double log_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

static int count_cells(struct verify_recount *r, int child,
                       const struct verify_grouping *g, int32_t *cells)
{
    struct verify_grouping to = {.of = r->cell};
    if (bestdag_recount_split(r, g, child, &to))
        return BESTDAG_MEMORY;
    *cells = to.count;
    memset(r->count, 0, (size_t)to.count * sizeof *r->count);
    memset(r->sum, 0, (size_t)g->count * sizeof *r->sum);
    for (int64_t i = 0; i < r->rows; i++) {
        r->count[r->cell[i]] += r->times[i];
        r->sum[g->of[i]] += r->times[i];
    }
    return BESTDAG_OK;
}

static double x_log_x(int64_t x)
{
    return x > 0 ? (double)x * log((double)x) : 0;
}

static double likelihood(const struct verify_recount *r, int32_t cells,
                         int32_t groups)
{
    double sum = 0;
    for (int32_t c = 0; c < cells; c++)
        sum += x_log_x(r->count[c]);
    for (int32_t j = 0; j < groups; j++)
        sum -= x_log_x(r->sum[j]);
    return sum;
}

static double marginal(const struct verify_recount *r, int32_t cells,
                       int32_t groups, double each, double all)
{
    double sum = 0;
    for (int32_t c = 0; c < cells; c++)
        sum += log_gamma(each + (double)r->count[c]) - log_gamma(each);
    for (int32_t j = 0; j < groups; j++)
        sum -= log_gamma(all + (double)r->sum[j]) - log_gamma(all);
    return sum;
}

/* Number of cells with rows of positive weight. */
static double cells_with_rows(const struct verify_recount *r, int32_t cells)
{
    double sum = 0;
    for (int32_t c = 0; c < cells; c++)
        sum += r->count[c] > 0;
    return sum;
}

int bestdag_recount_score(struct verify_recount *r, int child,
                          const struct verify_grouping *g, double q, int arcs,
                          double *score, double *ceiling)
{
    int32_t cells = 0;
    double states = r->states[child], each;
    if (r->value[child] || r->numbers) {
        *score = *ceiling =
            -INFINITY; /* a number cannot be a parent of a state */
        r->families++;
        r->budget--;
        if (r->value[child] &&
            bestdag_recount_number(r, child, g, q, score, ceiling))
            return BESTDAG_MEMORY;
        *ceiling -= r->arc_cost * (arcs + 1);
        *score -= r->arc_cost * arcs;
        return BESTDAG_OK;
    }
    if (count_cells(r, child, g, &cells))
        return BESTDAG_MEMORY;
    r->families++;
    r->budget--;
    switch (r->formula) {
    case VERIFY_FORMULA_LIKELIHOOD:
        *ceiling = 0;
        *score = likelihood(r, cells, g->count);
        break;
    case VERIFY_FORMULA_PENALISED:
    case VERIFY_FORMULA_GAUSSIAN:
        *ceiling = -r->weight * (states - 1) * q;
        *score = likelihood(r, cells, g->count) + *ceiling;
        break;
    default:
        each = r->formula == VERIFY_FORMULA_SPREAD ? r->prior / q / states
                                                   : r->prior;
        *ceiling = -log(states) * cells_with_rows(r, cells);
        *score = marginal(r, cells, g->count, each, each * states);
    }
    *ceiling -= r->arc_cost * arcs;
    *score -= r->arc_cost * arcs;
    return BESTDAG_OK;
}

/* ---- the listed scores --------------------------------------------------- */

static void report_wrong_score(struct verify_recount *r, int v, int64_t set,
                               double score)
{
    struct bestdag_buffer b = {.run = r->run};
    const struct kernel_lists *l = r->lists;
    for (int64_t i = l->start[set]; i < l->start[set + 1]; i++)
        bestdag_buffer_format(&b, " %s", l->names[l->member[i]]);
    snprintf(r->wrong, sizeof r->wrong,
             "the listed score of '%.60s' with parents {%.100s } is %.9g, and "
             "the table gives %.9g",
             l->names[v], b.at ? b.at : "", l->score[set], score);
    bestdag_buffer_release(&b);
}

static int check_set(struct verify_recount *r, int v, int64_t set,
                     struct verify_grouping g[2])
{
    const struct kernel_lists *l = r->lists;
    double q = 1, score, ceiling;
    int turn = 0;
    bestdag_recount_whole(r, &g[0]);
    r->numbers = r->laters = 0;
    for (int64_t i = l->start[set]; i < l->start[set + 1]; i++) {
        if (r->value[l->member[i]]) {
            r->number[r->numbers++] = l->member[i];
            continue;
        }
        if (bestdag_recount_split(r, &g[turn], l->member[i], &g[turn ^ 1]))
            return BESTDAG_MEMORY;
        q *= r->states[l->member[i]];
        turn ^= 1;
    }
    if (bestdag_recount_score(r, v, &g[turn], q, bestdag_lists_size(l, set),
                              &score, &ceiling))
        return BESTDAG_MEMORY;
    r->checked++;
    if (!(fabs(score - l->score[set]) <= bestdag_recount_slack(r, score)))
        report_wrong_score(r, v, set, score);
    return BESTDAG_OK;
}

int bestdag_recount_lists(struct verify_recount *r)
{
    const struct kernel_lists *l = r->lists;
    struct verify_grouping g[2] = {{0}};
    int status = BESTDAG_OK;
    size_t bytes = (size_t)(r->rows + 1) * sizeof *g->of;
    g[0].of = bestdag_alloc(r->run, bytes);
    g[1].of = bestdag_alloc(r->run, bytes);
    bestdag_run_phase(r->run, "scoring", l->sets);
    for (int v = 0; v < l->n && g[0].of && g[1].of; v++)
        for (int64_t s = l->first[v]; s < l->first[v + 1]; s++) {
            if (status || r->wrong[0] || r->budget <= 0)
                break;
            status = check_set(r, v, s, g);
            if (!status && bestdag_run_watch(r->run, r->checked))
                status = bestdag_fail(r->run, BESTDAG_FAILED,
                                      "verification was stopped");
        }
    bestdag_free(g[0].of);
    bestdag_free(g[1].of);
    return bestdag_run_status(r->run);
}
