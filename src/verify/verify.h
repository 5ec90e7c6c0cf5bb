/* SPDX-License-Identifier: MIT */
/* verify.h -- a certificate of optimality, checked: what the parts found. */
#ifndef BESTDAG_VERIFY_VERIFY_H
#define BESTDAG_VERIFY_VERIFY_H

#include "base/options.h"
#include "verify/kernel/certificate.h"
#include "verify/recount/recount.h"
#include "verify/rules/rulebook.h"

struct verification {
    struct bestdag_run *run;
    const struct bestdag_options *options;
    struct kernel_lists *lists; /* owns */
    struct verify_sidecar sidecar;
    struct verify_rulebook book;
    struct verify_deduction deduction;
    bool same_rules;  /* as those that the lists were made under */
    bool other_rules; /* they were made under others, or under some */
    struct kernel_network network;
    struct kernel_proof proof;
    struct verify_recount recount;
    bool has_data;
    /* the network */
    bool acyclic, listed, obeys;
    bestdag_wide exact_score; /* no more than its score; 2^-64 nat */
    int64_t cost;             /* in units of the certificate */
    /* what is printed, and decides; see bestdag_verification_conclude() */
    double score;     /* NaN: not all families are listed, or refused */
    double bound;     /* NaN: the certificate is refused */
    double tolerance; /* `optimal`: the bound is at most so much above */
    bool optimal;
    char reason[700]; /* why it is refused; "": it is not */
};

/* "all parent sets", ...: over what the bound holds, as far as is stated. */
void bestdag_verification_scope(const struct verification *x, char to[96]);
/* What was checked of that. */
void bestdag_verification_basis(const struct verification *x, char to[400]);
/* Score, bound and whether one reaches the other, from what was checked. */
int bestdag_verification_conclude(struct verification *x);
/* The report; NULL: no memory. */
char *bestdag_verification_state(struct verification *x);

#endif
