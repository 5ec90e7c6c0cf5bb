/* SPDX-License-Identifier: MIT */
/* scored_extensions.c -- independence selection for scores that compute all
 * families with one more parent at once (families->add in scores/score.h): the
 * Gaussian ones.
 *
 * For numbers the estimate of independence.c is poor, since correlated parents
 * count twice, and it is not needed: what Y adds to P is its partial
 * correlation with X given P, and all Y together take little more time than one
 * family. So a set is extended by all other variables at once, exactly.
 * Extensions that are better than all their known subsets are recorded and wait
 * in a heap for each size, best score first; the heaps take turns.
 *
 * When all heaps are empty, the sets are extended once more, and now all
 * extensions are recorded: one that is no better than P may have supersets that
 * are. If this ends by itself, the list is complete. Otherwise bounds are left:
 * for a set that was extended, of its supersets with at least two more parents;
 * for others, of all supersets. */
#include <stdlib.h>

#include "parents/anytime/explorer.h"
#include "base/growing_array.h"

enum { SIZES = BESTDAG_MOST_EXPLORED + 2 };

struct waiting {
    int64_t score, record;
};

struct heap {           /* best first; ties: the earlier record */
    struct waiting *at; /* owns */
    int64_t count, room;
};

struct added { /* extensions of one set */
    int many, variable[BESTDAG_MOST_ADDED], place[BESTDAG_MOST_ADDED];
};

struct search {
    struct bestdag_explorer *e;
    int *ascending; /* owns; [universe_count]: indices in the universe */
    struct heap heap[SIZES];
    int turn;      /* size of the last turn */
    bool keep_all; /* record all extensions, even those that are no better */
    bool *is_done; /* owns; [room]: the record was extended */
    int64_t room;
};

/* ---- heaps --------------------------------------------------------------- */

static bool is_before(struct waiting x, struct waiting y)
{
    return x.score != y.score ? x.score > y.score : x.record < y.record;
}

static int push(struct search *s, int64_t record)
{
    const struct bestdag_record *r = &s->e->record[record];
    struct heap *h = &s->heap[r->count];
    struct waiting w = {r->score, record};
    if (!BESTDAG_GROW(s->e->run, h->at, h->room, h->count + 1))
        return BESTDAG_MEMORY;
    int64_t i = h->count++;
    for (; i > 0 && is_before(w, h->at[(i - 1) / 2]); i = (i - 1) / 2)
        h->at[i] = h->at[(i - 1) / 2];
    h->at[i] = w;
    return BESTDAG_OK;
}

static int64_t pop(struct heap *h)
{
    struct waiting top = h->at[0], last = h->at[--h->count];
    int64_t i = 0;
    for (int64_t child; (child = 2 * i + 1) < h->count; i = child) {
        if (child + 1 < h->count && is_before(h->at[child + 1], h->at[child]))
            child++;
        if (!is_before(h->at[child], last))
            break;
        h->at[i] = h->at[child];
    }
    h->at[i] = last;
    return top.record;
}

/* The heap whose turn it is; NULL: all are empty. */
static struct heap *next_heap(struct search *s)
{
    for (int i = 1; i <= SIZES; i++) {
        int size = (s->turn + i) % SIZES;
        if (s->heap[size].count) {
            s->turn = size;
            return &s->heap[size];
        }
    }
    return NULL;
}

/* ---- extensions ---------------------------------------------------------- */

/* The best score of the record and of the known subsets that replace one of its
 * members; INT64_MAX: one of them excludes supersets. */
static int64_t best_subset(const struct bestdag_explorer *e, int64_t record,
                           uint64_t hash)
{
    const struct bestdag_record *r = &e->record[record];
    int64_t best = r->best;
    for (int i = 0; i < r->count; i++) {
        int64_t known = bestdag_explorer_find(
            e, hash ^ bestdag_explorer_hash(e->member[r->start + i]));
        if (known < 0)
            continue;
        if (!e->record[known].alive)
            return INT64_MAX;
        if (e->record[known].best > best)
            best = e->record[known].best;
    }
    return best;
}

/* Records a scored set, if it is good enough. */
static int take(struct search *s, int64_t base, int added,
                const struct bestdag_family *family)
{
    struct bestdag_explorer *e = s->e;
    const struct bestdag_record *r = &e->record[base];
    int set[BESTDAG_MOST_EXPLORED + 1], count = r->count;
    bool must_gain = e->prune && !s->keep_all;
    bestdag_explorer_note(e, count + 1, family->score);
    if (must_gain && family->score <= r->best)
        return BESTDAG_OK;
    int64_t best =
        best_subset(e, base, bestdag_explorer_hash_step(e, base, added));
    if (best == INT64_MAX || (must_gain && family->score <= best) ||
        e->records >= e->plan->most_records)
        return BESTDAG_OK;
    for (int i = 0; i < count; i++)
        set[i] = e->member[r->start + i];
    set[count++] = e->universe[added];
    int64_t record = bestdag_explorer_remember(e, set, count, family, best);
    if (record < 0)
        return BESTDAG_MEMORY;
    return s->keep_all || !e->record[record].alive ? BESTDAG_OK
                                                   : push(s, record);
}

/* Scores record[base] with each of some other variables. */
static int score_some(struct search *s, int64_t base, const struct added *some)
{
    struct bestdag_explorer *e = s->e;
    struct bestdag_family family[BESTDAG_MOST_ADDED];
    struct bestdag_added_families ask = {.child = e->child,
                                         .parents =
                                             e->member + e->record[base].start,
                                         .count = e->record[base].count,
                                         .added = some->variable,
                                         .many = some->many};
    if (bestdag_scorer_add_each(e->scorer, e->scratch, &ask, family))
        return BESTDAG_MEMORY;
    for (int i = 0; i < some->many; i++)
        if (take(s, base, some->place[i], &family[i]))
            return BESTDAG_MEMORY;
    return BESTDAG_OK;
}

/* Is record[base] + universe[added] known, dominated or against the rules? */
static bool is_settled(const struct bestdag_explorer *e, int64_t base,
                       int added)
{
    return bestdag_explorer_has(e, base, e->universe[added]) ||
           bestdag_explorer_kills_step(e, base, added) ||
           bestdag_explorer_find(
               e, bestdag_explorer_hash_step(e, base, added)) >= 0 ||
           (e->markings && bestdag_explorer_forbids(e, base, added));
}

static bool can_grow(const struct bestdag_explorer *e, int64_t record)
{
    const struct bestdag_record *r = &e->record[record];
    return r->alive && (e->limit < 0 || r->count < e->limit);
}

static int extend(struct search *s, int64_t base)
{
    struct bestdag_explorer *e = s->e;
    struct added some = {0};
    if (!can_grow(e, base) || e->record[base].count == BESTDAG_MOST_EXPLORED)
        return BESTDAG_OK;
    for (int i = 0; i < e->universe_count; i++) {
        int added = s->ascending[i];
        if (is_settled(e, base, added))
            continue;
        some.variable[some.many] = e->universe[added];
        some.place[some.many++] = added;
        if (some.many < BESTDAG_MOST_ADDED)
            continue;
        if (score_some(s, base, &some))
            return BESTDAG_MEMORY;
        some.many = 0;
    }
    return some.many ? score_some(s, base, &some) : BESTDAG_OK;
}

/* ---- the search ---------------------------------------------------------- */

/* Gives up the supersets of a record with at least `more` more parents. */
static void give_up(struct bestdag_explorer *e, int64_t record, int more)
{
    const struct bestdag_record *r = &e->record[record];
    if (can_grow(e, record) && (e->limit < 0 || r->count + more <= e->limit))
        bestdag_explorer_give_up(
            e, bestdag_explorer_bound(
                   e, (struct bestdag_superset_bound){
                          r->states, r->count + more, r->cells, 0}));
}

/* Marks a record as extended. */
static int mark(struct search *s, int64_t record)
{
    if (record >= s->room) {
        int64_t room = 2 * record + 256;
        bool *more =
            bestdag_realloc(s->e->run, s->is_done, (size_t)room * sizeof *more);
        if (!more)
            return BESTDAG_MEMORY;
        for (int64_t i = s->room; i < room; i++)
            more[i] = false;
        s->is_done = more;
        s->room = room;
    }
    s->is_done[record] = true;
    return BESTDAG_OK;
}

static int compare_variables(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return (x[0] > y[0]) - (x[0] < y[0]);
}

static int sort_universe(struct search *s)
{
    const struct bestdag_explorer *e = s->e;
    size_t n = (size_t)e->universe_count;
    int(*pair)[2] = bestdag_alloc(e->run, (n + 1) * sizeof *pair);
    s->ascending = bestdag_alloc(e->run, (n + 1) * sizeof *s->ascending);
    for (size_t i = 0; pair && s->ascending && i < n; i++) {
        pair[i][0] = e->universe[i];
        pair[i][1] = (int)i;
    }
    if (pair && s->ascending && n)
        qsort(pair, n, sizeof *pair, compare_variables);
    for (size_t i = 0; pair && s->ascending && i < n; i++)
        s->ascending[i] = pair[i][1];
    bestdag_free(pair);
    return s->ascending ? BESTDAG_OK : BESTDAG_MEMORY;
}

/* Extends all records again, in their order; returns how many. */
static int64_t extend_fully(struct search *s, int *status)
{
    int64_t record = 0;
    s->keep_all = true;
    for (; record < s->e->records && !*status; record++) {
        *status = extend(s, record);
        if (bestdag_explorer_ended(s->e))
            break;
    }
    return record;
}

int bestdag_explore_scored(struct bestdag_explorer *e)
{
    struct search s = {.e = e};
    int status = sort_universe(&s);
    for (int i = 0; i < e->universe_count && !status; i++)
        status = push(&s, e->single[i]);
    for (struct heap *h;
         !status && !bestdag_explorer_ended(e) && (h = next_heap(&s));) {
        int64_t record = pop(h);
        status = extend(&s, record);
        if (!status && e->records < e->plan->most_records)
            status = mark(&s, record);
    }
    int64_t whole = bestdag_explorer_ended(e) ? 0 : extend_fully(&s, &status);
    /* A missing set contains one of the singletons, which follow the base. */
    for (int64_t i = whole > 0 ? whole : 1; i < e->records; i++)
        give_up(e, i, i < s.room && s.is_done[i] ? 2 : 1);
    for (int i = 0; i < SIZES; i++)
        bestdag_free(s.heap[i].at);
    bestdag_free(s.ascending);
    bestdag_free(s.is_done);
    return status ? bestdag_run_status(e->run) : BESTDAG_OK;
}
