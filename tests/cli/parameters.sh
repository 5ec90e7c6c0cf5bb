#!/usr/bin/env bash
# Rules about probabilities on the command line: fit, learn and score obey them,
# others refuse them by name.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# 50 rows of a=1 x=0 y=0, 50 of a=0 x=1 y=1
{
    echo a,x,y
    for ((i = 0; i < 50; i++)); do printf '1,0,0\n0,1,1\n'; done
} >t.csv
echo 'positive a -> x' >p.rules
echo '[a][y][x|a]' >s.modelstring

expect 0 bestdag fit t.csv s.modelstring -q --constraints p.rules
says out '(0) 0.5, 0.5;'
says out '(1) 0.5, 0.5;'
expect 0 bestdag score t.csv --constraints p.rules -q -o s.jkl
holds 'x has two sets, best with a and y' \
    grep -q -A 1 '^x 2' s.jkl
holds 'the best score of x' grep -q '^-9.21034037.* 2 a y' s.jkl
holds 'the score with a alone' grep -q '^-73.9198882.* 1 a' s.jkl
expect 0 bestdag learn t.csv --constraints p.rules --json -o n.bif
says out '"status": "optimal"'
says out '["a", "x"]'

# orders of states
sed 's/1,0,0/high,no,0/; s/0,1,1/low,yes,1/' t.csv >words.csv
expect 3 bestdag learn words.csv --constraints p.rules -o x.bif
says err "p.rules:1:1: 'positive' needs the order of the states of 'a': add  states a: ... < ... < ..."
absent x.bif
printf 'states a: low < high\nstates x: no < yes\npositive a -> x\n' >w.rules
expect 0 bestdag fit words.csv s.modelstring -q --constraints w.rules
says out '0.5, 0.5;'

# what cannot be
printf 'P(x=1 | a=0) <= .3\n\nP(x=1 | a=0) >= .4\n' >none.rules
expect 4 bestdag fit t.csv s.modelstring --constraints none.rules -o x.bif
says err 'no network satisfies lines 1 and 3 of none.rules together'
absent x.bif
expect 4 bestdag learn t.csv --constraints none.rules -o x.bif
absent x.bif
echo 'P(x=1 | a=0) = 0' >zero.rules
expect 4 bestdag fit t.csv s.modelstring --constraints zero.rules
says err "no parameters of 'x' that satisfy zero.rules:1 give the rows of the table a probability above 0"
echo '[a][y][x]' >bare.modelstring
expect 3 bestdag fit t.csv bare.modelstring --constraints p.rules
says err "p.rules:1:1: 'a' is not a parent of 'x' in this network"

# who does not take them
expect 2 bestdag learn t.csv --constraints p.rules --score bdeu
says err 'score bdeu does not support parameter rules (p.rules:1): use bic, aic or ll'
expect 2 bestdag learn t.csv --constraints p.rules --solver hc
says err "'parameter' rules (p.rules:1)"
expect 0 bestdag score t.csv -q -o plain.jkl
expect 2 bestdag solve plain.jkl --constraints p.rules
says err "'parameter' rules (p.rules:1)"

# scores that were made under them are what they are
expect 0 bestdag solve s.jkl --constraints p.rules --json
says out '"status": "optimal"'

finish
