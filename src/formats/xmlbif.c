/* SPDX-License-Identifier: MIT */
/* xmlbif.c -- XMLBIF 0.3, the interchange format of Weka, JavaBayes, pgmpy and
 * pyAgrum; the reader is in xmlbif_read.c.
 *
 * Numbers of a <TABLE> stand as in our own tables: the child changes fastest,
 * then the last parent (<GIVEN>), the first slowest. A bare structure has no
 * <OUTCOME> and no <TABLE>. Some readers stumble over an empty name, so a
 * network without one is called unknown, as in BIF. */
#include <string.h>
#include <strings.h>

#include "formats/format.h"
#include "formats/refusal.h"
#include "formats/xmlbif_read.h"

static const char head[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<!DOCTYPE BIF [\n"
    "  <!ELEMENT BIF ( NETWORK )*>\n"
    "    <!ATTLIST BIF VERSION CDATA #REQUIRED>\n"
    "  <!ELEMENT NETWORK ( NAME, ( PROPERTY | VARIABLE | DEFINITION )* )>\n"
    "  <!ELEMENT NAME (#PCDATA)>\n"
    "  <!ELEMENT VARIABLE ( NAME, ( OUTCOME | PROPERTY )* )>\n"
    "    <!ATTLIST VARIABLE TYPE (nature|decision|utility) \"nature\">\n"
    "  <!ELEMENT OUTCOME (#PCDATA)>\n"
    "  <!ELEMENT DEFINITION ( FOR | GIVEN | TABLE | PROPERTY )*>\n"
    "  <!ELEMENT FOR (#PCDATA)>\n"
    "  <!ELEMENT GIVEN (#PCDATA)>\n"
    "  <!ELEMENT TABLE (#PCDATA)>\n"
    "  <!ELEMENT PROPERTY (#PCDATA)>\n"
    "]>\n";

/* Readers trim texts, so a blank at either end is written as a character
 * reference, and so are the only control characters that XML allows. */
static void write_text(struct bestdag_sink *to, const char *text)
{
    for (const char *c = text; *c; c++)
        if (*c == '&')
            bestdag_sink_text(to, "&amp;");
        else if (*c == '<')
            bestdag_sink_text(to, "&lt;");
        else if (*c == '>')
            bestdag_sink_text(to, "&gt;");
        else if (*c == '"')
            bestdag_sink_text(to, "&quot;");
        else if (strchr("\t\n\r", *c) || (*c == ' ' && (c == text || !c[1])))
            bestdag_sink_format(to, "&#%d;", *c);
        else
            bestdag_sink_write(to, c, 1);
}

static void write_element(struct bestdag_sink *to, const char *tag,
                          const char *text)
{
    bestdag_sink_format(to, "    <%s>", tag);
    write_text(to, text);
    bestdag_sink_format(to, "</%s>\n", tag);
}

static void write_variable(struct bestdag_sink *to,
                           const struct bestdag_variable *v)
{
    bestdag_sink_text(to, "  <VARIABLE TYPE=\"nature\">\n");
    write_element(to, "NAME", v->name);
    for (int s = 0; s < v->states; s++)
        write_element(to, "OUTCOME", v->labels[s]);
    for (int i = 0; i < v->properties; i++)
        write_element(to, "PROPERTY", v->property[i]);
    bestdag_sink_text(to, "  </VARIABLE>\n");
}

static void write_table(struct bestdag_sink *to,
                        const struct bestdag_network *net, int v)
{
    const struct bestdag_variable *x = &net->variable[v];
    int64_t rows = bestdag_network_configurations(net, v);
    bestdag_sink_text(to, "    <TABLE>");
    for (int64_t j = 0; j < rows; j++) {
        bestdag_sink_text(to, j ? "\n      " : "");
        for (int s = 0; s < x->states; s++) {
            bestdag_sink_text(to, s ? " " : "");
            bestdag_sink_number(to, x->table[j * x->states + s]);
        }
    }
    bestdag_sink_text(to, "</TABLE>\n");
}

static void write_definition(struct bestdag_sink *to,
                             const struct bestdag_network *net, int v)
{
    const struct bestdag_parents *p = &net->dag->parents[v];
    bestdag_sink_text(to, "  <DEFINITION>\n");
    write_element(to, "FOR", net->variable[v].name);
    for (int i = 0; i < p->count; i++)
        write_element(to, "GIVEN", net->variable[p->at[i]].name);
    if (net->variable[v].table)
        write_table(to, net, v);
    bestdag_sink_text(to, "  </DEFINITION>\n");
}

/* XML 1.0 has no control characters but three, and neither U+FFFE nor U+FFFF.
 */
static bool unfit(const char *at)
{
    return (bestdag_refusal_control(at) && !strchr("\t\n\r", *at)) ||
           !strncmp(at, "\xef\xbf\xbe", 3) || !strncmp(at, "\xef\xbf\xbf", 3);
}

static void write_xmlbif(struct bestdag_run *run,
                         const struct bestdag_network *network,
                         struct bestdag_sink *to)
{
    static const struct bestdag_refusal refusal = {
        .format = "XMLBIF", .unfit = unfit, .labels = true};
    if (bestdag_refusal_check(run, network, &refusal))
        return;
    bestdag_sink_text(to, head);
    bestdag_sink_text(to, "<BIF VERSION=\"0.3\">\n<NETWORK>\n  <NAME>");
    write_text(to, network->name ? network->name : "unknown");
    bestdag_sink_text(to, "</NAME>\n");
    for (int i = 0; i < network->properties; i++)
        write_element(to, "PROPERTY", network->property[i]);
    for (int v = 0; v < network->dag->n; v++)
        write_variable(to, &network->variable[v]);
    for (int v = 0; v < network->dag->n; v++)
        write_definition(to, network, v);
    bestdag_sink_text(to, "</NETWORK>\n</BIF>\n");
}

#ifndef BESTDAG_EXPAT
struct bestdag_network *bestdag_xml_read(struct bestdag_run *run,
                                         const struct bestdag_file *file)
{
    bestdag_fail(run, BESTDAG_USAGE,
                 "%s: cannot read XMLBIF: this build has no libexpat",
                 file->name);
    return NULL;
}
#endif

/* An XML file whose first element is <BIF>. */
static bool looks_like_xmlbif(const struct bestdag_file *file)
{
    const char *at = file->bytes;
    if (!strncmp(at, "\xef\xbb\xbf", 3))
        at += 3;
    at += strspn(at, " \t\r\n");
    if (*at != '<')
        return false;
    for (; (at = strchr(at, '<')); at++)
        if (!strncasecmp(at, "<BIF", 4) && strchr(" \t\r\n>", at[4]) && at[4])
            return true;
    return false;
}

const struct bestdag_format bestdag_format_xmlbif = {
    .name = "xmlbif",
    .suffixes = "xmlbif|bifxml|xml",
    .help = "XMLBIF 0.3: Weka, JavaBayes, pgmpy, pyAgrum",
    .keeps = BESTDAG_KEEPS_ALL,
    .sniff = looks_like_xmlbif,
    .read = bestdag_xml_read,
    .write = write_xmlbif,
};
