/* SPDX-License-Identifier: MIT */
/* test_class_rules.c -- searches over equivalence classes under rules: which
 * classes obey, against all their members; which moves are offered, against all
 * moves and all members; what espace and acoe find, against the best network
 * that obeys; what they refuse. */
#include "scratch.h"

#include "climbing.h"
#include "search/classes/fges.h"

static const uint64_t SEED = 20261117;
static const char *const NAMES[] = {"V1", "V2", "V3", "V4", "V5",
                                    "V6", "V7", "V8", "V9", "V10"};

/* ---- plain rules -----------------------------------------------------------
 */

struct plain {
    int n;
    uint32_t allowed[MOST_NODES], required[MOST_NODES]; /* by child */
    uint32_t before[MOST_NODES];
    char text[1024]; /* one per line */
};

static void add(struct plain *p, const char *first, const char *sign, int a,
                int b)
{
    size_t length = strlen(p->text);
    snprintf(p->text + length, sizeof p->text - length, "%s%s %s %s\n", first,
             NAMES[a], sign, NAMES[b]);
}

/* That the rules agree with some DAG is not certain. */
static struct plain draw_rules(struct bestdag_random *r, int n)
{
    struct plain p = {.n = n};
    for (int v = 0; v < n; v++)
        p.allowed[v] = (((uint32_t)1 << n) - 1) & ~((uint32_t)1 << v);
    for (int i = (int)bestdag_random_below(r, 6); i >= 0; i--) {
        int a = (int)bestdag_random_below(r, (uint64_t)n);
        int b = (int)bestdag_random_below(r, (uint64_t)n);
        if (a == b)
            continue;
        switch (bestdag_random_below(r, 5)) {
        case 0:
            p.required[b] |= (uint32_t)1 << a;
            add(&p, "", "->", a, b);
            break;
        case 1:
            p.before[b] |= (uint32_t)1 << a;
            add(&p, "order ", "<", a, b);
            break;
        default:
            p.allowed[b] &= ~((uint32_t)1 << a);
            add(&p, "not ", "->", a, b);
        }
    }
    return p;
}

/* With an arc for each pair of the order it has no cycle, either. */
static bool obeys(const struct plain *p, const struct small *g)
{
    struct small all = *g;
    for (int v = 0; v < p->n; v++) {
        if (g->parents[v] & ~p->allowed[v] || p->required[v] & ~g->parents[v])
            return false;
        all.parents[v] |= p->before[v];
    }
    return acyclic(&all);
}

struct ruled {
    struct bestdag_rules *rules;
    struct bestdag_knowledge *knowledge;
};

/* False: no network obeys, which was seen at once. */
static bool compile(struct bestdag_run *run, const struct plain *p,
                    struct ruled *to)
{
    char copy[1024], *save = NULL;
    to->rules = bestdag_rules_new(run);
    snprintf(copy, sizeof copy, "%s", p->text);
    for (char *line = strtok_r(copy, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save))
        assert_int_equal(bestdag_rules_add(run, to->rules, line), BESTDAG_OK);
    to->knowledge = bestdag_knowledge_new(run, to->rules, NAMES, p->n);
    assert_non_null(to->knowledge);
    return !to->knowledge->impossible;
}

static void release(struct ruled *r)
{
    bestdag_knowledge_free(r->knowledge);
    bestdag_rules_free(r->rules);
}

/* ---- members of a class ----------------------------------------------------
 */

/* Some DAG with the skeleton and the v-structures of g obeys: its undirected
 * edges are given both directions in turn. */
static bool has_member(const struct plain *p, const struct small *dag)
{
    int a[32], b[32], count = 0;
    for (int v = 0; v < dag->n; v++)
        for (int u = 0; u < v; u++)
            if (adjacent(dag, u, v)) {
                a[count] = u;
                b[count++] = v;
            }
    for (uint32_t turned = 0; turned < (uint32_t)1 << count; turned++) {
        struct small g = {.n = dag->n};
        for (int i = 0; i < count; i++)
            relate(&g, a[i], b[i], turned >> i & 1 ? BACK : FORTH);
        if (obeys(p, &g) && acyclic(&g) && same_v(&g, dag))
            return true;
    }
    return false;
}

struct scene {
    struct bench bench;
    struct plain plain;
    struct ruled ruled;
    struct bestdag_search_rules *rules;
    struct bestdag_shared_scores shared;
    struct bestdag_class_state state;
};

/* False: no network obeys. */
static bool open_scene(struct scene *s, int n, uint64_t seed)
{
    struct bestdag_random random = bestdag_random_init(seed, 3);
    struct random_table how = {
        .seed = seed, .columns = n, .most = 3, .rows = 60};
    open_bench(&s->bench, how, "score=bdeu ess=2");
    s->plain = draw_rules(&random, n);
    bool possible = compile(s->bench.run, &s->plain, &s->ruled);
    s->bench.task.knowledge = s->ruled.knowledge;
    s->bench.task.solver = bestdag_solver_find("espace");
    if (!possible)
        return false;
    assert_int_equal(bestdag_class_state_check(&s->bench.task, &s->rules), 0);
    s->state.rules = s->rules;
    assert_int_equal(bestdag_shared_scores_init(s->bench.run, &s->shared,
                                                s->bench.scorer, -1),
                     0);
    assert_int_equal(bestdag_class_state_init(s->bench.run, &s->state,
                                              &s->shared, BESTDAG_CACHED),
                     0);
    return true;
}

static void close_scene(struct scene *s)
{
    bestdag_class_state_release(&s->state);
    bestdag_shared_scores_release(&s->shared);
    bestdag_search_rules_free(s->rules);
    release(&s->ruled);
    close_bench(&s->bench);
}

static void a_class_obeys_if_a_member_does(void **state)
{
    int yes = 0, no = 0;
    (void)state;
    for (uint64_t t = 0; t < 400; t++) {
        struct scene s = {0};
        int n = 3 + (int)(t % 4);
        if (open_scene(&s, n, SEED + t))
            for (int i = 0; i < 20; i++) {
                struct bestdag_dag *dag =
                    random_dag(s.bench.run, SEED + 100 * t + (uint64_t)i, n,
                               i % (n * (n - 1) / 2 + 1));
                struct small g = of_dag(dag);
                struct bestdag_pdag *pdag =
                    bestdag_pdag_class(s.bench.run, dag);
                struct bestdag_dag *found =
                    bestdag_class_obeying(s.bench.run, pdag, &s.rules->of);
                if (!!found != has_member(&s.plain, &g))
                    fail_msg("trial %d, rules:\n%s", (int)t, s.plain.text);
                if (found) {
                    struct small f = of_dag(found);
                    assert_true(obeys(&s.plain, &f) && acyclic(&f) &&
                                same_skeleton(&f, &g) && same_v(&f, &g));
                }
                *(found ? &yes : &no) += 1;
                bestdag_dag_free(found);
                bestdag_pdag_free(pdag);
                bestdag_dag_free(dag);
            }
        close_scene(&s);
    }
    print_message("%d obey, %d do not\n", yes, no);
    assert_true(yes > 1000 && no > 1000);
}

/* ---- moves -----------------------------------------------------------------
 */

struct seen {
    struct bestdag_operation turn[4096];
    int64_t gain[4096];
    int count;
};

static void see(void *user, const struct bestdag_operation *turn, int64_t gain)
{
    struct seen *s = user;
    assert_true(s->count < 4096);
    s->turn[s->count] = *turn;
    s->gain[s->count++] = gain;
}

static bool is_offered(const struct seen *s, const struct bestdag_operation *t)
{
    for (int i = 0; i < s->count; i++)
        if (s->turn[i].operation == t->operation && s->turn[i].x == t->x &&
            s->turn[i].y == t->y && s->turn[i].z == t->z)
            return true;
    return false;
}

/* From where the scene stands: a move without rules can be made under rules if
 * and only if a member of the class it leads to obeys. */
static int check_moves(struct scene *s, const struct bestdag_dag *dag)
{
    static struct seen plain, ruled;
    struct bestdag_class_state *w = &s->state;
    plain.count = ruled.count = 0;
    assert_int_equal(bestdag_class_state_place(w, dag), 0);
    bestdag_class_state_look(w, INT64_MIN, see, &ruled);
    const struct bestdag_search_rules *rules = w->rules;
    w->rules = NULL;
    bestdag_class_state_look(w, INT64_MIN, see, &plain);
    for (int i = 0; i < plain.count; i++) {
        const struct bestdag_operation *t = &plain.turn[i];
        w->rules = NULL;
        assert_int_equal(bestdag_class_state_place(w, dag), 0);
        if (!bestdag_class_state_make(w, t, plain.gain[i]))
            continue;
        struct small to = of_dag(w->at->dag);
        bool truth = has_member(&s->plain, &to);
        w->rules = rules;
        assert_int_equal(bestdag_class_state_place(w, dag), 0);
        bool made = bestdag_class_state_make(w, t, plain.gain[i]);
        assert_int_equal(made, truth);
        if (made) { /* what is left out beforehand is never one of these */
            struct small at = of_dag(w->at->dag);
            assert_true(is_offered(&ruled, t));
            assert_true(obeys(&s->plain, &at) && same_v(&at, &to) &&
                        same_skeleton(&at, &to));
        }
    }
    w->rules = rules;
    return plain.count - ruled.count;
}

static void moves_lead_to_all_classes_that_obey_and_no_others(void **state)
{
    int places = 0, barred = 0;
    (void)state;
    for (uint64_t t = 0; t < 60; t++) {
        struct scene s = {0};
        int n = 3 + (int)(t % 4);
        if (open_scene(&s, n, SEED + 1000 + t))
            for (int i = 0; i < 8; i++) {
                struct bestdag_dag *dag =
                    random_dag(s.bench.run, SEED + 100 * t + (uint64_t)i, n,
                               i % (n * (n - 1) / 2 + 1));
                struct small g = of_dag(dag);
                if (obeys(&s.plain, &g)) {
                    barred += check_moves(&s, dag);
                    places++;
                }
                bestdag_dag_free(dag);
            }
        if (s.rules)
            barred += check_moves(&s, s.rules->first);
        close_scene(&s);
    }
    print_message("%d places, %d moves barred beforehand\n", places, barred);
    assert_true(places > 50 && barred > 50);
}

static bool wants_all(void *user, const struct bestdag_operation *turn,
                      int64_t most)
{
    (void)user;
    (void)turn;
    return most > 0;
}

/* Random moves with sets of neighbours: gains add up, every place obeys. */
static void sets_of_neighbours_keep_to_the_rules(void **state)
{
    int made = 0;
    (void)state;
    for (uint64_t t = 0; t < 40; t++) {
        static struct seen found;
        struct scene s = {0};
        struct bestdag_random random = bestdag_random_init(SEED + t, 7);
        int n = 4 + (int)(t % 5);
        if (!open_scene(&s, n, SEED + 2000 + t)) {
            close_scene(&s);
            continue;
        }
        struct bestdag_fges *fges = bestdag_fges_new(&s.state);
        assert_int_equal(bestdag_class_state_place(&s.state, NULL), 0);
        bestdag_fges_begin(fges);
        for (int i = 0; i < 40; i++) {
            found.count = 0;
            bestdag_fges_look(fges, wants_all, see, &found);
            if (!found.count)
                break;
            int k = (int)bestdag_random_below(&random, (uint64_t)found.count);
            int64_t before = s.state.score;
            if (!bestdag_fges_make(fges, &found.turn[k]))
                continue;
            made++;
            assert_int_equal(s.state.score - before, found.gain[k]);
            struct small g = of_dag(s.state.at->dag);
            assert_true(obeys(&s.plain, &g) && acyclic(&g));
            int64_t sum = s.state.score;
            struct bestdag_dag *dag =
                bestdag_dag_copy(s.bench.run, s.state.at->dag);
            assert_int_equal(bestdag_class_state_place(&s.state, dag), 0);
            assert_int_equal(s.state.score, sum);
            bestdag_fges_begin(fges);
            bestdag_dag_free(dag);
        }
        bestdag_fges_free(fges);
        close_scene(&s);
    }
    print_message("%d moves\n", made);
    assert_true(made > 100);
}

/* ---- the solvers -----------------------------------------------------------
 */

/* The best network that obeys, by a program over subsets: the last variable of
 * a subset has its best set within the others. With the order rules. */
static double best_obeying(struct bench *b, const struct plain *p)
{
    int n = p->n;
    uint32_t all = (uint32_t)1 << n;
    double *best = malloc(all * sizeof *best);
    double *family = malloc((size_t)n * all * sizeof *family);
    struct bestdag_scorer_scratch *scratch =
        bestdag_scorer_scratch_new(b->run, b->scorer);
    for (int v = 0; v < n; v++)
        for (uint32_t set = 0; set < all; set++) {
            double *to = &family[(size_t)v * all + set];
            *to = -INFINITY;
            if (!has(set, v) && !(set & ~p->allowed[v]) &&
                !(p->required[v] & ~set))
                *to = bestdag_scorer_nats(b->scorer,
                                          fresh_score(b, scratch, v, set));
            for (int u = 0; u < n; u++) /* or one of its subsets */
                if (has(set, u)) {
                    double less =
                        family[(size_t)v * all + (set ^ (uint32_t)1 << u)];
                    *to = less > *to ? less : *to;
                }
        }
    best[0] = 0;
    for (uint32_t set = 1; set < all; set++) {
        best[set] = -INFINITY;
        for (int v = 0; v < n; v++) {
            uint32_t rest = set ^ (uint32_t)1 << v;
            if (!has(set, v) || p->before[v] & ~rest)
                continue;
            double sum = best[rest] + family[(size_t)v * all + rest];
            best[set] = sum > best[set] ? sum : best[set];
        }
    }
    double found = best[all - 1];
    bestdag_scorer_scratch_free(scratch);
    free(best);
    free(family);
    return found;
}

static const struct {
    const char *solver, *settings;
} searches[] = {{"espace", ""},
                {"espace", "set:operators=fges"},
                {"espace", "set:search=annealing set:restarts=1"},
                {"espace", "set:search=walk set:restarts=1"},
                {"acoe", "set:tmax=8 set:operators=six"},
                {"acoe", "set:tmax=8 set:operators=fges"},
                {"acoe", "set:tmax=8"}};

static void answers_obey_and_are_often_the_best(void **state)
{
    int reached[COUNT(searches)] = {0}, trials = 0;
    (void)state;
    for (uint64_t t = 0; t < 24; t++) {
        int n = 8 + (int)(t % 3);
        struct bestdag_random random = bestdag_random_init(SEED + t, 8);
        struct random_table how = {
            .seed = SEED + t, .columns = n, .most = 3, .rows = 200};
        struct plain p = draw_rules(&random, n);
        double best = 0;
        for (int i = 0; i < COUNT(searches); i++) {
            struct bench b;
            struct ruled ruled;
            struct bestdag_outcome got;
            open_bench(&b, how, "score=bic");
            set_options(&b, searches[i].settings);
            bool possible = compile(b.run, &p, &ruled);
            b.task.solver = bestdag_solver_find(searches[i].solver);
            b.task.knowledge = ruled.knowledge;
            if (!i)
                best = best_obeying(&b, &p);
            assert_int_equal(possible, best > -INFINITY);
            if (possible) {
                assert_int_equal(bestdag_search(&b.task, &got), BESTDAG_OK);
                struct small g = of_dag(got.dag);
                if (!obeys(&p, &g))
                    fail_msg("%s %s, trial %d: the answer breaks a rule of\n%s",
                             searches[i].solver, searches[i].settings, (int)t,
                             p.text);
                assert_true(acyclic(&g) && got.score <= best + 1e-6);
                reached[i] += got.score > best - 1e-6;
                trials += !i;
                bestdag_dag_free(got.dag);
            }
            release(&ruled);
            close_bench(&b);
        }
    }
    for (int i = 0; i < COUNT(searches); i++) {
        print_message("%s %s: %d of %d are the best\n", searches[i].solver,
                      searches[i].settings, reached[i], trials);
        assert_true(reached[i] > 0);
    }
    assert_true(trials > 10);
}

static void other_rules_are_refused_by_name(void **state)
{
    static const char *const texts[][2] = {
        {"indegree(V1) <= 1", "indegree(V1) <= 1"},
        {"V2 -> V1 or V3 -> V1", "V2 -> V1 or V3 -> V1"},
        {"ancestor V1 V2", "'ancestor'"},
        {"V1 -> V2 or V2 -> V3", "cross-child"}};
    (void)state;
    for (int i = 0; i < COUNT(texts); i++)
        for (int k = 0; k < 2; k++) {
            struct bench b;
            struct bestdag_outcome got;
            open_bench(&b,
                       (struct random_table){
                           .seed = 1, .columns = 4, .most = 2, .rows = 30},
                       "score=bic");
            struct bestdag_rules *rules = bestdag_rules_new(b.run);
            bestdag_rules_add(b.run, rules, texts[i][0]);
            struct bestdag_knowledge *knowledge =
                bestdag_knowledge_new(b.run, rules, NAMES, 4);
            b.task.solver = bestdag_solver_find(k ? "acoe" : "espace");
            b.task.knowledge = knowledge;
            assert_int_equal(bestdag_search(&b.task, &got), BESTDAG_USAGE);
            if (!strstr(bestdag_run_error(b.run), texts[i][1]))
                fail_msg("'%s' lacks '%s'", bestdag_run_error(b.run),
                         texts[i][1]);
            bestdag_knowledge_free(knowledge);
            bestdag_rules_free(rules);
            close_bench(&b);
        }
}

static void every_failed_allocation_is_survived(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT(searches); i++) {
        bool has_failed = true;
        for (int64_t k = 1; has_failed; k += 1 + k / 8) {
            struct plain p = {.n = 5};
            struct bench b;
            struct ruled ruled;
            struct bestdag_outcome got = {0};
            add(&p, "", "->", 0, 1);
            add(&p, "not ", "->", 2, 3);
            add(&p, "order ", "<", 3, 4);
            open_bench(&b,
                       (struct random_table){
                           .seed = 2, .columns = 5, .most = 3, .rows = 40},
                       "score=bic");
            set_options(&b, searches[i].settings);
            assert_true(compile(b.run, &p, &ruled));
            b.task.solver = bestdag_solver_find(searches[i].solver);
            b.task.knowledge = ruled.knowledge;
            bestdag_memory_fail_at(b.run, k);
            int status = bestdag_search(&b.task, &got);
            has_failed = bestdag_memory_has_failed(b.run);
            bestdag_memory_fail_at(b.run, 0);
            assert_true(!status || status == BESTDAG_MEMORY);
            assert_true(has_failed || !status);
            bestdag_dag_free(got.dag);
            release(&ruled);
            close_bench(&b);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_class_obeys_if_a_member_does),
        cmocka_unit_test(moves_lead_to_all_classes_that_obey_and_no_others),
        cmocka_unit_test(sets_of_neighbours_keep_to_the_rules),
        cmocka_unit_test(answers_obey_and_are_often_the_best),
        cmocka_unit_test(other_rules_are_refused_by_name),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
