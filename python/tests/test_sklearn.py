# SPDX-License-Identifier: MIT
"""The estimators under scikit-learn's own checks, and in its tools."""

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")

from sklearn.model_selection import GridSearchCV, cross_val_score  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

from bestdag.sklearn import BayesianNetworkClassifier, Discretizer  # noqa: E402


@parametrize_with_checks(
    [
        BayesianNetworkClassifier(),
        BayesianNetworkClassifier(model="nb"),
        BayesianNetworkClassifier(model="learned", time_limit=5),
        Discretizer(),
    ]
)
@pytest.mark.filterwarnings("ignore")
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


def data(rows=300):
    rng = np.random.default_rng(9)
    y = rng.integers(0, 3, rows)
    X = rng.normal(size=(rows, 4)) + y[:, None] * [2, 1, 0, 0]
    return X, np.array(["low", "mid", "high"])[y]


def test_it_learns_and_takes_holes():
    X, y = data()
    for model in ("nb", "tan", "ckg", "learned"):
        fitted = BayesianNetworkClassifier(model=model).fit(X, y)
        assert (fitted.predict(X) == y).mean() > 0.6, model
        holes = X.copy()
        holes[::2, 0] = np.nan
        shares = fitted.predict_proba(holes)
        assert shares.shape == (300, 3) and np.allclose(shares.sum(axis=1), 1)


def test_unseen_states_count_as_missing():
    pandas = pytest.importorskip("pandas")
    X = pandas.DataFrame({"a": ["x", "y"] * 30, "b": ["u", "v", "w"] * 20})
    y = np.array(["p", "q"] * 30)
    model = BayesianNetworkClassifier(model="nb").fit(X, y)
    new = pandas.DataFrame({"a": ["x", None, "zzz"], "b": ["u", "u", "u"]})
    shares = model.predict_proba(new)
    assert np.allclose(shares[1], shares[2]) and shares[0, 0] > shares[1, 0]


def test_pipelines_and_searches():
    X, y = data()
    pipe = make_pipeline(Discretizer("quantile:4"), BayesianNetworkClassifier("nb"))
    assert cross_val_score(pipe, X, y, cv=3).mean() > 0.6
    search = GridSearchCV(
        BayesianNetworkClassifier(), {"model": ["nb", "tan"]}, cv=2
    ).fit(X, y)
    assert search.best_params_["model"] in ("nb", "tan")
