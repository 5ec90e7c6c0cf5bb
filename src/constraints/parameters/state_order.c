/* SPDX-License-Identifier: MIT */
/* state_order.c -- the order of states: see state_order.h. */
#include "constraints/parameters/state_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const char *label_at(const void *subject, int i)
{
    return ((const struct bestdag_subject *)subject)->labels[i];
}

int bestdag_subject_state(struct bestdag_run *run,
                          const struct bestdag_subject *subject,
                          const struct bestdag_rule *rule,
                          const struct bestdag_rule_word *label)
{
    char nearest[128];
    for (int s = 0; s < subject->states; s++)
        if (!strcmp(subject->labels[s], label->text))
            return s;
    bestdag_rule_fail(
        run, rule, label, "'%s' has no state '%s'%s", subject->name,
        label->text,
        bestdag_suggest(nearest, bestdag_nearest(label->text, label_at, subject,
                                                 subject->states)));
    return -1;
}

/* ---- natural orders of labels -------------------------------------------- */

static bool as_number(const char *label, double *to)
{
    return bestdag_number_parse(label, strlen(label), to);
}

/* "s12_below_3": 12. */
static bool as_interval(const char *label, double *to)
{
    if (label[0] != 's' || label[1] < '1' || label[1] > '9')
        return false;
    size_t digits = strspn(label + 1, "0123456789");
    return label[1 + digits] == '_' && digits < 10 &&
           bestdag_number_parse(label + 1, digits, to);
}

/* Puts the states in the order of a value that every label has; false: one has
 * none, or two have the same. */
static bool sort_by(const struct bestdag_subject *subject,
                    bool (*value)(const char *label, double *to), int *state)
{
    double x = 0, y = 0;
    for (int i = 0; i < subject->states; i++) {
        int j = i;
        if (!value(subject->labels[i], &x))
            return false;
        for (; j > 0; j--) {
            value(subject->labels[state[j - 1]], &y);
            if (y == x)
                return false;
            if (y < x)
                break;
            state[j] = state[j - 1];
        }
        state[j] = i;
    }
    return true;
}

static void find_own(const struct bestdag_subject *subject,
                     struct bestdag_state_order *to)
{
    to->known = sort_by(subject, as_number, to->state) ||
                sort_by(subject, as_interval, to->state);
    if (to->known)
        return;
    for (int s = 0; s < subject->states; s++)
        to->state[s] = s;
    to->known = subject->ordered || subject->states < 2;
}

/* ---- orders that rules give ---------------------------------------------- */

static int apply(struct bestdag_run *run, const struct bestdag_rule *rule,
                 const struct bestdag_subject *subject,
                 struct bestdag_state_order *to)
{
    const struct bestdag_rule_words *labels = &rule->states.labels;
    int count = 0;
    for (int s = 0; s < subject->states; s++)
        to->place[s] = -1;
    for (int i = 0; i < labels->count; i++)
        for (int s = 0; s < subject->states; s++)
            if (!strcmp(subject->labels[s], labels->at[i].text)) {
                if (to->place[s] >= 0)
                    return bestdag_rule_fail(run, rule, &labels->at[i],
                                             "'%s' is repeated in this order",
                                             labels->at[i].text);
                to->place[s] = count;
                to->state[count++] = s;
            }
    for (int s = 0; s < subject->states; s++)
        if (to->place[s] < 0)
            return bestdag_rule_fail(run, rule, &rule->states.name,
                                     "'%s' also has the state '%s', which is "
                                     "not in this order",
                                     subject->name, subject->labels[s]);
    to->known = true;
    return BESTDAG_OK;
}

/* by: the rule that ordered each variable, or -1. */
static int apply_rule(struct bestdag_run *run,
                      const struct bestdag_rules *rules, int rule,
                      const struct bestdag_rule_scope *scope,
                      const struct bestdag_subject *subjects,
                      struct bestdag_state_order *state_orders, int *by)
{
    const struct bestdag_rule *r = &rules->rule[rule];
    struct bestdag_choice choice;
    char place[128];
    int status = bestdag_choice_start(run, &choice, scope, r);
    int name = bestdag_scope_name(scope, r, &r->states.name);
    while (!status && bestdag_choice_next(&choice)) {
        int v = bestdag_choice_of(&choice, name);
        if (by[v] >= 0)
            status = bestdag_rule_fail(
                run, r, &r->states.name,
                "the order of the states of '%s' is already given by %s",
                subjects[v].name,
                bestdag_rule_place(&rules->rule[by[v]], place));
        else
            status = apply(run, r, &subjects[v], &state_orders[v]);
        by[v] = rule;
    }
    bestdag_choice_release(&choice);
    return status;
}

static int apply_rules(struct bestdag_run *run,
                       const struct bestdag_rules *rules,
                       const struct bestdag_rule_scope *scope,
                       const struct bestdag_subject *subjects,
                       struct bestdag_state_order *state_orders)
{
    int *by = bestdag_alloc(run, (size_t)scope->n * sizeof *by);
    int status = by ? BESTDAG_OK : bestdag_run_status(run);
    for (int v = 0; by && v < scope->n; v++)
        by[v] = -1;
    for (int i = 0; i < rules->count && !status; i++)
        if (rules->rule[i].kind == BESTDAG_RULE_STATES)
            status =
                apply_rule(run, rules, i, scope, subjects, state_orders, by);
    bestdag_free(by);
    return status;
}

/* ---- all variables ------------------------------------------------------- */

static int start(struct bestdag_run *run, const struct bestdag_subject *subject,
                 struct bestdag_state_order *to)
{
    size_t states = (size_t)subject->states;
    to->state = bestdag_alloc(run, states * sizeof *to->state);
    to->place = bestdag_alloc(run, states * sizeof *to->place);
    if (!to->state || !to->place)
        return bestdag_run_status(run);
    find_own(subject, to);
    return BESTDAG_OK;
}

struct bestdag_state_order *bestdag_state_orders_new(
    struct bestdag_run *run, const struct bestdag_rules *rules,
    const struct bestdag_rule_scope *scope,
    const struct bestdag_subject *subjects)
{
    struct bestdag_state_order *all =
        bestdag_calloc(run, (size_t)scope->n + 1, sizeof *all);
    int status = all ? BESTDAG_OK : bestdag_run_status(run);
    for (int v = 0; v < scope->n && !status; v++)
        status = start(run, &subjects[v], &all[v]);
    if (!status)
        status = apply_rules(run, rules, scope, subjects, all);
    for (int v = 0; v < scope->n && !status; v++)
        for (int i = 0; i < subjects[v].states; i++)
            all[v].place[all[v].state[i]] = i;
    if (!status)
        return all;
    bestdag_state_orders_free(all, scope->n);
    return NULL;
}

void bestdag_state_orders_free(struct bestdag_state_order *state_orders, int n)
{
    for (int v = 0; state_orders && v < n; v++) {
        bestdag_free(state_orders[v].state);
        bestdag_free(state_orders[v].place);
    }
    bestdag_free(state_orders);
}
