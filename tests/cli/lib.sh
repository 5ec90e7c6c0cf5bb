# Helpers of the command-line tests. Each test is a bash script that sources
# this file, runs in an empty folder of its own, and calls `finish` at its end.
# shellcheck shell=bash
set -u
: "${BESTDAG:?the path of the command bestdag}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0
failed=0

report() { # ok|bad, what
    if [ "$1" = ok ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $2"
    fi
}

bestdag() { "$BESTDAG" "$@"; }

# expect STATUS COMMAND...: runs it; standard output to out, error to err.
expect() {
    local wanted=$1 got
    shift
    "$@" >out 2>err </dev/null
    got=$?
    if [ "$got" -eq "$wanted" ]; then
        report ok
    else
        report bad "'$*' ended with $got, expected $wanted: $(head -c 300 err)"
    fi
}

# holds WHAT COMMAND...: the command succeeds.
holds() {
    local what=$1
    shift
    if "$@"; then
        report ok
    else
        report bad "$what"
    fi
}

# interrupt SIGNAL JOB TEXT: sends it once err says TEXT; it must end by it.
interrupt() {
    local i code
    for ((i = 0; i < 300; i++)); do
        grep -q -- "$3" err && break
        kill -0 "$2" 2>/dev/null || break
        sleep 0.1
    done
    kill "-$1" "$2"
    wait "$2"
    code=$?
    holds "SIG$1 ended with $code" [ "$code" -eq $((128 + $(kill -l "$1"))) ]
}

# says FILE TEXT: FILE contains TEXT.
says() {
    if grep -qF -- "$2" "$1"; then
        report ok
    else
        report bad "$1 does not say '$2': $(head -c 300 "$1")"
    fi
}

silent() { # FILE...: each is empty
    local f
    for f in "$@"; do
        if [ -s "$f" ]; then
            report bad "$f should be empty: $(head -c 300 "$f")"
        else
            report ok
        fi
    done
}

one_line() { # FILE: exactly one line
    if [ "$(wc -l <"$1")" -eq 1 ]; then
        report ok
    else
        report bad "$1 should have one line: $(head -c 300 "$1")"
    fi
}

same() { # FILE FILE
    if cmp -s "$1" "$2"; then
        report ok
    else
        report bad "$1 and $2 differ"
    fi
}

# make_hard: hard.csv and hard.jkl, which hard_ways says how to learn from: many
# variables, few rows and a mild score, so that no bound is soon as good as the
# best network. A search with --set steps=9e15 goes on until it is ended.
hard_ways=(--score aic --max-parents 2)
make_hard() {
    bestdag generate --variables 60 --max-parents 6 --seed 4 -q -o hard.bif
    bestdag sample hard.bif -n 50 -q -o hard.csv
    bestdag score hard.csv "${hard_ways[@]}" -q -o hard.jkl
}
# shellcheck disable=SC2034 # for those that read this file
endless=(--solver orders --set steps=9000000000000000)

# field FILE NAME: a number of a JSON report of ours.
field() { sed -n "s/^  \"$2\": \\([-0-9.e+]*\\),*\$/\\1/p" "$1"; }

near() { # A B TOLERANCE
    awk -v a="$1" -v b="$2" -v t="$3" \
        'BEGIN { exit !(a != "" && a - b <= t && b - a <= t) }'
}

# strip FILE: a report without what depends on time and machine.
strip() { sed '/"seconds"/,/}/d;/"peak_memory_bytes"/d;/"temp_file_bytes"/d;/"threads"/d' "$1"; }

absent() { # FILE
    if [ -e "$1" ]; then
        report bad "$1 should not exist"
    else
        report ok
    fi
}

finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
}
