#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Reading: ours against pandas' C reader, in turns, the best round of each.
#
#     ./dev bench read [--full]
#
# Two tables of random digits, one digit per cell: 2,000,000 x 30 and 5,000 x
# 10,000. pandas reads with its default, int8 and category settings; a setting
# that is far slower than the best is cut off. --full: more rounds.
set -euo pipefail

program=${BUILD:-build}/bench/read
script=$(dirname "${BASH_SOURCE[0]}")/read.py
python=${PYTHON:-/usr/bin/python3}
rounds=3
[[ ${1:-} != --full ]] || rounds=7
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

have_pandas=yes
"$python" -c 'import pandas' 2>/dev/null || have_pandas=no

less() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'; }

# Seconds of one pandas round; "-" if it was cut off.
pandas_round() {
    "$python" "$script" "$1" "$2" "$3" 2>/dev/null || echo -
}

measure() { # NAME ROWS COLUMNS
    local file=$folder/$1.csv size ours=1e9 peak=0 best=1e9 best_name=none
    local seconds memory setting limit
    "$program" make "$2" "$3" "$file"
    size=$(stat -c %s "$file")
    declare -A pandas=([default]=- [int8]=- [category]=-)
    for ((round = 0; round < rounds; round++)); do
        read -r seconds memory < <("$program" time "$file")
        ! less "$seconds" "$ours" || ours=$seconds
        ! less "$peak" "$memory" || peak=$memory
        [[ $have_pandas == yes ]] || continue
        for setting in default int8 category; do
            # a setting that was cut off once is not tried again
            [[ $round -eq 0 || ${pandas[$setting]} != - ]] || continue
            limit=$(awk -v b="$best" 'BEGIN { print (b > 1e8 ? 120 : 3 * b + 5) }')
            seconds=$(pandas_round "$file" "$setting" "$limit")
            [[ $seconds != - ]] || continue
            [[ ${pandas[$setting]} != - ]] &&
                ! less "$seconds" "${pandas[$setting]}" ||
                pandas[$setting]=$seconds
            ! less "$seconds" "$best" || { best=$seconds best_name=$setting; }
        done
    done
    report "$1" "$size" "$ours" "$peak"
}

line() { # READER SETTING SECONDS
    if [[ $3 == - ]]; then
        printf '  %-8s %-10s cut off\n' "$1" "$2"
    else
        awk -v who="$1" -v how="$2" -v s="$3" -v size="$size" 'BEGIN {
            printf "  %-8s %-10s %8.3f s %9.1f MB/s\n", who, how, s,
                   size / s / 1e6 }'
    fi
}

report() { # NAME SIZE OURS PEAK; and what measure() found
    printf '%s, %.1f MB\n' "$1" "$(awk -v s="$2" 'BEGIN { print s / 1e6 }')"
    line bestdag '' "$3"
    if [[ $have_pandas == yes ]]; then
        for setting in default int8 category; do
            line pandas "$setting" "${pandas[$setting]}"
        done
        awk -v a="$best" -v b="$3" -v name="$best_name" 'BEGIN {
            printf "  ratio %.1f (to %s)\n", a / b, name }'
    else
        echo "  pandas is not installed for $python: no ratio"
    fi
    awk -v p="$4" -v s="$2" 'BEGIN {
        printf "  peak memory %.1f MB, %.2f of the file\n\n", p / 1e6, p / s }'
}

measure '2,000,000 x 30' 2000000 30
measure '5,000 x 10,000' 5000 10000
