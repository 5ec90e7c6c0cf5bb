/* SPDX-License-Identifier: MIT */
/* numeric.h -- queries of networks with numbers. */
#ifndef BESTDAG_MODELS_QUERY_NUMERIC_H
#define BESTDAG_MODELS_QUERY_NUMERIC_H

#include "base/json.h"
#include "inference/mixed.h"
#include "models/query/language.h"
#include "network/regression.h"

/* A query about a network with numbers, prepared for answering. */
struct bestdag_numeric {
    struct bestdag_run *run;
    const struct bestdag_network *network; /* borrowed; fitted */
    const struct bestdag_options *options; /* borrowed; or NULL */
    struct bestdag_query query;            /* owns */
    bool has_joint, is_mpe,
        is_map;      /* is_mpe, is_map: the targets are explained */
    bool is_of_all;  /* no targets were named */
    double **weight; /* owns; [n], as in bestdag_mixed_question */
    int *doing;      /* owns */
    double *value;   /* owns */
    bool *is_set;    /* owns */
    bool
        has_values; /* evidence on numbers that are not set: it has a density */
    bool is_contradictory; /* items about one variable exclude each other */
    int width;
    struct bestdag_mixed_answer answer;          /* its arrays are owned */
    struct bestdag_mixed_explanations explained; /* its arrays are owned */
};

/* Parses all texts, and makes room for the answer. Release also on failure. */
int bestdag_numeric_init(struct bestdag_run *run, struct bestdag_numeric *to,
                         const struct bestdag_network *network,
                         const char *text,
                         const struct bestdag_options *options);
void bestdag_numeric_release(struct bestdag_numeric *a);
/* Answers the query with the evidence added to it; ln_evidence is -INFINITY if
 * the evidence is impossible. */
int bestdag_numeric_ask(struct bestdag_numeric *a);

/* Explanations: reads the options and targets; makes room; computes them;
 * writes them into an open object. */
int bestdag_numeric_choose(struct bestdag_numeric *a);
int bestdag_numeric_explain(struct bestdag_numeric *a,
                            const struct bestdag_mixed_question *q);
void bestdag_numeric_write_explanations(struct bestdag_json_writer *w,
                                        const struct bestdag_numeric *a);
/* Do explanations have a density (else a probability)? */
bool bestdag_numeric_is_mode(const struct bestdag_numeric *a);

/* Writes the answer into an open object. */
void bestdag_numeric_write(struct bestdag_json_writer *w,
                           const struct bestdag_numeric *a, bool is_density);

/* Does the network have numbers? False also without arguments. */
static inline bool bestdag_numeric_is(const struct bestdag_run *run,
                                      const struct bestdag_network *network,
                                      const void *table)
{
    return !bestdag_run_status(run) && network && table &&
           bestdag_network_has_numbers(network);
}

/* As bestdag_network_query(), for networks with numbers. */
char *bestdag_numeric_query(struct bestdag_run *run,
                            const struct bestdag_network *network,
                            const char *text,
                            const struct bestdag_options *options);
/* As bestdag_network_query_rows() and bestdag_network_query_table(), for
 * networks with numbers. */
char *bestdag_numeric_query_rows(struct bestdag_run *run,
                                 const struct bestdag_network *network,
                                 const char *text,
                                 const struct bestdag_table *table,
                                 const struct bestdag_options *options);
struct bestdag_table *bestdag_numeric_query_table(
    struct bestdag_run *run, const struct bestdag_network *network,
    const char *text, const struct bestdag_table *table,
    const struct bestdag_options *options);
/* As bestdag_network_query_write(), for networks with numbers; format NULL:
 * JSON. */
struct bestdag_table_format;
int bestdag_numeric_query_write(struct bestdag_run *run,
                                const struct bestdag_network *network,
                                const char *text,
                                const struct bestdag_table *table,
                                const struct bestdag_table_format *format,
                                const char *path,
                                const struct bestdag_options *options);

#endif
