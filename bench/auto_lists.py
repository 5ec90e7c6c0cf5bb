# SPDX-License-Identifier: MIT
"""The candidate lists of `./dev bench auto`. Only the standard library.

Three kinds: score files as they are, those of tables, and made-up ones. A list
has a name and a way to make its file; the same name always gives the same file.
"""
import itertools
import os
import random
import tempfile

from exact import DATA, data, quiet


# ---- outside data ------------------------------------------------------------

# table, at most so many parents (0: no limit), how numbers are cut
TABLES = (
    ("optimal/tic-tac-toe.csv", 0, None), ("optimal/flag.csv", 3, None),
    ("optimal/hailfinder100.csv", 3, None), ("optimal/insurance1000.csv", 3, None),
    ("optimal/mildew1000.csv", 3, None),
    ("uci/vote.csv", 0, None), ("uci/lung-cancer.csv", 2, None),
    ("uci/lymphography.csv", 3, None), ("uci/mushroom.csv.gz", 4, None),
    ("uci/chess_kr-vs-kp.csv.gz", 3, None), ("uci/soybean_683.csv.gz", 3, None),
    ("uci/hepatitis.csv", 4, "mean"), ("uci/letter.csv.gz", 3, "mean"),
    ("uci/segment.csv.gz", 4, "mean"), ("uci/autos_imports85.csv", 3, "mean"),
    ("uci/waveform-21.csv.gz", 3, "mean"), ("uci/satimage_test.csv.gz", 2, "mean"),
    ("uci/sensor_readings_24.csv.gz", 4, "mean"), ("uci/wdbc.csv", 2, "mean"),
    ("density/nltcs.test.data.gz", 0, None), ("density/msnbc.test.data.gz", 5, None),
    ("density/accidents.test.data.gz", 2, None),
    ("density/baudio.test.data.gz", 2, None), ("density/dna.test.data.gz", 2, None),
    ("density/jester.test.data.gz", 2, None),
    ("density/tretail.test.data.gz", 2, None),
    ("density/msweb.test.data.gz", 2, None),
)


def stem(path):
    name = os.path.basename(path)
    for end in (".gz", ".csv", ".data", ".jkl"):
        name = name.removesuffix(end)
    return name


def score_table(path, parents, cut, out):
    """All sets of up to so many parents: no limit of time, so lists are whole."""
    options = ["--max-parents", parents] if parents else []
    if not path.startswith("uci/"):
        options.append("--no-header")
    with tempfile.TemporaryDirectory() as folder:
        table = data(path)
        if cut:
            table = os.path.join(folder, "cut.csv")
            quiet("discretize", data(path), "--method", cut, "-o", table)
        quiet("score", table, "--parents", "sequential", *options, "-o", out)


def outside():
    if not DATA:
        return
    for name in sorted(os.listdir(data("scores"))):
        if ".jkl" in name:
            yield stem(name), data("scores/" + name), None
    for path, parents, cut in TABLES:
        name = stem(path) + (f"-{parents}" if parents else "-all")
        yield name, None, (score_table, path, parents, cut)


# ---- samples of random networks ----------------------------------------------

# name: what `generate`, `sample` and `score` get
SAMPLES = {
    "n10-bic": ("--variables 10", 500, ""),
    "n15-bdeu": ("--variables 15 --states 2:3", 1000, "--score bdeu"),
    "n20-dense": ("--variables 20 --max-parents 5 --states 2:2 --arcs 70", 5000,
                  "--max-parents 6"),
    "n20-states": ("--variables 20 --states 5:9", 2000, ""),
    "n24-aic": ("--variables 24", 300, "--score aic --max-parents 4"),
    "n28-icml": ("--recipe icml2009 --variables 28", 5000, "--max-parents 4"),
    "n30-bdeu": ("--variables 30", 1000, "--score bdeu --ess 10 --max-parents 4"),
    "n30-noise": ("--variables 30 --arcs 0", 200, "--score aic --max-parents 3"),
    "n35-bic": ("--variables 35", 500, "--max-parents 4"),
    "n40-binary": ("--variables 40 --max-parents 4 --states 2:2", 10000,
                   "--max-parents 4"),
    "n40-sure": ("--variables 40 --concentration 0.1", 1000, "--max-parents 3"),
    "n45-bdeu": ("--variables 45", 2000, "--score bdeu --max-parents 3"),
    "n50-short": ("--variables 50", 100, "--score bdeu --max-parents 3"),
    "n60-bic": ("--variables 60", 1000, "--max-parents 3"),
    "n60-dense": ("--variables 60 --max-parents 5 --arcs 240 --states 2:2", 5000,
                  "--max-parents 3"),
    "n80-bdeu": ("--variables 80", 500, "--score bdeu --max-parents 2"),
    "n100-sparse": ("--variables 100 --arcs 80", 1000, "--max-parents 3"),
    "n100-dense": ("--variables 100 --max-parents 5 --arcs 400 --states 2:2", 3000,
                   "--max-parents 2"),
    "n120-trees": ("--variables 120 --max-parents 1", 5000, "--max-parents 2"),
    "n150-bic": ("--variables 150", 500, "--max-parents 2"),
    "n200-nips": ("--recipe nips2015 --variables 200", 1000, "--max-parents 2"),
    "n300-bdeu": ("--variables 300 --states 2:2", 500,
                  "--score bdeu --max-parents 2"),
    "n500-sparse": ("--variables 500 --arcs 400", 1000, "--max-parents 2"),
    "n800-bic": ("--variables 800 --states 2:3", 300, "--max-parents 2"),
}


def score_sample(network, rows, options, out):
    with tempfile.TemporaryDirectory() as folder:
        net, table = (os.path.join(folder, f) for f in ("net.json", "rows.csv"))
        quiet("generate", *network.split(), "--seed", 1, "-o", net)
        quiet("sample", net, "-n", rows, "--seed", 1, "-o", table)
        quiet("score", table, "--parents", "sequential", *options.split(), "-o",
              out)


# ---- lists without a table -----------------------------------------------------


def write_lists(lists, out):
    """lists: for each variable {parents: score}."""
    with open(out, "w", encoding="utf-8") as file:
        file.write(f"{len(lists)}\n")
        for v, sets in enumerate(lists):
            file.write(f"{v} {len(sets)}\n")
            for parents, score in sets.items():
                words = (f"{score:.6f}", str(len(parents)), *map(str, parents))
                file.write(" ".join(words) + "\n")


def draw_list(rng, others, sets, most, levels):
    """Sets of up to `most` of the others; larger ones are mostly better, so that
    the best ones make cycles. levels: of so many scores, so that there are ties."""
    drawn = {(): -100.0}
    for _ in range(sets):
        size = rng.randint(1, min(most, len(others)))
        parents = tuple(sorted(rng.sample(others, size)))
        score = (float(rng.randrange(levels)) if levels else
                 100 * rng.random() + 30 * size)
        drawn[parents] = score - 100
    return drawn


def without_structure(n, sets, most, levels, out):
    rng = random.Random(f"{n} {sets} {most} {levels}")
    write_lists([draw_list(rng, [u for u in range(n) if u != v], sets, most, levels)
                 for v in range(n)], out)


def every_set(n, most, out):
    """All sets of a few variables: a sum over parents with falling returns, and
    noise, so that few are dominated."""
    rng = random.Random(f"{n} {most}")
    lists = []
    for v in range(n):
        worth = {u: rng.random() ** 2 * 40 for u in range(n) if u != v}
        lists.append({parents: sum(worth[u] for u in parents) ** 0.8 +
                      rng.random() * len(parents) - 100
                      for size in range(most + 1)
                      for parents in itertools.combinations(worth, size)})
    write_lists(lists, out)


def blocks(count, size, is_ring, out):
    """Blocks of variables, each with links from the block before; in a ring no
    block can be solved on its own."""
    rng = random.Random(f"{count} {size} {is_ring}")
    lists = []
    for v in range(count * size):
        block = v // size
        own = [u for u in range(block * size, block * size + size) if u != v]
        drawn = draw_list(rng, own, 3 * size, 3, 0)
        before = (block - 1) % count
        if (block or is_ring) and v % size < 2:
            link = before * size + rng.randrange(size)
            for parents, score in list(drawn.items())[1:4]:
                drawn[tuple(sorted((*parents, link)))] = score + 20
        lists.append(drawn)
    write_lists(lists, out)


DRAWN = {
    "random-12x300": (without_structure, 12, 300, 5, 0),
    "random-20x40": (without_structure, 20, 40, 3, 0),
    "random-25-ties": (without_structure, 25, 20, 3, 6),
    "random-30x20": (without_structure, 30, 20, 3, 0),
    "random-50x8": (without_structure, 50, 8, 2, 0),
    "random-100x4": (without_structure, 100, 4, 2, 0),
    "random-300x2": (without_structure, 300, 2, 2, 0),
    "every-12-of-6": (every_set, 12, 6),
    "every-16-of-5": (every_set, 16, 5),
    "every-22-of-4": (every_set, 22, 4),
    "chain-10x8": (blocks, 10, 8, False),
    "chain-40x14": (blocks, 40, 14, False),
    "ring-8x8": (blocks, 8, 8, True),
    "ring-30x5": (blocks, 30, 5, True),
}


def generated():
    for name, recipe in SAMPLES.items():
        yield name, None, (score_sample, *recipe)
    for name, recipe in DRAWN.items():
        yield name, None, recipe


# ---- the lists ---------------------------------------------------------------


class List:
    """A score file, made when it is asked for first."""

    def __init__(self, name, path, recipe, folder):
        self.name, self.recipe = name, recipe
        self.path = path or os.path.join(folder, name + ".jkl")

    def file(self):
        if not os.path.exists(self.path):
            make, *how = self.recipe
            part = self.path.removesuffix(".jkl") + ".part.jkl"
            make(*how, part)
            if os.path.exists(part + ".json"):
                os.replace(part + ".json", self.path + ".json")
            os.replace(part, self.path)
        return self.path


def every_list(folder):
    os.makedirs(folder, exist_ok=True)
    return [List(*one, folder) for one in (*outside(), *generated())]
