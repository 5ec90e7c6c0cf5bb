/* SPDX-License-Identifier: MIT */
/* certificate_writer.c -- a text stream of parts, multipliers, deletions and
 * tables.
 */
#include "search/clusters/certificate_writer.h"

#include <inttypes.h>

#include "base/growing_array.h"
#include "base/row.h"
#include "base/stream.h"

/* ---- the file ---------------------------------------------------------------
 */

struct bestdag_certificate {
    struct bestdag_run *run;
    struct bestdag_sink *sink; /* owns */
    size_t words;              /* of the table's sets */
    uint64_t *known;           /* owns; clusters of the table: least,
                                  classes, and masks over the part, of all
                                  members and of each class */
    int64_t *start;            /* owns; [room]: where each begins */
    int32_t *slot;             /* owns; [slots]: a hash table; -1: empty */
    int64_t count, room, slots, length, known_room;
    uint64_t *cluster; /* owns; the one at hand, likewise */
    int64_t cluster_room;
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

/* Those of the table. */
static void forget_clusters(struct bestdag_certificate *w)
{
    bestdag_free(w->known);
    bestdag_free(w->start);
    bestdag_free(w->slot);
    w->known = NULL;
    w->start = NULL;
    w->slot = NULL;
    w->count = w->room = w->slots = w->length = w->known_room = 0;
}

int bestdag_certificate_close(struct bestdag_certificate *w, int64_t claim)
{
    if (!w)
        return BESTDAG_OK;
    struct bestdag_run *run = w->run;
    bestdag_sink_format(w->sink, "claim %" PRId64 "\n", claim);
    bestdag_sink_close(w->sink);
    forget_clusters(w);
    bestdag_free(w->cluster);
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

static void write_cluster(struct bestdag_sink *sink,
                          const struct bestdag_cluster *c,
                          const int32_t *variable)
{
    bestdag_sink_format(sink, " %d %d", c->least, c->size);
    for (int k = 0; k < c->size; k++)
        bestdag_sink_format(sink, " %d", variable[c->member[k]]);
    for (int class = 1; class <= c->classes; class ++) {
        int members = 0;
        for (int k = 0; k < c->size; k++)
            members += c->label[k] == class;
        bestdag_sink_format(sink, " %d", members);
        for (int k = 0; k < c->size; k++)
            if (c->label[k] == class)
                bestdag_sink_format(sink, " %d", variable[c->member[k]]);
    }
    bestdag_sink_text(sink, "\n");
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
        if (!p->y[i])
            continue;
        bestdag_sink_format(w->sink, "%" PRId64, p->y[i]);
        write_cluster(w->sink, p->at[i], variable);
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
    w->words = bestdag_row_words(n);
    forget_clusters(w);
    bestdag_sink_text(w->sink, "table\n");
    return BESTDAG_OK;
}

static void write_set(struct bestdag_certificate *w, const uint64_t *set)
{
    int top = (int)w->words - 1;
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

/* Words of a cluster over a part whose masks have `words`. */
static size_t length_of(const uint64_t *cluster, size_t words)
{
    return 2 + (size_t)(cluster[1] + 1) * words;
}

static int32_t *find(const struct bestdag_certificate *w,
                     const uint64_t *cluster)
{
    size_t length = length_of(cluster, w->words);
    uint64_t at = 0, last = (uint64_t)w->slots - 1;
    for (size_t i = 0; i < length; i++)
        at = bestdag_mix(at ^ cluster[i]);
    for (; w->slot[at & last] >= 0; at++) {
        const uint64_t *known = w->known + w->start[w->slot[at & last]];
        if (known[1] == cluster[1] &&
            !memcmp(known, cluster, length * sizeof *cluster))
            break;
    }
    return &w->slot[at & last];
}

/* Room for one more cluster. */
static int grow(struct bestdag_certificate *w, size_t length)
{
    if (!BESTDAG_GROW(w->run, w->start, w->room, w->count + 1) ||
        !BESTDAG_GROW(w->run, w->known, w->known_room,
                      w->length + (int64_t)length))
        return bestdag_run_status(w->run);
    if (2 * w->count < w->slots)
        return BESTDAG_OK;
    int64_t slots = w->slots ? 2 * w->slots : 256;
    int32_t *slot = bestdag_alloc(w->run, (size_t)slots * sizeof *slot);
    if (!slot)
        return bestdag_run_status(w->run);
    bestdag_free(w->slot);
    w->slot = slot;
    w->slots = slots;
    memset(slot, -1, (size_t)slots * sizeof *slot);
    for (int64_t i = 0; i < w->count; i++)
        *find(w, w->known + w->start[i]) = (int32_t)i;
    return BESTDAG_OK;
}

/* The number of a cluster in this table; a new one is written first. Negative:
 * failed. */
static int32_t number_of(struct bestdag_certificate *w, const uint64_t *cluster)
{
    size_t length = length_of(cluster, w->words);
    if (grow(w, length))
        return -1;
    int32_t *slot = find(w, cluster);
    if (*slot >= 0)
        return *slot;
    memcpy(w->known + w->length, cluster, length * sizeof *cluster);
    w->start[w->count] = w->length;
    w->length += (int64_t)length;
    *slot = (int32_t)w->count++;
    bestdag_sink_format(w->sink, "c %d", (int)cluster[0]);
    for (uint64_t class = 0; class <= cluster[1]; class ++)
        write_set(w, cluster + 2 + class * w->words);
    bestdag_sink_text(w->sink, "\n");
    return *slot;
}

/* The number of each cluster, new ones written first; false: failed. */
static bool number_all(struct bestdag_certificate *w,
                       const struct bestdag_saved_clusters *y, int32_t *number)
{
    const int32_t *at = y->number;
    for (int64_t i = 0; i < y->count; i++) {
        struct bestdag_shape s = bestdag_saved_clusters_next(&at);
        size_t length = 2 + (size_t)(s.classes + 1) * w->words;
        if (!BESTDAG_GROW(w->run, w->cluster, w->cluster_room, (int64_t)length))
            return false;
        uint64_t *to = w->cluster;
        memset(to, 0, length * sizeof *to);
        to[0] = (uint64_t)s.least;
        to[1] = (uint64_t)s.classes;
        for (int k = 0; k < s.size; k++) {
            bestdag_row_add(to + 2, s.member[k]);
            if (s.label[k])
                bestdag_row_add(to + 2 + (size_t)s.label[k] * w->words,
                                s.member[k]);
        }
        number[i] = number_of(w, to);
        if (number[i] < 0)
            return false;
    }
    return true;
}

/* "b S" or "d S v", then the multipliers. */
static void write_bound(struct bestdag_certificate *w, const uint64_t *set,
                        int v, const struct bestdag_saved_clusters *y)
{
    int32_t *number =
        bestdag_alloc(w->run, ((size_t)y->count + 1) * sizeof *number);
    if (number && number_all(w, y, number)) {
        bestdag_sink_text(w->sink, v < 0 ? "b" : "d");
        write_set(w, set);
        if (v >= 0)
            bestdag_sink_format(w->sink, " %d", v);
        bestdag_sink_format(w->sink, " %" PRId64, y->count);
        for (int64_t i = 0; i < y->count; i++)
            bestdag_sink_format(w->sink, " %" PRId64 " %d", y->y[i], number[i]);
        bestdag_sink_text(w->sink, "\n");
    }
    bestdag_free(number);
}

void bestdag_certificate_bound(struct bestdag_certificate *w,
                               const uint64_t *set,
                               const struct bestdag_saved_clusters *y)
{
    if (w)
        write_bound(w, set, -1, y);
}

void bestdag_certificate_bound_next(struct bestdag_certificate *w,
                                    const uint64_t *set, int v,
                                    const struct bestdag_saved_clusters *y)
{
    if (w)
        write_bound(w, set, v, y);
}

void bestdag_certificate_done(struct bestdag_certificate *w, int64_t bound)
{
    if (w)
        bestdag_sink_format(w->sink, "done %" PRId64 "\n", bound);
}
