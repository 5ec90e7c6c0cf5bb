#!/usr/bin/env bash
# Tables as people have them: what makes a network doubtful is said before it is
# learned, and "proved optimal" does not stand alone beside it.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# identifiers, dates, very many states
awk 'BEGIN { srand(1); print "id,day,city,a,b"
    for (i = 0; i < 200; i++)
        printf "k%d,2024-%02d-%02d,c%d,%d,%d\n", i, i % 12 + 1, i % 28 + 1,
            i * 37 % 70, i % 2, int(rand() * 3) }' >raw.csv
for command in learn score bootstrap 'classify train' 'classify validate'; do
    case $command in
    bootstrap) more='--resamples 2' ;;
    classify*) more='--class a' ;;
    *) more= ;;
    esac
    out=x.json
    [ "$command" != score ] || out=x.jkl
    # shellcheck disable=SC2086 # several words
    expect 0 bestdag $command raw.csv $more -o $out
    says err "warning: column 'id' (200 states) has a value of its own in nearly every row"
    says err "warning: column 'day' (84 states) holds dates"
    says err "warning: column 'city' (70 states) has very many states"
    holds "$command warns more than once" [ "$(grep -c "'id'" err)" -eq 1 ]
done
expect 0 bestdag learn raw.csv -o x.bif
says err 'proved optimal over all parent sets, but the table is questionable: see the warnings above'
expect 0 bestdag learn raw.csv --json
says out '"warnings": ["column '
expect 0 bestdag learn raw.csv --ignore id,day,city -o x.bif # the advice
holds 'there is a warning' bash -c '! grep -q "warning\|doubtful" err'
expect 0 bestdag learn raw.csv --ignore id,day,city --json
says out '"warnings": []'
expect 0 bestdag check raw.csv
says out "likely identifiers: 'id'"
says out "dates or times: 'day'"
says out "many states: 'city'"

# 293 of 294 rows dropped
awk 'BEGIN { print "a,b,c"
    for (i = 0; i < 294; i++)
        printf "%s,%s,%d\n", i == 5 ? "x" : "?", i % 2 ? "y" : "n", i % 3 }' >few.csv
for command in learn score bootstrap; do
    out=x.bif
    [ "$command" != score ] || out=x.jkl
    expect 0 bestdag $command few.csv -o $out
    says err "warning: 293 of 294 rows have missing values and were dropped ('a' lacks 293); --missing em and --missing available use what such rows have, --missing state makes 'missing' a state, --ignore leaves columns out"
done
expect 0 bestdag learn few.csv -o x.bif
says err 'but the table is questionable'
for advice in '--missing state' '--ignore a'; do
    # shellcheck disable=SC2086 # two words
    expect 0 bestdag learn few.csv $advice --json
    says out '"rows": 294'
    says out '"warnings": []'
done

# numbers: all columns at once
awk 'BEGIN { srand(2); print "p,q,r,s"
    for (i = 0; i < 150; i++)
        print rand() "," rand() "," i "," (i % 2 ? "u" : "v") }' >numbers.csv
expect 3 bestdag learn numbers.csv --score bic
says err "3 columns hold numbers, states were expected: 'p', 'q', 'r'; discretise them all with 'bestdag discretize TABLE -o states.csv'"
expect 0 bestdag discretize numbers.csv -o states.csv
expect 0 bestdag learn states.csv -o x.bif
expect 3 bestdag learn numbers.csv --ignore p,q --score bic
says err "column 'r' holds numbers"
expect 0 bestdag learn numbers.csv --ignore p,q --max-states 150 -o x.bif

# no header
awk 'BEGIN { srand(3)
    for (i = 0; i < 50; i++)
        printf "%.5f,%d,%s\n", rand(), rand() * 30, rand() < .5 ? "yes" : "no" }' >rows.csv
expect 0 bestdag check rows.csv
says err "warning: rows.csv: the first line looks like a row, not like names ("
says err '); --no-header reads it as one'
expect 0 bestdag check rows.csv --no-header
silent err
says out '50 rows'
printf 'yes,no,no\nno,yes,no\nyes,yes,no\nno,no,yes\n' >labels.csv
expect 3 bestdag check labels.csv # 'no' twice
printf 'on,no,up\noff,yes,up\non,yes,down\noff,no,up\n' >labels.csv
expect 0 bestdag learn labels.csv -o x.bif
says err 'the first line looks like a row'
says err 'but the table is questionable'
printf '1990,1991,1992\n1,2,3\n1990,1991,1992\n4,5,6\n' >years.csv
expect 0 bestdag check years.csv
silent err
printf 'fog,horn\nyes,no\nno,yes\nfog,no\n' >names.csv # one name occurs, one not
expect 0 bestdag check names.csv
silent err

# a column without values is no hindrance to cutting the others
awk 'BEGIN { print "a,b,c"
    for (i = 0; i < 30; i++) print i / 8 ",," (i % 2 ? "x" : "y") }' >empty.csv
for format in csv tsv arff; do
    expect 0 bestdag discretize empty.csv -o cut.$format
    expect 0 bestdag check cut.$format --json
    says out '"kind": "opaque"'
    says out '"need_discretising": []'
done

# states that a CSV file cannot keep are reported, and ARFF keeps them
awk 'BEGIN { printf "@relation r\n@attribute n {"
    for (i = 0; i < 120; i++) printf "%s%d", i ? "," : "", i
    print "}\n@attribute x numeric\n@data"
    for (i = 0; i < 360; i++) print i % 120 "," i / 8 }' >typed.arff
expect 0 bestdag discretize typed.arff -o typed.csv
says err "1 column of states, 'n', will be read as numbers from this format; write an .arff file to keep states"
expect 0 bestdag discretize typed.arff -o kept.arff
holds 'arff: a note' bash -c '! grep -q "read as numbers" err'
expect 0 bestdag check kept.arff --json
says out '"states": 120'

# four rows do not determine a column, many do
awk 'BEGIN { srand(4); print "a,b,c"
    for (i = 0; i < 300; i++)
        if (i < 4) print (i < 2 ? "x" : "y") "," i "," i % 2
        else if (i % 2) print (rand() < .5 ? "x" : "y") ",," i % 2
        else print "," int(rand() * 4) "," i % 2 }' >four.csv
expect 0 bestdag check four.csv
holds 'four rows determine a column' bash -c '! grep -q determined out'
awk 'BEGIN { srand(5); print "a,b"
    for (i = 0; i < 300; i++) { b = int(rand() * 4); print int(b / 2) ",v" b } }' >many.csv
expect 0 bestdag check many.csv
says out "determined: 'a' is a function of 'b'"

# rows that a network does not know
bestdag learn "$ROOT/examples/lighthouse.csv" -q -o l.bif
bestdag classify train "$ROOT/examples/lighthouse.csv" --class horn -q -o horn.json
sed '2s/winter/monsoon/; 3s/breeze/storm/; 5s/breeze/storm/' \
    "$ROOT/examples/lighthouse.csv" >new.csv
known="values unknown to the network: "
changed=$(grep -c 'monsoon\|storm' new.csv)
expect 0 bestdag evaluate new.csv l.bif --json
says err "$known$changed, treated as missing: column 'season' has 'monsoon' (1)"
says out "\"unknown_values\": $changed"
says out "\"missing_rows\": $changed"
expect 0 bestdag classify predict new.csv horn.json -o p.csv
says err "$known$changed, treated as missing: column 'season' has 'monsoon' (1)"
expect 0 bestdag classify predict new.csv horn.json --ignore season,wind -o p.csv
holds 'rows are lost' [ "$(wc -l <p.csv)" -eq "$(wc -l <new.csv)" ]
cut -d, -f2- new.csv >less.csv
expect 3 bestdag classify predict less.csv horn.json
says err "the table has no column 'season', which the model needs"

# rules that leave only families that are too large to be scored
awk 'BEGIN { srand(3); print "a,b,c,d,e,f,g,h"
    for (i = 0; i < 500; i++) {
        line = ""
        for (v = 0; v < 8; v++)
            line = line (v ? "," : "") "s" int(rand() * 12)
        print line } }' >wide.csv
printf '%s -> h\n' a b c d e f g >wide.rules
expect 3 bestdag learn wide.csv --constraints wide.rules -o x.bif
says err "every parent set of 'h' that satisfies the rules has more combinations of states than can be scored"
printf 'indegree(h) = 3\n' >three.rules
expect 4 bestdag learn wide.csv --constraints three.rules --parents sequential --candidates 2 -o x.bif
says err "no parent set of 'h' among its 2 candidate parents (candidates) satisfies the rules"
printf 'a,b,c,d\n0,0,k,1\n1,0,k,0\n0,1,k,1\n1,1,k,1\n' >constant.csv
echo 'indegree(d) = 3' >three.rules
expect 0 bestdag learn constant.csv --constraints three.rules -o x.bif
finish
