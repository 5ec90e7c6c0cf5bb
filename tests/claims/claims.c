/* SPDX-License-Identifier: MIT */
/* claims.c -- tries to catch the command in a false claim.
 *
 *   claims PROGRAM [--seed S] [--trials N] [--seconds T] [--without FEATURE]
 *          [--trial SEED] [--found FOLDER] [--only search|ask]
 *
 * Draws problems of up to nine variables and ways to have them solved, one
 * trial after the other, runs the command, and judges what it says (judge.c,
 * proof.c, resume.c). One trial of twelve is a question to a network of up to
 * six variables, or learning by EM (ask.c, cause.c, em.c); --only has one kind.
 * The seed of a trial is enough to make it again: --trial. Where a claim is
 * false its files, the commands (`commands`) and what is wrong (`why`) stay in
 * FOLDER/SEED; the exit code is then 1. Without --trials and --seconds there
 * are as many trials as FUZZ_RUNS (of the environment) allows, each counted
 * as 20. */
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "claims.h"

struct plan {
    char program[PATH_MAX], found[PATH_MAX];
    uint64_t seed, trial;
    int64_t trials;
    double seconds; /* 0: as many trials as were asked for */
    struct features features;
    struct json *solvers;
    int failures;
    enum { ANY, SEARCH, ASK } only; /* kind of trial */
};

static int die(const char *what, const char *which)
{
    fprintf(stderr, "claims: %s '%s'\n", what, which);
    return 2;
}

/* ---- a folder for each trial ---------------------------------------------
 */

static int remove_one(const char *path, const struct stat *status, int kind,
                      struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

static void empty(const char *folder)
{
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void enter(const struct plan *p, const char *name)
{
    if (chdir(p->found) || (empty(name), mkdir(name, 0777), chdir(name)))
        exit(die("cannot enter", name));
}

static void keep(struct plan *p, const struct trial *t, const char *why)
{
    FILE *to = fopen("commands", "w");
    if (to) {
        if (t->score.count)
            command_print(&t->score, to);
        command_print(&t->search, to);
        fclose(to);
    }
    to = fopen("why", "w");
    if (to) {
        fprintf(to, "%s\n", why);
        fclose(to);
    }
    char from[64], name[64];
    snprintf(from, sizeof from, "work-%ld", (long)getpid());
    snprintf(name, sizeof name, "%llu", (unsigned long long)t->seed);
    if (chdir(p->found) || (empty(name), rename(from, name)))
        fprintf(stderr, "claims: cannot keep %s\n", name);
    printf("trial %s: %s\n", name, why);
    command_print(&t->search, stdout);
    fflush(stdout);
    p->failures++;
}

static void try(struct plan *p, uint64_t seed, struct tally *tally)
{
    static struct trial t;
    static char why[TEXT];
    char name[64];
    snprintf(name, sizeof name, "work-%ld", (long)getpid());
    enter(p, name);
    memset(&t, 0, sizeof t);
    t.program = p->program;
    t.solvers = p->solvers;
    t.features = &p->features;
    t.seed = seed;
    bool is_question = p->only ? p->only == ASK : seed % 12 == 5;
    if (!is_question)
        trial_draw(&t);
    if (!(is_question ? ask_judge : trial_judge)(&t, tally, why))
        keep(p, &t, why);
    trial_clear(&t);
}

/* ---- all of them ---------------------------------------------------------
 */

static void report(const struct tally *t, int failures)
{
    const struct {
        const char *name;
        int64_t count;
    } rows[] = {{"trials", t->trials},
                {"optimal", t->optimal},
                {"bounds", t->bounds},
                {"global bounds", t->global_bounds},
                {"certificates", t->certificates},
                {"with the table", t->checked},
                {"forged", t->forged},
                {"lists", t->lists},
                {"killed", t->resumed},
                {"no network", t->infeasible},
                {"refused", t->refused},
                {"stopped", t->stopped},
                {"no memory", t->memory},
                {"questions", t->questions},
                {"by EM", t->em},
                {"starts", t->starts},
                {"other threads", t->threads},
                {"too many states", t->unknown},
                {"false claims", failures}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        printf("%-16s %8lld\n", rows[i].name, (long long)rows[i].count);
}

static int try_all(struct plan *p)
{
    struct tally tally = {0};
    uint64_t seed = p->seed;
    time_t start = time(NULL);
    printf("seed %llu\n", (unsigned long long)p->seed);
    for (int64_t i = 0; p->seconds > 0 || i < p->trials; i++) {
        if (p->seconds > 0 && difftime(time(NULL), start) >= p->seconds)
            break;
        try(p, draw(&seed), &tally);
    }
    report(&tally, p->failures);
    /* A judge who never looks would be content, too. */
    if (tally.trials >= 200 && p->only != ASK &&
        (tally.optimal * 5 < tally.trials || tally.bounds * 5 < tally.trials))
        return die("hardly any claims in", "this run");
    return p->failures > 0;
}

/* ---- arguments -----------------------------------------------------------
 */

static int leave_out(struct plan *p, const char *name)
{
    for (int i = 0; i < FEATURES; i++)
        if (!strcmp(feature_names[i], name)) {
            p->features.without[i] = true;
            return 0;
        }
    return die("unknown feature", name);
}

static int read_argument(struct plan *p, const char *key, const char *value)
{
    if (!strcmp(key, "--seed"))
        p->seed = strtoull(value, NULL, 10);
    else if (!strcmp(key, "--trials"))
        p->trials = strtoll(value, NULL, 10);
    else if (!strcmp(key, "--trial"))
        p->trial = strtoull(value, NULL, 10);
    else if (!strcmp(key, "--seconds"))
        p->seconds = strtod(value, NULL);
    else if (!strcmp(key, "--without"))
        return leave_out(p, value);
    else if (!strcmp(key, "--only") && !strcmp(value, "ask"))
        p->only = ASK;
    else if (!strcmp(key, "--only") && !strcmp(value, "search"))
        p->only = SEARCH;
    else if (!strcmp(key, "--found"))
        snprintf(p->found, sizeof p->found, "%s", value);
    else
        return die("unknown option", key);
    return 0;
}

static int read_solvers(struct plan *p)
{
    struct command c = {0};
    char name[64];
    snprintf(name, sizeof name, "work-%ld", (long)getpid());
    enter(p, name);
    command_add(&c, "%s", p->program);
    command_add(&c, "list");
    command_add(&c, "solvers");
    command_add(&c, "--json");
    struct ending e = command_run(&c, 60);
    p->solvers = e.out ? json_read(e.out) : NULL;
    ending_clear(&e);
    command_clear(&c);
    return json_count(p->solvers) ? 0 : die("no solvers from", p->program);
}

int main(int count, char **words)
{
    static struct plan p = {.seed = 1, .trials = 2000};
    const char *runs = getenv("FUZZ_RUNS");
    char folder[PATH_MAX];
    if (count < 2 || count % 2 || !realpath(words[1], p.program))
        return die("PROGRAM, then options with values:", "claims.c has them");
    snprintf(p.found, sizeof p.found, "found");
    if (runs)
        p.trials = strtoll(runs, NULL, 10) / 20;
    for (int i = 2; i < count; i += 2)
        if (read_argument(&p, words[i], words[i + 1]))
            return 2;
    mkdir(p.found, 0777);
    if (!realpath(p.found, folder))
        return die("cannot enter", p.found);
    snprintf(p.found, sizeof p.found, "%s", folder);
    if (read_solvers(&p))
        return 2;
    struct tally tally = {0};
    int code = 0;
    if (p.trial) {
        try(&p, p.trial, &tally);
        report(&tally, p.failures);
        code = p.failures > 0;
    } else {
        code = try_all(&p);
    }
    json_free(p.solvers);
    return code;
}
