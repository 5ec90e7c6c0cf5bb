/* SPDX-License-Identifier: MIT */
/* test_corpora.c -- every format that can be read is fuzzed: it has a folder of
 * inputs, and at least one of them is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "data/text/read.h"
#include "formats/format.h"

typedef bool reads_fn(struct bestdag_run *run, const char *format,
                      const struct bestdag_file *file);

static bool reads_network(struct bestdag_run *run, const char *format,
                          const struct bestdag_file *file)
{
    struct bestdag_network *network =
        bestdag_format_read(run, bestdag_format_named(run, format), file);
    bestdag_network_free(network);
    return network != NULL;
}

static bool reads_table(struct bestdag_run *run, const char *format,
                        const struct bestdag_file *file)
{
    struct bestdag_options *options = bestdag_options_new(run);
    bestdag_options_set(run, options, "input-format", format);
    struct bestdag_source *source =
        bestdag_source_memory(run, file->name, file->bytes, file->size);
    struct bestdag_table *table =
        bestdag_table_from(run, source, options, NULL);
    bestdag_source_close(source);
    bestdag_options_free(options);
    bestdag_table_free(table);
    return table != NULL;
}

/* How many files of the folder are read; -1: there is no such folder. */
static int readable(const char *format, const char *folder, reads_fn *reads)
{
    DIR *d = opendir(folder);
    struct dirent *entry;
    int count = 0;
    while (d && (entry = readdir(d))) {
        char path[1024];
        struct bestdag_file file = {0};
        struct bestdag_run *run = bestdag_run_new();
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && !bestdag_file_read(run, path, &file))
            count += reads(run, format, &file);
        bestdag_free(file.bytes);
        bestdag_run_free(run);
    }
    if (d)
        closedir(d);
    return d ? count : -1;
}

/* Formats need libraries that this build may lack. */
static bool is_built(const char *format)
{
#ifdef BESTDAG_EXPAT
    (void)format;
    return true;
#else
    return strcmp(format, "xmlbif") != 0;
#endif
}

static void every_network_format_that_is_read_has_a_corpus(void **state)
{
    (void)state;
    const struct bestdag_format *format;
    for (int i = 0; (format = bestdag_format_at(i)); i++) {
        char folder[256];
        snprintf(folder, sizeof folder, "fuzz/corpus/network_%s", format->name);
        if (format->read && is_built(format->name) &&
            readable(format->name, folder, reads_network) < 1)
            fail_msg("%s holds no file that format '%s' reads", folder,
                     format->name);
    }
}

static void every_table_format_has_a_corpus(void **state)
{
    (void)state;
    const struct bestdag_table_format *format;
    for (int i = 0; (format = bestdag_table_format_at(i)); i++) {
        char folder[256];
        snprintf(folder, sizeof folder, "fuzz/corpus/table_%s", format->name);
        if (readable(format->name, folder, reads_table) < 1)
            fail_msg("%s holds no file that format '%s' reads", folder,
                     format->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_network_format_that_is_read_has_a_corpus),
        cmocka_unit_test(every_table_format_has_a_corpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
