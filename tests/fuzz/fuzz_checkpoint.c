/* SPDX-License-Identifier: MIT */
/* fuzz_checkpoint.c -- what a search takes over from a checkpoint; FUZZ_ROW is
 * the solver, or "part" for the lists of candidate sets. The input is a list of
 * changes of a true state, three bytes each: a place and what is added to the
 * byte there; an odd byte at the end cuts the state short. The file gets its
 * right hash again, which never happens by accident. A search that goes on with
 * it, or refuses it, does not crash. */
#include "fuzz.h"

#include <dirent.h>
#include <unistd.h>

#include "base/journal.h"
#include "base/options.h"
#include "base/random.h"
#include "base/sha256.h"
#include "data/table.h"

enum { ROWS = 80, MOST = 1 << 16 };

struct state {
    char head[256];
    uint8_t bytes[MOST];
    size_t size;
};

static struct state first;
static char folder[64];

static bool is_part(void)
{
    return !strcmp(FUZZ_ROW, "part");
}

/* Groups in which each depends on one before: two of four; for orders, which
 * must not see at once that it is done, one of many that hardly depend. */
static struct bestdag_table *make_table(struct bestdag_run *run)
{
    struct bestdag_table *t = bestdag_table_new(run, ROWS);
    struct bestdag_random r = bestdag_random_init(7, 1);
    signed char code[ROWS] = {0};
    bool is_hard = !strcmp(FUZZ_ROW, "orders");
    int columns = is_hard ? 26 : 8, noise = is_hard ? 2 : 5;
    for (int c = 0; c < columns; c++) {
        char name[] = {(char)('a' + c), 0};
        for (int i = 0; i < ROWS; i++)
            if ((!is_hard && c % 4 == 0) ||
                bestdag_random_below(&r, (uint64_t)noise) == 0)
                code[i] = (signed char)bestdag_random_below(&r, 2);
        bestdag_table_add_codes(run, t, name, code, 1, 2, NULL);
    }
    fuzz_require(!bestdag_run_status(run), "the table is made");
    return t;
}

static struct bestdag_options *settings(struct bestdag_run *run,
                                        const char *every)
{
    struct bestdag_options *o = bestdag_options_new(run);
    bestdag_options_set(run, o, "solver", is_part() ? "orders" : FUZZ_ROW);
    bestdag_options_set(run, o, "max-parents",
                        strcmp(FUZZ_ROW, "orders") ? "2" : "3");
    bestdag_options_set(run, o, "score", "aic");
    bestdag_options_set(run, o, "parents", "greedy");
    if (strstr(" part os obs asobs hc ", " " FUZZ_ROW " "))
        bestdag_options_set(run, o, "set", "steps=300");
    if (!strcmp(FUZZ_ROW, "orders")) /* two rounds */
        bestdag_options_set(run, o, "set", "steps=90000");
    if (!strcmp(FUZZ_ROW, "espace"))
        bestdag_options_set(run, o, "set", "restarts=3");
    if (!strcmp(FUZZ_ROW, "acoe"))
        bestdag_options_set(run, o, "set", "tmax=2");
    bestdag_options_set(run, o, "checkpoint", folder);
    bestdag_options_set(run, o, "checkpoint-every", every);
    fuzz_require(!bestdag_run_status(run), "the settings are right");
    return o;
}

/* An answer, or a refusal. */
static void learn(const char *every, const char *limit)
{
    struct bestdag_run *run = fuzz_run();
    bestdag_run_set(run, "time-limit", limit);
    struct bestdag_table *t = make_table(run);
    struct bestdag_options *o = settings(run, every);
    struct bestdag_result *result = bestdag_learn(run, t, NULL, o);
    fuzz_answer(run, result);
    fuzz_require(!result || bestdag_result_number(result, "score") < 0,
                 "a score is one");
    bestdag_result_free(result);
    bestdag_options_free(o);
    bestdag_table_free(t);
    fuzz_end(run);
}

/* ---- files -----------------------------------------------------------------
 */

static void make_path(char to[512])
{
    if (is_part())
        snprintf(to, 512, "%s/sets.part", folder);
    else
        snprintf(to, 512, "%s/%s.checkpoint", folder,
                 strcmp(FUZZ_ROW, "bnb") ? "search-" FUZZ_ROW : "best");
}

static void clean_up(void)
{
    DIR *d = opendir(folder);
    char path[512];
    for (struct dirent *e; d && (e = readdir(d));) {
        snprintf(path, sizeof path, "%.200s/%.200s", folder, e->d_name);
        if (e->d_name[0] != '.')
            unlink(path);
    }
    if (d)
        closedir(d);
    rmdir(folder);
}

/* What a run that was not disturbed leaves, without the hash. */
static void take_state(struct state *s)
{
    char path[512];
    make_path(path);
    FILE *f = fopen(path, "rb");
    fuzz_require(f != NULL, "the run has left a state");
    if (!is_part())
        fuzz_require(fgets(s->head, sizeof s->head, f) != NULL, "with a head");
    s->size = fread(s->bytes, 1, sizeof s->bytes, f);
    fclose(f);
    fuzz_require(s->size < MOST && s->size > 64, "of a size");
    if (!is_part())
        s->size -= BESTDAG_SHA256_HEX - 1;
}

/* A journal with right checksums, as far as its lengths let it be followed. */
static void seal_items(const struct state *s, FILE *to)
{
    enum { CHECKSUM = 18 }; /* of the head: a blank, 16 digits, a line break */
    size_t at = 0;
    uint64_t frame[2];
    while (at < s->size && s->bytes[at] != '\n')
        at++;
    if (at < s->size && ++at >= CHECKSUM) {
        fwrite(s->bytes, 1, at - CHECKSUM, to);
        fprintf(to, " %016llx\n",
                (unsigned long long)bestdag_journal_checksum(s->bytes,
                                                             at - CHECKSUM));
    } else
        fwrite(s->bytes, 1, at, to);
    while (s->size - at >= sizeof frame) {
        memcpy(frame, s->bytes + at, sizeof frame);
        if (frame[0] > s->size - at - sizeof frame)
            break;
        at += sizeof frame;
        frame[1] = bestdag_journal_checksum(s->bytes + at, frame[0]);
        fwrite(frame, 1, sizeof frame, to);
        fwrite(s->bytes + at, 1, frame[0], to);
        at += frame[0];
    }
    fwrite(s->bytes + at, 1, s->size - at, to);
}

static void seal(const struct state *s, FILE *to)
{
    struct bestdag_sha256 sha;
    char hex[BESTDAG_SHA256_HEX];
    bestdag_sha256_init(&sha);
    bestdag_sha256_update(&sha, s->head, strlen(s->head));
    bestdag_sha256_update(&sha, s->bytes, s->size);
    bestdag_sha256_hex(&sha, hex);
    fputs(s->head, to);
    fwrite(s->bytes, 1, s->size, to);
    fputs(hex, to);
}

/* ---- the target ------------------------------------------------------------
 */

static void change(struct state *s, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i + 3 <= size; i += 3) {
        size_t at = (bytes[i] | (size_t)bytes[i + 1] << 8) % s->size;
        s->bytes[at] = (uint8_t)(s->bytes[at] + bytes[i + 2]);
    }
    if (size % 3 == 1)
        s->size -= bytes[size - 1] % s->size;
}

static void begin(void)
{
    const char *shared = access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";
    snprintf(folder, sizeof folder, "%s/bestdag-fuzz-XXXXXX", shared);
    fuzz_require(mkdtemp(folder) != NULL, "there is a folder");
    atexit(clean_up);
    learn("0s", "60");
    take_state(&first);
}

/* Files of the run before that are not to be changed. */
static void forget(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.checkpoint", folder, name);
    unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static struct state changed;
    char path[512];
    if (!folder[0])
        begin();
    changed = first;
    change(&changed, bytes, size);
    forget("clock");
    forget("best");
    make_path(path);
    FILE *f = fopen(path, "wb");
    fuzz_require(f != NULL, "the state can be written");
    (is_part() ? seal_items : seal)(&changed, f);
    fuzz_require(!fclose(f), "and was");
    learn("1h", "0.1"); /* also if its counters say: go on and on */
    return 0;
}
