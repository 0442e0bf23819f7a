"""The border to Go. All calls go through call(), which handles Go's errors and refuses forks."""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Callable
from typing import Any, SupportsIndex

from ._native import go, native
from .errors import Error, InternalError

# gopy runs Go's collector, at full stop, after each of Python's. Go's own pace is enough.
gc.callbacks[:] = [c for c in gc.callbacks if not getattr(c, "__module__", "").startswith(go.__package__)]

# A copy of one of gopy's objects would share its number with it, and the first of them to go would take both.
# One of what holds such an object would share what runs.
def no_copy(self: Any, protocol: SupportsIndex) -> str | tuple[Any, ...]:
    raise Error("what runs in Go cannot be copied, nor sent to another process")


setattr(go.GoClass, "__reduce_ex__", no_copy)

_INTERNAL = "internal error: "

_forked = False


def _after_fork() -> None:
    global _forked
    _forked = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def call(function: Callable[..., Any], *args: Any) -> Any:
    """Calls a function of package native, or a method of one of its objects."""
    if _forked:
        raise Error(
            "this process was forked after qbb was imported, and Go does not survive that: "
            'use qbb.run_many, or multiprocessing.get_context("spawn")'
        )
    try:
        return function(*args)
    except RuntimeError as e:
        raise _translate(str(e)) from None
    except ValueError as e:  # a text with NUL, or with half of a surrogate pair
        raise Error(f"a text cannot be passed on: {e}") from None


def _translate(text: str) -> Error:
    if text.startswith(_INTERNAL):
        return InternalError(text.removeprefix(_INTERNAL))
    return Error(text)


def file_name(value: Any, name: str) -> str:
    """A file or folder, given as text or path."""
    if not isinstance(value, (str, os.PathLike)):
        raise Error(f"{name}: {value!r} is no name of a file or folder")
    return os.fsdecode(value)


def write(path: Any, text: str) -> None:
    """Writes a file."""
    place = file_name(path, "path")
    try:
        with open(place, "w", encoding="utf-8") as f:
            f.write(text)
    except OSError as e:
        raise Error(f"{place}: {e.strerror or e}") from None
    except ValueError as e:
        raise Error(f"a text cannot be passed on: {e}") from None


def describe(function: Callable[..., str], *args: Any) -> Any:
    """Calls a function whose result is JSON."""
    return json.loads(call(function, *args))


def from_go(function: Callable[..., Any], *args: Any) -> bytes:
    """Calls a function whose result is a []byte. gopy cannot copy one that is empty."""
    data = call(function, *args)
    return bytes(data) if len(data) else b""


def to_go(data: bytes) -> Any:
    """Copies bytes into a []byte."""
    return call(go.Slice_byte.from_bytes, data)


__all__ = ["call", "describe", "file_name", "from_go", "native", "no_copy", "to_go", "write"]
