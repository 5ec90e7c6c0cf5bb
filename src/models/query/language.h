/* SPDX-License-Identifier: MIT */
/* language.h -- the query language: names of variables, states, evidence.
 *
 *     query    = [names] ["|" evidence]
 *     names    = name {"," name}
 *     evidence = item {"," item}
 *     item     = name "=" state            the state is seen
 *              | name "=" number           of a variable that is a number
 *              | name "in" state {state}   one of these states is
 *              | name "~" number {number}  the likelihood of each state
 *              | "do" "(" name "=" state {"," name "=" state} ")"
 *
 * Names and states are words, or stand in double quotes, in which a quote is
 * doubled. The signs that end a word are , | ; = ~ ( and ). Several items about
 * a variable hold together: their likelihoods are multiplied. A variable may
 * have one do(); it cuts the arcs into the variable, and other items about the
 * variable refer to the value that was set. */
#ifndef BESTDAG_MODELS_QUERY_LANGUAGE_H
#define BESTDAG_MODELS_QUERY_LANGUAGE_H

#include "constraints/language/tokens.h"
#include "network/network.h"

/* Variables in the order in which they were named, none twice. */
struct bestdag_name_list {
    int *at; /* owns */
    int count;
    int64_t room;
};

struct bestdag_query_item {
    int variable;
    int state; /* the only possible one, or -1 */
    bool is_do;
    double value;       /* of a number */
    double *likelihood; /* owns; [states]; NULL for do(), and for numbers */
    char *text;         /* owns; "fog=yes", for messages */
};

struct bestdag_query {
    struct bestdag_name_list target;
    struct bestdag_query_item *item; /* owns */
    int items;
    int64_t room;
};

/* ---- a text as a whole --------------------------------------------------- */

/* Appends to a query, which starts zeroed and must be released, also on
 * failure. Errors are BESTDAG_USAGE, with the column and the nearest name. */
int bestdag_query_parse(struct bestdag_run *run,
                        const struct bestdag_network *network, const char *text,
                        struct bestdag_query *to);
/* Adds do() for each of several lines "X=s, Y=t"; NULL: none. */
int bestdag_query_parse_settings(struct bestdag_run *run,
                                 const struct bestdag_network *network,
                                 const char *lines, struct bestdag_query *to);
void bestdag_query_release(struct bestdag_query *query);
/* Multiplies likelihoods; the product is divided by a power of 2 where it would
 * come near to underflow or overflow. Returns the exponent. */
int bestdag_likelihood_multiply(double *to, const double *by, int states);
/* Fails with BESTDAG_INFEASIBLE: the items for which use[i], none of them do(),
 * exclude each other, given all do(). `more` is added to the message. */
int bestdag_query_exclude(struct bestdag_run *run,
                          const struct bestdag_query *query, const bool *use,
                          const char *more);
/* Parses "A, B"; messages call the text `what`. */
int bestdag_names_parse(struct bestdag_run *run,
                        const struct bestdag_network *network, const char *text,
                        const char *what, struct bestdag_name_list *to);
void bestdag_names_release(struct bestdag_name_list *list);

/* ---- piece by piece ------------------------------------------------------ */

struct bestdag_query_reader {
    struct bestdag_tokens t;
    const struct bestdag_network *network; /* borrowed */
};

/* Moves to the first token; `text` must outlive the reader. */
int bestdag_query_open(struct bestdag_query_reader *r, struct bestdag_run *run,
                       const struct bestdag_network *network, const char *text,
                       const char *what);
int bestdag_query_read_name(struct bestdag_query_reader *r, int *variable);
/* Reads one or more names. */
int bestdag_query_read_names(struct bestdag_query_reader *r,
                             struct bestdag_name_list *to);
/* Fails unless the text ends here. `expected`: what else might have followed,
 * "',' or '|'". */
int bestdag_query_close(struct bestdag_query_reader *r, const char *expected);

#endif
