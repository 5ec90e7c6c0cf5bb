/* SPDX-License-Identifier: MIT */
/* joint.c -- the joint probability of some variables, by elimination.
 *
 * All other variables that matter are summed out (reduction.c); the product of
 * the factors that are left is the answer. */
#include "inference/joint.h"
#include "network/regression.h"

#include <math.h>

struct bestdag_joint {
    const struct bestdag_network *network;
    bool watches;
    int *local;  /* owns; [n]: all -1 between computations */
    int *global; /* owns; [n] */
};

struct bestdag_joint *bestdag_joint_new(struct bestdag_run *run,
                                        const struct bestdag_network *network,
                                        bool watches)
{
    size_t n = (size_t)network->dag->n;
    struct bestdag_joint *j = bestdag_calloc(run, 1, sizeof *j);
    if (!j)
        return NULL;
    j->network = network;
    j->watches = watches;
    j->local = bestdag_alloc(run, n * sizeof *j->local);
    j->global = bestdag_alloc(run, n * sizeof *j->global);
    if (!j->local || !j->global) {
        bestdag_joint_free(j);
        return NULL;
    }
    for (size_t v = 0; v < n; v++)
        j->local[v] = -1;
    return j;
}

void bestdag_joint_free(struct bestdag_joint *joint)
{
    if (!joint)
        return;
    bestdag_free(joint->local);
    bestdag_free(joint->global);
    bestdag_free(joint);
}

/* Checks the variables asked for and gives them local numbers. */
static int check(struct bestdag_run *run, struct bestdag_joint *j,
                 const int *variables, int count, struct bestdag_reduction *r)
{
    const struct bestdag_network *net = j->network;
    for (int i = 0; i < count; i++) {
        int v = variables[i];
        if (v < 0 || v >= net->dag->n)
            return bestdag_fail(run, BESTDAG_USAGE, "there is no variable %d",
                                v);
        if (j->local[v] >= 0)
            return bestdag_fail(run, BESTDAG_USAGE,
                                "variable '%s' is requested twice",
                                net->variable[v].name);
        j->local[v] = i;
        j->global[i] = v;
        r->asked = r->relevant = i + 1;
    }
    return BESTDAG_OK;
}

int bestdag_joint_plan(struct bestdag_run *run, struct bestdag_joint *joint,
                       const struct bestdag_evidence *evidence, bool pruned,
                       const int *variables, int count,
                       struct bestdag_reduction *r)
{
    *r = (struct bestdag_reduction){.network = joint->network,
                                    .evidence = evidence,
                                    .local = joint->local,
                                    .global = joint->global,
                                    .watches = joint->watches};
    if (check(run, joint, variables, count, r))
        return bestdag_run_status(run);
    return bestdag_reduction_plan(run, r, pruned);
}

/* Divides by the sum, as tables are probabilities only up to rounding. Returns
 * the sum. */
static double normalise(double *to, int64_t cells)
{
    double sum = 0;
    for (int64_t i = 0; i < cells; i++)
        sum += to[i];
    for (int64_t i = 0; i < cells && sum > 0; i++)
        to[i] /= sum;
    return sum;
}

int bestdag_joint_finish(struct bestdag_run *run, struct bestdag_reduction *r,
                         double *to, int64_t room, double *ln)
{
    if (bestdag_reduction_run(run, r))
        return bestdag_run_status(run);
    int *axis = bestdag_alloc(run, (size_t)r->asked * sizeof *axis);
    for (int i = 0; axis && i < r->asked; i++)
        axis[i] = i;
    struct bestdag_product p = {.factor = r->factor,
                                .list = r->list,
                                .factors = r->left,
                                .axis = axis,
                                .axes = r->asked,
                                .summed = -1,
                                .states = r->plan.states,
                                .watches = r->watches};
    if (axis && !bestdag_product_compute(run, &p, to))
        *ln = log(normalise(to, room)) + r->exponent * log(2);
    bestdag_free(axis);
    return bestdag_run_status(run);
}

/* Checks that the room is what the variables need. */
static int check_room(struct bestdag_run *run,
                      const struct bestdag_network *network,
                      const int *variables, int count, int64_t room)
{
    int64_t cells = 1;
    for (int i = 0; i < count; i++) {
        int v = variables[i];
        bool is =
            v >= 0 && v < network->dag->n; /* other numbers are refused later */
        if (is &&
            __builtin_mul_overflow(cells, network->variable[v].states, &cells))
            cells = INT64_MAX;
    }
    if (cells == room)
        return BESTDAG_OK;
    return bestdag_fail(run, BESTDAG_USAGE,
                        "the joint probability of %d variables has %lld "
                        "numbers, there is room for %lld",
                        count, (long long)cells, (long long)room);
}

int bestdag_joint_compute(struct bestdag_run *run, struct bestdag_joint *joint,
                          const int *variables, int count, double *to,
                          int64_t room)
{
    struct bestdag_reduction r;
    double ln;
    if (!bestdag_joint_plan(run, joint, NULL, false, variables, count, &r) &&
        !check_room(run, joint->network, variables, count, room))
        bestdag_joint_finish(run, &r, to, room, &ln);
    bestdag_reduction_release(&r);
    return bestdag_run_status(run);
}

int bestdag_network_joint(struct bestdag_run *run,
                          const struct bestdag_network *network,
                          const int *variables, int count, double *to,
                          int64_t room)
{
    if (bestdag_lacks(run, network, "network") ||
        (count > 0 && bestdag_lacks(run, variables, "list of variables")) ||
        bestdag_lacks(run, to, "place for the probabilities") ||
        bestdag_network_need_states(run, network, "a joint probability"))
        return bestdag_run_status(run);
    if (count < 0 || !bestdag_network_has_tables(network))
        return bestdag_fail(run, BESTDAG_USAGE,
                            "a joint probability needs a network with tables: "
                            "fit it first");
    struct bestdag_joint *joint = bestdag_joint_new(run, network, true);
    if (joint)
        bestdag_joint_compute(run, joint, variables, count, to, room);
    bestdag_joint_free(joint);
    return bestdag_run_status(run);
}
