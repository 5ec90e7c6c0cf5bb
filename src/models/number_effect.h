/* SPDX-License-Identifier: MIT */
/* number_effect.h -- total effects in networks of numbers. */
#ifndef BESTDAG_MODELS_NUMBER_EFFECT_H
#define BESTDAG_MODELS_NUMBER_EFFECT_H

#include "constraints/language/rules.h"
#include "network/regression.h"

/* As bestdag_network_effect(), for networks with numbers: {"cause", "effect",
 * "slope": by how much the mean of the effect grows with the cause,
 * "causal_path", "identified", "range": {"slope": [least, most]}, ...}. */
char *bestdag_number_effect(struct bestdag_run *run,
                            const struct bestdag_network *network,
                            const char *cause, const char *effect,
                            const struct bestdag_rules *rules);

#endif
