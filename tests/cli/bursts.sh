# What the tests of signals share: a search without end, and several signals at
# once that end it.
# shellcheck shell=bash

# command: learns from hard.csv into folder/ until it is ended
make_hard
mkdir -p folder
command=(learn hard.csv "${hard_ways[@]}" "${endless[@]}" --progress always -o folder/got.bif)

# begun: what it says once the table is read; from then on there is a network
begun='candidate sets by'

start() { # WORDS...: runs them before the command; the process is $job
    : >err
    "$@" "${command[@]}" >out 2>err &
    job=$!
}

await() { # TEXT in err, or the end of $job
    local i
    for ((i = 0; i < 600; i++)); do
        grep -q -- "$1" err && return
        kill -0 "$job" 2>/dev/null || return
        sleep 0.05
    done
}

# whole WHAT: the network is there, whole, and nothing else is.
whole() {
    holds "$1: no network, or half of one: $(tail -n 3 err)" \
        "$BESTDAG" evaluate hard.csv folder/got.bif -q -o score.txt
    holds "$1: files left" [ "$(find folder -type f | wc -l)" -eq 1 ]
}

# bursts RUNS: signals to the process and to its group, as timeout(1) sends
# them, and several different ones in one breath.
bursts() {
    local i code all=(INT TERM HUP XCPU) lost=0 written=0 signal k
    RANDOM=${SEED:-1}
    echo "seed ${SEED:-1}"
    for ((i = 0; i < $1; i++)); do
        rm -f folder/*
        signal=${all[RANDOM % 4]}
        if ((i % 2)); then
            : >err
            timeout -s "$signal" "0.$((5 + RANDOM % 5))" "$BESTDAG" "${command[@]}" >out 2>err
            code=$?
            holds "timeout ended with $code" [ "$code" -eq 124 ]
            # on a busy machine it may not have read the table
            grep -q "$begun" err || continue
        else
            start setsid "$BESTDAG"
            await "$begun"
            for ((k = 0; k < 5; k++)); do
                kill "-${all[RANDOM % 4]}" -- "-$job"
                kill "-${all[RANDOM % 4]}" "$job"
            done
            wait "$job"
            code=$?
            case $code in
            129 | 130 | 143 | 152) report ok ;;
            *) report bad "several signals ended with $code: $(tail -n 3 err)" ;;
            esac
        fi
        written=$((written + 1))
        [ -e folder/got.bif ] || lost=$((lost + 1))
        whole "run $i"
    done
    echo "$1 runs, $written with a network to write, $lost lost"
    holds 'no network was ever written' [ "$written" -gt 0 ]
}
