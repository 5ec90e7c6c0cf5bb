#!/usr/bin/env bash
# Rows that are spread over ranks give the bytes that one process gives which
# reads them all: files of a pattern, ranges of one file. Shards of uneven sizes,
# without rows, with labels, missing values and errors that no other has.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# shellcheck source-path=SCRIPTDIR source=ranks.sh
. "$(dirname "$0")/ranks.sh"

# The report without what may differ.
plain() { strip "$1" | sed '/"ranks"/d; /"best": /d'; }

# same NAME SUFFIX "RANKS" COMMAND DATA PATTERN ARGUMENTS...: as one process.
same() {
    local name=$1 suffix=$2 n numbers=$3 command=$4 data=$5 pattern=$6
    shift 6
    expect 0 bestdag "$command" "$data" "$@" -q -j 2 --json -o "$name.$suffix"
    plain out >"$name.json"
    for n in $numbers; do
        expect 0 ranks "$n" "$command" "$pattern" "$@" --rows-by-rank -q -j 1 \
            --json -o "$name-$n.$suffix"
        holds "$name: rows on $n ranks give another $suffix" \
            cmp -s "$name.$suffix" "$name-$n.$suffix"
        plain out >"$name-$n.json"
        holds "$name: rows on $n ranks give another report" \
            cmp -s "$name.json" "$name-$n.json"
    done
}

# split DATA NAME LAST...: NAME-1.csv has the rows up to the first LAST, ...
split() {
    local data=$1 name=$2 from=1 i=1 last
    shift 2
    for last; do
        awk -v a="$from" -v b="$last" 'NR == 1 || (NR > a && NR <= b + 1)' \
            "$data" >"$name-$i.csv"
        from=$((last + 1)) i=$((i + 1))
    done
}

bestdag generate --variables 12 --seed 4 -q -o a.bif
bestdag sample a.bif -n 400 -q -o a.csv
split a.csv part 37 38 38 201 400 # the third has no rows

# ---- files of a pattern ---------------------------------------------------------

expect 0 bestdag score a.csv --max-parents 3 -q -o alone.jkl
expect 0 bestdag score 'part-*.csv' --rows-by-rank --max-parents 3 -q -o alone-1.jkl
holds 'a pattern is not its files one behind the other' cmp -s alone.jkl alone-1.jkl

same sets jkl '1 2 3 5 7' score a.csv 'part-*.csv' --max-parents 3
same bdeu jkl 3 score a.csv 'part-*.csv' --score bdeu
same mit jkl 2 score a.csv 'part-*.csv' --score mit --max-parents 2
same candidates jkl 2 score a.csv 'part-*.csv' --candidates 4
same greedy jkl 2 score a.csv 'part-*.csv' --parents greedy --effort low --max-parents 2
same independence jkl 3 score a.csv 'part-*.csv' --parents independence --effort low --max-parents 2
same net bif '2 5' learn a.csv 'part-*.csv'
same hc bif 3 learn a.csv 'part-*.csv' --solver hc --score k2
expect 0 bestdag fit a.csv net.bif -q -o fitted.bif
expect 0 ranks 3 fit 'part-*.csv' net.bif --rows-by-rank -q -o fitted-3.bif
holds 'rows on 3 ranks fit otherwise' cmp -s fitted.bif fitted-3.bif

# Sets that share their parents but one are counted in one message.
# shellcheck disable=SC2317 # holds calls it
few_messages() { # STRATEGY...
    expect 0 ranks 2 score 'part-*.csv' --rows-by-rank --max-parents 3 -v -j 1 "$@" -o many.jkl
    sed 's/,//g' err | awk '/ scored for/ { scored = $5 }
        /has sent/ { for (i = 1; i < NF; i++) if ($i == "sent") sent = $(i + 1) }
        END { exit !(scored && sent && sent < scored) }'
}
holds 'sequential: a message for each set' few_messages --candidates 9
holds 'greedy: a message for each set' few_messages --parents greedy
holds 'independence: two messages for each set' few_messages --parents independence

gzip -k part-?.csv
expect 0 ranks 2 score 'part-*.csv.gz' --rows-by-rank --max-parents 3 -q -o gz.jkl
holds 'packed files give other sets' cmp -s sets.jkl gz.jkl

# ---- labels, missing values, weights ---------------------------------------------

# one state in one shard only, natural order across shards, a column that one
# shard lacks, a state that only dropped rows have
awk -F, -v OFS=, 'NR == 1 { print $0, "odd", "n"; next }
    { x = NR % 7; if (NR == 150) x = "10"; if (NR < 30 || NR == 310) x = "";
      y = NR % 3; if (NR == 310) y = "rare"; print $0, x, y }' a.csv >b.csv
split b.csv b 20 150 390 400
same drop bif '2 4' learn b.csv 'b-*.csv' --max-parents 2
same state bif 3 learn b.csv 'b-*.csv' --max-parents 2 --missing state
awk -F, -v OFS=, 'NR == 1 { print $0, "w"; next } { print $0, NR % 4 }' a.csv >w.csv
split w.csv w 3 100 400
same weights bif '2 3' learn w.csv 'w-*.csv' --max-parents 2 --weights w

# ---- ranges of one file ------------------------------------------------------------

same range jkl '2 3 5' score a.csv a.csv --max-parents 2
sed 's/$/\r/' a.csv >crlf.csv
same crlf jkl 3 score crlf.csv crlf.csv --max-parents 2
printf 'a,b\n0,x\n1,y\n0,x\n1,y\n0,y' >tiny.csv
same tiny jkl '2 3 7 9' score tiny.csv tiny.csv

# ---- refusals and errors -----------------------------------------------------------

# refused STATUS RANKS TEXT ARGUMENTS...
refused() {
    local status=$1 n=$2 text=$3
    shift 3
    expect "$status" ranks "$n" "$@" --rows-by-rank -q -o x.json
    says err "$text"
    holds "something was written: $*" [ ! -e x.json ]
}

cp part-4.csv kept
sed -i '3s/$/,7/' part-4.csv
refused 3 5 'rank 3: part-4.csv:3: found' score 'part-*.csv'
sed '1s/X1/Z1/' kept >part-4.csv
refused 3 2 "part-4.csv:1: column 1 is called 'Z1', expected 'X1' as in part-1.csv" \
    score 'part-*.csv'
mv kept part-4.csv
{ cat a.csv; echo '1,2'; } >bad.csv
refused 3 3 'rank 2: bad.csv:402: found 2 fields' score bad.csv
head -n 1 a.csv >bare.csv
refused 3 3 'bare.csv: no rows' score bare.csv
refused 3 2 'no file has such a name' score 'none-*.csv'
gzip -k a.csv
refused 2 2 'cannot cut a packed file' score a.csv.gz
{ head -n 300 a.csv; head -n 2 a.csv | tail -n 1 | sed 's/\([^,]*\)$/"\1\n"/'; } >quoted.csv
refused 3 2 'line breaks in quotes' score quoted.csv
{ cat tiny.csv; echo; printf '1,"u\nv"\n%.0s' 1 2 3 4 5 6 7 8; } >quotes.csv
for n in 2 3 5; do refused 3 "$n" 'line breaks in quotes' score quotes.csv; done
refused 2 2 '--missing em' learn 'part-*.csv' --missing em
refused 2 2 'score bde' score 'part-*.csv' --score bde --prior a.bif
refused 2 2 'only learn, score and fit' bootstrap 'part-*.csv'
refused 3 2 "column 'odd' holds numbers" score b.csv --as-numbers odd

finish
