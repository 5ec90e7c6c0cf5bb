# SPDX-License-Identifier: MIT
"""missing.py -- what bench/missing.sh runs; it says what is measured."""
import csv
import json
import os
import random
import resource
import subprocess
import sys
import tempfile

BESTDAG = os.environ["BESTDAG"]
WAYS = (("drop", ()), ("state", ()), ("available", ()),
        ("available", ("--pnal-penalty", "rows")), ("em", ()))


def run(*words):
    """Output, and seconds of the processor; None: it failed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([BESTDAG, *words], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (done.stdout if done.returncode == 0 else None), spent


def often(column):
    """For each value: is it the most frequent one, or, of numbers, above the median?"""
    try:
        middle = sorted(map(float, column))[len(column) // 2]
        return [float(x) > middle for x in column]
    except ValueError:
        most = max(set(column), key=column.count)
        return [x == most for x in column]


def punch(rows, share, kind, seed):
    """Holes; mar: in every second column, by the column before, which has none: three times as
    often where it has its most frequent value, or one above its median."""
    draw = random.Random(seed)
    head, body = rows[0], [list(row) for row in rows[1:]]
    high = [often(column) for column in zip(*body)]
    for r, row in enumerate(body):
        for i in range(len(row)):
            p = share
            if kind == "mar":
                p = 2 * share * (1.5 if high[i - 1][r] else 0.5) if i % 2 else 0
            if draw.random() < p:
                row[i] = "?"
    return [head] + body


def write(path, rows):
    with open(path, "w", newline="") as to:
        csv.writer(to).writerows(rows)


def measure(folder, net, holes, new, way, seconds):
    """SHD, log-likelihood of a new row, seconds; None: there is none, or new rows have states
    that the network does not know."""
    out = os.path.join(folder, "out.json")
    table = os.path.join(folder, "holes.csv")
    write(table, holes)
    text, spent = run("learn", table, "--missing", *way, "-q", "-j", "1",
                      "--effort", "low", "-t", str(seconds), "-o", out)
    if text is None:
        return None, None, spent
    shd, likelihood = None, None
    text, _ = run("compare", net, out, "--json")
    if text:
        shd = json.loads(text)["shd_cpdag"]
    text, _ = run("evaluate", new, out, "--json", "-q")
    if text:
        report = json.loads(text)
        if report["log_likelihood"] is not None and not report.get("unknown_values"):
            likelihood = report["log_likelihood"] / report["rows"]
    return shd, likelihood, spent


def sampled(folder, net, rows, seed, name):
    path = os.path.join(folder, name)
    run("sample", net, "-n", str(rows), "--seed", str(seed), "-q", "-o", path)
    with open(path, newline="") as source:
        return path, list(csv.reader(source))


def mean(values, form):
    """Of all, or "-"."""
    return form % (sum(values) / len(values)) if values and None not in values else "-"


def quality(folder, nets, rows, seeds, seconds):
    """A row for each network and kind of holes: SHD, log-likelihood and seconds of each way."""
    print("| network | holes |" + "".join(" %s |" % " ".join((way, *more[1:])) for way, more in WAYS))
    print("|---|---|" + "---|" * len(WAYS))
    for name, net in nets:
        samples = []
        for seed in range(1, seeds + 1):
            _, table = sampled(folder, net, rows, 2 * seed - 1, "rows.csv")
            new, _ = sampled(folder, net, 2000, 2 * seed, "new%d.csv" % seed)
            samples.append((seed, table, new))
        for kind in ("mcar", "mar"):
            for share in (0.05, 0.1, 0.3):
                cells = []
                for way, more in WAYS:
                    found = [measure(folder, net, punch(table, share, kind, seed), new,
                                     (way, *more), seconds) for seed, table, new in samples]
                    shd, ln, spent = zip(*found)
                    cells.append("%s / %s / %s" % (mean(shd, "%.1f"), mean(ln, "%.3f"),
                                                   mean(spent, "%.2f")))
                print("| %s | %s %d %% | %s |" % (name, kind, round(100 * share), " | ".join(cells)),
                      flush=True)


def growth(folder, sizes, seconds):
    """Seconds of available and em as rows and columns grow; ">": the limit ended it."""
    print("\n| columns | rows | available, seconds | em, seconds | completed tables |")
    print("|---|---|---|---|---|")
    for columns, rows in sizes:
        net = os.path.join(folder, "grow.bif")
        run("generate", "--variables", str(columns), "--seed", "5", "-q", "-o", net)
        _, table = sampled(folder, net, rows, 1, "rows.csv")
        holes = os.path.join(folder, "holes.csv")
        write(holes, punch(table, 0.1, "mcar", 3))
        cells = []
        for way in ("available", "em"):
            text, spent = run("learn", holes, "--missing", way, "-q", "-j", "1", "--effort", "low",
                              "-t", str(seconds), "--json")
            report = json.loads(text)
            is_cut = report["status"] == "stopped" if way == "available" else \
                not report["em"]["converged"]
            cells.append("%s%.2f" % ("> " if is_cut else "", spent))
        print("| %d | %d | %s | %d |" % (columns, rows, " | ".join(cells),
                                         report["em"]["completed_tables"]), flush=True)


def main():
    full = "--full" in sys.argv
    seconds = 600 if full else 60
    data = os.environ.get("BESTDAG_DATA")
    with tempfile.TemporaryDirectory() as folder:
        nets = []
        for name, more in (("generated, 12", ()), ("numbers, 12", ("--numbers", "1"))):
            path = os.path.join(folder, "made%d.json" % len(nets))
            run("generate", "--variables", "12", "--seed", "7", "-q", *more, "-o", path)
            nets.append((name, path))
        for name in ("asia", "child") + (("insurance", "alarm") if full else ()):
            if data:
                nets.append((name, os.path.join(data, "networks", name + ".bif")))
        if "--growth" not in sys.argv:
            quality(folder, nets, 2000 if full else 500, 5 if full else 2, seconds)
        rows = (500, 2000, 8000) if full or "--growth" in sys.argv else (500, 2000)
        growth(folder, [(c, r) for c in (10, 20, 37) for r in rows], 600)


main()
