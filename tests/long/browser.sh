#!/usr/bin/env bash
# The report in a real browser (Chromium): of the bundled table, of 60, 500 and 1,000
# variables, of a bootstrap, of a network alone; evidence, interventions, export,
# labels, contrast, printing. The pictures stay in the folder of the test, to be
# looked at.
set -eu
for tool in python3 chromedriver; do
    if ! command -v "$tool" >/dev/null; then
        echo "skipped: $tool is not installed (chromium and chromium-driver)"
        exit 77
    fi
done
here=$(cd "$(dirname "$0")" && pwd)
browser() { python3 "$here"/browser.py "$@"; }

"$BESTDAG" learn "$ROOT"/examples/lighthouse.csv -q -o small.bif --report small.html
"$BESTDAG" convert small.bif -q -o small.json
browser look small.html warned small
browser ask small.html small.json small
browser pictures small.html small

"$BESTDAG" generate --variables 8 --max-parents 3 --states 2:5 --seed 6 -q -o few.json
"$BESTDAG" explore few.json -o few.html
browser ask few.html few.json few

"$BESTDAG" bootstrap "$ROOT"/examples/lighthouse.csv -R 40 -q -o average.json \
    --report average.html
browser look average.html warned average
browser ask average.html average.json average
browser pictures average.html average

"$BESTDAG" generate --variables 60 --seed 5 -q -o truth60.bif
"$BESTDAG" sample truth60.bif -n 3000 --seed 1 -q -o sixty.csv
"$BESTDAG" learn sixty.csv --max-parents 3 -t 5s -q -o sixty.bif --report sixty.html
browser look sixty.html - sixty
browser pictures sixty.html sixty
browser paper sixty.html sixty

# as the command: networks too large to go through all joint states
"$BESTDAG" generate --variables 20 --max-parents 3 --states 2:4 --seed 12 -q -o twenty.bif
"$BESTDAG" explore twenty.bif -o twenty.html
browser agree twenty.html twenty.bif "$BESTDAG"
"$BESTDAG" generate --variables 40 --max-parents 2 --concentration 0.2 --seed 13 -q -o forty.bif
"$BESTDAG" explore forty.bif -o forty.html
browser agree forty.html forty.bif "$BESTDAG"

# numbers and states, long names, holes
"$BESTDAG" learn "$ROOT"/examples/hives.csv --ignore hive -q -o hives.json --report hives.html
browser numbers hives.html hives.json "$BESTDAG"
browser pictures hives.html hives
browser paper hives.html hives
printf 'export_administration_act,aid_to_contras,LIVER_BIG,%s\n' "$(printf 'L%.0s' {1..200})" >holes.csv
for i in {1..60}; do
    echo "$((i % 2)),$((i % 3)),$([ $((i % 5)) = 0 ] && echo '?' || echo $((i % 2))),$([ $((i % 7)) = 0 ] && echo '?' || echo y)"
done >>holes.csv
"$BESTDAG" learn holes.csv --missing em -q -o holes.bif --report holes.html
browser pictures holes.html holes

for n in 500 1000; do
    "$BESTDAG" generate --variables $n --max-parents 2 --arcs $((n * 3 / 4)) \
        --seed 3 -q -o "many$n.bif"
    "$BESTDAG" explore "many$n.bif" -o "many$n.html"
    browser look "many$n.html" - "many$n"
done
browser pictures many500.html many500

# one that is too large for the page
"$BESTDAG" generate --variables 1000 --seed 3 -q -o truth.bif
"$BESTDAG" sample truth.bif -n 1000 --seed 1 -q -o large.csv
printf 'tiers: X1 X2 X3 | X4\nnot X5 -> X6\n' >large.rules
"$BESTDAG" learn large.csv --max-parents 3 --constraints large.rules -t 20s -q \
    -o large.bif --report large.html
browser look large.html - large
"$BESTDAG" explore truth.bif -o refused.html

for page in small sixty many500 many1000 large refused; do
    browser time $page.html
done

# a is b, in all its states
cat >equal.bif <<'END'
network equal { }
variable a { type discrete [ 2 ] { x, y }; }
variable b { type discrete [ 2 ] { x, y }; }
variable c { type discrete [ 2 ] { x, y }; }
probability ( a ) { table 0.5, 0.5; }
probability ( b | a ) { (x) 1, 0; (y) 0, 1; }
probability ( c ) { table 0.2, 0.8; }
END
"$BESTDAG" explore equal.bif -o equal.html
browser impossible equal.html

# a name that is a script must be nothing but a name
printf '%s\n' '</script><script>document.title=1</script>,b' >evil.csv
for _ in 1 2 3 4 5; do printf '<img src=x>,0\n"a"" &lt; ""b",1\n' >>evil.csv; done
"$BESTDAG" learn evil.csv -q -o evil.bif --report evil.html
browser look evil.html b evil
browser pictures evil.html evil
echo "pictures: $PWD"
