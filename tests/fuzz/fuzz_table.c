/* SPDX-License-Identifier: MIT */
/* fuzz_table.c -- the readers of tables; FUZZ_ROW is the format. The settings
 * are drawn from the bytes. Every input is read twice: as usual, and byte
 * blocks at a time without the fast path; both must give the same table or the
 * same error. */
#include "fuzz.h"

#include "base/options.h"
#include "base/random.h"
#include "data/text/read.h"

/* Is the delimiter given, so that it need not be detected? */
static bool is_delimited(uint64_t draw)
{
    return draw >> 10 & 1;
}

static struct bestdag_options *settings(struct bestdag_run *run, uint64_t draw)
{
    static const char *const missing[] = {"drop", "state", "error", "keep"};
    struct bestdag_options *o = bestdag_options_new(run);
    bestdag_options_set(run, o, "input-format", FUZZ_ROW);
    bestdag_options_set(run, o, "missing", missing[draw & 3]);
    if ((draw >> 2 & 3) == 0)
        bestdag_options_set(run, o, "no-header", "yes");
    if (draw >> 4 & 1)
        bestdag_options_set(run, o, "arity", "declared");
    if ((draw >> 5 & 7) == 0)
        bestdag_options_set(run, o, "decimal", ",");
    if ((draw >> 8 & 3) == 0)
        bestdag_options_set(run, o, "max-states", "3");
    if (is_delimited(draw))
        bestdag_options_set(run, o, "delimiter",
                            draw >> 11 & 1   ? ","
                            : draw >> 12 & 1 ? ";"
                                             : "blank");
    fuzz_require(!bestdag_run_status(run), "the settings are right");
    return o;
}

static struct bestdag_table *read_table(struct bestdag_run *run,
                                        const uint8_t *bytes, size_t size,
                                        uint64_t draw,
                                        const struct bestdag_probe *probe)
{
    struct bestdag_options *options = settings(run, draw);
    struct bestdag_source *source =
        bestdag_source_memory(run, "input", bytes, size);
    struct bestdag_table *table = NULL;
    if (source)
        table = bestdag_table_from(run, source, options, probe);
    bestdag_source_close(source);
    bestdag_options_free(options);
    fuzz_answer(run, table);
    return table;
}

static void same_column(const struct bestdag_column *a,
                        const struct bestdag_column *b, int64_t rows)
{
    fuzz_require(!strcmp(a->name, b->name), "both have this name");
    fuzz_require(a->kind == b->kind && a->bytes == b->bytes &&
                     a->states == b->states && a->missing == b->missing &&
                     a->distinct == b->distinct,
                 "both columns are of this kind");
    for (int s = 0; s < a->states; s++)
        fuzz_require(!strcmp(a->labels[s], b->labels[s]),
                     "both have this label");
    size_t size = (size_t)rows * (size_t)a->bytes;
    fuzz_require(!size || !memcmp(a->cells, b->cells, size),
                 "both have these cells");
}

static void same_table(const struct bestdag_table *a,
                       const struct bestdag_table *b)
{
    fuzz_require(a->rows == b->rows && a->columns == b->columns &&
                     a->total == b->total && !a->weights == !b->weights,
                 "both have this shape");
    fuzz_require(!a->weights || !memcmp(a->weights, b->weights,
                                        (size_t)a->rows * sizeof *a->weights),
                 "both have these weights");
    for (int c = 0; c < a->columns; c++)
        same_column(&a->column[c], &b->column[c], a->rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    uint64_t draw = size;
    for (size_t i = 0; i < size; i++)
        draw = bestdag_mix(draw ^ bytes[i]);
    bool blocks = !strcmp(FUZZ_ROW, "arff") ||
                  (strcmp(FUZZ_ROW, "auto") && is_delimited(draw));
    struct bestdag_probe slow = {.block = blocks ? 1 + (draw >> 32) % 64 : 0,
                                 .only_general = true};
    struct bestdag_run *one = fuzz_run(), *two = fuzz_run();
    struct bestdag_table *a = read_table(one, bytes, size, draw, NULL);
    struct bestdag_table *b = read_table(two, bytes, size, draw, &slow);
    bool memory = bestdag_run_status(one) == BESTDAG_MEMORY ||
                  bestdag_run_status(two) == BESTDAG_MEMORY;
    if (!memory && !a != !b) {
        fprintf(stderr, "'%s' or '%s'\n", bestdag_run_error(one),
                bestdag_run_error(two));
        fuzz_require(false, "both ways of reading agree that it is a table");
    }
    if (a && b)
        same_table(a, b);
    bestdag_table_free(a);
    bestdag_table_free(b);
    fuzz_end(one);
    fuzz_end(two);
    return 0;
}
