# SPDX-License-Identifier: MIT
"""Is `auto` behind its own rows? See auto.sh. Only the standard library."""
import argparse
import hashlib
import json
import math
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import zlib

from auto_chart import draw
from auto_lists import every_list
from charts import write
from exact import BESTDAG, BUILD, head, row

# In the order in which they are tried: one that proves shortens the others' runs.
ROWS = ("cluster", "bnb", "astar", "dp", "bfbnb")
# What is asked of `auto`: 2.5 s + 1 on nine lists of ten, 5 s + 1 on all.
MOSTLY, ALWAYS, EXTRA, SHARE = 2.5, 5.0, 1.0, 0.9
# Seconds: below, the second that `auto` has in addition decides.
HARD = 0.5
MEMORY = "4G"
XCPU = 128 + signal.SIGXCPU  # the exit code after the limit of the processor
# Where the mark is above the limit `auto` gets this many times the mark: systems
# that count a process's time roughly end it up to a tenth too early.
SPARE = 1.2
# Exit codes of searches that store subsets of variables, for which a list may have
# too many.
REFUSED = dict.fromkeys(("dp", "astar", "bfbnb"), (6,))
# Of a run: wall seconds for each second of the processor, until it is killed.
PATIENCE = 20
# A run with -t that had less of the processor is run again with a time limit that
# is longer by what it lacked, twice: then the limit of the processor ends it.
STARVED = 0.9

PLOTS = ("soybean_BIC", "hailfinder-5000", "Diabetes_1000_1_2", "accidents.test-2",
         "n28-icml", "n60-dense", "random-30x20", "every-22-of-4")


# ---- one run -----------------------------------------------------------------


def limit_processor(seconds):
    """The command ends itself when it is told that its seconds are over."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 30))
    return limit


def wait(process, seconds):
    """Until it ends, or is killed: what it used, and its exit code."""
    end = time.monotonic() + seconds
    while True:
        got, status, used = os.wait4(process.pid, os.WNOHANG)
        if got:
            process.returncode = os.waitstatus_to_exitcode(status)
            return used.ru_utime + used.ru_stime, process.returncode
        if time.monotonic() > end:
            process.send_signal(signal.SIGKILL)
        time.sleep(0.005)


def stages_of(notes):
    """[solver, wall seconds, counted work] of each search, in order."""
    found = re.findall(r"(\w+): ([\d.]+) s, ([\d.]+) s of counted work", notes)
    return [[name, float(s), float(work)] for name, s, work in found]


def course_of(report):
    with open(report, encoding="utf-8") as page:
        found = re.search(r'"course": (\[\[.*?\]\])', page.read(), re.S)
    return json.loads(found[1]) if found else []


def execute(path, solver, seconds, timed, with_course):
    """One `solve`: a dictionary of what is remembered of it. timed: with -t."""
    with tempfile.TemporaryDirectory() as folder:
        out, err, report = (os.path.join(folder, f) for f in "oer")
        report += ".html"
        command = [BESTDAG, "solve", path, "--solver", solver, "-j", "1", "--json",
                   "-v", "--memory-limit", MEMORY, "--temp-dir", folder]
        command += ["-t", f"{timed}s"] if timed else []
        command += ["--report", report] if with_course else []
        with open(out, "w", encoding="utf-8") as o, open(
                err, "w", encoding="utf-8") as e:
            start = time.monotonic()
            # pylint: disable-next=consider-using-with,subprocess-popen-preexec-fn
            process = subprocess.Popen(
                command, stdout=o, stderr=e,
                preexec_fn=limit_processor(math.ceil(seconds)))
            try:
                used, code = wait(process, PATIENCE * seconds + 10)
            except BaseException:
                process.kill()
                raise
            wall = time.monotonic() - start
        with open(out, encoding="utf-8") as o, open(err, encoding="utf-8") as e:
            text, notes = o.read(), e.read()
        course = course_of(report) if os.path.exists(report) else []
    if code not in (0, XCPU, -signal.SIGKILL, *REFUSED.get(solver, ())):
        sys.exit(f"auto: {' '.join(command)}: ended with {code}: {notes}")
    got = json.loads(text) if text.strip() else {}
    stages = stages_of(notes)
    return {"status": got.get("status", "killed" if code < 0 else "refused"),
            "score": got.get("score"), "bound": got.get("bound"),
            "code": code, "gap": got.get("gap"), "variables": got.get("variables"),
            "sets": got.get("parent_sets"), "processor": round(used, 3),
            "wall": round(wall, 3), "work": round(sum(s[2] for s in stages), 3),
            "stages": stages, "course": course}


# ---- what is remembered --------------------------------------------------------


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:12]


class Cells:
    """Runs by list, row, way and binary, a line of JSON each."""

    def __init__(self, folder, is_fixed):
        self.path = os.path.join(folder, "results.jsonl")
        self.binary, self.is_fixed = digest(BESTDAG), is_fixed
        self.cells, self.sums = {}, {}
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as lines:
                for line in lines:
                    cell = json.loads(line)
                    self.cells[tuple(cell["key"])] = cell

    def key(self, path, solver, way):
        if path not in self.sums:
            with open(path, "rb") as file:
                self.sums[path] = zlib.crc32(file.read())
        return (os.path.basename(path), self.sums[path], solver, way, self.binary)

    def get(self, path, solver, way, seconds):
        """The run, made if it is not known; None if it may not be made. One that
        was cut short counts only if it had as much time."""
        key = self.key(path, solver, way)
        cell = self.cells.get(key)
        if cell and (is_final(cell) or cell["limit"] >= seconds):
            return cell
        if self.is_fixed:  # `auto` is not judged by less than it may take
            return cell if solver != "auto" else None
        timed = seconds if way == "timed" else 0
        cell = execute(path, solver, seconds, timed, way == "course")
        if timed and not is_proof(cell) and cell["processor"] < STARVED * seconds:
            slower = cell["wall"] / max(0.1, cell["processor"])
            more = math.ceil(timed * min(PATIENCE, 2 * slower))
            cell = execute(path, solver, seconds, more, False)
        cell |= {"key": key, "limit": seconds}
        self.cells[key] = cell
        with open(self.path, "a", encoding="utf-8") as lines:
            lines.write(json.dumps(cell) + "\n")
        return cell


def is_proof(cell):
    return cell["status"] == "optimal"


def is_final(cell):
    """More time would not change it: nothing but the run itself ended it."""
    if cell["key"][3] == "timed":
        return is_proof(cell)
    return cell["code"] not in (XCPU, -signal.SIGKILL)


# ---- a list --------------------------------------------------------------------


class Verdict:
    """The rows and `auto` on one list."""

    def __init__(self, item, cells, given):
        path, limit = item.file(), given.limit
        self.name, self.rows, self.faults = item.name, {}, []
        for solver in given.rows:
            best = self.best()
            seconds = limit if given.full or not best else min(
                limit, math.ceil(best["processor"]))
            self.rows[solver] = cells.get(path, solver, "alone", seconds)
        best = self.best()
        mark = ALWAYS * best["processor"] + EXTRA if best else 0
        seconds = max(limit, math.ceil(SPARE * mark))
        self.free = cells.get(path, "auto", "counted", seconds)
        self.timed = cells.get(path, "auto", "timed", seconds)
        self.agree()

    def proofs(self):
        return {s: c for s, c in self.rows.items() if c and is_proof(c)}

    def best(self):
        return min(self.proofs().values(), key=lambda c: c["processor"], default=None)

    def best_name(self):
        best = self.best()
        return next((s for s, c in self.proofs().items() if c is best), "none")

    def known(self):
        return [c for c in (*self.rows.values(), self.free, self.timed) if c]

    def agree(self):
        """All that is proved is the same, and nothing contradicts a bound."""
        found = [c for c in self.known() if c["score"] is not None]
        if not found:
            return
        score = max(c["score"] for c in found)
        slack = 1e-6 * max(1, abs(score))
        for cell in found:
            below = cell["bound"] is not None and cell["bound"] < score - slack
            short = is_proof(cell) and cell["score"] < score - slack
            if below or short:
                self.faults.append(f"{cell['key'][2]} contradicts another row")

    def ratio(self, cell):
        """How many times the best row's seconds, the second apart."""
        best = self.best()
        if not best or not cell:
            return math.nan
        return max(0, cell["processor"] - EXTRA) / max(1e-3, best["processor"])

    def grade(self, cell):
        """0: as asked; 1: above what is asked of nine in ten; 2: a failure."""
        if not cell or not self.best():
            return 0
        ratio = self.ratio(cell)
        return 2 if not is_proof(cell) or ratio > ALWAYS else int(ratio > MOSTLY)

    def worst(self):
        return max(self.grade(self.free), self.grade(self.timed))

    def words(self):
        if self.faults:
            return "WRONG: " + "; ".join(self.faults)
        if not self.free or not self.timed:
            return "not run"
        if not self.best():
            both = is_proof(self.free), is_proof(self.timed)
            return "auto alone" if any(both) else "open"
        if not (is_proof(self.free) and is_proof(self.timed)):
            return "NOT PROVED"
        return ("", "above 2.5", "ABOVE 5")[self.worst()]


def ending(cell):
    if not cell:
        return ""
    if is_proof(cell):
        return f"{cell['processor']:.2f}"
    gap = f", gap {100 * cell['gap']:.3g} %" if cell["gap"] is not None else ""
    return f"{cell['status']} {cell['processor']:.0f}{gap}"


def times(verdict, cell):
    ratio = verdict.ratio(cell)
    if math.isnan(ratio):
        return ""
    return ("" if is_proof(cell) else "> ") + f"{ratio:.1f}"


def show(v):
    any_cell = next((c for c in v.known() if c["sets"]), {})
    best = v.best()
    row(v.name, any_cell.get("variables", ""), any_cell.get("sets", ""),
        v.best_name(), f"{best['processor']:.2f}" if best else "",
        f"{best['work']:.2f}" if best and best["work"] else "",
        ending(v.free), f"{v.free['work']:.2f}" if v.free else "",
        ending(v.timed), times(v, v.free), times(v, v.timed), v.words())


def most_in(cell):
    """The searches of a run of `auto`: seconds, scaled to the processor's, counted
    work and number of each. Provers that take turns are there from their first turn
    to the end, so their seconds overlap."""
    spent = {}
    for name, seconds, work in cell["stages"]:
        before = spent.get(name, (0, 0, 0))
        spent[name] = before[0] + seconds, before[1] + work, before[2] + 1
    share = cell["processor"] / max(1e-9, cell["wall"])
    return ", ".join(
        f"{name} {share * total:.2f} s (work {work:.2f}) in {count}"
        for name, (total, work, count) in sorted(
            spent.items(), key=lambda one: -one[1][0]))


def sum_up(verdicts):
    """The criterion in words; is it met?"""
    judged = [v for v in verdicts if v.best() and v.free and v.timed]
    good = sum(v.worst() == 0 for v in judged)
    failed = [v.name for v in judged if v.worst() == 2]
    wrong = [v.name for v in verdicts if v.faults]
    for v in judged:
        if v.worst():
            cell = v.free if v.grade(v.free) >= v.grade(v.timed) else v.timed
            print(f"\n{v.name}: {v.words()}; {v.best_name()} "
                  f"{v.best()['processor']:.2f} s; auto: {most_in(cell)}")
    hard = [v for v in judged if v.best()["processor"] >= HARD]
    is_met = not failed and not wrong and good >= SHARE * len(judged)
    if not judged:
        print("\nno row proves anything within the limit: nothing can be said")
        return not wrong
    print(f"\n{len(verdicts)} lists, {len(judged)} with a proof by a row: {good} "
          f"within {MOSTLY} times + {EXTRA:.0f} s, {len(failed)} not proved or "
          f"above {ALWAYS:.0f} times" + (f" ({', '.join(failed)})" if failed else "") +
          f", {len(wrong)} with contradictions. Of the {len(hard)} that take a row "
          f"{HARD} s or more, {sum(v.worst() == 0 for v in hard)} are within {MOSTLY} "
          "times. The criterion is " +
          ("met" if is_met else "NOT met"))
    return is_met


def table(lists, cells, given):
    head(f"auto against {', '.join(given.rows)}: seconds of one core, at most "
         f"{given.limit}; binary {cells.binary}", "list", "variables", "sets", "best row", "its s",
         "its work", "auto: s", "work", "auto -t: s", "times", "-t: times", "")
    verdicts = []
    for item in lists:
        verdicts.append(Verdict(item, cells, given))
        show(verdicts[-1])
    return sum_up(verdicts)


# ---- figures -------------------------------------------------------------------


def plot(lists, cells, limit, folder):
    """Times of a course are of the clock: they are scaled to the processor's."""
    for item in lists:
        courses = {}
        for solver in (*ROWS, "auto"):
            cell = cells.get(item.file(), solver, "course", limit)
            if cell and cell["course"]:
                share = min(1, cell["processor"] / cell["wall"])
                points = [[share * t, best, bound] for t, best, bound in
                          cell["course"]]
                courses[solver] = points, is_proof(cell)
        if courses:
            name = "auto-" + item.name.lower().replace(".", "-")
            write(folder, name, draw(item.name, courses, limit))
            print(f"{folder}/{name}.svg", flush=True)


# ---- the command ---------------------------------------------------------------


def arguments():
    parser = argparse.ArgumentParser(prog="./dev bench auto")
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--only", default="")
    parser.add_argument("--cache", default=os.path.join(BUILD, "bench-auto"))
    parser.add_argument("--charts", default="docs/charts")
    parser.add_argument("--rows", default=",".join(ROWS),
                        type=lambda words: words.split(","))
    for flag in ("--full", "--show", "--lists", "--plots"):
        parser.add_argument(flag, action="store_true")
    given = parser.parse_args()
    for solver in given.rows:
        if solver not in ROWS:
            parser.error(f"--rows: '{solver}' is not one of {', '.join(ROWS)}")
    return given


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    given = arguments()
    lists = [item for item in every_list(given.cache)
             if re.search(given.only, item.name)]
    if not lists:
        sys.exit(f"auto: no list matches '{given.only}'")
    if not os.environ.get("BESTDAG_DATA"):
        print("skipped: the lists of the outside data, BESTDAG_DATA is not set")
    if given.lists:
        print("\n".join(item.name for item in lists))
        return
    cells = Cells(given.cache, given.show)
    if given.plots:
        chosen = [i for i in lists if given.only or i.name in PLOTS]
        plot(chosen, cells, given.limit, given.charts)
    elif not table(lists, cells, given):
        sys.exit(1)


if __name__ == "__main__":
    main()
