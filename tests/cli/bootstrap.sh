#!/usr/bin/env bash
# Arc strengths over resamples: what is written and reported, threads, rules,
# limits, refusals, signals.
# shellcheck disable=SC2016 # $BESTDAG is for the inner shell
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

cp "$ROOT"/examples/lighthouse.* "$ROOT"/tests/data/lighthouse.jkl .

# BIF by default, a summary on standard error
expect 0 bestdag bootstrap lighthouse.csv -R 30
says out 'probability ( aground | sea, warned )'
says err '10 variables, 14 arcs, at most 3 parents, 44 free parameters'
says err '30 of 30 resamples learned, 30 proved optimal'
says err '(estimated); '
says err '   1.000      1.000  sea -> aground'
cp out average.bif
expect 0 bestdag bootstrap lighthouse.csv -R 30 -q -o quiet.bif
silent out err
same average.bif quiet.bif
expect 0 bash -c '"$BESTDAG" bootstrap - -R 30 -q <lighthouse.csv'
same out average.bif
for f in xmlbif net json csv modelstring dot bif.gz; do
    expect 0 bestdag bootstrap lighthouse.csv -R 2 -q -o "net.$f"
done
says net.json '"resamples": "2"'

# the report
expect 0 bestdag bootstrap lighthouse.csv -R 30 --json -q
holds '--json printed the network, too' bash -c '! grep -q probability out'
cp out report.json
for f in status resamples resamples_asked resamples_optimal networks score \
    score_name solver parents variables rows threshold threshold_estimated \
    directions pairs turned left_out moved_for arcs strengths seconds \
    peak_memory_bytes seed threads version; do
    says report.json "\"$f\": "
done
says report.json '"status": "finished"'
expect 0 bestdag evaluate lighthouse.csv average.bif --json
holds 'the score is that of the average' near \
    "$(sed -n 's/^ *"bic": \([-0-9.]*\),*$/\1/p' out)" \
    "$(field report.json score)" 1e-6

# strengths as CSV
expect 0 bestdag bootstrap lighthouse.csv -R 30 -q --strengths s.csv -o net.bif
same net.bif average.bif
holds 'the head of the strengths' \
    [ "$(head -n 1 s.csv)" = from,to,strength,direction ]
says s.csv 'sea,aground,1,1'
expect 0 bestdag bootstrap lighthouse.csv -R 30 -q --strengths -
same out s.csv
expect 0 bestdag bootstrap lighthouse.csv -R 30 -q --strengths - -o net.bif
same out s.csv
same net.bif average.bif
if bestdag --version -v | grep -q 'zlib  *yes'; then
    expect 0 bestdag bootstrap lighthouse.csv -R 30 -q --strengths s.csv.gz
    expect 0 bash -c 'gzip -dc s.csv.gz'
    same out s.csv
fi
if command -v python3 >/dev/null; then
    cat >check.py <<'END'
import csv, json
r = json.load(open("report.json"))
rows = list(csv.DictReader(open("s.csv")))
assert len(rows) == r["pairs"]
strength = {frozenset((x["from"], x["to"])): x for x in rows}
assert len(strength) == len(rows)
assert sorted(map(tuple, r["arcs"])) == sorted(
    (x["from"], x["to"]) for x in r["strengths"])
for a in r["strengths"]:
    x = strength[frozenset((a["from"], a["to"]))]
    assert float(x["strength"]) == a["strength"] > r["threshold"]
    along = float(x["direction"])
    assert abs(a["direction"] - (along if x["from"] == a["from"] else 1 - along)) < 1e-12
half = [float(x["strength"]) for x in rows if float(x["strength"]) <= 0.5]
assert r["threshold"] == max(half, default=0)
assert set(r["seconds"]) == {"read", "resample", "average", "total"}
END
    expect 0 python3 check.py
fi

# any number of threads: the same bytes
for j in 1 2 5; do
    expect 0 bestdag bootstrap lighthouse.csv -R 12 --solver orders \
        --set steps=20000 -j $j --seed 7 -q --json --strengths "t$j.csv" -o "t$j.bif"
    strip out >"t$j.json"
    same t1.bif "t$j.bif"
    same t1.csv "t$j.csv"
    same t1.json "t$j.json"
done
expect 0 bestdag bootstrap lighthouse.csv -R 12 --solver orders \
    --set steps=20000 --memory-limit 6M -j 5 --seed 7 -q --strengths small.csv
same t1.csv small.csv

# thresholds and directions
expect 0 bestdag bootstrap lighthouse.csv -R 30 --threshold 1 -q --strengths s.csv -O edges
holds 'what is in all networks is above every threshold' \
    [ "$(grep -c ',1,' s.csv)" -eq "$(($(grep -c , out) - 1))" ]
expect 0 bestdag bootstrap lighthouse.csv -R 30 --threshold 0 -q --json
says out '"threshold_estimated": false'
expect 0 bestdag bootstrap lighthouse.csv -R 5 --directions dag -q --json
says out '"directions": "dag"'
expect 0 bestdag bootstrap lighthouse.csv -R 5 --max-parents 1 --threshold 0 -q --json
holds 'two parents with --max-parents 1' bash -c \
    'sed -n "/\"arcs\"/p" out | tr "[" "\n" | sed -n "s/.*, \"\(.*\)\"\].*/\1/p" | sort | uniq -d | (! grep -q .)'

# every solver
for s in $(bestdag list solvers --json | sed -n 's/^    "name": "\(.*\)",$/\1/p'); do
    expect 0 bestdag bootstrap lighthouse.csv -R 2 --solver "$s" -q --json \
        --time-per-resample 1s
    says out "\"solver\": \"$s\""
done

# rules
printf 'not fog -> season\nnot ancestor lamp season\nkeeper -> aground\n' >rules
expect 0 bestdag bootstrap lighthouse.csv -R 10 --constraints rules -q \
    --strengths r.csv -O edges -o r.edges
says r.edges keeper,aground
says r.csv keeper,aground,1,1
holds 'a forbidden arc' bash -c '! grep -q ^fog,season r.csv r.edges'
# in each network one of two arcs that nothing speaks for
printf 'wind -> keeper or fog -> keeper\n' >either
expect 0 bestdag bootstrap lighthouse.csv -R 10 --constraints either -O edges --threshold 0.9
holds 'a rule is broken' grep -q '^wind,keeper\|^fog,keeper' out
printf 'lamp -> fog\nnot lamp -> fog\n' >no
expect 4 bestdag bootstrap lighthouse.csv -R 10 --constraints no
one_line err

# refusals
expect 2 bestdag bootstrap lighthouse.csv --resamples 0
says err '--resamples'
expect 2 bestdag bootstrap lighthouse.csv --threshold 2
says err '--threshold'
expect 2 bestdag bootstrap lighthouse.csv --directions both
says err '--directions'
expect 2 bestdag bootstrap lighthouse.csv --resample 5
says err "did you mean '--resamples'?"
expect 2 bestdag bootstrap lighthouse.csv --save-scores x.jkl
expect 2 bestdag bootstrap lighthouse.csv --strengths - --json
says err 'would both go'
expect 2 bestdag bootstrap lighthouse.csv --strengths - -o -
says err 'would both go'
expect 2 bestdag bootstrap lighthouse.csv --set stepz=5 -R 3
one_line err
expect 2 bestdag bootstrap lighthouse.jkl
says err 'resamples need the table'
expect 1 bestdag bootstrap lighthouse.csv --strengths nowhere/s.csv
says err "cannot write 'nowhere/s.csv'"
expect 1 bestdag bootstrap lighthouse.csv -o nowhere/net.bif
expect 3 bestdag bootstrap nothing.csv
(echo x,y && seq -f '%.2f,a' 0 0.25 10) >numbers.csv
expect 0 bestdag bootstrap numbers.csv --resamples 3 -q -O modelstring
expect 3 bestdag bootstrap numbers.csv --score bdeu
says err "column 'x' holds numbers"
expect 6 bestdag bootstrap lighthouse.csv --memory-limit 300K
one_line err

# limits: what is done till then
expect 0 bestdag bootstrap lighthouse.csv -R 1000000 -t 0.5 --json -o timed.bif
says out '"status": "stopped"'
says err 'stopped after'
expect 0 bestdag evaluate lighthouse.csv timed.bif -q
bestdag generate --variables 200 --seed 4 -q -o wide.bif
bestdag sample wide.bif -n 1000 -q -o wide.csv
expect 0 bestdag bootstrap wide.csv -R 5 -t 2 --json -o wide.avg.bif
says out '"resamples": 0'
says err 'networks whose searches were cut short'
expect 0 bestdag evaluate wide.csv wide.avg.bif -q
expect 0 bestdag bootstrap wide.csv -R 4 --time-per-resample 1s --json -q
says out '"status": "finished"'
says out '"resamples": 4'
for signal in INT TERM; do
    rm -f cut.bif cut.csv
    : >err
    "$BESTDAG" bootstrap lighthouse.csv -R 1000000 --progress always \
        --strengths cut.csv -o cut.bif >out 2>err &
    interrupt $signal $! ' of 1000000 resamples'
    says err 'interrupted after'
    expect 0 bestdag evaluate lighthouse.csv cut.bif -q
    holds 'the strengths have a head' \
        [ "$(head -n 1 cut.csv)" = from,to,strength,direction ]
done
# numbers are cut once, before the rows are drawn, and the network keeps the cuts
awk 'BEGIN { srand(1); print "x,y"; for (i = 0; i < 90; i++) {
    x = rand(); print x "," x + rand() / 9 } }' >numbers.csv
expect 0 bestdag bootstrap numbers.csv --discretize mean -R 5 -q -o cut.bif
holds 'both have cuts' [ "$(grep -c 'property cuts' cut.bif)" -eq 2 ]
holds 'something is left behind' bash -c '! ls | grep -q "\.tmp"'
finish
