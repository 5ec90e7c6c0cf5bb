/* SPDX-License-Identifier: MIT */
/* resume_file.c -- finished lists on disk: a journal (journal.h) whose head has
 * the table and the settings, with one item per finished variable: `struct
 * item_header`, then the scores of all sets, their sizes, and their members,
 * each size and member in as many bytes as numbers up to n need.
 *
 * In the folder of a checkpoint it is "sets.part", is always resumed from, and
 * has an item_header with child -1 as its last item once all lists are there,
 * including those that a time limit cut short: every run then searches the same
 * lists. The other files of a checkpoint are replaced as a whole
 * (checkpoint.h); lists are appended, because rewriting all of them for each
 * finished one would take quadratic time. */
#include "parents/files/resume_file.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/checkpoint.h"
#include "base/journal.h"
#include "parallel/collective.h"

enum {
    SHARED = 0x70617274
}; /* identifies the collective that passes its
      lists */

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
    bool has_ended; /* all lists were read */
};

/* ---- writing ------------------------------------------------------------- */

/* The beginning of an item. */
struct item_header {
    int32_t child; /* -1: this is the last item */
    int32_t limit; /* max_parents of the list; for the last item, the ending */
    double ceiling;
    int64_t scored, count, members;
};

/* Bytes of a size or a member. */
static size_t width_of(int n)
{
    return n <= UINT16_MAX ? sizeof(uint16_t) : sizeof(int32_t);
}

static char *put(char *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return to + bytes;
}

static char *put_whole(char *to, int64_t x, size_t width)
{
    uint16_t narrow = (uint16_t)x;
    int32_t wide = (int32_t)x;
    return width == sizeof narrow ? put(to, &narrow, width)
                                  : put(to, &wide, width);
}

int bestdag_resume_file_add(struct bestdag_resume_file *part,
                            const struct bestdag_sets *sets, int child,
                            int64_t scored)
{
    const struct bestdag_list *list = &sets->list[child];
    struct bestdag_buffer *b = &part->journal.item;
    struct item_header o = {.child = child,
                            .limit = list->max_parents,
                            .ceiling = list->ceiling,
                            .scored = scored,
                            .count = list->count,
                            .members =
                                list->count ? list->start[list->count] : 0};
    size_t count = (size_t)o.count, width = width_of(sets->n);
    size_t bytes =
        sizeof o + count * sizeof(double) + (count + (size_t)o.members) * width;
    b->length = 0;
    if (!bestdag_buffer_reserve(b, bytes))
        return bestdag_run_status(b->run);
    char *to = put(b->at, &o, sizeof o);
    if (count)
        to = put(to, list->score, count * sizeof(double));
    for (int64_t i = 0; i < o.count; i++)
        to = put_whole(to, list->start[i + 1] - list->start[i], width);
    for (int64_t i = 0; i < o.members; i++)
        to = put_whole(to, list->member[i], width);
    b->length = bytes;
    return bestdag_journal_append(&part->journal);
}

/* Includes the lists that a time limit cut short, which are never continued. */
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
    struct item_header last = {
        .child = -1, .limit = (int)ending, .scored = plan->sets->scored};
    part->journal.item.length = 0;
    bestdag_buffer_add(&part->journal.item, (const char *)&last, sizeof last);
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
    static const char *const keys[] = {"time-per-variable", "theorem-2",
                                       "queue"};
    b->length = 0;
    bestdag_buffer_format(b, "bestdag part 2\tvariables=%d", plan->n);
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

/* ---- reading ------------------------------------------------------------- */

/* A list as stored in an item, unaligned. */
struct packed_list {
    int n, child;
    int64_t count, members;
    size_t width;
    const char *score, *size, *member;
};

static int64_t whole_at(const struct packed_list *p, const char *from,
                        int64_t i)
{
    uint16_t narrow;
    int32_t wide;
    from += (size_t)i * p->width;
    if (p->width == sizeof narrow) {
        memcpy(&narrow, from, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, from, sizeof wide);
    return wide;
}

/* False: the item has the wrong length. */
static bool unpack(const struct item_header *o,
                   const struct bestdag_buffer *item, int n,
                   struct packed_list *p)
{
    int64_t most = (int64_t)item->length; /* limit for all numbers: no sum
                                             overflows */
    if (o->child < 0 || o->child >= n || o->limit < -1 || o->limit > n ||
        isnan(o->ceiling) || o->scored < 0 || o->count < 0 || o->count > most ||
        o->members < 0 || o->members > most)
        return false;
    *p = (struct packed_list){.n = n,
                              .child = o->child,
                              .count = o->count,
                              .members = o->members,
                              .width = width_of(n)};
    p->score = item->at + sizeof *o;
    p->size = p->score + (size_t)o->count * sizeof(double);
    p->member = p->size + (size_t)o->count * p->width;
    return item->at + item->length == p->member + (size_t)o->members * p->width;
}

/* Reads members from `first` on; false: not a parent set of the child. */
static bool take_members(const struct packed_list *p, int64_t first, int size,
                         int *to)
{
    for (int i = 0; i < size; i++) {
        to[i] = (int)whole_at(p, p->member, first + i);
        if (to[i] < 0 || to[i] >= p->n || to[i] == p->child ||
            (i && to[i] <= to[i - 1]))
            return false;
    }
    return true;
}

/* Reads the sets into the collector; `to` has room for n members. False: not a
 * list of this plan, or out of memory. */
static bool take_sets(const struct packed_list *p, int *to,
                      struct bestdag_collector *c)
{
    int64_t used = 0;
    for (int64_t i = 0; i < p->count; i++) {
        double score;
        int64_t size = whole_at(p, p->size, i);
        memcpy(&score, p->score + (size_t)i * sizeof score, sizeof score);
        if (!isfinite(score) || size < 0 || size >= p->n ||
            size > p->members - used || !take_members(p, used, (int)size, to) ||
            bestdag_collector_add(c, to, (int)size, score))
            return false;
        used += size;
    }
    return used == p->members;
}

static bool take_list(struct bestdag_plan *plan, const struct item_header *o,
                      struct bestdag_collector *c)
{
    struct packed_list p;
    if (!unpack(o, &plan->part->journal.item, plan->n, &p) ||
        plan->is_done[o->child])
        return false;
    int *room = bestdag_alloc(plan->run, (size_t)plan->n * sizeof *room);
    struct bestdag_list *list = &plan->sets->list[o->child];
    bool fine = room && take_sets(&p, room, c) &&
                !bestdag_collector_finish(c, false, list);
    bestdag_free(room);
    if (!fine)
        return false;
    list->max_parents = o->limit;
    list->ceiling = o->ceiling;
    plan->sets->scored += o->scored;
    plan->is_done[o->child] = true;
    return true;
}

/* Reads the last item. */
static bool take_end(struct bestdag_plan *plan, const struct item_header *o)
{
    if (o->limit < BESTDAG_ENDED || o->limit > BESTDAG_TIMED_OUT ||
        o->scored < 0)
        return false;
    for (int v = 0; v < plan->n; v++)
        if (!plan->is_done[v])
            return false;
    plan->sets->ending = (enum bestdag_ending)o->limit;
    plan->sets->scored = o->scored;
    plan->part->has_ended = true;
    return true;
}

/* False: the item does not belong to this plan, or out of memory. */
static bool take_item(struct bestdag_plan *plan, struct bestdag_collector *c)
{
    const struct bestdag_buffer *item = &plan->part->journal.item;
    struct item_header o;
    if (item->length < sizeof o)
        return false;
    memcpy(&o, item->at, sizeof o);
    return o.child == -1 ? take_end(plan, &o) : take_list(plan, &o, c);
}

/* sequential counts for all variables together: some lists save little, and it
 * would count other sets than an uninterrupted run. */
static void forget(struct bestdag_plan *plan)
{
    for (int v = 0; v < plan->n; v++) {
        if (plan->is_done[v])
            bestdag_list_release(&plan->sets->list[v]);
        plan->is_done[v] = false;
    }
    plan->sets->scored = 0;
}

/* Reads the lists of the open file. */
static int take_over(struct bestdag_plan *plan)
{
    struct bestdag_resume_file *part = plan->part;
    struct bestdag_collector *c = bestdag_collector_new(plan->run);
    int done = 0;
    if (!c)
        return bestdag_run_status(plan->run);
    while (!part->has_ended && bestdag_journal_next(&part->journal) &&
           take_item(plan, c)) {
        bestdag_journal_keep(&part->journal);
        done += !part->has_ended;
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

/* Rank 0 has the file and passes its lists to the others. */
static void pass_done(void *state, struct bestdag_archive *p)
{
    struct bestdag_plan *plan = state;
    BESTDAG_PASS(p, plan->part->has_ended);
    BESTDAG_PASS(p, plan->sets->scored);
    BESTDAG_PASS(p, plan->sets->ending);
    for (int v = 0; v < plan->n; v++) {
        BESTDAG_PASS(p, plan->is_done[v]);
        if (plan->is_done[v])
            bestdag_list_pass(plan->run, &plan->sets->list[v], p);
    }
}

/* ---- opening ------------------------------------------------------------- */

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

/* The path of the file; NULL with status OK: none is wanted. */
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
        (folder && !bestdag_run_helps(run) &&
         !bestdag_checkpoint_folder(run, folder)))
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
    if (!path) /* nor is there one for a checkpoint on a full disk */
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
    plan->part->journal.is_full = bestdag_run_helps(plan->run);
    if (!make_head(plan, options, &head) && !plan->part->journal.is_full)
        open_file(plan, head.at, resume || plan->part->is_kept);
    bestdag_buffer_release(&head);
    bestdag_collective_broadcast(plan->run, SHARED, pass_done, plan);
    return bestdag_run_status(plan->run);
}

void bestdag_resume_file_close(struct bestdag_resume_file *part)
{
    if (!part)
        return;
    bestdag_journal_release(&part->journal);
    bestdag_free(part);
}
