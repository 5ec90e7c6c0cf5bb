/* SPDX-License-Identifier: MIT */
/* xmlbif_read.c -- reads XMLBIF 0.3 with libexpat.
 *
 * While the text is parsed, variables and definitions are collected, as their
 * elements may be in any order; then the network is built from them. Tags are
 * compared without regard to case. Unknown elements are skipped with their
 * contents.
 *
 * Nothing outside the file is ever opened, and a file that declares an entity
 * is refused: neither XMLBIF nor its usual DTD needs one, and they are how a
 * small file grows to fill the memory. Texts and numbers count against the
 * run's budget; what libexpat allocates is bounded by the file. */
#include "formats/xmlbif_read.h"

#ifdef BESTDAG_EXPAT

#include <expat.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/growing_array.h"
#include "base/text.h"
#include "formats/xmlbif_parts.h"

enum { DEEPEST = 64, PIECE = 1 << 20, LONGEST_NUMBER = 127 };

enum element {
    DOCUMENT,
    BIF,
    NETWORK,
    VARIABLE,
    DEFINITION,
    NAME,
    OUTCOME,
    PROPERTY,
    FOR,
    GIVEN,
    TABLE,
    UNKNOWN
};

static const struct {
    const char *tag;
    int inside; /* bits: the elements that it may be in */
} elements[] = {
    [DOCUMENT] = {"the file", 0},
    [BIF] = {"BIF", 1 << DOCUMENT},
    [NETWORK] = {"NETWORK", 1 << BIF},
    [VARIABLE] = {"VARIABLE", 1 << NETWORK},
    [DEFINITION] = {"DEFINITION", 1 << NETWORK},
    [NAME] = {"NAME", 1 << NETWORK | 1 << VARIABLE},
    [OUTCOME] = {"OUTCOME", 1 << VARIABLE},
    [PROPERTY] = {"PROPERTY", 1 << NETWORK | 1 << VARIABLE | 1 << DEFINITION},
    [FOR] = {"FOR", 1 << DEFINITION},
    [GIVEN] = {"GIVEN", 1 << DEFINITION},
    [TABLE] = {"TABLE", 1 << DEFINITION},
};

struct reader {
    struct bestdag_run *run;
    const struct bestdag_file *file;
    XML_Parser parser;
    enum element open[DEEPEST]; /* the enclosing elements */
    int depth;
    bool seen_network;
    struct bestdag_buffer text;    /* of the current element */
    size_t solid_from, solid_to;   /* the part that must not be trimmed */
    char word[LONGEST_NUMBER + 1]; /* a number that is not complete yet */
    size_t word_length;
    struct bestdag_xml_parts parts;
};

/* ---- errors -------------------------------------------------------------- */

static struct bestdag_place here(const struct reader *r)
{
    return (struct bestdag_place){(int)XML_GetCurrentLineNumber(r->parser),
                                  (int)XML_GetCurrentColumnNumber(r->parser) +
                                      1};
}

/* Every handler ends with this: an error ends the parsing. */
static void stop_if_failed(struct reader *r)
{
    if (bestdag_run_status(r->run))
        XML_StopParser(r->parser, XML_FALSE);
}

static bool has_failed(const struct reader *r)
{
    return bestdag_run_status(r->run) != BESTDAG_OK;
}

/* ---- elements begin ------------------------------------------------------ */

/* Makes room for one more, zeroed. The old block stays on failure. */
static void *grow(struct reader *r, void *list, int count, int *room,
                  size_t bytes)
{
    if (count == *room) {
        int more = *room ? 2 * *room : 16;
        list = bestdag_realloc(r->run, list, (size_t)more * bytes);
        if (!list)
            return NULL;
        *room = more;
    }
    memset((char *)list + (size_t)count * bytes, 0, bytes);
    return list;
}

static void start_variable(struct reader *r, const char **attribute)
{
    struct bestdag_xml_variable *list =
        grow(r, r->parts.variable, r->parts.variables, &r->parts.variable_room,
             sizeof *list);
    if (!list)
        return;
    r->parts.variable = list;
    struct bestdag_xml_variable *v = &list[r->parts.variables++];
    v->place = here(r);
    snprintf(v->type, sizeof v->type, "nature");
    for (; *attribute; attribute += 2)
        if (!strcasecmp(attribute[0], "TYPE"))
            snprintf(v->type, sizeof v->type, "%s", attribute[1]);
}

static void start_definition(struct reader *r)
{
    struct bestdag_xml_definition *list =
        grow(r, r->parts.definition, r->parts.definitions,
             &r->parts.definition_room, sizeof *list);
    if (!list)
        return;
    r->parts.definition = list;
    list[r->parts.definitions++].place = here(r);
}

static void start_table(struct reader *r)
{
    struct bestdag_xml_definition *d =
        &r->parts.definition[r->parts.definitions - 1];
    if (d->has_table)
        bestdag_xml_fail(&r->parts, here(r), "this definition has two tables");
    d->has_table = true;
    d->table_place = here(r);
}

static void start_network(struct reader *r)
{
    if (r->seen_network)
        bestdag_xml_fail(&r->parts, here(r),
                         "there is a second <NETWORK>, expected one");
    r->seen_network = true;
}

static enum element element_of(struct reader *r, const char *tag)
{
    enum element around = r->open[r->depth], e = BIF;
    while (e < UNKNOWN && strcasecmp(tag, elements[e].tag))
        e++;
    if (around == UNKNOWN)
        return UNKNOWN;
    if (e == UNKNOWN && around != DOCUMENT) {
        char place[BESTDAG_PLACE_ROOM];
        bestdag_note(r->run, 1, "%s: ignored <%.64s>",
                     bestdag_place_text(r->file->name, here(r), place), tag);
        return UNKNOWN;
    }
    if (e == UNKNOWN)
        bestdag_xml_fail(&r->parts, here(r), "expected <BIF>, found <%.64s>",
                         tag);
    else if (!(elements[e].inside & 1 << around))
        bestdag_xml_fail(&r->parts, here(r), "<%s> is not allowed in %s%s%s",
                         elements[e].tag, around == DOCUMENT ? "" : "<",
                         elements[around].tag, around == DOCUMENT ? "" : ">");
    return e;
}

static void on_start(void *user, const char *tag, const char **attribute)
{
    struct reader *r = user;
    if (has_failed(r))
        return;
    enum element e = element_of(r, tag);
    if (r->depth + 1 == DEEPEST)
        bestdag_xml_fail(&r->parts, here(r), "elements are nested too deeply");
    if (!has_failed(r)) {
        r->open[++r->depth] = e;
        if (e != UNKNOWN)
            r->text.length = r->solid_from = r->solid_to = r->word_length = 0;
        if (e == NETWORK)
            start_network(r);
        else if (e == VARIABLE)
            start_variable(r, attribute);
        else if (e == DEFINITION)
            start_definition(r);
        else if (e == TABLE)
            start_table(r);
    }
    stop_if_failed(r);
}

/* ---- text ---------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Parses the word as a number. `back`: distance to its beginning. */
static void end_word(struct reader *r, int back)
{
    struct bestdag_xml_definition *d =
        &r->parts.definition[r->parts.definitions - 1];
    double number;
    if (!bestdag_number_parse(r->word, r->word_length, &number)) {
        struct bestdag_place at = here(r);
        at.column = at.column + back > 1 ? at.column + back : 1;
        bestdag_xml_fail(&r->parts, at, "expected a number, found '%.*s'",
                         r->word_length > 40 ? 40 : (int)r->word_length,
                         r->word);
        return;
    }
    r->word_length = 0;
    if (!BESTDAG_GROW(r->run, d->number, d->room, d->numbers + 1))
        return;
    d->number[d->numbers++] = number;
}

static void take_numbers(struct reader *r, const char *text, int length)
{
    for (int i = 0; i < length && !has_failed(r); i++) {
        bool ends = is_blank(text[i]) || r->word_length == LONGEST_NUMBER;
        if (ends && r->word_length)
            end_word(r, i - (int)r->word_length);
        if (!is_blank(text[i]) && !has_failed(r))
            r->word[r->word_length++] = text[i];
    }
}

static void on_text(void *user, const char *text, int length)
{
    struct reader *r = user;
    enum element e = r->open[r->depth];
    if (has_failed(r))
        return;
    if (e == TABLE)
        take_numbers(r, text, length);
    else if (e >= NAME && e < UNKNOWN) {
        XML_Index at = XML_GetCurrentByteIndex(r->parser);
        size_t before = r->text.length;
        bestdag_buffer_add(&r->text, text, (size_t)length);
        if (at >= 0 && (size_t)at < r->file->size &&
            r->file->bytes[at] == '&') { /* &#32; is meant to stay */
            if (r->solid_from == r->solid_to)
                r->solid_from = before;
            r->solid_to = r->text.length;
        }
    } else if (e == VARIABLE || e == DEFINITION || e == NETWORK || e == BIF)
        for (int i = 0; i < length && !has_failed(r); i++)
            if (!is_blank(text[i]))
                bestdag_xml_fail(&r->parts, here(r),
                                 "text in <%s>, expected elements",
                                 elements[e].tag);
    stop_if_failed(r);
}

/* The text of the element without blanks around it; owned by the caller. */
static char *take_text(struct reader *r)
{
    bool solid = r->solid_from < r->solid_to;
    size_t from = 0, to = r->text.length;
    const char *text = r->text.at;
    while (from < to && is_blank(text[from]) &&
           !(solid && from >= r->solid_from))
        from++;
    while (to > from && is_blank(text[to - 1]) && !(solid && to <= r->solid_to))
        to--;
    return bestdag_strndup(r->run, text ? text + from : "", to - from);
}

/* ---- elements end -------------------------------------------------------- */

/* Takes over text. */
static void set_name(struct reader *r, char **name, char *text,
                     const char *what)
{
    if (*name) {
        bestdag_xml_fail(&r->parts, here(r), "%s has two names", what);
        bestdag_free(text);
    } else
        *name = text;
}

static void end_text(struct reader *r, enum element e, enum element around)
{
    struct bestdag_xml_variable *v =
        around == VARIABLE ? &r->parts.variable[r->parts.variables - 1] : NULL;
    struct bestdag_xml_definition *d =
        around == DEFINITION ? &r->parts.definition[r->parts.definitions - 1]
                             : NULL;
    char *text = take_text(r);
    if (!text)
        return;
    if (e == NAME)
        set_name(r, v ? &v->v.name : &r->parts.name, text,
                 v ? "this variable" : "the network");
    else if (e == FOR && d->of) {
        bestdag_xml_fail(&r->parts, here(r), "this definition has two <FOR>");
        bestdag_free(text);
    } else if (e == FOR)
        d->of = text;
    else {
        if (e == OUTCOME)
            bestdag_network_add_property(r->run, &v->v.labels, &v->v.states,
                                         text);
        else if (e == GIVEN)
            bestdag_network_add_property(r->run, &d->given, &d->givens, text);
        else if (v)
            bestdag_network_add_property(r->run, &v->v.property,
                                         &v->v.properties, text);
        else if (!d)
            bestdag_network_add_property(r->run, &r->parts.property,
                                         &r->parts.properties, text);
        bestdag_free(text);
    }
}

static void end_variable(struct reader *r)
{
    const struct bestdag_xml_variable *v =
        &r->parts.variable[r->parts.variables - 1];
    if (!v->v.name || !*v->v.name)
        bestdag_xml_fail(&r->parts, v->place, "this variable has no name");
    else if (strcasecmp(v->type, "nature"))
        bestdag_xml_fail(
            &r->parts, v->place,
            "'%s' is a %s variable, but only chance variables (TYPE=\"nature\")"
            " can be read",
            v->v.name, v->type);
}

static void on_end(void *user, const char *tag)
{
    struct reader *r = user;
    enum element e = r->open[r->depth];
    (void)tag;
    if (has_failed(r))
        return;
    if (e == TABLE && r->word_length)
        end_word(r, -(int)r->word_length);
    else if (e == VARIABLE)
        end_variable(r);
    else if (e == DEFINITION &&
             !r->parts.definition[r->parts.definitions - 1].of)
        bestdag_xml_fail(&r->parts,
                         r->parts.definition[r->parts.definitions - 1].place,
                         "this definition has no <FOR>");
    else if (e >= NAME && e < TABLE)
        end_text(r, e, r->open[r->depth - 1]);
    r->depth--;
    stop_if_failed(r);
}

/* ---- entities ------------------------------------------------------------ */

static void on_entity(void *user, const char *name, int is_parameter,
                      const char *value, int length, const char *base,
                      const char *system, const char *public,
                      const char *notation)
{
    struct reader *r = user;
    (void)is_parameter, (void)value, (void)length, (void)base, (void)system;
    (void)public, (void)notation;
    bestdag_xml_fail(
        &r->parts, here(r),
        "entity '%.64s' is declared, but entities are not supported", name);
    stop_if_failed(r);
}

static void on_skipped(void *user, const char *name, int is_parameter)
{
    struct reader *r = user;
    if (!is_parameter)
        bestdag_xml_fail(&r->parts, here(r), "unknown entity '%.64s'", name);
    stop_if_failed(r);
}

/* ---- parsing ------------------------------------------------------------- */

static int fail_xml(struct reader *r)
{
    enum XML_Error error = XML_GetErrorCode(r->parser);
    if (has_failed(r))
        return bestdag_run_status(r->run);
    if (error == XML_ERROR_NO_MEMORY)
        return bestdag_fail(r->run, BESTDAG_MEMORY, "out of memory");
    return bestdag_xml_fail(&r->parts, here(r), "not well-formed XML: %s",
                            XML_ErrorString(error));
}

static int parse(struct reader *r)
{
    XML_SetUserData(r->parser, r);
    XML_SetElementHandler(r->parser, on_start, on_end);
    XML_SetCharacterDataHandler(r->parser, on_text);
    XML_SetEntityDeclHandler(r->parser, on_entity);
    XML_SetSkippedEntityHandler(r->parser, on_skipped);
    XML_SetParamEntityParsing(r->parser, XML_PARAM_ENTITY_PARSING_NEVER);
    size_t at = 0, size = r->file->size;
    do {
        size_t piece = size - at < PIECE ? size - at : PIECE;
        if (XML_Parse(r->parser, r->file->bytes + at, (int)piece,
                      at + piece == size) != XML_STATUS_OK)
            return fail_xml(r);
        at += piece;
    } while (at < size);
    if (!r->seen_network)
        return bestdag_xml_fail(&r->parts, here(r), "expected a <NETWORK>");
    return bestdag_run_status(r->run);
}

/* ---- the whole ----------------------------------------------------------- */

struct bestdag_network *bestdag_xml_read(struct bestdag_run *run,
                                         const struct bestdag_file *file)
{
    struct reader r = {.run = run,
                       .file = file,
                       .text = {.run = run},
                       .parts = {.run = run, .file = file->name}};
    struct bestdag_network *net = NULL;
    if (bestdag_run_status(run))
        return NULL;
    r.parser = XML_ParserCreate(NULL);
    if (!r.parser)
        bestdag_fail(run, BESTDAG_MEMORY, "out of memory");
    else if (!parse(&r))
        net = bestdag_xml_build(&r.parts);
    bestdag_xml_release(&r.parts);
    bestdag_buffer_release(&r.text);
    XML_ParserFree(r.parser);
    return net;
}

#endif
