/* SPDX-License-Identifier: MIT */
/* random_component.h -- random candidate sets in components, for tests of what
 * works on one component. */
#ifndef RANDOMCORE_H
#define RANDOMCORE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "problem/component.h"
#include "random_lists.h"

struct random_core {
    struct bestdag_run *run;
    struct bestdag_sets *sets;
    struct bestdag_problem *problem;
    struct bestdag_components *components;
    const struct bestdag_component *largest;
};

static inline struct random_core random_core(struct random_sets shape)
{
    struct random_core c = {.run = bestdag_run_new()};
    c.sets = random_sets(c.run, shape);
    c.problem = bestdag_problem_new(c.run, c.sets);
    c.components = bestdag_components_new(c.run, c.problem);
    assert_non_null(c.components);
    c.largest = c.components->component;
    for (int i = 0; i < c.components->components; i++)
        if (c.components->component[i].n > c.largest->n)
            c.largest = &c.components->component[i];
    return c;
}

static inline void random_core_end(struct random_core *c)
{
    bestdag_components_free(c->components);
    bestdag_problem_free(c->problem);
    bestdag_sets_free(c->sets);
    bestdag_run_free(c->run);
}

#endif
