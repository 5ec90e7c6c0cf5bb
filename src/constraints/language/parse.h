/* SPDX-License-Identifier: MIT */
/* parse.h -- the readers of rules: our language, Tetrad, GOBNILP. */
#ifndef BESTDAG_CONSTRAINTS_LANGUAGE_PARSE_H
#define BESTDAG_CONSTRAINTS_LANGUAGE_PARSE_H

#include "constraints/language/rules.h"
#include "constraints/language/tokens.h"

/* Adds the rules of a file, of whatever language. Without a file's name the
 * bytes are rules of our language that were given on the command line. */
int bestdag_rules_parse(struct bestdag_run *run, struct bestdag_rules *rules,
                        const struct bestdag_file *file);

/* ---- for the readers among themselves ------------------------------------ */

/* A stack of lists that are being read; each ends up in the store. */
struct bestdag_parse_stack {
    char *at; /* owns */
    size_t length, room;
};

struct bestdag_parser {
    struct bestdag_tokens t; /* not used by Tetrad and GOBNILP */
    struct bestdag_run *run;
    struct bestdag_rules *rules;
    const char *file; /* in the store; NULL: rules given without a file */
    struct bestdag_rule rule; /* that is being read */
    struct bestdag_parse_stack pile;
};

/* Begins a list, to which items of one size are pushed; ending it moves it to
 * the store, and *to points there. Lists inside an item end before the item is
 * pushed. */
static inline size_t bestdag_parser_begin(const struct bestdag_parser *p)
{
    return p->pile.length;
}
int bestdag_parser_push(struct bestdag_parser *p, const void *item,
                        size_t size);
/* The number of items; -1: failed. */
int bestdag_parser_end(struct bestdag_parser *p, size_t begin, size_t size,
                       void **to);
/* A word of n bytes at a place in the file; NULL text: failed. */
struct bestdag_rule_word bestdag_parser_word(struct bestdag_parser *p,
                                             const char *text, size_t n,
                                             int line, int column);
/* Stores the text of the rule, in one line without comments, and appends the
 * rule. */
int bestdag_parser_finish(struct bestdag_parser *p, const char *text, size_t n);

/* The lines of a file, without their ends and the blanks around. */
struct bestdag_lines {
    struct bestdag_run *run;
    const char *name;     /* of the file */
    const char *at, *end; /* the rest of the file */
    const char *look;     /* where to see whether to stop */
    const char *text;     /* the line */
    size_t length;
    int line, column; /* where its text begins */
};
struct bestdag_lines bestdag_lines_of(struct bestdag_run *run,
                                      const struct bestdag_file *file);
/* Goes to the next line that has text and does not begin with `comment`;
 * false after the last, and when the run is stopped, which fails. */
bool bestdag_lines_next(struct bestdag_lines *l, const char *comment);

/* A message about a word that was read before. */
int bestdag_parse_fail(struct bestdag_parser *p,
                       const struct bestdag_rule_word *word, const char *format,
                       ...) BESTDAG_PRINTF(3, 4);
/* Steps over a sign or word, or fails. */
int bestdag_parse_expect(struct bestdag_parser *p, const char *text);
/* A name; a word of the language must be in quotes. */
int bestdag_parse_name(struct bestdag_parser *p, struct bestdag_rule_word *to);
/* A label, which is never a word of the language. */
int bestdag_parse_label(struct bestdag_parser *p, struct bestdag_rule_word *to);
/* quality, linear or near, if one begins here. */
bool bestdag_parse_is_quality(const struct bestdag_parser *p);
int bestdag_parse_quality(struct bestdag_parser *p);
bool bestdag_parse_is_linear(const struct bestdag_parser *p);
int bestdag_parse_linear(struct bestdag_parser *p);
bool bestdag_parse_is_near(const struct bestdag_parser *p);
int bestdag_parse_near(struct bestdag_parser *p);

/* Is the text knowledge of Tetrad, or constraints of GOBNILP? */
bool bestdag_tetrad_recognise(struct bestdag_run *run,
                              const struct bestdag_file *file);
int bestdag_tetrad_parse(struct bestdag_parser *p,
                         const struct bestdag_file *file);
bool bestdag_gobnilp_recognise(struct bestdag_run *run,
                               const struct bestdag_file *file);
int bestdag_gobnilp_parse(struct bestdag_parser *p,
                          const struct bestdag_file *file);

#endif
