/* SPDX-License-Identifier: MIT */
/* completed_rows.h -- structures that the files of completion share. */
#ifndef BESTDAG_MODELS_HOLES_COMPLETED_ROWS_H
#define BESTDAG_MODELS_HOLES_COMPLETED_ROWS_H

#include "models/holes/completed_table.h"

struct bestdag_hole_slot {
    int variable, component;
    int place; /* among the component's holes */
    int states;
    int64_t
        lacking; /* kinds of rows before this pattern that lack the variable */
};

struct bestdag_completed_component {
    int first, holes; /* slots */
    int pair; /* in pattern->pair: that of holes a < b is at b (b - 1) / 2 + a;
                 -1: the component has too many holes */
};

/* Rows that lack the same variables; owns its lists. */
struct bestdag_completed_pattern {
    int64_t first, rows; /* kinds of rows */
    struct bestdag_hole_slot *slot;
    struct bestdag_completed_component *component;
    int16_t *slot_of; /* by variable; -1: rows have a value */
    int slots, components;
    int *pair; /* owns; where the joint of two holes begins, in a row's pairs;
                  the second hole is fastest */
    int pairs, cells; /* of pair; numbers in the pairs of a row */
};

/* The posterior of one row: for each component the joint states of its holes
 * whose probability is worth counting; an empty list: a session answers. */
struct bestdag_completed_row {
    double *p;       /* owns; of all components, one after the other */
    double *pair;    /* owns; [pattern->cells]: joints of two holes */
    uint16_t *digit; /* owns; states of the holes of each of p, in order */
    int32_t *start;  /* owns; [components + 1]: in p; NULL: no holes */
    int32_t *from;   /* [components]: in digit; in start's memory */
};

/* The posterior of one hole of a row of the pattern. */
static inline double *bestdag_completed_marginal(
    const struct bestdag_completion *c,
    const struct bestdag_completed_pattern *p,
    const struct bestdag_hole_slot *slot, int64_t row)
{
    return c->marginal[slot->variable] +
           (slot->lacking + row - p->first) * slot->states;
}

/* Number of joint states in a row's list for a component; 0: a session
 * answers. */
static inline int32_t bestdag_completed_length(
    const struct bestdag_completed_row *row, int component)
{
    return row->start[component + 1] - row->start[component];
}

/* Sets the values of a row as a session's evidence and collects it at once, so
 * that the way answers are computed does not depend on the row before. */
int bestdag_completion_tell(struct bestdag_run *run,
                            struct bestdag_session *session,
                            const struct bestdag_completion *completion,
                            int64_t row);

/* One thread's scratch for listing joint states. */
struct bestdag_joint_list {
    struct bestdag_run *run;
    const struct bestdag_hole_plan *plan;
    const int *rank; /* [n]: parents first */
    double *p;       /* owns; those found */
    uint16_t *digit; /* owns */
    int64_t count, room, digits, digit_room;
    /* of one component: */
    int holes;
    int *order;   /* owns; [n]: its holes by rank: places */
    int *step_of; /* owns; [n]: step at which a place gets its state */
    int *last;    /* owns; [families]: step at which the family is complete */
    int *state;   /* owns; [n]: by place */
    double floor,
        lost; /* weights below floor are left out; their sum is lost */
    double sum;
    int64_t nodes;
    bool is_full; /* there are too many joint states */
};

int bestdag_joint_list_new(struct bestdag_run *run,
                           const struct bestdag_hole_plan *plan,
                           const int *rank, struct bestdag_joint_list *to);
void bestdag_joint_list_release(struct bestdag_joint_list *list);
/* Appends the joint states of a component of the plan's row, with their
 * posterior. *fits: false if there are too many; then nothing is appended. */
int bestdag_joint_list_add(struct bestdag_joint_list *list, int component,
                           bool *fits);

#endif
