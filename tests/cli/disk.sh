#!/usr/bin/env bash
# A full disk loses nothing: old files stay as they were, half files do not, the
# answer that can still be written is. Disks are full by a limit on the size of
# files, by /dev/full, and by a small file system where one may be mounted.
# shellcheck disable=SC2016 # $BESTDAG is for the inner shell
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

cp "$ROOT"/examples/lighthouse.csv .
bestdag generate --variables 40 --seed 4 -q -o wide.bif
bestdag sample wide.bif -n 500 -q -o wide.csv
bestdag learn wide.csv --max-parents 2 -q -o whole.bif
bestdag score wide.csv --max-parents 2 -q -o whole.jkl
mkdir folder

# full BLOCKS COMMAND...: files may have so many blocks of 1024 bytes.
# shellcheck disable=SC2317 # expect calls it
full() { bash -c 'ulimit -f "$0" && exec "$BESTDAG" "$@"' "$@"; }
files() { holds "$1" [ "$(find folder -type f | wc -l)" -eq "$2" ]; }
export BESTDAG

# the old file stays, and nothing beside it
for command in 'learn wide.csv --max-parents 2' 'sample wide.bif -n 5000' \
    'score wide.csv --max-parents 2' 'convert wide.bif'; do
    suffix=bif
    [ "${command%% *}" = sample ] && suffix=csv
    [ "${command%% *}" = score ] && suffix=jkl
    rm -rf folder/*
    echo old >"folder/a.$suffix"
    # shellcheck disable=SC2086 # words
    expect 1 full 4 $command -o "folder/a.$suffix"
    says err "folder/a.$suffix: cannot write: File too large"
    holds "$command: the old file is gone" grep -qx old "folder/a.$suffix"
    rm -f folder/*.part
    files "$command left files" 1
done
rm -rf folder/*

# what only helps to go on is given up, the answer is written
expect 0 full 1 score lighthouse.csv --parents greedy --part folder/work \
    -o /dev/null
says err "cannot write 'folder/work': File too large; continuing without"
absent /dev/null.json
expect 0 full 12 solve whole.jkl --solver orders --checkpoint folder/ck \
    --checkpoint-every 0 --set steps=2000000 -o folder/got.csv
expect 0 bestdag solve whole.jkl --solver orders --set steps=2000000 -q -o plain.csv
same plain.csv folder/got.csv
expect 1 full 1 learn wide.csv --max-parents 2 --checkpoint folder/ck -o folder/x.bif
absent folder/x.bif
rm -rf folder/*

# a certificate that is not there, or is still the old one, does not go unnoticed
for old in yes no; do
    rm -f folder/c.cert
    [ "$old" = no ] || echo old >folder/c.cert
    expect 1 full 1 solve whole.jkl --certificate folder/c.cert -q -o /dev/null
    says err 'folder/c.cert: the certificate was not written'
    [ "$old" = no ] || holds 'the old certificate stays' grep -qx old folder/c.cert
done
expect 0 bestdag solve whole.jkl --certificate folder/c.cert -q -o /dev/null
rm -rf folder/*

# nor is the command of a checkpoint more than that, nor the folder
expect 0 full 0 learn wide.csv --max-parents 2 --solver hc --checkpoint folder/ck -O bif -o /dev/null
expect 0 full 0 score wide.csv --max-parents 2 --checkpoint folder/ck -o /dev/null
rm -rf folder/*

# a score file and what stands beside it are replaced both, or neither
expect 0 bestdag score wide.csv --max-parents 1 --score ll -q -o folder/s.jkl
cp folder/s.jkl one.jkl
cp folder/s.jkl.json one.json
bestdag score wide.csv --max-parents 0 -q -o small.jkl
size=$(wc -c <small.jkl)
holds 'the file beside is not the larger one' [ "$(wc -c <small.jkl.json)" -gt $((size + 2048)) ]
expect 1 full $((size / 1024 + 1)) score wide.csv --max-parents 0 -o folder/s.jkl
says err 'folder/s.jkl.json: cannot write: File too large'
same one.jkl folder/s.jkl
same one.json folder/s.jkl.json
rm -f folder/*.part
files 'half a pair left files' 2
rm -rf folder/*
expect 0 bestdag convert wide.bif -q -o folder/n.uai
cp folder/n.uai one.uai
size=$(wc -c <one.uai)
echo '# old' >folder/n.uai.names
expect 1 full $((size / 1024 - 1)) convert wide.bif -o folder/n.uai
same one.uai folder/n.uai
holds 'the names were replaced' grep -qx '# old' folder/n.uai.names
rm -rf folder/*

# devices
for command in 'learn lighthouse.csv' 'sample wide.bif -O csv' 'score lighthouse.csv'; do
    # shellcheck disable=SC2086 # words
    expect 1 bestdag $command -q -o /dev/full
    says err 'No space left'
    # shellcheck disable=SC2086 # words
    expect 1 bash -c '"$BESTDAG" "$@" -q >/dev/full' bash $command
    says err 'No space left'
done
expect 1 bash -c '"$BESTDAG" learn lighthouse.csv -q --json >/dev/full'
says err 'cannot write'

# a disk of its own, filled while the work goes on
mkdir small
if mount -t tmpfs -o size=192k none small 2>/dev/null; then
    trap 'umount small; rm -rf "$work"' EXIT
    echo old >small/net.bif
    head -c 180000 /dev/zero >small/filler
    expect 1 bestdag learn wide.csv --max-parents 2 -q -o small/net.bif
    says err 'No space left'
    holds 'the old file is gone' grep -qx old small/net.bif
    holds 'files left' [ "$(find small -type f | wc -l)" -eq 2 ]
    # a checkpoint that does not fit: the same answer
    expect 0 bestdag learn wide.csv --parents greedy --max-parents 3 \
        --checkpoint small/ck --checkpoint-every 0 -o got.bif
    says err 'continuing without'
    expect 0 bestdag learn wide.csv --parents greedy --max-parents 3 -q -o plain.bif
    same plain.bif got.bif
    # nor one for which there is not even a folder
    rm -rf small/ck
    head -c 200000 /dev/zero >small/filler 2>/dev/null
    for ((i = 0; i < 2000; i++)); do
        : 2>/dev/null >"small/file$i" || break
    done
    expect 0 bestdag learn wide.csv --parents greedy --max-parents 3 \
        --checkpoint small/ck -o got.bif
    says err "checkpoint: cannot"
    says err 'continuing without'
    same plain.bif got.bif
    rm -f small/file* small/filler
    # bfbnb ends there with what it has
    rm -rf small/ck
    expect 0 bestdag solve whole.jkl --solver bfbnb --memory-limit 24M \
        --temp-dir small -o got.csv
else
    echo 'no file system could be mounted: that part is skipped'
fi
finish
