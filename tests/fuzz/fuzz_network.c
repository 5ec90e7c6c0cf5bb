/* SPDX-License-Identifier: MIT */
/* fuzz_network.c -- the reader of one network format, FUZZ_ROW. What it accepts
 * is written in the same format and read again: that must succeed, and have the
 * same names and arcs, or at least as many of them and be written the same
 * again (a format may have to spell names differently, once). */
#include "fuzz.h"

#include "formats/format.h"

struct text {
    char *at;
    size_t size;
};

static bool has_parent(const struct bestdag_network *network, int child,
                       const char *name)
{
    const struct bestdag_parents *p = &network->dag->parents[child];
    for (int i = 0; i < p->count; i++)
        if (!strcmp(bestdag_network_name(network, p->at[i]), name))
            return true;
    return false;
}

/* Every arc of a is one of b, by name. Inputs are small. */
static bool within(const struct bestdag_network *a,
                   const struct bestdag_network *b)
{
    for (int v = 0; v < bestdag_network_variables(a); v++) {
        int other = bestdag_network_search(b, bestdag_network_name(a, v));
        const struct bestdag_parents *p = &a->dag->parents[v];
        for (int i = 0; other >= 0 && i < p->count; i++)
            if (!has_parent(b, other, bestdag_network_name(a, p->at[i])))
                return false;
        if (other < 0)
            return false;
    }
    return true;
}

/* .at is NULL when the format cannot hold this network, or memory ended. */
static struct text write_text(struct bestdag_run *run,
                              const struct bestdag_format *format,
                              const struct bestdag_network *network)
{
    struct text text = {0};
    struct bestdag_sink *sink = bestdag_sink_memory(run);
    if (sink)
        format->write(run, network, sink);
    if (sink && !bestdag_run_status(run))
        text.at = bestdag_sink_take(sink, &text.size);
    bestdag_sink_close(sink);
    return text;
}

static void round_trip(struct bestdag_run *run,
                       const struct bestdag_format *format,
                       const struct bestdag_network *network)
{
    struct text first = write_text(run, format, network), second = {0};
    struct bestdag_file file = {"written", first.at, first.size};
    struct bestdag_network *again = NULL;
    if (first.at)
        again = bestdag_format_read(run, format, &file);
    if (again)
        second = write_text(run, format, again);
    if (first.at && bestdag_run_status(run) != BESTDAG_MEMORY) {
        if (!again)
            fprintf(stderr, "%s\n%s\n", bestdag_run_error(run), first.at);
        fuzz_require(again != NULL, "what was written can be read");
        fuzz_require(bestdag_network_variables(again) ==
                         bestdag_network_variables(network),
                     "it has as many variables");
        fuzz_require(bestdag_dag_arcs(again->dag) ==
                         bestdag_dag_arcs(network->dag),
                     "it has as many arcs");
        fuzz_require(within(again, network) ||
                         (second.at && second.size == first.size &&
                          !memcmp(first.at, second.at, first.size)),
                     "it is the same, or written the same");
    }
    bestdag_network_free(again);
    bestdag_free(first.at);
    bestdag_free(second.at);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct bestdag_run *run = fuzz_run();
    const struct bestdag_format *format = bestdag_format_named(run, FUZZ_ROW);
    fuzz_require(format && format->read, "the format can be read");
    struct bestdag_file file = fuzz_file(run, bytes, size);
    if (format->sniff)
        format->sniff(&file);
    struct bestdag_network *network = bestdag_format_read(run, format, &file);
    fuzz_answer(run, network);
    bool complete = network && bestdag_network_has_tables(network);
    if (network && (complete || !format->needs_tables))
        round_trip(run, format, network);
    bestdag_network_free(network);
    bestdag_free(file.bytes);
    fuzz_end(run);
    return 0;
}
