# SPDX-License-Identifier: MIT
"""browser.py WHAT PAGE ...: looks at a report in Chromium.

    look PAGE VARIABLE PICTURE        the drawing, the search, the Markov blanket
    ask PAGE NETWORK.json PICTURE     evidence and interventions by mouse and keys,
                                      undo, link, export, labels, contrast, print;
                                      then random evidence against reference.py
    agree PAGE NETWORK BESTDAG        random evidence against `bestdag query`
    numbers PAGE NETWORK BESTDAG      values, states, undo and link where there are numbers
    impossible PAGE                   evidence that contradicts itself
    time PAGE                         prints the times to a drawing and an answer
    pictures PAGE PICTURE             at three widths, in both themes
    paper PAGE PICTURE                printed to PICTURE.pdf

VARIABLE "-" is the one with the most arcs. What must hold is asserted; pictures
are for people to look at.
"""
import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.parse
import xml.dom.minidom
from random import Random

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "page"))
import reference  # noqa: E402
from chromium import KEYS, Browser  # noqa: E402

# ---- what every page must be ---------------------------------------------------

ROLES = """return Object.fromEntries(["here", "parent", "child", "spouse"].map(
    (role) => [role, [...document.querySelectorAll("#drawing .node." + role)]
        .map((g) => g.dataset.name).sort()]))"""

SELECTED = "document.querySelector('#drawing .node.here')?.dataset.name === arguments[0]"


def blanket(story, name):
    """The roles of all others, from the arcs alone."""
    names = [node[0] for node in story["nodes"]]
    v = names.index(name)
    pairs = [(arc[0], arc[1]) for arc in story["arcs"]]
    parents = {a for a, b in pairs if b == v}
    children = {b for a, b in pairs if a == v}
    spouses = {a for a, b in pairs if b in children} - parents - children - {v}
    roles = {"here": {v}, "parent": parents, "child": children,
             "spouse": spouses}
    return {r: sorted(names[i] for i in s) for r, s in roles.items()}


def busiest(story):
    """The variable with the most arcs."""
    ends = [end for arc in story["arcs"] for end in arc[:2]]
    return story["nodes"][max(set(ends), key=ends.count)][0]


def story_of(browser):
    return json.loads(browser.run(
        "return document.getElementById('story').textContent"))


def answered(browser, before=0):
    browser.wait_until("Number(document.documentElement.dataset.asked) > "
                       "arguments[0]", before)


def asked(browser):
    return int(browser.run("return document.documentElement.dataset.asked || 0"))


def check_picked(browser, story, name):
    browser.wait_until(SELECTED, name)
    assert browser.run(ROLES) == blanket(story, name), name
    assert browser.run("return document.querySelector('#detail h3').textContent") == name
    rows = browser.run("""return [...document.querySelectorAll("#cpt tbody tr")].map(
        (tr) => [...tr.querySelectorAll("td.p")].map((td) => Number(td.textContent)))""")
    assert rows, "no table of " + name
    for row in rows:
        assert abs(sum(row) - 1) < 0.02, (name, row)


OUTSIDE = """
    const stage = document.getElementById("drawing").getBoundingClientRect();
    return [...document.querySelectorAll("#drawing .node")].filter((g) => {
        const box = g.getBoundingClientRect();
        return box.left < stage.left - 1 || box.right > stage.right + 1 ||
            box.top < stage.top - 1 || box.bottom > stage.bottom + 1;
    }).length"""

# Names of the drawing that can be seen: their number, the smallest letters, and how
# many boxes overlap.
LABELS = """
    const boxes = [...document.querySelectorAll("#drawing .node .box")].map((b) => b.getBoundingClientRect());
    const stage = document.getElementById("drawing").getBoundingClientRect();
    const isSeen = (b) => b.left > stage.left - 1 && b.right < stage.right + 1 && b.top > stage.top - 1 && b.bottom < stage.bottom + 1;
    const seen = [...document.querySelectorAll("#drawing .node .name, #drawing .node .large")]
        .filter((t) => getComputedStyle(t).display !== "none" && isSeen(t.getBoundingClientRect())).map((t) =>
            parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().a);
    let overlaps = 0;
    boxes.forEach((a, i) => boxes.slice(0, i).forEach((b) => {
        if (a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5)
            overlaps++; }));
    return [seen.length, Math.min(...seen), overlaps]"""

# Arcs that pass behind the box of another node: of those with bars, or of any.
BEHIND = """
    const isSeen = (e) => getComputedStyle(e).display !== "none";
    const boxes = [...document.querySelectorAll("#drawing " + arguments[0])].filter(isSeen).map((g) =>
        [g.dataset.name, g.querySelector(".box").getBoundingClientRect()]);
    return [...document.querySelectorAll("#drawing > g .arc")].filter(isSeen).filter((arc) => {
        const ends = arc.querySelector("title").textContent.split(/ → |, /), length = arc.getTotalLength();
        const points = [...Array(200).keys()].map((i) =>
            arc.getPointAtLength(length * i / 199).matrixTransform(arc.getScreenCTM()));
        return boxes.some(([name, b]) => !ends.includes(name) && points.some((p) =>
            p.x > b.left + 1 && p.x < b.right - 1 && p.y > b.top + 1 && p.y < b.bottom - 1));
    }).map((arc) => arc.textContent)"""

# How many of the names that can be seen are cut off, of those of at most 24 letters.
CUT_NAMES = """
    const stage = document.getElementById("drawing").getBoundingClientRect();
    return [...document.querySelectorAll("#drawing .node")].filter((g) => {
        const b = g.getBoundingClientRect(), name = [...g.querySelectorAll(".name, .large")].find((t) => getComputedStyle(t).display !== "none");
        return b.left > stage.left && b.right < stage.right && name && name.textContent.endsWith("…") && g.dataset.name.length <= 24;
    }).length"""

# Blocks of the page that overlap, or stick out on the right.
BLOCKS = """
    const all = [...document.querySelectorAll("header.top, #facts, #find, #strip, .picture, #detail, #explanation, " +
        "#probabilities .bar, #cards .card, main > section > h2")].filter((e) => e.offsetParent !== null)
        .map((e) => [e.id || e.className || e.textContent, e.getBoundingClientRect()]);
    const wrong = all.filter(([, b]) => b.right > innerWidth + 1 || b.left < -1).map(([n]) => n + " sticks out");
    if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page is wider than the screen");
    all.forEach(([n, a], i) => all.slice(0, i).forEach(([m, b]) => {
        if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
            wrong.push(n + " overlaps " + m); }));
    return wrong"""


VIEW = "return document.getElementById('drawing').getAttribute('viewBox')"

# Tables that are wider than their block, and charts whose letters are too small.
CUT = """
    const wide = [...document.querySelectorAll("#column-table, #arc-table")].filter((e) => e.scrollWidth > e.clientWidth + 1)
        .map((e) => e.id + " is cut off");
    const small = [...document.querySelectorAll("#course text")].filter((t) =>
        parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().a < 9).map((t) => "small: " + t.textContent);
    const inside = (e, box) => { const a = e.getBoundingClientRect(), b = box.getBoundingClientRect();
        return a.left > b.left - 1 && a.right < b.right + 1 && a.top > b.top - 1 && a.bottom < b.bottom + 1; };
    const out = [...document.querySelectorAll("#course text, #holes text")].filter((t) => !inside(t, t.ownerSVGElement))
        .map((t) => "cut off: " + t.textContent);
    return wide.concat(small, out)"""


def check_opening(browser, story):
    """What a page shows first can be read; on a narrow screen it may be a part."""
    wide = browser.run("return innerWidth") > 600
    if len(story["nodes"]) > (60 if wide else 150):
        return  # an overview
    seen, least, overlaps = browser.run(LABELS)
    assert seen == len(story["nodes"]) if wide else seen >= min(5, len(story["nodes"])), \
        f"{seen} names are shown"
    assert least >= 8, f"names have {least} pixels"
    assert overlaps == 0, f"{overlaps} boxes overlap"
    assert browser.run(CUT_NAMES) <= seen // 3, "too many names are cut off"
    behind = browser.run(BEHIND, ".node.barred")
    assert not behind, f"behind boxes: {behind}"


def check_alone(browser, name):
    """The Markov blanket alone: names can be read, boxes and arcs keep apart."""
    box = browser.run("return document.getElementById('only').checked")
    if not box:
        browser.click("#only")
    browser.wait_until("document.getElementById('drawing').classList.contains('only')")
    seen, least, _ = browser.run(LABELS)
    assert seen and least >= 8, f"blanket of {name}: {seen} names, {least} pixels"
    behind = browser.run(BEHIND, ".node")
    assert not behind, f"blanket of {name}: behind boxes: {behind}"
    if not box:
        browser.click("#only")


def check_whole(browser, story):
    drawn = browser.run("""return [document.querySelectorAll("#drawing .node").length,
        document.querySelectorAll("#drawing > g .arc").length]""")
    assert drawn == [len(story["nodes"]), len(story["arcs"])], drawn
    check_opening(browser, story)
    before = browser.run(VIEW)
    browser.click("#whole")
    outside = browser.run(OUTSIDE)
    assert outside == 0, f"{outside} nodes are outside of the drawing"
    if browser.run("return innerWidth") > 600:
        assert browser.run(VIEW) == before, "a wide page does not open with the whole"
    loaded = browser.run("return performance.getEntriesByType('resource').length")
    assert loaded == 0, f"{loaded} things were loaded"
    assert not browser.run(BLOCKS), browser.run(BLOCKS)
    cut = browser.run(CUT)
    assert not cut, cut


def check_keys(browser):
    box = "document.getElementById('drawing').getAttribute('viewBox')"
    before = browser.run("return " + box)
    browser.type("#drawing", KEYS["Right"] + "++")
    assert browser.run("return " + box) != before
    browser.type("#drawing", "0")
    browser.type("#drawing", KEYS["Escape"])
    assert browser.run("return document.querySelector('#drawing .here') === null")


def look(browser, page, name, picture):
    browser.visit(page)
    story = story_of(browser)
    answered(browser)
    check_whole(browser, story)
    browser.picture(picture + ".png")
    name = busiest(story) if name == "-" else name
    browser.type("#search", name + KEYS["Enter"])
    check_picked(browser, story, name)
    browser.run("document.getElementById('network').scrollIntoView()")
    browser.picture(picture + "-picked.png")
    check_alone(browser, name)
    near = blanket(story, name)
    other = (near["parent"] + near["child"] + near["spouse"])[0]
    browser.run("""document.querySelectorAll("#drawing .node").forEach((g) => {
        if (g.dataset.name === arguments[0]) g.id = "target"; })""", other)
    browser.run("document.getElementById('target').focus()")
    browser.keys("Enter")
    check_picked(browser, story, other)
    check_keys(browser)
    for part in ("strengths", "search-course", "data", "rules", "origin"):
        browser.run("document.getElementById(arguments[0])?.scrollIntoView()", part)
        browser.picture(picture + "-" + part + ".png")


# ---- evidence --------------------------------------------------------------------

# What the page shows: { variable: { state: probability } }, ten digits.
SHOWN = """return Object.fromEntries([...document.querySelectorAll("#cards .card")].map((card) =>
    [card.dataset.name, Object.fromEntries([...card.querySelectorAll(".state")].map((b) =>
        [b.querySelector(".label").textContent, Number(b.title.slice(b.title.lastIndexOf(":") + 1))]))]))"""


def check_answer(browser, net, seen, done):
    total, marginals, _ = net.answer(seen, done)
    shown = browser.run(SHOWN)
    assert set(shown) == set(net.names), "cards: " + str(list(shown))
    for v, name in enumerate(net.names):
        for s, label in enumerate(net.labels[v]):
            right = marginals[v][s] / total
            assert abs(shown[name][label] - right) < 1e-9, \
                f"P({name}={label}) {shown[name][label]}, not {right}"


class Asking:
    """A page, what was set on it, and what it must answer."""

    def __init__(self, browser, net):
        self.browser, self.net = browser, net
        self.seen, self.done = {}, {}
        self.a, self.b, self.c = [v for v in range(len(net.names))
                                  if len(net.labels[v]) > 1][:3]

    def row(self, v, s):
        self.browser.run("""document.querySelectorAll("#drawing .node").forEach((g) => {
            if (g.dataset.name !== arguments[0]) return;
            document.getElementById("row")?.removeAttribute("id");
            g.querySelector('.row[data-state="' + arguments[1] + '"]').id = "row"; })""",
                         self.net.names[v], s)
        return "#row .hit"

    def card(self, v, s):
        return f"#cards .card:nth-child({v + 1}) .state[data-state='{s}']"

    def after(self, act, *arguments):
        before = asked(self.browser)
        act(*arguments)
        answered(self.browser, before)
        check_answer(self.browser, self.net, self.seen, self.done)

    def chips(self):
        return self.browser.run("""return [...document.querySelectorAll("#chips li .clip")]
            .map((e) => e.textContent)""")


def ask_by_mouse(asking):
    net, a, b, c = asking.net, asking.a, asking.b, asking.c
    asking.seen = {a: {1}}
    asking.after(asking.browser.click, asking.row(a, 1))
    asking.done = {b: 0}
    asking.after(asking.browser.click, asking.row(b, 0), ["Shift"])
    cut = asking.browser.run("return document.querySelectorAll('#drawing .arc.cut').length")
    assert cut == len(net.parents[b]), f"{cut} arcs are cut"
    asking.seen[c] = {0}
    asking.after(asking.browser.click, asking.card(c, 0))
    assert asking.chips() == [f"{net.names[a]} = {net.labels[a][1]}",
                              f"do({net.names[b]} = {net.labels[b][0]})",
                              f"{net.names[c]} = {net.labels[c][0]}"], asking.chips()
    p = asking.browser.run("return document.querySelector('#answer-facts dd').textContent")
    total = net.answer(asking.seen, asking.done)[0]
    assert abs(float(p.replace("−", "-")) - total) < 0.001 * total, (p, total)
    del asking.seen[c]  # a second click takes it back
    asking.after(asking.browser.click, asking.card(c, 0))
    wide = [v for v in range(len(net.names)) if len(net.labels[v]) > 2
            and v not in (a, b)][0]
    asking.seen[wide] = {0}
    asking.after(asking.browser.click, asking.card(wide, 0))
    asking.seen[wide] = {0, 1}
    asking.after(asking.browser.click, asking.card(wide, 1), ["Control"])
    asking.seen, asking.done = {}, {}
    asking.after(asking.browser.click, "#reset")
    assert asking.chips() == []


def ask_by_keys(asking):
    browser, a, b = asking.browser, asking.a, asking.b
    focus = "document.querySelector(arguments[0]).focus()"
    asking.seen = {a: {0}}
    browser.run(focus, asking.card(a, 0))
    asking.after(browser.keys, "Enter")
    browser.keys("Down")
    assert browser.run("return document.activeElement.dataset.state") == "1"
    asking.done = {b: 1}
    browser.run(focus, asking.card(b, 1))
    asking.after(browser.keys, "Shift", "Enter")
    said = browser.run("return document.getElementById('said').textContent")
    assert said.startswith("Given "), said
    asking.done = {}
    asking.after(browser.keys, "z")
    asking.seen = {}
    asking.after(browser.click, "#undo")
    assert browser.run("return document.getElementById('reset').disabled")
    assert "#given" not in browser.run("return location.href")


def ask_by_link(asking, page):
    browser, a, b = asking.browser, asking.a, asking.b
    asking.seen, asking.done = {a: {1}}, {b: 1}
    browser.click(asking.card(a, 1))
    asking.after(browser.click, asking.card(b, 1), ["Shift"])
    fragment = browser.run("return location.hash")
    shown = asking.chips()
    browser.visit(page, fragment)
    answered(browser)
    check_answer(browser, asking.net, asking.seen, asking.done)
    assert asking.chips() == shown
    asking.seen, asking.done = {}, {}
    asking.after(browser.click, "#reset")


# Sets each text in the address, and collects what is shown.
SERIES = """const [texts, done] = arguments, root = document.documentElement, all = [];
    const shown = () => { """ + SHOWN + """ };
    const next = (i) => {
        if (i === texts.length) { done(all); return; }
        const before = root.dataset.asked;
        location.hash = "#given:" + encodeURIComponent(texts[i]) + (location.hash.endsWith("%20") ? "" : "%20");
        const wait = () => {
            if (root.dataset.asked === before) { setTimeout(wait, 1); return; }
            all.push([document.getElementById("impossible").hidden ? shown() : null,
                document.querySelector("#answer-facts dd")?.textContent]);
            setTimeout(() => next(i + 1), 80); // more than 20 addresses a second are throttled
        };
        wait();
    };
    next(0);"""


def ask_at_random(asking, seed, count):
    net = asking.net
    cases = reference.draw(net, seed, count)
    shown = asking.browser.post("/execute/async", {
        "script": SERIES, "args": [[text for text, _, _ in cases]]})
    for (text, seen, done), (marginals, _) in zip(cases, shown):
        total, right, _ = net.answer(seen, done)
        assert (marginals is None) == (total == 0), f"seed {seed}: '{text}'"
        for v, name in enumerate(net.names):
            for s, label in enumerate(net.labels[v]):
                assert total == 0 or abs(marginals[name][label] - right[v][s] / total) < 1e-9, \
                    f"seed {seed}: P({name}={label} | {text}) {marginals[name][label]}"
    print(f"  {count} random evidence sets agree to 1e-9 (seed {seed})")


def draw_evidence(story, random):
    """A text: states, several states, interventions."""
    def quoted(word):
        return '"' + word.replace('"', '""') + '"'
    items = []
    for node in random.sample(story["nodes"], random.randint(1, 4)):
        name, labels = quoted(node[0]), [quoted(label) for label in node[4]]
        some = random.sample(labels, min(len(labels), random.choice([1, 1, 2])))
        items.append(f"do({name}={some[0]})" if random.random() < 0.3 else
                     f"{name}={some[0]}" if len(some) == 1 else f"{name} in " + " ".join(some))
    return ", ".join(items)


def agree(browser, page, network, command, seed=9, count=150):
    browser.visit(page)
    answered(browser)
    story = story_of(browser)
    browser.run("""while (!document.getElementById("more-cards").hidden) document.getElementById("more-cards").click();
        document.querySelectorAll("#cards .monitor .more").forEach((b) => b.click())""")
    random = Random(seed)
    cases = [draw_evidence(story, random) for _ in range(count)]
    shown = browser.post("/execute/async", {"script": SERIES, "args": [cases]})
    possible = 0
    for text, (marginals, _) in zip(cases, shown):
        said = subprocess.run([command, "query", network, "| " + text, "--json", "-q"],
                              capture_output=True, text=True, check=False)
        assert (marginals is None) == (said.returncode == 4), f"seed {seed}: '{text}'"
        if marginals is None:
            continue
        possible += 1
        right = json.loads(said.stdout)["marginals"]
        if possible == 1:
            assert set(marginals) == {node[0] for node in story["nodes"]}
        for name, states in right.items():
            for label, p in states.items():
                assert abs(marginals[name][label] - p) < 1e-9, \
                    f"seed {seed}: P({name}={label} | {text}) {marginals[name][label]}, not {p}"
    assert possible > count / 2, possible
    print(f"  {count} random evidence sets agree with the command to 1e-9 (seed {seed})")


# ---- numbers ----------------------------------------------------------------------

def numbers(browser, page, network, command):
    """Values and states of a page with numbers; undo, link, against the command."""
    browser.visit(page)
    answered(browser)
    story = story_of(browser)
    first, other = [node[0] for node in story["nodes"] if not node[4]][:2]
    state = [node for node in story["nodes"] if node[4]][0]

    def pick(name):
        browser.run("document.getElementById('search').value = ''")
        browser.type("#search", name + KEYS["Enter"])
        browser.wait_until(SELECTED, name)

    def check(text):
        pick(other)
        shown = browser.run("return document.getElementById('number-answer').textContent")
        said = subprocess.run([command, "query", network, "| " + text if text else other, "--json", "-q"],
                              capture_output=True, text=True, check=True)
        right = json.loads(said.stdout)["numbers"][other]
        mean, sd = [float(part.split()[-1].replace("−", "-")) for part in shown.split(",")]
        assert abs(mean - right["mean"]) <= 1e-5 * abs(right["mean"]), (text, shown, right)
        assert abs(sd - right["sd"]) <= 1e-5 * right["sd"], (text, shown, right)

    check("")
    pick(first)
    value = float(browser.run("return document.getElementById('number-answer').textContent").split(",")[0].split()[1])
    browser.type("#number-value", f"{value * 1.25:g}" + KEYS["Enter"])
    answered(browser, 1)
    given = f"{first}={value * 1.25:g}"
    check(given)
    pick(state[0])
    browser.click("#detail .state", ["Shift"])
    answered(browser, 2)
    both = given + f", do({state[0]}={state[4][0]})"
    check(both)
    fragment = browser.run("return location.hash")
    browser.visit(page, fragment)
    answered(browser)
    check(both)
    browser.click("#reset")
    answered(browser, 1)
    check("")
    browser.click("#undo")
    answered(browser, 2)
    check(both)
    for theme in ("light", "dark"):
        browser.theme(theme)
        least, where = browser.run(CONTRAST)
        assert least >= 4.5, f"{theme}: contrast {least:.2f} at {where}"
    check_labels(browser, 8)


# ---- export, labels, contrast, print ---------------------------------------------

def saved(browser, suffix):
    for _ in range(200):
        found = [p for p in browser.downloads.glob("*" + suffix) if p.stat().st_size]
        if found:
            return found[0].read_bytes()
        time.sleep(0.05)
    raise AssertionError("no file " + suffix)


def check_export(browser, story):
    browser.click("#save-svg")
    drawing = xml.dom.minidom.parseString(saved(browser, ".svg"))
    text = "".join(t.firstChild.data for t in drawing.getElementsByTagName("tspan") if t.firstChild)
    for node in story["nodes"]:
        assert node[0][:8].replace(" ", "") in text.replace(" ", ""), node[0] + " is not in the SVG"
    assert "var(" not in drawing.toxml() and "class=" not in drawing.toxml()
    heads = {"url(#" + m.getAttribute("id") + ")": m.firstChild.getAttribute("fill")
             for m in drawing.getElementsByTagName("marker")}
    for arc in drawing.getElementsByTagName("path"):
        if arc.hasAttribute("marker-end"):
            assert heads[arc.getAttribute("marker-end")] == arc.getAttribute("stroke")
    browser.click("#save-png")
    assert saved(browser, ".png").startswith(b"\x89PNG")


def check_labels(browser, buttons=20):
    browser.tool("Accessibility.enable")
    tree = browser.tool("Accessibility.getFullAXTree")["nodes"]
    named = {"button", "textbox", "searchbox", "checkbox", "slider", "combobox", "link"}
    roles = [n["role"]["value"] for n in tree if not n.get("ignored")]
    assert len([r for r in roles if r == "button"]) > buttons
    for node in tree:
        if not node.get("ignored") and node["role"]["value"] in named:
            assert node.get("name", {}).get("value", "").strip(), node


# The least contrast of texts with what is behind them (WCAG 2), and where.
CONTRAST = """
    const numbers = (c) => c.match(/[\\d.]+/g).map(Number);
    const light = (c) => { const [r, g, b] = numbers(c).map((x) => x / 255)
        .map((x) => (x <= 0.04045 ? x / 12.92 : Math.pow((x + 0.055) / 1.055, 2.4)));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
    const behind = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
        if (numbers(c).length < 4 || numbers(c)[3] > 0.99) return c; } return "rgb(255, 255, 255)"; };
    let least = [99, ""];
    const see = (r, what) => { if (r < least[0]) least = [r, what]; };
    document.querySelectorAll("body *").forEach((e) => {
        const style = getComputedStyle(e);
        if (e.closest("svg, .unseen, .skip, noscript, script, :disabled") || e.offsetParent === null) return;
        if ([...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
            see(ratio(style.color, behind(e)), e.className + ": " + e.textContent.slice(0, 30));
    });
    document.querySelectorAll("#drawing .node").forEach((g) => {
        const hit = (t) => t.closest(".row")?.querySelector(".hit");
        g.querySelectorAll("text").forEach((t) => {
            if (getComputedStyle(t).display === "none") return;
            const row = hit(t) && getComputedStyle(hit(t)).fill, box = getComputedStyle(g.querySelector(".box")).fill;
            const back = row && !/, 0\\)|none/.test(row) ? row : box;
            see(ratio(getComputedStyle(t).fill, back), g.dataset.name + ": " + t.textContent);
        });
    });
    return least"""


def check_contrast(browser):
    for theme in ("light", "dark"):
        browser.theme(theme)
        browser.wait_until("document.documentElement.dataset.theme === arguments[0]", theme)
        least, where = browser.run(CONTRAST)
        assert least >= 4.5, f"{theme}: contrast {least:.2f} at {where}"
        print(f"  {theme}: least contrast {least:.1f} ({where})")
    browser.theme("light")


def check_full(browser):
    high = "document.getElementById('drawing').getBoundingClientRect().height"
    before = browser.run("return " + high)
    browser.size(1400, 1600)
    browser.click("#full")
    browser.wait_until(high + " > arguments[0]", before + 100)
    browser.click("#full")
    browser.wait_until("!document.querySelector('#workbench').classList.contains('full')")
    browser.size(1400, 1000)


def ask(browser, page, network, picture):
    net = reference.Network(network)
    browser.theme("light")
    browser.visit(page)
    answered(browser)
    asking = Asking(browser, net)
    check_answer(browser, net, {}, {})
    ask_by_mouse(asking)
    ask_by_keys(asking)
    ask_by_link(asking, page)
    check_labels(browser)
    asking.seen = {asking.a: {1}}
    asking.after(browser.click, asking.card(asking.a, 1))
    asking.done = {asking.b: 0}
    asking.after(browser.click, asking.card(asking.b, 0), ["Shift"])
    browser.run("document.getElementById('explanation').open = true; scrollTo(0, 300)")
    check_contrast(browser)
    check_export(browser, story_of(browser))
    check_full(browser)
    browser.picture(picture + "-asked.png")
    pdf = browser.printed()
    assert pdf.startswith(b"%PDF") and len(pdf) > 10000, len(pdf)
    pathlib.Path(picture + ".pdf").write_bytes(pdf)
    ask_at_random(asking, 7, 200)


def impossible(browser, page):
    browser.visit(page, "#given:" + urllib.parse.quote("a=x, c=z, other=1"))
    answered(browser)
    text = browser.run("return document.getElementById('found').textContent")
    assert text == "This network does not have what the link says of it: c=z, other=1.", text
    browser.visit(page, "#given:" + urllib.parse.quote("a=x, c=x, b=y"))
    answered(browser)
    text = browser.run("return document.getElementById('impossible').textContent")
    assert text == "This evidence is impossible. These contradict each other: a=x, b=y.", text
    browser.click("#undo" if browser.run("return !document.getElementById('undo').disabled")
                  else "#chips button")
    browser.wait_until("document.getElementById('impossible').hidden")


# ---- times, pictures --------------------------------------------------------------

def processor(browser):
    """Milliseconds of the processor that the page's thread has used."""
    metrics = browser.tool("Performance.getMetrics")["metrics"]
    return 1000 * next(m["value"] for m in metrics if m["name"] == "ThreadTime")


def clock(browser, page):
    browser.tool("Performance.enable")
    browser.visit(page)
    answered(browser)
    browser.wait_until("performance.getEntriesByName('first-contentful-paint').length > 0")
    used = processor(browser)
    paint, compiled, refusal = browser.run("""
        return [performance.getEntriesByName("first-contentful-paint")[0].startTime,
            Number(document.documentElement.dataset.compiled), document.getElementById("refusal").textContent]""")
    line = f"  {page}: first paint {paint:.0f} ms, compiled in {compiled:.0f} ms (processor: {used:.0f} ms in all)"
    if not refusal:
        before = asked(browser)
        browser.click("#cards .card:nth-child(2) .state")
        answered(browser, before)
        line += ", answer in " + browser.run("return document.documentElement.dataset.took") + \
            f" ms (processor, with the click: {processor(browser) - used:.0f} ms)"
    print(line + ("; " + refusal if refusal else ""))


def pictures(browser, page, picture):
    for width in (1400, 1024, 390):
        for theme in ("light", "dark"):
            browser.size(width, 1000)
            browser.theme(theme)
            browser.visit(page)
            answered(browser)
            if width < 600:
                browser.run("document.getElementById('network').scrollIntoView()")
                browser.picture(f"{picture}-{width}-{theme}-opening.png")
            check_whole(browser, story_of(browser))
            if browser.run("return document.getElementById('refusal').hidden"):
                before = asked(browser)
                browser.click("#cards .card:nth-child(2) .state")
                answered(browser, before)
            browser.run("scrollTo(0, 0)")
            assert not browser.run(BLOCKS), (width, browser.run(BLOCKS))
            browser.picture(f"{picture}-{width}-{theme}.png", whole=True)
            longest = max((node[0] for node in story_of(browser)["nodes"]), key=len)
            browser.type("#search", longest[:-1])
            assert not browser.run(BLOCKS), (width, browser.run(BLOCKS))
            browser.run("document.getElementById('search').value = ''")
            name = busiest(story_of(browser))
            browser.type("#search", name + KEYS["Enter"])
            browser.wait_until(SELECTED, name)
            check_alone(browser, name)
            browser.run("document.getElementById('network').scrollIntoView()")
            browser.picture(f"{picture}-{width}-{theme}-picked.png")
    browser.size(1400, 1000)
    browser.theme("light")


def paper(browser, page, picture):
    """Prints the page with evidence and a selected variable; people look at it."""
    browser.visit(page)
    answered(browser)
    story = story_of(browser)
    name = busiest(story)
    if len(story["nodes"]) > 150:
        browser.run("document.getElementById('only').click()")
    browser.type("#search", name + KEYS["Enter"])
    check_picked(browser, story, name)
    pdf = browser.printed()
    assert pdf.startswith(b"%PDF") and len(pdf) > 10000, len(pdf)
    pathlib.Path(picture + ".pdf").write_bytes(pdf)


def main():
    os.environ.setdefault("HOME", os.getcwd())
    what = {"look": look, "ask": ask, "impossible": impossible, "time": clock,
            "pictures": pictures, "paper": paper, "agree": agree, "numbers": numbers}[sys.argv[1]]
    browser = Browser()
    try:
        browser.open()
        what(browser, *sys.argv[2:])
        assert not browser.complaints(), browser.complaints()
    finally:
        browser.close()
    print("fine:", *sys.argv[1:3])


main()
