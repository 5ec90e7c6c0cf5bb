/* SPDX-License-Identifier: MIT */
/* fuzz_json.c -- the JSON reader. What it accepts is written and read again,
 * and must be the same value. */
#include "fuzz.h"

#include "base/json.h"

static void rewrite(struct bestdag_json_writer *w, const char *key,
                    const struct bestdag_json *v)
{
    bool array = v->kind == BESTDAG_JSON_ARRAY;
    switch (v->kind) {
    case BESTDAG_JSON_NULL:
        bestdag_json_add_text(w, key, NULL);
        return;
    case BESTDAG_JSON_BOOL:
        bestdag_json_add_bool(w, key, v->number != 0);
        return;
    case BESTDAG_JSON_NUMBER:
        bestdag_json_add_number(w, key, v->number);
        return;
    case BESTDAG_JSON_TEXT:
        bestdag_json_add_text(w, key, v->text);
        return;
    case BESTDAG_JSON_ARRAY:
    case BESTDAG_JSON_OBJECT:
        bestdag_json_open(w, key, array ? '[' : '{');
        for (int64_t i = 0; i < v->count; i++)
            rewrite(w, v->items[i].key, &v->items[i]);
        bestdag_json_close(w, array ? ']' : '}');
    }
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

static bool same(const struct bestdag_json *a, const struct bestdag_json *b)
{
    bool equal = a->kind == b->kind && a->count == b->count &&
                 a->number == b->number && same_text(a->key, b->key) &&
                 same_text(a->text, b->text);
    for (int64_t i = 0; equal && i < a->count; i++)
        equal = same(&a->items[i], &b->items[i]);
    return equal;
}

static void round_trip(struct bestdag_run *run, const struct bestdag_json *v)
{
    struct bestdag_json_writer w = {.out = {.run = run}};
    rewrite(&w, NULL, v);
    char *text = bestdag_json_take(&w);
    struct bestdag_json *again = text ? bestdag_json_read(run, text) : NULL;
    if (again || bestdag_run_status(run) != BESTDAG_MEMORY) {
        fuzz_require(again != NULL, "what was written can be read");
        fuzz_require(same(v, again), "what was written is the same value");
    }
    bestdag_json_free(again);
    bestdag_text_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct bestdag_run *run = fuzz_run();
    struct bestdag_file file = fuzz_file(run, bytes, size);
    struct bestdag_json *root = bestdag_json_parse(run, &file);
    fuzz_answer(run, root);
    if (root)
        round_trip(run, root);
    bestdag_json_free(root);
    bestdag_free(file.bytes);
    fuzz_end(run);
    return 0;
}
