/* SPDX-License-Identifier: MIT */
/* digest.h -- one hash for what a table says. */
#ifndef BESTDAG_DATA_DIGEST_H
#define BESTDAG_DATA_DIGEST_H

#include "base/sha256.h"
#include "data/table.h"

/* 64 hexadecimal digits; what they depend on is in digest.c. "" if failed. */
int bestdag_table_digest(struct bestdag_run *run,
                         const struct bestdag_table *table,
                         char hex[BESTDAG_SHA256_HEX]);

#endif
