#!/usr/bin/env bash
# Ranks that are killed, and signals: no rank hangs, what was found is written,
# and a checkpoint goes on with another number of ranks to the same bytes.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=ranks.sh
. "$(dirname "$0")/ranks.sh"

bestdag generate --variables 40 --seed 4 -q -o wide.bif
bestdag sample wide.bif -n 400 -q -o wide.csv
make_hard
limited=(solve hard.jkl --solver orders --set steps=1500000 -q)

# ---- killed ---------------------------------------------------------------------

for which in 1 0; do
    quiet='' ranks 3 solve hard.jkl "${endless[@]}" -q -o "$PWD/killed.csv" \
        >out 2>err &
    job=$!
    wait_for "$which"
    sleep "0.$((RANDOM % 10))"
    kill -KILL "$(process "$which")"
    end_of "$job"
    code=$?
    holds "a killed rank $which: ended with $code" \
        [ "$code" -ne 0 -a "$code" -ne 124 ]
    holds "a killed rank $which: nothing says so" \
        grep -Eq 'signal 9|rank' err
done

# ---- signals: the best so far is written ------------------------------------------

ranks 3 solve hard.jkl "${endless[@]}" "${searching[@]}" -o "$PWD/polite.csv" \
    >out 2>err &
job=$!
wait_for_network
kill -USR1 "$(pgrep -f "^mpirun .*$PWD/polite.csv")" # it tells all ranks
wait "$job"
code=$?
holds "SIGUSR1 at mpirun: ended with $code" [ "$code" -eq 138 ]
holds 'SIGUSR1: nothing was written' [ -s polite.csv ]

ranks 3 solve hard.jkl "${endless[@]}" "${searching[@]}" -o "$PWD/one.csv" \
    >out 2>err &
job=$!
wait_for_network
kill -TERM "$(process 2)" # one rank is enough
wait "$job"
code=$?
holds "SIGTERM at rank 2: ended with $code" [ "$code" -eq 0 -o "$code" -eq 143 ]
holds 'SIGTERM at one rank: nothing was written' [ -s one.csv ]

# ---- checkpoints --------------------------------------------------------------------

expect 0 bestdag "${limited[@]}" -o whole.csv
code=0
for n in 2 3 1 2; do
    ranks "$n" "${limited[@]}" --checkpoint kept --checkpoint-every 0 \
        -o "$PWD/again.csv" >out 2>err &
    job=$!
    wait_for 0
    sleep "0.$((RANDOM % 8))"
    p=$(process 0)
    [ -z "$p" ] || kill -KILL "$p"
    end_of "$job"
    code=$?
    [ "$code" -eq 0 ] && break
done
[ "$code" -eq 0 ] || expect 0 ranks 3 "${limited[@]}" --checkpoint kept \
    --checkpoint-every 0 -o "$PWD/again.csv"
holds 'resumed with other ranks, the network differs' cmp -s whole.csv again.csv
absent kept

# ---- rows by rank: the others wait for requests, or count -------------------------

sharded=(learn hard.csv --rows-by-rank "${hard_ways[@]}" -j 1)
for which in 2 0; do
    quiet='' ranks 3 "${sharded[@]}" "${endless[@]}" -q -o "$PWD/killed.bif" \
        >out 2>err &
    job=$!
    wait_for "$which"
    sleep "$((RANDOM % 2)).$((RANDOM % 10))"
    kill -KILL "$(process "$which")"
    end_of "$job"
    code=$?
    holds "rows, a killed rank $which: ended with $code" \
        [ "$code" -ne 0 -a "$code" -ne 124 ]
    holds "rows, a killed rank $which: nothing says so" \
        grep -Eq 'signal 9|rank' err
    absent killed.bif
done

ranks 3 "${sharded[@]}" "${endless[@]}" "${searching[@]}" -o "$PWD/polite.bif" \
    >out 2>err &
job=$!
wait_for_network
kill -TERM "$(process 1)" # it only counts, and rank 0 is told
wait "$job"
code=$?
holds "rows, SIGTERM at rank 1: ended with $code" \
    [ "$code" -eq 0 -o "$code" -eq 143 ]
holds 'rows, SIGTERM at rank 1: nothing was written' [ -s polite.bif ]

expect 0 ranks 3 "${sharded[@]}" "${endless[@]}" -t 1s -q --json -o timed.bif
holds 'rows, -t 1s: nothing was written' [ -s timed.bif ]
# on a busy machine lists that the limit cut short may be searched to the end
holds 'rows, -t 1s: not stopped' grep -Eq '"status": "(stopped|optimal)"' out

steps=(--solver orders --set steps=3000000 -q)
expect 0 bestdag learn hard.csv "${hard_ways[@]}" "${steps[@]}" -o whole.bif
for n in 2 3; do
    ranks "$n" "${sharded[@]}" "${steps[@]}" --checkpoint kept \
        --checkpoint-every 0 -o "$PWD/again.bif" >out 2>err &
    job=$!
    for ((i = 0; i < 100; i++)); do
        [ -n "$(ls kept 2>/dev/null)" ] && break
        sleep 0.05
    done
    sleep "0.$((RANDOM % 4))"
    p=$(process 0)
    [ -z "$p" ] || kill -KILL "$p"
    end_of "$job"
done
expect 0 ranks 4 "${sharded[@]}" "${steps[@]}" --checkpoint kept -v \
    --checkpoint-every 0 -o "$PWD/again.bif"
holds 'rows, resumed with other ranks, the network differs' \
    cmp -s whole.bif again.bif
absent kept

# ---- lists -----------------------------------------------------------------------

# Lists that were finished are taken over by all ranks.
listed=(score wide.csv --parents independence --effort low -q)
expect 0 bestdag "${listed[@]}" -o lists.jkl
ranks 2 "${listed[@]}" --checkpoint lists -o "$PWD/lists2.jkl" >out 2>err &
job=$!
sleep 0.7
p=$(pgrep -f "$ranked score wide.csv.*$PWD" | head -n 1)
[ -z "$p" ] || kill -KILL "$p"
end_of "$job"
expect 0 ranks 3 "${listed[@]}" --checkpoint lists -o "$PWD/lists2.jkl"
holds 'resumed lists differ' cmp -s lists.jkl lists2.jkl

finish
