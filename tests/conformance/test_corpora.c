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

#include "formats/format.h"

/* How many files of the folder the format reads; -1: no such folder. */
static int readable(const struct bestdag_format *format, const char *folder)
{
    DIR *d = opendir(folder);
    struct dirent *entry;
    int count = 0;
    while (d && (entry = readdir(d))) {
        char path[1024];
        struct bestdag_file file = {0};
        struct bestdag_run *run = bestdag_run_new();
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && !bestdag_file_read(run, path, &file)) {
            struct bestdag_network *net =
                bestdag_format_read(run, format, &file);
            count += net != NULL;
            bestdag_network_free(net);
        }
        bestdag_free(file.bytes);
        bestdag_run_free(run);
    }
    if (d)
        closedir(d);
    return d ? count : -1;
}

static void every_network_format_that_is_read_has_a_corpus(void **state)
{
    (void)state;
    const struct bestdag_format *format;
    for (int i = 0; (format = bestdag_format_at(i)); i++) {
        char folder[256];
        snprintf(folder, sizeof folder, "fuzz/corpus/network_%s", format->name);
        if (format->read && readable(format, folder) < 1)
            fail_msg("%s holds no file that format '%s' reads", folder,
                     format->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_network_format_that_is_read_has_a_corpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
