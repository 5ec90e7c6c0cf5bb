#!/usr/bin/env bash
# The report in a real browser: of the bundled table and of 1,000 variables. The
# pictures stay in the folder of the test, to be looked at.
set -eu
for tool in python3 chromedriver; do
    if ! command -v "$tool" >/dev/null; then
        echo "skipped: $tool is not installed"
        exit 77
    fi
done
here=$(cd "$(dirname "$0")" && pwd)

"$BESTDAG" learn "$ROOT"/examples/lighthouse.csv -q -o small.bif --report small.html
python3 "$here"/browser.py small.html warned small

"$BESTDAG" generate --variables 1000 --seed 3 -q -o truth.bif
"$BESTDAG" sample truth.bif -n 1000 --seed 1 -q -o large.csv
printf 'tiers: X1 X2 X3 | X4\nnot X5 -> X6\n' >large.rules
"$BESTDAG" learn large.csv --max-parents 3 --constraints large.rules -t 20s -q \
    -o large.bif --report large.html
python3 "$here"/browser.py large.html - large

"$BESTDAG" bootstrap "$ROOT"/examples/lighthouse.csv -R 40 -q -o average.bif \
    --report average.html
python3 "$here"/browser.py average.html warned average

# a name that is a script must be nothing but a name
printf '%s\n' '</script><script>document.title=1</script>,b' >evil.csv
for _ in 1 2 3 4 5; do printf 'x,0\ny,1\n' >>evil.csv; done
"$BESTDAG" learn evil.csv -q -o evil.bif --report evil.html
python3 "$here"/browser.py evil.html b evil
echo "pictures: $PWD"
