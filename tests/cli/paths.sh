#!/usr/bin/env bash
# Outputs destroy neither inputs nor each other; what cannot be written is
# noticed before the work.
# shellcheck disable=SC2016 # $BESTDAG is for the inner shell
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
export BESTDAG

cp "$ROOT"/examples/lighthouse.csv d.csv
bestdag learn d.csv -q -o n.bif
cp n.bif m.bif
bestdag score d.csv -q -o s.jkl
bestdag solve s.jkl --solver cluster --certificate c.cert -q -o n.csv
printf 'not fog -> rain\n' >r.rules
sed -n 1,9p d.csv >t.csv
bestdag discretize d.csv --save-cuts cuts.json -q -o e.csv
printf '{}' >pseudo.json
bestdag classify train d.csv -q -o model.bif
mkdir sub
ln -s . here
ln -s d.csv soft.csv
ln d.csv hard.csv
ln -s new.bif dangling.bif
mkdir kept
for f in *.* ; do [ ! -f "$f" ] || cp -p "$f" kept; done

untouched() { # no file has changed
    local f
    for f in kept/*; do
        cmp -s "$f" "${f##*/}" || report bad "$1: ${f##*/} has changed"
    done
    report ok
}
refused() { # ARGUMENTS...
    expect 2 bestdag "$@"
    one_line err
    untouched "$*"
}

# every way to name the table
for o in d.csv ./d.csv sub/../d.csv here/d.csv "$PWD/d.csv" soft.csv hard.csv here/soft.csv; do
    refused learn d.csv -o "$o"
    says err "'$o'"
    says err "'d.csv'"
    says err 'same file'
done
refused learn soft.csv -o hard.csv
expect 2 bash -c '"$BESTDAG" learn - -q -o d.csv <d.csv'
untouched 'standard input'
expect 2 bash -c '"$BESTDAG" learn d.csv -q >>d.csv'
untouched 'standard output'

# and of files that are not there yet
refused learn d.csv -o x --report x
refused learn d.csv -o x.bif --report ./x.bif
refused learn d.csv -o x.bif --log here/x.bif
refused learn d.csv -o new.bif --report dangling.bif
refused learn d.csv -o dangling.bif --report here/new.bif
refused learn d.csv -o x.bif --save-scores y.jkl --log y.jkl.json
refused learn d.csv -o x.bif --save-scores y.jkl.gz --report y.jkl.json
refused learn d.csv -o x.uai --report x.uai.names
refused score d.csv -o y.jkl --log y.jkl.json
refused score d.csv -o y.jkl --log y.jkl.part
absent x
absent x.bif
absent new.bif
absent y.jkl

# the arguments of every command, by every output it has
arguments() { # COMMAND: what it takes
    case $1 in
    check | discretize | learn | score | bootstrap) echo d.csv ;;
    solve) echo s.jkl ;;
    verify) echo s.jkl n.csv c.cert ;;
    fit | evaluate) echo d.csv n.bif ;;
    compare) echo n.bif m.bif ;;
    cpdag | sample | convert) echo n.bif ;;
    esac
}
commands=$(bestdag help | sed -n 's/^  \([a-z]*\) .*/\1/p')
tried=0
for c in $commands; do
    help=$(bestdag help "$c" --help-all)
    read -ra words < <(arguments "$c")
    outputs=(-o)
    for o in $(bestdag list options --json |
        awk -F'"' '$2 == "name" { n = $4 } $2 == "role" && $4 == "output" { print n }') report log; do
        grep -q -- "--$o " <<<"$help" && outputs+=("--$o")
    done
    for w in "${words[@]}"; do
        for o in "${outputs[@]}"; do
            [ "$o" != -o ] || grep -q -- '-o, --output' <<<"$help" || continue
            # a network that is read whole may be replaced by a network
            case "$o $c $w" in '-o fit n.bif' | '-o convert n.bif') continue ;; esac
            refused "$c" "${words[@]}" "$o" "$w"
            tried=$((tried + 1))
        done
    done
    # two outputs, one file; and what options read
    for o in "${outputs[@]:1}"; do
        [ "$c" = help ] || [ "$c" = list ] || [ "$c" = classify ] ||
            refused "$c" "${words[@]}" -o both.bif "$o" both.bif
    done
    for pair in $(bestdag list options --json |
        awk -F'"' '$2 == "name" { n = $4 } $2 == "role" && $4 == "input" { print n }') constraints; do
        grep -q -- "--$pair " <<<"$help" || continue
        [ "$c" != classify ] || words=(validate d.csv)
        refused "$c" "${words[@]}" "--$pair" r.rules --log r.rules
        [ "$pair" = start ] || refused "$c" "${words[@]}" "--$pair" r.rules -o r.rules
        tried=$((tried + 1))
    done
done
echo "$tried pairs"
holds "only $tried pairs" [ "$tried" -gt 60 ]
refused classify train d.csv -o d.csv
refused classify predict d.csv model.bif -o model.bif
refused classify predict d.csv model.bif -o d.csv
refused classify validate d.csv --test t.csv -o t.csv
refused solve s.jkl -O edges -o s.jkl.json
refused discretize d.csv --cuts cuts.json --save-cuts cuts.json -o x.csv

# standard output and input are for one
refused learn d.csv --json -o -
refused learn d.csv --report -
refused learn d.csv --save-scores -
refused fit - - -o x.bif
says err 'standard input'

# a network takes the place of itself
expect 0 bestdag fit d.csv n.bif -q -o n.bif
expect 0 bestdag convert n.bif -q -o n.bif
expect 0 bestdag learn d.csv --start n.bif -q -o n.bif
expect 0 bestdag convert n.bif -q -o n.uai
expect 0 bestdag convert n.uai -q -o n.uai
expect 0 bestdag evaluate d.csv n.bif
# devices and pipes are not compared
expect 0 bestdag learn d.csv -q -O bif -o /dev/null --report /dev/null --log /dev/null \
    --save-scores /dev/null
absent /dev/null.json
expect 0 bestdag convert n.bif -q -O uai -o /dev/null
absent /dev/null.names
expect 0 bash -c '"$BESTDAG" learn d.csv -q --log /dev/stderr -o /dev/stdout -O bif | cat'

# what cannot be written, before anything is read
long=$(printf 'x%.0s' {1..300})
for o in no/such/x.bif d.csv/x.bif sub "$long.bif" "sub/$long.bif" no/such/; do
    expect 1 bestdag learn missing.csv -O bif -o "$o"
    one_line err
    says err 'cannot write'
    for w in report save-scores log certificate trace part; do
        expect 1 bestdag learn missing.csv -o x.bif "--$w" "$o"
        one_line err
    done
done
expect 1 bestdag learn missing.csv -o x.bif --checkpoint no/such/folder
one_line err
expect 1 bestdag learn missing.csv -o x.bif --checkpoint d.csv
# FILE.json beside it gets too long
expect 1 bestdag score missing.csv -o "$(printf 'x%.0s' {1..252})"
# as long as a name may be
name=$(printf 'y%.0s' {1..251}).bif
expect 0 bestdag convert n.bif -q -o "$name"
same n.bif "$name"
if [ "$(id -u)" -ne 0 ]; then
    mkdir closed
    chmod a-w closed
    expect 1 bestdag learn missing.csv -o closed/x.bif
    : >locked.bif
    chmod a-w locked.bif
    expect 1 bestdag learn missing.csv -o locked.bif
fi
holds 'files left' [ -z "$(find . -name '*.??????' -newer r.rules -name 'x*')" ]
finish
