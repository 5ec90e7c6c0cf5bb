/* SPDX-License-Identifier: MIT */
/* numeric_rows.c -- the cells of a table as evidence: see numeric_rows.h. */
#include "models/query/numeric_rows.h"

#include <math.h>
#include <string.h>

#include "models/match.h"

/* ---- columns ------------------------------------------------------------- */

static int add_source(struct bestdag_numeric_rows *to,
                      const struct bestdag_table *table, int v, int column,
                      struct bestdag_unknown *unknown)
{
    const struct bestdag_column *c = &table->column[column];
    struct bestdag_numeric_source *s = &to->source[to->sources++];
    *s = (struct bestdag_numeric_source){.variable = v, .column = column};
    if (!to->network->variable[v].is_number) {
        s->is_states = true;
        if (!bestdag_encoder_init(to->run, &s->encoder, to->network, v, c))
            bestdag_encoder_unknown(&s->encoder, table->rows, unknown);
        return bestdag_run_status(to->run);
    }
    if (c->kind != BESTDAG_NUMBERS)
        s->copy = bestdag_column_to_numbers(to->run, c, table->rows);
    s->number = c->kind == BESTDAG_NUMBERS ? c->cells : s->copy;
    return bestdag_run_status(to->run);
}

int bestdag_numeric_rows_init(struct bestdag_numeric_rows *to,
                              const struct bestdag_table *table,
                              const bool *skip)
{
    int n = to->network->dag->n;
    size_t room = (size_t)n + 1;
    struct bestdag_unknown unknown = {.text.run = to->run};
    bool is_known = false;
    to->source = bestdag_calloc(to->run, room, sizeof *to->source);
    to->likelihood = bestdag_calloc(to->run, room, sizeof *to->likelihood);
    for (int v = 0; !bestdag_run_status(to->run) && v < n; v++) {
        const struct bestdag_variable *x = &to->network->variable[v];
        int column = bestdag_table_find(table, x->name);
        to->likelihood[v] = bestdag_calloc(to->run, (size_t)x->states + 1,
                                           sizeof **to->likelihood);
        is_known |= column >= 0;
        if (column >= 0 && !(skip && skip[v]))
            add_source(to, table, v, column, &unknown);
    }
    bestdag_unknown_note(&unknown);
    if (!is_known)
        bestdag_note(to->run, 0,
                     "the table has no column of the network: nothing is known "
                     "of any row");
    return bestdag_run_status(to->run);
}

void bestdag_numeric_rows_release(struct bestdag_numeric_rows *rows)
{
    for (int i = 0; i < rows->sources; i++) {
        bestdag_free(rows->source[i].copy);
        bestdag_encoder_release(&rows->source[i].encoder);
    }
    for (int v = 0; rows->likelihood && v < rows->network->dag->n; v++)
        bestdag_free(rows->likelihood[v]);
    bestdag_free(rows->likelihood);
    bestdag_free(rows->source);
}

static bool give_state(struct bestdag_numeric_rows *rows,
                       const struct bestdag_numeric_source *s, int64_t r,
                       const double *given, double **weight)
{
    uint16_t state;
    double *likelihood = rows->likelihood[s->variable];
    if (bestdag_encode(&s->encoder, r, 1, &state))
        return true; /* missing: only the query's own evidence counts */
    memset(likelihood, 0, (size_t)s->encoder.states * sizeof *likelihood);
    likelihood[state] = given ? given[state] : 1;
    weight[s->variable] = likelihood;
    return likelihood[state] > 0;
}

bool bestdag_numeric_rows_give(struct bestdag_numeric_rows *rows, int64_t r,
                               double *const *given, double **weight,
                               double *value)
{
    bool is_possible = true;
    for (int i = 0; i < rows->sources; i++) {
        const struct bestdag_numeric_source *s = &rows->source[i];
        int v = s->variable;
        if (s->is_states)
            is_possible &=
                give_state(rows, s, r, given ? given[v] : NULL, weight);
        else if (!isnan(s->number[r])) {
            is_possible &= isnan(value[v]) || value[v] == s->number[r];
            value[v] = s->number[r];
        }
    }
    return is_possible;
}
