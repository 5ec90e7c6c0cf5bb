#!/usr/bin/env bash
# effect: forms of the answers, errors, exit codes; the numbers have a test of
# their own (test_effect.c).
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
net=$ROOT/examples/lighthouse.bif

# identified: the same in all networks of the class
expect 0 bestdag effect "$net" warned aground
says out 'P(aground | do(warned))'
says out 'adjustment   season'
says out 'identified   yes'
says out 'assumption   causal only if'
silent err
expect 0 bestdag effect "$net" warned aground --json
says out '"cause": "warned"'
says out '"identified": true'
says out '"adjustment": ["season"]'
says out '"assumption": "causal only if'
expect 0 bestdag effect "$net" warned 'aground | sea=rough'
says out 'P(aground | do(warned), sea=rough)'
says out 'adjustment   none needed'
says out 'no          0.4500    0.5500'

# evidence of several states, and likelihoods
expect 0 bestdag effect "$net" warned 'aground | sea in rough smooth, season in winter autumn'
says out 'P(aground | do(warned), sea in smooth rough, season in autumn winter)'
says out 'adjustment   season, sea'
expect 0 bestdag effect "$net" warned 'aground | lifeboat ~ 0.2 0.8' --json
says out '"in": 0.2'
says out '"adjustment": ["season"]'
cp out effect.json
expect 0 bestdag query "$net" 'aground | do(warned=no), lifeboat ~ 0.2 0.8' --json
p=$(grep -A 2 '"aground": {' out | grep -o '0\.[0-9]*' | head -n 1 | cut -c 1-11)
holds 'a probability' [ ${#p} -eq 11 ]
says effect.json "$p"
# two pieces of evidence hold together
expect 0 bestdag effect "$net" warned 'aground | sea ~ 1 2, sea ~ 3 1'
says out 'sea ~ 3 2'

# not identified: a range, and which arcs leave it open
expect 0 bestdag effect "$net" lamp aground
says out 'identified   no: the data cannot tell the direction of the arcs between'
says out 'lamp and season, keeper; over 4 parent sets'
says out '+0.1873 to +0.2159'
says out 'assumption   causal only if'
expect 0 bestdag effect "$net" lamp aground --json
says out '"identified": false'
says out '"reversible": ["season", "keeper"]'
says out '"parent_sets": 4'
# rules say more than the data; the network must obey them
expect 0 bestdag effect "$net" lamp aground --require season,lamp --require keeper,lamp
says out 'identified   yes'
printf 'tiers: season | keeper | fog wind sea lamp horn warned aground lifeboat\n' >expert.rules
expect 0 bestdag effect "$net" lamp aground --constraints expert.rules --json
says out '"identified": true'
says out '"parent_sets": 1'
expect 2 bestdag effect "$net" lamp aground --require lamp,season
says err 'the network breaks'
printf 'ancestor season aground\n' >ignored.rules
expect 0 bestdag effect "$net" lamp aground --constraints ignored.rules
says out 'not considered: 1 rule'

# no path: no effect
expect 0 bestdag effect "$net" lifeboat aground
says out 'no directed path leads from lifeboat to aground: no effect'
says out 'out - in   +0.0000   +0.0000'
expect 0 bestdag effect "$net" lifeboat aground --json
says out '"adjustment": null'
says out '"causal_path": false'

# means: numbers, or states that rules order
expect 0 bestdag effect "$net" season wind
holds 'a mean of states without order' bash -c '! grep -q mean out'
printf 'states wind: calm < breeze < gale\n' >order.rules
expect 0 bestdag effect "$net" season wind --constraints order.rules
says out 'mean'
says out 'summer - spring'
says out 'winter - autumn'
expect 0 bestdag effect "$net" season wind --constraints order.rules --json
says out '"scale": "ranks"'

# the same bytes for any number of threads
expect 0 bestdag effect "$net" lamp aground --json -j 1
cp out first
expect 0 bestdag effect "$net" lamp aground --json -j 4 -o text
same out first
says text 'P(aground | do(lamp))'

# errors: one line
expect 2 bestdag effect "$net" lmp aground
one_line err
says err "unknown variable 'lmp', did you mean 'lamp'?"
expect 2 bestdag effect "$net" lamp agrund
says err "did you mean 'aground'?"
expect 2 bestdag effect "$net" lamp 'aground | season=wintr'
says err "did you mean 'winter'?"
expect 2 bestdag effect "$net" lamp lamp
says err "'lamp' is both the cause and the effect"
expect 2 bestdag effect "$net" lamp 'aground | lamp=lit'
says err "'lamp' is the cause: it cannot be evidence, too"
expect 2 bestdag effect "$net" lamp 'aground | do(fog=yes)'
says err "the effect of several interventions at once is not known over the equivalence class"
expect 2 bestdag effect "$net" lamp,fog aground
says err 'expected one cause, found 2 variables'
expect 2 bestdag effect "$net" lamp
printf '[a][b|a]' >bare.modelstring
expect 2 bestdag effect bare.modelstring a b
says err 'the network has no probabilities'
expect 3 bestdag effect none.bif a b
# evidence that no state of the cause makes possible
cat >zero.bif <<'END'
network zero { }
variable a { type discrete [ 2 ] { no, yes }; }
variable b { type discrete [ 2 ] { no, yes }; }
variable c { type discrete [ 2 ] { no, yes }; }
probability ( a ) { table 0.5, 0.5; }
probability ( b | a ) { (no) 1, 0; (yes) 0.5, 0.5; }
probability ( c ) { table 1, 0; }
END
expect 4 bestdag effect zero.bif a 'b | c=yes'
says err 'impossible evidence: '
expect 0 bestdag effect zero.bif c 'a | b=yes'
expect 0 bestdag effect zero.bif b a --json
# impossible evidence: no more items than needed
net=$ROOT/examples/lighthouse.bif
expect 4 bestdag effect "$net" lamp 'aground | fog=yes, season=winter, sea=rough, season in summer spring'
says err "impossible evidence: 'season=winter' and 'season in summer spring' exclude each other, whatever state 'lamp' is set to"
one_line err
# likelihoods whose product is too small for a double
expect 0 bestdag effect "$net" lamp 'aground | sea ~ 1e-200 3e-200, sea ~ 1e-200 1e-200'
sed 1d out >small
expect 0 bestdag effect "$net" lamp 'aground | sea ~ 1 3'
same small <(sed 1d out)
finish
