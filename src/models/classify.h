/* SPDX-License-Identifier: MIT */
/* classify.h -- classifiers: training, and how a network marks its class.
 *
 * A classifier is a network whose class variable has the property "role =
 * class". Cuts of numbers are stored as network/cuts.h says. BIF, XMLBIF and
 * JSON files keep properties. */
#ifndef BESTDAG_MODELS_CLASSIFY_H
#define BESTDAG_MODELS_CLASSIFY_H

#include "base/options.h"
#include "models/classifier_structure.h"
#include "network/cuts.h"

/* The options of the group "classify". All pointers are borrowed. */
struct bestdag_classify {
    const struct bestdag_options *options;
    enum bestdag_model model;
    int max_parents;
    char branching; /* as in classifier_structure.h */
    double smoothing;
    const char *class;  /* NULL: the last column */
    const char *method; /* of cutting */
};

int bestdag_classify_settings(struct bestdag_run *run,
                              const struct bestdag_options *options,
                              struct bestdag_classify *to);
/* The class column of a table; -1: failed. */
int bestdag_classify_class(struct bestdag_run *run,
                           const struct bestdag_table *table,
                           const struct bestdag_classify *how);
/* Rows with a missing value are left out. */
struct bestdag_network *bestdag_classify_train(
    struct bestdag_run *run, const struct bestdag_table *table,
    const struct bestdag_classify *how);

/* The variable that is marked as the class; -1: none is. */
int bestdag_classify_marked(const struct bestdag_network *network);
int bestdag_classify_mark(struct bestdag_run *run, struct bestdag_variable *x);

extern const struct bestdag_option_group bestdag_classify_options;

#endif
