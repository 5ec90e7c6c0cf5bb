/* SPDX-License-Identifier: MIT */
/* sets_build.c -- candidate lists that a user of the library provides in
 * memory. They are sorted and dominated sets are removed, as for a .jkl file;
 * their ceilings are unknown. */
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "parents/sets.h"

struct bestdag_sets *bestdag_sets_build(struct bestdag_run *run, int variables,
                                        const char *const *names)
{
    const char *twice;
    if (bestdag_lacks(run, names, "list of names"))
        return NULL;
    if (variables < 1) {
        bestdag_fail(run, BESTDAG_USAGE, "%d variables, expected at least 1",
                     variables);
        return NULL;
    }
    for (int v = 0; v < variables; v++)
        if (bestdag_lacks(run, names[v], "name of a variable"))
            return NULL;
    if (bestdag_text_twice(run, names, variables, &twice))
        return NULL;
    if (twice) {
        bestdag_fail(run, BESTDAG_USAGE, "two variables are called '%s'",
                     twice);
        return NULL;
    }
    struct bestdag_sets *sets = bestdag_sets_new(run, variables);
    for (int v = 0; sets && v < variables; v++) {
        sets->names[v] = bestdag_strdup(run, names[v]);
        if (!sets->names[v] ||
            bestdag_sets_set_list(run, sets, v, 1, (const double[]){0},
                                  (const int64_t[]){0, 0}, NULL)) {
            bestdag_sets_free(sets);
            return NULL;
        }
    }
    return sets;
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Sorts and checks set[count]. */
static int check_set(struct bestdag_run *run, const struct bestdag_sets *sets,
                     int child, int *set, int count)
{
    qsort(set, (size_t)count, sizeof *set, compare);
    for (int i = 0; i < count; i++)
        if (set[i] < 0 || set[i] >= sets->n || set[i] == child ||
            (i && set[i] == set[i - 1]))
            return bestdag_fail(run, BESTDAG_USAGE,
                                "a set of '%s' has the parent %d, expected "
                                "other variables from 0 to %d, each once",
                                sets->names[child], set[i], sets->n - 1);
    return BESTDAG_OK;
}

static int collect(struct bestdag_run *run, const struct bestdag_sets *sets,
                   int child, struct bestdag_collector *c, int64_t count,
                   const double *score, const int64_t *start,
                   const int *parents)
{
    int *set = bestdag_alloc(run, (size_t)sets->n * sizeof *set);
    for (int64_t i = 0; set && i < count && !bestdag_run_status(run); i++) {
        int64_t size = start[i + 1] - start[i];
        if (size < 0 || size >= sets->n || !isfinite(score[i]) ||
            (size && !parents)) {
            bestdag_fail(run, BESTDAG_USAGE,
                         "set %lld of '%s' has %lld parents and the score %g",
                         (long long)i, sets->names[child], (long long)size,
                         score[i]);
            break;
        }
        for (int64_t j = 0; j < size; j++)
            set[j] = parents[start[i] + j];
        if (!check_set(run, sets, child, set, (int)size))
            bestdag_collector_add(c, set, (int)size, score[i]);
    }
    bestdag_free(set);
    return bestdag_run_status(run);
}

int bestdag_sets_set_list(struct bestdag_run *run, struct bestdag_sets *sets,
                          int child, int64_t count, const double *score,
                          const int64_t *start, const int *parents)
{
    if (bestdag_lacks(run, sets, "candidate sets") ||
        bestdag_lacks(run, score, "list of scores") ||
        bestdag_lacks(run, start, "list of starts"))
        return bestdag_run_status(run);
    if (child < 0 || child >= sets->n || count < 1)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "%lld sets of variable %d, expected at least one "
                            "set of a variable from 0 to %d",
                            (long long)count, child, sets->n - 1);
    struct bestdag_collector *c = bestdag_collector_new(run);
    struct bestdag_list list = {.ceiling = INFINITY, .max_parents = -1};
    if (c && !collect(run, sets, child, c, count, score, start, parents) &&
        !bestdag_collector_finish(c, true, &list)) {
        struct bestdag_list old = sets->list[child];
        sets->list[child] = list;
        if (bestdag_sets_check_sums(run, sets, NULL))
            sets->list[child] = old;
        else
            list = old;
    }
    bestdag_list_release(&list);
    bestdag_collector_free(c);
    return bestdag_run_status(run);
}
