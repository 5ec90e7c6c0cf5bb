#!/usr/bin/env bash
# SIGINT, SIGTERM, SIGHUP and SIGXCPU at random moments of `learn`: before the end
# it ends with 128 and the number of the signal, and a network is written, whole
# and with its probabilities, or none if it had not read the table; never half a
# file, never a temporary one.
#
# Then several signals at once, and those of timeout(1), which are one request.
#
#   MOMENTS=100 RUNS=200 SEED=1 by default

# nohup(1) and others leave signals ignored, which would be kept
[ -n "${SIGNALS_RESET:-}" ] || SIGNALS_RESET=1 exec env --default-signal bash "$0"

# shellcheck source-path=SCRIPTDIR/../cli source=../cli/lib.sh
. "$ROOT/tests/cli/lib.sh"

RANDOM=${SEED:-1}
echo "seed ${SEED:-1}"
bestdag generate --variables 60 --seed 4 -q -o net.bif
bestdag sample net.bif -n 1000 -q -o table.csv
ways=("--solver orders --parents independence" "--solver hc" "--solver espace"
    "--solver obs --parents greedy" "--solver astar --max-parents 2"
    "--solver bnb --max-parents 2" "--solver acoe" "--max-parents 3"
    "--solver bfbnb --max-parents 2" "--solver asobs --parents greedy")
written=0
mkdir folder
for ((i = 0; i < ${MOMENTS:-100}; i++)); do
    case $((i % 4)) in
    0) signal=INT number=130 ;;
    1) signal=TERM number=143 ;;
    2) signal=HUP number=129 ;;
    3) signal=XCPU number=152 ;;
    esac
    rm -f folder/*
    # shellcheck disable=SC2086 # words
    "$BESTDAG" learn table.csv ${ways[i % ${#ways[@]}]} -t 20s --json \
        -o folder/got.bif >out 2>err &
    job=$!
    wait=$((RANDOM % 2500))
    sleep "$((wait / 1000)).$(printf %03d $((wait % 1000)))"
    kill "-$signal" "$job" 2>/dev/null
    wait "$job"
    code=$?
    what="$signal after $wait ms, ${ways[i % ${#ways[@]}]}"
    # before the program catches it the signal ends it, with the same code
    holds "$what: ended with $code: $(head -c 200 err)" \
        [ "$code" -eq "$number" -o "$code" -eq 0 ]
    if [ -e folder/got.bif ]; then
        written=$((written + 1))
        expect 0 bestdag evaluate table.csv folder/got.bif -q
        holds "$what: files left" [ "$(find folder -type f | wc -l)" -eq 1 ]
    else
        holds "$what: files left" [ "$(find folder -type f | wc -l)" -eq 0 ]
    fi
done
echo "$i signals, $written networks"
holds 'no network was ever written' [ "$written" -gt 0 ]

# shellcheck source-path=SCRIPTDIR/../cli source=../cli/bursts.sh
. "$ROOT/tests/cli/bursts.sh"
bursts "${RUNS:-200}"
finish
