#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The solver cluster and its bound, a table a section.
#
#     ./dev bench cluster [--full] [SECTION ...]
#
#   instances   score files of the field: cluster against astar in the same run
#   root        clusters, gap and sets left at the root, and how it ended: lists of
#               `bench auto`
#   border      long lists, few variables: where patterns win
#   density     tables of 100 to 1,556 columns: bound and gap of orders
#   large       1,000 variables with 200,000 candidate sets: the gap over time
#   linear      the root bound over time, against Clp on the same clusters
#
# Without a section: all. What needs $BESTDAG_DATA is skipped if it is not set;
# `linear` needs Clp (coinor-libclp-dev) when the benchmarks are built.
set -euo pipefail

here=$(dirname "${BASH_SOURCE[0]}")
exec "${PYTHON:-python3}" "$here/cluster.py" "$@"
