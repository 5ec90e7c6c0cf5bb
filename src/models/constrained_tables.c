/* SPDX-License-Identifier: MIT */
/* constrained_tables.c -- fits tables under parameter constraints: copies each
 * block of a table out, solves it and copies it back. */
#include "models/constrained_tables.h"

#include <string.h>

#include "base/text.h"

/* ---- the order of states ------------------------------------------------- */

static bool is_natural(const struct bestdag_variable *x)
{
    for (int s = 1; s < x->states; s++)
        if (bestdag_natural_compare(x->labels[s - 1], x->labels[s]) > 0)
            return false;
    return true;
}

static bool is_same(const struct bestdag_variable *x,
                    const struct bestdag_column *c)
{
    if (x->states != c->states)
        return false;
    for (int s = 0; s < x->states; s++)
        if (strcmp(x->labels[s], c->labels[s]) != 0)
            return false;
    return true;
}

/* The order of a network's states is deliberate if the table says so, or if it
 * is not the sorted order of the labels. */
static struct bestdag_subject subject_of(const struct bestdag_variable *x,
                                         const struct bestdag_column *c)
{
    return (struct bestdag_subject){.name = x->name,
                                    .states = x->states,
                                    .labels = x->labels,
                                    .ordered = (c->ordered && is_same(x, c)) ||
                                               !is_natural(x)};
}

static bool has_any(const struct bestdag_rules *rules)
{
    for (int i = 0; rules && i < rules->count; i++)
        if (bestdag_rule_has_parameters(&rules->rule[i]))
            return true;
    return false;
}

struct bestdag_parameters *bestdag_constrained_tables_new(
    struct bestdag_run *run, const struct bestdag_rules *rules,
    const struct bestdag_network *network, const struct bestdag_table *table,
    const struct bestdag_match *match)
{
    int n = network->dag->n;
    if (!has_any(rules))
        return NULL;
    struct bestdag_subject *subjects =
        bestdag_alloc(run, ((size_t)n + 1) * sizeof *subjects);
    if (!subjects)
        return NULL;
    for (int v = 0; v < n; v++)
        subjects[v] =
            subject_of(&network->variable[v], &table->column[match->column[v]]);
    struct bestdag_parameters *p =
        bestdag_parameters_new(run, rules, subjects, n);
    bestdag_free(subjects);
    return p;
}

/* ---- one table ----------------------------------------------------------- */

/* Where rows of the table lie: row[i] + offset[j] is row i of block j. */
struct plot {
    int64_t *row, *offset; /* own */
    int64_t rows, blocks;
    double *work; /* owns; weights, theta, scratch of the solver */
};

static bool is_among(const int *list, int count, int v)
{
    for (int i = 0; i < count; i++)
        if (list[i] == v)
            return true;
    return false;
}

static int lay_out(struct bestdag_run *run,
                   const struct bestdag_constrained_tables *job,
                   const struct bestdag_block_list *b, struct plot *p)
{
    const struct bestdag_parents *parents =
        &job->network->dag->parents[job->child];
    size_t entries =
        (size_t)b->rows * (size_t)job->network->variable[job->child].states;
    p->rows = b->rows;
    p->blocks =
        bestdag_network_configurations(job->network, job->child) / b->rows;
    p->row = bestdag_calloc(run, (size_t)p->rows, sizeof *p->row);
    p->offset = bestdag_calloc(run, (size_t)p->blocks, sizeof *p->offset);
    p->work = bestdag_alloc(run, (2 * entries + bestdag_block_room(b->block)) *
                                     sizeof *p->work);
    if (!p->row || !p->offset || !p->work)
        return bestdag_run_status(run);
    int64_t stride = 1, inner = 1, outer = 1;
    for (int i = parents->count - 1; i >= 0; i--) {
        int states = job->network->variable[parents->at[i]].states;
        bool named = is_among(b->parent, b->count, parents->at[i]);
        int64_t *list = named ? p->row : p->offset;
        int64_t *step = named ? &inner : &outer;
        int64_t count = named ? p->rows : p->blocks;
        for (int64_t j = 0; j < count; j++)
            list[j] += j / *step % states * stride;
        *step *= states;
        stride *= states;
    }
    return BESTDAG_OK;
}

/* A probability that the rules make 0 has no weight unless it was counted. */
static void weigh(const struct bestdag_constrained_tables *job,
                  const struct plot *p, int64_t block, double *weight,
                  const double *theta)
{
    int r = job->network->variable[job->child].states;
    for (int64_t i = 0; i < p->rows; i++)
        for (int k = 0; k < r; k++) {
            int64_t count = job->cell[(p->row[i] + p->offset[block]) * r + k];
            bool is_out = theta && theta[i * r + k] <= 0;
            weight[i * r + k] = (double)count + (is_out ? 0 : job->add);
        }
}

static void put_back(const struct bestdag_constrained_tables *job,
                     const struct plot *p, int64_t block, const double *theta)
{
    int r = job->network->variable[job->child].states;
    for (int64_t i = 0; i < p->rows; i++)
        memcpy(&job->cell[(p->row[i] + p->offset[block]) * r], theta + i * r,
               (size_t)r * sizeof *theta);
}

static int fit_block(struct bestdag_run *run,
                     const struct bestdag_constrained_tables *job,
                     const struct bestdag_block_list *b, struct plot *p,
                     int64_t block)
{
    const struct bestdag_variable *x = &job->network->variable[job->child];
    size_t entries = (size_t)b->rows * (size_t)x->states;
    double *weight = p->work, *theta = weight + entries, loss;
    weigh(job, p, block, weight, NULL);
    enum bestdag_block_end end =
        bestdag_block_solve(b->block, weight, theta, &loss, theta + entries);
    if (end == BESTDAG_BLOCK_EXCLUDED && job->add > 0) {
        weigh(job, p, block, weight, theta);
        end = bestdag_block_solve(b->block, weight, theta, &loss,
                                  theta + entries);
    }
    if (end == BESTDAG_BLOCK_EXCLUDED)
        return bestdag_parameters_exclude(run, job->parameters, job->child,
                                          x->name);
    put_back(job, p, block, theta);
    return BESTDAG_OK;
}

static int fit_blocks(struct bestdag_run *run,
                      const struct bestdag_constrained_tables *job,
                      const struct bestdag_block_list *b)
{
    struct plot p = {.row = NULL};
    int status = lay_out(run, job, b, &p);
    for (int64_t i = 0; i < p.blocks && !status; i++)
        status = fit_block(run, job, b, &p, i);
    bestdag_free(p.row);
    bestdag_free(p.offset);
    bestdag_free(p.work);
    return status;
}

int bestdag_constrained_tables_fit(struct bestdag_run *run,
                                   const struct bestdag_constrained_tables *job)
{
    const struct bestdag_parents *parents =
        &job->network->dag->parents[job->child];
    struct bestdag_block_list block_list;
    int status =
        bestdag_parameters_blocks(run, job->parameters, job->child, parents->at,
                                  parents->count, &block_list);
    if (!status && block_list.missing >= 0)
        status = bestdag_parameters_lack(
            run, job->parameters, &block_list,
            job->network->variable[job->child].name,
            job->network->variable[block_list.missing].name);
    else if (!status && !block_list.feasible)
        status = bestdag_parameters_fail(run, job->parameters, job->child,
                                         parents->at, parents->count);
    if (!status)
        status = fit_blocks(run, job, &block_list);
    bestdag_block_list_release(&block_list);
    return status;
}
