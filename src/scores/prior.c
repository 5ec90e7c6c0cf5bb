/* SPDX-License-Identifier: MIT */
/* prior.c -- bde: a Dirichlet prior from a prior network.
 *
 *     a_jk = ess * p0(parents in j, child in k)
 *
 * The joint probabilities of a family come from the prior network by variable
 * elimination, in a table of all its cells; a table that memory cannot hold is
 * refused. Variables and states are matched by name and label. */
#include <math.h>
#include <string.h>

#include "network/joint.h"
#include "scores/score.h"
#include "scores/special.h"

/* ---- matching --------------------------------------------------------- */

static int match_states(struct bestdag_run *run, struct bestdag_scorer *s,
                        int v)
{
    const struct bestdag_column *c = &s->table->column[v];
    const struct bestdag_variable *x =
        &s->prior->variable[s->prior_variable[v]];
    int *map = bestdag_alloc(run, (size_t)c->states * sizeof *map);
    s->prior_state[v] = map;
    for (int k = 0; map && k < c->states; k++) {
        map[k] = bestdag_variable_state(x, c->labels[k]);
        if (map[k] < 0)
            return bestdag_fail(run, BESTDAG_INPUT,
                                "the prior network does not know state '%s' "
                                "of '%s'",
                                c->labels[k], c->name);
    }
    return bestdag_run_status(run);
}

static int match(struct bestdag_run *run, struct bestdag_scorer *s)
{
    size_t n = (size_t)s->n;
    s->prior_variable = bestdag_alloc(run, n * sizeof *s->prior_variable);
    s->prior_state = bestdag_calloc(run, n, sizeof *s->prior_state);
    if (!s->prior_variable || !s->prior_state)
        return BESTDAG_MEMORY;
    for (int v = 0; v < s->n; v++) {
        const char *name = s->table->column[v].name;
        s->prior_variable[v] = bestdag_network_search(s->prior, name);
        if (s->prior_variable[v] < 0)
            return bestdag_fail(run, BESTDAG_INPUT,
                                "the prior network has no variable '%s'", name);
        if (match_states(run, s, v))
            return bestdag_run_status(run);
    }
    return BESTDAG_OK;
}

/* ---- probabilities of a family ---------------------------------------- */

void bestdag_beliefs_release(struct bestdag_beliefs *b)
{
    bestdag_joint_free(b->joint);
    bestdag_free(b->table);
    bestdag_free(b->seen);
}

static int states_of(const struct bestdag_scorer *s, int v)
{
    return s->prior->variable[s->prior_variable[v]].states;
}

static int make_room(struct bestdag_beliefs *b, const struct bestdag_scorer *s,
                     int64_t cells)
{
    size_t rows = (size_t)s->table->rows + 1;
    if (!b->joint)
        b->joint = bestdag_joint_new(b->run, s->prior, false);
    if (!b->seen)
        b->seen = bestdag_alloc(b->run, rows);
    if (cells > b->room) {
        bestdag_free(b->table);
        b->room = 0;
        b->table = bestdag_alloc(b->run, (size_t)cells * sizeof *b->table);
        b->room = b->table ? cells : 0;
    }
    return b->joint && b->seen && b->table ? BESTDAG_OK : BESTDAG_MEMORY;
}

/* The table of parents and child, the child fastest. */
static int look_up(const struct bestdag_scorer *s, const struct bestdag_view *v)
{
    struct bestdag_beliefs *b = v->beliefs;
    double cells = states_of(s, v->child);
    for (int i = 0; i < v->count; i++)
        cells *= states_of(s, v->parents[i]);
    if (cells > 1e15)
        return bestdag_reserve(b->run, -1, "the prior of a family");
    int *variables =
        bestdag_alloc(b->run, ((size_t)v->count + 1) * sizeof *variables);
    int status = BESTDAG_MEMORY;
    if (variables && !make_room(b, s, (int64_t)cells)) {
        for (int i = 0; i < v->count; i++)
            variables[i] = s->prior_variable[v->parents[i]];
        variables[v->count] = s->prior_variable[v->child];
        status = bestdag_joint_compute(b->run, b->joint, variables,
                                       v->count + 1, b->table, (int64_t)cells);
        memset(b->seen, 0, (size_t)v->groups);
    }
    bestdag_free(variables);
    return status;
}

/* Where in the table the parents' states of a row begin. */
static int64_t configuration(const struct bestdag_scorer *s,
                             const struct bestdag_view *v, int64_t row)
{
    int64_t j = 0;
    for (int i = 0; i < v->count; i++) {
        int p = v->parents[i];
        int code = bestdag_column_code(&s->table->column[p], row);
        j = j * states_of(s, p) + s->prior_state[p][code];
    }
    return j * states_of(s, v->child);
}

/* Hands each term of the sum to `add`: a count n with pseudo-count a counts for
 * sign. False: the prior excludes what was seen. */
static bool visit(const struct bestdag_scorer *s, const struct bestdag_view *v,
                  void (*add)(void *to, double scale, double a, int64_t n,
                              int sign),
                  void *to)
{
    for (int64_t i = 0; i < v->cells; i++) {
        const struct bestdag_cell *c = &v->cell[i];
        const double *p = v->beliefs->table + configuration(s, v, c->row);
        double a = s->ess * p[s->prior_state[v->child][c->state]], all = 0;
        if (!(a > 1e-290))
            return false;
        add(to, s->scale, a, c->count, 1);
        if (v->beliefs->seen[c->group])
            continue;
        v->beliefs->seen[c->group] = 1;
        for (int k = 0; k < states_of(s, v->child); k++)
            all += p[k];
        add(to, s->scale, s->ess * all, v->weight[c->group], -1);
    }
    return true;
}

static void add_units(void *to, double scale, double a, int64_t n, int sign)
{
    *(int64_t *)to += sign * llround(bestdag_rise(a, (double)n) * scale);
}

static void add_nats(void *to, double scale, double a, int64_t n, int sign)
{
    (void)scale;
    *(double *)to +=
        sign * (bestdag_log_gamma(a + (double)n) - bestdag_log_gamma(a));
}

static int local(const struct bestdag_scorer *s, const struct bestdag_view *v,
                 int64_t *units)
{
    *units = 0;
    if (look_up(s, v))
        return BESTDAG_MEMORY;
    if (!visit(s, v, add_units, units))
        *units = -BESTDAG_UNITS_MOST / 2;
    return BESTDAG_OK;
}

static double nats(const struct bestdag_scorer *s, const struct bestdag_view *v)
{
    double sum = 0;
    if (look_up(s, v))
        return NAN;
    return visit(s, v, add_nats, &sum) ? sum : -INFINITY;
}

/* ---- making ----------------------------------------------------------- */

static int prepare(struct bestdag_run *run, struct bestdag_scorer *s,
                   const struct bestdag_options *options)
{
    const char *path = bestdag_option_value(options, "prior").text;
    s->ess = bestdag_option_value(options, "ess").number;
    s->by_family = true;
    if (!path)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "score bde needs a prior network (--prior)");
    if (!(s->ess > 0))
        return bestdag_fail(run, BESTDAG_USAGE,
                            "score bde needs --ess above 0");
    s->prior = bestdag_network_read(run, path);
    if (!s->prior)
        return bestdag_run_status(run);
    if (!bestdag_network_has_tables(s->prior))
        return bestdag_fail(run, BESTDAG_INPUT, "%s: has no tables", path);
    return match(run, s);
}

const struct bestdag_score_type bestdag_score_bde = {
    .name = "bde",
    .help = "ln marginal likelihood, Dirichlet prior a_jk = --ess p0(j, k) of "
            "--prior",
    .equivalent = true,
    .pruning = BESTDAG_PRUNE_DOMINATED,
    .prepare = prepare,
    .nats = nats,
    .local = local};
