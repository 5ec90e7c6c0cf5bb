/* SPDX-License-Identifier: MIT */
/* replay.c -- a fuzz target as a test, with any compiler.
 *
 *     fuzz_json FOLDER     every file of the corpus, then seeded changes of it
 *     fuzz_json FILE       that file only, in this process: for a debugger
 *
 * The same seed makes the same inputs on every machine. FUZZ_SEED and FUZZ_RUNS
 * in the environment choose others. A child does the work; the parent sees how
 * it ended, and keeps the input that it was busy with in crash-NAME. */
#include "fuzz.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/random.h"

/* An input takes as long as this many of other targets: fewer are tried. */
#ifndef FUZZ_COST
#define FUZZ_COST 1
#endif

enum {
    MOST_BYTES = 1 << 16, /* of an input */
    MOST_FILES = 256,
    RUNS = 20000,
    LEAST = 1000,  /* but not fewer than this */
    PATIENCE = 120 /* seconds without an answer: it hangs */
};

struct input {
    size_t size;
    uint8_t bytes[MOST_BYTES];
};

struct corpus {
    int count;
    struct input *file[MOST_FILES];
};

/* What the child is busy with; the parent reads it when the child is dead. */
struct busy {
    volatile uint64_t run;
    struct input input;
};

/* In a block of exactly its size, so that ASan sees a read past the end. */
static void feed(const struct input *in)
{
    uint8_t *copy = malloc(in->size ? in->size : 1);
    fuzz_require(copy != NULL, "there is memory for the input");
    memcpy(copy, in->bytes, in->size);
    LLVMFuzzerTestOneInput(copy, in->size);
    free(copy);
}

static void try_input(struct busy *busy, const struct input *in)
{
    busy->input.size = in->size;
    memcpy(busy->input.bytes, in->bytes, in->size);
    feed(in);
    busy->run++;
}

/* ---- the corpus ---------------------------------------------------------- */

static struct input *read_input(const char *path)
{
    FILE *f = fopen(path, "rb");
    struct input *in = calloc(1, sizeof *in);
    if (!f || !in) {
        fprintf(stderr, "cannot read '%s': %s\n", path, strerror(errno));
        exit(1);
    }
    in->size = fread(in->bytes, 1, MOST_BYTES, f);
    fclose(f);
    return in;
}

static void read_corpus(const char *folder, struct corpus *to)
{
    struct dirent **entries;
    char path[4096];
    int found = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < found; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && to->count < MOST_FILES)
            to->file[to->count++] = read_input(path);
        free(entries[i]);
    }
    if (found > 0)
        free(entries);
}

static void free_corpus(struct corpus *c)
{
    for (int i = 0; i < c->count; i++)
        free(c->file[i]);
}

/* ---- changes ------------------------------------------------------------- */

static size_t below(struct bestdag_random *r, size_t n)
{
    return n ? (size_t)bestdag_random_below(r, n) : 0;
}

/* Replaces in->bytes[at .. at + gone) by n other bytes, as far as they fit. */
static void replace(struct input *in, size_t at, size_t gone,
                    const uint8_t *bytes, size_t n)
{
    uint8_t kept[512]; /* bytes may lie in what moves */
    size_t rest = in->size - at - gone;
    if (n > sizeof kept)
        n = sizeof kept;
    if (n > MOST_BYTES - at - rest)
        n = MOST_BYTES - at - rest;
    if (n)
        memcpy(kept, bytes, n);
    memmove(in->bytes + at + n, in->bytes + at + gone, rest);
    memcpy(in->bytes + at, kept, n);
    in->size = at + n + rest;
}

static const char *const odd[] = {"\"",
                                  "'",
                                  "{",
                                  "}",
                                  "(",
                                  ")",
                                  "[",
                                  "]",
                                  "<",
                                  ">",
                                  ",",
                                  ";",
                                  ":",
                                  "|",
                                  "=",
                                  "\n",
                                  "\r\n",
                                  "\t",
                                  " ",
                                  "//",
                                  "/*",
                                  "*/",
                                  "%",
                                  "#",
                                  "\\",
                                  "?",
                                  "NA",
                                  "nan",
                                  "-1",
                                  "0",
                                  "1e999",
                                  "1e-99",
                                  "0.5",
                                  "2147483648",
                                  "18446744073709551616",
                                  "/",
                                  "\\u0000",
                                  "\xff",
                                  "\xef\xbb\xbf",
                                  "\xc3\xa9",
                                  "&amp;",
                                  "->",
                                  "--"};

static void insert_odd(struct bestdag_random *r, struct input *in, size_t at)
{
    const char *text = odd[below(r, sizeof odd / sizeof *odd)];
    size_t gone = below(r, 4);
    if (gone > in->size - at)
        gone = in->size - at;
    replace(in, at, gone, (const uint8_t *)text, strlen(text));
}

/* A few bytes of another file of the corpus take the place of some here. */
static void insert_piece(struct bestdag_random *r, struct input *in, size_t at,
                         const struct corpus *corpus)
{
    const struct input *other = corpus->file[below(r, corpus->count)];
    size_t from = below(r, other->size), n = below(r, other->size - from) % 64;
    size_t gone = below(r, in->size - at) % 64;
    replace(in, at, gone, other->bytes + from, n);
}

struct word {
    size_t at, length;
};

/* The word at or after a random place; of length 0 if there is none. */
static struct word random_word(struct bestdag_random *r, const struct input *in)
{
    struct word w = {below(r, in->size), 0};
    while (w.at > 0 && isalnum(in->bytes[w.at - 1]))
        w.at--;
    while (w.at < in->size && !isalnum(in->bytes[w.at]))
        w.at++;
    while (w.at + w.length < in->size && isalnum(in->bytes[w.at + w.length]))
        w.length++;
    return w;
}

/* A word takes the place of another: what comes out often has the grammar. */
static void repeat_word(struct bestdag_random *r, struct input *in)
{
    struct word old = random_word(r, in), new = random_word(r, in);
    replace(in, old.at, old.length, in->bytes + new.at, new.length);
}

static void change(struct bestdag_random *r, struct input *in,
                   const struct corpus *corpus)
{
    size_t at = below(r, in->size), rest = in->size - at;
    size_t some = below(r, rest ? rest : 1) % 32;
    uint8_t byte = (uint8_t)below(r, 256);
    switch (below(r, 10)) {
    case 0: /* one bit */
        in->bytes[at] ^= (uint8_t)(1u << below(r, 8));
        break;
    case 1: /* any byte */
        replace(in, at, rest ? 1 : 0, &byte, 1);
        break;
    case 2: /* a gap */
        replace(in, at, some, NULL, 0);
        break;
    case 3: /* twice the same */
        replace(in, at, 0, in->bytes + at, some);
        break;
    case 4: /* the end is missing, sometimes */
        if (below(r, 4) == 0)
            in->size = at;
        break;
    case 5:
        insert_piece(r, in, at, corpus);
        break;
    case 6:
    case 7:
        repeat_word(r, in);
        break;
    default:
        insert_odd(r, in, at);
    }
}

/* ---- parent and child ---------------------------------------------------- */

static void work(const struct corpus *corpus, struct busy *busy, uint64_t seed,
                 uint64_t runs)
{
    struct input *in = malloc(sizeof *in);
    fuzz_require(in != NULL, "there is memory for an input");
    for (int i = 0; i < corpus->count; i++)
        try_input(busy, corpus->file[i]);
    for (uint64_t run = 0; run < runs; run++) {
        struct bestdag_random r = bestdag_random_init(seed, run);
        const struct input *from = corpus->file[below(&r, corpus->count)];
        in->size = from->size;
        memcpy(in->bytes, from->bytes, from->size);
        do
            change(&r, in, corpus);
        while (below(&r, 2));
        try_input(busy, in);
    }
    free(in);
}

/* The exit code of the child; 1 if it had to be killed. */
static int wait_for(pid_t child, const struct busy *busy)
{
    uint64_t last = 0;
    int status = 0, quiet = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        usleep(20000);
        quiet = busy->run == last ? quiet + 1 : 0;
        last = busy->run;
        if (quiet == PATIENCE * 50) {
            fprintf(stderr, "no answer for %d seconds\n", PATIENCE);
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return 1;
        }
    }
    if (WIFSIGNALED(status))
        fprintf(stderr, "died of signal %d\n", WTERMSIG(status));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static void keep_input(const char *program, const struct busy *busy)
{
    const char *slash = strrchr(program, '/');
    char path[256];
    snprintf(path, sizeof path, "crash-%s", slash ? slash + 1 : program);
    FILE *f = fopen(path, "wb");
    if (!f ||
        fwrite(busy->input.bytes, 1, busy->input.size, f) < busy->input.size)
        fprintf(stderr, "cannot write '%s'\n", path);
    else
        fprintf(stderr, "the input is kept; try: %s %s\n", program, path);
    if (f)
        fclose(f);
}

static int replay(const char *program, const struct corpus *corpus)
{
    const char *seed_text = getenv("FUZZ_SEED"),
               *runs_text = getenv("FUZZ_RUNS");
    uint64_t seed = seed_text ? strtoull(seed_text, NULL, 10) : 1;
    uint64_t runs = runs_text ? strtoull(runs_text, NULL, 10) : RUNS;
    if (runs > LEAST)
        runs = runs / FUZZ_COST > LEAST ? runs / FUZZ_COST : LEAST;
    struct busy *busy = mmap(NULL, sizeof *busy, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    fuzz_require(busy != MAP_FAILED, "there is shared memory");
    printf("%d files, %llu changes of them, seed %llu\n", corpus->count,
           (unsigned long long)runs, (unsigned long long)seed);
    fflush(stdout);
    pid_t child = fork();
    fuzz_require(child >= 0, "there is a second process");
    if (child == 0) {
        work(corpus, busy, seed, runs);
        munmap(busy, sizeof *busy);
        return 0; /* through main, so that the leak check runs */
    }
    int code = wait_for(child, busy);
    if (code && busy->run < (uint64_t)corpus->count + runs) {
        fprintf(stderr, "at input %llu, seed %llu\n",
                (unsigned long long)busy->run, (unsigned long long)seed);
        keep_input(program, busy);
    }
    munmap(busy, sizeof *busy);
    return code;
}

int main(int argc, char **argv)
{
    struct corpus corpus = {0};
    if (argc != 2) {
        fprintf(stderr, "usage: %s FOLDER|FILE\n", argv[0]);
        return 2;
    }
    read_corpus(argv[1], &corpus);
    int code = 0;
    if (corpus.count) {
        code = replay(argv[0], &corpus);
    } else {
        struct input *in = read_input(argv[1]);
        feed(in);
        free(in);
    }
    free_corpus(&corpus);
    return code;
}
