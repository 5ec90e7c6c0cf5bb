# SPDX-License-Identifier: MIT
"""Estimators for scikit-learn: a classifier and a discretizer.

>>> from bestdag.sklearn import BayesianNetworkClassifier
>>> model = BayesianNetworkClassifier(model="tan")
>>> model.fit([[0, 0], [0, 1], [1, 0], [1, 1]] * 9, ["n", "n", "y", "y"] * 9).predict(
...     [[1, 0]])
array(['y'], dtype='<U1')
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    check_array,
    check_is_fitted,
    column_or_1d,
)

from . import _learn
from ._network import Network
from ._run import Run
from ._table import ALWAYS_NUMBERS, _pandas, from_table, label_of, to_table

_CLASS = "class"  # of the column that is predicted; others are called x0, x1, ...


def _is_frame(X: Any) -> bool:
    return hasattr(X, "columns") and hasattr(X, "dtypes")


def _is_number(column: Any) -> bool:
    dtype = column.dtype
    return getattr(dtype, "kind", "O") in "iuf" and str(dtype) != "bool"


def _columns(X: Any, ensure_min_samples: int = 1) -> List[Any]:
    """Columns of a frame or array: numbers as float, the rest as text or None."""
    if not _is_frame(X):
        X = check_array(
            X,
            dtype=None,
            force_all_finite="allow-nan",
            ensure_min_samples=ensure_min_samples,
        )
        if X.dtype.kind in "OUS":
            try:
                X = X.astype(float)
            except (TypeError, ValueError):
                pass
        if X.dtype.kind == "c":
            raise ValueError("Complex data not supported")
        if X.dtype.kind in "iufb":
            return [np.ascontiguousarray(X[:, j], float) for j in range(X.shape[1])]
        return [_texts(X[:, j]) for j in range(X.shape[1])]
    found = []
    for j in range(X.shape[1]):
        column = X.iloc[:, j]
        if _is_number(column):
            found.append(
                np.ascontiguousarray(column.to_numpy(dtype=float, na_value=np.nan))
            )
        else:
            found.append(_texts(column))
    return found


def _texts(values: Any) -> np.ndarray[Any, Any]:
    for x in values:
        if not (x is None or isinstance(x, (str, bytes, int, float, np.generic))):
            raise TypeError(
                f"argument must be a string or a number, not '{type(x).__name__}'"
            )
    return np.array(
        [None if x is None or x != x else label_of(x) for x in values], object
    )


class BayesianNetworkClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Predicts a class with a Bayesian network.

    Parameters
    ----------
    model : {"tan", "nb", "ckg", "learned"}
        Tree-augmented, naive Bayes, consistent k-graph, or a network that was
        learned without regard to the class.
    score_name, method, max_parents, smoothing : see ``bestdag classify``
        ``score_name`` is the option ``score``; ``method`` cuts columns of numbers; ``max_parents`` is for ``ckg`` and
        ``learned``.
    time_limit : seconds, for ``learned``
    seed : int

    Missing values (NaN, None) are summed out; states that were not seen in
    training count as missing.
    """

    def __init__(
        self,
        model: str = "tan",
        score_name: Optional[str] = None,
        method: Optional[str] = None,
        max_parents: Optional[int] = None,
        smoothing: Optional[float] = None,
        time_limit: Optional[float] = None,
        seed: int = 1,
    ) -> None:
        self.model = model
        self.score_name = score_name
        self.method = method
        self.max_parents = max_parents
        self.smoothing = smoothing
        self.time_limit = time_limit
        self.seed = seed

    def fit(self, X: Any, y: Any) -> "BayesianNetworkClassifier":
        self._check_names(X, reset=True)
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is "
                "None"
            )
        columns = _columns(X)
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        if len(y) != len(columns[0]):
            raise ValueError(
                f"X has {len(columns[0])} rows and y has {len(y)}: inconsistent"
            )
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.n_features_in_ = len(columns)
        self._labels = [
            None if c.dtype.kind == "f" else {x for x in c if x is not None}
            for c in columns
        ]
        self.network_: Optional[Network] = None
        if len(self.classes_) > 1:
            self.network_ = self._train(columns, codes)
        return self

    def _train(self, columns: List[Any], codes: Any) -> Optional[Network]:
        table: Dict[str, Any] = {
            f"x{j}": c for j, c in enumerate(columns) if _varies(c)
        }
        table[_CLASS] = np.array([f"c{code}" for code in codes], object)
        options: Dict[str, Any] = {
            "score": self.score_name,
            "max_parents": self.max_parents,
            "seed": self.seed,
            "max_states": ALWAYS_NUMBERS,
            "missing": "keep",
        }
        if self.model != "learned":
            return _learn.train(
                table,
                _CLASS,
                model=self.model,
                method=self.method,
                smoothing=self.smoothing,
                progress=False,
                **options,
            )
        frame = _Cuts(self.method or "quantile:3").fit(table)
        self._cuts = frame
        return _learn.learn(
            frame.transform(table),
            time_limit=self.time_limit,
            progress=False,
            **{**options, "missing": "drop"},
        )

    def predict_proba(self, X: Any) -> np.ndarray[Any, Any]:
        check_is_fitted(self)
        self._check_names(X, reset=False)
        columns = _columns(X)
        if len(columns) != self.n_features_in_:
            raise ValueError(
                f"X has {len(columns)} features, but {type(self).__name__} is "
                f"expecting {self.n_features_in_} features as input"
            )
        if self.network_ is None:
            return np.ones((len(columns[0]), 1))
        known = set(self.network_.variables)
        table: Dict[str, Any] = {}
        for j, column in enumerate(columns):
            labels = self._labels[j]
            if labels is not None:
                column = np.array([x if x in labels else None for x in column], object)
            if f"x{j}" in known:
                table[f"x{j}"] = column
        if self.model == "learned":
            table = self._cuts.transform(table)
        if not table:  # nothing that varies: the class alone
            table = {"none": np.zeros(len(columns[0]))}
        found = self.network_.predict(
            table,
            _CLASS,
            probabilities=True,
            max_states=ALWAYS_NUMBERS,
            missing="keep",
        )
        order = [f"c{k}" for k in range(len(self.classes_))]
        return np.column_stack([np.asarray(found[name]) for name in order])

    def predict(self, X: Any) -> np.ndarray[Any, Any]:
        best = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[best])

    def _check_names(self, X: Any, reset: bool) -> None:
        if hasattr(self, "_check_feature_names"):
            self._check_feature_names(X, reset=reset)
        else:  # from 1.6 on it is a function
            from sklearn.utils.validation import _check_feature_names

            _check_feature_names(self, X, reset=reset)

    def _more_tags(self) -> Dict[str, Any]:
        return {"allow_nan": True}

    def __sklearn_tags__(self) -> Any:  # from 1.6 on
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _varies(column: Any) -> bool:
    if column.dtype.kind == "f":
        known = column[~np.isnan(column)]
    else:
        known = np.array([x for x in column if x is not None], object)
    return len(known) > 1 and bool((known != known[0]).any())


class _Cuts:
    """Cut points of columns of numbers, learned once."""

    def __init__(self, method: str) -> None:
        self.method = method
        self.edges: Dict[str, np.ndarray[Any, Any]] = {}

    def fit(self, table: Dict[str, Any]) -> "_Cuts":
        numbers = {k: v for k, v in table.items() if v.dtype.kind == "f"}
        if not numbers:
            return self
        with Run() as run:
            cut = from_table(
                to_table(
                    run,
                    numbers,
                    {"max_states": ALWAYS_NUMBERS},
                    discretize=self.method,
                    missing="keep",
                )
            )
        for name, column in numbers.items():
            self.edges[name] = _edges(column, cut[name])
        return self

    def transform(self, table: Dict[str, Any]) -> Dict[str, Any]:
        cut = dict(table)
        for name, edges in self.edges.items():
            if name not in table:
                continue
            column = table[name]
            bins = np.searchsorted(edges, column, side="right")
            cut[name] = np.array(
                [None if x != x else f"b{b}" for x, b in zip(column, bins)], object
            )
        return cut


def _edges(column: Any, codes: Any) -> np.ndarray[Any, Any]:
    """The least number of each interval but the first."""
    numbers = np.asarray(column)
    pandas = _pandas()
    labels = codes.codes if hasattr(codes, "codes") else None
    if pandas is not None and labels is None:
        labels = codes.cat.codes.to_numpy()
    labels = np.asarray(labels)
    known = labels >= 0
    lows = [numbers[known & (labels == b)].min() for b in np.unique(labels[known])]
    return np.sort(np.array(lows, float))[1:]


class Discretizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Numbers become the codes 0, 1, ... of intervals; NaN stays NaN.

    ``method`` is one of ``bestdag list methods``, such as ``"quantile:3"``,
    ``"width:4"``; cut points are those of the table it was fitted to.
    """

    def __init__(self, method: str = "quantile:3") -> None:
        self.method = method

    def fit(self, X: Any, y: Any = None) -> "Discretizer":
        X = self._validated(X, reset=True)
        table = {f"x{j}": np.ascontiguousarray(X[:, j]) for j in range(X.shape[1])}
        cuts = _Cuts(self.method).fit({k: c for k, c in table.items() if _varies(c)})
        self.edges_ = [
            cuts.edges.get(f"x{j}", np.array([])) for j in range(X.shape[1])
        ]
        self.n_features_in_ = X.shape[1]
        return self

    def transform(self, X: Any) -> np.ndarray[Any, Any]:
        check_is_fitted(self)
        X = self._validated(X, reset=False)
        coded = np.empty(X.shape)
        for j, edges in enumerate(self.edges_):
            coded[:, j] = np.searchsorted(edges, X[:, j], side="right")
        coded[np.isnan(X)] = np.nan
        return coded

    def _validated(self, X: Any, reset: bool) -> Any:
        if hasattr(self, "_validate_data"):
            return self._validate_data(
                X, reset=reset, dtype=float, force_all_finite="allow-nan"
            )
        from sklearn.utils.validation import validate_data  # from 1.6 on

        return validate_data(
            self, X, reset=reset, dtype=float, ensure_all_finite="allow-nan"
        )

    def _more_tags(self) -> Dict[str, Any]:
        return {"allow_nan": True}

    def __sklearn_tags__(self) -> Any:  # from 1.6 on
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


__all__ = ["BayesianNetworkClassifier", "Discretizer"]
