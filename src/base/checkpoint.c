/* SPDX-License-Identifier: MIT */
/* checkpoint.c -- the files of a checkpoint.
 *
 *     bestdag checkpoint 1 NAME FINGERPRINT ORDER\n   what it is
 *     ...                                             what was passed
 *     64 digits                                       SHA-256 of all before
 *
 * FINGERPRINT is the SHA-256 of the command's; ORDER of bytes is le or be. The
 * file "command" holds the fingerprint itself, so that a refusal can say what
 * differs; "clock" the seconds that were used; "lock" is locked by the run that
 * works here. Files are streamed: saving needs no memory of the run. */
#include "base/checkpoint.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/communicator.h"
#include "base/text.h"

static const struct bestdag_option option_rows[] = {
    {"checkpoint", BESTDAG_FOLDER, .value = "DIR",
     .help = "save the state of the run in this folder; after a crash the same "
             "command continues from there"},
    {"checkpoint-every", BESTDAG_DURATION, "10s", 0, 1e9, .value = "T",
     .help = "shortest interval between checkpoints; they never take more than "
             "a twentieth of the time"},
    {0}};
const struct bestdag_option_group bestdag_checkpoint_options = {"solve",
                                                                option_rows};

enum { HEAD = 256, SHARE = 20 }; /* saving may take 1 / SHARE of the time */
enum { SHARED = 0x636b7074 };    /* of collectives where a file is passed on */

struct bestdag_checkpoint {
    struct bestdag_run *run;
    char *folder; /* owns */
    char hash[BESTDAG_SHA256_HEX];
    int lock;
    double every;    /* seconds */
    double saved;    /* when something was saved last */
    double cost;     /* seconds that saving took */
    double ticked;   /* when the clock was saved last */
    bool has_failed; /* to write; noted */
    bool is_helper;  /* rank 0 of the run has the folder, and says what is in
                        it */
};

/* ---- names and heads ----------------------------------------------------- */

static void path_of(const struct bestdag_checkpoint *c, const char *name,
                    const char *suffix, char to[PATH_MAX])
{
    snprintf(to, PATH_MAX, "%s/%s%s", c->folder, name, suffix);
}

static void make_head(const char *name, const char *hash, char to[HEAD])
{
    const uint16_t one = 1;
    snprintf(to, HEAD, "bestdag checkpoint 1 %.64s %s %s\n", name, hash,
             *(const uint8_t *)&one ? "le" : "be");
}

/* ---- no room ------------------------------------------------------------- */

bool bestdag_disk_is_full(int error)
{
    return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

static int continue_without(struct bestdag_run *run, const char *folder,
                            int error)
{
    bestdag_note(
        run, 0,
        "checkpoint: cannot write in '%s': %s; continuing without checkpoints",
        folder, strerror(error));
    return BESTDAG_OK;
}

/* ---- saving -------------------------------------------------------------- */

static bool write_archive(struct bestdag_archive *p, const char *head,
                          bestdag_pass_fn *pass, void *state)
{
    char hex[BESTDAG_SHA256_HEX];
    bestdag_sha256_init(&p->sha);
    bestdag_sha256_update(&p->sha, head, strlen(head));
    p->is_bad |= fputs(head, p->file) < 0;
    pass(state, p);
    bestdag_sha256_hex(&p->sha, hex);
    p->is_bad |= fputs(hex, p->file) < 0;
    p->is_bad |= fflush(p->file) || fsync(fileno(p->file));
    return !p->is_bad;
}

/* Makes the new name durable, too. */
static void sync_folder(const char *folder)
{
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return;
    fsync(file);
    close(file);
}

static bool save(struct bestdag_checkpoint *c, const char *name,
                 bestdag_pass_fn *pass, void *state)
{
    char path[PATH_MAX], beside[PATH_MAX], head[HEAD];
    path_of(c, name, ".checkpoint", path);
    path_of(c, name, ".new", beside);
    make_head(name, c->hash, head);
    struct bestdag_archive p = {.file = fopen(beside, "we")};
    if (!p.file)
        return false;
    bool is_fine = write_archive(&p, head, pass, state);
    int reason = errno;
    if (fclose(p.file) || !is_fine || rename(beside, path)) {
        reason = is_fine ? errno : reason;
        unlink(beside);
        errno = reason;
        return false;
    }
    sync_folder(c->folder);
    return true;
}

static void try_saving(struct bestdag_checkpoint *c, const char *name,
                       bestdag_pass_fn *pass, void *state)
{
    if (save(c, name, pass, state)) {
        c->has_failed = false;
        return;
    }
    if (!c->has_failed)
        bestdag_note(c->run, 0,
                     "checkpoint: cannot write '%s/%s.checkpoint': %s; "
                     "continuing without checkpoints",
                     c->folder, name, strerror(errno));
    c->has_failed = true;
}

bool bestdag_checkpoint_due(const struct bestdag_checkpoint *c)
{
    if (!c || c->is_helper || bestdag_run_stopped(c->run))
        return false;
    double wait = SHARE * c->cost > c->every ? SHARE * c->cost : c->every;
    return bestdag_seconds() - c->saved >= wait;
}

void bestdag_checkpoint_save(struct bestdag_checkpoint *c, const char *name,
                             bestdag_pass_fn *pass, void *state)
{
    double start = bestdag_seconds();
    if (c->is_helper)
        return;
    try_saving(c, name, pass, state);
    c->saved = bestdag_seconds();
    c->cost = c->saved - start;
}

/* ---- opening ------------------------------------------------------------- */

/* Hashes the file without its end; false: its end is not that hash. */
static bool is_whole(FILE *file, int64_t size)
{
    char bytes[4096], end[BESTDAG_SHA256_HEX] = "", hex[BESTDAG_SHA256_HEX];
    struct bestdag_sha256 sha;
    int64_t left = size - (BESTDAG_SHA256_HEX - 1);
    if (left < 0)
        return false;
    bestdag_sha256_init(&sha);
    while (left > 0) {
        size_t n = left < (int64_t)sizeof bytes ? (size_t)left : sizeof bytes;
        if (fread(bytes, 1, n, file) != n)
            return false;
        bestdag_sha256_update(&sha, bytes, n);
        left -= (int64_t)n;
    }
    bestdag_sha256_hex(&sha, hex);
    return fread(end, 1, sizeof end - 1, file) == sizeof end - 1 &&
           !strcmp(end, hex);
}

enum found { NONE, DAMAGED, FOREIGN, OURS };

/* Sends the whole file, if there is one, to the other ranks: the folder may be
 * on this machine only, and is about to change. */
static FILE *lend(struct bestdag_checkpoint *c, FILE *file)
{
    struct bestdag_buffer b = {.run = c->run};
    char bytes[4096];
    size_t n;
    while (file && (n = fread(bytes, 1, sizeof bytes, file)) > 0)
        bestdag_buffer_add(&b, bytes, n);
    c->run->communicator->share(c->run, SHARED, &b);
    bestdag_buffer_release(&b);
    if (file)
        rewind(file);
    return file;
}

/* On another rank: a file with the contents of rank 0's; NULL: it has none. */
static FILE *borrow(struct bestdag_checkpoint *c)
{
    struct bestdag_buffer b = {.run = c->run};
    FILE *file = NULL;
    errno = ENOENT;
    if (c->run->communicator->share(c->run, SHARED, &b) && b.length)
        file = tmpfile();
    if (file && fwrite(b.at, 1, b.length, file) == b.length)
        rewind(file);
    bestdag_buffer_release(&b);
    return file;
}

/* Opens p->file and reads its head; the caller closes it. */
static enum found find(struct bestdag_checkpoint *c, const char *name,
                       bool is_shared, struct bestdag_archive *p)
{
    char path[PATH_MAX], wanted[HEAD], head[HEAD];
    struct stat info;
    path_of(c, name, ".checkpoint", path);
    make_head(name, c->hash, wanted);
    p->file = c->is_helper ? borrow(c) : fopen(path, "re");
    if (!c->is_helper && is_shared && bestdag_communicator_of(c->run))
        lend(c, p->file);
    if (!p->file)
        return errno == ENOENT ? NONE : DAMAGED;
    if (fstat(fileno(p->file), &info) || !is_whole(p->file, info.st_size) ||
        fseeko(p->file, 0, SEEK_SET) || !fgets(head, sizeof head, p->file) ||
        strncmp(head, "bestdag checkpoint ", 19) != 0)
        return DAMAGED;
    p->opens = true;
    p->left = info.st_size - ftello(p->file) - (BESTDAG_SHA256_HEX - 1);
    return strcmp(head, wanted) ? FOREIGN : OURS;
}

static int refuse(struct bestdag_checkpoint *c, const char *name,
                  const char *why)
{
    return bestdag_fail(c->run, BESTDAG_USAGE,
                        "checkpoint: '%s/%s.checkpoint' %s; repeat that "
                        "command, or use another folder",
                        c->folder, name, why);
}

static bool open_archive(struct bestdag_checkpoint *c, const char *name,
                         struct bestdag_archive *p)
{
    enum found found = find(c, name, true, p);
    if (found == DAMAGED)
        bestdag_note(c->run, 0,
                     "checkpoint: '%s/%s.checkpoint' is damaged and is ignored",
                     c->folder, name);
    if (found == FOREIGN)
        refuse(c, name, "belongs to another command or version");
    return found == OURS;
}

bool bestdag_checkpoint_load(struct bestdag_checkpoint *c, const char *name,
                             bestdag_pass_fn *pass, void *state)
{
    struct bestdag_archive p = {0};
    bool is_there = c && open_archive(c, name, &p);
    if (is_there) {
        pass(state, &p);
        if (p.is_bad || p.left)
            refuse(c, name, "does not fit this search");
    }
    if (p.file)
        fclose(p.file);
    return is_there && !bestdag_run_status(c->run);
}

/* ---- whose it is --------------------------------------------------------- */

struct writing {
    const char *text;
};

static void pass_text(void *state, struct bestdag_archive *p)
{
    const struct writing *w = state;
    uint64_t n = strlen(w->text);
    BESTDAG_PASS(p, n);
    bestdag_archive_pass(p, (char *)w->text, n);
}

/* Compares the text as it is read: a command may be long. */
struct comparing {
    const char *text;      /* the command as it is now */
    char is[80], was[80];  /* the first line that differs */
    bool differs, is_text; /* the second: what was kept is one */
};

static void copy_line(const char *text, char to[80])
{
    snprintf(to, 80, "%.*s", (int)strcspn(text, "\n"), text);
}

/* One line of the text that was kept, of which `left` bytes are there. */
static void pass_line(struct bestdag_archive *p, uint64_t *left, char to[80])
{
    char c = 0;
    int n = 0;
    for (; *left && c != '\n' && !p->is_bad; --*left) {
        BESTDAG_PASS(p, c);
        if (c != '\n' && n < 79)
            to[n++] = c;
    }
    to[n] = 0;
}

static void pass_comparing(void *state, struct bestdag_archive *p)
{
    struct comparing *c = state;
    const char *at = c->text;
    uint64_t left = 0;
    BESTDAG_PASS(p, left);
    while (!p->is_bad && (*at || left)) {
        char is[80], was[80];
        copy_line(at, is);
        pass_line(p, &left, was);
        if (!c->differs && strcmp(is, was) != 0) {
            c->differs = true;
            strcpy(c->is, is);
            strcpy(c->was, was);
        }
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    c->is_text = !p->is_bad;
}

/* Fails if the folder belongs to another command; else claims it.
 */
static int claim(struct bestdag_checkpoint *c, const char *fingerprint)
{
    struct bestdag_archive p = {0};
    struct comparing seen = {.text = fingerprint};
    struct writing own = {fingerprint};
    enum found found = find(c, "command", false, &p);
    if (found == FOREIGN)
        pass_comparing(&seen, &p);
    if (p.file)
        fclose(p.file);
    if (found == OURS)
        return BESTDAG_OK;
    if (found == DAMAGED)
        bestdag_note(c->run, 0,
                     "checkpoint: '%s/command.checkpoint' is damaged and is "
                     "written again",
                     c->folder);
    if (seen.is_text && seen.differs)
        return bestdag_fail(
            c->run, BESTDAG_USAGE,
            "checkpoint: '%s' belongs to another command: it has '%s', this "
            "run has '%s'; repeat that command, or use another folder",
            c->folder, seen.was, seen.is);
    if (found == FOREIGN)
        return refuse(c, "command", "belongs to another command");
    if (save(c, "command", pass_text, &own))
        return BESTDAG_OK;
    if (bestdag_disk_is_full(
            errno)) /* what is saved later still says whose it is */
        return continue_without(c->run, c->folder, errno);
    return bestdag_fail(c->run, BESTDAG_FAILED,
                        "checkpoint: cannot write in '%s': %s", c->folder,
                        strerror(errno));
}

/* ---- time ---------------------------------------------------------------- */

static void pass_seconds(void *state, struct bestdag_archive *p)
{
    double *seconds = state;
    BESTDAG_PASS(p, *seconds);
    if (!(*seconds >= 0 && *seconds < 1e12))
        bestdag_archive_reject(p);
}

static void save_clock(struct bestdag_checkpoint *c)
{
    const struct bestdag_run *run = c->run;
    double used =
        bestdag_seconds() - (run->limited > 0 ? run->limited : run->start);
    try_saving(c, "clock", pass_seconds, &used);
    c->ticked = bestdag_seconds();
}

void bestdag_checkpoint_tick(struct bestdag_checkpoint *c)
{
    if (!c->is_helper && bestdag_seconds() - c->ticked >= c->every)
        save_clock(c);
}

static void set_clock(struct bestdag_checkpoint *c)
{
    double used = 0;
    if (!bestdag_checkpoint_load(c, "clock", pass_seconds, &used))
        return;
    c->run->start -= used;
    if (c->run->deadline > 0) {
        c->run->deadline = c->run->deadline - used;
        c->run->limited -= used;
    }
    bestdag_note(c->run, 0, "checkpoint: resuming after %.1f seconds", used);
}

/* ---- the folder ---------------------------------------------------------- */

bool bestdag_checkpoint_folder(struct bestdag_run *run, const char *folder)
{
    struct stat info;
    if (strlen(folder) > PATH_MAX - 128) {
        bestdag_fail(run, BESTDAG_USAGE, "checkpoint: the path is too long");
        return false;
    }
    if (!mkdir(folder, 0777))
        return true;
    int reason = errno;
    if (reason == EEXIST && !stat(folder, &info))
        reason = S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
    if (bestdag_disk_is_full(reason))
        continue_without(run, folder, reason);
    else if (reason)
        bestdag_fail(run, BESTDAG_FAILED,
                     "checkpoint: cannot create the folder '%s': %s", folder,
                     strerror(reason));
    return !reason;
}

/* Two runs must not use one folder; where locks are not supported this is not
 * checked. If the disk is full c->lock stays -1. */
static int take_lock(struct bestdag_checkpoint *c)
{
    char path[PATH_MAX];
    path_of(c, "lock", "", path);
    c->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (c->lock < 0 && bestdag_disk_is_full(errno))
        return continue_without(c->run, c->folder, errno);
    if (c->lock < 0)
        return bestdag_fail(c->run, BESTDAG_FAILED,
                            "checkpoint: cannot write in '%s': %s", c->folder,
                            strerror(errno));
    if (flock(c->lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return bestdag_fail(c->run, BESTDAG_USAGE,
                            "checkpoint: another run is using '%s'", c->folder);
    return BESTDAG_OK;
}

/* Rank 0 decides for all whether there is a folder. */
static void agree(struct bestdag_checkpoint *c, bool *is_ours)
{
    struct bestdag_buffer b = {.run = c->run};
    bestdag_buffer_add(&b, *is_ours ? "y" : "n", 1);
    if (c->run->communicator->share(c->run, SHARED, &b) && c->is_helper)
        *is_ours = b.length && b.at[0] == 'y';
    bestdag_buffer_release(&b);
}

static void hash_text(const char *text, char hex[BESTDAG_SHA256_HEX])
{
    struct bestdag_sha256 sha;
    bestdag_sha256_init(&sha);
    bestdag_sha256_update(&sha, text, strlen(text));
    bestdag_sha256_hex(&sha, hex);
}

int bestdag_checkpoint_open(struct bestdag_run *run,
                            const struct bestdag_options *options,
                            const char *fingerprint)
{
    const char *folder =
        bestdag_option_value(options, &bestdag_checkpoint_options, "checkpoint")
            .text;
    bool is_helper = bestdag_run_helps(run);
    if (!folder || bestdag_run_status(run) ||
        (!is_helper && !bestdag_checkpoint_folder(run, folder)))
        return bestdag_run_status(run);
    struct bestdag_checkpoint *c = bestdag_calloc(run, 1, sizeof *c);
    if (!c)
        return bestdag_run_status(run);
    c->run = run;
    c->is_helper = is_helper;
    c->lock = -1;
    c->every = bestdag_option_value(options, &bestdag_checkpoint_options,
                                    "checkpoint-every")
                   .number;
    c->saved = c->ticked = bestdag_seconds();
    c->folder = bestdag_strdup(run, folder);
    run->checkpoint = c;
    hash_text(fingerprint, c->hash);
    bool is_ours = c->folder && !is_helper && !take_lock(c) && c->lock >= 0 &&
                   !claim(c, fingerprint);
    if (bestdag_communicator_of(run))
        agree(c, &is_ours);
    if (is_ours)
        set_clock(c);
    if (bestdag_run_status(run) || (is_helper ? !is_ours : c->lock < 0))
        bestdag_checkpoint_close(run);
    return bestdag_run_status(run);
}

void bestdag_checkpoint_close(struct bestdag_run *run)
{
    struct bestdag_checkpoint *c = run ? run->checkpoint : NULL;
    if (!c || c->run != run) /* a slice only borrows it */
        return;
    run->checkpoint = NULL;
    if (!bestdag_run_status(run) && c->folder && c->lock >= 0)
        save_clock(c);
    if (c->lock >= 0)
        close(c->lock);
    bestdag_free(c->folder);
    bestdag_free(c);
}

static bool is_ours(const char *name)
{
    const char *dot = strrchr(name, '.');
    return !strcmp(name, "lock") || !strcmp(name, "sets.part") ||
           (dot && (!strcmp(dot, ".checkpoint") || !strcmp(dot, ".new")));
}

void bestdag_checkpoint_remove(const char *folder)
{
    char path[PATH_MAX];
    DIR *at = folder ? opendir(folder) : NULL;
    if (!at)
        return;
    for (struct dirent *e; (e = readdir(at));)
        if (is_ours(e->d_name)) {
            snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
            unlink(path);
        }
    closedir(at);
    rmdir(folder); /* stays if the user has more in it */
}
