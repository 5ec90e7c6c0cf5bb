# SPDX-License-Identifier: MIT
"""Carvalho and Oliveira: Learning Bayesian Networks Consistent with the Optimal
Branching (2007): Table 1 with the cuts as a factor, k, learning time."""
import os

from cells import command, data, quiet, read_table, write_table
from page import chart, table

TITLE = "Carvalho and Oliveira 2007: networks consistent with the optimal branching"
# file, how it is tested, score; the paper's attributes, classes, training and test rows,
# and NB, TAN, C2G
TABLES = {
    "letter": ("letter.csv.gz", "--split=0.75", "ll", "16 26 15,000 5,000",
               "74.80 ± 1.20", "84.93 ± 0.99", "88.01 ± 0.90"),
    "satimage": ("satimage_train.csv.gz", "--test=satimage_test.csv.gz", "ll",
                 "36 6 4,435 2,000", "82.99 ± 1.64", "88.53 ± 1.39", "88.68 ± 1.39"),
    "chess": ("chess_kr-vs-kp.csv.gz", "--split=0.66646", "ll", "36 2 2,130 1,066",
              "88.13 ± 1.93", "92.24 ± 1.60", "95.70 ± 1.20"),
    "segment": ("segment.csv.gz", "--split=0.66667", "ll", "19 7 1,540 770",
                "71.76 ± 1.21", "75.55 ± 1.14", "79.33 ± 1.07"),
    "vehicle": ("vehicle.csv", "--folds=5", "bic", "18 4 846 CV-5",
                "62.96 ± 1.66", "71.24 ± 1.56", "71.24 ± 1.56"),
    "diabetes": ("pima_diabetes.csv", "--folds=5", "bic", "8 2 768 CV-5",
                 "76.99 ± 1.52", "78.17 ± 1.49", "78.69 ± 1.48"),
    "soybean-large": ("soybean_683.csv.gz", "--folds=5", "bic", "35 19 562 CV-5",
                      "91.07 ± 1.21", "90.54 ± 1.24", "91.25 ± 1.19"),
    "vote": ("vote.csv", "--folds=5", "bic", "16 2 435 CV-5",
             "91.30 ± 1.86", "93.04 ± 1.68", "93.04 ± 1.68"),
    "waveform": ("waveform-21.csv.gz", "--split=0.06", "bic", "21 3 300 4,700",
                 "81.23 ± 1.12", "80.63 ± 1.13", "81.49 ± 1.11"),
    "heart": ("heart_statlog.csv", "--folds=5", "bic", "13 2 270 CV-5",
              "83.71 ± 2.25", "83.71 ± 2.25", "84.07 ± 2.23"),
    "glass": ("glass.csv", "--folds=5", "bic", "9 7 214 CV-5",
              "94.29 ± 1.61", "94.29 ± 1.61", "95.24 ± 1.47"),
    "iris": ("iris.csv", "--folds=5", "bic", "4 3 150 CV-5",
             "93.33 ± 2.04", "93.33 ± 2.04", "94.00 ± 1.94"),
    "lymphography": ("lymphography.csv", "--folds=5", "bic", "18 4 148 CV-5",
                     "78.62 ± 3.40", "84.83 ± 2.98", "82.07 ± 3.19"),
    "hepatitis": ("hepatitis.csv", "--folds=5", "bic", "19 2 80 CV-5",
                  "93.75 ± 2.71", "90.00 ± 3.35", "91.25 ± 3.16"),
}
CUTS = ("mdl", "mean", "median")
MODELS = ("nb", "tan", "ckg")
# Small tables, of which other rows or folds are drawn with each seed.
SPREAD = tuple(TABLES)[3:]
SEEDS = 8
MORE_CUTS = (*CUTS, "quantile:3", "quantile:4")
LEAKS = ("as it is", "row number", "duplicates removed")
SIZES = (50, 100, 200, 500, 1000)
# as the paper has it: the tree alone, and naive Bayes without smoothing
LITERAL = {"nb": ("--smoothing", 0), "tan": ("--branching", "tree"),
           "ckg": ("--branching", "tree")}

# What is not noise, as of the cells that are kept.
DIFFERENCES = (
    "Cuts by `mdl` reproduce letter, satimage, chess, vehicle, diabetes, soybean-large, vote, "
    "iris and lymphography to within 2.3 points on average; of these chess, soybean-large, vote "
    "and lymphography have no numbers with more than ten values, so that all cuts give the same. "
    "With `ll` C2G is ahead of TAN on letter, satimage and chess by 3.6, 1.0 and 2.6 points, in "
    "the paper by 3.1, 0.2 and 3.5. With `bic` `ckg` has the accuracy of `tan` on all tables but "
    "vote, which fits the paper's remark that almost all of its networks were forests.", "",
    "Two states cut at the mean or median lose what letter, satimage, vehicle and iris need. What "
    "is not explained by these cuts was tried with the algorithm to the letter (see below), "
    f"{SEEDS} draws of rows or folds, and cuts into three or four states of equal frequency "
    "(`quantile:3`, `quantile:4`). Of each table the nearest cuts, and the lowest and highest "
    "accuracy:")
DIFFERENCES_SPREAD = (
    "*segment* comes from two states cut at the mean: NB and TAN have the paper's figures. C2G "
    "gains 0.3 points over TAN on average, where the paper gains 3.8; why is not known. "
    "*waveform*, 3 to 5 points below the paper with the cuts of Table 1, has its NB and C2G to "
    "within 1.7 points with three states, and its TAN to within 2.5. *hepatitis*: NB is not "
    "smoothed in the paper; without smoothing it rises with cuts at the mean from 86.2 to 91.2 "
    "and more, 2 points below the paper, and the paper's TAN and C2G are within the range of "
    "four states. *vehicle* and *diabetes* stay 1 to 3 points below it. *heart*, *iris* and "
    "*vote* differ from it by less than its own ± on average, *soybean-large* and *lymphography* "
    "by up to 1.6 and 3.0 points. *glass* remains.", "",
    "The paper's accuracies with folds are whole numbers of five equal folds, to 0.01: 214 of "
    "230 rows of vote (232 are complete; the paper prints 435), 198 of 210 of glass, 123 of 145 "
    "of lymphography. So it left out the remainder.")


def validate(name, model, cut, score=None, *options):
    file, how, usual = TABLES[name][:3]
    if how.startswith("--test="):
        how = "--test=" + data("uci", how[len("--test="):])
    answer = command("classify", "validate", data("uci", file), "--max-states", 10,
                     "--missing", "drop", how, "--model", model, "--score",
                     score or usual, "--method", cut, "-j1", *options)
    return {"accuracy": 100 * answer["accuracy"], "cpu": answer["cpu"]}


def drawn(name, cut):
    """As in the paper, with other rows or folds each time."""
    return lambda _: {m: [validate(name, m, cut, None, *LITERAL[m], "--seed", seed)["accuracy"]
                          for seed in range(1, SEEDS + 1)] for m in MODELS}


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
    for name in SPREAD:
        for cut in MORE_CUTS:
            yield ("carvalho2007", "seeds", name, cut), drawn(name, cut)
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


def nearest(figures, paper):
    """Of {cuts: accuracies of the models}, the cuts that are nearest to the paper's, and
    how far they are on average; those with a missing figure are left out."""
    means = [float(text.split()[0]) for text in paper]
    far = {cut: sum(abs(a - p) for a, p in zip(got, means)) / len(means)
           for cut, got in figures.items() if None not in got}
    cut = min(far, key=far.get, default=None)
    return cut, far.get(cut)


def page_spread(get):
    """The nearest of all cuts, over several draws of rows."""
    rows = []
    for name in SPREAD:
        got = {cut: get("seeds", name, cut) for cut in MORE_CUTS}
        got = {cut: value for cut, value in got.items() if value}
        cut, far = nearest({cut: [sum(value[m]) / SEEDS for m in MODELS]
                            for cut, value in got.items()}, TABLES[name][4:])
        if cut:
            rows.append((name, *TABLES[name][4:], cut, f"{far:.1f}",
                         *(f"{min(x):.1f} to {max(x):.1f}" for m in MODELS
                           for x in (got[cut][m],))))
    return table(("table", "paper: NB", "TAN", "C2G", "nearest cuts", "off by", "NB", "TAN",
                  "C2G"), rows)


def page(store, folder):
    def get(*key):
        return store.get("carvalho2007", *key)

    def accuracy(*key):
        got = get(*key)
        return got["accuracy"] if got else None
    rows = []
    for name, (_, _, score, made, *paper) in TABLES.items():
        figures = {cut: [accuracy(name, cut, m) for m in MODELS] for cut in CUTS}
        cut, far = nearest(figures, paper)
        rows.append((name, *made.split(), score, *paper, *(
            a if a is None else f"{a:.2f}" for got in figures.values() for a in got),
                     cut and f"{cut} ({far:.1f})"))
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
    heads = ["table", "n", "classes", "train", "test", "score", "paper: NB", "TAN", "C2G"]
    heads += [f"{cut}: {m}" for cut in CUTS for m in MODELS] + ["nearest cuts"]
    return [
        "## Table 1: accuracy", "", table(heads, rows), "",
        "Per cent of the test rows, of one draw of rows or folds (`--seed 1`). The paper does not "
        "say how numbers were cut; *nearest cuts* names those whose three figures are closest to "
        "the paper's, with the mean difference in points. Rows with missing values are left out. "
        "The paper's Figure 1 is a diagram of classes of networks, without data.", "",
        *DIFFERENCES, "", page_spread(get), "", *DIFFERENCES_SPREAD, "",
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
        "chess, k = 3 another 0.2, and segment and vehicle stay as they are. With `ll`, which has "
        "no penalty, chess still gains at k = 4, while segment loses 1.4 points at k = 2 and 15 "
        "at k = 4, vehicle 0.2 and 2.7.", "",
        "## Learning time", "",
        "![learning time](carvalho2007-time.svg)" if by_n else "-", "",
        "2,000 rows of generated networks with two or three states, one thread, the whole "
        "command with reading. The paper gives no times. From 500 to 1,000 attributes the time "
        "of `nb` grows by a factor of 1.7, that of `tan` of 3.1, that of `ckg` of 2.5."]
