#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# package.sh -- the Python package against the library that was built: its tests,
# doctests, types, and the notebook.
set -euo pipefail
python=
# shellcheck source=/dev/null
source "$ROOT/tests/python/lib.sh" # sets it
export BESTDAG_LIBRARY=$BUILD/libbestdag.so.0 PYTHONPATH=$ROOT/python
"$python" -m pytest -p no:cacheprovider -c "$ROOT/python/pyproject.toml" --rootdir "$ROOT/python" \
    "$ROOT/python/tests" "$ROOT/python/bestdag"

if "$python" -m mypy --version >/dev/null 2>&1; then
    "$python" -m mypy --cache-dir "$PWD/mypy" --config-file "$ROOT/python/pyproject.toml" \
        "$ROOT/python/bestdag"
else
    echo 'not checked: mypy is not there'
fi

if "$python" -c 'import nbconvert, ipykernel' 2>/dev/null; then
    cp "$ROOT/examples/hives.ipynb" "$ROOT/examples/hives.csv" .
    "$python" -m nbconvert --to notebook --execute --output done.ipynb hives.ipynb
    grep -q 'proved optimal' done.ipynb
else
    echo 'not checked: the notebook, for want of nbconvert and ipykernel'
fi

# what importing costs beyond numpy; printed, not judged
"$python" - <<'END'
import time
import numpy
start = time.perf_counter()
import bestdag
print(f"import bestdag: {time.perf_counter() - start:.3f} s beyond numpy")
END
