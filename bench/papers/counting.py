# SPDX-License-Identifier: MIT
"""What de Campos, Zeng and Ji may have counted: candidate lists of a small table by
other penalties and comparisons, from counts of all subsets of its variables."""
import collections
import itertools
import math

from cells import split_table

ROUNDING = 1e-6


class Counts:
    """A table, and what is counted in it."""

    def __init__(self, file, merged=None):
        """merged: (a column, two of its states that are taken as one)."""
        names, columns = split_table(file)
        if merged:
            place = names.index(merged[0])
            columns[place] = [merged[1] if x == merged[2] else x for x in columns[place]]
        self.columns, self.n, self.rows = columns, len(columns), len(columns[0])
        self.states = [len(set(c)) for c in columns]
        self.known = {}

    def joint(self, members):
        """The rows of each cell that occurs."""
        members = tuple(sorted(members))
        if members not in self.known:
            self.known[members] = list(collections.Counter(
                zip(*(self.columns[m] for m in members))).values()) or [self.rows]
        return self.known[members]

    def configurations(self, parents):
        return math.prod(self.states[p] for p in parents)

    def likelihood(self, x, parents):
        def entropy(counts):
            return sum(c * math.log(c) for c in counts)
        return entropy(self.joint((x, *parents))) - entropy(self.joint(parents))

    def smoothed(self, x, parents):
        """The likelihood with one added to each cell."""
        r = self.states[x]
        return (sum(c * math.log(c + 1) for c in self.joint((x, *parents)))
                - sum(c * math.log(c + r) for c in self.joint(parents)))


def free(t, x, parents):
    return t.configurations(parents) * (t.states[x] - 1)


# name: the factor of the penalty, of the number of rows; the number of parameters
PENALTIES = {
    "as the paper defines them": (lambda n: math.log(n) / 2, free),
    "log2 N in the penalty": (lambda n: math.log2(n) / 2, free),
    "log10 N in the penalty": (lambda n: math.log10(n) / 2, free),
    "ln N instead of ln N / 2": (math.log, free),
    "AIC": (lambda n: 1, free),
    "0.95 times the penalty": (lambda n: 0.95 * math.log(n) / 2, free),
    "r instead of r - 1": (lambda n: math.log(n) / 2, lambda t, x, p:
                           t.configurations(p) * t.states[x]),
    "configurations that occur": (lambda n: math.log(n) / 2, lambda t, x, p:
                                  len(t.joint(p)) * (t.states[x] - 1)),
    "these, with r parameters each": (lambda n: math.log(n) / 2, lambda t, x, p:
                     len(t.joint(p)) * t.states[x]),
    "probabilities above 0": (lambda n: math.log(n) / 2, lambda t, x, p:
                              len(t.joint((x, *p))) - len(t.joint(p))),
}


def less_one(parents):
    return [parents[:i] + parents[i + 1:] for i in range(len(parents))]


# which subsets a set must beat to be kept; None: all of them
COMPARISONS = {
    "better than subsets of one parent less": less_one,
    "better than its single parents": lambda p: [(x,) for x in p] if p[1:] else [()],
    "better than the set before its last parent": lambda p: [p[:-1]],
    "better than no parents": lambda p: [()],
}


def all_scores(t, factor, parameters, likelihood=Counts.likelihood):
    """{parents: score} of each variable, smaller sets first."""
    return [{p: likelihood(t, x, p) - factor(t.rows) * parameters(t, x, p)
             for k in range(t.n)
             for p in itertools.combinations([o for o in range(t.n) if o != x], k)}
            for x in range(t.n)]


def best_within(scores):
    """Of each set, the best score of the set and its subsets."""
    best = {}
    for parents, score in scores.items():
        best[parents] = max([score] + [best[s] for s in less_one(parents)])
    return best


def kept(scores, subsets=None, slack=0):
    """slack: how far below its subsets a set may be."""
    best = best_within(scores)
    return [p for p, s in scores.items() if not p or
            (all(s > scores[o] for o in subsets(p)) if subsets
             else s + slack > max(best[o] for o in less_one(p)))]


def optimum(t, scores):
    best, full = [best_within(s) for s in scores], {0: 0.0}
    for mask in range(1, 2 ** t.n):
        members = [x for x in range(t.n) if mask >> x & 1]
        full[mask] = max(full[mask ^ 1 << x]
                         + best[x][tuple(m for m in members if m != x)] for x in members)
    return full[2 ** t.n - 1]


def counted(t, scores, target, subsets=None, slack=0):
    """Sets and log2 of their choices; the same of a TAN; the best score."""
    sizes = [len(kept(s, subsets, slack)) for s in scores]
    allowed = [{p: s for p, s in own.items() if not p or x != target and target in p
                and len(p) < 3} for x, own in enumerate(scores)]
    tan = []
    for own in allowed:  # the class alone is the only subset of a pair that is allowed
        alone = max([own[()]] + [s for p, s in own.items() if len(p) == 1])
        tan.append(1 + sum(s + slack > (alone if p[1:] else own[()])
                           for p, s in own.items() if p))
    return [sum(sizes), math.log2(math.prod(sizes)), sum(tan), math.log2(math.prod(tan)),
            optimum(t, scores)]


def scored_by_lemma_2(t, scores, weight):
    """Sets that are scored if Lemma 2 leaves out all it can; weight: of the penalty."""
    total = 0
    for x, own in enumerate(scores):
        best = {}
        for p, score in own.items():
            below = [best.get(o) for o in less_one(p)]
            if None in below or (p and weight * free(t, x, p) + max(below) > 0):
                continue
            best[p] = max([score] + below)
        total += len(best)
    return total


def hypotheses(file, target, merges):
    """{what is counted: numbers of `counted`}, and numbers of scored sets."""
    t = Counts(file)
    found = {name: counted(t, all_scores(t, *how), target)
             for name, how in PENALTIES.items()}
    usual = PENALTIES["as the paper defines them"]
    scores = all_scores(t, *usual)
    found["one row added to each cell"] = counted(
        t, all_scores(t, *usual, Counts.smoothed), target)
    for name, subsets in COMPARISONS.items():
        found[name] = counted(t, scores, target, subsets)
    found["less than ln N below its subsets"] = counted(t, scores, target,
                                                        slack=math.log(t.rows) - ROUNDING)
    for column, one, other in merges:
        joined = Counts(file, (column, one, other))
        found[f"{column}: {one} and {other} are one state"] = counted(
            joined, all_scores(joined, *usual), target)
    weight = usual[0](t.rows)
    return {"lists": found,
            "scored": {"with W": scored_by_lemma_2(t, scores, weight),
                       "as printed": scored_by_lemma_2(t, scores, 1)}}
