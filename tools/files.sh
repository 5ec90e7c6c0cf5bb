#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# files.sh -- the rules about files that no compiler knows: a licence line in every
# one; in src/ a head that says what it does, and a name that no other file has;
# names of lower-case words joined by "_"; struct tags of headers that nothing else
# in the tree has; at most 600 lines in a file of src/.
set -euo pipefail
cd -- "${1:-$(dirname -- "$0")/..}"
failed=0
bad() {
    echo "$1"
    failed=1
}

while read -r file; do
    name=${file##*/}
    [[ $(head -n 1 "$file") == '/* SPDX-License-Identifier: MIT */' ]] ||
        bad "$file:1: the first line must be /* SPDX-License-Identifier: MIT */"
    [[ $file == tests/* || $(sed -n 2p "$file") == "/* $name -- "* ]] ||
        bad "$file:2: the head must begin with: /* $name -- what it does"
    [[ $name =~ ^[a-z0-9]+(_[a-z0-9]+)*\.[ch]$ ]] ||
        bad "$file: the name must be lower-case words joined by _"
    lines=$(wc -l <"$file")
    ((lines <= 600)) || [[ $file != src/* ]] ||
        bad "$file: $lines lines; split it (600)"
done < <(find src include tests bench examples -name '*.[ch]' | sort)

while read -r name; do
    bad "$name: more than one file in src/ has this name"
done < <(find src -name '*.[ch]' -printf '%f\n' | sort | uniq -d)

# A tag that a header defines is defined once in src/.
# shellcheck disable=SC2016 # $0 is of awk
tags() { # files: "tag file" of each definition
    xargs awk 'match($0, /^(struct|union|enum) [A-Za-z0-9_]+ \{/) {
        split($0, word, " "); print word[2], FILENAME }'
}
while read -r tag; do
    bad "$tag: more than one struct, union or enum of a header has this tag"
done < <(find src include -name '*.[ch]' | sort | tags | awk '
    { count[$1]++; if ($2 ~ /\.h$/) header[$1] = 1 }
    END { for (tag in header) if (count[tag] > 1) print tag }' | sort)
exit "$failed"
