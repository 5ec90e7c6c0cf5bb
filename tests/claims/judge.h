/* SPDX-License-Identifier: MIT */
/* judge.h -- what the files that look at an answer share. */
#ifndef JUDGE_H
#define JUDGE_H

#include "claims.h"

enum { PATIENCE = 600 }; /* seconds; only for what never ends */

struct claim {
    struct trial *t;
    struct tally *tally;
    char *why;
    struct ending end;
    struct json *json;
    unsigned parents[MOST];
    double score, bound, global_bound, gap;
    const char *status, *scope; /* scope NULL: none */
};

__attribute__((format(printf, 2, 3))) bool accuse(struct claim *c,
                                                  const char *format, ...);
/* What counting in another way, or in other units, may differ by. */
double tolerance(double score);
/* Is the clause about the parents of one child? */
bool is_local(const struct clause *c);
/* `most`: parents; -1: any number. */
enum answer best_of_all(const struct trial *t, int most, double *score);
enum answer best_of_lists(const struct trial *t, double *score);

/* A certificate that was written proves what it says, and others, made from
 * it, prove nothing that is false. */
bool check_certificate(struct claim *c);
/* The lists of a table have its scores, and lack only what they say. */
bool check_lists(struct claim *c);
/* A run that was killed and went on ends as if it had not been. */
bool check_resumed(struct claim *c);
/* Two reports, but for what depends on time and machine. */
bool is_same_report(const char *a, const char *b);

#endif
