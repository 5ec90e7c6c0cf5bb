# SPDX-License-Identifier: MIT
"""What one asks of a network, against numbers computed here."""

import itertools
import pickle
from pathlib import Path

import numpy as np
import pytest

import bestdag

ROOT = Path(__file__).resolve().parents[2]
pandas = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def net():
    return bestdag.load(ROOT / "examples" / "lighthouse.bif")


def joint_of(net):
    """All assignments with their probabilities, from the tables alone."""
    names = net.variables
    tables = {v: np.asarray(net.cpt(v)) for v in names}
    states = {v: net.states(v) for v in names}
    for values in itertools.product(*(range(len(states[v])) for v in names)):
        at = dict(zip(names, values))
        p = 1.0
        for v in names:
            row = 0
            for u in net.parents(v):
                row = row * len(states[u]) + at[u]
            p *= tables[v][row, at[v]]
        yield {v: states[v][s] for v, s in at.items()}, p


def test_queries_equal_enumeration(net):
    rows = list(joint_of(net))
    given = [p for at, p in rows if at["fog"] == "yes" and at["lamp"] == "dark"]
    both = [
        p
        for at, p in rows
        if at["fog"] == "yes" and at["lamp"] == "dark" and at["aground"] == "yes"
    ]
    answer = net.query("aground | fog=yes, lamp=dark")
    assert answer["aground"]["yes"] == pytest.approx(sum(both) / sum(given), abs=1e-12)
    assert answer.probability == pytest.approx(sum(given), abs=1e-12)
    assert "aground" in repr(answer) and "<table>" in answer._repr_html_()
    best = max((p, tuple(at.items())) for at, p in rows if at["fog"] == "yes")
    explained = net.query("| fog=yes", mpe=True).explanations[0]
    given_fog = sum(p for at, p in rows if at["fog"] == "yes")
    assert explained["probability"] == pytest.approx(best[0] / given_fog, abs=1e-9)


def test_interventions_cut_arcs(net):
    child = next(v for v in net.variables if net.parents(v))
    parent = net.parents(child)[0]
    state = net.states(child)[0]
    free = net.query(parent)[parent]
    forced = net.do(**{child: state}).query(parent)[parent]
    assert np.allclose(free, forced, atol=1e-12)
    found = net.effect(parent, child)
    assert found["cause"] == parent and "given_do" in found


def test_did_you_mean(net):
    with pytest.raises(KeyError, match="did you mean 'fog'"):
        net.cpt("fogg")
    with pytest.raises(bestdag.Error, match="did you mean"):
        net.query("agrond | fog=yes")


def test_impossible_evidence_is_an_error():
    net = bestdag.Network.build(
        {"a": ["0", "1"], "b": ["0", "1"]},
        [("a", "b")],
        {"a": [0.5, 0.5], "b": [[1, 0], [0, 1]]},
    )
    with pytest.raises(bestdag.Error, match="a"):
        net.query("| a=0, b=1")


def test_relations(net):
    given = ", ".join(net.parents("lifeboat"))
    assert net.relate(f"season ; lifeboat | {given}")["separated"] is True
    told = net.relate("season ; lifeboat")
    assert told["separated"] is False and told["path"][0] == "season"


def test_there_and_back(net, tmp_path):
    again = pickle.loads(pickle.dumps(net))
    assert again.arcs == net.arcs
    assert np.array_equal(again.cpt("horn"), net.cpt("horn"))
    for suffix in ("bif", "json", "net", "xmlbif"):
        path = tmp_path / ("net." + suffix)
        net.save(path)
        assert sorted(bestdag.load(path).arcs) == sorted(net.arcs)
    with pytest.raises(bestdag.Error):
        bestdag.load(tmp_path / "none.bif")
    with pytest.raises(bestdag.InputError):
        bestdag.Network.from_text("network {", "bif")


def test_sample_fit_evaluate_predict(net):
    rows = net.sample(3000, seed=2)
    assert list(rows) == net.variables and len(rows) == 3000
    assert rows.equals(net.sample(3000, seed=2))
    fitted = net.fit(rows)
    assert fitted.fitted and np.abs(fitted.cpt("fog") - net.cpt("fog")).max().max() < 0.05
    facts = fitted.evaluate(rows)
    assert facts["log_likelihood"] < 0 and "bic" in facts["scores"]
    holes = rows.drop(columns="aground")
    guess = net.predict(holes, "aground")
    shares = net.predict(holes, "aground", probabilities=True)
    assert (np.asarray(guess) == np.asarray(rows["aground"])).mean() > 0.8
    assert np.allclose(shares.sum(axis=1), 1)
    distance = net.compare(fitted)
    assert distance["shd_dag"] == 0 and distance["equivalent"] is True


def test_imputation(net):
    rows = net.sample(200, seed=4)
    holes = rows.copy()
    holes.loc[::3, "aground"] = None
    full = net.impute(holes)
    assert not full.isna().any().any()
    known = holes["aground"].notna()
    assert (full["aground"][known].astype(str) == rows["aground"][known].astype(str)).all()


def test_classifiers():
    rows = bestdag.load(ROOT / "examples" / "lighthouse.bif").sample(1000)
    model = bestdag.train(rows, "aground", model="nb")
    assert (np.asarray(model.predict(rows)) == np.asarray(rows["aground"])).mean() > 0.8
    assert 0.8 < bestdag.validate(rows, "aground", model="tan")["accuracy"] <= 1


def test_pictures(net, tmp_path):
    shown = net._repr_html_()
    assert "<svg" in shown or "<pre>" in shown
    report = tmp_path / "net.html"
    net.report(report)
    assert "<html" in report.read_text().lower()
    pytest.importorskip("matplotlib").use("Agg")
    if "<svg" in shown:
        assert net.plot() is not None


def test_networkx(net):
    pytest.importorskip("networkx")
    graph = net.to_networkx()
    assert sorted(graph.edges) == sorted(net.arcs)
    assert graph.nodes["fog"]["states"] == net.states("fog")


def test_pgmpy_shapes():
    """pgmpy itself need not be there: what it would hand over is imitated."""

    class Cpd:
        def __init__(self, variable, others, values, names):
            self.variable, self.variables = variable, [variable] + others
            self.values, self.state_names = np.asarray(values), names

    class Model:
        def nodes(self):
            return ["a", "b", "c"]

        def edges(self):
            return [("a", "c"), ("b", "c")]

        def get_cpds(self):
            names = {"a": ["x", "y"], "b": ["u", "v", "w"], "c": ["0", "1"]}
            p = np.arange(1, 7).reshape(3, 2) / 10  # P(c=0 | b, a)
            return [
                Cpd("a", [], [0.4, 0.6], names),
                Cpd("b", [], [0.2, 0.3, 0.5], names),
                Cpd("c", ["b", "a"], np.stack([p, 1 - p]), names),
            ]

    net = bestdag.Network.from_pgmpy(Model())
    assert net.cpt("c").loc[("y", "u"), "0"] == pytest.approx(0.2)
    assert net.cpt("c").loc[("x", "w"), "0"] == pytest.approx(0.5)


def frame_of_numbers(rows=400, seed=7):
    random = np.random.default_rng(seed)
    sex = random.integers(0, 2, rows)
    height = 165 + 13 * sex + 6 * random.standard_normal(rows)
    weight = -60 + 0.75 * height + 9 * random.standard_normal(rows)
    return pandas.DataFrame(
        {"sex": np.where(sex, "m", "f"), "height": height, "weight": weight}
    )


def test_numbers_are_fitted_read_and_asked():
    frame = frame_of_numbers()
    net = bestdag.Network.build(
        ["sex", "height", "weight"], arcs=[("sex", "height"), ("height", "weight")]
    )
    net = net.fit(frame)
    assert net.fitted and net.is_number("height") and not net.is_number("sex")
    heights = net.regressions("height")
    for sex, rows in frame.groupby("sex"):
        one = heights.loc[(sex,)].squeeze()
        assert one["intercept"] == pytest.approx(rows["height"].mean())
        assert one["sd"] == pytest.approx(rows["height"].std(ddof=0))
    slope, intercept = np.polyfit(frame["height"], frame["weight"], 1)
    weights = net.regressions("weight")
    assert weights["height"][0] == pytest.approx(slope)
    assert weights["intercept"][0] == pytest.approx(intercept)
    answer = net.query("weight | height=170")
    assert answer["weight"]["mean"] == pytest.approx(intercept + 170 * slope)
    assert net.query("sex | height=190")["sex"]["m"] > 0.9
    with pytest.raises(bestdag.Error, match="regressions"):
        net.cpt("height")
    assert len(net.sample(10)) == 10


KINDS = {
    "mixed": ["sex", "height", "weight"],
    "Gaussian": ["height", "weight"],
    "states": ["sex", "tall"],
}


@pytest.mark.parametrize("kind", KINDS)
def test_floats_go_the_whole_way(kind):
    frame = frame_of_numbers()
    frame["tall"] = np.where(frame["height"] > 171, "yes", "no")
    frame = frame[KINDS[kind]]
    cause, effect = KINDS[kind][0], KINDS[kind][-1]
    net = bestdag.learn(frame)
    assert set(net.arcs), "nothing was learned"
    assert net.is_number("weight") if "weight" in frame else not net.is_number("sex")
    best = net.query("", mpe=True).explanations[0]
    found = {**best.get("states", {}), **best.get("values", {})}
    assert set(found) == set(frame.columns)
    assert ("log_density" in best) == (kind != "states")
    report = net.effect(cause, effect)
    assert "causal only if" in report["assumption"]
    holes = frame.copy()
    holes.loc[3, effect] = None
    holes.loc[5, cause] = None
    filled = net.impute(holes)
    assert not filled.isna().any().any()
    whole = filled.drop(index=[3, 5])
    pandas.testing.assert_frame_equal(
        whole, frame.drop(index=[3, 5]), check_dtype=False, check_categorical=False
    )
    assert len(net.impute(holes, tables=2)) == 2 * len(frame)


def test_effects_and_cells_of_mixed_networks():
    frame = frame_of_numbers()
    net = bestdag.Network.build(
        ["sex", "height", "weight"], arcs=[("sex", "height"), ("height", "weight")]
    ).fit(frame)
    means = frame.groupby("sex")["height"].mean()
    slope, intercept = np.polyfit(frame["height"], frame["weight"], 1)
    heights = net.effect("sex", "height")
    assert heights["means"]["m"] == pytest.approx(means["m"])
    weights = net.effect("sex", "weight")["differences"][0]
    assert weights["mean"] == pytest.approx(slope * (means["m"] - means["f"]))
    assert net.effect("height", "weight")["slope"] == pytest.approx(slope)
    assert not net.effect("height", "sex")["causal_path"]
    cells = pandas.DataFrame({"sex": ["f"], "height": [np.nan], "weight": [np.nan]})
    cells["sex"] = cells["sex"].astype("category")
    filled = net.impute(cells)
    assert filled["height"][0] == pytest.approx(means["f"])
    assert filled["weight"][0] == pytest.approx(intercept + slope * means["f"])
