/* SPDX-License-Identifier: MIT */
/* constrained_tables.h -- tables under rules about parameters.
 */
#ifndef BESTDAG_MODELS_CONSTRAINED_TABLES_H
#define BESTDAG_MODELS_CONSTRAINED_TABLES_H

#include "constraints/parameters/parameters.h"
#include "models/match.h"

/* Applies the rules to a network with states and the columns of its variables.
 * NULL with status OK: no rule is about parameters. The rules are borrowed. */
struct bestdag_parameters *bestdag_constrained_tables_new(
    struct bestdag_run *run, const struct bestdag_rules *rules,
    const struct bestdag_network *network, const struct bestdag_table *table,
    const struct bestdag_match *match);

/* Turns a table of counts into one of probabilities: those that maximise the
 * sum of (count + add) log p under the rules, for each configuration of the
 * parents that no rule names. This is the posterior mode in the feasible
 * region; without rules it is (count + add) / (total + states add). Where the
 * rules make a probability 0, nothing is added. */
struct bestdag_constrained_tables {
    const struct bestdag_parameters *parameters;
    const struct bestdag_network *network;
    int child;
    double add;
    int64_t *cell; /* counts in, doubles out: both take eight bytes */
};
/* May be called on any thread. */
int bestdag_constrained_tables_fit(
    struct bestdag_run *run, const struct bestdag_constrained_tables *job);

#endif
