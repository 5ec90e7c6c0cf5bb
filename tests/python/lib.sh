# SPDX-License-Identifier: MIT
# lib.sh -- which Python runs the tests of the package; sourced by the scripts here.
# shellcheck shell=bash

skip() {
    echo "skipped: $*"
    exit 77
}

case "${CFLAGS:-} $BUILD" in
*sanitize* | *-asan | *-tsan) skip 'Python cannot load a library with a sanitiser' ;;
esac

python=
for candidate in "${PYTHON:-}" python3 /usr/bin/python3; do
    if [[ -n $candidate ]] && "$candidate" -c 'import numpy, pandas, pytest' 2>/dev/null; then
        python=$candidate
        break
    fi
done
[[ -n $python ]] || skip 'no Python with numpy, pandas and pytest; ./dev test --python installs them'
export PYTHONDONTWRITEBYTECODE=1
