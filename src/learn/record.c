/* SPDX-License-Identifier: MIT */
/* record.c -- collects what a result records; one pass over the cells of the
 * table. */
#include "learn/record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/options.h"
#include "constraints/deduction/checker.h"
#include "constraints/deduction/mpdag.h"
#include "data/shards.h"
#include "data/table.h"
#include "learn/arc_strength.h"
#include "learn/result.h"
#include "learn/numbers.h"

/* ---- pairs of texts ------------------------------------------------------ */

static void free_texts(char **list, int count)
{
    for (int i = 0; list && i < count; i++)
        bestdag_free(list[i]);
    bestdag_free(list);
}

static int add_pair(struct bestdag_run *run, char ***list, int *count,
                    const char *key, const char *value)
{
    char **more =
        bestdag_realloc(run, *list, ((size_t)*count + 2) * sizeof *more);
    if (!more)
        return bestdag_run_status(run);
    *list = more;
    more[*count] = bestdag_strdup(run, key);
    more[*count + 1] = bestdag_strdup(run, value);
    *count += 2; /* freed with the rest, even if one is NULL */
    return bestdag_run_status(run);
}

int bestdag_run_record_note(struct bestdag_run *run,
                            struct bestdag_run_record *record, const char *key,
                            const char *value)
{
    for (int i = 0; i < record->notes; i += 2)
        if (!strcmp(record->note[i], key)) {
            char *copy = bestdag_strdup(run, value);
            if (!copy)
                return bestdag_run_status(run);
            bestdag_free(record->note[i + 1]);
            record->note[i + 1] = copy;
            return BESTDAG_OK;
        }
    return add_pair(run, &record->note, &record->notes, key, value);
}

const char *bestdag_record_noted(const struct bestdag_run_record *record,
                                 const char *key)
{
    for (int i = 0; record && i < record->notes; i += 2)
        if (!strcmp(record->note[i], key))
            return record->note[i + 1];
    return NULL;
}

static int record_settings(struct bestdag_run *run,
                           struct bestdag_run_record *s,
                           const struct bestdag_options *options)
{
    char name[128];
    const struct bestdag_option_entry *e;
    for (int i = 0; (e = bestdag_option_entry(options, i)); i++) {
        snprintf(name, sizeof name, "%s.%s", e->group, e->row->key);
        if (add_pair(run, &s->setting, &s->settings, name, e->text))
            return bestdag_run_status(run);
    }
    return BESTDAG_OK;
}

/* ---- progress ------------------------------------------------------------ */

/* Scores that differ by less are equal: a search adds up in its own units, the
 * final score is recomputed. */
static double slack_of(const struct bestdag_outcome *o)
{
    return 1e-9 * fabs(o->score) + 1e-6;
}

/* Drops points that are not about the whole network (of a component, or a bound
 * over lists that were replaced). No earlier point is better than the
 * result. */
static struct bestdag_point believe(struct bestdag_point p,
                                    const struct bestdag_outcome *o)
{
    double slack = slack_of(o);
    if (p.best > o->score + slack)
        p.best = (double)NAN;
    if (p.bound < o->score - slack || isnan(o->bound))
        p.bound = (double)NAN;
    if (p.best > o->score - slack)
        p.best = o->score;
    if (p.bound < o->bound + slack)
        p.bound = o->bound;
    return p;
}

/* Best never falls, bound never rises, and neither moves by rounding. */
static struct bestdag_point follow(struct bestdag_point last,
                                   struct bestdag_point p, double slack)
{
    p.best = fmax(p.best, last.best); /* NaN only if both are NaN */
    p.bound = fmin(p.bound, last.bound);
    if (p.best - last.best < slack)
        p.best = last.best;
    if (last.bound - p.bound < slack)
        p.bound = last.bound;
    return p;
}

static int record_progress(struct bestdag_run *run,
                           struct bestdag_run_record *s,
                           const struct bestdag_run_facts *facts)
{
    const struct bestdag_progress_log *c = run->progress_log;
    const struct bestdag_outcome *o = facts->outcome;
    int count = c ? c->count : 0;
    double now = bestdag_seconds() - run->start;
    struct bestdag_point last = {.best = (double)NAN, .bound = (double)NAN};
    s->point = bestdag_alloc(run, ((size_t)count + 1) * sizeof *s->point);
    if (!s->point)
        return bestdag_run_status(run);
    for (int i = 0; i <= count; i++) {
        struct bestdag_point p = {now - (facts->fit > 0 ? facts->fit : 0),
                                  o->score, o->bound};
        if (i < count)
            p = follow(last, believe(c->at[i], o), slack_of(o));
        s->point[s->points++] = last = p;
    }
    return BESTDAG_OK;
}

/* ---- the table ----------------------------------------------------------- */

/* Counts in four arrays: repeated additions to one place are slow. */
static void count_bytes(const struct bestdag_column *c, int64_t rows,
                        int64_t *count)
{
    const uint8_t *cell = c->cells;
    int64_t part[4][256] = {{0}}, r = 0;
    for (; r + 4 <= rows; r += 4)
        for (int i = 0; i < 4; i++)
            part[i][cell[r + i]]++;
    for (; r < rows; r++)
        part[0][cell[r]]++;
    for (int s = 0; s < c->states; s++)
        count[s] += part[0][s] + part[1][s] + part[2][s] + part[3][s];
}

static void count_column(const struct bestdag_table *t, int column,
                         int64_t *count)
{
    const struct bestdag_column *c = &t->column[column];
    if (c->bytes == 1 && !t->weights) {
        count_bytes(c, t->rows, count);
        return;
    }
    for (int64_t r = 0; r < t->rows && c->kind == BESTDAG_CODES; r++) {
        int code = bestdag_column_code(c, r);
        if (code >= 0)
            count[code] += t->weights ? t->weights[r] : 1;
    }
}

static int record_table(struct bestdag_run *run, struct bestdag_run_record *s,
                        const struct bestdag_table *t)
{
    size_t n = t ? (size_t)t->columns : 0;
    if (!t)
        return BESTDAG_OK;
    s->rows = t->rows;
    s->weight = t->weights ? t->total : t->rows;
    s->dropped = t->dropped;
    s->lacked = bestdag_calloc(run, n, sizeof *s->lacked);
    s->count_start = bestdag_calloc(run, n + 1, sizeof *s->count_start);
    for (size_t v = 0; s->count_start && v < n; v++)
        s->count_start[v + 1] = s->count_start[v] + t->column[v].states;
    if (s->count_start)
        s->count =
            bestdag_calloc(run, (size_t)s->count_start[n], sizeof *s->count);
    if (!s->lacked || !s->count)
        return bestdag_run_status(run);
    s->columns = t->columns;
    for (int v = 0; v < t->columns; v++) {
        struct bestdag_shard_request request = {.variables = &v, .count = 1};
        int64_t *to = s->count + s->count_start[v];
        s->lacked[v] = t->column[v].lacked;
        if (!t->shards)
            count_column(t, v, to);
        else if (bestdag_shards_count(run, t, &request, to))
            return bestdag_run_status(run);
    }
    if (t->holes && t->holes->columns == t->columns)
        s->holes = bestdag_hole_patterns_copy(run, t->holes);
    return bestdag_run_status(run);
}

/* ---- the rules ----------------------------------------------------------- */

static int record_rules(struct bestdag_run *run, struct bestdag_run_record *s,
                        const struct bestdag_run_facts *facts)
{
    int broken, count = bestdag_rules_count(facts->rules);
    if (!count)
        return BESTDAG_OK;
    s->rule = bestdag_calloc(run, (size_t)count, sizeof *s->rule);
    if (!s->rule || bestdag_rules_check(run, facts->rules,
                                        (const char *const *)facts->names,
                                        facts->outcome->dag, &broken))
        return bestdag_run_status(run);
    for (; s->rules < count; s->rules++) {
        const struct bestdag_rule *rule = &facts->rules->rule[s->rules];
        struct bestdag_reported_rule *to = &s->rule[s->rules];
        char place[128] = "";
        if (rule->file)
            bestdag_rule_place(rule, place);
        to->place = bestdag_strdup(run, place);
        to->text = bestdag_strdup(run, rule->text ? rule->text : "");
        to->is_met = broken < 0 || s->rules < broken;
        to->has_parameters = bestdag_rule_has_parameters(rule);
        to->is_in_labels = bestdag_mpdag_considers(rule);
    }
    return bestdag_run_status(run);
}

/* ---- the record ---------------------------------------------------------- */

static int weigh_arcs(struct bestdag_run *run, struct bestdag_run_record *s,
                      const struct bestdag_run_facts *facts)
{
    const struct bestdag_dag *dag = facts->outcome->dag;
    const struct bestdag_scorer *scorer = facts->task->scorer;
    if (bestdag_mpdag_label(run, dag, facts->task->knowledge, &s->labels) ||
        bestdag_numbers_label(run, scorer ? scorer->table : NULL, dag,
                              &s->labels))
        return bestdag_run_status(run);
    s->lost = bestdag_alloc(run, ((size_t)s->labels.start[dag->n] + 1) *
                                     sizeof *s->lost);
    return s->lost ? bestdag_strength_measure(facts->task, dag, s->labels.start,
                                              s->lost)
                   : bestdag_run_status(run);
}

static int record_all(struct bestdag_run *run, struct bestdag_run_record *s,
                      const struct bestdag_run_facts *facts)
{
    const char *hash =
        facts->sets ? bestdag_sets_noted(facts->sets, "data") : NULL;
    s->begun = (int64_t)time(NULL) - (int64_t)(bestdag_seconds() - run->start);
    if (record_progress(run, s, facts) || weigh_arcs(run, s, facts) ||
        record_table(run, s, facts->table) || record_rules(run, s, facts) ||
        record_settings(run, s, facts->task->options))
        return bestdag_run_status(run);
    return hash ? bestdag_run_record_note(run, s, "data_sha256", hash)
                : BESTDAG_OK;
}

struct bestdag_run_record *bestdag_run_record_new(
    struct bestdag_run *run, const struct bestdag_run_facts *facts)
{
    struct bestdag_run_record *s = bestdag_calloc(run, 1, sizeof *s);
    if (s && !record_all(run, s, facts))
        return s;
    bestdag_run_record_free(s);
    return NULL;
}

void bestdag_run_record_free(struct bestdag_run_record *record)
{
    if (!record)
        return;
    for (int i = 0; i < record->rules; i++) {
        bestdag_free(record->rule[i].place);
        bestdag_free(record->rule[i].text);
    }
    bestdag_free(record->rule);
    bestdag_cpdag_release(&record->labels);
    bestdag_free(record->lost);
    bestdag_free(record->point);
    bestdag_free(record->lacked);
    bestdag_free(record->count_start);
    bestdag_free(record->count);
    bestdag_hole_patterns_free(record->holes);
    free_texts(record->setting, record->settings);
    free_texts(record->note, record->notes);
    bestdag_free(record);
}
