#!/usr/bin/env bash
# Proofs on several ranks, nodes divided among them from the start: the same
# bytes as one process; time limits end all ranks with a network; a rank that is
# killed ends the job; a checkpoint goes on with another number of ranks; memory
# is predicted as by one process.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=ranks.sh
. "$(dirname "$0")/ranks.sh"

bestdag generate --variables 16 --max-parents 6 --seed 4 -q -o few.bif
bestdag sample few.bif -n 50 -q -o few.csv
bestdag score few.csv --score aic --max-parents 3 -q -o few.jkl
bestdag generate --variables 20 --max-parents 6 --seed 4 -q -o more.bif
bestdag sample more.bif -n 50 -q -o more.csv
bestdag score more.csv --score aic --max-parents 2 -q -o more.jkl
make_hard

# ---- the same bytes -----------------------------------------------------------

same astar csv '1 2 3 5' solve few.jkl --solver astar --set spread=0
same bnb csv '1 2 3 5' solve few.jkl --solver bnb --set spread=0
same bfbnb csv '2 3 5' solve few.jkl --solver bfbnb --set spread=0
same cluster csv '2 3 5' solve few.jkl --solver cluster --set spread=0
same limited csv '3' solve few.jkl --solver astar --set spread=0 --set steps=1500
same auto csv '3' solve few.jkl

expect 0 bestdag solve few.jkl --solver cluster -q --certificate one.cert -o one.csv
expect 0 ranks 3 solve few.jkl --solver cluster --set spread=0 -q \
    --certificate three.cert -o three.csv
holds 'three ranks write another certificate' cmp -s one.cert three.cert

# Layers on disk: each rank has files of its own.
disk=(solve more.jkl --solver bfbnb --set spread=0 --set heuristic=simple
    --set first=900000000 -j 1)
expect 0 bestdag "${disk[@]}" -q -o disk.csv
expect 0 ranks 2 "${disk[@]}" --memory-limit 1500K --temp-dir . -o disk2.csv
holds 'the disk was not used' grep -q 'continuing in' err
holds 'with files on disk the network differs' cmp -s disk.csv disk2.csv

# ---- limits --------------------------------------------------------------------

for solver in astar bfbnb cluster bnb; do
    for t in 0.2 0.7 1.5; do
        rm -f late.csv
        expect 0 ranks 3 solve hard.jkl --solver "$solver" --set spread=0 \
            -t "${t}s" -q --json -o late.csv
        holds "$solver -t $t: nothing was written" [ -s late.csv ]
        holds "$solver -t $t: no status" grep -Eq '"status": "(stopped|optimal)"' out
    done
done
expect 0 ranks 3 solve hard.jkl -t 1s -q -o late.csv
holds 'auto -t 1: nothing was written' [ -s late.csv ]

expect 6 ranks 2 solve hard.jkl --memory-limit 100K -o small.csv
holds 'what does not fit is said once' [ "$(grep -c memory err)" -eq 1 ]
absent small.csv
expect 0 ranks 3 solve hard.jkl --solver astar --set spread=0 \
    --set heuristic=simple --memory-limit 4M -t 20s -q --json -o tight.csv
holds 'memory that is full does not end all ranks with a network' [ -s tight.csv ]

# ---- killed in the middle --------------------------------------------------------

for solver in astar bnb; do
    quiet='' ranks 3 solve hard.jkl --solver "$solver" --set spread=0 -q \
        -o "$PWD/killed.csv" >out 2>err &
    job=$!
    wait_for 1
    sleep "0.$((RANDOM % 10))"
    p=$(process 1)
    [ -z "$p" ] || kill -KILL "$p"
    end_of "$job"
    code=$?
    holds "$solver, a killed rank: ended with $code" [ "$code" -ne 124 ]
    [ -z "$p" ] || holds "$solver, a killed rank: nothing says so" \
        grep -Eq 'signal 9|rank' err
done

# ---- checkpoints: with another number of ranks -----------------------------------

kept=(solve few.jkl --solver astar --set spread=0 --checkpoint kept
    --checkpoint-every 0 -q)
for n in 2 3 1; do
    ranks "$n" "${kept[@]}" -o "$PWD/again.csv" >out 2>err &
    job=$!
    sleep "0.$((RANDOM % 6))"
    p=$(pgrep -f "^$ranked solve few.jkl.*--checkpoint kept.*$PWD" | head -n 1)
    [ -z "$p" ] || kill -KILL "$p"
    end_of "$job"
done
expect 0 ranks 2 "${kept[@]}" -o again.csv
holds 'resumed with other ranks, the network differs' cmp -s astar.csv again.csv

finish
