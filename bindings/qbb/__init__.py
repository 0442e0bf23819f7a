"""Packet-level simulation of RDMA data-center networks.

    import qbb

    result = qbb.Scenario(topology="fat-tree:k=4", load=0.6, cc="dcqcn").run()
    result.fct["slowdown"].max()           # NumPy, by column; 0 for flows that did not finish
    result.fct.to_pandas()                 # all columns as a DataFrame
    qbb.plot.slowdown({"DCQCN": result})   # matplotlib

A scenario says what to simulate (:class:`Scenario`), a simulation is a run under way
(:class:`Simulation`), a result holds its tables (:class:`Result`). Quantities are strings with a unit
("3ms", "100Gbps", "64KB"). Plain numbers are ns, bit/s and bytes, as in all columns; times among
the keys of a scenario need their unit.

Many runs at once: :func:`run_many`, in separate processes. Do not fork a process that has
imported qbb: Go does not survive that, and calls raise :class:`Error`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._border import call as _call, native as _native
from .compare import Comparison, compare
from .errors import Error, InternalError, Interrupted
from .parallel import run_many
from .progress import Progress
from .result import Result
from .scenario import Scenario, keys, schemas
from .scheme import Hop, Param, Scheme, SchemeInfo, Sender, Signal, schemes
from .simulation import Simulation
from .sizes import Sizes, published_sizes
from .table import Column, Table, load_table
from .topology import Topology

if TYPE_CHECKING:
    from . import plot as plot

__version__: str = _call(_native.Version)

__all__ = [
    "Column", "Comparison", "Error", "Hop", "InternalError", "Interrupted", "Param", "Progress", "Result", "Scenario",
    "Scheme", "SchemeInfo", "Sender", "Signal", "Simulation", "Sizes", "Table", "Topology", "compare",
    "keys", "load_table", "published_sizes", "run_many", "schemas", "schemes",
]


def __getattr__(name: str) -> Any:
    if name == "plot":  # matplotlib is loaded when it is used
        import importlib

        return importlib.import_module(".plot", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
