/* SPDX-License-Identifier: MIT */
/* test_journal.c -- a journal cut at any byte gives back the whole items before
 * the cut and can be continued; a journal of another request is refused. */
#include "scratch.h"

#include "base/journal.h"

enum { ITEMS = 4, KIND = 5 };

static const char HEAD[] = "kind 1\tfirst=a\tsecond=b";

static void open_at(struct bestdag_journal *j, struct bestdag_run *run,
                    const char *path)
{
    bestdag_journal_init(j, run, bestdag_strdup(run, path));
}

static void append(struct bestdag_journal *j, int item)
{
    j->item.length = 0;
    bestdag_buffer_format(&j->item, "item %d", item);
    assert_int_equal(bestdag_journal_append(j), 0);
}

static void write_all(struct bestdag_run *run, const char *path)
{
    struct bestdag_journal j;
    open_at(&j, run, path);
    assert_int_equal(bestdag_journal_start(&j, HEAD), 0);
    for (int i = 0; i < ITEMS; i++)
        append(&j, i);
    bestdag_journal_release(&j);
}

/* Continues the file and returns how many items it had. */
static int complete(struct bestdag_run *run, const char *path)
{
    struct bestdag_journal j;
    int done = 0;
    open_at(&j, run, path);
    if (bestdag_journal_open(&j, HEAD, KIND)) {
        while (bestdag_journal_next(&j)) {
            char right[16];
            snprintf(right, sizeof right, "item %d", done++);
            assert_string_equal(j.item.at, right);
            bestdag_journal_keep(&j);
        }
        assert_int_equal(bestdag_journal_resume(&j), 0);
    } else {
        assert_fine(run);
        assert_int_equal(bestdag_journal_start(&j, HEAD), 0);
    }
    for (int i = done; i < ITEMS; i++)
        append(&j, i);
    bestdag_journal_release(&j);
    return done;
}

static void a_journal_cut_anywhere_is_completed(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    char path[128];
    size_t size, item = 16 + strlen("item 0");
    snprintf(path, sizeof path, "%s", scratch_path(folder, "journal"));
    write_all(run, path);
    char *whole = scratch_read(path, &size);
    size_t head = size - ITEMS * item;
    for (size_t cut = 0; cut <= size; cut++) {
        size_t length;
        scratch_write(path, whole, cut);
        int done = complete(run, path);
        assert_int_equal(done, cut < head ? 0 : (cut - head) / item);
        char *again = scratch_read(path, &length);
        assert_int_equal(length, size);
        assert_memory_equal(again, whole, size);
        free(again);
    }
    free(whole);
    scratch_files(folder, true);
    bestdag_run_free(run);
}

static void a_journal_of_another_request_is_refused(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    const char *path = scratch_path(folder, "journal");
    struct bestdag_journal j;
    write_all(run, path);
    open_at(&j, run, path);
    assert_false(bestdag_journal_open(&j, "kind 1\tfirst=a\tsecond=c", KIND));
    assert_failed(run, BESTDAG_USAGE,
                  "it has 'second=b', this run has 'second=c'");
    bestdag_journal_release(&j);
    open_at(&j, run, path);
    assert_false(bestdag_journal_open(&j, "other 1\tfirst=a", KIND));
    assert_failed(run, BESTDAG_INPUT, "1:1: not a file of work in progress");
    bestdag_journal_release(&j);
    scratch_files(folder, true);
    bestdag_run_free(run);
}

/* A byte that changed anywhere in an item ends what is read before it; so does
 * a length that the file does not have, for which nothing is allocated. */
static void a_damaged_item_and_what_follows_are_not_read(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    char path[128];
    size_t size, item = 16 + strlen("item 0");
    snprintf(path, sizeof path, "%s", scratch_path(folder, "journal"));
    write_all(run, path);
    char *whole = scratch_read(path, &size);
    size_t head = size - ITEMS * item;
    for (size_t at = head; at < size; at++)
        for (int bit = 0; bit < 8; bit++) {
            whole[at] ^= (char)(1 << bit);
            scratch_write(path, whole, size);
            assert_int_equal(complete(run, path), (at - head) / item);
            assert_fine(run);
            whole[at] ^= (char)(1 << bit);
        }
    assert_true(bestdag_memory_peak(run) < 1 << 20);
    free(whole);
    scratch_files(folder, true);
    bestdag_run_free(run);
}

/* What was read may also be done again. */
static void discarded_items_are_cut_off(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    const char *path = scratch_path(folder, "journal");
    struct bestdag_journal j;
    write_all(run, path);
    open_at(&j, run, path);
    assert_true(bestdag_journal_open(&j, HEAD, KIND));
    while (bestdag_journal_next(&j))
        bestdag_journal_keep(&j);
    bestdag_journal_discard(&j);
    assert_int_equal(bestdag_journal_resume(&j), 0);
    bestdag_journal_release(&j);
    assert_int_equal(complete(run, path), 0);
    assert_int_equal(complete(run, path), ITEMS);
    scratch_files(folder, true);
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_journal_cut_anywhere_is_completed),
        cmocka_unit_test(a_journal_of_another_request_is_refused),
        cmocka_unit_test(a_damaged_item_and_what_follows_are_not_read),
        cmocka_unit_test(discarded_items_are_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
