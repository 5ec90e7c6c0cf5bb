/* SPDX-License-Identifier: MIT */
/* statement.c -- the constraints of rules about parameters.
 *
 *   positive A -> B   neighbours a < a' of A, every b:
 *                     P(B >= b | a') - P(B >= b | a) >= 0.
 *                     Neighbours suffice: the others are sums of them
 *   synergy           the same for neighbours of both parents
 *   sums of P( )      a condition A <= a or A >= a stands for each of its
 *                     states: the line holds whichever each P( ) takes
 *   zero A -> B       rows that are the same, whatever the order of states */
#include "constraints/parameters/statement.h"

#include <math.h>
#include <string.h>

struct translation {
    const struct bestdag_statement_source *of;
    const struct bestdag_rule *rule;
    const struct bestdag_choice *choice;
    struct bestdag_statement *to;
    int states; /* of the child */
    int *entry; /* scratch: room for one limit */
    double *factor;
    int count; /* of the limit that is being made */
    int64_t room;
};

enum { MOST_LIMITS = 1 << 20 }; /* of one statement */

static void *store(const struct translation *s, size_t count, size_t bytes)
{
    return bestdag_rules_store(s->of->run, s->of->store, count, bytes);
}

static int variable(const struct translation *s,
                    const struct bestdag_rule_word *name)
{
    return bestdag_choice_of(s->choice,
                             bestdag_scope_name(s->of->scope, s->rule, name));
}

/* ---- child and parents --------------------------------------------------- */

static int set_strides(struct translation *s)
{
    struct bestdag_statement *to = s->to;
    int64_t rows = 1;
    for (int i = to->count - 1; i >= 0; i--) {
        to->stride[i] = (int)rows;
        rows *= s->of->subjects[to->parent[i]].states;
        if (rows * s->states > BESTDAG_BLOCK_MOST)
            return bestdag_rule_fail(
                s->of->run, s->rule, NULL,
                "the parents have more than %d configurations, the limit of "
                "parameter rules",
                BESTDAG_BLOCK_MOST / s->states);
    }
    to->rows = (int)rows;
    return BESTDAG_OK;
}

static int set_family(struct translation *s,
                      const struct bestdag_rule_word *child,
                      const struct bestdag_rule_word *const *parents, int count)
{
    struct bestdag_statement *to = s->to;
    to->child = variable(s, child);
    to->parent = store(s, (size_t)count + 1, sizeof *to->parent);
    to->stride = store(s, (size_t)count + 1, sizeof *to->stride);
    if (!to->parent || !to->stride)
        return bestdag_run_status(s->of->run);
    for (int i = 0; i < count; i++) {
        int v = variable(s, parents[i]), j = to->count++;
        for (; j > 0 && to->parent[j - 1] > v; j--)
            to->parent[j] = to->parent[j - 1];
        to->parent[j] = v;
    }
    s->states = s->of->subjects[to->child].states;
    return set_strides(s);
}

static int stride_of(const struct translation *s, int parent)
{
    int i = 0;
    while (s->to->parent[i] != parent)
        i++;
    return s->to->stride[i];
}

/* The order of a variable; NULL: it is not known, which is an error. */
static const struct bestdag_state_order *order_of(const struct translation *s,
                                                  int v, const char *what)
{
    const struct bestdag_state_order *state_order = &s->of->state_orders[v];
    const char *name = s->of->subjects[v].name;
    if (state_order->known)
        return state_order;
    bestdag_rule_fail(s->of->run, s->rule, NULL,
                      "'%s' needs the order of the states of '%s': add  states "
                      "%s: ... < ... < ...",
                      what, name, name);
    return NULL;
}

/* ---- phrases ------------------------------------------------------------- */

static struct bestdag_phrase *add_phrase(struct translation *s,
                                         enum bestdag_phrase_kind kind)
{
    struct bestdag_phrase *phrase = store(s, 1, sizeof *phrase);
    if (!phrase)
        return NULL;
    phrase->kind = kind;
    phrase->next = s->to->phrase;
    s->to->phrase = phrase;
    return phrase;
}

/* Room for limits of this many entries. */
static int begin_limits(struct translation *s, int64_t entries)
{
    s->entry = store(s, (size_t)entries + 1, sizeof *s->entry);
    s->factor = store(s, (size_t)entries + 1, sizeof *s->factor);
    return s->entry && s->factor ? BESTDAG_OK : bestdag_run_status(s->of->run);
}

static void add_entry(struct translation *s, int entry, double factor)
{
    s->entry[s->count] = entry;
    s->factor[s->count++] = factor;
}

/* The chance of state `place` or above in a row. */
static void add_tail(struct translation *s, int row, int place, double factor)
{
    const struct bestdag_state_order *child =
        &s->of->state_orders[s->to->child];
    for (int k = place; k < s->states; k++)
        add_entry(s, row * s->states + child->state[k], factor);
}

static int end_limit(struct translation *s, int relation, double bound)
{
    struct bestdag_phrase *phrase = add_phrase(s, BESTDAG_PHRASE_LIMIT);
    int *entry = store(s, (size_t)s->count + 1, sizeof *entry);
    double *factor = store(s, (size_t)s->count + 1, sizeof *factor);
    if (!phrase || !entry || !factor)
        return bestdag_run_status(s->of->run);
    memcpy(entry, s->entry, (size_t)s->count * sizeof *entry);
    memcpy(factor, s->factor, (size_t)s->count * sizeof *factor);
    phrase->limit =
        (struct bestdag_limit){s->count, entry, factor, relation, bound};
    s->count = 0;
    return BESTDAG_OK;
}

/* ---- influences ---------------------------------------------------------- */

static int make_influence(struct translation *s, int parent, int sign)
{
    const int *state = s->of->state_orders[parent].state;
    int status = begin_limits(s, 2 * (int64_t)s->states);
    for (int i = 1; i < s->of->subjects[parent].states && !status; i++) {
        if (!sign) {
            struct bestdag_phrase *tie = add_phrase(s, BESTDAG_PHRASE_TIE);
            if (!tie)
                return bestdag_run_status(s->of->run);
            tie->tie.a = state[i - 1];
            tie->tie.b = state[i];
            continue;
        }
        for (int k = 1; k < s->states && !status; k++) {
            add_tail(s, state[i], k, 1);
            add_tail(s, state[i - 1], k, -1);
            status = end_limit(s, sign, 0);
        }
    }
    return status;
}

static int make_synergy(struct translation *s, const int *parent, int sign)
{
    const int *a = s->of->state_orders[parent[0]].state,
              *b = s->of->state_orders[parent[1]].state;
    int by_a = stride_of(s, parent[0]), by_b = stride_of(s, parent[1]);
    int status = begin_limits(s, 4 * (int64_t)s->states);
    for (int i = 1; i < s->of->subjects[parent[0]].states; i++)
        for (int j = 1; j < s->of->subjects[parent[1]].states; j++)
            for (int k = 1; k < s->states && !status; k++) {
                add_tail(s, a[i] * by_a + b[j] * by_b, k, 1);
                add_tail(s, a[i - 1] * by_a + b[j - 1] * by_b, k, 1);
                add_tail(s, a[i] * by_a + b[j - 1] * by_b, k, -1);
                add_tail(s, a[i - 1] * by_a + b[j] * by_b, k, -1);
                status = end_limit(s, sign, 0);
            }
    return status;
}

static int make_quality(struct translation *s)
{
    const struct bestdag_quality *q = &s->rule->quality;
    const struct bestdag_rule_word *names[2] = {&q->parent[0], &q->parent[1]};
    const char *what = q->sign > 0 ? "positive" : "negative";
    int parent[2] = {0}, count = q->parents == 2 ? 2 : 1;
    int status = set_family(s, &q->child, names, count);
    for (int i = 0; i < count && !status; i++) {
        parent[i] = variable(s, names[i]);
        if (q->sign && !order_of(s, parent[i], what))
            status = bestdag_run_status(s->of->run);
    }
    if (!status && q->sign && !order_of(s, s->to->child, what))
        status = bestdag_run_status(s->of->run);
    if (status)
        return status;
    return count == 1 ? make_influence(s, parent[0], q->sign)
                      : make_synergy(s, parent, q->sign);
}

/* ---- P( ) ---------------------------------------------------------------- */

/* What an event allows of a variable: places low to high - 1 of its order. */
struct range {
    const int *state;
    int low, high;
};

static int find_range(struct translation *s, const struct bestdag_event *event,
                      struct range *to)
{
    int v = variable(s, &event->name);
    int state = bestdag_subject_state(s->of->run, &s->of->subjects[v], s->rule,
                                      &event->label);
    if (state < 0)
        return bestdag_run_status(s->of->run);
    const struct bestdag_state_order *state_order = &s->of->state_orders[v];
    if (event->compare != BESTDAG_EQUAL &&
        !order_of(s, v, event->compare == BESTDAG_AT_MOST ? "<=" : ">="))
        return bestdag_run_status(s->of->run);
    int at = state_order->place[state];
    *to = (struct range){
        state_order->state, event->compare == BESTDAG_AT_MOST ? 0 : at,
        event->compare == BESTDAG_AT_LEAST ? s->of->subjects[v].states
                                           : at + 1};
    return BESTDAG_OK;
}

/* The rows that the conditions of a P( ) allow. */
struct given {
    int count;
    int *row; /* in the store */
};

static int find_given(struct translation *s,
                      const struct bestdag_probability *chance,
                      struct given *to)
{
    *to = (struct given){.count = 1};
    to->row = store(s, (size_t)s->to->rows, sizeof *to->row);
    if (!to->row)
        return bestdag_run_status(s->of->run);
    for (int i = 0; i < chance->count; i++) {
        struct range range = {NULL, 0, 0};
        int status = find_range(s, &chance->given[i], &range);
        if (status)
            return status;
        int stride = stride_of(s, variable(s, &chance->given[i].name));
        int before = to->count, width = range.high - range.low;
        to->count = before * width; /* at most s->to->rows */
        for (int j = to->count - 1; j >= 0; j--)
            to->row[j] = to->row[j / width] +
                         range.state[range.low + j % width] * stride;
    }
    return BESTDAG_OK;
}

static int set_family_of(struct translation *s,
                         const struct bestdag_probability *chance)
{
    const struct bestdag_rule_word **names =
        store(s, (size_t)chance->count + 1, sizeof *names);
    if (!names)
        return bestdag_run_status(s->of->run);
    for (int i = 0; i < chance->count; i++)
        names[i] = &chance->given[i].name;
    return set_family(s, &chance->child.name, names, chance->count);
}

/* One limit: term i takes row at[i] of its given. */
static int make_sum(struct translation *s, const struct bestdag_linear *linear,
                    const struct given *given, const int *at)
{
    int relation = linear->compare == BESTDAG_AT_MOST    ? -1
                   : linear->compare == BESTDAG_AT_LEAST ? 1
                                                         : 0;
    for (int i = 0; i < linear->count; i++) {
        const struct bestdag_term *term = &linear->term[i];
        struct range range = {NULL, 0, 0};
        if (find_range(s, &term->chance.child, &range))
            return bestdag_run_status(s->of->run);
        for (int k = range.low; k < range.high; k++)
            add_entry(s, given[i].row[at[i]] * s->states + range.state[k],
                      term->factor);
    }
    return end_limit(s, relation, linear->bound);
}

/* The next choice of rows, the last term fastest; false after the last. */
static bool next_rows(const struct given *given, int *at, int count)
{
    for (int i = count - 1; i >= 0; i--) {
        if (++at[i] < given[i].count)
            return true;
        at[i] = 0;
    }
    return false;
}

static int make_linear(struct translation *s,
                       const struct bestdag_linear *linear)
{
    size_t count = (size_t)linear->count + 1;
    struct given *given = store(s, count, sizeof *given);
    int *at = store(s, count, sizeof *at);
    double limits = 1;
    int status = given && at ? BESTDAG_OK : bestdag_run_status(s->of->run);
    for (int i = 0; i < linear->count && !status; i++) {
        status = find_given(s, &linear->term[i].chance, &given[i]);
        limits *= given[i].count;
    }
    if (!status && limits > MOST_LIMITS)
        return bestdag_rule_fail(
            s->of->run, s->rule, NULL,
            "expands to %.0f inequalities; the limit is %d", limits,
            (int)MOST_LIMITS);
    if (!status)
        status = begin_limits(s, (int64_t)linear->count * s->states);
    if (status)
        return status;
    do
        status = make_sum(s, linear, given, at);
    while (!status && next_rows(given, at, linear->count));
    return status;
}

static int make_sums(struct translation *s)
{
    const struct bestdag_linear *l = s->rule->linear.at;
    int status = set_family_of(s, &(l->count ? l : l + 1)->term[0].chance);
    for (int i = 0; i < s->rule->linear.count && !status; i++)
        status = make_linear(s, &l[i]);
    return status;
}

/* ---- distances ----------------------------------------------------------- */

static int check_targets(struct translation *s, const struct bestdag_near *near)
{
    double sum = 0;
    for (int k = 0; k < near->count; k++)
        sum += near->target[k];
    if (near->count != s->states)
        return bestdag_rule_fail(s->of->run, s->rule, NULL,
                                 "%d probabilities for the %d states of '%s'",
                                 near->count, s->states,
                                 s->of->subjects[s->to->child].name);
    if (fabs(sum - 1) > 1e-6)
        return bestdag_rule_fail(s->of->run, s->rule, NULL,
                                 "the probabilities sum to %g, expected 1",
                                 sum);
    return order_of(s, s->to->child, "near") ? BESTDAG_OK
                                             : bestdag_run_status(s->of->run);
}

static int make_near(struct translation *s)
{
    const struct bestdag_near *near = &s->rule->near;
    struct given given = {0, NULL};
    int status = set_family_of(s, &near->chance);
    if (!status)
        status = check_targets(s, near);
    if (!status)
        status = find_given(s, &near->chance, &given);
    double *centre =
        status ? NULL : store(s, (size_t)s->states, sizeof *centre);
    if (!centre)
        return bestdag_run_status(s->of->run);
    for (int k = 0; k < s->states; k++)
        centre[s->of->state_orders[s->to->child].state[k]] = near->target[k];
    for (int i = 0; i < given.count; i++) {
        struct bestdag_phrase *phrase = add_phrase(s, BESTDAG_PHRASE_NEAR);
        if (!phrase)
            return bestdag_run_status(s->of->run);
        phrase->near.row = given.row[i];
        phrase->near.centre = centre;
        phrase->near.most = near->bound;
    }
    return BESTDAG_OK;
}

/* ---- functions of the caller --------------------------------------------- */

/* The entries in the order that the function has them: its parents as given,
 * the first slowest. */
static int make_convex(struct translation *s)
{
    const struct bestdag_convexity *c = &s->rule->convex;
    int status = set_family_of(s, &c->chance);
    int count = s->to->rows * s->states;
    int *entry = status ? NULL : store(s, (size_t)count, sizeof *entry);
    struct bestdag_phrase *phrase =
        entry ? add_phrase(s, BESTDAG_PHRASE_CONVEX) : NULL;
    if (!phrase)
        return bestdag_run_status(s->of->run);
    for (int i = 0; i < count; i++)
        entry[i] = i % s->states;
    int step = s->states;
    for (int j = c->chance.count - 1; j >= 0; j--) {
        int v = variable(s, &c->chance.given[j].name);
        int states = s->of->subjects[v].states, stride = stride_of(s, v);
        for (int i = 0; i < count; i++)
            entry[i] += i / step % states * stride * s->states;
        step *= states;
    }
    phrase->convex =
        (struct bestdag_convex){c->function, c->data, count, entry};
    return BESTDAG_OK;
}

int bestdag_statement_make(const struct bestdag_statement_source *source,
                           int rule, const struct bestdag_choice *choice,
                           struct bestdag_statement *to)
{
    struct translation s = {.of = source,
                            .rule = &source->rules->rule[rule],
                            .choice = choice,
                            .to = to};
    *to = (struct bestdag_statement){.rule = rule,
                                     .if_present = s.rule->if_present};
    switch (s.rule->kind) {
    case BESTDAG_RULE_QUALITY:
        return make_quality(&s);
    case BESTDAG_RULE_LINEAR:
        return make_sums(&s);
    case BESTDAG_RULE_CONVEX:
        return make_convex(&s);
    default:
        return make_near(&s);
    }
}
