/* SPDX-License-Identifier: MIT */
/* Every network format, present and future: what it keeps comes back, and bad
 * files end in one line that names the place. */
#include <dirent.h>
#include <unistd.h>

#include "networks.h"

static struct bestdag_run *run;
static char folder[] = "/tmp/bestdag_formats_XXXXXX";

static int set_up(void **state)
{
    (void)state;
    run = bestdag_run_new();
    return !run || !mkdtemp(folder);
}

static int tear_down(void **state)
{
    char path[600];
    (void)state;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; (entry = readdir(dir));) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    closedir(dir);
    bestdag_run_free(run);
    return rmdir(folder);
}

static int clear(void **state)
{
    (void)state;
    bestdag_run_clear(run);
    return 0;
}

static const struct bestdag_format *find_format(const char *name)
{
    const struct bestdag_format *f;
    for (int i = 0; (f = bestdag_format_at(i)); i++)
        if (!strcmp(f->name, name))
            break;
    return f;
}

/* The i-th format that is read and keeps this much; NULL: no more. */
static const struct bestdag_format *keeper(enum bestdag_keeps keeps, int i)
{
    const struct bestdag_format *f;
    for (int k = 0; (f = bestdag_format_at(k)); k++)
        if (f->read && f->keeps == keeps && !i--)
            break;
    return f;
}

static const struct bestdag_format *readable(int i)
{
    const struct bestdag_format *f;
    for (int k = 0; (f = bestdag_format_at(k)); k++)
        if (f->read && !i--)
            break;
    return f;
}

/* Writes to folder/net.suffix<packing> and reads it back. */
static struct bestdag_network *through(const struct bestdag_format *f,
                                       const struct bestdag_network *net,
                                       const char *packing)
{
    char path[256];
    snprintf(path, sizeof path, "%s/net.%.*s%s", folder,
             (int)strcspn(f->suffixes, "|"), f->suffixes, packing);
    bestdag_network_write(run, net, path);
    struct bestdag_network *back = bestdag_network_read(run, path);
    if (!back)
        fail_msg("%s: %s", f->name, bestdag_run_error(run));
    return back;
}

/* ---- what is kept -------------------------------------------------------- */

static void random_networks_come_back_to_the_last_bit(void **state)
{
    const struct bestdag_format *f;
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct bestdag_network *net =
            random_network(run, seed, 1 + (int)(seed % 12), (int)(seed % 3));
        print_message("seed %d\n", (int)seed);
        for (int i = 0; (f = keeper(BESTDAG_KEEPS_ALL, i)); i++) {
            struct bestdag_network *back = through(f, net, "");
            assert_same_network(net, back);
            bestdag_network_free(back);
        }
        bestdag_network_free(net);
    }
}

static void a_chain_of_formats_changes_nothing(void **state)
{
    const struct bestdag_format *f;
    (void)state;
    for (uint64_t seed = 100; seed < 110; seed++) {
        struct bestdag_network *net = random_network(run, seed, 8, NASTY_NAMES);
        struct bestdag_network *now = random_network(run, seed, 8, NASTY_NAMES);
        print_message("seed %d\n", (int)seed);
        for (int i = 0; (f = keeper(BESTDAG_KEEPS_ALL, i)); i++) {
            struct bestdag_network *back = through(f, now, "");
            bestdag_network_free(now);
            now = back;
        }
        assert_same_network(net, now);
        bestdag_network_free(net);
        bestdag_network_free(now);
    }
}

static void packed_files_come_back(void **state)
{
    const struct bestdag_format *f;
    static const char *const packings[] = {".gz", ".zst"};
    char path[256];
    (void)state;
    struct bestdag_network *net = random_network(run, 5, 9, ODD_NAMES);
    for (int k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/probe%s", folder, packings[k]);
        if (bestdag_network_write(run, net, path)) {
            assert_non_null(strstr(bestdag_run_error(run), "lacks"));
            bestdag_run_clear(run);
            continue;
        }
        for (int i = 0; (f = keeper(BESTDAG_KEEPS_ALL, i)); i++) {
            struct bestdag_network *back = through(f, net, packings[k]);
            assert_same_network(net, back);
            bestdag_network_free(back);
        }
    }
    bestdag_network_free(net);
}

static void structures_come_back(void **state)
{
    const struct bestdag_format *f;
    (void)state;
    for (uint64_t seed = 200; seed < 230; seed++) {
        struct bestdag_network *net =
            random_network(run, seed, 1 + (int)(seed % 12), (int)(seed % 2));
        struct bestdag_network *bare = bestdag_network_copy_structure(run, net);
        print_message("seed %d\n", (int)seed);
        for (int i = 0; (f = keeper(BESTDAG_KEEPS_STRUCTURE, i)); i++) {
            struct bestdag_network *back = through(f, net, "");
            assert_same_structure(net, back);
            bestdag_network_free(back);
            back = through(f, bare, "");
            assert_same_structure(net, back);
            bestdag_network_free(back);
        }
        bestdag_network_free(bare);
        bestdag_network_free(net);
    }
}

static void a_network_without_arcs_survives(void **state)
{
    const struct bestdag_format *f;
    (void)state;
    struct bestdag_network *net = random_network(run, 7, 5, PLAIN_NAMES);
    for (int v = 0; v < 5; v++) {
        bestdag_network_set_parents(run, net, v, NULL, 0);
        bestdag_network_new_table(run, net, v);
        net->variable[v].table[0] = 1;
    }
    for (int i = 0; (f = readable(i)); i++) {
        struct bestdag_network *back = through(f, net, "");
        assert_same_structure(net, back);
        bestdag_network_free(back);
    }
    bestdag_network_free(net);
}

static void files_without_a_suffix_are_known_by_their_content(void **state)
{
    const struct bestdag_format *f;
    char path[256];
    (void)state;
    struct bestdag_network *net = random_network(run, 9, 6, PLAIN_NAMES);
    snprintf(path, sizeof path, "%s/plain", folder);
    for (int i = 0; (f = readable(i)); i++) {
        if (!f->sniff)
            continue;
        assert_int_equal(bestdag_network_write_as(run, net, f->name, path), 0);
        struct bestdag_network *back = bestdag_network_read(run, path);
        if (!back)
            fail_msg("%s: %s", f->name, bestdag_run_error(run));
        if (f->keeps == BESTDAG_KEEPS_ALL)
            assert_same_network(net, back);
        else
            assert_same_structure(net, back);
        bestdag_network_free(back);
    }
    bestdag_network_free(net);
}

/* ---- other people's files ------------------------------------------------ */

static const char dog_bif[] =
    "// Dog problem, as JavaBayes writes it\n"
    "network \"Dog-Problem\" { property \"credal-set constant-density 1.1\" ;\n"
    "}\n"
    "variable \"light-on\" { type discrete[2] { \"true\" \"false\" };\n"
    "  property \"position = (218, 195)\" ; }\n"
    "variable \"bowel-problem\" { type discrete[2] { \"true\" \"false\" }; }\n"
    "variable \"dog-out\" { type discrete[2] { \"true\" \"false\" }; }\n"
    "variable \"hear-bark\" { type discrete[2] { \"true\" \"false\" }; }\n"
    "variable \"family-out\" { type discrete[2] { \"true\" \"false\" }; }\n"
    "probability ( \"light-on\" \"family-out\" ) {\n"
    "  table 0.6 0.05 0.4 0.95 ; }\n"
    "probability ( \"bowel-problem\" ) { table 0.01 0.99 ; }\n"
    "probability ( \"dog-out\" \"bowel-problem\" \"family-out\" ) {\n"
    "  table 0.99 0.97 0.9 0.3 0.01 0.03 0.1 0.7 ; }\n"
    "probability ( \"hear-bark\" \"dog-out\" ) { table 0.7 0.01 0.3 0.99 ; }\n"
    "probability ( \"family-out\" ) { table 0.15 0.85 ; }\n";

#define OUTCOMES "<OUTCOME>true</OUTCOME><OUTCOME>false</OUTCOME>"
static const char dog_xml[] =
    "<?xml version=\"1.0\"?>\n<BIF VERSION=\"0.3\"><NETWORK>\n"
    "<NAME>Dog-Problem</NAME>\n"
    "<VARIABLE TYPE=\"nature\"><NAME>light-on</NAME>" OUTCOMES "</VARIABLE>\n"
    "<VARIABLE TYPE=\"nature\"><NAME>bowel-problem</NAME>" OUTCOMES
    "</VARIABLE>\n"
    "<VARIABLE TYPE=\"nature\"><NAME>dog-out</NAME>" OUTCOMES "</VARIABLE>\n"
    "<VARIABLE TYPE=\"nature\"><NAME>hear-bark</NAME>" OUTCOMES "</VARIABLE>\n"
    "<VARIABLE TYPE=\"nature\"><NAME>family-out</NAME>" OUTCOMES "</VARIABLE>\n"
    "<DEFINITION><FOR>light-on</FOR><GIVEN>family-out</GIVEN>"
    "<TABLE>0.6 0.4 0.05 0.95</TABLE></DEFINITION>\n"
    "<DEFINITION><FOR>bowel-problem</FOR><TABLE>0.01 0.99</TABLE>"
    "</DEFINITION>\n"
    "<DEFINITION><FOR>dog-out</FOR><GIVEN>bowel-problem</GIVEN>"
    "<GIVEN>family-out</GIVEN>"
    "<TABLE>0.99 0.01 0.97 0.03 0.9 0.1 0.3 0.7</TABLE></DEFINITION>\n"
    "<DEFINITION><FOR>hear-bark</FOR><GIVEN>dog-out</GIVEN>"
    "<TABLE>0.7 0.3 0.01 0.99</TABLE></DEFINITION>\n"
    "<DEFINITION><FOR>family-out</FOR><TABLE>0.15 0.85</TABLE></DEFINITION>\n"
    "</NETWORK></BIF>\n";

/* NULL if the format is not there, or was built without its library. */
static struct bestdag_network *read_if_built(const char *format,
                                             const char *text)
{
    const struct bestdag_format *f = find_format(format);
    if (!f)
        return NULL;
    struct bestdag_network *net = read_text(run, f, format, text);
    if (!net && !strstr(bestdag_run_error(run), "expat"))
        fail_msg("%s", bestdag_run_error(run));
    bestdag_run_clear(run);
    return net;
}

static void the_dog_problem_is_the_same_in_bif_and_xmlbif(void **state)
{
    static const double dog_out[] = {.99, .01, .97, .03, .9, .1, .3, .7};
    (void)state;
    struct bestdag_network *bif = read_if_built("bif", dog_bif);
    struct bestdag_network *xml = read_if_built("xmlbif", dog_xml);
    assert_memory_equal(bif->variable[2].table, dog_out, sizeof dog_out);
    if (xml)
        assert_same_network(bif, xml);
    bestdag_network_free(bif);
    bestdag_network_free(xml);
}

/* P(x = 0 | a, b) = 0.1 (a + 1) + 0.2 b, for 2 states of a and 3 of b; the
 * files list b before a. */
static void orders_hold_for_parents_of_different_sizes(void **state)
{
    static const char bif[] =
        "network n { }\n"
        "variable x { type discrete [ 2 ] { x0, x1 }; }\n"
        "variable a { type discrete [ 2 ] { a0, a1 }; }\n"
        "variable b { type discrete [ 3 ] { b0, b1, b2 }; }\n"
        "probability ( a ) { table 0.5, 0.5; }\n"
        "probability ( b ) { table 0.2, 0.3, 0.5; }\n"
        "probability ( x | b, a ) {\n"
        "  table 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4;\n"
        "}\n";
    static const char net[] =
        "net { } node x { states = (\"x0\" \"x1\"); }\n"
        "node a { states = (\"a0\" \"a1\"); }\n"
        "node b { states = (\"b0\" \"b1\" \"b2\"); }\n"
        "potential (a) { data = (0.5 0.5); }\n"
        "potential (b) { data = (0.2 0.3 0.5); }\n"
        "potential (x | b a) { data = (((0.1 0.9) (0.2 0.8)) ((0.3 0.7) "
        "(0.4 0.6)) ((0.5 0.5) (0.6 0.4))); }\n";
    static const char uai[] = "BAYES 3  2 2 3  3  1 1  1 2  3 2 1 0\n"
                              "2 0.5 0.5  3 0.2 0.3 0.5\n"
                              "12 0.1 0.9 0.2 0.8 0.3 0.7 0.4 0.6 0.5 0.5 "
                              "0.6 0.4\n";
    static const char xml[] =
        "<BIF VERSION=\"0.3\"><NETWORK><NAME>n</NAME>\n"
        "<VARIABLE TYPE=\"nature\"><NAME>x</NAME>" OUTCOMES "</VARIABLE>\n"
        "<VARIABLE TYPE=\"nature\"><NAME>a</NAME>" OUTCOMES "</VARIABLE>\n"
        "<VARIABLE TYPE=\"nature\"><NAME>b</NAME>" OUTCOMES
        "<OUTCOME>b2</OUTCOME></VARIABLE>\n"
        "<DEFINITION><FOR>a</FOR><TABLE>0.5 0.5</TABLE></DEFINITION>\n"
        "<DEFINITION><FOR>b</FOR><TABLE>0.2 0.3 0.5</TABLE></DEFINITION>\n"
        "<DEFINITION><FOR>x</FOR><GIVEN>b</GIVEN><GIVEN>a</GIVEN><TABLE>"
        "0.1 0.9 0.2 0.8 0.3 0.7 0.4 0.6 0.5 0.5 0.6 0.4</TABLE></DEFINITION>\n"
        "</NETWORK></BIF>\n";
    static const double expected[] = {/* a slowest, then b, then x */
                                      .1, .9, .3, .7, .5, .5,
                                      .2, .8, .4, .6, .6, .4};
    static const char *const texts[][2] = {
        {"bif", bif}, {"net", net}, {"uai", uai}, {"xmlbif", xml}};
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct bestdag_network *n = read_if_built(texts[i][0], texts[i][1]);
        if (n)
            assert_memory_equal(n->variable[0].table, expected,
                                sizeof expected);
        bestdag_network_free(n);
    }
}

static void check_reference(const char *path)
{
    const struct bestdag_format *f;
    struct bestdag_network *net = bestdag_network_read(run, path);
    struct bestdag_network *now = bestdag_network_read(run, path);
    if (!net || !now)
        fail_msg("%s", bestdag_run_error(run));
    for (int i = 0; (f = keeper(BESTDAG_KEEPS_STRUCTURE, i)); i++) {
        struct bestdag_network *back = through(f, net, "");
        assert_same_structure(net, back);
        bestdag_network_free(back);
    }
    for (int i = 0; (f = keeper(BESTDAG_KEEPS_ALL, i)); i++) {
        struct bestdag_network *back = through(f, now, "");
        assert_same_network(net, back);
        bestdag_network_free(now);
        now = back; /* the next format gets what this one gave */
    }
    bestdag_network_free(net);
    bestdag_network_free(now);
}

/* By each format, each fed by the one before. Since what comes back is the same
 * network every time, all pairs of formats are covered. */
static void the_reference_networks_survive(void **state)
{
    char path[512];
    const char *data = getenv("BESTDAG_DATA");
    int count = 0;
    (void)state;
    if (!data) {
        print_message("BESTDAG_DATA is not set\n");
        skip();
    }
    snprintf(path, sizeof path, "%s/networks", data);
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (!strstr(entry->d_name, ".bif"))
            continue;
        print_message("%s\n", entry->d_name);
        snprintf(path, sizeof path, "%s/networks/%s", data, entry->d_name);
        check_reference(path);
        count++;
    }
    closedir(dir);
    assert_int_equal(count, 18);
}

/* ---- bad files ----------------------------------------------------------- */

/* A network, or one line that says where. Of a cycle the file is enough. */
static void check_outcome(const struct bestdag_format *f, char *bytes,
                          size_t size)
{
    struct bestdag_file file = {"bad", bytes, size};
    struct bestdag_network *net = bestdag_format_read(run, f, &file);
    const char *error = bestdag_run_error(run);
    bool cycle = !strncmp(error, "bad: the arcs form a cycle", 26);
    if (!net && (bestdag_run_status(run) != BESTDAG_INPUT ||
                 (!names_a_place(error, "bad") && !cycle)))
        fail_msg("%s: status %d: %s\n%.*s", f->name, bestdag_run_status(run),
                 error, (int)size, bytes);
    bestdag_run_clear(run);
    bestdag_network_free(net);
}

static void truncated_files_are_told(void **state)
{
    const struct bestdag_format *f;
    (void)state;
    struct bestdag_network *nasty = random_network(run, 12, 5, NASTY_NAMES);
    struct bestdag_network *plain = random_network(run, 12, 5, PLAIN_NAMES);
    for (int i = 0; (f = readable(i)); i++) {
        bool all = f->keeps == BESTDAG_KEEPS_ALL;
        char *text = write_text(run, f, all ? nasty : plain);
        assert_non_null(text);
        for (size_t size = 0; size <= strlen(text); size++) {
            char *cut = malloc(size + 1); /* exact, for the sanitizer */
            memcpy(cut, text, size);
            cut[size] = 0;
            check_outcome(f, cut, size);
            free(cut);
        }
        bestdag_free(text);
    }
    bestdag_network_free(nasty);
    bestdag_network_free(plain);
}

/* One small damage; returns the new size. */
static size_t damage(struct bestdag_random *random, char *bytes, size_t size)
{
    static const char favourites[] = "{}()[],;|\"\\/*%#=<>&!01239.eE-+ \n\xff";
    size_t at = bestdag_random_below(random, size);
    size_t from = bestdag_random_below(random, size);
    size_t n = 1 + bestdag_random_below(random, 6);
    if (n > size - (at > from ? at : from))
        n = size - (at > from ? at : from);
    switch (bestdag_random_below(random, 4)) {
    case 0:
        bytes[at] = (char)bestdag_random_below(random, 256);
        return size;
    case 1:
        bytes[at] =
            favourites[bestdag_random_below(random, sizeof favourites - 1)];
        return size;
    case 2:
        memmove(bytes + at, bytes + at + n, size - at - n);
        return size - n;
    default:
        memmove(bytes + at, bytes + from, n);
        return size;
    }
}

static void mangled_files_never_crash(void **state)
{
    const struct bestdag_format *f;
    const uint64_t seed = 20240817;
    (void)state;
    print_message("seed %llu\n", (unsigned long long)seed);
    struct bestdag_network *net = random_network(run, 31, 6, ODD_NAMES);
    for (int i = 0; (f = readable(i)); i++) {
        struct bestdag_random random = bestdag_random_init(seed, 1);
        char *text = write_text(run, f, net);
        assert_non_null(text);
        for (int k = 0; k < 3000; k++) {
            size_t size = strlen(text);
            char *bytes = malloc(size + 1);
            memcpy(bytes, text, size);
            for (uint64_t d = bestdag_random_below(&random, 4); d + 1; d--)
                size = size > 8 ? damage(&random, bytes, size) : size;
            bytes = realloc(bytes, size + 1);
            bytes[size] = 0;
            check_outcome(f, bytes, size);
            free(bytes);
        }
        bestdag_free(text);
    }
    bestdag_network_free(net);
}

/* ---- memory -------------------------------------------------------------- */

static void every_failing_allocation_is_survived(void **state)
{
    const struct bestdag_format *f;
    char path[256];
    (void)state;
    struct bestdag_network *net = random_network(run, 3, 4, ODD_NAMES);
    for (int i = 0; (f = readable(i)); i++) {
        bool done = false;
        snprintf(path, sizeof path, "%s/memory.%.*s", folder,
                 (int)strcspn(f->suffixes, "|"), f->suffixes);
        for (int64_t n = 1; !done; n++) {
            bestdag_memory_fail_at(run, n);
            bestdag_network_write(run, net, path);
            struct bestdag_network *back = bestdag_network_read(run, path);
            bestdag_memory_fail_at(run, 0);
            done = back != NULL;
            bestdag_network_free(back);
            if (!done)
                assert_int_equal(bestdag_run_status(run), BESTDAG_MEMORY);
            bestdag_run_clear(run);
        }
    }
    bestdag_network_free(net);
}

/* ---- the door ------------------------------------------------------------ */

static void expect_refusal(int status, const char *part)
{
    assert_int_equal(bestdag_run_status(run), status);
    if (!strstr(bestdag_run_error(run), part))
        fail_msg("'%s' lacks '%s'", bestdag_run_error(run), part);
    bestdag_run_clear(run);
}

static void unknown_formats_are_refused_with_a_list(void **state)
{
    char path[256];
    (void)state;
    struct bestdag_network *net = random_network(run, 3, 3, PLAIN_NAMES);
    bestdag_network_write_as(run, net, "biff", "-");
    expect_refusal(BESTDAG_USAGE, "did you mean 'bif'?");
    snprintf(path, sizeof path, "%s/net.docx", folder);
    bestdag_network_write(run, net, path);
    expect_refusal(BESTDAG_USAGE,
                   "'.docx' is not the suffix of a network format");
    FILE *f = fopen(path, "w");
    fputs("\x01 nothing that is known", f);
    fclose(f);
    assert_null(bestdag_network_read(run, path));
    expect_refusal(BESTDAG_INPUT, "known: bif");
    snprintf(path, sizeof path, "%s/absent.bif", folder);
    assert_null(bestdag_network_read(run, path));
    expect_refusal(BESTDAG_INPUT, "absent.bif: cannot open");
    bestdag_network_free(net);
}

static void a_structure_with_states_stays_one(void **state)
{
    const struct bestdag_format *f;
    char path[256];
    (void)state;
    struct bestdag_network *net = random_network(run, 3, 3, PLAIN_NAMES);
    struct bestdag_network *bare = bestdag_network_copy_structure(run, net);
    snprintf(path, sizeof path, "%s/bare", folder);
    for (int i = 0; (f = bestdag_format_at(i)); i++) {
        if (!f->may_be_bare)
            continue;
        assert_int_equal(bestdag_network_write_as(run, bare, f->name, path),
                         BESTDAG_OK);
        struct bestdag_network *back = bestdag_network_read(run, path);
        assert_non_null(back);
        assert_false(bestdag_network_has_tables(back));
        for (int v = 0; v < 3; v++) {
            const struct bestdag_parents *a = &bare->dag->parents[v],
                                         *b = &back->dag->parents[v];
            assert_int_equal(back->variable[v].states,
                             bare->variable[v].states);
            assert_int_equal(a->count, b->count);
            if (a->count)
                assert_memory_equal(a->at, b->at, (size_t)a->count * 4);
        }
        bestdag_network_free(back);
        unlink(path);
    }
    bestdag_network_free(bare);
    bestdag_network_free(net);
}

static void a_network_without_numbers_is_refused_where_they_belong(void **state)
{
    const struct bestdag_format *f;
    char path[256];
    (void)state;
    struct bestdag_network *net = random_network(run, 3, 3, PLAIN_NAMES);
    struct bestdag_network *bare = bestdag_network_copy_structure(run, net);
    snprintf(path, sizeof path, "%s/unfitted", folder);
    for (int i = 0; (f = bestdag_format_at(i)); i++) {
        if (!f->needs_tables || f->may_be_bare)
            continue;
        bestdag_network_write_as(run, bare, f->name, path);
        expect_refusal(BESTDAG_USAGE, "fit it first");
        assert_int_equal(access(path, F_OK), -1);
    }
    bestdag_network_free(bare);
    bestdag_network_free(net);
}

static void only_some_formats_hold_an_equivalence_class(void **state)
{
    const struct bestdag_format *f;
    char path[256];
    (void)state;
    struct bestdag_network *net = random_network(run, 3, 5, PLAIN_NAMES);
    snprintf(path, sizeof path, "%s/class", folder);
    for (int i = 0; (f = bestdag_format_at(i)); i++) {
        if (f->write_class && !f->read)
            continue; /* pictures need another program */
        bestdag_network_write_class(run, net, f->name, path);
        if (f->write_class)
            assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
        else
            expect_refusal(BESTDAG_USAGE, "equivalence class");
    }
    bestdag_network_free(net);
}

static void content_wins_over_a_wrong_suffix(void **state)
{
    char path[256];
    (void)state;
    struct bestdag_network *net = random_network(run, 4, 4, PLAIN_NAMES);
    snprintf(path, sizeof path, "%s/wrong.bif", folder);
    assert_int_equal(bestdag_network_write_as(run, net, "net", path), 0);
    struct bestdag_network *back = bestdag_network_read(run, path);
    assert_non_null(back);
    assert_same_network(net, back);
    bestdag_network_free(back);
    bestdag_network_free(net);
}

static void standard_input_is_known_by_its_content(void **state)
{
    char path[256];
    (void)state;
    struct bestdag_network *net = random_network(run, 4, 4, PLAIN_NAMES);
    snprintf(path, sizeof path, "%s/piped", folder);
    assert_int_equal(bestdag_network_write_as(run, net, "net", path), 0);
    int old = dup(STDIN_FILENO);
    assert_non_null(freopen(path, "r", stdin));
    struct bestdag_network *back = bestdag_network_read(run, "-");
    dup2(old, STDIN_FILENO);
    close(old);
    assert_non_null(back);
    assert_same_network(net, back);
    bestdag_network_free(back);
    bestdag_network_free(net);
}

#define TEST(name) cmocka_unit_test_setup(name, clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(random_networks_come_back_to_the_last_bit),
        TEST(a_chain_of_formats_changes_nothing),
        TEST(packed_files_come_back),
        TEST(structures_come_back),
        TEST(a_network_without_arcs_survives),
        TEST(files_without_a_suffix_are_known_by_their_content),
        TEST(the_dog_problem_is_the_same_in_bif_and_xmlbif),
        TEST(orders_hold_for_parents_of_different_sizes),
        TEST(the_reference_networks_survive),
        TEST(truncated_files_are_told),
        TEST(mangled_files_never_crash),
        TEST(every_failing_allocation_is_survived),
        TEST(unknown_formats_are_refused_with_a_list),
        TEST(a_network_without_numbers_is_refused_where_they_belong),
        TEST(a_structure_with_states_stays_one),
        TEST(only_some_formats_hold_an_equivalence_class),
        TEST(content_wins_over_a_wrong_suffix),
        TEST(standard_input_is_known_by_its_content),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
