#!/usr/bin/env bash
# From score files to structures: formats, JSON, settings, starts, limits,
# refusals, signals, known optima.
# shellcheck disable=SC2016 # $BESTDAG is for the inner shell
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

cp "$ROOT"/tests/data/lighthouse.jkl* "$ROOT"/examples/lighthouse.* .
optimum=-9049.972904 # test_learn.c finds it by brute force

# a list of arcs on standard output, a summary on standard error
expect 0 bestdag solve lighthouse.jkl
holds 'the first line is from,to' [ "$(head -n 1 out)" = from,to ]
holds 'it has 14 arcs' [ "$(wc -l <out)" -eq 15 ]
says err '10 variables, 14 arcs, at most 3 parents; no probabilities'
says err "score bic $optimum, bound $optimum, gap 0 %"
says err 'proved optimal over all parent sets'
says err 'dp: '
cp out best.csv
expect 0 bestdag solve lighthouse.jkl -q -o quiet.csv
silent out err
same best.csv quiet.csv
expect 0 bestdag solve lighthouse.jkl -q -o plain
same best.csv plain

# heuristics have a bound beside them, and end once they reach it
for s in orders obs asobs; do
    expect 0 bestdag solve lighthouse.jkl --solver $s --set steps=9000000000000000 --json
    holds "$s: the score is the optimum" near "$(field out score)" "$optimum" 1e-6
    holds "$s: so is the bound" near "$(field out bound)" "$optimum" 1e-6
    says out '"status": "optimal"'
    says out '"proved_over": "all parent sets"'
    says err "score bic $optimum, bound $optimum, gap 0 %"
    says err 'proved optimal over all parent sets'
    says err "$s: "
done

# without a proof
make_hard
expect 0 bestdag solve hard.jkl --solver obs --seed 7 -o unproved.csv --json
says out '"status": "heuristic"'
says out '"proved_over": null'
says err ', gap '
says err 'not proved optimal; at most '
says err 'obs: '
holds 'the bound is above the score' \
    awk -v a="$(field out score)" -v b="$(field out bound)" 'BEGIN { exit !(b > a + 1) }'
bound=$(field out bound)
expect 0 bestdag solve lighthouse.jkl --solver os --set steps=1 --json
says out '"status": "stopped"'
says out '"proved_over": null'
holds 'the bound is the optimum' near "$(field out bound)" "$optimum" 1e-6
says err "bound $optimum, gap "
says err 'stopped at a limit; not proved optimal; at most '

# proofs by clusters, any time, with a certificate
printf 'bestdag certificate 1\n' >head.txt
expect 0 bestdag solve lighthouse.jkl --solver cluster --json -o c.csv --certificate c.cert
says out '"solver": "cluster"'
says out '"status": "optimal"'
says out '"proved_over": "all parent sets"'
holds 'the score is the optimum' near "$(field out score)" "$optimum" 1e-6
holds 'so is the bound' near "$(field out bound)" "$optimum" 1e-6
says err 'cluster: '
expect 0 bestdag compare best.csv c.csv --json
says out '"shd_cpdag": 0'
holds 'its first line' cmp -s head.txt <(head -n 1 c.cert)
holds 'its last line' bash -c 'tail -n 1 c.cert | grep -Eq "^claim [0-9]+$"'
says c.cert 'variables 10'
holds 'the claim is the cost of the network' awk -v score="$optimum" '
    FILENAME == "c.cert" { if ($1 == "shift") shift_ = $2; claim = $2; next }
    FNR > 1 && NF == 2 { fresh = 1; next }
    fresh { best += $1; fresh = 0 }
    END { d = best - claim / 2 ^ shift_ - score; exit !(d < 1e-6 && d > -1e-6) }
' c.cert lighthouse.jkl
expect 0 bestdag solve hard.jkl --solver cluster --set steps=1 --json \
    -o c.csv --certificate c.cert.gz
says out '"status": "stopped"'
holds 'it is not proved' awk -v a="$(field out score)" -v b="$(field out bound)" \
    'BEGIN { exit !(b > a + 1e-3) }'
holds 'a packed certificate' bash -c \
    'gzip -dc c.cert.gz | head -n 1 | cmp -s - head.txt && gzip -dc c.cert.gz | tail -n 1 | grep -q "^claim "'
expect 5 bestdag solve hard.jkl --solver cluster --set steps=1 --require-optimal -q -o c.csv
expect 2 bestdag solve lighthouse.jkl --solver cluster --set step=1
says err "the solver 'cluster' has no setting 'step', did you mean 'steps'?"
expect 1 bestdag solve lighthouse.jkl --solver cluster --certificate no/such.cert -q
one_line err
printf '2\na 2\n-1 1 b\n-3 0\nb 2\n-1 1 a\n-2 0\n' >two.jkl
expect 0 bestdag solve two.jkl --solver cluster --json --certificate two.cert
holds 'the best of two' near "$(field out score)" -3 1e-9
says out '"status": "optimal"'
says out '"proved_over": "candidate sets"'
holds 'two variables: the first line' cmp -s head.txt <(head -n 1 two.cert)
expect 0 bestdag solve two.jkl --solver cluster --require a,b --json
holds 'rules about arcs' near "$(field out score)" -4 1e-9
printf 'order a < b\n' >order.rules
expect 0 bestdag solve two.jkl --solver cluster --constraints order.rules --json
holds 'rules about orders' near "$(field out score)" -4 1e-9
says out '"status": "optimal"'

# who is chosen, and why
expect 0 bestdag solve lighthouse.jkl -v
says err 'search by dp: the largest component has 10 variables'
says err 'dp: 1 component, the largest of 10 variables: 8.0 KB'
expect 0 bestdag solve lighthouse.jkl -v --set steps=1000
says err 'solver: orders, to which the settings belong'

# packed, and without its sidecar
gzip -c lighthouse.jkl >alone.jkl.gz
expect 0 bestdag solve alone.jkl.gz --json
holds 'a score without a name' bash -c 'grep -q "\"score_name\": null" out'
says out '"rows": null'
says out '"scores_computed": null'
says err "score $optimum, bound"
expect 0 bash -c '"$BESTDAG" solve - -q <lighthouse.jkl'
same out best.csv

# formats: what holds a structure
for f in csv modelstring json dot xmlbif res csv.gz; do
    expect 0 bestdag solve lighthouse.jkl -q -o "net.$f"
    [ "$f" = res ] || [ "$f" = xmlbif ] || [ "$f" = dot ] || {
        expect 0 bestdag compare best.csv "net.$f" --json
        says out '"shd_dag": 0'
    }
done
says net.json '"status": "optimal"'
says net.json '"score_name": "bic"'
expect 0 bestdag solve lighthouse.jkl -q -O modelstring
says out '[aground|sea:warned]'
expect 0 bash -c '"$BESTDAG" solve lighthouse.jkl -q | "$BESTDAG" fit lighthouse.csv - -q -o fitted.bif'
expect 0 bestdag evaluate lighthouse.csv fitted.bif
says out "score bic              $optimum"
for f in bif net uai; do
    expect 2 bestdag solve lighthouse.jkl -o "no.$f"
    one_line err
    says err "the format $f needs probabilities"
    absent "no.$f"
done
expect 2 bestdag solve lighthouse.jkl -O bif
says err 'use learn'
expect 2 bestdag solve lighthouse.jkl -O modelstrin
says err "did you mean 'modelstring'?"
expect 2 bestdag solve lighthouse.jkl -o net.foo
says err 'net.foo: not the suffix of a network format'
expect 1 bestdag solve lighthouse.jkl -o no/such/folder.csv
says err "cannot write 'no/such/folder.csv': No such file"

# the report
expect 0 bestdag solve lighthouse.jkl --json
holds '--json printed the arcs, too' bash -c '! grep -q "^from,to" out'
cp out report.json
for f in status score bound gap proved_over score_name solver parents \
    parent_sets scores_computed steps restarts variables rows arcs seconds \
    peak_memory_bytes seed threads version; do
    says report.json "\"$f\": "
done
says report.json '"status": "optimal"'
says report.json '"proved_over": "all parent sets"'
says report.json '"parents": "sequential"'
says report.json '"parent_sets": 128'
says report.json '"variables": 10'
says report.json '"rows": 2000'
holds 'the score is the optimum' near "$(field report.json score)" "$optimum" 1e-6
if command -v python3 >/dev/null; then
    cat >check.py <<'END'
import json, sys
r = json.load(open(sys.argv[1]))
assert r["bound"] >= r["score"]
gap = (r["bound"] - r["score"]) / max(1, abs(r["score"]))
assert abs(r["gap"] - gap) < 1e-12, (r["gap"], gap)
assert len(r["arcs"]) == 14 and all(len(a) == 2 for a in r["arcs"])
assert set(r["seconds"]) == {"read", "score", "solve", "best", "fit", "total"}
assert r["seconds"]["solve"] >= 0 and r["seconds"]["score"] is None
END
    expect 0 python3 check.py report.json
fi
expect 0 bestdag solve lighthouse.jkl --json -o beside.csv
same best.csv beside.csv
says out '"arcs": '

# any number of threads: the same bytes
for j in 1 2 8; do
    expect 0 bestdag solve hard.jkl --set steps=300000 -j $j --seed 7 -q --json -o "t$j.csv"
    strip out >"t$j.json"
    same t1.csv "t$j.csv"
    same t1.json "t$j.json"
done
says t1.json '"status": "stopped"'
holds 'every search has the same bound' near "$(field t1.json bound)" "$bound" 1e-9

# what is asked for and not proved
expect 5 bestdag solve hard.jkl --solver obs --seed 7 --require-optimal -o five.csv
says err 'the network is not proved optimal (--require-optimal)'
same unproved.csv five.csv
expect 0 bestdag solve lighthouse.jkl --require-optimal -o five.csv
same best.csv five.csv
expect 0 bestdag solve lighthouse.jkl --require-optimal=no -q
printf '2\na 1\n-3 0\nb 2\n-1 1 a\n-2 0\n' >easy.jkl
expect 0 bestdag solve easy.jkl --require-optimal --json
says err 'score -4.000000, bound -4.000000, gap 0 %'
says err 'proved optimal over the candidate sets'
says out '"status": "optimal"'
says out '"proved_over": "candidate sets"'
printf 'x,y\n0,0\n0,1\n1,0\n1,1\n' >free.csv
bestdag score free.csv -q -o free.jkl
expect 0 bestdag solve free.jkl --require-optimal
says err 'proved optimal over all parent sets'
bestdag score free.csv --max-parents 1 -q -o free1.jkl
expect 0 bestdag solve free1.jkl --json
says out '"proved_over": "parent sets up to 1"'

# limits
expect 0 bestdag solve hard.jkl -t 0.3 "${endless[@]}" -q --json
says out '"status": "stopped"'
expect 0 bestdag solve hard.jkl -t 0.3 "${endless[@]}" -q -o limit.csv
expect 0 bestdag solve hard.jkl -t 0.3 "${endless[@]}" -o limit.csv
says err 'stopped at a limit; not proved'
expect 0 bestdag solve hard.jkl --gap 0.5 "${endless[@]}" --json -o limit.csv
says out '"status": "stopped"'
expect 6 bestdag solve hard.jkl --memory-limit 100K -o small.csv
one_line err
says err 'limit 100 KB'
absent small.csv
expect 0 bestdag solve lighthouse.jkl --gap 0.5 -q

# settings
expect 0 bestdag solve lighthouse.jkl --solver orders --set steps=1 --set steps=10 -q --json
says out '"solver": "orders"'
expect 2 bestdag solve lighthouse.jkl --solver ordres
says err "did you mean 'orders'?"
one_line err
expect 2 bestdag solve lighthouse.jkl --set stepz=5
says err "the solver 'orders' has no setting 'stepz', did you mean 'steps'?"
expect 2 bestdag solve lighthouse.jkl --set qqqqqq=5
says err "'bestdag list solvers -v' shows all"
for bad in steps =5 '' 'steps=5
steps'; do
    expect 2 bestdag solve lighthouse.jkl --set "$bad"
    says err 'is not KEY=VALUE'
done
expect 2 bestdag solve lighthouse.jkl --set steps=few
says err "steps: 'few' is not a whole number from 1 to"
expect 2 bestdag solve lighthouse.jkl --set steps=0
one_line err
expect 0 bestdag list solvers
says out 'orders'
expect 0 bestdag list solvers -v
says out 'Settings of orders'
says out '--set steps=N'
expect 0 bestdag list solvers --json
says out '"needs": "sets"'
says out '"settings": '
expect 0 bestdag solve --solver orders --help
says out 'Settings of orders'
expect 0 bestdag list options
says out 'Solver orders'
# a solver that needs the table is refused here, and the help says so
for s in $(bestdag list solvers --json | awk -F'"' '$2 == "name" { n = $4 }
    $2 == "needs" && $4 == "table" { print n }'); do
    expect 2 bestdag solve lighthouse.jkl --solver "$s"
    says err "the solver '$s' scores families itself and needs the table: use learn"
    expect 0 bestdag list solvers
    says out 'needs the table'
done

# starts
expect 0 bestdag solve lighthouse.jkl --start best.csv -q --json --set steps=1
holds 'the answer is not worse than the start' near "$(field out score)" "$optimum" 1e-6
printf '[warned][fog|warned]' >part.modelstring
expect 0 bestdag solve lighthouse.jkl --start part.modelstring -q
expect 0 bestdag solve lighthouse.jkl --start lighthouse.bif -q
printf '[lifeboat][season|lifeboat][wind|lifeboat:season]' >other.modelstring
expect 0 bestdag solve lighthouse.jkl --start other.modelstring
says err 'families are not among the candidate sets; only its order is used'
printf '[warmed][fog|warmed]' >wrong.modelstring
expect 3 bestdag solve lighthouse.jkl --start wrong.modelstring
says err "wrong.modelstring: there is no variable 'warmed' to start from, did you mean 'warned'?"
expect 3 bestdag solve lighthouse.jkl --start missing.bif
says err 'missing.bif'
printf 'from,to\nfog,warned\nwarned,fog\n' >cycle.csv
expect 3 bestdag solve lighthouse.jkl --start cycle.csv
says err 'cycle'

# bad files, and files for other commands
expect 3 bestdag solve missing.jkl
one_line err
printf '1\na 1\n-x 0\n' >bad.jkl
expect 3 bestdag solve bad.jkl
says err 'bad.jkl:3'
expect 2 bestdag solve lighthouse.csv
says err 'lighthouse.csv is a table: use learn'
printf '2\na 1\n-1 1 b\nb 1\n-1 1 a\n' >circle.jkl
expect 4 bestdag solve circle.jkl -q -o circle.csv
one_line err
absent circle.csv

# progress and log
expect 0 bestdag solve hard.jkl -t 0.5 "${endless[@]}" --progress always -o p.csv
says err ' s  best -'
says err ' s ago)  bound -'
says err '  gap '
expect 0 bestdag solve hard.jkl -t 0.5 "${endless[@]}" -q --log log -o p.csv
silent err
says log '  best -'
expect 0 bestdag solve hard.jkl -t 0.5 "${endless[@]}" -q --log log.csv -o p.csv
expect 0 bestdag solve hard.jkl -t 0.5 "${endless[@]}" -q --log log.csv -o p.csv
holds 'a log that is a table has rows of numbers' awk -F, '
    NR == 1 { if ($0 != "phase,seconds,done,best,bound,memory") exit 1; next }
    NF != 6 || $2 !~ /^[0-9.]+$/ || $6 !~ /^[0-9]+$/ { exit 1 }
    $1 == "orders" && $4 != "" && $5 != "" {
        if ($4 + 0 > $5 + 0) exit 1; rows++ }
    END { if (rows < 4) exit 1 }' log.csv
if script -qec true /dev/null >/dev/null 2>&1; then
    script -qec "'$BESTDAG' solve hard.jkl -t 0.5 ${endless[*]} -o p.csv" \
        /dev/null >screen
    holds 'the progress line is wider than 79 columns' bash -c \
        'tr "\r" "\n" <screen | sed "s/\x1b\[K//" | grep "^orders .*best" |
         awk "length > 79 { bad = 1 } END { exit bad || !NR }"'
fi

# signals: the best so far is written, whole
for signal in INT TERM; do
    rm -f signal.csv
    "$BESTDAG" solve hard.jkl "${endless[@]}" --progress always \
        -o signal.csv --json >signal.json 2>err &
    interrupt $signal $! ' best -'
    says err 'interrupted; not proved'
    says signal.json '"status": "interrupted"'
    expect 0 bestdag compare hard.bif signal.csv --json
    says out '"shd_dag"'
    holds 'a temporary file was left' [ -z "$(find . -name 'signal.csv.*')" ]
done

# known optima of score files of others
if [ -n "${BESTDAG_DATA:-}" ]; then
    while IFS=, read -r file kind _ value tolerance _; do
        [ "$kind" = file ] || continue
        expect 0 bestdag solve "$BESTDAG_DATA/$file" -t 40s -q --json
        holds "$file: $(field out score), known is $value" \
            near "$(field out score)" "$value" "$tolerance"
        holds "$file: the bound is below the optimum" \
            awk -v a="$(field out bound)" -v b="$value" -v t="$tolerance" \
            'BEGIN { exit !(a >= b - t) }'
    done <"$BESTDAG_DATA/optima.csv"
else
    echo 'skipped: known optima of score files (BESTDAG_DATA is not set)'
fi
finish
