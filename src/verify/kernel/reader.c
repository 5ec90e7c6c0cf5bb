/* SPDX-License-Identifier: MIT */
/* words.c -- the words of a text file with their lines. A stream: nothing of
 * the file is kept but a block and the word. */
#include "verify/kernel/reader.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { BLOCK = 1 << 16 };

int bestdag_words_start(struct kernel_reader *w, struct bestdag_run *run,
                        struct bestdag_source *from)
{
    w->run = run;
    w->from = from;
    w->line = w->now = 1;
    w->fresh = true;
    w->block = bestdag_alloc(run, BLOCK);
    return w->block ? BESTDAG_OK : BESTDAG_MEMORY;
}

void bestdag_words_release(struct kernel_reader *w)
{
    bestdag_free(w->block);
    w->block = NULL;
}

static bool refill(struct kernel_reader *w)
{
    w->at = 0;
    w->size = bestdag_source_read(w->from, w->block, BLOCK);
    if (w->size <= 0)
        w->size = 0;
    bestdag_run_watch(w->run, bestdag_source_consumed(w->from));
    return w->size > 0;
}

/* The next byte without stepping on; -1: the end, or a failure. */
static int peek(struct kernel_reader *w)
{
    if (w->at == w->size && !refill(w))
        return -1;
    return (unsigned char)w->block[w->at];
}

static bool is_blank(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_comment(struct kernel_reader *w)
{
    for (int c; (c = peek(w)) >= 0 && c != '\n';)
        w->at++;
}

/* To the next word, or to the end of this line unless `over` it. */
static void skip_blanks(struct kernel_reader *w, bool over)
{
    for (int c; (c = peek(w)) >= 0;) {
        if (c == '#' && (w->comments_anywhere || w->fresh))
            skip_comment(w);
        else if (!is_blank(c) || (c == '\n' && !over))
            return;
        else {
            w->at++;
            w->now += c == '\n';
            w->fresh |= c == '\n';
        }
    }
}

static bool ends_word(const struct kernel_reader *w, int c)
{
    return c < 0 || is_blank(c) || (c == '#' && w->comments_anywhere);
}

static int take_word(struct kernel_reader *w)
{
    w->line = w->now;
    w->length = 0;
    for (int c; !ends_word(w, c = peek(w)); w->at++) {
        if (c == '\n')
            break;
        if (w->length == BESTDAG_MOST_WORD)
            return bestdag_words_fail(w, "a word of more than %d bytes",
                                      BESTDAG_MOST_WORD);
        if (c < ' ')
            return bestdag_words_fail(w, "a control character: no text file");
        w->word[w->length++] = (char)c;
        w->fresh = false;
    }
    w->word[w->length] = 0;
    return bestdag_run_status(w->run);
}

int bestdag_words_next(struct kernel_reader *w)
{
    skip_blanks(w, true);
    return take_word(w);
}

int bestdag_words_more(struct kernel_reader *w)
{
    skip_blanks(w, false);
    if (peek(w) != '\n')
        return take_word(w);
    w->line = w->now;
    w->length = 0;
    w->word[0] = 0;
    return bestdag_run_status(w->run);
}

bool bestdag_words_are(const struct kernel_reader *w, const char *text)
{
    return !strcmp(w->word, text);
}

int bestdag_words_fail(struct kernel_reader *w, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return bestdag_fail(w->run, BESTDAG_INPUT, "%s:%lld: %s",
                        bestdag_source_name(w->from), (long long)w->line, text);
}

int bestdag_words_expected(struct kernel_reader *w, const char *what)
{
    int status = bestdag_run_status(w->run);
    if (status)
        return status;
    if (w->length)
        return bestdag_words_fail(w, "expected %s, found '%.100s'", what,
                                  w->word);
    return bestdag_words_fail(w, "expected %s, but the %s ends here", what,
                              peek(w) < 0 ? "file" : "line");
}

bool bestdag_words_whole(const char *text, int64_t *to)
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

int bestdag_words_integer(struct kernel_reader *w, const char *what,
                          int64_t least, int64_t most, int64_t *to)
{
    if (bestdag_words_more(w))
        return bestdag_run_status(w->run);
    if (!bestdag_words_whole(w->word, to) || *to < least || *to > most)
        return bestdag_words_expected(w, what);
    return BESTDAG_OK;
}

int bestdag_words_end_line(struct kernel_reader *w)
{
    if (bestdag_words_more(w))
        return bestdag_run_status(w->run);
    return w->length ? bestdag_words_expected(w, "the end of the line")
                     : BESTDAG_OK;
}
