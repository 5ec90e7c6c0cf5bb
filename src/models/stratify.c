/* SPDX-License-Identifier: MIT */
/* stratify.c -- rows dealt out so that every part has the same mixture of
 * classes.
 *
 * Rows are sorted by class, those of a class are shuffled, each with a stream
 * of its own of the run's seed, and then dealt in turn: row i of the whole
 * sequence goes to part i mod K. For a split, a row goes to part 1 whenever
 * part 1 has less than its share of the rows dealt so far. Time O(rows). */
#include "models/stratify.h"

#include "base/random.h"

/* Rows with a class, class by class; *count of them. NULL: failed. */
static int64_t *sort_rows(struct bestdag_run *run,
                          const struct bestdag_column *class, int64_t rows,
                          int64_t *count)
{
    size_t states = (size_t) class->states;
    int64_t *sorted = bestdag_alloc(run, ((size_t)rows + 1) * sizeof *sorted);
    int64_t *start = bestdag_calloc(run, states + 2, sizeof *start);
    *count = 0;
    if (sorted && start) {
        for (int64_t r = 0; r < rows; r++)
            start[bestdag_column_code(class, r) + 2]++; /* missing: at 1 */
        start[1] = 0;
        for (size_t c = 2; c < states + 2; c++)
            start[c] += start[c - 1];
        *count = start[states + 1];
        for (int64_t r = 0; r < rows; r++) {
            int code = bestdag_column_code(class, r);
            if (code >= 0)
                sorted[start[code + 1]++] = r;
        }
    }
    bestdag_free(start);
    return sorted;
}

/* The rows of each class in random order. */
static void shuffle(const struct bestdag_run *run,
                    const struct bestdag_column *class, int64_t *sorted,
                    int64_t count)
{
    for (int64_t from = 0, to; from < count; from = to) {
        int code = bestdag_column_code(class, sorted[from]);
        struct bestdag_random random =
            bestdag_random_init(run->seed, (uint64_t)code);
        for (to = from; to < count; to++)
            if (bestdag_column_code(class, sorted[to]) != code)
                break;
        for (int64_t i = to - 1; i > from; i--) {
            int64_t k = from + (int64_t)bestdag_random_below(
                                   &random, (uint64_t)(i - from) + 1);
            int64_t row = sorted[i];
            sorted[i] = sorted[k];
            sorted[k] = row;
        }
    }
}

/* All rows that have a class, in the order in which they are dealt. */
static int64_t *shuffle_classes(struct bestdag_run *run,
                                const struct bestdag_column *class,
                                int64_t rows, int64_t *count, int *part)
{
    int64_t *sorted = sort_rows(run, class, rows, count);
    if (bestdag_run_status(run)) {
        bestdag_free(sorted);
        return NULL;
    }
    shuffle(run, class, sorted, *count);
    for (int64_t r = 0; r < rows; r++)
        part[r] = BESTDAG_NO_PART;
    return sorted;
}

int bestdag_stratify_folds(struct bestdag_run *run,
                           const struct bestdag_column *class, int64_t rows,
                           int parts, int *part)
{
    int64_t count;
    int64_t *sorted = shuffle_classes(run, class, rows, &count, part);
    if (!sorted)
        return bestdag_run_status(run);
    for (int64_t i = 0; i < count; i++)
        part[sorted[i]] = (int)(i % parts);
    bestdag_free(sorted);
    if (count < parts)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "folds: cannot make %d folds of %lld rows", parts,
                            (long long)count);
    return BESTDAG_OK;
}

int bestdag_stratify_split(struct bestdag_run *run,
                           const struct bestdag_column *class, int64_t rows,
                           double share, int *part)
{
    int64_t count, taken = 0;
    int64_t *sorted = shuffle_classes(run, class, rows, &count, part);
    if (!sorted)
        return bestdag_run_status(run);
    for (int64_t i = 0; i < count; i++) {
        bool is_due = (double)taken + 0.5 <= share * (double)(i + 1);
        part[sorted[i]] = is_due;
        taken += is_due;
    }
    bestdag_free(sorted);
    if (taken < 1 || taken == count)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "split: %lld of %lld rows are left to train on",
                            (long long)taken, (long long)count);
    return BESTDAG_OK;
}
