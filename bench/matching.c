/* SPDX-License-Identifier: MIT */
/* matching.c -- what the greedy choice of dynamic patterns loses, for k = 2.
 *
 *     build/bench/matching SCORES.jkl ...
 *
 * Patterns of two that share no variable are a matching, and the best choice is
 * one of greatest weight. It is found by branching on the variable with the
 * lowest number: alone, or with one of its partners; what is left is at most
 * half of what the best partner of each would give. Over random sets of the
 * largest component: the values of the greedy and of the best choice, their
 * mean and greatest difference in nats, and how often they differ. On sets of
 * up to 12 missing ones both are checked against all matchings. */
#include <math.h>

#include "prefixes.h"

enum { SETS = 20000, CHECKED = 12 };

struct matching {
    int n;
    int64_t delta[64][64]; /* of a pattern */
    int64_t best;
    int64_t steps;
};

/* What a pair costs more than its two do alone: c({u, v}) less both. */
static void find_deltas(const struct bench *b, struct matching *m)
{
    m->n = b->at->n;
    for (int v = 0; v < m->n; v++)
        for (int u = 0; u < v; u++) {
            uint64_t others =
                bench_all(b) & ~((uint64_t)1 << u) & ~((uint64_t)1 << v);
            int64_t a = bestdag_best_parents_best(b->lookup, v, &others) -
                        b->at->list[v].cost[0];
            int64_t c = bestdag_best_parents_best(b->lookup, u, &others) -
                        b->at->list[u].cost[0];
            m->delta[u][v] = m->delta[v][u] = a < c ? a : c;
        }
}

/* No matching of `left` has more. */
static int64_t bound(const struct matching *m, uint64_t left)
{
    int64_t sum = 0;
    for (uint64_t a = left; a; a &= a - 1) {
        int64_t most = 0;
        int v = __builtin_ctzll(a);
        for (uint64_t c = left & ~(a & -a); c; c &= c - 1) {
            int64_t delta = m->delta[v][__builtin_ctzll(c)];
            most = delta > most ? delta : most;
        }
        sum += most;
    }
    return sum / 2;
}

static void branch(struct matching *m, uint64_t left, int64_t sum)
{
    m->steps++;
    m->best = sum > m->best ? sum : m->best;
    if (!left || sum + bound(m, left) <= m->best)
        return;
    int v = __builtin_ctzll(left);
    uint64_t rest = left & (left - 1), partners = 0;
    for (uint64_t c = rest; c; c &= c - 1)
        if (m->delta[v][__builtin_ctzll(c)] > 0)
            partners |= c & -c;
    while (partners) { /* the heaviest first */
        int u = __builtin_ctzll(partners);
        for (uint64_t c = partners; c; c &= c - 1)
            if (m->delta[v][__builtin_ctzll(c)] > m->delta[v][u])
                u = __builtin_ctzll(c);
        partners &= ~((uint64_t)1 << u);
        branch(m, rest & ~((uint64_t)1 << u), sum + m->delta[v][u]);
    }
    branch(m, rest, sum);
}

/* All matchings. */
static int64_t brute(const struct matching *m, uint64_t left)
{
    if (!left)
        return 0;
    int v = __builtin_ctzll(left);
    uint64_t rest = left & (left - 1);
    int64_t best = brute(m, rest);
    for (uint64_t c = rest; c; c &= c - 1) {
        int64_t sum =
            m->delta[v][__builtin_ctzll(c)] + brute(m, rest & ~(c & -c));
        best = sum > best ? sum : best;
    }
    return best;
}

static void compare(const struct bench *b, struct matching *m)
{
    uint64_t *set = malloc(SETS * sizeof *set);
    double unit = ldexp(1, -b->problem->shift), loss = 0, most = 0, mean = 0;
    int differ = 0;
    if (!set)
        exit(1);
    random_prefixes(b, set, SETS);
    set[0] = 0;
    for (int i = 0; i < SETS; i++) {
        uint64_t missing = bench_all(b) & ~set[i];
        int64_t alone = 0,
                greedy = bestdag_heuristic_value(b->heuristics, &set[i]);
        for (uint64_t left = missing; left; left &= left - 1)
            alone += b->at->list[__builtin_ctzll(left)].cost[0];
        m->best = 0;
        branch(m, missing, 0);
        if (alone + m->best < greedy ||
            (__builtin_popcountll(missing) <= CHECKED && i % 20 == 0 &&
             brute(m, missing) != m->best)) {
            fprintf(stderr, "the matching is not the best\n");
            exit(1);
        }
        double lost = unit * (double)(alone + m->best - greedy);
        if (!i)
            printf("  root: greedy %.3f, best %.3f\n", unit * (double)greedy,
                   unit * (double)(alone + m->best));
        mean += unit * (double)(alone + m->best) / SETS;
        loss += lost / SETS;
        most = fmax(most, lost);
        differ += lost > 0;
    }
    printf("  %d random sets: mean best %.3f, mean loss %.4f (%.2f %%), "
           "greatest loss %.3f, %.1f %% of the sets; %lld steps\n",
           SETS, mean, loss, 100 * loss / mean, most, 100.0 * differ / SETS,
           (long long)m->steps);
    free(set);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct bench b = bench_open(argv[i]);
        struct matching m = {0};
        bench_plan(&b,
                   (struct bestdag_heuristic_plan){.name = "dynamic", .k = 2});
        printf("%s: %d variables together, %lld patterns of two\n", argv[i],
               b.at->n, (long long)(b.heuristics->patterns - b.at->n));
        find_deltas(&b, &m);
        compare(&b, &m);
        bench_close(&b);
    }
    return 0;
}
