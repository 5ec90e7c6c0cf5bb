#!/usr/bin/env bash
# missing values: what check says, fit and learn by em and available, hostile tables,
# the same bytes without holes and for any number of threads, limits and signals.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
net=$ROOT/examples/lighthouse.bif

# holes at random, and holes in one column that depend on another
awk -F, 'BEGIN { OFS = ","; srand(3) } NR > 1 { for (i = 1; i <= NF; i++) if (rand() < 0.1) $i = "?" } { print }' \
    <(head -n 601 "$ROOT/examples/lighthouse.csv") >holes.csv
awk -F, 'BEGIN { OFS = ","; srand(4) } NR == 2 { first = $1 }
    NR > 1 && rand() < ($1 == first ? 0.5 : 0.1) { $2 = "?" } { print }' \
    <(head -n 601 "$ROOT/examples/lighthouse.csv") >depends.csv

expect 0 bestdag check holes.csv
says out 'recommended: --missing em'
expect 0 bestdag check depends.csv
says out 'missing by other columns'
says out 'recommended: --missing em: values are missing more often'
expect 0 bestdag check "$ROOT/examples/lighthouse.csv" --json
says out '"holes": null'
expect 0 bestdag learn holes.csv --solver hc -o n.bif
says err 'warning'
says err '--missing em and --missing available use what such rows have'

# fit, learn: same bytes for any number of threads
for how in em available; do
    for threads in 1 2; do
        expect 0 bestdag fit holes.csv "$net" --missing $how -j $threads -q -o "fit$threads.json"
        expect 0 bestdag learn holes.csv --missing $how --solver hc -j $threads -q -o "learn$threads.json"
    done
    same fit1.json fit2.json
    same learn1.json learn2.json
done
expect 0 bestdag learn holes.csv --missing em --solver hc --json
says out '"score_of": "the table as the last network completed it"'
expect 0 bestdag impute holes.csv learn1.json -q -o full.csv
holds 'a hole is left' [ "$(grep -c '?' full.csv)" -eq 0 ]

# what is proved of a completed table is said to be of that
expect 0 bestdag learn holes.csv --missing em --solver cluster -q -o em.bif \
    --save-scores em.jkl --certificate em.cert
expect 0 bestdag verify em.jkl em.bif em.cert
says out 'as the last network completed it'
expect 2 bestdag verify em.jkl em.bif em.cert --data holes.csv
says err 'not recounted'

# without holes nothing changes
head -n 401 "$ROOT/examples/lighthouse.csv" >whole.csv
expect 0 bestdag learn whole.csv --solver hc -q -o plain.bif
for how in em available; do
    expect 0 bestdag learn whole.csv --solver hc --missing $how -q -o other.bif
    same other.bif plain.bif
done

# options for holes are no mistake where a table has none
expect 0 bestdag learn whole.csv --solver hc --missing available --pnal-penalty rows -q -o other.bif
same other.bif plain.bif
expect 2 bestdag learn whole.csv --pnal-penalty rows
says err 'it is an option of pnal'

# a constant column with a hole gets no arcs, though it would choose other rows
printf 'a,b,c\nx,?,u\ny,z,v\nx,z,v\n' >constant.csv
for solver in tree ckg hc dp; do
    expect 0 bestdag learn constant.csv --missing available --pnal-penalty 0.01 \
        --solver $solver --bound -q -O modelstring
    says out '[b]'
done

# refused, and why
expect 2 bestdag learn holes.csv --missing available --solver espace
says err "'pnal' is not"
expect 2 bestdag learn holes.csv --missing em --score bdeu
says err 'not bdeu'
expect 2 bestdag bootstrap holes.csv --missing em
says err 'is for learn and fit'
expect 2 bestdag score holes.csv --missing em
says err 'is for learn and fit, not for score'
expect 2 bestdag learn holes.csv --missing em --start "$net"
says err 'starts of its own'
expect 3 bestdag learn holes.csv --missing available --score bic
says err 'take --score pnal'

# a column without a value, a row without one, a state seen only beside holes
printf 'a,b,c\nx,?,u\n?,?,?\ny,?,?\nx,?,v\n' >column.csv
for how in em available; do
    expect 3 bestdag learn column.csv --missing $how
    says err "column 'b'"
done
printf 'a,b\nx,u\n?,?\ny,u\nx,v\n?,w\nz,?\nx,u\ny,v\n' >row.csv
for how in em available; do
    expect 0 bestdag learn row.csv --missing $how -q -O json
    says out '"w"'
    says out '"z"'
done

# the network says what its score and bound are of; weights count as equal rows do
expect 0 bestdag learn holes.csv --missing em --solver dp -q -o noted.json
says noted.json '"score_of": "the table as the last network completed it"'
awk -F, 'NR == 1 { print $0 ",times"; next } { print $0 "," NR % 3 }' holes.csv >weighed.csv
awk -F, 'NR == 1 { print; next } { for (i = 0; i < NR % 3; i++) print }' holes.csv >repeated.csv
for how in em available; do
    expect 0 bestdag learn weighed.csv --weights times --missing $how --solver dp -q -O modelstring
    mv out weighed
    expect 0 bestdag learn repeated.csv --missing $how --solver dp -q -O modelstring
    same out weighed
done

# a limit, with a network
expect 0 bestdag learn holes.csv --missing em -t 0.4 -q -o limited.bif
holds 'a network is written' [ -s limited.bif ]

# the likelihood that is reported is that of the network that is written, also where EM
# ended early; pnal is the one score that a table with holes has
likelihood() { grep -o '"log_likelihood": [-0-9.]*' "$1" | grep -o '[-0-9.]*$'; }
noted() { grep -o 'em_log_likelihood": "[-0-9.]*' "$1" | grep -o '[-0-9.]*$'; }
# shellcheck disable=SC2317 # called by holds
near() { awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(a != "" && b != "" && d * d < 1e-10) }'; }
expect 0 bestdag learn holes.csv --missing em --solver dp -q -o near.json --json
mv out learned
expect 0 bestdag evaluate holes.csv near.json --json -q
holds 'learn and evaluate disagree' near "$(likelihood learned)" "$(likelihood out)"
expect 0 bestdag fit holes.csv near.json --missing em --em-iterations 2 -q -o early.json
expect 0 bestdag evaluate holes.csv early.json --json -q
holds 'fit and evaluate disagree' near "$(noted early.json)" "$(likelihood out)"
expect 0 bestdag learn holes.csv --missing available --pnal-penalty 1.5 --solver dp -q -o pnal.bif --json
score=$(grep -o '"score": [-0-9.]*' out | head -n 1 | grep -o '[-0-9.]*$')
expect 0 bestdag evaluate holes.csv pnal.bif --pnal-penalty 1.5 --json -q
holds 'another pnal' near "$(grep -o '"pnal": [-0-9.]*' out | grep -o '[-0-9.]*$')" "$score"
says out '"bic": null'

# numbers are cut first, and holes stay holes
awk 'BEGIN { srand(5); print "a,x,y"
    for (i = 0; i < 200; i++) {
        x = rand(); a = rand() < x ? "u" : "v"
        print a "," (rand() < 0.2 ? "?" : x) "," x + rand() / 4
    } }' >cut.csv
for how in em available; do
    expect 0 bestdag learn cut.csv --discretize quantile:3 --missing $how -O modelstring
    holds 'no row is dropped' test "$(grep -c dropped err)" = 0
done
expect 2 bestdag learn cut.csv --missing em
says err 'tables of states or of numbers, not of both'
expect 2 bestdag learn cut.csv --missing available
says err 'is for columns of states, and this table has numbers'
expect 0 bestdag learn cut.csv -O modelstring
says err 'if --discretize makes the numbers states'
expect 0 bestdag check cut.csv
says out 'numbers must become states first: --discretize'

# tables of numbers: fit and learn, any number of threads, without holes, limits
awk 'BEGIN { srand(6); print "x,y,z,w"
    for (i = 0; i < 300; i++) {
        x = rand() + rand(); y = 2 * x + rand(); z = rand() - y; w = rand()
        if (rand() < 0.2) y = "?"
        else if (rand() < 0.1) z = "?"
        print x "," y "," z "," (rand() < 0.3 ? "?" : w)
    } }' >numbers.csv
for threads in 1 2; do
    expect 0 bestdag learn numbers.csv --missing em -j $threads -q -o "numbers$threads.json"
    expect 0 bestdag fit numbers.csv numbers1.json --missing em -j $threads -q -o "fitted$threads.json"
done
same numbers1.json numbers2.json
same fitted1.json fitted2.json
expect 0 bestdag learn numbers.csv --missing em --json
says out '"score_name": "bic-g"'
says out '"converged": true'
says out '"score_of": "the table as the last network completed it"'
# the likelihood that EM reports is the one that inference computes
expect 0 bestdag evaluate numbers.csv numbers1.json --json
holds 'evaluate disagrees' near "$(noted numbers1.json)" "$(likelihood out)"
expect 0 bestdag impute numbers.csv numbers1.json -q -o full.csv
holds 'a hole is left' [ "$(grep -c '?' full.csv)" -eq 0 ]
expect 0 bestdag learn numbers.csv --missing em -t 0.02 -q -o limited.json
holds 'a network is written' [ -s limited.json ]
expect 0 bestdag learn numbers.csv -O modelstring
says err '--missing em uses what such rows have'
expect 0 bestdag check numbers.csv
says out 'recommended: --missing em'
holds 'numbers need no cuts' [ "$(grep -c 'must become states' out)" -eq 0 ]
expect 2 bestdag learn numbers.csv --missing em --score bge
says err 'not bge'
expect 2 bestdag fit numbers.csv numbers1.json --missing available
says err 'take --missing em'
grep -v '?' numbers.csv >whole.csv
expect 0 bestdag learn whole.csv -q -o plain.json
expect 0 bestdag learn whole.csv --missing em -q -o other.json
same other.json plain.json
printf 'x,y,z\n1.5,?,2.5\n2.25,?,3.5\n3.125,?,1.25\n4.5,?,7.5\n' >column.csv
expect 3 bestdag learn column.csv --missing em

# classifiers and evaluation sum holes out
class=$(head -n 1 holes.csv | cut -d, -f1)
expect 2 bestdag classify train holes.csv --class "$class" --missing em
says err 'is for learn and fit'
expect 0 bestdag classify train holes.csv --class "$class" -q -o c.json
expect 0 bestdag classify predict holes.csv c.json -q
holds 'a row has no prediction' [ "$(wc -l <out)" -ge 601 ]
expect 0 bestdag classify validate holes.csv --class "$class" -q
expect 0 bestdag evaluate holes.csv learn1.json
says out 'log-likelihood'
finish
