/* SPDX-License-Identifier: MIT */
/* test_properties.c -- what the papers prove of scores, seen from outside: the
 * scores come from bestdag_score(), entropies are counted here.
 *
 * BIC* (Scanagatta, de Campos, Corani, Zaffalon, NIPS 2015) estimates the score
 * of P1 + P2 from those of P1 and P2. Sets are bits of an int. */
#include <math.h>

#include "network/network.h"
#include "random_numbers.h"
#include "random_table.h"
#include "scores/score.h"
#include "scratch.h"
#include "small_graphs.h"

enum { TABLES = 40, MOST = 6 };

static uint64_t seed; /* of the table in work, for those who report */

/* ---- scores and entropies of sets ------------------------------------- */

struct subject {
    struct bestdag_run *run;
    struct bestdag_table *table;
    struct bestdag_options *options;
    double total;
};

static struct subject subject_new(struct bestdag_run *run,
                                  struct bestdag_table *table,
                                  const char *score)
{
    struct subject s = {run, table, bestdag_options_new(run), 0};
    bestdag_options_set(run, s.options, "score", score);
    for (int64_t i = 0; i < table->rows; i++)
        s.total += (double)bestdag_table_weight(table, i);
    return s;
}

static void subject_free(struct subject *s)
{
    bestdag_options_free(s->options);
    bestdag_table_free(s->table);
}

static int list(int set, int *to)
{
    int count = 0;
    for (int v = 0; set >> v; v++)
        if (set >> v & 1)
            to[count++] = v;
    return count;
}

static double score(const struct subject *s, int child, int set)
{
    int parents[MOST] = {0};
    double value = NAN;
    int count = list(set, parents);
    bestdag_score(s->run, s->table, NULL, s->options, child, parents, count,
                  &value);
    assert_fine(s->run);
    return value;
}

static int64_t joint_states(const struct bestdag_table *t, int set)
{
    int64_t states = 1;
    for (int v = 0; v < t->columns; v++)
        states *= set >> v & 1 ? t->column[v].states : 1;
    return states;
}

/* N H(set), cell by cell. */
static double entropy(const struct subject *s, int set)
{
    int64_t cells = joint_states(s->table, set);
    double *n = calloc((size_t)cells, sizeof *n), sum = 0;
    for (int64_t row = 0; row < s->table->rows; row++) {
        int64_t cell = 0;
        for (int v = 0; v < s->table->columns; v++)
            if (set >> v & 1)
                cell = cell * s->table->column[v].states +
                       bestdag_column_code(&s->table->column[v], row);
        n[cell] += (double)bestdag_table_weight(s->table, row);
    }
    for (int64_t i = 0; i < cells; i++)
        sum -= n[i] > 0 ? n[i] * log(n[i] / s->total) : 0;
    free(n);
    return sum;
}

static double penalty(const struct subject *s, int child, int set)
{
    return log(s->total) / 2 * (s->table->column[child].states - 1) *
           (double)joint_states(s->table, set);
}

/* As the paper defines it. */
static double bic_star(const struct subject *s, int child, int p1, int p2)
{
    double inter = penalty(s, child, p1) + penalty(s, child, p2) -
                   penalty(s, child, p1 | p2) - penalty(s, child, 0) -
                   score(s, child, 0);
    return score(s, child, p1) + score(s, child, p2) + inter;
}

/* N (I(P1; P2 | X) - I(P1; P2)) */
static double interaction(const struct subject *s, int child, int p1, int p2)
{
    int x = 1 << child;
    double given = entropy(s, p1 | x) + entropy(s, p2 | x) -
                   entropy(s, p1 | p2 | x) - entropy(s, x);
    double alone = entropy(s, p1) + entropy(s, p2) - entropy(s, p1 | p2);
    return given - alone;
}

static double least_entropy(const struct subject *s, int child, int p1, int p2)
{
    return fmin(entropy(s, 1 << child), fmin(entropy(s, p1), entropy(s, p2)));
}

static void close_to(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance * (1 + fabs(want))))
        fail_msg("seed %d: got %.12f, expected %.12f", (int)seed, got, want);
}

/* Two disjoint sets of columns without `child`, neither empty. */
static void draw_split(struct bestdag_random *r, int columns, int child,
                       int *p1, int *p2)
{
    do {
        *p1 = *p2 = 0;
        for (int v = 0; v < columns; v++) {
            int where = v == child ? 0 : (int)bestdag_random_below(r, 3);
            *p1 |= (where == 1) << v;
            *p2 |= (where == 2) << v;
        }
    } while (!*p1 || !*p2);
}

/* ---- BIC and BIC* ------------------------------------------------------ */

static void bic_is_bic_star_and_interaction_information(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    for (seed = 1; seed <= TABLES; seed++) {
        struct bestdag_random r = bestdag_random_init(seed, 3);
        struct random_table how = {.seed = seed,
                                   .columns = MOST,
                                   .most = 4,
                                   .rows = 20 + (int)seed * 7,
                                   .weights = seed % 3 ? 0 : 5};
        struct subject s = subject_new(run, random_table(run, how), "bic");
        for (int i = 0; i < 12; i++) {
            int p1, p2, child = i % MOST;
            draw_split(&r, MOST, child, &p1, &p2);
            double bic = score(&s, child, p1 | p2);
            double star = bic_star(&s, child, p1, p2);
            close_to(star + interaction(&s, child, p1, p2), bic, 1e-9);
            double most = least_entropy(&s, child, p1, p2);
            if (fabs(bic - star) > most + 1e-9 * (1 + fabs(bic)))
                fail_msg("seed %d: off by %g, at most %g", (int)seed,
                         bic - star, most);
        }
        subject_free(&s);
    }
    scratch_end(run);
}

/* Columns X, A, B, C from lists of codes; two states of X, A, C, three of B. */
static struct bestdag_table *of_codes(struct bestdag_run *run, int rows,
                                      int8_t code[4][4096])
{
    static const char *const name[] = {"X", "A", "B", "C"};
    static const int states[] = {2, 2, 3, 2};
    struct bestdag_table *t = bestdag_table_new(run, rows);
    for (int v = 0; v < 4; v++)
        bestdag_table_add_codes(run, t, name[v], code[v], 1, states[v], NULL);
    return t;
}

/* Every joint state of A and (B, C) equally often, so they are independent,
 * and X as it comes: Corollary 2, first half. */
static void independent_parents_score_no_less_than_bic_star(void **state)
{
    (void)state;
    static int8_t code[4][4096];
    int above = 0;
    struct bestdag_run *run = bestdag_run_new();
    for (seed = 1; seed <= TABLES; seed++) {
        struct bestdag_random r = bestdag_random_init(seed, 4);
        int rows = 12 * (1 + (int)bestdag_random_below(&r, 20));
        for (int i = 0; i < rows; i++) {
            code[1][i] = (int8_t)(i % 2);
            code[2][i] = (int8_t)(i / 2 % 3);
            code[3][i] = (int8_t)(i / 6 % 2);
            bool odd = (code[1][i] + code[2][i]) % 2;
            code[0][i] = bestdag_random_below(&r, 4) ? (int8_t)odd : 0;
        }
        struct subject s = subject_new(run, of_codes(run, rows, code), "bic");
        double bic = score(&s, 0, 14), star = bic_star(&s, 0, 2, 12);
        if (!(bic >= star - 1e-8 * (1 + fabs(bic))))
            fail_msg("seed %d: %.12f < %.12f", (int)seed, bic, star);
        above += bic > star + 1e-3;
        subject_free(&s);
    }
    assert_int_equal(above, TABLES);
    scratch_end(run);
}

/* Given X the counts of A and (B, C) are products of counts: Corollary 2,
 * second half. */
static void parents_independent_given_the_child_score_no_more(void **state)
{
    (void)state;
    static int8_t code[4][4096];
    int below = 0;
    struct bestdag_run *run = bestdag_run_new();
    for (seed = 1; seed <= TABLES; seed++) {
        struct bestdag_random r = bestdag_random_init(seed, 5);
        int rows = 0;
        for (int x = 0; x < 2; x++) {
            int a[2], bc[6];
            for (int i = 0; i < 2; i++)
                a[i] = (int)bestdag_random_below(&r, i == x ? 12 : 4);
            for (int i = 0; i < 6; i++)
                bc[i] = (int)bestdag_random_below(&r, i % 2 == x ? 10 : 3);
            for (int cell = 0; cell < 12; cell++)
                for (int k = a[cell % 2] * bc[cell / 2]; k > 0; k--) {
                    code[0][rows] = (int8_t)x;
                    code[1][rows] = (int8_t)(cell % 2);
                    code[2][rows] = (int8_t)(cell / 2 % 3);
                    code[3][rows++] = (int8_t)(cell / 6);
                }
        }
        if (rows < 2)
            continue;
        struct subject s = subject_new(run, of_codes(run, rows, code), "bic");
        double bic = score(&s, 0, 14), star = bic_star(&s, 0, 2, 12);
        if (!(bic <= star + 1e-8 * (1 + fabs(bic))))
            fail_msg("seed %d: %.12f > %.12f", (int)seed, bic, star);
        below += bic < star - 1e-3;
        subject_free(&s);
    }
    assert_true(below > TABLES / 2);
    scratch_end(run);
}

/* X, A and (B, C) in every combination equally often: third part. */
static void without_interaction_bic_star_is_bic(void **state)
{
    (void)state;
    static int8_t code[4][4096];
    static const int divisor[] = {1, 2, 4, 12}, states[] = {2, 2, 3, 2};
    struct bestdag_run *run = bestdag_run_new();
    for (int i = 0; i < 96; i++)
        for (int v = 0; v < 4; v++)
            code[v][i] = (int8_t)(i / divisor[v] % states[v]);
    struct subject s = subject_new(run, of_codes(run, 96, code), "bic");
    close_to(bic_star(&s, 0, 2, 12), score(&s, 0, 14), 1e-9);
    subject_free(&s);
    scratch_end(run);
}

/* ---- pruning ----------------------------------------------------------- */

/* How often each fires for supersets of P1 + P2. */
struct fired {
    int theorem, lemma;
};

/* Theorem 2 also implies penalty(P') + LL(Pi) - penalty(P1 + P2) > 0 for one of
 * the two, which is more than Lemma 2 asks of their scores. */
static void try_supersets(const struct subject *s, int child, int p1, int p2,
                          struct fired *to)
{
    int others = ((1 << s->table->columns) - 1) & ~(1 << child | p1 | p2);
    double star = bic_star(s, child, p1, p2);
    double least = least_entropy(s, child, p1, p2);
    double s1 = score(s, child, p1), s2 = score(s, child, p2);
    double likelihood =
        fmax(s1 + penalty(s, child, p1), s2 + penalty(s, child, p2));
    for (int more = others; more; more = (more - 1) & others) {
        double cost = penalty(s, child, p1 | p2 | more);
        bool theorem = star + cost > least + 1e-7;
        bool lemma = cost + fmax(s1, s2) >= 0;
        bool both = cost + likelihood > penalty(s, child, p1 | p2);
        to->theorem += theorem;
        to->lemma += lemma;
        if (theorem && !(lemma && both))
            fail_msg("seed %d, child %d, sets %d and %d with %d: Theorem 2 "
                     "alone prunes",
                     (int)seed, child, p1, p2, more);
    }
}

static void theorem_2_never_prunes_what_lemma_2_keeps(void **state)
{
    (void)state;
    struct fired all = {0, 0};
    struct bestdag_run *run = bestdag_run_new();
    for (seed = 1; seed <= TABLES; seed++) {
        struct bestdag_random r = bestdag_random_init(seed, 6);
        struct random_table how = {.seed = seed,
                                   .columns = MOST,
                                   .most = 3,
                                   .rows = 10 + (int)seed * (int)seed / 4};
        struct subject s = subject_new(run, random_table(run, how), "bic");
        for (int i = 0; i < 18; i++) {
            int p1, p2;
            draw_split(&r, MOST, i % MOST, &p1, &p2);
            try_supersets(&s, i % MOST, p1, p2, &all);
        }
        subject_free(&s);
    }
    assert_true(all.theorem > 100);
    assert_true(all.lemma > all.theorem);
    scratch_end(run);
}

static struct bestdag_sets *explore(const struct subject *s,
                                    const char *theorem_2)
{
    bestdag_options_set(s->run, s->options, "parents", "independence");
    bestdag_options_set(s->run, s->options, "theorem-2", theorem_2);
    struct bestdag_sets *sets =
        bestdag_sets_find(s->run, s->table, NULL, s->options);
    assert_fine(s->run);
    return sets;
}

static void same_list(const struct bestdag_sets *a,
                      const struct bestdag_sets *b, int v)
{
    assert_int_equal(bestdag_sets_count(a, v), bestdag_sets_count(b, v));
    for (int i = 0; i < bestdag_sets_count(a, v); i++) {
        int p[8], q[8];
        double x, y;
        int n = bestdag_sets_get(a, v, i, &x, p, 8);
        assert_int_equal(n, bestdag_sets_get(b, v, i, &y, q, 8));
        assert_memory_equal(p, q, (size_t)n * sizeof *p);
        assert_true(x == y);
    }
}

/* With Theorem 2 as without; the size of the best set of the first variable. */
static int compare_lists(const struct subject *s)
{
    int parents[8];
    double best;
    struct bestdag_sets *a = explore(s, "no"), *b = explore(s, "yes");
    for (int v = 0; v < s->table->columns; v++)
        same_list(a, b, v);
    int size = bestdag_sets_get(a, 0, 0, &best, parents, 8);
    bestdag_sets_free(a);
    bestdag_sets_free(b);
    return size;
}

static void theorem_2_changes_no_list(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    for (seed = 1; seed <= 12; seed++) {
        struct random_table how = {
            .seed = seed, .columns = 7, .most = 3, .rows = 15 * (int)seed};
        struct subject s = subject_new(run, random_table(run, how), "bic");
        compare_lists(&s);
        subject_free(&s);
    }
    scratch_end(run);
}

/* ---- pruning at the limit ------------------------------------------------
 *
 * Random tables are far from where Theorem 2 is tight. It is if P1 and P2 tell
 * the same of X. Here are tables of independent, uniform parts, every joint
 * state as often as any other: A of 2^bits states, B1, B2 and C of two. Columns
 * are X, P1, P2 and C. */

enum parts { SHARED, PRIVATE };

/* SHARED: P1 and P2 are A, X is (A, C). PRIVATE: P1 is (A, B1), P2 is (A, B2),
 * X is (A, B1, B2, C). Each joint state `weight` times. */
static struct bestdag_table *of_parts(struct bestdag_run *run, enum parts how,
                                      int bits, int weight)
{
    static const char *const name[] = {"X", "P1", "P2", "C"};
    int8_t code[4][256];
    int rows = 1 << (bits + (how == PRIVATE ? 3 : 1));
    const int states[] = {rows, 1 << (bits + (how == PRIVATE)),
                          1 << (bits + (how == PRIVATE)), 2};
    for (int i = 0; i < rows; i++) {
        int c = i & 1, b = how == PRIVATE ? i >> 1 & 3 : 0;
        int a = i >> (how == PRIVATE ? 3 : 1);
        code[0][i] = (int8_t)i;
        code[1][i] = (int8_t)(how == PRIVATE ? 2 * a + (b & 1) : a);
        code[2][i] = (int8_t)(how == PRIVATE ? 2 * a + (b >> 1) : a);
        code[3][i] = (int8_t)c;
    }
    struct bestdag_table *t = bestdag_table_new(run, rows);
    for (int v = 0; v < 4; v++)
        bestdag_table_add_codes(run, t, name[v], code[v], 1, states[v], NULL);
    t->weights = bestdag_alloc(run, (size_t)rows * sizeof *t->weights);
    for (int i = 0; i < rows; i++)
        t->weights[i] = weight;
    t->total = (int64_t)rows * weight;
    return t;
}

/* If P1 and P2 are the same, BIC* is as far above BIC as it can be, and the
 * third parent makes the likelihood 0: then the theorem prunes exactly when P1
 * + P2 is better than with C. */
static void theorem_2_is_tight_where_parents_are_the_same(void **state)
{
    (void)state;
    int fired = 0, kept = 0;
    struct bestdag_run *run = bestdag_run_new();
    for (int weight = 1; weight <= 40; weight++) {
        struct subject s =
            subject_new(run, of_parts(run, SHARED, 1, weight), "bic");
        double without = score(&s, 0, 6), with = score(&s, 0, 14);
        bool theorem = bic_star(&s, 0, 2, 4) + penalty(&s, 0, 14) >
                       least_entropy(&s, 0, 2, 4);
        if (theorem != (without > with))
            fail_msg("weight %d: %.9f without C, %.9f with it", weight, without,
                     with);
        fired += theorem;
        kept += !theorem;
        subject_free(&s);
    }
    assert_true(fired > 5 && kept > 5);
    scratch_end(run);
}

/* What P1 and P2 share is most of what they are (two bits of A), or of what X
 * is (four): half the entropy of either in the theorem would prune the three,
 * which are the best parents. */
static void theorem_2_keeps_best_sets_next_to_its_limit(void **state)
{
    (void)state;
    static const int bits[] = {2, 4}, from[] = {780, 21000}, step[] = {10, 100};
    struct bestdag_run *run = bestdag_run_new();
    for (int i = 0; i < 2; i++) {
        int three = 0;
        for (int k = 0; k < 16; k++) {
            struct subject s = subject_new(
                run, of_parts(run, PRIVATE, bits[i], from[i] + k * step[i]),
                "bic");
            three += compare_lists(&s) == 3;
            subject_free(&s);
        }
        print_message("%d bits: 3 parents in %d of 16\n", bits[i], three);
        assert_true(three > 0 && three < 16);
    }
    scratch_end(run);
}

/* ---- equivalence classes ---------------------------------------------- */

/* A network with random tables over the variables and labels of the table. */
static void write_prior(struct bestdag_run *run, const struct bestdag_table *t,
                        const char *path)
{
    struct bestdag_options *o = bestdag_options_new(run);
    struct bestdag_network *bare = bestdag_network_new(run, t);
    bestdag_network_set_parents(run, bare, 1, (int[]){0}, 1);
    bestdag_network_set_parents(run, bare, 2, (int[]){0, 1}, 2);
    bestdag_options_set(run, o, "fit.pseudo", "0.7");
    struct bestdag_network *net = bestdag_network_fit(run, bare, t, o);
    bestdag_network_write(run, net, path);
    assert_fine(run);
    bestdag_network_free(net);
    bestdag_network_free(bare);
    bestdag_options_free(o);
}

/* The 25 graphs over 3 variables. */
static int all_dags(struct small *to)
{
    int count = 0;
    for (int code = 0; code < codes(3, 3); code++) {
        struct small g = decode(3, 3, code);
        if (acyclic(&g))
            to[count++] = g;
    }
    assert_int_equal(count, 25);
    return count;
}

static double total(double local[3][8], const struct small *g)
{
    double sum = 0;
    for (int v = 0; v < 3; v++)
        sum += local[v][g->parents[v]];
    return sum;
}

/* The most by which two graphs of one class differ. */
static double spread(const struct subject *s)
{
    struct small g[32];
    double local[3][8], most = 0;
    int count = all_dags(g);
    for (int v = 0; v < 3; v++)
        for (int set = 0; set < 8; set++)
            local[v][set] = set >> v & 1 ? NAN : score(s, v, set);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if (same_skeleton(&g[i], &g[j]) && same_v(&g[i], &g[j])) {
                double gap = total(local, &g[i]) - total(local, &g[j]);
                assert_false(isnan(gap));
                most = fmax(most, fabs(gap));
            }
    return most;
}

/* Every fifth cell or so is missing; labels fit one byte. */
static void punch_holes(struct bestdag_table *table)
{
    for (int c = 0; c < table->columns; c++) {
        struct bestdag_column *column = &table->column[c];
        uint8_t *cells = column->cells;
        assert_int_equal(column->bytes, 1);
        for (int64_t row = c; row < table->rows; row += 5 + c) {
            column->missing += cells[row] != BESTDAG_MISSING_1;
            cells[row] = BESTDAG_MISSING_1;
        }
    }
}

/* Nats by which a score that is not equivalent differs somewhere; pnal is of a
 * row, and equivalent on tables without holes. */
static double difference_of(const struct bestdag_score_type *type)
{
    return type->families && type->families->takes_missing ? 0.001 : 0.1;
}

static void equivalent_scores_are_equal_on_every_class(void **state)
{
    (void)state;
    const struct bestdag_score_type *type;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    for (int i = 0; (type = bestdag_score_at(i)); i++) {
        double most = 0;
        if (type->columns == BESTDAG_SCORE_MIXED)
            continue; /* not every graph of a class has a score */
        for (seed = 1; seed <= 15; seed++) {
            struct random_table how = {
                .seed = seed, .columns = 3, .most = 4, .rows = 10 * (int)seed};
            struct random_numbers numbers = {
                .seed = seed, .numbers = 3, .rows = 10 * (int)seed, .parts = 1};
            struct subject s =
                subject_new(run,
                            type->columns == BESTDAG_SCORE_NUMBERS
                                ? random_numbers(run, numbers)
                                : random_table(run, how),
                            type->name);
            if (!strcmp(type->name, "bde")) {
                const char *path = scratch_path(folder, "prior.json");
                write_prior(run, s.table, path);
                bestdag_options_set(run, s.options, "prior", path);
            }
            if (!strcmp(type->name, "bdeu") || !strcmp(type->name, "bde"))
                bestdag_options_set(run, s.options, "score.ess", "3.5");
            if (type->families && type->families->takes_missing)
                punch_holes(s.table);
            most = fmax(most, spread(&s));
            subject_free(&s);
        }
        if (type->equivalent ? most > 1e-6 : most < difference_of(type))
            fail_msg("%s differs by %g", type->name, most);
    }
    scratch_files(folder, true);
    scratch_end(run);
}

/* ---- evaluate ---------------------------------------------------------- */

/* Six rows of A, B (two states) and C (three). */
static struct bestdag_table *six_rows(struct bestdag_run *run)
{
    static const int8_t a[] = {0, 0, 0, 1, 1, 1}, b[] = {0, 0, 1, 1, 1, 0},
                        c[] = {0, 1, 2, 2, 1, 0};
    struct bestdag_table *t = bestdag_table_new(run, 6);
    bestdag_table_add_codes(run, t, "A", a, 1, 2, NULL);
    bestdag_table_add_codes(run, t, "B", b, 1, 2, NULL);
    bestdag_table_add_codes(run, t, "C", c, 1, 3, NULL);
    return t;
}

static struct bestdag_json *evaluated(const struct subject *s,
                                      const struct small *g)
{
    struct bestdag_network *bare = bestdag_network_new(s->run, s->table);
    for (int v = 0; v < g->n; v++) {
        int parents[MOST] = {0};
        int count = list((int)g->parents[v], parents);
        bestdag_network_set_parents(s->run, bare, v, parents, count);
    }
    struct bestdag_network *net =
        bestdag_network_fit(s->run, bare, s->table, NULL);
    char *text = bestdag_network_evaluate(s->run, net, s->table, s->options);
    assert_fine(s->run);
    struct bestdag_json *report = bestdag_json_read(s->run, text);
    bestdag_text_free(text);
    bestdag_network_free(net);
    bestdag_network_free(bare);
    return report;
}

/* Local scores of the six rows by child and set of parents (bits A B C). */
struct worked {
    const char *score, *key, *value;
    double local[3][8];
};
static const struct worked worked[] = {
    {"ll",
     "ess",
     "1",
     {{-4.1588830834, 0, -3.8190850098, 0, -4.1588830834, 0, -2.7725887222, 0},
      {-4.1588830834, -3.8190850098, 0, 0, -1.3862943611, 0, 0, 0},
      {-6.5916737320, -6.5916737320, -3.8190850098, -2.7725887222}}},
    {"bic",
     "ess",
     "1",
     {{-5.0547628180, 0, -5.6108444790, 0, -6.8465222872, 0, -8.1478671299, 0},
      {-5.0547628180, -5.6108444790, 0, 0, -4.0739335650, -5.3752784077},
      {-8.3834332012, -10.1751926705, -7.4026039482, -9.9396265992}}},
    {"aic",
     "ess",
     "1",
     {{-5.1588830834, 0, -5.8190850098, 0, -7.1588830834, 0, -8.7725887222, 0},
      {-5.1588830834, -5.8190850098, 0, 0, -4.3862943611, -6},
      {-8.5916737320, -10.5916737320, -7.8190850098, -10.7725887222}}},
    {"k2",
     "ess",
     "1",
     {{-4.9416424226, 0, -4.9698132996, 0, -5.3752784077, 0, -4.9698132996, 0},
      {-4.9416424226, -4.9698132996, 0, 0, -3.9889840466, -4.1588830834},
      {-7.8320141805, -8.1886891244, -6.8023947633, -7.1670378769}}},
    {"bdeu",
     "ess",
     "1",
     {{-5.3220338932, 0, -6.3561076607, 0, -8.3177661667, 0, -8.0507033815, 0},
      {-5.3220338932, -6.3561076607, 0, 0, -4.4259458686, -4.1588830834},
      {-9.0120418607, -12.0077741342, -8.1159538361, -9.8105495569}}},
    {"bdeu",
     "ess",
     "10",
     {{-4.4032288423, 0, -4.5235261969, 0, -4.9459758768, 0, -5.0988903419, 0},
      {-4.4032288423, -4.5235261969, 0, 0, -4.0059686183, -4.1588830834},
      {-7.0865142844, -7.6292613188, -6.6892540603, -7.2646182053}}},
    {"mit",
     "alpha",
     ".95",
     {{0, 0, -3.1618626735, 0, -5.9914645471, 0, -11.0336037281, 0},
      {0, -3.1618626735, 0, 0, -0.4462871026, -5.4884262836},
      {0, -5.9914645471, -0.4462871026, -7.8410235644}}},
    {"mit",
     "alpha",
     ".999",
     {{0, 0, -10.1479700235, 0, -13.8155105580, 0, -27.3091580320, 0},
      {0, -10.1479700235, 0, 0, -8.2703331135, -21.7639805875},
      {0, -13.8155105580, -8.2703331135, -24.6441674913}}},
};

static void evaluate_gives_the_worked_values(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct small g[32];
    int count = all_dags(g);
    for (int k = 0; k < COUNT(worked); k++) {
        struct subject s = subject_new(run, six_rows(run), worked[k].score);
        char key[32];
        double local[3][8];
        snprintf(key, sizeof key, "score.%s", worked[k].key);
        bestdag_options_set(run, s.options, key, worked[k].value);
        memcpy(local, worked[k].local, sizeof local);
        for (int i = 0; i < count; i++) {
            struct bestdag_json *report = evaluated(&s, &g[i]);
            const struct bestdag_json *scores =
                bestdag_json_get(report, "scores");
            close_to(
                bestdag_json_number(bestdag_json_get(scores, worked[k].score)),
                total(local, &g[i]), 1e-9);
            bestdag_json_free(report);
        }
        subject_free(&s);
    }
    scratch_end(run);
}

static double sum_of_locals(const struct subject *s, const struct small *g)
{
    double sum = 0;
    for (int v = 0; v < g->n; v++)
        sum += score(s, v, (int)g->parents[v]);
    return sum;
}

static void evaluate_adds_up_local_scores(void **state)
{
    (void)state;
    const struct bestdag_score_type *type;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    for (seed = 1; seed <= 12; seed++) {
        struct bestdag_random r = bestdag_random_init(seed, 8);
        struct random_table how = {
            .seed = seed, .columns = 5, .most = 4, .rows = 9 * (int)seed};
        struct subject s = subject_new(run, random_table(run, how), "bic");
        struct small g = random_small(&r, 5, 0.5);
        const char *path = scratch_path(folder, "prior.json");
        write_prior(run, s.table, path);
        bestdag_options_set(run, s.options, "prior", path);
        bestdag_options_set(run, s.options, "structure-prior", "arcs:0.25");
        struct bestdag_json *report = evaluated(&s, &g);
        const struct bestdag_json *scores = bestdag_json_get(report, "scores");
        for (int i = 0; (type = bestdag_score_at(i)); i++) {
            if (!bestdag_score_takes(type, s.table))
                continue;
            struct subject one = subject_new(run, s.table, type->name);
            bestdag_options_set(run, one.options, "structure-prior",
                                "arcs:0.25");
            if (!strcmp(type->name, "bde"))
                bestdag_options_set(run, one.options, "prior", path);
            close_to(bestdag_json_number(bestdag_json_get(scores, type->name)),
                     sum_of_locals(&one, &g), 1e-8);
            bestdag_options_free(one.options);
        }
        bestdag_json_free(report);
        subject_free(&s);
    }
    scratch_files(folder, true);
    scratch_end(run);
}

/* ---- pseudo-counts of each state -------------------------------------- */

/* By lgamma over all cells, also those that do not occur. */
static double dirichlet(const struct bestdag_table *t, int child, int set,
                        const double *a)
{
    int r = t->column[child].states;
    int64_t q = joint_states(t, set);
    double *n = calloc((size_t)(q * r), sizeof *n), sum = 0;
    for (int64_t row = 0; row < t->rows; row++) {
        int64_t j = 0;
        for (int v = 0; v < t->columns; v++)
            if (set >> v & 1)
                j = j * t->column[v].states +
                    bestdag_column_code(&t->column[v], row);
        n[j * r + bestdag_column_code(&t->column[child], row)]++;
    }
    for (int64_t j = 0; j < q; j++) {
        double all = 0, all_a = 0;
        for (int k = 0; k < r; k++) {
            sum += lgamma(n[j * r + k] + a[k]) - lgamma(a[k]);
            all += n[j * r + k];
            all_a += a[k];
        }
        sum += lgamma(all_a) - lgamma(all_a + all);
    }
    free(n);
    return sum;
}

/* V1 has a list, V2 a number, the others --pseudo. */
static void write_pseudo(const struct bestdag_table *t, const char *path,
                         double a[MOST][8])
{
    char text[512];
    int used = snprintf(text, sizeof text, "{\"V1\": [");
    for (int k = 0; k < t->column[0].states; k++) {
        a[0][k] = 0.25 + 1.5 * k;
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%g",
                         k ? ", " : "", a[0][k]);
    }
    used += snprintf(text + used, sizeof text - (size_t)used, "], \"V2\": 3}");
    for (int k = 0; k < 8; k++) {
        a[1][k] = 3;
        for (int v = 2; v < t->columns; v++)
            a[v][k] = 0.5;
    }
    scratch_write(path, text, (size_t)used);
}

static void pseudo_counts_of_a_file_are_used(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    for (seed = 1; seed <= 20; seed++) {
        struct random_table how = {
            .seed = seed, .columns = 4, .most = 5, .rows = 8 * (int)seed};
        struct subject s = subject_new(run, random_table(run, how), "bd");
        const char *path = scratch_path(folder, "pseudo.json");
        double a[MOST][8];
        write_pseudo(s.table, path, a);
        bestdag_options_set(run, s.options, "score.pseudo", "0.5");
        bestdag_options_set(run, s.options, "pseudo-file", path);
        for (int v = 0; v < 4; v++)
            for (int set = 0; set < 16; set++)
                if (!(set >> v & 1))
                    close_to(score(&s, v, set),
                             dirichlet(s.table, v, set, a[v]), 1e-9);
        subject_free(&s);
    }
    scratch_files(folder, true);
    scratch_end(run);
}

static void wrong_pseudo_counts_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"{\"C\": [1, 2]}", "a list of one for each state"},
        {"{\"C\": [1, 2, 3, 4]}", "a list of one for each state"},
        {"{\"C\": [1, 0, 3]}", "a number above 0"},
        {"{\"C\": [1, \"2\", 3]}", "a number above 0"},
        {"{\"A\": -1}", "a number above 0"},
        {"{\"D\": 1}", "there is no variable 'D'"},
        {"[1, 2]", "an object"}};
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    const char *path = scratch_path(folder, "pseudo.json");
    struct subject s = subject_new(run, six_rows(run), "bd");
    bestdag_options_set(run, s.options, "pseudo-file", path);
    for (int i = 0; i < COUNT(wrong); i++) {
        double value;
        scratch_write(path, wrong[i][0], strlen(wrong[i][0]));
        bestdag_score(run, s.table, NULL, s.options, 0, NULL, 0, &value);
        assert_failed(run, BESTDAG_INPUT, wrong[i][1]);
    }
    subject_free(&s);
    scratch_files(folder, true);
    scratch_end(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bic_is_bic_star_and_interaction_information),
        cmocka_unit_test(independent_parents_score_no_less_than_bic_star),
        cmocka_unit_test(parents_independent_given_the_child_score_no_more),
        cmocka_unit_test(without_interaction_bic_star_is_bic),
        cmocka_unit_test(theorem_2_never_prunes_what_lemma_2_keeps),
        cmocka_unit_test(theorem_2_changes_no_list),
        cmocka_unit_test(theorem_2_is_tight_where_parents_are_the_same),
        cmocka_unit_test(theorem_2_keeps_best_sets_next_to_its_limit),
        cmocka_unit_test(equivalent_scores_are_equal_on_every_class),
        cmocka_unit_test(evaluate_gives_the_worked_values),
        cmocka_unit_test(evaluate_adds_up_local_scores),
        cmocka_unit_test(pseudo_counts_of_a_file_are_used),
        cmocka_unit_test(wrong_pseudo_counts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
