/* SPDX-License-Identifier: MIT */
/* merged_lists.c -- adds sets to existing lists. */
#include "parents/merged_lists.h"

#include <math.h>
#include <string.h>

int bestdag_collector_add_list(struct bestdag_collector *c,
                               const struct bestdag_list *list)
{
    for (int64_t i = 0; i < list->count; i++)
        if (bestdag_collector_add(c, list->member + list->start[i],
                                  (int)(list->start[i + 1] - list->start[i]),
                                  list->score[i]))
            return BESTDAG_MEMORY;
    return BESTDAG_OK;
}

static bool are_equal(const int32_t *a, const int32_t *b, int64_t count)
{
    return !count || !memcmp(a, b, (size_t)count * sizeof *a);
}

static bool is_same(const struct bestdag_list *a, int64_t i,
                    const struct bestdag_list *b, int64_t j)
{
    int64_t size = a->start[i + 1] - a->start[i];
    return a->score[i] == b->score[j] &&
           size == b->start[j + 1] - b->start[j] &&
           are_equal(a->member + a->start[i], b->member + b->start[j], size);
}

/* The number of new sets. Both lists are sorted alike, and old sets that are
 * missing were dominated. */
static int64_t count_new(const struct bestdag_list *old,
                         const struct bestdag_list *list)
{
    int64_t count = 0, j = 0;
    for (int64_t i = 0; i < list->count; i++) {
        while (j < old->count && old->score[j] > list->score[i])
            j++;
        int64_t k = j;
        while (k < old->count && old->score[k] == list->score[i] &&
               !is_same(old, k, list, i))
            k++;
        count += k == old->count || old->score[k] != list->score[i];
    }
    return count;
}

int64_t bestdag_list_renew(struct bestdag_sets *sets, int v,
                           struct bestdag_list *fresh)
{
    struct bestdag_list *list = &sets->list[v];
    int64_t more = count_new(list, fresh);
    if (more) {
        struct bestdag_list old = *list;
        fresh->ceiling = old.ceiling;
        fresh->max_parents = old.max_parents;
        *list = *fresh;
        *fresh = old;
    }
    bestdag_list_release(fresh);
    return more;
}

int bestdag_sets_join(struct bestdag_run *run, struct bestdag_sets *sets,
                      const struct bestdag_sets *from, int64_t *more)
{
    struct bestdag_collector *c = bestdag_collector_new(run);
    *more = 0;
    for (int v = 0; c && v < sets->n; v++) {
        struct bestdag_list fresh = {0};
        bool is_alike = from->list[v].max_parents == sets->list[v].max_parents;
        double ceiling = is_alike ? from->list[v].ceiling : (double)INFINITY;
        if (bestdag_collector_add_list(c, &sets->list[v]) ||
            bestdag_collector_add_list(c, &from->list[v]) ||
            bestdag_collector_finish(c, true, &fresh)) {
            bestdag_list_release(&fresh);
            break;
        }
        *more += bestdag_list_renew(sets, v, &fresh);
        if (ceiling < sets->list[v].ceiling)
            sets->list[v].ceiling = ceiling;
    }
    bestdag_collector_free(c);
    sets->scored += from->scored;
    return bestdag_run_status(run);
}
