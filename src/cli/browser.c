/* SPDX-License-Identifier: MIT */
/* browser.c -- opens a page in the user's browser.
 *
 * $BROWSER names it: commands separated by ':', of which the first that starts
 * is used; %s in one stands for the page, else it comes last. Without $BROWSER
 * it is xdg-open (open on macOS). Where none starts, or it fails at once, the
 * path of the page is printed. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

enum {
    MOST_WORDS = 32,
    WORDS_ROOM = 4096,
    POLLS = 60 /* 20 ms each: a browser that cannot start ends by then */
};

#ifdef __APPLE__
static const char usual_browser[] = "open";
#else
static const char usual_browser[] = "xdg-open";
#endif

/* A command line as words, stored in `room`. */
struct command_words {
    char *at[MOST_WORDS + 2];
    char room[WORDS_ROOM];
};

/* Splits text[0..n) at blanks, and inserts the page; false: too long, or no
 * word. */
static bool split(const char *text, size_t n, char *page,
                  struct command_words *to)
{
    int count = 0;
    bool has_page = false;
    if (n >= sizeof to->room)
        return false;
    memcpy(to->room, text, n);
    to->room[n] = 0;
    for (char *save = NULL, *word = strtok_r(to->room, " \t", &save); word;
         word = strtok_r(NULL, " \t", &save)) {
        bool is_page = !strcmp(word, "%s");
        if (count == MOST_WORDS)
            return false;
        to->at[count++] = is_page ? page : word;
        has_page |= is_page;
    }
    if (!count)
        return false;
    if (!has_page)
        to->at[count++] = page;
    to->at[count] = NULL;
    return true;
}

/* In the child: becomes the browser, or tells the parent why it cannot. */
static void become(char **words, int failure)
{
    int nowhere = open("/dev/null", O_RDWR);
    setsid(); /* the browser outlives the terminal */
    for (int i = 0; nowhere >= 0 && i <= STDERR_FILENO; i++)
        dup2(nowhere, i);
    execvp(words[0], words);
    int error = errno;
    ssize_t n = write(failure, &error, sizeof error);
    _exit(n > 0 ? 127 : 126);
}

/* Is the browser still running, or has it ended without an error? */
static bool has_started(pid_t child)
{
    struct timespec look = {.tv_nsec = 20000000};
    for (int i = 0; i < POLLS; i++) {
        int status;
        pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child)
            return WIFEXITED(status) && !WEXITSTATUS(status);
        if (ended < 0 && errno != EINTR)
            return false;
        nanosleep(&look, NULL);
    }
    return true;
}

static bool start(char **words)
{
    int ends[2], error;
    if (pipe(ends))
        return false;
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t child = fork();
    if (!child)
        become(words, ends[1]);
    close(ends[1]);
    bool is_started = child > 0 && read(ends[0], &error, sizeof error) == 0;
    close(ends[0]);
    if (child > 0 && !is_started)
        waitpid(child, NULL, 0);
    return is_started && has_started(child);
}

/* Tries the commands of a list one after the other. */
static bool start_one(const char *list, char *page)
{
    struct command_words words;
    while (*list) {
        size_t n = strcspn(list, ":");
        if (split(list, n, page, &words) && start(words.at))
            return true;
        list += n + (list[n] == ':');
    }
    return false;
}

int open_in_browser(struct cli *cli, const char *path, FILE *to)
{
    const char *browser = getenv("BROWSER");
    char page[PATH_MAX];
    if (!realpath(path, page))
        return report_error(cli, BESTDAG_FAILED, "cannot read '%s': %s", path,
                            strerror(errno));
    fflush(NULL);
    if (start_one(browser ? browser : usual_browser, page))
        say(cli, "opened %s", page);
    else {
        say(cli, "no browser could be started; open this page in one:");
        fprintf(to, "%s\n", page);
    }
    return BESTDAG_OK;
}

int make_page_path(struct cli *cli, char to[PATH_MAX])
{
    const char *folder = getenv("TMPDIR");
    int n = snprintf(to, PATH_MAX, "%s/bestdag-XXXXXX",
                     folder && *folder ? folder : "/tmp");
    if (n >= PATH_MAX - 32)
        return report_error(cli, BESTDAG_FAILED,
                            "the path of TMPDIR is too long");
    if (!mkdtemp(to))
        return report_error(cli, BESTDAG_FAILED,
                            "cannot make a folder '%s': %s", to,
                            strerror(errno));
    strcat(to, "/network.html");
    return BESTDAG_OK;
}
