/* SPDX-License-Identifier: MIT */
/* operators.c -- the tests of the six operators, and their edits. */
#include "search/classes/operators.h"

#include <string.h>

static const uint64_t *parents_of(const struct bestdag_equivalence_class *e,
                                  int v)
{
    return bestdag_equivalence_class_row(e, e->pdag->parents, v);
}

static const uint64_t *children_of(const struct bestdag_equivalence_class *e,
                                   int v)
{
    return bestdag_equivalence_class_row(e, e->pdag->children, v);
}

static const uint64_t *neighbours_of(const struct bestdag_equivalence_class *e,
                                     int v)
{
    return bestdag_equivalence_class_row(e, e->pdag->neighbours, v);
}

/* Are all members of a row adjacent to each other? */
static bool is_clique(const struct bestdag_equivalence_class *e,
                      const uint64_t *row)
{
    for (int u = bestdag_row_next(row, e->words, 0); u >= 0;
         u = bestdag_row_next(row, e->words, u + 1))
        for (size_t w = 0; w < e->words; w++) {
            uint64_t others = row[w];
            if (w == (size_t)u / 64)
                others &= ~((uint64_t)1 << (u % 64));
            if (others & ~bestdag_equivalence_class_adjacent(e, u, w))
                return false;
        }
    return true;
}

/* ---- paths --------------------------------------------------------------- */

struct path {
    int from, to;
    bool is_undirected;    /* otherwise arcs may be followed forward, too */
    const uint64_t *avoid; /* a row: paths may not pass through these */
    bool without_arc;      /* the arc from -> to itself does not count */
};

/* Is there such a path? */
static bool has_path(struct bestdag_operator_tests *v,
                     const struct bestdag_equivalence_class *e,
                     const struct path *p)
{
    uint64_t *seen = v->scratch + 3 * v->words;
    int first = 0, last = 0;
    memcpy(seen, p->avoid, v->words * sizeof *seen);
    bestdag_row_add(seen, p->from);
    v->queue[last++] = p->from;
    while (first < last) {
        int u = v->queue[first++];
        for (size_t w = 0; w < v->words; w++) {
            uint64_t next = neighbours_of(e, u)[w];
            if (!p->is_undirected)
                next |= children_of(e, u)[w];
            if (p->without_arc && u == p->from && w == (size_t)p->to / 64)
                next &= ~((uint64_t)1 << (p->to % 64));
            next &= ~seen[w];
            seen[w] |= next;
            for (; next; next &= next - 1) {
                int t = (int)(w * 64) + __builtin_ctzll(next);
                if (t == p->to)
                    return true;
                v->queue[last++] = t;
            }
        }
    }
    return false;
}

bool bestdag_operator_tests_has_path(struct bestdag_operator_tests *v,
                                     const struct bestdag_equivalence_class *e,
                                     int from, int to, const uint64_t *avoid)
{
    struct path p = {.from = from, .to = to, .avoid = avoid};
    v->made++;
    return has_path(v, e, &p);
}

/* ---- the tests -------------------------------------------------------------
 *
 * Each is given x and y between which the operator can be applied at all.
 */

static void meet(uint64_t *to, const uint64_t *a, const uint64_t *b,
                 size_t words)
{
    for (size_t w = 0; w < words; w++)
        to[w] = a[w] & b[w];
}

static bool test_apart(struct bestdag_operator_tests *v,
                       const struct bestdag_equivalence_class *e, int x, int y)
{
    uint64_t *common = v->scratch;
    meet(common, neighbours_of(e, x), neighbours_of(e, y), v->words);
    struct path p = {
        .from = x, .to = y, .is_undirected = true, .avoid = common};
    return !has_path(v, e, &p);
}

static bool test_delete_u(struct bestdag_operator_tests *v,
                          const struct bestdag_equivalence_class *e, int x,
                          int y)
{
    meet(v->scratch, neighbours_of(e, x), neighbours_of(e, y), v->words);
    return is_clique(e, v->scratch);
}

static bool test_insert_d(struct bestdag_operator_tests *v,
                          const struct bestdag_equivalence_class *e, int x,
                          int y)
{
    uint64_t *omega = v->scratch;
    meet(omega, parents_of(e, x), neighbours_of(e, y), v->words);
    struct path p = {.from = y, .to = x, .avoid = omega};
    return is_clique(e, omega) && !has_path(v, e, &p);
}

static bool test_reverse_d(struct bestdag_operator_tests *v,
                           const struct bestdag_equivalence_class *e, int x,
                           int y)
{
    uint64_t *omega = v->scratch;
    meet(omega, parents_of(e, y), neighbours_of(e, x), v->words);
    if (!is_clique(e, omega))
        return false;
    bestdag_row_join(omega, neighbours_of(e, y), v->words);
    struct path p = {.from = x, .to = y, .avoid = omega, .without_arc = true};
    return !has_path(v, e, &p);
}

static bool test(struct bestdag_operator_tests *v,
                 const struct bestdag_equivalence_class *e,
                 enum bestdag_operator o, int x, int y)
{
    v->made++;
    switch (o) {
    case BESTDAG_INSERT_U:
    case BESTDAG_MAKE_V:
        return test_apart(v, e, x, y);
    case BESTDAG_DELETE_U:
        return test_delete_u(v, e, x, y);
    case BESTDAG_INSERT_D:
        return test_insert_d(v, e, x, y);
    case BESTDAG_DELETE_D:
        return is_clique(e, neighbours_of(e, y));
    case BESTDAG_REVERSE_D:
        return test_reverse_d(v, e, x, y);
    case BESTDAG_OPERATORS:
        break;
    }
    return false;
}

/* The union of the neighbours of the members of a row. */
static void join_neighbours(const struct bestdag_operator_tests *v,
                            const struct bestdag_equivalence_class *e,
                            const uint64_t *row, uint64_t *to)
{
    memset(to, 0, v->words * sizeof *to);
    for (int u = bestdag_row_next(row, v->words, 0); u >= 0;
         u = bestdag_row_next(row, v->words, u + 1))
        bestdag_row_join(to, neighbours_of(e, u), v->words);
}

/* The row of all y between which and x the operator is applicable, valid or
 * not. */
static void find_possible(const struct bestdag_operator_tests *v,
                          const struct bestdag_equivalence_class *e,
                          enum bestdag_operator o, int x, uint64_t *to)
{
    size_t bytes = v->words * sizeof *to;
    if (o == BESTDAG_DELETE_U) {
        memcpy(to, neighbours_of(e, x), bytes);
        return;
    }
    if (o == BESTDAG_DELETE_D || o == BESTDAG_REVERSE_D) {
        memcpy(to, children_of(e, x), bytes);
        return;
    }
    for (size_t w = 0; w < v->words; w++)
        to[w] = ~bestdag_equivalence_class_adjacent(e, x, w);
    if (v->n % 64)
        to[v->words - 1] &= ~(~(uint64_t)0 << (v->n % 64));
    bestdag_row_drop(to, x);
    if (o != BESTDAG_MAKE_V)
        return;
    uint64_t *near = v->scratch + 2 * v->words;
    join_neighbours(v, e, neighbours_of(e, x), near);
    meet(to, to, near, v->words);
}

bool bestdag_operator_is_valid(struct bestdag_operator_tests *v,
                               const struct bestdag_equivalence_class *e,
                               enum bestdag_operator o, int x, int y)
{
    uint64_t *possible = v->scratch + v->words;
    find_possible(v, e, o, x, possible);
    if (!bestdag_row_has(possible, y) || !test(v, e, o, x, y))
        return false;
    if (o == BESTDAG_INSERT_U)
        return bestdag_equivalence_class_same_parents(e, x, y);
    return o != BESTDAG_INSERT_D ||
           !bestdag_equivalence_class_same_parents(e, x, y);
}

/* ---- rows ---------------------------------------------------------------- */

enum along { NEIGHBOURS = 1, PARENTS = 2, CHILDREN = 4 };

/* Adds to a row all nodes reachable from its members. */
static void reach(struct bestdag_operator_tests *v,
                  const struct bestdag_pdag *p, unsigned along, uint64_t *row)
{
    int first = 0, last = 0;
    for (int u = bestdag_row_next(row, v->words, 0); u >= 0;
         u = bestdag_row_next(row, v->words, u + 1))
        v->queue[last++] = u;
    while (first < last) {
        size_t at = (size_t)v->queue[first++] * v->words;
        for (size_t w = 0; w < v->words; w++) {
            uint64_t next = along & NEIGHBOURS ? p->neighbours[at + w] : 0;
            next |= along & PARENTS ? p->parents[at + w] : 0;
            next |= along & CHILDREN ? p->children[at + w] : 0;
            next &= ~row[w];
            row[w] |= next;
            for (; next; next &= next - 1)
                v->queue[last++] = (int)(w * 64) + __builtin_ctzll(next);
        }
    }
}

/* Keeps in `row` the nodes that pass the test. */
static void test_all(struct bestdag_operator_tests *v,
                     const struct bestdag_equivalence_class *e,
                     enum bestdag_operator o, int x, uint64_t *row)
{
    for (int y = bestdag_row_next(row, v->words, 0); y >= 0;
         y = bestdag_row_next(row, v->words, y + 1))
        if (!test(v, e, o, x, y))
            bestdag_row_drop(row, y);
}

/* InsertU and InsertD: nodes that no such path from x reaches are valid; of the
 * others only those that share a neighbour with x, or are neighbours of its
 * parents, can be. */
static void test_near(struct bestdag_operator_tests *v,
                      const struct bestdag_equivalence_class *e,
                      enum bestdag_operator o, int x, uint64_t *row)
{
    bool is_undirected = o == BESTDAG_INSERT_U;
    uint64_t *near = v->scratch + v->words, *far = v->scratch + 2 * v->words;
    int possible = bestdag_row_count(row, v->words);
    memset(far, 0, v->words * sizeof *far);
    bestdag_row_add(far, x);
    reach(v, e->pdag, is_undirected ? NEIGHBOURS : NEIGHBOURS | PARENTS, far);
    join_neighbours(
        v, e, is_undirected ? neighbours_of(e, x) : parents_of(e, x), near);
    for (size_t w = 0; w < v->words; w++) {
        near[w] &= row[w] & far[w];
        row[w] &= ~far[w];
    }
    v->saved += possible - bestdag_row_count(near, v->words);
    test_all(v, e, o, x, near);
    bestdag_row_join(row, near, v->words);
}

const uint64_t *bestdag_operator_tests_row(
    struct bestdag_operator_tests *v, const struct bestdag_equivalence_class *e,
    enum bestdag_operator o, int x)
{
    uint64_t *fresh = v->fresh + (size_t)o * v->words;
    uint64_t *row = v->row + ((size_t)o * (size_t)v->n + (size_t)x) * v->words;
    if (v->way == BESTDAG_CACHED && bestdag_row_has(fresh, x)) {
        v->saved++;
        return row;
    }
    find_possible(v, e, o, x, row);
    if (v->way != BESTDAG_FULL &&
        (o == BESTDAG_INSERT_U || o == BESTDAG_INSERT_D))
        test_near(v, e, o, x, row);
    else
        test_all(v, e, o, x, row);
    bestdag_row_add(fresh, x);
    return row;
}

/* Finds the nodes whose rows of o depend on the edges of changed nodes, in the
 * old or the new graph; `row` has the changed nodes and gets the others. */
static void find_stale(struct bestdag_operator_tests *v,
                       const struct bestdag_pdag *p, enum bestdag_operator o,
                       uint64_t *row)
{
    uint64_t *changed = v->scratch;
    memcpy(changed, row, v->words * sizeof *row);
    if (o == BESTDAG_INSERT_U || o == BESTDAG_MAKE_V)
        reach(v, p, NEIGHBOURS, row);
    else if (o == BESTDAG_INSERT_D)
        reach(v, p, NEIGHBOURS | CHILDREN, row);
    else if (o == BESTDAG_REVERSE_D)
        reach(v, p, NEIGHBOURS | PARENTS, row);
    else
        for (int c = bestdag_row_next(changed, v->words, 0); c >= 0;
             c = bestdag_row_next(changed, v->words, c + 1))
            bestdag_row_join(
                row,
                (o == BESTDAG_DELETE_U ? p->neighbours : p->parents) +
                    (size_t)c * v->words,
                v->words);
}

void bestdag_operator_tests_update(struct bestdag_operator_tests *v,
                                   const struct bestdag_equivalence_class *e)
{
    uint64_t *stale = v->scratch + v->words;
    size_t bytes = v->words * sizeof *stale;
    for (int o = 0; v->way == BESTDAG_CACHED && o < BESTDAG_OPERATORS; o++) {
        uint64_t *fresh = v->fresh + (size_t)o * v->words;
        for (int side = 0; side < 2; side++) {
            memcpy(stale, e->changed, bytes);
            find_stale(v, side ? e->before : e->pdag, (enum bestdag_operator)o,
                       stale);
            for (size_t w = 0; w < v->words; w++)
                fresh[w] &= ~stale[w];
        }
    }
}

void bestdag_operator_tests_forget(struct bestdag_operator_tests *v)
{
    memset(v->fresh, 0, BESTDAG_OPERATORS * v->words * sizeof *v->fresh);
}

struct bestdag_operator_tests *bestdag_operator_tests_new(
    struct bestdag_run *run, int n, enum bestdag_validity_test way)
{
    struct bestdag_operator_tests *v = bestdag_calloc(run, 1, sizeof *v);
    if (!v)
        return NULL;
    size_t rows = (size_t)BESTDAG_OPERATORS * (size_t)n;
    v->n = n;
    v->words = bestdag_row_words(n);
    v->way = way;
    v->row = bestdag_alloc(run, rows * v->words * sizeof *v->row);
    v->fresh =
        bestdag_calloc(run, BESTDAG_OPERATORS, (v->words + 1) * sizeof *v->row);
    v->scratch = bestdag_calloc(run, 4, (v->words + 1) * sizeof *v->scratch);
    v->queue = bestdag_alloc(run, (size_t)n * sizeof *v->queue);
    if (v->row && v->fresh && v->scratch && v->queue)
        return v;
    bestdag_operator_tests_free(v);
    return NULL;
}

void bestdag_operator_tests_free(struct bestdag_operator_tests *v)
{
    if (!v)
        return;
    bestdag_free(v->row);
    bestdag_free(v->fresh);
    bestdag_free(v->scratch);
    bestdag_free(v->queue);
    bestdag_free(v);
}

/* ---- edits --------------------------------------------------------------- */

bool bestdag_operation_apply(struct bestdag_run *run,
                             struct bestdag_equivalence_class *e,
                             const struct bestdag_operation *move, int most)
{
    struct bestdag_pdag *draft = bestdag_equivalence_class_draft(run, e);
    int x = move->x, y = move->y;
    if (!draft)
        return false;
    switch (move->operation) {
    case BESTDAG_INSERT_U:
        bestdag_pdag_add_edge(draft, x, y);
        break;
    case BESTDAG_INSERT_D:
        bestdag_pdag_add_arc(draft, x, y);
        break;
    case BESTDAG_DELETE_U:
    case BESTDAG_DELETE_D:
        bestdag_pdag_separate(draft, x, y);
        break;
    case BESTDAG_REVERSE_D:
        bestdag_pdag_add_arc(draft, y, x);
        break;
    case BESTDAG_MAKE_V:
        bestdag_pdag_add_arc(draft, x, move->z);
        bestdag_pdag_add_arc(draft, y, move->z);
        break;
    case BESTDAG_OPERATORS:
        break;
    }
    return bestdag_class_move(run, e, draft, most);
}
