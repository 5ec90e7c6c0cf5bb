/* SPDX-License-Identifier: MIT */
/* independence.c -- candidate parent sets by independence selection
 * (Scanagatta, de Campos, Corani, Zaffalon, NIPS 2015): best first by an
 * estimate of the score that needs no counting,
 *
 *     BIC*(X, P + Y) = LL(P) + LL(Y) - LL(0) - penalty(P + Y),
 *
 * which is exact if P and Y do not interact with respect to X.
 *
 * Extensions are generated lazily. Among variables Y with the same number of
 * states the order of BIC* is that of LL(Y), whatever P is; so a scored set has
 * one cursor for each number of states, which points at its best extension not
 * yet scored. Adding a set costs a push to a heap per cursor, not one per
 * variable.
 *
 * Errors of the estimate add up with every parent: if sizes were compared,
 * large sets around the first one would take all the time. So there is a heap
 * for every size, and they take turns.
 *
 * With a single queue, as in the paper, there is one heap for all sizes. A
 * scored set pushes all its extensions at once; one that was pushed before from
 * another set keeps its first estimate.
 *
 * Sets are pruned by their scored subsets, which need not be all: a set may be
 * listed although an unscored subset is better. Scoring the missing subsets
 * first costs nothing with at most 6 parents, but without a limit a set of k
 * parents waits for up to 2^k subsets, and for equal work the scores were worse
 * on the four tables tried.
 *
 * Gaussian scores need no estimate: scored_extensions.c.
 *
 * Scores other than BIC and AIC are guided by BIC* in the same way.
 *
 * Memory is bounded: when there are too many cursors, the worse half of the
 * largest heap is given up. Each cursor that remains at the end, or was given
 * up, has an upper bound on the scores of its extensions and their supersets:
 * the largest is the ceiling. Each unscored set that is better than its subsets
 * is, or contains, an extension ahead of a cursor of its largest scored
 * subset. */
#include <stdlib.h>

#include "parents/anytime/explorer.h"
#include "base/growing_array.h"

enum {
    SIZES = BESTDAG_MOST_EXPLORED + 2,
    CURSORS = 4, /* per open set of the plan, which limits memory; 2..8: the
                    same on baudio (bench/log/2026-11-17-sensitivity.csv) */
    AHEAD = 8    /* sets per message, if rows are spread over ranks */
};

struct cursor {
    int64_t key;  /* BIC* of the set record[base] + universe[order[next]] */
    int64_t base; /* record */
    int next;     /* index in `order` */
};

struct heap {          /* best key first */
    struct cursor *at; /* owns */
    int64_t count, room;
};

struct choice {        /* a variable to add */
    int states, added; /* added: index in the universe */
    uint64_t hash;     /* of the variable alone */
    int64_t likelihood;
    int64_t
        entropy; /* N H, maximum over it and later ones with as many states */
    int end;     /* of those with as many states */
};

struct pushed {     /* hashes of sets; open addressing */
    uint64_t *slot; /* owns; 0: free */
    uint64_t mask, used;
};

struct search {
    struct bestdag_explorer *e;
    struct choice *order;    /* owns; by states, then best likelihood first */
    struct heap heap[SIZES]; /* by size of the extended set; or only the
                                first */
    int64_t waiting;         /* cursors in all heaps */
    struct pushed pushed;    /* owns; single queue: all sets ever pushed */
    int turn;                /* size of the last turn */
};

static bool is_single(const struct search *s)
{
    return s->e->plan->single_queue;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ---- heaps --------------------------------------------------------------- */

static bool is_before(const struct cursor *x, const struct cursor *y)
{
    if (x->key != y->key)
        return x->key > y->key;
    return x->base != y->base ? x->base < y->base : x->next < y->next;
}

static int best_first(const void *a, const void *b)
{
    return is_before(a, b) ? -1 : is_before(b, a);
}

static void sift_down(struct heap *h)
{
    struct cursor c = h->at[0];
    int64_t i = 0;
    for (int64_t child; (child = 2 * i + 1) < h->count; i = child) {
        if (child + 1 < h->count && is_before(&h->at[child + 1], &h->at[child]))
            child++;
        if (!is_before(&h->at[child], &c))
            break;
        h->at[i] = h->at[child];
    }
    h->at[i] = c;
}

/* Gives up all extensions ahead of a cursor. */
static void give_up(struct search *s, const struct cursor *c)
{
    struct bestdag_explorer *e = s->e;
    const struct bestdag_record *p = &e->record[c->base];
    const struct choice *y = &s->order[c->next];
    int64_t entropy = e->record[0].joint - p->joint;
    int64_t high =
        least(p->likelihood + y->entropy, y->likelihood + entropy) + e->slack;
    struct bestdag_superset_bound reach = {p->states * y->states, p->count + 1,
                                           p->cells, least(0, high)};
    bestdag_explorer_give_up(e, bestdag_explorer_bound(e, reach));
}

static void halve_largest(struct search *s)
{
    struct heap *h = s->heap;
    for (int i = 1; i < SIZES; i++)
        if (s->heap[i].count > h->count)
            h = &s->heap[i];
    int64_t keep = h->count / 2;
    qsort(h->at, (size_t)h->count, sizeof *h->at, best_first);
    for (; h->count > keep; s->waiting--)
        give_up(s, &h->at[--h->count]);
}

static int push(struct search *s, const struct cursor *c)
{
    int size = s->e->record[c->base].count + 1;
    struct heap *h = &s->heap[is_single(s) ? 0 : size];
    if (s->waiting >= CURSORS * s->e->plan->most_open)
        halve_largest(s);
    if (!BESTDAG_GROW(s->e->run, h->at, h->room, h->count + 1))
        return BESTDAG_MEMORY;
    int64_t i = h->count++;
    for (; i > 0 && is_before(c, &h->at[(i - 1) / 2]); i = (i - 1) / 2)
        h->at[i] = h->at[(i - 1) / 2];
    h->at[i] = *c;
    s->waiting++;
    return BESTDAG_OK;
}

/* ---- estimates ----------------------------------------------------------- */

/* The penalty of BIC*, in units, capped. */
static int64_t penalty(const struct bestdag_explorer *e, double states,
                       int count)
{
    double units = (e->guide * (e->scorer->additive ? count : states) +
                    e->scorer->arc_cost * count) *
                   e->scorer->scale;
    return units < 0x1p60 ? (int64_t)units : (int64_t)1 << 60;
}

/* Theorem 2: no superset of P + Y can be best if N min(H(X), H(P), H(Y)) is
 * less than BIC* plus the penalty of the smallest superset. */
static bool is_leaf(const struct bestdag_explorer *e,
                    const struct bestdag_record *p,
                    const struct bestdag_record *y)
{
    if (!e->plan->theorem_2 || e->markings || !e->prune || !e->bounded ||
        e->pruning != BESTDAG_PRUNE_PENALTY || e->scorer->arc_cost > 0)
        return false;
    const struct bestdag_record *empty = &e->record[0];
    int count = p->count + 1;
    double states = p->states * y->states;
    int64_t guess = p->likelihood + y->likelihood - empty->likelihood;
    int64_t entropies =
        least(-empty->likelihood, empty->joint - most(p->joint, y->joint));
    return guess - penalty(e, states, count) +
               penalty(e, states * e->least_states, count + 1) >
           entropies + e->slack;
}

/* Is record[base] + this choice known, dominated or against the rules? */
static bool is_settled(const struct bestdag_explorer *e, int64_t base,
                       const struct choice *c)
{
    int added = c->added;
    const struct bestdag_record *p = &e->record[base];
    const struct bestdag_record *y = &e->record[e->single[added]];
    struct bestdag_superset_bound reach = {p->states * c->states, p->count + 1,
                                           most(p->cells, y->cells), 0};
    return bestdag_explorer_kills_step(e, base, added) ||
           bestdag_explorer_kills(e, &reach, most(p->best, y->best)) ||
           bestdag_explorer_has(e, base, e->universe[added]) ||
           bestdag_explorer_find(e, p->hash ^ c->hash) >= 0 ||
           (e->markings && bestdag_explorer_forbids(e, base, added));
}

static void set_key(const struct search *s, struct cursor *c)
{
    const struct bestdag_explorer *e = s->e;
    const struct bestdag_record *p = &e->record[c->base];
    const struct choice *y = &s->order[c->next];
    c->key = p->likelihood + y->likelihood - e->record[0].likelihood -
             penalty(e, p->states * y->states, p->count + 1);
}

/* Moves a cursor to the next set that needs scoring, beginning with its present
 * one; false: none. */
static bool advance(const struct search *s, struct cursor *c)
{
    const struct bestdag_explorer *e = s->e;
    const struct choice *y = &s->order[c->next];
    if (bestdag_explorer_kills_like(e, c->base, y->states, y->entropy))
        return false;
    for (int end = y->end; is_settled(e, c->base, y); y++)
        if (++c->next == end)
            return false;
    set_key(s, c);
    return true;
}

/* ---- the search ---------------------------------------------------------- */

static uint64_t *find_pushed(const struct pushed *p, uint64_t hash)
{
    uint64_t at = hash & p->mask;
    while (p->slot[at] && p->slot[at] != hash)
        at = (at + 1) & p->mask;
    return &p->slot[at];
}

/* Makes room for one more hash. */
static int widen_pushed(struct search *s)
{
    struct pushed to = {.used = s->pushed.used};
    if (2 * s->pushed.used < s->pushed.mask)
        return BESTDAG_OK;
    to.mask = s->pushed.mask ? 2 * s->pushed.mask + 1 : 1023;
    to.slot = bestdag_calloc(s->e->run, to.mask + 1, sizeof *to.slot);
    if (!to.slot)
        return BESTDAG_MEMORY;
    for (uint64_t i = 0; s->pushed.slot && i <= s->pushed.mask; i++)
        if (s->pushed.slot[i])
            *find_pushed(&to, s->pushed.slot[i]) = s->pushed.slot[i];
    bestdag_free(s->pushed.slot);
    s->pushed = to;
    return BESTDAG_OK;
}

/* Single queue: pushes an extension, unless it was pushed before. */
static int push_once(struct search *s, struct cursor *c)
{
    if (is_settled(s->e, c->base, &s->order[c->next]))
        return BESTDAG_OK;
    if (widen_pushed(s))
        return BESTDAG_MEMORY;
    uint64_t hash = s->e->record[c->base].hash ^ s->order[c->next].hash;
    uint64_t *slot = find_pushed(&s->pushed, hash);
    if (*slot || !hash)
        return BESTDAG_OK;
    if (s->pushed.used >= (uint64_t)s->e->plan->most_records) {
        give_up(s, c);
        return BESTDAG_OK;
    }
    *slot = hash;
    s->pushed.used++;
    set_key(s, c);
    return push(s, c);
}

/* Pushes the cursors of a record, or its extensions. */
static int extend(struct search *s, int64_t record)
{
    struct bestdag_explorer *e = s->e;
    const struct bestdag_record *r = &e->record[record];
    int limit = e->limit;
    if (!r->alive || r->leaf || (limit >= 0 && r->count >= limit))
        return BESTDAG_OK;
    for (int i = 0; i < e->universe_count;
         i = is_single(s) ? i + 1 : s->order[i].end) {
        struct cursor c = {.base = record, .next = i};
        if (r->count == BESTDAG_MOST_EXPLORED)
            give_up(s, &c);
        else if (is_single(s) ? push_once(s, &c)
                              : advance(s, &c) && push(s, &c))
            return BESTDAG_MEMORY;
    }
    return BESTDAG_OK;
}

/* Combines the known subsets that lack one member. */
static struct bestdag_record sum_subsets(const struct bestdag_explorer *e,
                                         const int *set, int count,
                                         uint64_t hash)
{
    struct bestdag_record sum = {.best = INT64_MIN, .alive = true};
    for (int i = 0; i < count; i++) {
        int64_t known =
            bestdag_explorer_find(e, hash ^ bestdag_explorer_hash(set[i]));
        if (known < 0)
            continue;
        const struct bestdag_record *r = &e->record[known];
        sum.alive &= r->alive && !r->leaf;
        if (!r->scored)
            continue;
        sum.best = most(sum.best, r->best);
        sum.cells = most(sum.cells, r->cells);
    }
    return sum;
}

/* If rows are spread over ranks, counts the set of this choice together with
 * those that its cursor will probably reach next. */
static int count_ahead(const struct search *s, int64_t base,
                       const struct choice *c)
{
    struct bestdag_explorer *e = s->e;
    const struct choice *end = s->order + c->end;
    int64_t left = e->most ? least(e->most - e->scored, AHEAD) : AHEAD;
    int count = 0;
    for (const struct choice *y = c; e->ahead && y < end && count < left; y++)
        if (y == c || !is_settled(e, base, y))
            e->ahead[count++] = e->universe[y->added];
    return count ? bestdag_explorer_ahead(e, base, count, true) : BESTDAG_OK;
}

/* Scores record[base] + this choice, and extends it. */
static int score(struct search *s, int64_t base, const struct choice *c)
{
    int added = c->added;
    struct bestdag_explorer *e = s->e;
    const struct bestdag_record *p = &e->record[base];
    const struct bestdag_record *y = &e->record[e->single[added]];
    int set[BESTDAG_MOST_EXPLORED + 1], count = 0;
    for (; count < p->count; count++)
        set[count] = e->member[p->start + count];
    set[count++] = e->universe[added]; /* last: the counts of base are reused */
    bool leaf = is_leaf(e, p, y);
    int states = e->scorer->states[e->universe[added]];
    struct bestdag_record sum =
        sum_subsets(e, set, count, bestdag_explorer_hash_step(e, base, added));
    struct bestdag_superset_bound reach = {p->states * states, count, sum.cells,
                                           0};
    if (!sum.alive || bestdag_explorer_kills(e, &reach, sum.best))
        return bestdag_explorer_add_dead(e, set, count) < 0 ? BESTDAG_MEMORY
                                                            : BESTDAG_OK;
    if (count_ahead(s, base, c))
        return BESTDAG_MEMORY;
    int64_t record = bestdag_explorer_score(e, set, count, sum.best);
    if (record < 0)
        return BESTDAG_MEMORY;
    e->record[record].leaf = leaf;
    return extend(s, record);
}

/* Takes the best cursor of a heap; its set may have become known since. The
 * cursor moves on first, since scoring may push to the same heap. */
static int step(struct search *s, struct heap *h)
{
    struct cursor c = h->at[0];
    int64_t base = c.base;
    const struct choice *choice = &s->order[c.next];
    bool settled = is_settled(s->e, base, choice);
    if (!is_single(s) && ++c.next < choice->end && advance(s, &c)) {
        h->at[0] = c;
    } else {
        h->at[0] = h->at[--h->count];
        s->waiting--;
    }
    if (h->count)
        sift_down(h);
    return settled ? BESTDAG_OK : score(s, base, choice);
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

static int by_states(const void *a, const void *b)
{
    const struct choice *x = a, *y = b;
    if (x->states != y->states)
        return x->states < y->states ? -1 : 1;
    if (x->likelihood != y->likelihood)
        return x->likelihood > y->likelihood ? -1 : 1;
    return (x->added > y->added) - (x->added < y->added);
}

static int make_order(struct search *s)
{
    const struct bestdag_explorer *e = s->e;
    int n = e->universe_count;
    s->order = bestdag_alloc(e->run, ((size_t)n + 1) * sizeof *s->order);
    if (!s->order)
        return BESTDAG_MEMORY;
    for (int i = 0; i < n; i++) {
        const struct bestdag_record *y = &e->record[e->single[i]];
        s->order[i] =
            (struct choice){.states = e->scorer->states[e->universe[i]],
                            .added = i,
                            .hash = bestdag_explorer_hash(e->universe[i]),
                            .likelihood = y->likelihood,
                            .entropy = e->record[0].joint - y->joint};
    }
    qsort(s->order, (size_t)n, sizeof *s->order, by_states);
    for (int i = n - 1; i >= 0; i--) {
        struct choice *c = &s->order[i], *after = c + 1;
        bool same = i < n - 1 && after->states == c->states;
        c->end = same ? after->end : i + 1;
        c->entropy = same ? most(c->entropy, after->entropy) : c->entropy;
    }
    return BESTDAG_OK;
}

static int explore(struct bestdag_explorer *e)
{
    struct search s = {.e = e};
    int status = make_order(&s);
    for (int i = 0; i < e->universe_count && !status; i++)
        status = extend(&s, e->single[i]);
    for (struct heap *h;
         !status && !bestdag_explorer_ended(e) && (h = next_heap(&s));)
        status = step(&s, h);
    for (int i = 0; i < SIZES; i++) {
        for (int64_t k = 0; k < s.heap[i].count; k++)
            give_up(&s, &s.heap[i].at[k]);
        bestdag_free(s.heap[i].at);
    }
    bestdag_free(s.order);
    bestdag_free(s.pushed.slot);
    return status ? bestdag_run_status(e->run) : BESTDAG_OK;
}

static int find(struct bestdag_plan *plan)
{
    bool is_scored =
        bestdag_scorer_can_add(plan->scorer) && !plan->single_queue;
    return bestdag_plan_explore(plan,
                                is_scored ? bestdag_explore_scored : explore);
}

static const char *const own[] = {"theorem-2", "queue", NULL};

const struct bestdag_strategy bestdag_strategy_independence = {
    .name = "independence",
    .help = "best first by an estimate that needs no counting (BIC*); anytime, "
            "for any number of variables",
    .own = own,
    .find = find,
};
