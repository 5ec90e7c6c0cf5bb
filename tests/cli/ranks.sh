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
    timeout -k 5 60 mpirun ${quiet--q} -n "$n" "$ranked" "$@"
}
