/* SPDX-License-Identifier: MIT */
/* test_picture.c -- pictures through Graphviz: the real one where it is
 * installed, and false ones, scripts called dot, that misbehave. */
#include "roundtrip.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

extern const struct bestdag_format bestdag_format_dot;
extern const struct bestdag_format bestdag_format_svg;
extern const struct bestdag_format bestdag_format_png;

static char real_path[4096], folder[64];

static int set_up(void **state)
{
    (void)state;
    const char *path = getenv("PATH");
    snprintf(real_path, sizeof real_path, "%s", path ? path : "");
    snprintf(folder, sizeof folder, "/tmp/bestdag-picture-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    char dot[96];
    snprintf(dot, sizeof dot, "%s/dot", folder);
    unlink(dot);
    return rmdir(folder);
}

static int restore_path(void **state)
{
    (void)state;
    return setenv("PATH", real_path, 1);
}

/* From now on, `dot` is this script. */
static void pretend(const char *script)
{
    char dot[96], path[4400];
    snprintf(dot, sizeof dot, "%s/dot", folder);
    FILE *file = fopen(dot, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s\n", script);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(dot, 0755), 0);
    snprintf(path, sizeof path, "%s:%s", folder, real_path);
    assert_int_equal(setenv("PATH", path, 1), 0);
}

static struct bestdag_network *make_network(struct bestdag_run *run)
{
    struct bestdag_network *net = lettered(run, 3);
    set_name(run, net, 0, "<5 & \"more\"");
    bestdag_dag_set_parents(run, net->dag, 0, (int[]){1}, 1);
    return net;
}

static void fails_with(const char *script, const char *message)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = make_network(run);
    size_t size;
    if (script)
        pretend(script);
    char *text = write_as(run, &bestdag_format_svg, net, &size);
    assert_null(text);
    assert_int_equal(bestdag_run_status(run), BESTDAG_FAILED);
    assert_string_equal(bestdag_run_error(run), message);
    bestdag_network_free(net);
    assert_int_equal(bestdag_memory_used(run), 0);
    bestdag_run_free(run);
}

static void without_graphviz_the_message_says_what_to_do(void **state)
{
    (void)state;
    setenv("PATH", "/nonexistent", 1);
    fails_with(NULL, "drawing needs Graphviz: install the package graphviz "
                     "(apt-get install graphviz), or write .dot");
}

static void a_failure_of_graphviz_is_told(void **state)
{
    (void)state;
    fails_with("echo half a picture; echo no font >&2; echo x >&2; exit 3",
               "Graphviz failed with exit code 3: no font");
    fails_with("exit 0", "Graphviz failed with exit code 0");
    fails_with("kill -9 $$", "Graphviz was ended by signal 9");
}

static void names_that_dot_cannot_hold_are_refused_first(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = make_network(run);
    set_name(run, net, 2, "a\001");
    must_not_write(&bestdag_format_png, net,
                   "the name of variable 'a?' has U+0001, which DOT cannot "
                   "hold (JSON can)");
    bestdag_network_free(net);
    bestdag_run_free(run);
}

/* A false Graphviz that copies the graph shows what the true one would get. */
static void copies_the_graph(struct bestdag_run *run)
{
    struct bestdag_network *net = make_network(run);
    size_t size, expected;
    char *text = write_as(run, &bestdag_format_png, net, &size);
    char *graph = write_as(run, &bestdag_format_dot, net, &expected);
    assert_non_null(text);
    assert_int_equal(size, expected);
    assert_memory_equal(text, graph, size);
    bestdag_free(graph);
    bestdag_free(text);
    bestdag_network_free(net);
}

static void floods_of_complaints_do_not_block(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    int notes[2] = {0, 0};
    bestdag_run_on_progress(run, count_notes, notes);
    pretend("head -c 1000000 /dev/zero | tr '\\0' 'x' >&2; "
            "[ $1 = -Tpng ] && cat");
    copies_the_graph(run);
    assert_int_equal(notes[1], 1);
    bestdag_run_free(run);
}

static void a_graph_that_is_not_read_does_no_harm(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = bestdag_network_empty(run, 20000);
    for (int v = 0; v < net->dag->n; v++) {
        char name[32];
        snprintf(name, sizeof name, "a rather long name %d", v);
        net->variable[v].name = bestdag_strdup(run, name);
    }
    size_t size;
    pretend("echo done");
    char *text = write_as(run, &bestdag_format_svg, net, &size);
    assert_string_equal(text, "done\n");
    bestdag_free(text);
    bestdag_network_free(net);
    bestdag_run_free(run);
}

static void a_stopped_run_still_draws_what_is_quick(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    bestdag_run_stop(run);
    pretend("cat");
    copies_the_graph(run);
    bestdag_run_free(run);
}

static int ask_to_stop(void *user, const struct bestdag_progress *now)
{
    (void)now;
    ++*(int *)user;
    return 1;
}

static void a_stop_ends_a_graphviz_that_hangs(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = make_network(run);
    int calls = 0;
    size_t size;
    bestdag_run_on_progress(run, ask_to_stop, &calls);
    pretend("sleep 1000");
    assert_null(write_as(run, &bestdag_format_svg, net, &size));
    assert_true(calls > 0);
    assert_non_null(strstr(bestdag_run_error(run), "stopped before Graphviz"));
    bestdag_network_free(net);
    bestdag_run_free(run);
}

static void lack_of_memory_is_survived(void **state)
{
    (void)state;
    pretend("cat; echo complaint >&2");
    int failed = 1;
    for (int64_t k = 1; failed; k++) {
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_network *net = make_network(run);
        size_t size;
        bestdag_memory_fail_at(run, k);
        char *text = write_as(run, &bestdag_format_svg, net, &size);
        failed = bestdag_run_status(run);
        assert_true(!failed || failed == BESTDAG_MEMORY);
        assert_int_equal(!text, failed != 0);
        bestdag_free(text);
        bestdag_network_free(net);
        assert_int_equal(bestdag_memory_used(run), 0);
        bestdag_run_free(run);
    }
}

static void need_graphviz(void)
{
    if (system("command -v dot >/dev/null 2>&1"))
        skip();
}

static void the_real_one_draws_a_network(void **state)
{
    (void)state;
    need_graphviz();
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = make_network(run);
    size_t size;
    char *text = write_as(run, &bestdag_format_svg, net, &size);
    assert_non_null(text);
    assert_non_null(strstr(text, "<svg"));
    assert_non_null(strstr(text, "&lt;5 &amp; &quot;more&quot;</text>"));
    assert_non_null(strstr(text, ">C</text>"));
    bestdag_free(text);
    text = write_as(run, &bestdag_format_png, net, &size);
    assert_non_null(text);
    assert_true(size > 100);
    assert_memory_equal(text, "\x89PNG\r\n\x1a\n", 8);
    bestdag_free(text);
    bestdag_network_free(net);
    bestdag_run_free(run);
}

static int count(const char *text, const char *part)
{
    int n = 0;
    for (; (text = strstr(text, part)); text++)
        n++;
    return n;
}

/* An arrowhead is a polygon; so is the background. */
static void the_real_one_draws_a_class(void **state)
{
    (void)state;
    need_graphviz();
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = make_network(run);
    struct bestdag_pdag *pdag = bestdag_pdag_new(run, 3);
    struct bestdag_sink *sink = bestdag_sink_memory(run);
    size_t size;
    bestdag_pdag_add_arc(pdag, 0, 1);
    bestdag_pdag_add_edge(pdag, 1, 2);
    bestdag_format_svg.write_class(run, net, pdag, sink);
    char *text = bestdag_sink_take(sink, &size);
    assert_non_null(text);
    assert_int_equal(count(text, "class=\"edge\""), 2);
    assert_int_equal(count(text, "<polygon"), 2);
    bestdag_free(text);
    bestdag_sink_close(sink);
    bestdag_pdag_free(pdag);
    bestdag_network_free(net);
    bestdag_run_free(run);
}

#define WITH_PATH(test) cmocka_unit_test_teardown(test, restore_path)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_PATH(without_graphviz_the_message_says_what_to_do),
        WITH_PATH(a_failure_of_graphviz_is_told),
        WITH_PATH(names_that_dot_cannot_hold_are_refused_first),
        WITH_PATH(floods_of_complaints_do_not_block),
        WITH_PATH(a_graph_that_is_not_read_does_no_harm),
        WITH_PATH(a_stopped_run_still_draws_what_is_quick),
        WITH_PATH(a_stop_ends_a_graphviz_that_hangs),
        WITH_PATH(lack_of_memory_is_survived),
        WITH_PATH(the_real_one_draws_a_network),
        WITH_PATH(the_real_one_draws_a_class),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
