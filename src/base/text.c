/* SPDX-License-Identifier: MIT */
/* text.c -- text: growing buffers, natural order, nearest names, UTF-8. */
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- buffers ------------------------------------------------------------- */

static bool make_room(struct bestdag_buffer *b, size_t more)
{
    if (b->length + more + 1 <= b->room)
        return true;
    size_t room = b->room ? b->room : 64;
    while (room < b->length + more + 1)
        room *= 2;
    char *at = bestdag_realloc(b->run, b->at, room);
    if (!at)
        return false;
    b->at = at;
    b->room = room;
    return true;
}

bool bestdag_buffer_reserve(struct bestdag_buffer *b, size_t n)
{
    return !bestdag_run_status(b->run) && make_room(b, n);
}

void bestdag_buffer_add(struct bestdag_buffer *b, const char *text, size_t n)
{
    if (bestdag_run_status(b->run) || !make_room(b, n))
        return;
    if (n)
        memcpy(b->at + b->length, text, n);
    b->length += n;
    b->at[b->length] = 0;
}

void bestdag_buffer_text(struct bestdag_buffer *b, const char *text)
{
    bestdag_buffer_add(b, text, strlen(text));
}

void bestdag_buffer_format(struct bestdag_buffer *b, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int n = vsnprintf(NULL, 0, format, list);
    if (n >= 0 && !bestdag_run_status(b->run) && make_room(b, (size_t)n)) {
        vsnprintf(b->at + b->length, (size_t)n + 1, format, again);
        b->length += (size_t)n;
    }
    va_end(again);
    va_end(list);
}

char *bestdag_buffer_take(struct bestdag_buffer *b)
{
    bestdag_buffer_add(b, "", 0);
    char *at = b->at;
    b->at = NULL;
    b->length = b->room = 0;
    if (!bestdag_run_status(b->run))
        return at;
    bestdag_free(at);
    return NULL;
}

void bestdag_buffer_release(struct bestdag_buffer *b)
{
    bestdag_free(b->at);
    b->at = NULL;
    b->length = b->room = 0;
}

/* ---- natural order ------------------------------------------------------- */

static int compare_digits(const char **a, const char **b)
{
    const char *x = *a + strspn(*a, "0"), *y = *b + strspn(*b, "0");
    size_t n = strspn(x, "0123456789"), m = strspn(y, "0123456789");
    *a = x + n;
    *b = y + m;
    if (n != m)
        return n < m ? -1 : 1;
    return strncmp(x, y, n);
}

static int compare_chunks(const char *a, const char *b)
{
    while (*a && *b) {
        int order;
        if (*a >= '0' && *a <= '9' && *b >= '0' && *b <= '9')
            order = compare_digits(&a, &b);
        else {
            order = (unsigned char)*a - (unsigned char)*b;
            a++;
            b++;
        }
        if (order)
            return order;
    }
    return (*a != 0) - (*b != 0);
}

int bestdag_natural_compare(const char *a, const char *b)
{
    double x, y;
    bool is_x = bestdag_number_parse(a, strlen(a), &x);
    bool is_y = bestdag_number_parse(b, strlen(b), &y);
    if (is_x != is_y)
        return is_x ? -1 : 1;
    int order = is_x ? (x > y) - (x < y) : 0;
    if (!order) /* also whole numbers that are too long for a double */
        order = compare_chunks(a, b);
    return order ? order : strcmp(a, b);
}

/* ---- nearest names ------------------------------------------------------- */

enum { LONGEST_NAME = 64 };

/* Edits (insert, delete, change, exchange of neighbours) from a to b, case
 * ignored; more than `most` is reported as most + 1. */
static int edits(const char *a, const char *b, int most)
{
    int n = (int)strnlen(a, LONGEST_NAME + 1);
    int m = (int)strnlen(b, LONGEST_NAME + 1);
    int row[3][LONGEST_NAME + 1];
    if (n > LONGEST_NAME || m > LONGEST_NAME || abs(n - m) > most)
        return most + 1;
    for (int j = 0; j <= m; j++)
        row[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *now = row[i % 3], *up = row[(i + 2) % 3],
            *before = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= m; j++) {
            char x = bestdag_lower(a[i - 1]), y = bestdag_lower(b[j - 1]);
            int least = up[j - 1] + (x != y);
            if (up[j] + 1 < least)
                least = up[j] + 1;
            if (now[j - 1] + 1 < least)
                least = now[j - 1] + 1;
            if (i > 1 && j > 1 && x == bestdag_lower(b[j - 2]) &&
                y == bestdag_lower(a[i - 2]) && before[j - 2] + 1 < least)
                least = before[j - 2] + 1;
            now[j] = least;
        }
    }
    return row[n % 3][m] > most ? most + 1 : row[n % 3][m];
}

const char *bestdag_nearest(const char *word, bestdag_name_fn *name,
                            const void *of, int count)
{
    size_t n = strlen(word);
    /* one more than we accept; of a single letter only its case */
    int least = n <= 1 ? 1 : n <= 3 ? 2 : n <= 6 ? 3 : 4;
    const char *best = NULL;
    for (int i = 0; i < count; i++) {
        const char *candidate = name(of, i);
        if (!*candidate)
            continue;
        int distance = edits(word, candidate, least - 1);
        if (distance < least) {
            least = distance;
            best = candidate;
        } else if (!best && n >= 3 && !strncmp(word, candidate, n))
            best = candidate;
    }
    return best;
}

const char *bestdag_suggest(char to[128], const char *nearest)
{
    to[0] = 0;
    if (nearest && strlen(nearest) < 100)
        snprintf(to, 128, ", did you mean '%s'?", nearest);
    return to;
}

const char *bestdag_name_of_list(const void *list, int i)
{
    return ((char *const *)list)[i];
}

size_t bestdag_utf8_valid(const char *text, size_t n)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t i = 0;
    while (i < n) {
        uint64_t eight;
        if (n - i >= sizeof eight) { /* most text is ASCII */
            memcpy(&eight, s + i, sizeof eight);
            if (!(eight & 0x8080808080808080u)) {
                i += sizeof eight;
                continue;
            }
        }
        int more = s[i] < 0x80                    ? 0
                   : s[i] >= 0xc2 && s[i] <= 0xdf ? 1
                   : s[i] >= 0xe0 && s[i] <= 0xef ? 2
                   : s[i] >= 0xf0 && s[i] <= 0xf4 ? 3
                                                  : -1;
        if (more < 0 || i + (size_t)more >= n)
            return i;
        for (int k = 1; k <= more; k++)
            if ((s[i + (size_t)k] & 0xc0) != 0x80)
                return i;
        if ((s[i] == 0xe0 && s[i + 1] < 0xa0) ||
            (s[i] == 0xed && s[i + 1] > 0x9f) ||
            (s[i] == 0xf0 && s[i + 1] < 0x90) ||
            (s[i] == 0xf4 && s[i + 1] > 0x8f))
            return i;
        i += (size_t)more + 1;
    }
    return n;
}

const char *bestdag_name_nearest(const char *word, const char *const *names,
                                 int count)
{
    return bestdag_nearest(word, bestdag_name_of_list, names, count);
}

void bestdag_text_tidy(char *text)
{
    unsigned char *s = (unsigned char *)text;
    size_t n = strlen(text), valid = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == valid)
            valid += bestdag_utf8_valid(text + i, n - i);
        if (s[i] == '\n' || s[i] == '\r' || s[i] == '\t')
            s[i] = ' ';
        else if (s[i] < ' ' || s[i] == 0x7f)
            s[i] = '?';
        else if (s[i] == 0xc2 && i + 1 < valid && s[i + 1] < 0xa0)
            s[i] = s[i + 1] = '?'; /* control characters above ASCII */
        else if (i == valid) {
            s[i] = '?'; /* no UTF-8 */
            valid++;
        }
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int bestdag_text_twice(struct bestdag_run *run, const char *const *texts,
                       int count, const char **twice)
{
    *twice = NULL;
    const char **sorted = bestdag_alloc(run, (size_t)count * sizeof *sorted);
    if (!sorted)
        return bestdag_run_status(run);
    if (count)
        memcpy(sorted, texts, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, by_text);
    for (int i = 1; i < count && !*twice; i++)
        if (!strcmp(sorted[i - 1], sorted[i]))
            *twice = sorted[i];
    bestdag_free(sorted);
    return BESTDAG_OK;
}
