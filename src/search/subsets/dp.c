/* SPDX-License-Identifier: MIT */
/* dp.c -- the optimal network by dynamic programming over subsets.
 *
 * The last variable of an optimal order of S takes its best set of the others:
 *
 *     least(S) = min over v in S of least(S - v) + best(v, S - v)
 *
 * (Silander and Myllymäki 2006; Yuan and Malone 2012 as a shortest path.) Each
 * component is solved alone. Only least() is stored, 8 bytes per subset; the
 * last variable is recomputed n times when the order is traced back.
 *
 * best(v, .) is never stored for all subsets. A subset is a high part H and a
 * low part of `low` bits, and the subsets of one H are a block:
 *
 *     list of v  -- sets whose high part is inside H -->  table[low part]
 *     table      -- least number among all subsets -->    best(v, H + L), all L
 *
 * The tables hold indices of sets, cheapest first, so that the least index is
 * the best set, and propagating it takes minima of small integers: `low` / 2 of
 * them per entry, eight at a time. A block needs the blocks of H without one of
 * its bits, so blocks with equally many bits are independent: threads share
 * them, and the answer does not depend on the schedule.
 *
 * Time O(n low 2^n) in vector operations and n / 2 look-ups per subset, plus a
 * pass over all lists per block. Memory 8 * 2^n bytes, and n tables per
 * thread. */
#include "search/subsets/dp.h"

#include <assert.h>
#include <stdio.h>

#include "base/invariant.h"
#include "base/simd.h"
#include "base/text.h"
#include "parallel/parallel.h"
#include "problem/component.h"
#include "search/orders/first_network.h"
#include "search/saved_state.h"

static const struct bestdag_option settings[] = {
    {"block", BESTDAG_INTEGER, NULL, 3, 20, .value = "B",
     .help = "process subsets in blocks of 2^B: a larger B makes fewer passes "
             "over the candidate sets, a smaller one fits into the cache; by "
             "default 12 to 16, depending on the number of sets"},
    {0}};

enum {
    LEAST_LOW = 3,  /* bits of a block: one vector */
    USUAL_LOW = 12, /* its tables fit into the L2 cache */
    MOST_LOW = 16   /* beyond this, passes over even the longest lists are
                       cheap */
};

struct search {
    struct bestdag_task *task;
    struct bestdag_run *run;
    struct bestdag_components *components; /* owns */
    int block; /* bits of a block, if the component has as many */
    int threads;
    int64_t *least;   /* owns; [2^largest] */
    int32_t *table;   /* owns; [threads * (block + 1)] tables */
    size_t stride;    /* of a table: its entries, and one for excluded sets */
    uint32_t *high;   /* owns; all high parts, fewest bits first */
    int *order;       /* owns; [n]: the incumbent's order, then the answer */
    int *rank;        /* owns; [n]: positions in the incumbent's order */
    int64_t steps;    /* look-ups */
    int64_t blocks;   /* done so far, in all components */
    int64_t cost;     /* of the solved components */
    int solved;       /* components */
    int next, placed; /* the next component; variables of the previous ones */
    bool is_possible; /* every component so far has a network */
    /* the current component */
    const struct bestdag_component *at;
    int low;
    int64_t first; /* index in `high` where this layer begins */
    bool has_avx2;
};

/* ---- best sets of a block ------------------------------------------------ */

static inline int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Entry i becomes the minimum over all subsets of i. */
BESTDAG_INLINE void pass_on(int32_t *table, int bits)
{
    size_t size = (size_t)1 << bits;
    for (size_t i = 0; i < size; i += 8) {
        int32_t *t = table + i;
        for (int k = 0; k < 8; k += 2)
            t[k + 1] = smaller(t[k + 1], t[k]);
        for (int k = 0; k < 8; k += 4) {
            t[k + 2] = smaller(t[k + 2], t[k]);
            t[k + 3] = smaller(t[k + 3], t[k + 1]);
        }
        for (int k = 0; k < 4; k++)
            t[k + 4] = smaller(t[k + 4], t[k]);
    }
    for (size_t bit = 8; bit < size; bit *= 2)
        for (size_t i = 0; i < size; i += 2 * bit) {
            int32_t *restrict to = table + i + bit;
            const int32_t *restrict from = table + i;
            for (size_t k = 0; k < bit; k++)
                to[k] = smaller(to[k], from[k]);
        }
}

/* The best set of one variable for every subset of the block. Sets that the
 * high part excludes go to an entry that is never read. */
BESTDAG_INLINE void fill_table(const struct bestdag_candidates *p,
                               uint64_t high, int bits, int32_t *table)
{
    size_t size = (size_t)1 << bits;
    uint64_t inside = size - 1, barred = ~(high << bits | inside);
    for (size_t i = 0; i < size; i++)
        table[i] = p->count;
    for (int set = p->count - 1; set >= 0; set--) {
        uint64_t mask = p->mask[set];
        table[mask & barred ? size : mask & inside] = set;
    }
    pass_on(table, bits);
}

/* ---- a block ------------------------------------------------------------- */

/* The last variable is v, of the high part. */
BESTDAG_INLINE void end_with_high(const struct search *s, uint64_t high, int v,
                                  int32_t *table)
{
    size_t size = (size_t)1 << s->low;
    uint64_t rest = high & ~((uint64_t)1 << (v - s->low));
    const int64_t *restrict from = s->least + (rest << s->low);
    const int64_t *restrict cost = s->at->list[v].cost;
    int64_t *restrict to = s->least + (high << s->low);
    fill_table(&s->at->list[v], high, s->low, table);
    for (size_t i = 0; i < size; i++) {
        int64_t least = from[i] + cost[table[i]];
        to[i] = least < to[i] ? least : to[i];
    }
}

/* The last variable is one of the low part; the entries for its subsets precede
 * each entry. */
BESTDAG_INLINE void end_with_low(const struct search *s, int64_t *to, int bits,
                                 const int32_t *table)
{
    const int64_t *cost[BESTDAG_DP_MOST];
    for (int v = 0; v < bits; v++)
        cost[v] = s->at->list[v].cost;
    for (uint32_t i = 1; i < (uint32_t)1 << bits; i++) {
        int64_t least = to[i];
        for (uint32_t left = i; left; left &= left - 1) {
            int v = __builtin_ctz(left);
            uint32_t rest = i & ~(left & -left);
            int64_t sum =
                to[rest] + cost[v][table[(size_t)v * s->stride + rest]];
            least = sum < least ? sum : least;
        }
        to[i] = least;
    }
}

BESTDAG_INLINE void solve_block(const struct search *s, uint64_t high,
                                int32_t *table)
{
    int bits = s->low < s->at->n ? s->low : s->at->n;
    int64_t *to = s->least + (high << s->low);
    for (size_t i = 0; i < (size_t)1 << s->low; i++)
        to[i] = INT64_MAX;
    if (!high)
        to[0] = 0;
    for (int v = s->low; v < s->at->n; v++)
        if (high >> (v - s->low) & 1)
            end_with_high(s, high, v, table);
    for (int v = 0; v < bits; v++)
        fill_table(&s->at->list[v], high, s->low,
                   table + (size_t)v * s->stride);
    end_with_low(s, to, bits, table);
}

static void solve_block_anywhere(const struct search *s, uint64_t high,
                                 int32_t *table)
{
    solve_block(s, high, table);
}

BESTDAG_AVX2 static void solve_block_avx2(const struct search *s, uint64_t high,
                                          int32_t *table)
{
    solve_block(s, high, table);
}

static int work(void *argument, int64_t item, int worker)
{
    const struct search *s = argument;
    uint64_t high = s->high[s->first + item];
    int32_t *table =
        s->table + (size_t)worker * (size_t)(s->block + 1) * s->stride;
    if (s->has_avx2)
        solve_block_avx2(s, high, table);
    else
        solve_block_anywhere(s, high, table);
    return BESTDAG_OK;
}

/* ---- a component --------------------------------------------------------- */

/* Fills `high` with all numbers of this many bits, sorted by their number of
 * ones. */
static void sort_high(struct search *s, int bits)
{
    int64_t start[BESTDAG_DP_MOST + 2] = {0};
    uint64_t size = (uint64_t)1 << bits;
    for (uint64_t i = 0; i < size; i++)
        start[__builtin_popcountll(i) + 1]++;
    for (int k = 0; k < bits; k++)
        start[k + 1] += start[k];
    for (uint64_t i = 0; i < size; i++)
        s->high[start[__builtin_popcountll(i)]++] = (uint32_t)i;
}

/* Solves all blocks whose high part has `bits` ones; false: stopped, or an
 * error. */
static bool solve_layer(struct search *s, int bits, int64_t items)
{
    struct bestdag_work job = {
        .job = s, .items = items, .work = work, .before = s->blocks};
    int64_t done = 0;
    if (items == 1) { /* too little for threads */
        if (!bestdag_run_watch(s->run, s->blocks))
            done = 1 + work(s, 0, 0);
    } else if (bestdag_parallel(s->run, &job, &done))
        return false;
    int low = s->low < s->at->n ? s->low : s->at->n;
    s->steps += done * (((int64_t)bits << low) + ((int64_t)low << low) / 2);
    s->blocks += done;
    assert(done <= items);
    s->first += items;
    return done == items;
}

static bool fill_least(struct search *s)
{
    int bits = s->at->n > s->low ? s->at->n - s->low : 0;
    int64_t items = 1;
    s->first = 0;
    sort_high(s, bits);
    for (int k = 0; k <= bits; k++) {
        if (!solve_layer(s, k, items))
            return false;
        items = items * (bits - k) / (k + 1);
    }
    return true;
}

/* From the full set backwards: finds a variable that may be last. Fills
 * order[n]. */
static void trace_back(const struct search *s, int *order)
{
    uint64_t left = ((uint64_t)1 << s->at->n) - 1;
    for (int i = s->at->n - 1; i >= 0; i--)
        for (int v = 0; v < s->at->n; v++) {
            uint64_t rest = left & ~((uint64_t)1 << v);
            if (rest != left && s->least[rest] + bestdag_candidates_best(
                                                     &s->at->list[v], rest) ==
                                    s->least[left]) {
                order[i] = s->at->variable[v];
                left = rest;
                break;
            }
        }
    assert(!left); /* one variable was removed in each step */
}

/* Fills order[n] with the optimum, or, if stopped, the incumbent's order. */
static void solve_component(struct search *s, int *order)
{
    s->low = s->at->n < s->block ? s->at->n : s->block;
    s->low = s->low < LEAST_LOW ? LEAST_LOW : s->low;
    if (bestdag_run_stopped(s->run) || !fill_least(s)) {
        bestdag_first_network_part(s->at, s->rank, order);
        return;
    }
    int64_t cost = s->least[((uint64_t)1 << s->at->n) - 1];
    assert(s->least[0] == 0 && cost >= 0);
    trace_back(s, order);
    s->cost += cost;
    s->is_possible &= cost < s->task->problem->none;
    s->solved++;
}

/* ---- memory -------------------------------------------------------------- */

int64_t bestdag_dp_bytes(int variables)
{
    int bits = variables < LEAST_LOW ? LEAST_LOW : variables;
    return (int64_t)sizeof(int64_t) << bits;
}

/* Refuses, before any work, what memory cannot hold. */
static int check_memory(const struct search *s)
{
    int n = s->components->largest;
    char what[96], needed[32], there[32];
    if (n > BESTDAG_DP_MOST)
        return bestdag_fail(s->run, BESTDAG_MEMORY,
                            "dp: a component has %d variables, and dp can hold "
                            "the subsets of at most %d; use another solver",
                            n, BESTDAG_DP_MOST);
    snprintf(what, sizeof what, "dp: the table of all subsets of %d variables",
             n);
    int64_t bytes = bestdag_dp_bytes(n), most = bestdag_memory_physical();
    bestdag_size_format(bytes, needed);
    bestdag_size_format(most, there);
    if (most && bytes > most)
        return bestdag_fail(s->run, BESTDAG_MEMORY,
                            "%s needs %s; this machine has %s", what, needed,
                            there);
    bestdag_note(
        s->run, 1, "dp: %d component%s, the largest of %d variable%s: %s",
        s->components->components, s->components->components == 1 ? "" : "s", n,
        n == 1 ? "" : "s", needed);
    return bestdag_reserve(s->run, bytes, what);
}

/* The number of high parts of the largest component. */
static int64_t count_blocks(const struct search *s)
{
    int n = s->components->largest;
    return (int64_t)1 << (n > s->block ? n - s->block : 0);
}

static int allocate(struct search *s)
{
    size_t n = (size_t)s->components->n, blocks = (size_t)count_blocks(s);
    int most =
        s->components->largest < s->block ? s->components->largest : s->block;
    s->block = most < LEAST_LOW ? LEAST_LOW : most;
    s->stride = ((size_t)1 << s->block) + 8;
    s->threads = bestdag_parallel_threads(s->run, (int64_t)blocks);
    s->least =
        bestdag_alloc(s->run, (size_t)bestdag_dp_bytes(s->components->largest));
    s->table =
        bestdag_alloc(s->run, (size_t)s->threads * (size_t)(s->block + 1) *
                                  s->stride * sizeof *s->table);
    s->high = bestdag_alloc(s->run, blocks * sizeof *s->high);
    s->order = bestdag_calloc(s->run, n, sizeof *s->order);
    s->rank = bestdag_calloc(s->run, n, sizeof *s->rank);
    return bestdag_run_status(s->run);
}

static void release(struct search *s)
{
    bestdag_components_free(s->components);
    bestdag_free(s->least);
    bestdag_free(s->table);
    bestdag_free(s->high);
    bestdag_free(s->order);
    bestdag_free(s->rank);
}

/* ---- the solver ---------------------------------------------------------- */

/* Chooses the block size such that a pass over a list costs no more than
 * filling its table. */
static int choose_block(const struct search *s)
{
    struct bestdag_value given = bestdag_task_setting(s->task, "block");
    int64_t sets = 0;
    int block = USUAL_LOW;
    for (int v = 0; v < s->components->n; v++)
        sets += s->components->list[v].count;
    while (block < MOST_LOW && sets >> block > s->components->n)
        block++;
    return given.text ? (int)given.integer : block;
}

static int prepare(struct search *s)
{
    s->components = bestdag_components_new(s->run, s->task->problem);
    s->has_avx2 = bestdag_has_avx2();
    s->is_possible = true;
    if (!s->components || check_memory(s))
        return bestdag_run_status(s->run);
    s->block = choose_block(s);
    if (allocate(s))
        return bestdag_run_status(s->run);
    int64_t blocks = 0;
    for (int i = 0; i < s->components->components; i++) {
        int n = s->components->component[i].n;
        blocks += (int64_t)1 << (n > s->block ? n - s->block : 0);
    }
    bestdag_run_phase(s->run, s->task->solver->name, blocks);
    return bestdag_first_network_find(s->task, 1, s->order, &s->steps);
}

/* The state between two components. */
static void pass_search(void *argument, struct bestdag_archive *p)
{
    struct search *s = argument;
    int possible = s->is_possible;
    BESTDAG_PASS(p, s->cost);
    bestdag_pass_count(p, &s->steps);
    BESTDAG_PASS(p, s->solved);
    if (s->solved < 0 || s->solved > s->components->components) {
        bestdag_archive_reject(p);
        s->solved = 0;
    }
    BESTDAG_PASS(p, possible);
    s->is_possible = possible != 0;
    s->placed = bestdag_pass_components(p, s->components, &s->next, s->order);
}

static int solve(struct bestdag_task *task, struct bestdag_answer *to)
{
    struct search s = {.task = task, .run = task->run};
    int status = prepare(&s);
    for (int i = 0; !status && i < task->n; i++)
        s.rank[s.order[i]] = i;
    if (!status && bestdag_task_resume(task, pass_search, &s))
        bestdag_note(s.run, 1, "dp: %d components are already solved", s.next);
    status = bestdag_run_status(task->run);
    while (!status && s.next < s.components->components) {
        s.at = &s.components->component[s.next++];
        solve_component(&s, s.order + s.placed);
        s.placed += s.at->n;
        if (s.is_possible)
            bestdag_task_prove(task, task->problem, s.cost);
        bestdag_task_save(task, pass_search, &s);
        status = bestdag_run_status(task->run);
    }
    to->steps = s.steps;
    assert(status || (s.placed == task->n && s.solved <= s.next &&
                      bestdag_is_permutation(s.order, task->n)));
    if (!status && s.is_possible)
        bestdag_first_network_answer(task, s.order, s.cost, to);
    release(&s);
    return bestdag_run_status(task->run);
}

const struct bestdag_solver bestdag_solver_dp = {
    .name = "dp",
    .help = "exact: dynamic programming over all subsets of a component, of up "
            "to about 30 variables; 8 bytes per subset",
    .ground = BESTDAG_ON_SETS,
    .takes = BESTDAG_TAKES_ORDERS,
    .proves = true,
    .settings = settings,
    .solve = solve,
};
