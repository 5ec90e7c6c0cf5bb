/* SPDX-License-Identifier: MIT */
/* equivalence_class.h -- which arcs of a network its equivalence class compels.
 */
#ifndef BESTDAG_MODELS_EQUIVALENCE_CLASS_H
#define BESTDAG_MODELS_EQUIVALENCE_CLASS_H

#include "constraints/deduction/mpdag.h"
#include "network/network.h"

/* Under rules (NULL: none), which the network obeys, else it fails. `to` must
 * be released, also on failure. */
int bestdag_network_compelled(struct bestdag_run *run,
                              const struct bestdag_network *network,
                              const struct bestdag_rules *rules,
                              struct bestdag_labels *to);

#endif
