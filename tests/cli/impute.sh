#!/usr/bin/env bash
# impute: holes are filled, the rest stays byte for byte; draws, probabilities, the
# same bytes for any number of threads, nothing half-written.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
net=$ROOT/examples/lighthouse.bif

# a column of ours, and one of numbers as people write them
head -n 301 "$ROOT/examples/lighthouse.csv" | awk -F, 'BEGIN { OFS = ","; srand(5) }
    NR == 1 { print "id", $0, "depth"; next }
    { for (i = 1; i <= NF; i++) if (rand() < 0.2) $i = "?"
      print "H" NR, $0, (NR % 7) ".50" }' >holes.csv
expect 0 bestdag impute holes.csv "$net" -o full.csv
says err '300 rows written'
holds 'a hole is left' [ "$(grep -c -e '?' -e ',,' full.csv)" -eq 0 ]
holds 'something else changed' cmp -s \
    <(paste -d, holes.csv full.csv | awk -F, '{ for (i = 1; i <= 12; i++)
        if ($i != "?" && $i != $(i + 12)) print NR, i }') /dev/null
# a table without holes comes back as it was
expect 0 bestdag impute full.csv "$net" -q
same out full.csv
# the format of the input
sed 's/,/\t/g' holes.csv >holes.tsv
expect 0 bestdag impute holes.tsv "$net" -q
same <(tr '\t' , <out) full.csv
# standard input
bestdag impute - "$net" -q <holes.csv >out
same out full.csv

# together is at least as probable as each alone
for fill in joint cells; do
    bestdag impute holes.csv "$net" --fill $fill -q -o $fill.csv
    bestdag evaluate $fill.csv "$net" --ignore id,depth -q | sed -n 's/^log-likelihood  *\([-0-9.]*\)$/\1/p' >$fill
done
holds "joint $(cat joint), cells $(cat cells)" \
    awk -v a="$(cat joint)" -v b="$(cat cells)" 'BEGIN { exit !(a >= b) }'

# draws
expect 0 bestdag impute holes.csv "$net" --tables 3 --seed 7 -q -o draws.csv
holds 'three tables of 300 rows' [ "$(wc -l <draws.csv)" -eq 901 ]
says draws.csv 'table,id,season'
holds 'a hole is left' [ "$(grep -c -e '?' -e ',,' draws.csv)" -eq 0 ]
holds 'draws differ' [ "$(cut -d, -f2- draws.csv | sed 1d | sort -u | wc -l)" -gt 300 ]
expect 0 bestdag impute holes.csv "$net" --tables 3 --seed 8 -q -o other.csv
holds 'another seed, other draws' [ "$(cmp draws.csv other.csv | wc -l)" -eq 1 ]
expect 0 bestdag impute holes.csv "$net" --fill draws --seed 7 -q -o once.csv
same once.csv <(grep -e '^table' -e '^1,' draws.csv | cut -d, -f2-)
for threads in 1 5; do
    bestdag impute holes.csv "$net" --tables 3 --seed 7 -q -j $threads >out
    same out draws.csv
    bestdag impute holes.csv "$net" -q -j $threads >out
    same out full.csv
done

# probabilities, against query
expect 0 bestdag impute holes.csv "$net" --probabilities -q
says out 'row,variable,state,probability'
# shellcheck disable=SC2016 # fields of awk
holds 'one for each state of each hole' awk -F, 'NR > 1 { sum[$1 "," $2] += $4 }
    END { for (k in sum) { n++; if (sum[k] < 0.999999 || sum[k] > 1.000001) exit 1 }
          exit !(n == '"$(grep -o '?' holes.csv | wc -l)"') }' out

# sampled ones say so
expect 0 bestdag impute holes.csv "$net" --probabilities --inference sampling --samples 500 -j 1
says err 'estimates from samples'
says out 'row,variable,state,probability,standard_error'
cp out one
expect 0 bestdag impute holes.csv "$net" --probabilities --inference sampling --samples 500 -j 3
same out one

# what cannot be filled
printf 'fog,sea,other\nyes,?,?\nthick,?,3\n' >odd.csv
expect 0 bestdag impute odd.csv "$net"
says err 'columns that the network does not have: 1, left'
says err "treated as missing: column 'fog' has 'thick' (1)"
says out 'thick,'
cat >lawn.json <<'NET'
{ "bestdag": "network", "version": 1, "variables": [
  { "name": "rain", "states": ["no", "yes"], "parents": [], "table": [[0.75, 0.25]] },
  { "name": "lawn", "states": ["dry", "wet"], "parents": ["rain"],
    "table": [[1, 0], [0.25, 0.75]] },
  { "name": "frog", "states": ["away", "here"], "parents": ["lawn"],
    "table": [[0.75, 0.25], [0.5, 0.5]] } ] }
NET
printf 'rain,lawn,frog\nno,wet,?\nyes,?,here\n?,wet,?\n' >wet.csv
expect 0 bestdag impute wet.csv lawn.json
says err 'rows of probability 0: 1'
printf 'rain,lawn,frog\nno,wet,\nyes,wet,here\nyes,wet,away\n' >want
same out want
# a state that never occurs is a state of the network, and impossible
cat >never.json <<'NET'
{ "bestdag": "network", "version": 1, "variables": [
  { "name": "rain", "states": ["no", "snow"], "parents": [], "table": [[1, 0]] },
  { "name": "frog", "states": ["away", "here"], "parents": [], "table": [[0.75, 0.25]] } ] }
NET
printf 'rain,frog\nsnow,?\nno,?\nhail,?\n' >snow.csv
printf 'rain,frog\nsnow,\nno,away\nhail,away\n' >want
for fill in joint cells draws; do
    expect 0 bestdag impute snow.csv never.json --fill "$fill" --seed 1
    says err 'rows of probability 0: 1'
    says err "unknown to the network: 1, treated as missing: column 'rain' has 'hail' (1)"
    [ "$fill" = draws ] || same out want
    holds "$fill: the impossible row stays" grep -qx 'snow,' out
done
expect 0 bestdag query never.json frog --evidence snow.csv
says err 'rows of probability 0: 1'
printf 'evidence_probability,p(frog=away),p(frog=here)\n0,,\n1,0.75,0.25\n1,0.75,0.25\n' >want
same out want

# a state that is never there makes its row impossible, as it does in a query
sed 's/0.75, 0.25/1, 0/' lawn.json >never.json
printf 'rain,frog\nno,?\nyes,?\n' >never_seen.csv
expect 0 bestdag impute never_seen.csv never.json
says err 'rows of probability 0: 1'
holds 'it is no unknown value' [ "$(grep -c unknown err)" -eq 0 ]
same out <(printf 'rain,frog\nno,away\nyes,\n')
# columns without any value, ours and theirs
printf 'rain,frog,other\nyes,?,\n' >never_seen.csv
expect 0 bestdag impute never_seen.csv never.json -q
same out <(printf 'rain,frog,other\nyes,,\n')
# nothing is missing
printf 'rain,frog\nno,away\n' >complete.csv
expect 0 bestdag impute complete.csv lawn.json --probabilities
same out <(echo row,variable,state,probability)

# errors leave nothing
refuses() { # STATUS TEXT ARGUMENTS...
    local status=$1 text=$2
    shift 2
    rm -f never.csv
    expect "$status" bestdag impute "$@" -o never.csv
    says err "$text"
    silent out
    absent never.csv
}
refuses 2 'would make them all the same' holes.csv "$net" --fill cells --tables 2
refuses 2 'do not apply' holes.csv "$net" --probabilities --tables 2
bestdag convert "$net" -q -O modelstring >bare.txt
refuses 2 'no probabilities' holes.csv bare.txt
cp holes.csv kept.csv
expect 2 bestdag impute holes.csv "$net" -o holes.csv
same holes.csv kept.csv
finish
