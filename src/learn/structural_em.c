/* SPDX-License-Identifier: MIT */
/* structural_em.c -- learning from a table with missing values: structural
 * expectation-maximisation.
 *
 * Friedman 1998. A network with its tables completes the table: every row
 * becomes all its completions, weighted by their probabilities. The score of
 * any network on that (expected_score.c) is searched as any score is; if a
 * network scores higher than the one that completed the table, so does its
 * log-likelihood less penalty on the values that are there. Its tables start
 * from the expected counts and get some iterations of EM, and it completes the
 * table next, until searching changes nothing. Every step goes up, or ends it.
 *
 * Local maxima: three starts, the empty network and those that hill climbing
 * finds with the rows that lack nothing and with the node-average likelihood;
 * each is improved with hill climbing as the search, and the best by
 * the values that are there goes on with the solver that was asked for. Bound,
 * gap and proof are of the last completed problem.
 *
 * Time: a completion lists the joint states of each row's connected holes; a
 * family of a completed table costs a pass over the kinds of rows. */
#include "learn/structural_em.h"

#include <math.h>
#include <string.h>

#include "data/missing.h"
#include "data/states.h"
#include "models/holes/em.h"

enum {
    MOST_PROBLEMS = 30, /* for each start, and at the end */
    FEWEST_ROWS = 20    /* without holes, for a start from them */
};

/* Between structures tables need not converge: any gain will do. */
static const struct bestdag_em_settings between = {1, 20, 1e-6};

/* A gain that is not rounding. */
static const double GAIN = 1e-6;

/* A network on the way. */
struct guess {
    struct bestdag_network *network; /* owns; with tables */
    double ln, observed;             /* NaN: not known */
    struct bestdag_outcome outcome;  /* owns its graph; of the last problem */
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

/* ---- before ----------------------------------------------------------------
 */

int bestdag_structural_em_check(struct bestdag_run *run,
                                const struct bestdag_table *table,
                                const struct bestdag_score_type *like)
{
    if (!like->likelihood || like->families)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "--missing em needs a score that is an expected "
                            "log-likelihood less a penalty (bic, aic or ll), "
                            "not %s",
                            like->name);
    if (run->checkpoint)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "--missing em searches several problems one after "
                            "the other, of which no checkpoint is kept");
    if (bestdag_table_need_codes(run, table))
        return bestdag_run_status(run);
    for (int v = 0; v < table->columns; v++)
        if (table->column[v].missing == table->rows)
            return bestdag_fail(run, BESTDAG_INPUT,
                                "column '%s' has no value: leave it out "
                                "(--ignore)",
                                table->column[v].name);
    return BESTDAG_OK;
}

static int prepare(struct bestdag_structural_em *em)
{
    const struct bestdag_table *t = em->table;
    em->column =
        bestdag_alloc(em->run, (size_t)t->columns * sizeof *em->column);
    if (!em->column)
        return bestdag_run_status(em->run);
    for (int v = 0; v < t->columns; v++)
        em->column[v] = (struct bestdag_digit){
            t->column[v].cells, t->column[v].bytes, t->column[v].states};
    if (bestdag_hole_rows_find(em->run, em->column, t->columns, t->rows,
                               t->weights, true, &em->all) ||
        bestdag_hole_rows_find(em->run, em->column, t->columns, t->rows,
                               t->weights, false, &em->holes))
        return bestdag_run_status(em->run);
    if (em->all.empty)
        bestdag_note(em->run, 0, "%lld rows without any value are left out",
                     (long long)em->all.empty);
    return em->all.weight_of
               ? BESTDAG_OK
               : bestdag_fail(em->run, BESTDAG_INPUT, "no row has a value");
}

/* ---- tables ----------------------------------------------------------------
 */

/* The table's variables with the arcs of a graph, and zeroed tables. */
static struct bestdag_network *new_network(struct bestdag_structural_em *em,
                                           const struct bestdag_dag *dag)
{
    struct bestdag_network *net = bestdag_network_new(em->run, em->table);
    for (int v = 0; net && v < em->table->columns; v++)
        if (dag &&
            bestdag_dag_set_parents(em->run, net->dag, v, dag->parents[v].at,
                                    dag->parents[v].count))
            break;
    for (int v = 0; net && v < em->table->columns; v++)
        if (bestdag_run_status(em->run) ||
            bestdag_network_new_table(em->run, net, v))
            break;
    if (!bestdag_run_status(em->run))
        return net;
    bestdag_network_free(net);
    return NULL;
}

/* Some iterations of EM; is_here: from the tables that it has. */
static int estimate(struct bestdag_structural_em *em, struct guess *g,
                    bool is_here)
{
    struct bestdag_expectation e = {0};
    struct bestdag_em_report report = {0};
    struct bestdag_fit_prior none = {0};
    int status = bestdag_expectation_new(em->run, g->network, em->column,
                                         em->table->rows, em->table->weights,
                                         &em->holes, em->all.weight_of, &e);
    if (!status)
        status = bestdag_em_run(em->run, &e, none, &between, is_here, &report);
    if (!status)
        g->ln = report.ln;
    bestdag_expectation_release(&e);
    return status;
}

/* The best tables for the expected counts of a completed problem. */
static int take_expected(struct bestdag_structural_em *em,
                         const struct bestdag_completion *completion,
                         struct bestdag_network *net)
{
    struct bestdag_completed_counts c;
    int status = bestdag_completed_counts_new(em->run, completion, &c);
    for (int v = 0; !status && v < net->dag->n; v++) {
        const struct bestdag_parents *p = &net->dag->parents[v];
        int r = net->variable[v].states;
        double *table = net->variable[v].table;
        int64_t q = bestdag_network_configurations(net, v);
        status = bestdag_completed_counts_find(&c, v, p->at, p->count);
        for (int64_t i = 0; !status && i < q * r; i++)
            table[i] = 0;
        for (int64_t i = 0; !status && i < c.count; i++)
            table[c.group[i] * r + c.state[i]] = (double)c.cell[i];
        for (int64_t j = 0; !status && j < q; j++) {
            double sum = 0;
            for (int k = 0; k < r; k++)
                sum += table[j * r + k];
            for (int k = 0; k < r; k++)
                table[j * r + k] = sum > 0 ? table[j * r + k] / sum : 1.0 / r;
        }
    }
    bestdag_completed_counts_release(&c);
    return status;
}

/* ---- one problem -----------------------------------------------------------
 */

static void release_problem(struct bestdag_completed_problem *p)
{
    bestdag_completion_release(&p->completion);
    bestdag_network_free(p->network);
    *p = (struct bestdag_completed_problem){0};
}

/* The table completed by a network, in place of the problem before the last.
 * The network stays the caller's; the problem has a copy. */
static int complete(struct bestdag_structural_em *em,
                    const struct bestdag_network *net, bool *done)
{
    struct bestdag_completed_problem *p = &em->at[1 - em->turn];
    release_problem(p);
    p->network = new_network(em, net->dag);
    if (!p->network)
        return bestdag_run_status(em->run);
    for (int v = 0; v < net->dag->n; v++)
        memcpy(p->network->variable[v].table, net->variable[v].table,
               (size_t)(bestdag_network_configurations(net, v) *
                        net->variable[v].states) *
                   sizeof(double));
    bestdag_run_phase(em->run, "completing rows", 0);
    if (bestdag_completion_make(em->run, p->network, &em->all, &p->completion,
                                done) ||
        !*done)
        return bestdag_run_status(em->run);
    em->large = p->completion.large;
    bestdag_expected_score_init(&p->score, em->like, &p->completion);
    em->turn = 1 - em->turn;
    return BESTDAG_OK;
}

static double penalty_of(const struct bestdag_structural_em *em,
                         const struct bestdag_dag *dag)
{
    double sum = 0;
    for (int v = 0; v < dag->n; v++)
        sum += bestdag_scorer_nats(
            em->scorer,
            bestdag_scorer_penalty(em->scorer, v, dag->parents[v].at,
                                   dag->parents[v].count));
    return sum;
}

/* Does the network that was found score higher on the completed table than the
 * one that completed it? */
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
    return BESTDAG_OK;
}

/* The network that was found takes the place of the one before; *is_up: it is
 * better on the values that are there. */
static int move_on(struct bestdag_structural_em *em, struct guess *g,
                   bool *is_up)
{
    double before = g->ln - penalty_of(em, g->network->dag);
    struct guess next = {.network = new_network(em, g->outcome.dag)};
    *is_up = false;
    if (!next.network ||
        take_expected(em, &em->at[em->turn].completion, next.network) ||
        estimate(em, &next, true)) {
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

/* Until searching changes nothing, or the run is stopped. */
static int improve(struct bestdag_structural_em *em, struct guess *g,
                   bool is_quick)
{
    g->has_converged = false;
    for (int i = 0; i < MOST_PROBLEMS && !bestdag_run_stopped(em->run); i++) {
        bool done = false, is_better = false, is_up = false;
        if (complete(em, g->network, &done))
            return bestdag_run_status(em->run);
        if (!done)
            return BESTDAG_OK;
        struct bestdag_completed_search what = {
            .table = em->table,
            .type = &em->at[em->turn].score.type,
            .start = g->network->dag,
            .is_quick = is_quick};
        if (search(em, &what, g) || compare(em, g, &is_better))
            return bestdag_run_status(em->run);
        em->problems++;
        em->has_problem = true;
        if (isnan(g->observed))
            g->observed = g->ln - penalty_of(em, g->network->dag);
        if (is_better && move_on(em, g, &is_up))
            return bestdag_run_status(em->run);
        if (!is_up) {
            g->has_converged = true;
            return BESTDAG_OK;
        }
    }
    return BESTDAG_OK;
}

/* ---- starts ----------------------------------------------------------------
 */

/* The rows that lack nothing; NULL with status OK: too few. */
static struct bestdag_table *complete_rows(struct bestdag_structural_em *em)
{
    const struct bestdag_table *t = em->table;
    int64_t left = 0;
    struct bestdag_table *copy = bestdag_table_copy(em->run, t);
    uint8_t *gone = bestdag_calloc(em->run, (size_t)t->rows + 1, 1);
    for (int64_t r = 0; copy && gone && r < t->rows; r++) {
        for (int v = 0; v < t->columns; v++)
            gone[r] |= bestdag_column_code(&t->column[v], r) < 0;
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

static const char *const start_names[] = {"empty", "complete rows",
                                          "available"};
enum { EMPTY, COMPLETE_ROWS, AVAILABLE, STARTS };

static int search_available(struct bestdag_structural_em *em, struct guess *g)
{
    struct bestdag_completed_search what = {.table = em->table,
                                            .type = bestdag_score_find("pnal"),
                                            .is_quick = em->is_quick};
    return search(em, &what, g);
}

/* A structure to begin with, with tables; without network: there is none. */
static int begin(struct bestdag_structural_em *em, int start, struct guess *g)
{
    *g = (struct guess){.ln = (double)NAN, .observed = (double)NAN};
    if (start == COMPLETE_ROWS) {
        em->complete = complete_rows(em);
        struct bestdag_completed_search what = {
            .table = em->complete, .type = em->like, .is_quick = em->is_quick};
        if (!em->complete || search(em, &what, g))
            return bestdag_run_status(em->run);
    } else if (start == AVAILABLE && search_available(em, g))
        return bestdag_run_status(em->run);
    g->network = new_network(em, g->outcome.dag);
    return g->network ? estimate(em, g, false) : bestdag_run_status(em->run);
}

/* The best of the starts, each improved by hill climbing. */
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
            em->start = start_names[s];
        } else
            drop_guess(&g);
    }
    return bestdag_run_status(em->run);
}

/* ---- all of it -------------------------------------------------------------
 */

int bestdag_structural_em_run(struct bestdag_structural_em *em,
                              struct bestdag_outcome *to)
{
    struct guess best = {0};
    em->log_likelihood = em->observed_score = (double)NAN;
    *to = (struct bestdag_outcome){0};
    if (prepare(em))
        return bestdag_run_status(em->run);
    int status = try_starts(em, &best);
    if (!status && best.network)
        status = improve(em, &best, false);
    if (!status && !best.has_outcome) /* stopped before the first problem */
        status = search_available(em, &best);
    if (!status) {
        em->has_converged = best.has_converged;
        em->log_likelihood = best.ln;
        em->observed_score = best.observed;
        *to = best.outcome; /* its graph goes along */
        best.outcome = (struct bestdag_outcome){0};
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
    bestdag_table_free(em->complete);
    bestdag_free(em->column);
    *em = (struct bestdag_structural_em){0};
}
