/* SPDX-License-Identifier: MIT */
/* proof.c -- checks a certificate while it is read: parts inside parts.
 *
 * A part costs at least the least of: X of each of its deletions, and what its
 * end proves: its multipliers, the sum of its children, or a table. Children
 * partition their part, and nothing of a part is looked at after its children
 * but their sum; so the sets that remain are one array, and an open part is one
 * small record however deep they lie. */
#include "verify/kernel/certificate.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "verify/kernel/growing_array.h"

int bestdag_proof_refuse(struct kernel_proof *p, const char *format, ...)
{
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (!p->refused)
        snprintf(p->reason, sizeof p->reason, "%.100s:%lld: %s",
                 bestdag_source_name(p->words->from), (long long)p->words->line,
                 text);
    bestdag_text_tidy(p->reason);
    p->refused = true;
    return BESTDAG_UNPROVED;
}

int bestdag_proof_narrow(struct kernel_proof *p, bestdag_wide x, int64_t *to)
{
    if (x < -BESTDAG_PROOF_MOST)
        return bestdag_proof_refuse(p, "this is proved to cost less than "
                                       "nothing can");
    *to = x > BESTDAG_PROOF_MOST ? BESTDAG_PROOF_MOST : (int64_t)x;
    return BESTDAG_OK;
}

bool bestdag_proof_stopped(struct kernel_proof *p)
{
    if (!bestdag_run_stopped(p->run))
        return false;
    bestdag_fail(p->run, BESTDAG_FAILED, "verification was stopped");
    return true;
}

/* ---- parts ----------------------------------------------------------------
 */

static struct kernel_part *innermost(struct kernel_proof *p)
{
    return &p->part[p->depth - 1];
}

static int push_part(struct kernel_proof *p)
{
    if (bestdag_array_grow(p->run, &p->part, &p->part_room, p->depth + 1,
                           sizeof *p->part))
        return BESTDAG_MEMORY;
    p->part[p->depth++] = (struct kernel_part){
        .id = ++p->ids, .least = BESTDAG_PROOF_NEVER, .left = p->count};
    p->parts++;
    return BESTDAG_OK;
}

/* The members must be in the part around it (id 0: there is none), and in none
 * of its children before. */
static int take_members(struct kernel_proof *p, int64_t around)
{
    int64_t count, v;
    if (bestdag_words_integer(p->words, "the size of the part", 0, p->lists->n,
                              &count))
        return bestdag_run_status(p->run);
    p->count = (int)count;
    for (int i = 0; i < p->count; i++) {
        if (bestdag_words_integer(p->words, "a variable of the part", 0,
                                  p->lists->n - 1, &v))
            return bestdag_run_status(p->run);
        if (p->home[v] != around)
            return bestdag_words_fail(p->words,
                                      "%lld is there twice, or not in the "
                                      "part around this one",
                                      (long long)v);
        p->home[v] = p->ids + 1;
        p->member[i] = (int32_t)v;
    }
    return bestdag_words_end_line(p->words);
}

static int later(struct kernel_proof *p, int v, int u)
{
    return bestdag_proof_refuse(p,
                                "'%.60s' can need '%.60s', which is in a "
                                "later part",
                                p->lists->names[v], p->lists->names[u]);
}

/* Is every member of set t in set s? Both are ascending. */
static bool is_subset(const struct kernel_lists *l, int64_t t, int64_t s)
{
    int64_t i = l->start[t], k = l->start[s];
    for (; i < l->start[t + 1] && k < l->start[s + 1]; k++)
        i += l->member[i] == l->member[k];
    return i == l->start[t + 1];
}

/* Does a smaller set that remains cost no more? Then a network with s becomes
 * one without, which costs no more and has no new arc. */
static bool is_dominated(const struct kernel_lists *l, int v, int64_t s)
{
    for (int64_t t = l->first[v]; t < l->first[v + 1]; t++)
        if (l->remains[t] && l->cost[t] <= l->cost[s] &&
            bestdag_lists_size(l, t) < bestdag_lists_size(l, s) &&
            is_subset(l, t, s))
            return true;
    return false;
}

/* Does a member need a variable that is left for a later child of `around`? */
static int check_needs(struct kernel_proof *p, int v, int64_t around)
{
    const struct kernel_lists *l = p->lists;
    for (int64_t s = l->first[v]; s < l->first[v + 1]; s++)
        for (int64_t i = l->start[s]; l->remains[s] && i < l->start[s + 1]; i++)
            if (p->home[l->member[i]] == around) {
                if (is_dominated(l, v, s))
                    break;
                return later(p, v, l->member[i]);
            }
    for (int u = 0; p->before && u < l->n; u++)
        if (bestdag_proof_precedes(p, u, v) && p->home[u] == around)
            return later(p, v, u);
    return BESTDAG_OK;
}

static int open_part(struct kernel_proof *p)
{
    int64_t around = p->depth ? innermost(p)->id : 0;
    int status = take_members(p, around);
    if (!status && p->depth) {
        innermost(p)->left -= p->count;
        innermost(p)->is_split = true;
    } else if (!status && p->count != p->lists->n)
        status = bestdag_words_fail(p->words,
                                    "expected all %d variables in the "
                                    "outermost part",
                                    p->lists->n);
    for (int i = 0; i < p->count && !status && p->depth; i++)
        status = check_needs(p, p->member[i], around);
    if (!status)
        status = push_part(p);
    if (!status)
        bestdag_clusters_reset(p);
    return status;
}

/* What the innermost part costs goes to the one around it. */
static int close_part(struct kernel_proof *p, int64_t cost)
{
    struct kernel_part *part = innermost(p);
    cost = part->least < cost ? part->least : cost;
    p->depth--;
    if (!p->depth)
        p->proved = cost;
    else /* NEVER is more than all else can make up for */
        innermost(p)->sum +=
            cost == BESTDAG_PROOF_NEVER ? (bestdag_wide)1 << 90 : cost;
    return BESTDAG_OK;
}

static int end_split(struct kernel_proof *p, int64_t *cost)
{
    const struct kernel_part *part = innermost(p);
    if (part->left)
        return bestdag_words_fail(p->words,
                                  "%lld variables are in none of the parts "
                                  "that this one is split into",
                                  (long long)part->left);
    if (part->sum > (bestdag_wide)1 << 89) {
        *cost = BESTDAG_PROOF_NEVER;
        return BESTDAG_OK;
    }
    return bestdag_proof_narrow(p, part->sum, cost);
}

static int end_part(struct kernel_proof *p)
{
    int64_t cost = BESTDAG_PROOF_NEVER;
    bool never = false;
    int status = bestdag_words_end_line(p->words);
    if (!status && innermost(p)->is_split)
        status = end_split(p, &cost);
    else if (!status) {
        bestdag_wide value = bestdag_clusters_value(p, NULL, &never);
        if (!never)
            status = bestdag_proof_narrow(p, value, &cost);
    }
    return status ? status : close_part(p, cost);
}

static int take_table(struct kernel_proof *p)
{
    int64_t cost = 0;
    int status = bestdag_prefixes_prove(p, &cost);
    if (!status)
        status = bestdag_words_next(p->words);
    if (!status && !bestdag_words_are(p->words, "end"))
        status = bestdag_words_expected(p->words, "'end' after the table");
    if (!status)
        status = bestdag_words_end_line(p->words);
    return status ? status : close_part(p, cost);
}

static int take_record(struct kernel_proof *p)
{
    const struct kernel_reader *w = p->words;
    bool is_split = innermost(p)->is_split;
    if (bestdag_words_are(w, "part"))
        return open_part(p);
    if (bestdag_words_are(w, "end"))
        return end_part(p);
    if (!is_split && bestdag_words_are(w, "multipliers"))
        return bestdag_clusters_read(p);
    if (!is_split && bestdag_words_are(w, "delete"))
        return bestdag_clusters_delete(p);
    if (!is_split && bestdag_words_are(w, "table"))
        return take_table(p);
    return bestdag_words_expected(
        p->words, is_split ? "'part' or 'end'"
                           : "'multipliers', 'delete', 'part', 'table' or "
                             "'end'");
}

/* ---- the whole ------------------------------------------------------------
 */

static int expect_word(struct kernel_proof *p, const char *word, bool fresh)
{
    char what[64];
    int status =
        fresh ? bestdag_words_next(p->words) : bestdag_words_more(p->words);
    snprintf(what, sizeof what, "'%s'", word);
    if (!status && !bestdag_words_are(p->words, word))
        status = bestdag_words_expected(p->words, what);
    return status;
}

/* A line of a word and a number. */
static int take_line(struct kernel_proof *p, const char *word, int64_t limit,
                     int64_t *to)
{
    int status = expect_word(p, word, true);
    if (!status)
        status = bestdag_words_integer(p->words, "a whole number", -limit,
                                       limit, to);
    return status ? status : bestdag_words_end_line(p->words);
}

/* The certificate says what a unit is, but not what is accepted as one. */
static int take_unit(struct kernel_proof *p)
{
    int64_t shift;
    int status = take_line(p, "shift", 1000, &shift);
    if (status)
        return status;
    p->shift = (int)shift;
    if (p->shift < BESTDAG_SHIFT_LEAST)
        return bestdag_proof_refuse(
            p,
            "costs in units of 2^%d nat prove nothing: 2^-%d is the "
            "coarsest that is accepted",
            -p->shift, BESTDAG_SHIFT_LEAST);
    if (p->shift > BESTDAG_SHIFT_MOST)
        return bestdag_words_fail(p->words,
                                  "shift %d is too large: expected %d at most",
                                  p->shift, BESTDAG_SHIFT_MOST);
    bestdag_lists_cost(p->lists, p->shift);
    return BESTDAG_OK;
}

static int take_head(struct kernel_proof *p)
{
    int64_t version, n;
    int status = expect_word(p, "bestdag", true);
    if (!status)
        status = expect_word(p, "certificate", false);
    if (!status)
        status = bestdag_words_integer(p->words, "version 1", 1, 1, &version);
    if (!status)
        status = bestdag_words_end_line(p->words);
    if (!status)
        status = take_line(p, "variables", INT32_MAX, &n);
    if (!status && n != p->lists->n)
        status = bestdag_words_fail(p->words,
                                    "this is about %lld variables, and the "
                                    "score file has %d",
                                    (long long)n, p->lists->n);
    return status ? status : take_unit(p);
}

static int take_parts(struct kernel_proof *p)
{
    int status = expect_word(p, "part", true);
    if (!status)
        status = open_part(p);
    while (!status && p->depth) {
        status = bestdag_words_next(p->words);
        if (!status)
            status = take_record(p);
        if (!status && bestdag_proof_stopped(p))
            status = BESTDAG_FAILED;
    }
    return status;
}

static int take_claim(struct kernel_proof *p)
{
    int status = take_line(p, "claim", BESTDAG_PROOF_MOST, &p->claim);
    int64_t line = p->words->line;
    if (status || bestdag_words_next(p->words))
        return bestdag_run_status(p->run);
    if (p->words->length)
        return bestdag_words_expected(p->words, "the end of the file");
    p->words->line = line;
    if (p->claim > p->proved)
        return bestdag_proof_refuse(p,
                                    "it claims that networks cost at least "
                                    "%lld, but proves only %lld",
                                    (long long)p->claim, (long long)p->proved);
    return BESTDAG_OK;
}

static int allocate(struct kernel_proof *p)
{
    size_t n = (size_t)p->lists->n + 1, sets = (size_t)p->lists->sets + 1;
    p->home = bestdag_calloc(p->run, n, sizeof *p->home);
    p->member = bestdag_calloc(p->run, n, sizeof *p->member);
    p->stamp = bestdag_calloc(p->run, n, sizeof *p->stamp);
    p->rest = bestdag_calloc(p->run, sets, sizeof *p->rest);
    p->words = bestdag_calloc(p->run, 1, sizeof *p->words);
    return bestdag_run_status(p->run);
}

int bestdag_proof_check(struct kernel_proof *p, struct bestdag_source *from)
{
    int status = allocate(p);
    bestdag_run_phase(p->run, "checking", bestdag_source_size(from));
    if (!status) {
        p->words->comments_anywhere = true;
        status = bestdag_words_start(p->words, p->run, from);
    }
    if (!status)
        status = take_head(p);
    if (!status)
        status = take_parts(p);
    if (!status)
        status = take_claim(p);
    /* whoever refuses says so in `refused`; all else is in the run */
    return p->refused ? bestdag_run_status(p->run) : status;
}

void bestdag_proof_release(struct kernel_proof *p)
{
    if (p->words)
        bestdag_words_release(p->words);
    bestdag_free(p->words);
    bestdag_free(p->home);
    bestdag_free(p->part);
    bestdag_free(p->member);
    bestdag_free(p->stamp);
    bestdag_free(p->rest);
    bestdag_clusters_release(&p->clusters);
}
