#!/usr/bin/env bash
# Forged certificates with other seeds than `./dev test` has, and many more.
# shellcheck source-path=SCRIPTDIR/../cli source=../cli/lib.sh
. "$ROOT/tests/cli/lib.sh"
forger=${BUILD:?the build folder}/tests/test_forger
[[ -x $forger ]] || exit 77
for seed in 2 3 4 5; do
    holds "forgeries with seed $seed" "$forger" 20 "$seed"
done
finish
