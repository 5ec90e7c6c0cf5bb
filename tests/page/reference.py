# SPDX-License-Identifier: MIT
"""reference.py -- a network's answers by summing over all joint states, and
random evidence to ask for.

    reference.py draw NETWORK.json SEED COUNT     lines of evidence
    reference.py check NETWORK.json SEED ANSWERS

ANSWERS has one JSON object for each of the first lines that `draw` gives, as
`bestdag query --json`
prints it. All numbers agree to 1e-9, or the exit code is 1.
"""
import json
import random
import re
import sys


class Network:
    """Of the JSON format."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.variables = json.load(file)["variables"]
        self.names = [v["name"] for v in self.variables]
        self.labels = [v["states"] for v in self.variables]
        self.place = {name: i for i, name in enumerate(self.names)}
        parents = [[self.place[p] for p in v.get("parents", [])]
                   for v in self.variables]
        self.parents = parents
        self.tables = [v["table"] for v in self.variables]
        self.order = []
        while len(self.order) < len(parents):
            self.order += [v for v in range(len(parents))
                           if v not in self.order
                           and all(p in self.order for p in parents[v])]

    def answer(self, seen, done):
        """(probability, marginals, probability of the best completion);
        seen: states by variable, done: the state that was set."""
        marginals = [[0.0] * len(labels) for labels in self.labels]
        state = [0] * len(self.names)
        total, best = 0.0, 0.0

        def visit(i, p):
            nonlocal total, best
            if p == 0:
                return
            if i == len(self.order):
                total += p
                best = max(best, p)
                for v, s in enumerate(state):
                    marginals[v][s] += p
                return
            v = self.order[i]
            row = 0
            for u in self.parents[v]:
                row = row * len(self.labels[u]) + state[u]
            for s in range(len(self.labels[v])):
                if v in done and done[v] != s or v in seen and s not in seen[v]:
                    continue
                state[v] = s
                visit(i + 1, p if v in done else p * self.tables[v][row][s])

        visit(0, 1.0)
        return total, marginals, best


def quoted(word):
    return word if re.fullmatch(r'[^\s#",:|()<>=+*~;]+', word) \
        and word not in ("do", "in") else '"' + word.replace('"', '""') + '"'


def draw(net, seed, count):
    """[(text, seen, done)]"""
    chance = random.Random(seed)
    drawn = []
    for _ in range(count):
        items, seen, done = [], {}, {}
        few = min(len(net.names), chance.randint(0, 4))
        for v in chance.sample(range(len(net.names)), few):
            s = chance.randrange(len(net.labels[v]))
            label, name = quoted(net.labels[v][s]), quoted(net.names[v])
            other = chance.randrange(len(net.labels[v]))
            if chance.random() < 0.3:
                done[v] = s
                items.append(f"do({name}={label})")
            elif other != s and chance.random() < 0.3:
                seen[v] = {s, other}
                items.append(f"{name} in {label} {quoted(net.labels[v][other])}")
            else:
                seen[v] = {s}
                items.append(f"{name}={label}")
        drawn.append((", ".join(items), seen, done))
    return drawn


def differences(net, case, answer):
    """What differs by 1e-9 or more."""
    _, seen, done = case
    total, marginals, best = net.answer(seen, done)
    if abs(answer["evidence_probability"] - total) >= 1e-9:
        yield f"P(evidence) {answer['evidence_probability']}, not {total}"
    if total == 0:
        if answer.get("marginals"):
            yield "impossible evidence has marginals"
        return
    for v, name in enumerate(net.names):
        for s, label in enumerate(net.labels[v]):
            got = answer["marginals"][name][label]
            if not abs(got - marginals[v][s] / total) < 1e-9:
                yield f"P({name}={label}) {got}, not {marginals[v][s] / total}"
    explanation = answer.get("explanation")
    if explanation and abs(explanation["probability"] - best / total) >= 1e-9:
        yield f"explanation {explanation['probability']}, not {best / total}"


def main():
    what, path = sys.argv[1:3]
    net = Network(path)
    if what == "draw":
        seed, count = int(sys.argv[3]), int(sys.argv[4])
        for text, _, _ in draw(net, seed, count):
            print(text)
        return
    seed, answers = int(sys.argv[3]), sys.argv[4]
    with open(answers, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    cases = draw(net, seed, len(lines))
    for case, line in zip(cases, lines):
        for difference in differences(net, case, line):
            sys.exit(f"{path}, seed {seed}: given '{case[0]}': {difference}")
    print(f"{len(lines)} answers agree")


if __name__ == "__main__":
    main()
