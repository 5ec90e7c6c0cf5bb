/* SPDX-License-Identifier: MIT */
/* structural_em.c -- structural expectation-maximisation: learns from a table
 * with missing values (Friedman 1998).
 *
 * A network with its parameters completes the table: every row becomes all its
 * completions, weighted by their probabilities. The score of any network on the
 * completed table (expected_score.c) is searched like any other; if a network
 * scores higher than the one that completed the table, then it also has a
 * higher log-likelihood less penalty on the observed values. Its parameters
 * start from the expected counts, are improved by some iterations of EM, and it
 * completes the table next, until a search changes nothing. Each step improves
 * the score on the observed values, or is the last.
 *
 * Against local maxima there are three starts: the empty network, and those
 * that hill climbing finds on the complete rows and with the node-average
 * likelihood (of numbers: on the moments of a saturated network). Each is
 * improved with hill climbing as the search, and the best on the observed
 * values continues with the solver of the options. Bound, gap and proof refer
 * to the last completed problem.
 *
 * Time: a completion lists the joint states of each row's connected missing
 * values; a family of a completed table costs a pass over the distinct rows. */
#include "learn/structural_em.h"

#include <math.h>
#include <string.h>

#include "data/hole_patterns.h"
#include "data/missing.h"
#include "data/states.h"

enum {
    MOST_PROBLEMS = 30, /* per start, and for the final search */
    FEWEST_ROWS = 20    /* complete rows that a start from them needs */
};

const struct bestdag_em_settings bestdag_em_between = {1, 7, 1e-4};

/* A larger gain is not rounding. */
static const double GAIN = 1e-6;

/* A current network. */
struct guess {
    struct bestdag_network *network; /* owns; with tables */
    double ln, observed;             /* NaN: not known */
    struct bestdag_outcome outcome;  /* owns its graph; of the last problem */
    double penalty;                  /* of that graph; NaN: not known */
    int search;                      /* number of its search, from 1 */
    bool has_converged, has_outcome;
};

static void drop_outcome(struct guess *g)
{
    bestdag_dag_free(g->outcome.dag);
    g->outcome = (struct bestdag_outcome){0};
    g->has_outcome = false;
}

static void drop_guess(struct guess *g)
{
    bestdag_network_free(g->network);
    drop_outcome(g);
    *g = (struct guess){0};
}

/* ---- before -------------------------------------------------------------- */

/* States and numbers in one table. */
static bool is_mixed(const struct bestdag_table *table)
{
    int numbers = 0;
    for (int v = 0; v < table->columns; v++)
        numbers += table->column[v].kind == BESTDAG_NUMBERS;
    return numbers && numbers < table->columns;
}

static const struct bestdag_em_kind *kind_of(
    const struct bestdag_score_type *like)
{
    if (like->likelihood && !like->families)
        return &bestdag_em_states;
    return bestdag_expected_moments_weight(like, 1) >= 0 ? &bestdag_em_numbers
                                                         : NULL;
}

int bestdag_structural_em_check(struct bestdag_run *run,
                                const struct bestdag_table *table,
                                const struct bestdag_score_type *like)
{
    if (is_mixed(table))
        return bestdag_fail(run, BESTDAG_USAGE,
                            "--missing em is for tables of states or of "
                            "numbers, not of both: cut the numbers into states "
                            "(--discretize), or take complete rows (--missing "
                            "drop)");
    if (!kind_of(like))
        return bestdag_fail(run, BESTDAG_USAGE,
                            "--missing em needs a score that is an expected "
                            "log-likelihood less a penalty (bic, aic or ll; "
                            "for numbers bic-g, aic-g or ll-g), not %s",
                            like->name);
    if (run->checkpoint)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "--missing em searches several problems one after "
                            "the other, of which no checkpoint is kept");
    if (kind_of(like) == &bestdag_em_states &&
        bestdag_table_need_codes(run, table))
        return bestdag_run_status(run);
    for (int v = 0; v < table->columns; v++)
        if (table->column[v].missing == table->rows)
            return bestdag_fail(run, BESTDAG_INPUT,
                                "column '%s' has no value: leave it out "
                                "(--ignore)",
                                table->column[v].name);
    return BESTDAG_OK;
}

/* ---- one problem --------------------------------------------------------- */

static void release_problem(struct bestdag_completed_problem *p)
{
    bestdag_completion_release(&p->completion);
    bestdag_network_free(p->network);
    bestdag_expected_moments_release(&p->moments);
    bestdag_table_free(p->full);
    *p = (struct bestdag_completed_problem){0};
}

struct bestdag_network *bestdag_structural_em_network(
    struct bestdag_structural_em *em, const struct bestdag_dag *dag)
{
    struct bestdag_network *net = bestdag_network_new(em->run, em->table);
    for (int v = 0; net && v < em->table->columns; v++)
        if (dag &&
            bestdag_dag_set_parents(em->run, net->dag, v, dag->parents[v].at,
                                    dag->parents[v].count))
            break;
    if (net && !bestdag_run_status(em->run))
        em->kind->new_parameters(em, net);
    if (!bestdag_run_status(em->run))
        return net;
    bestdag_network_free(net);
    return NULL;
}

int bestdag_structural_em_complete(struct bestdag_structural_em *em,
                                   const struct bestdag_network *network,
                                   bool *done)
{
    struct bestdag_completed_problem *p = &em->at[1 - em->turn];
    release_problem(p);
    bestdag_run_phase(em->run, "completing rows", 0);
    if (em->kind->complete(em, network, p, done) || !*done)
        return bestdag_run_status(em->run);
    em->turn = 1 - em->turn;
    return BESTDAG_OK;
}

static double penalty_of(const struct bestdag_structural_em *em,
                         const struct bestdag_dag *dag)
{
    double sum = 0;
    for (int v = 0; v < dag->n; v++)
        sum += em->kind->penalty(em->scorer, v, dag->parents[v].at,
                                 dag->parents[v].count);
    return sum;
}

/* Does the network that the search found score higher on the completed table
 * than the one that completed it? */
static int compare(struct bestdag_structural_em *em, const struct guess *g,
                   bool *is_better)
{
    const struct bestdag_dag *dag = g->network->dag;
    double *nats = bestdag_alloc(em->run, (size_t)dag->n * sizeof *nats);
    double sum = 0;
    if (!nats || bestdag_scorer_exact_all(em->run, em->scorer, dag, nats)) {
        bestdag_free(nats);
        return bestdag_run_status(em->run);
    }
    for (int v = 0; v < dag->n; v++)
        sum += nats[v];
    bestdag_free(nats);
    *is_better = g->outcome.score > sum + GAIN * (1 + 1e-6 * fabs(sum));
    return BESTDAG_OK;
}

static int search(struct bestdag_structural_em *em,
                  const struct bestdag_completed_search *what, struct guess *g)
{
    drop_outcome(g);
    if (em->search(em->learning, what, &g->outcome, &em->scorer))
        return bestdag_run_status(em->run);
    g->has_outcome = true;
    g->search = ++em->searches;
    g->penalty = (double)NAN;
    return BESTDAG_OK;
}

/* Replaces the current network by the one found; *is_up: it is better on the
 * observed values. */
static int move_on(struct bestdag_structural_em *em, struct guess *g,
                   bool *is_up)
{
    double before = g->ln - penalty_of(em, g->network->dag);
    struct guess next = {.network =
                             bestdag_structural_em_network(em, g->outcome.dag)};
    *is_up = false;
    if (!next.network || em->kind->take_expected(em, next.network) ||
        em->kind->estimate(em, next.network, true, &next.ln)) {
        bestdag_network_free(next.network);
        return bestdag_run_status(em->run);
    }
    next.observed = next.ln - penalty_of(em, next.network->dag);
    *is_up = next.observed > before + GAIN;
    if (!*is_up) {
        bestdag_network_free(next.network);
        return BESTDAG_OK;
    }
    bestdag_network_free(g->network);
    g->network = next.network;
    g->ln = next.ln;
    g->observed = next.observed;
    return BESTDAG_OK;
}

/* Completes the table, searches, and takes over the network if it is better. */
static int improve_once(struct bestdag_structural_em *em, struct guess *g,
                        bool is_quick, bool *is_up)
{
    bool done = false, is_better = false;
    *is_up = false;
    if (bestdag_structural_em_complete(em, g->network, &done) || !done)
        return bestdag_run_status(em->run);
    struct bestdag_completed_search what = {.table = em->at[em->turn].table,
                                            .type = em->at[em->turn].type,
                                            .start = g->network->dag,
                                            .is_quick = is_quick};
    if (search(em, &what, g) || compare(em, g, &is_better))
        return bestdag_run_status(em->run);
    em->problems++;
    em->has_problem = true;
    g->penalty = penalty_of(em, g->outcome.dag);
    if (isnan(g->observed))
        g->observed = g->ln - penalty_of(em, g->network->dag);
    if (is_better && move_on(em, g, is_up))
        return bestdag_run_status(em->run);
    g->has_converged = !*is_up && !bestdag_run_stopped(em->run);
    return BESTDAG_OK;
}

/* Repeats until a search changes nothing, or the run is stopped. */
static int improve(struct bestdag_structural_em *em, struct guess *g,
                   bool is_quick)
{
    bool is_up = true;
    g->has_converged = false;
    for (int i = 0; i < MOST_PROBLEMS && is_up && !bestdag_run_stopped(em->run);
         i++)
        if (improve_once(em, g, is_quick, &is_up))
            break;
    return bestdag_run_status(em->run);
}

/* Improves with the solver of the options; after a success hill climbing, which
 * is cheaper, continues first. The solver has searched the last problem. */
static int improve_fully(struct bestdag_structural_em *em, struct guess *g)
{
    bool is_up = true;
    g->has_converged = false;
    for (int i = 0; i < MOST_PROBLEMS && is_up && !bestdag_run_stopped(em->run);
         i++)
        if (improve_once(em, g, false, &is_up) ||
            (is_up && em->is_quick && improve(em, g, true)))
            break;
    return bestdag_run_status(em->run);
}

/* ---- starts -------------------------------------------------------------- */

/* The complete rows; NULL with status OK: too few. */
static struct bestdag_table *complete_rows(struct bestdag_structural_em *em)
{
    const struct bestdag_table *t = em->table;
    int64_t left = 0;
    struct bestdag_table *copy = bestdag_table_copy(em->run, t);
    uint8_t *gone = bestdag_calloc(em->run, (size_t)t->rows + 1, 1);
    for (int64_t r = 0; copy && gone && r < t->rows; r++) {
        for (int v = 0; v < t->columns; v++)
            gone[r] |= bestdag_column_is_hole(&t->column[v], r);
        left += !gone[r];
    }
    if (!bestdag_run_status(em->run) && left >= FEWEST_ROWS)
        bestdag_table_drop(em->run, copy, gone);
    bestdag_free(gone);
    if (!bestdag_run_status(em->run) && left >= FEWEST_ROWS)
        return copy;
    bestdag_table_free(copy);
    return NULL;
}

enum { EMPTY, COMPLETE_ROWS, THIRD, STARTS };

static const char *name_of(const struct bestdag_structural_em *em, int start)
{
    return start == EMPTY           ? "empty"
           : start == COMPLETE_ROWS ? "complete rows"
                                    : em->kind->third;
}

/* Chooses what to search for an initial structure; table NULL: this start does
 * not exist. */
static int choose_start(struct bestdag_structural_em *em, int start,
                        struct bestdag_completed_search *what)
{
    *what = (struct bestdag_completed_search){.is_quick = em->is_quick};
    if (start == THIRD)
        return em->kind->begin(em, false, what);
    what->table = em->complete = complete_rows(em);
    what->type = em->like;
    return bestdag_run_status(em->run);
}

/* An initial structure, with parameters; no network: this start does not
 * exist. */
static int begin(struct bestdag_structural_em *em, int start, struct guess *g)
{
    struct bestdag_completed_search what;
    *g = (struct guess){.ln = (double)NAN, .observed = (double)NAN};
    if (start != EMPTY &&
        (choose_start(em, start, &what) || !what.table || search(em, &what, g)))
        return bestdag_run_status(em->run);
    g->network = bestdag_structural_em_network(em, g->outcome.dag);
    return g->network ? em->kind->estimate(em, g->network, false, &g->ln)
                      : bestdag_run_status(em->run);
}

/* The best of the starts, after each was improved by hill climbing. */
static int try_starts(struct bestdag_structural_em *em, struct guess *best)
{
    for (int s = 0; s < STARTS; s++) {
        struct guess g;
        if (s && (bestdag_run_stopped(em->run) || !em->is_quick))
            break;
        if (begin(em, s, &g) ||
            (g.network && em->is_quick && improve(em, &g, true))) {
            drop_guess(&g);
            break;
        }
        em->starts += g.network != NULL;
        bool is_first = !best->network;
        if (g.network && (is_first || g.observed > best->observed + GAIN)) {
            drop_guess(best);
            *best = g;
            em->start = name_of(em, s);
        } else
            drop_guess(&g);
    }
    return bestdag_run_status(em->run);
}

/* For a run that was stopped before the first problem. */
static int search_quickly(struct bestdag_structural_em *em, struct guess *g)
{
    struct bestdag_completed_search what = {.is_quick = em->is_quick};
    return em->kind->begin(em, true, &what) ? bestdag_run_status(em->run)
                                            : search(em, &what, g);
}

/* ---- all of it ----------------------------------------------------------- */

/* If a limit was reached between two searches, it becomes the status, unless EM
 * converged or the outcome is optimal. */
static void take_ending(const struct bestdag_structural_em *em,
                        struct bestdag_outcome *to)
{
    enum bestdag_ending ending = bestdag_run_ending(em->run);
    if (!em->has_converged && ending != BESTDAG_ENDED &&
        strcmp(to->status, "optimal") != 0)
        to->status = bestdag_ending_word(ending);
}

int bestdag_structural_em_run(struct bestdag_structural_em *em,
                              struct bestdag_outcome *to)
{
    struct guess best = {0};
    *to = (struct bestdag_outcome){0};
    em->kind = kind_of(em->like);
    if (em->kind->prepare(em))
        return bestdag_run_status(em->run);
    int status = try_starts(em, &best);
    if (!status && best.network)
        status = improve_fully(em, &best);
    if (!status && !best.has_outcome)
        status = search_quickly(em, &best);
    if (!status) {
        em->has_converged = best.has_converged;
        em->is_of_last = best.search == em->searches;
        em->penalty = best.penalty;
        *to = best.outcome; /* passes its graph on */
        best.outcome = (struct bestdag_outcome){0};
        take_ending(em, to);
    }
    drop_guess(&best);
    return status;
}

void bestdag_structural_em_release(struct bestdag_structural_em *em)
{
    release_problem(&em->at[0]);
    release_problem(&em->at[1]);
    bestdag_hole_rows_release(&em->all);
    bestdag_hole_rows_release(&em->holes);
    bestdag_gaussian_em_release(&em->gauss);
    bestdag_table_free(em->complete);
    bestdag_free(em->column);
    *em = (struct bestdag_structural_em){0};
}
