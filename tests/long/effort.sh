#!/usr/bin/env bash
# The same bytes for any number of threads and on a busy machine, as
# tests/cli/effort.sh, with the default effort, on larger tables and with each
# solver that proves.
# shellcheck source-path=SCRIPTDIR/../cli source=../cli/lib.sh
. "$ROOT/tests/cli/lib.sh"
# shellcheck source-path=SCRIPTDIR/../cli source=../cli/repeats.sh
. "$ROOT/tests/cli/repeats.sh"

written=(-o net.bif --save-scores sets.jkl)
threads='2 8'

for size in ${SIZES:-25 60 120 300}; do
    table "$size" 1000
    repeats learn "../table$size.csv" "${written[@]}"
    repeats learn "../table$size.csv" --effort low --score bdeu "${written[@]}" \
        --certificate proof
done
table 40 500
for solver in astar bfbnb cluster bnb; do
    repeats learn ../table40.csv --max-parents 2 --solver "$solver" "${written[@]}"
done
repeats bootstrap ../table40.csv -R 8 -o net.bif --strengths arcs.csv
finish
