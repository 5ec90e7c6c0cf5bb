/* SPDX-License-Identifier: MIT */
/* network.h -- a Bayesian network: a graph, states, conditional tables.
 * Variables may also be numbers with regressions: see regression.h.
 *
 * A bare structure has no states; a structure with states has no tables; a
 * fitted network has all. Parents are ascending. The table of a variable with
 * r states and parents p1 < p2 < ... has q rows of r numbers: the first parent
 * changes slowest, the last fastest, and the child is innermost:
 *
 *     table[((s1 * r2 + s2) * ... ) * r + s]
 */
#ifndef BESTDAG_NETWORK_NETWORK_H
#define BESTDAG_NETWORK_NETWORK_H

#include "graph/dag.h"

struct bestdag_variable {
    char *name;         /* owns */
    int states;         /* 0: not known, or a number */
    bool is_number;     /* see regression.h */
    char **labels;      /* owns; [states] */
    double *table;      /* owns; [configurations * states]; NULL: not fitted */
    double *regression; /* owns; of a number; NULL: not fitted */
    int64_t
        *counts; /* owns; [configurations]: data rows behind each row of the
                    table, or each regression; NULL: not known, or not fitted */
    int line,
        column; /* place of its table, or of itself, in the file; 0: unknown */
    char **property; /* owns; free text kept for round trips, NULL: none */
    int properties;
};

struct bestdag_network {
    char *name;                        /* owns; NULL: none */
    struct bestdag_dag *dag;           /* owns */
    struct bestdag_variable *variable; /* owns; [dag->n] */
    char **property;                   /* owns; as above, of the network */
    int properties;
    char **note;     /* owns; provenance: key, value, key, value ... */
    int notes;       /* pairs */
    int32_t *bucket; /* owns; index by name, see network.c */
    int buckets;
    bool is_answer; /* result of a search, which a limit may have ended: it is
                       written even if the run is stopped */
};

/* n variables without names or states; readers fill them in. */
struct bestdag_network *bestdag_network_empty(struct bestdag_run *run, int n);
/* Same names, states and graph; no tables. Copies provenance and properties.
 */
struct bestdag_network *bestdag_network_copy_structure(
    struct bestdag_run *run, const struct bestdag_network *from);
/* Takes over `name` and `labels` (also on failure), once per variable. */
int bestdag_network_set_variable(struct bestdag_run *run,
                                 struct bestdag_network *network, int v,
                                 char *name, char **labels, int states);
/* Owned by the caller; NULL: failed. */
char **bestdag_labels_copy(struct bestdag_run *run, char *const *labels,
                           int count);
int bestdag_network_add_property(struct bestdag_run *run, char ***list,
                                 int *count, const char *text);
/* Rows of v's table, or its regressions: the product of the states of v's
 * parents that have states. -1: more than 2^40, or unknown states. */
int64_t bestdag_network_configurations(const struct bestdag_network *network,
                                       int v);
/* Makes a zeroed table for v. BESTDAG_MEMORY if it does not fit. */
int bestdag_network_new_table(struct bestdag_run *run,
                              struct bestdag_network *network, int v);
/* Does every variable have a table? False for networks with numbers. */
bool bestdag_network_has_tables(const struct bestdag_network *network);
bool bestdag_network_has_states(const struct bestdag_network *network);
/* The numbers that all tables and regressions have, or would have; INT64_MAX:
 * too many to count, or unknown states. *widest is the variable with the
 * largest table, *most its numbers. */
int64_t bestdag_network_entries(const struct bestdag_network *network,
                                int *widest, int64_t *most);
/* By name; -1: none. Works once all names are set. */
int bestdag_network_find(struct bestdag_run *run,
                         struct bestdag_network *network, const char *name);
/* The same for a network that must not change; slower. */
int bestdag_network_search(const struct bestdag_network *network,
                           const char *name);
int bestdag_variable_state(const struct bestdag_variable *v,
                           const char *label); /* -1: none */
const char *bestdag_network_name_at(const void *network, int v);

/* The checks with which every reader ends: names exist and are unique, labels
 * are unique, the graph is acyclic, table rows are probabilities whose sum is
 * within 0.01 of 1. Rows further from 1 than rounding are normalised, and that
 * is noted. `file` is for messages. */
int bestdag_network_check_consistency(struct bestdag_run *run,
                                      struct bestdag_network *network,
                                      const char *file);
/* The check of table rows, for the table of v; adds to the number of changed
 * rows. */
int bestdag_network_check_table(struct bestdag_run *run,
                                struct bestdag_network *network, int v,
                                const char *file, int64_t *changed);
/* "file:line:column: <message>" for an error of a file about a variable. */
BESTDAG_PRINTF(4, 5)
int bestdag_variable_fail(struct bestdag_run *run, const char *file,
                          const struct bestdag_variable *v, const char *format,
                          ...);
/* Fails with BESTDAG_INPUT and a line like "cycle: a -> b -> a". */
int bestdag_network_check_acyclic(struct bestdag_run *run,
                                  const struct bestdag_network *network,
                                  const char *file);

/* Copies `table` (parents of v in the order `parents`, first slowest, child
 * fastest) in the network's order to v's table. Parents of v must be set. */
int bestdag_network_set_table(struct bestdag_run *run,
                              struct bestdag_network *network, int v,
                              const int *parents, int count,
                              const double *table);
/* Rows of `size` bytes for every configuration of the parents of v that have
 * states, listed in the order of `parents` (numbers among them do not matter).
 */
struct bestdag_reordering {
    const int *parents;
    int count;
    size_t size;
};
/* Copies such rows in the network's order. */
void bestdag_network_reorder(const struct bestdag_network *network, int v,
                             const struct bestdag_reordering *way,
                             const void *from, void *to);
/* The same for the counts behind the rows; v has its table or regressions. */
int bestdag_network_set_counts(struct bestdag_run *run,
                               struct bestdag_network *network, int v,
                               const int *parents, int count,
                               const int64_t *counts);

#endif
