/* SPDX-License-Identifier: MIT */
/* bootstrap.c -- arc strengths over resamples, and the averaged network.
 *
 * Friedman, Goldszmidt and Wyner, Data analysis with Bayesian networks: a
 * bootstrap approach (UAI 1999). The strength of an arc is the share of the
 * networks that join its ends, its direction the share of these in which it
 * goes this way. resampling.c learns the networks, edge_votes.c counts their
 * arcs, averaging.c makes one network of them; this file has the settings, the
 * score and the parameters of the average, and the report. */
#include <math.h>
#include <string.h>

#include "constraints/parameters/constrained_score.h"
#include "data/check/warnings.h"
#include "learn/averaging.h"
#include "learn/fitting.h"
#include "learn/numbers.h"
#include "learn/resampling.h"
#include "learn/result.h"
#include "scores/score.h"
#include "search/solver.h"
#include "parents/parents.h"
#include "parents/files/resume_file.h"
#include "base/checkpoint.h"
#include "learn/candidate_supply.h"

static const struct bestdag_option option_rows[] = {
    {"resamples", BESTDAG_INTEGER, "200", 1, 1e6, .letter = 'R', .value = "N",
     .help = "number of resamples; each has as many rows as the table, drawn "
             "with replacement"},
    {"directions", BESTDAG_CHOICE, "cpdag", .choices = "cpdag|dag",
     .value = "WHICH",
     .help = "cpdag or dag; cpdag: an arc that is reversible in its "
             "equivalence class counts half for each direction; dag: arcs "
             "count as they were learned"},
    {"threshold", BESTDAG_NUMBER, NULL, 0, 1, .value = "X",
     .help = "strength above which arcs are in the averaged network; arcs of "
             "strength 1 always are; estimated from the strengths by default "
             "(Scutari and Nagarajan 2013)"},
    {"time-per-resample", BESTDAG_DURATION, NULL, 0, 1e9, .value = "T",
     .help = "time limit for each resample, on one thread; by default each "
             "search runs to its end"},
    {"strengths", BESTDAG_OUTPUT, .value = "FILE",
     .help = "write strength and direction of every arc found (CSV: from, to, "
             "strength, direction); - is standard output, where the network is "
             "then not written"},
    {0}};
const struct bestdag_option_group bestdag_bootstrap_options = {"bootstrap",
                                                               option_rows};

struct job {
    struct bestdag_run *run;
    const struct bestdag_table *table;
    const struct bestdag_options *options;
    const char **names;                      /* owns the array only; [n] */
    struct bestdag_knowledge *knowledge;     /* owns; NULL: no rules */
    struct bestdag_scorer *scorer;           /* owns */
    struct bestdag_resampling r;             /* owns */
    const struct bestdag_edge_set **ballots; /* owns the array only */
    int done, counted; /* resamples learned to the end; ballots counted */
    struct bestdag_votes votes; /* owns */
    double threshold;
    bool estimated;
    struct bestdag_average average;    /* owns */
    struct bestdag_strength *strength; /* owns; [votes.count] */
    double score;                      /* of the average */
    double begin, middle;              /* seconds on the clock, when learning
                                          began and when counting began */
};

/* ---- before -------------------------------------------------------------- */

/* Refuses settings of learn that would write a file for each resample. */
static int refuse_files(struct bestdag_run *run,
                        const struct bestdag_options *options)
{
    static const struct {
        const struct bestdag_option_group *group;
        const char *key;
    } file[] = {{&bestdag_learn_options, "save-scores"},
                {&bestdag_resume_file_options, "part"},
                {&bestdag_resume_file_options, "resume"},
                {&bestdag_parents_options, "trace"},
                {&bestdag_checkpoint_options, "checkpoint"}};
    for (size_t i = 0; i < sizeof file / sizeof *file; i++)
        if (bestdag_option_given(options, file[i].group, file[i].key))
            return bestdag_fail(
                run, BESTDAG_USAGE,
                "'%s' applies to a single network, and bootstrap learns many",
                file[i].key);
    return BESTDAG_OK;
}

static void read_settings(struct job *job)
{
    const struct bestdag_options *o = job->options;
    struct bestdag_value threshold =
        bestdag_option_value(o, &bestdag_bootstrap_options, "threshold");
    job->estimated = !threshold.text;
    job->threshold = threshold.number;
    job->r.resamples =
        (int)bestdag_option_value(o, &bestdag_bootstrap_options, "resamples")
            .integer;
    job->r.by_class = !strcmp(
        bestdag_option_value(o, &bestdag_bootstrap_options, "directions").text,
        "cpdag");
    job->r.seconds =
        bestdag_option_value(o, &bestdag_bootstrap_options, "time-per-resample")
            .number;
}

static int prepare(struct job *job)
{
    struct bestdag_run *run = job->run;
    int n = job->table->columns;
    job->names = bestdag_alloc(run, ((size_t)n + 1) * sizeof *job->names);
    if (refuse_files(run, job->options) || !job->names)
        return bestdag_run_status(run);
    for (int v = 0; v < n; v++)
        job->names[v] = job->table->column[v].name;
    struct bestdag_knowledge_request demand = {.rules = job->r.rules,
                                               .names = job->names,
                                               .n = n,
                                               .able = ~0u,
                                               .user = "bootstrap"};
    read_settings(job);
    if (bestdag_knowledge_meet(run, &demand, &job->knowledge) ||
        bestdag_resampler_init(run, &job->r.resampler, job->table))
        return bestdag_run_status(run);
    job->r.knowledge = job->knowledge;
    job->scorer = bestdag_scorer_new(run, job->table, job->options);
    return job->scorer
               ? bestdag_scorer_constrain(run, job->scorer, job->r.rules)
               : bestdag_run_status(run);
}

/* ---- counting ------------------------------------------------------------ */

/* Counts the ballots of resamples learned to the end; if there are none, of
 * those that were cut short. */
static int gather(struct job *job)
{
    int n = job->r.resamples;
    job->ballots = bestdag_calloc(job->run, (size_t)n, sizeof *job->ballots);
    if (!job->ballots)
        return bestdag_run_status(job->run);
    for (int state = BESTDAG_TRIAL_DONE;
         state <= BESTDAG_TRIAL_CUT && !job->counted; state++)
        for (int i = 0; i < n; i++)
            if ((int)job->r.trial[i].state == state) {
                job->ballots[i] = &job->r.trial[i].ballot;
                job->counted++;
                job->done += state == BESTDAG_TRIAL_DONE;
            }
    return bestdag_votes_count(job->run, job->table->columns, job->ballots, n,
                               &job->votes);
}

/* The direction is that of most votes; for a tie, from the first column. */
static struct bestdag_strength strength_of(const struct bestdag_votes *votes,
                                           const struct bestdag_edge_votes *p)
{
    int all = bestdag_edge_votes_total(p), along = bestdag_edge_votes_along(p);
    bool turned = along < all;
    return (struct bestdag_strength){
        .from = turned ? p->b : p->a,
        .to = turned ? p->a : p->b,
        .strength = (double)all / votes->networks,
        .direction = (turned ? 2 * all - along : along) / (2.0 * all)};
}

static int list_strengths(struct job *job)
{
    int64_t count = job->votes.count;
    job->strength =
        bestdag_alloc(job->run, (size_t)count * sizeof *job->strength);
    for (int64_t i = 0; job->strength && i < count; i++)
        job->strength[i] = strength_of(&job->votes, &job->votes.pair[i]);
    return bestdag_run_status(job->run);
}

/* As a table, since its writer quotes names. */
static struct bestdag_table *tabulate(struct job *job)
{
    struct bestdag_run *run = job->run;
    int64_t rows = job->votes.count;
    size_t room = (size_t)rows + 1;
    int32_t *code = bestdag_alloc(run, room * sizeof *code);
    double *share = bestdag_alloc(run, room * sizeof *share);
    struct bestdag_table *t =
        code && share ? bestdag_table_new(run, rows) : NULL;
    for (int c = 0; t && c < 2; c++) {
        for (int64_t i = 0; i < rows; i++)
            code[i] = c ? job->strength[i].to : job->strength[i].from;
        bestdag_table_add_codes(run, t, c ? "to" : "from", code, 4,
                                job->table->columns, job->names);
    }
    for (int c = 0; t && c < 2; c++) {
        for (int64_t i = 0; i < rows; i++)
            share[i] =
                c ? job->strength[i].direction : job->strength[i].strength;
        bestdag_table_add_numbers(run, t, c ? "direction" : "strength", share);
    }
    bestdag_free(code);
    bestdag_free(share);
    return t;
}

static int save_strengths(struct job *job)
{
    const char *path =
        bestdag_option_value(job->options, &bestdag_bootstrap_options,
                             "strengths")
            .text;
    if (!path)
        return BESTDAG_OK;
    struct bestdag_table *t = tabulate(job);
    if (t)
        bestdag_table_write_as(job->run, t, "csv", path);
    bestdag_table_free(t);
    return bestdag_run_status(job->run);
}

/* ---- the average --------------------------------------------------------- */

static int average(struct job *job)
{
    struct bestdag_value most = bestdag_option_value(
        job->options, &bestdag_parents_options, "max-parents");
    struct bestdag_averaging how = {.votes = &job->votes,
                                    .threshold = job->threshold,
                                    .scorer = job->scorer,
                                    .knowledge = job->knowledge,
                                    .names = job->names,
                                    .max_parents =
                                        most.text ? (int)most.integer : -1,
                                    .ballots = job->ballots,
                                    .networks = job->r.resamples};
    if (bestdag_average_make(job->run, &how, &job->average))
        return bestdag_run_status(job->run);
    const struct bestdag_dag *dag = job->average.dag;
    double *nats = bestdag_alloc(job->run, (size_t)dag->n * sizeof *nats);
    if (nats && !bestdag_scorer_exact_all(job->run, job->scorer, dag, nats))
        for (int v = 0; v < dag->n; v++)
            job->score += nats[v];
    bestdag_free(nats);
    return bestdag_run_status(job->run);
}

static bool is_cut(const struct job *job)
{
    return job->r.ending != BESTDAG_ENDED && job->counted < job->r.resamples;
}

/* Notes for the user about the average. */
static void add_notes(struct job *job)
{
    char place[128];
    int broken = job->average.broken;
    if (is_cut(job))
        bestdag_note(job->run, 0, "%s after %d of %d resamples%s",
                     job->r.ending == BESTDAG_TIMED_OUT ? "stopped"
                                                        : "interrupted",
                     job->done, job->r.resamples,
                     job->done ? ""
                               : "; the average is over networks whose "
                                 "searches were cut short");
    if (broken >= 0)
        bestdag_note(
            job->run, 0,
            "the arcs above the threshold break %s; the network is the closest "
            "one found that obeys",
            bestdag_rule_place(&job->knowledge->rules->rule[broken], place));
}

/* ---- the report ---------------------------------------------------------- */

static void add_arc(struct bestdag_json_writer *w, const struct job *job,
                    int from, int to)
{
    bestdag_json_open(w, NULL, '[');
    bestdag_json_add_text(w, NULL, job->names[from]);
    bestdag_json_add_text(w, NULL, job->names[to]);
    bestdag_json_close(w, ']');
}

static void add_arcs(struct bestdag_json_writer *w, const struct job *job)
{
    const struct bestdag_dag *dag = job->average.dag;
    bestdag_json_open(w, "arcs", '[');
    for (int v = 0; v < dag->n; v++)
        for (int i = 0; i < dag->parents[v].count; i++)
            add_arc(w, job, dag->parents[v].at[i], v);
    bestdag_json_close(w, ']');
}

/* Strengths of the network's arcs, in their direction there; strongest
 * first. */
static void add_strengths(struct bestdag_json_writer *w, const struct job *job)
{
    bestdag_json_open(w, "strengths", '[');
    for (int64_t i = 0; i < job->votes.count; i++) {
        struct bestdag_strength s = job->strength[i];
        bool turned = bestdag_dag_has_arc(job->average.dag, s.to, s.from);
        if (!turned && !bestdag_dag_has_arc(job->average.dag, s.from, s.to))
            continue;
        bestdag_json_open(w, NULL, '{');
        bestdag_json_add_text(w, "from", job->names[turned ? s.to : s.from]);
        bestdag_json_add_text(w, "to", job->names[turned ? s.from : s.to]);
        bestdag_json_add_number(w, "strength", s.strength);
        bestdag_json_add_number(w, "direction",
                                turned ? 1 - s.direction : s.direction);
        bestdag_json_close(w, '}');
    }
    bestdag_json_close(w, ']');
}

static void add_average(struct bestdag_json_writer *w, const struct job *job)
{
    char place[128];
    int broken = job->average.broken;
    bestdag_json_add_number(w, "threshold", job->threshold);
    bestdag_json_add_bool(w, "threshold_estimated", job->estimated);
    bestdag_json_add_text(w, "directions", job->r.by_class ? "cpdag" : "dag");
    bestdag_json_add_integer(w, "pairs", job->votes.count);
    bestdag_json_add_integer(w, "turned", job->average.turned);
    bestdag_json_add_integer(w, "left_out", job->average.left_out);
    bestdag_json_add_text(
        w, "moved_for",
        broken < 0
            ? NULL
            : bestdag_rule_place(&job->knowledge->rules->rule[broken], place));
}

static void add_work(struct bestdag_json_writer *w, const struct job *job)
{
    const struct bestdag_options *o = job->options;
    int proved = 0;
    for (int i = 0; i < job->r.resamples; i++)
        proved += job->r.trial[i].state == BESTDAG_TRIAL_DONE &&
                  job->r.trial[i].optimal;
    bestdag_json_add_text(w, "status",
                          is_cut(job) ? bestdag_ending_word(job->r.ending)
                                      : "finished");
    bestdag_json_add_integer(w, "resamples", job->done);
    bestdag_json_add_integer(w, "resamples_asked", job->r.resamples);
    bestdag_json_add_integer(w, "resamples_optimal", proved);
    bestdag_json_add_integer(w, "networks", job->counted);
    bestdag_json_add_number(w, "score", job->score);
    bestdag_json_add_text(w, "score_name", job->scorer->type->name);
    bestdag_json_add_text(
        w, "solver",
        bestdag_option_value(o, &bestdag_solve_options, "solver").text);
    bestdag_json_add_text(
        w, "parents",
        bestdag_option_value(o, &bestdag_parents_options, "parents").text);
    bestdag_json_add_integer(w, "variables", job->table->columns);
    bestdag_json_add_integer(w, "rows", job->table->total);
}

static void add_cost(struct bestdag_json_writer *w, const struct job *job)
{
    double now = bestdag_seconds();
    bestdag_json_open(w, "seconds", '{');
    bestdag_json_add_number(w, "read", job->begin - job->run->start);
    bestdag_json_add_number(w, "resample", job->middle - job->begin);
    bestdag_json_add_number(w, "average", now - job->middle);
    bestdag_json_add_number(w, "total", now - job->run->start);
    bestdag_json_close(w, '}');
    bestdag_json_add_run(w, job->run);
}

static char *write_report(const struct job *job)
{
    struct bestdag_json_writer w = {.out.run = job->run};
    bestdag_json_open(&w, NULL, '{');
    add_work(&w, job);
    add_average(&w, job);
    add_arcs(&w, job);
    add_strengths(&w, job);
    add_cost(&w, job);
    bestdag_json_close(&w, '}');
    return bestdag_json_take(&w);
}

/* ---- the door ------------------------------------------------------------ */

/* What the HTML page shows of the average. */
static struct bestdag_run_record *remember(struct job *job)
{
    struct bestdag_task task = {.run = job->run,
                                .options = job->options,
                                .scorer = job->scorer,
                                .n = job->table->columns};
    struct bestdag_outcome outcome = {
        .dag = job->average.dag, .score = job->score, .bound = (double)NAN};
    struct bestdag_run_facts facts = {.task = &task,
                                      .outcome = &outcome,
                                      .names = (char *const *)job->names,
                                      .table = job->table,
                                      .rules = job->r.rules};
    return bestdag_run_record_new(job->run, &facts);
}

static struct bestdag_result *conclude(struct job *job)
{
    struct bestdag_run *run = job->run;
    if (gather(job) || list_strengths(job))
        return NULL;
    if (job->estimated)
        job->threshold = bestdag_votes_threshold(&job->votes);
    if (average(job) || save_strengths(job))
        return NULL;
    add_notes(job);
    struct bestdag_network *net = bestdag_fitting_unstopped(
        run, job->average.dag, job->table, job->r.rules, job->options);
    struct bestdag_result *result =
        bestdag_result_of(run, net ? write_report(job) : NULL, net);
    if (result)
        result->record = remember(job);
    if (!result || !result->record) {
        bestdag_result_free(result);
        return NULL;
    }
    bestdag_result_take_strengths(result, job->strength, job->votes.count);
    job->strength = NULL;
    return result;
}

static struct bestdag_result *bootstrap_table(
    struct bestdag_run *run, const struct bestdag_table *table,
    const struct bestdag_rules *rules, const struct bestdag_options *options)
{
    struct bestdag_result *result = NULL;
    if (bestdag_lacks(run, table, "table"))
        return NULL;
    struct job job = {.run = run,
                      .table = table,
                      .options = options,
                      .begin = bestdag_seconds(),
                      .r = {.run = run, .rules = rules, .options = options}};
    bestdag_table_warn(run, table);
    if (!prepare(&job) && !bestdag_resampling_run(&job.r)) {
        job.middle = bestdag_seconds();
        result = conclude(&job);
    }
    bestdag_dag_free(job.average.dag);
    bestdag_free(job.strength);
    bestdag_votes_release(&job.votes);
    bestdag_free(job.ballots);
    bestdag_resampling_release(&job.r);
    bestdag_scorer_free(job.scorer);
    bestdag_knowledge_free(job.knowledge);
    bestdag_free(job.names);
    return result;
}

struct bestdag_result *bestdag_bootstrap(struct bestdag_run *run,
                                         const struct bestdag_table *table,
                                         const struct bestdag_rules *rules,
                                         const struct bestdag_options *options)
{
    return bestdag_numbers_learn(bootstrap_table, run, table, rules, options);
}
