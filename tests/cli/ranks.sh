# Helpers of the tests with several ranks; sourced after lib.sh. They are skipped
# where there is no MPI.
# shellcheck shell=bash
ranked=$BUILD/tests/bestdag_mpi
if [ ! -x "$ranked" ] || ! command -v mpirun >/dev/null; then
    echo 'skipped: there is no MPI'
    exit 77
fi
# Open MPI keeps what it has; the library itself is looked at elsewhere
export ASAN_OPTIONS="${ASAN_OPTIONS:-}${ASAN_OPTIONS:+:}detect_leaks=0"
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
RANDOM=${SEED:-1}
echo "seed ${SEED:-1}"

# ranks N ARGUMENTS...: nothing may take for ever
ranks() {
    local n=$1
    shift
    # shellcheck disable=SC2086 # it may be nothing
    timeout -k 5 300 mpirun ${quiet--q} -n "$n" "$ranked" "$@"
}

# The report without what may differ.
plain() { strip "$1" | sed '/"ranks"/d'; }

# same NAME SUFFIX "RANKS" ARGUMENTS...: as one process without MPI.
same() {
    local name=$1 suffix=$2 n numbers=$3
    shift 3
    expect 0 bestdag "$@" -q -j 2 --json -o "$name.$suffix"
    plain out >"$name.json"
    for n in $numbers; do
        expect 0 ranks "$n" "$@" -q -j 1 --json -o "$name-$n.$suffix"
        holds "$name: $n ranks give another $suffix" \
            cmp -s "$name.$suffix" "$name-$n.$suffix"
        plain out >"$name-$n.json"
        holds "$name: $n ranks give another report" \
            cmp -s "$name.json" "$name-$n.json"
        [ "$suffix" = txt ] || holds "$name: the number of ranks is not said" \
            grep -q "\"ranks\": $n" out
    done
}

# The process of a rank that works on hard.jkl or hard.csv; $1: which.
process() {
    local p
    for p in $(pgrep -f "^$ranked [a-z]+ hard[.].*$PWD"); do
        { tr '\0' '\n' <"/proc/$p/environ"; } 2>/dev/null |
            grep -qx "OMPI_COMM_WORLD_RANK=$1" && echo "$p" && return
    done
}

wait_for() { # RANK: until it runs
    local i
    for ((i = 0; i < 1200; i++)); do
        [ -n "$(process "$1")" ] && return
        sleep 0.05
    done
}

# Until the search of a job has a network, which its progress says.
# shellcheck disable=SC2034 # for those that read this file
searching=(--progress always)
wait_for_network() {
    local i
    for ((i = 0; i < 1200; i++)); do
        grep -q ' best -' err && return
        sleep 0.05
    done
}

# end_of JOB: waits for a job one of whose ranks was killed. No rank may hang.
# mpirun of Open MPI 4.1 may: if a rank dies while MPI starts it can wait for a
# lock of its own for ever, so it is ended half a minute after the last rank.
end_of() {
    local i=0
    while kill -0 "$1" 2>/dev/null && [ "$i" -lt 300 ]; do
        sleep 0.1
        i=$((i + 1))
        pgrep -f "^$ranked .*$PWD" >/dev/null && i=0
    done
    [ "$i" -lt 300 ] || pgrep -f "^mpirun .*$PWD" | xargs -r kill -KILL
    wait "$1"
}
