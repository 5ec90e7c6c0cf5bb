/* SPDX-License-Identifier: MIT */
/* equivalence.c -- what restricted and cached tests of validity save.
 *
 *     build/bench/equivalence ways TABLE [ROUNDS]
 *     build/bench/equivalence walk TABLE [FULL]
 *
 * ways: acoe with the parameters of Daly and Shen (2007), BDeu, on one thread:
 * once to fill the cache of scores, then by full, restricted and cached tests,
 * all from the same seed and so through the same classes. Seconds of processor
 * time and tests made; with BESTDAG_COURSE=FILE also a CSV of seconds against
 * rounds.
 *
 * walk: a greedy walk from the class without arcs, with a warm cache of scores;
 * its turns, and how its time goes: validity, gains, turns made. For the first
 * FULL turns (default: all) the rows are also found by full tests. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "search/classes/class_state.h"

struct bench {
    struct bestdag_run *run;
    struct bestdag_options *options;
    struct bestdag_table *table;
    struct bestdag_scorer *scorer;
    struct bestdag_shared_scores shared_scores;
    FILE *course;
    const char *way;
    double begun;
};

static void end(const struct bench *b)
{
    fprintf(stderr, "equivalence: %s\n", bestdag_run_error(b->run));
    exit(1);
}

static void open_table(struct bench *b, const char *path)
{
    b->run = bestdag_run_new();
    b->options = bestdag_options_new(b->run);
    bestdag_run_set(b->run, "threads", "1");
    bestdag_options_set(b->run, b->options, "score", "bdeu");
    b->table = bestdag_table_read(b->run, path, b->options);
    b->scorer =
        b->table ? bestdag_scorer_new(b->run, b->table, b->options) : NULL;
    if (!b->scorer ||
        bestdag_shared_scores_init(b->run, &b->shared_scores, b->scorer, -1))
        end(b);
}

static void close_table(struct bench *b)
{
    bestdag_shared_scores_release(&b->shared_scores);
    bestdag_scorer_free(b->scorer);
    bestdag_table_free(b->table);
    bestdag_options_free(b->options);
    bestdag_run_free(b->run);
}

/* ---- ways ------------------------------------------------------------------
 */

enum { ANTS = 5 };

/* Progress counts ants. */
static int note_course(void *user, const struct bestdag_progress *p)
{
    const struct bench *b = user;
    if (b->course && !p->note && !strcmp(p->phase, "acoe"))
        fprintf(b->course, "%s,%.1f,%.3f\n", b->way, (double)p->done / ANTS,
                cpu_seconds() - b->begun);
    return 0;
}

static double search(struct bench *b, const char *way, const char *rounds)
{
    struct bestdag_options *options = bestdag_options_new(b->run);
    struct bestdag_task task = {.run = b->run,
                                .solver = bestdag_solver_find("acoe"),
                                .options = options,
                                .scorer = b->scorer,
                                .n = b->scorer->n,
                                .max_parents = -1,
                                .shared_scores = &b->shared_scores};
    struct bestdag_outcome got;
    static const char *const paper[] = {"tstep=6", "ants=5", "rho=0.1",
                                        "q0=0.9",  "beta=3", "operators=six"};
    char text[64];
    for (size_t i = 0; i < sizeof paper / sizeof *paper; i++)
        bestdag_options_set(b->run, options, "set", paper[i]);
    snprintf(text, sizeof text, "validity=%s", way);
    bestdag_options_set(b->run, options, "set", text);
    snprintf(text, sizeof text, "tmax=%s", rounds);
    bestdag_options_set(b->run, options, "set", text);
    b->begun = cpu_seconds();
    if (bestdag_search(&task, &got))
        end(b);
    double seconds = cpu_seconds() - b->begun;
    bestdag_dag_free(got.dag);
    bestdag_options_free(options);
    return seconds;
}

static void compare_ways(const char *path, const char *rounds)
{
    static const char *const ways[] = {"full", "restricted", "cached"};
    const char *course = getenv("BESTDAG_COURSE");
    struct bench b = {0};
    double seconds[3];
    open_table(&b, path);
    double cold = search(&b, "cached", rounds);
    b.course = course ? fopen(course, "w") : NULL;
    if (b.course)
        fprintf(b.course, "validity,round,seconds\n");
    bestdag_run_on_progress(b.run, note_course, &b);
    for (int i = 0; i < 3; i++) {
        b.way = ways[i];
        seconds[i] = search(&b, ways[i], rounds);
    }
    if (b.course)
        fclose(b.course);
    printf("%d,%.3f,%.3f,%.3f,%.3f,%.2f,%.2f\n", b.scorer->n, cold, seconds[0],
           seconds[1], seconds[2], seconds[0] / seconds[1],
           seconds[0] / seconds[2]);
    close_table(&b);
}

/* ---- a walk ----------------------------------------------------------------
 */

struct times {
    double full, validity, gains, turns;
    int64_t full_tests, full_turns;
};

static double find_rows(struct bestdag_operator_tests *v,
                        const struct bestdag_equivalence_class *e)
{
    double start = cpu_seconds();
    for (int o = 0; o < BESTDAG_OPERATORS; o++)
        for (int x = 0; x < e->n; x++)
            bestdag_operator_tests_row(v, e, (enum bestdag_operator)o, x);
    return cpu_seconds() - start;
}

static bool walk_on(struct bestdag_class_state *w,
                    struct bestdag_operator_tests *full, int64_t most,
                    struct times *t)
{
    struct bestdag_operation turn;
    int64_t gain;
    if (w->moves < most) {
        t->full += find_rows(full, w->at);
        t->full_turns++;
    }
    t->validity += find_rows(w->validity, w->at);
    double start = cpu_seconds();
    bool is_there = bestdag_class_state_best(w, 0, &turn, &gain);
    t->gains += cpu_seconds() - start;
    start = cpu_seconds();
    if (is_there)
        bestdag_class_state_make(w, &turn, gain);
    t->turns += cpu_seconds() - start;
    return is_there && !bestdag_run_stopped(w->run);
}

static void walk(const char *path, int64_t most)
{
    struct bench b = {0};
    struct bestdag_class_state w = {0};
    struct times t = {0};
    open_table(&b, path);
    struct bestdag_operator_tests *full =
        bestdag_operator_tests_new(b.run, b.scorer->n, BESTDAG_FULL);
    if (!full ||
        bestdag_class_state_init(b.run, &w, &b.shared_scores, BESTDAG_CACHED) ||
        bestdag_class_state_place(&w, NULL))
        end(&b);
    double start = cpu_seconds();
    bestdag_class_state_climb(&w, NULL, NULL);
    double cold = cpu_seconds() - start;
    bestdag_class_state_release(&w);
    bestdag_class_state_init(b.run, &w, &b.shared_scores, BESTDAG_CACHED);
    bestdag_class_state_place(&w, NULL);
    while (walk_on(&w, full, most, &t))
        continue;
    double turns = (double)(w.moves ? w.moves : 1);
    double full_a_turn = t.full / (double)(t.full_turns ? t.full_turns : 1);
    printf("%d,%lld,%.2f,%.3f,%.3f,%.3f,%.0f,%.0f,%.1f,%.1f\n", b.scorer->n,
           (long long)w.moves, cold, 1e3 * t.validity / turns,
           1e3 * t.gains / turns, 1e3 * t.turns / turns,
           (double)full->made / (t.full > 0 ? t.full : 1),
           (double)w.validity->made / (t.validity > 0 ? t.validity : 1),
           full_a_turn / (t.validity / turns),
           ((double)full->made / (double)(t.full_turns ? t.full_turns : 1)) /
               ((double)w.validity->made / turns));
    bestdag_operator_tests_free(full);
    bestdag_class_state_release(&w);
    close_table(&b);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: equivalence ways|walk TABLE [N]\n");
        return 2;
    }
    if (!strcmp(argv[1], "ways"))
        compare_ways(argv[2], argc > 3 ? argv[3] : "100");
    else
        walk(argv[2], argc > 3 ? atoll(argv[3]) : INT64_MAX);
    return 0;
}
