/* SPDX-License-Identifier: MIT */
/* bif_write.c -- BIF that bnlearn, pgmpy and aGrUM read; see bif.c. */
#include <string.h>

#include "formats/bif.h"
#include "formats/spelling.h"

/* ASCII, whatever the locale. */
static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_';
}

/* bnlearn drops variables with anything else in their names, pgmpy stops. */
static size_t holds_name(const char *start, const char *text)
{
    (void)start;
    return is_word(*text);
}

/* Labels may also have what published files have and all programs read: <5,
 * >=7.5, 12+, 5-12, Asy/Patch. */
static size_t holds_label(const char *start, const char *text)
{
    bool is_comment = *text == '/' && (text[1] == '/' || text[1] == '*' ||
                                       (text > start && text[-1] == '/'));
    return !is_comment && (is_word(*text) || strchr("<>=+-./", *text));
}

/* Writes it on one line, in quotes if it would end too early or be taken for
 * ours. */
static void write_property(const char *text, struct bestdag_sink *to)
{
    bool quote = strpbrk(text, ";\"") || !strncmp(text, "bestdag_", 8);
    bestdag_sink_text(to, quote ? "  property \"" : "  property ");
    for (; *text; text++) {
        if (quote && (*text == '"' || *text == '\\'))
            bestdag_sink_text(to, "\\");
        bestdag_sink_write(to, *text == '\n' || *text == '\r' ? " " : text, 1);
    }
    bestdag_sink_text(to, quote ? "\";\n" : ";\n");
}

static void write_original(const char *name, struct bestdag_sink *to)
{
    bestdag_sink_text(to, "  property bestdag_name = ");
    bestdag_spelling_quote(to, name);
    bestdag_sink_text(to, ";\n");
}

static void write_network(struct bestdag_run *run,
                          const struct bestdag_network *net,
                          struct bestdag_sink *to)
{
    bool named = net->name && *net->name;
    char *name = bestdag_spelling_replace(run, named ? net->name : "unknown",
                                          holds_name);
    if (!name)
        return;
    bestdag_sink_format(to, "network %s {\n", name);
    if (named && strcmp(name, net->name))
        write_original(net->name, to);
    for (int i = 0; i < net->properties; i++)
        write_property(net->property[i], to);
    bestdag_sink_text(to, "}\n");
    bestdag_free(name);
}

static void write_variable(const struct bestdag_spelling *s, int v,
                           struct bestdag_sink *to)
{
    const struct bestdag_variable *x = &s->network->variable[v];
    bestdag_sink_text(to, "variable ");
    bestdag_sink_text(to, bestdag_spelling_name(s, v));
    bestdag_sink_format(to, " {\n  type discrete [ %d ] { ", x->states);
    for (int i = 0; i < x->states; i++) {
        bestdag_sink_text(to, i ? ", " : "");
        bestdag_sink_text(to, bestdag_spelling_label(s, v, i));
    }
    bestdag_sink_text(to, " };\n");
    if (s->name[v])
        write_original(x->name, to);
    if (s->label[v]) {
        bestdag_sink_text(to, "  property bestdag_states =");
        for (int i = 0; i < x->states; i++) {
            bestdag_sink_text(to, " ");
            bestdag_spelling_quote(to, x->labels[i]);
        }
        bestdag_sink_text(to, ";\n");
    }
    for (int i = 0; i < x->properties; i++)
        write_property(x->property[i], to);
    bestdag_sink_text(to, "}\n");
}

/* ---- tables ----------------------------------------------------------------
 * Long tables learned from few rows are uniform but for these. There `default`
 * stands for the uniform rows; tables of usual size have none, because not
 * every program reads it. */

enum { LONG = 4096 }; /* rows */

static bool is_uniform(const struct bestdag_variable *x, int64_t row)
{
    for (int i = 0; i < x->states; i++)
        if (x->table[row * x->states + i] != 1.0 / x->states)
            return false;
    return true;
}

/* May uniform rows be left to a `default`? They are subtracted from *room, the
 * numbers that may be left out of a file. */
static bool has_default(const struct bestdag_network *net, int v, int64_t *room)
{
    const struct bestdag_variable *x = &net->variable[v];
    int64_t rows = bestdag_network_configurations(net, v), uniform = 0;
    if (rows < LONG)
        return false;
    for (int64_t j = 0; j < rows; j++)
        uniform += is_uniform(x, j);
    if (uniform < rows / 2 || uniform > *room / x->states)
        return false;
    *room -= uniform * x->states;
    return true;
}

static void write_default(const struct bestdag_variable *x,
                          struct bestdag_sink *to)
{
    bestdag_sink_text(to, "  default");
    for (int i = 0; i < x->states; i++) {
        bestdag_sink_text(to, i ? ", " : " ");
        bestdag_sink_number(to, 1.0 / x->states);
    }
    bestdag_sink_text(to, ";\n");
}

static void write_row(const struct bestdag_variable *x, int64_t row,
                      struct bestdag_sink *to)
{
    for (int i = 0; i < x->states; i++) {
        bestdag_sink_text(to, i ? ", " : " ");
        bestdag_sink_number(to, x->table[row * x->states + i]);
    }
    bestdag_sink_text(to, ";\n");
}

static int64_t place_of(const struct bestdag_spelling *s, int v,
                        const int *state)
{
    const struct bestdag_variable *x = s->network->variable;
    const struct bestdag_parents *p = &s->network->dag->parents[v];
    int64_t place = 0;
    for (int i = 0; i < p->count; i++)
        place = place * x[p->at[i]].states + state[i];
    return place;
}

static void write_labels(const struct bestdag_spelling *s, int v,
                         const int *state, struct bestdag_sink *to)
{
    const struct bestdag_parents *p = &s->network->dag->parents[v];
    for (int i = 0; i < p->count; i++) {
        bestdag_sink_text(to, i ? ", " : "  (");
        bestdag_sink_text(to, bestdag_spelling_label(s, p->at[i], state[i]));
    }
    bestdag_sink_text(to, ")");
}

/* The rows of a table, the first parent fastest. */
static void write_rows(const struct bestdag_spelling *s, int v, int *state,
                       bool without_uniform, struct bestdag_sink *to)
{
    const struct bestdag_variable *x = s->network->variable;
    const struct bestdag_parents *p = &s->network->dag->parents[v];
    int64_t rows = bestdag_network_configurations(s->network, v);
    for (int64_t k = 0; k < rows; k++) {
        int64_t place = place_of(s, v, state);
        if (!without_uniform || !is_uniform(&x[v], place)) {
            write_labels(s, v, state, to);
            write_row(&x[v], place, to);
        }
        for (int i = 0; i < p->count; i++) { /* count up */
            if (++state[i] < x[p->at[i]].states)
                break;
            state[i] = 0;
        }
    }
}

/* A network without probabilities has empty blocks. */
static void write_table(struct bestdag_run *run,
                        const struct bestdag_spelling *s, int v, int64_t *room,
                        struct bestdag_sink *to)
{
    const struct bestdag_parents *p = &s->network->dag->parents[v];
    bestdag_sink_text(to, "probability ( ");
    bestdag_sink_text(to, bestdag_spelling_name(s, v));
    for (int i = 0; i < p->count; i++) {
        bestdag_sink_text(to, i ? ", " : " | ");
        bestdag_sink_text(to, bestdag_spelling_name(s, p->at[i]));
    }
    bestdag_sink_text(to, " ) {\n");
    if (!s->network->variable[v].table) {
        bestdag_sink_text(to, "}\n");
        return;
    }
    if (!p->count)
        bestdag_sink_text(to, "  table");
    int *state = bestdag_calloc(run, (size_t)p->count, sizeof *state);
    bool without_uniform = has_default(s->network, v, room);
    if (without_uniform)
        write_default(&s->network->variable[v], to);
    if (state && p->count)
        write_rows(s, v, state, without_uniform, to);
    else if (state)
        write_row(&s->network->variable[v], 0, to);
    bestdag_free(state);
    bestdag_sink_text(to, "}\n");
}

void bestdag_bif_write(struct bestdag_run *run,
                       const struct bestdag_network *network,
                       struct bestdag_sink *to)
{
    struct bestdag_spelling s = {0};
    int n = network->dag->n;
    int64_t room = BESTDAG_FILLED_IN;
    if (!bestdag_spelling_make(run, network, holds_name, holds_label, &s)) {
        bestdag_spelling_note(run, &s, bestdag_sink_path(to), "BIF");
        write_network(run, network, to);
        for (int v = 0; v < n; v++)
            write_variable(&s, v, to);
        if (!bestdag_network_has_tables(network))
            bestdag_note(run, 0,
                         "%s: the structure alone: the network has no "
                         "probabilities",
                         bestdag_sink_path(to));
        for (int v = 0; v < n && !bestdag_run_status(run); v++)
            write_table(run, &s, v, &room, to);
    }
    bestdag_spelling_release(&s);
}
