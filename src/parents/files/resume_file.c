/* SPDX-License-Identifier: MIT */
/* resume_file.c -- work in progress: a journal (journal.h) whose head has the
 * table and the settings, with one line per finished variable,
 *
 *     child max-parents ceiling scored sets {score size members...}
 *
 * In the folder of a checkpoint it is "sets.part", is always resumed from, and
 * ends in a line "end ending scored" once all lists are there, also those that
 * a limit of time cut short: what is searched is the same in every run. The
 * other files of a checkpoint are replaced as a whole (checkpoint.h); lists are
 * appended, because writing all of them each time one is finished would take
 * time that is quadratic in their number. */
#include "parents/files/resume_file.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/checkpoint.h"
#include "base/journal.h"

static const struct bestdag_option option_rows[] = {
    {"part", BESTDAG_OUTPUT, .value = "FILE",
     .help =
         "write finished variables to this file until all sets are written"},
    {"resume", BESTDAG_FLAG, "no", .help = "continue from the file of --part"},
    {0}};
const struct bestdag_option_group bestdag_resume_file_options = {"parents",
                                                                 option_rows};

struct bestdag_resume_file {
    struct bestdag_journal journal;
    bool is_kept;   /* in a checkpoint */
    bool has_ended; /* all lists were taken over */
};

/* ---- writing ---------------------------------------------------------------
 */

static void add_number(struct bestdag_buffer *b, double x)
{
    char text[BESTDAG_NUMBER_ROOM];
    if (isinf(x))
        strcpy(text, x > 0 ? "inf" : "-inf");
    else
        bestdag_number_format(x, text);
    bestdag_buffer_text(b, text);
}

int bestdag_resume_file_add(struct bestdag_resume_file *part,
                            const struct bestdag_sets *sets, int child,
                            int64_t scored)
{
    const struct bestdag_list *list = &sets->list[child];
    struct bestdag_buffer *b = &part->journal.line;
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
    return bestdag_journal_append(&part->journal);
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
    part->journal.line.length = 0;
    bestdag_buffer_format(&part->journal.line, "end %d %lld", (int)ending,
                          (long long)plan->sets->scored);
    if (bestdag_journal_append(&part->journal))
        return bestdag_run_status(plan->run);
    if (!part->journal.is_full)
        fsync(fileno(part->journal.file));
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

/* ---- reading ---------------------------------------------------------------
 */

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

/* The lists of the file, which is open. */
static int take_over(struct bestdag_plan *plan)
{
    struct bestdag_resume_file *part = plan->part;
    struct bestdag_collector *c = bestdag_collector_new(plan->run);
    const char *line;
    int done = 0;
    if (!c)
        return bestdag_run_status(plan->run);
    while (!part->has_ended && (line = bestdag_journal_next(&part->journal))) {
        bool is_end = !strncmp(line, "end ", 4);
        if (is_end ? !take_end(plan, line) : !take_line(plan, line, c))
            break;
        bestdag_journal_keep(&part->journal);
        done += !is_end;
    }
    bestdag_collector_free(c);
    if (part->is_kept && plan->complete && !part->has_ended && done) {
        forget(plan);
        bestdag_journal_discard(&part->journal);
        done = 0;
    }
    if (bestdag_run_status(plan->run) || bestdag_journal_resume(&part->journal))
        return bestdag_run_status(plan->run);
    bestdag_note(plan->run, 0, "resuming: %d of %d variables are already done",
                 done, plan->n);
    return BESTDAG_OK;
}

/* ---- opening ---------------------------------------------------------------
 */

static int open_file(struct bestdag_plan *plan, const char *head, bool resume)
{
    static const char kind[] = "bestdag part ";
    struct bestdag_resume_file *part = plan->part;
    bool is_there = resume && !access(part->journal.path, F_OK);
    if (resume && !is_there && !part->is_kept)
        bestdag_note(plan->run, 0, "there is no '%s': nothing to resume from",
                     part->journal.path);
    if (is_there && bestdag_journal_open(&part->journal, head, sizeof kind - 1))
        return take_over(plan);
    return bestdag_run_status(plan->run)
               ? bestdag_run_status(plan->run)
               : bestdag_journal_start(&part->journal, head);
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
    bestdag_journal_init(&plan->part->journal, plan->run, path);
    plan->part->is_kept =
        !bestdag_option_given(options, &bestdag_resume_file_options, "part");
    plan->part->journal.is_tolerant = plan->part->is_kept;
    if (!make_head(plan, options, &head))
        open_file(plan, head.at, resume || plan->part->is_kept);
    bestdag_buffer_release(&head);
    return bestdag_run_status(plan->run);
}

void bestdag_resume_file_close(struct bestdag_resume_file *part)
{
    if (!part)
        return;
    bestdag_journal_release(&part->journal);
    bestdag_free(part);
}
