# SPDX-License-Identifier: MIT
"""A call of the library: limits, errors, progress, Ctrl-C.

Each call has a run of its own, so that threads do not share one. The library
calls back on the thread that called it; the GIL is free while it works.
"""

from __future__ import annotations

import ctypes
import logging
import math
import signal
import sys
import threading
import warnings
from types import FrameType, TracebackType
from typing import Any, Callable, Dict, Optional, Type, Union

from ._library import PROGRESS_FN, library, text_of

log = logging.getLogger("bestdag")


class Error(Exception):
    """What the library refuses or cannot do; ``status`` is its exit code."""

    status = 1


class UsageError(Error, ValueError):
    """A setting or a combination that is refused."""

    status = 2


class InputError(Error, ValueError):
    """Bad input, with file, line and cause."""

    status = 3


class InfeasibleError(Error):
    """No network satisfies the rules, or the evidence is impossible."""

    status = 4


class UnprovedError(Error):
    """Optimality was required and not reached."""

    status = 5


class MemoryLimitError(Error, MemoryError):
    """The memory limit cannot hold the request."""

    status = 6


_ERRORS: Dict[int, Type[Error]] = {
    c.status: c
    for c in (
        Error,
        UsageError,
        InputError,
        InfeasibleError,
        UnprovedError,
        MemoryLimitError,
    )
}


class BestdagWarning(UserWarning):
    """What the library warns of, such as rows that were dropped."""


class Moment:
    """What a progress callback gets: the state of the work at one moment."""

    __slots__ = ("phase", "seconds", "best", "bound", "done", "total", "memory")

    def __init__(self, now: Any) -> None:
        self.phase: str = (now.phase or b"").decode()
        self.seconds: float = now.seconds
        self.best: Optional[float] = _known(now.best)
        self.bound: Optional[float] = _known(now.bound)
        self.done: int = now.done
        self.total: int = now.total
        self.memory: int = now.memory

    @property
    def gap(self) -> Optional[float]:
        if self.best is None or self.bound is None:
            return None
        return (self.bound - self.best) / max(1.0, abs(self.best))

    def __str__(self) -> str:
        text = f"{self.phase} {self.seconds:.0f} s"
        if self.best is not None:
            text += f", best {self.best:.3f}"
        if self.gap is not None:
            text += f", gap {100 * self.gap:.3g} %"
        return text


def _known(x: float) -> Optional[float]:
    return None if math.isnan(x) else x


#: ``True``: show progress; ``False``: do not; ``None``: where a person looks
#: on; or a function that gets a :class:`Moment` and may return true to stop.
ProgressLike = Union[None, bool, Callable[[Moment], Any]]


def _is_watched() -> bool:
    shell = sys.modules.get("IPython")
    if shell is not None and shell.get_ipython() is not None:
        return True
    return sys.stderr is not None and sys.stderr.isatty()


class _Display:
    """A line on the terminal or in the notebook; tqdm where it is installed."""

    AFTER = 1.0  # seconds: short work shows nothing

    def __init__(self) -> None:
        self.bar: Any = None  # of tqdm; its truth value is not defined
        self.is_open = False
        self.width = 0

    def show(self, moment: Moment) -> None:
        if moment.seconds < self.AFTER:
            return
        if not self.is_open:
            self.bar, self.is_open = self._new_bar(), True
        if self.bar is not None:
            self.bar.set_description_str(str(moment))
        else:
            text = str(moment)
            sys.stderr.write("\r" + text.ljust(self.width))
            sys.stderr.flush()
            self.width = len(text)

    @staticmethod
    def _new_bar() -> Any:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return None
        return tqdm(bar_format="{desc}", leave=False)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
        elif self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
            sys.stderr.flush()


class Run:
    """One call: ``with Run(settings) as run: handle = run.call("learn", ...)``."""

    def __init__(
        self,
        settings: Optional[Dict[str, str]] = None,
        progress: ProgressLike = False,
    ) -> None:
        self.handle = library.bestdag_run_new()
        if not self.handle:
            raise MemoryError("no memory for a run")
        self.interrupted = False
        self.failure: Optional[BaseException] = None
        self.listener = progress if callable(progress) else None
        shown = _is_watched() if progress is None else progress is True
        self.display = _Display() if shown else None
        self.callback = PROGRESS_FN(self._on_progress)
        library.bestdag_run_on_progress(self.handle, self.callback, None)
        self.old_handler: Any = None
        try:
            for key, value in (settings or {}).items():
                library.bestdag_run_set(
                    self.handle, key.encode(), value.encode()
                )
                self.check()
        except BaseException:
            library.bestdag_run_free(self.handle)
            raise

    def __enter__(self) -> "Run":
        if threading.current_thread() is threading.main_thread():
            self.old_handler = signal.getsignal(signal.SIGINT)
            if callable(self.old_handler):
                signal.signal(signal.SIGINT, self._on_interrupt)
            else:
                self.old_handler = None
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        if self.old_handler is not None:
            signal.signal(signal.SIGINT, self.old_handler)
        if self.display:
            self.display.close()
        library.bestdag_run_free(self.handle)
        self.handle = None

    def _on_interrupt(self, number: int, frame: Optional[FrameType]) -> None:
        if self.interrupted:  # the second time, for good
            raise KeyboardInterrupt
        self.interrupted = True
        library.bestdag_run_stop(self.handle)

    def _on_progress(self, user: Any, now: Any) -> int:
        # an exception must not cross the library: it stops, and is raised then
        try:
            if now.contents.note:
                self._take_note(now.contents)
                return 0
            if self.display or self.listener:
                moment = Moment(now.contents)
                if self.display:
                    self.display.show(moment)
                if self.listener and self.listener(moment):
                    return 1
        except BaseException as error:  # noqa: B902
            self.failure = self.failure or error
            return 1
        return 1 if self.failure or self.interrupted else 0

    @staticmethod
    def _take_note(now: Any) -> None:
        text = now.note.decode()
        if text.startswith("warning: "):
            warnings.warn(text[len("warning: ") :], BestdagWarning, 2)
        elif now.detail:
            log.debug("%s", text)
        else:
            log.info("%s", text)

    def check(self) -> None:
        """Raises what went wrong, if anything did."""
        if self.failure is not None:
            failure, self.failure = self.failure, None
            raise failure
        status = library.bestdag_run_status(self.handle)
        if status:
            text = library.bestdag_run_error(self.handle).decode()
            raise _ERRORS.get(status, Error)(text)

    def call(self, name: str, *arguments: Any) -> Any:
        """Calls ``bestdag_NAME(run, ...)``; errors become exceptions."""
        result = getattr(library, "bestdag_" + name)(self.handle, *arguments)
        self.check()
        return result

    def text(self, name: str, *arguments: Any) -> str:
        """The same of a function whose result is a text."""
        result = getattr(library, "bestdag_" + name)(self.handle, *arguments)
        text = text_of(result)
        self.check()
        if text is None:
            raise Error("bestdag_" + name + " returned nothing")
        return text

    def bytes(self, name: str, *arguments: Any) -> bytes:
        """The same where the text may hold anything, with its size."""
        size = ctypes.c_int64()
        address = getattr(library, "bestdag_" + name)(
            self.handle, *arguments, ctypes.addressof(size)
        )
        try:
            self.check()
            return ctypes.string_at(address, size.value)
        finally:
            if address:
                library.bestdag_text_free(address)

    def note_interrupt(self, what: str) -> None:
        """Says that Ctrl-C ended the work early, and that its best was kept."""
        if self.interrupted:
            warnings.warn(f"interrupted: {what}", BestdagWarning, 3)


class Handle:
    """An object of the library, freed once nothing refers to it."""

    __slots__ = ("address", "_free", "keeps")

    def __init__(self, address: int, free: str, keeps: Any = None) -> None:
        self.address = address
        self._free = getattr(library, "bestdag_" + free)
        self.keeps = keeps  # what must live as long

    def __del__(self) -> None:
        address = getattr(self, "address", None)
        if address:
            self.address = 0
            self._free(address)
