/* SPDX-License-Identifier: MIT */
/* certificate_writer.c -- a text stream of parts, multipliers, deletions and
 * tables.
 */
#include "search/clusters/certificate_writer.h"

#include <inttypes.h>

#include "base/row.h"
#include "base/stream.h"

/* ---- multipliers for later --------------------------------------------------
 */

void bestdag_duals_release(struct bestdag_duals *d)
{
    bestdag_free(d->y);
    bestdag_free(d->least);
    bestdag_free(d->mask);
    *d = (struct bestdag_duals){0};
}

static int make_room(struct bestdag_run *run, struct bestdag_duals *to,
                     int room, int words)
{
    if (room <= to->room)
        return BESTDAG_OK;
    bestdag_duals_release(to);
    size_t count = (size_t)room * 2;
    to->words = words;
    to->y = bestdag_alloc(run, count * sizeof *to->y);
    to->least = bestdag_alloc(run, count * sizeof *to->least);
    to->mask = bestdag_alloc(run, count * 2 * (size_t)words * sizeof *to->mask);
    if (!bestdag_run_status(run))
        to->room = room * 2;
    return bestdag_run_status(run);
}

int bestdag_duals_copy(struct bestdag_run *run, struct bestdag_duals *to,
                       const struct bestdag_relaxation *from)
{
    const struct bestdag_pool *p = &from->pool;
    size_t words = bestdag_row_words(from->n);
    if (make_room(run, to, p->count, (int)words))
        return bestdag_run_status(run);
    to->count = 0;
    for (int i = 0; i < p->count; i++) {
        uint64_t *mask = to->mask + (size_t)to->count * 2 * words;
        if (!p->y[i])
            continue;
        memset(mask, 0, 2 * words * sizeof *mask);
        for (int k = 0; k < p->at[i]->size; k++)
            bestdag_row_add(mask, p->at[i]->member[k]);
        for (int k = 0; k < p->at[i]->blocked; k++)
            bestdag_row_add(mask + words, p->at[i]->block[k]);
        to->least[to->count] = p->at[i]->least;
        to->y[to->count++] = p->y[i];
    }
    return BESTDAG_OK;
}

/* ---- the file ---------------------------------------------------------------
 */

struct bestdag_certificate {
    struct bestdag_run *run;
    struct bestdag_sink *sink; /* owns */
    int words;                 /* of the table's sets */
    uint64_t *known;           /* owns; clusters of the table: members, block,
                                  least */
    int32_t *slot;             /* owns; a hash table of them; -1: empty */
    int64_t count, room;
};

struct bestdag_certificate *bestdag_certificate_open(struct bestdag_run *run,
                                                     const char *path, int n,
                                                     int shift)
{
    struct bestdag_certificate *w =
        path ? bestdag_calloc(run, 1, sizeof *w) : NULL;
    if (!w)
        return NULL;
    w->run = run;
    w->sink = bestdag_sink_open(run, path);
    if (!w->sink) {
        bestdag_free(w);
        return NULL;
    }
    bestdag_sink_format(
        w->sink, "bestdag certificate 1\nvariables %d\nshift %d\n", n, shift);
    return w;
}

int bestdag_certificate_close(struct bestdag_certificate *w, int64_t claim)
{
    if (!w)
        return BESTDAG_OK;
    struct bestdag_run *run = w->run;
    bestdag_sink_format(w->sink, "claim %" PRId64 "\n", claim);
    bestdag_sink_close(w->sink);
    bestdag_free(w->known);
    bestdag_free(w->slot);
    bestdag_free(w);
    return bestdag_run_status(run);
}

void bestdag_certificate_part(struct bestdag_certificate *w,
                              const int32_t *variable, int n)
{
    if (!w)
        return;
    bestdag_sink_format(w->sink, "part %d", n);
    for (int v = 0; v < n; v++)
        bestdag_sink_format(w->sink, " %d", variable[v]);
    bestdag_sink_text(w->sink, "\n");
}

void bestdag_certificate_end(struct bestdag_certificate *w)
{
    if (w)
        bestdag_sink_text(w->sink, "end\n");
}

void bestdag_certificate_multipliers(struct bestdag_certificate *w,
                                     const struct bestdag_relaxation *r,
                                     const int32_t *variable)
{
    const struct bestdag_pool *p = &r->pool;
    int count = 0;
    if (!w)
        return;
    for (int i = 0; i < p->count; i++)
        count += p->y[i] > 0;
    bestdag_sink_format(w->sink, "multipliers %d\n", count);
    for (int i = 0; i < p->count; i++) {
        const struct bestdag_cluster *c = p->at[i];
        if (!p->y[i])
            continue;
        bestdag_sink_format(w->sink, "%" PRId64 " %d %d", p->y[i], c->least,
                            c->size);
        for (int k = 0; k < c->size; k++)
            bestdag_sink_format(w->sink, " %d", variable[c->member[k]]);
        if (c->blocked)
            bestdag_sink_format(w->sink, " %d", c->blocked);
        for (int k = 0; k < c->blocked; k++)
            bestdag_sink_format(w->sink, " %d", variable[c->block[k]]);
        bestdag_sink_text(w->sink, "\n");
    }
}

void bestdag_certificate_delete(struct bestdag_certificate *w, int64_t limit)
{
    if (w)
        bestdag_sink_format(w->sink, "delete %" PRId64 "\n", limit);
}

/* ---- tables -----------------------------------------------------------------
 */

int bestdag_certificate_table(struct bestdag_certificate *w, int n)
{
    if (!w)
        return BESTDAG_OK;
    w->words = (int)bestdag_row_words(n);
    w->count = w->room = 0;
    bestdag_free(w->known);
    bestdag_free(w->slot);
    w->known = NULL;
    w->slot = NULL;
    bestdag_sink_text(w->sink, "table\n");
    return BESTDAG_OK;
}

static void write_set(struct bestdag_certificate *w, const uint64_t *set)
{
    int top = w->words - 1;
    while (top > 0 && !set[top])
        top--;
    bestdag_sink_format(w->sink, " %" PRIx64, set[top]);
    for (int i = top - 1; i >= 0; i--)
        bestdag_sink_format(w->sink, "%016" PRIx64, set[i]);
}

void bestdag_certificate_forced(struct bestdag_certificate *w,
                                const uint64_t *set, const int32_t *next,
                                int count)
{
    if (!w)
        return;
    bestdag_sink_text(w->sink, "f");
    write_set(w, set);
    for (int i = 0; i < count; i++)
        bestdag_sink_format(w->sink, " %d", next[i]);
    bestdag_sink_text(w->sink, "\n");
}

void bestdag_certificate_expanded(struct bestdag_certificate *w,
                                  const uint64_t *set)
{
    if (!w)
        return;
    bestdag_sink_text(w->sink, "x");
    write_set(w, set);
    bestdag_sink_text(w->sink, "\n");
}

static const uint64_t *known(const struct bestdag_certificate *w, int64_t i)
{
    return w->known + i * (2 * w->words + 1);
}

static int32_t *find(const struct bestdag_certificate *w, const uint64_t *mask,
                     uint64_t least)
{
    uint64_t at = least, size = (uint64_t)w->room * 2 - 1;
    for (int i = 0; i < 2 * w->words; i++)
        at = bestdag_mix(at ^ mask[i]);
    for (; w->slot[at & size] >= 0; at++) {
        const uint64_t *k = known(w, w->slot[at & size]);
        if (k[2 * w->words] == least &&
            !memcmp(k, mask, 2 * (size_t)w->words * sizeof *mask))
            break;
    }
    return &w->slot[at & size];
}

static int grow(struct bestdag_certificate *w)
{
    int64_t room = w->room ? 2 * w->room : 256;
    uint64_t *more = bestdag_realloc(
        w->run, w->known, (size_t)(room * (2 * w->words + 1)) * sizeof *more);
    int32_t *slot = bestdag_alloc(w->run, (size_t)room * 2 * sizeof *slot);
    if (more)
        w->known = more;
    if (!more || !slot) {
        bestdag_free(slot);
        return bestdag_run_status(w->run);
    }
    bestdag_free(w->slot);
    w->slot = slot;
    w->room = room;
    memset(slot, -1, (size_t)room * 2 * sizeof *slot);
    for (int64_t i = 0; i < w->count; i++)
        *find(w, known(w, i), known(w, i)[2 * w->words]) = (int32_t)i;
    return BESTDAG_OK;
}

/* The number of a cluster in this table; a new one is written first. Negative:
 * failed. */
static int32_t number_of(struct bestdag_certificate *w, const uint64_t *mask,
                         int least)
{
    if (w->count == w->room && grow(w))
        return -1;
    int32_t *slot = find(w, mask, (uint64_t)least);
    if (*slot >= 0)
        return *slot;
    uint64_t *to = w->known + w->count * (2 * w->words + 1);
    memcpy(to, mask, 2 * (size_t)w->words * sizeof *mask);
    to[2 * w->words] = (uint64_t)least;
    *slot = (int32_t)w->count++;
    bestdag_sink_format(w->sink, "c %d", least);
    write_set(w, mask);
    if (bestdag_row_count(mask + w->words, (size_t)w->words))
        write_set(w, mask + w->words);
    bestdag_sink_text(w->sink, "\n");
    return *slot;
}

void bestdag_certificate_bound(struct bestdag_certificate *w,
                               const uint64_t *set,
                               const struct bestdag_duals *d)
{
    if (!w)
        return;
    for (int i = 0; i < d->count; i++)
        if (number_of(w, d->mask + (int64_t)i * 2 * d->words, d->least[i]) < 0)
            return;
    bestdag_sink_text(w->sink, "b");
    write_set(w, set);
    bestdag_sink_format(w->sink, " %d", d->count);
    for (int i = 0; i < d->count; i++)
        bestdag_sink_format(
            w->sink, " %" PRId64 " %d", d->y[i],
            number_of(w, d->mask + (int64_t)i * 2 * d->words, d->least[i]));
    bestdag_sink_text(w->sink, "\n");
}

void bestdag_certificate_done(struct bestdag_certificate *w, int64_t bound)
{
    if (w)
        bestdag_sink_format(w->sink, "done %" PRId64 "\n", bound);
}
