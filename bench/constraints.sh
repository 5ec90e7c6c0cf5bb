#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Branch and bound over arcs, and what rules do to a search.
#
#     ./dev bench constraints [--full] [SECTION ...]
#
#   bounds      bnb with each of its bounds: nodes, seconds, gap after 20 s
#               (--full: 60 s)
#   threads     nodes a second of bnb with 1 and with 2 threads, as many nodes
#   drawn       rules of all kinds between drawn variables of zoo, likewise
#   scoring     families per second under a positive influence
#
# On tables of UCI in $BESTDAG_DATA/uci as the paper has them (de Campos, Zeng
# and Ji, ICML 2009): numbers split at their mean, rows with missing values
# dropped; BIC, all parent sets. The tables of the paper: ./dev bench papers. Without a section: all. TABLES="zoo letter"
# names other tables for `bounds`.
set -euo pipefail

bestdag=${BESTDAG:-build/bestdag}
read -ra tables <<<"${TABLES:-zoo mushroom wdbc lung-cancer letter}"
sections=() seconds=20 full=()
here=$(dirname "${BASH_SOURCE[0]}")
for word in "$@"; do
    case $word in
    --full) seconds=60 full=(--full) ;;
    *) sections+=("$word") ;;
    esac
done
((${#sections[@]})) || sections=(bounds threads drawn scoring)
if [[ -z ${BESTDAG_DATA:-} ]]; then
    echo 'skipped: constraints, BESTDAG_DATA is not set'
    exit
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# $folder/NAME.jkl: the candidate sets of a table, made once.
sets_of() { # NAME
    local file options=(--method mean --missing drop)
    [[ ! -e $folder/$1.jkl ]] || return 0
    file=$(find "$BESTDAG_DATA/uci" -name "$1.csv*" | sort | head -n 1)
    # its numbers are few and whole, so that they would count as states
    [[ $1 != letter ]] || options+=(--columns "$(gzip -cdf "$file" |
        awk 'NR == 1 { sub(/,class$/, ""); print }')")
    "$bestdag" discretize "$file" "${options[@]}" -q -o "$folder/$1.csv"
    "$bestdag" score "$folder/$1.csv" -q -o "$folder/$1.jkl"
}

# The value of a number in a JSON answer, by its name.
value() { # NAME FILE
    sed -n "s/^ *\"$1\": \\([^,]*\\),*\$/\\1/p" "$2" | head -n 1
}

solve() { # NAME OPTION ...
    local name=$1
    shift
    "$bestdag" solve "$folder/$name.jkl" --solver bnb "$@" --json -q \
        -o "$folder/net.csv" >"$folder/answer"
}

bounds() {
    local name bound
    printf '%-12s %3s %7s %-9s %9s %8s %10s %12s\n' table n sets bound \
        nodes seconds 'gap %' status
    for name in "${tables[@]}"; do
        sets_of "$name"
        for bound in simple patterns cluster; do
            solve "$name" --set "bound=$bound" -t "${seconds}s"
            printf '%-12s %3d %7d %-9s %9d %8.2f %10.4f %12s\n' "$name" \
                "$(value variables "$folder/answer")" \
                "$(value parent_sets "$folder/answer")" "$bound" \
                "$(value steps "$folder/answer")" \
                "$(value solve "$folder/answer")" \
                "$(awk -v g="$(value gap "$folder/answer")" \
                    'BEGIN { print 100 * g }')" \
                "$(value status "$folder/answer" | tr -d '"')"
        done
    done
}

# As many nodes by 1 and by 2 threads, in turns; the best of three.
threads() {
    local name bound j round now best
    printf '%-12s %-9s %12s %12s %8s\n' table bound '1: nodes/s' '2: nodes/s' \
        ratio
    for name in wdbc mushroom; do
        sets_of "$name"
        for bound in simple patterns; do
            best=(0 0 0)
            for ((round = 0; round < 3; round++)); do
                for j in 1 2; do
                    solve "$name" --set "bound=$bound" --set steps=100000 "-j$j"
                    now=$(awk -v n="$(value steps "$folder/answer")" \
                        -v t="$(value solve "$folder/answer")" \
                        'BEGIN { printf "%d", n / t }')
                    ((now <= best[j])) || best[j]=$now
                done
            done
            printf '%-12s %-9s %12d %12d %8.2f\n' "$name" "$bound" \
                "${best[1]}" "${best[2]}" \
                "$(awk -v a="${best[2]}" -v b="${best[1]}" \
                    'BEGIN { print a / b }')"
        done
    done
}

for section in "${sections[@]}"; do
    case $section in
    bounds | threads)
        echo "== $section; load average$(uptime | sed 's/.*average//')"
        "$section"
        ;;
    drawn | scoring)
        echo "== $section; load average$(uptime | sed 's/.*average//')"
        "${PYTHON:-python3}" "$here/constraints.py" "${full[@]}" "$section"
        ;;
    *)
        echo "constraints: there is no section '$section'" >&2
        exit 2
        ;;
    esac
done
