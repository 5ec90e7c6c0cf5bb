/* SPDX-License-Identifier: MIT */
/* leaps.c -- all parent sets of a number that may be better than their subsets:
 * leaps and bounds (Furnival and Wilson 1974), for lists instead of one best
 * set.
 *
 * A node is a set P and a rest R of candidates that may still be added: it
 * stands for the sets between P and T = P + R. None of them has a likelihood
 * above that of T, and all but P have more parents than P; so if
 *
 *     LL(X | T) - penalty(|P| + 1) <= the best score of a subset of P
 *
 * all of them but P are dominated, and the node ends. Otherwise the node
 * branches on one candidate y: first with y (P + y, R - y), then without (P, R
 * - y). The candidate is the one whose removal from T loses most: then the
 * bound falls fast for all sets without it.
 *
 * For bge the residuals are those in R = T + S (bge.c), and a larger
 * determinant lowers the score: the bound uses the residual of X given T, the
 * determinant of P and the least factor by which each further parent multiplies
 * it (4, in docs/gaussian.md).
 *
 * With a limit on the parents, the sets that reach it have no supersets: they
 * are scored in one pass over the rest.
 *
 * A node has the covariances of X and the rest given P (S) and their inverse
 * (K): adding a parent sweeps S and removes a row from K, removing a candidate
 * removes a row from S and sweeps K. RSS given P + y and RSS given T are read
 * off. Time: O(|R|^2) per set; memory: 16 |R|^2 bytes per parent.
 *
 * S and K are only used for decisions, with a margin for rounding
 * (gaussian_ceiling.c); listed sets have the ordinary scores of their
 * families. */
#include "scores/leaps.h"

#include <math.h>
#include <string.h>

struct level {
    double volume; /* bge: ln |R_P| - k ln t, of P */
    double spread; /* bge: least that any of the rest adds to that */
    double *s, *k; /* own; [(rest + 1)^2]: X first */
    int *variable; /* owns; [rest + 1]; index 0: the child */
    int room;      /* of variables */
    int rest;
};

struct leap {
    const struct bestdag_scorer *scorer;
    const struct bestdag_gaussian_score *g;
    struct bestdag_least_squares *squares;
    const struct bestdag_family_search *search;
    struct level *level; /* owns; [candidates + 1] */
    int *set;            /* owns; [candidates]: P */
    double *row;         /* owns; [candidates + 1]: scratch */
    int64_t looked;
};

static int make_level(struct leap *l, struct level *v, int rest)
{
    size_t wide = (size_t)rest + 1;
    v->rest = rest;
    if (rest < v->room)
        return BESTDAG_OK;
    bestdag_free(v->s);
    bestdag_free(v->k);
    bestdag_free(v->variable);
    v->s = bestdag_alloc(l->squares->run, wide * wide * sizeof *v->s);
    v->k = bestdag_alloc(l->squares->run, wide * wide * sizeof *v->k);
    v->variable = bestdag_alloc(l->squares->run, wide * sizeof *v->variable);
    v->room = v->s && v->k && v->variable ? rest + 1 : 0;
    return v->room ? BESTDAG_OK : BESTDAG_MEMORY;
}

/* Copies the symmetric `from` without row and column y to `to`, which may be
 * the same. With `sweep`, y is swept out. */
static void without(const struct leap *l, const double *from, int wide, int y,
                    bool sweep, double *to)
{
    double *row = l->row, own = from[y * wide + y];
    memcpy(row, from + y * wide, (size_t)wide * sizeof *row);
    for (int i = 0; i < wide; i++) {
        double part = sweep ? row[i] / own : 0;
        if (i == y)
            continue;
        for (int j = 0; j < y; j++)
            *to++ = from[i * wide + j] - part * row[j];
        for (int j = y + 1; j < wide; j++)
            *to++ = from[i * wide + j] - part * row[j];
    }
}

/* Bounds for sets with between `least` and `most` parents: least residual of X,
 * and for bge least volume at `least` parents, which grows by at least `spread`
 * per additional parent. */
struct reach {
    double rss, volume, spread;
    int least, most;
};

static double likelihood_bound(const struct leap *l, const struct reach *a)
{
    const struct bestdag_scorer *s = l->scorer;
    const struct bestdag_moments *m = l->g->moments;
    int child = l->search->child;
    return bestdag_gaussian_score_likelihood(m->total, a->rss,
                                             m->exponent[child]) -
           s->weight * (a->least + 2.0) - s->arc_cost * a->least;
}

static double marginal_bound(const struct leap *l, const struct reach *a)
{
    const struct bestdag_scorer *s = l->scorer;
    const struct bestdag_gaussian_score *g = l->g;
    double ln_r =
        log(a->rss) + 2 * M_LN2 * g->moments->exponent[l->search->child];
    double best = -INFINITY;
    for (int k = a->least; k <= a->most; k++) {
        double rows = g->moments->total + g->iss_w - s->n + k + 1.0;
        double volume = a->volume + (k - a->least) * a->spread;
        best = fmax(best, g->marginal[k] - 0.5 * rows * ln_r -
                              0.5 * (volume + k * g->ln_t) - s->arc_cost * k);
    }
    return best;
}

/* An upper bound on the scores of these sets, in nats. */
static double bound(const struct leap *l, const struct reach *a)
{
    return l->g->margin +
           (l->g->spread ? marginal_bound(l, a) : likelihood_bound(l, a));
}

/* Can some of these sets score above `best`? */
static bool may_gain(const struct leap *l, const struct reach *a, int64_t best)
{
    return bound(l, a) * l->scorer->scale > (double)best;
}

/* The candidate without which T loses most. */
static int choose(const struct level *v)
{
    int wide = v->rest + 1, best = 1;
    double most = -1;
    for (int y = 1; y < wide; y++) {
        double loss = v->k[y] * v->k[y] / v->k[y * wide + y];
        if (loss > most) {
            most = loss;
            best = y;
        }
    }
    return best;
}

/* P + y; y is the last of l->set and in the rest of `v`. */
static struct reach with(const struct leap *l, const struct level *v, int count,
                         int y)
{
    int wide = v->rest + 1;
    double own = v->s[y * wide + y];
    struct reach a = {.rss = v->s[0] - v->s[y] * v->s[y] / own,
                      .least = count + 1,
                      .most = count + 1};
    if (l->g->spread)
        a.volume = v->volume + log(own / l->g->ridge[v->variable[y]]);
    return a;
}

/* Scores the set if it can exceed `best`, which then becomes its score. */
static int look(struct leap *l, const struct reach *a, int64_t *best)
{
    struct bestdag_family f;
    int count = a->least;
    l->looked++;
    if (!may_gain(l, a, *best))
        return BESTDAG_OK;
    if (l->scorer->type->families->family(l->scorer, l->squares,
                                          l->search->child, l->set, count, &f))
        return BESTDAG_MEMORY;
    if (f.score <= *best)
        return BESTDAG_OK;
    *best = f.score;
    return l->search->take(l->search->user, l->set, count, f.score);
}

/* The residual from which on a set of this size is dominated by `best`. */
static double most_residual(const struct leap *l, int count, int64_t best)
{
    struct reach one = {.rss = 1, .least = count, .most = count};
    double nats = (double)best / l->scorer->scale;
    if (l->g->spread) /* the volume matters as well */
        return INFINITY;
    return exp(2 * (bound(l, &one) - nats) / l->g->moments->total) * (1 + 1e-9);
}

/* Scores all sets P + y for y in the rest. */
static int look_at_all(struct leap *l, int count, int64_t best)
{
    const struct level *v = &l->level[count];
    double most = most_residual(l, count + 1, best);
    for (int y = 1; y <= v->rest; y++) {
        struct reach a = with(l, v, count, y);
        int64_t here = best;
        l->set[count] = v->variable[y];
        if (a.rss >= most)
            l->looked++;
        else if (look(l, &a, &here))
            return BESTDAG_MEMORY;
    }
    return BESTDAG_OK;
}

/* Makes the next level, with y, the last of the set, as a parent. */
static int make_next(struct leap *l, int count, int y, double volume)
{
    struct level *v = &l->level[count], *next = v + 1;
    int wide = v->rest + 1;
    if (make_level(l, next, v->rest - 1))
        return BESTDAG_MEMORY;
    next->volume = volume;
    next->spread = v->spread;
    without(l, v->s, wide, y, true, next->s);
    if (count + 2 < l->search->limit)
        without(l, v->k, wide, y, false, next->k);
    memcpy(next->variable, v->variable, (size_t)y * sizeof(int));
    memcpy(next->variable + y, v->variable + y + 1,
           (size_t)(wide - y - 1) * sizeof(int));
    return BESTDAG_OK;
}

/* Removes candidate y from the rest. */
static void leave_out(struct leap *l, struct level *v, int y)
{
    int wide = v->rest + 1;
    without(l, v->s, wide, y, false, v->s);
    without(l, v->k, wide, y, true, v->k);
    memmove(v->variable + y, v->variable + y + 1,
            (size_t)(wide - y - 1) * sizeof(int));
    v->rest--;
}

/* The sets with more parents than P, up to P + rest; k is an element of the
 * inverse: 1 / RSS given all of these. */
static struct reach beyond(const struct leap *l, const struct level *v,
                           int count, double k)
{
    int most = count + v->rest, limit = l->search->limit;
    return (struct reach){.rss = 1 / k,
                          .volume = v->volume + v->spread,
                          .spread = v->spread,
                          .least = count + 1,
                          .most = most < limit ? most : limit};
}

/* Visits the supersets of P, the first `count` of the set, within P + rest of
 * the level; some of them may not be dominated. */
static int leap(struct leap *l, int count, int64_t best)
{
    struct level *v = &l->level[count];
    if (count + 1 == l->search->limit)
        return look_at_all(l, count, best);
    while (v->rest && !l->search->must_end(l->search->user, l->looked)) {
        int wide = v->rest + 1, y = choose(v);
        struct reach a = with(l, v, count, y);
        double k = v->k[0] - v->k[y] * v->k[y] / v->k[y * wide + y];
        int64_t here = best;
        l->set[count] = v->variable[y];
        if (look(l, &a, &here))
            return BESTDAG_MEMORY;
        /* With y, only the least number of parents and the volume change. */
        struct reach more = beyond(l, v, count, v->k[0]);
        more.least++;
        more.volume = a.volume + v->spread;
        if (v->rest > 1 && may_gain(l, &more, here) &&
            (make_next(l, count, y, a.volume) || leap(l, count + 1, here)))
            return BESTDAG_MEMORY;
        more = beyond(l, v, count, k);
        more.most -= more.most > count + v->rest - 1;
        if (!may_gain(l, &more, best))
            return BESTDAG_OK;
        leave_out(l, v, y);
    }
    return BESTDAG_OK;
}

/* Inverts S into K by sweeping; S is symmetric positive definite. */
static void invert(const double *s, int wide, double *k)
{
    memcpy(k, s, (size_t)wide * (size_t)wide * sizeof *k);
    for (int y = 0; y < wide; y++) {
        double own = k[y * wide + y];
        for (int i = 0; i < wide; i++)
            for (int j = 0; j < wide && i != y; j++)
                if (j != y)
                    k[i * wide + j] -= k[i * wide + y] * k[y * wide + j] / own;
        for (int i = 0; i < wide; i++)
            if (i != y) {
                k[i * wide + y] /= own;
                k[y * wide + i] /= own;
            }
        k[y * wide + y] = -1 / own;
    }
    for (int i = 0; i < wide * wide; i++)
        k[i] = -k[i];
}

static int start(struct leap *l)
{
    const struct bestdag_family_search *a = l->search;
    struct level *v = l->level;
    if (make_level(l, v, a->candidates))
        return BESTDAG_MEMORY;
    v->variable[0] = a->child;
    for (int i = 0; i < a->candidates; i++)
        v->variable[i + 1] = a->candidate[i];
    for (int i = 0; i <= v->rest; i++)
        for (int j = 0; j <= v->rest; j++)
            v->s[i * (v->rest + 1) + j] =
                i == j
                    ? bestdag_least_squares_diagonal(l->squares, v->variable[i])
                    : bestdag_moments_cross(l->g->moments, v->variable[i],
                                            v->variable[j]);
    invert(v->s, v->rest + 1, v->k);
    v->volume = 0;
    v->spread = INFINITY;
    for (int i = 1; i <= v->rest && l->g->spread; i++)
        v->spread = fmin(v->spread, l->g->spread[v->variable[i]]);
    int64_t best = INT64_MIN;
    struct bestdag_family f;
    if (l->scorer->type->families->family(l->scorer, l->squares, a->child, NULL,
                                          0, &f))
        return BESTDAG_MEMORY;
    l->looked++;
    best = f.score;
    if (a->take(a->user, NULL, 0, best))
        return BESTDAG_MEMORY;
    if (a->limit < 1 || !v->rest)
        return BESTDAG_OK;
    struct reach all = beyond(l, v, 0, v->k[0]);
    return may_gain(l, &all, best) ? leap(l, 0, best) : BESTDAG_OK;
}

int bestdag_gaussian_score_list(const struct bestdag_scorer *scorer,
                                void *scratch,
                                const struct bestdag_family_search *search)
{
    struct leap l = {.scorer = scorer,
                     .g = scorer->own,
                     .squares = scratch,
                     .search = search};
    struct bestdag_run *run = l.squares->run;
    size_t n = (size_t)search->candidates + 2;
    l.level = bestdag_calloc(run, n, sizeof *l.level);
    l.set = bestdag_alloc(run, n * sizeof *l.set);
    l.row = bestdag_alloc(run, n * sizeof *l.row);
    int status = l.level && l.set && l.row ? start(&l) : BESTDAG_MEMORY;
    for (size_t i = 0; l.level && i < n; i++) {
        bestdag_free(l.level[i].s);
        bestdag_free(l.level[i].k);
        bestdag_free(l.level[i].variable);
    }
    bestdag_free(l.level);
    bestdag_free(l.set);
    bestdag_free(l.row);
    search->must_end(search->user, l.looked);
    return status;
}
