/* SPDX-License-Identifier: MIT */
/* fuzz_rules.c -- the readers of rules, and what is made of them. A graph obeys
 * the compiled rules about each child if the checker says that it obeys all. */
#include "fuzz.h"

#include "constraints/deduction/checker.h"
#include "constraints/deduction/compile.h"
#include "constraints/language/parse.h"

enum { N = 6 };

static const char *const NAMES[N] = {"a", "b", "c", "d e", "f", "class"};

static void check_graph(struct bestdag_run *run,
                        const struct bestdag_rules *rules,
                        const struct bestdag_knowledge *k,
                        const struct bestdag_dag *dag)
{
    int broken;
    if (bestdag_rules_check(run, rules, NAMES, dag, &broken) || broken >= 0)
        return;
    fuzz_require(!k->impossible, "rules that are obeyed are not impossible");
    for (int v = 0; v < N; v++)
        fuzz_require(bestdag_knowledge_local(k, v, dag->parents[v].at,
                                             dag->parents[v].count),
                     "who obeys the rules obeys those about one child");
}

/* The empty graph, a chain and the whole graph along the order of names. */
static void use(struct bestdag_run *run, const struct bestdag_rules *rules)
{
    static const int before[N] = {0, 1, 2, 3, 4, 5};
    struct bestdag_knowledge *k = bestdag_knowledge_new(run, rules, NAMES, N);
    struct bestdag_dag *dag = k ? bestdag_dag_new(run, N) : NULL;
    for (int kind = 0; kind < 3 && dag; kind++) {
        for (int v = 1; v < N && kind; v++)
            bestdag_dag_set_parents(run, dag, v,
                                    kind == 1 ? before + v - 1 : before,
                                    kind == 1 ? 1 : v);
        check_graph(run, rules, k, dag);
    }
    bestdag_dag_free(dag);
    bestdag_knowledge_free(k);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct bestdag_run *run = fuzz_run();
    struct bestdag_rules *rules = bestdag_rules_new(run);
    struct bestdag_file file = fuzz_file(run, bytes, size);
    bool good = rules && file.bytes && !bestdag_rules_parse(run, rules, &file);
    fuzz_answer(run, good ? rules : NULL);
    if (good)
        use(run, rules);
    bestdag_free(file.bytes);
    bestdag_rules_free(rules);
    fuzz_end(run);
    return 0;
}
