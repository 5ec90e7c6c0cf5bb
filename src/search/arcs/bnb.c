/* SPDX-License-Identifier: MIT */
/* bnb.c -- the solver `bnb`: branch and bound over arcs (de Campos, Zeng and Ji
 * 2009).
 *
 * Each variable takes the best set that the branching decisions allow; their
 * cost is a lower bound. If the sets make a cycle or break a rule, the node is
 * split into subproblems that partition its networks (bnb_branch.h); else it is
 * solved. Nodes are taken by their bound, in rounds: threads expand the nodes
 * of a round, and their children are inserted in the order of the nodes, so
 * that the result does not depend on the number of threads. Rounds that are
 * worth it are spread over the ranks of the run; all ranks have all open nodes.
 * Periodically, and as long as there is no incumbent, a round dives: it
 * continues with the best child, down to a network.
 *
 * The paper's own search is a choice of settings: bound=simple, cycle=first,
 * incumbent=none, dives=no.
 *
 * At any time the least bound of the open nodes holds for all networks. When
 * memory runs short the search becomes depth first, which needs little of it;
 * when it is exhausted the search ends. All rules are supported. In the worst
 * case there are as many nodes as combinations of sets.
 *
 * This folder:
 *
 *     bnb_open_list.[ch]   open nodes, stored as paths of decisions
 *     bnb_node.[ch]        a node is rebuilt, bounded and split
 *     bnb_branch.[ch]      what to branch on: cycles, broken rules, slack
 *     propagation.[ch]     decisions, clauses, unit propagation
 *     arc_state.c          required and forbidden arcs, and the sets left
 *     arc_bound.[ch]       the bounds: simple_bound.c, pattern_bound.c,
 *                          cluster_bound.c
 *
 * Its first network comes from orders/first_network.h. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/work.h"
#include "bounds/saved_clusters.h"
#include "parallel/collective.h"
#include "parallel/parallel.h"
#include "search/arcs/bnb_node.h"
#include "search/incumbent.h"
#include "search/orders/first_network.h"
#include "search/rule_check.h"
#include "search/saved_state.h"
#include "search/turn.h"

static const char *bound_name(int i)
{
    const struct bestdag_arc_bound_row *row = bestdag_arc_bound_at(i);
    return row ? row->name : NULL;
}

static const struct bestdag_option settings[] = {
    {"bound", BESTDAG_CHOICE, "cluster", .names = bound_name, .value = "NAME",
     .help =
         "lower bound on the cost under the branching decisions: simple lets "
         "each variable take its best remaining set; patterns lets up to 6 "
         "variables choose together without a cycle; cluster puts multipliers "
         "on cluster constraints (one variable of a cluster has no parent "
         "inside) and improves them by dual ascent at each node"},
    {"cycle", BESTDAG_CHOICE, "costliest", .choices = "costliest|first",
     .value = "NAME",
     .help =
         "which cycle is split: costliest, of those with the fewest arcs to "
         "decide the one whose arcs cost most to remove, the costliest arc "
         "first; first, the first one found, its arcs in their order, as "
         "in the paper"},
    {"incumbent", BESTDAG_CHOICE, "orders", .choices = "orders|none",
     .value = "NAME",
     .help = "first network: by a short search over orders, or none, as in the "
             "paper"},
    {"dives", BESTDAG_FLAG, "yes",
     .help = "some rounds continue with the best child down to a network; "
             "without them it is best first, as in the paper"},
    {"spread", BESTDAG_NUMBER, "0.0005", 0, 1e9, .value = "S",
     .help = "with several ranks: seconds of work, as counted, from which the "
             "nodes of a round are divided among them"},
    {"steps", BESTDAG_INTEGER, NULL, 1, 9e15, .value = "N",
     .help = "stop after this many nodes were expanded; no limit by default"},
    {0}};

/* Measured on water1000, alarm1000, hailfinder and 25 generated variables; "the
 * same" is the same number of nodes and gap
 * (bench/log/2026-11-17-sensitivity.csv). */
enum {
    ROUND = 256,     /* nodes of a round, at most; 128..512: the same */
    SHARE = 4,       /* and at most one in this many open ones; 2: gap of
                        hailfinder x 1.02, 8: x 0.97 */
    BATCH = 8,       /* nodes that a thread takes at once; 4..16: the same */
    DIVE_EVERY = 16, /* a round of dives in this many; 8..32: the same */
    DIVE_SHARP = 2,  /* if nodes are expensive; 1..4: hailfinder's gap x
                        0.97..1 */
    DIVERS = 4,      /* batches per round that begin with a dive; 2..8: the
                        same */
    LOOKS = 80,      /* accesses to each set per node: converts work to nodes */
    DIVE_NODES = 2000, /* of a dive before there is a bound, if rules leave no
                          incumbent; 200..20000: the same */
    /* Look-ups of the search for an incumbent; half, double: the same nodes;
       double: time of small problems x 1.2..2 */
    INCUMBENT_STEPS = 20000,
    INCUMBENT_PER_VARIABLE = 2000
};

#define EXPENSIVE 1e-4 /* nominal seconds; such a node is a batch */

struct search {
    struct bestdag_task *task;
    struct bestdag_run *run;
    const struct bestdag_knowledge *knowledge;
    const struct bestdag_problem *problem; /* its masks are parents only */
    struct bestdag_problem *own;           /* owns; NULL: `problem` is the
                                              task's */
    struct bestdag_arc_bound arc_bound;    /* owns */
    struct bestdag_bnb_node *expander;     /* owns; [threads] */
    int threads;
    struct bestdag_bnb_open open; /* owns */
    struct bestdag_bnb_leaf leaf[ROUND];
    struct bestdag_bnb_children children[ROUND]; /* own */
    struct bestdag_expand_limits dive[ROUND];
    int items, batch;         /* of the round; nodes per batch */
    struct bestdag_dag *best; /* owns; NULL: none yet */
    int64_t limit;            /* its cost; problem->none: none yet */
    int64_t made_for;         /* the limit that the bound was prepared for .. */
    int64_t known;            /* .. and the bound of its clusters */
    int64_t bytes;            /* limit for open nodes */
    int64_t most_steps, steps, rounds;
    int64_t work;  /* sets examined for nodes */
    int64_t least; /* the lower bound */
    double spread; /* least work of a round to spread; a setting */
    bool is_limited;
    bool never_dives, is_plain; /* settings */
    bool was_deep, was_cut;     /* memory was short; the last round was cut */
};

/* ---- incumbents ---------------------------------------------------------- */

/* Takes over the DAG. */
static void keep(struct search *s, struct bestdag_dag *dag, int64_t cost)
{
    assert(cost >= 0 && cost < s->limit); /* each is better than the last */
    assert(cost >= s->least);             /* and none is below the bound */
    bestdag_dag_free(s->best);
    s->best = dag;
    s->limit = cost;
    bestdag_task_report(s->task, bestdag_problem_nats(s->problem, cost), 0);
}

/* The search over orders takes only some of the rules: its network is checked
 * against all of them. */
static int find_incumbent(struct search *s)
{
    int *order = bestdag_alloc(s->run, (size_t)s->task->n * sizeof *order);
    int64_t steps = 0, cost = 0;
    int64_t most =
        INCUMBENT_STEPS + INCUMBENT_PER_VARIABLE * (int64_t)s->task->n;
    struct bestdag_dag *dag = NULL;
    char place[128];
    if (order && !bestdag_first_network_begin(s->task, most, order, &steps))
        dag = bestdag_order_dag(s->run, s->problem, order, &cost);
    bestdag_free(order);
    if (dag && cost < s->limit && bestdag_task_obeys(s->task, dag, place))
        keep(s, dag, cost);
    else
        bestdag_dag_free(dag);
    return bestdag_run_status(s->run);
}

/* ---- a round ------------------------------------------------------------- */

/* Nominal seconds so far. */
static double work_of(const struct search *s)
{
    const struct bestdag_arc_bound *b = &s->arc_bound;
    int64_t root = b->row && b->row->work ? b->row->work(b->data, NULL) : 0;
    return BESTDAG_WORK_RELAX * (double)(root + s->work);
}

/* Nominal seconds per node, so far or from the number of sets. */
static double node_work(const struct search *s)
{
    double sets = (double)bestdag_sets_total(s->problem->sets) + s->problem->n;
    return BESTDAG_WORK_RELAX *
           (s->steps ? (double)s->work / (double)s->steps : LOOKS * sets);
}

static int64_t steps_left(const struct search *s)
{
    return s->most_steps ? s->most_steps - s->steps : INT64_MAX;
}
/* Nominal seconds left, of its turn or in total. */
static double work_left(const struct search *s)
{
    double work = work_of(s), turn = bestdag_turn_left(s->task, work);
    double left = s->task->work > 0 ? s->task->work - work : INFINITY;
    return left < turn ? left : turn;
}

/* Nodes of a round, including dives; at least 1. */
static int64_t round_steps(const struct search *s)
{
    double work = work_left(s);
    int64_t left = steps_left(s), nodes = INT64_MAX;
    if (work < INFINITY)
        nodes = bestdag_work_units(work, node_work(s));
    return nodes < left ? nodes : left;
}

static void take_nodes(struct search *s)
{
    int64_t most = s->open.count / SHARE + 1, left = round_steps(s);
    int every = s->arc_bound.row->tighten ? DIVE_SHARP : DIVE_EVERY;
    bool dives = !s->never_dives && (!s->best || s->rounds % every == 0);
    most = most < ROUND ? most : ROUND;
    most = most < left ? most : left;
    s->items = 0;
    while (s->items < most && s->open.count) {
        int i = s->items++;
        bool is_diver = dives && i % BATCH == 0 && i < DIVERS * BATCH;
        s->leaf[i] = bestdag_bnb_open_take(&s->open);
        s->dive[i] = (struct bestdag_expand_limits){s->limit, 1};
        if (is_diver) /* equal parts of the rest */
            s->dive[i].most += (left - most) / DIVERS;
    }
}

/* The end of a batch. */
static int batch_end(const struct search *s, int64_t batch)
{
    int64_t end = (batch + 1) * s->batch;
    return end < s->items ? (int)end : s->items;
}

static int expand(void *argument, int64_t batch, int worker)
{
    struct search *s = argument;
    int status = BESTDAG_OK;
    for (int i = (int)batch * s->batch; i < batch_end(s, batch) && !status; i++)
        status = bestdag_bnb_node_expand(&s->expander[worker], &s->leaf[i],
                                         s->dive[i], &s->children[i]);
    return status;
}

static int pass_batch(void *argument, int64_t batch, struct bestdag_archive *p)
{
    struct search *s = argument;
    for (int i = (int)batch * s->batch; i < batch_end(s, batch); i++)
        bestdag_bnb_children_pass(s->run, s->problem, &s->children[i], p);
    return bestdag_run_status(s->run);
}

/* The same on all ranks as long as they have not diverged. */
static uint64_t digest(const struct search *s)
{
    return bestdag_mix((uint64_t)s->steps ^ bestdag_mix((uint64_t)s->limit)) ^
           bestdag_mix((uint64_t)s->open.made);
}

/* Puts the children of an inner node, except the one that was split itself. */
static int put_children(struct search *s, const struct bestdag_bnb_children *b,
                        const struct bestdag_bnb_child *branching,
                        struct bestdag_bnb_inner_node *fork, int depth)
{
    for (int i = 0; i < branching->count; i++) {
        struct bestdag_bnb_leaf child = {.bound = b->bound[branching->from + i],
                                         .fork = fork,
                                         .index = i,
                                         .depth = depth};
        if (i != branching->next && child.bound < s->limit &&
            bestdag_bnb_open_put(&s->open, child))
            return bestdag_run_status(s->run);
    }
    return BESTDAG_OK;
}

static int take_network(struct search *s, const struct bestdag_bnb_children *b)
{
    if (b->cost >= s->limit)
        return BESTDAG_OK;
    struct bestdag_dag *dag = bestdag_problem_dag(s->run, s->problem, b->found);
    if (!dag)
        return bestdag_run_status(s->run);
    keep(s, dag, b->cost);
    if (!s->own) /* its set numbers are the task's */
        bestdag_task_keep_incumbent_sets(s->task, b->found, b->cost);
    bestdag_bnb_open_prune(&s->open, s->limit);
    return BESTDAG_OK;
}

/* Inserts the children of the i-th node. */
static int take_children(struct search *s, int i)
{
    const struct bestdag_bnb_children *b = &s->children[i];
    struct bestdag_bnb_leaf at = s->leaf[i];
    s->steps += b->expanded;
    s->work += b->work;
    if (take_network(s, b))
        return bestdag_run_status(s->run);
    for (int k = 0; k < b->branchings; k++) {
        const struct bestdag_bnb_child *branching = &b->branching[k];
        struct bestdag_bnb_inner_node *fork = bestdag_bnb_open_split(
            &s->open, &at, b->fact + branching->from, branching->count);
        if (!fork)
            break;
        put_children(s, b, branching, fork, at.depth + 1);
        if (branching->next >= 0)
            fork->alive++;
        bestdag_bnb_open_drop(&s->open, fork);
        at = (struct bestdag_bnb_leaf){
            .fork = fork, .index = branching->next, .depth = at.depth + 1};
        if (branching->next < 0)
            return bestdag_run_status(s->run);
    }
    bestdag_bnb_open_drop(&s->open, at.fork); /* solved, or pruned */
    return bestdag_run_status(s->run);
}

/* Returns a node that was not expanded. */
static void put_back(struct search *s, int i)
{
    bestdag_bnb_open_put(&s->open, s->leaf[i]);
    bestdag_bnb_open_drop(&s->open, s->leaf[i].fork);
}

static int play_round(struct search *s)
{
    struct bestdag_work work = {.job = s, .work = expand, .before = s->steps};
    int64_t done = 0;
    take_nodes(s);
    s->batch = node_work(s) > EXPENSIVE ? 1 : BATCH;
    work.items = (s->items + s->batch - 1) / s->batch;
    work.digest = digest(s);
    if (s->items * node_work(s) >= s->spread)
        work.pass = pass_batch;
    bestdag_parallel(s->run, &work, &done);
    s->was_cut = done < work.items;
    s->rounds++;
    for (int i = 0; i < s->items; i++) {
        if (i / s->batch < done && !bestdag_run_status(s->run))
            take_children(s, i);
        else
            put_back(s, i);
    }
    return bestdag_run_status(s->run);
}

/* ---- expanders ----------------------------------------------------------- */

static void drop_expanders(struct search *s)
{
    for (int i = 0; s->expander && i < s->threads; i++)
        bestdag_bnb_node_release(&s->expander[i]);
}

/* Prepares the bound, again for a lower limit or better clusters. */
static int make_expanders(struct search *s)
{
    if (bestdag_bnb_node_prepare(s->run, &s->arc_bound, s->problem,
                                 s->knowledge, s->limit))
        return bestdag_run_status(s->run);
    s->made_for = s->limit;
    s->known = s->task->clusters ? s->task->clusters->bound : 0;
    for (int i = 0; i < s->threads; i++) {
        bestdag_bnb_node_init(s->run, &s->expander[i], s->problem,
                              &s->arc_bound, s->knowledge);
        s->expander[i].brancher.is_plain = s->is_plain;
    }
    return bestdag_run_status(s->run);
}

static int remake_expanders(struct search *s)
{
    bool has_better = s->task->clusters && s->task->clusters->bound > s->known;
    if (!s->arc_bound.row->prepare || (s->limit == s->made_for && !has_better))
        return BESTDAG_OK;
    drop_expanders(s);
    return make_expanders(s);
}

/* Dives with the simple bound for an incumbent, which helps a stronger
 * bound. */
static int dive_for_incumbent(struct search *s)
{
    struct bestdag_arc_bound simple;
    struct bestdag_bnb_node e = {0};
    struct bestdag_bnb_leaf root = {0};
    struct bestdag_expand_limits dive = {s->limit, DIVE_NODES};
    if (s->best || !s->arc_bound.row->prepare)
        return BESTDAG_OK;
    if (!bestdag_arc_bound_init(s->run, "simple", s->problem, &simple) &&
        !bestdag_bnb_node_init(s->run, &e, s->problem, &simple, s->knowledge) &&
        !bestdag_bnb_node_expand(&e, &root, dive, &s->children[0]))
        take_network(s, &s->children[0]);
    bestdag_bnb_node_release(&e);
    bestdag_arc_bound_release(&simple);
    return bestdag_run_status(s->run);
}

/* ---- the search ---------------------------------------------------------- */

/* Reports the lower bound if it has risen. */
static void raise_bound(struct search *s)
{
    int64_t least = bestdag_bnb_open_least(&s->open, s->limit);
    least = least < s->limit ? least : s->limit;
    s->least = least > s->least ? least : s->least;
    assert(s->least <= s->limit);
    if (s->least < s->problem->none)
        bestdag_task_prove(s->task, s->problem, s->least);
}

static bool is_near(const struct search *s)
{
    if (!s->best || s->run->gap <= 0)
        return false;
    double score = bestdag_problem_nats(s->problem, s->limit);
    double scale = fabs(score) > 1 ? fabs(score) : 1;
    return s->task->bound - score <= s->run->gap * scale;
}

/* Best first while memory suffices, else deepest first; ends when it is
 * full. */
static void choose_order(struct search *s)
{
    int64_t taken = bestdag_bnb_open_bytes(&s->open);
    if (taken > s->bytes / 4 * 3 && !s->open.is_deep) {
        if (!s->was_deep)
            bestdag_note(s->run, 1,
                         "bnb: memory is nearly full: expanding the deepest "
                         "nodes first");
        s->was_deep = true;
        bestdag_bnb_open_order(&s->open, true);
    } else if (taken < s->bytes / 2)
        bestdag_bnb_open_order(&s->open, false);
    s->is_limited |= taken > s->bytes;
}

/* Takes over the network of another prover. */
static int take_start(struct search *s)
{
    const struct bestdag_dag *start = s->task->start;
    int64_t cost = 0;
    char place[128];
    for (int v = 0; v < start->n; v++) {
        int set = bestdag_problem_find(s->problem, v, start->parents[v].at,
                                       start->parents[v].count);
        if (set < 0)
            return BESTDAG_OK;
        cost += s->problem->candidates[v].cost[set];
    }
    if (cost >= s->limit || !bestdag_task_obeys(s->task, start, place))
        return bestdag_run_status(s->run);
    struct bestdag_dag *copy = bestdag_dag_copy(s->run, start);
    if (copy) {
        keep(s, copy, cost);
        bestdag_bnb_open_prune(&s->open, s->limit);
    }
    return bestdag_run_status(s->run);
}

static int take_turns(struct search *s)
{
    return bestdag_turn_is_over(s->task, work_of(s)) &&
                   bestdag_turn_pass(s->task)
               ? take_start(s)
               : BESTDAG_OK;
}

/* With several ranks, rounds end alike on all of them, and set was_cut. */
static bool is_stopped(struct search *s)
{
    bool is_over = bestdag_run_watch(s->run, s->steps);
    return s->was_cut || (is_over && !bestdag_communicator_of(s->run));
}

static int walk(struct search *s)
{
    struct bestdag_bnb_leaf root = {.bound = s->least};
    bestdag_bnb_open_put(&s->open, root);
    while (!bestdag_run_status(s->run) && s->open.count) {
        choose_order(s);
        if (!s->open.is_deep)
            raise_bound(s);
        if (take_turns(s))
            break;
        s->is_limited |= steps_left(s) <= 0 || work_left(s) <= 0;
        if (s->best)
            bestdag_task_keep(s->task, s->best);
        if (s->is_limited || is_near(s) || s->least >= s->limit ||
            is_stopped(s) || play_round(s) || remake_expanders(s))
            break;
    }
    if (!bestdag_run_status(s->run))
        raise_bound(s);
    return bestdag_run_status(s->run);
}

/* Bytes for open nodes, the same on all ranks; a growing heap exists twice. */
static int64_t find_bytes(struct bestdag_run *run)
{
    int64_t left = bestdag_search_bytes(run) - bestdag_memory_used(run);
    return (int64_t)bestdag_collective_number(
        run, bestdag_collective_hash("bnb"), left > 0 ? (double)left / 2 : 0);
}

static int prepare(struct search *s)
{
    struct bestdag_value steps = bestdag_task_setting(s->task, "steps");
    char bound[32];
    s->most_steps = steps.text ? steps.integer : 0;
    s->spread = bestdag_task_setting(s->task, "spread").number;
    s->never_dives = !bestdag_task_setting(s->task, "dives").integer;
    s->is_plain = bestdag_task_word(s->task, "cycle", bound)[0] == 'f';
    s->problem = s->task->problem;
    if (s->knowledge && s->knowledge->needs & BESTDAG_NEEDS_ORDER)
        s->problem = s->own = bestdag_problem_without_order(s->run, s->problem);
    if (!s->problem || bestdag_arc_bound_init(
                           s->run, bestdag_task_word(s->task, "bound", bound),
                           s->problem, &s->arc_bound))
        return bestdag_run_status(s->run);
    s->arc_bound.clusters = s->task->clusters;
    s->limit = s->problem->none;
    s->threads = bestdag_parallel_threads(s->run, ROUND);
    s->expander =
        bestdag_calloc(s->run, (size_t)s->threads, sizeof *s->expander);
    for (int i = 0; i < ROUND; i++)
        s->children[i].found = bestdag_alloc(
            s->run, (size_t)s->problem->n * sizeof *s->children[i].found);
    if (bestdag_run_status(s->run) ||
        (bestdag_task_word(s->task, "incumbent", bound)[0] == 'o' &&
         (find_incumbent(s) || dive_for_incumbent(s))))
        return bestdag_run_status(s->run);
    bestdag_turn_await_clusters(s->task);
    s->bytes = find_bytes(s->run); /* before each thread takes its part */
    if (make_expanders(s))
        return bestdag_run_status(s->run);
    const struct bestdag_propagation *first = &s->expander[0].propagation;
    s->least = first->possible ? *first->state.bound : s->limit;
    return BESTDAG_OK;
}

static void release(struct search *s)
{
    drop_expanders(s);
    for (int i = 0; i < ROUND; i++)
        bestdag_bnb_children_release(&s->children[i]);
    bestdag_free(s->expander);
    bestdag_bnb_open_release(&s->open);
    bestdag_arc_bound_release(&s->arc_bound);
    bestdag_problem_free(s->own);
    bestdag_dag_free(s->best);
    bestdag_free(s);
}

static int solve(struct bestdag_task *task, struct bestdag_answer *to)
{
    struct search *s = bestdag_calloc(task->run, 1, sizeof *s);
    if (!s)
        return bestdag_run_status(task->run);
    s->task = task;
    s->run = task->run;
    s->open.run = task->run;
    s->knowledge = task->knowledge;
    if (!prepare(s)) {
        bestdag_run_phase(s->run, task->solver->name, 0);
        if (!walk(s) && !s->best && s->least < s->limit)
            find_incumbent(s); /* there was no start */
    }
    to->dag = s->best;
    s->best = NULL;
    if (!bestdag_run_status(s->run)) {
        bool is_proved = s->least >= s->limit;
        bestdag_note(s->run, 1, "bnb: %lld nodes expanded, %lld generated",
                     (long long)s->steps, (long long)s->open.made);
        to->bound = task->bound;
        to->steps = s->steps;
        to->work = work_of(s);
        to->is_limited = s->is_limited || (!to->dag && !is_proved);
    }
    release(s);
    return bestdag_run_status(task->run);
}

const struct bestdag_solver bestdag_solver_bnb = {
    .name = "bnb",
    .help =
        "exact: branch and bound over arcs, under rules of every kind; anytime",
    .ground = BESTDAG_ON_SETS,
    .takes = BESTDAG_TAKES_ORDERS | BESTDAG_NEEDS_CROSS |
             BESTDAG_NEEDS_ANCESTOR | BESTDAG_NEEDS_NOT_ANCESTOR,
    .proves = true,
    .settings = settings,
    .solve = solve,
};
