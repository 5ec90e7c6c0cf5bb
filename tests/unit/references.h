/* SPDX-License-Identifier: MIT */
/* references.h -- values of other programs, in $BESTDAG_DATA/references. */
#ifndef BESTDAG_TEST_REFERENCES_H
#define BESTDAG_TEST_REFERENCES_H

#include "nets.h"

#include "scores/score.h"

/* Skips the test where the outside data are not. */
static inline char *references_path(char to[512], const char *file)
{
    const char *data = getenv("BESTDAG_DATA");
    if (!data)
        skip();
    snprintf(to, 512, "%s/references/%s", data, file);
    return to;
}

static inline struct bestdag_json *references_read(struct bestdag_run *run,
                                                   const char *file)
{
    static char text[1 << 20];
    char path[512];
    FILE *f = fopen(references_path(path, file), "rb");
    if (!f)
        skip();
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    struct bestdag_json *json = bestdag_json_read(run, text);
    assert_non_null(json);
    return json;
}

/* The bare structure of a row: its "modelstring". */
static inline struct bestdag_network *references_structure(
    struct bestdag_run *run, const struct bestdag_json *row)
{
    char path[] = "/tmp/bestdag-structure-XXXXXX.modelstring";
    int fd = mkstemps(path, 12);
    assert_true(fd >= 0);
    FILE *f = fdopen(fd, "w");
    fprintf(f, "%s\n", bestdag_json_text(bestdag_json_get(row, "modelstring")));
    fclose(f);
    struct bestdag_network *net = bestdag_network_read(run, path);
    remove(path);
    assert_non_null(net);
    return net;
}

static inline int references_column(const struct bestdag_table *t,
                                    const char *name)
{
    for (int v = 0; v < t->columns; v++)
        if (!strcmp(t->column[v].name, name))
            return v;
    fail_msg("no column '%s'", name);
    return -1;
}

/* The score of a structure, nats; columns and variables go by their names. */
static inline double references_score(struct bestdag_run *run,
                                      const struct bestdag_scorer *s,
                                      const struct bestdag_table *t,
                                      const struct bestdag_network *net)
{
    double sum = 0;
    assert_int_equal(net->dag->n, t->columns);
    for (int v = 0; v < net->dag->n; v++) {
        const struct bestdag_parents *p = &net->dag->parents[v];
        int parents[16];
        double nats;
        for (int i = 0; i < p->count; i++)
            parents[i] = references_column(t, net->variable[p->at[i]].name);
        assert_int_equal(
            bestdag_scorer_exact(run, s,
                                 references_column(t, net->variable[v].name),
                                 parents, p->count, &nats),
            BESTDAG_OK);
        sum += nats;
    }
    return sum;
}

#endif
