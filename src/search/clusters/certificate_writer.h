/* SPDX-License-Identifier: MIT */
/* certificate_writer.h -- writes the certificate during the proof: see
 * docs/certificates.md for the format, and verify/ for its reader. All
 * functions accept NULL, which means that no certificate is wanted. */
#ifndef BESTDAG_SEARCH_CLUSTERS_CERTIFICATE_WRITER_H
#define BESTDAG_SEARCH_CLUSTERS_CERTIFICATE_WRITER_H

#include "bounds/relaxation.h"

struct bestdag_certificate;

/* NULL: an error, or no path was given. */
struct bestdag_certificate *bestdag_certificate_open(struct bestdag_run *run,
                                                     const char *path, int n,
                                                     int shift);
/* Writes the claim, which ends the certificate. The file appears only on
 * success. */
int bestdag_certificate_close(struct bestdag_certificate *w, int64_t claim);

/* variable[n]: numbers in the whole problem. */
void bestdag_certificate_part(struct bestdag_certificate *w,
                              const int32_t *variable, int n);
void bestdag_certificate_end(struct bestdag_certificate *w);
/* The multipliers of the part's relaxation, and a deletion by them. */
void bestdag_certificate_multipliers(struct bestdag_certificate *w,
                                     const struct bestdag_relaxation *relax,
                                     const int32_t *variable);
void bestdag_certificate_delete(struct bestdag_certificate *w, int64_t limit);
/* Tells the checker to expand at most `most` prefixes of the part, which proves
 * that it costs at least `bound`. The last line of a part. */
void bestdag_certificate_expand(struct bestdag_certificate *w, int64_t most,
                                int64_t bound);
/* The number of prefixes of a part of n variables that a certified search may
 * expand. */
int64_t bestdag_certificate_prefixes(int n);

#endif
