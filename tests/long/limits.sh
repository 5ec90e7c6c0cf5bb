#!/usr/bin/env bash
# Limits of memory and time of `learn`, on tables of 10 to 2,000 variables, with
# every solver: the memory that a run has at its peak (VmHWM) is at most the
# limit, or the request is refused with the numbers; what it writes is a whole
# network. How far each ends behind its time limit is printed, not asserted.
#
#   SIZES="10 2000" SOLVERS=auto LIMITS=64M SECONDS_EACH=2 to try some
# shellcheck source-path=SCRIPTDIR/../cli source=../cli/lib.sh
. "$ROOT/tests/cli/lib.sh"

sizes=${SIZES:-10 50 200 500 1000 2000}
limits=${LIMITS:-64M 256M 1G}
each=${SECONDS_EACH:-2}
solvers=${SOLVERS:-auto $(bestdag list solvers --json |
    sed -n 's/^    "name": "\(.*\)",$/\1/p')}
most=0 # milliseconds behind the limit
slow=0 # runs that did not even read the table in time

# peak COMMAND...: sets code, kilobytes and milliseconds.
peak() {
    local start job now
    start=$(date +%s%N)
    kilobytes=0
    "$@" >out 2>err &
    job=$!
    while now=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' \
        "/proc/$job/status" 2>/dev/null) && [ -n "$now" ]; do
        kilobytes=$now
        sleep 0.02
    done
    wait "$job"
    code=$?
    milliseconds=$((($(date +%s%N) - start) / 1000000))
}

kilobytes_of() { # 64M
    case $1 in
    *G) echo $((${1%G} * 1024 * 1024)) ;;
    *M) echo $((${1%M} * 1024)) ;;
    esac
}

printf '%9s %-7s %6s %5s %9s %10s\n' variables solver limit exit 'peak MB' \
    'behind ms'
for n in $sizes; do
    bestdag generate --variables "$n" --max-parents 3 --seed 1 -q -o net.bif
    bestdag sample net.bif -n 2000 --seed 1 -q -o table.csv
    for solver in $solvers; do
        for limit in $limits; do
            rm -f got.bif
            peak "$BESTDAG" learn table.csv --solver "$solver" -t "$each" \
                --memory-limit "$limit" -o got.bif
            behind=$((milliseconds - each * 1000))
            [ "$behind" -le "$most" ] || most=$behind
            printf '%9d %-7s %6s %5d %9d %10d\n' "$n" "$solver" "$limit" \
                "$code" $((kilobytes / 1024)) "$behind"
            what="$solver, $n variables, $limit"
            if [ "$code" -eq 6 ]; then
                holds "$what: no numbers: $(head -c 200 err)" \
                    grep -qE 'limit|at most' err
                absent got.bif
            elif grep -q 'stopped while reading' err; then
                slow=$((slow + 1)) # so busy is the machine: nothing is known
                absent got.bif
            else
                holds "$what ended with $code: $(head -c 200 err)" \
                    [ "$code" -eq 0 ]
                expect 0 bestdag convert got.bif -q -O edges
            fi
            holds "$what: $kilobytes KB at the peak" \
                [ "$kilobytes" -le "$(kilobytes_of "$limit")" ]
        done
    done
done
echo "at most $most ms behind the time limit ($(uptime))"
[ "$slow" -eq 0 ] || echo "$slow runs ended while they read the table"
finish
