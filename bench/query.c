/* SPDX-License-Identifier: MIT */
/* query.c -- inference: all marginals, single targets, a plain elimination.
 *
 *     ./dev bench query [NETWORK ...]
 *
 * For each network: processor seconds to compile it and, for random evidence on
 * 0, 5 and 10 % of the variables (drawn from the network, so that it is
 * possible), to set the evidence and compute all marginals in one session on
 * one thread. "single": evidence on 5 %, one random target, one after the
 * other. "plain": the same targets by the elimination that one would write
 * first: tables of the ancestors of target and evidence, evidence as tables of
 * one variable, minimum weight, one number after the other. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "clock.h"
#include "inference/engine.h"

enum {
    MOST_SCOPE = 64,
    LONGEST = 3,         /* seconds for one figure */
    MOST_PLAIN = 1000000 /* numbers in a table of the plain way */
};

/* ---- the plain way ---------------------------------------------------------
 */

struct plain {
    int count, scope[MOST_SCOPE];
    double *cell; /* NULL: used up */
};

static int64_t cells_of(const struct bestdag_network *net,
                        const struct plain *f)
{
    int64_t cells = 1;
    for (int i = 0; i < f->count; i++)
        cells *= net->variable[f->scope[i]].states;
    return cells;
}

static bool mentions(const struct plain *f, int v)
{
    for (int i = 0; i < f->count; i++)
        if (f->scope[i] == v)
            return true;
    return false;
}

/* The scope of the product of all factors with v (v < 0: of all), v last. */
static double join(const struct bestdag_network *net, const struct plain *f,
                   int factors, int v, struct plain *to)
{
    double cells = 1;
    to->count = 0;
    for (int i = 0; i < factors; i++) {
        if (!f[i].cell || (v >= 0 && !mentions(&f[i], v)))
            continue;
        for (int k = 0; k < f[i].count; k++) {
            int u = f[i].scope[k];
            if (u == v || mentions(to, u) || to->count == MOST_SCOPE - 1)
                continue;
            to->scope[to->count++] = u;
            cells *= net->variable[u].states;
        }
    }
    if (v >= 0)
        to->scope[to->count++] = v;
    return cells;
}

static double cell_at(const struct bestdag_network *net, const struct plain *f,
                      const int *state)
{
    int64_t at = 0;
    for (int i = 0; i < f->count; i++)
        at = at * net->variable[f->scope[i]].states + state[f->scope[i]];
    return f->cell[at];
}

/* Multiplies all factors with v and sums it out (v < 0: multiplies all). */
static void sum_out(const struct bestdag_network *net, struct plain *f,
                    int *factors, int v, int *state)
{
    struct plain to = {0}, *list[4096];
    int count = 0;
    join(net, f, *factors, v, &to);
    for (int i = 0; i < *factors && count < 4096; i++)
        if (f[i].cell && (v < 0 || mentions(&f[i], v)))
            list[count++] = &f[i];
    int64_t cells = cells_of(net, &to), inner = 1;
    if (v >= 0)
        inner = net->variable[v].states;
    to.cell = calloc((size_t)(cells / inner), sizeof *to.cell);
    for (int i = 0; i < to.count; i++)
        state[to.scope[i]] = 0;
    for (int64_t c = 0; c < cells; c++) {
        double x = 1;
        for (int i = 0; i < count; i++)
            x *= cell_at(net, list[i], state);
        to.cell[c / inner] += x;
        for (int i = to.count - 1; i >= 0; i--) {
            if (++state[to.scope[i]] < net->variable[to.scope[i]].states)
                break;
            state[to.scope[i]] = 0;
        }
    }
    for (int i = 0; i < count; i++) {
        free(list[i]->cell);
        list[i]->cell = NULL;
    }
    if (v >= 0)
        to.count--;
    f[(*factors)++] = to;
}

static int plain_factors(const struct bestdag_network *net, const int *seen,
                         int target, struct plain *f, bool *matters)
{
    int n = net->dag->n, factors = 0;
    int *stack = malloc((size_t)n * sizeof *stack), count = 0;
    memset(matters, 0, (size_t)n * sizeof *matters);
    for (int v = 0; v < n; v++)
        if (v == target || seen[v] >= 0) {
            matters[v] = true;
            stack[count++] = v;
        }
    for (int i = 0; i < count; i++) {
        const struct bestdag_parents *p = &net->dag->parents[stack[i]];
        struct plain *to = &f[factors++];
        to->count = p->count + 1;
        memcpy(to->scope, p->at, (size_t)p->count * sizeof(int));
        to->scope[p->count] = stack[i];
        size_t bytes = (size_t)cells_of(net, to) * sizeof(double);
        to->cell = malloc(bytes);
        memcpy(to->cell, net->variable[stack[i]].table, bytes);
        for (int k = 0; k < p->count; k++)
            if (!matters[p->at[k]]) {
                matters[p->at[k]] = true;
                stack[count++] = p->at[k];
            }
    }
    for (int v = 0; v < n; v++)
        if (seen[v] >= 0) {
            struct plain *to = &f[factors++];
            to->count = 1;
            to->scope[0] = v;
            to->cell = calloc((size_t)net->variable[v].states, sizeof(double));
            to->cell[seen[v]] = 1;
        }
    free(stack);
    return factors;
}

/* false: a table would be too large to wait for. */
static bool plain_marginal(const struct bestdag_network *net, const int *seen,
                           int target, double *to)
{
    int n = net->dag->n;
    struct plain *f = calloc((size_t)(4 * n), sizeof *f), scope;
    bool *left = calloc((size_t)n, sizeof *left), fits = true;
    int *state = calloc((size_t)n, sizeof *state);
    int factors = plain_factors(net, seen, target, f, left);
    left[target] = false;
    while (fits) {
        int best = -1;
        double least = INFINITY;
        for (int v = 0; v < n; v++) {
            double cells =
                left[v] ? join(net, f, factors, v, &scope) : INFINITY;
            if (cells < least) {
                least = cells;
                best = v;
            }
        }
        if (best < 0)
            break;
        fits = least < MOST_PLAIN;
        left[best] = false;
        if (fits)
            sum_out(net, f, &factors, best, state);
    }
    if (fits) {
        sum_out(net, f, &factors, -1, state);
        double sum = 0;
        for (int s = 0; s < net->variable[target].states; s++)
            sum += f[factors - 1].cell[s];
        for (int s = 0; s < net->variable[target].states; s++)
            to[s] = f[factors - 1].cell[s] / sum;
    }
    for (int i = 0; i < factors; i++)
        free(f[i].cell);
    free(f);
    free(left);
    free(state);
    return fits;
}

/* ---- evidence --------------------------------------------------------------
 */

/* An assignment drawn from the network; seen[v]: its state for a share of the
 * variables, else -1. */
static void draw(struct bestdag_run *run, const struct bestdag_network *net,
                 double share, uint64_t seed, int *seen)
{
    struct bestdag_random random = bestdag_random_init(seed, 5);
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)seed + 1);
    bestdag_run_set(run, "seed", text);
    struct bestdag_table *row = bestdag_network_sample(run, net, 1);
    for (int v = 0; v < net->dag->n; v++) {
        bestdag_table_codes(row, v, 0, 1, &seen[v]);
        if (bestdag_random_unit(&random) >= share)
            seen[v] = -1;
    }
    bestdag_table_free(row);
}

static void observe(struct bestdag_run *run, struct bestdag_session *s, int n,
                    const int *seen)
{
    bestdag_session_clear(s);
    for (int v = 0; v < n; v++)
        if (seen[v] >= 0)
            bestdag_session_observe(run, s, v, seen[v]);
}

/* ---- figures ---------------------------------------------------------------
 */

/* Seconds for all marginals, mean of as many evidences as time allows. */
static double time_all(struct bestdag_run *run,
                       const struct bestdag_network *net,
                       struct bestdag_session *s, double share, int *seen,
                       double *to)
{
    double seconds = 0;
    int rounds = 0;
    for (; rounds < 1000 && seconds < LONGEST; rounds++) {
        draw(run, net, share, (uint64_t)rounds, seen);
        if (share <= 0) { /* the same again would cost nothing */
            bestdag_session_clear(s);
            bestdag_session_explain(run, s, NULL, net->dag->n, 1, seen, to);
        }
        double start = cpu_seconds();
        if (share > 0)
            observe(run, s, net->dag->n, seen);
        for (int v = 0; v < net->dag->n; v++)
            bestdag_session_marginal(run, s, v, to, net->variable[v].states);
        seconds += cpu_seconds() - start;
    }
    return seconds / rounds;
}

/* Queries per second: ours, and plain (0: too large); their largest
 * difference. */
static void time_single(struct bestdag_run *run,
                        const struct bestdag_network *net,
                        struct bestdag_session *s, int *seen, double rate[3])
{
    struct bestdag_random random = bestdag_random_init(1, 6);
    double ours = 0, plain = 0, a[512], b[512];
    int rounds = 0, plains = 0, fits = 1;
    rate[2] = 0;
    for (; rounds < 2000 && ours < LONGEST && (rounds < 3 || plain < LONGEST);
         rounds++) {
        int v = (int)bestdag_random_below(&random, (uint64_t)net->dag->n);
        draw(run, net, 0.05, (uint64_t)rounds, seen);
        double start = cpu_seconds();
        observe(run, s, net->dag->n, seen);
        bestdag_session_marginal(run, s, v, a, net->variable[v].states);
        ours += cpu_seconds() - start;
        start = cpu_seconds();
        if (fits && plain < LONGEST) {
            if (plain_marginal(net, seen, v, b)) {
                plains++;
                for (int k = 0; k < net->variable[v].states; k++)
                    rate[2] = fmax(rate[2], fabs(a[k] - b[k]));
                plain += cpu_seconds() - start;
            } else
                fits = plains > 0;
        }
    }
    rate[0] = rounds / ours;
    rate[1] = plains ? plains / plain : 0;
}

static void measure(struct bestdag_run *run, const char *path)
{
    struct bestdag_network *net = bestdag_network_read(run, path);
    int n = net ? net->dag->n : 0;
    int *seen = malloc((size_t)n * sizeof *seen + 1);
    double *to = malloc(sizeof *to * 4096), rate[3], start = cpu_seconds();
    struct bestdag_engine *engine =
        net ? bestdag_engine_new(run, net, NULL, 0, NULL) : NULL;
    double compiled = cpu_seconds() - start;
    struct bestdag_session *s =
        engine ? bestdag_session_new(run, engine) : NULL;
    char *text = engine ? bestdag_engine_describe(run, engine) : NULL;
    struct bestdag_json *json = text ? bestdag_json_read(run, text) : NULL;
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    if (s) {
        printf("%-12.*s %5d %9.0f %10.0f %10.0f %8.4f", (int)strcspn(name, "."),
               name, n,
               bestdag_json_number(bestdag_json_get(json, "largest_clique")),
               bestdag_json_number(bestdag_json_get(json, "total_table_size")),
               bestdag_json_number(bestdag_json_get(json, "bytes")), compiled);
        for (int k = 0; k < 3; k++)
            printf(" %10.6f", time_all(run, net, s, 0.05 * k, seen, to));
        time_single(run, net, s, seen, rate);
        printf(" %9.0f %8.1f  %.0e  %s, %.0f tries\n", rate[0], rate[1],
               rate[2], bestdag_json_text(bestdag_json_get(json, "heuristic")),
               bestdag_json_number(bestdag_json_get(json, "tries")));
        fflush(stdout);
    }
    if (bestdag_run_status(run))
        printf("%s: %s\n", path, bestdag_run_error(run));
    bestdag_run_clear(run);
    bestdag_json_free(json);
    bestdag_text_free(text);
    bestdag_session_free(s);
    bestdag_engine_free(engine);
    bestdag_network_free(net);
    free(seen);
    free(to);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {
        "asia.bif",      "child.bif",   "insurance.bif",   "water.bif",
        "mildew.bif.gz", "alarm.bif",   "barley.bif.gz",   "hailfinder.bif",
        "win95pts.bif",  "andes.bif",   "diabetes.bif.gz", "pigs.bif",
        "link.bif",      "munin.bif.gz"};
    const char *data = getenv("BESTDAG_DATA");
    struct bestdag_run *run = bestdag_run_new();
    if (!data && argc < 2) {
        printf("set BESTDAG_DATA, or name network files\n");
        return 1;
    }
    bestdag_run_set(run, "threads", "1");
    printf("%-12s %5s %9s %10s %10s %8s %10s %10s %10s %9s %8s  %s\n",
           "network", "n", "largest", "total", "bytes", "compile", "0 %", "5 %",
           "10 %", "single/s", "plain/s", "differ");
    for (int i = 1; i < argc; i++)
        measure(run, argv[i]);
    for (size_t i = 0; argc < 2 && i < sizeof names / sizeof *names; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/networks/%s", data, names[i]);
        measure(run, path);
    }
    bestdag_run_free(run);
    return 0;
}
