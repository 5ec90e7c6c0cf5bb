/* SPDX-License-Identifier: MIT */
/* options.h -- the one table of settings: keys, types, ranges, defaults, help.
 *
 * Settings are text, the same words as on the command line. A key belongs to a
 * group ("run", "table", "fit" ...); the command line, its help, the man pages
 * and the completion are made from the same rows through bestdag_list(). Two
 * groups may have the same key with another default and range: "group.key"
 * names one of them, "key" alone the first when it is asked for, and all of
 * them when it is set. */
#ifndef BESTDAG_BASE_OPTIONS_H
#define BESTDAG_BASE_OPTIONS_H

#include "base/json.h"

enum bestdag_option_type {
    BESTDAG_FLAG,     /* yes or no */
    BESTDAG_INTEGER,  /* least .. most */
    BESTDAG_NUMBER,   /* least .. most */
    BESTDAG_SIZE,     /* bytes: 4G */
    BESTDAG_DURATION, /* seconds: 10m */
    BESTDAG_CHOICE,   /* one of choices */
    BESTDAG_TEXT,     /* anything */
    BESTDAG_FILE,     /* the path of a file that is read */
    BESTDAG_FILES,    /* the same; may be given again, joined by line breaks */
    BESTDAG_OUTPUT,   /* the path of a file that is written */
    BESTDAG_FOLDER,   /* the path of a folder in which files are written */
    BESTDAG_PAIRS     /* KEY=VALUE; may be given again, joined by line breaks */
};

struct bestdag_option {
    const char *key, *group;
    enum bestdag_option_type type;
    const char *fallback; /* text of the default; NULL: unset */
    double least, most;
    const char *choices; /* "drop|state|error" */
    char letter;         /* short form on the command line, or 0 */
    const char *value;   /* what help calls the value: "N", "LIST" */
    const char *help;
};

struct bestdag_value {
    const char *text; /* as set; borrowed */
    int64_t integer;  /* of integers, sizes, flags */
    double number;    /* of numbers, integers, durations */
};

/* The i-th row; NULL after the last. */
const struct bestdag_option *bestdag_option_at(int i);
/* Checks one setting; group NULL: any but "run". Fails with BESTDAG_USAGE. */
int bestdag_option_parse(struct bestdag_run *run, const char *group,
                         const char *key, const char *value,
                         struct bestdag_value *to);

/* The value of a known key: what was set, else the default. options may be
 * NULL. text is NULL if neither exists. */
struct bestdag_value bestdag_option_value(const struct bestdag_options *options,
                                          const char *key);
bool bestdag_option_given(const struct bestdag_options *options,
                          const char *key);
/* The caller's; NULL: failed. */
struct bestdag_options *bestdag_options_copy(
    struct bestdag_run *run, const struct bestdag_options *options);
/* What there is to say of a row, into an open JSON object. */
void bestdag_option_write(const struct bestdag_option *option,
                          struct bestdag_json_writer *w);

#endif
