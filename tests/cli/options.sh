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
says man/bestdag-fit.1 'pseudo'
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

# the lists
expect 0 bestdag list
says out 'bif'
expect 0 bestdag list options --json
says out '"name": "missing"'
finish
