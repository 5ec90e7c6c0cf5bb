/* SPDX-License-Identifier: MIT */
/* word_reader.h -- the words of a text file as a stream, with their lines, for
 * readers of score files and certificates of any length.
 *
 * Functions that return bool return false if the run has failed, and callers
 * end at once. */
#ifndef BESTDAG_BASE_WORD_READER_H
#define BESTDAG_BASE_WORD_READER_H

#include "base/stream.h"

enum { BESTDAG_MOST_WORD = 4096 }; /* bytes of a word */

struct bestdag_word_reader {
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
bool bestdag_words_start(struct bestdag_word_reader *r);
void bestdag_words_release(struct bestdag_word_reader *r);
/* The next word of the file, or of this line; length 0: there is none. */
bool bestdag_next_word(struct bestdag_word_reader *r);
bool bestdag_line_word(struct bestdag_word_reader *r);
bool bestdag_word_is(const struct bestdag_word_reader *r, const char *text);
/* "file:line: <message>"; false. */
bool bestdag_misread(struct bestdag_word_reader *r, const char *format, ...)
    BESTDAG_PRINTF(2, 3);
/* "expected <what>, found '...'"; false. */
bool bestdag_expected(struct bestdag_word_reader *r, const char *what);
/* The word at hand is an integer in least..most, or "expected <what>". */
bool bestdag_this_integer(struct bestdag_word_reader *r, const char *what,
                          int64_t least, int64_t most, int64_t *to);
/* The same of the next word of this line. */
bool bestdag_next_integer(struct bestdag_word_reader *r, const char *what,
                          int64_t least, int64_t most, int64_t *to);
/* Nothing may follow on this line. */
bool bestdag_end_line(struct bestdag_word_reader *r);

#endif
