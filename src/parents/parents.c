/* SPDX-License-Identifier: MIT */
/* parents.c -- the table of strategies that find candidate parent sets: makes
 * the plan from the options, chooses the strategy, and does what all share.
 *
 * `auto` counts the families up to max-parents, or up to the largest set that
 * the penalty of BIC allows; up to BESTDAG_FEW_FAMILIES are all scored by
 * sequential, more are left to independence. It considers only the size of the
 * table, so that the choice is the same on every machine. */
#include "parents/parents.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/work.h"
#include "constraints/deduction/compile.h"
#include "constraints/parameters/constrained_score.h"
#include "data/missing.h"
#include "data/check/warnings.h"
#include "data/digest.h"
#include "parallel/collective.h"
#include "parents/candidate_parents.h"
#include "parents/cost.h"
#include "parents/files/resume_file.h"
#include "parents/ruled/ruled_lists.h"
#include "parents/trace.h"
#include "scores/score.h"

#define STRATEGIES(ROW)                                                        \
    ROW(sequential)                                                            \
    ROW(greedy)                                                                \
    ROW(independence)
#define DECLARE(name)                                                          \
    extern const struct bestdag_strategy bestdag_strategy_##name;
#define ENTRY(name) &bestdag_strategy_##name,
STRATEGIES(DECLARE)
static const struct bestdag_strategy *const strategies[] = {STRATEGIES(ENTRY)};
enum { COUNT = sizeof strategies / sizeof *strategies };

const struct bestdag_strategy *bestdag_strategy_at(int i)
{
    return i >= 0 && i < COUNT ? strategies[i] : NULL;
}

static const struct bestdag_strategy *named(const char *name)
{
    for (int i = 0; i < COUNT; i++)
        if (!strcmp(strategies[i]->name, name))
            return strategies[i];
    return NULL;
}

static const char *strategy_name(int i)
{
    return i < COUNT ? strategies[i]->name : NULL;
}

static const struct bestdag_option option_rows[] = {
    {"parents", BESTDAG_CHOICE, "auto", .choices = "auto",
     .names = strategy_name, .value = "NAME",
     .help = "how candidate parent sets are found; auto: sequential if few "
             "enough are possible, otherwise independence"},
    {"max-parents", BESTDAG_INTEGER, NULL, 0, 1000, .value = "K",
     .help = "maximum number of parents of a variable; no limit by default"},
    {"candidates", BESTDAG_INTEGER, NULL, 1, 1e6, .value = "K",
     .help = "consider as parents only the K variables of highest mutual "
             "information"},
    {"time-per-variable", BESTDAG_DURATION, NULL, 0, 1e9, .value = "T",
     .help =
         "time to explore the parent sets of one variable, on one thread; by "
         "default greedy and independence score a number of sets given by the "
         "size of the table and --effort, and sequential completes its lists"},
    {"theorem-2", BESTDAG_FLAG, "no",
     .help = "independence also prunes by Theorem 2 of its paper; never prunes "
             "more than the other rules do"},
    {"queue", BESTDAG_CHOICE, "sizes", .choices = "sizes|single",
     .value = "NAME",
     .help =
         "open list of independence: sizes, one for each number of parents, "
         "in turns; single, one for all, as in its paper"},
    {"no-prune", BESTDAG_FLAG, "no",
     .help = "keep every scored set, also those that cannot be in an optimal "
             "network"},
    {"trace", BESTDAG_OUTPUT, .value = "FILE",
     .help = "write each scored set in the order of scoring (CSV: variable, "
             "step, size, score)"},
    {0}};
const struct bestdag_option_group bestdag_parents_options = {"parents",
                                                             option_rows};

int bestdag_parents_option_put(struct bestdag_run *run,
                               struct bestdag_options *options, const char *key,
                               const char *value)
{
    return bestdag_option_put(run, options, "parents",
                              bestdag_option_row(&bestdag_parents_options, key),
                              value);
}

int bestdag_parents_check(struct bestdag_run *run,
                          const struct bestdag_options *options)
{
    const char *name =
        bestdag_option_value(options, &bestdag_parents_options, "parents").text;
    const struct bestdag_strategy *s;
    if (!strcmp(name, "auto"))
        return BESTDAG_OK;
    for (int i = 0; (s = bestdag_strategy_at(i)); i++)
        for (const char *const *key = s->own; key && *key; key++)
            if (strcmp(s->name, name) != 0 &&
                bestdag_option_given(options, &bestdag_parents_options, *key))
                return bestdag_fail(run, BESTDAG_USAGE,
                                    "--parents %s does not use --%s: it is an "
                                    "option of %s",
                                    name, *key, s->name);
    return BESTDAG_OK;
}

/* ---- the plan ---- */

/* Scores of what `orders` finds over the lists of baudio and 300 generated
 * variables, low effort (bench/log/2026-11-17-sensitivity.csv). */
enum {
    OPEN = 1 << 15,    /* sets in a heap; 2^12..2^17: the same */
    RECORDS = 1 << 22, /* sets that are recorded: 800 MB */
    KEPT = 1 << 24,    /* bytes of counts that are cached; 2^20..2^26: the
                          same */
    SHARES = 64,
    EACH = 200,        /* bytes of an open or recorded set */
    LEAST_OPEN = 1024, /* whatever the memory limit */
    LEAST_SETS = 4000, /* scored per variable, without a time limit; binds above
                          50000 rows */
    MOST_SETS = 20000, /* 10000: 0.02 to 0.6 % worse in 0.7 times the time,
                          40000: 0.002 to 0.3 % better in 1.3 to 1.8 times */
    ROW_SETS = 200000000, /* rows times sets, between these two; binds above
                             10000 rows */
    ENDLESS = 12          /* variables up to which ll may list all subsets */
};

/* The part of the time left that scoring may take. */
#define SCORING_SHARE 0.95
#define LEAST_SECONDS 1e-3 /* per variable */
/* A memory limit is divided into SHARES; a thread's heap has one, its records
 * another, its cached counts a third. More than SHARES / 6 threads would
 * exhaust it. */
static void limit_memory(struct bestdag_plan *plan)
{
    int64_t share = bestdag_memory_limit(plan->run) / SHARES / EACH;
    plan->most_open = OPEN;
    plan->most_records = RECORDS;
    plan->most_kept = KEPT;
    if (!share)
        return;
    if (share < LEAST_OPEN)
        share = LEAST_OPEN;
    if (share < plan->most_open)
        plan->most_open = share;
    if (share < plan->most_records)
        plan->most_records = share;
    if (share * EACH < plan->most_kept)
        plan->most_kept = share * EACH;
}

/* Greedy and independence end by time, if a time limit is given and applies,
 * else by work that depends only on the size of the table; sequential by a time
 * per variable, if one is given. */
static void limit_work(struct bestdag_plan *plan,
                       const struct bestdag_options *options)
{
    struct bestdag_run *run = plan->run;
    plan->seconds = bestdag_option_value(options, &bestdag_parents_options,
                                         "time-per-variable")
                        .number;
    plan->is_timed = plan->seconds > 0;
    if (plan->is_timed)
        return;
    if (run->deadline > 0 && !run->is_counted) {
        double left = run->deadline - bestdag_seconds();
        int threads = bestdag_run_threads(run);
        if (bestdag_communicator_of(run))
            threads *= run->communicator->ranks;
        threads = threads < plan->n ? threads : plan->n;
        plan->seconds = SCORING_SHARE * left * threads / plan->n;
        if (plan->seconds < LEAST_SECONDS)
            plan->seconds = LEAST_SECONDS;
        return;
    }
    /* Some 1.3 ns per row and set: about a quarter of a second per variable. */
    double sets = ROW_SETS / (double)(plan->scorer->table->rows + 1);
    sets = sets < LEAST_SETS ? LEAST_SETS : sets > MOST_SETS ? MOST_SETS : sets;
    plan->more = bestdag_effort_times(run->effort, (int64_t)sets);
}

static int make_plan(struct bestdag_plan *plan,
                     const struct bestdag_options *options)
{
    struct bestdag_run *run = plan->run;
    plan->n = plan->scorer->n;
    plan->max_parents = -1;
    if (bestdag_option_given(options, &bestdag_parents_options, "max-parents"))
        plan->max_parents =
            (int)bestdag_option_value(options, &bestdag_parents_options,
                                      "max-parents")
                .integer;
    if (plan->max_parents >= plan->n)
        plan->max_parents = plan->n - 1;
    plan->prune =
        !bestdag_option_value(options, &bestdag_parents_options, "no-prune")
             .integer;
    plan->theorem_2 =
        bestdag_option_value(options, &bestdag_parents_options, "theorem-2")
            .integer != 0;
    plan->single_queue = !strcmp(
        bestdag_option_value(options, &bestdag_parents_options, "queue").text,
        "single");
    limit_memory(plan);
    plan->is_done = bestdag_calloc(run, (size_t)plan->n, sizeof(bool));
    return plan->is_done ? BESTDAG_OK : BESTDAG_MEMORY;
}

static void release_plan(struct bestdag_plan *plan)
{
    for (int v = 0; plan->candidate && v < plan->n; v++)
        bestdag_free(plan->candidate[v]);
    bestdag_free(plan->candidate);
    bestdag_free(plan->candidates);
    bestdag_free(plan->limit);
    bestdag_free(plan->is_done);
    bestdag_resume_file_close(plan->part);
}

int bestdag_plan_finish(struct bestdag_plan *plan, int child, int64_t scored)
{
    plan->sets->scored += scored;
    plan->is_done[child] = true;
    plan->run->now.scored += scored;
    plan->run->now.kept += plan->sets->list[child].count;
    return plan->part
               ? bestdag_resume_file_add(plan->part, plan->sets, child, scored)
               : BESTDAG_OK;
}

/* ---- notes for the sidecar ----------------------------------------------- */

static void note(struct bestdag_plan *plan, const char *key, const char *value)
{
    if (value)
        bestdag_sets_note(plan->run, plan->sets, key, value);
}

static void note_number(struct bestdag_plan *plan, const char *key, double x)
{
    char text[BESTDAG_NUMBER_ROOM];
    bestdag_number_format(x, text);
    note(plan, key, text);
}

static void note_one(struct bestdag_plan *plan,
                     const struct bestdag_options *options,
                     const struct bestdag_option_group *group, const char *key)
{
    if (bestdag_option_given(options, group, key))
        note(plan, key, bestdag_option_value(options, group, key).text);
}

/* Notes the settings of the score that were given. */
static void note_given(struct bestdag_plan *plan,
                       const struct bestdag_options *options)
{
    const struct bestdag_score_type *type = plan->scorer->type;
    for (int g = 0; g < BESTDAG_SCORE_GROUPS && type->options[g]; g++)
        for (const struct bestdag_option *o = type->options[g]->row; o->key;
             o++)
            note_one(plan, options, type->options[g], o->key);
    note_one(plan, options, &bestdag_score_options, "structure-prior");
    note_one(plan, options, &bestdag_parents_options, "candidates");
}

enum { LONG = 2000 }; /* longer rules, in bytes, are noted by their hash */
char *bestdag_rules_noted(struct bestdag_run *run,
                          const struct bestdag_rules *rules)
{
    struct bestdag_buffer b = {.run = run};
    char hex[BESTDAG_SHA256_HEX];
    for (int i = 0; i < rules->count; i++)
        bestdag_buffer_format(&b, "%s%s", i ? "; " : "", rules->rule[i].text);
    if (b.length > LONG) {
        struct bestdag_sha256 sha;
        bestdag_sha256_init(&sha);
        bestdag_sha256_update(&sha, b.at, b.length);
        bestdag_sha256_hex(&sha, hex);
        b.length = 0;
        bestdag_buffer_format(&b, "%d rules, sha256 %s", rules->count, hex);
    }
    return bestdag_buffer_take(&b);
}

static void note_rules(struct bestdag_plan *plan)
{
    char *text = plan->knowledge
                     ? bestdag_rules_noted(plan->run, plan->knowledge->rules)
                     : NULL;
    note(plan, "rules", text);
    bestdag_free(text);
}

static int describe_plan(struct bestdag_plan *plan,
                         const struct bestdag_options *options,
                         const struct bestdag_strategy *strategy)
{
    const struct bestdag_scorer *s = plan->scorer;
    char hex[BESTDAG_SHA256_HEX];
    for (int v = 0; v < plan->n; v++) {
        plan->sets->names[v] =
            bestdag_strdup(plan->run, s->table->column[v].name);
        if (!plan->sets->names[v])
            return BESTDAG_MEMORY;
    }
    note(plan, "score", s->type->name);
    note_given(plan, options);
    note(plan, "parents", strategy->name);
    note_number(plan, "rows", (double)s->total);
    if (bestdag_hole_use_name(s->table->use))
        note(plan, "missing", bestdag_hole_use_name(s->table->use));
    if (plan->max_parents >= 0)
        note_number(plan, "max-parents", plan->max_parents);
    note(plan, "pruning", plan->prune ? "yes" : "no");
    note_rules(plan);
    if (!bestdag_table_digest_unstopped(plan->run, s->table, hex))
        note(plan, "data", hex);
    return bestdag_run_status(plan->run);
}

/* ---- choosing ---- */

/* Under rules there are fewer families. */
static void lower_cost(const struct bestdag_plan *plan,
                       struct bestdag_cost *cost)
{
    const struct bestdag_knowledge *k = plan->knowledge;
    double sum = 0;
    int parents = 0;
    for (int v = 0; v < plan->n; v++) {
        int allowed = 0, required = 0;
        int limit = bestdag_plan_limit(plan, v);
        for (int u = 0; u < plan->n; u++)
            if (bestdag_knowledge_requires(k, v, u))
                required++;
            else if (bestdag_knowledge_allows(k, v, u))
                allowed += plan->scorer->states[u] > 1;
        if (allowed > cost->candidates)
            allowed = cost->candidates;
        if (limit < 0 || limit - required > cost->parents)
            limit = cost->parents + required;
        double sets = bestdag_cost_sets(allowed, limit - required);
        double must = bestdag_ruled_lists_sets(plan, v);
        sum += sets > must ? sets : must;
        if (limit > allowed + required)
            limit = allowed + required;
        parents = limit > parents ? limit : parents;
    }
    cost->work *= cost->families > 0 ? sum / cost->families : 1;
    cost->families = sum;
    cost->parents = parents;
    cost->limited = false;
}

static const struct bestdag_strategy *choose(
    struct bestdag_plan *plan, const struct bestdag_options *options)
{
    char families[32];
    const char *name =
        bestdag_option_value(options, &bestdag_parents_options, "parents").text;
    if (strcmp(name, "auto") != 0)
        return named(name);
    struct bestdag_cost cost = bestdag_cost_of(plan->scorer->table, options);
    if (plan->knowledge)
        lower_cost(plan, &cost);
    bool few = cost.work <= BESTDAG_FEW_FAMILIES;
    snprintf(families, sizeof families, cost.families < 1e7 ? "%.0f" : "%.2g",
             cost.families);
    bestdag_note(plan->run, 0,
                 "candidate sets by %s: %s%s possible, of up to %d parents",
                 few ? "sequential" : "independence selection",
                 cost.limited ? "" : "at most ", families, cost.parents);
    return named(few ? "sequential" : "independence");
}

/* Nothing is pruned with such a score: without a limit there are 2^n sets. */
static int refuse_endless(struct bestdag_plan *plan)
{
    const struct bestdag_score_type *type = plan->scorer->type;
    if (!type->never_falls || plan->max_parents >= 0 || plan->n <= ENDLESS)
        return BESTDAG_OK;
    return bestdag_fail(plan->run, BESTDAG_USAGE,
                        "score %s grows with every parent and cannot be "
                        "pruned: set max-parents for %d variables",
                        type->name, plan->n);
}

static void note_constants(struct bestdag_plan *plan)
{
    const struct bestdag_table *t = plan->scorer->table;
    int count = 0, first = 0;
    for (int v = 0; v < plan->n; v++)
        if (plan->scorer->states[v] < 2 && !count++)
            first = v;
    if (count == 1)
        bestdag_note(plan->run, 0, "column '%s' is constant: it gets no arcs",
                     t->column[first].name);
    else if (count)
        bestdag_note(plan->run, 0,
                     "%d columns, '%s' first, are constant: they get no arcs",
                     count, t->column[first].name);
}

/* ---- finding ---- */

/* Lists the parents that the rules require in to[n]; returns their number, -1:
 * they break a rule by themselves. */
static int required_of(const struct bestdag_plan *plan, int child, int *to)
{
    const struct bestdag_knowledge *k = plan->knowledge;
    int count = 0;
    for (int u = 0; k && u < plan->n; u++)
        if (bestdag_knowledge_requires(k, child, u))
            to[count++] = u;
    if (k && !bestdag_knowledge_local(k, child, to, count))
        return -1;
    return plan->max_parents >= 0 && count > plan->max_parents ? -1 : count;
}

/* Data for filling missing lists. */
struct filler {
    struct bestdag_scorer_scratch *scratch; /* owns */
    struct bestdag_collector *collector;    /* owns */
    int *set;                               /* owns; [n] */
};

static int fill(struct bestdag_plan *plan, const struct filler *f, int v)
{
    struct bestdag_family family;
    struct bestdag_list *list = &plan->sets->list[v];
    int count = required_of(plan, v, f->set);
    if (count >= 0) {
        if (bestdag_scorer_family(plan->scorer, f->scratch, v, f->set, count,
                                  &family))
            return bestdag_run_status(plan->run);
        plan->sets->scored++;
        if (!bestdag_scorer_lacks(plan->scorer, v, family.score) &&
            bestdag_collector_add(
                f->collector, f->set, count,
                bestdag_scorer_nats(plan->scorer, family.score)))
            return bestdag_run_status(plan->run);
    }
    list->max_parents = plan->max_parents;
    list->ceiling = INFINITY;
    return bestdag_collector_finish(f->collector, true, list);
}

/* Gives a variable that was not reached the smallest set that the rules allow,
 * if it is easily found; its ceiling is unknown. */
static int fill_rest(struct bestdag_plan *plan)
{
    struct filler f = {.scratch = NULL};
    int status = BESTDAG_OK;
    for (int v = 0; v < plan->n && !status; v++) {
        if (plan->sets->list[v].count || plan->is_done[v])
            continue;
        if (!f.scratch) {
            f.scratch = bestdag_scorer_scratch_new(plan->run, plan->scorer);
            f.collector = bestdag_collector_new(plan->run);
            f.set = bestdag_alloc(plan->run, (size_t)plan->n * sizeof *f.set);
        }
        status = f.scratch && f.collector && f.set
                     ? fill(plan, &f, v)
                     : bestdag_run_status(plan->run);
    }
    bestdag_free(f.set);
    bestdag_collector_free(f.collector);
    bestdag_scorer_scratch_free(f.scratch);
    return status;
}

static void pass_lists(void *state, struct bestdag_archive *p)
{
    struct bestdag_plan *plan = state;
    BESTDAG_PASS(p, plan->sets->scored);
    BESTDAG_PASS(p, plan->sets->ending);
    for (int v = 0; v < plan->n; v++) {
        if (bestdag_archive_opens(p))
            bestdag_list_release(&plan->sets->list[v]);
        bestdag_list_pass(plan->run, &plan->sets->list[v], p);
    }
}

/* Lists cut by the clock may differ between ranks: those of rank 0 hold. */
static int share_cut(struct bestdag_plan *plan)
{
    const uint64_t cut = 0x637574;
    if (bestdag_collective_decide(plan->run, cut,
                                  plan->sets->ending != BESTDAG_ENDED))
        bestdag_collective_broadcast(plan->run, cut, pass_lists, plan);
    return bestdag_run_status(plan->run);
}

static int find(struct bestdag_plan *plan,
                const struct bestdag_options *options)
{
    struct bestdag_run *run = plan->run;
    if (make_plan(plan, options) || bestdag_plan_limits(plan) ||
        refuse_endless(plan) || bestdag_trace_open(plan, options))
        return bestdag_run_status(run);
    note_constants(plan);
    const struct bestdag_strategy *strategy = choose(plan, options);
    plan->complete = strategy == &bestdag_strategy_sequential;
    if (describe_plan(plan, options, strategy) ||
        bestdag_candidate_parents_restrict(plan, options) ||
        bestdag_resume_file_open(plan, options) ||
        bestdag_resume_file_has_ended(plan->part))
        return bestdag_run_status(run);
    limit_work(plan, options);
    if (!bestdag_ruled_lists_find(plan) && !strategy->find(plan))
        plan->sets->ending = bestdag_run_ending(run);
    if (bestdag_run_status(run) || fill_rest(plan) || share_cut(plan))
        return bestdag_run_status(run);
    return bestdag_resume_file_end(plan);
}

/* is_first: notes about the columns were not printed yet. */
static struct bestdag_sets *find_sets(
    struct bestdag_run *run, const struct bestdag_table *table,
    const struct bestdag_rules *rules, const struct bestdag_options *options,
    const struct bestdag_likely_parents *likely,
    const struct bestdag_score_type *type, bool is_first)
{
    double start = bestdag_seconds();
    struct bestdag_knowledge_request demand = {
        .rules = rules, .able = ~0u, .user = "the search of parent sets"};
    struct bestdag_knowledge *k;
    if (bestdag_lacks(run, table, "table") ||
        bestdag_table_knowledge(run, table, demand, &k))
        return NULL;
    bestdag_table_warn(run, table);
    struct bestdag_scorer *scorer =
        type ? bestdag_scorer_of(run, table, type, options)
             : bestdag_scorer_new(run, table, options);
    if (scorer && is_first)
        bestdag_scorer_note(run, scorer);
    struct bestdag_plan plan = {
        .run = run, .scorer = scorer, .knowledge = k, .likely = likely};
    if (scorer && !bestdag_scorer_constrain(run, scorer, rules))
        plan.sets = bestdag_sets_new(run, scorer->n);
    if (plan.sets)
        find(&plan, options);
    bestdag_sink_close(plan.trace);
    release_plan(&plan);
    bestdag_scorer_free(scorer);
    bestdag_knowledge_free(k);
    if (bestdag_run_status(run)) {
        bestdag_sets_free(plan.sets);
        return NULL;
    }
    plan.sets->seconds_before = start - run->start;
    plan.sets->seconds = bestdag_seconds() - start;
    return plan.sets;
}

struct bestdag_sets *bestdag_sets_find(struct bestdag_run *run,
                                       const struct bestdag_table *table,
                                       const struct bestdag_rules *rules,
                                       const struct bestdag_options *options)
{
    return bestdag_parents_check(run, options)
               ? NULL
               : find_sets(run, table, rules, options, NULL, NULL, true);
}

struct bestdag_sets *bestdag_sets_find_likely(
    struct bestdag_run *run, const struct bestdag_table *table,
    const struct bestdag_rules *rules, const struct bestdag_options *options,
    const struct bestdag_likely_parents *likely,
    const struct bestdag_score_type *type)
{
    return find_sets(run, table, rules, options, likely, type, false);
}
