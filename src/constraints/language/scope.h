/* SPDX-License-Identifier: MIT */
/* scope.h -- applies rules to variables: looks up names, and enumerates the
 * choices of "for all". */
#ifndef BESTDAG_CONSTRAINTS_LANGUAGE_SCOPE_H
#define BESTDAG_CONSTRAINTS_LANGUAGE_SCOPE_H

#include "constraints/language/rules.h"

struct bestdag_rule_scope {
    int n;
    const char *const *names; /* borrowed; [n], all different */
    int32_t *bucket;          /* owns; by hash: a variable, or -1 */
    int buckets;              /* a power of two */
};

int bestdag_scope_init(struct bestdag_run *run,
                       struct bestdag_rule_scope *scope,
                       const char *const *names, int n);
void bestdag_scope_release(struct bestdag_rule_scope *scope);
/* Does every rule make sense for these variables? Unknown names (the nearest
 * is suggested), placeholders that are variables or are not used, one variable
 * in two tiers, arcs from a variable to itself. */
int bestdag_scope_check(struct bestdag_run *run,
                        const struct bestdag_rule_scope *scope,
                        const struct bestdag_rules *rules);

/* ---- what "for all" stands for; after the check -------------------------- */

/* Goes through the choices of different variables, none of them excepted. A
 * rule without "for all" has one choice. */
struct bestdag_choice {
    const struct bestdag_rule_scope *scope;
    const struct bestdag_rule *rule;
    int value[BESTDAG_PLACEHOLDERS]; /* of each placeholder */
    uint8_t *taken; /* owns; [n]: is excepted, or the value of one */
    bool started;
};

int bestdag_choice_start(struct bestdag_run *run, struct bestdag_choice *c,
                         const struct bestdag_rule_scope *scope,
                         const struct bestdag_rule *rule);
/* Steps to the first or next choice; false after the last. */
bool bestdag_choice_next(struct bestdag_choice *c);
void bestdag_choice_release(struct bestdag_choice *c);
/* How many there are; infinity if they pass 2^53. */
double bestdag_choice_count(const struct bestdag_choice *c);

/* Looks up a name for all choices: a variable, or ~k for placeholder k. */
int bestdag_scope_name(const struct bestdag_rule_scope *scope,
                       const struct bestdag_rule *rule,
                       const struct bestdag_rule_word *word);
/* The variable of such a name in this choice. */
static inline int bestdag_choice_of(const struct bestdag_choice *c, int name)
{
    return name >= 0 ? name : c->value[~name];
}

#endif
