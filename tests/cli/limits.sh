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

# A single field that has no end, and a pipe without a writer.
{ printf 'a,b\n1,' && head -c 40000000 /dev/zero | tr '\0' x; } >field.csv
expect 1 bestdag learn field.csv -t 0.001s
says err 'stopped while reading field.csv'
mkfifo pipe
sleep 60 >pipe &
writer=$!
expect 1 bestdag check pipe -t 0.2s
says err 'stopped while reading pipe'
kill "$writer" 2>/dev/null

# Tables that are too large are known to be before they are made: learn keeps
# the structure, fit refuses.
names=a,b,c,d,e,f,g,h
awk -v names=$names 'BEGIN {
    print names
    for (i = 0; i < 500; i++) {
        line = ""
        for (j = 0; j < 8; j++) {
            x = (x * 1103515245 + 12345) % 2147483648
            line = line (j ? "," : "") int(x / 65536) % 10
        }
        print line
    }
}' >wide.csv
printf '[a][b][c][d][e][f][g][h|a:b:c:d:e:f:g]' >wide.modelstring
required=()
for parent in a b c d e f g; do required+=(--require "$parent,h"); done
all='--max-entries 200000000'
for limit in "-t 1s $all" "--memory-limit 64M $all" ''; do
    # shellcheck disable=SC2086
    expect 0 bestdag learn wide.csv "${required[@]}" $limit -o wide.bif
    says err 'the network has no probabilities'
    says err 'wide.bif: the structure alone'
    expect 0 bestdag convert wide.bif -O modelstring
    holds 'the structure is whole' \
        test "$(cat out)" = "$(cat wide.modelstring)"
    # shellcheck disable=SC2086
    expect 0 bestdag learn wide.csv "${required[@]}" $limit --json
    says out '"unfitted": '
done
expect 0 bestdag bootstrap wide.csv "${required[@]}" --resamples 2 -o wide3.bif
says err 'wide3.bif: the structure alone'
expect 0 bestdag learn wide.csv "${required[@]}" -q -o wide3.bif \
    --report wide3.html
for file in wide3.bif wide3.html; do
    holds "$file is small" [ "$(wc -c <$file)" -lt 200000 ]
done
tenths='.1, .1, .1, .1, .1, .1, .1, .1, .1, .1'
sed "s/^probability ( . ) {/&\\n  table $tenths;/
    s/^probability ( h | .*{/&\\n  default $tenths;/" wide.bif >filled.bif
for to in filled.net filled.json filled2.bif; do
    expect 3 bestdag convert filled.bif -o $to
    says err 'at most 16777216 may be omitted'
    holds "there is no $to" [ ! -e $to ]
done
expect 6 bestdag fit wide.csv wide.modelstring -o wide2.bif
says err "that of 'h' 100000000: more than max-entries, 16777216"
one_line err
# shellcheck disable=SC2086
expect 1 bestdag fit wide.csv wide.modelstring -t 1s $all -o wide2.bif
says err "that of 'h' 100000000: too many for the time limit"
# shellcheck disable=SC2086
expect 6 bestdag fit wide.csv wide.modelstring --memory-limit 64M $all \
    -o wide2.bif
says err "100000000 of them of the table of 'h', needs 763 MB"
expect 2 bestdag learn wide.csv "${required[@]}" -t 1s -o wide.uai
says err 'uai needs probabilities'
holds 'nothing is left' [ "$(echo wide2* wide.uai*)" = 'wide2* wide.uai*' ]
sed 's/^probability ( b ) {/&\n  table .1, .1, .1, .1, .1, .1, .1, .1, .1, .1;/' \
    wide.bif >mixed.bif
expect 3 bestdag convert mixed.bif -O modelstring
says err "the table of 'a' lacks"

# Rows of a table that rest on no data are one line of a BIF file; what is read
# back gives every row of the table the same probability.
printf '[a][b][c][d][e][h][f|a:b:c:d:e][g]' >six.modelstring
expect 0 bestdag fit wide.csv six.modelstring -q -o six.bif
expect 0 bestdag fit wide.csv six.modelstring -q -o six.net.gz
holds 'a short file' [ "$(wc -c <six.bif)" -lt 3000000 ]
says six.bif '  default 0.1, 0.1,'
expect 0 bestdag convert six.bif -q -o again.net.gz
holds 'and nothing is lost' \
    bash -c 'cmp <(gunzip -c six.net.gz) <(gunzip -c again.net.gz)'

# A signal while a large network is written ends it whole or, repeated two
# seconds later, at once and without a trace.
printf '[a][b][c][d][e][f][g][h|a:b:c:d:e:f]' >seven.modelstring
mkdir slow
"$BESTDAG" fit wide.csv seven.modelstring -q -o slow/net.net.gz &
writer=$!
for _ in $(seq 300); do
    [ -n "$(ls slow)" ] && break
    sleep 0.1
done
kill -TERM "$writer" 2>/dev/null
sleep 2.2
kill -TERM "$writer" 2>/dev/null
wait "$writer"
left=$(ls slow)
holds "what is left of a network: '$left'" \
    test -z "$left" -o "$left" = net.net.gz

# The peak is that of the process, which is never so small as what it counts.
expect 0 bestdag learn lighthouse.csv --json
peak=$(sed -n 's/.*"peak_memory_bytes": \([0-9]*\).*/\1/p' out)
holds "a peak of $peak bytes" [ "$peak" -gt 2500000 ]
finish
