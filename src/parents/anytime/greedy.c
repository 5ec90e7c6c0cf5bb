/* SPDX-License-Identifier: MIT */
/* greedy.c -- candidate parent sets by greedy selection: the best scored set
 * that was not expanded yet is extended by every single variable, and all
 * extensions are scored. Scanagatta, de Campos, Corani and Zaffalon (NIPS 2015)
 * compare independence selection with this strategy.
 *
 * Every unscored set that matters is a superset of a set in the heap when the
 * search ends: these give the ceiling. */
#include "parents/anytime/explorer.h"
#include "base/growing_array.h"

/* A max-heap of records by score; ties are broken by hash, so that the order of
 * insertion does not matter. */
struct heap {
    struct bestdag_explorer *e;
    int64_t *at; /* owns; records */
    int64_t count, room;
};

static bool is_before(const struct heap *h, int64_t a, int64_t b)
{
    const struct bestdag_record *x = &h->e->record[a], *y = &h->e->record[b];
    return x->score != y->score ? x->score > y->score : x->hash < y->hash;
}

static int push(struct heap *h, int64_t record)
{
    if (!BESTDAG_GROW(h->e->run, h->at, h->room, h->count + 1))
        return BESTDAG_MEMORY;
    int64_t i = h->count++;
    for (; i > 0 && is_before(h, record, h->at[(i - 1) / 2]); i = (i - 1) / 2)
        h->at[i] = h->at[(i - 1) / 2];
    h->at[i] = record;
    return BESTDAG_OK;
}

static int64_t pop(struct heap *h)
{
    int64_t top = h->at[0], last = h->at[--h->count], i = 0;
    for (int64_t child; (child = 2 * i + 1) < h->count; i = child) {
        if (child + 1 < h->count &&
            is_before(h, h->at[child + 1], h->at[child]))
            child++;
        if (!is_before(h, h->at[child], last))
            break;
        h->at[i] = h->at[child];
    }
    h->at[i] = last;
    return top;
}

/* Gives up all strict supersets of a record. */
static void give_up(struct bestdag_explorer *e, int64_t record)
{
    const struct bestdag_record *r = &e->record[record];
    if (r->alive && (e->limit < 0 || r->count < e->limit))
        bestdag_explorer_give_up(
            e, bestdag_explorer_bound(e, (struct bestdag_superset_bound){
                                             r->states * e->least_states,
                                             r->count + 1, r->cells, 0}));
}

/* Is base + universe[added] neither known nor dominated nor against the rules?
 * *best: the best score of base, universe[added] and their known subsets. */
static bool is_worth_scoring(const struct bestdag_explorer *e, int64_t base,
                             int added, int64_t *best)
{
    const struct bestdag_record *p = &e->record[base];
    const struct bestdag_record *y = &e->record[e->single[added]];
    uint64_t hash = bestdag_explorer_hash_step(e, base, added);
    struct bestdag_superset_bound reach = {
        p->states * e->scorer->states[e->universe[added]], p->count + 1,
        y->cells > p->cells ? y->cells : p->cells, 0};
    *best = y->best > p->best ? y->best : p->best;
    return !bestdag_explorer_has(e, base, e->universe[added]) &&
           !bestdag_explorer_kills_step(e, base, added) &&
           bestdag_explorer_find(e, hash) < 0 &&
           !(e->markings && bestdag_explorer_forbids(e, base, added)) &&
           !bestdag_explorer_kills(e, &reach, *best);
}

/* Scores base + universe[added], if it is worth scoring. */
static int extend(struct heap *h, int64_t base, int added)
{
    struct bestdag_explorer *e = h->e;
    int set[BESTDAG_MOST_EXPLORED + 1], count = e->record[base].count;
    int64_t best;
    if (!is_worth_scoring(e, base, added, &best))
        return BESTDAG_OK;
    for (int i = 0; i < count; i++)
        set[i] = e->member[e->record[base].start + i];
    set[count++] = e->universe[added]; /* last: the counts of base are reused */
    int64_t record = bestdag_explorer_score(e, set, count, best);
    if (record < 0)
        return bestdag_run_status(e->run);
    return e->record[record].alive ? push(h, record) : BESTDAG_OK;
}

/* If rows are spread over ranks, counts all that expand() will score. */
static int count_ahead(struct bestdag_explorer *e, int64_t base)
{
    int count = 0;
    int64_t best, most = e->most ? e->most - e->scored : INT64_MAX;
    for (int i = 0; e->ahead && i < e->universe_count && count < most; i++)
        if (is_worth_scoring(e, base, i, &best))
            e->ahead[count++] = e->universe[i];
    return count ? bestdag_explorer_ahead(e, base, count, false) : BESTDAG_OK;
}

static int expand(struct heap *h, int64_t base)
{
    struct bestdag_explorer *e = h->e;
    int limit = e->limit;
    if (limit >= 0 && e->record[base].count >= limit)
        return BESTDAG_OK;
    if (e->record[base].count == BESTDAG_MOST_EXPLORED) {
        give_up(e, base);
        return BESTDAG_OK;
    }
    if (count_ahead(e, base))
        return bestdag_run_status(e->run);
    for (int i = 0; i < e->universe_count; i++) {
        if (bestdag_explorer_ended(e)) {
            give_up(e, base);
            return BESTDAG_OK;
        }
        if (extend(h, base, i))
            return bestdag_run_status(e->run);
    }
    return BESTDAG_OK;
}

static int explore(struct bestdag_explorer *e)
{
    struct heap h = {.e = e};
    int status = BESTDAG_OK;
    for (int i = 0; i < e->universe_count && !status; i++)
        status = push(&h, e->single[i]);
    while (!status && h.count && !bestdag_explorer_ended(e))
        status = expand(&h, pop(&h));
    while (h.count)
        give_up(e, h.at[--h.count]);
    bestdag_free(h.at);
    return status;
}

static int find(struct bestdag_plan *plan)
{
    return bestdag_plan_explore(plan, explore);
}

const struct bestdag_strategy bestdag_strategy_greedy = {
    .name = "greedy",
    .help = "best first by score: extends the best set found by every "
            "variable; anytime",
    .find = find,
};
