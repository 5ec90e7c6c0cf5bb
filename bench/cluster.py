# SPDX-License-Identifier: MIT
"""Tables of the solver cluster; see cluster.sh. Only the standard library."""
import os
import re
import subprocess

from auto_lists import every_list
from exact import BUILD, DATA, FULL, Run, data, head, play, quiet, row

# file, options of `score` if it is a table, score to compare with, what it is
FIELD = (
    ("optimal/mildew1000.csv", 3, -57238.020352, "optimum"),
    ("optimal/hailfinder100.csv", 3, -6414.534202, "optimum"),
    ("optimal/insurance1000.csv", 3, None, ""),
    ("scores/water1000_BIC.jkl", 0, -13290.106861, "optimum"),
    ("optimal/flag.csv", 3, None, ""),
    ("scores/alarm1000_BIC.jkl", 0, -11783.046280, "optimum; GOBNILP 2.4 s"),
    ("scores/alarm_BIC.jkl", 0, -14390.782475, "optimum; GOBNILP 0.5 s"),
    ("scores/soybean_BIC.jkl.gz", 0, -3122.062983, "optimum; GOBNILP 115 s"),
    ("scores/insurance_500_1.BDeu.jkl.gz", 0, None, ""),
    ("scores/hailfinder-5000.jkl", 0, None, ""),
    ("scores/munin1-5000.jkl.gz", 0, None, ""),
    ("scores/Diabetes_1000_1_2.jkl.gz", 0, -268812.1, "GOBNILP's bound, 300 s"),
    ("scores/link-5000.jkl.gz", 0, -1467273.6, "GOBNILP's bound, 300 s"),
)

# Of the lists of `./dev bench auto`: kinds on which the root behaves differently.
ROOTS = ("hailfinder-5000", "soybean_BIC", "link-5000", "Diabetes_1000_1_2",
         "accidents.test-2", "n40-binary", "n60-dense", "n100-dense", "n300-bdeu",
         "n800-bic", "random-30x20", "random-100x4", "every-16-of-5", "ring-30x5")


def lists(folder, path, parents):
    if not parents:
        return data(path)
    out = os.path.join(folder, os.path.basename(path) + ".jkl")
    quiet("score", data(path), "--no-header", "--max-parents", parents, "-o",
          out)
    return out


def bound_of(run):
    scale = max(1, abs(run.score))
    return run.score + run.gap * scale


def nodes_of(run):
    found = re.search(r"(\d+) nodes bounded", run.notes)
    return int(found[1]) if found else run.expanded


def instances(folder):
    seconds = 120 if FULL else 60
    head(f"Score files of the field, at most {seconds} s", "file", "solver",
         "status", "score", "bound", "gap %", "nodes", "seconds", "known")
    for path, parents, known, what in FIELD:
        made = lists(folder, path, parents)
        for solver in ("cluster", "astar"):
            got = Run(made, solver, seconds)
            row(os.path.basename(path), solver, got.status,
                f"{got.score:.3f}", f"{bound_of(got):.3f}",
                f"{100 * got.gap:.4f}", nodes_of(got), f"{got.seconds:.2f}",
                f"{known} ({what})" if known else "")


def root_of(notes):
    """Clusters and the gap in nats that they leave, of all components."""
    found = re.findall(r"(\d+) clusters leave a gap of ([\d.]+)", notes)
    return sum(int(n) for n, _ in found), sum(float(gap) for _, gap in found)


def root(_):
    """Sets left are those of `bnb`, which has the same root and fixes there."""
    seconds = 120 if FULL else 20
    head(f"The root, and the end after at most {seconds} s; one core", "list",
         "variables", "sets", "clusters", "root gap, nats", "sets left",
         "final gap %", "s of the processor")
    for item in every_list(os.path.join(BUILD, "bench-auto")):
        if item.name not in ROOTS:
            continue
        path = item.file()
        got = Run(path, "cluster", seconds, "-j1")
        fixed = Run(path, "bnb", seconds, "-j1", "--set", "steps=1")
        left = re.search(r"(\d+) parent sets left", fixed.notes)
        clusters, gap = root_of(got.notes)
        row(item.name, got.variables, got.sets, clusters, f"{gap:.3f}",
            left[1] if left else "", f"{100 * got.gap:.4f}",
            f"{got.processor:.2f}")


def border(folder):
    head("Long lists, few variables", "table", "sets", "solver", "status",
         "nodes", "seconds")
    tables = (("mushroom.csv.gz", False, 4), ("sensor_readings_24.csv.gz", True, 3),
              ("letter.csv.gz", True, 3), ("wdbc.csv", True, 2))
    for name, has_numbers, parents in tables:
        table = data("uci/" + name)
        if has_numbers:
            cut = os.path.join(folder, name.split(".")[0] + ".csv")
            quiet("discretize", table, "--method", "mean", "-o", cut)
            table = cut
        out = os.path.join(folder, "border.jkl")
        quiet("score", table, "--max-parents", parents, "-o", out)
        for solver in ("cluster", "astar", "dp", "auto"):
            got = Run(out, solver, 60)
            row(name, got.sets, solver, got.status, nodes_of(got),
                f"{got.seconds:.2f}")


def density(folder):
    seconds = 60 if FULL else 20
    names = ["baudio", "accidents", "dna", "msweb", "tmovie"]
    names += ["jester", "tretail", "book", "cr52", "ad"] if FULL else []
    head(f"Density tables, sets by independence, {seconds} s", "table",
         "variables", "sets", "simple gap %", "gap %", "seconds", "MB")
    for name in names:
        out = os.path.join(folder, name + ".jkl")
        quiet("score", data(f"density/{name}.train.data.gz"), "--no-header",
              "--parents", "independence", "-t", f"{seconds}s", "-o", out)
        simple = Run(out, "astar", 5, "--set", "heuristic=simple", "--set",
                     "steps=1")
        got = Run(out, "orders", seconds)
        row(name, got.variables, got.sets, f"{100 * simple.gap:.3f}",
            f"{100 * got.gap:.3f}", f"{got.seconds:.1f}", got.bytes >> 20)


def large(folder):
    net, rows, out = (os.path.join(folder, f) for f in
                      ("net.bif", "rows.csv", "large.jkl"))
    quiet("generate", "--variables", 1000, "--seed", 1, "-o", net)
    quiet("sample", net, "--rows", 1000, "--seed", 2, "-o", rows)
    quiet("score", rows, "--parents", "independence", "-t",
          "120s" if FULL else "60s", "-o", out)
    head("1,000 variables", "sets", "solver", "seconds", "simple gap %",
         "gap %", "MB")
    for seconds in (15, 60):
        simple = Run(out, "astar", seconds, "--set", "heuristic=simple",
                     "--set", "steps=1")
        got = Run(out, "orders", seconds)
        row(got.sets, "orders", seconds, f"{100 * simple.gap:.3f}",
            f"{100 * got.gap:.3f}", got.bytes >> 20)


def linear(_):
    program = os.path.join(BUILD, "bench", "linear")
    if not os.path.exists(program):
        print("skipped: linear, it was built without Clp")
        return
    files = ["scores/alarm1000_BIC.jkl", "scores/soybean_BIC.jkl.gz",
             "scores/hailfinder-5000.jkl"]
    subprocess.run([program, *map(data, files)], check=True)


SECTIONS = {"instances": instances, "root": root, "border": border, "density": density,
            "large": large, "linear": linear}

OUTSIDE = ("instances", "border", "density", "linear")

if __name__ == "__main__":
    play("cluster", SECTIONS, OUTSIDE)
