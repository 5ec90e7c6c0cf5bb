/* SPDX-License-Identifier: MIT */
/* html_report.c -- --report: writes the HTML report, with the command line that
 * made it. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* Quoted for a shell if need be. */
static void put_word(FILE *to, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRST"
                                "UVWXYZ0123456789_-+=./:,@%";
    if (*word && word[strspn(word, plain)] == 0) {
        fputs(word, to);
        return;
    }
    fputc('\'', to);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", to);
        else
            fputc(*word, to);
    fputc('\'', to);
}

char *command_line(struct cli *cli)
{
    char *line = NULL;
    size_t size;
    FILE *to = open_memstream(&line, &size);
    if (to) {
        fputs("bestdag", to);
        for (int i = 1; i < cli->words; i++) {
            fputc(' ', to);
            put_word(to, cli->word[i]);
        }
    }
    if (to && !fclose(to))
        return line;
    free(line);
    report_error(cli, BESTDAG_MEMORY, "out of memory");
    return NULL;
}

static int note_origin(struct cli *cli, struct bestdag_result *result)
{
    const char *path = cli->file[0], *slash = strrchr(path, '/');
    bool is_named = strcmp(path, "-") != 0;
    char *line = command_line(cli);
    int status = line ? bestdag_result_note(cli->run, result, "command", line)
                      : BESTDAG_MEMORY;
    free(line);
    if (!status)
        status = bestdag_result_note(cli->run, result, "data",
                                     is_named ? path : "standard input");
    if (!status && is_named)
        status = bestdag_result_note(cli->run, result, "title",
                                     slash ? slash + 1 : path);
    return status;
}

int write_page(struct cli *cli, struct bestdag_result *result)
{
    char own[PATH_MAX];
    const char *page = cli->page;
    if (!page && !cli->explore)
        return BESTDAG_OK;
    int status = note_origin(cli, result);
    if (!status && !page) {
        status = make_page_path(cli, own);
        page = own;
    }
    if (!status)
        status = bestdag_result_write(cli->run, result, "report", page);
    /* Standard output may be the network's. */
    return !status && cli->explore ? open_in_browser(cli, page, stderr)
                                   : status;
}
