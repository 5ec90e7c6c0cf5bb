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
     "threads to use; 0: all cores. Does not change the result"},
    {"seed", "run", BESTDAG_INTEGER, "1", 0, 9007199254740992.0, NULL, 0, "N",
     "seed of everything random"},
    {"time-limit", "run", BESTDAG_DURATION, NULL, 0, 1e9, NULL, 't', "T",
     "stop after this time (30s, 10m, 2h); if not given, counted work decides: --effort"},
    {"memory-limit", "run", BESTDAG_SIZE, NULL, 0, 9e18, NULL, 0, "SIZE",
     "use at most this much memory (512M, 4G); no limit if not given"},
    {"effort", "run", BESTDAG_CHOICE, "default", 0, 0, "low|default|high", 0, "HOW",
     "without a time limit: how much work auto, candidate sets that cannot be complete, and heuristics do before they end; low is a tenth, high ten times the default"},
    {"gap", "run", BESTDAG_NUMBER, "0", 0, 1, NULL, 0, "G",
     "stop once the gap between score and bound is at most this"},

    {"input-format", "table", BESTDAG_CHOICE, "auto", 0, 0, "auto|csv|tsv|dat|arff", 0, "FORMAT",
     "what the table is; auto: by its suffix and content"},
    {"no-header", "table", BESTDAG_FLAG, "no", 0, 0, NULL, 0, NULL,
     "the first line holds values; columns are called V1, V2, ..."},
    {"delimiter", "table", BESTDAG_TEXT, NULL, 0, 0, NULL, 0, "C",
     "what separates fields: one character, tab or blank; found out if not given"},
    {"decimal", "table", BESTDAG_CHOICE, ".", 0, 0, ".|,", 0, "C",
     "decimal sign of numbers, . or ,"},
    {"na", "table", BESTDAG_TEXT, ",NA,?,NaN,<NA>", 0, 0, NULL, 0, "LIST",
     "fields, not in quotes, that mean a missing value, separated by commas; the first of the default is the empty field"},
    {"missing", "table", BESTDAG_CHOICE, "drop", 0, 0, "drop|state|error|keep", 0, "HOW",
     "drop: leave out rows with a missing value; state: make it a state, 'missing'; error: refuse the file; keep: values stay missing"},
    {"arity", "table", BESTDAG_CHOICE, "observed", 0, 0, "observed|declared", 0, "WHICH",
     "observed: the states that occur; declared: also those that the file only declares (arff, dat)"},
    {"max-states", "table", BESTDAG_INTEGER, "100", 2, 65534, NULL, 0, "N",
     "a column of more different numbers than this (than 10, if some have fractions) is not states but numbers"},
    {"ignore", "table", BESTDAG_TEXT, NULL, 0, 0, NULL, 0, "LIST",
     "columns to leave out, separated by commas"},
    {"weights", "table", BESTDAG_TEXT, NULL, 0, 0, NULL, 0, "COLUMN",
     "this column says how often each row counts (whole numbers)"},

    {"method", "discretize", BESTDAG_TEXT, "mean", 0, 0, NULL, 0, "METHOD",
     "mean or median (two states: below it, and the rest), width:K or quantile:K (K intervals, 2 to 1000), mdl (as many as tell --class apart)"},
    {"columns", "discretize", BESTDAG_TEXT, NULL, 0, 0, NULL, 0, "LIST",
     "columns to discretise, separated by commas, also states that are numbers; all columns of numbers if not given"},
    {"class", "discretize", BESTDAG_TEXT, NULL, 0, 0, NULL, 0, "COLUMN",
     "the class column that mdl looks at"},
    {"cuts", "discretize", BESTDAG_FILE, NULL, 0, 0, NULL, 0, "FILE",
     "use the columns and cut points of this file instead of finding new ones"},
    {"save-cuts", "discretize", BESTDAG_OUTPUT, NULL, 0, 0, NULL, 0, "FILE",
     "write the cut points to this file (JSON)"},

    {"score", "score", BESTDAG_CHOICE, "bic", 0, 0, "bic|mdl|aic|ll|k2|bdeu|bde|bd|mit", 0, "NAME",
     "what is maximised; mdl is bic"},
    {"ess", "score", BESTDAG_NUMBER, "1", 0, 1e9, NULL, 0, "X",
     "equivalent sample size of the Dirichlet prior of bdeu and bde"},
    {"pseudo", "score", BESTDAG_NUMBER, "1", 0, 1e9, NULL, 0, "X",
     "Dirichlet prior of bd: this much is added to every count"},
    {"pseudo-file", "score", BESTDAG_FILE, NULL, 0, 0, NULL, 0, "FILE",
     "prior of bd by variable (JSON: {\"name\": X or [X of each state], ...}); others have --pseudo"},
    {"prior", "score", BESTDAG_FILE, NULL, 0, 0, NULL, 0, "NET",
     "prior network of bde"},
    {"alpha", "score", BESTDAG_NUMBER, "0.999", 1e-9, 0.999999999, NULL, 0, "X",
     "confidence level of the tests of mit"},
    {"structure-prior", "score", BESTDAG_TEXT, "uniform", 0, 0, NULL, 0, "PRIOR",
     "uniform, or arcs:X, which takes X from the score for every arc"},

    {"pseudo", "fit", BESTDAG_NUMBER, "0", 0, 1e9, NULL, 0, "X",
     "add this much to every count, which keeps probabilities from 0 (Dirichlet prior); 0: shares as they are counted (maximum likelihood)"},
    {"ess", "fit", BESTDAG_NUMBER, "0", 0, 1e9, NULL, 0, "X",
     "spread this many imagined rows evenly over each table (Dirichlet prior with this equivalent sample size); not with --pseudo"},

    {"rows", "sample", BESTDAG_INTEGER, "1000", 1, 1e12, NULL, 'n', "N",
     "number of rows to draw"},

    {"per-row", "evaluate", BESTDAG_FLAG, "no", 0, 0, NULL, 0, NULL,
     "also the log-likelihood of every row"},

    {"recipe", "generate", BESTDAG_CHOICE, "plain", 0, 0, "plain|nips2015|icml2009", 0, "NAME",
     "plain: by the options below; nips2015: 2 to 4 states and 0 to 6 parents each, as in Scanagatta et al. 2015; icml2009: 2 to 4 states, at most 6 parents each and 3N arcs in all, as in de Campos et al. 2009"},
    {"variables", "generate", BESTDAG_INTEGER, "20", 1, 100000, NULL, 0, "N",
     "number of variables"},
    {"max-parents", "generate", BESTDAG_INTEGER, "3", 0, 20, NULL, 0, "K",
     "no variable has more parents than this; 6 with the other recipes"},
    {"states", "generate", BESTDAG_TEXT, "2:4", 0, 0, NULL, 0, "A:B",
     "each variable has from A to B states"},
    {"arcs", "generate", BESTDAG_INTEGER, NULL, 0, 1e9, NULL, 0, "N",
     "number of arcs; if not given each variable draws its number of parents"},
    {"concentration", "generate", BESTDAG_NUMBER, "1", 1e-3, 1e6, NULL, 0, "X",
     "rows of the tables are drawn from a symmetric Dirichlet distribution with this parameter: near 0 one state takes nearly all, large ones make states equally likely"},

    {"parents", "parents", BESTDAG_CHOICE, "auto", 0, 0, "auto|sequential|greedy|independence", 0, "NAME",
     "how candidate parent sets are found; auto: sequential if there are few enough, else independence"},
    {"max-parents", "parents", BESTDAG_INTEGER, NULL, 0, 1000, NULL, 0, "K",
     "no set has more parents than this; no limit if not given"},
    {"candidates", "parents", BESTDAG_INTEGER, NULL, 1, 1e6, NULL, 0, "K",
     "only the K variables of highest mutual information can be parents of a variable"},
    {"time-per-variable", "parents", BESTDAG_DURATION, NULL, 0, 1e9, NULL, 0, "T",
     "look at one variable for so long on one thread; if not given, greedy and independence by a number of sets fixed by the size of the table and --effort, sequential to the end"},
    {"theorem-2", "parents", BESTDAG_FLAG, "no", 0, 0, NULL, 0, NULL,
     "independence also prunes by Theorem 2 of its paper (never more than the other rules do)"},
    {"no-prune", "parents", BESTDAG_FLAG, "no", 0, 0, NULL, 0, NULL,
     "keep every set that was scored, also those that cannot be in a best network"},
    {"trace", "parents", BESTDAG_OUTPUT, NULL, 0, 0, NULL, 0, "FILE",
     "write each set that greedy and independence score (CSV: variable, step, size, score)"},
    {"part", "parents", BESTDAG_OUTPUT, NULL, 0, 0, NULL, 0, "FILE",
     "keep finished variables in this file until the sets are written"},
    {"resume", "parents", BESTDAG_FLAG, "no", 0, 0, NULL, 0, NULL,
     "go on with what is in the file of --part"},

    {"solver", "solve", BESTDAG_CHOICE, "auto", 0, 0, "auto|os|obs|asobs|orders|dp|astar|bfbnb|cluster|bnb|hc|espace|acoe|tree|ckg", 0, "NAME",
     "how the best network is looked for; auto: dp where at most 20 variables depend on each other, else astar, cluster and orders in turn, until one proves; orders alone if settings are given"},
    {"set", "solve", BESTDAG_PAIRS, NULL, 0, 0, NULL, 0, "KEY=VALUE",
     "a setting of the solver (may be given again); 'bestdag list solvers -v' has all"},
    {"start", "solve", BESTDAG_FILE, NULL, 0, 0, NULL, 0, "NET",
     "a network to start from; the answer is never worse than it"},
    {"require-optimal", "solve", BESTDAG_FLAG, "no", 0, 0, NULL, 0, NULL,
     "end with exit code 5 if the network is not proved optimal; it is written all the same"},
    {"temp-dir", "solve", BESTDAG_FOLDER, NULL, 0, 0, NULL, 0, "DIR",
     "where bfbnb may write what does not fit into memory; nothing stays there, however it ends"},
    {"bound", "learn", BESTDAG_FLAG, "no", 0, 0, NULL, 0, NULL,
     "also make candidate sets where the solver needs none (hc, espace, acoe, tree, ckg), so that there is a bound"},
    {"certificate", "solve", BESTDAG_OUTPUT, NULL, 0, 0, NULL, 0, "FILE",
     "write what proves the bound, for 'bestdag verify' (solver cluster)"},
    {"checkpoint", "solve", BESTDAG_FOLDER, NULL, 0, 0, NULL, 0, "DIR",
     "keep in this folder what is needed to go on after a crash: the same command given again goes on from there"},
    {"checkpoint-every", "solve", BESTDAG_DURATION, "10s", 0, 1e9, NULL, 0, "T",
     "how often it is kept, at most; it never takes more than a twentieth of the time"},
    {"save-scores", "learn", BESTDAG_OUTPUT, NULL, 0, 0, NULL, 0, "FILE",
     "also write the candidate sets to this .jkl file"},

    {"resamples", "bootstrap", BESTDAG_INTEGER, "200", 1, 1e6, NULL, 'R', "N",
     "resamples to learn from: as many rows as the table has, drawn with replacement"},
    {"directions", "bootstrap", BESTDAG_CHOICE, "cpdag", 0, 0, "cpdag|dag", 0, "WHICH",
     "cpdag: an arc whose direction the score cannot tell (reversible in the equivalence class) counts half for each; dag: arcs count as they were learned"},
    {"threshold", "bootstrap", BESTDAG_NUMBER, NULL, 0, 1, NULL, 0, "X",
     "arcs with a strength above this, or of 1, are in the averaged network; if not given, estimated from the strengths (Scutari and Nagarajan 2013)"},
    {"time-per-resample", "bootstrap", BESTDAG_DURATION, NULL, 0, 1e9, NULL, 0, "T",
     "learn from one resample for so long, on one thread; else until the search ends by itself"},
    {"strengths", "bootstrap", BESTDAG_OUTPUT, NULL, 0, 0, NULL, 0, "FILE",
     "write the strength and direction of every arc that was found to this file (CSV: from, to, strength, direction); - is standard output, then without the network"},

    {"steps", "os", BESTDAG_INTEGER, NULL, 1, 9e15, NULL, 0, "N",
     "stop after this many look-ups in the candidate sets; if not given, and neither restarts nor a time limit is, by the number of variables and --effort"},
    {"restarts", "os", BESTDAG_INTEGER, "0", 0, 9e15, NULL, 0, "N",
     "stop after searches from this many orders; 0: no limit"},
    {"steps", "obs", BESTDAG_INTEGER, NULL, 1, 9e15, NULL, 0, "N",
     "stop after this many look-ups in the candidate sets; if not given, and neither restarts nor a time limit is, by the number of variables and --effort"},
    {"restarts", "obs", BESTDAG_INTEGER, "0", 0, 9e15, NULL, 0, "N",
     "stop after searches from this many orders; 0: no limit"},
    {"reorders", "obs", BESTDAG_INTEGER, "0", 0, 9e15, NULL, 0, "N",
     "at the end of a search go on from another order of its network, until this many in a row gain nothing; 0: as in the paper, never"},
    {"steps", "asobs", BESTDAG_INTEGER, NULL, 1, 9e15, NULL, 0, "N",
     "stop after this many look-ups in the candidate sets; if not given, and neither restarts nor a time limit is, by the number of variables and --effort"},
    {"restarts", "asobs", BESTDAG_INTEGER, "0", 0, 9e15, NULL, 0, "N",
     "stop after searches from this many orders; 0: no limit"},
    {"reorders", "asobs", BESTDAG_INTEGER, "0", 0, 9e15, NULL, 0, "N",
     "at the end of a search go on from another order of its network, until this many in a row gain nothing; 0: as in the paper, never"},

    {"steps", "orders", BESTDAG_INTEGER, NULL, 1, 9e15, NULL, 0, "N",
     "stop after this many look-ups in the candidate sets; if not given, and no time limit is, by the number of variables and --effort"},
    {"islands", "orders", BESTDAG_INTEGER, "4", 1, 256, NULL, 0, "N",
     "searches that go on side by side and meet again and again; as many as threads can help"},

    {"block", "dp", BESTDAG_INTEGER, NULL, 3, 20, NULL, 0, "B",
     "subsets are worked on 2^B at a time: a larger B makes fewer passes over the candidate sets, a smaller one fits the cache; if not given, 12 to 16 by the number of sets"},

    {"heuristic", "astar", BESTDAG_CHOICE, "static", 0, 0, "simple|dynamic|static", 0, "NAME",
     "what at least is still to pay: simple lets each variable take its best set; dynamic and static know what sets of variables cost each other (pattern databases)"},
    {"k", "astar", BESTDAG_INTEGER, "3", 2, 4, NULL, 0, "K",
     "variables of a pattern of the dynamic heuristic, at most"},
    {"groups", "astar", BESTDAG_INTEGER, "0", 0, 64, NULL, 0, "N",
     "groups of the static heuristic; 0: as few as memory and time allow"},
    {"grouping", "astar", BESTDAG_CHOICE, "components", 0, 0, "halves|components", 0, "NAME",
     "who is in a group: consecutive variables, or those whose strongest candidate sets hold each other"},
    {"lookup", "astar", BESTDAG_CHOICE, "trie", 0, 0, "full|scan|bits|trie", 0, "NAME",
     "how the best candidate set among some variables is found: full keeps the answer for all subsets"},
    {"steps", "astar", BESTDAG_INTEGER, NULL, 1, 9e15, NULL, 0, "N",
     "stop after this many look-ups in the candidate sets; no limit if not given"},

    {"steps", "cluster", BESTDAG_INTEGER, NULL, 1, 9e15, NULL, 0, "N",
     "stop after this many sets of placed variables were expanded; no limit if not given"},

    {"heuristic", "bfbnb", BESTDAG_CHOICE, "static", 0, 0, "simple|dynamic|static", 0, "NAME",
     "what at least is still to pay: simple lets each variable take its best set; dynamic and static know what sets of variables cost each other (pattern databases)"},
    {"k", "bfbnb", BESTDAG_INTEGER, "3", 2, 4, NULL, 0, "K",
     "variables of a pattern of the dynamic heuristic, at most"},
    {"groups", "bfbnb", BESTDAG_INTEGER, "0", 0, 64, NULL, 0, "N",
     "groups of the static heuristic; 0: as few as memory and time allow"},
    {"grouping", "bfbnb", BESTDAG_CHOICE, "components", 0, 0, "halves|components", 0, "NAME",
     "who is in a group: consecutive variables, or those whose strongest candidate sets hold each other"},
    {"lookup", "bfbnb", BESTDAG_CHOICE, "trie", 0, 0, "full|scan|bits|trie", 0, "NAME",
     "how the best candidate set among some variables is found: full keeps the answer for all subsets"},
    {"steps", "bfbnb", BESTDAG_INTEGER, NULL, 1, 9e15, NULL, 0, "N",
     "stop after this many look-ups in the candidate sets; no limit if not given"},

    {"bound", "bnb", BESTDAG_CHOICE, "cluster", 0, 0, "simple|patterns|cluster", 0, "NAME",
     "what a network costs at least after some decisions: simple lets each variable take its best set that is left; patterns lets up to 6 variables choose together, without a cycle among them; cluster has multipliers on sets of variables of which one has no parent inside, and raises them at each node"},
    {"steps", "bnb", BESTDAG_INTEGER, NULL, 1, 9e15, NULL, 0, "N",
     "stop after this many nodes were expanded; no limit if not given"},

    {"steps", "hc", BESTDAG_INTEGER, NULL, 1, 9e15, NULL, 0, "N",
     "stop once so many scores of families were asked for: a variable whose parents change asks for one a variable; if not given, and neither a time limit nor restarts are, 10 n^2 + 500000 for n variables, times the effort"},
    {"tabu", "hc", BESTDAG_INTEGER, "10", 0, 1e5, NULL, 0, "N",
     "do not go back to the last N graphs, and go on for N moves that find nothing better; 0: plain hill climbing"},
    {"restarts", "hc", BESTDAG_INTEGER, NULL, 0, 1e9, NULL, 0, "N",
     "begin again N times from the best network, perturbed; if not given, as often as the steps and the time limit allow"},
    {"perturb", "hc", BESTDAG_INTEGER, NULL, 1, 1e6, NULL, 0, "N",
     "random moves at a restart; if not given, 5 + n / 10 for n variables"},

    {"search", "espace", BESTDAG_CHOICE, "greedy", 0, 0, "greedy|annealing|walk", 0, "NAME",
     "greedy takes the move that gains most; annealing takes random moves, at first also those that lose; walk is greedy with random moves between"},
    {"operators", "espace", BESTDAG_CHOICE, "six", 0, 0, "six|fges", 0, "NAME",
     "six: Chickering's operators on single edges; fges: insertions, then deletions, each with a set of neighbours that is turned along (search is greedy then)"},
    {"validity", "espace", BESTDAG_CHOICE, "cached", 0, 0, "full|restricted|cached", 0, "NAME",
     "how valid moves are found; all find the same: full tests every pair, restricted only those near each other, cached only what the last move can have changed"},
    {"steps", "espace", BESTDAG_INTEGER, NULL, 1, 9e15, NULL, 0, "N",
     "stop after this many moves"},
    {"restarts", "espace", BESTDAG_INTEGER, NULL, 0, 1e9, NULL, 0, "N",
     "begin again N times from the best class, perturbed; if not given, 5 times (times the effort), or as often as steps and time limit allow"},
    {"perturb", "espace", BESTDAG_INTEGER, NULL, 1, 1e6, NULL, 0, "N",
     "random moves at a restart; if not given, 5 + n / 10 for n variables"},

    {"tmax", "acoe", BESTDAG_INTEGER, "100", 0, 1e9, NULL, 0, "N",
     "rounds of ants"},
    {"tstep", "acoe", BESTDAG_INTEGER, "6", 0, 1e9, NULL, 0, "N",
     "every N-th round ends with a greedy search; 0: none does"},
    {"ants", "acoe", BESTDAG_INTEGER, "5", 1, 10000, NULL, 0, "N",
     "ants of a round; they go side by side"},
    {"rho", "acoe", BESTDAG_NUMBER, "0.1", 0, 1, NULL, 0, "X",
     "how fast scent fades and grows"},
    {"q0", "acoe", BESTDAG_NUMBER, "0.9", 0, 1, NULL, 0, "X",
     "how often an ant takes the best move rather than draws one"},
    {"beta", "acoe", BESTDAG_NUMBER, "3", 0, 100, NULL, 0, "X",
     "how much the gain of a move counts beside its scent"},
    {"validity", "acoe", BESTDAG_CHOICE, "cached", 0, 0, "full|restricted|cached", 0, "NAME",
     "how valid moves are found; all find the same"},

    {"forest", "tree", BESTDAG_FLAG, "no", 0, 0, NULL, 0, NULL,
     "keep only arcs that gain; else one tree spans all variables"},

    {"order", "ckg", BESTDAG_CHOICE, "tree", 0, 0, "tree|bfs", 0, "NAME",
     "who may be a parent: the ancestors in the best tree, or all that come before, layer by layer"},
    {"roots", "ckg", BESTDAG_CHOICE, "one", 0, 0, "one|all", 0, "NAME",
     "all: try every variable as the root of the tree, where its arcs score the same in both directions"},

    {"model", "classify", BESTDAG_CHOICE, "tan", 0, 0, "nb|tan|ckg", 0, "NAME",
     "nb: naive Bayes, attributes depend on the class alone; tan: on one more attribute each, as a forest; ckg: on up to --max-parents more, that come before them in the best tree"},
    {"class", "classify", BESTDAG_TEXT, NULL, 0, 0, NULL, 0, "COLUMN",
     "the column to tell from the others; the last one if not given (predict: the one that the model names)"},
    {"max-parents", "classify", BESTDAG_INTEGER, "2", 0, 20, NULL, 0, "K",
     "ckg: parents of an attribute besides the class, at most"},
    {"smoothing", "classify", BESTDAG_NUMBER, "5", 0, 1e9, NULL, 0, "X",
     "add this many imagined rows to each row of a table, spread like the states of its variable in all rows"},
    {"method", "classify", BESTDAG_TEXT, "mdl", 0, 0, NULL, 0, "METHOD",
     "how columns of numbers are cut, by the rows trained on: mdl (as many intervals as tell the class apart), mean, median, width:K, quantile:K"},
    {"folds", "classify", BESTDAG_INTEGER, "5", 2, 10000, NULL, 0, "K",
     "validate: train on all but one of K parts of equal mixture, test on that one, in turn"},
    {"split", "classify", BESTDAG_NUMBER, NULL, 0.001, 0.999, NULL, 0, "X",
     "validate: train on this share of the rows, drawn at random, and test on the rest"},
    {"test", "classify", BESTDAG_FILE, NULL, 0, 0, NULL, 0, "FILE",
     "validate: train on all of DATA, test on this table"},

    {"constraints", "verify", BESTDAG_FILES, NULL, 0, 0, NULL, 0, "FILE",
     "rules that the network was learned under; may be given again"},
    {"data", "verify", BESTDAG_FILE, NULL, 0, 0, NULL, 0, "DATA",
     "the table that was scored: listed scores are counted again, and that the lists lack nothing is checked"},
    {"families", "verify", BESTDAG_INTEGER, "1000000", 0, 9e15, NULL, 0, "N",
     "with --data: score at most this many families; what could not be checked is told"},

    {"digits", "sets", BESTDAG_INTEGER, "17", 1, 17, NULL, 0, "N",
     "significant digits of scores; 17: as many as give the same number back"},
    {"comments", "sets", BESTDAG_FLAG, "no", 0, 0, NULL, 0, NULL,
     "begin the file with comment lines that tell score, rows and limits (not every program reads them)"},
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
