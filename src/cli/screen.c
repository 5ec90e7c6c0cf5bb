/* SPDX-License-Identifier: MIT */
/* screen.c -- standard error: complaints, notes, summaries, the progress line.
 *
 * The progress line is drawn over itself on a terminal; with --progress always
 * elsewhere, and in the log, it is a line of its own, once a second. */
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

enum { COLUMNS = 79, WHOLE = 255 }; /* of a terminal; of other lines */

void clear_line(struct cli *cli)
{
    if (cli->line_drawn)
        fputs("\r\033[K", stderr);
    cli->line_drawn = false;
}

enum { LINE = 4096 };

/* The one way of text to standard error, but for progress, which is made of
 * numbers: names of files, columns and states may hold what a terminal would
 * obey. */
static void print_line(struct cli *cli, const char *before, char line[LINE])
{
    clear_line(cli);
    bestdag_text_tidy(line);
    fprintf(stderr, "%s%s\n", before, line);
}

int complain(struct cli *cli, int status, const char *format, ...)
{
    char line[LINE], before[64];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    snprintf(before, sizeof before, "bestdag%s%s: ", cli->command ? " " : "",
             cli->command ? cli->command->name : "");
    print_line(cli, before, line);
    return status;
}

void say(struct cli *cli, const char *format, ...)
{
    char line[LINE];
    va_list list;
    if (cli->quiet)
        return;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    print_line(cli, "", line);
}

/* "1.5 GB" */
static const char *bytes(int64_t value, char to[32])
{
    static const char *const units[] = {"B", "KB", "MB", "GB", "TB"};
    double x = (double)value;
    int u = 0;
    for (; x >= 1024 && u < 4; u++)
        x /= 1024;
    snprintf(to, 32, x < 10 && u ? "%.1f %s" : "%.0f %s", x, units[u]);
    return to;
}

/* "  3 of 31 variables  12,345 sets scored (1,000/s), 99 kept, 5 s left" */
static int format_scoring(const struct cli *cli,
                          const struct bestdag_progress *now, char *to,
                          size_t room)
{
    char scored[32], rate[32], kept[32];
    double spent = now->seconds - cli->phase_start;
    int n = 0;
    if (now->scored <= 0 || spent <= 0)
        return 0;
    if (!strcmp(now->phase, "scoring"))
        n = snprintf(to, room, "  %lld of %lld variables", (long long)now->done,
                     (long long)now->total);
    n += snprintf(to + n, room - (size_t)n, "  %s sets scored (%s/s), %s kept",
                  grouped((double)now->scored, scored),
                  grouped((double)now->scored / spent, rate),
                  grouped((double)now->kept, kept));
    if (now->done > 0 && now->done < now->total && n < (int)room)
        n += snprintf(to + n, room - (size_t)n, ", %.0f s left",
                      spent * (double)(now->total - now->done) /
                          (double)now->done);
    return n;
}

/* As many decimals as tell improvements apart and leave room for the rest. */
static int decimals(double score)
{
    double size = fabs(score);
    return size < 1e3 ? 3 : size < 1e4 ? 2 : size < 1e5 ? 1 : 0;
}

/* Adds a piece to the line if it stays within `width` columns. */
static void add_piece(char to[256], int width, const char *piece)
{
    size_t n = strlen(to);
    if (*piece && n + 2 + strlen(piece) <= (size_t)width)
        snprintf(to + n, 256 - n, "  %s", piece);
}

/* "orders  12.3 s  best -1234.500 (3 s ago)  bound -1230.000  gap 0.4 %  5
 * restarts  12 MB": what matters most comes first, what has no room is left
 * out. */
static void format_search(const struct bestdag_progress *now, char to[256],
                          int width)
{
    char piece[64], number[32];
    double scale = fabs(now->best) > 1 ? fabs(now->best) : 1;
    double age = now->seconds - now->improved;
    int n = snprintf(piece, sizeof piece, "best %.*f", decimals(now->best),
                     now->best);
    if (!isnan(age))
        snprintf(piece + n, sizeof piece - (size_t)n, " (%.0f s ago)",
                 age > 0 ? age : 0);
    add_piece(to, width, piece);
    if (!isnan(now->bound)) {
        snprintf(piece, sizeof piece, "bound %.*f", decimals(now->bound),
                 now->bound);
        add_piece(to, width, piece);
        snprintf(piece, sizeof piece, "gap %.2g %%",
                 100 * (now->bound - now->best) / scale);
        add_piece(to, width, piece);
    }
    if (now->restarts > 0)
        add_piece(to, width, counted((double)now->restarts, "restart", piece));
    add_piece(to, width, bytes(now->memory, number));
}

static void format_progress(const struct cli *cli,
                            const struct bestdag_progress *now, char to[256],
                            int width)
{
    char memory[32], share[32] = "";
    if (now->total > 0 && now->done <= now->total)
        snprintf(share, sizeof share, " %3.0f %%",
                 100.0 * (double)now->done / (double)now->total);
    int n = snprintf(to, 256, "%s%s", now->phase, share);
    if (!strcmp(now->phase, "resampling"))
        n += snprintf(to + n, 256 - (size_t)n, "  %lld of %lld resamples",
                      (long long)now->done, (long long)now->total);
    n += format_scoring(cli, now, to + n, 256 - (size_t)n);
    n += snprintf(to + n, 256 - (size_t)n, "  %.1f s", now->seconds);
    if (isnan(now->best))
        snprintf(to + n, 256 - (size_t)n, "  %s", bytes(now->memory, memory));
    else
        format_search(now, to, width);
}

static void draw(struct cli *cli, const struct bestdag_progress *now)
{
    char line[256];
    if (!*now->phase)
        return;
    if (cli->phase != now->phase) {
        cli->phase = now->phase;
        cli->phase_start = now->seconds;
        cli->next_line = 0;
    }
    bool live = cli->live && !cli->quiet;
    if (live && isatty(STDERR_FILENO)) {
        format_progress(cli, now, line, COLUMNS);
        fprintf(stderr, "\r%.*s\033[K", COLUMNS, line);
        fflush(stderr);
        cli->line_drawn = true;
        live = false;
    }
    if ((!live && !cli->log) || now->seconds < cli->next_line)
        return;
    cli->next_line = now->seconds + 1;
    format_progress(cli, now, line, WHOLE);
    if (cli->log)
        fprintf(cli->log, "%s\n", line);
    if (live)
        fprintf(stderr, "%s\n", line);
}

static int on_progress(void *user, const struct bestdag_progress *now)
{
    struct cli *cli = user;
    if (!now->note) {
        draw(cli, now);
        return 0;
    }
    if (cli->log)
        fprintf(cli->log, "%.1f s  %s\n", now->seconds, now->note);
    if (now->detail <= cli->verbose)
        say(cli, "bestdag %s: %s", cli->command->name, now->note);
    return 0;
}

void start_screen(struct cli *cli, const char *progress)
{
    cli->live = !strcmp(progress, "always") ||
                (!strcmp(progress, "auto") && isatty(STDERR_FILENO));
    bestdag_run_on_progress(cli->run, on_progress, cli);
}
