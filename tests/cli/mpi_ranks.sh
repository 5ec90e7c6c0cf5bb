#!/usr/bin/env bash
# Several ranks give the same bytes as one process: lists, networks, reports,
# whatever is spread (proofs: mpi_proofs.sh) and whatever is not. Faults: a rank that cannot read its
# input, ranks that read different files, a rank that is killed, a signal;
# checkpoints that go on with another number of ranks.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# shellcheck source-path=SCRIPTDIR source=ranks.sh
. "$(dirname "$0")/ranks.sh"

bestdag generate --variables 40 --seed 4 -q -o wide.bif
bestdag sample wide.bif -n 400 -q -o wide.csv
bestdag generate --variables 14 --seed 5 -q -o small.bif
bestdag sample small.bif -n 300 -q -o small.csv
bestdag sample small.bif -n 300 --seed 9 -q -o other.csv

# ---- what is spread -----------------------------------------------------------

same dense jkl '1 2 3 5' score wide.csv --max-parents 2
same sparse jkl '2 3' score small.csv --score bdeu
same greedy jkl '3' score wide.csv --parents greedy --effort low
same independence jkl '2 5' score wide.csv --parents independence --effort low
same candidates jkl '2' score wide.csv --candidates 6 --parents greedy --effort low
same ruled jkl '2' score wide.csv --max-parents 2 --require X3,X9
same orders bif '1 2 3 5' learn wide.csv --parents greedy --effort low \
    --solver orders --set steps=60000
same votes bif '2 3' bootstrap small.csv -R 7 --solver hc

# ---- what every rank does for itself -------------------------------------------

same auto bif '3' learn small.csv
same dp csv '2' solve sparse.jkl --solver dp

# cross-validation has a report and no other file
expect 0 bestdag classify validate small.csv --class X1 --folds 4 -q --json
plain out >folds.json
expect 0 ranks 3 classify validate small.csv --class X1 --folds 4 -q --json
plain out >folds-3.json
holds 'validate does not say the number of ranks' grep -q '"ranks": 3' out
holds 'three ranks validate otherwise' cmp -s folds.json folds-3.json

# ---- started without a launcher -------------------------------------------------

expect 0 "$ranked" learn small.csv -q --json -o alone.bif
holds 'ranks are said where there are none' grep -vq '"ranks"' out
holds 'without a launcher it differs' cmp -s auto.bif alone.bif
expect 0 "$ranked" --version -v
holds '--version -v says nothing of MPI' grep -q 'mpi  *yes' out

# ---- a program that starts MPI itself ---------------------------------------------

expect 0 timeout 300 mpirun -q -n 5 "$BUILD/tests/mpi_program" small.csv own
for name in own-0-0 own-0-1 own-1-0 own-1-1; do
    holds "a program with ranks of its own: $name differs" cmp -s auto.bif "$name.bif"
done

# ---- faults ---------------------------------------------------------------------

expect 3 ranks 2 learn none.csv
holds 'an error is printed once' [ "$(grep -c 'none.csv' err)" -eq 1 ]
expect 2 ranks 2 learn - <small.csv
holds 'standard input is not refused' grep -q 'one rank only' err

# Rank 1 is in another folder: it has no file, or another one.
cat >elsewhere.sh <<'END'
#!/usr/bin/env bash
[ "$OMPI_COMM_WORLD_RANK" = 0 ] || cd elsewhere
exec "$@"
END
mkdir elsewhere
expect 3 timeout 300 mpirun -q -n 2 bash elsewhere.sh "$ranked" learn small.csv -o x.bif
holds 'a rank without input does not name itself' grep -q 'rank 1: small.csv' err
cp other.csv elsewhere/small.csv
expect 3 timeout 300 mpirun -q -n 2 bash elsewhere.sh "$ranked" learn small.csv -o x.bif
holds 'ranks with other tables are not noticed' grep -q 'rank 1: small.csv: this is another' err
holds 'something was written' [ ! -e x.bif ]

finish
