#!/usr/bin/env bash
# The documents: every indented "$ command" of README.md, docs/*.md and
# docs/papers/README.md is run, document by document, from top to bottom, in a
# folder with examples/ and the files of tests/data. What stands below a
# command, up to a blank line, must be just what it prints, but for seconds and
# bytes, which differ from machine to machine, and threads; a command with
# nothing below it must end with 0. Links to files must lead somewhere.
#
# "$ cat FILE" makes the FILE of what stands below it, if it is not there yet.
#
# docs.sh [--rewrite] [DOCUMENT ...]: these only. --rewrite (./dev docs) puts
# what the program prints now in the place of what is out of date.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
project=${ROOT:?the tree}
rewriting=no
if [ "${1-}" = --rewrite ]; then
    rewriting=yes
    shift
fi

mkdir bin
ln -s "$BESTDAG" bin/bestdag
PATH=$work/bin:$PATH
features=$(bestdag --version -v)

# lacks COMMAND: this machine or build cannot run it.
lacks() {
    case $1 in
    *.svg* | *.png*) ! command -v dot >/dev/null ;;
    *.xmlbif* | *.xml*) ! grep -q 'expat  *yes' <<<"$features" ;;
    *.gz*) ! grep -q 'zlib  *yes' <<<"$features" ;;
    *.zst*) ! grep -q 'zstd  *yes' <<<"$features" ;;
    *) false ;;
    esac
}

# Commands into c001, c002 ..., what they print into c001.expected ...
take_apart() { # DOCUMENT
    sed -n 's/^    //p;/^$/p' "$1" |
        awk '/^\$ / { file = sprintf("../c%03d", ++n)
                      print substr($0, 3) > file; next }
             /^$/ { file = ""; next }
             file { print > (file ".expected") }'
}

# mask FILE: without what the machine decides. Nothing that the seed decides is
# masked: counts, scores, bounds, steps and restarts stand as they are.
mask() {
    sed -E 's/[0-9][0-9,.]* (s|[KMGT]?B)([ ,;)]|$)/N \1\2/g
        s/"(peak_memory_bytes|threads)": [0-9]+/"\1": N/g
        s/"(read|score|solve|best|fit|total|seconds)": [0-9][0-9.e-]*/"\1": N/g' "$1"
}

# renew EXPECTED: what was printed; lines that only the machine changes stay.
renew() {
    local line masked same
    while IFS= read -r line <&3 && IFS= read -r masked <&4; do
        same=$(grep -nxF -m 1 -- "$masked" ../expected.masked | cut -d: -f1)
        if [ -n "$same" ]; then
            sed -n "${same}p" "$1"
        else
            printf '%s\n' "$line"
        fi
    done 3<../printed 4<../printed.masked
}

# rewrite DOCUMENT: what was printed now, ../c001.new ..., below its command.
rewrite() {
    awk '/^    \$ / { print; file = sprintf("../c%03d.new", ++n); skip = 0
                      if ((getline line < file) > 0) {
                          do print "    " line; while ((getline line < file) > 0)
                          skip = 1
                      }
                      next }
         !/^    / { skip = 0 }
         !skip { print }' "$1" >../rewritten && cp ../rewritten "$1"
}

run_one() { # DOCUMENT FILE
    local name=$1 command expected=$2.expected code
    command=$(cat "$2")
    case $command in
    'cat '*)
        [ -e "${command#cat }" ] || cp "$expected" "${command#cat }"
        ;;
    esac
    bash -c "$command" >../printed 2>&1
    code=$?
    if [ -e "$expected" ]; then
        mask ../printed >../printed.masked
        mask "$expected" >../expected.masked
        cmp -s ../printed.masked ../expected.masked ||
            renew "$expected" >"$2.new"
        if [ "$rewriting" = yes ]; then
            [ ! -e "$2.new" ] || echo "$name: '$command' is rewritten"
            [ ! -e "$2.new" ] || ! grep -q '^$' "$2.new" ||
                report bad "$name: '$command' prints a blank line"
            return
        fi
        holds "$name: '$command' prints something else: $(diff ../printed.masked ../expected.masked)" \
            cmp -s ../printed.masked ../expected.masked
    else
        holds "$name: '$command' ends with $code: $(head -c 300 ../printed)" \
            [ "$code" -eq 0 ]
    fi
}

# Links to files of the tree lead somewhere.
follow_links() { # DOCUMENT
    local link
    while read -r link; do
        holds "${1##*/}: there is no '$link'" [ -e "${1%/*}/$link" ]
    done < <(grep -oE '\]\([^)#:]+\)' "$1" | sed 's/^](//; s/)$//')
}

run_document() { # DOCUMENT
    local name=${1##*/} c seen=0
    mkdir folder
    cd folder || exit 1
    cp -r "$project/examples" .
    cp "$project"/tests/data/* .
    take_apart "$1"
    for c in ../c???; do
        [ -e "$c" ] || continue
        seen=$((seen + 1))
        lacks "$(cat "$c")" || run_one "$name" "$c"
    done
    [ "$rewriting" = no ] || rewrite "$1"
    cd ..
    rm -rf folder c??? c???.expected c???.new
    case $name in
    python.md | library.md) ;; # about programs: tests/python runs the first
    clusters.md) ;; # about machines: cli_mpi runs what it says
    *) holds "$name has only $seen commands" [ "$seen" -ge 5 ] ;;
    esac
}

# Command lines without "$ " would never be run; only usage lines, which
# have DATA and the like in the place of files, stand so.
find_unmarked() { # DOCUMENT
    local line names
    names=$(bestdag help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' | paste -sd '|')
    while read -r line; do
        report bad "${1##*/}: '$line' is run by no test"
    done < <(grep -E "^ *bestdag ($names) " "$1" | grep -vE ' (DATA|NET|SCORES)')
}

# The pictures show what is learned now.
shows() { # PICTURE, arguments of learn ...
    local picture=$project/docs/$1
    shift
    bestdag learn "$@" -q -O edges | sed 1d | sort >learned
    sed -n 's|.*<title>\(.*\)&#45;&gt;\(.*\)</title>.*|\1,\2|p' "$picture" |
        sort >drawn
    holds "$picture has no arcs" [ -s drawn ]
    holds "$picture is out of date: $(diff learned drawn)" cmp -s learned drawn
}

check_pictures() {
    cp "$project"/examples/*.csv .
    shows lighthouse.svg lighthouse.csv
    bestdag discretize hives.csv --method quantile:3 -q -o thirds.csv
    sed -n '/^    \$ cat hives.rules$/,/^$/p' "$project/docs/tutorial.md" |
        sed '1d; s/^    //' >hives.rules
    shows hives.svg thirds.csv --ignore hive --constraints hives.rules
}
check_pictures

# The charts of BENCHMARKS.md show the data in bench/log.
check_charts() {
    local chart
    command -v python3 >/dev/null || return
    bash "$project/bench/charts.sh" charts
    for chart in charts/*.svg; do
        holds "docs/$chart is out of date: ./dev bench charts" \
            cmp -s "$chart" "$project/docs/$chart"
    done
}
check_charts

if ((!$#)); then
    set -- "$project/README.md" "$project"/docs/*.md "$project/docs/papers/README.md"
    follow_links "$project/BENCHMARKS.md"
    follow_links "$project/CONTRIBUTING.md"
    for page in "$project"/docs/papers/*[0-9].md; do
        follow_links "$page"
    done
fi
for document in "$@"; do
    [ "$document" = "$project/docs/README.md" ] || # an index
        run_document "$document"
    follow_links "$document"
    find_unmarked "$document"
done
finish
