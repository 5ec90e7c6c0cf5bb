/* SPDX-License-Identifier: MIT */
/* test_checkpoint.c -- what is kept comes back or is refused; a search that was
 * stopped and goes on ends as one that was not.
 *
 * tests/cli/checkpoint.sh kills whole runs. */
#include "scratch.h"

#include "base/checkpoint.h"
#include "data/table.h"
#include "graph/dag.h"
#include "network/network.h"
#include "random_lists.h"
#include "random_table.h"
#include "search/saved_state.h"

/* In memory if there is such a place: files are synced again and again. */
static const char *make_folder(void)
{
    static char path[64];
    strcpy(path, "/dev/shm/bestdag-test-XXXXXX");
    return mkdtemp(path) ? path : scratch_make();
}

static struct bestdag_options *options_of(struct bestdag_run *run,
                                          const char *folder)
{
    struct bestdag_options *o = bestdag_options_new(run);
    bestdag_options_set(run, o, "checkpoint", folder);
    bestdag_options_set(run, o, "checkpoint-every", "0");
    assert_fine(run);
    return o;
}

/* ---- files -----------------------------------------------------------------
 */

struct thing {
    int64_t number;
    double share;
    int list[100];
};

static void pass_thing(void *state, struct bestdag_archive *p)
{
    struct thing *t = state;
    BESTDAG_PASS(p, t->number);
    BESTDAG_PASS(p, t->share);
    bestdag_pass_order(p, t->list, 100);
}

/* Opens the folder as `command`; status, and the thing if it is there. */
static int look(const char *folder, const char *command, struct thing *to,
                bool *is_there)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_options *o = options_of(run, folder);
    *is_there =
        !bestdag_checkpoint_open(run, o, command) &&
        bestdag_checkpoint_load(run->checkpoint, "thing", pass_thing, to);
    int status = bestdag_run_status(run);
    bestdag_checkpoint_close(run);
    bestdag_options_free(o);
    scratch_end(run);
    return status;
}

static void keep(const char *folder, const char *command, struct thing *t)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_options *o = options_of(run, folder);
    assert_int_equal(bestdag_checkpoint_open(run, o, command), BESTDAG_OK);
    assert_true(bestdag_checkpoint_due(run->checkpoint));
    bestdag_checkpoint_save(run->checkpoint, "thing", pass_thing, t);
    bestdag_run_free(run); /* closes it */
    bestdag_options_free(o);
}

static struct thing some_thing(void)
{
    struct thing t = {.number = 1234567890123, .share = 0.1};
    for (int i = 0; i < 100; i++)
        t.list[i] = (i * 37 + 5) % 100;
    return t;
}

static void what_is_kept_comes_back(void **state)
{
    (void)state;
    const char *folder = make_folder();
    struct thing t = some_thing(), back = {0};
    bool is_there;
    assert_int_equal(look(folder, "a=1\nb=2\n", &back, &is_there), BESTDAG_OK);
    assert_false(is_there);
    keep(folder, "a=1\nb=2\n", &t);
    assert_int_equal(look(folder, "a=1\nb=2\n", &back, &is_there), BESTDAG_OK);
    assert_true(is_there);
    assert_memory_equal(&t, &back, sizeof t);
    bestdag_checkpoint_remove(folder);
    assert_int_equal(access(folder, F_OK), -1);
}

static void another_command_is_refused_by_what_differs(void **state)
{
    (void)state;
    const char *folder = make_folder();
    struct thing t = some_thing();
    keep(folder, "a=1\nseed=2\nc=3\n", &t);
    static const char *const others[][2] = {
        {"a=1\nseed=3\nc=3\n", "it has 'seed=2', this run has 'seed=3'"},
        {"a=1\nseed=2\n", "it has 'c=3', this run has ''"},
        {"a=1\nseed=2\nc=3\nd=4\n", "it has '', this run has 'd=4'"},
        {"", "it has 'a=1', this run has ''"}};
    for (int i = 0; i < COUNT(others); i++) {
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_options *o = options_of(run, folder);
        bestdag_checkpoint_open(run, o, others[i][0]);
        assert_null(run->checkpoint);
        assert_failed(run, BESTDAG_USAGE, others[i][1]);
        bestdag_options_free(o);
        scratch_end(run);
    }
    /* also where only the state is of another one */
    unlink(scratch_path(folder, "command.checkpoint"));
    bool is_there;
    assert_int_equal(look(folder, "a=2\n", &t, &is_there), BESTDAG_USAGE);
    bestdag_checkpoint_remove(folder);
}

static void two_runs_cannot_share_a_folder(void **state)
{
    (void)state;
    const char *folder = make_folder();
    struct bestdag_run *run = bestdag_run_new(), *other = bestdag_run_new();
    struct bestdag_options *o = options_of(run, folder);
    assert_int_equal(bestdag_checkpoint_open(run, o, "a=1\n"), BESTDAG_OK);
    bestdag_checkpoint_open(other, o, "a=1\n");
    assert_failed(other, BESTDAG_USAGE, "another run is using");
    bestdag_checkpoint_close(run);
    assert_int_equal(bestdag_checkpoint_open(other, o, "a=1\n"), BESTDAG_OK);
    bestdag_run_free(other);
    bestdag_options_free(o);
    scratch_end(run);
    bestdag_checkpoint_remove(folder);
}

/* No prefix of a file is taken for the whole. */
static void a_file_that_was_cut_is_not_used(void **state)
{
    (void)state;
    const char *folder = make_folder();
    struct thing t = some_thing(), back;
    size_t n;
    bool is_there;
    keep(folder, "a=1\n", &t);
    char path[512];
    strcpy(path, scratch_path(folder, "thing.checkpoint"));
    char *bytes = scratch_read(path, &n);
    for (size_t cut = 0; cut < n; cut += cut < 200 ? 1 : 7) {
        scratch_write(path, bytes, cut);
        assert_int_equal(look(folder, "a=1\n", &back, &is_there), BESTDAG_OK);
        assert_false(is_there);
    }
    free(bytes);
    bestdag_checkpoint_remove(folder);
}

/* Each byte changed, in the state and in the command: not used, or refused. */
static void a_mangled_file_is_not_used(void **state)
{
    (void)state;
    static const char *const names[] = {"thing.checkpoint",
                                        "command.checkpoint"};
    const char *folder = make_folder();
    struct thing t = some_thing(), back;
    uint64_t seed = 1;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < COUNT(names); i++) {
        size_t n;
        bool is_there;
        keep(folder, "a=1\n", &t);
        char path[512];
        strcpy(path, scratch_path(folder, names[i]));
        char *bytes = scratch_read(path, &n);
        for (size_t at = 0; at < n; at++) {
            char old = bytes[at];
            seed = bestdag_mix(seed);
            bytes[at] = (char)(old ^ (1 << (seed & 7)));
            scratch_write(path, bytes, n);
            int status = look(folder, "a=1\n", &back, &is_there);
            assert_true(status == BESTDAG_OK || status == BESTDAG_USAGE);
            assert_int_equal(is_there, i == 1 && status == BESTDAG_OK);
            bytes[at] = old;
        }
        free(bytes);
    }
    bestdag_checkpoint_remove(folder);
}

/* With the right hash, on purpose. */
static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    const char *folder = make_folder();
    bool is_there;
    for (int trial = 0; trial < 3; trial++) {
        struct thing t = some_thing(), back;
        t.list[7] = trial == 0 ? -1 : trial == 1 ? 100 : t.list[8];
        keep(folder, "a=1\n", &t);
        assert_int_equal(look(folder, "a=1\n", &back, &is_there),
                         BESTDAG_USAGE);
        assert_false(is_there);
    }
    bestdag_checkpoint_remove(folder);
}

static void a_folder_that_cannot_be_is_told(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_options *o = options_of(run, "/dev/null/folder");
    bestdag_checkpoint_open(run, o, "a=1\n");
    assert_failed(run, BESTDAG_FAILED, "cannot create the folder");
    bestdag_options_free(o);
    o = options_of(run, "/dev/null");
    bestdag_checkpoint_open(run, o, "a=1\n");
    assert_failed(run, BESTDAG_FAILED, "Not a directory");
    bestdag_options_free(o);
    scratch_end(run);
}

/* ---- graphs ----------------------------------------------------------------
 */

struct graph {
    struct bestdag_run *run;
    struct bestdag_dag *dag;
};

static void pass_graph(void *state, struct bestdag_archive *p)
{
    struct graph *g = state;
    bestdag_pass_dag(p, g->run, &g->dag, 3);
}

static void graphs_come_back(void **state)
{
    (void)state;
    const char *folder = make_folder();
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_options *o = options_of(run, folder);
    struct graph g = {run, bestdag_dag_new(run, 3)}, back = {run, NULL};
    bestdag_dag_set_parents(run, g.dag, 2, (int[]){0, 1}, 2);
    bestdag_checkpoint_open(run, o, "a=1\n");
    bestdag_checkpoint_save(run->checkpoint, "graph", pass_graph, &g);
    assert_true(
        bestdag_checkpoint_load(run->checkpoint, "graph", pass_graph, &back));
    assert_int_equal(back.dag->parents[2].count, 2);
    assert_int_equal(back.dag->parents[2].at[1], 1);
    assert_int_equal(bestdag_dag_arcs(back.dag), 2);
    bestdag_dag_free(g.dag);
    bestdag_dag_free(back.dag);
    bestdag_checkpoint_close(run);
    bestdag_options_free(o);
    scratch_end(run);
    bestdag_checkpoint_remove(folder);
}

/* ---- searches --------------------------------------------------------------
 */

/* Asks to stop after this many calls. */
struct patience {
    int calls;
};

static int count_down(void *user, const struct bestdag_progress *now)
{
    struct patience *p = user;
    (void)now;
    return p->calls > 0 && !--p->calls;
}

/* Settings with which a solver is busy for a while, but not long. */
static void make_busy(struct bestdag_run *run, struct bestdag_options *o,
                      const char *solver)
{
    static const char *const settings[][2] = {
        {"os", "steps=3000000"},    {"obs", "steps=3000000"},
        {"asobs", "steps=3000000"}, {"orders", "steps=3000000"},
        {"hc", "steps=9000000"},    {"espace", "restarts=2500"},
        {"acoe", "tmax=250"}};
    for (int i = 0; i < COUNT(settings); i++)
        if (!strcmp(settings[i][0], solver))
            bestdag_options_set(run, o, "set", settings[i][1]);
    bestdag_options_set(run, o, "solver", solver);
    bestdag_options_set(run, o, "max-parents", "3");
}

/* The report without what depends on the clock; *is_cut: it was stopped. */
static char *learn(const struct bestdag_table *t, const char *solver,
                   const char *folder, int calls, bool *is_cut)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_options *o = bestdag_options_new(run);
    struct patience patience = {calls};
    bestdag_run_on_progress(run, count_down, &patience);
    make_busy(run, o, solver);
    if (folder) {
        bestdag_options_set(run, o, "checkpoint", folder);
        bestdag_options_set(run, o, "checkpoint-every", "0");
    }
    struct bestdag_result *r = bestdag_learn(run, t, NULL, o);
    assert_fine(run);
    char *text = bestdag_result_json(run, r);
    char *seconds = strstr(text, "\"seconds\"");
    *is_cut = calls && !patience.calls; /* perhaps behind the search */
    *seconds = 0;
    char *copy = strdup(text);
    bestdag_text_free(text);
    bestdag_result_free(r);
    bestdag_options_free(o);
    scratch_end(run);
    return copy;
}

static void a_search_that_goes_on_ends_like_one_that_was_not_cut(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = random_table(
        run, (struct random_table){
                 .seed = 3, .columns = 25, .most = 3, .rows = 300});
    const struct bestdag_solver *s;
    for (int i = 0; (s = bestdag_solver_at(i)); i++) {
        bool is_cut = false;
        const char *folder = make_folder();
        char *whole = learn(t, s->name, NULL, 0, &is_cut), *parts = NULL;
        int cuts = 0;
        /* patience grows, since some begin again */
        for (int calls = 3; !parts || is_cut; calls += 2, cuts++) {
            free(parts);
            parts = learn(t, s->name, folder, calls, &is_cut);
        }
        print_message("%s: cut %d times\n", s->name, cuts - 1);
        assert_string_equal(parts, whole);
        free(parts);
        free(whole);
        bestdag_checkpoint_remove(folder);
    }
    bestdag_table_free(t);
    scratch_end(run);
}

/* Twice, so that something is taken over, with each allocation failing. */
static void learning_survives_every_failing_allocation(void **state)
{
    (void)state;
    static const char *const solvers[] = {"orders", "obs", "hc",    "espace",
                                          "acoe",   "dp",  "bfbnb", "bnb"};
    struct bestdag_run *maker = bestdag_run_new();
    struct bestdag_table *t = random_table(
        maker,
        (struct random_table){.seed = 5, .columns = 3, .most = 2, .rows = 20});
    for (int i = 0; i < COUNT(solvers); i++) {
        bool has_failed = true;
        for (int n = 1; has_failed; n++) {
            struct bestdag_run *run = bestdag_run_new();
            const char *folder = make_folder();
            struct bestdag_options *o = options_of(run, folder);
            bestdag_options_set(run, o, "solver", solvers[i]);
            bestdag_options_set(run, o, "steps", "50");
            if (!strcmp(solvers[i], "acoe"))
                bestdag_options_set(run, o, "set", "tmax=2");
            bestdag_memory_fail_at(run, n);
            for (int k = 0; k < 2; k++) {
                struct bestdag_result *r = bestdag_learn(run, t, NULL, o);
                assert_int_equal(r != NULL, !bestdag_run_status(run));
                bestdag_result_free(r);
            }
            has_failed = bestdag_memory_has_failed(run);
            int status = bestdag_run_status(run); /* or a network was kept */
            assert_true(!status || (has_failed && status == BESTDAG_MEMORY));
            bestdag_options_free(o);
            scratch_end(run);
            bestdag_checkpoint_remove(folder);
        }
    }
    bestdag_table_free(t);
    scratch_end(maker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_comes_back),
        cmocka_unit_test(another_command_is_refused_by_what_differs),
        cmocka_unit_test(two_runs_cannot_share_a_folder),
        cmocka_unit_test(a_file_that_was_cut_is_not_used),
        cmocka_unit_test(a_mangled_file_is_not_used),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(a_folder_that_cannot_be_is_told),
        cmocka_unit_test(graphs_come_back),
        cmocka_unit_test(a_search_that_goes_on_ends_like_one_that_was_not_cut),
        cmocka_unit_test(learning_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
