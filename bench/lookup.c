/* SPDX-License-Identifier: MIT */
/* lookup.c -- what a look-up of best(v, available) takes, in each form.
 *
 *     build/bench/lookup SCORES.jkl ...
 *
 * For the largest component of each score file: nanoseconds of processor time a
 * look-up, where the available ones are
 *
 *   random   random sets of all sizes
 *   search   the sets that A* expands first, at most 200,000
 *   fill     all but a subset of a group, as in a static pattern database
 *
 * and asked for every variable that is missing; the best of five rounds. Forms
 * that cannot be held, or would take more than 4 GB, are left out. Below, for
 * all variables of the file: scores in all layers of the full parent graphs, in
 * the largest layer, and unique ones (Yuan and Malone 2012, Figure 4). */
#include <math.h>

#include "prefixes.h"

enum { PREFIXES = 200000, KINDS = 3, ROUNDS = 5 };

static const char *const KIND[KINDS] = {"random", "search", "fill"};

struct questions {
    int count[KINDS];
    uint64_t *set[KINDS]; /* [PREFIXES] */
};

/* All but some of the first group. */
static void fill_prefixes(const struct bench *b, uint64_t *set, int count)
{
    struct bestdag_random r = bestdag_random_init(1, 3);
    uint64_t group = ~(uint64_t)0 >> (64 - b->grouping.size[0]);
    for (int i = 0; i < count; i++)
        set[i] = bench_all(b) & ~(bestdag_random_bits(&r) & group);
}

/* Asks for every variable that is missing; nanoseconds per answer. */
static double ask(const struct bench *b, const struct bestdag_best_parents *l,
                  const uint64_t *set, int count, int64_t *sum)
{
    int64_t asked = 0, total = 0;
    uint64_t all = bench_all(b);
    double start = cpu_seconds();
    for (int i = 0; i < count; i++)
        for (uint64_t left = all & ~set[i]; left; left &= left - 1) {
            total +=
                bestdag_best_parents_best(l, __builtin_ctzll(left), &set[i]) &
                0xffffffff;
            asked++;
        }
    *sum = total;
    return 1e9 * (cpu_seconds() - start) / (double)(asked ? asked : 1);
}

/* The best of several: others work on this machine, too. */
static double measure(const struct bench *b,
                      const struct bestdag_best_parents *l, const uint64_t *set,
                      int count, int64_t *sum)
{
    double best = INFINITY;
    for (int i = 0; i < ROUNDS; i++)
        best = fmin(best, ask(b, l, set, count, sum));
    return best;
}

static void compare_forms(struct bench *b, const struct questions *q)
{
    int64_t expected[KINDS] = {0};
    const struct bestdag_best_parents_form *f;
    printf("  %-6s %10s %12s %9s", "form", "entries", "bytes", "seconds");
    for (int k = 0; k < KINDS; k++)
        printf(" %8s ns", KIND[k]);
    printf("\n");
    for (int i = 0; (f = bestdag_best_parents_at(i)); i++) {
        double start = bestdag_seconds();
        struct bestdag_best_parents *l =
            bestdag_best_parents_new(b->run, b->at, f->name);
        double seconds = bestdag_seconds() - start;
        if (!l) {
            printf("  %-6s %s\n", f->name, bestdag_run_error(b->run));
            bestdag_run_clear(b->run);
            continue;
        }
        printf("  %-6s %10lld %12lld %9.4f", f->name, (long long)l->entries,
               (long long)l->bytes, seconds);
        for (int k = 0; k < KINDS; k++) {
            int64_t sum;
            printf(" %11.1f", measure(b, l, q->set[k], q->count[k], &sum));
            expected[k] = i ? expected[k] : sum;
            if (sum != expected[k])
                printf(" (differs)");
        }
        printf("\n");
        bestdag_best_parents_free(l);
    }
}

/* Scores of the full parent graphs of n variables; of one layer: of parents of
 * `size`. */
static double layer(int n, int size)
{
    return n * round(exp(lgamma(n) - lgamma(size + 1) - lgamma(n - size)));
}

int main(int argc, char **argv)
{
    struct questions q;
    for (int k = 0; k < KINDS; k++)
        if (!(q.set[k] = malloc(PREFIXES * sizeof *q.set[k])))
            return 1;
    for (int i = 1; i < argc; i++) {
        struct bench b = bench_open(argv[i]);
        int n = b.sets->n;
        bestdag_run_set(b.run, "memory-limit", "4G");
        random_prefixes(&b, q.set[0], PREFIXES);
        q.count[1] = search_prefixes(&b, q.set[1], PREFIXES);
        fill_prefixes(&b, q.set[2], PREFIXES);
        q.count[0] = q.count[2] = PREFIXES;
        printf("%s: %d variables, %d of them together; A* expands %d%s\n",
               argv[i], n, b.at->n, q.count[1],
               q.count[1] == PREFIXES ? " and more" : "");
        compare_forms(&b, &q);
        printf("  scores: %.6g in all layers, %.6g in the largest, %lld "
               "unique\n",
               n * ldexp(1, n - 1), layer(n, (n - 1) / 2),
               (long long)bestdag_sets_total(b.sets));
        bench_close(&b);
    }
    for (int k = 0; k < KINDS; k++)
        free(q.set[k]);
    return 0;
}
