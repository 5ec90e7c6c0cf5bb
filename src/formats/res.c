/* SPDX-License-Identifier: MIT */
/* res.c -- structures as BLIP writes them, one line per variable:
 *
 *     0: -12.50  (1,2)        number, local score, numbers of the parents
 *     1: -3.25
 *
 *     Score: -15.75
 *
 * Variables are numbers from 0, in order. A network does not store its scores:
 * the reader skips them, the writer writes 0. Names go to a second file,
 * FILE.names, one per line; without it the variables are called 0, 1, ... */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "formats/cursor.h"
#include "formats/format.h"
#include "formats/refusal.h"
#include "formats/structure_draft.h"

/* ---- reading ------------------------------------------------------------- */

struct reader {
    struct bestdag_cursor c;
    struct bestdag_draft draft;
    int lines;        /* variables */
    int64_t mentions; /* largest number of a parent + 1 */
    struct bestdag_place mention;
};

static char look(const struct bestdag_cursor *c)
{
    return c->at < c->end ? *c->at : '\n';
}

static void skip_blanks(struct bestdag_cursor *c)
{
    while (look(c) == ' ' || look(c) == '\t')
        bestdag_cursor_step(c);
}

static bool is_break(const struct bestdag_cursor *c)
{
    return look(c) == '\n' || look(c) == '\r';
}

static int expected(struct reader *r, const char *what)
{
    struct bestdag_place place = bestdag_cursor_place(&r->c);
    if (is_break(&r->c))
        return bestdag_cursor_fail(
            &r->c, place, "expected %s, found the end of the line", what);
    return bestdag_cursor_fail(&r->c, place, "expected %s, found '%c'", what,
                               *r->c.at);
}

static int take_sign(struct reader *r, char sign, const char *what)
{
    if (look(&r->c) != sign || is_break(&r->c))
        return expected(r, what);
    bestdag_cursor_step(&r->c);
    skip_blanks(&r->c);
    return BESTDAG_OK;
}

static int take_number(struct reader *r, int64_t *to)
{
    const char *from = r->c.at;
    struct bestdag_place place = bestdag_cursor_place(&r->c);
    int64_t x = 0;
    for (; look(&r->c) >= '0' && look(&r->c) <= '9'; bestdag_cursor_step(&r->c))
        if ((x = 10 * x + (look(&r->c) - '0')) > 100000000)
            return bestdag_cursor_fail(&r->c, place,
                                       "this number is too large");
    if (r->c.at == from)
        return expected(r, "the number of a variable");
    *to = x;
    skip_blanks(&r->c);
    return BESTDAG_OK;
}

/* The score is checked and dropped. */
static int take_score(struct reader *r)
{
    const char *from = r->c.at;
    struct bestdag_place place = bestdag_cursor_place(&r->c);
    double score;
    while (!is_break(&r->c) && look(&r->c) != ' ' && look(&r->c) != '\t' &&
           look(&r->c) != '(')
        bestdag_cursor_step(&r->c);
    if (!bestdag_number_parse(from, (size_t)(r->c.at - from), &score))
        return bestdag_cursor_fail(&r->c, place, "expected a score");
    skip_blanks(&r->c);
    return BESTDAG_OK;
}

static int take_parents(struct reader *r, int child)
{
    int64_t parent = 0;
    do {
        bestdag_cursor_step(&r->c); /* over ( or , */
        skip_blanks(&r->c);
        struct bestdag_place place = bestdag_cursor_place(&r->c);
        if (take_number(r, &parent))
            return bestdag_run_status(r->c.run);
        if (parent == child)
            return bestdag_cursor_fail(&r->c, place,
                                       "%d cannot be its own parent", child);
        if (parent >= r->mentions) {
            r->mentions = parent + 1;
            r->mention = place;
        }
        if (bestdag_draft_add_arc(&r->draft, (int)parent, child))
            return bestdag_run_status(r->c.run);
    } while (look(&r->c) == ',');
    return take_sign(r, ')', "',' or ')'");
}

static int take_line(struct reader *r)
{
    struct bestdag_place place = bestdag_cursor_place(&r->c);
    int64_t number = 0;
    char name[16];
    if (take_number(r, &number))
        return bestdag_run_status(r->c.run);
    if (number != r->lines)
        return bestdag_cursor_fail(&r->c, place,
                                   "expected variable %d, found %lld", r->lines,
                                   (long long)number);
    snprintf(name, sizeof name, "%d", r->lines);
    if (bestdag_draft_variable(&r->draft, name, strlen(name)) < 0 ||
        take_sign(r, ':', "':'") || take_score(r))
        return bestdag_run_status(r->c.run);
    if (look(&r->c) == '(' && take_parents(r, r->lines))
        return bestdag_run_status(r->c.run);
    r->lines++;
    return is_break(&r->c) ? BESTDAG_OK : expected(r, "the end of the line");
}

static int take_lines(struct reader *r)
{
    while (r->c.at < r->c.end) {
        skip_blanks(&r->c);
        if (is_break(&r->c)) {
            if (r->c.at < r->c.end)
                bestdag_cursor_step(&r->c);
        } else if (look(&r->c) == 'S' || look(&r->c) == '#') {
            while (!is_break(&r->c)) /* the total, or a comment */
                bestdag_cursor_step(&r->c);
        } else if (take_line(r))
            return bestdag_run_status(r->c.run);
    }
    if (!r->lines)
        return expected(r, "a variable: '0: -1.5  (1,2)'");
    if (r->mentions > r->lines)
        return bestdag_cursor_fail(&r->c, r->mention,
                                   "this variable has no line of its own");
    return BESTDAG_OK;
}

static struct bestdag_network *read_res(struct bestdag_run *run,
                                        const struct bestdag_file *file)
{
    struct reader r = {.draft = {.run = run}};
    struct bestdag_network *network = NULL;
    if (!bestdag_cursor_start(&r.c, run, file) && !take_lines(&r))
        network = bestdag_draft_finish(&r.draft, file->name);
    bestdag_draft_release(&r.draft);
    return network;
}

/* "0:" and something. */
static bool looks_like_res(const struct bestdag_file *file)
{
    const char *at = file->bytes;
    at += strspn(at, " \t\r\n");
    return at[0] == '0' && at[strspn(at, "0 \t")] == ':';
}

/* ---- writing ------------------------------------------------------------- */

static void write_res(struct bestdag_run *run,
                      const struct bestdag_network *network,
                      struct bestdag_sink *to)
{
    (void)run;
    for (int v = 0; v < network->dag->n; v++) {
        const struct bestdag_parents *p = &network->dag->parents[v];
        bestdag_sink_format(to, "%d: 0.0 ", v);
        for (int i = 0; i < p->count; i++)
            bestdag_sink_format(to, i ? ",%d" : " (%d", p->at[i]);
        bestdag_sink_text(to, p->count ? ")\n" : "\n");
    }
    bestdag_sink_text(to, "\nScore: 0.0\n");
}

/* ---- names --------------------------------------------------------------- */

static char *names_path(struct bestdag_run *run, const char *path)
{
    struct bestdag_buffer b = {.run = run};
    bestdag_buffer_text(&b, path);
    bestdag_buffer_text(&b, ".names");
    return bestdag_buffer_take(&b);
}

static struct bestdag_sink *write_names(struct bestdag_run *run,
                                        const struct bestdag_network *network,
                                        const char *path)
{
    static const struct bestdag_refusal refusal = {
        .format = "the names beside a .res file",
        .unfit = bestdag_refusal_control};
    if (bestdag_refusal_check(run, network, &refusal))
        return NULL;
    char *beside = names_path(run, path);
    struct bestdag_sink *to = beside ? bestdag_sink_open(run, beside) : NULL;
    for (int v = 0; to && v < network->dag->n; v++) {
        bestdag_sink_text(to, network->variable[v].name);
        bestdag_sink_text(to, "\n");
    }
    bestdag_free(beside);
    return to;
}

static int take_names(struct bestdag_run *run, struct bestdag_network *network,
                      const struct bestdag_file *file)
{
    const char *at = file->bytes, *end = file->bytes + file->size;
    int v = 0;
    for (; at < end && v < network->dag->n; v++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t n = (size_t)((stop ? stop : end) - at);
        size_t length = n && at[n - 1] == '\r' ? n - 1 : n;
        if (!length || memchr(at, 0, length) ||
            bestdag_utf8_valid(at, length) < length)
            return bestdag_fail_at(run, file->name,
                                   (struct bestdag_place){v + 1, 1},
                                   "expected a name in UTF-8");
        char *name = bestdag_strndup(run, at, length);
        if (!name)
            return BESTDAG_MEMORY;
        bestdag_free(network->variable[v].name);
        network->variable[v].name = name;
        at = stop ? stop + 1 : end;
    }
    if (v < network->dag->n || at < end)
        return bestdag_fail_at(
            run, file->name, (struct bestdag_place){v + 1, 1},
            "expected %d names, one per line", network->dag->n);
    return BESTDAG_OK;
}

static void check_names(struct bestdag_run *run,
                        const struct bestdag_network *network, const char *path)
{
    size_t n = (size_t)network->dag->n;
    const char *twice = NULL, **names = bestdag_alloc(run, n * sizeof *names);
    for (size_t v = 0; names && v < n; v++)
        names[v] = network->variable[v].name;
    if (names && !bestdag_text_twice(run, names, (int)n, &twice) && twice)
        bestdag_fail(run, BESTDAG_INPUT, "%s: '%s' is repeated", path, twice);
    bestdag_free(names);
}

static void read_names(struct bestdag_run *run, struct bestdag_network *network,
                       const char *path)
{
    struct bestdag_file file = {0};
    char *beside = names_path(run, path);
    if (beside && access(beside, F_OK))
        bestdag_note(
            run, 1,
            "%s: there is no '%s', so the variables are called 0, 1, ...", path,
            beside);
    else if (beside && !bestdag_file_read(run, beside, &file) &&
             !take_names(run, network, &file))
        check_names(run, network, beside);
    bestdag_free(file.bytes);
    bestdag_free(beside);
}

const struct bestdag_format bestdag_format_res = {
    .name = "res",
    .suffixes = "res",
    .help = "structure as in BLIP, by number; names in FILE.names",
    .keeps = BESTDAG_KEEPS_STRUCTURE,
    .sniff = looks_like_res,
    .read = read_res,
    .write = write_res,
    .write_beside = write_names,
    .read_beside = read_names,
};
