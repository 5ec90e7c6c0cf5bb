/* SPDX-License-Identifier: MIT */
/* class_state.c -- computes the gains of moves and makes moves. */
#include "search/classes/class_state.h"

#include <string.h>

#include "base/growing_array.h"
#include "scores/score.h"

/* ---- allocation ---------------------------------------------------------- */

int bestdag_class_state_init(struct bestdag_run *run,
                             struct bestdag_class_state *w,
                             const struct bestdag_shared_scores *shared,
                             enum bestdag_validity_test way)
{
    size_t n = (size_t)shared->scorer->n;
    *w = (struct bestdag_class_state){.run = run,
                                      .rules = w->rules,
                                      .watches = w->watches,
                                      .n = (int)n,
                                      .words = shared->words};
    if (bestdag_cached_scorer_init(run, &w->appraiser, shared))
        return bestdag_run_status(run);
    w->validity = bestdag_operator_tests_new(run, w->n, way);
    w->plain = bestdag_alloc(run, n * n * sizeof *w->plain);
    w->set = bestdag_calloc(run, 3 * (w->words + 1), sizeof *w->set);
    return bestdag_run_status(run);
}

void bestdag_class_state_release(struct bestdag_class_state *w)
{
    bestdag_cached_scorer_release(&w->appraiser);
    bestdag_equivalence_class_free(w->at);
    bestdag_operator_tests_free(w->validity);
    bestdag_free(w->plain);
    bestdag_free(w->set);
    bestdag_free(w->barred);
    *w = (struct bestdag_class_state){0};
}

enum bestdag_validity_test bestdag_class_state_testing(
    const struct bestdag_task *task)
{
    char word[32];
    bestdag_task_word(task, "validity", word);
    return !strcmp(word, "full")         ? BESTDAG_FULL
           : !strcmp(word, "restricted") ? BESTDAG_RESTRICTED
                                         : BESTDAG_CACHED;
}

int bestdag_class_state_reserve(const struct bestdag_task *task, int states,
                                int64_t more)
{
    int64_t n = task->n, row = (int64_t)bestdag_row_words(task->n) * 8;
    /* gains, rows of tests, and a class with its successor */
    int64_t each = n * n * 8 + BESTDAG_OPERATORS * n * row + 2 * 3 * n * row +
                   n * 200 + (1 << 20);
    return bestdag_reserve(task->run, states * each + more,
                           "the search over equivalence classes");
}

/* Refuses a start with too many parents: it would be the answer if nothing
 * better is found. */
static int check_start(const struct bestdag_task *task)
{
    for (int v = 0; task->start && task->max_parents >= 0 && v < task->n; v++)
        if (task->start->parents[v].count > task->max_parents)
            return bestdag_fail(
                task->run, BESTDAG_USAGE,
                "the network to start from gives '%s' %d parents, max-parents "
                "is %d",
                task->scorer->table->column[v].name,
                task->start->parents[v].count, task->max_parents);
    return BESTDAG_OK;
}

int bestdag_class_state_check(const struct bestdag_task *task,
                              struct bestdag_search_rules **to)
{
    const struct bestdag_score_type *type = task->scorer->type;
    *to = NULL;
    if (type->equivalent)
        return check_start(task) ? bestdag_run_status(task->run)
                                 : bestdag_search_rules_new(task, to);
    return bestdag_fail(task->run, BESTDAG_USAGE,
                        "the solver '%s' searches equivalence classes and "
                        "needs a score that is the same for all networks of a "
                        "class; '%s' is not",
                        task->solver->name, type->name);
}

/* ---- scores -------------------------------------------------------------- */

static const uint64_t *parents_of(const struct bestdag_class_state *w, int v)
{
    return bestdag_equivalence_class_row(w->at, w->at->pdag->parents, v);
}

static const uint64_t *neighbours_of(const struct bestdag_class_state *w, int v)
{
    return bestdag_equivalence_class_row(w->at, w->at->pdag->neighbours, v);
}

/* Computes the gain of x as an additional parent of y, for all x. */
static int appraise_plain(struct bestdag_class_state *w, int y)
{
    const int64_t *score =
        bestdag_cached_scores_row(&w->appraiser, y, parents_of(w, y));
    const int *states = w->appraiser.shared->scorer->states;
    if (!score)
        return bestdag_run_status(w->run);
    for (int x = 0; x < w->n; x++)
        w->plain[(size_t)x * (size_t)w->n + (size_t)y] =
            score[x] == BESTDAG_NO_FAMILY || score[y] == BESTDAG_NO_FAMILY ||
                    x == y || states[x] < 2 || states[y] < 2
                ? BESTDAG_NO_FAMILY
                : score[x] - score[y];
    return BESTDAG_OK;
}

/* The score of v's family in the class's DAG. */
static int64_t score_member(struct bestdag_class_state *w, int v)
{
    const struct bestdag_parents *p = &w->at->dag->parents[v];
    memset(w->set, 0, w->words * sizeof *w->set);
    for (int i = 0; i < p->count; i++)
        bestdag_row_add(w->set, p->at[i]);
    return bestdag_cached_score(&w->appraiser, v, w->set);
}

static bool is_stopped(const struct bestdag_class_state *w)
{
    return w->watches ? bestdag_run_watch(w->run, w->moves)
                      : bestdag_run_stopped(w->run);
}

int bestdag_class_state_place(struct bestdag_class_state *w,
                              const struct bestdag_dag *dag)
{
    struct bestdag_equivalence_class *at = bestdag_equivalence_class_new(
        w->run, w->n, dag || !w->rules ? dag : w->rules->first);
    if (!at)
        return bestdag_run_status(w->run);
    at->rules = w->rules ? &w->rules->of : NULL;
    bestdag_equivalence_class_free(w->at);
    w->at = at;
    w->score = 0;
    w->bars = 0;
    bestdag_operator_tests_forget(w->validity);
    for (int v = 0; v < w->n; v++) {
        if (appraise_plain(w, v))
            return bestdag_run_status(w->run);
        int64_t score = score_member(w, v);
        if (bestdag_run_status(w->run)) /* then it is not a score */
            return bestdag_run_status(w->run);
        if (score == BESTDAG_NO_FAMILY || is_stopped(w)) {
            w->score = BESTDAG_NO_FAMILY;
            break;
        }
        w->score += score;
    }
    return bestdag_run_status(w->run);
}

/* ---- gains --------------------------------------------------------------- */

/* w->set = (a & b) | c; returns the size of a & b. */
static int make_set(struct bestdag_class_state *w, const uint64_t *a,
                    const uint64_t *b, const uint64_t *c)
{
    int common = 0;
    for (size_t i = 0; i < w->words; i++) {
        uint64_t both = a[i] & b[i];
        common += __builtin_popcountll(both);
        w->set[i] = both | c[i];
    }
    return common;
}

/* What v gains if u joins w->set; with `is_new` the set is limited to
 * max_parents. */
static int64_t gain_of(struct bestdag_class_state *w, int v, int u, bool is_new)
{
    const struct bestdag_shared_scores *shared = w->appraiser.shared;
    bestdag_row_drop(w->set, u);
    if (is_new && bestdag_row_count(w->set, w->words) >= shared->max_parents)
        return BESTDAG_NO_FAMILY;
    int64_t without = bestdag_cached_score(&w->appraiser, v, w->set);
    bestdag_row_add(w->set, u);
    int64_t with = bestdag_cached_score(&w->appraiser, v, w->set);
    if (with == BESTDAG_NO_FAMILY || without == BESTDAG_NO_FAMILY)
        return BESTDAG_NO_FAMILY;
    return with - without;
}

static int64_t plain_gain(const struct bestdag_class_state *w, int x, int y)
{
    return w->plain[(size_t)x * (size_t)w->n + (size_t)y];
}

static int64_t gain_insert_u(struct bestdag_class_state *w, int x, int y)
{
    if (!make_set(w, neighbours_of(w, x), neighbours_of(w, y),
                  parents_of(w, y)))
        return plain_gain(w, x, y);
    return gain_of(w, y, x, true);
}

static int64_t gain_insert_d(struct bestdag_class_state *w, int x, int y)
{
    if (!make_set(w, parents_of(w, x), neighbours_of(w, y), parents_of(w, y)))
        return plain_gain(w, x, y);
    return gain_of(w, y, x, true);
}

/* -gain, unless the family has no score. */
static int64_t less(int64_t gain)
{
    return gain == BESTDAG_NO_FAMILY ? gain : -gain;
}

static int64_t both(int64_t a, int64_t b)
{
    return a == BESTDAG_NO_FAMILY || b == BESTDAG_NO_FAMILY ? BESTDAG_NO_FAMILY
                                                            : a + b;
}

static int64_t gain_delete_u(struct bestdag_class_state *w, int x, int y)
{
    make_set(w, neighbours_of(w, x), neighbours_of(w, y), parents_of(w, y));
    return less(gain_of(w, y, x, false));
}

static int64_t gain_delete_d(struct bestdag_class_state *w, int x, int y)
{
    make_set(w, neighbours_of(w, y), neighbours_of(w, y), parents_of(w, y));
    return less(gain_of(w, y, x, false));
}

static int64_t gain_reverse_d(struct bestdag_class_state *w, int x, int y)
{
    make_set(w, parents_of(w, y), parents_of(w, y), parents_of(w, y));
    int64_t lost = less(gain_of(w, y, x, false));
    make_set(w, parents_of(w, y), neighbours_of(w, x), parents_of(w, x));
    return both(lost, gain_of(w, x, y, true));
}

static int64_t gain_make_v(struct bestdag_class_state *w, int x, int y, int z)
{
    uint64_t *common = w->set + w->words + 1;
    for (size_t i = 0; i < w->words; i++)
        common[i] = neighbours_of(w, x)[i] & neighbours_of(w, y)[i];
    make_set(w, common, common, parents_of(w, y));
    int64_t lost = less(gain_of(w, y, z, false));
    bestdag_row_drop(common, z);
    make_set(w, common, common, parents_of(w, z));
    bestdag_row_add(w->set, x);
    return both(lost, gain_of(w, z, y, true));
}

static int64_t gain_of_move(struct bestdag_class_state *w,
                            const struct bestdag_operation *t)
{
    switch (t->operation) {
    case BESTDAG_INSERT_U:
        return gain_insert_u(w, t->x, t->y);
    case BESTDAG_DELETE_U:
        return gain_delete_u(w, t->x, t->y);
    case BESTDAG_INSERT_D:
        return gain_insert_d(w, t->x, t->y);
    case BESTDAG_DELETE_D:
        return gain_delete_d(w, t->x, t->y);
    case BESTDAG_REVERSE_D:
        return gain_reverse_d(w, t->x, t->y);
    case BESTDAG_MAKE_V:
        return gain_make_v(w, t->x, t->y, t->z);
    case BESTDAG_OPERATORS:
        break;
    }
    return BESTDAG_NO_FAMILY;
}

/* ---- visiting moves ------------------------------------------------------ */

static bool is_symmetric(enum bestdag_operator o)
{
    return o == BESTDAG_INSERT_U || o == BESTDAG_DELETE_U ||
           o == BESTDAG_MAKE_V;
}

/* Are the parents of x and y as the operator requires? */
static bool fits(const struct bestdag_class_state *w, enum bestdag_operator o,
                 int x, int y)
{
    bool same = bestdag_equivalence_class_same_parents(w->at, x, y);
    return o == BESTDAG_INSERT_U ? same : o == BESTDAG_INSERT_D ? !same : true;
}

static bool is_barred(const struct bestdag_class_state *w,
                      const struct bestdag_operation *t)
{
    for (int i = 0; i < w->bars; i++)
        if (!memcmp(&w->barred[i], t, sizeof *t))
            return true;
    return false;
}

struct move_visitor {
    int64_t least;
    bestdag_visit_move_fn *visit;
    void *user;
};

static void look_at(struct bestdag_class_state *w, const struct move_visitor *l,
                    const struct bestdag_operation *move)
{
    if (bestdag_search_rules_bar(w->rules, move))
        return;
    int64_t gain = gain_of_move(w, move);
    if (gain > l->least && gain != BESTDAG_NO_FAMILY && !is_barred(w, move))
        l->visit(l->user, move, gain);
}

static void look_at_makes(struct bestdag_class_state *w,
                          const struct move_visitor *l, int x, int y)
{
    for (int z = 0; z >= 0 && z < w->n; z++) {
        z = bestdag_row_next(neighbours_of(w, x), w->words, z);
        if (z < 0)
            break;
        struct bestdag_operation t = {BESTDAG_MAKE_V, x, y, z};
        if (bestdag_row_has(neighbours_of(w, y), z))
            look_at(w, l, &t);
    }
}

/* Visits all moves of one operator, other than insertions, that have x
 * first. */
static void look_along(struct bestdag_class_state *w,
                       const struct move_visitor *l, enum bestdag_operator o,
                       int x)
{
    const uint64_t *row = bestdag_operator_tests_row(w->validity, w->at, o, x);
    for (int y = bestdag_row_next(row, w->words, is_symmetric(o) ? x + 1 : 0);
         y >= 0; y = bestdag_row_next(row, w->words, y + 1)) {
        struct bestdag_operation t = {o, x, y, -1};
        if (o == BESTDAG_MAKE_V)
            look_at_makes(w, l, x, y);
        else
            look_at(w, l, &t);
    }
}

/* Variables that share something with x: neighbours of its neighbours, or of
 * its parents. For all others the gain is in the table. */
static void find_near(const struct bestdag_class_state *w,
                      enum bestdag_operator o, int x, uint64_t *near)
{
    const uint64_t *from =
        o == BESTDAG_INSERT_U ? neighbours_of(w, x) : parents_of(w, x);
    memset(near, 0, w->words * sizeof *near);
    for (int u = bestdag_row_next(from, w->words, 0); u >= 0;
         u = bestdag_row_next(from, w->words, u + 1))
        bestdag_row_join(near, neighbours_of(w, u), w->words);
}

/* Visits insertions with x first; most cannot gain and are skipped quickly. */
static void look_at_insertions(struct bestdag_class_state *w,
                               const struct move_visitor *l,
                               enum bestdag_operator o, int x)
{
    const uint64_t *row = bestdag_operator_tests_row(w->validity, w->at, o, x);
    const int64_t *plain = w->plain + (size_t)x * (size_t)w->n;
    uint64_t *near = w->set + 2 * (w->words + 1);
    find_near(w, o, x, near);
    for (int y =
             bestdag_row_next(row, w->words, o == BESTDAG_INSERT_U ? x + 1 : 0);
         y >= 0; y = bestdag_row_next(row, w->words, y + 1)) {
        struct bestdag_operation t = {o, x, y, -1};
        if (!bestdag_row_has(near, y) && plain[y] <= l->least)
            continue;
        if (fits(w, o, x, y))
            look_at(w, l, &t);
    }
}

void bestdag_class_state_look(struct bestdag_class_state *w, int64_t least,
                              bestdag_visit_move_fn *visit, void *user)
{
    struct move_visitor l = {least, visit, user};
    for (int o = 0; o < BESTDAG_OPERATORS; o++)
        for (int x = 0; x < w->n && !is_stopped(w); x++) {
            if (o == BESTDAG_INSERT_U || o == BESTDAG_INSERT_D)
                look_at_insertions(w, &l, (enum bestdag_operator)o, x);
            else
                look_along(w, &l, (enum bestdag_operator)o, x);
        }
}

struct best {
    bool is_there;
    struct bestdag_operation move;
    int64_t gain;
};

static void keep_best(void *user, const struct bestdag_operation *move,
                      int64_t gain)
{
    struct best *b = user;
    if (b->is_there && gain <= b->gain)
        return;
    *b = (struct best){true, *move, gain};
}

bool bestdag_class_state_best(struct bestdag_class_state *w, int64_t least,
                              struct bestdag_operation *move, int64_t *gain)
{
    struct best b = {0};
    bestdag_class_state_look(w, least, keep_best, &b);
    *move = b.move;
    *gain = b.gain;
    return b.is_there;
}

/* A random common neighbour of x and y; -1: none. */
static int draw_between(struct bestdag_class_state *w, struct bestdag_random *r,
                        int x, int y)
{
    uint64_t *common = w->set;
    for (size_t i = 0; i < w->words; i++)
        common[i] = neighbours_of(w, x)[i] & neighbours_of(w, y)[i];
    int count = bestdag_row_count(common, w->words);
    if (!count)
        return -1;
    int k = (int)bestdag_random_below(r, (uint64_t)count);
    int z = bestdag_row_next(common, w->words, 0);
    while (k-- > 0)
        z = bestdag_row_next(common, w->words, z + 1);
    return z;
}

bool bestdag_class_state_draw(struct bestdag_class_state *w,
                              struct bestdag_random *r,
                              struct bestdag_operation *move, int64_t *gain)
{
    uint64_t n = (uint64_t)w->n;
    struct bestdag_operation t = {
        (enum bestdag_operator)bestdag_random_below(r, BESTDAG_OPERATORS),
        (int)bestdag_random_below(r, n), 0, -1};
    const uint64_t *row =
        bestdag_operator_tests_row(w->validity, w->at, t.operation, t.x);
    int count = bestdag_row_count(row, w->words);
    if (!count)
        return false;
    int k = (int)bestdag_random_below(r, (uint64_t)count);
    t.y = bestdag_row_next(row, w->words, 0);
    while (k-- > 0)
        t.y = bestdag_row_next(row, w->words, t.y + 1);
    if (is_symmetric(t.operation) && t.y < t.x) {
        int other = t.x;
        t.x = t.y;
        t.y = other;
    }
    if (!fits(w, t.operation, t.x, t.y))
        return false;
    if (t.operation == BESTDAG_MAKE_V &&
        (t.z = draw_between(w, r, t.x, t.y)) < 0)
        return false;
    if (bestdag_search_rules_bar(w->rules, &t))
        return false;
    *move = t;
    *gain = gain_of_move(w, &t);
    return *gain != BESTDAG_NO_FAMILY && !is_barred(w, &t);
}

/* ---- making moves -------------------------------------------------------- */

static void bar(struct bestdag_class_state *w,
                const struct bestdag_operation *move)
{
    if (!BESTDAG_GROW(w->run, w->barred, w->bar_room, w->bars + 1))
        return;
    w->barred[w->bars++] = *move;
}

int bestdag_class_state_settle(struct bestdag_class_state *w, int64_t gain)
{
    const struct bestdag_equivalence_class *e = w->at;
    size_t bytes = w->words * sizeof *w->set;
    w->score += gain;
    w->moves++;
    w->bars = 0;
    bestdag_operator_tests_update(w->validity, e);
    for (int v = bestdag_row_next(e->changed, w->words, 0); v >= 0;
         v = bestdag_row_next(e->changed, w->words, v + 1)) {
        size_t at = (size_t)v * w->words;
        if (memcmp(e->pdag->parents + at, e->before->parents + at, bytes) &&
            appraise_plain(w, v))
            break;
    }
    return bestdag_run_status(w->run);
}

bool bestdag_class_state_make(struct bestdag_class_state *w,
                              const struct bestdag_operation *move,
                              int64_t gain)
{
    if (bestdag_operation_apply(w->run, w->at, move,
                                w->appraiser.shared->max_parents))
        return !bestdag_class_state_settle(w, gain);
    bar(w, move);
    return false;
}

int64_t bestdag_class_state_climb(struct bestdag_class_state *w,
                                  bestdag_visit_move_fn *path, void *user)
{
    struct bestdag_operation move;
    int64_t gain, made = 0;
    while (!is_stopped(w) && bestdag_class_state_best(w, 0, &move, &gain)) {
        if (!bestdag_class_state_make(w, &move, gain))
            continue;
        made++;
        if (path)
            path(user, &move, gain);
    }
    return made;
}
