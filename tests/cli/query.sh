#!/usr/bin/env bash
# query: every form of the answer, quoting, errors, impossible evidence, tables of
# evidence, the same bytes for any number of threads, nothing half-written.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
net=$ROOT/examples/lighthouse.bif

cat >lawn.json <<'NET'
{ "bestdag": "network", "version": 1, "variables": [
  { "name": "rain", "states": ["no", "yes"], "parents": [], "table": [[0.75, 0.25]] },
  { "name": "the lawn", "states": ["dry", "wet, green", "a \"b\""], "parents": ["rain"],
    "table": [[1, 0, 0], [0.25, 0.5, 0.25]] } ] }
NET

# for people
expect 0 bestdag query lawn.json 'rain | "the lawn"=dry'
silent err
says out 'P(evidence) 0.8125, by '
says out 'rain  no   0.923077  #####'
says out '      yes  0.076923  ###'
expect 0 bestdag query lawn.json
says out 'the lawn  dry         0.812500  #'
says out '          wet, green  0.125000  #'
expect 0 bestdag query lawn.json 'rain, "the lawn" | "the lawn" in dry "wet, green"' --joint
says out 'rain  the lawn    probability'
says out 'yes   wet, green  0.133333  #'
expect 0 bestdag query lawn.json --joint -O csv
holds 'all variables together' [ "$(wc -l <out)" -eq 7 ]
says out 'yes,"wet, green",0.125'
expect 0 bestdag query lawn.json '| rain ~ 1 3' --mpe --best 2
says out 'P(evidence) 1.5, by '
says out 'explanation 1, probability 0.5'
says out 'explanation 2, probability 0.25'
says out 'the lawn  wet, green'
expect 0 bestdag query lawn.json '| "the lawn"="a ""b"""' --map rain
says out 'explanation 1, probability 1'
says out 'rain  yes'
holds 'the evidence is no part of an explanation' [ "$(grep -c lawn out)" -eq 0 ]
# narrow and wide
COLUMNS=40 bestdag query "$net" aground >out
holds 'a line is too long for 40 columns' [ "$(awk '{ print length }' out | sort -n | tail -n 1)" -le 40 ]
COLUMNS=20 bestdag query "$net" aground >out
holds 'there is no room for bars' [ "$(grep -c '#' out)" -eq 0 ]

# interventions are no observations
expect 0 bestdag query lawn.json 'rain | do("the lawn"="wet, green")' --json
says out '"evidence_probability": 1,'
says out '"no": 0.75'
cp out first
expect 0 bestdag query lawn.json rain --do '"the lawn"="wet, green"' --json
same out first
expect 0 bestdag query lawn.json 'rain | "the lawn"="wet, green"' --json
holds 'P(evidence)' near "$(field out evidence_probability)" 0.125 1e-15
says out '"yes": 1'
expect 0 bestdag query "$net" aground --do lamp=lit --do fog=yes --json
cp out first
expect 0 bestdag query "$net" 'aground | do(fog=yes, lamp=lit)' --json
same out first

# likelihoods whose product is too small or too large for a double
for e in -200 200; do
    expect 0 bestdag query lawn.json "rain | rain ~ 1e$e 3e$e, rain ~ 1e$e 1e$e"
    same <(sed 1d out) <(bestdag query lawn.json 'rain | rain ~ 1 3' | sed 1d)
    expect 0 bestdag query lawn.json "rain | rain ~ 1e$e 3e$e, rain ~ 1e$e 1e$e" --json
    # ln 1.5 and twice ln 1e200
    holds 'ln P(evidence)' near "$(field out log_evidence_probability)" \
        "$(awk -v e=$e 'BEGIN { printf "%.12g", log(1.5) + 2 * e * log(10) }')" 1e-8
done

# JSON has what was asked for
expect 0 bestdag query "$net" 'aground | fog=yes' --json
for key in evidence_probability method marginals; do says out "\"$key\": "; done
holds 'joint was not asked for' [ "$(grep -c -e '"joint"' -e '"explanations"' out)" -eq 0 ]
expect 0 bestdag query "$net" 'aground, lifeboat | fog=yes' --joint --json
says out '"joint": ['
holds 'marginals were not asked for' [ "$(grep -c '"marginals"' out)" -eq 0 ]
expect 0 bestdag query "$net" 'aground | fog=yes' --mpe --json
says out '"marginals": {'
says out '"explanations": ['

# tables for programs
expect 0 bestdag query lawn.json 'rain | "the lawn"=dry' -O csv
cp out want
says out 'variable,state,probability'
says out 'rain,no,0.92307692307692'
says out 'rain,yes,0.0769230769230769'
expect 0 bestdag query lawn.json 'rain | "the lawn"=dry' -o got.tsv
silent out err
same <(tr '\t' , <got.tsv) want
expect 0 bestdag query lawn.json 'rain, "the lawn"' --joint -O csv
says out 'rain,the lawn,probability'
says out 'yes,"wet, green",0.125'
expect 0 bestdag query lawn.json --mpe --best 2 -o best.csv --json
says out '"explanations": ['
says best.csv 'no,dry,0.75'
expect 2 bestdag query lawn.json rain --mpe -O csv
says err 'either targets or explanations'

# numbers: labels that are numbers, and variables that were cut from numbers
awk 'BEGIN { srand(3); print "size,grade,kind"
    for (i = 0; i < 300; i++) { k = i % 3; print 10 * k + 12 * rand() "," i % 4 ".0," substr("catdogfox", 3 * k + 1, 3) } }' >sizes.csv
bestdag classify train sizes.csv --model nb --class kind -q -o kinds.bif
expect 0 bestdag query kinds.bif 'kind | size=2.25, grade=3' -O csv
awk -F, '$1 == "kind" { print $3 }' out >got
printf 'size,grade\n2.25,3.0\n' >new.csv
bestdag classify predict new.csv kinds.bif -q | sed -n 2p | cut -d, -f2- | tr , '\n' >want
holds "query $(cat got), predict $(cat want)" near "$(head -n 1 got)" "$(head -n 1 want)" 1e-12
expect 2 bestdag query kinds.bif 'kind | grade=7'
says err "unknown state '7' of 'grade'"
# standard input
bestdag query lawn.json rain --evidence - -q <<<'the lawn
dry' >out
says out '0.92307692307692'

# sampled answers say so, with a standard error on every number, and are near
expect 0 bestdag query "$net" 'aground | fog=yes' --json
exact=$(sed -n 's/^ *"yes": \([^,]*\),*$/\1/p' out)
expect 0 bestdag query "$net" 'aground | fog=yes' --inference sampling --seed 3
says out ', by likelihood weighting, effective sample size '
holds 'every number has an error' [ "$(grep -c ' +- ' out)" -eq 3 ]
expect 0 bestdag query "$net" 'aground | fog=yes' --inference sampling --seed 3 -O csv
# shellcheck disable=SC2016 # fields of awk
holds "$(cat out) is not near $exact" awk -F, -v x="$exact" '$2 == "yes" { d = $3 - x
    exit !(d * d <= 25 * $4 * $4 && $4 > 0) }' out
# also if only a part of the answer was sampled, here the probability of the evidence
expect 0 bestdag query "$net" '| lamp=dark' --map keeper --inference sampling --seed 3
says out ', by likelihood weighting, effective sample size '
holds 'every number has an error' [ "$(grep -c ' +- ' out)" -eq 2 ]
expect 0 bestdag query "$net" 'fog | lamp=dark' --map keeper --inference sampling --seed 3 --json
says out '"method": "likelihood weighting"'
says out '"standard_error": '
expect 2 bestdag query "$net" '| fog=yes' --mpe --inference sampling
says err 'cannot be sampled'
expect 0 bestdag query "$net" 'aground | fog=yes' --inference sampling --json
for key in effective_sample_size evidence_standard_error standard_errors; do says out "\"$key\": "; done
expect 0 bestdag query "$net" aground --evidence "$ROOT/examples/lighthouse.csv" --ignore fog,sea \
    --inference sampling --samples 200 -q -j 1
cp out one
says one 'evidence_probability,evidence_standard_error,effective_sample_size,p(aground=no),se(aground=no)'
expect 0 bestdag query "$net" aground --evidence "$ROOT/examples/lighthouse.csv" --ignore fog,sea \
    --inference sampling --samples 200 -q -j 4
same out one

# errors: one line, the column, the nearest name; nothing is written
refuses() { # STATUS TEXT ARGUMENTS...
    local status=$1 text=$2
    shift 2
    rm -f never.csv
    expect "$status" bestdag query "$@" -o never.csv
    says err "$text"
    one_line err
    silent out
    absent never.csv
}
refuses 2 "column 1: unknown variable 'agrond', did you mean 'aground'?" "$net" agrond
refuses 2 "column 15: unknown state 'yess' of 'fog', did you mean 'yes'?" "$net" 'aground | fog=yess'
refuses 2 "expected 'no' or 'yes'" "$net" 'aground | fog=thick'
refuses 2 "names with blanks stand in double quotes" "$net" 'aground lifeboat'
refuses 2 "--do: 'lamp' is not KEY=VALUE" "$net" aground --do lamp
refuses 2 "do 'lamp=lite', column 6: unknown state 'lite' of 'lamp', did you mean 'lit'?" \
    "$net" aground --do lamp=lite
refuses 2 "map 'aground, kepper', column 10: unknown variable 'kepper', did you mean 'keeper'?" \
    "$net" --map 'aground, kepper'
refuses 2 'mpe and map exclude each other' "$net" --mpe --map fog
refuses 2 'needs --mpe or --map' "$net" fog --best 3
bestdag generate --variables 40 --seed 2 -q -o forty.bif
refuses 6 'the joint table of 40 targets is too large: name fewer' forty.bif --joint
refuses 4 "impossible evidence: 'rain=no' and '\"the lawn\"=\"wet, green\"' exclude each other" \
    lawn.json '| rain=no, "the lawn"="wet, green"'
refuses 4 "'rain=yes' has probability 0 under do(rain=no)" lawn.json '| do(rain=no), rain=yes'
refuses 4 "'rain=yes' has probability 0 under do(rain=no)" lawn.json '| rain=yes, do(rain=no)' \
    --inference sampling
# where tables without an item do not fit, it stays
refuses 4 "'rain=no' and '\"the lawn\"=\"wet, green\"' exclude each other" \
    lawn.json '| rain=no, "the lawn"="wet, green"' --table-size 1
refuses 3 'cannot open' nowhere.bif fog
bestdag convert "$net" -q -O modelstring >bare.txt
refuses 2 'no probabilities' bare.txt aground
expect 2 bestdag query "$net" aground -o answer.bif
absent answer.bif

# the cost is said before
expect 0 bestdag query "$net" aground -v
says err 'largest'

# a table of evidence: any columns in any order, holes, unknown values, a target's
# own column, impossible rows
cat >rows.csv <<'ROWS'
note,the lawn,rain
a,dry,yes
b,?,no
c,"wet, green",?
d,brown,yes
ROWS
expect 0 bestdag query lawn.json rain --evidence rows.csv
printf 'evidence_probability,p(rain=no),p(rain=yes)\n0.8125,0.923077,0.0769231\n1,0.75,0.25\n0.125,0,1\n1,0.75,0.25\n' >want
same want <(awk -F, 'BEGIN { OFS = "," } NR > 1 { for (i = 1; i <= NF; i++) $i += 0 } { print }' out)
says err "column 'the lawn' has 'brown' (1)"
says err '4 rows answered'
expect 0 bestdag query lawn.json 'rain | rain=no' --evidence rows.csv -q
says out '0,,'
expect 0 bestdag query lawn.json rain --evidence rows.csv --json -q
says out '"rows": ['
holds 'an answer for each row' [ "$(grep -c evidence_probability out)" -eq 8 ]
expect 0 bestdag query lawn.json 'rain | do("the lawn"=dry)' --evidence rows.csv -q
holds 'the column of do() is not evidence' [ "$(grep -c '^1,0.75,0.25$' out)" -eq 4 ]
expect 0 bestdag query lawn.json --mpe --evidence rows.csv -q
says out 'evidence_probability,rain,the lawn,probability'
says out '0.25,yes,"wet, green"'
expect 2 bestdag query lawn.json --mpe --best 2 --evidence rows.csv
# a state that is never there is known, and its row impossible
sed 's/0.75, 0.25/1, 0/' lawn.json >never.json
printf 'rain\nno\nyes\n' >never.csv
expect 0 bestdag query never.json '"the lawn"' --evidence never.csv
says out '0,,,'
says err 'rows of probability 0: 1'
holds 'it is no unknown value' [ "$(grep -c unknown err)" -eq 0 ]
rm never.csv
expect 4 bestdag query lawn.json 'rain | rain=no, rain=yes' --evidence rows.csv -o never.csv
absent never.csv

# as single queries say; the same bytes for any number of threads
head -n 200 "$ROOT/examples/lighthouse.csv" | awk -F, 'BEGIN { OFS = ","; srand(5) }
    NR > 1 { for (i = 1; i <= NF; i++) if (rand() < 0.3) $i = "?" } { print }' >holes.csv
for form in "-O csv" --json "--joint -O csv" "--map keeper,sea -O csv"; do
    # shellcheck disable=SC2086 # words
    bestdag query "$net" 'aground, lifeboat' --evidence holes.csv -q $form -j 1 >one
    for threads in 2 7; do
        # shellcheck disable=SC2086
        bestdag query "$net" 'aground, lifeboat' --evidence holes.csv -q $form -j $threads >many
        same one many
    done
done
bestdag query "$net" aground --evidence holes.csv -q >all
for row in 2 50 199; do
    text=$(awk -F, -v row=$row 'NR == 1 { split($0, name) }
        NR == row { for (i = 1; i <= NF; i++)
            if ($i != "?" && name[i] != "aground") printf "%s%s=%s", n++ ? ", " : "", name[i], $i }' holes.csv)
    expect 0 bestdag query "$net" "aground | $text" --json
    holds "row $row is another answer" near "$(sed -n 's/^ *"yes": \([^,]*\),*$/\1/p' out)" \
        "$(sed -n "${row}p" all | cut -d, -f3)" 1e-12
done
# more rows than one chunk of answers: the same as in two files, within a limit that the
# answers together exceed
bestdag generate --variables 60 --max-parents 2 --seed 2 -q -o wide.bif
bestdag sample wide.bif -n 9000 --seed 4 -q -o all.csv
cut -d, -f 1-5 all.csv >some.csv
{ head -n 1 some.csv; sed -n '2,3001p' some.csv; } >part1.csv
{ head -n 1 some.csv; sed -n '3002,$p' some.csv; } >part2.csv
limit=30M
! grep -q __asan_init "$BESTDAG" || limit=300M # a sanitiser has memory of its own
expect 0 bestdag query wide.bif --evidence some.csv --memory-limit $limit -q -o whole.csv
for i in 1 2; do
    expect 0 bestdag query wide.bif --evidence part$i.csv -q -o answer$i.csv
done
{ cat answer1.csv; sed 1d answer2.csv; } >joined.csv
same whole.csv joined.csv
holds 'a row for each row' [ "$(wc -l <whole.csv)" -eq 9001 ]
# memory for one session: fewer threads, and the same answers
bestdag generate --variables 40 --max-parents 4 --seed 3 -q -o dense.bif
bestdag sample dense.bif -n 2000 --seed 4 -q -o all.csv
cut -d, -f 1-6 all.csv >some.csv
limit=9M
! grep -q __asan_init "$BESTDAG" || limit=300M
for threads in 1 8; do
    expect 0 bestdag query dense.bif --evidence some.csv --memory-limit $limit -q -j $threads -o few$threads.csv
done
same few1.csv few8.csv
# what exact tables would take is said of the whole, also after cuts were tried
whole=$(bestdag query dense.bif -v -O csv 2>&1 >all.csv | sed -n 's/.* numbers, \([0-9]*\) in all.*/\1/p')
few=$(bestdag query dense.bif -v -O csv --table-size 1 --samples 100 2>&1 >all.csv |
    sed -n 's/.*exact tables would have \([^ ]*\) numbers.*/\1/p')
holds "exact tables have $whole numbers, not $few" near "$whole" "$few" 1e4
expect 0 bestdag query wide.bif X7 --evidence part1.csv -q -o whole.arff
expect 0 bestdag check whole.arff -q
finish
