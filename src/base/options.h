/* SPDX-License-Identifier: MIT */
/* options.h -- settings: what a row says of one, how a value is checked, and
 * the bag that holds what was set.
 *
 * Settings are text, the same words as on the command line. The rows of a group
 * stand in the file that reads them, and the file reads them through its group:
 *
 *     static const struct bestdag_option rows[] = {
 *         {"rows", BESTDAG_INTEGER, "1000", 1, 1e12, .value = "N",
 *          .help = "number of rows to draw"},
 *         {0}};
 *     const struct bestdag_option_group bestdag_sample_options = {"sample",
 *                                                                 rows};
 *     bestdag_option_value(options, &bestdag_sample_options, "rows").integer
 *
 * The groups of solvers and scores are found through their rows, the others are
 * listed in registry/option_registry.c: the command line, its help, the man
 * pages and the completion are made from all of them. Several groups may share
 * a name (each score adds to "score"), and groups of different names a key. */
#ifndef BESTDAG_BASE_OPTIONS_H
#define BESTDAG_BASE_OPTIONS_H

#include "base/json.h"

enum bestdag_option_type {
    BESTDAG_FLAG,     /* yes or no */
    BESTDAG_INTEGER,  /* least .. most */
    BESTDAG_NUMBER,   /* least .. most */
    BESTDAG_SIZE,     /* bytes: 4G */
    BESTDAG_DURATION, /* seconds: 10m */
    BESTDAG_CHOICE,   /* one of choices or names */
    BESTDAG_TEXT,     /* anything */
    BESTDAG_FILE,     /* the path of a file that is read */
    BESTDAG_FILES,    /* the same; can be repeated, joined by line breaks */
    BESTDAG_OUTPUT,   /* the path of a file that is written */
    BESTDAG_FOLDER,   /* the path of a folder in which files are written */
    BESTDAG_PAIRS     /* KEY=VALUE; can be repeated, joined by line breaks */
};

struct bestdag_option {
    const char *key; /* NULL: the row after the last */
    enum bestdag_option_type type;
    const char *fallback; /* text of the default; NULL: unset */
    double least, most;
    const char *choices;         /* "drop|state|error" */
    const char *(*names)(int i); /* more choices: the names of a table's rows;
                                    NULL after the last */
    char letter;                 /* short form on the command line, or 0 */
    const char *value;           /* what help calls the value: "N", "LIST" */
    const char *help;
};

struct bestdag_option_group {
    const char *name;
    const struct bestdag_option *row; /* to one without a key; NULL: none */
};

struct bestdag_value {
    const char *text; /* as set; borrowed */
    int64_t integer;  /* of integers, sizes, flags */
    double number;    /* of numbers, integers, durations */
};

/* One setting of the bag. */
struct bestdag_option_entry {
    const char *group;
    const struct bestdag_option *row;
    char *text; /* the bag's */
};

/* The row of this key, or NULL. */
const struct bestdag_option *bestdag_option_row(
    const struct bestdag_option_group *group, const char *key);
/* The key of the i-th row, for bestdag_nearest(). */
const char *bestdag_option_key(const void *group, int i);
int bestdag_option_count(const struct bestdag_option_group *group);
/* Checks a value. Fails with BESTDAG_USAGE. */
int bestdag_option_parse(struct bestdag_run *run,
                         const struct bestdag_option *row, const char *value,
                         struct bestdag_value *to);
/* Fails with BESTDAG_USAGE: the group has no such key. */
int bestdag_option_unknown(struct bestdag_run *run,
                           const struct bestdag_option_group *group,
                           const char *key);
/* All choices, joined by '|'. */
enum { BESTDAG_CHOICES_ROOM = 256 };
const char *bestdag_option_choices(const struct bestdag_option *row,
                                   char to[BESTDAG_CHOICES_ROOM]);

/* The value of a key: as set, else the default. options may be NULL. text is
 * NULL if there is neither, or the group has no such key. */
struct bestdag_value bestdag_option_value(
    const struct bestdag_options *options,
    const struct bestdag_option_group *group, const char *key);
bool bestdag_option_given(const struct bestdag_options *options,
                          const struct bestdag_option_group *group,
                          const char *key);
/* Checks and sets one value. `group` is kept, not copied. */
int bestdag_option_put(struct bestdag_run *run, struct bestdag_options *options,
                       const char *group, const struct bestdag_option *row,
                       const char *value);
/* The i-th setting, by group and key; NULL after the last. */
const struct bestdag_option_entry *bestdag_option_entry(
    const struct bestdag_options *options, int i);
/* Owned by the caller; NULL: failed. */
struct bestdag_options *bestdag_options_copy(
    struct bestdag_run *run, const struct bestdag_options *options);
/* Describes a row in an open JSON object. */
void bestdag_option_write(const char *group, const struct bestdag_option *row,
                          struct bestdag_json_writer *w);

#endif
