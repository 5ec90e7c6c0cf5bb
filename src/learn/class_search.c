/* SPDX-License-Identifier: MIT */
/* class_search.c -- GES in turns.
 *
 * Candidate lists that are not complete hold what is good for each variable on
 * its own, and a search over orders ends where they do. Greedy equivalence
 * search (Chickering 2002) needs no lists: it inserts arcs where the network
 * that it has needs them. On samples of published networks of 27 to 223
 * variables it ends in a second above what lists and orders reach in ten; from
 * its networks these go on. It begins without arcs and perturbs its best class
 * again and again (espace.c, with operators=fges); one attempt serves the whole
 * run, since it does not depend on lists. */
#include "learn/class_search.h"

#include <math.h>

#include "base/communicator.h"
#include "learn/portfolio_state.h"
#include "scores/score.h"
#include "search/answer_check.h"

/* Of more variables it does not come to its first network in time: of 441 it
 * does after 10 s, of 724 it is 10 % behind `orders` after 15 s. */
enum { MANY = 256 };
/* Nominal seconds between two looks at the clock by rank 0 for all ranks. */
#define PIECE 0.25
/* Of a turn: the lists may grow for as long. */
#define GROWING 0.5
/* Times the amount of a turn until there is a first network: without it what
 * was spent is of no use. */
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

/* In pieces, so that all ranks stop at the same one. */
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

/* If it is the best so far, its families are listed. */
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
