#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Search over equivalence classes, a table a section.
#
#     ./dev bench equivalence [--full] [SECTION ...]
#
#   table4   Table 4 of Daly and Shen (2007): acoe by full, restricted and cached
#            tests, 5,000 rows each from six networks, five samples each
#            (--full; else one, and 20 rounds instead of 100)
#   walks    one greedy walk on andes, pigs, link, with full tests on its first
#            50 turns
#   optima   espace to its first top, by six operators and by fges, beside hc
#            and orders on 5,000 rows of alarm, andes and link (--full)
#
# Without a section: all. Skipped if $BESTDAG_DATA is not set. COURSE=FILE.csv
# keeps seconds against rounds of the first table.
set -euo pipefail

bestdag=${BESTDAG:-build/bestdag}
program=$(dirname "$bestdag")/bench/equivalence
samples=1 rounds=20 wide=() sections=()
for word in "$@"; do
    case $word in
    --full) samples=5 rounds=100 wide=(link) ;;
    *) sections+=("$word") ;;
    esac
done
((${#sections[@]})) || sections=(table4 walks optima)
if [[ -z ${BESTDAG_DATA:-} ]]; then
    echo 'skipped: equivalence, BESTDAG_DATA is not set'
    exit
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

network() { # NAME: its file
    if [[ $1 == made36 ]]; then
        [[ -e $folder/made36.bif ]] ||
            "$bestdag" generate --variables 36 --arcs 50 --seed 36 -q \
                -o "$folder/made36.bif"
        echo "$folder/made36.bif"
    else
        find "$BESTDAG_DATA/networks" -name "$1.bif*" | head -1
    fi
}

rows() { # NAME SEED: a table of 5,000 rows
    "$bestdag" sample "$(network "$1")" --rows 5000 --seed "$2" -q \
        -o "$folder/$1.$2.csv"
    echo "$folder/$1.$2.csv"
}

table4() {
    echo "network,sample,n,cold s,full s,restricted s,cached s,full/restricted,full/cached"
    local name seed table
    for name in alarm barley hailfinder mildew win95pts made36; do
        for ((seed = 1; seed <= samples; seed++)); do
            table=$(rows "$name" "$seed")
            echo "$name,$seed,$(BESTDAG_COURSE=${COURSE:-} \
                "$program" ways "$table" "$rounds")"
            unset COURSE
            rm "$table"
        done
    done
}

walks() {
    echo "network,n,turns,cold s,validity ms,gains ms,turns ms,full tests/s,cached tests/s,time saved x,tests saved x"
    local name table
    for name in alarm andes pigs link; do
        table=$(rows "$name" 1)
        echo "$name,$("$program" walk "$table" 50)"
        rm "$table"
    done
}

learn() { # TABLE NETWORK SOLVER SETTINGS...: seconds, score, SHD
    local table=$1 truth=$2 seconds score shd
    shift 2
    "$bestdag" learn "$table" --score bdeu --solver "$@" --json \
        -o "$folder/net.bif" >"$folder/answer" 2>/dev/null
    seconds=$(sed -n 's/^ *"total": \([0-9.]*\).*/\1/p' "$folder/answer")
    score=$(sed -n 's/^ *"score": \(-[0-9.]*\),$/\1/p' "$folder/answer")
    shd=$("$bestdag" compare "$folder/net.bif" "$truth" |
        sed -n 's/^SHD of the CPDAGs *//p')
    echo "$seconds,$score,$shd"
}

optima() {
    echo "network,solver,seconds,score,SHD of CPDAGs"
    local name table
    for name in alarm andes "${wide[@]}"; do
        table=$(rows "$name" 1)
        local truth
        truth=$(network "$name")
        echo "$name,espace,$(learn "$table" "$truth" espace --set restarts=0)"
        echo "$name,espace fges,$(learn "$table" "$truth" espace \
            --set restarts=0 --set operators=fges)"
        echo "$name,hc,$(learn "$table" "$truth" hc --set restarts=0)"
        echo "$name,orders,$(learn "$table" "$truth" orders --max-parents 4 \
            --parents independence -t 60s)"
        rm "$table"
    done
}

for section in "${sections[@]}"; do
    echo "== $section"
    "$section"
done
