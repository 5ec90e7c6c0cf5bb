/* SPDX-License-Identifier: MIT */
/* test_arc_bounds.c -- bounds under marks, by brute force: random problems,
 * random decisions, and the optimum of what they leave. */
#include <limits.h>
#include <string.h>

#include "solving.h"

#include "search/arcs/bnb_node.h"

enum { TRIALS = 400, DECISIONS = 6 };

static uint64_t seed_of(void)
{
    const char *text = getenv("BESTDAG_TEST_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 10) : 20101108;
    print_message("seed %llu\n", (unsigned long long)seed);
    return seed;
}

/* ---- what is left ----------------------------------------------------------
 */

struct left {
    int n;
    uint32_t required[8], forbidden[8];
    int low[8], high[8];
};

static bool allows(const struct left *l, int v, uint32_t set)
{
    int size = __builtin_popcount(set);
    return !(l->required[v] & ~set) && !(l->forbidden[v] & set) &&
           size >= l->low[v] && size <= l->high[v];
}

static uint32_t members(const struct bestdag_problem *p, int v, int set)
{
    const struct bestdag_list *list = &p->sets->list[v];
    uint32_t mask = 0;
    for (int64_t k = list->start[set]; k < list->start[set + 1]; k++)
        mask |= 1u << list->member[k];
    return mask;
}

static int64_t best_of(const struct bestdag_problem *p, const struct left *l,
                       int v, uint32_t there)
{
    int64_t least = p->none;
    for (int set = 0; set < p->candidates[v].count; set++) {
        uint32_t mask = members(p, v, set);
        if (!(mask & ~there) && allows(l, v, mask) &&
            p->candidates[v].cost[set] < least)
            least = p->candidates[v].cost[set];
    }
    return least;
}

/* What the best network that is left costs; none: there is none. */
static int64_t optimum(const struct bestdag_problem *p, const struct left *l)
{
    int64_t cost[256];
    cost[0] = 0;
    for (uint32_t s = 1; s < 1u << p->n; s++) {
        cost[s] = p->none;
        for (int v = 0; v < p->n; v++) {
            uint32_t rest = s & ~(1u << v);
            if (rest == s || cost[rest] >= p->none)
                continue;
            int64_t own = best_of(p, l, v, rest);
            if (own < p->none && cost[rest] + own < cost[s])
                cost[s] = cost[rest] + own;
        }
    }
    return cost[(1u << p->n) - 1];
}

/* ---- decisions -------------------------------------------------------------
 */

static struct bestdag_fact draw(struct bestdag_random *r, struct left *l)
{
    int n = l->n, v = (int)bestdag_random_below(r, (uint64_t)n);
    int u = (v + 1 + (int)bestdag_random_below(r, (uint64_t)n - 1)) % n;
    struct bestdag_fact f = {.child = v, .parent = u};
    switch (bestdag_random_below(r, 5)) {
    case 0:
    case 1:
        f.kind = BESTDAG_FACT_HAS;
        l->required[v] |= 1u << u;
        break;
    case 2:
        f.kind = BESTDAG_FACT_DEGREE;
        f.low = (int)bestdag_random_below(r, 2);
        f.high = f.low + (int)bestdag_random_below(r, 3);
        l->low[v] = f.low > l->low[v] ? f.low : l->low[v];
        l->high[v] = f.high < l->high[v] ? f.high : l->high[v];
        break;
    default:
        f.kind = BESTDAG_FACT_LACKS;
        l->forbidden[v] |= 1u << u;
    }
    return f;
}

struct state {
    const struct bestdag_problem *p;
    struct bestdag_propagation d;
    int deep, raised; /* states that were looked at; where effort paid */
};

/* Effort may not lose a network that is cheaper than the limit. */
static void sharpen(struct state *s, int64_t best)
{
    struct bestdag_arc_state *m = &s->d.state;
    const struct bestdag_arc_bound *c = m->arc_bound;
    int64_t limits[] = {s->p->none, best + 1, best};
    int count = best < s->p->none ? 3 : 1;
    for (int i = 0; c->row->tighten && i < count; i++) {
        size_t here = m->trailed;
        int64_t before = *m->bound;
        bool good = c->row->tighten(c->data, m, limits[i]) &&
                    bestdag_propagation_settle(&s->d);
        if (good) {
            assert_true(*m->bound >= before);
            assert_true(*m->bound <= best || best >= limits[i]);
            s->raised += *m->bound > before;
        } else
            assert_true(best >= limits[i]);
        for (int v = 0; v < m->n && best < limits[i]; v++)
            assert_true(m->set[v] < s->p->candidates[v].count);
        bestdag_arc_state_undo(m, here);
        assert_true(*m->bound == before);
    }
}

static void walk(struct state *s, struct bestdag_random *r)
{
    struct bestdag_arc_state *m = &s->d.state;
    struct left l = {.n = s->p->n};
    for (int v = 0; v < l.n; v++)
        l.high[v] = INT_MAX;
    bestdag_arc_state_undo(m, s->d.base);
    for (int i = 0; i <= DECISIONS; i++) {
        int64_t best = optimum(s->p, &l);
        assert_true(*m->bound <= best);
        sharpen(s, best);
        s->deep++;
        struct bestdag_fact f = draw(r, &l);
        if (!bestdag_propagate(&s->d, &f, true) ||
            !bestdag_propagation_settle(&s->d)) {
            assert_true(optimum(s->p, &l) >= s->p->none);
            return;
        }
    }
}

/* *root gets the bound without marks. */
static void try_bound(const struct bestdag_arc_bound_row *row, uint64_t seed,
                      uint64_t t, struct state *s, int64_t *root)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random r = bestdag_random_init(seed, t);
    struct random_sets shape = {.seed = seed + t,
                                .n = 2 + (int)(t % 6),
                                .sets = 4 + (int)(t % 7) * 4,
                                .most_parents = 1 + (int)(t % 4),
                                .levels = t % 5 ? 0 : 3,
                                .no_empty = t % 3 == 0,
                                .no_prune = t % 2 == 0};
    struct bestdag_sets *sets = random_sets(run, shape);
    struct bestdag_problem *p = bestdag_problem_new(run, sets);
    struct bestdag_arc_bound c;
    assert_int_equal(bestdag_arc_bound_init(run, row->name, p, &c), BESTDAG_OK);
    assert_int_equal(bestdag_bnb_node_prepare(run, &c, p, NULL, p->none),
                     BESTDAG_OK);
    assert_int_equal(bestdag_propagation_init(run, &s->d, p, &c, NULL),
                     BESTDAG_OK);
    s->p = p;
    *root = s->d.possible ? *s->d.state.bound : p->none;
    for (int k = 0; s->d.possible && k < 4; k++)
        walk(s, &r);
    assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
    bestdag_propagation_release(&s->d);
    bestdag_arc_bound_release(&c);
    bestdag_problem_free(p);
    bestdag_sets_free(sets);
    bestdag_run_free(run);
}

static void no_bound_is_above_what_the_marks_leave(void **state)
{
    uint64_t seed = seed_of();
    const struct bestdag_arc_bound_row *row;
    struct state s[8] = {0};
    int higher[8] = {0};
    (void)state;
    for (uint64_t t = 0; t < TRIALS; t++) {
        int64_t simple = 0, root;
        for (int i = 0; (row = bestdag_arc_bound_at(i)); i++) {
            try_bound(row, seed, t, &s[i], &root);
            simple = i ? simple : root;
            assert_true(root >= simple);
            higher[i] += root > simple;
        }
    }
    for (int i = 0; (row = bestdag_arc_bound_at(i)); i++) {
        print_message("%s: %d states, %d roots above simple, %d raised\n",
                      row->name, s[i].deep, higher[i], s[i].raised);
        assert_true(s[i].deep > TRIALS);
        assert_true(!i || higher[i] > TRIALS / 10);
        assert_true(!row->tighten || s[i].raised > TRIALS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_bound_is_above_what_the_marks_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
