/* SPDX-License-Identifier: MIT */
/* machine.c -- the system, its processor and memory, without names of the
 * machine or user, because reports are shared. */
#include "report/machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static void add_pair(struct bestdag_json_writer *w, const char *key,
                     const char *value)
{
    if (!*value)
        return;
    bestdag_json_open(w, NULL, '[');
    bestdag_json_add_text(w, NULL, key);
    bestdag_json_add_text(w, NULL, value);
    bestdag_json_close(w, ']');
}

/* The model as Linux reports it; "" if it does not. */
static void find_processor(char to[128])
{
    char line[256];
    FILE *f = fopen("/proc/cpuinfo", "r");
    to[0] = 0;
    while (f && !*to && fgets(line, sizeof line, f))
        if (!strncmp(line, "model name", 10) && strchr(line, ':')) {
            const char *model = strchr(line, ':') + 1;
            snprintf(to, 128, "%.*s", (int)strcspn(model, "\n"), model);
            memmove(to, to + strspn(to, " \t"),
                    strlen(to + strspn(to, " \t")) + 1);
        }
    if (f)
        fclose(f);
}

void bestdag_machine_write(struct bestdag_json_writer *w, const char *key)
{
    struct utsname os;
    char text[256];
    bestdag_json_open(w, key, '[');
    if (!uname(&os)) {
        snprintf(text, sizeof text, "%.64s %.64s, %.64s", os.sysname,
                 os.release, os.machine);
        add_pair(w, "system", text);
    }
    find_processor(text);
    add_pair(w, "processor", text);
    snprintf(text, sizeof text, "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    add_pair(w, "cores", text);
    if (bestdag_memory_physical() > 0) {
        bestdag_size_format(bestdag_memory_physical(), text);
        add_pair(w, "memory", text);
    }
    bestdag_json_close(w, ']');
}
