/* SPDX-License-Identifier: MIT */
/* engine.h -- inference in one network: the interface of this folder.
 *
 * The public functions (bestdag_engine_..., bestdag_session_...) serve other
 * folders, too; this header adds functions for code that uses the network's
 * structure. */
#ifndef BESTDAG_INFERENCE_ENGINE_H
#define BESTDAG_INFERENCE_ENGINE_H

#include "base/options.h"
#include "inference/evidence.h"

extern const struct bestdag_option_group bestdag_inference_options;
/* Makes the engine fail instead of sampling, whatever was chosen before. */
int bestdag_options_need_exact(struct bestdag_run *run,
                               struct bestdag_options *options);

/* Sessions that there is memory for, at least one, for so many threads. */
int bestdag_engine_sessions(const struct bestdag_run *run,
                            const struct bestdag_engine *engine, int threads);
/* May answers be sampled, about single variables or about several at once? */
bool bestdag_engine_may_sample(const struct bestdag_engine *engine,
                               bool is_joint);
/* The session's evidence, read-only. */
const struct bestdag_evidence *bestdag_session_known(
    const struct bestdag_session *session);

#endif
