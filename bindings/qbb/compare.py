"""Comparing runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from ._border import call, describe, native
from .errors import Error
from .table import Table, in_go, load_table

if TYPE_CHECKING:
    from .result import Result

Run = Union["Result", Table, str, Path]


class Comparison:
    """How the flows of two runs, A and B, differ."""

    def __init__(self, handle: Any):
        d = describe(handle.Describe)
        self.identical: bool = d["Identical"]
        self.flows: tuple[int, int] = (d["FlowsA"], d["FlowsB"])  # finished
        self.unfinished: tuple[int, int] = (d["UnfinishedA"], d["UnfinishedB"])
        self.cut: bool = d["Cut"]  # one side has whole ns only; the other's times were cut to them
        self.paired: int = d["Paired"]  # flows that are in both
        self.mean_difference: float = d["MeanRelative"]  # of completion times, over the paired flows
        self.largest_difference: float = d["LargestRelative"]  # with its sign
        self.different = Table(call(handle.Differences))
        self.only_a = Table(call(handle.Only, False))
        self.only_b = Table(call(handle.Only, True))
        self.slowdown = Table(call(handle.Slowdowns))  # percentiles by size, beside each other

    def within(self, tolerance: float) -> bool:
        """The same flows finished, and no completion time differs by more than this share."""
        if len(self.only_a) or len(self.only_b):
            return False
        return bool((abs(self.different["relative"]) <= tolerance).all())

    def __repr__(self) -> str:
        if self.identical:
            return f"<qbb.Comparison: identical, {self.paired} flows>"
        return (
            f"<qbb.Comparison: {len(self.different)} of {self.paired} flows differ, by {self.mean_difference:.3g} on "
            f"average and {self.largest_difference:+.3g} at most; {len(self.only_a)} only in A, {len(self.only_b)} only in B>"
        )


def compare(a: Run, b: Run) -> Comparison:
    """Compares the flow completion times of two runs: results, tables, or files fct.txt or
    fct.parquet.

    Flows are the same if source, destination, ports, size and start are. Flows that did not
    finish count as absent.
    """
    return Comparison(call(native.Compare, _flows(a), _flows(b)))


def _flows(run: Run) -> Any:
    if isinstance(run, (str, Path)):
        run = load_table("fct", run)
    flows = getattr(run, "fct", run)
    if not isinstance(flows, Table):
        raise Error(f"{run!r} is no run: give a result, a table of flows, or the name of a file")
    return in_go(flows, "fct")
