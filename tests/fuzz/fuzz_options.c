/* SPDX-License-Identifier: MIT */
/* fuzz_options.c -- settings as users write them: every line is a key, '=' and
 * a value. A line is refused with a reason, or what it sets can be asked for.
 */
#include "fuzz.h"

#include "registry/option_registry.h"

static void ask(const struct bestdag_options *o)
{
    struct bestdag_option_place p;
    for (int i = 0; (p = bestdag_option_at(i)).row; i++) {
        struct bestdag_value v = bestdag_option_value(o, &p.group, p.row->key);
        fuzz_require(!bestdag_option_given(o, &p.group, p.row->key) ||
                         v.text != NULL,
                     "what was given has a text");
    }
}

static void set_line(struct bestdag_run *run, struct bestdag_options *o,
                     char *line)
{
    char *value = strchr(line, '=');
    if (!value)
        return;
    *value++ = '\0';
    int status = bestdag_options_set(run, o, line, value);
    fuzz_answer(run, status ? NULL : o);
    bestdag_run_clear(run);
    struct bestdag_run *other = fuzz_run();
    status = bestdag_run_set(other, line, value);
    fuzz_answer(other, status ? NULL : other);
    bestdag_run_free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct bestdag_run *run = fuzz_run();
    struct bestdag_file file = fuzz_file(run, bytes, size);
    struct bestdag_options *o = bestdag_options_new(run);
    char *rest = file.bytes;
    for (char *line; o && file.bytes && (line = strtok_r(rest, "\n", &rest));)
        set_line(run, o, line);
    if (o)
        ask(o);
    bestdag_options_free(o);
    bestdag_free(file.bytes);
    fuzz_end(run);
    return 0;
}
