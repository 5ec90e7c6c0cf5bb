/* SPDX-License-Identifier: MIT */
/* list.c -- what there is to choose from, as JSON: the tables of the doors. */
#include <stdio.h>
#include <string.h>

#include "base/simd.h"
#include "data/discretize/discretize.h"
#include "data/text/read.h"
#include "formats/format.h"
#include "models/compare.h"
#include "parents/parents.h"
#include "registry/option_registry.h"
#include "scores/score.h"
#include "search/solver.h"

static void add_row(struct bestdag_json_writer *w, const char *name,
                    const char *help)
{
    bestdag_json_open(w, NULL, '{');
    bestdag_json_add_text(w, "name", name);
    bestdag_json_add_text(w, "help", help);
    bestdag_json_close(w, '}');
}

static void list_formats(struct bestdag_json_writer *w)
{
    static const char *const keeps[] = {"picture", "structure", "all"};
    const struct bestdag_format *f;
    bestdag_json_open(w, NULL, '[');
    for (int i = 0; (f = bestdag_format_at(i)); i++) {
        bestdag_json_open(w, NULL, '{');
        bestdag_json_add_text(w, "name", f->name);
        bestdag_json_add_text(w, "help", f->help);
        bestdag_json_add_text(w, "suffixes", f->suffixes);
        bestdag_json_add_text(w, "keeps", keeps[f->keeps]);
        bestdag_json_add_bool(w, "reads", f->read != NULL);
        bestdag_json_add_bool(w, "needs_tables", f->needs_tables);
        bestdag_json_add_bool(w, "holds_numbers",
                              f->holds_numbers ||
                                  f->keeps != BESTDAG_KEEPS_ALL);
        bestdag_json_close(w, '}');
    }
    bestdag_json_close(w, ']');
}

static void list_tables(struct bestdag_json_writer *w)
{
    const struct bestdag_table_format *f;
    bestdag_json_open(w, NULL, '[');
    for (int i = 0; (f = bestdag_table_format_at(i)); i++) {
        bestdag_json_open(w, NULL, '{');
        bestdag_json_add_text(w, "name", f->name);
        bestdag_json_add_text(w, "help", f->help);
        bestdag_json_add_text(w, "suffixes", f->suffixes);
        bestdag_json_close(w, '}');
    }
    bestdag_json_close(w, ']');
}

static void list_methods(struct bestdag_json_writer *w)
{
    const struct bestdag_discretizer *d;
    bestdag_json_open(w, NULL, '[');
    for (int i = 0; (d = bestdag_discretizer_at(i)); i++) {
        char name[32];
        snprintf(name, sizeof name, "%s%s", d->name, d->is_counted ? ":K" : "");
        add_row(w, name, d->help);
    }
    bestdag_json_close(w, ']');
}

static void list_measures(struct bestdag_json_writer *w)
{
    const struct bestdag_compare_field *f;
    bestdag_json_open(w, NULL, '[');
    for (int i = 0; (f = bestdag_compare_field_at(i)); i++)
        add_row(w, f->name, f->definition);
    bestdag_json_close(w, ']');
}

static void list_scores(struct bestdag_json_writer *w)
{
    static const char *const rules[] = {"domination", "penalty and entropy",
                                        "urn"};
    const struct bestdag_score_type *t;
    bestdag_json_open(w, NULL, '[');
    for (int i = 0; (t = bestdag_score_at(i)); i++) {
        bestdag_json_open(w, NULL, '{');
        bestdag_json_add_text(w, "name", t->name);
        bestdag_json_add_text(w, "help", t->help);
        bestdag_json_add_text(w, "alias", t->alias);
        bestdag_json_add_bool(w, "equivalent", t->equivalent);
        bestdag_json_add_text(w, "pruning", rules[t->pruning]);
        bestdag_json_close(w, '}');
    }
    bestdag_json_close(w, ']');
}

static void list_features(struct bestdag_json_writer *w)
{
    const struct {
        const char *name, *help;
        bool present;
    } features[] = {
        {"zlib", "reads and writes .gz",
#ifdef BESTDAG_ZLIB
         true
#else
         false
#endif
        },
        {"zstd", "reads and writes .zst",
#ifdef BESTDAG_ZSTD
         true
#else
         false
#endif
        },
        {"expat", "reads XMLBIF",
#ifdef BESTDAG_EXPAT
         true
#else
         false
#endif
        },
        {"mpi", "works on several machines together",
#ifdef BESTDAG_MPI
         true
#else
         false
#endif
        },
        {"avx2", "instructions of the processor, used for counting",
         bestdag_simd() >= BESTDAG_WITH_AVX2},
        {"avx512", "those with VPOPCNTDQ",
         bestdag_simd() >= BESTDAG_WITH_AVX512},
    };
    bestdag_json_open(w, NULL, '[');
    for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
        bestdag_json_open(w, NULL, '{');
        bestdag_json_add_text(w, "name", features[i].name);
        bestdag_json_add_text(w, "help", features[i].help);
        bestdag_json_add_bool(w, "present", features[i].present);
        bestdag_json_close(w, '}');
    }
    bestdag_json_close(w, ']');
}

static void list_parents(struct bestdag_json_writer *w)
{
    const struct bestdag_strategy *s;
    bestdag_json_open(w, NULL, '[');
    for (int i = 0; (s = bestdag_strategy_at(i)); i++)
        add_row(w, s->name, s->help);
    bestdag_json_close(w, ']');
}

/* A setting of a solver, which --set gives, says so. */
static void add_option(struct bestdag_json_writer *w, const char *group,
                       const struct bestdag_option *o)
{
    bestdag_json_open(w, NULL, '{');
    bestdag_option_write(group, o, w);
    if (bestdag_solver_find(group))
        bestdag_json_add_text(w, "solver", group);
    bestdag_json_close(w, '}');
}

static void list_options(struct bestdag_json_writer *w)
{
    struct bestdag_option_place p;
    bestdag_json_open(w, NULL, '[');
    for (int i = 0; (p = bestdag_option_at(i)).row; i++)
        add_option(w, p.group.name, p.row);
    bestdag_json_close(w, ']');
}

static void add_solver(struct bestdag_json_writer *w,
                       const struct bestdag_solver *s)
{
    bestdag_json_open(w, NULL, '{');
    bestdag_json_add_text(w, "name", s->name);
    bestdag_json_add_text(w, "help", s->help);
    bestdag_json_add_text(w, "needs",
                          s->ground == BESTDAG_ON_SETS ? "sets" : "table");
    bestdag_json_open(w, "takes", '[');
    for (int i = 0; i < BESTDAG_NEEDS; i++)
        if (s->takes >> i & 1)
            bestdag_json_add_text(w, NULL, bestdag_need_name(i));
    bestdag_json_close(w, ']');
    bestdag_json_open(w, "settings", '[');
    for (const struct bestdag_option *o = s->settings; o && o->key; o++)
        add_option(w, s->name, o);
    bestdag_json_close(w, ']');
    bestdag_json_close(w, '}');
}

static void list_solvers(struct bestdag_json_writer *w)
{
    const struct bestdag_solver *s;
    bestdag_json_open(w, NULL, '[');
    for (int i = 0; (s = bestdag_solver_at(i)); i++)
        add_solver(w, s);
    bestdag_json_close(w, ']');
}

static void list_lists(struct bestdag_json_writer *w);

static const struct {
    const char *name, *help;
    void (*list)(struct bestdag_json_writer *w);
} lists[] = {
    {"tables", "table formats", list_tables},
    {"formats", "network formats", list_formats},
    {"methods", "discretisation methods", list_methods},
    {"measures", "measures that compare networks", list_measures},
    {"scores", "scores with their formulas", list_scores},
    {"parents", "strategies that find candidate parent sets", list_parents},
    {"solvers", "search algorithms", list_solvers},
    {"features", "libraries this build uses", list_features},
    {"options", "all options with type, range and default", list_options},
    {"lists", "the lists", list_lists},
};

enum { LISTS = sizeof lists / sizeof *lists };

static void list_lists(struct bestdag_json_writer *w)
{
    bestdag_json_open(w, NULL, '[');
    for (int i = 0; i < LISTS; i++)
        add_row(w, lists[i].name, lists[i].help);
    bestdag_json_close(w, ']');
}

static const char *name_of_list(const void *unused, int i)
{
    (void)unused;
    return lists[i].name;
}

char *bestdag_list(struct bestdag_run *run, const char *what)
{
    char suggestion[128];
    if (bestdag_lacks(run, what, "name of a list"))
        return NULL;
    for (int i = 0; i < LISTS; i++)
        if (!strcmp(lists[i].name, what)) {
            struct bestdag_json_writer w = {.out.run = run};
            lists[i].list(&w);
            return bestdag_json_take(&w);
        }
    const char *near = bestdag_nearest(what, name_of_list, NULL, LISTS);
    bestdag_fail(run, BESTDAG_USAGE, "there is no list of '%s'%s", what,
                 near ? bestdag_suggest(suggestion, near)
                      : "; 'bestdag list lists' shows all");
    return NULL;
}
