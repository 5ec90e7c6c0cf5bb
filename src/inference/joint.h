/* SPDX-License-Identifier: MIT */
/* joint.h -- joint probabilities, many of them from one network. */
#ifndef BESTDAG_INFERENCE_JOINT_H
#define BESTDAG_INFERENCE_JOINT_H

#include "inference/reduction.h"

/* Scratch for one network and one thread at a time. */
struct bestdag_joint;

/* The network must have tables and outlive the scratch. watches: this is the
 * run's own thread, which checks the time limit. */
struct bestdag_joint *bestdag_joint_new(struct bestdag_run *run,
                                        const struct bestdag_network *network,
                                        bool watches);
void bestdag_joint_free(struct bestdag_joint *joint);
/* As bestdag_network_joint(). */
int bestdag_joint_compute(struct bestdag_run *run, struct bestdag_joint *joint,
                          const int *variables, int count, double *to,
                          int64_t room);

/* Begins a computation given evidence (NULL: none): plans it, so that r->work
 * and r->bytes are known. End it with bestdag_reduction_release() in any case.
 */
int bestdag_joint_plan(struct bestdag_run *run, struct bestdag_joint *joint,
                       const struct bestdag_evidence *evidence, bool pruned,
                       const int *variables, int count,
                       struct bestdag_reduction *r);
/* Runs a plan. *ln: ln of the sum; minus infinity leaves zeros at `to`. */
int bestdag_joint_finish(struct bestdag_run *run, struct bestdag_reduction *r,
                         double *to, int64_t room, double *ln);

#endif
