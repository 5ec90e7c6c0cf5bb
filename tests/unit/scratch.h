/* SPDX-License-Identifier: MIT */
/* scratch.h -- what many tests need: cmocka and its headers, a run, a folder of
 * one's own, whole files in one call. Only for test programs. */
#ifndef BESTDAG_TESTS_SCRATCH_H
#define BESTDAG_TESTS_SCRATCH_H

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/random.h"
#include "base/run.h"

/* Requests that no machine can serve must come back NULL, as malloc() does. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
__attribute__((visibility("default"))) const char *__tsan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}
const char *__tsan_default_options(void)
{
    return "allocator_may_return_null=1";
}

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* Fails the test with the run's own words. */
#define assert_fine(run) assert_string_equal(bestdag_run_error(run), "")

/* Has the run failed with this status and this part of a message? Clears it. */
#define assert_failed(run, code, part)                                         \
    do {                                                                       \
        if (!strstr(bestdag_run_error(run), part))                             \
            fail_msg("'%s' does not say '%s'", bestdag_run_error(run), part);  \
        assert_int_equal(bestdag_run_status(run), code);                       \
        bestdag_run_clear(run);                                                \
    } while (0)

/* A new empty folder; the path is good for the next seven calls. */
static inline const char *scratch_make(void)
{
    static char path[8][64];
    static int turn;
    turn = (turn + 1) % 8;
    strcpy(path[turn], "/tmp/bestdag-test-XXXXXX");
    assert_non_null(mkdtemp(path[turn]));
    return path[turn];
}

static inline const char *scratch_path(const char *folder, const char *name)
{
    static char path[4][512];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

/* How many files a folder has; with `remove` they and it are removed. */
static inline int scratch_files(const char *folder, bool remove)
{
    int count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));)
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) {
            count++;
            if (remove)
                unlink(scratch_path(folder, e->d_name));
        }
    closedir(dir);
    if (remove)
        assert_int_equal(rmdir(folder), 0);
    return count;
}

static inline void scratch_write(const char *path, const void *bytes, size_t n)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

/* The caller frees; ends in 0. */
static inline char *scratch_read(const char *path, size_t *n)
{
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    *n = (size_t)ftell(f);
    rewind(f);
    char *bytes = malloc(*n + 1);
    assert_int_equal(fread(bytes, 1, *n, f), *n);
    bytes[*n] = 0;
    fclose(f);
    return bytes;
}

/* Ends a test: nothing that the run gave is still in use. */
static inline void scratch_end(struct bestdag_run *run)
{
    assert_int_equal(bestdag_memory_used(run), 0);
    bestdag_run_free(run);
}

#endif
