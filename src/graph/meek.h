/* SPDX-License-Identifier: MIT */
/* meek.h -- directions of edges that follow from others. */
#ifndef BESTDAG_GRAPH_MEEK_H
#define BESTDAG_GRAPH_MEEK_H

#include "graph/pdag.h"

/* Directs the undirected edges that have the same direction in all DAGs with
 * the graph's skeleton and arcs and without new v-structures. The graph must be
 * that of an equivalence class in which some edges were given a direction that
 * one of its DAGs has. */
void bestdag_pdag_direct(struct bestdag_pdag *pdag);

#endif
