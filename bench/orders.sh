#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Search over orders, a table a section.
#
#     ./dev bench orders [--full] [SECTION ...]
#
#   optima     score files with known optima: what `orders` finds in 5 s, and when
#   instances  Diabetes, link, munin1: obs, asobs and orders on one core
#   density    Tables 2 and 3 of Scanagatta et al. (NIPS 2015)
#   networks   rows from known and generated networks: BIC, distances, memory
#   scaling    kicks and look-ups per second from 100 to 10,000 variables
#   hc         hill climbing against orders on alarm and insurance
#
# Without a section: all. What needs $BESTDAG_DATA is skipped if it is not set.
set -euo pipefail

here=$(dirname "${BASH_SOURCE[0]}")
exec "${PYTHON:-python3}" "$here/orders.py" "$@"
