/* SPDX-License-Identifier: MIT */
/* option_registry.c -- every option there is, and setting one by its name.
 *
 * The rows stand with what they steer; solvers and scores bring theirs through
 * their own tables. A group that is not theirs is a row here. */
#include "registry/option_registry.h"

#include <assert.h>
#include <string.h>

#include "scores/score.h"
#include "search/solver.h"

#define GROUPS(ROW)                                                            \
    ROW(run)                                                                   \
    ROW(table)                                                                 \
    ROW(discretize)                                                            \
    ROW(score)                                                                 \
    ROW(inference)                                                             \
    ROW(fit)                                                                   \
    ROW(em)                                                                    \
    ROW(sample)                                                                \
    ROW(evaluate)                                                              \
    ROW(query)                                                                 \
    ROW(impute)                                                                \
    ROW(generate)                                                              \
    ROW(parents)                                                               \
    ROW(resume_file)                                                           \
    ROW(solve)                                                                 \
    ROW(checkpoint)                                                            \
    ROW(learn)                                                                 \
    ROW(bootstrap)                                                             \
    ROW(classify)                                                              \
    ROW(relate)                                                                \
    ROW(verify)                                                                \
    ROW(jkl)
#define DECLARE(name)                                                          \
    extern const struct bestdag_option_group bestdag_##name##_options;
#define ENTRY(name) &bestdag_##name##_options,
GROUPS(DECLARE)
static const struct bestdag_option_group *const groups[] = {GROUPS(ENTRY)};

enum {
    COUNT = sizeof groups / sizeof *groups,
    MOST = 64 /* groups in total */
};

/* All groups, each once: those above, of scores and of solvers. */
struct all {
    struct bestdag_option_group group[MOST];
    int count;
};

static void add_group(struct all *all, struct bestdag_option_group group)
{
    for (int i = 0; i < all->count; i++)
        if (group.row == all->group[i].row && group.name == all->group[i].name)
            return; /* several scores have it */
    assert(all->count < MOST);
    all->group[all->count++] = group;
}

static struct all all_groups(void)
{
    struct all all = {.count = 0};
    const struct bestdag_score_type *t;
    const struct bestdag_solver *s;
    for (int i = 0; i < COUNT; i++)
        add_group(&all, *groups[i]);
    for (int i = 0; (t = bestdag_score_at(i)); i++)
        for (int g = 0; g < BESTDAG_SCORE_GROUPS && t->options[g]; g++)
            add_group(&all, *t->options[g]);
    for (int i = 0; (s = bestdag_solver_at(i)); i++)
        if (s->settings)
            add_group(&all, bestdag_solver_settings(s));
    return all;
}

static struct bestdag_option_place at(const struct all *all, int i)
{
    struct bestdag_option_place place = {0};
    for (int g = 0; i >= 0 && g < all->count; g++) {
        int count = bestdag_option_count(&all->group[g]);
        if (i < count) {
            place.group = all->group[g];
            place.row = &place.group.row[i];
            return place;
        }
        i -= count;
    }
    return place;
}

struct bestdag_option_place bestdag_option_at(int i)
{
    struct all all = all_groups();
    return at(&all, i);
}

/* Is this the row of "key", or of "group.key"? Those of the run are set by
 * bestdag_run_set(). */
static bool is_named(const struct bestdag_option_place *p, const char *name)
{
    size_t n = strlen(p->group.name);
    if (!strcmp(p->group.name, "run"))
        return false;
    return !strcmp(p->row->key, name) ||
           (!strncmp(p->group.name, name, n) && name[n] == '.' &&
            !strcmp(p->row->key, name + n + 1));
}

static const char *key_of(const void *all, int i)
{
    struct bestdag_option_place p = at(all, i);
    return strcmp(p.group.name, "run") != 0 ? p.row->key : "";
}

static int fail_unknown(struct bestdag_run *run, const struct all *all,
                        const char *key)
{
    char suggestion[128];
    int count = 0;
    while (at(all, count).row)
        count++;
    const char *near = bestdag_nearest(key, key_of, all, count);
    return bestdag_fail(run, BESTDAG_USAGE, "unknown setting '%s'%s", key,
                        bestdag_suggest(suggestion, near));
}

int bestdag_options_set(struct bestdag_run *run,
                        struct bestdag_options *options, const char *key,
                        const char *value)
{
    struct bestdag_option_place p;
    struct bestdag_value checked;
    struct all all = all_groups();
    int count = 0;
    if (bestdag_lacks(run, options, "bag of options"))
        return bestdag_run_status(run);
    key = key ? key : "";
    for (int i = 0; (p = at(&all, i)).row; i++)
        if (is_named(&p, key) && ++count &&
            bestdag_option_parse(run, p.row, value, &checked))
            return BESTDAG_USAGE;
    if (!count)
        return fail_unknown(run, &all, key);
    for (int i = 0; (p = at(&all, i)).row; i++)
        if (is_named(&p, key) &&
            bestdag_option_put(run, options, p.group.name, p.row, value))
            return bestdag_run_status(run);
    return BESTDAG_OK;
}
