# SPDX-License-Identifier: MIT
"""Runs what is missing of the papers' tables and writes their pages: papers.sh."""
import argparse
import importlib
import os
import re
import signal
import sys

import cells

NAMES = ("decampos2009", "daly2007", "yuan2012", "scanagatta2015", "carvalho2007")
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def seconds(word):
    found = re.fullmatch(r"([0-9.]+)([smh]?)", word)
    if not found:
        raise argparse.ArgumentTypeError("expected a time such as 30m")
    return float(found.group(1)) * {"": 1, "s": 1, "m": 60, "h": 3600}[found.group(2)]


def pattern(text):
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"not a pattern: {error}") from error


def write(paper, name, store, folder):
    """docs/papers/NAME.md."""
    missing = store.count_missing(paper.cells())
    state = missing and (
        f"{missing} of its {sum(1 for _ in paper.cells())} cells have not been run yet: a figure "
        "that is missing is a `-`, or its row is left out.\n") or ""
    dates, machines = store.origin(name)
    text = [f"# {paper.TITLE}", "",
            f"Made by `./dev bench papers {name}`; its cells were run on {dates}, {machines}. "
            "Seconds are processor time unless it says otherwise.",
            "What differs from the paper by design is in [README.md](README.md).",
            state, *paper.page(store, folder)]
    path = os.path.join(folder, name + ".md")
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join(text).rstrip() + "\n")
    print("wrote", os.path.relpath(path, ROOT))


def main():
    parser = argparse.ArgumentParser(prog="./dev bench papers")
    parser.add_argument("names", nargs="*", metavar="NAME",
                        help="one of " + " ".join(NAMES))
    parser.add_argument("--only", type=pattern, default="", metavar="PATTERN",
                        help="only cells whose key matches")
    parser.add_argument("--time", type=seconds, default=600.0)
    parser.add_argument("--store", default=os.path.join(ROOT, "bench", "log", "papers"))
    parser.add_argument("--out", default=os.path.join(ROOT, "docs", "papers"))
    parser.add_argument("--show", action="store_true", help="run nothing")
    parser.add_argument("--full", action="store_true", help="no limit of time")
    given = parser.parse_intermixed_args()
    for name in given.names:
        if name not in NAMES and name != "all":
            sys.exit(f"bench papers: there is no paper '{name}', expected one of "
                     + " ".join(NAMES))
    if not cells.DATA and not given.show:
        print("skipped: papers, BESTDAG_DATA is not set")
        return
    names = [n for n in NAMES if not given.names or n in given.names
             or "all" in given.names]
    limit = 1e9 if given.full else given.time
    store = cells.Store(given.store, 0 if given.show else limit)
    os.makedirs(given.out, exist_ok=True)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    for name in names:
        paper = importlib.import_module(name)
        try:
            store.run((key, run) for key, run in paper.cells()
                      if given.only.search(cells.words(key)))
        except KeyboardInterrupt:
            write(paper, name, store, given.out)
            sys.exit(130)
        write(paper, name, store, given.out)
    sys.exit(1 if store.failed else 0)


main()
