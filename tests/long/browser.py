# SPDX-License-Identifier: MIT
"""browser.py PAGE VARIABLE PICTURE: looks at a report in Chromium.

VARIABLE "-" is the one with the most arcs.

Drives ChromeDriver by its HTTP interface with the standard library alone. Opens
PAGE, finds VARIABLE, clicks a neighbour of it, and holds what the page must do:
the blanket is the one that the arcs say, the table is there and its rows sum to
1, all is drawn, nothing is loaded, no error is reported. PICTURE.png shows the whole
network, PICTURE-picked.png the variable, PICTURE-dark.png the page in the dark.
"""
import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    def __init__(self):
        self.session = self.root = ""
        self.driver = subprocess.Popen(
            [shutil.which("chromedriver"), "--port=0"], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for line in self.driver.stdout:
            port = re.search(r"successfully on port (\d+)", line)
            if port:
                self.root = "http://127.0.0.1:" + port.group(1)
                break

    def open(self):
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu",
                            "--disable-dev-shm-usage", "--hide-scrollbars",
                            "--window-size=1440,1000"]}
        for name in ("chromium", "chromium-browser", "google-chrome"):
            if shutil.which(name):
                options["binary"] = shutil.which(name)
                break
        wanted = {"browserName": "chrome", "goog:chromeOptions": options,
                  "goog:loggingPrefs": {"browser": "ALL"}}
        got = self.call("POST", "/session",
                        {"capabilities": {"alwaysMatch": wanted}})
        self.session = "/session/" + got["sessionId"]

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.root + path, data=data, method=method,
            headers={"Content-Type": "application/json"})
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def post(self, path, body=None):
        return self.call("POST", self.session + path, body or {})

    def run(self, script, *arguments):
        return self.post("/execute/sync",
                         {"script": script, "args": list(arguments)})

    def find(self, css):
        return self.post("/element", {"using": "css selector",
                                      "value": css})[ELEMENT]

    def click(self, css):
        self.post("/element/" + self.find(css) + "/click")

    def type(self, css, text):
        self.post("/element/" + self.find(css) + "/value", {"text": text})

    def picture(self, path):
        png = self.call("GET", self.session + "/screenshot")
        pathlib.Path(path).write_bytes(base64.b64decode(png))

    def complaints(self):
        return [entry["message"] for entry in
                self.post("/se/log", {"type": "browser"})
                if entry["level"] in ("SEVERE", "WARNING")]

    def close(self):
        try:
            if self.session:
                self.call("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait()


def wait_until(browser, script, *arguments):
    for _ in range(300):
        if browser.run("return " + script, *arguments):
            return
        time.sleep(0.1)
    raise AssertionError("never true: " + script)


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


def check_picked(browser, story, name):
    wait_until(browser, SELECTED, name)
    assert browser.run(ROLES) == blanket(story, name), name
    assert browser.run("return document.querySelector('#detail h3').textContent") == name
    rows = browser.run("""return [...document.querySelectorAll("#cpt tbody tr")].map(
        (tr) => [...tr.querySelectorAll("td.p")].map((td) => Number(td.textContent)))""")
    assert rows, "no table of " + name
    for row in rows:
        assert abs(sum(row) - 1) < 0.02, (name, row)


def check_whole(browser, story):
    drawn = browser.run("""return [document.querySelectorAll("#drawing .node").length,
        document.querySelectorAll("#drawing > g .arc").length]""")
    assert drawn == [len(story["nodes"]), len(story["arcs"])], drawn
    outside = browser.run("""
        const stage = document.getElementById("drawing").getBoundingClientRect();
        return [...document.querySelectorAll("#drawing .node")].filter((g) => {
            const box = g.getBoundingClientRect();
            return box.left < stage.left - 1 || box.right > stage.right + 1 ||
                box.top < stage.top - 1 || box.bottom > stage.bottom + 1;
        }).length""")
    assert outside == 0, f"{outside} nodes are outside of the drawing"
    loaded = browser.run("return performance.getEntriesByType('resource').length")
    assert loaded == 0, f"{loaded} things were loaded"
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")


def check_keys(browser):
    box = "document.getElementById('drawing').getAttribute('viewBox')"
    before = browser.run("return " + box)
    browser.type("#drawing", "\ue014++")  # right, and closer
    assert browser.run("return " + box) != before
    browser.type("#drawing", "0")
    browser.type("#drawing", "\ue00c")  # Escape
    assert browser.run("return document.querySelector('#drawing .here') === null")


def look(browser, page, name, picture):
    browser.post("/url", {"url": pathlib.Path(page).resolve().as_uri()})
    wait_until(browser, "document.documentElement.dataset.ready === 'yes'")
    story = json.loads(browser.run("return document.getElementById('story').textContent"))
    check_whole(browser, story)
    browser.picture(picture + ".png")
    if name == "-":
        ends = [end for arc in story["arcs"] for end in arc[:2]]
        name = story["nodes"][max(set(ends), key=ends.count)][0]
    browser.type("#search", name + "\ue007")
    check_picked(browser, story, name)
    browser.run("document.getElementById('network').scrollIntoView()")
    browser.picture(picture + "-picked.png")
    near = blanket(story, name)
    other = (near["parent"] + near["child"] + near["spouse"])[0]
    place = [node[0] for node in story["nodes"]].index(other)
    mark = """document.querySelectorAll("#drawing .node").forEach((g) => {
        if (g.dataset.name === arguments[0]) g.id = "target"; })"""
    browser.run(mark, story["nodes"][place][0])
    browser.click("#target rect")
    check_picked(browser, story, other)
    check_keys(browser)
    browser.click("#theme")
    browser.run("window.scrollTo(0, 0)")
    browser.picture(picture + "-dark.png")
    browser.click("#theme")
    for part in ("strengths", "search-course", "data", "rules", "origin"):
        browser.run("document.getElementById(arguments[0])?.scrollIntoView()", part)
        browser.picture(picture + "-" + part + ".png")
    assert not browser.complaints(), browser.complaints()


def main():
    os.environ.setdefault("HOME", os.getcwd())
    browser = Browser()
    try:
        browser.open()
        look(browser, *sys.argv[1:])
    finally:
        browser.close()
    print("fine:", sys.argv[1])


main()
