/* SPDX-License-Identifier: MIT */
/* proof.c -- certificates, true and forged, and what candidate lists claim of
 * themselves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "judge.h"

/* ---- what verify says ----------------------------------------------------
 */

struct verdict {
    struct ending end;
    struct json *json;
    const char *status; /* NULL: none */
    double bound, score;
};

static void add_word_after(struct command *to, const struct command *from,
                           const char *option)
{
    for (int i = 2; i + 1 < from->count; i++)
        if (!strcmp(from->word[i], option)) {
            command_add(to, "%s", option);
            command_add(to, "%s", from->word[i + 1]);
        }
}

/* As the table was read when it was scored. */
static void add_table(const struct trial *t, struct command *v)
{
    static const char *const options[] = {"--missing", "--arity", "--weights",
                                          "--as-numbers"};
    const struct command *from = t->mode == LEARN ? &t->search : &t->score;
    command_add(v, "--data");
    command_add(v, "%s", from->word[2]);
    for (int i = 0; i < 4; i++)
        add_word_after(v, from, options[i]);
}

static struct verdict verify(const struct trial *t, const char *certificate,
                             bool with_table)
{
    struct verdict to = {0};
    struct command v = {0};
    command_add(&v, "%s", t->program);
    command_add(&v, "verify");
    command_add(&v, "s.jkl");
    command_add(&v, "net.csv");
    command_add(&v, "%s", certificate);
    command_add(&v, "--json");
    command_add(&v, "-q");
    if (t->ruling.text[0]) {
        command_add(&v, "--constraints");
        command_add(&v, "search.rules");
    }
    if (with_table)
        add_table(t, &v);
    to.end = command_run(&v, PATIENCE);
    to.json = to.end.out ? json_read(to.end.out) : NULL;
    to.status = json_text(json_get(to.json, "status"));
    to.bound = json_number(json_get(to.json, "bound"));
    to.score = json_number(json_get(to.json, "score"));
    command_clear(&v);
    return to;
}

static void forget(struct verdict *v)
{
    json_free(v->json);
    ending_clear(&v->end);
}

/* What verify accepts is true, whatever it was given. */
static bool check_truth(struct claim *c, const struct verdict *v,
                        const char *of)
{
    double best = 0;
    bool is_optimal = v->status && !strcmp(v->status, "optimal");
    if (v->end.code != 0 && v->end.code != 3 && v->end.code != 5)
        return accuse(c, "verify of %s: exit code %d: %s", of, v->end.code,
                      v->end.err ? v->end.err : "");
    if (v->end.code == 0 && (!v->status || !strcmp(v->status, "refused")))
        return accuse(c, "verify of %s: exit code 0 without a proof", of);
    if (v->end.code || best_of_lists(c->t, &best) != FOUND)
        return true;
    if (v->bound < best - tolerance(best) ||
        (is_optimal && v->score < best - tolerance(best)))
        return accuse(c,
                      "verify of %s: %s, bound %.9f, score %.9f, but there is "
                      "%.9f",
                      of, v->status, v->bound, v->score, best);
    return true;
}

/* "Checked with the table" is about every family, listed or not. */
static bool check_basis(struct claim *c, const struct verdict *v)
{
    const char *basis = json_text(json_get(v->json, "basis"));
    const char *over = json_text(json_get(v->json, "proved_over"));
    double best = 0, off = 0;
    int most = -1;
    if (!basis || strcmp(basis, "checked with the table") != 0 || !over ||
        v->end.code)
        return true;
    c->tally->checked++;
    sscanf(over, "parent sets up to %d", &most);
    if (strncmp(over, "candidate sets", 14) == 0 ||
        best_of_all(c->t, most, &best) != FOUND)
        return true;
    for (int i = 0; i < c->t->n; i++)
        off += tolerance(best);
    return best <= v->bound + off
               ? true
               : accuse(c,
                        "verify, checked with the table: bound %.9f over %s, "
                        "but there is %.9f",
                        v->bound, over, best);
}

/* The answer's own certificate is accepted, if the answer is optimal. */
static bool check_own(struct claim *c, bool with_table)
{
    struct verdict v = verify(c->t, "c.cert", with_table);
    bool is_enough = v.status && !strcmp(v.status, "optimal");
    for (int i = 0; i < c->t->ruling.clauses; i++) /* verify uses local rules */
        is_enough |= !is_local(&c->t->ruling.clause[i]) && v.status &&
                     !strcmp(v.status, "bounded");
    c->tally->certificates++;
    bool fine = check_truth(c, &v, "the certificate") && check_basis(c, &v);
    if (fine && !strcmp(c->status, "optimal") && (v.end.code || !is_enough))
        fine = accuse(c, "verify: exit code %d, status %s: %s", v.end.code,
                      v.status ? v.status : "none", v.end.err ? v.end.err : "");
    forget(&v);
    return fine;
}

/* ---- forged certificates -------------------------------------------------
 */

/* The number that begins at a digit becomes another. */
static void change_number(char *text, size_t room, size_t at, uint64_t *seed)
{
    size_t end = at;
    char number[32];
    while (text[end] >= '0' && text[end] <= '9')
        end++;
    long long old = atoll(text + at);
    switch (draw_below(seed, 4)) {
    case 0:
        old += draw_between(seed, -2, 2);
        break;
    case 1:
        old *= draw_between(seed, 2, 1000);
        break;
    case 2:
        old /= draw_between(seed, 2, 10);
        break;
    default:
        old = draw_below(seed, 12);
    }
    int length = snprintf(number, sizeof number, "%lld", old);
    size_t rest = strlen(text + end) + 1;
    if (at + (size_t)length + rest > room)
        return;
    memmove(text + at + length, text + end, rest);
    memcpy(text + at, number, (size_t)length);
}

/* A line is left out, or is there twice. */
static void change_line(char *text, size_t room, size_t at, bool twice)
{
    size_t begin = at, end = at;
    while (begin && text[begin - 1] != '\n')
        begin--;
    while (text[end] && text[end] != '\n')
        end++;
    end += text[end] == '\n';
    size_t length = end - begin, rest = strlen(text + end) + 1;
    if (!twice)
        memmove(text + begin, text + end, rest);
    else if (end + length + rest <= room) {
        memmove(text + end + length, text + end, rest);
        memcpy(text + end, text + begin, length);
    }
}

static bool forge(const char *from, uint64_t *seed)
{
    size_t room = 2 * strlen(from) + 4096;
    char *text = malloc(room);
    FILE *to = fopen("forged.cert", "w");
    if (!text || !to)
        abort();
    strcpy(text, from);
    for (int count = draw_between(seed, 1, 4); count && *text; count--) {
        size_t length = strlen(text), at = draw(seed) % length;
        if (draw_chance(seed, .15)) {
            change_line(text, room, at, draw_chance(seed, .5));
            continue;
        }
        while (at && (text[at] < '0' || text[at] > '9'))
            at--;
        while (at && text[at - 1] >= '0' && text[at - 1] <= '9')
            at--;
        if (text[at] >= '0' && text[at] <= '9')
            change_number(text, room, at, seed);
    }
    bool is_other = strcmp(text, from) != 0;
    fputs(text, to);
    fclose(to);
    free(text);
    return is_other;
}

static bool check_forged(struct claim *c, uint64_t *seed)
{
    char *text = file_read("c.cert");
    bool fine = text != NULL;
    for (int i = 0; i < 3 && fine; i++) {
        if (!forge(text, seed))
            continue;
        struct verdict v = verify(c->t, "forged.cert", false);
        c->tally->forged++;
        fine = check_truth(c, &v, "a forged certificate");
        forget(&v);
    }
    free(text);
    return fine;
}

bool check_certificate(struct claim *c)
{
    struct trial *t = c->t;
    uint64_t seed = t->seed ^ 0x666f72676564u;
    if (!t->has_certificate || !t->has_lists)
        return true;
    if (access("c.cert", R_OK))
        return accuse(c, "no certificate was written");
    bool with_table = t->mode != SOLVE && t->has_all && !t->reading.available &&
                      score_is_known(t->reading.score) &&
                      draw_chance(&seed, .5);
    return check_own(c, with_table) && check_forged(c, &seed);
}

/* ---- lists ---------------------------------------------------------------
 */

/* Does the list have a set within this one that is as good? */
static bool is_dominated(const struct trial *t, int v, unsigned set)
{
    double score = t->all.local[v][set];
    for (unsigned s = set;; s = (s - 1) & set) {
        if (t->lists.local[v][s] >= score - tolerance(score))
            return true;
        if (!s)
            return false;
    }
}

/* Is there a network with this family that obeys? */
static bool is_possible(const struct trial *t, const struct ruling *r, int v,
                        unsigned set)
{
    static struct scores some;
    double best;
    some = t->all;
    for (unsigned p = 0; p < 1u << t->n; p++)
        if (p != set)
            some.local[v][p] = -INFINITY;
    return best_score(&some, r, &best) == FOUND;
}

static bool check_list(struct claim *c, int v, const struct json *row)
{
    const struct trial *t = c->t;
    const struct ruling *r = t->mode == LEARN ? &t->ruling : &t->score_ruling;
    double most = json_number(json_get(row, "max_parents"));
    double ceiling = json_number(json_get(row, "ceiling"));
    bool is_complete = json_number(json_get(row, "complete")) > 0;
    for (unsigned p = 0; p < 1u << t->n; p++) {
        double listed = t->lists.local[v][p], counted = t->all.local[v][p];
        if (listed > -INFINITY &&
            !(fabs(listed - counted) <= tolerance(counted)))
            return accuse(c, "%c, set %x: %.9f is listed, and it is %.9f",
                          'A' + v, p, listed, counted);
        if (listed > -INFINITY || !(counted > -INFINITY) ||
            !ruling_allows(r, v, p) || __builtin_popcount(p) > most ||
            (!is_complete && isnan(ceiling)) ||
            (!is_complete && counted <= ceiling + tolerance(counted)) ||
            is_dominated(t, v, p) || !is_possible(t, r, v, p))
            continue;
        return accuse(c,
                      "%c, set %x: %.9f is not listed, and nothing in it is "
                      "as good%s",
                      'A' + v, p, counted,
                      is_complete ? "" : "; it is above the ceiling");
    }
    return true;
}

bool check_lists(struct claim *c)
{
    const struct trial *t = c->t;
    char *text = t->mode == SOLVE ? NULL : file_read("s.jkl.json");
    struct json *j = text ? json_read(text) : NULL;
    const struct json *rows = json_get(j, "variables");
    bool fine = true;
    for (int v = 0; v < t->n && fine && t->has_all && t->has_lists; v++) {
        c->tally->lists++;
        fine = json_at(rows, v)
                   ? check_list(c, v, json_at(rows, v))
                   : accuse(c, "nothing stands beside the score file");
    }
    json_free(j);
    free(text);
    return fine;
}
