/* SPDX-License-Identifier: MIT */
/* test_command.c -- the command itself when memory fails: every n-th allocation
 * of each command, in this process. Whatever fails, the command ends with its
 * result, or with one line and exit code 6.
 *
 * The build links the sources of src/cli with main() as command_main(), and
 * lets bestdag_run_new() and bestdag_run_free() pass through here. */
#include "scratch.h"

#include <fcntl.h>

int command_main(int count, char **words);
struct bestdag_run *__real_bestdag_run_new(void);
void __real_bestdag_run_free(struct bestdag_run *run);
struct bestdag_run *__wrap_bestdag_run_new(void);
void __wrap_bestdag_run_free(struct bestdag_run *run);

static int64_t fail_at;           /* in the next run that is made */
static struct bestdag_run *first; /* the command's own */
static bool has_failed;
static const char *current; /* line; NULL: the test has ended */
static int out, err;        /* where the test itself prints */

struct bestdag_run *__wrap_bestdag_run_new(void)
{
    struct bestdag_run *run = __real_bestdag_run_new();
    if (run && !first) {
        first = run;
        bestdag_memory_fail_at(run, fail_at);
    }
    return run;
}

void __wrap_bestdag_run_free(struct bestdag_run *run)
{
    if (run && run == first)
        has_failed = bestdag_memory_has_failed(run);
    __real_bestdag_run_free(run);
}

enum { MOST_WORDS = 24 };

/* The exit code; standard output and error are not looked at. */
static int run_command(const char *line, int64_t n)
{
    char text[1024], *words[MOST_WORDS], *at = NULL;
    int count = 0;
    snprintf(text, sizeof text, "bestdag %s", line);
    for (char *w = strtok_r(text, " ", &at); w && count < MOST_WORDS - 1;
         w = strtok_r(NULL, " ", &at))
        words[count++] = w;
    words[count] = NULL;
    current = line;
    fail_at = n;
    first = NULL;
    has_failed = false;
    return command_main(count, words);
}

/* Allocations before the command begins: the same for all. */
static int64_t count_overture(void)
{
    int64_t n = 1;
    do
        run_command("generate --variables", n += 64);
    while (has_failed);
    return n - 64;
}

static int try_line(const char *line, int64_t from, int64_t step)
{
    int tried = 0;
    for (int64_t n = from;; n += step, tried++) {
        int status = run_command(line, n);
        /* the network is written without its certificate, which is an error */
        bool lacks_certificate = status == BESTDAG_FAILED && has_failed &&
                                 strstr(line, "--certificate");
        if (status != BESTDAG_OK && status != BESTDAG_MEMORY &&
            !lacks_certificate)
            fail_msg("%s: allocation %lld: ended with %d", line, (long long)n,
                     status);
        if (!has_failed) {
            assert_int_equal(status, BESTDAG_OK);
            return tried;
        }
    }
}

static const char *const lines[] = {
    "score d.csv --score bdeu --max-parents 2 -o s.jkl",
    "score d.csv --parents greedy --comments --json --part p -o s.jkl",
    "score d.csv --parents independence --constraints r --trace t",
    "check d.csv -v",
    "discretize d.csv --save-cuts c.json -o e.csv",
    "learn d.csv --max-parents 2 -o n.bif --save-scores s.jkl --log log",
    "learn d.csv --solver hc --json --report page.html",
    "solve s.jkl --solver cluster --certificate cert -o n.csv",
    "verify s.jkl n.csv cert",
    "bootstrap d.csv -R 2 -j 1 --max-parents 1 --strengths str.csv -o a.bif",
    "fit d.csv n.csv --constraints r -o n.bif",
    "evaluate d.csv n.bif",
    "compare n.bif n.bif",
    "relate n.bif a;b|c --paths a,b --separator a,b --blanket a --cpt b",
    "effect n.bif a b|c=0",
    "cpdag n.bif",
    "classify train d.csv -o m.bif",
    "classify predict d.csv m.bif -o q.csv",
    "classify validate d.csv --folds 2 -j 1",
    "sample n.bif -n 20 -o q.csv",
    "generate --variables 4 -o g.bif",
    "convert n.bif -o n.uai",
    "list solvers -v",
    "help learn",
    "learn --help --solver orders",
};

static void every_allocation_of_a_command_may_fail(void **state)
{
    (void)state;
    const char *folder = scratch_make();
    char home[512];
    assert_non_null(getcwd(home, sizeof home));
    assert_int_equal(chdir(folder), 0);
    static const char table[] = "a,b,c\n0,0,0\n1,1,0\n0,1,1\n1,1,1\n0,0,1\n"
                                "1,0,0\n0,0,0\n1,1,1\n";
    scratch_write("d.csv", table, sizeof table - 1);
    scratch_write("r", "not a -> b\n", 11);
    int none = open("/dev/null", O_WRONLY);
    fflush(stdout);
    dup2(none, STDOUT_FILENO);
    dup2(none, STDERR_FILENO);
    close(none);
    int tried[COUNT(lines)];
    int64_t overture = count_overture();
    try_line(lines[0], 1, 5);
    for (int i = 0; i < COUNT(lines); i++) {
        bool is_help = strstr(lines[i], "help") || strstr(lines[i], "list");
        int64_t step = i < 3 ? 1 : is_help ? 13 : 3;
        tried[i] = try_line(lines[i], overture, step);
    }
    current = NULL;
    fflush(stdout);
    dup2(out, STDOUT_FILENO);
    for (int i = 0; i < COUNT(lines); i++)
        printf("%6d  %s\n", tried[i], lines[i]);
    assert_int_equal(chdir(home), 0);
    scratch_files(folder, true);
}

static int keep_streams(void **state)
{
    (void)state;
    out = dup(STDOUT_FILENO);
    err = dup(STDERR_FILENO);
    return out < 0 || err < 0;
}

/* Also after a crash, which would go unnoticed. */
static int restore_streams(void **state)
{
    (void)state;
    fflush(stdout);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    close(out);
    close(err);
    if (current)
        printf("failed at allocation %lld of: %s\n", (long long)fail_at,
               current);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_allocation_of_a_command_may_fail,
                                        keep_streams, restore_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
