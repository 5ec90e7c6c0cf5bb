/* SPDX-License-Identifier: MIT */
/* page.h -- one HTML page about a network: its drawing, its tables, how it was
 * found, and how to find it again. It needs no network and no other file. */
#ifndef BESTDAG_REPORT_PAGE_H
#define BESTDAG_REPORT_PAGE_H

#include "base/json.h"
#include "learn/record.h"
#include "network/network.h"

/* How often an arc was found in resamples. */
struct bestdag_support {
    double strength;  /* share of the resamples that join its ends; NaN: none */
    double direction; /* of these, the share in its direction */
};

/* What is shown; all is borrowed. Only the network must be there. */
struct bestdag_report {
    const struct bestdag_network *network;
    const struct bestdag_run_record *record; /* NULL: not known */
    /* Of the arcs, where there is no record; or NULL: not known. */
    const struct bestdag_labels *labels;
    const struct bestdag_json *summary; /* an object; arrays are passed over */
    /* Of the arcs, numbered by child and among those by parent; or NULL. */
    const struct bestdag_support *support;
};

/* What the script of the page reads: JSON without '<', so that no name can end
 * the script. The caller's; NULL: failed. */
char *bestdag_report_data(struct bestdag_run *run,
                          const struct bestdag_report *report);

/* What was noted of the run, or else of the network; NULL: nothing. */
const char *bestdag_report_noted(const struct bestdag_report *report,
                                 const char *key);

/* page_numbers.c */
/* Has the page room for all tables? */
bool bestdag_page_is_whole(const struct bestdag_network *net);
/* How many rows of v's table the page holds. */
int64_t bestdag_page_rows(const struct bestdag_network *net, int v);
void bestdag_page_add_numbers(struct bestdag_json_writer *w,
                              const double *numbers, int64_t count);
/* NULL: an empty text. */
void bestdag_page_add_counts(struct bestdag_json_writer *w,
                             const int64_t *counts, int64_t count);

/* The files of page/: *.html, *.css and *.js, each kind put together in the
 * order of CMakeLists.txt; made by cmake/embed.cmake. */
extern const unsigned char bestdag_page_html[], bestdag_page_css[],
    bestdag_page_js[];

#endif
