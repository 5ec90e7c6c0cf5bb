#!/usr/bin/env bash
# A table whose sets can all be scored, though not at once: `learn` searches over
# small sets and good ones first, scores all of them when that is due, and ends
# with what a run that begins with them ends with.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

bestdag generate --variables 22 --states 3:3 --max-parents 3 --seed 4 -q -o true.bif
bestdag sample true.bif -n 300 --seed 4 -q -o table.csv

number_of() { # KEY FILE.json
    sed -n "s/^  \"$1\": \(.*\),\$/\1/p" "$2"
}

some=(--score bdeu --max-parents 7)
expect 0 bestdag learn table.csv "${some[@]}" -j 1 -v --json --save-scores late.jkl \
    --certificate proof -o late.bif
cp out late.json
says err 'candidate sets by independence selection first'
says err 'scored all sets of up to 3 parents'
says err 'searching orders; extending candidate lists'
says err 'candidate sets by sequential'
says late.json '"status": "optimal"'
says late.json '"proved_over": "parent sets up to 7"'
says late.json '"parents": "sequential"'

# the lists are those of sequential, to the byte
expect 0 bestdag score table.csv "${some[@]}" --parents sequential -q -o all.jkl
holds "the lists differ from those of sequential" cmp late.jkl all.jkl
expect 0 bestdag verify late.jkl late.bif proof --data table.csv

# and so is the optimum
expect 0 bestdag solve all.jkl --json -q -o all.csv
holds "the optimum differs" test "$(number_of score out | cut -c1-12)" = \
    "$(number_of score late.json | cut -c1-12)"

# the same for any number of threads
expect 0 bestdag learn table.csv "${some[@]}" -j 3 -q --certificate proof -o 3.bif
holds "threads change the answer" cmp late.bif 3.bif

# stopped before all sets are scored: a network of good families, and its bound
expect 0 bestdag learn table.csv "${some[@]}" -t 0.3 --json -q \
    --save-scores early.jkl --certificate proof -o early.bif
expect 0 bestdag verify early.jkl early.bif proof --data table.csv
finish
