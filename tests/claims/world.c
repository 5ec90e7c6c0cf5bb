/* SPDX-License-Identifier: MIT */
/* world.c -- random networks with probabilities, and all their joint states. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

/* ---- drawing -------------------------------------------------------------
 */

static void draw_table(struct world *w, int v, bool has_zeros, uint64_t *seed)
{
    for (int c = 0; c < w->configurations[v]; c++) {
        double sum = 0, *p = w->table[v][c];
        for (int k = 0; k < w->states[v]; k++) {
            p[k] = has_zeros && draw_chance(seed, .2) ? 0
                   : draw_chance(seed, .1) ? 1e-6 * draw_between(seed, 1, 9)
                                           : .05 + draw_unit(seed);
            sum += p[k];
        }
        if (sum <= 0)
            sum = p[draw_below(seed, w->states[v])] = 1;
        for (int k = 0; k < w->states[v]; k++)
            p[k] /= sum;
    }
}

static void draw_regressions(struct world *w, int v, uint64_t *seed)
{
    for (int c = 0; c < w->configurations[v]; c++) {
        w->intercept[v][c] = draw_unit(seed) * 10 - 5;
        w->sd[v][c] = draw_chance(seed, .1) ? .01 : .2 + 2 * draw_unit(seed);
        for (int u = 0; u < w->n; u++)
            if (w->parents[v] >> u & 1 && !w->states[u])
                w->coefficient[v][c][u] = draw_unit(seed) * 4 - 2;
    }
}

/* At most three parents among those that come earlier in a random order. */
static void draw_parents(struct world *w, const int *order, int place,
                         double share, uint64_t *seed)
{
    int v = order[place];
    for (int i = 0; i < place; i++) {
        int u = order[i];
        if (__builtin_popcount(w->parents[v]) < 3 &&
            (w->states[u] || !w->states[v]) && draw_chance(seed, share))
            w->parents[v] |= 1u << u;
    }
    w->configurations[v] = 1;
    for (int u = 0; u < w->n; u++)
        if (w->parents[v] >> u & 1 && w->states[u])
            w->configurations[v] *= w->states[u];
}

void world_draw(struct world *w, enum contents contents, bool has_zeros,
                uint64_t *seed)
{
    int order[FEW];
    memset(w, 0, sizeof *w);
    w->n = draw_between(seed, 2, FEW);
    for (int v = 0; v < w->n; v++) {
        bool is_number = contents == ALL_NUMBERS ||
                         (contents == BOTH && draw_below(seed, 2));
        w->states[v] = is_number ? 0 : draw_between(seed, 2, STATES);
        int place = draw_below(seed, v + 1);
        order[v] = order[place];
        order[place] = v;
    }
    double share = .3 + .7 * draw_unit(seed);
    for (int i = 0; i < w->n; i++)
        draw_parents(w, order, i, share, seed);
    for (int v = 0; v < w->n; v++)
        if (w->states[v])
            draw_table(w, v, has_zeros, seed);
        else
            draw_regressions(w, v, seed);
}

/* ---- writing -------------------------------------------------------------
 */

static void write_table(const struct world *w, int v, FILE *to)
{
    fprintf(to, ", \"states\": [");
    for (int k = 0; k < w->states[v]; k++)
        fprintf(to, "%s\"s%c\"", k ? ", " : "", 'a' + k);
    fprintf(to, "], \"table\": [");
    for (int c = 0; c < w->configurations[v]; c++)
        for (int k = 0; k < w->states[v]; k++)
            fprintf(to, "%s%.17g%s",
                    k   ? ", "
                    : c ? ", ["
                        : "[",
                    w->table[v][c][k], k + 1 == w->states[v] ? "]" : "");
    fprintf(to, "]");
}

static void write_regressions(const struct world *w, int v, FILE *to)
{
    fprintf(to, ", \"kind\": \"number\", \"regressions\": [");
    for (int c = 0; c < w->configurations[v]; c++) {
        bool is_first = true;
        fprintf(to, "%s{\"intercept\": %.17g, \"sd\": %.17g", c ? ", " : "",
                w->intercept[v][c], w->sd[v][c]);
        for (int u = 0; u < w->n; u++)
            if (w->parents[v] >> u & 1 && !w->states[u]) {
                fprintf(to, "%s\"%c\": %.17g",
                        is_first ? ", \"coefficients\": {" : ", ", 'A' + u,
                        w->coefficient[v][c][u]);
                is_first = false;
            }
        fprintf(to, "%s}", is_first ? "" : "}");
    }
    fprintf(to, "]");
}

void world_write(const struct world *w, const char *path)
{
    FILE *to = fopen(path, "w");
    if (!to)
        abort();
    fprintf(to, "{\"bestdag\": \"network\", \"version\": 1, \"variables\": [");
    for (int v = 0; v < w->n; v++) {
        bool is_first = true;
        fprintf(to, "%s\n{\"name\": \"%c\", \"parents\": [", v ? "," : "",
                'A' + v);
        for (int u = 0; u < w->n; u++)
            if (w->parents[v] >> u & 1) {
                fprintf(to, "%s\"%c\"", is_first ? "" : ", ", 'A' + u);
                is_first = false;
            }
        fprintf(to, "]");
        if (w->states[v])
            write_table(w, v, to);
        else
            write_regressions(w, v, to);
        fprintf(to, "}");
    }
    fprintf(to, "]}\n");
    fclose(to);
}

/* ---- all joint states ----------------------------------------------------
 */

void evidence_clear(struct evidence *e)
{
    memset(e, 0, sizeof *e);
    for (int v = 0; v < FEW; v++)
        for (int k = 0; k < STATES; k++)
            e->likelihood[v][k] = 1;
}

/* The last parent changes fastest. */
static int configuration(const struct world *w, int v, const int *state)
{
    int c = 0;
    for (int u = 0; u < w->n; u++)
        if (w->parents[v] >> u & 1 && w->states[u])
            c = c * w->states[u] + state[u];
    return c;
}

/* Mean of a number, and its covariance with those that are done. */
static void add_number(const struct world *w, const struct evidence *e, int v,
                       unsigned done, struct atom *a)
{
    int c = configuration(w, v, a->state);
    const double *b = w->coefficient[v][c];
    bool is_set = e->set[v];
    a->mean[v] = is_set ? e->to[v] : w->intercept[v][c];
    long double variance = is_set ? 0 : (long double)w->sd[v][c] * w->sd[v][c];
    for (int u = 0; u < w->n && !is_set; u++)
        a->mean[v] += b[u] * a->mean[u];
    for (int u = 0; u < w->n; u++)
        if (done >> u & 1) {
            long double sum = 0;
            for (int k = 0; k < w->n && !is_set; k++)
                sum += b[k] * a->covariance[k][u];
            a->covariance[v][u] = a->covariance[u][v] = sum;
            variance += is_set ? 0 : b[u] * sum;
        }
    a->covariance[v][v] = variance;
}

/* Its log-density; the others are then given this value. */
static long double condition(struct atom *a, int n, int v, double value)
{
    long double variance = a->covariance[v][v], off = value - a->mean[v];
    long double gain[FEW];
    for (int u = 0; u < n; u++)
        gain[u] = a->covariance[u][v] / variance;
    for (int u = 0; u < n; u++)
        a->mean[u] += gain[u] * off;
    for (int u = 0; u < n; u++)
        for (int k = 0; k < n; k++)
            a->covariance[u][k] -= gain[u] * gain[k] * variance;
    return -off * off / variance / 2 - logl(2 * acosl(-1) * variance) / 2;
}

static void weigh_states(const struct world *w, const struct evidence *e,
                         struct atom *a)
{
    a->weight = 1;
    for (int v = 0; v < w->n; v++) {
        if (!w->states[v])
            continue;
        int k = a->state[v];
        a->weight *= e->likelihood[v][k];
        a->weight *= !e->set[v] ? w->table[v][configuration(w, v, a->state)][k]
                                : k == (int)e->to[v];
    }
}

static void weigh_numbers(const struct world *w, const struct evidence *e,
                          struct atom *a)
{
    unsigned done = 0;
    for (int round = 0; round < w->n; round++)
        for (int v = 0; v < w->n; v++) {
            unsigned numbers = 0;
            for (int u = 0; u < w->n; u++)
                if (!w->states[u])
                    numbers |= w->parents[v] & 1u << u;
            if (!w->states[v] && !(done >> v & 1) && !(numbers & ~done)) {
                add_number(w, e, v, done, a);
                done |= 1u << v;
            }
        }
    for (int v = 0; v < w->n; v++)
        if (e->has_value[v])
            a->weight += condition(a, w->n, v, e->value[v]);
}

/* From logarithms. */
static void scale(struct atoms *a)
{
    long double most = -INFINITY;
    for (int i = 0; i < a->count; i++)
        most = fmaxl(most, a->at[i].weight);
    a->total = 0;
    for (int i = 0; i < a->count; i++)
        a->total += a->at[i].weight = expl(a->at[i].weight - most);
    a->log_evidence = a->count ? most + logl(a->total) : -INFINITY;
}

void atoms_find(const struct world *w, const struct evidence *e,
                struct atoms *to)
{
    int all = 1;
    to->count = 0;
    for (int v = 0; v < w->n; v++)
        all *= w->states[v] ? w->states[v] : 1;
    for (int i = 0; i < all; i++) {
        struct atom *a = &to->at[to->count];
        memset(a, 0, sizeof *a);
        for (int v = w->n - 1, rest = i; v >= 0; v--)
            if (w->states[v]) {
                a->state[v] = rest % w->states[v];
                rest /= w->states[v];
            }
        weigh_states(w, e, a);
        if (!(a->weight > 0))
            continue;
        a->weight = logl(a->weight);
        weigh_numbers(w, e, a);
        to->count++;
    }
    scale(to);
}

long double atoms_probability(const struct atoms *a, int v, int state)
{
    long double sum = 0;
    for (int i = 0; i < a->count; i++)
        sum += a->at[i].state[v] == state ? a->at[i].weight : 0;
    return sum / a->total;
}

void atoms_moments(const struct atoms *a, int v, double *mean, double *sd)
{
    long double sum = 0, square = 0;
    for (int i = 0; i < a->count; i++)
        sum += a->at[i].weight / a->total * a->at[i].mean[v];
    for (int i = 0; i < a->count; i++) {
        long double off = a->at[i].mean[v] - sum;
        square += a->at[i].weight / a->total *
                  (a->at[i].covariance[v][v] + off * off);
    }
    *mean = (double)sum;
    *sd = square > 0 ? (double)sqrtl(square) : 0;
}

bool is_near(double x, double y, double scale)
{
    return fabs(x - y) <= 1e-12 + 1e-9 * scale || fabs(x - y) <= 1e-9 * fabs(y);
}

/* ---- reading -------------------------------------------------------------
 */

static int letter(const struct json *name, int n)
{
    const char *text = json_text(name);
    return text && text[0] >= 'A' && text[0] < 'A' + n && !text[1]
               ? text[0] - 'A'
               : -1;
}

static bool read_parents(struct world *w, int v, const struct json *row)
{
    const struct json *parents = json_get(row, "parents");
    int last = -1;
    w->configurations[v] = 1;
    for (int i = 0; i < json_count(parents); i++) {
        int u = letter(json_at(parents, i), w->n);
        if (u <= last) /* in the order of variables, as they are written */
            return false;
        w->parents[v] |= 1u << (last = u);
        w->configurations[v] *= w->states[u] ? w->states[u] : 1;
    }
    return w->configurations[v] <= CONFIGURATIONS;
}

static bool read_numbers(struct world *w, int v, const struct json *row)
{
    const struct json *table = json_get(row, "table");
    const struct json *all = json_get(row, "regressions");
    if (json_count(w->states[v] ? table : all) != w->configurations[v])
        return false;
    for (int c = 0; c < w->configurations[v]; c++) {
        const struct json *one = json_at(all, c);
        for (int k = 0; k < w->states[v]; k++)
            w->table[v][c][k] = json_number(json_at(json_at(table, c), k));
        w->intercept[v][c] = json_number(json_get(one, "intercept"));
        w->sd[v][c] = json_number(json_get(one, "sd"));
        for (int u = 0; u < w->n; u++) {
            char name[2] = {(char)('A' + u), 0};
            const struct json *x =
                json_get(json_get(one, "coefficients"), name);
            w->coefficient[v][c][u] = x ? json_number(x) : 0;
        }
    }
    return true;
}

/* States that did not occur are gone: those that are there are kept, in their
 * order. */
static bool read_states(struct world *w, int v, const struct json *row,
                        int state[STATES])
{
    const struct json *labels = json_get(row, "states");
    w->states[v] = json_count(labels);
    for (int k = 0; k < STATES; k++)
        state[k] = -1;
    for (int k = 0; k < w->states[v]; k++) {
        const char *label = json_text(json_at(labels, k));
        if (!label || label[0] != 's' || label[1] < 'a' ||
            label[1] >= 'a' + STATES)
            return false;
        state[label[1] - 'a'] = k;
    }
    return w->states[v] <= STATES;
}

bool world_read(struct world *w, int n, const char *path, struct json **notes,
                int state[FEW][STATES])
{
    char *text = file_read(path);
    *notes = text ? json_read(text) : NULL;
    const struct json *rows = json_get(*notes, "variables");
    bool fine = json_count(rows) == n;
    memset(w, 0, sizeof *w);
    w->n = n;
    for (int v = 0; v < n && fine; v++)
        fine = letter(json_get(json_at(rows, v), "name"), n) == v &&
               read_states(w, v, json_at(rows, v), state[v]);
    for (int v = 0; v < n && fine; v++)
        fine = read_parents(w, v, json_at(rows, v));
    for (int v = 0; v < n && fine; v++)
        fine = read_numbers(w, v, json_at(rows, v));
    free(text);
    return fine;
}

/* ---- sampling ------------------------------------------------------------
 */

static void draw_value(const struct world *w, int v, struct atom *row,
                       uint64_t *seed)
{
    int c = configuration(w, v, row->state);
    double unit = draw_unit(seed), wave = 0;
    for (int k = 0; k < 6; k++) /* near normal */
        wave += draw_unit(seed) - .5;
    row->mean[v] = w->intercept[v][c] + wave * w->sd[v][c];
    for (int u = 0; u < w->n; u++)
        row->mean[v] += w->coefficient[v][c][u] * row->mean[u];
    for (int k = 0; k < w->states[v]; k++) {
        row->state[v] = k;
        unit -= w->table[v][c][k];
        if (unit < 0)
            break;
    }
}

void world_sample(const struct world *w, struct atom *row, uint64_t *seed)
{
    unsigned done = 0;
    memset(row, 0, sizeof *row);
    for (int round = 0; round < w->n; round++)
        for (int v = 0; v < w->n; v++)
            if (!(done >> v & 1) && !(w->parents[v] & ~done)) {
                draw_value(w, v, row, seed);
                done |= 1u << v;
            }
}
