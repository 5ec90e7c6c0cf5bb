#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Classifiers: Table 1 of Carvalho and Oliveira (2007), and how fast they are.
#
#     ./dev bench classify [SECTION ...]
#
#   accuracy  14 data sets: nb, tan and ckg (k = 2) by LL and by MDL, beside the
#             paper's figures; holdout of the paper's sizes or 5 folds
#   speed     cells x classes a second at prediction, one thread
#
# Without a section: both. They need $BESTDAG_DATA/uci.
set -euo pipefail

bestdag=${BESTDAG:-build/bestdag}
if [[ -z ${BESTDAG_DATA:-} ]]; then
    echo 'skipped: classify, BESTDAG_DATA is not set'
    exit
fi
uci=$BESTDAG_DATA/uci
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# name, file, how it is tested, paper's score, nb, tan, C2G. Whole numbers of more
# than 10 different values are numbers here, and cut by mdl, as in the paper.
sets() {
    cat <<'END'
letter letter.csv.gz --split=0.75 ll 74.80 84.93 88.01
satimage satimage_train.csv.gz --test=satimage_test.csv.gz ll 82.99 88.53 88.68
chess chess_kr-vs-kp.csv.gz --split=0.66646 ll 88.13 92.24 95.70
segment segment.csv.gz --split=0.66667 ll 71.76 75.55 79.33
vehicle vehicle.csv --folds=5 bic 62.96 71.24 71.24
diabetes pima_diabetes.csv --folds=5 bic 76.99 78.17 78.69
soybean-large soybean_683.csv.gz --folds=5 bic 91.07 90.54 91.25
vote vote.csv --folds=5 bic 91.30 93.04 93.04
waveform waveform-21.csv.gz --split=0.06 bic 81.23 80.63 81.49
heart heart_statlog.csv --folds=5 bic 83.71 83.71 84.07
glass glass.csv --folds=5 bic 94.29 94.29 95.24
iris iris.csv --folds=5 bic 93.33 93.33 94.00
lymphography lymphography.csv --folds=5 bic 78.62 84.83 82.07
hepatitis hepatitis.csv --folds=5 bic 93.75 90.00 91.25
END
}

# field REPORT NAME: the first number of this name.
field() {
    sed -n "/^ *\"$2\": [-0-9.e+]*,*\$/ { s/.*: //; s/,//; p; q }" "$1"
}

validate() { # FILE HOW MODEL SCORE: the report into $folder/report
    local how=$2
    [[ $how != --test=* ]] || how=--test=$uci/${how#--test=}
    "$bestdag" classify validate "$uci/$1" --max-states 10 --missing drop \
        "$how" --model "$3" --score "$4" --json -q >"$folder/report"
}

# "84.93 +- 0.99" from a report
percent() {
    awk -v a="$(field "$folder/report" accuracy)" \
        -v n="$(field "$folder/report" rows)" \
        'BEGIN { printf "%.2f ± %.2f", 100 * a, 196 * sqrt(a * (1 - a) / n) }'
}

accuracy() {
    local name file how its other nb tan ckg score model cells forests seconds
    local better=0 worse=0 last now
    echo '| set | score | tested rows | nb | tan | ckg | forests | seconds | paper: nb | tan | C2G |'
    echo '|---|---|---|---|---|---|---|---|---|---|---|'
    while read -r name file how its nb tan ckg; do
        other=bic
        [[ $its == ll ]] || other=ll
        for score in "$its" $other; do
            cells='' seconds=0
            for model in nb tan ckg; do
                validate "$file" "$how" $model "$score"
                cells+=" $(percent) |"
                last=${now:-}
                now=$(field "$folder/report" accuracy)
                seconds=$(awk -v a="$seconds" \
                    -v b="$(field "$folder/report" total)" 'BEGIN { print a + b }')
            done
            forests="$(field "$folder/report" forests)/$(field "$folder/report" models)"
            if [[ $score == "$its" ]]; then
                awk -v a="$now" -v b="$last" 'BEGIN { exit !(a >= b) }' &&
                    better=$((better + 1)) || worse=$((worse + 1))
                printf '| %s | **%s** | %s |%s %s | %.2f | %s | %s | %s |\n' "$name" \
                    "$score" "$(field "$folder/report" rows)" "$cells" "$forests" \
                    "$seconds" "$nb" "$tan" "$ckg"
            else
                printf '| | %s | |%s %s | %.2f | | | |\n' "$score" "$cells" \
                    "$forests" "$seconds"
            fi
        done
    done < <(sets)
    echo
    echo "ckg at or above tan, with the paper's score: $better of $((better + worse)) sets"
}

speed() {
    local name file model
    echo '| set | rows | attributes | classes | model | ms | million cells x classes a second |'
    echo '|---|---|---|---|---|---|---|'
    while read -r name file; do
        for model in nb tan ckg; do
            printf '| %s ' "$name"
            "${BUILD:-build}/bench/classify" "$uci/$file" $model
        done
    done <<'END'
letter letter.csv.gz
satimage satimage_train.csv.gz
chess chess_kr-vs-kp.csv.gz
segment segment.csv.gz
END
}

(($#)) || set -- accuracy speed
for section in "$@"; do
    case $section in
    accuracy | speed) "$section" ;;
    --full) ;;
    *)
        echo "classify: there is no section '$section'" >&2
        exit 2
        ;;
    esac
    echo
done
