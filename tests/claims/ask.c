/* SPDX-License-Identifier: MIT */
/* ask.c -- a random network, a question about it, and whether what query,
 * evaluate and impute answer is what all joint states together say. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

enum { PATIENCE = 120 }; /* seconds; only for what never ends */

bool question_accuse(struct question *q, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    vsnprintf(q->why, TEXT, format, rest);
    va_end(rest);
    return false;
}

/* ---- evidence ------------------------------------------------------------
 */

__attribute__((format(printf, 2, 3))) static void say(struct question *q,
                                                      const char *format, ...)
{
    size_t length = strlen(q->text);
    va_list rest;
    if (length)
        length +=
            (size_t)snprintf(q->text + length, sizeof q->text - length, ", ");
    va_start(rest, format);
    vsnprintf(q->text + length, sizeof q->text - length, format, rest);
    va_end(rest);
}

static void say_states(struct question *q, int v, int kinds, uint64_t *seed)
{
    struct evidence *e = &q->evidence;
    int r = q->world.states[v], k = draw_below(seed, r);
    char text[128] = "";
    int end = 0;
    if (kinds & LIKELIHOOD && draw_chance(seed, .2)) {
        for (int i = 0; i < r; i++) {
            double x = draw_chance(seed, .2) && i != k ? 0 : draw_unit(seed);
            end += sprintf(text + end, " %.17g", x);
            e->likelihood[v][i] *= x;
        }
        say(q, "%c ~%s", 'A' + v, text);
    } else if (kinds & IN && draw_chance(seed, .2)) {
        for (int i = 0; i < r; i++)
            if (i == k || draw_chance(seed, .5))
                end += sprintf(text + end, " s%c", 'a' + i);
            else
                e->likelihood[v][i] = 0;
        say(q, "%c in%s", 'A' + v, text);
    } else {
        for (int i = 0; i < r; i++)
            e->likelihood[v][i] *= i == k;
        say(q, "%c=s%c", 'A' + v, 'a' + k);
    }
}

/* A value that is not far from what the rest allows. */
static void say_value(struct question *q, int v, uint64_t *seed)
{
    static struct atoms atoms;
    double mean, sd, unit = draw_unit(seed);
    atoms_find(&q->world, &q->evidence, &atoms);
    mean = sd = 1; /* for what is impossible anyhow */
    if (atoms.count)
        atoms_moments(&atoms, v, &mean, &sd);
    double x = mean + (unit * 6 - 3) * sd * (draw_chance(seed, .1) ? 50 : 1);
    q->evidence.has_value[v] = true;
    q->evidence.value[v] = x;
    say(q, "%c=%.17g", 'A' + v, x);
}

static void say_do(struct question *q, int v, uint64_t *seed)
{
    struct evidence *e = &q->evidence;
    e->set[v] = 1;
    e->to[v] = q->world.states[v] ? draw_below(seed, q->world.states[v])
                                  : draw_unit(seed) * 6 - 3;
    if (q->world.states[v])
        say(q, "do(%c=s%c)", 'A' + v, 'a' + (int)e->to[v]);
    else
        say(q, "do(%c=%.17g)", 'A' + v, e->to[v]);
}

void question_draw_evidence(struct question *q, unsigned set, double share,
                            int kinds, uint64_t *seed)
{
    for (int v = 0; v < q->world.n; v++) {
        if (!(set >> v & 1) || !draw_chance(seed, share))
            continue;
        bool is_number = !q->world.states[v];
        if (kinds & DO && draw_chance(seed, .25))
            say_do(q, v, seed);
        else if (!is_number && kinds & STATE)
            say_states(q, v, kinds, seed);
        else if (is_number && kinds & VALUE)
            say_value(q, v, seed);
    }
}

bool question_run(struct question *q, int expected)
{
    q->end = command_run(&q->t->search, PATIENCE);
    if (q->end.timed_out)
        return question_accuse(q, "it did not end");
    if (q->end.code != expected)
        return question_accuse(q, "exit code %d, not %d: %s", q->end.code,
                               expected, q->end.err ? q->end.err : "");
    if (expected)
        return true;
    q->json = q->end.out ? json_read(q->end.out) : NULL;
    return q->json ? true : question_accuse(q, "the answer is not JSON");
}

static void begin(struct question *q, const char *verb)
{
    command_add(&q->t->search, "%s", q->t->program);
    command_add(&q->t->search, "%s", verb);
}

static void add_rest(struct question *q, uint64_t *seed)
{
    command_add(&q->t->search, "-q");
    command_add(&q->t->search, "-j");
    command_add(&q->t->search, "%d", draw_between(seed, 1, 2));
}

/* ---- query ---------------------------------------------------------------
 */

static const char *state_name(int k)
{
    static const char *const names[STATES] = {"sa", "sb", "sc"};
    return names[k];
}

static int state_of(const char *name)
{
    for (int k = 0; name && k < STATES; k++)
        if (!strcmp(name, state_name(k)))
            return k;
    return -1;
}

static const struct json *of_variable(const struct json *j, int v)
{
    char name[2] = {(char)('A' + v), 0};
    return json_get(j, name);
}

static bool check_marginals(struct question *q, const struct atoms *a,
                            unsigned targets)
{
    const struct world *w = &q->world;
    for (int v = 0; v < w->n; v++) {
        const struct json *p = of_variable(json_get(q->json, "marginals"), v);
        const struct json *x = of_variable(json_get(q->json, "numbers"), v);
        double mean, sd;
        if (!(targets >> v & 1))
            continue;
        for (int k = 0; k < w->states[v]; k++) {
            double got = json_number(json_get(p, state_name(k)));
            double want = (double)atoms_probability(a, v, k);
            if (!is_near(got, want, 0))
                return question_accuse(q, "P(%c=%s) is %.17g, not %.17g",
                                       'A' + v, state_name(k), want, got);
        }
        if (w->states[v])
            continue;
        atoms_moments(a, v, &mean, &sd);
        double got = json_number(json_get(x, "mean"));
        double spread = json_number(json_get(x, "sd"));
        if (!is_near(got, mean, 10) || !(fabs(spread - sd) <= 1e-6 + 1e-8 * sd))
            return question_accuse(q,
                                   "%c is %.12g +- %.12g, not %.12g +- %.12g",
                                   'A' + v, mean, sd, got, spread);
    }
    return true;
}

static bool check_total(struct question *q, const struct atoms *a)
{
    bool is_density = false;
    for (int v = 0; v < q->world.n; v++)
        is_density |= q->evidence.has_value[v];
    double got = json_number(json_get(
        q->json, is_density ? "evidence_density" : "evidence_probability"));
    double got_log =
        json_number(json_get(q->json, is_density ? "log_evidence_density"
                                                 : "log_evidence_probability"));
    double want = (double)expl(a->log_evidence);
    double want_log = (double)a->log_evidence;
    if (!(fabs(got_log - want_log) <= 1e-8 * (1 + fabs(want_log))) ||
        (want > 1e-300 && !(fabs(got - want) <= 1e-8 * want)))
        return question_accuse(q,
                               "the evidence has %.12g (log %.12g), not %.12g"
                               " (log %.12g)",
                               want, want_log, got, got_log);
    return true;
}

/* Do the states of an atom, as far as they are in a set, agree with it? */
static bool agrees(const struct atom *a, const int *state, unsigned set)
{
    for (int v = 0; v < FEW; v++)
        if (set >> v & 1 && a->state[v] != state[v])
            return false;
    return true;
}

static long double weight_of(const struct atoms *a, const int *state,
                             unsigned set)
{
    long double sum = 0;
    for (int i = 0; i < a->count; i++)
        sum += agrees(&a->at[i], state, set) ? a->at[i].weight : 0;
    return sum / a->total;
}

/* The K best joint states of a set: of all that occur, none that is not listed
 * may be more probable than one that is. */
static bool check_explanations(struct question *q, const struct atoms *a,
                               unsigned set, int best)
{
    const struct json *list = json_get(q->json, "explanations");
    static bool listed[ATOMS];
    double least = 2, last = 2;
    int count = json_count(list);
    memset(listed, 0, sizeof listed);
    if (count < 1 || count > best)
        return question_accuse(q, "%d explanations, not %d", count, best);
    for (int i = 0; i < count; i++) {
        const struct json *one = json_at(list, i);
        double p = json_number(json_get(one, "probability"));
        int state[FEW] = {0};
        unsigned given = 0;
        for (int v = 0; v < q->world.n; v++) {
            const char *name =
                json_text(of_variable(json_get(one, "states"), v));
            given |= name ? 1u << v : 0;
            state[v] = name ? state_of(name) : 0;
        }
        if (given & ~set)
            return question_accuse(q, "a state that was not asked for");
        double want = (double)weight_of(a, state, given);
        if (!is_near(p, want, 0))
            return question_accuse(
                q, "explanation %d has probability %.17g, not %.17g", i + 1,
                want, p);
        if (p > last * (1 + 1e-9) + 1e-15)
            return question_accuse(q, "explanations are not in order");
        least = p < least ? p : least;
        last = p;
        int fresh = 0;
        for (int k = 0; k < a->count; k++)
            if (agrees(&a->at[k], state, given) && !listed[k])
                listed[k] = true, fresh++;
        if (!fresh)
            return question_accuse(q, "an explanation is there twice");
    }
    for (int k = 0; k < a->count; k++) {
        double p = (double)weight_of(a, a->at[k].state, set);
        if (!listed[k] && (count < best || p > least * (1 + 1e-9) + 1e-15))
            return question_accuse(q, "one of probability %.17g is left out",
                                   p);
    }
    return true;
}

static bool check_joint(struct question *q, const struct atoms *a,
                        unsigned targets)
{
    const struct json *list = json_get(q->json, "joint");
    int count = json_count(list), all = 1;
    for (int v = 0; v < q->world.n; v++)
        all *= targets >> v & 1 ? q->world.states[v] : 1;
    if (count != all)
        return question_accuse(q, "%d joint states, not %d", count, all);
    for (int i = 0; i < count; i++) {
        const struct json *one = json_at(list, i);
        int state[FEW] = {0};
        for (int v = 0; v < q->world.n; v++)
            if (targets >> v & 1)
                state[v] = state_of(
                    json_text(of_variable(json_get(one, "states"), v)));
        double p = json_number(json_get(one, "probability"));
        double want = (double)weight_of(a, state, targets);
        if (!is_near(p, want, 0))
            return question_accuse(q, "joint state %d has %.17g, not %.17g",
                                   i + 1, want, p);
    }
    return true;
}

static void add_targets(struct question *q, unsigned targets)
{
    char text[1024] = "";
    int end = 0;
    for (int v = 0; v < q->world.n; v++)
        if (targets >> v & 1)
            end += sprintf(text + end, "%s%c", end ? ", " : "", 'A' + v);
    command_add(&q->t->search, "%s%s%s", text, q->text[0] ? " | " : "",
                q->text);
}

static void add_map(struct question *q, unsigned set)
{
    char text[2 * FEW + 1] = "";
    int end = 0;
    for (int v = 0; v < q->world.n; v++)
        if (set >> v & 1)
            end += sprintf(text + end, "%s%c", end ? "," : "", 'A' + v);
    command_add(&q->t->search, "--map");
    command_add(&q->t->search, "%s", text);
}

static unsigned draw_set(const struct world *w, bool only_states,
                         uint64_t *seed)
{
    unsigned set = 0;
    for (int v = 0; v < w->n; v++)
        if ((w->states[v] || !only_states) && draw_chance(seed, .5))
            set |= 1u << v;
    return set;
}

enum form { MARGINALS, JOINT, MPE, MAP };

static bool query_judge(struct question *q, uint64_t *seed)
{
    static struct atoms atoms;
    const struct world *w = &q->world;
    unsigned states = 0;
    for (int v = 0; v < w->n; v++)
        states |= w->states[v] ? 1u << v : 0;
    bool has_numbers = states != (1u << w->n) - 1;
    enum form form = draw_chance(seed, .4) ? MARGINALS : draw_below(seed, 4);
    if (has_numbers && (form != MAP || !states))
        form = MARGINALS;
    question_draw_evidence(q, ~0u, draw_unit(seed) * .7,
                           STATE | IN | LIKELIHOOD | DO | VALUE, seed);
    unsigned set = draw_set(w, form != MARGINALS, seed);
    int best = draw_between(seed, 1, 4);
    if (form == JOINT || form == MAP)
        set = set ? set : states & -states;
    begin(q, "query");
    command_add(&q->t->search, "world.json");
    if (form == MARGINALS || form == JOINT)
        add_targets(q, set);
    else
        command_add(&q->t->search, "%s%s", q->text[0] ? "| " : "", q->text);
    if (form == JOINT)
        command_add(&q->t->search, "--joint");
    if (form == MPE)
        command_add(&q->t->search, "--mpe");
    if (form == MAP)
        add_map(q, set);
    if (form >= MPE) {
        command_add(&q->t->search, "--best");
        command_add(&q->t->search, "%d", best);
    }
    command_add(&q->t->search, "--json");
    add_rest(q, seed);
    atoms_find(w, &q->evidence, &atoms);
    if (!question_run(q, atoms.count ? 0 : 4) || !atoms.count)
        return !q->why[0];
    if (!check_total(q, &atoms))
        return false;
    return form == MARGINALS
               ? check_marginals(q, &atoms, set ? set : (1u << w->n) - 1)
           : form == JOINT ? check_joint(q, &atoms, set)
                           : check_explanations(
                                 q, &atoms, form == MPE ? states : set, best);
}

/* ---- tables with holes ---------------------------------------------------
 */

enum { LINES = 6 };

struct holes {
    struct evidence row[LINES];
    bool is_there[LINES][FEW];
};

/* Rows near what the network expects, with holes. */
static void draw_holes(struct question *q, struct holes *h, uint64_t *seed)
{
    const struct world *w = &q->world;
    FILE *to = fopen("holes.csv", "w");
    if (!to)
        abort();
    for (int v = 0; v < w->n; v++)
        fprintf(to, "%s%c", v ? "," : "", 'A' + v);
    fprintf(to, "\n");
    for (int i = 0; i < LINES; i++) {
        evidence_clear(&q->evidence);
        for (int v = 0; v < w->n; v++) {
            h->is_there[i][v] = draw_chance(seed, .6) || !i;
            q->text[0] = 0;
            if (h->is_there[i][v] && w->states[v])
                say_states(q, v, STATE, seed);
            else if (h->is_there[i][v])
                say_value(q, v, seed);
            fprintf(to, "%s%s", v ? "," : "", q->text[0] ? q->text + 2 : "?");
        }
        fprintf(to, "\n");
        h->row[i] = q->evidence;
    }
    fclose(to);
}

static void add_number_columns(struct question *q)
{
    char list[2 * FEW + 1] = "", states[2 * FEW + 1] = "";
    int end = 0, other = 0;
    for (int v = 0; v < q->world.n; v++)
        if (!q->world.states[v])
            end += sprintf(list + end, "%s%c", end ? "," : "", 'A' + v);
        else
            other += sprintf(states + other, "%s%c", other ? "," : "", 'A' + v);
    if (end) {
        command_add(&q->t->search, "--as-numbers");
        command_add(&q->t->search, "%s", list);
    }
    if (other) {
        command_add(&q->t->search, "--as-states");
        command_add(&q->t->search, "%s", states);
    }
}

static bool evaluate_judge(struct question *q, uint64_t *seed)
{
    static struct atoms atoms;
    static struct holes h;
    long double sum = 0;
    int impossible = 0;
    draw_holes(q, &h, seed);
    begin(q, "evaluate");
    command_add(&q->t->search, "holes.csv");
    command_add(&q->t->search, "world.json");
    add_number_columns(q);
    command_add(&q->t->search, "--json");
    add_rest(q, seed);
    if (!question_run(q, 0))
        return false;
    for (int i = 0; i < LINES; i++) {
        atoms_find(&q->world, &h.row[i], &atoms);
        impossible += !atoms.count;
        sum += atoms.count ? atoms.log_evidence : 0;
    }
    double got = json_number(json_get(q->json, "log_likelihood"));
    double zero = json_number(json_get(q->json, "zero_probability_rows"));
    if (zero != impossible)
        return question_accuse(q, "%d impossible rows, not %g", impossible,
                               zero);
    if (impossible ? !isnan(got)
                   : !(fabs(got - (double)sum) <= 1e-8 * (1 + fabsl(sum))))
        return question_accuse(q, "the log-likelihood is %.12g, not %.12g",
                               (double)sum, got);
    return true;
}

/* ---- impute --------------------------------------------------------------
 */

/* The cells of a line that was written; a number stays a text. */
static bool split(char *line, int n, char *cell[FEW])
{
    for (int v = 0; v < n; v++)
        if (!(cell[v] = strsep(&line, ",")))
            return false;
    return !line;
}

/* Of an impossible row the holes stay. */
static bool check_row(struct question *q, const struct atoms *a, int i,
                      const bool *there, char *cell[FEW], bool is_joint)
{
    const struct world *w = &q->world;
    unsigned filled = 0;
    int state[FEW] = {0};
    double best = 0;
    for (int v = 0; v < w->n; v++) {
        if (there[v] || !w->states[v])
            continue;
        if (!a->count) {
            if (cell[v][0] && strcmp(cell[v], "?") != 0)
                return question_accuse(q, "row %d: an impossible row is filled",
                                       i + 1);
            continue;
        }
        state[v] = state_of(cell[v]);
        if (state[v] < 0)
            return question_accuse(q, "row %d: the hole of %c has '%s'", i + 1,
                                   'A' + v, cell[v]);
        filled |= 1u << v;
        for (int k = 0; k < w->states[v] && !is_joint; k++)
            if (atoms_probability(a, v, k) >
                atoms_probability(a, v, state[v]) * (1 + 1e-9L))
                return question_accuse(q, "row %d: %c is more likely %s", i + 1,
                                       'A' + v, state_name(k));
    }
    double p = a->count ? (double)weight_of(a, state, filled) : 0;
    for (int k = 0; k < a->count && is_joint; k++)
        best = fmax(best, (double)weight_of(a, a->at[k].state, filled));
    if (p < best * (1 - 1e-9))
        return question_accuse(q,
                               "row %d: filled with probability %.12g, but "
                               "there is %.12g",
                               i + 1, p, best);
    /* numbers: given the states that were filled in, or over all */
    static struct atoms some;
    some = *a;
    some.count = 0;
    some.total = 0;
    for (int k = 0; k < a->count; k++)
        if (!is_joint || agrees(&a->at[k], state, filled)) {
            some.at[some.count++] = a->at[k];
            some.total += a->at[k].weight;
        }
    for (int v = 0; v < w->n && a->count; v++) {
        double mean, sd;
        if (w->states[v] || there[v])
            continue;
        atoms_moments(&some, v, &mean, &sd);
        if (!is_near(strtod(cell[v], NULL), mean, 10))
            return question_accuse(q, "row %d: the mean of %c is %.12g, not %s",
                                   i + 1, 'A' + v, mean, cell[v]);
    }
    return true;
}

static bool impute_judge(struct question *q, uint64_t *seed)
{
    static struct atoms atoms;
    static struct holes h;
    bool is_joint = draw_chance(seed, .5), fine = true;
    draw_holes(q, &h, seed);
    begin(q, "impute");
    command_add(&q->t->search, "holes.csv");
    command_add(&q->t->search, "world.json");
    add_number_columns(q);
    command_add(&q->t->search, "--fill");
    command_add(&q->t->search, is_joint ? "joint" : "cells");
    add_rest(q, seed);
    q->end = command_run(&q->t->search, PATIENCE);
    if (q->end.code || q->end.timed_out)
        return question_accuse(q, "exit code %d: %s", q->end.code,
                               q->end.err ? q->end.err : "");
    char *rest = q->end.out, *line, *cell[FEW];
    strsep(&rest, "\n"); /* names */
    for (int i = 0; i < LINES && fine; i++) {
        line = rest ? strsep(&rest, "\n") : NULL;
        if (!line || !split(line, q->world.n, cell))
            return question_accuse(q, "row %d is not there", i + 1);
        atoms_find(&q->world, &h.row[i], &atoms);
        fine = check_row(q, &atoms, i, h.is_there[i], cell, is_joint);
    }
    return fine;
}

/* ---- one trial -----------------------------------------------------------
 */

bool ask_judge(struct trial *t, struct tally *tally, char why[TEXT])
{
    static struct question q;
    static bool (*const judges[])(struct question *, uint64_t *) = {
        query_judge,  query_judge,  evaluate_judge, impute_judge,
        effect_judge, relate_judge, em_judge};
    uint64_t seed = t->seed;
    memset(&q, 0, sizeof q);
    q.t = t;
    q.tally = tally;
    q.why = why;
    why[0] = 0;
    int pick = draw_below(&seed, 7);
    bool is_cause = judges[pick] == effect_judge;
    enum contents contents = draw_chance(&seed, .5)   ? ALL_STATES
                             : draw_chance(&seed, .4) ? ALL_NUMBERS
                                                      : BOTH;
    if (judges[pick] == em_judge && contents == BOTH)
        contents = ALL_NUMBERS;
    world_draw(&q.world, contents, !is_cause && draw_chance(&seed, .4), &seed);
    world_write(&q.world, "world.json");
    evidence_clear(&q.evidence);
    t->n = q.world.n;
    tally->trials++;
    tally->questions++;
    bool fine = judges[pick](&q, &seed);
    json_free(q.json);
    ending_clear(&q.end);
    return fine;
}
