/* SPDX-License-Identifier: MIT */
/* Rows spread over ranks, which are threads here: the table is the one that one
 * process reads, wherever the file is cut, and families score the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/random.h"
#include "data/digest.h"
#include "data/shards.h"
#include "parallel/parallel.h"
#include "scores/scorer.h"
#include "thread_ranks.h"

enum { COLUMNS = 4, MOST_ROWS = 12 };

static const char *const FILE_NAME = "test_shards.csv";

/* What rank 0 finds, or one process. */
struct finding {
    char hex[BESTDAG_SHA256_HEX];
    int64_t rows;
    int64_t score[COLUMNS * COLUMNS]; /* of child and parent */
};

struct member {
    struct office *office;
    int rank;
    struct bestdag_run *run;
    struct finding found;
    bool has_table;
    pthread_t thread;
};

struct scoring {
    const struct bestdag_scorer *scorer;
    struct bestdag_run *run;
    int64_t *score;
};

/* On workers, which ask the calling thread for counts. */
static int score_child(void *job, int64_t item, int worker)
{
    const struct scoring *s = job;
    struct bestdag_scorer_scratch *scratch =
        bestdag_scorer_scratch_new(s->run, s->scorer);
    (void)worker;
    for (int p = 0; scratch && p < COLUMNS; p++) {
        struct bestdag_family family;
        bestdag_scorer_family(s->scorer, scratch, (int)item, &p, p != item,
                              &family);
        s->score[item * COLUMNS + p] = family.score;
    }
    bestdag_scorer_scratch_free(scratch);
    return bestdag_run_status(s->run);
}

static void look_at(struct bestdag_run *run, const struct bestdag_table *table,
                    struct finding *to)
{
    to->rows = table->rows;
    bestdag_table_digest(run, table, to->hex);
    struct bestdag_scorer *scorer = bestdag_scorer_new(run, table, NULL);
    struct scoring job = {scorer, run, to->score};
    struct bestdag_work work = {
        .job = &job, .items = COLUMNS, .work = score_child};
    if (scorer)
        bestdag_parallel(run, &work, NULL);
    bestdag_scorer_free(scorer);
}

static void *live(void *argument)
{
    struct member *m = argument;
    m->run = bestdag_run_new();
    m->run->threads = 3;
    join_office(m->run, m->office, m->rank);
    struct bestdag_options *options = bestdag_options_new(m->run);
    bestdag_options_set(m->run, options, "rows-by-rank", "yes");
    struct bestdag_table *table =
        bestdag_table_read_by_rank(m->run, FILE_NAME, options);
    m->has_table = table != NULL;
    if (table)
        look_at(m->run, table, &m->found);
    bestdag_table_free(table);
    bestdag_options_free(options);
    bestdag_communicator_leave(m->run, 0);
    return NULL;
}

static struct member member[MOST_RANKS];

static void run_all(int ranks)
{
    static struct office office;
    open_office(&office, ranks);
    for (int i = 0; i < ranks; i++) {
        member[i] = (struct member){.office = &office, .rank = i};
        pthread_create(&member[i].thread, NULL, live, &member[i]);
    }
    for (int i = 0; i < ranks; i++)
        pthread_join(member[i].thread, NULL);
    close_office(&office);
}

/* Labels of any length, some of few rows; missing values; blank lines. */
static void write_file(struct bestdag_random *r, int first)
{
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    const char *end = ends[bestdag_random_below(r, 3)];
    FILE *to = fopen(FILE_NAME, "wb");
    int rows = 3 + (int)bestdag_random_below(r, MOST_ROWS - 2);
    fprintf(to, "a,b,c,d%s", end);
    for (int i = 0; i < rows; i++) {
        fprintf(to, "%.*s,", i ? 1 : first, "uvwxyzuvwxyzuvwxyzuvwxyz");
        for (int c = 1; c < COLUMNS; c++)
            fprintf(to, "%s%s",
                    i > 2 && bestdag_random_below(r, 20) == 0 ? ""
                    : bestdag_random_below(r, 2)              ? "10"
                                                              : "9",
                    c < COLUMNS - 1 ? "," : "");
        if (i < rows - 1 || bestdag_random_below(r, 2))
            fputs(end, to);
        if (bestdag_random_below(r, 8) == 0)
            fputs(end, to);
    }
    fclose(to);
}

static void every_cut_gives_the_same_table(void **state)
{
    uint64_t seed = 1;
    (void)state;
    print_message("seed %llu\n", (unsigned long long)seed);
    struct bestdag_random r = bestdag_random_init(seed, 0);
    for (int first = 1; first <= 24; first++) {
        struct finding one = {.rows = 0};
        write_file(&r, first);
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_table *table = bestdag_table_read(run, FILE_NAME, NULL);
        assert_non_null(table);
        look_at(run, table, &one);
        bestdag_table_free(table);
        bestdag_run_free(run);
        for (int ranks = 2; ranks <= MOST_RANKS; ranks++) {
            run_all(ranks);
            for (int i = 0; i < ranks; i++) {
                assert_int_equal(bestdag_run_status(member[i].run), 0);
                assert_int_equal(member[i].has_table, i == 0);
            }
            assert_int_equal(member[0].found.rows, one.rows);
            assert_string_equal(member[0].found.hex, one.hex);
            assert_memory_equal(member[0].found.score, one.score,
                                sizeof one.score);
            for (int i = 0; i < ranks; i++)
                bestdag_run_free(member[i].run);
        }
    }
    unlink(FILE_NAME);
}

/* The error of the last rank reaches all; its line is that of the file. */
static void an_error_is_named(void **state)
{
    (void)state;
    FILE *to = fopen(FILE_NAME, "w");
    fputs("a,b,c,d\n0,0,0,0\n1,0,1,0\n1,1,1,1\n0,0,1\n", to);
    fclose(to);
    for (int ranks = 2; ranks <= MOST_RANKS; ranks++) {
        run_all(ranks);
        for (int i = 0; i < ranks; i++)
            assert_int_equal(bestdag_run_status(member[i].run), BESTDAG_INPUT);
        assert_non_null(strstr(bestdag_run_error(member[0].run),
                               "test_shards.csv:5: found 3 fields"));
        assert_non_null(strstr(bestdag_run_error(member[0].run), "rank "));
        for (int i = 0; i < ranks; i++)
            bestdag_run_free(member[i].run);
    }
    unlink(FILE_NAME);
}

/* ---- counting, against row by row -----------------------------------------
 */

enum { WIDE = 9 };

static struct bestdag_table *random_table(struct bestdag_run *run,
                                          struct bestdag_random *r,
                                          int64_t rows, bool is_weighted)
{
    static const int states[WIDE] = {2, 3, 1, 4, 5, 2, 17, 255, 300};
    struct bestdag_table *t = bestdag_table_new(run, rows);
    uint16_t *code = calloc((size_t)rows + 1, sizeof *code);
    int64_t *weight = calloc((size_t)rows + 1, sizeof *weight);
    for (int c = 0; c < WIDE; c++) {
        char name[] = {(char)('a' + c), 0};
        for (int64_t i = 0; i < rows; i++)
            code[i] = (uint16_t)bestdag_random_below(r, (uint64_t)states[c]);
        bestdag_table_add_codes(run, t, name, code, sizeof *code, states[c],
                                NULL);
    }
    for (int64_t i = 0; i < rows; i++)
        weight[i] = 1 + (int64_t)bestdag_random_below(r, 3);
    if (is_weighted)
        bestdag_table_set_weights(run, t, weight);
    free(code);
    free(weight);
    return t;
}

static void count_slowly(const struct bestdag_table *t,
                         const struct bestdag_shard_request *r, int64_t *to)
{
    for (int64_t row = 0; row < t->rows; row++) {
        int64_t shared = 0, cells = 1, at = 0;
        int64_t weight = t->weights ? t->weights[row] : 1;
        for (int i = 0; i < r->count; i++) {
            const struct bestdag_column *c = &t->column[r->variables[i]];
            shared = shared * c->states + bestdag_column_code(c, row);
            cells *= c->states;
        }
        if (!r->mores)
            to[shared] += weight;
        for (int m = 0; m < r->mores; m++) {
            const struct bestdag_column *c = &t->column[r->more[m]];
            to[at + shared * c->states + bestdag_column_code(c, row)] += weight;
            at += cells * c->states;
        }
    }
}

/* A request of random variables, none of them twice. */
static int64_t draw_request(const struct bestdag_table *t,
                            struct bestdag_random *r, int *variable,
                            struct bestdag_shard_request *to)
{
    for (int i = 0; i < WIDE; i++)
        variable[i] = i;
    for (int i = WIDE - 1; i > 0; i--) {
        int j = (int)bestdag_random_below(r, (uint64_t)i + 1), v = variable[i];
        variable[i] = variable[j];
        variable[j] = v;
    }
    int count = (int)bestdag_random_below(r, 4);
    int mores = (int)bestdag_random_below(r, (uint64_t)(WIDE - count + 1));
    *to = (struct bestdag_shard_request){variable, count, variable + count,
                                         mores};
    int64_t shared = 1, cells = 0;
    for (int i = 0; i < count; i++)
        shared *= t->column[variable[i]].states;
    for (int m = 0; m < mores; m++)
        cells += shared * t->column[to->more[m]].states;
    return mores ? cells : shared;
}

static void counts_are_those_of_the_rows(void **state)
{
    static const int64_t rows[] = {1, 2, 63, 64, 8191, 8192, 8193, 20000};
    struct bestdag_random r = bestdag_random_init(2, 0);
    (void)state;
    print_message("seed 2\n");
    for (int trial = 0; trial < 160; trial++) {
        struct bestdag_run *run = bestdag_run_new();
        run->threads = 1 + trial % 3;
        struct bestdag_table *own =
            random_table(run, &r, rows[trial % 8], trial % 5 == 4);
        struct bestdag_shards *shards =
            bestdag_shards_new(run, own, false, own->rows, own->total);
        assert_non_null(shards);
        assert_int_equal(shards->bits != NULL, trial % 5 != 4);
        for (int i = 0; i < 4; i++) {
            int variable[WIDE];
            struct bestdag_shard_request request;
            int64_t cells = draw_request(own, &r, variable, &request);
            size_t size = (size_t)cells + 1;
            int64_t *slow = calloc(size, sizeof *slow),
                    *fast = calloc(size, sizeof *fast);
            count_slowly(own, &request, slow);
            assert_int_equal(
                bestdag_shard_count_rows(run, shards, &request, fast), 0);
            assert_memory_equal(slow, fast, size * sizeof *slow);
            free(slow);
            free(fast);
        }
        bestdag_shards_free(shards);
        bestdag_run_free(run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cut_gives_the_same_table),
        cmocka_unit_test(an_error_is_named),
        cmocka_unit_test(counts_are_those_of_the_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
