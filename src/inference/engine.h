/* SPDX-License-Identifier: MIT */
/* engine.h -- inference in one network: the door of this folder.
 *
 * The public functions (bestdag_engine_..., bestdag_session_...) are the
 * interface for other folders, too; this header adds what a program that holds
 * the network's structure wants to know. */
#ifndef BESTDAG_INFERENCE_ENGINE_H
#define BESTDAG_INFERENCE_ENGINE_H

#include "base/options.h"
#include "inference/evidence.h"

extern const struct bestdag_option_group bestdag_inference_options;
/* An error instead of samples, whatever was chosen before. */
int bestdag_options_need_exact(struct bestdag_run *run,
                               struct bestdag_options *options);

/* Sessions that there is memory for, at least one, for so many threads. */
int bestdag_engine_sessions(const struct bestdag_run *run,
                            const struct bestdag_engine *engine, int threads);
/* Could an answer be sampled: of single variables, or of several at once? */
bool bestdag_engine_may_sample(const struct bestdag_engine *engine,
                               bool is_joint);
/* The session's evidence, to read. */
const struct bestdag_evidence *bestdag_session_known(
    const struct bestdag_session *session);

#endif
