/* SPDX-License-Identifier: MIT */
/* appraiser.h -- scores of families given as rows of bits, remembered for all
 * threads: one at a time, or all that differ from one by a parent. */
#ifndef BESTDAG_SCORES_APPRAISER_H
#define BESTDAG_SCORES_APPRAISER_H

#include "scores/memo.h"
#include "scores/toggle.h"

/* What threads share. */
struct bestdag_appraisal {
    const struct bestdag_scorer *scorer; /* borrowed */
    size_t words;
    int max_parents;             /* n - 1 if there is no limit */
    struct bestdag_memo *family; /* owns; one score each */
    struct bestdag_memo *row;    /* owns; n scores each */
};

int bestdag_appraisal_init(struct bestdag_run *run, struct bestdag_appraisal *a,
                           const struct bestdag_scorer *scorer,
                           int max_parents);
/* Once all that stays is there: what may be remembered is half of what a limit
 * of memory leaves now. */
void bestdag_appraisal_share(const struct bestdag_run *run,
                             struct bestdag_appraisal *a);
void bestdag_appraisal_release(struct bestdag_appraisal *a);

/* One thread's. */
struct bestdag_appraiser {
    struct bestdag_run *run;
    const struct bestdag_appraisal *shared;
    struct bestdag_desk *desk;     /* owns */
    struct bestdag_toggle *toggle; /* owns */
    int *list;                     /* owns; [n] */
    int64_t *scores;               /* owns; [n]: of a row that is not kept */
    int64_t asked, counted;        /* families: wanted; not remembered */
};

int bestdag_appraiser_init(struct bestdag_run *run, struct bestdag_appraiser *a,
                           const struct bestdag_appraisal *shared);
void bestdag_appraiser_release(struct bestdag_appraiser *a);

/* Units, of any number of parents; BESTDAG_NO_FAMILY: it is no candidate, or
 * the run failed. */
int64_t bestdag_appraise(struct bestdag_appraiser *a, int child,
                         const uint64_t *parents);
/* The scores with each other variable added, if that is not too many, or
 * dropped if it is a parent; at the child, as it is. They stay until the next
 * call. NULL: failed. */
const int64_t *bestdag_appraise_row(struct bestdag_appraiser *a, int child,
                                    const uint64_t *parents);

#endif
