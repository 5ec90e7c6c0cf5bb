/* SPDX-License-Identifier: MIT */
/* list_thinning.c -- removes sets that the rules exclude from the lists. */
#include "base/row.h"
#include "verify/rules/rule_deducer.h"

static bool holds(const struct kernel_lists *l, int64_t set,
                  const struct verify_literal *x)
{
    int size = bestdag_lists_size(l, set);
    bool has = false;
    if (x->kind == DEGREE)
        return size >= x->low && size <= x->high;
    for (int64_t i = l->start[set]; i < l->start[set + 1]; i++)
        has |= l->member[i] == x->parent;
    return has == (x->kind == HAS);
}

static bool obeys(const struct verify_deducer *m, const struct kernel_lists *l,
                  int v, int64_t set)
{
    const uint64_t *allowed = bestdag_deducer_row(m, m->x->allowed, v);
    const uint64_t *required = bestdag_deducer_row(m, m->required, v);
    int size = bestdag_lists_size(l, set);
    int must = bestdag_row_count(required, m->x->words);
    if (size < m->least[v] || size > m->most[v])
        return false;
    for (int64_t i = l->start[set]; i < l->start[set + 1]; i++) {
        if (!bestdag_row_has(allowed, l->member[i]))
            return false;
        must -= bestdag_row_has(required, l->member[i]);
    }
    return !must;
}

/* Applies a clause about one child; others cannot be used here. */
static void thin_by_clause(struct verify_deducer *m, struct kernel_lists *l,
                           const struct verify_clause *c)
{
    int child = m->literal[c->from].child;
    for (int64_t i = c->from; i < c->to; i++)
        if (m->literal[i].child != child ||
            bestdag_literal_is_path(&m->literal[i])) {
            c->rule->unused = true;
            return;
        }
    for (int64_t s = l->first[child]; s < l->first[child + 1]; s++) {
        bool any = false;
        for (int64_t i = c->from; l->remains[s] && i < c->to && !any; i++)
            any = holds(l, s, &m->literal[i]);
        l->remains[s] = l->remains[s] && any;
    }
}

void bestdag_deducer_thin(struct verify_deducer *m, struct kernel_lists *l)
{
    for (int v = 0; v < l->n; v++)
        for (int64_t s = l->first[v]; s < l->first[v + 1]; s++)
            l->remains[s] = l->remains[s] && obeys(m, l, v, s);
    for (int64_t i = 0; i < m->clauses; i++)
        thin_by_clause(m, l, &m->clause[i]);
}
