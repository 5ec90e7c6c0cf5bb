# SPDX-License-Identifier: MIT
"""The runs of `./dev regress`: about 200 over all commands, solvers, scores,
rules and formats, all with fixed seeds and limits of counted work.

A case is a name and a command line without the program's name. It is run in a
folder of its own; `in/` there holds the inputs below. What it writes, its JSON
and its exit code are compared; text for people is not.
"""
import random

# Inputs that the recorded program makes, once: file, command line.
MADE = [
    ("mid.bif", "generate --variables 12 --max-parents 3 --states 2:3 --seed 3"),
    ("mid.csv", "sample in/mid.bif -n 1000 --seed 5"),
    ("wide.bif", "generate --variables 40 --max-parents 3 --seed 7"),
    ("wide.csv", "sample in/wide.bif -n 500 --seed 8"),
    ("large.bif", "generate --variables 100 --max-parents 3 --seed 9"),
    ("large.csv", "sample in/large.bif -n 2000 --seed 10"),
    ("hard.bif", "generate --variables 24 --max-parents 5 --states 2:3"
                 " --seed 11"),
    ("hard.csv", "sample in/hard.bif -n 400 --seed 12"),
    ("hard.jkl", "score in/hard.csv --score aic --max-parents 4"),
    ("light.jkl", "score in/lighthouse.csv"),
    ("mid.jkl", "score in/mid.csv"),
    ("wide.jkl", "score in/wide.csv --max-parents 3"),
    ("large.jkl", "score in/large.csv --max-parents 2"),
    ("light.net.bif", "learn in/lighthouse.csv --solver dp"),
    ("start.csv", "learn in/lighthouse.csv --solver tree -O edges"),
]

RULES = {
    "arcs.rules": "wind -> sea\nnot fog -> horn\n",
    "tiers.rules": "tiers: season | fog wind keeper | sea lamp horn | warned"
                   " | aground | lifeboat\n",
    "order.rules": "order warned < lamp < horn\n",
    "count.rules": "for all X: indegree(X) <= 2\nroot season\n",
    "clause.rules": "wind -> sea or fog -> sea\n"
                    "if fog -> horn then not keeper -> horn\nnot leaf horn\n",
    "path.rules": "ancestor season aground\nnot ancestor lamp sea\n",
    "probability.rules": "states fog: no < yes\nstates aground: no < yes\n"
                         "0.01 <= P(aground=yes) <= 0.5\n",
}

SCORES = ["bic", "aic", "ll", "k2", "bd", "bde", "bdeu", "mit"]
ON_SETS = ["os", "obs", "asobs", "orders", "dp", "astar", "bfbnb", "cluster",
           "bnb"]
ON_TABLE = ["hc", "espace", "acoe", "tree", "ckg"]
FORMATS = ["bif", "xmlbif", "net", "uai", "json", "modelstring", "edges", "res",
           "dot"]
STEPS = {"os": 20000, "obs": 20000, "asobs": 20000, "orders": 200000,
         "hc": 20000, "espace": 3000}


def tables():
    """Tables with numbers, holes and weights, as text by file name."""
    draw = random.Random(1)
    numbers, holes = ["x,y,z,kind"], ["a,b,c,d,e"]
    for _ in range(300):
        x, y = draw.gauss(0, 1), draw.gauss(1, 2)
        kind = "up" if x + y + draw.gauss(0, 1) > 1 else "down"
        numbers.append("%.3f,%.3f,%.3f,%s" % (x, y, x * y, kind))
        row = [str(draw.randrange(3)) for _ in range(3)]
        row += [row[0], str((int(row[1]) + int(row[2])) % 3)]
        holes.append(",".join("?" if draw.random() < 0.05 else v for v in row))
    return {"numbers.csv": "\n".join(numbers) + "\n",
            "holes.csv": "\n".join(holes) + "\n"}


def steps(solver):
    if solver == "acoe":
        return " --set tmax=8"
    return " --set steps=%d" % STEPS[solver] if solver in STEPS else ""


def scoring():
    for score in SCORES:
        prior = " --prior in/lighthouse.bif" if score == "bde" else ""
        cap = " --max-parents 3" if score in ("ll", "mit", "aic") else ""
        yield ("score-" + score, "score in/lighthouse.csv --score %s%s%s"
               " -o out.jkl --json" % (score, prior, cap))
    for parents in ("greedy", "independence"):
        for score in ("bic", "bdeu", "k2"):
            yield ("score-%s-%s" % (parents, score), "score in/mid.csv --json"
                   " --parents %s --score %s -o out.jkl" % (parents, score))
    for name, more in [("prune", "--no-prune --max-parents 2"),
                       ("candidates", "--candidates 4"),
                       ("cap", "--max-parents 1"),
                       ("theorem", "--parents independence --theorem-2"),
                       ("arcs", "--structure-prior arcs:2"),
                       ("ess", "--score bdeu --ess 10"),
                       ("packed", "--score bdeu --max-parents 2 -j1")]:
        yield "score-" + name, "score in/mid.csv %s -o out.jkl --json" % more
    for rules in RULES:
        if rules != "path.rules":
            yield ("score-under-" + rules, "score in/lighthouse.csv --json"
                   " --constraints in/%s -o out.jkl" % rules)
    for missing in ("drop", "state"):
        yield ("score-missing-" + missing,
               "score in/holes.csv --missing %s -o out.jkl --json" % missing)


def learning():
    for solver in ON_SETS + ON_TABLE:
        for table in ("lighthouse", "mid"):
            yield ("learn-%s-%s" % (solver, table),
                   "learn in/%s.csv --solver %s%s -o out.bif --json"
                   % (table, solver, steps(solver)))
    for solver in ON_TABLE:
        yield ("learn-%s-wide" % solver, "learn in/wide.csv --max-parents 2"
               " --solver %s%s --seed 4 -o out.json --json"
               % (solver, steps(solver)))
    for score in SCORES:
        prior = " --prior in/lighthouse.bif" if score == "bde" else ""
        yield ("learn-auto-" + score, "learn in/lighthouse.csv --max-parents 4"
               " --score %s%s -o out.bif --json" % (score, prior))
    for rules in RULES:
        for solver in ("auto", "orders", "bnb", "hc"):
            yield ("learn-%s-under-%s" % (solver, rules),
                   "learn in/lighthouse.csv --constraints in/%s --solver %s%s"
                   " -o out.bif --json" % (rules, solver, steps(solver)))
    for name, more in [
            ("saved", "--save-scores out.jkl"),
            ("proof", "--solver cluster --save-scores out.jkl"
                      " --certificate out.cert"),
            ("bound", "--solver hc --bound"),
            ("start", "--start in/start.csv --solver orders --set steps=5000"),
            ("gap", "--gap 0.05 --solver orders --set steps=5000"),
            ("required", "--solver tree --require-optimal"),
            ("smooth", "--fit-pseudo 1"),
            ("sample-size", "--fit-ess 5"),
            ("threads", "-j 2 --solver orders --set steps=100000"),
            ("kept", "--checkpoint kept --solver orders --set steps=50000"),
            ("fges", "--solver espace --set operators=fges")]:
        yield ("learn-" + name, "learn in/lighthouse.csv %s -o out.bif --json"
               % more)


def solving():
    for solver in ON_SETS:
        for lists in ("light", "mid"):
            yield ("solve-%s-%s" % (solver, lists), "solve in/%s.jkl --solver"
                   " %s%s -o out.csv --json" % (lists, solver, steps(solver)))
    for solver in ("os", "obs", "asobs", "orders", "cluster", "bnb"):
        some = steps(solver) or " --set steps=300"
        yield ("solve-%s-wide" % solver, "solve in/wide.jkl --solver %s%s"
               " -o out.csv --json" % (solver, some))
        yield ("solve-%s-large" % solver, "solve in/large.jkl --solver %s%s"
               " --seed 2 -o out.res --json" % (solver, some))
    for heuristic in ("simple", "dynamic", "static"):
        for solver in ("astar", "bfbnb"):
            yield ("solve-%s-%s" % (solver, heuristic), "solve in/mid.jkl"
                   " --solver %s --set heuristic=%s -o out.csv --json"
                   % (solver, heuristic))
    for lookup in ("full", "scan", "bits", "trie"):
        yield ("solve-lookup-" + lookup, "solve in/mid.jkl --solver astar"
               " --set lookup=%s -o out.csv --json" % lookup)
    for bound in ("simple", "patterns", "cluster"):
        yield ("solve-bnb-" + bound, "solve in/mid.jkl --solver bnb"
               " --set bound=%s -o out.csv --json" % bound)
    for grouping in ("halves", "components"):
        yield ("solve-grouping-" + grouping, "solve in/mid.jkl --solver astar"
               " --set grouping=%s -o out.csv --json" % grouping)
    for lists in ("light", "mid"):
        yield ("solve-proof-" + lists, "solve in/%s.jkl --solver cluster"
               " --certificate out.cert -o out.csv --json" % lists)
    for rules in ("arcs.rules", "order.rules", "clause.rules", "path.rules"):
        yield ("solve-under-" + rules, "solve in/light.jkl --solver bnb"
               " --constraints in/%s -o out.csv --json" % rules)


def networks():
    for suffix in FORMATS:
        for net in ("lighthouse.bif", "wide.bif"):
            yield ("convert-%s-%s" % (net, suffix),
                   "convert in/%s -o out.%s -O %s" % (net, suffix, suffix))
    for name, more in [("compare", "compare in/lighthouse.bif in/light.net.bif"),
                       ("cpdag", "cpdag in/lighthouse.bif"),
                       ("evaluate", "evaluate in/lighthouse.csv"
                                    " in/lighthouse.bif"),
                       ("check", "check in/lighthouse.csv"),
                       ("check-visits", "check in/visits.csv"),
                       ("check-numbers", "check in/numbers.csv")]:
        yield name, more + " --json"
    for name, more in [("fit", ""), ("fit-pseudo", "--pseudo 1"),
                       ("fit-ess", "--ess 10"),
                       ("fit-rules", "--constraints in/probability.rules")]:
        yield (name, "fit in/lighthouse.csv in/lighthouse.bif %s -o out.bif"
               % more)
    for seed in (1, 2):
        yield ("sample-%d" % seed, "sample in/lighthouse.bif -n 2000 --seed %d"
               " -o out.csv" % seed)
        yield ("generate-%d" % seed, "generate --variables 30 --seed %d"
               " -o out.bif" % seed)
    yield ("generate-nips2015", "generate --recipe nips2015 --variables 50"
           " --seed 3 -o out.json")
    yield ("bootstrap", "bootstrap in/lighthouse.csv -R 20 --strengths s.csv"
           " -o out.bif --json")
    yield ("bootstrap-rules", "bootstrap in/lighthouse.csv -R 10 --solver hc"
           " --constraints in/tiers.rules -o out.bif --json")


def tables_and_classes():
    for method in ("mean", "median", "width:3", "quantile:4",
                   "mdl --class kind"):
        yield ("discretize-" + method.split()[0], "discretize in/numbers.csv"
               " --method %s --save-cuts cuts.json -o out.csv" % method)
    for suffix in ("dat", "arff", "tsv"):
        yield ("discretize-to-" + suffix,
               "discretize in/numbers.csv -o out." + suffix)
    for model in ("nb", "tan", "ckg"):
        yield ("train-" + model, "classify train in/numbers.csv --class kind"
               " --model %s -o out.json" % model)
        yield ("validate-" + model, "classify validate in/numbers.csv --class"
               " kind --model %s --json" % model)
        yield ("validate-light-" + model, "classify validate in/lighthouse.csv"
               " --class aground --model %s --folds 3 --json" % model)
    yield ("predict", "classify predict in/lighthouse.csv in/lighthouse.bif"
           " --class aground -o out.csv")


def cases():
    """All of them as (name, command line), names unique."""
    found = [case for part in (scoring, learning, solving, networks,
                               tables_and_classes) for case in part()]
    assert len({name for name, _ in found}) == len(found)
    return found


# Whose processor time is compared: a few seconds each.
LONG = [
    ("score sequential", "score in/large.csv --max-parents 3 -j1 -o out.jkl"),
    ("score bdeu", "score in/wide.csv --score bdeu --max-parents 4 -j1"
                   " -o out.jkl"),
    ("score independence", "score in/wide.csv --parents independence -j1"
                           " -o out.jkl"),
    ("score greedy", "score in/wide.csv --parents greedy -j1 -o out.jkl"),
    ("orders", "solve in/large.jkl --solver orders --set steps=8000000 -j1"
               " -o out.csv"),
    ("hc", "learn in/large.csv --solver hc --set steps=4000000 -j1 -o out.bif"),
    ("espace", "learn in/wide.csv --solver espace --set steps=40000 -j1"
               " -o out.bif"),
    ("cluster", "solve in/hard.jkl --solver cluster --set steps=80000 -j1"
                " -o out.csv"),
    ("bnb", "solve in/hard.jkl --solver bnb --set steps=1000 -j1 -o out.csv"),
    ("astar", "solve in/hard.jkl --solver astar -j1 -o out.csv"),
]
