#!/usr/bin/env bash
# Tables of numbers and mixed ones: defaults, notes, which columns are numbers,
# rules, cutting in one command, certificates checked with the table, threads.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

cp "$ROOT"/examples/hives.csv .
awk 'BEGIN {
    srand(7)
    print "a,b,c,d,e,f"
    for (i = 0; i < 200; i++) {
        for (v = 0; v < 6; v++)
            z[v] = sqrt(-2 * log(1 - rand())) * cos(6.2831853 * rand())
        c = z[0] - z[1] + z[2]; d = .8 * c + z[3]; f = d - .5 * z[4] + z[5]
        printf "%.6f,%.6f,%.6f,%.6f,%.6f,%.6f\n", z[0], z[1], c, d, z[4], f
    }
}' >g.csv

# numbers alone: bic-g, JSON by default
expect 0 bestdag learn g.csv
says err 'all 6 columns hold numbers: a Gaussian network, score bic-g'
says err 'proved optimal over all parent sets'
says out '"bestdag": "network"'
expect 0 bestdag learn g.csv -q -O modelstring
says out 'c|'
expect 2 bestdag learn g.csv -o g.bif
absent g.bif

# every score; the checker finds the same, and misses nothing in the lists
for score in bic-g aic-g ll-g bge bic-cg; do
    expect 0 bestdag learn g.csv --score "$score" --save-scores g.jkl \
        --certificate g.cert -q -o g.json
    expect 0 bestdag verify g.jkl g.json g.cert --data g.csv
    says out 'checked with the table'
    says out 'proved optimal'
done
for score in bic-cg aic-cg; do
    expect 0 bestdag learn hives.csv --ignore hive --max-parents 2 --score "$score" \
        --save-scores h.jkl --certificate h.cert -q -o h.json
    expect 0 bestdag verify h.jkl h.json h.cert --data hives.csv --ignore hive
    says out 'checked with the table'
done
# one score that is wrong, one set that lacks
expect 0 bestdag learn g.csv --save-scores g.jkl --certificate g.cert -q -o g.json
awk 'NR == 4 { $1 += 0.01 } { print }' g.jkl >wrong.jkl
cp g.jkl.json wrong.jkl.json
expect 5 bestdag verify wrong.jkl g.json g.cert --data g.csv
says err 'the table gives'
# columns that nearly determine each other, or that states nearly determine:
# what is singular does not depend on the order of the checker
cat >near.csv <<'EOF'
a,b,c,d,e
0.259406842251,-0.283457753552,-0.283869316194,-1.42500110579,-0.283460087456
0.662844595046,-0.487682910067,-0.486032838889,1.33321099812,-0.487690104687
-0.387229159221,0.238479220674,0.235941250271,0.57511342068,0.238470161918
0.779660472223,-0.131660036094,-0.130080255385,-1.10931092123,-0.131655414937
1.28522401148,-1.94087780829,-1.93876277505,-0.650975966778,-1.94087434007
1.45358866726,0.063386358432,0.0644873278539,-0.501485230477,0.0634075825331
EOF
awk 'BEGIN {
    srand(5)
    print "s,x,y"
    for (i = 0; i < 60; i++) {
        x = i % 3 * 10 + 1e-6 * rand()
        printf "s%d,%.17g,%.17g\n", i % 3, x, x + (i % 3 == 1 ? 1e-6 : 1) * rand()
    }
}' >split.csv
for table in near split; do
    numbers=$([[ $table == near ]] && echo a,b,c,d,e || echo x,y)
    expect 0 bestdag learn $table.csv --as-numbers "$numbers" --save-scores n.jkl \
        --certificate n.cert -q -o n.json
    expect 0 bestdag verify n.jkl n.json n.cert --data $table.csv --as-numbers "$numbers"
    says out 'checked with the table'
done

# the same for any number of threads, and for any way to the lists
expect 0 bestdag learn g.csv -j 1 -q -o one.json
expect 0 bestdag learn g.csv -j 2 -q -o two.json
same one.json two.json
expect 0 bestdag score g.csv -q -o s.jkl
expect 0 bestdag score g.csv --no-prune --max-parents 5 -q -o all.jkl
expect 0 bestdag solve s.jkl -q --json
says out '"status": "optimal"'
cp out s.json
expect 0 bestdag solve all.jkl -q --json
holds 'pruned lists have the optimum' \
    test "$(grep -m1 '"score"' s.json)" = "$(grep -m1 '"score"' out)"

# mixed tables
expect 0 bestdag learn hives.csv --ignore hive -q --json
says out '"score_name": "bic-cg"'
says out '"status": "optimal"'
expect 4 bestdag learn hives.csv --ignore hive --require mites,virus
says err "satisfies rule 'mites -> virus': a number cannot be a parent of a state"
# whatever needs it is named: a clause, a path, what is left by other rules; what
# contradicts itself is not said to need it
for rule in 'mites -> virus or altitude -> virus' 'ancestor mites virus' \
    'indegree(virus) >= 12' 'for all Q except virus: Q -> virus'; do
    printf 'not mites -> breed\n%s\n' "$rule" >number.rules
    expect 4 bestdag learn hives.csv --ignore hive --constraints number.rules
    says err 'satisfies line 2 of number.rules: a number cannot be a parent of a state'
done
printf 'adjacent virus mites\nnot virus -> mites\n' >number.rules
expect 4 bestdag learn hives.csv --ignore hive --constraints number.rules
says err 'lines 1 and 2 of number.rules together (each of them can be satisfied): a number cannot'
printf 'breed -> virus\nvirus -> breed\n' >number.rules
expect 4 bestdag learn hives.csv --ignore hive --constraints number.rules
holds 'two rules contradict each other' bash -c '! grep -q "a number cannot" err'
expect 0 bestdag learn hives.csv --ignore hive --require mites,virus --discretize quantile:2 -q
expect 0 bestdag learn hives.csv --ignore hive --forbid treated,mites -q -O edges
holds "the rule is kept" test -z "$(grep treated,mites out)"
expect 0 bestdag learn hives.csv --ignore hive --discretize quantile:3 -q
says out 'property cuts'
expect 2 bestdag learn hives.csv --ignore hive --discretize mdl -q
says err 'needs a class'

# what holds numbers
expect 3 bestdag learn hives.csv --ignore hive --as-numbers breed -q
says err "hives.csv:2:16: column 'breed' has the value 'carnica', expected a number"
expect 2 bestdag learn hives.csv --ignore hive --as-numbers bread -q
says err "has no column 'bread', did you mean 'breed'?"
expect 3 bestdag learn hives.csv --ignore hive --score bic -q
says err 'columns hold numbers, states were expected'
expect 3 bestdag learn hives.csv --ignore hive --score bic-g -q
says err "holds states: score bic-g needs numbers"
expect 3 bestdag learn "$ROOT"/examples/lighthouse.csv --score bic-cg -q
says err 'needs a column of numbers'
printf 'x,y\n1,2\n2,4\n4,8\n3,6\n7,14\n9,18\n' >twice.csv
expect 0 bestdag learn twice.csv --as-numbers x,y -O modelstring
says err "columns 'x' and 'y' determine each other"
says out '[x][y]'
awk -F, -v OFS=, 'NR == 1 { print $0, "sum"; next } { print $0, $1 + $2 - $5 }' g.csv >sum.csv
expect 0 bestdag learn sum.csv --max-parents 2
says err "column 'sum' is a linear function of columns before it: families that hold all"
head -8 sum.csv >few.csv
expect 0 bestdag learn few.csv --as-numbers a,b,c,d,e,f,sum --max-parents 2
holds 'few rows determine nothing' bash -c '! grep -q "linear function" err'
printf 'x,y\n1,2\n2,inf\n4,8\n' >infinite.csv
expect 3 bestdag learn infinite.csv --as-numbers x,y
says err "infinite.csv:3:3: column 'y' has the value 'inf', expected a number"

# what may be rounding is taken as constant, by the checker, too
awk -F, -v OFS=, 'NR == 1 { print $0, "far"; next } { printf "%s,%.17g\n", $0, 1e12 + $1 / 100 }' \
    g.csv >far.csv
for score in bic-g bge; do
    expect 0 bestdag learn far.csv --as-numbers far --score $score --save-scores f.jkl \
        --certificate f.cert -o f.json
    says err "column 'far' varies by less than 1e-13 of its largest value"
    says err "column 'far' is constant: it gets no arcs"
    expect 0 bestdag verify f.jkl f.json f.cert --data far.csv --as-numbers far
    says out 'checked with the table'
done

# more columns than rows: what chance does, and the remedy
awk 'BEGIN {
    srand(4)
    for (v = 0; v < 60; v++) printf "V%d%s", v, v < 59 ? "," : "\n"
    for (i = 0; i < 50; i++)
        for (v = 0; v < 60; v++) printf "%.5f%s", rand(), v < 59 ? "," : "\n"
}' >wide.csv
expect 0 bestdag score wide.csv --max-parents 1 -o wide.jkl
says err 'with 60 columns and 50 rows bic-g takes about 2.8 parents'
says err '--structure-prior arcs:4.1'
expect 0 bestdag score wide.csv --max-parents 1 --structure-prior arcs:4.1 -o wide.jkl
holds 'no warning with the remedy' test -z "$(grep 'by chance' err)"
# one text among numbers
awk 'NR == 9 { sub(/^[^,]*/, "n.n.") } { print }' g.csv >text.csv
expect 0 bestdag score text.csv --max-parents 0 -o text.jkl
says err "column 'a' ('n.n.') has text among many numbers"

# also where there are fewer rows than states may have; infinities are texts, too
for text in n.n. inf -Infinity nan 1e999; do
    head -50 g.csv | awk -v text="$text" 'NR == 9 { sub(/^[^,]*/, text) } { print }' >text.csv
    expect 0 bestdag learn text.csv
    says err "column 'a' ('$text') has text among many numbers: read as states"
    expect 3 bestdag learn text.csv --as-numbers a
    says err "text.csv:9:1: column 'a' has the value '$text', expected a number"
done
expect 0 bestdag learn text.csv --na 1e999
says err 'all 6 columns hold numbers'

# settings of bge
expect 0 bestdag learn g.csv --score bge --iss-mu 2 --iss-w 12 -q
expect 2 bestdag learn g.csv --score bge --iss-w 6 -q
says err 'iss-w: 6 is not above 7'
expect 2 bestdag learn g.csv --iss-mu 2 -q
says err 'score bic-g does not use --iss-mu'

# a required family without a score is refused by every solver
printf 'x,y,z\n1,3,4\n2,5,1\n4,9,7\n8,17,2\n3,7,9\n' >two.csv
for solver in auto orders hc espace acoe; do
    expect 4 bestdag learn two.csv --as-numbers x,y,z --require x,y \
        --solver "$solver" -q
    says err singular
done

# an arc from a state to a number is compelled, where the table is known
awk 'BEGIN {
    srand(3)
    print "s,x"
    for (i = 0; i < 60; i++)
        printf "%s,%.6f\n", i % 2 ? "a" : "b", i % 2 * 9 + rand()
}' >s.csv
expect 0 bestdag learn s.csv --save-scores s.jkl -o s.json
says err 's -> x'
says err compelled
expect 0 bestdag cpdag s.json
says out '1 compelled arc'
expect 0 bestdag solve s.jkl -o s.edges
says err reversible
# constant columns get no arcs, also if the start has some
awk 'BEGIN { srand(9); print "a,b,d"
    for (i = 0; i < 20; i++) print rand() / 1000 "," rand() ",1.5" }' >constant.csv
printf 'from,to\nd,a\n' >arc.csv
for solver in dp orders; do
    expect 0 bestdag learn constant.csv --score bge --as-numbers d --start arc.csv \
        --solver $solver -O modelstring
    says err 'constant columns'
    holds 'd has no arcs' grep -q '\[d\]' out
done
# a state that must have parents, and only numbers are left
awk 'BEGIN { srand(9); print "x,s"
    for (i = 0; i < 40; i++) print rand() "," (i % 2 ? "u" : "v") }' >only.csv
printf 'not root s\n' >only.rules
expect 4 bestdag learn only.csv --constraints only.rules
says err 'a number cannot be a parent of a state'

# a family of the start that has no score loses its parents
awk 'BEGIN { srand(2); print "x,y,z"; for (i = 0; i < 60; i++)
    print rand() "," 3 "," rand() }' >constant.csv
printf 'from,to\nx,y\ny,z\n' >start.csv
expect 0 bestdag learn constant.csv --as-numbers x,y,z --solver hc --set steps=1 \
    --start start.csv -q -O modelstring
says out '[y]'
for solver in espace acoe; do
    expect 0 bestdag learn constant.csv --as-numbers x,y,z --solver "$solver" \
        --start start.csv --seed 3 -q -O modelstring
    says out '[y]'
    # bge would have a score for such an arc, and a better one
    expect 0 bestdag learn constant.csv --as-numbers x,y,z --score bge --bound \
        --solver "$solver" --start start.csv --seed 3 -q -O modelstring
    says out '[y]'
done
finish
