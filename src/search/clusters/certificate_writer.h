/* SPDX-License-Identifier: MIT */
/* certificate_writer.h -- writes the certificate while the proof is made: see
 * docs/certificates.md for the format, and verify/ for its reader. All
 * functions accept NULL for "no certificate is wanted". */
#ifndef BESTDAG_SEARCH_CLUSTERS_CERTIFICATE_WRITER_H
#define BESTDAG_SEARCH_CLUSTERS_CERTIFICATE_WRITER_H

#include "bounds/relaxation.h"

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
/* The checker is to expand prefixes of the part, `most` at most; the part costs
 * at least `bound`. Last in its part. */
void bestdag_certificate_expand(struct bestdag_certificate *w, int64_t most,
                                int64_t bound);
/* So many prefixes of a part of n variables may be expanded in a search that is
 * to be written. */
int64_t bestdag_certificate_prefixes(int n);

#endif
