/* SPDX-License-Identifier: MIT */
/* settings.h -- the options of the group "table", checked and parsed. */
#ifndef BESTDAG_DATA_TEXT_SETTINGS_H
#define BESTDAG_DATA_TEXT_SETTINGS_H

#include "base/options.h"

/* A list such as "a,b,\"c,d\"". */
struct bestdag_words {
    char **word; /* owns; [count] */
    int count;
};

extern const struct bestdag_option_group bestdag_table_options;

struct bestdag_settings {
    const char *format;  /* borrowed, like all text here: "auto", "csv" ... */
    const char *missing; /* "drop" "state" "error" "keep" */
    const char *weights; /* a column, or NULL */
    bool header;
    bool declared;  /* keep states that are declared but not seen */
    char delimiter; /* 0: to be detected; ' ': blanks */
    char decimal;   /* '.' or ',' */
    int most_states;
    struct bestdag_words na, ignore, as_states, as_numbers;
};

/* options may be NULL. */
int bestdag_settings_init(struct bestdag_settings *s, struct bestdag_run *run,
                          const struct bestdag_options *options);
void bestdag_settings_release(struct bestdag_settings *s);
/* Is a field that is not quoted and reads text[0..n) a missing value? */
bool bestdag_settings_is_missing(const struct bestdag_settings *s,
                                 const char *text, size_t n);
/* Is it a number, with the decimal sign of the settings? */
bool bestdag_settings_number(const struct bestdag_settings *s, const char *text,
                             size_t n, double *to);
/* The name of a delimiter for people: "commas", "blanks" ... */
const char *bestdag_delimiter_name(char delimiter, char to[16]);

#endif
