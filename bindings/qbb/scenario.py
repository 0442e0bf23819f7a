"""Scenarios: what to simulate."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from ._border import call, describe, file_name, from_go, native
from .errors import Error
from .scheme import Scheme
from .sizes import Sizes
from .table import Table, _columns, rows_to_csv
from .topology import Topology
from .units import Quantity, nanoseconds, whole, whole_size

if TYPE_CHECKING:
    from .progress import Progress
    from .result import Result
    from .simulation import Simulation

_FLOW_COLUMNS = ["src", "dst", "bytes", "start_ns", "start_s", "prio", "src_port", "dst_port", "tag", "scheme", "after"]


class Scenario:
    """What to simulate.

    Keyword arguments are the keys of a scenario file, listed by :func:`qbb.keys` with their units
    and defaults; sections are dicts, quantities strings with a unit::

        qbb.Scenario(topology="fat-tree:k=4", workload="websearch", load=0.6, duration="5ms",
                     cc=qbb.Scheme("hpcc", target=0.9), ecn={"mark": "off"}, seed=7)

    Without arguments it is the built-in scenario: WebSearch at half load for 10 ms on a 16-host
    fat-tree, with HPCC. ``flows`` is the name of a file, or the flows themselves (see
    :meth:`add_flows`); it replaces all that were there.
    """

    def __init__(self, **keys: Any):
        self._handle = call(native.NewScenario)
        self._hold([])
        self.update(**keys)

    def _hold(self, flows: list[dict[str, Any]], new: bool = False) -> None:
        self._lock = threading.RLock()  # of all that follows, and of what Go is given of it
        self._flows = flows  # empty: none were given; a table without rows is no flows
        self._added = sum(map(_rows, flows))
        self._new = new  # they have changed since Go was given them

    @classmethod
    def load(cls, path: str | Path, **keys: Any) -> Scenario:
        """Reads a scenario in YAML, or the config.txt of the HPCC NS-3 simulator, recognised by
        content; keys override what it says."""
        return cls._of(call(native.LoadScenario, file_name(path, "path")), keys)

    @classmethod
    def parse(cls, text: str, **keys: Any) -> Scenario:
        """Reads a scenario from a text in YAML; keys override what it says."""
        return cls._of(call(native.ReadScenario, text), keys)

    @classmethod
    def _of(cls, handle: Any, keys: Mapping[str, Any]) -> Scenario:
        self = cls.__new__(cls)
        self._handle = handle
        self._hold([])
        return self.update(**keys)

    def update(self, **keys: Any) -> Scenario:
        """Changes keys, and returns the scenario.

        Sections keep their other keys; lists and the parameters of schemes are replaced. A new profile resets all
        options.
        """
        if "out" in keys:
            raise Error("out is no key of a scenario in Python: give the folder to run() or start()")
        parts = []
        flows = keys.get("flows")
        if flows is not None and not isinstance(flows, (str, Path)):
            parts.append(_part(flows))
            keys["flows"] = ""
        text = json.dumps({k: _plain(v, k) for k, v in keys.items()}, ensure_ascii=False)
        with self._lock:
            call(self._handle.Apply, text)
            if "flows" in keys:
                self._flows, self._added, self._new = parts, sum(map(_rows, parts)), True
        return self

    def replace(self, **keys: Any) -> Scenario:
        """A copy with other keys: ``[base.replace(load=x) for x in (0.3, 0.5, 0.7)]``."""
        with self._lock:
            if "flows" not in keys:
                self._ready()  # once for all copies
            other = Scenario._of(call(self._handle.Copy), {})
            other._hold(list(self._flows), self._new)
        return other.update(**keys)

    def add_flow(
        self, src: SupportsIndex, dst: SupportsIndex, bytes: Quantity, start: Quantity = 0, *, prio: SupportsIndex = 3,
        tag: str = "", scheme: str = "", src_port: SupportsIndex = 0, dst_port: SupportsIndex = 100,
        after: SupportsIndex | Sequence[SupportsIndex] | None = None,
    ) -> int:
        """Adds a flow, and returns its number among those added.

        start is a string with a unit, or ns; with after, the number of an added flow or a list of
        them, it counts from the end of the last of these: the last byte if src receives that flow,
        otherwise the last acknowledgement. Flows may be added in any order of start; a run numbers all
        its flows by start, and :meth:`flow_ids` says which number each added one has in it. The scenario
        then makes no others, unless it names a workload.
        """
        row = _row(src, dst, bytes, start, prio, tag, scheme, src_port, dst_port, after)
        with self._lock:
            number = self._added
            self.add_flows([row])
        return number

    def add_flows(self, flows: Any) -> Scenario:
        """Adds flows: a DataFrame (pandas, polars, PyArrow), a Table, a structured array, a dict of columns, or a
        list of dicts.

        Columns are src, dst, bytes, start_ns, and perhaps prio, src_port, dst_port, tag, scheme,
        after: ``other.flows()`` has them; its flows have the scheme of this scenario, unless the other
        one gave them another by their tag or a file. Errors call a flow by its number among the added
        ones, from 0, as :meth:`add_flow` does. Without rows, too, the scenario makes no others, unless it
        names a workload.
        """
        part = _part(flows)
        with self._lock:
            self._flows.append(part)
            self._added += _rows(part)
            self._new = True
        return self

    def _csv(self) -> str:
        if not self._flows:
            return ""
        if len(self._flows) > 1:
            names = list(dict.fromkeys(name for part in self._flows for name in part))
            joined: dict[str, list[Any]] = {name: [] for name in names}
            for part in self._flows:
                rows = _rows(part)
                for name in names:
                    joined[name].extend(part.get(name, [None] * rows))
            self._flows = [joined]
        csv = rows_to_csv(self._flows[0], _FLOW_COLUMNS)
        return csv if self._added else "src,dst,bytes,start_ns\n"

    def _ready(self) -> Any:
        with self._lock:
            if self._new:
                call(self._handle.SetFlows, self._csv())
                self._new = False
            return self._handle

    @property
    def text(self) -> str:
        """The scenario in force, nothing left blank, as a scenario file."""
        return str(call(self._ready().Text))

    def flows(self) -> Table:
        """The flows that a run would have.

        Each has the numbers of all flows that it waits for: in two phases in which n hosts send to all others, these are
        2 (n - 1) for each of n (n - 1) flows.
        """
        return Table(call(self._ready().Flows))

    def flow_ids(self) -> np.ndarray:
        """The ``flow_id`` that each added flow has in a run, by the number that :meth:`add_flow` returned::

            n = scenario.add_flow(0, 1, "1MB", "10us")
            fct = scenario.run().fct
            fct["fct_ns"][fct["flow_id"] == scenario.flow_ids()[n]]
        """
        return np.frombuffer(from_go(self._ready().FlowIDs), dtype="i4")

    def topology(self) -> Topology:
        """The network that a run would have."""
        return Topology._of(call(self._ready().Topology))

    def start(self, out: str | Path | None = None, *, threads: SupportsIndex = 1, closed_loop: bool = False) -> Simulation:
        """Begins a run to be driven in steps; with out, its files go to that folder.

        threads run parts of the network in parallel; what several cannot do (``qbb help run``) one
        does, and results do not depend on it. With closed_loop, flows may be added while it runs, which one
        thread does then: see :meth:`qbb.Simulation.add_flow`.
        """
        from .simulation import Simulation

        if out == "":
            raise Error("out: the folder has no name: write . for this one, or None for no files")
        folder = "" if out is None else file_name(out, "out")
        return Simulation(call(self._ready().Start, folder, whole(threads, "threads"), bool(closed_loop)))

    def run(
        self,
        out: str | Path | None = None,
        progress: Callable[[Progress], None] | bool | None = None,
        *,
        threads: SupportsIndex = 1,
    ) -> Result:
        """Runs to the end and returns the result; with out, the files go to that folder too.

        threads is that of :meth:`start`.
        progress is called several times a second, or is True for a bar (with tqdm, if that is there).
        Ctrl-C raises :class:`qbb.Interrupted` within a second, which has the result so far; a plain
        KeyboardInterrupt if it comes before the run has been set up, and then when that is done.
        """
        with self.start(out, threads=threads) as sim:
            return sim.run(progress)

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {"text": call(self._ready().Portable), "flows": list(self._flows)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._pickled = state["text"]
        self._hold(state["flows"], new=True)

    @cached_property
    def _handle(self) -> Any:
        # Read when it is used: a worker of a pool that fails to unpickle ends, and the pool waits for ever.
        return call(native.ReadScenario, self._pickled)

    def __repr__(self) -> str:
        return f"<qbb.Scenario\n{self.text}>"


def keys() -> list[dict[str, str]]:
    """The keys of a scenario: name (sections are dotted), type, default and doc of each."""
    return [{k.lower(): v for k, v in key.items()} for key in describe(native.Keys)]


def schemas() -> dict[str, dict[str, Any]]:
    """The manual of all files: doc, and columns with type, unit and doc, by the file's name."""
    return {
        s["File"]: {"doc": s["Doc"], "columns": [{k.lower(): v for k, v in c.items()} for c in s["Columns"]]}
        for s in describe(native.Schemas)
    }


def _row(
    src: SupportsIndex, dst: SupportsIndex, bytes: Quantity, start: Quantity, prio: SupportsIndex, tag: str, scheme: str,
    src_port: SupportsIndex, dst_port: SupportsIndex, after: SupportsIndex | Sequence[SupportsIndex] | None = None,
) -> dict[str, Any]:
    return {
        "src": src, "dst": dst, "bytes": whole_size(bytes, "bytes"), "start_ns": nanoseconds(start, "start"), "prio": prio, "tag": tag,
        "scheme": scheme, "src_port": src_port, "dst_port": dst_port, "after": after,
    }


def one_flow(
    src: SupportsIndex, dst: SupportsIndex, bytes: Quantity, start: Quantity, prio: SupportsIndex, tag: str, scheme: str,
    src_port: SupportsIndex, dst_port: SupportsIndex,
) -> str:
    """The table of a flow, in CSV."""
    return rows_to_csv(_part([_row(src, dst, bytes, start, prio, tag, scheme, src_port, dst_port)]), _FLOW_COLUMNS)


def _part(flows: Any) -> dict[str, Any]:
    """A table of flows as a dict of lists, which no change of what was given changes."""
    part = {name: values.tolist() if hasattr(values, "tolist") else list(values) for name, values in _columns(flows).items()}
    if len(set(map(len, part.values()))) > 1:
        raise Error("the columns of flows differ in length")
    if "after" in part:
        part["after"] = [_several(v) for v in part["after"]]
    return part


def _several(after: Any) -> Any:
    """Numbers of flows as a tuple, if they are several."""
    if hasattr(after, "tolist"):
        after = after.tolist()
    return tuple(after) if isinstance(after, Iterable) and not isinstance(after, (str, bytes)) else after


def _rows(part: Mapping[str, Any]) -> int:
    """The number of rows of a dict of columns."""
    return len(next(iter(part.values()), ()))


def _plain(value: Any, key: str) -> Any:
    """The value of a key as JSON has it."""
    if hasattr(value, "tolist"):  # a NumPy scalar, an array, a Series
        value = value.tolist()
    if isinstance(value, Scheme):
        return {"name": value.name, "params": value.params}
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Mapping):
        return {str(k): _plain(v, f"{key}.{k}") for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v, key) for v in value]
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    way = "save it, and give the name of the file" if isinstance(value, (Topology, Sizes)) else "write a text, a number, a list or a dict"
    raise Error(f"{key} is a {type(value).__name__}; {way}")
