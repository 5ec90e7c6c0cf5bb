/* SPDX-License-Identifier: MIT */
/* settings.c -- the options of the group "table", checked and parsed. */
#include "data/text/settings.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "data/missing.h"
#include "data/text/read.h"

static const char *format_name(int i)
{
    const struct bestdag_table_format *f = bestdag_table_format_at(i);
    return f ? f->name : NULL;
}

static const struct bestdag_option option_rows[] = {
    {"input-format", BESTDAG_CHOICE, "auto", .choices = "auto",
     .names = format_name, .value = "FORMAT",
     .help = "format of the table; auto: by suffix and content"},
    {"no-header", BESTDAG_FLAG, "no",
     .help =
         "the first line is a row, not names; columns are called V1, V2, ..."},
    {"delimiter", BESTDAG_TEXT, .value = "C",
     .help =
         "field separator: one character, tab or blank; detected by default"},
    {"decimal", BESTDAG_CHOICE, ".", .choices = ".|,", .value = "C",
     .help = "decimal separator of numbers, . or ,"},
    {"na", BESTDAG_TEXT, ",NA,?,NaN,<NA>", .value = "LIST",
     .help = "unquoted fields that mean a missing value, separated by commas; "
             "the first of the default is the empty field"},
    {"missing", BESTDAG_CHOICE, "drop", .names = bestdag_missing_policy,
     .value = "HOW",
     .help =
         "rows with missing values: drop leaves them out, state makes "
         "'missing' a state, em and available (learn, fit) use what they "
         "have, keep leaves them missing; error rejects the file; em is "
         "expectation-maximisation by exact inference, available (score, too) "
         "uses for each family the rows that have it"},
    {"arity", BESTDAG_CHOICE, "observed", .choices = "observed|declared",
     .value = "WHICH",
     .help = "states of a column: observed, the states that occur, or "
             "declared, also those that the file only declares (arff, dat)"},
    {"max-states", BESTDAG_INTEGER, "100", 2, 65534, .value = "N",
     .help = "a column of more distinct numbers than this is numeric, not "
             "states; the limit is 10 if some have fractions"},
    {"ignore", BESTDAG_TEXT, .value = "LIST",
     .help = "columns to ignore, separated by commas"},
    {"as-states", BESTDAG_TEXT, .value = "LIST",
     .help = "columns whose values are states, however many numbers they are; "
             "separated by commas"},
    {"as-numbers", BESTDAG_TEXT, .value = "LIST",
     .help = "columns that hold numbers, however few; separated by commas"},
    {"weights", BESTDAG_TEXT, .value = "COLUMN",
     .help = "column with the weight of each row (whole numbers)"},
    {"rows-by-rank", BESTDAG_FLAG, "no",
     .help = "DATA is a pattern such as 'part-*.csv.gz', in quotes: the rows "
             "of all its files, in the order of their names; each rank of "
             "mpirun reads some of the files, or its part of one plain file, "
             "and counts are summed (learn, score, fit)"},
    {0}};
const struct bestdag_option_group bestdag_table_options = {"table",
                                                           option_rows};

/* Takes one word, quoted or up to a comma, and skips that comma. */
static char *take_word(struct bestdag_run *run, const char **text)
{
    struct bestdag_buffer word = {.run = run};
    const char *p = *text;
    if (*p == '"' && strchr(p + 1, '"'))
        for (p++; *p && !(*p == '"' && p[1] != '"'); p++) {
            bestdag_buffer_add(&word, p, 1);
            p += *p == '"';
        }
    size_t rest = strcspn(p + (*p == '"'), ",");
    p += *p == '"';
    bestdag_buffer_add(&word, p, rest);
    *text = p + rest;
    return bestdag_buffer_take(&word);
}

static int take_words(struct bestdag_run *run, const char *text,
                      struct bestdag_words *to)
{
    for (;; text++) {
        char **word = bestdag_realloc(
            run, to->word, ((size_t)to->count + 1) * sizeof *to->word);
        if (!word)
            return bestdag_run_status(run);
        to->word = word;
        word[to->count] = take_word(run, &text);
        if (!word[to->count])
            return bestdag_run_status(run);
        to->count++;
        if (!*text)
            return BESTDAG_OK;
    }
}

/* Takes the names of an option that lists columns; none if it is not given. */
static int take_columns(struct bestdag_run *run,
                        const struct bestdag_options *options, const char *key,
                        struct bestdag_words *to)
{
    const char *text =
        bestdag_option_value(options, &bestdag_table_options, key).text;
    return text && *text ? take_words(run, text, to) : BESTDAG_OK;
}

static void release_words(struct bestdag_words *words)
{
    for (int i = 0; i < words->count; i++)
        bestdag_free(words->word[i]);
    bestdag_free(words->word);
    *words = (struct bestdag_words){0};
}

static int take_delimiter(struct bestdag_run *run, const char *text, char *to)
{
    if (!text)
        return BESTDAG_OK;
    if (!strcmp(text, "tab") || !strcmp(text, "\\t"))
        *to = '\t';
    else if (!strcmp(text, "blank") || !strcmp(text, "space"))
        *to = ' ';
    else if (strlen(text) == 1 && !strchr("\"\r\n", *text) &&
             !isalnum((unsigned char)*text) && (signed char)*text > 0)
        *to = *text;
    else
        return bestdag_fail(run, BESTDAG_USAGE,
                            "delimiter: '%s' is not a single character such as "
                            ", ; | or the word tab or blank",
                            text);
    return BESTDAG_OK;
}

int bestdag_settings_init(struct bestdag_settings *s, struct bestdag_run *run,
                          const struct bestdag_options *options)
{
    *s = (struct bestdag_settings){
        .format = bestdag_option_value(options, &bestdag_table_options,
                                       "input-format")
                      .text,
        .missing =
            bestdag_option_value(options, &bestdag_table_options, "missing")
                .text,
        .weights =
            bestdag_option_value(options, &bestdag_table_options, "weights")
                .text,
        .header =
            !bestdag_option_value(options, &bestdag_table_options, "no-header")
                 .integer,
        .decimal =
            bestdag_option_value(options, &bestdag_table_options, "decimal")
                .text[0],
        .most_states = (int)bestdag_option_value(
                           options, &bestdag_table_options, "max-states")
                           .integer};
    s->declared = !strcmp(
        bestdag_option_value(options, &bestdag_table_options, "arity").text,
        "declared");
    if (take_delimiter(
            run,
            bestdag_option_value(options, &bestdag_table_options, "delimiter")
                .text,
            &s->delimiter) ||
        take_words(
            run,
            bestdag_option_value(options, &bestdag_table_options, "na").text,
            &s->na) ||
        take_columns(run, options, "ignore", &s->ignore) ||
        take_columns(run, options, "as-states", &s->as_states) ||
        take_columns(run, options, "as-numbers", &s->as_numbers))
        return bestdag_run_status(run);
    return BESTDAG_OK;
}

void bestdag_settings_release(struct bestdag_settings *s)
{
    release_words(&s->na);
    release_words(&s->ignore);
    release_words(&s->as_states);
    release_words(&s->as_numbers);
}

bool bestdag_settings_is_missing(const struct bestdag_settings *s,
                                 const char *text, size_t n)
{
    for (int i = 0; i < s->na.count; i++)
        if (strlen(s->na.word[i]) == n && !memcmp(s->na.word[i], text, n))
            return true;
    return false;
}

bool bestdag_settings_number(const struct bestdag_settings *s, const char *text,
                             size_t n, double *to)
{
    char copy[64];
    if (s->decimal != ',')
        return bestdag_number_parse(text, n, to);
    if (n > sizeof copy || memchr(text, '.', n))
        return false;
    memcpy(copy, text, n);
    char *comma = memchr(copy, ',', n);
    if (comma)
        *comma = '.';
    return bestdag_number_parse(copy, n, to);
}

const char *bestdag_delimiter_name(char delimiter, char to[16])
{
    static const struct {
        char sign;
        const char *name;
    } names[] = {
        {',', "commas"}, {';', "semicolons"}, {'\t', "tabs"}, {' ', "blanks"}};
    snprintf(to, 16, "'%c'", delimiter);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].sign == delimiter)
            return names[i].name;
    return to;
}
