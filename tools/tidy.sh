#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tidy.sh BUILD JOBS -- clang-tidy over the files of src/ that BUILD compiles.
#
# A file that was clean is not looked at again until it, a header that it
# includes, .clang-tidy or clang-tidy itself changes: BUILD/lint/tidy holds one
# empty file per clean state, named by its hash. The path-sensitive analyser is
# nearly all of the time; a fourth of its usual number of states is a fifth of
# the time.
set -euo pipefail
cd -- "$(dirname -- "$0")/.."
build=$1 jobs=$2
cache=$build/lint/tidy
mkdir -p "$cache"

state_of() { # file
    {
        clang-tidy --version
        grep -v "^#" .clang-tidy
        grep -F "/$1\"," "$build/compile_commands.json"
        cc -MM -D_GNU_SOURCE -Iinclude -Isrc -Isrc/cli "$1" |
            sed 's/^[^:]*://; s/\\$//' | xargs cat
    } | sha256sum | cut -d ' ' -f 1
}

tidy() { # file
    local state output analyser=(-Xclang -analyzer-config -Xclang max-nodes=56000)
    state=$(state_of "$1")
    [[ ! -e $cache/$state ]] || return 0
    if output=$(clang-tidy --quiet -p "$build" "${analyser[@]/#/--extra-arg=}" \
        "$1" 2>/dev/null); then
        : >"$cache/$state"
    else
        printf '%s\n' "$output"
        return 1
    fi
}
export -f tidy state_of
export build cache

# shellcheck disable=SC2016 # $1 is of the inner shell
find src -name '*.c' | sort | while read -r file; do
    ! grep -qF "/$file\"" "$build/compile_commands.json" || echo "$file"
done | xargs -P "$jobs" -I '{}' bash -c 'set -o pipefail; tidy "$1"' tidy '{}'
