/* SPDX-License-Identifier: MIT */
/* test_arc_gains.c -- cached gains and the best move along random walks,
 * against fresh scores and all moves tried. */
#include "climbing.h"

/* ---- gains and moves along a random walk ----------------------------------
 */

struct walk {
    struct bench b;
    struct bestdag_likely_parents *likely; /* NULL: all are looked at */
    struct bestdag_closure *graph;
    struct bestdag_arc_gains *gains;
    struct bestdag_arc_moves *moves;
    struct small g, seen[8]; /* the graph; those that are tabu */
    int tabu, used, next;
};

/* likely: parents of each that are looked at; 0: all. */
static void open_walk(struct walk *w, struct random_table how,
                      const char *settings, int most, int tabu, int likely)
{
    open_bench(&w->b, how, settings);
    w->b.task.max_parents = most;
    score_all(&w->b);
    w->g = (struct small){.n = how.columns};
    w->tabu = tabu;
    w->used = w->next = 0;
    w->graph = bestdag_closure_new(w->b.run, how.columns);
    w->likely =
        likely ? bestdag_likely_parents_new(w->b.run, w->b.scorer, NULL, likely)
               : NULL;
    w->gains =
        bestdag_arc_gains_new(w->b.run, w->b.scorer, w->graph, w->likely, most);
    w->moves = bestdag_arc_moves_new(w->b.run, w->graph, w->gains, tabu);
    int all[MOST];
    for (int v = 0; v < how.columns; v++)
        all[v] = v;
    assert_int_equal(bestdag_arc_gains_renew(w->gains, all, how.columns), 0);
}

static void close_walk(struct walk *w)
{
    bestdag_arc_moves_free(w->moves);
    bestdag_arc_gains_free(w->gains);
    bestdag_closure_free(w->graph);
    bestdag_likely_parents_free(w->likely);
    close_bench(&w->b);
}

static bool is_likely(const struct walk *w, int v, int u)
{
    return !w->likely || bestdag_likely_parents_find(w->likely, v, u) >= 0;
}

static void expect_gains(const struct walk *w)
{
    const struct bench *b = &w->b;
    for (int v = 0; v < w->g.n; v++) {
        uint32_t now = w->g.parents[v];
        assert_int_equal(bestdag_arc_gains_score(w->gains, v),
                         b->family[v][now]);
        for (int u = 0; u < w->g.n; u++) {
            uint32_t then = now ^ (uint32_t)1 << u;
            bool full = b->task.max_parents >= 0 &&
                        count_bits(then) > b->task.max_parents;
            bool constant = then > now && (b->scorer->states[u] < 2 ||
                                           b->scorer->states[v] < 2);
            if (u == v)
                continue;
            if (full || constant || !is_likely(w, v, u))
                assert_true(bestdag_gain(w->gains, v, u) == BESTDAG_NO_GAIN);
            else
                assert_int_equal(bestdag_gain(w->gains, v, u),
                                 b->family[v][then] - b->family[v][now]);
        }
    }
}

static bool is_seen(const struct walk *w, const struct small *g)
{
    for (int i = 0; i < w->used; i++)
        if (same(&w->seen[i], g))
            return true;
    return false;
}

/* The best of all moves by trying each, ties as arc_moves.h says. */
static void expect_pick(struct walk *w)
{
    struct bestdag_move best = {.gain = BESTDAG_NO_GAIN};
    int64_t now = score_of(&w->b, &w->g);
    for (int v = 0; v < w->g.n; v++)
        for (int u = 0; u < w->g.n; u++)
            for (int k = BESTDAG_ADD; k <= BESTDAG_TURN; k++) {
                struct small to = moved(&w->g, u, v, k);
                if (!can_move(&w->b, &w->g, u, v, k) || is_seen(w, &to) ||
                    !is_likely(w, v, u))
                    continue;
                int64_t gain = score_of(&w->b, &to) - now;
                if (!best.kind || gain > best.gain)
                    best = (struct bestdag_move){gain, u, v, k};
            }
    struct bestdag_move picked = bestdag_arc_moves_pick(w->moves);
    assert_int_equal(picked.kind, best.kind);
    if (!best.kind)
        return;
    assert_int_equal(picked.gain, best.gain);
    assert_int_equal(picked.to, best.to);
    assert_int_equal(picked.from, best.from);
}

static void step(struct walk *w, const struct bestdag_move *move)
{
    int child[2];
    if (w->tabu) {
        w->seen[w->next] = w->g;
        w->next = (w->next + 1) % w->tabu;
        w->used += w->used < w->tabu;
    }
    w->g = moved(&w->g, move->from, move->to, move->kind);
    int count = bestdag_arc_moves_make(w->moves, move, child);
    assert_int_equal(bestdag_arc_gains_renew(w->gains, child, count), 0);
}

/* A random legal move; false: the draw was none. */
static bool random_step(struct walk *w, struct bestdag_random *random)
{
    struct bestdag_move move = {
        .from = (int)bestdag_random_below(random, (uint64_t)w->g.n),
        .to = (int)bestdag_random_below(random, (uint64_t)w->g.n),
        .kind = BESTDAG_ADD + (int)bestdag_random_below(random, 3)};
    bool legal = can_move(&w->b, &w->g, move.from, move.to, move.kind);
    if (w->b.scorer->states[move.from] > 1 && w->b.scorer->states[move.to] > 1)
        assert_int_equal(bestdag_arc_moves_is_legal(w->moves, &move), legal);
    if (legal)
        step(w, &move);
    return legal;
}

static void gains_and_moves_are_right_along_random_walks(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 80; seed++) {
        struct random_table how = {.seed = seed,
                                   .columns = 2 + (int)(seed % 4),
                                   .most = 4,
                                   .constant = seed % 3 == 0,
                                   .weights = seed % 5 ? 0 : 3};
        struct bestdag_random random = bestdag_random_init(seed, 1);
        struct walk w;
        print_message("seed %d, %s\n", (int)seed, scores[seed % SCORES]);
        open_walk(&w, how, scores[seed % SCORES], (int)(seed % 6) - 1,
                  (int)(seed % 7), seed > 40 ? 1 + (int)(seed % 2) : 0);
        for (int i = 0; i < 60; i++) {
            expect_gains(&w);
            expect_pick(&w);
            struct bestdag_move move = bestdag_arc_moves_pick(w.moves);
            if (i % 3 == 0 && move.kind)
                step(&w, &move);
            else
                random_step(&w, &random);
        }
        close_walk(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gains_and_moves_are_right_along_random_walks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
