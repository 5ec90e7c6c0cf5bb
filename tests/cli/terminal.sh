#!/usr/bin/env bash
# Names of columns, states and files reach a terminal without what it would obey:
# everything that is printed for people, on either stream.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# "a", "b" and "c" with escapes, a bell, a C1 control, a line break; as are states
{
    printf '"\033[31ma","b\007\033]0;x\007","c\302\2331m","d\nd"\n'
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        printf '"\033[2Jx%d","y\r%d","z%d\302\205","%d"\n' \
            $((i % 2)) $((i % 2)) $((i % 2)) $((i % 3 == 0))
    done
} >wild.csv
cp wild.csv "$(printf 'w\033[1mild.csv')"

tame() { # COMMAND...: neither stream has a control character
    bestdag "$@" >out 2>err </dev/null
    if LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' out err; then
        report bad "'$*' prints control characters: $(cat -v out err | head -c 500)"
    else
        report ok
    fi
}
tame check wild.csv
says out '?[31ma'
holds 'a name has two lines' [ "$(grep -c "^d[ ']" out)" -eq 0 ]
says out 'd d'
tame check wild.csv -v
tame learn wild.csv -o net.json
says err '?[31ma'
tame learn wild.csv -o net.json -v
tame score wild.csv -o s.jkl
tame bootstrap wild.csv -R 5 -o average.json
tame cpdag net.json
tame compare net.json net.json
tame evaluate wild.csv net.json
tame fit wild.csv net.json -o fitted.json
tame convert net.json -o net.csv
tame query net.json
tame query net.json '"d d"' --mpe
tame query net.json "$(printf '"\033[31ma" | "c\302\2331m"=zz')"
tame query net.json --evidence wild.csv --map "$(printf '"\033[31ma"')" -o answers.csv
tame impute wild.csv net.json -o full.csv
tame classify train wild.csv -o model.json
tame classify validate wild.csv --class d
tame classify validate wild.csv --folds 2
tame discretize wild.csv -o e.csv
tame sample net.json -n 5 -o f.csv
tame solve s.jkl --solver cluster --certificate c.cert -o n.csv
tame verify s.jkl n.csv c.cert
tame verify s.jkl n.csv s.jkl

# and what is wrong
tame check "$(printf 'no\033[2J.csv')"
says err 'no?[2J.csv'
tame learn "$(printf 'w\033[1mild.csv')" -o "$(printf 'w\033[1mild.csv')"
tame "$(printf '\033[2Jlearn')"
tame learn wild.csv "$(printf -- '--\033[2Jx')"
tame learn wild.csv --score "$(printf '\033[2J')"
tame learn wild.csv --forbid "$(printf '\033[2J')"
tame learn wild.csv --forbid "$(printf '\033[2J,x')"
tame learn wild.csv -O "$(printf '\033[2J')"
tame learn wild.csv -o "$(printf 'x.\033[2J')"
tame learn wild.csv extra "$(printf '\033[2J')"
tame list "$(printf '\033[2J')"
tame help "$(printf '\033[2J')"
tame classify "$(printf '\033[2J')" wild.csv
tame learn wild.csv --log "$(printf 'no/\033[2J')"
printf 'not "\033[31ma" -> "\033[31mq"\n' >r.rules
tame learn wild.csv --constraints r.rules
printf '\033[31m"\n' >r.rules
tame learn wild.csv --constraints r.rules
printf 'a,b\n1,"\033[2J\n' >torn.csv
tame check torn.csv
finish
