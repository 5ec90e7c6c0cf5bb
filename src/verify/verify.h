/* SPDX-License-Identifier: MIT */
/* verify.h -- the results of checking a certificate of optimality. */
#ifndef BESTDAG_VERIFY_VERIFY_H
#define BESTDAG_VERIFY_VERIFY_H

#include "base/options.h"
#include "verify/kernel/kernel.h"
#include "verify/recount/recount.h"
#include "verify/rules/rulebook.h"

struct verification {
    struct bestdag_run *run;
    const struct bestdag_options *options;
    struct kernel_lists *lists; /* owns */
    struct verify_sidecar sidecar;
    struct verify_rulebook book;
    struct verify_deduction deduction;
    bool same_rules;  /* the lists were made under the same rules */
    bool other_rules; /* the lists were made under rules that differ */
    struct kernel_network network;
    struct kernel_proof proof;
    struct verify_recount recount;
    bool has_data;
    bool acyclic, obeys; /* the network */
    struct kernel_verdict verdict;
    char reason[700]; /* why it is refused; "": it is not */
};

/* The report; NULL: no memory. */
char *bestdag_verification_state(struct verification *x);

#endif
