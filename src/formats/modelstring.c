/* SPDX-License-Identifier: MIT */
/* modelstring.c -- structures in one line, as bnlearn and deal write them:
 *
 *     [A][B|A][C|A:B]
 *
 * Every variable has its bracket, parents before children. There is no way to
 * escape a character: names with one of [ ] | : are refused, all others are
 * taken as they are, blanks included. A text may span lines: blanks around a
 * line break do not belong to a name. Reading and writing are linear in the
 * text. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "formats/cursor.h"
#include "formats/format.h"
#include "formats/refusal.h"
#include "formats/structure_draft.h"

/* ---- reading ------------------------------------------------------------- */

struct name {
    const char *text;
    size_t length;
    struct bestdag_place place;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_break(char c)
{
    return c == '\n' || c == '\r';
}

static void skip_blanks(struct bestdag_cursor *c)
{
    while (c->at < c->end && is_blank(*c->at))
        bestdag_cursor_step(c);
}

/* Blanks at the ends of a name belong to it, unless a line break is among
 * them. */
static void skip_line_break(struct bestdag_cursor *c)
{
    struct bestdag_cursor start = *c;
    const char *from = c->at;
    skip_blanks(c);
    for (; from < c->at; from++)
        if (is_break(*from))
            return;
    *c = start;
}

static size_t length_without_break(const char *text, size_t length)
{
    size_t n = length;
    bool has_break = false;
    for (; n && is_blank(text[n - 1]); n--)
        has_break |= is_break(text[n - 1]);
    return has_break ? n : length;
}

/* Reads up to one of the signs [ ] | : without taking it. */
static int take_name(struct bestdag_cursor *c, struct name *to)
{
    skip_line_break(c);
    to->place = bestdag_cursor_place(c);
    to->text = c->at;
    while (c->at < c->end && !strchr("[]|:", *c->at))
        bestdag_cursor_step(c);
    to->length = length_without_break(to->text, (size_t)(c->at - to->text));
    if (c->at >= c->end)
        return bestdag_cursor_fail(c, bestdag_cursor_place(c),
                                   "expected ']', found the end of the file");
    if (!to->length)
        return bestdag_cursor_fail(c, to->place, "expected a name, found '%c'",
                                   *c->at);
    for (size_t i = 0; i < to->length; i++)
        if (is_break(to->text[i]))
            return bestdag_cursor_fail(c, to->place,
                                       "this name has a line break in it");
    return BESTDAG_OK;
}

static int take_sign(struct bestdag_cursor *c, char sign, const char *expected)
{
    struct bestdag_place place = bestdag_cursor_place(c);
    if (c->at >= c->end)
        return bestdag_cursor_fail(
            c, place, "expected %s, found the end of the file", expected);
    if (*c->at != sign)
        return bestdag_cursor_fail(c, place, "expected %s, found '%c'",
                                   expected, *c->at);
    bestdag_cursor_step(c);
    return BESTDAG_OK;
}

static bool skip_sign(struct bestdag_cursor *c, char sign)
{
    bool is = c->at < c->end && *c->at == sign;
    if (is)
        bestdag_cursor_step(c);
    return is;
}

static int add_variable(struct bestdag_cursor *c, struct bestdag_draft *d,
                        const struct name *name)
{
    if (bestdag_draft_find(d, name->text, name->length) >= 0)
        return bestdag_cursor_fail(c, name->place, "'%.*s' is listed twice",
                                   (int)name->length, name->text);
    bestdag_draft_variable(d, name->text, name->length);
    return bestdag_run_status(d->run);
}

static int add_parent(struct bestdag_cursor *c, struct bestdag_draft *d,
                      const struct name *name, int child)
{
    int parent = bestdag_draft_find(d, name->text, name->length);
    if (parent == child)
        return bestdag_cursor_fail(c, name->place,
                                   "'%.*s' cannot be its own parent",
                                   (int)name->length, name->text);
    if (parent >= 0)
        return bestdag_draft_add_arc(d, parent, child);
    char *word = bestdag_strndup(d->run, name->text, name->length), hint[128];
    if (word)
        bestdag_cursor_fail(
            c, name->place, "parent '%s' has no brackets of its own%s", word,
            bestdag_suggest(hint, bestdag_nearest(word, bestdag_name_of_list,
                                                  d->name, d->names)));
    bestdag_free(word);
    return bestdag_run_status(d->run);
}

/* Reads one bracket. The first pass lists the variables, the second the
 * parents, as a file may name a parent before its own bracket. */
static int take_bracket(struct bestdag_cursor *c, struct bestdag_draft *d,
                        int child)
{
    struct name name;
    if (take_sign(c, '[', "'['") || take_name(c, &name))
        return bestdag_run_status(c->run);
    if (child < 0 && add_variable(c, d, &name))
        return bestdag_run_status(c->run);
    if (!skip_sign(c, '|'))
        return take_sign(c, ']', "'|' or ']'");
    do {
        if (take_name(c, &name))
            return bestdag_run_status(c->run);
        if (child >= 0 && add_parent(c, d, &name, child))
            return bestdag_run_status(c->run);
    } while (skip_sign(c, ':'));
    return take_sign(c, ']', "':' or ']'");
}

static int take_brackets(struct bestdag_cursor *c, struct bestdag_draft *d,
                         bool with_parents)
{
    int child = 0;
    skip_blanks(c);
    do {
        if (take_bracket(c, d, with_parents ? child++ : -1))
            return bestdag_run_status(c->run);
        skip_blanks(c);
    } while (c->at < c->end);
    return BESTDAG_OK;
}

static struct bestdag_network *read_modelstring(struct bestdag_run *run,
                                                const struct bestdag_file *file)
{
    struct bestdag_cursor start, c;
    struct bestdag_draft draft = {.run = run};
    struct bestdag_network *net = NULL;
    if (bestdag_run_status(run) || bestdag_cursor_start(&start, run, file))
        return NULL;
    c = start;
    int status = take_brackets(&c, &draft, false);
    c = start;
    if (!status)
        status = take_brackets(&c, &draft, true);
    if (!status)
        net = bestdag_draft_finish(&draft, file->name);
    bestdag_draft_release(&draft);
    return net;
}

static bool looks_like_modelstring(const struct bestdag_file *file)
{
    size_t from = 0, to = file->size;
    while (from < to && is_blank(file->bytes[from]))
        from++;
    while (to > from && is_blank(file->bytes[to - 1]))
        to--;
    return to - from >= 3 && file->bytes[from] == '[' &&
           file->bytes[to - 1] == ']' && !strchr("[]|:", file->bytes[from + 1]);
}

/* ---- writing ------------------------------------------------------------- */

static bool unfit(const char *at)
{
    return bestdag_refusal_control(at) || strchr("[]|:", *at);
}

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Parents are in the order of their brackets, so that a text that was read is
 * written unchanged. */
struct writer {
    const struct bestdag_network *net;
    struct bestdag_sink *to;
    int *order; /* owns; variables, parents first */
    int *rank;  /* owns; order[rank[v]] == v */
    int *ranks; /* owns; of the present parents */
};

static void write_bracket(struct writer *w, int v)
{
    const struct bestdag_parents *p = &w->net->dag->parents[v];
    for (int i = 0; i < p->count; i++)
        w->ranks[i] = w->rank[p->at[i]];
    qsort(w->ranks, (size_t)p->count, sizeof *w->ranks, ascending);
    bestdag_sink_text(w->to, "[");
    bestdag_sink_text(w->to, w->net->variable[v].name);
    for (int i = 0; i < p->count; i++) {
        bestdag_sink_text(w->to, i ? ":" : "|");
        bestdag_sink_text(w->to, w->net->variable[w->order[w->ranks[i]]].name);
    }
    bestdag_sink_text(w->to, "]");
}

static void write_brackets(struct bestdag_run *run, struct writer *w)
{
    int n = w->net->dag->n;
    if (bestdag_dag_order(run, w->net->dag, w->order) < n)
        return;
    for (int i = 0; i < n; i++)
        w->rank[w->order[i]] = i;
    for (int i = 0; i < n; i++)
        write_bracket(w, w->order[i]);
    bestdag_sink_text(w->to, "\n");
}

static void write_modelstring(struct bestdag_run *run,
                              const struct bestdag_network *network,
                              struct bestdag_sink *to)
{
    static const struct bestdag_refusal refusal = {.format = "a modelstring",
                                                   .unfit = unfit};
    struct writer w = {.net = network, .to = to};
    size_t n = (size_t)network->dag->n;
    if (bestdag_refusal_check(run, network, &refusal))
        return;
    w.order = bestdag_alloc(run, n * sizeof *w.order);
    w.rank = bestdag_alloc(run, n * sizeof *w.rank);
    w.ranks = bestdag_alloc(run, n * sizeof *w.ranks);
    if (w.order && w.rank && w.ranks)
        write_brackets(run, &w);
    bestdag_free(w.order);
    bestdag_free(w.rank);
    bestdag_free(w.ranks);
}

const struct bestdag_format bestdag_format_modelstring = {
    .name = "modelstring",
    .suffixes = "modelstring|mstring",
    .help = "structure in one line, [A][B|A][C|A:B], as in bnlearn",
    .keeps = BESTDAG_KEEPS_STRUCTURE,
    .sniff = looks_like_modelstring,
    .read = read_modelstring,
    .write = write_modelstring,
};
