#!/usr/bin/env bash
# The progress line: best, bound and gap all the time, for every prover, and in
# the width of the terminal.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

bestdag generate --variables 50 --arcs 120 --seed 3 -q -o net.json
bestdag sample net.json --rows 300 --seed 3 -q -o hard.csv
bestdag score hard.csv --score aic --max-parents 2 -q -o hard.jkl

# lines SOLVER: its progress lines into lines, once there is a network (a busy
# machine may have none in time for the first).
lines() {
    bestdag solve hard.jkl --solver "$1" -t 2s --progress always -o x.csv \
        2>&1 | grep "^$1 .* s  " | sed -n '/  best /,$p' >lines
}

# numbers WORD: those behind a word, one per line.
numbers() { sed -n "s/.*  $1 \(-\{0,1\}[0-9.]*\).*/\1/p" lines; }

for solver in astar bfbnb bnb cluster orders; do
    lines "$solver"
    # a quick machine may have proved it before the first line
    [ -s lines ] || continue
    holds "$solver: a line lacks best, bound or gap: $(cat lines)" \
        bash -c '! grep -v "  best .*  bound .*  gap " lines'
    holds "$solver: best gets worse: $(cat lines)" \
        bash -c 'sort -c -g' < <(numbers best)
    holds "$solver: the bound gets worse: $(cat lines)" \
        bash -c 'sort -c -g -r' < <(numbers bound)
done

# on_terminal COLUMNS COMMAND: what it draws, one line per drawing, into drawn.
on_terminal() {
    script -qec "stty cols $1 rows 24; $2" /dev/null </dev/null 2>/dev/null |
        tr '\r' '\n' | sed 's/\x1b\[K//g' >drawn
}

if ! command -v script >/dev/null || ! on_terminal 60 'stty size' ||
    ! grep -q '24 60' drawn; then
    echo 'skipped: no script(1)'
    finish
fi
command="$BESTDAG solve hard.jkl --solver orders -t 1s -o x.csv"
for columns in 30 50 79 80 132; do
    on_terminal "$columns" "$command"
    grep '^orders' drawn | grep -v ' steps, ' >lines
    holds "$columns columns: no line was drawn" [ -s lines ]
    holds "$columns columns: a line is wider" \
        [ "$(wc -L <lines)" -lt "$columns" ]
    holds "$columns columns: best is missing" \
        bash -c 'grep -q "  best -" lines'
done
holds 'a wide terminal has no room for everything' \
    bash -c 'grep -q "^orders  .* s  best .* ago)  bound .*  gap .* [KM]B$" lines'
on_terminal 0 "COLUMNS=44 $command"
grep '^orders' drawn | grep -v ' steps, ' >lines
width=$(wc -L <lines)
holds "COLUMNS is not heeded where the terminal has no size: $width" \
    [ $((width > 20 && width < 44)) -eq 1 ]
finish
