#!/usr/bin/env bash
# Reading tables: dialects, missing values, numbers; check and discretize.
# shellcheck disable=SC2016 # $BESTDAG is for the inner shell
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

printf 'a,b,c\n1,x,10\n2,y,9\n10,x,10\n2,y,9\n' >t.csv
expect 0 bestdag check t.csv
says out '4 rows (3 different) x 3 columns'
expect 0 bestdag check t.csv --json
says out '"rows": 4'

# the same table in other dialects has the same report
tr ',' ';' <t.csv >t_semicolon.csv
tr ',' '\t' <t.csv >t.tsv
tr ',' ' ' <t.csv >t_blank.txt
sed 's/$/\r/' t.csv >t_crlf.csv
printf '\357\273\277' | cat - t.csv >t_bom.csv
gzip -k t.csv
sed '1d' t.csv >t_none.csv
bestdag check t.csv --json -q >whole.json
for f in t_semicolon.csv t.tsv t_blank.txt t_crlf.csv t_bom.csv t.csv.gz; do
    expect 0 bestdag check "$f" --json -q
    same out whole.json
done
expect 0 bash -c '"$BESTDAG" check - --json -q <t.csv'
same out whole.json
expect 0 bestdag check t_semicolon.csv -v
says err 'semicolon'
expect 0 bestdag check t_none.csv --no-header
says out 'V1'

# states of rows that are left out go, unless the file itself declares them
printf 'a,b,n\nx,1,1\ny,2,1\nz,1,0\n' >left.csv
for arity in observed declared; do
    expect 0 bestdag check left.csv --weights n --arity "$arity"
    says out '  a                           2 states'
done

# missing values
printf 'a,b\nx,1\nNA,2\n?,1\n"NA",2\n,1\n' >m.csv
printf '[a][b|a]\n' >s.modelstring
expect 0 bestdag fit m.csv s.modelstring -O json
says err '3'
says out '"NA"'
expect 0 bestdag fit m.csv s.modelstring -O json --missing state
says out '"missing"'
expect 3 bestdag fit m.csv s.modelstring --missing error
says err 'm.csv:3:1'
one_line err
expect 0 bestdag check m.csv
says out 'missing: 3 cells'
expect 0 bestdag check m.csv --missing drop
says out '2 rows'
expect 0 bestdag check m.csv --json -o report.txt
says out '"rows": 5'
says report.txt '5 rows'

# numbers are not turned into hundreds of states
{ echo 'x,y'; for i in $(seq 1 300); do echo "$i.5,$((i % 2))"; done; } >n.csv
printf '[x][y|x]\n' >n.modelstring
expect 3 bestdag fit n.csv n.modelstring
says err "'x'"
says err 'discretize'
expect 0 bestdag discretize n.csv --method width:3 --save-cuts cuts.json -o d.csv
expect 0 bestdag fit d.csv n.modelstring -q -O bif
expect 0 bestdag discretize n.csv --cuts cuts.json -q -o d2.csv
same d.csv d2.csv
expect 0 bestdag discretize n.csv --method mdl --class y -q -o d3.csv
for m in mean median quantile:4; do
    expect 0 bestdag discretize n.csv --method "$m" -q -o d4.csv
    expect 0 bestdag check d4.csv
done
expect 2 bestdag discretize n.csv --method mdl
says err 'class'
expect 2 bestdag discretize n.csv --columns z
expect 2 bestdag discretize n.csv --method quantil:4
says err 'quantile'
expect 0 bestdag discretize n.csv --json
says out '"cuts"'

# measurements are not equal because none of their values is there twice
awk 'BEGIN { print "a,b,c"; for (i = 1; i < 40; i++)
    print i / 7 "," i * i % 41 / 7 "," i / 7 }' >measured.csv
expect 0 bestdag check measured.csv --json
says out '"duplicated": [["a", "c"]]'

# tables written in every format read back the same
expect 0 bestdag generate --variables 6 --seed 4 -q -o g.bif
expect 0 bestdag sample g.bif -n 200 -q -o g.csv
bestdag check g.csv --json -q >g.json
for f in tsv dat arff csv.zst; do
    expect 0 bestdag sample g.bif -n 200 -q -o "g.$f"
    expect 0 bestdag check "g.$f" --json -q
    same out g.json
done
finish
