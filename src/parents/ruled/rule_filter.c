/* SPDX-License-Identifier: MIT */
/* rule_filter.c -- removes candidate sets that break a rule. */
#include "parents/ruled/rule_filter.h"

#include <math.h>
#include <string.h>

#include "parents/ruled/ruled_lists.h"

static int size_of(const struct bestdag_list *list, int64_t set)
{
    return (int)(list->start[set + 1] - list->start[set]);
}

static void append(struct bestdag_list *to, const struct bestdag_list *from,
                   int64_t set)
{
    int64_t at = to->start[to->count];
    int count = size_of(from, set);
    memcpy(to->member + at, from->member + from->start[set],
           (size_t)count * sizeof *to->member);
    to->score[to->count++] = from->score[set];
    to->start[to->count] = at + count;
}

static int thin(struct bestdag_run *run, const struct bestdag_knowledge *k,
                int v, const struct bestdag_list *from, struct bestdag_list *to)
{
    size_t count = (size_t)from->count;
    size_t members = count ? (size_t)from->start[count] : 0;
    to->score = bestdag_alloc(run, count * sizeof *to->score);
    to->start = bestdag_calloc(run, count + 1, sizeof *to->start);
    to->member = bestdag_alloc(run, members * sizeof *to->member);
    if (!to->score || !to->start || !to->member)
        return bestdag_run_status(run);
    for (int64_t i = 0; i < from->count; i++)
        if (bestdag_knowledge_local(k, v, from->member + from->start[i],
                                    size_of(from, i)))
            append(to, from, i);
    to->max_parents = from->max_parents;
    to->ceiling =
        bestdag_knowledge_constrains(k, v) ? (double)INFINITY : from->ceiling;
    return BESTDAG_OK;
}

static int copy_notes(struct bestdag_run *run, const struct bestdag_sets *from,
                      struct bestdag_sets *to)
{
    for (int i = 0; i < from->notes; i += 2)
        if (bestdag_sets_note(run, to, from->note[i], from->note[i + 1]))
            break;
    to->scored = from->scored;
    to->ending = from->ending;
    to->seconds_before = from->seconds_before;
    to->seconds = from->seconds;
    return bestdag_run_status(run);
}

bool bestdag_sets_made_under(struct bestdag_run *run,
                             const struct bestdag_sets *sets,
                             const struct bestdag_rules *rules)
{
    const char *noted = bestdag_sets_noted(sets, "rules");
    char *text = noted && rules ? bestdag_rules_noted(run, rules) : NULL;
    bool same = text && !strcmp(text, noted);
    bestdag_free(text);
    return same;
}

/* Replaces the note about the rules that the sets were made under. */
static int note_rules(struct bestdag_run *run, struct bestdag_sets *to,
                      const struct bestdag_rules *rules)
{
    if (bestdag_sets_noted(to, "rules")) {
        bestdag_note(run, 0,
                     "the score file was made under other rules and lacks the "
                     "sets that they exclude");
        for (int v = 0; v < to->n; v++)
            to->list[v].ceiling = INFINITY;
    }
    char *text = bestdag_rules_noted(run, rules);
    if (text)
        bestdag_sets_note(run, to, "rules", text);
    bestdag_free(text);
    return bestdag_run_status(run);
}

struct bestdag_sets *bestdag_sets_obeying(struct bestdag_run *run,
                                          const struct bestdag_sets *sets,
                                          const struct bestdag_knowledge *k)
{
    struct bestdag_sets *to = bestdag_sets_new(run, sets->n);
    for (int v = 0; to && v < sets->n; v++) {
        to->names[v] = bestdag_strdup(run, sets->names[v]);
        if (!to->names[v] || thin(run, k, v, &sets->list[v], &to->list[v]))
            break;
    }
    if (to && !bestdag_run_status(run) && !copy_notes(run, sets, to) &&
        !note_rules(run, to, k->rules))
        return to;
    bestdag_sets_free(to);
    return NULL;
}
