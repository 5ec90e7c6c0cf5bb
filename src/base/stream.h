/* SPDX-License-Identifier: MIT */
/* stream.h -- files in and out.
 *
 * A source reads a file, standard input ("-") or memory, and unpacks gzip and
 * zstd, known by their first bytes. A sink writes to a temporary file beside
 * the target and renames it when all is written, so that a file is either the
 * old one or the whole new one; it packs by the suffix .gz or .zst. "-" is
 * standard output. */
#ifndef BESTDAG_BASE_STREAM_H
#define BESTDAG_BASE_STREAM_H

#include "base/run.h"

struct bestdag_source;

struct bestdag_source *bestdag_source_open(struct bestdag_run *run,
                                           const char *path);
/* Bytes from .. to - 1 of a plain file. */
struct bestdag_source *bestdag_source_range(struct bestdag_run *run,
                                            const char *path, int64_t from,
                                            int64_t to);
/* Lines of the file before such a range; it reads them. Else 0. */
int64_t bestdag_source_lines_before(const struct bestdag_source *s);
/* Reads borrowed bytes (packed or not) under a name for messages. */
struct bestdag_source *bestdag_source_memory(struct bestdag_run *run,
                                             const char *name,
                                             const void *bytes, size_t n);
void bestdag_source_close(struct bestdag_source *s);
/* Up to n bytes; fewer only at the end. Negative: failed, the run says why. */
int64_t bestdag_source_read(struct bestdag_source *s, void *to, size_t n);
const char *bestdag_source_name(const struct bestdag_source *s);
/* Bytes of the file as stored, 0 if unknown; and how many were consumed. */
int64_t bestdag_source_size(const struct bestdag_source *s);
int64_t bestdag_source_consumed(const struct bestdag_source *s);
bool bestdag_source_packed(const struct bestdag_source *s);

/* A whole file. Free bytes with bestdag_free(). */
struct bestdag_file {
    const char *name; /* borrowed: for messages; "standard input" for "-" */
    char *bytes;      /* owns; bytes[size] is 0 */
    size_t size;
};
int bestdag_file_read(struct bestdag_run *run, const char *path,
                      struct bestdag_file *to);
/* The same of bytes in memory, packed or not, as a user of the library hands
 * them over: checked; `name` is borrowed. */
int bestdag_file_parse(struct bestdag_run *run, const char *name,
                       const void *bytes, int64_t size,
                       struct bestdag_file *to);
struct bestdag_source *bestdag_text_source(struct bestdag_run *run,
                                           const char *name, const void *bytes,
                                           int64_t size);

/* How many of the first n bytes are UTF-8. n, and an error, if the run is
 * stopped meanwhile. */
size_t bestdag_file_valid(struct bestdag_run *run,
                          const struct bestdag_file *file, size_t n);
/* For readers of much text, now and then: fails, and says so, if the run is to
 * stop. */
bool bestdag_stopped_reading(struct bestdag_run *run, const char *name);
/* Bytes of text between two looks. */
enum { BESTDAG_READ_AT_ONCE = 1 << 20 };

/* The suffix that says the format: of "a/net.bif.gz" it is "bif"; "" if there
 * is none. `to` gets at most 15 lower-case characters. */
const char *bestdag_path_suffix(const char *path, char to[16]);

struct bestdag_sink;

struct bestdag_sink *bestdag_sink_open(struct bestdag_run *run,
                                       const char *path);
/* Collects in memory instead; bestdag_sink_take() hands the bytes over. */
struct bestdag_sink *bestdag_sink_memory(struct bestdag_run *run);
char *bestdag_sink_take(struct bestdag_sink *s, size_t *size);
/* The same for the user of the library, and closes the sink; NULL: failed.
 * size may be NULL. Free with bestdag_text_free(). */
char *bestdag_sink_hand_over(struct bestdag_sink *s, int64_t *size);
/* From now on what stops the run also ends the writing, which then fails. A run
 * that is stopped already has an answer to write: nothing changes. */
void bestdag_sink_obey(struct bestdag_sink *s);
/* Errors are kept and reported by bestdag_sink_close(). */
void bestdag_sink_write(struct bestdag_sink *s, const void *bytes, size_t n);
void bestdag_sink_text(struct bestdag_sink *s, const char *text);
void bestdag_sink_format(struct bestdag_sink *s, const char *format, ...)
    BESTDAG_PRINTF(2, 3);
void bestdag_sink_number(struct bestdag_sink *s, double x); /* shortest */
/* For messages; of "-" it is "standard output". */
const char *bestdag_sink_path(const struct bestdag_sink *s);
/* Does it write a file of its own, beside which others may stand? Else it is
 * standard output, a device, a pipe or memory. */
bool bestdag_sink_is_file(const struct bestdag_sink *s);
/* Finishes and renames if the run has no error; else removes what was written
 * and leaves the old file. NULL is accepted. */
int bestdag_sink_close(struct bestdag_sink *s);
/* Closes a file and the one beside it that says more about it. Nothing is
 * replaced before both are written; then the old file beside is removed, the
 * file is replaced, and the new one beside is renamed, so that at no moment
 * there is one that describes another file. beside NULL: there is none. */
int bestdag_sink_close_pair(struct bestdag_sink *s,
                            struct bestdag_sink *beside);

#endif
