#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# layers.sh -- the order of the folders holds for linked symbols, too, and the
# check sees one that goes the wrong way.
set -euo pipefail
"$ROOT/tools/layers.sh" "$ROOT" "$BUILD"

mkdir -p tree/{src/scores,src/learn,include}
objects=build/CMakeFiles/objects.dir/src
mkdir -p "$objects"/{scores,learn}
cd tree
echo 'int bestdag_later(void); int bestdag_early(void);
int bestdag_early(void) { return bestdag_later(); }' >src/scores/early.c
echo 'int bestdag_later(void); int bestdag_later(void) { return 1; }' >src/learn/later.c
cd ..
for file in scores/early.c learn/later.c; do
    "$CC" -c "tree/src/$file" -o "$objects/$file.o"
done
if said=$("$ROOT/tools/layers.sh" tree build); then
    echo 'a call that goes the wrong way is not seen' && exit 1
fi
[[ $said == *'scores comes before learn'* ]] || { echo "it says: $said" && exit 1; }
