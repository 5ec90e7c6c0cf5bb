/* SPDX-License-Identifier: MIT */
/* command.c -- running the command as a user does. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "claims.h"

void command_add(struct command *c, const char *format, ...)
{
    char word[TEXT];
    va_list rest;
    va_start(rest, format);
    vsnprintf(word, sizeof word, format, rest);
    va_end(rest);
    if (c->count >= ARGUMENTS || !(c->word[c->count++] = strdup(word)))
        abort();
}

void command_copy(struct command *to, const struct command *from)
{
    memset(to, 0, sizeof *to);
    for (int i = 0; i < from->count; i++)
        command_add(to, "%s", from->word[i]);
}

void command_clear(struct command *c)
{
    for (int i = 0; i < c->count; i++)
        free(c->word[i]);
    memset(c, 0, sizeof *c);
}

void command_print(const struct command *c, FILE *to)
{
    for (int i = 0; i < c->count; i++)
        fprintf(to, "%s'%s'", i ? " " : "", c->word[i]);
    fprintf(to, "\n");
}

char *file_read(const char *path)
{
    FILE *from = fopen(path, "r");
    size_t length = 0, room = 1 << 16;
    char *text = from ? malloc(room) : NULL;
    while (text) {
        length += fread(text + length, 1, room - length - 1, from);
        if (length + 1 < room)
            break;
        text = realloc(text, room *= 2);
    }
    if (text)
        text[length] = 0;
    if (from)
        fclose(from);
    return text;
}

static void redirect(int to, const char *path)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0 || dup2(file, to) < 0)
        _exit(126);
    close(file);
}

static void start(const struct command *c)
{
    redirect(1, "out.json");
    redirect(2, "err.txt");
    execv(c->word[0], c->word);
    _exit(127);
}

/* True: it ended on its own. The time is generous, and only there to find what
 * never ends. */
static bool await(pid_t child, int seconds, int *status)
{
    struct timespec nap = {0, 200000};
    for (double waited = 0; waited < seconds;) {
        pid_t got = waitpid(child, status, WNOHANG);
        if (got == child)
            return true;
        nanosleep(&nap, NULL);
        waited += (double)nap.tv_nsec * 1e-9;
        if (nap.tv_nsec < 20000000)
            nap.tv_nsec += nap.tv_nsec / 4;
    }
    kill(child, SIGKILL);
    while (waitpid(child, status, 0) < 0 && errno == EINTR)
        continue;
    return false;
}

struct ending command_run(const struct command *c, int seconds)
{
    struct ending e = {0};
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        abort();
    if (!child)
        start(c);
    e.timed_out = !await(child, seconds, &status);
    e.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    e.out = file_read("out.json");
    e.err = file_read("err.txt");
    return e;
}

void command_kill(const struct command *c, int milliseconds)
{
    struct timespec nap = {0, milliseconds * 1000000L};
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        abort();
    if (!child)
        start(c);
    nanosleep(&nap, NULL);
    kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
}

void ending_clear(struct ending *e)
{
    free(e->out);
    free(e->err);
    memset(e, 0, sizeof *e);
}
