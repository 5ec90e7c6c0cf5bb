/* SPDX-License-Identifier: MIT */
/* structure_scores.c -- every score of a network's structure on a table, in
 * double by libm from the counts: independent of the integer scores of the
 * searches.
 *
 * States are those of the table's columns (see --arity), not of the network:
 * that is what a structure learned from this table would be scored with. */
#include "models/structure_scores.h"

#include <math.h>

#include "scores/score.h"

struct subject {
    struct bestdag_run *run;
    const struct bestdag_network *network;
    struct bestdag_table view; /* the used columns, in the network's order */
    const struct bestdag_options *options;
};

static int add_up(const struct subject *s, const struct bestdag_scorer *scorer,
                  double *sum)
{
    const struct bestdag_dag *dag = s->network->dag;
    double *nats = bestdag_alloc(s->run, (size_t)dag->n * sizeof *nats);
    *sum = 0;
    if (nats && !bestdag_scorer_exact_until_stopped(s->run, scorer, dag, nats))
        for (int v = 0; v < dag->n; v++)
            *sum += nats[v];
    bestdag_free(nats);
    return bestdag_run_status(s->run);
}

static bool has_values(const struct bestdag_table *table)
{
    for (int v = 0; v < table->columns; v++)
        if (table->column[v].missing == table->rows)
            return false;
    return true;
}

static bool can_score(const struct subject *s,
                      const struct bestdag_score_type *type)
{
    bool is_complete = !bestdag_table_missing(&s->view);
    bool takes_missing = type->families && type->families->takes_missing;
    return (is_complete || (takes_missing && has_values(&s->view))) &&
           (!type->required ||
            bestdag_option_given(s->options, &bestdag_score_options,
                                 type->required));
}

static int add_score(const struct subject *s,
                     const struct bestdag_score_type *type,
                     struct bestdag_json_writer *w)
{
    double sum = NAN;
    if (can_score(s, type)) {
        struct bestdag_scorer *scorer =
            bestdag_scorer_of(s->run, &s->view, type, s->options);
        int status = scorer ? add_up(s, scorer, &sum) : BESTDAG_FAILED;
        bestdag_scorer_free(scorer);
        if (status)
            return bestdag_run_status(s->run);
    }
    bestdag_json_add_number(w, type->name, sum);
    return BESTDAG_OK;
}

static int add_all(const struct subject *s, struct bestdag_json_writer *w)
{
    const struct bestdag_score_type *type;
    bestdag_json_open(w, "scores", '{');
    for (int i = 0; (type = bestdag_score_at(i)); i++)
        if (bestdag_score_takes(type, &s->view) && add_score(s, type, w))
            return bestdag_run_status(s->run);
    bestdag_json_close(w, '}');
    return BESTDAG_OK;
}

/* The column of v as the network sees it: cut numbers are states, and for a
 * number, labels that are numbers are numbers. Borrowed. */
static struct bestdag_column column_of(const struct bestdag_network *network,
                                       const struct bestdag_table *table,
                                       const struct bestdag_match *match, int v)
{
    const struct bestdag_variable *x = &network->variable[v];
    struct bestdag_column c = table->column[match->column[v]];
    bool is_cut = !x->is_number && c.kind == BESTDAG_NUMBERS;
    if (x->is_number == (c.kind == BESTDAG_NUMBERS))
        return c;
    c.kind = is_cut ? BESTDAG_CODES : BESTDAG_NUMBERS;
    c.states = is_cut ? x->states : 0;
    c.labels = is_cut ? x->labels : NULL;
    c.bytes = is_cut ? match->digit[v].bytes : (int)sizeof(double);
    c.cells = match->copy[v];
    return c;
}

int bestdag_scores_add(struct bestdag_run *run, struct bestdag_json_writer *w,
                       const struct bestdag_network *network,
                       const struct bestdag_table *table,
                       const struct bestdag_match *match,
                       const struct bestdag_options *options)
{
    struct subject s = {run, network, *table, options};
    s.view.columns = match->n;
    s.view.column =
        bestdag_alloc(run, (size_t)match->n * sizeof *s.view.column);
    if (!s.view.column)
        return bestdag_run_status(run);
    for (int v = 0; v < match->n; v++)
        s.view.column[v] = column_of(network, table, match, v);
    int status = add_all(&s, w);
    bestdag_free(s.view.column);
    return status;
}
