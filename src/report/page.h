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

/* The contents of the page; all pointers are borrowed. Only the network is
 * required. */
struct bestdag_report {
    const struct bestdag_network *network;
    const struct bestdag_run_record *record; /* NULL: not known */
    /* Of the arcs, for a network without a record; or NULL. */
    const struct bestdag_labels *labels;
    const struct bestdag_json
        *summary; /* an object; arrays in it are skipped */
    /* Of the arcs, numbered by child and among those by parent; or NULL. */
    const struct bestdag_support *support;
};

/* The data of the page's script: JSON without '<', so that no name can end the
 * script. Owned by the caller; NULL: failed. */
char *bestdag_report_data(struct bestdag_run *run,
                          const struct bestdag_report *report);

/* The notes of the run, or else of the network; NULL: none. */
const char *bestdag_report_noted(const struct bestdag_report *report,
                                 const char *key);

/* page_numbers.c */
/* Does the page hold all tables in full? */
bool bestdag_page_is_whole(const struct bestdag_network *net);
/* How many rows of v's table the page holds. */
int64_t bestdag_page_rows(const struct bestdag_network *net, int v);
void bestdag_page_add_numbers(struct bestdag_json_writer *w,
                              const double *numbers, int64_t count);
/* Adds the counts; NULL: an empty text. */
void bestdag_page_add_counts(struct bestdag_json_writer *w,
                             const int64_t *counts, int64_t count);

/* The files of page/: *.html, *.css and *.js, each kind concatenated in the
 * order of CMakeLists.txt; made by cmake/embed.cmake. */
extern const unsigned char bestdag_page_html[], bestdag_page_css[],
    bestdag_page_js[];

#endif
