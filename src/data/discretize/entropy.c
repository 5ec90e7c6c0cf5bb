/* SPDX-License-Identifier: MIT */
/* entropy.c -- cuts that separate the classes: method mdl.
 *
 * Fayyad and Irani, IJCAI 1993: a set S of N values is cut in two, S1 and S2,
 * where the mean entropy of the class, (N1 Ent(S1) + N2 Ent(S2)) / N, is least
 * (of equal ones at the lowest value), provided that the cut pays for its own
 * description:
 *
 *     gain > log2(N - 1) / N + delta / N,
 *     gain = Ent(S) - (N1 Ent(S1) + N2 Ent(S2)) / N,
 *     delta = log2(3^k - 2) - (k Ent(S) - k1 Ent(S1) - k2 Ent(S2)),
 *
 * with k, k1, k2 the classes present. Then both halves are cut in the same way.
 * Only boundary points are tried: between neighbouring values that do not both
 * belong to one and the same class (no other point can be best). The cut is
 * halfway between the two values. N counts weights.
 *
 * N Ent = N log2 N - sum of n log2 n over the classes, kept up to date value by
 * value, with n log2 n from a table. Time O(n) for each level of cuts; uncut
 * parts are on a stack. */
#include "data/discretize/discretize.h"
#include "base/growing_array.h"

enum { TABLE = 1 << 20 }; /* n below this have their n log2 n in a table */

/* Class counts of a part, and the terms of its entropy. */
struct tally {
    int64_t *of; /* owns; [classes] */
    int64_t total;
    double sum; /* of n log2 n */
    int present;
};

struct best {
    int64_t at;     /* first value of the upper half; 0: no boundary */
    double bits;    /* N1 Ent(S1) + N2 Ent(S2) */
    double classes; /* k1 Ent(S1) + k2 Ent(S2) */
};

struct part {
    int64_t from, to;
};

struct search {
    struct bestdag_run *run;
    const struct bestdag_sample *sample;
    double *table; /* owns; [known]: n log2 n */
    int64_t known;
    struct tally lower, upper;
    struct part *stack; /* owns */
    int64_t waiting, room;
};

static inline double n_log_n(const struct search *s, int64_t n)
{
    return n < s->known ? s->table[n] : (double)n * log2((double)n);
}

static int make_table(struct search *s)
{
    int64_t known = s->sample->total < TABLE ? s->sample->total + 1 : TABLE;
    s->table = bestdag_calloc(s->run, (size_t)known, sizeof *s->table);
    for (int64_t n = 1; s->table && n < known; n++)
        s->table[n] = (double)n * log2((double)n);
    s->known = s->table ? known : 0;
    return bestdag_run_status(s->run);
}

/* N Ent of what was tallied. */
static double bits_of(const struct search *s, const struct tally *t)
{
    double bits = n_log_n(s, t->total) - t->sum;
    return t->present < 2 || bits < 0 ? 0 : bits;
}

static inline void tally_add(const struct search *s, struct tally *t, int class,
                             int64_t weight)
{
    int64_t before = t->of[class], after = before + weight;
    t->present += (after > 0) - (before > 0);
    t->sum += n_log_n(s, after) - n_log_n(s, before);
    t->of[class] = after;
    t->total += weight;
}

static void tally_part(const struct search *s, struct tally *t, struct part p,
                       int sign)
{
    for (int64_t i = p.from; i < p.to; i++)
        tally_add(s, t, bestdag_sample_class(s->sample, i),
                  sign * bestdag_sample_weight(s->sample, i));
}

/* Resets the counts, and the sum to exactly 0. */
static void tally_clear(const struct bestdag_sample *s, struct tally *t,
                        struct part p)
{
    for (int64_t i = p.from; i < p.to; i++)
        t->of[bestdag_sample_class(s, i)] = 0;
    t->total = 0;
    t->sum = 0;
    t->present = 0;
}

/* The first index above i with another value. */
static int64_t end_of_value(const struct bestdag_sample *s, int64_t i,
                            int64_t to)
{
    uint64_t key = s->at[i].key;
    while (i < to && s->at[i].key == key)
        i++;
    return i;
}

/* The one class of the values [from, to); -1: there are several. */
static int only_class(const struct bestdag_sample *s, int64_t from, int64_t to)
{
    int class = bestdag_sample_class(s, from);
    while (++from < to)
        if (bestdag_sample_class(s, from) != class)
            return -1;
    return class;
}

/* k Ent */
static double class_bits(const struct tally *t, double bits)
{
    return t->total ? t->present * bits / (double)t->total : 0;
}

static void try_cut(const struct search *s, int64_t at, struct best *best)
{
    double lower = bits_of(s, &s->lower);
    double upper = bits_of(s, &s->upper);
    /* equal ones differ by rounding: only a clearly smaller value replaces the
     * best */
    double margin = 1e-12 * n_log_n(s, s->lower.total + s->upper.total);
    if (best->at && lower + upper >= best->bits - margin)
        return;
    best->at = at;
    best->bits = lower + upper;
    best->classes = class_bits(&s->lower, lower) + class_bits(&s->upper, upper);
}

/* Moves values one by one from the upper to the lower tally. */
static struct best best_cut(struct search *s, struct part p)
{
    struct best best = {0};
    const struct bestdag_sample *sample = s->sample;
    int64_t end = end_of_value(sample, p.from, p.to);
    int class = only_class(sample, p.from, end);
    for (int64_t from = p.from; end < p.to;) {
        struct part value = {from, end};
        tally_part(s, &s->lower, value, 1);
        tally_part(s, &s->upper, value, -1);
        from = end;
        end = end_of_value(sample, from, p.to);
        int next = only_class(sample, from, end);
        if (class < 0 || next != class)
            try_cut(s, from, &best);
        class = next;
    }
    return best;
}

/* The criterion, multiplied by N; `whole` tallies S. */
static bool meets_criterion(const struct tally *whole, double bits,
                            const struct best *best)
{
    int k = whole->present;
    double choices = k < 30 ? log2(pow(3, k) - 2) : k * log2(3);
    double delta = choices - (class_bits(whole, bits) - best->classes);
    return bits - best->bits > log2((double)whole->total - 1) + delta;
}

static int push(struct search *s, int64_t from, int64_t to)
{
    if (!BESTDAG_GROW(s->run, s->stack, s->room, s->waiting + 1))
        return BESTDAG_MEMORY;
    s->stack[s->waiting++] = (struct part){from, to};
    return BESTDAG_OK;
}

/* Cuts one part if the criterion holds; pushes its halves. */
static int cut_part(struct search *s, struct part p, struct bestdag_cuts *cuts)
{
    const struct bestdag_sample *sample = s->sample;
    tally_part(s, &s->upper, p, 1);
    struct tally whole = s->upper;
    struct best best = {0};
    if (whole.present > 1)
        best = best_cut(s, p);
    bool pays = best.at && meets_criterion(&whole, bits_of(s, &whole), &best);
    tally_clear(sample, &s->lower, p);
    tally_clear(sample, &s->upper, p);
    if (!pays)
        return BESTDAG_OK;
    double low = bestdag_sample_value(sample, best.at - 1);
    double high = bestdag_sample_value(sample, best.at);
    double middle =
        isfinite(low + high) ? (low + high) / 2 : low / 2 + high / 2;
    if (bestdag_cuts_add(s->run, cuts, middle > low ? middle : high) ||
        push(s, best.at, p.to) || push(s, p.from, best.at))
        return bestdag_run_status(s->run);
    return BESTDAG_OK;
}

static int cut_mdl(struct bestdag_run *run, const struct bestdag_sample *sample,
                   struct bestdag_cuts *cuts)
{
    struct search s = {.run = run, .sample = sample};
    size_t classes = (size_t)sample->class->states;
    s.lower.of = bestdag_calloc(run, classes, sizeof *s.lower.of);
    s.upper.of = bestdag_calloc(run, classes, sizeof *s.upper.of);
    int status = make_table(&s);
    if (!status)
        status = push(&s, 0, sample->count);
    while (s.waiting && !status && !bestdag_run_stopped(run))
        status = cut_part(&s, s.stack[--s.waiting], cuts);
    bestdag_free(s.lower.of);
    bestdag_free(s.upper.of);
    bestdag_free(s.stack);
    bestdag_free(s.table);
    return status;
}

const struct bestdag_discretizer bestdag_discretizer_mdl = {
    .name = "mdl",
    .help = "cuts that separate the states of --class, as many as the MDL "
            "criterion accepts (Fayyad and Irani 1993)",
    .is_classed = true,
    .cut = cut_mdl};
