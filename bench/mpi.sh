#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# mpi.sh -- one rank, two ranks, and two threads, in one run: candidate sets,
# search over orders, resamples, rows, proofs; what is sent, how long rank 0 waits,
# and the memory that it takes.
#
# `cpu` is the processor time of all ranks together, and `speed-up` 2 * that of one
# rank / that of two: what two free processors would give but for waiting, since ranks
# that wait take no processor time. It hardly depends on what else the machine does;
# `wall` and `waited` do.
set -euo pipefail
ranked=$BUILD/tests/bestdag_mpi
if [[ ! -x $ranked ]] || ! command -v mpirun >/dev/null; then
    echo 'mpi.sh: needs Open MPI: libopenmpi-dev, openmpi-bin' >&2
    exit 1
fi
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$BESTDAG" generate --variables 170 --seed 7 -q -o net.bif
"$BESTDAG" sample net.bif -n 1000 -q -o rows.csv
"$BESTDAG" generate --variables 24 --seed 7 -q -o few.bif
"$BESTDAG" sample few.bif -n 1000 -q -o few.csv
"$BESTDAG" sample few.bif -n 200000 --seed 2 -q -o many.csv
"$BESTDAG" generate --variables 200 --max-parents 6 --seed 4 -q -o hard.bif
"$BESTDAG" sample hard.bif -n 100 -q -o hard.csv
"$BESTDAG" generate --variables 28 --max-parents 6 --seed 4 -q -o nodes.bif
"$BESTDAG" sample nodes.bif -n 50 -q -o nodes.csv
"$BESTDAG" score nodes.csv --score aic --max-parents 2 -q -o nodes.jkl
"$BESTDAG" generate --variables 30 --max-parents 6 --seed 4 -q -o arcs.bif
"$BESTDAG" sample arcs.bif -n 50 -q -o arcs.csv
"$BESTDAG" score arcs.csv --score aic --max-parents 3 -q -o arcs.jkl
"$BESTDAG" score hard.csv --parents greedy --effort low --max-parents 6 -q -o lists.jkl

# Each rank writes its processor seconds to cpu.RANK.
cat >timed.sh <<'END'
TIMEFORMAT='%U %S'
{ time "$@" 2>"err.${OMPI_COMM_WORLD_RANK:-0}"; } \
    2>"cpu.${OMPI_COMM_WORLD_RANK:-0}"
END

all_cpu() { awk '{ s += $1 + $2 } END { printf "%.2f", s }' cpu.*; }
now() { date +%s.%N; }

# row WHAT WAY COMMAND ...: runs it, and prints a row
row() {
    local what=$1 way=$2 start end cpu sent memory
    shift 2
    rm -f cpu.* err.*
    start=$(now)
    "$@" --json >report.json
    end=$(now)
    memory=$(sed -n 's/.*"peak_memory_bytes": \([0-9]*\).*/\1/p' report.json)
    cpu=$(all_cpu)
    [[ $way != '1 rank' ]] || one=$cpu
    sent=$(sed -n 's/.*has sent \([0-9]*\) messages, \([0-9]*\) bytes, and has waited \([0-9.]*\) s/\1 \2 \3/p' err.0)
    scored=$(sed -n 's/.* kept of \([0-9,]*\) scored.*/\1/p' err.0 | head -n 1)
    awk -v what="$what" -v way="$way" -v wall="$(echo "$end $start" |
        awk '{ print $1 - $2 }')" -v cpu="$cpu" -v one="${one:-$cpu}" \
        -v sent="${sent:-0 0 0}" -v memory="${memory:-0}" -v scored="${scored//,/}" 'BEGIN {
        split(sent, s, " ")
        printf "| %s | %s | %.2f | %.2f | %s | %d | %d | %.2f | %.0f | %s |\n", what, way,
            wall, cpu, way == "2 ranks" ? sprintf("%.2f", 2 * one / cpu) : "",
            s[1], s[2], s[3], memory / 1048576,
            scored && s[2] ? sprintf("%.3f", s[2] / scored) : "" }'
}

echo '| what | how | wall s | cpu s | speed-up | messages | bytes | waited s | MB of rank 0 | bytes per local score |'
echo '|---|---|---|---|---|---|---|---|---|---|'
compare() { # WHAT ARGUMENTS...
    local what=$1
    shift
    row "$what" '1 rank' mpirun -q -n 1 bash timed.sh "$ranked" "$@" -j 1 -v
    row "$what" '2 ranks' mpirun -q -n 2 bash timed.sh "$ranked" "$@" -j 1 -v
    row "$what" '2 threads' bash timed.sh "$ranked" "$@" -j 2 -v
}
compare sequential score rows.csv --max-parents 3 -o a.jkl
compare independence score rows.csv --parents independence --effort low -o a.jkl
compare orders solve lists.jkl --solver orders --set steps=8000000 -o a.csv
compare bootstrap bootstrap few.csv -R 16 --solver hc -o a.bif
# one rank has all the rows and needs no tables; several sum them
compare rows score many.csv --rows-by-rank --max-parents 2 -o a.jkl
simple=(--set heuristic=simple --set first=900000000)
compare astar solve nodes.jkl --solver astar "${simple[@]}" -o a.csv
compare bfbnb solve nodes.jkl --solver bfbnb "${simple[@]}" -o a.csv
compare bnb solve arcs.jkl --solver bnb --set steps=400 -o a.csv
