#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Strategies: what independence, greedy and sequential find in equal time.
#
#     ./dev bench strategies [--full] [TABLE ...]
#
# Six binary tables of $BESTDAG_DATA/density, BIC, at most 6 parents, one thread.
# greedy and independence have 0.05 s a variable (--full: 1 s), sequential that
# many times the number of variables. Reported are the sum over variables of the best
# score found (no graph: cycles are allowed), and how many variables each
# strategy is best at: alone, or with others.
#
# With TRACE=FILE.svg also draws Figure 1 of Scanagatta et al. (NIPS 2015): the
# scores of the sets of one variable (VARIABLE, else V10) of the first table, in
# the order in which they are looked at, by sequential (all sets of up to two
# parents) on the left and by as many steps of independence (--trace) on the
# right.
set -euo pipefail

bestdag=${BESTDAG:-build/bestdag}
strategies=(independence greedy sequential)
tables=() seconds=0.05
for word in "$@"; do
    case $word in
    --full) seconds=1 ;;
    *) tables+=("$word") ;;
    esac
done
((${#tables[@]})) || tables=(baudio jester accidents tretail dna msweb)
if [[ -z ${BESTDAG_DATA:-} ]]; then
    echo 'skipped: strategies, BESTDAG_DATA is not set'
    exit
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Lines "variable score" of the best set of each variable in a .jkl file.
best() {
    awk '/^#/ || NF == 0 { next }
        !n { n = $1; next }
        !left { name = $1; left = $2; first = 1; next }
        { if (first) print name, $1; first = 0; left-- }' "$1"
}

find_sets() { # STRATEGY FILE VARIABLES
    local limit=(--time-per-variable "${seconds}s")
    [[ $1 != sequential ]] ||
        limit=(--time-limit "$(awk -v n="$3" -v s="$seconds" \
            'BEGIN { print n * s }')s")
    "$bestdag" score "$2" --no-header --parents "$1" --max-parents 6 -j1 \
        "${limit[@]}" -o "$folder/$1.jkl" >/dev/null 2>"$folder/messages" || {
        cat "$folder/messages" >&2
        return 1
    }
    best "$folder/$1.jkl" >"$folder/$1.best"
}

# One line a strategy; adds to the wins of tables.
tell() { # TABLE VARIABLES
    local inputs=() s
    for s in "${strategies[@]}"; do
        inputs+=("$folder/$s.best")
    done
    awk -v table="$1" -v n="$2" -v names="${strategies[*]}" '
        FNR == 1 { file++ }
        { score[file, $1] = $2; sum[file] += $2; seen[$1] }
        END {
            count = split(names, name)
            for (v in seen) {
                top = -1e300
                for (f = 1; f <= count; f++)
                    if (score[f, v] > top) top = score[f, v]
                with = 0
                for (f = 1; f <= count; f++)
                    if (score[f, v] >= top - 1e-6) { best[f]++; with++; who = f }
                if (with == 1) alone[who]++
            }
            top = 1
            for (f = 1; f <= count; f++) if (sum[f] > sum[top]) top = f
            for (f = 1; f <= count; f++)
                printf "%-10s %4d %-13s %16.2f %6d %6d%s\n", table, n, name[f],
                    sum[f], best[f], alone[f],
                    (sum[f] < sum[top] - 1e-6 ? "" : "  *")
        }' "${inputs[@]}" | tee -a "$folder/all"
}

# Lines "step score" of all sets of a variable, by size, then by members.
in_sequence() { # JKL VARIABLE
    awk -v variable="$2" '/^#/ || NF == 0 { next }
        !n { n = $1; next }
        !left { name = $1; left = $2; next }
        { left-- }
        name == variable { gsub("V", ""); print $2, $3 + 0, $4 + 0, $1 }' "$1" |
        sort -k1,1n -k2,2n -k3,3n | awk '{ print NR, $4 }'
}

# Two panels with the same axes, score against step.
draw() { # FILE
    local file=$BESTDAG_DATA/density/${tables[0]}.train.data.gz
    local variable=${VARIABLE:-V10} steps
    "$bestdag" score "$file" --no-header --parents sequential --max-parents 2 \
        --no-prune -o "$folder/all.jkl" >/dev/null 2>&1
    in_sequence "$folder/all.jkl" "$variable" >"$folder/left"
    steps=$(wc -l <"$folder/left")
    "$bestdag" score "$file" --no-header --parents independence -j1 \
        --time-per-variable 1s --trace "$folder/trace.csv" \
        -o "$folder/one.jkl" >/dev/null 2>&1
    awk -F, -v variable="$variable" -v steps="$steps" \
        '$1 == variable && $2 <= steps { print $2, $4 }' \
        "$folder/trace.csv" >"$folder/right"
    awk -v title="$variable of ${tables[0]}" '
        FNR == 1 { file++ }
        {
            n++; of[n] = file; x[n] = $1; y[n] = $2
            if (n == 1 || $2 < low) low = $2
            if (n == 1 || $2 > high) high = $2
            if ($1 > last) last = $1
        }
        function text(x, y, anchor, words) {
            printf "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>\n",
                x, y, anchor, words
        }
        END {
            print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"860\" height=\"400\" font-family=\"sans-serif\" font-size=\"12\">"
            print "<rect width=\"860\" height=\"400\" fill=\"white\"/>"
            split("sequential independence", name, " ")
            for (f = 1; f <= 2; f++) {
                left = 80 + 400 * (f - 1)
                printf "<rect x=\"%d\" y=\"30\" width=\"360\" height=\"330\" fill=\"none\" stroke=\"#888\"/>\n", left
                text(left + 180, 22, "middle", name[f] ", " title)
                text(left, 376, "middle", 1)
                text(left + 360, 376, "middle", last)
                text(left + 180, 392, "middle", "set")
            }
            text(74, 38, "end", sprintf("%.0f", high))
            text(74, 360, "end", sprintf("%.0f", low))
            text(74, 200, "end", "BIC")
            for (i = 1; i <= n; i++)
                printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1\" fill=\"#2471a3\"/>\n",
                    80 + 400 * (of[i] - 1) + 360 * x[i] / last,
                    360 - 330 * (y[i] - low) / (high - low + 1e-9)
            print "</svg>"
        }' "$folder/left" "$folder/right" >"$1"
    echo "drawn: $1 ($variable of ${tables[0]}, $steps sets each)"
}

printf '%s s a variable; best and alone count variables; * is best on the table, ties too\n' \
    "$seconds"
printf '%-10s %4s %-13s %16s %6s %6s\n' table n strategy sum best alone
for table in "${tables[@]}"; do
    file=$BESTDAG_DATA/density/$table.train.data.gz
    [[ -r $file ]] || {
        echo "skipped: $table, there is no $file"
        continue
    }
    variables=$(gzip -dc "$file" | awk -F, 'NR == 1 { print NF }')
    for strategy in "${strategies[@]}"; do
        find_sets "$strategy" "$file" "$variables"
    done
    tell "$table" "$variables"
done
[[ ! -s $folder/all ]] || awk '
    { best[$3] += $5; alone[$3] += $6; won[$3] += $7 == "*" }
    END { for (s in best) printf "%-13s wins %d tables, best at %d variables, alone at %d\n", s, won[s], best[s], alone[s] }' "$folder/all" | sort
[[ -z ${TRACE:-} ]] || draw "$TRACE"
