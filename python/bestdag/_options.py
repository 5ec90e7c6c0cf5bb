# SPDX-License-Identifier: MIT
"""Keyword arguments, made from the library's own tables of options.

``time_limit=60`` is the option ``time-limit`` with the value ``60s``. An option
that two groups have in common (``ess`` of the score and of the parameters) is
called by its own name in the first group and ``fit_ess`` in the second.
"""

from __future__ import annotations

import functools
import inspect
import json
import os
import textwrap
from keyword import iskeyword
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, TypeVar

from ._library import library, texts
from ._run import Handle, Run, UsageError

F = TypeVar("F", bound=Callable[..., Any])

_PYTHON_TYPES = {
    "integer": "int",
    "number": "float",
    "flag": "bool",
    "choice": "str",
    "text": "str",
    "file": "path",
    "duration": "seconds, or a text such as '10m'",
    "size": "bytes, or a text such as '4G'",
    "pairs": "dict",
}


class Option(NamedTuple):
    keyword: str
    key: str  # as the library knows it: "time-limit", "fit.ess"
    group: str
    kind: str
    default: Optional[str]
    choices: Optional[str]
    help: str


@functools.lru_cache(maxsize=None)
def _rows() -> Tuple[Dict[str, Any], ...]:
    with Run() as run:
        return tuple(json.loads(run.text("list", b"options")))


def listing(what: str) -> Any:
    """What the library has: ``"scores"``, ``"solvers"``, ``"formats"``, ...

    >>> [row["name"] for row in listing("scores")][:3]
    ['bic', 'aic', 'll']
    """
    with Run() as run:
        return json.loads(run.text("list", what.encode()))


@functools.lru_cache(maxsize=None)
def table_of(groups: Tuple[str, ...]) -> Dict[str, Option]:
    """The options of some groups, by keyword."""
    table: Dict[str, Option] = {}
    for group in groups:
        for row in _rows():
            if row["group"] != group:
                continue
            keyword, key = row["name"].replace("-", "_"), row["name"]
            if group != "run":
                key = group + "." + key
            if keyword in table:
                keyword = group + "_" + keyword
            if iskeyword(keyword):
                keyword += "_"
            table[keyword] = Option(
                keyword,
                key,
                group,
                row["type"],
                row["default"],
                row["choices"],
                row["help"],
            )
    return table


def _spell(option: Option, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if option.kind == "duration" and isinstance(value, (int, float)):
        return f"{value:.6f}".rstrip("0").rstrip(".") + "s"
    if isinstance(value, (list, tuple)):
        return ",".join(str(x) for x in value)
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if isinstance(value, float) and value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return str(value)


class Settings:
    """Keyword arguments, sorted into those of the run and the others."""

    def __init__(self, groups: Tuple[str, ...], given: Dict[str, Any]) -> None:
        table = table_of(groups)
        self.of_run: Dict[str, str] = {}
        self.others: List[Tuple[str, str]] = []
        self.unknown: Optional[str] = None
        for keyword, value in given.items():
            if value is None:
                continue
            option = table.get(keyword) or table.get(keyword + "_")
            if option is None:
                raise _unknown(keyword, table)
            if option.group == "run":
                self.of_run[option.key] = _spell(option, value)
            elif option.kind == "pairs" and isinstance(value, dict):
                for name, x in value.items():
                    self.others.append((option.key, f"{name}={x}"))
            else:
                self.others.append((option.key, _spell(option, value)))

    def handle(self, run: Run) -> Handle:
        """The options as the library takes them."""
        handle = Handle(run.call("options_new"), "options_free")
        for key, value in self.others:
            run.call("options_set", handle.address, key.encode(), value.encode())
        return handle


def _unknown(keyword: str, table: Dict[str, Option]) -> UsageError:
    names = sorted(table)
    near = library.bestdag_name_nearest(
        keyword.encode(), texts(names), len(names)
    )
    hint = f", did you mean '{near.decode()}'?" if near else ""
    return UsageError(f"there is no option '{keyword}'{hint}")


def takes_options(*groups: str, skip: Tuple[str, ...] = ()) -> Callable[[F], F]:
    """Adds the options of some groups to a function's signature and docs."""

    def decorate(function: F) -> F:
        plain = inspect.signature(function)
        kept = [
            p
            for p in plain.parameters.values()
            if p.kind is not inspect.Parameter.VAR_KEYWORD
        ]
        names = {p.name for p in kept}
        lines, extra = [], []
        for option in table_of(groups).values():
            if option.keyword in names or option.keyword in skip:
                continue
            extra.append(
                inspect.Parameter(
                    option.keyword,
                    inspect.Parameter.KEYWORD_ONLY,
                    default=None,
                    annotation=_PYTHON_TYPES.get(option.kind, "str"),
                )
            )
            what = _PYTHON_TYPES.get(option.kind, "str")
            if option.kind == "choice" and option.choices:
                what = option.choices.replace("|", ", ")
            default = f"; default {option.default}" if option.default else ""
            lines.append(f"{option.keyword} : {what}{default}")
            lines.append(
                textwrap.fill(
                    option.help, 72, initial_indent="    ", subsequent_indent="    "
                )
            )
        setattr(
            function,
            "__signature__",
            plain.replace(parameters=kept + extra),
        )
        doc = inspect.cleandoc(function.__doc__ or "")
        function.__doc__ = (
            doc + "\n\nOther Parameters\n----------------\n" + "\n".join(lines)
        )
        return function

    return decorate
