"""A run that is under way."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, SupportsIndex

from ._border import call, describe, native, no_copy
from .errors import Error, Interrupted
from .progress import Bar, Progress
from .result import Result
from .scenario import one_flow
from .table import Table
from .units import Quantity, picoseconds

_NEVER = 2**63 - 1
_SLICE_MS = 100  # of wall-clock time that Go keeps the thread: Ctrl-C waits no longer

Report = Callable[[Progress], None]


class Simulation:
    """A run that is under way, from :meth:`qbb.Scenario.start`.

    Results do not depend on how it is cut into steps. As a context manager it removes the files
    of a run that was not finished::

        with scenario.start(out="results") as sim:
            sim.run_until("3ms")
            print(sim.queues()["queue_bytes"].max())
            result = sim.finish()

    Calls from several threads take turns.
    """

    def __init__(self, handle: Any):
        self._handle = handle
        # Not in __del__: in a cycle of references the handle's own may have been called before.
        weakref.finalize(self, _close, handle)
        self._began = time.monotonic()

    __reduce_ex__ = no_copy

    # Moving on

    def run(self, progress: Report | bool | None = None) -> Result:
        """Runs to the end and returns the result; see :meth:`qbb.Scenario.run`."""
        try:
            self.run_until(None, progress)
        except KeyboardInterrupt:
            raise Interrupted(self.finish()) from None
        return self.finish()

    def add_flow(
        self, src: SupportsIndex, dst: SupportsIndex, bytes: Quantity, start: Quantity | None = None, *, prio: SupportsIndex = 3,
        tag: str = "", scheme: str = "", src_port: SupportsIndex = 0, dst_port: SupportsIndex = 100,
    ) -> int:
        """Adds a flow to a closed loop, and returns its ``flow_id``: a model of an application in Python sends what follows
        from what has arrived, or has been acknowledged (:meth:`next_end`)::

            with scenario.start(closed_loop=True) as sim:
                for worker in range(8):
                    sim.add_flow(worker, 8, "1MB")
                while (flow := sim.next_arrival()) is not None:
                    if flow < 80:  # the server answers, and so on
                        sim.add_flow(8, flow % 8, "10KB")
                result = sim.finish()

        start is now (None) or later. The schemes are those of the scenario: cc, and those of cc_by_tag. Series of
        flows, such as ``series={"flows": "all"}``, are those of the flows that the scenario begins with.
        """
        begins = self.now_ns if start is None else start
        return int(call(self._handle.Add, one_flow(src, dst, bytes, begins, prio, tag, scheme, src_port, dst_port)))

    def next_end(self, until: Quantity | None = None) -> int | None:
        """Runs a closed loop until a flow ends, finished or given up, and returns its ``flow_id``: every flow once, in the
        order of their ends, also those that :meth:`run_until` has passed. A flow ends when its sender has the last
        acknowledgement. None: the time has been reached, or there is no
        flow left that would end. In a run with a ``stop``, which goes on without flows, that is at the stop, after which no flow
        can be added: give ``until``."""
        return self._next(until, native.End, self._handle.TakeEnd)

    def next_arrival(self, until: Quantity | None = None) -> int | None:
        """Does the same until the last byte of a flow arrives, which is when its destination can answer: earlier than
        :meth:`next_end` by the way of an acknowledgement. A flow of which that never comes has an end alone."""
        return self._next(until, native.Arrival, self._handle.TakeArrival)

    def _next(self, until: Quantity | None, awaits: int, take: Callable[[], int]) -> int | None:
        limit = _limit(until)
        while True:
            flow = int(take())
            if flow >= 0:
                return flow
            if self._run(limit, awaits=awaits) != native.Came:
                return None

    def run_until(self, until: Quantity | None, progress: Report | bool | None = None) -> bool:
        """Runs until a simulated time, text with a unit or ns, or to the end (None).

        Reports whether the run continues after it.
        """
        return bool(self._run(_limit(until), progress) == native.Reached)

    def _run(self, limit: int, progress: Report | bool | None = None, awaits: int = native.Nothing) -> int:
        report = Bar() if progress is True else progress or None
        try:
            while True:
                why = int(call(self._handle.Run, limit, _SLICE_MS, awaits))
                if report:
                    report(self.progress)
                if why != native.GoOn:
                    return why
        finally:
            if isinstance(report, Bar):
                report.close()

    def steps(self, interval: Quantity, until: Quantity | None = None) -> Iterator[Simulation]:
        """Runs in steps of simulated time, and yields itself after each: ``for s in sim.steps("100us")``."""
        step = picoseconds(interval)
        if step <= 0:
            raise Error(f"a step of {interval!r} leads nowhere")
        end = _limit(until)
        at = self.now_ps
        goes_on = not self.over
        while goes_on and at < end:
            at = min(at + step, end)
            goes_on = self._run(at) == native.Reached
            yield self

    # Looking at it

    @property
    def progress(self) -> Progress:
        """How far the run has come."""
        p = describe(self._handle.Progress)
        return Progress(
            now_ns=p["Now"] / 1000, stop_ns=None if p["Stop"] < 0 else p["Stop"] / 1000, flows_started=p["Started"],
            flows_ended=p["Ended"], flows_total=p["Total"], hops=p["Hops"], over=p["Over"],
            wall_seconds=time.monotonic() - self._began,
        )

    @property
    def now_ps(self) -> int:
        """Simulated time in ps."""
        return int(describe(self._handle.Progress)["Now"])

    @property
    def now_ns(self) -> float:
        """Simulated time in ns."""
        return self.now_ps / 1000

    @property
    def over(self) -> bool:
        """Nothing is left to happen."""
        return bool(describe(self._handle.Progress)["Over"])

    def queues(self) -> Table:
        """The queues of all switch ports as they are now: node, port, peer, queue_bytes."""
        return Table(call(self._handle.Queues))

    def running(self) -> Table:
        """The flows that are sending now: flow_id, src, dst, size_bytes, acked_bytes, rate_bps,
        window_bytes (-1: none)."""
        return Table(call(self._handle.Running))

    @property
    def fct(self) -> Table:
        """The flows so far, as in fct.parquet: the finished ones first."""
        return Table(call(self._handle.Table, "fct"))

    @property
    def ports(self) -> Table:
        """The counters of all ports so far."""
        return Table(call(self._handle.Table, "ports"))

    @property
    def pfc(self) -> Table:
        """The pauses and resumes so far."""
        return Table(call(self._handle.Table, "pfc"))

    @property
    def queue_cdf(self) -> Table:
        """The distribution of queue depths so far."""
        return Table(call(self._handle.Table, "queue_cdf"))

    @property
    def series(self) -> Table:
        """Quantities over time so far; see :attr:`qbb.Result.series`."""
        return Table(call(self._handle.Table, "series"))

    @property
    def schedule(self) -> Table:
        """The operations of the schedule, with what has become of them so far; see :attr:`qbb.Result.schedule`."""
        return Table(call(self._handle.Table, "schedule"))

    @property
    def dcms(self) -> Table:
        """What the congestion manager has set so far; see :attr:`qbb.Result.dcms`."""
        return Table(call(self._handle.Table, "dcms"))

    @property
    def dcms_counters(self) -> Table:
        """What the congestion manager has found so far."""
        return Table(call(self._handle.Table, "dcms_counters"))

    # Ending it

    def finish(self) -> Result:
        """Completes the files and returns the result. A run that could go on counts as
        interrupted: the result holds what it has. After Ctrl-C meanwhile :class:`qbb.Interrupted` has it."""
        try:
            return self._collect()
        except KeyboardInterrupt:
            raise Interrupted(self._collect()) from None

    def _collect(self) -> Result:
        summary = describe(self._handle.Finish)  # first: parts of the network may be at different times until then
        tables = {kind: Table(call(self._handle.Table, kind)) for kind in describe(native.Kinds)}
        return Result(summary, tables, describe(self._handle.Written))

    def close(self) -> None:
        """Removes the files of a run that is not finished; harmless otherwise."""
        call(self._handle.Close)

    def __repr__(self) -> str:
        p = self.progress
        return f"<qbb.Simulation at {p.now_ns / 1e6:.6g} ms, {p.flows_ended} of {p.flows_total} flows ended>"

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _limit(until: Quantity | None) -> int:
    limit = _NEVER if until is None else picoseconds(until)
    if limit < 0:
        raise Error("a run cannot go on to a time before its start")
    return limit


def _close(handle: Any) -> None:
    try:
        call(handle.Close)
    except Error:  # of a forked child, which has no say
        pass
