/* SPDX-License-Identifier: MIT */
/* spill_file.c -- unnamed temporary files. */
#include "search/subsets/spill_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* For systems without unnamed files: unlinks the file at once. */
static int open_named(const char *directory)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/bestdag-XXXXXX", directory);
    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int file = mkstemp(path);
    if (file >= 0)
        unlink(path);
    return file;
}

int bestdag_spill_file_open(struct bestdag_run *run, const char *directory,
                            struct bestdag_spill_file *s)
{
    int file = -1;
#ifdef O_TMPFILE
    file = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
#endif
    if (file < 0)
        file = open_named(directory);
    if (file < 0)
        return bestdag_fail(run, BESTDAG_FAILED,
                            "cannot create a temporary file in '%s': %s",
                            directory, strerror(errno));
    *s = (struct bestdag_spill_file){.is_open = true, .file = file};
    return BESTDAG_OK;
}

void bestdag_spill_file_close(struct bestdag_spill_file *s)
{
    if (s->is_open)
        close(s->file);
    *s = (struct bestdag_spill_file){0};
}

bool bestdag_spill_file_write(struct bestdag_spill_file *s, const void *bytes,
                              size_t n)
{
    const char *from = bytes;
    while (n) {
        ssize_t wrote = pwrite(s->file, from, n, s->size);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return false;
        from += wrote;
        n -= (size_t)wrote;
        s->size += wrote;
    }
    return true;
}

int bestdag_spill_file_read(struct bestdag_run *run,
                            const struct bestdag_spill_file *s, int64_t at,
                            void *to, size_t n)
{
    assert(s->is_open && at >= 0 && at + (int64_t)n <= s->size);
    char *into = to;
    while (n) {
        ssize_t got = pread(s->file, into, n, at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return bestdag_fail(run, BESTDAG_FAILED,
                                "cannot read a temporary file back: %s",
                                got ? strerror(errno) : "it is too short");
        into += got;
        at += got;
        n -= (size_t)got;
    }
    return BESTDAG_OK;
}
