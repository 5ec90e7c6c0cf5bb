/* SPDX-License-Identifier: MIT */
/* dp_forecast.c -- estimates time and memory of `dp` from the largest component
 * and the number of candidate sets. */
#include "learn/dp_forecast.h"

#include <math.h>

#include "search/subsets/dp.h"

/* Memory of `dp` without a limit: a part of what searches may use, as it needs
 * all of it at once, and no more than 30 variables take. */
#define SHARE_OF_MEMORY 0.5
#define MOST_BYTES ((int64_t)10 << 30)
/* Nominal seconds per variable and subset, and per set in a pass over the
 * lists; there is one pass for each 2^PASS subsets (26 variables: 4 s). */
#define OF_SUBSET 4.6e-9
#define OF_SET 1.0e-9
enum {
    PASS = 16,
    MOST_VARIABLES = 40,
    THREADS = 8 /* to reserve memory for, however many there are */
};

bool bestdag_dp_fits(const struct bestdag_task *task, int largest)
{
    int64_t limit = bestdag_memory_limit(task->run), most = MOST_BYTES;
    double share = SHARE_OF_MEMORY * (double)bestdag_search_bytes(task->run);
    if (limit)
        most = limit - bestdag_memory_used(task->run);
    else if (share < (double)most)
        most = (int64_t)share;
    if (largest >= MOST_VARIABLES)
        return false;
    return bestdag_dp_bytes(largest) +
               2 * bestdag_problem_bytes(task->problem->sets) +
               ((int64_t)THREADS << 20) <=
           most;
}

double bestdag_dp_forecast(const struct bestdag_task *task, int largest)
{
    double sets = (double)bestdag_sets_total(task->problem->sets);
    return ldexp(OF_SUBSET * largest, largest - 1) +
           OF_SET * sets * (largest > PASS ? ldexp(1, largest - PASS) : 1);
}
