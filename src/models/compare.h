/* SPDX-License-Identifier: MIT */
/* compare.h -- what bestdag_network_compare() reports, with definitions. */
#ifndef BESTDAG_MODELS_COMPARE_H
#define BESTDAG_MODELS_COMPARE_H

struct bestdag_compare_field {
    const char *name; /* key in the JSON object */
    const char *definition;
};

/* In the order of the object; NULL: past the end. */
const struct bestdag_compare_field *bestdag_compare_field_at(int i);

#endif
