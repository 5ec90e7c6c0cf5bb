/* SPDX-License-Identifier: MIT */
/* cost_unit.c -- chooses the unit and the cap of costs. */
#include "problem/cost_unit.h"

#include <assert.h>
#include <math.h>

#include "base/fault.h"
#include "constraints/deduction/checker.h"
#include "problem/greedy_network.h"

enum {
    FINEST = 32,    /* units are 2^-32 nat unless totals would overflow */
    COARSEST = 20,  /* and never coarser than verify accepts */
    GENEROUS = 1024 /* if the greedy network breaks rules, one that obeys them
                       is assumed to be at most this many times as far from the
                       best sets; if not, claims still hold, but a proof may
                       fail. Any value of 2 or more proves the same on lists
                       whose scores are less than 2^20 nats apart */
};

/* Totals stay below this. verify caps costs at a power of two with which totals
 * stay below twice as much: never below the cap chosen here, so that proofs
 * over these costs hold over its costs, too. */
static const double MOST = 0x1p59;
/* Limit on the sum of the best scores, the same as in verify: doubles near it
 * are a sixteenth of a nat apart. */
static const double MOST_NATS = 0x1p48;

/* ---- spreads ------------------------------------------------------------- */

/* Nats between the best and the worst set of v. */
static double spread_of(const struct bestdag_problem *p, int v)
{
    const struct bestdag_list *list = &p->sets->list[v];
    return list->count ? list->score[0] - list->score[list->count - 1] : 0;
}

/* The largest cost of a network, in nats, if no set costs more than `cap`. */
static double total_of(const struct bestdag_problem *p, double cap)
{
    double total = 1; /* for rounding: at least n units */
    for (int v = 0; v < p->n; v++)
        total += fmin(spread_of(p, v), cap);
    return total;
}

/* Does every variable have a set if none is placed? */
static bool can_be_empty(const struct bestdag_problem *p)
{
    for (int v = 0; v < p->n; v++) {
        const struct bestdag_indexed_list *m = &p->candidates[v];
        bool found = false;
        for (int set = 0; set < m->count && !found; set++) {
            const uint64_t *mask = bestdag_indexed_list_mask(m, set);
            found = true;
            for (int w = 0; w < m->words; w++)
                found &= !mask[w];
        }
        if (!found)
            return false;
    }
    return true;
}

/* ---- the known network --------------------------------------------------- */

/* Does the network obey the rules that masks do not express? */
static bool obeys(struct bestdag_run *run, const struct bestdag_problem *p,
                  const struct bestdag_knowledge *k, const int32_t *choice)
{
    const unsigned held = BESTDAG_NEEDS_LOCAL | BESTDAG_NEEDS_ORDER;
    int broken = 0;
    if (!k || !(k->needs & ~held))
        return true;
    struct bestdag_dag *dag = bestdag_problem_dag(run, p, choice);
    if (dag)
        bestdag_rules_check(run, k->rules, (const char *const *)p->sets->names,
                            dag, &broken);
    bestdag_dag_free(dag);
    return dag && broken < 0;
}

/* *least: the cap must be above this, in nats. `known` becomes the greedy
 * network, unless it breaks rules. */
static int find_known(struct bestdag_run *run, struct bestdag_problem *p,
                      const struct bestdag_knowledge *k, double *least)
{
    double distance = 0;
    p->known = bestdag_alloc(run, ((size_t)p->n + 1) * sizeof *p->known);
    if (!p->known || bestdag_greedy_network(run, p, p->known, &distance))
        return bestdag_run_status(run);
    bool is_network = distance < (double)INFINITY;
    *least =
        is_network ? distance : 0; /* no network exists, whatever the cap */
    if (is_network && obeys(run, p, k, p->known))
        return bestdag_run_status(run);
    *least = GENEROUS * (*least + p->n);
    bestdag_free(p->known);
    p->known = NULL;
    return bestdag_run_status(run);
}

/* ---- unit and cap -------------------------------------------------------- */

/* The highest cap, in nats, with which totals fit into `room` nats. */
static double cap_for(const struct bestdag_problem *p, double room)
{
    double low = 0, high = room;
    for (int i = 0; i < 128; i++) {
        double middle = (low + high) / 2;
        if (total_of(p, middle) <= room)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Chooses the finest unit with a cap above `least`, allowing for rounding to
 * units. */
static int cap_costs(struct bestdag_run *run, struct bestdag_problem *p,
                     double least)
{
    double room = (double)p->none, cap;
    for (p->shift = FINEST;; p->shift--) {
        cap = cap_for(p, ldexp(room, -p->shift));
        if (cap >= least + ldexp((double)p->n + 2, -p->shift))
            break;
        if (p->shift == COARSEST && !p->known)
            break; /* take the highest cap */
        if (p->shift == COARSEST)
            return bestdag_fail(run, BESTDAG_INPUT,
                                "the scores of the candidate sets are too far "
                                "apart: a network that the sets allow is %.3g "
                                "below the best set of every variable",
                                least);
    }
    p->cap = (int64_t)ldexp(cap, p->shift);
    return BESTDAG_OK;
}

static int check_size(struct bestdag_run *run, const struct bestdag_problem *p)
{
    double sum = 0;
    for (int v = 0; v < p->n; v++)
        sum += p->candidates[v].count ? fabs(p->sets->list[v].score[0]) : 0;
    if (sum <= MOST_NATS)
        return BESTDAG_OK;
    return bestdag_fail(run, BESTDAG_INPUT,
                        "the scores of the candidate sets are too large: the "
                        "best of every variable sum up to %.3g, expected at "
                        "most %.3g",
                        sum, MOST_NATS);
}

int bestdag_cost_unit_choose(struct bestdag_run *run, struct bestdag_problem *p,
                             const struct bestdag_knowledge *k)
{
    /* `none` exceeds the cost of any network. If it can occur, n times `none`
     * does not overflow. */
    double least = 0, room = can_be_empty(p) ? MOST : MOST / ((double)p->n + 1);
    p->shift = BESTDAG_FAULT("coarse-unit") ? -6 : FINEST;
    p->none = (int64_t)room;
    p->cap = p->none;
    if (bestdag_sets_check_sums(run, p->sets, NULL) || check_size(run, p))
        return bestdag_run_status(run);
    if (total_of(p, (double)INFINITY) <= ldexp(room, -FINEST))
        return BESTDAG_OK;
    if (find_known(run, p, k, &least))
        return bestdag_run_status(run);
    return cap_costs(run, p, least);
}

int64_t bestdag_cost_units(const struct bestdag_problem *p, double distance)
{
    double units = ldexp(distance, p->shift);
    assert(units >= 0);
    return units < (double)p->cap ? llround(units) : p->cap;
}
