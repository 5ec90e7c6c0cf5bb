/* SPDX-License-Identifier: MIT */
/* archive.c -- values packed into bytes, and unpacked by the same code. */
#include "base/archive.h"

#include <string.h>

static void write_out(struct bestdag_archive *p, const void *value,
                      size_t bytes)
{
    if (!p->file) {
        bestdag_buffer_add(p->to, value, bytes);
        return;
    }
    bestdag_sha256_update(&p->sha, value, bytes);
    p->is_bad |= fwrite(value, 1, bytes, p->file) != bytes;
}

static bool read_in(struct bestdag_archive *p, void *value, size_t bytes)
{
    if (p->file)
        return fread(value, 1, bytes, p->file) == bytes;
    memcpy(value, p->from, bytes);
    p->from += bytes;
    return true;
}

void bestdag_archive_pass(struct bestdag_archive *p, void *value, size_t bytes)
{
    if (!bytes)
        return; /* and there may be no place */
    if (!p->opens) {
        write_out(p, value, bytes);
        return;
    }
    p->is_bad |= p->left < (int64_t)bytes;
    if (p->is_bad || !read_in(p, value, bytes)) {
        p->is_bad = true;
        memset(value, 0, bytes);
        return;
    }
    p->left -= (int64_t)bytes;
}

bool bestdag_archive_opens(const struct bestdag_archive *p)
{
    return p->opens;
}

void bestdag_archive_reject(struct bestdag_archive *p)
{
    p->is_bad |= p->opens;
}

void bestdag_archive_skip(struct bestdag_archive *p)
{
    p->left = 0;
}

void bestdag_archive_array(struct bestdag_archive *p, struct bestdag_run *run,
                           void **at, int64_t count, size_t bytes)
{
    if (p->opens) {
        *at = NULL;
        p->is_bad |= count < 0 || count > p->left / (int64_t)bytes;
        if (!p->is_bad)
            *at = bestdag_alloc(run, (size_t)count * bytes);
        if (!*at) {
            p->is_bad = true;
            return;
        }
    }
    bestdag_archive_pass(p, *at, (size_t)count * bytes);
}

void bestdag_archive_text(struct bestdag_archive *p, struct bestdag_run *run,
                          char **text)
{
    void *at = *text;
    int64_t room = at ? (int64_t)strlen(at) + 1 : 0; /* with its end */
    BESTDAG_PASS(p, room);
    if (p->opens)
        at = NULL;
    if (room)
        bestdag_archive_array(p, run, &at, room, 1);
    *text = at;
    if (p->opens && at && ((char *)at)[room - 1])
        bestdag_archive_reject(p);
}
