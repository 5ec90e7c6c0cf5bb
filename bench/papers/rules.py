# SPDX-License-Identifier: MIT
"""Random rules that hold in a network: about arcs and about probabilities."""
import random


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
