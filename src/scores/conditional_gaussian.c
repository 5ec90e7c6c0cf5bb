/* SPDX-License-Identifier: MIT */
/* conditional_gaussian.c -- scores of mixed tables: ll-cg, aic-cg, bic-cg.
 *
 * Lauritzen and Wermuth 1989. A column of states has only parents of states,
 * and the ordinary multinomial score (ll, aic, bic) over the same rows. A
 * column of numbers has parents of both kinds: for each of the q joint states
 * of its discrete parents there is a linear regression on its k numeric
 * parents, with its own intercept and variance,
 *
 *     ll-cg(X | D, C) = sum over j of -(N_j / 2) (ln(2 pi RSS_j / N_j) + 1)
 *
 * less a weight for each of the (k + 2) q parameters. Joint states that do not
 * occur add nothing to the likelihood; their parameters are counted, as in bic.
 *
 * A family is singular, and has no score, if the regression of one of the joint
 * states that occur is: it has no more than k + 1 rows, or a column whose
 * residual there, given those before it, is at most BESTDAG_SINGULAR of these
 * rows' share of its variance in the table. So are its supersets: another
 * numeric parent leaves no larger residual; another column of states splits the
 * rows, and the residuals of the parts sum up to no more than that of all, so
 * one of them is as small.
 *
 * Pruning: the variance of a few rows in ever smaller configurations can be
 * arbitrarily small, so nothing bounds the scores of supersets. Only dominated
 * sets are pruned. */
#include <math.h>

#include "scores/configurations.h"
#include "scores/gaussian_score.h"

struct mixed {
    struct bestdag_moments *moments; /* owns */
    struct bestdag_table states;     /* the columns of states; cells are
                                        borrowed */
    struct bestdag_column *column;   /* owns; of `states` */
    int *number;                     /* owns; [n]: index in `states`; -1:
                                        numbers */
    struct bestdag_scorer *scorer;   /* owns; of `states`; NULL: none */
};

/* Data of one thread. */
struct scratch {
    struct bestdag_run *run;
    struct bestdag_configurations *configurations; /* owns */
    struct bestdag_scorer_scratch *states;         /* owns; NULL: none */
    int *set;       /* owns; [n]: discrete parents, then numeric ones */
    double *matrix; /* owns; [room]: triangles of all groups */
    double *factor; /* owns; [size] */
    double *least;  /* owns; [size]: least residuals of the columns in a
                       group */
    struct bestdag_double_double *accurate; /* owns; [size]: a group's
                                               triangle */
    size_t room, size;
};

/* ---- data of a thread ---------------------------------------------------- */

static void close_scratch(void *own)
{
    struct scratch *c = own;
    if (!c)
        return;
    bestdag_configurations_free(c->configurations);
    bestdag_scorer_scratch_free(c->states);
    bestdag_free(c->set);
    bestdag_free(c->matrix);
    bestdag_free(c->factor);
    bestdag_free(c->least);
    bestdag_free(c->accurate);
    bestdag_free(c);
}

static void *open_scratch(struct bestdag_run *run,
                          const struct bestdag_scorer *s)
{
    const struct mixed *m = s->own;
    struct scratch *c = bestdag_calloc(run, 1, sizeof *c);
    if (!c)
        return NULL;
    c->run = run;
    c->configurations = bestdag_configurations_new(run, m->moments);
    if (m->scorer)
        c->states = bestdag_scorer_scratch_new(run, m->scorer);
    c->set = bestdag_alloc(run, ((size_t)s->n + 1) * sizeof *c->set);
    if (!bestdag_run_status(run))
        return c;
    close_scratch(c);
    return NULL;
}

/* Makes room for so many groups and triangles of this size. */
static int widen(struct scratch *c, size_t groups, size_t size)
{
    if (size * groups > c->room) {
        bestdag_free(c->matrix);
        c->matrix = bestdag_alloc(c->run, size * groups * sizeof *c->matrix);
        c->room = c->matrix ? size * groups : 0;
    }
    if (size > c->size) {
        bestdag_free(c->factor);
        bestdag_free(c->least);
        bestdag_free(c->accurate);
        c->factor = bestdag_alloc(c->run, size * sizeof *c->factor);
        c->least = bestdag_alloc(c->run, size * sizeof *c->least);
        c->accurate = bestdag_alloc(c->run, size * sizeof *c->accurate);
        c->size = c->factor && c->least && c->accurate ? size : 0;
    }
    return bestdag_run_status(c->run);
}

/* ---- a family of numbers ------------------------------------------------- */

/* Sorts the parents, ascending, discrete ones first; returns how many those
 * are. */
static int sort(const struct mixed *m, const int *parents, int count, int *to)
{
    int states = 0;
    for (int i = 0; i < count; i++)
        states += m->number[parents[i]] >= 0;
    for (int kind = 0, end[2] = {0, states}; kind < 2; kind++)
        for (int i = 0; i < count; i++) {
            int j = end[kind], first = kind ? states : 0;
            if ((m->number[parents[i]] < 0) != kind)
                continue;
            for (; j > first && to[j - 1] > parents[i]; j--)
                to[j] = to[j - 1];
            to[j] = parents[i];
            end[kind]++;
        }
    return states;
}

/* The place of the i-th numeric parent, or of the child. */
static int place_of(const struct mixed *m, const int *numbers, int k, int child,
                    int i)
{
    return m->moments->place[i < k ? numbers[i] : child];
}

/* Fills the triangles of all groups, one after the other: numeric parents, then
 * child. */
static int fill(struct scratch *c, const struct mixed *m,
                struct bestdag_state_groups *g, const int *numbers, int k,
                int child)
{
    size_t size = (size_t)(k + 1) * (size_t)(k + 2) / 2;
    if (widen(c, (size_t)g->groups, size))
        return BESTDAG_MEMORY;
    for (int i = 0; i <= k; i++)
        for (int j = 0; j <= i; j++) {
            int a = place_of(m, numbers, k, child, i);
            int b = place_of(m, numbers, k, child, j);
            const double *cross =
                bestdag_configurations_cross(c->configurations, g, a, b);
            if (!cross)
                return BESTDAG_MEMORY;
            for (int group = 0; group < g->groups; group++)
                c->matrix[(size_t)group * size + bestdag_triangle(i, j)] =
                    cross[group];
        }
    return BESTDAG_OK;
}

/* The residual of the last of k + 1 columns of a triangle; 0: the family is
 * singular or ill-conditioned. */
static double residual(const struct scratch *c, const double *matrix, int k)
{
    double rest = 0;
    for (int i = 0; i <= k; i++) {
        double *row = c->factor + (size_t)i * ((size_t)i + 1) / 2;
        double own = matrix[bestdag_triangle(i, i)];
        rest = own;
        for (int j = 0; j < i; j++) {
            const double *other = c->factor + (size_t)j * ((size_t)j + 1) / 2;
            double sum = matrix[bestdag_triangle(i, j)];
            for (int l = 0; l < j; l++)
                sum -= row[l] * other[l];
            row[j] = sum / other[j];
            rest -= row[j] * row[j];
        }
        if (!(rest > BESTDAG_ILL_CONDITIONED * own && rest > c->least[i]))
            return 0;
        row[i] = sqrt(rest);
    }
    return rest;
}

/* The same for any condition; 0: singular. */
static double residual_in(struct scratch *c, const struct mixed *m,
                          struct bestdag_state_groups *g, int group,
                          const int *numbers, int k, int child)
{
    double share = g->weight[group] / m->moments->total;
    size_t size = (size_t)(k + 1) * (size_t)(k + 2) / 2;
    for (int i = 0; i <= k; i++) {
        int a = place_of(m, numbers, k, child, i);
        c->least[i] =
            BESTDAG_SINGULAR * share * bestdag_moments_cross(m->moments, a, a);
    }
    double rest = residual(c, c->matrix + (size_t)group * size, k);
    if (rest > 0)
        return rest;
    for (int i = 0; i <= k; i++)
        for (int j = 0; j <= i; j++)
            c->accurate[bestdag_triangle(i, j)] =
                bestdag_configurations_accurate_cross(
                    c->configurations, g, place_of(m, numbers, k, child, i),
                    place_of(m, numbers, k, child, j), group);
    return bestdag_accurate_residual(c->accurate, k + 1, c->least).squares;
}

/* Log-likelihood and number of parameters; -INFINITY: singular. */
struct measured {
    double likelihood, parameters;
    int groups;
};

static int measure(const struct bestdag_scorer *s, struct scratch *c, int child,
                   const int *parents, int count, struct measured *to)
{
    const struct mixed *m = s->own;
    int states = sort(m, parents, count, c->set), k = count - states;
    struct bestdag_state_groups *g =
        bestdag_configurations_find(c->configurations, c->set, states);
    if (!g)
        return BESTDAG_MEMORY;
    *to = (struct measured){
        .likelihood = -INFINITY,
        .parameters = (k + 2) * bestdag_scorer_joint_states(s, c->set, states),
        .groups = g->groups};
    if (g->least_weight < k + 2)
        return BESTDAG_OK;
    if (fill(c, m, g, c->set + states, k, child))
        return BESTDAG_MEMORY;
    int place = m->moments->place[child];
    double sum = 0;
    for (int j = 0; j < g->groups; j++) {
        double rss = residual_in(c, m, g, j, c->set + states, k, child);
        if (!(rss > 0))
            return bestdag_run_status(c->run);
        sum += bestdag_gaussian_score_likelihood(g->weight[j], rss,
                                                 m->moments->exponent[place]);
    }
    to->likelihood = sum;
    return bestdag_run_status(c->run);
}

/* ---- a family ------------------------------------------------------------ */

/* Converts to the numbering of `states`; false: a parent is numeric. */
static bool renumber(const struct mixed *m, const int *parents, int count,
                     int *to)
{
    for (int i = 0; i < count; i++)
        if ((to[i] = m->number[parents[i]]) < 0)
            return false;
    return true;
}

static int64_t units(const struct bestdag_scorer *s,
                     const struct bestdag_scorer *from, int64_t score)
{
    return s->shift == from->shift
               ? score
               : llround(ldexp((double)score, s->shift - from->shift));
}

static int family_of_states(const struct bestdag_scorer *s, struct scratch *c,
                            int child, const int *parents, int count,
                            struct bestdag_family *to)
{
    const struct mixed *m = s->own;
    bestdag_family_none(to);
    if (!renumber(m, parents, count, c->set) ||
        bestdag_scorer_penalty(m->scorer, m->number[child], c->set, count) >=
            BESTDAG_UNITS_MOST / 8)
        return BESTDAG_OK;
    struct bestdag_family f;
    int status = bestdag_scorer_family(m->scorer, c->states, m->number[child],
                                       c->set, count, &f);
    *to =
        (struct bestdag_family){.score = units(s, m->scorer, f.score),
                                .likelihood = units(s, m->scorer, f.likelihood),
                                .configurations = f.configurations,
                                .cells = f.cells};
    return status;
}

static bool is_constant(const struct mixed *m, int child)
{
    int place = m->moments->place[child];
    return place >= 0 && m->moments->constant[place];
}

static int family(const struct bestdag_scorer *s, void *own, int child,
                  const int *parents, int count, struct bestdag_family *to)
{
    const struct mixed *m = s->own;
    struct measured f;
    if (m->number[child] >= 0)
        return family_of_states(s, own, child, parents, count, to);
    *to = (struct bestdag_family){.configurations = 1, .cells = 1};
    if (is_constant(m, child) && !count)
        return BESTDAG_OK;
    if (measure(s, own, child, parents, count, &f))
        return BESTDAG_MEMORY;
    double penalty = s->weight * f.parameters + s->arc_cost * count;
    bestdag_family_none(to);
    if (!(f.likelihood > -INFINITY) ||
        penalty * s->scale >= (double)BESTDAG_UNITS_MOST / 8)
        return BESTDAG_OK;
    to->score = llround((f.likelihood - penalty) * s->scale);
    to->likelihood = llround(f.likelihood * s->scale);
    to->configurations = f.groups;
    return BESTDAG_OK;
}

static int exact(const struct bestdag_scorer *s, void *own, int child,
                 const int *parents, int count, double *nats)
{
    const struct mixed *m = s->own;
    struct scratch *c = own;
    struct measured f;
    *nats = is_constant(m, child) && !count ? 0 : -INFINITY;
    if (is_constant(m, child) && !count)
        return BESTDAG_OK;
    if (m->number[child] >= 0) {
        if (!renumber(m, parents, count, c->set))
            return BESTDAG_OK;
        if (bestdag_scorer_exact(c->run, m->scorer, m->number[child], c->set,
                                 count, nats))
            return BESTDAG_MEMORY;
        *nats += s->arc_cost * count; /* the caller subtracts it */
        return BESTDAG_OK;
    }
    if (measure(s, c, child, parents, count, &f))
        return BESTDAG_MEMORY;
    *nats = f.likelihood - s->weight * f.parameters;
    return BESTDAG_OK;
}

/* ---- preparation --------------------------------------------------------- */

static void release(void *own)
{
    struct mixed *m = own;
    if (!m)
        return;
    bestdag_scorer_free(m->scorer);
    bestdag_moments_free(m->moments);
    bestdag_free(m->column);
    bestdag_free(m->number);
    bestdag_free(m);
}

static int view_states(struct bestdag_run *run, struct bestdag_scorer *s,
                       struct mixed *m)
{
    size_t n = (size_t)s->n;
    m->column = bestdag_alloc(run, n * sizeof *m->column);
    m->number = bestdag_alloc(run, n * sizeof *m->number);
    if (!m->column || !m->number)
        return bestdag_run_status(run);
    m->states = *s->table;
    m->states.columns = 0;
    m->states.column = m->column;
    for (int v = 0; v < s->n; v++) {
        bool is_state = m->moments->place[v] < 0;
        m->number[v] = is_state ? m->states.columns : -1;
        if (is_state)
            m->column[m->states.columns++] = s->table->column[v];
        else
            s->states[v] = m->moments->constant[m->moments->place[v]] ? 1 : 2;
    }
    return BESTDAG_OK;
}

static void set_units(struct bestdag_run *run, struct bestdag_scorer *s,
                      const struct mixed *m)
{
    double total = m->moments->total + 1, one = 0;
    for (int v = 0; v < m->moments->numbers; v++) {
        double own = bestdag_moments_cross(m->moments, v, v);
        double high = own > 0 ? fabs(bestdag_gaussian_score_likelihood(
                                    total, own, m->moments->exponent[v]))
                              : 0;
        one = high > one ? high : one;
    }
    one += total * (log(total) + 12 - 2 * log(BESTDAG_SINGULAR));
    bestdag_scorer_units(run, s, one, one * (s->n + 1));
}

static int prepare(struct bestdag_run *run, struct bestdag_scorer *s,
                   const struct bestdag_options *options, const char *states)
{
    struct mixed *m = bestdag_calloc(run, 1, sizeof *m);
    s->own = m;
    if (!m)
        return bestdag_run_status(run);
    m->moments = bestdag_moments_new(run, s->table);
    if (!m->moments || view_states(run, s, m))
        return bestdag_run_status(run);
    set_units(run, s, m);
    s->additive = true; /* the guide of BIC* counts parents */
    if (m->states.columns)
        m->scorer = bestdag_scorer_of(run, &m->states,
                                      bestdag_score_find(states), options);
    return bestdag_run_status(run);
}

static int prepare_ll(struct bestdag_run *run, struct bestdag_scorer *s,
                      const struct bestdag_options *options)
{
    return prepare(run, s, options, "ll");
}

static int prepare_aic(struct bestdag_run *run, struct bestdag_scorer *s,
                       const struct bestdag_options *options)
{
    s->weight = 1;
    return prepare(run, s, options, "aic");
}

static int prepare_bic(struct bestdag_run *run, struct bestdag_scorer *s,
                       const struct bestdag_options *options)
{
    s->weight = s->total > 1 ? log((double)s->total) / 2 : 0;
    return prepare(run, s, options, "bic");
}

static void note(struct bestdag_run *run, const struct bestdag_scorer *s)
{
    const struct mixed *m = s->own;
    bestdag_moments_note(run, m->moments);
}

static const struct bestdag_score_families families = {.open = open_scratch,
                                                       .close = close_scratch,
                                                       .family = family,
                                                       .exact = exact,
                                                       .note = note,
                                                       .release = release};

const struct bestdag_score_type bestdag_score_ll_cg = {
    .name = "ll-cg",
    .never_falls = true,
    .help = "states and numbers: ll, and for numbers a regression for each "
            "joint state of the parents of states; no pruning",
    .columns = BESTDAG_SCORE_MIXED,
    .pruning = BESTDAG_PRUNE_DOMINATED,
    .prepare = prepare_ll,
    .families = &families};
const struct bestdag_score_type bestdag_score_aic_cg = {
    .name = "aic-cg",
    .help = "states and numbers: ll-cg - 1 per parameter; numbers: (k + 2) q",
    .columns = BESTDAG_SCORE_MIXED,
    .pruning = BESTDAG_PRUNE_DOMINATED,
    .prepare = prepare_aic,
    .families = &families};
const struct bestdag_score_type bestdag_score_bic_cg = {
    .name = "bic-cg",
    .help = "states and numbers: ll-cg - (ln N)/2 per parameter",
    .columns = BESTDAG_SCORE_MIXED,
    .pruning = BESTDAG_PRUNE_DOMINATED,
    .prepare = prepare_bic,
    .families = &families};
