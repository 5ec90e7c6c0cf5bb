/* SPDX-License-Identifier: MIT */
/* forging.h -- small random problems with an oracle of their own, and a judge:
 * whatever `verify` accepts must be true by brute force. Shares nothing with
 * src/verify but the public call. Only for test_forger.c. */
#ifndef BESTDAG_TESTS_FORGING_H
#define BESTDAG_TESTS_FORGING_H

#include "scratch.h"

#include <math.h>

#include "base/json.h"
#include "base/options.h"

enum { MOST = 10, SETS = 16 };

/* The variables are A, B, ...; a set of v is a mask of parents. */
struct problem {
    int n, count[MOST];
    unsigned set[MOST][SETS];
    double score[MOST][SETS];
    bool off[MOST][SETS];  /* a rule forbids it */
    unsigned before[MOST]; /* who must come before v */
    /* a rule across children, "a -> b or c -> d"; either[0] < 0: none */
    int either[4];
    bool hopeless; /* some scores are absurdly low */
};

static inline int below(struct bestdag_random *r, int n)
{
    return (int)bestdag_random_below(r, (uint64_t)n);
}

static inline bool one_in(struct bestdag_random *r, int n)
{
    return !below(r, n);
}

/* ---- problems ---------------------------------------------------------------
 */

/* How far a set may be from its variable's best, by kind of problem. */
static inline double draw_loss(struct bestdag_random *r, int kind)
{
    switch (kind) {
    case 0: /* few different ones: bounds are tight, costs are exact */
        return 0.25 * below(r, 9);
    case 1:
        return 20 * bestdag_random_unit(r);
    case 2: /* halves of a unit and less, for coarse and for fine units */
        return ldexp(below(r, 40), -21 - 6 * below(r, 3));
    case 3: /* about as much as a unit */
        return 1e-6 * below(r, 30) + 1e-9 * below(r, 100);
    default: /* so large that few bits are left behind the point */
        return 1000.5 * below(r, 12) + 0.125 * below(r, 50);
    }
}

static inline struct problem draw_problem(struct bestdag_random *r)
{
    struct problem p = {.n = 4 + below(r, one_in(r, 4) ? MOST - 3 : 4),
                        .either = {-1}};
    int kind = below(r, 5);
    double base = kind == 4 ? -1e12 : -100;
    bool empty = !one_in(r, 5); /* every variable can have no parents */
    p.hopeless = one_in(r, 4);
    for (int v = 0; v < p.n; v++) {
        p.count[v] = 1 + below(r, SETS - 1);
        for (int i = 0; i < p.count[v]; i++) {
            unsigned set = (unsigned)below(r, 1 << p.n) & ~(1u << v);
            set &= one_in(r, 2) ? (unsigned)below(r, 1 << p.n) : ~0u;
            p.set[v][i] = i || !empty ? set : 0;
            p.score[v][i] = base - draw_loss(r, kind);
            if (p.hopeless && p.count[v] > 1 && one_in(r, 8))
                p.score[v][i] = one_in(r, 2) ? -1e20 : -1e300;
        }
        if (empty) /* and would like not to */
            p.score[v][0] -= draw_loss(r, kind);
    }
    return p;
}

/* ---- the oracle -------------------------------------------------------------
 */

/* The best allowed set of v within S; -1: none. */
static inline int best_within(const struct problem *p, int v, unsigned S)
{
    int best = -1;
    for (int i = 0; i < p->count[v]; i++)
        if (!p->off[v][i] && !((p->set[v][i] | p->before[v]) & ~S) &&
            (best < 0 || p->score[v][i] > p->score[v][best]))
            best = i;
    return best;
}

/* Forbids the sets of a child that have one of these parents, or none. */
static inline void take_off(struct problem *p, int child, unsigned parents,
                            bool has)
{
    for (int i = 0; i < p->count[child]; i++)
        if (!!(p->set[child][i] & parents) == has)
            p->off[child][i] = true;
}

/* Over all orders, by subsets, without the rule across children. */
static inline long double optimum_of_orders(const struct problem *p,
                                            unsigned *parents)
{
    static long double total[1 << MOST];
    static int last[1 << MOST];
    unsigned all = (1u << p->n) - 1;
    for (unsigned S = 0; S <= all; S++) {
        total[S] = S ? -(long double)INFINITY : 0;
        for (int v = 0; v < p->n; v++) {
            unsigned rest = S & ~(1u << v);
            int i = rest == S ? -1 : best_within(p, v, rest);
            if (i < 0 || total[rest] + p->score[v][i] <= total[S])
                continue;
            total[S] = total[rest] + p->score[v][i];
            last[S] = v;
        }
    }
    for (unsigned S = all; S && total[all] > -(long double)INFINITY;) {
        int v = last[S];
        S &= ~(1u << v);
        parents[v] = p->set[v][best_within(p, v, S)];
    }
    return total[all];
}

/* The score of the best network, and its parents. -INFINITY: there is none. */
static inline long double optimum(const struct problem *p, unsigned *parents)
{
    const int *e = p->either;
    if (e[0] < 0)
        return optimum_of_orders(p, parents);
    struct problem one = *p, other = *p;
    unsigned others[MOST] = {0};
    take_off(&one, e[1], 1u << e[0], false);
    take_off(&other, e[3], 1u << e[2], false);
    long double x = optimum_of_orders(&one, parents);
    long double y = optimum_of_orders(&other, others);
    if (y > x)
        memcpy(parents, others, sizeof others);
    return y > x ? y : x;
}

/* Can variables be placed so that parents and who must come before come before?
 */
static inline bool is_acyclic(const struct problem *p, const unsigned *parents)
{
    unsigned placed = 0, all = (1u << p->n) - 1;
    for (bool more = true; more;) {
        more = false;
        for (int v = 0; v < p->n; v++)
            if (!(placed >> v & 1) && !((parents[v] | p->before[v]) & ~placed))
                placed |= 1u << v, more = true;
    }
    return placed == all;
}

/* The score of a network; NaN: it is not one of the problem's. */
static inline long double score_of(const struct problem *p,
                                   const unsigned *parents)
{
    long double sum = 0;
    const int *e = p->either;
    for (int v = 0; v < p->n; v++) {
        int best = -1;
        for (int i = 0; i < p->count[v]; i++)
            if (p->set[v][i] == parents[v] && !p->off[v][i] &&
                (best < 0 || p->score[v][i] > p->score[v][best]))
                best = i;
        if (best < 0)
            return (long double)NAN;
        sum += p->score[v][best];
    }
    if (e[0] >= 0 && !(parents[e[1]] >> e[0] & 1) &&
        !(parents[e[3]] >> e[2] & 1))
        return (long double)NAN;
    return is_acyclic(p, parents) ? sum : (long double)NAN;
}

/* ---- files ------------------------------------------------------------------
 */

struct scratch {
    struct bestdag_run *run;
    struct bestdag_options *options;
    const char *folder;
    char scores[128], net[128], cert[128], rules[128], beside[128], data[128];
    struct bestdag_random random;
    const struct problem *problem; /* what the score file says */
    unsigned parents[MOST];        /* what the network says */
    bool spoilt;                   /* the network file is of something else */
    long long proves;              /* "proves only"; -1: it was not said */
    int prefixes;                  /* that the last one accepted expanded */
    char reason[400];              /* the last refusal's */
    int answers[4];
};

enum answer { OPTIMAL, BOUNDED, REFUSED, UNREADABLE };

static inline struct scratch open_desk(uint64_t seed)
{
    struct scratch d = {.run = bestdag_run_new(), .folder = scratch_make()};
    d.options = bestdag_options_new(d.run);
    snprintf(d.scores, sizeof d.scores, "%s/a.jkl", d.folder);
    snprintf(d.net, sizeof d.net, "%s/a.csv", d.folder);
    snprintf(d.cert, sizeof d.cert, "%s/a.cert", d.folder);
    snprintf(d.rules, sizeof d.rules, "%s/a.rules", d.folder);
    snprintf(d.beside, sizeof d.beside, "%s/a.jkl.json", d.folder);
    snprintf(d.data, sizeof d.data, "%s/a.data.csv", d.folder);
    d.random = bestdag_random_init(seed, 16);
    return d;
}

static inline void close_desk(struct scratch *d)
{
    bestdag_options_free(d->options);
    scratch_files(d->folder, true);
    scratch_end(d->run);
}

static inline FILE *open_new(const char *path)
{
    unlink(path); /* to cut a file to nothing can mean to wait for the disk */
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    return f;
}

static inline void put_text(const char *path, const char *text, size_t n)
{
    FILE *f = open_new(path);
    assert_int_equal(fwrite(text, 1, n, f), n);
    fclose(f);
}

static inline void put_scores(struct scratch *d, const struct problem *p)
{
    FILE *f = open_new(d->scores);
    fprintf(f, "%d\n", p->n);
    for (int v = 0; v < p->n; v++) {
        fprintf(f, "%c %d\n", 'A' + v, p->count[v]);
        for (int i = 0; i < p->count[v]; i++) {
            fprintf(f, "%.17g %d", p->score[v][i],
                    __builtin_popcount(p->set[v][i]));
            for (int u = 0; u < p->n; u++)
                if (p->set[v][i] >> u & 1)
                    fprintf(f, " %c", 'A' + u);
            fprintf(f, "\n");
        }
    }
    fclose(f);
    d->problem = p;
}

static inline void put_network(struct scratch *d, int n,
                               const unsigned *parents)
{
    FILE *f = open_new(d->net);
    int first = below(&d->random, n); /* in another order than in the lists */
    fprintf(f, "from,to\n");
    for (int v = 0; v < n; v++)
        fprintf(f, "%c,\n", 'A' + (v + first) % n);
    for (int v = 0; v < n; v++)
        for (int u = 0; u < n; u++)
            if (parents[v] >> u & 1)
                fprintf(f, "%c,%c\n", 'A' + u, 'A' + v);
    fclose(f);
    memcpy(d->parents, parents, sizeof d->parents);
    d->spoilt = false;
}

/* ---- the judge --------------------------------------------------------------
 */

static inline double number_in(const struct bestdag_json *report,
                               const char *key)
{
    return bestdag_json_number(bestdag_json_get(report, key));
}

/* Prints the files that were accepted wrongly. */
static inline void show_files(const struct scratch *d)
{
    const char *paths[] = {d->scores, d->net,    d->cert,
                           d->rules,  d->beside, d->data};
    for (int i = 0; i < COUNT(paths); i++) {
        size_t n;
        if (access(paths[i], F_OK))
            continue;
        char *text = scratch_read(paths[i], &n);
        print_error("---- %s\n%s\n", paths[i], text);
        free(text);
    }
}

#define REQUIRE(d, truth, what)                                                \
    do                                                                         \
        if (!(truth)) {                                                        \
            show_files(d);                                                     \
            fail_msg("accepted although not: %s", what);                       \
        }                                                                      \
    while (0)

/* What was accepted, against the oracle. */
static inline void check_accepted(const struct scratch *d,
                                  const struct bestdag_json *report,
                                  bool optimal)
{
    const struct problem *p = d->problem;
    unsigned unused[MOST];
    long double best = optimum(p, unused), own = score_of(p, d->parents);
    long double noise = 0; /* of these sums */
    double score = number_in(report, "score");
    double bound = number_in(report, "bound");
    double least = fmax(5e-7, 1e-9 * p->n);
    double tolerance = fmax(least, fabs(score) * 0x1p-50);
    REQUIRE(d, !d->spoilt, "the network is over these variables");
    REQUIRE(d, !isnan(own), "a network that the lists and rules allow");
    noise = ldexpl(fabsl(own) + fabsl(best), -58);
    REQUIRE(d, score <= own + noise, "the score is no more than it is");
    REQUIRE(d, score >= own - tolerance, "the score is what it is");
    REQUIRE(d, bound >= best - noise, "no network is above the bound");
    REQUIRE(d, bound >= score, "nor is this one");
    REQUIRE(d, number_in(report, "tolerance") <= tolerance,
            "the tolerance is what is documented");
    REQUIRE(d, optimal == (bound - score <= number_in(report, "tolerance")),
            "optimal: the bound is within the tolerance");
    REQUIRE(d, !optimal || own >= best - tolerance - noise,
            "an optimal network is optimal");
    double gap = optimal ? 0 : (bound - score) / fmax(1, fabs(score));
    REQUIRE(d, fabs(number_in(report, "gap") - gap) <= 1e-9 * fmax(1, gap),
            "the gap fits bound and score");
}

/* Whatever is accepted must be true. */
static inline enum answer ask(struct scratch *d)
{
    char *json = bestdag_verify(d->run, d->scores, d->net, d->cert, d->options);
    enum answer answer = UNREADABLE;
    d->proves = -1;
    if (!json) {
        int status = bestdag_run_status(d->run);
        unsigned unused[MOST];
        if (status != BESTDAG_INPUT && status != BESTDAG_INFEASIBLE)
            show_files(d);
        if (status == BESTDAG_INFEASIBLE)
            assert_true(isinf(optimum(d->problem, unused)));
        else /* a false proof of a true network is an internal error */
            assert_failed(d->run, BESTDAG_INPUT, "");
        bestdag_run_clear(d->run);
        d->answers[answer]++;
        return answer;
    }
    struct bestdag_json *report = bestdag_json_read(d->run, json);
    const char *status = bestdag_json_text(bestdag_json_get(report, "status"));
    const char *reason = bestdag_json_text(bestdag_json_get(report, "reason"));
    if (!strcmp(status, "refused")) {
        const char *at = reason ? strstr(reason, "proves only ") : NULL;
        answer = REFUSED;
        assert_non_null(reason);
        snprintf(d->reason, sizeof d->reason, "%s", reason ? reason : "");
        assert_true(isnan(number_in(report, "gap")));
        if (at)
            d->proves = atoll(at + strlen("proves only "));
    } else {
        answer = strcmp(status, "optimal") ? BOUNDED : OPTIMAL;
        check_accepted(d, report, answer == OPTIMAL);
        d->prefixes =
            (int)number_in(bestdag_json_get(report, "certificate"), "prefixes");
    }
    bestdag_json_free(report);
    bestdag_text_free(json);
    d->answers[answer]++;
    return answer;
}

#endif
