/* SPDX-License-Identifier: MIT */
/* json.h -- JSON text: a reader into a tree, a writer into a buffer.
 *
 * The tree is read through the public functions (bestdag_json_get ...). */
#ifndef BESTDAG_BASE_JSON_H
#define BESTDAG_BASE_JSON_H

#include "base/place.h"
#include "base/stream.h"
#include "base/text.h"

enum bestdag_json_kind {
    BESTDAG_JSON_NULL,
    BESTDAG_JSON_BOOL,
    BESTDAG_JSON_NUMBER,
    BESTDAG_JSON_TEXT,
    BESTDAG_JSON_ARRAY,
    BESTDAG_JSON_OBJECT
};

struct bestdag_json {
    enum bestdag_json_kind kind;
    int line, column;           /* where it stands, for messages */
    char *key;                  /* owns; of a member of an object */
    char *text;                 /* owns; of a text */
    double number;              /* of a number, 0 or 1 of a bool */
    struct bestdag_json *items; /* owns; of an array or object */
    int64_t count;
};

static inline struct bestdag_place bestdag_json_place(
    const struct bestdag_json *value)
{
    return (struct bestdag_place){value->line, value->column};
}

/* NULL: failed, with place and reason in the run. file->bytes[file->size] must
 * be 0. */
struct bestdag_json *bestdag_json_parse(struct bestdag_run *run,
                                        const struct bestdag_file *file);

/* Writes values with the commas and line breaks in between. */
struct bestdag_json_writer {
    struct bestdag_buffer out; /* set .out.run */
    int depth;
    bool started; /* the current object or array has an item already */
};

/* open: '{' or '['; key NULL inside arrays and at the top. */
void bestdag_json_open(struct bestdag_json_writer *w, const char *key,
                       char open);
void bestdag_json_close(struct bestdag_json_writer *w, char close);
void bestdag_json_add_text(struct bestdag_json_writer *w, const char *key,
                           const char *value); /* NULL: null */
void bestdag_json_add_number(struct bestdag_json_writer *w, const char *key,
                             double value); /* not finite: null */
void bestdag_json_add_integer(struct bestdag_json_writer *w, const char *key,
                              int64_t value);
void bestdag_json_add_bool(struct bestdag_json_writer *w, const char *key,
                           bool value);
/* Writes the members with which every report of a run ends: peak_memory_bytes,
 * seed, threads and version. */
void bestdag_json_add_run(struct bestdag_json_writer *w,
                          const struct bestdag_run *run);
/* Moves the text written so far to a sink; at the end with a line break. */
void bestdag_json_flush(struct bestdag_json_writer *w,
                        struct bestdag_sink *sink);
/* The text with a line break at its end, owned by the caller; NULL: failed. */
char *bestdag_json_take(struct bestdag_json_writer *w);
/* Quoted and escaped; bytes that are no UTF-8 become U+FFFD. */
void bestdag_json_quote(struct bestdag_buffer *b, const char *text);

#endif
