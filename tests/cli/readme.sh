#!/usr/bin/env bash
# The tour of the README: every command in it that shows what it prints is run,
# and must print just that.
# shellcheck source-path=SCRIPTDIR source=lib.sh
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"

mkdir examples
cp "$project/examples/lighthouse.bif" examples/
bestdag convert examples/lighthouse.bif -q -o lighthouse.modelstring
printf 'a,b\n1,2\n3\n' >broken.csv

# command and what it prints, one pair after the other, from the indented lines
sed -n '/^## Five minutes/,/^## From C/s/^    //p;/^$/p' "$project/README.md" |
    awk '/^\$ / { n++; file = sprintf("c%03d", n); print substr($0, 3) > file; next }
         /^$/ { file = ""; next }
         file { print > (file ".expected") }'

shown=0
for command in c???; do
    [ -e "$command.expected" ] || continue
    shown=$((shown + 1))
    # shellcheck disable=SC2046 # words of the command
    set -- $(cat "$command")
    "$@" >printed 2>&1
    holds "README: '$*' prints something else: $(diff printed "$command.expected")" \
        cmp -s printed "$command.expected"
done
holds "the README shows only $shown commands" [ "$shown" -ge 8 ]
finish
