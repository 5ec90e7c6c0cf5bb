/* SPDX-License-Identifier: MIT */
/* reader.h -- shared by the readers of BIF, NET and UAI: blocks that are found
 * first and read later, names and labels looked up with a suggestion, tables
 * filled row by row and checked where they stand in the file. */
#ifndef BESTDAG_FORMATS_READER_H
#define BESTDAG_FORMATS_READER_H

#include "base/lexer.h"
#include "base/text.h"
#include "network/network.h"

/* A place in the text to which the lexer can return. */
struct bestdag_spot {
    const char *at, *line_start;
    int line;
};

/* Numbers of all tables that need not be in the file. */
enum { BESTDAG_FILLED_IN = 1 << 24 };

struct bestdag_spots {
    struct bestdag_spot *at; /* owns */
    int count;
    int64_t room;
};

/* The name and labels that a variable had before they were respelled for the
 * format (see spelling.h). */
struct bestdag_original {
    char *name;    /* owns; NULL: none */
    char **labels; /* owns; [count] */
    int count;
};

struct bestdag_reader {
    struct bestdag_lexer x; /* set .signs and .comments before the start */
    struct bestdag_run *run;
    struct bestdag_spots variables, tables; /* where their blocks begin */
    struct bestdag_network *network;        /* owns, unless borrowed */
    bool borrowed;
    bool is_bare; /* all blocks of tables are empty: there are no tables */
    struct bestdag_original *original; /* owns; [n] */
    int32_t **index;                   /* owns; [n] labels, hashed */
    int *table_of;  /* owns; [n] number of its table's block, -1: none yet */
    int *parent_of; /* owns; [n] last child of which it was seen as a parent */
    int64_t room;   /* numbers that tables may still hold; see reader.c */
    struct bestdag_buffer word; /* the last label that was read */
};

int bestdag_reader_start(struct bestdag_reader *r, struct bestdag_run *run,
                         const struct bestdag_file *file);
/* Returns the network if all went well, and frees the rest. */
struct bestdag_network *bestdag_reader_finish(struct bestdag_reader *r);
/* Does the text begin with this word, after blanks and comments? */
bool bestdag_reader_begins(const struct bestdag_file *file,
                           const char *comments, const char *word);

struct bestdag_spot bestdag_reader_here(const struct bestdag_reader *r);
/* Reads the token at the spot again. */
int bestdag_reader_return(struct bestdag_reader *r, struct bestdag_spot spot);
int bestdag_reader_add_spot(struct bestdag_reader *r,
                            struct bestdag_spots *spots);
int bestdag_reader_fail_at(struct bestdag_reader *r, struct bestdag_spot spot,
                           const char *format, ...) BESTDAG_PRINTF(3, 4);

/* Makes the network of n variables; the reader sets names and labels. */
int bestdag_reader_variables(struct bestdag_reader *r, int n);
/* Instead: checks names and labels of a network that the caller owns. */
int bestdag_reader_borrow(struct bestdag_reader *r,
                          struct bestdag_network *network);
/* Called after all names are set: refuses duplicate names. */
int bestdag_reader_check_names(struct bestdag_reader *r);
/* Called after the labels of v are set: refuses duplicate labels, at the spot.
 * Indexes them. */
int bestdag_reader_check_labels(struct bestdag_reader *r, int v,
                                struct bestdag_spot spot);
/* Copies the current word or string, with escapes resolved, to r->word. */
int bestdag_reader_word(struct bestdag_reader *r, const char *what);
/* The same, but appends to r->word, after a blank unless it is empty. */
int bestdag_reader_more(struct bestdag_reader *r, const char *what);
/* Appends the text between two quotes, with escapes resolved, in the same
 * way. */
int bestdag_reader_unescape(struct bestdag_reader *r, const char *text,
                            size_t length);
/* Fails: v has no state r->word; suggests the nearest. */
int bestdag_reader_no_state(struct bestdag_reader *r, int v,
                            struct bestdag_spot spot);
/* Fails if the run is stopped; `done` blocks have been read. */
int bestdag_reader_watch(struct bestdag_reader *r, int done);
/* State of v called `label`; -1: none. */
int bestdag_reader_state(const struct bestdag_reader *r, int v,
                         const char *label);

/* A table as it is in the file. */
struct bestdag_read_family {
    int child, count;
    int64_t room;
    int *parents;             /* owns; in the order of the file */
    int64_t rows;             /* product of the parents' states */
    int states;               /* of the child */
    double *cell;             /* owns; [rows * states]; first parent slowest */
    struct bestdag_spot spot; /* for messages about the whole table */
};

/* Called before the parents: refuses a second table of the child. */
int bestdag_reader_claim(struct bestdag_reader *r,
                         const struct bestdag_read_family *family, int block);
int bestdag_reader_add_parent(struct bestdag_reader *r,
                              struct bestdag_read_family *family, int parent,
                              struct bestdag_spot spot);
/* Reads "( child", with the word before it, of the table in this block. */
int bestdag_reader_begin_family(struct bestdag_reader *r,
                                struct bestdag_read_family *family, int block);
/* Reads the names of parents up to ")", with or without commas. */
int bestdag_reader_parents(struct bestdag_reader *r,
                           struct bestdag_read_family *family);
/* Called once child and parents are known: makes room for the numbers. */
int bestdag_reader_begin_table(struct bestdag_reader *r,
                               struct bestdag_read_family *family);
/* Subtracts `numbers` from r->room; fails if it is not enough. */
int bestdag_reader_spend(struct bestdag_reader *r, struct bestdag_spot spot,
                         int64_t numbers);
/* Reads a probability and steps on. */
int bestdag_reader_probability(struct bestdag_reader *r, double *to);
/* Checks that the numbers of a row sum to 1, up to rounding. */
int bestdag_reader_check_row(struct bestdag_reader *r,
                             const struct bestdag_read_family *family,
                             const double *row, struct bestdag_spot spot);
/* Gives arcs and table to the network. */
int bestdag_reader_end_table(struct bestdag_reader *r,
                             const struct bestdag_read_family *family);
void bestdag_family_release(struct bestdag_read_family *family);
/* Checks that every variable has its table and that the arcs form no cycle, and
 * restores original names. `what` is what the format calls a table. */
int bestdag_reader_complete(struct bestdag_reader *r, const char *what);

#endif
