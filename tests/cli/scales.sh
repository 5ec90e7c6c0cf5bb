#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Score files with huge scores: what cannot matter does not, and what does not fit
# is refused. Folders are tried before the work.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# one score of -1e100 beside others that differ by less than a nat
cat >pen.jkl <<'END'
4
A 1
-5.054762818152085 0
B 2
-4.073933565057814 1 C
-5.054762818152085 0
C 2
-3.40260394779034 1 B
-8.383433201117441 0
D 2
-3 0
-1e100 1 A
END
for s in auto cluster astar bfbnb dp bnb orders obs asobs os; do
    expect 0 bestdag solve pen.jkl --solver $s --json
    holds "$s: the score is the optimum" near "$(field out score)" -16.512129584 1e-8
    holds "$s: so is the bound" near "$(field out bound)" -16.512129584 1e-8
    says out '"status": "optimal"'
done

# a listed network of real size beside a variable with a hopeless set
cp "$ROOT"/tests/data/lighthouse.jkl plain.jkl
{
    echo 11
    tail -n +2 plain.jkl
    printf 'ZZ 2\n-1 0\n-1e20 1 %s\n' "$(sed -n 2p plain.jkl | cut -d ' ' -f 1)"
} >zz.jkl
for s in auto cluster astar bfbnb dp bnb; do
    expect 0 bestdag solve zz.jkl --solver $s --json
    holds "$s: the score is the optimum" near "$(field out score)" -9050.972904 1e-6
    holds "$s: so is the bound" near "$(field out bound)" -9050.972904 1e-6
    says out '"status": "optimal"'
done

# every network has the set of -1e20
printf '2\nA 2\n-1 1 B\n-1e20 0\nB 2\n-1 1 A\n-1e20 0\n' >apart.jkl
expect 3 bestdag solve apart.jkl
says err 'too far apart'
printf '2\nA 1\n-1e20 0\nB 2\n-1 1 A\n-3 0\n' >large.jkl
expect 3 bestdag solve large.jkl
says err 'too large'
printf '2\nA 2\n-1e308 0\n1e308 1 B\nB 2\n-1e308 0\n1e308 1 A\n' >hang.jkl
expect 3 timeout 60 "$BESTDAG" solve hang.jkl -t 1s
says err 'hang.jkl: sums of scores overflow'

# costs as large as verify takes them: what is proved is accepted (found by the
# claim fuzzer: verify capped costs below those of the solver)
cat >steep.jkl <<'END'
6
A 7
-29.325481733483649 4 C D E F
-98.380032498053097 3 B D F
-28.912169135264509 3 C D F
-1e+17 3 B C E
-1000000000000 3 C D E
962.01760836813469 1 B
-1e+17 0
B 3
-84.309724476983178 0
-7.5431099193657865 2 C E
-15.571403122262705 2 A E
C 2
-1000000000 0
-87.866288179234004 3 B D F
D 2
-1000000000000000 0
-19.966890752341961 4 A B E F
E 3
-19.180898882323682 3 A D F
-100000000 0
-34.010057086975877 2 C D
F 4
-1e+20 4 B C D E
-93.551835949532418 3 A D E
-53.622328110510374 1 D
-3.4566582868167717 0
END
expect 0 bestdag solve steep.jkl -o steep.csv --certificate steep.cert --require-optimal
expect 0 bestdag verify steep.jkl steep.csv steep.cert
says out 'proved optimal'

# folders are tried first
expect 1 bestdag solve pen.jkl --temp-dir nowhere/at/all
says err "cannot create a temporary file in 'nowhere/at/all'"
expect 1 bestdag solve pen.jkl --checkpoint nowhere/at/all
says err 'nowhere/at/all'
long=$(printf 'x%.0s' {1..300})
expect 1 bestdag solve pen.jkl --temp-dir "$long"
finish
