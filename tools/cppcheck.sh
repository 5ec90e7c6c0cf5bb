#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cppcheck.sh BUILD JOBS -- cppcheck over the sources; keeps what it found in
# BUILD/lint, so that unchanged files are not looked at again.
set -euo pipefail
cd -- "$(dirname -- "$0")/.."
cache=$1/lint/cppcheck
mkdir -p "$cache"

# Off, and why:
#   missingIncludeSystem  it need not read the headers of libc
#   arrayIndexThenCheck   takes any comparison for one of limits
#   zerodivcond           takes the test of a remainder for one of the divisor
#   normalCheckLevel...   says how it worked, not what it found
cppcheck --quiet --error-exitcode=1 --std=c11 --language=c -j "$2" \
    --enable=warning,performance,portability --inline-suppr \
    --suppress=missingIncludeSystem \
    --suppress=arrayIndexThenCheck --suppress=zerodivcond \
    --suppress=normalCheckLevelMaxBranches \
    --cppcheck-build-dir="$cache" --template=gcc \
    -D_GNU_SOURCE -DBESTDAG_ZLIB -DBESTDAG_ZSTD -DBESTDAG_EXPAT \
    '-DBESTDAG_VERSION="0"' -Iinclude -Isrc src examples
