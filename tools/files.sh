#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# files.sh -- the rules about files that no compiler knows: a licence line in every
# one; in src/ a head that says what it does, and a name that no other file has;
# names of one lower-case word; a warning where a file has grown too long.
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
    [[ $name =~ ^(test_|fuzz_|cmd_)?[a-z0-9]+\.[ch]$ ]] ||
        bad "$file: the name must be one lower-case word"
    lines=$(wc -l <"$file")
    ((lines <= 600)) || [[ $file != src/* ]] ||
        echo "$file: warning: $lines lines; split it (600)"
done < <(find src include tests bench examples -name '*.[ch]' | sort)

while read -r name; do
    bad "$name: more than one file in src/ has this name"
done < <(find src -name '*.[ch]' -printf '%f\n' | sort | uniq -d)
exit "$failed"
