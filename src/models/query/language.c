/* SPDX-License-Identifier: MIT */
/* language.c -- the query language: names of variables, states, evidence.
 *
 * A descent through the grammar of language.h, one token ahead. Names are
 * looked up at once, so that an error can say where they stand. Time: linear in
 * the text, times variables for looking up names. */
#include "models/query/language.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/growing_array.h"
#include "base/text.h"
#include "models/classify.h"

/* ---- words --------------------------------------------------------------- */

int bestdag_query_open(struct bestdag_query_reader *r, struct bestdag_run *run,
                       const struct bestdag_network *network, const char *text,
                       const char *what)
{
    *r = (struct bestdag_query_reader){.network = network};
    return bestdag_tokens_text(&r->t, run, text, what, ",|;=~()");
}

static bool at_word(const struct bestdag_query_reader *r)
{
    return r->t.kind == BESTDAG_RULE_WORD || r->t.kind == BESTDAG_RULE_QUOTED;
}

/* Copies the current word; NULL: failed. */
static char *copy_word(struct bestdag_query_reader *r, const char *what)
{
    if (!at_word(r)) {
        bestdag_tokens_expected(&r->t, what);
        return NULL;
    }
    char *word = bestdag_strndup(r->t.run, r->t.text, r->t.length);
    if (word && r->t.kind == BESTDAG_RULE_QUOTED)
        bestdag_tokens_unquote(word);
    return word;
}

int bestdag_query_read_name(struct bestdag_query_reader *r, int *variable)
{
    char suggestion[128];
    const struct bestdag_network *network = r->network;
    char *word = copy_word(r, "the name of a variable");
    if (!word)
        return bestdag_run_status(r->t.run);
    *variable = bestdag_network_search(network, word);
    if (*variable < 0)
        bestdag_tokens_fail(
            &r->t, "unknown variable '%.200s'%s", word,
            bestdag_suggest(suggestion,
                            bestdag_nearest(word, bestdag_network_name_at,
                                            network, network->dag->n)));
    bestdag_free(word);
    return bestdag_run_status(r->t.run) ? bestdag_run_status(r->t.run)
                                        : bestdag_tokens_next(&r->t);
}

/* Finds the state of a number: of a variable that was cut, or whose labels are
 * numbers. */
static int state_of_number(struct bestdag_run *run,
                           const struct bestdag_variable *x, const char *word)
{
    struct bestdag_cuts cuts = {0};
    bool is_cut = false;
    double value, of_label;
    int state = -1;
    if (!bestdag_number_parse(word, strlen(word), &value))
        return -1;
    if (!bestdag_variable_cuts(run, x, &cuts, &is_cut) && is_cut) {
        state = bestdag_cuts_state(&cuts, value);
        state = state < x->states ? state : -1;
    }
    for (int s = 0; !is_cut && state < 0 && s < x->states; s++)
        if (bestdag_number_parse(x->labels[s], strlen(x->labels[s]),
                                 &of_label) &&
            of_label == value)
            state = s;
    bestdag_free(cuts.at);
    return state;
}

/* "unknown state 'x' of 'y', expected 'no' or 'yes'" */
static int unknown_state(struct bestdag_query_reader *r,
                         const struct bestdag_variable *x, const char *word)
{
    enum { SHOWN = 6 };
    char suggestion[128];
    struct bestdag_buffer b = {.run = r->t.run};
    const char *nearest =
        bestdag_nearest(word, bestdag_name_of_list, x->labels, x->states);
    bestdag_buffer_text(&b, bestdag_suggest(suggestion, nearest));
    for (int s = 0; !nearest && s < x->states && s < SHOWN; s++)
        bestdag_buffer_format(&b, "%s'%.40s'",
                              !s ? ", expected "
                                 : (s == x->states - 1 ? " or " : ", "),
                              x->labels[s]);
    if (!nearest && x->states > SHOWN)
        bestdag_buffer_format(&b, " or one of %d more", x->states - SHOWN);
    if (b.at || !bestdag_run_status(r->t.run))
        bestdag_tokens_fail(&r->t, "unknown state '%.120s' of '%.120s'%s", word,
                            x->name, b.at ? b.at : "");
    bestdag_buffer_release(&b);
    return bestdag_run_status(r->t.run);
}

static int read_state(struct bestdag_query_reader *r, int variable, int *state)
{
    const struct bestdag_variable *x = &r->network->variable[variable];
    char *word = copy_word(r, "a state");
    if (!word)
        return bestdag_run_status(r->t.run);
    *state = bestdag_variable_state(x, word);
    if (*state < 0)
        *state = state_of_number(r->t.run, x, word);
    if (*state < 0 && !x->states)
        bestdag_tokens_fail(&r->t, "the states of '%.120s' are not known",
                            x->name);
    else if (*state < 0)
        unknown_state(r, x, word);
    bestdag_free(word);
    return bestdag_run_status(r->t.run) ? bestdag_run_status(r->t.run)
                                        : bestdag_tokens_next(&r->t);
}

static int read_number(struct bestdag_query_reader *r, int variable,
                       double *value)
{
    const char *name = r->network->variable[variable].name;
    if (!at_word(r) || !bestdag_number_parse(r->t.text, r->t.length, value) ||
        !isfinite(*value))
        return bestdag_tokens_fail(&r->t,
                                   "'%.120s' is a number, expected '=' and a "
                                   "number, as in %.120s=1.5",
                                   name, name);
    return bestdag_tokens_next(&r->t);
}

int bestdag_query_close(struct bestdag_query_reader *r, const char *expected)
{
    char what[160];
    if (r->t.kind == BESTDAG_RULES_END)
        return bestdag_run_status(r->t.run);
    bool is_word = at_word(r);
    snprintf(what, sizeof what, "%s%s", expected,
             is_word ? " (names with blanks stand in double quotes)" : "");
    return bestdag_tokens_expected(&r->t, what);
}

/* ---- names --------------------------------------------------------------- */

int bestdag_query_read_names(struct bestdag_query_reader *r,
                             struct bestdag_name_list *to)
{
    do {
        struct bestdag_tokens before = r->t;
        int v = -1;
        if (bestdag_query_read_name(r, &v))
            return bestdag_run_status(r->t.run);
        for (int i = 0; i < to->count; i++)
            if (to->at[i] == v)
                return bestdag_tokens_fail(&before, "'%.200s' is named twice",
                                           r->network->variable[v].name);
        if (!BESTDAG_GROW(r->t.run, to->at, to->room, to->count + 1))
            return bestdag_run_status(r->t.run);
        to->at[to->count++] = v;
    } while (bestdag_tokens_skip(&r->t, ","));
    return bestdag_run_status(r->t.run);
}

int bestdag_names_parse(struct bestdag_run *run,
                        const struct bestdag_network *network, const char *text,
                        const char *what, struct bestdag_name_list *to)
{
    struct bestdag_query_reader r;
    if (bestdag_query_open(&r, run, network, text, what) ||
        bestdag_query_read_names(&r, to))
        return bestdag_run_status(run);
    return bestdag_query_close(&r, "','");
}

void bestdag_names_release(struct bestdag_name_list *list)
{
    bestdag_free(list->at);
    *list = (struct bestdag_name_list){0};
}

/* ---- evidence ------------------------------------------------------------ */

static struct bestdag_query_item *add_item(struct bestdag_query_reader *r,
                                           struct bestdag_query *to, int v)
{
    if (!BESTDAG_GROW(r->t.run, to->item, to->room, to->items + 1))
        return NULL;
    struct bestdag_query_item *item = &to->item[to->items++];
    *item =
        (struct bestdag_query_item){.variable = v, .state = -1, .value = NAN};
    return item;
}

static int new_likelihood(struct bestdag_query_reader *r,
                          struct bestdag_query_item *item)
{
    size_t states = (size_t)r->network->variable[item->variable].states;
    item->likelihood =
        bestdag_calloc(r->t.run, states, sizeof *item->likelihood);
    return bestdag_run_status(r->t.run);
}

static int read_states(struct bestdag_query_reader *r,
                       struct bestdag_query_item *item)
{
    if (new_likelihood(r, item))
        return bestdag_run_status(r->t.run);
    do {
        int s = -1;
        if (read_state(r, item->variable, &s))
            return bestdag_run_status(r->t.run);
        item->likelihood[s] = 1;
    } while (at_word(r));
    return BESTDAG_OK;
}

static int read_likelihoods(struct bestdag_query_reader *r,
                            struct bestdag_query_item *item)
{
    const struct bestdag_variable *x = &r->network->variable[item->variable];
    struct bestdag_tokens first = r->t;
    double sum = 0;
    int n = 0;
    if (new_likelihood(r, item))
        return bestdag_run_status(r->t.run);
    for (; r->t.kind == BESTDAG_RULE_WORD; n++) {
        double value;
        if (!bestdag_number_parse(r->t.text, r->t.length, &value) || value < 0)
            return bestdag_tokens_expected(&r->t, "a number of at least 0");
        if (n < x->states)
            sum += item->likelihood[n] = value;
        if (bestdag_tokens_next(&r->t))
            return bestdag_run_status(r->t.run);
    }
    if (n != x->states)
        return bestdag_tokens_fail(
            &first, "'%.120s' has %d states, but there %s %d likelihood%s",
            x->name, x->states, n == 1 ? "is" : "are", n, n == 1 ? "" : "s");
    if (!(sum > 0) || !isfinite(sum))
        return bestdag_tokens_fail(&first,
                                   "likelihoods need a finite sum above 0");
    return BESTDAG_OK;
}

/* The only state that is possible, or -1. */
static int only_state(const double *likelihood, int states)
{
    int only = -1, count = 0;
    for (int s = 0; s < states; s++)
        if (likelihood[s] > 0) {
            only = s;
            count++;
        }
    return count == 1 ? only : -1;
}

/* Keeps the text from `begin` to the end of the last token. */
static int keep_text(struct bestdag_query_reader *r, const char *begin,
                     const char *end, bool is_do, char **to)
{
    struct bestdag_buffer b = {.run = r->t.run};
    while (end > begin && strchr(" \t\r\n\f\v,", end[-1]))
        end--;
    bestdag_buffer_text(&b, is_do ? "do(" : "");
    bestdag_buffer_add(&b, begin, (size_t)(end - begin));
    bestdag_buffer_text(&b, is_do ? ")" : "");
    *to = bestdag_buffer_take(&b);
    return bestdag_run_status(r->t.run);
}

static const char *token_begin(const struct bestdag_query_reader *r)
{
    return r->t.text - (r->t.kind == BESTDAG_RULE_QUOTED);
}

static int read_relation(struct bestdag_query_reader *r,
                         struct bestdag_query_item *item)
{
    int v = item->variable, states = r->network->variable[v].states;
    int status;
    if (r->network->variable[v].is_number) {
        bestdag_tokens_skip(&r->t, "=");
        return read_number(r, v, &item->value);
    }
    if (!states)
        return bestdag_tokens_fail(&r->t,
                                   "the states of '%.120s' are not known",
                                   r->network->variable[v].name);
    if (bestdag_tokens_skip(&r->t, "=")) {
        status = new_likelihood(r, item) ? bestdag_run_status(r->t.run)
                                         : read_state(r, v, &item->state);
        if (!status)
            item->likelihood[item->state] = 1;
    } else if (bestdag_tokens_skip(&r->t, "in"))
        status = read_states(r, item);
    else if (bestdag_tokens_skip(&r->t, "~"))
        status = read_likelihoods(r, item);
    else
        return bestdag_tokens_expected(
            &r->t, "'=' and a state, 'in' and states, or '~' and likelihoods");
    if (!status)
        item->state = only_state(item->likelihood, states);
    return status;
}

static int read_item(struct bestdag_query_reader *r, struct bestdag_query *to)
{
    const char *begin = token_begin(r);
    int v = -1;
    if (bestdag_query_read_name(r, &v))
        return bestdag_run_status(r->t.run);
    struct bestdag_query_item *item = add_item(r, to, v);
    if (!item || read_relation(r, item))
        return bestdag_run_status(r->t.run);
    return keep_text(r, begin, token_begin(r), false, &item->text);
}

/* "X=s, Y=t" inside do() */
static int read_settings(struct bestdag_query_reader *r,
                         struct bestdag_query *to)
{
    do {
        struct bestdag_tokens first = r->t;
        const char *begin = token_begin(r);
        int v = -1, s = -1;
        if (bestdag_query_read_name(r, &v))
            return bestdag_run_status(r->t.run);
        for (int i = 0; i < to->items; i++)
            if (to->item[i].is_do && to->item[i].variable == v)
                return bestdag_tokens_fail(&first, "'%.200s' is set twice",
                                           r->network->variable[v].name);
        if (!bestdag_tokens_skip(&r->t, "="))
            return bestdag_tokens_expected(&r->t, "'='");
        double value = NAN;
        if (r->network->variable[v].is_number ? read_number(r, v, &value)
                                              : read_state(r, v, &s))
            return bestdag_run_status(r->t.run);
        struct bestdag_query_item *item = add_item(r, to, v);
        if (!item)
            return bestdag_run_status(r->t.run);
        item->is_do = true;
        item->state = s;
        item->value = value;
        if (keep_text(r, begin, token_begin(r), true, &item->text))
            return bestdag_run_status(r->t.run);
    } while (bestdag_tokens_skip(&r->t, ","));
    return bestdag_run_status(r->t.run);
}

static int read_evidence(struct bestdag_query_reader *r,
                         struct bestdag_query *to)
{
    do {
        if (bestdag_tokens_is(&r->t, "do") && bestdag_tokens_then(&r->t, "(")) {
            bestdag_tokens_skip(&r->t, "do");
            bestdag_tokens_skip(&r->t, "(");
            if (bestdag_run_status(r->t.run) || read_settings(r, to))
                return bestdag_run_status(r->t.run);
            if (!bestdag_tokens_skip(&r->t, ")"))
                return bestdag_tokens_expected(&r->t, "',' or ')'");
        } else if (read_item(r, to))
            return bestdag_run_status(r->t.run);
    } while (bestdag_tokens_skip(&r->t, ","));
    return bestdag_run_status(r->t.run);
}

int bestdag_query_parse(struct bestdag_run *run,
                        const struct bestdag_network *network, const char *text,
                        struct bestdag_query *to)
{
    struct bestdag_query_reader r;
    if (bestdag_query_open(&r, run, network, text, "query"))
        return bestdag_run_status(run);
    if (at_word(&r) && bestdag_query_read_names(&r, &to->target))
        return bestdag_run_status(run);
    bool has_evidence = bestdag_tokens_skip(&r.t, "|");
    if (has_evidence && r.t.kind != BESTDAG_RULES_END && read_evidence(&r, to))
        return bestdag_run_status(run);
    if (!has_evidence && to->target.count && bestdag_tokens_is(&r.t, "="))
        return bestdag_tokens_fail(&r.t, "evidence stands behind '|'");
    return bestdag_query_close(&r, has_evidence       ? "','"
                                   : to->target.count ? "',' or '|'"
                                                      : "a name or '|'");
}

static int parse_do(struct bestdag_run *run,
                    const struct bestdag_network *network, const char *text,
                    struct bestdag_query *to)
{
    struct bestdag_query_reader r;
    if (bestdag_query_open(&r, run, network, text, "do") ||
        read_settings(&r, to))
        return bestdag_run_status(run);
    return bestdag_query_close(&r, "','");
}

int bestdag_query_parse_settings(struct bestdag_run *run,
                                 const struct bestdag_network *network,
                                 const char *lines, struct bestdag_query *to)
{
    while (lines && *lines && !bestdag_run_status(run)) {
        size_t n = strcspn(lines, "\n");
        char *text = bestdag_strndup(run, lines, n);
        if (text)
            parse_do(run, network, text, to);
        bestdag_free(text);
        lines += n + (lines[n] == '\n');
    }
    return bestdag_run_status(run);
}

void bestdag_query_release(struct bestdag_query *query)
{
    for (int i = 0; i < query->items; i++) {
        bestdag_free(query->item[i].likelihood);
        bestdag_free(query->item[i].text);
    }
    bestdag_free(query->item);
    bestdag_names_release(&query->target);
    *query = (struct bestdag_query){0};
}

/* ---- evidence as a whole ------------------------------------------------- */

int bestdag_likelihood_multiply(double *to, const double *by, int states)
{
    static const double SMALL = 0x1p-256, LARGE = 0x1p256; /* products fit */
    double most[2] = {0, 0};
    int exponent[2] = {0, 0};
    for (int s = 0; s < states; s++) {
        most[0] = fmax(most[0], to[s]);
        most[1] = fmax(most[1], by[s]);
    }
    for (int i = 0; i < 2; i++)
        if (most[i] > LARGE || (most[i] > 0 && most[i] < SMALL))
            frexp(most[i], &exponent[i]);
    for (int s = 0; s < states; s++)
        to[s] = ldexp(to[s], -exponent[0]) * ldexp(by[s], -exponent[1]);
    return exponent[0] + exponent[1];
}

int bestdag_query_exclude(struct bestdag_run *run,
                          const struct bestdag_query *query, const bool *use,
                          const char *more)
{
    struct bestdag_buffer b = {.run = run};
    int count = 0, shown = 0, set = 0;
    for (int i = 0; i < query->items; i++)
        count += use[i];
    for (int i = 0; i < query->items; i++)
        if (use[i])
            bestdag_buffer_format(&b, "%s'%.80s'",
                                  !shown++         ? ""
                                  : shown == count ? " and "
                                                   : ", ",
                                  query->item[i].text);
    bestdag_buffer_text(&b, count > 1 ? " exclude each other"
                                      : " has probability 0");
    for (int i = 0; i < query->items; i++)
        if (query->item[i].is_do)
            bestdag_buffer_format(&b, "%s%.80s", set++ ? ", " : " under ",
                                  query->item[i].text);
    bestdag_buffer_text(&b, more);
    if (b.at)
        bestdag_fail(run, BESTDAG_INFEASIBLE, "impossible evidence: %s", b.at);
    bestdag_buffer_release(&b);
    return bestdag_run_status(run);
}
