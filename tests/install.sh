#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# install.sh -- installs the build in $BUILD to a folder of this test, and uses
# it as a stranger would: by pkg-config, by find_package, as a static library.
set -euo pipefail
fail() {
    echo "install: $*"
    exit 1
}
compile() { # example, output, options
    # shellcheck disable=SC2086 # several words each
    "$CC" $CFLAGS -std=c11 -Wall -Werror "$ROOT/examples/$1.c" "${@:3}" -o "$2"
}
try_it() { # program, what it is
    rm -f out.bif
    "$1" rows.csv structure.modelstring out.bif || fail "$2: fit failed"
    grep -q 'probability ( wet | rain )' out.bif || fail "$2: wrong network"
    grep -q '(yes) *0.2777[0-9]*, 0.7222[0-9]*;' out.bif || fail "$2: wrong numbers"
}
try_learning() { # program
    rm -f out.bif
    "$1" rows.csv out.bif >report || fail "learn failed"
    grep -q '^-.*, at most -.* over the candidate sets' report ||
        fail "learn: wrong report: $(cat report)"
    grep -q 'probability ( wet | rain )\|probability ( rain | wet )' out.bif ||
        fail 'learn: wrong network'
}

prefix=$PWD/usr
cmake --install "$BUILD" --prefix "$prefix" >log || fail "$(cat log)"
tail -1 log | grep -q "PKG_CONFIG_PATH=$prefix/lib" ||
    fail "the last line does not say where bestdag.pc is: $(tail -1 log)"
library=$(find "$prefix" -name libbestdag.so)
folder=${library%/*}
[[ -n $library && -e $folder/libbestdag.a && -e $prefix/include/bestdag.h ]] ||
    fail 'the library or its header is not there'
[[ $CFLAGS == *--coverage* ]] || # which exports symbols of its own
    "$ROOT/tools/symbols.sh" "$library" "$prefix/include/bestdag.h"

printf '%s\n' rain,wet yes,yes yes,yes yes,yes yes,no no,no no,no >rows.csv
printf '[rain][wet|rain]\n' >structure.modelstring

if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH=$folder/pkgconfig
    read -ra flags < <(pkg-config --cflags --libs bestdag)
    compile fit shared "${flags[@]}"
    try_it ./shared 'pkg-config'
    compile learn learn "${flags[@]}"
    try_learning ./learn
    read -ra flags < <(pkg-config --cflags --static --libs bestdag |
        sed "s|-lbestdag|$folder/libbestdag.a|")
    compile fit static "${flags[@]}"
    try_it ./static 'pkg-config --static'
    if command -v ldd >/dev/null && ldd static | grep -q libbestdag; then
        fail 'the static program uses the shared library'
    fi
fi

# A system prefix has no rpath: there ldconfig finds the library.
DESTDIR=$PWD/staged cmake --install "$BUILD" --prefix /usr/local >log ||
    fail "$(cat log)"
file=$(find staged -name bestdag.pc)
[[ -n $file ]] || fail 'DESTDIR: no bestdag.pc'
! grep -q rpath "$file" || fail 'bestdag.pc of /usr/local has an rpath'

# flags_are WANTED OPTION ...: cmake with these options compiles with WANTED.
flags_are() {
    local wanted=$1 got
    shift
    rm -rf flags
    cmake -S "$ROOT" -B flags -G "$GENERATOR" -DCMAKE_C_COMPILER="$CC" \
        -DBUILD_TESTING=OFF "$@" >log 2>&1 || fail "$(cat log)"
    got=$(grep -m 1 '"command"' flags/compile_commands.json | tr ' ' '\n' |
        grep -xE -- '-(O[0-9a-z]*|DNDEBUG|g)' | tr '\n' ' ')
    [[ $got == "$wanted " ]] || fail "flags with '$*': '$got', not '$wanted '"
}
(
    unset CFLAGS
    flags_are '-O3 -DNDEBUG'
    flags_are '-O1' -DCMAKE_C_FLAGS_RELEASE=-O1
    flags_are '-O2 -g -DNDEBUG' '-DCMAKE_C_FLAGS=-O2 -g'
    CFLAGS='-Os' flags_are '-Os' -DCMAKE_BUILD_TYPE=None
) || exit 1

mkdir project
cat >project/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.20)
project(stranger LANGUAGES C)
find_package(bestdag 0.1 REQUIRED)
foreach(KIND IN ITEMS bestdag bestdag_static)
  add_executable(with_\${KIND} $ROOT/examples/fit.c)
  target_link_libraries(with_\${KIND} PRIVATE bestdag::\${KIND})
endforeach()
END
{
    cmake -S project -B project/build -G "$GENERATOR" \
        -DCMAKE_PREFIX_PATH="$prefix" \
        -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="$CFLAGS"
    cmake --build project/build
} >log 2>&1 || fail "$(cat log)"
try_it project/build/with_bestdag 'find_package'
try_it project/build/with_bestdag_static 'find_package, static'

"$prefix/bin/bestdag" --version >/dev/null || fail 'the command does not run'
share=$prefix/share
for page in bestdag bestdag-fit bestdag-check; do
    grep -q '^\.TH' "$share/man/man1/$page.1" || fail "no man page of $page"
done
grep -q '^\.TH BESTDAG-RULES 7' "$share/man/man7/bestdag-rules.7" ||
    fail 'no man page of the rule language'
for file in README.md CHANGELOG.md docs/tutorial.md docs/lighthouse.svg \
    examples/learn.c examples/lighthouse.csv; do
    [[ -s $share/doc/bestdag/$file ]] || fail "no $file beside the documents"
done
for file in bash-completion/completions/bestdag zsh/site-functions/_bestdag \
    fish/vendor_completions.d/bestdag.fish; do
    grep -q discretize "$share/$file" || fail "no completion in $file"
done
bash -n "$share/bash-completion/completions/bestdag"
