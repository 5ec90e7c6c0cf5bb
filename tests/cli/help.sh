#!/usr/bin/env bash
# The short help fits on two screens of 24 lines and 80 columns; --help-all, the
# man page and the completion have every option.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2016
. "$(dirname "$0")/lib.sh"

screens=48
expect 0 bestdag help man .
expect 0 bestdag help completion bash
cp out completion

# The options of a command, as the completion has them.
options_of() { sed -n "s/^ *$1) words='\( --.*\)' ;;$/\1/p" completion; }

for c in $(bestdag help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    expect 0 bestdag "$c" --help
    cp out short
    holds "$c --help has $(wc -l <short) lines" [ "$(wc -l <short)" -le $screens ]
    expect 0 bestdag "$c" -h
    same out short
    expect 0 bestdag help "$c"
    same out short
    expect 0 bestdag "$c" --help-all
    cp out all
    expect 0 bestdag help "$c" --help-all
    same out all
    holds "$c --help-all has long lines" \
        awk 'length($0) > 80 { print; bad = 1 } END { exit bad }' all

    # what fits is shown whole, and a short form says where the rest is
    if [ "$(wc -l <all)" -le $screens ]; then
        same short all
    else
        holds "$c --help does not end with --help-all" \
            bash -c 'tail -n 2 short | grep -q -- --help-all'
    fi

    options=$(options_of "$c")
    holds "completion of $c: '$options'" [ "$(echo "$options" | wc -w)" -ge 6 ]
    for o in $options; do
        holds "$c --help-all lacks $o" grep -qE -- "^ +(-., )?$o([ ,]|\$)" all
        holds "bestdag-$c.1 lacks $o" \
            grep -qF -- "${o//-/\\-}" "bestdag-$c.1"
    done
    # and nothing else is in the short form
    sed -n 's/^  \(-.,\|   \) \(--[a-z0-9-]*\).*/\2/p' short >shown
    holds "$c --help shows no option" [ -s shown ]
    while read -r o; do
        holds "$c --help shows $o, which is no option" \
            bash -c '[[ " $1 " == *" $2 "* ]]' - "$options" "$o"
    done <shown
done

expect 0 bestdag learn --help --solver orders
says out 'Settings of orders'
expect 0 bestdag --help-all
says out 'usage: bestdag COMMAND'
expect 2 bestdag help smple --help-all
says err "did you mean 'sample'?"
finish
