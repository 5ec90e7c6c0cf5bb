#!/usr/bin/env bash
# classify: train, predict, validate, the whole way.
# shellcheck disable=SC2016 # $0 is for the inner shell
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# numbers, states, a class; every tenth row misses something
awk 'BEGIN {
    srand(3); print "size,colour,tail,kind"
    for (i = 0; i < 600; i++) {
        k = i % 3
        c = rand() < 0.8 ? k : int(3 * rand())
        t = rand() < 0.7 ? c % 2 : int(2 * rand())
        s = 10 * k + 12 * rand()
        printf "%s,%s,%s,%s\n", i % 20 == 7 ? "?" : s,
            i % 20 == 17 ? "?" : substr("redtanash", 3 * c + 1, 3),
            t ? "long" : "short", substr("catdogfox", 3 * k + 1, 3)
    }
}' >all.csv
{ head -n 1 all.csv && sed -n '2,401p' all.csv; } >train.csv
{ head -n 1 all.csv && sed -n '402,$p' all.csv; } >test.csv

for model in nb tan ckg; do
    expect 0 bestdag classify train train.csv --model $model -o $model.bif
    says err "$model of 360 rows, bic"
    says err '40 of 400 rows have a missing value'
    silent out
    says $model.bif 'property role = class;'
    says $model.bif 'property cuts = '
    expect 0 bestdag classify predict test.csv $model.bif -o $model.csv
    says err '200 rows predicted'
    says err 'missing values: 20'
    holds "$model.csv has the wrong length" [ "$(wc -l <$model.csv)" -eq 201 ]
    says $model.csv 'kind,p(cat),p(dog),p(fox)'
    expect 0 bestdag classify validate train.csv --test test.csv --model $model --json
    cp out report
    right=$(paste -d, <(cut -d, -f4 test.csv) $model.csv |
        awk -F, 'NR > 1 && $1 == $2' | wc -l)
    holds "$model: $right right is another accuracy" \
        near "$(field report accuracy)" "$(awk -v r="$right" 'BEGIN { print r / 200 }')" 1e-9
    holds "$model: accuracy below 0.8" \
        awk -v a="$(field report accuracy)" 'BEGIN { exit !(a > 0.8) }'
done

# ckg scores at least what tan does, and that what nb does
scores=$(for m in nb tan ckg; do
    bestdag classify train train.csv --model $m --json -q |
        sed -n 's/.*"score": "\(.*\)".*/\1/p'
done)
holds "scores go down: $scores" sort -gc <<<"$scores"

# other formats keep what is needed
for f in json xmlbif; do
    bestdag convert tan.bif -q -o tan.$f 2>/dev/null || continue
    expect 0 bestdag classify predict test.csv tan.$f -q -o again.csv
    same tan.csv again.csv
done
# the class need not be there, nor the columns in order
cut -d, -f1-3 test.csv | awk -F, '{ print $3 "," $1 "," $2 }' >turned.csv
expect 0 bestdag classify predict turned.csv tan.bif -q -o again.csv
same tan.csv again.csv
# new values are reported and taken as missing
sed 's/red/pink/' test.csv >pink.csv
expect 0 bestdag classify predict pink.csv tan.bif
says err "values unknown to the network: 64, treated as missing: column 'colour' has 'pink' (64)"
# one network in another program's words: the class is named
sed 's/.*property role.*//' tan.bif >plain.bif
expect 3 bestdag classify predict test.csv plain.bif
says err '--class'
expect 0 bestdag classify predict test.csv plain.bif --class kind -q -o again.csv
same tan.csv again.csv

# validation: folds and splits; any number of threads, the same report
for how in '--folds 4' '--split 0.7' '--test test.csv'; do
    for j in 1 2 5; do
        # shellcheck disable=SC2086 # two words
        expect 0 bestdag classify validate train.csv $how --json -j $j -q
        strip out >report$j
        same report1 report$j
    done
    for key in accuracy interval log_loss classes per_class confusion; do
        says report1 "\"$key\""
    done
done
expect 0 bestdag classify validate train.csv --seed 2
says out 'cross-validation: 5 models, 400 tested rows'
says out 'precision'
says out 'predicted (columns)'
says err 'rows with a missing value are used for testing'
expect 0 bestdag classify validate train.csv --missing drop
says out '360 tested rows'
expect 0 bestdag classify validate train.csv --class colour --method quantile:4 --score bdeu
says out "class 'colour'"

# what is refused
expect 2 bestdag classify
expect 2 bestdag classify tain train.csv
says err "did you mean 'train'?"
expect 2 bestdag classify predict train.csv
says err 'bestdag classify predict DATA MODEL'
expect 2 bestdag classify train train.csv tan.bif
expect 2 bestdag classify train train.csv --model tan --max-parents 3
says err 'max-parents applies to the model ckg'
expect 2 bestdag classify train train.csv --model nb --branching tree -o x.bif
says err 'branching applies to the models tan and ckg'
expect 2 bestdag classify train train.csv --class kin
says err "did you mean 'kind'?"
expect 2 bestdag classify train train.csv --method mld
says err "did you mean 'mdl'?"
expect 3 bestdag classify train train.csv --class size
says err "the class 'size' has no states"
expect 2 bestdag classify validate train.csv --folds 3 --split 0.5
expect 2 bestdag classify validate train.csv --folds 4000
expect 2 bestdag classify predict test.csv tan.bif --json
says err 'predict writes a table'
expect 2 bestdag classify train train.csv -o model.xyz
absent model.xyz
# little to go by: a class alone, a class of one state, as many folds as rows
printf 'c\na\nb\na\n' >alone.csv
for model in nb tan ckg; do
    expect 0 bestdag classify train alone.csv --model $model -q -o alone.bif
    expect 0 bestdag classify predict alone.csv alone.bif -q
    says out 'a,0.666'
    expect 0 bestdag classify validate alone.csv --model $model --folds 3
    says out 'accuracy    0.6667' # the two a, one of them by a tie
done
printf 'x,c\n1,a\n2,a\n' >one.csv
expect 0 bestdag classify validate one.csv --folds 2
says out 'accuracy    1.0000'
cut -d, -f1,2,4 test.csv >narrow.csv
expect 3 bestdag classify predict narrow.csv tan.bif
says err "the table has no column 'tail'"
# a column without any value is missing in every row
awk -F, -v OFS=, 'NR > 1 { $3 = "?" } { print }' test.csv >hollow.csv
{ cat hollow.csv; tail -n 1 test.csv; } >nearly.csv
expect 0 bestdag classify predict hollow.csv tan.bif -o hollow_out.csv
says err 'summed out'
expect 0 bestdag classify predict nearly.csv tan.bif -q -o nearly_out.csv
sed -i '$d' nearly_out.csv
same hollow_out.csv nearly_out.csv
# rows with holes have the probabilities that query gives
cat >compare.awk <<'SCRIPT'
FNR == 1 { next }
NR == FNR { for (i = 2; i <= NF; i++) want[FNR, i] = $i; next }
{ for (i = 2; i <= NF; i++) { d = $i - want[FNR, i]; if (d < 0) d = -d
      if (d > 1e-12) { print FNR, i, $i, want[FNR, i]; bad = 1 } }
  rows++ }
END { exit bad || rows < 100 }
SCRIPT
bestdag generate --variables 12 --max-parents 3 --seed 8 -q -o net.bif
bestdag sample net.bif -n 200 --seed 2 -q -o whole.csv
awk -F, -v OFS=, 'NR > 1 { for (i = 1; i <= NF; i++) if ((NR * 7 + i * i) % 5 == 0) $i = "" } { print }' \
    whole.csv >holes.csv
for j in 1 2; do
    expect 0 bestdag classify predict holes.csv net.bif --class X6 -j $j -q -o by_predict$j.csv
    expect 0 bestdag query net.bif X6 --evidence holes.csv -q -o by_query.csv
    holds 'predict is query' awk -F, -f compare.awk by_query.csv by_predict$j.csv
done
same by_predict1.csv by_predict2.csv
expect 0 bestdag classify predict holes.csv net.bif --class X6 --inference sampling --samples 1000 -o sampled.csv
says err 'could not be summed out exactly: 120'
# a row with a hole that no class allows
cat >zero.bif <<'END'
network zero { }
variable c { type discrete [ 2 ] { x, y }; }
variable a { type discrete [ 2 ] { x, y }; }
variable d { type discrete [ 2 ] { x, y }; }
variable b { type discrete [ 2 ] { x, y }; }
probability ( c ) { table 0.3, 0.7; }
probability ( a | c ) { (x) 0.2, 0.8; (y) 0.6, 0.4; }
probability ( d ) { table 0.5, 0.5; }
probability ( b | a, d ) { (x, x) 0.1, 0.9; (y, x) 0.4, 0.6; (x, y) 1, 0; (y, y) 1, 0; }
END
printf 'a,d,b\n?,y,y\n?,x,y\n' >rows.csv
expect 0 bestdag classify predict rows.csv zero.bif --class c -o zero_out.csv
says err 'rows of probability 0 under every class: 1'
holds 'equal shares' [ "$(sed -n 2p zero_out.csv)" = x,0.5,0.5 ]
holds 'the next row is answered' [ "$(sed -n 3p zero_out.csv | cut -c 1-6)" = y,0.26 ]
sed 's/cuts = [-0-9.e]*/cuts = x/' tan.bif >broken.bif
expect 3 bestdag classify predict test.csv broken.bif
says err "'cuts' of variable 'size'"
finish
