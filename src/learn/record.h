/* SPDX-License-Identifier: MIT */
/* record.h -- what a result keeps in addition to its network: what the arcs are
 * worth, best and bound over time, what was in the table, which rules there
 * were, where it all comes from. The page (report/) shows it. */
#ifndef BESTDAG_LEARN_RECORD_H
#define BESTDAG_LEARN_RECORD_H

#include "base/progress_log.h"
#include "data/hole_patterns.h"
#include "graph/cpdag.h"

struct bestdag_reported_rule {
    char *place; /* owns; "expert.rules:7", or "" */
    char *text;  /* owns */
    bool is_met; /* the graph obeys it: the checker says so */
    bool has_parameters;
    bool is_in_labels; /* the labels of the arcs consider it */
};

struct bestdag_run_record {
    /* of the arcs, numbered as labels say */
    struct bestdag_labels
        labels;   /* owns; under rules: constraints/deduction/mpdag.h */
    double *lost; /* owns; NaN: not known; see arc_strength.h */
    /* best never falls, bound never rises; the last point is the result */
    struct bestdag_point *point; /* owns */
    int points;
    /* of the table; columns are the variables of the network */
    int columns;                   /* 0: there was none */
    int64_t rows, weight, dropped; /* rows: what was learned from */
    int64_t *lacked;               /* owns; [columns]: cells missing, as read */
    int64_t *count_start;          /* owns; [columns + 1] */
    int64_t *count;                /* owns; of the states of a column */
    struct bestdag_hole_patterns *holes; /* owns; NULL: nothing was missing */
    struct bestdag_reported_rule *rule;  /* owns */
    int rules;
    char **setting; /* owns; key, value, ...: options that were given */
    int settings;   /* keys and values together */
    char **note;    /* owns; key, value, ...: command, data ... */
    int notes;      /* keys and values together */
    int64_t begun;  /* seconds since 1970, when the run began */
};

struct bestdag_run_facts;
struct bestdag_run_record *bestdag_run_record_new(
    struct bestdag_run *run, const struct bestdag_run_facts *facts);
void bestdag_run_record_free(struct bestdag_run_record *record);
/* Replaces what was noted under this key. */
int bestdag_run_record_note(struct bestdag_run *run,
                            struct bestdag_run_record *record, const char *key,
                            const char *value);
/* NULL: nothing was noted. */
const char *bestdag_record_noted(const struct bestdag_run_record *record,
                                 const char *key);

#endif
