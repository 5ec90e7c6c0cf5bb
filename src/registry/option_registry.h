/* SPDX-License-Identifier: MIT */
/* option_registry.h -- every option there is, group by group. */
#ifndef BESTDAG_REGISTRY_OPTION_REGISTRY_H
#define BESTDAG_REGISTRY_OPTION_REGISTRY_H

#include "base/options.h"

struct bestdag_option_place {
    struct bestdag_option_group group;
    const struct bestdag_option *row; /* of that group */
};

/* The i-th option; its row is NULL after the last. */
struct bestdag_option_place bestdag_option_at(int i);

#endif
