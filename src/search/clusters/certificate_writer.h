/* SPDX-License-Identifier: MIT */
/* certificate_writer.h -- writes the certificate while the proof is made: see
 * docs/certificates.md for the format, and verify/ for its reader. All
 * functions accept NULL for "no certificate is wanted". */
#ifndef BESTDAG_SEARCH_CLUSTERS_CERTIFICATE_WRITER_H
#define BESTDAG_SEARCH_CLUSTERS_CERTIFICATE_WRITER_H

#include "bounds/saved_clusters.h"

struct bestdag_certificate;

/* NULL: failed, or no path was given. */
struct bestdag_certificate *bestdag_certificate_open(struct bestdag_run *run,
                                                     const char *path, int n,
                                                     int shift);
/* The claim ends it. The file appears only if all went well. */
int bestdag_certificate_close(struct bestdag_certificate *w, int64_t claim);

/* variable[n]: their numbers in the whole problem. */
void bestdag_certificate_part(struct bestdag_certificate *w,
                              const int32_t *variable, int n);
void bestdag_certificate_end(struct bestdag_certificate *w);
/* The multipliers of a relaxation of that part, then a deletion. */
void bestdag_certificate_multipliers(struct bestdag_certificate *w,
                                     const struct bestdag_relaxation *relax,
                                     const int32_t *variable);
void bestdag_certificate_delete(struct bestdag_certificate *w, int64_t limit);
/* A table of prefixes over n variables; its records; its end. */
int bestdag_certificate_table(struct bestdag_certificate *w, int n);
void bestdag_certificate_forced(struct bestdag_certificate *w,
                                const uint64_t *set, const int32_t *next,
                                int count);
void bestdag_certificate_expanded(struct bestdag_certificate *w,
                                  const uint64_t *set);
void bestdag_certificate_bound(struct bestdag_certificate *w,
                               const uint64_t *set,
                               const struct bestdag_saved_clusters *y);
/* Of the set and v: what it has more than the last record of the set. */
void bestdag_certificate_bound_next(struct bestdag_certificate *w,
                                    const uint64_t *set, int v,
                                    const struct bestdag_saved_clusters *y);
void bestdag_certificate_done(struct bestdag_certificate *w, int64_t bound);

#endif
