/* SPDX-License-Identifier: MIT */
/* lists.c -- random score files (.jkl), and reading them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "claims.h"

const char *const feature_names[FEATURES] = {
    "huge", "order", "cross", "ancestor", "times", "memory", "no-empty"};

/* ---- drawing -------------------------------------------------------------
 */

enum flavour { PLAIN, TIES, TINY, LARGE, MIXED, FLAVOURS };

static double draw_score(enum flavour flavour, uint64_t *seed)
{
    double x = -100 * draw_unit(seed);
    switch (flavour) {
    case TIES:
        return -draw_below(seed, 4);
    case TINY:
        return draw_chance(seed, .5) ? x * 1e-12 : -1e-300;
    case LARGE:
        return x * pow(10, draw_below(seed, 7));
    case MIXED:
        return draw_chance(seed, .2) ? -pow(10, draw_between(seed, 8, 20)) : x;
    default:
        return x;
    }
}

static void draw_list(struct scores *to, int v, enum flavour flavour,
                      uint64_t *seed, double share)
{
    for (unsigned p = 1; p < 1u << to->n; p++)
        if (!(p >> v & 1) && draw_chance(seed, share)) {
            to->local[v][p] = draw_score(flavour, seed);
            if (draw_chance(seed, .02)) /* at times far above the others */
                to->local[v][p] += 1000;
        }
}

void lists_draw(struct scores *to, int n, const struct features *f,
                uint64_t *seed)
{
    enum flavour flavour = draw_below(seed, FLAVOURS);
    if (flavour >= LARGE && f->without[HUGE])
        flavour = PLAIN;
    double share = draw_unit(seed) * draw_unit(seed);
    int parts = draw_chance(seed, .2) ? 2 : 1; /* not connected */
    bool may_lack = !f->without[NO_EMPTY] && draw_chance(seed, .2);
    to->n = n;
    for (int v = 0; v < n; v++) {
        for (unsigned p = 0; p < SETS; p++)
            to->local[v][p] = -INFINITY;
        draw_list(to, v, flavour, seed, share);
        if (!may_lack || draw_chance(seed, .5))
            to->local[v][0] = draw_score(flavour, seed);
        for (unsigned p = 0; parts == 2 && p < 1u << n; p++)
            for (int u = 0; u < n; u++)
                if (p >> u & 1 && u % 2 != v % 2)
                    to->local[v][p] = -INFINITY;
    }
}

static void write_set(FILE *to, double score, unsigned p, int n)
{
    fprintf(to, "%.17g %d", score, __builtin_popcount(p));
    for (int u = 0; u < n; u++)
        if (p >> u & 1)
            fprintf(to, " %c", 'A' + u);
    fprintf(to, "\n");
}

void lists_write(const struct scores *s, const char *path, uint64_t *seed)
{
    FILE *to = fopen(path, "w");
    if (!to)
        abort();
    fprintf(to, "%d\n", s->n);
    for (int v = 0; v < s->n; v++) {
        unsigned all = 1u << s->n, turn = (unsigned)draw(seed) % all;
        int count = 0;
        for (unsigned p = 0; p < all; p++)
            count += s->local[v][p] > -INFINITY;
        fprintf(to, "%c %d\n", 'A' + v, count);
        for (unsigned i = 0; i < all; i++)
            if (s->local[v][i ^ turn] > -INFINITY)
                write_set(to, s->local[v][i ^ turn], i ^ turn, s->n);
    }
    fclose(to);
}

/* ---- reading -------------------------------------------------------------
 */

static bool read_set(FILE *from, struct scores *to, int v)
{
    char word[64];
    double score;
    int count;
    unsigned p = 0;
    if (fscanf(from, "%lf %d", &score, &count) != 2)
        return false;
    for (int i = 0; i < count; i++) {
        if (fscanf(from, "%63s", word) != 1 || word[1] || word[0] < 'A' ||
            word[0] >= 'A' + to->n)
            return false;
        p |= 1u << (word[0] - 'A');
    }
    to->local[v][p] = score;
    return true;
}

static bool read_lists(FILE *from, struct scores *to, int n)
{
    int variables, count;
    char word[64];
    if (fscanf(from, "%d", &variables) != 1 || variables != n)
        return false;
    to->n = n;
    for (int v = 0; v < n; v++) {
        for (unsigned p = 0; p < SETS; p++)
            to->local[v][p] = -INFINITY;
        if (fscanf(from, "%63s %d", word, &count) != 2 || word[0] != 'A' + v)
            return false;
        for (int i = 0; i < count; i++)
            if (!read_set(from, to, v))
                return false;
    }
    return true;
}

bool lists_read(struct scores *to, int n, const char *path)
{
    FILE *from = fopen(path, "r");
    if (!from)
        return false;
    bool fine = read_lists(from, to, n);
    fclose(from);
    return fine;
}
