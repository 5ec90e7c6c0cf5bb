#!/usr/bin/env bash
# relate: forms of the answers, errors, exit codes; the algorithms have a test of
# their own (test_d_separation.c).
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
net=$ROOT/examples/lighthouse.bif

# separated, or an open path with its reasons
expect 0 bestdag relate "$net" 'fog ; sea | season'
says out 'fog is d-separated from sea given season'
silent err
expect 0 bestdag relate "$net" 'fog, lamp ; sea, wind | season'
says out 'fog and lamp are d-separated from sea and wind given season'
expect 0 bestdag relate "$net" 'fog ; sea'
says out 'fog is not d-separated from sea'
says out '  open path: fog <- season -> wind -> sea'
expect 0 bestdag relate "$net" 'sea;warned|lifeboat,season'
says out 'open path: sea -> aground <- warned'
says out 'collider aground: open because its descendant lifeboat is given (aground -> lifeboat)'
expect 0 bestdag relate "$net" 'sea;warned|aground'
says out 'collider aground: open because it is given'
expect 0 bestdag relate "$net" 'sea ; warned | lifeboat, season' --json
says out '"separated": false'
says out '"path": ["sea", "aground", "warned"]'
says out '"arrows": ["->", "<-"]'
says out '"through": ["aground", "lifeboat"]'
expect 0 bestdag relate "$net" 'fog ; sea | season' --json -o text
says out '"separated": true'
says out '"path": []'
says text 'fog is d-separated from sea given season'

# the other questions, also several at once
expect 0 bestdag relate "$net" --blanket lamp
says out '5 variables in the Markov blanket'
says out 'spouses   fog and horn'
expect 0 bestdag relate "$net" --ancestors horn --descendants aground --json
says out '"ancestors": ["season", "fog", "keeper"]'
says out '"descendants": ["lifeboat"]'
expect 0 bestdag relate "$net" --descendants lifeboat
says out '0 descendants'
expect 0 bestdag relate "$net" --paths 'fog,sea|season' --max-paths 2
says out '2 paths, and there are more (--max-paths)'
says out 'blocked fog <- season -> wind -> sea  (at season)'
says out 'blocked fog -> warned -> aground <- sea  (at aground)'
expect 0 bestdag relate "$net" --paths fog,sea --max-paths 10000 --json
says out '"paths_complete": true'
expect 0 bestdag relate "$net" --separator fog,sea
says out 'separated by season'
expect 0 bestdag relate "$net" --separator 'season,aground | sea' --json
says out '"separator": ["warned"]'
expect 0 bestdag relate "$net" --separator 'fog,wind | season'
says out 'separated without further variables'
expect 0 bestdag relate "$net" --separator fog,horn
says out 'no set separates them: they are adjacent'
expect 0 bestdag relate "$net" --separator fog,horn --json
says out '"separable": false'
says out '"separator": null'

# the conditional table, with counts once there are some
expect 0 bestdag relate "$net" --cpt aground
says out 'P(aground | sea, warned)'
says out 'smooth  no      0.7000  0.3000'
expect 0 bestdag fit "$ROOT/examples/lighthouse.csv" "$net" -q -o fitted.json
expect 0 bestdag relate fitted.json --cpt lamp
says out 'season  keeper     lit    dark  data rows'
# winter is the fourth state of season: the counts are those of the table
for keeper in well ill; do
    rows=$(awk -F, -v k=$keeper 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $at["season"] == "winter" && $at["keeper"] == k { n++ } END { print n + 0 }' \
        "$ROOT/examples/lighthouse.csv")
    holds "data rows of winter, $keeper: $rows" \
        grep -qE "^winter  $keeper .* $rows\$" out
done
expect 0 bestdag relate fitted.json --cpt season --json
says out '"parents": []'
says out '"count": 2000'
expect 0 bestdag convert fitted.json -q -o again.json
same fitted.json again.json
expect 0 bestdag convert fitted.json -q -o fitted.bif
expect 0 bestdag relate fitted.bif --cpt lamp --json
holds 'BIF has no counts' bash -c '! grep -q count out'

# counts that are wrong are refused, with the place
for bad in '[1]' '[1, 2, 3, -4, 5, 6, 7, 8]' '[1, 2, 3, 0.5, 5, 6, 7, 8]' '7'; do
    awk -v bad="$bad" '/"name": "lamp"/ { on = 1 }
        on && /"counts"/ { sub(/\[.*\]/, bad); on = 0 } { print }' \
        fitted.json >bad.json
    expect 3 bestdag relate bad.json --cpt lamp
    says err 'bad.json:'
done

# structures without tables; names with blanks
printf '[a b][c|a b][d,e|c]' >bare.modelstring
printf 'from,to\na b,c\nc,"d,e"\n' >bare.csv
expect 0 bestdag relate bare.csv '"a b" ; "d,e" | c'
says out 'a b is d-separated from d,e given c'
expect 0 bestdag relate bare.csv '"a b" ; "d,e"'
says out 'open path: a b -> c -> d,e'
expect 2 bestdag relate bare.csv --cpt c
says err "'c' has no probabilities"

# errors: one line with the nearest name
expect 2 bestdag relate "$net" 'fgo ; sea'
one_line err
says err "unknown variable 'fgo', did you mean 'fog'?"
expect 2 bestdag relate "$net" --blanket lmp
says err "did you mean 'lamp'?"
expect 2 bestdag relate "$net" 'fog ; sea | fog'
says err "'fog' is named twice in the question"
expect 2 bestdag relate "$net" 'fog, sea'
says err "expected ',' or ';'"
expect 2 bestdag relate "$net"
says err 'no question was given'
expect 2 bestdag relate "$net" --paths fog,sea,wind
says err 'expected two variables, found 3'
expect 2 bestdag relate "$net" --separator fog
says err 'expected two variables, found 1'
expect 2 bestdag relate "$net" --ancestors fog,sea
says err 'expected one variable, found 2'
expect 2 bestdag relate "$net" --blankett fog
says err "did you mean '--blanket'?"
expect 2 bestdag relate "$net" 'fog ; sea' extra
expect 3 bestdag relate none.bif 'fog ; sea'
finish
