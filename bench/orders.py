# SPDX-License-Identifier: MIT
"""Tables of the search over orders; see orders.sh. Only the standard library."""
import csv
import gzip
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

BESTDAG = os.environ.get("BESTDAG", "build/bestdag")
BUILD = os.environ.get("BUILD", "build")
DATA = os.environ.get("BESTDAG_DATA")
SOLVERS = ("obs", "asobs", "orders", "cluster")
STRATEGIES = ("independence", "greedy", "sequential")
FULL = "--full" in sys.argv


def bestdag(*arguments):
    """What one command printed as JSON."""
    command = [BESTDAG, *map(str, arguments), "-q", "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def head(title, *cells):
    print(f"\n### {title}\n")
    row(*cells)
    row(*("---" for _ in cells))


def data(path):
    return os.path.join(DATA, path)


# ---- score files -------------------------------------------------------------


def optima(_):
    head("Known optima, `orders`, one thread, 5 s",
         "file", "variables", "optimum", "found", "difference", "at second")
    with open(data("optima.csv"), encoding="utf-8") as table:
        for known in csv.DictReader(table):
            if known["score"] != "file":
                continue
            got = bestdag("solve", data(known["data"]), "--solver", "orders",
                          "-t", "5s", "-j1")
            optimum = float(known["optimum"])
            row(os.path.basename(known["data"]), got["variables"],
                f"{optimum:.6f}", f"{got['score']:.6f}",
                f"{got['score'] - optimum:.1e}",
                f"{got['seconds']['best']:.2f}")


def instances(_):
    seconds, seeds = (30, 5) if FULL else (10, 2)
    head(f"One core, {seconds} s, {seeds} seeds: best, median, worst",
         "file", "solver", "best", "median", "worst", "best found at second")
    for name in ("Diabetes_1000_1_2", "link-5000", "munin1-5000"):
        for solver in SOLVERS:

            def solve(seed, name=name, solver=solver):
                return bestdag("solve", data(f"scores/{name}.jkl.gz"),
                               "--solver", solver, "-t", f"{seconds}s", "-j1",
                               "--seed", seed)

            with ThreadPoolExecutor(os.cpu_count()) as pool:
                got = list(pool.map(solve, range(1, seeds + 1)))
            scores = sorted((g["score"] for g in got), reverse=True)
            row(name, solver, f"{scores[0]:.2f}",
                f"{statistics.median(scores):.2f}", f"{scores[-1]:.2f}",
                ", ".join(f"{g['seconds']['best']:.1f}" for g in got))


# ---- tables ------------------------------------------------------------------

CLASSES = (("very positive", 10), ("strongly positive", 6), ("positive", 2),
           ("neutral", -2), ("negative", -6), ("strongly negative", -10),
           ("very negative", -math.inf))


def class_of(difference):
    return next(i for i, (_, low) in enumerate(CLASSES) if difference > low)


def sign_test(differences):
    """Probability of so many wins or more if both were equally good."""
    wins = sum(d > 0 for d in differences)
    games = sum(d != 0 for d in differences)
    return sum(math.comb(games, k) for k in range(wins, games + 1)) / 2**games


def compare(title, columns):
    """columns: name -> differences; one line a class, as the paper's tables."""
    head(title, "difference in BIC", *columns)
    for i, (name, _) in enumerate(CLASSES):
        row(name, *(sum(class_of(d) == i for d in c)
                    for c in columns.values()))
    row("one-sided sign test, p", *(f"{sign_test(c):.2g}"
                                    for c in columns.values()))


def thirds(name, folder):
    """The rows of a table, shuffled by a seed, in three files."""
    with gzip.open(data(f"density/{name}.train.data.gz"), "rt") as table:
        lines = table.read().split()
    random.Random(name).shuffle(lines)
    paths = []
    for part in range(3 if FULL else 1):
        paths.append(os.path.join(folder, f"{name}{part}.csv"))
        with open(paths[-1], "w", encoding="utf-8") as out:
            out.write("\n".join(lines[part::3]) + "\n")
    return paths


def learn_all(path, variables, folder):
    """BIC of every strategy with every solver."""
    each, search = (1, 60) if FULL else (0.02, 3)
    scores = {}
    for strategy in STRATEGIES:
        sets = os.path.join(folder, "sets.jkl")
        limit = (("-t", f"{each * variables}s") if strategy == "sequential"
                 else ("--time-per-variable", f"{each}s"))
        bestdag("score", path, "--no-header", "--parents", strategy,
                "--max-parents", 6, "-j1", *limit, "-o", sets)
        read = bestdag("solve", sets, "--solver", "os", "--set",
                       "restarts=1", "-j1")["seconds"]["read"]
        for solver in SOLVERS:
            got = bestdag("solve", sets, "--solver", solver, "-t",
                          f"{search + 1.2 * read}s", "-j1")
            scores[strategy, solver] = got["score"]
    return scores


def density(folder):
    sizes = {"nltcs": 16, "msnbc": 17, "jester": 100, "baudio": 100,
             "accidents": 111, "tretail": 135, "dna": 180, "msweb": 294,
             "book": 500, "tmovie": 500, "cr52": 889, "ad": 1556}
    if not FULL:
        sizes = {name: sizes[name]
                 for name in ("nltcs", "jester", "dna", "msweb", "tmovie")}
    all_scores = []
    head("BIC by strategy and solver", "table", *(
        f"{strategy}, {solver}" for strategy in STRATEGIES
        for solver in SOLVERS))
    for name, variables in sizes.items():
        for path in thirds(name, folder):
            all_scores.append((variables, learn_all(path, variables, folder)))
            row(os.path.basename(path), *(
                f"{value:.1f}" for value in all_scores[-1][1].values()))
    for title, wanted in (("n < 500", lambda n: n < 500),
                          ("n >= 500", lambda n: n >= 500)):
        part = [s for n, s in all_scores if wanted(n)]
        if not part:
            continue
        compare(f"Table 2, {title}: independence against", {
            f"{other}, {solver}": [s["independence", solver] - s[other, solver]
                                   for s in part]
            for solver in SOLVERS for other in ("greedy", "sequential")})
        compare(f"Table 3, {title}: solvers", {
            f"{one} - {other}, {strategy}":
            [s[strategy, one] - s[strategy, other] for s in part]
            for strategy in STRATEGIES
            for one, other in (("asobs", "obs"), ("orders", "asobs"),
                               ("orders", "cluster"))})


# ---- networks ----------------------------------------------------------------


def networks(folder):
    truths = []
    for name in ("andes", "diabetes", "pigs", "link", "munin"):
        path = data(f"networks/{name}.bif")
        truths.append((name, path if os.path.exists(path) else path + ".gz"))
    for variables in (2000, 4000, 10000) if FULL else (2000,):
        for seed in range(1, 6 if FULL else 2):
            path = os.path.join(folder, f"g{variables}-{seed}.json")
            subprocess.run([BESTDAG, "generate", "--recipe", "nips2015",
                            "--variables", str(variables), "--seed", str(seed),
                            "-q", "-o", path], check=True)
            truths.append((f"generated {variables}, {seed}", path))
    head("5,000 rows; independence and orders, 2 threads",
         "network", "variables", "BIC learned", "BIC of the true graph",
         "difference", "moral Hamming", "SHD of CPDAGs", "gap", "seconds",
         "peak MB")
    gains = []
    for name, path in truths:
        rows = os.path.join(folder, "rows.csv")
        subprocess.run([BESTDAG, "sample", path, "-n", "5000", "-q", "-o", rows],
                       check=True)
        n = bestdag("convert", path, "-o", os.path.join(folder, "n.json"))
        n = n["variables"]
        # Milliseconds a variable; seconds of scoring and searching.
        each = 1000 if FULL else 50
        total = n * each / 1000
        got, peak, out = learn(rows, folder, each, total,
                               600 if FULL else 20)
        truth = bestdag("evaluate", rows, path)
        distance = bestdag("compare", path, out)
        gains.append(round(got["score"] - truth["scores"]["bic"], 4))
        row(name, n, f"{got['score']:.1f}", f"{truth['scores']['bic']:.1f}",
            f"{gains[-1]:+.1f}", distance["moral_hamming"],
            distance["shd_cpdag"], f"{100 * got['gap']:.2f} %",
            f"{got['seconds']['total']:.0f}", f"{peak:.0f}")
    print(f"\nabove the true graph: {sum(g > 0 for g in gains)} of "
          f"{len(gains)}, sign test p = {sign_test(gains):.2g}")


def learn(rows, folder, each, scoring, searching):
    """Scoring takes half of a time limit at most, so it gets that half."""
    out = os.path.join(folder, "learned.json")
    peak_file = os.path.join(folder, "time")
    limit = 2 * max(scoring / 2 * 1.2, searching)
    command = ["/usr/bin/time", "-o", peak_file, "-f", "%M", BESTDAG, "learn", rows,
               "--parents", "independence", "--max-parents", "6",
               "--time-per-variable", f"{each}ms", "-t", f"{limit}s", "-j2",
               "-o", out, "--json", "-q"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    with open(peak_file, encoding="utf-8") as peak:
        megabytes = int(peak.read().split()[-1]) / 1024
    return json.loads(done.stdout), megabytes, out


def scaling(_):
    print("\n### Scaling\n", flush=True)
    subprocess.run([f"{BUILD}/bench/orders"], check=True)


def hc(_):
    head("hc against orders, BIC, one thread", "table", "what", "BIC",
         "seconds", "optimum with at most 3 parents")
    known = {"alarm": -218632.315680, "insurance": -264708.859751}
    for name, optimum in known.items():
        path = data(f"samples/{name}.csv.gz")
        for what in (("--solver", "hc"),
                     ("--solver", "hc", "--max-parents", 3),
                     ("--solver", "orders", "--max-parents", 3, "-t", "20s")):
            got = bestdag("learn", path, "-j1", *what, "-o", os.devnull, "-O",
                          "json")
            row(name, " ".join(map(str, what)), f"{got['score']:.3f}",
                f"{got['seconds']['total']:.1f}", f"{optimum:.3f}")


SECTIONS = {"optima": optima, "instances": instances, "density": density,
            "networks": networks, "scaling": scaling, "hc": hc}


def main():
    wanted = [word for word in sys.argv[1:] if word != "--full"]
    for word in wanted:
        if word not in SECTIONS:
            sys.exit(f"orders: there is no section '{word}'")
    for name in wanted or SECTIONS:
        if name != "scaling" and not DATA:
            print(f"skipped: {name}, BESTDAG_DATA is not set")
            continue
        with tempfile.TemporaryDirectory() as folder:
            SECTIONS[name](folder)


main()
