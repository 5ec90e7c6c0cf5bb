/* SPDX-License-Identifier: MIT */
/* test_sha256.c -- the hash of the standard, and that of tables. */
#include "small_tables.h"

#include "base/sha256.h"
#include "data/digest.h"

static void assert_hash(const void *bytes, size_t n, const char *expected)
{
    struct bestdag_sha256 s;
    char hex[BESTDAG_SHA256_HEX];
    bestdag_sha256_init(&s);
    bestdag_sha256_update(&s, bytes, n);
    bestdag_sha256_hex(&s, hex);
    assert_string_equal(hex, expected);
}

static void messages_of_the_standard_have_its_hashes(void **state)
{
    (void)state;
    const char *two =
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    const char *four =
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
        "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu";
    assert_hash("", 0,
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b"
                "855");
    assert_hash("abc", 3,
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f2001"
                "5ad");
    assert_hash(two, strlen(two),
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db0"
                "6c1");
    assert_hash(four, strlen(four),
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee"
                "9d1");
    char *million = malloc(1000000);
    memset(million, 'a', 1000000);
    assert_hash(million, 1000000,
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112"
                "cd0");
    free(million);
}

static void pieces_of_any_size_hash_like_the_whole(void **state)
{
    (void)state;
    uint8_t bytes[300], whole[BESTDAG_SHA256_BYTES], pieces[sizeof whole];
    struct bestdag_sha256 s;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)bestdag_mix(i);
    for (size_t length = 0; length <= sizeof bytes; length++) {
        bestdag_sha256_init(&s);
        bestdag_sha256_update(&s, bytes, length);
        bestdag_sha256_final(&s, whole);
        size_t piece = 1 + length % 67;
        bestdag_sha256_init(&s);
        for (size_t i = 0; i < length; i += piece)
            bestdag_sha256_update(&s, bytes + i,
                                  length - i < piece ? length - i : piece);
        bestdag_sha256_final(&s, pieces);
        assert_memory_equal(whole, pieces, sizeof whole);
    }
}

static void the_instructions_of_the_machine_hash_like_plain_code(void **state)
{
    (void)state;
    uint8_t bytes[1000], fast[BESTDAG_SHA256_BYTES], plain[sizeof fast];
    struct bestdag_sha256 s;
    if (!bestdag_sha256_x86_pick())
        skip();
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)bestdag_mix(i + 77);
    for (size_t length = 0; length <= sizeof bytes; length += 13) {
        bestdag_sha256_init(&s);
        bestdag_sha256_update(&s, bytes, length);
        bestdag_sha256_final(&s, fast);
        bestdag_sha256_init(&s);
        s.mix = bestdag_sha256_mix;
        bestdag_sha256_update(&s, bytes, length);
        bestdag_sha256_final(&s, plain);
        assert_memory_equal(fast, plain, sizeof fast);
    }
}

/* Codes a, b; numbers; weights. */
static struct bestdag_table *example(struct bestdag_run *run)
{
    const int8_t codes[] = {1, 0, -1};
    const double numbers[] = {0.5, (double)NAN, -0.0};
    const char *labels[] = {"no", "yes"};
    struct bestdag_table *t = bestdag_table_new(run, 3);
    bestdag_table_add_codes(run, t, "a", codes, 1, 2, labels);
    bestdag_table_add_numbers(run, t, "height", numbers);
    set_weights(run, t, (const int32_t[]){2, 1, 258});
    return t;
}

static void assert_digest(struct bestdag_run *run,
                          const struct bestdag_table *t, const char *expected)
{
    char hex[BESTDAG_SHA256_HEX];
    bestdag_table_digest(run, t, hex);
    assert_ok(run);
    assert_string_equal(hex, expected);
}

static void a_table_hashes_as_its_documented_bytes(void **state)
{
    (void)state;
    static const char bytes[] = "bestdag table 1\n"
                                "\3\0\0\0\0\0\0\0"
                                "\2\0\0\0\0\0\0\0"
                                "\1\0\0\0\0\0\0\0a"
                                "c"
                                "\2\0\0\0\0\0\0\0"
                                "\2\0\0\0\0\0\0\0no"
                                "\3\0\0\0\0\0\0\0yes"
                                "\1\0\xff"
                                "\6\0\0\0\0\0\0\0height"
                                "n"
                                "\0\0\0\0\0\0\xe0\x3f"
                                "\0\0\0\0\0\0\xf8\x7f"
                                "\0\0\0\0\0\0\0\0"
                                "\1"
                                "\2\0\0\0\1\0\0\0\2\1\0\0";
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = example(run);
    struct bestdag_sha256 s;
    char expected[BESTDAG_SHA256_HEX];
    bestdag_sha256_init(&s);
    bestdag_sha256_update(&s, bytes, sizeof bytes - 1);
    bestdag_sha256_hex(&s, expected);
    assert_digest(run, t, expected);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void the_digest_of_an_example_never_changes(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = example(run);
    assert_digest(run, t,
                  "a3c6526f20650adc4634714869be0068464bda66d66f216f"
                  "bb0da51cd659b935");
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void columns_of_many_states_hash_two_bytes_a_cell(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const int codes[] = {258, -1};
    struct bestdag_table *t = bestdag_table_new(run, 2);
    bestdag_table_add_codes(run, t, "x", codes, sizeof *codes, 300, NULL);
    struct bestdag_sha256 s;
    char expected[BESTDAG_SHA256_HEX], label[16];
    bestdag_sha256_init(&s);
    bestdag_sha256_update(&s,
                          "bestdag table 1\n"
                          "\2\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0"
                          "\1\0\0\0\0\0\0\0xc"
                          "\x2c\1\0\0\0\0\0\0",
                          16 + 16 + 10 + 8);
    for (int i = 0; i < 300; i++) {
        char head[8] = {0};
        head[0] = (char)snprintf(label, sizeof label, "%d", i);
        bestdag_sha256_update(&s, head, 8);
        bestdag_sha256_update(&s, label, strlen(label));
    }
    bestdag_sha256_update(&s, "\2\1\xff\xff\0", 5);
    bestdag_sha256_hex(&s, expected);
    assert_digest(run, t, expected);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void weights_of_one_do_not_change_the_digest(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = example(run);
    char plain[BESTDAG_SHA256_HEX], weighted[BESTDAG_SHA256_HEX];
    bestdag_table_digest(run, t, weighted);
    for (int r = 0; r < 3; r++)
        t->weights[r] = 1;
    bestdag_table_digest(run, t, plain);
    assert_string_not_equal(plain, weighted);
    bestdag_free(t->weights);
    t->weights = NULL;
    assert_digest(run, t, plain);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void whatever_a_table_says_is_in_its_digest(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = example(run);
    char hex[7][BESTDAG_SHA256_HEX];
    bestdag_table_digest(run, t, hex[0]);
    t->column[0].name[0] = 'b';
    bestdag_table_digest(run, t, hex[1]);
    t->column[0].labels[1][0] = 'Y';
    bestdag_table_digest(run, t, hex[2]);
    ((uint8_t *)t->column[0].cells)[1] = 1;
    bestdag_table_digest(run, t, hex[3]);
    ((double *)t->column[1].cells)[1] = 1;
    bestdag_table_digest(run, t, hex[4]);
    t->weights[2]++;
    bestdag_table_digest(run, t, hex[5]);
    add_opaque(run, t, "text", 70000);
    bestdag_table_digest(run, t, hex[6]);
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(hex[i], hex[j]);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void a_stopped_digest_is_an_error(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = example(run);
    char hex[BESTDAG_SHA256_HEX];
    bestdag_run_stop(run);
    assert_int_equal(bestdag_table_digest(run, t, hex), BESTDAG_FAILED);
    assert_string_equal(hex, "");
    bestdag_table_free(t);
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_of_the_standard_have_its_hashes),
        cmocka_unit_test(pieces_of_any_size_hash_like_the_whole),
        cmocka_unit_test(the_instructions_of_the_machine_hash_like_plain_code),
        cmocka_unit_test(a_table_hashes_as_its_documented_bytes),
        cmocka_unit_test(the_digest_of_an_example_never_changes),
        cmocka_unit_test(columns_of_many_states_hash_two_bytes_a_cell),
        cmocka_unit_test(weights_of_one_do_not_change_the_digest),
        cmocka_unit_test(whatever_a_table_says_is_in_its_digest),
        cmocka_unit_test(a_stopped_digest_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
