/* SPDX-License-Identifier: MIT */
/* jkl_write.c -- writes score files: see jkl.c for the format. */
#include <stdio.h>
#include <string.h>

#include "base/options.h"
#include "base/communicator.h"
#include "base/text.h"
#include "parallel/parallel.h"
#include "parents/files/jkl.h"
#include "parents/files/resume_file.h"

static const struct bestdag_option option_rows[] = {
    {"digits", BESTDAG_INTEGER, "17", 1, 17, .value = "N",
     .help =
         "significant digits of scores; 17 digits give the same number back"},
    {"comments", BESTDAG_FLAG, "no",
     .help = "begin the file with comment lines on score, rows and limits; not "
             "every program reads them"},
    {0}};
const struct bestdag_option_group bestdag_jkl_options = {"sets", option_rows};

/* Words are separated by blanks, and # begins a comment. */
static bool is_fit(const char *name)
{
    if (!*name || *name == '#')
        return false;
    for (; *name; name++)
        if ((unsigned char)*name <= ' ')
            return false;
    return true;
}

static bool all_fit(const struct bestdag_sets *sets)
{
    for (int v = 0; v < sets->n; v++)
        if (!is_fit(sets->names[v]))
            return false;
    return true;
}

bool bestdag_sets_numbered(const struct bestdag_sets *sets)
{
    char number[16];
    for (int v = 0; v < sets->n; v++) {
        snprintf(number, sizeof number, "%d", v);
        if (strcmp(sets->names[v], number) != 0)
            return false;
    }
    return true;
}

/* ---- lines ------------------------------------------------------------------
 * Sets are written as lines of text, in chunks that several threads make and
 * the calling thread writes in order. */

enum {
    CHUNK = 4096, /* lines, some 100 KB; other sizes were not tried */
    WINDOW = 4,   /* chunks per thread that may wait to be written */
    NUMBER = 24   /* characters of an integer with its separators */
};

/* Where a chunk begins: at the head of a variable's lines (set -1), or at one
 * of its sets. */
struct line {
    int variable;
    int64_t set;
};

struct lines {
    struct bestdag_run *run;
    const struct bestdag_sets *sets;
    struct bestdag_sink *to;
    int digits;
    char **name;        /* owns; [n]: a blank and the name */
    size_t *length;     /* owns; [n]: of these */
    size_t longest;     /* of them */
    struct line *chunk; /* owns; [chunks + 1] */
    int64_t chunks;
    struct bestdag_buffer *out; /* owns; [window]: chunk i is in i % window */
    int64_t window;
};

/* digits 17: the shortest text that reads back as the same number. */
static char *put_score(char *to, double score, int digits)
{
    if (digits >= 17)
        return to + bestdag_number_format(score, to);
    snprintf(to, BESTDAG_NUMBER_ROOM, "%.*g", digits, score);
    char *comma = strchr(to, ',');
    if (comma) /* from the locale */
        *comma = '.';
    return to + strlen(to);
}

static char *put_number(char *to, int64_t x)
{
    return to + (x < 10 ? (*to = (char)('0' + x), 1)
                        : sprintf(to, "%lld", (long long)x));
}

static char *put_name(char *to, const struct lines *l, int v)
{
    memcpy(to, l->name[v], l->length[v]);
    return to + l->length[v];
}

static char *put_head(char *to, const struct lines *l, int v)
{
    memcpy(to, l->name[v] + 1, l->length[v] - 1); /* without the blank */
    to += l->length[v] - 1;
    *to++ = ' ';
    to = put_number(to, l->sets->list[v].count);
    *to++ = '\n';
    return to;
}

static char *put_set(char *to, const struct lines *l, int v, int64_t i)
{
    const struct bestdag_list *list = &l->sets->list[v];
    to = put_score(to, list->score[i], l->digits);
    *to++ = ' ';
    to = put_number(to, list->start[i + 1] - list->start[i]);
    for (int64_t j = list->start[i]; j < list->start[i + 1]; j++)
        to = put_name(to, l, list->member[j]);
    *to++ = '\n';
    return to;
}

/* Moves to the next line; after the last, variable is n. */
static void step(const struct lines *l, struct line *at)
{
    if (++at->set == l->sets->list[at->variable].count)
        *at = (struct line){at->variable + 1, -1};
}

static bool is_before(const struct line *a, const struct line *b)
{
    return a->variable < b->variable ||
           (a->variable == b->variable && a->set < b->set);
}

/* On a worker: makes the text of a chunk. */
static int make_chunk(void *job, int64_t item, int worker)
{
    struct lines *l = job;
    struct bestdag_buffer *b = &l->out[item % l->window];
    const struct line *end = &l->chunk[item + 1];
    (void)worker;
    b->length = 0;
    for (struct line at = l->chunk[item]; is_before(&at, end); step(l, &at)) {
        const struct bestdag_list *list = &l->sets->list[at.variable];
        int64_t members =
            at.set < 0 ? 1 : list->start[at.set + 1] - list->start[at.set];
        if (!bestdag_buffer_reserve(b, BESTDAG_NUMBER_ROOM + NUMBER +
                                           (size_t)members * l->longest))
            return bestdag_run_status(l->run);
        char *from = b->at + b->length;
        char *to = at.set < 0 ? put_head(from, l, at.variable)
                              : put_set(from, l, at.variable, at.set);
        b->length += (size_t)(to - from);
    }
    return BESTDAG_OK;
}

static int take_chunk(void *job, int64_t item)
{
    struct lines *l = job;
    const struct bestdag_buffer *b = &l->out[item % l->window];
    bestdag_sink_write(l->to, b->at, b->length);
    return bestdag_run_status(l->run);
}

/* Counts the chunks; with chunk not NULL, also records their beginnings. */
static int64_t cut_chunks(const struct lines *l, struct line *chunk)
{
    int64_t chunks = 0, filled = 0; /* lines of the last one */
    for (int v = 0; v < l->sets->n; v++) {
        int64_t lines = l->sets->list[v].count + 1, at = 0;
        while (at < lines) {
            if (!filled && chunk)
                chunk[chunks] = (struct line){v, at - 1};
            int64_t some =
                lines - at < CHUNK - filled ? lines - at : CHUNK - filled;
            at += some;
            filled += some;
            chunks += filled == CHUNK;
            filled %= CHUNK;
        }
    }
    chunks += filled > 0;
    if (chunk)
        chunk[chunks] = (struct line){l->sets->n, -1};
    return chunks;
}

static int make_names(struct lines *l, bool by_name)
{
    int n = l->sets->n;
    l->name = bestdag_calloc(l->run, (size_t)n, sizeof *l->name);
    l->length = bestdag_calloc(l->run, (size_t)n, sizeof *l->length);
    for (int v = 0; l->name && l->length && v < n; v++) {
        struct bestdag_buffer b = {.run = l->run};
        if (by_name)
            bestdag_buffer_format(&b, " %s", l->sets->names[v]);
        else
            bestdag_buffer_format(&b, " %d", v);
        l->length[v] = b.length;
        l->longest = b.length > l->longest ? b.length : l->longest;
        l->name[v] = bestdag_buffer_take(&b);
    }
    return bestdag_run_status(l->run);
}

static int make_lines(struct lines *l, bool by_name)
{
    if (make_names(l, by_name))
        return bestdag_run_status(l->run);
    l->chunks = cut_chunks(l, NULL);
    l->chunk =
        bestdag_alloc(l->run, ((size_t)l->chunks + 1) * sizeof *l->chunk);
    l->window = WINDOW * bestdag_parallel_threads(l->run, l->chunks);
    l->out = bestdag_calloc(l->run, (size_t)l->window, sizeof *l->out);
    if (!l->chunk || !l->out)
        return BESTDAG_MEMORY;
    cut_chunks(l, l->chunk);
    for (int64_t i = 0; i < l->window; i++)
        l->out[i].run = l->run;
    return BESTDAG_OK;
}

static void release_lines(struct lines *l)
{
    for (int v = 0; l->name && v < l->sets->n; v++)
        bestdag_free(l->name[v]);
    for (int64_t i = 0; l->out && i < l->window; i++)
        bestdag_buffer_release(&l->out[i]);
    bestdag_free(l->name);
    bestdag_free(l->length);
    bestdag_free(l->chunk);
    bestdag_free(l->out);
}

/* Also if the run is stopped: then it writes the sets found so far. */
static void write_lines(struct lines *l, bool by_name)
{
    if (!make_lines(l, by_name)) {
        struct bestdag_work w = {.job = l,
                                 .items = l->chunks,
                                 .work = make_chunk,
                                 .take = take_chunk,
                                 .window = l->window,
                                 .to_the_end = true};
        bestdag_run_phase(l->run, "writing", l->chunks);
        bestdag_parallel(l->run, &w, NULL);
    }
    release_lines(l);
}

static void write_comments(struct bestdag_sink *to,
                           const struct bestdag_sets *sets)
{
    for (int i = 0; i < sets->notes; i += 2) {
        bestdag_sink_format(to, "# %s: ", sets->note[i]);
        for (const char *at = sets->note[i + 1]; *at; at++)
            bestdag_sink_write(to, (unsigned char)*at < ' ' ? " " : at, 1);
        bestdag_sink_text(to, "\n");
    }
}

void bestdag_jkl_write(struct bestdag_run *run, const struct bestdag_sets *sets,
                       const struct bestdag_jkl_style *style,
                       struct bestdag_sink *to)
{
    bool by_name = all_fit(sets);
    if (!by_name)
        bestdag_note(
            run, 0,
            "a .jkl file cannot hold names with blanks: it numbers the "
            "variables from 0, and the .json file next to it has the names");
    if (style->comments)
        write_comments(to, sets);
    bestdag_sink_format(to, "%d\n", sets->n);
    struct lines lines = {
        .run = run, .sets = sets, .to = to, .digits = style->digits};
    write_lines(&lines, by_name);
}

/* Writes the sidecar, not yet closed; NULL: none, or an error. */
static struct bestdag_sink *write_beside(struct bestdag_run *run,
                                         const struct bestdag_sets *sets,
                                         const char *path)
{
    char *name = bestdag_sidecar_path(run, path);
    struct bestdag_sink *beside =
        name ? bestdag_sidecar_write(run, sets, name) : NULL;
    bestdag_free(name);
    return beside;
}

static struct bestdag_jkl_style style_of(const struct bestdag_options *options)
{
    const struct bestdag_option_group *group = &bestdag_jkl_options;
    return (struct bestdag_jkl_style){
        .digits = (int)bestdag_option_value(options, group, "digits").integer,
        .comments =
            bestdag_option_value(options, group, "comments").integer != 0};
}

char *bestdag_sets_text(struct bestdag_run *run,
                        const struct bestdag_sets *sets,
                        const struct bestdag_options *options, int64_t *size)
{
    if (bestdag_lacks(run, sets, "candidate sets"))
        return NULL;
    struct bestdag_jkl_style style = style_of(options);
    struct bestdag_sink *to = bestdag_sink_memory(run);
    if (!to)
        return NULL;
    bestdag_jkl_write(run, sets, &style, to);
    return bestdag_sink_hand_over(to, size);
}

int bestdag_sets_write(struct bestdag_run *run, const struct bestdag_sets *sets,
                       const char *path, const struct bestdag_options *options)
{
    if (bestdag_run_status(run))
        return bestdag_run_status(run);
    if (!sets || !path)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "there are no sets, or no path, to write");
    struct bestdag_jkl_style style = style_of(options);
    struct bestdag_sink *to = bestdag_sink_open(run, path), *beside = NULL;
    if (to)
        bestdag_jkl_write(run, sets, &style, to);
    if (to && !bestdag_run_status(run) && bestdag_sink_is_file(to))
        beside = write_beside(run, sets, path);
    if (bestdag_sink_close_pair(to, beside))
        return bestdag_run_status(run);
    const char *part =
        bestdag_option_value(options, &bestdag_resume_file_options, "part")
            .text;
    if (part && sets->ending == BESTDAG_ENDED && !bestdag_run_helps(run))
        remove(part); /* the score file is complete */
    return BESTDAG_OK;
}
