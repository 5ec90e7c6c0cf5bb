/* SPDX-License-Identifier: MIT */
/* classifier_structure.c -- structures of classifiers, each the best of its
 * kind.
 *
 * The class is a parent of every attribute. Adding the arc u -> v gains
 *
 *     gain(u -> v) = s(v | class, u) - s(v | class)
 *
 *   nb   nothing is added
 *   tan  the maximum branching of all gains: Friedman, Geiger and Goldszmidt
 *        (1997) for the likelihood, by Edmonds' algorithm for any score; only
 *        arcs that gain
 *   ckg  the best branching orders the attributes: each takes its best set of
 *        at most k among its ancestors there (Carvalho and Oliveira 2007). This
 *        is done for the spanning branching and for the forest, and the better
 *        result is taken: tan's structure is among the latter's, so ckg never
 *        scores below tan.
 *
 * In the papers the tree that orders the attributes spans all of them, whatever
 * its arcs gain: branching 't'.
 *
 * Cost: m^2 families for m attributes, and for ckg the sets of up to k of the
 * ancestors of each; bic and aic leave out sets whose penalty alone is more
 * than another set loses. Memory: 12 m^2 bytes, 20 m^2 for ckg. */
#include "models/classifier_structure.h"

#include <string.h>

#include "graph/branching.h"
#include "parallel/parallel.h"
#include "scores/neighbour_scores.h"
#include "scores/score.h"

/* Attributes are numbered 0 .. m - 1 here, without the class. */
struct search {
    struct bestdag_run *run;
    const struct bestdag_classifier_structure *how;
    const struct bestdag_scorer *scorer;
    int m, k;
    int *column;    /* owns; [m] */
    int64_t *alone; /* owns; [m]: s(v | class) */
    int64_t *gain;  /* owns; [m * m]: of u -> v at u * m + v */
    int threads;    /* that have a scratch */
    struct bestdag_scorer_scratch **scratch; /* owns; [threads] */
    int64_t
        limit; /* families with a penalty of this size or more are not scored */
};

/* Parents of the attributes in addition to the class. */
struct choice {
    int *parent;    /* owns; [m * k]: columns */
    int *count;     /* owns; [m] */
    int64_t *score; /* owns; [m] */
    double total;   /* nats, without the class */
};

/* ---- families ------------------------------------------------------------ */

static bool is_constant(const struct search *s, int v)
{
    return s->scorer->states[s->column[v]] < 2;
}

/* parents[0] is the class. BESTDAG_NO_ARC: the penalty excludes the family. */
static int score_of(const struct search *s,
                    struct bestdag_scorer_scratch *scratch, int v,
                    const int *parents, int count, int64_t *score)
{
    struct bestdag_family family;
    int child = s->column[v];
    *score = BESTDAG_NO_ARC;
    if (bestdag_scorer_penalty(s->scorer, child, parents, count) >= s->limit)
        return BESTDAG_OK;
    if (bestdag_scorer_family(s->scorer, scratch, child, parents, count,
                              &family))
        return bestdag_run_status(s->run);
    *score = family.score;
    return BESTDAG_OK;
}

static int gains_of_parent(void *job, int64_t item, int worker)
{
    struct search *s = job;
    int u = (int)item, parents[] = {s->how->class, s->column[u]};
    int64_t *gain = s->gain + (size_t)u * (size_t)s->m;
    for (int v = 0; v < s->m; v++) {
        int64_t score;
        gain[v] = BESTDAG_NO_ARC;
        if (u == v || is_constant(s, u) || is_constant(s, v) ||
            s->alone[v] == BESTDAG_NO_ARC)
            continue;
        if (score_of(s, s->scratch[worker], v, parents, 2, &score))
            return bestdag_run_status(s->run);
        if (score != BESTDAG_NO_ARC)
            gain[v] = score - s->alone[v];
    }
    return BESTDAG_OK;
}

static int work_on_all(struct search *s, const struct bestdag_work *work)
{
    int64_t done = 0;
    bestdag_run_phase(s->run, "structure", work->items);
    if (!bestdag_parallel(s->run, work, &done) && done < work->items)
        bestdag_fail(s->run, BESTDAG_FAILED,
                     "stopped before the structure was found");
    return bestdag_run_status(s->run);
}

static int find_gains(struct search *s)
{
    struct bestdag_work work = {
        .job = s, .items = s->m, .work = gains_of_parent};
    size_t cells = (size_t)s->m * (size_t)s->m;
    int64_t a_cell = s->how->model == BESTDAG_CKG ? 20 : 12;
    if (bestdag_reserve(s->run, (int64_t)cells * a_cell,
                        "the gains of all arcs"))
        return bestdag_run_status(s->run);
    s->gain = bestdag_alloc(s->run, cells * sizeof *s->gain);
    for (int v = 0; s->gain && v < s->m; v++)
        if (score_of(s, s->scratch[0], v, &s->how->class, 1, &s->alone[v]))
            return bestdag_run_status(s->run);
    return s->gain ? work_on_all(s, &work) : bestdag_run_status(s->run);
}

/* Fills parent[m]; the gains are kept if `keeps`, else overwritten. */
static int find_tree(struct search *s, bool forest, bool keeps, int *parent)
{
    size_t bytes = (size_t)s->m * (size_t)s->m * sizeof *s->gain;
    int64_t *gain = keeps ? bestdag_alloc(s->run, bytes) : s->gain;
    if (!gain)
        return bestdag_run_status(s->run);
    if (keeps)
        memcpy(gain, s->gain, bytes);
    bestdag_branching_find(s->run, s->m, gain, forest, parent);
    if (keeps)
        bestdag_free(gain);
    return bestdag_run_status(s->run);
}

/* ---- sets of ancestors --------------------------------------------------- */

/* Shared by the threads that choose parents. */
struct choosing {
    struct search *s;
    const int *tree; /* [m] */
    struct choice *to;
    int *path; /* owns; [threads * m]: ancestors, columns */
    int *set;  /* owns; [threads * (k + 1)]: the class, then some ancestors */
};

/* For the parents of one attribute. */
struct parent_search {
    struct choosing *c;
    struct bestdag_scorer_scratch *scratch;
    int v, ancestors;
    const int *path;
    int *set;
};

static void keep_best(struct parent_search *t, int count, int64_t score)
{
    struct choice *to = t->c->to;
    int k = t->c->s->k;
    if (score == BESTDAG_NO_ARC || score <= to->score[t->v])
        return;
    to->score[t->v] = score;
    to->count[t->v] = count;
    memcpy(to->parent + (size_t)t->v * (size_t)k, t->set + 1,
           (size_t)count * sizeof *to->parent);
}

/* Can neither this set nor a superset be the best? */
static bool is_pruned(const struct parent_search *t, int count)
{
    const struct search *s = t->c->s;
    return s->scorer->pruning == BESTDAG_PRUNE_PENALTY &&
           -bestdag_scorer_penalty(s->scorer, s->column[t->v], t->set,
                                   count + 1) <= t->c->to->score[t->v];
}

/* Tries all sets that begin with the first `count` members of the present
 * one. */
static int try_sets(struct parent_search *t, int from, int count)
{
    const struct search *s = t->c->s;
    for (int i = from; i < t->ancestors; i++) {
        int64_t score;
        t->set[count + 1] = t->path[i];
        if (bestdag_run_stopped(s->run))
            return BESTDAG_OK;
        if (is_pruned(t, count + 1))
            continue;
        if (score_of(s, t->scratch, t->v, t->set, count + 2, &score))
            return bestdag_run_status(s->run);
        keep_best(t, count + 1, score);
        if (count + 1 < s->k && try_sets(t, i + 1, count + 1))
            return bestdag_run_status(s->run);
    }
    return BESTDAG_OK;
}

static int choose_parents(void *job, int64_t item, int worker)
{
    struct choosing *c = job;
    const struct search *s = c->s;
    int *path = c->path + (size_t)worker * (size_t)s->m;
    int v = (int)item;
    struct parent_search t = {.c = c,
                              .scratch = s->scratch[worker],
                              .v = v,
                              .path = path,
                              .set =
                                  c->set + (size_t)worker * (size_t)(s->k + 1)};
    t.set[0] = s->how->class;
    c->to->score[v] = s->alone[v];
    c->to->count[v] = 0;
    for (int u = c->tree[v]; u >= 0; u = c->tree[u])
        path[t.ancestors++] = s->column[u];
    return s->k > 0 ? try_sets(&t, 0, 0) : BESTDAG_OK;
}

static int choose_all(struct search *s, const int *tree, struct choice *to)
{
    struct choosing c = {.s = s, .tree = tree, .to = to};
    struct bestdag_work work = {
        .job = &c, .items = s->m, .work = choose_parents};
    size_t m = (size_t)s->m, threads = (size_t)s->threads, k = (size_t)s->k;
    c.path = bestdag_alloc(s->run, threads * m * sizeof *c.path);
    c.set = bestdag_alloc(s->run, threads * (k + 1) * sizeof *c.set);
    to->parent = bestdag_alloc(s->run, (m * k + 1) * sizeof *to->parent);
    to->count = bestdag_calloc(s->run, m, sizeof *to->count);
    to->score = bestdag_calloc(s->run, m, sizeof *to->score);
    if (!bestdag_run_status(s->run))
        work_on_all(s, &work);
    for (int v = 0; !bestdag_run_status(s->run) && v < s->m; v++)
        to->total += bestdag_scorer_nats(s->scorer, to->score[v]);
    bestdag_free(c.path);
    bestdag_free(c.set);
    return bestdag_run_status(s->run);
}

static void release_choice(struct choice *c)
{
    bestdag_free(c->parent);
    bestdag_free(c->count);
    bestdag_free(c->score);
}

/* ---- graphs -------------------------------------------------------------- */

/* Sets the parents to the class and `count` other columns. */
static int set_parents(struct search *s, struct bestdag_dag *dag, int v,
                       const int *parents, int count)
{
    int *all = bestdag_alloc(s->run, ((size_t)count + 1) * sizeof *all);
    if (!all)
        return bestdag_run_status(s->run);
    all[0] = s->how->class;
    if (count)
        memcpy(all + 1, parents, (size_t)count * sizeof *all);
    bestdag_dag_set_parents(s->run, dag, s->column[v], all, count + 1);
    bestdag_free(all);
    return bestdag_run_status(s->run);
}

static int make_nb(struct search *s, struct bestdag_dag *dag)
{
    for (int v = 0; v < s->m; v++)
        if (set_parents(s, dag, v, NULL, 0))
            break;
    return bestdag_run_status(s->run);
}

static int make_tan(struct search *s, struct bestdag_dag *dag, int *tree)
{
    if (find_gains(s) || find_tree(s, s->how->branching != 't', false, tree))
        return bestdag_run_status(s->run);
    for (int v = 0; v < s->m; v++) {
        int parent = tree[v] < 0 ? -1 : s->column[tree[v]];
        if (set_parents(s, dag, v, &parent, parent >= 0))
            break;
    }
    return bestdag_run_status(s->run);
}

static int make_ckg(struct search *s, struct bestdag_dag *dag, int *tree)
{
    struct choice spanning = {0}, forest = {0};
    bool spans = s->how->branching != 'f', gains = s->how->branching != 't';
    if (!find_gains(s) &&
        (!spans || (!find_tree(s, false, gains, tree) &&
                    !choose_all(s, tree, &spanning))) &&
        gains && !find_tree(s, true, false, tree))
        choose_all(s, tree, &forest);
    const struct choice *best =
        !gains || (spans && spanning.total > forest.total) ? &spanning
                                                           : &forest;
    for (int v = 0; !bestdag_run_status(s->run) && v < s->m; v++)
        set_parents(s, dag, v, best->parent + (size_t)v * (size_t)s->k,
                    best->count[v]);
    release_choice(&spanning);
    release_choice(&forest);
    return bestdag_run_status(s->run);
}

/* ---- the whole ----------------------------------------------------------- */

static int prepare(struct search *s)
{
    size_t m = (size_t)s->m;
    s->column = bestdag_alloc(s->run, (m + 1) * sizeof *s->column);
    s->alone = bestdag_alloc(s->run, (m + 1) * sizeof *s->alone);
    for (int c = 0, v = 0; s->column && c < s->scorer->n; c++)
        if (c != s->how->class)
            s->column[v++] = c;
    if (s->how->model == BESTDAG_NB)
        return bestdag_run_status(s->run);
    int threads = bestdag_parallel_threads(s->run, s->m);
    s->scratch = bestdag_calloc(s->run, (size_t)threads, sizeof(void *));
    for (; s->scratch && s->threads < threads; s->threads++)
        if (!(s->scratch[s->threads] =
                  bestdag_scorer_scratch_new(s->run, s->scorer)))
            break;
    return bestdag_run_status(s->run);
}

static int make(struct search *s, struct bestdag_dag *dag)
{
    int *tree = bestdag_alloc(s->run, ((size_t)s->m + 1) * sizeof *tree);
    if (!dag || !tree || prepare(s))
        ;
    else if (s->how->model == BESTDAG_NB)
        make_nb(s, dag);
    else if (s->how->model == BESTDAG_TAN)
        make_tan(s, dag, tree);
    else
        make_ckg(s, dag, tree);
    bestdag_free(tree);
    return bestdag_run_status(s->run);
}

struct bestdag_dag *bestdag_classifier_structure_find(
    struct bestdag_run *run, const struct bestdag_classifier_structure *how)
{
    struct search s = {.run = run,
                       .how = how,
                       .scorer = how->scorer,
                       .m = how->scorer->n - 1,
                       .k = how->max_parents,
                       .limit = bestdag_neighbour_scores_limit(how->scorer)};
    struct bestdag_dag *dag = bestdag_dag_new(run, how->scorer->n);
    s.k = s.k < s.m ? s.k : s.m;
    int status = make(&s, dag);
    for (int i = 0; i < s.threads; i++)
        bestdag_scorer_scratch_free(s.scratch[i]);
    bestdag_free(s.scratch);
    bestdag_free(s.column);
    bestdag_free(s.alone);
    bestdag_free(s.gain);
    if (!status)
        return dag;
    bestdag_dag_free(dag);
    return NULL;
}
