# repeats COMMAND...: runs it with one thread, with as many as $threads says, and
# with the last of these beside others that keep the machine busy, each time in
# a folder of its own, and compares all files in it. To be sourced after lib.sh.
# shellcheck shell=bash disable=SC2154

# In the JSON all but what a clock or a meter says is compared.
settle() { # FOLDER
    sed -i -e '/"seconds": {/,/}/d' -e '/"peak_memory_bytes":/d' \
        -e '/"threads":/d' "$1"/*json
}

run() { # HOW FOLDER COMMAND...
    local how=$1 folder=$2
    shift 2
    rm -rf "$folder"
    mkdir "$folder"
    # shellcheck disable=SC2086
    (cd "$folder" && $how "$BESTDAG" "$@" --json -q >answer.json 2>err) ||
        report bad "'$*' failed: $(head -c 300 "$folder/err")"
    settle "$folder"
}

# Ends with the test, also if that is killed.
busy() { while kill -0 $$ 2>/dev/null; do :; done; }

repeats() {
    local j job last=${threads##* }
    run '' first "$@" -j1
    for j in $threads; do
        [ "$j" = "$last" ] && break # the busy run
        run '' other "$@" "-j$j"
        holds "-j1 and -j$j differ: $*" diff -r first other
    done
    busy &
    job=$!
    run 'nice -n 5' other "$@" "-j$last"
    kill "$job"
    wait "$job" 2>/dev/null
    holds "-j$last on a busy machine differs: $*" diff -r first other
}

table() { # VARIABLES ROWS: makes tableVARIABLES.csv
    bestdag generate --variables "$1" --max-parents 4 --seed 7 -q -o true.bif
    bestdag sample true.bif -n "$2" --seed 3 -q -o "table$1.csv"
}
