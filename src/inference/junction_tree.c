/* SPDX-License-Identifier: MIT */
/* junction_tree.c -- from an elimination order to a junction tree.
 *
 * When v is eliminated, it and its remaining neighbours form a clique, whose
 * parent is the clique of the neighbour that is eliminated next. A clique that
 * is contained in one of its children is merged with it, so that only maximal
 * cliques remain (Blair and Peyton 1993). Axes are in the reverse of the order:
 *
 *     axes of a clique, slow to fast:  [ shared with the parent | the rest ]
 *
 * so the message to the parent is a sum over the fast axes. A factor belongs to
 * the clique of its variable that is eliminated first; its numbers are copied
 * with their axes in the order of the clique. */
#include "inference/junction_tree.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/row.h"

/* From this number of children on, one product and a division per child are
 * cheaper than a product per child, although any change of evidence then drops
 * the messages. */
enum { HUB = 4 };

struct builder {
    struct bestdag_run *run;
    const struct bestdag_potentials *p;
    const struct bestdag_triangulation *t;
    size_t words;
    struct bestdag_junction_tree *tree;
    int *position; /* [n]: in the order */
    int *node;     /* [n]: clique of a variable, -1: none */
    int *bottom;   /* [n], by clique: the variable eliminated first */
    int *top;      /* [n], by clique: the variable eliminated last */
    int *number;   /* [n], by clique: its final number */
    int *ints;     /* the unused rest of int_room */
    int64_t *longs;
};

int bestdag_potentials_graph(struct bestdag_run *run,
                             const struct bestdag_potentials *p,
                             struct bestdag_interaction *to)
{
    int *members = bestdag_alloc(run, ((size_t)p->n + 1) * sizeof *members);
    if (!bestdag_interaction_new(run, p->n, to) && members) {
        for (int v = 0; v < p->n; v++)
            to->states[v] = p->cut[v] ? 1 : p->states[v];
        for (int f = 0; f < p->count; f++) {
            const struct bestdag_potential *x = &p->item[f];
            int count = 0;
            for (int i = 0; i < x->count; i++)
                if (!p->cut[x->scope[i]])
                    members[count++] = x->scope[i];
            bestdag_interaction_join(to, members, count);
        }
    }
    bestdag_free(members);
    return bestdag_run_status(run);
}

static const uint64_t *later(const struct builder *b, int v)
{
    return b->t->row + (size_t)v * b->words;
}

static int degree(const struct builder *b, int v)
{
    return bestdag_row_count(later(b, v), b->words);
}

/* ---- cliques ------------------------------------------------------------- */

/* Determines which variables share a clique; returns the total number of
 * axes. */
static int64_t find_cliques(struct builder *b)
{
    struct bestdag_junction_tree *tree = b->tree;
    int n = b->p->n, found = 0;
    int64_t axes = 0;
    for (int i = 0; i < n; i++) {
        b->position[b->t->order[i]] = i;
        b->node[i] = -1;
    }
    for (int i = 0; i < n; i++) {
        int v = b->t->order[i], u = b->t->parent[v];
        if (b->p->cut[v])
            continue;
        if (b->node[v] < 0) { /* no child has all of its clique */
            b->node[v] = found;
            b->bottom[found++] = v;
            axes += degree(b, v) + 1;
        }
        b->top[b->node[v]] = v;
        if (u >= 0 && b->node[u] < 0 && degree(b, v) == degree(b, u) + 1)
            b->node[u] = b->node[v];
    }
    for (int i = 0, next = 0; i < n; i++) {
        int v = b->t->order[i];
        if (!b->p->cut[v] && b->top[b->node[v]] == v)
            b->number[b->node[v]] = next++;
    }
    tree->cliques = found;
    return axes;
}

static int *take(struct builder *b, int count)
{
    int *at = b->ints;
    b->ints += count;
    return at;
}

/* Sets the axes: the variable eliminated last is the slowest. */
static void fill_clique(struct builder *b, int node)
{
    struct bestdag_clique *c = &b->tree->clique[b->number[node]];
    int v = b->bottom[node], u = b->t->parent[b->top[node]], count = 0;
    const uint64_t *row = later(b, v);
    c->axes = degree(b, v) + 1;
    c->axis = take(b, c->axes);
    c->separator = degree(b, b->top[node]);
    c->in_parent = take(b, c->separator);
    c->parent = u < 0 ? -1 : b->number[b->node[u]];
    for (int x = v, from = 0; x >= 0; from = x + 1) {
        int i = count++;
        for (; i > 0 && b->position[c->axis[i - 1]] < b->position[x]; i--)
            c->axis[i] = c->axis[i - 1];
        c->axis[i] = x;
        x = bestdag_row_next(row, b->words, from);
    }
    assert(count == c->axes);
}

static void measure_clique(struct bestdag_junction_tree *tree,
                           struct bestdag_clique *c)
{
    c->cells = c->separator_cells = 1;
    for (int i = 0; i < c->axes; i++) {
        c->cells *= tree->states[c->axis[i]];
        if (i < c->separator)
            c->separator_cells *= tree->states[c->axis[i]];
    }
    c->message = tree->messages;
    tree->messages += c->separator_cells;
    tree->total += c->cells;
    if (c->cells > tree->largest)
        tree->largest = c->cells;
}

static int axis_in(const struct bestdag_clique *c, int v)
{
    int i = 0;
    while (i < c->axes && c->axis[i] != v)
        i++;
    return i < c->axes ? i : -1;
}

static void link_cliques(struct builder *b)
{
    struct bestdag_junction_tree *tree = b->tree;
    for (int i = 0; i < tree->cliques; i++)
        if (tree->clique[i].parent >= 0)
            tree->clique[tree->clique[i].parent].children++;
    for (int i = 0; i < tree->cliques; i++) {
        struct bestdag_clique *c = &tree->clique[i];
        c->child = take(b, c->children);
        c->children = 0;
    }
    for (int i = 0; i < tree->cliques; i++) {
        struct bestdag_clique *c = &tree->clique[i], *up;
        if (c->parent < 0)
            continue;
        assert(c->parent > i);
        up = &tree->clique[c->parent];
        up->child[up->children++] = i;
        for (int k = 0; k < c->separator; k++) {
            c->in_parent[k] = axis_in(up, c->axis[k]);
            assert(c->in_parent[k] >= 0);
        }
    }
}

/* Lists the cliques that contain each variable. */
static int list_containing(struct builder *b, int64_t axes)
{
    struct bestdag_junction_tree *tree = b->tree;
    size_t n = (size_t)tree->n;
    tree->first = bestdag_calloc(b->run, n + 2, sizeof *tree->first);
    tree->containing =
        bestdag_alloc(b->run, (size_t)axes * sizeof *tree->containing);
    if (bestdag_run_status(b->run))
        return bestdag_run_status(b->run);
    int *first =
        tree->first + 1; /* first[v + 1]: where v's next clique is written */
    for (int i = 0; i < tree->cliques; i++)
        for (int k = 0; k < tree->clique[i].axes; k++)
            first[tree->clique[i].axis[k] + 1]++;
    for (size_t v = 0; v < n; v++)
        first[v + 1] += first[v];
    for (int i = 0; i < tree->cliques; i++)
        for (int k = 0; k < tree->clique[i].axes; k++)
            tree->containing[first[tree->clique[i].axis[k]]++] = i;
    return BESTDAG_OK;
}

/* ---- factors ------------------------------------------------------------- */

/* The clique of the factor's variable that is eliminated first; for a factor
 * without variables, the last clique. */
static int clique_of(const struct builder *b, const struct bestdag_potential *x)
{
    int first = -1;
    for (int i = 0; i < x->count; i++)
        if (!b->p->cut[x->scope[i]] &&
            (first < 0 || b->position[x->scope[i]] < b->position[first]))
            first = x->scope[i];
    return first < 0 ? b->tree->cliques - 1 : b->number[b->node[first]];
}

static int64_t cells_of(const struct builder *b,
                        const struct bestdag_potential *x)
{
    int64_t cells = 1;
    for (int i = 0; i < x->count; i++)
        cells *= b->p->states[x->scope[i]];
    return cells;
}

/* Axes and cut variables, with the strides that they get: cut ones slowest. */
static void lay_out(struct builder *b, const struct bestdag_potential *x,
                    const struct bestdag_clique *c,
                    struct bestdag_tree_factor *to)
{
    int64_t stride = 1;
    to->axis = take(b, x->count);
    to->cut = take(b, x->count);
    to->stride = b->longs;
    to->cut_stride = b->longs + x->count;
    b->longs += 2 * (ptrdiff_t)x->count;
    for (int k = 0; k < c->axes; k++)
        for (int i = 0; i < x->count; i++)
            if (x->scope[i] == c->axis[k])
                to->axis[to->axes++] = k;
    for (int i = 0; i < x->count; i++)
        if (b->p->cut[x->scope[i]])
            to->cut[to->cuts++] = x->scope[i];
    for (int k = to->axes - 1; k >= 0; k--) {
        to->stride[k] = stride;
        stride *= b->p->states[c->axis[to->axis[k]]];
    }
    for (int k = to->cuts - 1; k >= 0; k--) {
        to->cut_stride[k] = stride;
        stride *= b->p->states[to->cut[k]];
    }
}

static int64_t stride_of(const struct bestdag_tree_factor *f,
                         const struct bestdag_clique *c, int v)
{
    for (int k = 0; k < f->axes; k++)
        if (c->axis[f->axis[k]] == v)
            return f->stride[k];
    for (int k = 0; k < f->cuts; k++)
        if (f->cut[k] == v)
            return f->cut_stride[k];
    return 0;
}

/* Copies its numbers into the new layout. */
static void copy_numbers(struct builder *b, const struct bestdag_potential *x,
                         const struct bestdag_clique *c,
                         const struct bestdag_tree_factor *f)
{
    double *to = b->tree->linear + f->cell;
    int64_t cells = cells_of(b, x), at = 0;
    int64_t stride[BESTDAG_MOST_AXES] = {0};
    int state[BESTDAG_MOST_AXES] = {0}, scope[BESTDAG_MOST_AXES], count = 0;
    for (int i = 0; i < x->count; i++)
        if (b->p->states[x->scope[i]] > 1) {
            stride[count] = stride_of(f, c, x->scope[i]);
            scope[count++] = x->scope[i];
        }
    for (int64_t i = 0; i < cells; i++) {
        to[at] = x->cell[i];
        for (int k = count - 1; k >= 0; k--) {
            at += stride[k];
            if (++state[k] < b->p->states[scope[k]])
                break;
            at -= state[k] * stride[k];
            state[k] = 0;
        }
    }
}

static int place_factors(struct builder *b)
{
    struct bestdag_junction_tree *tree = b->tree;
    tree->factor =
        bestdag_calloc(b->run, (size_t)b->p->count, sizeof *tree->factor);
    for (int f = 0; f < b->p->count; f++)
        tree->numbers += cells_of(b, &b->p->item[f]);
    size_t bytes = (size_t)tree->numbers * sizeof(double);
    tree->linear = bestdag_alloc(b->run, bytes);
    tree->logarithm = bestdag_alloc(b->run, bytes);
    if (bestdag_run_status(b->run))
        return bestdag_run_status(b->run);
    tree->factors = b->p->count;
    for (int f = 0; f < b->p->count; f++)
        tree->clique[clique_of(b, &b->p->item[f])].factors++;
    for (int i = 0; i < tree->cliques; i++) {
        tree->clique[i].factor = take(b, tree->clique[i].factors);
        tree->clique[i].factors = 0;
    }
    int64_t cell = 0;
    for (int f = 0; f < b->p->count; f++) {
        const struct bestdag_potential *x = &b->p->item[f];
        struct bestdag_clique *c = &tree->clique[clique_of(b, x)];
        struct bestdag_tree_factor *to = &tree->factor[f];
        c->factor[c->factors++] = f;
        to->head = x->head;
        to->cell = cell;
        lay_out(b, x, c, to);
        copy_numbers(b, x, c, to);
        cell += cells_of(b, x);
    }
    for (int64_t i = 0; i < tree->numbers; i++)
        tree->logarithm[i] = log(tree->linear[i]);
    return BESTDAG_OK;
}

/* ---- what follows from it ------------------------------------------------ */

static bool is_shared(const struct bestdag_clique *c, int v)
{
    int axis = axis_in(c, v);
    return axis >= 0 && axis < c->separator;
}

/* Sets `unit`: a message up is 1 if all factors below are conditional
 * probabilities of variables that are summed out below. */
static void find_units(struct bestdag_junction_tree *tree)
{
    for (int i = 0; i < tree->cliques; i++)
        tree->clique[i].unit = true;
    for (int i = 0; i < tree->cliques; i++)
        for (int k = 0; k < tree->clique[i].factors; k++) {
            int v = tree->factor[tree->clique[i].factor[k]].head;
            bool improper = v < 0 || (tree->cut[v] && tree->states[v] > 1);
            for (int c = i; c >= 0; c = tree->clique[c].parent) {
                if (!improper && !is_shared(&tree->clique[c], v))
                    break;
                tree->clique[c].unit = false;
            }
        }
}

/* Evidence enters where the variable's own factor is, or else anywhere. */
static void find_homes(struct builder *b)
{
    struct bestdag_junction_tree *tree = b->tree;
    for (int v = 0; v < tree->n; v++)
        tree->home[v] = tree->cut[v] ? -1 : tree->containing[tree->first[v]];
    for (int i = 0; i < tree->cliques; i++)
        for (int k = 0; k < tree->clique[i].factors; k++) {
            int v = tree->factor[tree->clique[i].factor[k]].head;
            if (v >= 0 && !tree->cut[v])
                tree->home[v] = i;
        }
    for (int v = 0; v < tree->n; v++)
        if (tree->home[v] >= 0)
            tree->clique[tree->home[v]].homes++;
    for (int i = 0; i < tree->cliques; i++) {
        tree->clique[i].home = take(b, tree->clique[i].homes);
        tree->clique[i].homes = 0;
    }
    for (int v = 0; v < tree->n; v++)
        if (tree->home[v] >= 0) {
            struct bestdag_clique *c = &tree->clique[tree->home[v]];
            c->home[c->homes++] = v;
        }
}

/* The smallest table with the variable, from which its marginal is read. */
static int place_of(const struct bestdag_junction_tree *tree, int v,
                    bool *shared)
{
    int64_t least = INT64_MAX;
    int place = -1;
    for (int k = tree->first[v]; k < tree->first[v + 1]; k++) {
        const struct bestdag_clique *c = &tree->clique[tree->containing[k]];
        bool is = is_shared(c, v);
        int64_t cells = is ? c->separator_cells : c->cells;
        if (cells < least) {
            least = cells;
            place = tree->containing[k];
            *shared = is;
        }
    }
    return place;
}

static void find_places(struct builder *b)
{
    struct bestdag_junction_tree *tree = b->tree;
    for (int round = 0; round < 2; round++) {
        for (int v = 0; v < tree->n; v++) {
            bool shared = false;
            if (tree->cut[v])
                continue;
            tree->place[v] = place_of(tree, v, &shared);
            tree->place_shared[v] = shared;
            struct bestdag_clique *c = &tree->clique[tree->place[v]];
            int *count = shared ? &c->placings_up : &c->placings;
            if (round)
                (shared ? c->placed_up : c->placed)[*count] = v;
            ++*count;
        }
        for (int i = 0; !round && i < tree->cliques; i++) {
            struct bestdag_clique *c = &tree->clique[i];
            c->placed = take(b, c->placings);
            c->placed_up = take(b, c->placings_up);
            c->placings = c->placings_up = 0;
        }
    }
}

static void measure(struct bestdag_junction_tree *tree)
{
    for (int i = tree->cliques - 1; i >= 0; i--) {
        struct bestdag_clique *c = &tree->clique[i];
        const struct bestdag_clique *up =
            c->parent < 0 ? NULL : &tree->clique[c->parent];
        c->hub = c->children >= HUB;
        c->divided = up && (up->hub || up->divided);
    }
    for (int i = 0; i < tree->cliques; i++) {
        struct bestdag_clique *c = &tree->clique[i];
        int operands = c->factors + c->homes + c->children + 1;
        if (operands > tree->operands)
            tree->operands = operands;
        tree->work += 2.0 * (double)c->cells * (operands + 1) +
                      (double)c->cells * c->children;
    }
}

/* ---- the whole ----------------------------------------------------------- */

static int build(struct builder *b)
{
    struct bestdag_junction_tree *tree = b->tree;
    int64_t axes = find_cliques(b), scopes = 0;
    int cliques = tree->cliques;
    for (int f = 0; f < b->p->count; f++)
        scopes += b->p->item[f].count;
    if (!cliques)
        tree->cliques = 1;
    tree->clique =
        bestdag_calloc(b->run, (size_t)tree->cliques, sizeof *tree->clique);
    b->ints = tree->int_room =
        bestdag_alloc(b->run, (size_t)(2 * axes + 2 * scopes + b->p->count +
                                       tree->cliques + 2 * tree->n) *
                                  sizeof *b->ints);
    b->longs = tree->long_room =
        bestdag_alloc(b->run, (size_t)(2 * scopes) * sizeof *b->longs);
    if (bestdag_run_status(b->run))
        return bestdag_run_status(b->run);
    tree->clique[tree->cliques - 1].parent = -1;
    for (int i = 0; i < cliques; i++)
        fill_clique(b, i);
    for (int i = 0; i < tree->cliques; i++)
        measure_clique(tree, &tree->clique[i]);
    link_cliques(b);
    if (list_containing(b, axes) || place_factors(b))
        return bestdag_run_status(b->run);
    find_units(tree);
    find_homes(b);
    find_places(b);
    measure(tree);
    return BESTDAG_OK;
}

struct bestdag_junction_tree *bestdag_junction_tree_new(
    struct bestdag_run *run, const struct bestdag_potentials *p,
    const struct bestdag_interaction *graph,
    const struct bestdag_triangulation *order)
{
    size_t n = (size_t)p->n;
    struct bestdag_junction_tree *tree = bestdag_calloc(run, 1, sizeof *tree);
    int *room = bestdag_alloc(run, (5 * n + 1) * sizeof *room);
    if (tree) {
        tree->n = p->n;
        tree->states = bestdag_alloc(run, n * sizeof *tree->states);
        tree->cut = bestdag_alloc(run, n * sizeof *tree->cut);
        tree->home = bestdag_alloc(run, n * sizeof *tree->home);
        tree->place = bestdag_alloc(run, n * sizeof *tree->place);
        tree->place_shared = bestdag_alloc(run, n * sizeof(bool));
    }
    struct builder b = {.run = run,
                        .p = p,
                        .t = order,
                        .words = (size_t)graph->words,
                        .tree = tree,
                        .position = room};
    if (!bestdag_run_status(run)) {
        b.node = room + n;
        b.bottom = room + 2 * n;
        b.top = room + 3 * n;
        b.number = room + 4 * n;
        tree->widest = 1;
        for (int v = 0; v < p->n; v++) {
            tree->states[v] = p->states[v];
            tree->cut[v] = p->cut[v];
            if (p->states[v] > tree->widest)
                tree->widest = p->states[v];
        }
        build(&b);
    }
    bestdag_free(room);
    if (bestdag_run_status(run)) {
        bestdag_junction_tree_free(tree);
        return NULL;
    }
    return tree;
}

void bestdag_junction_tree_free(struct bestdag_junction_tree *tree)
{
    if (!tree)
        return;
    bestdag_free(tree->states);
    bestdag_free(tree->cut);
    bestdag_free(tree->clique);
    bestdag_free(tree->factor);
    bestdag_free(tree->linear);
    bestdag_free(tree->logarithm);
    bestdag_free(tree->home);
    bestdag_free(tree->place);
    bestdag_free(tree->place_shared);
    bestdag_free(tree->containing);
    bestdag_free(tree->first);
    bestdag_free(tree->int_room);
    bestdag_free(tree->long_room);
    bestdag_free(tree);
}
