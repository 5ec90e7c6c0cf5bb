/* SPDX-License-Identifier: MIT */
/* trial.c -- a random problem, and a random way to have it solved. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "claims.h"

/* ---- the problem ---------------------------------------------------------
 */

static int draw_size(uint64_t *seed)
{
    return draw_chance(seed, .03) ? 1 : draw_between(seed, 2, MOST);
}

static void draw_reading(struct trial *t, uint64_t *seed)
{
    static const char *const names[] = {"bic", "bic", "mdl",  "aic",  "ll",
                                        "k2",  "bd",  "bdeu", "bdeu", "mit"};
    static const double sizes[] = {1e-3, .5, 1, 10, 1000};
    struct reading *r = &t->reading;
    snprintf(r->score, sizeof r->score, "%s", names[draw_below(seed, 10)]);
    r->ess = sizes[draw_below(seed, 5)];
    r->pseudo = sizes[draw_below(seed, 5)];
    r->per_arc = draw_chance(seed, .15) ? draw_below(seed, 5) * .75 : 0;
    r->missing_is_state = draw_chance(seed, .5);
    r->declared = draw_chance(seed, .3);
}

static const char *table_name(const struct trial *t)
{
    return t->sheet.is_arff ? "t.arff" : "t.csv";
}

static void add_numbers(const struct sheet *s, struct command *c)
{
    char list[2 * MOST + 1] = "";
    int end = 0;
    for (int v = 0; v < s->n; v++)
        if (s->is_number[v])
            end += sprintf(list + end, "%s%c", end ? "," : "", 'A' + v);
    if (end) {
        command_add(c, "--as-numbers");
        command_add(c, "%s", list);
    }
}

static void add_reading(const struct trial *t, struct command *c)
{
    const struct reading *r = &t->reading;
    command_add(c, "%s", table_name(t));
    command_add(c, "--score");
    command_add(c, "%s", r->score);
    if (!strcmp(r->score, "bdeu")) {
        command_add(c, "--ess");
        command_add(c, "%.17g", r->ess);
    }
    if (!strcmp(r->score, "bd")) {
        command_add(c, "--pseudo");
        command_add(c, "%.17g", r->pseudo);
    }
    if (r->per_arc > 0) {
        command_add(c, "--structure-prior");
        command_add(c, "arcs:%.17g", r->per_arc);
    }
    command_add(c, "--missing");
    command_add(c, "%s",
                r->available          ? "available"
                : r->missing_is_state ? "state"
                                      : "drop");
    if (r->available) {
        command_add(c, "--pnal-penalty");
        command_add(c, "%.17g", r->penalty);
    }
    command_add(c, "--arity");
    command_add(c, r->declared ? "declared" : "observed");
    if (t->sheet.has_weights) {
        command_add(c, "--weights");
        command_add(c, "w");
    }
    add_numbers(&t->sheet, c);
}

static void add_parents(struct trial *t, struct command *c, uint64_t *seed)
{
    static const char *const names[] = {"auto", "sequential", "greedy",
                                        "independence"};
    const char *name = names[draw_below(seed, 4)];
    t->is_complete = !strcmp(name, "auto") || !strcmp(name, "sequential");
    command_add(c, "--parents");
    command_add(c, "%s", name);
    if (draw_chance(seed, .3) || !strncmp(t->reading.score, "ll", 2)) {
        t->max_parents = draw_chance(seed, .1) ? 0 : draw_between(seed, 1, 4);
        command_add(c, "--max-parents");
        command_add(c, "%d", t->max_parents);
    }
    if (draw_chance(seed, .15)) {
        command_add(c, "--candidates");
        command_add(c, "%d", draw_between(seed, 1, 4));
        t->is_complete = false;
    }
    if (draw_chance(seed, .15))
        command_add(c, "--no-prune");
    bool has_theorem_2 = draw_chance(seed, .1);
    if (has_theorem_2 &&
        (!strcmp(name, "auto") || !strcmp(name, "independence")))
        command_add(c, "--theorem-2");
}

static void add_rules(const struct ruling *r, struct command *c,
                      const char *path)
{
    if (!r->text[0])
        return;
    FILE *to = fopen(path, "w");
    if (!to)
        abort();
    fputs(r->text, to);
    fclose(to);
    command_add(c, "--constraints");
    command_add(c, "%s", path);
}

/* ---- the search ----------------------------------------------------------
 */

/* A value of a setting from what its row says of it; false: leave it. */
static bool draw_setting(const struct json *row, char value[64], uint64_t *seed)
{
    const char *type = json_text(json_get(row, "type"));
    const char *choices = json_text(json_get(row, "choices"));
    double least = json_number(json_get(row, "least"));
    double most = json_number(json_get(row, "most"));
    if (!type)
        return false;
    if (!strcmp(type, "flag")) {
        snprintf(value, 64, "%s", draw_chance(seed, .5) ? "yes" : "no");
    } else if (!strcmp(type, "choice") && choices) {
        char all[256], *word, *rest = all;
        snprintf(all, sizeof all, "%s", choices);
        int count = 1;
        for (const char *c = choices; *c; c++)
            count += *c == '|';
        int pick = draw_below(seed, count);
        while ((word = strsep(&rest, "|")) && pick--)
            continue;
        snprintf(value, 64, "%s", word);
    } else if (!strcmp(type, "integer")) {
        double top = most < 30 ? most : 30;
        snprintf(value, 64, "%.0f",
                 floor(least + draw_unit(seed) * (top - least + 1)));
    } else if (!strcmp(type, "number")) {
        snprintf(value, 64, "%.3g",
                 least + draw_unit(seed) * (most < 5 ? most - least : 5));
    } else {
        return false;
    }
    return true;
}

/* Heuristics always get a number of steps or rounds, so that none is long; bnb,
 * too, whose proofs may take minutes. */
static void add_settings(struct trial *t, const struct json *solver,
                         uint64_t *seed)
{
    static const char *const provers[] = {"dp", "astar", "bfbnb", "cluster"};
    const struct json *rows = json_get(solver, "settings");
    bool proves = false;
    for (int i = 0; i < 4; i++)
        proves |= !strcmp(t->solver, provers[i]);
    for (int i = 0; i < json_count(rows); i++) {
        const struct json *row = json_at(rows, i);
        const char *name = json_text(json_get(row, "name"));
        char value[64];
        bool is_length = !strcmp(name, "steps") || !strcmp(name, "tmax");
        if (!draw_chance(seed, is_length && !proves ? 1 : .2) ||
            !draw_setting(row, value, seed))
            continue;
        if (!strcmp(name, "steps"))
            snprintf(value, sizeof value, "%.0f",
                     floor(pow(10, draw_unit(seed) * 4)));
        command_add(&t->search, "--set");
        command_add(&t->search, "%s=%s", name, value);
    }
}

static void add_solver(struct trial *t, uint64_t *seed)
{
    int count = json_count(t->solvers);
    int pick = draw_below(seed, count + 3) - 3;
    const struct json *row = pick < 0 ? NULL : json_at(t->solvers, pick);
    const char *needs = json_text(json_get(row, "needs"));
    t->on_table = needs && strcmp(needs, "sets") != 0;
    if (t->on_table && t->mode != LEARN) {
        row = NULL;
        t->on_table = false;
    }
    snprintf(t->solver, sizeof t->solver, "%s",
             row ? json_text(json_get(row, "name")) : "auto");
    command_add(&t->search, "--solver");
    command_add(&t->search, "%s", t->solver);
    if (row)
        add_settings(t, row, seed);
    else { /* it may go on until its work is done */
        bool has_limit = draw_chance(seed, .1);
        command_add(&t->search, "--effort");
        command_add(&t->search, has_limit ? "high" : "low");
        if (has_limit) {
            command_add(&t->search, "-t");
            command_add(&t->search, "0.3s");
            t->has_time = true;
        }
    }
}

static void draw_start(struct trial *t, uint64_t *seed)
{
    int place[MOST];
    FILE *to = fopen("start.csv", "w");
    if (!to)
        abort();
    for (int v = 0; v < t->n; v++)
        place[v] = draw_below(seed, 1000);
    double share = draw_unit(seed) * .6;
    fprintf(to, "from,to\n");
    for (int v = 0; v < t->n; v++) {
        for (int u = 0; u < t->n; u++)
            if (place[u] < place[v] && draw_chance(seed, share)) {
                t->start[v] |= 1u << u;
                fprintf(to, "%c,%c\n", 'A' + u, 'A' + v);
            }
        fprintf(to, "%c,\n", 'A' + v);
    }
    fclose(to);
    t->has_start = true;
    command_add(&t->search, "--start");
    command_add(&t->search, "start.csv");
}

static void add_limits(struct trial *t, uint64_t *seed)
{
    static const char *const times[] = {"0.001s", "0.01s", "0.1s", "1s"};
    static const char *const sizes[] = {"1M", "2M", "4M", "16M", "64M"};
    static const double gaps[] = {1e-6, .01, .1, 1};
    if (!t->features->without[TIMES] && !t->has_time && draw_chance(seed, .1)) {
        command_add(&t->search, "-t");
        command_add(&t->search, "%s", times[draw_below(seed, 4)]);
        t->has_time = true;
    }
    if (!t->features->without[MEMORY] && draw_chance(seed, .1)) {
        command_add(&t->search, "--memory-limit");
        command_add(&t->search, "%s", sizes[draw_below(seed, 5)]);
        t->has_memory = true;
    }
    if (draw_chance(seed, .1)) {
        t->gap = gaps[draw_below(seed, 4)];
        command_add(&t->search, "--gap");
        command_add(&t->search, "%g", t->gap);
    }
}

static void add_rest(struct trial *t, uint64_t *seed)
{
    struct command *c = &t->search;
    if (draw_chance(seed, .25))
        draw_start(t, seed);
    if (draw_chance(seed, .1)) {
        command_add(c, "--require-optimal");
        t->require_optimal = true;
    }
    if (draw_chance(seed, t->mode != LEARN || !t->on_table ? .3 : .05) &&
        (!strcmp(t->solver, "auto") || !strcmp(t->solver, "cluster"))) {
        command_add(c, "--certificate");
        command_add(c, "c.cert");
        t->has_certificate = true;
    }
    command_add(c, "--seed");
    command_add(c, "%d", draw_below(seed, 1000));
    command_add(c, "-o");
    command_add(c, "net.csv");
    command_add(c, "--json");
    command_add(c, "-q");
    command_add(c, "-j");
    command_add(c, "%d", draw_between(seed, 1, 3));
}

/* ---- the three ways ------------------------------------------------------
 */

static void begin(struct trial *t, struct command *c, const char *verb)
{
    command_add(c, "%s", t->program);
    command_add(c, "%s", verb);
}

static void draw_available(struct trial *t, uint64_t *seed)
{
    static const double penalties[] = {0, .01, .5, 1, 3};
    struct reading *r = &t->reading;
    if (!draw_chance(seed, .1))
        return;
    double share = draw_unit(seed) * .4; /* of more holes */
    for (int i = 0; i < t->sheet.rows; i++)
        for (int v = 0; v < t->n; v++)
            if (draw_chance(seed, share))
                t->sheet.cell[i][v] = -1;
    snprintf(r->score, sizeof r->score, "pnal");
    r->available = true;
    r->missing_is_state = false;
    r->penalty = penalties[draw_below(seed, 5)];
}

/* Some tables hold numbers, some are scored on what rows have. These draw from
 * numbers of their own, so that all other trials stay as they are. */
static void draw_numbers(struct trial *t)
{
    static const char *const gaussian[] = {"bic-g", "bic-g", "aic-g",  "bge",
                                           "bge",   "ll-g",  "bic-cg", "ll-cg"};
    static const char *const mixed[] = {"bic-cg", "bic-cg", "aic-cg", "ll-cg"};
    uint64_t seed = t->seed ^ 0x6e756d62657273u;
    int numbers = draw_chance(&seed, .2) ? numbers_draw(&t->sheet, &seed) : 0;
    if (!numbers) {
        draw_available(t, &seed);
        return;
    }
    snprintf(t->reading.score, sizeof t->reading.score, "%s",
             numbers == t->n ? gaussian[draw_below(&seed, 8)]
                             : mixed[draw_below(&seed, 4)]);
    t->reading.missing_is_state = false;
}

static bool is_open(const struct scores *s)
{
    for (int v = 0; v < s->n; v++)
        for (unsigned p = 0; p < 1u << s->n; p++)
            if (isnan(s->local[v][p]))
                return true;
    return false;
}

static void draw_table(struct trial *t, uint64_t *seed)
{
    sheet_draw(&t->sheet, t->n, seed);
    draw_reading(t, seed);
    draw_numbers(t);
    sheet_write(&t->sheet, table_name(t));
    t->has_rows = sheet_score(&t->sheet, &t->reading, &t->all);
    t->has_all =
        t->has_rows && score_is_known(t->reading.score) && !is_open(&t->all);
}

static void draw_rules(struct trial *t, struct ruling *r, double share,
                       uint64_t *seed)
{
    memset(r, 0, sizeof *r);
    r->n = t->n;
    if (draw_chance(seed, share))
        ruling_draw(r, t->n, t->features, seed);
}

static void draw_learn(struct trial *t, uint64_t *seed)
{
    begin(t, &t->search, "learn");
    add_reading(t, &t->search);
    add_parents(t, &t->search, seed);
    add_solver(t, seed);
    if (t->on_table && draw_chance(seed, .5))
        command_add(&t->search, "--bound");
    command_add(&t->search, "--save-scores");
    command_add(&t->search, "s.jkl");
}

static void draw_score_and_solve(struct trial *t, uint64_t *seed)
{
    begin(t, &t->score, "score");
    add_reading(t, &t->score);
    add_parents(t, &t->score, seed);
    draw_rules(t, &t->score_ruling, .4, seed);
    add_rules(&t->score_ruling, &t->score, "score.rules");
    command_add(&t->score, "-q");
    command_add(&t->score, "-o");
    command_add(&t->score, "s.jkl");
    begin(t, &t->search, "solve");
    command_add(&t->search, "s.jkl");
    add_solver(t, seed);
}

void trial_draw(struct trial *t)
{
    uint64_t seed = t->seed;
    t->mode = draw_below(&seed, 3);
    t->n = draw_size(&seed);
    t->max_parents = -1;
    t->is_complete = true;
    if (t->mode == SOLVE) {
        lists_draw(&t->lists, t->n, t->features, &seed);
        lists_write(&t->lists, "s.jkl", &seed);
        t->has_lists = true;
        begin(t, &t->search, "solve");
        command_add(&t->search, "s.jkl");
        add_solver(t, &seed);
    } else {
        draw_table(t, &seed);
        if (t->mode == LEARN)
            draw_learn(t, &seed);
        else
            draw_score_and_solve(t, &seed);
    }
    draw_rules(t, &t->ruling, .5, &seed);
    if (t->score_ruling.text[0] && draw_chance(&seed, .6))
        t->ruling = t->score_ruling;
    add_rules(&t->ruling, &t->search, "search.rules");
    add_limits(t, &seed);
    add_rest(t, &seed);
}

void trial_clear(struct trial *t)
{
    command_clear(&t->score);
    command_clear(&t->search);
}
