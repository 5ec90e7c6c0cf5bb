#!/usr/bin/env bash
# Bad input: one line, the right exit code, nothing half-written, nothing lost.
# shellcheck disable=SC2016 # $BESTDAG is for the inner shell
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

bestdag generate --variables 4 --seed 1 -q -o net.bif
bestdag sample net.bif -n 50 -q -o rows.csv

bad() { # FILE: every command that reads it ends with 3 and one line
    local f=$1
    case $f in
    *.csv | *.dat | *.arff)
        expect 3 bestdag check "$f"
        one_line err
        says err "$f"
        ;;
    *)
        expect 3 bestdag convert "$f" -o result.bif
        one_line err
        says err "$f"
        absent result.bif
        ;;
    esac
}

bad missing.csv
bad missing.bif
mkdir folder.bif folder.csv
bad folder.bif
bad folder.csv
for f in empty.csv empty.dat empty.arff empty.bif empty.xmlbif empty.net empty.uai empty.json; do
    : >"$f"
    bad "$f"
done
head -c 5000 /dev/urandom >noise
for f in noise.csv noise.arff noise.bif noise.xmlbif noise.net noise.uai noise.json noise.dot; do
    { printf '\000\377'; cat noise; } >"$f"
    bad "$f"
done
size=$(wc -c <net.bif)
for f in bif xmlbif net json; do
    bestdag convert net.bif -q -o "whole.$f"
    size=$(wc -c <"whole.$f")
    head -c $((size / 2)) "whole.$f" >"half.$f"
    bad "half.$f"
done
gzip -c net.bif | head -c 200 >torn.bif.gz
bad torn.bif.gz
says err 'truncated'
printf 'a,b\n1,2\n3\n' >short.csv
bad short.csv
says err 'short.csv:3'
printf 'a,a\n1,2\n' >twice.csv
bad twice.csv
printf 'a,b\n1,"2\n' >open.csv
bad open.csv
printf 'a,b\n0,1",0\n' >stray.csv
bad stray.csv
says err 'stray.csv:2:'
sed 's/table/tabel/' net.bif >typo.bif
bad typo.bif
says err 'typo.bif:'
printf 'from,to\na,b\nb,a\n' >cycle.edges
bad cycle.edges
says err 'cycle: '

# names that do not fit together
sed '1s/X1/Y1/' rows.csv >other.csv
expect 3 bestdag fit other.csv net.bif -o result.bif
one_line err
absent result.bif

# a full disk is reported, the old file stays
expect 1 bestdag convert net.bif -o /dev/full
says err 'No space left'
expect 1 bash -c '"$BESTDAG" convert net.bif >/dev/full'
one_line err
cp net.bif kept.bif
expect 1 bash -c 'ulimit -f 1; trap "" XFSZ; "$BESTDAG" sample net.bif -n 100000 -o kept.bif -O csv'
same net.bif kept.bif
expect 1 bestdag convert net.bif -o no/such/folder/net.bif
one_line err
holds 'a temporary file was left' [ -z "$(find . -name '*.??????' -newer rows.csv -name 'kept.bif.*')" ]

# limits
expect 6 bestdag sample net.bif -n 100000000 --memory-limit 20M -o big.csv
one_line err
absent big.csv
expect 6 bestdag check rows.csv --memory-limit 1K
one_line err

# signals
bestdag generate --variables 300 --seed 1 -q -o large.bif
timeout -s INT 1 "$BESTDAG" sample large.bif -n 100000000 --memory-limit 100G -o stopped.csv -q 2>err
status=$?
case $status in
130 | 124) report ok ;;
*) report bad "an interrupt ended with $status: $(head -c 200 err)" ;;
esac
# what was drawn by then is kept, in whole rows, or nothing is written
if [ -e stopped.csv ]; then
    holds 'an interrupted sample has whole rows' \
        awk -F, 'NR == 1 { n = NF } NF != n { bad = 1 } END { exit bad }' stopped.csv
    holds 'the last row ends' [ -z "$(tail -c 1 stopped.csv)" ]
fi
finish
