#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Numbers: local scores per second, how well networks come back against cutting
# the same rows into states, complete lists and proofs on 20 to 40 columns, and
# 500 columns of 500 rows and 5,000 of 300 in a minute.
#
#     ./dev bench gaussian [families|recovery|proofs|many ...]
#
# Without a word all four: some ten minutes. Processor seconds.
set -euo pipefail

here=$(dirname "${BASH_SOURCE[0]}")
exec "${PYTHON:-python3}" "$here/gaussian.py" "$@"
