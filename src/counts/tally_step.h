/* SPDX-License-Identifier: MIT */
/* tally_step.h -- shared by the path (tally_path.c) and the kernels
 * (tally_kernels.c) of the tally.
 *
 * A step of the path numbers its groups without gaps, so that arrays are never
 * larger than what occurs: groups <= rows. From the group numbers of a step
 * follow, when needed, the rows sorted by group (single-row groups at the end,
 * where they need no counting) and the bits of every group. */
#ifndef BESTDAG_COUNTS_TALLY_STEP_H
#define BESTDAG_COUNTS_TALLY_STEP_H

#include "base/popcount.h"
#include "counts/sharded_tally.h"
#include "counts/tally.h"

struct bestdag_step {
    int variable;      /* added by this step */
    int64_t groups;    /* that occur */
    bool coded;        /* `code` is valid */
    uint32_t *code;    /* owns; [rows]: group of a row */
    int64_t *weight;   /* owns; [rows]: by group */
    int asked;         /* sums requested since it was made */
    bool sorted;       /* row, start and several are valid */
    uint32_t *row;     /* owns; [rows]: rows by group, single ones last */
    uint32_t *start;   /* owns; [rows + 1]: beginnings of groups with several
                          rows */
    int64_t several;   /* groups with several rows */
    bool has_bits;     /* `bits` is valid */
    uint64_t *bits;    /* inside block: [groups * words] */
    void *block;       /* owns */
    int64_t bits_room; /* words of room for `bits` */
};

struct bestdag_tally {
    struct bestdag_run *run;
    const struct bestdag_columns *columns;
    struct bestdag_sharded_tally *sharded; /* owns; NULL: all rows are local */
    bestdag_popcount_fn *popcount;
    enum bestdag_kernel forced;
    struct bestdag_step *step; /* owns; [room]; step[0] is the empty path */
    int depth, room;
    uint32_t *scratch; /* owns; [scratch_room] */
    int64_t scratch_room;
    int64_t *counter;          /* owns; [most states]: zero between uses */
    struct bestdag_cell *cell; /* owns; [rows] */
};

static inline int64_t bestdag_tally_rows(const struct bestdag_tally *t)
{
    return t->columns->rows > 0 ? t->columns->rows : 1;
}

/* Is an array of groups x states worth clearing and reading? */
static inline bool bestdag_step_is_dense(const struct bestdag_tally *t,
                                         const struct bestdag_step *s,
                                         int states)
{
    return t->columns->total <= UINT32_MAX &&
           s->groups <= (4 * t->columns->rows + 1024) / states;
}

static inline bool bestdag_has_bit_columns(const struct bestdag_columns *c,
                                           int variable)
{
    return c->place[variable] < c->bit_places && c->states[variable] > 0;
}

/* Memory that is valid until the next call. NULL: out of memory. */
uint32_t *bestdag_tally_scratch(struct bestdag_tally *tally, int64_t count);
/* Compute the bits of the groups from their numbers; the numbers from the bits;
 * the rows by group. */
int bestdag_step_bits(struct bestdag_tally *tally, struct bestdag_step *step);
void bestdag_step_code(const struct bestdag_tally *tally,
                       struct bestdag_step *step);
int bestdag_step_sort(struct bestdag_tally *tally, struct bestdag_step *step);

#endif
