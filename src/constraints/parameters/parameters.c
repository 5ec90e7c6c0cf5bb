/* SPDX-License-Identifier: MIT */
/* parameters.c -- statements of all children, and the blocks they make for a
 * parent set: see parameters.h. */
#include "constraints/parameters/parameters.h"

#include <string.h>

#include "base/growing_array.h"
#include "base/random.h"
#include "constraints/deduction/conflict.h"
#include "constraints/parameters/statement.h"

struct bestdag_parameters {
    const struct bestdag_rules *rules; /* borrowed */
    int n;
    int *states;                         /* owns; [n] */
    struct bestdag_rules *store;         /* owns; what statements live in */
    struct bestdag_statement *statement; /* owns; by child, then by rule */
    int count;
    int64_t room;
    int *start; /* owns; [n + 1]: first statement of a child */
};

void bestdag_parameters_free(struct bestdag_parameters *p)
{
    if (!p)
        return;
    bestdag_rules_free(p->store);
    bestdag_free(p->statement);
    bestdag_free(p->states);
    bestdag_free(p->start);
    bestdag_free(p);
}

bool bestdag_parameters_about(const struct bestdag_parameters *p, int child)
{
    return p && p->start[child + 1] > p->start[child];
}

/* ---- statements ---------------------------------------------------------- */

static int add_statement(struct bestdag_run *run, struct bestdag_parameters *p,
                         const struct bestdag_statement *statement)
{
    if (!BESTDAG_GROW(run, p->statement, p->room, p->count + 1))
        return bestdag_run_status(run);
    p->statement[p->count++] = *statement;
    return BESTDAG_OK;
}

static int add_rule(struct bestdag_parameters *p,
                    const struct bestdag_statement_source *source, int rule)
{
    struct bestdag_choice choice;
    int status = bestdag_choice_start(source->run, &choice, source->scope,
                                      &p->rules->rule[rule]);
    while (!status && bestdag_choice_next(&choice)) {
        struct bestdag_statement statement;
        status = bestdag_statement_make(source, rule, &choice, &statement);
        if (!status)
            status = add_statement(source->run, p, &statement);
        if (!status && bestdag_run_watch(source->run, p->count))
            break;
    }
    bestdag_choice_release(&choice);
    return status;
}

/* By child; those of one child keep their order. */
static int sort_statements(struct bestdag_run *run,
                           struct bestdag_parameters *p)
{
    struct bestdag_statement *sorted =
        bestdag_alloc(run, (size_t)(p->count + 1) * sizeof *sorted);
    if (!sorted)
        return bestdag_run_status(run);
    for (int i = 0; i < p->count; i++)
        p->start[p->statement[i].child + 1]++;
    for (int v = 0; v < p->n; v++)
        p->start[v + 1] += p->start[v];
    for (int i = p->count - 1; i >= 0; i--) {
        int *end = &p->start[p->statement[i].child + 1];
        sorted[--*end] = p->statement[i];
    }
    /* start[v + 1] is where v begins now */
    for (int v = 0; v < p->n; v++)
        p->start[v] = p->start[v + 1];
    p->start[p->n] = p->count;
    bestdag_free(p->statement);
    p->statement = sorted;
    return BESTDAG_OK;
}

/* ---- blocks -------------------------------------------------------------- */

static bool is_among(const int *parents, int count, int v)
{
    for (int i = 0; i < count; i++)
        if (parents[i] == v)
            return true;
    return false;
}

static bool applies(const struct bestdag_statement *s, const int *parents,
                    int count)
{
    for (int i = 0; i < s->count; i++)
        if (!is_among(parents, count, s->parent[i]))
            return false;
    return true;
}

uint64_t bestdag_parameters_key(const struct bestdag_parameters *p, int child,
                                const int *parents, int count)
{
    uint64_t key = bestdag_mix((uint64_t)child);
    for (int i = p->start[child]; i < p->start[child + 1]; i++)
        if (applies(&p->statement[i], parents, count))
            key = bestdag_mix(key ^ (uint64_t)i);
    return key;
}

/* Lists the required parents, ascending, in to[n]; returns how many. */
static int list_required(const struct bestdag_parameters *p, int child, int *to)
{
    int count = 0;
    for (int i = p->start[child]; i < p->start[child + 1]; i++) {
        const struct bestdag_statement *s = &p->statement[i];
        for (int j = 0; j < s->count && !s->if_present; j++) {
            int at = count;
            if (is_among(to, count, s->parent[j]))
                continue;
            for (count++; at > 0 && to[at - 1] > s->parent[j]; at--)
                to[at] = to[at - 1];
            to[at] = s->parent[j];
        }
    }
    return count;
}

/* What is asked for. */
struct request {
    struct bestdag_run *run;
    const struct bestdag_parameters *p;
    int child;
    const int *parents;
    int count;
    const bool *chosen; /* [rules]; NULL: all */
};

static bool counts(const struct request *q, int i)
{
    const struct bestdag_statement *s = &q->p->statement[i];
    return (!q->chosen || q->chosen[s->rule]) &&
           applies(s, q->parents, q->count);
}

/* Checks that all required parents are present. */
static void check_present(const struct request *q,
                          struct bestdag_block_list *to)
{
    const struct bestdag_parameters *p = q->p;
    for (int i = p->start[q->child]; i < p->start[q->child + 1]; i++) {
        const struct bestdag_statement *s = &p->statement[i];
        if (s->if_present || (q->chosen && !q->chosen[s->rule]))
            continue;
        for (int j = 0; j < s->count && to->feasible; j++)
            if (!is_among(q->parents, q->count, s->parent[j])) {
                to->feasible = false;
                to->rule = s->rule;
                to->missing = s->parent[j];
            }
    }
}

/* Lists the named parents, ascending, and computes their configurations. */
static int find_named(const struct request *q, struct bestdag_block_list *to)
{
    const struct bestdag_parameters *p = q->p;
    int64_t rows = 1;
    to->parent =
        bestdag_calloc(q->run, (size_t)q->count + 1, sizeof *to->parent);
    if (!to->parent)
        return bestdag_run_status(q->run);
    for (int j = 0; j < q->count; j++) {
        bool named = false;
        for (int i = p->start[q->child]; i < p->start[q->child + 1]; i++) {
            const struct bestdag_statement *s = &p->statement[i];
            named = named || (is_among(s->parent, s->count, q->parents[j]) &&
                              counts(q, i));
        }
        if (!named)
            continue;
        to->parent[to->count++] = q->parents[j];
        rows *= p->states[q->parents[j]];
        if (rows * p->states[q->child] > BESTDAG_BLOCK_MOST)
            return bestdag_rule_fail(
                q->run, &p->rules->rule[p->statement[p->start[q->child]].rule],
                NULL,
                "the parameter rules of this child name parents with more than "
                "%d configurations together: use fewer parents (max-parents) "
                "or fewer rules",
                BESTDAG_BLOCK_MOST / p->states[q->child]);
    }
    to->rows = (int)rows;
    return BESTDAG_OK;
}

/* Where the rows of a statement lie in its block, for one configuration of the
 * parents that it does not name. */
struct layout {
    const struct bestdag_statement *s;
    int states;
    int *row;    /* owns; [s->rows] */
    int *offset; /* owns; [others]: rows of the block */
    int others;
    int *entry; /* owns; [s->rows * states]: scratch */
};

static void release_layout(struct layout *l)
{
    bestdag_free(l->row);
    bestdag_free(l->offset);
    bestdag_free(l->entry);
}

static int lay_out(const struct request *q, const struct bestdag_block_list *b,
                   struct layout *l)
{
    const struct bestdag_statement *s = l->s;
    l->others = b->rows / s->rows;
    l->row = bestdag_calloc(q->run, (size_t)s->rows, sizeof *l->row);
    l->offset = bestdag_calloc(q->run, (size_t)l->others, sizeof *l->offset);
    if (!l->row || !l->offset)
        return bestdag_run_status(q->run);
    int stride = 1, inner = 1, outer = 1; /* last parent fastest everywhere */
    for (int j = b->count - 1; j >= 0; j--) {
        int states = q->p->states[b->parent[j]];
        bool own = is_among(s->parent, s->count, b->parent[j]);
        int *list = own ? l->row : l->offset;
        int *step = own ? &inner : &outer, count = own ? s->rows : l->others;
        for (int i = 0; i < count; i++)
            list[i] += i / *step % states * stride;
        *step *= states;
        stride *= states;
    }
    return BESTDAG_OK;
}

static const int *move_entries(const struct layout *l, const int *entry,
                               int count, int offset)
{
    for (int i = 0; i < count; i++)
        l->entry[i] = (l->row[entry[i] / l->states] + offset) * l->states +
                      entry[i] % l->states;
    return l->entry;
}

static int say(struct bestdag_run *run, const struct layout *l,
               const struct bestdag_phrase *phrase, int offset,
               struct bestdag_block *block)
{
    switch (phrase->kind) {
    case BESTDAG_PHRASE_TIE:
        return bestdag_block_tie(run, block, l->row[phrase->tie.a] + offset,
                                 l->row[phrase->tie.b] + offset);
    case BESTDAG_PHRASE_NEAR:
        return bestdag_block_near(run, block, l->row[phrase->near.row] + offset,
                                  phrase->near.centre, phrase->near.most);
    case BESTDAG_PHRASE_CONVEX: {
        struct bestdag_convex convex = phrase->convex;
        convex.entry = move_entries(l, convex.entry, convex.count, offset);
        return bestdag_block_convex(run, block, &convex);
    }
    default: {
        struct bestdag_limit limit = phrase->limit;
        limit.entry = move_entries(l, limit.entry, limit.count, offset);
        return bestdag_block_limit(run, block, &limit);
    }
    }
}

static int longest(const struct bestdag_statement *s)
{
    int most = 0;
    for (const struct bestdag_phrase *f = s->phrase; f; f = f->next) {
        int count = f->kind == BESTDAG_PHRASE_LIMIT    ? f->limit.count
                    : f->kind == BESTDAG_PHRASE_CONVEX ? f->convex.count
                                                       : 0;
        most = count > most ? count : most;
    }
    return most;
}

static int say_all(const struct request *q, const struct bestdag_block_list *b,
                   const struct bestdag_statement *s)
{
    struct layout l = {.s = s, .states = q->p->states[q->child]};
    int status = lay_out(q, b, &l);
    l.entry = bestdag_calloc(q->run, (size_t)longest(s) + 1, sizeof *l.entry);
    if (!l.entry)
        status = bestdag_run_status(q->run);
    for (int i = 0; i < l.others && !status; i++)
        for (const struct bestdag_phrase *f = s->phrase; f && !status;
             f = f->next)
            status = say(q->run, &l, f, l.offset[i], b->block);
    release_layout(&l);
    return status;
}

static int make_blocks(const struct request *q, struct bestdag_block_list *to)
{
    const struct bestdag_parameters *p = q->p;
    *to = (struct bestdag_block_list){
        .feasible = true, .rule = -1, .missing = -1};
    check_present(q, to);
    if (!to->feasible)
        return BESTDAG_OK;
    int status = find_named(q, to);
    if (status)
        return status;
    to->block = bestdag_block_new(q->run, p->states[q->child], to->rows);
    if (!to->block)
        return bestdag_run_status(q->run);
    for (int i = p->start[q->child]; i < p->start[q->child + 1] && !status; i++)
        if (counts(q, i))
            status = say_all(q, to, &p->statement[i]);
    if (!status)
        status = bestdag_block_settle(q->run, to->block, &to->feasible);
    if (status || !to->feasible) {
        bestdag_block_free(to->block);
        to->block = NULL;
    }
    return status;
}

int bestdag_parameters_blocks(struct bestdag_run *run,
                              const struct bestdag_parameters *parameters,
                              int child, const int *parents, int count,
                              struct bestdag_block_list *to)
{
    struct request q = {run, parameters, child, parents, count, NULL};
    return make_blocks(&q, to);
}

void bestdag_block_list_release(struct bestdag_block_list *block_list)
{
    bestdag_free(block_list->parent);
    bestdag_block_free(block_list->block);
    *block_list = (struct bestdag_block_list){.feasible = false};
}

int bestdag_parameters_exclude(struct bestdag_run *run,
                               const struct bestdag_parameters *p, int child,
                               const char *name)
{
    int first = p->statement[p->start[child]].rule;
    int last = p->statement[p->start[child + 1] - 1].rule;
    char place[128];
    return bestdag_fail(run, BESTDAG_INFEASIBLE,
                        "no parameters of '%s' that satisfy %s%s give the rows "
                        "of the table a probability above 0",
                        name, bestdag_rule_place(&p->rules->rule[first], place),
                        first == last ? "" : " and the other rules about it");
}

int bestdag_parameters_lack(struct bestdag_run *run,
                            const struct bestdag_parameters *p,
                            const struct bestdag_block_list *block_list,
                            const char *child, const char *parent)
{
    return bestdag_rule_fail(run, &p->rules->rule[block_list->rule], NULL,
                             "'%s' is not a parent of '%s' in this network",
                             parent, child);
}

/* ---- contradictions ------------------------------------------------------ */

static enum bestdag_satisfiability ask(void *user, const bool *chosen)
{
    struct request q = *(const struct request *)user;
    struct bestdag_block_list block_list;
    q.chosen = chosen;
    int status = make_blocks(&q, &block_list);
    bool feasible = block_list.feasible;
    bestdag_block_list_release(&block_list);
    return status ? BESTDAG_UNKNOWN : feasible ? BESTDAG_YES : BESTDAG_NO;
}

int bestdag_parameters_fail(struct bestdag_run *run,
                            const struct bestdag_parameters *p, int child,
                            const int *parents, int count)
{
    struct request q = {run, p, child, parents, count, NULL};
    bool irreducible = false;
    bool *chosen = bestdag_calloc(run, (size_t)p->rules->count + 1, 1);
    if (!chosen)
        return bestdag_run_status(run);
    for (int i = p->start[child]; i < p->start[child + 1]; i++)
        chosen[p->statement[i].rule] = true;
    int status =
        bestdag_conflict_reduce(run, p->rules, ask, &q, chosen, &irreducible);
    char *text =
        status ? NULL
               : bestdag_conflict_text(run, p->rules, chosen, irreducible);
    if (text)
        bestdag_fail(run, BESTDAG_INFEASIBLE, "%s", text);
    bestdag_free(text);
    bestdag_free(chosen);
    return bestdag_run_status(run);
}

/* Do the rules that always apply have a solution? */
static int check_child(struct bestdag_run *run,
                       const struct bestdag_parameters *p, int child)
{
    struct bestdag_block_list block_list = {.feasible = true};
    int *parents = bestdag_calloc(run, (size_t)p->n + 1, sizeof *parents);
    if (!parents)
        return bestdag_run_status(run);
    int count = list_required(p, child, parents);
    int status =
        bestdag_parameters_blocks(run, p, child, parents, count, &block_list);
    if (!status && !block_list.feasible)
        status = bestdag_parameters_fail(run, p, child, parents, count);
    bestdag_block_list_release(&block_list);
    bestdag_free(parents);
    return status;
}

/* ---- making -------------------------------------------------------------- */

static int make(struct bestdag_parameters *p,
                const struct bestdag_statement_source *source)
{
    struct bestdag_run *run = source->run;
    int status = bestdag_scope_check(run, source->scope, p->rules);
    struct bestdag_state_order *state_orders =
        status ? NULL
               : bestdag_state_orders_new(run, p->rules, source->scope,
                                          source->subjects);
    if (!state_orders)
        return bestdag_run_status(run);
    struct bestdag_statement_source with = *source;
    with.state_orders = state_orders;
    for (int i = 0; i < p->rules->count && !status; i++)
        if (bestdag_rule_has_parameters(&p->rules->rule[i]))
            status = add_rule(p, &with, i);
    bestdag_state_orders_free(state_orders, p->n);
    if (!status)
        status = sort_statements(run, p);
    for (int v = 0; v < p->n && !status; v++)
        if (bestdag_parameters_about(p, v))
            status = check_child(run, p, v);
    return status;
}

static int allocate(struct bestdag_run *run, struct bestdag_parameters *p,
                    const struct bestdag_subject *subjects, const char ***names)
{
    size_t n = (size_t)p->n + 1;
    p->store = bestdag_rules_new(run);
    p->states = bestdag_calloc(run, n, sizeof *p->states);
    p->start = bestdag_calloc(run, n, sizeof *p->start);
    *names = bestdag_calloc(run, n, sizeof **names);
    if (!p->store || !p->states || !p->start || !*names)
        return bestdag_run_status(run);
    for (int v = 0; v < p->n; v++) {
        p->states[v] = subjects[v].states;
        (*names)[v] = subjects[v].name;
    }
    return BESTDAG_OK;
}

struct bestdag_parameters *bestdag_parameters_new(
    struct bestdag_run *run, const struct bestdag_rules *rules,
    const struct bestdag_subject *subjects, int n)
{
    struct bestdag_parameters *p = bestdag_calloc(run, 1, sizeof *p);
    struct bestdag_rule_scope scope = {.n = 0};
    const char **names = NULL;
    if (!p)
        return NULL;
    p->rules = rules;
    p->n = n;
    int status = allocate(run, p, subjects, &names);
    if (!status)
        status = bestdag_scope_init(run, &scope, names, n);
    struct bestdag_statement_source source = {.run = run,
                                              .rules = rules,
                                              .scope = &scope,
                                              .subjects = subjects,
                                              .store = p->store};
    if (!status)
        status = make(p, &source);
    bestdag_scope_release(&scope);
    bestdag_free(names);
    if (!status)
        return p;
    bestdag_parameters_free(p);
    return NULL;
}
