/* SPDX-License-Identifier: MIT */
/* table_records.c -- the records of a table: read, kept in few bytes, and b
 * records taken up again when a prefix rests on them. What a b record proves is
 * computed when it is needed. */
#include <string.h>

#include "base/growing_array.h"
#include "base/row.h"
#include "verify/kernel/table_proof.h"

/* The word at hand as a mask over the part. */
static bool parse_mask(struct kernel_table *t, uint64_t *to)
{
    static const char digits[] = "0123456789abcdef";
    struct bestdag_word_reader *in = &t->proof->in;
    memset(to, 0, t->words * sizeof *to);
    if (!in->length || (in->word[0] == '0' && in->length > 1))
        return bestdag_expected(in, "a hexadecimal mask");
    for (int i = 0; i < in->length; i++) {
        char c = in->word[in->length - 1 - i];
        const char *at = c ? strchr(digits, c) : NULL;
        if (!at)
            return bestdag_expected(in, "a hexadecimal mask");
        int64_t digit = at - digits;
        for (int bit = 4 * i; digit; bit++, digit >>= 1) {
            if (!(digit & 1))
                continue;
            if (bit >= t->n)
                return bestdag_expected(in,
                                        "a mask of the variables of this part");
            bestdag_row_add(to, bit);
        }
    }
    return true;
}

/* The entry of a prefix, made if it is not there; NULL: no memory. */
static struct kernel_prefix *enter(struct kernel_table *t, const uint64_t *mask)
{
    bool fresh = false;
    struct kernel_prefix *prefix =
        bestdag_row_table_add(t->proof->run, &t->prefixes, mask, &fresh);
    if (prefix && fresh)
        *prefix = KERNEL_PREFIX_NONE;
    return prefix;
}

/* The next word is the mask of a prefix: its entry. */
static struct kernel_prefix *take_prefix(struct kernel_table *t, uint64_t *mask)
{
    bool is_mask = bestdag_line_word(&t->proof->in) && parse_mask(t, mask);
    return is_mask ? enter(t, mask) : NULL;
}

/* c a MASK [CLASS]... */
static bool take_cluster(struct kernel_table *t)
{
    struct bestdag_word_reader *in = &t->proof->in;
    int64_t few;
    if (!bestdag_next_integer(in, "the number a of the cluster", 1, t->n,
                              &few) ||
        !bestdag_line_word(in) || !bestdag_clusters_add(t->proof, few))
        return false;
    uint64_t *mask = bestdag_cluster_mask(t->clusters, t->clusters->count - 1);
    if (!parse_mask(t, mask))
        return false;
    bestdag_row_copy(mask + t->words, mask, t->words);
    while (bestdag_line_word(in) && in->length)
        if (!(mask = bestdag_clusters_mask(t->proof)) || !parse_mask(t, mask) ||
            !bestdag_clusters_divide(t->proof))
            return false;
    return !bestdag_run_status(in->run) && bestdag_clusters_close(t->proof);
}

static bool put_number(struct kernel_table *t, uint64_t x)
{
    enum { MOST_BYTES = 10 };
    if (!BESTDAG_GROW(t->proof->run, t->bytes, t->byte_room,
                      t->byte_count + MOST_BYTES))
        return false;
    for (; x > 127; x >>= 7)
        t->bytes[t->byte_count++] = (unsigned char)(x | 128);
    t->bytes[t->byte_count++] = (unsigned char)x;
    return true;
}

uint64_t bestdag_number_at(const struct kernel_table *t, int64_t *at)
{
    uint64_t x = 0;
    int shift = 0;
    for (; t->bytes[*at] > 127; shift += 7)
        x |= (uint64_t)(t->bytes[(*at)++] & 127) << shift;
    return x | (uint64_t)t->bytes[(*at)++] << shift;
}

/* x S */
static bool take_expanded(struct kernel_table *t)
{
    struct kernel_prefix *prefix = take_prefix(t, t->grown);
    if (prefix) { /* of several x and f records the last counts */
        prefix->is_expanded = true;
        prefix->f = -1;
    }
    return prefix != NULL;
}

/* An f record leads from t->back to t->grown. */
static bool link_up(struct kernel_table *t)
{
    int64_t at = t->byte_count;
    struct kernel_prefix *to = enter(t, t->grown);
    if (!to || !put_number(t, (uint64_t)(to->link + 1)))
        return false;
    for (size_t w = 0; w < t->words; w++)
        if (!put_number(t, t->back[w]))
            return false;
    to->link = at;
    return true;
}

/* f S i1 .. im */
static bool take_forced(struct kernel_table *t)
{
    struct bestdag_word_reader *in = &t->proof->in;
    struct kernel_prefix *prefix = take_prefix(t, t->grown);
    if (!prefix)
        return false;
    prefix->is_expanded = false;
    prefix->f = t->byte_count;
    bestdag_row_copy(t->back, t->grown, t->words);
    for (int64_t i, count = 0;; count++) {
        if (!bestdag_line_word(in))
            return false;
        if (!in->length && count)
            return put_number(t, 0) && (count == 1 || link_up(t));
        if (!bestdag_this_integer(in, "a variable of this part", 0, t->n - 1,
                                  &i))
            return false;
        if (bestdag_row_has(t->grown, (int)i))
            return bestdag_misread(in, "%lld is placed already", (long long)i);
        bestdag_row_add(t->grown, (int)i);
        if (!put_number(t, (uint64_t)i + 1))
            return false;
    }
}

static bool meets(const struct kernel_table *t, int64_t id,
                  const uint64_t *prefix)
{
    return bestdag_row_meets(bestdag_cluster_mask(t->clusters, id), prefix,
                             t->words);
}

/* One pair; a cluster may be defined later. */
static bool take_pair(struct kernel_table *t, int64_t *sum)
{
    struct bestdag_word_reader *in = &t->proof->in;
    int64_t y, id;
    if (!bestdag_next_integer(in, "a multiplier above 0", 1, KERNEL_MOST_SUM,
                              &y) ||
        !bestdag_next_integer(in, "the number of a cluster", 0, INT32_MAX, &id))
        return false;
    *sum += y;
    if (*sum > KERNEL_MOST_SUM)
        return bestdag_misread(in, "these multipliers are too large");
    if (id + t->part_clusters < t->clusters->count &&
        meets(t, id + t->part_clusters, t->grown))
        return bestdag_misread(in, "cluster %lld meets the prefix",
                               (long long)id);
    return put_number(t, (uint64_t)y) &&
           put_number(t, (uint64_t)(id + t->part_clusters));
}

/* S i: the last record of S becomes the one at hand, as far as it lies outside
 * S + i, and S + i the prefix. */
static bool take_base(struct kernel_table *t, struct kernel_prefix **prefix)
{
    struct bestdag_word_reader *in = &t->proof->in;
    int64_t at = *prefix ? (*prefix)->b : -1, i, left = 0;
    if (!*prefix ||
        !bestdag_next_integer(in, "a variable of this part", 0, t->n - 1, &i))
        return false;
    if (at < 0 || bestdag_row_has(t->grown, (int)i))
        return bestdag_misread(in, "no multipliers of this prefix to add to");
    if (!bestdag_records_take(t, t->grown, &at))
        return false;
    bestdag_row_add(t->grown, (int)i);
    for (int64_t k = 0; k < t->pairs; k++)
        if (!meets(t, t->pair[k].id, t->grown))
            t->pair[left++] = t->pair[k];
    t->pairs = left;
    return (*prefix = enter(t, t->grown)) != NULL;
}

/* b S m y1 id1 .. ym idm, or d S i m ..: on top of those at hand */
static bool take_bound(struct kernel_table *t, bool is_more)
{
    int64_t sum = 0, count;
    struct kernel_prefix *prefix = take_prefix(t, t->grown);
    t->pairs = 0;
    if ((is_more && !take_base(t, &prefix)) || !prefix ||
        !bestdag_next_integer(&t->proof->in, "the number of multipliers", 0,
                              INT32_MAX, &count))
        return false;
    int64_t at = t->byte_count;
    if (!put_number(t, (uint64_t)(prefix->b + 1)) ||
        !put_number(t, (uint64_t)(count + t->pairs)))
        return false;
    prefix->b = at;
    for (int64_t k = 0; k < t->pairs; k++) {
        sum += t->pair[k].y;
        if (!put_number(t, (uint64_t)t->pair[k].y) ||
            !put_number(t, (uint64_t)t->pair[k].id))
            return false;
    }
    for (int64_t k = 0; k < count; k++)
        if (!take_pair(t, &sum))
            return false;
    return true;
}

/* The part's multipliers: the first clusters, and a b record. */
static bool take_part(struct kernel_table *t)
{
    int64_t count = t->clusters->count;
    t->part_b = t->byte_count;
    t->part_clusters = count;
    if (!put_number(t, 0) || !put_number(t, (uint64_t)count))
        return false;
    for (int64_t k = 0; k < count; k++)
        if (!put_number(t, (uint64_t)t->clusters->one[k].y) ||
            !put_number(t, (uint64_t)k))
            return false;
    return true;
}

bool bestdag_records_take(struct kernel_table *t, const uint64_t *prefix,
                          int64_t *at)
{
    char text[32];
    int64_t from = *at;
    *at = (int64_t)bestdag_number_at(t, &from) - 1;
    t->pairs = (int64_t)bestdag_number_at(t, &from);
    if (!BESTDAG_GROW(t->proof->run, t->pair, t->pair_room, t->pairs))
        return false;
    for (int64_t k = 0; k < t->pairs; k++) {
        struct kernel_pair *pair = &t->pair[k];
        pair->y = (int64_t)bestdag_number_at(t, &from);
        pair->id = (int64_t)bestdag_number_at(t, &from);
        if (pair->id >= t->clusters->count ||
            (prefix && meets(t, pair->id, prefix)))
            return bestdag_misread(
                &t->proof->in,
                "cluster %lld of prefix %s is not defined, or meets it",
                (long long)(pair->id - t->part_clusters),
                bestdag_prefix_text(t, prefix, text));
    }
    return true;
}

static bool take_record(struct kernel_table *t)
{
    struct bestdag_word_reader *in = &t->proof->in;
    if (bestdag_word_is(in, "c"))
        return take_cluster(t);
    if (bestdag_word_is(in, "x"))
        return take_expanded(t);
    if (bestdag_word_is(in, "f"))
        return take_forced(t);
    if (bestdag_word_is(in, "b") || bestdag_word_is(in, "d"))
        return take_bound(t, bestdag_word_is(in, "d"));
    return bestdag_expected(in, "'c', 'x', 'f', 'b', 'd' or 'done'");
}

bool bestdag_records_read(struct kernel_table *t)
{
    struct bestdag_word_reader *in = &t->proof->in;
    if (!take_part(t))
        return false;
    for (;; t->proof->records++) {
        if (!bestdag_next_word(in))
            return false;
        if (bestdag_word_is(in, "done"))
            break;
        if (!take_record(t) || !bestdag_end_line(in) ||
            !bestdag_kernel_goes_on(in->run))
            return false;
    }
    return bestdag_next_integer(in, "a cost", -KERNEL_MOST, KERNEL_MOST,
                                &t->goal) &&
           bestdag_end_line(in);
}
