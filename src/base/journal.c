/* SPDX-License-Identifier: MIT */
/* journal.c -- finished items on disk, one per line: "text checksum". */
#include "base/journal.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/checkpoint.h"
#include "base/place.h"
#include "base/random.h"

enum { CHECKSUM = 18 }; /* characters: a space, 16 digits, a line break */

static uint64_t checksum(const char *text, size_t n)
{
    uint64_t sum = n;
    for (size_t i = 0; i < n; i++)
        sum = bestdag_mix(sum ^ (unsigned char)text[i]);
    return sum;
}

void bestdag_journal_init(struct bestdag_journal *j, struct bestdag_run *run,
                          char *path)
{
    *j = (struct bestdag_journal){
        .run = run, .path = path, .line = {.run = run}};
}

void bestdag_journal_release(struct bestdag_journal *j)
{
    if (j->file)
        fclose(j->file);
    bestdag_buffer_release(&j->line);
    bestdag_free(j->path);
    *j = (struct bestdag_journal){0};
}

static int fail_io(struct bestdag_journal *j, const char *what)
{
    return bestdag_fail(j->run, BESTDAG_FAILED, "cannot %s '%s'", what,
                        j->path);
}

/* ---- writing ----------------------------------------------------------------
 */

static int go_on_without(struct bestdag_journal *j)
{
    j->is_full = true;
    bestdag_note(j->run, 0, "cannot write '%s': %s; continuing without it",
                 j->path, strerror(errno));
    return BESTDAG_OK;
}

int bestdag_journal_append(struct bestdag_journal *j)
{
    struct bestdag_buffer *b = &j->line;
    if (bestdag_run_status(j->run))
        return bestdag_run_status(j->run);
    bestdag_buffer_format(b, " %016llx\n",
                          (unsigned long long)checksum(b->at, b->length));
    if (bestdag_run_status(j->run))
        return bestdag_run_status(j->run);
    if (j->is_full)
        return BESTDAG_OK;
    if (fwrite(b->at, 1, b->length, j->file) == b->length && !fflush(j->file))
        return BESTDAG_OK;
    return go_on_without(j); /* what follows half a line would not be read */
}

int bestdag_journal_start(struct bestdag_journal *j, const char *head)
{
    j->file = fopen(j->path, "w");
    if (!j->file && bestdag_disk_is_full(errno))
        return go_on_without(j);
    if (!j->file)
        return fail_io(j, "open");
    j->line.length = 0;
    bestdag_buffer_text(&j->line, head);
    return bestdag_journal_append(j);
}

/* ---- reading ----------------------------------------------------------------
 */

/* The next line with its line break, of any length; 0: there is none. */
static size_t read_line(struct bestdag_journal *j)
{
    struct bestdag_buffer *b = &j->line;
    char chunk[4096];
    b->length = 0;
    while (fgets(chunk, sizeof chunk, j->file)) {
        size_t n = strlen(chunk); /* a 0 byte cuts it: the checksum shows it */
        bestdag_buffer_add(b, chunk, n);
        if (!n || chunk[n - 1] == '\n')
            break;
    }
    return bestdag_run_status(j->run) ? 0 : b->length;
}

/* Cuts the checksum off; false: it is not right. */
static bool is_whole(struct bestdag_buffer *b)
{
    char right[32];
    if (b->length < CHECKSUM)
        return false;
    size_t n = b->length - CHECKSUM;
    snprintf(right, sizeof right, " %016llx\n",
             (unsigned long long)checksum(b->at, n));
    if (memcmp(b->at + n, right, CHECKSUM) != 0)
        return false;
    b->length = n;
    b->at[n] = 0;
    return true;
}

const char *bestdag_journal_next(struct bestdag_journal *j)
{
    return read_line(j) && is_whole(&j->line) ? j->line.at : NULL;
}

/* ---- opening ----------------------------------------------------------------
 */

/* Names the first setting that differs. */
static void refuse(struct bestdag_journal *j, const char *found,
                   const char *expected)
{
    size_t from = 0;
    for (size_t i = 0; found[i] && found[i] == expected[i]; i++)
        if (found[i] == '\t')
            from = i + 1;
    bestdag_fail(j->run, BESTDAG_USAGE,
                 "'%s' belongs to another table or other settings: it has "
                 "'%.*s', this run has '%.*s'",
                 j->path, (int)strcspn(found + from, "\t"), found + from,
                 (int)strcspn(expected + from, "\t"), expected + from);
}

/* Has a kill left less than the head, or is it damaged where that is survived?
 */
static bool is_torn(struct bestdag_journal *j, const char *head)
{
    size_t n = read_line(j), whole = strlen(head);
    bool is_short = !n || (j->line.at[n - 1] != '\n' &&
                           !strncmp(j->line.at, head, n < whole ? n : whole));
    bool is_damaged = !is_short && j->is_tolerant && !is_whole(&j->line);
    if (is_damaged)
        bestdag_note(j->run, 0, "'%s' is damaged and is ignored", j->path);
    rewind(j->file);
    return is_short || is_damaged;
}

static void check_head(struct bestdag_journal *j, const char *head, size_t kind)
{
    const char *found = bestdag_journal_next(j);
    if (bestdag_run_status(j->run))
        return;
    if (!found || strncmp(found, head, kind) != 0)
        bestdag_fail_at(j->run, j->path, BESTDAG_FILE_BEGIN,
                        "not a file of work in progress");
    else if (strcmp(found, head) != 0)
        refuse(j, found, head);
}

bool bestdag_journal_open(struct bestdag_journal *j, const char *head,
                          size_t kind)
{
    j->file = fopen(j->path, "r+");
    if (!j->file) {
        if (errno != ENOENT)
            fail_io(j, "open");
        return false;
    }
    if (is_torn(j, head)) {
        fclose(j->file);
        j->file = NULL;
        return false;
    }
    check_head(j, head, kind);
    j->head_end = j->valid = ftello(j->file);
    return !bestdag_run_status(j->run);
}

void bestdag_journal_keep(struct bestdag_journal *j)
{
    j->valid = ftello(j->file);
}

void bestdag_journal_discard(struct bestdag_journal *j)
{
    j->valid = j->head_end;
}

int bestdag_journal_resume(struct bestdag_journal *j)
{
    if (fseeko(j->file, j->valid, SEEK_SET) ||
        ftruncate(fileno(j->file), j->valid))
        return fail_io(j, "resume from");
    return BESTDAG_OK;
}
