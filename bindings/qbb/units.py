"""Quantities: texts with a unit, such as "3ms", "100Gbps" and "64KB", or plain numbers.

Plain numbers are nanoseconds, bit/s and bytes, as in the columns of the results.
"""

from __future__ import annotations

from typing import Union

from ._border import call, native
from .errors import Error

Quantity = Union[str, int, float]

_PER_NS = 1000


def picoseconds(value: Quantity) -> int:
    """A time, exact: text with a unit, or nanoseconds."""
    if isinstance(value, str):
        return call(native.ParseTime, value)
    return _whole(value * _PER_NS, value, "nanoseconds")


def nanoseconds(value: Quantity) -> float:
    """A time: text with a unit, or nanoseconds."""
    return picoseconds(value) / _PER_NS


def bits_per_second(value: Quantity) -> int:
    """A rate: text with a unit, or bit/s."""
    return call(native.ParseRate, value) if isinstance(value, str) else _whole(value, value, "bit/s")


def size(value: Quantity) -> int:
    """A size: text with a unit, or bytes."""
    return call(native.ParseBytes, value) if isinstance(value, str) else _whole(value, value, "bytes")


def _whole(scaled: float, value: float, unit: str) -> int:
    try:
        whole = round(scaled)
    except (OverflowError, ValueError, TypeError):
        raise Error(f"{value!r} is not a number of {unit}") from None
    if not -(2**63) < whole < 2**63:
        raise Error(f"{value!r} {unit} are out of range")
    return whole
