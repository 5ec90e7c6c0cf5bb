/* SPDX-License-Identifier: MIT */
/* placing.c -- orders as keys: evaluating, moving, climbing, pulling. */
#include "search/placing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/row.h"

static const struct bestdag_menu *menu_of(const struct bestdag_placing *p,
                                          int v)
{
    return &p->problem->menu[v];
}

static uint64_t *available_of(const struct bestdag_placing *p, int v)
{
    return p->available + p->problem->offset[v];
}

/* The menus on which v stands: from, to. */
static const struct bestdag_user *first_user(const struct bestdag_placing *p,
                                             int v)
{
    return p->problem->user + p->problem->user_start[v];
}

static const struct bestdag_user *end_user(const struct bestdag_placing *p,
                                           int v)
{
    return p->problem->user + p->problem->user_start[v + 1];
}

/* ---- making ----------------------------------------------------------------
 */

static int64_t most_users(const struct bestdag_problem *problem)
{
    int64_t most = 0;
    for (int v = 0; v < problem->n; v++) {
        int64_t users = problem->user_start[v + 1] - problem->user_start[v];
        most = users > most ? users : most;
    }
    return most;
}

static size_t widest(const struct bestdag_problem *problem)
{
    int words = 1;
    for (int v = 0; v < problem->n; v++)
        words = problem->menu[v].words > words ? problem->menu[v].words : words;
    return (size_t)words;
}

int64_t bestdag_placing_bytes(const struct bestdag_problem *problem)
{
    return (int64_t)problem->n * 64 + (int64_t)problem->words * 8 +
           most_users(problem) * 16 + 65536;
}

static int allocate(struct bestdag_run *run, struct bestdag_placing *p)
{
    const struct bestdag_problem *problem = p->problem;
    size_t n = (size_t)problem->n;
    p->key = bestdag_calloc(run, n, sizeof *p->key);
    p->available =
        bestdag_calloc(run, (size_t)problem->words, sizeof *p->available);
    p->choice = bestdag_calloc(run, n, sizeof *p->choice);
    p->queue = bestdag_calloc(run, n, sizeof *p->queue);
    p->is_queued = bestdag_calloc(run, n, sizeof *p->is_queued);
    p->passed =
        bestdag_calloc(run, (size_t)most_users(problem), sizeof *p->passed);
    p->scratch = bestdag_calloc(run, widest(problem), sizeof *p->scratch);
    p->stack = bestdag_calloc(run, n, sizeof *p->stack);
    p->block = bestdag_calloc(run, n, sizeof *p->block);
    p->order = bestdag_calloc(run, n, sizeof *p->order);
    p->is_above = bestdag_calloc(run, n, sizeof *p->is_above);
    p->is_below = bestdag_calloc(run, n, sizeof *p->is_below);
    return bestdag_run_status(run);
}

struct bestdag_placing *bestdag_placing_new(
    struct bestdag_run *run, const struct bestdag_problem *problem)
{
    struct bestdag_placing *p = bestdag_calloc(run, 1, sizeof *p);
    if (!p)
        return NULL;
    p->run = run;
    p->problem = problem;
    if (!allocate(run, p))
        return p;
    bestdag_placing_free(p);
    return NULL;
}

void bestdag_placing_free(struct bestdag_placing *p)
{
    if (!p)
        return;
    bestdag_free(p->key);
    bestdag_free(p->available);
    bestdag_free(p->choice);
    bestdag_free(p->log);
    bestdag_free(p->queue);
    bestdag_free(p->is_queued);
    bestdag_free(p->passed);
    bestdag_free(p->scratch);
    bestdag_free(p->stack);
    bestdag_free(p->block);
    bestdag_free(p->order);
    bestdag_free(p->is_above);
    bestdag_free(p->is_below);
    bestdag_free(p);
}

/* ---- the queue -------------------------------------------------------------
 */

static void push(struct bestdag_placing *p, int v)
{
    if (p->is_queued[v])
        return;
    int at = p->queue_from + p->queued++;
    p->queue[at < p->problem->n ? at : at - p->problem->n] = v;
    p->is_queued[v] = true;
}

static int pop(struct bestdag_placing *p)
{
    int v = p->queue[p->queue_from];
    p->queue_from = p->queue_from + 1 < p->problem->n ? p->queue_from + 1 : 0;
    p->queued--;
    p->is_queued[v] = false;
    return v;
}

static void clear_queue(struct bestdag_placing *p)
{
    while (p->queued)
        pop(p);
}

/* Pushes the one variable that set number `set` of x lacks, if it lacks only
 * one: it could help x by moving before it. */
static void push_last_lacking(struct bestdag_placing *p, int x, int set)
{
    const struct bestdag_menu *m = menu_of(p, x);
    const uint64_t *mask = bestdag_menu_mask(m, set);
    const uint64_t *available = available_of(p, x);
    int found = -1;
    for (int w = 0; w < m->words; w++) {
        uint64_t lacks = mask[w] & ~available[w];
        if (!lacks)
            continue;
        if (found >= 0 || (lacks & (lacks - 1)))
            return;
        found = w * 64 + __builtin_ctzll(lacks);
    }
    if (found >= 0)
        push(p, m->member[found]);
}

/* x lost what it had: it, and who could help it, are looked at again. */
static void push_helpers(struct bestdag_placing *p, int x)
{
    push(p, x);
    for (int set = 0; set < p->choice[x]; set++)
        push_last_lacking(p, x, set);
}

/* x can now have i: those who could help it together with i; and its parents,
 * whom it may need less. */
static void push_partners(struct bestdag_placing *p, int x, int i)
{
    const struct bestdag_menu *m = menu_of(p, x);
    push(p, x);
    for (int32_t k = m->start[i]; k < m->start[i + 1]; k++) {
        if (m->with[k] >= p->choice[x])
            break;
        push_last_lacking(p, x, m->with[k]);
    }
    if (p->choice[x] == m->count)
        return;
    const uint64_t *mask = bestdag_menu_mask(m, p->choice[x]);
    for (int w = 0; w < m->words; w++)
        for (uint64_t rest = mask[w]; rest; rest &= rest - 1) {
            int u = m->member[w * 64 + __builtin_ctzll(rest)];
            if (p->choice[u])
                push(p, u);
        }
}

/* ---- moving ----------------------------------------------------------------
 */

static void choose(struct bestdag_placing *p, int v, int set)
{
    const int64_t *cost = menu_of(p, v)->cost;
    p->cost += cost[set] - cost[p->choice[v]];
    p->choice[v] = set;
}

/* v itself sees others than before between the keys low and high. */
static void see(struct bestdag_placing *p, int v, double low, double high)
{
    const struct bestdag_menu *m = menu_of(p, v);
    uint64_t *available = available_of(p, v);
    bool changed = false;
    for (int i = 0; i < m->universe; i++) {
        double key = p->key[m->member[i]];
        if (key > low && key < high) {
            available[i / 64] ^= (uint64_t)1 << (i % 64);
            changed = true;
        }
    }
    if (!changed)
        return;
    p->steps++;
    choose(p, v, bestdag_menu_first(m, available, 0));
}

/* Those between the keys see v come (it moves down) or go. */
static void be_seen(struct bestdag_placing *p, int v, double from, double to,
                    bool queue)
{
    double low = from < to ? from : to, high = from < to ? to : from;
    const struct bestdag_user *end = end_user(p, v);
    for (const struct bestdag_user *u = first_user(p, v); u < end; u++) {
        int x = u->child, i = u->local, old = p->choice[x];
        double key = p->key[x];
        if (key < low || key > high) {
            if (queue && to < from && key < low && u->first < old)
                push(p, x); /* v has come nearer */
            continue;
        }
        const struct bestdag_menu *m = menu_of(p, x);
        uint64_t *available = available_of(p, x);
        available[i / 64] ^= (uint64_t)1 << (i % 64);
        if (to < from) {
            if (u->first < old) {
                p->steps++;
                choose(p, x, bestdag_menu_first_with(m, available, i, old));
            }
            if (queue)
                push_partners(p, x, i);
        } else if (bestdag_menu_holds(m, old, i)) {
            p->steps++;
            choose(p, x, bestdag_menu_first(m, available, old + 1));
            if (queue)
                push_helpers(p, x);
        }
    }
}

static void put(struct bestdag_placing *p, int v, double key, bool queue)
{
    double from = p->key[v];
    p->key[v] = key;
    see(p, v, from < key ? from : key, from < key ? key : from);
    be_seen(p, v, from, key, queue);
    if (queue)
        push_helpers(p, v);
}

static bool grow_log(struct bestdag_placing *p)
{
    int64_t room = p->log_room * 2 + 256;
    struct bestdag_past *more =
        bestdag_realloc(p->run, p->log, (size_t)room * sizeof *more);
    if (!more) {
        p->status = BESTDAG_MEMORY;
        return false;
    }
    p->log = more;
    p->log_room = room;
    return true;
}

static void move(struct bestdag_placing *p, int v, double key)
{
    if (p->logged == p->log_room && !grow_log(p))
        return;
    p->log[p->logged++] = (struct bestdag_past){.v = v, .key = p->key[v]};
    put(p, v, key, true);
}

void bestdag_placing_undo(struct bestdag_placing *p)
{
    clear_queue(p);
    while (p->logged) {
        struct bestdag_past past = p->log[--p->logged];
        put(p, past.v, past.key, false);
    }
}

/* ---- places ----------------------------------------------------------------
 */

/* The nearest key above (below) `at` among those that matter to v. */
static double next_key(const struct bestdag_placing *p, int v, double at)
{
    const struct bestdag_menu *m = menu_of(p, v);
    const struct bestdag_user *end = end_user(p, v);
    double next = INFINITY;
    for (int i = 0; i < m->universe; i++) {
        double key = p->key[m->member[i]];
        next = key > at && key < next ? key : next;
    }
    for (const struct bestdag_user *u = first_user(p, v); u < end; u++) {
        double key = p->key[u->child];
        next = key > at && key < next ? key : next;
    }
    return isinf(next) ? at + 1 : next;
}

static double last_key(const struct bestdag_placing *p, int v, double at)
{
    const struct bestdag_menu *m = menu_of(p, v);
    const struct bestdag_user *end = end_user(p, v);
    double last = -INFINITY;
    for (int i = 0; i < m->universe; i++) {
        double key = p->key[m->member[i]];
        last = key < at && key > last ? key : last;
    }
    for (const struct bestdag_user *u = first_user(p, v); u < end; u++) {
        double key = p->key[u->child];
        last = key < at && key > last ? key : last;
    }
    return isinf(last) ? at - 1 : last;
}

/* A key strictly between; false, and crowded, if there is none. */
static bool between(struct bestdag_placing *p, double low, double high,
                    double *key)
{
    double share = 0.25 + 0.5 * bestdag_random_unit(&p->random);
    *key = low + (high - low) * share;
    if (*key > low && *key < high)
        return true;
    p->is_crowded = true;
    return false;
}

static bool just_above(struct bestdag_placing *p, int v, double at, double *key)
{
    return between(p, at, next_key(p, v, at), key);
}

static bool just_below(struct bestdag_placing *p, int v, double at, double *key)
{
    return between(p, last_key(p, v, at), at, key);
}

/* ---- the best place of one variable ----------------------------------------
 */

static void sort_passed(struct bestdag_passed *a, int n, double sign)
{
    for (int i = 1; i < n; i++) { /* a handful, nearly always */
        struct bestdag_passed x = a[i];
        int j = i;
        for (; j > 0 && sign * a[j - 1].key > sign * x.key; j--)
            a[j] = a[j - 1];
        a[j] = x;
    }
}

/* Who would be better off with v before them, and by how much. */
static int find_gains(struct bestdag_placing *p, int v, int64_t *total)
{
    const struct bestdag_user *end = end_user(p, v);
    double here = p->key[v];
    int n = 0;
    *total = 0;
    for (const struct bestdag_user *u = first_user(p, v); u < end; u++) {
        int x = u->child, old = p->choice[x];
        if (u->first >= old || p->key[x] >= here)
            continue;
        const struct bestdag_menu *m = menu_of(p, x);
        p->steps++;
        int set = bestdag_menu_first_with(m, available_of(p, x), u->local, old);
        int64_t gain = m->cost[old] - m->cost[set];
        if (gain <= 0)
            continue;
        *total += gain;
        p->passed[n++] =
            (struct bestdag_passed){.key = p->key[x], .change = gain};
    }
    return n;
}

/* The set v would have just below `key`, given it has `set` further up.
 * Clears in p->scratch what v no longer sees. */
static int set_below(struct bestdag_placing *p, int v, double key, int set)
{
    const struct bestdag_menu *m = menu_of(p, v);
    for (int i = 0; i < m->universe; i++)
        if (p->key[m->member[i]] >= key)
            bestdag_row_drop(p->scratch, i);
    p->steps++;
    return bestdag_menu_first(m, p->scratch, set);
}

/* Moving down: others gain, v loses. Returns the change, negative if it pays,
 * and the key of the last one passed. */
static int64_t look_down(struct bestdag_placing *p, int v, double *at)
{
    const struct bestdag_menu *m = menu_of(p, v);
    int64_t left, gained = 0, best = 0;
    int n = find_gains(p, v, &left), set = p->choice[v];
    if (!n)
        return 0;
    sort_passed(p->passed, n, -1);
    memcpy(p->scratch, available_of(p, v), (size_t)m->words * 8);
    for (int i = 0; i < n; i++) {
        set = set_below(p, v, p->passed[i].key, set);
        gained += p->passed[i].change;
        left -= p->passed[i].change;
        int64_t change = m->cost[set] - m->cost[p->choice[v]] - gained;
        if (change < best) {
            best = change;
            *at = p->passed[i].key;
        }
        if (change - left >= best)
            break;
    }
    return best;
}

/* Who has v as a parent and comes after it, in order; change is what they and
 * those before them would lose together, as long as that is below `most`.
 * *end: where it is not. */
static int find_losses(struct bestdag_placing *p, int v, int64_t most,
                       double *limit)
{
    const struct bestdag_user *end = end_user(p, v);
    double here = p->key[v];
    int n = 0;
    *limit = INFINITY;
    for (const struct bestdag_user *u = first_user(p, v); u < end; u++)
        if (p->key[u->child] > here &&
            bestdag_menu_holds(menu_of(p, u->child), p->choice[u->child],
                               u->local))
            p->passed[n++] = (struct bestdag_passed){.key = p->key[u->child],
                                                     .change = u->child};
    sort_passed(p->passed, n, 1);
    int64_t lost = 0;
    for (int i = 0; i < n; i++) {
        int x = (int)p->passed[i].change, old = p->choice[x];
        const struct bestdag_menu *m = menu_of(p, x);
        uint64_t *available = available_of(p, x);
        int local = bestdag_problem_local(p->problem, x, v);
        bestdag_row_drop(available, local);
        p->steps++;
        int set = bestdag_menu_first(m, available, old + 1);
        bestdag_row_add(available, local);
        lost += m->cost[set] - m->cost[old];
        p->passed[i].change = lost;
        if (lost >= most) {
            *limit = p->passed[i].key;
            return i;
        }
    }
    return n;
}

/* The largest key of a set's members. */
static double last_member(const struct bestdag_placing *p,
                          const struct bestdag_menu *m, int set)
{
    const uint64_t *mask = bestdag_menu_mask(m, set);
    double last = -INFINITY;
    for (int w = 0; w < m->words; w++)
        for (uint64_t rest = mask[w]; rest; rest &= rest - 1) {
            double key = p->key[m->member[w * 64 + __builtin_ctzll(rest)]];
            last = key > last ? key : last;
        }
    return last;
}

/* Moving up: v gains, its children lose. */
static int64_t look_up(struct bestdag_placing *p, int v, double *at)
{
    const struct bestdag_menu *m = menu_of(p, v);
    int64_t own = bestdag_placing_regret(p, v), best = 0;
    double limit;
    if (own <= 0)
        return 0;
    int n = find_losses(p, v, own, &limit);
    p->steps++;
    for (int set = 0; set < p->choice[v] && m->cost[set] - own < best; set++) {
        double last = last_member(p, m, set);
        int64_t lost = 0;
        if (last >= limit)
            continue;
        for (int i = 0; i < n && p->passed[i].key <= last; i++)
            lost = p->passed[i].change;
        if (m->cost[set] - own + lost < best) {
            best = m->cost[set] - own + lost;
            *at = last;
        }
    }
    return best;
}

static void improve(struct bestdag_placing *p, int v)
{
    double low = 0, high = 0, key;
    p->looks++;
    int64_t down = look_down(p, v, &low), up = look_up(p, v, &high);
    if (down < 0 && down <= up && just_below(p, v, low, &key))
        move(p, v, key);
    else if (up < 0 && just_above(p, v, high, &key))
        move(p, v, key);
}

void bestdag_placing_climb(struct bestdag_placing *p)
{
    for (int64_t i = 0; p->queued && !p->status; i++) {
        if (i % 64 == 63 && bestdag_run_stopped(p->run))
            return;
        improve(p, pop(p));
    }
}

/* ---- pulling ---------------------------------------------------------------
 */

/* Adds u and its ancestors with keys above `floor` to the block, but for those
 * in `not`, and marks them as above. */
static int add_ancestors(struct bestdag_placing *p, int u, double floor,
                         const uint32_t * not, int count)
{
    int top = 0;
    if (p->is_above[u] == p->stamp)
        return count;
    p->is_above[u] = p->stamp;
    p->stack[top++] = p->block[count++] = u;
    while (top) {
        int x = p->stack[--top];
        const struct bestdag_menu *m = menu_of(p, x);
        if (p->choice[x] == m->count)
            continue;
        const uint64_t *mask = bestdag_menu_mask(m, p->choice[x]);
        for (int w = 0; w < m->words; w++)
            for (uint64_t rest = mask[w]; rest; rest &= rest - 1) {
                int y = m->member[w * 64 + __builtin_ctzll(rest)];
                if (p->key[y] <= floor || p->is_above[y] == p->stamp ||
                    not [y] == p->stamp)
                    continue;
                p->is_above[y] = p->stamp;
                p->stack[top++] = p->block[count++] = y;
            }
    }
    return count;
}

/* The same for v and its descendants up to `ceiling`, marked as below. */
static int add_descendants(struct bestdag_placing *p, int v, double ceiling,
                           const uint32_t * not )
{
    int top = 0, count = 0;
    p->is_below[v] = p->stamp;
    p->stack[top++] = p->block[count++] = v;
    while (top) {
        int y = p->stack[--top];
        const struct bestdag_user *end = end_user(p, y);
        for (const struct bestdag_user *u = first_user(p, y); u < end; u++) {
            int x = u->child;
            if (p->key[x] > ceiling || p->is_below[x] == p->stamp ||
                not [x] == p->stamp ||
                !bestdag_menu_holds(menu_of(p, x), p->choice[x], u->local))
                continue;
            p->is_below[x] = p->stamp;
            p->stack[top++] = p->block[count++] = x;
        }
    }
    return count;
}

static void sort_block(struct bestdag_placing *p, int count, double sign)
{
    for (int i = 1; i < count; i++) {
        int x = p->block[i], j = i;
        for (; j > 0 && sign * p->key[p->block[j - 1]] > sign * p->key[x]; j--)
            p->block[j] = p->block[j - 1];
        p->block[j] = x;
    }
}

/* Marks the parents that `set` lacks, with their ancestors. */
static int add_lacking(struct bestdag_placing *p, int v, int set,
                       const uint32_t * not )
{
    const struct bestdag_menu *m = menu_of(p, v);
    const uint64_t *mask = bestdag_menu_mask(m, set);
    int count = 0;
    for (int w = 0; w < m->words; w++)
        for (uint64_t rest = mask[w]; rest; rest &= rest - 1) {
            int u = m->member[w * 64 + __builtin_ctzll(rest)];
            if (p->key[u] > p->key[v])
                count = add_ancestors(p, u, p->key[v], not, count);
        }
    return count;
}

static void new_stamp(struct bestdag_placing *p)
{
    if (++p->stamp)
        return;
    memset(p->is_above, 0, (size_t)p->problem->n * sizeof *p->is_above);
    memset(p->is_below, 0, (size_t)p->problem->n * sizeof *p->is_below);
    p->stamp = 1;
}

void bestdag_placing_pull(struct bestdag_placing *p, int v, int set,
                          bool forward)
{
    double here = p->key[v], last = last_member(p, menu_of(p, v), set), key;
    int count;
    new_stamp(p);
    if (forward) {
        add_lacking(p, v, set, p->is_below);
        count = add_descendants(p, v, last, p->is_above);
        sort_block(p, count, -1); /* the last one goes first */
        for (int i = 0; i < count && just_above(p, p->block[i], last, &key);
             i++)
            move(p, p->block[i], key);
    } else {
        add_descendants(p, v, last, p->is_above);
        count = add_lacking(p, v, set, p->is_below);
        sort_block(p, count, 1);
        for (int i = 0; i < count && just_below(p, p->block[i], here, &key);
             i++)
            move(p, p->block[i], key);
    }
}

/* Would v close a cycle with this set? Descendants of v up to `ceiling` are
 * marked as below. */
static bool closes_cycle(const struct bestdag_placing *p, int v, int set)
{
    const struct bestdag_menu *m = menu_of(p, v);
    const uint64_t *mask = bestdag_menu_mask(m, set);
    for (int w = 0; w < m->words; w++)
        for (uint64_t rest = mask[w]; rest; rest &= rest - 1)
            if (p->is_below[m->member[w * 64 + __builtin_ctzll(rest)]] ==
                p->stamp)
                return true;
    return false;
}

/* The best set that v can have without a cycle. */
static int best_acyclic(struct bestdag_placing *p, int v)
{
    new_stamp(p);
    add_descendants(p, v, INFINITY, p->is_above);
    for (int set = 0; set < p->choice[v]; set++)
        if (!closes_cycle(p, v, set))
            return set;
    return p->choice[v];
}

void bestdag_placing_lift(struct bestdag_placing *p)
{
    int n = p->problem->n, since = 0; /* the last one that was lifted */
    for (int v = 0; since < n && !p->status; v = v + 1 < n ? v + 1 : 0) {
        since++;
        if (bestdag_run_stopped(p->run))
            return;
        if (bestdag_placing_regret(p, v) <= 0)
            continue;
        int set = best_acyclic(p, v);
        int64_t old = p->cost;
        if (set == p->choice[v])
            continue;
        bestdag_placing_pull(p, v, set, true);
        bestdag_placing_climb(p);
        if (p->cost < old) /* else the keys were crowded */
            since = 0;
    }
}

void bestdag_placing_throw(struct bestdag_placing *p, int v)
{
    const struct bestdag_menu *m = menu_of(p, v);
    int64_t users = end_user(p, v) - first_user(p, v);
    int64_t all = users + m->universe;
    double key;
    if (!all)
        return;
    int64_t i = (int64_t)bestdag_random_below(&p->random, (uint64_t)all);
    int x = i < users ? first_user(p, v)[i].child : m->member[i - users];
    bool up = bestdag_random_bits(&p->random) & 1;
    if (up ? just_above(p, v, p->key[x], &key)
           : just_below(p, v, p->key[x], &key))
        move(p, v, key);
}

/* ---- orders in and out -----------------------------------------------------
 */

static int compare_passed(const void *a, const void *b)
{
    const struct bestdag_passed *x = a, *y = b;
    if (x->key < y->key || x->key > y->key)
        return x->key < y->key ? -1 : 1;
    return x->change < y->change ? -1 : x->change > y->change;
}

int bestdag_placing_get(struct bestdag_placing *p, int *order)
{
    size_t n = (size_t)p->problem->n;
    struct bestdag_passed *all = bestdag_alloc(p->run, n * sizeof *all);
    if (!all)
        return bestdag_run_status(p->run);
    for (size_t v = 0; v < n; v++)
        all[v] =
            (struct bestdag_passed){.key = p->key[v], .change = (int64_t)v};
    qsort(all, n, sizeof *all, compare_passed);
    for (size_t i = 0; i < n; i++)
        order[i] = (int)all[i].change;
    bestdag_free(all);
    return BESTDAG_OK;
}

void bestdag_placing_keep(struct bestdag_placing *p)
{
    p->logged = 0;
}

void bestdag_placing_spread(struct bestdag_placing *p)
{
    if (!p->is_crowded)
        return;
    p->status = bestdag_placing_get(p, p->order);
    for (int i = 0; i < p->problem->n && !p->status; i++)
        p->key[p->order[i]] = i;
    p->is_crowded = false;
}

/* Number of parents in v's choice. */
static int count_parents(const struct bestdag_placing *p, int v)
{
    const struct bestdag_menu *m = menu_of(p, v);
    return p->choice[v] == m->count
               ? 0
               : bestdag_row_count(bestdag_menu_mask(m, p->choice[v]),
                                   (size_t)m->words);
}

/* Kahn's order with a stack: depth first, parents before children. */
static void order_depth_first(struct bestdag_placing *p, int *order)
{
    int n = p->problem->n, top = 0, count = 0;
    int32_t *waits = p->block, *ready = p->stack;
    for (int v = n - 1; v >= 0; v--) {
        waits[v] = count_parents(p, v);
        if (!waits[v])
            ready[top++] = v;
    }
    while (top) {
        int u = ready[--top];
        const struct bestdag_user *end = end_user(p, u);
        order[count++] = u;
        for (const struct bestdag_user *x = first_user(p, u); x < end; x++)
            if (bestdag_menu_holds(menu_of(p, x->child), p->choice[x->child],
                                   x->local) &&
                !--waits[x->child])
                ready[top++] = x->child;
    }
}

void bestdag_placing_gather(struct bestdag_placing *p)
{
    order_depth_first(p, p->order);
    bestdag_placing_set(p, p->order);
    clear_queue(p);
}

void bestdag_placing_copy(struct bestdag_placing *p,
                          const struct bestdag_placing *from)
{
    size_t n = (size_t)p->problem->n;
    clear_queue(p);
    p->logged = 0;
    p->cost = from->cost;
    p->is_crowded = from->is_crowded;
    memcpy(p->key, from->key, n * sizeof *p->key);
    memcpy(p->choice, from->choice, n * sizeof *p->choice);
    memcpy(p->available, from->available,
           (size_t)p->problem->words * sizeof *p->available);
}

void bestdag_placing_adopt(struct bestdag_placing *p,
                           const struct bestdag_placing *from,
                           const int32_t *moved, int count)
{
    int64_t old = p->cost;
    for (int i = 0; i < count; i++)
        move(p, moved[i], from->key[moved[i]]);
    bestdag_placing_climb(p);
    if (p->cost < old)
        bestdag_placing_keep(p);
    else
        bestdag_placing_undo(p);
}

void bestdag_placing_set(struct bestdag_placing *p, const int *order)
{
    const struct bestdag_problem *problem = p->problem;
    p->logged = 0;
    p->cost = 0;
    p->is_crowded = false;
    clear_queue(p);
    for (int i = 0; i < problem->n; i++)
        p->key[order[i]] = i;
    memset(p->available, 0, (size_t)problem->words * sizeof *p->available);
    for (int v = 0; v < problem->n; v++) {
        const struct bestdag_menu *m = menu_of(p, v);
        uint64_t *available = available_of(p, v);
        for (int i = 0; i < m->universe; i++)
            if (p->key[m->member[i]] < p->key[v])
                bestdag_row_add(available, i);
        p->choice[v] = bestdag_menu_first(m, available, 0);
        p->cost += m->cost[p->choice[v]];
        push(p, v);
    }
    p->steps += problem->n;
}
