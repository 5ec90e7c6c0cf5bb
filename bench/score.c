/* SPDX-License-Identifier: MIT */
/* score.c -- local scores per second: sequential against the plain counter, and
 * known tables. Processor time of one thread where a rate is given, so that
 * other work on the machine does not show. bench/score.sh runs it, a section at
 * a time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "base/simd.h"
#include "parents/exhaustive/sequential.h"
#include "plain.h"

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void die(struct bestdag_run *run)
{
    if (!bestdag_run_status(run))
        return;
    fprintf(stderr, "score: %s\n", bestdag_run_error(run));
    exit(1);
}

/* Each column copies an earlier one in part. */
static struct bestdag_table *random_table(struct bestdag_run *run, int columns,
                                          int64_t rows, int least, int most)
{
    struct bestdag_random r = bestdag_random_init(11, 1);
    struct bestdag_table *t = bestdag_table_new(run, rows);
    uint8_t *code = malloc((size_t)rows);
    for (int c = 0; c < columns; c++) {
        char name[16];
        int states =
            least + (int)bestdag_random_below(&r, (uint64_t)(most - least + 1));
        int from = c ? (int)bestdag_random_below(&r, (uint64_t)c) : 0;
        snprintf(name, sizeof name, "V%d", c + 1);
        for (int64_t i = 0; i < rows; i++)
            code[i] = c && bestdag_random_below(&r, 3) == 0
                          ? (uint8_t)(bestdag_column_code(&t->column[from], i) %
                                      states)
                          : (uint8_t)bestdag_random_below(&r, (uint64_t)states);
        bestdag_table_add_codes(run, t, name, code, 1, states, NULL);
    }
    free(code);
    die(run);
    return t;
}

static void free_sets(struct bestdag_sets *sets)
{
    for (int i = 0; i < sets->n; i++) {
        bestdag_free(sets->list[i].score);
        bestdag_free(sets->list[i].start);
        bestdag_free(sets->list[i].member);
    }
    bestdag_free(sets->list);
}

struct result {
    double wall, cpu;
    int64_t scored, stored, bytes;
};

static struct result measure(struct bestdag_run *run,
                             const struct bestdag_table *t, const char *score,
                             struct bestdag_sequential_request job)
{
    struct bestdag_options *o = bestdag_options_new(run);
    bestdag_options_set(run, o, "score", score);
    double wall = seconds(CLOCK_MONOTONIC);
    double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    struct bestdag_scorer *s = bestdag_scorer_new(run, t, o);
    die(run);
    struct bestdag_sets sets = {.n = s->n};
    sets.list = bestdag_calloc(run, (size_t)s->n, sizeof *sets.list);
    bestdag_sequential(run, s, &job, &sets);
    die(run);
    struct result r = {.wall = seconds(CLOCK_MONOTONIC) - wall,
                       .cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu,
                       .scored = sets.scored,
                       .bytes = bestdag_memory_peak(run)};
    for (int i = 0; i < s->n; i++)
        r.stored += sets.list[i].count;
    free_sets(&sets);
    bestdag_scorer_free(s);
    bestdag_options_free(o);
    return r;
}

/* Local scores per second of the plain counter, on sets of the largest size. */
static double plain_rate(const struct bestdag_table *t, const char *score,
                         int parents)
{
    int n = t->columns, set[8];
    const uint8_t **column = malloc((size_t)n * sizeof *column);
    int *states = malloc((size_t)n * sizeof *states);
    double *xlogx = malloc(((size_t)t->rows + 1) * sizeof *xlogx);
    struct plain p = {.rows = t->rows, .room = 1 << 23};
    struct bestdag_random r = bestdag_random_init(5, 5);
    for (int i = 0; i < n; i++) {
        column[i] = t->column[i].cells;
        states[i] = t->column[i].states;
    }
    for (int64_t i = 0; i <= t->rows; i++)
        xlogx[i] = i ? (double)i * log((double)i) : 0;
    p.column = column;
    p.states = states;
    p.xlogx = xlogx;
    p.ess = strcmp(score, "bdeu") ? 0 : 1;
    p.cell = malloc((size_t)p.room * sizeof *p.cell);
    double from = seconds(CLOCK_PROCESS_CPUTIME_ID), now, sum = 0;
    int64_t done = 0;
    do {
        for (int i = 0; i <= parents; i++)
            for (int j = set[i] = (int)bestdag_random_below(&r, (uint64_t)n);
                 j >= 0;) {
                for (j = i - 1; j >= 0 && set[j] != set[i]; j--)
                    ;
                if (j >= 0)
                    set[i] = (set[i] + 1) % n;
            }
        sum += plain_score(&p, set[parents], set, parents);
        done++;
        now = seconds(CLOCK_PROCESS_CPUTIME_ID);
    } while (now - from < 1.0);
    if (sum == 1)
        puts(""); /* it must not be left out */
    free(p.cell);
    free(xlogx);
    free(states);
    free(column);
    return (double)done / (now - from);
}

static void compare(struct bestdag_run *run, const char *what,
                    const struct bestdag_table *t, const char *score,
                    struct bestdag_sequential_request job)
{
    bestdag_run_set(run, "threads", "1");
    struct result best = measure(run, t, score, job);
    struct result again = measure(run, t, score, job);
    double first = best.cpu; /* the system hands out the memory */
    best = again.cpu < best.cpu ? again : best;
    double rate = (double)best.scored / best.cpu;
    double plain = plain_rate(t, score, job.max_parents);
    printf("%-34s %-5s %-6s %10lld scores %8.3f s cpu (first %.3f) %7.2f M/s  "
           "plain %8.4f M/s  %6.1f x\n",
           what, score, bestdag_simd_name(), (long long)best.scored, best.cpu,
           first, rate / 1e6, plain / 1e6, rate / plain);
    fflush(stdout);
}

static struct bestdag_table *known_table(struct bestdag_run *run,
                                         const char *file, const char *header,
                                         bool split)
{
    char path[512];
    const char *folder = getenv("BESTDAG_DATA");
    struct bestdag_options *o = bestdag_options_new(run);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    if (header)
        bestdag_options_set(run, o, "no-header", header);
    if (split) /* every column of numbers is split at its mean */
        bestdag_options_set(run, o, "max-states", "2");
    struct bestdag_table *raw = bestdag_table_read(run, path, o);
    die(run);
    struct bestdag_table *t = bestdag_table_discretize(run, raw, o);
    die(run);
    bestdag_table_free(raw);
    bestdag_options_free(o);
    return t;
}

/* ---- sections -------------------------------------------------------------
 */

static const struct bestdag_sequential_request pairs = {.max_parents = 2};
static const struct bestdag_sequential_request pruned = {.max_parents = 2,
                                                         .prune = true};
static const struct bestdag_sequential_request triples = {.max_parents = 3};

static void binary(struct bestdag_run *run)
{
    struct bestdag_table *t = random_table(run, 200, 5000, 2, 2);
    compare(run, "binary 5000 x 200, k 2, no pruning", t, "bic", pairs);
    compare(run, "binary 5000 x 200, k 2, pruned", t, "bic", pruned);
    bestdag_table_free(t);
}

static void mixed(struct bestdag_run *run)
{
    struct bestdag_table *t = random_table(run, 60, 5000, 2, 4);
    compare(run, "2-4 states 5000 x 60, k 3", t, "bic", triples);
    compare(run, "2-4 states 5000 x 60, k 3", t, "bdeu", triples);
    bestdag_table_free(t);
}

static void letter(struct bestdag_run *run)
{
    struct bestdag_table *t =
        known_table(run, "uci/letter.csv.gz", NULL, false);
    compare(run, "letter, 16-26 states, k 3", t, "bic", triples);
    bestdag_table_free(t);
}

static void accidents(struct bestdag_run *run)
{
    struct bestdag_sequential_request job = {.max_parents = 3, .prune = true};
    struct bestdag_table *t =
        known_table(run, "density/accidents.train.data.gz", "yes", false);
    bestdag_run_set(run, "threads", "2");
    struct result r = measure(run, t, "bic", job);
    printf("accidents %d x %lld, k 3, 2 threads: %lld scored, %lld stored, "
           "%.2f s wall, %.2f s cpu, %.1f M/s, %lld MB\n",
           t->columns, (long long)t->rows, (long long)r.scored,
           (long long)r.stored, r.wall, r.cpu, (double)r.scored / r.wall / 1e6,
           (long long)(r.bytes >> 20));
    bestdag_table_free(t);
}

/* Table 1 of de Campos, Zeng and Ji, ICML 2009. Their mushroom has 1868 rows;
 * ours has all that miss nothing. Only adult, letter and wdbc have columns that
 * are continuous. */
static const struct paper {
    const char *name, *file;
    bool split;
    int64_t steps, stored;
    double seconds;
} papers[] = {
    {"adult", "adult_train_nomissing.csv.gz", true, 30058, 672, 182.09},
    {"car", "car.csv", false, 335, 24, 0.09},
    {"letter", "letter.csv.gz", true, 534230, 41562, 2321.46},
    {"lung", "lung-cancer.csv", false, 43592, 3753, 1.33},
    {"mushroom", "mushroom.csv.gz", false, 140694, 8217, 72.13},
    {"nursery", "nursery.csv.gz", false, 1905, 49, 3.94},
    {"wdbc", "wdbc.csv", true, 1692158, 7482, 351.04},
    {"zoo", "zoo.csv", false, 9118, 1875, 0.31},
};

static void table1(struct bestdag_run *run)
{
    struct bestdag_sequential_request job = {.max_parents = -1, .prune = true};
    bestdag_run_set(run, "threads", "1");
    printf("%-9s %3s %6s | %9s %9s | %8s %8s | %8s %8s %8s\n", "table", "n",
           "rows", "steps", "paper", "stored", "paper", "s wall", "s cpu",
           "paper");
    for (size_t i = 0; i < sizeof papers / sizeof *papers; i++) {
        const struct paper *p = &papers[i];
        char file[64];
        snprintf(file, sizeof file, "uci/%s", p->file);
        struct bestdag_table *t = known_table(run, file, NULL, p->split);
        struct result r = measure(run, t, "bic", job);
        printf("%-9s %3d %6lld | %9lld %9lld | %8lld %8lld | %8.3f %8.3f "
               "%8.2f\n",
               p->name, t->columns, (long long)t->rows, (long long)r.scored,
               (long long)p->steps, (long long)r.stored, (long long)p->stored,
               r.wall, r.cpu, p->seconds);
        fflush(stdout);
        bestdag_table_free(t);
    }
}

static const struct section {
    const char *name;
    void (*run)(struct bestdag_run *run);
    bool outside; /* needs $BESTDAG_DATA */
} sections[] = {{"binary", binary, false},
                {"mixed", mixed, false},
                {"letter", letter, true},
                {"accidents", accidents, true},
                {"table1", table1, true}};

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : NULL;
    bool found = false;
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        const struct section *s = &sections[i];
        if (only && strcmp(only, s->name) != 0)
            continue;
        found = true;
        if (s->outside && !getenv("BESTDAG_DATA")) {
            printf("skipped: %s, BESTDAG_DATA is not set\n", s->name);
            continue;
        }
        struct bestdag_run *run = bestdag_run_new(); /* has a peak of its own */
        s->run(run);
        bestdag_run_free(run);
    }
    if (!found)
        fprintf(stderr, "score: there is no section '%s'\n", only);
    return !found;
}
