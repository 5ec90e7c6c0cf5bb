/* SPDX-License-Identifier: MIT */
/* record.h -- what a result records in addition to its network: arc strengths,
 * score and bound over time, the contents of the table, the rules, the
 * provenance. The page (report/) shows it. */
#ifndef BESTDAG_LEARN_RECORD_H
#define BESTDAG_LEARN_RECORD_H

#include "base/progress_log.h"
#include "data/hole_patterns.h"
#include "graph/cpdag.h"

struct bestdag_reported_rule {
    char *place; /* owns; "expert.rules:7", or "" */
    char *text;  /* owns */
    bool is_met; /* the graph obeys it, according to the checker */
    bool has_parameters;
    bool is_in_labels; /* the labels of the arcs take it into account */
};

struct bestdag_run_record {
    /* arcs, numbered as in `labels` */
    struct bestdag_labels
        labels;   /* owns; under rules: constraints/deduction/mpdag.h */
    double *lost; /* owns; NaN: not known; see arc_strength.h */
    /* best score never falls, bound never rises; the last point is the
     * result */
    struct bestdag_point *point; /* owns */
    int points;
    /* the table; its columns are the network's variables */
    int columns;                   /* 0: no table */
    int64_t rows, weight, dropped; /* rows: those learned from */
    int64_t *lacked;               /* owns; [columns]: missing cells, as read */
    int64_t *count_start;          /* owns; [columns + 1] */
    int64_t *count;                /* owns; rows per state of each column */
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
/* Replaces an earlier note under this key. */
int bestdag_run_record_note(struct bestdag_run *run,
                            struct bestdag_run_record *record, const char *key,
                            const char *value);
/* NULL: no such note. */
const char *bestdag_record_noted(const struct bestdag_run_record *record,
                                 const char *key);

#endif
