/* SPDX-License-Identifier: MIT */
/* best_parents.c -- the forms of best(v, available), and the simplest of them:
 * a linear scan of the sorted masks. */
#include "problem/best_parents.h"

#include <string.h>

/* ---- scan ---------------------------------------------------------------- */

static int64_t scan_word(const void *data, int v, const uint64_t *available)
{
    const struct bestdag_component *at = data;
    return bestdag_candidates_best(&at->list[v], *available);
}

static int64_t scan_words(const void *data, int v, const uint64_t *available)
{
    const struct bestdag_component *at = data;
    const struct bestdag_candidates *p = &at->list[v];
    const uint64_t *mask = p->mask;
    int set = 0;
    for (; set < p->count; set++, mask += at->words)
        if (bestdag_mask_inside(mask, available, at->words))
            break;
    return p->cost[set];
}

static int make_scan(struct bestdag_run *run, struct bestdag_best_parents *to)
{
    to->best = to->at->words == 1 ? scan_word : scan_words;
    to->data = (void *)to->at;
    for (int v = 0; v < to->at->n; v++)
        to->entries += to->at->list[v].count;
    return bestdag_run_status(run);
}

static const struct bestdag_best_parents_form SCAN = {
    .name = "scan",
    .help = "sorted sets, one after the other",
    .make = make_scan,
};

/* ---- interface ----------------------------------------------------------- */

extern const struct bestdag_best_parents_form bestdag_best_parents_full;
extern const struct bestdag_best_parents_form bestdag_best_parents_bits;
extern const struct bestdag_best_parents_form bestdag_best_parents_trie;

/* The first is the default. */
static const struct bestdag_best_parents_form *const FORMS[] = {
    &bestdag_best_parents_trie, &SCAN, &bestdag_best_parents_bits,
    &bestdag_best_parents_full};

enum { COUNT = sizeof FORMS / sizeof *FORMS };

const struct bestdag_best_parents_form *bestdag_best_parents_at(int i)
{
    return i >= 0 && i < COUNT ? FORMS[i] : NULL;
}

static const struct bestdag_best_parents_form *find(const char *name)
{
    for (int i = 0; i < COUNT; i++)
        if (!name || !strcmp(FORMS[i]->name, name))
            return FORMS[i];
    return NULL;
}

struct bestdag_best_parents *bestdag_best_parents_new(
    struct bestdag_run *run, const struct bestdag_component *component,
    const char *form)
{
    if (bestdag_lacks(run, component, "component"))
        return NULL;
    struct bestdag_best_parents *l = bestdag_calloc(run, 1, sizeof *l);
    if (!l)
        return NULL;
    l->at = component;
    l->form = find(form);
    if (!l->form)
        bestdag_fail(run, BESTDAG_USAGE,
                     "unknown lookup '%s', expected full, scan, bits or trie",
                     form);
    else
        l->form->make(run, l);
    if (!bestdag_run_status(run))
        return l;
    bestdag_best_parents_free(l);
    return NULL;
}

void bestdag_best_parents_free(struct bestdag_best_parents *l)
{
    if (l && l->form && l->form->drop)
        l->form->drop(l->data);
    bestdag_free(l);
}
