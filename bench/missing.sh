#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tables with holes: drop, state, available (with the default penalty and with rows) and em on the
# same sampled tables.
#
#     ./dev bench missing [--full] [--growth]
#
# Two generated networks, one of states and one of numbers, and with BESTDAG_DATA asia and child
# (--full: insurance and alarm, more rows, more samples); holes at random (mcar) and by the value
# of another column (mar), 5, 10 and 30 %. Each cell: SHD of equivalence classes, log-likelihood of
# 2,000 new rows, per row, and seconds of the processor; means over samples. Then growth with rows
# and columns (--growth: that alone).
set -euo pipefail
exec "${PYTHON:-python3}" "$(dirname "${BASH_SOURCE[0]}")/missing.py" "$@"
