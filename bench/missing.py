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
WAYS = ("drop", "state", "available", "em")


def run(*words):
    """Output, and seconds of the processor; None: it failed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([BESTDAG, *words], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (done.stdout if done.returncode == 0 else None), spent


def punch(rows, share, kind, seed):
    """Holes; mar: where the column before (never with holes) has its first state,
    three times as often as elsewhere."""
    draw = random.Random(seed)
    head, body = rows[0], [list(row) for row in rows[1:]]
    most = [max(set(c), key=c.count) for c in zip(*body)]
    for row in body:
        full = list(row)
        for i in range(len(row)):
            p = share
            if kind == "mar":
                if i % 2 == 0:
                    continue
                p = 2 * share * (1.5 if full[i - 1] == most[i - 1] else 0.5)
            if draw.random() < p:
                row[i] = "?"
    return [head] + body


def write(path, rows):
    with open(path, "w", newline="") as to:
        csv.writer(to).writerows(rows)


def measure(folder, net, holes, new, way, seconds):
    out = os.path.join(folder, "out.bif")
    table = os.path.join(folder, "holes.csv")
    write(table, holes)
    text, spent = run("learn", table, "--missing", way, "-q", "-j", "1",
                      "--effort", "low", "-t", str(seconds), "-o", out)
    if text is None:
        return "-", "-", spent
    shd, likelihood = "-", "-"
    text, _ = run("compare", net, out, "--json")
    if text:
        shd = json.loads(text)["shd_cpdag"]
    text, _ = run("evaluate", new, out, "--json", "-q")
    if text:
        report = json.loads(text)
        if not report["unknown_values"]: # else not comparable
            likelihood = "%.4f" % (report["log_likelihood"] / report["rows"])
    return shd, likelihood, spent


def sampled(folder, net, rows, seed, name):
    path = os.path.join(folder, name)
    run("sample", net, "-n", str(rows), "--seed", str(seed), "-q", "-o", path)
    with open(path, newline="") as source:
        return path, list(csv.reader(source))


def quality(folder, nets, rows, shares, seconds):
    print("| network | rows | holes | way | SHD | log-likelihood | seconds |")
    print("|---|---|---|---|---|---|---|")
    for name, net in nets:
        _, table = sampled(folder, net, rows, 1, "rows.csv")
        new, _ = sampled(folder, net, 2000, 2, "new.csv")
        for kind in ("mcar", "mar"):
            for share in shares:
                holes = punch(table, share, kind, 3)
                for way in WAYS:
                    shd, ll, spent = measure(folder, net, holes, new, way, seconds)
                    print("| %s | %d | %s %d %% | %s | %s | %s | %.1f |" %
                          (name, rows, kind, 100 * share, way, shd, ll, spent),
                          flush=True)


def growth(folder, sizes, seconds):
    print("\n| columns | rows | available, seconds | em, seconds |\n|---|---|---|---|")
    for columns, rows in sizes:
        net = os.path.join(folder, "grow.bif")
        run("generate", "--variables", str(columns), "--seed", "5", "-q", "-o", net)
        _, table = sampled(folder, net, rows, 1, "rows.csv")
        new, _ = sampled(folder, net, 100, 2, "new.csv")
        holes = punch(table, 0.1, "mcar", 3)
        spent = [measure(folder, net, holes, new, way, seconds)[2]
                 for way in ("available", "em")]
        print("| %d | %d | %.1f | %.1f |" % (columns, rows, *spent), flush=True)


def main():
    full = "--full" in sys.argv
    seconds = 600 if full else 120
    data = os.environ.get("BESTDAG_DATA")
    with tempfile.TemporaryDirectory() as folder:
        nets = []
        made = os.path.join(folder, "made.bif")
        run("generate", "--variables", "12", "--seed", "7", "-q", "-o", made)
        nets.append(("generated, 12", made))
        if data and full:
            nets.append(("alarm", os.path.join(data, "networks", "alarm.bif")))
        quality(folder, nets, 1000, (0.05, 0.1, 0.3), seconds)
        sizes = [(10, 500), (10, 1000), (10, 2000), (15, 1000), (20, 1000)]
        growth(folder, sizes + [(10, 8000), (60, 1000)] if full else sizes, seconds)


main()
