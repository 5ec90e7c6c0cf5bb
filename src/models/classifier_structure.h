/* SPDX-License-Identifier: MIT */
/* classifier_structure.h -- structures of classifiers: the parents of each
 * attribute in addition to the class. */
#ifndef BESTDAG_MODELS_CLASSIFIER_STRUCTURE_H
#define BESTDAG_MODELS_CLASSIFIER_STRUCTURE_H

#include "graph/dag.h"
#include "scores/scorer.h"

enum bestdag_model { BESTDAG_NB, BESTDAG_TAN, BESTDAG_CKG };

struct bestdag_classifier_structure {
    const struct bestdag_scorer *scorer; /* of the class and the attributes */
    int class;                           /* its column */
    enum bestdag_model model;
    int max_parents; /* of ckg, not counting the class */
    char branching;  /* 't': a tree over all attributes, 'f': only arcs that
                        gain, 'b': the one that scores better */
};

/* A graph over all columns in which the class is a parent of every other. NULL:
 * failed or stopped; being stopped is an error here. */
struct bestdag_dag *bestdag_classifier_structure_find(
    struct bestdag_run *run, const struct bestdag_classifier_structure *how);

#endif
