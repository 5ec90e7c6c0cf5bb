/* SPDX-License-Identifier: MIT */
/* state_order.h -- the states of a variable from low to high.
 *
 * A `states` rule gives the order; else labels that are all numbers are ordered
 * as numbers, labels of our own intervals (s1_below_2, s2_from_2) by their
 * number, declared states as declared. Other labels have no order: in the
 * alphabet, high comes before low. */
#ifndef BESTDAG_CONSTRAINTS_PARAMETERS_STATE_ORDER_H
#define BESTDAG_CONSTRAINTS_PARAMETERS_STATE_ORDER_H

#include "constraints/language/scope.h"
#include "constraints/parameters/parameters.h"

struct bestdag_state_order {
    bool known;
    int *state; /* owns; [states]: from low to high; as they are if not known */
    int *place; /* owns; [states]: of a state in it */
};

/* Of all n subjects; applies the `states` rules. */
struct bestdag_state_order *bestdag_state_orders_new(
    struct bestdag_run *run, const struct bestdag_rules *rules,
    const struct bestdag_rule_scope *scope,
    const struct bestdag_subject *subjects);
void bestdag_state_orders_free(struct bestdag_state_order *state_orders, int n);
/* The state of this label; -1, and an error that suggests the nearest, if there
 * is none. */
int bestdag_subject_state(struct bestdag_run *run,
                          const struct bestdag_subject *subject,
                          const struct bestdag_rule *rule,
                          const struct bestdag_rule_word *label);

#endif
