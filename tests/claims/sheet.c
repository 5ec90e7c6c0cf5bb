/* SPDX-License-Identifier: MIT */
/* sheet.c -- random tables, and the score of every family, counted again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "claims.h"

/* ---- drawing -------------------------------------------------------------
 */

/* A variable follows up to two earlier ones, with noise; some are constant,
 * some have many states. */
static void draw_column(struct sheet *s, int v, uint64_t *seed)
{
    int r = s->states[v] = draw_chance(seed, .05)   ? 1
                           : draw_chance(seed, .05) ? draw_between(seed, 6, 12)
                                                    : draw_between(seed, 2, 4);
    int a = v ? draw_below(seed, v) : -1, b = v ? draw_below(seed, v) : -1;
    int pull = draw_below(seed, 4);
    double noise = draw_unit(seed);
    for (int i = 0; i < s->rows; i++) {
        int mean = 0;
        if (a >= 0 && pull)
            mean += s->cell[i][a];
        if (b >= 0 && pull > 1)
            mean += pull == 2 ? s->cell[i][b] : s->cell[i][a] * s->cell[i][b];
        s->cell[i][v] =
            draw_chance(seed, noise) || !pull ? draw_below(seed, r) : mean % r;
    }
}

static int draw_rows(uint64_t *seed)
{
    return draw_chance(seed, .05)  ? draw_between(seed, 0, 3)
           : draw_chance(seed, .3) ? draw_between(seed, 4, 20)
                                   : draw_between(seed, 20, ROWS);
}

void sheet_draw(struct sheet *s, int n, uint64_t *seed)
{
    memset(s, 0, sizeof *s);
    s->n = n;
    s->rows = draw_rows(seed);
    s->has_weights = draw_chance(seed, .2);
    s->is_arff = !s->has_weights && draw_chance(seed, .2);
    for (int v = 0; v < n; v++)
        draw_column(s, v, seed);
    double missing = draw_chance(seed, .25) ? draw_unit(seed) * .1 : 0;
    bool is_heavy = draw_chance(seed, .2);
    for (int i = 0; i < s->rows; i++) {
        s->weight[i] = !s->has_weights ? 1
                       : is_heavy      ? draw_below(seed, 100000)
                                       : draw_below(seed, 4);
        for (int v = 0; v < n; v++)
            if (draw_chance(seed, missing))
                s->cell[i][v] = -1;
    }
}

static void write_head(const struct sheet *s, FILE *to)
{
    if (s->is_arff)
        fprintf(to, "@relation t\n");
    for (int v = 0; v < s->n; v++)
        if (s->is_arff && s->is_number[v]) {
            fprintf(to, "@attribute %c numeric\n", 'A' + v);
        } else if (s->is_arff) {
            fprintf(to, "@attribute %c {", 'A' + v);
            for (int k = 0; k < s->states[v]; k++)
                fprintf(to, "%ss%c", k ? "," : "", 'a' + k);
            fprintf(to, "}\n");
        } else {
            fprintf(to, "%s%c", v ? "," : "", 'A' + v);
        }
    fprintf(to, "%s\n", s->is_arff ? "@data" : s->has_weights ? ",w" : "");
}

void sheet_write(const struct sheet *s, const char *path)
{
    FILE *to = fopen(path, "w");
    if (!to)
        abort();
    write_head(s, to);
    for (int i = 0; i < s->rows; i++) {
        for (int v = 0; v < s->n; v++)
            if (s->cell[i][v] < 0)
                fprintf(to, "%s?", v ? "," : "");
            else if (s->is_number[v])
                fprintf(to, "%s%.17g", v ? "," : "", s->number[i][v]);
            else
                fprintf(to, "%ss%c", v ? "," : "", 'a' + s->cell[i][v]);
        if (s->has_weights)
            fprintf(to, ",%d", s->weight[i]);
        fprintf(to, "\n");
    }
    fclose(to);
}

/* ---- scoring -------------------------------------------------------------
 */

static bool is_complete(const struct sheet *s, int row)
{
    for (int v = 0; v < s->n; v++)
        if (s->cell[row][v] < 0)
            return false;
    return true;
}

/* Missing becomes the state after the last; states that do not occur go. */
static void count_states(const struct sheet *s, struct rows *r, bool declared)
{
    for (int v = 0; v < s->n; v++) {
        bool seen[16] = {false};
        for (int i = 0; i < r->count; i++)
            if (r->cell[i][v] >= 0)
                seen[r->cell[i][v]] = true;
        for (int k = 0; k < s->states[v]; k++)
            seen[k] |= declared && s->is_arff;
        for (int k = 0; k < 16; k++)
            r->states[v] += seen[k];
    }
}

static void keep_rows(const struct sheet *s, const struct reading *how,
                      struct rows *to)
{
    memset(to, 0, sizeof *to);
    to->n = s->n;
    memcpy(to->is_number, s->is_number, sizeof to->is_number);
    for (int i = 0; i < s->rows; i++) {
        if (!s->weight[i] ||
            (!how->missing_is_state && !how->available && !is_complete(s, i)))
            continue;
        for (int v = 0; v < s->n; v++)
            to->cell[to->count][v] = s->cell[i][v] < 0 && !how->available
                                         ? s->states[v]
                                         : s->cell[i][v];
        memcpy(to->number[to->count], s->number[i], sizeof *to->number);
        to->weight[to->count++] = s->weight[i];
        to->total += s->weight[i];
    }
    count_states(s, to, how->declared);
}

struct cell {
    uint64_t parents;
    int child;
    double weight;
};

static int by_cell(const void *a, const void *b)
{
    const struct cell *x = a, *y = b;
    if (x->parents != y->parents)
        return x->parents < y->parents ? -1 : 1;
    return x->child - y->child;
}

/* What a family is made of: the cells that occur, and how many there could be.
 */
struct family {
    struct cell cell[ROWS];
    int cells, r, arcs;
    double q, n;
};

static void count_family(const struct rows *rows, int child, unsigned parents,
                         struct family *f)
{
    f->cells = f->arcs = 0;
    f->r = rows->states[child];
    f->q = 1;
    f->n = rows->total;
    for (int v = 0; v < rows->n; v++)
        if (parents >> v & 1) {
            f->q *= rows->states[v];
            f->arcs++;
        }
    int count = 0; /* rows that have it */
    for (int i = 0; i < rows->count; i++) {
        struct cell *c = &f->cell[count];
        *c = (struct cell){0, rows->cell[i][child], rows->weight[i]};
        bool is_there = c->child >= 0;
        for (int v = 0; v < rows->n; v++)
            if (parents >> v & 1) {
                c->parents = c->parents * 16 + (uint64_t)rows->cell[i][v];
                is_there &= rows->cell[i][v] >= 0;
            }
        count += is_there;
    }
    qsort(f->cell, (size_t)count, sizeof *f->cell, by_cell);
    for (int i = 0; i < count; i++)
        if (f->cells && !by_cell(&f->cell[f->cells - 1], &f->cell[i]))
            f->cell[f->cells - 1].weight += f->cell[i].weight;
        else
            f->cell[f->cells++] = f->cell[i];
}

static double n_j(const struct family *f, int from, int *next)
{
    double sum = 0;
    int i = from;
    while (i < f->cells && f->cell[i].parents == f->cell[from].parents)
        sum += f->cell[i++].weight;
    *next = i;
    return sum;
}

static double likelihood(const struct family *f)
{
    long double sum = 0;
    for (int i = 0, next; i < f->cells; i = next) {
        double all = n_j(f, i, &next);
        for (int k = i; k < next; k++)
            sum += f->cell[k].weight * logl(f->cell[k].weight / all);
    }
    return (double)sum;
}

/* Each cell has the prior a. */
static double dirichlet(const struct family *f, double a)
{
    long double sum = 0, all_a = (long double)a * f->r;
    for (int i = 0, next; i < f->cells; i = next) {
        double all = n_j(f, i, &next);
        sum += lgammal(all_a) - lgammal(all_a + all);
        for (int k = i; k < next; k++)
            sum += lgammal(a + f->cell[k].weight) - lgammal(a);
    }
    return (double)sum;
}

bool score_is_known(const char *name)
{
    return strcmp(name, "mit") && strcmp(name, "bde");
}

static double node_average(const struct family *f, double penalty)
{
    double rows = 0;
    for (int i = 0; i < f->cells; i++)
        rows += f->cell[i].weight;
    return rows > 0 ? likelihood(f) / rows - penalty / f->n * (f->r - 1) * f->q
                    : -INFINITY;
}

static double local(const struct family *f, const struct reading *how)
{
    double free = (f->r - 1) * f->q, score;
    if (!strcmp(how->score, "bic") || !strcmp(how->score, "mdl") ||
        !strcmp(how->score, "bic-cg"))
        score = likelihood(f) - log(f->n) / 2 * free;
    else if (!strcmp(how->score, "aic") || !strcmp(how->score, "aic-cg"))
        score = likelihood(f) - free;
    else if (!strcmp(how->score, "ll") || !strcmp(how->score, "ll-cg"))
        score = likelihood(f);
    else if (!strcmp(how->score, "k2"))
        score = dirichlet(f, 1);
    else if (!strcmp(how->score, "bd"))
        score = dirichlet(f, how->pseudo);
    else if (!strcmp(how->score, "pnal"))
        score = node_average(f, how->penalty);
    else
        score = dirichlet(f, how->ess / (f->r * f->q));
    return score - how->per_arc * f->arcs;
}

static bool has_number(const struct rows *rows, unsigned set)
{
    for (int v = 0; v < rows->n; v++)
        if (set >> v & 1 && rows->is_number[v])
            return true;
    return false;
}

static double score_family(const struct rows *rows, const struct reading *how,
                           int child, unsigned parents)
{
    static struct family f;
    if (rows->is_number[child])
        return numbers_score(rows, how, child, parents) -
               how->per_arc * __builtin_popcount(parents);
    if (has_number(rows, parents))
        return -INFINITY; /* a number cannot be a parent of a state */
    for (int v = 0; v < rows->n && how->available && parents; v++)
        if ((parents | 1u << child) >> v & 1 && rows->states[v] < 2)
            return (double)NAN; /* it chooses rows, but is not offered */
    count_family(rows, child, parents, &f);
    return local(&f, how);
}

bool sheet_score(const struct sheet *s, const struct reading *how,
                 struct scores *to)
{
    static struct rows rows;
    keep_rows(s, how, &rows);
    to->n = s->n;
    for (int v = 0; v < s->n; v++)
        for (unsigned p = 0; p < 1u << s->n; p++) {
            to->local[v][p] = -INFINITY;
            if (rows.count && !(p >> v & 1))
                to->local[v][p] = score_family(&rows, how, v, p);
        }
    return rows.count > 0;
}

void scores_limit(struct scores *s, int most)
{
    for (int v = 0; v < s->n; v++)
        for (unsigned p = 0; p < 1u << s->n; p++)
            if (__builtin_popcount(p) > most)
                s->local[v][p] = -INFINITY;
}
