/* SPDX-License-Identifier: MIT */
/* missing_parents.c -- rows in which a parent is missing: it is summed out.
 *
 * A hole matters if something that is seen depends on it, be it by way of other
 * holes; the rest sums to 1 and is left out. The families with a hole that
 * matters, cut down to what the row leaves open (holes and the class), are
 * factors; a hole is summed out of the product of those it is in:
 *
 *     P(class, seen) = sum over the holes of the product of all families
 *
 * Children go before parents, each factor waiting at its last hole (bucket
 * elimination), so that a forest needs tables of two variables and the class.
 * Exact, unless a table of more than `most_cells` numbers would arise: then the
 * families with holes are replaced by their child given the class alone,
 * P(x | class), for the whole row. */
#include <math.h>
#include <string.h>

#include "models/predictor.h"
#include "inference/factor.h"
#include "inference/joint.h"

struct bestdag_missing_parents {
    struct bestdag_run *run;
    const struct bestdag_predictor *p;
    int *states;   /* owns; [n] */
    int *place;    /* owns; [n]: in the order */
    bool *matters; /* owns; [n] */
    bool *marked;  /* owns; [n]: scratch, all false between */
    int *bucket;   /* owns; [n]: first factor; -1: none */
    int *list;     /* owns; [2 n]: scratch: factors of a bucket */
    struct bestdag_factor *factor; /* owns; [2 n] */
    int factors;
    int done;                    /* factors without a hole, a list */
    struct bestdag_joint *joint; /* owns; NULL: not yet needed */
    double **given;              /* owns; [n]: P(x, class), by class; or NULL */
};

static bool is_hole(const struct bestdag_missing_parents *h, const int *state,
                    int v)
{
    return state[v] < 0 && v != h->p->class;
}

/* ---- making ----------------------------------------------------------------
 */

struct bestdag_missing_parents *bestdag_missing_parents_new(
    struct bestdag_run *run, const struct bestdag_predictor *p)
{
    size_t n = (size_t)p->n;
    struct bestdag_missing_parents *h = bestdag_calloc(run, 1, sizeof *h);
    if (!h)
        return NULL;
    h->run = run;
    h->p = p;
    h->states = bestdag_alloc(run, n * sizeof *h->states);
    h->place = bestdag_alloc(run, n * sizeof *h->place);
    h->matters = bestdag_alloc(run, n * sizeof *h->matters);
    h->marked = bestdag_calloc(run, n, sizeof *h->marked);
    h->bucket = bestdag_alloc(run, n * sizeof *h->bucket);
    h->list = bestdag_alloc(run, 2 * n * sizeof *h->list);
    h->factor = bestdag_alloc(run, 2 * n * sizeof *h->factor);
    h->given = bestdag_calloc(run, n, sizeof *h->given);
    if (bestdag_run_status(run)) {
        bestdag_missing_parents_free(h);
        return NULL;
    }
    for (int i = 0; i < p->n; i++) {
        h->place[p->order[i]] = i;
        h->states[i] = p->model->variable[i].states;
    }
    return h;
}

static void free_factors(struct bestdag_missing_parents *h)
{
    for (int i = 0; i < h->factors; i++) {
        bestdag_free((void *)h->factor[i].scope);
        bestdag_free(h->factor[i].own);
    }
    h->factors = 0;
}

void bestdag_missing_parents_free(struct bestdag_missing_parents *h)
{
    if (!h)
        return;
    free_factors(h);
    for (int v = 0; h->given && v < h->p->n; v++)
        bestdag_free(h->given[v]);
    bestdag_joint_free(h->joint);
    bestdag_free(h->states);
    bestdag_free(h->place);
    bestdag_free(h->matters);
    bestdag_free(h->marked);
    bestdag_free(h->bucket);
    bestdag_free(h->list);
    bestdag_free(h->factor);
    bestdag_free(h->given);
    bestdag_free(h);
}

/* ---- which families matter -------------------------------------------------
 */

/* Variables that are seen, the class, and holes that these depend on. */
static void find_what_matters(struct bestdag_missing_parents *h,
                              const int *state)
{
    const struct bestdag_predictor *p = h->p;
    for (int v = 0; v < p->n; v++)
        h->matters[v] = !is_hole(h, state, v);
    for (int i = p->n - 1; i >= 0; i--) {
        const struct bestdag_parents *parents =
            &p->model->dag->parents[p->order[i]];
        for (int k = 0; h->matters[p->order[i]] && k < parents->count; k++)
            h->matters[parents->at[k]] = true;
    }
}

static bool has_hole(const struct bestdag_missing_parents *h, const int *state,
                     int v)
{
    const struct bestdag_parents *parents = &h->p->model->dag->parents[v];
    bool found = is_hole(h, state, v);
    for (int i = 0; i < parents->count; i++)
        found |= is_hole(h, state, parents->at[i]);
    return found;
}

/* A family without a hole; one without the class says nothing. */
static void add_whole_family(const struct bestdag_missing_parents *h,
                             const int *state, int v, double *log_of)
{
    const struct bestdag_parents *parents = &h->p->model->dag->parents[v];
    const struct bestdag_variable *x = &h->p->model->variable[v];
    int64_t at = 0, stride = 0, step = x->states;
    for (int i = 0; i <= parents->count; i++) {
        int u = i < parents->count ? parents->at[i] : v;
        at = at * h->states[u] + (state[u] < 0 ? 0 : state[u]);
    }
    for (int i = parents->count - 1; i >= 0; i--) {
        if (parents->at[i] == h->p->class)
            stride = step;
        step *= h->states[parents->at[i]];
    }
    stride = v == h->p->class ? 1 : stride;
    for (int c = 0; stride && c < h->p->classes; c++)
        log_of[c] += log(x->table[at + c * stride]);
}

/* ---- factors ---------------------------------------------------------------
 */

/* Where it waits: at the last of its holes. */
static void put_factor(struct bestdag_missing_parents *h, int i)
{
    struct bestdag_factor *f = &h->factor[i];
    int last = -1;
    for (int k = 0; k < f->count; k++)
        if (f->scope[k] != h->p->class &&
            (last < 0 || h->place[f->scope[k]] > h->place[last]))
            last = f->scope[k];
    int *head = last < 0 ? &h->done : &h->bucket[last];
    f->next = *head;
    *head = i;
}

/* A factor with room for its scope (`most`) and, once that is known, cells. */
static struct bestdag_factor *new_factor(struct bestdag_missing_parents *h,
                                         int most, int **scope)
{
    struct bestdag_factor *f = &h->factor[h->factors];
    *f = (struct bestdag_factor){.next = -1};
    f->scope = *scope =
        bestdag_alloc(h->run, ((size_t)most + 1) * sizeof **scope);
    if (!*scope)
        return NULL;
    h->factors++;
    return f;
}

/* The cells of its scope; -1: too many. */
static int64_t make_cells(struct bestdag_missing_parents *h,
                          struct bestdag_factor *f, int summed_states)
{
    int64_t cells = 1;
    for (int i = 0; i < f->count; i++) {
        cells *= h->states[f->scope[i]];
        if (cells > h->p->most_cells / summed_states)
            return -1;
    }
    f->own = bestdag_alloc(h->run, (size_t)cells * sizeof *f->own);
    f->cell = f->own;
    return cells;
}

/* v's table where the row leaves it open; the scope is in the table's order. */
static void copy_cells(const struct bestdag_missing_parents *h,
                       const int *state, int v, const struct bestdag_factor *f,
                       int64_t cells)
{
    const struct bestdag_parents *parents = &h->p->model->dag->parents[v];
    const double *table = h->p->model->variable[v].table;
    for (int64_t j = 0; j < cells; j++) {
        int64_t at = 0, stride = 1, rest = j;
        for (int i = parents->count; i >= 0; i--) {
            int u = i < parents->count ? parents->at[i] : v;
            int s = state[u];
            if (s < 0) { /* open: a digit of j, the last fastest */
                s = (int)(rest % h->states[u]);
                rest /= h->states[u];
            }
            at += s * stride;
            stride *= h->states[u];
        }
        f->own[j] = table[at];
    }
}

/* *fits: false if it would be too large. */
static int add_family(struct bestdag_missing_parents *h, const int *state,
                      int v, bool *fits)
{
    const struct bestdag_parents *parents = &h->p->model->dag->parents[v];
    int *scope;
    struct bestdag_factor *f = new_factor(h, parents->count + 1, &scope);
    if (!f)
        return bestdag_run_status(h->run);
    for (int i = 0; i <= parents->count; i++) {
        int u = i < parents->count ? parents->at[i] : v;
        if (state[u] < 0)
            scope[f->count++] = u;
    }
    int64_t cells = make_cells(h, f, 1);
    *fits = cells >= 0;
    if (!*fits || !f->own)
        return bestdag_run_status(h->run);
    copy_cells(h, state, v, f, cells);
    put_factor(h, h->factors - 1);
    return BESTDAG_OK;
}

/* All variables of the listed factors but `out`. */
static int join_scopes(struct bestdag_missing_parents *h, int listed, int out,
                       int *to)
{
    int count = 0;
    h->marked[out] = true;
    for (int i = 0; i < listed; i++) {
        const struct bestdag_factor *f = &h->factor[h->list[i]];
        for (int k = 0; k < f->count; k++)
            if (!h->marked[f->scope[k]]) {
                h->marked[f->scope[k]] = true;
                to[count++] = f->scope[k];
            }
    }
    h->marked[out] = false;
    for (int i = 0; i < count; i++)
        h->marked[to[i]] = false;
    return count;
}

/* The factors that wait at v become one without v. */
static int sum_out(struct bestdag_missing_parents *h, int v, bool *fits)
{
    int listed = 0, most = 0, *scope;
    for (int i = h->bucket[v]; i >= 0; i = h->factor[i].next) {
        h->list[listed++] = i;
        most += h->factor[i].count;
    }
    if (!listed)
        return BESTDAG_OK;
    struct bestdag_factor *f = new_factor(h, most, &scope);
    if (!f)
        return bestdag_run_status(h->run);
    f->count = join_scopes(h, listed, v, scope);
    *fits = make_cells(h, f, h->states[v]) >= 0;
    if (!*fits || !f->own)
        return bestdag_run_status(h->run);
    struct bestdag_product product = {.factor = h->factor,
                                      .list = h->list,
                                      .factors = listed,
                                      .axis = f->scope,
                                      .axes = f->count,
                                      .summed = v,
                                      .states = h->states};
    if (bestdag_product_compute(h->run, &product, f->own))
        return bestdag_run_status(h->run);
    put_factor(h, h->factors - 1);
    return BESTDAG_OK;
}

/* ---- rows ------------------------------------------------------------------
 */

static int sum_exactly(struct bestdag_missing_parents *h, const int *state,
                       double *log_of, bool *fits)
{
    const struct bestdag_predictor *p = h->p;
    h->done = -1;
    *fits = true;
    for (int v = 0; v < p->n; v++)
        h->bucket[v] = -1;
    for (int v = 0; *fits && v < p->n; v++)
        if (h->matters[v] && has_hole(h, state, v) &&
            add_family(h, state, v, fits))
            return bestdag_run_status(h->run);
    for (int i = p->n - 1; *fits && i >= 0; i--)
        if (sum_out(h, p->order[i], fits))
            return bestdag_run_status(h->run);
    for (int i = h->done; *fits && i >= 0; i = h->factor[i].next)
        for (int c = 0; c < p->classes; c++)
            log_of[c] += log(h->factor[i].cell[h->factor[i].count ? c : 0]);
    return BESTDAG_OK;
}

/* P(class, x), by class; of the class alone its own. */
static const double *given_class(struct bestdag_missing_parents *h, int v)
{
    const struct bestdag_predictor *p = h->p;
    int set[] = {p->class, v}, count = v == p->class ? 1 : 2;
    int64_t cells = (int64_t)p->classes * (count > 1 ? h->states[v] : 1);
    if (h->given[v])
        return h->given[v];
    double *to = bestdag_alloc(h->run, (size_t)cells * sizeof *to);
    if (to && !h->joint)
        h->joint = bestdag_joint_new(h->run, p->model, false);
    if (!to || !h->joint ||
        bestdag_joint_compute(h->run, h->joint, set, count, to, cells)) {
        bestdag_free(to);
        return NULL;
    }
    return h->given[v] = to;
}

static int sum_roughly(struct bestdag_missing_parents *h, const int *state,
                       double *log_of)
{
    const struct bestdag_predictor *p = h->p;
    const double *prior = given_class(h, p->class);
    for (int v = 0; prior && v < p->n; v++) {
        if (is_hole(h, state, v) || !has_hole(h, state, v))
            continue;
        const double *joint = given_class(h, v);
        for (int c = 0; joint && c < p->classes; c++)
            log_of[c] += v == p->class ? log(prior[c])
                                       : log(joint[(int64_t)c * h->states[v] +
                                                   state[v]] /
                                             prior[c]);
    }
    return bestdag_run_status(h->run);
}

int bestdag_missing_parents_sum(struct bestdag_missing_parents *h,
                                const int *state, double *log_of, bool *rough)
{
    const struct bestdag_predictor *p = h->p;
    double *extra = bestdag_calloc(h->run, (size_t)p->classes, sizeof *extra);
    bool fits = true;
    if (!extra)
        return bestdag_run_status(h->run);
    find_what_matters(h, state);
    memset(log_of, 0, (size_t)p->classes * sizeof *log_of);
    for (int v = 0; v < p->n; v++)
        if (h->matters[v] && !has_hole(h, state, v))
            add_whole_family(h, state, v, log_of);
    if (!sum_exactly(h, state, extra, &fits) && !fits)
        sum_roughly(h, state, extra);
    *rough = !fits;
    free_factors(h);
    for (int c = 0; c < p->classes; c++)
        log_of[c] += extra[c];
    bestdag_free(extra);
    return bestdag_run_status(h->run);
}
