"""Networks."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ._border import call, file_name, native, no_copy, write
from .table import Table


class Topology:
    """The network of a builder such as ``fat-tree:k=8``, or of a topology file."""

    def __init__(self, spec: str | Path):
        self._handle = call(native.NewTopology, file_name(spec, "spec"))

    __reduce_ex__ = no_copy

    @classmethod
    def _of(cls, handle: Any) -> Topology:
        self = cls.__new__(cls)
        self._handle = handle
        return self

    @cached_property
    def nodes(self) -> Table:
        """Columns node and kind (host or switch)."""
        return Table(call(self._handle.Nodes))

    @cached_property
    def links(self) -> Table:
        """Columns a, b, rate_bps, delay_ns (one way) and loss."""
        return Table(call(self._handle.Links))

    @property
    def hosts(self) -> np.ndarray:
        """The numbers of the hosts."""
        return self._numbers("host")

    @property
    def switches(self) -> np.ndarray:
        """The numbers of the switches."""
        return self._numbers("switch")

    def _numbers(self, kind: str) -> np.ndarray:
        numbers: np.ndarray = self.nodes["node"][self.nodes["kind"] == kind]
        return numbers

    @property
    def text(self) -> str:
        """The network as topology.txt, which ``topology=`` reads from a file."""
        return str(call(self._handle.Text))

    def save(self, path: str | Path) -> None:
        """Writes topology.txt."""
        write(path, self.text)

    def __repr__(self) -> str:
        return f"<qbb.Topology of {len(self.hosts)} hosts, {len(self.switches)} switches, {len(self.links)} links>"
