/* SPDX-License-Identifier: MIT */
/* sets.c -- candidate lists: allocation, access and notes. */
#include "parents/sets.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/archive.h"

struct bestdag_sets *bestdag_sets_new(struct bestdag_run *run, int n)
{
    struct bestdag_sets *sets = bestdag_calloc(run, 1, sizeof *sets);
    if (!sets)
        return NULL;
    sets->names = bestdag_calloc(run, (size_t)n, sizeof *sets->names);
    sets->list = bestdag_calloc(run, (size_t)n, sizeof *sets->list);
    if (!sets->names || !sets->list) {
        bestdag_sets_free(sets);
        return NULL;
    }
    sets->n = n;
    for (int v = 0; v < n; v++) {
        sets->list[v].ceiling = INFINITY;
        sets->list[v].max_parents = -1;
    }
    return sets;
}

void bestdag_list_release(struct bestdag_list *list)
{
    bestdag_free(list->score);
    bestdag_free(list->start);
    bestdag_free(list->member);
    list->score = NULL;
    list->start = NULL;
    list->member = NULL;
    list->count = 0;
}

/* Passes sizes and members in two bytes if these suffice. */
static void pass_whole(struct bestdag_archive *p, bool is_narrow, int32_t *x)
{
    uint16_t narrow = (uint16_t)*x;
    if (!is_narrow) {
        BESTDAG_PASS(p, *x);
        return;
    }
    BESTDAG_PASS(p, narrow);
    *x = narrow;
}

static bool is_narrow(const struct bestdag_list *list, int64_t members)
{
    bool is_small = true;
    for (int64_t i = 0; i < members; i++)
        is_small &= list->member[i] <= UINT16_MAX;
    return is_small;
}

void bestdag_list_pass(struct bestdag_run *run, struct bestdag_list *list,
                       struct bestdag_archive *p)
{
    bool opens = bestdag_archive_opens(p);
    int64_t members = list->count && !opens ? list->start[list->count] : 0;
    bool is_small = opens || is_narrow(list, members);
    BESTDAG_PASS(p, list->count);
    BESTDAG_PASS(p, list->ceiling);
    BESTDAG_PASS(p, list->max_parents);
    BESTDAG_PASS(p, members);
    BESTDAG_PASS(p, is_small);
    if (!list->count)
        return;
    void *score = list->score;
    bestdag_archive_array(p, run, &score, list->count, sizeof *list->score);
    list->score = score;
    if (opens) {
        size_t sets = score ? (size_t)list->count : 0; /* else the archive is
                                                          bad */
        members = members >= 0 && members <= p->left ? members : 0;
        list->start = bestdag_calloc(run, sets + 1, sizeof *list->start);
        list->member =
            bestdag_alloc(run, (size_t)members * sizeof *list->member);
        if (!score || !list->start || !list->member) {
            bestdag_archive_reject(p);
            bestdag_list_release(list);
            return;
        }
    }
    for (int64_t i = 0; i < list->count; i++) {
        int32_t size =
            opens ? 0 : (int32_t)(list->start[i + 1] - list->start[i]);
        pass_whole(p, is_small, &size);
        list->start[i + 1] = list->start[i] + size;
    }
    if (list->start[list->count] != members) {
        bestdag_archive_reject(p);
        bestdag_list_release(list);
        return;
    }
    for (int64_t i = 0; i < members; i++)
        pass_whole(p, is_small, &list->member[i]);
}

void bestdag_sets_free(struct bestdag_sets *sets)
{
    if (!sets)
        return;
    for (int v = 0; v < sets->n; v++) {
        bestdag_free(sets->names[v]);
        bestdag_list_release(&sets->list[v]);
    }
    for (int i = 0; i < sets->notes; i++)
        bestdag_free(sets->note[i]);
    bestdag_free(sets->note);
    bestdag_free(sets->names);
    bestdag_free(sets->list);
    bestdag_free(sets);
}

int bestdag_sets_check_sums(struct bestdag_run *run,
                            const struct bestdag_sets *sets, const char *file)
{
    double sum = 0;
    for (int v = 0; v < sets->n; v++) {
        const struct bestdag_list *list = &sets->list[v];
        double best = list->count ? list->score[0] : 0;
        double worst = list->count ? list->score[list->count - 1] : 0;
        sum += fabs(best) + fabs(worst);
        if (!(sum <= DBL_MAX)) /* also true for NaN */
            return bestdag_fail(run, BESTDAG_INPUT,
                                "%s%ssums of scores overflow: '%s' has scores "
                                "from %.3g to %.3g",
                                file ? file : "", file ? ": " : "",
                                sets->names[v], worst, best);
    }
    return BESTDAG_OK;
}

/* ---- notes --------------------------------------------------------------- */

static int find_note(const struct bestdag_sets *sets, const char *key)
{
    for (int i = 0; i < sets->notes; i += 2)
        if (!strcmp(sets->note[i], key))
            return i;
    return -1;
}

const char *bestdag_sets_noted(const struct bestdag_sets *sets, const char *key)
{
    int i = sets ? find_note(sets, key) : -1;
    return i < 0 ? NULL : sets->note[i + 1];
}

static int add_note(struct bestdag_run *run, struct bestdag_sets *sets,
                    char *key, char *value)
{
    char **more = bestdag_realloc(
        run, sets->note, ((size_t)sets->notes + 2) * sizeof *sets->note);
    if (more)
        sets->note = more;
    if (!more || !key || !value) {
        bestdag_free(key);
        bestdag_free(value);
        return BESTDAG_MEMORY;
    }
    sets->note[sets->notes++] = key;
    sets->note[sets->notes++] = value;
    return BESTDAG_OK;
}

int bestdag_sets_note(struct bestdag_run *run, struct bestdag_sets *sets,
                      const char *key, const char *value)
{
    int i = find_note(sets, key);
    char *copy = bestdag_strdup(run, value);
    if (i < 0)
        return add_note(run, sets, bestdag_strdup(run, key), copy);
    if (!copy)
        return BESTDAG_MEMORY;
    bestdag_free(sets->note[i + 1]);
    sets->note[i + 1] = copy;
    return BESTDAG_OK;
}

/* ---- access -------------------------------------------------------------- */

static const struct bestdag_list *list_of(const struct bestdag_sets *sets,
                                          int child)
{
    return sets && child >= 0 && child < sets->n ? &sets->list[child] : NULL;
}

int64_t bestdag_sets_total(const struct bestdag_sets *sets)
{
    int64_t total = 0;
    for (int v = 0; sets && v < sets->n; v++)
        total += sets->list[v].count;
    return total;
}

int bestdag_sets_variables(const struct bestdag_sets *sets)
{
    return sets ? sets->n : 0;
}

const char *bestdag_sets_name(const struct bestdag_sets *sets, int variable)
{
    return list_of(sets, variable) ? sets->names[variable] : NULL;
}

int bestdag_sets_count(const struct bestdag_sets *sets, int child)
{
    const struct bestdag_list *list = list_of(sets, child);
    return !list ? 0 : list->count < INT_MAX ? (int)list->count : INT_MAX;
}

int bestdag_sets_get(const struct bestdag_sets *sets, int child, int index,
                     double *score, int *parents, int room)
{
    const struct bestdag_list *list = list_of(sets, child);
    if (!list || index < 0 || index >= list->count)
        return -1;
    const int32_t *member = list->member + list->start[index];
    int count = (int)(list->start[index + 1] - list->start[index]);
    if (score)
        *score = list->score[index];
    for (int i = 0; parents && i < count && i < room; i++)
        parents[i] = member[i];
    return count;
}

double bestdag_sets_ceiling(const struct bestdag_sets *sets, int child)
{
    const struct bestdag_list *list = list_of(sets, child);
    return list ? list->ceiling : (double)NAN;
}
