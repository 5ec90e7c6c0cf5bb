#!/usr/bin/env bash
# Help, mistyped words, forms of options, exit codes of wrong usage.
# shellcheck disable=SC2016 # $BESTDAG is for the inner shell
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

expect 2 bestdag
says err 'usage: bestdag COMMAND'
expect 0 bestdag --help
says out 'usage: bestdag COMMAND'
expect 0 bestdag --version
says out 'bestdag '
expect 0 bestdag --version -v
says out 'zlib'
expect 2 bestdag smple
says err "did you mean 'sample'"
expect 2 bestdag qqqqqq
says err "'bestdag help' lists them"

commands=$(bestdag help | sed -n 's/^  \([a-z]*\) .*/\1/p')
holds "commands: $commands" [ "$(echo "$commands" | wc -w)" -ge 11 ]
for c in $commands; do
    expect 0 bestdag "$c" --help
    says out "usage: bestdag $c"
    says out 'Examples'
    says out '--help'
    silent err
    cp out direct
    expect 0 bestdag help "$c"
    same out direct
    holds "help of $c has long lines" \
        awk 'length($0) > 80 { print; bad = 1 } END { exit bad }' out
    holds "help of $c ends lines in blanks" bash -c '! grep -q " $" out'
    expect 2 bestdag "$c" --no-such-option-at-all
    one_line err
done

expect 2 bestdag fit a.csv
says err 'bestdag fit: an argument is missing: bestdag fit DATA NET'
expect 2 bestdag convert a.bif b.bif
says err "unexpected argument 'b.bif'"
expect 2 bestdag sample net.bif --rowz 5
says err "unknown option '--rowz', did you mean '--rows'?"
expect 2 bestdag sample net.bif --rows
says err '--rows needs a value'
expect 2 bestdag sample net.bif -n 1.5
says err "--rows: '1.5' is not a whole number from 1 to"
expect 2 bestdag fit a.csv b.bif --missing dropp
says err "did you mean 'drop'?"
expect 2 bestdag fit a.csv b.bif --memory-limit much
says err 'a size such as 512M or 4G'
expect 2 bestdag fit a.csv b.bif -t soon
says err 'a time such as 30s, 10m or 2h'
expect 2 bestdag check a.csv --progress sometimes
says err 'auto|always|never'
expect 2 bestdag list formts
says err "did you mean 'formats'?"
expect 2 bestdag list qqqqqq
says err "'bestdag list lists' shows all"
expect 2 bestdag help smple
says err "did you mean 'sample'?"
expect 2 bestdag help man
says err 'bestdag help man FOLDER'
expect 2 bestdag help fit more
says err "unexpected argument 'more'"
expect 1 bestdag help man no/such/folder
says err 'No such file'
expect 2 bestdag list --json=5
says err '--json takes no value'

# forms of options
expect 0 bestdag generate --variables 5 --seed=3 -o a.bif -q
expect 0 bestdag generate --variables=5 --seed 3 -oa2.bif -q
same a.bif a2.bif
expect 0 bestdag convert -q -o b.bif -- a.bif
same a.bif b.bif
expect 0 bestdag sample -qn7 a.bif
holds "-qn7 wrote $(wc -l <out) lines" [ "$(wc -l <out)" -eq 8 ]

# man pages and completion come from the same tables
mkdir man
expect 0 bestdag help man man
for c in $commands; do
    holds "no man page of $c" [ -s "man/bestdag-$c.1" ]
done
for page in man/*.1; do
    for part in NAME SYNOPSIS EXAMPLES DESCRIPTION 'EXIT STATUS' 'SEE ALSO'; do
        says "$page" ".SH $part"
    done
done
says man/bestdag-fit.1 'pseudo'
says man/bestdag-fit.1 '.TH BESTDAG\-FIT 1'
says man/bestdag-sample.1 '(1 to 1000000000000)'
says man/bestdag-learn.1 'fit\-pseudo'
says man/bestdag-solve.1 '.SS Solvers'
if command -v groff >/dev/null; then
    expect 0 groff -man -Tutf8 -ww -z man/*.1
    silent err
fi
# every example of every help names options that exist
for c in $commands; do
    for o in $(bestdag help "$c" | sed -n '/^Examples/,/^$/p' |
        grep -oE ' --?[a-zA-Z][a-z-]*'); do
        bestdag help "$c" --help-all | sed '1,/^Examples/d;1,/^$/d' | grep -qE -- "(^| )${o}[ ,]|${o}$" ||
            report bad "the example of $c has the option $o"
    done
done
for shell in bash zsh fish; do
    expect 0 bestdag help completion "$shell"
    says out 'discretize'
    [ "$shell" != bash ] || cp out complete.bash
done
expect 2 bestdag help completion tcsh
holds 'bash completion parses' bash -n complete.bash
# shellcheck disable=SC1091
. ./complete.bash
COMP_WORDS=(bestdag fit --mis)
COMP_CWORD=2
_bestdag
holds 'bash completion of --mis' [ "${COMPREPLY[*]}" = --missing ]
COMP_WORDS=(bestdag sample net.bif -O d)
COMP_CWORD=4
_bestdag
holds 'bash completion of -O d' [ "${COMPREPLY[*]}" = dat ]
COMP_WORDS=(bestdag fit --missing "=" k)
COMP_CWORD=4
_bestdag
holds 'bash completion of --missing=k' [ "${COMPREPLY[*]}" = keep ]
COMP_WORDS=(bestdag learn --solver ord)
COMP_CWORD=3
_bestdag
holds 'bash completion of --solver ord' [ "${COMPREPLY[*]}" = orders ]
COMP_WORDS=(bestdag solve x.jkl --set st)
COMP_CWORD=4
_bestdag
holds 'bash completion of --set st' [ "${COMPREPLY[*]}" = steps= ]

# the lists
expect 0 bestdag list
says out 'bif'
expect 0 bestdag list options --json
says out '"name": "missing"'
expect 0 bestdag list options
says out '--max-states N'
expect 0 bestdag list tables
says out '(.tsv .tab)'
expect 0 bestdag list methods
says out 'width:K'
finish
