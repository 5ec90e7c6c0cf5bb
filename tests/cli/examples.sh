#!/usr/bin/env bash
# Every example of every command's help runs, on files of the names it uses.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"

mkdir bin files
ln -s "$BESTDAG" bin/bestdag
printf '#!/bin/sh\nexit 0\n' >bin/firefox
chmod +x bin/firefox
export PATH="$work/bin:$PATH" BROWSER=firefox TMPDIR=$work

# Rows of a lighthouse, some cells missing, a network and rules it obeys; a
# survey of four of its columns, which is quickly learned.
cd files || exit 1
cp "$ROOT/examples/lighthouse.bif" net.bif
expect 0 bestdag sample net.bif -n 200 -o rows.csv -q
cut -d, -f 1-4 rows.csv >survey.csv
gzip -k survey.csv
cp survey.csv genes.csv
cp rows.csv test.csv
gzip -c rows.csv >big.csv.gz
awk -F, -v OFS=, 'NR > 1 { $(NR % 10 + 1) = "" } 1' rows.csv >holes.csv
for f in structure truth learned fitted; do cp net.bif $f.bif; done
expect 0 bestdag learn survey.csv -o expert.bif -q
for f in json.gz net uai.gz; do expect 0 bestdag convert net.bif -o net.$f -q; done
expect 0 bestdag fit rows.csv net.bif -o net.json -q
expect 0 bestdag convert net.bif -o arcs.csv -q
echo 'not fog -> season' >expert.rules
expect 0 bestdag score survey.csv -o survey.jkl -q
expect 0 bestdag solve survey.jkl --certificate survey.cert -o best.csv -q
awk 'BEGIN { print "width,length,species"
             for (i = 0; i < 120; i++)
                 printf "%.2f,%.2f,s%d\n", i % 7 + i % 3 * 9, i * i % 83 / 4, i % 3
           }' >iris.csv
cp iris.csv a.csv
cp iris.csv d.csv
cd ..

# What an example needs that another command of the same name would not.
prepare() { # command, example
    rm -rf now
    cp -r files now
    case "$1:$2" in
    explore:*) cp now/rows.csv now/survey.csv ;;
    discretize:*--cuts*) (cd now && bestdag discretize a.csv --save-cuts c.json -o b.csv -q) ;;
    fit:*'[a]'*) printf 'a,b\nx,y\ny,y\nx,x\n' >now/rows.csv ;;
    verify:*.cert.gz*)
        (cd now && bestdag score survey.csv -o survey.jkl --constraints expert.rules -q &&
            bestdag learn survey.csv --constraints expert.rules -q \
                --certificate survey.cert.gz -o net.bif --save-scores survey.jkl)
        ;;
    classify:*predict*) (cd now && bestdag classify train iris.csv --class species \
        -o model.bif -q && cp iris.csv new.csv) ;;
    classify:*--test*) (cd now && sed 's/species/class/' iris.csv >train.csv &&
        cp train.csv test.csv) ;;
    esac
}

count=0
for c in $(bestdag help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    while IFS= read -r example; do
        count=$((count + 1))
        case "$example" in
        */usr/local*) continue ;;                       # not ours to write
        *--resume) continue ;;                          # after a crash only
        *'-t 1h') continue ;;                           # takes that long
        *.svg*) command -v dot >/dev/null || continue ;;
        esac
        prepare "$c" "$example"
        expect 0 bash -c "cd now && set -o pipefail && $example"
    done < <(bestdag "$c" --help | sed -n '/^Examples/,/^$/s/^  //p')
done
holds "the help has $count examples" [ "$count" -ge 80 ]
finish
