/* SPDX-License-Identifier: MIT */
/* uai.c -- the model format of the UAI inference competitions, BAYES.
 *
 *     BAYES
 *     2              variables
 *     2 3            their states
 *     2              functions, one for each variable
 *     1 0            variables of each: parents, then the child
 *     2 0 1
 *     2  0.9 0.1     numbers of each; the last variable is fastest
 *     6  0.2 ...
 *
 * Numbers are written without an exponent, which some readers do not know; they
 * still read back exactly. The format has no names, so they stand in a second
 * file beside it, FILE.names (of FILE.uai.gz it is FILE.uai.names): a line for
 * each variable with its name and then the labels of its states, each a word,
 * or in quotes (with \ before " and \) if it is empty or has a blank, a quote
 * or a '#'; '#' begins a comment. Without that file the variables are V1, V2
 * ... with states 0, 1 ... */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "data/table.h"
#include "formats/format.h"
#include "formats/reader.h"
#include "formats/spelling.h"

static bool sniff(const struct bestdag_file *file)
{
    return bestdag_reader_begins(file, "#", "bayes") ||
           bestdag_reader_begins(file, "#", "markov");
}

/* ---- reading ------------------------------------------------------------- */

static char *make_text(struct bestdag_run *run, const char *format, int number)
{
    char text[32];
    snprintf(text, sizeof text, format, number);
    return bestdag_strdup(run, text);
}

static int make_variable(struct bestdag_reader *r, int v, int states)
{
    struct bestdag_variable *to = &r->network->variable[v];
    to->name = make_text(r->run, "V%d", v + 1);
    to->labels = bestdag_calloc(r->run, (size_t)states, sizeof *to->labels);
    to->states = to->labels ? states : 0;
    for (int s = 0; s < to->states && !bestdag_run_status(r->run); s++)
        to->labels[s] = make_text(r->run, "%d", s);
    return bestdag_run_status(r->run);
}

static int read_variables(struct bestdag_reader *r, int64_t bytes)
{
    struct bestdag_lexer *x = &r->x;
    int64_t n, states, all = 0;
    int64_t most = bytes / 8 < 1 << 28 ? bytes / 8 : 1 << 28; /* 8: at least */
    if (bestdag_lexer_is(x, "MARKOV"))
        return bestdag_lexer_fail(x, "a Markov network has no arcs, expected "
                                     "'BAYES'");
    if (bestdag_lexer_expect(x, "BAYES") ||
        bestdag_lexer_integer(x, 1, most, &n) ||
        bestdag_reader_variables(r, (int)n))
        return bestdag_run_status(r->run);
    for (int v = 0; v < n; v++) {
        if (bestdag_reader_add_spot(r, &r->variables) ||
            bestdag_lexer_integer(x, 1, BESTDAG_MOST_STATES, &states))
            return bestdag_run_status(r->run);
        all += states;
        if (all > bytes) /* every state has a number in some table */
            return bestdag_lexer_fail(x, "more states than this file has room "
                                         "for numbers");
        if (make_variable(r, v, (int)states))
            return bestdag_run_status(r->run);
    }
    return BESTDAG_OK;
}

/* Reads the number of functions; then notes and skips each. */
static int find_scopes(struct bestdag_reader *r)
{
    struct bestdag_lexer *x = &r->x;
    int64_t n = r->network->dag->n, functions, size, member;
    if (bestdag_lexer_integer(x, n, n, &functions))
        return bestdag_run_status(r->run);
    for (int i = 0; i < n; i++) {
        if (bestdag_reader_add_spot(r, &r->tables) ||
            bestdag_lexer_integer(x, 1, n, &size))
            return bestdag_run_status(r->run);
        for (int k = 0; k < size; k++)
            if (bestdag_lexer_integer(x, 0, n - 1, &member))
                return bestdag_run_status(r->run);
    }
    return BESTDAG_OK;
}

static int read_scope(struct bestdag_reader *r, struct bestdag_read_family *f,
                      int block)
{
    struct bestdag_lexer *x = &r->x;
    int64_t n = r->network->dag->n, size, member = 0;
    struct bestdag_spot first;
    f->spot = r->tables.at[block];
    bestdag_reader_return(r, f->spot);
    if (bestdag_lexer_integer(x, 1, n, &size))
        return bestdag_run_status(r->run);
    first = bestdag_reader_here(r);
    for (int k = 0; k < size; k++)
        bestdag_lexer_integer(x, 0, n - 1, &member);
    f->child = (int)member; /* the last one */
    if (bestdag_reader_claim(r, f, block))
        return bestdag_run_status(r->run);
    bestdag_reader_return(r, first);
    for (int k = 0; k + 1 < size; k++) {
        struct bestdag_spot spot = bestdag_reader_here(r);
        if (bestdag_lexer_integer(x, 0, n - 1, &member) ||
            bestdag_reader_add_parent(r, f, (int)member, spot))
            return bestdag_run_status(r->run);
    }
    return BESTDAG_OK;
}

static int read_numbers(struct bestdag_reader *r,
                        const struct bestdag_read_family *f)
{
    int64_t count = f->rows * f->states, given;
    if (bestdag_lexer_integer(&r->x, count, count, &given))
        return bestdag_run_status(r->run);
    for (int64_t j = 0; j < f->rows; j++) {
        struct bestdag_spot spot = bestdag_reader_here(r);
        double *row = f->cell + j * f->states;
        for (int s = 0; s < f->states; s++)
            if (bestdag_reader_probability(r, &row[s]))
                return bestdag_run_status(r->run);
        if (bestdag_reader_check_row(r, f, row, spot))
            return bestdag_run_status(r->run);
    }
    return BESTDAG_OK;
}

/* Reads the scope and then the numbers at *at, which is advanced. */
static int read_function(struct bestdag_reader *r, int block,
                         struct bestdag_spot *at)
{
    struct bestdag_read_family f = {0};
    if (!read_scope(r, &f, block) && !bestdag_reader_begin_table(r, &f) &&
        !bestdag_reader_return(r, *at) && !read_numbers(r, &f))
        bestdag_reader_end_table(r, &f);
    *at = bestdag_reader_here(r);
    bestdag_family_release(&f);
    return bestdag_run_status(r->run);
}

static int read_all(struct bestdag_reader *r, int64_t bytes)
{
    if (read_variables(r, bytes) || find_scopes(r))
        return bestdag_run_status(r->run);
    struct bestdag_spot at = bestdag_reader_here(r);
    for (int i = 0; i < r->tables.count; i++)
        if (bestdag_reader_watch(r, i) || read_function(r, i, &at))
            return bestdag_run_status(r->run);
    if (r->x.kind != BESTDAG_END)
        return bestdag_lexer_expected(&r->x, "the end of the file");
    return bestdag_reader_complete(r, "function of which it is the child");
}

static struct bestdag_network *read_uai(struct bestdag_run *run,
                                        const struct bestdag_file *file)
{
    struct bestdag_reader r = {.x = {.signs = "", .comments = "#"}};
    if (!bestdag_reader_start(&r, run, file))
        read_all(&r, (int64_t)file->size);
    return bestdag_reader_finish(&r);
}

/* ---- writing ------------------------------------------------------------- */

static void write_numbers(const struct bestdag_network *net, int v,
                          struct bestdag_sink *to)
{
    const struct bestdag_variable *x = &net->variable[v];
    int64_t rows = bestdag_network_configurations(net, v);
    char text[BESTDAG_FIXED_ROOM];
    bestdag_sink_format(to, "\n%lld\n", (long long)(rows * x->states));
    for (int64_t i = 0; i < rows * x->states; i++) {
        bestdag_sink_write(to, text,
                           (size_t)bestdag_number_fixed(x->table[i], text));
        bestdag_sink_text(to, (i + 1) % x->states ? " " : "\n");
    }
}

static void write_uai(struct bestdag_run *run,
                      const struct bestdag_network *network,
                      struct bestdag_sink *to)
{
    int n = network->dag->n;
    bestdag_sink_format(to, "BAYES\n%d\n", n);
    for (int v = 0; v < n; v++)
        bestdag_sink_format(to, v ? " %d" : "%d", network->variable[v].states);
    bestdag_sink_format(to, "\n%d\n", n);
    for (int v = 0; v < n; v++) {
        const struct bestdag_parents *p = &network->dag->parents[v];
        bestdag_sink_format(to, "%d", p->count + 1);
        for (int i = 0; i < p->count; i++)
            bestdag_sink_format(to, " %d", p->at[i]);
        bestdag_sink_format(to, " %d\n", v);
    }
    for (int v = 0; v < n && !bestdag_run_status(run); v++)
        write_numbers(network, v, to);
}

/* ---- the names beside it ------------------------------------------------- */

static char *names_path(struct bestdag_run *run, const char *path)
{
    struct bestdag_buffer b = {.run = run};
    size_t n = strlen(path);
    if (n > 3 && !strcasecmp(path + n - 3, ".gz"))
        n -= 3;
    else if (n > 4 && !strcasecmp(path + n - 4, ".zst"))
        n -= 4;
    bestdag_buffer_add(&b, path, n);
    bestdag_buffer_text(&b, ".names");
    return bestdag_buffer_take(&b);
}

static void write_word(const char *text, struct bestdag_sink *to)
{
    const char *p = text;
    while (*p && !isspace((unsigned char)*p) && *p != '"' && *p != '#')
        p++;
    if (*text && !*p)
        bestdag_sink_text(to, text);
    else
        bestdag_spelling_quote(to, text);
}

static struct bestdag_sink *write_names(struct bestdag_run *run,
                                        const struct bestdag_network *network,
                                        const char *path)
{
    char *beside = names_path(run, path);
    struct bestdag_sink *to = beside ? bestdag_sink_open(run, beside) : NULL;
    if (to) {
        bestdag_sink_text(to, "# name and states of each variable\n");
        for (int v = 0; v < network->dag->n; v++) {
            const struct bestdag_variable *x = &network->variable[v];
            write_word(x->name, to);
            for (int s = 0; s < x->states; s++) {
                bestdag_sink_text(to, " ");
                write_word(x->labels[s], to);
            }
            bestdag_sink_text(to, "\n");
        }
        bestdag_note(run, 0, "%s: UAI has no names; they are written to '%s'",
                     path, beside);
    }
    bestdag_free(beside);
    return to;
}

/* Is there a line break between the current token and the next? */
static bool ends_line(const struct bestdag_lexer *x)
{
    const char *p = x->at;
    while (p < x->end && *p != '\n' && isspace((unsigned char)*p))
        p++;
    return p == x->end || *p == '\n' || *p == '#';
}

static int read_line(struct bestdag_reader *r, struct bestdag_variable *to)
{
    struct bestdag_lexer *x = &r->x;
    bool last = ends_line(x);
    char *name = bestdag_lexer_name(x, "the name of a variable");
    if (!name)
        return bestdag_run_status(r->run);
    bestdag_free(to->name);
    to->name = name;
    for (int s = 0; s < to->states; s++) {
        if (last)
            return bestdag_lexer_fail(
                x, "expected %d labels of '%.200s', found %d", to->states,
                to->name, s);
        last = ends_line(x);
        char *label = bestdag_lexer_name(x, "a label");
        if (!label)
            return bestdag_run_status(r->run);
        bestdag_free(to->labels[s]);
        to->labels[s] = label;
    }
    return last ? BESTDAG_OK
                : bestdag_lexer_fail(x, "expected only %d labels of '%.200s'",
                                     to->states, to->name);
}

static void read_names_file(struct bestdag_run *run,
                            struct bestdag_network *network,
                            const struct bestdag_file *file)
{
    struct bestdag_reader r = {.x = {.signs = "", .comments = "#"}};
    int n = network->dag->n;
    if (!bestdag_reader_start(&r, run, file) &&
        !bestdag_reader_borrow(&r, network)) {
        for (int v = 0; v < n && !bestdag_run_status(run); v++)
            if (!bestdag_reader_add_spot(&r, &r.variables) &&
                !read_line(&r, &network->variable[v]))
                bestdag_reader_check_labels(&r, v, r.variables.at[v]);
        if (!bestdag_run_status(run))
            bestdag_reader_check_names(&r);
        if (!bestdag_run_status(run) && r.x.kind != BESTDAG_END)
            bestdag_lexer_expected(&r.x, "the end of the file");
    }
    bestdag_reader_finish(&r);
}

static void read_names(struct bestdag_run *run, struct bestdag_network *network,
                       const char *path)
{
    struct bestdag_file file = {0};
    char *beside = names_path(run, path);
    if (beside && access(beside, F_OK))
        bestdag_note(
            run, 1,
            "%s: there is no '%s', so the variables are called V1, V2, ...",
            path, beside);
    else if (beside && !bestdag_file_read(run, beside, &file))
        read_names_file(run, network, &file);
    bestdag_free(file.bytes);
    bestdag_free(beside);
}

const struct bestdag_format bestdag_format_uai = {
    .name = "uai",
    .suffixes = "uai",
    .help =
        "format of the UAI competitions; names in a second file, FILE.names",
    .keeps = BESTDAG_KEEPS_ALL,
    .drops_properties = true,
    .needs_tables = true,
    .sniff = sniff,
    .read = read_uai,
    .write = write_uai,
    .write_beside = write_names,
    .read_beside = read_names,
};
