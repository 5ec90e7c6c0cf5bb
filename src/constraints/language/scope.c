/* SPDX-License-Identifier: MIT */
/* scope.c -- applies rules to variables. */
#include "constraints/language/scope.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* ---- names --------------------------------------------------------------- */

static uint32_t hash(const char *text)
{
    uint32_t h = 2166136261u;
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 16777619u;
    return h ^ h >> 15;
}

int bestdag_scope_init(struct bestdag_run *run,
                       struct bestdag_rule_scope *scope,
                       const char *const *names, int n)
{
    int buckets = 8;
    *scope = (struct bestdag_rule_scope){.n = n, .names = names};
    while (buckets < 2 * n)
        buckets *= 2;
    scope->bucket = bestdag_alloc(run, (size_t)buckets * sizeof(int32_t));
    if (!scope->bucket)
        return bestdag_run_status(run);
    scope->buckets = buckets;
    memset(scope->bucket, -1, (size_t)buckets * sizeof(int32_t));
    for (int v = 0; v < n; v++) {
        uint32_t i = hash(names[v]);
        while (scope->bucket[i & (uint32_t)(buckets - 1)] >= 0)
            i++;
        scope->bucket[i & (uint32_t)(buckets - 1)] = v;
    }
    return BESTDAG_OK;
}

void bestdag_scope_release(struct bestdag_rule_scope *scope)
{
    bestdag_free(scope->bucket);
    scope->bucket = NULL;
}

/* The variable of this name; -1: none. */
static int find_name(const struct bestdag_rule_scope *scope, const char *name)
{
    for (uint32_t i = hash(name);; i++) {
        int v = scope->bucket[i & (uint32_t)(scope->buckets - 1)];
        if (v < 0 || !strcmp(scope->names[v], name))
            return v;
    }
}

/* The only variable that has this name if its blanks are made periods. */
static int find_dotted(const struct bestdag_rule_scope *scope, const char *name)
{
    int found = -1;
    for (int v = 0; v < scope->n; v++) {
        const char *a = name, *b = scope->names[v];
        while (*a && (*a == *b || (*a == '.' && *b == ' '))) {
            a++;
            b++;
        }
        if (!*a && !*b) {
            if (found >= 0)
                return -1;
            found = v;
        }
    }
    return found;
}

int bestdag_scope_name(const struct bestdag_rule_scope *scope,
                       const struct bestdag_rule *rule,
                       const struct bestdag_rule_word *word)
{
    if (word->placeholder >= 0)
        return ~word->placeholder;
    int v = find_name(scope, word->text);
    return v < 0 && rule->dotted ? find_dotted(scope, word->text) : v;
}

/* ---- does it make sense? ------------------------------------------------- */

struct check {
    struct bestdag_run *run;
    const struct bestdag_rule_scope *scope;
    const struct bestdag_rule *rule;
    unsigned used; /* bits of placeholders */
    int *tier;     /* owns; [n]: scratch */
};

static int unknown(struct check *c, const struct bestdag_rule_word *word)
{
    char suggestion[128];
    const char *nearest = bestdag_nearest(word->text, bestdag_name_of_list,
                                          c->scope->names, c->scope->n);
    return bestdag_rule_fail(c->run, c->rule, word, "unknown variable '%s'%s",
                             word->text, bestdag_suggest(suggestion, nearest));
}

static int check_word(struct check *c, const struct bestdag_rule_word *word)
{
    if (word->placeholder >= 0) {
        c->used |= 1u << word->placeholder;
        return BESTDAG_OK;
    }
    return bestdag_scope_name(c->scope, c->rule, word) < 0 ? unknown(c, word)
                                                           : BESTDAG_OK;
}

static int check_words(struct check *c, const struct bestdag_rule_words *words)
{
    int status = BESTDAG_OK;
    for (int i = 0; i < words->count && !status; i++)
        status = check_word(c, &words->at[i]);
    return status;
}

static bool is_excepted(struct check *c, int v)
{
    const struct bestdag_rule_words *except = &c->rule->except;
    for (int i = 0; i < except->count; i++)
        if (bestdag_scope_name(c->scope, c->rule, &except->at[i]) == v)
            return true;
    return false;
}

/* Two names that must be of different variables, whatever the choice. */
static int check_pair(struct check *c, const struct bestdag_rule_word *a,
                      const struct bestdag_rule_word *b)
{
    int status = check_word(c, a);
    if (!status)
        status = check_word(c, b);
    if (status)
        return status;
    int x = bestdag_scope_name(c->scope, c->rule, a);
    int y = bestdag_scope_name(c->scope, c->rule, b);
    if (x == y)
        return bestdag_rule_fail(c->run, c->rule, b,
                                 "'%s' is named as both ends", b->text);
    int placeholder = x < 0 ? x : y, variable = x < 0 ? y : x;
    if (placeholder >= 0 || variable < 0 || is_excepted(c, variable))
        return BESTDAG_OK;
    return bestdag_rule_fail(
        c->run, c->rule, x < 0 ? a : b,
        "'%s' must not be '%s' itself here: add 'except %s' after 'for all'",
        c->rule->each.at[~placeholder].text, c->scope->names[variable],
        c->scope->names[variable]);
}

static int check_literal(struct check *c, const struct bestdag_literal *l)
{
    return l->b.text ? check_pair(c, &l->a, &l->b) : check_word(c, &l->a);
}

static int check_tier(struct check *c, int t)
{
    const struct bestdag_rule_words *names = &c->rule->tiers.at[t].names;
    int status = check_words(c, names);
    for (int i = 0; i < names->count && !status; i++) {
        int v = bestdag_scope_name(c->scope, c->rule, &names->at[i]);
        if (c->tier[v] && c->tier[v] != t + 1)
            status = bestdag_rule_fail(c->run, c->rule, &names->at[i],
                                       "'%s' is in tiers %d and %d",
                                       names->at[i].text, c->tier[v], t + 1);
        c->tier[v] = t + 1;
    }
    return status;
}

static int check_tiers(struct check *c)
{
    int status = BESTDAG_OK;
    if (!c->tier)
        c->tier = bestdag_alloc(c->run, (size_t)c->scope->n * sizeof(int));
    if (!c->tier)
        return bestdag_run_status(c->run);
    memset(c->tier, 0, (size_t)c->scope->n * sizeof(int));
    for (int t = 0; t < c->rule->tiers.count && !status; t++)
        status = check_tier(c, t);
    return status;
}

static int check_order(struct check *c)
{
    const struct bestdag_rule_words *order = &c->rule->order;
    int status = BESTDAG_OK;
    for (int i = 1; i < order->count && !status; i++)
        status = check_pair(c, &order->at[i - 1], &order->at[i]);
    return status;
}

static int check_arcs(struct check *c)
{
    int status = BESTDAG_OK;
    for (int i = 0; i < c->rule->arcs.count && !status; i++) {
        const struct bestdag_arc_block *b = &c->rule->arcs.at[i];
        if (b->from.count == 1 && b->to.count == 1)
            status = check_pair(c, b->from.at, b->to.at);
        else
            status = check_words(c, &b->from);
        if (!status)
            status = check_words(c, &b->to);
    }
    return status;
}

static int check_labels(struct check *c)
{
    const struct bestdag_rule_words *labels = &c->rule->states.labels;
    const char *twice = NULL;
    int status = check_word(c, &c->rule->states.name);
    const char **texts =
        bestdag_alloc(c->run, (size_t)labels->count * sizeof *texts);
    if (!texts)
        return bestdag_run_status(c->run);
    for (int i = 0; i < labels->count; i++)
        texts[i] = labels->at[i].text;
    if (!status)
        status = bestdag_text_twice(c->run, texts, labels->count, &twice);
    bestdag_free(texts);
    if (!status && twice)
        status = bestdag_rule_fail(c->run, c->rule, NULL,
                                   "state '%s' is repeated", twice);
    return status;
}

static int check_chance(struct check *c,
                        const struct bestdag_probability *chance)
{
    int status = check_word(c, &chance->child.name);
    for (int i = 0; i < chance->count && !status; i++)
        status = check_pair(c, &chance->given[i].name, &chance->child.name);
    return status;
}

static int check_linear(struct check *c)
{
    int status = BESTDAG_OK;
    for (int i = 0; i < c->rule->linear.count; i++)
        for (int j = 0; j < c->rule->linear.at[i].count && !status; j++)
            status = check_chance(c, &c->rule->linear.at[i].term[j].chance);
    return status;
}

static int check_quality(struct check *c)
{
    const struct bestdag_quality *q = &c->rule->quality;
    int status = BESTDAG_OK;
    for (int i = 0; i < q->parents && !status; i++)
        status = check_pair(c, &q->parent[i], &q->child);
    if (!status && q->parents == 2)
        status = check_pair(c, &q->parent[0], &q->parent[1]);
    return status;
}

static int check_body(struct check *c)
{
    const struct bestdag_rule *rule = c->rule;
    int status = BESTDAG_OK;
    switch (rule->kind) {
    case BESTDAG_RULE_CLAUSE:
        for (int i = 0; i < rule->clause.count && !status; i++)
            status = check_literal(c, &rule->clause.literal[i]);
        return status;
    case BESTDAG_RULE_TIERS:
        return check_tiers(c);
    case BESTDAG_RULE_ORDER:
        return check_order(c);
    case BESTDAG_RULE_ALLOW:
    case BESTDAG_RULE_FORBID:
    case BESTDAG_RULE_REQUIRE:
        return check_arcs(c);
    case BESTDAG_RULE_PARENTS:
        status = check_word(c, &rule->from.child);
        return status ? status : check_words(c, &rule->from.names);
    case BESTDAG_RULE_STATES:
        return check_labels(c);
    case BESTDAG_RULE_QUALITY:
        return check_quality(c);
    case BESTDAG_RULE_LINEAR:
        return check_linear(c);
    case BESTDAG_RULE_NEAR:
        return check_chance(c, &rule->near.chance);
    case BESTDAG_RULE_CONVEX:
        return check_chance(c, &rule->convex.chance);
    }
    return status;
}

static int check_each(struct check *c)
{
    const struct bestdag_rule_words *each = &c->rule->each;
    for (int i = 0; i < each->count; i++) {
        const struct bestdag_rule_word *word = &each->at[i];
        if (find_name(c->scope, word->text) >= 0)
            return bestdag_rule_fail(
                c->run, c->rule, word,
                "'%s' is a variable: use another name after 'for all'",
                word->text);
        if (!(c->used >> i & 1))
            return bestdag_rule_fail(c->run, c->rule, word,
                                     "'%s' is not used in the rule",
                                     word->text);
    }
    return BESTDAG_OK;
}

int bestdag_scope_check(struct bestdag_run *run,
                        const struct bestdag_rule_scope *scope,
                        const struct bestdag_rules *rules)
{
    struct check c = {.run = run, .scope = scope};
    int status = BESTDAG_OK;
    for (int i = 0; i < rules->count && !status; i++) {
        c.rule = &rules->rule[i];
        c.used = 0;
        status = check_words(&c, &c.rule->except);
        if (!status)
            status = check_body(&c);
        if (!status)
            status = check_each(&c);
    }
    bestdag_free(c.tier);
    return status;
}

/* ---- choices ------------------------------------------------------------- */

int bestdag_choice_start(struct bestdag_run *run, struct bestdag_choice *c,
                         const struct bestdag_rule_scope *scope,
                         const struct bestdag_rule *rule)
{
    *c = (struct bestdag_choice){.scope = scope, .rule = rule};
    if (!rule->each.count)
        return BESTDAG_OK;
    c->taken = bestdag_calloc(run, (size_t)scope->n + 1, 1);
    if (!c->taken)
        return bestdag_run_status(run);
    for (int i = 0; i < rule->except.count; i++)
        c->taken[bestdag_scope_name(scope, rule, &rule->except.at[i])] = 1;
    return BESTDAG_OK;
}

/* The least variable from v on that is free; n: none. */
static int free_from(const struct bestdag_choice *c, int v)
{
    while (v < c->scope->n && c->taken[v])
        v++;
    return v;
}

bool bestdag_choice_next(struct bestdag_choice *c)
{
    int n = c->scope->n, count = c->rule->each.count, k = count - 1;
    if (!count) {
        bool first = !c->started;
        c->started = true;
        return first;
    }
    int v = -1;
    if (!c->started)
        k = 0;
    else {
        v = c->value[k];
        c->taken[v] = 0;
    }
    c->started = true;
    while (k >= 0) {
        v = free_from(c, v + 1);
        if (v == n) { /* this place has taken all values */
            if (--k >= 0) {
                v = c->value[k];
                c->taken[v] = 0;
            }
            continue;
        }
        c->value[k] = v;
        c->taken[v] = 1;
        if (k == count - 1)
            return true;
        k++;
        v = -1;
    }
    return false;
}

void bestdag_choice_release(struct bestdag_choice *c)
{
    bestdag_free(c->taken);
    c->taken = NULL;
}

double bestdag_choice_count(const struct bestdag_choice *c)
{
    double count = 1;
    int left = c->scope->n;
    for (int v = 0; c->taken && v < c->scope->n; v++)
        left -= c->taken[v];
    for (int i = 0; i < c->rule->each.count; i++)
        count *= left - i > 0 ? left - i : 0;
    return count < 0x1p53 ? count : (double)INFINITY;
}
