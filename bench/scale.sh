#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Is what comes out at 10,000 variables as good as at 500? `learn` on 5,000 rows of
# generated networks, against the network that they were drawn from.
#
#     ./dev bench scale [--full] [--sizes N,N] [--recipes NAMES] [--seconds S,S]
#                       [--rows N] [--seed N] [--threads N] [--memory SIZE]
#                       [--cache FOLDER] [--chart FILE] [--show]
#
#   --sizes          numbers of variables [500,2000,10000]
#   --recipes        of `generate` [plain,nips2015,icml2009]
#   --seconds        of the clock per variable, a run each [0.005,0.01: 10 minutes
#                    in all; with --full 0.02 and 0.04, too: 50 minutes]
#   --rows           [5000]; --threads [2]; --memory [2G]; --seed of the networks [4]
#   --chart FILE     quality against seconds per variable, and the growth of every
#                    phase with the variables [docs/charts/scale.svg]
#   --cache FOLDER   tables and results [build/bench-scale]
#   --show           what is known already, without a run
#
# A table: score less that of the true network, in nats and per cent of it; gap;
# seconds; peak memory; which share of the true families is on the candidate lists,
# and of the true arcs in the skeleton. Results are kept by binary.
set -euo pipefail

here=$(dirname "${BASH_SOURCE[0]}")
exec "${PYTHON:-python3}" "$here/scale.py" "$@"
