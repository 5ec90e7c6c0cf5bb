/* SPDX-License-Identifier: MIT */
/* arc_marks.c -- marks that can be taken back, and the sets that they leave.
 *
 * The state is one array of words. Whoever changes one notes what it was, so
 * going back costs what going forward did. Marks only ever take sets away: the
 * set of a variable is searched from the last one on.
 *
 * Time: a must costs as many row operations as there are variables before its
 * parent and after its child, and one bar for each pair that it orders anew. */
#include <limits.h>
#include <string.h>

#include "search/arcs/arc_bound.h"

/* ---- taking back ---------------------------------------------------------
 */

static bool grow_trail(struct bestdag_arc_marks *m)
{
    size_t room = m->trail_room ? 2 * m->trail_room : 256;
    void *more = bestdag_realloc(m->run, m->trail, room * sizeof *m->trail);
    if (!more)
        return false;
    m->trail = more;
    m->trail_room = room;
    return true;
}

void bestdag_arc_marks_write(struct bestdag_arc_marks *m, uint64_t *at,
                             uint64_t value)
{
    if (*at == value || (m->trailed == m->trail_room && !grow_trail(m)))
        return;
    m->trail[m->trailed++] = (struct bestdag_undo){at, *at};
    *at = value;
}

void bestdag_arc_marks_back(struct bestdag_arc_marks *m, size_t trailed)
{
    while (m->trailed > trailed) {
        const struct bestdag_undo *u = &m->trail[--m->trailed];
        *u->at = u->old;
    }
    m->logged = 0;
}

/* ---- marks ---------------------------------------------------------------
 */

static bool note(struct bestdag_arc_marks *m, int child, int parent)
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

static void add(struct bestdag_arc_marks *m, uint64_t *row, int i)
{
    bestdag_arc_marks_write(m, row + i / 64,
                            row[i / 64] | (uint64_t)1 << (i % 64));
}

bool bestdag_arc_marks_bar(struct bestdag_arc_marks *m, int child, int parent)
{
    int local = bestdag_problem_local(m->problem, child, parent);
    if (local < 0 || bestdag_arc_marks_is(m, m->barred, child, local))
        return true;
    if (bestdag_arc_marks_is(m, m->must, child, local))
        return false;
    add(m, m->barred + m->problem->offset[child], local);
    return note(m, child, parent);
}

bool bestdag_arc_marks_must(struct bestdag_arc_marks *m, int child, int parent)
{
    int local = bestdag_problem_local(m->problem, child, parent);
    if (local < 0 || bestdag_arc_marks_is(m, m->barred, child, local))
        return false;
    if (bestdag_arc_marks_is(m, m->must, child, local))
        return true;
    add(m, m->must + m->problem->offset[child], local);
    return note(m, child, parent) &&
           bestdag_arc_marks_precede(m, parent, child);
}

bool bestdag_arc_marks_degree(struct bestdag_arc_marks *m, int child,
                              int64_t low, int64_t high)
{
    low = low > m->low[child] ? low : m->low[child];
    high = high < m->high[child] ? high : m->high[child];
    if (low == m->low[child] && high == m->high[child])
        return true;
    bestdag_arc_marks_write(m, (uint64_t *)&m->low[child], (uint64_t)low);
    bestdag_arc_marks_write(m, (uint64_t *)&m->high[child], (uint64_t)high);
    return low <= high && note(m, child, child);
}

/* All of `later` come after x: no arc goes back. */
static bool put_after(struct bestdag_arc_marks *m, int x, const uint64_t *later)
{
    uint64_t *row = bestdag_arc_marks_row(m, m->after, x);
    for (size_t w = 0; w < m->words; w++) {
        uint64_t fresh = later[w] & ~row[w];
        bestdag_arc_marks_write(m, row + w, row[w] | fresh);
        for (; fresh; fresh &= fresh - 1)
            if (!bestdag_arc_marks_bar(m, x,
                                       (int)w * 64 + __builtin_ctzll(fresh)))
                return false;
    }
    return true;
}

bool bestdag_arc_marks_precede(struct bestdag_arc_marks *m, int u, int v)
{
    size_t words = m->words;
    uint64_t *first = m->scratch, *then = m->scratch + words;
    if (u == v || bestdag_row_has(bestdag_arc_marks_row(m, m->after, v), u))
        return false;
    if (bestdag_row_has(bestdag_arc_marks_row(m, m->after, u), v))
        return true;
    memcpy(first, bestdag_arc_marks_row(m, m->before, u),
           words * sizeof *first);
    memcpy(then, bestdag_arc_marks_row(m, m->after, v), words * sizeof *then);
    bestdag_row_add(first, u);
    bestdag_row_add(then, v);
    bool good = true;
    for (int x = bestdag_row_next(first, words, 0); x >= 0 && good;
         x = bestdag_row_next(first, words, x + 1))
        good = put_after(m, x, then);
    for (int y = bestdag_row_next(then, words, 0); y >= 0 && good;
         y = bestdag_row_next(then, words, y + 1)) {
        uint64_t *row = bestdag_arc_marks_row(m, m->before, y);
        for (size_t w = 0; w < words; w++)
            bestdag_arc_marks_write(m, row + w, row[w] | first[w]);
    }
    return good && !bestdag_run_status(m->run);
}

/* ---- the sets that are left ------------------------------------------------
 */

static bool fits(const struct bestdag_arc_marks *m, int v, int set)
{
    const struct bestdag_indexed_list *candidates = &m->problem->candidates[v];
    const uint64_t *mask = bestdag_indexed_list_mask(candidates, set);
    const uint64_t *must = m->must + m->problem->offset[v];
    const uint64_t *barred = m->barred + m->problem->offset[v];
    uint64_t wrong = 0;
    for (int w = 0; w < candidates->words; w++)
        wrong |= (mask[w] & barred[w]) | (must[w] & ~mask[w]);
    return !wrong;
}

static bool has_size(const struct bestdag_arc_marks *m, int v, int set)
{
    const int64_t *start = m->problem->sets->list[v].start;
    int64_t size = start[set + 1] - start[set];
    return size >= m->low[v] && size <= m->high[v];
}

bool bestdag_arc_marks_allows(const struct bestdag_arc_marks *m, int v, int set)
{
    return fits(m, v, set) && has_size(m, v, set);
}

int bestdag_arc_marks_first(const struct bestdag_arc_marks *m, int v, int from)
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
        uint64_t must = m->must[m->problem->offset[v]];
        uint64_t care = must | m->barred[m->problem->offset[v]];
        while (set < candidates->count &&
               (candidates->mask[set] & care) != must)
            set++;
        return set;
    }
    while (set < candidates->count && !fits(m, v, set))
        set++;
    return set;
}

/* Everybody in the log once, with the set chosen; false: there is none. */
static bool choose_sets(struct bestdag_arc_marks *m, int *count)
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
        int set = bestdag_arc_marks_first(m, v, (int)m->set[v]);
        bestdag_arc_marks_write(m, (uint64_t *)&m->set[v], (uint64_t)set);
        good = set < m->problem->candidates[v].count;
    }
    m->logged = 0;
    return good;
}

static bool update(struct bestdag_arc_marks *m, int count)
{
    const struct bestdag_arc_bound *c = m->ceiling;
    int64_t bound = c->row->update(c->data, m, m->changed, count);
    bestdag_arc_marks_write(m, (uint64_t *)m->bound, (uint64_t)bound);
    return bound < m->problem->none && !bestdag_run_status(m->run);
}

bool bestdag_arc_marks_settle(struct bestdag_arc_marks *m)
{
    int count;
    return choose_sets(m, &count) && update(m, count);
}

/* ---- all of it -------------------------------------------------------------
 */

/* The next `count` words of the state. */
static uint64_t *cut(uint64_t **at, size_t count)
{
    uint64_t *part = *at;
    *at += count;
    return part;
}

static void cut_state(struct bestdag_arc_marks *m, size_t masks)
{
    size_t n = (size_t)m->n, rows = n * m->words;
    uint64_t *at = m->state;
    m->must = cut(&at, masks);
    m->barred = cut(&at, masks);
    m->after = cut(&at, rows);
    m->before = cut(&at, rows);
    m->low = (int64_t *)cut(&at, n);
    m->high = (int64_t *)cut(&at, n);
    m->set = (int64_t *)cut(&at, n);
    m->bound = (int64_t *)cut(&at, 1);
    m->spare = (int64_t *)cut(&at, 1);
    m->own = (int64_t *)cut(&at, m->ceiling->room);
}

int bestdag_arc_marks_init(struct bestdag_run *run, struct bestdag_arc_marks *m,
                           const struct bestdag_problem *problem,
                           const struct bestdag_arc_bound *ceiling)
{
    size_t n = (size_t)problem->n, masks = (size_t)problem->words;
    *m = (struct bestdag_arc_marks){
        .run = run, .problem = problem, .ceiling = ceiling, .n = problem->n};
    m->words = bestdag_row_words(m->n);
    size_t size = 2 * masks + 2 * n * m->words + 3 * n + 2 + ceiling->room;
    m->state = bestdag_calloc(run, size, sizeof *m->state);
    m->changed = bestdag_alloc(run, n * sizeof *m->changed);
    m->scratch = bestdag_calloc(run, 3 * m->words, sizeof *m->scratch);
    if (!m->state || !m->changed || !m->scratch)
        return bestdag_run_status(run);
    cut_state(m, masks);
    if (ceiling->row->enter)
        m->mine = ceiling->row->enter(run, ceiling->data);
    if (bestdag_run_status(run))
        return bestdag_run_status(run);
    for (int v = 0; v < m->n; v++) {
        m->high[v] = INT_MAX;
        m->changed[v] = v;
    }
    update(m, m->n);
    return bestdag_run_status(run);
}

void bestdag_arc_marks_release(struct bestdag_arc_marks *m)
{
    if (m->mine)
        m->ceiling->row->leave(m->mine);
    bestdag_free(m->state);
    bestdag_free(m->trail);
    bestdag_free(m->log);
    bestdag_free(m->changed);
    bestdag_free(m->scratch);
    *m = (struct bestdag_arc_marks){0};
}
