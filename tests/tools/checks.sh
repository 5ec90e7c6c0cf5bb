#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# checks.sh -- the checks of tools/ pass a good tree and see what is wrong in a
# bad one.
set -euo pipefail
mkdir -p tree/{src/base,src/data,src/formats,src/cli,include,tests,bench,examples}
cd tree

write() { # file, lines
    {
        echo '/* SPDX-License-Identifier: MIT */'
        echo "/* ${1##*/} -- a file of a test. */"
        printf '%s\n' "${@:2}"
    } >"$1"
}
good() { # tool
    "$ROOT/tools/$1" . || { echo "$1 refuses a good tree" && exit 1; }
}
bad() { # tool, words it must say
    local output
    if output=$("$ROOT/tools/$1" . 2>&1); then
        echo "$1 does not see: $2" && exit 1
    fi
    [[ $output == *"$2"* ]] || { echo "$1 says '$output', not '$2'" && exit 1; }
}

write include/bestdag.h '#include <stdint.h>'
write src/base/text.c '#include "base/run.h"' '#include "bestdag.h"'
write src/data/table.c '#include <stdio.h>' '#include "base/run.h"'
write src/cli/main.c '#include "bestdag.h"' '#include "cli.h"'
good layers.sh
good files.sh

write src/data/wrong.c '#include "formats/format.h"'
bad layers.sh 'src/data/wrong.c:3: data comes before formats'
write src/data/wrong.c '# include "../base/run.h"'
bad layers.sh 'write "folder/file.h"'
write src/data/wrong.c '#include "cli/cli.h"'
bad layers.sh 'write "folder/file.h"'
rm src/data/wrong.c
write src/cli/wrong.c '#include "base/run.h"'
bad layers.sh 'the command sees bestdag.h only'
rm src/cli/wrong.c
mkdir src/odd
write src/odd/odd.c
bad layers.sh "folder 'odd' is not in the order"
rm -r src/odd
good layers.sh

write src/formats/table.c
bad files.sh 'table.c: more than one file'
rm src/formats/table.c
write src/data/Two_words.c
bad files.sh 'lower-case words joined by _'
rm src/data/Two_words.c
echo 'int x;' >src/data/bare.c
bad files.sh 'src/data/bare.c:1: the first line'
rm src/data/bare.c
write src/data/one.h 'struct twice {' '    int x;' '};'
good files.sh
write src/data/two.c 'struct twice {' '    int y;' '};'
bad files.sh 'twice: more than one struct'
rm src/data/one.h src/data/two.c
good files.sh

cat >header.h <<'END'
#define BESTDAG_API __attribute__((visibility("default")))
BESTDAG_API const char *bestdag_one(void);
BESTDAG_API int bestdag_two(
    int x);
END
echo 'int bestdag_one(void); int bestdag_two(void);
int bestdag_one(void) { return 1; } int bestdag_two(void) { return 2; }' >two.c
"$CC" -shared -fPIC two.c -o two.so
"$ROOT/tools/symbols.sh" two.so header.h
echo 'int three(void); int three(void) { return 3; }' >>two.c
"$CC" -shared -fPIC two.c -o three.so
if output=$("$ROOT/tools/symbols.sh" three.so header.h); then
    echo 'symbols.sh does not see an extra symbol' && exit 1
fi
[[ $output == *"exports 'three'"* ]]
