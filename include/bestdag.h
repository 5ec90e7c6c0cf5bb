/* SPDX-License-Identifier: MIT */
/* bestdag.h -- learn Bayesian networks from data, in the order of the flow:
 * run, options, table, candidate parent sets, network.
 *
 * Rules of this header
 *   Handles are opaque. Arguments are int, int64_t, double, text, arrays with
 *   a count, and handles, so that any language can bind to it.
 *   What is long or can fail takes the run first. A handle that comes back
 *   NULL, or a status other than BESTDAG_OK, means: bestdag_run_error() has the
 *   reason. The first error stays, and further calls on that run do nothing
 *   until bestdag_run_clear(). Stopping is no error.
 *   `const char *` that comes back lives as long as its handle; `char *` is the
 *   caller's: bestdag_text_free(). Every _free accepts NULL, getters too.
 *   Objects do not change once they are made, except builders; several runs in
 *   several threads may read them. One run belongs to one thread at a time.
 *   Variables and states are numbers from 0. Text is UTF-8. Scores are natural
 *   logarithms, higher is better. */
#ifndef BESTDAG_H
#define BESTDAG_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define BESTDAG_API __attribute__((visibility("default")))
#else
#define BESTDAG_API
#endif

/* The version of this header; bestdag_version() has that of the library.
 * Functions are added, never changed or removed, until the major version grows
 * (docs/library.md). */
#define BESTDAG_VERSION_MAJOR 0
#define BESTDAG_VERSION_MINOR 1
#define BESTDAG_VERSION_PATCH 0

/* ---- run: limits, threads, seed, errors, progress ---------------------- */

enum { /* the same numbers are the exit codes of the command */
       BESTDAG_OK,
       BESTDAG_FAILED,     /* internal or input/output error */
       BESTDAG_USAGE,      /* a setting or combination that is refused */
       BESTDAG_INPUT,      /* bad input file */
       BESTDAG_INFEASIBLE, /* no network satisfies the rules, or the evidence
                              is impossible */
       BESTDAG_UNPROVED,   /* optimality was required and not proved */
       BESTDAG_MEMORY      /* the memory limit cannot hold the request */
};

struct bestdag_run;

BESTDAG_API const char *bestdag_version(void);
BESTDAG_API struct bestdag_run *bestdag_run_new(void);
BESTDAG_API void bestdag_run_free(struct bestdag_run *run);
/* Keys: threads seed time-limit effort memory-limit gap. The time limit counts
 * from the moment it is set; setting it again restarts it, even after it has
 * ended a call. */
BESTDAG_API int bestdag_run_set(struct bestdag_run *run, const char *key,
                                const char *value);
BESTDAG_API int bestdag_run_status(const struct bestdag_run *run);
/* "" when there is none; one line: file:line:column: what, expected. */
BESTDAG_API const char *bestdag_run_error(const struct bestdag_run *run);
/* Forgets the error and the stop; the time limit restarts. */
BESTDAG_API void bestdag_run_clear(struct bestdag_run *run);
/* May be called from any thread or signal handler: the call in progress soon
 * ends with the best result so far. */
BESTDAG_API void bestdag_run_stop(struct bestdag_run *run);
/* For a signal handler that is about to end the process: removes half-written
 * files. The run must not be used afterwards. */
BESTDAG_API void bestdag_run_discard(struct bestdag_run *run);

/* For a process that does nothing but this run, as the command bestdag: the
 * memory limit covers the whole process, not only what the run allocates, and
 * the peak of the process is reported. Call it before the limit is set. */
BESTDAG_API void bestdag_run_own_process(struct bestdag_run *run);

struct bestdag_progress {
    int size; /* sizeof, so that caller and library may differ in age */
    const char *phase; /* "reading", "sampling", ... */
    double seconds;
    /* In a search: the best score and the least upper bound so far, NaN until
     * known. Neither gets worse, except that the bound may rise when candidate
     * sets are added. */
    double best, bound;
    int64_t done, total; /* items of this phase; total 0: unknown */
    int64_t memory;      /* bytes in use */
    const char *note;    /* one line for people, or NULL */
    int detail;          /* of the note: 0 matters to everyone, 1 is for -v */
    /* Candidate sets so far, in the phases "scoring", whose items are
     * variables, and "counting", which goes by size of the sets. */
    int64_t scored, kept;
    double improved;  /* in a search: seconds at the last improvement */
    int64_t restarts; /* searches ended so far */
    int64_t sets;     /* candidate sets that the bound is over; 0: not known */
    int grown;        /* how often candidate sets were added */
};
/* Return a value other than 0 to stop the run. */
typedef int bestdag_progress_fn(void *user, const struct bestdag_progress *now);
/* The function is called on the thread that called the library, at most ten
 * times per second; notes are always delivered. */
BESTDAG_API void bestdag_run_on_progress(struct bestdag_run *run,
                                         bestdag_progress_fn *fn, void *user);

/* ---- ranks: several processes that work on one run together --------------
 *
 * Only in builds with MPI (docs/clusters.md). Every rank makes the same calls
 * with the same files; the work is divided, and each rank gets the whole
 * result, which is the same for any number of ranks. Only rank 0 writes files.
 */

/* communicator: the address of an MPI_Comm, which the run duplicates. The
 * thread that calls the library has initialised MPI, with MPI_THREAD_FUNNELED
 * or more. All ranks free the run before MPI_Finalize(). */
BESTDAG_API int bestdag_run_set_ranks(struct bestdag_run *run,
                                      const void *communicator);
/* For programs that do not use MPI themselves: if mpirun, mpiexec or srun
 * started this process, initialises MPI, gives all ranks to the run, and
 * finalises MPI when the run is freed. Otherwise does nothing. */
BESTDAG_API int bestdag_run_launch(struct bestdag_run *run);
/* To be called before the run is freed: tells the other ranks that this one
 * ends with this exit code; returns the exit code of rank 0. */
BESTDAG_API int bestdag_run_land(struct bestdag_run *run, int code);
/* 0 and 1 without MPI. */
BESTDAG_API int bestdag_run_rank(const struct bestdag_run *run);
BESTDAG_API int bestdag_run_ranks(const struct bestdag_run *run);

/* ---- options: one bag of settings --------------------------------------- */

struct bestdag_options;

BESTDAG_API struct bestdag_options *bestdag_options_new(
    struct bestdag_run *run);
BESTDAG_API void bestdag_options_free(struct bestdag_options *options);
/* The words of the command line: "missing", "state". Flags: "yes" or "no". A
 * key that several groups have is set in all of them; "group.key" sets one. */
BESTDAG_API int bestdag_options_set(struct bestdag_run *run,
                                    struct bestdag_options *options,
                                    const char *key, const char *value);
/* JSON: "tables", "formats", "methods", "options", ...; "lists" has all. */
BESTDAG_API char *bestdag_list(struct bestdag_run *run, const char *what);
BESTDAG_API void bestdag_text_free(char *text);
/* Turns any text into one line that is safe to print on a terminal: line breaks
 * become blanks, other control characters and invalid UTF-8 become '?'. Errors
 * and notes of a run already are such lines. */
BESTDAG_API void bestdag_text_tidy(char *text);
/* Writes the file completely or not at all, as all functions here that write
 * files do; "-": standard output. */
BESTDAG_API int bestdag_text_write(struct bestdag_run *run, const char *text,
                                   const char *path);
/* Which of `count` names was probably meant by `word`; NULL: none. */
BESTDAG_API const char *bestdag_name_nearest(const char *word,
                                             const char *const *names,
                                             int count);

/* ---- json: reads what the reports above and below return ---------------- */

struct bestdag_json;

/* NULL and the reason in the run if the text is not JSON. */
BESTDAG_API struct bestdag_json *bestdag_json_read(struct bestdag_run *run,
                                                   const char *text);
BESTDAG_API void bestdag_json_free(struct bestdag_json *root);
/* Makes every text in it one line that is safe to print on a terminal, as
 * bestdag_text_tidy() does. */
BESTDAG_API void bestdag_json_tidy(struct bestdag_json *root);
/* Member of an object, item of an array or object; NULL if there is none. */
BESTDAG_API const struct bestdag_json *bestdag_json_get(
    const struct bestdag_json *value, const char *key);
BESTDAG_API const struct bestdag_json *bestdag_json_at(
    const struct bestdag_json *value, int64_t index);
BESTDAG_API int64_t bestdag_json_count(const struct bestdag_json *value);
/* The key of item `index` of an object; NULL for arrays. */
BESTDAG_API const char *bestdag_json_key(const struct bestdag_json *value,
                                         int64_t index);
/* NaN if it is not a number; true is 1, false 0. */
BESTDAG_API double bestdag_json_number(const struct bestdag_json *value);
/* NULL if it is not text. */
BESTDAG_API const char *bestdag_json_text(const struct bestdag_json *value);

/* ---- table --------------------------------------------------------------- */

struct bestdag_table;

/* path "-": standard input. Options: the groups "table" of bestdag_list. */
BESTDAG_API struct bestdag_table *bestdag_table_read(
    struct bestdag_run *run, const char *path,
    const struct bestdag_options *options);
/* The same, but with the option rows-by-rank and several ranks (see
 * bestdag_run_set_ranks) each rank reads its part of the rows. Rank 0 gets a
 * table for bestdag_sets_find, bestdag_learn and bestdag_network_fit; the
 * others count for it, and get NULL without an error when rank 0 has left
 * (bestdag_run_land). */
BESTDAG_API struct bestdag_table *bestdag_table_read_by_rank(
    struct bestdag_run *run, const char *path,
    const struct bestdag_options *options);
/* The same of a text in memory, packed or not; `name` is for messages. */
BESTDAG_API struct bestdag_table *bestdag_table_parse(
    struct bestdag_run *run, const char *name, const void *bytes, int64_t size,
    const struct bestdag_options *options);
/* An empty table, to be built with the three functions below. */
BESTDAG_API struct bestdag_table *bestdag_table_new(struct bestdag_run *run,
                                                    int64_t rows);
/* Copies; codes are signed integers of 1, 2, 4 or 8 bytes, -1 is missing.
 * labels NULL: "0", "1", ... */
BESTDAG_API int bestdag_table_add_codes(struct bestdag_run *run,
                                        struct bestdag_table *table,
                                        const char *name, const void *codes,
                                        int bytes_a_code, int states,
                                        const char *const *labels);
/* Copies; NaN is missing. */
BESTDAG_API int bestdag_table_add_numbers(struct bestdag_run *run,
                                          struct bestdag_table *table,
                                          const char *name,
                                          const double *values);
/* How often each row counts, at least 0; copies. */
BESTDAG_API int bestdag_table_set_weights(struct bestdag_run *run,
                                          struct bestdag_table *table,
                                          const int64_t *weights);
/* What becomes of missing values in a table that is being built: "drop"
 * removes their rows, with a note; "state" makes "missing" the last state
 * (numbers stay missing); "error" refuses them; "keep" changes nothing. */
BESTDAG_API int bestdag_table_complete(struct bestdag_run *run,
                                       struct bestdag_table *table,
                                       const char *policy);
BESTDAG_API void bestdag_table_free(struct bestdag_table *table);
/* Numbers become codes. Options: the group "discretize". */
BESTDAG_API struct bestdag_table *bestdag_table_discretize(
    struct bestdag_run *run, const struct bestdag_table *table,
    const struct bestdag_options *options);
/* Equal rows become one row with a weight; rows are ordered by their codes. */
BESTDAG_API struct bestdag_table *bestdag_table_collapse(
    struct bestdag_run *run, const struct bestdag_table *table);
/* By suffix (.csv .tsv .dat .arff, with .gz or .zst); "-" is CSV on standard
 * output. */
BESTDAG_API int bestdag_table_write(struct bestdag_run *run,
                                    const struct bestdag_table *table,
                                    const char *path);
/* The same in a named format: csv tsv dat arff. */
BESTDAG_API int bestdag_table_write_as(struct bestdag_run *run,
                                       const struct bestdag_table *table,
                                       const char *format, const char *path);
/* The same as a text of *size bytes (NULL: not wanted) that ends in 0. */
BESTDAG_API char *bestdag_table_text(struct bestdag_run *run,
                                     const struct bestdag_table *table,
                                     const char *format, int64_t *size);
/* JSON: a description of the table, and under "learning" the cost of learning
 * from it. */
BESTDAG_API char *bestdag_table_check(struct bestdag_run *run,
                                      const struct bestdag_table *table);
BESTDAG_API int64_t bestdag_table_rows(const struct bestdag_table *table);
BESTDAG_API int bestdag_table_columns(const struct bestdag_table *table);
BESTDAG_API const char *bestdag_table_name(const struct bestdag_table *table,
                                           int column);
/* 0: a column of numbers. */
BESTDAG_API int bestdag_table_states(const struct bestdag_table *table,
                                     int column);
BESTDAG_API const char *bestdag_table_label(const struct bestdag_table *table,
                                            int column, int state);
/* How many were copied to `to`; -1 is missing. */
BESTDAG_API int bestdag_table_codes(const struct bestdag_table *table,
                                    int column, int64_t from, int count,
                                    int *to);
BESTDAG_API int bestdag_table_numbers(const struct bestdag_table *table,
                                      int column, int64_t from, int count,
                                      double *to);
BESTDAG_API int64_t bestdag_table_weight(const struct bestdag_table *table,
                                         int64_t row);

/* ---- rules: what an expert knows ----------------------------------------- */

struct bestdag_rules;

/* A builder, empty at first. docs/constraints.md describes the language. Names
 * are looked up when the rules are used. */
BESTDAG_API struct bestdag_rules *bestdag_rules_new(struct bestdag_run *run);
BESTDAG_API void bestdag_rules_free(struct bestdag_rules *rules);
/* Adds the rules of a file in our language, of Tetrad's knowledge or of
 * GOBNILP's constraints, told apart by content; "-": standard input. */
BESTDAG_API int bestdag_rules_read(struct bestdag_run *run,
                                   struct bestdag_rules *rules,
                                   const char *path);
/* Adds one rule, such as "not A -> B". */
BESTDAG_API int bestdag_rules_add(struct bestdag_run *run,
                                  struct bestdag_rules *rules,
                                  const char *line);
BESTDAG_API int bestdag_rules_count(const struct bestdag_rules *rules);

/* A smooth convex function of the probabilities of a child given some parents,
 * which must be at most 0: its value, and its gradient. theta[configuration *
 * states + state]: the first parent slowest; states in the order of the labels
 * of the table or network. It is called from any thread, and only where theta
 * has no negative entry. */
typedef double bestdag_convex_fn(void *data, const double *theta,
                                 double *gradient);
/* Adds a rule that the language cannot express. The parents are required, or,
 * if if_present is not 0, the rule applies only to parent sets that contain all
 * of them; it holds for every configuration of the other parents. data must
 * live as long as the rules are used. */
BESTDAG_API int bestdag_rules_add_convex(
    struct bestdag_run *run, struct bestdag_rules *rules, const char *child,
    const char *const *parents, int count, int if_present,
    bestdag_convex_fn *function, void *data);

/* ---- candidate parent sets with their scores ----------------------------- */

struct bestdag_sets;

/* Options: the groups "score" and "parents". A stopped run returns what it has
 * found; a variable that was not reached has the empty set only. */
BESTDAG_API struct bestdag_sets *bestdag_sets_find(
    struct bestdag_run *run, const struct bestdag_table *table,
    const struct bestdag_rules *rules, const struct bestdag_options *options);
/* A .jkl file, with what its sidecar (.jkl.json) adds, if there is one. */
BESTDAG_API struct bestdag_sets *bestdag_sets_read(struct bestdag_run *run,
                                                   const char *path);
/* The same of a text in memory, packed or not; `name` is for messages. */
BESTDAG_API struct bestdag_sets *bestdag_sets_parse(struct bestdag_run *run,
                                                    const char *name,
                                                    const void *bytes,
                                                    int64_t size);
/* A builder: every variable has the empty set with score 0 until its list is
 * set. What the lists lack is not known. */
BESTDAG_API struct bestdag_sets *bestdag_sets_build(struct bestdag_run *run,
                                                    int variables,
                                                    const char *const *names);
/* Replaces the list of a child by `count` sets in any order, at least one; set
 * i has the parents parents[start[i]] to parents[start[i + 1] - 1]. Copies;
 * sets that are dominated by a subset are left out. */
BESTDAG_API int bestdag_sets_set_list(struct bestdag_run *run,
                                      struct bestdag_sets *sets, int child,
                                      int64_t count, const double *score,
                                      const int64_t *start, const int *parents);
/* A .jkl file and its sidecar; "-": standard output, no sidecar. Options: the
 * group "sets"; also removes the file of the option "part" if the sets were
 * not cut short. */
BESTDAG_API int bestdag_sets_write(struct bestdag_run *run,
                                   const struct bestdag_sets *sets,
                                   const char *path,
                                   const struct bestdag_options *options);
/* The .jkl file as a text of *size bytes (NULL: not wanted) that ends in 0. */
BESTDAG_API char *bestdag_sets_text(struct bestdag_run *run,
                                    const struct bestdag_sets *sets,
                                    const struct bestdag_options *options,
                                    int64_t *size);
BESTDAG_API void bestdag_sets_free(struct bestdag_sets *sets);
BESTDAG_API int bestdag_sets_variables(const struct bestdag_sets *sets);
BESTDAG_API const char *bestdag_sets_name(const struct bestdag_sets *sets,
                                          int variable);
BESTDAG_API int bestdag_sets_count(const struct bestdag_sets *sets, int child);
/* Best first. Copies at most `room` parents, ascending; returns how many there
 * are, -1: no such set. */
BESTDAG_API int bestdag_sets_get(const struct bestdag_sets *sets, int child,
                                 int index, double *score, int *parents,
                                 int room);
/* No set that is allowed, undominated and missing from the list scores above
 * this. -INFINITY: the list is complete; INFINITY: not known. */
BESTDAG_API double bestdag_sets_ceiling(const struct bestdag_sets *sets,
                                        int child);
/* JSON: how they were found, how many there are, what is proved. */
BESTDAG_API char *bestdag_sets_describe(struct bestdag_run *run,
                                        const struct bestdag_sets *sets);
/* JSON: how many sets there are to score, and what `auto` would do. Options:
 * those of bestdag_sets_find(). */
BESTDAG_API char *bestdag_sets_cost(struct bestdag_run *run,
                                    const struct bestdag_table *table,
                                    const struct bestdag_options *options);
/* Local scores of single families, from the counts: made once for a table,
 * which must live as long; several runs in several threads may read them.
 * Options: the group "score". */
struct bestdag_local_scores;
BESTDAG_API struct bestdag_local_scores *bestdag_local_scores_new(
    struct bestdag_run *run, const struct bestdag_table *table,
    const struct bestdag_rules *rules, const struct bestdag_options *options);
BESTDAG_API void bestdag_local_scores_free(struct bestdag_local_scores *scores);
/* Parents in any order. */
BESTDAG_API int bestdag_local_scores_get(
    struct bestdag_run *run, const struct bestdag_local_scores *scores,
    int child, const int *parents, int count, double *score);
/* A single local score. */
BESTDAG_API int bestdag_score(struct bestdag_run *run,
                              const struct bestdag_table *table,
                              const struct bestdag_rules *rules,
                              const struct bestdag_options *options, int child,
                              const int *parents, int count, double *score);

/* ---- search -------------------------------------------------------------- */

struct bestdag_network;
struct bestdag_result;

/* The best network over candidate sets. Options: the group "solve". The network
 * has no states. A stopped run returns the best network so far. */
BESTDAG_API struct bestdag_result *bestdag_solve(
    struct bestdag_run *run, const struct bestdag_sets *sets,
    const struct bestdag_rules *rules, const struct bestdag_options *options);
/* From a table to a network: candidate sets, search, parameters. Options: the
 * groups "score", "parents", "solve", "learn", "fit". */
BESTDAG_API struct bestdag_result *bestdag_learn(
    struct bestdag_run *run, const struct bestdag_table *table,
    const struct bestdag_rules *rules, const struct bestdag_options *options);
/* To be called when the result is written: removes what the run kept in the
 * folder of the option "checkpoint". If the run failed or was stopped, it is
 * kept, so that the same call can continue. */
BESTDAG_API int bestdag_checkpoint_clear(struct bestdag_run *run,
                                         const struct bestdag_options *options);
BESTDAG_API void bestdag_result_free(struct bestdag_result *result);
/* "score" "bound" "gap" "seconds.solve"; NaN: none. The JSON has the score that
 * would be lost without each arc, under "strengths". */
BESTDAG_API double bestdag_result_number(const struct bestdag_result *result,
                                         const char *field);
/* "status" "proved_over" "solver"; NULL: none. */
BESTDAG_API const char *bestdag_result_text(const struct bestdag_result *result,
                                            const char *field);
BESTDAG_API char *bestdag_result_json(struct bestdag_run *run,
                                      const struct bestdag_result *result);
/* Borrowed from the result. */
BESTDAG_API const struct bestdag_network *bestdag_result_network(
    const struct bestdag_result *result);
/* Notes the origin of the result, which the report shows: "title", "command"
 * (a line that reproduces it), "data" (the file), and any other key. */
BESTDAG_API int bestdag_result_note(struct bestdag_run *run,
                                    struct bestdag_result *result,
                                    const char *key, const char *value);
/* what: "report", a self-contained HTML page; "-": standard output. */
BESTDAG_API int bestdag_result_write(struct bestdag_run *run,
                                     const struct bestdag_result *result,
                                     const char *what, const char *path);

/* ---- bootstrap: how far other data of the same kind would agree ---------- */

/* Learns a network from each of many resamples of the rows, and averages them:
 * the network of the result has the arcs that are in more of them than the
 * threshold, and is fitted to the table. Options: those of bestdag_learn(),
 * without files to write, and the group "bootstrap". A stopped run gives the
 * average of what is done. */
BESTDAG_API struct bestdag_result *bestdag_bootstrap(
    struct bestdag_run *run, const struct bestdag_table *table,
    const struct bestdag_rules *rules, const struct bestdag_options *options);
/* How many pairs of variables have an arc in some network; 0 for results that
 * are not of a bootstrap. */
BESTDAG_API int64_t
bestdag_result_strengths(const struct bestdag_result *result);
/* Strongest first: the share of networks with an arc between the two, and of
 * these the share in which it goes from `from` to `to`, at least 1/2. 0: there
 * is no such pair, else 1. */
BESTDAG_API int bestdag_result_strength(const struct bestdag_result *result,
                                        int64_t index, int *from, int *to,
                                        double *strength, double *direction);

/* ---- network: a graph, and its tables once they are fitted --------------- */

/* Variables and states of a table, no arcs, no parameters; a builder. Columns
 * of numbers become variables that are numbers. */
BESTDAG_API struct bestdag_network *bestdag_network_new(
    struct bestdag_run *run, const struct bestdag_table *names_and_states);
/* Variables without states; a builder. */
BESTDAG_API struct bestdag_network *bestdag_network_build(
    struct bestdag_run *run, int variables, const char *const *names);
/* Of a variable that has none yet; copies. */
BESTDAG_API int bestdag_network_set_states(struct bestdag_run *run,
                                           struct bestdag_network *network,
                                           int variable, int states,
                                           const char *const *labels);
/* The table of a variable, in the order of bestdag_network_table(); copies. The
 * states and parents of the variable must be set, and the states of these. */
BESTDAG_API int bestdag_network_set_probabilities(
    struct bestdag_run *run, struct bestdag_network *network, int variable,
    const double *table, int64_t count);
/* A variable without states becomes a number: for every configuration of its
 * parents with states it has a linear regression on the others. Numbers cannot
 * be parents of variables with states. */
BESTDAG_API int bestdag_network_set_number(struct bestdag_run *run,
                                           struct bestdag_network *network,
                                           int variable);
/* Its regressions, in the order of bestdag_network_regression(); copies. */
BESTDAG_API int bestdag_network_set_regression(struct bestdag_run *run,
                                               struct bestdag_network *network,
                                               int variable,
                                               const double *regression,
                                               int64_t count);
/* Replaces the parents of a child and removes its table or regressions. */
BESTDAG_API int bestdag_network_set_parents(struct bestdag_run *run,
                                            struct bestdag_network *network,
                                            int child, const int *parents,
                                            int count);
BESTDAG_API void bestdag_network_free(struct bestdag_network *network);
/* By suffix, else by content; "-": standard input. */
BESTDAG_API struct bestdag_network *bestdag_network_read(
    struct bestdag_run *run, const char *path);
/* The same of a text in memory, packed or not; the format by the suffix of
 * `name`, else by content. */
BESTDAG_API struct bestdag_network *bestdag_network_parse(
    struct bestdag_run *run, const char *name, const void *bytes, int64_t size);
/* By suffix; pictures too; "-": BIF on standard output, or JSON if a variable
 * is a number. */
BESTDAG_API int bestdag_network_write(struct bestdag_run *run,
                                      const struct bestdag_network *network,
                                      const char *path);
/* In a named format: see bestdag_list(run, "formats"). */
BESTDAG_API int bestdag_network_write_as(struct bestdag_run *run,
                                         const struct bestdag_network *network,
                                         const char *format, const char *path);
/* The same as a text of *size bytes (NULL: not wanted) that ends in 0. */
BESTDAG_API char *bestdag_network_text(struct bestdag_run *run,
                                       const struct bestdag_network *network,
                                       const char *format, int64_t *size);
BESTDAG_API int bestdag_network_variables(
    const struct bestdag_network *network);
BESTDAG_API const char *bestdag_network_name(
    const struct bestdag_network *network, int variable);
/* 0: the states are not known (a bare structure), or it is a number. */
BESTDAG_API int bestdag_network_states(const struct bestdag_network *network,
                                       int variable);
BESTDAG_API const char *bestdag_network_label(
    const struct bestdag_network *network, int variable, int state);
/* Copies at most `room` parents, ascending; returns how many there are. */
BESTDAG_API int bestdag_network_parents(const struct bestdag_network *network,
                                        int child, int *parents, int room);
/* First parent slowest, child fastest; NULL before fit. */
BESTDAG_API const double *bestdag_network_table(
    const struct bestdag_network *network, int child, int64_t *configurations,
    int *states);
/* 1: the variable is a number. */
BESTDAG_API int bestdag_network_is_number(const struct bestdag_network *network,
                                          int variable);
/* Of a number: for each configuration of its parents with states (first
 * slowest) `terms` numbers: intercept, a coefficient for each parent that is a
 * number, ascending, and standard deviation; NULL before fit. */
BESTDAG_API const double *bestdag_network_regression(
    const struct bestdag_network *network, int child, int64_t *configurations,
    int *terms);
/* Counts how many rows of a table each row of the network's tables rests on,
 * which the page below shows; fitting counts them, too. */
BESTDAG_API int bestdag_network_count(struct bestdag_run *run,
                                      struct bestdag_network *network,
                                      const struct bestdag_table *table);
/* A self-contained HTML page: the drawing, the tables, and probabilities given
 * evidence or interventions. It shows what was noted of the network (see
 * below): "title", "command" and any other key; "-": standard output. */
BESTDAG_API int bestdag_network_report(struct bestdag_run *run,
                                       const struct bestdag_network *network,
                                       const char *path);
/* Notes the origin of the network; the JSON format keeps it. */
BESTDAG_API int bestdag_network_note(struct bestdag_run *run,
                                     struct bestdag_network *network,
                                     const char *key, const char *value);
/* NULL: nothing was noted under this key. */
BESTDAG_API const char *bestdag_network_noted(
    const struct bestdag_network *network, const char *key);
/* JSON: sizes, parameters, provenance. */
BESTDAG_API char *bestdag_network_describe(
    struct bestdag_run *run, const struct bestdag_network *network);
/* Options: the group "fit". */
BESTDAG_API struct bestdag_network *bestdag_network_fit(
    struct bestdag_run *run, const struct bestdag_network *structure,
    const struct bestdag_table *table, const struct bestdag_options *options);
/* The same with the best parameters that the rules (or NULL) allow; rules about
 * the graph are ignored. */
BESTDAG_API struct bestdag_network *bestdag_network_fit_under(
    struct bestdag_run *run, const struct bestdag_network *structure,
    const struct bestdag_table *table, const struct bestdag_rules *rules,
    const struct bestdag_options *options);
/* Options: the group "generate". */
BESTDAG_API struct bestdag_network *bestdag_network_generate(
    struct bestdag_run *run, const struct bestdag_options *options);
BESTDAG_API struct bestdag_table *bestdag_network_sample(
    struct bestdag_run *run, const struct bestdag_network *network,
    int64_t rows);
/* Joint probability of `count` variables, first slowest, last fastest. room:
 * the length of `to`, which must be the product of their states. */
BESTDAG_API int bestdag_network_joint(struct bestdag_run *run,
                                      const struct bestdag_network *network,
                                      const int *variables, int count,
                                      double *to, int64_t room);
/* JSON: log-likelihood of the table, per row too; null where a row has
 * probability 0. Missing values are summed out; the scores of the structure are
 * null if there are any. Options: the groups "evaluate" and "inference". */
BESTDAG_API char *bestdag_network_evaluate(
    struct bestdag_run *run, const struct bestdag_network *network,
    const struct bestdag_table *table, const struct bestdag_options *options);
/* JSON: how far `learned` is from `truth`. */
BESTDAG_API char *bestdag_network_compare(
    struct bestdag_run *run, const struct bestdag_network *truth,
    const struct bestdag_network *learned);
/* JSON: what the graph says about its variables. The question "A, B ; C | D",
 * or NULL: are A and B d-separated from C given D? {"separated": true or false,
 * "path": an open path, "arrows": its arrows, "colliders": why these leave it
 * open}. Names are quoted as in rules. Options: the group "relate", which asks
 * for more; all but "cpt" work on structures without tables. */
BESTDAG_API char *bestdag_network_relate(struct bestdag_run *run,
                                         const struct bestdag_network *network,
                                         const char *question,
                                         const struct bestdag_options *options);
/* JSON: P(effect | do(cause)) for every state of the cause, by graph surgery:
 * {"cause", "effect", "given_do": {"yes": {"no": .., "yes": ..}, ..},
 * "differences", "adjustment": a smallest back-door set, "identified": is it
 * the same in all networks of the equivalence class (those that obey the rules,
 * or NULL)?, "range": over these, ...}. cause: a name; effect: a name, and
 * maybe evidence: "aground | season=winter". Options: the group "inference". */
BESTDAG_API char *bestdag_network_effect(struct bestdag_run *run,
                                         const struct bestdag_network *network,
                                         const char *cause, const char *effect,
                                         const struct bestdag_rules *rules,
                                         const struct bestdag_options *options);
/* JSON: compelled and reversible arcs of its equivalence class. */
BESTDAG_API char *bestdag_network_class(struct bestdag_run *run,
                                        const struct bestdag_network *network);
/* The same of those networks of the class that obey the rules (or NULL) about
 * arcs, tiers and orders; those that are not considered are named in
 * "reversible_ignores". The network obeys all rules, else it fails. */
BESTDAG_API char *bestdag_network_class_under(
    struct bestdag_run *run, const struct bestdag_network *network,
    const struct bestdag_rules *rules);
/* The equivalence class as a graph: .dot .csv .svg .png, or "-" for CSV. */
BESTDAG_API int bestdag_network_write_class(
    struct bestdag_run *run, const struct bestdag_network *network,
    const char *format, const char *path);
BESTDAG_API int bestdag_network_write_class_under(
    struct bestdag_run *run, const struct bestdag_network *network,
    const struct bestdag_rules *rules, const char *format, const char *path);

/* ---- inference: what a network says about some variables given others ---- */

struct bestdag_engine;
struct bestdag_session;

/* Compiles a network with tables, which must outlive the engine. variables:
 * all that sessions will mention (targets, evidence, interventions), or NULL:
 * any variable; what they do not depend on is left out. It is not an error if
 * exact inference does not fit into memory: bestdag_engine_describe() says
 * which method will answer. Several threads may use one engine. Options: the
 * group "inference". */
BESTDAG_API struct bestdag_engine *bestdag_engine_new(
    struct bestdag_run *run, const struct bestdag_network *network,
    const int *variables, int count, const struct bestdag_options *options);
BESTDAG_API void bestdag_engine_free(struct bestdag_engine *engine);
/* JSON: method, heuristic, tries, cliques, largest_clique (numbers in it),
 * total_table_size, bytes (of a session), work (multiplications for all
 * marginals), ... */
BESTDAG_API char *bestdag_engine_describe(struct bestdag_run *run,
                                          const struct bestdag_engine *engine);

/* Evidence and answers of one thread; the engine must outlive it. Its memory is
 * taken here: what the junction tree answers allocates nothing. Variable
 * elimination, which is chosen where it is cheaper in larger networks, and
 * explanations of some variables, or several of them, do. */
BESTDAG_API struct bestdag_session *bestdag_session_new(
    struct bestdag_run *run, const struct bestdag_engine *engine);
BESTDAG_API void bestdag_session_free(struct bestdag_session *session);
/* Forgets evidence and interventions. */
BESTDAG_API void bestdag_session_clear(struct bestdag_session *session);
/* Each of the following replaces the evidence on the variable. state -1: none.
 */
BESTDAG_API int bestdag_session_observe(struct bestdag_run *run,
                                        struct bestdag_session *session,
                                        int variable, int state);
/* The variable is in one of these states. */
BESTDAG_API int bestdag_session_allow(struct bestdag_run *run,
                                      struct bestdag_session *session,
                                      int variable, const int *states,
                                      int count);
/* likelihood[state], one for each state: at least 0, finite, at any scale. */
BESTDAG_API int bestdag_session_weigh(struct bestdag_run *run,
                                      struct bestdag_session *session,
                                      int variable, const double *likelihood,
                                      int count);
/* do(variable = state): the variable no longer depends on its parents. This is
 * not evidence: the probability of the evidence is that after the intervention.
 * state -1: no intervention. */
BESTDAG_API int bestdag_session_intervene(struct bestdag_run *run,
                                          struct bestdag_session *session,
                                          int variable, int state);
/* ln P(evidence), with likelihoods as they were given; -infinity: impossible;
 * NaN: failed. */
BESTDAG_API double bestdag_session_evidence(struct bestdag_run *run,
                                            struct bestdag_session *session);
/* P(variable | evidence); room: its states. BESTDAG_INPUT if the evidence is
 * impossible, as below; but variable elimination does not look at evidence that
 * the answer does not depend on. */
BESTDAG_API int bestdag_session_marginal(struct bestdag_run *run,
                                         struct bestdag_session *session,
                                         int variable, double *to, int room);
/* Joint probability given the evidence, first variable slowest, last fastest;
 * room: the product of their states. */
BESTDAG_API int bestdag_session_joint(struct bestdag_run *run,
                                      struct bestdag_session *session,
                                      const int *variables, int count,
                                      double *to, int64_t room);
/* The `best` most probable assignments of the variables (NULL: all that the
 * engine has), most probable first: states[k * count + i] and ln_p[k] = ln
 * P(assignment, evidence). With NULL, count is the number of variables of the
 * network; those that the engine has left out are -1. Returns how many there
 * are, at most `best`, or -1: failed. Among equals, the order is fixed. */
BESTDAG_API int bestdag_session_explain(struct bestdag_run *run,
                                        struct bestdag_session *session,
                                        const int *variables, int count,
                                        int best, int *states, double *ln_p);
/* If the evidence is impossible: variables, ascending, whose evidence together
 * is impossible, and without any one of which it is possible. Returns how many
 * there are (at most `room` are written), 0: it is possible, -1: failed. */
BESTDAG_API int bestdag_session_conflict(struct bestdag_run *run,
                                         struct bestdag_session *session,
                                         int *variables, int room);
/* What gave the last answer: "junction tree", "variable elimination",
 * "conditioning" (all exact) or "likelihood weighting". */
BESTDAG_API const char *bestdag_session_method(
    const struct bestdag_session *session);
/* Of the last answer if it was sampled: the effective sample size; 0: the
 * answer is exact. */
BESTDAG_API double bestdag_session_sample_size(
    const struct bestdag_session *session);
/* Of the last answer: the standard error of each number (of ln P for
 * bestdag_session_evidence()); 0 where it is exact. `room` numbers. */
BESTDAG_API int bestdag_session_errors(struct bestdag_run *run,
                                       const struct bestdag_session *session,
                                       double *to, int64_t room);

/* ---- queries: inference by a text ---------------------------------------- */

/* JSON: probabilities of targets given evidence. text: "aground, lifeboat
 * | fog=yes, season in winter spring, horn ~ 0.2 0.8, do(lamp=lit)"; no target:
 * all variables; the language is in docs/query.md. Impossible evidence is
 * BESTDAG_INFEASIBLE, and the error names a part of it that is impossible.
 * Options: the groups "query" and "inference". */
BESTDAG_API char *bestdag_network_query(struct bestdag_run *run,
                                        const struct bestdag_network *network,
                                        const char *text,
                                        const struct bestdag_options *options);
/* The same for every row of a table, whose cells are further evidence: JSON
 * with one answer per row under "rows". Columns of targets and of do() are
 * ignored; missing cells are unknown. */
BESTDAG_API char *bestdag_network_query_rows(
    struct bestdag_run *run, const struct bestdag_network *network,
    const char *text, const struct bestdag_table *table,
    const struct bestdag_options *options);
/* The same as a table with a row for each: columns "evidence_probability",
 * "p(aground=yes)" and so on; missing where the evidence is impossible. */
BESTDAG_API struct bestdag_table *bestdag_network_query_table(
    struct bestdag_run *run, const struct bestdag_network *network,
    const char *text, const struct bestdag_table *table,
    const struct bestdag_options *options);

/* The same, written while rows are answered, with memory for some of them only.
 * format NULL: by the suffix; "json": as bestdag_network_query_rows(). */
BESTDAG_API int bestdag_network_query_write(
    struct bestdag_run *run, const struct bestdag_network *network,
    const char *text, const struct bestdag_table *table, const char *format,
    const char *path, const struct bestdag_options *options);

/* The table with its missing cells filled, given the rest of the row, by their
 * most probable states or by draws; or, with the option "probabilities", the
 * probability of each state of each missing cell: columns "row" (from 1),
 * "variable", "state", "probability". Observed cells are unchanged, and so are
 * rows of probability 0. Options: the groups "impute" and "inference". */
BESTDAG_API struct bestdag_table *bestdag_network_impute(
    struct bestdag_run *run, const struct bestdag_network *network,
    const struct bestdag_table *table, const struct bestdag_options *options);

/* ---- classifiers: networks that predict one variable from the others ----- */

/* Numbers are cut into states; the network keeps the cut points and the name of
 * the class. Options: the groups "classify" and "score". */
BESTDAG_API struct bestdag_network *bestdag_classifier_train(
    struct bestdag_run *run, const struct bestdag_table *table,
    const struct bestdag_options *options);
/* For each row the most probable class, a column with the name of the class,
 * and the probability of each class, columns "p(LABEL)". The table may have
 * missing values and need not have the class. Option: "class" of the group
 * "classify", for networks that do not name it. */
BESTDAG_API struct bestdag_table *bestdag_classifier_predict(
    struct bestdag_run *run, const struct bestdag_network *model,
    const struct bestdag_table *table, const struct bestdag_options *options);
/* JSON: accuracy and related measures on rows that were not trained on: those
 * of `test`, or, if it is NULL, held-out parts of the table. Options: as for
 * training, and "folds", "split". */
BESTDAG_API char *bestdag_classifier_validate(
    struct bestdag_run *run, const struct bestdag_table *table,
    const struct bestdag_table *test, const struct bestdag_options *options);

/* ---- certificates -------------------------------------------------------- */

/* JSON: does the certificate prove its bound on all networks over a score file,
 * and how far below it is this network? Checked by code that shares nothing
 * with the searches. "status" is "optimal" ("bound" - "score" is at most
 * "tolerance"), "bounded", or, with a "reason", "refused".
 * Arguments are paths. Options: the groups "verify" and "table". */
BESTDAG_API char *bestdag_verify(struct bestdag_run *run, const char *scores,
                                 const char *network, const char *certificate,
                                 const struct bestdag_options *options);

#ifdef __cplusplus
}
#endif
#endif
