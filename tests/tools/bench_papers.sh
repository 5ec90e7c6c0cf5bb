#!/usr/bin/env bash
# bench_papers.sh -- does `./dev bench papers` remember its cells? On tiny tables in the
# place of a paper's: interrupted in the middle of a cell, with a line that was cut off,
# with a cell that fails.
set -euo pipefail
command -v python3 >/dev/null || {
    echo 'skipped: python3 is not there'
    exit 77
}
fail() {
    echo "$*"
    cat out
    exit 1
}
run() { bash "$ROOT/bench/papers.sh" yuan2012 --store store --out pages "$@" >out 2>&1; }

export BESTDAG_DATA=$PWD/data PROGRAM=$BESTDAG
mkdir -p data/uci
"$PROGRAM" generate --variables 6 --arcs 8 --seed 1 -q -o net.bif
"$PROGRAM" sample net.bif --rows 200 --seed 1 -q -o data/uci/zoo.csv
for name in vote heart_statlog hepatitis autos_imports85 flags; do
    cp data/uci/zoo.csv "data/uci/$name.csv"
done
gzip -c data/uci/zoo.csv >data/uci/sensor_readings_24.csv.gz

# The program, but the first call with dynamic pattern databases hangs, with the number
# of its process in the file `hangs`; while there is a file `breaks` A* fails.
cat >slow <<'END'
#!/usr/bin/env bash
if [[ "$*" == *heuristic=dynamic* && ! -e hangs ]]; then
    echo $$ >part
    mv part hangs
    exec sleep 600
elif [[ "$*" == *astar* && -e breaks ]]; then
    echo broken >&2
    exit 2
fi
exec "$PROGRAM" "$@"
END
chmod +x slow
export BESTDAG=$PWD/slow

bash "$ROOT/bench/papers.sh" yuan2012 --store store --out pages >out 2>&1 &
running=$!
for ((i = 0; i < 600; i++)); do
    [[ ! -e hangs ]] || break
    sleep 0.1
done
[[ -e hangs ]] || fail 'the cell that hangs is not reached'
kill -INT "$running"
code=0
wait "$running" || code=$?
((code == 130)) || fail "interrupted, it ends with $code"
! kill -0 "$(cat hangs)" 2>/dev/null || fail 'its command is still there'
before=$(wc -l <store/cells.jsonl)
((before == 23)) || fail "23 cells were done before that, $before are kept"
grep -q 'of its 69 cells have not been run' pages/yuan2012.md || fail 'no page with what is known'

# the last cell, written in part only, is run again
truncate -s -20 store/cells.jsonl
touch breaks
code=0
run || code=$?
((code == 1)) || fail "with cells that fail it ends with $code"
grep -q '^failed: yuan2012 .* broken' out || fail 'what failed is not said'
(($(grep -c '^running' out) == 47)) || fail '47 cells were to be run'
rm breaks
run || fail 'it does not go on'
(($(grep -c '^running' out) == 22)) || fail '22 cells had failed'
(($(wc -l <store/cells.jsonl) == 69)) || fail '69 cells are expected'
! grep -q 'have not been run' pages/yuan2012.md || fail 'a cell is missing'

# nothing is run twice
cp store/cells.jsonl before
cp pages/yuan2012.md page
run --time 0 || fail 'it fails when all is known'
cmp -s before store/cells.jsonl || fail 'what is known is run again'
cmp -s page pages/yuan2012.md || fail 'the page differs'
env -u BESTDAG_DATA bash "$ROOT/bench/papers.sh" yuan2012 --store store --out pages --show >out 2>&1 ||
    fail 'it cannot show without data'
cmp -s page pages/yuan2012.md || fail 'the page shown differs'
if run nonsense; then fail 'a name that is none is taken'; fi
grep -q "no paper 'nonsense'" out || fail 'no word about the name'

# what is counted for de Campos and others is what the program has
counted=$(PYTHONPATH=$ROOT/bench/papers python3 -c '
from counting import hypotheses
sets, _, _, _, best = hypotheses("zoo.csv", 0, ())["lists"]["as the paper defines them"]
print(f"{sets} {best:.4f}")')
"$PROGRAM" learn data/uci/zoo.csv --json -q >learned.json
[[ $counted == $(python3 -c '
import json
answer = json.load(open("learned.json"))
print(answer["parent_sets"], format(answer["score"], ".4f"))') ]] || fail "counted: $counted"
