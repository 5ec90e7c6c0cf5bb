# SPDX-License-Identifier: MIT
"""Tables 2 to 4 of de Campos, Zeng and Ji (ICML 2009), and the price of a
constrained score. Called by constraints.sh: constraints.py [--full] SECTION."""
import csv
import gzip
import json
import math
import os
import random
import subprocess
import sys
import tempfile

BESTDAG = os.environ.get("BESTDAG", "build/bestdag")
DATA = os.environ.get("BESTDAG_DATA", "")
TABLES = {  # file, class column
    "adult": ("adult_train_nomissing.csv.gz", -1),
    "car": ("car.csv", -1),
    "letter": ("letter.csv.gz", -1),
    "lung": ("lung-cancer.csv", 0),
    "mushroom": ("mushroom.csv.gz", 0),
    "nursery": ("nursery.csv.gz", -1),
    "wdbc": ("wdbc.csv", -1),
    "zoo": ("zoo.csv", -1),
}


def run(*words):
    """The JSON that the command prints, and whether it succeeded."""
    done = subprocess.run([BESTDAG, *words, "--json", "-q"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    if done.returncode not in (0, 5, 6):
        sys.exit(done.stderr.decode())
    return json.loads(done.stdout) if done.returncode != 6 else None


def read(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", newline="") as file:
        rows = [row for row in csv.reader(file) if row]
    return rows[0], [row for row in rows[1:] if "?" not in row]


def split(column):
    """Numbers that are not few and whole are split at their mean."""
    try:
        numbers = [float(x) for x in column]
    except ValueError:
        return column
    if len(set(numbers)) <= 10 and all(x == int(x) for x in numbers):
        return column
    mean = sum(numbers) / len(numbers)
    return ["high" if x >= mean else "low" for x in numbers]


def prepare(name, folder):
    """The table as the paper has it, and the name of its class."""
    file, place = TABLES[name]
    names, rows = read(os.path.join(DATA, "uci", file))
    columns = [split(column) for column in zip(*rows)]
    path = os.path.join(folder, name + ".csv")
    with open(path, "w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(names)
        writer.writerows(zip(*columns))
    return path, names[place]


def space(path):
    """log2 of the choices that lists of candidate sets leave."""
    total, left = 0, 0
    with open(path, encoding="utf-8") as file:
        next(file)
        for line in file:
            words = line.split()
            if left == 0:
                left = int(words[1])
                total += math.log2(left)
            else:
                left -= 1
    return total


def worse(answer, best):
    if answer is None:
        return "does not fit"
    return f"{100 * (best['score'] - answer['score']) / -best['score']:+.3f} %"


def seconds(answer):
    return "" if answer is None else f"{answer['seconds']['solve']:.2f}"


def paper(full):
    """Table 2."""
    print("table,n,space,reduced,bnb score,gap %,s,dp,s,os 1000,s,"
          "os 1000000,s,hc,s" + (",bnb 60 s,gap %" if full else ""))
    for name in TABLES:
        with tempfile.TemporaryDirectory() as folder:
            table, _ = prepare(name, folder)
            sets = os.path.join(folder, "sets.jkl")
            run("score", table, "-o", sets)
            steps = ("--set", "steps=10000000")
            limit = ("-t", "600s" if full else "20s")
            solve = ("solve", sets, "-o", os.path.join(folder, "x.csv"))
            bnb = run(*solve, "--solver", "bnb", *steps, *limit)
            dp = run(*solve, "--solver", "dp")
            few = run(*solve, "--solver", "os", "--set", "restarts=1000")
            many = run(*solve, "--solver", "os", "--set", "restarts=1000000",
                       *limit)
            hc = run("learn", table, "-o", os.path.join(folder, "x.bif"),
                     "--solver", "hc", *steps, *limit)
            n = bnb["variables"]
            row = [name, n, n * (n - 1), f"{space(sets):.0f}",
                   f"{bnb['score']:.1f}", f"{100 * bnb['gap']:.2f}",
                   seconds(bnb), worse(dp, bnb), seconds(dp), worse(few, bnb),
                   seconds(few), worse(many, bnb), seconds(many),
                   worse(hc, bnb), seconds(hc)]
            if full:
                more = run(*solve, "--solver", "bnb", "-t", "60s")
                row += [f"{more['score']:.1f}", f"{100 * more['gap']:.2f}"]
            print(",".join(str(x) for x in row), flush=True)


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


def tan(_full):
    """Table 3."""
    print("table,sets,sets under rules,reduced,reduced under rules,"
          "score s," + BOUND_COLUMNS)
    for name in TABLES:
        with tempfile.TemporaryDirectory() as folder:
            table, target = prepare(name, folder)
            rules = os.path.join(folder, "tan.rules")
            with open(rules, "w", encoding="utf-8") as out:
                out.write(f'root "{target}"\n'
                          f'for all X except "{target}": indegree(X) <= 2\n'
                          f'for all X except "{target}": '
                          f'root X or "{target}" -> X\n')
            plain = os.path.join(folder, "plain.jkl")
            ruled = os.path.join(folder, "ruled.jkl")
            free = run("score", table, "-o", plain)
            bound = run("score", table, "--constraints", rules, "-o", ruled)
            print(",".join(str(x) for x in (
                name, free["parent_sets"], bound["parent_sets"],
                f"{space(plain):.0f}", f"{space(ruled):.1f}",
                f"{bound['seconds']['score']:.2f}",
                *by_bound(ruled, rules))), flush=True)


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
        table, _ = prepare("zoo", folder)
        names, _ = read(table)
        rules = os.path.join(folder, "x.rules")
        ruled = os.path.join(folder, "x.jkl")
        for count, seed in ((4, 1), (4, 2), (8, 1), (8, 2)):
            with open(rules, "w", encoding="utf-8") as out:
                out.write("\n".join(draw_any(names, count, seed)) + "\n")
            score = run("score", table, "--constraints", rules, "-o", ruled)
            print(",".join(str(x) for x in (
                count, seed, score["parent_sets"], *by_bound(ruled, rules))),
                flush=True)


def influence(child, given, place):
    """The sign of a binary parent's influence on a binary child; 0: it has
    none that is the same for all configurations of the others."""
    table, below = child["table"], 1
    if len(child["states"]) != 2 or len(given[place]["states"]) != 2:
        return 0
    for other in given[place + 1:]:
        below *= len(other["states"])
    rises = [table[i + below][1] - table[i][1] for i in range(len(table))
             if i // below % 2 == 0]
    return 1 if min(rises) >= 0 else -1 if max(rises) <= 0 else 0


def draw_rules(network, count, seed):
    """Rules that hold in a network: half about arcs, half about parameters."""
    chance = random.Random(seed)
    variables = network["variables"]
    names = [v["name"] for v in variables]
    parents = {v["name"]: v["parents"] for v in variables}
    arcs = [(p, v) for v in names for p in parents[v]]
    rules, ranked = [], []
    while len(rules) < count // 2:
        kind = chance.randrange(3)
        if kind == 0 and arcs:
            rules.append("{} -> {}".format(*chance.choice(arcs)))
        elif kind == 1:
            a, b = chance.sample(names, 2)
            if a not in parents[b]:
                rules.append(f"not {a} -> {b}")
        else:
            v = chance.choice(names)
            rules.append(f"indegree({v}) <= {max(1, len(parents[v]))}")
    while len(rules) < count:
        v = chance.choice(variables)
        table = v["table"]  # a row a configuration, the last parent fastest
        given = [variables[names.index(p)] for p in v["parents"]]
        if not given:
            p = table[0][0]
            rules.append(f"{max(0, p - .1):.3f} <= "
                         f"P({v['name']}={v['states'][0]}) <= "
                         f"{min(1, p + .1):.3f} if present")
            continue
        place = chance.randrange(len(given))
        sign = influence(v, given, place)
        if sign and chance.randrange(2):
            word = "positive" if sign > 0 else "negative"
            for x in (v, given[place]):
                order = f"states {x['name']}: {' < '.join(x['states'])}"
                if order not in ranked:
                    ranked.append(order)
            rules.append(f"{word} {given[place]['name']} -> {v['name']}"
                         " if present")
            continue
        place = chance.randrange(len(table))
        events, rest = [], place
        for g in reversed(given):
            size = len(g["states"])
            events.append(f"{g['name']}={g['states'][rest % size]}")
            rest //= size
        p = table[place][0]
        rules.append(f"{max(0, p - .1):.3f} <= P({v['name']}={v['states'][0]}"
                     f" | {', '.join(events)}) <= {min(1, p + .1):.3f}"
                     " if present")
    return ranked + rules


def made(full):
    """Table 4. At most three parents, as in the networks: a child with rules
    about parameters has few means to leave larger sets out."""
    print("nodes,rows,gap %,s,sets,gap under rules %,s,time saved %,"
          "sets saved %")
    sizes = (30, 50, 70, 100) if full else (30, 50)
    for n in sizes:
        for rows in (100, 500):
            with tempfile.TemporaryDirectory() as folder:
                net = os.path.join(folder, "net.json")
                table = os.path.join(folder, "rows.csv")
                rules = os.path.join(folder, "x.rules")
                subprocess.run([BESTDAG, "generate", "--variables", str(n),
                                "--arcs", str(2 * n), "--max-parents", "3",
                                "--states", "2:2", "--seed", str(n), "-q",
                                "-o", net], check=True)
                subprocess.run([BESTDAG, "sample", net, "--rows", str(rows),
                                "--seed", "1", "-q", "-o", table], check=True)
                with open(net, encoding="utf-8") as file:
                    network = json.load(file)
                with open(rules, "w", encoding="utf-8") as out:
                    out.write("\n".join(draw_rules(network, n // 2, n)) + "\n")
                learn = ("learn", table, "--solver", "bnb", "--max-parents",
                         "3", "-t", "600s" if full else "60s", "-o",
                         os.path.join(folder, "x.bif"))
                free = run(*learn)
                bound = run(*learn, "--constraints", rules)
                before, after = free["seconds"], bound["seconds"]
                print(f"{n},{rows},{100 * free['gap']:.2f},"
                      f"{before['total']:.2f},{free['parent_sets']},"
                      f"{100 * bound['gap']:.2f},{after['total']:.2f},"
                      f"{100 - 100 * after['total'] / before['total']:.1f},"
                      f"{100 - 100 * bound['parent_sets'] / free['parent_sets']:.1f}",
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
        {"paper": paper, "tan": tan, "drawn": drawn, "made": made,
         "scoring": scoring}[word](full)


main()
