/* SPDX-License-Identifier: MIT */
/* rule_tokens.h -- the words and signs of one rule at a time. */
#ifndef BESTDAG_VERIFY_RULE_TOKENS_H
#define BESTDAG_VERIFY_RULE_TOKENS_H

#include "base/stream.h"

enum verify_token_kind {
    VERIFY_TOKEN_END,
    VERIFY_TOKEN_WORD,
    VERIFY_TOKEN_QUOTED,
    VERIFY_TOKEN_SIGN
};

struct verify_token {
    enum verify_token_kind kind;
    const char *text; /* in the file */
    int length, line;
};

struct verify_tokens {
    struct bestdag_run *run;
    const char *name, *at, *end; /* the file, and the place reached */
    int line;
    struct verify_token *token; /* owns; of the rule; an END last */
    int count, room;
    const char *from, *to; /* the rule in the file */
};

/* The tokens of the next rule; count 0: there are no more rules. */
int bestdag_rule_tokens_next(struct verify_tokens *s);
int bestdag_rule_tokens_fail(struct verify_tokens *s, int line,
                             const char *format, ...) BESTDAG_PRINTF(3, 4);
/* Is the token this sign, or this word without quotes? */
bool bestdag_rule_token_is(const struct verify_token *t, const char *text);

#endif
