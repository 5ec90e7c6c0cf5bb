/* SPDX-License-Identifier: MIT */
/* gaussian_step.c -- expected moments of rows of numbers with holes: the
 * E-step.
 *
 * A linear Gaussian network has the precision matrix
 *
 *     K = sum over v of w w' / d,   w = e_v - sum of b_p e_p over parents p,
 *
 * with b the coefficients and d the residual variance of v (Lauritzen 1996).
 * Given the values o of a row, its holes h are normal with covariance inverse
 * of K_hh, which is the same for all rows of a pattern, and their mean solves
 * K_hh m = -(gradient at h = 0). Only families with a hole enter K_hh, and its
 * size is the number of holes, not that of columns. The density of the row's
 * values is
 *
 *     ln p(o) = ln p(o, m) + |h| / 2 ln(2 pi) - ln det(K_hh) / 2.
 *
 * Time: the cube of the holes for a pattern; n + arcs + their square for a row.
 * A row's results depend on the row alone, and covariances are added as
 * integers, so results do not depend on threads. */
#include <math.h>
#include <string.h>

#include "base/cholesky.h"
#include "models/holes/gaussian_em.h"
#include "parallel/parallel.h"
#include "scores/moments.h"

enum { BLOCK = 64 }; /* rows */

/* A pivot below this is rounding error: the holes are not determined. */
static const double TOLERANCE = 1e-15;
static const double LN_2PI = 1.8378770664093454836;

struct worker {
    double *matrix;       /* owns; [n * n]: K_hh, then its factor */
    double *column;       /* owns; [n] */
    double *inverse;      /* owns; [n * n] */
    double *residual;     /* owns; [n] */
    double *value;        /* owns; [n]: one row */
    int *place;           /* owns; [n]: among the holes; -1: has a value */
    bestdag_wide *spread; /* owns; triangle */
    int64_t pattern; /* that place, matrix and ln_root belong to; -1: none */
    double ln_root;  /* ln det / 2 */
};

struct step {
    struct bestdag_run *run;
    struct bestdag_gaussian_em *em;
    const struct bestdag_dag *dag;
    int64_t *offset; /* owns; [n + 1]: in term */
    double *term;    /* owns; intercept, coefficients, 1 / variance */
    double ln;       /* of a complete row, without the squared residuals */
    struct worker *worker; /* owns */
    int workers;
    _Atomic bool is_cut;
};

/* ---- regressions in scaled units ----------------------------------------- */

static void scale(struct step *s, const struct bestdag_network *network, int v)
{
    const struct bestdag_gaussian_em *em = s->em;
    const struct bestdag_parents *p = &s->dag->parents[v];
    const double *from = network->variable[v].regression;
    double *to = s->term + s->offset[v];
    double at = from[0] - em->centre[v], sd = from[p->count + 1];
    for (int i = 0; i < p->count; i++) {
        int u = p->at[i];
        at += from[i + 1] * em->centre[u];
        to[i + 1] = em->constant[u]
                        ? 0
                        : ldexp(from[i + 1], em->exponent[u] - em->exponent[v]);
    }
    to[0] = ldexp(at, -em->exponent[v]);
    double d = ldexp(sd, -em->exponent[v]);
    d = fmax(d * d, bestdag_gaussian_em_floor(em, v));
    to[p->count + 1] = em->constant[v] ? 0 : 1 / d;
    if (!em->constant[v])
        s->ln -= (LN_2PI + log(d)) / 2;
}

/* ---- patterns ------------------------------------------------------------ */

/* A family's coefficient of its member i; the child is last. */
static double coefficient(const double *term, int count, int i)
{
    return i < count ? -term[i + 1] : 1;
}

static int member(const struct bestdag_parents *p, int v, int i)
{
    return i < p->count ? p->at[i] : v;
}

static void add_family(const struct step *s, struct worker *w, int v, int m)
{
    const struct bestdag_parents *p = &s->dag->parents[v];
    const double *term = s->term + s->offset[v];
    double precision = term[p->count + 1];
    for (int i = 0; i <= p->count; i++) {
        int a = w->place[member(p, v, i)];
        double x = precision * coefficient(term, p->count, i);
        for (int j = 0; a >= 0 && j <= p->count; j++) {
            int b = w->place[member(p, v, j)];
            if (b >= 0 && b <= a)
                w->matrix[(ptrdiff_t)a * m + b] +=
                    x * coefficient(term, p->count, j);
        }
    }
}

/* Adds the covariances, the inverse of K_hh by its factor, times the weight,
 * rounded. */
static int add_spread(struct step *s, struct worker *w,
                      const struct bestdag_number_pattern *k)
{
    const int *hole = s->em->hole + k->hole;
    int m = k->holes;
    for (int c = 0; c < m; c++) {
        memset(w->column, 0, (size_t)m * sizeof *w->column);
        w->column[c] = 1;
        bestdag_cholesky_forward(w->matrix, m, w->column);
        memcpy(w->inverse + (ptrdiff_t)c * m, w->column,
               (size_t)m * sizeof *w->column);
    }
    for (int a = 0; a < m; a++)
        for (int b = 0; b <= a; b++) {
            const double *x = w->inverse + (ptrdiff_t)a * m;
            const double *y = w->inverse + (ptrdiff_t)b * m;
            double sum = 0;
            for (int i = a; i < m; i++)
                sum += x[i] * y[i];
            sum *= k->weight;
            if (!(fabs(sum) < 0x1p60))
                return bestdag_fail(s->run, BESTDAG_INPUT,
                                    "the values that are there do not "
                                    "determine a regression");
            if (!s->em->constant[hole[a]]) /* a constant has no covariance */
                w->spread[bestdag_triangle(hole[a], hole[b])] +=
                    (bestdag_wide)rint(ldexp(sum, BESTDAG_SPREAD_SHIFT));
        }
    return BESTDAG_OK;
}

static int set_pattern(struct step *s, struct worker *w, int64_t pattern,
                       bool adds)
{
    const struct bestdag_number_pattern *k = &s->em->pattern[pattern];
    int m = 0, n = s->em->n;
    w->pattern = pattern;
    w->ln_root = 0;
    for (int v = 0; v < n; v++)
        w->place[v] = -1;
    for (int h = 0; h < k->holes; h++)
        w->place[s->em->hole[k->hole + h]] = m++;
    memset(w->matrix, 0, (size_t)m * (size_t)m * sizeof *w->matrix);
    for (int v = 0; m && v < n; v++)
        add_family(s, w, v, m);
    for (int h = 0; h < m; h++) /* a constant is known: any precision will do */
        if (s->em->constant[s->em->hole[k->hole + h]])
            w->matrix[(ptrdiff_t)h * m + h] = 1;
    if (bestdag_cholesky(w->matrix, m, TOLERANCE) < m)
        return bestdag_fail(s->run, BESTDAG_INPUT,
                            "columns determine each other so nearly that "
                            "missing values cannot be computed: leave one out "
                            "(--ignore)");
    for (int h = 0; h < m; h++)
        w->ln_root += log(w->matrix[(ptrdiff_t)h * m + h]);
    return adds && m ? add_spread(s, w, k) : BESTDAG_OK;
}

/* ---- rows ---------------------------------------------------------------- */

static void find_residuals(const struct step *s, struct worker *w)
{
    for (int v = 0; v < s->em->n; v++) {
        const struct bestdag_parents *p = &s->dag->parents[v];
        const double *term = s->term + s->offset[v];
        double rest = w->value[v] - term[0];
        for (int i = 0; i < p->count; i++)
            rest -= term[i + 1] * w->value[p->at[i]];
        w->residual[v] = rest;
    }
}

/* Computes the means of the holes, into the row's values. */
static void solve(const struct step *s, struct worker *w,
                  const struct bestdag_number_pattern *k)
{
    memset(w->column, 0, (size_t)k->holes * sizeof *w->column);
    for (int v = 0; v < s->em->n; v++) {
        const struct bestdag_parents *p = &s->dag->parents[v];
        const double *term = s->term + s->offset[v];
        double x = term[p->count + 1] * w->residual[v];
        for (int i = 0; i <= p->count; i++) {
            int a = w->place[member(p, v, i)];
            if (a >= 0)
                w->column[a] -= x * coefficient(term, p->count, i);
        }
    }
    bestdag_cholesky_solve(w->matrix, k->holes, w->column);
    for (int h = 0; h < k->holes; h++) {
        int v = s->em->hole[k->hole + h];
        w->value[v] = s->em->constant[v] ? 0 : w->column[h];
    }
}

static double ln_of(const struct step *s, const struct worker *w)
{
    double squares = 0, ln = s->ln - w->ln_root;
    for (int v = 0; v < s->em->n; v++) {
        double precision = s->term[s->offset[v + 1] - 1];
        squares += precision * w->residual[v] * w->residual[v];
        if (w->place[v] < 0)
            ln -= s->em->exponent[v] * M_LN2; /* back to the units of x */
        else if (!s->em->constant[v])
            ln += LN_2PI / 2;
    }
    return ln - squares / 2;
}

static int do_row(struct step *s, struct worker *w, int64_t i)
{
    struct bestdag_gaussian_em *em = s->em;
    int64_t pattern = em->pattern_of[i];
    const struct bestdag_number_pattern *k = &em->pattern[pattern];
    if ((w->pattern != pattern || i == k->first) &&
        set_pattern(s, w, pattern, i == k->first))
        return bestdag_run_status(s->run);
    for (int v = 0; v < em->n; v++)
        w->value[v] = w->place[v] < 0 ? em->value[v][i] : 0;
    find_residuals(s, w);
    if (k->holes) {
        solve(s, w, k);
        find_residuals(s, w);
        for (int h = k->hole; h < k->hole + k->holes; h++)
            em->value[em->hole[h]][i] = w->value[em->hole[h]];
    }
    em->ln[i] = ln_of(s, w);
    return BESTDAG_OK;
}

/* A row may take long, so a stop is checked for at every row. */
static int do_block(void *data, int64_t item, int worker)
{
    struct step *s = data;
    int64_t end = (item + 1) * BLOCK;
    for (int64_t i = item * BLOCK; i < end && i < s->em->count; i++) {
        if (bestdag_run_stopped(s->run)) {
            s->is_cut = true;
            return BESTDAG_OK;
        }
        if (do_row(s, &s->worker[worker], i))
            return bestdag_run_status(s->run);
    }
    return BESTDAG_OK;
}

/* ---- a step -------------------------------------------------------------- */

static int new_worker(struct bestdag_run *run, int columns, struct worker *w)
{
    size_t n = (size_t)columns, pairs = n * (n + 1) / 2 + 1;
    w->pattern = -1;
    w->matrix = bestdag_alloc(run, (n * n + 1) * sizeof *w->matrix);
    w->inverse = bestdag_alloc(run, (n * n + 1) * sizeof *w->inverse);
    w->column = bestdag_alloc(run, (n + 1) * sizeof *w->column);
    w->residual = bestdag_alloc(run, (n + 1) * sizeof *w->residual);
    w->value = bestdag_alloc(run, (n + 1) * sizeof *w->value);
    w->place = bestdag_alloc(run, (n + 1) * sizeof *w->place);
    w->spread = bestdag_calloc(run, pairs, sizeof *w->spread);
    return bestdag_run_status(run);
}

static void release(struct step *s)
{
    for (int i = 0; s->worker && i < s->workers; i++) {
        struct worker *w = &s->worker[i];
        bestdag_free(w->matrix);
        bestdag_free(w->inverse);
        bestdag_free(w->column);
        bestdag_free(w->residual);
        bestdag_free(w->value);
        bestdag_free(w->place);
        bestdag_free(w->spread);
    }
    bestdag_free(s->worker);
    bestdag_free(s->offset);
    bestdag_free(s->term);
}

static int prepare(struct step *s, const struct bestdag_network *network,
                   int64_t items)
{
    int n = s->em->n;
    s->offset = bestdag_calloc(s->run, (size_t)n + 1, sizeof *s->offset);
    for (int v = 0; s->offset && v < n; v++)
        s->offset[v + 1] = s->offset[v] + s->dag->parents[v].count + 2;
    s->term = s->offset ? bestdag_alloc(s->run, ((size_t)s->offset[n] + 1) *
                                                    sizeof *s->term)
                        : NULL;
    for (int v = 0; s->term && v < n; v++)
        scale(s, network, v);
    s->workers = bestdag_parallel_threads(s->run, items + 1);
    s->worker = bestdag_calloc(s->run, (size_t)s->workers, sizeof *s->worker);
    for (int i = 0; s->worker && i < s->workers; i++)
        if (new_worker(s->run, n, &s->worker[i]))
            break;
    return bestdag_run_status(s->run);
}

static double add_up(struct step *s)
{
    struct bestdag_gaussian_em *em = s->em;
    size_t pairs = (size_t)em->n * ((size_t)em->n + 1) / 2;
    long double ln = 0;
    for (size_t i = 0; i < pairs; i++) {
        em->spread[i] = 0;
        for (int w = 0; w < s->workers; w++)
            em->spread[i] += s->worker[w].spread[i];
    }
    for (int64_t i = 0; i < em->count; i++)
        ln += (long double)em->ln[i] * (em->weight ? em->weight[i] : 1);
    return (double)ln;
}

int bestdag_gaussian_em_expect(struct bestdag_run *run,
                               struct bestdag_gaussian_em *em,
                               const struct bestdag_network *network,
                               double *ln, bool *done)
{
    struct step s = {.run = run, .em = em, .dag = network->dag};
    int64_t taken = 0;
    struct bestdag_work work = {
        .job = &s, .items = (em->count + BLOCK - 1) / BLOCK, .work = do_block};
    *done = false;
    if (!prepare(&s, network, work.items))
        bestdag_parallel(run, &work, &taken);
    if (!bestdag_run_status(run) && taken == work.items && !s.is_cut) {
        *done = true;
        *ln = add_up(&s);
    }
    release(&s);
    return bestdag_run_status(run);
}
