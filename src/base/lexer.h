/* SPDX-License-Identifier: MIT */
/* lexer.h -- words, strings and punctuation of a text file, with line and
 * column, for the readers of BIF, NET, UAI, DOT and the like.
 *
 * A token is a quoted string, one punctuation character, or a word: everything
 * up to a blank, a punctuation character or a comment. Numbers are words. */
#ifndef BESTDAG_BASE_LEXER_H
#define BESTDAG_BASE_LEXER_H

#include "base/stream.h"

enum bestdag_token_kind {
    BESTDAG_END,
    BESTDAG_WORD,
    BESTDAG_STRING,
    BESTDAG_SIGN
};

struct bestdag_lexer {
    /* what the language looks like; set before bestdag_lexer_start() */
    const char *signs;    /* the punctuation characters */
    const char *comments; /* of: '/' for // and block comments, '%', '#' */
    /* where it is */
    struct bestdag_run *run;
    const char *name, *begin, *at, *end;
    int line;               /* of `at`, from 1 */
    const char *line_start; /* first byte of that line */
    const char *look;       /* where to check for a stop next */
    /* the current token */
    enum bestdag_token_kind kind;
    const char *text; /* not ended by 0; of a string: between its quotes */
    size_t length;
    int token_line, token_column;
};

/* Reads the first token. BESTDAG_INPUT if the text has NUL bytes or is not
 * UTF-8: binary files end here. */
int bestdag_lexer_start(struct bestdag_lexer *x, struct bestdag_run *run,
                        const struct bestdag_file *file);
/* Goes to the next token; an unended string or comment is an error. Once the
 * run has an error, every next token is BESTDAG_END. */
int bestdag_lexer_next(struct bestdag_lexer *x);
/* Is the current token this word (case ignored) or this sign? */
bool bestdag_lexer_is(const struct bestdag_lexer *x, const char *text);
/* Steps over it if it is; returns whether it was. */
bool bestdag_lexer_skip(struct bestdag_lexer *x, const char *text);
/* Steps over it, or fails with "expected ...". */
int bestdag_lexer_expect(struct bestdag_lexer *x, const char *text);
/* Copies a word or string (escapes \" and \\ resolved) and steps on; NULL and
 * "expected <what>" if the token is neither. */
char *bestdag_lexer_name(struct bestdag_lexer *x, const char *what);
/* A whole number in this range; moves on to the next token. */
int bestdag_lexer_integer(struct bestdag_lexer *x, int64_t least, int64_t most,
                          int64_t *to);
/* "file:line:column: <message>" for the current token; BESTDAG_INPUT. */
int bestdag_lexer_fail(struct bestdag_lexer *x, const char *format, ...)
    BESTDAG_PRINTF(2, 3);
/* "..., found 'x'" */
int bestdag_lexer_expected(struct bestdag_lexer *x, const char *what);

#endif
