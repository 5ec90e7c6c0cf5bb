/* SPDX-License-Identifier: MIT */
/* arc_moves.h -- the best change of one arc: add, drop or reverse it.
 *
 * For every child the best move of an arc into it is kept, and over the
 * children a tree of winners. A kept move never gains less than the best that
 * is legal: whatever could make it so (new gains, removed arcs) makes the
 * child stale, and it is examined again. What only forbids moves (new arcs)
 * does nothing; the winner's legality is checked when it is asked for. So a
 * step costs O(n) for each stale child, not O(n^2).
 *
 * Of moves with the same gain the one with the least child is the best, then
 * the least parent, then dropping before reversing. */
#ifndef BESTDAG_SEARCH_DIRECT_ARC_MOVES_H
#define BESTDAG_SEARCH_DIRECT_ARC_MOVES_H

#include "problem/precedence.h"
#include "search/direct/arc_gains.h"

enum bestdag_move_kind {
    BESTDAG_NO_MOVE,
    BESTDAG_ADD,
    BESTDAG_DROP,
    BESTDAG_TURN /* from -> to becomes to -> from */
};

struct bestdag_move {
    int64_t gain; /* units */
    int from, to;
    enum bestdag_move_kind kind;
};

/* Graphs that were visited last, as numbers: each arc has one, a graph has the
 * exclusive or of those of its arcs. Moves that lead back are tabu. */
struct bestdag_tabu_list {
    uint64_t now;   /* the graph as it is */
    uint64_t *seen; /* owns; [room]; ring */
    int room, used, next;
};

struct bestdag_arc_moves {
    struct bestdag_closure *graph;
    const struct bestdag_arc_gains *gains;
    int n;
    /* Rules to keep to; NULL: none. Where they order variables, `paths` is the
     * graph with an arc for each order: there may be no cycle in that. */
    const struct bestdag_knowledge *knowledge;
    struct bestdag_precedence ahead; /* owns */
    struct bestdag_closure *paths;   /* owns; NULL: the graph itself */
    struct bestdag_tabu_list tabu_list;
    struct bestdag_move *best; /* owns; [n]: into a child */
    int *winner;               /* owns; [2 * leaves]: child; -1: none */
    int leaves;                /* winner[leaves + v] is v */
    bool *is_stale;            /* owns; [n] */
    int *stale, stales;        /* owns; [n]; how many */
};

/* All children are stale. Graph and gains stay the caller's. NULL: failed. */
struct bestdag_arc_moves *bestdag_arc_moves_new(
    struct bestdag_run *run, struct bestdag_closure *graph,
    const struct bestdag_arc_gains *gains, int tabu);
void bestdag_arc_moves_free(struct bestdag_arc_moves *moves);
/* From now on a move is legal only if the families that it makes obey the local
 * rules and the graph the orders. The graph has no arcs yet; the rules stay the
 * caller's. */
int bestdag_arc_moves_obey(struct bestdag_run *run,
                           struct bestdag_arc_moves *moves,
                           const struct bestdag_knowledge *knowledge);
/* Bytes that it takes. */
int64_t bestdag_arc_moves_bytes(int n);

/* The best that is legal and not tabu; it may well lose. */
struct bestdag_move bestdag_arc_moves_pick(struct bestdag_arc_moves *moves);
/* Is it so now? Tabu or not. */
bool bestdag_arc_moves_is_legal(const struct bestdag_arc_moves *moves,
                                const struct bestdag_move *move);
/* Makes a legal move. The rows of the gains that changed are to be renewed
 * before the next pick: lists their children, at most two. */
int bestdag_arc_moves_make(struct bestdag_arc_moves *moves,
                           const struct bestdag_move *move, int children[2]);
/* Forgets the graphs that were visited. */
void bestdag_arc_moves_forget(struct bestdag_arc_moves *moves);

#endif
