#!/usr/bin/env bash
# dp, astar and bfbnb on the command line: the same optimum, limits, the disk.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

bestdag generate --variables 22 --seed 3 -q -o net.bif
bestdag sample net.bif --rows 400 --seed 4 -q -o rows.csv
bestdag score rows.csv --score aic --max-parents 5 -q -o rows.jkl

score_of() { sed -n 's/^ *"score": \([-0-9.e]*\),$/\1/p' "$1"; }

for solver in dp astar bfbnb; do
    expect 0 bestdag solve rows.jkl --solver $solver --require-optimal --json
    holds "$solver proves" grep -q '"status": "optimal"' out
    score_of out >"score.$solver"
done
holds 'astar agrees with dp' cmp -s score.dp score.astar
holds 'bfbnb agrees with dp' cmp -s score.dp score.bfbnb

# Every way of looking up and of bounding proves the same.
for way in heuristic=simple heuristic=dynamic lookup=full lookup=bits \
    lookup=trie grouping=halves groups=3; do
    expect 0 bestdag solve rows.jkl --solver astar --set "$way" --json
    score_of out >score.way
    holds "$way proves the same" cmp -s score.dp score.way
done

# Limits end with a network, a bound and code 0, or 5 where a proof is asked for.
expect 5 bestdag solve rows.jkl --solver astar --set steps=5 \
    --require-optimal --json -o five.csv
holds 'a limit is reported' grep -q '"status": "stopped"' out
holds 'its network is written' test -s five.csv
expect 6 bestdag solve rows.jkl --solver dp --memory-limit 10M
holds 'what dp needs is reported' grep -q 'subsets of 22 variables' err
expect 2 bestdag solve rows.jkl --solver astar --set heuristic=best
holds 'the choices are listed' grep -q 'static' err

# bfbnb on disk.
mkdir disk
hard=(--solver bfbnb --set heuristic=simple --set first=1000000000 --set steps=900000000 --memory-limit 6M)
expect 0 bestdag solve rows.jkl "${hard[@]}" --json
holds 'short memory stops it' grep -q '"status": "stopped"' out
holds 'the way out is named' grep -q -- '--temp-dir' err
expect 0 bestdag solve rows.jkl "${hard[@]}" --temp-dir disk --json
holds 'bytes on disk are in the JSON' grep -q '"temp_file_bytes": [1-9]' out
score_of out >score.disk
holds 'on disk it proves' grep -q '"status": "optimal"' out
holds 'on disk it finds the same' cmp -s score.dp score.disk
holds 'what was written is reported' grep -q "wrote .* to 'disk'" err
holds 'nothing is left' [ -z "$(ls -A disk)" ]
expect 1 bestdag solve rows.jkl "${hard[@]}" --temp-dir nowhere
holds 'a missing folder is reported' grep -q "'nowhere'" err

bestdag solve rows.jkl "${hard[@]}" --temp-dir disk >/dev/null 2>err &
job=$!
for ((i = 0; i < 100; i++)); do
    grep -q 'memory is full' err && break
    sleep 0.05
done
kill -KILL $job
wait $job 2>/dev/null
holds 'a kill leaves nothing' [ -z "$(ls -A disk)" ]

finish
