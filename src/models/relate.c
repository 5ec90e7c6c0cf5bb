/* SPDX-License-Identifier: MIT */
/* relate.c -- queries about the graph of a network: d-separation with an open
 * path, Markov blankets, ancestors, descendants, paths, smallest separators,
 * conditional tables.
 *
 * Names come in the language of queries (models/query/language.h), with ';'
 * between the two sides:
 *
 *     question = names ";" names ["|" names]     sets of variables
 *     pair     = name "," name ["|" names]       of --paths and --separator
 *
 * The graph algorithms are those of graph/d_separation.h: linear in the graph,
 * so that 10,000 variables take milliseconds. */
#include "models/relate.h"

#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "graph/moral.h"
#include "graph/reach.h"
#include "models/query/language.h"

static const struct bestdag_option option_rows[] = {
    {"blanket", BESTDAG_TEXT, .value = "X",
     .help = "print the Markov blanket: parents, children, and the other "
             "parents of the children"},
    {"ancestors", BESTDAG_TEXT, .value = "X",
     .help = "print all variables with a directed path to X"},
    {"descendants", BESTDAG_TEXT, .value = "X",
     .help = "print all variables with a directed path from X"},
    {"paths", BESTDAG_TEXT, .value = "A,B",
     .help = "print the paths between A and B, shortest first, and what blocks "
             "them; 'A,B | C, D' given C and D"},
    {"max-paths", BESTDAG_INTEGER, "20", 1, 10000, .value = "N",
     .help = "print at most this many paths"},
    {"separator", BESTDAG_TEXT, .value = "A,B",
     .help = "print a smallest set that d-separates A and B; 'A,B | C' one to "
             "be given in addition to C"},
    {"cpt", BESTDAG_TEXT, .value = "X",
     .help = "print the conditional probabilities of X, with the number of "
             "data rows behind them if the network has it"},
    {0}};
const struct bestdag_option_group bestdag_relate_options = {"relate",
                                                            option_rows};

/* ---- what all questions share -------------------------------------------- */

struct bestdag_d_question bestdag_relation_question(
    const struct bestdag_relation *r)
{
    return (struct bestdag_d_question){r->network->dag, &r->children, r->role};
}

void bestdag_relation_names(struct bestdag_relation *r, const char *key,
                            const int *variables, int count)
{
    bestdag_json_open(&r->w, key, '[');
    for (int i = 0; i < count; i++)
        bestdag_json_add_text(&r->w, NULL,
                              r->network->variable[variables[i]].name);
    bestdag_json_close(&r->w, ']');
}

static const char *text_of(const struct bestdag_options *options,
                           const char *key)
{
    return bestdag_option_value(options, &bestdag_relate_options, key).text;
}

/* Assigns a role to each variable; fails if one already has another. */
static int assign(struct bestdag_relation *r,
                  const struct bestdag_name_list *list, enum bestdag_role role)
{
    for (int i = 0; i < list->count; i++) {
        if (r->role[list->at[i]] != BESTDAG_ROLE_NONE)
            return bestdag_fail(r->run, BESTDAG_USAGE,
                                "'%s' is named twice in the question",
                                r->network->variable[list->at[i]].name);
        r->role[list->at[i]] = role;
    }
    return BESTDAG_OK;
}

/* The names on the two sides of ';', and after '|'. */
struct sides {
    struct bestdag_name_list from, to, given;
};

static void release_sides(struct sides *s)
{
    bestdag_names_release(&s->from);
    bestdag_names_release(&s->to);
    bestdag_names_release(&s->given);
}

static int assign_sides(struct bestdag_relation *r, const struct sides *s)
{
    memset(r->role, 0, (size_t)r->network->dag->n * sizeof *r->role);
    if (assign(r, &s->from, BESTDAG_ROLE_FROM) ||
        assign(r, &s->to, BESTDAG_ROLE_TO))
        return bestdag_run_status(r->run);
    return assign(r, &s->given, BESTDAG_ROLE_GIVEN);
}

static int read_given(struct bestdag_query_reader *reader, struct sides *to,
                      const char *expected)
{
    bool is_conditional = bestdag_tokens_skip(&reader->t, "|");
    if (is_conditional && reader->t.kind != BESTDAG_RULES_END &&
        bestdag_query_read_names(reader, &to->given))
        return bestdag_run_status(reader->t.run);
    return bestdag_query_close(reader, is_conditional ? "','" : expected);
}

/* "A, B ; C | D" */
static int read_question(struct bestdag_relation *r, const char *text,
                         struct sides *to)
{
    struct bestdag_query_reader reader;
    if (bestdag_query_open(&reader, r->run, r->network, text, "question") ||
        bestdag_query_read_names(&reader, &to->from))
        return bestdag_run_status(r->run);
    if (!bestdag_tokens_skip(&reader.t, ";"))
        return bestdag_tokens_expected(&reader.t, "',' or ';'");
    if (bestdag_query_read_names(&reader, &to->to) ||
        read_given(&reader, to, "',' or '|'"))
        return bestdag_run_status(r->run);
    return assign_sides(r, to);
}

static int move_second(struct bestdag_run *run, struct sides *s)
{
    s->to.at = bestdag_alloc(run, sizeof *s->to.at);
    if (!s->to.at)
        return bestdag_run_status(run);
    s->to.at[0] = s->from.at[1];
    s->from.count = s->to.count = 1;
    return BESTDAG_OK;
}

/* "A,B | C" */
static int read_pair(struct bestdag_relation *r, const char *key,
                     const char *text, struct sides *to)
{
    struct bestdag_query_reader reader;
    if (bestdag_query_open(&reader, r->run, r->network, text, key) ||
        bestdag_query_read_names(&reader, &to->from) ||
        read_given(&reader, to, "',' or '|'"))
        return bestdag_run_status(r->run);
    if (to->from.count != 2)
        return bestdag_fail(r->run, BESTDAG_USAGE,
                            "%s: expected two variables, found %d", key,
                            to->from.count);
    if (move_second(r->run, to))
        return bestdag_run_status(r->run);
    return assign_sides(r, to);
}

static int read_one(struct bestdag_relation *r, const char *key,
                    const char *text, int *to)
{
    struct bestdag_name_list list = {0};
    if (!bestdag_names_parse(r->run, r->network, text, key, &list)) {
        if (list.count == 1)
            *to = list.at[0];
        else
            bestdag_fail(r->run, BESTDAG_USAGE,
                         "%s: expected one variable, found %d", key,
                         list.count);
    }
    bestdag_names_release(&list);
    return bestdag_run_status(r->run);
}

/* ---- questions ----------------------------------------------------------- */

static int add_separation(struct bestdag_relation *r, const char *text)
{
    struct sides s = {0};
    int count = -1;
    if (!read_question(r, text, &s)) {
        struct bestdag_d_question q = bestdag_relation_question(r);
        count = bestdag_d_separation_path(r->run, &q, r->list);
    }
    if (count >= 0) {
        bestdag_relation_names(r, "from", s.from.at, s.from.count);
        bestdag_relation_names(r, "to", s.to.at, s.to.count);
        bestdag_relation_names(r, "given", s.given.at, s.given.count);
        bestdag_json_add_bool(&r->w, "separated", !count);
        bestdag_relation_path(r, r->list, count);
        bestdag_relation_colliders(r, r->list, count);
    }
    release_sides(&s);
    return bestdag_run_status(r->run);
}

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The parents of v's children that are not adjacent to v. */
static int list_spouses(struct bestdag_relation *r, int v, int count)
{
    const struct bestdag_dag *dag = r->network->dag;
    int spouses = 0;
    for (int i = 0; i < count; i++)
        if (!bestdag_dag_has_arc(dag, r->list[i], v) &&
            !bestdag_dag_has_arc(dag, v, r->list[i]))
            r->list[spouses++] = r->list[i];
    return spouses;
}

static int add_blanket(struct bestdag_relation *r, const char *text)
{
    const struct bestdag_adjacency *c = &r->children;
    int v = 0, n = r->network->dag->n;
    int *stamp = bestdag_calloc(r->run, (size_t)n + 1, sizeof *stamp);
    if (stamp && !read_one(r, "blanket", text, &v)) {
        const struct bestdag_parents *p = &r->network->dag->parents[v];
        int count = bestdag_moral_list(r->network->dag, c, v, stamp, r->list);
        qsort(r->list, (size_t)count, sizeof *r->list, ascending);
        bestdag_relation_names(r, "blanket", r->list, count);
        bestdag_relation_names(r, "parents", p->at, p->count);
        bestdag_relation_names(r, "children", c->to + c->start[v],
                               (int)(c->start[v + 1] - c->start[v]));
        bestdag_relation_names(r, "spouses", r->list,
                               list_spouses(r, v, count));
    }
    bestdag_free(stamp);
    return bestdag_run_status(r->run);
}

static int add_reached(struct bestdag_relation *r, const char *key,
                       const char *text)
{
    int v = 0, n = r->network->dag->n, count = 0;
    bool *marked = bestdag_calloc(r->run, (size_t)n + 1, sizeof *marked);
    if (marked && !read_one(r, key, text, &v)) {
        marked[v] = true;
        if (!strcmp(key, "ancestors"))
            bestdag_reach_mark_ancestors(r->run, r->network->dag, marked);
        else
            bestdag_reach_mark_descendants(r->run, &r->children, marked);
        for (int u = 0; u < n; u++)
            if (marked[u] && u != v)
                r->list[count++] = u;
        bestdag_relation_names(r, key, r->list, count);
    }
    bestdag_free(marked);
    return bestdag_run_status(r->run);
}

static int add_separator(struct bestdag_relation *r, const char *text)
{
    struct sides s = {0};
    int count;
    if (!read_pair(r, "separator", text, &s)) {
        struct bestdag_d_question q = bestdag_relation_question(r);
        if (!bestdag_d_separator(r->run, &q, r->list, &count)) {
            bestdag_json_add_bool(&r->w, "separable", count >= 0);
            if (count < 0)
                bestdag_json_add_text(&r->w, "separator", NULL);
            else
                bestdag_relation_names(r, "separator", r->list, count);
        }
    }
    release_sides(&s);
    return bestdag_run_status(r->run);
}

static int add_paths(struct bestdag_relation *r, const char *text, int64_t most)
{
    struct sides s = {0};
    if (!read_pair(r, "paths", text, &s))
        bestdag_relation_paths(r, (int[2]){s.from.at[0], s.to.at[0]}, most);
    release_sides(&s);
    return bestdag_run_status(r->run);
}

static int add_cpt(struct bestdag_relation *r, const char *text)
{
    int v = 0;
    if (read_one(r, "cpt", text, &v))
        return bestdag_run_status(r->run);
    return bestdag_relation_cpt(r, v);
}

/* ---- the whole ----------------------------------------------------------- */

static int add_answers(struct bestdag_relation *r, const char *question,
                       const struct bestdag_options *options)
{
    const char *blanket = text_of(options, "blanket");
    const char *ancestors = text_of(options, "ancestors");
    const char *descendants = text_of(options, "descendants");
    const char *paths = text_of(options, "paths");
    const char *separator = text_of(options, "separator");
    const char *cpt = text_of(options, "cpt");
    int64_t most =
        bestdag_option_value(options, &bestdag_relate_options, "max-paths")
            .integer;
    if (!question && !blanket && !ancestors && !descendants && !paths &&
        !separator && !cpt)
        return bestdag_fail(r->run, BESTDAG_USAGE,
                            "no question was given: 'A ; B | C', or blanket, "
                            "ancestors, descendants, paths, separator or cpt");
    if ((question && add_separation(r, question)) ||
        (blanket && add_blanket(r, blanket)) ||
        (ancestors && add_reached(r, "ancestors", ancestors)) ||
        (descendants && add_reached(r, "descendants", descendants)) ||
        (paths && add_paths(r, paths, most)) ||
        (separator && add_separator(r, separator)) || (cpt && add_cpt(r, cpt)))
        return bestdag_run_status(r->run);
    return BESTDAG_OK;
}

char *bestdag_network_relate(struct bestdag_run *run,
                             const struct bestdag_network *network,
                             const char *question,
                             const struct bestdag_options *options)
{
    if (bestdag_lacks(run, network, "network"))
        return NULL;
    struct bestdag_relation r = {
        .run = run, .network = network, .w = {.out.run = run}};
    size_t n = (size_t)network->dag->n;
    r.role = bestdag_calloc(run, n + 1, sizeof *r.role);
    r.list = bestdag_alloc(run, (n + 1) * sizeof *r.list);
    bestdag_adjacency_of_children(run, network->dag, &r.children);
    bestdag_json_open(&r.w, NULL, '{');
    if (!bestdag_run_status(run))
        add_answers(&r, question, options);
    bestdag_json_close(&r.w, '}');
    bestdag_free(r.role);
    bestdag_free(r.list);
    bestdag_adjacency_release(&r.children);
    return bestdag_json_take(&r.w);
}
