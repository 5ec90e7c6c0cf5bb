/* SPDX-License-Identifier: MIT */
/* test_verify.c -- certificates made by hand and by simple programs, against
 * brute force over all orders: what holds is accepted, one unit more is not,
 * and no change of a certificate makes it prove what is false. */
#include "scratch.h"

#include <math.h>

#include "base/json.h"
#include "base/options.h"
#include "base/text.h"

enum { MOST = 6, SETS = 24, NEVER = 1000000 };

/* ---- problems ---------------------------------------------------------------
 */

/* Sets of variable v: masks of parents, costs from 0 in units of 2^-20 nat. */
struct problem {
    int n, count[MOST];
    unsigned set[MOST][SETS];
    int cost[MOST][SETS];
    unsigned before[MOST]; /* who must come before v */
};

static int below(struct bestdag_random *r, int n)
{
    return (int)bestdag_random_below(r, (uint64_t)n);
}

static struct problem random_problem(struct bestdag_random *r)
{
    struct problem p = {.n = 1 + below(r, MOST)};
    for (int v = 0; v < p.n; v++) {
        int wanted = 1 + below(r, 10);
        for (int i = 0; i < wanted; i++) {
            unsigned set = (unsigned)below(r, 1 << p.n) & ~(1u << v);
            set &= below(r, 2) ? (unsigned)below(r, 1 << p.n) : ~0u;
            p.set[v][i] = i ? set : 0;
            p.cost[v][i] = i ? below(r, 30) : 30 + below(r, 20);
        }
        p.count[v] = wanted;
        p.cost[v][below(r, wanted)] = 0; /* the best */
    }
    return p;
}

/* The cheapest set of v, all of which is in S; NEVER: none. */
static int best_in(const struct problem *p, int v, unsigned S, unsigned *set)
{
    int best = NEVER;
    for (int i = 0; i < p->count[v]; i++)
        if (!((p->set[v][i] | p->before[v]) & ~S) && p->cost[v][i] < best) {
            best = p->cost[v][i];
            if (set)
                *set = p->set[v][i];
        }
    return best;
}

/* All orders, one after the other. parents: of the best network. */
static int try_orders(const struct problem *p, unsigned S, int cost,
                      unsigned *now, int best, unsigned *parents)
{
    if (S == (1u << p->n) - 1 && cost < best) {
        memcpy(parents, now, MOST * sizeof *now);
        return cost;
    }
    for (int v = 0; v < p->n; v++)
        if (!(S >> v & 1)) {
            int more = best_in(p, v, S, &now[v]);
            if (cost + more < best)
                best =
                    try_orders(p, S | 1u << v, cost + more, now, best, parents);
        }
    return best;
}

static int optimum(const struct problem *p, unsigned *parents)
{
    unsigned now[MOST] = {0};
    memset(parents, 0, MOST * sizeof *parents);
    return try_orders(p, 0, 0, now, NEVER, parents);
}

/* ---- files ------------------------------------------------------------------
 */

struct scratch {
    struct bestdag_run *run;
    struct bestdag_options *options;
    const char *folder;
    char scores[128], net[128], cert[128], rules[128];
};

static struct scratch open_desk(void)
{
    struct scratch d = {.run = bestdag_run_new(), .folder = scratch_make()};
    d.options = bestdag_options_new(d.run);
    snprintf(d.scores, sizeof d.scores, "%s/a.jkl", d.folder);
    snprintf(d.net, sizeof d.net, "%s/a.csv", d.folder);
    snprintf(d.cert, sizeof d.cert, "%s/a.cert", d.folder);
    snprintf(d.rules, sizeof d.rules, "%s/a.rules", d.folder);
    return d;
}

static void close_desk(struct scratch *d)
{
    bestdag_options_free(d->options);
    scratch_files(d->folder, true);
    scratch_end(d->run);
}

/* A new file: to cut an old one to nothing can mean to wait for the disk. */
static FILE *open_new(const char *path)
{
    unlink(path);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    return f;
}

static void put_bytes(const char *path, const char *bytes, size_t n)
{
    FILE *f = open_new(path);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

static void put(const char *path, const char *text)
{
    put_bytes(path, text, strlen(text));
}

static void write_scores(const struct scratch *d, const struct problem *p)
{
    FILE *f = open_new(d->scores);
    fprintf(f, "# made up\n%d\n", p->n);
    for (int v = 0; v < p->n; v++) {
        fprintf(f, "\n%c %d\n", 'A' + v, p->count[v]);
        for (int i = 0; i < p->count[v]; i++) {
            fprintf(f, "%.17g %d", -100 - p->cost[v][i] * 0x1p-20,
                    __builtin_popcount(p->set[v][i]));
            for (int u = 0; u < p->n; u++)
                if (p->set[v][i] >> u & 1)
                    fprintf(f, " %c", 'A' + u);
            fprintf(f, "\n");
        }
    }
    fclose(f);
}

static void write_net(const struct scratch *d, int n, const unsigned *parents)
{
    FILE *f = open_new(d->net);
    fprintf(f, "from,to\n");
    for (int v = 0; v < n; v++)
        fprintf(f, "%c,\n", 'A' + v);
    for (int v = 0; v < n; v++)
        for (int u = 0; u < n; u++)
            if (parents[v] >> u & 1)
                fprintf(f, "%c,%c\n", 'A' + u, 'A' + v);
    fclose(f);
}

/* "optimal", "bounded", "refused"; "unreadable": bad input. */
static const char *ask(struct scratch *d)
{
    static const char *const known[] = {"optimal", "bounded", "refused"};
    char *json = bestdag_verify(d->run, d->scores, d->net, d->cert, d->options);
    if (!json && bestdag_run_status(d->run) == BESTDAG_INPUT) {
        const char *error = bestdag_run_error(d->run);
        if (!strchr(error, ':'))
            fail_msg("no place in '%s'", error);
        bestdag_run_clear(d->run);
        return "unreadable";
    }
    assert_fine(d->run);
    struct bestdag_json *report = bestdag_json_read(d->run, json);
    const char *status = bestdag_json_text(bestdag_json_get(report, "status"));
    const char *answer = NULL;
    for (int i = 0; i < 3; i++)
        if (!strcmp(status, known[i]))
            answer = known[i];
    assert_non_null(answer);
    bestdag_json_free(report);
    bestdag_text_free(json);
    return answer;
}

static void set_option(struct scratch *d, const char *key, const char *value)
{
    assert_int_equal(bestdag_options_set(d->run, d->options, key, value), 0);
}

/* ---- the example of three variables -----------------------------------------
 */

static const char three[] = "3\nA 1\n-5.0547628180 0\nB 2\n-5.0547628180 0\n"
                            "-4.0739335650 1 C\nC 2\n-8.3834332012 0\n"
                            "-7.4026039482 1 B\n";

/* The multiplier of {B, C} that field workers found: all of the difference. */
static long long whole_gain(void)
{
    return llround(ldexp(-4.0739335650 - -5.0547628180, 32));
}

static void put_three(const struct scratch *d, long long claim)
{
    char text[300];
    snprintf(text, sizeof text,
             "bestdag certificate 1\nvariables 3\nshift 32\npart 3 0 1 2\n"
             "multipliers 1  # one\n%lld 1 2 1 2\nend\nclaim %lld\n",
             whole_gain(), claim);
    put(d->scores, three);
    put(d->net, "from,to\nA,\nB,C\n");
    put(d->cert, text);
}

static void one_cluster_proves_the_example(void **state)
{
    struct scratch d = open_desk();
    (void)state;
    put_three(&d, whole_gain());
    char *json = bestdag_verify(d.run, d.scores, d.net, d.cert, NULL);
    assert_fine(d.run);
    struct bestdag_json *r = bestdag_json_read(d.run, json);
    assert_string_equal(bestdag_json_text(bestdag_json_get(r, "status")),
                        "optimal");
    double score = bestdag_json_number(bestdag_json_get(r, "score"));
    double bound = bestdag_json_number(bestdag_json_get(r, "bound"));
    assert_true(fabs(score - -17.5121295842) < 1e-9);
    assert_true(bound >= score - 1e-12 && bound - score < 1e-8);
    bestdag_json_free(r);
    bestdag_text_free(json);
    put_three(&d, whole_gain() - 1); /* 2^-32 nat: too little to matter */
    assert_string_equal(ask(&d), "optimal");
    put_three(&d, whole_gain() - 3000);
    assert_string_equal(ask(&d), "bounded");
    put_three(&d, whole_gain() + 1);
    assert_string_equal(ask(&d), "refused");
    put_three(&d, whole_gain());
    put(d.net, "from,to\nA,\nB,\nC,\n");
    assert_string_equal(ask(&d), "bounded");
    put(d.net, "from,to\nA,\nB,C\nC,B\n");
    assert_true(!strcmp(ask(&d), "refused") || !strcmp(ask(&d), "unreadable"));
    put(d.net, "from,to\nA,B\nC,\n");
    assert_string_equal(ask(&d), "refused");
    close_desk(&d);
}

/* ---- certificates, made
 * ------------------------------------------------------
 */

static void head(struct bestdag_buffer *b, int n)
{
    bestdag_buffer_format(b, "bestdag certificate 1\nvariables %d\nshift 20\n",
                          n);
}

static void part(struct bestdag_buffer *b, unsigned members)
{
    bestdag_buffer_format(b, "part %d", __builtin_popcount(members));
    for (int v = 0; v < MOST; v++)
        if (members >> v & 1)
            bestdag_buffer_format(b, " %d", v);
    bestdag_buffer_text(b, "\n");
}

static void tail(struct bestdag_buffer *b, long long claim)
{
    bestdag_buffer_format(b, "end\nclaim %lld\n", claim);
}

/* Writes it; frees the buffer. */
static void put_buffer(const char *path, struct bestdag_buffer *b)
{
    put(path, b->at);
    bestdag_buffer_release(b);
}

/* `classes` of them have more than one member; `rank` counts all. */
struct cluster {
    unsigned members, class[3];
    int classes, rank, few, y;
};

/* Draws up to `most` classes of more than one member. */
static void divide(struct bestdag_random *r, struct cluster *c, int most)
{
    unsigned rest = c->members;
    c->rank = __builtin_popcount(c->members);
    for (c->classes = 0; c->classes < most; c->classes++) {
        unsigned class = rest & (unsigned)below(r, 1 << MOST);
        int size = __builtin_popcount(class);
        if (size < 2 || c->rank - size + 1 < 2)
            break;
        c->class[c->classes] = class;
        c->rank -= size - 1;
        rest &= ~class;
    }
}

static struct cluster random_cluster(struct bestdag_random *r, unsigned within)
{
    struct cluster c = {.y = 1 + below(r, 12)};
    do
        c.members = (unsigned)below(r, 1 << MOST) & within;
    while (__builtin_popcount(c.members) < 2);
    divide(r, &c, below(r, 3) ? 0 : 3);
    c.few = below(r, 2) ? 1 : 1 + below(r, c.rank - 1);
    return c;
}

/* Does v miss the cluster with these parents? */
static bool misses(const struct cluster *c, int v, unsigned parents)
{
    unsigned alone = c->members;
    int hits = 0;
    for (int k = 0; k < c->classes; k++) {
        alone &= ~c->class[k];
        if ((parents & c->class[k]) && c->class[k] >> v & 1)
            return false;
        hits += (parents & c->class[k]) != 0;
    }
    return hits + __builtin_popcount(parents & alone) < c->few;
}

/* The cost of a set of v, less what it misses of clusters outside S. */
static long long worth(const struct problem *p, const struct cluster *c,
                       int clusters, unsigned S, int v, int set)
{
    long long x = p->cost[v][set];
    for (int k = 0; k < clusters; k++)
        if (!(c[k].members & S) && c[k].members >> v & 1 &&
            misses(&c[k], v, p->set[v][set] | p->before[v]))
            x -= c[k].y;
    return x;
}

static long long least_worth(const struct problem *p, const struct cluster *c,
                             int clusters, unsigned S, int v)
{
    long long least = NEVER;
    for (int i = 0; i < p->count[v]; i++) {
        long long x = worth(p, c, clusters, S, v, i);
        least = x < least ? x : least;
    }
    return least;
}

/* The bound on all outside S, straight from the definition. */
static long long value(const struct problem *p, const struct cluster *c,
                       int clusters, unsigned S)
{
    long long sum = 0;
    for (int k = 0; k < clusters; k++)
        sum += c[k].members & S ? 0 : (long long)c[k].few * c[k].y;
    for (int v = 0; v < p->n; v++)
        sum += S >> v & 1 ? 0 : least_worth(p, c, clusters, S, v);
    return sum;
}

static void put_members(struct bestdag_buffer *b, unsigned members)
{
    bestdag_buffer_format(b, " %d", __builtin_popcount(members));
    for (int v = 0; v < MOST; v++)
        if (members >> v & 1)
            bestdag_buffer_format(b, " %d", v);
}

static void put_multipliers(struct bestdag_buffer *b, const struct cluster *c,
                            int clusters)
{
    bestdag_buffer_format(b, "multipliers %d\n", clusters);
    for (int k = 0; k < clusters; k++) {
        bestdag_buffer_format(b, " %d %d", c[k].y, c[k].few);
        put_members(b, c[k].members);
        for (int i = 0; i < c[k].classes; i++)
            put_members(b, c[k].class[i]);
        bestdag_buffer_text(b, "\n");
    }
}

static int draw_clusters(struct bestdag_random *r, const struct problem *p,
                         unsigned within, struct cluster *c, int most)
{
    within &= (1u << p->n) - 1;
    int count = __builtin_popcount(within) < 2 ? 0 : below(r, most + 1);
    for (int k = 0; k < count; k++)
        c[k] = random_cluster(r, within);
    return count;
}

/* Random multipliers: worth what they are, and not a unit more. */
static bool try_multipliers(struct scratch *d, const struct problem *p,
                            struct bestdag_random *r, int best)
{
    struct cluster c[8];
    unsigned all = (1u << p->n) - 1;
    int clusters = draw_clusters(r, p, all, c, 8);
    long long B = value(p, c, clusters, 0);
    assert_true(B <= best);
    for (int more = 0; more < 2; more++) {
        struct bestdag_buffer b = {.run = d->run};
        head(&b, p->n);
        part(&b, all);
        put_multipliers(&b, c, clusters);
        tail(&b, B + more);
        put_buffer(d->cert, &b);
        assert_string_equal(ask(d), more        ? "refused"
                                    : B == best ? "optimal"
                                                : "bounded");
    }
    return B == best;
}

static void multipliers_are_worth_what_they_are(void **state)
{
    struct scratch d = open_desk();
    struct bestdag_random r = bestdag_random_init(9, 1);
    int tight = 0;
    (void)state;
    for (int round = 0; round < 600; round++) {
        struct problem p = random_problem(&r);
        unsigned parents[MOST];
        int best = optimum(&p, parents);
        write_scores(&d, &p);
        write_net(&d, p.n, parents);
        tight += try_multipliers(&d, &p, &r, best);
    }
    assert_true(tight > 20);
    close_desk(&d);
}

/* ---- expansions -------------------------------------------------------------
 */

/* Multipliers, then an expansion of at most so many prefixes. */
static void put_expansion(const struct scratch *d, const struct problem *p,
                          const struct cluster *c, int clusters, int most,
                          long long claim)
{
    struct bestdag_buffer b = {.run = d->run};
    head(&b, p->n);
    part(&b, (1u << p->n) - 1);
    put_multipliers(&b, c, clusters);
    bestdag_buffer_format(&b, "expand %d %lld\n", most, claim);
    tail(&b, claim);
    put_buffer(d->cert, &b);
}

static void an_expansion_proves_the_optimum_and_no_more(void **state)
{
    struct scratch d = open_desk();
    struct bestdag_random r = bestdag_random_init(9, 2);
    (void)state;
    for (int round = 0; round < 300; round++) {
        struct problem p = random_problem(&r);
        unsigned parents[MOST];
        int best = optimum(&p, parents);
        write_scores(&d, &p);
        write_net(&d, p.n, parents);
        put_expansion(&d, &p, NULL, 0, 1 << p.n, best);
        assert_string_equal(ask(&d), "optimal");
        put_expansion(&d, &p, NULL, 0, 1 << p.n, best + 1);
        assert_string_equal(ask(&d), "refused");
    }
    close_desk(&d);
}

/* The classes of a cluster that S meets. */
static int rank_of(const struct cluster *c, unsigned S)
{
    unsigned alone = c->members;
    int rank = 0;
    for (int k = 0; k < c->classes; k++) {
        alone &= ~c->class[k];
        rank += (c->class[k] & S) != 0;
    }
    return rank + __builtin_popcount(alone & S);
}

/* H(S), straight from the definition. */
static long long bound_of_rest(const struct problem *p, const struct cluster *c,
                               int clusters, unsigned S)
{
    long long h = 0, least = 0;
    for (int v = 0; v < p->n; v++)
        if (!(S >> v & 1)) {
            h += least_worth(p, c, clusters, 0, v);
            least += least_worth(p, NULL, 0, 0, v);
        }
    for (int k = 0; k < clusters; k++) {
        int left = c[k].few - rank_of(&c[k], S);
        h += left > 0 ? (long long)left * c[k].y : 0;
    }
    return h > least ? h : least;
}

/* Who has its cheapest set within S; none: n. */
static int find_forced(const struct problem *p, unsigned S)
{
    int v = 0;
    while (v < p->n && (S >> v & 1 || best_in(p, v, S, NULL) !=
                                          least_worth(p, NULL, 0, 0, v)))
        v++;
    return v;
}

/* How many prefixes an expansion takes; *proves: does it prove L? */
static int count_prefixes(const struct problem *p, const struct cluster *c,
                          int clusters, long long L, bool *proves)
{
    unsigned all = (1u << p->n) - 1;
    long long g[1 << MOST];
    int count = 0;
    for (unsigned S = 0; S <= all; S++)
        g[S] = S ? NEVER : 0;
    for (unsigned S = 0; S < all; S++) { /* subsets are smaller numbers */
        int only = find_forced(p, S);
        if (g[S] >= NEVER)
            continue;
        count++;
        for (int v = 0; v < p->n; v++) {
            unsigned next = S | 1u << v;
            long long cost = g[S] + best_in(p, v, S, NULL);
            if (!(S >> v & 1) && (only == p->n || only == v) &&
                cost < g[next] &&
                cost + bound_of_rest(p, c, clusters, next) < L)
                g[next] = cost;
        }
    }
    *proves = g[all] >= L;
    return count;
}

static struct cluster divided_cluster(struct bestdag_random *r);
static struct problem dense_problem(struct bestdag_random *r);

/* A problem and multipliers of it, the best of some; how many. */
static int draw_expansion(struct bestdag_random *r, int round,
                          struct problem *p, struct cluster best[4])
{
    int count = 0;
    *p = round % 2 ? dense_problem(r) : random_problem(r);
    for (int i = 0; i < 200; i++) {
        struct cluster c[4];
        int clusters = draw_clusters(r, p, (1u << p->n) - 1, c, 4);
        for (int k = 0; k < clusters && round % 2; k++) {
            if (round % 4 == 1)
                c[k] = divided_cluster(r);
            c[k].y = 1 + below(r, 3);
        }
        if (value(p, c, clusters, 0) <= value(p, best, count, 0))
            continue;
        memcpy(best, c, sizeof c);
        count = clusters;
    }
    return count;
}

/* It takes as many prefixes as the definition says, and proves as much. */
static void an_expansion_is_what_is_defined(void **state)
{
    struct scratch d = open_desk();
    struct bestdag_random r = bestdag_random_init(9, 3);
    int seen[2] = {0}, fewer = 0;
    (void)state;
    for (int round = 0; round < 800; round++) {
        struct problem p;
        struct cluster c[4];
        unsigned parents[MOST];
        bool proves, unused;
        int clusters = draw_expansion(&r, round, &p, c);
        int best = optimum(&p, parents), L = best - 2 + below(&r, 4);
        int count = count_prefixes(&p, c, clusters, L, &proves);
        assert_int_equal(proves, L <= best);
        fewer += count < count_prefixes(&p, NULL, 0, L, &unused);
        write_scores(&d, &p);
        write_net(&d, p.n, parents);
        for (int less = 0; less < 2; less++) {
            put_expansion(&d, &p, c, clusters, count - less, L);
            assert_string_equal(ask(&d), less || !proves ? "refused"
                                         : L == best     ? "optimal"
                                                         : "bounded");
        }
        seen[proves]++;
    }
    print_message("%d with fewer prefixes by multipliers\n", fewer);
    assert_true(seen[0] > 100 && seen[1] > 100 && fewer > 50);
    close_desk(&d);
}

/* Everybody wants all others, or pays 1: no prefix is like another, and no
 * bound helps. */
static void write_crowd(const struct scratch *d, int n)
{
    FILE *f = open_new(d->scores), *net = open_new(d->net);
    fprintf(f, "%d\n", n);
    fprintf(net, "from,to\n");
    for (int v = 0; v < n; v++) {
        fprintf(f, "v%d 2\n-1 0\n-0.5 %d", v, n - 1);
        for (int u = 0; u < n; u++)
            if (u != v)
                fprintf(f, " v%d", u);
        fprintf(f, "\n");
        fprintf(net, "v%d,\n", v);
    }
    fclose(f);
    fclose(net);
}

/* A certificate cannot make the checker take more than it is allowed. */
static void hostile_expansions_end_at_a_limit(void **state)
{
    enum { N = 40, HALF = 1 << 19 };
    struct scratch d = open_desk();
    (void)state;
    write_crowd(&d, N);
    for (int way = 0; way < 3; way++) {
        struct bestdag_buffer b = {.run = d.run};
        bestdag_buffer_format(
            &b, "bestdag certificate 1\nvariables %d\nshift 20\npart %d", N, N);
        for (int v = 0; v < N; v++)
            bestdag_buffer_format(&b, " %d", v);
        bestdag_buffer_format(&b, "\nexpand %d %d\n", way ? 1 << 24 : 5000,
                              (N - 1) * HALF);
        tail(&b, (N - 1) * HALF);
        put_buffer(d.cert, &b);
        if (!way) {
            assert_string_equal(ask(&d), "refused");
            continue;
        }
        if (way == 1)
            bestdag_run_set(d.run, "memory-limit", "16M");
        else
            d.run->deadline = bestdag_seconds() + 0.1;
        assert_null(bestdag_verify(d.run, d.scores, d.net, d.cert, NULL));
        assert_failed(d.run, way == 1 ? BESTDAG_MEMORY : BESTDAG_FAILED,
                      way == 1 ? "memory" : "stopped");
        bestdag_run_set(d.run, "memory-limit", "0");
    }
    close_desk(&d);
}

/* A cluster of five or six with classes and any rank that it can have. */
static struct cluster divided_cluster(struct bestdag_random *r)
{
    struct cluster c = {.members = 63 & ~(1u << below(r, 12)),
                        .y = 1 + below(r, 3)};
    do
        divide(r, &c, 3);
    while (!c.classes);
    c.few = 1 + below(r, c.rank - 1);
    return c;
}

/* Six variables, sets of many parents, small differences. */
static struct problem dense_problem(struct bestdag_random *r)
{
    struct problem p;
    do
        p = random_problem(r);
    while (p.n != 6);
    for (int v = 0; v < 6; v++) {
        for (int i = 0; i < p.count[v]; i++) {
            p.set[v][i] |= (unsigned)below(r, 64) & ~(1u << v);
            p.set[v][i] = i ? p.set[v][i] : 0;
            p.cost[v][i] %= 4;
        }
        p.cost[v][below(r, p.count[v])] = 0;
    }
    return p;
}

static void a_class_counts_as_one(void **state)
{
    struct scratch d = open_desk();
    struct bestdag_random r = bestdag_random_init(9, 11);
    (void)state;
    for (int round = 0; round < 400; round++) {
        struct problem p = dense_problem(&r);
        struct cluster c[2];
        unsigned parents[MOST];
        int clusters = 1 + below(&r, 2), best = optimum(&p, parents);
        for (int k = 0; k < clusters; k++)
            c[k] = divided_cluster(&r);
        long long all = value(&p, c, clusters, 0);
        assert_true(all <= best);
        write_scores(&d, &p);
        write_net(&d, 6, parents);
        for (int more = 0; more < 2; more++) {
            struct bestdag_buffer b = {.run = d.run};
            head(&b, 6);
            part(&b, 63);
            put_multipliers(&b, c, clusters);
            tail(&b, all + more);
            put_buffer(d.cert, &b);
            assert_string_equal(ask(&d), more          ? "refused"
                                         : all == best ? "optimal"
                                                       : "bounded");
        }
    }
    close_desk(&d);
}

/* ---- deletions, splits
 * -------------------------------------------------------
 */

static void deletions_prove_no_more_than_they_delete(void **state)
{
    struct scratch d = open_desk();
    struct bestdag_random r = bestdag_random_init(9, 5);
    (void)state;
    for (int round = 0; round < 400; round++) {
        struct problem p = random_problem(&r);
        struct cluster c[6];
        unsigned parents[MOST], all = (1u << p.n) - 1;
        int best = optimum(&p, parents);
        int X = best - 2 + below(&r, 6), less = X < best ? X : best;
        write_scores(&d, &p);
        write_net(&d, p.n, parents);
        for (int more = 0; more < 2; more++) {
            struct bestdag_buffer b = {.run = d.run};
            head(&b, p.n);
            part(&b, all);
            bestdag_buffer_format(&b, "delete %d\n", X + 2);
            put_multipliers(&b, c, draw_clusters(&r, &p, all, c, 6));
            /* what is deleted costs X at least: the expansion may claim it */
            bestdag_buffer_format(&b, "delete %d\nexpand 64 %d\n", X,
                                  less + more);
            tail(&b, less + more);
            put_buffer(d.cert, &b);
            const char *answer = ask(&d);
            if (!more)
                assert_string_equal(answer,
                                    less == best ? "optimal" : "bounded");
            else
                assert_string_equal(answer, "refused");
        }
    }
    close_desk(&d);
}

/* Does a smaller set of the list cost no more than set i? */
static bool is_dominated(const struct problem *p, int v, int i)
{
    for (int k = 0; k < p->count[v]; k++)
        if (p->cost[v][k] <= p->cost[v][i] && p->set[v][k] != p->set[v][i] &&
            !(p->set[v][k] & ~p->set[v][i]))
            return true;
    return false;
}

/* Variables below `cut` know only each other. */
static void a_split_adds_up(void **state)
{
    struct scratch d = open_desk();
    struct bestdag_random r = bestdag_random_init(9, 6);
    int wrong_order = 0;
    (void)state;
    for (int round = 0; round < 300; round++) {
        struct problem p = random_problem(&r);
        unsigned parents[MOST], all = (1u << p.n) - 1;
        unsigned low = (1u << (1 + below(&r, p.n))) - 1;
        bool crossed = false;
        for (int v = 0; v < p.n; v++)
            for (int i = 0; i < p.count[v]; i++) {
                if (low >> v & 1)
                    p.set[v][i] &= low;
                else
                    crossed |= p.set[v][i] & low && !is_dominated(&p, v, i);
            }
        int best = optimum(&p, parents);
        write_scores(&d, &p);
        write_net(&d, p.n, parents);
        for (int kind = 0; kind < 3; kind++) { /* right, turned, lacking */
            struct bestdag_buffer b = {.run = d.run};
            long long sum = 0;
            head(&b, p.n);
            part(&b, all);
            for (int i = 0; i < (kind == 2 ? 1 : 2); i++) {
                unsigned members = (i ^ (kind == 1)) ? all & ~low : low;
                struct problem sub = {.n = 0};
                unsigned unused[MOST];
                if (!members)
                    continue;
                part(&b, members);
                /* the same problem where all others are free */
                sub = p;
                for (int v = 0; v < p.n; v++)
                    for (int k = 0; k < p.count[v]; k++) {
                        sub.set[v][k] &= members;
                        if (!(members >> v & 1)) {
                            sub.set[v][k] = 0;
                            sub.cost[v][k] = 0;
                        }
                    }
                int cost = optimum(&sub, unused);
                sum += cost;
                bestdag_buffer_format(&b, "expand 64 %d\nend\n", cost);
            }
            assert_true(sum <= best || kind == 1);
            tail(&b, kind == 1 ? best : sum);
            put_buffer(d.cert, &b);
            const char *answer = ask(&d);
            if (kind == 0)
                assert_string_equal(answer,
                                    sum == best ? "optimal" : "bounded");
            if (kind == 1 && crossed) {
                assert_string_equal(answer, "refused");
                wrong_order++;
            }
            if (kind == 2 && low != all)
                assert_string_equal(answer, "unreadable");
        }
    }
    assert_true(wrong_order > 30);
    close_desk(&d);
}

static void a_deep_chain_of_parts_is_no_trouble(void **state)
{
    struct scratch d = open_desk();
    struct bestdag_buffer b = {.run = d.run};
    (void)state;
    put(d.scores, "1\nA 1\n-3 0\n");
    put(d.net, "from,to\nA,\n");
    head(&b, 1);
    for (int i = 0; i < 100000; i++)
        bestdag_buffer_text(&b, "part 1 0\n");
    for (int i = 0; i < 100000; i++)
        bestdag_buffer_text(&b, "end\n");
    bestdag_buffer_text(&b, "claim 0\n");
    put_buffer(d.cert, &b);
    assert_string_equal(ask(&d), "optimal");
    close_desk(&d);
}

/* ---- rules
 * --------------------------------------------------------------------
 */

/* Random orders: who comes before whom, as lines and as masks. */
static void draw_order(struct bestdag_random *r, struct problem *p,
                       const char *path)
{
    FILE *f = open_new(path);
    fprintf(f, "# an order\n");
    for (int i = 0; i < 3 && p->n > 1; i++) {
        int a = below(r, p->n - 1), b = a + 1 + below(r, p->n - a - 1);
        fprintf(f, "order %c < %c\n", 'A' + a, 'A' + b);
        p->before[b] |= 1u << a;
    }
    fclose(f);
    for (int k = 0; k < p->n; k++)
        for (int v = 0; v < p->n; v++)
            for (int u = 0; u < p->n; u++)
                if (p->before[v] >> u & 1)
                    p->before[v] |= p->before[u];
    /* who comes before v cannot be its child: that takes sets off, too */
    for (int v = 0; v < p->n; v++) {
        int left = 0, least = NEVER;
        for (int i = 0; i < p->count[v]; i++) {
            bool good = true;
            for (int u = 0; u < p->n; u++)
                good &= !(p->set[v][i] >> u & 1) || !(p->before[u] >> v & 1);
            if (good) {
                p->set[v][left] = p->set[v][i];
                p->cost[v][left++] = p->cost[v][i];
            }
        }
        p->count[v] = left;
        for (int i = 0; i < left; i++)
            least = p->cost[v][i] < least ? p->cost[v][i] : least;
        for (int i = 0; i < left; i++)
            p->cost[v][i] -= least;
    }
}

static void orders_count_as_parents(void **state)
{
    struct scratch d = open_desk();
    struct bestdag_random r = bestdag_random_init(9, 7);
    int costlier = 0;
    (void)state;
    set_option(&d, "verify.constraints", d.rules);
    for (int round = 0; round < 400; round++) {
        struct problem p = random_problem(&r);
        struct cluster c[4];
        unsigned parents[MOST], free_parents[MOST];
        bool proves;
        write_scores(&d, &p);
        draw_order(&r, &p, d.rules);
        int best = optimum(&p, parents);
        struct problem no_order = p;
        memset(no_order.before, 0, sizeof no_order.before);
        costlier += best > optimum(&no_order, free_parents);
        write_net(&d, p.n, parents);
        int clusters = draw_clusters(&r, &p, (1u << p.n) - 1, c, 4);
        put_expansion(&d, &p, c, clusters,
                      count_prefixes(&p, c, clusters, best, &proves), best);
        assert_string_equal(ask(&d), "optimal");
        put_expansion(&d, &p, c, clusters, 1 << p.n, best + 1);
        assert_string_equal(ask(&d), "refused");
        try_multipliers(&d, &p, &r, best);
    }
    assert_true(costlier > 10);
    close_desk(&d);
}

/* Rules, networks, and what becomes of them. */
static void networks_that_break_rules_are_refused(void **state)
{
    static const struct {
        const char *rules, *answer;
    } cases[] = {
        {"B -> C\n", "bounded"},
        {"not B -> C\n", "refused"},
        {"root B\nnot root C\nnot leaf B\nleaf C", "bounded"},
        {"leaf B\n", "refused"},
        {"for all X: indegree(X) <= 1", "bounded"},
        {"for all X: indegree(X) = 0", "refused"},
        {"for all X, Y except C: not X -> Y", "bounded"},
        {"for all X, Y except A: not X -> Y", "refused"},
        {"allow only B -> C, A -> B\nallow only\\ A -> C", "unreadable"},
        {"allow only B -> C, A -> B", "bounded"},
        {"allow only A -> B", "refused"},
        {"parents C in A,B", "bounded"},
        {"parents C in A", "refused"},
        {"tiers: A B |\n  C", "bounded"},
        {"tiers: C | A B", "refused"},
        {"tiers: B C apart | A", "refused"},
        {"tiers: B C | C", "unreadable"},
        {"order A < B < C", "bounded"},
        {"order C < A < B", "refused"},
        {"adjacent \"B\" C", "bounded"},
        {"ancestor B C", "bounded"},
        {"ancestor A C", "refused"},
        {"not adjacent B C", "refused"},
        {"if B -> C then A -> C or root B", "bounded"},
        {"if B -> C and root A then A -> C", "refused"},
        {"positive B -> C\nP(B=1) >= 0.5", "bounded"},
        {"B -> D", "unreadable"},
        {"B <- C", "unreadable"},
        {"for all A: root A", "unreadable"},
        {"/knowledge", "unreadable"},
    };
    struct scratch d = open_desk();
    (void)state;
    set_option(&d, "verify.constraints", d.rules);
    put_three(&d, 0);
    put(d.cert, "bestdag certificate 1\nvariables 3\nshift 28\n"
                "part 3 2 0 1\nend\nclaim -1000000\n");
    for (int i = 0; i < COUNT(cases); i++) {
        put(d.rules, cases[i].rules);
        const char *answer = ask(&d);
        if (strcmp(answer, cases[i].answer))
            fail_msg("%s: %s", cases[i].rules, answer);
    }
    put(d.rules, "B -> C\nC -> B\n");
    assert_null(bestdag_verify(d.run, d.scores, d.net, d.cert, d.options));
    assert_failed(d.run, BESTDAG_INFEASIBLE, "no network");
    close_desk(&d);
}

/* ---- mangled
 * ------------------------------------------------------------------
 */

static void change(struct bestdag_random *r, char *text, size_t *n)
{
    static const char bytes[] = "01234567890123456789 expand\n-#multiprts";
    size_t at = (size_t)below(r, (int)*n), to;
    switch (below(r, 5)) {
    case 0: /* another byte */
        text[at] = bytes[below(r, (int)sizeof bytes - 1)];
        break;
    case 1: /* one less */
        memmove(text + at, text + at + 1, *n - at - 1);
        --*n;
        break;
    case 2: /* a line less */
        to = at;
        while (at > 0 && text[at - 1] != '\n')
            at--;
        while (to < *n && text[to] != '\n')
            to++;
        to += to < *n;
        memmove(text + at, text + to, *n - to);
        *n -= to - at;
        break;
    case 3: /* a digit more or less */
        for (to = at; to < *n && (text[to] < '0' || text[to] > '9'); to++)
            ;
        if (to < *n)
            text[to] = (char)('0' + (text[to] - '0' + 1) % 10);
        break;
    default: /* cut off */
        if (!below(r, 20))
            *n = at;
    }
}

/* The network is optimal, so a false claim that is accepted is below it, which
 * verify calls an internal error: ask() does not take that. */
static void mangled_certificates_prove_nothing_false(void **state)
{
    struct scratch d = open_desk();
    struct bestdag_random r = bestdag_random_init(9, 8);
    int answers[3] = {0};
    (void)state;
    for (int round = 0; round < 40; round++) {
        struct problem p = random_problem(&r);
        unsigned parents[MOST];
        size_t n;
        struct cluster c[4];
        int best = optimum(&p, parents);
        write_scores(&d, &p);
        write_net(&d, p.n, parents);
        put_expansion(&d, &p, c, draw_clusters(&r, &p, (1u << p.n) - 1, c, 4),
                      1 << p.n, best);
        char *good = scratch_read(d.cert, &n);
        for (int i = 0; i < 150; i++) {
            size_t m = n;
            char *bad = malloc(n + 1);
            memcpy(bad, good, n);
            for (int k = 1 + below(&r, 3); k > 0 && m > 1; k--)
                change(&r, bad, &m);
            put_bytes(d.cert, bad, m);
            const char *answer = ask(&d);
            answers[!strcmp(answer, "unreadable") ? 0
                    : !strcmp(answer, "refused")  ? 1
                                                  : 2]++;
            free(bad);
        }
        free(good);
    }
    for (int i = 0; i < 3; i++)
        assert_true(answers[i] > 100);
    close_desk(&d);
}

static void bad_certificates_are_reported_by_line(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "a.cert:1: expected 'bestdag', but the file ends here"},
        {"bestdag certificate 2", "a.cert:1: expected version 1, found '2'"},
        {"bestdag certificate 1\n\n# x\nvariables 4\n",
         "a.cert:4: expected 3, the variables of the score file"},
        {"bestdag certificate 1 1", "expected the end of the line"},
        {"bestdag certificate 1\nvariables 3\nshift 61\n",
         "a.cert:3: shift 61 is too large: expected 60 at most"},
        {"bestdag certificate 1\nvariables 3\nshift 28\npart 2 0 1\n",
         "a.cert:4: expected all variables"},
        {"bestdag certificate 1\nvariables 3\nshift 28\npart 3 0 1 1\n",
         "1 is repeated or out of order"},
        {"bestdag certificate 1\nvariables 3\nshift 28\npart 3 0 1 2\n"
         "multipliers 1\n0 1 2 0 1\n",
         "a.cert:6: expected a multiplier above 0, found '0'"},
        {"bestdag certificate 1\nvariables 3\nshift 28\npart 3 0 1 2\n"
         "multipliers 1\n5 2 2 0 1\n",
         "more than its number"},
        {"bestdag certificate 1\nvariables 3\nshift 28\npart 3 0 1 2\n"
         "multipliers 1\n5 2 3 0 1 2 2 0 1\n",
         "a.cert:6: a cluster of rank 2 or less"},
        {"bestdag certificate 1\nvariables 3\nshift 28\npart 3 0 1 2\n"
         "multipliers 1\n5 1 2 0 1 2 0 2\n",
         "a.cert:6: expected a class of two members or more that are in no "
         "other"},
        {"bestdag certificate 1\nvariables 3\nshift 28\npart 3 0 1 2\n"
         "multipliers 1\n5 1 3 0 1 2 2 0 1 2 1 2\n",
         "a class of two members or more that are in no other"},
        {"bestdag certificate 1\nvariables 3\nshift 28\npart 3 0 1 2\n"
         "multipliers 1\n5 1 3 0 1 2 2 0 0\n",
         "a.cert:6: 0 is repeated or not in this part"},
        {"bestdag certificate 1\nvariables 3\nshift 28\npart 3 0 1 2\n"
         "multipliers 1\n5 1 3 0 1 2 1 0\n",
         "a.cert:6: expected the size of a class, found '1'"},
        {"bestdag certificate 1\nvariables 3\nshift 28\npart 3 0 1 2\n"
         "expand\n",
         "a.cert:5: expected a number of prefixes"},
        {"bestdag certificate 1\nvariables 3\nshift 28\npart 3 0 1 2\n"
         "expand 16777217 5\n",
         "expected a number of prefixes, found '16777217'"},
        {"bestdag certificate 1\nvariables 3\nshift 28\npart 3 0 1 2\n"
         "expand 9\n",
         "a.cert:5: expected a cost"},
        {"bestdag certificate 1\nvariables 3\nshift 28\npart 3 0 1 2\n"
         "expand -1 9\n",
         "expected a number of prefixes, found '-1'"},
        {"bestdag certificate 1\nvariables 3\nshift 28\npart 3 0 1 2\n"
         "expand 9 9 9\n",
         "expected the end of the line"},
        {"bestdag certificate 1\nvariables 3\nshift 28\npart 3 0 1 2\n"
         "expand 9 9223372036854775807\n",
         "expected a cost"},
        {"bestdag certificate 1\nvariables 3\nshift 28\npart 3 0 1 2\n"
         "expand 99 0\nexpand 99 0\n",
         "expected 'end' after the expansion"},
        {"bestdag certificate 1\nvariables 3\nshift 28\npart 3 0 1 2\n"
         "part 1 0\nend\nexpand 99 0\n",
         "expected 'part' or 'end', found 'expand'"},
        {"bestdag certificate 1\nvariables 3\nshift 28\npart 3 0 1 2\n"
         "table\nx 0\n",
         "expected 'multipliers', 'delete', 'part', 'expand' or 'end'"},
        {"bestdag certificate 1\nvariables 3\nshift 28\npart 3 0 1 2\nend\n",
         "expected 'claim'"},
        {"bestdag certificate 1\nvariables 3\nshift 28\npart 3 0 1 2\nend\n"
         "claim 0\nclaim 0\n",
         "expected the end of the file"},
        {"bestdag certificate 1\nvariables 3\nshift 28\npart 3 0 1 2\nend\n"
         "claim 99999999999999999999\n",
         "expected a whole number"},
    };
    struct scratch d = open_desk();
    (void)state;
    put_three(&d, 0);
    for (int i = 0; i < COUNT(cases); i++) {
        put(d.cert, cases[i].text);
        assert_null(bestdag_verify(d.run, d.scores, d.net, d.cert, NULL));
        assert_failed(d.run, BESTDAG_INPUT, cases[i].says);
    }
    close_desk(&d);
}

static void a_variable_that_can_do_better_does_not_follow_alone(void **state)
{
    struct scratch d = open_desk();
    (void)state;
    put_three(&d, 0);
    /* B is cheaper after C: were it placed first alone, that would prove more
     */
    put(d.cert, "bestdag certificate 1\nvariables 3\nshift 28\npart 3 0 1 2\n"
                "expand 8 263289348\nend\nclaim 263289348\n");
    assert_string_equal(ask(&d), "optimal");
    put(d.cert, "bestdag certificate 1\nvariables 3\nshift 28\npart 3 0 1 2\n"
                "expand 8 263289349\nend\nclaim 263289349\n");
    assert_string_equal(ask(&d), "refused");
    close_desk(&d);
}

/* More than 64 variables: masks of several words. A ring of pairs. */
static void wide_parts_have_masks_of_several_words(void **state)
{
    struct scratch d = open_desk();
    struct bestdag_buffer b = {.run = d.run};
    FILE *f = fopen(d.scores, "w"), *net = fopen(d.net, "w");
    enum { N = 70 };
    (void)state;
    fprintf(f, "%d\n", N);
    fprintf(net, "from,to\n");
    for (int v = 0; v < N; v++) { /* 68 and 69 want each other */
        bool pair = v >= N - 2;
        fprintf(f, "v%d %d\n-10 0\n", v, pair ? 2 : 1);
        if (pair)
            fprintf(f, "-9.99999618530273438 1 v%d\n",
                    v == N - 1 ? N - 2 : N - 1);
        fprintf(net, "v%d,\n", v);
    }
    fprintf(net, "v69,v68\n");
    fclose(f);
    fclose(net);
    for (int way = 0; way < 4; way++) { /* the cluster of the two, or none */
        int claim = 4 + way % 2, prefixes = way < 2 ? N + 2 - way : N + 1;
        b = (struct bestdag_buffer){.run = d.run};
        bestdag_buffer_format(&b,
                              "bestdag certificate 1\nvariables %d\n"
                              "shift 20\npart %d",
                              N, N);
        for (int v = 0; v < N; v++)
            bestdag_buffer_format(&b, " %d", v);
        if (way == 0)
            bestdag_buffer_text(&b, "\nmultipliers 1\n4 1 2 68 69");
        bestdag_buffer_format(&b, "\nexpand %d %d\nend\nclaim %d\n",
                              way ? prefixes : 1, claim, claim);
        put_buffer(d.cert, &b);
        assert_string_equal(ask(&d), claim == 4 ? "optimal" : "refused");
    }
    close_desk(&d);
}

/* The n-th allocation fails, for all n. */
static void failed_allocations_are_survived(void **state)
{
    struct scratch d = open_desk();
    struct bestdag_random r = bestdag_random_init(9, 10);
    struct cluster c[4];
    struct problem p;
    unsigned parents[MOST];
    (void)state;
    do
        p = random_problem(&r);
    while (p.n != 4);
    write_scores(&d, &p);
    put(d.rules, "order A < B\nindegree(C) <= 3\nparents D in A B C\n"
                 "A -> C or B -> C or indegree(C) >= 0\nallow only A -> B, "
                 "A -> C, A -> D, B -> C, B -> D, C -> D, B -> A, C -> A, "
                 "D -> A, C -> B, D -> B, D -> C\n");
    p.before[1] |= 1;
    for (int i = 0; i < p.count[0]; i++)
        if (p.set[0][i] & 2)
            p.cost[0][i] = NEVER;
    int best = optimum(&p, parents);
    write_net(&d, p.n, parents);
    put_expansion(&d, &p, c, draw_clusters(&r, &p, 15, c, 4), 16, best);
    set_option(&d, "verify.constraints", d.rules);
    int64_t n = 1;
    for (; n < 5000; n++) {
        bestdag_memory_fail_at(d.run, n);
        char *json = bestdag_verify(d.run, d.scores, d.net, d.cert, d.options);
        bool failed = bestdag_memory_has_failed(d.run);
        bestdag_memory_fail_at(d.run, 0);
        if (failed && !json)
            assert_int_equal(bestdag_run_status(d.run), BESTDAG_MEMORY);
        bestdag_text_free(json);
        bestdag_run_clear(d.run);
        if (!failed)
            break;
    }
    assert_true(n > 30 && n < 5000);
    close_desk(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_cluster_proves_the_example),
        cmocka_unit_test(multipliers_are_worth_what_they_are),
        cmocka_unit_test(an_expansion_proves_the_optimum_and_no_more),
        cmocka_unit_test(an_expansion_is_what_is_defined),
        cmocka_unit_test(hostile_expansions_end_at_a_limit),
        cmocka_unit_test(a_class_counts_as_one),
        cmocka_unit_test(deletions_prove_no_more_than_they_delete),
        cmocka_unit_test(a_split_adds_up),
        cmocka_unit_test(a_deep_chain_of_parts_is_no_trouble),
        cmocka_unit_test(orders_count_as_parents),
        cmocka_unit_test(networks_that_break_rules_are_refused),
        cmocka_unit_test(mangled_certificates_prove_nothing_false),
        cmocka_unit_test(bad_certificates_are_reported_by_line),
        cmocka_unit_test(a_variable_that_can_do_better_does_not_follow_alone),
        cmocka_unit_test(wide_parts_have_masks_of_several_words),
        cmocka_unit_test(failed_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
