/* SPDX-License-Identifier: MIT */
/* sink.c -- bytes out: a temporary file renamed at the end, standard output or
 * memory; plain, gzip, zstd.
 *
 * Devices and pipes are written straight: there is nothing to rename. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef BESTDAG_ZLIB
#include <zlib.h>
#endif
#ifdef BESTDAG_ZSTD
#include <zstd.h>
#endif

#include "base/random.h"
#include "base/stream.h"
#include "base/communicator.h"
#include "base/text.h"

enum { CHUNK = 256 * 1024 };
enum packing { PLAIN, GZIP, ZSTD };

struct bestdag_sink {
    struct bestdag_run *run;
    char *path;      /* owns; what the caller named */
    char *target;    /* owns; path with links followed */
    char *temporary; /* owns; NULL: written straight */
    int place;       /* of the temporary in run->unfinished, if there is one */
    int file;        /* -1: memory, or never opened */
    bool in_memory, own_file;
    bool obeys; /* what stops the run ends the writing */
    enum packing packing;
    char *chunk; /* owns; not yet packed or written. Grows in memory mode */
    size_t have, room;
    char *packed; /* owns; CHUNK bytes for the packer */
#ifdef BESTDAG_ZLIB
    z_stream zlib;
    bool zlib_open;
#endif
#ifdef BESTDAG_ZSTD
    ZSTD_CStream *zstd;
#endif
};

const char *bestdag_sink_path(const struct bestdag_sink *s)
{
    return strcmp(s->path, "-") ? s->path : "standard output";
}

bool bestdag_sink_is_file(const struct bestdag_sink *s)
{
    return s->temporary != NULL;
}

static bool ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n > m && bestdag_same_word(text + n - m, end, m);
}

static int no_memory(struct bestdag_sink *s)
{
    return bestdag_fail(s->run, BESTDAG_MEMORY, "%s: out of memory",
                        bestdag_sink_path(s));
}

static int start_packing(struct bestdag_sink *s)
{
    s->packing = ends_in(s->path, ".gz")    ? GZIP
                 : ends_in(s->path, ".zst") ? ZSTD
                                            : PLAIN;
    if (s->packing == PLAIN)
        return BESTDAG_OK;
    s->packed = bestdag_alloc(s->run, CHUNK);
    if (!s->packed)
        return bestdag_run_status(s->run);
#ifdef BESTDAG_ZLIB
    if (s->packing == GZIP) {
        s->zlib_open = deflateInit2(&s->zlib, 6, Z_DEFLATED, 15 + 16, 8,
                                    Z_DEFAULT_STRATEGY) == Z_OK;
        return s->zlib_open ? BESTDAG_OK : no_memory(s);
    }
#endif
#ifdef BESTDAG_ZSTD
    if (s->packing == ZSTD) {
        s->zstd = ZSTD_createCStream();
        bool is_ready = s->zstd && !ZSTD_isError(ZSTD_initCStream(s->zstd, 3));
        return is_ready ? BESTDAG_OK : no_memory(s);
    }
#endif
    return bestdag_fail(s->run, BESTDAG_USAGE,
                        "%s: cannot compress: this build has no %s", s->path,
                        s->packing == GZIP ? "zlib" : "libzstd");
}

static int cannot(struct bestdag_sink *s, const char *verb)
{
    return bestdag_fail(s->run, BESTDAG_FAILED, "%s: cannot %s: %s",
                        bestdag_sink_path(s), verb, strerror(errno));
}

static bool is_plain_target(const char *path)
{
    struct stat info;
    return stat(path, &info) ? errno == ENOENT : S_ISREG(info.st_mode);
}

/* A link that leads to no file yet is followed by hand; the caller frees. */
static char *follow(const char *path)
{
    char *real = realpath(path, NULL), link[PATH_MAX];
    ssize_t n = real ? -1 : readlink(path, link, sizeof link - 1);
    if (n <= 0)
        return real ? real : strdup(path);
    link[n] = 0;
    const char *slash = strrchr(path, '/');
    int folder = *link == '/' || !slash ? 0 : (int)(slash - path) + 1;
    if (asprintf(&real, "%.*s%s", folder, path, link) < 0)
        return NULL;
    return real;
}

/* A new file in the target's folder; what umask says is applied by open(). The
 * name is s->temporary with its last six letters chosen. */
static int create(struct bestdag_sink *s)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
    char *end = s->temporary + strlen(s->temporary);
    uint64_t seed = (uint64_t)getpid() ^ (uint64_t)(bestdag_seconds() * 1e9);
    for (int attempt = 0; attempt < 100; attempt++) {
        uint64_t bits = seed = bestdag_mix(seed);
        for (int i = 1; i <= 6; i++, bits >>= 5)
            end[-i] = letters[bits & 31];
        int file =
            open(s->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

/* The new file gets the rights of the old one, and its owner if we may. */
static int keep_rights(struct bestdag_sink *s)
{
    struct stat old;
    if (stat(s->target, &old))
        return BESTDAG_OK;
    (void)!fchown(s->file, old.st_uid, old.st_gid);
    return fchmod(s->file, old.st_mode & 0777) ? cannot(s, "write")
                                               : BESTDAG_OK;
}

/* ---- files half written -------------------------------------------------- */

static struct bestdag_run *outermost(struct bestdag_run *run)
{
    while (run->outer)
        run = run->outer;
    return run;
}

/* From now on the run knows of the temporary file. Without a free place it does
 * not. */
static void register_temporary(struct bestdag_sink *s)
{
    struct bestdag_run *run = outermost(s->run);
    for (s->place = 0; s->place < BESTDAG_MOST_UNFINISHED; s->place++) {
        char *none = NULL;
        if (atomic_compare_exchange_strong(&run->unfinished[s->place], &none,
                                           s->temporary))
            return;
    }
}

/* Forgets the temporary file, and removes it if `is_left`. */
static void release_temporary(struct bestdag_sink *s, bool is_left)
{
    char *own = s->temporary;
    s->temporary = NULL;
    if (!own || (s->place < BESTDAG_MOST_UNFINISHED &&
                 atomic_exchange(&outermost(s->run)->unfinished[s->place],
                                 NULL) != own))
        return; /* a signal handler has it, and the process ends */
    if (is_left)
        unlink(own);
    bestdag_free(own);
}

void bestdag_run_discard(struct bestdag_run *run)
{
    for (int i = 0; run && i < BESTDAG_MOST_UNFINISHED; i++) {
        char *path = atomic_exchange(&outermost(run)->unfinished[i], NULL);
        if (path)
            unlink(path);
    }
}

/* ---- opening ------------------------------------------------------------- */

/* How much of the target's path the temporary file's has: its last name must
 * not get too long. */
static int stem_of(const char *target)
{
    const char *slash = strrchr(target, '/');
    size_t folder = slash ? (size_t)(slash - target) + 1 : 0;
    size_t name = strlen(target) - folder, most = NAME_MAX - strlen(".xxxxxx");
    return (int)(folder + (name < most ? name : most));
}

static int open_temporary(struct bestdag_sink *s)
{
    char *target = follow(s->path);
    if (!target)
        return no_memory(s);
    s->target = bestdag_strdup(s->run, target);
    free(target);
    if (!s->target)
        return bestdag_run_status(s->run);
    if (faccessat(AT_FDCWD, s->target, W_OK, AT_EACCESS) && errno != ENOENT)
        return cannot(s, "write"); /* a rename would not ask */
    struct bestdag_buffer name = {.run = s->run};
    bestdag_buffer_format(&name, "%.*s.xxxxxx", stem_of(s->target), s->target);
    s->temporary = bestdag_buffer_take(&name);
    if (!s->temporary)
        return bestdag_run_status(s->run);
    s->place = BESTDAG_MOST_UNFINISHED;
    s->file = create(s);
    if (s->file >= 0) {
        register_temporary(s);
        return keep_rights(s);
    }
    int status = cannot(s, "write");
    release_temporary(s, false);
    return status;
}

static int open_target(struct bestdag_sink *s)
{
    if (!strcmp(s->path, "-")) {
        s->file = STDOUT_FILENO;
        return BESTDAG_OK;
    }
    s->own_file = true;
    if (is_plain_target(s->path))
        return open_temporary(s);
    s->file = open(s->path, O_WRONLY | O_CLOEXEC);
    return s->file < 0 ? cannot(s, "write") : BESTDAG_OK;
}

static void sink_free(struct bestdag_sink *s)
{
#ifdef BESTDAG_ZLIB
    if (s->zlib_open)
        deflateEnd(&s->zlib);
#endif
#ifdef BESTDAG_ZSTD
    ZSTD_freeCStream(s->zstd);
#endif
    if (s->own_file && s->file >= 0)
        close(s->file);
    release_temporary(s, true);
    bestdag_free(s->target);
    bestdag_free(s->packed);
    bestdag_free(s->chunk);
    bestdag_free(s->path);
    bestdag_free(s);
}

static struct bestdag_sink *sink_new(struct bestdag_run *run, const char *path)
{
    struct bestdag_sink *s = bestdag_calloc(run, 1, sizeof *s);
    if (!s)
        return NULL;
    s->run = run;
    s->file = -1;
    s->room = CHUNK;
    s->path = bestdag_strdup(run, path);
    s->chunk = bestdag_alloc(run, s->room);
    if (s->path && s->chunk)
        return s;
    sink_free(s);
    return NULL;
}

struct bestdag_sink *bestdag_sink_open(struct bestdag_run *run,
                                       const char *path)
{
    if (path && run && bestdag_run_helps(run))
        path = "/dev/null"; /* rank 0 writes it */
    struct bestdag_sink *s =
        bestdag_lacks(run, path, "file to write") ? NULL : sink_new(run, path);
    if (!s)
        return NULL;
    if (!start_packing(s) && !open_target(s))
        return s;
    sink_free(s);
    return NULL;
}

struct bestdag_sink *bestdag_sink_memory(struct bestdag_run *run)
{
    struct bestdag_sink *s =
        bestdag_run_status(run) ? NULL : sink_new(run, "memory");
    if (s)
        s->in_memory = true;
    return s;
}

static int write_stored(struct bestdag_sink *s, const char *bytes, size_t n)
{
    while (n) {
        ssize_t done = write(s->file, bytes, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return cannot(s, "write");
        bytes += done;
        n -= (size_t)done;
    }
    return BESTDAG_OK;
}

#ifdef BESTDAG_ZLIB
static int write_gzip(struct bestdag_sink *s, bool end)
{
    s->zlib.next_in = (Bytef *)s->chunk;
    s->zlib.avail_in = (uInt)s->have;
    int result;
    do {
        s->zlib.next_out = (Bytef *)s->packed;
        s->zlib.avail_out = CHUNK;
        result = deflate(&s->zlib, end ? Z_FINISH : Z_NO_FLUSH);
        if (result == Z_STREAM_ERROR)
            return bestdag_fail(s->run, BESTDAG_FAILED, "%s: cannot compress",
                                s->path);
        if (write_stored(s, s->packed, CHUNK - s->zlib.avail_out))
            return bestdag_run_status(s->run);
    } while (end ? result != Z_STREAM_END : s->zlib.avail_out == 0);
    return BESTDAG_OK;
}
#endif

#ifdef BESTDAG_ZSTD
static int write_zstd(struct bestdag_sink *s, bool end)
{
    ZSTD_inBuffer in = {s->chunk, s->have, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {s->packed, CHUNK, 0};
        left = ZSTD_compressStream2(s->zstd, &out, &in,
                                    end ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left))
            return bestdag_fail(s->run, BESTDAG_FAILED, "%s: cannot compress",
                                s->path);
        if (write_stored(s, s->packed, out.pos))
            return bestdag_run_status(s->run);
    } while (end ? left : in.pos < in.size);
    return BESTDAG_OK;
}
#endif

void bestdag_sink_obey(struct bestdag_sink *s)
{
    s->obeys = !bestdag_run_stopped(s->run);
}

/* Chunk by chunk: may it go on? */
static int check_stop(struct bestdag_sink *s)
{
    return s->obeys && !bestdag_run_status(s->run) &&
                   bestdag_run_stopped(s->run)
               ? bestdag_fail(s->run, BESTDAG_FAILED,
                              "%s: stopped before all was written",
                              bestdag_sink_path(s))
               : bestdag_run_status(s->run);
}

static int flush(struct bestdag_sink *s, bool end)
{
    int status = check_stop(s);
    if (status)
        return status;
    switch (s->packing) {
#ifdef BESTDAG_ZLIB
    case GZIP:
        status = write_gzip(s, end);
        break;
#endif
#ifdef BESTDAG_ZSTD
    case ZSTD:
        status = write_zstd(s, end);
        break;
#endif
    default:
        status = write_stored(s, s->chunk, s->have);
        break;
    }
    s->have = 0;
    return status;
}

static void grow(struct bestdag_sink *s, size_t more)
{
    size_t room = s->room ? s->room : CHUNK;
    if (check_stop(s))
        return;
    while (room - s->have < more)
        room *= 2;
    char *chunk = bestdag_realloc(s->run, s->chunk, room);
    if (chunk) {
        s->chunk = chunk;
        s->room = room;
    }
}

void bestdag_sink_write(struct bestdag_sink *s, const void *bytes, size_t n)
{
    const char *from = bytes;
    if (s->in_memory && s->room - s->have < n)
        grow(s, n);
    while (n && !bestdag_run_status(s->run)) {
        size_t take = s->room - s->have < n ? s->room - s->have : n;
        memcpy(s->chunk + s->have, from, take);
        s->have += take;
        from += take;
        n -= take;
        if (s->have == s->room && !s->in_memory)
            flush(s, false);
    }
}

void bestdag_sink_text(struct bestdag_sink *s, const char *text)
{
    bestdag_sink_write(s, text, strlen(text));
}

void bestdag_sink_format(struct bestdag_sink *s, const char *format, ...)
{
    char small[512];
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int n = vsnprintf(small, sizeof small, format, list);
    if (n >= 0 && (size_t)n < sizeof small)
        bestdag_sink_write(s, small, (size_t)n);
    else if (n >= 0) {
        char *text = bestdag_alloc(s->run, (size_t)n + 1);
        if (text) {
            vsnprintf(text, (size_t)n + 1, format, again);
            bestdag_sink_write(s, text, (size_t)n);
        }
        bestdag_free(text);
    }
    va_end(again);
    va_end(list);
}

void bestdag_sink_number(struct bestdag_sink *s, double x)
{
    char text[BESTDAG_NUMBER_ROOM];
    if (bestdag_run_status(s->run))
        return; /* a number takes its time */
    bestdag_sink_write(s, text, (size_t)bestdag_number_format(x, text));
}

char *bestdag_sink_take(struct bestdag_sink *s, size_t *size)
{
    bestdag_sink_write(s, "", 1);
    *size = 0;
    if (bestdag_run_status(s->run))
        return NULL;
    char *bytes = s->chunk;
    *size = s->have - 1;
    s->chunk = NULL;
    s->have = s->room = 0;
    return bytes;
}

char *bestdag_sink_hand_over(struct bestdag_sink *s, int64_t *size)
{
    size_t length = 0;
    char *text = bestdag_sink_take(s, &length);
    if (size)
        *size = (int64_t)length;
    bestdag_sink_close(s);
    return text;
}

/* All bytes are written, under the temporary name if there is one. */
static int finish(struct bestdag_sink *s)
{
    if (flush(s, true))
        return bestdag_run_status(s->run);
    if (!s->own_file)
        return BESTDAG_OK;
    int file = s->file;
    s->file = -1;
    return close(file) ? cannot(s, "write") : BESTDAG_OK;
}

/* The temporary file takes the target's place. */
static int replace(struct bestdag_sink *s)
{
    if (!s->temporary)
        return BESTDAG_OK;
    if (rename(s->temporary, s->target))
        return cannot(s, "write");
    release_temporary(s, false);
    return BESTDAG_OK;
}

int bestdag_sink_close(struct bestdag_sink *s)
{
    if (!s)
        return BESTDAG_FAILED;
    struct bestdag_run *run = s->run;
    if (!s->in_memory && !bestdag_run_status(run) && !finish(s))
        replace(s);
    sink_free(s);
    return bestdag_run_status(run);
}

int bestdag_sink_close_pair(struct bestdag_sink *s, struct bestdag_sink *beside)
{
    if (!s || !beside) {
        bestdag_sink_close(beside);
        return bestdag_sink_close(s);
    }
    struct bestdag_run *run = s->run;
    assert(beside->run == run && !s->in_memory && !beside->in_memory);
    if (!bestdag_run_status(run) && !finish(s) && !finish(beside)) {
        if (beside->temporary && unlink(beside->target) && errno != ENOENT)
            cannot(beside, "write");
        else if (!replace(s))
            replace(beside);
    }
    sink_free(beside);
    sink_free(s);
    return bestdag_run_status(run);
}

int bestdag_text_write(struct bestdag_run *run, const char *text,
                       const char *path)
{
    if (bestdag_lacks(run, text, "text"))
        return bestdag_run_status(run);
    struct bestdag_sink *s = bestdag_sink_open(run, path);
    if (!s)
        return bestdag_run_status(run);
    bestdag_sink_text(s, text);
    return bestdag_sink_close(s);
}
