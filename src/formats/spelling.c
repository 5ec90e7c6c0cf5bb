/* SPDX-License-Identifier: MIT */
/* spelling.c -- names and labels as a format can hold them.
 *
 * Some formats have no way to write a blank or a comma in a name that all their
 * readers would accept. There such characters become '_'; a spelling that is
 * already in use gets the number of the variable or state appended. The writer
 * also stores the original, where other programs ignore it, so that our own
 * reader can restore it (reader.h, bestdag_original).
 *
 * Spellings already in use are kept in a hash table: linear time. */
#include "formats/spelling.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* Texts in use; open addressing, never full. */
struct used {
    const char **slot; /* owns; texts are borrowed */
    uint32_t mask;
};

static int used_start(struct bestdag_run *run, struct used *u, int texts)
{
    uint32_t size = 16;
    while (size < 4 * (uint32_t)texts)
        size *= 2;
    u->slot = bestdag_calloc(run, size, sizeof *u->slot);
    u->mask = size - 1;
    return bestdag_run_status(run);
}

/* The slot that holds the text, or the free one where it belongs. */
static const char **used_find(const struct used *u, const char *text)
{
    uint32_t h = 2166136261u;
    for (const char *p = text; *p; p++)
        h = (h ^ (unsigned char)*p) * 16777619u;
    h ^= h >> 15;
    while (u->slot[h & u->mask] && strcmp(u->slot[h & u->mask], text))
        h++;
    return &u->slot[h & u->mask];
}

static bool can_hold(const char *text, bestdag_holds_fn *holds)
{
    for (const char *p = text; *p;) {
        size_t n = holds(text, p);
        if (!n)
            return false;
        p += n;
    }
    return *text != 0;
}

char *bestdag_spelling_replace(struct bestdag_run *run, const char *text,
                               bestdag_holds_fn *holds)
{
    struct bestdag_buffer b = {.run = run};
    for (const char *p = text; *p;) {
        size_t n = holds(text, p);
        if (n)
            bestdag_buffer_add(&b, p, n);
        else
            bestdag_buffer_add(&b, "_", 1);
        if (!n && p == text && isalnum((unsigned char)*p))
            bestdag_buffer_add(&b, p, 1); /* a digit that cannot begin a name */
        p += n ? n : 1;
        while (!n && ((unsigned char)*p & 0xc0) == 0x80)
            p++; /* one '_' for a character of several bytes */
    }
    if (!b.length)
        bestdag_buffer_text(&b, "_");
    return bestdag_buffer_take(&b);
}

/* The texts of one namespace: variables, or the states of one. */
struct space {
    const char *(*text)(const struct bestdag_network *network, int v, int i);
    const struct bestdag_network *network;
    int v, count;
    bestdag_holds_fn *holds;
};

static char *spell(struct bestdag_run *run, const struct space *from, int i,
                   struct used *used)
{
    const char *text = from->text(from->network, from->v, i);
    char *plain = bestdag_spelling_replace(run, text, from->holds);
    if (!plain || !*used_find(used, plain))
        return plain;
    for (int k = 0;; k++) {
        struct bestdag_buffer b = {.run = run};
        bestdag_buffer_format(&b, "%s_%d", plain, i + 1);
        if (k)
            bestdag_buffer_format(&b, "_%d", k);
        char *numbered = bestdag_buffer_take(&b);
        if (!numbered || !*used_find(used, numbered)) {
            bestdag_free(plain);
            return numbered;
        }
        bestdag_free(numbered);
    }
}

/* Makes a list of new spellings, NULL for those that are unchanged. Texts that
 * can be held keep their spelling, so they are entered first. */
static int respell(struct bestdag_run *run, const struct space *from,
                   char ***to)
{
    struct used used;
    *to = bestdag_calloc(run, (size_t)from->count, sizeof **to);
    if (!*to || used_start(run, &used, from->count))
        return bestdag_run_status(run);
    for (int i = 0; i < from->count; i++) {
        const char *text = from->text(from->network, from->v, i);
        if (can_hold(text, from->holds))
            *used_find(&used, text) = text;
    }
    for (int i = 0; i < from->count; i++) {
        if (can_hold(from->text(from->network, from->v, i), from->holds))
            continue;
        (*to)[i] = spell(run, from, i, &used);
        if (!(*to)[i])
            break;
        *used_find(&used, (*to)[i]) = (*to)[i];
    }
    bestdag_free(used.slot);
    return bestdag_run_status(run);
}

static const char *name_text(const struct bestdag_network *network, int v,
                             int i)
{
    (void)v;
    return network->variable[i].name;
}

static const char *label_text(const struct bestdag_network *network, int v,
                              int i)
{
    return network->variable[v].labels[i];
}

static bool all_held(const struct space *of)
{
    for (int i = 0; i < of->count; i++)
        if (!can_hold(of->text(of->network, of->v, i), of->holds))
            return false;
    return true;
}

int bestdag_spelling_make(struct bestdag_run *run,
                          const struct bestdag_network *network,
                          bestdag_holds_fn *name, bestdag_holds_fn *label,
                          struct bestdag_spelling *to)
{
    int n = network->dag->n;
    struct space names = {name_text, network, 0, n, name};
    *to = (struct bestdag_spelling){.network = network};
    to->label = bestdag_calloc(run, (size_t)n, sizeof *to->label);
    if (!to->label || respell(run, &names, &to->name))
        return bestdag_run_status(run);
    for (int v = 0; label && v < n; v++) {
        struct space labels = {label_text, network, v,
                               network->variable[v].states, label};
        if (!all_held(&labels) && respell(run, &labels, &to->label[v]))
            return bestdag_run_status(run);
    }
    return BESTDAG_OK;
}

void bestdag_spelling_release(struct bestdag_spelling *s)
{
    int n = s->network ? s->network->dag->n : 0;
    for (int v = 0; v < n; v++) {
        if (s->name)
            bestdag_free(s->name[v]);
        int states = s->network->variable[v].states;
        for (int i = 0; s->label && s->label[v] && i < states; i++)
            bestdag_free(s->label[v][i]);
        if (s->label)
            bestdag_free(s->label[v]);
    }
    bestdag_free(s->name);
    bestdag_free(s->label);
}

const char *bestdag_spelling_name(const struct bestdag_spelling *s, int v)
{
    return s->name[v] ? s->name[v] : s->network->variable[v].name;
}

const char *bestdag_spelling_label(const struct bestdag_spelling *s, int v,
                                   int state)
{
    const char *changed = s->label[v] ? s->label[v][state] : NULL;
    return changed ? changed : s->network->variable[v].labels[state];
}

enum { SHOWN = 5 };

static void list_change(struct bestdag_buffer *b, int *changes,
                        const char *from, const char *to)
{
    if (++*changes <= SHOWN)
        bestdag_buffer_format(b, "%s'%.60s' is %.60s", *changes > 1 ? ", " : "",
                              from, to);
}

void bestdag_spelling_note(struct bestdag_run *run,
                           const struct bestdag_spelling *s, const char *file,
                           const char *format)
{
    struct bestdag_buffer b = {.run = run};
    int changes = 0;
    for (int v = 0; v < s->network->dag->n; v++) {
        const struct bestdag_variable *x = &s->network->variable[v];
        if (s->name[v])
            list_change(&b, &changes, x->name, s->name[v]);
        for (int i = 0; s->label[v] && i < x->states; i++)
            if (s->label[v][i])
                list_change(&b, &changes, x->labels[i], s->label[v][i]);
    }
    if (changes > SHOWN)
        bestdag_buffer_format(&b, " and %d more", changes - SHOWN);
    char *list = bestdag_buffer_take(&b);
    if (changes && list)
        bestdag_note(run, 0,
                     "%s: rewritten so that every reader of %s accepts it "
                     "(bestdag restores the original): %s",
                     file, format, list);
    bestdag_free(list);
}

void bestdag_spelling_quote(struct bestdag_sink *to, const char *text)
{
    bestdag_sink_write(to, "\"", 1);
    while (*text) {
        size_t n = strcspn(text, "\"\\");
        bestdag_sink_write(to, text, n);
        text += n;
        if (!*text)
            break;
        bestdag_sink_write(to, "\\", 1);
        bestdag_sink_write(to, text++, 1);
    }
    bestdag_sink_write(to, "\"", 1);
}
