/* SPDX-License-Identifier: MIT */
/* words.h -- the words of a text file with their lines, for the readers of
 * score files and certificates. */
#ifndef BESTDAG_VERIFY_WORDS_H
#define BESTDAG_VERIFY_WORDS_H

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
    /* where it is in the file */
    char *block; /* owns */
    int64_t at, size, now;
    bool fresh; /* only blanks before on this line */
};

/* Reads the words of an open source. Release it in any case. */
int bestdag_words_start(struct kernel_reader *w, struct bestdag_run *run,
                        struct bestdag_source *from);
void bestdag_words_release(struct kernel_reader *w);
/* The next word of the file; length 0: it is over. */
int bestdag_words_next(struct kernel_reader *w);
/* The next word of this line; length 0: no more are on it. */
int bestdag_words_more(struct kernel_reader *w);
bool bestdag_words_are(const struct kernel_reader *w, const char *text);
/* "file:line: <message>"; BESTDAG_INPUT. */
int bestdag_words_fail(struct kernel_reader *w, const char *format, ...)
    BESTDAG_PRINTF(2, 3);
/* "expected <what>, found '...'" */
int bestdag_words_expected(struct kernel_reader *w, const char *what);
/* Digits, with at most one minus before them, as printf() writes them. */
bool bestdag_words_whole(const char *text, int64_t *to);
/* The next word of this line as a whole number, or "expected <what>". */
int bestdag_words_integer(struct kernel_reader *w, const char *what,
                          int64_t least, int64_t most, int64_t *to);
/* Nothing may follow on this line. */
int bestdag_words_end_line(struct kernel_reader *w);

#endif
