#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# layers.sh -- holds the order of the folders: a file in src/ includes from its
# own folder or an earlier one, never from a later one. The command sees nothing
# but bestdag.h and its own folder.
set -euo pipefail
cd -- "${1:-$(dirname -- "$0")/..}"

order='base parallel graph data network counts scores constraints parents
    problem bounds search models formats learn report verify'

# shellcheck disable=SC2016 # $0 is of awk
find src include -name '*.[ch]' | sort | xargs awk -v order="$order" '
BEGIN {
    n = split(order, names)
    for (i = 1; i <= n; i++)
        rank[names[i]] = i
}
function bad(what) {
    printf "%s:%d: %s\n", FILENAME, FNR, what
    failed = 1
}
FNR == 1 {
    split(FILENAME, part, "/")
    folder = part[1] == "include" ? "include" : part[2]
    if (folder != "include" && folder != "cli" && !(folder in rank))
        bad("folder \047" folder "\047 is not in the order of tools/layers.sh")
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, quoted, "\"")
    header = quoted[2]
    from = header
    if (!sub("/.*", "", from))
        from = ""
    if (header == "bestdag.h" && folder != "include")
        next
    if (folder == "include")
        bad("the public header stands alone")
    else if (folder == "cli") {
        if (from != "")
            bad("the command sees bestdag.h only, not \047" header "\047")
    } else if (!(from in rank))
        bad("write \"folder/file.h\", not \047" header "\047")
    else if (rank[from] > rank[folder])
        bad(folder " comes before " from " and may not use it")
    else if (folder == "verify" && from != "verify" && from != "base")
        bad("verify uses base only: it must not share code with the search")
    else if (folder == "verify" && from == "verify" && part[4] != "") {
        split(header, to, "/")
        if (to[2] != part[3] && (part[3] == "kernel" || to[2] != "kernel"))
            bad("verify/" part[3] " may use base" (part[3] == "kernel" ? \
                " only" : " and verify/kernel only"))
    }
}
END { exit failed }
'

# The compiler must hold the command to it, too.
commands=build/compile_commands.json
if [[ -e $commands ]] &&
    grep '"command":.*/src/cli/[^ /]*\.c"' "$commands" | grep -q -- '/src\( \|"\)'; then
    echo "$commands: src/cli is compiled with -Isrc"
    exit 1
fi
