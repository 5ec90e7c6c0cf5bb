/* SPDX-License-Identifier: MIT */
/* fuzz_beside.c -- the readers of small files that stand beside others: JSON
 * that says what a .jkl file cannot ("sidecar", and read by verify "verify"),
 * pseudo-counts of the score bd ("pseudo"), names of the variables of a .res or
 * .uai file ("res", "uai"). What they accept can be used. */
#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "network/network.h"
#include "parents/files/jkl.h"
#include "verify/recount/sidecar_check.h"

/* A score file of two variables. */
static const char two[] = "2\n"
                          "0 2\n-3 0\n-2 1 1\n"
                          "1 1\n-4 0\n";

static struct bestdag_table *small_table(struct bestdag_run *run)
{
    static const signed char a[] = {0, 1, 0, 1, 1, 0}, b[] = {0, 1, 2, 2, 1, 0};
    static const char *const labels[] = {"no", "yes"};
    struct bestdag_table *table = bestdag_table_new(run, 6);
    bestdag_table_add_codes(run, table, "tide", a, 1, 2, labels);
    bestdag_table_add_codes(run, table, "flag", b, 1, 3, NULL);
    fuzz_require(!bestdag_run_status(run), "the table is made");
    return table;
}

static void try_pseudo(struct bestdag_run *run, const char *path)
{
    struct bestdag_table *table = small_table(run);
    struct bestdag_options *o = bestdag_options_new(run);
    bestdag_options_set(run, o, "score", "bd");
    bestdag_options_set(run, o, "pseudo-file", path);
    struct bestdag_sets *sets = bestdag_sets_find(run, table, NULL, o);
    fuzz_answer(run, sets);
    bestdag_sets_free(sets);
    bestdag_options_free(o);
    bestdag_table_free(table);
}

static void try_sidecar(struct bestdag_run *run, const char *path)
{
    struct bestdag_source *s =
        bestdag_source_memory(run, "sets", two, sizeof two - 1);
    struct bestdag_sets *sets = bestdag_jkl_read(run, s);
    bestdag_source_close(s);
    fuzz_require(sets != NULL, "the sets are made");
    int status = bestdag_sidecar_read(run, sets, path);
    fuzz_answer(run, status ? NULL : sets);
    char *text = status ? NULL : bestdag_sets_describe(run, sets);
    fuzz_require(status || text, "what was read can be described");
    bestdag_text_free(text);
    bestdag_sets_free(sets);
}

static void try_verify_sidecar(struct bestdag_run *run, const char *scores)
{
    struct verify_sidecar c;
    struct bestdag_source *s =
        bestdag_source_memory(run, "sets", two, sizeof two - 1);
    struct kernel_lists *lists = s ? bestdag_lists_read(run, s) : NULL;
    bestdag_source_close(s);
    fuzz_require(lists != NULL, "the lists are made");
    int status = bestdag_verify_sidecar_read(run, scores, lists, &c);
    fuzz_answer(run, status ? NULL : lists);
    if (!status)
        bestdag_verify_sidecar_note(&c, "score");
    bestdag_verify_sidecar_release(&c);
    bestdag_lists_free(lists);
}

static void try_names(struct bestdag_run *run, const char *path)
{
    struct bestdag_network *network = bestdag_network_read(run, path);
    fuzz_answer(run, network);
    for (int v = 0; v < bestdag_network_variables(network); v++)
        fuzz_require(bestdag_network_search(
                         network, bestdag_network_name(network, v)) == v,
                     "every variable has a name of its own");
    bestdag_network_free(network);
}

/* ---- where the files are ---------------------------------------------------
 */

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    fuzz_require(f && fwrite(bytes, 1, size, f) == size && !fclose(f),
                 "the file is written");
}

/* One that is found by the name of another. */
static void try_neighbour(struct bestdag_run *run, const uint8_t *bytes,
                          size_t size)
{
    static const char res[] = "0: -2  (1,2)\n1: -3 \n2: -1  (1)\n",
                      uai[] = "BAYES\n2\n2 3\n2\n1 0\n2 0 1\n"
                              "2\n.4 .6\n6\n.2 .3 .5\n.1 .1 .8\n";
    bool is_res = !strcmp(FUZZ_ROW, "res"), is_uai = !strcmp(FUZZ_ROW, "uai");
    char folder[64], path[128], beside[160];
    snprintf(folder, sizeof folder, "%s/bestdag-fuzz-XXXXXX",
             access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    fuzz_require(mkdtemp(folder) != NULL, "there is a folder");
    snprintf(path, sizeof path, "%s/input.%s", folder,
             is_res || is_uai ? FUZZ_ROW : "jkl");
    snprintf(beside, sizeof beside, "%s.%s", path,
             is_res || is_uai ? "names" : "json");
    write_file(beside, bytes, size);
    if (is_res)
        write_file(path, res, sizeof res - 1);
    if (is_uai)
        write_file(path, uai, sizeof uai - 1);
    if (is_res || is_uai)
        try_names(run, path);
    else
        try_verify_sidecar(run, path);
    unlink(path);
    unlink(beside);
    rmdir(folder);
}

static void try_file(struct bestdag_run *run, const uint8_t *bytes, size_t size)
{
    char path[32];
    int file = memfd_create("beside", 0);
    if (file < 0)
        return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    fuzz_require(write(file, bytes, size) == (ssize_t)size,
                 "there is room for the input");
    if (!strcmp(FUZZ_ROW, "pseudo"))
        try_pseudo(run, path);
    else
        try_sidecar(run, path);
    close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct bestdag_run *run = fuzz_run();
    if (!strcmp(FUZZ_ROW, "pseudo") || !strcmp(FUZZ_ROW, "sidecar"))
        try_file(run, bytes, size);
    else
        try_neighbour(run, bytes, size);
    fuzz_end(run);
    return 0;
}
