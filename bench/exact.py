# SPDX-License-Identifier: MIT
"""Tables of the searches that prove; see exact.sh. Only the standard library."""
import csv
import gzip
import json
import math
import os
import random
import re
import resource
import subprocess
import sys
import tempfile

BESTDAG = os.environ.get("BESTDAG", "build/bestdag")
BUILD = os.environ.get("BUILD", "build")
DATA = os.environ.get("BESTDAG_DATA")
FULL = "--full" in sys.argv
SOLVERS = ("dp", "astar", "bfbnb")
NEVER, AGREES = "does not fit", "agrees"


# ---- running and printing ----------------------------------------------------


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def head(title, *cells):
    print(f"\n### {title}\n")
    row(*cells)
    row(*("---" for _ in cells))


def data(path):
    return os.path.join(DATA, path)


def run(*arguments):
    """The JSON object (None: it does not fit into memory) and the notes."""
    command = [BESTDAG, *map(str, arguments), "--json", "-v"]
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 6):
        sys.exit(f"exact: {' '.join(command)}: {done.stderr}")
    return json.loads(done.stdout or "null"), done.stderr


def spent():
    """Seconds of processor time of all commands so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def quiet(*arguments):
    subprocess.run([BESTDAG, *map(str, arguments), "-q"], check=True,
                   stdout=subprocess.DEVNULL)


def count_in(pattern, notes):
    return sum(int(x) for x in re.findall(pattern, notes))


class Run:
    """One `solve`, and what it reported."""

    def __init__(self, path, solver, seconds, *options):
        before = spent()
        got, self.notes = run("solve", path, "--solver", solver, "-t",
                              f"{seconds}s", *options)
        self.processor = spent() - before
        self.status = got["status"] if got else NEVER
        self.score = got["score"] if got else math.nan
        self.gap = got["gap"] if got else math.nan
        self.seconds = got["seconds"]["solve"] if got else math.nan
        self.bytes = got["peak_memory_bytes"] if got else 0
        self.written = got.get("temp_file_bytes", 0) if got else 0
        self.sets = got["parent_sets"] if got else 0
        self.variables = got["variables"] if got else 0
        self.expanded = count_in(r"(\d+) nodes expanded", self.notes)
        self.generated = count_in(r"(\d+) generated", self.notes)
        self.patterns = count_in(r"(\d+) patterns", self.notes)
        self.is_proved = self.status == "optimal"

    def ending(self, seconds):
        """Seconds if it proved, else how it ended."""
        if self.is_proved:
            return f"{seconds:.2f}"
        if self.status == NEVER:
            return NEVER
        return f"{self.status}, gap {100 * self.gap:.2f} %"

    def wall(self):
        return self.ending(self.seconds)

    def work(self):
        return self.ending(self.processor)

    def nodes(self):
        return f"{self.expanded:,}" if self.status != NEVER else ""


def megabytes(count):
    return f"{count / 2**20:.1f}" if count else ""


def per_second(count, seconds):
    return f"{count / seconds / 1e6:.2f}" if seconds > 0 else ""


def score(table, out, *options):
    """Candidate sets of a table; what `score` reported."""
    return run("score", table, "-o", out, *options)[0]


# ---- known optima ------------------------------------------------------------


def sets_of(known, folder):
    """A score file for a row of optima.csv, and whether all sets are in it."""
    path = data(known["data"])
    if known["score"] == "file":
        return path, True
    out = os.path.join(folder, "sets.jkl")
    options = ["--score", known["score"]]
    if known["score"].startswith("bdeu"):
        options = ["--score", "bdeu", "--ess", "1"]
    if known["max_parents"]:
        options += ["--max-parents", known["max_parents"]]
    if known["data"].startswith("optimal/"):
        options.append("--no-header")
    report = score(path, out, "-t", "3600s" if FULL else "60s", *options)
    return out, report["status"] == "optimal"


def name_of(known):
    limit = known["max_parents"]
    return (os.path.basename(known["data"]), known["score"] +
            (f", at most {limit} parents" if limit else ""))


def optima(folder):
    seconds = 300 if FULL else 20
    head(f"Known optima, {seconds} s each", "file", "score", "variables",
         "sets", *(f"{s}: s" for s in SOLVERS), "astar: nodes",
         "bfbnb: nodes", *(f"{s}: MB" for s in SOLVERS), "value")
    proved, wrong, missing, rows = dict.fromkeys(SOLVERS, 0), [], [], 0
    with open(data("optima.csv"), encoding="utf-8") as table:
        for known in csv.DictReader(table):
            rows += 1
            path, is_whole = sets_of(known, folder)
            runs = {s: Run(path, s, seconds) for s in SOLVERS}
            good = [r for r in runs.values() if r.is_proved]
            for solver in SOLVERS:
                proved[solver] += runs[solver].is_proved
            value = agreement(good or list(runs.values()), known)
            if not good:
                missing.append(known["data"])
                value = "not proved, but found" if value == AGREES else "missed"
            elif value != AGREES:
                wrong.append(known["data"])
            size = size_of(path)
            row(*name_of(known), size["variables"],
                f"{size['parent_sets']:,}" + ("" if is_whole else ", not all"),
                *(r.wall() for r in runs.values()), runs["astar"].nodes(),
                runs["bfbnb"].nodes(),
                *(megabytes(r.bytes) for r in runs.values()), value)
    print(f"\nproved, of {rows}: " +
          ", ".join(f"{s} {proved[s]}" for s in SOLVERS) +
          f"; disagreements: {len(wrong)}{name_list(wrong)}; proved by none: "
          f"{len(missing)}{name_list(missing)}")


def name_list(names):
    return f" ({', '.join(names)})" if names else ""


def agreement(runs, known):
    """Do values agree with the known one, and with each other?"""
    found = [r.score for r in runs if r.status != NEVER]
    if max(found) - min(found) > 1e-6:
        return "SOLVERS DISAGREE"
    off = max(found) - float(known["optimum"])
    return (AGREES if abs(off) <= float(known["tolerance"])
            else f"DIFFERS by {off:+.2e}")


def size_of(path):
    return run("solve", path, "--solver", "os", "--set", "restarts=1")[0]


# ---- the tables of Yuan and Malone (UAI 2012) --------------------------------

UCI = ("zoo", "vote", "letter", "hepatitis", "segment", "mushroom",
       "sensor_readings_24", "autos_imports85", "flags")


def read_uci(name):
    """Names and complete rows."""
    path = data(f"uci/{name}.csv")
    opened = (open(path, encoding="utf-8") if os.path.exists(path)
              else gzip.open(path + ".gz", "rt"))
    with opened as table:
        names, *rows = (r for r in csv.reader(table) if r)
    return names, [r for r in rows if "?" not in r]


def split(column):
    """Two states around the mean; labels by their place in the alphabet."""
    try:
        values = [float(cell) for cell in column]
    except ValueError:
        place = {label: i for i, label in enumerate(sorted(set(column)))}
        values = [place[cell] for cell in column]
    mean = sum(values) / len(values)
    return [int(value >= mean) for value in values]


def binary(name):
    names, rows = read_uci(name)
    return names, list(zip(*(split(column) for column in zip(*rows))))


def write_table(names, rows, path):
    with open(path, "w", encoding="utf-8") as out:
        out.write(",".join(names) + "\n")
        out.writelines(",".join(map(str, r)) + "\n" for r in rows)


def score_rows(names, rows, folder, name, *options):
    """The candidate sets (BIC) of some rows: file, and what `score` reported."""
    table = os.path.join(folder, name + ".csv")
    out = os.path.join(folder, name + ".jkl")
    write_table(names, rows, table)
    return out, score(table, out, *options)


def score_uci(name, folder):
    out = os.path.join(folder, name + ".jkl")
    if not os.path.exists(out):
        score_rows(*binary(name), folder, name)
    return out


def graphs(folder):
    head("Scores that are held: full parent graphs and sparse ones", "table",
         "variables", "rows", "all layers", "largest layer", "unique",
         "all / unique", "largest / unique")
    for name in UCI:
        names, rows = binary(name)
        report = score_rows(names, rows, folder, name)[1]
        n, unique = len(names), report["parent_sets"]
        every = n * 2**(n - 1)
        largest = n * math.comb(n - 1, (n - 1) // 2)
        row(name, n, len(rows), f"{every:,}", f"{largest:,}", f"{unique:,}",
            f"{every / unique:,.0f}", f"{largest / unique:,.1f}")
    head("Unique scores against rows, drawn without putting back", "table",
         "rows", "unique scores", "families scored")
    for name in ("letter", "segment"):
        names, rows = binary(name)
        random.Random(name).shuffle(rows)
        for count in (100, 200, 500, 1000, 2000, 5000, 10000, 20000):
            if count <= len(rows):
                report = score_rows(names, rows[:count], folder, "part")[1]
                row(name, count, f"{report['parent_sets']:,}",
                    f"{report['scores_computed']:,}")


def programs(folder):
    tables = ("autos_imports85", "flags", "mushroom")
    paths = [score_uci(name, folder) for name in tables]
    known = [f"{path}={Run(path, 'astar', 600).score!r}" for path in paths]
    every = [score_uci(name, folder) for name in UCI]
    for name, files in (("lookup", paths), ("heuristics", known),
                        ("matching", every)):
        subprocess.run(["cmake", "--build", BUILD, "--target",
                        f"bench_{name}"], check=True,
                       stdout=subprocess.DEVNULL)
        print(f"\n### {name}\n", flush=True)
        subprocess.run([f"{BUILD}/bench/{name}", *files], check=True)


HEURISTICS = (("simple",), ("dynamic", "k=2"), ("dynamic", "k=3"),
              ("dynamic", "k=4"),
              *(("static", f"groups={groups}", f"grouping={how}")
                for how in ("halves", "components") for groups in (2, 3)))
FORMS = (("full", ("--set", "lookup=full")), ("sparse", ()))


def options_of(heuristic, *settings):
    words = ["--set", f"heuristic={heuristic}"]
    for setting in settings:
        words += ["--set", setting]
    return words


def heuristics(folder):
    seconds = 600 if FULL else 20
    head(f"Graphs x heuristics, one thread, {seconds} s each; seconds of the "
         "processor", "table", "graphs", "heuristic", "patterns", "astar: s",
         "astar: nodes", "bfbnb: s", "bfbnb: nodes")
    for name in ("autos_imports85", "flags"):
        path = score_uci(name, folder)
        for form, words in FORMS:
            for heuristic in HEURISTICS:
                a, b = (Run(path, solver, seconds, "-j1", *words,
                            *options_of(*heuristic))
                        for solver in ("astar", "bfbnb"))
                row(name, form, " ".join(heuristic), f"{a.patterns:,}",
                    a.work(), a.nodes(), b.work(), b.nodes())


def originals(folder):
    seconds = 600 if FULL else 40
    head(f"Full graphs and the simple heuristic against sparse ones and static "
         f"2, one thread, {seconds} s each; seconds of the processor", "table",
         "variables", *(f"{what}, {solver}: {unit}"
                        for what in ("original", "new")
                        for solver in ("astar", "bfbnb")
                        for unit in ("s", "nodes")))
    for name in UCI:
        path = score_uci(name, folder)
        runs = [Run(path, solver, seconds, "-j1", *words) for words in (
            ("--set", "lookup=full", *options_of("simple")),
            options_of("static", "groups=2"))
                for solver in ("astar", "bfbnb")]
        row(name, size_of(path)["variables"],
            *(cell for r in runs for cell in (r.work(), r.nodes())))


# ---- made-up tables ----------------------------------------------------------


PLAIN = ("--variables", 30, "--max-parents", 3, "--states", "2:3")


def sample(folder, seed, recipe=PLAIN):
    """Names and 5,000 rows of a random network."""
    network = os.path.join(folder, "network.json")
    table = os.path.join(folder, "sample.csv")
    quiet("generate", *recipe, "--seed", seed, "-o", network)
    quiet("sample", network, "-n", 5000, "--seed", seed, "-o", table)
    with open(table, encoding="utf-8") as lines:
        names, *rows = csv.reader(lines)
    return names, rows


def score_first(table, count, folder):
    """The candidate sets, of up to four parents, of the first columns."""
    names, rows = table
    return score_rows(names[:count], [r[:count] for r in rows], folder, "first",
                      "--max-parents", 4)[0]


def largest_of(path):
    """Variables of the largest component."""
    notes = Run(path, "astar", 600, "--set", "steps=1").notes
    return max(map(int, re.findall(r"astar: (\d+) variables", notes)),
               default=1)


def rates(folder):
    seconds = 300 if FULL else 40
    head(f"Successors, static heuristic, {seconds} s each; rates per second of "
         "the processor with one thread", "network", "largest component",
         "solver", "nodes", "generated", "million generated/s",
         "million expanded/s", "MB", "bytes per node", "s with 1 thread",
         "s with 2", "ratio")
    for seed in range(1, 5):
        path = score_first(sample(folder, seed), 30, folder)
        for solver in ("astar", "bfbnb"):
            start = Run(path, solver, seconds, "--set", "steps=1", "-j1")
            one, two = (Run(path, solver, seconds, f"-j{j}") for j in (1, 2))
            work = one.processor - start.processor
            each = (one.bytes - start.bytes) / max(1, one.expanded)
            row(seed, largest_of(path), solver, one.nodes(),
                f"{one.generated:,}", per_second(one.generated, work),
                per_second(one.expanded, work), megabytes(one.bytes),
                f"{each:.1f}", one.wall(), two.wall(),
                f"{one.seconds / two.seconds:.2f}")


def score_whole(n, folder):
    """Lists of n variables that all depend on each other."""
    recipe = ("--recipe", "icml2009", "--variables", n)
    for seed in range(1, 100):
        path = score_first(sample(folder, seed, recipe), n, folder)
        if largest_of(path) == n:
            return seed, path
    sys.exit(f"exact: no network of {n} variables is one component")


def dp(folder):
    head("dp, 2 threads", "variables", "network", "s", "s of the processor",
         "MB", "nanoseconds per subset", "bytes per subset", "ended")
    for n in (20, 24, 26, 28, 30) if FULL else (20, 24, 26, 28):
        seed, path = score_whole(n, folder)
        r = Run(path, "dp", 3600)
        row(n, seed, f"{r.seconds:.2f}", f"{r.processor:.2f}",
            megabytes(r.bytes), f"{r.seconds / 2**n * 1e9:.1f}",
            f"{r.bytes / 2**n:.2f}", r.status)


def disk(folder):
    head("bfbnb in an eighth of its memory", "network", "memory limit, MB",
         "MB", "written, MB", "s", "nodes", "score", "ended", "answer")
    for seed in (1, 2, 3, 4) if FULL else (3, 4):
        path = score_first(sample(folder, seed), 30, folder)
        free = Run(path, "bfbnb", 3600)
        limit = free.bytes // 8
        tight = Run(path, "bfbnb", 3600, "--temp-dir", folder,
                    "--memory-limit", limit)
        for r, words in ((free, ""), (tight, megabytes(limit))):
            row(seed, words or "none", megabytes(r.bytes),
                megabytes(r.written), f"{r.seconds:.2f}", r.nodes(),
                f"{r.score:.6f}", r.status,
                "" if r is free else "the same" if r.score == free.score
                else "ANOTHER")


def growth(folder):
    seconds = 600 if FULL else 20
    head(f"First columns of one table, {seconds} s each", "variables", "sets",
         "largest component", *(f"{s}: {unit}" for s in ("astar", "bfbnb")
                                for unit in ("s", "nodes")),
         "nodes / subsets", "dp: s")
    table = sample(folder, 1)
    for n in range(16, 31, 2):
        path = score_first(table, n, folder)
        largest = largest_of(path)
        a, b = (Run(path, s, seconds) for s in ("astar", "bfbnb"))
        d = (Run(path, "dp", seconds).wall()
             if largest <= (28 if FULL else 26) else "")
        row(n, f"{size_of(path)['parent_sets']:,}", largest, a.wall(),
            a.nodes(), b.wall(), b.nodes(), f"{a.expanded / 2**largest:.1e}", d)


SECTIONS = {"optima": optima, "graphs": graphs, "heuristics": heuristics,
            "originals": originals, "programs": programs, "rates": rates,
            "dp": dp, "disk": disk, "growth": growth}
OUTSIDE = ("optima", "graphs", "heuristics", "originals", "programs")


def play(benchmark, sections, outside):
    """The sections that are wanted, all if none is named."""
    wanted = [word for word in sys.argv[1:] if word != "--full"]
    for word in wanted:
        if word not in sections:
            sys.exit(f"{benchmark}: there is no section '{word}'")
    with tempfile.TemporaryDirectory() as folder:
        for name in wanted or sections:
            if name in outside and not DATA:
                print(f"skipped: {name}, BESTDAG_DATA is not set")
                continue
            before = os.getloadavg()[0]
            sections[name](folder)
            print(f"\nload average {before:.1f} before, "
                  f"{os.getloadavg()[0]:.1f} after", flush=True)


if __name__ == "__main__":
    play("exact", SECTIONS, OUTSIDE)
