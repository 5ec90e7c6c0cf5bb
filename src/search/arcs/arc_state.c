/* SPDX-License-Identifier: MIT */
/* arc_state.c -- decisions that can be undone, and the sets that they leave.
 *
 * The state is one array of words with a trail of old values, so undoing costs
 * no more than doing. Decisions only remove sets: the search for a variable's
 * next set begins at its present one.
 *
 * Time: requiring an arc takes one row operation per variable before its parent
 * and after its child, and forbids one arc for each pair that it orders. */
#include <limits.h>
#include <string.h>

#include "search/arcs/arc_bound.h"

/* ---- the trail ----------------------------------------------------------- */

static bool grow_trail(struct bestdag_arc_state *m)
{
    size_t room = m->trail_room ? 2 * m->trail_room : 256;
    void *more = bestdag_realloc(m->run, m->trail, room * sizeof *m->trail);
    if (!more)
        return false;
    m->trail = more;
    m->trail_room = room;
    return true;
}

void bestdag_arc_state_write(struct bestdag_arc_state *m, uint64_t *at,
                             uint64_t value)
{
    if (*at == value || (m->trailed == m->trail_room && !grow_trail(m)))
        return;
    m->trail[m->trailed++] = (struct bestdag_undo){at, *at};
    *at = value;
}

void bestdag_arc_state_undo(struct bestdag_arc_state *m, size_t trailed)
{
    while (m->trailed > trailed) {
        const struct bestdag_undo *u = &m->trail[--m->trailed];
        *u->at = u->old;
    }
    m->logged = 0;
}

/* ---- decisions ----------------------------------------------------------- */

static bool note(struct bestdag_arc_state *m, int child, int parent)
{
    if (m->logged + 2 > m->log_room) {
        size_t room = m->log_room ? 2 * m->log_room : 256;
        void *more = bestdag_realloc(m->run, m->log, room * sizeof *m->log);
        if (!more)
            return false;
        m->log = more;
        m->log_room = room;
    }
    m->log[m->logged++] = child;
    m->log[m->logged++] = parent;
    return true;
}

static void add(struct bestdag_arc_state *m, uint64_t *row, int i)
{
    bestdag_arc_state_write(m, row + i / 64,
                            row[i / 64] | (uint64_t)1 << (i % 64));
}

bool bestdag_arc_state_forbid(struct bestdag_arc_state *m, int child,
                              int parent)
{
    int local = bestdag_problem_local(m->problem, child, parent);
    if (local < 0 || bestdag_arc_state_is(m, m->forbidden, child, local))
        return true;
    if (bestdag_arc_state_is(m, m->required, child, local))
        return false;
    add(m, m->forbidden + m->problem->offset[child], local);
    return note(m, child, parent);
}

bool bestdag_arc_state_require(struct bestdag_arc_state *m, int child,
                               int parent)
{
    int local = bestdag_problem_local(m->problem, child, parent);
    if (local < 0 || bestdag_arc_state_is(m, m->forbidden, child, local))
        return false;
    if (bestdag_arc_state_is(m, m->required, child, local))
        return true;
    add(m, m->required + m->problem->offset[child], local);
    return note(m, child, parent) &&
           bestdag_arc_state_precede(m, parent, child);
}

bool bestdag_arc_state_degree(struct bestdag_arc_state *m, int child,
                              int64_t low, int64_t high)
{
    low = low > m->low[child] ? low : m->low[child];
    high = high < m->high[child] ? high : m->high[child];
    if (low == m->low[child] && high == m->high[child])
        return true;
    bestdag_arc_state_write(m, (uint64_t *)&m->low[child], (uint64_t)low);
    bestdag_arc_state_write(m, (uint64_t *)&m->high[child], (uint64_t)high);
    return low <= high && note(m, child, child);
}

/* Puts all of `later` after x: no arc goes back. */
static bool put_after(struct bestdag_arc_state *m, int x, const uint64_t *later)
{
    uint64_t *row = bestdag_arc_state_row(m, m->after, x);
    for (size_t w = 0; w < m->words; w++) {
        uint64_t fresh = later[w] & ~row[w];
        bestdag_arc_state_write(m, row + w, row[w] | fresh);
        for (; fresh; fresh &= fresh - 1)
            if (!bestdag_arc_state_forbid(m, x,
                                          (int)w * 64 + __builtin_ctzll(fresh)))
                return false;
    }
    return true;
}

bool bestdag_arc_state_precede(struct bestdag_arc_state *m, int u, int v)
{
    size_t words = m->words;
    uint64_t *first = m->scratch, *then = m->scratch + words;
    if (u == v || bestdag_row_has(bestdag_arc_state_row(m, m->after, v), u))
        return false;
    if (bestdag_row_has(bestdag_arc_state_row(m, m->after, u), v))
        return true;
    memcpy(first, bestdag_arc_state_row(m, m->before, u),
           words * sizeof *first);
    memcpy(then, bestdag_arc_state_row(m, m->after, v), words * sizeof *then);
    bestdag_row_add(first, u);
    bestdag_row_add(then, v);
    bool good = true;
    for (int x = bestdag_row_next(first, words, 0); x >= 0 && good;
         x = bestdag_row_next(first, words, x + 1))
        good = put_after(m, x, then);
    for (int y = bestdag_row_next(then, words, 0); y >= 0 && good;
         y = bestdag_row_next(then, words, y + 1)) {
        uint64_t *row = bestdag_arc_state_row(m, m->before, y);
        for (size_t w = 0; w < words; w++)
            bestdag_arc_state_write(m, row + w, row[w] | first[w]);
    }
    return good && !bestdag_run_status(m->run);
}

/* ---- remaining sets ------------------------------------------------------ */

static bool fits(const struct bestdag_arc_state *m, int v, int set)
{
    const struct bestdag_indexed_list *candidates = &m->problem->candidates[v];
    const uint64_t *mask = bestdag_indexed_list_mask(candidates, set);
    const uint64_t *must = m->required + m->problem->offset[v];
    const uint64_t *barred = m->forbidden + m->problem->offset[v];
    uint64_t wrong = 0;
    for (int w = 0; w < candidates->words; w++)
        wrong |= (mask[w] & barred[w]) | (must[w] & ~mask[w]);
    return !wrong;
}

static bool has_size(const struct bestdag_arc_state *m, int v, int set)
{
    const int64_t *start = m->problem->sets->list[v].start;
    int64_t size = start[set + 1] - start[set];
    return size >= m->low[v] && size <= m->high[v];
}

bool bestdag_arc_state_allows(const struct bestdag_arc_state *m, int v, int set)
{
    return fits(m, v, set) && has_size(m, v, set);
}

int bestdag_arc_state_first(const struct bestdag_arc_state *m, int v, int from)
{
    const struct bestdag_indexed_list *candidates = &m->problem->candidates[v];
    int set = from;
    if (m->low[v] || m->high[v] != INT_MAX) {
        while (set < candidates->count &&
               !(fits(m, v, set) && has_size(m, v, set)))
            set++;
        return set;
    }
    if (candidates->words == 1) {
        uint64_t must = m->required[m->problem->offset[v]];
        uint64_t care = must | m->forbidden[m->problem->offset[v]];
        while (set < candidates->count &&
               (candidates->mask[set] & care) != must)
            set++;
        return set;
    }
    while (set < candidates->count && !fits(m, v, set))
        set++;
    return set;
}

/* Lists each variable of the log once and chooses its set; false: none is
 * left. */
static bool choose_sets(struct bestdag_arc_state *m, int *count)
{
    uint64_t *seen = m->scratch + 2 * m->words;
    bool good = true;
    *count = 0;
    memset(seen, 0, m->words * sizeof *seen);
    for (size_t i = 0; i < m->logged && good; i += 2) {
        int v = m->log[i];
        if (bestdag_row_has(seen, v))
            continue;
        bestdag_row_add(seen, v);
        m->changed[(*count)++] = v;
        int set = bestdag_arc_state_first(m, v, (int)m->set[v]);
        bestdag_arc_state_write(m, (uint64_t *)&m->set[v], (uint64_t)set);
        good = set < m->problem->candidates[v].count;
    }
    m->logged = 0;
    return good;
}

static bool update(struct bestdag_arc_state *m, int count)
{
    const struct bestdag_arc_bound *c = m->arc_bound;
    int64_t bound = c->row->update(c->data, m, m->changed, count);
    bestdag_arc_state_write(m, (uint64_t *)m->bound, (uint64_t)bound);
    return bound < m->problem->none && !bestdag_run_status(m->run);
}

bool bestdag_arc_state_settle(struct bestdag_arc_state *m)
{
    int count;
    return choose_sets(m, &count) && update(m, count);
}

/* ---- memory -------------------------------------------------------------- */

/* Reserves the next `count` words of the state. */
static uint64_t *cut(uint64_t **at, size_t count)
{
    uint64_t *part = *at;
    *at += count;
    return part;
}

static void cut_state(struct bestdag_arc_state *m, size_t masks)
{
    size_t n = (size_t)m->n, rows = n * m->words;
    uint64_t *at = m->state;
    m->required = cut(&at, masks);
    m->forbidden = cut(&at, masks);
    m->after = cut(&at, rows);
    m->before = cut(&at, rows);
    m->low = (int64_t *)cut(&at, n);
    m->high = (int64_t *)cut(&at, n);
    m->set = (int64_t *)cut(&at, n);
    m->bound = (int64_t *)cut(&at, 1);
    m->spare = (int64_t *)cut(&at, 1);
    m->own = (int64_t *)cut(&at, m->arc_bound->room);
}

int bestdag_arc_state_init(struct bestdag_run *run, struct bestdag_arc_state *m,
                           const struct bestdag_problem *problem,
                           const struct bestdag_arc_bound *arc_bound)
{
    size_t n = (size_t)problem->n, masks = (size_t)problem->words;
    *m = (struct bestdag_arc_state){.run = run,
                                    .problem = problem,
                                    .arc_bound = arc_bound,
                                    .n = problem->n};
    m->words = bestdag_row_words(m->n);
    size_t size = 2 * masks + 2 * n * m->words + 3 * n + 2 + arc_bound->room;
    m->state = bestdag_calloc(run, size, sizeof *m->state);
    m->changed = bestdag_alloc(run, n * sizeof *m->changed);
    m->scratch = bestdag_calloc(run, 3 * m->words, sizeof *m->scratch);
    if (!m->state || !m->changed || !m->scratch)
        return bestdag_run_status(run);
    cut_state(m, masks);
    if (arc_bound->row->enter)
        m->mine = arc_bound->row->enter(run, arc_bound->data);
    if (bestdag_run_status(run))
        return bestdag_run_status(run);
    for (int v = 0; v < m->n; v++) {
        m->high[v] = INT_MAX;
        m->changed[v] = v;
    }
    update(m, m->n);
    return bestdag_run_status(run);
}

void bestdag_arc_state_release(struct bestdag_arc_state *m)
{
    if (m->mine)
        m->arc_bound->row->leave(m->mine);
    bestdag_free(m->state);
    bestdag_free(m->trail);
    bestdag_free(m->log);
    bestdag_free(m->changed);
    bestdag_free(m->scratch);
    *m = (struct bestdag_arc_state){0};
}
