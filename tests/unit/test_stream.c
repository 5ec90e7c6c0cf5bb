/* SPDX-License-Identifier: MIT */
/* test_stream.c -- sources and sinks: packing, boundaries, whole files or
 * nothing. */
#include "scratch.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/stream.h"

/* Does this build pack and unpack files of this suffix? */
static bool has_packing(const char *suffix)
{
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    char name[16];
    snprintf(name, sizeof name, "f.%s", suffix);
    bestdag_sink_close(bestdag_sink_open(run, scratch_path(folder, name)));
    bool has = bestdag_run_status(run) != BESTDAG_USAGE;
    scratch_files(folder, true);
    scratch_end(run);
    return has;
}

static const char *const suffixes[] = {"", "gz", "zst"};

/* Bytes that pack, but not to nothing. */
static char *make_bytes(size_t n, uint64_t seed)
{
    struct bestdag_random r = bestdag_random_init(seed, 0);
    char *bytes = malloc(n + 1);
    for (size_t i = 0; i < n; i++)
        bytes[i] = (char)('a' + bestdag_random_below(&r, 11));
    bytes[n] = 0;
    return bytes;
}

static void write_in_pieces(struct bestdag_run *run, const char *path,
                            const char *bytes, size_t n)
{
    struct bestdag_random r = bestdag_random_init(n, 1);
    struct bestdag_sink *s = bestdag_sink_open(run, path);
    assert_non_null(s);
    assert_string_equal(bestdag_sink_path(s), path);
    for (size_t at = 0; at < n;) {
        size_t piece = bestdag_random_below(&r, 3) ? 1000 : 400000;
        piece = bestdag_random_below(&r, piece);
        piece = piece < n - at ? piece : n - at;
        bestdag_sink_write(s, bytes + at, piece);
        at += piece;
    }
    assert_int_equal(bestdag_sink_close(s), BESTDAG_OK);
}

static void check_pieces(struct bestdag_run *run, const char *path,
                         const char *bytes, size_t n)
{
    struct bestdag_random r = bestdag_random_init(n, 2);
    struct bestdag_source *s = bestdag_source_open(run, path);
    assert_non_null(s);
    char *piece = malloc(500000);
    for (size_t at = 0;;) {
        size_t want = bestdag_random_below(&r, 3) ? 1000 : 500000;
        want = 1 + bestdag_random_below(&r, want);
        int64_t got = bestdag_source_read(s, piece, want);
        assert_int_equal(got, want < n - at ? want : n - at);
        assert_memory_equal(piece, bytes + at, (size_t)got);
        at += (size_t)got;
        if ((size_t)got < want)
            break;
    }
    assert_int_equal(bestdag_source_read(s, piece, 10), 0); /* and again */
    assert_int_equal(bestdag_source_consumed(s), bestdag_source_size(s));
    bestdag_source_close(s);
    free(piece);
}

static void what_is_written_reads_back_across_all_boundaries(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    static const size_t sizes[] = {0,      1,      3,      4,      5,      1000,
                                   262143, 262144, 262145, 524288, 2000000};
    for (int p = 0; p < 3; p++) {
        int count = has_packing(suffixes[p]) ? COUNT(sizes) : 0;
        for (int i = 0; i < count; i++) {
            char name[32];
            snprintf(name, sizeof name, "file%s%s", p ? "." : "", suffixes[p]);
            const char *path = scratch_path(folder, name);
            char *bytes = make_bytes(sizes[i], (uint64_t)i);
            write_in_pieces(run, path, bytes, sizes[i]);
            check_pieces(run, path, bytes, sizes[i]);
            struct bestdag_file file;
            assert_int_equal(bestdag_file_read(run, path, &file), BESTDAG_OK);
            assert_int_equal(file.size, sizes[i]);
            assert_memory_equal(file.bytes, bytes, sizes[i] + 1); /* and 0 */
            assert_string_equal(file.name, path);
            bestdag_free(file.bytes);
            free(bytes);
        }
    }
    scratch_files(folder, true);
    scratch_end(run);
}

static void a_source_of_memory_reads_packed_bytes_too(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    for (int p = 0; p < 3; p++) {
        if (!has_packing(suffixes[p]))
            continue;
        char name[32], got[100];
        size_t n;
        snprintf(name, sizeof name, "x.%s", suffixes[p]);
        write_in_pieces(run, scratch_path(folder, name), "hello world", 11);
        char *stored = scratch_read(scratch_path(folder, name), &n);
        struct bestdag_source *s = bestdag_source_memory(run, "m", stored, n);
        assert_string_equal(bestdag_source_name(s), "m");
        assert_int_equal(bestdag_source_packed(s), p > 0);
        assert_int_equal(bestdag_source_size(s), n);
        assert_int_equal(bestdag_source_read(s, got, 100), 11);
        assert_memory_equal(got, "hello world", 11);
        bestdag_source_close(s);
        free(stored);
    }
    scratch_files(folder, true);
    scratch_end(run);
}

static int read_memory(struct bestdag_run *run, const char *bytes, size_t n,
                       char *to, size_t *length)
{
    char *copy = malloc(n + !n);
    memcpy(copy, bytes, n);
    struct bestdag_source *s = bestdag_source_memory(run, "bytes", copy, n);
    int64_t got = s ? bestdag_source_read(s, to, 100000) : -1;
    *length = got < 0 ? 0 : (size_t)got;
    bestdag_source_close(s);
    free(copy);
    return bestdag_run_status(run);
}

/* Packs through a file and gives the stored bytes back; the caller frees. */
static char *pack(struct bestdag_run *run, const char *suffix,
                  const char *bytes, size_t n, size_t *packed)
{
    const char *folder = scratch_make();
    char name[16];
    snprintf(name, sizeof name, "f.%s", suffix);
    write_in_pieces(run, scratch_path(folder, name), bytes, n);
    char *stored = scratch_read(scratch_path(folder, name), packed);
    scratch_files(folder, true);
    return stored;
}

static void several_members_read_as_one(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    char *got = malloc(100000);
    for (int p = 1; p < 3; p++) {
        if (!has_packing(suffixes[p]))
            continue;
        size_t n, m, length;
        char *a = pack(run, suffixes[p], "first ", 6, &n);
        char *b = pack(run, suffixes[p], "second", 6, &m);
        a = realloc(a, 2 * n + m);
        memcpy(a + n, a, n);
        memcpy(a + 2 * n, b, m);
        assert_int_equal(read_memory(run, a, 2 * n + m, got, &length), 0);
        assert_int_equal(length, 18);
        assert_memory_equal(got, "first first second", 18);
        free(a);
        free(b);
    }
    free(got);
    scratch_end(run);
}

static void truncated_files_are_told_at_every_length(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    char *bytes = make_bytes(3000, 5), *got = malloc(100000);
    for (int p = 1; p < 3; p++) {
        if (!has_packing(suffixes[p]))
            continue;
        size_t n, length;
        char *stored = pack(run, suffixes[p], bytes, 3000, &n);
        size_t magic = p == 1 ? 2 : 4;
        for (size_t cut = magic; cut < n; cut++) {
            assert_int_equal(read_memory(run, stored, cut, got, &length),
                             BESTDAG_INPUT);
            assert_failed(run, BESTDAG_INPUT, "bytes: damaged or truncated");
        }
        assert_int_equal(read_memory(run, stored, n, got, &length), BESTDAG_OK);
        assert_int_equal(length, 3000);
        free(stored);
    }
    free(bytes);
    free(got);
    scratch_end(run);
}

static void garbage_after_the_end_is_told_but_zeros_are_padding(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    if (!has_packing("gz")) {
        bestdag_run_free(run);
        skip();
    }
    char *got = malloc(100000);
    size_t n, length;
    char *stored = pack(run, "gz", "hello", 5, &n);
    stored = realloc(stored, n + 3);
    memset(stored + n, 0, 3);
    assert_int_equal(read_memory(run, stored, n + 3, got, &length), BESTDAG_OK);
    assert_int_equal(length, 5);
    memcpy(stored + n, "abc", 3);
    assert_int_equal(read_memory(run, stored, n + 3, got, &length),
                     BESTDAG_INPUT);
    assert_failed(run, BESTDAG_INPUT, "damaged");
    free(stored);
    free(got);
    scratch_end(run);
}

static void damaged_bytes_never_crash(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random r = bestdag_random_init(21, 0);
    print_message("seed 21\n");
    char *bytes = make_bytes(500, 6), *got = malloc(100000);
    for (int p = 1; p < 3; p++) {
        if (!has_packing(suffixes[p]))
            continue;
        size_t n, length;
        char *stored = pack(run, suffixes[p], bytes, 500, &n);
        for (int i = 0; i < 2000; i++) {
            size_t at = bestdag_random_below(&r, n);
            char old = stored[at];
            stored[at] = (char)bestdag_random_bits(&r);
            int status = read_memory(run, stored, n, got, &length);
            assert_true(status == BESTDAG_OK || status == BESTDAG_INPUT ||
                        status == BESTDAG_MEMORY);
            bestdag_run_clear(run);
            stored[at] = old;
        }
        free(stored);
    }
    free(bytes);
    free(got);
    scratch_end(run);
}

static void files_that_cannot_be_read_are_told(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_file file;
    assert_int_equal(bestdag_file_read(run, "/nowhere/x.csv", &file),
                     BESTDAG_INPUT);
    assert_null(file.bytes);
    assert_failed(run, BESTDAG_INPUT,
                  "/nowhere/x.csv: cannot open: No such file or directory");
    assert_int_equal(bestdag_file_read(run, "/tmp", &file), BESTDAG_INPUT);
    assert_failed(run, BESTDAG_INPUT, "/tmp: is a directory");
    assert_null(bestdag_source_open(run, NULL));
    assert_failed(run, BESTDAG_USAGE, "no file to");
    assert_int_equal(bestdag_file_read(run, NULL, &file), BESTDAG_USAGE);
    assert_failed(run, BESTDAG_USAGE, "no file to");
    bestdag_fail(run, BESTDAG_INPUT, "before");
    assert_null(bestdag_source_open(run, "/dev/null"));
    assert_null(bestdag_source_memory(run, "m", "x", 1));
    assert_null(bestdag_sink_open(run, "/tmp/never"));
    assert_null(bestdag_sink_memory(run));
    assert_failed(run, BESTDAG_INPUT, "before");
    bestdag_source_close(NULL);
    scratch_end(run);
}

static void empty_files_are_empty(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_file file;
    assert_int_equal(bestdag_file_read(run, "/dev/null", &file), BESTDAG_OK);
    assert_int_equal(file.size, 0);
    assert_string_equal(file.bytes, "");
    bestdag_free(file.bytes);
    scratch_end(run);
}

static void files_of_unknown_size_are_read_whole(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_file file;
    assert_int_equal(bestdag_file_read(run, "/proc/self/status", &file), 0);
    assert_non_null(strstr(file.bytes, "Name:"));
    bestdag_free(file.bytes);
    scratch_end(run);
}

static void the_memory_limit_holds_for_files(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_file file;
    assert_int_equal(bestdag_run_set(run, "memory-limit", "2M"), BESTDAG_OK);
    assert_int_equal(bestdag_file_read(run, "/dev/zero", &file),
                     BESTDAG_MEMORY);
    assert_null(file.bytes);
    assert_int_equal(file.size, 0);
    assert_failed(run, BESTDAG_MEMORY, "limit 2.0 MB");
    scratch_end(run);
}

/* ---- writing ------------------------------------------------------------- */

static void assert_holds(const char *path, const char *text)
{
    size_t n;
    char *bytes = scratch_read(path, &n);
    assert_string_equal(bytes, text);
    free(bytes);
}

static void the_old_file_stays_until_the_new_one_is_whole(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    char path[512];
    strcpy(path, scratch_path(folder, "out.txt"));
    scratch_write(path, "old", 3);
    struct bestdag_sink *s = bestdag_sink_open(run, path);
    char *large = make_bytes(1000000, 1); /* more than any buffer */
    bestdag_sink_write(s, large, 1000000);
    assert_holds(path, "old");
    assert_int_equal(scratch_files(folder, false), 2);
    assert_int_equal(bestdag_sink_close(s), BESTDAG_OK);
    assert_holds(path, large);
    assert_int_equal(scratch_files(folder, false), 1);
    free(large);
    scratch_files(folder, true);
    scratch_end(run);
}

static void a_failed_run_leaves_the_old_file_and_no_other(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    char path[512];
    strcpy(path,
           scratch_path(folder, has_packing("gz") ? "out.csv.gz" : "out.csv"));
    scratch_write(path, "old", 3);
    struct bestdag_sink *s = bestdag_sink_open(run, path);
    bestdag_sink_text(s, "half of the new one");
    bestdag_fail(run, BESTDAG_INPUT, "something else went wrong");
    bestdag_sink_text(s, "the other half");
    assert_int_equal(bestdag_sink_close(s), BESTDAG_INPUT);
    assert_holds(path, "old");
    assert_int_equal(scratch_files(folder, true), 1);
    assert_failed(run, BESTDAG_INPUT, "something else");
    scratch_end(run);
}

static void a_full_device_is_told(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    if (access("/dev/full", W_OK)) {
        bestdag_run_free(run);
        skip();
    }
    struct bestdag_sink *s = bestdag_sink_open(run, "/dev/full");
    assert_non_null(s);
    bestdag_sink_text(s, "x");
    assert_fine(run); /* still in the buffer */
    assert_int_equal(bestdag_sink_close(s), BESTDAG_FAILED);
    assert_failed(run, BESTDAG_FAILED,
                  "/dev/full: cannot write: No space left on device");
    scratch_end(run);
}

/* A limit on the size of files stands for a full disk. */
static void a_full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    char *large = make_bytes(2000000, 3);
    struct rlimit old, low;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    low = (struct rlimit){600000, old.rlim_max};
    for (int p = 0; p < 3; p++) {
        if (!has_packing(suffixes[p]))
            continue;
        char path[512], name[16];
        snprintf(name, sizeof name, "f.%s", suffixes[p]);
        strcpy(path, scratch_path(folder, name));
        scratch_write(path, "old", 3);
        setrlimit(RLIMIT_FSIZE, &low);
        struct bestdag_sink *s = bestdag_sink_open(run, path);
        bestdag_sink_write(s, large, 2000000);
        int status = bestdag_sink_close(s);
        setrlimit(RLIMIT_FSIZE, &old);
        assert_int_equal(status, BESTDAG_FAILED);
        assert_holds(path, "old");
        assert_int_equal(scratch_files(folder, false), 1);
        assert_failed(run, BESTDAG_FAILED, "cannot write: File too large");
        unlink(path);
    }
    free(large);
    scratch_files(folder, true);
    scratch_end(run);
}

static mode_t rights(const char *path)
{
    struct stat info;
    assert_int_equal(lstat(path, &info), 0);
    return info.st_mode;
}

static void rights_of_the_old_file_are_kept(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    char path[512];
    strcpy(path, scratch_path(folder, "out"));
    mode_t mask = umask(027);
    write_in_pieces(run, path, "a", 1);
    assert_int_equal(rights(path) & 0777, 0640); /* as umask says */
    umask(mask);
    chmod(path, 0604);
    write_in_pieces(run, path, "b", 1);
    assert_int_equal(rights(path) & 0777, 0604);
    assert_holds(path, "b");
    scratch_files(folder, true);
    scratch_end(run);
}

static void a_read_only_file_is_not_replaced(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    char path[512];
    strcpy(path, scratch_path(folder, "out"));
    scratch_write(path, "old", 3);
    chmod(path, 0444);
    bool root = !geteuid(); /* who may write everything */
    if (root)
        assert_int_equal(chown(folder, 65534, 65534) | seteuid(65534), 0);
    struct bestdag_sink *s = bestdag_sink_open(run, path);
    if (root)
        assert_int_equal(seteuid(0), 0);
    assert_null(s);
    assert_failed(run, BESTDAG_FAILED, "cannot write: Permission denied");
    assert_int_equal(scratch_files(folder, true), 1);
    scratch_end(run);
}

static void a_link_stays_a_link(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    char link[512], target[512];
    strcpy(link, scratch_path(folder, "link"));
    strcpy(target, scratch_path(folder, "target"));
    assert_int_equal(symlink("target", link), 0);
    write_in_pieces(run, link, "new", 3); /* the target is not there yet */
    assert_true(S_ISLNK(rights(link)));
    assert_holds(target, "new");
    write_in_pieces(run, link, "newer", 5);
    assert_true(S_ISLNK(rights(link)));
    assert_true(S_ISREG(rights(target)));
    assert_holds(target, "newer");
    assert_int_equal(scratch_files(folder, true), 2);
    scratch_end(run);
}

static void places_that_cannot_be_written_are_told(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    assert_null(bestdag_sink_open(run, "/nowhere/x"));
    assert_failed(run, BESTDAG_FAILED,
                  "/nowhere/x: cannot write: No such file or directory");
    assert_null(bestdag_sink_open(run, folder));
    assert_failed(run, BESTDAG_FAILED, "cannot write: Is a directory");
    char path[512], below[600];
    strcpy(path, scratch_path(folder, "file"));
    scratch_write(path, "x", 1);
    snprintf(below, sizeof below, "%s/x", path);
    assert_null(bestdag_sink_open(run, below));
    assert_failed(run, BESTDAG_FAILED, "cannot write: Not a directory");
    assert_null(bestdag_sink_open(run, NULL));
    assert_failed(run, BESTDAG_USAGE, "no file to");
    assert_int_equal(bestdag_sink_close(NULL), BESTDAG_FAILED);
    scratch_files(folder, true);
    scratch_end(run);
}

/* Standard output and input of a child, since those of a test are cmocka's. */
static void a_dash_is_standard_output_and_input(void **state)
{
    (void)state;
    const char *folder = scratch_make();
    char in[512], out[512];
    strcpy(in, scratch_path(folder, "in"));
    strcpy(out, scratch_path(folder, "out"));
    scratch_write(in, "through", 7);
    pid_t child = fork();
    if (!child) {
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_file file;
        dup2(open(in, O_RDONLY), STDIN_FILENO);
        dup2(open(out, O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
        int status = bestdag_file_read(run, "-", &file);
        bool named = !strcmp(file.name, "standard input");
        struct bestdag_sink *s = bestdag_sink_open(run, "-");
        bestdag_sink_write(s, file.bytes, file.size);
        status |= bestdag_sink_close(s);
        _exit(status || !named || write(STDOUT_FILENO, "!", 1) != 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_holds(out, "through!"); /* it was not closed */
    scratch_files(folder, true);
}

static void pipes_are_written_straight(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    char path[512], got[16] = "";
    strcpy(path, scratch_path(folder, "pipe"));
    assert_int_equal(mkfifo(path, 0600), 0);
    int end = open(path, O_RDWR | O_NONBLOCK);
    write_in_pieces(run, path, "hello", 5);
    assert_int_equal(read(end, got, 15), 5);
    assert_string_equal(got, "hello");
    assert_true(S_ISFIFO(rights(path)));
    close(end);
    assert_int_equal(scratch_files(folder, true), 1);
    scratch_end(run);
}

/* ---- in memory ----------------------------------------------------------- */

static void a_sink_of_memory_collects_everything(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_sink *s = bestdag_sink_memory(run);
    char *large = make_bytes(700000, 4);
    size_t n;
    bestdag_sink_write(s, large, 700000);
    bestdag_sink_text(s, "|");
    bestdag_sink_number(s, 0.1);
    bestdag_sink_format(s, "|%d|%s", 7, large);
    char *bytes = bestdag_sink_take(s, &n);
    assert_int_equal(n, 700000 + 7 + 700000);
    assert_memory_equal(bytes, large, 700000);
    assert_memory_equal(bytes + 700000, "|0.1|7|", 7);
    assert_string_equal(bytes + 700007, large);
    bestdag_sink_text(s, "more"); /* after the take it starts over */
    bestdag_free(bytes);
    bytes = bestdag_sink_take(s, &n);
    assert_string_equal(bytes, "more");
    bestdag_free(bytes);
    assert_int_equal(bestdag_sink_close(s), BESTDAG_OK);
    free(large);
    scratch_end(run);
}

static void a_sink_of_memory_without_memory_fails(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_sink *s = bestdag_sink_memory(run);
    char *large = make_bytes(700000, 4);
    size_t n = 5;
    bestdag_memory_fail_at(run, 1);
    bestdag_sink_write(s, large, 700000);
    assert_null(bestdag_sink_take(s, &n));
    assert_int_equal(n, 0);
    assert_int_equal(bestdag_sink_close(s), BESTDAG_MEMORY);
    free(large);
    scratch_end(run);
}

static void texts_are_written_whole(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    char path[512];
    strcpy(path, scratch_path(folder, "text"));
    assert_int_equal(bestdag_text_write(run, "one line\n", path), BESTDAG_OK);
    assert_holds(path, "one line\n");
    scratch_files(folder, true);
    scratch_end(run);
}

/* ---- suffixes ------------------------------------------------------------ */

static void suffixes_tell_the_format(void **state)
{
    (void)state;
    static const struct {
        const char *path, *suffix;
    } cases[] = {{"net.bif", "bif"},
                 {"a/net.bif.gz", "bif"},
                 {"a/net.BIF.ZST", "bif"},
                 {"a.b/net", ""},
                 {"net", ""},
                 {"", ""},
                 {"-", ""},
                 {".gz", "gz"},
                 {"x.gz", ""},
                 {"a/x.zst", ""},
                 {"net.", ""},
                 {"a.b.c.Csv", "csv"},
                 {"x.averyveryverylongsuffix", ""},
                 {"x.fifteenletters1", "fifteenletters1"}};
    for (int i = 0; i < COUNT(cases); i++) {
        char to[16];
        assert_string_equal(bestdag_path_suffix(cases[i].path, to),
                            cases[i].suffix);
    }
}

/* ---- half a file, and files in pairs ------------------------------------- */

static void expect_text(const char *path, const char *text)
{
    size_t n;
    char *got = scratch_read(path, &n);
    assert_string_equal(got, text);
    free(got);
}

/* Of the leak sanitiser, where it is linked. */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

/* Names that a handler took are not given back: the process ends. */
static void what_a_signal_cuts_off_leaves_nothing(void **state)
{
    (void)state;
    if (__lsan_disable)
        __lsan_disable();
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_run *slice =
        bestdag_run_slice(run, (struct bestdag_slice_limits){0});
    const char *folder = scratch_make();
    struct bestdag_sink *sink[20];
    scratch_write(scratch_path(folder, "f0"), "old", 3);
    for (int i = 0; i < COUNT(sink); i++) { /* more than there are places */
        char name[16];
        snprintf(name, sizeof name, "f%d", i);
        sink[i] =
            bestdag_sink_open(i % 2 ? slice : run, scratch_path(folder, name));
        assert_non_null(sink[i]);
        bestdag_sink_text(sink[i], "new");
    }
    assert_int_equal(scratch_files(folder, false), 21);
    assert_int_equal(bestdag_sink_close(sink[1]), BESTDAG_OK);
    bestdag_run_discard(run);
    bestdag_run_discard(run); /* two threads had a signal */
    bestdag_run_discard(NULL);
    /* f0, f1, and those without a place */
    assert_int_equal(scratch_files(folder, false),
                     2 + COUNT(sink) - BESTDAG_MOST_UNFINISHED);
    expect_text(scratch_path(folder, "f0"), "old");
    expect_text(scratch_path(folder, "f1"), "new");
    bestdag_fail(run, BESTDAG_FAILED, "ended");
    bestdag_fail(slice, BESTDAG_FAILED, "ended");
    for (int i = 0; i < COUNT(sink); i++)
        if (i != 1)
            bestdag_sink_close(sink[i]);
    assert_int_equal(scratch_files(folder, true), 2);
    bestdag_run_join(slice);
    bestdag_run_free(run);
    if (__lsan_enable)
        __lsan_enable();
}

static void places_of_files_are_used_again(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    for (int i = 0; i < 3 * BESTDAG_MOST_UNFINISHED; i++) {
        struct bestdag_sink *s =
            bestdag_sink_open(run, scratch_path(folder, "f"));
        assert_true(bestdag_sink_is_file(s));
        if (i % 3 == 1)
            bestdag_fail(run, BESTDAG_FAILED, "no");
        bestdag_sink_close(s);
        bestdag_run_clear(run);
        for (int k = 0; k < BESTDAG_MOST_UNFINISHED; k++)
            assert_null(run->unfinished[k]);
    }
    assert_int_equal(scratch_files(folder, true), 1);
    scratch_end(run);
}

static void a_name_may_be_as_long_as_the_system_lets_it(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    char name[256];
    memset(name, 'n', 255);
    name[255] = 0;
    assert_int_equal(
        bestdag_text_write(run, "text", scratch_path(folder, name)), 0);
    expect_text(scratch_path(folder, name), "text");
    assert_int_equal(scratch_files(folder, true), 1);
    scratch_end(run);
}

static int write_pair(struct bestdag_run *run, const char *folder,
                      const char *text)
{
    struct bestdag_sink *s = bestdag_sink_open(run, scratch_path(folder, "f"));
    struct bestdag_sink *beside =
        bestdag_sink_open(run, scratch_path(folder, "f.json"));
    assert_non_null(s);
    assert_non_null(beside);
    bestdag_sink_text(s, text);
    bestdag_sink_text(beside, text);
    return bestdag_sink_close_pair(s, beside);
}

static void a_pair_of_files_is_replaced_or_not(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    assert_int_equal(write_pair(run, folder, "1"), BESTDAG_OK);
    assert_int_equal(write_pair(run, folder, "2"), BESTDAG_OK);
    expect_text(scratch_path(folder, "f"), "2");
    expect_text(scratch_path(folder, "f.json"), "2");
    /* one of them fails: the old ones stay */
    struct bestdag_sink *s = bestdag_sink_open(run, scratch_path(folder, "f"));
    struct bestdag_sink *beside =
        bestdag_sink_open(run, scratch_path(folder, "f.json"));
    bestdag_sink_text(s, "3");
    bestdag_fail(run, BESTDAG_FAILED, "disk");
    bestdag_sink_close_pair(s, beside);
    assert_failed(run, BESTDAG_FAILED, "disk");
    expect_text(scratch_path(folder, "f"), "2");
    expect_text(scratch_path(folder, "f.json"), "2");
    assert_int_equal(scratch_files(folder, true), 2);
    /* alone, and none at all */
    assert_int_equal(bestdag_sink_close_pair(NULL, NULL), BESTDAG_FAILED);
    scratch_end(run);
}

/* What a crash between the steps leaves is seen when one of them fails. */
static void beside_a_file_stands_nothing_of_another(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    assert_int_equal(write_pair(run, folder, "1"), BESTDAG_OK);
    struct bestdag_sink *s = bestdag_sink_open(run, scratch_path(folder, "f"));
    struct bestdag_sink *beside =
        bestdag_sink_open(run, scratch_path(folder, "f.json"));
    unlink(scratch_path(folder, "f"));
    assert_int_equal(mkdir(scratch_path(folder, "f"), 0777), 0);
    bestdag_sink_close_pair(s, beside); /* the first cannot be replaced */
    assert_failed(run, BESTDAG_FAILED, "cannot write");
    assert_int_equal(access(scratch_path(folder, "f.json"), F_OK), -1);
    rmdir(scratch_path(folder, "f"));
    assert_int_equal(write_pair(run, folder, "1"), BESTDAG_OK);
    s = bestdag_sink_open(run, scratch_path(folder, "f"));
    beside = bestdag_sink_open(run, scratch_path(folder, "f.json"));
    bestdag_sink_text(s, "2");
    unlink(scratch_path(folder, "f.json"));
    assert_int_equal(mkdir(scratch_path(folder, "f.json"), 0777), 0);
    bestdag_sink_close_pair(s, beside); /* the old one cannot be removed */
    assert_failed(run, BESTDAG_FAILED, "cannot write");
    expect_text(scratch_path(folder, "f"), "1");
    rmdir(scratch_path(folder, "f.json"));
    assert_int_equal(scratch_files(folder, true), 1);
    scratch_end(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_back_across_all_boundaries),
        cmocka_unit_test(a_source_of_memory_reads_packed_bytes_too),
        cmocka_unit_test(several_members_read_as_one),
        cmocka_unit_test(truncated_files_are_told_at_every_length),
        cmocka_unit_test(garbage_after_the_end_is_told_but_zeros_are_padding),
        cmocka_unit_test(damaged_bytes_never_crash),
        cmocka_unit_test(files_that_cannot_be_read_are_told),
        cmocka_unit_test(empty_files_are_empty),
        cmocka_unit_test(files_of_unknown_size_are_read_whole),
        cmocka_unit_test(the_memory_limit_holds_for_files),
        cmocka_unit_test(the_old_file_stays_until_the_new_one_is_whole),
        cmocka_unit_test(a_failed_run_leaves_the_old_file_and_no_other),
        cmocka_unit_test(a_full_device_is_told),
        cmocka_unit_test(a_full_disk_leaves_the_old_file),
        cmocka_unit_test(rights_of_the_old_file_are_kept),
        cmocka_unit_test(a_read_only_file_is_not_replaced),
        cmocka_unit_test(a_link_stays_a_link),
        cmocka_unit_test(places_that_cannot_be_written_are_told),
        cmocka_unit_test(a_dash_is_standard_output_and_input),
        cmocka_unit_test(pipes_are_written_straight),
        cmocka_unit_test(a_sink_of_memory_collects_everything),
        cmocka_unit_test(a_sink_of_memory_without_memory_fails),
        cmocka_unit_test(texts_are_written_whole),
        cmocka_unit_test(suffixes_tell_the_format),
        cmocka_unit_test(what_a_signal_cuts_off_leaves_nothing),
        cmocka_unit_test(places_of_files_are_used_again),
        cmocka_unit_test(a_name_may_be_as_long_as_the_system_lets_it),
        cmocka_unit_test(a_pair_of_files_is_replaced_or_not),
        cmocka_unit_test(beside_a_file_stands_nothing_of_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
