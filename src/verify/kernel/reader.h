/* SPDX-License-Identifier: MIT */
/* reader.h -- the words of a text file with their lines: what score files and
 * certificates are read with.
 *
 * Functions of the kernel that return bool return false if the run has failed
 * or the certificate is refused, and callers end at once. */
#ifndef BESTDAG_VERIFY_READER_H
#define BESTDAG_VERIFY_READER_H

#include "base/stream.h"

enum { BESTDAG_MOST_WORD = 4096 }; /* bytes of a word */

struct kernel_reader {
    struct bestdag_run *run;
    struct bestdag_source *from; /* borrowed */
    /* '#' begins a comment anywhere; else only as the first of a line */
    bool comments_anywhere;
    int64_t line; /* of the word, from 1 */
    int length;   /* 0: there is none */
    char word[BESTDAG_MOST_WORD + 1];
    char *block; /* owns; the bytes at hand are block[at .. size) */
    int64_t at, size, line_now;
    bool at_line_start; /* only blanks before on this line */
};

/* Start from { .run, .from, .comments_anywhere }; release it in any case. */
bool bestdag_words_start(struct kernel_reader *r);
void bestdag_words_release(struct kernel_reader *r);
/* False, and an error, if the run is to stop. */
bool bestdag_words_go_on(struct kernel_reader *r);

/* The next word of the file, or of this line; length 0: there is none. */
bool bestdag_word_next(struct kernel_reader *r);
bool bestdag_word_more(struct kernel_reader *r);
bool bestdag_word_is(const struct kernel_reader *r, const char *text);
/* "file:line: <message>"; false. */
bool bestdag_word_fail(struct kernel_reader *r, const char *format, ...)
    BESTDAG_PRINTF(2, 3);
/* "expected <what>, found '...'"; false. */
bool bestdag_word_expected(struct kernel_reader *r, const char *what);
/* The word at hand is an integer in least..most, or "expected <what>". */
bool bestdag_word_integer(struct kernel_reader *r, const char *what,
                          int64_t least, int64_t most, int64_t *to);
/* The same of the next word of this line. */
bool bestdag_word_next_integer(struct kernel_reader *r, const char *what,
                               int64_t least, int64_t most, int64_t *to);
/* Nothing may follow on this line. */
bool bestdag_word_end_line(struct kernel_reader *r);

#endif
