/* SPDX-License-Identifier: MIT */
/* prior.c -- bde: a Dirichlet prior from a prior network.
 *
 *     a_jk = ess * p0(parents in j, child in k)
 *
 * The joint probabilities of a family come from the prior network by variable
 * elimination, in a table of all its cells; a table that memory cannot hold is
 * refused. Variables and states are matched by name and label.
 *
 * A table belongs to the set of parents and child, with ascending variables,
 * the last one fastest; it does not depend on which of them is the child, nor
 * on the order of the parents. Each thread caches the last few thousand. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "inference/joint.h"
#include "scores/score.h"
#include "scores/special.h"
#include "network/regression.h"

static const struct bestdag_option prior_row[] = {
    {"prior", BESTDAG_FILE, .value = "NET", .help = "prior network of bde"},
    {0}};
const struct bestdag_option_group bestdag_prior_options = {"score", prior_row};

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
                                "the prior network has no state '%s' of '%s'",
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

enum { SLOTS = 1 << 13, MOST_HELD = 1 << 23 };

struct bestdag_prior {
    int count;     /* 0: the slot is empty */
    int *set;      /* owns; [count] */
    double *table; /* owns; [cells] */
    int64_t bytes;
};

static void drop(struct bestdag_beliefs *b, struct bestdag_prior *slot)
{
    b->held -= slot->bytes;
    bestdag_free(slot->set);
    bestdag_free(slot->table);
    *slot = (struct bestdag_prior){0};
}

void bestdag_beliefs_release(struct bestdag_beliefs *b)
{
    for (int i = 0; b->kept && i < SLOTS; i++)
        drop(b, &b->kept[i]);
    bestdag_joint_free(b->joint);
    bestdag_free(b->kept);
    bestdag_free(b->set);
    bestdag_free(b->stride);
    bestdag_free(b->seen);
}

static int states_of(const struct bestdag_scorer *s, int v)
{
    return s->prior->variable[s->prior_variable[v]].states;
}

static int make_room(struct bestdag_beliefs *b, const struct bestdag_scorer *s)
{
    size_t rows = (size_t)s->table->rows + 1, n = (size_t)s->n;
    if (!b->joint)
        b->joint = bestdag_joint_new(b->run, s->prior, false);
    if (!b->seen)
        b->seen = bestdag_alloc(b->run, rows);
    if (!b->set)
        b->set = bestdag_alloc(b->run, 2 * n * sizeof *b->set);
    if (!b->stride)
        b->stride = bestdag_alloc(b->run, n * sizeof *b->stride);
    if (!b->kept)
        b->kept = bestdag_calloc(b->run, SLOTS, sizeof *b->kept);
    return b->joint && b->seen && b->set && b->stride && b->kept
               ? BESTDAG_OK
               : BESTDAG_MEMORY;
}

/* Parents and child, ascending. */
static int sort_family(const struct bestdag_score_view *v, int *to)
{
    for (int i = 0; i <= v->count; i++) {
        int x = i < v->count ? v->parents[i] : v->child, j = i;
        for (; j > 0 && to[j - 1] > x; j--)
            to[j] = to[j - 1];
        to[j] = x;
    }
    return v->count + 1;
}

static struct bestdag_prior *slot_of(struct bestdag_beliefs *b, const int *set,
                                     int count)
{
    uint64_t hash = 0;
    for (int i = 0; i < count; i++)
        hash = bestdag_mix(hash ^ ((uint64_t)set[i] + 1));
    return &b->kept[hash % SLOTS];
}

/* Fills a slot by variable elimination. */
static int fill(const struct bestdag_scorer *s, struct bestdag_beliefs *b,
                struct bestdag_prior *slot, const int *set, int count)
{
    double cells = 1;
    int *in_prior = b->set + s->n;
    for (int i = 0; i < count; i++) {
        cells *= states_of(s, set[i]);
        in_prior[i] = s->prior_variable[set[i]];
    }
    if (cells > 1e15)
        return bestdag_reserve(b->run, -1, "the prior of a family");
    drop(b, slot);
    slot->set = bestdag_alloc(b->run, (size_t)count * sizeof *set);
    slot->table = bestdag_alloc(b->run, (size_t)cells * sizeof *slot->table);
    if (!slot->set || !slot->table ||
        bestdag_joint_compute(b->run, b->joint, in_prior, count, slot->table,
                              (int64_t)cells))
        return BESTDAG_MEMORY;
    memcpy(slot->set, set, (size_t)count * sizeof *set);
    slot->count = count;
    slot->bytes = (int64_t)cells * (int64_t)sizeof *slot->table;
    b->held += slot->bytes;
    return BESTDAG_OK;
}

static void drop_others(struct bestdag_beliefs *b,
                        const struct bestdag_prior *but)
{
    for (int i = 0; i < SLOTS; i++)
        if (&b->kept[i] != but)
            drop(b, &b->kept[i]);
}

/* The table of a family, and the strides of each parent and of the child in
 * it. */
struct belief {
    const double *table;
    const int64_t *stride; /* [count + 1]; the child's is last */
};

/* The stride of a variable of the set in the table. */
static int64_t stride_of(const struct bestdag_scorer *s, const int *set,
                         int count, int variable)
{
    int64_t stride = 1;
    for (int i = count - 1; set[i] != variable; i--)
        stride *= states_of(s, set[i]);
    return stride;
}

static int look_up(const struct bestdag_scorer *s,
                   const struct bestdag_score_view *v, struct belief *to)
{
    struct bestdag_beliefs *b = v->beliefs;
    if (make_room(b, s))
        return BESTDAG_MEMORY;
    int count = sort_family(v, b->set);
    struct bestdag_prior *slot = slot_of(b, b->set, count);
    if ((slot->count != count ||
         memcmp(slot->set, b->set, (size_t)count * sizeof *b->set) != 0) &&
        fill(s, b, slot, b->set, count))
        return BESTDAG_MEMORY;
    if (b->held > MOST_HELD)
        drop_others(b, slot);
    for (int i = 0; i < v->count; i++)
        b->stride[i] = stride_of(s, b->set, count, v->parents[i]);
    b->stride[v->count] = stride_of(s, b->set, count, v->child);
    *to = (struct belief){slot->table, b->stride};
    memset(b->seen, 0, (size_t)v->groups);
    return BESTDAG_OK;
}

/* The beginning of a row's parent configuration in the table. */
static const double *configuration(const struct bestdag_scorer *s,
                                   const struct bestdag_score_view *v,
                                   const struct belief *b, int64_t row)
{
    const double *at = b->table;
    for (int i = 0; i < v->count; i++) {
        int p = v->parents[i];
        int code = bestdag_column_code(&s->table->column[p], row);
        at += s->prior_state[p][code] * b->stride[i];
    }
    return at;
}

/* Passes each term of the sum to `add`: a count n with pseudo-count a, with its
 * sign. False: the prior excludes an observed cell. */
static bool visit(const struct bestdag_scorer *s,
                  const struct bestdag_score_view *v, const struct belief *b,
                  void (*add)(void *to, double scale, double a, int64_t n,
                              int sign),
                  void *to)
{
    int64_t stride = b->stride[v->count];
    for (int64_t i = 0; i < v->cells; i++) {
        const struct bestdag_cell *c = &v->cell[i];
        const double *p = configuration(s, v, b, c->row);
        double all = 0;
        double a = s->ess * p[s->prior_state[v->child][c->state] * stride];
        if (!(a > 1e-290))
            return false;
        add(to, s->scale, a, c->count, 1);
        if (v->beliefs->seen[c->group])
            continue;
        v->beliefs->seen[c->group] = 1;
        for (int k = 0; k < states_of(s, v->child); k++)
            all += p[k * stride];
        add(to, s->scale, s->ess * all, v->weight[c->group], -1);
    }
    return true;
}

static void add_units(void *to, double scale, double a, int64_t n, int sign)
{
    *(int64_t *)to +=
        sign * llround(bestdag_log_rising_factorial(a, (double)n) * scale);
}

static void add_nats(void *to, double scale, double a, int64_t n, int sign)
{
    (void)scale;
    *(double *)to +=
        sign * (bestdag_log_gamma(a + (double)n) - bestdag_log_gamma(a));
}

static int local(const struct bestdag_scorer *s,
                 const struct bestdag_score_view *v, int64_t *units)
{
    struct belief b;
    *units = 0;
    if (look_up(s, v, &b))
        return BESTDAG_MEMORY;
    if (!visit(s, v, &b, add_units, units))
        *units = -BESTDAG_UNITS_MOST / 2;
    return BESTDAG_OK;
}

static double nats(const struct bestdag_scorer *s,
                   const struct bestdag_score_view *v)
{
    struct belief b;
    double sum = 0;
    if (look_up(s, v, &b))
        return NAN;
    return visit(s, v, &b, add_nats, &sum) ? sum : -INFINITY;
}

/* ---- preparation --------------------------------------------------------- */

static int prepare(struct bestdag_run *run, struct bestdag_scorer *s,
                   const struct bestdag_options *options)
{
    const char *path =
        bestdag_option_value(options, &bestdag_prior_options, "prior").text;
    s->ess = bestdag_option_value(options, &bestdag_ess_options, "ess").number;
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
    if (bestdag_network_need_states(run, s->prior, "the prior of bde"))
        return bestdag_run_status(run);
    if (!bestdag_network_has_tables(s->prior))
        return bestdag_fail(run, BESTDAG_INPUT, "%s: has no tables", path);
    return match(run, s);
}

const struct bestdag_score_type bestdag_score_bde = {
    .name = "bde",
    .options = {&bestdag_ess_options, &bestdag_prior_options},
    .required = "prior",
    .dirichlet = true,
    .help = "ln marginal likelihood, Dirichlet prior a_jk = --ess p0(j, k) of "
            "--prior",
    .equivalent = true,
    .pruning = BESTDAG_PRUNE_DOMINATED,
    .prepare = prepare,
    .nats = nats,
    .local = local};
