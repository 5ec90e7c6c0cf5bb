/* SPDX-License-Identifier: MIT */
/* completion.c -- shell completion for bash, zsh and fish, from the tables. */
#include <string.h>

#include "cli.h"

static void bash_options(struct cli *cli)
{
    for (int i = 0; i < cli->settings; i++) {
        const struct cli_setting *s = &cli->setting[i];
        printf(" --%s", s->key);
        if (s->letter)
            printf(" -%c", s->letter);
    }
}

/* The names of one of the library's lists. */
static void put_names(struct cli *cli, const char *what)
{
    char *text = bestdag_list(cli->run, what);
    struct bestdag_json *list = bestdag_json_read(cli->run, text);
    bestdag_text_free(text);
    for (int64_t i = 0; i < bestdag_json_count(list); i++)
        printf("%s%s", i ? " " : "", text_of(bestdag_json_at(list, i), "name"));
    bestdag_json_free(list);
}

static bool has_words(const struct cli_setting *s)
{
    return s->choices || s->list || !strcmp(s->type, "pairs");
}

/* The settings of all solvers, each once: completions of --set. */
static void put_pairs(struct cli *cli)
{
    const char *sign = "";
    for (int64_t i = 0; i < bestdag_json_count(cli->table); i++) {
        struct cli_setting s = setting_of(bestdag_json_at(cli->table, i));
        bool seen = !s.solver;
        for (int64_t k = 0; k < i && !seen; k++) {
            struct cli_setting t = setting_of(bestdag_json_at(cli->table, k));
            seen = t.solver && !strcmp(s.key, t.key);
        }
        if (!seen) {
            printf("%s%s=", sign, s.key);
            sign = " ";
        }
    }
}

/* The values of an option, separated by blanks. */
static void put_words(struct cli *cli, const struct cli_setting *s)
{
    if (s->list)
        put_names(cli, s->list);
    else if (!s->choices)
        put_pairs(cli);
    for (const char *c = s->list || !s->choices ? "" : s->choices; *c; c++)
        putchar(*c == '|' ? ' ' : *c);
}

static void put_commands(void)
{
    for (int i = 0; commands[i]; i++)
        printf("%s%s", i ? " " : "", commands[i]->name);
}

/* The options of a command whose values can be completed. */
static void bash_choices(struct cli *cli)
{
    const char *name = cli->command->name;
    for (int i = 0; i < cli->settings; i++) {
        const struct cli_setting *s = &cli->setting[i];
        if (!has_words(s))
            continue;
        printf("            %s:--%s", name, s->key);
        if (s->letter)
            printf(" | %s:-%c", name, s->letter);
        printf(") words='");
        put_words(cli, s);
        printf("' ;;\n");
    }
}

/* Arguments that are keywords, not files. */
static void bash_arguments(struct cli *cli)
{
    printf("            list:list) words='");
    put_names(cli, "lists");
    printf("' ;;\n            help:help) words='");
    put_commands();
    printf(" man completion' ;;\n"
           "            help:completion) words='bash zsh fish' ;;\n"
           "            classify:classify) words='train predict validate' "
           ";;\n");
}

static int bash(struct cli *cli)
{
    printf("# bash completion for bestdag; made by bestdag help completion "
           "bash\n_bestdag()\n{\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} words=\n"
           "    local before=${COMP_WORDS[COMP_CWORD-1]} "
           "command=${COMP_WORDS[1]}\n"
           "    if [ \"$word\" = = ]; then\n"
           "        word=\n"
           "    elif [ \"$before\" = = ]; then\n"
           "        before=${COMP_WORDS[COMP_CWORD-2]}\n"
           "    fi\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        words='");
    put_commands();
    printf("'\n    else\n        case $command:$before in\n");
    bash_arguments(cli);
    for (int i = 0; commands[i]; i++) {
        cli->command = commands[i];
        if (gather_settings(cli))
            return BESTDAG_FAILED;
        bash_choices(cli);
    }
    printf("        esac\n    fi\n"
           "    if [ -z \"$words\" ] && [ \"${word#-}\" != \"$word\" ]; then\n"
           "        case $command in\n");
    for (int i = 0; commands[i]; i++) {
        cli->command = commands[i];
        if (gather_settings(cli))
            return BESTDAG_FAILED;
        printf("            %s) words='", commands[i]->name);
        bash_options(cli);
        printf("' ;;\n");
    }
    printf("        esac\n    fi\n"
           "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
           "    [ -n \"$words\" ] || mapfile -t COMPREPLY < <(compgen -f -- "
           "\"$word\")\n"
           "}\ncomplete -o filenames -F _bestdag bestdag\n");
    return BESTDAG_OK;
}

static void put_quoted(const char *text, const char *special)
{
    for (; *text; text++) {
        if (*text == '\'') {
            fputs("'\\''", stdout);
            continue;
        }
        if (strchr(special, *text))
            putchar('\\');
        putchar(*text);
    }
}

static void zsh_option(struct cli *cli, const struct cli_setting *s)
{
    bool flag = !strcmp(s->type, "flag");
    printf("            '--%s%s[", s->key, flag ? "" : "=");
    put_quoted(s->help, "[]:\\");
    printf("]");
    if (!flag) {
        printf(":%s:", s->value);
        if (has_words(s)) {
            putchar('(');
            put_words(cli, s);
            putchar(')');
        } else if (!strcmp(s->type, "file"))
            fputs("_files", stdout);
    }
    printf("' \\\n");
}

static int zsh(struct cli *cli)
{
    printf("#compdef bestdag\n# made by bestdag help completion zsh\n"
           "_bestdag() {\n    local -a commands=(\n");
    for (int i = 0; commands[i]; i++) {
        printf("        '%s:", commands[i]->name);
        put_quoted(commands[i]->summary, ":\\");
        printf("'\n");
    }
    printf("    )\n    if (( CURRENT == 2 )); then\n"
           "        _describe command commands\n        return\n    fi\n"
           "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n"
           "    case $command in\n");
    for (int i = 0; commands[i]; i++) {
        cli->command = commands[i];
        if (gather_settings(cli))
            return BESTDAG_FAILED;
        printf("        %s) _arguments \\\n", commands[i]->name);
        for (int k = 0; k < cli->settings; k++)
            zsh_option(cli, &cli->setting[k]);
        printf("            '*:file:_files' ;;\n");
    }
    printf("    esac\n}\n_bestdag \"$@\"\n");
    return BESTDAG_OK;
}

static void fish_option(struct cli *cli, const struct cli_setting *s)
{
    printf("complete -c bestdag -n '__fish_seen_subcommand_from %s' -l %s",
           cli->command->name, s->key);
    if (s->letter)
        printf(" -s %c", s->letter);
    if (strcmp(s->type, "flag"))
        printf(" -r");
    if (has_words(s)) {
        printf(" -f -a '");
        put_words(cli, s);
        putchar('\'');
    }
    printf(" -d '");
    for (const char *c = s->help; *c; c++) {
        if (*c == '\'' || *c == '\\')
            putchar('\\');
        putchar(*c);
    }
    printf("'\n");
}

static int fish(struct cli *cli)
{
    printf("# fish completion for bestdag; made by bestdag help completion "
           "fish\n");
    for (int i = 0; commands[i]; i++) {
        printf(
            "complete -c bestdag -n __fish_use_subcommand -f -a %s -d '%s'\n",
            commands[i]->name, commands[i]->summary);
        cli->command = commands[i];
        if (gather_settings(cli))
            return BESTDAG_FAILED;
        for (int k = 0; k < cli->settings; k++)
            fish_option(cli, &cli->setting[k]);
    }
    return BESTDAG_OK;
}

int print_completion(struct cli *cli, const char *shell)
{
    if (!strcmp(shell, "bash"))
        return bash(cli);
    if (!strcmp(shell, "zsh"))
        return zsh(cli);
    if (!strcmp(shell, "fish"))
        return fish(cli);
    return report_error(cli, BESTDAG_USAGE,
                        "no completion for '%s'; available: bash, zsh and fish",
                        shell);
}
