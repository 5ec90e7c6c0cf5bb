/* SPDX-License-Identifier: MIT */
/* judge.c -- runs a trial and looks at every claim. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "judge.h"

bool accuse(struct claim *c, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    vsnprintf(c->why, TEXT, format, rest);
    va_end(rest);
    return false;
}

double tolerance(double score)
{
    return 1e-6 + 1e-9 * fabs(score);
}

/* ---- scopes --------------------------------------------------------------
 */

bool is_local(const struct clause *c)
{
    int child = -1;
    for (int i = 0; i < c->count; i++) {
        const struct literal *l = &c->at[i];
        int of = l->kind == ARC ? l->b : l->a;
        if ((l->kind != ARC && l->kind != ROOT && l->kind != INDEGREE) ||
            (child >= 0 && of != child))
            return false;
        child = of;
    }
    return true;
}

/* Both; `score` keeps to its own rules while it makes the lists. False: some of
 * them speak of more than lists hold, so that it is open what the proof is
 * over. */
static bool join_rules(const struct trial *t, struct ruling *to)
{
    const struct ruling *more = &t->score_ruling;
    *to = t->ruling;
    if (!more->text[0] || !strcmp(more->text, to->text))
        return true;
    for (int i = 0; i < more->clauses; i++)
        if (!is_local(&more->clause[i]))
            return false;
    for (int v = 0; v < t->n; v++) {
        to->forbidden[v] |= more->forbidden[v];
        to->before[v] |= more->before[v];
    }
    for (int i = 0; i < more->clauses && to->clauses < CLAUSES; i++)
        to->clause[to->clauses++] = more->clause[i];
    return true;
}

enum answer best_of_all(const struct trial *t, int most, double *score)
{
    static struct scores some;
    static struct ruling rules;
    if (!t->has_all)
        return UNKNOWN;
    some = t->all;
    if (most >= 0)
        scores_limit(&some, most);
    return !join_rules(t, &rules) ? UNKNOWN : best_score(&some, &rules, score);
}

enum answer best_of_lists(const struct trial *t, double *score)
{
    return t->has_lists ? best_score(&t->lists, &t->ruling, score) : UNKNOWN;
}

/* ---- reading the answer --------------------------------------------------
 */

static int letter(const char *name, int n)
{
    return name && name[0] >= 'A' && name[0] < 'A' + n && !name[1]
               ? name[0] - 'A'
               : -1;
}

static bool read_arcs(struct claim *c)
{
    const struct json *arcs = json_get(c->json, "arcs");
    for (int i = 0; i < json_count(arcs); i++) {
        const struct json *arc = json_at(arcs, i);
        int from = letter(json_text(json_at(arc, 0)), c->t->n);
        int to = letter(json_text(json_at(arc, 1)), c->t->n);
        if (from < 0 || to < 0)
            return accuse(c, "an arc of unknown variables");
        c->parents[to] |= 1u << from;
    }
    return arcs ? true : accuse(c, "no arcs in the report");
}

/* The file that was written has the same arcs. */
static bool check_file(struct claim *c)
{
    unsigned parents[MOST] = {0};
    char *text = file_read("net.csv"), *rest = text, *line;
    if (!text)
        return accuse(c, "no network was written");
    for (int i = 0; (line = strsep(&rest, "\n")); i++)
        if (i && strlen(line) >= 3)
            parents[line[2] - 'A'] |= 1u << (line[0] - 'A');
    free(text);
    return !memcmp(parents, c->parents, sizeof parents)
               ? true
               : accuse(c, "the file has another network than the report");
}

static bool read_report(struct claim *c)
{
    c->json = c->end.out ? json_read(c->end.out) : NULL;
    if (!c->json)
        return accuse(c, "the report is not JSON");
    c->score = json_number(json_get(c->json, "score"));
    c->bound = json_number(json_get(c->json, "bound"));
    c->gap = json_number(json_get(c->json, "gap"));
    c->global_bound = json_number(json_get(c->json, "global_bound"));
    c->status = json_text(json_get(c->json, "status"));
    c->scope = json_text(json_get(c->json, "proved_over"));
    if (!c->status || isnan(c->score))
        return accuse(c, "no status or no score");
    return read_arcs(c) && check_file(c);
}

/* ---- claims --------------------------------------------------------------
 */

static bool check_network(struct claim *c)
{
    const struct trial *t = c->t;
    const char *broken = ruling_broken(&t->ruling, c->parents);
    if (graph_has_cycle(c->parents, t->n))
        return accuse(c, "the network has a cycle");
    if (broken)
        return accuse(c, "the network breaks %s of the rules", broken);
    for (int v = 0; t->mode == LEARN && t->max_parents >= 0 && v < t->n; v++)
        if (__builtin_popcount(c->parents[v]) > t->max_parents)
            return accuse(c, "%c has too many parents", 'A' + v);
    return true;
}

static bool check_score(struct claim *c)
{
    const struct trial *t = c->t;
    double true_score = t->mode != LEARN ? graph_score(&t->lists, c->parents)
                        : t->has_all     ? graph_score(&t->all, c->parents)
                                         : c->score;
    if (!(true_score > -INFINITY))
        return accuse(c, "a family is not in its list");
    if (fabs(true_score - c->score) > tolerance(true_score))
        return accuse(c, "the score is %.9f, not %.9f", true_score, c->score);
    return true;
}

/* Searches add whole numbers, which are coarser where scores are far apart. */
static double unit(const struct trial *t)
{
    double most = 0;
    for (int v = 0; v < t->n && t->has_lists; v++)
        for (unsigned p = 0; p < 1u << t->n; p++)
            if (t->lists.local[v][p] > -INFINITY)
                most = fmax(most, fabs(t->lists.local[v][p]));
    return 1e-12 * most;
}

static bool check_gap(struct claim *c)
{
    double scale = fabs(c->score) > 1 ? fabs(c->score) : 1;
    double gap = (c->bound - c->score) / scale;
    bool is_optimal = !strcmp(c->status, "optimal");
    if (isnan(c->bound) != isnan(c->gap))
        return accuse(c, "one of bound and gap is missing");
    if (isnan(c->bound))
        return is_optimal ? accuse(c, "optimal without a bound") : true;
    if (fabs(gap - c->gap) > 1e-12 + 1e-6 * fabs(gap))
        return accuse(c, "the gap is %g, not %g", gap, c->gap);
    if (c->gap < 0)
        return accuse(c, "the bound is below the score");
    if (is_optimal && c->bound - c->score > tolerance(c->score) + unit(c->t))
        return accuse(c, "optimal, with a gap of %g", c->gap);
    if (!is_optimal && c->bound == c->score)
        return accuse(c, "not called optimal, without a gap");
    return is_optimal == (c->scope != NULL)
               ? true
               : accuse(c, "status and scope do not fit");
}

static bool compare(struct claim *c, enum answer answer, const double *best,
                    const char *over)
{
    c->tally->unknown += answer == UNKNOWN;
    if (answer == NONE)
        return accuse(c, "a network where there is none over %s", over);
    if (answer == FOUND && *best > c->score + tolerance(*best))
        return accuse(c, "optimal over %s at %.9f, but there is %.9f", over,
                      c->score, *best);
    return true;
}

/* Optimal over the lists, and over what it says. */
static bool check_optimal(struct claim *c)
{
    const struct trial *t = c->t;
    double best = 0;
    int most = -1;
    if (strcmp(c->status, "optimal") != 0)
        return true;
    c->tally->optimal++;
    if (t->has_lists &&
        !compare(c, best_of_lists(t, &best), &best, "the lists"))
        return false;
    if (!strncmp(c->scope, "candidate sets", 14))
        return true;
    if (t->mode == SOLVE)
        return accuse(c, "proved over '%s' from a bare list", c->scope);
    if (strncmp(c->scope, "all parent sets", 15) != 0 &&
        sscanf(c->scope, "parent sets up to %d", &most) != 1)
        return accuse(c, "what is '%s'?", c->scope);
    if (t->max_parents >= 0 && most < 0 && t->max_parents < t->n - 1)
        most = t->max_parents; /* unless larger sets cannot matter */
    return compare(c, best_of_all(t, most, &best), &best, c->scope);
}

static bool check_bounds(struct claim *c)
{
    double best = 0;
    if (!isnan(c->bound) && best_of_lists(c->t, &best) == FOUND) {
        c->tally->bounds++;
        if (c->bound < best - tolerance(best))
            return accuse(c, "bound %.9f, but there is %.9f in the lists",
                          c->bound, best);
    }
    if (!isnan(c->global_bound) &&
        best_of_all(c->t, c->t->max_parents, &best) == FOUND) {
        c->tally->global_bounds++;
        if (c->global_bound < best - tolerance(best))
            return accuse(c, "global bound %.9f, but there is %.9f",
                          c->global_bound, best);
    }
    return true;
}

/* The answer is never worse than a start that is allowed. */
static bool check_start(struct claim *c)
{
    const struct trial *t = c->t;
    if (!t->has_start || ruling_broken(&t->ruling, t->start) ||
        (t->mode == LEARN && !t->has_all))
        return true;
    for (int v = 0; t->max_parents >= 0 && v < t->n; v++)
        if (__builtin_popcount(t->start[v]) > t->max_parents)
            return true;
    double score =
        graph_score(t->mode == LEARN ? &t->all : &t->lists, t->start);
    c->tally->starts++;
    return score <= c->score + tolerance(c->score)
               ? true
               : accuse(c, "score %.9f is worse than the start, %.9f", c->score,
                        score);
}

/* ---- the same for any number of threads ----------------------------------
 */

static bool check_threads(struct claim *c)
{
    struct trial *t = c->t;
    if (t->has_time || t->has_memory || t->seed % 4)
        return true;
    struct command again;
    command_copy(&again, &t->search);
    int *count = &again.count; /* -j N is last */
    free(again.word[--*count]);
    again.word[*count] = NULL;
    command_add(&again, "%d", 1 + (int)(t->seed >> 8 & 3));
    struct ending e = command_run(&again, PATIENCE);
    c->tally->threads++;
    bool fine = e.code == c->end.code && is_same_report(e.out, c->end.out);
    ending_clear(&e);
    command_clear(&again);
    return fine ? true : accuse(c, "another answer with other threads");
}

/* ---- how it ended --------------------------------------------------------
 */

static bool check_infeasible(struct claim *c)
{
    const struct trial *t = c->t;
    double best = 0;
    bool is_within = c->end.err && (strstr(c->end.err, "candidate sets") ||
                                    strstr(c->end.err, "candidate parents"));
    enum answer answer = UNKNOWN;
    if (t->mode != LEARN)
        answer = best_of_lists(t, &best);
    else if (t->is_complete || !is_within)
        answer = best_of_all(t, t->max_parents, &best);
    c->tally->infeasible++;
    return answer != FOUND
               ? true
               : accuse(c, "no network, it says, but there is one of %.9f: %s",
                        best, c->end.err ? c->end.err : "");
}

static bool is_large(const struct scores *s)
{
    for (int v = 0; v < s->n; v++)
        for (unsigned p = 0; p < 1u << s->n; p++)
            if (s->local[v][p] < -1e12 && s->local[v][p] > -INFINITY)
                return true;
    return false;
}

/* Is a column without any value? */
static bool lacks_values(const struct sheet *s)
{
    for (int v = 0; v < s->n; v++) {
        int values = 0;
        for (int i = 0; i < s->rows; i++)
            values += s->weight[i] && s->cell[i][v] >= 0;
        if (!values)
            return true;
    }
    return false;
}

/* A search that was cut short has nothing to show where a first network has to
 * be searched for: under rules, or where sets without parents lack. */
static bool may_find_none(const struct trial *t, const char *err)
{
    bool is_easy = !t->ruling.text[0];
    for (int v = 0; t->has_lists && v < t->n; v++)
        is_easy &= t->lists.local[v][0] > -INFINITY;
    return !is_easy && strstr(err, "ended before it found a network") != NULL;
}

/* What a solver, or a score, may say no to. auto finds one that can. */
static bool is_refusal(const struct trial *t, const char *err)
{
    static const char *const words[] = {
        "' rules (",                       /* of a kind */
        "needs a score that is the same",  /* for classes */
        "they need the solver",            /* certificates under rules */
        "the network to start from gives", /* too many parents */
        "needs --max-parents",
        "not made by clusters",                      /* ll; certificates */
        "supports only rules that require or forbid" /* classes */
    };
    bool is_auto = !strcmp(t->solver, "auto");
    for (size_t i = is_auto; i < sizeof words / sizeof *words; i++)
        if (strstr(err, words[i]))
            return true;
    return false;
}

/* True and *go: there is a network to look at. */
static bool check_ending(struct claim *c, bool *go)
{
    const struct trial *t = c->t;
    const char *err = c->end.err ? c->end.err : "";
    *go = false;
    if (c->end.timed_out)
        return accuse(c, "it did not end");
    switch (c->end.code) {
    case 0:
    case 5:
        *go = true;
        return c->end.code == 0 || t->require_optimal
                   ? true
                   : accuse(c, "exit code 5 was not asked for");
    case 2:
        c->tally->refused++;
        return is_refusal(t, err) ? true
                                  : accuse(c, "refused without need: %s", err);
    case 3:
        c->tally->refused++;
        return (t->mode != SOLVE &&
                (!t->has_rows || lacks_values(&t->sheet))) ||
                       (t->mode == SOLVE && is_large(&t->lists))
                   ? true
                   : accuse(c, "good input is refused: %s", err);
    case 4:
        return check_infeasible(c);
    case 6:
        c->tally->memory++;
        return t->has_memory ? true : accuse(c, "no memory: %s", err);
    case 1: /* there is nothing before the file has been read */
        if (t->has_time && (strstr(err, "reading was stopped") ||
                            strstr(err, "stopped while reading")))
            return true;
        if (t->has_memory && strstr(err, "the certificate was not written"))
            return true; /* the proof did not fit */
        return may_find_none(t, err) ? true : accuse(c, "exit code 1: %s", err);
    default:
        return accuse(c, "exit code %d: %s", c->end.code, err);
    }
}

/* Sets with a variable of one state are not even scored. */
static bool has_all_families(const struct scores *s)
{
    int count = 0;
    for (int v = 0; v < s->n; v++)
        for (unsigned p = 0; p < 1u << s->n; p++)
            count += s->local[v][p] > -INFINITY;
    return count == s->n << (s->n - 1);
}

/* The scores of all families, from the command itself, where they are not
 * counted here. */
static void find_all(struct trial *t)
{
    static const char *const words[] = {
        "-q", "-o", "all.jkl", "--no-prune", "--parents", "sequential"};
    struct command c = {0};
    const struct command *from = t->mode == LEARN ? &t->search : &t->score;
    command_add(&c, "%s", t->program);
    command_add(&c, "score");
    for (int i = 2; i < from->count && strcmp(from->word[i], "--parents"); i++)
        command_add(&c, "%s", from->word[i]);
    for (int i = 0; i < 6; i++)
        command_add(&c, "%s", words[i]);
    struct ending e = command_run(&c, PATIENCE);
    t->has_all = !e.code && lists_read(&t->all, t->n, "all.jkl") &&
                 has_all_families(&t->all);
    ending_clear(&e);
    command_clear(&c);
}

static bool run_score(struct claim *c, bool *go)
{
    struct trial *t = c->t;
    *go = true;
    if (t->mode != LEARN && t->mode != SCORE_AND_SOLVE)
        return true;
    if (t->has_rows && !t->has_all)
        find_all(t);
    if (t->mode != SCORE_AND_SOLVE)
        return true;
    c->end = command_run(&t->score, PATIENCE);
    struct ruling searched = t->ruling; /* the rules of `score` count now */
    t->ruling = t->score_ruling;
    bool fine = check_ending(c, go);
    t->ruling = searched;
    ending_clear(&c->end);
    if (fine && *go && !lists_read(&t->lists, t->n, "s.jkl"))
        return accuse(c, "the score file cannot be read");
    t->has_lists = fine && *go;
    return fine;
}

static bool check_answer(struct claim *c)
{
    struct trial *t = c->t;
    if (!read_report(c))
        return false;
    bool is_optimal = !strcmp(c->status, "optimal");
    c->tally->stopped += !strcmp(c->status, "stopped");
    if (t->mode == LEARN)
        t->has_lists = lists_read(&t->lists, t->n, "s.jkl");
    if (c->end.code != (t->require_optimal && !is_optimal ? 5 : 0))
        return accuse(c, "exit code %d at status %s", c->end.code, c->status);
    return check_network(c) && check_score(c) && check_gap(c) &&
           check_optimal(c) && check_bounds(c) && check_start(c) &&
           check_lists(c) && check_certificate(c) && check_threads(c) &&
           check_resumed(c);
}

bool trial_judge(struct trial *t, struct tally *tally, char why[TEXT])
{
    struct claim c = {.t = t, .tally = tally, .why = why};
    bool go, fine = run_score(&c, &go);
    tally->trials++;
    if (fine && go) {
        c.end = command_run(&t->search, PATIENCE);
        fine = check_ending(&c, &go) && (!go || check_answer(&c));
    }
    json_free(c.json);
    ending_clear(&c.end);
    return fine;
}
