/* SPDX-License-Identifier: MIT */
/* forgeries.h -- networks, rules and certificates of all kinds for a problem:
 * good, weak, wrong, and such as break the format. Only for test_forger.c. */
#ifndef BESTDAG_TESTS_FORGERIES_H
#define BESTDAG_TESTS_FORGERIES_H

#include "forging.h"

#include <limits.h>

#include "base/text.h"

/* ---- what a forger knows ----------------------------------------------------
 */

/* A problem in units; the checker need not see it that way. */
static inline long long cost_of(const struct problem *p, int v, int i,
                                int shift)
{
    double best = -INFINITY;
    for (int k = 0; k < p->count[v]; k++)
        if (!p->off[v][k])
            best = fmax(best, p->score[v][k]);
    return llround(fmin(ldexp(best - p->score[v][i], shift), 0x1p50));
}

/* What networks cost at least, rounded costs being exact. */
static inline long long least_cost(const struct problem *p, int shift)
{
    static long long total[1 << MOST];
    unsigned all = (1u << p->n) - 1;
    for (unsigned S = 0; S <= all; S++) {
        total[S] = S ? INT64_MAX / 2 : 0;
        for (int v = 0; v < p->n; v++) {
            unsigned rest = S & ~(1u << v);
            int i = rest == S ? -1 : best_within(p, v, rest);
            long long sum = LLONG_MAX;
            if (i >= 0 &&
                !__builtin_add_overflow(total[rest], cost_of(p, v, i, shift),
                                        &sum) &&
                sum < total[S])
                total[S] = sum;
        }
    }
    return total[all];
}

static inline long long network_cost(const struct problem *p,
                                     const unsigned *parents, int shift)
{
    unsigned long long sum = 0; /* hopeless scores may wrap round */
    for (int v = 0; v < p->n; v++)
        for (int i = 0; i < p->count[v]; i++)
            if (p->set[v][i] == parents[v]) {
                sum += (unsigned long long)cost_of(p, v, i, shift);
                break;
            }
    return (long long)sum;
}

static inline int draw_shift(struct bestdag_random *r)
{
    static const int shifts[] = {20, 20, 24, 32, 32, 32, 40, 60};
    if (one_in(r, 40))
        return below(r, 2001) - 1000;
    if (one_in(r, 20))
        return below(r, 30) - 8;
    return shifts[below(r, COUNT(shifts))];
}

/* ---- networks ---------------------------------------------------------------
 */

/* The optimum, one near it, one of the lists, anything. */
static inline void draw_network(struct scratch *d, const struct problem *p)
{
    struct bestdag_random *r = &d->random;
    unsigned parents[MOST] = {0}, placed = 0, all = (1u << p->n) - 1;
    optimum(p, parents);
    switch (below(r, 10)) {
    case 2: /* another family somewhere; it may make a cycle */
        for (int k = 1 + below(r, 2), v; k > 0; k--) {
            v = below(r, p->n);
            parents[v] = p->set[v][below(r, p->count[v])];
        }
        break;
    case 3: /* the best sets in a random order */
        while (placed != all) {
            int v = below(r, p->n), i = best_within(p, v, placed);
            parents[v] = i < 0 ? 0 : p->set[v][i];
            placed |= 1u << v;
        }
        break;
    case 4: /* the best sets, whatever cycles they make */
        for (int v = 0; v < p->n; v++) {
            int i = best_within(p, v, all);
            parents[v] = i < 0 ? 0 : p->set[v][i];
        }
        break;
    case 5: /* names exchanged */
        for (int v = 0, u = below(r, p->n); v < p->n; v++) {
            unsigned a = parents[v] & 1, b = parents[v] >> u & 1;
            parents[v] &= ~(1u | 1u << u);
            parents[v] |= (a << u | b) & ~(1u << v);
        }
        break;
    default: /* the optimum */
        break;
    }
    put_network(d, p->n, parents);
    if (one_in(r, 50)) { /* over other variables */
        put_network(d, p->n - 1, parents);
        d->spoilt = true;
    }
}

/* ---- rules ------------------------------------------------------------------
 */

static inline void draw_rule(struct bestdag_random *r, struct problem *p,
                             FILE *f)
{
    int a = below(r, p->n), b = (a + 1 + below(r, p->n - 1)) % p->n;
    int c = below(r, p->n), e = (c + 1 + below(r, p->n - 1)) % p->n;
    int most = below(r, 3);
    switch (below(r, 7)) {
    case 0:
        fprintf(f, "order %c < %c\n", 'A' + a, 'A' + b);
        p->before[b] |= 1u << a;
        break;
    case 1:
        fprintf(f, "not %c -> %c\n", 'A' + a, 'A' + b);
        take_off(p, b, 1u << a, true);
        break;
    case 2:
        fprintf(f, "%c -> %c\n", 'A' + a, 'A' + b);
        take_off(p, b, 1u << a, false);
        p->before[b] |= 1u << a;
        break;
    case 3:
        fprintf(f, "indegree(%c) <= %d\n", 'A' + a, most);
        for (int i = 0; i < p->count[a]; i++)
            p->off[a][i] |= __builtin_popcount(p->set[a][i]) > most;
        break;
    case 4:
        fprintf(f, "not adjacent %c %c\n", 'A' + a, 'A' + b);
        take_off(p, b, 1u << a, true);
        take_off(p, a, 1u << b, true);
        break;
    case 5:
        fprintf(f, "tiers: %c | %c\n", 'A' + a, 'A' + b);
        take_off(p, a, 1u << b, true);
        break;
    default:
        if (p->either[0] >= 0)
            return;
        fprintf(f, "%c -> %c or %c -> %c\n", 'A' + a, 'A' + b, 'A' + c,
                'A' + e);
        memcpy(p->either, (int[]){a, b, c, e}, sizeof p->either);
    }
}

static inline void draw_rules(struct scratch *d, struct problem *p)
{
    bool wanted = one_in(&d->random, 4);
    FILE *f = open_new(d->rules);
    for (int k = 1 + below(&d->random, 3); wanted && k > 0; k--)
        draw_rule(&d->random, p, f);
    fprintf(f, "# that is all\n");
    fclose(f);
    /* as always: what must come before, must before what that is before */
    for (int k = 0; k < p->n; k++)
        for (int v = 0; v < p->n; v++)
            for (int u = 0; u < p->n; u++)
                if (p->before[v] >> u & 1)
                    p->before[v] |= p->before[u];
    for (int v = 0; v < p->n; v++) /* whoever comes before is no child */
        for (int u = 0; u < p->n; u++)
            if (p->before[v] >> u & 1)
                take_off(p, u, 1u << v, true);
}

/* ---- certificates -----------------------------------------------------------
 */

/* One way to break the format that would prove more, were it not noticed. */
enum trick { NONE, RANK, NEGATIVE, FOREIGN, TWICE, OVERLAP, TRICKS };

struct forge {
    struct bestdag_random *r;
    const struct problem *p;
    struct bestdag_buffer b;
    int shift;
    long long target; /* what is to be proved, true or not */
    enum trick trick;
    int foul; /* breaks the format once in this many times; 0: never */
};

static inline bool foul(struct forge *f)
{
    return f->foul && one_in(f->r, f->foul);
}

static inline bool plays(struct forge *f, enum trick trick)
{
    return f->trick == trick && one_in(f->r, 2);
}

/* Numbers that could hurt. */
static inline long long draw_odd(struct bestdag_random *r)
{
    static const long long odd[] = {0,
                                    -1,
                                    INT64_MAX,
                                    INT64_MIN + 1,
                                    (long long)1 << 61,
                                    (long long)1 << 62,
                                    -((long long)1 << 61),
                                    ((long long)1 << 61) - 1};
    return odd[below(r, COUNT(odd))];
}

/* A difference of two costs of a variable of `within`, more or less. */
static inline long long draw_multiplier(struct forge *f, unsigned within)
{
    const struct problem *p = f->p;
    int v;
    if (foul(f))
        return draw_odd(f->r);
    within &= (1u << p->n) - 1;
    do
        v = below(f->r, p->n);
    while (within && !(within >> v & 1));
    long long y = cost_of(p, v, below(f->r, p->count[v]), f->shift),
              z = cost_of(p, v, below(f->r, p->count[v]), f->shift);
    if (__builtin_sub_overflow(y, z, &y) || y == LLONG_MIN)
        y = LLONG_MAX / 4;
    y = (y < 0 ? -y : y) / (1 + below(f->r, 3));
    y += one_in(f->r, 6);
    y = y > 0 ? y : 1;
    return plays(f, NEGATIVE) ? -y : y;
}

static inline void add_members(struct forge *f, unsigned members)
{
    bestdag_buffer_format(&f->b, " %d", __builtin_popcount(members) + foul(f));
    for (int v = 0; v < MOST; v++)
        if (members >> v & 1)
            bestdag_buffer_format(&f->b, " %d",
                                  foul(f) ? below(f->r, f->p->n) : v);
}

struct drawn {
    unsigned members, class[3];
    int classes, few;
};

/* Classes of the cluster; how many there are, with those of one member. */
static inline int draw_classes(struct forge *f, struct drawn *c)
{
    int rank = __builtin_popcount(c->members);
    unsigned rest = c->members;
    while (c->classes < 3 && one_in(f->r, c->classes ? 2 : 4)) {
        bool is_loose = foul(f) || plays(f, OVERLAP);
        unsigned class = (unsigned)below(f->r, 1 << MOST);
        class &= is_loose ? (1u << f->p->n) - 1 : rest;
        if (__builtin_popcount(class) < 2 || (class == c->members && !foul(f)))
            break;
        c->class[c->classes++] = class;
        rank -= __builtin_popcount(class & rest) - 1;
        rest &= ~class;
    }
    return rank;
}

/* A cluster of `within`, which has two at least. */
static inline struct drawn draw_cluster(struct forge *f, unsigned within)
{
    struct drawn c = {0};
    do
        c.members = (unsigned)below(f->r, 1 << MOST) & within;
    while (__builtin_popcount(c.members) < 2);
    int rank = draw_classes(f, &c);
    if (plays(f, RANK))
        c.few =
            1 + below(f->r, __builtin_popcount(c.members) + one_in(f->r, 2));
    else if (foul(f))
        c.few = below(f->r, 2 * f->p->n);
    else
        c.few = one_in(f->r, 2) || rank < 3 ? 1 : 1 + below(f->r, rank - 1);
    return c;
}

static inline void add_multipliers(struct forge *f, unsigned within)
{
    unsigned all = (1u << f->p->n) - 1;
    int count = __builtin_popcount(within) < 2 ? 0 : below(f->r, 7);
    bestdag_buffer_format(&f->b, "multipliers %d\n", count);
    for (int k = 0; k < count; k++) {
        struct drawn c = draw_cluster(f, plays(f, FOREIGN) ? all : within);
        bestdag_buffer_format(&f->b, "%lld %d", draw_multiplier(f, c.members),
                              c.few);
        add_members(f, c.members);
        for (int i = 0; i < c.classes; i++)
            add_members(f, c.class[i]);
        bestdag_buffer_text(&f->b, "\n");
    }
}

/* Of a part of n variables, for any number of prefixes. */
static inline void add_expansion(struct forge *f, int n, long long cost)
{
    long long most = one_in(f->r, 4) ? below(f->r, 1 << n) : 1 << n;
    bestdag_buffer_format(&f->b, "expand %lld %lld\n",
                          foul(f) ? draw_odd(f->r) : most,
                          foul(f) ? draw_odd(f->r) : cost);
}

/* The rest, or as many that are not it. */
static inline unsigned second_part(struct forge *f, unsigned members,
                                   unsigned first)
{
    unsigned rest = members & ~first, other = rest;
    for (int k = 0; k < 200 && plays(f, TWICE); k++) {
        other = (unsigned)below(f->r, 1 << f->p->n);
        if (__builtin_popcount(other) == __builtin_popcount(rest))
            return other;
    }
    return rest;
}

static inline void add_part(struct forge *f, unsigned members, int depth)
{
    int n = __builtin_popcount(members);
    unsigned first = members & (unsigned)below(f->r, 1 << f->p->n);
    bestdag_buffer_text(&f->b, "part");
    add_members(f, members);
    bestdag_buffer_text(&f->b, "\n");
    for (int k = below(f->r, 4); k > 0; k--) {
        add_multipliers(f, members);
        if (one_in(f->r, 2))
            bestdag_buffer_format(
                &f->b, "delete %lld\n",
                (long long)((uint64_t)(f->target + below(f->r, 3) - 1) +
                            (uint64_t)draw_multiplier(f, 0) *
                                one_in(f->r, 4))); /* may wrap round */
    }
    switch (below(f->r, depth < 3 ? 4 : 3)) {
    case 0:
    case 1: /* of a part within others the whole target may be asked, too */
        add_expansion(f, n, depth && one_in(f->r, 2) ? 0 : f->target);
        break;
    case 2:
        break;
    default:
        add_part(f, first, depth + 1);
        add_part(f, second_part(f, members, first), depth + 1);
    }
    bestdag_buffer_text(&f->b, "end\n");
}

/* Writes the file with this claim; the buffer keeps all but that. */
static inline void put_claim(struct scratch *d, const struct forge *f,
                             long long claim)
{
    FILE *file = open_new(d->cert);
    fprintf(file,
            "bestdag certificate 1\nvariables %d\nshift %d\n%sclaim %lld\n",
            f->p->n, f->shift, f->b.at, claim);
    fclose(file);
}

#endif
