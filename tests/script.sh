#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# script.sh LABEL FOLDER COMMAND ... -- runs a test; in an emptied FOLDER unless
# that is "". Long tests are skipped (77) unless they were asked for.
set -euo pipefail
if [[ $1 == long && -z ${BESTDAG_LONG:-} ]]; then
    echo 'skipped: ./dev test --long runs it'
    exit 77
fi
if [[ -n $2 ]]; then
    rm -rf -- "$2"
    mkdir -p -- "$2"
    cd -- "$2"
fi
exec "${@:3}"
