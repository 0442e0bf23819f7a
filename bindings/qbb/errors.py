"""Exceptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .result import Result


class Error(Exception):
    """A mistake in what qbb was given, or a file that cannot be read or written.

    The text is the simulator's: one line that names the key, and the file and line where there
    is one.
    """


class InternalError(Error):
    """A mistake in qbb. The text has a trace of Go's stack: please report it."""


class Interrupted(KeyboardInterrupt):
    """A run was ended by Ctrl-C.

    ``result`` holds what happened until then; its files, if any were asked for, are complete.
    """

    def __init__(self, result: Result):
        super().__init__("interrupted")
        self.result = result

    def __reduce__(self) -> tuple[type[Interrupted], tuple[Result]]:
        return Interrupted, (self.result,)
