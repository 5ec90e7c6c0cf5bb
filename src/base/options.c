/* SPDX-License-Identifier: MIT */
/* options.c -- settings: rows, checking, the bag. */
#include "base/options.h"
#include "base/growing_array.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Sorted by group and key, so that bags with the same settings are equal. */
struct bestdag_options {
    struct bestdag_option_entry *entry; /* owns */
    int count;
    int64_t room;
};

/* ---- rows ---------------------------------------------------------------- */

int bestdag_option_count(const struct bestdag_option_group *group)
{
    int count = 0;
    while (group->row && group->row[count].key)
        count++;
    return count;
}

const char *bestdag_option_key(const void *group, int i)
{
    const struct bestdag_option_group *g = group;
    return g->row[i].key;
}

const struct bestdag_option *bestdag_option_row(
    const struct bestdag_option_group *group, const char *key)
{
    const struct bestdag_option *o = group->row;
    while (o && o->key && strcmp(o->key, key) != 0)
        o++;
    return o && o->key ? o : NULL;
}

int bestdag_option_unknown(struct bestdag_run *run,
                           const struct bestdag_option_group *group,
                           const char *key)
{
    char suggestion[128];
    key = key ? key : "";
    const char *near = bestdag_nearest(key, bestdag_option_key, group,
                                       bestdag_option_count(group));
    return bestdag_fail(run, BESTDAG_USAGE, "unknown setting '%s'%s", key,
                        bestdag_suggest(suggestion, near));
}

/* ---- values -------------------------------------------------------------- */

static int wrong(struct bestdag_run *run, const struct bestdag_option *o,
                 const char *value, const char *expected)
{
    return bestdag_fail(run, BESTDAG_USAGE, "%s: '%s' is not %s", o->key, value,
                        expected);
}

static int parse_number(struct bestdag_run *run, const struct bestdag_option *o,
                        const char *text, struct bestdag_value *to)
{
    double x;
    bool whole = o->type == BESTDAG_INTEGER;
    char least[BESTDAG_NUMBER_ROOM], most[BESTDAG_NUMBER_ROOM], expected[128];
    bestdag_number_format(o->least, least);
    bestdag_number_format(o->most, most);
    snprintf(expected, sizeof expected, "a %snumber from %s to %s",
             whole ? "whole " : "", least, most);
    if (!bestdag_number_parse(text, strlen(text), &x) || x < o->least ||
        x > o->most || (whole && x != floor(x)))
        return wrong(run, o, text, expected);
    to->number = x;
    to->integer = (int64_t)x;
    return BESTDAG_OK;
}

static int parse_flag(struct bestdag_run *run, const struct bestdag_option *o,
                      const char *text, struct bestdag_value *to)
{
    to->integer = !strcmp(text, "yes") || !strcmp(text, "true");
    if (to->integer || !strcmp(text, "no") || !strcmp(text, "false"))
        return BESTDAG_OK;
    return wrong(run, o, text, "yes or no");
}

/* The i-th of "a|b|c" into `to`; false after the last. */
static bool choice_at(const char *choices, int i, char to[64])
{
    for (; i > 0 && choices; i--) {
        const char *bar = strchr(choices, '|');
        choices = bar ? bar + 1 : NULL;
    }
    if (!choices)
        return false;
    snprintf(to, 64, "%.*s", (int)strcspn(choices, "|"), choices);
    return true;
}

const char *bestdag_option_choices(const struct bestdag_option *row,
                                   char to[BESTDAG_CHOICES_ROOM])
{
    const char *name;
    int n = snprintf(to, BESTDAG_CHOICES_ROOM, "%s",
                     row->choices ? row->choices : "");
    for (int i = 0; row->names && (name = row->names(i)); i++) {
        n += snprintf(to + n, (size_t)(BESTDAG_CHOICES_ROOM - n), "%s%s",
                      n ? "|" : "", name);
        assert(n < BESTDAG_CHOICES_ROOM);
    }
    return to;
}

static int parse_choice(struct bestdag_run *run, const struct bestdag_option *o,
                        const char *text)
{
    enum { MOST = 32 };
    char all[BESTDAG_CHOICES_ROOM], name[MOST][64], *names[MOST];
    char expected[BESTDAG_CHOICES_ROOM + 160], suggestion[128];
    int count = 0;
    bestdag_option_choices(o, all);
    for (; choice_at(all, count, name[count]); count++) {
        assert(count < MOST - 1);
        names[count] = name[count];
        if (!strcmp(name[count], text))
            return BESTDAG_OK;
    }
    const char *near =
        bestdag_nearest(text, bestdag_name_of_list, names, count);
    snprintf(expected, sizeof expected, "one of %s%s", all,
             bestdag_suggest(suggestion, near));
    return wrong(run, o, text, expected);
}

/* "key=value", or several, one per line. */
static int parse_pairs(struct bestdag_run *run, const struct bestdag_option *o,
                       const char *text)
{
    for (const char *at = text; *at; at += *at == '\n') {
        size_t length = strcspn(at, "\n"), key = strcspn(at, "=\n");
        if (!key || key == length || key > 63 || length - key > 255)
            return wrong(run, o, text, "KEY=VALUE");
        at += length;
    }
    return *text ? BESTDAG_OK : wrong(run, o, text, "KEY=VALUE");
}

int bestdag_option_parse(struct bestdag_run *run,
                         const struct bestdag_option *row, const char *value,
                         struct bestdag_value *to)
{
    value = value ? value : "yes";
    *to = (struct bestdag_value){.text = value};
    switch (row->type) {
    case BESTDAG_FLAG:
        return parse_flag(run, row, value, to);
    case BESTDAG_INTEGER:
    case BESTDAG_NUMBER:
        return parse_number(run, row, value, to);
    case BESTDAG_SIZE:
        if (!bestdag_size_parse(value, &to->integer) ||
            (double)to->integer > row->most)
            return wrong(run, row, value, "a size such as 512M or 4G");
        return BESTDAG_OK;
    case BESTDAG_DURATION:
        if (!bestdag_duration_parse(value, &to->number) ||
            to->number > row->most)
            return wrong(run, row, value, "a time such as 30s, 10m or 2h");
        return BESTDAG_OK;
    case BESTDAG_CHOICE:
        return parse_choice(run, row, value);
    case BESTDAG_PAIRS:
        return parse_pairs(run, row, value);
    default:
        return BESTDAG_OK;
    }
}

/* ---- the bag ------------------------------------------------------------- */

/* The index of this setting, or where it would be inserted. */
static int place_of(const struct bestdag_options *options, const char *group,
                    const char *key, bool *is_there)
{
    int i = 0, order = 1;
    for (; options && i < options->count; i++) {
        const struct bestdag_option_entry *e = &options->entry[i];
        order = strcmp(e->group, group);
        order = order ? order : strcmp(e->row->key, key);
        if (order >= 0)
            break;
    }
    *is_there = options && i < options->count && !order;
    return i;
}

struct bestdag_options *bestdag_options_new(struct bestdag_run *run)
{
    return bestdag_run_status(run)
               ? NULL
               : bestdag_calloc(run, 1, sizeof(struct bestdag_options));
}

void bestdag_options_free(struct bestdag_options *options)
{
    if (!options)
        return;
    for (int i = 0; i < options->count; i++)
        bestdag_free(options->entry[i].text);
    bestdag_free(options->entry);
    bestdag_free(options);
}

/* Inserts an empty entry at index `i`. */
static int make_place(struct bestdag_run *run, struct bestdag_options *options,
                      int i)
{
    if (!BESTDAG_GROW(run, options->entry, options->room, options->count + 1))
        return BESTDAG_MEMORY;
    memmove(&options->entry[i + 1], &options->entry[i],
            (size_t)(options->count - i) * sizeof *options->entry);
    options->entry[i] = (struct bestdag_option_entry){0};
    options->count++;
    return BESTDAG_OK;
}

int bestdag_option_put(struct bestdag_run *run, struct bestdag_options *options,
                       const char *group, const struct bestdag_option *row,
                       const char *value)
{
    struct bestdag_value checked;
    struct bestdag_buffer copy = {.run = run};
    bool is_there;
    if (bestdag_option_parse(run, row, value, &checked))
        return BESTDAG_USAGE;
    int i = place_of(options, group, row->key, &is_there);
    bool joins = row->type == BESTDAG_PAIRS || row->type == BESTDAG_FILES;
    if (is_there && joins)
        bestdag_buffer_format(&copy, "%s\n", options->entry[i].text);
    bestdag_buffer_text(&copy, checked.text);
    char *text = bestdag_buffer_take(&copy);
    if (!text || (!is_there && make_place(run, options, i))) {
        bestdag_free(text);
        return BESTDAG_MEMORY;
    }
    bestdag_free(options->entry[i].text);
    options->entry[i] = (struct bestdag_option_entry){group, row, text};
    return BESTDAG_OK;
}

const struct bestdag_option_entry *bestdag_option_entry(
    const struct bestdag_options *options, int i)
{
    return options && i < options->count ? &options->entry[i] : NULL;
}

struct bestdag_options *bestdag_options_copy(
    struct bestdag_run *run, const struct bestdag_options *options)
{
    struct bestdag_options *copy = bestdag_options_new(run);
    const struct bestdag_option_entry *e;
    for (int i = 0; copy && (e = bestdag_option_entry(options, i)); i++)
        if (bestdag_option_put(run, copy, e->group, e->row, e->text)) {
            bestdag_options_free(copy);
            return NULL;
        }
    return copy;
}

bool bestdag_option_given(const struct bestdag_options *options,
                          const struct bestdag_option_group *group,
                          const char *key)
{
    bool is_there;
    place_of(options, group->name, key, &is_there);
    return is_there;
}

struct bestdag_value bestdag_option_value(
    const struct bestdag_options *options,
    const struct bestdag_option_group *group, const char *key)
{
    struct bestdag_value value = {0};
    bool is_there;
    const struct bestdag_option *row = bestdag_option_row(group, key);
    int i = place_of(options, group->name, key, &is_there);
    const char *text = is_there ? options->entry[i].text
                       : row    ? row->fallback
                                : NULL;
    if (row && text) /* was checked when it was set: cannot fail */
        bestdag_option_parse(NULL, row, text, &value);
    return value;
}

void bestdag_option_write(const char *group, const struct bestdag_option *row,
                          struct bestdag_json_writer *w)
{
    static const char *const types[] = {
        [BESTDAG_FLAG] = "flag",         [BESTDAG_INTEGER] = "integer",
        [BESTDAG_NUMBER] = "number",     [BESTDAG_SIZE] = "size",
        [BESTDAG_DURATION] = "duration", [BESTDAG_CHOICE] = "choice",
        [BESTDAG_TEXT] = "text",         [BESTDAG_FILE] = "file",
        [BESTDAG_FILES] = "file",        [BESTDAG_OUTPUT] = "file",
        [BESTDAG_FOLDER] = "file",       [BESTDAG_PAIRS] = "pairs"};
    static const char *const roles[] = {[BESTDAG_FILE] = "input",
                                        [BESTDAG_FILES] = "input",
                                        [BESTDAG_OUTPUT] = "output",
                                        [BESTDAG_FOLDER] = "folder",
                                        [BESTDAG_PAIRS] = NULL};
    char letter[2] = {row->letter, 0}, choices[BESTDAG_CHOICES_ROOM];
    bestdag_option_choices(row, choices);
    bestdag_json_add_text(w, "name", row->key);
    bestdag_json_add_text(w, "group", group);
    bestdag_json_add_text(w, "type", types[row->type]);
    if (roles[row->type])
        bestdag_json_add_text(w, "role", roles[row->type]);
    bestdag_json_add_text(w, "default", row->fallback);
    if (row->type == BESTDAG_INTEGER || row->type == BESTDAG_NUMBER) {
        bestdag_json_add_number(w, "least", row->least);
        bestdag_json_add_number(w, "most", row->most);
    }
    bestdag_json_add_text(w, "choices", *choices ? choices : NULL);
    bestdag_json_add_text(w, "letter", row->letter ? letter : NULL);
    bestdag_json_add_text(w, "value", row->value);
    bestdag_json_add_text(w, "help", row->help);
}

void bestdag_text_free(char *text)
{
    bestdag_free(text);
}
