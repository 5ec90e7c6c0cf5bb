/* SPDX-License-Identifier: MIT */
/* write_styles.c -- how each table format writes names, labels and its head, so
 * that our readers restore the same table. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/states.h"
#include "data/text/table_builder.h"
#include "data/text/write.h"

enum { MAX_STATES = 100 }; /* the default of max-states */

static bool is_missing_token(const char *text)
{
    static const char *const tokens[] = {"", "NA", "?", "NaN", "<NA>"};
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++)
        if (!strcmp(text, tokens[i]))
            return true;
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* ---- csv and tsv --------------------------------------------------------- */

/* Quotes anything that a reader might take for a delimiter, also one that
 * detects it; in a table of one column that may be a blank. */
static void quote_csv(const struct bestdag_table_writer *w, const char *text,
                      struct bestdag_buffer *to)
{
    size_t n = strlen(text);
    bool alone = w->table->columns == 1 && !w->table->weights;
    if (!is_missing_token(text) && !is_blank(*text) && !is_blank(text[n - 1]) &&
        !strpbrk(text, ",;|\t\"\r\n") && !(alone && strchr(text, ' '))) {
        bestdag_buffer_add(to, text, n);
        return;
    }
    bestdag_buffer_add(to, "\"", 1);
    for (; *text; text++)
        bestdag_buffer_add(to, *text == '"' ? "\"\"" : text,
                           *text == '"' ? 2 : 1);
    bestdag_buffer_add(to, "\"", 1);
}

/* A name for the column of weights that no other column has. */
static void name_weights(const struct bestdag_table *t, char to[32])
{
    snprintf(to, 32, "weight");
    for (int k = 2; bestdag_table_find(t, to) >= 0; k++)
        snprintf(to, 32, "weight_%d", k);
}

/* Will a reader of the file take these states for numbers? */
static bool looks_like_numbers(const struct bestdag_column *c)
{
    bool has_fraction = false;
    double x;
    for (int s = 0; s < c->states; s++) {
        if (!bestdag_number_parse(c->labels[s], strlen(c->labels[s]), &x))
            return false;
        has_fraction |= x != floor(x);
    }
    return c->states >
           (has_fraction ? (int)BESTDAG_FRACTIONAL_STATES : MAX_STATES);
}

/* Notes columns of states that will be read as numbers, as the file has no
 * types. */
static void note_numbers(const struct bestdag_table_writer *w)
{
    const struct bestdag_table *t = w->table;
    const char *first = NULL;
    int count = 0;
    for (int c = 0; c < t->columns; c++)
        if (looks_like_numbers(&t->column[c]) && !count++)
            first = t->column[c].name;
    if (count)
        bestdag_note(w->run, 0,
                     "%d column%s of states, '%s'%s, will be read as numbers "
                     "from this format; write an .arff file to keep states",
                     count, count == 1 ? "" : "s", first,
                     count == 1 ? "" : ", ...");
}

static int write_separated(struct bestdag_table_writer *w, char delimiter)
{
    const struct bestdag_table *t = w->table;
    struct bestdag_buffer head = {.run = w->run};
    char name[32];
    if (!w->is_continued)
        note_numbers(w);
    w->delimiter = delimiter;
    w->quote = quote_csv;
    w->weights = BESTDAG_AS_COLUMN;
    w->missing = t->columns == 1 && !t->weights ? "NA" : "";
    for (int c = 0; c < t->columns; c++) {
        if (c)
            bestdag_buffer_add(&head, &delimiter, 1);
        quote_csv(w, t->column[c].name, &head);
    }
    if (t->weights) {
        name_weights(t, name);
        bestdag_buffer_format(&head, "%c%s", delimiter, name);
    }
    bestdag_buffer_add(&head, "\n", 1);
    if (head.at && !w->is_continued)
        bestdag_sink_write(w->sink, head.at, head.length);
    bestdag_buffer_release(&head);
    return bestdag_write_rows(w);
}

int bestdag_csv_write(struct bestdag_table_writer *w)
{
    return write_separated(w, ',');
}

int bestdag_tsv_write(struct bestdag_table_writer *w)
{
    return write_separated(w, '\t');
}

/* ---- dat ----------------------------------------------------------------- */

static void quote_nothing(const struct bestdag_table_writer *w,
                          const char *text, struct bestdag_buffer *to)
{
    (void)w;
    bestdag_buffer_text(to, text);
}

static int check_dat_word(struct bestdag_run *run, const char *what,
                          const char *word)
{
    const char *bad = *word ? strpbrk(word, " \t\r\n,\"") : word;
    if (!bad && *word != '#' && !is_missing_token(word))
        return BESTDAG_OK;
    return bestdag_fail(
        run, BESTDAG_USAGE,
        "the dat format cannot hold the %s '%s': it has no quotes for blanks, "
        "commas, '#' or marks of missing values",
        what, word);
}

static int check_dat(const struct bestdag_table_writer *w)
{
    for (int i = 0; i < w->table->columns; i++) {
        const struct bestdag_column *c = &w->table->column[i];
        if (c->kind == BESTDAG_NUMBERS)
            return bestdag_fail(w->run, BESTDAG_USAGE,
                                "column '%s' holds numbers, the dat format "
                                "holds states: discretise it first",
                                c->name);
        if (c->kind == BESTDAG_OPAQUE)
            return bestdag_fail(w->run, BESTDAG_USAGE,
                                "column '%s' has no value at all, the dat "
                                "format holds states: leave it out (--ignore)",
                                c->name);
        if (check_dat_word(w->run, "name", c->name))
            return bestdag_run_status(w->run);
        for (int s = 0; s < c->states; s++)
            if (check_dat_word(w->run, "label", c->labels[s]))
                return bestdag_run_status(w->run);
    }
    return BESTDAG_OK;
}

/* The number on the second line: if labels are numbers that count from 0 or 1,
 * up to the largest, even if not all occur. */
static int64_t declared_states(const struct bestdag_column *c)
{
    int64_t most = -1;
    int first = 2;
    for (int s = 0; s < c->states; s++) {
        int64_t code = bestdag_code_of(c->labels[s], strlen(c->labels[s]));
        if (code < 0)
            return c->states;
        most = code > most ? code : most;
        first = code < first ? (int)code : first;
    }
    int64_t needed = first < 2 ? most + 1 - first : 0;
    return needed > c->states ? needed : c->states;
}

static int write_arities(const struct bestdag_table_writer *w)
{
    for (int i = 0; i < w->table->columns; i++) {
        const struct bestdag_column *c = &w->table->column[i];
        int64_t states = declared_states(c);
        if (states > BESTDAG_MOST_STATES)
            return bestdag_fail(w->run, BESTDAG_USAGE,
                                "column '%s' has labels that count up to %lld; "
                                "the dat format holds at most %d states",
                                c->name, (long long)states,
                                BESTDAG_MOST_STATES);
        bestdag_sink_format(w->sink, "%c%lld", i ? ' ' : '\n',
                            (long long)states);
    }
    return BESTDAG_OK;
}

static int write_dat_head(const struct bestdag_table_writer *w)
{
    const struct bestdag_table *t = w->table;
    for (int c = 0; c < t->columns; c++)
        bestdag_sink_format(w->sink, "%s%s", c ? " " : "", t->column[c].name);
    if (!write_arities(w))
        bestdag_sink_text(w->sink, "\n");
    return bestdag_run_status(w->run);
}

int bestdag_dat_write(struct bestdag_table_writer *w)
{
    if (check_dat(w) || (!w->is_continued && write_dat_head(w)))
        return bestdag_run_status(w->run);
    w->delimiter = ' ';
    w->quote = quote_nothing;
    w->weights = BESTDAG_AS_ROWS;
    w->missing = "?";
    return bestdag_write_rows(w);
}

/* ---- arff ---------------------------------------------------------------- */

static bool is_arff_word(const char *text)
{
    if (is_missing_token(text))
        return false;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && !strchr("_-.+<>=/:", *text))
            return false;
    return true;
}

static void quote_arff(const struct bestdag_table_writer *w, const char *text,
                       struct bestdag_buffer *to)
{
    (void)w;
    if (is_arff_word(text)) {
        bestdag_buffer_text(to, text);
        return;
    }
    bestdag_buffer_add(to, "'", 1);
    for (; *text; text++) {
        const char *escape = *text == '\'' || *text == '\\' ? NULL
                             : *text == '\n'                ? "\\n"
                             : *text == '\r'                ? "\\r"
                             : *text == '\t'                ? "\\t"
                                                            : "";
        if (!escape)
            bestdag_buffer_add(to, "\\", 1);
        if (!escape || !*escape)
            bestdag_buffer_add(to, text, 1);
        else
            bestdag_buffer_text(to, escape);
    }
    bestdag_buffer_add(to, "'", 1);
}

static void add_attribute(const struct bestdag_table_writer *w,
                          const struct bestdag_column *c,
                          struct bestdag_buffer *to)
{
    bestdag_buffer_text(to, "@attribute ");
    quote_arff(w, c->name, to);
    if (c->kind == BESTDAG_NUMBERS) {
        bestdag_buffer_text(to, " numeric\n");
        return;
    }
    if (c->kind == BESTDAG_OPAQUE) { /* no value at all */
        bestdag_buffer_text(to, " string\n");
        return;
    }
    for (int s = 0; s < c->states; s++) {
        bestdag_buffer_text(to, s ? "," : " {");
        quote_arff(w, c->labels[s], to);
    }
    bestdag_buffer_text(to, "}\n");
}

int bestdag_arff_write(struct bestdag_table_writer *w)
{
    struct bestdag_buffer head = {.run = w->run};
    bestdag_buffer_text(&head, "@relation table\n\n");
    for (int c = 0; c < w->table->columns; c++)
        add_attribute(w, &w->table->column[c], &head);
    bestdag_buffer_text(&head, "\n@data\n");
    if (head.at && !w->is_continued)
        bestdag_sink_write(w->sink, head.at, head.length);
    bestdag_buffer_release(&head);
    w->delimiter = ',';
    w->quote = quote_arff;
    w->weights = BESTDAG_AS_BRACES;
    w->missing = "?";
    return bestdag_write_rows(w);
}
