#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Scores and candidate parent sets, a table a section.
#
#     ./dev bench score [--full] [SECTION ...]
#
#   binary      local scores per second against the plain counter, two states,
#               with every kind of instructions that the processor has
#   mixed       the same, two to four states, BIC and BDeu
#   letter      the same, 16 to 26 states
#   table1      Table 1 of the ICML 2009 paper, beside the paper's numbers
#   accidents   111 columns, all sets of up to 3 parents, 2 threads
#   strategies  independence, greedy and sequential at equal time
#   large       10,000 variables by the recipe of the NIPS 2015 paper, 5,000
#               rows, independence, 0.1 s a variable, 2 threads; only with
#               --full, or when it is named
#
# Without a section: all. What needs $BESTDAG_DATA is skipped if it is not set.
set -euo pipefail

here=$(dirname "${BASH_SOURCE[0]}")
program=${BUILD:-build}/bench/score
bestdag=${BESTDAG:-build/bestdag}
full=() sections=()
for word in "$@"; do
    case $word in
    --full) full=(--full) ;;
    binary | mixed | letter | table1 | accidents | strategies | large)
        sections+=("$word")
        ;;
    *)
        printf "score: there is no section '%s'\n" "$word" >&2
        exit 2
        ;;
    esac
done
if ((!${#sections[@]})); then
    sections=(binary mixed letter table1 accidents strategies)
    if ((${#full[@]})); then
        sections+=(large)
    else
        echo 'skipped: large, which takes about 10 minutes (--full)'
    fi
fi

# VARIABLES: fewer, to try it out.
large() {
    local folder variables=${VARIABLES:-10000}
    folder=$(mktemp -d)
    # shellcheck disable=SC2064 # the folder of now
    trap "rm -rf '$folder'" EXIT
    "$bestdag" generate --recipe nips2015 --variables "$variables" --seed 1 \
        -o "$folder/net.json"
    "$bestdag" sample "$folder/net.json" -n 5000 --seed 1 -o "$folder/rows.csv"
    local from=$EPOCHREALTIME
    peak "$bestdag" score "$folder/rows.csv" --parents independence \
        --time-per-variable 100ms --memory-limit 4G -j2 -o "$folder/sets.jkl"
    awk -v a="$from" -v b="$EPOCHREALTIME" -v n="$variables" 'BEGIN {
        printf "%d variables: %.1f s\n", n, b - a }'
    printf 'sets.jkl: %d bytes\n' "$(stat -c %s "$folder/sets.jkl")"
}

# Runs a section with every kind of instructions (src/base/simd.h).
every_path() {
    local path have
    have=$("$bestdag" --version -v)
    for path in avx512 avx2 scalar; do
        if [[ $path == scalar ]] || grep -q "$path  *yes" <<<"$have"; then
            BESTDAG_SIMD=$path "$program" "$1"
        else
            printf 'skipped: %s, which this processor does not have\n' "$path"
        fi
    done
}

# Runs a command; with GNU time also prints its peak memory.
peak() {
    if [[ -x /usr/bin/time ]]; then
        /usr/bin/time -f 'peak memory %M kB, processor time %U + %S s' "$@"
    else
        "$@"
    fi
}

for section in "${sections[@]}"; do
    printf '\n== %s (load %s)\n' "$section" \
        "$(cut -d' ' -f1-3 /proc/loadavg 2>/dev/null || echo unknown)"
    case $section in
    strategies) bash "$here/strategies.sh" "${full[@]}" ;;
    large) large ;;
    binary | mixed) every_path "$section" ;;
    *) "$program" "$section" ;;
    esac
done
