#!/usr/bin/env bash
# bench_auto.sh -- does `./dev bench auto` judge `auto` rightly? On two tiny lists:
# with the command itself, from what it remembers, and with a command in its place
# whose `auto` is slow, does not prove or contradicts the rows.
set -euo pipefail
command -v python3 >/dev/null || {
    echo 'skipped: python3 is not there'
    exit 77
}
unset BESTDAG_DATA
fail() {
    echo "$*"
    cat out
    exit 1
}
run() { bash "$ROOT/bench/auto.sh" --cache cache --only '^n10-bic$|^chain-10x8$' "$@" >out 2>&1; }

# ---- the command itself ---------------------------------------------------------
run --limit 20 || fail 'two tiny lists are not solved'
grep -q '2 lists, 2 with a proof by a row: 2 within' out || fail 'no summary'
grep -q '^| n10-bic | 10 ' out || fail 'no row of n10-bic'
# nothing is run twice
lines=$(wc -l <cache/results.jsonl)
((lines == 14)) || fail "$lines results, 7 runs on each of 2 lists are expected"
run --limit 20 || fail 'it fails when all is known'
(($(wc -l <cache/results.jsonl) == lines)) || fail 'what is known is run again'
run --limit 20 --show || fail 'it fails when it only shows'
run --limit 20 --show --rows dp || fail 'it fails with one row'
if run --rows dpp; then fail 'no such row, and no complaint'; fi
if run --only '^no such list$'; then fail 'no list, and no complaint'; fi

# ---- figures --------------------------------------------------------------------
run --limit 20 --plots --charts charts || fail 'no figures'
for name in n10-bic chain-10x8; do
    python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' \
        "charts/auto-$name.svg" || fail "the figure of $name is no SVG file"
    grep -q '<circle' "charts/auto-$name.svg" || fail "$name: no proof is shown"
done

# ---- a command that does not run, and an `auto` with faults --------------------------------------------------------
real=$BESTDAG
faulty() { # what is done if the solver is auto
    cat >faulty <<END2
#!/usr/bin/env bash
if [[ " \$* " == *' --solver auto '* ]]; then
    $1
else
    exec '$real' "\$@"
fi
END2
    chmod +x faulty
}
faulty 'exit 2'
if BESTDAG=$PWD/faulty run --limit 20; then
    fail 'wrong usage counts as an answer'
fi
judge() { # what it must say
    if BESTDAG=$PWD/faulty run --limit 20; then
        fail "the criterion is met, but: $1"
    fi
    grep -q "$1" out || fail "it does not say: $1"
}
faulty "'$real' \"\$@\" | sed 's/\"optimal\"/\"heuristic\"/'"
judge 'NOT PROVED'
faulty "'$real' \"\$@\" | sed 's/\"score\": -/\"score\": -9/; s/\"score\": \\([0-9]\\)/\"score\": 0.\\1/'"
judge 'contradicts another row'
faulty "python3 -c 'import time
while time.process_time() < 2: pass'; exec '$real' \"\$@\""
judge 'ABOVE 5'
