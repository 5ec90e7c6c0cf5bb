/* SPDX-License-Identifier: MIT */
/* world.h -- small random networks with probabilities, and everything that
 * follows from them, by going through all joint states.
 *
 * A variable has states or is a number; numbers have regressions, one for each
 * joint state of their parents with states. Given all states, the numbers are
 * jointly normal. */
#ifndef WORLD_H
#define WORLD_H

#include "claims.h"

enum { FEW = 6, STATES = 3, CONFIGURATIONS = 27, ATOMS = 729 };

struct world {
    int n;
    int states[FEW]; /* 0: a number */
    unsigned parents[FEW];
    int configurations[FEW];
    double table[FEW][CONFIGURATIONS][STATES];
    double intercept[FEW][CONFIGURATIONS], sd[FEW][CONFIGURATIONS];
    double coefficient[FEW][CONFIGURATIONS][FEW];
};

enum contents { ALL_STATES, ALL_NUMBERS, BOTH };

/* Zeros in tables make some evidence impossible. */
void world_draw(struct world *w, enum contents contents, bool has_zeros,
                uint64_t *seed);
void world_write(const struct world *w, const char *path);

/* A network that the command wrote, of the first n letters; state: of each
 * variable the number that its states sa, sb, sc have, or -1. The caller frees
 * *notes, the whole of the file. */
bool world_read(struct world *w, int n, const char *path, struct json **notes,
                int state[FEW][STATES]);

/* What is known of each variable: of states a likelihood; of a number its
 * value. */
struct evidence {
    double likelihood[FEW][STATES];
    bool has_value[FEW];
    double value[FEW];
    int set[FEW]; /* do(): 1, to what is in `to` */
    double to[FEW];
};

void evidence_clear(struct evidence *e);

/* One joint state, its weight (probability times likelihood times density of
 * the numbers that are known, over the largest), and the numbers given all
 * that. */
struct atom {
    int state[FEW];
    long double weight, mean[FEW], covariance[FEW][FEW];
};

struct atoms {
    int count; /* 0: the evidence is impossible */
    long double total, log_evidence;
    struct atom at[ATOMS];
};

/* A row: states, and numbers as means. */
void world_sample(const struct world *w, struct atom *row, uint64_t *seed);
void atoms_find(const struct world *w, const struct evidence *e,
                struct atoms *to);
long double atoms_probability(const struct atoms *a, int v, int state);
void atoms_moments(const struct atoms *a, int v, double *mean, double *sd);

/* Up to what sums in another order may differ by. */
bool is_near(double x, double y, double scale);

/* What a trial about a network is made of; cause.c has effect and relate. */
struct question {
    struct trial *t;
    struct tally *tally;
    char *why;
    struct world world;
    struct evidence evidence;
    char text[512]; /* the evidence, as it is asked */
    struct ending end;
    struct json *json;
};

__attribute__((format(printf, 2, 3))) bool question_accuse(struct question *q,
                                                           const char *format,
                                                           ...);
/* `share` of the variables of a set become known, in some way of `kinds`. */
enum { STATE = 1, IN = 2, LIKELIHOOD = 4, DO = 8, VALUE = 16 };
void question_draw_evidence(struct question *q, unsigned set, double share,
                            int kinds, uint64_t *seed);
/* Runs the words that are in t->search, and reads what it printed as JSON.
 * False: it should not have ended so. */
bool question_run(struct question *q, int expected);

bool em_judge(struct question *q, uint64_t *seed);
bool effect_judge(struct question *q, uint64_t *seed);
bool relate_judge(struct question *q, uint64_t *seed);
/* Are a and b d-separated given a set? */
bool graph_separates(const unsigned *parents, int n, unsigned a, unsigned b,
                     unsigned given);

#endif
