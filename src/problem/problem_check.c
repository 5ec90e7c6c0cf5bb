/* SPDX-License-Identifier: MIT */
/* problem_check.c -- checks the invariants of a problem. Time: that of making
 * it. */
#include "problem/problem_check.h"

#ifndef NDEBUG

#include "base/invariant.h"
#include "base/row.h"

/* ---- lists --------------------------------------------------------------- */

static bool has_fit_masks(const uint64_t *mask, int count, int words, int bits)
{
    for (int i = 0; i < count; i++)
        if (bits < 64 * words &&
            !bestdag_is_row_of(mask + (int64_t)i * words, bits))
            return false;
    return true;
}

/* Does with[start[i] ..) have exactly the sets that contain i, ascending? */
static bool has_index(const struct bestdag_indexed_list *m)
{
    int64_t bits = 0;
    for (int set = 0; set < m->count; set++)
        bits += bestdag_row_count(bestdag_indexed_list_mask(m, set),
                                  (size_t)m->words);
    for (int i = 0; i < m->universe; i++) {
        if (m->start[i] >= m->start[i + 1]) /* i occurs, so some set contains
                                               it */
            return false;
        for (int32_t k = m->start[i]; k < m->start[i + 1]; k++)
            if ((k > m->start[i] && m->with[k - 1] >= m->with[k]) ||
                !bestdag_indexed_list_holds(m, m->with[k], i))
                return false;
    }
    return m->start[0] == 0 && m->start[m->universe] == bits;
}

static bool is_list(const struct bestdag_problem *p, int v)
{
    const struct bestdag_indexed_list *m = &p->candidates[v];
    return m->count == p->sets->list[v].count && m->words >= 1 &&
           m->universe <= 64 * m->words &&
           bestdag_is_set(m->member, m->universe, p->n) &&
           (!m->count || m->cost[0] == 0) && m->cost[m->count] == p->none &&
           bestdag_is_ascending(m->cost, m->count + 1) &&
           has_fit_masks(m->mask, m->count, m->words, m->universe) &&
           has_index(m);
}

/* Are users sorted by child, with the cheapest set that contains the
 * variable? */
static bool has_users(const struct bestdag_problem *p)
{
    int64_t users = 0;
    for (int u = 0; u < p->n; u++)
        for (int64_t k = p->user_start[u]; k < p->user_start[u + 1]; k++) {
            const struct bestdag_occurrence *a = &p->user[k];
            const struct bestdag_indexed_list *m = &p->candidates[a->child];
            if (k != users++ || m->member[a->local] != u ||
                m->with[m->start[a->local]] != a->first ||
                (k > p->user_start[u] && p->user[k - 1].child >= a->child))
                return false;
        }
    return users == p->user_start[p->n];
}

bool bestdag_problem_is_sound(const struct bestdag_problem *p)
{
    for (int v = 0; v < p->n; v++)
        if (!is_list(p, v) || bestdag_problem_local(p, v, v) >= 0 ||
            p->offset[v + 1] != p->offset[v] + p->candidates[v].words)
            return false;
    return p->none > 0 && p->offset[p->n] == p->words && has_users(p);
}

/* ---- components ---------------------------------------------------------- */

bool bestdag_component_is_sound(const struct bestdag_component *c)
{
    if (c->n > 64 * c->words)
        return false;
    for (int v = 0; v < c->n; v++) {
        const struct bestdag_candidates *p = &c->list[v];
        if (!bestdag_is_ascending(p->cost, p->count + 1) ||
            !has_fit_masks(p->mask, p->count, c->words, c->n))
            return false;
        for (int i = 0; i < p->count; i++) /* no variable is its own parent */
            if (p->cost[i] < 0 ||
                bestdag_row_has(p->mask + (int64_t)i * c->words, v))
                return false;
    }
    return true;
}

bool bestdag_components_is_sound(const struct bestdag_components *core)
{
    int n = 0, largest = 0;
    for (int i = 0; i < core->components; i++) {
        const struct bestdag_component *c = &core->component[i];
        if (!bestdag_is_set(c->variable, c->n, core->n) ||
            !bestdag_component_is_sound(c))
            return false;
        largest = c->n > largest ? c->n : largest;
        n += c->n;
    }
    return n == core->n && largest == core->largest &&
           bestdag_is_permutation(core->variable, core->n);
}

#endif
