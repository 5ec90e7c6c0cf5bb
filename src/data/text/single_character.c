/* SPDX-License-Identifier: MIT */
/* single_character.c -- the fast path: rows whose fields are all one character.
 *
 * Such rows all have the same length, so a run of them is a stream of pairs
 * (character, separator). A tile of rows is checked and its characters packed
 * in one loop that compilers turn into vector code; then each column is read
 * out of the tile through its own table from character to code:
 *
 *     1,0,2\n1,1,0\n  ->  102 110  ->  column 0: 1 1, column 1: 0 1, ...
 *
 * A character that a column has not seen yet goes through the dictionary once.
 * Any row that is not of this shape is left to the general splitter. */
#include "data/text/single_character.h"

enum {
    TILE_ROWS = 256,
    STRIP = 64,   /* columns copied out of wide rows at a time */
    UNKNOWN = 254 /* not in the table: not seen yet, or a code of that value */
};

void bestdag_single_character_release(struct bestdag_single_character *fast)
{
    bestdag_free(fast->code);
    bestdag_free(fast->packed);
    bestdag_free(fast->field);
    *fast = (struct bestdag_single_character){0};
}

static int64_t tile_rows(const struct bestdag_table_builder *g)
{
    int64_t rows = (1 << 21) / g->count;
    return rows > TILE_ROWS ? TILE_ROWS : rows > 0 ? rows : 1;
}

static int prepare(struct bestdag_single_character *fast,
                   struct bestdag_table_builder *g)
{
    if (fast->field)
        return BESTDAG_OK;
    size_t columns = (size_t)g->count;
    fast->rows = tile_rows(g);
    fast->code = bestdag_alloc(g->run, columns * 256);
    if (!fast->code)
        return bestdag_run_status(g->run);
    memset(fast->code, UNKNOWN, columns * 256);
    fast->packed = bestdag_alloc(g->run, columns * (size_t)fast->rows + STRIP);
    if (!fast->packed)
        return bestdag_run_status(g->run);
    fast->field =
        bestdag_calloc(g->run, (size_t)fast->rows, sizeof *fast->field);
    return bestdag_run_status(g->run);
}

/* ---- checking and packing ------------------------------------------------ */

/* The result for a run of pairs: errors, and the number of line breaks. */
struct pairs {
    uint8_t wrong;
    int64_t breaks;
};

/* A visible ASCII character other than quote and delimiter is a field. */
static inline uint8_t is_no_field(uint8_t c, uint8_t delimiter)
{
    return (uint8_t)(((uint8_t)(c - '!') > '~' - '!') | (c == '"') |
                     (c == delimiter));
}

static void pack_pairs(const uint8_t *from, size_t n, uint8_t delimiter,
                       uint8_t *to, struct pairs *found)
{
    uint8_t wrong = 0, breaks = 0;
    for (size_t i = 0; i < n; i++) {
        uint8_t field = from[2 * i], after = from[2 * i + 1];
        to[i] = field;
        wrong |= is_no_field(field, delimiter);
        wrong |= (uint8_t)((after != delimiter) & (after != '\n'));
        breaks = (uint8_t)(breaks + (after == '\n'));
    }
    found->wrong |= wrong;
    found->breaks += breaks;
}

/* Packs n pairs that should be whole rows; true if exactly `rows` line breaks
 * are among them (those at the ends of rows are known). */
static bool pack_run(const uint8_t *from, size_t n, uint8_t delimiter,
                     uint8_t *to, int64_t rows)
{
    enum { STEP = 128 }; /* fewer line breaks than a byte can count */
    struct pairs found = {0};
    size_t i = 0;
    for (; i + STEP <= n; i += STEP)
        pack_pairs(from + 2 * i, STEP, delimiter, to + i, &found);
    pack_pairs(from + 2 * i, n - i, delimiter, to + i, &found);
    return !found.wrong && found.breaks == rows;
}

/* The shape of the rows at the front of the window. */
struct shape {
    size_t length; /* of a row, with its line break */
    bool crlf;
    int64_t rows; /* number of rows that seem to have this shape */
};

static struct shape look(const struct bestdag_table_builder *g, int64_t most)
{
    const struct bestdag_window *w = g->window;
    const char *p = w->bytes + w->at;
    size_t left = w->end - w->at, n = 2 * (size_t)g->count;
    struct shape s = {0};
    if (left <= n)
        return s;
    s.crlf = p[n - 1] == '\r';
    s.length = n + s.crlf;
    char comment = g->dialect->comment;
    while (s.rows < most && left >= s.length && p[s.length - 1] == '\n' &&
           !(comment && *p == comment)) {
        s.rows++;
        left -= s.length;
        p += s.length;
    }
    return s;
}

static bool pack(const struct bestdag_table_builder *g, struct shape s,
                 uint8_t *packed)
{
    const uint8_t *from = (const uint8_t *)g->window->bytes + g->window->at;
    uint8_t delimiter = (uint8_t)g->dialect->delimiter;
    size_t columns = (size_t)g->count;
    if (!s.crlf)
        return pack_run(from, columns * (size_t)s.rows, delimiter, packed,
                        s.rows);
    for (int64_t r = 0; r < s.rows; r++, from += s.length, packed += columns) {
        uint8_t last = from[2 * columns - 2];
        if (from[2 * columns - 1] != '\r' || is_no_field(last, delimiter) ||
            !pack_run(from, columns - 1, delimiter, packed, 0))
            return false;
        packed[columns - 1] = last;
    }
    return true;
}

/* ---- columns ------------------------------------------------------------- */

/* A tile of rows: character of row r and column c at [r * stride + c]. */
struct tile {
    const uint8_t *at;
    size_t stride;
    struct shape shape;
};

static struct bestdag_field field_at(const struct bestdag_table_builder *g,
                                     int column, int64_t row,
                                     const struct tile *tile)
{
    size_t at =
        g->window->at + (size_t)row * tile->shape.length + 2 * (size_t)column;
    return (struct bestdag_field){.at = (uint32_t)at, .length = 1};
}

/* Adds each character once to the dictionary, in natural order (digits first),
 * so that codes mostly need no renumbering at the end. The cells are
 * overwritten afterwards. */
static int add_in_order(struct bestdag_single_character *fast,
                        struct bestdag_table_builder *g, int column,
                        const uint8_t *at, const struct tile *tile)
{
    static const char digits[] = "0123456789";
    int64_t first[256] = {0}; /* 1 + the row where a character is first */
    int64_t count = 0;
    for (int64_t r = tile->shape.rows; r > 0; r--)
        first[at[(size_t)(r - 1) * tile->stride]] = r;
    for (int i = -10; i < 256; i++) {
        int64_t *row = &first[i < 0 ? digits[10 + i] : i];
        if (*row)
            fast->field[count++] = field_at(g, column, *row - 1, tile);
        *row = 0;
    }
    struct bestdag_cells cells = {fast->field, 1, count};
    return bestdag_table_builder_add(g, column, cells);
}

/* Adds cells through the dictionary, and stores the codes in the table. */
static int add_slowly(struct bestdag_single_character *fast,
                      struct bestdag_table_builder *g, int column,
                      const uint8_t *at, const struct tile *tile)
{
    const struct bestdag_column_builder *s = &g->column[column];
    bool small = s->kind == BESTDAG_STRAND_CODES && s->bytes == 1;
    /* with a declared arity, the first value too many must be refused in row
     * order */
    if (small && !s->arity && add_in_order(fast, g, column, at, tile))
        return bestdag_run_status(g->run);
    for (int64_t r = 0; r < tile->shape.rows; r++)
        fast->field[r] = field_at(g, column, r, tile);
    struct bestdag_cells cells = {fast->field, 1, tile->shape.rows};
    if (bestdag_table_builder_add(g, column, cells))
        return bestdag_run_status(g->run);
    if (!small || s->bytes != 1)
        return BESTDAG_OK;
    const uint8_t *cell = (const uint8_t *)s->cells + g->rows;
    for (int64_t r = 0; r < tile->shape.rows; r++)
        fast->code[256 * (size_t)column + at[(size_t)r * tile->stride]] =
            cell[r];
    return BESTDAG_OK;
}

static int add_column(struct bestdag_single_character *fast,
                      struct bestdag_table_builder *g, int column,
                      const uint8_t *at, const struct tile *tile)
{
    struct bestdag_column_builder *s = &g->column[column];
    if (s->kind == BESTDAG_STRAND_SKIPPED)
        return BESTDAG_OK;
    if (s->kind != BESTDAG_STRAND_CODES || s->bytes != 1)
        return add_slowly(fast, g, column, at, tile);
    const uint8_t *code = fast->code + 256 * (size_t)column;
    uint8_t *cell = (uint8_t *)s->cells + g->rows;
    size_t stride = tile->stride;
    int64_t rows = tile->shape.rows;
    unsigned unknown = 0;
    for (int64_t r = 0; r < rows; r++) {
        uint8_t c = code[at[(size_t)r * stride]];
        cell[r] = c;
        unknown |= c == UNKNOWN;
    }
    return unknown ? add_slowly(fast, g, column, at, tile) : BESTDAG_OK;
}

/* Copies wide rows in strips, so that the rows of a strip do not compete for
 * the same cache sets. */
static int add_strip(struct bestdag_single_character *fast,
                     struct bestdag_table_builder *g, int from,
                     struct tile tile)
{
    uint8_t strip[TILE_ROWS * STRIP];
    int to = from + STRIP < g->count ? from + STRIP : g->count;
    for (int64_t r = 0; r < tile.shape.rows; r++)
        memcpy(strip + r * STRIP,
               tile.at + (size_t)r * tile.stride + (size_t)from, STRIP);
    tile.stride = STRIP;
    for (int c = from; c < to; c++)
        if (add_column(fast, g, c, strip + (c - from), &tile))
            return bestdag_run_status(g->run);
    return BESTDAG_OK;
}

static int add_tile(struct bestdag_single_character *fast,
                    struct bestdag_table_builder *g, struct shape shape)
{
    struct bestdag_window *w = g->window;
    size_t end = w->at + shape.length * (size_t)shape.rows;
    struct tile tile = {fast->packed, (size_t)g->count, shape};
    if (bestdag_table_builder_reserve(g, shape.rows, end))
        return bestdag_run_status(g->run);
    for (int c = 0; c < g->count; c += STRIP)
        if (add_strip(fast, g, c, tile))
            return bestdag_run_status(g->run);
    if (bestdag_table_builder_commit(g, shape.rows))
        return bestdag_run_status(g->run);
    bestdag_window_step(w, end, shape.rows);
    return BESTDAG_OK;
}

int64_t bestdag_single_character_add(struct bestdag_single_character *fast,
                                     struct bestdag_table_builder *g)
{
    int64_t added = 0;
    for (;;) {
        struct shape s = look(g, fast->field ? fast->rows : 1);
        if (!s.rows)
            return added;
        bool ready = fast->field != NULL;
        if (prepare(fast, g))
            return -1;
        if (!ready)
            continue;
        if (!pack(g, s, fast->packed))
            return added;
        if (add_tile(fast, g, s))
            return -1;
        added += s.rows;
    }
}
