/* SPDX-License-Identifier: MIT */
/* knowledge.c -- questions to compiled rules. */
#include <assert.h>
#include <string.h>

#include "base/invariant.h"
#include "constraints/deduction/compile.h"
#include "constraints/deduction/conflict.h"
#include "data/table.h"

const char *bestdag_need_name(int need)
{
    static const char *const names[BESTDAG_NEEDS] = {
        "local",    "order",        "cross-child",
        "ancestor", "not ancestor", "parameter"};
    return names[need];
}

int bestdag_knowledge_demand(struct bestdag_run *run,
                             const struct bestdag_knowledge *k, unsigned able,
                             const char *user)
{
    char place[128];
    for (int i = 0; k && i < BESTDAG_NEEDS; i++)
        if ((k->needs & ~able) >> i & 1)
            return bestdag_fail(
                run, BESTDAG_USAGE, "%s does not support '%s' rules (%s)", user,
                bestdag_need_name(i),
                bestdag_rule_place(&k->rules->rule[k->first[i]], place));
    return BESTDAG_OK;
}

int bestdag_knowledge_meet(struct bestdag_run *run,
                           const struct bestdag_knowledge_request *d,
                           struct bestdag_knowledge **to)
{
    *to = NULL;
    if (!d->rules || !d->rules->count)
        return bestdag_run_status(run);
    struct bestdag_knowledge_query question = {
        .rules = d->rules, .names = d->names, .n = d->n};
    struct bestdag_knowledge *k =
        bestdag_knowledge_new(run, d->rules, d->names, d->n);
    if (k && !bestdag_rules_need_network(run, &question, NULL) &&
        !bestdag_knowledge_demand(run, k, d->able, d->user)) {
        *to = k;
        return BESTDAG_OK;
    }
    bestdag_knowledge_free(k);
    return bestdag_run_status(run);
}

int bestdag_table_knowledge(struct bestdag_run *run,
                            const struct bestdag_table *table,
                            struct bestdag_knowledge_request demand,
                            struct bestdag_knowledge **to)
{
    const char **names =
        bestdag_alloc(run, ((size_t)table->columns + 1) * sizeof *names);
    *to = NULL;
    if (!names)
        return bestdag_run_status(run);
    for (int v = 0; v < table->columns; v++)
        names[v] = table->column[v].name;
    demand.names = names;
    demand.n = table->columns;
    int status = bestdag_knowledge_meet(run, &demand, to);
    bestdag_free(names);
    return status;
}

bool bestdag_knowledge_allows(const struct bestdag_knowledge *k, int child,
                              int parent)
{
    assert(parent >= 0 && parent < k->n);
    const uint64_t *row = bestdag_knowledge_row(k, k->allowed, child);
    return row ? bestdag_row_has(row, parent) : child != parent;
}

bool bestdag_knowledge_requires(const struct bestdag_knowledge *k, int child,
                                int parent)
{
    const uint64_t *row = bestdag_knowledge_row(k, k->required, child);
    return row && bestdag_row_has(row, parent);
}

static bool contains(const int *parents, int count, int u)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (parents[middle] < u)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && parents[low] == u;
}

bool bestdag_fact_holds(const struct bestdag_fact *fact, const int *parents,
                        int count)
{
    if (fact->kind == BESTDAG_FACT_DEGREE)
        return count >= fact->low && count <= fact->high;
    assert(fact->kind == BESTDAG_FACT_HAS || fact->kind == BESTDAG_FACT_LACKS);
    return contains(parents, count, fact->parent) ==
           (fact->kind == BESTDAG_FACT_HAS);
}

static bool holds_any(const struct bestdag_clauses *c, int64_t clause,
                      const int *parents, int count)
{
    for (int64_t i = c->clause[clause].from; i < c->clause[clause].to; i++)
        if (bestdag_fact_holds(&c->fact[i], parents, count))
            return true;
    return false;
}

bool bestdag_knowledge_local(const struct bestdag_knowledge *k, int child,
                             const int *parents, int count)
{
    assert(bestdag_is_set(parents, count, k->n));
    assert(child >= 0 && child < k->n);
    const uint64_t *allowed = bestdag_knowledge_row(k, k->allowed, child);
    const uint64_t *required = bestdag_knowledge_row(k, k->required, child);
    if (count < k->least[child] || count > k->most[child])
        return false;
    int must = required ? bestdag_row_count(required, k->words) : 0;
    for (int i = 0; i < count; i++) {
        if (allowed && !bestdag_row_has(allowed, parents[i]))
            return false;
        must -= required && bestdag_row_has(required, parents[i]);
    }
    if (must)
        return false;
    for (int64_t i = k->local_start[child]; i < k->local_start[child + 1]; i++)
        if (!holds_any(&k->local, i, parents, count))
            return false;
    return true;
}

int bestdag_knowledge_signature_words(const struct bestdag_knowledge *k,
                                      int child)
{
    int64_t marks = k->mark_start[child + 1] - k->mark_start[child];
    return (int)((marks + 63) / 64);
}

void bestdag_knowledge_signature(const struct bestdag_knowledge *k, int child,
                                 const int *parents, int count,
                                 uint64_t *signature)
{
    const struct bestdag_fact *mark = k->mark + k->mark_start[child];
    int marks = (int)(k->mark_start[child + 1] - k->mark_start[child]);
    memset(signature, 0, ((size_t)marks + 63) / 64 * sizeof *signature);
    for (int i = 0; i < marks; i++)
        if (bestdag_fact_holds(&mark[i], parents, count))
            bestdag_row_add(signature, i);
}

bool bestdag_knowledge_marks(const struct bestdag_knowledge *k, int child,
                             int parent)
{
    const uint64_t *row = bestdag_knowledge_row(k, k->marked, child);
    return row && bestdag_row_has(row, parent);
}

bool bestdag_knowledge_on_path(const struct bestdag_knowledge *k, int child)
{
    return k->path && bestdag_row_has(k->path, child);
}

uint64_t *bestdag_knowledge_after(struct bestdag_run *run,
                                  const struct bestdag_knowledge *k)
{
    uint64_t *after =
        bestdag_calloc(run, (size_t)k->n * k->words + 1, sizeof *after);
    for (int v = 0; after && v < k->n; v++) {
        const uint64_t *row = bestdag_knowledge_row(k, k->before, v);
        for (int u = -1; (u = bestdag_row_next(row, k->words, u + 1)) >= 0;)
            bestdag_row_add(after + (size_t)u * k->words, v);
    }
    return after;
}
