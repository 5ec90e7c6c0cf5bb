# SPDX-License-Identifier: MIT
"""The shared library: where it is, and what its functions take.

``FUNCTIONS`` has a line for each function of ``bestdag.h`` that the package
calls: result, then arguments, as letters. A test holds it against the header.

    p  handle        i  int      l  int64     d  double    v  nothing
    s  text          S  text of the caller, freed after it was read
    b  bytes         a  array of any numbers, or the address of one
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from typing import Any, List, Optional

_TYPES = {
    "p": ctypes.c_void_p,
    "S": ctypes.c_void_p,
    "a": ctypes.c_void_p,
    "i": ctypes.c_int,
    "l": ctypes.c_int64,
    "d": ctypes.c_double,
    "s": ctypes.c_char_p,
    "b": ctypes.c_char_p,
    "v": None,
}

FUNCTIONS = """
version s
run_new p
run_free v p
run_set i p s s
run_status i p
run_error s p
run_stop v p
run_on_progress v p a p
options_new p p
options_free v p
options_set i p p s s
list S p s
name_nearest s s a i
text_free v p
table_read p p s p
table_parse p p s b l p
table_new p p l
table_add_codes i p p s a i i a
table_add_numbers i p p s a
table_set_weights i p p a
table_complete i p p s
table_free v p
table_discretize p p p p
table_text S p p s a
table_check S p p
table_rows l p
table_columns i p
table_name s p i
table_states i p i
table_label s p i i
table_codes i p i l i a
table_numbers i p i l i a
rules_new p p
rules_free v p
rules_read i p p s
rules_add i p p s
sets_find p p p p p
sets_read p p s
sets_parse p p s b l
sets_build p p i a
sets_set_list i p p i l a a a
sets_write i p p s p
sets_text S p p p a
sets_free v p
sets_variables i p
sets_name s p i
sets_count i p i
sets_get i p i i a a i
sets_ceiling d p i
sets_describe S p p
local_scores_new p p p p p
local_scores_free v p
local_scores_get i p p i a i a
solve p p p p p
learn p p p p p
result_free v p
result_json S p p
result_network p p
result_note i p p s s
result_write i p p s s
bootstrap p p p p p
result_strengths l p
result_strength i p l a a a a
network_build p p i a
network_set_states i p p i i a
network_set_probabilities i p p i a l
network_set_parents i p p i a i
network_free v p
network_read p p s
network_parse p p s b l
network_write i p p s
network_write_as i p p s s
network_text S p p s a
network_variables i p
network_name s p i
network_states i p i
network_label s p i i
network_parents i p i a i
network_table p p i a a
network_is_number i p i
network_regression p p i a a
network_set_number i p p i
network_set_regression i p p i a l
network_noted s p s
network_describe S p p
network_report i p p s
network_fit p p p p p
network_fit_under p p p p p p
network_generate p p p
network_sample p p p l
network_query S p p s p
network_relate S p p s p
network_effect S p p s s p p
network_impute p p p p p
network_evaluate S p p p p
network_compare S p p p
network_class S p p
network_class_under S p p p
classifier_train p p p p
classifier_predict p p p p p
classifier_validate S p p p p
verify S p s s s p
"""


class Progress(ctypes.Structure):
    """``struct bestdag_progress`` of the header."""

    _fields_ = [
        ("size", ctypes.c_int),
        ("phase", ctypes.c_char_p),
        ("seconds", ctypes.c_double),
        ("best", ctypes.c_double),
        ("bound", ctypes.c_double),
        ("done", ctypes.c_int64),
        ("total", ctypes.c_int64),
        ("memory", ctypes.c_int64),
        ("note", ctypes.c_char_p),
        ("detail", ctypes.c_int),
    ]


PROGRESS_FN = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Progress)
)


def _candidates() -> List[str]:
    named = os.environ.get("BESTDAG_LIBRARY")
    if named:
        return [named]
    here = os.path.dirname(os.path.abspath(__file__))
    found = ctypes.util.find_library("bestdag")
    return [
        path
        for path in (
            os.path.join(here, "libbestdag.so.0"),
            found,
            "libbestdag.so.0",
        )
        if path and (not os.path.isabs(path) or os.path.exists(path))
    ]


def _load() -> ctypes.CDLL:
    problem: Optional[OSError] = None
    for path in _candidates():
        try:
            library = ctypes.CDLL(path)
            break
        except OSError as error:
            problem = error
    else:
        raise ImportError(
            "the library libbestdag.so.0 was not found; install bestdag, or "
            "set BESTDAG_LIBRARY to its path"
        ) from problem
    for line in FUNCTIONS.split("\n"):
        if line:
            name, result, *arguments = line.split()
            function = getattr(library, "bestdag_" + name)
            function.restype = _TYPES[result]
            function.argtypes = [_TYPES[letter] for letter in arguments]
    return library


library: Any = _load()


def text_of(address: Optional[int]) -> Optional[str]:
    """Takes over a text that the library allocated."""
    if not address:
        return None
    try:
        return ctypes.string_at(address).decode()
    finally:
        library.bestdag_text_free(address)


def texts(values: List[str]) -> Any:
    """An array of texts, to be passed as ``const char *const *``."""
    return (ctypes.c_char_p * max(1, len(values)))(
        *[value.encode() for value in values]
    )
