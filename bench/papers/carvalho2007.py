# SPDX-License-Identifier: MIT
"""Carvalho and Oliveira: Learning Bayesian Networks Consistent with the Optimal
Branching (2007): Table 1 with the cuts as a factor, k, learning time."""
import os

from cells import command, data, quiet, read_table, write_table
from page import chart, table

TITLE = "Carvalho and Oliveira 2007: networks consistent with the optimal branching"
# file, how it is tested, score, the paper's NB, TAN, C2G
TABLES = {
    "letter": ("letter.csv.gz", "--split=0.75", "ll", 74.80, 84.93, 88.01),
    "satimage": ("satimage_train.csv.gz", "--test=satimage_test.csv.gz", "ll", 82.99,
                 88.53, 88.68),
    "chess": ("chess_kr-vs-kp.csv.gz", "--split=0.66646", "ll", 88.13, 92.24, 95.70),
    "segment": ("segment.csv.gz", "--split=0.66667", "ll", 71.76, 75.55, 79.33),
    "vehicle": ("vehicle.csv", "--folds=5", "bic", 62.96, 71.24, 71.24),
    "diabetes": ("pima_diabetes.csv", "--folds=5", "bic", 76.99, 78.17, 78.69),
    "soybean-large": ("soybean_683.csv.gz", "--folds=5", "bic", 91.07, 90.54, 91.25),
    "vote": ("vote.csv", "--folds=5", "bic", 91.30, 93.04, 93.04),
    "waveform": ("waveform-21.csv.gz", "--split=0.06", "bic", 81.23, 80.63, 81.49),
    "heart": ("heart_statlog.csv", "--folds=5", "bic", 83.71, 83.71, 84.07),
    "glass": ("glass.csv", "--folds=5", "bic", 94.29, 94.29, 95.24),
    "iris": ("iris.csv", "--folds=5", "bic", 93.33, 93.33, 94.00),
    "lymphography": ("lymphography.csv", "--folds=5", "bic", 78.62, 84.83, 82.07),
    "hepatitis": ("hepatitis.csv", "--folds=5", "bic", 93.75, 90.00, 91.25),
}
CUTS = ("mdl", "mean", "median")
MODELS = ("nb", "tan", "ckg")
LEAKS = ("as it is", "row number", "duplicates removed")
SIZES = (50, 100, 200, 500, 1000)
# as the paper has it: the tree alone, and naive Bayes without smoothing
LITERAL = {"nb": ("--smoothing", 0), "tan": ("--branching", "tree"),
           "ckg": ("--branching", "tree")}


def validate(name, model, cut, score=None, *options):
    file, how, usual = TABLES[name][:3]
    if how.startswith("--test="):
        how = "--test=" + data("uci", how[len("--test="):])
    answer = command("classify", "validate", data("uci", file), "--max-states", 10,
                     "--missing", "drop", how, "--model", model, "--score",
                     score or usual, "--method", cut, "-j1", *options)
    return {"accuracy": 100 * answer["accuracy"], "cpu": answer["cpu"]}


def leak(kind):
    """glass with what may give the class away."""
    def run(folder):
        names, rows = read_table(data("uci", "glass.csv"))
        if kind == "row number":
            rows = sorted(rows, key=lambda r: r[-1])
            names, rows = ["row", *names], [[i, *r] for i, r in enumerate(rows)]
        elif kind == "duplicates removed":
            rows = [list(r) for r in dict.fromkeys(map(tuple, rows))]
        path = write_table(os.path.join(folder, "glass.csv"), names, rows)
        return {m: 100 * command("classify", "validate", path, "--max-states", 10,
                                 "--folds=5", "--model", m, "--score", "bic",
                                 "--method", "mdl", "-j1")["accuracy"] for m in MODELS}
    return run


def grow(n):
    def run(folder):
        net, rows = os.path.join(folder, "n.bif"), os.path.join(folder, "r.csv")
        quiet("generate", "--variables", n + 1, "--states", "2:3", "--seed", 7, "-o", net)
        quiet("sample", net, "--rows", 2000, "--seed", 1, "-o", rows)
        with open(rows, encoding="utf-8") as file:
            target = file.readline().strip().split(",")[-1]
        return {m: command("classify", "train", rows, "--class", target, "--model", m,
                           "-j1", "-o", os.path.join(folder, "c.json"))["cpu"]
                for m in MODELS}
    return run


def cells():
    for cut in CUTS:
        for name in TABLES:
            for model in MODELS:
                yield (("carvalho2007", name, cut, model),
                       lambda _, a=(name, model, cut): validate(*a))
    for name in TABLES:
        for model in MODELS:
            yield (("carvalho2007", "literal", name, model),
                   lambda _, a=(name, model): validate(*a, "mdl", None, *LITERAL[a[1]]))
    for kind in LEAKS:
        yield ("carvalho2007", "glass", kind), leak(kind)
    for k in (1, 2, 3, 4):
        for score in ("ll", "bic"):
            for name in ("chess", "segment", "vehicle"):
                yield (("carvalho2007", "k", name, score, k),
                       lambda _, a=(name, score, k): validate(
                           a[0], "ckg", "mdl", a[1], "--max-parents", a[2]))
    for n in SIZES:
        yield ("carvalho2007", "time", n), grow(n)


def closest(name, paper, get):
    """The cuts whose three accuracies are nearest to the paper's."""
    def far(cut):
        got = [get(name, cut, m) for m in MODELS]
        if None in got:
            return None
        return sum(abs(g["accuracy"] - p) for g, p in zip(got, paper)) / 3
    known = [(far(c), c) for c in CUTS if far(c) is not None]
    return "{1} ({0:.1f})".format(*min(known)) if known else None


def page(store, folder):
    def get(*key):
        return store.get("carvalho2007", *key)

    def accuracy(*key):
        got = get(*key)
        return got["accuracy"] if got else None
    rows = []
    for name, (_, _, score, *paper) in TABLES.items():
        rows.append((name, score, *paper,
                     *(accuracy(name, cut, m) for cut in CUTS for m in MODELS),
                     closest(name, paper, get)))
    literal = [(name, *(accuracy("literal", name, m) for m in MODELS),
                *(accuracy(name, "mdl", m) for m in MODELS)) for name in TABLES]
    series = {}
    for name in ("chess", "segment", "vehicle"):
        for score in ("ll", "bic"):
            points = [(k, accuracy("k", name, score, k)) for k in (1, 2, 3, 4)]
            series[f"{name}, {score}"] = [p for p in points if p[1] is not None]
    by_k = chart(os.path.join(folder, "carvalho2007-k.svg"),
                 "Accuracy against the number of parents k", series, "k", "%")
    times = {m: [(n, get("time", n)[m]) for n in SIZES if get("time", n)] for m in MODELS}
    by_n = chart(os.path.join(folder, "carvalho2007-time.svg"),
                 "Learning time against the number of attributes", times, "attributes", "s",
                 log_x=True, log_y=True)
    heads = ["table", "score", "paper: NB", "TAN", "C2G"]
    heads += [f"{cut}: {m}" for cut in CUTS for m in MODELS] + ["nearest cuts"]
    return [
        "## Table 1: accuracy", "", table(heads, rows), "",
        "Per cent of the test rows. The paper does not say how numbers were cut; *nearest "
        "cuts* names those whose three figures are closest to the paper's, with the mean "
        "difference in points. Rows with missing values are left out.", "",
        "Cuts by `mdl` reproduce letter, satimage, chess, vehicle, diabetes, soybean-large, "
        "vote, iris and lymphography to within 2.3 points on average; of these chess, "
        "soybean-large, vote and lymphography have no numbers with more than ten values, so "
        "that all cuts give the same. segment comes from cuts into two states: with `mdl` "
        "all three classifiers are above 92 %, with `mean` they are within 4 points of the "
        "paper's. heart is nearest with `median`, hepatitis with `mean`, where "
        "`tan` has the paper's figure and `nb` is 8 points below. waveform is 3 to 5 points "
        "below the paper with every cut: it has 300 training rows, and which ones is not "
        "known. As in the paper, `ckg` is ahead of `tan` where the score is `ll` (letter, "
        "satimage, chess) and mostly equal to it where it is `bic`, because the forests that "
        "`bic` leaves have few longer paths.", "",
        "### glass", "",
        table(("glass", *MODELS), [(kind, *((get("glass", kind) or {}).get(m)
                                            for m in MODELS)) for kind in LEAKS]), "",
        "The table in the UCI repository is sorted by class and has a row number. With a row "
        "number left among the attributes the accuracy is close to the paper's; without one "
        "it is out of reach of every cut.", "",
        "## To the letter", "",
        table(("table", "as in the paper: NB", "TAN", "C2G", "default: nb", "tan", "ckg"),
              literal), "",
        "*As in the paper*: the optimal tree first, whether its arcs gain or not "
        "(`--branching tree`), and no smoothing of naive Bayes (`--smoothing 0`). The "
        "default takes the better of tree and forest, and smooths all three.", "",
        "## Accuracy against k", "",
        "![accuracy against k](carvalho2007-k.svg)" if by_k else "-", "",
        "The paper has no such figure; it reports k = 2. With `bic` k = 2 gains 2.4 points on "
        "chess, and nothing changes beyond it. With `ll`, which has no penalty, chess still "
        "gains at k = 4, while segment and vehicle lose from k = 2 or 3 on: their tables are "
        "too short for the configurations of four parents and the class.", "",
        "## Learning time", "",
        "![learning time](carvalho2007-time.svg)" if by_n else "-", "",
        "2,000 rows of generated networks with two or three states, one thread, the whole "
        "command with reading. The paper gives no times. Doubling the attributes from 500 to "
        "1,000 multiplies the time of `ckg` by less than three: the trees grow with the square "
        "of the attributes, reading and counting in proportion to them."]
