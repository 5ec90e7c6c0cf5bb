/* SPDX-License-Identifier: MIT */
/* relate_paths.c -- paths as JSON: their nodes, their arrows, what blocks them
 * or leaves them open. */
#include "graph/reach.h"
#include "graph/simple_paths.h"
#include "models/relate.h"

static const char *name_of(const struct bestdag_relation *r, int v)
{
    return r->network->variable[v].name;
}

void bestdag_relation_path(struct bestdag_relation *r, const int *path,
                           int count)
{
    bestdag_relation_names(r, "path", path, count);
    bestdag_json_open(&r->w, "arrows", '[');
    for (int i = 1; i < count; i++)
        bestdag_json_add_text(
            &r->w, NULL,
            bestdag_dag_has_arc(r->network->dag, path[i - 1], path[i]) ? "->"
                                                                       : "<-");
    bestdag_json_close(&r->w, ']');
}

static bool is_collider(const struct bestdag_relation *r, const int *path,
                        int count, int i)
{
    return i > 0 && i + 1 < count &&
           bestdag_dag_has_arc(r->network->dag, path[i - 1], path[i]) &&
           bestdag_dag_has_arc(r->network->dag, path[i + 1], path[i]);
}

int bestdag_relation_colliders(struct bestdag_relation *r, const int *path,
                               int count)
{
    struct bestdag_d_question q = bestdag_relation_question(r);
    int *reason = bestdag_alloc(r->run, ((size_t)r->network->dag->n + 1) *
                                            sizeof *reason);
    bestdag_json_open(&r->w, "colliders", '[');
    for (int i = 0; reason && i < count; i++) {
        if (!is_collider(r, path, count, i))
            continue;
        int nodes = bestdag_d_separation_reason(r->run, &q, path[i], reason);
        if (nodes < 1)
            break;
        bestdag_json_open(&r->w, NULL, '{');
        bestdag_json_add_text(&r->w, "variable", name_of(r, path[i]));
        bestdag_json_add_text(&r->w, "given", name_of(r, reason[nodes - 1]));
        bestdag_relation_names(r, "through", reason, nodes);
        bestdag_json_close(&r->w, '}');
    }
    bestdag_json_close(&r->w, ']');
    bestdag_free(reason);
    return bestdag_run_status(r->run);
}

/* above: nodes that are given, or ancestors of given ones. */
static void add_path(struct bestdag_relation *r,
                     const struct bestdag_simple_path *path, const bool *above)
{
    int blockers = 0;
    for (int i = 1; i + 1 < path->count; i++) {
        int v = path->node[i];
        if (is_collider(r, path->node, path->count, i)
                ? !above[v]
                : r->role[v] == BESTDAG_ROLE_GIVEN)
            r->list[blockers++] = v;
    }
    bestdag_json_open(&r->w, NULL, '{');
    bestdag_relation_path(r, path->node, path->count);
    bestdag_json_add_bool(&r->w, "open", !blockers);
    bestdag_relation_names(r, "blocked_at", r->list, blockers);
    bestdag_json_close(&r->w, '}');
}

int bestdag_relation_paths(struct bestdag_relation *r, const int ends[2],
                           int64_t most)
{
    const struct bestdag_dag *dag = r->network->dag;
    struct bestdag_simple_paths paths;
    bool *above = bestdag_calloc(r->run, (size_t)dag->n + 1, sizeof *above);
    for (int v = 0; above && v < dag->n; v++)
        above[v] = r->role[v] == BESTDAG_ROLE_GIVEN;
    if (above)
        bestdag_reach_mark_ancestors(r->run, dag, above);
    if (!bestdag_simple_paths_find(r->run, dag, &r->children, ends, most,
                                   &paths)) {
        bestdag_json_open(&r->w, "paths", '[');
        for (int64_t i = 0; i < paths.count; i++)
            add_path(r, &paths.at[i], above);
        bestdag_json_close(&r->w, ']');
        bestdag_json_add_bool(&r->w, "paths_complete", paths.complete);
    }
    bestdag_simple_paths_release(&paths);
    bestdag_free(above);
    return bestdag_run_status(r->run);
}
