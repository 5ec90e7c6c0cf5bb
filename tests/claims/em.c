/* SPDX-License-Identifier: MIT */
/* em.c -- learning from tables with holes by --missing em: what can be checked
 * of it. The scores are of a table that the command completed, so the network
 * is compared with the lists of these scores; the likelihood of the values that
 * are there is summed again, over all completions, from the network that was
 * written. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"
#include "world.h"

struct table {
    int rows, incomplete; /* that have a value; that lack some */
    struct evidence row[ROWS];
};

/* Writes rows of a random network with holes; `t`: those with a value. */
static void draw_table(const struct world *w, struct table *t, uint64_t *seed)
{
    double share = .05 + .35 * draw_unit(seed);
    int lines = draw_between(seed, 12, ROWS);
    FILE *to = fopen("t.csv", "w");
    if (!to)
        abort();
    for (int v = 0; v < w->n; v++)
        fprintf(to, "%s%c", v ? "," : "", 'A' + v);
    fprintf(to, "\n");
    t->rows = t->incomplete = 0;
    for (int i = 0; i < lines; i++) {
        struct evidence *e = &t->row[t->rows];
        struct atom row;
        int values = 0;
        world_sample(w, &row, seed);
        evidence_clear(e);
        for (int v = 0; v < w->n; v++) {
            fprintf(to, "%s", v ? "," : "");
            if (i > 2 && draw_chance(seed, share)) {
                fprintf(to, "?");
                continue;
            }
            values++;
            e->has_value[v] = !w->states[v];
            e->value[v] = (double)row.mean[v];
            for (int k = 0; k < w->states[v]; k++)
                e->likelihood[v][k] = k == row.state[v];
            if (w->states[v])
                fprintf(to, "s%c", 'a' + row.state[v]);
            else
                fprintf(to, "%.17g", (double)row.mean[v]);
        }
        fprintf(to, "\n");
        t->rows += values > 0;
        t->incomplete += values > 0 && values < w->n;
    }
    fclose(to);
}

/* The likelihoods of states that are left, in their new order. */
static struct evidence renumber(const struct evidence *e,
                                int state[FEW][STATES])
{
    struct evidence to = *e;
    for (int v = 0; v < FEW; v++)
        for (int k = 0; k < STATES; k++)
            if (state[v][k] >= 0)
                to.likelihood[v][state[v][k]] = e->likelihood[v][k];
    return to;
}

static double likelihood(const struct world *w, const struct table *t,
                         int state[FEW][STATES])
{
    static struct atoms atoms;
    long double sum = 0;
    for (int i = 0; i < t->rows; i++) {
        struct evidence e = renumber(&t->row[i], state);
        atoms_find(w, &e, &atoms);
        sum += atoms.log_evidence;
    }
    return (double)sum;
}

static int free_parameters(const struct world *w)
{
    int sum = 0;
    for (int v = 0; v < w->n; v++)
        sum += w->states[v] ? (w->states[v] - 1) * w->configurations[v]
                            : __builtin_popcount(w->parents[v]) + 2;
    return sum;
}

static bool check_em(struct question *q, const struct table *t,
                     const struct world *w, const struct json *notes,
                     int state[FEW][STATES])
{
    const struct json *em = json_get(q->json, "em");
    const char *score = json_text(json_get(q->json, "score_name"));
    const char *text =
        json_text(json_get(json_get(notes, "provenance"), "em_log_likelihood"));
    double each = !score || !strncmp(score, "ll", 2) ? 0
                  : !strncmp(score, "aic", 3)        ? 1
                                                     : log(t->rows) / 2;
    double own = likelihood(w, t, state), said = text ? atof(text) : own;
    double first = json_number(json_get(em, "log_likelihood"));
    double less = json_number(json_get(em, "observed_score"));
    if (!t->incomplete)
        return true;
    if (json_number(json_get(q->json, "rows")) != t->rows ||
        json_number(json_get(em, "rows_incomplete")) != t->incomplete)
        return question_accuse(q, "%d rows, %d of them with holes", t->rows,
                               t->incomplete);
    if (!(fabs(own - said) <= 1e-6 * (1 + fabs(own))))
        return question_accuse(q, "the log-likelihood is %.9f, not %.9f", own,
                               said);
    if (!(fabs(first - own) <= 1e-6 * (1 + fabs(own))))
        return question_accuse(
            q, "the report has log-likelihood %.9f, not %.9f", first, own);
    if (!(fabs(first - each * free_parameters(w) - less) <=
          1e-6 * (1 + fabs(less))))
        return question_accuse(q, "%.9f less %d parameters is not %.9f", first,
                               free_parameters(w), less);
    return true;
}

/* The lists of the completed table: the answer is among their networks, and
 * what is said of all others is true. */
static bool check_search(struct question *q, const struct world *w)
{
    static struct scores lists;
    static struct ruling none;
    unsigned parents[MOST] = {0};
    const struct json *arcs = json_get(q->json, "arcs");
    const char *status = json_text(json_get(q->json, "status"));
    double score = json_number(json_get(q->json, "score")), best = 0;
    double bound = json_number(json_get(q->json, "bound"));
    for (int i = 0; i < json_count(arcs); i++) {
        const char *from = json_text(json_at(json_at(arcs, i), 0));
        const char *to = json_text(json_at(json_at(arcs, i), 1));
        if (from && to && to[0] >= 'A' && to[0] < 'A' + w->n)
            parents[to[0] - 'A'] |= 1u << (from[0] - 'A');
    }
    if (memcmp(parents, w->parents, sizeof w->parents) != 0)
        return question_accuse(q, "the file has another network");
    if (graph_has_cycle(parents, w->n))
        return question_accuse(q, "the network has a cycle");
    if (!lists_read(&lists, w->n, "s.jkl"))
        return true; /* the last step needed none */
    none.n = w->n;
    double listed = graph_score(&lists, parents);
    if (!(fabs(listed - score) <= tolerance(score)))
        return question_accuse(q, "the lists say %.9f, not %.9f", listed,
                               score);
    if (best_score(&lists, &none, &best) != FOUND)
        return question_accuse(q, "no network in the lists");
    if (bound < best - tolerance(best))
        return question_accuse(q, "bound %.9f, but there is %.9f", bound, best);
    if (status && !strcmp(status, "optimal") && score < best - tolerance(best))
        return question_accuse(q, "optimal at %.9f, but there is %.9f", score,
                               best);
    return true;
}

static void add_words(struct question *q, bool has_numbers, uint64_t *seed)
{
    static const char *const scores[] = {"bic", "aic", "ll"};
    static const char *const solvers[] = {"auto", "dp", "cluster", "orders"};
    struct command *c = &q->t->search;
    int solver = draw_below(seed, 4);
    command_add(c, "%s", q->t->program);
    command_add(c, "learn");
    command_add(c, "t.csv");
    command_add(c, "--missing");
    command_add(c, "em");
    command_add(c, has_numbers ? "--as-numbers" : "--as-states");
    command_add(c, "%.*s", 2 * q->world.n - 1, "A,B,C,D,E,F");
    command_add(c, "--score");
    command_add(c, "%s%s", scores[draw_below(seed, 3)],
                has_numbers ? "-g" : "");
    command_add(c, "--max-parents");
    command_add(c, "%d", draw_between(seed, 1, 3));
    command_add(c, "--solver");
    command_add(c, "%s", solvers[solver]);
    if (solver == 3) {
        command_add(c, "--set");
        command_add(c, "steps=1000");
    }
    if (draw_chance(seed, .5)) {
        command_add(c, "--fit-ess");
        command_add(c, "0");
    }
    command_add(c, "--em-starts");
    command_add(c, "%d", draw_between(seed, 1, 3));
    command_add(c, "--save-scores");
    command_add(c, "s.jkl");
    command_add(c, "-o");
    command_add(c, "net.json");
    command_add(c, "--json");
    command_add(c, "-q");
    command_add(c, "-j");
    command_add(c, "%d", draw_between(seed, 1, 2));
}

bool em_judge(struct question *q, uint64_t *seed)
{
    static struct table table;
    static struct world got;
    struct json *notes = NULL;
    int state[FEW][STATES];
    memset(state, -1, sizeof state);
    draw_table(&q->world, &table, seed);
    add_words(q, !q->world.states[0], seed);
    if (!question_run(q, 0))
        return false;
    q->tally->em++;
    bool fine =
        world_read(&got, q->world.n, "net.json", &notes, state)
            ? check_em(q, &table, &got, notes, state) && check_search(q, &got)
            : question_accuse(q, "the network cannot be read");
    json_free(notes);
    return fine;
}
