#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Whole runs of `learn`, from CSV to BIF: auto against eight pairs of a strategy
# for candidate sets and a solver, at equal time.
#
#     ./dev bench learn [--full] [--seconds N] [--seeds N] [TABLE ...]
#
# Without a table: 6 of them, 10 s and one seed each (9 minutes at most); with
# --full all 20, 60 s and five seeds each (15 hours at most). Tables are named,
# too, to measure some of them only; an unknown name lists all. They are in
# $BESTDAG_DATA. Numbers are cut at the mean before the clock starts. Needs GNU
# time, in /usr/bin.
set -euo pipefail

here=$(dirname "${BASH_SOURCE[0]}")
exec "${PYTHON:-python3}" "$here/learn.py" "$@"
