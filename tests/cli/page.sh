#!/usr/bin/env bash
# The page that answers, without a browser: its junction tree against brute force,
# the answers of whole pages against sums over all joint states, and against
# `bestdag query`; explore, and where it opens the page. tests/long/browser.sh does
# the same in Chromium.
# shellcheck disable=SC2016 # $BESTDAG is for the inner shell
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
cp "$ROOT"/examples/lighthouse.csv .
tests=$ROOT/tests/page
page=$ROOT/src/report/page

# explore: the page of a network, for -o, for a browser, or none
expect 0 bestdag learn lighthouse.csv -q -o net.bif --report net.html
expect 0 bestdag explore net.bif -o explored.html
silent out err
says explored.html '<title>bestdag: net.bif</title>'
says explored.html 'bestdag explore net.bif -o explored.html'
expect 0 bestdag explore net.bif lighthouse.csv -o counted.html
holds 'the counts of the data' bash -c '
    counts() { grep -oE ", [0-9]+, \"[0-9 ]+\"\]" "$1"; }
    [ -n "$(counts net.html)" ] && [ "$(counts net.html)" = "$(counts counted.html)" ]'
expect 2 bestdag explore net.bif lighthouse.csv -o lighthouse.csv
expect 0 bestdag explore net.bif -o -
holds 'a page on standard output' grep -q '</html>' out
export TMPDIR=$PWD
expect 0 env BROWSER= "$BESTDAG" explore net.bif
says err 'no browser could be started'
holds 'the page that is named' grep -q '</html>' "$(cat out)"
holds 'a folder that others cannot read' \
    test "$(stat -c %a "$(dirname "$(cat out)")")" = 700
cat >browser <<'END'
#!/bin/sh
printf '%s\n' "$@" >"$TMPDIR/opened"
END
chmod +x browser
expect 0 env BROWSER="$PWD/browser --new %s" "$BESTDAG" explore net.bif
silent out
says err 'opened /'
holds 'what the browser is given' \
    bash -c '[ "$(head -n 1 opened)" = --new ] && grep -q "</html>" "$(tail -n 1 opened)"'
rm opened
expect 0 env BROWSER="no-such-browser:false:$PWD/browser" \
    "$BESTDAG" learn lighthouse.csv -q -o again.bif --explore --report mine.html
says opened "$PWD/mine.html"
same net.bif again.bif
expect 0 env BROWSER="$PWD/browser" "$BESTDAG" bootstrap lighthouse.csv -R 3 -q \
    -o average.bif --explore
holds 'the average' grep -q '"resamples": 3' "$(cat opened)"
expect 2 bestdag learn lighthouse.csv -q -o x.bif --explore --report -
says err '--explore opens a file'
expect 2 bestdag learn lighthouse.csv -q -o x.bif --explore --report x.html.gz
says err "does not open the compressed 'x.html.gz'"
absent x.html.gz
expect 2 bestdag explore net.bif --outputs x
says err "did you mean '--output'?"
expect 3 bestdag explore nowhere.bif -o x.html
absent x.html
expect 2 bestdag explore net.bif -o net.bif
says err 'same file'

# a structure alone has nothing to answer
expect 0 bestdag convert net.bif -o bare.modelstring
expect 0 bestdag explore bare.modelstring -o bare.html
says bare.html '"whole": false'
says net.html '"whole": true'

if ! command -v node >/dev/null; then
    echo "without node: the junction tree is not tested"
    finish
fi
for script in "$page"/*.js; do
    expect 0 node --check "$script"
done
expect 0 node "$tests"/engine.js "$page"
cat out
# clicks, undo, reset, links
bestdag generate --variables 6 --max-parents 3 --states 2:4 --concentration 0.3 --seed 4 -q -o six.json
expect 0 bestdag explore six.json -o six.html
expect 0 node "$tests"/walk.js "$page" six.html
# states and numbers
cp "$ROOT"/examples/hives.csv .
expect 0 bestdag learn hives.csv --ignore hive -q -o hives.json --report hives.html
expect 0 node "$tests"/numbers.js "$page" hives.html hives.json "$BESTDAG" 1 40
bestdag generate --variables 12 --numbers 0.5 --seed 3 -q -o mixed.json
expect 0 bestdag explore mixed.json -o mixed.html
expect 0 node "$tests"/numbers.js "$page" mixed.html mixed.json "$BESTDAG" 2 40
bestdag generate --variables 8 --numbers 1 --seed 4 -q -o normal.json
expect 0 bestdag explore normal.json -o normal.html
expect 0 node "$tests"/numbers.js "$page" normal.html normal.json "$BESTDAG" 3 40
command -v python3 >/dev/null || finish

# answers NETWORK PAGE SEED: those of the page agree with the sums
answers() {
    python3 "$tests"/reference.py draw "$1" "$3" 60 >asked
    node "$tests"/ask.js "$page" "$2" <asked >answered
    expect 0 python3 "$tests"/reference.py check "$1" "$3" answered
    [ "$(wc -l <answered)" = 60 ] || report bad "$2: not all were answered"
}
expect 0 bestdag convert net.bif -o net.json
answers net.json explored.html 1
bestdag generate --variables 9 --seed 4 --max-parents 4 --concentration 0.2 -q -o g.json
expect 0 bestdag explore g.json -o g.html
answers g.json g.html 2
printf '%s\n' 'a b,"say ""hi""",do,in' 'x y,1,in,=' '"""",2,do,~' 'x y,2,in,=' \
    '"""",1,do,=' 'x y,1,do,=' >odd.csv
expect 0 bestdag learn odd.csv -q -o odd.json --report odd.html
answers odd.json odd.html 3
expect 0 node "$tests"/walk.js "$page" odd.html

# the command gives the same
if bestdag query --help >/dev/null 2>&1; then
    python3 "$tests"/reference.py draw net.json 5 25 >asked
    while IFS= read -r evidence; do
        bestdag query net.bif "| $evidence" --json -q | tr -d '\n'
        echo
    done <asked >answered
    expect 0 python3 "$tests"/reference.py check net.json 5 answered
fi
finish
