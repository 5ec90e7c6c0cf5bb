/* SPDX-License-Identifier: MIT */
/* certificate_writer.c -- writes parts, multipliers, deletions and expansions
 * as text. */
#include "search/clusters/certificate_writer.h"

#include <inttypes.h>

#include "base/row.h"
#include "base/stream.h"

/* Limit for one expansion, times the words of a prefix. The checker accepts
 * four times as many. */
enum { MOST_PREFIXES = 1 << 22 };

struct bestdag_certificate {
    struct bestdag_run *run;
    struct bestdag_sink *sink; /* owns */
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

void bestdag_certificate_expand(struct bestdag_certificate *w, int64_t most,
                                int64_t bound)
{
    if (w)
        bestdag_sink_format(w->sink, "expand %" PRId64 " %" PRId64 "\n", most,
                            bound);
}

int64_t bestdag_certificate_prefixes(int n)
{
    return MOST_PREFIXES / (int64_t)bestdag_row_words(n);
}
