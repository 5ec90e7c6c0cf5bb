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
    wait "$job"
    code=$?
    holds "a killed rank $which: ended with $code" \
        [ "$code" -ne 0 -a "$code" -ne 124 ]
    holds "a killed rank $which: nothing says so" \
        grep -Eq 'signal 9|rank' err
done

# ---- signals: the best so far is written ------------------------------------------

ranks 3 solve hard.jkl "${endless[@]}" -q -o "$PWD/polite.csv" >out 2>err &
job=$!
wait_for 2
sleep 1.5
kill -USR1 "$(pgrep -f "^mpirun .*$PWD/polite.csv")" # it tells all ranks
wait "$job"
code=$?
holds "SIGUSR1 at mpirun: ended with $code" [ "$code" -eq 138 ]
holds 'SIGUSR1: nothing was written' [ -s polite.csv ]

ranks 3 solve hard.jkl "${endless[@]}" -q -o "$PWD/one.csv" >out 2>err &
job=$!
wait_for 2
sleep 1.5
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
    wait "$job"
    code=$?
    [ "$code" -eq 0 ] && break
done
[ "$code" -eq 0 ] || expect 0 ranks 3 "${limited[@]}" --checkpoint kept \
    --checkpoint-every 0 -o "$PWD/again.csv"
holds 'resumed with other ranks, the network differs' cmp -s whole.csv again.csv
absent kept

# Lists that were finished are taken over by all ranks.
listed=(score wide.csv --parents independence --effort low -q)
expect 0 bestdag "${listed[@]}" -o lists.jkl
ranks 2 "${listed[@]}" --checkpoint lists -o "$PWD/lists2.jkl" >out 2>err &
job=$!
sleep 0.7
p=$(pgrep -f "$ranked score wide.csv.*$PWD" | head -n 1)
[ -z "$p" ] || kill -KILL "$p"
wait "$job"
expect 0 ranks 3 "${listed[@]}" --checkpoint lists -o "$PWD/lists2.jkl"
holds 'resumed lists differ' cmp -s lists.jkl lists2.jkl

finish
