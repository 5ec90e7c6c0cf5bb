#!/usr/bin/env bash
# Signals: several at once are one request, each of them ends with the best
# network and its own exit code, nothing half-written stays.
#
#   RUNS=24 SEED=1 by default; tests/long/signals.sh does more.
# shellcheck disable=SC2016 # $BESTDAG is for the inner shell

# nohup(1) and others leave signals ignored, which would be kept
[ -n "${SIGNALS_RESET:-}" ] || SIGNALS_RESET=1 exec env --default-signal bash "$0"

# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=bursts.sh
. "$ROOT/tests/cli/bursts.sh"
export BESTDAG

bursts "${RUNS:-24}"

# each signal has its code
for signal in INT TERM HUP XCPU; do
    rm -f folder/*
    start setsid "$BESTDAG"
    interrupt "$signal" "$job" "$begun"
    whole "SIG$signal"
done

# a limit of processor time: the kernel repeats the signal every second
rm -f folder/*
expect 152 bash -c 'ulimit -S -t 1; exec "$BESTDAG" "$@"' bash "${command[@]}"
whole 'a limit of processor time'

# under nohup SIGHUP is ignored
rm -f folder/*
start bash -c 'trap "" HUP; exec "$BESTDAG" "$@"' bash
await "$begun"
kill -HUP "$job"
sleep 0.5
holds 'an ignored SIGHUP ended it' kill -0 "$job"
interrupt TERM "$job" "$begun"
whole 'SIGTERM after an ignored SIGHUP'

# the second request, two seconds later, ends at once: the pipe has no reader
mkfifo pipe
: >err
"$BESTDAG" learn hard.csv "${hard_ways[@]}" --solver hc --set steps=1000 -v -O bif -o pipe \
    >out 2>err &
job=$!
await 'hc'
kill -TERM "$job"
sleep 2.5
kill -INT "$job" 2>/dev/null
wait "$job"
code=$?
holds "a second request ended with $code" [ "$code" -eq 130 -o "$code" -eq 143 ]

# who reads no more ends it as ever
bash -c '"$BESTDAG" sample hard.bif -n 200000 -q | head -n 1; exit "${PIPESTATUS[0]}"' >out
code=$?
holds "a broken pipe ended with $code" [ "$code" -eq 141 ]

# the help and the man pages have the codes
for code in 129 130 143 152; do
    expect 0 bestdag --help
    says out "$code"
done
finish
