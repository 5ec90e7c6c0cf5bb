# SPDX-License-Identifier: MIT
"""Tables in, networks out: data frames against files, options, errors, Ctrl-C,
threads, pickles, memory."""

import gc
import inspect
import os
import pickle
import re
import signal
import threading
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

import bestdag
from bestdag import _library, _options

ROOT = Path(__file__).resolve().parents[2]
NIGHTS = ROOT / "examples" / "lighthouse.csv"
pandas = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def frame():
    return pandas.read_csv(NIGHTS)


@pytest.fixture(scope="module")
def net(frame):
    return bestdag.learn(frame)


def test_a_frame_is_the_file(frame, net):
    by_path = bestdag.learn(NIGHTS)
    assert net.status == by_path.status == "optimal"
    assert net.score == by_path.score and net.bound == by_path.bound
    assert net.arcs == by_path.arcs
    assert net.to_text("bif") == by_path.to_text("bif")


def test_other_kinds_of_columns_give_the_same(frame, net):
    categories = frame.astype("category")
    assert bestdag.learn(categories).arcs == net.arcs
    assert bestdag.learn({c: frame[c].to_numpy() for c in frame}).arcs == net.arcs
    array = bestdag.learn(frame.to_numpy())
    assert array.score == net.score and array.variables[0] == "V1"
    nullable = frame.astype("string")
    assert bestdag.learn(nullable).score == net.score


def test_numbers_truth_values_and_weights():
    rng = np.random.default_rng(5)
    a = rng.integers(0, 2, 400)
    table = pandas.DataFrame({"a": a == 1, "b": a + rng.integers(0, 2, 400)})
    net = bestdag.learn(table)
    assert net.states("a") == ["False", "True"]
    assert net.states("b") == ["0", "1", "2"]
    once = table.drop_duplicates()
    counts = table.groupby(["a", "b"]).size()
    weights = [int(counts[tuple(row)]) for row in once.itertuples(index=False)]
    assert bestdag.learn(once, weights=weights).score == pytest.approx(net.score)
    named = once.assign(n=weights)
    assert bestdag.learn(named, weights="n").score == pytest.approx(net.score)
    with pytest.raises(bestdag.InputError, match="whole number"):
        bestdag.learn(once, weights=[0.5] * len(once))


def test_missing_values():
    rng = np.random.default_rng(6)
    a = rng.integers(0, 2, 300).astype(float)
    table = pandas.DataFrame({"a": a, "b": (a + rng.integers(0, 2, 300)) % 3})
    table.loc[::3, "a"] = np.nan
    with pytest.warns(bestdag.BestdagWarning, match="100 of 300 rows"):
        net = bestdag.learn(table)
    assert net.states("a") == ["0", "1"]
    assert bestdag.learn(table, missing="state").states("a")[-1] == "missing"
    with pytest.raises(bestdag.InputError, match="missing value"):
        bestdag.learn(table, missing="error")


def test_values_that_are_none_or_nan():
    """In lists and in arrays of objects, of texts and of numbers."""
    rng = np.random.default_rng(8)
    a = rng.choice(["u", "v"], 300)
    x = rng.normal(size=300)
    y = x + rng.normal(size=300)
    for hole in (None, float("nan")):
        for make in (list, lambda column: np.array(column, object)):
            texts = {
                "a": make([hole if i % 5 == 0 else str(t) for i, t in enumerate(a)]),
                "b": make([str(t) for t in a]),
            }
            numbers = {
                "x": make([hole if i % 5 == 0 else t for i, t in enumerate(x)]),
                "y": make(list(y)),
            }
            for missing in ("em", "available"):
                net = bestdag.learn(texts, missing=missing)
                assert net.states("a") == ["u", "v"]
                assert len(net.arcs) == 1
            net = bestdag.learn(numbers, missing="em")
            assert net.is_number("x") and net.is_number("y")
            assert len(net.arcs) == 1


def test_fractions_need_cuts():
    rng = np.random.default_rng(7)
    table = pandas.DataFrame({"x": rng.normal(size=200), "y": rng.normal(size=200)})
    with pytest.raises(bestdag.Error, match="numbers"):
        bestdag.learn(table, score="bic")
    assert bestdag.learn(table).is_number("x")
    net = bestdag.learn(table, discretize="quantile:3")
    assert len(net.states("x")) == 3
    cut = bestdag.discretize(table, "width:4")
    assert cut["x"].nunique() <= 4
    table.loc[3, "x"] = np.inf
    with pytest.raises(bestdag.InputError, match="infinite"):
        bestdag.learn(table)


def test_rules_and_requirements(frame):
    free = bestdag.learn(frame)
    assert ("fog", "horn") in free.arcs
    ruled = bestdag.learn(frame, rules=["not fog -> horn", "horn -> fog"])
    assert ("horn", "fog") in ruled.arcs
    with pytest.raises(bestdag.InfeasibleError):
        bestdag.learn(frame, rules="horn -> fog\nfog -> horn")
    with pytest.raises(bestdag.Error, match="fogg"):
        bestdag.learn(frame, rules="fogg -> horn")


def test_options_come_from_the_tables(frame):
    parameters = inspect.signature(bestdag.learn).parameters
    assert {"score", "time_limit", "ess", "fit_ess", "max_parents"} <= set(parameters)
    assert "equivalent sample size" in (bestdag.learn.__doc__ or "")
    with pytest.raises(bestdag.UsageError, match="did you mean 'time_limit'"):
        bestdag.learn(frame, time_limt=3)
    with pytest.raises(bestdag.UsageError, match="did you mean 'bic'"):
        bestdag.learn(frame, score="bicc")
    net = bestdag.learn(frame, solver="orders", set={"steps": 1000}, max_parents=2)
    assert max(len(net.parents(v)) for v in net.variables) <= 2


@pytest.mark.parametrize(
    "bad, message",
    [
        ([1, 2, 3], "two dimensions"),
        ({"a": [1, 2], "b": [1]}, "expected 2"),
        ({}, "no columns"),
        ({"a": [], "b": []}, "no rows"),
        ({"t": np.array(["2026-01-01"] * 3, "M8[D]")}, "datetime64"),
        ("no/such/file.csv", "no/such/file.csv"),
    ],
)
def test_bad_tables_are_errors(bad, message):
    with pytest.raises((bestdag.Error, ValueError), match=message):
        bestdag.learn(bad)


def test_sets(frame, net, tmp_path):
    sets = bestdag.scores(frame)
    assert sets.complete and len(sets) == len(sets.to_frame())
    assert sets.solve().score == pytest.approx(net.score)
    path = tmp_path / "nights.jkl"
    sets.save(path)
    again = bestdag.CandidateSets.read(path)
    assert again.sets("fog") == sets.sets("fog")
    built = bestdag.CandidateSets.build({v: sets.sets(v) for v in sets.variables})
    assert built.solve().arcs == sets.solve().arcs and not built.complete
    assert pickle.loads(pickle.dumps(sets)).sets("horn") == sets.sets("horn")
    local = bestdag.LocalScores(frame)
    for parents, score in sets.sets("horn")[:5]:
        assert local("horn", parents) == pytest.approx(score, abs=1e-6)


def test_certificate(frame, tmp_path):
    scores, net, proof = (str(tmp_path / n) for n in ("a.jkl", "n.bif", "c.cert"))
    learned = bestdag.learn(frame, save_scores=scores, certificate=proof)
    learned.save(net)
    assert bestdag.verify(scores, net, proof)["status"] == "optimal"


def test_bootstrap(frame):
    found = bestdag.bootstrap(frame, resamples=20, seed=3)
    assert 0 < len(found.strengths) and found.to_frame()["strength"].max() <= 1
    assert ("fog", "horn") in found.network.arcs


def test_progress_and_stop():
    table = bestdag.generate(variables=60, seed=2).sample(2000)
    moments = []

    def watch(moment):
        moments.append(moment)
        return moment.seconds > 0.5

    net = bestdag.learn(table, time_limit=30, progress=watch)
    assert moments and str(moments[-1])
    assert net.arcs and net.status in ("interrupted", "optimal")

    def fail(moment):
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        bestdag.learn(table, time_limit=30, progress=fail)


@pytest.mark.parametrize("with_tqdm", [True, False])
def test_the_line_of_progress(monkeypatch, capsys, with_tqdm):
    from bestdag import _run

    if with_tqdm:
        pytest.importorskip("tqdm")
    else:
        monkeypatch.setattr(_run._Display, "_new_bar", staticmethod(lambda: None))
    monkeypatch.setattr(_run._Display, "AFTER", 0.0)
    table = bestdag.generate(variables=30, seed=2).sample(500)
    net = bestdag.learn(table, time_limit=2, solver="orders", progress=True)
    assert net.arcs and "s" in capsys.readouterr().err


def test_ctrl_c_keeps_the_best_network():
    table = bestdag.generate(variables=120, seed=2).sample(5000)
    threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.time()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        net = bestdag.learn(table, time_limit=60, solver="orders", score="bdeu")
    assert time.time() - start < 50
    assert net.arcs and net.status == "interrupted"
    assert any("interrupted" in str(w.message) for w in caught)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_two_threads(frame, net):
    found = [None, None]

    def work(i):
        found[i] = bestdag.learn(frame, seed=i + 1)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(2)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert [f.score for f in found] == [net.score] * 2


def test_freed_in_any_order(frame):
    net = bestdag.learn(frame)
    arcs = net.arcs
    result, net._result = net._result, None
    del result
    gc.collect()
    assert net.arcs == arcs
    del net
    gc.collect()


def test_no_leaks(frame):
    def kilobytes():
        text = Path("/proc/self/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", text).group(1))

    small = frame.iloc[:200, :4]
    for _ in range(50):
        bestdag.learn(small)
    before = kilobytes()
    for _ in range(1000):
        bestdag.learn(small)
    gc.collect()
    assert kilobytes() - before < 4000


def test_functions_are_those_of_the_header():
    header = (ROOT / "include" / "bestdag.h").read_text()
    header = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    declared = {}
    for found in re.finditer(r"BESTDAG_API\s+([^;]*?)bestdag_(\w+)\s*\(([^;]*)\);", header):
        declared[found.group(2)] = (found.group(1).strip(), found.group(3))
    letters = {"int": "i", "int64_t": "l", "double": "d", "void": "v"}
    for line in _library.FUNCTIONS.split("\n"):
        if not line:
            continue
        name, result, *arguments = line.split()
        kind, listed = declared[name]
        count = 0 if listed.strip() == "void" else listed.count(",") + 1
        assert count == len(arguments), name
        if kind in letters:
            assert result == letters[kind], name
        elif kind == "char *":
            assert result == "S", name
        for argument, letter in zip(listed.split(","), arguments):
            argument = argument.strip()
            plain = argument.split()[0]
            if "*" not in argument and plain in letters:
                assert letter == letters[plain], (name, argument)
            elif "*" not in argument:
                assert letter == "a", (name, argument)  # a callback
            else:
                assert letter in "psba", (name, argument)


def test_every_option_has_a_keyword():
    groups = {row["group"] for row in _options._rows()}
    for group in groups:
        table = _options.table_of((group,))
        assert all(k.isidentifier() for k in table)
