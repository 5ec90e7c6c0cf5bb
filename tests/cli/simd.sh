#!/usr/bin/env bash
# Every kind of instructions that the processor has gives the same bytes:
# BESTDAG_SIMD (src/base/simd.h).
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

bestdag generate --variables 18 --seed 5 -q -o net.bif
bestdag generate --variables 14 --states 2:2 --seed 6 -q -o two.bif
for rows in 7 61 1000 3000; do # words of bits that are not full, or are
    bestdag sample net.bif -n $rows --seed $rows -q -o net-$rows.csv
    bestdag sample two.bif -n $rows --seed $rows -q -o two-$rows.csv
done
awk 'BEGIN {
    srand(3)
    for (v = 0; v < 30; v++) printf "V%d%s", v, v < 29 ? "," : "\n"
    for (i = 0; i < 80; i++)
        for (v = 0; v < 30; v++) {
            x[v] = (v > 2 ? x[v - 1] - x[v - 3] : 0) + 3 * rand() + rand()
            printf "%.5f%s", x[v], v < 29 ? "," : "\n"
        }
}' >numbers.csv

# all files of one kind of instructions, in a folder of its own
make_all() {
    mkdir -p "$1"
    for t in net-7 net-61 net-1000 net-3000 two-7 two-61 two-1000 two-3000; do
        for score in bic bdeu; do
            expect 0 bestdag score $t.csv --score $score --max-parents 3 -q \
                -o "$1/$t-$score.jkl"
        done
        expect 0 bestdag score $t.csv --no-prune --max-parents 2 -q \
            -o "$1/$t-all.jkl"
        expect 0 bestdag score $t.csv --parents independence -q -o "$1/$t-i.jkl"
    done
    expect 0 bestdag learn net-1000.csv --solver dp -q -o "$1/dp.bif"
    expect 0 bestdag learn two-1000.csv --solver cluster -q -o "$1/cluster.bif"
    expect 0 bestdag learn net-3000.csv --solver orders --set steps=20000 -q \
        -o "$1/orders.bif"
    for score in bic-g bge; do
        expect 0 bestdag learn numbers.csv --score $score --solver hc -q \
            -o "$1/$score.json"
        expect 0 bestdag score numbers.csv --score $score --parents independence \
            --max-parents 4 -q -o "$1/$score.jkl"
    done
    expect 0 bestdag sample net.bif -n 5000 -q -o "$1/rows.csv"
}

for path in scalar avx2 avx512; do
    BESTDAG_SIMD=$path make_all "$path"
    holds "$path gives the same bytes" diff -r scalar "$path"
done

# it is what is asked for, if the processor has it
has() { BESTDAG_SIMD=$1 bestdag --version -v | grep -q "$2  *yes"; }
holds 'scalar is neither' bash -c "! BESTDAG_SIMD=scalar '$BESTDAG' --version -v |
    grep -q 'avx[0-9]*  *yes'"
if has avx512 avx512; then
    holds 'avx2 alone' bash -c "BESTDAG_SIMD=avx2 '$BESTDAG' --version -v |
        grep -q 'avx512  *no'"
fi
# other words change nothing
expect 0 bestdag --version -v
cp out usual
BESTDAG_SIMD=abacus expect 0 bestdag --version -v
same out usual
finish
