#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Searches that prove: dp, astar and bfbnb, a table a section.
#
#     ./dev bench exact [--full] [SECTION ...]
#
#   optima      every row of optima.csv with each solver
#   graphs      scores that full parent graphs hold, and sparse ones
#   heuristics  autos and flags: every heuristic with either
#   originals   full graphs and the simple heuristic against today's defaults
#   programs    the benchmarks lookup, heuristics and matching on three of the tables
#   rates       successors per second, bytes per subset, threads
#   dp          seconds and memory of dp by the number of variables
#   disk        bfbnb in an eighth of the memory that it wants
#   growth      nodes and seconds by the number of variables
#
# graphs, heuristics and originals are the tables of Yuan and Malone (UAI 2012).
# Without a section: all. What needs $BESTDAG_DATA is skipped if it is not set.
set -euo pipefail

here=$(dirname "${BASH_SOURCE[0]}")
exec "${PYTHON:-python3}" "$here/exact.py" "$@"
