/* SPDX-License-Identifier: MIT */
/* states.c -- changes the states and rows of a table that is being built, in
 * place, one column at a time. */
#include "data/states.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static void recode_bytes(uint8_t *cells, int64_t rows, const uint16_t *to,
                         int states)
{
    uint8_t map[256];
    memset(map, BESTDAG_MISSING_1, sizeof map);
    for (int s = 0; s < states; s++)
        map[s] = (uint8_t)to[s];
    for (int64_t r = 0; r < rows; r++)
        cells[r] = map[cells[r]];
}

/* Recodes from the first row on if cells shrink, from the last if they grow. */
static void recode_any(struct bestdag_column *c, int64_t rows,
                       const uint16_t *to, int bytes)
{
    bool up = bytes > c->bytes;
    for (int64_t i = 0; i < rows; i++) {
        int64_t r = up ? rows - 1 - i : i;
        int old = bestdag_column_code(c, r);
        if (bytes == 1)
            ((uint8_t *)c->cells)[r] =
                old < 0 ? BESTDAG_MISSING_1 : (uint8_t)to[old];
        else
            ((uint16_t *)c->cells)[r] = old < 0 ? BESTDAG_MISSING_2 : to[old];
    }
}

static int resize(struct bestdag_run *run, struct bestdag_column *c,
                  int64_t rows, int bytes)
{
    void *cells = bestdag_realloc(run, c->cells, (size_t)rows * (size_t)bytes);
    if (!cells)
        return bestdag_run_status(run);
    c->cells = cells;
    return BESTDAG_OK;
}

int bestdag_column_recode(struct bestdag_run *run, struct bestdag_column *c,
                          int64_t rows, const uint16_t *to, int bytes)
{
    if (bytes > c->bytes && resize(run, c, rows, bytes))
        return bestdag_run_status(run);
    if (bytes == 1 && c->bytes == 1)
        recode_bytes(c->cells, rows, to, c->states);
    else
        recode_any(c, rows, to, bytes);
    bool shrinks = bytes < c->bytes;
    c->bytes = bytes;
    return shrinks ? resize(run, c, rows, bytes) : BESTDAG_OK;
}

/* Sets seen[s] for the states that occur. */
static int find_seen(const struct bestdag_column *c, int64_t rows,
                     uint8_t *seen)
{
    int count = 0;
    for (int64_t r = 0; r < rows && count < c->states; r++) {
        int code = bestdag_column_code(c, r);
        if (code >= 0 && !seen[code]) {
            seen[code] = 1;
            count++;
        }
    }
    return count;
}

int bestdag_column_keep_states(struct bestdag_run *run,
                               struct bestdag_column *c, int64_t rows,
                               const uint8_t *seen)
{
    uint16_t *to = bestdag_alloc(run, (size_t)c->states * sizeof *to);
    int kept = 0, count = 0;
    for (int s = 0; to && s < c->states; s++)
        count += seen[s];
    if (count && count < c->states) {
        for (int s = 0; s < c->states; s++) {
            to[s] = (uint16_t)kept;
            kept += seen[s];
        }
        assert(kept == count);
        int bytes = bestdag_code_bytes(count);
        if (!bestdag_column_recode(run, c, rows, to, bytes)) {
            for (int s = 0; s < c->states; s++)
                if (seen[s])
                    c->labels[to[s]] = c->labels[s];
                else
                    bestdag_free(c->labels[s]);
            c->states = count;
        }
    }
    bestdag_free(to);
    return bestdag_run_status(run);
}

int bestdag_column_prune(struct bestdag_run *run, struct bestdag_column *c,
                         int64_t rows)
{
    uint8_t *seen = bestdag_calloc(run, (size_t)c->states, 1);
    if (seen && find_seen(c, rows, seen) < c->states)
        bestdag_column_keep_states(run, c, rows, seen);
    bestdag_free(seen);
    return bestdag_run_status(run);
}

int bestdag_table_prune(struct bestdag_run *run, struct bestdag_table *table)
{
    for (int c = 0; c < table->columns; c++)
        if (table->column[c].states &&
            bestdag_column_prune(run, &table->column[c], table->rows))
            return bestdag_run_status(run);
    return BESTDAG_OK;
}

/* Moves the kept cells to the front. `bytes` is a constant at every call. */
static inline void pack_cells(char *cells, size_t bytes, int64_t rows,
                              const uint8_t *gone)
{
    char *to = cells;
    for (int64_t r = 0; r < rows; r++) {
        memmove(to, cells + (size_t)r * bytes, bytes);
        to += gone[r] ? 0 : bytes;
    }
}

static void pack(void *cells, int bytes, int64_t rows, const uint8_t *gone)
{
    switch (bytes) {
    case 1:
        pack_cells(cells, 1, rows, gone);
        break;
    case 2:
        pack_cells(cells, 2, rows, gone);
        break;
    case 4:
        pack_cells(cells, 4, rows, gone);
        break;
    default:
        pack_cells(cells, 8, rows, gone);
        break;
    }
}

static int64_t count_missing(const struct bestdag_column *c, int64_t rows)
{
    int64_t missing = 0;
    for (int64_t r = 0; r < rows; r++)
        missing += c->kind == BESTDAG_NUMBERS
                       ? isnan(((const double *)c->cells)[r]) != 0
                       : bestdag_column_code(c, r) < 0;
    return missing;
}

int bestdag_table_drop(struct bestdag_run *run, struct bestdag_table *table,
                       const uint8_t *gone)
{
    int64_t rows = table->rows, kept = 0;
    for (int64_t r = 0; r < rows; r++)
        kept += !gone[r];
    for (int i = 0; i < table->columns; i++) {
        struct bestdag_column *c = &table->column[i];
        if (!c->cells)
            continue;
        pack(c->cells, c->bytes, rows, gone);
        if (resize(run, c, kept, c->bytes))
            return bestdag_run_status(run);
        if (c->missing)
            c->missing = count_missing(c, kept);
    }
    assert(kept <= rows);
    table->rows = table->total = kept;
    if (table->weights) {
        pack(table->weights, sizeof(int32_t), rows, gone);
        table->total = 0;
        for (int64_t r = 0; r < kept; r++) {
            assert(table->weights[r] >= 0);
            table->total += table->weights[r];
        }
    }
    return BESTDAG_OK;
}

int64_t bestdag_code_of(const char *label, size_t n)
{
    int64_t code = 0;
    if (!n || n > 15 || (n > 1 && *label == '0'))
        return -1;
    for (size_t i = 0; i < n; i++) {
        if (label[i] < '0' || label[i] > '9')
            return -1;
        code = 10 * code + (label[i] - '0');
    }
    return code;
}
