/* SPDX-License-Identifier: MIT */
/* test_options.c -- the table of settings and the bag. */
#include "scratch.h"

#include "registry/option_registry.h"

extern const struct bestdag_option_group bestdag_table_options,
    bestdag_fit_options, bestdag_generate_options, bestdag_parents_options;

static void every_row_is_complete(void **state)
{
    (void)state;
    struct bestdag_option_place p;
    for (int i = 0; (p = bestdag_option_at(i)).row; i++) {
        const struct bestdag_option *o = p.row;
        assert_true(*o->key && *p.group.name && *o->help);
        assert_int_equal(o->type == BESTDAG_CHOICE, o->choices || o->names);
        assert_int_equal(o->type == BESTDAG_FLAG, o->value == NULL);
        if (o->type == BESTDAG_INTEGER || o->type == BESTDAG_NUMBER ||
            o->type == BESTDAG_SIZE || o->type == BESTDAG_DURATION)
            assert_true(o->least < o->most);
        const char *end = o->help + strlen(o->help);
        assert_true(end[-1] != '.' || end[-2] == '.'); /* "..." */
        for (int j = 0; j < i; j++) {
            struct bestdag_option_place other = bestdag_option_at(j);
            if (!strcmp(p.group.name, other.group.name))
                assert_string_not_equal(o->key, other.row->key);
            assert_true(!o->letter || o->letter != other.row->letter);
        }
    }
    assert_null(bestdag_option_at(-1).row);
}

static void every_default_is_a_legal_value(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_option_place p;
    for (int i = 0; (p = bestdag_option_at(i)).row; i++) {
        const struct bestdag_option *o = p.row;
        struct bestdag_value value;
        if (o->fallback)
            bestdag_option_parse(run, o, o->fallback, &value);
        assert_fine(run);
        value = bestdag_option_value(NULL, &p.group, o->key);
        if (o->fallback)
            assert_string_equal(value.text, o->fallback);
        else
            assert_null(value.text);
    }
    scratch_end(run);
}

static void ranges_end_where_the_table_says(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_option_place p;
    for (int i = 0; (p = bestdag_option_at(i)).row; i++) {
        const struct bestdag_option *o = p.row;
        if (o->type != BESTDAG_INTEGER && o->type != BESTDAG_NUMBER)
            continue;
        struct bestdag_value value;
        char text[BESTDAG_NUMBER_ROOM];
        double ends[2] = {o->least, o->most};
        for (int e = 0; e < 2; e++) {
            bestdag_number_format(ends[e], text);
            bestdag_option_parse(run, o, text, &value);
            assert_fine(run);
            assert_true(value.number == ends[e]);
            double beyond = ends[e] + (e ? 1 : -1) * (1 + ends[e] / 1e6);
            bestdag_number_format(beyond, text);
            bestdag_option_parse(run, o, text, &value);
            assert_failed(run, BESTDAG_USAGE, "number from");
        }
        bestdag_option_parse(run, o, "many", &value);
        assert_failed(run, BESTDAG_USAGE, "'many' is not a");
    }
    scratch_end(run);
}

static void the_nearest_key_is_suggested(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_options *o = bestdag_options_new(run);
    assert_int_equal(bestdag_options_set(run, o, "mising", "drop"),
                     BESTDAG_USAGE);
    assert_failed(run, BESTDAG_USAGE,
                  "unknown setting 'mising', did you mean 'missing'?");
    bestdag_options_set(run, o, "xyzzy", "1");
    assert_null(strstr(bestdag_run_error(run), "did you mean"));
    assert_failed(run, BESTDAG_USAGE, "unknown setting 'xyzzy'");
    bestdag_options_set(run, o, "", "1");
    assert_failed(run, BESTDAG_USAGE, "unknown setting ''");
    bestdag_options_set(run, o, NULL, "1");
    assert_failed(run, BESTDAG_USAGE, "unknown setting ''");
    bestdag_options_set(run, o, "threads", "1"); /* of the run */
    assert_failed(run, BESTDAG_USAGE, "unknown setting 'threads'");
    bestdag_options_free(o);
    scratch_end(run);
}

static void choices_are_told(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_options *o = bestdag_options_new(run);
    static const char *const good[] = {"drop", "state", "error", "keep"};
    for (int i = 0; i < COUNT(good); i++) {
        assert_int_equal(bestdag_options_set(run, o, "missing", good[i]), 0);
        assert_string_equal(
            bestdag_option_value(o, &bestdag_table_options, "missing").text,
            good[i]);
    }
    static const char *const bad[] = {"", "drop|state", "dropp", "|", "DROP"};
    for (int i = 0; i < COUNT(bad); i++) {
        assert_int_equal(bestdag_options_set(run, o, "missing", bad[i]),
                         BESTDAG_USAGE);
        assert_failed(run, BESTDAG_USAGE, "is not one of drop|state|error");
    }
    bestdag_options_set(run, o, "missing", "stat");
    assert_failed(run, BESTDAG_USAGE, "did you mean 'state'?");
    assert_string_equal(
        bestdag_option_value(o, &bestdag_table_options, "missing").text,
        "keep");
    assert_int_equal(bestdag_options_set(run, o, "decimal", ","), BESTDAG_OK);
    bestdag_options_free(o);
    scratch_end(run);
}

static void flags_are_yes_or_no(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_options *o = bestdag_options_new(run);
    assert_int_equal(
        bestdag_option_value(o, &bestdag_table_options, "no-header").integer,
        0);
    assert_false(bestdag_option_given(o, &bestdag_table_options, "no-header"));
    assert_int_equal(bestdag_options_set(run, o, "no-header", "yes"), 0);
    assert_int_equal(
        bestdag_option_value(o, &bestdag_table_options, "no-header").integer,
        1);
    assert_true(bestdag_option_given(o, &bestdag_table_options, "no-header"));
    assert_int_equal(bestdag_options_set(run, o, "no-header", "no"), 0);
    assert_int_equal(
        bestdag_option_value(o, &bestdag_table_options, "no-header").integer,
        0);
    assert_int_equal(bestdag_options_set(run, o, "no-header", NULL), 0);
    assert_int_equal(
        bestdag_option_value(o, &bestdag_table_options, "no-header").integer,
        1);
    bestdag_options_set(run, o, "no-header", "maybe");
    assert_failed(run, BESTDAG_USAGE, "no-header: 'maybe' is not yes or no");
    bestdag_options_free(o);
    scratch_end(run);
}

static void values_are_copied_and_replaced(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_options *o = bestdag_options_new(run);
    char text[] = "a,b";
    assert_int_equal(bestdag_options_set(run, o, "ignore", text), BESTDAG_OK);
    text[0] = 'x';
    assert_string_equal(
        bestdag_option_value(o, &bestdag_table_options, "ignore").text, "a,b");
    assert_int_equal(bestdag_options_set(run, o, "ignore", "c"), BESTDAG_OK);
    assert_string_equal(
        bestdag_option_value(o, &bestdag_table_options, "ignore").text, "c");
    assert_int_equal(bestdag_options_set(run, o, "pseudo", "0.5"), BESTDAG_OK);
    assert_true(
        bestdag_option_value(o, &bestdag_fit_options, "pseudo").number == 0.5);
    bestdag_memory_fail_at(run, 1);
    assert_int_equal(bestdag_options_set(run, o, "ignore", "d"),
                     BESTDAG_MEMORY);
    bestdag_run_clear(run);
    assert_string_equal(
        bestdag_option_value(o, &bestdag_table_options, "ignore").text, "c");
    assert_null(
        bestdag_option_value(o, &bestdag_table_options, "no-such-key").text);
    assert_false(
        bestdag_option_given(o, &bestdag_table_options, "no-such-key"));
    assert_false(bestdag_option_given(NULL, &bestdag_table_options, "ignore"));
    bestdag_options_free(o);
    scratch_end(run);
}

static void no_bag_is_answered(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    assert_int_equal(bestdag_options_set(run, NULL, "missing", "drop"),
                     BESTDAG_USAGE);
    assert_failed(run, BESTDAG_USAGE, "no bag of options");
    bestdag_fail(run, BESTDAG_INPUT, "before");
    assert_null(bestdag_options_new(run));
    bestdag_options_free(NULL);
    scratch_end(run);
}

static void the_list_is_json_with_every_row(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    char *text = bestdag_list(run, "options");
    struct bestdag_json *list = bestdag_json_read(run, text);
    assert_fine(run);
    struct bestdag_option_place p;
    int i = 0;
    for (; (p = bestdag_option_at(i)).row; i++) {
        const struct bestdag_option *o = p.row;
        const struct bestdag_json *row = bestdag_json_at(list, i);
        assert_string_equal(bestdag_json_text(bestdag_json_get(row, "name")),
                            o->key);
        assert_string_equal(bestdag_json_text(bestdag_json_get(row, "help")),
                            o->help);
        const char *fallback =
            bestdag_json_text(bestdag_json_get(row, "default"));
        assert_int_equal(fallback == NULL, o->fallback == NULL);
    }
    assert_int_equal(bestdag_json_count(list), i);
    bestdag_json_free(list);
    bestdag_text_free(text);
    scratch_end(run);
}

static void a_key_of_two_groups_is_set_in_both(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_options *options = bestdag_options_new(run);
    bestdag_options_set(run, options, "max-parents", "7");
    assert_int_equal(
        bestdag_option_value(options, &bestdag_generate_options, "max-parents")
            .integer,
        7);
    assert_int_equal(
        bestdag_option_value(options, &bestdag_parents_options, "max-parents")
            .integer,
        7);
    bestdag_options_set(run, options, "parents.max-parents", "30");
    assert_int_equal(
        bestdag_option_value(options, &bestdag_generate_options, "max-parents")
            .integer,
        7);
    assert_int_equal(
        bestdag_option_value(options, &bestdag_parents_options, "max-parents")
            .integer,
        30);
    assert_fine(run);
    bestdag_options_set(run, options, "max-parents", "30"); /* not of both */
    assert_failed(run, BESTDAG_USAGE, "max-parents");
    bestdag_options_set(run, options, "fit.max-parents", "3");
    assert_failed(run, BESTDAG_USAGE, "unknown setting");
    bestdag_options_free(options);
    scratch_end(run);
}

/* The command refuses to destroy files by what the table says of them. */
static void whatever_is_written_is_called_an_output(void **state)
{
    (void)state;
    static const char *const names[] = {"FILE", "NET", "DATA", "DIR"};
    struct bestdag_option_place p;
    int outputs = 0;
    for (int i = 0; (p = bestdag_option_at(i)).row; i++) {
        const struct bestdag_option *o = p.row;
        bool is_file = o->type == BESTDAG_FILE || o->type == BESTDAG_FILES ||
                       o->type == BESTDAG_OUTPUT || o->type == BESTDAG_FOLDER;
        bool is_named = false;
        for (int k = 0; o->value && k < COUNT(names); k++)
            is_named = is_named || !strcmp(o->value, names[k]);
        if (is_file != is_named)
            fail_msg("%s takes %s, and its type is not that of a file", o->key,
                     o->value);
        bool writes = strstr(o->help, "write ") || !strncmp(o->help, "keep", 4);
        if (is_file && o->type != BESTDAG_FOLDER &&
            writes != (o->type == BESTDAG_OUTPUT))
            fail_msg("is %s an output?", o->key);
        outputs += o->type == BESTDAG_OUTPUT;
    }
    assert_true(outputs >= 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_complete),
        cmocka_unit_test(every_default_is_a_legal_value),
        cmocka_unit_test(ranges_end_where_the_table_says),
        cmocka_unit_test(the_nearest_key_is_suggested),
        cmocka_unit_test(choices_are_told),
        cmocka_unit_test(flags_are_yes_or_no),
        cmocka_unit_test(values_are_copied_and_replaced),
        cmocka_unit_test(no_bag_is_answered),
        cmocka_unit_test(the_list_is_json_with_every_row),
        cmocka_unit_test(a_key_of_two_groups_is_set_in_both),
        cmocka_unit_test(whatever_is_written_is_called_an_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
