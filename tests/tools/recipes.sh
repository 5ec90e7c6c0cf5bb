#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# recipes.sh -- is a new score or solver really one file and one row? Follows the
# recipes of CONTRIBUTING.md in a copy of the tree with a toy of each kind, and
# runs the conformance tests, help and the command on the result. What the toys do
# not touch comes from the library that is built already.
set -euo pipefail
[[ -e $BUILD/libbestdag.a && -e $BUILD/tests/test_solvers ]] || {
    echo 'skipped: the library or cmocka is not there'
    exit 77
}
fail() {
    echo "$*"
    exit 1
}
mkdir tree
cp -r "$ROOT"/{src,include,tests} tree

# ---- a score: one file ----------------------------------------------------------
cat >tree/src/scores/toy.c <<'END'
/* SPDX-License-Identifier: MIT */
/* toy.c -- log-likelihood less a constant per free parameter. */
#include <math.h>

#include "scores/score.h"

static const struct bestdag_option rows[] = {
    {"toy-weight", BESTDAG_NUMBER, "2", 0, 1e6, .value = "X",
     .help = "what toy subtracts per free parameter"},
    {0}};
static const struct bestdag_option_group options = {"score", rows};

static int prepare(struct bestdag_run *run, struct bestdag_scorer *s,
                   const struct bestdag_options *given)
{
    s->weight = bestdag_option_value(given, &options, "toy-weight").number;
    int f = bestdag_scorer_add(run, s, BESTDAG_XLOGX);
    for (int v = 0; f >= 0 && v < s->n; v++)
        s->top[v] = s->bottom[v] = f;
    return f < 0 ? BESTDAG_MEMORY : BESTDAG_OK;
}

static double penalty(const struct bestdag_scorer *s, int child,
                      const int *parents, int count)
{
    return s->weight * (s->states[child] - 1) *
           bestdag_scorer_joint_states(s, parents, count);
}

static double nats(const struct bestdag_scorer *s,
                   const struct bestdag_score_view *v)
{
    double sum = -penalty(s, v->child, v->parents, v->count);
    for (int64_t i = 0; i < v->cells; i++) {
        double n = (double)v->cell[i].count;
        sum += n * log(n / (double)v->weight[v->cell[i].group]);
    }
    return sum;
}

const struct bestdag_score_type bestdag_score_toy = {
    .name = "toy",
    .help = "ll - --toy-weight per free parameter",
    .options = {&options},
    .equivalent = true,
    .likelihood = true,
    .pruning = BESTDAG_PRUNE_PENALTY,
    .prepare = prepare,
    .penalty = penalty,
    .nats = nats};
END
# ---- and one row ------------------------------------------------------------------
sed -i 's/^#define SCORES(ROW) .*/&\n    ROW(toy) \\/' tree/src/scores/score.c

# ---- a solver: one file -----------------------------------------------------------
cat >tree/src/search/orders/toy_order.c <<'END'
/* SPDX-License-Identifier: MIT */
/* toy_order.c -- the best networks of random orders. */
#include "search/orders/adjacent_swaps.h"
#include "search/orders/restarts.h"

static const struct bestdag_option settings[] = {
    {"steps", BESTDAG_INTEGER, .least = 1, .most = 9e15, .value = "N",
     .help = "stop after this many look-ups in the candidate sets"},
    {"restarts", BESTDAG_INTEGER, "0", 0, 9e15, .value = "N",
     .help = "stop after this many random orders"},
    {0}};

static void *open_order(struct bestdag_run *run,
                        const struct bestdag_problem *problem)
{
    return bestdag_swaps_new(run, problem);
}

static void close_order(void *state)
{
    bestdag_swaps_free(state);
}

static void climb(void *state, struct bestdag_climb *c)
{
    struct bestdag_swaps *s = state;
    s->steps = 0;
    bestdag_swaps_load(s, c->order);
    c->choice = s->choice;
    c->cost = s->cost;
    c->steps = s->steps;
}

static int solve(struct bestdag_task *task, struct bestdag_answer *to)
{
    static const struct bestdag_climber climber = {.bytes = bestdag_swaps_bytes,
                                                   .open = open_order,
                                                   .close = close_order,
                                                   .climb = climb};
    return bestdag_restarts(task, &climber, to);
}

const struct bestdag_solver bestdag_solver_toy = {
    .name = "toy",
    .help = "the best network of random orders",
    .ground = BESTDAG_ON_SETS,
    .takes = BESTDAG_TAKES_ORDERS,
    .settings = settings,
    .solve = solve};
END
sed -i 's/^#define SOLVERS(X) .*/&\n    X(toy) \\/' tree/src/search/solver.c

# ---- build ------------------------------------------------------------------------
# The archive's own score.c and solver.c are not linked: their symbols are there.
build() { # program, source or object ...
    local program=$1
    shift
    # shellcheck disable=SC2086 # several flags
    "$CC" $CFLAGS -std=c11 -D_GNU_SOURCE -DBESTDAG_VERSION='"0"' -O1 \
        -Itree/src -Itree/include -Itree/tests -Itree/src/cli \
        -o "$program" "$@" objects/*.o "$BUILD/libbestdag.a" $libraries
}
libraries=$(sed -n 's/^Libs.private: *//p' "$BUILD"/pkgconfig/system/bestdag.pc)
mkdir objects
for file in scores/toy scores/score search/orders/toy_order search/solver; do
    # shellcheck disable=SC2086
    "$CC" $CFLAGS -std=c11 -D_GNU_SOURCE -DBESTDAG_VERSION='"0"' -O1 -Wall \
        -Wextra -Werror -Itree/src -Itree/include \
        -c "tree/src/$file.c" -o "objects/${file##*/}.o"
done
build bestdag tree/src/cli/*.c

# ---- the tables bring them everywhere ---------------------------------------------
grep -q toy <(./bestdag list scores) || fail 'list scores lacks the score'
grep -q "random orders" <(./bestdag list solvers -v) || fail 'list solvers lacks the setting'
grep -q -e --toy-weight <(./bestdag learn --help-all) || fail 'help lacks the option'
if ./bestdag learn "$ROOT/examples/lighthouse.csv" --toy-weight 3 2>said; then
    fail 'bic takes an option of toy'
fi
grep -q 'option of toy' said || fail "it says: $(cat said)"
answer=$(./bestdag learn "$ROOT/examples/lighthouse.csv" --score toy \
    --toy-weight 3.5 -q --json)
[[ $answer == *'"status": "optimal"'* && $answer == *'"score_name": "toy"'* ]] ||
    fail "learn says: $answer"
./bestdag learn "$ROOT/examples/lighthouse.csv" --solver toy --set restarts=9 -q \
    -O modelstring >/dev/null

# ---- and to the conformance tests -------------------------------------------------
cd tree/tests
for test in conformance/test_solvers conformance/test_proofs \
    conformance/test_rulings unit/test_properties; do
    (cd ../.. && build "${test##*/}" "tree/tests/$test.c" -Wno-conversion -lcmocka)
    BESTDAG_TEST_TRIALS=6 "../../${test##*/}" >log 2>&1 || {
        tail -n 30 log
        fail "$test fails with the toys"
    }
    echo "$test: passed with the toys"
done
