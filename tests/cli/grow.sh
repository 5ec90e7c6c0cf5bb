#!/usr/bin/env bash
# Candidate sets that grow: a table with more sets than can be scored. The first
# network comes from the table, the sets grow around it, and what is written in
# the end belongs together: network, scores and certificate.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

bestdag generate --variables 70 --max-parents 4 --seed 3 -q -o true.bif
bestdag sample true.bif -n 800 --seed 3 -q -o table.csv

score_of() { # FILE.json
    sed -n 's/^  "score": \(.*\),$/\1/p' "$1"
}

# at_least A B: but for how sums are rounded
# shellcheck disable=SC2317
at_least() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a >= b - 1e-6) }'; }

# the first network is the one that hill climbing has at its first top
expect 0 bestdag learn table.csv --solver hc --set restarts=0 --json -q -o hc.bif
cp out hc.json
expect 0 bestdag learn table.csv -t 4 --save-scores grown.jkl \
    --certificate proof --json -o net.bif
cp out auto.json
says err 'candidate sets by independence'
says err 'searching orders; extending candidate lists'
holds "auto ended below the network that it began with" \
    at_least "$(score_of auto.json)" "$(score_of hc.json)"

# what was saved is what was searched
expect 0 bestdag verify grown.jkl net.bif proof
expect 0 bestdag verify grown.jkl net.bif proof --data table.csv
expect 0 bestdag solve grown.jkl --start net.bif --set steps=1000 --json -q \
    -o again.csv
holds "the network is not on the lists that were saved" \
    at_least "$(score_of out)" "$(score_of auto.json)"

# nothing grows that was asked for by name, nor under a limit of candidates
for options in '--parents independence' '--candidates 6'; do
    # shellcheck disable=SC2086
    expect 0 bestdag learn table.csv -t 2 $options --save-scores plain.jkl \
        -o plain.bif
    holds "$options: the sets grew" bash -c '! grep -q grown plain.jkl.json'
done

# a start that hill climbing refuses is no reason to end
expect 0 bestdag learn table.csv -t 2 --start hc.bif --max-parents 1 -o one.bif

# rules hold for what grows: the arcs of the first network are forbidden
bestdag convert hc.bif -q -o arcs.csv
sed -n '1d;s/^\([^,]*\),\([^,][^,]*\).*/not \1 -> \2/p' arcs.csv | head -20 >rules
expect 0 bestdag learn table.csv -t 3 --constraints rules --save-scores \
    ruled.jkl --certificate proof -o ruled.bif
expect 0 bestdag verify ruled.jkl ruled.bif proof --constraints rules

# Many variables: whenever it is stopped, the network is on the lists, and the
# bound is one of the lists as they are.
bestdag generate --variables 300 --seed 5 -q -o many.bif
bestdag sample many.bif -n 600 --seed 5 -q -o many.csv
for limit in 0.5 1.1 2.3; do
    expect 0 bestdag learn many.csv -t $limit --save-scores many.jkl --json -q \
        -o many.bif
    holds "stopped after $limit s there is no bound" \
        bash -c '! grep -q "\"gap\": null" out'
    score=$(score_of out)
    expect 0 bestdag solve many.jkl --start many.bif --set steps=1000 --json \
        -q -o again.csv
    holds "the network of $limit s is not on its lists" \
        at_least "$(score_of out)" "$score"
done
finish
