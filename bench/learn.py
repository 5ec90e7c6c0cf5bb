# SPDX-License-Identifier: MIT
"""Whole runs of learn; see learn.sh. Only the standard library.

The course of the best score over time is in the page of --report; memory is
what GNU time says of the process. The best score known of a table is the
best that any of its runs here ended with."""
import datetime
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

from exact import BESTDAG, DATA, FULL, data, head, quiet, row



def number(key, default):
    """`--key N` of the command line."""
    words = sys.argv[1:]
    return int(words[words.index(key) + 1]) if key in words else default


SECONDS = number("--seconds", 60 if FULL else 10)
SEEDS = number("--seeds", 5 if FULL else 1)
TOO_LONG = 2 * SECONDS + 10

# name -> file, is there a line of names, are numbers to be cut, short version
TABLES = {
    "asia": ("samples/asia.csv", True, False, True),
    "nltcs": ("density/nltcs.train.data.gz", False, False, False),
    "zoo": ("uci/zoo.csv", True, False, False),
    "mushroom": ("uci/mushroom.csv.gz", True, False, False),
    "sensor": ("uci/sensor_readings_24.csv.gz", True, True, False),
    "insurance": ("samples/insurance.csv.gz", True, False, True),
    "flags": ("uci/flags.csv", True, True, True),
    "wdbc": ("uci/wdbc.csv", True, True, False),
    "water": ("optimal/water1000.csv", False, False, False),
    "mildew": ("optimal/mildew1000.csv", False, False, False),
    "soybean": ("optimal/soybean.csv", False, False, False),
    "alarm": ("samples/alarm.csv.gz", True, False, True),
    "hailfinder": ("optimal/hailfinder100.csv", False, False, False),
    "baudio": ("density/baudio.train.data.gz", False, False, False),
    "accidents": ("density/accidents.train.data.gz", False, False, False),
    "dna": ("density/dna.train.data.gz", False, False, True),
    "msweb": ("density/msweb.train.data.gz", False, False, False),
    "tmovie": ("density/tmovie.train.data.gz", False, False, True),
    "cr52": ("density/cr52.train.data.gz", False, False, False),
    "ad": ("density/ad.train.data.gz", False, False, False),
}

# What people use today, and what is best here at some size. The first two are
# the ways to prove an optimum (URLearning, GOBNILP); `orders` is with every
# strategy, as the strategy decides on large tables; asobs is BLIP's; hc and
# fges work on the table without lists (bnlearn, Tetrad). obs is left out:
# asobs looks at the same orders and at more networks.
PAIRS = {
    "sequential, astar": ("--parents", "sequential", "--solver", "astar"),
    "sequential, cluster": ("--parents", "sequential", "--solver", "cluster"),
    "sequential, orders": ("--parents", "sequential", "--solver", "orders"),
    "greedy, orders": ("--parents", "greedy", "--solver", "orders"),
    "independence, orders": ("--parents", "independence", "--solver",
                             "orders"),
    "independence, asobs": ("--parents", "independence", "--solver", "asobs"),
    "no lists, hc": ("--solver", "hc"),
    "no lists, fges": ("--solver", "espace", "--set", "operators=fges"),
}
NEVER = math.inf


class Trial:
    """One run, and how it went."""

    def __init__(self, table, options, seed, folder):
        page = os.path.join(folder, "page.html")
        peak = os.path.join(folder, "peak")
        command = [BESTDAG, "learn", *table, *options, "-t", f"{SECONDS}s",
                   "--seed", str(seed), "-q", "--json", "--report", page, "-o",
                   os.path.join(folder, "net.bif")]
        begin = time.monotonic()
        # getrusage would count the memory of Python, which the fork begins as
        done = subprocess.run(["/usr/bin/time", "-o", peak, "-f", "%M",
                               "timeout", "--foreground", "-s", "KILL",
                               str(TOO_LONG), *command], capture_output=True,
                              text=True, check=False)
        self.seconds = time.monotonic() - begin
        is_late = self.seconds >= TOO_LONG
        if done.returncode >= 128 and not is_late:
            sys.exit(f"learn: {' '.join(command)}: ended with "
                     f"{done.returncode}: {done.stderr}")
        with open(peak, encoding="utf-8") as file:
            self.megabytes = int(file.read().split()[-1]) / 1024
        self.error = done.stderr.strip() if done.returncode else ""
        if done.returncode and is_late:
            self.error = f"killed after {TOO_LONG} s, {SECONDS} s were given"
        self.course, self.score, self.gap = [], -math.inf, math.nan
        self.status = "killed" if is_late else "refused"
        self.variables, self.rows = 0, 0
        if not done.returncode:
            self.read(page, json.loads(done.stdout))

    def read(self, page, got):
        with open(page, encoding="utf-8") as file:
            story = re.search(r'<script type="application/json"[^>]*>(.*?)'
                              r"</script>", file.read(), re.S)
        self.course = [(seconds, best) for seconds, best, _ in
                       json.loads(story[1])["course"] if best is not None]
        self.score, self.status = got["score"], got["status"]
        self.gap = math.nan if got["gap"] is None else got["gap"]
        self.variables, self.rows = got["variables"], got["rows"]

    def reached(self, score):
        """Seconds until there was a network of this score."""
        return next((s for s, best in self.course if best >= score), NEVER)


# ---- tables ------------------------------------------------------------------


def prepare(name, folder):
    """The arguments of learn that say what is read."""
    path, has_names, has_numbers, _ = TABLES[name]
    table = [data(path)]
    names = [] if has_names else ["--no-header"]
    if not has_numbers:
        return table + names
    cut = os.path.join(folder, name + ".csv")
    quiet("discretize", *table, *names, "--method", "mean", "-o", cut)
    return [cut]


def try_all(name, folder):
    """What -> its trials. Seeds are the outer loop: load hits all alike."""
    table = prepare(name, folder)
    trials = {what: [] for what in ("auto", *PAIRS)}
    for seed in range(1, SEEDS + 1):
        for what in trials:
            trials[what].append(Trial(table, PAIRS.get(what, ()), seed, folder))
    return trials


# ---- printing ----------------------------------------------------------------


def middle(values):
    return statistics.median_low(sorted(values))


def score_of(trials):
    return middle(t.score for t in trials)


def spread_of(trials):
    scores = [t.score for t in trials]
    return max(scores) - min(scores) if math.isfinite(min(scores)) else 0.0


def seconds_to(trials, score):
    value = middle(t.reached(score) for t in trials)
    return f"{value:.2f}" if value < NEVER else "never"


def percent(trials):
    gaps = [t.gap for t in trials if not math.isnan(t.gap)]
    return f"{100 * middle(gaps):.3f}" if gaps else ""


def endings(trials):
    words = [t.status for t in trials]
    return ", ".join(word if len(set(words)) == 1 else
                     f"{word} {words.count(word)}"
                     for word in sorted(set(words)))


def show(name, trials):
    """A line for each pair."""
    best = max(t.score for some in trials.values() for t in some)
    size = max(trials["auto"], key=lambda t: t.variables)
    for what, some in trials.items():
        begin = [""] * 3
        if what == "auto":
            begin = [name, size.variables, size.rows]
        if not math.isfinite(score_of(some)):
            row(*begin, what, *[""] * 6, endings(some),
                f"{middle(t.seconds for t in some):.1f}",
                f"{max(t.megabytes for t in some):.0f}")
            continue
        row(*begin, f"**{what}**" if what == "auto" else what,
            seconds_to(some, -math.inf),
            seconds_to(some, best - 0.01 * abs(best)),
            seconds_to(some, best - 0.001 * abs(best)),
            f"{score_of(some):.3f}", f"{spread_of(some):.3f}", percent(some),
            endings(some), f"{middle(t.seconds for t in some):.1f}",
            f"{max(t.megabytes for t in some):.0f}")


def compare(all_trials):
    """Is auto behind a pair by more than seeds differ?"""
    head("`auto` against the best pair", "table", "auto", "best pair",
         "its score", "spread of seeds", "auto behind the best pair by")
    for name, trials in all_trials.items():
        pair = max(PAIRS, key=lambda what: score_of(trials[what]))
        behind = score_of(trials[pair]) - score_of(trials["auto"])
        spread = max(spread_of(trials[pair]), spread_of(trials["auto"]))
        # what sums of floating-point numbers may differ by is no difference
        is_behind = behind > spread + 1e-9 * abs(score_of(trials[pair]))
        row(name, f"{score_of(trials['auto']):.3f}", pair,
            f"{score_of(trials[pair]):.3f}",
            f"{spread:.3f}" if SEEDS > 1 else "one seed",
            f"**{behind:.3f}**" if is_behind else f"{behind:.3f}")


def refusals(all_trials):
    """Why, once for each reason and pair."""
    failures = {}
    for name, trials in all_trials.items():
        for what, some in trials.items():
            for error in {t.error for t in some if t.error}:
                failures.setdefault((what, error), []).append(name)
    for (what, error), names in failures.items():
        print(f"\n{what} on {', '.join(names)}: {error}")


def choose():
    words = sys.argv[1:]
    wanted = [word for before, word in zip([""] + words, words)
              if not word.startswith("--") and
              before not in ("--seconds", "--seeds")]
    for word in wanted:
        if word not in TABLES:
            sys.exit(f"learn: there is no table '{word}', there are: " +
                     ", ".join(TABLES))
    return wanted or [name for name, (*_, is_short) in TABLES.items()
                      if FULL or is_short]


def main():
    wanted = choose()
    if not DATA:
        print("skipped: learn, BESTDAG_DATA is not set")
        return
    before = os.getloadavg()[0]
    begun = datetime.datetime.now().strftime("%Y-%m-%d %H:%M")
    head(f"From CSV to BIF, {SECONDS} s, "
         f"{f'{SEEDS} seeds' if SEEDS > 1 else 'one seed'}", "table",
         "variables", "rows", "sets, solver", "first network, s",
         "within 1 %, s", "within 0.1 %, s", "score", "spread", "gap %",
         "ended", "seconds", "MB")
    all_trials = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in wanted:
            all_trials[name] = try_all(name, folder)
            show(name, all_trials[name])
    compare(all_trials)
    refusals(all_trials)
    print("\nMedians of seeds; memory the most. Each run: `bestdag learn TABLE "
          f"OPTIONS -t {SECONDS}s --seed S -o net.bif --report page.html "
          f"--json`, {os.cpu_count()} processors.")
    print(f"\n`./dev bench learn {' '.join(sys.argv[1:])}`, {begun}, load "
          f"average {before:.1f} before, {os.getloadavg()[0]:.1f} after",
          flush=True)


if __name__ == "__main__":
    main()
