"""Quantities: texts with a unit, such as "3ms", "100Gbps" and "64KB", or plain numbers.

Plain numbers are nanoseconds, bit/s and bytes, as in the columns of the results.
"""

from __future__ import annotations

import math
import operator
from typing import Any, SupportsIndex

import numpy as np

from ._border import call, native
from .errors import Error

Quantity = str | int | float | np.integer[Any] | np.floating[Any]

_PER_NS = 1000


def picoseconds(value: Quantity, name: str = "") -> int:
    """A time, exact: text with a unit, or nanoseconds. Errors begin with the name, if there is one."""
    return _quantity(native.ParseTime, value, _PER_NS, "nanoseconds", name)


def nanoseconds(value: Quantity, name: str = "") -> float:
    """A time: text with a unit, or nanoseconds."""
    return picoseconds(value, name) / _PER_NS


def bits_per_second(value: Quantity, name: str = "") -> int:
    """A rate: text with a unit, or bit/s."""
    return _quantity(native.ParseRate, value, 1, "bit/s", name)


def size(value: Quantity, name: str = "") -> int:
    """A size: text with a unit, or bytes, rounded, since fluid models have fractions of them."""
    return _quantity(native.ParseBytes, value, 1, "bytes", name)


def whole_size(value: Quantity, name: str) -> int:
    """A size: text with a unit, or whole bytes."""
    number = size(value, name)
    if not isinstance(value, str) and number != value:
        raise Error(f"{name}: {value!r} is not a whole number of bytes")
    return number


def whole(value: SupportsIndex, name: str, bits: int = 32, signed: bool = True) -> int:
    """A whole number that fits into so many bits."""
    try:
        number = operator.index(value)
    except TypeError:
        raise Error(f"{name}: {value!r} is not a whole number") from None
    least, most = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    if not least <= number <= most:
        raise Error(f"{name}: {value!r} must be {least} to {most}")
    return number


def _nearest(value: float) -> int:
    """The nearest whole number, a half away from zero as for texts: round() makes it even."""
    below = math.trunc(value)
    return below + (0 if abs(value - below) < 0.5 else 1 if value > 0 else -1)


def _quantity(parse: Any, value: Quantity, factor: int, unit: str, name: str) -> int:
    where = f"{name}: " if name else ""
    if isinstance(value, str):
        try:
            return int(call(parse, value))
        except Error as e:
            raise Error(f"{where}{e}") from None
    exact = value.item() if isinstance(value, np.generic) else value  # products of NumPy's wrap, or are rounded
    try:
        number = _nearest(exact * factor)
    except (OverflowError, ValueError, TypeError):
        raise Error(f"{where}{value!r} is not a number of {unit}") from None
    if not -(2**63) < number < 2**63:
        raise Error(f"{where}{value!r} {unit} are out of range")
    return number
