#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""regress.py record|compare PROGRAM FOLDER -- does a refactoring keep every byte?

record   keeps PROGRAM, its inputs and what it answers to every case in FOLDER
compare  demands the same networks, lists, certificates, JSON (but seconds and
         memory) and exit codes of PROGRAM, then prints the processor time of
         long runs as a ratio new/old: the least of five interleaved runs each

Options: --only REGEX (cases by name), --no-times.
"""
import argparse
import json
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/regress"))
sys.dont_write_bytecode = True
import cases  # noqa: E402

SLOWER = 1.05  # a ratio above this fails
ROUNDS = 5
VARIES = {"seconds", "peak_memory_bytes", "temp_file_bytes", "threads", "version", "date"}


def run(program, line, folder, timeout=600):
    """The exit code, standard output, and processor seconds of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(program)] + shlex.split(line), cwd=folder,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=timeout, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime
    return done.returncode, done.stdout, done.stderr, seconds


def make_inputs(program, folder):
    inside = folder / "in"
    inside.mkdir(parents=True)
    for name in ("examples/lighthouse.csv", "examples/lighthouse.bif",
                 "examples/hives.csv", "tests/data/visits.csv"):
        shutil.copy(ROOT / name, inside)
    for name, text in {**cases.RULES, **cases.tables()}.items():
        (inside / name).write_text(text)
    for name, line in cases.MADE:
        code, _, err, _ = run(program, line + " -q -o in/" + name, folder)
        if code:
            sys.exit("regress: cannot make %s: %s" % (name, err.decode()))


def without_what_varies(value):
    if isinstance(value, dict):
        return {k: without_what_varies(v) for k, v in value.items()
                if k not in VARIES}
    if isinstance(value, list):
        return [without_what_varies(v) for v in value]
    return value


def normal(data):
    """JSON without seconds and memory; anything else byte by byte."""
    try:
        return json.dumps(without_what_varies(json.loads(data))).encode()
    except ValueError:
        return data


def answer(program, line, inputs, folder):
    """What a case gives: {file: bytes}, its JSON and exit code among them."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.symlink(inputs, folder / "in")
    code, out, err, _ = run(program, line + " -q", folder)
    (folder / "in").unlink()
    files = {str(f.relative_to(folder)): normal(f.read_bytes())
             for f in sorted(folder.rglob("*")) if f.is_file()}
    files["exit code"] = b"%d\n" % code
    if "--json" in line and code in (0, 5):
        files["standard output"] = normal(out)
    if code not in (0, 5):  # what is refused must be refused in both
        files["standard error"] = b""
        print("  exit %d: %s" % (code, err.decode().strip()[:120]))
    shutil.rmtree(folder)
    return files


def chosen(only):
    return [case for case in cases.cases() if re.search(only, case[0])]


def record(program, folder, only):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(program, folder / "bestdag")
    make_inputs(folder / "bestdag", folder)
    for number, (name, line) in enumerate(chosen(only)):
        files = answer(folder / "bestdag", line, folder / "in", folder / "work")
        for file, data in files.items():
            path = folder / "answers" / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        print("%3d %s" % (number + 1, name), flush=True)


def recorded(folder, name):
    top = folder / "answers" / name
    return {str(f.relative_to(top)): f.read_bytes()
            for f in sorted(top.rglob("*")) if f.is_file()}


def compare(program, folder, only):
    """The number of cases that differ."""
    failures = 0
    every = chosen(only)
    for name, line in every:
        old = recorded(folder, name)
        if not old:
            print("NEW   %s" % name)
            continue
        new = answer(program, line, folder / "in", folder / "work")
        differ = sorted(f for f in old.keys() | new.keys()
                        if old.get(f) != new.get(f))
        if differ:
            failures += 1
            print("DIFF  %s: %s (bestdag %s)" % (name, ", ".join(differ), line))
    print("%d of %d cases differ" % (failures, len(every)))
    return failures


def compare_times(program, folder):
    """How many long runs take more than SLOWER times as long."""
    slower = 0
    work = folder / "work"
    for name, line in cases.LONG:
        least = {}
        for _ in range(ROUNDS):
            for who in (folder / "bestdag", program):
                shutil.rmtree(work, ignore_errors=True)
                work.mkdir()
                os.symlink(folder / "in", work / "in")
                seconds = run(who, line + " -q", work)[3]
                least[who] = min(seconds, least.get(who, seconds))
        old, new = least[folder / "bestdag"], least[program]
        slower += new > SLOWER * old
        print("%-20s old %6.2f s  new %6.2f s  ratio %.3f%s" % (
            name, old, new, new / max(old, 1e-9),
            "  SLOWER" if new > SLOWER * old else ""), flush=True)
    shutil.rmtree(work, ignore_errors=True)
    return slower


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("action", choices=["record", "compare"])
    parser.add_argument("program", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--no-times", action="store_true")
    given = parser.parse_args()
    program, folder = given.program.resolve(), given.folder.resolve()
    if given.action == "record":
        record(program, folder, given.only)
        return 0
    if not (folder / "answers").is_dir():
        sys.exit("regress: nothing is recorded: run ./dev regress record first")
    failures = compare(program, folder, given.only)
    if not given.no_times:
        failures += compare_times(program, folder)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
