#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Python package: what handing a data frame over costs.
#
#     ./dev bench python
#
# A data frame of 100,000 rows and 40 columns (categories, whole numbers, text):
# seconds in the binding against the whole of `learn` (effort low), and against
# writing the frame as CSV and reading it; the cost of one local score through a
# handle; of importing the package. Needs a Python with numpy and pandas.
set -euo pipefail

here=$(dirname "${BASH_SOURCE[0]}")
python=${PYTHON:-python3}
"$python" -c 'import numpy, pandas' 2>/dev/null || python=/usr/bin/python3
if ! "$python" -c 'import numpy, pandas' 2>/dev/null; then
    echo 'skipped: python, no Python with numpy and pandas'
    exit
fi
build=$(readlink -f "${BUILD:-build}")
export BESTDAG_LIBRARY=$build/libbestdag.so.0 PYTHONPATH=$here/../python
exec "$python" "$here/binding.py"
