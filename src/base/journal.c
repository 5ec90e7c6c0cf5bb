/* SPDX-License-Identifier: MIT */
/* journal.c -- finished items on disk: a head of text, "text checksum\n"; then
 * items, each its length, its checksum and its bytes. */
#include "base/journal.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checkpoint.h"
#include "base/place.h"
#include "base/random.h"

enum { CHECKSUM = 18 }; /* characters: a space, 16 digits, a line break */

/* Before the bytes of an item. */
struct frame {
    uint64_t length, checksum;
};

/* Eight bytes at a time; the last word is filled up with zeros. */
uint64_t bestdag_journal_checksum(const void *bytes, size_t n)
{
    const char *at = bytes;
    uint64_t sum = n, word;
    for (; n >= sizeof word; n -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        sum = bestdag_mix(sum ^ word);
    }
    word = 0;
    if (n)
        memcpy(&word, at, n);
    return bestdag_mix(sum ^ word);
}

void bestdag_journal_init(struct bestdag_journal *j, struct bestdag_run *run,
                          char *path)
{
    *j = (struct bestdag_journal){
        .run = run, .path = path, .item = {.run = run}};
}

void bestdag_journal_release(struct bestdag_journal *j)
{
    if (j->file)
        fclose(j->file);
    bestdag_buffer_release(&j->item);
    bestdag_free(j->path);
    *j = (struct bestdag_journal){0};
}

static int fail_io(struct bestdag_journal *j, const char *what)
{
    return bestdag_fail(j->run, BESTDAG_FAILED, "cannot %s '%s'", what,
                        j->path);
}

/* ---- writing ------------------------------------------------------------- */

static int continue_without(struct bestdag_journal *j)
{
    j->is_full = true;
    bestdag_note(j->run, 0, "cannot write '%s': %s; continuing without it",
                 j->path, strerror(errno));
    return BESTDAG_OK;
}

/* After an incomplete item nothing is written, as it could not be read. */
static int write_bytes(struct bestdag_journal *j, const void *first, size_t n,
                       const struct bestdag_buffer *then)
{
    if (j->is_full)
        return BESTDAG_OK;
    if (fwrite(first, 1, n, j->file) == n &&
        (!then || fwrite(then->at, 1, then->length, j->file) == then->length) &&
        !fflush(j->file))
        return BESTDAG_OK;
    return continue_without(j);
}

int bestdag_journal_append(struct bestdag_journal *j)
{
    if (bestdag_run_status(j->run))
        return bestdag_run_status(j->run);
    struct frame f = {.length = j->item.length,
                      .checksum =
                          bestdag_journal_checksum(j->item.at, j->item.length)};
    return write_bytes(j, &f, sizeof f, &j->item);
}

int bestdag_journal_start(struct bestdag_journal *j, const char *head)
{
    j->file = fopen(j->path, "w");
    if (!j->file && bestdag_disk_is_full(errno))
        return continue_without(j);
    if (!j->file)
        return fail_io(j, "open");
    j->item.length = 0;
    bestdag_buffer_format(
        &j->item, "%s %016llx\n", head,
        (unsigned long long)bestdag_journal_checksum(head, strlen(head)));
    if (bestdag_run_status(j->run))
        return bestdag_run_status(j->run);
    return write_bytes(j, j->item.at, j->item.length, NULL);
}

/* ---- reading ------------------------------------------------------------- */

/* Reads the next line with its line break, of any length; 0: there is none. */
static size_t read_line(struct bestdag_journal *j)
{
    struct bestdag_buffer *b = &j->item;
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

/* Removes the checksum; false: it is wrong. */
static bool is_whole(struct bestdag_buffer *b)
{
    char right[32];
    if (b->length < CHECKSUM)
        return false;
    size_t n = b->length - CHECKSUM;
    snprintf(right, sizeof right, " %016llx\n",
             (unsigned long long)bestdag_journal_checksum(b->at, n));
    if (memcmp(b->at + n, right, CHECKSUM) != 0)
        return false;
    b->length = n;
    b->at[n] = 0;
    return true;
}

/* The head without its checksum; NULL: it is incomplete. */
static const char *read_head(struct bestdag_journal *j)
{
    return read_line(j) && is_whole(&j->item) ? j->item.at : NULL;
}

/* A length beyond the end of the file is not allocated. */
static bool fits(struct bestdag_journal *j, uint64_t length)
{
    struct stat file;
    off_t at = ftello(j->file);
    return at >= 0 && !fstat(fileno(j->file), &file) && file.st_size >= at &&
           length <= (uint64_t)(file.st_size - at);
}

bool bestdag_journal_next(struct bestdag_journal *j)
{
    struct frame f;
    j->item.length = 0;
    if (fread(&f, 1, sizeof f, j->file) != sizeof f || !fits(j, f.length) ||
        !bestdag_buffer_reserve(&j->item, f.length) ||
        fread(j->item.at, 1, f.length, j->file) != f.length)
        return false;
    j->item.length = f.length;
    j->item.at[f.length] = 0;
    return bestdag_journal_checksum(j->item.at, f.length) == f.checksum;
}

/* ---- opening ------------------------------------------------------------- */

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

/* Has a kill left only a part of the head, or is the head damaged where that is
 * tolerated?
 */
static bool is_torn(struct bestdag_journal *j, const char *head)
{
    size_t n = read_line(j), whole = strlen(head);
    bool is_short = !n || (j->item.at[n - 1] != '\n' &&
                           !strncmp(j->item.at, head, n < whole ? n : whole));
    bool is_damaged = !is_short && j->is_tolerant && !is_whole(&j->item);
    if (is_damaged)
        bestdag_note(j->run, 0, "'%s' is damaged and is ignored", j->path);
    rewind(j->file);
    return is_short || is_damaged;
}

static void check_head(struct bestdag_journal *j, const char *head, size_t kind)
{
    const char *found = read_head(j);
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
