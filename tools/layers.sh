#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# layers.sh [ROOT] [BUILD] -- holds the order of the folders of src/.
#
# A file includes from its own folder or an earlier one, never from a later one.
# A folder's headers come before its subfolders, its sources after them: a door
# (search/solver.c) may use the rooms behind it. The command sees bestdag.h and
# its own folder only; verify shares nothing but base/ with what it checks, and
# the readers of tables and networks through bestdag.h. With BUILD, the same is
# asked of the symbols that its object files use: a call through the public header
# is a dependency, too.
set -euo pipefail
root=${1:-$(dirname -- "$0")/..}
build=${2:-}
[[ -z $build ]] || build=$(readlink -f -- "$build")
cd -- "$root"
top=$PWD

order='base parallel graph data data/discretize data/check data/text network
    formats inference counts scores
    constraints constraints/language constraints/deduction constraints/parameters
    parents parents/exhaustive parents/ruled parents/anytime parents/files
    problem bounds
    search search/orders search/subsets search/clusters search/arcs
    search/classes search/direct
    models models/query models/holes learn report
    verify/kernel verify/rules verify/recount verify
    registry'

# rank[FOLDER] of headers, and what_uses(): may a file of `folder` use `from`?
# shellcheck disable=SC2016 # $0 is of awk
layers='
BEGIN {
    READS = "^(verify|base|data|network|formats)" # tables, networks: bestdag.h
    n = split(order, names)
    for (i = 1; i <= n; i++)
        rank[names[i]] = last[names[i]] = i
    for (i = 1; i <= n; i++)
        if (sub("/.*", "", names[i]) && last[names[i]] < i)
            last[names[i]] = i
}
# "" or what is wrong
function wrong(folder, is_source, from, is_link,   limit) {
    if (folder ~ /^verify/ && from !~ (is_link ? READS : "^(verify|base)"))
        return "verify uses base only: it must not share code with the search"
    limit = is_source ? last[folder] : rank[folder]
    if (rank[from] > limit)
        return folder " comes before " from " and may not use it"
    return ""
}
'

# shellcheck disable=SC2016
find src include -name '*.[ch]' | sort | xargs awk -v order="$order" "$layers"'
function bad(what) {
    printf "%s:%d: %s\n", FILENAME, FNR, what
    failed = 1
}
FNR == 1 {
    folder = FILENAME
    sub("^src/", "", folder)
    sub("/[^/]*$", "", folder)
    is_source = FILENAME ~ /\.c$/
    if (folder != "include" && folder != "cli" && !(folder in rank))
        bad("folder \047" folder "\047 is not in the order of tools/layers.sh")
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, quoted, "\"")
    header = from = quoted[2]
    if (!sub("/[^/]*$", "", from))
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
    else if (what = wrong(folder, is_source, from, 0))
        bad(what)
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

[[ -n $build ]] || exit 0
objects=$build/CMakeFiles/objects.dir/src
[[ -d $objects ]] || { echo "$objects: no object files" && exit 1; }
cd -- "$objects"
while read -r object; do # what a move left behind is no part of the tree
    [[ ! -e $top/src/${object%.o} ]] || echo "$object"
done < <(find . -name '*.o' | sort) >"$build/objects.txt"
# shellcheck disable=SC2016
xargs nm -A <"$build/objects.txt" | awk -v order="$order" "$layers"'
{
    file = $1
    sub("^\\./", "", file)
    sub(":.*", "", file)
    folder = file
    sub("/[^/]*$", "", folder)
    kind = $(NF - 1)
    if (kind == "U")
        uses[folder, $NF] = file
    else if (kind ~ /^[TDRB]$/)
        home[$NF] = folder
}
END {
    for (key in uses) {
        split(key, part, SUBSEP)
        if (!(part[2] in home))
            continue
        if (what = wrong(part[1], 1, home[part[2]], 1)) {
            printf "src/%s: calls %s: %s\n", uses[key], part[2], what
            failed = 1
        }
    }
    exit failed
}
'
