/* SPDX-License-Identifier: MIT */
/* result.h -- what learning and solving return: a network and a report. */
#ifndef BESTDAG_LEARN_RESULT_H
#define BESTDAG_LEARN_RESULT_H

#include "learn/record.h"
#include "network/network.h"
#include "parents/sets.h"
#include "search/solver.h"

struct bestdag_structural_em;

/* What the report contains; borrowed by bestdag_result_new(). */
struct bestdag_run_facts {
    const struct bestdag_task *task;
    const struct bestdag_outcome *outcome;
    const struct bestdag_sets *sets; /* NULL: none */
    const char *score_name;
    int64_t rows;            /* -1: not known */
    double read, score, fit; /* seconds of the phases; NaN: phase left out */
    char *const *names;      /* of the variables */
    const struct bestdag_table *table;      /* NULL: there is none */
    const struct bestdag_rules *rules;      /* NULL: none */
    const struct bestdag_structural_em *em; /* NULL: the table is complete */
    bool is_brief; /* no record, no strengths of arcs */
};

struct bestdag_result {
    struct bestdag_network *network;   /* owns */
    struct bestdag_run_record *record; /* owns; NULL: there is none */
    char *text;                        /* owns; the report */
    struct bestdag_json *report;       /* owns; `text`, parsed */
    struct bestdag_strength *strength; /* owns; of a bootstrap, else NULL */
    int64_t strengths;
};

/* Takes over the network, even on failure. Score and bound over time come from
 * run->progress_log. */
struct bestdag_result *bestdag_result_new(struct bestdag_run *run,
                                          const struct bestdag_run_facts *facts,
                                          struct bestdag_network *network);

/* The same with a given report in JSON. Takes over both, even on failure or if
 * one is NULL. */
struct bestdag_result *bestdag_result_of(struct bestdag_run *run, char *report,
                                         struct bestdag_network *network);

/* As bestdag_learn(), but without arc strengths. */
struct bestdag_result *bestdag_learn_briefly(
    struct bestdag_run *run, const struct bestdag_table *table,
    const struct bestdag_rules *rules, const struct bestdag_options *options);

/* Of a bootstrap: the share of networks with an arc between the two, and among
 * these the share in which it goes from `from` to `to`. */
struct bestdag_strength {
    int from, to;
    double strength, direction; /* shares; direction at least 1/2 */
};
/* Strongest first, each pair once; takes them over. */
void bestdag_result_take_strengths(struct bestdag_result *result,
                                   struct bestdag_strength *strengths,
                                   int64_t count);

#endif
