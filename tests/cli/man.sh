#!/usr/bin/env bash
# Man pages: they are well formed, bestdag-rules(7) has every word of the grammar
# in docs/constraints.md, and its examples are rules that learn accepts.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
rules=${ROOT:?the tree}/docs/man/bestdag-rules.7

# well_formed PAGE: groff has no warning; without groff, its main sections exist.
well_formed() {
    local section
    if command -v groff >/dev/null; then
        groff -man -ww -Tutf8 -z "$1" 2>warnings
        holds "$1: $(head -3 warnings)" [ ! -s warnings ]
    fi
    holds "$1 does not begin with a title" grep -q '^\.TH BESTDAG' "$1"
    for section in NAME SYNOPSIS DESCRIPTION EXAMPLES 'SEE ALSO'; do
        holds "$1 has no $section" grep -qx "\.SH $section" "$1"
    done
}
well_formed "$rules"
mkdir pages
expect 0 bestdag help man pages
for page in pages/*.1; do
    if command -v groff >/dev/null; then
        groff -man -ww -Tutf8 -z "$page" 2>warnings
        holds "$page: $(head -3 warnings)" [ ! -s warnings ]
    fi
done

# The words of the language are those in quotes in the grammar.
# shellcheck disable=SC2016 # backquotes of Markdown
sed -n '/^```ebnf$/,/^```$/p' "$ROOT/docs/constraints.md" |
    grep -oE '"[A-Za-z]+"' | tr -d '"' | sort -u >words
holds 'the grammar has no words' [ "$(wc -l <words)" -ge 25 ]
while read -r word; do
    says "$rules" "$word"
done <words

# Each example is a rule file for the lighthouse.
sed -n '/^\.EX$/,/^\.EE$/p' "$rules" | sed 's/\\-/-/g' |
    awk '/^\.EX$/ { file = sprintf("%d.rules", ++n); next }
         /^\.EE$/ { next }
         { print > file }'
for file in [0-9].rules; do
    expect 0 bestdag learn "$ROOT/examples/lighthouse.csv" \
        --constraints "$file" -q -o net.bif
done
holds "there are only examples up to $file" [ "$file" = 3.rules ]
finish
