#!/usr/bin/env bash
# generate, sample, fit, evaluate, compare, cpdag, convert: the whole way.
# shellcheck disable=SC2016 # $BESTDAG is for the inner shell
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

expect 0 bestdag generate --variables 12 --max-parents 3 --seed 5 -o net.bif
says err '12 variables'
silent out
expect 0 bestdag sample net.bif -n 3000 --seed 2 -o rows.csv
says err '3000 rows of 12 variables'
holds 'rows.csv has the wrong length' [ "$(wc -l <rows.csv)" -eq 3001 ]

# the same seed, any number of threads: the same bytes
for j in 1 2 8; do
    expect 0 bestdag sample net.bif -n 3000 --seed 2 -j $j -q -o "rows$j.csv"
    same rows.csv "rows$j.csv"
    expect 0 bestdag fit rows.csv net.bif -j $j -q -o "fit$j.json"
    same fit1.json "fit$j.json"
    expect 0 bestdag generate --variables 12 --max-parents 3 --seed 5 -j $j -q -o "net$j.bif"
    same net.bif "net$j.bif"
done
expect 0 bestdag sample net.bif -n 3000 --seed 3 -q -o other.csv
holds 'another seed gives the same rows' bash -c '! cmp -s rows.csv other.csv '

expect 0 bestdag fit rows.csv net.bif -o fitted.bif
expect 0 bestdag compare net.bif fitted.bif
says out 'SHD of the DAGs        0'
says out 'equivalent             yes'
expect 0 bestdag compare net.bif fitted.bif --json
says out '"shd_cpdag": 0'
says out '"equivalent": true'
expect 0 bestdag evaluate rows.csv fitted.bif --json
fitted=$(sed -n 's/.*"log_likelihood": \(-[0-9.]*\),*/\1/p' out)
expect 0 bestdag evaluate rows.csv net.bif --json
true_ll=$(sed -n 's/.*"log_likelihood": \(-[0-9.]*\),*/\1/p' out)
holds "maximum likelihood $fitted is below the truth's $true_ll" \
    awk -v a="$fitted" -v b="$true_ll" 'BEGIN { exit !(a < 0 && a >= b) }'
expect 0 bestdag evaluate rows.csv fitted.bif --per-row
holds 'per-row lines' [ "$(grep -c '^[0-9]* -' out)" -eq 3000 ]

expect 0 bestdag cpdag net.bif
says out 'compelled arcs'
expect 0 bestdag cpdag net.bif -O edges
says out 'from,to'
expect 0 bestdag cpdag net.bif -o class.dot
says class.dot 'digraph'
expect 0 bestdag cpdag net.bif -o class2.dot --json
says out '"compelled"'
same class.dot class2.dot
expect 0 bestdag cpdag net.bif -O dot --json
holds '--json printed the graph, too' bash -c '! grep -q digraph out'
printf '[a][b|a]' >small.modelstring
expect 0 bestdag convert small.modelstring -o small.dot
says err '2 variables, 1 arc, at most 1 parent; no probabilities'

# every format, there and back; the structure at least
for f in xmlbif net uai json; do
    expect 0 bestdag convert fitted.bif -q -o "a.$f"
    expect 0 bestdag convert "a.$f" -q -o "back_$f.bif"
    same fitted.bif "back_$f.bif"
    expect 0 bestdag convert fitted.bif -q -o "b.$f.gz"
    expect 0 bestdag convert "b.$f.gz" -q -o "gz_$f.bif"
    [ "$f" = uai ] || same fitted.bif "gz_$f.bif"
done
for f in modelstring csv dot; do
    expect 0 bestdag convert fitted.bif -q -o "a.$f"
    expect 0 bestdag compare fitted.bif "a.$f" --json
    says out '"shd_dag": 0'
    # a bare structure plus the table gives the fitted network again
    expect 0 bestdag fit rows.csv "a.$f" -q -o "refit_$f.bif"
    expect 0 bestdag compare fitted.bif "refit_$f.bif" --json
    says out '"shd_dag": 0'
done
expect 3 bestdag convert - -O modelstring
expect 0 bash -c '"$BESTDAG" convert fitted.bif -q | "$BESTDAG" convert - -q -o piped.bif'
same fitted.bif piped.bif

# --json alone is printed when there is no -o
expect 0 bestdag fit rows.csv net.bif --json -q
says out '"variables": 12'
holds '--json printed the network too' bash -c '! grep -q probability out '
expect 2 bestdag convert net.bif -O biff
says err "did you mean 'bif'?"
if command -v dot >/dev/null; then
    expect 0 bestdag convert net.bif -q -o net.svg
    says net.svg '<svg'
    expect 0 bestdag convert net.bif -q -o net.png
    expect 0 env PATH=/nowhere "$BESTDAG" convert net.bif -q -o other.dot
fi
expect 1 env PATH=/nowhere "$BESTDAG" convert net.bif -q -o none.svg
says err 'graphviz'
absent none.svg

# BIF for other programs: names of letters, digits and _ alone, states as in the
# published files; all spellings differ, and the originals come back
cat >odd.csv <<'END'
is it ok?,größe,a-b,a b,a.b,x|y,100%
why?,a b,1%,//,<5,>=7.5,yes
no,a_b,2*,/*,Asy/Patch,5-12,no?
why?,a?b,1%,//,12+,>=7.5,no!
no,a_b,2*,/*,<5,5-12,no
END
expect 0 bestdag learn odd.csv -O json -o odd.json
expect 0 bestdag convert odd.json -o odd.bif
says err "'is it ok?' is is_it_ok_"
sed -n 's/^variable \(.*\) {$/\1/p' odd.bif >names
holds "names: $(cat names)" bash -c '! grep -v "^[A-Za-z0-9_]*$" names'
holds 'two variables have one spelling' [ "$(sort -u names | wc -l)" -eq 7 ]
sed -n 's/^  type discrete \[ [0-9]* \] { \(.*\) };$/\1/p' odd.bif | tr -d ' ' |
    tr ',' '\n' >labels
holds "labels: $(cat labels)" bash -c '! grep -v "^[][A-Za-z0-9_<>=+./-]*$" labels'
holds 'a label is a comment' bash -c '! grep -q "//\|/\*" labels'
says labels 'Asy/Patch'
says labels '>=7.5'
holds 'headers of tables' \
    bash -c '! grep "^probability" odd.bif | grep -qv "^probability ( [A-Za-z0-9_, |]* ) {$"'
expect 0 bestdag convert odd.bif -o back.json
for f in odd back; do
    # BIF has neither provenance nor counts
    sed '/"provenance": {/,/}/d;/"counts":/d;s/^\( *\]\),$/\1/' $f.json >$f.plain
done
holds "the originals do not come back: $(diff odd.plain back.plain)" \
    cmp -s odd.plain back.plain
finish
