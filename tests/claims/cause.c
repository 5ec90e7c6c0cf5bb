/* SPDX-License-Identifier: MIT */
/* cause.c -- whether effect and relate are right: effects in every network of
 * the equivalence class, found by turning all arcs in all ways; separation by
 * the moral graph of what matters. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

enum { PAIRS = FEW * (FEW - 1) / 2 };

/* ---- graphs --------------------------------------------------------------
 */

static unsigned ancestors(const unsigned *parents, int n, unsigned of)
{
    for (int round = 0; round < n; round++)
        for (int v = 0; v < n; v++)
            if (of >> v & 1)
                of |= parents[v];
    return of;
}

static unsigned descendants(const unsigned *parents, int n, int v)
{
    unsigned of = 1u << v;
    for (int round = 0; round < n; round++)
        for (int u = 0; u < n; u++)
            if (parents[u] & of)
                of |= 1u << u;
    return of & ~(1u << v);
}

/* In the moral graph of the ancestors of all three. */
bool graph_separates(const unsigned *parents, int n, unsigned a, unsigned b,
                     unsigned given)
{
    unsigned in = ancestors(parents, n, a | b | given), beside[FEW] = {0};
    for (int v = 0; v < n; v++) {
        unsigned family = in >> v & 1 ? parents[v] | 1u << v : 0;
        for (int u = 0; u < n; u++)
            beside[u] |= family >> u & 1 ? family : 0;
    }
    unsigned reached = a & ~given;
    for (int round = 0; round < n; round++)
        for (int u = 0; u < n; u++)
            if (reached >> u & 1)
                reached |= beside[u] & ~given;
    return !(reached & b);
}

static bool is_adjacent(const unsigned *parents, int a, int b)
{
    return parents[a] >> b & 1 || parents[b] >> a & 1;
}

/* The same v-structures, of graphs with the same skeleton. */
static bool is_equivalent(const unsigned *x, const unsigned *y, int n)
{
    for (int v = 0; v < n; v++)
        for (int a = 0; a < n; a++)
            for (int b = 0; b < a; b++) {
                unsigned both = 1u << a | 1u << b;
                if (!is_adjacent(x, a, b) &&
                    ((x[v] & both) == both) != ((y[v] & both) == both))
                    return false;
            }
    return true;
}

/* Next way to turn the arcs that is in the class; false: there is none. No arc
 * goes from a number to states. */
struct class_walk {
    const struct world *w;
    int arcs, from[PAIRS], to[PAIRS];
    unsigned turn, parents[FEW];
};

static void walk_begin(struct class_walk *c, const struct world *w)
{
    memset(c, 0, sizeof *c);
    c->w = w;
    for (int v = 0; v < w->n; v++)
        for (int u = 0; u < w->n; u++)
            if (w->parents[v] >> u & 1) {
                c->from[c->arcs] = u;
                c->to[c->arcs++] = v;
            }
}

static bool walk_next(struct class_walk *c)
{
    const struct world *w = c->w;
    while (c->turn < 1u << c->arcs) {
        unsigned turn = c->turn++;
        bool fine = true;
        memset(c->parents, 0, sizeof c->parents);
        for (int i = 0; i < c->arcs; i++) {
            int from = turn >> i & 1 ? c->to[i] : c->from[i];
            int to = turn >> i & 1 ? c->from[i] : c->to[i];
            c->parents[to] |= 1u << from;
            fine &= w->states[from] || !w->states[to];
        }
        if (fine && !graph_has_cycle(c->parents, w->n) &&
            is_equivalent(w->parents, c->parents, w->n))
            return true;
    }
    return false;
}

/* ---- effects of states on states -----------------------------------------
 */

static long double sum_over(const struct atoms *a, const int *state,
                            unsigned set)
{
    long double sum = 0;
    for (int i = 0; i < a->count; i++) {
        bool fits = true;
        for (int v = 0; v < FEW; v++)
            fits &= !(set >> v & 1) || a->at[i].state[v] == state[v];
        sum += fits ? a->at[i].weight : 0;
    }
    return sum;
}

/* P(effect | do(cause), evidence) in a graph of the class: all factors but that
 * of the cause, from the joint distribution. */
static void surgery(const struct question *q, const struct atoms *joint,
                    const unsigned *parents, int cause, int effect,
                    double p[STATES][STATES])
{
    const struct world *w = &q->world;
    for (int x = 0; x < w->states[cause]; x++) {
        long double sum[STATES] = {0}, total = 0;
        for (int i = 0; i < joint->count; i++) {
            const int *state = joint->at[i].state;
            long double weight = state[cause] == x;
            for (int v = 0; v < w->n && weight > 0; v++) {
                weight *= q->evidence.likelihood[v][state[v]];
                if (v != cause)
                    weight *= sum_over(joint, state, parents[v] | 1u << v) /
                              sum_over(joint, state, parents[v]);
            }
            sum[state[effect]] += weight;
            total += weight;
        }
        for (int y = 0; y < w->states[effect]; y++)
            p[x][y] = (double)(sum[y] / total);
    }
}

static const struct json *of_states(const struct json *j, int x, int y)
{
    char from[] = {'s', (char)('a' + x), 0}, to[] = {'s', (char)('a' + y), 0};
    j = json_get(j, from);
    return y < 0 ? j : json_get(j, to);
}

static bool check_effect(struct question *q, int cause, int effect)
{
    static struct atoms joint;
    static struct class_walk walk;
    const struct world *w = &q->world;
    struct evidence none;
    double own[STATES][STATES], p[STATES][STATES];
    double least[STATES][STATES], most[STATES][STATES], spread = 0;
    unsigned seen[64];
    int sets = 0;
    evidence_clear(&none);
    atoms_find(w, &none, &joint);
    surgery(q, &joint, w->parents, cause, effect, own);
    memcpy(least, own, sizeof own);
    memcpy(most, own, sizeof own);
    walk_begin(&walk, w);
    while (walk_next(&walk)) {
        int i = 0;
        while (i < sets && seen[i] != walk.parents[cause])
            i++;
        if (i == sets && sets < 64)
            seen[sets++] = walk.parents[cause];
        surgery(q, &joint, walk.parents, cause, effect, p);
        for (int x = 0; x < w->states[cause]; x++)
            for (int y = 0; y < w->states[effect]; y++) {
                least[x][y] = fmin(least[x][y], p[x][y]);
                most[x][y] = fmax(most[x][y], p[x][y]);
                spread = fmax(spread, most[x][y] - least[x][y]);
            }
    }
    for (int x = 0; x < w->states[cause]; x++)
        for (int y = 0; y < w->states[effect]; y++) {
            double got =
                json_number(of_states(json_get(q->json, "given_do"), x, y));
            const struct json *range =
                of_states(json_get(q->json, "range"), x, y);
            double low = json_number(json_at(range, 0));
            double high = json_number(json_at(range, 1));
            if (!is_near(got, own[x][y], 1))
                return question_accuse(q,
                                       "P(s%c | do(s%c)) is %.12g, not %.12g",
                                       'a' + y, 'a' + x, own[x][y], got);
            if (!is_near(low, least[x][y], 10) ||
                !is_near(high, most[x][y], 10))
                return question_accuse(
                    q,
                    "s%c given do(s%c) is from %.12g to %.12g, not %.12g to "
                    "%.12g",
                    'a' + y, 'a' + x, least[x][y], most[x][y], low, high);
        }
    if (json_number(json_get(q->json, "parent_sets")) != sets)
        return question_accuse(q, "%d sets of parents in the class", sets);
    bool is_same = json_number(json_get(q->json, "identified")) > 0;
    if ((spread > 1e-8 && is_same) || (spread < 1e-10 && !is_same))
        return question_accuse(q, "%sidentified, with a range of %g",
                               is_same ? "" : "not ", spread);
    return true;
}

/* ---- effects on numbers --------------------------------------------------
 */

static bool check_means(struct question *q, int cause, int effect)
{
    static struct atoms atoms;
    for (int x = 0; x < q->world.states[cause]; x++) {
        struct evidence e = q->evidence;
        double mean, sd;
        e.set[cause] = 1;
        e.to[cause] = x;
        atoms_find(&q->world, &e, &atoms);
        atoms_moments(&atoms, effect, &mean, &sd);
        double m = json_number(of_states(json_get(q->json, "means"), x, -1));
        double s = json_number(of_states(json_get(q->json, "sds"), x, -1));
        if (!is_near(m, mean, 10) || !is_near(s, sd, 10))
            return question_accuse(
                q, "given do(s%c) it is %.12g +- %.12g, not %.12g +- %.12g",
                'a' + x, mean, sd, m, s);
    }
    return true;
}

/* The coefficient of x in the regression of y on x and a set, of variables
 * that are jointly normal: by taking the set out of their covariance. */
static double coefficient(const struct atom *joint, int n, int x, int y,
                          unsigned set)
{
    struct atom a = *joint;
    if (set >> y & 1)
        return 0;
    for (int v = 0; v < n; v++) {
        if (!(set >> v & 1))
            continue;
        long double gain[FEW], variance = a.covariance[v][v];
        for (int u = 0; u < n; u++)
            gain[u] = a.covariance[u][v] / variance;
        for (int u = 0; u < n; u++)
            for (int k = 0; k < n; k++)
                a.covariance[u][k] -= gain[u] * gain[k] * variance;
    }
    return (double)(a.covariance[x][y] / a.covariance[x][x]);
}

/* By how much the mean grows if the cause is set one higher. */
static double slope(const struct question *q, int cause, int effect)
{
    static struct atoms atoms;
    double mean[2], sd;
    for (int i = 0; i < 2; i++) {
        struct evidence e = q->evidence;
        e.set[cause] = 1;
        e.to[cause] = i;
        atoms_find(&q->world, &e, &atoms);
        atoms_moments(&atoms, effect, &mean[i], &sd);
    }
    return mean[1] - mean[0];
}

static bool check_slope(struct question *q, int cause, int effect)
{
    static struct atoms joint;
    static struct class_walk walk;
    const struct world *w = &q->world;
    struct evidence none;
    bool is_gaussian = true;
    double own = slope(q, cause, effect), least = own, most = own;
    double got = json_number(json_get(q->json, "slope"));
    const struct json *range = json_get(q->json, "range");
    if (!is_near(got, own, 10))
        return question_accuse(q, "the slope is %.12g, not %.12g", own, got);
    for (int v = 0; v < w->n; v++)
        is_gaussian &= !w->states[v];
    if (!is_gaussian)
        return true;
    evidence_clear(&none);
    atoms_find(w, &none, &joint);
    walk_begin(&walk, w);
    while (walk_next(&walk)) {
        double x =
            coefficient(&joint.at[0], w->n, cause, effect, walk.parents[cause]);
        least = fmin(least, x);
        most = fmax(most, x);
    }
    double low = json_number(json_at(range, 0));
    double high = json_number(json_at(range, 1));
    if (!(fabs(low - least) <= 1e-7 * (1 + fabs(least))) ||
        !(fabs(high - most) <= 1e-7 * (1 + fabs(most))))
        return question_accuse(q,
                               "slopes from %.12g to %.12g, not %.12g to "
                               "%.12g",
                               least, most, low, high);
    return true;
}

/* ---- what to adjust for --------------------------------------------------
 */

static unsigned set_of(const struct json *list, int n)
{
    unsigned set = 0;
    for (int i = 0; i < json_count(list); i++) {
        const char *name = json_text(json_at(list, i));
        if (name && name[0] >= 'A' && name[0] < 'A' + n)
            set |= 1u << (name[0] - 'A');
    }
    return set;
}

/* Is the back door closed? No descendant of the cause, and no way from it to
 * the effect once the arcs out of it are cut. */
static bool closes(const struct world *w, int cause, int effect, unsigned set)
{
    unsigned cut[FEW];
    if (set &
        (descendants(w->parents, w->n, cause) | 1u << cause | 1u << effect))
        return false;
    for (int v = 0; v < w->n; v++)
        cut[v] = w->parents[v] & ~(1u << cause);
    return graph_separates(cut, w->n, 1u << cause, 1u << effect, set);
}

static bool check_adjustment(struct question *q, int cause, int effect)
{
    const struct world *w = &q->world;
    const struct json *list = json_get(q->json, "adjustment");
    unsigned set = set_of(list, w->n);
    bool has_none = w->parents[cause] >> effect & 1;
    bool path = json_number(json_get(q->json, "causal_path")) > 0;
    if (path != (descendants(w->parents, w->n, cause) >> effect & 1))
        return question_accuse(q, "causal_path is wrong");
    if (has_none)
        return !json_count(list)
                   ? true
                   : question_accuse(q, "an adjustment for an earlier effect");
    if (!closes(w, cause, effect, set))
        return question_accuse(q, "the adjustment leaves a back door open");
    for (unsigned s = 0; s < 1u << w->n; s++)
        if (__builtin_popcount(s) < __builtin_popcount(set) &&
            closes(w, cause, effect, s))
            return question_accuse(q, "a smaller adjustment exists");
    return true;
}

bool effect_judge(struct question *q, uint64_t *seed)
{
    const struct world *w = &q->world;
    struct command *c = &q->t->search;
    int cause = draw_below(seed, w->n);
    int effect = (cause + draw_between(seed, 1, w->n - 1)) % w->n;
    bool of_states = w->states[cause] && w->states[effect];
    bool only_states = true;
    for (int v = 0; v < w->n; v++)
        only_states &= w->states[v] > 0;
    if (w->states[effect] && !w->states[cause])
        return true; /* it has none */
    command_add(c, "%s", q->t->program);
    command_add(c, "effect");
    command_add(c, "world.json");
    command_add(c, "%c", 'A' + cause);
    if (only_states && draw_chance(seed, .4))
        question_draw_evidence(q, ~(1u << cause | 1u << effect), .3,
                               STATE | IN | LIKELIHOOD, seed);
    command_add(c, "%c%s%s", 'A' + effect, q->text[0] ? " | " : "", q->text);
    command_add(c, "--json");
    if (!question_run(q, 0))
        return false;
    if (!q->text[0] && !check_adjustment(q, cause, effect))
        return false;
    return of_states && only_states ? check_effect(q, cause, effect)
           : of_states              ? true
           : w->states[cause]       ? check_means(q, cause, effect)
                                    : check_slope(q, cause, effect);
}

/* ---- relate --------------------------------------------------------------
 */

static unsigned blanket(const struct world *w, int v)
{
    unsigned set = w->parents[v];
    for (int u = 0; u < w->n; u++)
        if (w->parents[u] >> v & 1)
            set |= w->parents[u] | 1u << u;
    return set & ~(1u << v);
}

static bool check_separator(struct question *q, int a, int b)
{
    const struct world *w = &q->world;
    unsigned set = set_of(json_get(q->json, "separator"), w->n);
    unsigned ends = 1u << a | 1u << b;
    bool says = json_number(json_get(q->json, "separable")) > 0;
    if (says == is_adjacent(w->parents, a, b))
        return question_accuse(q, "separable is wrong");
    if (!says)
        return true;
    if (set & ends || !graph_separates(w->parents, w->n, 1u << a, 1u << b, set))
        return question_accuse(q, "the separator does not separate");
    for (unsigned s = 0; s < 1u << w->n; s++)
        if (!(s & ends) && __builtin_popcount(s) < __builtin_popcount(set) &&
            graph_separates(w->parents, w->n, 1u << a, 1u << b, s))
            return question_accuse(q, "a smaller separator exists");
    return true;
}

static bool check_relations(struct question *q, int v)
{
    const struct world *w = &q->world;
    const struct {
        const char *key;
        unsigned set;
    } rows[] = {
        {"blanket", blanket(w, v)},
        {"ancestors", ancestors(w->parents, w->n, 1u << v) & ~(1u << v)},
        {"descendants", descendants(w->parents, w->n, v)}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (set_of(json_get(q->json, rows[i].key), w->n) != rows[i].set)
            return question_accuse(q, "%s of %c is wrong", rows[i].key,
                                   'A' + v);
    return true;
}

bool relate_judge(struct question *q, uint64_t *seed)
{
    const struct world *w = &q->world;
    struct command *c = &q->t->search;
    char given[64] = "";
    unsigned set = 0;
    int end = 0, v = draw_below(seed, w->n), a = draw_below(seed, w->n);
    int b = (a + draw_between(seed, 1, w->n - 1)) % w->n;
    for (int u = 0; u < w->n; u++)
        if (u != a && u != b && draw_chance(seed, .3)) {
            end += sprintf(given + end, "%s%c", end ? ", " : " | ", 'A' + u);
            set |= 1u << u;
        }
    command_add(c, "%s", q->t->program);
    command_add(c, "relate");
    command_add(c, "world.json");
    command_add(c, "%c ; %c%s", 'A' + a, 'A' + b, given);
    command_add(c, "--separator");
    command_add(c, "%c,%c", 'A' + a, 'A' + b);
    static const char *const options[] = {"--blanket", "--ancestors",
                                          "--descendants"};
    for (int i = 0; i < 3; i++) {
        command_add(c, "%s", options[i]);
        command_add(c, "%c", 'A' + v);
    }
    command_add(c, "--json");
    if (!question_run(q, 0))
        return false;
    bool says = json_number(json_get(q->json, "separated")) > 0;
    if (says != graph_separates(w->parents, w->n, 1u << a, 1u << b, set))
        return question_accuse(q, "%s separated", says ? "not" : "they are");
    return check_separator(q, a, b) && check_relations(q, v);
}
