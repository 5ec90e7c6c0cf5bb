/* SPDX-License-Identifier: MIT */
/* certificate.c -- checks a certificate, which consists of nested parts, while
 * it is read.
 *
 * Children partition their part, and after its children only the sum of their
 * costs is used; so the remaining sets are one array, and an open part is one
 * small record, however deeply parts are nested. */
#include "verify/kernel/certificate.h"

#include <stdio.h>

#include "base/text.h"
#include "base/growing_array.h"

/* Accepted units, 2^-shift nat: no coarser than a millionth, the precision of
 * reports; no finer than costs can be distinguished. */
enum { SHIFT_LEAST = 20, SHIFT_MOST = 60 };

bool bestdag_proof_refuse(struct kernel_proof *p, const char *format, ...)
{
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (!p->refused)
        snprintf(p->reason, sizeof p->reason, "%.100s:%lld: %s",
                 bestdag_source_name(p->in.from), (long long)p->in.line, text);
    bestdag_text_tidy(p->reason);
    p->refused = true;
    return false;
}

/* ---- parts ---- */

static struct kernel_part *innermost(struct kernel_proof *p)
{
    return &p->part[p->depth - 1];
}

/* The members must be in the enclosing part (id 0: none), and in none of its
 * earlier children. */
static bool take_members(struct kernel_proof *p, int64_t around)
{
    int64_t count, v;
    if (!bestdag_next_integer(&p->in, "the size of the part", 0, p->lists->n,
                              &count))
        return false;
    p->count = (int)count;
    for (int i = 0; i < p->count; i++) {
        if (!bestdag_next_integer(&p->in, "a variable of the part", 0,
                                  p->lists->n - 1, &v))
            return false;
        if (p->home[v] != around)
            return bestdag_misread(&p->in, "%lld is repeated or out of order",
                                   (long long)v);
        p->home[v] = p->ids + 1;
        p->member[i] = (int32_t)v;
        p->local[v] = i;
    }
    return bestdag_end_line(&p->in);
}

static bool refuse_later(struct kernel_proof *p, int v, int u)
{
    return bestdag_proof_refuse(p, "'%.60s' can need '%.60s' of a later part",
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

/* Is there a remaining subset that costs no more? Then a network with s can be
 * changed to one that costs no more, without a new arc. */
static bool is_dominated(const struct kernel_lists *l, int v, int64_t s)
{
    for (int64_t t = l->first[v]; t < l->first[v + 1]; t++)
        if (l->remains[t] && l->cost[t] <= l->cost[s] &&
            bestdag_lists_size(l, t) < bestdag_lists_size(l, s) &&
            is_subset(l, t, s))
            return true;
    return false;
}

/* A member must not need a variable that belongs to a later child. */
static bool check_needs(struct kernel_proof *p, int v, int64_t around)
{
    const struct kernel_lists *l = p->lists;
    for (int64_t s = l->first[v]; s < l->first[v + 1]; s++)
        for (int64_t i = l->start[s]; l->remains[s] && i < l->start[s + 1]; i++)
            if (p->home[l->member[i]] == around) {
                if (is_dominated(l, v, s))
                    break;
                return refuse_later(p, v, l->member[i]);
            }
    for (int u = 0; p->before && u < l->n; u++)
        if (bestdag_proof_precedes(p, u, v) && p->home[u] == around)
            return refuse_later(p, v, u);
    return true;
}

static bool open_part(struct kernel_proof *p)
{
    int64_t around = p->depth ? innermost(p)->id : 0;
    if (!take_members(p, around))
        return false;
    if (!p->depth && p->count != p->lists->n)
        return bestdag_misread(&p->in, "expected all variables in this part");
    if (p->depth) {
        innermost(p)->left -= p->count;
        innermost(p)->is_split = true;
    }
    for (int i = 0; i < p->count && p->depth; i++)
        if (!check_needs(p, p->member[i], around))
            return false;
    if (!BESTDAG_GROW(p->run, p->part, p->part_room, p->depth + 1))
        return false;
    p->part[p->depth++] = (struct kernel_part){
        .id = ++p->ids, .least = KERNEL_NEVER, .left = p->count};
    p->parts++;
    bestdag_clusters_reset(p);
    return true;
}

/* Adds the cost of the innermost part to the enclosing one. */
static bool close_part(struct kernel_proof *p, int64_t cost)
{
    int64_t least = innermost(p)->least;
    cost = least < cost ? least : cost;
    p->depth--;
    if (!p->depth)
        p->proved = cost;
    else
        innermost(p)->sum += cost == KERNEL_NEVER ? KERNEL_NEVER_SUM : cost;
    return true;
}

static bool end_part(struct kernel_proof *p)
{
    const struct kernel_part *part = innermost(p);
    bool never = false;
    if (!bestdag_end_line(&p->in))
        return false;
    if (part->is_split && part->left)
        return bestdag_misread(&p->in,
                               "%lld variables are in none of its parts",
                               (long long)part->left);
    kernel_wide sum =
        part->is_split ? part->sum : bestdag_clusters_value(p, &never);
    if (never || (part->is_split && sum > KERNEL_NEVER_SUM / 2))
        return close_part(p, KERNEL_NEVER);
    if (sum < -KERNEL_MOST)
        return bestdag_proof_refuse(p, "a cost below all possible ones");
    /* larger sums are never needed, and are lowered */
    return close_part(p, sum > KERNEL_MOST ? KERNEL_MOST : (int64_t)sum);
}

static bool take_expansion(struct kernel_proof *p)
{
    int64_t cost = 0;
    return bestdag_expansion_prove(p, &cost) && bestdag_next_word(&p->in) &&
           (bestdag_word_is(&p->in, "end") ||
            bestdag_expected(&p->in, "'end' after the expansion")) &&
           bestdag_end_line(&p->in) && close_part(p, cost);
}

static bool take_step(struct kernel_proof *p)
{
    struct bestdag_word_reader *in = &p->in;
    bool is_split = innermost(p)->is_split;
    if (bestdag_word_is(in, "part"))
        return open_part(p);
    if (bestdag_word_is(in, "end"))
        return end_part(p);
    if (!is_split && bestdag_word_is(in, "multipliers"))
        return bestdag_clusters_read(p);
    if (!is_split && bestdag_word_is(in, "delete"))
        return bestdag_clusters_delete(p);
    if (!is_split && bestdag_word_is(in, "expand"))
        return take_expansion(p);
    return bestdag_expected(
        in, is_split ? "'part' or 'end'"
                     : "'multipliers', 'delete', 'part', 'expand' or 'end'");
}

/* ---- the whole ---- */

/* The current word must be `word`. */
static bool expect(struct kernel_proof *p, const char *word)
{
    char what[64];
    snprintf(what, sizeof what, "'%s'", word);
    return bestdag_word_is(&p->in, word) || bestdag_expected(&p->in, what);
}

/* Reads a line of a word and a number. */
static bool take_line(struct kernel_proof *p, const char *word, int64_t limit,
                      int64_t *to)
{
    return bestdag_next_word(&p->in) && expect(p, word) &&
           bestdag_next_integer(&p->in, "a whole number", -limit, limit, to) &&
           bestdag_end_line(&p->in);
}

/* The certificate states the unit; the checker decides which units it
 * accepts. */
static bool take_head(struct kernel_proof *p)
{
    int64_t version, n, shift;
    if (!bestdag_next_word(&p->in) || !expect(p, "bestdag") ||
        !bestdag_line_word(&p->in) || !expect(p, "certificate") ||
        !bestdag_next_integer(&p->in, "version 1", 1, 1, &version) ||
        !bestdag_end_line(&p->in) || !take_line(p, "variables", INT32_MAX, &n))
        return false;
    if (n != p->lists->n)
        return bestdag_misread(&p->in,
                               "expected %d, the variables of the score file",
                               p->lists->n);
    if (!take_line(p, "shift", 1000, &shift))
        return false;
    p->shift = (int)shift;
    if (p->shift < SHIFT_LEAST)
        return bestdag_proof_refuse(p,
                                    "costs in units of 2^%d nat prove nothing: "
                                    "2^-%d is the coarsest that is accepted",
                                    -p->shift, SHIFT_LEAST);
    if (p->shift > SHIFT_MOST)
        return bestdag_misread(&p->in,
                               "shift %d is too large: expected %d at most",
                               p->shift, SHIFT_MOST);
    bestdag_lists_cost(p->lists, p->shift);
    return true;
}

static bool take_parts(struct kernel_proof *p)
{
    if (!bestdag_next_word(&p->in) || !expect(p, "part") || !open_part(p))
        return false;
    while (p->depth)
        if (!bestdag_next_word(&p->in) || !take_step(p) ||
            !bestdag_kernel_goes_on(p->run))
            return false;
    return true;
}

static bool take_claim(struct kernel_proof *p)
{
    if (!take_line(p, "claim", KERNEL_MOST, &p->claim))
        return false;
    int64_t line = p->in.line;
    if (!bestdag_next_word(&p->in))
        return false;
    if (p->in.length)
        return bestdag_expected(&p->in, "the end of the file");
    p->in.line = line;
    return p->claim <= p->proved ||
           bestdag_proof_refuse(p,
                                "it claims that networks cost at least %lld, "
                                "but proves only %lld",
                                (long long)p->claim, (long long)p->proved);
}

static bool allocate(struct kernel_proof *p)
{
    size_t n = (size_t)p->lists->n + 1, sets = (size_t)p->lists->sets + 1;
    p->home = bestdag_calloc(p->run, n, sizeof *p->home);
    p->member = bestdag_calloc(p->run, n, sizeof *p->member);
    p->local = bestdag_calloc(p->run, n, sizeof *p->local);
    p->row =
        bestdag_calloc(p->run, 2 * bestdag_row_words((int)n), sizeof *p->row);
    p->least = bestdag_calloc(p->run, n, sizeof *p->least);
    p->rest = bestdag_calloc(p->run, sets, sizeof *p->rest);
    return !bestdag_run_status(p->run);
}

int bestdag_proof_check(struct kernel_proof *p, struct bestdag_source *from)
{
    p->in = (struct bestdag_word_reader){
        .run = p->run, .from = from, .comments_anywhere = true};
    bestdag_run_phase(p->run, "checking", bestdag_source_size(from));
    /* a refusal is in p->refused; any failure is in the run */
    if (allocate(p) && bestdag_words_start(&p->in) && take_head(p) &&
        take_parts(p))
        take_claim(p);
    return bestdag_run_status(p->run);
}

void bestdag_proof_release(struct kernel_proof *p)
{
    void *const owned[] = {p->home,         p->part,          p->member,
                           p->local,        p->row,           p->rest,
                           p->clusters.one, p->clusters.mask, p->least};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        bestdag_free(owned[i]);
    bestdag_words_release(&p->in);
}
