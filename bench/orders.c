/* SPDX-License-Identifier: MIT */
/* orders.c -- how searching over orders scales with the number of variables.
 *
 *     build/bench/orders [SETS]
 *
 * Made-up lists: every variable has SETS sets (default 100) of one to three
 * parents among its 60 neighbours in a line, with random scores. So a problem
 * of 10,000 variables is 100 times one of 100, and what a step costs should not
 * change but for the caches. For each n: bytes of the problem, seconds of the
 * first climb from a random order, then kicks of the search for two seconds
 * of processor time:
 * kicks, variables all of whose places were weighed, and look-ups per second.
 */
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "base/random.h"
#include "search/orders/order_state.h"

enum { REACH = 30, SECONDS = 2 };

static struct bestdag_sets *make_sets(struct bestdag_run *run, int n, int count)
{
    struct bestdag_random r = bestdag_random_init(1, (uint64_t)n);
    struct bestdag_sets *sets = bestdag_sets_new(run, n);
    struct bestdag_collector *c = bestdag_collector_new(run);
    for (int v = 0; v < n; v++) {
        bestdag_collector_add(c, NULL, 0, -101);
        for (int i = 0; i < count; i++) {
            int parents[3], size = 0;
            int wanted = 1 + (int)bestdag_random_below(&r, 3);
            int from = v > REACH ? v - REACH : 0;
            int to = v + REACH < n ? v + REACH : n - 1;
            for (int left = wanted; left > 0 && from <= to; left--) {
                from += (int)bestdag_random_below(
                    &r, (uint64_t)((to - from) / left + 1));
                if (from != v)
                    parents[size++] = from;
                from++;
            }
            bestdag_collector_add(c, parents, size,
                                  -100 + 30 * size +
                                      10 * bestdag_random_unit(&r));
        }
        sets->names[v] = bestdag_strdup(run, "x");
        bestdag_collector_finish(c, false, &sets->list[v]);
    }
    bestdag_collector_free(c);
    return sets;
}

static void shuffle(struct bestdag_random *r, int *order, int n)
{
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = (int)bestdag_random_below(r, (uint64_t)i + 1);
        int other = order[i];
        order[i] = order[j];
        order[j] = other;
    }
}

static int64_t kick(struct bestdag_order_state *p)
{
    int64_t kicks = 0;
    double end = cpu_seconds() + SECONDS;
    for (; kicks % 64 || cpu_seconds() < end; kicks++) {
        int v = (int)bestdag_random_below(&p->random, (uint64_t)p->problem->n);
        int64_t old = p->cost;
        if (p->choice[v])
            bestdag_order_state_block_move(
                p, v,
                (int)bestdag_random_below(&p->random, (uint64_t)p->choice[v]),
                kicks % 2);
        bestdag_order_state_insert_all(p);
        if (p->cost <= old)
            bestdag_order_state_keep(p);
        else
            bestdag_order_state_undo(p);
        if (kicks % 1000 == 0)
            bestdag_order_state_gather(p);
    }
    return kicks;
}

static void measure(int n, int count)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random r = bestdag_random_init(1, 0);
    struct bestdag_sets *sets = make_sets(run, n, count);
    int64_t before = bestdag_memory_used(run);
    double start = cpu_seconds();
    struct bestdag_problem *problem = bestdag_problem_new(run, sets);
    double posed = cpu_seconds() - start;
    int64_t bytes = bestdag_memory_used(run) - before;
    struct bestdag_order_state *p = bestdag_order_state_new(run, problem);
    int *order = bestdag_alloc(run, (size_t)n * sizeof *order);
    p->random = r;
    shuffle(&r, order, n);
    start = cpu_seconds();
    bestdag_order_state_set(p, order);
    bestdag_order_state_insert_all(p);
    bestdag_order_state_keep(p);
    double climbed = cpu_seconds() - start;
    int64_t looks = p->looks, steps = p->steps, kicks = kick(p);
    printf("| %d | %lld | %.0f + %.0f | %.2f | %.3f | %.0f | %.0f | %.1f |\n",
           n, (long long)bestdag_sets_total(sets), (double)before / 1e6,
           (double)bytes / 1e6, posed, climbed, (double)kicks / SECONDS / 1e3,
           (double)(p->looks - looks) / SECONDS / 1e3,
           (double)(p->steps - steps) / SECONDS / 1e6);
    fflush(stdout);
    bestdag_free(order);
    bestdag_order_state_free(p);
    bestdag_problem_free(problem);
    bestdag_sets_free(sets);
    bestdag_run_free(run);
}

int main(int count, char **arguments)
{
    static const int sizes[] = {100, 300, 1000, 3000, 10000};
    int sets = count > 1 ? atoi(arguments[1]) : 100;
    puts("| n | sets | MB of lists + problem | s to pose | s of the first "
         "climb | thousand kicks/s | thousand variables weighed/s | million "
         "look-ups/s |");
    puts("|---|---|---|---|---|---|---|---|");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        measure(sizes[i], sets);
    return 0;
}
