/* SPDX-License-Identifier: MIT */
/* claims.h -- random small problems, and whether what the command claims of
 * them is true.
 *
 * Nothing here is linked against the library: the command is run as a user
 * runs it, and everything it prints is recomputed, by counting, by dynamic
 * programming over all orders, and by a reading of the rules of its own.
 * Variables are numbers below MOST; a set of them is a bit mask. */
#ifndef CLAIMS_H
#define CLAIMS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { MOST = 9, SETS = 1 << MOST, ROWS = 160, CLAUSES = 160, LITERALS = 4 };
enum { TEXT = 8192, ARGUMENTS = 96 };

/* ---- random numbers: splitmix64 ---- */

uint64_t draw(uint64_t *state);
int draw_below(uint64_t *state, int limit); /* 0 .. limit - 1 */
int draw_between(uint64_t *state, int least, int most);
double draw_unit(uint64_t *state); /* 0 <= x < 1 */
bool draw_chance(uint64_t *state, double share);

/* ---- tables and local scores ---- */

struct sheet { /* what is in the file */
    int n, rows;
    int states[MOST];     /* that the generator drew from */
    int cell[ROWS][MOST]; /* -1: missing */
    bool is_number[MOST]; /* the values are in `number` */
    double number[ROWS][MOST];
    int weight[ROWS];
    bool has_weights, is_arff;
};

struct reading { /* how the command is asked to read and score it */
    bool missing_is_state, declared;
    bool available; /* pnal: each family on the rows that have it */
    char score[8];
    double ess, pseudo, per_arc, penalty;
};

/* Of every family the score; -INFINITY: it is not offered. */
struct scores {
    int n;
    double local[MOST][SETS];
};

void sheet_draw(struct sheet *s, int n, uint64_t *seed);
void sheet_write(const struct sheet *s, const char *path);
/* False: no row is left. True leaves the scores of all families. */
bool sheet_score(const struct sheet *s, const struct reading *how,
                 struct scores *to);
bool score_is_known(const char *name); /* to sheet_score() */
struct rows {                          /* those that are kept */
    int n, count;
    int cell[ROWS][MOST]; /* -1: missing */
    bool is_number[MOST];
    double number[ROWS][MOST];
    double weight[ROWS], total;
    int states[MOST];
};

/* Some columns, or all, of a table that was drawn become numbers; how many. */
int numbers_draw(struct sheet *s, uint64_t *seed);
/* Of a column of numbers, before what arcs cost; -INFINITY: singular; NAN: only
 * rules decide whether it is offered. */
double numbers_score(const struct rows *rows, const struct reading *how,
                     int child, unsigned parents);
/* Only the families of at most `most` parents stay. */
void scores_limit(struct scores *s, int most);

/* ---- score files ---- */

enum feature {
    HUGE,
    ORDER,
    CROSS,
    ANCESTOR,
    TIMES,
    MEMORY,
    NO_EMPTY,
    FEATURES
};
extern const char *const feature_names[FEATURES];
struct features {
    bool without[FEATURES];
};

void lists_draw(struct scores *to, int n, const struct features *f,
                uint64_t *seed);
void lists_write(const struct scores *s, const char *path, uint64_t *seed);
/* False: the file cannot be read, or is of other variables. */
bool lists_read(struct scores *to, int n, const char *path);

/* ---- rules ---- */

enum kind { ARC, ROOT, LEAF, ADJACENT, ANCESTRY, INDEGREE };
enum compare { LESS, AT_MOST, EQUAL, AT_LEAST, MORE };

struct literal {
    enum kind kind;
    int a, b; /* an arc, path or edge from a to b; else a alone */
    enum compare compare;
    int count;
    bool is_not;
};

/* Of indegree: is this number of parents as it says? */
bool literal_fits(const struct literal *l, int count);

struct clause {
    int count;
    struct literal at[LITERALS];
};

struct ruling {
    int n;
    char text[TEXT];          /* "": no rules */
    unsigned forbidden[MOST]; /* by child */
    unsigned before[MOST];    /* that order lines put before it */
    int clauses;
    struct clause clause[CLAUSES];
};

void ruling_draw(struct ruling *r, int n, const struct features *f,
                 uint64_t *seed);
/* May this child have these parents, as far as it depends on no other child? */
bool ruling_allows(const struct ruling *r, int child, unsigned parents);
/* NULL, or what a network breaks. */
const char *ruling_broken(const struct ruling *r, const unsigned *parents);

/* ---- graphs ---- */

bool graph_has_cycle(const unsigned *parents, int n);
/* The sum; -INFINITY if a family is not offered. */
double graph_score(const struct scores *s, const unsigned *parents);

/* ---- the best network, by dynamic programming ---- */

enum answer { UNKNOWN, NONE, FOUND }; /* UNKNOWN: too many states */
enum answer best_score(const struct scores *s, const struct ruling *r,
                       double *score);

/* ---- JSON ---- */

struct json;
struct json *json_read(const char *text); /* NULL: it is not JSON */
void json_free(struct json *j);
const struct json *json_get(const struct json *j, const char *key);
const struct json *json_at(const struct json *j, int index);
int json_count(const struct json *j);
double json_number(const struct json *j);    /* NAN: none */
const char *json_text(const struct json *j); /* NULL: none */

/* ---- running the command ---- */

struct command {
    int count;
    char *word[ARGUMENTS + 1];
};

struct ending {
    int code;       /* exit code; 128 + signal */
    bool timed_out; /* it had to be killed */
    char *out, *err;
};

void command_add(struct command *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void command_copy(struct command *to, const struct command *from);
void command_clear(struct command *c);
void command_print(const struct command *c, FILE *to);
/* In the current folder. */
struct ending command_run(const struct command *c, int seconds);
/* Starts it, and kills it after so many milliseconds. */
void command_kill(const struct command *c, int milliseconds);
void ending_clear(struct ending *e);
char *file_read(const char *path); /* NULL: cannot */

/* ---- one trial ---- */

enum mode { LEARN, SOLVE, SCORE_AND_SOLVE };

struct trial {
    const char *program;        /* the command's path */
    const struct json *solvers; /* as `bestdag list solvers --json` has them */
    const struct features *features;
    uint64_t seed;
    enum mode mode;
    int n;
    struct sheet sheet;
    struct reading reading;
    struct ruling ruling;       /* of the search */
    struct ruling score_ruling; /* of `score` before it; else none */
    struct scores all;          /* every family, as counted here */
    struct scores lists;        /* what the score file has */
    bool has_rows, has_all, has_lists;
    int max_parents;  /* -1: no limit */
    bool is_complete; /* no option keeps sets out of the lists */
    bool on_table;    /* the solver works on the table */
    char solver[16];
    unsigned start[MOST];
    bool has_start, has_certificate, has_time, has_memory, require_optimal;
    double gap;
    struct command score, search; /* score: of SCORE_AND_SOLVE */
};

void trial_draw(struct trial *t);
void trial_clear(struct trial *t);

/* What has been tried and seen. */
struct tally {
    int64_t trials, optimal, bounds, global_bounds, certificates, infeasible,
        refused, starts, threads, unknown, stopped, memory, questions, checked,
        forged, lists, resumed, em;
};

/* Runs it and looks at every claim. False: one is false, and `why` says which.
 */
bool trial_judge(struct trial *t, struct tally *tally, char why[TEXT]);
/* The same of a network with probabilities, and a question about it. */
bool ask_judge(struct trial *t, struct tally *tally, char why[TEXT]);

#endif
