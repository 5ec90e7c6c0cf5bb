#!/usr/bin/env bash
# Networks with numbers from the command line: formats, fitting, queries, what is
# refused, and the page's normals against `bestdag query`.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# what is known of numbers may be thousands of nats more probable in configurations that
# are impossible than in those that are not: it is improbable, not impossible
cat >far.json <<'NET'
{"bestdag": "network", "version": 1, "variables": [
  {"name": "a", "states": ["n", "p", "q"], "parents": [], "table": [[0, 0.5, 0.5]]},
  {"name": "x", "kind": "number", "parents": ["a"], "regressions": [
    {"intercept": 9, "sd": 1}, {"intercept": 0, "sd": 0.1}, {"intercept": 1, "sd": 0.1}]},
  {"name": "y", "kind": "number", "parents": ["a"], "regressions": [
    {"intercept": 9, "sd": 1}, {"intercept": 1, "sd": 0.1}, {"intercept": 0, "sd": 0.1}]}]}
NET
# 2 ln 10 - ln(2 pi) - (8^2 + 9^2) / 0.02, of both states together
expect 0 bestdag query far.json 'a | x=9, y=9' --json
holds 'the density' near "$(field out log_evidence_density)" -7247.232707 1e-5
expect 0 bestdag query far.json 'a | x=9' --json
holds 'the density' near "$(field out log_evidence_density)" -3199.309501 1e-5
says out '"q": 1'
printf 'a,x,y\n?,9,9\n?,9,?\nn,?,?\n' >far.csv
expect 0 bestdag evaluate far.csv far.json --per-row --as-numbers x,y -q
says out 'impossible rows        1'
expect 0 bestdag impute far.csv far.json --as-numbers x,y
says out 'q,9,0'
says err 'rows of probability 0: 1'
# an impossible row has an empty answer
expect 0 bestdag query far.json y --evidence far.csv --as-numbers x,y -q
holds 'three answers' [ "$(wc -l <out)" -eq 4 ]
holds 'an empty answer' grep -qx ',,' out

# random networks go round
expect 0 bestdag generate --variables 12 --numbers 0.5 --seed 3 -q -o mixed.json
expect 0 bestdag generate --variables 8 --numbers 1 --seed 4 -q -o normal.json
expect 0 bestdag generate --variables 12 --numbers 0.5 --seed 3 -q -o again.json
same mixed.json again.json
expect 0 bestdag convert mixed.json -q -o again.json
same mixed.json again.json
expect 0 bestdag generate --variables 8 --numbers 1 --seed 4 -q
same normal.json out
expect 2 bestdag generate --numbers 2
expect 2 bestdag generate --coefficients 2:1
says err 'coefficients'

# formats
for format in bif xmlbif net uai; do
    expect 2 bestdag convert mixed.json -o x.$format
    says err "the format $format cannot hold variables that are numbers"
    absent x.$format
done
for format in modelstring edges dot; do
    expect 0 bestdag convert mixed.json -q -O $format -o x.$format
done
expect 0 bestdag compare mixed.json x.modelstring --json
says out '"shd_dag": 0'

# rows: drawn the same for any number of threads, fitted, evaluated
expect 0 bestdag sample mixed.json -n 5000 -q -j 1 -o rows.csv
expect 0 bestdag sample mixed.json -n 5000 -q -j 2 -o rows2.csv
same rows.csv rows2.csv
expect 0 bestdag fit rows.csv x.modelstring -q -j 1 -o fitted.json
expect 0 bestdag fit rows.csv x.modelstring -q -j 2 -o fitted2.json
same fitted.json fitted2.json
expect 0 bestdag evaluate rows.csv mixed.json --json
says out '"zero_probability_rows": 0'
sed '2s/^[^,]*,/,/;3s/,[^,]*,/,,/' rows.csv | head -50 >holes.csv
expect 0 bestdag evaluate holes.csv mixed.json --json
says out '"missing_rows": '
expect 2 bestdag fit rows.csv x.modelstring -o x.bif
says err 'cannot hold'

# an arc from a number to states
printf 'c,x\na,1.5\nb,2.5\na,0.25\nb,1.25\na,3.5\nb,4.5\na,5.5\nb,6.5\na,7.5\nb,8.5\nb,9.5\na,10.5\n' >two.csv
echo '[x][c|x]' >bad.modelstring
expect 3 bestdag fit two.csv bad.modelstring
says err "'x' -> 'c'"
echo '[c][x|c]' >good.modelstring
expect 0 bestdag fit two.csv good.modelstring -q -o two.json
printf 'c,x\na,high\n' >text.csv
expect 3 bestdag evaluate text.csv two.json
says err "column 'x' has 'high', expected a number"
printf 'c,x\na,inf\nb,1.5\n' >inf.csv
bestdag evaluate inf.csv two.json >out 2>err && report bad 'an infinity is taken'

# queries
expect 0 bestdag query two.json 'c | x=3'
says out 'density of the evidence'
expect 0 bestdag query two.json 'x | c=a' -O csv
says out 'variable,mean,sd'
expect 0 bestdag query two.json x --evidence two.csv -q
says out 'evidence_probability,mean(x),sd(x)'
# without targets all variables are, and the cells are evidence nevertheless
printf 'c,x\na,\nz,\n' >seen.csv
expect 0 bestdag query two.json --evidence seen.csv -O csv
says out 'log_evidence_density,p(c=a)'
says err "column 'c' has 'z' (1)"
holds 'the first row knows c' bash -c 'sed -n 2p out | cut -d, -f2 | grep -qx 1'
printf 'X1\n1.5\n' >seen.csv
expect 0 bestdag query normal.json --evidence seen.csv --as-numbers X1 --mpe --json
says out log_evidence_density
says out '"X1": 1.5'
printf 'other\n1\n' >seen.csv
expect 0 bestdag query normal.json X1 --evidence seen.csv
says err 'no column of the network'
expect 2 bestdag query two.json 'c | x=high'
says err "'x' is a number"
expect 2 bestdag query two.json 'c | x in 1 2'
says err "'x' is a number"
expect 4 bestdag query two.json 'c | x=1, x=2'
says err 'impossible evidence'
expect 4 bestdag query two.json 'c | x=1, c in a b, x=2'
says err "impossible evidence: 'x=1' and 'x=2' exclude each other"
expect 4 bestdag query two.json 'c | do(x=1), c=a, x=2'
says err "impossible evidence: 'x=2' has probability 0 under do(x=1)"
# explanations: the mode of the joint density, and the most probable states
expect 0 bestdag query two.json '| x=1' --map c --best 2
says out 'explanation 2, probability'
expect 0 bestdag query two.json '| c=a' --mpe
says out 'explanation 1, log-density'
expect 0 bestdag query two.json --mpe --best 2 -O csv
says out 'c,x,log_density'
expect 2 bestdag query two.json --map x
says err "map: 'x' is a number"
expect 2 bestdag query two.json c --mpe
says err 'takes no targets'
expect 2 bestdag query two.json --mpe --map c
expect 2 bestdag query two.json --best 2
expect 2 bestdag query two.json --mpe --inference sampling
says err 'cannot be sampled'
expect 0 bestdag query normal.json '| X1=2' --mpe
says out 'explanation 1, log-density'
expect 0 bestdag query normal.json '| X1=2' --map X2,X3
says out 'explanation 1, log-density'
expect 2 bestdag query normal.json --mpe --best 2
says err 'no next one'

# a table of evidence: JSON and tables are written while rows are answered
expect 0 bestdag sample two.json -n 3000 -q -o many.csv
expect 0 bestdag query two.json x --evidence many.csv --json
cp out many.json
holds '3000 answers' test "$(grep -c '"evidence_probability' many.json)" = 3000
command -v python3 >/dev/null && expect 0 python3 -c 'import json; assert len(json.load(open("many.json"))["rows"]) == 3000'
expect 0 bestdag query two.json --mpe --evidence many.csv -q -o modes.csv
holds 'whole rows explain themselves' bash -c 'diff <(cut -d, -f2,3 modes.csv) many.csv'
expect 2 bestdag query two.json --mpe --best 2 --evidence many.csv -o modes2.csv
absent modes2.csv

# missing cells of a table with both kinds
printf 'c,x,note\na,,p\n,9.5,q\n,,r\nb,2.5,s\n' >gaps.csv
for how in '' '--fill cells' '--fill draws' '--tables 3'; do
    # shellcheck disable=SC2086 # several words
    expect 0 bestdag impute gaps.csv two.json -q $how -o filled.csv
    holds "no hole: $how" bash -c '! grep -q -e ",," -e "^," filled.csv'
    says filled.csv 'b,2.5,s'
done
expect 0 bestdag impute gaps.csv two.json -q --probabilities
says out 'row,variable,state,probability'
holds 'two holes of two states' test "$(wc -l <out)" = 5
expect 2 bestdag impute gaps.csv normal.json --probabilities
expect 2 bestdag impute gaps.csv two.json --inference sampling
says err 'cannot be sampled'
expect 0 bestdag impute gaps.csv two.json --fill cells --inference sampling
says err 'estimates from samples'

# effects
expect 0 bestdag effect two.json c x
says out 'b - a'
says out 'assumption   causal only if'
expect 0 bestdag effect two.json x c
says out 'no effect'
expect 2 bestdag effect two.json c 'x | x=1'
expect 0 bestdag effect mixed.json X1 X2 --json
says out '"assumption": "causal only if'
expect 0 bestdag effect normal.json X1 X2
says out 'slope'
says out 'assumption   causal only if'
expect 2 bestdag effect normal.json X1 'X2 | X3=1'
says err 'evidence on a number'
expect 0 bestdag sample normal.json -n 20 -q -o n.csv
sed '2s/^[^,]*,/,/' n.csv >nh.csv
expect 0 bestdag impute nh.csv normal.json -q -o filled.csv
holds 'the rows that were whole' bash -c 'diff <(tail -n +3 nh.csv) <(tail -n +3 filled.csv)'
holds 'no hole' bash -c '! grep -q "^," filled.csv'
expect 0 bestdag cpdag two.json
says out 'c -> x'
expect 0 bestdag relate two.json --cpt x
says out 'c=a  mean'

# a time limit and a memory limit are honoured
bestdag query mixed.json --evidence rows.csv -t 0.001s -o limited.csv >out 2>err
holds 'a time limit ends rows' bash -c '[[ ! -s limited.csv ]]'
bestdag impute holes.csv mixed.json -t 0.000001s -o limited.csv >out 2>err
absent limited.csv
expect 6 bestdag query mixed.json --evidence rows.csv --memory-limit 1M

# ended while rows are answered: nothing half-written
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do tail -n +2 rows.csv; done >body.csv
{ head -1 rows.csv; cat body.csv; } >long.csv
bestdag query mixed.json --evidence long.csv -q -o broken.csv >out 2>err &
job=$!
sleep 1
kill -TERM $job
wait $job
holds 'interrupted' test $? -ne 0
absent broken.csv

# learned, bootstrapped, compared, drawn
head -300 rows.csv >some.csv
expect 0 bestdag learn some.csv -q --report learned.html -t 20s -o learned.json
says learned.html 'askMixture'
expect 0 bestdag compare learned.json mixed.json --json
says out '"shd_dag"'
expect 0 bestdag evaluate some.csv learned.json -q
expect 0 bestdag bootstrap some.csv --resamples 3 -q --solver hc -o average.json
expect 0 bestdag query average.json --mpe
says out 'log-density'

# numbers that were cut stay cut: the network's cut points are used everywhere
expect 0 bestdag learn n.csv --discretize quantile:2 -q -o cut.bif
says cut.bif 'cuts'
expect 0 bestdag evaluate n.csv cut.bif --json
says out '"zero_probability_rows": 0'
expect 0 bestdag query cut.bif 'X2 | X1=0.5'
says out 'P(evidence)'
expect 0 bestdag query cut.bif X2 --evidence n.csv -q
expect 0 bestdag sample cut.bif -n 5 -q
expect 0 bestdag classify predict n.csv cut.bif --class X1 -q
for format in xmlbif json; do
    expect 0 bestdag convert cut.bif -o cut.$format
    holds "$format says nothing of cuts" bash -c '! grep -q "were cut" err'
    expect 0 bestdag query cut.$format 'X2 | X1=0.5'
done
for format in net uai; do
    expect 0 bestdag convert cut.bif -o cut.$format
    says err "the format $format cannot hold where numbers were cut, as those of 'X1' were"
done

# an offset of 1e9 standard deviations: the estimate has the likelihood of the
# score; what is too small for squares is refused
awk 'BEGIN {
    srand(11)
    print "a,b"
    for (i = 0; i < 20000; i++) {
        z = rand() + rand() + rand() - 1.5
        printf "%.17g,%.17g\n", 1e9 + z / 1000, (z + rand()) / 1000 - 1e9
    }
}' >offset.csv
expect 0 bestdag learn offset.csv -q -o offset.json
expect 0 bestdag evaluate offset.csv offset.json
apart=$(awk '/^log-likelihood  / { one = $2 } /score ll-g/ { other = $3 }
    END { print one && (other - one)^2 < 0.01 ? "no" : "yes" }' out)
holds 'the likelihood of the estimate is that of the score' test "$apart" = no
printf 'x,y\n1e-310,2\n-1e-310,5\n1e-311,3\n5e-311,9\n' >small.csv
expect 3 bestdag learn small.csv --as-numbers x,y -q -o small.json
says err "the numbers of 'x' or of its parents are too small for a regression"
absent small.json
# bge of evaluate has the prior that is asked for
expect 0 bestdag learn offset.csv --score bge --iss-mu 2 --iss-w 9 -o nine.json
says err 'score bge'
bge=$(awk '/^score bge/ { sub(/,.*/, "", $3); print $3; exit }' err)
expect 0 bestdag evaluate offset.csv nine.json --iss-mu 2 --iss-w 9
says out "score bge              $bge"

# the page
expect 0 bestdag explore normal.json -o normal.html
expect 0 bestdag explore mixed.json -o mixed.html
command -v node >/dev/null || finish
for seed in 1 2 3 4; do
    expect 0 bestdag generate --variables 6 --numbers 0.5 --seed $seed -q -o page.json
    expect 0 bestdag explore page.json -o page.html
    expect 0 node "$ROOT"/tests/page/numbers.js "$ROOT"/src/report/page page.html \
        page.json "$BESTDAG" $seed 25
done
says mixed.html 'askMixture'
finish
