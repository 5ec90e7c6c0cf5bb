/* SPDX-License-Identifier: MIT */
/* em_states.c -- structural expectation-maximisation on tables of states: a row
 * with missing values becomes all its completions. */
#include <math.h>
#include <string.h>

#include "learn/structural_em.h"
#include "models/holes/em.h"

static int prepare(struct bestdag_structural_em *em)
{
    const struct bestdag_table *t = em->table;
    em->column =
        bestdag_alloc(em->run, (size_t)t->columns * sizeof *em->column);
    if (!em->column)
        return bestdag_run_status(em->run);
    for (int v = 0; v < t->columns; v++)
        em->column[v] = (struct bestdag_digit){
            t->column[v].cells, t->column[v].bytes, t->column[v].states};
    if (bestdag_hole_rows_find(em->run, em->column, t->columns, t->rows,
                               t->weights, true, &em->all) ||
        bestdag_hole_rows_find(em->run, em->column, t->columns, t->rows,
                               t->weights, false, &em->holes))
        return bestdag_run_status(em->run);
    em->incomplete = em->holes.weight_of;
    if (em->all.empty)
        bestdag_note(em->run, 0, "%lld rows without any value are left out",
                     (long long)em->all.empty);
    return em->all.weight_of
               ? BESTDAG_OK
               : bestdag_fail(em->run, BESTDAG_INPUT, "no row has a value");
}

static int new_tables(struct bestdag_structural_em *em,
                      struct bestdag_network *network)
{
    for (int v = 0; v < network->dag->n; v++)
        if (bestdag_network_new_table(em->run, network, v))
            break;
    return bestdag_run_status(em->run);
}

static int estimate(struct bestdag_structural_em *em,
                    struct bestdag_network *network, bool is_here, double *ln)
{
    struct bestdag_expectation e = {0};
    struct bestdag_em_report report = {0};
    struct bestdag_fit_prior none = {0};
    int status = bestdag_expectation_new(em->run, network, em->column,
                                         em->table->rows, em->table->weights,
                                         &em->holes, em->all.weight_of, &e);
    if (!status)
        status = bestdag_em_run(em->run, &e, none, &bestdag_em_between, is_here,
                                &report);
    if (!status)
        *ln = report.ln;
    bestdag_expectation_release(&e);
    return status;
}

static int take_expected(struct bestdag_structural_em *em,
                         struct bestdag_network *net)
{
    struct bestdag_completed_counts c;
    int status =
        bestdag_completed_counts_new(em->run, &em->at[em->turn].completion, &c);
    for (int v = 0; !status && v < net->dag->n; v++) {
        const struct bestdag_parents *p = &net->dag->parents[v];
        int r = net->variable[v].states;
        double *table = net->variable[v].table;
        int64_t q = bestdag_network_configurations(net, v);
        status = bestdag_completed_counts_find(&c, v, p->at, p->count);
        for (int64_t i = 0; !status && i < q * r; i++)
            table[i] = 0;
        for (int64_t i = 0; !status && i < c.count; i++)
            table[c.group[i] * r + c.state[i]] = (double)c.cell[i];
        for (int64_t j = 0; !status && j < q; j++) {
            double sum = 0;
            for (int k = 0; k < r; k++)
                sum += table[j * r + k];
            for (int k = 0; k < r; k++)
                table[j * r + k] = sum > 0 ? table[j * r + k] / sum : 1.0 / r;
        }
    }
    bestdag_completed_counts_release(&c);
    return status;
}

/* The problem has its own copy of the network. */
static int complete(struct bestdag_structural_em *em,
                    const struct bestdag_network *net,
                    struct bestdag_completed_problem *p, bool *done)
{
    p->network = bestdag_structural_em_network(em, net->dag);
    if (!p->network)
        return bestdag_run_status(em->run);
    for (int v = 0; v < net->dag->n; v++)
        memcpy(p->network->variable[v].table, net->variable[v].table,
               (size_t)(bestdag_network_configurations(net, v) *
                        net->variable[v].states) *
                   sizeof(double));
    if (bestdag_completion_make(em->run, p->network, &em->all, &p->completion,
                                done) ||
        !*done)
        return bestdag_run_status(em->run);
    em->large = p->completion.large;
    bestdag_expected_score_init(&p->score, em->like, &p->completion);
    p->table = em->table;
    p->type = &p->score.type;
    return BESTDAG_OK;
}

static double penalty(const struct bestdag_scorer *scorer, int child,
                      const int *parents, int count)
{
    return bestdag_scorer_nats(
        scorer, bestdag_scorer_penalty(scorer, child, parents, count));
}

/* The third start uses the node-average likelihood. */
static int begin(struct bestdag_structural_em *em, bool is_last,
                 struct bestdag_completed_search *what)
{
    (void)is_last;
    what->table = em->table;
    what->type = bestdag_score_find("pnal");
    return BESTDAG_OK;
}

const struct bestdag_em_kind bestdag_em_states = {.prepare = prepare,
                                                  .new_parameters = new_tables,
                                                  .estimate = estimate,
                                                  .take_expected =
                                                      take_expected,
                                                  .complete = complete,
                                                  .penalty = penalty,
                                                  .third = "available",
                                                  .begin = begin};
