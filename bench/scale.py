# SPDX-License-Identifier: MIT
"""Learning from 500 to 10,000 variables; see scale.sh. Only the standard library."""
import argparse
import hashlib
import json
import math
import os
import re
import subprocess
import sys

from charts import number, page, text, write

COMMAND = os.environ.get("BESTDAG", "build/bestdag")
COLOURS = {"plain": "#1b6ca8", "nips2015": "#d98c3f", "icml2009": "#4c9a5b"}
PHASES = {"read": "#8a8a8a", "pairs": "#9467bd", "hc": "#c0504d",
          "score": "#d98c3f", "best": "#1b6ca8", "fit": "#4c9a5b"}
# Seconds per variable: 10 minutes in all, and those of BENCHMARKS.md, 50.
SHORT, FULL = "0.005,0.01", "0.005,0.01,0.02,0.04"


def run(*words):
    """Standard output and standard error of the command."""
    done = subprocess.run([COMMAND, *words], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        sys.exit(f"bestdag {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout, done.stderr


def make(args, recipe, size):
    """The paths of a network and of its table."""
    stem = os.path.join(args.cache, f"{recipe}-{size}-{args.seed}")
    net, table = stem + ".bif", f"{stem}-{args.rows}.csv"
    if not os.path.exists(net):
        run("generate", "--recipe", recipe, "--variables", str(size), "--seed",
            str(args.seed), "-o", net)
    if not os.path.exists(table):
        run("sample", net, "--rows", str(args.rows), "--seed", "1", "-o", table)
    return net, table


def families(path):
    """{child: set of parents} of a network file, of those that have any."""
    variables = json.loads(run("convert", path, "-O", "json")[0])["variables"]
    return {v["name"]: frozenset(v["parents"]) for v in variables if v["parents"]}


def listed(path, truth):
    """The share of the true families that are on the lists of a .jkl file."""
    found, child, left = 0, None, 0
    with open(path, encoding="utf-8") as file:
        words = (line.split() for line in file if not line.startswith("#"))
        next(words)
        for line in words:
            if not left:
                child, left = line[0], int(line[1])
                continue
            left -= 1
            found += frozenset(line[2:]) == truth.get(child)
    return found / max(1, len(truth))


def learn(args, recipe, size, each):
    net, table = make(args, recipe, size)
    out, lists = (os.path.join(args.cache, "learned" + end) for end in (".bif", ".jkl"))
    goal = json.loads(run("evaluate", table, net, "--json")[0])["scores"]["bic"]
    said, notes = run("learn", table, "-t", f"{each * size:g}s", "-j",
                      str(args.threads), "--memory-limit", args.memory, "--json",
                      "-v", "-o", out, "--save-scores", lists)
    got = json.loads(said)
    seconds = got["seconds"]
    for key, name in (("pairs", "all pairs"), ("hc", "hc")):
        match = re.search(rf"{name}: ([\d.]+) s", notes)
        seconds[key] = float(match[1]) if match else None
    likeness = json.loads(run("compare", net, out, "--json")[0])
    return {"truth": goal, "score": got["score"], "gap": got["gap"],
            "seconds": seconds, "memory": got["peak_memory_bytes"],
            "listed": listed(lists, families(net)),
            "arcs": likeness["skeleton"]["recall"]}


def results(args):
    """Every result, from what is known or by a run: {(recipe, size, each): ...}."""
    os.makedirs(args.cache, exist_ok=True)
    path = os.path.join(args.cache, "results.json")
    known = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            known = json.load(file)
    with open(COMMAND, "rb") as file:
        binary = hashlib.sha256(file.read()).hexdigest()[:12]
    out = {}
    for recipe in args.recipes.split(","):
        for size in map(int, args.sizes.split(",")):
            for each in map(float, args.seconds.split(",")):
                key = (f"{recipe} {size} {args.seed} {each:g} {args.rows} "
                       f"{args.threads} {args.memory} {binary}")
                if key not in known and not args.show:
                    known[key] = learn(args, recipe, size, each)
                    with open(path, "w", encoding="utf-8") as file:
                        json.dump(known, file, indent=1)
                if key in known:
                    out[recipe, size, each] = known[key]
    return out


def per_cent_above(result):
    return 100 * (result["score"] - result["truth"]) / abs(result["truth"])


def table(out):
    print("| recipe | variables | s per variable | score - truth | % | gap % "
          "| s | MB | families listed | arcs found |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for (recipe, size, each), r in out.items():
        gap = number(100 * r["gap"]) if r["gap"] is not None else "-"
        print(f"| {recipe} | {size:,} | {each:g} | {r['score'] - r['truth']:,.0f} "
              f"| {per_cent_above(r):.4f} | {gap} | {r['seconds']['total']:.1f} "
              f"| {r['memory'] / 1e6:.0f} | {100 * r['listed']:.1f} % "
              f"| {100 * r['arcs']:.1f} % |")


class Panel:
    """Lines over a logarithmic axis, in a part of the figure."""

    def __init__(self, left, title, xs, ys, is_log):
        self.left, self.title, self.is_log = left, title, is_log
        self.xs, self.ys = xs, ys

    def x(self, value):
        low, high = math.log(min(self.xs)), math.log(max(self.xs))
        return self.left + 290 * (math.log(value) - low) / max(1e-9, high - low)

    def y(self, value):
        scale = math.log if self.is_log else float
        low, high = scale(min(self.ys)), scale(max(self.ys))
        return 300 - 230 * (scale(value) - low) / max(1e-9, high - low)

    def draw(self, lines):
        """lines: (name, colour, {x: y})"""
        out = [text(self.left, 24, self.title, extra=' font-size="13"')]
        for tick in sorted(set(self.xs)):
            out.append(text(self.x(tick), 318, number(tick), "middle"))
        for tick in (min(self.ys), max(self.ys)):
            out.append(text(self.left - 6, self.y(tick) + 4, number(tick), "end"))
        for i, (name, colour, points) in enumerate(lines):
            path = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}"
                            for x, y in sorted(points.items()))
            out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" '
                       'stroke-width="2"/>')
            out += [f'<circle cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="3" '
                    f'fill="{colour}"/>' for x, y in points.items()]
            out.append(text(self.left + 75 * (i % 4), 340 + 15 * (i // 4), name,
                            extra=f' fill="{colour}"'))
        return out


def quality(out):
    lines = []
    for recipe, size in dict.fromkeys((r, s) for r, s, _ in out):
        points = {e: per_cent_above(v) for (r, s, e), v in out.items()
                  if (r, s) == (recipe, size)}
        lines.append((f"{recipe[:5]} {size}", COLOURS.get(recipe, "#222"), points))
    ys = [y for _, _, points in lines for y in points.values()] + [0.0]
    xs = [x for _, _, points in lines for x in points]
    panel = Panel(70, "Score above the truth, %, by s per variable", xs, ys, False)
    return panel.draw(lines)


def growth(out):
    lines = []
    longest = max(each for _, _, each in out)
    recipe = next(iter(out))[0]
    for phase, colour in PHASES.items():
        points = {s: v["seconds"].get(phase) for (r, s, e), v in out.items()
                  if r == recipe and e == longest}
        points = {s: y for s, y in points.items() if y and y > 0}
        if points:
            lines.append((phase, colour, points))
    xs = [x for _, _, points in lines for x in points]
    ys = [y for _, _, points in lines for y in points.values()]
    panel = Panel(440, f"Seconds of every phase by variables, {recipe}", xs, ys, True)
    return panel.draw(lines)


def main():
    parser = argparse.ArgumentParser(add_help=False)
    for key, default in (("sizes", "500,2000,10000"), ("seconds", ""),
                         ("recipes", "plain,nips2015,icml2009"), ("memory", "2G"),
                         ("cache", "build/bench-scale"),
                         ("chart", "docs/charts/scale.svg")):
        parser.add_argument("--" + key, default=default)
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=4)
    for flag in ("--full", "--show"):
        parser.add_argument(flag, action="store_true")
    args = parser.parse_args()
    args.seconds = args.seconds or (FULL if args.full else SHORT)
    out = results(args)
    if not out:
        sys.exit("nothing is known yet")
    table(out)
    folder, name = os.path.split(args.chart)
    write(folder or ".", os.path.splitext(name)[0],
          page(400, quality(out) + growth(out)))


if __name__ == "__main__":
    main()
