#!/usr/bin/env bash
# Certificates: what is proved, what is refused, over what, with which rules.
# shellcheck disable=SC2016 # $BESTDAG is for the inner shell
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
table=${ROOT:?the tree}/examples/lighthouse.csv

cat >six.csv <<'END'
A,B,C
0,0,0
0,0,1
0,1,2
1,1,2
1,1,1
1,0,0
END
bestdag score six.csv -q -o six.jkl
printf 'from,to\nA,\nB,C\n' >best.csv

# A component whose clusters, taken over from the whole, prove less than nothing.
below=$ROOT/tests/data/split_below_zero.jkl
bestdag solve "$below" --solver cluster --certificate below.cert -q -o below.csv
expect 0 bestdag verify "$below" below.csv below.cert

# cert CLAIM: the cluster {B, C}, with a multiplier of .98 nat or so
cert() {
    printf '%s\n' 'bestdag certificate 1' 'variables 3' 'shift 20' \
        'part 3 0 1 2' '  multipliers 1' '  1028474 1 2 1 2  # {B, C}' 'end' \
        "claim $1"
}
cert 1028474 >six.cert

# what holds
expect 0 bestdag verify six.jkl best.csv six.cert
silent err
says out 'proved optimal'
says out 'score                  -17.512130'
says out 'all parent sets'
says out 'stated by the file, not checked'
expect 0 bestdag verify six.jkl best.csv six.cert --data six.csv
says out 'checked with the table'
expect 0 bestdag verify six.jkl best.csv six.cert --data six.csv --json
silent err
says out '"status": "optimal"'
says out '"proved_over": "all parent sets"'
says out '"basis": "checked with the table"'
says out '"reason": null'
holds 'the score' near "$(field out score)" -17.51212958 1e-6
holds 'the gap' [ "$(field out gap)" = 0 ]
gzip -c six.cert >packed.cert.gz
if bestdag --version -v | grep -q 'zlib  *yes'; then
    expect 0 bestdag verify six.jkl best.csv packed.cert.gz -o said.txt
    silent out
    says said.txt 'proved optimal'
fi
expect 0 bash -c '"$BESTDAG" verify six.jkl best.csv - <six.cert'

# a weaker network, a weaker claim
printf 'from,to\nA,\nB,\nC,\n' >none.csv
expect 0 bestdag verify six.jkl none.csv six.cert
says out 'may not be optimal'
cert 500000 >weak.cert
expect 0 bestdag verify six.jkl best.csv weak.cert --json
says out '"status": "bounded"'

# what does not hold: 5, one line that says why, and the report
cert 1028475 >strong.cert
expect 5 bestdag verify six.jkl best.csv strong.cert
one_line err
says err 'strong.cert:8: it claims that networks cost at least 1028475, but proves only 1028474'
says out 'not proved'
says out 'refused'
expect 5 bestdag verify six.jkl best.csv strong.cert --json
says out '"status": "refused"'
says out '"bound": null'
printf 'from,to\nA,B\nB,C\n' >other.csv
expect 5 bestdag verify six.jkl other.csv six.cert
says err "the family of 'B' in the network is not in its list"
cert 0 >zero.cert
echo 'order C < B' >turned.rules
expect 5 bestdag verify six.jkl best.csv zero.cert --constraints turned.rules
says err 'the network breaks turned.rules:1: order C < B'

# what cannot be read: 3, with its place
sed 's/1028474 1 2 1 2/1028474 1 2 1 7/' six.cert >bad.cert
expect 3 bestdag verify six.jkl best.csv bad.cert
one_line err
says err "bad.cert:6: expected a variable of the cluster, found '7'"
head -5 six.cert >cut.cert
expect 3 bestdag verify six.jkl best.csv cut.cert
says err 'cut.cert:6: expected a multiplier above 0, but the file ends here'
expect 3 bestdag verify six.jkl best.csv six.csv
expect 3 bestdag verify six.cert best.csv six.cert
says err 'six.cert:1: expected the number of variables'
expect 3 bestdag verify six.jkl "$ROOT/examples/lighthouse.bif" six.cert
expect 2 bestdag verify six.csv best.csv six.cert
expect 2 bestdag verify six.jkl best.csv
expect 3 bestdag verify six.jkl best.csv absent.cert
one_line err

# a unit so coarse that all costs are 0 would make every network optimal
coarse() {
    printf 'bestdag certificate 1\nvariables 3\nshift %s\npart 3 0 1 2\nmultipliers 0\nend\nclaim 0\n' "$1"
}
for shift in -1000 -3 0 8 19; do
    coarse "$shift" >coarse.cert
    expect 5 bestdag verify six.jkl none.csv coarse.cert --data six.csv
    one_line err
    says err 'coarse.cert:3: costs in units of 2^'
    says out 'bound                  not proved'
    says out 'refused'
done
for shift in 20 32 60; do
    coarse "$shift" >fine.cert
    expect 0 bestdag verify six.jkl none.csv fine.cert --json
    says out '"status": "bounded"'
    holds 'the gap' near "$(field out gap)" 0.106 0.001
done
coarse 61 >finer.cert
expect 3 bestdag verify six.jkl none.csv finer.cert
says err 'finer.cert:3: shift 61 is too large'

# a hopeless score spoils nothing; one that is too good cannot be added
sed 's/^A 1/A 2\n-1e300 1 B/' six.jkl >hopeless.jkl
expect 0 bestdag verify hopeless.jkl best.csv six.cert --json
says out '"status": "optimal"'
printf 'from,to\nB,A\nB,C\n' >worst.csv
expect 5 bestdag verify hopeless.jkl worst.csv six.cert
says err "the score of the family of 'A' in the network is too large to be added exactly"
sed 's/^A 1/A 2\n1e300 1 B/' six.jkl >absurd.jkl
expect 3 bestdag verify absurd.jkl best.csv six.cert
says err 'absurd.jkl: the best scores are too large'

# a score file without its sidecar, one that lies
cp six.jkl bare.jkl
expect 0 bestdag verify bare.jkl best.csv six.cert --json
says out '"proved_over": "candidate sets"'
expect 0 bestdag verify bare.jkl best.csv six.cert --data six.csv
says out 'no file beside the lists says what score they have'
sed 's/-5.0547/-5.1547/' six.jkl >wrong.jkl
cp six.jkl.json wrong.jkl.json
expect 5 bestdag verify wrong.jkl best.csv weak.cert --data six.csv
says err "the listed score of 'A' with parents { } is -5.15"
sed 's/^C 2/C 1/; /^-7.4026/d' six.jkl >lacks.jkl
awk '/"name": "C"/ { c = 1 } c && sub(/"sets": 2/, "\"sets\": 1") { c = 0 } { print }' \
    six.jkl.json >lacks.jkl.json
printf 'bestdag certificate 1\nvariables 3\nshift 20\npart 3 0 1 2\nend\nclaim 0\n' >plain.cert
printf 'from,to\nA,\nC,B\n' >left.csv
expect 0 bestdag verify lacks.jkl left.csv plain.cert
expect 5 bestdag verify lacks.jkl left.csv plain.cert --data six.csv
says err "the list of 'C' lacks the parents { B }"
head -6 six.csv >five.csv
expect 5 bestdag verify six.jkl best.csv six.cert --data five.csv
says err 'the lists were made from 6 rows, and the table has 5'
expect 0 bestdag verify six.jkl best.csv six.cert --data six.csv --families 4
says out '4 of 5 listed scores checked, then --families were used up'
expect 0 bestdag verify six.jkl best.csv six.cert --data six.csv --families 9
says out 'completeness of 1 of 3 lists'

# every score that is known, counted again, and one that is not
printf 'bestdag certificate 1\nvariables 10\nshift 32\npart 10 0 1 2 3 4 5 6 7 8 9\nend\nclaim 0\n' >ten.cert
while read -r settings; do
    # shellcheck disable=SC2086 # words
    bestdag score "$table" $settings -q -o s.jkl
    bestdag solve s.jkl -q -o n.csv
    expect 0 bestdag verify s.jkl n.csv ten.cert --data "$table"
    says out 'checked with the table'
done <<'END'
--score bic
--score aic --max-parents 3
--score ll --max-parents 2
--score k2 --max-parents 3
--score bd --pseudo 0.5 --max-parents 2
--score bdeu --ess 10
--score bdeu --structure-prior arcs:3
--score bic --no-prune --max-parents 2
END
bestdag score "$table" --score mit --max-parents 2 -q -o s.jkl
expect 0 bestdag verify s.jkl n.csv ten.cert --data "$table"
says out 'scores of this kind (mit) cannot be checked here'

# rules: lists made under them, lists made without them
cat >forbid.rules <<'END'
tiers: season | fog wind | sea
for all X: indegree(X) <= 2
END
bestdag score "$table" --constraints forbid.rules -q -o ruled.jkl
bestdag solve ruled.jkl --constraints forbid.rules -q -o ruled.csv
expect 0 bestdag verify ruled.jkl ruled.csv ten.cert --constraints forbid.rules --data "$table"
says out 'all parent sets that the rules allow'
says out 'checked with the table'
expect 0 bestdag verify ruled.jkl ruled.csv ten.cert --data "$table"
says out 'made under rules that were not given'
bestdag score "$table" -q -o free.jkl
expect 0 bestdag verify free.jkl ruled.csv ten.cert --constraints forbid.rules --json
says out '"proved_over": "all parent sets that the rules allow"'
printf 'keeper -> lamp\n' >require.rules
printf 'fog -> horn or keeper -> lamp\nancestor fog warned\npositive keeper -> lamp\n' >across.rules
bestdag solve free.jkl -q -o free.csv --constraints require.rules
expect 0 bestdag verify free.jkl free.csv ten.cert --constraints require.rules --json
says out '"proved_over": "candidate sets"'
expect 0 bestdag verify free.jkl free.csv ten.cert --constraints across.rules
says out 'across.rules:1: not used: the bound holds'
says out 'across.rules:2: not used: the bound holds'
says out 'across.rules:3: not checked whether the network obeys it'
expect 0 bestdag verify free.jkl free.csv ten.cert --constraints require.rules --constraints across.rules --json
says out '"count": 4'
echo 'keeper => lamp' >bad.rules
expect 3 bestdag verify free.jkl free.csv ten.cert --constraints bad.rules
says err 'bad.rules:1: expected'
printf 'keeper -> lamp\nlamp -> keeper\n' >never.rules
expect 4 bestdag verify free.jkl free.csv ten.cert --constraints never.rules
says err 'no network satisfies the rules'

# a set that ties with a smaller one does not tie variables together
printf '3\nA 2\n-1 0\n-1 1 B\nB 2\n-2 1 C\n-3 0\nC 2\n-2 1 B\n-4 0\n' >tied.jkl
expect 0 bestdag solve tied.jkl --solver cluster --certificate tied.cert -q -o tied.csv
expect 0 bestdag verify tied.jkl tied.csv tied.cert
says out 'proved optimal'
printf '3\nA 2\n-1 0\n-0.5 1 B\nB 2\n-2 1 C\n-3 0\nC 2\n-2 1 B\n-4 0\n' >apart.jkl
printf 'bestdag certificate 1\nvariables 3\nshift 32\npart 3 0 1 2\npart 1 0\nend\npart 2 1 2\nend\nend\nclaim 0\n' >apart.cert
expect 5 bestdag verify apart.jkl tied.csv apart.cert
says err "'A' can need 'B' of a later part"
expect 0 bestdag verify tied.jkl tied.csv apart.cert

# names with blanks: numbers in the file, names beside it
printf 'a b,c d\n0,0\n1,1\n0,0\n1,1\n0,1\n1,1\n' >blank.csv
bestdag score blank.csv -q -o blank.jkl
bestdag solve blank.jkl -q -o blank.net.csv
printf 'bestdag certificate 1\nvariables 2\nshift 32\npart 2 1 0\nend\nclaim 0\n' >two.cert
expect 0 bestdag verify blank.jkl blank.net.csv two.cert --data blank.csv
says out 'checked with the table'

# an ancestor that order rules exclude makes another literal a fact: what the
# solver deduces, verify deduces (found by the claim fuzzer)
cat >path.jkl <<'END'
9
A 9
-2 2 C I
-2 2 E I
0 1 G
-3 2 C G
-1 2 E G
-2 3 C E G
-1 0
0 1 E
-3 2 C E
B 5
-2 1 H
-3 2 D H
-2 2 F H
-3 0
-1 1 D
C 10
-1 2 E I
-3 3 A E I
0 1 I
-3 3 E G I
-2 2 G I
-1 1 E
-3 2 A E
-2 0
-2 1 A
-2 3 A E G
D 8
-3 2 B F
0 1 F
-2 1 B
0 0
-2 3 B F H
0 2 F H
-2 2 B H
-3 1 H
E 8
-3 0
0 1 C
0 1 G
-1 2 C G
-3 2 A I
-1 3 A C I
-3 3 A G I
0 3 C G I
F 6
-1 2 B H
0 1 H
-3 3 B D H
-2 2 D H
0 0
0 2 B D
G 11
-1 3 A C E
-3 1 C
-1 2 A C
-3 0
-3 1 A
0 4 A C E I
-1 2 E I
-3 3 A E I
0 2 C I
-2 3 A C I
-1 2 A I
H 4
0 3 B D F
0 2 B F
-2 1 B
0 0
I 9
-2 2 A C
-2 0
0 1 A
-3 3 A C E
0 3 A C G
-3 2 A G
999 3 C E G
-3 4 A C E G
-1 3 A E G
END
cat >path.rules <<'END'
order D < B < E < F
I -> A
not A -> G or ancestor F B
END
expect 0 bestdag solve path.jkl --constraints path.rules -o path.csv --certificate path.cert --require-optimal
expect 0 bestdag verify path.jkl path.csv path.cert --constraints path.rules
says out 'proved optimal'
printf 'D -> B\nnot ancestor D B or not A -> G\n' >path.rules # an ancestor by required arcs
expect 0 bestdag solve path.jkl --constraints path.rules -o path.csv --certificate path.cert --require-optimal
expect 0 bestdag verify path.jkl path.csv path.cert --constraints path.rules
says out 'proved optimal'

# where no certificate can be written, that is said
echo 'not ancestor A B' >path.rules
rm path.csv
expect 2 bestdag solve path.jkl --constraints path.rules -o path.csv --certificate path.cert
says err "under these rules there is no certificate: they need the solver 'bnb'"
absent path.csv
expect 2 bestdag solve path.jkl --set steps=10 -o path.csv --certificate path.cert
says err "the solver 'orders' cannot write a certificate"
finish
