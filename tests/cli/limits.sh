#!/usr/bin/env bash
# Limits hold wherever they stand among the options, and while anything is read:
# rules, tables, networks, scores, certificates, cut points, pipes.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

cp "$ROOT/examples/lighthouse.csv" .
bestdag learn lighthouse.csv -q -o net.bif
bestdag score lighthouse.csv -q -o sets.jkl
: >none.rules
head -c 40000000 /dev/zero | tr '\0' ' ' | gzip -1 >blanks.gz

# Which comes first does not matter.
rules=(--constraints blanks.gz)
expect 6 bestdag learn lighthouse.csv --memory-limit 16M "${rules[@]}"
expect 6 bestdag learn lighthouse.csv "${rules[@]}" --memory-limit 16M
says err 'limit 16'
for command in 'learn lighthouse.csv' 'score lighthouse.csv' 'solve sets.jkl' \
    'fit lighthouse.csv net.bif' 'bootstrap lighthouse.csv'; do
    # shellcheck disable=SC2086
    expect 1 bestdag $command "${rules[@]}" -t 0.001s
    says err 'stopped while reading blanks.gz'
done
expect 0 bestdag learn lighthouse.csv --require fog,horn --constraints \
    none.rules --forbid sea,fog -o ruled.csv -q
expect 0 grep -q 'fog,horn' ruled.csv
expect 2 bestdag learn lighthouse.csv --constraints blanks.gz --limit 5
expect 2 bestdag learn --constraints blanks.gz

# A packed file of blanks, wherever a file is read.
for command in 'learn blanks.gz' 'check blanks.gz' 'solve blanks.gz' \
    'convert blanks.gz' 'fit lighthouse.csv blanks.gz' \
    'evaluate lighthouse.csv blanks.gz' 'sample blanks.gz -n 1' \
    'compare net.bif blanks.gz' 'verify sets.jkl net.bif blanks.gz' \
    'discretize lighthouse.csv --cuts blanks.gz' \
    'learn lighthouse.csv --start blanks.gz' \
    'learn lighthouse.csv --score bd --pseudo-file blanks.gz'; do
    # shellcheck disable=SC2086
    expect 1 bestdag $command -t 0.001s
    says err 'stopped'
done

# A single field that has no end, and a pipe that nobody writes to.
{ printf 'a,b\n1,' && head -c 40000000 /dev/zero | tr '\0' x; } >field.csv
expect 1 bestdag learn field.csv -t 0.001s
says err 'stopped while reading field.csv'
mkfifo pipe
sleep 60 >pipe &
writer=$!
expect 1 bestdag check pipe -t 0.2s
says err 'stopped while reading pipe'
kill "$writer" 2>/dev/null

# The peak is that of the process, which is never so small as what it counts.
expect 0 bestdag learn lighthouse.csv --json
peak=$(sed -n 's/.*"peak_memory_bytes": \([0-9]*\).*/\1/p' out)
holds "a peak of $peak bytes" [ "$peak" -gt 2500000 ]
finish
