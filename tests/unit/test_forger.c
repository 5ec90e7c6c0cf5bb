/* SPDX-License-Identifier: MIT */
/* test_forger.c -- tries to have false claims accepted by `verify`: made-up
 * certificates, changed ones and those of other problems, for good and bad
 * networks, lists, rules, sidecars and tables. forging.h has the oracle: what
 * is accepted must be true. What is true must be accepted, too.
 *
 *     test_forger [ROUNDS [SEED [TEST]]]
 *
 * A thousand rounds take an hour or two. */
#include "forgeries.h"

static int rounds = 1;
static uint64_t seed = 1;

/* ---- made-up certificates ---------------------------------------------------
 */

/* Asks for too much, then for what the checker says is proved, then for what
 * would make the network optimal. */
static void try_claims(struct scratch *d, const struct forge *f)
{
    put_claim(d, f, ((long long)1 << 62) - 1);
    ask(d);
    long long proves = d->proves;
    if (proves >= 0) {
        put_claim(d, f, proves);
        ask(d);
    }
    put_claim(d, f, network_cost(f->p, d->parents, f->shift));
    ask(d);
    put_claim(d, f, f->target);
    ask(d);
}

static void set_rules(struct scratch *d)
{
    assert_int_equal(
        bestdag_options_set(d->run, d->options, "verify.constraints", d->rules),
        0);
}

static void report(const char *what, const struct scratch *d)
{
    print_message("%s, seed %llu: %d optimal, %d bounded, %d refused, %d "
                  "unreadable\n",
                  what, (unsigned long long)seed, d->answers[OPTIMAL],
                  d->answers[BOUNDED], d->answers[REFUSED],
                  d->answers[UNREADABLE]);
}

static void made_up_certificates_prove_nothing_false(void **state)
{
    static const int fouls[] = {0, 0, 0, 0, 400, 100, 30};
    struct scratch d = open_desk(seed);
    struct bestdag_random *r = &d.random;
    (void)state;
    set_rules(&d);
    for (int round = 0; round < 3000 * rounds; round++) {
        struct problem p = draw_problem(r);
        draw_rules(&d, &p);
        put_scores(&d, &p);
        for (int k = 0; k < 3; k++) {
            struct forge f = {.r = r, .p = &p, .shift = draw_shift(r)};
            draw_network(&d, &p);
            f.b.run = d.run;
            f.foul = fouls[below(r, COUNT(fouls))];
            f.trick = f.foul ? NONE : (enum trick)below(r, TRICKS);
            f.target = least_cost(&p, f.shift) + (one_in(r, 2) ? 1 : 0);
            add_part(&f, (1u << p.n) - 1, 0);
            try_claims(&d, &f);
            bestdag_buffer_release(&f.b);
        }
    }
    report("made up", &d);
    for (int i = 0; i < 4; i++)
        assert_true(d.answers[i] > 100);
    close_desk(&d);
}

/* ---- what is true -----------------------------------------------------------
 */

/* All prefixes may be expanded, or `most`. */
static void put_expansion(struct scratch *d, const struct problem *p, int shift,
                          int most, long long claim)
{
    FILE *f = open_new(d->cert);
    fprintf(f, "bestdag certificate 1\nvariables %d\nshift %d\npart %d", p->n,
            shift, p->n);
    for (int v = 0; v < p->n; v++)
        fprintf(f, " %d", v);
    fprintf(f, "\nexpand %d %lld\nend\nclaim %lld\n", most, claim, claim);
    fclose(f);
}

/* It states how many prefixes it needs, no fewer. */
static void ask_with_fewer(struct scratch *d, const struct problem *p,
                           int shift, long long claim)
{
    int needed = d->prefixes;
    put_expansion(d, p, shift, needed, claim);
    assert_int_equal(ask(d), OPTIMAL);
    put_expansion(d, p, shift, needed - 1, claim);
    assert_int_equal(ask(d), needed ? REFUSED : UNREADABLE);
}

static void what_is_true_is_accepted(void **state)
{
    struct scratch d = open_desk(seed + 1);
    struct bestdag_random *r = &d.random;
    int known = 0;
    (void)state;
    set_rules(&d);
    for (int round = 0; round < 300 * rounds; round++) {
        struct problem p = draw_problem(r);
        unsigned parents[MOST];
        int shift = 24 + below(r, 9);
        draw_rules(&d, &p);
        /* sums of -1e20 are beyond what can be distinguished, and a rule across
         * children is not used */
        if (!(optimum(&p, parents) > -1e15L) || p.either[0] >= 0)
            continue;
        put_scores(&d, &p);
        put_network(&d, p.n, parents);
        put_expansion(&d, &p, shift, 1 << p.n, least_cost(&p, shift));
        if (ask(&d) != OPTIMAL) {
            show_files(&d);
            fail_msg("not accepted: %s", d.reason);
        }
        ask_with_fewer(&d, &p, shift, least_cost(&p, shift));
        put_expansion(&d, &p, shift, 1 << p.n, least_cost(&p, shift) + 1);
        assert_int_equal(ask(&d), REFUSED);
        known++;
    }
    report("true", &d);
    assert_true(known > 100);
    close_desk(&d);
}

/* ---- what a solver wrote, and changes of it ---------------------------------
 */

/* Solves the score file. */
static void solve(struct scratch *d, const struct problem *p)
{
    struct bestdag_options *options = bestdag_options_new(d->run);
    struct bestdag_sets *sets = bestdag_sets_read(d->run, d->scores);
    unsigned parents[MOST];
    bestdag_options_set(d->run, options, "solver", "cluster");
    bestdag_options_set(d->run, options, "certificate", d->cert);
    struct bestdag_result *result = bestdag_solve(d->run, sets, NULL, options);
    assert_fine(d->run);
    assert_string_equal(bestdag_result_text(result, "status"), "optimal");
    optimum(p, parents);
    put_network(d, p->n, parents);
    bestdag_result_free(result);
    bestdag_sets_free(sets);
    bestdag_options_free(options);
}

static size_t line_start(const char *text, size_t at)
{
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return at;
}

static size_t line_end(const char *text, size_t n, size_t at)
{
    while (at < n && text[at] != '\n')
        at++;
    return at + (at < n);
}

/* The text with one number or line changed; the caller frees. */
static char *change(struct bestdag_random *r, const char *text, size_t *n)
{
    struct bestdag_buffer b = {0};
    size_t at = (size_t)below(r, (int)*n), to;
    struct bestdag_run *run = bestdag_run_new();
    b.run = run;
    if (one_in(r, 6)) { /* a line less, or twice */
        at = line_start(text, at);
        to = line_end(text, *n, at);
        bestdag_buffer_add(&b, text, at);
        for (int k = one_in(r, 2) ? 0 : 2; k > 0; k--)
            bestdag_buffer_add(&b, text + at, to - at);
    } else { /* another number */
        while (at < *n && (text[at] < '0' || text[at] > '9'))
            at++;
        to = at + strspn(text + at, "0123456789");
        long long x = to > at ? atoll(text + at) : 0;
        static const long long steps[] = {-1, 1, 1, 2, 16, 1 << 20};
        if (one_in(r, 8))
            x = draw_odd(r);
        else if (one_in(r, 6))
            x = x < INT64_MAX / 4 ? 2 * x : x;
        else if (__builtin_add_overflow(x, steps[below(r, COUNT(steps))], &x))
            x = 0;
        bestdag_buffer_add(&b, text, at);
        bestdag_buffer_format(&b, "%lld", x);
    }
    bestdag_buffer_add(&b, text + to, *n - to);
    *n = b.length;
    char *copy = malloc(b.length + 1);
    memcpy(copy, b.at, b.length);
    copy[b.length] = 0;
    bestdag_buffer_release(&b);
    bestdag_run_free(run);
    return copy;
}

static void changed_certificates_prove_nothing_false(void **state)
{
    struct scratch d = open_desk(seed + 2);
    struct bestdag_random *r = &d.random;
    char *other = NULL; /* the certificate of the problem before */
    size_t other_size = 0;
    (void)state;
    for (int round = 0; round < 200 * rounds; round++) {
        struct problem p = draw_problem(r);
        unsigned parents[MOST];
        size_t size;
        if (p.hopeless || !(optimum(&p, parents) > -1e15L))
            continue;
        put_scores(&d, &p);
        solve(&d, &p);
        assert_int_equal(ask(&d), OPTIMAL);
        char *good = scratch_read(d.cert, &size);
        for (int k = 0; k < 20; k++) {
            size_t n = size;
            char *bad = change(r, good, &n);
            for (int more = below(r, 3); more > 0 && n > 1; more--) {
                char *worse = change(r, bad, &n);
                free(bad);
                bad = worse;
            }
            draw_network(&d, &p);
            put_text(d.cert, k && k < 19 ? bad : good, k && k < 19 ? n : size);
            if (k == 19 && other)
                put_text(d.cert, other, other_size);
            ask(&d);
            free(bad);
        }
        free(other);
        other = good;
        other_size = size;
    }
    report("changed", &d);
    free(other);
    for (int i = 0; i < 4; i++)
        assert_true(d.answers[i] > 20);
    close_desk(&d);
}

/* ---- tables -----------------------------------------------------------------
 */

enum { ROWS = 40, COLUMNS = 4 };

/* A column often follows one before it; three states or two. */
static void draw_table(struct scratch *d, int code[ROWS][COLUMNS])
{
    struct bestdag_random *r = &d->random;
    FILE *f = open_new(d->data);
    int states[COLUMNS], after[COLUMNS];
    for (int v = 0; v < COLUMNS; v++) {
        states[v] = 2 + below(r, 2);
        after[v] = below(r, v + 1);
        fprintf(f, "%s%c", v ? "," : "", 'A' + v);
    }
    for (int i = 0; i < ROWS; i++) {
        fprintf(f, "\n");
        for (int v = 0; v < COLUMNS; v++) {
            code[i][v] = below(r, states[v]);
            if (i < 3) /* all states occur */
                code[i][v] = i % states[v];
            else if (!one_in(r, 3))
                code[i][v] = (code[i][after[v]] + v) % states[v];
            fprintf(f, "%s%d", v ? "," : "", code[i][v]);
        }
    }
    fprintf(f, "\n");
    fclose(f);
}

/* BIC of a family, from its definition. */
static double bic(int code[ROWS][COLUMNS], int v, unsigned parents)
{
    int count[81][3] = {{0}}, states[COLUMNS] = {0}, free_parameters;
    double sum = 0;
    for (int i = 0; i < ROWS; i++) {
        int j = 0;
        for (int u = 0; u < COLUMNS; u++) {
            j = parents >> u & 1 ? 3 * j + code[i][u] : j;
            if (code[i][u] >= states[u])
                states[u] = code[i][u] + 1;
        }
        count[j][code[i][v]]++;
    }
    free_parameters = states[v] - 1;
    for (int u = 0; u < COLUMNS; u++)
        free_parameters *= parents >> u & 1 ? states[u] : 1;
    for (int j = 0; j < 81; j++) {
        int all = count[j][0] + count[j][1] + count[j][2];
        for (int k = 0; k < 3; k++)
            if (count[j][k])
                sum += count[j][k] * log((double)count[j][k] / all);
    }
    return sum - 0.5 * log(ROWS) * free_parameters;
}

/* All families with their true scores. */
static struct problem true_problem(int code[ROWS][COLUMNS])
{
    struct problem p = {.n = COLUMNS, .either = {-1}};
    for (int v = 0; v < COLUMNS; v++)
        for (unsigned set = 0; set < 1u << COLUMNS; set++)
            if (!(set >> v & 1)) {
                p.set[v][p.count[v]] = set;
                p.score[v][p.count[v]++] = bic(code, v, set);
            }
    return p;
}

/* The sidecar says what it likes; `limit`: of parents, or -1. */
static void put_beside(struct scratch *d, const struct problem *p, int limit)
{
    FILE *f = open_new(d->beside);
    fprintf(f,
            "{\"format\": \"bestdag candidate parent sets\", \"notes\": "
            "{\"score\": \"%s\", \"rows\": \"%d\"}, \"variables\": [",
            one_in(&d->random, 12) ? "aic" : "bic",
            one_in(&d->random, 12) ? 41 : ROWS);
    for (int v = 0; v < p->n; v++) {
        fprintf(f, "%s{\"name\": \"%c\", \"sets\": %d, \"complete\": true, ",
                v ? ", " : "", 'A' + v, p->count[v]);
        fprintf(f, limit < 0 ? "\"max_parents\": null" : "\"max_parents\": %d",
                limit);
        fprintf(f, ", \"ceiling\": %s}", one_in(&d->random, 2) ? "null" : "-9");
    }
    fprintf(f, "]}\n");
    fclose(f);
}

/* Drops sets that matter, changes scores, exchanges those of two variables. */
static void tamper(struct bestdag_random *r, struct problem *p)
{
    int v = below(r, p->n), i = below(r, p->count[v]);
    unsigned parents[MOST];
    optimum(p, parents);
    for (int k = 0; k < p->count[v]; k++) /* most often one that matters */
        if (p->set[v][k] == parents[v] && !one_in(r, 4))
            i = k;
    switch (below(r, 4)) {
    case 0:
        if (p->count[v] < 2)
            return;
        p->count[v]--;
        p->set[v][i] = p->set[v][p->count[v]];
        p->score[v][i] = p->score[v][p->count[v]];
        break;
    case 1:
        p->score[v][i] +=
            ldexp(bestdag_random_unit(r) - 0.5, below(r, 16) - 12);
        break;
    case 2:
        p->score[v][i] -= 3;
        break;
    default: /* the last two differ, but not for the table */
        for (int k = 0; k < p->count[v]; k++)
            p->score[v][k] = p->score[v][p->count[v] - 1 - k];
    }
}

/* Is the accepted network as good as any over the table? */
static void check_with_table(const struct scratch *d,
                             const struct problem *truth)
{
    struct problem p = *truth;
    unsigned unused[MOST];
    char *json = bestdag_verify(d->run, d->scores, d->net, d->cert, d->options);
    struct bestdag_json *report = bestdag_json_read(d->run, json);
    const char *over =
        bestdag_json_text(bestdag_json_get(report, "proved_over"));
    const char *basis = bestdag_json_text(bestdag_json_get(report, "basis"));
    int limit = COLUMNS;
    if (strcmp(over, "all parent sets"))
        sscanf(over, "parent sets up to %d", &limit);
    for (int v = 0; v < p.n; v++)
        for (int i = 0; i < p.count[v]; i++)
            p.off[v][i] = __builtin_popcount(p.set[v][i]) > limit;
    REQUIRE(d,
            fabsl(score_of(truth, d->parents) - number_in(report, "score")) <
                COLUMNS * 1e-5,
            "the score by the table");
    if (!strcmp(basis, "checked with the table"))
        REQUIRE(d,
                score_of(truth, d->parents) >=
                    optimum(&p, unused) - COLUMNS * 1e-5,
                "optimal over the table");
    bestdag_json_free(report);
    bestdag_text_free(json);
}

static void lists_that_lie_about_a_table_are_found(void **state)
{
    struct scratch d = open_desk(seed + 3);
    struct bestdag_random *r = &d.random;
    (void)state;
    bestdag_options_set(d.run, d.options, "verify.data", d.data);
    for (int round = 0; round < 150 * rounds; round++) {
        int code[ROWS][COLUMNS];
        draw_table(&d, code);
        struct problem truth = true_problem(code);
        for (int k = 0; k < 6; k++) {
            struct problem p = truth;
            int limit = one_in(r, 3) ? below(r, COLUMNS) : -1;
            unsigned parents[MOST];
            for (int lies = k ? 1 + one_in(r, 4) : 0; lies > 0; lies--)
                tamper(r, &p);
            if (!(optimum(&p, parents) > -1e15L))
                break;
            put_scores(&d, &p);
            put_beside(&d, &p, limit);
            put_network(&d, p.n, parents);
            put_expansion(&d, &p, 32, 1 << p.n, least_cost(&p, 32));
            enum answer answer = ask(&d);
            if (answer == OPTIMAL)
                check_with_table(&d, &truth);
        }
    }
    report("tables", &d);
    assert_true(d.answers[OPTIMAL] > 50 && d.answers[REFUSED] > 50);
    close_desk(&d);
}

/* ---- each check, once -------------------------------------------------------
 */

/* Certificates that would prove one nat too much if one check were missing.
 * Each variable has one set, except where two want each other: 1048576 units
 * are a nat. */
struct cunning {
    const char *what;
    unsigned set[4];
    bool pair; /* variables 0 and 1 may have none, for a nat */
    const char *text;
};

static void put_cunning(struct scratch *d, const struct cunning *c,
                        struct problem *p)
{
    unsigned parents[MOST];
    *p = (struct problem){.n = 4, .either = {-1}};
    for (int v = 0; v < 4; v++) {
        p->count[v] = c->pair && v < 2 ? 2 : 1;
        p->set[v][0] = c->set[v];
        p->score[v][0] = -10;
        p->score[v][1] = -11;
    }
    assert_true(optimum(p, parents) > -50);
    put_scores(d, p);
    put_network(d, 4, parents);
    FILE *f = open_new(d->cert);
    fprintf(f, "bestdag certificate 1\nvariables 4\nshift 20\n%s", c->text);
    fclose(f);
}

static void each_check_is_needed(void **state)
{
    static const struct cunning cases[] = {
        {"a cluster that is one class has rank 1, not 2",
         {0, 1, 2, 0},
         false,
         "part 4 0 1 2 3\nmultipliers 1\n1048576 2 3 0 1 2 3 0 1 2\nend\n"
         "claim 1048576\n"},
        {"so it does in a part",
         {0, 1, 1, 5},
         false,
         "part 4 0 1 2 3\nmultipliers 1\n1048576 2 4 0 1 2 3 2 0 1\nend\n"
         "claim 1048576\n"},
        {"classes share no member",
         {0, 1, 2, 2},
         false,
         "part 4 0 1 2 3\nmultipliers 1\n"
         "1048576 2 4 0 1 2 3 2 0 1 2 1 2\nend\nclaim 1048576\n"},
        {"the rank is not more than there are classes",
         {0, 1, 1, 4},
         false,
         "part 4 0 1 2 3\nmultipliers 1\n"
         "1048576 3 4 0 1 2 3 2 0 1 2 2 3\nend\nclaim 1048576\n"},
        {"a class has members of the cluster only",
         {0, 9, 8, 0},
         false,
         "part 4 0 1 2 3\nmultipliers 1\n1048576 2 3 0 1 2 2 2 3\nend\n"
         "claim 1048576\n"},
        {"a parent in one of several classes counts one",
         {0, 9, 9, 1},
         false,
         "part 4 0 1 2 3\nmultipliers 1\n"
         "1048576 2 4 0 1 2 3 2 0 3\nend\nclaim 1048576\n"},
        {"a cluster has members of its part only",
         {0, 1, 0, 0},
         false,
         "part 4 0 1 2 3\npart 1 0\nend\npart 3 1 2 3\nmultipliers 1\n"
         "1048576 1 2 0 1\nend\nend\nclaim 1048576\n"},
        {"a variable is in one part",
         {2, 1, 0, 0},
         true,
         "part 4 0 1 2 3\npart 2 0 1\nmultipliers 1\n1048576 1 2 0 1\nend\n"
         "part 2 0 1\nmultipliers 1\n1048576 1 2 0 1\nend\nend\n"
         "claim 2097152\n"},
        {"a variable is in a part once",
         {2, 1, 0, 0},
         true,
         "part 4 0 1 0 1\nmultipliers 1\n1048576 1 2 0 1\ndelete 1048576\n"
         "end\nclaim 1048577\n"},
        {"multipliers are positive",
         {0, 0, 0, 0},
         false,
         "part 4 0 1 2 3\nmultipliers 1\n-1048576 1 2 0 1\nend\n"
         "claim 1048576\n"},
        {"what is deleted costs what it was deleted for",
         {2, 1, 0, 0},
         true,
         "part 4 0 1 2 3\ndelete 0\nend\nclaim 2097152\n"},
        {"sums of multipliers do not overflow",
         {0, 0, 0, 0},
         false,
         "part 4 0 1 2 3\nmultipliers 5\n2305843009213693952 1 2 0 1\n"
         "2305843009213693952 1 2 0 1\n2305843009213693952 1 2 0 1\n"
         "2305843009213693952 1 2 0 1\n2305843009213693952 1 2 0 1\nend\n"
         "claim 1048576\n"},
        {"who is placed pays for the cluster, not those after",
         {0, 1, 0, 0},
         false,
         "part 4 0 1 2 3\nmultipliers 1\n1048576 1 2 0 1\n"
         "expand 100 1048576\nend\nclaim 1048576\n"},
        {"one of a class that is placed counts one",
         {0, 1, 1, 4},
         false,
         "part 4 0 1 2 3\nmultipliers 1\n"
         "1048576 2 4 0 1 2 3 2 0 1\nexpand 100 1048576\nend\n"
         "claim 1048576\n"},
        {"an order is reached at what it costs",
         {2, 1, 0, 0},
         true,
         "part 4 0 1 2 3\nexpand 100 2097152\nend\nclaim 2097152\n"},
        {"a pair is not placed before those that it needs",
         {2, 4, 0, 0},
         true,
         "part 4 0 1 2 3\nexpand 100 1\nend\nclaim 1\n"},
        {"an expansion is the end of its part",
         {2, 1, 0, 0},
         true,
         "part 4 0 1 2 3\nexpand 100 1048576\nexpand 100 1048576\nend\n"
         "claim 2097152\n"},
        {"a part that was split is not expanded",
         {2, 1, 0, 0},
         true,
         "part 4 0 1 2 3\npart 2 0 1\nexpand 100 1048576\nend\n"
         "expand 100 1048576\nend\nclaim 2097152\n"},
        {"multipliers that were replaced count no more",
         {2, 1, 0, 0},
         true,
         "part 4 0 1 2 3\nmultipliers 1\n1048576 1 2 0 1\nmultipliers 1\n"
         "1048576 1 2 2 3\nexpand 1 1048576\nend\nclaim 1048576\n"},
        {"only so many prefixes are accepted",
         {2, 1, 0, 0},
         true,
         "part 4 0 1 2 3\nexpand 16777217 1048576\nend\n"
         "claim 1048576\n"},
    };
    struct scratch d = open_desk(seed);
    (void)state;
    for (int i = 0; i < COUNT(cases); i++) {
        struct problem p;
        put_cunning(&d, &cases[i], &p);
        enum answer answer = ask(&d);
        if (answer == OPTIMAL || answer == BOUNDED)
            fail_msg("accepted: %s", cases[i].what);
    }
    close_desk(&d);
}

/* ---- the coarse unit --------------------------------------------------------
 */

/* With units of 8 nats every cost is 0, and every network costs the least. */
static void a_coarse_unit_makes_nothing_optimal(void **state)
{
    struct problem p = {.n = 3,
                        .count = {1, 2, 2},
                        .set = {{0}, {4, 0}, {2, 0}},
                        .score = {{-5.1}, {-4.1, -5.1}, {-7.4, -8.4}},
                        .either = {-1}};
    struct scratch d = open_desk(seed);
    (void)state;
    put_scores(&d, &p);
    put_network(&d, 3, (unsigned[MOST]){0});
    for (int shift = -1000; shift <= 1000; shift++) {
        struct forge f = {.p = &p, .shift = shift};
        f.b.run = d.run;
        bestdag_buffer_text(&f.b, "part 3 0 1 2\nmultipliers 0\nend\n");
        put_claim(&d, &f, 0);
        assert_int_equal(ask(&d), shift < 20   ? REFUSED
                                  : shift < 61 ? BOUNDED
                                               : UNREADABLE);
        bestdag_buffer_release(&f.b);
    }
    close_desk(&d);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_coarse_unit_makes_nothing_optimal),
        cmocka_unit_test(each_check_is_needed),
        cmocka_unit_test(what_is_true_is_accepted),
        cmocka_unit_test(made_up_certificates_prove_nothing_false),
        cmocka_unit_test(changed_certificates_prove_nothing_false),
        cmocka_unit_test(lists_that_lie_about_a_table_are_found),
    };
    rounds = argc > 1 ? atoi(argv[1]) : 1;
    seed = argc > 2 ? (uint64_t)atoll(argv[2]) : 1;
    if (argc > 3)
        cmocka_set_test_filter(argv[3]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
