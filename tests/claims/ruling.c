/* SPDX-License-Identifier: MIT */
/* ruling.c -- random rules of every kind about graphs, as text for the command
 * and as clauses for the judge. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "claims.h"

static const char *const signs[] = {"<", "<=", "=", ">=", ">"};

/* ---- writing -------------------------------------------------------------
 */

__attribute__((format(printf, 2, 3))) static void say(struct ruling *r,
                                                      const char *format, ...)
{
    size_t length = strlen(r->text);
    va_list rest;
    va_start(rest, format);
    vsnprintf(r->text + length, sizeof r->text - length, format, rest);
    va_end(rest);
}

/* Variables as letters; in `for all` lines the first two are X and Y. */
static void say_literal(struct ruling *r, const struct literal *l,
                        const char *names, bool is_not)
{
    char a = names[l->a], b = names[l->b];
    say(r, "%s", is_not ? "not " : "");
    switch (l->kind) {
    case ARC:
        say(r, "%c -> %c", a, b);
        break;
    case ROOT:
        say(r, "root %c", a);
        break;
    case LEAF:
        say(r, "leaf %c", a);
        break;
    case ADJACENT:
        say(r, "adjacent %c %c", a, b);
        break;
    case ANCESTRY:
        say(r, "ancestor %c %c", a, b);
        break;
    case INDEGREE:
        say(r, "indegree(%c) %s %d", a, signs[l->compare], l->count);
        break;
    }
}

/* The first `conditions` literals stand, negated, behind `if`. */
static void say_clause(struct ruling *r, const struct clause *c,
                       const char *names, int conditions)
{
    for (int i = 0; i < c->count; i++) {
        bool is_if = i < conditions;
        say(r, "%s",
            !i && is_if       ? "if "
            : is_if           ? " and "
            : !i              ? ""
            : i == conditions ? " then "
                              : " or ");
        say_literal(r, &c->at[i], names, c->at[i].is_not != is_if);
    }
    say(r, "\n");
}

static void keep_clause(struct ruling *r, const struct clause *c)
{
    if (r->clauses < CLAUSES)
        r->clause[r->clauses++] = *c;
    if (c->count != 1)
        return;
    const struct literal *l = &c->at[0]; /* what only forbids arcs */
    if (l->kind == ADJACENT && l->is_not) {
        r->forbidden[l->a] |= 1u << l->b;
        r->forbidden[l->b] |= 1u << l->a;
    } else if (l->kind == LEAF && !l->is_not) {
        for (int v = 0; v < r->n; v++)
            r->forbidden[v] |= 1u << l->a;
    }
}

/* ---- drawing -------------------------------------------------------------
 */

static struct literal draw_literal(int n, const struct features *f,
                                   uint64_t *seed)
{
    struct literal l = {0};
    int pick = draw_below(seed, 10);
    l.kind = pick < 4    ? ARC
             : pick == 4 ? ROOT
             : pick == 5 ? (f->without[CROSS] ? ARC : LEAF)
             : pick == 6 ? (f->without[CROSS] ? ROOT : ADJACENT)
             : pick == 7 ? (f->without[ANCESTOR] ? ARC : ANCESTRY)
                         : INDEGREE;
    l.a = draw_below(seed, n);
    l.b = (l.a + draw_between(seed, 1, n - 1)) % n;
    l.compare = draw_below(seed, 5);
    l.count = draw_below(seed, 4);
    if (l.compare == LESS)
        l.count++;
    l.is_not = draw_chance(seed, l.kind == ROOT || l.kind == LEAF ? .5 : .65);
    return l;
}

static void draw_clause(struct ruling *r, const struct features *f,
                        uint64_t *seed)
{
    static const char letters[] = "ABCDEFGHI";
    struct clause c = {.count = f->without[CROSS] || draw_chance(seed, .5)
                                    ? 1
                                    : draw_between(seed, 2, 3)};
    for (int i = 0; i < c.count; i++)
        c.at[i] = draw_literal(r->n, f, seed);
    int conditions = draw_chance(seed, .4) ? draw_below(seed, c.count) : 0;
    say_clause(r, &c, letters, conditions);
    keep_clause(r, &c);
}

/* `for all X except C: ...`, or X and Y; the clause once for every choice. */
static void draw_for_all(struct ruling *r, const struct features *f,
                         uint64_t *seed)
{
    int places = r->n > 3 && draw_chance(seed, .4) ? 2 : 1, n = r->n;
    int out = draw_chance(seed, .5) ? draw_below(seed, n) : -1;
    char names[] = "XYABCDEFGHI"; /* place holders first */
    struct clause c = {.count =
                           f->without[CROSS] || draw_chance(seed, .7) ? 1 : 2};
    for (int i = 0; i < c.count; i++) {
        struct literal *l = &c.at[i];
        *l = draw_literal(n, f, seed);
        if (l->kind == ANCESTRY) /* too many paths to keep in mind */
            l->kind = ARC;
        if (places == 2 && !i && l->kind != ADJACENT)
            l->kind = ARC; /* so that Y is used */
        bool is_pair = l->kind == ARC || l->kind == ADJACENT;
        if (places == 1 && is_pair && out < 0)
            l->kind = INDEGREE;
        bool is_turned = places == 1 && is_pair && out >= 0 && l->a % 2;
        l->a = is_turned ? 2 + out : 0;
        l->b = places == 2 ? 1 : is_turned ? 0 : 2 + (out < 0 ? 0 : out);
        if (l->kind == INDEGREE && l->compare >= EQUAL)
            l->compare = AT_MOST;
    }
    say(r, places == 2 ? "for all X, Y" : "for all X");
    if (out >= 0)
        say(r, " except %c", 'A' + out);
    say(r, ": ");
    say_clause(r, &c, names, 0);
    for (int x = 0; x < n; x++)
        for (int y = 0; y < (places == 2 ? n : 1); y++) {
            if (x == out || (places == 2 && (y == out || x == y)))
                continue;
            struct clause one = c;
            for (int i = 0; i < c.count; i++) {
                struct literal *l = &one.at[i];
                l->a = l->a == 0 ? x : l->a == 1 ? y : l->a - 2;
                l->b = l->b == 0 ? x : l->b == 1 ? y : l->b - 2;
            }
            keep_clause(r, &one);
        }
}

static void draw_tiers(struct ruling *r, uint64_t *seed)
{
    int tiers = draw_between(seed, 2, r->n < 3 ? 2 : 3), of[MOST];
    bool apart[3];
    for (int v = 0; v < r->n;
         v++) /* the first ones keep tiers from being empty */
        of[v] = v < tiers ? v : draw_between(seed, -1, tiers - 1);
    say(r, "tiers:");
    for (int t = 0; t < tiers; t++) {
        apart[t] = draw_chance(seed, .2);
        say(r, "%s", t ? " |" : "");
        for (int v = 0; v < r->n; v++)
            if (of[v] == t)
                say(r, " %c", 'A' + v);
        say(r, "%s", apart[t] ? " apart" : "");
    }
    say(r, "\n");
    for (int a = 0; a < r->n; a++)
        for (int b = 0; b < r->n; b++)
            if (of[a] >= 0 && of[b] >= 0 &&
                (of[a] > of[b] || (of[a] == of[b] && apart[of[a]])))
                r->forbidden[b] |= 1u << a;
}

static void draw_order(struct ruling *r, uint64_t *seed)
{
    int length = draw_between(seed, 2, r->n < 4 ? r->n : 4);
    int last = draw_below(seed, r->n);
    unsigned used = 1u << last;
    say(r, "order %c", 'A' + last);
    for (int i = 1; i < length; i++) {
        int v = draw_below(seed, r->n);
        while (used >> v & 1)
            v = (v + 1) % r->n;
        say(r, " < %c", 'A' + v);
        r->before[v] |= 1u << last;
        used |= 1u << v;
        last = v;
    }
    say(r, "\n");
}

static void draw_allow(struct ruling *r, uint64_t *seed)
{
    unsigned allowed[MOST] = {0};
    bool is_first = true;
    say(r, "allow only ");
    for (int a = 0; a < r->n; a++)
        for (int b = 0; b < r->n; b++)
            if (a != b && (is_first || draw_chance(seed, .6))) {
                say(r, "%s%c -> %c", is_first ? "" : ", ", 'A' + a, 'A' + b);
                allowed[b] |= 1u << a;
                is_first = false;
            }
    say(r, "\n");
    for (int v = 0; v < r->n; v++)
        r->forbidden[v] |= ~allowed[v];
}

static void draw_parents(struct ruling *r, uint64_t *seed)
{
    int v = draw_below(seed, r->n);
    unsigned in = 0;
    say(r, "parents %c in", 'A' + v);
    for (int u = 0; u < r->n; u++)
        if (u != v && (draw_chance(seed, .6) || (!in && u >= r->n - 2))) {
            say(r, "%s %c", in && draw_chance(seed, .5) ? "," : "", 'A' + u);
            in |= 1u << u;
        }
    say(r, "\n");
    r->forbidden[v] |= ~in;
}

void ruling_draw(struct ruling *r, int n, const struct features *f,
                 uint64_t *seed)
{
    memset(r, 0, sizeof *r);
    r->n = n;
    if (n < 2)
        return;
    bool has_tiers = false, has_allow = false;
    for (int count = draw_between(seed, 1, 4); count; count--) {
        int pick = draw_below(seed, 12);
        if (pick == 0 && !has_tiers)
            draw_tiers(r, seed), has_tiers = true;
        else if (pick <= 2 && !f->without[ORDER])
            draw_order(r, seed);
        else if (pick == 3 && !has_allow)
            draw_allow(r, seed), has_allow = true;
        else if (pick == 4)
            draw_parents(r, seed);
        else if (pick <= 6)
            draw_for_all(r, f, seed);
        else
            draw_clause(r, f, seed);
    }
}

/* ---- judging -------------------------------------------------------------
 */

bool literal_fits(const struct literal *l, int count)
{
    switch (l->compare) {
    case LESS:
        return count < l->count;
    case AT_MOST:
        return count <= l->count;
    case EQUAL:
        return count == l->count;
    case AT_LEAST:
        return count >= l->count;
    default:
        return count > l->count;
    }
}

/* Who has a path from v. */
static unsigned descendants(const unsigned *parents, int n, int v)
{
    unsigned of = 1u << v;
    for (int round = 0; round < n; round++)
        for (int u = 0; u < n; u++)
            if (parents[u] & of)
                of |= 1u << u;
    return of & ~(1u << v);
}

static bool holds(const struct literal *l, const unsigned *parents, int n)
{
    bool is_true = false;
    switch (l->kind) {
    case ARC:
        is_true = parents[l->b] >> l->a & 1;
        break;
    case ROOT:
        is_true = !parents[l->a];
        break;
    case LEAF:
        is_true = true;
        for (int v = 0; v < n; v++)
            is_true &= !(parents[v] >> l->a & 1);
        break;
    case ADJACENT:
        is_true = (parents[l->b] >> l->a & 1) || (parents[l->a] >> l->b & 1);
        break;
    case ANCESTRY:
        is_true = descendants(parents, n, l->a) >> l->b & 1;
        break;
    case INDEGREE:
        is_true = literal_fits(l, __builtin_popcount(parents[l->a]));
        break;
    }
    return is_true != l->is_not;
}

/* The child that alone decides it, or -1. */
static int child_of(const struct literal *l)
{
    return l->kind == ARC                           ? l->b
           : l->kind == ROOT || l->kind == INDEGREE ? l->a
                                                    : -1;
}

bool ruling_allows(const struct ruling *r, int child, unsigned parents)
{
    unsigned graph[MOST] = {0};
    graph[child] = parents;
    if (parents & (r->forbidden[child] | 1u << child))
        return false;
    for (int i = 0; i < r->clauses; i++) {
        bool is_ours = true, is_met = false;
        const struct clause *c = &r->clause[i];
        for (int k = 0; k < c->count; k++) {
            is_ours &= child_of(&c->at[k]) == child;
            is_met |= is_ours && holds(&c->at[k], graph, r->n);
        }
        if (is_ours && !is_met)
            return false;
    }
    return true;
}

static bool meets(const struct clause *c, const unsigned *parents, int n)
{
    for (int k = 0; k < c->count; k++)
        if (holds(&c->at[k], parents, n))
            return true;
    return false;
}

const char *ruling_broken(const struct ruling *r, const unsigned *parents)
{
    unsigned both[MOST];
    for (int v = 0; v < r->n; v++) {
        if (parents[v] & r->forbidden[v])
            return "a forbidden arc";
        both[v] = parents[v] | r->before[v];
    }
    for (int i = 0; i < r->clauses; i++)
        if (!meets(&r->clause[i], parents, r->n))
            return "a clause";
    return graph_has_cycle(both, r->n) ? "an order" : NULL;
}
