/* SPDX-License-Identifier: MIT */
/* result.c -- writes the report of a search and looks up its fields.
 *
 * The report is JSON text, written once; fields are looked up in the parsed
 * text, so that library and command agree. */
#include "learn/result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "data/check/warnings.h"
#include "learn/structural_em.h"

/* ---- writing ------------------------------------------------------------- */

static void add_arcs(struct bestdag_json_writer *w,
                     const struct bestdag_run_facts *facts)
{
    const struct bestdag_dag *dag = facts->outcome->dag;
    bestdag_json_open(w, "arcs", '[');
    for (int v = 0; v < dag->n; v++)
        for (int i = 0; i < dag->parents[v].count; i++) {
            bestdag_json_open(w, NULL, '[');
            bestdag_json_add_text(w, NULL, facts->names[dag->parents[v].at[i]]);
            bestdag_json_add_text(w, NULL, facts->names[v]);
            bestdag_json_close(w, ']');
        }
    bestdag_json_close(w, ']');
}

/* Arc strengths; see record.h. */
static void add_strengths(struct bestdag_json_writer *w,
                          const struct bestdag_run_facts *facts,
                          const struct bestdag_run_record *record)
{
    const struct bestdag_dag *dag = facts->outcome->dag;
    bestdag_json_open(w, "strengths", '[');
    for (int v = 0; v < dag->n; v++)
        for (int i = 0; i < dag->parents[v].count; i++) {
            int64_t arc = record->labels.start[v] + i;
            bestdag_json_open(w, NULL, '{');
            bestdag_json_add_text(w, "from",
                                  facts->names[dag->parents[v].at[i]]);
            bestdag_json_add_text(w, "to", facts->names[v]);
            bestdag_json_add_number(w, "lost", record->lost[arc]);
            bestdag_json_add_bool(w, "compelled",
                                  record->labels.compelled[arc]);
            bestdag_json_close(w, '}');
        }
    bestdag_json_close(w, ']');
}

/* Rules that the labels ignore, so that an arc called reversible may be
 * compelled; no field if there are none. */
static void add_ignored(struct bestdag_json_writer *w,
                        const struct bestdag_run_record *record)
{
    int ignored = 0;
    for (int i = 0; i < record->rules; i++)
        ignored += !record->rule[i].is_in_labels;
    if (!ignored)
        return;
    bestdag_json_open(w, "reversible_ignores", '[');
    for (int i = 0; i < record->rules; i++)
        if (!record->rule[i].is_in_labels)
            bestdag_json_add_text(w, NULL, record->rule[i].text);
    bestdag_json_close(w, ']');
}

static void add_proof(struct bestdag_json_writer *w,
                      const struct bestdag_run_facts *facts)
{
    const struct bestdag_outcome *o = facts->outcome;
    char scope[64];
    bestdag_json_add_text(w, "status", o->status);
    if (o->reason[0])
        bestdag_json_add_text(w, "reason", o->reason);
    bestdag_json_add_number(w, "score", o->score);
    bestdag_json_add_number(w, "bound", o->bound);
    bestdag_json_add_number(w, "gap", o->gap);
    if (!isnan(o->global_bound))
        bestdag_json_add_number(w, "global_bound", o->global_bound);
    bool proved = facts->sets && !strcmp(o->status, "optimal");
    if (proved)
        bestdag_sets_scope(facts->sets, scope);
    bestdag_json_add_text(w, "proved_over", proved ? scope : NULL);
}

/* null: not known. */
static void add_count(struct bestdag_json_writer *w, const char *key,
                      int64_t count)
{
    bestdag_json_add_number(w, key, count >= 0 ? (double)count : (double)NAN);
}

static void add_work(struct bestdag_json_writer *w,
                     const struct bestdag_run_facts *facts)
{
    const struct bestdag_outcome *o = facts->outcome;
    const struct bestdag_sets *sets = facts->sets;
    bestdag_json_add_text(w, "score_name", facts->score_name);
    bestdag_json_add_text(w, "solver", facts->task->solver->name);
    bestdag_json_add_text(w, "parents",
                          sets ? bestdag_sets_noted(sets, "parents") : NULL);
    add_count(w, "parent_sets", sets ? bestdag_sets_total(sets) : -1);
    add_count(w, "scores_computed", sets && sets->scored ? sets->scored : -1);
    bestdag_json_add_integer(w, "steps", o->steps);
    bestdag_json_add_integer(w, "restarts", o->restarts);
    bestdag_json_add_integer(w, "variables", o->dag->n);
    add_count(w, "rows", facts->rows);
}

/* What score, bound and proof refer to if values were missing. */
static void add_em(struct bestdag_json_writer *w,
                   const struct bestdag_structural_em *em,
                   const struct bestdag_network *network)
{
    const char *noted = bestdag_network_noted(network, "em_log_likelihood");
    double ln;
    if (!noted || !bestdag_number_parse(noted, strlen(noted), &ln))
        ln = (double)NAN;
    bestdag_json_open(w, "em", '{');
    bestdag_json_add_text(w, "score_of",
                          em->has_problem
                              ? "the table as the last network completed it"
                              : "a start: no completed table was searched");
    bestdag_json_add_number(w, "log_likelihood", ln);
    bestdag_json_add_number(w, "observed_score", ln - em->penalty);
    bestdag_json_add_text(w, "start", em->start);
    bestdag_json_add_integer(w, "starts", em->starts);
    bestdag_json_add_integer(w, "completed_tables", em->problems);
    bestdag_json_add_bool(w, "converged", em->has_converged);
    bestdag_json_add_integer(w, "rows_incomplete", em->incomplete);
    bestdag_json_add_integer(w, "rows_by_junction_tree", em->large);
    bestdag_json_close(w, '}');
}

static void add_cost(struct bestdag_json_writer *w, struct bestdag_run *run,
                     const struct bestdag_run_facts *facts)
{
    bestdag_json_open(w, "seconds", '{');
    bestdag_json_add_number(w, "read", facts->read);
    bestdag_json_add_number(w, "score", facts->score);
    bestdag_json_add_number(w, "solve", facts->outcome->seconds);
    bestdag_json_add_number(w, "best", facts->outcome->found);
    bestdag_json_add_number(w, "fit", facts->fit);
    bestdag_json_add_number(w, "total", bestdag_seconds() - run->start);
    bestdag_json_close(w, '}');
    bestdag_json_add_run(w, run);
}

static char *write_report(struct bestdag_run *run,
                          const struct bestdag_run_facts *facts,
                          const struct bestdag_run_record *record,
                          const struct bestdag_network *network)
{
    const char *unfitted = bestdag_network_noted(network, "unfitted");
    struct bestdag_json_writer w = {.out.run = run};
    bestdag_json_open(&w, NULL, '{');
    add_proof(&w, facts);
    add_work(&w, facts);
    if (facts->em)
        add_em(&w, facts->em, network);
    add_arcs(&w, facts);
    if (record) {
        add_strengths(&w, facts, record);
        add_ignored(&w, record);
    }
    if (unfitted)
        bestdag_json_add_text(&w, "unfitted", unfitted);
    if (facts->table)
        bestdag_warnings_write(run, facts->table, &w);
    add_cost(&w, run, facts);
    bestdag_json_close(&w, '}');
    return bestdag_json_take(&w);
}

void bestdag_result_free(struct bestdag_result *r)
{
    if (!r)
        return;
    bestdag_network_free(r->network);
    bestdag_run_record_free(r->record);
    bestdag_text_free(r->text);
    bestdag_json_free(r->report);
    bestdag_free(r->strength);
    bestdag_free(r);
}

/* ---- provenance ---------------------------------------------------------- */

/* Notes in the network the fields of the report that do not depend on the
 * clock. */
static int note_origin(struct bestdag_run *run, struct bestdag_result *r)
{
    static const char *const keys[] = {
        "score_name",  "score",     "bound",     "status",
        "em.score_of", "solver",    "parents",   "proved_over",
        "seed",        "resamples", "threshold", "directions"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char number[BESTDAG_NUMBER_ROOM] = "";
        const char *text = bestdag_result_text(r, keys[i]);
        double x = bestdag_result_number(r, keys[i]);
        if (!text && isnan(x))
            continue;
        if (!text)
            bestdag_number_format(x, number);
        const char *dot = strrchr(keys[i], '.');
        if (bestdag_network_note(run, r->network, dot ? dot + 1 : keys[i],
                                 text ? text : number))
            return bestdag_run_status(run);
    }
    return BESTDAG_OK;
}

struct bestdag_result *bestdag_result_of(struct bestdag_run *run, char *report,
                                         struct bestdag_network *network)
{
    struct bestdag_result *r =
        report && network ? bestdag_calloc(run, 1, sizeof *r) : NULL;
    if (!r) {
        bestdag_network_free(network);
        bestdag_text_free(report);
        return NULL;
    }
    r->network = network;
    network->is_answer = true;
    r->text = report;
    r->report = bestdag_json_read(run, r->text);
    if (r->report && !note_origin(run, r))
        return r;
    bestdag_result_free(r);
    return NULL;
}

struct bestdag_result *bestdag_result_new(struct bestdag_run *run,
                                          const struct bestdag_run_facts *facts,
                                          struct bestdag_network *network)
{
    struct bestdag_run_record *record =
        facts->is_brief ? NULL : bestdag_run_record_new(run, facts);
    char *report = record || facts->is_brief
                       ? write_report(run, facts, record, network)
                       : NULL;
    struct bestdag_result *r = bestdag_result_of(run, report, network);
    if (r)
        r->record = record;
    else
        bestdag_run_record_free(record);
    return r;
}

/* ---- strengths ----------------------------------------------------------- */

void bestdag_result_take_strengths(struct bestdag_result *r,
                                   struct bestdag_strength *strengths,
                                   int64_t count)
{
    bestdag_free(r->strength);
    r->strength = strengths;
    r->strengths = count;
}

int64_t bestdag_result_strengths(const struct bestdag_result *r)
{
    return r ? r->strengths : 0;
}

int bestdag_result_strength(const struct bestdag_result *r, int64_t index,
                            int *from, int *to, double *strength,
                            double *direction)
{
    if (!r || index < 0 || index >= r->strengths)
        return 0;
    *from = r->strength[index].from;
    *to = r->strength[index].to;
    *strength = r->strength[index].strength;
    *direction = r->strength[index].direction;
    return 1;
}

/* ---- looking up ---------------------------------------------------------- */

/* "seconds.solve" is the member "solve" of "seconds". */
static const struct bestdag_json *find(const struct bestdag_result *r,
                                       const char *field)
{
    char key[64];
    const struct bestdag_json *at = r ? r->report : NULL;
    while (at && field && *field) {
        size_t n = strcspn(field, ".");
        snprintf(key, sizeof key, "%.*s", (int)n, field);
        at = bestdag_json_get(at, key);
        field += n + (field[n] == '.');
    }
    return field ? at : NULL;
}

double bestdag_result_number(const struct bestdag_result *r, const char *field)
{
    return bestdag_json_number(find(r, field));
}

const char *bestdag_result_text(const struct bestdag_result *r,
                                const char *field)
{
    return bestdag_json_text(find(r, field));
}

char *bestdag_result_json(struct bestdag_run *run,
                          const struct bestdag_result *r)
{
    return bestdag_lacks(run, r, "result") ? NULL
                                           : bestdag_strdup(run, r->text);
}

const struct bestdag_network *bestdag_result_network(
    const struct bestdag_result *r)
{
    return r ? r->network : NULL;
}

int bestdag_result_note(struct bestdag_run *run, struct bestdag_result *r,
                        const char *key, const char *value)
{
    if (bestdag_lacks(run, r, "result"))
        return bestdag_run_status(run);
    if (!key || !value)
        return bestdag_fail(run, BESTDAG_USAGE, "a note needs key and value");
    if (!r->record)
        return BESTDAG_OK; /* it would never be shown */
    return bestdag_run_record_note(run, r->record, key, value);
}
