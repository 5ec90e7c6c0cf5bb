/* SPDX-License-Identifier: MIT */
/* arc_moves.h -- the best change of one arc: add, drop or reverse it.
 *
 * For every child the best move of an arc into it is kept, and over the
 * children a tournament tree. A kept move never gains less than the best legal
 * one: changes that could make it so (new gains, removed arcs) make the child
 * stale, and its moves are examined again. Changes that only forbid moves (new
 * arcs) need nothing; the winner's legality is checked when it is picked. So a
 * step costs O(n) for each stale child, not O(n^2).
 *
 * Ties are broken by the least child, then the least parent, then dropping
 * before reversing. */
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

/* The graphs visited last, as hashes: the exclusive or of a hash per arc. Moves
 * that lead back are tabu. */
struct bestdag_tabu_list {
    uint64_t now;   /* hash of the present graph */
    uint64_t *seen; /* owns; [room]; ring */
    int room, used, next;
};

struct bestdag_arc_moves {
    struct bestdag_closure *graph;
    const struct bestdag_arc_gains *gains;
    int n;
    /* Rules to obey; NULL: none. Where they order variables, `paths` is the
     * graph plus an arc for each order: it must stay acyclic. */
    const struct bestdag_knowledge *knowledge;
    struct bestdag_precedence ahead; /* owns */
    struct bestdag_closure *paths;   /* owns; NULL: the graph itself */
    struct bestdag_tabu_list tabu_list;
    struct bestdag_move *best; /* owns; [n]: best move into a child */
    int *winner;               /* owns; [2 * leaves]: child; -1: none */
    int leaves;                /* winner[leaves + v] is v */
    bool *is_stale;            /* owns; [n] */
    int *stale, stales;        /* owns; [n]; their number */
};

/* All children are stale. Graph and gains are borrowed. NULL: error. */
struct bestdag_arc_moves *bestdag_arc_moves_new(
    struct bestdag_run *run, struct bestdag_closure *graph,
    const struct bestdag_arc_gains *gains, int tabu);
void bestdag_arc_moves_free(struct bestdag_arc_moves *moves);
/* From now on a move is legal only if its families obey the local rules and the
 * graph obeys the orders. The graph must have no arcs yet; the rules are
 * borrowed. */
int bestdag_arc_moves_obey(struct bestdag_run *run,
                           struct bestdag_arc_moves *moves,
                           const struct bestdag_knowledge *knowledge);
/* Bytes needed. */
int64_t bestdag_arc_moves_bytes(int n);

/* The best move that is legal and not tabu; its gain may be negative. */
struct bestdag_move bestdag_arc_moves_pick(struct bestdag_arc_moves *moves);
/* Is the move legal now? Tabu moves may be. */
bool bestdag_arc_moves_is_legal(const struct bestdag_arc_moves *moves,
                                const struct bestdag_move *move);
/* Makes a legal move. Lists the children, at most two, whose rows of the gains
 * must be renewed before the next pick. */
int bestdag_arc_moves_make(struct bestdag_arc_moves *moves,
                           const struct bestdag_move *move, int children[2]);
/* Clears the tabu list. */
void bestdag_arc_moves_forget(struct bestdag_arc_moves *moves);

#endif
