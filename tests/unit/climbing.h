/* SPDX-License-Identifier: MIT */
/* climbing.h -- what the tests of hill climbing share: a table with the scores
 * of all families, and single moves by their definition. */
#ifndef BESTDAG_TESTS_CLIMBING_H
#define BESTDAG_TESTS_CLIMBING_H

#include "small_graphs.h"

#include <math.h>
#include <unistd.h>

#include "random_table.h"
#include "search/direct/arc_moves.h"
#include "search/solver.h"

enum { MOST = 5 };

static const char *const scores[] = {"score=bic",
                                     "score=aic",
                                     "score=ll",
                                     "score=k2",
                                     "score=bdeu",
                                     "score=bdeu ess=30",
                                     "score=mit",
                                     "score=bd pseudo=.3",
                                     "score=bde ess=2 prior=",
                                     "score=bic structure-prior=arcs:2.5"};
enum { SCORES = sizeof scores / sizeof *scores };

/* ---- a bench: a table, its scores, all families ---------------------------
 */

struct bench {
    struct bestdag_run *run;
    struct bestdag_table *table;
    struct bestdag_options *options;
    struct bestdag_scorer *scorer;
    struct bestdag_task task;
    int64_t family[MOST][1 << MOST]; /* by child and mask of parents */
};

/* "key=value key=value"; those of the solver as "set:key=value". */
static inline void set_options(struct bench *b, const char *settings)
{
    char copy[1024], *save = NULL;
    snprintf(copy, sizeof copy, "%s", settings ? settings : "");
    for (char *word = strtok_r(copy, " ", &save); word;
         word = strtok_r(NULL, " ", &save)) {
        if (!strncmp(word, "set:", 4)) {
            bestdag_options_set(b->run, b->options, "set", word + 4);
            continue;
        }
        char *equals = strchr(word, '=');
        *equals = 0;
        bestdag_options_set(b->run, b->options, word, equals + 1);
    }
}

/* A network without arcs over the table, for bde. */
static inline void write_prior(struct bench *b, char *path, size_t room)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, room, "%s/test_hc_prior_%d.bif", folder ? folder : "/tmp",
             (int)getpid());
    struct bestdag_network *net = bestdag_network_new(b->run, b->table);
    struct bestdag_network *fitted =
        bestdag_network_fit(b->run, net, b->table, b->options);
    bestdag_network_write(b->run, fitted, path);
    bestdag_network_free(net);
    bestdag_network_free(fitted);
}

static inline void open_bench(struct bench *b, struct random_table how,
                              const char *settings)
{
    char text[512], path[256] = "";
    size_t length = settings ? strlen(settings) : 0;
    *b = (struct bench){.run = bestdag_run_new()};
    b->table = random_table(b->run, how);
    b->options = bestdag_options_new(b->run);
    if (length && !strcmp(settings + length - 6, "prior="))
        write_prior(b, path, sizeof path);
    snprintf(text, sizeof text, "%s%s", settings ? settings : "", path);
    set_options(b, text);
    b->scorer = bestdag_scorer_new(b->run, b->table, b->options);
    if (*path)
        remove(path);
    assert_string_equal(bestdag_run_error(b->run), "");
    b->task = (struct bestdag_task){.run = b->run,
                                    .solver = bestdag_solver_find("hc"),
                                    .options = b->options,
                                    .scorer = b->scorer,
                                    .n = how.columns,
                                    .max_parents = -1};
}

static inline void close_bench(struct bench *b)
{
    bestdag_scorer_free(b->scorer);
    bestdag_options_free(b->options);
    bestdag_table_free(b->table);
    assert_int_equal(bestdag_memory_used(b->run), 0);
    bestdag_run_free(b->run);
}

static inline int64_t fresh_score(struct bench *b,
                                  struct bestdag_scorer_scratch *scratch, int v,
                                  uint32_t parents)
{
    int list[MOST_NODES], count = 0;
    struct bestdag_family family;
    for (int u = 0; u < b->task.n; u++)
        if (has(parents, u))
            list[count++] = u;
    assert_int_equal(
        bestdag_scorer_family(b->scorer, scratch, v, list, count, &family), 0);
    return family.score;
}

/* Each with a scratch of its own, so that no work is shared. */
static inline void score_all(struct bench *b)
{
    for (int v = 0; v < b->task.n; v++)
        for (uint32_t set = 0; set < (uint32_t)1 << b->task.n; set++) {
            struct bestdag_scorer_scratch *scratch =
                bestdag_scorer_scratch_new(b->run, b->scorer);
            if (!has(set, v))
                b->family[v][set] = fresh_score(b, scratch, v, set);
            bestdag_scorer_scratch_free(scratch);
        }
}

static inline int64_t score_of(const struct bench *b, const struct small *g)
{
    int64_t sum = 0;
    for (int v = 0; v < g->n; v++)
        sum += b->family[v][g->parents[v]];
    return sum;
}

static inline int count_bits(uint32_t set)
{
    return __builtin_popcount(set);
}

static inline bool is_allowed(const struct bench *b, const struct small *g)
{
    if (b->task.max_parents >= 0)
        for (int v = 0; v < g->n; v++)
            if (count_bits(g->parents[v]) > b->task.max_parents)
                return false;
    return acyclic(g);
}

static inline int64_t best_of_all(const struct bench *b)
{
    int64_t best = INT64_MIN;
    for (int code = 0; code < codes(b->task.n, 3); code++) {
        struct small g = decode(b->task.n, 3, code);
        if (is_allowed(b, &g) && score_of(b, &g) > best)
            best = score_of(b, &g);
    }
    return best;
}

/* All single moves, by the definition. */
static inline struct small moved(const struct small *g, int u, int v,
                                 enum bestdag_move_kind kind)
{
    struct small to = *g;
    to.parents[v] ^= (uint32_t)1 << u;
    if (kind == BESTDAG_TURN)
        to.parents[u] ^= (uint32_t)1 << v;
    return to;
}

/* Can the move be made? Adding to or from a constant never is. */
static inline bool can_move(const struct bench *b, const struct small *g, int u,
                            int v, enum bestdag_move_kind kind)
{
    bool arc = has(g->parents[v], u);
    if (u == v || arc != (kind != BESTDAG_ADD))
        return false;
    if (kind != BESTDAG_DROP &&
        (b->scorer->states[u] < 2 || b->scorer->states[v] < 2))
        return false;
    struct small to = moved(g, u, v, kind);
    return is_allowed(b, &to);
}

#endif
