/* SPDX-License-Identifier: MIT */
/* paths.c -- checks the files that a command line names before any of them is
 * opened: no output may overwrite an input or another output, and every output
 * must be writable.
 *
 * Two paths are the same file if they lead to the same inode, or, if the file
 * does not exist yet, to the same name in the same folder. Only regular files
 * count: devices and pipes are never the same. A network that is read may be
 * replaced by the network that -o writes, as that is renamed into place.
 *
 * Roles come from the tables: the library's options, the own options in
 * arguments.c, and the words of cli_command.arguments. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

/* A file that is named on the command line, or implied by one (FILE.names). */
struct checked_path {
    char option[48];    /* "-o", "--log", "DATA" */
    const char *beside; /* suffix of an implied file, or "" */
    char path[PATH_MAX];
    bool is_written;
    bool is_result;  /* of -o, or implied by it */
    bool is_network; /* an input that -o may replace */
    bool is_regular; /* or does not exist yet */
    bool exists;     /* then `device` and `inode` are its own, else those of its
                        folder */
    dev_t device;
    ino_t inode;
    char name[NAME_MAX + 1]; /* in the folder, if it does not exist yet */
    int error;               /* why it cannot be written, or 0 */
};

struct checked_paths {
    struct checked_path *at; /* owns */
    int count, room;
    bool failed; /* out of memory */
};

/* Words of cli_command.arguments that name files. */
static const struct {
    const char *word;
    bool is_network;
    const char *beside;
} arguments[] = {{"DATA", false, NULL},      {"SCORES", false, ".json"},
                 {"CERT", false, NULL},      {"NET", true, ".names"},
                 {"TRUTH", false, ".names"}, {"LEARNED", false, ".names"},
                 {"MODEL", false, ".names"}};

/* ---- resolving a path --------------------------------------------------- */

/* Follows dangling links; the last name need not exist. */
static int follow(char path[PATH_MAX])
{
    for (int links = 0; links < 40; links++) {
        char target[PATH_MAX], joined[2 * PATH_MAX];
        ssize_t n = readlink(path, target, sizeof target - 1);
        if (n < 0)
            return errno == EINVAL || errno == ENOENT ? 0 : errno;
        target[n] = 0;
        const char *slash = strrchr(path, '/');
        int folder = *target == '/' || !slash ? 0 : (int)(slash - path) + 1;
        int length =
            snprintf(joined, sizeof joined, "%.*s%s", folder, path, target);
        if (length >= PATH_MAX)
            return ENAMETOOLONG;
        memcpy(path, joined, (size_t)length + 1);
    }
    return ELOOP;
}

/* The folder of a path, "." or "/" included. */
static void folder_of(const char *path, char to[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        strcpy(to, ".");
    else
        snprintf(to, PATH_MAX, "%.*s", slash == path ? 1 : (int)(slash - path),
                 path);
}

/* Can a file be created in this folder? 0 or an errno. */
static int check_folder(const char *folder, struct stat *info)
{
    if (stat(folder, info))
        return errno;
    if (!S_ISDIR(info->st_mode))
        return ENOTDIR;
    return faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) ? errno : 0;
}

/* A file that does not exist. */
static void locate_new(struct checked_path *p)
{
    char path[PATH_MAX], folder[PATH_MAX];
    struct stat info;
    strcpy(path, p->path);
    p->error = follow(path);
    if (p->error)
        return;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    folder_of(path, folder);
    p->error = check_folder(folder, &info);
    if (!p->error && (!*name || !strcmp(name, ".") || !strcmp(name, "..")))
        p->error = EISDIR;
    if (!p->error && strlen(name) > NAME_MAX)
        p->error = ENAMETOOLONG;
    if (p->error && p->error != EACCES && p->error != EROFS)
        return;
    p->is_regular = true;
    p->device = info.st_dev;
    p->inode = info.st_ino;
    strcpy(p->name, name);
}

/* An existing file: can it be replaced, or written if it is not regular? 0 or
 * an errno. */
static int check_old(const struct checked_path *p, mode_t mode)
{
    bool is_log = !strcmp(p->option, "--log"); /* appended to, not renamed */
    char path[PATH_MAX], folder[PATH_MAX];
    struct stat info;
    if (S_ISDIR(mode))
        return EISDIR;
    if (faccessat(AT_FDCWD, p->path, W_OK, AT_EACCESS))
        return errno;
    if (!S_ISREG(mode) || is_log || !realpath(p->path, path))
        return 0;
    folder_of(path, folder);
    return check_folder(folder, &info);
}

static void locate(struct checked_path *p)
{
    struct stat info;
    bool is_stream = !strcmp(p->path, "-");
    int failed =
        is_stream ? fstat(p->is_written ? STDOUT_FILENO : STDIN_FILENO, &info)
                  : stat(p->path, &info);
    if (failed && is_stream)
        return;
    if (failed && errno == ENOENT) {
        locate_new(p);
        return;
    }
    p->error = failed ? errno : 0;
    if (failed)
        return;
    p->exists = true;
    p->is_regular = S_ISREG(info.st_mode);
    p->device = info.st_dev;
    p->inode = info.st_ino;
    if (p->is_written && !is_stream)
        p->error = check_old(p, info.st_mode);
}

static bool is_same(const struct checked_path *a, const struct checked_path *b)
{
    return a->is_regular && b->is_regular && a->exists == b->exists &&
           a->device == b->device && a->inode == b->inode &&
           (a->exists || !strcmp(a->name, b->name));
}

/* ---- gathering ----------------------------------------------------------- */

/* `path` without .gz or .zst, and with `beside` added. */
static void name_beside(struct checked_path *p, const char *path,
                        const char *beside)
{
    size_t n = strlen(path);
    if (*beside && n > 3 && !strcmp(path + n - 3, ".gz"))
        n -= 3;
    else if (*beside && n > 4 && !strcmp(path + n - 4, ".zst"))
        n -= 4;
    p->error = n + strlen(beside) >= PATH_MAX ? ENAMETOOLONG : 0;
    snprintf(p->path, sizeof p->path, "%.*s%s", (int)n, path, beside);
}

/* `like` has option, is_written, is_result and is_network. */
static void add_place(struct checked_paths *all, struct checked_path like,
                      const char *path, const char *beside)
{
    if (*beside && !strcmp(path, "-"))
        return;
    if (all->count == all->room) {
        int room = 2 * all->room + 8;
        struct checked_path *at = realloc(all->at, (size_t)room * sizeof *at);
        all->failed |= !at;
        if (!at)
            return;
        all->at = at;
        all->room = room;
    }
    like.beside = beside;
    name_beside(&like, path, beside);
    if (!like.error)
        locate(&like);
    all->at[all->count++] = like;
}

static void add_argument(struct checked_paths *all, const struct cli *cli,
                         const char *word, const char *path)
{
    bool writes_network =
        cli->command->takes & (TAKES_NETWORK_FORMAT | TAKES_STRUCTURE_FORMAT);
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        if (strcmp(arguments[i].word, word) != 0)
            continue;
        struct checked_path like = {.is_network = arguments[i].is_network &&
                                                  writes_network};
        strcpy(like.option, arguments[i].word);
        add_place(all, like, path, "");
        if (arguments[i].beside)
            add_place(all, like, path, arguments[i].beside);
    }
}

static void add_arguments(struct checked_paths *all, const struct cli *cli)
{
    const char *words = cli->command->arguments;
    char word[64];
    for (int i = 0; i < cli->files && next_word(&words, word); i++) {
        char *name = word + (*word == '[');
        name[strcspn(name, "]")] = 0;
        add_argument(all, cli, name, cli->file[i]);
    }
}

static void add_result(struct checked_paths *all, const struct cli *cli)
{
    struct checked_path like = {
        .option = "-o", .is_written = true, .is_result = true};
    const char *strengths = setting_text(cli, "strengths");
    bool is_network =
        cli->command->takes & (TAKES_NETWORK_FORMAT | TAKES_STRUCTURE_FORMAT);
    bool is_sets = !strcmp(cli->command->name, "score");
    bool is_for_strengths = strengths && !strcmp(strengths, "-");
    bool has_default =
        (cli->command->takes & TAKES_OUTPUT) && !cli->json && !is_for_strengths;
    if (!cli->output_given && !has_default)
        return;
    add_place(all, like, cli->output, "");
    if (is_network)
        add_place(all, like, cli->output, ".names");
    if (is_sets) {
        add_place(all, like, cli->output, ".json");
        add_place(all, like, cli->output, ".part");
    }
}

static void add_option(struct checked_paths *all, const struct cli_setting *s,
                       const char *value)
{
    struct checked_path like = {.is_written = !strcmp(s->role, "output"),
                                .is_network = !strcmp(s->key, "start")};
    snprintf(like.option, sizeof like.option, "--%s", s->key);
    add_place(all, like, value, "");
    if (!strcmp(s->key, "save-scores"))
        add_place(all, like, value, ".json");
}

/* ---- checks -------------------------------------------------------------- */

static const char *describe(const struct checked_path *p, char to[2 * PATH_MAX])
{
    if (*p->beside)
        snprintf(to, 2 * PATH_MAX, "'%s' next to %s", p->path, p->option);
    else if (strcmp(p->option, "--json") != 0)
        snprintf(to, 2 * PATH_MAX, "%s '%s'", p->option, p->path);
    else
        snprintf(to, 2 * PATH_MAX, "%s", p->option);
    return to;
}

static bool is_stream(const struct checked_path *p)
{
    return !strcmp(p->path, "-") && strcmp(p->option, "--log") != 0 &&
           strcmp(p->option, "--part") != 0;
}

static int check_pair(struct cli *cli, const struct checked_path *a,
                      const struct checked_path *b)
{
    char one[2 * PATH_MAX], other[2 * PATH_MAX];
    if (!a->is_written && !b->is_written)
        return is_stream(a) && is_stream(b)
                   ? report_error(
                         cli, BESTDAG_USAGE,
                         "%s and %s: standard input can be read only once",
                         a->option, b->option)
                   : BESTDAG_OK;
    if (a->is_written && b->is_written && is_stream(a) && is_stream(b))
        return report_error(cli, BESTDAG_USAGE,
                            "%s and %s would both go to standard output",
                            a->option, b->option);
    if (!is_same(a, b) || (a->is_network && b->is_result))
        return BESTDAG_OK;
    if (a->is_written)
        return report_error(
            cli, BESTDAG_USAGE,
            "%s and %s are the same file: one would destroy the "
            "other",
            describe(a, one), describe(b, other));
    return report_error(
        cli, BESTDAG_USAGE,
        "%s and %s are the same file: the input would be destroyed",
        describe(b, one), describe(a, other));
}

static int check_pairs(struct cli *cli, const struct checked_paths *all)
{
    for (int i = 0; i < all->count; i++)
        for (int j = i + 1; j < all->count; j++) {
            const struct checked_path *a = &all->at[i], *b = &all->at[j];
            int status = a->is_written && !b->is_written
                             ? check_pair(cli, b, a)
                             : check_pair(cli, a, b);
            if (status)
                return status;
        }
    return BESTDAG_OK;
}

/* Implied files are only written when needed: only .json always is. */
static int check_writable(struct cli *cli, const struct checked_paths *all)
{
    for (int i = 0; i < all->count; i++) {
        const struct checked_path *p = &all->at[i];
        bool is_sure = !*p->beside || !strcmp(p->beside, ".json");
        if (p->is_written && p->error && is_sure)
            return report_error(cli, BESTDAG_FAILED, "cannot write '%s': %s",
                                p->path, strerror(p->error));
    }
    return BESTDAG_OK;
}

/* The folder of --checkpoint is created if it does not exist. */
static int check_kept(struct cli *cli)
{
    const char *path = setting_text(cli, "checkpoint");
    char folder[PATH_MAX];
    struct stat info;
    if (!path || strlen(path) >= PATH_MAX)
        return BESTDAG_OK;
    strcpy(folder, path);
    for (size_t n = strlen(folder); n > 1 && folder[n - 1] == '/'; n--)
        folder[n - 1] = 0;
    if (stat(folder, &info) && errno == ENOENT)
        folder_of(path, folder);
    int error = check_folder(folder, &info);
    return error ? report_error(cli, BESTDAG_FAILED,
                                "checkpoint: cannot write in '%s': %s", path,
                                strerror(error))
                 : BESTDAG_OK;
}

/* The last value of an option counts; --constraints accumulate. */
int note_file(struct cli *cli, const struct cli_setting *s, const char *path)
{
    int i = strcmp(s->key, "constraints") ? 0 : cli->named_files;
    while (i < cli->named_files && cli->named_file[i].setting != s)
        i++;
    if (i == cli->named_files) {
        struct named_file *grown =
            realloc(cli->named_file, ((size_t)i + 1) * sizeof *grown);
        if (!grown)
            return report_error(cli, BESTDAG_MEMORY, "out of memory");
        cli->named_file = grown;
        cli->named_files++;
    }
    cli->named_file[i] = (struct named_file){s, path};
    return BESTDAG_OK;
}

static bool is_compressed(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (!strcmp(dot, ".gz") || !strcmp(dot, ".zst"));
}

int check_paths(struct cli *cli)
{
    struct checked_paths all = {0};
    struct checked_path json = {.option = "--json", .is_written = true};
    add_arguments(&all, cli);
    for (int i = 0; i < cli->named_files; i++)
        add_option(&all, cli->named_file[i].setting, cli->named_file[i].path);
    add_result(&all, cli);
    if (cli->json)
        add_place(&all, json, "-", "");
    int status = all.failed ? report_error(cli, BESTDAG_MEMORY, "out of memory")
                            : check_pairs(cli, &all);
    if (!status && cli->explore && cli->page && !strcmp(cli->page, "-"))
        status =
            report_error(cli, BESTDAG_USAGE,
                         "--explore opens a file, and --report - writes to "
                         "standard output");
    if (!status && cli->explore && cli->page && is_compressed(cli->page))
        status =
            report_error(cli, BESTDAG_USAGE,
                         "--explore opens the page, and a browser does not "
                         "open the compressed '%s'",
                         cli->page);
    bool writes = !bestdag_run_rank(cli->run);
    if (!status && writes)
        status = check_writable(cli, &all);
    if (!status && writes)
        status = check_kept(cli);
    free(all.at);
    return status;
}
