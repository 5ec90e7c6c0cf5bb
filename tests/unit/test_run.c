/* SPDX-License-Identifier: MIT */
/* test_run.c -- errors, stopping, deadlines, progress, slices. */
#include "scratch.h"

#include <math.h>
#include <pthread.h>

static void a_new_run_is_fine(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
    assert_string_equal(bestdag_run_error(run), "");
    assert_false(bestdag_run_stopped(run));
    assert_true(bestdag_run_threads(run) >= 1);
    assert_non_null(strchr(bestdag_version(), '.'));
    scratch_end(run);
}

static void no_run_is_answered_sensibly(void **state)
{
    (void)state;
    assert_int_equal(bestdag_run_status(NULL), BESTDAG_FAILED);
    assert_string_equal(bestdag_run_error(NULL), "out of memory");
    assert_int_equal(bestdag_run_set(NULL, "seed", "1"), BESTDAG_FAILED);
    bestdag_run_clear(NULL);
    bestdag_run_stop(NULL);
    bestdag_run_on_progress(NULL, NULL, NULL);
    bestdag_run_free(NULL);
    assert_int_equal(bestdag_run_join(NULL), BESTDAG_FAILED);
}

static void the_first_error_stays(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    assert_int_equal(bestdag_fail(run, BESTDAG_INPUT, "a.csv:%d: bad", 3),
                     BESTDAG_INPUT);
    assert_int_equal(bestdag_fail(run, BESTDAG_USAGE, "later"), BESTDAG_USAGE);
    assert_int_equal(bestdag_run_status(run), BESTDAG_INPUT);
    assert_string_equal(bestdag_run_error(run), "a.csv:3: bad");
    assert_true(bestdag_run_stopped(run));
    assert_int_equal(bestdag_run_set(run, "seed", "5"), BESTDAG_INPUT);
    assert_int_equal(run->seed, 1);
    bestdag_run_clear(run);
    assert_fine(run);
    assert_false(bestdag_run_stopped(run));
    bestdag_fail(run, BESTDAG_USAGE, "now");
    assert_failed(run, BESTDAG_USAGE, "now");
    scratch_end(run);
}

static void an_error_is_one_line_without_control_characters(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    bestdag_fail(run, BESTDAG_INPUT, "found '%s'", "x\ny\x1b[2J\xff");
    assert_string_equal(bestdag_run_error(run), "found 'x y?[2J?'");
    scratch_end(run);
}

static void a_long_error_is_cut_cleanly(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    char text[4000];
    for (size_t i = 0; i + 1 < sizeof text; i += 2)
        memcpy(text + i, "\xc3\xa9", 2);
    text[sizeof text - 1] = text[sizeof text - 2] = 0;
    bestdag_fail(run, BESTDAG_INPUT, "%s", text);
    size_t n = strlen(bestdag_run_error(run));
    assert_int_equal(n, sizeof run->error - 1);
    assert_int_equal((unsigned char)bestdag_run_error(run)[n - 1], '?');
    scratch_end(run);
}

static void *fail_too(void *argument)
{
    struct bestdag_run *run = argument;
    for (int i = 0; i < 200; i++) {
        bestdag_fail(run, BESTDAG_INPUT, "thread %s", "xxxxxxxxxxxxxxxxxxxxx");
        if (!bestdag_run_status(run))
            return run; /* failed, but the run does not know */
    }
    return NULL;
}

static void whoever_failed_finds_the_run_failed(void **state)
{
    (void)state;
    for (int round = 0; round < 200; round++) {
        struct bestdag_run *run = bestdag_run_new();
        pthread_t thread[3];
        for (int i = 0; i < 3; i++)
            pthread_create(&thread[i], NULL, fail_too, run);
        for (int i = 0; i < 3; i++) {
            void *bad;
            pthread_join(thread[i], &bad);
            assert_null(bad);
        }
        assert_string_equal(bestdag_run_error(run),
                            "thread xxxxxxxxxxxxxxxxxxxxx");
        scratch_end(run);
    }
}

static void a_stop_is_no_error(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    bestdag_run_stop(run);
    assert_true(bestdag_run_stopped(run));
    assert_true(bestdag_run_watch(run, 0));
    assert_fine(run);
    bestdag_run_clear(run);
    assert_false(bestdag_run_watch(run, 0));
    scratch_end(run);
}

static void settings_are_checked(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    assert_int_equal(bestdag_run_set(run, "threads", "3"), BESTDAG_OK);
    assert_int_equal(bestdag_run_threads(run), 3);
    assert_int_equal(bestdag_run_set(run, "seed", "9007199254740992"), 0);
    assert_int_equal(run->seed, (uint64_t)1 << 53);
    assert_int_equal(bestdag_run_set(run, "gap", "0.25"), BESTDAG_OK);
    assert_true(run->gap == 0.25);
    static const struct {
        const char *key, *value, *part;
    } bad[] = {
        {"threads", "-1", "threads: '-1' is not a whole number from 0 to 4096"},
        {"threads", "1.5", "whole number"},
        {"seed", "1e17", "from 0 to 9007199254740992"},
        {"gap", "2", "a number from 0 to 1"},
        {"time-limit", "soon", "'soon' is not a time such as"},
        {"time-limit", "1e300", "not a time"},
        {"memory-limit", "much", "'much' is not a size such as"},
        {"thread", "1", "unknown setting 'thread', did you mean 'threads'?"},
        {"x", "1", "unknown setting 'x'"},
        {"missing", "drop", "unknown setting 'missing'"},
        {NULL, "1", "unknown setting ''"},
        {"threads", NULL, "threads: 'yes' is not"}};
    for (int i = 0; i < COUNT(bad); i++) {
        assert_int_equal(bestdag_run_set(run, bad[i].key, bad[i].value),
                         BESTDAG_USAGE);
        assert_null(strstr(bestdag_run_error(run), "''?"));
        assert_failed(run, BESTDAG_USAGE, bad[i].part);
    }
    assert_int_equal(bestdag_run_threads(run), 3);
    scratch_end(run);
}

/* ---- progress ------------------------------------------------------------ */

struct heard {
    int calls, notes, detail, answer;
    char note[64], phase[16];
    int64_t done, total, memory;
};

static int hear(void *user, const struct bestdag_progress *now)
{
    struct heard *h = user;
    assert_int_equal(now->size, sizeof *now);
    h->calls++;
    h->done = now->done;
    h->total = now->total;
    h->memory = now->memory;
    snprintf(h->phase, sizeof h->phase, "%s", now->phase);
    if (now->note) {
        h->notes++;
        h->detail = now->detail;
        snprintf(h->note, sizeof h->note, "%s", now->note);
    }
    return h->answer;
}

static void notes_reach_the_callback(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct heard h = {0};
    bestdag_note(run, 0, "nobody listens");
    bestdag_run_on_progress(run, hear, &h);
    bestdag_note(run, 1, "%d rows\nwent\x07", 7);
    assert_int_equal(h.notes, 1);
    assert_int_equal(h.detail, 1);
    assert_string_equal(h.note, "7 rows went?");
    bestdag_note(run, 0, "second");
    assert_int_equal(h.notes, 2);
    assert_int_equal(h.detail, 0);
    assert_null(run->now.note);
    scratch_end(run);
}

static void progress_tells_phase_items_and_memory(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct heard h = {0};
    void *block = bestdag_alloc(run, 5000);
    bestdag_run_on_progress(run, hear, &h);
    bestdag_run_phase(run, "reading", 100);
    assert_true(isnan(run->now.best));
    assert_false(bestdag_run_watch(run, 5));
    assert_int_equal(h.calls, 1);
    assert_string_equal(h.phase, "reading");
    assert_int_equal(h.done, 5);
    assert_int_equal(h.total, 100);
    assert_true(h.memory >= 5000);
    for (int i = 0; i < 10; i++) /* at most ten times per second */
        bestdag_run_watch(run, 6);
    assert_true(h.calls <= 2);
    bestdag_free(block);
    scratch_end(run);
}

static void the_callback_can_stop_the_run(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct heard h = {.answer = 1};
    bestdag_run_on_progress(run, hear, &h);
    assert_true(bestdag_run_watch(run, 0));
    assert_fine(run);
    scratch_end(run);
}

/* ---- deadlines and slices ------------------------------------------------ */

static void a_deadline_stops_the_run(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    assert_int_equal(bestdag_run_set(run, "time-limit", "1h"), BESTDAG_OK);
    assert_false(bestdag_run_watch(run, 0));
    run->deadline = bestdag_seconds() - 1;
    assert_true(bestdag_run_watch(run, 0));
    assert_fine(run);
    bestdag_run_clear(run); /* a new hour begins */
    assert_false(bestdag_run_watch(run, 0));
    assert_int_equal(bestdag_run_set(run, "time-limit", "0"), BESTDAG_OK);
    assert_true(run->deadline == 0);
    scratch_end(run);
}

static void a_time_limit_counts_from_when_it_is_set(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    run->start -= 5; /* a caller who waited before it set the limit */
    assert_int_equal(bestdag_run_set(run, "time-limit", "2s"), BESTDAG_OK);
    assert_false(bestdag_run_stopped(run));
    assert_true(run->deadline > bestdag_seconds() + 1);
    struct bestdag_run *slice =
        bestdag_run_slice(run, (struct bestdag_slice_limits){.reports = true});
    assert_false(bestdag_run_watch(slice, 0));
    bestdag_run_join(slice);
    /* set again it starts over, also once it is over */
    run->deadline = bestdag_seconds() - 1;
    assert_true(bestdag_run_watch(run, 0));
    assert_int_equal(bestdag_run_set(run, "time-limit", "1h"), BESTDAG_OK);
    assert_false(bestdag_run_watch(run, 0));
    assert_int_equal(bestdag_run_ending(run), BESTDAG_ENDED);
    run->deadline = bestdag_seconds() - 1;
    assert_true(bestdag_run_watch(run, 0));
    assert_int_equal(bestdag_run_set(run, "time-limit", "0"), BESTDAG_OK);
    assert_false(bestdag_run_watch(run, 0));
    /* who asked to stop meant it */
    bestdag_run_stop(run);
    assert_int_equal(bestdag_run_set(run, "time-limit", "1h"), BESTDAG_OK);
    assert_true(bestdag_run_watch(run, 0));
    assert_int_equal(bestdag_run_ending(run), BESTDAG_INTERRUPTED);
    scratch_end(run);
}

static void whoever_looks_sees_that_time_is_up(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    assert_int_equal(bestdag_run_set(run, "time-limit", "1h"), BESTDAG_OK);
    assert_false(bestdag_run_stopped(run));
    run->deadline = bestdag_seconds() - 1;
    assert_true(bestdag_run_stopped(run)); /* no thread watched */
    assert_int_equal(bestdag_run_ending(run), BESTDAG_TIMED_OUT);
    scratch_end(run);
}

static void who_needs_the_rest_of_the_time_ends_early(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    assert_int_equal(bestdag_run_set(run, "time-limit", "1h"), BESTDAG_OK);
    bestdag_run_expire(run);
    assert_true(bestdag_run_stopped(run));
    assert_int_equal(bestdag_run_ending(run), BESTDAG_TIMED_OUT);
    bestdag_run_clear(run);
    assert_int_equal(bestdag_run_ending(run), BESTDAG_ENDED);
    bestdag_run_stop(run);
    bestdag_run_expire(run); /* another caller was faster */
    assert_int_equal(bestdag_run_ending(run), BESTDAG_INTERRUPTED);
    scratch_end(run);
}

static void the_nearer_deadline_counts(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_run *free_slice =
        bestdag_run_slice(run, (struct bestdag_slice_limits){0});
    assert_true(free_slice->deadline == 0);
    bestdag_run_join(free_slice);
    assert_int_equal(bestdag_run_set(run, "time-limit", "100s"), BESTDAG_OK);
    struct bestdag_run *shorter =
        bestdag_run_slice(run, (struct bestdag_slice_limits){.seconds = 10});
    struct bestdag_run *longer =
        bestdag_run_slice(run, (struct bestdag_slice_limits){.seconds = 1000});
    assert_true(shorter->deadline < run->deadline);
    assert_true(longer->deadline == run->deadline);
    shorter->deadline = 1; /* long ago */
    assert_true(bestdag_run_watch(shorter, 0));
    assert_false(bestdag_run_stopped(run));
    assert_false(bestdag_run_stopped(longer));
    bestdag_run_clear(shorter); /* keeps its deadline */
    assert_true(bestdag_run_watch(shorter, 0));
    bestdag_run_join(shorter);
    bestdag_run_join(longer);
    scratch_end(run);
}

static void who_is_told_of_a_slice_stops_the_whole_run(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct heard heard = {.answer = 1};
    bestdag_run_on_progress(run, hear, &heard);
    struct bestdag_run *silent =
        bestdag_run_slice(run, (struct bestdag_slice_limits){0});
    bestdag_note(silent, 0, "nobody hears it");
    assert_false(bestdag_run_stopped(run));
    struct bestdag_run *slice =
        bestdag_run_slice(run, (struct bestdag_slice_limits){.reports = true});
    bestdag_note(slice, 0, "shall I go on?");
    assert_int_equal(heard.calls, 1);
    assert_true(bestdag_run_stopped(slice));
    assert_true(bestdag_run_stopped(run));
    bestdag_run_join(slice);
    bestdag_run_join(silent);
    bestdag_run_free(run);
}

static void what_stops_the_outer_run_stops_its_slices(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_run *a =
        bestdag_run_slice(run, (struct bestdag_slice_limits){0});
    struct bestdag_run *b =
        bestdag_run_slice(a, (struct bestdag_slice_limits){0});
    bestdag_run_stop(b);
    assert_false(bestdag_run_stopped(a));
    bestdag_run_stop(run);
    assert_true(bestdag_run_stopped(a));
    bestdag_run_clear(run);
    assert_false(bestdag_run_stopped(a));
    bestdag_fail(run, BESTDAG_INPUT, "outside");
    assert_true(bestdag_run_stopped(a));
    assert_fine(a);
    bestdag_run_join(b);
    bestdag_run_join(a);
    assert_failed(run, BESTDAG_INPUT, "outside");
    scratch_end(run);
}

static void slices_have_their_own_seeds_and_threads(void **state)
{
    (void)state;
    enum { SLICES = 2000 };
    struct bestdag_run *run = bestdag_run_new();
    uint64_t seed[SLICES];
    assert_int_equal(bestdag_run_set(run, "threads", "5"), BESTDAG_OK);
    for (int i = 0; i < SLICES; i++) {
        struct bestdag_run *slice = bestdag_run_slice(
            run, (struct bestdag_slice_limits){.index = (uint64_t)i / 2,
                                               .threads = i % 2});
        seed[i] = slice->seed;
        assert_int_equal(bestdag_run_threads(slice), i % 2 ? 1 : 5);
        bestdag_run_join(slice);
    }
    for (int i = 0; i < SLICES; i += 2) {
        assert_true(seed[i] == seed[i + 1]); /* same index, same seed */
        assert_true(seed[i] != run->seed);
        for (int j = i + 2; j < SLICES; j += 2)
            assert_true(seed[i] != seed[j]);
    }
    scratch_end(run);
}

static void an_error_of_a_slice_is_passed_on(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_run *a =
        bestdag_run_slice(run, (struct bestdag_slice_limits){0});
    struct bestdag_run *b =
        bestdag_run_slice(run, (struct bestdag_slice_limits){0});
    bestdag_fail(a, BESTDAG_INPUT, "50%% of %s", "a");
    bestdag_fail(b, BESTDAG_USAGE, "b");
    assert_fine(run);
    assert_int_equal(bestdag_run_join(a), BESTDAG_INPUT);
    assert_int_equal(bestdag_run_join(b), BESTDAG_USAGE);
    assert_failed(run, BESTDAG_INPUT, "50% of a");
    scratch_end(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_run_is_fine),
        cmocka_unit_test(no_run_is_answered_sensibly),
        cmocka_unit_test(the_first_error_stays),
        cmocka_unit_test(an_error_is_one_line_without_control_characters),
        cmocka_unit_test(a_long_error_is_cut_cleanly),
        cmocka_unit_test(whoever_failed_finds_the_run_failed),
        cmocka_unit_test(a_stop_is_no_error),
        cmocka_unit_test(settings_are_checked),
        cmocka_unit_test(notes_reach_the_callback),
        cmocka_unit_test(progress_tells_phase_items_and_memory),
        cmocka_unit_test(the_callback_can_stop_the_run),
        cmocka_unit_test(a_deadline_stops_the_run),
        cmocka_unit_test(a_time_limit_counts_from_when_it_is_set),
        cmocka_unit_test(whoever_looks_sees_that_time_is_up),
        cmocka_unit_test(who_needs_the_rest_of_the_time_ends_early),
        cmocka_unit_test(the_nearer_deadline_counts),
        cmocka_unit_test(who_is_told_of_a_slice_stops_the_whole_run),
        cmocka_unit_test(what_stops_the_outer_run_stops_its_slices),
        cmocka_unit_test(slices_have_their_own_seeds_and_threads),
        cmocka_unit_test(an_error_of_a_slice_is_passed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
