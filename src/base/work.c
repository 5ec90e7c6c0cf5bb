/* SPDX-License-Identifier: MIT */
/* work.c -- amounts of counted work. */
#include "base/work.h"

#include <assert.h>
#include <string.h>

/* Beyond, counters that add up several amounts could overflow. */
static const double MOST = 9e17;

static int64_t whole(double amount)
{
    return amount < 1 ? 1 : amount < MOST ? (int64_t)amount : (int64_t)MOST;
}

double bestdag_effort_scale(const char *word)
{
    return !strcmp(word, "low") ? 0.1 : !strcmp(word, "high") ? 10 : 1;
}

int64_t bestdag_effort_times(double effort, int64_t amount)
{
    return whole(effort * (double)amount);
}

int64_t bestdag_work_units(double work, double price)
{
    assert(work >= 0 && price > 0);
    return whole(work / price);
}
