/* SPDX-License-Identifier: MIT */
/* conflict.c -- an irreducible set of rules that contradict each other, and how
 * it is reported. */
#include "constraints/deduction/conflict.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "constraints/deduction/compile.h"

/* ---- units: what is removed or stays as one
 * ----------------------------------------- */

/* Numbers the unit of each rule; returns how many there are; -1: failed. */
static int make_units(const struct bestdag_rules *rules, int *unit)
{
    int count = 0, allow = -1;
    for (int i = 0; i < rules->count; i++) {
        const struct bestdag_rule *rule = &rules->rule[i];
        bool same = i && rule->file && rule->file == rule[-1].file &&
                    rule->line == rule[-1].line;
        if (rule->kind == BESTDAG_RULE_ALLOW) {
            if (allow < 0)
                allow = count++;
            unit[i] = allow;
        } else
            unit[i] = same ? unit[i - 1] : count++;
    }
    return count;
}

/* ---- the filter
 * ---------------------------------------------------------------- */

struct filter {
    const struct bestdag_rules *rules;
    bestdag_satisfiable_fn *satisfiable;
    void *user;
    int *unit;    /* owns; [rules] */
    bool *in;     /* owns; [units]: is it left? */
    int *left;    /* owns; the units that are left, ascending */
    int units;    /* of them */
    bool *chosen; /* [rules] */
    bool sure;
};

static enum bestdag_satisfiability ask(struct filter *f)
{
    for (int i = 0; i < f->rules->count; i++)
        f->chosen[i] = f->in[f->unit[i]];
    return f->satisfiable(f->user, f->chosen);
}

static void put(struct filter *f, int from, int to, bool in)
{
    for (int i = from; i < to; i++)
        f->in[f->left[i]] = in;
}

/* Tries to remove `size` units at a time, the last first. */
static void sweep(struct filter *f, int size)
{
    for (int to = f->units, from; to > 0; to = from) {
        from = to > size ? to - size : 0;
        put(f, from, to, false);
        enum bestdag_satisfiability answer = ask(f);
        if (answer == BESTDAG_NO) {
            memmove(f->left + from, f->left + to,
                    (size_t)(f->units - to) * sizeof *f->left);
            f->units -= to - from;
            continue;
        }
        put(f, from, to, true);
        if (size == 1 && answer == BESTDAG_UNKNOWN)
            f->sure = false;
    }
}

static void filter(struct filter *f)
{
    int units = make_units(f->rules, f->unit);
    for (int i = 0; i < f->rules->count; i++)
        f->in[f->unit[i]] |= f->chosen[i];
    for (int u = 0; u < units; u++)
        if (f->in[u])
            f->left[f->units++] = u;
    for (int size = f->units / 2; size > 1; size /= 2)
        sweep(f, size);
    sweep(f, 1);
    for (int i = 0; i < f->rules->count; i++)
        f->chosen[i] = f->in[f->unit[i]];
}

int bestdag_conflict_reduce(struct bestdag_run *run,
                            const struct bestdag_rules *rules,
                            bestdag_satisfiable_fn *satisfiable, void *user,
                            bool *chosen, bool *irreducible)
{
    size_t count = (size_t)rules->count + 1;
    struct filter f = {.rules = rules,
                       .satisfiable = satisfiable,
                       .user = user,
                       .chosen = chosen,
                       .sure = true};
    f.unit = bestdag_calloc(run, count, sizeof *f.unit);
    f.in = bestdag_calloc(run, count, sizeof *f.in);
    f.left = bestdag_calloc(run, count, sizeof *f.left);
    *irreducible = false;
    if (f.unit && f.in && f.left) {
        filter(&f);
        *irreducible = f.sure;
    }
    bestdag_free(f.unit);
    bestdag_free(f.in);
    bestdag_free(f.left);
    return bestdag_run_status(run);
}

/* ---- the text
 * -------------------------------------------------------------------- */

enum { MOST_NAMED = 20 };

struct listing {
    struct bestdag_buffer b;
    const struct bestdag_rules *rules;
    const bool *chosen;
    int rule; /* the last one that was named; -1: none */
    int named, units;
};

/* The next chosen rule behind i that has a place of its own; -1: none. */
static int next_chosen(const struct listing *t, int i)
{
    const struct bestdag_rule *before = i < 0 ? NULL : &t->rules->rule[i];
    for (i++; i < t->rules->count; i++) {
        const struct bestdag_rule *rule = &t->rules->rule[i];
        bool same = before && rule->file && rule->file == before->file &&
                    rule->line == before->line;
        if (t->chosen[i] && !same)
            return i;
    }
    return -1;
}

static bool same_file(const struct listing *t, int i, int j)
{
    const struct bestdag_rule *rule = t->rules->rule;
    return rule[i].file && rule[i].file == rule[j].file;
}

/* Do no rules of another file follow rule i? */
static bool is_last_file(const struct listing *t, int i)
{
    int next = next_chosen(t, i);
    while (next >= 0 && same_file(t, i, next))
        next = next_chosen(t, next);
    return next < 0;
}

/* " of expert.rules", where another file follows, or none. */
static void end_file(struct listing *t, int next)
{
    const char *file = t->rules->rule[t->rule].file;
    if (file && (next < 0 || t->rules->rule[next].file != file))
        bestdag_buffer_format(&t->b, " of %s", file);
}

/* "lines 2, 5 and 8 of a.rules, line 3 of b.rules and rule 'A -> B'" */
static void name_rule(struct listing *t, int i)
{
    const struct bestdag_rule *rule = &t->rules->rule[i];
    int next = next_chosen(t, i);
    bool again = t->rule >= 0 && same_file(t, t->rule, i);
    bool more = next >= 0 && same_file(t, i, next);
    bool last = again ? !more : is_last_file(t, i);
    char place[128];
    if (t->rule >= 0) {
        end_file(t, i);
        bestdag_buffer_text(&t->b, last ? " and " : ", ");
    }
    if (!rule->file)
        bestdag_buffer_text(&t->b, bestdag_rule_place(rule, place));
    else if (again)
        bestdag_buffer_format(&t->b, "%d", rule->line);
    else
        bestdag_buffer_format(&t->b, "line%s %d", more ? "s" : "", rule->line);
    t->rule = i;
    t->named++;
}

static void name_rest(struct listing *t, bool irreducible)
{
    static const char *const number[] = {"",      "each", "two", "three",
                                         "four",  "five", "six", "seven",
                                         "eight", "nine"};
    if (t->named > 1)
        bestdag_buffer_text(&t->b, " together");
    if (!irreducible || t->units < 2)
        return;
    if (t->units == 2)
        bestdag_buffer_text(&t->b, " (each of them can be satisfied)");
    else if (t->units <= 10)
        bestdag_buffer_format(&t->b, " (any %s of them can be satisfied)",
                              number[t->units - 1]);
    else
        bestdag_buffer_format(&t->b, " (any %d of them can be satisfied)",
                              t->units - 1);
}

static int count_units(struct bestdag_run *run,
                       const struct bestdag_rules *rules, const bool *chosen)
{
    int *unit = bestdag_calloc(run, (size_t)rules->count + 1, sizeof *unit);
    bool *in = bestdag_calloc(run, (size_t)rules->count + 1, sizeof *in);
    int count = 0;
    if (unit && in) {
        make_units(rules, unit);
        for (int i = 0; i < rules->count; i++)
            if (chosen[i] && !in[unit[i]]) {
                in[unit[i]] = true;
                count++;
            }
    }
    bestdag_free(in);
    bestdag_free(unit);
    return count;
}

char *bestdag_conflict_text(struct bestdag_run *run,
                            const struct bestdag_rules *rules,
                            const bool *chosen, bool irreducible)
{
    struct listing t = {.b = {.run = run},
                        .rules = rules,
                        .chosen = chosen,
                        .rule = -1,
                        .units = count_units(run, rules, chosen)};
    int left = 0;
    bestdag_buffer_text(&t.b, "no network satisfies ");
    for (int i = next_chosen(&t, -1); i >= 0; i = next_chosen(&t, i)) {
        if (t.named < MOST_NAMED)
            name_rule(&t, i);
        else
            left++;
    }
    if (t.rule >= 0)
        end_file(&t, -1);
    if (left)
        bestdag_buffer_format(&t.b, " and %d more", left);
    name_rest(&t, irreducible);
    return bestdag_buffer_take(&t.b);
}

/* ---- rules without a network
 * ------------------------------------------------------ */

struct asker {
    struct bestdag_run *run;
    struct bestdag_knowledge_query question;
};

static enum bestdag_satisfiability ask_search(void *user, const bool *chosen)
{
    struct asker *a = user;
    a->question.chosen = chosen;
    return bestdag_rules_satisfiable(a->run, &a->question);
}

/* Can they be satisfied if nothing is assumed? */
static bool lacks_nothing_else(struct asker *a, const bool *chosen)
{
    a->question.assumptions = 0;
    return ask_search(a, chosen) == BESTDAG_YES;
}

int bestdag_rules_need_network(struct bestdag_run *run,
                               const struct bestdag_knowledge_query *question,
                               const char *reason)
{
    const struct bestdag_rules *rules = question->rules;
    struct asker a = {run, *question};
    bool irreducible;
    if (bestdag_rules_satisfiable(run, &a.question) != BESTDAG_NO)
        return bestdag_run_status(run);
    bool *chosen = bestdag_alloc(run, (size_t)rules->count + 1);
    if (!chosen)
        return bestdag_run_status(run);
    memset(chosen, 1, (size_t)rules->count);
    int status = bestdag_conflict_reduce(run, rules, ask_search, &a, chosen,
                                         &irreducible);
    char *text =
        status ? NULL : bestdag_conflict_text(run, rules, chosen, irreducible);
    if (!text || !reason || !lacks_nothing_else(&a, chosen))
        reason = NULL;
    if (text)
        bestdag_fail(run, BESTDAG_INFEASIBLE, "%s%s%s", text,
                     reason ? ": " : "", reason ? reason : "");
    bestdag_free(text);
    bestdag_free(chosen);
    return bestdag_run_status(run);
}
