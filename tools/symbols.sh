#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# symbols.sh LIBRARY HEADER -- the shared library exports exactly the functions
# that the header declares with BESTDAG_API.
set -euo pipefail
library=$1 header=$2

exported=$(nm -D --defined-only "$library" | awk '{ print $3 }' | sort)
declared=$(sed '/^#/d' "$header" | tr '\n' ' ' | grep -o 'BESTDAG_API [^(;]*(' |
    sed 's/ *($//; s/.*[ *]//' | sort)
extra=$(comm -23 <(echo "$exported") <(echo "$declared"))
absent=$(comm -13 <(echo "$exported") <(echo "$declared"))
for name in $extra; do
    echo "$library: exports '$name', which $header does not declare"
done
for name in $absent; do
    echo "$header: '$name' is declared but not in $library"
done
[[ -z $extra$absent ]]
