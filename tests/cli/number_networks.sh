#!/usr/bin/env bash
# Networks with numbers from the command line: formats, fitting, queries, what is
# refused, and the page's normals against `bestdag query`.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

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
for format in bif net uai; do
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
holds 'X1 is given' bash -c '! grep -q X1 out'
printf 'other\n1\n' >seen.csv
expect 0 bestdag query normal.json X1 --evidence seen.csv
says err 'no column of the network'
expect 2 bestdag query two.json 'c | x=high'
says err "'x' is a number"
expect 2 bestdag query two.json 'c | x in 1 2'
says err "'x' is a number"
expect 4 bestdag query two.json 'c | x=1, x=2'
says err 'impossible evidence'
expect 2 bestdag query two.json '| x=1' --map c
expect 2 bestdag query two.json '| x=1' --mpe
expect 2 bestdag impute two.csv two.json
says err 'both numbers and states'
expect 2 bestdag effect two.json c x
says err 'both numbers and states'
expect 0 bestdag query normal.json '| X1=2' --mpe
says out 'explanation 1, density'
expect 0 bestdag effect normal.json X1 X2
says out 'slope'
says out 'assumption   causal only if'
expect 2 bestdag effect normal.json X1 'X2 | X3=1'
says err "'bestdag query' answers do() with evidence"
expect 0 bestdag sample normal.json -n 20 -q -o n.csv
sed '2s/^[^,]*,/,/' n.csv >nh.csv
expect 0 bestdag impute nh.csv normal.json -q -o filled.csv
holds 'the rows that were whole' bash -c 'diff <(tail -n +3 nh.csv) <(tail -n +3 filled.csv)'
holds 'no hole' bash -c '! grep -q "^," filled.csv'
expect 0 bestdag cpdag two.json
says out 'c -> x'
expect 0 bestdag relate two.json --cpt x
says out 'c=a  mean'

# the page
expect 0 bestdag explore normal.json -o normal.html
expect 0 bestdag explore mixed.json -o mixed.html
command -v node >/dev/null || finish
command -v python3 >/dev/null || finish
python3 - "$BESTDAG" normal.json >lines <<'END'
import json, random, subprocess, sys
net = json.load(open(sys.argv[2]))["variables"]
names = [v["name"] for v in net]
network = {
    "parents": [[names.index(p) for p in v["parents"]] for v in net],
    "terms": [[v["regressions"][0]["intercept"]]
              + [v["regressions"][0]["coefficients"][p] for p in v["parents"]]
              + [v["regressions"][0]["sd"]] for v in net]}
random.seed(1)
for trial in range(15):
    seen = [[v, {"value": random.gauss(0, 2), "isDo": random.random() < 0.3}]
            for v in range(len(net)) if random.random() < 0.4]
    items = [("do(%s=%r)" if s["isDo"] else "%s=%r") % (names[v], s["value"]) for v, s in seen]
    text = subprocess.run([sys.argv[1], "query", sys.argv[2], "| " + ", ".join(items), "--json"],
                          capture_output=True, text=True, check=True).stdout
    got = json.loads(text)["numbers"]
    print(json.dumps(network), json.dumps(seen),
          json.dumps([[got[n]["mean"], got[n]["sd"]] for n in names]), sep="\t")
END
expect 0 node "$ROOT"/tests/page/normal.js "$ROOT"/src/report/page lines
finish
