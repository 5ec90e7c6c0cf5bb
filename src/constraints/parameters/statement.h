/* SPDX-License-Identifier: MIT */
/* statement.h -- one rule about parameters for one choice of its variables: the
 * constraints that it makes.
 *
 * They are over the configurations of the statement's own parents (ascending,
 * last fastest); entry = configuration * states of the child + state. */
#ifndef BESTDAG_CONSTRAINTS_PARAMETERS_STATEMENT_H
#define BESTDAG_CONSTRAINTS_PARAMETERS_STATEMENT_H

#include "constraints/parameters/state_order.h"

enum bestdag_phrase_kind {
    BESTDAG_PHRASE_LIMIT,
    BESTDAG_PHRASE_TIE,
    BESTDAG_PHRASE_NEAR,
    BESTDAG_PHRASE_CONVEX
};

struct bestdag_phrase {
    enum bestdag_phrase_kind kind;
    union {
        struct bestdag_limit limit;
        struct {
            int a, b; /* rows */
        } tie;
        struct {
            int row;
            const double *centre;
            double most;
        } near;
        struct bestdag_convex convex;
    };
    struct bestdag_phrase *next;
};

struct bestdag_statement {
    int rule, child;
    bool if_present;
    int count;   /* parents */
    int *parent; /* ascending */
    int *stride; /* rows between two states of a parent */
    int rows;
    struct bestdag_phrase *phrase; /* a list */
};

/* The input from which statements are made. */
struct bestdag_statement_source {
    struct bestdag_run *run;
    const struct bestdag_rules *rules;
    const struct bestdag_rule_scope *scope;
    const struct bestdag_subject *subjects;
    const struct bestdag_state_order *state_orders;
    struct bestdag_rules *store; /* what the statements live in */
};

/* Of rule number `rule`, which has parameters, for this choice. */
int bestdag_statement_make(const struct bestdag_statement_source *source,
                           int rule, const struct bestdag_choice *choice,
                           struct bestdag_statement *to);

#endif
