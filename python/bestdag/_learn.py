# SPDX-License-Identifier: MIT
"""From a table to a network, and what goes with it."""

from __future__ import annotations

import ctypes
import json
import os
from typing import Any, Dict, List, Optional, Tuple

from ._library import library
from ._network import Network, result_of, rules_of
from ._options import Settings, takes_options
from ._run import Handle, ProgressLike, Run
from ._sets import _split
from ._table import Path, TableLike, _pandas, from_table, to_table

_LEARN = ("score", "parents", "solve", "learn", "fit", "run")


def _search(
    function: str,
    groups: Tuple[str, ...],
    data: TableLike,
    given: Dict[str, Any],
    options: Dict[str, Any],
) -> Network:
    """What ``learn`` and ``bootstrap`` share; ``given`` are their own arguments."""
    of_table, rest = _split(options)
    settings = Settings(groups, rest)
    with Run(settings.of_run, given["progress"]) as run:
        table = to_table(run, data, of_table, given["discretize"])
        bag, knowledge = settings.handle(run), rules_of(run, given["rules"])
        result = Handle(
            run.call(
                function,
                table.address,
                knowledge.address if knowledge else None,
                bag.address,
            ),
            "result_free",
            table,
        )
        if isinstance(data, (str, os.PathLike)):
            run.call(
                "result_note", result.address, b"data", os.fspath(data).encode()
            )
        return result_of(run, result, "the best so far was kept")


@takes_options(*_LEARN[:-1], "table", "run")
def learn(
    data: TableLike,
    *,
    rules: Any = None,
    discretize: Any = None,
    progress: ProgressLike = None,
    **options: Any,
) -> Network:
    """Learns structure and parameters of a network from a table.

    Parameters
    ----------
    data : DataFrame, dict of columns, 2-d array or path
        Categories, text, truth values and whole numbers are states; NaN and None
        are missing: ``missing="em"`` or ``"available"`` uses rows that lack some
        values, ``"state"`` makes missing a state; by default they are dropped.
        Columns of numbers need ``discretize``.
    rules : str, list of str, or paths
        What is known beforehand: ``["not dysp -> smoke", "tiers: a b | c"]``.
    discretize : str or dict
        A method, such as ``"quantile:3"``, or options of ``bestdag discretize``.
    progress : bool, function or None
        Show progress; a function gets the moment and may return true to stop.

    Returns
    -------
    Network
        With ``score``, ``bound``, ``gap``, ``status``, ``proved_over``. Ctrl-C
        or a time limit returns the best network so far.

    >>> import bestdag
    >>> net = bestdag.learn({"a": [0, 0, 1, 1] * 9, "b": [0, 0, 1, 1] * 9})
    >>> net.status, net.arcs
    ('optimal', [('b', 'a')])
    """
    given = {"rules": rules, "discretize": discretize, "progress": progress}
    return _search("learn", _LEARN, data, given, options)


class Bootstrap:
    """Arc strengths over resamples, and the averaged network."""

    def __init__(
        self,
        network: Network,
        strengths: List[Tuple[str, str, float, float]],
    ) -> None:
        self.network = network
        self.strengths = strengths

    def to_frame(self) -> Any:
        """A data frame: from, to, strength, direction."""
        pandas = _pandas()
        if pandas is None:
            raise ImportError("to_frame needs pandas")
        return pandas.DataFrame(
            self.strengths, columns=["from", "to", "strength", "direction"]
        )

    def __repr__(self) -> str:
        return f"<Bootstrap: {len(self.strengths)} pairs, {self.network!r}>"


@takes_options(*_LEARN[:-1], "bootstrap", "table", "run")
def bootstrap(
    data: TableLike,
    *,
    rules: Any = None,
    discretize: Any = None,
    progress: ProgressLike = None,
    **options: Any,
) -> Bootstrap:
    """Learns a network from each of many resamples of the rows and averages."""
    given = {"rules": rules, "discretize": discretize, "progress": progress}
    groups = (*_LEARN[:-1], "bootstrap", "run")
    network = _search("bootstrap", groups, data, given, options)
    assert network._result is not None
    return Bootstrap(network, _strengths(network._result, network.variables))


def _strengths(
    result: Handle, names: List[str]
) -> List[Tuple[str, str, float, float]]:
    tail, head = ctypes.c_int(), ctypes.c_int()
    strength, direction = ctypes.c_double(), ctypes.c_double()
    rows = []
    for i in range(library.bestdag_result_strengths(result.address)):
        library.bestdag_result_strength(
            result.address,
            i,
            ctypes.addressof(tail),
            ctypes.addressof(head),
            ctypes.addressof(strength),
            ctypes.addressof(direction),
        )
        rows.append(
            (names[tail.value], names[head.value], strength.value, direction.value)
        )
    return rows


@takes_options("verify", "table", skip=("constraints",))
def verify(
    scores: Path, network: Path, certificate: Path, **options: Any
) -> Dict[str, Any]:
    """Checks a certificate with code that shares nothing with the searches."""
    settings = Settings(("verify", "table"), options)
    with Run() as run:
        bag = settings.handle(run)
        facts: Dict[str, Any] = json.loads(
            run.text(
                "verify",
                os.fspath(scores).encode(),
                os.fspath(network).encode(),
                os.fspath(certificate).encode(),
                bag.address,
            )
        )
        return facts


@takes_options("classify", "score", "table", "run", skip=("class_",))
def train(
    data: TableLike, target: str, *, progress: ProgressLike = None, **options: Any
) -> Network:
    """A classifier (``model="nb"``, ``"tan"``, ``"ckg"``) for one variable; numbers
    are cut on the way. ``net.predict(frame)`` uses it."""
    of_table, rest = _split(options)
    settings = Settings(("classify", "score", "run"), {**rest, "class_": target})
    with Run(settings.of_run, progress) as run:
        table = to_table(run, data, of_table)
        bag = settings.handle(run)
        return Network(
            Handle(
                run.call("classifier_train", table.address, bag.address),
                "network_free",
            )
        )


@takes_options("classify", "score", "table", "run", skip=("class_", "test"))
def validate(
    data: TableLike,
    target: str,
    test: Optional[TableLike] = None,
    *,
    progress: ProgressLike = None,
    **options: Any,
) -> Dict[str, Any]:
    """Accuracy of a classifier on rows that it was not trained on."""
    of_table, rest = _split(options)
    settings = Settings(("classify", "score", "run"), {**rest, "class_": target})
    with Run(settings.of_run, progress) as run:
        table = to_table(run, data, of_table)
        other = None if test is None else to_table(run, test, of_table)
        bag = settings.handle(run)
        facts: Dict[str, Any] = json.loads(
            run.text(
                "classifier_validate",
                table.address,
                other.address if other else None,
                bag.address,
            )
        )
        return facts


def check(data: TableLike, **options: Any) -> Dict[str, Any]:
    """What is in a table, and what learning from it would cost."""
    with Run() as run:
        table = to_table(run, data, options, missing="keep")
        facts: Dict[str, Any] = json.loads(run.text("table_check", table.address))
        return facts


def discretize(data: TableLike, method: Any = "quantile:3", **options: Any) -> Any:
    """Numbers become intervals; a data frame of categories."""
    with Run() as run:
        return from_table(
            to_table(run, data, options, discretize=method, missing="keep")
        )
