/* SPDX-License-Identifier: MIT */
/* em.c -- parameters from a table with missing values.
 *
 * Expectation-maximisation (Dempster, Laird, Rubin 1977; for networks Lauritzen
 * 1995). A step computes the expected counts of all families given the values
 * that are there and the present tables (em_step.c, exact); the tables become
 * the best for these counts. The objective is the log-likelihood of the values
 * that are there, plus, with pseudo-counts a, the sum of a ln p over all cells;
 * it never falls, which an assert checks. EM finds a local maximum, so it
 * starts several times: from the rows that have a family, with one added to
 * every count so that nothing is excluded; then from the same at random (counts
 * times exponential variates). The start with the best final objective wins,
 * the first among equals.
 *
 * EM ends when an iteration gains less than `tolerance` nats per row, or after
 * a number of iterations. When the run is stopped, the tables so far are the
 * result: each iteration's are better than the ones before. */
#include "models/holes/em.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/random.h"

static const struct bestdag_option option_rows[] = {
    {"em-starts", BESTDAG_INTEGER, "3", 1, 1e6, .value = "N",
     .help = "starts of expectation-maximisation (--missing em); the first is "
             "from the rows that have a family, the others at random"},
    {"em-iterations", BESTDAG_INTEGER, "1000", 1, 1e9, .value = "N",
     .help = "most iterations of expectation-maximisation for each start"},
    {"em-tolerance", BESTDAG_NUMBER, "1e-9", 0, 1, .value = "X",
     .help = "expectation-maximisation has converged when an iteration raises "
             "the log-likelihood by less than this for each row"},
    {0}};
const struct bestdag_option_group bestdag_em_options = {"em", option_rows};

struct bestdag_em_settings bestdag_em_settings_of(
    const struct bestdag_options *options)
{
    const struct bestdag_option_group *g = &bestdag_em_options;
    return (struct bestdag_em_settings){
        .starts = (int)bestdag_option_value(options, g, "em-starts").integer,
        .iterations =
            (int)bestdag_option_value(options, g, "em-iterations").integer,
        .tolerance = bestdag_option_value(options, g, "em-tolerance").number};
}

/* ---- tables from counts -------------------------------------------------- */

static double added(const struct bestdag_expectation *e, int v,
                    struct bestdag_fit_prior prior)
{
    return prior.pseudo + prior.ess / (double)(e->offset[v + 1] - e->offset[v]);
}

/* Turns counts in units of `unit` rows into probabilities; configurations
 * without counts become uniform. */
static void make_tables(struct bestdag_expectation *e, const int64_t *count,
                        double unit, struct bestdag_fit_prior prior)
{
    for (int v = 0; v < e->network->dag->n; v++) {
        int r = e->network->variable[v].states;
        double *table = e->network->variable[v].table;
        double add = added(e, v, prior);
        const int64_t *from = count + e->offset[v];
        int64_t cells = e->offset[v + 1] - e->offset[v];
        for (int64_t j = 0; j < cells; j += r) {
            int64_t sum = 0;
            for (int k = 0; k < r; k++)
                sum += from[j + k];
            double all = (double)sum * unit + r * add;
            for (int k = 0; k < r; k++)
                table[j + k] = all > 0
                                   ? ((double)from[j + k] * unit + add) / all
                                   : 1.0 / r;
        }
    }
}

void bestdag_em_available(struct bestdag_expectation *e,
                          struct bestdag_fit_prior prior)
{
    make_tables(e, e->have, 1, prior);
}

void bestdag_em_maximise(struct bestdag_expectation *e,
                         struct bestdag_fit_prior prior)
{
    make_tables(e, e->count, ldexp(1, -e->shift), prior);
}

/* ---- starts -------------------------------------------------------------- */

static double exponential(struct bestdag_random *random)
{
    uint64_t bits = bestdag_random_bits(random) >> 11;
    return -log(((double)bits + 0.5) * 0x1p-53);
}

static void begin(struct bestdag_expectation *e, uint64_t seed, int start)
{
    struct bestdag_random random =
        bestdag_random_init(seed, (uint64_t)start + 0x656d);
    bestdag_em_available(e, (struct bestdag_fit_prior){.pseudo = 1});
    for (int v = 0; start && v < e->network->dag->n; v++) {
        int r = e->network->variable[v].states;
        double *table = e->network->variable[v].table;
        for (int64_t j = 0; j < e->offset[v + 1] - e->offset[v]; j += r) {
            double sum = 0;
            for (int k = 0; k < r; k++)
                sum += table[j + k] *= exponential(&random);
            for (int k = 0; k < r; k++)
                table[j + k] /= sum;
        }
    }
}

/* ---- iterations ---------------------------------------------------------- */

static double ln_prior(const struct bestdag_expectation *e,
                       struct bestdag_fit_prior prior)
{
    double sum = 0;
    for (int v = 0; v < e->network->dag->n; v++) {
        const double *table = e->network->variable[v].table;
        double add = added(e, v, prior);
        for (int64_t i = 0; add > 0 && i < e->offset[v + 1] - e->offset[v]; i++)
            sum += add * log(table[i]);
    }
    return sum;
}

/* How much rounding of counts and sums may lower the objective. */
static double slack(double objective)
{
    return 1e-9 * (1 + fabs(objective));
}

static int iterate(struct bestdag_run *run, struct bestdag_expectation *e,
                   struct bestdag_fit_prior prior,
                   const struct bestdag_em_settings *settings,
                   struct bestdag_em_report *to)
{
    to->ln = to->objective = -INFINITY;
    for (;; to->iterations++) {
        bool done;
        if (bestdag_expectation_step(run, e, &done))
            return bestdag_run_status(run);
        if (!done)
            return BESTDAG_OK;
        double objective = e->ln + ln_prior(e, prior);
        double gain = objective - to->objective;
        assert(!(gain < -slack(objective)));
        to->ln = e->ln;
        to->objective = objective;
        if (gain < settings->tolerance * (double)(e->total + 1)) {
            to->has_converged = true;
            return BESTDAG_OK;
        }
        if (to->iterations == settings->iterations)
            return BESTDAG_OK;
        bestdag_em_maximise(e, prior);
    }
}

/* ---- the best of several ------------------------------------------------- */

/* Tables, and the expected counts of the last step with them. */
struct kept {
    double *table;  /* owns; [entries] */
    int64_t *count; /* owns; [entries] */
};

static void keep(const struct bestdag_expectation *e, struct kept *to)
{
    int n = e->network->dag->n;
    for (int v = 0; v < n; v++)
        memcpy(to->table + e->offset[v], e->network->variable[v].table,
               (size_t)(e->offset[v + 1] - e->offset[v]) * sizeof *to->table);
    memcpy(to->count, e->count, (size_t)e->offset[n] * sizeof *to->count);
}

static void restore(struct bestdag_expectation *e, const struct kept *from)
{
    int n = e->network->dag->n;
    for (int v = 0; v < n; v++)
        memcpy(e->network->variable[v].table, from->table + e->offset[v],
               (size_t)(e->offset[v + 1] - e->offset[v]) * sizeof *from->table);
    memcpy(e->count, from->count, (size_t)e->offset[n] * sizeof *e->count);
}

int bestdag_em_run(struct bestdag_run *run, struct bestdag_expectation *e,
                   struct bestdag_fit_prior prior,
                   const struct bestdag_em_settings *settings, bool is_here,
                   struct bestdag_em_report *report)
{
    size_t entries = (size_t)e->offset[e->network->dag->n] + 1;
    struct kept best = {.table = bestdag_alloc(run, entries * sizeof(double)),
                        .count = bestdag_alloc(run, entries * sizeof(int64_t))};
    int starts = is_here || !e->rows->count ? 1 : settings->starts;
    *report = (struct bestdag_em_report){.ln = -INFINITY};
    if (!bestdag_run_status(run))
        bestdag_run_phase(run, "expectation-maximisation", 0);
    for (int s = 0; s < starts && !bestdag_run_status(run) &&
                    !(s && bestdag_run_stopped(run));
         s++) {
        struct bestdag_em_report now = {.start = s};
        if (!is_here)
            begin(e, run->seed, s);
        if (iterate(run, e, prior, settings, &now))
            break;
        if (s && !(now.objective > report->objective + slack(now.objective)))
            continue;
        if (!is_here && !now.iterations)
            bestdag_em_available(e, prior); /* stopped before the first step */
        *report = now;
        keep(e, &best);
    }
    if (!bestdag_run_status(run))
        restore(e, &best);
    bestdag_free(best.table);
    bestdag_free(best.count);
    return bestdag_run_status(run);
}
