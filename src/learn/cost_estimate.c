/* SPDX-License-Identifier: MIT */
/* cost_estimate.c -- describes a table and estimates the cost of learning from
 * it. */
#include "data/check/check.h"
#include "models/holes/hole_report.h"
#include "parents/cost.h"

char *bestdag_table_check(struct bestdag_run *run,
                          const struct bestdag_table *table)
{
    struct bestdag_json_writer w = {.out.run = run};
    if (bestdag_lacks(run, table, "table"))
        return NULL;
    bestdag_json_open(&w, NULL, '{');
    bestdag_check_write(run, table, &w);
    bestdag_hole_report_write(run, table, &w);
    bestdag_json_open(&w, "learning", '{');
    bestdag_cost_write(&w, table, NULL);
    bestdag_json_close(&w, '}');
    bestdag_json_close(&w, '}');
    return bestdag_json_take(&w);
}
