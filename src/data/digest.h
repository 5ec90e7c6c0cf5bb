/* SPDX-License-Identifier: MIT */
/* digest.h -- one hash of the contents of a table. */
#ifndef BESTDAG_DATA_DIGEST_H
#define BESTDAG_DATA_DIGEST_H

#include "base/sha256.h"
#include "data/table.h"

/* 64 hexadecimal digits; what they depend on is in digest.c. "" if failed. */
int bestdag_table_digest(struct bestdag_run *run,
                         const struct bestdag_table *table,
                         char hex[BESTDAG_SHA256_HEX]);

/* The same in a run whose time may be over: hashing is short, and results must
 * not be lost for lack of it. */
int bestdag_table_digest_unstopped(struct bestdag_run *run,
                                   const struct bestdag_table *table,
                                   char hex[BESTDAG_SHA256_HEX]);

#endif
