/* SPDX-License-Identifier: MIT */
/* augment.h -- structures of classifiers: who depends on whom besides the
 * class. */
#ifndef BESTDAG_MODELS_AUGMENT_H
#define BESTDAG_MODELS_AUGMENT_H

#include "graph/dag.h"
#include "scores/scorer.h"

enum bestdag_model { BESTDAG_NB, BESTDAG_TAN, BESTDAG_CKG };

struct bestdag_augment {
    const struct bestdag_scorer *scorer; /* of the class and the attributes */
    int class;                           /* its column */
    enum bestdag_model model;
    int max_parents; /* of ckg, besides the class */
};

/* A graph over all columns in which the class is a parent of every other. NULL:
 * failed, or stopped, which is an error here. */
struct bestdag_dag *bestdag_augment_find(struct bestdag_run *run,
                                         const struct bestdag_augment *how);

#endif
