/* SPDX-License-Identifier: MIT */
/* resume_file.c -- work in progress: a text file with a head line that tells
 * table and settings, and one line a finished variable,
 *
 *     child max-parents ceiling scored sets {score size members...} checksum
 *
 * written at once and flushed. What a crash leaves of the last line has no
 * right checksum: it is cut off and the variable done again.
 *
 * In the folder of a checkpoint it is "sets.part", always gone on with, and
 * ends in a line "end ending scored" once all lists are there, also those that
 * a limit of time cut short: what is searched is the same in every run. */
#include "parents/files/resume_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/checkpoint.h"
#include "base/random.h"
#include "base/text.h"

static const struct bestdag_option option_rows[] = {
    {"part", BESTDAG_OUTPUT, .value = "FILE",
     .help =
         "write finished variables to this file until all sets are written"},
    {"resume", BESTDAG_FLAG, "no", .help = "continue from the file of --part"},
    {0}};
const struct bestdag_option_group bestdag_resume_file_options = {"parents",
                                                                 option_rows};

struct bestdag_resume_file {
    struct bestdag_run *run;
    char *path; /* owns */
    FILE *file; /* owns */
    struct bestdag_buffer line;
    bool is_kept;   /* in a checkpoint */
    bool has_ended; /* all lists were taken over */
    bool is_full;   /* the disk: nothing is written any more */
};

static uint64_t checksum(const char *text, size_t n)
{
    uint64_t sum = n;
    for (size_t i = 0; i < n; i++)
        sum = bestdag_mix(sum ^ (unsigned char)text[i]);
    return sum;
}

static int fail_io(struct bestdag_resume_file *part, const char *what)
{
    return bestdag_fail(part->run, BESTDAG_FAILED, "cannot %s '%s'", what,
                        part->path);
}

/* ---- writing
 * ------------------------------------------------------------------ */

static void add_number(struct bestdag_buffer *b, double x)
{
    char text[BESTDAG_NUMBER_ROOM];
    if (isinf(x))
        strcpy(text, x > 0 ? "inf" : "-inf");
    else
        bestdag_number_format(x, text);
    bestdag_buffer_text(b, text);
}

static int go_on_without(struct bestdag_resume_file *part)
{
    part->is_full = true;
    bestdag_note(part->run, 0, "cannot write '%s': %s; continuing without it",
                 part->path, strerror(errno));
    return BESTDAG_OK;
}

/* The line with its checksum and line break. */
static int write_line(struct bestdag_resume_file *part)
{
    struct bestdag_buffer *b = &part->line;
    if (bestdag_run_status(part->run))
        return bestdag_run_status(part->run);
    bestdag_buffer_format(b, " %016llx\n",
                          (unsigned long long)checksum(b->at, b->length));
    if (bestdag_run_status(part->run))
        return bestdag_run_status(part->run);
    if (part->is_full)
        return BESTDAG_OK;
    if (fwrite(b->at, 1, b->length, part->file) == b->length &&
        !fflush(part->file))
        return BESTDAG_OK;
    return go_on_without(part); /* what follows half a line would not be read */
}

int bestdag_resume_file_add(struct bestdag_resume_file *part,
                            const struct bestdag_sets *sets, int child,
                            int64_t scored)
{
    const struct bestdag_list *list = &sets->list[child];
    struct bestdag_buffer *b = &part->line;
    b->length = 0;
    bestdag_buffer_format(b, "%d %d ", child, list->max_parents);
    add_number(b, list->ceiling);
    bestdag_buffer_format(b, " %lld %lld", (long long)scored,
                          (long long)list->count);
    for (int64_t i = 0; i < list->count; i++) {
        int64_t from = list->start[i], to = list->start[i + 1];
        bestdag_buffer_text(b, " ");
        add_number(b, list->score[i]);
        bestdag_buffer_format(b, " %d", (int)(to - from));
        for (int64_t j = from; j < to; j++)
            bestdag_buffer_format(b, " %d", list->member[j]);
    }
    return write_line(part);
}

/* With the lists that a limit of time cut short, which are never longer. */
int bestdag_resume_file_end(struct bestdag_plan *plan)
{
    struct bestdag_resume_file *part = plan->part;
    enum bestdag_ending ending = plan->sets->ending;
    if (!part || !part->is_kept || part->has_ended ||
        ending == BESTDAG_INTERRUPTED)
        return BESTDAG_OK;
    for (int v = 0; v < plan->n; v++)
        if (!plan->is_done[v] &&
            bestdag_resume_file_add(part, plan->sets, v, 0))
            return bestdag_run_status(plan->run);
    part->line.length = 0;
    bestdag_buffer_format(&part->line, "end %d %lld", (int)ending,
                          (long long)plan->sets->scored);
    if (write_line(part))
        return bestdag_run_status(plan->run);
    if (!part->is_full)
        fsync(fileno(part->file));
    return BESTDAG_OK;
}

bool bestdag_resume_file_has_ended(const struct bestdag_resume_file *part)
{
    return part && part->has_ended;
}

/* What the lists depend on, separated by tabs. */
static int make_head(struct bestdag_plan *plan,
                     const struct bestdag_options *options,
                     struct bestdag_buffer *b)
{
    static const char *const keys[] = {"time-per-variable", "theorem-2"};
    b->length = 0;
    bestdag_buffer_format(b, "bestdag part 1\tvariables=%d", plan->n);
    for (int i = 0; i < plan->sets->notes; i += 2)
        bestdag_buffer_format(b, "\t%s=%s", plan->sets->note[i],
                              plan->sets->note[i + 1]);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (bestdag_option_given(options, &bestdag_parents_options, keys[i]))
            bestdag_buffer_format(
                b, "\t%s=%s", keys[i],
                bestdag_option_value(options, &bestdag_parents_options, keys[i])
                    .text);
    bestdag_buffer_format(b, "\tmemory-limit=%lld\teffort=%g",
                          (long long)bestdag_memory_limit(plan->run),
                          plan->run->effort);
    for (size_t i = 0; i < b->length; i++)
        if (b->at[i] == '\n' || b->at[i] == '\r')
            b->at[i] = ' ';
    return bestdag_run_status(plan->run);
}

/* ---- reading
 * ------------------------------------------------------------------ */

/* The next line with its line break, of any length; 0: there is none. */
static size_t read_line(struct bestdag_resume_file *part)
{
    struct bestdag_buffer *b = &part->line;
    char chunk[4096];
    b->length = 0;
    while (fgets(chunk, sizeof chunk, part->file)) {
        size_t n = strlen(chunk); /* a 0 byte cuts it: the checksum tells */
        bestdag_buffer_add(b, chunk, n);
        if (!n || chunk[n - 1] == '\n')
            break;
    }
    return bestdag_run_status(part->run) ? 0 : b->length;
}

/* Cuts " checksum\n" off; false: it is not right. */
static bool is_whole(struct bestdag_buffer *b)
{
    char right[32];
    if (b->length < 18)
        return false;
    size_t n = b->length - 18;
    snprintf(right, sizeof right, " %016llx\n",
             (unsigned long long)checksum(b->at, n));
    if (memcmp(b->at + n, right, 18) != 0)
        return false;
    b->length = n;
    b->at[n] = 0;
    return true;
}

struct words {
    const char *at;
    bool fine;
};

static double next_number(struct words *w)
{
    double x = 0;
    size_t n = strcspn(w->at, " ");
    if (n == 3 && !strncmp(w->at, "inf", 3))
        x = INFINITY;
    else if (n == 4 && !strncmp(w->at, "-inf", 4))
        x = -INFINITY;
    else if (!bestdag_number_parse(w->at, n, &x))
        w->fine = false;
    w->at += n + (w->at[n] == ' ');
    return x;
}

static int64_t next_whole(struct words *w, double least, double most)
{
    double x = next_number(w);
    w->fine = w->fine && x >= least && x <= most && x == floor(x);
    return w->fine ? (int64_t)x : 0;
}

static int take_sets(struct words *w, int n, int child, int64_t count,
                     struct bestdag_collector *c)
{
    int members[1024];
    for (int64_t i = 0; i < count && w->fine; i++) {
        double score = next_number(w);
        int size = (int)next_whole(w, 0, n < 1024 ? n - 1 : 1023);
        for (int j = 0; j < size && w->fine; j++) {
            members[j] = (int)next_whole(w, j ? members[j - 1] + 1 : 0, n - 1);
            w->fine = w->fine && members[j] != child;
        }
        if (w->fine && bestdag_collector_add(c, members, size, score))
            return BESTDAG_MEMORY;
    }
    return BESTDAG_OK;
}

/* false: the line is not of this plan, or memory failed. */
static bool take_line(struct bestdag_plan *plan, const char *line,
                      struct bestdag_collector *c)
{
    struct words w = {line, true};
    int child = (int)next_whole(&w, 0, plan->n - 1);
    int limit = (int)next_whole(&w, -1, plan->n);
    double ceiling = next_number(&w);
    int64_t scored = next_whole(&w, 0, 9e15);
    int64_t count = next_whole(&w, 0, 9e15);
    if (!w.fine || plan->is_done[child] ||
        take_sets(&w, plan->n, child, count, c) || !w.fine || *w.at)
        return false;
    struct bestdag_list *list = &plan->sets->list[child];
    if (bestdag_collector_finish(c, false, list))
        return false;
    list->max_parents = limit;
    list->ceiling = ceiling;
    plan->sets->scored += scored;
    plan->is_done[child] = true;
    return true;
}

/* "end ending scored", behind all lists. */
static bool take_end(struct bestdag_plan *plan, const char *line)
{
    struct words w = {line + 4, true};
    int ending = (int)next_whole(&w, BESTDAG_ENDED, BESTDAG_TIMED_OUT);
    int64_t scored = next_whole(&w, 0, 9e15);
    for (int v = 0; v < plan->n; v++)
        w.fine &= plan->is_done[v];
    if (!w.fine || *w.at)
        return false;
    plan->sets->ending = (enum bestdag_ending)ending;
    plan->sets->scored = scored;
    plan->part->has_ended = true;
    return true;
}

/* Names the first setting that differs. */
static int refuse(struct bestdag_resume_file *part, const char *found,
                  const char *expected)
{
    size_t from = 0, i = 0;
    for (; found[i] && found[i] == expected[i]; i++)
        if (found[i] == '\t')
            from = i + 1;
    return bestdag_fail(part->run, BESTDAG_USAGE,
                        "'%s' belongs to another table or other settings: it "
                        "has '%.*s', this run has '%.*s'",
                        part->path, (int)strcspn(found + from, "\t"),
                        found + from, (int)strcspn(expected + from, "\t"),
                        expected + from);
}

static int check_head(struct bestdag_resume_file *part, const char *expected)
{
    if (!read_line(part) || !is_whole(&part->line) ||
        strncmp(part->line.at, "bestdag part ", 13) != 0)
        return bestdag_run_status(part->run)
                   ? bestdag_run_status(part->run)
                   : bestdag_fail(part->run, BESTDAG_INPUT,
                                  "%s:1:1: not a file of work in progress",
                                  part->path);
    return strcmp(part->line.at, expected)
               ? refuse(part, part->line.at, expected)
               : BESTDAG_OK;
}

/* sequential counts for all variables together: the lists of some save little,
 * and it would count other sets than a run that was not killed. */
static void forget(struct bestdag_plan *plan)
{
    for (int v = 0; v < plan->n; v++) {
        if (plan->is_done[v])
            bestdag_list_release(&plan->sets->list[v]);
        plan->is_done[v] = false;
    }
    plan->sets->scored = 0;
}

/* Has a kill left less than the head? What is damaged in a checkpoint, whose
 * command is known, is not used either. */
static bool is_torn(struct bestdag_resume_file *part, const char *head)
{
    size_t n = read_line(part), whole = strlen(head);
    bool is_short =
        !n || (part->line.at[n - 1] != '\n' &&
               !strncmp(part->line.at, head, n < whole ? n : whole));
    bool is_damaged = !is_short && part->is_kept && !is_whole(&part->line);
    if (is_damaged)
        bestdag_note(part->run, 0, "'%s' is damaged and is ignored",
                     part->path);
    rewind(part->file);
    return is_short || is_damaged;
}

static int take_over(struct bestdag_plan *plan, const char *head)
{
    struct bestdag_resume_file *part = plan->part;
    struct bestdag_collector *c = bestdag_collector_new(plan->run);
    int done = 0;
    if (!c || check_head(part, head)) {
        bestdag_collector_free(c);
        return bestdag_run_status(plan->run);
    }
    off_t head_end = ftello(part->file), valid = head_end;
    while (!part->has_ended && read_line(part) && is_whole(&part->line)) {
        bool is_end = !strncmp(part->line.at, "end ", 4);
        if (is_end ? !take_end(plan, part->line.at)
                   : !take_line(plan, part->line.at, c))
            break;
        valid = ftello(part->file);
        done += !is_end;
    }
    bestdag_collector_free(c);
    if (part->is_kept && plan->complete && !part->has_ended && done) {
        forget(plan);
        valid = head_end;
        done = 0;
    }
    if (bestdag_run_status(plan->run))
        return bestdag_run_status(plan->run);
    if (fseeko(part->file, valid, SEEK_SET) ||
        ftruncate(fileno(part->file), valid))
        return fail_io(part, "resume from");
    bestdag_note(plan->run, 0, "resuming: %d of %d variables are already done",
                 done, plan->n);
    return BESTDAG_OK;
}

/* ---- opening
 * ------------------------------------------------------------------ */

static int start_new(struct bestdag_plan *plan, const char *head)
{
    struct bestdag_resume_file *part = plan->part;
    part->file = fopen(part->path, "w");
    if (!part->file && bestdag_disk_is_full(errno))
        return go_on_without(part);
    if (!part->file)
        return fail_io(part, "open");
    part->line.length = 0;
    bestdag_buffer_text(&part->line, head);
    return write_line(part);
}

static int open_file(struct bestdag_plan *plan, const char *head, bool resume)
{
    struct bestdag_resume_file *part = plan->part;
    bool is_there = resume && !access(part->path, F_OK);
    if (is_there) {
        part->file = fopen(part->path, "r+");
        if (!part->file)
            return fail_io(part, "open");
        if (!is_torn(part, head))
            return take_over(plan, head);
        fclose(part->file);
        part->file = NULL;
    }
    if (resume && !is_there && !part->is_kept)
        bestdag_note(plan->run, 0, "there is no '%s': nothing to resume from",
                     part->path);
    return bestdag_run_status(plan->run) ? bestdag_run_status(plan->run)
                                         : start_new(plan, head);
}

/* The file that was asked for; NULL with status OK: none was. */
static char *find_path(struct bestdag_run *run,
                       const struct bestdag_options *options)
{
    const char *path =
        bestdag_option_value(options, &bestdag_resume_file_options, "part")
            .text;
    const char *folder =
        bestdag_option_value(options, &bestdag_checkpoint_options, "checkpoint")
            .text;
    struct bestdag_buffer b = {.run = run};
    if ((!path && !run->checkpoint) ||
        (folder && !bestdag_checkpoint_folder(run, folder)))
        return NULL;
    if (path)
        bestdag_buffer_text(&b, path);
    else
        bestdag_buffer_format(&b, "%s/sets.part", folder);
    return bestdag_buffer_take(&b);
}

int bestdag_resume_file_open(struct bestdag_plan *plan,
                             const struct bestdag_options *options)
{
    bool resume =
        bestdag_option_value(options, &bestdag_resume_file_options, "resume")
            .integer != 0;
    char *path = find_path(plan->run, options);
    if (!path) /* of a checkpoint on a full disk there is none either */
        return resume && !bestdag_run_status(plan->run) &&
                       !bestdag_option_given(
                           options, &bestdag_checkpoint_options, "checkpoint")
                   ? bestdag_fail(
                         plan->run, BESTDAG_USAGE,
                         "resume: there is no file to resume from, set part")
                   : bestdag_run_status(plan->run);
    struct bestdag_buffer head = {.run = plan->run};
    plan->part = bestdag_calloc(plan->run, 1, sizeof *plan->part);
    if (!plan->part) {
        bestdag_free(path);
        return bestdag_run_status(plan->run);
    }
    plan->part->run = plan->run;
    plan->part->path = path;
    plan->part->line.run = plan->run;
    plan->part->is_kept =
        !bestdag_option_given(options, &bestdag_resume_file_options, "part");
    if (!make_head(plan, options, &head))
        open_file(plan, head.at, resume || plan->part->is_kept);
    bestdag_buffer_release(&head);
    return bestdag_run_status(plan->run);
}

void bestdag_resume_file_close(struct bestdag_resume_file *part)
{
    if (!part)
        return;
    if (part->file)
        fclose(part->file);
    bestdag_buffer_release(&part->line);
    bestdag_free(part->path);
    bestdag_free(part);
}
