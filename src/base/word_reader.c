/* SPDX-License-Identifier: MIT */
/* word_reader.c -- the words of a text file with their lines. A stream: nothing
 * of the file is kept but a block and the word. */
#include "base/word_reader.h"

#include <stdio.h>
#include <string.h>

#include "base/place.h"

enum { BLOCK = 1 << 16 };

bool bestdag_words_start(struct bestdag_word_reader *r)
{
    r->line = r->line_now = 1;
    r->at_line_start = true;
    r->block = bestdag_alloc(r->run, BLOCK);
    return r->block != NULL;
}

void bestdag_words_release(struct bestdag_word_reader *r)
{
    bestdag_free(r->block);
    r->block = NULL;
}

static bool refill(struct bestdag_word_reader *r)
{
    r->at = 0;
    r->size = bestdag_source_read(r->from, r->block, BLOCK);
    if (r->size < 0)
        r->size = 0;
    bestdag_run_watch(r->run, bestdag_source_consumed(r->from));
    return r->size > 0;
}

/* The next byte without stepping on; -1: the end, or a failure. */
static int peek(struct bestdag_word_reader *r)
{
    if (r->at == r->size && !refill(r))
        return -1;
    return (unsigned char)r->block[r->at];
}

static bool is_blank(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* To the next word, or to the end of this line unless `over` it. */
static void skip_blanks(struct bestdag_word_reader *r, bool over)
{
    for (int c; (c = peek(r)) >= 0;) {
        if (c == '#' && (r->comments_anywhere || r->at_line_start)) {
            while ((c = peek(r)) >= 0 && c != '\n')
                r->at++;
        } else if (!is_blank(c) || (c == '\n' && !over))
            return;
        else {
            r->at++;
            r->line_now += c == '\n';
            r->at_line_start |= c == '\n';
        }
    }
}

/* From here up to a blank, a comment or the end. */
static bool take_word(struct bestdag_word_reader *r)
{
    r->line = r->line_now;
    r->length = 0;
    for (int c; (c = peek(r)) >= 0 && !is_blank(c); r->at++) {
        if (c == '#' && r->comments_anywhere)
            break;
        if (r->length == BESTDAG_MOST_WORD)
            return bestdag_misread(r, "a word of more than %d bytes",
                                   BESTDAG_MOST_WORD);
        if (c < ' ')
            return bestdag_misread(r, "a control character: no text file");
        r->word[r->length++] = (char)c;
        r->at_line_start = false;
    }
    r->word[r->length] = 0;
    return !bestdag_run_status(r->run);
}

bool bestdag_next_word(struct bestdag_word_reader *r)
{
    skip_blanks(r, true);
    return take_word(r);
}

bool bestdag_line_word(struct bestdag_word_reader *r)
{
    skip_blanks(r, false);
    return take_word(r);
}

bool bestdag_word_is(const struct bestdag_word_reader *r, const char *text)
{
    return !strcmp(r->word, text);
}

bool bestdag_misread(struct bestdag_word_reader *r, const char *format, ...)
{
    struct bestdag_place at = {r->line, 0};
    va_list list;
    va_start(list, format);
    bestdag_fail_at_list(r->run, bestdag_source_name(r->from), at, format,
                         list);
    va_end(list);
    return false;
}

bool bestdag_expected(struct bestdag_word_reader *r, const char *what)
{
    if (bestdag_run_status(r->run))
        return false;
    if (r->length)
        return bestdag_misread(r, "expected %s, found '%.100s'", what, r->word);
    return bestdag_misread(r, "expected %s, but the %s ends here", what,
                           peek(r) < 0 ? "file" : "line");
}

/* Digits, with at most one minus before them, as printf() writes them. */
static bool parse_integer(const char *text, int64_t *to)
{
    bool negative = *text == '-';
    int64_t x = 0;
    text += negative;
    if (!*text || (*text == '0' && (text[1] || negative)))
        return false;
    for (; *text >= '0' && *text <= '9'; text++)
        if (__builtin_mul_overflow(x, 10, &x) ||
            __builtin_add_overflow(x, *text - '0', &x))
            return false;
    *to = negative ? -x : x;
    return !*text;
}

bool bestdag_this_integer(struct bestdag_word_reader *r, const char *what,
                          int64_t least, int64_t most, int64_t *to)
{
    return (parse_integer(r->word, to) && *to >= least && *to <= most) ||
           bestdag_expected(r, what);
}

bool bestdag_next_integer(struct bestdag_word_reader *r, const char *what,
                          int64_t least, int64_t most, int64_t *to)
{
    return bestdag_line_word(r) &&
           bestdag_this_integer(r, what, least, most, to);
}

bool bestdag_end_line(struct bestdag_word_reader *r)
{
    return bestdag_line_word(r) &&
           (!r->length || bestdag_expected(r, "the end of the line"));
}
