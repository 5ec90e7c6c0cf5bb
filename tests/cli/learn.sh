#!/usr/bin/env bash
# From tables to networks: what is written and reported, options of every part,
# starts, limits, refusals, signals.
# shellcheck disable=SC2016 # $BESTDAG is for the inner shell
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

cp "$ROOT"/tests/data/lighthouse.jkl "$ROOT"/examples/lighthouse.* \
    "$ROOT"/tests/data/train.csv .
optimum=-9049.972904 # as in solve.sh

# BIF by default, a summary on standard error
expect 0 bestdag learn lighthouse.csv
says out 'probability ( aground | sea, warned )'
says err 'candidate sets by sequential'
says err '10 variables, 14 arcs, at most 3 parents, 44 free parameters'
says err "score bic $optimum, bound $optimum, gap 0 %"
says err 'proved optimal over all parent sets'
says err '128 parent sets kept of 3,885 scored by sequential'
says err 'dp: '
cp out best.bif
expect 0 bestdag learn lighthouse.csv -q -o quiet.bif
silent out err
same best.bif quiet.bif
expect 0 bash -c '"$BESTDAG" learn - -q <lighthouse.csv'
same out best.bif
for f in xmlbif net uai json csv modelstring dot bif.gz; do
    expect 0 bestdag learn lighthouse.csv -q -o "net.$f"
done
says net.json '"data_sha256"'
says net.json '"score_name": "bic"'
says net.json '"solver": "dp"'
if command -v dot >/dev/null; then
    expect 0 bestdag learn lighthouse.csv -q -o net.svg
    says net.svg '<svg'
fi
expect 0 bestdag evaluate lighthouse.csv best.bif
says out "score bic              $optimum"

# the same as score, solve, fit
expect 0 bestdag learn lighthouse.csv -q --save-scores saved.jkl -o saved.bif
same saved.jkl lighthouse.jkl
says saved.jkl.json '"complete": true'
expect 0 bash -c '"$BESTDAG" solve saved.jkl -q |
    "$BESTDAG" fit lighthouse.csv - -q | "$BESTDAG" compare best.bif - --json'
says out '"shd_dag": 0'

# the report
expect 0 bestdag learn lighthouse.csv --json -q
holds '--json printed the network, too' bash -c '! grep -q probability out'
cp out report.json
for f in status score bound gap proved_over score_name solver parents \
    parent_sets scores_computed steps restarts variables rows arcs seconds \
    peak_memory_bytes seed threads version; do
    says report.json "\"$f\": "
done
says report.json '"status": "optimal"'
says report.json '"score_name": "bic"'
says report.json '"parents": "sequential"'
says report.json '"parent_sets": 128'
says report.json '"scores_computed": 3885'
says report.json '"rows": 2000'
says report.json '"seed": 1'
holds 'the score is the optimum' near "$(field report.json score)" "$optimum" 1e-6
if command -v python3 >/dev/null; then
    cat >check.py <<'END'
import json, sys
r = json.load(open(sys.argv[1]))
assert r["bound"] >= r["score"]
assert abs(r["gap"] - (r["bound"] - r["score"]) / abs(r["score"])) < 1e-12
assert sorted(map(tuple, r["arcs"])) == sorted(
    tuple(l.rstrip("\n").split(",")) for l in list(open("net.csv"))[1:])
assert set(r["seconds"]) == {"read", "score", "solve", "best", "fit", "total"}
assert all(x >= 0 for x in r["seconds"].values())
END
    expect 0 python3 check.py report.json
fi

# any number of threads: the same bytes
make_hard
for j in 1 2 8; do
    expect 0 bestdag learn hard.csv "${hard_ways[@]}" --set steps=300000 -j $j \
        --seed 7 -q --json -o "t$j.bif"
    strip out >"t$j.json"
    same t1.bif "t$j.bif"
    same t1.json "t$j.json"
done
says t1.json '"seed": 7'

# options of the parts
expect 0 bestdag learn lighthouse.csv --score bdeu --ess 10 -q --json -o bdeu.bif
says out '"score_name": "bdeu"'
expect 0 bestdag learn lighthouse.csv --score bd --pseudo 0.5 -q --json -o bd.bif
says out '"score_name": "bd"'
# whatever the score's prior, probabilities are those of fit unless told otherwise
for net in bdeu bd; do
    expect 0 bestdag fit lighthouse.csv $net.bif -q
    same out $net.bif
done
expect 0 bestdag learn lighthouse.csv --fit-pseudo 1 -q -o pseudo.bif
expect 0 bestdag fit lighthouse.csv best.bif --pseudo 1 -q
same out pseudo.bif
expect 0 bestdag learn lighthouse.csv --fit-ess 5 -q -o ess.bif
expect 0 bestdag fit lighthouse.csv best.bif --ess 5 -q
same out ess.bif
# no new row is impossible, unless that is asked for
head -n 40 lighthouse.csv >few.csv
expect 0 bestdag learn few.csv -q --solver hc --score aic -o few.bif
expect 0 bestdag evaluate lighthouse.csv few.bif --json
says out '"zero_probability_rows": 0,'
expect 0 bestdag learn few.csv -q --solver hc --score aic --fit-ess 0 -o ml.bif
expect 0 bestdag evaluate lighthouse.csv ml.bif --json
says out '"log_likelihood": null'
expect 2 bestdag learn lighthouse.csv --fit-ess 5 --fit-pseudo 1
says err 'fit-pseudo and fit-ess are two priors'
expect 2 bestdag learn lighthouse.csv --fit-ess much
says err "--fit-ess: 'much' is not a number from 0 to"
expect 0 bestdag learn lighthouse.csv --max-parents 1 -q --json
holds 'two parents with --max-parents 1' bash -c \
    '! tr "[" "\n" <out | sed -n "s/.*, \"\(.*\)\"\].*/\1/p" | sort | uniq -d | grep -q .'
expect 0 bestdag learn lighthouse.csv --parents greedy --candidates 3 -q --json
says out '"parents": "greedy"'
expect 0 bestdag learn lighthouse.csv --structure-prior arcs:1000 -q -O edges
expect 2 bestdag learn lighthouse.csv -O cvs
says err 'there is no network format'
expect 0 bestdag learn lighthouse.csv --structure-prior arcs:100000 -q -O edges --require-optimal
holds 'arcs that cost too much' [ "$(grep -c ',$' out)" -eq 10 ]
expect 0 bestdag learn lighthouse.csv --ignore season,fog -q --json
says out '"variables": 8'
printf 'a,b,n\n0,0,5\n0,1,5\n1,0,5\n1,1,5\n' >weighted.csv
expect 0 bestdag learn weighted.csv --weights n --require-optimal --json
says out '"rows": 20'
says out '"status": "optimal"'
says out '"proved_over": "all parent sets"'
says err 'proved optimal over all parent sets'
expect 0 bestdag learn lighthouse.csv --require-optimal -o five.bif
same best.bif five.bif
expect 0 bestdag learn lighthouse.csv --solver orders --json
says err "score bic $optimum, bound $optimum, gap 0 %"
says err 'proved optimal over all parent sets'
says out '"status": "optimal"'
expect 0 bestdag learn hard.csv "${hard_ways[@]}" --solver obs -o unproved.bif
says err ', bound '
says err 'not proved optimal; at most '
expect 5 bestdag learn hard.csv "${hard_ways[@]}" --solver obs --require-optimal -o five.bif
says err '(--require-optimal)'
same unproved.bif five.bif
expect 2 bestdag learn lighthouse.csv --sead 5
says err "did you mean '--seed'?"
expect 2 bestdag learn lighthouse.csv --set stepz=5
says err "did you mean 'steps'?"
expect 2 bestdag learn lighthouse.csv --solver nonsense
one_line err
# every solver learns
for s in $(bestdag list solvers --json | sed -n 's/^    "name": "\(.*\)",$/\1/p'); do
    expect 0 bestdag learn lighthouse.csv --solver "$s" -q --json
    says out "\"solver\": \"$s\""
    holds "$s is above the optimum" awk -v a="$(field out score)" -v b="$optimum" \
        'BEGIN { exit !(a != "" && a <= b + 1e-6) }'
done

# bounds where the solver itself needs no candidate sets
expect 0 bestdag learn lighthouse.csv --solver hc --json
says out '"bound": null'
says out '"parent_sets": null'
says err 'not proved optimal; no bound is known'
expect 0 bestdag learn lighthouse.csv --solver hc --bound --json -o hc.bif
holds 'hc: the score is the optimum' near "$(field out score)" "$optimum" 1e-6
holds 'hc: so is the bound' near "$(field out bound)" "$optimum" 1e-6
says out '"status": "optimal"'
says out '"proved_over": "all parent sets"'
says out '"parent_sets": 128'
says err 'proved optimal over all parent sets'
expect 0 bestdag learn lighthouse.csv --solver tree --bound --json
holds 'tree: the bound is the optimum' near "$(field out bound)" "$optimum" 1e-6
says out '"status": "heuristic"'
says out '"proved_over": null'
expect 5 bestdag learn lighthouse.csv --solver tree --bound --require-optimal -q -o hc.bif
# a tree has arcs that lose; they are not on the lists, but no bound is lost
printf 'x,y,z\n0,0,0\n0,1,0\n1,0,1\n1,1,1\n' >free.csv
expect 0 bestdag learn free.csv --solver tree --bound --json
holds 'a bound above it' awk -v a="$(field out score)" -v b="$(field out bound)" \
    'BEGIN { exit !(a != "" && b != "" && b > a + 0.1) }'
best=$(field out bound)
expect 0 bestdag learn free.csv --solver dp --json
holds 'which is the optimum' near "$best" "$(field out score)" 1e-6

# a bound of everything where the lists do not have all
# shellcheck disable=SC2317 # holds calls it
reaches() { # FILE: its bound of everything is not below the optimum
    awk -v a="$(field "$1" global_bound)" -v b="$optimum" \
        'BEGIN { exit !(a != "" && a >= b - 1e-6) }'
}
cuts=('--parents=greedy --max-parents=3 --time-per-variable=0.00001'
    '--parents=independence --time-per-variable=0.00001' '--candidates=2')
for cut in "${cuts[@]}"; do
    for s in dp orders cluster; do
        # shellcheck disable=SC2086 # several options
        expect 0 bestdag learn lighthouse.csv $cut --solver $s --json
        holds "$cut, $s: no bound of everything, or a wrong one" reaches out
        says out '"proved_over": "candidate sets"'
        says err 'proved optimal over the candidate sets'
        holds 'a bound by 99 % of the score is not worth a line' bash -c '! grep -q "can be more than" err'
    done
done
expect 0 bestdag learn lighthouse.csv --candidates 2 --save-scores few.jkl --json -q
cp out few.json
expect 0 bestdag solve few.jkl --json -q
holds 'solve and learn agree' [ "$(field out global_bound)" = "$(field few.json global_bound)" ]
# and none where they do
expect 0 bestdag learn lighthouse.csv --parents greedy --json
holds 'a bound twice' bash -c '! grep -q global_bound out && ! grep -q "any allowed parent sets" err'

# starts: never worse, also where the candidate sets are too few
expect 0 bestdag learn lighthouse.csv --start best.bif --candidates 1 --json -o started.bif
holds 'worse than its start' near "$(field out score)" "$optimum" 1e-6
holds 'it goes on after the lists are solved' [ "$(field out restarts)" -eq 0 ]
holds 'outside the lists the bound is that of everything' \
    [ "$(field out bound)" = "$(field out global_bound)" ]
holds 'and that is not below the optimum' reaches out
says err 'not proved optimal; no useful bound is known'
holds 'nor is it here' bash -c '! grep -q "can be more than" err'
expect 0 bestdag compare best.bif started.bif --json
says out '"shd_dag": 0'
expect 0 bestdag learn lighthouse.csv --start best.bif --max-parents 1 --json
says err 'families have more parents than max-parents; only its order is used'
for solver in hc espace acoe; do # which have no lists to fall back on
    expect 2 bestdag learn lighthouse.csv --start best.bif --max-parents 1 \
        --solver "$solver"
    says err 'parents, max-parents is 1'
done
printf '[warned][fog|warned]' >part.modelstring
expect 0 bestdag learn lighthouse.csv --start part.modelstring -q
printf '[warmed][fog|warmed]' >wrong.modelstring
expect 3 bestdag learn lighthouse.csv --start wrong.modelstring
says err "did you mean 'warned'?"

# limits
expect 0 bestdag learn hard.csv "${hard_ways[@]}" -t 0.5 "${endless[@]}" -q --json -o limit.bif
says out '"status": "stopped"'
expect 0 bestdag convert limit.bif -q -o again.bif
expect 6 bestdag learn lighthouse.csv --memory-limit 100K -o small.bif
says err 'limit 100 KB'
absent small.bif

# refusals
expect 3 bestdag learn missing.csv
one_line err
expect 3 bestdag learn train.csv --score bic
says err "2 columns hold numbers, states were expected: 'temperature', 'pressure'; discretise them all with 'bestdag discretize TABLE -o states.csv'"
one_line err
expect 2 bestdag learn lighthouse.jkl
says err 'lighthouse.jkl holds candidate sets, not a table: use solve'
expect 2 bestdag learn lighthouse.csv -o net.foo
says err 'not the suffix of a network format'
expect 1 bestdag learn lighthouse.csv -o no/such/net.bif
says err 'No such file'
expect 1 bestdag learn lighthouse.csv -q -o /dev/full
says err 'No space left'

# a constant column stays without arcs
printf 'a,b,c\n1,1,0\n2,1,1\n1,1,0\n2,1,0\n' >flat.csv
expect 0 bestdag learn flat.csv -O edges
says err "column 'b' is constant"
says out 'b,'

# signals: the best so far is written, whole and fitted
for signal in INT TERM; do
    rm -f signal.bif
    "$BESTDAG" learn hard.csv "${hard_ways[@]}" "${endless[@]}" --progress always \
        -o signal.bif --json >signal.json 2>err &
    interrupt $signal $! ' best -'
    says err 'interrupted; not proved'
    says signal.json '"status": "interrupted"'
    expect 0 bestdag evaluate hard.csv signal.bif
done
# while it scores, too
bestdag sample hard.bif -n 5000 -q -o long.csv
"$BESTDAG" learn long.csv --parents independence --time-per-variable 1h \
    --progress always -o early.bif 2>err &
interrupt TERM $! '^scoring'
expect 0 bestdag convert early.bif -q -o early.json
# where no network but the empty one is allowed, steps that never come are not
# waited for
for solver in hc espace orders; do
    expect 0 timeout 300 "$BESTDAG" learn lighthouse.csv --max-parents 0 \
        --solver $solver --set steps=1000 -q --json
    says out '"arcs": []'
done
# lists that a limit left empty: that there is no network is not known then
echo 'for all X: not indegree(X) <= 1 or not indegree(X) <= 3' >two.rules
"$BESTDAG" learn lighthouse.csv --constraints two.rules \
    --parents independence --solver dp -t 0.01s -q >out 2>err && code=0 || code=$?
holds "exit code $code, not 1 or 4" [ "$code" = 1 -o "$code" = 4 ]
one_line err
finish
