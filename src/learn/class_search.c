/* SPDX-License-Identifier: MIT */
/* class_search.c -- GES in turns.
 *
 * Incomplete candidate lists hold sets that are good for each variable on its
 * own, and they limit a search over orders. Greedy equivalence search
 * (Chickering 2002) needs no lists: it inserts arcs where its current network
 * needs them. On samples of published networks of 27 to 223 variables it scores
 * higher after a second than `orders` over lists after ten; `orders` continues
 * from its networks. It begins without arcs and perturbs its best class again
 * and again (espace.c, with operators=fges); one attempt serves the whole run,
 * since it does not depend on lists. */
#include "learn/class_search.h"

#include <math.h>

#include "base/communicator.h"
#include "learn/portfolio_state.h"
#include "scores/score.h"
#include "search/answer_check.h"

/* With more variables it finds its first network too late: 10 s for 441; for
 * 724 it is 10 % behind `orders` after 15 s. */
enum { MANY = 256 };
/* Nominal seconds after which rank 0 checks the clock for all ranks. */
#define PIECE 0.25
/* Growing the lists may take this part of a turn. */
#define GROWING 0.5
/* The first turns, until there is a network, are this many times longer:
 * without a network the work is wasted. */
#define FIRST_CLIMB 2.0

bool bestdag_class_search_applies(const struct bestdag_portfolio *p)
{
    const struct bestdag_task *task = p->task;
    return bestdag_portfolio_is_open(p) && task->n <= MANY &&
           !task->knowledge && task->scorer->type->equivalent &&
           !p->classes.is_over;
}

static int begin(struct bestdag_portfolio *p)
{
    struct bestdag_run *run = p->task->run;
    struct bestdag_task task = *p->task;
    p->class_options = bestdag_options_copy(run, task.options);
    if (!p->class_options ||
        bestdag_option_put(run, p->class_options, "solve",
                           bestdag_option_row(&bestdag_solve_options, "set"),
                           "operators=fges"))
        return bestdag_run_status(run);
    task.solver = bestdag_solver_find("espace");
    task.options = p->class_options;
    task.problem = task.lists = NULL;
    task.clusters = NULL;
    task.has_bounds = false;
    p->classes.is_optional = true;
    p->classes.is_detached = bestdag_communicator_of(run) != NULL;
    return bestdag_attempt_begin(&p->classes, &task);
}

/* In pieces, so that all ranks stop after the same one. */
static void take_turn(struct bestdag_portfolio *p, double amount)
{
    struct bestdag_attempt *a = &p->classes;
    double piece = fmin(amount, PIECE), given = 0;
    bool is_better = p->seen_by_classes != p->better;
    p->seen_by_classes = p->better;
    do {
        bestdag_portfolio_spend(
            p, bestdag_attempt_take_turn(a, piece, p->to->dag, is_better));
        is_better = false;
        given += piece;
    } while (given < (a->turn.finds ? amount : FIRST_CLIMB * amount) &&
             !a->is_over && !bestdag_run_status(p->task->run) &&
             !bestdag_work_budget_is_stopped(&p->whole));
}

/* If the network is the best so far, its families are added to the lists. */
static int take_over(struct bestdag_portfolio *p, struct bestdag_dag *dag,
                     double amount, bool *is_better)
{
    int64_t more;
    double score = (double)NAN;
    if (bestdag_task_rescore(p->task, dag, &score) ||
        (p->to->dag && score <= p->to->score) ||
        bestdag_portfolio_grow(p, dag, amount, &more) ||
        bestdag_portfolio_follow_lists(p, dag, &score)) {
        bestdag_dag_free(dag);
        return bestdag_run_status(p->task->run);
    }
    *is_better = bestdag_portfolio_take_network(p, dag, score);
    return bestdag_portfolio_judge(p);
}

int bestdag_class_search_turn(struct bestdag_portfolio *p, double amount,
                              bool *is_idle)
{
    struct bestdag_attempt *a = &p->classes;
    if (!a->is_begun && begin(p))
        return bestdag_run_status(p->task->run);
    take_turn(p, amount);
    struct bestdag_dag *dag = bestdag_attempt_network(a);
    bool is_better = false;
    if (dag)
        take_over(p, dag, GROWING * amount, &is_better);
    *is_idle = a->turn.finds > 0 && !is_better;
    return bestdag_run_status(p->task->run);
}

void bestdag_class_search_release(struct bestdag_portfolio *p)
{
    bestdag_attempt_stop(&p->classes, p->to->dag);
    bestdag_attempt_release(&p->classes);
    bestdag_options_free(p->class_options);
    p->class_options = NULL;
}
