#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hives.sh -- makes examples/hives.csv: 700 hives drawn from hives.bif, as a
# beekeepers' association would have recorded them. Three columns are measured
# (metres, mites on the board, kilograms), some counts of mites were never made,
# every hive has a number, and no one recorded how watchful its keeper is.
#
#     examples/hives.sh [BESTDAG] >hives.csv
set -euo pipefail
bestdag=${1:-bestdag}
here=$(dirname -- "$0")

# A number between LOW and HIGH, denser towards LOW; numbers after Park and
# Miller, so that every awk draws the same.
"$bestdag" sample "$here/hives.bif" -n 700 --seed 1851 -q |
    awk -F, -v OFS=, '
function draw() { seed = seed * 16807 % 2147483647; return seed / 2147483647 }
function between(low, high) { return low + (high - low) * draw() ^ 1.3 }
function write_metres(state) {
    if (state == "low") return int(between(80, 400))
    return int(state == "middle" ? between(400, 800) : between(800, 1300))
}
function write_mites(state) {
    if (draw() < 0.03) return "NA"
    if (state == "few") return int(between(0, 20))
    return int(state == "some" ? between(20, 60) : between(60, 240))
}
function write_kilograms(state) {
    if (state == "small") return sprintf("%.1f", between(0, 12))
    return sprintf("%.1f", state == "fair" ? between(12, 25) : between(25, 60))
}
BEGIN { seed = 1851 }
NR == 1 {
    for (i = 1; i <= NF; i++) place[$i] = i
    $(place["watchful"]) = "hive"
}
NR > 1 {
    $(place["watchful"]) = sprintf("H%04d", NR - 1)
    $(place["altitude"]) = write_metres($(place["altitude"]))
    $(place["mites"]) = write_mites($(place["mites"]))
    $(place["harvest"]) = write_kilograms($(place["harvest"]))
}
{ print }'
