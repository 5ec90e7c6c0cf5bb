/* SPDX-License-Identifier: MIT */
/* source.c -- bytes in: files, standard input, memory; plain, gzip, zstd. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef BESTDAG_ZLIB
#include <zlib.h>
#endif
#ifdef BESTDAG_ZSTD
#include <zstd.h>
#endif

#include "base/stream.h"
#include "base/communicator.h"
#include "base/text.h"

enum {
    CHUNK = 256 * 1024,
    FREELY = 1 << 20, /* bytes that are read even if the time is up: what a
                         small file says is worth more than its moment */
    PATIENCE = 100    /* milliseconds that a pipe is waited for at a time */
};
enum packing { PLAIN, GZIP, ZSTD };

struct bestdag_source {
    struct bestdag_run *run;
    char *name;              /* owns; for messages */
    int file;                /* -1: memory */
    bool is_stdin, may_wait; /* a pipe, a terminal, a device */
    const char *memory;      /* borrowed */
    size_t memory_left;
    int64_t from; /* where a range of a file begins */
    bool is_range;
    int64_t size, consumed, given; /* stored; read; unpacked and handed out */
    enum packing packing;
    bool finished;   /* the packed stream has ended */
    char *chunk;     /* owns: bytes as stored */
    size_t at, have; /* the part of chunk not yet used */
#ifdef BESTDAG_ZLIB
    z_stream zlib;
    bool zlib_open;
#endif
#ifdef BESTDAG_ZSTD
    ZSTD_DStream *zstd;
    bool zstd_pending; /* inside a frame */
#endif
};

const char *bestdag_source_name(const struct bestdag_source *s)
{
    return s->name;
}

int64_t bestdag_source_size(const struct bestdag_source *s)
{
    return s->size;
}

int64_t bestdag_source_consumed(const struct bestdag_source *s)
{
    return s->consumed;
}

bool bestdag_source_packed(const struct bestdag_source *s)
{
    return s->packing != PLAIN;
}

bool bestdag_stopped_reading(struct bestdag_run *run, const char *name)
{
    if (!bestdag_run_stopped(run))
        return false;
    bestdag_fail(run, BESTDAG_FAILED, "stopped while reading %s", name);
    return true;
}

/* The writer of a pipe may be slow; the run can still be stopped meanwhile. */
static bool wait_for_bytes(struct bestdag_source *s)
{
    struct pollfd file = {.fd = s->file, .events = POLLIN};
    while (s->may_wait && !poll(&file, 1, PATIENCE))
        if (bestdag_stopped_reading(s->run, s->name))
            return false;
    return true;
}

/* Bytes as stored. Negative: failed. */
static int64_t read_stored(struct bestdag_source *s, char *to, size_t n)
{
    if (s->file < 0) {
        size_t take = n < s->memory_left ? n : s->memory_left;
        if (take)
            memcpy(to, s->memory, take);
        s->memory += take;
        s->memory_left -= take;
        s->consumed += (int64_t)take;
        return (int64_t)take;
    }
    if (s->is_range && s->size - s->consumed < (int64_t)n)
        n = (size_t)(s->size - s->consumed);
    ssize_t got;
    do {
        if (!wait_for_bytes(s))
            return -1;
        got = read(s->file, to, n);
    } while (got < 0 && errno == EINTR &&
             !bestdag_stopped_reading(s->run, s->name));
    if (got < 0) {
        bestdag_fail(s->run, BESTDAG_FAILED, "%s: cannot read: %s", s->name,
                     strerror(errno));
        return -1;
    }
    s->consumed += got;
    return got;
}

/* Makes sure that chunk holds something; 0 at the end, negative: failed. */
static int64_t fill(struct bestdag_source *s)
{
    if (s->at < s->have)
        return (int64_t)(s->have - s->at);
    int64_t got = read_stored(s, s->chunk, CHUNK);
    s->at = 0;
    s->have = got > 0 ? (size_t)got : 0;
    return got;
}

/* Fills chunk up to at least 4 bytes if the source has them. */
static int look_ahead(struct bestdag_source *s)
{
    while (s->have < 4) {
        int64_t got = read_stored(s, s->chunk + s->have, CHUNK - s->have);
        if (got < 0)
            return BESTDAG_FAILED;
        if (!got)
            break;
        s->have += (size_t)got;
    }
    return BESTDAG_OK;
}

static int start_unpacking(struct bestdag_source *s)
{
    if (s->have >= 2 && !memcmp(s->chunk, "\x1f\x8b", 2))
        s->packing = GZIP;
    else if (s->have >= 4 && !memcmp(s->chunk, "\x28\xb5\x2f\xfd", 4))
        s->packing = ZSTD;
    switch (s->packing) {
    case PLAIN:
        return BESTDAG_OK;
    case GZIP:
#ifdef BESTDAG_ZLIB
        if (inflateInit2(&s->zlib, 15 + 16) == Z_OK) {
            s->zlib_open = true;
            return BESTDAG_OK;
        }
        return bestdag_fail(s->run, BESTDAG_MEMORY, "%s: out of memory",
                            s->name);
#else
        return bestdag_fail(s->run, BESTDAG_INPUT,
                            "%s: gzip: this build has no zlib", s->name);
#endif
    default:
#ifdef BESTDAG_ZSTD
        s->zstd = ZSTD_createDStream();
        if (s->zstd)
            return BESTDAG_OK;
        return bestdag_fail(s->run, BESTDAG_MEMORY, "%s: out of memory",
                            s->name);
#else
        return bestdag_fail(s->run, BESTDAG_INPUT,
                            "%s: zstd: this build has no libzstd", s->name);
#endif
    }
}

static struct bestdag_source *source_new(struct bestdag_run *run,
                                         const char *name)
{
    struct bestdag_source *s = bestdag_calloc(run, 1, sizeof *s);
    if (!s)
        return NULL;
    s->run = run;
    s->file = -1;
    s->name = bestdag_strdup(run, name);
    s->chunk = bestdag_alloc(run, CHUNK);
    if (s->name && s->chunk)
        return s;
    bestdag_source_close(s);
    return NULL;
}

static struct bestdag_source *start(struct bestdag_source *s)
{
    if (!look_ahead(s) && !start_unpacking(s))
        return s;
    bestdag_source_close(s);
    return NULL;
}

static int open_file(struct bestdag_source *s, const char *path)
{
    struct stat info;
    s->is_stdin = !strcmp(path, "-");
    s->file = s->is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (s->file < 0)
        return bestdag_fail(s->run, BESTDAG_INPUT, "%s: cannot open: %s", path,
                            strerror(errno));
    if (!fstat(s->file, &info)) {
        if (S_ISDIR(info.st_mode))
            return bestdag_fail(s->run, BESTDAG_INPUT,
                                "%s: is a directory, expected a file", path);
        if (S_ISREG(info.st_mode))
            s->size = info.st_size;
        else
            s->may_wait = true;
    }
    return BESTDAG_OK;
}

struct bestdag_source *bestdag_source_open(struct bestdag_run *run,
                                           const char *path)
{
    if (bestdag_lacks(run, path, "file to read"))
        return NULL;
    if (!strcmp(path, "-") && bestdag_communicator_of(run)) {
        bestdag_fail(run, BESTDAG_USAGE,
                     "standard input goes to one rank only: name a file that "
                     "all ranks can read");
        return NULL;
    }
    struct bestdag_source *s =
        source_new(run, strcmp(path, "-") ? path : "standard input");
    if (!s)
        return NULL;
    if (!open_file(s, path))
        return start(s);
    bestdag_source_close(s);
    return NULL;
}

struct bestdag_source *bestdag_source_range(struct bestdag_run *run,
                                            const char *path, int64_t from,
                                            int64_t to)
{
    struct bestdag_source *s = source_new(run, path);
    if (!s)
        return NULL;
    if (!open_file(s, path) && lseek(s->file, from, SEEK_SET) == from) {
        s->is_range = true;
        s->from = from;
        s->size = to - from;
        return s;
    }
    bestdag_fail(run, BESTDAG_FAILED, "%s: cannot be read from the middle",
                 path);
    bestdag_source_close(s);
    return NULL;
}

int64_t bestdag_source_lines_before(const struct bestdag_source *s)
{
    char block[4096], last = 0;
    int64_t lines = 0;
    for (int64_t at = 0; at < s->from;) {
        size_t n = s->from - at < (int64_t)sizeof block ? (size_t)(s->from - at)
                                                        : sizeof block;
        ssize_t got = pread(s->file, block, n, at);
        if (got <= 0)
            break;
        for (ssize_t i = 0; i < got; last = block[i++])
            lines += block[i] == '\r' || (block[i] == '\n' && last != '\r');
        at += got;
    }
    return lines;
}

struct bestdag_source *bestdag_source_memory(struct bestdag_run *run,
                                             const char *name,
                                             const void *bytes, size_t n)
{
    struct bestdag_source *s =
        bestdag_run_status(run) ? NULL : source_new(run, name);
    if (!s)
        return NULL;
    s->memory = bytes;
    s->memory_left = n;
    s->size = (int64_t)n;
    return start(s);
}

void bestdag_source_close(struct bestdag_source *s)
{
    if (!s)
        return;
#ifdef BESTDAG_ZLIB
    if (s->zlib_open)
        inflateEnd(&s->zlib);
#endif
#ifdef BESTDAG_ZSTD
    ZSTD_freeDStream(s->zstd);
#endif
    if (s->file >= 0 && !s->is_stdin)
        close(s->file);
    bestdag_free(s->chunk);
    bestdag_free(s->name);
    bestdag_free(s);
}

static int64_t read_plain(struct bestdag_source *s, char *to, size_t n)
{
    size_t done = s->have - s->at < n ? s->have - s->at : n;
    memcpy(to, s->chunk + s->at, done);
    s->at += done;
    while (done < n) {
        int64_t got = read_stored(s, to + done, n - done);
        if (got < 0)
            return -1;
        if (!got)
            break;
        done += (size_t)got;
    }
    return (int64_t)done;
}

static int64_t damaged(struct bestdag_source *s, const char *what)
{
    bestdag_fail(s->run, BESTDAG_INPUT, "%s: damaged or truncated %s data",
                 s->name, what);
    return -1;
}

#ifdef BESTDAG_ZLIB
static int64_t read_gzip(struct bestdag_source *s, char *to, size_t n)
{
    size_t done = 0;
    while (done < n) {
        int64_t have = fill(s);
        if (have < 0)
            return -1;
        if (!have)
            return s->finished ? (int64_t)done : damaged(s, "gzip");
        if (s->finished) { /* another member follows, or zero padding */
            if (!s->chunk[s->at])
                return (int64_t)done;
            inflateReset(&s->zlib);
            s->finished = false;
        }
        s->zlib.next_in = (Bytef *)s->chunk + s->at;
        s->zlib.avail_in = (uInt)have;
        s->zlib.next_out = (Bytef *)to + done;
        s->zlib.avail_out = (uInt)(n - done < CHUNK ? n - done : CHUNK);
        uInt room = s->zlib.avail_out;
        int result = inflate(&s->zlib, Z_NO_FLUSH);
        s->at = s->have - s->zlib.avail_in;
        done += room - s->zlib.avail_out;
        if (result == Z_STREAM_END)
            s->finished = true;
        else if (result != Z_OK && result != Z_BUF_ERROR)
            return damaged(s, "gzip");
    }
    return (int64_t)done;
}
#endif

#ifdef BESTDAG_ZSTD
static int64_t read_zstd(struct bestdag_source *s, char *to, size_t n)
{
    size_t done = 0;
    while (done < n) {
        int64_t have = fill(s);
        if (have < 0)
            return -1;
        ZSTD_inBuffer in = {s->chunk + s->at, (size_t)have, 0};
        ZSTD_outBuffer out = {to, n, done};
        if (!have && !s->zstd_pending)
            return (int64_t)done;
        size_t result = ZSTD_decompressStream(s->zstd, &out, &in);
        if (ZSTD_isError(result))
            return damaged(s, "zstd");
        bool stuck = !have && out.pos == done;
        s->at += in.pos;
        done = out.pos;
        s->zstd_pending = result != 0;
        if (stuck && s->zstd_pending)
            return damaged(s, "zstd");
    }
    return (int64_t)done;
}
#endif

static int64_t read_some(struct bestdag_source *s, char *to, size_t n)
{
#ifdef BESTDAG_ZLIB
    if (s->packing == GZIP)
        return read_gzip(s, to, n);
#endif
#ifdef BESTDAG_ZSTD
    if (s->packing == ZSTD)
        return read_zstd(s, to, n);
#endif
    return read_plain(s, to, n);
}

int64_t bestdag_source_read(struct bestdag_source *s, void *to, size_t n)
{
    size_t done = 0, piece;
    int64_t got;
    do {
        if (s->given > FREELY && bestdag_stopped_reading(s->run, s->name))
            return -1;
        piece = n - done < CHUNK ? n - done : CHUNK;
        got = read_some(s, (char *)to + done, piece);
        if (got < 0)
            return -1;
        done += (size_t)got;
        s->given += got;
    } while (done < n && (size_t)got == piece);
    return (int64_t)done;
}

static int read_all(struct bestdag_run *run, struct bestdag_source *s,
                    struct bestdag_file *to)
{
    size_t room =
        s->packing == PLAIN && s->size > 0 ? (size_t)s->size + 1 : CHUNK;
    for (;;) {
        char *bytes = bestdag_realloc(run, to->bytes, room + 1);
        if (!bytes)
            return bestdag_run_status(run);
        to->bytes = bytes;
        int64_t got = bestdag_source_read(s, bytes + to->size, room - to->size);
        if (got < 0)
            return bestdag_run_status(run);
        to->size += (size_t)got;
        bytes[to->size] = 0;
        if (to->size < room)
            return BESTDAG_OK;
        if (bestdag_run_watch(run, (int64_t)to->size) &&
            bestdag_stopped_reading(run, s->name))
            return bestdag_run_status(run);
        room *= 2;
    }
}

/* Closes the source. */
static int read_whole(struct bestdag_run *run, struct bestdag_source *s,
                      struct bestdag_file *to)
{
    if (!s)
        return bestdag_run_status(run);
    int status = read_all(run, s, to);
    bestdag_source_close(s);
    if (status) {
        bestdag_free(to->bytes);
        *to = (struct bestdag_file){.name = to->name};
    }
    return status;
}

int bestdag_file_read(struct bestdag_run *run, const char *path,
                      struct bestdag_file *to)
{
    bool is_stdin = path && !strcmp(path, "-");
    *to = (struct bestdag_file){.name = is_stdin ? "standard input" : path};
    return read_whole(run, bestdag_source_open(run, path), to);
}

int bestdag_file_parse(struct bestdag_run *run, const char *name,
                       const void *bytes, int64_t size, struct bestdag_file *to)
{
    *to = (struct bestdag_file){.name = name};
    return read_whole(run, bestdag_text_source(run, name, bytes, size), to);
}

struct bestdag_source *bestdag_text_source(struct bestdag_run *run,
                                           const char *name, const void *bytes,
                                           int64_t size)
{
    if (bestdag_lacks(run, name, "name of the text") ||
        (size && bestdag_lacks(run, bytes, "text")))
        return NULL;
    if (size < 0) {
        bestdag_fail(run, BESTDAG_USAGE, "a text of %lld bytes",
                     (long long)size);
        return NULL;
    }
    return bestdag_source_memory(run, name, bytes, (size_t)size);
}

size_t bestdag_file_valid(struct bestdag_run *run,
                          const struct bestdag_file *file, size_t n)
{
    size_t done = 0, valid;
    do {
        size_t left = n - done, piece = left < FREELY ? left : FREELY;
        valid = bestdag_utf8_valid(file->bytes + done, piece);
        done += valid; /* the cut may be within a character */
        if (done < n && valid &&
            bestdag_stopped_reading(run, file->name ? file->name : "a text"))
            return n;
    } while (done < n && valid);
    return done;
}

const char *bestdag_path_suffix(const char *path, char to[16])
{
    const char *end = path + strlen(path);
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (end - name > 3 && bestdag_same_word(end - 3, ".gz", 3))
        end -= 3;
    else if (end - name > 4 && bestdag_same_word(end - 4, ".zst", 4))
        end -= 4;
    const char *dot = end;
    while (dot > name && dot[-1] != '.')
        dot--;
    size_t n = dot > name ? (size_t)(end - dot) : 0;
    if (n > 15)
        n = 0;
    for (size_t i = 0; i < n; i++)
        to[i] = bestdag_lower(dot[i]);
    to[n] = 0;
    return to;
}
