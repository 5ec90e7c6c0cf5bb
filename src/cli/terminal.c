/* SPDX-License-Identifier: MIT */
/* terminal.c -- standard error: errors, notes, summaries, the progress
 * line.
 *
 * The progress line is drawn over itself on a terminal; with --progress always
 * elsewhere, and in the log, it is a separate line, once per second. A log that
 * is a table has a row for each report. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli.h"

enum {
    USUAL = 80,      /* columns of a terminal of unknown width */
    LONGEST = 511,   /* characters of a line */
    MOST_PARTS = 16, /* of a line */
    PART_LENGTH = 64
};

void clear_line(struct cli *cli)
{
    if (cli->line_drawn)
        fputs("\r\033[K", stderr);
    cli->line_drawn = false;
}

enum { LINE = 4096 };

/* All text goes to standard error through here, except progress, which has
 * numbers only: names of files, columns and states may contain control
 * sequences. */
static void print_line(struct cli *cli, const char *before, char line[LINE])
{
    clear_line(cli);
    bestdag_text_tidy(line);
    fprintf(stderr, "%s%s\n", before, line);
}

int report_error(struct cli *cli, int status, const char *format, ...)
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

/* ---- the progress line --------------------------------------------------- */

/* A line is made of parts. If there is no room for all, those of the highest
 * rank are left out; parts of rank 0 always stay. */
struct line_part {
    char text[PART_LENGTH]; /* with the blanks before it */
    int rank;
};

struct progress_line {
    struct line_part part[MOST_PARTS];
    int count;
};

__attribute__((format(printf, 3, 4))) static void add(
    struct progress_line *line, int rank, const char *format, ...)
{
    va_list list;
    if (line->count == MOST_PARTS)
        return;
    struct line_part *part = &line->part[line->count++];
    part->rank = rank;
    va_start(list, format);
    vsnprintf(part->text, sizeof part->text, format, list);
    va_end(list);
}

static int length_of(const struct progress_line *line)
{
    int length = 0;
    for (int i = 0; i < line->count; i++)
        length += (int)strlen(line->part[i].text);
    return length;
}

static void drop(struct progress_line *line, int at)
{
    line->count--;
    for (int i = at; i < line->count; i++)
        line->part[i] = line->part[i + 1];
}

static void fit_line(struct progress_line *line, int width)
{
    while (length_of(line) > width) {
        int last = 0;
        for (int i = 1; i < line->count; i++)
            if (line->part[i].rank > line->part[last].rank)
                last = i;
        if (line->part[last].rank == 0)
            break;
        drop(line, last);
    }
}

/* "  3 of 31 variables  12,345 sets scored (1,000/s), 99 kept, 5 s left" */
static void add_scoring(const struct cli *cli,
                        const struct bestdag_progress *now,
                        struct progress_line *to)
{
    char scored[32], rate[32], kept[32];
    double spent = now->seconds - cli->phase_start;
    if (now->scored <= 0 || spent <= 0)
        return;
    if (!strcmp(now->phase, "scoring"))
        add(to, 5, "  %lld of %lld variables", (long long)now->done,
            (long long)now->total);
    add(to, 7, "  %s sets scored (%s/s)", grouped((double)now->scored, scored),
        grouped((double)now->scored / spent, rate));
    add(to, 9, ", %s kept", grouped((double)now->kept, kept));
    if (now->done > 0 && now->done < now->total)
        add(to, 6, ", %.0f s left",
            spent * (double)(now->total - now->done) / (double)now->done);
}

/* Enough decimals to show improvements, few enough for the rest of the line. */
static int decimals(double score)
{
    double size = fabs(score);
    return size < 1e3 ? 3 : size < 1e4 ? 2 : size < 1e5 ? 1 : 0;
}

/* "  best -1234.500 (3 s ago)  bound -1230.000 over 99 sets  gap 0.4 %". The
 * number of sets is shown once lists have grown: the bound may then have risen.
 */
static void add_search(const struct bestdag_progress *now,
                       struct progress_line *to)
{
    char sets[32];
    double age = now->seconds - now->improved;
    double scale = fabs(now->best) > 1 ? fabs(now->best) : 1;
    if (!isnan(now->best))
        add(to, 1, "  best %.*f", decimals(now->best), now->best);
    if (!isnan(age))
        add(to, 8, " (%.0f s ago)", age > 0 ? age : 0);
    if (isnan(now->bound))
        return;
    add(to, 2, "  bound %.*f", decimals(now->bound), now->bound);
    if (now->grown > 0)
        add(to, 4, " over %s sets", grouped((double)now->sets, sets));
    if (!isnan(now->best))
        add(to, 3, "  gap %.2g %%", 100 * (now->bound - now->best) / scale);
}

/* "orders  12.3 s  best -1234.500 (3 s ago)  bound -1230.000  gap 0.4 %  5
 * restarts  12 MB" */
static void format_progress(const struct cli *cli,
                            const struct bestdag_progress *now,
                            char to[LONGEST + 1], int width)
{
    struct progress_line line = {.count = 0};
    char number[64];
    add(&line, 0, "%s", now->phase);
    if (now->total > 0 && now->done <= now->total)
        add(&line, 5, " %3.0f %%",
            100.0 * (double)now->done / (double)now->total);
    if (!strcmp(now->phase, "resampling"))
        add(&line, 5, "  %lld of %lld resamples", (long long)now->done,
            (long long)now->total);
    add_scoring(cli, now, &line);
    add(&line, 6, "  %.1f s", now->seconds);
    add_search(now, &line);
    if (now->restarts > 0)
        add(&line, 10, "  %s",
            counted((double)now->restarts, "restart", number));
    add(&line, 11, "  %s", bytes(now->memory, number));
    fit_line(&line, width);
    int n = 0;
    for (int i = 0; i < line.count; i++)
        n += snprintf(to + n, (size_t)(LONGEST + 1 - n), "%.*s", LONGEST - n,
                      line.part[i].text);
}

/* Columns of a line; read each time, as windows are resized. The last column
 * stays free: some terminals wrap after it. */
int screen_width(int descriptor)
{
    struct winsize size;
    const char *given = getenv("COLUMNS");
    int columns = given ? (int)strtol(given, NULL, 10) : 0;
    if (!ioctl(descriptor, TIOCGWINSZ, &size) && size.ws_col > 0)
        columns = size.ws_col;
    if (columns <= 1)
        columns = USUAL;
    return columns - 1 < LONGEST ? columns - 1 : LONGEST;
}

/* Unknown numbers are left empty. */
static void write_number(FILE *to, double x)
{
    if (isnan(x))
        fputs(",", to);
    else
        fprintf(to, ",%.15g", x);
}

static void write_row(FILE *to, const struct bestdag_progress *now)
{
    fprintf(to, "%s,%.3f,%lld", now->phase, now->seconds, (long long)now->done);
    write_number(to, now->best);
    write_number(to, now->bound);
    fprintf(to, ",%lld\n", (long long)now->memory);
}

static void draw(struct cli *cli, const struct bestdag_progress *now)
{
    char line[LONGEST + 1];
    if (!*now->phase)
        return;
    if (cli->phase != now->phase) {
        cli->phase = now->phase;
        cli->phase_start = now->seconds;
        cli->next_line = 0;
    }
    bool live = cli->live && !cli->quiet;
    if (live && isatty(STDERR_FILENO)) {
        int width = screen_width(STDERR_FILENO);
        format_progress(cli, now, line, width);
        fprintf(stderr, "\r%.*s\033[K", width, line);
        fflush(stderr);
        cli->line_drawn = true;
        live = false;
    }
    bool logs = cli->log && !cli->log_is_table;
    if (cli->log_is_table)
        write_row(cli->log, now);
    if ((!live && !logs) || now->seconds < cli->next_line)
        return;
    cli->next_line = now->seconds + 1;
    format_progress(cli, now, line, LONGEST);
    if (logs)
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
    if (cli->log && !cli->log_is_table)
        fprintf(cli->log, "%.1f s  %s\n", now->seconds, now->note);
    if (now->detail <= cli->verbose)
        say(cli, "bestdag %s: %s", cli->command->name, now->note);
    return 0;
}

void start_terminal(struct cli *cli, const char *progress)
{
    cli->live = !strcmp(progress, "always") ||
                (!strcmp(progress, "auto") && isatty(STDERR_FILENO));
    bestdag_run_on_progress(cli->run, on_progress, cli);
}
