# SPDX-License-Identifier: MIT
"""Candidate parent sets with their scores: found, read, built, solved."""

from __future__ import annotations

import ctypes
import json
import math
import os
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple

import numpy as np

from ._library import library, texts
from ._network import Network, result_of, rules_of
from ._options import Settings, takes_options
from ._run import Handle, ProgressLike, Run
from ._table import Path, TableLike, _pandas, to_table

SetLike = Tuple[Iterable[str], float]


class CandidateSets:
    """The candidate parent sets of every variable, best first.

    >>> sets = CandidateSets.build({
    ...     "a": [((), -5.0)],
    ...     "b": [((), -5.0), (("c",), -4.0)],
    ...     "c": [((), -8.0), (("b",), -7.5)],
    ... })
    >>> len(sets)
    5
    >>> net = sets.solve()
    >>> net.status, net.score, net.arcs
    ('optimal', -17.0, [('c', 'b')])
    """

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        count = library.bestdag_sets_variables(handle.address)
        self.variables: List[str] = [
            library.bestdag_sets_name(handle.address, v).decode()
            for v in range(count)
        ]

    @classmethod
    def build(cls, lists: Mapping[str, Iterable[SetLike]]) -> "CandidateSets":
        """From ``{child: [(parents, score), ...]}``."""
        names = [str(name) for name in lists]
        number = {name: v for v, name in enumerate(names)}
        with Run() as run:
            handle = Handle(
                run.call("sets_build", len(names), texts(names)), "sets_free"
            )
            for name, sets in lists.items():
                rows = list(sets)
                starts, members = [0], []
                for parents, _ in rows:
                    for parent in parents:
                        if parent not in number:
                            raise KeyError(f"there is no variable '{parent}'")
                        members.append(number[parent])
                    starts.append(len(members))
                run.call(
                    "sets_set_list",
                    handle.address,
                    number[str(name)],
                    len(rows),
                    np.array([s for _, s in rows], float).ctypes.data,
                    np.array(starts, np.int64).ctypes.data,
                    np.array(members or [0], np.intc).ctypes.data,
                )
        return cls(handle)

    @classmethod
    def read(cls, path: Path) -> "CandidateSets":
        """A ``.jkl`` file with its sidecar."""
        with Run() as run:
            return cls(
                Handle(run.call("sets_read", os.fspath(path).encode()), "sets_free")
            )

    def save(self, path: Path) -> None:
        """Writes a ``.jkl`` file and its sidecar."""
        with Run() as run:
            run.call(
                "sets_write", self._handle.address, os.fspath(path).encode(), None
            )

    def __len__(self) -> int:
        return sum(
            library.bestdag_sets_count(self._handle.address, v)
            for v in range(len(self.variables))
        )

    def __repr__(self) -> str:
        return f"<CandidateSets: {len(self)} sets of {len(self.variables)} variables>"

    def sets(self, child: str) -> List[Tuple[Tuple[str, ...], float]]:
        """The sets of a variable with their scores, best first."""
        v, room = self.variables.index(child), len(self.variables)
        score = ctypes.c_double()
        parents = (ctypes.c_int * room)()
        found = []
        for i in range(library.bestdag_sets_count(self._handle.address, v)):
            count = library.bestdag_sets_get(
                self._handle.address, v, i, ctypes.addressof(score), parents, room
            )
            found.append(
                (tuple(self.variables[p] for p in parents[:count]), score.value)
            )
        return found

    def ceiling(self, child: str) -> float:
        """No set outside the list scores above this; -inf: it is complete."""
        return float(
            library.bestdag_sets_ceiling(
                self._handle.address, self.variables.index(child)
            )
        )

    @property
    def complete(self) -> bool:
        return all(self.ceiling(v) == -math.inf for v in self.variables)

    @property
    def info(self) -> Dict[str, Any]:
        """How they were found, how many there are, what a proof is over."""
        with Run() as run:
            facts: Dict[str, Any] = json.loads(
                run.text("sets_describe", self._handle.address)
            )
            return facts

    def to_frame(self) -> Any:
        """A data frame: child, parents, score."""
        pandas = _pandas()
        if pandas is None:
            raise ImportError("to_frame needs pandas")
        rows = [
            (child, parents, score)
            for child in self.variables
            for parents, score in self.sets(child)
        ]
        return pandas.DataFrame(rows, columns=["child", "parents", "score"])

    @takes_options("solve", "run")
    def solve(
        self,
        *,
        rules: Any = None,
        progress: ProgressLike = None,
        **options: Any,
    ) -> Network:
        """The best network over these sets: a structure without tables."""
        settings = Settings(("solve", "run"), options)
        with Run(settings.of_run, progress) as run:
            bag, knowledge = settings.handle(run), rules_of(run, rules)
            result = Handle(
                run.call(
                    "solve",
                    self._handle.address,
                    knowledge.address if knowledge else None,
                    bag.address,
                ),
                "result_free",
                self,
            )
            return result_of(run, result, "the best network so far was kept")

    def __reduce__(self) -> Any:
        with Run() as run:
            text = run.bytes("sets_text", self._handle.address, None)
        return (_parse_sets, (text,))


def _parse_sets(text: bytes) -> CandidateSets:
    with Run() as run:
        return CandidateSets(
            Handle(run.call("sets_parse", b"pickled sets", text, len(text)), "sets_free")
        )


@takes_options("score", "parents", "table", "run")
def scores(
    data: TableLike,
    *,
    rules: Any = None,
    discretize: Any = None,
    progress: ProgressLike = None,
    **options: Any,
) -> CandidateSets:
    """Finds the candidate parent sets of every variable of a table."""
    of_table, rest = _split(options)
    settings = Settings(("score", "parents", "run"), rest)
    with Run(settings.of_run, progress) as run:
        table = to_table(run, data, of_table, discretize)
        bag, knowledge = settings.handle(run), rules_of(run, rules)
        found = run.call(
            "sets_find",
            table.address,
            knowledge.address if knowledge else None,
            bag.address,
        )
        run.note_interrupt("the sets that were found so far were kept")
        return CandidateSets(Handle(found, "sets_free"))


def _split(options: Dict[str, Any]) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    """Options of tables apart from the others."""
    from ._options import table_of

    names = table_of(("table",))
    of_table = {k: v for k, v in options.items() if k in names and v is not None}
    return of_table, {k: v for k, v in options.items() if k not in names}


class LocalScores:
    """Local scores of single families of one table, made once.

    >>> import bestdag
    >>> table = {"a": [0, 0, 1, 1], "b": [0, 0, 1, 1]}
    >>> local = bestdag.LocalScores(table, score="ll")
    >>> local("b", ["a"])
    0.0
    """

    @takes_options("score", "table")
    def __init__(
        self,
        data: TableLike,
        *,
        rules: Any = None,
        discretize: Any = None,
        **options: Any,
    ) -> None:
        of_table, rest = _split(options)
        settings = Settings(("score",), rest)
        with Run() as run:
            table = to_table(run, data, of_table, discretize)
            bag, knowledge = settings.handle(run), rules_of(run, rules)
            self._handle = Handle(
                run.call(
                    "local_scores_new",
                    table.address,
                    knowledge.address if knowledge else None,
                    bag.address,
                ),
                "local_scores_free",
                table,
            )
            self._number = {
                library.bestdag_table_name(table.address, c).decode(): c
                for c in range(library.bestdag_table_columns(table.address))
            }

    def __call__(self, child: str, parents: Optional[Iterable[str]] = None) -> float:
        members = [self._number[p] for p in parents or ()]
        score = ctypes.c_double()
        with Run() as run:
            run.call(
                "local_scores_get",
                self._handle.address,
                self._number[child],
                (ctypes.c_int * max(1, len(members)))(*members),
                len(members),
                ctypes.addressof(score),
            )
        return score.value
