/* SPDX-License-Identifier: MIT */
/* test_hc.c -- hill climbing against brute force: the gains along random walks,
 * the best move, the best network. */
#include "smallgraphs.h"

#include <math.h>
#include <unistd.h>

#include "randomtable.h"
#include "search/moves.h"
#include "search/solver.h"

enum { MOST = 5 };

static const char *const scores[] = {"score=bic",
                                     "score=aic",
                                     "score=ll",
                                     "score=k2",
                                     "score=bdeu",
                                     "score=bdeu ess=30",
                                     "score=mit",
                                     "score=bd pseudo=.3",
                                     "score=bde ess=2 prior=",
                                     "score=bic structure-prior=arcs:2.5"};
enum { SCORES = sizeof scores / sizeof *scores };

/* ---- a bench: a table, its scores, all families ---------------------------
 */

struct bench {
    struct bestdag_run *run;
    struct bestdag_table *table;
    struct bestdag_options *options;
    struct bestdag_scorer *scorer;
    struct bestdag_task task;
    int64_t family[MOST][1 << MOST]; /* by child and mask of parents */
};

/* "key=value key=value"; those of the solver as "set:key=value". */
static void set_options(struct bench *b, const char *settings)
{
    char copy[256], *save = NULL;
    snprintf(copy, sizeof copy, "%s", settings ? settings : "");
    for (char *word = strtok_r(copy, " ", &save); word;
         word = strtok_r(NULL, " ", &save)) {
        if (!strncmp(word, "set:", 4)) {
            bestdag_options_set(b->run, b->options, "set", word + 4);
            continue;
        }
        char *equals = strchr(word, '=');
        *equals = 0;
        bestdag_options_set(b->run, b->options, word, equals + 1);
    }
}

/* A network without arcs over the table, for bde. */
static void write_prior(struct bench *b, char *path, size_t room)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, room, "%s/test_hc_prior_%d.bif", folder ? folder : "/tmp",
             (int)getpid());
    struct bestdag_network *net = bestdag_network_new(b->run, b->table);
    struct bestdag_network *fitted =
        bestdag_network_fit(b->run, net, b->table, b->options);
    bestdag_network_write(b->run, fitted, path);
    bestdag_network_free(net);
    bestdag_network_free(fitted);
}

static void open_bench(struct bench *b, struct random_table how,
                       const char *settings)
{
    char text[512], path[256] = "";
    size_t length = settings ? strlen(settings) : 0;
    *b = (struct bench){.run = bestdag_run_new()};
    b->table = random_table(b->run, how);
    b->options = bestdag_options_new(b->run);
    if (length && !strcmp(settings + length - 6, "prior="))
        write_prior(b, path, sizeof path);
    snprintf(text, sizeof text, "%s%s", settings ? settings : "", path);
    set_options(b, text);
    b->scorer = bestdag_scorer_new(b->run, b->table, b->options);
    if (*path)
        remove(path);
    assert_string_equal(bestdag_run_error(b->run), "");
    b->task = (struct bestdag_task){.run = b->run,
                                    .solver = bestdag_solver_find("hc"),
                                    .options = b->options,
                                    .scorer = b->scorer,
                                    .n = how.columns,
                                    .max_parents = -1};
}

static void close_bench(struct bench *b)
{
    bestdag_scorer_free(b->scorer);
    bestdag_options_free(b->options);
    bestdag_table_free(b->table);
    assert_int_equal(bestdag_memory_used(b->run), 0);
    bestdag_run_free(b->run);
}

static int64_t fresh_score(struct bench *b, struct bestdag_desk *desk, int v,
                           uint32_t parents)
{
    int list[MOST_NODES], count = 0;
    struct bestdag_family family;
    for (int u = 0; u < b->task.n; u++)
        if (has(parents, u))
            list[count++] = u;
    assert_int_equal(
        bestdag_scorer_family(b->scorer, desk, v, list, count, &family), 0);
    return family.score;
}

/* Each with a desk of its own, so that no work is shared. */
static void score_all(struct bench *b)
{
    for (int v = 0; v < b->task.n; v++)
        for (uint32_t set = 0; set < (uint32_t)1 << b->task.n; set++) {
            struct bestdag_desk *desk = bestdag_desk_new(b->run, b->scorer);
            if (!has(set, v))
                b->family[v][set] = fresh_score(b, desk, v, set);
            bestdag_desk_free(desk);
        }
}

static int64_t score_of(const struct bench *b, const struct small *g)
{
    int64_t sum = 0;
    for (int v = 0; v < g->n; v++)
        sum += b->family[v][g->parents[v]];
    return sum;
}

static int count_bits(uint32_t set)
{
    return __builtin_popcount(set);
}

static bool is_allowed(const struct bench *b, const struct small *g)
{
    if (b->task.max_parents >= 0)
        for (int v = 0; v < g->n; v++)
            if (count_bits(g->parents[v]) > b->task.max_parents)
                return false;
    return acyclic(g);
}

static int64_t best_of_all(const struct bench *b)
{
    int64_t best = INT64_MIN;
    for (int code = 0; code < codes(b->task.n, 3); code++) {
        struct small g = decode(b->task.n, 3, code);
        if (is_allowed(b, &g) && score_of(b, &g) > best)
            best = score_of(b, &g);
    }
    return best;
}

/* All single moves, by the definition. */
static struct small moved(const struct small *g, int u, int v,
                          enum bestdag_move_kind kind)
{
    struct small to = *g;
    to.parents[v] ^= (uint32_t)1 << u;
    if (kind == BESTDAG_TURN)
        to.parents[u] ^= (uint32_t)1 << v;
    return to;
}

/* Can the move be made? Adding to or from a constant never is. */
static bool can_move(const struct bench *b, const struct small *g, int u, int v,
                     enum bestdag_move_kind kind)
{
    bool arc = has(g->parents[v], u);
    if (u == v || arc != (kind != BESTDAG_ADD))
        return false;
    if (kind != BESTDAG_DROP &&
        (b->scorer->states[u] < 2 || b->scorer->states[v] < 2))
        return false;
    struct small to = moved(g, u, v, kind);
    return is_allowed(b, &to);
}

/* ---- gains and moves along a random walk ----------------------------------
 */

struct walk {
    struct bench b;
    struct bestdag_closure *graph;
    struct bestdag_gains *gains;
    struct bestdag_moves *moves;
    struct small g, seen[8]; /* the graph; those that are tabu */
    int tabu, used, next;
};

static void open_walk(struct walk *w, struct random_table how,
                      const char *settings, int most, int tabu)
{
    open_bench(&w->b, how, settings);
    w->b.task.max_parents = most;
    score_all(&w->b);
    w->g = (struct small){.n = how.columns};
    w->tabu = tabu;
    w->used = w->next = 0;
    w->graph = bestdag_closure_new(w->b.run, how.columns);
    w->gains = bestdag_gains_new(w->b.run, w->b.scorer, w->graph, most);
    w->moves = bestdag_moves_new(w->b.run, w->graph, w->gains, tabu);
    int all[MOST];
    for (int v = 0; v < how.columns; v++)
        all[v] = v;
    assert_int_equal(bestdag_gains_renew(w->gains, all, how.columns), 0);
}

static void close_walk(struct walk *w)
{
    bestdag_moves_free(w->moves);
    bestdag_gains_free(w->gains);
    bestdag_closure_free(w->graph);
    close_bench(&w->b);
}

static void expect_gains(const struct walk *w)
{
    const struct bench *b = &w->b;
    for (int v = 0; v < w->g.n; v++) {
        uint32_t now = w->g.parents[v];
        assert_int_equal(bestdag_gains_score(w->gains, v), b->family[v][now]);
        for (int u = 0; u < w->g.n; u++) {
            uint32_t then = now ^ (uint32_t)1 << u;
            bool full = b->task.max_parents >= 0 &&
                        count_bits(then) > b->task.max_parents;
            bool constant = then > now && (b->scorer->states[u] < 2 ||
                                           b->scorer->states[v] < 2);
            if (u == v)
                continue;
            if (full || constant)
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

/* The best of all moves by trying each, ties as moves.h says. */
static void expect_pick(struct walk *w)
{
    struct bestdag_move best = {.gain = BESTDAG_NO_GAIN};
    int64_t now = score_of(&w->b, &w->g);
    for (int v = 0; v < w->g.n; v++)
        for (int u = 0; u < w->g.n; u++)
            for (int k = BESTDAG_ADD; k <= BESTDAG_TURN; k++) {
                struct small to = moved(&w->g, u, v, k);
                if (!can_move(&w->b, &w->g, u, v, k) || is_seen(w, &to))
                    continue;
                int64_t gain = score_of(&w->b, &to) - now;
                if (!best.kind || gain > best.gain)
                    best = (struct bestdag_move){gain, u, v, k};
            }
    struct bestdag_move picked = bestdag_moves_pick(w->moves);
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
    int count = bestdag_moves_make(w->moves, move, child);
    assert_int_equal(bestdag_gains_renew(w->gains, child, count), 0);
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
        assert_int_equal(bestdag_moves_is_legal(w->moves, &move), legal);
    if (legal)
        step(w, &move);
    return legal;
}

static void gains_and_moves_are_right_along_random_walks(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct random_table how = {.seed = seed,
                                   .columns = 2 + (int)(seed % 4),
                                   .most = 4,
                                   .constant = seed % 3 == 0,
                                   .weights = seed % 5 ? 0 : 3};
        struct bestdag_random random = bestdag_random_init(seed, 1);
        struct walk w;
        print_message("seed %d, %s\n", (int)seed, scores[seed % SCORES]);
        open_walk(&w, how, scores[seed % SCORES], (int)(seed % 6) - 1,
                  (int)(seed % 7));
        for (int i = 0; i < 60; i++) {
            expect_gains(&w);
            expect_pick(&w);
            struct bestdag_move move = bestdag_moves_pick(w.moves);
            if (i % 3 == 0 && move.kind)
                step(&w, &move);
            else
                random_step(&w, &random);
        }
        close_walk(&w);
    }
}

/* ---- the search -----------------------------------------------------------
 */

static struct bestdag_outcome search(struct bench *b)
{
    struct bestdag_outcome outcome;
    assert_int_equal(bestdag_search(&b->task, &outcome), BESTDAG_OK);
    assert_non_null(outcome.dag);
    return outcome;
}

static void expect_no_better_move(const struct bench *b, const struct small *g)
{
    for (int v = 0; v < g->n; v++)
        for (int u = 0; u < g->n; u++)
            for (int k = BESTDAG_ADD; k <= BESTDAG_TURN; k++)
                if (can_move(b, g, u, v, k)) {
                    struct small to = moved(g, u, v, k);
                    assert_true(score_of(b, &to) <= score_of(b, g));
                }
}

static void the_end_is_a_top_and_never_above_the_best(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "set:restarts=0", "set:restarts=3 set:perturb=2",
        "set:restarts=1 set:tabu=5", "set:steps=2000 set:tabu=1"};
    int reached = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct random_table how = {.seed = seed,
                                   .columns = 1 + (int)(seed % 5),
                                   .most = 3,
                                   .constant = seed % 4 == 0};
        struct bench b;
        print_message("seed %d, %s\n", (int)seed, scores[seed % SCORES]);
        open_bench(&b, how, scores[seed % SCORES]);
        b.task.max_parents = (int)(seed % 5) - 1;
        set_options(&b, settings[seed / SCORES % 4]);
        score_all(&b);
        struct bestdag_outcome outcome = search(&b);
        struct small g = of_dag(outcome.dag);
        assert_true(is_allowed(&b, &g));
        assert_true(score_of(&b, &g) <= best_of_all(&b));
        reached += score_of(&b, &g) == best_of_all(&b);
        expect_no_better_move(&b, &g);
        for (int v = 0; v < g.n; v++)
            if (b.scorer->states[v] < 2)
                for (int u = 0; u < g.n; u++)
                    assert_false(has(g.parents[v], u) || has(g.parents[u], v));
        assert_string_equal(outcome.status, "heuristic");
        assert_true(isnan(outcome.bound));
        bestdag_dag_free(outcome.dag);
        close_bench(&b);
    }
    print_message("%d of 40 reached the best of all\n", reached);
    assert_true(reached >= 20);
}

/* From the first top on, tabu search can only find better. */
static void tabu_goes_beyond_the_first_top(void **state)
{
    (void)state;
    int better = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct random_table how = {
            .seed = seed, .columns = 12, .most = 3, .rows = 150};
        struct bench b;
        print_message("seed %d\n", (int)seed);
        open_bench(&b, how, "score=aic set:restarts=0");
        struct bestdag_outcome plain = search(&b);
        set_options(&b, "set:tabu=5");
        struct bestdag_outcome tabu = search(&b);
        assert_true(tabu.score >= plain.score - 1e-9);
        assert_true(tabu.steps > plain.steps);
        better += tabu.score > plain.score + 1e-6;
        bestdag_dag_free(plain.dag);
        bestdag_dag_free(tabu.dag);
        close_bench(&b);
    }
    print_message("better in %d of 20\n", better);
    assert_true(better > 0);
}

/* One row: no arc changes the likelihood. */
static void arcs_that_gain_nothing_do_not_stay(void **state)
{
    (void)state;
    struct random_table how = {.seed = 1, .columns = 4, .most = 3, .rows = 1};
    struct bench b;
    open_bench(&b, how, "score=ll set:restarts=20 set:tabu=3");
    struct bestdag_outcome outcome = search(&b);
    assert_int_equal(bestdag_dag_arcs(outcome.dag), 0);
    bestdag_dag_free(outcome.dag);
    close_bench(&b);
}

static uint64_t hash_dag(const struct bestdag_dag *dag)
{
    uint64_t hash = 1;
    for (int v = 0; v < dag->n; v++)
        for (int i = 0; i < dag->parents[v].count; i++)
            hash =
                bestdag_mix(hash ^ ((uint64_t)v << 32 | dag->parents[v].at[i]));
    return hash;
}

/* So large that rows are scored by several threads, also one at a time. */
static void threads_do_not_show(void **state)
{
    (void)state;
    static const char *const threads[] = {"1", "2", "8"};
    struct random_table how = {
        .seed = 9, .columns = 36, .most = 3, .rows = 130000};
    uint64_t hash[3];
    double score[3];
    int64_t steps[3];
    for (int i = 0; i < 3; i++) {
        struct bench b;
        open_bench(&b, how, "set:restarts=2 set:tabu=3");
        bestdag_run_set(b.run, "threads", threads[i]);
        struct bestdag_outcome outcome = search(&b);
        hash[i] = hash_dag(outcome.dag);
        score[i] = outcome.score;
        steps[i] = outcome.steps;
        assert_int_equal(outcome.restarts, 2);
        bestdag_dag_free(outcome.dag);
        close_bench(&b);
    }
    for (int i = 1; i < 3; i++) {
        assert_true(hash[i] == hash[0]);
        assert_true(score[i] == score[0]);
        assert_int_equal(steps[i], steps[0]);
    }
}

static void seeds_and_steps_decide(void **state)
{
    (void)state;
    struct random_table how = {
        .seed = 4, .columns = 20, .most = 4, .rows = 300};
    int64_t last = 0;
    for (int i = 0; i < 6; i++) {
        struct bench b;
        open_bench(&b, how, NULL);
        set_options(&b, i % 2 ? "set:steps=4000" : "set:steps=1");
        bestdag_run_set(b.run, "seed", "7");
        struct bestdag_outcome outcome = search(&b);
        if (i % 2) {
            int64_t all = (int64_t)(hash_dag(outcome.dag) >> 1);
            assert_true(outcome.steps >= 4000);
            assert_true(outcome.steps < 4000 + 20 * 20);
            assert_true(i == 1 || all == last);
            last = all;
        } else {
            assert_int_equal(outcome.steps, 400); /* all rows, no move */
            assert_int_equal(bestdag_dag_arcs(outcome.dag), 0);
        }
        bestdag_dag_free(outcome.dag);
        close_bench(&b);
    }
}

static void without_a_limit_it_ends(void **state)
{
    (void)state;
    struct random_table how = {.seed = 4, .columns = 4, .most = 2, .rows = 50};
    struct bench b;
    open_bench(&b, how, NULL);
    struct bestdag_outcome outcome = search(&b);
    assert_true(outcome.steps >= 10 * 16 + 500000);
    assert_true(outcome.restarts > 0);
    bestdag_dag_free(outcome.dag);
    b.task.max_parents = 0; /* nothing can be moved: nor begun again */
    outcome = search(&b);
    assert_int_equal(outcome.restarts, 0);
    assert_int_equal(bestdag_dag_arcs(outcome.dag), 0);
    bestdag_dag_free(outcome.dag);
    close_bench(&b);
}

static void it_goes_on_from_the_start(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct random_table how = {
            .seed = seed, .columns = 5, .most = 3, .rows = 60};
        struct bestdag_random random = bestdag_random_init(seed, 2);
        struct small g = random_small(&random, 5, .5);
        struct bench b;
        print_message("seed %d\n", (int)seed);
        open_bench(&b, how, "set:restarts=0");
        score_all(&b);
        struct bestdag_dag *start = to_dag(b.run, &g);
        b.task.start = start;
        struct bestdag_outcome outcome = search(&b);
        struct small end = of_dag(outcome.dag);
        assert_true(score_of(&b, &end) >= score_of(&b, &g));
        expect_no_better_move(&b, &end);
        bestdag_dag_free(outcome.dag);
        set_options(&b, "set:steps=1");
        outcome = search(&b);
        end = of_dag(outcome.dag);
        assert_true(same(&end, &g)); /* no move was made */
        bestdag_dag_free(outcome.dag);
        bestdag_dag_free(start);
        close_bench(&b);
    }
}

static void wrong_starts_are_refused(void **state)
{
    (void)state;
    struct random_table how = {.seed = 1, .columns = 3, .most = 3, .rows = 30};
    struct small fork = {.n = 3, .parents = {0, 5}}, cycle = {.n = 3};
    struct bestdag_outcome outcome;
    struct bench b;
    cycle.parents[0] = 2;
    cycle.parents[1] = 4;
    cycle.parents[2] = 1;
    open_bench(&b, how, NULL);
    struct bestdag_dag *two = to_dag(b.run, &fork);
    struct bestdag_dag *round = to_dag(b.run, &cycle);
    b.task.start = two;
    b.task.max_parents = 1;
    assert_int_equal(bestdag_search(&b.task, &outcome), BESTDAG_USAGE);
    assert_string_equal(bestdag_run_error(b.run),
                        "the network to start from gives 'V2' 2 parents, "
                        "max-parents is 1");
    assert_null(outcome.dag);
    bestdag_run_clear(b.run);
    b.task.start = round;
    assert_int_equal(bestdag_search(&b.task, &outcome), BESTDAG_INPUT);
    assert_string_equal(bestdag_run_error(b.run),
                        "the network to start from has a cycle");
    bestdag_run_clear(b.run);
    bestdag_dag_free(two);
    bestdag_dag_free(round);
    close_bench(&b);
}

/* An arc costs more than the likelihood of all data can pay. */
static void a_hopeless_start_loses_its_arcs(void **state)
{
    (void)state;
    struct random_table how = {.seed = 1, .columns = 3, .most = 3, .rows = 30};
    struct small fork = {.n = 3, .parents = {0, 5}};
    struct bench b;
    open_bench(&b, how, "structure-prior=arcs:1e9 set:restarts=5 set:tabu=4");
    struct bestdag_dag *start = to_dag(b.run, &fork);
    b.task.start = start;
    struct bestdag_outcome outcome = search(&b);
    assert_int_equal(bestdag_dag_arcs(outcome.dag), 0);
    bestdag_dag_free(outcome.dag);
    bestdag_dag_free(start);
    close_bench(&b);
}

static void stopped_at_once_it_gives_the_start(void **state)
{
    (void)state;
    struct random_table how = {.seed = 1, .columns = 4, .most = 3, .rows = 30};
    struct small g = {.n = 4, .parents = {0, 1, 3, 0}};
    for (int with = 0; with < 2; with++) {
        struct bench b;
        open_bench(&b, how, NULL);
        struct bestdag_dag *start = to_dag(b.run, &g);
        b.task.start = with ? start : NULL;
        bestdag_run_stop(b.run);
        struct bestdag_outcome outcome = search(&b);
        struct small end = of_dag(outcome.dag);
        assert_int_equal(bestdag_dag_arcs(outcome.dag), with ? 3 : 0);
        assert_true(!with || same(&end, &g));
        assert_string_equal(outcome.status, "interrupted");
        bestdag_dag_free(outcome.dag);
        bestdag_dag_free(start);
        close_bench(&b);
    }
}

struct brake {
    int64_t after; /* families */
    double best;   /* last told */
    int told;
};

static int brake(void *user, const struct bestdag_progress *now)
{
    struct brake *b = user;
    if (now->best > b->best) { /* not before there is one */
        b->told++;
        b->best = now->best;
    }
    return now->done >= b->after;
}

static void stopped_midway_it_gives_the_best_so_far(void **state)
{
    (void)state;
    struct random_table how = {
        .seed = 2, .columns = 30, .most = 3, .rows = 2000};
    struct brake user = {.after = 1500, .best = -INFINITY};
    struct bench b;
    open_bench(&b, how, "set:steps=1000000000");
    bestdag_run_set(b.run, "threads", "1");
    bestdag_run_on_progress(b.run, brake, &user);
    struct bestdag_outcome outcome = search(&b);
    assert_string_equal(outcome.status, "interrupted");
    assert_true(bestdag_dag_arcs(outcome.dag) > 0);
    assert_true(user.told > 0);
    assert_true(outcome.score >= user.best - 1e-6);
    bestdag_dag_free(outcome.dag);
    close_bench(&b);
    open_bench(&b, how, NULL);
    bestdag_run_set(b.run, "time-limit", "50ms");
    outcome = search(&b);
    assert_string_equal(outcome.status, "stopped");
    bestdag_dag_free(outcome.dag);
    close_bench(&b);
}

static void what_cannot_fit_is_said_beforehand(void **state)
{
    (void)state;
    struct random_table how = {
        .seed = 2, .columns = 400, .most = 2, .rows = 10};
    struct bestdag_outcome outcome;
    struct bench b;
    char limit[32];
    open_bench(&b, how, NULL);
    snprintf(limit, sizeof limit, "%d",
             (int)bestdag_memory_used(b.run) + 1000000);
    bestdag_run_set(b.run, "memory-limit", limit);
    assert_int_equal(bestdag_search(&b.task, &outcome), BESTDAG_MEMORY);
    assert_non_null(strstr(bestdag_run_error(b.run), "hill climbing"));
    bestdag_run_clear(b.run);
    bestdag_run_set(b.run, "memory-limit", "20M");
    set_options(&b, "set:steps=200000");
    outcome = search(&b);
    assert_true(bestdag_memory_peak(b.run) <= 20 << 20);
    bestdag_dag_free(outcome.dag);
    close_bench(&b);
}

static void every_failed_allocation_is_survived(void **state)
{
    (void)state;
    static const struct random_table how[] = {
        {.seed = 3, .columns = 4, .most = 3, .rows = 40},
        {.seed = 3, .columns = 12, .most = 3, .rows = 60000}};
    static const int64_t last[] = {5000, 150};
    for (int k = 0; k < 2; k++) {
        struct bench b;
        open_bench(&b, how[k], "set:restarts=1");
        bestdag_run_set(b.run, "threads", "2");
        int64_t used = bestdag_memory_used(b.run);
        bool done = false;
        for (int64_t n = 1; n < last[k] && !done; n += k ? 7 : 1) {
            struct bestdag_outcome outcome;
            bestdag_memory_fail_at(b.run, n);
            int status = bestdag_search(&b.task, &outcome);
            done = !bestdag_memory_has_failed(b.run);
            assert_int_equal(status, done ? BESTDAG_OK : BESTDAG_MEMORY);
            bestdag_dag_free(outcome.dag);
            bestdag_memory_fail_at(b.run, 0);
            assert_int_equal(bestdag_memory_used(b.run), used);
            bestdag_run_clear(b.run);
        }
        assert_true(done || k);
        close_bench(&b);
    }
}

/* ---- known data -----------------------------------------------------------
 */

static void published_tables_reach_their_optima(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        double published, best;
    } known[] = {{"alarm.csv.gz", -220761.69, -218632.315680},
                 {"insurance.csv.gz", -266113.03, -264708.859751}};
    const char *data = getenv("BESTDAG_DATA");
    if (!data)
        skip();
    for (int i = 0; i < 2; i++) {
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_options *options = bestdag_options_new(run);
        char path[512];
        snprintf(path, sizeof path, "%s/samples/%s", data, known[i].file);
        struct bestdag_table *t = bestdag_table_read(run, path, NULL);
        bestdag_options_set(run, options, "solver", "hc");
        bestdag_options_set(run, options, "max-parents", "3");
        bestdag_options_set(run, options, "set", "steps=1000");
        struct bestdag_result *first = bestdag_learn(run, t, NULL, options);
        bestdag_options_set(run, options, "set", "steps=400000");
        struct bestdag_result *r = bestdag_learn(run, t, NULL, options);
        assert_string_equal(bestdag_run_error(run), "");
        assert_true(bestdag_result_number(r, "score") > known[i].published);
        assert_true(bestdag_result_number(r, "score") <= known[i].best + 1e-4);
        assert_true(bestdag_result_number(r, "score") >=
                    bestdag_result_number(first, "score"));
        print_message("%s: %.6f\n", known[i].file,
                      bestdag_result_number(r, "score"));
        bestdag_result_free(first);
        bestdag_result_free(r);
        bestdag_table_free(t);
        bestdag_options_free(options);
        bestdag_run_free(run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gains_and_moves_are_right_along_random_walks),
        cmocka_unit_test(the_end_is_a_top_and_never_above_the_best),
        cmocka_unit_test(tabu_goes_beyond_the_first_top),
        cmocka_unit_test(arcs_that_gain_nothing_do_not_stay),
        cmocka_unit_test(threads_do_not_show),
        cmocka_unit_test(seeds_and_steps_decide),
        cmocka_unit_test(without_a_limit_it_ends),
        cmocka_unit_test(it_goes_on_from_the_start),
        cmocka_unit_test(wrong_starts_are_refused),
        cmocka_unit_test(a_hopeless_start_loses_its_arcs),
        cmocka_unit_test(stopped_at_once_it_gives_the_start),
        cmocka_unit_test(stopped_midway_it_gives_the_best_so_far),
        cmocka_unit_test(what_cannot_fit_is_said_beforehand),
        cmocka_unit_test(every_failed_allocation_is_survived),
        cmocka_unit_test(published_tables_reach_their_optima),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
