"""Queues, rates and windows over time, sampled between steps of a run."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas

    from .simulation import Simulation


class TimeSeries:
    """Samples of a run, from :meth:`qbb.Simulation.sample`.

    A sample shows one moment; ports.parquet has the deepest queue of all moments.
    """

    def __init__(self) -> None:
        self._times: list[float] = []
        self._queues: list[np.ndarray] = []
        self._flows: list[tuple[np.ndarray, ...]] = []
        self.ports: list[tuple[int, int]] = []  # node and port of every column of queue_bytes

    def _add(self, sim: Simulation, flows: bool) -> None:
        now, queues = sim.now_ns, sim.queues()
        if not self.ports:
            self.ports = list(zip(queues["node"].tolist(), queues["port"].tolist()))
        self._times.append(now)
        self._queues.append(queues["queue_bytes"])
        if flows:
            f = sim.running()
            names = ("flow_id", "rate_bps", "window_bytes", "acked_bytes")
            self._flows.append((np.full(len(f), now), *(f[name] for name in names)))

    def __len__(self) -> int:
        return len(self._times)

    @cached_property
    def time_ns(self) -> np.ndarray:
        """When the samples were taken."""
        return np.array(self._times)

    @cached_property
    def queue_bytes(self) -> np.ndarray:
        """Bytes queued: a row per sample, a column per port of ``ports``."""
        return np.array(self._queues).reshape(len(self), len(self.ports))

    def queue(self, node: int, port: int) -> np.ndarray:
        """Bytes queued at one port."""
        return self.queue_bytes[:, self.ports.index((node, port))]

    def deepest(self, count: int = 1) -> list[tuple[int, int]]:
        """The ports whose sampled queues were deepest."""
        order = np.argsort(-self.queue_bytes.max(axis=0, initial=0), kind="stable")
        return [self.ports[i] for i in order[:count]]

    @cached_property
    def _by_flow(self) -> list[np.ndarray]:
        return [np.concatenate(column) for column in zip(*self._flows)] or [np.array([])] * 5

    def flows(self) -> pandas.DataFrame:
        """The running flows at every sample: time_ns, flow_id, rate_bps, window_bytes (-1: none),
        acked_bytes."""
        import pandas as pd

        names = ("time_ns", "flow_id", "rate_bps", "window_bytes", "acked_bytes")
        return pd.DataFrame(dict(zip(names, self._by_flow)))

    def flow(self, flow_id: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Time in ns, rate in bit/s and window in bytes of one flow, while it was running."""
        time, ids, rate, window, _ = self._by_flow
        at = ids == flow_id
        return time[at], rate[at], window[at]

    def flow_ids(self) -> list[int]:
        """The flows that were running at a sample."""
        return np.unique(self._by_flow[1]).astype(int).tolist()

    def __repr__(self) -> str:
        return f"<qbb.TimeSeries of {len(self)} samples, {len(self.ports)} ports, {len(self.flow_ids())} flows>"
