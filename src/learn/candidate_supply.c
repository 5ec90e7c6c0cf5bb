/* SPDX-License-Identifier: MIT */
/* candidate_supply.c -- candidate lists that can grow. */
#include "learn/candidate_supply.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/progress_log.h"
#include "base/work.h"
#include "parents/cost.h"
#include "parents/merged_lists.h"
#include "parents/parents.h"
#include "scores/score.h"

/* The part of the time or work for candidate sets that exhaustive scoring of
 * small sets may take. */
#define SMALL 0.4
/* All sets are scored once that takes at most AT_ONCE nominal seconds, or
 * COMPLETE_REACH times what was spent so far. Until then a network is searched
 * for over some sets, so that a run that is stopped has a good one; with 8 a
 * proof comes at most a quarter later. */
#define AT_ONCE 0.5
#define COMPLETE_REACH 8.0
/* Nominal seconds of scoring small sets, which show what part of the larger
 * ones will be scored. */
#define PROBE 0.15
/* Nominal seconds of the first search for sets, if its effort is free, and of
 * each variable in it. */
#define FIRST 0.05
#define FIRST_PER_VARIABLE 0.0001
/* The same for each of many variables: a quarter of the share of `orders` in a
 * round, 2e-4, is what it needs to climb after each growth. */
#define FIRST_OF_MANY 0.0013
/* Nominal seconds of a variable at effort 1 (parents.c). */
#define FULL_EFFORT 0.25
/* Families around a network that each of many variables may have, whatever the
 * amount: some 1,000 with likely parents and those that come next, the others
 * with all. With 10,000 variables, lists without these families limit the
 * score: the search is within 0.05 % of their optimum, but 0.2 % below the true
 * network. */
#define NEAR_FAMILIES 5000.0
/* Nominal seconds of a family around a network, per (rows + 1000), for columns
 * with two states: measured 7.5e-11 on baudio, 5e-11 on accidents, 3.6e-11 on
 * dna. It grows with the cells of a pair. */
#define NEAR_FAMILY 6.0e-11
/* Threads to reserve memory for, however many there are: answers must not
 * depend on their number. */
enum { THREADS = 8 };
/* States per column that cost estimates consider: with more, counting goes row
 * by row, whatever the number of cells. */
enum { MOST_STATES = 20 };

void bestdag_supply_release(struct bestdag_supply *s)
{
    bestdag_problem_free(s->problem);
    bestdag_sets_free(s->sets);
    bestdag_grown_free(s->grown);
    s->problem = NULL;
    s->sets = NULL;
    s->grown = NULL;
}

struct bestdag_problem *bestdag_problem_from_sets(
    struct bestdag_run *run, const struct bestdag_sets *sets,
    const struct bestdag_knowledge *knowledge)
{
    if (bestdag_reserve(run, bestdag_problem_bytes(sets),
                        "the search over the candidate sets"))
        return NULL;
    return bestdag_problem_under(run, sets, knowledge);
}

static int make_problem(struct bestdag_supply *s)
{
    bestdag_problem_free(s->problem);
    s->problem = bestdag_problem_from_sets(s->run, s->sets, s->knowledge);
    if (s->problem)
        bestdag_attained_lists(s->run, bestdag_sets_total(s->sets),
                               bestdag_problem_bound(s->problem, 0));
    return bestdag_run_status(s->run);
}

/* ---- finding ------------------------------------------------------------- */

/* Adds the sets found. Complete lists replace the previous ones, whose other
 * sets are dominated; *more is not 0 then. */
static int join(struct bestdag_supply *s, struct bestdag_sets *found,
                int64_t *more)
{
    char scope[64];
    if (!s->sets || (s->is_free && bestdag_sets_scope(found, scope))) {
        bestdag_sets_free(s->sets);
        s->sets = found;
        s->more = 0;
        s->saved = -1;
        *more = bestdag_sets_total(found);
        return BESTDAG_OK;
    }
    bestdag_sets_join(s->run, s->sets, found, more);
    s->more += *more;
    s->sets->ending = found->ending;
    bestdag_sets_free(found);
    return bestdag_run_status(s->run);
}

/* Ends a slice of optional work, for which lack of memory is no error. */
static int end_extra(const struct bestdag_supply *s, struct bestdag_run *slice)
{
    if (bestdag_run_status(slice) != BESTDAG_MEMORY)
        return bestdag_run_join(slice);
    bestdag_note(s->run, 1, "not enough memory for more candidate sets");
    bestdag_run_free(slice);
    return BESTDAG_MEMORY;
}

/* Finds sets by the strategy of the options. NULL: error, or, if is_extra, too
 * little memory. */
static struct bestdag_sets *find(const struct bestdag_supply *s,
                                 const struct bestdag_options *options,
                                 struct bestdag_slice_limits share,
                                 bool is_extra)
{
    struct bestdag_run *slice = bestdag_run_slice(s->run, share);
    if (!slice)
        return NULL;
    slice->seed = s->run->seed;
    slice->is_counted = s->is_free;
    struct bestdag_sets *found = bestdag_sets_find_likely(
        slice, s->table, s->knowledge ? s->rules : NULL, options, s->likely,
        s->type);
    if (!(is_extra ? end_extra(s, slice) : bestdag_run_join(slice)))
        return found;
    bestdag_sets_free(found);
    return NULL;
}

/* All sets of up to k parents, without progress reports, and without the
 * checkpoint, which belongs to the search after this. */
static struct bestdag_sets *find_up_to(const struct bestdag_supply *s, int k)
{
    struct bestdag_slice_limits share = {0};
    struct bestdag_options *options = bestdag_options_copy(s->run, s->options);
    struct bestdag_sets *found = NULL;
    char text[16];
    snprintf(text, sizeof text, "%d", k);
    if (options &&
        !bestdag_parents_option_put(s->run, options, "parents", "sequential") &&
        !bestdag_parents_option_put(s->run, options, "max-parents", text))
        found = find(s, options, share, true);
    bestdag_options_free(options);
    return found;
}

static bool has_parameter_rules(const struct bestdag_supply *s)
{
    return s->knowledge && s->knowledge->needs & BESTDAG_NEEDS_PARAMETERS;
}

static int largest_size(const struct bestdag_supply *s)
{
    struct bestdag_value most = bestdag_option_value(
        s->options, &bestdag_parents_options, "max-parents");
    return most.text ? (int)most.integer : s->table->columns - 1;
}

/* Sum over all columns. */
static double count_states(const struct bestdag_table *table)
{
    double states = 0;
    for (int v = 0; v < table->columns; v++)
        states += fmin(table->column[v].states, MOST_STATES);
    return states;
}

/* Cells of an average pair of columns, relative to a pair with two states
 * each. */
static double cells_of_pair(const struct bestdag_table *table)
{
    double states = count_states(table) / table->columns;
    return fmax(1, states * states / 4);
}

/* Nominal seconds of scoring this many families that are counted together. */
static double families_work(const struct bestdag_supply *s, double families)
{
    double rows = (double)s->table->rows + 1000;
    return families * rows *
           (s->scorer->slowness > 1 ? s->scorer->slowness * BESTDAG_WORK_SET
                                    : BESTDAG_WORK_LEVEL);
}

/* Upper bound on the families of k + 1 parents, given the number with k: a set
 * is scored only if all its subsets were. */
static double next_families(const struct bestdag_supply *s, int k,
                            double families)
{
    return families * (s->table->columns - 1 - k) / (k + 1);
}

/* Nominal seconds, at most, of scoring all sets of one more parent. */
static double level_work(const struct bestdag_supply *s)
{
    return families_work(s, next_families(s, s->level, s->families));
}

/* Estimated nominal seconds of scoring all sets, assuming that the same part of
 * each size is scored as of the last. Where the score does not limit the number
 * of parents, up to the limit of BIC. */
static double complete_work(const struct bestdag_supply *s, int parents)
{
    double families = s->families, sum = s->scored;
    for (int k = s->level; k < parents; k++) {
        families = s->alive * next_families(s, k, families);
        sum += families;
    }
    return cells_of_pair(s->table) * families_work(s, sum);
}

/* Before any set is scored: all pairs will be. */
static void begin_levels(struct bestdag_supply *s)
{
    double n = s->table->columns;
    s->level = 1;
    s->families = n * (n - 1);
    s->scored = n * n;
    s->alive = 1;
}

/* Are there few enough sets to score them all at some time? */
static bool has_few(const struct bestdag_supply *s)
{
    return bestdag_cost_of(s->table, s->options).work <= BESTDAG_FEW_FAMILIES;
}

/* If the strategy is free: are all sets scored next? Yes if there are few
 * enough, and it takes little or at most a few times what was spent so far;
 * otherwise small sets, and promising ones one by one. */
static bool takes_all(const struct bestdag_supply *s)
{
    struct bestdag_cost cost = bestdag_cost_of(s->table, s->options);
    bool is_counted = !s->scorer->type->families && cost.work == cost.families;
    bool may_wait = is_counted && !has_parameter_rules(s);
    if (!has_few(s) || s->is_too_large)
        return false;
    return !may_wait || complete_work(s, cost.parents) <=
                            fmax(AT_ONCE, COMPLETE_REACH * s->spent);
}

/* All sets of one more parent; NULL: not in time, or an error. */
static struct bestdag_sets *find_level(struct bestdag_supply *s)
{
    struct bestdag_sets *found = find_up_to(s, s->level + 1);
    if (!found || found->ending != BESTDAG_ENDED) {
        bestdag_sets_free(found);
        return NULL;
    }
    double most = next_families(s, s->level, s->families);
    s->work += families_work(s, most);
    s->level++;
    s->families = fmax(0, (double)found->scored - s->scored);
    s->scored = (double)found->scored;
    s->alive = fmin(1, s->families / most);
    bestdag_note(s->run, 1, "scored all sets of up to %d parents", s->level);
    return found;
}

/* All sets up to the largest size that `amount` pays for, beyond the sizes
 * already scored: counting them together is many times faster than one by one.
 * Ends early when it turns out that all sets will be scored. NULL: none, or an
 * error. */
static struct bestdag_sets *find_levels(struct bestdag_supply *s, double amount)
{
    int largest = largest_size(s);
    struct bestdag_sets *all = NULL, *found = NULL;
    amount = fmax(amount, has_few(s) ? PROBE - families_work(s, s->scored) : 0);
    for (double cost; s->level < largest && s->families > 0 && !takes_all(s) &&
                      (cost = level_work(s)) < amount;
         amount -= cost) {
        found = find_level(s);
        if (!found)
            break;
        bestdag_sets_free(all);
        all = found;
    }
    return all;
}

/* Notes in the lists how many sets were added after the strategy ended. */
static int note_growth(struct bestdag_supply *s)
{
    char text[32];
    if (!s->more)
        return BESTDAG_OK;
    snprintf(text, sizeof text, "%lld", (long long)s->more);
    return bestdag_sets_note(s->run, s->sets, "grown", text);
}

double bestdag_supply_first_amount(const struct bestdag_supply *s)
{
    return FIRST +
           (s->likely ? FIRST_OF_MANY : FIRST_PER_VARIABLE) * s->table->columns;
}

double bestdag_supply_pairs_work(const struct bestdag_table *table)
{
    double states = count_states(table);
    return BESTDAG_WORK_PAIR * states * states * ((double)table->rows + 100);
}

/* Nominal seconds of what a strategy scored: pairs together, other sets one by
 * one. */
static double work_of(const struct bestdag_supply *s,
                      const struct bestdag_sets *found)
{
    double n = s->table->columns, rows = (double)s->table->rows + 1;
    double pairs = fmin(s->likely ? 0 : n * n, (double)found->scored);
    double others = (double)found->scored - pairs;
    return bestdag_supply_pairs_work(s->table) * pairs / (n * n) +
           rows * BESTDAG_WORK_SET * s->scorer->slowness * others;
}

/* Runs the strategy of these options for `amount`. If the strategy is free,
 * effort grows from call to call, and the checkpoint belongs to the first
 * call. */
static struct bestdag_sets *find_by_strategy(
    struct bestdag_supply *s, const struct bestdag_options *options,
    double amount)
{
    struct bestdag_run *run = s->run;
    bool is_timed = run->deadline > 0 && !s->is_free;
    double effort = run->effort;
    struct bestdag_checkpoint *checkpoint = run->checkpoint;
    struct bestdag_slice_limits share = {.seconds = !is_timed    ? 0
                                                    : amount > 0 ? amount
                                                                 : 1e-9,
                                         .reports = true};
    if (s->is_free)
        run->effort =
            amount / (FULL_EFFORT * s->table->columns * s->scorer->slowness);
    if (s->sets)
        run->checkpoint = NULL;
    struct bestdag_sets *found = find(s, options, share, s->sets != NULL);
    run->checkpoint = checkpoint;
    run->effort = effort;
    return found;
}

/* Finds sets as if there were too many to score all. */
static struct bestdag_sets *find_before_all(struct bestdag_supply *s,
                                            double amount)
{
    struct bestdag_options *options = bestdag_options_copy(s->run, s->options);
    struct bestdag_sets *found = NULL;
    if (!s->sets)
        bestdag_note(s->run, 0,
                     "candidate sets by independence selection first, all of "
                     "them when a network was searched for");
    if (options &&
        !bestdag_parents_option_put(s->run, options, "parents", "independence"))
        found = find_by_strategy(s, options, amount);
    bestdag_options_free(options);
    return found;
}

/* Finds promising sets, one by one. */
static struct bestdag_sets *find_some(struct bestdag_supply *s, double amount)
{
    struct bestdag_sets *found = has_few(s)
                                     ? find_before_all(s, amount)
                                     : find_by_strategy(s, s->options, amount);
    if (found)
        s->work += work_of(s, found);
    return found;
}

/* Finds sets by the options; if the strategy is free, all sets, or as many as a
 * limit allows. */
static struct bestdag_sets *find_all(struct bestdag_supply *s, double amount)
{
    bool is_counted = s->is_free && !s->scorer->type->families;
    struct bestdag_sets *found = find_by_strategy(s, s->options, amount);
    s->is_too_large = !found;
    if (found)
        s->work += is_counted ? families_work(s, (double)found->scored)
                              : work_of(s, found);
    return found;
}

/* Was the search for more sets cut short when the run was stopped? Then they
 * are dropped: no solver would search them, and what is proved over the present
 * lists would no longer hold. */
static bool is_too_late(const struct bestdag_supply *s,
                        const struct bestdag_sets *found)
{
    return s->problem && found && found->ending != BESTDAG_ENDED;
}

int bestdag_supply_find(struct bestdag_supply *s, double amount, int64_t *more)
{
    double begun = bestdag_seconds();
    struct bestdag_sets *few = NULL, *found = NULL;
    if (!s->level)
        begin_levels(s);
    bool is_partial = s->is_free && !takes_all(s);
    if (is_partial)
        few = find_levels(s, SMALL * amount);
    if (!bestdag_run_status(s->run))
        found = is_partial && !takes_all(s) ? find_some(s, amount)
                                            : find_all(s, amount);
    int64_t own = 0, small_ones = 0;
    bool is_kept = !is_too_late(s, found);
    if (found && is_kept)
        join(s, found, &own);
    else if (found) {
        s->sets->ending = found->ending;
        bestdag_sets_free(found);
    }
    if (few && s->sets && is_kept && !bestdag_run_status(s->run))
        bestdag_sets_join(s->run, s->sets, few, &small_ones);
    bestdag_sets_free(few);
    s->more += small_ones;
    *more = own + small_ones;
    if ((*more || !s->problem) && !bestdag_run_status(s->run) &&
        !note_growth(s))
        make_problem(s);
    s->seconds += bestdag_seconds() - begun;
    return bestdag_run_status(s->run);
}

/* ---- growing ------------------------------------------------------------- */

bool bestdag_supply_is_free(const struct bestdag_options *options)
{
    static const char *const ways[] = {"candidates", "no-prune", "part",
                                       "time-per-variable", "trace"};
    const char *strategy =
        bestdag_option_value(options, &bestdag_parents_options, "parents").text;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (bestdag_option_given(options, &bestdag_parents_options, ways[i]))
            return false;
    return !strcmp(strategy, "auto");
}

bool bestdag_supply_is_open(const struct bestdag_supply *s)
{
    char scope[64];
    if (has_parameter_rules(s))
        return false;
    return s->is_free && s->sets && !bestdag_sets_scope(s->sets, scope);
}

/* Is there memory for more sets, in the lists and in the problem? */
static bool has_room(const struct bestdag_supply *s)
{
    int64_t limit = bestdag_memory_limit(s->run);
    int64_t bytes =
        bestdag_problem_bytes(s->sets) / 2 + ((int64_t)THREADS << 21);
    return !limit || bytes < limit - bestdag_memory_used(s->run);
}

/* Nominal seconds of a family around a network; never more than of one counted
 * row by row. */
static double family_price(const struct bestdag_supply *s)
{
    double rows = (double)s->table->rows + 1000;
    double near = NEAR_FAMILY * cells_of_pair(s->table);
    return rows * fmin(near, BESTDAG_WORK_SET) * s->scorer->slowness;
}

/* The number of families around a network that `amount` pays for. Where parents
 * are restricted to likely ones, it suffices for all variables, however small
 * the amount. */
static int64_t most_families(const struct bestdag_supply *s, double amount)
{
    double all = NEAR_FAMILIES * family_price(s) * s->table->columns;
    return bestdag_work_units(s->likely ? fmax(amount, all) : amount,
                              family_price(s));
}

/* Even if the run was stopped, the network's own families are added. */
int bestdag_supply_grow(struct bestdag_supply *s, const struct bestdag_dag *dag,
                        double amount, int64_t *more)
{
    double begun = bestdag_seconds();
    struct bestdag_value most = bestdag_option_value(
        s->options, &bestdag_parents_options, "max-parents");
    double price = family_price(s);
    struct bestdag_neighbour_families around = {
        .scorer = s->scorer,
        .knowledge = s->knowledge,
        .dag = dag,
        .likely = s->likely,
        .max_parents = most.text ? (int)most.integer : -1,
        .most_families = most_families(s, amount)};
    *more = 0;
    if (!s->grown)
        s->grown = bestdag_grown_new(s->run, dag->n);
    if (!s->grown)
        return bestdag_run_status(s->run);
    around.grown = s->grown;
    struct bestdag_slice_limits share = {.reports = true};
    struct bestdag_run *slice =
        has_room(s) ? bestdag_run_slice(s->run, share) : NULL;
    if (!slice)
        return bestdag_run_status(s->run);
    bestdag_run_phase(slice, "more sets", dag->n);
    bestdag_sets_grow(slice, s->sets, &around, more);
    s->work += price * (double)around.families;
    if (end_extra(s, slice) && bestdag_run_status(s->run))
        return bestdag_run_status(s->run);
    s->more += *more;
    if (*more && !note_growth(s))
        make_problem(s);
    s->seconds += bestdag_seconds() - begun;
    return bestdag_run_status(s->run);
}

int bestdag_supply_save(struct bestdag_supply *s)
{
    const char *path =
        bestdag_option_value(s->options, &bestdag_learn_options, "save-scores")
            .text;
    if (path && s->sets && s->saved != s->more) {
        s->saved = s->more;
        bestdag_sets_write(s->run, s->sets, path, s->options);
    }
    return bestdag_run_status(s->run);
}
