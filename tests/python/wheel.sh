#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# wheel.sh -- a source distribution that builds on its own, the wheel made from it,
# and a network learned with what is then installed; and the package with the
# library of the system.
set -euo pipefail
python=
# shellcheck source=/dev/null
source "$ROOT/tests/python/lib.sh" # sets it
"$python" -c 'import setuptools, wheel, venv, pip' 2>/dev/null ||
    skip 'no setuptools, wheel, pip and venv'
cp -r "$ROOT/python" package
ln -s "$ROOT"/{CMakeLists.txt,LICENSE,cmake,include,src} .
(cd package && "$python" setup.py -q sdist)
tar xzf package/dist/bestdag-*.tar.gz
rm -rf package CMakeLists.txt LICENSE cmake include src
[[ -f $(echo bestdag-*/c/include/bestdag.h) ]]
# quickly compiled: it is the packaging that is tried
CFLAGS=-O0 "$python" -m pip wheel -q --no-build-isolation --no-deps --wheel-dir wheels ./bestdag-*/
echo wheels/*
[[ $(echo wheels/*) == wheels/bestdag-*-py3-none-linux_*.whl ]]

"$python" -m venv --system-site-packages --without-pip env
"$python" -m pip -q --python env/bin/python install --no-deps --no-index wheels/*.whl 2>/dev/null ||
    "$python" -m pip install -q --no-deps --no-index --target env/site wheels/*.whl
[[ ! -d env/site ]] || export PYTHONPATH=$PWD/env/site
env/bin/python - "$ROOT/examples/lighthouse.csv" <<'END'
import sys, bestdag
net = bestdag.learn(sys.argv[1])
print(bestdag.__file__, net)
assert net.status == "optimal" and "env" in bestdag.__file__
END

BESTDAG_SYSTEM=1 "$python" -m pip wheel -q --no-build-isolation --no-deps --wheel-dir pure ./bestdag-*/
[[ $(echo pure/*) == pure/bestdag-*-py3-none-any.whl ]]
