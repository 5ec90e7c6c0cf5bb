/* SPDX-License-Identifier: MIT */
/* groups.h -- rows in sorted order, in which identical ones are adjacent. */
#ifndef BESTDAG_DATA_GROUPS_H
#define BESTDAG_DATA_GROUPS_H

#include "data/keysort.h"
#include "data/table.h"

struct bestdag_groups {
    int64_t count;             /* of groups */
    struct bestdag_keyed *row; /* owns; [rows]; only .row is meaningful */
    uint8_t *first;            /* owns; [rows]; 1: a group begins here */
};

/* Groups ascend, column by column: by code or number, missing last. Rows within
 * a group ascend. Opaque columns are ignored. Stopped: BESTDAG_OK, and `row` is
 * NULL. Call release in any case. */
int bestdag_groups_make(struct bestdag_run *run,
                        const struct bestdag_table *table,
                        struct bestdag_groups *to);
void bestdag_groups_release(struct bestdag_groups *groups);
/* Fails for tables that have more rows than can be sorted: 2^32 - 1. */
int bestdag_groups_need_few(struct bestdag_run *run,
                            const struct bestdag_table *table);

#endif
