/* SPDX-License-Identifier: MIT */
/* pair_workers.c -- data of the threads that score all pairs. */
#include "parents/pair_workers.h"

#include "parallel/parallel.h"

int bestdag_pair_workers_init(struct bestdag_pair_workers *to,
                              struct bestdag_run *run,
                              const struct bestdag_scorer *scorer)
{
    int threads = bestdag_parallel_threads(run, scorer->n);
    to->at = bestdag_calloc(run, (size_t)threads, sizeof *to->at);
    to->threads = to->at ? threads : 0;
    for (int i = 0; i < to->threads; i++) {
        struct bestdag_pair_worker *w = &to->at[i];
        w->ranked = bestdag_alloc(run, (size_t)scorer->n * sizeof *w->ranked);
        w->scratch = bestdag_scorer_scratch_new(run, scorer);
        if (w->scratch)
            w->pairwise = bestdag_pairwise_new(run, scorer, w->scratch);
        if (!w->ranked || !w->pairwise)
            return BESTDAG_MEMORY;
    }
    return to->at ? BESTDAG_OK : BESTDAG_MEMORY;
}

void bestdag_pair_workers_release(struct bestdag_pair_workers *to)
{
    for (int i = 0; i < to->threads; i++) {
        bestdag_pairwise_free(to->at[i].pairwise);
        bestdag_scorer_scratch_free(to->at[i].scratch);
        bestdag_free(to->at[i].ranked);
    }
    bestdag_free(to->at);
}
