/* SPDX-License-Identifier: MIT */
/* test_json_network.c -- networks as JSON. */
#include "roundtrip.h"

extern const struct bestdag_format bestdag_format_json;
static const struct bestdag_format *const format = &bestdag_format_json;

#define HEAD "{\"bestdag\": \"network\", \"version\": 1, "

static const char golden[] = "{\n"
                             "  \"bestdag\": \"network\",\n"
                             "  \"version\": 1,\n"
                             "  \"name\": \"tiny\",\n"
                             "  \"properties\": [\"p\"],\n"
                             "  \"provenance\": {\n"
                             "    \"data\": \"x.csv\",\n"
                             "    \"rows\": \"10\"\n"
                             "  },\n"
                             "  \"variables\": [\n"
                             "    {\n"
                             "      \"name\": \"a\",\n"
                             "      \"states\": [\"<5\", \"\\\"\\u000a\"],\n"
                             "      \"parents\": [],\n"
                             "      \"table\": [\n"
                             "        [0.1, 0.9]\n"
                             "      ]\n"
                             "    },\n"
                             "    {\n"
                             "      \"name\": \"b\",\n"
                             "      \"states\": [\"0\", \"1\", \"2\"],\n"
                             "      \"parents\": [\"a\"],\n"
                             "      \"table\": [\n"
                             "        [0.25, 0.25, 0.5],\n"
                             "        [0, 1e-300, 1]\n"
                             "      ],\n"
                             "      \"counts\": [7, 0],\n"
                             "      \"properties\": [\"q\"]\n"
                             "    },\n"
                             "    {\n"
                             "      \"name\": \"bare\",\n"
                             "      \"parents\": [\"a\", \"b\"]\n"
                             "    }\n"
                             "  ]\n"
                             "}\n";

static void the_golden_text_is_read_and_written(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = must_read(run, format, golden);
    size_t size;
    assert_string_equal(net->variable[0].labels[1], "\"\n");
    assert_true(net->variable[1].table[4] == 1e-300);
    assert_int_equal(net->notes, 2);
    assert_string_equal(net->note[2], "rows");
    char *text = write_as(run, format, net, &size);
    assert_string_equal(text, golden);
    bestdag_free(text);
    bestdag_network_free(net);
    bestdag_run_free(run);
}

static void parents_may_come_in_any_order_and_late(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = must_read(
        run, format,
        HEAD "\"variables\": ["
             "{\"name\": \"x\", \"states\": [\"0\", \"1\"],"
             " \"parents\": [\"three\", \"two\"], \"table\": ["
             "[0, 1], [0.1, 0.9], [0.2, 0.8], [0.3, 0.7], [0.4, 0.6], "
             "[0.5, 0.5]], \"counts\": [0, 1, 2, 3, 4, 5]},"
             "{\"name\": \"two\", \"states\": [\"a\", \"b\"]},"
             "{\"name\": \"three\", \"states\": [\"a\", \"b\", \"c\"]}]}");
    const double *t = net->variable[0].table;
    for (int three = 0; three < 3; three++)
        for (int two = 0; two < 2; two++) {
            double expected = (2 * three + two) / 10.0;
            assert_true(t[(two * 3 + three) * 2] == expected);
            assert_int_equal(net->variable[0].counts[two * 3 + three],
                             2 * three + two);
        }
    bestdag_network_free(net);
    bestdag_run_free(run);
}

static void unknown_keys_are_noted_and_null_is_absent(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    int notes[2] = {0, 0};
    bestdag_run_on_progress(run, count_notes, notes);
    bestdag_network_free(must_read(
        run, format,
        HEAD "\"later\": [1], \"name\": null, \"provenance\": null, "
             "\"variables\": [{\"name\": \"a\", \"table\": null, "
             "\"states\": null, \"parents\": null, \"colour\": 3}]}"));
    assert_int_equal(notes[0], 0);
    assert_int_equal(notes[1], 2);
    bestdag_run_free(run);
}

static void errors_say_where(void **state)
{
    (void)state;
    must_refuse(format, "", "net:1:1: expected a value, found the end");
    must_refuse(format, "[]", "net:1:1: expected an object, found a list");
    must_refuse(format, "{}", "net:1:1: expected \"bestdag\": \"network\"");
    must_refuse(format, "{\"bestdag\": \"cuts\"}",
                "net:1:13: expected \"bestdag\": \"network\"");
    must_refuse(format, "{\"bestdag\": \"network\"}",
                "net:1:1: expected \"version\": 1");
    must_refuse(format, "{\"bestdag\": \"network\", \"version\": 2}",
                "net:1:35: this version is newer");
    must_refuse(format, HEAD "\"x\": 1}", "net:1:1: expected \"variables\"");
    must_refuse(format, HEAD "\"variables\": 3}",
                "net:1:51: expected a list for 'variables', found a number");
    must_refuse(format, HEAD "\"name\": 3, \"variables\": []}",
                "net:1:46: expected a text for 'name', found a number");
    must_refuse(format, HEAD "\"variables\": [3]}",
                "net:1:52: expected an object, found a number");
    must_refuse(format, HEAD "\"variables\":\n[{}]}",
                "net:2:2: this variable has no \"name\"");
    must_refuse(format, HEAD "\"variables\":\n[{\"name\": \"\"}]}",
                "net:2:11: a name is empty");
    must_refuse(format,
                HEAD "\"variables\":\n[{\"name\": \"a\", \"name\": \"b\"}]}",
                "net:2:24: a second 'name'");
    must_refuse(format,
                HEAD "\"variables\":\n[{\"name\": \"a\"}, {\"name\": \"a\"}]}",
                "net:2:26: two variables are called 'a'");
    must_refuse(format, HEAD "\"provenance\": {\"a\": 1}, \"variables\": []}",
                "net:1:58: expected a text for 'a', found a number");
}

static void refuse_variable(const char *members, const char *start)
{
    char text[512];
    snprintf(text, sizeof text,
             HEAD "\"variables\": [{\"name\": \"smoke\", \"states\": [\"0\", "
                  "\"1\"]},\n{\"name\": \"x\", %s}]}",
             members);
    must_refuse(format, text, start);
}

static void errors_in_a_variable_say_where(void **state)
{
    (void)state;
    refuse_variable("\"states\": [\"a\", 1]",
                    "net:2:31: expected a text, found");
    refuse_variable("\"states\": []", "net:2:25: expected states of 'x'");
    refuse_variable("\"states\": [\"a\", \"a\"]",
                    "net:2:10: two states of 'x' are called 'a'");
    refuse_variable("\"parents\": \"smoke\"",
                    "net:2:26: expected a list for 'parents', found a text");
    refuse_variable("\"parents\": [\"smok\"]",
                    "net:2:27: unknown parent 'smok', did you mean 'smoke'?");
    refuse_variable("\"parents\": [\"x\"]",
                    "net:2:27: a variable cannot be its own parent: 'x'");
    refuse_variable("\"parents\": [\"smoke\", \"smoke\"]",
                    "net:2:36: this parent is listed twice: 'smoke'");
    refuse_variable("\"table\": [[1]]",
                    "net:2:24: unknown states for the table of 'x'");
    refuse_variable("\"states\": [\"a\"], \"table\": [[1], [1]]",
                    "net:2:41: expected a table of 1 rows, found 2");
    refuse_variable("\"states\": [\"a\"], \"table\": [[1, 0]]",
                    "net:2:42: expected a row of 1 numbers, found 2");
    refuse_variable("\"states\": [\"a\"], \"table\": [[true]]",
                    "net:2:43: expected a number, found true or false");
    refuse_variable("\"states\": [\"a\"], \"table\": [[0.5]]",
                    "net:2:41: a row of the table of 'x' sums to 0.5");
}

static void names_that_are_not_text_are_refused(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = lettered(run, 2);
    set_name(run, net, 0, "\x01\x7f");
    size_t size;
    char *text = write_as(run, format, net, &size);
    assert_non_null(text);
    bestdag_free(text);
    set_name(run, net, 1, "\xed\xa0\x80");
    must_not_write(format, net,
                   "the name of variable '?"
                   "?"
                   "?' is not UTF-8");
    bestdag_network_free(net);
    bestdag_run_free(run);
}

static void random_networks_come_back_bit_by_bit(void **state)
{
    (void)state;
    round_trips(format, CONTROL | BRACKETS, assert_same, 400);
}

static void hostile_files_are_survived(void **state)
{
    (void)state;
    survives_truncation(format, golden);
    survives_mangling(format, golden, 3000);
    survives_lack_of_memory(format, golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_golden_text_is_read_and_written),
        cmocka_unit_test(parents_may_come_in_any_order_and_late),
        cmocka_unit_test(unknown_keys_are_noted_and_null_is_absent),
        cmocka_unit_test(errors_say_where),
        cmocka_unit_test(errors_in_a_variable_say_where),
        cmocka_unit_test(names_that_are_not_text_are_refused),
        cmocka_unit_test(random_networks_come_back_bit_by_bit),
        cmocka_unit_test(hostile_files_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
