/* SPDX-License-Identifier: MIT */
/* classify.c -- training a classifier.
 *
 *     rows without missing values -> states that occur -> numbers cut, by these
 *     rows alone -> structure (classifier_structure.c) -> tables
 * (classifier_tables.c)
 *
 * The result is an ordinary network; its class is marked and its cuts are
 * stored (classifier_roles.c), so that new rows are read in the same way. */
#include "models/classify.h"

#include <string.h>

#include "data/check/warnings.h"
#include "data/digest.h"
#include "data/discretize/cutting.h"
#include "data/missing.h"
#include "data/states.h"
#include "models/classifier_tables.h"
#include "scores/score.h"

static const struct bestdag_option option_rows[] = {
    {"model", BESTDAG_CHOICE, "tan", .choices = "nb|tan|ckg", .value = "NAME",
     .help =
         "classifier: nb, tan or ckg; nb: naive Bayes, attributes depend on "
         "the class alone; tan: each on one more attribute, as a forest; ckg: "
         "each on up to --max-parents more, which precede it in the best tree"},
    {"class", BESTDAG_TEXT, .value = "COLUMN",
     .help = "class column; by default the last one (predict: the class stored "
             "in the model)"},
    {"max-parents", BESTDAG_INTEGER, "2", 0, 20, .value = "K",
     .help = "ckg: maximum number of parents of an attribute, not counting the "
             "class"},
    {"branching", BESTDAG_CHOICE, "both", .choices = "both|tree|forest",
     .value = "NAME",
     .help =
         "tan, ckg: tree, one over all attributes, also with arcs that gain "
         "nothing, as in their papers; forest, only arcs that gain; both: "
         "what scores better"},
    {"smoothing", BESTDAG_NUMBER, "5", 0, 1e9, .value = "X",
     .help = "pseudo-count added to each table row, distributed like the "
             "marginal of its variable"},
    {"method", BESTDAG_TEXT, "mdl", .value = "METHOD",
     .help = "how numeric columns are discretised: mdl, mean, median, width:K "
             "or quantile:K; cut points come from the training rows; mdl makes "
             "as many intervals as separate the classes"},
    {"folds", BESTDAG_INTEGER, "5", 2, 10000, .value = "K",
     .help = "validate: stratified K-fold cross-validation"},
    {"split", BESTDAG_NUMBER, NULL, 0.001, 0.999, .value = "X",
     .help = "validate: train on this fraction of the rows, drawn at random, "
             "and test on the rest"},
    {"test", BESTDAG_FILE, .value = "FILE",
     .help = "validate: train on all of DATA, test on this table"},
    {0}};
const struct bestdag_option_group bestdag_classify_options = {"classify",
                                                              option_rows};

/* ---- settings ------------------------------------------------------------ */

int bestdag_classify_settings(struct bestdag_run *run,
                              const struct bestdag_options *options,
                              struct bestdag_classify *to)
{
    const char *model =
        bestdag_option_value(options, &bestdag_classify_options, "model").text;
    *to = (struct bestdag_classify){
        .options = options,
        .model = *model == 'n'   ? BESTDAG_NB
                 : *model == 't' ? BESTDAG_TAN
                                 : BESTDAG_CKG,
        .max_parents = (int)bestdag_option_value(
                           options, &bestdag_classify_options, "max-parents")
                           .integer,
        .branching = bestdag_option_value(options, &bestdag_classify_options,
                                          "branching")
                         .text[0],
        .smoothing = bestdag_option_value(options, &bestdag_classify_options,
                                          "smoothing")
                         .number,
        .class =
            bestdag_option_value(options, &bestdag_classify_options, "class")
                .text,
        .method =
            bestdag_option_value(options, &bestdag_classify_options, "method")
                .text};
    if (bestdag_option_given(options, &bestdag_classify_options,
                             "max-parents") &&
        to->model != BESTDAG_CKG)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "max-parents applies to the model ckg, not to %s",
                            model);
    if (bestdag_option_given(options, &bestdag_classify_options, "branching") &&
        to->model == BESTDAG_NB)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "branching applies to the models tan and ckg, not "
                            "to nb");
    return BESTDAG_OK;
}

int bestdag_classify_class(struct bestdag_run *run,
                           const struct bestdag_table *table,
                           const struct bestdag_classify *how)
{
    int c = how->class ? bestdag_table_find_or_fail(run, table, how->class)
                       : table->columns - 1;
    if (bestdag_run_status(run))
        return -1;
    if (c < 0)
        bestdag_fail(run, BESTDAG_INPUT, "the table has no column");
    else if (table->column[c].kind != BESTDAG_CODES)
        bestdag_fail(run, BESTDAG_INPUT,
                     "the class '%s' has no states: choose another column "
                     "(--class), or discretise it",
                     table->column[c].name);
    return bestdag_run_status(run) ? -1 : c;
}

/* ---- the rows to learn from ---------------------------------------------- */

static void mark_missing(const struct bestdag_table *t, uint8_t *gone)
{
    for (int i = 0; i < t->columns; i++) {
        const struct bestdag_column *c = &t->column[i];
        if (!c->missing || c->kind == BESTDAG_OPAQUE)
            continue;
        for (int64_t r = 0; r < t->rows; r++)
            if (c->kind == BESTDAG_NUMBERS
                    ? isnan(((const double *)c->cells)[r])
                    : bestdag_column_code(c, r) < 0)
                gone[r] = 1;
    }
}

static int drop_missing(struct bestdag_run *run, struct bestdag_table *t)
{
    int64_t rows = t->rows;
    uint8_t *gone = bestdag_calloc(run, (size_t)rows + 1, 1);
    if (!gone)
        return bestdag_run_status(run);
    mark_missing(t, gone);
    bestdag_table_drop(run, t, gone);
    bestdag_free(gone);
    if (bestdag_run_status(run))
        return bestdag_run_status(run);
    t->dropped += rows - t->rows;
    if (t->rows < rows)
        bestdag_note(run, 0,
                     "%s%lld of %lld rows have a missing value and are not "
                     "used for training%s",
                     bestdag_table_dropped_many(t) ? "warning: " : "",
                     (long long)(rows - t->rows), (long long)rows,
                     bestdag_table_dropped_many(t)
                         ? "; --missing state keeps such rows, --ignore leaves "
                           "columns out"
                         : "");
    if (t->rows < 1 || t->total < 1)
        return bestdag_fail(run, BESTDAG_INPUT, "no complete row to train on");
    return BESTDAG_OK;
}

/* Cuts the columns of numbers; `list` gets the cuts. */
static struct bestdag_table *cut_numbers(struct bestdag_run *run,
                                         const struct bestdag_table *table,
                                         const struct bestdag_classify *how,
                                         int class,
                                         struct bestdag_interval_list *list)
{
    struct bestdag_cutting cutting = {.table = table,
                                      .class = &table->column[class]};
    if (bestdag_cutting_method(run, how->method, &cutting))
        return NULL;
    if (!cutting.method->is_classed)
        cutting.class = NULL;
    return bestdag_cutting_all(run, &cutting, list);
}

/* The complete rows, with only states that occur, all as codes. */
static struct bestdag_table *prepare(struct bestdag_run *run,
                                     const struct bestdag_table *table,
                                     const struct bestdag_classify *how,
                                     int class,
                                     struct bestdag_interval_list *list)
{
    struct bestdag_table *to = NULL, *rows = bestdag_table_copy(run, table);
    for (int c = 0; rows && c < rows->columns; c++)
        if (rows->column[c].kind == BESTDAG_OPAQUE)
            bestdag_column_need_codes(run, &rows->column[c]);
    if (rows && !bestdag_run_status(run) && !drop_missing(run, rows) &&
        !bestdag_table_prune(run, rows))
        to = cut_numbers(run, rows, how, class, list);
    bestdag_table_free(rows);
    return to;
}

/* ---- the network --------------------------------------------------------- */

static int set_structure(struct bestdag_run *run, struct bestdag_network *net,
                         const struct bestdag_dag *dag)
{
    for (int v = 0; v < dag->n; v++)
        if (bestdag_network_set_parents(run, net, v, dag->parents[v].at,
                                        dag->parents[v].count))
            break;
    return bestdag_run_status(run);
}

static int find_structure(struct bestdag_run *run, struct bestdag_network *net,
                          const struct bestdag_scorer *scorer,
                          const struct bestdag_classify *how, int class)
{
    struct bestdag_classifier_structure augment = {.scorer = scorer,
                                                   .class = class,
                                                   .model = how->model,
                                                   .branching = how->branching,
                                                   .max_parents =
                                                       how->max_parents};
    struct bestdag_dag *dag = bestdag_classifier_structure_find(run, &augment);
    if (dag)
        set_structure(run, net, dag);
    bestdag_dag_free(dag);
    return bestdag_run_status(run);
}

static void note_number(struct bestdag_run *run, struct bestdag_network *to,
                        const char *key, double value)
{
    char number[BESTDAG_NUMBER_ROOM];
    bestdag_number_format(value, number);
    bestdag_network_note(run, to, key, number);
}

static int note_score(struct bestdag_run *run, struct bestdag_network *net,
                      const struct bestdag_scorer *scorer)
{
    double sum = 0;
    for (int v = 0; v < net->dag->n; v++) {
        const struct bestdag_parents *p = &net->dag->parents[v];
        double local;
        if (bestdag_scorer_exact(run, scorer, v, p->at, p->count, &local))
            return bestdag_run_status(run);
        sum += local;
    }
    bestdag_network_note(run, net, "score_name", scorer->type->name);
    note_number(run, net, "score", sum);
    return bestdag_run_status(run);
}

static int write_provenance(struct bestdag_run *run,
                            struct bestdag_network *net,
                            const struct bestdag_table *rows,
                            const struct bestdag_classify *how)
{
    static const char *const names[] = {"nb", "tan", "ckg"};
    bestdag_network_note(run, net, "classifier", names[how->model]);
    note_number(run, net, "smoothing", how->smoothing);
    note_number(run, net, "rows", (double)rows->total);
    bestdag_network_note(run, net, "version", bestdag_version());
    return bestdag_run_status(run);
}

static int write_roles(struct bestdag_run *run, struct bestdag_network *net,
                       int class, const struct bestdag_interval_list *list)
{
    bestdag_classify_mark(run, &net->variable[class]);
    for (int i = 0; i < list->count && !bestdag_run_status(run); i++)
        bestdag_variable_mark_cuts(run, &net->variable[list->of[i].column],
                                   &list->of[i].cuts);
    return bestdag_run_status(run);
}

/* Learns from rows that are complete and all codes. */
static struct bestdag_network *learn(struct bestdag_run *run,
                                     const struct bestdag_table *rows,
                                     const struct bestdag_classify *how,
                                     int class)
{
    struct bestdag_network *net = bestdag_network_new(run, rows);
    struct bestdag_scorer *scorer =
        net ? bestdag_scorer_new(run, rows, how->options) : NULL;
    if (scorer && !find_structure(run, net, scorer, how, class) &&
        !note_score(run, net, scorer) &&
        !bestdag_smoothing_fit(run, net, rows, how->smoothing))
        write_provenance(run, net, rows, how);
    bestdag_scorer_free(scorer);
    if (!bestdag_run_status(run))
        return net;
    bestdag_network_free(net);
    return NULL;
}

struct bestdag_network *bestdag_classify_train(
    struct bestdag_run *run, const struct bestdag_table *table,
    const struct bestdag_classify *how)
{
    struct bestdag_interval_list list = {0};
    struct bestdag_network *net = NULL;
    int class = bestdag_classify_class(run, table, how);
    if (class < 0)
        return NULL;
    struct bestdag_table *rows = prepare(run, table, how, class, &list);
    if (rows && (net = learn(run, rows, how, class)))
        write_roles(run, net, class, &list);
    bestdag_intervals_release(&list);
    bestdag_table_free(rows);
    if (!bestdag_run_status(run))
        return net;
    bestdag_network_free(net);
    return NULL;
}

struct bestdag_network *bestdag_classifier_train(
    struct bestdag_run *run, const struct bestdag_table *table,
    const struct bestdag_options *options)
{
    struct bestdag_classify how;
    char digest[BESTDAG_SHA256_HEX];
    if (bestdag_lacks(run, table, "table") ||
        bestdag_classify_settings(run, options, &how))
        return NULL;
    bestdag_table_warn(run, table);
    struct bestdag_network *net = bestdag_classify_train(run, table, &how);
    if (!net)
        return NULL;
    if (!bestdag_table_digest_unstopped(run, table, digest))
        bestdag_network_note(run, net, "data_sha256", digest);
    if (!bestdag_run_status(run))
        return net;
    bestdag_network_free(net);
    return NULL;
}
