#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Constants: what changes if one of them is half or twice as large.
#
#     ./dev bench sensitivity [--full] [--list] [--csv FILE] [--tree DIR]
#         [NAME ...]
#
# Copies the tree, changes one constant at a time, builds the command and runs
# a few jobs whose work is counted, on one thread. NAME is a group of constants
# (orders, epochs, restarts, cuts, clusters, arcs, subsets, direct, classes,
# parents), a file of src/, a constant, or GROUP/CONSTANT; without one: all.
# Prints a line per job: how score, gap, work and user seconds compare with
# those of the tree as it is.
#
#   --csv   writes every run
#   --full  makes the runs with three times as many seeds
#   --list  prints what would be measured
#   --tree  keeps the copy in DIR, where a later run finds it built
#
# Jobs on outside data are skipped by name if $BESTDAG_DATA is not set. About 20
# minutes on one core.
set -euo pipefail

here=$(dirname "${BASH_SOURCE[0]}")
exec nice -n 10 "${PYTHON:-python3}" "$here/sensitivity.py" "$@"
