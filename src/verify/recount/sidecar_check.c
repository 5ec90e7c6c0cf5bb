/* SPDX-License-Identifier: MIT */
/* sidecar_check.c -- what stands beside a score file: its sidecar, FILE.json,
 * says how the lists were made, what the variables are called and which lists
 * are complete. The checker trusts none of it, but reports it as stated. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "verify/recount/sidecar_check.h"

/* Of "a.jkl" and "a.jkl.gz" it is "a.jkl.json". */
static char *path_beside(struct bestdag_run *run, const char *scores)
{
    static const char *const packed[] = {".gz", ".zst"};
    size_t n = strlen(scores);
    struct bestdag_buffer b = {.run = run};
    for (int i = 0; i < 2; i++) {
        size_t tail = strlen(packed[i]);
        if (n > tail && !strcmp(scores + n - tail, packed[i])) {
            n -= tail;
            break;
        }
    }
    bestdag_buffer_add(&b, scores, n);
    bestdag_buffer_text(&b, ".json");
    return bestdag_buffer_take(&b);
}

static int differs(struct bestdag_run *run, const struct verify_sidecar *c,
                   const struct bestdag_json *at, const char *what)
{
    return bestdag_fail_at(run, c->path, bestdag_json_place(at),
                           "%s differs from the .jkl file: remove this file if "
                           "it belongs to another one",
                           what);
}

static int take_variable(struct bestdag_run *run, struct kernel_lists *l, int v,
                         struct verify_sidecar *c,
                         const struct bestdag_json *entry)
{
    const char *name = bestdag_json_text(bestdag_json_get(entry, "name"));
    const struct bestdag_json *complete = bestdag_json_get(entry, "complete");
    double limit = bestdag_json_number(bestdag_json_get(entry, "max_parents"));
    double sets = bestdag_json_number(bestdag_json_get(entry, "sets"));
    if (!name || (!l->numbered && strcmp(name, l->names[v]) != 0))
        return differs(run, c, entry, "the name of this variable");
    if (sets != (double)(l->first[v + 1] - l->first[v])) /* whole numbers */
        return differs(run, c, entry, "the number of its sets");
    c->complete &=
        complete && complete->kind == BESTDAG_JSON_BOOL && complete->number > 0;
    if (limit >= 0 && limit < 1e9 && (c->limit < 0 || (int)limit < c->limit))
        c->limit = (int)limit;
    if (!l->numbered)
        return BESTDAG_OK;
    char *copy = bestdag_strdup(run, name);
    if (!copy)
        return BESTDAG_MEMORY;
    bestdag_free(l->names[v]);
    l->names[v] = copy;
    return BESTDAG_OK;
}

static int take(struct bestdag_run *run, struct kernel_lists *l,
                struct verify_sidecar *c)
{
    const struct bestdag_json *all = bestdag_json_get(c->root, "variables");
    const char *twice = NULL;
    if (!all || all->kind != BESTDAG_JSON_ARRAY)
        return bestdag_fail_at(run, c->path, BESTDAG_FILE_BEGIN,
                               "expected an object with \"variables\"");
    if (all->count != l->n)
        return differs(run, c, all, "the number of variables");
    c->complete = true;
    for (int v = 0; v < l->n; v++)
        if (take_variable(run, l, v, c, &all->items[v]))
            return bestdag_run_status(run);
    if (bestdag_text_twice(run, (const char *const *)l->names, l->n, &twice))
        return bestdag_run_status(run);
    return twice ? bestdag_fail(run, BESTDAG_INPUT,
                                "%s: two variables are called '%s'", c->path,
                                twice)
                 : BESTDAG_OK;
}

int bestdag_verify_sidecar_read(struct bestdag_run *run, const char *scores,
                                struct kernel_lists *lists,
                                struct verify_sidecar *to)
{
    struct bestdag_file file;
    *to = (struct verify_sidecar){.limit = -1};
    if (!strcmp(scores, "-"))
        return BESTDAG_OK;
    to->path = path_beside(run, scores);
    if (!to->path)
        return BESTDAG_MEMORY;
    if (access(to->path, F_OK))
        return BESTDAG_OK;
    if (bestdag_file_read(run, to->path, &file))
        return bestdag_run_status(run);
    to->root = bestdag_json_parse(run, &file);
    bestdag_free(file.bytes);
    return to->root ? take(run, lists, to) : bestdag_run_status(run);
}

void bestdag_verify_sidecar_release(struct verify_sidecar *c)
{
    bestdag_json_free(c->root);
    bestdag_free(c->path);
}

const char *bestdag_verify_sidecar_note(const struct verify_sidecar *c,
                                        const char *key)
{
    return bestdag_json_text(
        bestdag_json_get(bestdag_json_get(c->root, "notes"), key));
}
