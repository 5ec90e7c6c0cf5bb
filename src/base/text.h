/* SPDX-License-Identifier: MIT */
/* text.h -- text: growing buffers, numbers, natural order, nearest names.
 *
 * Numbers are read and written with a decimal point whatever the locale. */
#ifndef BESTDAG_BASE_TEXT_H
#define BESTDAG_BASE_TEXT_H

#include "base/run.h"

/* A text that grows. After a failed allocation it stays as it was, the run has
 * the error, and further calls do nothing. Start from { .run = run }. */
struct bestdag_buffer {
    struct bestdag_run *run;
    char *at; /* owns; ends in 0 once something was added */
    size_t length, room;
};

void bestdag_buffer_add(struct bestdag_buffer *b, const char *text, size_t n);
/* Makes room for n more bytes and a 0 behind them; false: memory failed. */
bool bestdag_buffer_reserve(struct bestdag_buffer *b, size_t n);
void bestdag_buffer_text(struct bestdag_buffer *b, const char *text);
void bestdag_buffer_format(struct bestdag_buffer *b, const char *format, ...)
    BESTDAG_PRINTF(2, 3);
/* The text, now the caller's; NULL if an allocation failed. */
char *bestdag_buffer_take(struct bestdag_buffer *b);
void bestdag_buffer_release(struct bestdag_buffer *b);

/* Is all of text[0..n) a finite decimal number? "1e-5" and "+3." are. The
 * nearest double, whatever the length. */
bool bestdag_number_parse(const char *text, size_t n, double *to);
/* The shortest decimal that reads back as x (next to a power of two it may have
 * a digit more); returns its length. */
enum { BESTDAG_NUMBER_ROOM = 40 };
int bestdag_number_format(double x, char to[BESTDAG_NUMBER_ROOM]);
/* The same without an exponent; at most 400 characters. */
enum { BESTDAG_FIXED_ROOM = 400 };
int bestdag_number_fixed(double x, char to[BESTDAG_FIXED_ROOM]);
/* Six digits, for messages. */
int bestdag_number_brief(double x, char to[BESTDAG_NUMBER_ROOM]);
/* "4G" "512MB" "1.5GiB" "1000"; K is 1024. False if it is none. */
bool bestdag_size_parse(const char *text, int64_t *bytes);
void bestdag_size_format(int64_t bytes, char to[32]); /* "1.5 GB" */
/* "30s" "10m" "2h" "500ms" "1.5" (seconds). */
bool bestdag_duration_parse(const char *text, double *seconds);

/* Natural order: numbers first, by value; then text, with the runs of digits
 * in it compared as numbers (a2 before a10). A total order: 0 means equal. */
int bestdag_natural_compare(const char *a, const char *b);

/* The one of `count` names nearest to `word`, if it is near enough to be a slip
 * of the finger; else NULL. name(of, i) gives the i-th name. */
typedef const char *bestdag_name_fn(const void *of, int i);
const char *bestdag_nearest(const char *word, bestdag_name_fn *name,
                            const void *of, int count);
/* ", did you mean 'smoke'?" or "". */
const char *bestdag_suggest(char to[128], const char *nearest);
const char *bestdag_name_of_list(const void *list, int i); /* of char ** */

/* Length of the valid UTF-8 prefix of text[0..n). */
size_t bestdag_utf8_valid(const char *text, size_t n);
/* A text that is there twice, or NULL. Time O(count log count). */
int bestdag_text_twice(struct bestdag_run *run, const char *const *texts,
                       int count, const char **twice);

/* Lower case of A to Z whatever the locale: in Turkish, i is not that of I. */
static inline char bestdag_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}
/* Are a[0..n) and b[0..n) the same but for the case of A to Z? Ends at 0. */
static inline bool bestdag_same_word(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (bestdag_lower(a[i]) != bestdag_lower(b[i]))
            return false;
        if (!a[i])
            return true;
    }
    return true;
}

#endif
