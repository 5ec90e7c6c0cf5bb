/* SPDX-License-Identifier: MIT */
/* rules.c -- rules and the memory that they live in; where a rule stands. */
#include "constraints/language/rules.h"

#include <stdio.h>
#include <string.h>

#include "base/place.h"
#include "base/text.h"
#include "constraints/language/parse.h"

/* ---- the store ----------------------------------------------------------- */

enum { BLOCK = 4096 };

struct bestdag_store {
    struct bestdag_store *before; /* owns */
    size_t used, room;
    max_align_t at[];
};

/* What is larger than a block gets one of its own, behind the newest. */
static struct bestdag_store *add_block(struct bestdag_run *run,
                                       struct bestdag_rules *rules,
                                       size_t bytes)
{
    size_t room = bytes > BLOCK ? bytes : BLOCK;
    if (room > SIZE_MAX / 2) {
        bestdag_fail(run, BESTDAG_MEMORY, "the rules are too long");
        return NULL;
    }
    struct bestdag_store *b = bestdag_calloc(run, 1, sizeof *b + room);
    if (!b)
        return NULL;
    b->room = room;
    if (rules->store && bytes > BLOCK) {
        b->before = rules->store->before;
        rules->store->before = b;
    } else {
        b->before = rules->store;
        rules->store = b;
    }
    return b;
}

void *bestdag_rules_store(struct bestdag_run *run, struct bestdag_rules *rules,
                          size_t count, size_t bytes)
{
    size_t unit = sizeof(max_align_t), size;
    if (__builtin_mul_overflow(count, bytes, &size) || size > SIZE_MAX - unit)
        size = SIZE_MAX / 2 + 1;
    else
        size = (size + unit - 1) / unit * unit;
    struct bestdag_store *b = rules->store;
    if (!b || b->room - b->used < size)
        b = add_block(run, rules, size);
    if (!b)
        return NULL;
    void *piece = (char *)b->at + b->used;
    b->used += size;
    return piece;
}

char *bestdag_rules_text(struct bestdag_run *run, struct bestdag_rules *rules,
                         const char *text, size_t n)
{
    char *copy = bestdag_rules_store(run, rules, n + 1, 1);
    if (copy && n)
        memcpy(copy, text, n);
    return copy;
}

int bestdag_rules_append(struct bestdag_run *run, struct bestdag_rules *rules,
                         const struct bestdag_rule *rule)
{
    if (rules->count == rules->room) {
        int room = rules->room ? 2 * rules->room : 16;
        void *more = NULL;
        if (rules->room > INT32_MAX / 2)
            return bestdag_fail(run, BESTDAG_USAGE, "too many rules");
        more = bestdag_realloc(run, rules->rule,
                               (size_t)room * sizeof *rules->rule);
        if (!more)
            return bestdag_run_status(run);
        rules->rule = more;
        rules->room = room;
    }
    rules->rule[rules->count++] = *rule;
    return BESTDAG_OK;
}

/* ---- the public functions ------------------------------------------------ */

struct bestdag_rules *bestdag_rules_new(struct bestdag_run *run)
{
    if (bestdag_run_status(run))
        return NULL;
    return bestdag_calloc(run, 1, sizeof(struct bestdag_rules));
}

void bestdag_rules_free(struct bestdag_rules *rules)
{
    if (!rules)
        return;
    while (rules->store) {
        struct bestdag_store *before = rules->store->before;
        bestdag_free(rules->store);
        rules->store = before;
    }
    bestdag_free(rules->rule);
    bestdag_free(rules);
}

/* After an error in a file or line the rules are as they were. */
static int parse(struct bestdag_run *run, struct bestdag_rules *rules,
                 const struct bestdag_file *file)
{
    int count = rules->count;
    int status = bestdag_rules_parse(run, rules, file);
    if (status)
        rules->count = count;
    return status;
}

int bestdag_rules_read(struct bestdag_run *run, struct bestdag_rules *rules,
                       const char *path)
{
    struct bestdag_file file;
    if (bestdag_lacks(run, rules, "rule set") ||
        bestdag_lacks(run, path, "rule file"))
        return bestdag_run_status(run);
    int status = bestdag_file_read(run, path, &file);
    if (status)
        return status;
    status = parse(run, rules, &file);
    bestdag_free(file.bytes);
    return status;
}

int bestdag_rules_add(struct bestdag_run *run, struct bestdag_rules *rules,
                      const char *line)
{
    if (bestdag_lacks(run, rules, "rule set") ||
        bestdag_lacks(run, line, "rule"))
        return bestdag_run_status(run);
    struct bestdag_file file = {.size = strlen(line)};
    file.bytes = bestdag_strdup(run, line);
    if (!file.bytes)
        return bestdag_run_status(run);
    int status = parse(run, rules, &file);
    bestdag_free(file.bytes);
    return status;
}

/* What is given to the function below. */
struct convex {
    const char *child;
    const char *const *parents;
    int count;
    bestdag_convex_fn *function;
};

static int copy_name(struct bestdag_run *run, struct bestdag_rules *rules,
                     const char *name, struct bestdag_rule_word *to)
{
    if (bestdag_lacks(run, name, "name"))
        return bestdag_run_status(run);
    *to = (struct bestdag_rule_word){.placeholder = -1};
    to->text = bestdag_rules_text(run, rules, name, strlen(name));
    return bestdag_run_status(run);
}

/* "convex function of P(X | A, B)" */
static char *convex_text(struct bestdag_run *run, struct bestdag_rules *rules,
                         const struct convex *given)
{
    struct bestdag_buffer b = {.run = run};
    char *text = NULL;
    bestdag_buffer_format(&b, "convex function of P(%s", given->child);
    for (int i = 0; i < given->count; i++)
        bestdag_buffer_format(&b, "%s%s", i ? ", " : " | ", given->parents[i]);
    bestdag_buffer_text(&b, ")");
    if (b.at && !bestdag_run_status(run))
        text = bestdag_rules_text(run, rules, b.at, b.length);
    bestdag_buffer_release(&b);
    return text;
}

static int check_convex(struct bestdag_run *run, struct bestdag_rules *rules,
                        const struct convex *given)
{
    if (bestdag_lacks(run, rules, "rule set") ||
        bestdag_lacks(run, given->child, "child") ||
        bestdag_lacks(run, (const void *)(uintptr_t)given->function,
                      "convex function"))
        return bestdag_run_status(run);
    if (given->count < 0 || (given->count && !given->parents))
        return bestdag_fail(run, BESTDAG_USAGE, "no parents were given");
    for (int i = 0; i < given->count; i++) {
        bool twice = false;
        if (bestdag_lacks(run, given->parents[i], "parent"))
            return bestdag_run_status(run);
        for (int j = 0; j < i; j++)
            twice |= !strcmp(given->parents[i], given->parents[j]);
        if (twice || !strcmp(given->parents[i], given->child))
            return bestdag_fail(run, BESTDAG_USAGE,
                                "'%s' is repeated in a convex rule",
                                given->parents[i]);
    }
    return BESTDAG_OK;
}

int bestdag_rules_add_convex(struct bestdag_run *run,
                             struct bestdag_rules *rules, const char *child,
                             const char *const *parents, int count,
                             int if_present, bestdag_convex_fn *function,
                             void *data)
{
    struct convex given = {child, parents, count, function};
    if (check_convex(run, rules, &given))
        return bestdag_run_status(run);
    struct bestdag_rule rule = {.kind = BESTDAG_RULE_CONVEX,
                                .if_present = if_present != 0};
    struct bestdag_probability *chance = &rule.convex.chance;
    rule.convex.function = function;
    rule.convex.data = data;
    chance->count = count;
    chance->given = bestdag_rules_store(run, rules, (size_t)count + 1,
                                        sizeof *chance->given);
    rule.text = convex_text(run, rules, &given);
    if (!chance->given || !rule.text ||
        copy_name(run, rules, child, &chance->child.name))
        return bestdag_run_status(run);
    for (int i = 0; i < count; i++)
        if (copy_name(run, rules, parents[i], &chance->given[i].name))
            return bestdag_run_status(run);
    return bestdag_rules_append(run, rules, &rule);
}

int bestdag_rules_count(const struct bestdag_rules *rules)
{
    return rules ? rules->count : 0;
}

/* ---- rules, for messages ------------------------------------------------- */

bool bestdag_rule_has_parameters(const struct bestdag_rule *rule)
{
    return rule->kind == BESTDAG_RULE_QUALITY ||
           rule->kind == BESTDAG_RULE_LINEAR ||
           rule->kind == BESTDAG_RULE_NEAR || rule->kind == BESTDAG_RULE_CONVEX;
}

enum { SHOWN = 80 };

/* The text of a rule, cut between characters. */
static void show(const char *text, char to[SHOWN + 4])
{
    size_t n = strlen(text);
    if (n > SHOWN)
        n = bestdag_utf8_valid(text, SHOWN);
    snprintf(to, SHOWN + 4, "%.*s%s", (int)n, text, text[n] ? "..." : "");
}

const char *bestdag_rule_place(const struct bestdag_rule *rule, char to[128])
{
    char text[SHOWN + 4];
    show(rule->text, text);
    if (!rule->file)
        snprintf(to, 128, "rule '%s'", text);
    else if (snprintf(to, 128, "%s:%d", rule->file, rule->line) >= 128)
        snprintf(to, 128, "line %d of the rules", rule->line);
    return to;
}

int bestdag_rule_fail(struct bestdag_run *run, const struct bestdag_rule *rule,
                      const struct bestdag_rule_word *word, const char *format,
                      ...)
{
    char message[512], text[SHOWN + 4];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    show(rule->text, text);
    if (!rule->file)
        return bestdag_fail(run, BESTDAG_USAGE, "rule '%s': %s", text, message);
    struct bestdag_place at = {word ? word->line : rule->line,
                               word ? word->column : rule->column};
    return bestdag_fail_at(run, rule->file, at, "%s", message);
}
