# SPDX-License-Identifier: MIT
"""Rules that the best network breaks, and the price of a constrained score.
Called by constraints.sh: constraints.py [--full] SECTION."""
import json
import os
import random
import subprocess
import sys
import tempfile

BESTDAG = os.environ.get("BESTDAG", "build/bestdag")
DATA = os.environ.get("BESTDAG_DATA", "")


def run(*words):
    """The JSON that the command prints, and whether it succeeded."""
    done = subprocess.run([BESTDAG, *words, "--json", "-q"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    if done.returncode not in (0, 5, 6):
        sys.exit(done.stderr.decode())
    return json.loads(done.stdout) if done.returncode != 6 else None


def seconds(answer):
    return "" if answer is None else f"{answer['seconds']['solve']:.2f}"


BOUNDS = ("simple", "patterns", "cluster")
BOUND_COLUMNS = ",".join(f"{b}: nodes,s,gap %" for b in BOUNDS)


def by_bound(sets, rules):
    """Nodes, seconds and gap of bnb with each of its bounds."""
    row = []
    for bound in BOUNDS:
        answer = run("solve", sets, "--constraints", rules, "--solver", "bnb",
                     "--set", "bound=" + bound, "-t", "20s", "-o", sets + ".csv")
        row += [answer["steps"], seconds(answer), f"{100 * answer['gap']:.2f}"]
    return row


def draw_any(names, count, seed):
    """Rules between drawn variables, true or not."""
    chance, rules = random.Random(seed), []
    for _ in range(count):
        a, b, c, d = (f'"{x}"' for x in chance.sample(names, 4))
        rules.append(chance.choice([
            f"ancestor {a} {b}", f"not ancestor {a} {b}", f"adjacent {a} {b}",
            f"not leaf {a}", f"{a} -> {b} or {c} -> {d}",
            f"not adjacent {a} {b} or not leaf {c}"]))
    return rules


def drawn(_full):
    """Rules that the best network breaks."""
    print("rules,seed,sets," + BOUND_COLUMNS)
    with tempfile.TemporaryDirectory() as folder:
        table = os.path.join(DATA, "uci", "zoo.csv")
        with open(table, encoding="utf-8") as file:
            names = file.readline().strip().split(",")
        rules = os.path.join(folder, "x.rules")
        ruled = os.path.join(folder, "x.jkl")
        for count, seed in ((4, 1), (4, 2), (8, 1), (8, 2)):
            with open(rules, "w", encoding="utf-8") as out:
                out.write("\n".join(draw_any(names, count, seed)) + "\n")
            score = run("score", table, "--constraints", rules, "-o", ruled)
            print(",".join(str(x) for x in (
                count, seed, score["parent_sets"], *by_bound(ruled, rules))),
                flush=True)


def scoring(_full):
    """Families per second of one child with and without a positive influence."""
    print("rows,parents,plain families/s,constrained families/s,ratio")
    with tempfile.TemporaryDirectory() as folder:
        net = os.path.join(folder, "net.json")
        table = os.path.join(folder, "rows.csv")
        subprocess.run([BESTDAG, "generate", "--variables", "16", "--states",
                        "2:2", "--seed", "5", "-q", "-o", net], check=True)
        subprocess.run([BESTDAG, "sample", net, "--rows", "2000", "--seed",
                        "1", "-q", "-o", table], check=True)
        with open(net, encoding="utf-8") as file:
            a, x = [v["name"] for v in json.load(file)["variables"]][:2]
        rules = os.path.join(folder, "x.rules")
        others = (f"for all X except {x}: root X\n"
                  f"states {a}: s1 < s2\nstates {x}: s1 < s2\n")
        rates = []
        for text in (f"{a} -> {x}\n", f"positive {a} -> {x}\n"):
            with open(rules, "w", encoding="utf-8") as out:
                out.write(others + text)
            answer = run("score", table, "--constraints", rules,
                         "--max-parents", "5", "--no-prune", "-j1", "-o",
                         os.path.join(folder, "x.jkl"))
            rates.append(answer["scores_computed"] /
                         answer["seconds"]["score"])
        print(f"2000,5,{rates[0]:.0f},{rates[1]:.0f},"
              f"{rates[0] / rates[1]:.1f}")


def main():
    words = [word for word in sys.argv[1:] if word != "--full"]
    full = "--full" in sys.argv
    for word in words:
        {"drawn": drawn, "scoring": scoring}[word](full)


main()
