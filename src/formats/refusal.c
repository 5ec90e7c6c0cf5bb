/* SPDX-License-Identifier: MIT */
/* refusal.c -- names and labels that a format cannot hold. */
#include "formats/refusal.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

bool bestdag_refusal_control(const char *at)
{
    return (unsigned char)*at < ' ';
}

/* 'x', or U+0007 for a character that should not be printed. Text is valid
 * UTF-8. */
static void show_character(const char *at, char to[16])
{
    unsigned c = (unsigned char)*at;
    if (c >= ' ' && c < 0x7f) {
        snprintf(to, 16, "'%c'", *at);
        return;
    }
    int more = c < 0x80 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
    if (more)
        c &= 0x3fu >> more;
    for (int i = 1; i <= more; i++)
        c = c << 6 | ((unsigned char)at[i] & 0x3f);
    snprintf(to, 16, "U+%04X", c);
}

/* `of` says what the text is: "the name of variable 'x'". */
static int check_text(struct bestdag_run *run,
                      const struct bestdag_refusal *refusal, const char *text,
                      const char *of)
{
    if (bestdag_utf8_valid(text, strlen(text)) < strlen(text))
        return bestdag_fail(run, BESTDAG_USAGE, "%s is not UTF-8", of);
    for (const char *at = text; refusal->unfit && *at; at++)
        if (((unsigned char)*at & 0xc0) != 0x80 && refusal->unfit(at)) {
            char character[16];
            show_character(at, character);
            return bestdag_fail(run, BESTDAG_USAGE,
                                "%s has %s, which %s cannot hold (JSON can)",
                                of, character, refusal->format);
        }
    return BESTDAG_OK;
}

static int check_variable(struct bestdag_run *run,
                          const struct bestdag_refusal *refusal,
                          const struct bestdag_variable *v)
{
    char of[640];
    snprintf(of, sizeof of, "the name of variable '%.256s'", v->name);
    if (check_text(run, refusal, v->name, of) || !refusal->labels)
        return bestdag_run_status(run);
    for (int s = 0; s < v->states; s++) {
        snprintf(of, sizeof of, "state '%.256s' of variable '%.256s'",
                 v->labels[s], v->name);
        if (check_text(run, refusal, v->labels[s], of))
            return BESTDAG_USAGE;
    }
    snprintf(of, sizeof of, "a property of variable '%.256s'", v->name);
    for (int i = 0; i < v->properties; i++)
        if (check_text(run, refusal, v->property[i], of))
            return BESTDAG_USAGE;
    return BESTDAG_OK;
}

int bestdag_refusal_check(struct bestdag_run *run,
                          const struct bestdag_network *network,
                          const struct bestdag_refusal *refusal)
{
    int status = bestdag_run_status(run);
    for (int v = 0; !status && v < network->dag->n; v++)
        status = check_variable(run, refusal, &network->variable[v]);
    if (!status && refusal->labels && network->name)
        status =
            check_text(run, refusal, network->name, "the name of the network");
    for (int i = 0; !status && refusal->labels && i < network->properties; i++)
        status = check_text(run, refusal, network->property[i],
                            "a property of the network");
    return status;
}
