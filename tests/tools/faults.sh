#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Do the conformance tests of the solvers, and the forger of certificates, see a
# fault? Each deliberate fault that the sources name (src/base/fault.h) is switched
# on, and must be noticed: those of the checker, kernel-*, by the forger.
set -euo pipefail
proofs=$BUILD/tests/faulty_proofs forger=$BUILD/tests/faulty_forger
if [[ ! -x $proofs ]]; then
    echo 'skipped: cmocka is not there'
    exit 77
fi
export BESTDAG_TEST_TRIALS=18

for program in "$proofs" "$forger"; do
    if ! "$program" >none.log 2>&1; then
        echo "$program fails without any fault:"
        tail -n 20 none.log
        exit 1
    fi
done
mapfile -t faults < <(grep -rhoE 'BESTDAG_FAULT\("[a-z-]+"\)' "$ROOT/src" |
    cut -d '"' -f 2 | sort -u)
((${#faults[@]} >= 15)) || {
    echo "only ${#faults[@]} faults were found"
    exit 1
}
missed=0
for fault in "${faults[@]}"; do
    program=$proofs
    [[ $fault != kernel-* ]] || program=$forger
    if BESTDAG_FAULT=$fault "$program" >"$fault.log" 2>&1; then
        echo "$fault: not noticed"
        missed=1
    else
        echo "$fault: noticed by $(grep '^\[  FAILED  \] [a-z_]*$' "$fault.log" | sort -u | wc -l) tests"
    fi
done
exit $missed
