#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The charts of BENCHMARKS.md, drawn from bench/log/2026-11.csv.
#
#     ./dev bench charts [FOLDER]      without a folder: docs/charts
set -euo pipefail

here=$(dirname "${BASH_SOURCE[0]}")
exec "${PYTHON:-python3}" "$here/charts.py" "$here/log/2026-11.csv" \
    "${1:-$here/../docs/charts}"
