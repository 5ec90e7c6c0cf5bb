/* SPDX-License-Identifier: MIT */
/* evidence_update.c -- messages in a junction tree under changing evidence.
 *
 * Shafer and Shenoy (1990): clique i sends to its parent the product of its
 * factors and of its children's messages, summed over the variables that the
 * parent lacks; it gets the product of the parent's factors and of all other
 * messages to the parent. A message stays until evidence changes on its sending
 * side, so that a new finding costs the messages that lead away from it. A
 * clique with several children is visited once for all of them, and its full
 * product is divided by each child's message (Jensen 1990); such messages, and
 * those further down, are lost whenever anything changes. So a message depends,
 * to the last bit, on the present evidence only.
 *
 *   - A variable whose state is known is no longer an axis: tables and
 *     messages shrink. An intervention does the same, and its own factor is
 *     left out.
 *   - Below a clique without evidence, conditional probabilities of variables
 *     that end there sum to 1: nothing is computed or sent (barren parts).
 *   - Messages are scaled by powers of 2, which changes no digit. Where the
 *     largest number of a message comes near to underflow, `is_tiny` is set,
 *     and the caller repeats everything with logarithms.
 *
 * Cost: numbers of a table times its factors and messages, for each table that
 * a missing message needs. Memory: two messages for each separator. */
#include "inference/messages.h"

#include <math.h>
#include <string.h>

/* ---- making -------------------------------------------------------------- */

static int most_results(const struct bestdag_junction_tree *tree)
{
    int most = 1;
    for (int i = 0; i < tree->cliques; i++) {
        const struct bestdag_clique *c = &tree->clique[i];
        int results = c->children + c->placings + c->placings_up + 1;
        most = results > most ? results : most;
    }
    return most;
}

static int64_t states_of(const struct bestdag_junction_tree *tree)
{
    int64_t all = 0;
    for (int v = 0; v < tree->n; v++)
        all += tree->states[v];
    return all;
}

int64_t bestdag_messages_bytes(const struct bestdag_junction_tree *tree)
{
    int64_t n = tree->n, cliques = tree->cliques, all = states_of(tree);
    return (int64_t)sizeof(struct bestdag_tree_messages) +
           2 * tree->messages * 8 + n * 16 + all * 24 + cliques * 32 +
           bestdag_frame_room(tree->widest) * 8 +
           (tree->operands + most_results(tree)) *
               (int64_t)sizeof(struct bestdag_operand);
}

static void take_memory(struct bestdag_run *run,
                        struct bestdag_tree_messages *p)
{
    const struct bestdag_junction_tree *tree = p->tree;
    size_t n = (size_t)tree->n, cliques = (size_t)tree->cliques;
    size_t all = (size_t)states_of(tree), numbers = (size_t)tree->messages;
    p->offset = bestdag_calloc(run, n + 1, sizeof *p->offset);
    p->weight = bestdag_calloc(run, all, sizeof *p->weight);
    p->log_weight = bestdag_calloc(run, all, sizeof *p->log_weight);
    p->marginal = bestdag_calloc(run, all, sizeof *p->marginal);
    p->known = bestdag_calloc(run, n, sizeof *p->known);
    p->forced = bestdag_calloc(run, n, sizeof *p->forced);
    p->fixed = bestdag_calloc(run, n, sizeof *p->fixed);
    p->slice = bestdag_calloc(run, n, sizeof *p->slice);
    p->up = bestdag_alloc(run, numbers * sizeof *p->up);
    p->down = bestdag_alloc(run, numbers * sizeof *p->down);
    p->has_up = bestdag_calloc(run, cliques, sizeof *p->has_up);
    p->has_down = bestdag_calloc(run, cliques, sizeof *p->has_down);
    p->tiny_up = bestdag_calloc(run, cliques, sizeof *p->tiny_up);
    p->tiny_down = bestdag_calloc(run, cliques, sizeof *p->tiny_down);
    p->is_unit = bestdag_calloc(run, cliques, sizeof *p->is_unit);
    p->has_place = bestdag_calloc(run, cliques, sizeof *p->has_place);
    p->has_place_up = bestdag_calloc(run, cliques, sizeof *p->has_place_up);
    p->exponent = bestdag_calloc(run, cliques, sizeof *p->exponent);
    p->dirty = bestdag_calloc(run, cliques, sizeof *p->dirty);
    p->heard = bestdag_calloc(run, cliques, sizeof *p->heard);
    p->factor =
        bestdag_alloc(run, (size_t)(tree->operands + 2) * sizeof *p->factor);
    p->result =
        bestdag_alloc(run, (size_t)most_results(tree) * sizeof *p->result);
    p->block = bestdag_alloc(run, (size_t)bestdag_frame_room(tree->widest) *
                                      sizeof *p->block);
}

struct bestdag_tree_messages *bestdag_messages_new(
    struct bestdag_run *run, const struct bestdag_junction_tree *tree)
{
    struct bestdag_tree_messages *p = bestdag_calloc(run, 1, sizeof *p);
    if (!p)
        return NULL;
    p->run = run;
    p->tree = tree;
    take_memory(run, p);
    if (bestdag_run_status(run)) {
        bestdag_messages_free(p);
        return NULL;
    }
    for (int v = 0; v < tree->n; v++) {
        p->offset[v + 1] = p->offset[v] + tree->states[v];
        p->slice[v] = -1;
        p->fixed[v] = tree->cut[v] ? 0 : -1;
        for (int s = p->offset[v]; s < p->offset[v + 1]; s++)
            p->weight[s] = 1;
    }
    return p;
}

void bestdag_messages_free(struct bestdag_tree_messages *p)
{
    if (!p)
        return;
    bestdag_free(p->offset);
    bestdag_free(p->weight);
    bestdag_free(p->log_weight);
    bestdag_free(p->marginal);
    bestdag_free(p->known);
    bestdag_free(p->forced);
    bestdag_free(p->fixed);
    bestdag_free(p->slice);
    bestdag_free(p->up);
    bestdag_free(p->down);
    bestdag_free(p->has_up);
    bestdag_free(p->has_down);
    bestdag_free(p->tiny_up);
    bestdag_free(p->tiny_down);
    bestdag_free(p->is_unit);
    bestdag_free(p->has_place);
    bestdag_free(p->has_place_up);
    bestdag_free(p->exponent);
    bestdag_free(p->dirty);
    bestdag_free(p->heard);
    bestdag_free(p->factor);
    bestdag_free(p->result);
    bestdag_free(p->block);
    bestdag_free(p);
}

/* ---- evidence ------------------------------------------------------------ */

/* Copies the evidence on v, and marks the cliques that it changes. */
static void apply(struct bestdag_tree_messages *p, int v,
                  const struct bestdag_evidence *e, int x, int cut_state)
{
    const struct bestdag_junction_tree *tree = p->tree;
    const double *weight = bestdag_evidence_of(e, x);
    int states = tree->states[v], fixed = e->doing[x];
    bool forced = fixed >= 0, known = e->known[x], changed;
    size_t bytes = (size_t)states * sizeof *weight;
    if (fixed < 0)
        fixed = tree->cut[v] ? cut_state : e->seen[x];
    changed = forced != p->forced[v] || fixed != p->fixed[v];
    bool reweighed = known != p->known[v] ||
                     (known && memcmp(weight, p->weight + p->offset[v], bytes));
    if (reweighed) {
        memcpy(p->weight + p->offset[v], weight, bytes);
        for (int s = 0; s < states; s++)
            p->log_weight[p->offset[v] + s] = log(weight[s]);
    }
    p->forced[v] = forced;
    p->fixed[v] = fixed;
    p->known[v] = known;
    if (reweighed && !tree->cut[v])
        p->dirty[tree->home[v]] = 1;
    for (int k = tree->first[v]; changed && k < tree->first[v + 1]; k++)
        p->dirty[tree->containing[k]] = 1;
}

/* Cut variables are no axes: marks the cliques that have a factor with a cut
 * variable whose state changed. */
static void apply_cuts(struct bestdag_tree_messages *p, const int *before)
{
    const struct bestdag_junction_tree *tree = p->tree;
    for (int i = 0; i < tree->cliques; i++)
        for (int k = 0; k < tree->clique[i].factors; k++) {
            const struct bestdag_tree_factor *f =
                &tree->factor[tree->clique[i].factor[k]];
            for (int c = 0; c < f->cuts; c++)
                if (before[f->cut[c]] != p->fixed[f->cut[c]])
                    p->dirty[i] = 1;
        }
}

/* Drops the messages that lead away from a changed clique. */
static void forget(struct bestdag_tree_messages *p)
{
    const struct bestdag_junction_tree *tree = p->tree;
    int64_t all = 0;
    for (int i = 0; i < tree->cliques; i++) {
        p->heard[i] = 0;
        all += p->dirty[i];
    }
    for (int v = 0; v < tree->n; v++)
        if (p->known[v] && tree->home[v] >= 0)
            p->heard[tree->home[v]]++;
    for (int i = 0; i < tree->cliques; i++) { /* children come first */
        int parent = tree->clique[i].parent;
        if (p->dirty[i])
            p->has_up[i] = false;
        if (p->dirty[i] < all || (all && tree->clique[i].divided))
            p->has_down[i] = false;
        if (all)
            p->has_place[i] = p->has_place_up[i] = false;
        p->is_unit[i] = tree->clique[i].unit && !p->heard[i] &&
                        p->algebra != BESTDAG_MAX_PRODUCT;
        if (parent >= 0) {
            p->dirty[parent] += p->dirty[i];
            p->heard[parent] += p->heard[i];
        }
    }
}

void bestdag_messages_set(struct bestdag_run *run,
                          struct bestdag_tree_messages *p,
                          const struct bestdag_evidence *evidence,
                          const int *of, const int *cut,
                          enum bestdag_algebra algebra)
{
    const struct bestdag_junction_tree *tree = p->tree;
    bool cuts = false;
    p->run = run;
    memset(p->dirty, 0, (size_t)tree->cliques * sizeof *p->dirty);
    for (int v = 0; v < tree->n; v++)
        p->slice[v] = p->fixed[v];
    for (int v = 0; v < tree->n; v++) {
        bool forced = p->forced[v];
        apply(p, v, evidence, of ? of[v] : v, cut ? cut[v] : 0);
        if (forced != p->forced[v])
            p->slice[v] = -2; /* its own factor is added or left out */
        cuts |= tree->cut[v] && p->slice[v] != p->fixed[v];
    }
    if (cuts)
        apply_cuts(p, p->slice);
    for (int v = 0; v < tree->n; v++)
        p->slice[v] = -1;
    for (int i = 0; algebra != p->algebra && i < tree->cliques; i++)
        p->dirty[i] = 1;
    p->algebra = algebra;
    forget(p);
}

double bestdag_messages_work(const struct bestdag_tree_messages *p)
{
    const struct bestdag_junction_tree *tree = p->tree;
    double work = 0;
    for (int i = 0; i < tree->cliques; i++) {
        const struct bestdag_clique *c = &tree->clique[i];
        double cells = 1;
        if (p->is_unit[i])
            continue;
        for (int k = 0; k < c->axes; k++)
            cells *= p->fixed[c->axis[k]] < 0 ? tree->states[c->axis[k]] : 1;
        work += cells * (c->factors + c->children + 1);
    }
    return work;
}
