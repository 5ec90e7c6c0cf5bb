/* SPDX-License-Identifier: MIT */
/* gaussian_em.c -- regressions of a Gaussian network from a table of numbers
 * with missing values: the M-step, and expectation-maximisation.
 *
 * The best regressions for expected moments (Dempster, Laird, Rubin 1977): the
 * moments of a family are those of its columns with holes at their
 * expectations, plus the covariances of the holes. Sums over rows have a fixed
 * order (scores/moments.h). A residual variance below a fixed part of the
 * column's is raised to it. This bounds the likelihood and maximises it under
 * that constraint, so that it never falls, which an assert checks.
 *
 * Starts: the moments that a network without arcs expects; then random holes,
 * normal around their column's mean. */
#include "models/holes/gaussian_em.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/random_normal.h"
#include "models/fit_regression.h"
#include "network/regression.h"
#include "parallel/parallel.h"
#include "scores/moments.h"

/* ---- the M-step ---------------------------------------------------------- */

struct scratch {
    double *weighted;            /* owns; [count]; NULL: weights are 1 */
    double *mean, *cross, *term; /* own; of the largest family */
};

struct maximising {
    struct bestdag_run *run;
    struct bestdag_gaussian_em *em;
    struct bestdag_network *network;
    double *mean;            /* owns; [n] */
    bool *is_raised;         /* owns; [n] */
    struct scratch *scratch; /* owns */
};

static double mean_of(const struct bestdag_gaussian_em *em, int v)
{
    long double sum = 0;
    for (int64_t i = 0; i < em->count; i++)
        sum += (long double)em->value[v][i] * (em->weight ? em->weight[i] : 1);
    return (double)(sum / em->total);
}

/* Computes the expected, centred cross products. */
static void fill_cross(const struct maximising *m, struct scratch *s,
                       const int *member, int wide)
{
    const struct bestdag_gaussian_em *em = m->em;
    for (int i = 0; i < wide; i++) {
        int u = member[i];
        const double *x = em->value[u];
        for (int64_t r = 0; s->weighted && r < em->count; r++)
            s->weighted[r] = x[r] * em->weight[r];
        if (s->weighted)
            x = s->weighted;
        s->mean[i] = m->mean[u];
        for (int j = 0; j <= i; j++) {
            int t = member[j];
            long double sum =
                bestdag_moments_product(x, em->value[t], em->count);
            sum += ldexpl((long double)em->spread[bestdag_triangle(u, t)],
                          -BESTDAG_SPREAD_SHIFT);
            sum -= (long double)em->total * m->mean[u] * m->mean[t];
            s->cross[i * wide + j] = (double)sum;
        }
    }
}

/* Stores the regression in the units of the table. */
static void keep(const struct maximising *m, int v, const double *term,
                 double variance)
{
    const struct bestdag_gaussian_em *em = m->em;
    const struct bestdag_parents *p = &m->network->dag->parents[v];
    double *to = m->network->variable[v].regression;
    to[0] = em->centre[v] + ldexp(term[0], em->exponent[v]);
    for (int i = 0; i < p->count; i++) {
        int u = p->at[i];
        to[i + 1] = ldexp(term[i + 1], em->exponent[v] - em->exponent[u]);
        to[0] -= to[i + 1] * em->centre[u];
    }
    to[p->count + 1] =
        em->constant[v] ? 0 : ldexp(sqrt(variance), em->exponent[v]);
}

static int regress(void *data, int64_t item, int worker)
{
    struct maximising *m = data;
    struct scratch *s = &m->scratch[worker];
    int v = (int)item, *member;
    const struct bestdag_parents *p = &m->network->dag->parents[v];
    double floor = bestdag_gaussian_em_floor(m->em, v);
    member = bestdag_alloc(m->run, ((size_t)p->count + 1) * sizeof *member);
    if (!member)
        return BESTDAG_MEMORY;
    for (int i = 0; i < p->count; i++)
        member[i] = p->at[i];
    member[p->count] = v;
    fill_cross(m, s, member, p->count + 1);
    bestdag_free(member);
    double rss = bestdag_least_squares(s->mean, s->cross, p->count, s->term);
    if (isnan(rss))
        return bestdag_fail(m->run, BESTDAG_INPUT,
                            "the numbers of '%s' or of its parents are too "
                            "large for a regression",
                            m->network->variable[v].name);
    m->is_raised[v] = !m->em->constant[v] && rss / m->em->total < floor;
    keep(m, v, s->term, fmax(rss / m->em->total, floor));
    return BESTDAG_OK;
}

static int new_scratch(struct maximising *m, size_t wide, struct scratch *s)
{
    s->mean = bestdag_alloc(m->run, wide * sizeof *s->mean);
    s->cross = bestdag_alloc(m->run, wide * wide * sizeof *s->cross);
    s->term = bestdag_alloc(m->run, (wide + 1) * sizeof *s->term);
    if (m->em->weight)
        s->weighted = bestdag_alloc(m->run, ((size_t)m->em->count + 1) *
                                                sizeof *s->weighted);
    return bestdag_run_status(m->run);
}

static void release(struct maximising *m, int threads)
{
    for (int i = 0; m->scratch && i < threads; i++) {
        bestdag_free(m->scratch[i].weighted);
        bestdag_free(m->scratch[i].mean);
        bestdag_free(m->scratch[i].cross);
        bestdag_free(m->scratch[i].term);
    }
    bestdag_free(m->scratch);
    bestdag_free(m->mean);
    bestdag_free(m->is_raised);
}

int bestdag_gaussian_em_maximise(struct bestdag_run *run,
                                 struct bestdag_gaussian_em *em,
                                 struct bestdag_network *network, int *raised)
{
    int n = em->n, threads = bestdag_parallel_threads(run, n);
    size_t wide = (size_t)bestdag_match_widest(network->dag) + 1;
    struct maximising m = {.run = run, .em = em, .network = network};
    struct bestdag_work work = {
        .job = &m, .items = n, .work = regress, .to_the_end = true};
    m.mean = bestdag_alloc(run, ((size_t)n + 1) * sizeof *m.mean);
    m.is_raised = bestdag_calloc(run, (size_t)n + 1, sizeof *m.is_raised);
    m.scratch = bestdag_calloc(run, (size_t)threads, sizeof *m.scratch);
    for (int i = 0; m.scratch && i < threads; i++)
        if (new_scratch(&m, wide, &m.scratch[i]))
            break;
    for (int v = 0; !bestdag_run_status(run) && v < n; v++)
        m.mean[v] = mean_of(em, v);
    if (!bestdag_run_status(run))
        bestdag_parallel(run, &work, NULL);
    for (int v = 0; raised && m.is_raised && v < n; v++)
        *raised += m.is_raised[v];
    release(&m, threads);
    return bestdag_run_status(run);
}

/* ---- iterations ---------------------------------------------------------- */

static void scatter(struct bestdag_gaussian_em *em, uint64_t seed, int start)
{
    struct bestdag_random random =
        bestdag_random_init(seed, (uint64_t)start + 0x656d);
    size_t pairs = (size_t)em->n * ((size_t)em->n + 1) / 2;
    memset(em->spread, 0, pairs * sizeof *em->spread);
    for (int64_t i = 0; i < em->count; i++) {
        const struct bestdag_number_pattern *p =
            &em->pattern[em->pattern_of[i]];
        for (int h = p->hole; h < p->hole + p->holes; h++) {
            int v = em->hole[h];
            em->value[v][i] =
                bestdag_random_normal(&random) * sqrt(em->variance[v]);
        }
    }
}

/* How much rounding may lower the objective. */
static double slack(double objective)
{
    return 1e-8 * (1 + fabs(objective));
}

static int iterate(struct bestdag_run *run, struct bestdag_gaussian_em *em,
                   struct bestdag_network *network,
                   const struct bestdag_em_settings *settings,
                   struct bestdag_em_report *to)
{
    to->ln = -INFINITY;
    for (;; to->iterations++) {
        bool done;
        double ln;
        if (bestdag_gaussian_em_expect(run, em, network, &ln, &done))
            return bestdag_run_status(run);
        if (!done)
            return BESTDAG_OK;
        double gain = ln - to->ln;
        /* at the floor a residual is rounding error, whose square is magnified
         * by 1e10 */
        assert(to->raised || !(gain < -slack(ln)));
        to->objective = to->ln = ln;
        if (gain < settings->tolerance * (em->total + 1)) {
            to->has_converged = true;
            return BESTDAG_OK;
        }
        if (to->iterations == settings->iterations)
            return BESTDAG_OK;
        to->raised = 0;
        if (bestdag_gaussian_em_maximise(run, em, network, &to->raised))
            return bestdag_run_status(run);
    }
}

/* ---- the best of several ------------------------------------------------- */

static void copy_terms(struct bestdag_network *network, double *copy,
                       bool is_back)
{
    for (int v = 0; v < network->dag->n; v++) {
        double *own = network->variable[v].regression;
        size_t terms = (size_t)network->dag->parents[v].count + 2;
        memcpy(is_back ? own : copy, is_back ? copy : own, terms * sizeof *own);
        copy += terms;
    }
}

static int begin(struct bestdag_run *run, struct bestdag_gaussian_em *em,
                 struct bestdag_network *network, int start)
{
    if (start)
        scatter(em, run->seed, start);
    else
        bestdag_gaussian_em_blank(em);
    return bestdag_gaussian_em_maximise(run, em, network, NULL);
}

int bestdag_gaussian_em_run(struct bestdag_run *run,
                            struct bestdag_gaussian_em *em,
                            struct bestdag_network *network,
                            const struct bestdag_em_settings *settings,
                            bool is_here, struct bestdag_em_report *report)
{
    size_t terms = 1;
    int starts = is_here || !em->lacking ? 1 : settings->starts;
    for (int v = 0; v < network->dag->n; v++)
        terms += (size_t)network->dag->parents[v].count + 2;
    double *best = bestdag_alloc(run, terms * sizeof *best);
    *report = (struct bestdag_em_report){.ln = -INFINITY};
    if (!best)
        return bestdag_run_status(run);
    bestdag_run_phase(run, "expectation-maximisation", 0);
    for (int s = 0; s < starts && !(s && bestdag_run_stopped(run)); s++) {
        struct bestdag_em_report now = {.start = s};
        if ((!is_here && begin(run, em, network, s)) ||
            iterate(run, em, network, settings, &now))
            break;
        if (s && !(now.objective > report->objective + slack(now.objective)))
            continue;
        *report = now;
        copy_terms(network, best, false);
    }
    if (!bestdag_run_status(run))
        copy_terms(network, best, true);
    bestdag_free(best);
    return bestdag_run_status(run);
}
