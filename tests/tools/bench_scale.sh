#!/usr/bin/env bash
# bench_scale.sh -- does `./dev bench scale` measure what it says? On tiny networks.
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
run() {
    bash "$ROOT/bench/scale.sh" --cache cache --chart chart.svg --sizes 6,12 \
        --recipes plain,icml2009 --seconds 0.05,0.1 --rows 2000 --threads 1 "$@" >out 2>&1
}
run || fail 'tiny networks are not learned'
(($(grep -c '^| plain \|^| icml2009 ' out) == 8)) || fail '8 rows are expected'
# few variables and many rows: nearly all is found
awk -F'|' '$2 ~ /plain/ && $11 + 0 < 50 { bad = 1 } END { exit bad }' out ||
    fail 'few true arcs are found'
python3 -c 'import xml.dom.minidom as x; x.parse("chart.svg")' || fail 'no SVG file'
# nothing is run twice
cp cache/results.json before.json
run --show || fail 'it fails when it only shows'
cmp -s before.json cache/results.json || fail 'what is known is run again'
