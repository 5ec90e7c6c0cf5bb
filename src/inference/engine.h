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

const struct bestdag_network *bestdag_engine_network(
    const struct bestdag_engine *engine);
/* The session's evidence, to read. */
const struct bestdag_evidence *bestdag_session_known(
    const struct bestdag_session *session);

#endif
