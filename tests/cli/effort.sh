#!/usr/bin/env bash
# Without a time limit the same seed gives the same bytes with any number of
# threads and on a busy machine: network, JSON (but for seconds, memory and
# threads), candidate sets and certificate, on complete lists and on those that
# are not. tests/long/effort.sh has larger tables and the default effort.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=repeats.sh
. "$(dirname "$0")/repeats.sh"

written=(-o net.bif --save-scores sets.jkl)

# lists that grow: their sizes, rounds and turns were once decided by the clock
table 120 200
threads=8
repeats learn ../table120.csv --effort low "${written[@]}"
holds "nothing grew" grep -q grown first/sets.jkl.json

# lists that other limits cut
table 30 200
threads='2 8'
repeats learn ../table30.csv --effort low --max-parents 2 "${written[@]}" \
    --certificate proof
repeats learn ../table30.csv --effort low --parents independence "${written[@]}"
repeats learn ../table30.csv --effort low --parents greedy --candidates 8 \
    "${written[@]}"
repeats score ../table30.csv --effort low --parents independence -o sets.jkl

# rules for a solver that takes them all, resamples, a solver by name
printf 'ancestor X1 X2\nnot ancestor X3 X4\nnot X5 -> X6\n' >rules
repeats learn ../table30.csv --effort low --max-parents 1 --constraints ../rules \
    "${written[@]}"
repeats bootstrap ../table30.csv --effort low --max-parents 2 -R 4 -o net.bif \
    --strengths arcs.csv
repeats learn ../table30.csv --solver orders --effort low --max-parents 2 \
    "${written[@]}"
finish
