# SPDX-License-Identifier: MIT
"""Cells: runs of the command that are remembered, and what they are made of."""
import csv
import gzip
import json
import os
import platform
import resource
import signal
import subprocess
import sys
import tempfile
import time

BESTDAG = os.environ.get("BESTDAG", "build/bestdag")
BUILD = os.environ.get("BUILD", "build")
DATA = os.environ.get("BESTDAG_DATA", "")


def machine():
    """The processor, as its own file names it."""
    name = platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    name = line.split(":", 1)[1].strip()
                    break
    except OSError:
        pass
    return f"{os.cpu_count()} cores ({name})"


def words(key):
    """A key as it is stored."""
    return " ".join(str(k) for k in key)


class Store:
    """Results by key, a line of JSON each; no cell is begun when the time is over."""

    def __init__(self, folder, seconds):
        os.makedirs(folder, exist_ok=True)
        self.path = os.path.join(folder, "cells.jsonl")
        self.end = time.monotonic() + seconds
        self.known = {}
        self.failed = 0
        if os.path.exists(self.path):
            self.load()

    def load(self):
        """A last line that was not written to its end is cut off."""
        with open(self.path, "rb") as file:
            *lines, rest = file.read().split(b"\n")
        if rest:
            os.truncate(self.path, os.path.getsize(self.path) - len(rest))
        for line in lines:
            row = json.loads(line)
            self.known[row["key"]] = row

    def get(self, *key):
        row = self.known.get(words(key))
        return row["value"] if row else None

    def is_known(self, *key):
        return words(key) in self.known

    def count_missing(self, cells):
        return sum(not self.is_known(*key) for key, _ in cells)

    def origin(self, paper):
        """When and on what machines the cells of a paper were run."""
        rows = [row for key, row in self.known.items() if key.split()[0] == paper]
        dates = sorted({row["date"] for row in rows})
        machines = sorted({row["machine"] for row in rows if "machine" in row})
        return (" to ".join(dict.fromkeys((dates[0], dates[-1]))) if dates else "no day",
                " and ".join(machines) or "an unnamed machine")

    def run(self, cells):
        """cells: (key, function of a scratch folder), the costly ones last. One that
        fails is reported, and stays missing."""
        for key, function in cells:
            text = words(key)
            if text in self.known:
                continue
            if time.monotonic() >= self.end:
                return
            print("running", text, flush=True)
            try:
                with tempfile.TemporaryDirectory() as folder:
                    value = function(folder)
            except (RuntimeError, OSError, subprocess.CalledProcessError) as error:
                print(f"failed: {text}: {error}", file=sys.stderr, flush=True)
                self.failed += 1
                continue
            row = {"key": text, "value": value, "date": time.strftime("%Y-%m-%d"),
                   "machine": machine()}
            self.known[text] = row
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")


def limit_processor(seconds):
    """The command ends itself when it is told that its seconds are over."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 30))
    return limit if seconds else None


def command(*given, codes=(0, 5), processor=None):
    """The JSON of the command with the seconds of processor time it took, and its notes;
    None if the memory does not suffice. processor: stopped after so many of these."""
    if processor:
        codes = (*codes, 128 + signal.SIGXCPU)
    start = time.monotonic()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([BESTDAG, *map(str, given), "--json", "-v"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          preexec_fn=limit_processor(processor))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode == 6:
        return None
    if done.returncode not in codes:
        raise RuntimeError(words(given) + ": " + done.stderr.decode())
    answer = json.loads(done.stdout)
    answer["cpu"] = (after.ru_utime + after.ru_stime
                     - before.ru_utime - before.ru_stime)
    answer["wall"] = time.monotonic() - start
    answer["notes"] = done.stderr.decode()
    return answer


def busy():
    """How many seconds of the clock a second of the processor takes at the moment."""
    start, spent = time.monotonic(), time.process_time()
    while time.process_time() - spent < 0.3:
        pass
    return max(1, (time.monotonic() - start) / (time.process_time() - spent))


def thread_seconds(*given):
    """Seconds of the processor of all threads of the command, and of its first one, as
    the kernel had them when last asked."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    first = 0
    with subprocess.Popen([BESTDAG, *map(str, given), "-q"],
                          stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            with open(f"/proc/{process.pid}/task/{process.pid}/schedstat",
                      encoding="utf-8") as file:
                first = int(file.read().split()[0]) or first
            time.sleep(0.005)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode:
        raise RuntimeError(words(given) + f": exit code {process.returncode}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, first / 1e9


def quiet(*given):
    """Runs the command for what it writes."""
    subprocess.run([BESTDAG, *map(str, given), "-q"], check=True,
                   stdout=subprocess.DEVNULL)


def pick(answer, *fields):
    """Some fields of an answer, for the store."""
    return None if answer is None else {f: answer.get(f) for f in fields}


def data(*path):
    return os.path.join(DATA, *path)


def network(name):
    """The file of a known network."""
    plain = data("networks", name + ".bif")
    return plain if os.path.exists(plain) else plain + ".gz"


def read_table(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", newline="", encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if row]
    return rows[0], rows[1:]


def write_table(path, names, rows):
    with open(path, "w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(names)
        writer.writerows(rows)
    return path


def from_mean(numbers):
    mean = sum(numbers) / len(numbers)
    return [x >= mean for x in numbers]


def above_middle(numbers):
    middle = (min(numbers) + max(numbers)) / 2
    return [x > middle for x in numbers]


def halves(column, is_high):
    """Numbers that are not few and whole are split in two."""
    try:
        numbers = [float(x) for x in column]
    except ValueError:
        return column
    if len(set(numbers)) <= 10 and all(x == int(x) for x in numbers):
        return column
    return ["high" if high else "low" for high in is_high(numbers)]


def split_table(file, is_high=from_mean):
    """Names and columns of a table of UCI: rows with missing values are left out,
    numbers split at their mean, or as is_high says."""
    names, rows = read_table(data("uci", file))
    return names, [halves(c, is_high) for c in
                   zip(*(row for row in rows if "?" not in row))]
