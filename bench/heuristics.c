/* SPDX-License-Identifier: MIT */
/* heuristics.c -- what heuristics know, and what they cost.
 *
 *     build/bench/heuristics SCORES.jkl[=OPTIMUM] ...
 *
 * For the largest component of each score file, a row a heuristic: patterns,
 * bytes, seconds of making it (and, for static ones, the sizes of the groups),
 * its value at the root in nats, and what share that is of the true cost if the
 * optimal score of the file is given; the mean value over the first 50,000 sets
 * that A* expands with the usual heuristic; nanoseconds of processor time a
 * successor, and whether it is consistent. */
#include <math.h>
#include <string.h>

#include "prefixes.h"

enum { PREFIXES = 50000, ROUNDS = 3 };

static const struct bestdag_heuristic_plan PLANS[] = {
    {.name = "simple"},
    {.name = "dynamic", .k = 2},
    {.name = "dynamic", .k = 3},
    {.name = "dynamic", .k = 4},
    {.name = "static", .groups = 2, .grouping = "halves"},
    {.name = "static", .groups = 3, .grouping = "halves"},
    {.name = "static", .groups = 2, .grouping = "components"},
    {.name = "static", .groups = 3, .grouping = "components"},
    {.name = "static", .grouping = "components"},
};

enum { COUNT = sizeof PLANS / sizeof *PLANS };

/* The same variables under the numbers of another plan. */
static uint64_t translate(const int *from, const int *to, int n, uint64_t set)
{
    uint64_t result = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            if (from[i] == to[k])
                result |= (set >> i & 1) << k;
    return result;
}

struct figures {
    double mean;        /* value */
    double nanoseconds; /* a successor */
    int64_t sum;        /* of some values, so that they are needed */
};

static struct figures measure(const struct bench *b, const uint64_t *set,
                              int count)
{
    struct figures f = {.nanoseconds = INFINITY};
    int64_t asked = 0, h[64];
    for (int i = 0; i < count; i++)
        f.mean +=
            (double)bestdag_heuristic_value(b->heuristics, &set[i]) / count;
    for (int round = 0; round < ROUNDS; round++) {
        double start = cpu_seconds();
        asked = 0;
        for (int i = 0; i < count; i++) {
            int next[64], size = 0;
            for (uint64_t left = bench_all(b) & ~set[i]; left; left &= left - 1)
                next[size++] = __builtin_ctzll(left);
            bestdag_heuristic_after(b->heuristics, &set[i], next, size, h);
            f.sum += h[0];
            asked += size;
        }
        double seconds = cpu_seconds() - start;
        f.nanoseconds = fmin(f.nanoseconds, 1e9 * seconds / (double)asked);
    }
    return f;
}

static void name_plan(const struct bestdag_heuristic_plan *p,
                      const struct bestdag_grouping *g, char to[96])
{
    int at = snprintf(to, 96, "%s", p->name);
    if (p->k)
        snprintf(to + at, 96 - (size_t)at, " %d", p->k);
    if (!p->grouping)
        return;
    at += snprintf(to + at, 96 - (size_t)at, " %s%s",
                   p->groups ? "" : "(chosen) ", p->grouping);
    for (int i = 0; i < g->groups && at < 90; i++)
        at += snprintf(to + at, 96 - (size_t)at, "%c%d", i ? '-' : ' ',
                       g->size[i]);
}

static void compare_plans(struct bench *b, double optimum)
{
    uint64_t *set = malloc(PREFIXES * sizeof *set);
    int order[64], n = b->at->n;
    double unit = ldexp(1, -b->problem->shift);
    if (!set)
        exit(1);
    int count = search_prefixes(b, set, PREFIXES);
    memcpy(order, b->grouping.order, (size_t)n * sizeof *order);
    printf("  %-32s %9s %10s %8s %10s %6s %10s %7s\n", "heuristic", "patterns",
           "bytes", "seconds", "root", "share", "mean", "ns");
    for (int i = 0; i < COUNT; i++) {
        char name[96];
        uint64_t none = 0;
        bench_plan(b, PLANS[i]);
        for (int k = 0; k < count; k++)
            set[k] = translate(order, b->grouping.order, n, set[k]);
        memcpy(order, b->grouping.order, (size_t)n * sizeof *order);
        struct figures f = measure(b, set, count);
        name_plan(&PLANS[i], &b->grouping, name);
        double root =
            unit * (double)bestdag_heuristic_value(b->heuristics, &none);
        printf("  %-32s %9lld %10lld %8.4f %10.2f %5.1f%% %10.2f %7.1f%s\n",
               name, (long long)b->heuristics->patterns,
               (long long)b->heuristics->bytes, b->heuristic_seconds, root,
               100 * root / (b->problem->best - optimum), unit * f.mean,
               f.nanoseconds,
               b->heuristics->is_consistent ? "" : " not consistent");
    }
    free(set);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char *given = strchr(argv[i], '=');
        double optimum = given ? atof(given + 1) : NAN;
        if (given)
            *given = '\0';
        struct bench b = bench_open(argv[i]);
        printf("%s: %d variables, %d of them together\n", argv[i], b.sets->n,
               b.at->n);
        compare_plans(&b, optimum);
        bench_close(&b);
    }
    return 0;
}
