#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The tables and figures of the five papers, beside ours.
#
#     ./dev bench papers [NAME ...] [--time T] [--store FOLDER] [--show]
#
# NAME: decampos2009 daly2007 yuan2012 scanagatta2015 carvalho2007; all of them
# without a name. Every cell of a table is a run of its own, remembered in FOLDER
# (bench/log/papers) once it is done: the benchmark can be interrupted and called again
# for days. T (10m) is how long cells are begun, for all names together; a cell that
# was begun is finished. Then docs/papers/NAME.md is written with what is known so
# far; --show only writes. Cells need $BESTDAG_DATA.
set -euo pipefail

here=$(dirname "${BASH_SOURCE[0]}")
exec "${PYTHON:-python3}" "$here/papers/run.py" "$@"
