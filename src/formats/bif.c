/* SPDX-License-Identifier: MIT */
/* bif.c -- the Bayesian network interchange format, as text (0.15).
 *
 *     network unknown {
 *     }
 *     variable rain {
 *       type discrete [ 2 ] { yes, no };
 *     }
 *     probability ( wet | rain ) {
 *       (yes) 0.9, 0.1;
 *       (no) 0.2, 0.8;
 *     }
 *
 * The reader accepts the union of what JavaBayes, bnlearn, pgmpy and aGrUM
 * write: blocks in any order; names and labels in quotes or not; parents behind
 * a bar or a blank; commas or blanks between numbers; `table` with parents (the
 * child is slowest, the last parent fastest), labelled rows, `default` for the
 * rows not given, `*` for any label. A row with all labels wins over one with a
 * `*`, and the later of two with a `*` wins. Labels of several words need
 * commas between them. Properties are kept.
 *
 * The writer uses only what bnlearn (line by line), pgmpy and aGrUM all read:
 * one blank in all the places where the published files have one, labelled rows
 * for all variables with parents, the first parent fastest, commas between
 * numbers. In names everything but ASCII letters, digits and '_' is written as
 * '_', since no way of quoting is read by all; the original is stored in a
 * property, `bestdag_name` or `bestdag_states`, from which our reader restores
 * it. Labels may also have < > = + - . /, as in the published files. */
#include "formats/bif.h"

#include <ctype.h>
#include <string.h>

#include "data/table.h"
#include "formats/format.h"

static bool sniff(const struct bestdag_file *file)
{
    return bestdag_reader_begins(file, "/", "network");
}

/* ---- properties ---------------------------------------------------------- */

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && isspace((unsigned char)*p))
        p++;
    return p;
}

static bool is_ours(const struct bestdag_lexer *x)
{
    const char *p = skip_blanks(x->at, x->end);
    return x->end - p > 8 && !strncmp(p, "bestdag_", 8);
}

/* The closing quote of the string that begins at p, on the same line. */
static const char *closing_quote(const char *p, const char *end)
{
    for (p++; p < end && *p != '\n' && *p != '"'; p++)
        if (*p == '\\' && p + 1 < end && p[1] != '\n')
            p++;
    return p < end && *p == '"' ? p : NULL;
}

/* Takes anything up to a ';' that is not in quotes. The current token is
 * `property`; afterwards it is the one that follows. */
static int take_property(struct bestdag_reader *r, const char **text,
                         const char **text_end)
{
    struct bestdag_lexer *x = &r->x;
    const char *p = x->at;
    bool stray = false; /* a quote in this line has no partner */
    for (; p < x->end && *p != ';'; p++) {
        const char *close = NULL;
        if (*p == '"' && !stray) {
            close = closing_quote(p, x->end);
            stray = !close;
        }
        if (close)
            p = close;
        if (*p == '\n') {
            stray = false;
            x->line++;
            x->line_start = p + 1;
        }
    }
    if (p == x->end)
        return bestdag_lexer_fail(x, "this property has no ';' at its end");
    *text = skip_blanks(x->at, p);
    *text_end = p;
    while (*text_end > *text && isspace((unsigned char)(*text_end)[-1]))
        --*text_end;
    x->at = p + 1;
    return bestdag_lexer_next(x);
}

/* Without the quotes if it is a single string. */
static int copy_property(struct bestdag_reader *r, const char *text,
                         const char *end)
{
    r->word.length = 0;
    if (end - text >= 2 && *text == '"' && closing_quote(text, end) == end - 1)
        return bestdag_reader_unescape(r, text + 1, (size_t)(end - text) - 2);
    bestdag_buffer_add(&r->word, text, (size_t)(end - text));
    return bestdag_run_status(r->run);
}

static char **take_labels(struct bestdag_reader *r, int *count)
{
    char **list = NULL;
    *count = 0;
    while (!bestdag_lexer_is(&r->x, ";") && !bestdag_run_status(r->run)) {
        if (bestdag_reader_word(r, "a label") ||
            bestdag_network_add_property(r->run, &list, count, r->word.at))
            break;
        bestdag_lexer_next(&r->x);
    }
    return list;
}

static void free_labels(char **labels, int count)
{
    for (int i = 0; i < count; i++)
        bestdag_free(labels[i]);
    bestdag_free(labels);
}

/* bestdag_name = "..."; or bestdag_states = "..." "..."; */
static int read_ours(struct bestdag_reader *r, struct bestdag_original *to)
{
    struct bestdag_lexer *x = &r->x;
    if (bestdag_lexer_next(x))
        return bestdag_run_status(r->run);
    bool name = bestdag_lexer_is(x, "bestdag_name");
    if (!name && !bestdag_lexer_is(x, "bestdag_states"))
        return bestdag_lexer_expected(x, "'bestdag_name' or 'bestdag_states'");
    bestdag_lexer_next(x);
    if (bestdag_lexer_expect(x, "="))
        return bestdag_run_status(r->run);
    if (name) {
        bestdag_free(to->name);
        to->name = bestdag_lexer_name(x, "a name");
    } else {
        free_labels(to->labels, to->count);
        to->labels = take_labels(r, &to->count);
    }
    return bestdag_lexer_expect(x, ";");
}

int bestdag_bif_read_property(struct bestdag_reader *r, int v,
                              struct bestdag_original *ours)
{
    struct bestdag_network *net = r->network;
    const char *text = NULL, *end = NULL;
    if (is_ours(&r->x))
        return read_ours(r, ours);
    if (take_property(r, &text, &end) || copy_property(r, text, end) ||
        !r->word.length)
        return bestdag_run_status(r->run);
    if (v < 0)
        return bestdag_network_add_property(r->run, &net->property,
                                            &net->properties, r->word.at);
    return bestdag_network_add_property(r->run, &net->variable[v].property,
                                        &net->variable[v].properties,
                                        r->word.at);
}

/* ---- blocks -------------------------------------------------------------- */

/* Steps from the keyword of a block over its closing brace. Is the block
 * empty?
 */
static int skip_block(struct bestdag_reader *r, bool *is_empty)
{
    struct bestdag_lexer *x = &r->x;
    bool begins = false; /* a statement */
    int depth = 0;
    const char *text, *end;
    *is_empty = false;
    while (x->kind != BESTDAG_END && !bestdag_run_status(r->run)) {
        bool sign = x->kind == BESTDAG_SIGN;
        char c = sign ? *x->text : 0;
        if (begins && bestdag_lexer_is(x, "property") && !is_ours(x)) {
            take_property(r, &text, &end);
            *is_empty = false;
            continue;
        }
        *is_empty |= c == '{' && !depth;
        *is_empty &= c == '{' || c == '}' || !depth;
        depth += (c == '{') - (c == '}');
        begins = depth == 1 && (c == '{' || c == ';');
        bestdag_lexer_next(x);
        if (c == '}' && depth <= 0)
            return bestdag_run_status(r->run);
    }
    return bestdag_run_status(r->run) ? bestdag_run_status(r->run)
                                      : bestdag_lexer_expected(x, "'}'");
}

static int find_blocks(struct bestdag_reader *r)
{
    struct bestdag_lexer *x = &r->x;
    bool is_empty;
    int empty = 0;
    if (!bestdag_lexer_is(x, "network"))
        return bestdag_lexer_expected(x, "'network'");
    skip_block(r, &is_empty);
    while (x->kind != BESTDAG_END && !bestdag_run_status(r->run)) {
        struct bestdag_spots *spots =
            bestdag_lexer_is(x, "variable")      ? &r->variables
            : bestdag_lexer_is(x, "probability") ? &r->tables
                                                 : NULL;
        if (!spots)
            return bestdag_lexer_expected(x, "'variable' or 'probability'");
        if (!bestdag_reader_add_spot(r, spots) && !skip_block(r, &is_empty))
            empty += is_empty && spots == &r->tables;
    }
    r->is_bare = empty && empty == r->tables.count;
    if (!r->variables.count && !bestdag_run_status(r->run))
        return bestdag_lexer_expected(
            x, "'variable'"); /* the file is probably cut off */
    return bestdag_run_status(r->run);
}

static int read_network(struct bestdag_reader *r)
{
    struct bestdag_lexer *x = &r->x;
    struct bestdag_network *net = r->network;
    struct bestdag_original ours = {0};
    bestdag_lexer_expect(x, "network");
    if (!bestdag_lexer_is(x, "{") && !bestdag_lexer_is(x, "unknown"))
        net->name = bestdag_lexer_name(x, "the name of the network");
    else
        bestdag_lexer_skip(x, "unknown");
    bestdag_lexer_expect(x, "{");
    while (bestdag_lexer_is(x, "property") && !bestdag_run_status(r->run))
        bestdag_bif_read_property(r, -1, &ours);
    if (ours.name && !bestdag_run_status(r->run)) {
        bestdag_free(net->name);
        net->name = ours.name;
        ours.name = NULL;
    }
    bestdag_free(ours.name);
    free_labels(ours.labels, ours.count);
    return bestdag_run_status(r->run) ? bestdag_run_status(r->run)
                                      : bestdag_lexer_expect(x, "}");
}

/* ---- variables ----------------------------------------------------------- */

int bestdag_bif_take_label(struct bestdag_reader *r, bool whole)
{
    struct bestdag_lexer *x = &r->x;
    int words = 0;
    r->word.length = 0;
    do {
        if (bestdag_reader_more(r, "a label") || bestdag_lexer_next(x))
            return 0;
        words++;
    } while (whole && (x->kind == BESTDAG_WORD || x->kind == BESTDAG_STRING));
    return words;
}

/* Counts, from here to the closing sign, the words and the parts between
 * commas.
 */
static int count_labels(struct bestdag_reader *r, const char *close, int *words,
                        int *items)
{
    bool fresh = true;
    *words = *items = 0;
    while (!bestdag_lexer_is(&r->x, close)) {
        if (bestdag_lexer_is(&r->x, ","))
            fresh = true;
        else if (r->x.kind == BESTDAG_WORD || r->x.kind == BESTDAG_STRING) {
            *items += fresh;
            ++*words;
            fresh = false;
        } else
            return bestdag_lexer_expected(&r->x, "a label");
        if (bestdag_lexer_next(&r->x))
            return bestdag_run_status(r->run);
    }
    return BESTDAG_OK;
}

static int read_labels(struct bestdag_reader *r, struct bestdag_variable *to,
                       int states)
{
    struct bestdag_lexer *x = &r->x;
    int words, items;
    bestdag_lexer_expect(x, "{");
    struct bestdag_spot spot = bestdag_reader_here(r);
    if (bestdag_run_status(r->run) || count_labels(r, "}", &words, &items))
        return bestdag_run_status(r->run);
    if (items != states && words != states)
        return bestdag_lexer_fail(x, "expected %d labels, found %d", states,
                                  items > 1 ? items : words);
    to->labels = bestdag_calloc(r->run, (size_t)states, sizeof *to->labels);
    to->states = to->labels ? states : 0;
    bestdag_reader_return(r, spot);
    for (int s = 0; s < to->states && !bestdag_run_status(r->run); s++) {
        while (bestdag_lexer_skip(x, ","))
            ;
        if (bestdag_bif_take_label(r, items == states))
            to->labels[s] = bestdag_strdup(r->run, r->word.at);
    }
    while (bestdag_lexer_skip(x, ","))
        ;
    return bestdag_lexer_expect(x, "}");
}

/* type discrete [ 2 ] { yes, no }; */
static int read_type(struct bestdag_reader *r, int v)
{
    struct bestdag_lexer *x = &r->x;
    struct bestdag_variable *to = &r->network->variable[v];
    int64_t states;
    if (to->states)
        return bestdag_lexer_fail(x, "'%.200s' has two types", to->name);
    x->signs = "{}[](),;|";
    bestdag_lexer_next(x);
    if (!bestdag_lexer_is(x, "discrete"))
        return bestdag_lexer_expected(x, "'discrete', the only supported type");
    bestdag_lexer_next(x);
    bestdag_lexer_expect(x, "[");
    if (bestdag_run_status(r->run) ||
        bestdag_lexer_integer(x, 1, BESTDAG_MOST_STATES, &states))
        return bestdag_run_status(r->run);
    x->signs = BESTDAG_BIF_LABEL_SIGNS;
    bestdag_lexer_expect(x, "]");
    bestdag_lexer_skip(x, "=");
    struct bestdag_spot spot = bestdag_reader_here(r);
    if (bestdag_run_status(r->run) || read_labels(r, to, (int)states))
        return bestdag_run_status(r->run);
    x->signs = BESTDAG_BIF_SIGNS;
    if (bestdag_lexer_expect(x, ";"))
        return bestdag_run_status(r->run);
    return bestdag_reader_check_labels(r, v, spot);
}

static int read_variable(struct bestdag_reader *r, int v)
{
    struct bestdag_lexer *x = &r->x;
    struct bestdag_variable *to = &r->network->variable[v];
    x->signs = BESTDAG_BIF_SIGNS;
    if (bestdag_reader_return(r, r->variables.at[v]) || bestdag_lexer_next(x))
        return bestdag_run_status(r->run);
    to->name = bestdag_lexer_name(x, "the name of a variable");
    if (!to->name || bestdag_lexer_expect(x, "{"))
        return bestdag_run_status(r->run);
    while (!bestdag_lexer_is(x, "}") && !bestdag_run_status(r->run)) {
        if (bestdag_lexer_is(x, "type"))
            read_type(r, v);
        else if (bestdag_lexer_is(x, "property"))
            bestdag_bif_read_property(r, v, &r->original[v]);
        else
            return bestdag_lexer_expected(x, "'type', 'property' or '}'");
    }
    if (!bestdag_run_status(r->run) && !to->states)
        return bestdag_lexer_fail(x, "'%.200s' has no type", to->name);
    return bestdag_run_status(r->run);
}

static int read_blocks(struct bestdag_reader *r)
{
    struct bestdag_spot start = bestdag_reader_here(r);
    if (find_blocks(r) || bestdag_reader_variables(r, r->variables.count) ||
        bestdag_reader_return(r, start) || read_network(r))
        return bestdag_run_status(r->run);
    for (int v = 0; v < r->variables.count; v++)
        if (read_variable(r, v))
            return bestdag_run_status(r->run);
    if (bestdag_reader_check_names(r))
        return bestdag_run_status(r->run);
    for (int i = 0; i < r->tables.count; i++)
        if (bestdag_reader_watch(r, i) || bestdag_bif_read_table(r, i))
            return bestdag_run_status(r->run);
    return bestdag_reader_complete(r, "probability block");
}

static struct bestdag_network *read_bif(struct bestdag_run *run,
                                        const struct bestdag_file *file)
{
    struct bestdag_reader r = {
        .x = {.signs = BESTDAG_BIF_SIGNS, .comments = "/"}};
    if (!bestdag_reader_start(&r, run, file))
        read_blocks(&r);
    return bestdag_reader_finish(&r);
}

const struct bestdag_format bestdag_format_bif = {
    .name = "bif",
    .suffixes = "bif",
    .help = "interchange format of JavaBayes, bnlearn, pgmpy and aGrUM",
    .keeps = BESTDAG_KEEPS_ALL,
    .needs_tables = true,
    .may_be_bare = true,
    .sniff = sniff,
    .read = read_bif,
    .write = bestdag_bif_write,
};
