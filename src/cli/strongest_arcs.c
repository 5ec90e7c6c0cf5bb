/* SPDX-License-Identifier: MIT */
/* strongest_arcs.c -- the strongest arcs of a network, in the summary. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { MOST = 10, WIDEST = 48 };

struct strong_arc {
    char text[256]; /* "fog -> horn" */
    int width;      /* characters */
    double lost;
    bool compelled;
};

/* Names may hold anything; a terminal gets no control characters. */
static int put_name(char *to, size_t room, const char *name)
{
    int n = snprintf(to, room, "%s", name);
    for (char *c = to; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
    return n < (int)room ? n : (int)room - 1;
}

static void fill(struct strong_arc *arc, const struct bestdag_json *row)
{
    int n = put_name(arc->text, 120, text_of(row, "from"));
    n += snprintf(arc->text + n, 8, " -> ");
    put_name(arc->text + n, 120, text_of(row, "to"));
    arc->width = characters(arc->text);
    arc->lost = number_of(row, "lost");
    arc->compelled = number_of(row, "compelled") > 0;
}

/* The rank of a row among the strongest so far, which are shifted. */
static int make_place(double *lost, int count, double x)
{
    int at = count;
    for (; at > 0 && lost[at - 1] < x; at--)
        if (at < MOST)
            lost[at] = lost[at - 1];
    return at;
}

/* Ties are won by the first row; rows without a strength are skipped. */
static int choose(const struct bestdag_json *rows,
                  const struct bestdag_json *best[MOST])
{
    double lost[MOST + 1];
    int count = 0;
    for (int64_t i = 0; i < bestdag_json_count(rows); i++) {
        const struct bestdag_json *row = bestdag_json_at(rows, i);
        double x = number_of(row, "lost");
        int at = isnan(x) ? MOST : make_place(lost, count, x);
        if (at >= MOST)
            continue;
        count += count < MOST;
        for (int k = count - 1; k > at; k--)
            best[k] = best[k - 1];
        lost[at] = x;
        best[at] = row;
    }
    return count;
}

/* Notes rules that were ignored when arcs were called reversible. */
static void say_ignored(struct cli *cli, const struct strong_arc *arc,
                        int count, const struct bestdag_json *report)
{
    const struct bestdag_json *rules =
        bestdag_json_get(report, "reversible_ignores");
    char all[64];
    int i = 0;
    while (i < count && arc[i].compelled)
        i++;
    if (i < count && bestdag_json_count(rules))
        say(cli,
            "reversibility ignores %s that concern%s more than arcs, tiers and "
            "orders",
            counted((double)bestdag_json_count(rules), "rule", all),
            bestdag_json_count(rules) > 1 ? "" : "s");
}

void say_strongest(struct cli *cli, const struct bestdag_json *report)
{
    const struct bestdag_json *best[MOST];
    const struct bestdag_json *rows = bestdag_json_get(report, "strengths");
    struct strong_arc arc[MOST];
    char all[64];
    int width = 0, count = choose(rows, best);
    if (!count)
        return;
    for (int i = 0; i < count; i++) {
        fill(&arc[i], best[i]);
        if (arc[i].width > width && arc[i].width <= WIDEST)
            width = arc[i].width;
    }
    say(cli, "%s%s, by the score lost without %s:",
        count < bestdag_json_count(rows) ? "strongest of " : "",
        counted((double)bestdag_json_count(rows), "arc", all),
        count > 1 ? "them" : "it");
    for (int i = 0; i < count; i++)
        say(cli, "  %s%*s %10.3f  %s", arc[i].text,
            arc[i].width < width ? width - arc[i].width : 0, "", arc[i].lost,
            arc[i].compelled ? "compelled" : "reversible");
    say_ignored(cli, arc, count, report);
}
