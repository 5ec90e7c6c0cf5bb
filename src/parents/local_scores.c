/* SPDX-License-Identifier: MIT */
/* local_scores.c -- local scores of single families for users of the library: a
 * handle that is made once for a table and a score, and may be used by several
 * threads. Making it costs a pass over the table; so does a family, or less if
 * its parents were counted before. */
#include "constraints/parameters/constrained_score.h"
#include "parents/parents.h"

struct bestdag_local_scores {
    struct bestdag_scorer *scorer; /* owns */
};

struct bestdag_local_scores *bestdag_local_scores_new(
    struct bestdag_run *run, const struct bestdag_table *table,
    const struct bestdag_rules *rules, const struct bestdag_options *options)
{
    struct bestdag_knowledge_request demand = {
        .rules = rules, .able = ~0u, .user = "the score of a family"};
    struct bestdag_knowledge *k;
    if (bestdag_lacks(run, table, "table") ||
        bestdag_table_knowledge(run, table, demand, &k))
        return NULL;
    bestdag_knowledge_free(k); /* only the check of the rules was needed */
    struct bestdag_local_scores *scores =
        bestdag_calloc(run, 1, sizeof *scores);
    if (!scores)
        return NULL;
    scores->scorer = bestdag_scorer_new(run, table, options);
    if (scores->scorer && !bestdag_scorer_constrain(run, scores->scorer, rules))
        return scores;
    bestdag_local_scores_free(scores);
    return NULL;
}

void bestdag_local_scores_free(struct bestdag_local_scores *scores)
{
    if (scores)
        bestdag_scorer_free(scores->scorer);
    bestdag_free(scores);
}

static int check_family(struct bestdag_run *run, int n, int child,
                        const int *parents, int count)
{
    bool fine = child >= 0 && child < n && count >= 0 && count < n &&
                (!count || parents);
    for (int i = 0; fine && i < count; i++) {
        fine = parents[i] >= 0 && parents[i] < n && parents[i] != child;
        for (int j = 0; fine && j < i; j++)
            fine = parents[i] != parents[j];
    }
    return fine ? BESTDAG_OK
                : bestdag_fail(run, BESTDAG_USAGE,
                               "not a family: expected a child and different "
                               "parents from 0 to %d",
                               n - 1);
}

int bestdag_local_scores_get(struct bestdag_run *run,
                             const struct bestdag_local_scores *scores,
                             int child, const int *parents, int count,
                             double *score)
{
    if (bestdag_lacks(run, scores, "local scores") ||
        bestdag_lacks(run, score, "place for the score") ||
        check_family(run, scores->scorer->n, child, parents, count))
        return bestdag_run_status(run);
    return bestdag_scorer_exact(run, scores->scorer, child, parents, count,
                                score);
}

int bestdag_score(struct bestdag_run *run, const struct bestdag_table *table,
                  const struct bestdag_rules *rules,
                  const struct bestdag_options *options, int child,
                  const int *parents, int count, double *score)
{
    struct bestdag_local_scores *scores =
        bestdag_local_scores_new(run, table, rules, options);
    if (scores)
        bestdag_local_scores_get(run, scores, child, parents, count, score);
    bestdag_local_scores_free(scores);
    return bestdag_run_status(run);
}
