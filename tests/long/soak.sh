#!/usr/bin/env bash
# soak.sh [SECONDS] -- one `learn` on 2,000 variables for a long time, with its
# memory (VmRSS) sampled: after scoring, which has half of the time and keeps
# what it finds, it must not grow. $SOAK, or 300 seconds if nothing is given;
# the documented run has 3,600 (in docs/checkpoint.md).
# shellcheck source-path=SCRIPTDIR/../cli source=../cli/lib.sh
. "$ROOT/tests/cli/lib.sh"

length=${1:-${SOAK:-300}}
solver=${SOLVER:-orders}
bestdag generate --variables 2000 --max-parents 3 --seed 1 -q -o net.bif
bestdag sample net.bif -n 2000 --seed 1 -q -o table.csv
start=$(date +%s)
"$BESTDAG" learn table.csv --solver "$solver" -t "${length}s" \
    --checkpoint folder --json -o got.bif >out 2>err &
job=$!
while now=$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$job/status" \
    2>/dev/null) && [ -n "$now" ]; do
    echo "$(($(date +%s) - start)) $now" >>samples
    sleep 0.5
done
wait "$job"
code=$?
holds "learn ended with $code: $(head -c 300 err)" [ "$code" -eq 0 ]
expect 0 bestdag evaluate table.csv got.bif -q

# most FROM TO: the largest sample between these shares of the time
most() {
    awk -v l="$length" -v a="$1" -v b="$2" \
        '$1 >= a * l && $1 <= b * l && $2 > m { m = $2 } END { print m + 0 }' \
        samples
}
echo 'share of the time, largest MB:'
for ((i = 0; i < 20; i++)); do
    a=$(awk "BEGIN { print $i / 20 }")
    b=$(awk "BEGIN { print ($i + 1) / 20 }")
    printf '%5s %7d\n' "$b" $(($(most "$a" "$b") / 1024))
done
warm=$(most 0.6 0.7)
end=$(most 0.9 1)
echo "$solver, $length s: $warm KB after warm-up, $end KB at the end"
holds "it grew from $warm KB to $end KB" \
    [ "$end" -le $((warm + warm / 50 + 1024)) ]
finish
