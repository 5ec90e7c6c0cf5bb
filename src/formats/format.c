/* SPDX-License-Identifier: MIT */
/* format.c -- network formats: detection of a file's format, and what all
 * formats share.
 *
 * The suffix of a file determines its format. For a file without a known
 * suffix, and for standard input, the content does: every format recognises its
 * beginning. The content also wins when it contradicts the suffix and clearly
 * is another complete format: programs write XMLBIF into files called .bif.
 *
 * BIF, NET and UAI have no place for a network without numbers that other
 * programs would read (a NET file without them means uniform ones), so such a
 * network is refused there. */
#include "formats/format.h"

#include <string.h>

#include "base/place.h"
#include "base/text.h"
#include "network/cuts.h"
#include "network/regression.h"

/* One row per format, in the order in which they are listed and tried. */
#define FORMATS(ROW)                                                           \
    ROW(bif)                                                                   \
    ROW(xmlbif)                                                                \
    ROW(net)                                                                   \
    ROW(uai)                                                                   \
    ROW(json)                                                                  \
    ROW(modelstring)                                                           \
    ROW(edges)                                                                 \
    ROW(res)                                                                   \
    ROW(dot)                                                                   \
    ROW(svg)                                                                   \
    ROW(png)

#define DECLARE(name) extern const struct bestdag_format bestdag_format_##name;
#define ENTRY(name) &bestdag_format_##name,
FORMATS(DECLARE)
static const struct bestdag_format *const formats[] = {FORMATS(ENTRY)};
enum { COUNT = sizeof formats / sizeof *formats };

const struct bestdag_format *bestdag_format_at(int i)
{
    return i >= 0 && i < COUNT ? formats[i] : NULL;
}

static const char *name_at(const void *of, int i)
{
    return ((const struct bestdag_format *const *)of)[i]->name;
}

/* Lists the formats that pass: "bif, net, ...". */
typedef bool pass_fn(const struct bestdag_format *format);

static const char *list_names(char to[256], pass_fn *pass)
{
    size_t used = 0;
    to[0] = 0;
    for (int i = 0; i < COUNT; i++) {
        size_t n = strlen(formats[i]->name);
        if (!pass(formats[i]) || used + n + 3 > 256)
            continue;
        if (used)
            used += strlen(strcpy(to + used, ", "));
        used += strlen(strcpy(to + used, formats[i]->name));
    }
    return to;
}

static bool can_read(const struct bestdag_format *format)
{
    return format->read != NULL;
}

static bool can_write(const struct bestdag_format *format)
{
    return format->write != NULL;
}

static bool can_write_class(const struct bestdag_format *format)
{
    return format->write_class != NULL;
}

const struct bestdag_format *bestdag_format_named(struct bestdag_run *run,
                                                  const char *name)
{
    char suggestion[128], all[256];
    for (int i = 0; i < COUNT; i++)
        if (!strcmp(formats[i]->name, name))
            return formats[i];
    const char *nearest = bestdag_nearest(name, name_at, formats, COUNT);
    bestdag_fail(run, BESTDAG_USAGE, "there is no network format '%s'%s%s",
                 name,
                 nearest ? bestdag_suggest(suggestion, nearest) : "; known: ",
                 nearest ? "" : list_names(all, can_write));
    return NULL;
}

/* ---- which format -------------------------------------------------------- */

static bool has_suffix(const struct bestdag_format *format, const char *suffix)
{
    size_t n = strlen(suffix);
    for (const char *at = format->suffixes; n && at && *at;) {
        size_t length = strcspn(at, "|");
        if (length == n && !strncmp(at, suffix, n))
            return true;
        at += length + (at[length] == '|');
    }
    return false;
}

static const struct bestdag_format *find_by_suffix(const char *path)
{
    char suffix[16];
    bestdag_path_suffix(path, suffix);
    for (int i = 0; i < COUNT; i++)
        if (has_suffix(formats[i], suffix))
            return formats[i];
    return NULL;
}

static const struct bestdag_format *find_by_content(
    const struct bestdag_file *file)
{
    for (int i = 0; i < COUNT; i++)
        if (formats[i]->read && formats[i]->sniff && formats[i]->sniff(file))
            return formats[i];
    return NULL;
}

/* The file from its first non-blank character on, by which formats are
 * recognised: all formats need it, and a file may have many leading blanks. */
static struct bestdag_file without_lead(const struct bestdag_file *file)
{
    struct bestdag_file rest = *file;
    if (rest.size >= 3 && !memcmp(rest.bytes, "\xef\xbb\xbf", 3)) {
        rest.bytes += 3;
        rest.size -= 3;
    }
    while (rest.size && (*rest.bytes == ' ' ||
                         (*rest.bytes >= '\t' && *rest.bytes <= '\r'))) {
        rest.bytes++;
        rest.size--;
    }
    return rest;
}

static const struct bestdag_format *find_to_read(
    struct bestdag_run *run, const char *path, const struct bestdag_file *whole)
{
    char all[256];
    struct bestdag_file rest = without_lead(whole), *file = &rest;
    const struct bestdag_format *by_suffix =
        strcmp(path, "-") ? find_by_suffix(path) : NULL;
    if (by_suffix && (!by_suffix->sniff || by_suffix->sniff(file)))
        return by_suffix;
    const struct bestdag_format *by_content = find_by_content(file);
    if (by_suffix && by_suffix->read &&
        (!by_content || by_content->keeps != BESTDAG_KEEPS_ALL))
        return by_suffix;
    if (by_suffix && by_content)
        bestdag_note(
            run, 0, "%s: read as %s because of its content, despite its suffix",
            file->name, by_content->name);
    if (by_content)
        return by_content;
    if (by_suffix)
        return by_suffix;
    bestdag_fail_at(run, file->name, BESTDAG_FILE_BEGIN,
                    "no known network format, by its name or its content; "
                    "known: %s",
                    list_names(all, can_read));
    return NULL;
}

/* For "-", and for a file without a suffix, it is `standard`. */
static const struct bestdag_format *find_to_write(struct bestdag_run *run,
                                                  const char *path,
                                                  const char *standard)
{
    char suffix[16], all[256];
    const struct bestdag_format *format = find_by_suffix(path);
    if (!strcmp(path, "-") || !*bestdag_path_suffix(path, suffix))
        return bestdag_format_named(run, standard);
    if (!format)
        bestdag_fail(
            run, BESTDAG_USAGE,
            "%s: '.%s' is not the suffix of a network format; known: %s", path,
            suffix, list_names(all, can_write));
    return format;
}

/* ---- reading ------------------------------------------------------------- */

struct bestdag_network *bestdag_format_read(struct bestdag_run *run,
                                            const struct bestdag_format *format,
                                            const struct bestdag_file *file)
{
    if (bestdag_run_status(run))
        return NULL;
    if (!format->read) {
        char all[256];
        bestdag_fail(run, BESTDAG_USAGE,
                     "%s: the format %s can only be written; formats that can "
                     "be read: %s",
                     file->name, format->name, list_names(all, can_read));
        return NULL;
    }
    struct bestdag_network *net = format->read(run, file);
    if (!bestdag_run_status(run) && net &&
        !bestdag_network_check_consistency(run, net, file->name))
        return net;
    bestdag_network_free(net);
    return NULL;
}

static struct bestdag_network *read_file(struct bestdag_run *run,
                                         const char *path,
                                         const struct bestdag_file *file)
{
    const struct bestdag_format *format = find_to_read(run, path, file);
    struct bestdag_network *net =
        format ? bestdag_format_read(run, format, file) : NULL;
    if (!net || !format->read_beside || !strcmp(path, "-"))
        return net;
    format->read_beside(run, net, path);
    if (!bestdag_run_status(run) &&
        !bestdag_network_check_consistency(run, net, file->name))
        return net;
    bestdag_network_free(net);
    return NULL;
}

struct bestdag_network *bestdag_network_read(struct bestdag_run *run,
                                             const char *path)
{
    struct bestdag_file file;
    if (bestdag_lacks(run, path, "file to read"))
        return NULL;
    bestdag_run_phase(run, "reading", 0);
    if (bestdag_file_read(run, path, &file))
        return NULL;
    struct bestdag_network *net = read_file(run, path, &file);
    bestdag_free(file.bytes);
    return net;
}

struct bestdag_network *bestdag_network_parse(struct bestdag_run *run,
                                              const char *name,
                                              const void *bytes, int64_t size)
{
    struct bestdag_file file;
    if (bestdag_run_status(run) ||
        bestdag_file_parse(run, name, bytes, size, &file))
        return NULL;
    const struct bestdag_format *format = find_to_read(run, name, &file);
    struct bestdag_network *net =
        format ? bestdag_format_read(run, format, &file) : NULL;
    bestdag_free(file.bytes);
    return net;
}

/* ---- writing ------------------------------------------------------------- */

static int refuse_number(struct bestdag_run *run,
                         const struct bestdag_network *network,
                         const struct bestdag_format *format)
{
    int v = 0;
    while (!network->variable[v].is_number)
        v++;
    return bestdag_fail(run, BESTDAG_USAGE,
                        "the format %s cannot hold variables that are numbers, "
                        "as '%s' is: write JSON, or a structure format",
                        format->name, network->variable[v].name);
}

static int check_writable(struct bestdag_run *run,
                          const struct bestdag_network *network,
                          const struct bestdag_format *format)
{
    char all[256];
    if (!format->write)
        return bestdag_fail(
            run, BESTDAG_USAGE,
            "the format %s can only be read; formats that can be written: %s",
            format->name, list_names(all, can_write));
    if (format->keeps == BESTDAG_KEEPS_ALL && !format->holds_numbers &&
        bestdag_network_has_numbers(network))
        return refuse_number(run, network, format);
    if (format->needs_tables && !bestdag_network_has_tables(network) &&
        !(format->may_be_bare && bestdag_network_has_states(network)))
        return bestdag_fail(
            run, BESTDAG_USAGE,
            "the format %s needs probabilities, and this network has none: fit "
            "it first (bestdag fit), or write a structure format",
            format->name);
    return BESTDAG_OK;
}

static void note_cuts(struct bestdag_run *run,
                      const struct bestdag_network *network,
                      const struct bestdag_format *format)
{
    int v = 0;
    while (v < network->dag->n &&
           !bestdag_variable_is_cut(&network->variable[v]))
        v++;
    if (v < network->dag->n && format->drops_properties)
        bestdag_note(run, 0,
                     "the format %s cannot hold where numbers were cut, as "
                     "those of '%s' were: what reads it takes states only "
                     "(bif, xmlbif and json hold the cuts)",
                     format->name, network->variable[v].name);
}

static int write_network(struct bestdag_run *run,
                         const struct bestdag_network *network,
                         const struct bestdag_format *format, const char *path)
{
    if (check_writable(run, network, format))
        return bestdag_run_status(run);
    note_cuts(run, network, format);
    bestdag_run_phase(run, "writing", 0);
    struct bestdag_sink *sink = bestdag_sink_open(run, path);
    if (!sink)
        return bestdag_run_status(run);
    struct bestdag_sink *beside = NULL;
    if (!network->is_answer)
        bestdag_sink_obey(sink);
    format->write(run, network, sink);
    if (!bestdag_run_status(run) && format->write_beside &&
        bestdag_sink_is_file(sink))
        beside = format->write_beside(run, network, path);
    return bestdag_sink_close_pair(sink, beside);
}

int bestdag_network_write(struct bestdag_run *run,
                          const struct bestdag_network *network,
                          const char *path)
{
    if (bestdag_lacks(run, network, "network") ||
        bestdag_lacks(run, path, "file to write"))
        return bestdag_run_status(run);
    const struct bestdag_format *format = find_to_write(
        run, path, bestdag_network_has_numbers(network) ? "json" : "bif");
    return format ? write_network(run, network, format, path)
                  : bestdag_run_status(run);
}

int bestdag_network_write_as(struct bestdag_run *run,
                             const struct bestdag_network *network,
                             const char *format, const char *path)
{
    if (!format || !*format)
        return bestdag_network_write(run, network, path);
    if (bestdag_lacks(run, network, "network") ||
        bestdag_lacks(run, path, "file to write"))
        return bestdag_run_status(run);
    const struct bestdag_format *named = bestdag_format_named(run, format);
    return named ? write_network(run, network, named, path)
                 : bestdag_run_status(run);
}

char *bestdag_network_text(struct bestdag_run *run,
                           const struct bestdag_network *network,
                           const char *format, int64_t *size)
{
    if (bestdag_lacks(run, network, "network") ||
        bestdag_lacks(run, format, "format"))
        return NULL;
    const struct bestdag_format *named = bestdag_format_named(run, format);
    if (!named || check_writable(run, network, named))
        return NULL;
    struct bestdag_sink *sink = bestdag_sink_memory(run);
    if (!sink)
        return NULL;
    if (!network->is_answer)
        bestdag_sink_obey(sink);
    named->write(run, network, sink);
    return bestdag_sink_hand_over(sink, size);
}

const struct bestdag_format *bestdag_format_for_class(struct bestdag_run *run,
                                                      const char *name,
                                                      const char *path)
{
    char all[256];
    const struct bestdag_format *found =
        name && *name ? bestdag_format_named(run, name)
                      : find_to_write(run, path, "edges");
    if (!found || found->write_class)
        return found;
    bestdag_fail(run, BESTDAG_USAGE,
                 "the format %s cannot hold the undirected arcs of an "
                 "equivalence class; these can: %s",
                 found->name, list_names(all, can_write_class));
    return NULL;
}
