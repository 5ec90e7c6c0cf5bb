/* SPDX-License-Identifier: MIT */
/* session.h -- what the files of engine and session share. */
#ifndef BESTDAG_INFERENCE_SESSION_H
#define BESTDAG_INFERENCE_SESSION_H

#include "inference/engine.h"
#include "inference/joint.h"

struct bestdag_engine {
    const struct bestdag_network *network;
};

struct bestdag_session {
    const struct bestdag_engine *engine;
    struct bestdag_evidence evidence; /* owns */
    struct bestdag_joint *joint;      /* owns */
};

#endif
