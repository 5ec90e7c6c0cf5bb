#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Is `auto` ever behind its own rows? Every solver that proves, and `auto`, on
# score files of the field and on generated ones of many kinds.
#
#     ./dev bench auto [--limit S] [--only REGEX] [--rows NAMES] [--full] [--show]
#                      [--lists] [--plots] [--cache FOLDER] [--charts FOLDER]
#
#   --limit S        seconds of processor time a run [60]
#   --only REGEX     lists whose names it matches
#   --rows NAMES     solvers to compare with [cluster,bnb,astar,dp,bfbnb]
#   --full           every row for the whole limit, not only until another proves
#   --show           what is known already, without a run
#   --lists          the lists there are
#   --plots          instead: score and bound over time of eight lists, a figure
#                    each, to docs/charts (--charts)
#   --cache FOLDER   lists and results [build/bench-auto]
#
# A row that proves in s seconds sets the mark: `auto`, with -t and without, may
# take 2.5 s + 1 on nine lists of ten, and never more than 5 s + 1. Exit code 1 if
# it does, or if proofs disagree. Results are kept by list and binary: a run that
# was interrupted goes on where it was. What needs $BESTDAG_DATA is skipped if it
# is not set.
set -euo pipefail

here=$(dirname "${BASH_SOURCE[0]}")
exec "${PYTHON:-python3}" "$here/auto.py" "$@"
