/* SPDX-License-Identifier: MIT */
/* reader.c -- shared by the readers of BIF, NET and UAI.
 *
 * Blocks may come in any order, so a reader goes over the file once to find
 * them, then reads the variables, then the tables. All lookups are hashed: the
 * time is linear in the file.
 *
 * A few bytes can require a table of any size (a default for 40 binary parents,
 * or data that is left out). The numbers of all tables together may be as many
 * as the file has bytes, plus BESTDAG_FILLED_IN; larger tables are refused
 * before memory is allocated. */
#include "formats/reader.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/growing_array.h"
#include "base/place.h"

enum {
    FEW_LABELS = 16, /* so many or fewer are searched linearly */
    SHOWN = 200      /* characters of a name in a message */
};

int bestdag_reader_start(struct bestdag_reader *r, struct bestdag_run *run,
                         const struct bestdag_file *file)
{
    r->run = run;
    r->word.run = run;
    r->room = (int64_t)file->size + BESTDAG_FILLED_IN;
    return bestdag_lexer_start(&r->x, run, file);
}

static void free_texts(char **list, int count)
{
    for (int i = 0; list && i < count; i++)
        bestdag_free(list[i]);
    bestdag_free(list);
}

struct bestdag_network *bestdag_reader_finish(struct bestdag_reader *r)
{
    struct bestdag_network *net = r->network;
    for (int v = 0; net && v < net->dag->n; v++) {
        if (r->index)
            bestdag_free(r->index[v]);
        if (r->original) {
            bestdag_free(r->original[v].name);
            free_texts(r->original[v].labels, r->original[v].count);
        }
    }
    bestdag_free(r->index);
    bestdag_free(r->original);
    bestdag_free(r->table_of);
    bestdag_free(r->parent_of);
    bestdag_free(r->variables.at);
    bestdag_free(r->tables.at);
    bestdag_buffer_release(&r->word);
    if (r->borrowed || !bestdag_run_status(r->run))
        return net;
    bestdag_network_free(net);
    return NULL;
}

static const char *skip_comment(const char *p, const char *end,
                                const char *comments)
{
    const char *stop = NULL;
    bool slashes = strchr(comments, '/') && end - p > 1 && *p == '/';
    if (slashes && p[1] == '*') {
        stop = memmem(p + 2, (size_t)(end - p - 2), "*/", 2);
        return stop ? stop + 2 : end;
    }
    if ((slashes && p[1] == '/') || (*p != '/' && strchr(comments, *p)))
        stop = memchr(p, '\n', (size_t)(end - p));
    else
        return p;
    return stop ? stop : end;
}

bool bestdag_reader_begins(const struct bestdag_file *file,
                           const char *comments, const char *word)
{
    const char *p = file->bytes, *end = p + file->size;
    size_t n = strlen(word);
    if (file->size >= 3 && !memcmp(p, "\xef\xbb\xbf", 3))
        p += 3;
    while (p < end && *p) {
        const char *after =
            isspace((unsigned char)*p) ? p + 1 : skip_comment(p, end, comments);
        if (after == p)
            break;
        p = after;
    }
    return (size_t)(end - p) >= n && !strncasecmp(p, word, n) &&
           !isalnum((unsigned char)p[n]) && p[n] != '_';
}

/* ---- spots --------------------------------------------------------------- */

struct bestdag_spot bestdag_reader_here(const struct bestdag_reader *r)
{
    const struct bestdag_lexer *x = &r->x;
    const char *at = x->text - (x->kind == BESTDAG_STRING);
    return (struct bestdag_spot){at, at - (x->token_column - 1), x->token_line};
}

int bestdag_reader_return(struct bestdag_reader *r, struct bestdag_spot spot)
{
    r->x.at = spot.at;
    r->x.line_start = spot.line_start;
    r->x.line = spot.line;
    return bestdag_lexer_next(&r->x);
}

int bestdag_reader_add_spot(struct bestdag_reader *r,
                            struct bestdag_spots *spots)
{
    if (!BESTDAG_GROW(r->run, spots->at, spots->room, spots->count + 1))
        return bestdag_run_status(r->run);
    spots->at[spots->count++] = bestdag_reader_here(r);
    return BESTDAG_OK;
}

static struct bestdag_place place_of(struct bestdag_spot spot)
{
    return (struct bestdag_place){spot.line, spot.at - spot.line_start + 1};
}

int bestdag_reader_fail_at(struct bestdag_reader *r, struct bestdag_spot spot,
                           const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int status =
        bestdag_fail_at_list(r->run, r->x.name, place_of(spot), format, list);
    va_end(list);
    return status;
}

/* ---- variables and their states ------------------------------------------ */

int bestdag_reader_variables(struct bestdag_reader *r, int n)
{
    struct bestdag_run *run = r->run;
    r->network = bestdag_network_empty(run, n);
    r->original = bestdag_calloc(run, (size_t)n, sizeof *r->original);
    r->index = bestdag_calloc(run, (size_t)n, sizeof *r->index);
    r->table_of = bestdag_alloc(run, (size_t)n * sizeof *r->table_of);
    r->parent_of = bestdag_alloc(run, (size_t)n * sizeof *r->parent_of);
    if (!r->network || !r->original || !r->index || !r->table_of ||
        !r->parent_of)
        return bestdag_run_status(run);
    for (int v = 0; v < n; v++)
        r->table_of[v] = r->parent_of[v] = -1;
    return BESTDAG_OK;
}

int bestdag_reader_borrow(struct bestdag_reader *r,
                          struct bestdag_network *network)
{
    r->network = network;
    r->borrowed = true;
    r->index =
        bestdag_calloc(r->run, (size_t)network->dag->n, sizeof *r->index);
    return bestdag_run_status(r->run);
}

static uint32_t hash_text(const char *text)
{
    uint32_t h = 2166136261u;
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 16777619u;
    return h ^ h >> 15;
}

/* A power of two, at least twice the number of labels. */
static uint32_t index_size(int labels)
{
    uint32_t size = 32;
    while (size < 2 * (uint32_t)labels)
        size *= 2;
    return size;
}

/* Open addressing; holds state + 1, 0 is free. */
static int find_indexed(const struct bestdag_variable *x, const int32_t *index,
                        const char *label, uint32_t *slot)
{
    uint32_t mask = index_size(x->states) - 1, h = hash_text(label) & mask;
    for (; index[h]; h = (h + 1) & mask)
        if (!strcmp(x->labels[index[h] - 1], label))
            return index[h] - 1;
    *slot = h;
    return -1;
}

int bestdag_reader_state(const struct bestdag_reader *r, int v,
                         const char *label)
{
    uint32_t slot;
    const struct bestdag_variable *x = &r->network->variable[v];
    return r->index[v] ? find_indexed(x, r->index[v], label, &slot)
                       : bestdag_variable_state(x, label);
}

static int fail_twice(struct bestdag_reader *r, struct bestdag_spot spot,
                      const struct bestdag_variable *x, int state)
{
    return bestdag_reader_fail_at(r, spot,
                                  "two states of '%.*s' are called '%.*s'",
                                  SHOWN, x->name, SHOWN, x->labels[state]);
}

int bestdag_reader_check_labels(struct bestdag_reader *r, int v,
                                struct bestdag_spot spot)
{
    const struct bestdag_variable *x = &r->network->variable[v];
    bestdag_free(r->index[v]);
    r->index[v] = NULL;
    for (int s = 0; x->states <= FEW_LABELS && s < x->states; s++)
        if (bestdag_variable_state(x, x->labels[s]) != s)
            return fail_twice(r, spot, x, s);
    if (x->states <= FEW_LABELS)
        return BESTDAG_OK;
    r->index[v] =
        bestdag_calloc(r->run, index_size(x->states), sizeof *r->index[v]);
    if (!r->index[v])
        return bestdag_run_status(r->run);
    for (int s = 0; s < x->states; s++) {
        uint32_t slot = 0;
        if (find_indexed(x, r->index[v], x->labels[s], &slot) >= 0)
            return fail_twice(r, spot, x, s);
        r->index[v][slot] = s + 1;
    }
    return BESTDAG_OK;
}

int bestdag_reader_check_names(struct bestdag_reader *r)
{
    struct bestdag_network *net = r->network;
    bestdag_free(net->bucket);
    net->bucket = NULL;
    for (int v = 0; v < net->dag->n; v++) {
        const char *name = net->variable[v].name;
        struct bestdag_spot spot = r->variables.at[v];
        if (!*name)
            return bestdag_reader_fail_at(r, spot,
                                          "this variable has an empty name");
        if (bestdag_network_find(r->run, net, name) == v)
            continue;
        if (bestdag_run_status(r->run))
            return bestdag_run_status(r->run);
        return bestdag_reader_fail_at(
            r, spot, "two variables are called '%.*s'", SHOWN, name);
    }
    return BESTDAG_OK;
}

int bestdag_reader_unescape(struct bestdag_reader *r, const char *text,
                            size_t length)
{
    const char *end = text + length;
    while (text < end) {
        const char *stop = memchr(text, '\\', (size_t)(end - text));
        bestdag_buffer_add(&r->word, text,
                           (size_t)((stop ? stop : end) - text));
        if (!stop)
            break;
        if (stop + 1 < end && (stop[1] == '"' || stop[1] == '\\'))
            stop++;
        bestdag_buffer_add(&r->word, stop, 1);
        text = stop + 1;
    }
    bestdag_buffer_add(&r->word, "", 0);
    return bestdag_run_status(r->run);
}

int bestdag_reader_more(struct bestdag_reader *r, const char *what)
{
    struct bestdag_lexer *x = &r->x;
    if (x->kind != BESTDAG_WORD && x->kind != BESTDAG_STRING)
        return bestdag_lexer_expected(x, what);
    bestdag_buffer_add(&r->word, " ", r->word.length > 0);
    if (x->kind == BESTDAG_STRING)
        return bestdag_reader_unescape(r, x->text, x->length);
    bestdag_buffer_add(&r->word, x->text, x->length);
    return bestdag_run_status(r->run);
}

int bestdag_reader_word(struct bestdag_reader *r, const char *what)
{
    r->word.length = 0;
    return bestdag_reader_more(r, what);
}

int bestdag_reader_no_state(struct bestdag_reader *r, int v,
                            struct bestdag_spot spot)
{
    const struct bestdag_variable *x = &r->network->variable[v];
    char near[128];
    const char *nearest =
        bestdag_nearest(r->word.at, bestdag_name_of_list, x->labels, x->states);
    return bestdag_reader_fail_at(r, spot, "'%.*s' has no state '%.*s'%s",
                                  SHOWN, x->name, SHOWN, r->word.at,
                                  bestdag_suggest(near, nearest));
}

int bestdag_reader_watch(struct bestdag_reader *r, int done)
{
    if (done % 256 || !bestdag_run_watch(r->run, done))
        return bestdag_run_status(r->run);
    return bestdag_fail(r->run, BESTDAG_FAILED, "%s: stopped while reading",
                        r->x.name);
}

/* The variable that the current word or string names; moves on to the next
 * token. -1: failed, with the nearest name. */
static int read_variable(struct bestdag_reader *r)
{
    struct bestdag_network *net = r->network;
    char near[128];
    if (bestdag_reader_word(r, "the name of a variable"))
        return -1;
    int v = bestdag_network_find(r->run, net, r->word.at);
    if (v < 0 && !bestdag_run_status(r->run))
        bestdag_lexer_fail(
            &r->x, "there is no variable '%.*s'%s", SHOWN, r->word.at,
            bestdag_suggest(near,
                            bestdag_nearest(r->word.at, bestdag_network_name_at,
                                            net, net->dag->n)));
    return v < 0 || bestdag_lexer_next(&r->x) ? -1 : v;
}

/* ---- tables -------------------------------------------------------------- */

int bestdag_reader_claim(struct bestdag_reader *r,
                         const struct bestdag_read_family *family, int block)
{
    int *mine = &r->table_of[family->child];
    if (*mine >= 0)
        return bestdag_reader_fail_at(
            r, family->spot, "'%.*s' already has a table, in line %d", SHOWN,
            r->network->variable[family->child].name, r->tables.at[*mine].line);
    *mine = block;
    return BESTDAG_OK;
}

int bestdag_reader_add_parent(struct bestdag_reader *r,
                              struct bestdag_read_family *family, int parent,
                              struct bestdag_spot spot)
{
    const char *name = r->network->variable[family->child].name;
    if (parent == family->child)
        return bestdag_reader_fail_at(r, spot, "'%.*s' is its own parent",
                                      SHOWN, name);
    if (r->parent_of[parent] == family->child)
        return bestdag_reader_fail_at(
            r, spot, "'%.*s' is named twice as a parent of '%.*s'", SHOWN,
            r->network->variable[parent].name, SHOWN, name);
    r->parent_of[parent] = family->child;
    if (!BESTDAG_GROW(r->run, family->parents, family->room, family->count + 1))
        return bestdag_run_status(r->run);
    family->parents[family->count++] = parent;
    return BESTDAG_OK;
}

int bestdag_reader_spend(struct bestdag_reader *r, struct bestdag_spot spot,
                         int64_t numbers)
{
    if (numbers < 0 || numbers > r->room)
        return bestdag_reader_fail_at(r, spot,
                                      "a table of more numbers than this file "
                                      "can hold (at most %d may be omitted)",
                                      BESTDAG_FILLED_IN);
    r->room -= numbers;
    return BESTDAG_OK;
}

int bestdag_reader_begin_family(struct bestdag_reader *r,
                                struct bestdag_read_family *f, int block)
{
    bestdag_lexer_next(&r->x);
    if (bestdag_lexer_expect(&r->x, "("))
        return bestdag_run_status(r->run);
    f->spot = bestdag_reader_here(r);
    f->child = read_variable(r);
    if (f->child >= 0)
        bestdag_reader_claim(r, f, block);
    return bestdag_run_status(r->run);
}

int bestdag_reader_parents(struct bestdag_reader *r,
                           struct bestdag_read_family *f)
{
    while (!bestdag_lexer_is(&r->x, ")") && !bestdag_run_status(r->run)) {
        struct bestdag_spot spot = bestdag_reader_here(r);
        int parent = read_variable(r);
        if (parent >= 0 && !bestdag_reader_add_parent(r, f, parent, spot))
            bestdag_lexer_skip(&r->x, ",");
    }
    return bestdag_run_status(r->run);
}

int bestdag_reader_begin_table(struct bestdag_reader *r,
                               struct bestdag_read_family *family)
{
    const struct bestdag_variable *x = r->network->variable;
    int64_t numbers = x[family->child].states;
    family->states = x[family->child].states;
    family->rows = 1;
    for (int i = 0; i < family->count && numbers <= r->room; i++) {
        family->rows *= x[family->parents[i]].states;
        numbers *= x[family->parents[i]].states;
    }
    if (bestdag_reader_spend(r, family->spot, numbers))
        return BESTDAG_INPUT;
    family->cell =
        bestdag_calloc(r->run, (size_t)numbers, sizeof *family->cell);
    return family->cell ? BESTDAG_OK : bestdag_run_status(r->run);
}

int bestdag_reader_probability(struct bestdag_reader *r, double *to)
{
    if (r->x.kind != BESTDAG_WORD ||
        !bestdag_number_parse(r->x.text, r->x.length, to))
        return bestdag_lexer_expected(&r->x, "a number");
    if (!(*to >= 0 && *to <= 1.01))
        return bestdag_lexer_expected(&r->x, "a probability");
    return bestdag_lexer_next(&r->x);
}

int bestdag_reader_check_row(struct bestdag_reader *r,
                             const struct bestdag_read_family *family,
                             const double *row, struct bestdag_spot spot)
{
    double sum = 0;
    for (int s = 0; s < family->states; s++)
        sum += row[s];
    if (fabs(sum - 1) <= 0.01)
        return BESTDAG_OK;
    return bestdag_reader_fail_at(
        r, spot, "this row of the table of '%.*s' sums to %g, expected 1",
        SHOWN, r->network->variable[family->child].name, sum);
}

int bestdag_reader_end_table(struct bestdag_reader *r,
                             const struct bestdag_read_family *family)
{
    if (bestdag_dag_set_parents(r->run, r->network->dag, family->child,
                                family->parents, family->count))
        return bestdag_run_status(r->run);
    return bestdag_network_set_table(r->run, r->network, family->child,
                                     family->parents, family->count,
                                     family->cell);
}

void bestdag_family_release(struct bestdag_read_family *family)
{
    bestdag_free(family->parents);
    bestdag_free(family->cell);
}

/* ---- the end ------------------------------------------------------------- */

static int check_acyclic(struct bestdag_reader *r)
{
    struct bestdag_network *net = r->network;
    char place[BESTDAG_PLACE_ROOM];
    int *cycle = bestdag_alloc(r->run, (size_t)net->dag->n * sizeof *cycle);
    int length = cycle ? bestdag_dag_cycle(r->run, net->dag, cycle) : 0;
    if (length > 0) {
        struct bestdag_spot spot = r->tables.at[r->table_of[cycle[0]]];
        bestdag_network_check_acyclic(
            r->run, net, bestdag_place_text(r->x.name, place_of(spot), place));
    }
    bestdag_free(cycle);
    return bestdag_run_status(r->run);
}

static int restore_originals(struct bestdag_reader *r)
{
    bool renamed = false;
    for (int v = 0; v < r->network->dag->n; v++) {
        struct bestdag_original *from = &r->original[v];
        struct bestdag_variable *to = &r->network->variable[v];
        if (from->name) {
            bestdag_free(to->name);
            to->name = from->name;
            from->name = NULL;
            renamed = true;
        }
        if (!from->labels)
            continue;
        if (from->count != to->states)
            return bestdag_reader_fail_at(
                r, r->variables.at[v],
                "%d original labels for the %d states of '%.*s'", from->count,
                to->states, SHOWN, to->name);
        char **written = to->labels;
        to->labels = from->labels;
        from->labels = written;
        if (bestdag_reader_check_labels(r, v, r->variables.at[v]))
            return bestdag_run_status(r->run);
    }
    return renamed ? bestdag_reader_check_names(r) : BESTDAG_OK;
}

int bestdag_reader_complete(struct bestdag_reader *r, const char *what)
{
    for (int v = 0; v < r->network->dag->n; v++)
        if (r->table_of[v] < 0)
            return bestdag_reader_fail_at(r, r->variables.at[v],
                                          "'%.*s' has no %s", SHOWN,
                                          r->network->variable[v].name, what);
    if (check_acyclic(r))
        return bestdag_run_status(r->run);
    return restore_originals(r);
}
