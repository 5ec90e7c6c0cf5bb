/* SPDX-License-Identifier: MIT */
/* net.c -- Hugin NET.
 *
 *     net {
 *     }
 *     node rain {
 *       states = ( "yes" "no" );
 *     }
 *     potential ( wet | rain ) {
 *       data = (( 0.9 0.1 )
 *               ( 0.2 0.8 ));
 *     }
 *
 * The first parent is the outermost bracket, the child the innermost: the same
 * order as in memory. The reader accepts blocks in any order, `discrete node`,
 * the older `class NAME { ... }` around everything, commas anywhere in lists,
 * and skips attributes that do not concern the distribution. A potential
 * without data is uniform. An interval node without names for its states gets
 * them from state_values ("0..10"). Other kinds of nodes, and tables given by
 * an expression, are refused by name.
 *
 * In a name that is no identifier (letters, digits, '_'), other characters are
 * written as '_'; the original is stored in the attribute bestdag_name, from
 * which our reader restores it. Labels are strings and can hold anything. */
#include <ctype.h>
#include <string.h>

#include "data/table.h"
#include "formats/format.h"
#include "formats/reader.h"
#include "formats/spelling.h"

static bool sniff(const struct bestdag_file *file)
{
    return bestdag_reader_begins(file, "%/", "net") ||
           bestdag_reader_begins(file, "%/", "class");
}

/* ---- blocks -------------------------------------------------------------- */

static bool is_name(const struct bestdag_lexer *x)
{
    return x->kind == BESTDAG_WORD || x->kind == BESTDAG_STRING;
}

/* Steps from before the first brace of a block over its last. */
static int skip_block(struct bestdag_reader *r)
{
    struct bestdag_lexer *x = &r->x;
    for (int depth = 0; x->kind != BESTDAG_END;) {
        char c = x->kind == BESTDAG_SIGN ? *x->text : 0;
        depth += (c == '{') - (c == '}');
        if (bestdag_lexer_next(x) || (c == '}' && depth <= 0))
            return bestdag_run_status(r->run);
    }
    return bestdag_lexer_expected(x, "'}'");
}

/* Skips the rest of an attribute, up to and over ';'. */
static int skip_value(struct bestdag_reader *r)
{
    struct bestdag_lexer *x = &r->x;
    while (!bestdag_lexer_is(x, ";")) {
        if (x->kind == BESTDAG_END || bestdag_lexer_is(x, "}"))
            return bestdag_lexer_expected(x, "';'");
        if (bestdag_lexer_next(x))
            return bestdag_run_status(r->run);
    }
    return bestdag_lexer_next(x);
}

/* The kind of node that this word names, if it is one that we refuse. */
static const char *refused_kind(const struct bestdag_lexer *x)
{
    static const char *const kinds[] = {"continuous", "decision", "utility",
                                        "function", "instance"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (bestdag_lexer_is(x, kinds[i]))
            return kinds[i];
    return NULL;
}

/* `discrete node NAME`, up to the brace. The name goes to r->word. */
static int read_head(struct bestdag_reader *r)
{
    struct bestdag_lexer *x = &r->x;
    const char *refused = NULL;
    bool node = false;
    for (;;) {
        struct bestdag_spot spot = bestdag_reader_here(r);
        const char *kind = refused_kind(x);
        bool is_node = bestdag_lexer_is(x, "node");
        if (bestdag_reader_word(r, "'node' or 'potential'") ||
            bestdag_lexer_next(x))
            return bestdag_run_status(r->run);
        if (!is_name(x) && refused)
            return bestdag_reader_fail_at(
                r, spot,
                "'%.200s' is a '%s' node, only discrete nodes are supported",
                r->word.at, refused);
        if (!is_name(x) && !node)
            return bestdag_reader_fail_at(
                r, spot, "expected 'node' or 'potential', found '%.200s'",
                r->word.at);
        if (!is_name(x))
            return bestdag_lexer_is(x, "{") ? BESTDAG_OK
                                            : bestdag_lexer_expected(x, "'{'");
        node = node || is_node;
        refused = refused ? refused : kind;
    }
}

/* Inside a class: `inputs = ();` and the like. */
static bool skip_attribute(struct bestdag_reader *r)
{
    struct bestdag_spot spot = bestdag_reader_here(r);
    if (!is_name(&r->x) || bestdag_lexer_next(&r->x))
        return false;
    if (bestdag_lexer_is(&r->x, "="))
        return !skip_value(r);
    bestdag_reader_return(r, spot);
    return false;
}

static int find_start(struct bestdag_reader *r, bool *in_class)
{
    struct bestdag_lexer *x = &r->x;
    *in_class = bestdag_lexer_skip(x, "class");
    if (!*in_class) {
        if (!bestdag_lexer_is(x, "net"))
            return bestdag_lexer_expected(x, "'net'");
        return skip_block(r);
    }
    if (is_name(x))
        bestdag_lexer_next(x);
    return bestdag_lexer_expect(x, "{");
}

static int find_blocks(struct bestdag_reader *r)
{
    struct bestdag_lexer *x = &r->x;
    bool in_class;
    find_start(r, &in_class);
    while (!bestdag_run_status(r->run) &&
           (x->kind != BESTDAG_END || in_class)) {
        if (in_class && bestdag_lexer_skip(x, "}"))
            in_class = false;
        else if (in_class && skip_attribute(r))
            continue;
        else if (bestdag_lexer_is(x, "potential")) {
            if (!bestdag_reader_add_spot(r, &r->tables))
                skip_block(r);
        } else if (!bestdag_reader_add_spot(r, &r->variables) && !read_head(r))
            skip_block(r);
    }
    if (!r->variables.count && !bestdag_run_status(r->run))
        return bestdag_lexer_expected(
            x, "'node'"); /* the file is probably cut off */
    return bestdag_run_status(r->run);
}

/* ---- nodes --------------------------------------------------------------- */

struct list {
    char **at; /* owns */
    int count;
};

static void list_release(struct list *list)
{
    for (int i = 0; i < list->count; i++)
        bestdag_free(list->at[i]);
    bestdag_free(list->at);
    *list = (struct list){0};
}

/* ( "a" "b" ); */
static int read_list(struct bestdag_reader *r, struct list *to)
{
    struct bestdag_lexer *x = &r->x;
    list_release(to);
    bestdag_lexer_expect(x, "(");
    while (!bestdag_lexer_is(x, ")") && !bestdag_run_status(r->run)) {
        if (to->count == BESTDAG_MOST_STATES)
            return bestdag_lexer_fail(x, "more than %d states",
                                      BESTDAG_MOST_STATES);
        if (bestdag_reader_word(r, "a label") ||
            bestdag_network_add_property(r->run, &to->at, &to->count,
                                         r->word.at))
            return bestdag_run_status(r->run);
        bestdag_lexer_next(x);
        bestdag_lexer_skip(x, ",");
    }
    bestdag_lexer_expect(x, ")");
    return bestdag_lexer_expect(x, ";");
}

/* Makes the labels of a node that has only values: state i of an interval node
 * is from value i to value i + 1. */
static int name_states(struct bestdag_run *run, const struct list *values,
                       bool interval, struct list *to)
{
    int count = values->count - interval;
    for (int i = 0; i < count; i++) {
        struct bestdag_buffer b = {.run = run};
        bestdag_buffer_text(&b, values->at[i]);
        if (interval)
            bestdag_buffer_format(&b, "..%s", values->at[i + 1]);
        char *label = bestdag_buffer_take(&b);
        if (label)
            bestdag_network_add_property(run, &to->at, &to->count, label);
        bestdag_free(label);
        if (bestdag_run_status(run))
            break;
    }
    return bestdag_run_status(run);
}

static int read_attributes(struct bestdag_reader *r, int v, struct list *states)
{
    struct bestdag_lexer *x = &r->x;
    struct list values = {0};
    bool interval = false;
    while (!bestdag_lexer_is(x, "}") && !bestdag_run_status(r->run)) {
        if (bestdag_reader_word(r, "an attribute or '}'") ||
            bestdag_lexer_next(x) || bestdag_lexer_expect(x, "="))
            break;
        if (!strcmp(r->word.at, "states"))
            read_list(r, states);
        else if (!strcmp(r->word.at, "state_values"))
            read_list(r, &values);
        else if (!strcmp(r->word.at, "bestdag_name")) {
            bestdag_free(r->original[v].name);
            r->original[v].name = bestdag_lexer_name(x, "a name");
            bestdag_lexer_expect(x, ";");
        } else {
            if (!strcmp(r->word.at, "subtype"))
                interval = bestdag_lexer_is(x, "interval");
            skip_value(r);
        }
    }
    if (!states->count && !bestdag_run_status(r->run))
        name_states(r->run, &values, interval, states);
    list_release(&values);
    return bestdag_run_status(r->run);
}

static int read_node(struct bestdag_reader *r, int v)
{
    struct bestdag_variable *to = &r->network->variable[v];
    struct list states = {0};
    if (bestdag_reader_return(r, r->variables.at[v]) || read_head(r))
        return bestdag_run_status(r->run);
    to->name = bestdag_strdup(r->run, r->word.at);
    if (!to->name || bestdag_lexer_next(&r->x))
        return bestdag_run_status(r->run);
    int status = read_attributes(r, v, &states);
    to->labels = states.at;
    to->states = states.count;
    if (status)
        return status;
    if (!to->states)
        return bestdag_lexer_fail(&r->x, "'%.200s' has no states", to->name);
    return bestdag_reader_check_labels(r, v, r->variables.at[v]);
}

/* ---- potentials ---------------------------------------------------------- */

/* ( child | parent parent ) { */
static int read_scope(struct bestdag_reader *r, struct bestdag_read_family *f,
                      int block)
{
    struct bestdag_lexer *x = &r->x;
    if (bestdag_reader_begin_family(r, f, block))
        return bestdag_run_status(r->run);
    if (!bestdag_lexer_skip(x, "|") && !bestdag_lexer_is(x, ")"))
        return bestdag_lexer_expected(x, "'|' or ')' after one variable");
    if (bestdag_reader_parents(r, f) || bestdag_lexer_expect(x, ")"))
        return bestdag_run_status(r->run);
    return bestdag_lexer_expect(x, "{");
}

/* Numbers in nested brackets, up to and over ';'. */
static int read_data(struct bestdag_reader *r,
                     const struct bestdag_read_family *f)
{
    struct bestdag_lexer *x = &r->x;
    struct bestdag_spot row = bestdag_reader_here(r);
    int64_t count = f->rows * f->states, i = 0;
    int depth = 0;
    while (!bestdag_lexer_is(x, ";") || depth) {
        int sign = bestdag_lexer_is(x, "(") - bestdag_lexer_is(x, ")");
        depth += sign;
        if (depth < 0)
            return bestdag_lexer_expected(x, "';'");
        if (sign || bestdag_lexer_is(x, ",")) {
            if (bestdag_lexer_next(x))
                return bestdag_run_status(r->run);
            continue;
        }
        if (i == count)
            return bestdag_lexer_fail(x, "expected only %lld numbers",
                                      (long long)count);
        if (i % f->states == 0)
            row = bestdag_reader_here(r);
        if (bestdag_reader_probability(r, &f->cell[i]))
            return bestdag_run_status(r->run);
        if (++i % f->states == 0 &&
            bestdag_reader_check_row(r, f, f->cell + i - f->states, row))
            return bestdag_run_status(r->run);
    }
    if (i < count)
        return bestdag_lexer_fail(x, "expected %lld numbers, found %lld",
                                  (long long)count, (long long)i);
    return bestdag_lexer_next(x);
}

static int read_body(struct bestdag_reader *r,
                     const struct bestdag_read_family *f)
{
    struct bestdag_lexer *x = &r->x;
    bool data = false;
    while (!bestdag_lexer_is(x, "}") && !bestdag_run_status(r->run)) {
        struct bestdag_spot spot = bestdag_reader_here(r);
        if (bestdag_reader_word(r, "'data' or '}'") || bestdag_lexer_next(x) ||
            bestdag_lexer_expect(x, "="))
            return bestdag_run_status(r->run);
        if (!strcmp(r->word.at, "data")) {
            read_data(r, f);
            data = true;
        } else if (!strncmp(r->word.at, "model_", 6))
            return bestdag_reader_fail_at(
                r, spot,
                "the table of '%.200s' is given by an expression (%.40s), "
                "which is not supported",
                r->network->variable[f->child].name, r->word.at);
        else
            skip_value(r);
    }
    for (int64_t i = 0; !data && i < f->rows * f->states; i++)
        f->cell[i] = 1.0 / f->states;
    return bestdag_run_status(r->run);
}

static int read_potential(struct bestdag_reader *r, int block)
{
    struct bestdag_read_family f = {0};
    if (!bestdag_reader_return(r, r->tables.at[block]) &&
        !read_scope(r, &f, block) && !bestdag_reader_begin_table(r, &f) &&
        !read_body(r, &f))
        bestdag_reader_end_table(r, &f);
    bestdag_family_release(&f);
    return bestdag_run_status(r->run);
}

static int read_blocks(struct bestdag_reader *r)
{
    if (find_blocks(r) || bestdag_reader_variables(r, r->variables.count))
        return bestdag_run_status(r->run);
    for (int v = 0; v < r->variables.count; v++)
        if (read_node(r, v))
            return bestdag_run_status(r->run);
    if (bestdag_reader_check_names(r))
        return bestdag_run_status(r->run);
    for (int i = 0; i < r->tables.count; i++)
        if (bestdag_reader_watch(r, i) || read_potential(r, i))
            return bestdag_run_status(r->run);
    return bestdag_reader_complete(r, "potential");
}

static struct bestdag_network *read_net(struct bestdag_run *run,
                                        const struct bestdag_file *file)
{
    struct bestdag_reader r = {.x = {.signs = "{}()=;|,", .comments = "%/"}};
    if (!bestdag_reader_start(&r, run, file))
        read_blocks(&r);
    return bestdag_reader_finish(&r);
}

/* ---- writing ------------------------------------------------------------- */

static size_t holds_name(const char *start, const char *text)
{
    char c = *text;
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    return letter || (text > start && c >= '0' && c <= '9');
}

static void write_node(const struct bestdag_spelling *s, int v,
                       struct bestdag_sink *to)
{
    const struct bestdag_variable *x = &s->network->variable[v];
    bestdag_sink_text(to, "node ");
    bestdag_sink_text(to, bestdag_spelling_name(s, v));
    bestdag_sink_text(to, " {\n  states = (");
    for (int i = 0; i < x->states; i++) {
        bestdag_sink_text(to, " ");
        bestdag_spelling_quote(to, x->labels[i]);
    }
    bestdag_sink_text(to, " );\n");
    if (s->name[v]) {
        bestdag_sink_text(to, "  bestdag_name = ");
        bestdag_spelling_quote(to, x->name);
        bestdag_sink_text(to, ";\n");
    }
    bestdag_sink_text(to, "}\n");
}

static void repeat(struct bestdag_sink *to, const char *text, int times)
{
    while (times-- > 0)
        bestdag_sink_text(to, text);
}

/* One bracket for each parent, and one around each row. */
static void write_data(const struct bestdag_network *net, int v, int *state,
                       struct bestdag_sink *to)
{
    const struct bestdag_variable *x = net->variable;
    const struct bestdag_parents *p = &net->dag->parents[v];
    int64_t rows = bestdag_network_configurations(net, v);
    int opened = p->count; /* brackets that begin with this row */
    bestdag_sink_text(to, "  data = ");
    for (int64_t j = 0; j < rows; j++) {
        repeat(to, " ", j ? p->count - opened + 9 : 0);
        repeat(to, "(", opened + 1);
        for (int i = 0; i < x[v].states; i++) {
            bestdag_sink_text(to, " ");
            bestdag_sink_number(to, x[v].table[j * x[v].states + i]);
        }
        bestdag_sink_text(to, " )");
        int i = p->count;
        for (; i && ++state[i - 1] == x[p->at[i - 1]].states; i--)
            state[i - 1] = 0; /* count up, last parent fastest */
        opened = p->count - i;
        repeat(to, ")", opened);
        bestdag_sink_text(to, j + 1 < rows ? "\n" : ";\n");
    }
}

static void write_potential(struct bestdag_run *run,
                            const struct bestdag_spelling *s, int v,
                            struct bestdag_sink *to)
{
    const struct bestdag_parents *p = &s->network->dag->parents[v];
    int *state = bestdag_calloc(run, (size_t)p->count, sizeof *state);
    if (!state)
        return;
    bestdag_sink_text(to, "potential ( ");
    bestdag_sink_text(to, bestdag_spelling_name(s, v));
    for (int i = 0; i < p->count; i++) {
        bestdag_sink_text(to, i ? " " : " | ");
        bestdag_sink_text(to, bestdag_spelling_name(s, p->at[i]));
    }
    bestdag_sink_text(to, " ) {\n");
    write_data(s->network, v, state, to);
    bestdag_sink_text(to, "}\n");
    bestdag_free(state);
}

static void write_net(struct bestdag_run *run,
                      const struct bestdag_network *network,
                      struct bestdag_sink *to)
{
    struct bestdag_spelling s = {0};
    int n = network->dag->n;
    if (!bestdag_spelling_make(run, network, holds_name, NULL, &s)) {
        bestdag_spelling_note(run, &s, bestdag_sink_path(to), "NET");
        bestdag_sink_text(to, "net {\n}\n");
        for (int v = 0; v < n; v++)
            write_node(&s, v, to);
        for (int v = 0; v < n && !bestdag_run_status(run); v++)
            write_potential(run, &s, v, to);
    }
    bestdag_spelling_release(&s);
}

const struct bestdag_format bestdag_format_net = {
    .name = "net",
    .suffixes = "net|hugin",
    .help = "Hugin; also GeNIe, bnlearn, pgmpy and aGrUM",
    .keeps = BESTDAG_KEEPS_ALL,
    .drops_properties = true,
    .needs_tables = true,
    .sniff = sniff,
    .read = read_net,
    .write = write_net,
};
