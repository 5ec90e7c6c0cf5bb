/* SPDX-License-Identifier: MIT */
/* page_numbers.c -- the tables of a network as texts of the page.
 *
 * Probabilities are exact, since the page computes with them: decimals with
 * blanks between them, or, where that is shorter, '*' and the eight bytes of
 * each number, the lowest first, in base 64 (RFC 4648). Counts are decimals.
 * Tables that are too large for a page are cut: see bestdag_page_rows(). */
#include <string.h>

#include "report/page.h"

enum {
    MOST_NUMBERS = 4096,  /* of one table, where tables are cut */
    ALL_NUMBERS = 1000000 /* of all tables: about 11 MB of a page */
};

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv"
                             "wxyz0123456789+/";

bool bestdag_page_is_whole(const struct bestdag_network *net)
{
    int widest;
    int64_t most;
    return bestdag_network_entries(net, &widest, &most) <= ALL_NUMBERS;
}

int64_t bestdag_page_rows(const struct bestdag_network *net, int v)
{
    const struct bestdag_variable *x = &net->variable[v];
    int64_t rows = x->table ? bestdag_network_configurations(net, v) : 0;
    int64_t numbers = ALL_NUMBERS / net->dag->n;
    if (rows <= 0)
        return 0;
    if (bestdag_page_is_whole(net))
        return rows;
    numbers = numbers > MOST_NUMBERS ? MOST_NUMBERS : numbers;
    int64_t most = numbers / x->states;
    most = most < 16 ? 16 : most;
    return rows < most ? rows : most;
}

/* Byte i of the numbers. */
static unsigned byte_of(const double *numbers, int64_t i)
{
    uint64_t bits;
    memcpy(&bits, &numbers[i / 8], sizeof bits);
    return (unsigned)(bits >> (8 * (i % 8))) & 255;
}

static void put_base64(struct bestdag_buffer *to, const double *numbers,
                       int64_t count)
{
    bestdag_buffer_text(to, "*");
    for (int64_t i = 0; i < 8 * count; i += 3) {
        int bytes = 8 * count - i < 3 ? (int)(8 * count - i) : 3;
        unsigned bits = 0;
        char four[4];
        for (int k = 0; k < 3; k++)
            bits = bits << 8 | (k < bytes ? byte_of(numbers, i + k) : 0);
        for (int k = 0; k < 4; k++)
            four[k] = k <= bytes ? DIGITS[bits >> (18 - 6 * k) & 63] : '=';
        bestdag_buffer_add(to, four, 4);
    }
}

void bestdag_page_add_numbers(struct bestdag_json_writer *w,
                              const double *numbers, int64_t count)
{
    struct bestdag_buffer decimal = {.run = w->out.run}, packed = decimal;
    size_t most = 11 * (size_t)count; /* of base 64, about */
    char text[BESTDAG_NUMBER_ROOM];
    for (int64_t i = 0; i < count && decimal.length <= most; i++) {
        bestdag_number_format(numbers[i], text);
        bestdag_buffer_text(&decimal, i ? " " : "");
        bestdag_buffer_text(&decimal, text);
    }
    if (decimal.length > most)
        put_base64(&packed, numbers, count);
    const char *shorter = packed.at ? packed.at : decimal.at;
    bestdag_json_add_text(w, NULL, shorter ? shorter : "");
    bestdag_buffer_release(&decimal);
    bestdag_buffer_release(&packed);
}

void bestdag_page_add_counts(struct bestdag_json_writer *w,
                             const int64_t *counts, int64_t count)
{
    struct bestdag_buffer text = {.run = w->out.run};
    for (int64_t i = 0; counts && i < count; i++)
        bestdag_buffer_format(&text, "%s%lld", i ? " " : "",
                              (long long)counts[i]);
    bestdag_json_add_text(w, NULL, text.at ? text.at : "");
    bestdag_buffer_release(&text);
}
