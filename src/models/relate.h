/* SPDX-License-Identifier: MIT */
/* relate.h -- questions about the graph of a network, and how they are
 * answered in JSON: what the files of `relate` share. */
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

/* The question of `role`, about the network's graph. */
struct bestdag_d_question bestdag_relation_question(
    const struct bestdag_relation *r);
/* Names as a list. */
void bestdag_relation_names(struct bestdag_relation *r, const char *key,
                            const int *variables, int count);
/* Members "path" and "arrows" of an open object; of no nodes, both empty. */
void bestdag_relation_path(struct bestdag_relation *r, const int *path,
                           int count);
/* Member "colliders": why those of an open path leave it open. */
int bestdag_relation_colliders(struct bestdag_relation *r, const int *path,
                               int count);
/* Members "paths" and "paths_complete": at most `most` paths from a node FROM
 * to one TO, one of each, and what blocks them. */
int bestdag_relation_paths(struct bestdag_relation *r, const int ends[2],
                           int64_t most);
/* Member "cpt": the conditional probabilities of a variable. */
int bestdag_relation_cpt(struct bestdag_relation *r, int variable);

#endif
