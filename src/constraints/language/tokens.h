/* SPDX-License-Identifier: MIT */
/* tokens.h -- the words and signs of the rule language, with line and column;
 * and of queries, which are one text with signs of their own.
 *
 * Not base/lexer.h: here the end of a line ends a rule (unless its last word
 * needs more), a quote inside quotes is doubled, and "-" may be part of a word,
 * but not before ">". */
#ifndef BESTDAG_CONSTRAINTS_LANGUAGE_TOKENS_H
#define BESTDAG_CONSTRAINTS_LANGUAGE_TOKENS_H

#include "base/stream.h"

enum bestdag_rule_token {
    BESTDAG_RULES_END, /* of the file */
    BESTDAG_RULE_END,  /* of the line */
    BESTDAG_RULE_WORD,
    BESTDAG_RULE_QUOTED,
    BESTDAG_RULE_SIGN /* one of , : | ( ) < > = + * <= >= -> */
};

struct bestdag_tokens {
    struct bestdag_run *run;
    const char *name;  /* of the file; NULL: a text given without a file */
    const char *what;  /* of a text that is no rule: "query"; else NULL */
    const char *signs; /* of such a text */
    const char *begin, *at, *end;
    const char *line_start;
    int line;
    const char *look; /* where to see whether to stop */
    /* the current token */
    enum bestdag_rule_token kind;
    const char *text; /* not ended by 0; of a quoted word: inside its quotes */
    size_t length;
    int token_line, token_column;
    const char *last; /* behind the last token that was no end */
};

/* Refuses bytes that are no text. */
int bestdag_tokens_check(struct bestdag_tokens *t, struct bestdag_run *run,
                         const struct bestdag_file *file);
/* The same, and goes to the first token. */
int bestdag_tokens_start(struct bestdag_tokens *t, struct bestdag_run *run,
                         const struct bestdag_file *file);
/* Goes to the first token of a text that is no rule, of which `what` is the
 * name in messages. Lines do not matter, and there are no comments. */
int bestdag_tokens_text(struct bestdag_tokens *t, struct bestdag_run *run,
                        const char *text, const char *what, const char *signs);
/* Undoubles the quotes in the text between quotes. */
void bestdag_tokens_unquote(char *text);
/* Steps to the next token; after an error that is the end of the file. */
int bestdag_tokens_next(struct bestdag_tokens *t);
/* Is the current token this word or sign? A word in quotes never is. */
bool bestdag_tokens_is(const struct bestdag_tokens *t, const char *text);
/* Steps over it if it is. */
bool bestdag_tokens_skip(struct bestdag_tokens *t, const char *text);
/* Is the token after the current one this word or sign? */
bool bestdag_tokens_then(const struct bestdag_tokens *t, const char *text);
/* "file:line:column: <message>"; BESTDAG_INPUT. */
int bestdag_tokens_fail(struct bestdag_tokens *t, const char *format, ...)
    BESTDAG_PRINTF(2, 3);
/* "expected <what>, found 'x'" */
int bestdag_tokens_expected(struct bestdag_tokens *t, const char *what);

#endif
