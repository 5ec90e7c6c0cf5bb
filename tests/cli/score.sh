#!/usr/bin/env bash
# Candidate parent sets: files, JSON, resuming, refusals, interruption.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

bestdag generate --variables 12 --seed 3 -q -o net.bif
bestdag sample net.bif -n 300 -q -o rows.csv

# all sets, in a file with its sidecar; nothing else is left
expect 0 bestdag score rows.csv -o s.jkl
says err 'sequential'
says err 'complete over all parent sets'
silent out
says s.jkl.json '"complete": true'
says s.jkl.json '"score": "bic"'
absent s.jkl.part
expect 0 bestdag score rows.csv -q
silent err
same out s.jkl
expect 0 bestdag score rows.csv --json -q
says out '"status": "optimal"'
says out '"proved_over": "all parent sets"'
says out '"variables": 12'
says out '"rows": 300'

# strategies, threads and packing
for p in greedy independence; do
    expect 0 bestdag score rows.csv --parents $p -j 1 -q -o one.jkl
    expect 0 bestdag score rows.csv --parents $p -j 4 -q -o four.jkl.gz
    holds "$p is the same for all threads" \
        bash -c 'gunzip -c four.jkl.gz | cmp - one.jkl'
done
expect 0 bestdag score rows.csv --max-parents 2 --candidates 4 --comments -q
says out '# score: bic'
says out '# max-parents: 2'
expect 0 bestdag score rows.csv --parents greedy --trace steps.csv -q -o t.jkl
says steps.csv 'variable,step,size,score'
expect 0 bestdag score rows.csv --parents sequential --trace sizes.csv -q -o u.jkl
same u.jkl s.jkl
# shellcheck disable=SC2016 # fields of awk
holds 'sequential goes by size' awk -F, 'NR > 1 {
    if ($1 == name && $3 < size) exit 1; name = $1; size = $3 }' sizes.csv
expect 0 bestdag score rows.csv --parents independence --queue single -q -o v.jkl
expect 2 bestdag score rows.csv --parents greedy --queue single
says err "greedy does not use --queue: it is an option of independence"
expect 2 bestdag learn rows.csv --parents sequential --theorem-2
expect 0 bestdag learn rows.csv --queue single -q -o w.bif
same v.jkl s.jkl

# work that goes on
expect 0 bestdag score rows.csv --parents greedy -q --part kept --json
holds 'the finished variables are kept' test -s kept
head -c 2000 kept >cut.part
expect 0 bestdag score rows.csv --parents greedy --part cut.part --resume -o again.jkl
says err 'are already done'
same again.jkl t.jkl
absent cut.part
expect 2 bestdag score rows.csv --parents greedy --score aic --part kept --resume
says err "it has 'score=bic'"
one_line err

# refusals
expect 2 bestdag score rows.csv --score nonsense
expect 2 bestdag score rows.csv --max-parents 3.5
expect 2 bestdag score rows.csv --parents independence --queue two
says err 'sizes'
one_line err
bestdag generate --variables 30 --seed 3 -q -o wide.bif
bestdag sample wide.bif -n 50 -q -o wide.csv
expect 2 bestdag score wide.csv --score ll
says err 'max-parents'

# constant columns
printf 'a,b,c\n1,1,0\n2,1,1\n1,1,0\n2,1,0\n' >flat.csv
expect 0 bestdag score flat.csv -o flat.jkl
says err "column 'b' is constant"

# a limit of time ends it with a whole file
expect 0 bestdag score wide.csv --parents independence -t 0.2 -q --json -o w.jkl
says out '"parents": "independence"'
says w.jkl '30'

# an interrupted one can go on
bestdag sample wide.bif -n 20000 -q -o long.csv
"$BESTDAG" score long.csv --parents independence --time-per-variable 1h -q \
    -o i.jkl &
job=$!
until [ -s i.jkl.part ]; do sleep 0.1; done
kill -TERM $job
wait $job
holds 'it says that it was stopped' test $? -eq 143
holds 'what there was is written' test -s i.jkl
holds 'and can be gone on with' test -s i.jkl.part
finish
