/* SPDX-License-Identifier: MIT */
/* hole_posterior.c -- the posterior of the holes of a row, given its values.
 *
 * Given the values of a row, its holes are connected only through families that
 * have two of them. The components of that graph are independent of each other,
 * and in tables with a moderate share of holes nearly all are small: the
 * posterior of a component is then computed by listing its joint states, as the
 * product of the tables of all families with one of its holes. The result is
 * that of a junction tree, which is used only for components with too many
 * joint states (em_step.c).
 *
 * Time for a row: the sum over components of joint states times families. */
#include "models/holes/hole_posterior.h"

#include <math.h>
#include <string.h>

enum { MOST_HOLES = 64 }; /* of a component that is listed */

/* ---- making -------------------------------------------------------------- */

static void list_children(struct bestdag_hole_plan *p)
{
    const struct bestdag_dag *dag = p->network->dag;
    for (int v = 0; v < p->n; v++)
        for (int i = 0; i < dag->parents[v].count; i++)
            p->child_start[dag->parents[v].at[i] + 1]++;
    for (int v = 0; v < p->n; v++)
        p->child_start[v + 1] += p->child_start[v];
    for (int v = 0; v < p->n; v++)
        for (int i = 0; i < dag->parents[v].count; i++)
            p->child[p->child_start[dag->parents[v].at[i]]++] = v;
    for (int v = p->n; v > 0; v--)
        p->child_start[v] = p->child_start[v - 1];
    p->child_start[0] = 0;
}

int bestdag_hole_plan_new(struct bestdag_run *run,
                          const struct bestdag_network *network,
                          int64_t most_cells, struct bestdag_hole_plan *to)
{
    size_t n = (size_t)network->dag->n;
    size_t arcs = (size_t)bestdag_dag_arcs(network->dag);
    *to = (struct bestdag_hole_plan){
        .network = network, .n = (int)n, .most_cells = most_cells};
    to->child = bestdag_alloc(run, (arcs + 1) * sizeof *to->child);
    to->child_start = bestdag_calloc(run, n + 2, sizeof *to->child_start);
    to->hole = bestdag_alloc(run, n * sizeof *to->hole);
    to->place = bestdag_alloc(run, n * sizeof *to->place);
    to->root = bestdag_alloc(run, n * sizeof *to->root);
    to->listed = bestdag_calloc(run, n, sizeof *to->listed);
    to->component = bestdag_alloc(run, n * sizeof *to->component);
    to->family = bestdag_alloc(run, n * sizeof *to->family);
    to->member = bestdag_alloc(run, (arcs + n) * sizeof *to->member);
    to->cell = bestdag_alloc(run, (size_t)most_cells * sizeof *to->cell);
    if (!bestdag_run_status(run))
        list_children(to);
    return bestdag_run_status(run);
}

void bestdag_hole_plan_release(struct bestdag_hole_plan *p)
{
    bestdag_free(p->child);
    bestdag_free(p->child_start);
    bestdag_free(p->hole);
    bestdag_free(p->place);
    bestdag_free(p->root);
    bestdag_free(p->listed);
    bestdag_free(p->component);
    bestdag_free(p->family);
    bestdag_free(p->member);
    bestdag_free(p->cell);
    *p = (struct bestdag_hole_plan){0};
}

/* ---- a pattern ----------------------------------------------------------- */

static int find_root(int *root, int v)
{
    while (root[v] != v)
        v = root[v] = root[root[v]];
    return v;
}

/* Connects all holes of v's family. */
static void connect(struct bestdag_hole_plan *p, const uint16_t *row, int v)
{
    const struct bestdag_parents *parents = &p->network->dag->parents[v];
    int first = row[v] == BESTDAG_HOLE ? v : -1;
    for (int i = 0; i < parents->count; i++) {
        int u = parents->at[i];
        if (row[u] != BESTDAG_HOLE)
            continue;
        if (first < 0)
            first = u;
        int a = find_root(p->root, first), b = find_root(p->root, u);
        p->root[a > b ? a : b] = a > b ? b : a;
    }
}

/* Connects the holes of v's own family and of its children's families. */
static void connect_around(struct bestdag_hole_plan *p, const uint16_t *row,
                           int v)
{
    connect(p, row, v);
    for (int i = p->child_start[v]; i < p->child_start[v + 1]; i++)
        connect(p, row, p->child[i]);
}

/* Lists the holes of each component, ascending, and computes the number of its
 * joint states. */
static void gather_holes(struct bestdag_hole_plan *p, const uint16_t *row)
{
    p->holes = p->components = 0;
    for (int v = 0; v < p->n; v++) {
        if (row[v] != BESTDAG_HOLE || find_root(p->root, v) != v)
            continue;
        struct bestdag_hole_component *c = &p->component[p->components++];
        *c = (struct bestdag_hole_component){.first = p->holes, .cells = 1};
        for (int u = v; u < p->n; u++) {
            if (row[u] != BESTDAG_HOLE || find_root(p->root, u) != v)
                continue;
            p->place[u] = p->holes;
            p->hole[p->holes++] = u;
            c->holes++;
            int states = p->network->variable[u].states;
            c->cells = c->cells < 0 || c->holes > MOST_HOLES ||
                               c->cells > p->most_cells / states
                           ? -1
                           : c->cells * states;
        }
    }
}

static void add_family(struct bestdag_hole_plan *p, int v, int c, int *members)
{
    const struct bestdag_parents *parents = &p->network->dag->parents[v];
    struct bestdag_hole_family *f = &p->family[p->families++];
    int64_t stride = 1;
    *f = (struct bestdag_hole_family){
        .child = v, .component = c, .place = *members};
    p->listed[v] = true;
    for (int i = parents->count; i >= 0; i--) {
        int u = i < parents->count ? parents->at[i] : v;
        if (p->place[u] >= 0)
            p->member[(*members)++] = (struct bestdag_open_member){
                p->place[u] - p->component[c].first, stride};
        stride *= p->network->variable[u].states;
    }
    f->open = *members - f->place;
}

static void gather_families(struct bestdag_hole_plan *p)
{
    int members = 0;
    p->families = 0;
    for (int c = 0; c < p->components; c++) {
        struct bestdag_hole_component *k = &p->component[c];
        k->family = p->families;
        for (int h = k->first; h < k->first + k->holes; h++) {
            int v = p->hole[h];
            if (!p->listed[v])
                add_family(p, v, c, &members);
            for (int i = p->child_start[v]; i < p->child_start[v + 1]; i++)
                if (!p->listed[p->child[i]])
                    add_family(p, p->child[i], c, &members);
        }
        k->families = p->families - k->family;
    }
    for (int f = 0; f < p->families; f++)
        p->listed[p->family[f].child] = false;
}

static void set_pattern(struct bestdag_hole_plan *p, const uint16_t *row)
{
    for (int v = 0; v < p->n; v++) {
        p->root[v] = v;
        p->place[v] = -1;
    }
    for (int v = 0; v < p->n; v++)
        if (row[v] == BESTDAG_HOLE)
            connect_around(p, row, v);
    gather_holes(p, row);
    gather_families(p);
}

void bestdag_hole_plan_set(struct bestdag_hole_plan *p, const uint16_t *row,
                           uint64_t pattern)
{
    if (!p->has_pattern || p->pattern != pattern)
        set_pattern(p, row);
    p->pattern = pattern;
    p->has_pattern = true;
    for (int f = 0; f < p->families; f++) {
        int v = p->family[f].child;
        const struct bestdag_parents *parents = &p->network->dag->parents[v];
        int64_t at = 0;
        for (int i = 0; i <= parents->count; i++) {
            int u = i < parents->count ? parents->at[i] : v;
            at = at * p->network->variable[u].states +
                 (row[u] == BESTDAG_HOLE ? 0 : row[u]);
        }
        p->family[f].base = at;
    }
}

/* ---- the posterior ------------------------------------------------------- */

/* Multiplies a family's table into all joint states. */
static void multiply(struct bestdag_hole_plan *p,
                     const struct bestdag_hole_component *c,
                     const struct bestdag_hole_family *f)
{
    const double *table = p->network->variable[f->child].table;
    int64_t step[MOST_HOLES], at = f->base;
    int state[MOST_HOLES] = {0}, holes = c->holes;
    memset(step, 0, (size_t)holes * sizeof *step);
    for (int i = 0; i < f->open; i++)
        step[p->member[f->place + i].hole] = p->member[f->place + i].stride;
    for (int64_t j = 0; j < c->cells; j++) {
        p->cell[j] *= table[at];
        for (int h = holes - 1; h >= 0; h--) {
            int states = p->network->variable[p->hole[c->first + h]].states;
            at += step[h];
            if (++state[h] < states)
                break;
            at -= step[h] * states;
            state[h] = 0;
        }
    }
}

/* Scales the largest to about 1, so that long products do not underflow. */
static double rescale(double *cell, int64_t cells)
{
    double most = 0;
    int exponent;
    for (int64_t j = 0; j < cells; j++)
        most = cell[j] > most ? cell[j] : most;
    if (most <= 0 || most > 0x1p-200)
        return 0;
    frexp(most, &exponent);
    for (int64_t j = 0; j < cells; j++)
        cell[j] = ldexp(cell[j], -exponent);
    return exponent * 0.69314718055994530942;
}

double bestdag_hole_plan_enumerate(struct bestdag_hole_plan *p, int which)
{
    const struct bestdag_hole_component *c = &p->component[which];
    double ln = 0, sum = 0;
    for (int64_t j = 0; j < c->cells; j++)
        p->cell[j] = 1;
    for (int f = 0; f < c->families; f++) {
        multiply(p, c, &p->family[c->family + f]);
        ln += rescale(p->cell, c->cells);
    }
    for (int64_t j = 0; j < c->cells; j++)
        sum += p->cell[j];
    for (int64_t j = 0; j < c->cells; j++)
        p->cell[j] = sum > 0 ? p->cell[j] / sum : 0;
    return sum > 0 ? ln + log(sum) : -(double)INFINITY;
}
