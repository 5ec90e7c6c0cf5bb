/* SPDX-License-Identifier: MIT */
/* digest.c -- one hash of the contents of a table, the same on every machine.
 *
 * SHA-256 of these bytes; integers are unsigned and little-endian, a text is
 * its length in bytes (8 bytes) and then its bytes, without a 0:
 *
 *     "bestdag table 1\n"            16 bytes
 *     rows                           8 bytes
 *     columns                        8 bytes
 *     for each column, in order:
 *         name                       text
 *         kind                       1 byte: 'c' codes, 'n' numbers, 'o' opaque
 *         of codes:
 *             states                 8 bytes
 *             labels, in order       texts
 *             codes, row by row      1 byte each up to 255 states, else 2;
 *                                    missing: all bits set
 *         of numbers:
 *             numbers, row by row    8 bytes each: IEEE 754 binary64; missing:
 *                                    0x7ff8000000000000; -0 is written as 0
 *         of opaque columns:
 *             distinct values seen   8 bytes
 *     weights                        1 byte: 0 if every row counts once,
 *                                    else 1 and 4 bytes for each row
 *
 * So the digest depends on the order of columns, states and rows, and on how
 * rows are weighted (a collapsed table has another one); not on the file format
 * or on how a weight of 1 is stored. */
#include "data/digest.h"

#include <math.h>
#include <string.h>

#include "data/shards.h"

enum { BLOCK = 8192 }; /* values turned into bytes at a time */

static void add_integer(struct bestdag_sha256 *s, uint64_t x)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(x >> (8 * i));
    bestdag_sha256_update(s, bytes, sizeof bytes);
}

static void add_text(struct bestdag_sha256 *s, const char *text)
{
    size_t n = strlen(text);
    add_integer(s, n);
    bestdag_sha256_update(s, text, n);
}

/* The bits of a cell as they are hashed. */
static uint64_t cell_bits(const struct bestdag_column *c, int64_t row)
{
    if (c->kind == BESTDAG_CODES)
        return c->bytes == 1 ? ((const uint8_t *)c->cells)[row]
                             : ((const uint16_t *)c->cells)[row];
    double x = ((const double *)c->cells)[row];
    uint64_t bits = 0;
    if (isnan(x))
        return 0x7ff8000000000000u;
    if (x != 0)
        memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Adds values from a row on, as they are hashed. */
static void add_values(struct bestdag_sha256 *s, const struct bestdag_column *c,
                       int64_t from, int64_t n)
{
    uint8_t bytes[BLOCK * 8], *to = bytes;
    size_t width = (size_t)c->bytes;
    for (int64_t r = 0; r < n; r++) {
        uint64_t bits = cell_bits(c, from + r);
        for (size_t b = 0; b < width; b++)
            *to++ = (uint8_t)(bits >> (8 * b));
    }
    bestdag_sha256_update(s, bytes, (size_t)n * width);
}

/* Returns false if stopped. */
static bool add_cells(struct bestdag_run *run, struct bestdag_sha256 *s,
                      const struct bestdag_column *c, int64_t rows)
{
    for (int64_t from = 0; from < rows; from += BLOCK) {
        int64_t n = rows - from < BLOCK ? rows - from : BLOCK;
        if (c->bytes == 1) /* the cells are the bytes already */
            bestdag_sha256_update(s, (const uint8_t *)c->cells + from,
                                  (size_t)n);
        else
            add_values(s, c, from, n);
        if (bestdag_run_watch(run, run->now.done))
            return false;
    }
    return true;
}

static bool add_column(struct bestdag_run *run, struct bestdag_sha256 *s,
                       const struct bestdag_table *table, int column)
{
    const struct bestdag_column *c = &table->column[column];
    add_text(s, c->name);
    bestdag_sha256_update(s, &"cno"[c->kind], 1);
    if (c->kind == BESTDAG_OPAQUE) {
        add_integer(s, (uint64_t)c->distinct);
        return true;
    }
    if (c->kind == BESTDAG_CODES) {
        add_integer(s, (uint64_t)c->states);
        for (int l = 0; l < c->states; l++)
            add_text(s, c->labels[l]);
    }
    return table->shards ? !bestdag_shards_hash(run, table, column, s)
                         : add_cells(run, s, c, table->rows);
}

static void add_weights(struct bestdag_run *run, struct bestdag_sha256 *s,
                        const struct bestdag_table *t)
{
    uint8_t is_weighted = 0;
    for (int64_t r = 0; t->weights && r < t->rows && !is_weighted; r++)
        is_weighted = t->weights[r] != 1;
    if (t->shards)
        is_weighted = t->shards->is_weighted;
    bestdag_sha256_update(s, &is_weighted, 1);
    if (t->shards) {
        if (is_weighted)
            bestdag_shards_hash(run, t, -1, s);
        return;
    }
    for (int64_t r = 0; is_weighted && r < t->rows; r++) {
        uint32_t w = (uint32_t)t->weights[r];
        uint8_t bytes[4] = {(uint8_t)w, (uint8_t)(w >> 8), (uint8_t)(w >> 16),
                            (uint8_t)(w >> 24)};
        bestdag_sha256_update(s, bytes, sizeof bytes);
    }
}

int bestdag_table_digest(struct bestdag_run *run,
                         const struct bestdag_table *table,
                         char hex[BESTDAG_SHA256_HEX])
{
    struct bestdag_sha256 s;
    hex[0] = 0;
    if (bestdag_run_status(run))
        return bestdag_run_status(run);
    if (!table)
        return bestdag_fail(run, BESTDAG_USAGE, "there is no table");
    bestdag_sha256_init(&s);
    bestdag_sha256_update(&s, "bestdag table 1\n", 16);
    add_integer(&s, (uint64_t)table->rows);
    add_integer(&s, (uint64_t)table->columns);
    bestdag_run_phase(run, "hashing", table->columns);
    for (int c = 0; c < table->columns; c++) {
        run->now.done = c;
        if (!add_column(run, &s, table, c))
            return bestdag_fail(run, BESTDAG_FAILED,
                                "stopped before the table was hashed");
    }
    add_weights(run, &s, table);
    bestdag_sha256_hex(&s, hex);
    return BESTDAG_OK;
}

int bestdag_table_digest_unstopped(struct bestdag_run *run,
                                   const struct bestdag_table *table,
                                   char hex[BESTDAG_SHA256_HEX])
{
    struct bestdag_run *unlimited = bestdag_run_new(); /* has no limits */
    hex[0] = 0;
    if (!unlimited || bestdag_table_digest(unlimited, table, hex))
        bestdag_fail(
            run, unlimited ? bestdag_run_status(unlimited) : BESTDAG_MEMORY,
            "%s", unlimited ? bestdag_run_error(unlimited) : "out of memory");
    bestdag_run_free(unlimited);
    return bestdag_run_status(run);
}
