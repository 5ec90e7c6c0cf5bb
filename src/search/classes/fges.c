/* SPDX-License-Identifier: MIT */
/* fges.c -- greedy equivalence search with conditioning sets (Chickering 2002;
 * fast: Ramsey and others 2017).
 *
 * N are undirected neighbours, P parents; NA are neighbours of y that are
 * adjacent to x.
 *
 *   Insert(x, y, T)  x -> y, and t -> y for all of T, neighbours of y that are
 *                    not adjacent to x. Valid if NA + T is a clique that every
 *                    semi-directed path y .. x meets
 *   Delete(x, y, H)  removes x - y or x -> y; y -> h, x -> h for all of H in
 *                    NA. Valid if NA - H is a clique
 *
 * Both change the score of y only. For every pair the gain of the best
 * insertion over T, without the test of paths, is cached: it is an upper bound,
 * and changes only with the neighbourhoods of x and y. Paths are tested only
 * where the bound exceeds the best gain found.
 *
 * A search that chooses its own moves (acoe.c) gets the best insertion and the
 * best deletion of each pair.
 *
 * Under rules, a set that leads to no class that obeys them is excluded until
 * the next move, since this can depend on any part of the class. */
#include "search/classes/fges.h"

#include <string.h>

#include "base/growing_array.h"
#include "base/random.h"

struct set {
    int x, y;
    int64_t gain;
    uint64_t *with; /* T or H: a row */
};

struct barred_set {
    int x, y;
    bool is_deletion;
    uint64_t hash; /* of T or H */
};

struct bestdag_fges {
    struct bestdag_class_state *w;
    struct bestdag_run *run;
    int n;
    size_t words;
    int64_t
        *gain_bound; /* owns; [n * n]: at x * n + y, no insertion gains more */
    uint64_t *rows;  /* owns; 6 rows */
    struct set best; /* its row is the first of `rows` */
    bool tests_paths;
    struct barred_set *barred; /* owns */
    int bars;
    int64_t bar_room;
};

enum { BEST, CHOSEN, BASE, OPTIONS, FAMILY, PATH, ROWS };

static uint64_t *row(const struct bestdag_fges *p, int i)
{
    return p->rows + (size_t)i * (p->words + 1);
}

static const uint64_t *neighbours_of(const struct bestdag_fges *p, int v)
{
    return bestdag_equivalence_class_row(p->w->at, p->w->at->pdag->neighbours,
                                         v);
}

static const uint64_t *parents_of(const struct bestdag_fges *p, int v)
{
    return bestdag_equivalence_class_row(p->w->at, p->w->at->pdag->parents, v);
}

/* What y gains from x in addition to its parents, BASE and CHOSEN. */
static int64_t gain_of(struct bestdag_fges *p, int x, int y, bool is_new)
{
    struct bestdag_cached_scorer *a = &p->w->appraiser;
    uint64_t *family = row(p, FAMILY);
    for (size_t i = 0; i < p->words; i++)
        family[i] = row(p, BASE)[i] | row(p, CHOSEN)[i] | parents_of(p, y)[i];
    bestdag_row_drop(family, x);
    if (is_new && bestdag_row_count(family, p->words) >= a->shared->max_parents)
        return BESTDAG_NO_FAMILY;
    int64_t without = bestdag_cached_score(a, y, family);
    bestdag_row_add(family, x);
    int64_t with = bestdag_cached_score(a, y, family);
    return with == BESTDAG_NO_FAMILY || without == BESTDAG_NO_FAMILY
               ? BESTDAG_NO_FAMILY
               : with - without;
}

/* Is v adjacent to all other members of a row? */
static bool joins(const struct bestdag_fges *p, int v, const uint64_t *members)
{
    for (size_t i = 0; i < p->words; i++) {
        uint64_t others = members[i];
        if (i == (size_t)v / 64)
            others &= ~((uint64_t)1 << (v % 64));
        if (others & ~bestdag_equivalence_class_adjacent(p->w->at, v, i))
            return false;
    }
    return true;
}

static bool is_clique(const struct bestdag_fges *p, const uint64_t *members)
{
    for (int v = bestdag_row_next(members, p->words, 0); v >= 0;
         v = bestdag_row_next(members, p->words, v + 1))
        if (!joins(p, v, members))
            return false;
    return true;
}

static void keep(struct bestdag_fges *p, int x, int y, int64_t gain)
{
    if (gain == BESTDAG_NO_FAMILY || gain <= p->best.gain)
        return;
    p->best.x = x;
    p->best.y = y;
    p->best.gain = gain;
    memcpy(row(p, BEST), row(p, CHOSEN), p->words * sizeof(uint64_t));
}

/* ---- rules --------------------------------------------------------------- */

static uint64_t hash_row(const struct bestdag_fges *p, const uint64_t *set)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < p->words; i++)
        hash = bestdag_mix(hash ^ set[i]);
    return hash;
}

static bool is_barred(const struct bestdag_fges *p, int x, int y,
                      bool is_deletion)
{
    uint64_t hash = p->bars ? hash_row(p, row(p, CHOSEN)) : 0;
    for (int i = 0; i < p->bars; i++) {
        const struct barred_set *b = &p->barred[i];
        if (b->x == x && b->y == y && b->is_deletion == is_deletion &&
            b->hash == hash)
            return true;
    }
    return false;
}

/* Excludes p->best; false: out of memory. */
static bool bar(struct bestdag_fges *p, bool is_deletion)
{
    if (!BESTDAG_GROW(p->run, p->barred, p->bar_room, p->bars + 1))
        return false;
    p->barred[p->bars++] = (struct barred_set){
        p->best.x, p->best.y, is_deletion, hash_row(p, p->best.with)};
    return true;
}

/* Does an insertion obviously break a rule? With T it makes v-structures, so
 * its arcs are compelled. */
static bool is_against_rules(const struct bestdag_fges *p, int x, int y)
{
    const struct bestdag_search_rules *r = p->w->rules;
    const uint64_t *chosen = row(p, CHOSEN);
    if (!r)
        return false;
    int t = bestdag_row_next(chosen, p->words, 0);
    bool allows = bestdag_search_rules_allow(r, y, x);
    if (t < 0)
        return !allows && !bestdag_search_rules_allow(r, x, y);
    for (; t >= 0 && allows; t = bestdag_row_next(chosen, p->words, t + 1))
        allows = bestdag_search_rules_allow(r, y, t);
    return !allows;
}

/* ---- insertions ---------------------------------------------------------- */

static bool is_blocked(struct bestdag_fges *p, int x, int y)
{
    uint64_t *avoid = row(p, PATH);
    for (size_t i = 0; i < p->words; i++)
        avoid[i] = row(p, BASE)[i] | row(p, CHOSEN)[i];
    return !bestdag_operator_tests_has_path(p->w->validity, p->w->at, y, x,
                                            avoid);
}

/* Tries the chosen set, then adds options from `from` on that keep it a clique.
 * Recursion depth: at most the size of a clique. */
static void choose(struct bestdag_fges *p, int x, int y, int from)
{
    int64_t gain = gain_of(p, x, y, true);
    if (gain != BESTDAG_NO_FAMILY && gain > p->best.gain &&
        !is_against_rules(p, x, y) &&
        (!p->tests_paths ||
         (!is_barred(p, x, y, false) && is_blocked(p, x, y))))
        keep(p, x, y, gain);
    for (int t = bestdag_row_next(row(p, OPTIONS), p->words, from); t >= 0;
         t = bestdag_row_next(row(p, OPTIONS), p->words, t + 1)) {
        if (!joins(p, t, row(p, BASE)) || !joins(p, t, row(p, CHOSEN)))
            continue;
        bestdag_row_add(row(p, CHOSEN), t);
        choose(p, x, y, t + 1);
        bestdag_row_drop(row(p, CHOSEN), t);
    }
}

/* Looks for an insertion between x and y that gains more than p->best. */
static void look_for_insertion(struct bestdag_fges *p, int x, int y)
{
    const struct bestdag_equivalence_class *e = p->w->at;
    const int *states = p->w->appraiser.shared->scorer->states;
    if (x == y || states[x] < 2 || states[y] < 2 ||
        bestdag_equivalence_class_are_adjacent(e, x, y))
        return;
    for (size_t i = 0; i < p->words; i++) {
        uint64_t adjacent = bestdag_equivalence_class_adjacent(e, x, i);
        row(p, BASE)[i] = neighbours_of(p, y)[i] & adjacent;
        row(p, OPTIONS)[i] = neighbours_of(p, y)[i] & ~adjacent;
        row(p, CHOSEN)[i] = 0;
    }
    if (is_clique(p, row(p, BASE)))
        choose(p, x, y, 0);
}

static void gain_bound(struct bestdag_fges *p, int x, int y)
{
    int64_t *to = &p->gain_bound[(size_t)x * (size_t)p->n + (size_t)y];
    bool is_alone = bestdag_row_next(neighbours_of(p, y), p->words, 0) < 0;
    if (is_alone) {
        bool is_near = bestdag_equivalence_class_are_adjacent(p->w->at, x, y);
        *to = is_near ? BESTDAG_NO_FAMILY
                      : p->w->plain[(size_t)x * (size_t)p->n + (size_t)y];
        return;
    }
    p->tests_paths = false;
    p->best.gain = 0;
    look_for_insertion(p, x, y);
    *to = p->best.gain;
}

/* After a move: updates the bounds of pairs next to the nodes that changed. */
static void renew(struct bestdag_fges *p, const uint64_t *changed)
{
    for (int c = bestdag_row_next(changed, p->words, 0); c >= 0;
         c = bestdag_row_next(changed, p->words, c + 1))
        for (int v = 0; v < p->n; v++) {
            gain_bound(p, v, c);
            gain_bound(p, c, v);
        }
}

/* The best valid insertion, in p->best: only pairs whose gain bound exceeds the
 * best found are examined. */
static void find_insertion(struct bestdag_fges *p)
{
    p->tests_paths = true;
    p->best = (struct set){.gain = 0, .with = row(p, BEST)};
    for (int x = 0; x < p->n; x++)
        for (int y = 0; y < p->n; y++) {
            int64_t most = p->gain_bound[(size_t)x * (size_t)p->n + (size_t)y];
            if (most > p->best.gain)
                look_for_insertion(p, x, y);
        }
}

/* Updates the state after p->best was made. */
static bool settle(struct bestdag_fges *p)
{
    p->bars = 0;
    if (bestdag_class_state_settle(p->w, p->best.gain))
        return false;
    renew(p, p->w->at->changed);
    return true;
}

/* False: an error. *is_made: false if the move is impossible; it is excluded
 * for now. */
static bool put_in(struct bestdag_fges *p, bool *is_made)
{
    *is_made = false;
    const struct set *s = &p->best;
    struct bestdag_pdag *draft =
        bestdag_equivalence_class_draft(p->run, p->w->at);
    if (!draft)
        return false;
    bestdag_pdag_add_arc(draft, s->x, s->y);
    for (int t = bestdag_row_next(s->with, p->words, 0); t >= 0;
         t = bestdag_row_next(s->with, p->words, t + 1))
        bestdag_pdag_add_arc(draft, t, s->y);
    *is_made = bestdag_class_move(p->run, p->w->at, draft,
                                  p->w->appraiser.shared->max_parents);
    if (*is_made)
        return settle(p);
    if (p->w->rules)
        return bar(p, false);
    /* too many parents: the pair is excluded until its ends change */
    p->gain_bound[(size_t)s->x * (size_t)p->n + (size_t)s->y] =
        BESTDAG_NO_FAMILY;
    return !bestdag_run_status(p->run);
}

/* ---- deletions ----------------------------------------------------------- */

/* Removes options from the base one by one; the rest must be a clique. */
static void spare(struct bestdag_fges *p, int x, int y, int from)
{
    uint64_t *base = row(p, BASE), *chosen = row(p, CHOSEN);
    if (is_clique(p, base) && !is_barred(p, x, y, true)) {
        uint64_t *given = row(p, PATH);
        memcpy(given, chosen, p->words * sizeof *given);
        memset(chosen, 0, p->words * sizeof *chosen);
        int64_t gain = gain_of(p, x, y, false);
        memcpy(chosen, given, p->words * sizeof *given);
        keep(p, x, y, gain == BESTDAG_NO_FAMILY ? gain : -gain);
    }
    for (int h = bestdag_row_next(row(p, OPTIONS), p->words, from); h >= 0;
         h = bestdag_row_next(row(p, OPTIONS), p->words, h + 1)) {
        bestdag_row_drop(base, h);
        bestdag_row_add(chosen, h);
        spare(p, x, y, h + 1);
        bestdag_row_drop(chosen, h);
        bestdag_row_add(base, h);
    }
}

/* Looks for a deletion between x and y that gains more than p->best. */
static void look_for_deletion(struct bestdag_fges *p, int x, int y)
{
    const struct bestdag_equivalence_class *e = p->w->at;
    const struct bestdag_search_rules *r = p->w->rules;
    if ((!bestdag_row_has(parents_of(p, y), x) &&
         !bestdag_row_has(neighbours_of(p, y), x)) ||
        bestdag_search_rules_require(r, y, x) ||
        bestdag_search_rules_require(r, x, y))
        return;
    for (size_t i = 0; i < p->words; i++) {
        row(p, BASE)[i] = row(p, OPTIONS)[i] =
            neighbours_of(p, y)[i] &
            bestdag_equivalence_class_adjacent(e, x, i);
        row(p, CHOSEN)[i] = 0;
    }
    spare(p, x, y, 0);
}

static void find_deletion(struct bestdag_fges *p)
{
    p->best = (struct set){.gain = 0, .with = row(p, BEST)};
    for (int y = 0; y < p->n; y++)
        for (int x = 0; x < p->n; x++)
            look_for_deletion(p, x, y);
}

/* As put_in(). */
static bool take_away(struct bestdag_fges *p, bool *is_made)
{
    *is_made = false;
    const struct set *s = &p->best;
    struct bestdag_pdag *draft =
        bestdag_equivalence_class_draft(p->run, p->w->at);
    if (!draft)
        return false;
    bestdag_pdag_separate(draft, s->x, s->y);
    for (int h = bestdag_row_next(s->with, p->words, 0); h >= 0;
         h = bestdag_row_next(s->with, p->words, h + 1)) {
        bestdag_pdag_add_arc(draft, s->y, h);
        if (bestdag_row_has(neighbours_of(p, s->x), h))
            bestdag_pdag_add_arc(draft, s->x, h);
    }
    *is_made = bestdag_class_move(p->run, p->w->at, draft, p->n);
    return *is_made ? settle(p) : p->w->rules && bar(p, true);
}

/* ---- single moves -------------------------------------------------------- */

void bestdag_fges_look(struct bestdag_fges *p, bestdag_wants_fn *wants,
                       bestdag_visit_move_fn *visit, void *user)
{
    struct bestdag_operation t = {.z = -1};
    p->tests_paths = true;
    for (t.x = 0; t.x < p->n && !bestdag_run_stopped(p->run); t.x++)
        for (t.y = 0; t.y < p->n; t.y++) {
            int64_t most =
                p->gain_bound[(size_t)t.x * (size_t)p->n + (size_t)t.y];
            t.operation = BESTDAG_INSERT_SET;
            p->best.gain = 0;
            if (most > 0 && wants(user, &t, most))
                look_for_insertion(p, t.x, t.y);
            if (p->best.gain > 0)
                visit(user, &t, p->best.gain);
            t.operation = BESTDAG_DELETE_SET;
            p->best.gain = 0;
            look_for_deletion(p, t.x, t.y);
            if (p->best.gain > 0)
                visit(user, &t, p->best.gain);
        }
}

bool bestdag_fges_make(struct bestdag_fges *p,
                       const struct bestdag_operation *move)
{
    bool is_made = false, is_deletion = move->operation == BESTDAG_DELETE_SET;
    p->tests_paths = true;
    p->best.gain = 0;
    if (is_deletion)
        look_for_deletion(p, move->x, move->y);
    else
        look_for_insertion(p, move->x, move->y);
    if (p->best.gain > 0 && is_deletion)
        take_away(p, &is_made);
    else if (p->best.gain > 0)
        put_in(p, &is_made);
    return is_made && !bestdag_run_status(p->run);
}

void bestdag_fges_begin(struct bestdag_fges *p)
{
    p->bars = 0;
    for (int x = 0; x < p->n; x++)
        for (int y = 0; y < p->n; y++)
            gain_bound(p, x, y);
}

struct bestdag_fges *bestdag_fges_new(struct bestdag_class_state *w)
{
    struct bestdag_fges *p = bestdag_calloc(w->run, 1, sizeof *p);
    size_t n = (size_t)w->n;
    if (!p)
        return NULL;
    p->w = w;
    p->run = w->run;
    p->n = w->n;
    p->words = w->words;
    p->gain_bound = bestdag_alloc(w->run, n * n * sizeof *p->gain_bound);
    p->rows = bestdag_calloc(w->run, ROWS, (w->words + 1) * sizeof *p->rows);
    if (p->gain_bound && p->rows) {
        p->best.with = row(p, BEST);
        return p;
    }
    bestdag_fges_free(p);
    return NULL;
}

void bestdag_fges_free(struct bestdag_fges *p)
{
    if (!p)
        return;
    bestdag_free(p->gain_bound);
    bestdag_free(p->rows);
    bestdag_free(p->barred);
    bestdag_free(p);
}

/* ---- both phases --------------------------------------------------------- */

static bool is_over(const struct bestdag_fges *p, int64_t moves)
{
    const struct bestdag_class_state *w = p->w;
    return (w->watches ? bestdag_run_watch(p->run, w->moves)
                       : bestdag_run_stopped(p->run)) ||
           w->moves >= moves;
}

static void note_move(const struct bestdag_fges *p, bool is_deletion,
                      bestdag_visit_move_fn *path, void *user)
{
    struct bestdag_operation t = {is_deletion ? BESTDAG_DELETE_SET
                                              : BESTDAG_INSERT_SET,
                                  p->best.x, p->best.y, -1};
    if (path)
        path(user, &t, p->best.gain);
}

void bestdag_fges_climb(struct bestdag_fges *p, int64_t moves,
                        bestdag_visit_move_fn *path, void *user)
{
    bool is_made;
    bestdag_fges_begin(p);
    for (int phase = 0; phase < 2; phase++)
        do {
            if (phase)
                find_deletion(p);
            else
                find_insertion(p);
            if (p->best.gain <= 0 ||
                !(phase ? take_away(p, &is_made) : put_in(p, &is_made)))
                break;
            if (is_made)
                note_move(p, phase > 0, path, user);
        } while (!is_over(p, moves));
}
