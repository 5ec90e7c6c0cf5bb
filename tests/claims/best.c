/* SPDX-License-Identifier: MIT */
/* best.c -- the best network under rules, by dynamic programming over orders.
 *
 * A state is what matters of the variables placed so far: who they are, which
 * facts of the rules across children have become true ("A -> B is there", "C
 * has a child"), and of each variable that a rule about paths begins at, who
 * descends from it. A variable is placed with parents that are placed, after
 * all that an order line puts before it. Facts never become false again, so the
 * clauses are looked at in the end. Exact; states may be too many, and then the
 * answer is UNKNOWN. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "claims.h"

enum { FACTS = 24, SOURCES = 3, CAP = 4000000 };

struct set {
    unsigned parents;
    uint32_t facts; /* that it makes true */
    double score;
};

struct search {
    const struct ruling *r;
    int n, facts, sources;
    struct literal fact[FACTS];
    int source[SOURCES];
    struct set *sets[MOST];
    int count[MOST];
    int64_t work;
};

/* ---- graphs --------------------------------------------------------------
 */

bool graph_has_cycle(const unsigned *parents, int n)
{
    unsigned placed = 0;
    for (int round = 0; round < n; round++)
        for (int v = 0; v < n; v++)
            if (!(parents[v] & ~placed))
                placed |= 1u << v;
    return placed != (1u << n) - 1;
}

double graph_score(const struct scores *s, const unsigned *parents)
{
    long double sum = 0;
    for (int v = 0; v < s->n; v++)
        sum += s->local[v][parents[v]];
    return (double)sum;
}

/* ---- facts ---------------------------------------------------------------
 */

static bool makes_true(const struct literal *l, int child, unsigned parents)
{
    switch (l->kind) {
    case ARC:
        return child == l->b && parents >> l->a & 1;
    case LEAF: /* the fact is that there is a child */
        return parents >> l->a & 1;
    case ADJACENT:
        return (child == l->b && parents >> l->a & 1) ||
               (child == l->a && parents >> l->b & 1);
    case ROOT:
        return child == l->a && !parents;
    case INDEGREE:
        return child == l->a && literal_fits(l, __builtin_popcount(parents));
    default:
        return false;
    }
}

static bool is_same(const struct literal *x, const struct literal *y)
{
    bool has_b = x->kind == ARC || x->kind == ADJACENT || x->kind == ANCESTRY;
    bool counts = x->kind == INDEGREE;
    return x->kind == y->kind && x->a == y->a && (!has_b || x->b == y->b) &&
           (!counts || (x->compare == y->compare && x->count == y->count));
}

/* Its number; -1: there are too many. */
static int fact_of(struct search *s, const struct literal *l)
{
    for (int i = 0; i < s->facts; i++)
        if (is_same(&s->fact[i], l))
            return i;
    if (s->facts == FACTS)
        return -1;
    s->fact[s->facts] = *l;
    return s->facts++;
}

static int source_of(struct search *s, int v)
{
    for (int i = 0; i < s->sources; i++)
        if (s->source[i] == v)
            return i;
    if (s->sources == SOURCES)
        return -1;
    s->source[s->sources] = v;
    return s->sources++;
}

/* Do the lists of allowed sets, or forbidden arcs, already see to it? */
static bool is_settled(const struct clause *c)
{
    int child = -1;
    if (c->count == 1 && ((c->at[0].kind == ADJACENT && c->at[0].is_not) ||
                          (c->at[0].kind == LEAF && !c->at[0].is_not)))
        return true;
    for (int i = 0; i < c->count; i++) {
        const struct literal *l = &c->at[i];
        if (l->kind != ARC && l->kind != ROOT && l->kind != INDEGREE)
            return false;
        int of = l->kind == ARC ? l->b : l->a;
        if (i && of != child)
            return false;
        child = of;
    }
    return true;
}

static bool find_facts(struct search *s)
{
    for (int i = 0; i < s->r->clauses; i++) {
        const struct clause *c = &s->r->clause[i];
        for (int k = 0; k < c->count && !is_settled(c); k++)
            if ((c->at[k].kind == ANCESTRY ? source_of(s, c->at[k].a)
                                           : fact_of(s, &c->at[k])) < 0)
                return false;
    }
    return true;
}

/* ---- sets ----------------------------------------------------------------
 */

static void list_sets(struct search *s, const struct scores *scores)
{
    for (int v = 0; v < s->n; v++) {
        s->sets[v] = malloc(sizeof *s->sets[v] << s->n);
        if (!s->sets[v])
            abort();
        for (unsigned p = 0; p < 1u << s->n; p++) {
            if (!(scores->local[v][p] > -INFINITY) ||
                !ruling_allows(s->r, v, p))
                continue;
            struct set set = {p, 0, scores->local[v][p]};
            for (int i = 0; i < s->facts; i++)
                if (makes_true(&s->fact[i], v, p))
                    set.facts |= 1u << i;
            s->sets[v][s->count[v]++] = set;
        }
    }
}

static int by_score(const void *a, const void *b)
{
    const struct set *x = a, *y = b;
    return x->score < y->score ? 1 : x->score > y->score ? -1 : 0;
}

/* ---- states: a hash table a layer ----------------------------------------
 */

struct state {
    uint64_t key; /* placed, facts, descendants of each source */
    double score;
    bool is_used;
};

struct layer {
    struct state *at;
    size_t room, count;
};

static void put(struct layer *l, uint64_t key, double score);

static void grow(struct layer *l)
{
    struct layer larger = {.room = l->room ? l->room * 2 : 1024};
    larger.at = calloc(larger.room, sizeof *larger.at);
    if (!larger.at)
        abort();
    for (size_t i = 0; i < l->room; i++)
        if (l->at[i].is_used)
            put(&larger, l->at[i].key, l->at[i].score);
    free(l->at);
    *l = larger;
}

static void put(struct layer *l, uint64_t key, double score)
{
    if (l->count * 2 >= l->room)
        grow(l);
    uint64_t state = key;
    size_t i = draw(&state) & (l->room - 1);
    while (l->at[i].is_used && l->at[i].key != key)
        i = (i + 1) & (l->room - 1);
    if (!l->at[i].is_used) {
        l->at[i] = (struct state){key, score, true};
        l->count++;
    } else if (score > l->at[i].score) {
        l->at[i].score = score;
    }
}

static unsigned descending(uint64_t key, int source)
{
    return (unsigned)(key >> (MOST + FACTS + source * MOST)) & (SETS - 1);
}

static uint64_t placing(const struct search *s, uint64_t key, int v,
                        const struct set *set)
{
    uint64_t next = key | 1u << v | (uint64_t)set->facts << MOST;
    for (int i = 0; i < s->sources; i++)
        if (set->parents & (descending(key, i) | 1u << s->source[i]))
            next |= (uint64_t)1 << (MOST + FACTS + i * MOST + v);
    return next;
}

/* Places v in every way that can matter: without rules across children that is
 * the first set that fits. */
static void place(struct search *s, const struct state *from, int v,
                  struct layer *to)
{
    unsigned placed = from->key & (SETS - 1);
    for (int i = 0; i < s->count[v] && s->work < CAP; i++) {
        const struct set *set = &s->sets[v][i];
        if (set->parents & ~placed)
            continue;
        s->work++;
        put(to, placing(s, from->key, v, set), from->score + set->score);
        if (!s->facts && !s->sources)
            break;
    }
}

static bool is_true(struct search *s, const struct literal *l, uint64_t key)
{
    bool truth;
    if (l->kind == ANCESTRY)
        truth = descending(key, source_of(s, l->a)) >> l->b & 1;
    else
        truth = (key >> (MOST + fact_of(s, l)) & 1) != (l->kind == LEAF);
    return truth != l->is_not;
}

static bool is_met(struct search *s, const struct clause *c, uint64_t key)
{
    for (int k = 0; k < c->count; k++)
        if (is_true(s, &c->at[k], key))
            return true;
    return is_settled(c);
}

static enum answer best_of(struct search *s, const struct layer *last,
                           double *score)
{
    enum answer answer = NONE;
    for (size_t i = 0; i < last->room; i++) {
        bool fine = last->at[i].is_used;
        for (int k = 0; fine && k < s->r->clauses; k++)
            fine = is_settled(&s->r->clause[k]) ||
                   is_met(s, &s->r->clause[k], last->at[i].key);
        if (fine && (answer == NONE || last->at[i].score > *score)) {
            *score = last->at[i].score;
            answer = FOUND;
        }
    }
    return answer;
}

static void next_layer(struct search *s, struct layer *layer)
{
    struct layer next = {0};
    for (size_t i = 0; i < layer->room; i++)
        for (int v = 0; v < s->n && layer->at[i].is_used; v++) {
            unsigned placed = layer->at[i].key & (SETS - 1);
            if (!(placed >> v & 1) && !(s->r->before[v] & ~placed))
                place(s, &layer->at[i], v, &next);
        }
    free(layer->at);
    *layer = next;
}

enum answer best_score(const struct scores *scores, const struct ruling *r,
                       double *score)
{
    struct search s = {.r = r, .n = scores->n};
    struct layer layer = {0};
    enum answer answer = UNKNOWN;
    if (!find_facts(&s))
        return UNKNOWN;
    list_sets(&s, scores);
    for (int v = 0; v < s.n; v++)
        qsort(s.sets[v], (size_t)s.count[v], sizeof *s.sets[v], by_score);
    put(&layer, 0, 0);
    for (int i = 0; i < s.n; i++)
        next_layer(&s, &layer);
    if (s.work < CAP)
        answer = best_of(&s, &layer, score);
    free(layer.at);
    for (int v = 0; v < s.n; v++)
        free(s.sets[v]);
    return answer;
}
