#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The tables and figures of the five papers, beside ours.
#
#     ./dev bench papers [NAME ...] [--time T | --full] [--only PATTERN]
#                        [--store FOLDER] [--out FOLDER] [--show]
#
# NAME: decampos2009 daly2007 yuan2012 scanagatta2015 carvalho2007, or all, as without a
# name. Every cell of a table is a run of its own, remembered in the FOLDER of --store
# (bench/log/papers) once it is done. Cells that are known are not run again, so the
# benchmark can be interrupted (Ctrl-C) and called again for days; the cell that was
# running then is lost. T (10m) is how long cells are begun, for all names together,
# and --full has no such limit; a cell that was begun is finished. Then NAME.md is
# written with what is known so far to the FOLDER of --out (docs/papers); --show only
# writes. PATTERN: only cells whose key, such as "decampos2009 2 zoo bnb", it matches
# are run; with another --store they are run again. Exit code 1: a cell failed. Cells
# need $BESTDAG_DATA.
set -euo pipefail

here=$(dirname "${BASH_SOURCE[0]}")
exec "${PYTHON:-python3}" "$here/papers/run.py" "$@"
