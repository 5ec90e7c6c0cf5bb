/* SPDX-License-Identifier: MIT */
/* cli.h -- the command line: shared by all commands.
 *
 * A command is one row of `struct cli_command` in its own file. Its options are
 * names of rows of the library's table (bestdag_list "options"), joined with
 * the few that are about the command line itself; parsing, --help, man pages
 * and completion all come from that one list. */
#ifndef BESTDAG_CLI_CLI_H
#define BESTDAG_CLI_CLI_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "bestdag.h"

enum {                           /* command.takes */
       TAKES_OUTPUT = 1,         /* -o FILE */
       TAKES_NETWORK_FORMAT = 2, /* -O FORMAT, of one of these four */
       TAKES_TABLE_FORMAT = 4,
       TAKES_CLASS_FORMAT = 8,
       TAKES_JSON = 16,
       TAKES_STRUCTURE_FORMAT = 32,
       TAKES_RULES = 64,            /* --constraints, --require, --forbid */
       TAKES_PARAMETER_RULES = 128, /* --constraints alone */
       TAKES_REPORT = 256,          /* --report FILE, --explore */
       TAKES_ANSWER_FORMAT = 512,   /* -O FORMAT of a table for programs */
       TAKES_PAGE = 1024,           /* -o FILE, of a page */
       TAKES_AVAILABLE = 2048,      /* --missing available */
       TAKES_EM = 4096              /* --missing em */
};

struct cli;

/* A library option that has another key in a command. */
struct renamed_option {
    const char *option; /* "group.key" */
    const char *key, *help;
};
/* In learn and bootstrap --pseudo and --ess belong to the score: the options of
 * fitting have longer keys. */
extern const struct renamed_option fit_renamed[];

struct cli_command {
    const char *name;
    const char *summary;   /* one line */
    const char *arguments; /* "DATA NET" */
    int least, most;       /* number of arguments */
    /* Library options: keys, and "@group" for a whole group. */
    const char *options;
    unsigned takes;
    /* Paragraphs separated by empty lines; the first also opens the short
     * help. */
    const char *about;
    /* Keys of the options in the short help, in its order; NULL: the full help
     * fits on two screens of 24 lines. */
    const char *common;
    const char *const *examples; /* command lines; ends in NULL */
    int (*run)(struct cli *cli);
    const char *lists;   /* tables of the library shown in the help: names */
    const char *missing; /* default of --missing in this command, or NULL */
    const struct renamed_option *renamed; /* ends in NULL; or NULL */
};

struct cli_setting {
    const char *key, *group, *type, *fallback, *choices, *value, *help;
    double least, most;
    char letter;
    const char *option; /* its key in the library, if different; else NULL */
    const char *solver; /* whose --set it is, or NULL */
    const char *list;   /* the library's list whose names are values, or NULL */
    const char *role;   /* of a file: input, output or folder; else NULL */
    const char *given;  /* the value on the command line, or NULL */
};

enum { MOST_SETTINGS = 96, MOST_FILES = 8 };

/* A file that an option names. */
struct named_file {
    const struct cli_setting *setting;
    const char *path;
};

/* One of --constraints, --require and --forbid. */
struct rule_given {
    const char *key, *value;
};

struct cli {
    struct bestdag_run *run;
    struct bestdag_options *options;
    struct bestdag_rules *rules; /* NULL: none were given */
    struct rule_given *rule;     /* owns; in the order of the command line */
    int rules_given;
    const struct cli_command *command;
    struct bestdag_json *table; /* the library's options; backs setting[] */
    struct cli_setting setting[MOST_SETTINGS];
    int settings;
    const char *file[MOST_FILES];
    int files;
    struct named_file *named_file; /* owns; of options but -o */
    int named_files;
    char **word; /* of the whole command line */
    int words;
    /* of every command */
    const char *output, *format; /* output is never NULL: "-" by default */
    const char *page;            /* of --report, or NULL */
    bool explore;                /* the page is opened in a browser */
    struct stat
        old_certificate; /* of a file that was there before; else zeros */
    bool output_given, json, quiet, help, help_all; /* help_all: and help */
    int verbose;
    FILE *log;
    bool log_is_table; /* CSV */
    bool live;         /* progress lines are drawn */
    bool line_drawn;   /* the cursor is in a progress line */
    const char *phase; /* of the last progress line */
    double phase_start;
    double next_line; /* second from which the next line may be written */
};

extern const struct cli_command *const commands[]; /* ends in NULL */
const struct cli_command *find_command(const char *name);
/* Prints an error with the most similar command. */
int unknown_command(struct cli *cli, const char *name);

/* arguments.c: fills cli->setting from the command's tables. */
int gather_settings(struct cli *cli);
/* BESTDAG_OK, or BESTDAG_USAGE after an error message. */
int parse_arguments(struct cli *cli, int count, char **arguments);
const char *setting_text(const struct cli *cli, const char *key);
/* A row of the library's list of options. */
struct cli_setting setting_of(const struct bestdag_json *row);

/* paths.c: */
/* Stores the path of an option for check_paths(). */
int note_file(struct cli *cli, const struct cli_setting *s, const char *path);
/* After parsing, before any file is opened: refuses outputs that would
 * overwrite an input or another output, or cannot be written. */
int check_paths(struct cli *cli);

/* signals.c: from now on signals stop the run. */
void catch_signals(struct bestdag_run *run);
/* The signal that asked to stop, or 0. */
int signal_caught(void);

/* rule_options.c: makes cli->rules from --constraints, --require and --forbid,
 * once all options are known: limits hold for rule files, too. */
int read_rules(struct cli *cli);

/* terminal.c: standard error. */
void start_terminal(struct cli *cli, const char *progress);
void say(struct cli *cli, const char *format, ...)
    __attribute__((format(printf, 2,
                          3))); /* a line of the summary; not with -q */
int report_error(struct cli *cli, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void clear_line(struct cli *cli);
/* Columns of a line on a terminal; 79 where there is none. */
int screen_width(int descriptor);

/* usage.c, man_pages.c, completion.c */
enum { HELP_ROOM = 768 };
/* The short form (--help) if the command has one, unless cli->help_all. */
void print_usage(struct cli *cli, FILE *to);
/* The text up to a line break, broken at blanks; `indent` blanks come before
 * each line but the first, which begins at that column already. */
void print_wrapped(FILE *to, const char *text, int indent);
/* The help with choices, default and range. */
void full_help(const struct cli_setting *s, char to[HELP_ROOM]);
/* The help of a row of a list, with suffixes and restrictions. */
void full_row(const struct bestdag_json *row, char to[HELP_ROOM]);
const char *title_of(const char *group);
/* The next word of a text of words; false after the last. */
bool next_word(const char **text, char to[64]);
extern const char *const exit_codes[][2]; /* code, meaning; ends in NULL */
void print_overview(FILE *to);
int write_manuals(struct cli *cli, const char *folder);
int print_completion(struct cli *cli, const char *shell);

/* output.c: what commands print. */
typedef void report_fn(struct cli *cli, FILE *to,
                       const struct bestdag_json *report);
/* A JSON report of the library: as it is with --json, else formatted by `print`
 * to the output (-o). Frees the text. */
int show_report(struct cli *cli, char *json, report_fn *print);
/* Writes a JSON report to standard output and frees it. */
int print_json(struct cli *cli, char *json);
/* A network to -o in -O's format, and its description as --json or summary. */
int write_network(struct cli *cli, const struct bestdag_network *network);
/* Its two steps: to -o, unless only --json is wanted; a line of the summary. */
int put_network(struct cli *cli, const struct bestdag_network *network);
void summarise_network(struct cli *cli, const struct bestdag_network *network);
int write_table(struct cli *cli, const struct bestdag_table *table);
/* The rows of one of the library's tables (bestdag_list): name and help. */
int print_list(struct cli *cli, FILE *to, const char *what);
/* The settings of a solver, or of all of them (NULL). */
int print_solver_settings(struct cli *cli, FILE *to, const char *solver);
double number_of(const struct bestdag_json *object, const char *key);
const char *text_of(const struct bestdag_json *object, const char *key);
/* Characters, not bytes, of UTF-8 text. */
int characters(const char *text);
const char *text_at(const struct bestdag_json *list, int64_t i);
/* "1,234,567"; returns `to`. */
const char *grouped(double value, char to[32]);
/* "1 arc", "2,000 arcs"; returns `to`. */
const char *counted(double value, const char *noun, char to[64]);

/* result_output.c: shared by solve and learn. */
/* The row of a list of formats with this name, or, without one, the one that
 * the suffix of a path says; NULL: none. */
const struct bestdag_json *find_format(const struct bestdag_json *all,
                                       const char *name, const char *path);
/* Refuses an input whose suffix, one of "csv|tsv", is for another command. */
int check_input(struct cli *cli, const char *suffixes, const char *hint);
/* Before the work: can the format hold the network? `bare`: it has no states.
 */
int check_output(struct cli *cli, bool bare);
/* Once the table is read: a network with numbers is JSON if no format was
 * asked for (is_default), else the format must be able to hold them. */
int check_numbers(struct cli *cli, const struct bestdag_table *table,
                  bool is_default);
/* Writes the network (-o), the HTML report, JSON and the summary; returns the
 * exit code. */
int show_answer(struct cli *cli, struct bestdag_result *result);

/* strongest_arcs.c: the strongest arcs, from a result's JSON. */
void say_strongest(struct cli *cli, const struct bestdag_json *report);

/* html_report.c: --report and --explore. */
int write_page(struct cli *cli, struct bestdag_result *result);
/* What was typed, quoted for a shell; malloc'd; NULL: no memory, and it says
 * so. */
char *command_line(struct cli *cli);

/* browser.c */
/* Opens it in the user's browser, or prints its path. */
int open_in_browser(struct cli *cli, const char *path, FILE *to);
/* The path of a page in a new folder that others cannot read. */
int make_page_path(struct cli *cli, char to[PATH_MAX]);

#endif
