/* SPDX-License-Identifier: MIT */
/* jkl_write.c -- writes score files: see jkl.c for the format. */
#include <stdio.h>
#include <string.h>

#include "base/options.h"
#include "base/text.h"
#include "parents/files/jkl.h"
#include "parents/files/resume_file.h"

static const struct bestdag_option option_rows[] = {
    {"digits", BESTDAG_INTEGER, "17", 1, 17, .value = "N",
     .help =
         "significant digits of scores; 17 digits give the same number back"},
    {"comments", BESTDAG_FLAG, "no",
     .help = "begin the file with comment lines on score, rows and limits; not "
             "every program reads them"},
    {0}};
const struct bestdag_option_group bestdag_jkl_options = {"sets", option_rows};

/* Words are separated by blanks, and # begins a comment. */
static bool is_fit(const char *name)
{
    if (!*name || *name == '#')
        return false;
    for (; *name; name++)
        if ((unsigned char)*name <= ' ')
            return false;
    return true;
}

static bool all_fit(const struct bestdag_sets *sets)
{
    for (int v = 0; v < sets->n; v++)
        if (!is_fit(sets->names[v]))
            return false;
    return true;
}

bool bestdag_sets_numbered(const struct bestdag_sets *sets)
{
    char number[16];
    for (int v = 0; v < sets->n; v++) {
        snprintf(number, sizeof number, "%d", v);
        if (strcmp(sets->names[v], number) != 0)
            return false;
    }
    return true;
}

/* digits 17: the shortest text that reads back as the same number. */
static void write_score(struct bestdag_sink *to, double score, int digits)
{
    char text[64];
    if (digits >= 17) {
        bestdag_sink_number(to, score);
        return;
    }
    snprintf(text, sizeof text, "%.*g", digits, score);
    char *comma = strchr(text, ',');
    if (comma) /* of the locale */
        *comma = '.';
    bestdag_sink_text(to, text);
}

static void write_name(struct bestdag_sink *to, const struct bestdag_sets *sets,
                       int v, bool by_name)
{
    if (by_name)
        bestdag_sink_text(to, sets->names[v]);
    else
        bestdag_sink_format(to, "%d", v);
}

static void write_list(struct bestdag_sink *to, const struct bestdag_sets *sets,
                       const struct bestdag_list *list, int digits,
                       bool by_name)
{
    for (int64_t i = 0; i < list->count; i++) {
        write_score(to, list->score[i], digits);
        bestdag_sink_format(to, " %lld",
                            (long long)(list->start[i + 1] - list->start[i]));
        for (int64_t j = list->start[i]; j < list->start[i + 1]; j++) {
            bestdag_sink_text(to, " ");
            write_name(to, sets, list->member[j], by_name);
        }
        bestdag_sink_text(to, "\n");
    }
}

static void write_comments(struct bestdag_sink *to,
                           const struct bestdag_sets *sets)
{
    for (int i = 0; i < sets->notes; i += 2) {
        bestdag_sink_format(to, "# %s: ", sets->note[i]);
        for (const char *at = sets->note[i + 1]; *at; at++)
            bestdag_sink_write(to, (unsigned char)*at < ' ' ? " " : at, 1);
        bestdag_sink_text(to, "\n");
    }
}

void bestdag_jkl_write(struct bestdag_run *run, const struct bestdag_sets *sets,
                       const struct bestdag_jkl_style *style,
                       struct bestdag_sink *to)
{
    bool by_name = all_fit(sets);
    if (!by_name)
        bestdag_note(
            run, 0,
            "a .jkl file cannot hold names with blanks: it numbers the "
            "variables from 0, and the .json file next to it has the names");
    if (style->comments)
        write_comments(to, sets);
    bestdag_sink_format(to, "%d\n", sets->n);
    for (int v = 0; v < sets->n; v++) {
        write_name(to, sets, v, by_name);
        bestdag_sink_format(to, " %lld\n", (long long)sets->list[v].count);
        write_list(to, sets, &sets->list[v], style->digits, by_name);
        if (bestdag_run_status(run))
            return;
    }
}

/* The file beside, not yet closed; NULL: none, or it failed. */
static struct bestdag_sink *write_beside(struct bestdag_run *run,
                                         const struct bestdag_sets *sets,
                                         const char *path)
{
    char *name = bestdag_sidecar_path(run, path);
    struct bestdag_sink *beside =
        name ? bestdag_sidecar_write(run, sets, name) : NULL;
    bestdag_free(name);
    return beside;
}

int bestdag_sets_write(struct bestdag_run *run, const struct bestdag_sets *sets,
                       const char *path, const struct bestdag_options *options)
{
    if (bestdag_run_status(run))
        return bestdag_run_status(run);
    if (!sets || !path)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "there are no sets, or no path, to write");
    struct bestdag_jkl_style style = {
        .digits =
            (int)bestdag_option_value(options, &bestdag_jkl_options, "digits")
                .integer,
        .comments =
            bestdag_option_value(options, &bestdag_jkl_options, "comments")
                .integer != 0};
    struct bestdag_sink *to = bestdag_sink_open(run, path), *beside = NULL;
    if (to)
        bestdag_jkl_write(run, sets, &style, to);
    if (to && !bestdag_run_status(run) && bestdag_sink_is_file(to))
        beside = write_beside(run, sets, path);
    if (bestdag_sink_close_pair(to, beside))
        return bestdag_run_status(run);
    const char *part =
        bestdag_option_value(options, &bestdag_resume_file_options, "part")
            .text;
    if (part && sets->ending == BESTDAG_ENDED)
        remove(part); /* all of it is in the file now */
    return BESTDAG_OK;
}
