/* SPDX-License-Identifier: MIT */
/* resume.c -- the fingerprint of a command: everything that its answer depends
 * on.
 *
 * These are the version, the hash of the table or of the candidate lists, all
 * settings given, the files that settings name, the rules, seed and limits.
 * Left out are settings that change no answer (threads, output files), and the
 * length of a time limit: a command may continue with a longer one. */
#include "learn/resume.h"

#include <stdio.h>
#include <string.h>

#include "base/sha256.h"
#include "base/stream.h"
#include "base/communicator.h"
#include "base/text.h"
#include "data/digest.h"

/* ---- hashes -------------------------------------------------------------- */

static void hash_list(struct bestdag_sha256 *sha,
                      const struct bestdag_list *list)
{
    size_t n = (size_t)list->count;
    bestdag_sha256_update(sha, &list->count, sizeof list->count);
    bestdag_sha256_update(sha, &list->ceiling, sizeof list->ceiling);
    if (!n)
        return;
    bestdag_sha256_update(sha, list->score, n * sizeof *list->score);
    bestdag_sha256_update(sha, list->start, (n + 1) * sizeof *list->start);
    bestdag_sha256_update(sha, list->member,
                          (size_t)list->start[n] * sizeof *list->member);
}

static void hash_sets(const struct bestdag_sets *sets,
                      char hex[BESTDAG_SHA256_HEX])
{
    struct bestdag_sha256 sha;
    bestdag_sha256_init(&sha);
    for (int v = 0; v < sets->n; v++) {
        bestdag_sha256_update(&sha, sets->names[v], strlen(sets->names[v]) + 1);
        hash_list(&sha, &sets->list[v]);
    }
    bestdag_sha256_hex(&sha, hex);
}

/* ---- settings ------------------------------------------------------------ */

static bool is_among(const char *const *words, const char *word)
{
    for (; *words; words++)
        if (!strcmp(*words, word))
            return true;
    return false;
}

static int add_file(struct bestdag_run *run, struct bestdag_buffer *b,
                    const char *key, const char *path)
{
    struct bestdag_file file = {0};
    struct bestdag_sha256 sha;
    char hex[BESTDAG_SHA256_HEX];
    if (!strcmp(path, "-"))
        return bestdag_fail(run, BESTDAG_USAGE,
                            "checkpoint: %s from standard input cannot be read "
                            "again; give a file",
                            key);
    if (bestdag_file_read(run, path, &file))
        return bestdag_run_status(run);
    bestdag_sha256_init(&sha);
    bestdag_sha256_update(&sha, file.bytes, file.size);
    bestdag_sha256_hex(&sha, hex);
    bestdag_free(file.bytes);
    bestdag_buffer_format(b, "%s=%s\n", key, hex);
    return bestdag_run_status(run);
}

/* Adds one line; line breaks in a setting become blanks. */
static void add_text(struct bestdag_buffer *b, const char *group,
                     const char *key, const char *text)
{
    bestdag_buffer_format(b, "%s.%s=", group, key);
    for (; *text; text++)
        bestdag_buffer_add(b, *text == '\n' ? " " : text, 1);
    bestdag_buffer_text(b, "\n");
}

static int add_settings(struct bestdag_run *run,
                        const struct bestdag_options *options,
                        struct bestdag_buffer *b)
{
    static const char *const elsewhere[] = {"checkpoint-every",
                                            "require-optimal", "resume", NULL};
    const struct bestdag_option_entry *e;
    for (int i = 0; (e = bestdag_option_entry(options, i)); i++) {
        enum bestdag_option_type type = e->row->type;
        bool is_written = type == BESTDAG_OUTPUT || type == BESTDAG_FOLDER;
        if (is_written || is_among(elsewhere, e->row->key))
            continue;
        if (type != BESTDAG_FILE)
            add_text(b, e->group, e->row->key, e->text);
        else if (add_file(run, b, e->row->key, e->text))
            break;
    }
    return bestdag_run_status(run);
}

/* ---- the fingerprint ----------------------------------------------------- */

static char *describe(struct bestdag_run *run,
                      const struct bestdag_resume_input *m)
{
    struct bestdag_buffer b = {.run = run};
    char hex[BESTDAG_SHA256_HEX] = "", gap[BESTDAG_NUMBER_ROOM];
    char *rules = bestdag_rules_count(m->rules)
                      ? bestdag_rules_noted(run, m->rules)
                      : NULL;
    if (m->table)
        bestdag_table_digest_unstopped(run, m->table, hex);
    else
        hash_sets(m->sets, hex);
    bestdag_number_format(run->gap, gap);
    bestdag_buffer_format(&b, "version=%s\n%s=%s\n", bestdag_version(),
                          m->table ? "table" : "candidate sets", hex);
    bestdag_buffer_format(
        &b, "seed=%llu\ngap=%s\neffort=%g\nmemory-limit=%lld\ntime-limit=%s\n",
        (unsigned long long)run->seed, gap, run->effort,
        (long long)bestdag_memory_limit(run),
        run->time_limit > 0 ? "yes" : "no");
    if (rules)
        add_text(&b, "all", "rules", rules);
    bestdag_free(rules);
    add_settings(run, m->options, &b);
    char *text = bestdag_buffer_take(&b);
    if (bestdag_run_status(run)) {
        bestdag_free(text);
        return NULL;
    }
    return text;
}

int bestdag_resume(struct bestdag_run *run,
                   const struct bestdag_resume_input *m)
{
    if (bestdag_run_status(run) ||
        !bestdag_option_given(m->options, &bestdag_checkpoint_options,
                              "checkpoint"))
        return bestdag_run_status(run);
    char *text = describe(run, m);
    if (text)
        bestdag_checkpoint_open(run, m->options, text);
    bestdag_free(text);
    return bestdag_run_status(run);
}

int bestdag_checkpoint_clear(struct bestdag_run *run,
                             const struct bestdag_options *options)
{
    if (!bestdag_run_stopped(run) && !bestdag_run_helps(run))
        bestdag_checkpoint_remove(
            bestdag_option_value(options, &bestdag_checkpoint_options,
                                 "checkpoint")
                .text);
    return bestdag_run_status(run);
}
