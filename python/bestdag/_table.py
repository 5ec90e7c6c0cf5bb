# SPDX-License-Identifier: MIT
"""Tables: data frames, arrays, dictionaries and files into the library's columns
of codes and numbers, and back."""

from __future__ import annotations

import ctypes
import os
import re
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._library import library, texts
from ._options import Settings
from ._run import Handle, InputError, Run

#: A data frame, a dictionary of columns, a two-dimensional array, or a path.
TableLike = Any

_MANY, _MANY_FRACTIONS = 100, 10  # states: docs/tables.md, max-states
ALWAYS_NUMBERS = -1  # max_states: columns of numbers are never states


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        return None
    return pandas


def is_path(data: TableLike) -> bool:
    return isinstance(data, (str, os.PathLike))


def _columns_of(data: TableLike) -> List[Tuple[str, Any]]:
    if hasattr(data, "columns") and hasattr(data, "dtypes"):
        return [(str(name), data.iloc[:, i]) for i, name in enumerate(data.columns)]
    if isinstance(data, dict):
        return [(str(name), column) for name, column in data.items()]
    array = np.asarray(data)
    if array.ndim != 2:
        raise InputError(
            "expected a data frame, a dictionary of columns, an array of two "
            f"dimensions or a path, found {type(data).__name__}"
        )
    return [(f"V{i + 1}", array[:, i]) for i in range(array.shape[1])]


def _natural(label: str) -> Tuple[Any, ...]:
    """Numbers by size and first; then text, in which digits count as numbers."""
    try:
        return (0, float(label), label)
    except ValueError:
        parts = re.split(r"(\d+)", label)
        return (1, [(int(p) if p.isdigit() else 0, p) for p in parts], label)


def label_of(value: Any) -> str:
    """A value as it is written in a file: 2, not 2.0, for a whole number."""
    if isinstance(value, (float, np.floating)) and value == int(value):
        return str(int(value))
    return str(value)


def _missing(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    pandas = _pandas()
    if pandas is not None:
        return np.asarray(pandas.isna(values))
    if values.dtype.kind == "f":
        return np.asarray(np.isnan(values))
    if values.dtype.kind == "O":
        return np.array([x is None or x != x for x in values])
    return np.zeros(len(values), bool)


class _Column:
    """Codes with labels, or numbers."""

    def __init__(
        self,
        codes: Optional[np.ndarray[Any, Any]] = None,
        labels: Sequence[str] = (),
        numbers: Optional[np.ndarray[Any, Any]] = None,
    ) -> None:
        self.codes, self.labels, self.numbers = codes, list(labels), numbers


def _is_categorical(column: Any) -> bool:
    return hasattr(getattr(column, "dtype", None), "categories")


def _from_categorical(column: Any, keep_unseen: bool) -> _Column:
    values = column.array
    codes = np.ascontiguousarray(values.codes)
    labels = [label_of(x) for x in values.categories]
    if keep_unseen:
        return _Column(codes, labels)
    seen = np.bincount(codes + 1, minlength=len(labels) + 1)[1:] > 0
    if seen.all():
        return _Column(codes, labels)
    place = np.append(np.cumsum(seen) - 1, -1).astype(codes.dtype)
    return _Column(place[codes], [x for x, s in zip(labels, seen) if s])


def _factorize(values: np.ndarray[Any, Any]) -> _Column:
    """Codes in the natural order of the labels; missing is -1."""
    pandas = _pandas()
    if pandas is not None:
        codes, found = pandas.factorize(values)
        names = [label_of(x) for x in found]
    else:
        holes = _missing(values)
        found, inverse = np.unique(
            np.asarray([label_of(x) for x in values[~holes]]), return_inverse=True
        )
        codes = np.full(len(values), -1)
        codes[~holes] = inverse
        names = [str(x) for x in found]
    order = sorted(range(len(names)), key=lambda i: _natural(names[i]))
    place = np.empty(len(names) + 1, np.int32)
    place[order] = np.arange(len(names), dtype=np.int32)
    place[-1] = -1  # code -1
    labels = [names[i] for i in order]
    if len(set(labels)) < len(labels):
        return _factorize(np.array([None if c < 0 else names[c] for c in codes], object))
    return _Column(np.ascontiguousarray(place[codes]), labels)


def _is_numeric(dtype: Any) -> bool:
    return getattr(dtype, "kind", "O") in "iuf" and getattr(dtype, "name", "") != "bool"


def _is_number(x: Any) -> bool:
    """Not too large for a double to hold it exactly, if it is whole."""
    is_whole = isinstance(x, (int, np.integer)) and not isinstance(x, bool)
    return isinstance(x, (float, np.floating)) or (is_whole and abs(x) <= 2**53)


def _plain(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Objects that are numbers, or None, are floats, or NaN."""
    if values.dtype.kind != "O":
        return values
    holes = _missing(values)
    known = values[~holes]
    if not known.size or not all(map(_is_number, known)):
        return values
    floats = np.full(len(values), np.nan)
    floats[~holes] = known.astype(float)
    return floats


def _from_values(name: str, column: Any, most: int) -> _Column:
    pandas = _pandas()
    dtype = getattr(column, "dtype", None)
    if pandas is not None and hasattr(column, "to_numpy"):
        if pandas.api.types.is_extension_array_dtype(dtype):
            if getattr(dtype, "kind", "O") in "iuf":
                column = column.to_numpy(dtype=float, na_value=np.nan)
            else:
                column = column.to_numpy(dtype=object, na_value=None)
        else:
            column = column.to_numpy()
    values = np.asarray(column)
    if dtype is None and values.dtype.kind in "US":
        values = np.asarray(column, object)  # None and NaN are not texts
    if values.ndim != 1:
        raise InputError(f"column '{name}': expected one dimension")
    values = _plain(values)
    if values.dtype.kind in "mMcV":
        raise InputError(
            f"column '{name}' holds {values.dtype}; expected categories, text, "
            "whole numbers, truth values or numbers"
        )
    if not _is_numeric(values.dtype):
        return _factorize(values)
    if most == ALWAYS_NUMBERS:
        return _Column(numbers=np.ascontiguousarray(values, dtype=float))
    known = values[~_missing(values)] if values.dtype.kind == "f" else values
    if known.size and values.dtype.kind == "f" and not np.isfinite(known).all():
        raise InputError(f"column '{name}': infinite, expected a number")
    different = len(np.unique(known) if pandas is None else pandas.unique(known))
    whole = values.dtype.kind in "iu" or bool((known == np.rint(known)).all())
    if different > (most if whole else min(most, _MANY_FRACTIONS)):
        return _Column(numbers=np.ascontiguousarray(values, dtype=float))
    return _factorize(values)


def _address(array: np.ndarray[Any, Any]) -> int:
    return int(array.ctypes.data)


def _add(run: Run, table: Handle, name: str, column: _Column) -> None:
    if column.numbers is not None:
        run.call(
            "table_add_numbers", table.address, name.encode(), _address(column.numbers)
        )
        return
    codes = column.codes
    assert codes is not None
    labels = column.labels
    if not labels:  # nothing but missing values
        labels = ["missing"]
    run.call(
        "table_add_codes",
        table.address,
        name.encode(),
        _address(codes),
        codes.dtype.itemsize,
        len(labels),
        texts(labels),
    )


def _weights_of(
    data: TableLike, weights: Any, columns: List[Tuple[str, Any]]
) -> Tuple[Any, List[Tuple[str, Any]]]:
    if weights is None:
        return None, columns
    if isinstance(weights, str):
        for i, (name, column) in enumerate(columns):
            if name == weights:
                return np.asarray(column), columns[:i] + columns[i + 1 :]
        raise InputError(f"there is no column '{weights}' for the weights")
    return np.asarray(weights), columns


def _build(run: Run, data: TableLike, given: Dict[str, Any]) -> Handle:
    columns = _columns_of(data)
    weights, columns = _weights_of(data, given.get("weights"), columns)
    ignore = given.get("ignore") or []
    ignored = {ignore} if isinstance(ignore, str) else {str(x) for x in ignore}
    columns = [(name, c) for name, c in columns if name not in ignored]
    rows = len(columns[0][1]) if columns else 0
    if not rows:
        raise InputError("the table has no " + ("rows" if columns else "columns"))
    table = Handle(run.call("table_new", rows), "table_free")
    most = int(given.get("max_states") or _MANY)
    keep = given.get("arity") == "declared"
    for name, column in columns:
        if len(column) != rows:
            raise InputError(
                f"column '{name}' has {len(column)} values, expected {rows}"
            )
        _add(
            run,
            table,
            name,
            _from_categorical(column, keep)
            if _is_categorical(column)
            else _from_values(name, column, most),
        )
    if weights is not None:
        whole = np.ascontiguousarray(weights, dtype=np.int64)
        if len(whole) != rows or (whole != weights).any():
            raise InputError("weights: expected a whole number for each row")
        run.call("table_set_weights", table.address, _address(whole))
    return table


def _discretized(run: Run, table: Handle, how: Any) -> Handle:
    if isinstance(how, str):
        how = {"method": how}
    settings = Settings(("discretize",), dict(how))
    options = settings.handle(run)
    return Handle(
        run.call("table_discretize", table.address, options.address), "table_free"
    )


def to_table(
    run: Run,
    data: TableLike,
    given: Dict[str, Any],
    discretize: Any = None,
    missing: str = "drop",
) -> Handle:
    """Data as the library's table. ``given``: the options of the group table."""
    missing = given.get("missing") or missing
    if is_path(data):
        settings = Settings(("table",), {**given, "missing": missing})
        options = settings.handle(run)
        path = os.fspath(data).encode()
        table = Handle(run.call("table_read", path, options.address), "table_free")
        return _discretized(run, table, discretize) if discretize else table
    table = _build(run, data, given)
    if discretize:
        table = _discretized(run, table, discretize)
    run.call("table_complete", table.address, missing.encode())
    return table


def _labels(table: Handle, column: int) -> List[str]:
    count = library.bestdag_table_states(table.address, column)
    return [
        library.bestdag_table_label(table.address, column, s).decode()
        for s in range(count)
    ]


def from_table(table: Handle) -> Any:
    """A data frame of categories and numbers; without pandas a dictionary."""
    rows = library.bestdag_table_rows(table.address)
    pandas = _pandas()
    columns: Dict[str, Any] = {}
    for c in range(library.bestdag_table_columns(table.address)):
        name = library.bestdag_table_name(table.address, c).decode()
        labels = _labels(table, c)
        if not labels:
            numbers = np.empty(rows, float)
            library.bestdag_table_numbers(
                table.address, c, 0, rows, numbers.ctypes.data
            )
            columns[name] = numbers
            continue
        codes = np.empty(rows, np.intc)
        library.bestdag_table_codes(table.address, c, 0, rows, codes.ctypes.data)
        if pandas is not None:
            columns[name] = pandas.Categorical.from_codes(codes, labels)
        else:
            columns[name] = np.array(
                [None if code < 0 else labels[code] for code in codes], object
            )
    return pandas.DataFrame(columns) if pandas is not None else columns


def int_array(values: Iterable[int]) -> Any:
    numbers = list(values)
    return (ctypes.c_int * max(1, len(numbers)))(*numbers)


Path = Union[str, "os.PathLike[str]"]
