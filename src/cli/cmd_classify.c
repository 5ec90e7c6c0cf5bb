/* SPDX-License-Identifier: MIT */
/* cmd_classify.c -- bestdag classify: trains, applies and validates
 * classifiers. */
#include <math.h>
#include <string.h>

#include "cli.h"

/* ---- train and predict --------------------------------------------------- */

static void summarise_training(struct cli *cli,
                               const struct bestdag_network *model)
{
    const char *score = bestdag_network_noted(model, "score");
    int digits = (int)strcspn(score, ".e") + 7; /* six decimals */
    say(cli, "%s of %s rows, %s %.*s",
        bestdag_network_noted(model, "classifier"),
        bestdag_network_noted(model, "rows"),
        bestdag_network_noted(model, "score_name"),
        strchr(score, 'e') ? (int)strlen(score) : digits, score);
}

static int train(struct cli *cli)
{
    int status = check_output(cli, false);
    if (status)
        return status;
    struct bestdag_table *table =
        bestdag_table_read(cli->run, cli->file[1], cli->options);
    struct bestdag_network *model =
        bestdag_classifier_train(cli->run, table, cli->options);
    bestdag_table_free(table);
    if (model && !write_network(cli, model))
        summarise_training(cli, model);
    bestdag_network_free(model);
    return bestdag_run_status(cli->run);
}

static int predict(struct cli *cli)
{
    char a[64];
    if (cli->json)
        return report_error(cli, BESTDAG_USAGE,
                            "predict writes a table; --json is for train and "
                            "validate");
    struct bestdag_network *model =
        bestdag_network_read(cli->run, cli->file[2]);
    struct bestdag_table *table =
        model ? bestdag_table_read(cli->run, cli->file[1], cli->options) : NULL;
    struct bestdag_table *result =
        bestdag_classifier_predict(cli->run, model, table, cli->options);
    if (result && !write_table(cli, result))
        say(cli, "%s predicted",
            counted((double)bestdag_table_rows(result), "row", a));
    bestdag_table_free(result);
    bestdag_table_free(table);
    bestdag_network_free(model);
    return bestdag_run_status(cli->run);
}

/* ---- validate ------------------------------------------------------------ */

static int width_of(const struct bestdag_json *classes)
{
    int width = 5;
    for (int64_t i = 0; i < bestdag_json_count(classes); i++) {
        const char *name = bestdag_json_text(bestdag_json_at(classes, i));
        int n = (int)strlen(name);
        width = n > width ? n : width;
    }
    return width;
}

static void print_share(FILE *to, double x)
{
    if (isnan(x))
        fprintf(to, "  %9s", "-");
    else
        fprintf(to, "  %9.4f", x);
}

static void print_classes(FILE *to, const struct bestdag_json *report)
{
    const struct bestdag_json *list = bestdag_json_get(report, "per_class");
    int width = width_of(bestdag_json_get(report, "classes"));
    fprintf(to, "\n%-*s  %9s  %9s  %9s\n", width, "class", "rows", "precision",
            "recall");
    for (int64_t i = 0; i < bestdag_json_count(list); i++) {
        const struct bestdag_json *c = bestdag_json_at(list, i);
        fprintf(to, "%-*s  %9.0f", width, text_of(c, "name"),
                number_of(c, "rows"));
        print_share(to, number_of(c, "precision"));
        print_share(to, number_of(c, "recall"));
        fputc('\n', to);
    }
}

/* Only if it is narrow enough for a terminal; --json always has it. */
static void print_confusion(FILE *to, const struct bestdag_json *report)
{
    const struct bestdag_json *classes = bestdag_json_get(report, "classes");
    const struct bestdag_json *rows = bestdag_json_get(report, "confusion");
    int64_t n = bestdag_json_count(classes);
    int width = width_of(classes), cell = width > 7 ? width : 7;
    fprintf(to, "\npredicted (columns)\n%-*s", width, "class");
    for (int64_t k = 0; k < n; k++)
        fprintf(to, "  %*s", cell,
                bestdag_json_text(bestdag_json_at(classes, k)));
    for (int64_t i = 0; i < n; i++) {
        const struct bestdag_json *row = bestdag_json_at(rows, i);
        fprintf(to, "\n%-*s", width,
                bestdag_json_text(bestdag_json_at(classes, i)));
        for (int64_t k = 0; k < n; k++)
            fprintf(to, "  %*.0f", cell,
                    bestdag_json_number(bestdag_json_at(row, k)));
    }
    fputc('\n', to);
}

static void print_report(struct cli *cli, FILE *to,
                         const struct bestdag_json *report)
{
    const struct bestdag_json *seconds = bestdag_json_get(report, "seconds");
    const struct bestdag_json *interval = bestdag_json_get(report, "interval");
    char a[64], b[64];
    (void)cli;
    fprintf(to, "model       %s, %s, class '%s'\n", text_of(report, "model"),
            text_of(report, "score_name"), text_of(report, "class"));
    fprintf(to, "validation  %s: %s, %s\n", text_of(report, "validation"),
            counted(number_of(report, "models"), "model", a),
            counted(number_of(report, "rows"), "tested row", b));
    fprintf(to, "accuracy    %.4f (95 %%: %.4f to %.4f)\n",
            number_of(report, "accuracy"),
            bestdag_json_number(bestdag_json_at(interval, 0)),
            bestdag_json_number(bestdag_json_at(interval, 1)));
    fprintf(to, "log loss    %.4f\n", number_of(report, "log_loss"));
    fprintf(to, "time        %.3f s, training %.3f s, prediction %.3f s\n",
            number_of(seconds, "total"), number_of(seconds, "train"),
            number_of(seconds, "predict"));
    print_classes(to, report);
    print_confusion(to, report);
}

static int validate(struct cli *cli)
{
    const char *path = setting_text(cli, "test");
    struct bestdag_table *test = NULL;
    struct bestdag_table *table =
        bestdag_table_read(cli->run, cli->file[1], cli->options);
    if (path)
        test = bestdag_table_read(cli->run, path, cli->options);
    char *report =
        bestdag_classifier_validate(cli->run, table, test, cli->options);
    bestdag_table_free(test);
    bestdag_table_free(table);
    return report ? show_report(cli, report, print_report)
                  : bestdag_run_status(cli->run);
}

/* ---- the command --------------------------------------------------------- */

static const struct {
    const char *name;
    int files; /* with the name itself */
    const char *arguments;
    int (*run)(struct cli *cli);
} actions[] = {{"train", 2, "train DATA", train},
               {"predict", 3, "predict DATA MODEL", predict},
               {"validate", 2, "validate DATA", validate}};

enum { ACTIONS = sizeof actions / sizeof *actions };

static int run_classify(struct cli *cli)
{
    const char *names[ACTIONS];
    for (int i = 0; i < ACTIONS; i++) {
        names[i] = actions[i].name;
        if (strcmp(cli->file[0], actions[i].name))
            continue;
        if (cli->files != actions[i].files)
            return report_error(cli, BESTDAG_USAGE, "%s: bestdag classify %s",
                                cli->files < actions[i].files
                                    ? "an argument is missing"
                                    : "too many arguments",
                                actions[i].arguments);
        return actions[i].run(cli);
    }
    const char *near = bestdag_name_nearest(cli->file[0], names, ACTIONS);
    return report_error(cli, BESTDAG_USAGE,
                        "'%s' is not one of train, predict, validate%s%s%s",
                        cli->file[0], near ? ", did you mean '" : "",
                        near ? near : "", near ? "'?" : "");
}

static const char *const examples[] = {
    "bestdag classify train iris.csv --class species -o model.bif",
    "bestdag classify predict new.csv model.bif -o predictions.csv",
    "bestdag classify validate iris.csv --model ckg --score ll --folds 10",
    "bestdag classify validate train.csv --test test.csv --json", NULL};

const struct cli_command command_classify = {
    .name = "classify",
    .summary = "train, apply and validate classifiers",
    .arguments = "train|predict|validate DATA [MODEL]",
    .least = 2,
    .most = 3,
    .options = "@classify @score @inference @table threads seed time-limit "
               "memory-limit",
    .takes = TAKES_OUTPUT | TAKES_NETWORK_FORMAT | TAKES_JSON,
    .about =
        "train learns a classifier from DATA: a network in which the class is "
        "a parent of every attribute, and some attributes are parents of "
        "others. predict writes the most probable class of every row of DATA, "
        "and the probability of each class, as a table (CSV). validate "
        "estimates how accurate the predictions are on rows that were not "
        "trained on, by cross-validation (--folds), a random split (--split) "
        "or a second table (--test).\n\nThe classifier is written like any "
        "network; BIF, XMLBIF and JSON also store which variable is the class "
        "and where numeric columns were cut. Rows with a missing value are not "
        "used for training. In predictions missing values are summed out; so "
        "are values that did not occur in training. The same seed gives the "
        "same result for any number of threads.",
    .common = "class model max-parents score smoothing method folds split test "
              "output json missing ignore threads seed",
    .examples = examples,
    .run = run_classify,
    .lists = "scores methods formats tables",
    .missing = "keep",
};
