/* SPDX-License-Identifier: MIT */
/* records.c -- the records of a table of prefixes: read, kept, and b records
 * taken up again when a prefix rests on them. A b record is kept in few bytes;
 * what it proves is computed when it is needed. */
#include <string.h>

#include "base/row.h"
#include "verify/kernel/mask.h"
#include "verify/kernel/table_proof.h"
#include "verify/kernel/growing_array.h"

/* What the multipliers of a record, each times its number, may add up to. */
static const int64_t MOST_SUM = (int64_t)1 << 61;

const char *bestdag_records_show(const uint64_t *mask, size_t words,
                                 char to[80])
{
    static const char digits[] = "0123456789abcdef";
    size_t n = 0, i = 16 * words;
    while (i > 1 && !(mask[(i - 1) / 16] >> ((i - 1) % 16 * 4) & 15))
        i--;
    for (; i > 0 && n < 60; i--)
        to[n++] = digits[mask[(i - 1) / 16] >> ((i - 1) % 16 * 4) & 15];
    memcpy(to + n, i ? "..." : "", i ? 4 : 1);
    return to;
}

/* ---- records --------------------------------------------------------------
 */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The word at hand as a mask over the part. */
static int parse_mask(struct kernel_table *t, uint64_t *to)
{
    struct kernel_reader *w = t->proof->words;
    memset(to, 0, t->words * sizeof *to);
    if (!w->length || (w->word[0] == '0' && w->length > 1))
        return bestdag_words_expected(w, "a hexadecimal mask");
    for (int i = 0; i < w->length; i++) {
        int digit = hex_digit(w->word[w->length - 1 - i]);
        if (digit < 0)
            return bestdag_words_expected(w, "a hexadecimal mask");
        for (int bit = 0; bit < 4; bit++)
            if (digit >> bit & 1) {
                if (4 * i + bit >= t->n)
                    return bestdag_words_expected(
                        w, "a mask of the variables of this part");
                bestdag_row_add(to, 4 * i + bit);
            }
    }
    return BESTDAG_OK;
}

static int take_mask(struct kernel_table *t, uint64_t *to)
{
    int status = bestdag_words_more(t->proof->words);
    return status ? status : parse_mask(t, to);
}

static struct kernel_prefix *fate_of(struct kernel_table *t,
                                     const uint64_t *prefix)
{
    bool fresh = false;
    struct kernel_prefix *fate =
        bestdag_prefix_table_add(t->proof->run, &t->fates, prefix, &fresh);
    if (fate && fresh)
        *fate = bestdag_fate_none();
    return fate;
}

/* [BLOCK]; *size: members outside, and one for it. */
static int take_block(struct kernel_table *t, uint64_t *mask, int *size)
{
    struct kernel_reader *w = t->proof->words;
    uint64_t *block = mask + t->words;
    memset(block, 0, t->words * sizeof *block);
    *size = bestdag_row_count(mask, t->words);
    if (bestdag_words_more(w) || !w->length)
        return bestdag_run_status(w->run);
    if (parse_mask(t, block))
        return bestdag_run_status(w->run);
    int count = bestdag_row_count(block, t->words);
    if (count < 2 || !bestdag_mask_within(block, mask, t->words))
        return bestdag_words_expected(w, "a block of members, two at least");
    *size -= count - 1;
    return BESTDAG_OK;
}

/* c a MASK [BLOCK] */
static int take_cluster(struct kernel_table *t)
{
    struct kernel_reader *w = t->proof->words;
    int64_t few;
    int size;
    if (bestdag_array_grow(w->run, &t->cluster, &t->cluster_room,
                           t->clusters + 1,
                           2 * t->words * sizeof *t->cluster) ||
        bestdag_array_grow(w->run, &t->few, &t->few_room, t->clusters + 1,
                           sizeof *t->few))
        return BESTDAG_MEMORY;
    uint64_t *mask = t->cluster + (size_t)t->clusters * 2 * t->words;
    if (bestdag_words_integer(w, "the number a of the cluster", 1, t->n,
                              &few) ||
        take_mask(t, mask) || take_block(t, mask, &size))
        return bestdag_run_status(w->run);
    if (size <= few)
        return bestdag_words_fail(w, "a cluster of rank %lld or less",
                                  (long long)few);
    t->few[t->clusters++] = (int32_t)few;
    return BESTDAG_OK;
}

/* x S */
static int take_expanded(struct kernel_table *t, uint64_t *prefix)
{
    int status = take_mask(t, prefix);
    struct kernel_prefix *fate = status ? NULL : fate_of(t, prefix);
    if (fate) { /* of several the last counts */
        fate->is_expanded = true;
        fate->forced = -1;
    }
    return bestdag_run_status(t->proof->run);
}

/* ---- f and b records ------------------------------------------------------
 */

enum { MOST_BYTES = 10 }; /* of a number */

static int put_number(struct kernel_table *t, int64_t number)
{
    uint64_t x = (uint64_t)number;
    if (bestdag_array_grow(t->proof->run, &t->pairs, &t->pair_room,
                           t->pair_bytes + MOST_BYTES, 1))
        return BESTDAG_MEMORY;
    for (; x > 127; x >>= 7)
        t->pairs[t->pair_bytes++] = (unsigned char)(x | 128);
    t->pairs[t->pair_bytes++] = (unsigned char)x;
    return BESTDAG_OK;
}

int64_t bestdag_records_number(const struct kernel_table *t, int64_t *at)
{
    uint64_t x = 0;
    int shift = 0;
    for (; t->pairs[*at] > 127; shift += 7)
        x |= (uint64_t)(t->pairs[(*at)++] & 127) << shift;
    return (int64_t)(x | (uint64_t)t->pairs[(*at)++] << shift);
}

/* An f record leads from one prefix to another. */
static int link_up(struct kernel_table *t, const uint64_t *from,
                   const uint64_t *to)
{
    struct bestdag_run *run = t->proof->run;
    struct kernel_prefix *fate = fate_of(t, to);
    if (!fate ||
        bestdag_array_grow(run, &t->link_from, &t->from_room, t->links + 1,
                           t->words * sizeof *t->link_from) ||
        bestdag_array_grow(run, &t->link_next, &t->next_room, t->links + 1,
                           sizeof *t->link_next))
        return BESTDAG_MEMORY;
    bestdag_mask_copy(t->link_from + (size_t)t->links * t->words, from,
                      t->words);
    t->link_next[t->links] = fate->link;
    fate->link = t->links++;
    return BESTDAG_OK;
}

/* f S i1 .. im. The variables stand behind their number; seen: scratch. */
static int take_forced(struct kernel_table *t, uint64_t *seen)
{
    struct kernel_reader *w = t->proof->words;
    int64_t i, count = 0;
    int status = take_mask(t, seen);
    struct kernel_prefix *fate = status ? NULL : fate_of(t, seen);
    if (!fate)
        return bestdag_run_status(w->run);
    fate->is_expanded = false;
    fate->forced = t->pair_bytes;
    bestdag_mask_copy(t->back, seen, t->words);
    for (;; count++) {
        if (bestdag_words_more(w))
            return bestdag_run_status(w->run);
        if (!w->length && count)
            return count > 1 && link_up(t, t->back, seen) ? BESTDAG_MEMORY
                                                          : put_number(t, 0);
        if (!bestdag_words_whole(w->word, &i) || i < 0 || i >= t->n)
            return bestdag_words_expected(w, "a variable of this part");
        if (bestdag_row_has(seen, (int)i))
            return bestdag_words_fail(w, "%lld is placed already",
                                      (long long)i);
        bestdag_row_add(seen, (int)i);
        if (put_number(t, i + 1))
            return BESTDAG_MEMORY;
    }
}

static int grow_pairs(struct kernel_table *t, int64_t count)
{
    if (count <= t->room)
        return BESTDAG_OK;
    int64_t room = 2 * count + 16;
    bestdag_free(t->id);
    bestdag_free(t->y);
    t->room = 0;
    t->id = bestdag_alloc(t->proof->run, (size_t)room * sizeof *t->id);
    t->y = bestdag_alloc(t->proof->run, (size_t)room * sizeof *t->y);
    if (!t->id || !t->y)
        return BESTDAG_MEMORY;
    t->room = room;
    return BESTDAG_OK;
}

/* One pair; a cluster may be defined later. */
static int take_pair(struct kernel_table *t, const uint64_t *prefix,
                     int64_t *sum)
{
    struct kernel_reader *w = t->proof->words;
    int64_t y, id;
    if (bestdag_words_integer(w, "a multiplier above 0", 1, MOST_SUM, &y) ||
        bestdag_words_integer(w, "the number of a cluster", 0, INT32_MAX, &id))
        return bestdag_run_status(w->run);
    *sum += y;
    if (*sum > MOST_SUM)
        return bestdag_words_fail(w, "these multipliers are too large");
    if (id < t->clusters &&
        bestdag_mask_meets(t->cluster + (size_t)id * 2 * t->words, prefix,
                           t->words))
        return bestdag_words_fail(w, "cluster %lld meets the prefix",
                                  (long long)id);
    return put_number(t, y) || put_number(t, id) ? BESTDAG_MEMORY : BESTDAG_OK;
}

/* b S m y1 id1 .. ym idm */
static int take_bound(struct kernel_table *t, uint64_t *prefix)
{
    struct kernel_reader *w = t->proof->words;
    int64_t at = t->pair_bytes, sum = 0, count;
    if (take_mask(t, prefix) ||
        bestdag_words_integer(w, "the number of multipliers", 0, INT32_MAX,
                              &count))
        return bestdag_run_status(w->run);
    struct kernel_prefix *fate = fate_of(t, prefix);
    if (!fate || put_number(t, fate->pairs + 1) || put_number(t, count))
        return BESTDAG_MEMORY;
    fate->pairs = at;
    for (int64_t k = 0; k < count; k++)
        if (take_pair(t, prefix, &sum))
            return bestdag_run_status(w->run);
    return BESTDAG_OK;
}

int bestdag_records_take(struct kernel_table *t, const uint64_t *prefix,
                         int64_t *at)
{
    int64_t from = *at, count;
    char text[80];
    *at = bestdag_records_number(t, &from) - 1;
    count = bestdag_records_number(t, &from);
    if (grow_pairs(t, count))
        return BESTDAG_MEMORY;
    t->count = count;
    for (int64_t k = 0; k < count; k++) {
        t->y[k] = bestdag_records_number(t, &from);
        t->id[k] = bestdag_records_number(t, &from);
        if (t->id[k] >= t->clusters ||
            bestdag_mask_meets(t->cluster + (size_t)t->id[k] * 2 * t->words,
                               prefix, t->words))
            return bestdag_words_fail(
                t->proof->words,
                "cluster %lld of prefix %s is not defined, or meets it",
                (long long)t->id[k],
                bestdag_records_show(prefix, t->words, text));
    }
    return BESTDAG_OK;
}

/* ---- all of them ----------------------------------------------------------
 */

static int take_record(struct kernel_table *t, uint64_t *prefix)
{
    const struct kernel_reader *w = t->proof->words;
    if (bestdag_words_are(w, "c"))
        return take_cluster(t);
    if (bestdag_words_are(w, "x"))
        return take_expanded(t, prefix);
    if (bestdag_words_are(w, "f"))
        return take_forced(t, prefix);
    if (bestdag_words_are(w, "b"))
        return take_bound(t, prefix);
    return bestdag_words_expected(t->proof->words,
                                  "'c', 'x', 'f', 'b' or 'done'");
}

static int take_records(struct kernel_table *t, uint64_t *prefix)
{
    struct kernel_proof *p = t->proof;
    for (;; p->records++) {
        int status = bestdag_words_next(p->words);
        if (status || bestdag_words_are(p->words, "done"))
            return status;
        status = take_record(t, prefix);
        if (!status)
            status = bestdag_words_end_line(p->words);
        if (status || bestdag_proof_stopped(p))
            return bestdag_run_status(p->run);
    }
}

int bestdag_records_read(struct kernel_table *t, int64_t *cost)
{
    struct kernel_reader *w = t->proof->words;
    uint64_t *prefix = bestdag_calloc(w->run, t->words, sizeof *prefix);
    int status = prefix ? take_records(t, prefix) : BESTDAG_MEMORY;
    bestdag_free(prefix);
    if (!status)
        status = bestdag_words_integer(w, "a cost", -BESTDAG_PROOF_MOST,
                                       BESTDAG_PROOF_MOST, cost);
    return status ? status : bestdag_words_end_line(w);
}
