/* SPDX-License-Identifier: MIT */
/* picture.c -- pictures of networks, drawn by the program `dot` of Graphviz.
 *
 * The graph is passed as a file that exists only in memory, so that we need not
 * write to one pipe while reading others; the picture and the errors come out
 * on two pipes that are polled together. The picture is kept in memory until
 * `dot` has succeeded, so that nothing is written if it fails. No shell is
 * involved.
 *
 * A stop of the run gives `dot` a grace of two seconds and then ends it: a
 * network found within a time limit can still be drawn. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "formats/dot.h"
#include "formats/format.h"

extern char **environ;

enum { CHUNK = 64 * 1024, MOST_ERRORS = 16 * 1024, WAIT_MS = 50 };
static const double grace = 2; /* seconds */

enum { GRAPH, PICTURE, ERRORS }; /* standard input, output, error of dot */

struct drawing {
    struct bestdag_run *run;
    int inner[3]; /* what dot gets; -1: closed */
    int outer[3]; /* our ends of the pipes; -1: closed */
    pid_t child;
    double deadline; /* of dot; 0: the run has not been stopped */
    bool ended;      /* by us, because it took too long */
    struct bestdag_buffer picture, errors;
};

static int cannot(struct drawing *d, const char *what, int error)
{
    return bestdag_fail(d->run, BESTDAG_FAILED, "cannot draw: %s: %s", what,
                        strerror(error));
}

static void close_file(int *file)
{
    if (*file >= 0)
        close(*file);
    *file = -1;
}

/* Moves a descriptor away from 0, 1 and 2, which dot's own files replace one by
 * one. */
static int above_standard_files(int file)
{
    if (file < 0 || file > 2)
        return file;
    int lifted = fcntl(file, F_DUPFD_CLOEXEC, 3);
    close(file);
    return lifted;
}

static int open_pipe(struct drawing *d, int which)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return cannot(d, "pipe", errno);
    d->outer[which] = above_standard_files(ends[0]);
    d->inner[which] = above_standard_files(ends[1]);
    return d->outer[which] < 0 || d->inner[which] < 0 ? cannot(d, "pipe", errno)
                                                      : BESTDAG_OK;
}

static int store_graph(struct drawing *d, const char *text, size_t n)
{
    d->inner[GRAPH] = above_standard_files(memfd_create("graph", MFD_CLOEXEC));
    if (d->inner[GRAPH] < 0)
        return cannot(d, "memory file", errno);
    while (n) {
        ssize_t done = write(d->inner[GRAPH], text, n);
        if (done < 0 && errno != EINTR)
            return cannot(d, "memory file", errno);
        text += done > 0 ? done : 0;
        n -= done > 0 ? (size_t)done : 0;
    }
    return lseek(d->inner[GRAPH], 0, SEEK_SET) ? cannot(d, "seek", errno)
                                               : BESTDAG_OK;
}

/* ---- the child ----------------------------------------------------------- */

/* Runs in its own process group: an interrupt from the keyboard is for us, and
 * we can end all that `dot` may have started. */
static int spawn(struct drawing *d, const char *type)
{
    char option[16] = "-T";
    char *words[] = {"dot", strncat(option, type, 8), NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    if (posix_spawn_file_actions_init(&files))
        return cannot(d, "dot", ENOMEM);
    if (posix_spawnattr_init(&how)) {
        posix_spawn_file_actions_destroy(&files);
        return cannot(d, "dot", ENOMEM);
    }
    int error = posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
    for (int i = 0; !error && i < 3; i++)
        error = posix_spawn_file_actions_adddup2(&files, d->inner[i], i);
    if (!error)
        error = posix_spawnp(&d->child, words[0], &files, &how, words, environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    if (error == ENOENT)
        return bestdag_fail(
            d->run, BESTDAG_FAILED,
            "drawing needs Graphviz: install the package graphviz (apt-get "
            "install graphviz), or write .dot");
    return error ? cannot(d, "dot", error) : BESTDAG_OK;
}

/* Ends the child if the run was stopped a while ago. */
static void end_if_stopped(struct drawing *d)
{
    bool stopped = bestdag_run_watch(d->run, (int64_t)d->picture.length);
    double now = bestdag_seconds();
    if (stopped && d->deadline <= 0)
        d->deadline = now + grace;
    if (d->ended || d->deadline <= 0 ||
        (now < d->deadline && !bestdag_run_status(d->run)))
        return;
    d->ended = true;
    kill(-d->child, SIGKILL);
}

static void drain(struct drawing *d, int which)
{
    char chunk[CHUNK];
    struct bestdag_buffer *to = which == PICTURE ? &d->picture : &d->errors;
    ssize_t n = read(d->outer[which], chunk, sizeof chunk);
    if (n > 0 && (which == PICTURE || to->length < MOST_ERRORS))
        bestdag_buffer_add(to, chunk, (size_t)n);
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
        close_file(&d->outer[which]);
}

static void collect(struct drawing *d)
{
    while ((d->outer[PICTURE] >= 0 || d->outer[ERRORS] >= 0) && !d->ended) {
        struct pollfd wait[3] = {
            [PICTURE] = {.fd = d->outer[PICTURE], .events = POLLIN},
            [ERRORS] = {.fd = d->outer[ERRORS], .events = POLLIN},
        };
        wait[GRAPH].fd = -1;
        poll(wait, 3, WAIT_MS);
        for (int i = PICTURE; i <= ERRORS; i++)
            if (wait[i].fd >= 0 && wait[i].revents)
                drain(d, i);
        end_if_stopped(d);
    }
}

/* The status of wait(), 0 if another caller has taken it. */
static int await(struct drawing *d)
{
    int status = 0;
    pid_t got;
    while ((got = waitpid(d->child, &status, WNOHANG)) == 0 ||
           (got < 0 && errno == EINTR)) {
        end_if_stopped(d);
        poll(NULL, 0, 5);
    }
    return got < 0 ? 0 : status;
}

static int check_status(struct drawing *d, int status)
{
    const char *words = d->errors.length ? d->errors.at : "";
    int line = (int)strcspn(words, "\r\n");
    if (bestdag_run_status(d->run))
        return bestdag_run_status(d->run);
    if (d->ended)
        return bestdag_fail(d->run, BESTDAG_FAILED,
                            "stopped before Graphviz had drawn the picture; "
                            ".dot can be written without it");
    if (WIFSIGNALED(status))
        return bestdag_fail(d->run, BESTDAG_FAILED,
                            "Graphviz was ended by signal %d",
                            WTERMSIG(status));
    if (WEXITSTATUS(status) || !d->picture.length)
        return bestdag_fail(d->run, BESTDAG_FAILED,
                            "Graphviz failed with exit code %d%s%.*s",
                            WEXITSTATUS(status), line ? ": " : "", line, words);
    if (line)
        bestdag_note(d->run, 1, "Graphviz: %.*s", line, words);
    return BESTDAG_OK;
}

/* ---- drawing ------------------------------------------------------------- */

static int run_dot(struct drawing *d, const char *type)
{
    if (open_pipe(d, PICTURE) || open_pipe(d, ERRORS) || spawn(d, type))
        return bestdag_run_status(d->run);
    for (int i = 0; i < 3; i++)
        close_file(&d->inner[i]);
    collect(d);
    return check_status(d, await(d));
}

struct subject {
    const struct bestdag_network *network;
    const struct bestdag_pdag *pdag; /* NULL: the network itself */
};

static char *describe(struct bestdag_run *run, struct subject s, size_t *size)
{
    struct bestdag_sink *sink = bestdag_sink_memory(run);
    if (!sink)
        return NULL;
    bestdag_dot_write(run, s.network, s.pdag, sink);
    char *text = bestdag_sink_take(sink, size);
    bestdag_sink_close(sink);
    return text;
}

static void draw(struct bestdag_run *run, const char *type, struct subject s,
                 struct bestdag_sink *to)
{
    struct drawing d = {.run = run,
                        .inner = {-1, -1, -1},
                        .outer = {-1, -1, -1},
                        .picture = {.run = run},
                        .errors = {.run = run}};
    size_t size;
    if (bestdag_run_status(run))
        return;
    bestdag_run_phase(run, "drawing", 0);
    char *text = describe(run, s, &size);
    if (text && !store_graph(&d, text, size) && !run_dot(&d, type))
        bestdag_sink_write(to, d.picture.at, d.picture.length);
    for (int i = 0; i < 3; i++) {
        close_file(&d.inner[i]);
        close_file(&d.outer[i]);
    }
    bestdag_buffer_release(&d.picture);
    bestdag_buffer_release(&d.errors);
    bestdag_free(text);
}

static void write_svg(struct bestdag_run *run,
                      const struct bestdag_network *network,
                      struct bestdag_sink *to)
{
    draw(run, "svg", (struct subject){network, NULL}, to);
}

static void write_svg_class(struct bestdag_run *run,
                            const struct bestdag_network *network,
                            const struct bestdag_pdag *pdag,
                            struct bestdag_sink *to)
{
    draw(run, "svg", (struct subject){network, pdag}, to);
}

static void write_png(struct bestdag_run *run,
                      const struct bestdag_network *network,
                      struct bestdag_sink *to)
{
    draw(run, "png", (struct subject){network, NULL}, to);
}

static void write_png_class(struct bestdag_run *run,
                            const struct bestdag_network *network,
                            const struct bestdag_pdag *pdag,
                            struct bestdag_sink *to)
{
    draw(run, "png", (struct subject){network, pdag}, to);
}

const struct bestdag_format bestdag_format_svg = {
    .name = "svg",
    .suffixes = "svg",
    .help = "picture, drawn by Graphviz",
    .keeps = BESTDAG_KEEPS_PICTURE,
    .write = write_svg,
    .write_class = write_svg_class,
};

const struct bestdag_format bestdag_format_png = {
    .name = "png",
    .suffixes = "png",
    .help = "raster picture, drawn by Graphviz",
    .keeps = BESTDAG_KEEPS_PICTURE,
    .write = write_png,
    .write_class = write_png_class,
};
