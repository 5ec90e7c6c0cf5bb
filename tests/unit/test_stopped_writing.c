/* SPDX-License-Identifier: MIT */
/* test_stopped_writing.c -- what stops the run ends the writing of a network in
 * every format, and no file stays behind; the answer of a search is written.
 *
 * A pipe that is read after the run was stopped holds the writer where it is:
 * at the first chunk of a file that has several. */
#include "scratch.h"

#include <fcntl.h>
#include <pthread.h>

#include "formats/format.h"

enum { VARIABLES = 1000, STATES = 12, NAME = 300 };

/* A chain with long names and full tables. */
static struct bestdag_network *long_chain(struct bestdag_run *run)
{
    struct bestdag_network *net = bestdag_network_empty(run, VARIABLES);
    for (int v = 0; v < VARIABLES; v++) {
        char text[NAME + 16], label[STATES][16], *labels[STATES];
        int parent = v - 1;
        memset(text, 'x', NAME);
        snprintf(text + NAME, 16, "%d", v);
        for (int i = 0; i < STATES; i++) {
            snprintf(label[i], sizeof label[i], "s%d", i);
            labels[i] = label[i];
        }
        bestdag_network_set_variable(run, net, v, bestdag_strdup(run, text),
                                     bestdag_labels_copy(run, labels, STATES),
                                     STATES);
        bestdag_dag_set_parents(run, net->dag, v, &parent, v > 0);
    }
    for (int v = 0; v < VARIABLES; v++) {
        bestdag_network_new_table(run, net, v);
        double *table = net->variable[v].table;
        int64_t rows = bestdag_network_configurations(net, v);
        for (int64_t i = 0; i < rows * STATES; i++)
            table[i] = (double)(1 + i % STATES) / (STATES * (STATES + 1) / 2);
    }
    assert_fine(run);
    return net;
}

struct reader {
    struct bestdag_run *run;
    const char *path;
    int64_t bytes;
};

/* Stops the run as soon as something comes, then reads all. */
static void *read_pipe(void *argument)
{
    struct reader *r = argument;
    char chunk[4096];
    int file = open(r->path, O_RDONLY);
    for (ssize_t n; file >= 0 && (n = read(file, chunk, sizeof chunk)) > 0;) {
        if (!r->bytes)
            bestdag_run_stop(r->run);
        r->bytes += n;
    }
    close(file);
    return NULL;
}

static int64_t write_to_pipe(struct bestdag_run *run,
                             const struct bestdag_network *net,
                             const char *format, const char *path)
{
    pthread_t thread;
    struct reader r = {.run = run, .path = path};
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(pthread_create(&thread, NULL, read_pipe, &r), 0);
    bestdag_network_write_as(run, net, format, path);
    pthread_join(thread, NULL);
    unlink(path);
    return r.bytes;
}

static void every_format_ends(void **state)
{
    struct bestdag_run *calm = bestdag_run_new();
    struct bestdag_network *net = long_chain(calm);
    const struct bestdag_format *f;
    const char *folder = scratch_make(), *path = scratch_path(folder, "pipe");
    (void)state;
    int tried = 0;
    for (int i = 0; (f = bestdag_format_at(i)); i++) {
        if (!f->write || f->keeps == BESTDAG_KEEPS_PICTURE ||
            !strcmp(f->name, "res")) /* less than a chunk: it has no names */
            continue;
        print_message("%s\n", f->name);
        struct bestdag_run *run = bestdag_run_new();
        int64_t some = write_to_pipe(run, net, f->name, path);
        assert_failed(run, BESTDAG_FAILED, "stopped before all was written");
        bestdag_run_free(run);
        net->is_answer = true;
        run = bestdag_run_new();
        int64_t all = write_to_pipe(run, net, f->name, path);
        assert_fine(run);
        assert_true(all > some);
        net->is_answer = false;
        bestdag_run_free(run);
        tried++;
    }
    assert_true(tried >= 5);
    scratch_files(folder, true);
    bestdag_network_free(net);
    bestdag_run_free(calm);
}

static void write_around_a_stop(struct bestdag_run *run, const char *path,
                                bool is_stopped_before)
{
    enum { SIZE = 300 * 1024 }; /* more than a chunk */
    static char bytes[SIZE];
    memset(bytes, 'b', SIZE);
    if (is_stopped_before)
        bestdag_run_stop(run);
    struct bestdag_sink *s = bestdag_sink_open(run, path);
    bestdag_sink_obey(s);
    bestdag_sink_write(s, bytes, SIZE);
    bestdag_run_stop(run);
    bestdag_sink_write(s, bytes, SIZE);
    bestdag_sink_close(s);
}

static void the_old_file_stays_and_no_part_of_the_new_one(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "a.gz", "a.zst"};
    const char *folder = scratch_make();
    for (int i = 0; i < COUNT(names); i++) {
        const char *path = scratch_path(folder, names[i]);
        size_t n;
        struct bestdag_run *run = bestdag_run_new();
        scratch_write(path, "old", 3);
        write_around_a_stop(run, path, false);
        assert_failed(run, BESTDAG_FAILED, "stopped before all was written");
        char *text = scratch_read(path, &n);
        assert_string_equal(text, "old");
        free(text);
        assert_int_equal(scratch_files(folder, false), i + 1);
        write_around_a_stop(run, path, true);
        assert_fine(run);
        text = scratch_read(path, &n);
        assert_string_not_equal(text, "old");
        free(text);
        bestdag_run_free(run);
    }
    scratch_files(folder, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_ends),
        cmocka_unit_test(the_old_file_stays_and_no_part_of_the_new_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
