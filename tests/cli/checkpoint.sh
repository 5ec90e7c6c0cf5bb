#!/usr/bin/env bash
# Runs that are killed (SIGKILL) at random moments and given again end with the
# same bytes as one that was not; checkpoints of something else are refused,
# damaged ones are not used, full disks cost nothing. With ./dev test --long
# there are more moments and all solvers.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

RANDOM=${SEED:-1}
echo "seed ${SEED:-1}"
moments=${BESTDAG_LONG:+15}
moments=${moments:-4}

bestdag generate --variables 40 --seed 4 -q -o wide.bif
bestdag sample wide.bif -n 500 -q -o wide.csv
bestdag learn wide.csv --max-parents 3 --parents greedy --candidates 12 -q \
    --solver os --set restarts=1 --save-scores wide.jkl -o first.bif
make_hard

now() { date +%s%N; }

# killed NAME COMMAND...: without a checkpoint, then killed again and again; the
# output is NAME.SUFFIX, the report on standard output.
killed() {
    local name=$1 suffix=bif i start length wait job code=0
    shift
    [ "$1" = solve ] && suffix=csv
    [ "$1" = score ] && suffix=jkl
    start=$(now)
    expect 0 bestdag "$@" -q -o "whole.$suffix"
    length=$((($(now) - start) / 1000000 + 1))
    strip out >whole.json
    for ((i = 0; i < moments; i++)); do
        "$BESTDAG" "$@" --checkpoint "$name.ck" -q -o "$name.$suffix" \
            >"$name.json" 2>err &
        job=$!
        wait=$((RANDOM % (length / 2 + 1)))
        sleep "$((wait / 1000)).$(printf %03d $((wait % 1000)))"
        kill -KILL "$job" 2>/dev/null
        wait "$job" 2>/dev/null
        code=$?
        [ "$code" -eq 137 ] || break
    done
    if [ "$code" -eq 137 ]; then
        "$BESTDAG" "$@" --checkpoint "$name.ck" -q -o "$name.$suffix" \
            >"$name.json" 2>err
        code=$?
    fi
    holds "$name ended with $code: $(head -c 300 err)" [ "$code" -eq 0 ]
    same "whole.$suffix" "$name.$suffix"
    strip "$name.json" >"$name.strip"
    same whole.json "$name.strip"
    absent "$name.ck"
    echo "$name: killed $i times within $length ms"
}
often='--checkpoint-every 0.02s'

# scoring, a heuristic, an exact one
killed score score wide.csv --max-parents 3 --parents greedy
# shellcheck disable=SC2086 # two words
{
    killed learn learn hard.csv --score aic --max-parents 2 --parents independence \
        --solver orders --set steps=2000000 --json $often
    killed obs solve wide.jkl --solver obs --set steps=20000000 --json $often
    killed astar learn wide.csv --max-parents 2 --candidates 7 --solver astar --json $often
    if [ -n "${BESTDAG_LONG:-}" ]; then
        killed os solve wide.jkl --solver os --set steps=30000000 --json $often
        killed asobs solve wide.jkl --solver asobs --set steps=20000000 \
            --json $often
        killed hc learn wide.csv --solver hc --set steps=9000000 --json $often
        killed espace learn wide.csv --solver espace --set restarts=1000 \
            --json $often
        killed acoe learn wide.csv --solver acoe --set tmax=60 --json $often
        for s in bfbnb bnb; do
            killed $s learn wide.csv --max-parents 2 --solver $s --json $often
        done
        killed dp learn wide.csv --max-parents 2 --candidates 3 --solver dp \
            --json $often
        killed auto learn wide.csv --max-parents 3 --json $often
    fi
}

# stopped by a limit or a signal it stays; the time used counts
expect 0 bestdag solve hard.jkl --solver orders -t 1 --checkpoint kept \
    --checkpoint-every 0.05s --json -q -o limit.csv
says out '"status": "stopped"'
holds 'the checkpoint is gone' [ -e kept/search-orders.checkpoint ]
cp -r kept mangled
before=$(field out score)
expect 0 bestdag solve hard.jkl --solver orders -t 1.2 --checkpoint kept --json -o limit.csv
says err 'checkpoint: resuming after'
holds 'going on lost something' awk -v a="$(field out score)" -v b="$before" \
    'BEGIN { exit !(a >= b - 1e-9) }'

# another command, another table, another run
expect 2 bestdag solve hard.jkl --solver orders -t 1s --checkpoint kept --seed 2
says err "'kept' belongs to another command: it has 'seed=1', this run has 'seed=2'"
one_line err
expect 2 bestdag solve hard.jkl --solver obs -t 1s --checkpoint kept
says err "it has 'solve.solver=orders', this run has 'solve.solver=obs'"
expect 2 bestdag learn hard.csv --solver orders -t 1s --checkpoint kept
says err "this run has 'table="
expect 2 bestdag solve "$ROOT/tests/data/lighthouse.jkl" --solver orders -t 1s --checkpoint kept
says err "it has 'candidate sets="
expect 1 bestdag solve hard.jkl --checkpoint hard.jkl
says err 'Not a directory'
expect 1 bestdag solve hard.jkl --checkpoint no/such/folder
says err 'No such file'

# damaged: not used, and said so
for file in mangled/*.checkpoint; do
    printf 'x' | dd of="$file" bs=1 seek=100 conv=notrunc 2>/dev/null
done
expect 0 bestdag solve hard.jkl --solver orders -t 1s --checkpoint mangled -o again.csv
says err 'is damaged and is ignored'
mkdir torn
printf 'bestdag part 1\tvari' >torn/sets.part
expect 0 bestdag learn wide.csv --max-parents 2 --checkpoint torn -q -o torn.bif
absent torn
mkdir other
date >other/sets.part
date >other/mine
expect 0 bestdag learn wide.csv --max-parents 2 --checkpoint other -o other.bif
says err 'is damaged and is ignored'
same torn.bif other.bif
holds 'a file of the user is gone' [ -e other/mine ]
finish
