# SPDX-License-Identifier: MIT
"""How sensitive results are to constants; see sensitivity.sh. Only the standard
library."""
import argparse
import csv
import gzip
import json
import os
import re
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.environ.get("BESTDAG_DATA")
FIELDS = ("group", "file", "constant", "value", "job", "seed", "status",
          "score", "bound", "steps", "nodes", "scores_computed",
          "user_seconds")

# ---- jobs --------------------------------------------------------------------

# Generated problems: variables, most parents, further options, rows, and the
# options of the score file. Seeds are fixed.
GENERATED = {
    "sparse60": (60, 3, ("--states", "2:3"), 2000, ("--max-parents", "4")),
    "dense25": (25, 5, ("--states", "2:3", "--arcs", "90"), 1000,
                ("--max-parents", "6", "--score", "bdeu")),
    "wide300": (300, 3, ("--states", "2:3"), 1000,
                ("--max-parents", "3", "--parents", "independence",
                 "--effort", "low")),
}

# Outside score files and tables, below $BESTDAG_DATA.
OUTSIDE = {
    "link": "scores/link-5000.jkl.gz",
    "munin1": "scores/munin1-5000.jkl.gz",
    "hailfinder": "scores/hailfinder-5000.jkl",
    "soybean": "scores/soybean_BIC.jkl.gz",
    "alarm1000": "scores/alarm1000_BIC.jkl",
    "water1000": "scores/water1000_BIC.jkl",
    "insurance": "scores/insurance_500_1.BDeu.jkl.gz",
    "baudio": "density/baudio.test.data.gz",
}

NO_BOUND = (("bounds/root_bound.c", "CUT_WORK", "1"),
            ("bounds/root_bound.c", "CUT_WORK_PER_SET", "0"))


def solve(problem, solver, seeds=1, rules="", **settings):
    arguments = ["--solver", solver]
    for key, value in settings.items():
        arguments += ["--set", f"{key}={value}"]
    name = " ".join([problem, solver] +
                    [f"{k}={v}" for k, v in settings.items()])
    return {"name": f"{name} {rules}".strip(), "problem": problem,
            "command": "solve", "arguments": arguments, "seeds": seeds,
            "rules": rules}


def learn(problem, solver, seeds=1, options=(), **settings):
    job = solve(problem, solver, seeds, "", **settings)
    job["command"] = "learn"
    job["name"] = " ".join([job["name"], *options])
    job["arguments"] += options
    return job


# Of each group: constants that are changed throughout, so that the work is
# spent where the group's constants matter; and jobs.
GROUPS = {
    "orders": (NO_BOUND, (
        solve("soybean", "orders", 4, steps=400000),
        solve("munin1", "orders", 4, steps=600000),
        solve("wide300", "orders", 4, steps=600000),
        solve("link", "orders", 1, steps=1200000),
    )),
    "epochs": (NO_BOUND, (
        solve("wide300", "orders", 2, steps=5000000),
        solve("hailfinder", "orders", 1, steps=4000000),
    )),
    "restarts": (NO_BOUND, (
        solve("sparse60", "asobs", 3, steps=100000),
        solve("munin1", "obs", 3, steps=100000),
    )),
    "cuts": ((("search/clusters/cluster.c", "CUT_WORK_PER_SET", "15000"),), (
        solve("hailfinder", "cluster", steps=1),
        solve("soybean", "cluster", steps=1),
        solve("munin1", "cluster", steps=1),
        solve("sparse60", "cluster", steps=1),
    )),
    "clusters": ((), (
        solve("water1000", "cluster"),
        solve("alarm1000", "cluster"),
        solve("hailfinder", "cluster", steps=300),
        solve("wide300", "cluster"),
    )),
    "arcs": ((("search/arcs/cluster_bound.c", "MOST_WORK",
               "(int64_t)1 << 25"),), (
        solve("water1000", "bnb"),
        solve("hailfinder", "bnb", steps=150),
        solve("alarm1000", "bnb"),
        solve("dense25", "bnb", bound="patterns", steps=3000),
        solve("water1000", "bnb", bound="patterns"),
        solve("dense25", "bnb", 1, "ancestor X3 X20", steps=200),
        solve("dense25", "bnb", 1, "ancestor X5 X9", steps=200),
    )),
    "subsets": ((), (
        solve("water1000", "astar"),
        solve("alarm1000", "astar"),
        solve("insurance", "astar"),
        solve("dense25", "astar"),
        solve("alarm1000", "bfbnb"),
        solve("dense25", "astar", heuristic="dynamic", steps=2000000),
    )),
    "direct": ((), (
        learn("sparse60", "hc", 5, steps=200000),
        learn("dense25", "hc", 5, steps=100000),
        learn("baudio", "hc", 2, steps=200000),
    )),
    "classes": ((), (
        learn("sparse60", "espace", 3, restarts=10),
        learn("dense25", "espace", 3, restarts=10),
        learn("dense25", "espace", 5, search="annealing", restarts=2),
        learn("sparse60", "espace", 3, search="annealing", restarts=1),
        learn("dense25", "espace", 5, search="walk", restarts=2),
        learn("sparse60", "espace", 3, search="walk", restarts=1),
    )),
    "parents": (NO_BOUND, (
        learn("baudio", "orders", 1, ("--parents", "independence",
                                      "--max-parents", "6", "--effort", "low"),
              steps=100000),
        learn("baudio", "orders", 1, ("--parents", "greedy",
                                      "--max-parents", "6", "--effort", "low"),
              steps=100000),
        learn("wide300", "orders", 1, ("--parents", "independence",
                                       "--max-parents", "4", "--effort", "low"),
              steps=100000),
        learn("sparse60", "orders", 1, ("--parents", "sequential",
                                        "--max-parents", "4"), steps=50000),
    )),
}

# ---- constants ---------------------------------------------------------------


def row(group, file, constant, *values):
    return {"group": group, "file": file, "constant": constant,
            "values": values}


ROWS = (
    row("orders", "search/orders/order_kick.c", "LONGEST_KICK"),
    row("orders", "search/orders/order_kick.c", "KICK_LENGTHS"),
    row("orders", "search/orders/order_kick.c", "TRIES", "10", "100"),
    row("orders", "search/orders/order_kick.c", "NEIGHBOUR_TRIES", "5", "80"),
    row("orders", "search/orders/orders.c", "ROUND_STEPS"),
    row("orders", "search/orders/orders.c", "ROUND_PER_VARIABLE"),
    row("orders", "search/orders/order_state.c", "MARGIN", "0.01", "0.45"),
    row("epochs", "search/orders/orders.c", "ELITE", "2", "32"),
    row("epochs", "search/orders/orders.c", "LEAST_PERTURBED", "1", "10"),
    row("epochs", "search/orders/orders.c", "PERTURBED_PART", "3", "30"),
    row("epochs", "search/orders/orders.c", "PATIENCE"),
    row("epochs", "search/orders/orders.c", "PATIENCE_PER_VARIABLE"),
    row("restarts", "search/orders/restarts.c", "BUNDLE"),
    row("cuts", "bounds/cutting_planes.c", "STEPS"),
    row("cuts", "bounds/cutting_planes.c", "STALLED_ROUNDS", "2", "6"),
    row("cuts", "bounds/cutting_planes.c", "START_WIDTH"),
    row("cuts", "bounds/cutting_planes.c", "LEAST_WIDTH", "1e-3", "1e-5"),
    row("cuts", "bounds/cutting_planes.c", "NARROW"),
    row("cuts", "bounds/cutting_planes.c", "STALLED_WIDTH"),
    row("cuts", "bounds/cutting_planes.c", "STALLED_GAIN"),
    row("cuts", "bounds/cutting_planes.c", "LITTLE_GAIN"),
    row("cuts", "bounds/cutting_planes.c", "LITTLE_IF_NEW"),
    row("cuts", "bounds/cutting_planes.c", "NEW_CLUSTERS"),
    row("cuts", "bounds/cutting_planes.c", "SLOWER", "0.5", "0.85"),
    row("cuts", "bounds/cutting_planes.c", "TINY_GAIN"),
    row("cuts", "bounds/cutting_planes.c", "FASTER", "0.2", "0.7"),
    row("cuts", "bounds/smooth_dual.c", "MEMORY"),
    row("cuts", "bounds/smooth_dual.c", "SHORTENED"),
    row("cuts", "bounds/smooth_dual.c", "SHORTER", "2.0", "6.0"),
    row("cuts", "bounds/smooth_dual.c", "FIRST_STEP"),
    row("cuts", "bounds/smooth_dual.c", "FAR"),
    row("cuts", "bounds/smooth_dual.c", "ENOUGH_RISE", "1e-6", "1e-2"),
    row("cuts", "bounds/smooth_dual.c", "LEAST_CURVATURE", "1e-15", "1e-9"),
    row("cuts", "bounds/separation.c", "GOOD_FRACTION"),
    row("cuts", "bounds/block_separation.c", "GOOD_FRACTION"),
    row("cuts", "bounds/block_separation.c", "NEARLY_VIOLATED", "2.0", "2.6"),
    row("cuts", "bounds/block_separation.c", "MOST_AROUND"),
    row("cuts", "bounds/block_separation.c", "MOST_PARENTS"),
    row("cuts", "bounds/cycle_separation.c", "LONGEST", "1.0", "3.2"),
    row("cuts", "bounds/cycle_separation.c", "MOST_VISITS"),
    row("cuts", "bounds/violated_cluster.c", "LEAST_FRACTION"),
    row("cuts", "bounds/violated_cluster.c", "VIOLATED", "0.9", "0.999"),
    row("cuts", "bounds/violated_cluster.c", "LEAST_GAIN", "1e-4", "1e-9"),
    row("cuts", "bounds/violated_cluster.c", "ROUNDING", "0", "1e-6"),
    row("cuts", "bounds/violated_cluster.c", "MOST_IN_BLOCK"),
    row("cuts", "bounds/dual_ascent.c", "MOST_TRIES"),
    row("cuts", "bounds/relaxation.c", "MOST_IDLE", "2", "6"),
    row("cuts", "bounds/relaxation.c", "MOST_COMPARED"),
    row("clusters", "bounds/cutting_planes.c", "STALLED_ROUNDS", "2", "6"),
    row("clusters", "bounds/cutting_planes.c", "LEAST_WIDTH", "1e-3", "1e-5"),
    row("clusters", "bounds/cutting_planes.c", "NARROW"),
    row("clusters", "bounds/cutting_planes.c", "STALLED_WIDTH"),
    row("clusters", "bounds/cutting_planes.c", "STALLED_GAIN"),
    row("clusters", "bounds/dual_ascent.c", "MOST_TRIES"),
    row("clusters", "search/clusters/cluster.c", "FIRST_SHARE", "1", "16"),
    row("clusters", "search/clusters/cluster.c", "CUT_WORK"),
    row("clusters", "search/clusters/cluster.c", "CUT_WORK_PER_SET"),
    row("clusters", "search/clusters/cluster.c", "DEEPEST", "1"),
    row("clusters", "search/orders/first_network.c", "LOOKUPS"),
    row("clusters", "search/orders/first_network.c", "LOOKUPS_PER_VARIABLE"),
    row("clusters", "search/orders/first_network.c", "LONG_LIST"),
    row("arcs", "bounds/multiplier_decrease.c", "MOST_LEAST", "1", "6"),
    row("arcs", "search/arcs/bnb.c", "ROUND"),
    row("arcs", "search/arcs/bnb.c", "SHARE"),
    row("arcs", "search/arcs/bnb.c", "BATCH"),
    row("arcs", "search/arcs/bnb.c", "DIVE_EVERY"),
    row("arcs", "search/arcs/bnb.c", "DIVE_SHARP"),
    row("arcs", "search/arcs/bnb.c", "DIVERS"),
    row("arcs", "search/arcs/bnb.c", "DIVE_NODES", "200", "20000"),
    row("arcs", "search/arcs/bnb.c", "INCUMBENT_STEPS"),
    row("arcs", "search/arcs/bnb.c", "INCUMBENT_PER_VARIABLE"),
    row("arcs", "search/arcs/bnb_node.c", "ROUNDS", "1", "4"),
    row("arcs", "search/arcs/bnb_node.c", "ONLY", "8", "512"),
    row("arcs", "search/arcs/cluster_bound.c", "MOST_CLIMBS"),
    row("arcs", "search/arcs/cluster_bound.c", "LITTLE"),
    row("arcs", "search/arcs/pattern_bound.c", "AVERAGE", "3", "5"),
    row("subsets", "bounds/grouping.c", "USUAL", "16", "22"),
    row("subsets", "bounds/grouping.c", "ALONE", "4", "16"),
    row("subsets", "bounds/grouping.c", "PASSES", "1", "40"),
    row("subsets", "bounds/grouping.c", "JOINT"),
    row("subsets", "problem/trie.c", "LEAF"),
    row("subsets", "problem/trie.c", "PER_SET"),
    row("subsets", "problem/narrowed_list.c", "COMPARED", "512", "32768"),
    row("subsets", "search/subsets/astar.c", "MOST"),
    row("subsets", "search/subsets/astar.c", "AHEAD"),
    row("subsets", "search/subsets/expansion.c", "MOST"),
    row("direct", "search/direct/hc.c", "TRIES", "5", "500"),
    row("direct", "search/direct/hc.c", "LEAST_PERTURBED"),
    row("direct", "search/direct/hc.c", "PERTURBED_PART"),
    row("classes", "search/classes/espace.c", "TRIES", "20", "2000"),
    row("classes", "search/classes/espace.c", "LENGTH"),
    row("classes", "search/classes/espace.c", "WALK_LENGTH"),
    row("classes", "search/classes/espace.c", "RANDOM_MOVES"),
    row("classes", "search/classes/espace.c", "HEAT", "3.0", "30.0"),
    row("classes", "search/classes/espace.c", "LEAST_PERTURBED"),
    row("classes", "search/classes/espace.c", "PERTURBED_PART"),
    row("parents", "parents/parents.c", "LEAST_SETS"),
    row("parents", "parents/parents.c", "MOST_SETS"),
    row("parents", "parents/parents.c", "ROW_SETS"),
    row("parents", "parents/parents.c", "OPEN", "1 << 12", "1 << 17"),
    row("parents", "parents/parents.c", "KEPT", "1 << 20", "1 << 26"),
    row("parents", "parents/anytime/independence.c", "CURSORS"),
    row("parents", "parents/anytime/first_families.c", "FEW_PART"),
    row("parents", "parents/collector.c", "SCANS_PER_HASH", "1", "16"),
    row("parents", "parents/collector.c", "FEW_SUBSETS", "1", "256"),
    row("parents", "parents/exhaustive/dense.c", "SPARSE_PER_ROW"),
    row("parents", "parents/exhaustive/dense.c", "PER_CELL"),
    row("parents", "parents/exhaustive/dense.c", "PER_CHILD"),
    row("parents", "parents/exhaustive/dense.c", "PER_WORD"),
    row("parents", "parents/exhaustive/dense.c", "PER_ROW"),
    row("parents", "parents/exhaustive/dense.c", "SPARSE_FAMILY"),
)


def place(constant):
    """Matches the definition of a constant; its value is group 2."""
    return re.compile(r"(#define\s+%s\s+|\b%s\s*=\s*)([^,;}/\n]+?)"
                      r"(?=\s*(?:[,;}\n]|/\*))" % (constant, constant))


def alternatives(value):
    """Half and twice the value, as text."""
    number, suffix = re.fullmatch(r"([0-9.e+-]+)(F?)", value).groups()
    if re.fullmatch(r"[0-9]+", number):
        return str(int(number) // 2), str(2 * int(number))
    return (f"{float(number) / 2:.10g}{suffix}",
            f"{float(number) * 2:.10g}{suffix}")


class Tree:
    """A copy of the tree, in which constants are changed."""

    def __init__(self, folder):
        self.folder = folder
        self.build = os.path.join(folder, "build")
        self.original = {}
        self.changed = set()
        for name in ("src", "include", "cmake", "docs", "examples"):
            self.copy(name)
        self.copy("CMakeLists.txt")
        if not os.path.exists(os.path.join(self.build, "build.ninja")):
            self.call("cmake", "-G", "Ninja", "-S", folder, "-B", self.build,
                      "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF")

    def copy(self, name):
        """Copies what differs from the tree, so that it is built again."""
        path = os.path.join(ROOT, name)
        if os.path.isdir(path):
            os.makedirs(os.path.join(self.folder, name), exist_ok=True)
            for one in os.listdir(path):
                self.copy(os.path.join(name, one))
            return
        with open(path, "rb") as file:
            text = file.read()
        if name == "CMakeLists.txt":  # the command alone
            text = re.sub(rb"(?m)^add_subdirectory\(.*\)$", b"", text)
        to = os.path.join(self.folder, name)
        if os.path.exists(to):
            with open(to, "rb") as file:
                if file.read() == text:
                    return
        with open(to, "wb") as file:
            file.write(text)

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w",
                  encoding="utf-8") as file:
            file.write(text)

    @staticmethod
    def call(*command):
        done = subprocess.run(command, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        if done.returncode:
            sys.exit(done.stdout.decode())

    def text(self, file):
        name = os.path.join("src", file)
        if name not in self.original:
            self.original[name] = self.read(name)
        return self.original[name]

    def value(self, file, constant):
        found = place(constant).search(self.text(file))
        if not found:
            sys.exit(f"src/{file}: there is no constant '{constant}'")
        return found.group(2).strip()

    def set(self, changes):
        """The tree with these (file, constant, value) and no others."""
        texts = {name: self.original[name] for name in self.changed}
        for file, constant, value in changes:
            name = os.path.join("src", file)
            self.text(file)
            texts[name] = place(constant).sub(
                lambda m, v=value: m.group(1) + v,
                texts.get(name, self.original[name]), count=1)
        for name, text in texts.items():
            if self.read(name) != text:
                self.write(name, text)
        self.changed = {os.path.join("src", c[0]) for c in changes}
        self.call("ninja", "-C", self.build, "-j1", "bestdag")
        return os.path.join(self.build, "bestdag")


# ---- runs --------------------------------------------------------------------


def make_problems(command, folder, names):
    """Paths of tables and score files by name; none for what is not there."""
    paths = {}
    for name in names:
        if name in OUTSIDE:
            path = DATA and os.path.join(DATA, OUTSIDE[name])
            if not path or not os.path.exists(path):
                print(f"skipped: {name}, not in BESTDAG_DATA")
                continue
            if path.endswith(".data.gz"):
                table = os.path.join(folder, name + ".csv")
                with gzip.open(path) as file, open(table, "wb") as to:
                    to.write(file.read())
                paths[name] = {"learn": table}
            else:
                paths[name] = {"solve": path}
            continue
        variables, most, options, rows, scored = GENERATED[name]
        net, table, scores = (os.path.join(folder, name + end)
                              for end in (".bif", ".csv", ".jkl"))
        seed = ["--seed", str(1 + list(GENERATED).index(name)), "-q"]
        subprocess.run([command, "generate", "--variables", str(variables),
                        "--max-parents", str(most), *options, "-o", net, *seed],
                       check=True)
        subprocess.run([command, "sample", net, "--rows", str(rows), "-o",
                        table, *seed], check=True)
        subprocess.run([command, "score", table, "-j1", *scored, "-o", scores,
                        "-q"], check=True)
        paths[name] = {"learn": table, "solve": scores}
    return paths


def user_seconds():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def run(command, job, path, seed):
    arguments = [command, job["command"], path, *job["arguments"], "-j1",
                 "--seed", str(seed), "--json", "-v", "--progress", "never",
                 "-o", os.devnull]
    if path.endswith("baudio.csv"):
        arguments.append("--no-header")
    with tempfile.NamedTemporaryFile("w", suffix=".rules") as rules:
        rules.write(job["rules"] + "\n")
        rules.flush()
        if job["rules"]:
            arguments += ["--constraints", rules.name]
        before = user_seconds()
        done = subprocess.run(arguments, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=True)
        spent = user_seconds() - before
    got = json.loads(done.stdout)
    nodes = re.search(rb"(\d+) nodes (?:bounded|expanded)", done.stderr)
    return {"seed": seed, "status": got["status"], "score": got["score"],
            "bound": got["bound"], "steps": got["steps"],
            "nodes": int(nodes.group(1)) if nodes else "",
            "scores_computed": got.get("scores_computed") or "",
            "user_seconds": round(spent, 3)}


def runs_of(command, jobs, paths, full):
    """All runs of these jobs, a list for each that can be run."""
    found = {}
    for job in jobs:
        path = paths.get(job["problem"], {}).get(job["command"])
        if path:
            seeds = job["seeds"] * (3 if full and job["seeds"] > 1 else 1)
            found[job["name"]] = [run(command, job, path, seed)
                                  for seed in range(1, seeds + 1)]
    return found


# ---- comparison --------------------------------------------------------------


def mean(runs, key):
    values = [one[key] for one in runs if one[key] not in (None, "")]
    return sum(values) / len(values) if values else None


def gap(runs):
    """Distance of score and bound; nothing where there is no bound."""
    score, bound = mean(runs, "score"), mean(runs, "bound")
    return bound - score if bound is not None else None


def compare(base, runs):
    """Per cent by which the score is higher, and ratios of all else."""
    text = []
    a, b = mean(base, "score"), mean(runs, "score")
    if abs(a - b) > 1e-9 * abs(a):
        text.append(f"score {100 * (b - a) / abs(a):+.4f} %")
    pairs = [("gap", gap(base), gap(runs))]
    for key in ("steps", "nodes", "scores_computed", "user_seconds"):
        pairs.append((key, mean(base, key), mean(runs, key)))
    for key, a, b in pairs:
        if a and b is not None and a > 1e-6 and f"{b / a:.2f}" != "1.00":
            text.append(f"{key} x {b / a:.2f}")
    return ", ".join(text) or "the same"


def measure(rows, options):
    fields = None
    if options.csv:
        table = open(options.csv, "w", encoding="utf-8", newline="")
        fields = csv.DictWriter(table, FIELDS, lineterminator="\n")
        fields.writeheader()
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(options.tree or os.path.join(folder, "tree"))
        command = tree.set(())
        names = {job["problem"] for one in rows
                 for job in GROUPS[one["group"]][1]}
        paths = make_problems(command, folder, sorted(names))

        def keep(one, value, runs):
            for name, each in runs.items() if fields else ():
                for got in each:
                    fields.writerow({"group": one["group"],
                                     "file": one["file"],
                                     "constant": one["constant"],
                                     "value": value, "job": name, **got})
            if fields:
                table.flush()

        last, base = None, None
        for one in rows:
            fixed, jobs = GROUPS[one["group"]]
            if one["group"] != last:
                last = one["group"]
                base = runs_of(tree.set(fixed), jobs, paths, options.full)
                keep({"group": last, "file": "", "constant": ""}, "", base)
            now = tree.value(one["file"], one["constant"])
            for value in one["values"] or alternatives(now):
                changed = tree.set((*fixed,
                                    (one["file"], one["constant"], value)))
                got = runs_of(changed, jobs, paths, options.full)
                keep(one, value, got)
                print(f"{one['file']}: {one['constant']} = {value} "
                      f"instead of {now}")
                for name, runs in got.items():
                    print(f"    {name}: {compare(base[name], runs)}",
                          flush=True)


def main():
    parser = argparse.ArgumentParser(prog="./dev bench sensitivity")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--csv", metavar="FILE")
    parser.add_argument("--tree", metavar="DIR")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    rows = [one for one in ROWS if not options.names or any(
        name in (one["group"], one["file"], one["constant"],
                 one["group"] + "/" + one["constant"])
        for name in options.names)]
    if not rows:
        sys.exit("there is no such group, file or constant; see --list")
    if options.list:
        for one in rows:
            print(one["group"], one["file"], one["constant"])
        return
    measure(rows, options)


if __name__ == "__main__":
    main()
