/* SPDX-License-Identifier: MIT */
/* shard_columns.c -- makes ranks that have read different rows agree on
 * columns.
 *
 * Every rank adopts the values that the others have seen. States are numbered
 * in natural order, not in order of appearance, so all ranks then make the
 * columns that a single process would make of all rows. Missing values are
 * treated as the settings say, with sums over the ranks in place of counts. */
#include "data/text/shard_columns.h"

#include <string.h>

#include "data/missing.h"
#include "data/shards.h"
#include "data/states.h"
#include "parallel/collective.h"

/* ---- values
 * ------------------------------------------------------------------
 */

struct exchange {
    struct bestdag_table_builder *g;
    bool only_codes;
};

static void pass_value(struct bestdag_table_builder *g,
                       struct bestdag_column_builder *s, int i,
                       struct bestdag_buffer *scratch,
                       struct bestdag_archive *p)
{
    size_t n = 0;
    const char *text = NULL;
    bool opens = bestdag_archive_opens(p);
    if (!opens)
        text = bestdag_dictionary_text(&s->values, &g->store, i, &n);
    BESTDAG_PASS(p, n);
    scratch->length = 0;
    if (!bestdag_buffer_reserve(scratch, n + 8))
        return;
    memset(scratch->at, 0, n + 8);
    if (!opens)
        memcpy(scratch->at, text, n);
    bestdag_archive_pass(p, scratch->at, n);
    if (opens && !p->is_bad)
        bestdag_table_builder_adopt(g, s, scratch->at, n);
}

/* The values of all columns: packs them, or adopts those of another rank. */
static void pass_values(void *state, struct bestdag_archive *p)
{
    struct exchange *x = state;
    struct bestdag_buffer scratch = {.run = x->g->run};
    for (int c = 0; c < x->g->count && !bestdag_run_status(x->g->run); c++) {
        struct bestdag_column_builder *s = &x->g->column[c];
        int kind = (int)s->kind, count = s->values.count;
        BESTDAG_PASS(p, kind);
        BESTDAG_PASS(p, count);
        if (kind != (int)s->kind || kind == BESTDAG_STRAND_NUMBERS ||
            kind == BESTDAG_STRAND_OPAQUE) {
            bestdag_fail(x->g->run, BESTDAG_INPUT,
                         "column '%s' holds numbers, or more values than a "
                         "column of states can have: rows-by-rank counts "
                         "states (--ignore leaves the column out, --as-states "
                         "makes numbers states)",
                         s->name);
            break;
        }
        for (int i = 0; i < count && !p->is_bad; i++)
            pass_value(x->g, s, i, &scratch, p);
    }
    bestdag_buffer_release(&scratch);
}

/* Rank 0 adopts the values of all others, which then adopt its own. */
static int agree_on_values(struct bestdag_table_builder *g)
{
    const uint64_t kind = bestdag_collective_hash("values");
    int ranks = g->run->communicator->ranks;
    struct exchange x = {.g = g};
    struct bestdag_buffer own = {.run = g->run};
    struct bestdag_archive out = {.to = &own};
    struct bestdag_buffer *part =
        bestdag_calloc(g->run, (size_t)ranks, sizeof *part);
    if (!bestdag_run_status(g->run))
        pass_values(&x, &out);
    if (part && bestdag_collective_gather(g->run, kind, &own, part))
        for (int i = 1; i < ranks && part[i].at; i++) {
            struct bestdag_archive in = {.opens = true,
                                         .from = part[i].at,
                                         .left = (int64_t)part[i].length};
            pass_values(&x, &in);
        }
    bestdag_collective_broadcast(g->run, kind + 1, pass_values, &x);
    for (int i = 0; part && i < ranks; i++)
        bestdag_buffer_release(&part[i]);
    bestdag_free(part);
    bestdag_buffer_release(&own);
    return bestdag_run_status(g->run);
}

/* ---- missing values
 * ----------------------------------------------------------
 */

static int sum(struct bestdag_run *run, int64_t *number, int64_t count)
{
    if (!bestdag_collective_sum(run, bestdag_collective_hash("sum"), number,
                                count) &&
        !bestdag_run_status(run))
        bestdag_fail(run, BESTDAG_FAILED,
                     "a sum over all ranks failed: another rank has ended");
    return bestdag_run_status(run);
}

/* Fails if there are no rows, before columns are made. */
static int check_rows(struct bestdag_table_reader *r)
{
    int64_t rows = r->builder.rows;
    if (!sum(r->run, &rows, 1) && !rows)
        bestdag_fail(r->run, BESTDAG_INPUT, "%s: no rows",
                     bestdag_source_name(r->window.source));
    return bestdag_run_status(r->run);
}

/* Drops rows without weight, and those that lack a value if `drops`. */
static int64_t drop_rows(struct bestdag_run *run, struct bestdag_table *own,
                         bool drops)
{
    int64_t dropped = 0, weightless = 0;
    uint8_t *gone = bestdag_calloc(run, (size_t)own->rows + 1, 1);
    for (int64_t r = 0; gone && r < own->rows; r++) {
        gone[r] = own->weights && !own->weights[r];
        weightless += gone[r];
    }
    for (int c = 0; gone && drops && c < own->columns; c++)
        for (int64_t r = 0; own->column[c].missing && r < own->rows; r++)
            if (!gone[r] && bestdag_column_code(&own->column[c], r) < 0) {
                gone[r] = 1;
                dropped++;
            }
    if (gone && dropped + weightless)
        bestdag_table_drop(run, own, gone);
    bestdag_free(gone);
    return dropped;
}

/* Removes the states that no row of any rank has. */
static int prune(struct bestdag_run *run, struct bestdag_table *own)
{
    int64_t states = 0, at = 0;
    for (int c = 0; c < own->columns; c++)
        states += own->column[c].states;
    int64_t *seen = bestdag_calloc(run, (size_t)states + 1, sizeof *seen);
    uint8_t *kept = bestdag_alloc(run, (size_t)states + 1);
    for (int c = 0; seen && c < own->columns; at += own->column[c++].states)
        for (int64_t r = 0; r < own->rows; r++) {
            int code = bestdag_column_code(&own->column[c], r);
            if (code >= 0)
                seen[at + code] = 1;
        }
    if (!sum(run, seen, states) && kept) {
        for (int64_t i = 0; i < states; i++)
            kept[i] = seen[i] > 0;
        at = 0;
        for (int c = 0; c < own->columns && !bestdag_run_status(run); c++) {
            int before = own->column[c].states;
            bestdag_column_keep_states(run, &own->column[c], own->rows,
                                       kept + at);
            at += before;
        }
    }
    bestdag_free(seen);
    bestdag_free(kept);
    return bestdag_run_status(run);
}

/* Sums over ranks; the missing values of each column follow. */
enum { ROWS, TOTAL, DROPPED, LOST, WEIGHTED, SUMS };

static int settle(struct bestdag_table_reader *r, struct bestdag_table *own,
                  int64_t *all)
{
    struct bestdag_run *run = r->run;
    bool drops = !strcmp(r->settings.missing, "drop");
    int64_t rows = own->rows;
    for (int c = 0; c < own->columns; c++)
        all[SUMS + c] = own->column[c].missing;
    for (int64_t i = 0; own->weights && i < own->rows; i++)
        all[WEIGHTED] |= own->weights[i] > 1;
    all[DROPPED] = drop_rows(run, own, drops);
    all[LOST] = rows - own->rows;
    all[ROWS] = own->rows;
    all[TOTAL] = own->total;
    if (sum(run, all, SUMS + own->columns))
        return bestdag_run_status(run);
    if (!all[ROWS])
        return bestdag_fail(run, BESTDAG_INPUT,
                            "%s: every row has a missing value, or weight 0",
                            bestdag_source_name(r->window.source));
    for (int c = 0; c < own->columns && !drops; c++)
        if (all[SUMS + c] &&
            bestdag_column_make_missing(run, &own->column[c], own->rows))
            return bestdag_run_status(run);
    return all[LOST] ? prune(run, own) : BESTDAG_OK;
}

/* ---- the table
 * ---------------------------------------------------------------
 */

static int64_t largest(struct bestdag_run *run, int64_t own)
{
    int ranks = run->communicator->ranks;
    int64_t most = 0, *rows = bestdag_calloc(run, (size_t)ranks, sizeof *rows);
    if (rows)
        rows[run->communicator->rank] = own;
    sum(run, rows, ranks);
    for (int i = 0; rows && i < ranks; i++)
        most = rows[i] > most ? rows[i] : most;
    bestdag_free(rows);
    return most;
}

/* A copy without cells. */
static struct bestdag_table *head_of(struct bestdag_run *run,
                                     const struct bestdag_table *own,
                                     const int64_t *all)
{
    struct bestdag_table *t = bestdag_table_new(run, all[ROWS]);
    for (int c = 0; t && c < own->columns; c++) {
        struct bestdag_column *to =
            bestdag_table_add_like(run, t, &own->column[c]);
        if (to)
            to->lacked = all[SUMS + c];
    }
    if (!t || bestdag_run_status(run)) {
        bestdag_table_free(t);
        return NULL;
    }
    t->total = all[TOTAL];
    t->dropped = all[DROPPED];
    t->has_odd_names = own->has_odd_names;
    if (t->dropped)
        bestdag_table_note_dropped(run, t);
    return t;
}

static int check_kinds(struct bestdag_run *run, const struct bestdag_table *own)
{
    for (int c = 0; c < own->columns; c++)
        if (own->column[c].kind != BESTDAG_CODES)
            return bestdag_fail(run, BESTDAG_INPUT,
                                "column '%s' holds %s: rows-by-rank counts "
                                "states (--ignore leaves the column out%s)",
                                own->column[c].name,
                                own->column[c].kind == BESTDAG_NUMBERS
                                    ? "numbers"
                                    : "no states",
                                own->column[c].kind == BESTDAG_NUMBERS
                                    ? ", --as-states makes them states"
                                    : "");
    return BESTDAG_OK;
}

struct bestdag_table *bestdag_shard_columns_finish(
    struct bestdag_table_reader *r, struct bestdag_shards **shards)
{
    struct bestdag_run *run = r->run;
    struct bestdag_table *own = NULL, *table = NULL;
    *shards = NULL;
    if (!bestdag_run_status(run) && !r->builder.room)
        bestdag_table_builder_reserve(&r->builder, 1, r->window.at);
    agree_on_values(&r->builder);
    if (!check_rows(r))
        own = bestdag_table_builder_finish(&r->builder);
    if (own)
        check_kinds(run, own);
    bestdag_collective_sync(run, bestdag_collective_hash("columns"));
    int64_t *all = bestdag_calloc(run, SUMS + (size_t)(own ? own->columns : 0),
                                  sizeof *all);
    if (!bestdag_run_status(run) && !settle(r, own, all)) {
        int64_t most = largest(run, own->rows);
        if (!run->communicator->rank)
            table = head_of(run, own, all);
        *shards = bestdag_shards_new(run, own,
                                     all[WEIGHTED] || all[TOTAL] != all[ROWS],
                                     most, all[TOTAL]);
        own = NULL;
    }
    bestdag_collective_sync(run, bestdag_collective_hash("shards"));
    bestdag_table_free(own);
    bestdag_free(all);
    return table;
}
