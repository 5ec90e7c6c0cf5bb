/* SPDX-License-Identifier: MIT */
/* component.c -- strongly connected components of the parent relation, and the
 * candidate lists of each.
 *
 * Parents outside the component are free, which makes more sets dominated, and
 * these may have held the component together. A dominated set stays dominated
 * when more parents become free, so the decomposition is repeated on the finer
 * components until nothing changes. */
#include "problem/component.h"

#include <assert.h>

#include "problem/problem_check.h"

/* Variables of a component up to which this is repeated: searches over subsets
 * take at most 256. */
enum { MOST_AGAIN = 2000 };

/* ---- decomposition ------------------------------------------------------- */

static const struct bestdag_candidates *list_of_problem(const void *job, int v)
{
    return &((const struct bestdag_problem *)job)->candidates[v].head;
}

static const struct bestdag_candidates *list_of_component(const void *job,
                                                          int v)
{
    return &((const struct bestdag_component *)job)->list[v];
}

/* component[v] for all v; returns their number, negative: error. */
static int split(struct bestdag_run *run, const struct bestdag_problem *p,
                 int *component)
{
    return bestdag_candidates_split(run, p->n, list_of_problem, p, component);
}

static int find_largest(struct bestdag_run *run, const int *component, int n,
                        int components)
{
    int largest = 0;
    int *size = bestdag_calloc(run, (size_t)components, sizeof *size);
    if (!size)
        return -1;
    for (int v = 0; v < n; v++)
        if (++size[component[v]] > largest)
            largest = size[component[v]];
    bestdag_free(size);
    return largest;
}

int bestdag_components_largest(struct bestdag_run *run,
                               const struct bestdag_problem *p)
{
    int *component = bestdag_alloc(run, (size_t)p->n * sizeof *component);
    int count = component ? split(run, p, component) : -1;
    int largest = count < 0 ? -1 : find_largest(run, component, p->n, count);
    bestdag_free(component);
    return largest;
}

/* ---- lists of components ------------------------------------------------- */

struct maker {
    struct bestdag_run *run;
    const struct bestdag_problem *problem;
    struct bestdag_components *components;
    struct bestdag_collector *sorter; /* owns */
    int *component;                   /* owns; [n]: component of each
                                         variable */
    int *finer;                       /* owns; [n]: scratch for split_again() */
    int32_t *rename; /* owns; [n]: number in the component being made, -1: in
                        another one */
};

static int make_list(struct maker *m, const struct bestdag_component *c, int v)
{
    const struct bestdag_candidates *from =
        &m->problem->candidates[c->variable[v]].head;
    struct bestdag_restriction how = {.rename = m->rename, .bits = c->n};
    if (bestdag_candidates_restrict(m->run, from, &how, &c->list[v], NULL))
        return bestdag_run_status(m->run);
    return bestdag_candidates_prune(m->run, &c->list[v], m->sorter);
}

static int make_lists(struct maker *m, const struct bestdag_component *c)
{
    for (int v = 0; v < c->n; v++)
        m->rename[c->variable[v]] = v;
    for (int v = 0; v < c->n; v++)
        if (make_list(m, c, v))
            break;
    for (int v = 0; v < c->n; v++)
        m->rename[c->variable[v]] = -1;
    return bestdag_run_status(m->run);
}

/* ---- interface ----------------------------------------------------------- */

/* Computes sizes, then fills variable[] by component, each ascending. */
static void place(struct maker *m)
{
    struct bestdag_components *components = m->components;
    int before = 0;
    for (int v = 0; v < components->n; v++)
        components->component[m->component[v]].n++;
    for (int i = 0; i < components->components; i++) {
        struct bestdag_component *c = &components->component[i];
        c->variable = components->variable + before;
        c->list = components->list + before;
        c->words = (c->n + 63) / 64;
        before += c->n;
        if (c->n > components->largest)
            components->largest = c->n;
        c->n = 0;
    }
    for (int v = 0; v < components->n; v++) {
        struct bestdag_component *c = &components->component[m->component[v]];
        components->variable[c->variable - components->variable + c->n++] = v;
    }
}

/* Makes the lists of all components, by m->component. */
static int make_components(struct maker *m, int count)
{
    struct bestdag_components *components = m->components;
    components->component =
        bestdag_calloc(m->run, (size_t)count, sizeof *components->component);
    if (!components->component)
        return bestdag_run_status(m->run);
    components->components = count;
    components->largest = 0;
    place(m);
    for (int i = 0; i < count; i++)
        if (make_lists(m, &components->component[i]))
            break;
    return bestdag_run_status(m->run);
}

static void free_components(struct bestdag_components *components)
{
    for (int i = 0; components->list && i < components->n; i++)
        bestdag_candidates_release(&components->list[i]);
    bestdag_free(components->component);
    components->component = NULL;
}

/* Splits all components by their lists; returns their number; negative:
 * error. */
static int split_again(struct maker *m)
{
    int count = 0;
    for (int i = 0; i < m->components->components; i++) {
        const struct bestdag_component *c = &m->components->component[i];
        bool may_split = c->n > 1 && c->n <= MOST_AGAIN;
        int parts =
            may_split ? bestdag_candidates_split(m->run, c->n,
                                                 list_of_component, c, m->finer)
                      : 1;
        if (parts < 0)
            return -1;
        for (int v = 0; v < c->n; v++)
            m->component[c->variable[v]] =
                count + (may_split ? m->finer[v] : 0);
        count += parts;
    }
    return count;
}

static int make(struct maker *m)
{
    struct bestdag_components *components = m->components;
    size_t n = (size_t)m->problem->n;
    m->sorter = bestdag_collector_new(m->run);
    m->component = bestdag_alloc(m->run, n * sizeof *m->component);
    m->finer = bestdag_alloc(m->run, n * sizeof *m->finer);
    m->rename = bestdag_alloc(m->run, n * sizeof *m->rename);
    components->variable =
        bestdag_alloc(m->run, n * sizeof *components->variable);
    components->list = bestdag_calloc(m->run, n, sizeof *components->list);
    if (bestdag_run_status(m->run))
        return bestdag_run_status(m->run);
    for (size_t v = 0; v < n; v++)
        m->rename[v] = -1;
    components->n = (int)n;
    int count = split(m->run, m->problem, m->component);
    while (count >= 0 && !make_components(m, count)) {
        int finer = split_again(m);
        assert(finer < 0 || finer >= count); /* components only become finer */
        if (finer == count)
            break;
        count = finer;
        free_components(components);
    }
    return bestdag_run_status(m->run);
}

struct bestdag_components *bestdag_components_new(
    struct bestdag_run *run, const struct bestdag_problem *problem)
{
    struct maker m = {.run = run, .problem = problem};
    m.components = bestdag_calloc(run, 1, sizeof *m.components);
    if (m.components && make(&m)) {
        bestdag_components_free(m.components);
        m.components = NULL;
    }
    assert(!m.components || bestdag_components_is_sound(m.components));
    bestdag_collector_free(m.sorter);
    bestdag_free(m.component);
    bestdag_free(m.finer);
    bestdag_free(m.rename);
    return m.components;
}

void bestdag_components_free(struct bestdag_components *components)
{
    if (!components)
        return;
    free_components(components);
    bestdag_free(components->variable);
    bestdag_free(components->list);
    bestdag_free(components);
}
