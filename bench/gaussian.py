# SPDX-License-Identifier: MIT
"""Numbers: rates, recovery, proofs, thousands of columns. See gaussian.sh."""
import json
import math
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile

BESTDAG = os.environ["BESTDAG"]


def draw(n, seed, degree, states=0, window=0):
    """A random network: for each variable its parents with weights; the first
    `states` of an order have states, of which numbers depend by a shift."""
    r = random.Random(seed)
    arcs = []
    for v in range(n):
        near = range(max(0, v - window) if window else 0, v)
        k = min(len(near), int(degree) + (r.random() < degree - int(degree)))
        arcs.append({u: r.choice([-1, 1]) * r.uniform(0.4, 1)
                     for u in r.sample(near, k)})
    names = [f"V{i}" for i in range(n)]
    r.shuffle(names)
    return {"arcs": arcs, "states": states, "names": names, "random": r}


def rows(net, count, path):
    r, names = net["random"], net["names"]
    with open(path, "w", encoding="utf-8") as out:
        out.write(",".join(names) + "\n")
        for _ in range(count):
            x = []
            for v, parents in enumerate(net["arcs"]):
                y = r.gauss(0, 1) + sum(b * x[u] for u, b in parents.items())
                x.append((1.0 if y > 0 else -1.0) if v < net["states"] else y)
            out.write(",".join(
                ("yes" if y > 0 else "no") if v < net["states"] else f"{y:.6g}"
                for v, y in enumerate(x)) + "\n")


def truth(net, path):
    names = net["names"]
    with open(path, "w", encoding="utf-8") as out:
        for v, parents in enumerate(net["arcs"]):
            of = ":".join(names[u] for u in parents)
            out.write(f"[{names[v]}{'|' + of if of else ''}]")
        out.write("\n")


def run(*words):
    """What the command prints, and its processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([BESTDAG, *words], check=True, capture_output=True,
                          encoding="utf-8")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, (after.ru_utime - before.ru_utime +
                         after.ru_stime - before.ru_stime)


def families(folder):
    print("local scores per second of one thread (processor time, reading "
          "and sorting included)")
    table = f"{folder}/t.csv"
    for score, n, limit, states in (("bic-g", 40, 4, 0), ("bge", 40, 4, 0),
                                    ("bic-g", 25, None, 0),
                                    ("bic-cg", 20, 4, 6)):
        rows(draw(n, 1, 1.5, states), 1000, table)
        words = ["--max-parents", str(limit)] if limit else []
        out, seconds = run("score", table, "--score", score, "--parents",
                           "sequential", "-j", "1", "--json", "-o",
                           f"{folder}/t.jkl", *words)
        facts = json.loads(out)
        print(f"  {score:7} {n} columns, up to {limit or 'all'} parents: "
              f"{facts['scores_computed']:9,} scored, "
              f"{facts['parent_sets']:9,} kept, {seconds:6.2f} s, "
              f"{facts['scores_computed'] / seconds:11,.0f} per second")


SEEDS = range(1, 11)


def recovery(folder):
    """Every learn ends by itself, so that a busy machine changes nothing."""
    table, true, found = (f"{folder}/{x}" for x in
                          ("t.csv", "true.modelstring", "found.modelstring"))
    ways = (("numbers", []),
            ("extended", ["--structure-prior", f"arcs:{math.log(15):.1f}"]),
            ("2 states", ["--discretize", "quantile:2"]),
            ("3 states", ["--discretize", "quantile:3"]),
            ("5 states", ["--discretize", "quantile:5"]))
    for kind, states in (("Gaussian", 0), ("mixed", 5)):
        print(f"SHD of classes to the truth, {kind}: 15 variables, 1.5 parents "
              f"each, up to 4 learned, mean of {len(SEEDS)} networks "
              "(standard error)")
        print("    rows " + "".join(f"{way:>14}" for way, _ in ways))
        for count in (50, 200, 1000, 5000):
            shd = {way: [] for way, _ in ways}
            for seed in SEEDS:
                net = draw(15, seed, 1.5, states)
                rows(net, count, table)
                truth(net, true)
                for way, words in ways:
                    out, _ = run("learn", table, "-q", "--json", "-o", found,
                                 "--max-parents", "4", "-j", "1", *words)
                    assert json.loads(out)["status"] == "optimal"
                    out, _ = run("compare", true, found, "--json")
                    shd[way].append(json.loads(out)["shd_cpdag"])
            print(f"  {count:6} " + "".join(
                f"{statistics.mean(x):7.1f} ({statistics.stdev(x) / len(x) ** .5:.1f})"
                for x in shd.values()), flush=True)


def proofs(folder):
    print("bic-g, 1,000 rows, 1.5 parents each: lists and proof")
    table = f"{folder}/t.csv"
    for n, words in ((20, []), (25, []), (30, ["--max-parents", "3"]),
                     (40, ["--max-parents", "3"])):
        rows(draw(n, 1, 1.5), 1000, table)
        out, seconds = run("learn", table, "--json", "-o",
                           f"{folder}/net.json", "-t", "2m", *words)
        f = json.loads(out)
        print(f"  {n} columns{' ' + ' '.join(words) if words else ''}: "
              f"{f['parent_sets']:,} sets of {f['scores_computed']:,} scored, "
              f"{f['status']} over {f['proved_over']}, gap {f['gap']:.2g}, "
              f"{seconds:.1f} s", flush=True)


def shd(true, found):
    out, _ = run("compare", true, found, "--json")
    return json.loads(out)["shd_cpdag"]


def many(folder):
    """Hundreds and thousands of columns, with and without extended BIC."""
    table, true, found = (f"{folder}/{x}" for x in
                          ("t.csv", "true.modelstring", "found.json"))
    for n, count, limit in ((500, 500, "30s"), (5000, 300, "60s")):
        net = draw(n, 5, 1.2, window=n // 25)
        rows(net, count, table)
        truth(net, true)
        arcs = sum(len(x) for x in net["arcs"])
        print(f"{n} columns, {count} rows, {arcs:,} arcs, {limit}")
        for words in ([], ["--structure-prior", f"arcs:{math.log(n):.1f}"]):
            out, seconds = run("learn", table, "--json", "-o", found, "-t",
                               limit, *words)
            f = json.loads(out)
            print(f"  {' '.join(words) or 'bic-g alone'}: score "
                  f"{f['score']:.1f}, gap over the lists {f['gap']:.3f}, "
                  f"{len(f['arcs']):,} arcs, SHD {shd(true, found):,}, "
                  f"{seconds:.0f} processor seconds, "
                  f"{f['peak_memory_bytes'] / 1e6:.0f} MB", flush=True)


def main():
    sections = {"families": families, "recovery": recovery, "proofs": proofs,
                "many": many}
    chosen = sys.argv[1:] or list(sections)
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen:
            if name not in sections:
                sys.exit(f"gaussian: no section '{name}'; known: "
                         + " ".join(sections))
            sections[name](folder)


main()
