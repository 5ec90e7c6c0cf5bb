/* SPDX-License-Identifier: MIT */
/* moral.c -- the moral graph of a DAG.
 *
 * The neighbours of v are its parents, its children, and the parents of each
 * child. Total time O(n + sum of squared parent counts). */
#include "graph/moral.h"

#include <assert.h>

struct list {
    int *stamp, *at;
    int mark, count;
};

static void add(struct list *to, int u)
{
    if (to->stamp[u] == to->mark)
        return;
    assert(u != to->mark - 1);
    to->stamp[u] = to->mark;
    to->at[to->count++] = u;
}

static void add_parents(struct list *to, const struct bestdag_parents *p)
{
    for (int i = 0; i < p->count; i++)
        add(to, p->at[i]);
}

int bestdag_moral_list(const struct bestdag_dag *dag,
                       const struct bestdag_adjacency *children, int v,
                       int *stamp, int *list)
{
    struct list to = {.stamp = stamp, .at = list, .mark = v + 1};
    stamp[v] = v + 1;
    add_parents(&to, &dag->parents[v]);
    for (int64_t i = children->start[v]; i < children->start[v + 1]; i++) {
        add(&to, children->to[i]);
        add_parents(&to, &dag->parents[children->to[i]]);
    }
    return to.count;
}
