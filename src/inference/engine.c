/* SPDX-License-Identifier: MIT */
/* engine.c -- a network compiled for inference. */
#include "inference/engine.h"

#include "inference/session.h"

static const struct bestdag_option option_rows[] = {
    {"samples", BESTDAG_INTEGER, "100000", 100, 1e12, .value = "N",
     .help = "samples to draw where exact inference does not fit"},
    {0}};
const struct bestdag_option_group bestdag_inference_options = {"inference",
                                                               option_rows};

struct bestdag_engine *bestdag_engine_new(struct bestdag_run *run,
                                          const struct bestdag_network *network,
                                          const int *variables, int count,
                                          const struct bestdag_options *options)
{
    (void)variables, (void)count, (void)options;
    if (bestdag_lacks(run, network, "network"))
        return NULL;
    if (!bestdag_network_has_tables(network)) {
        bestdag_fail(run, BESTDAG_USAGE,
                     "inference needs a network with tables: fit it first");
        return NULL;
    }
    struct bestdag_engine *e = bestdag_calloc(run, 1, sizeof *e);
    if (e)
        e->network = network;
    return e;
}

void bestdag_engine_free(struct bestdag_engine *engine)
{
    bestdag_free(engine);
}

const struct bestdag_network *bestdag_engine_network(
    const struct bestdag_engine *engine)
{
    return engine->network;
}

char *bestdag_engine_describe(struct bestdag_run *run,
                              const struct bestdag_engine *engine)
{
    struct bestdag_json_writer w = {.out.run = run};
    if (bestdag_lacks(run, engine, "engine"))
        return NULL;
    bestdag_json_open(&w, NULL, '{');
    bestdag_json_add_text(&w, "method", "variable elimination");
    bestdag_json_close(&w, '}');
    return bestdag_json_take(&w);
}
