"""Distributions of message sizes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any, SupportsIndex

import numpy as np

from ._border import call, describe, file_name, from_go, native, write
from .errors import Error
from .table import Table
from .units import Quantity, size, whole, whole_size


class Sizes:
    """A distribution of message sizes: published (see :func:`published_sizes`), or of a file.

    It is linear between its points; a file has lines of a size and a percentage.
    """

    def __init__(self, name: str | Path):
        text = file_name(name, "name")
        self._handle = call(native.LoadSizes if Path(text).is_file() else native.NamedSizes, text)

    @classmethod
    def of(cls, points: Iterable[tuple[Quantity, float]]) -> Sizes:
        """The distribution through points (size, percent of messages not larger), up to 100."""
        return cls._read("".join(f"{whole_size(s, 'size')} {float(p)!r}\n" for s, p in points))

    @classmethod
    def fit(cls, sample: Iterable[float], points: int = 100) -> Sizes:
        """The distribution of a sample of sizes in bytes, through so many of its quantiles."""
        sizes = np.asarray(list(sample), dtype=float)
        if not len(sizes) or whole(points, "points") < 1:
            raise Error(f"a sample of {len(sizes)} sizes has no {points} quantiles")
        percent = np.linspace(0, 100, points + 1)
        return cls.of(zip(np.rint(np.percentile(sizes, percent)), percent))

    @classmethod
    def _read(cls, text: str) -> Sizes:
        self = cls.__new__(cls)
        self._handle = call(native.ReadSizes, text)
        return self

    @cached_property
    def points(self) -> Table:
        """Columns size_bytes and percent."""
        return Table(call(self._handle.Points))

    @property
    def mean(self) -> float:
        """The mean size in bytes."""
        return float(call(self._handle.Mean))

    def quantile(self, share: float) -> float:
        """The size in bytes that a share of the messages does not exceed."""
        return float(call(self._handle.Quantile, float(share)))

    def share(self, bytes: Quantity) -> float:
        """The share of the messages that are not larger."""
        return self._share(size(bytes))

    def _share(self, bytes: float) -> float:
        return float(call(self._handle.Share, float(bytes)))

    def sample(self, n: SupportsIndex, seed: SupportsIndex = 1) -> np.ndarray:
        """Draws n sizes in bytes."""
        return np.frombuffer(from_go(self._handle.Sample, whole(n, "n", 64), whole(seed, "seed", 64)), dtype="i8")

    def save(self, path: str | Path) -> None:
        """Writes the file that ``workload=`` reads."""
        write(path, self._text())

    def _text(self) -> str:
        return "".join(f"{s} {p!r}\n" for s, p in zip(self.points["size_bytes"].tolist(), self.points["percent"].tolist()))

    def __getstate__(self) -> str:
        return self._text()

    def __setstate__(self, text: str) -> None:
        self._pickled = text

    @cached_property
    def _handle(self) -> Any:
        # Read when it is used, as that of a Scenario is.
        return call(native.ReadSizes, self._pickled)

    def __repr__(self) -> str:
        return f"<qbb.Sizes of {len(self.points)} points, mean {self.mean:.6g} bytes>"


def published_sizes() -> list[str]:
    """The names of the published distributions that come along."""
    names: list[Any] = describe(native.SizeNames)
    return names
