/* SPDX-License-Identifier: MIT */
/* relate.h -- queries about the graph of a network, answered as JSON:
 * declarations that the files of `relate` share. */
#ifndef BESTDAG_MODELS_RELATE_H
#define BESTDAG_MODELS_RELATE_H

#include "base/json.h"
#include "graph/d_separation.h"
#include "network/regression.h"

/* A report that is being written. */
struct bestdag_relation {
    struct bestdag_run *run;
    const struct bestdag_network *network;
    struct bestdag_adjacency children; /* owns */
    enum bestdag_role *role;           /* owns; [n] */
    int *list;                         /* owns; [n]; scratch */
    struct bestdag_json_writer w;
};

/* The d-separation question for the roles in `role`. */
struct bestdag_d_question bestdag_relation_question(
    const struct bestdag_relation *r);
/* Writes names as a list. */
void bestdag_relation_names(struct bestdag_relation *r, const char *key,
                            const int *variables, int count);
/* Writes members "path" and "arrows" of an open object; both are empty for no
 * nodes. */
void bestdag_relation_path(struct bestdag_relation *r, const int *path,
                           int count);
/* Writes member "colliders": why the colliders of an open path leave it
 * open. */
int bestdag_relation_colliders(struct bestdag_relation *r, const int *path,
                               int count);
/* Writes members "paths" and "paths_complete": at most `most` paths from the
 * FROM node to the TO node, and what blocks each. */
int bestdag_relation_paths(struct bestdag_relation *r, const int ends[2],
                           int64_t most);
/* Writes member "cpt": the conditional probabilities of a variable. */
int bestdag_relation_cpt(struct bestdag_relation *r, int variable);

#endif
