#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tables with holes: drop, state, available and em on the same sampled tables.
#
#     ./dev bench missing [--full]
#
# A generated network and, with --full and BESTDAG_DATA, alarm; holes at random (mcar) and by the
# value of another column (mar), 5, 10 and 30 %. SHD is of equivalence classes; the
# log-likelihood is of 2,000 new rows, per row; seconds are of the processor. Then growth
# with rows and columns.
set -euo pipefail
exec "${PYTHON:-python3}" "$(dirname "${BASH_SOURCE[0]}")/missing.py" "$@"
