/* SPDX-License-Identifier: MIT */
/* options.c -- settings: the table, checking, the bag. */
#include "base/options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
static const struct bestdag_option table[] = {
    /* key, group, type, default, least, most, choices, letter, value, help */
    {"threads", "run", BESTDAG_INTEGER, "0", 0, 4096, NULL, 'j', "N",
     "number of threads, 0 for all cores; does not change the result"},
    {"seed", "run", BESTDAG_INTEGER, "1", 0, 9007199254740992.0, NULL, 0, "N",
     "seed of the random numbers"},
    {"time-limit", "run", BESTDAG_DURATION, NULL, 0, 1e9, NULL, 't', "T",
     "stop after this time (30s, 10m, 2h)"},
    {"memory-limit", "run", BESTDAG_SIZE, NULL, 0, 9e18, NULL, 0, "SIZE",
     "use at most this much memory (512M, 4G)"},
    {"effort", "run", BESTDAG_CHOICE, "default", 0, 0, "low|default|high", 0, "HOW",
     "amount of work without a time limit: low, default or high; applies to auto, to candidate lists that cannot be completed, and to heuristics; low is a tenth of the default, high ten times as much"},
    {"gap", "run", BESTDAG_NUMBER, "0", 0, 1, NULL, 0, "G",
     "stop when the relative gap between score and bound is at most this"},

    {"input-format", "table", BESTDAG_CHOICE, "auto", 0, 0, "auto|csv|tsv|dat|arff", 0, "FORMAT",
     "format of the table; auto: by suffix and content"},
    {"no-header", "table", BESTDAG_FLAG, "no", 0, 0, NULL, 0, NULL,
     "the first line is a row, not names; columns are called V1, V2, ..."},
    {"delimiter", "table", BESTDAG_TEXT, NULL, 0, 0, NULL, 0, "C",
     "field separator: one character, tab or blank; detected by default"},
    {"decimal", "table", BESTDAG_CHOICE, ".", 0, 0, ".|,", 0, "C",
     "decimal separator of numbers, . or ,"},
    {"na", "table", BESTDAG_TEXT, ",NA,?,NaN,<NA>", 0, 0, NULL, 0, "LIST",
     "unquoted fields that mean a missing value, separated by commas; the first of the default is the empty field"},
    {"missing", "table", BESTDAG_CHOICE, "drop", 0, 0, "drop|state|error|keep", 0, "HOW",
     "rows with a missing value: drop, error, state or keep; drop leaves them out, error rejects the file, state makes 'missing' a state, keep leaves the values missing"},
    {"arity", "table", BESTDAG_CHOICE, "observed", 0, 0, "observed|declared", 0, "WHICH",
     "states of a column: observed, the states that occur, or declared, also those that the file only declares (arff, dat)"},
    {"max-states", "table", BESTDAG_INTEGER, "100", 2, 65534, NULL, 0, "N",
     "a column of more distinct numbers than this is numeric, not states; the limit is 10 if some have fractions"},
    {"ignore", "table", BESTDAG_TEXT, NULL, 0, 0, NULL, 0, "LIST",
     "columns to ignore, separated by commas"},
    {"weights", "table", BESTDAG_TEXT, NULL, 0, 0, NULL, 0, "COLUMN",
     "column with the weight of each row (whole numbers)"},

    {"method", "discretize", BESTDAG_TEXT, "mean", 0, 0, NULL, 0, "METHOD",
     "mean, median, width:K, quantile:K or mdl; mean and median give two states, width and quantile K intervals (2 to 1000), mdl as many as separate the states of --class"},
    {"columns", "discretize", BESTDAG_TEXT, NULL, 0, 0, NULL, 0, "LIST",
     "columns to discretise, separated by commas; may name columns of states that are numbers; all numeric columns by default"},
    {"class", "discretize", BESTDAG_TEXT, NULL, 0, 0, NULL, 0, "COLUMN",
     "class column for mdl"},
    {"cuts", "discretize", BESTDAG_FILE, NULL, 0, 0, NULL, 0, "FILE",
     "apply the cut points of this file instead of computing new ones"},
    {"save-cuts", "discretize", BESTDAG_OUTPUT, NULL, 0, 0, NULL, 0, "FILE",
     "write the cut points to this file (JSON)"},

    {"score", "score", BESTDAG_CHOICE, "bic", 0, 0, "bic|mdl|aic|ll|k2|bdeu|bde|bd|mit", 0, "NAME",
     "score to maximise; mdl is another name of bic"},
    {"ess", "score", BESTDAG_NUMBER, "1", 0, 1e9, NULL, 0, "X",
     "equivalent sample size of bdeu and bde; the weight of their Dirichlet prior"},
    {"pseudo", "score", BESTDAG_NUMBER, "1", 0, 1e9, NULL, 0, "X",
     "pseudo-count of bd, added to every count; its Dirichlet prior"},
    {"pseudo-file", "score", BESTDAG_FILE, NULL, 0, 0, NULL, 0, "FILE",
     "pseudo-counts of bd per variable (JSON: {\"name\": X or [X of each state], ...}); other variables have --pseudo"},
    {"prior", "score", BESTDAG_FILE, NULL, 0, 0, NULL, 0, "NET",
     "prior network of bde"},
    {"alpha", "score", BESTDAG_NUMBER, "0.999", 1e-9, 0.999999999, NULL, 0, "X",
     "confidence level of the tests of mit"},
    {"structure-prior", "score", BESTDAG_TEXT, "uniform", 0, 0, NULL, 0, "PRIOR",
     "uniform, or arcs:X, which subtracts X from the score for every arc"},

    {"pseudo", "fit", BESTDAG_NUMBER, "0", 0, 1e9, NULL, 0, "X",
     "add this pseudo-count to every count (Dirichlet prior); keeps probabilities above 0; 0: relative frequencies (maximum likelihood)"},
    {"ess", "fit", BESTDAG_NUMBER, "0", 0, 1e9, NULL, 0, "X",
     "equivalent sample size of a uniform Dirichlet prior over each table; not with --pseudo"},

    {"rows", "sample", BESTDAG_INTEGER, "1000", 1, 1e12, NULL, 'n', "N",
     "number of rows to draw"},

    {"per-row", "evaluate", BESTDAG_FLAG, "no", 0, 0, NULL, 0, NULL,
     "also print the log-likelihood of every row"},

    {"recipe", "generate", BESTDAG_CHOICE, "plain", 0, 0, "plain|nips2015|icml2009", 0, "NAME",
     "plain, nips2015 or icml2009; plain: by the options below; nips2015: 2 to 4 states and 0 to 6 parents each, as in Scanagatta et al. 2015; icml2009: 2 to 4 states, at most 6 parents each and 3N arcs in total, as in de Campos et al. 2009"},
    {"variables", "generate", BESTDAG_INTEGER, "20", 1, 100000, NULL, 0, "N",
     "number of variables"},
    {"max-parents", "generate", BESTDAG_INTEGER, "3", 0, 20, NULL, 0, "K",
     "maximum number of parents of a variable; 6 with the other recipes"},
    {"states", "generate", BESTDAG_TEXT, "2:4", 0, 0, NULL, 0, "A:B",
     "number of states of each variable, from A to B"},
    {"arcs", "generate", BESTDAG_INTEGER, NULL, 0, 1e9, NULL, 0, "N",
     "number of arcs; by default each variable draws its number of parents"},
    {"concentration", "generate", BESTDAG_NUMBER, "1", 1e-3, 1e6, NULL, 0, "X",
     "parameter of the symmetric Dirichlet distribution from which table rows are drawn; near 0 one state takes nearly all of the probability, large values make states equally likely"},

    {"parents", "parents", BESTDAG_CHOICE, "auto", 0, 0, "auto|sequential|greedy|independence", 0, "NAME",
     "how candidate parent sets are found; auto: sequential if few enough are possible, otherwise independence"},
    {"max-parents", "parents", BESTDAG_INTEGER, NULL, 0, 1000, NULL, 0, "K",
     "maximum number of parents of a variable; no limit by default"},
    {"candidates", "parents", BESTDAG_INTEGER, NULL, 1, 1e6, NULL, 0, "K",
     "consider as parents only the K variables of highest mutual information"},
    {"time-per-variable", "parents", BESTDAG_DURATION, NULL, 0, 1e9, NULL, 0, "T",
     "time to explore the parent sets of one variable, on one thread; by default greedy and independence score a number of sets given by the size of the table and --effort, and sequential completes its lists"},
    {"theorem-2", "parents", BESTDAG_FLAG, "no", 0, 0, NULL, 0, NULL,
     "independence also prunes by Theorem 2 of its paper; never prunes more than the other rules do"},
    {"no-prune", "parents", BESTDAG_FLAG, "no", 0, 0, NULL, 0, NULL,
     "keep every scored set, also those that cannot be in an optimal network"},
    {"trace", "parents", BESTDAG_OUTPUT, NULL, 0, 0, NULL, 0, "FILE",
     "write each set that greedy or independence scores (CSV: variable, step, size, score)"},
    {"part", "parents", BESTDAG_OUTPUT, NULL, 0, 0, NULL, 0, "FILE",
     "write finished variables to this file until all sets are written"},
    {"resume", "parents", BESTDAG_FLAG, "no", 0, 0, NULL, 0, NULL,
     "continue from the file of --part"},

    {"solver", "solve", BESTDAG_CHOICE, "auto", 0, 0, "auto|os|obs|asobs|orders|dp|astar|bfbnb|cluster|bnb|hc|espace|acoe|tree|ckg", 0, "NAME",
     "search algorithm; auto: dp for components of at most 20 variables, otherwise astar, cluster and orders in turn until one proves optimality; orders alone if settings are given"},
    {"set", "solve", BESTDAG_PAIRS, NULL, 0, 0, NULL, 0, "KEY=VALUE",
     "a setting of the solver; can be repeated; 'bestdag list solvers -v' shows all"},
    {"start", "solve", BESTDAG_FILE, NULL, 0, 0, NULL, 0, "NET",
     "network to start from; the result is never worse"},
    {"require-optimal", "solve", BESTDAG_FLAG, "no", 0, 0, NULL, 0, NULL,
     "exit code 5 if the network is not proved optimal; it is still written"},
    {"temp-dir", "solve", BESTDAG_FOLDER, NULL, 0, 0, NULL, 0, "DIR",
     "where bfbnb stores layers that do not fit into memory; nothing is left there, however the run ends"},
    {"bound", "learn", BESTDAG_FLAG, "no", 0, 0, NULL, 0, NULL,
     "compute candidate sets also for solvers that need none (hc, espace, acoe, tree, ckg), to obtain a bound"},
    {"certificate", "solve", BESTDAG_OUTPUT, NULL, 0, 0, NULL, 0, "FILE",
     "write a proof of the bound for 'bestdag verify'; needs the solver cluster"},
    {"checkpoint", "solve", BESTDAG_FOLDER, NULL, 0, 0, NULL, 0, "DIR",
     "save the state of the run in this folder; after a crash the same command continues from there"},
    {"checkpoint-every", "solve", BESTDAG_DURATION, "10s", 0, 1e9, NULL, 0, "T",
     "shortest interval between checkpoints; they never take more than a twentieth of the time"},
    {"save-scores", "learn", BESTDAG_OUTPUT, NULL, 0, 0, NULL, 0, "FILE",
     "also write the candidate sets to this .jkl file"},

    {"resamples", "bootstrap", BESTDAG_INTEGER, "200", 1, 1e6, NULL, 'R', "N",
     "number of resamples; each has as many rows as the table, drawn with replacement"},
    {"directions", "bootstrap", BESTDAG_CHOICE, "cpdag", 0, 0, "cpdag|dag", 0, "WHICH",
     "cpdag or dag; cpdag: an arc that is reversible in its equivalence class counts half for each direction; dag: arcs count as they were learned"},
    {"threshold", "bootstrap", BESTDAG_NUMBER, NULL, 0, 1, NULL, 0, "X",
     "strength above which arcs are in the averaged network; arcs of strength 1 always are; estimated from the strengths by default (Scutari and Nagarajan 2013)"},
    {"time-per-resample", "bootstrap", BESTDAG_DURATION, NULL, 0, 1e9, NULL, 0, "T",
     "time limit for each resample, on one thread; by default each search runs to its end"},
    {"strengths", "bootstrap", BESTDAG_OUTPUT, NULL, 0, 0, NULL, 0, "FILE",
     "write strength and direction of every arc found (CSV: from, to, strength, direction); - is standard output, where the network is then not written"},

    {"steps", "os", BESTDAG_INTEGER, NULL, 1, 9e15, NULL, 0, "N",
     "stop after this many look-ups in the candidate sets; without restarts and a time limit the default depends on the number of variables and --effort"},
    {"restarts", "os", BESTDAG_INTEGER, "0", 0, 9e15, NULL, 0, "N",
     "stop after this many restarts from random orders; 0: no limit"},
    {"steps", "obs", BESTDAG_INTEGER, NULL, 1, 9e15, NULL, 0, "N",
     "stop after this many look-ups in the candidate sets; without restarts and a time limit the default depends on the number of variables and --effort"},
    {"restarts", "obs", BESTDAG_INTEGER, "0", 0, 9e15, NULL, 0, "N",
     "stop after this many restarts from random orders; 0: no limit"},
    {"reorders", "obs", BESTDAG_INTEGER, "0", 0, 9e15, NULL, 0, "N",
     "at a local optimum continue from another order of the same network, until this many in a row gain nothing; 0: never, as in the paper"},
    {"steps", "asobs", BESTDAG_INTEGER, NULL, 1, 9e15, NULL, 0, "N",
     "stop after this many look-ups in the candidate sets; without restarts and a time limit the default depends on the number of variables and --effort"},
    {"restarts", "asobs", BESTDAG_INTEGER, "0", 0, 9e15, NULL, 0, "N",
     "stop after this many restarts from random orders; 0: no limit"},
    {"reorders", "asobs", BESTDAG_INTEGER, "0", 0, 9e15, NULL, 0, "N",
     "at a local optimum continue from another order of the same network, until this many in a row gain nothing; 0: never, as in the paper"},

    {"steps", "orders", BESTDAG_INTEGER, NULL, 1, 9e15, NULL, 0, "N",
     "stop after this many look-ups in the candidate sets; without a time limit the default depends on the number of variables and --effort"},
    {"islands", "orders", BESTDAG_INTEGER, "4", 1, 256, NULL, 0, "N",
     "number of islands: parallel searches that exchange their best networks at intervals; also the largest number of threads that helps"},

    {"block", "dp", BESTDAG_INTEGER, NULL, 3, 20, NULL, 0, "B",
     "process subsets in blocks of 2^B: a larger B makes fewer passes over the candidate sets, a smaller one fits into the cache; by default 12 to 16, depending on the number of sets"},

    {"heuristic", "astar", BESTDAG_CHOICE, "static", 0, 0, "simple|dynamic|static", 0, "NAME",
     "lower bound on the remaining cost: simple lets each variable take its best set; dynamic and static are pattern databases"},
    {"k", "astar", BESTDAG_INTEGER, "3", 2, 4, NULL, 0, "K",
     "largest pattern of the dynamic heuristic, in variables"},
    {"groups", "astar", BESTDAG_INTEGER, "0", 0, 64, NULL, 0, "N",
     "number of groups of the static heuristic; 0: as few as memory and time allow"},
    {"grouping", "astar", BESTDAG_CHOICE, "components", 0, 0, "halves|components", 0, "NAME",
     "how variables are grouped: halves puts consecutive variables together, components those that occur in each other's best candidate sets"},
    {"lookup", "astar", BESTDAG_CHOICE, "trie", 0, 0, "full|scan|bits|trie", 0, "NAME",
     "how the best candidate set within a subset of variables is found; full stores the answers for all subsets"},
    {"steps", "astar", BESTDAG_INTEGER, NULL, 1, 9e15, NULL, 0, "N",
     "stop after this many look-ups in the candidate sets; no limit by default"},

    {"steps", "cluster", BESTDAG_INTEGER, NULL, 1, 9e15, NULL, 0, "N",
     "stop after this many prefixes were expanded; no limit by default"},

    {"heuristic", "bfbnb", BESTDAG_CHOICE, "static", 0, 0, "simple|dynamic|static", 0, "NAME",
     "lower bound on the remaining cost: simple lets each variable take its best set; dynamic and static are pattern databases"},
    {"k", "bfbnb", BESTDAG_INTEGER, "3", 2, 4, NULL, 0, "K",
     "largest pattern of the dynamic heuristic, in variables"},
    {"groups", "bfbnb", BESTDAG_INTEGER, "0", 0, 64, NULL, 0, "N",
     "number of groups of the static heuristic; 0: as few as memory and time allow"},
    {"grouping", "bfbnb", BESTDAG_CHOICE, "components", 0, 0, "halves|components", 0, "NAME",
     "how variables are grouped: halves puts consecutive variables together, components those that occur in each other's best candidate sets"},
    {"lookup", "bfbnb", BESTDAG_CHOICE, "trie", 0, 0, "full|scan|bits|trie", 0, "NAME",
     "how the best candidate set within a subset of variables is found; full stores the answers for all subsets"},
    {"steps", "bfbnb", BESTDAG_INTEGER, NULL, 1, 9e15, NULL, 0, "N",
     "stop after this many look-ups in the candidate sets; no limit by default"},

    {"bound", "bnb", BESTDAG_CHOICE, "cluster", 0, 0, "simple|patterns|cluster", 0, "NAME",
     "lower bound on the cost under the branching decisions: simple lets each variable take its best remaining set; patterns lets up to 6 variables choose together without a cycle; cluster puts multipliers on cluster constraints (one variable of a cluster has no parent inside) and improves them by dual ascent at each node"},
    {"steps", "bnb", BESTDAG_INTEGER, NULL, 1, 9e15, NULL, 0, "N",
     "stop after this many nodes were expanded; no limit by default"},

    {"steps", "hc", BESTDAG_INTEGER, NULL, 1, 9e15, NULL, 0, "N",
     "stop after this many requests of local scores; a variable whose parents change requests one per variable; without a time limit and restarts the default is 10 n^2 + 500000 for n variables, times the effort"},
    {"tabu", "hc", BESTDAG_INTEGER, "10", 0, 1e5, NULL, 0, "N",
     "length of the tabu list: do not return to the last N graphs, and continue for N moves without improvement; 0: plain hill climbing"},
    {"restarts", "hc", BESTDAG_INTEGER, NULL, 0, 1e9, NULL, 0, "N",
     "restart N times from the perturbed best network; by default as often as the steps and the time limit allow"},
    {"perturb", "hc", BESTDAG_INTEGER, NULL, 1, 1e6, NULL, 0, "N",
     "random moves per perturbation; by default 5 + n / 10 for n variables"},

    {"search", "espace", BESTDAG_CHOICE, "greedy", 0, 0, "greedy|annealing|walk", 0, "NAME",
     "greedy takes the move of largest gain; annealing takes random moves, at first also losing ones; walk alternates greedy and random moves"},
    {"operators", "espace", BESTDAG_CHOICE, "six", 0, 0, "six|fges", 0, "NAME",
     "six: Chickering's operators on single edges; fges: insertions, then deletions, each with a set of neighbours whose edges are directed (the search is greedy then)"},
    {"validity", "espace", BESTDAG_CHOICE, "cached", 0, 0, "full|restricted|cached", 0, "NAME",
     "how valid moves are found: full tests every pair, restricted only nearby pairs, cached only what the last move can have changed; all find the same moves"},
    {"steps", "espace", BESTDAG_INTEGER, NULL, 1, 9e15, NULL, 0, "N",
     "stop after this many moves"},
    {"restarts", "espace", BESTDAG_INTEGER, NULL, 0, 1e9, NULL, 0, "N",
     "restart N times from the perturbed best class; by default 5 times the effort, or as often as steps and time limit allow"},
    {"perturb", "espace", BESTDAG_INTEGER, NULL, 1, 1e6, NULL, 0, "N",
     "random moves per perturbation; by default 5 + n / 10 for n variables"},

    {"tmax", "acoe", BESTDAG_INTEGER, "100", 0, 1e9, NULL, 0, "N",
     "number of rounds of ants"},
    {"tstep", "acoe", BESTDAG_INTEGER, "6", 0, 1e9, NULL, 0, "N",
     "every N-th round ends with a greedy search; 0: never"},
    {"ants", "acoe", BESTDAG_INTEGER, "5", 1, 10000, NULL, 0, "N",
     "number of ants per round; they run in parallel"},
    {"rho", "acoe", BESTDAG_NUMBER, "0.1", 0, 1, NULL, 0, "X",
     "rate at which pheromone evaporates and is deposited"},
    {"q0", "acoe", BESTDAG_NUMBER, "0.9", 0, 1, NULL, 0, "X",
     "probability that an ant takes the best move instead of drawing one"},
    {"beta", "acoe", BESTDAG_NUMBER, "3", 0, 100, NULL, 0, "X",
     "exponent of a move's gain relative to its pheromone"},
    {"validity", "acoe", BESTDAG_CHOICE, "cached", 0, 0, "full|restricted|cached", 0, "NAME",
     "how valid moves are found; all find the same moves"},

    {"forest", "tree", BESTDAG_FLAG, "no", 0, 0, NULL, 0, NULL,
     "keep only arcs of positive gain; otherwise one tree spans all variables"},

    {"order", "ckg", BESTDAG_CHOICE, "tree", 0, 0, "tree|bfs", 0, "NAME",
     "possible parents: tree, the ancestors in the best tree, or bfs, all predecessors in its breadth-first order"},
    {"roots", "ckg", BESTDAG_CHOICE, "one", 0, 0, "one|all", 0, "NAME",
     "all: try every variable as the root of the tree, if its arcs score the same in both directions"},

    {"model", "classify", BESTDAG_CHOICE, "tan", 0, 0, "nb|tan|ckg", 0, "NAME",
     "classifier: nb, tan or ckg; nb: naive Bayes, attributes depend on the class alone; tan: each on one more attribute, as a forest; ckg: each on up to --max-parents more, which precede it in the best tree"},
    {"class", "classify", BESTDAG_TEXT, NULL, 0, 0, NULL, 0, "COLUMN",
     "class column; by default the last one (predict: the class stored in the model)"},
    {"max-parents", "classify", BESTDAG_INTEGER, "2", 0, 20, NULL, 0, "K",
     "ckg: maximum number of parents of an attribute, not counting the class"},
    {"smoothing", "classify", BESTDAG_NUMBER, "5", 0, 1e9, NULL, 0, "X",
     "pseudo-count added to each table row, distributed like the marginal of its variable"},
    {"method", "classify", BESTDAG_TEXT, "mdl", 0, 0, NULL, 0, "METHOD",
     "how numeric columns are discretised: mdl, mean, median, width:K or quantile:K; cut points come from the training rows; mdl makes as many intervals as separate the classes"},
    {"folds", "classify", BESTDAG_INTEGER, "5", 2, 10000, NULL, 0, "K",
     "validate: stratified K-fold cross-validation"},
    {"split", "classify", BESTDAG_NUMBER, NULL, 0.001, 0.999, NULL, 0, "X",
     "validate: train on this fraction of the rows, drawn at random, and test on the rest"},
    {"test", "classify", BESTDAG_FILE, NULL, 0, 0, NULL, 0, "FILE",
     "validate: train on all of DATA, test on this table"},

    {"constraints", "verify", BESTDAG_FILES, NULL, 0, 0, NULL, 0, "FILE",
     "rules under which the network was learned; can be repeated"},
    {"data", "verify", BESTDAG_FILE, NULL, 0, 0, NULL, 0, "DATA",
     "table that was scored; the listed scores are recomputed, and the lists are checked for completeness"},
    {"families", "verify", BESTDAG_INTEGER, "1000000", 0, 9e15, NULL, 0, "N",
     "with --data: score at most this many families; what could not be checked is reported"},

    {"digits", "sets", BESTDAG_INTEGER, "17", 1, 17, NULL, 0, "N",
     "significant digits of scores; 17 digits give the same number back"},
    {"comments", "sets", BESTDAG_FLAG, "no", 0, 0, NULL, 0, NULL,
     "begin the file with comment lines on score, rows and limits; not every program reads them"},
};
/* clang-format on */

enum { ROWS = sizeof table / sizeof *table };

struct bestdag_options {
    char *set[ROWS]; /* owns; NULL: not set */
};

const struct bestdag_option *bestdag_option_at(int i)
{
    return i >= 0 && i < ROWS ? &table[i] : NULL;
}

static const char *key_of_row(const void *group, int i)
{
    bool fits = group ? !strcmp(table[i].group, group)
                      : strcmp(table[i].group, "run") != 0;
    return fits ? table[i].key : "";
}

/* Is this the row of "key", or of "group.key"? */
static bool is_named(int i, const char *name)
{
    size_t n = strlen(table[i].group);
    return !strcmp(table[i].key, name) ||
           (!strncmp(table[i].group, name, n) && name[n] == '.' &&
            !strcmp(table[i].key, name + n + 1));
}

/* The next row of this name from row `i` on; -1: there is none. */
static int find_from(int i, const char *group, const char *name)
{
    for (; i < ROWS; i++)
        if (*key_of_row(group, i) && is_named(i, name))
            return i;
    return -1;
}

static int find(const char *group, const char *name)
{
    return find_from(0, group, name);
}

static int wrong(struct bestdag_run *run, const struct bestdag_option *o,
                 const char *value, const char *expected)
{
    return bestdag_fail(run, BESTDAG_USAGE, "%s: '%s' is not %s", o->key, value,
                        expected);
}

static int parse_number(struct bestdag_run *run, const struct bestdag_option *o,
                        const char *text, struct bestdag_value *to)
{
    double x;
    bool whole = o->type == BESTDAG_INTEGER;
    char least[BESTDAG_NUMBER_ROOM], most[BESTDAG_NUMBER_ROOM], expected[128];
    bestdag_number_format(o->least, least);
    bestdag_number_format(o->most, most);
    snprintf(expected, sizeof expected, "a %snumber from %s to %s",
             whole ? "whole " : "", least, most);
    if (!bestdag_number_parse(text, strlen(text), &x) || x < o->least ||
        x > o->most || (whole && x != floor(x)))
        return wrong(run, o, text, expected);
    to->number = x;
    to->integer = (int64_t)x;
    return BESTDAG_OK;
}

static int parse_flag(struct bestdag_run *run, const struct bestdag_option *o,
                      const char *text, struct bestdag_value *to)
{
    to->integer = !strcmp(text, "yes") || !strcmp(text, "true");
    if (to->integer || !strcmp(text, "no") || !strcmp(text, "false"))
        return BESTDAG_OK;
    return wrong(run, o, text, "yes or no");
}

/* The i-th of "a|b|c" into `to`; false after the last. */
static bool choice_at(const char *choices, int i, char to[64])
{
    for (; i > 0 && choices; i--) {
        const char *bar = strchr(choices, '|');
        choices = bar ? bar + 1 : NULL;
    }
    if (!choices)
        return false;
    snprintf(to, 64, "%.*s", (int)strcspn(choices, "|"), choices);
    return true;
}

static int parse_choice(struct bestdag_run *run, const struct bestdag_option *o,
                        const char *text)
{
    char name[16][64], *names[16], expected[256], suggestion[128];
    int count = 0;
    for (; count < 16 && choice_at(o->choices, count, name[count]); count++) {
        names[count] = name[count];
        if (!strcmp(name[count], text))
            return BESTDAG_OK;
    }
    const char *near =
        bestdag_nearest(text, bestdag_name_of_list, names, count);
    snprintf(expected, sizeof expected, "one of %s%s", o->choices,
             bestdag_suggest(suggestion, near));
    return wrong(run, o, text, expected);
}

/* "key=value", or several, one a line. */
static int parse_pairs(struct bestdag_run *run, const struct bestdag_option *o,
                       const char *text)
{
    for (const char *at = text; *at; at += *at == '\n') {
        size_t length = strcspn(at, "\n"), key = strcspn(at, "=\n");
        if (!key || key == length || key > 63 || length - key > 255)
            return wrong(run, o, text, "KEY=VALUE");
        at += length;
    }
    return *text ? BESTDAG_OK : wrong(run, o, text, "KEY=VALUE");
}

static int parse(struct bestdag_run *run, const struct bestdag_option *o,
                 const char *text, struct bestdag_value *to)
{
    *to = (struct bestdag_value){.text = text};
    switch (o->type) {
    case BESTDAG_FLAG:
        return parse_flag(run, o, text, to);
    case BESTDAG_INTEGER:
    case BESTDAG_NUMBER:
        return parse_number(run, o, text, to);
    case BESTDAG_SIZE:
        if (!bestdag_size_parse(text, &to->integer) ||
            (double)to->integer > o->most)
            return wrong(run, o, text, "a size such as 512M or 4G");
        return BESTDAG_OK;
    case BESTDAG_DURATION:
        if (!bestdag_duration_parse(text, &to->number) || to->number > o->most)
            return wrong(run, o, text, "a time such as 30s, 10m or 2h");
        return BESTDAG_OK;
    case BESTDAG_CHOICE:
        return parse_choice(run, o, text);
    case BESTDAG_PAIRS:
        return parse_pairs(run, o, text);
    default:
        return BESTDAG_OK;
    }
}

static int find_or_fail(struct bestdag_run *run, const char *group,
                        const char *key)
{
    char suggestion[128];
    key = key ? key : "";
    int row = find(group, key);
    if (row < 0)
        bestdag_fail(
            run, BESTDAG_USAGE, "unknown setting '%s'%s", key,
            bestdag_suggest(suggestion,
                            bestdag_nearest(key, key_of_row, group, ROWS)));
    return row;
}

int bestdag_option_parse(struct bestdag_run *run, const char *group,
                         const char *key, const char *value,
                         struct bestdag_value *to)
{
    int row = find_or_fail(run, group, key);
    if (row < 0)
        return BESTDAG_USAGE;
    return parse(run, &table[row], value ? value : "yes", to);
}

struct bestdag_options *bestdag_options_new(struct bestdag_run *run)
{
    return bestdag_run_status(run)
               ? NULL
               : bestdag_calloc(run, 1, sizeof(struct bestdag_options));
}

struct bestdag_options *bestdag_options_copy(
    struct bestdag_run *run, const struct bestdag_options *options)
{
    struct bestdag_options *copy = bestdag_options_new(run);
    for (int i = 0; copy && options && i < ROWS; i++)
        if (options->set[i] &&
            !(copy->set[i] = bestdag_strdup(run, options->set[i]))) {
            bestdag_options_free(copy);
            return NULL;
        }
    return copy;
}

void bestdag_options_free(struct bestdag_options *options)
{
    if (!options)
        return;
    for (int i = 0; i < ROWS; i++)
        bestdag_free(options->set[i]);
    bestdag_free(options);
}

static int set_row(struct bestdag_run *run, struct bestdag_options *options,
                   int row, const char *value)
{
    struct bestdag_buffer copy = {.run = run};
    if (options->set[row] &&
        (table[row].type == BESTDAG_PAIRS || table[row].type == BESTDAG_FILES))
        bestdag_buffer_format(&copy, "%s\n", options->set[row]);
    bestdag_buffer_text(&copy, value);
    char *text = bestdag_buffer_take(&copy);
    if (!text)
        return BESTDAG_MEMORY;
    bestdag_free(options->set[row]);
    options->set[row] = text;
    return BESTDAG_OK;
}

int bestdag_options_set(struct bestdag_run *run,
                        struct bestdag_options *options, const char *key,
                        const char *value)
{
    struct bestdag_value checked;
    if (bestdag_lacks(run, options, "bag of options"))
        return bestdag_run_status(run);
    int first = find_or_fail(run, NULL, key);
    if (first < 0)
        return BESTDAG_USAGE;
    value = value ? value : "yes";
    for (int i = first; i >= 0; i = find_from(i + 1, NULL, key))
        if (parse(run, &table[i], value, &checked))
            return BESTDAG_USAGE;
    for (int i = first; i >= 0; i = find_from(i + 1, NULL, key))
        if (set_row(run, options, i, value))
            return BESTDAG_MEMORY;
    return BESTDAG_OK;
}

bool bestdag_option_given(const struct bestdag_options *options,
                          const char *key)
{
    int row = find(NULL, key);
    return options && row >= 0 && options->set[row];
}

struct bestdag_value bestdag_option_value(const struct bestdag_options *options,
                                          const char *key)
{
    struct bestdag_value value = {0};
    int row = find(NULL, key);
    if (row < 0)
        return value;
    const char *text =
        options && options->set[row] ? options->set[row] : table[row].fallback;
    if (text) /* was checked when it was set: cannot fail */
        parse(NULL, &table[row], text, &value);
    return value;
}

void bestdag_option_write(const struct bestdag_option *o,
                          struct bestdag_json_writer *w)
{
    static const char *const types[] = {
        [BESTDAG_FLAG] = "flag",         [BESTDAG_INTEGER] = "integer",
        [BESTDAG_NUMBER] = "number",     [BESTDAG_SIZE] = "size",
        [BESTDAG_DURATION] = "duration", [BESTDAG_CHOICE] = "choice",
        [BESTDAG_TEXT] = "text",         [BESTDAG_FILE] = "file",
        [BESTDAG_FILES] = "file",        [BESTDAG_OUTPUT] = "file",
        [BESTDAG_FOLDER] = "file",       [BESTDAG_PAIRS] = "pairs"};
    static const char *const roles[] = {[BESTDAG_FILE] = "input",
                                        [BESTDAG_FILES] = "input",
                                        [BESTDAG_OUTPUT] = "output",
                                        [BESTDAG_FOLDER] = "folder",
                                        [BESTDAG_PAIRS] = NULL};
    char letter[2] = {o->letter, 0};
    bestdag_json_add_text(w, "name", o->key);
    bestdag_json_add_text(w, "group", o->group);
    bestdag_json_add_text(w, "type", types[o->type]);
    if (roles[o->type])
        bestdag_json_add_text(w, "role", roles[o->type]);
    bestdag_json_add_text(w, "default", o->fallback);
    if (o->type == BESTDAG_INTEGER || o->type == BESTDAG_NUMBER) {
        bestdag_json_add_number(w, "least", o->least);
        bestdag_json_add_number(w, "most", o->most);
    }
    bestdag_json_add_text(w, "choices", o->choices);
    bestdag_json_add_text(w, "letter", o->letter ? letter : NULL);
    bestdag_json_add_text(w, "value", o->value);
    bestdag_json_add_text(w, "help", o->help);
}

void bestdag_text_free(char *text)
{
    bestdag_free(text);
}
