/* SPDX-License-Identifier: MIT */
/* resume.c -- runs that are killed, and the reports of two runs. */
#include <stdlib.h>
#include <string.h>

#include "judge.h"

/* ---- reports -------------------------------------------------------------
 */

static void cut(char *text, const char *from, char to)
{
    char *begin = text ? strstr(text, from) : NULL;
    char *end = begin ? strchr(begin, to) : NULL;
    if (end)
        memmove(begin, end, strlen(end) + 1);
}

static void cut_times(char *text)
{
    cut(text, "\"seconds\"", '}');
    cut(text, "\"peak_memory_bytes\"", ',');
    cut(text, "\"threads\"", ',');
}

bool is_same_report(const char *a, const char *b)
{
    char *x = a ? strdup(a) : NULL, *y = b ? strdup(b) : NULL;
    cut_times(x);
    cut_times(y);
    bool is_same = x && y && !strcmp(x, y);
    free(x);
    free(y);
    return is_same;
}

/* ---- checkpoints ---------------------------------------------------------
 */

static bool run_again(struct claim *c, const struct command *again)
{
    struct ending e = command_run(again, PATIENCE);
    bool fine = e.code == c->end.code && is_same_report(e.out, c->end.out);
    if (!fine)
        accuse(c, "another answer after it was killed: exit code %d: %s",
               e.code, e.err ? e.err : "");
    ending_clear(&e);
    return fine;
}

bool check_resumed(struct claim *c)
{
    struct trial *t = c->t;
    uint64_t seed = t->seed ^ 0x6b696c6c6564u;
    struct command again;
    if (t->has_time || t->has_memory || !draw_chance(&seed, .04))
        return true;
    command_copy(&again, &t->search);
    command_add(&again, "--checkpoint");
    command_add(&again, "kept");
    command_add(&again, "--checkpoint-every");
    command_add(&again, "0");
    c->tally->resumed++;
    for (int kills = draw_between(&seed, 1, 3); kills; kills--)
        command_kill(&again, draw_between(&seed, 1, 40));
    bool fine = run_again(c, &again);
    command_clear(&again);
    return fine;
}
