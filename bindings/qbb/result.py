"""The results of a run."""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import Any, SupportsIndex

import numpy as np

from ._border import call, describe, native, write
from .compare import Comparison, compare
from .errors import Error
from .table import Table, in_go, load_table


class Result:
    """The results of a run.

    fct, queue_cdf, pfc, ports, series, schedule, dcms and dcms_counters are tables with the rows and columns of
    the Parquet files of these names; summary is the content of summary.json.
    """

    def __init__(self, summary: dict[str, Any], tables: dict[str, Table], written: list[str]):
        self.summary = summary
        self._tables = tables
        self._written = written  # those that a run with out writes, if only without rows

    @classmethod
    def load(cls, folder: str | Path) -> Result:
        """Reads the result of an earlier run, of the command qbb too, from its folder."""
        folder = Path(folder)
        try:
            summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as e:
            raise Error(f"{folder}: not the folder of a run: {e}") from None
        if not isinstance(summary, dict) or not {"flows", "scenario"} <= summary.keys():
            raise Error(f"{folder}: not the folder of a run: summary.json holds something else")
        tables: dict[str, Table] = {}
        written: list[str] = []
        for kind in describe(native.Kinds):
            file = folder / f"{kind}.parquet"
            # One of another scenario is of an earlier run into this folder.
            own = file.exists() and call(native.ScenarioOf, str(file)) in ("", summary.get("scenario"))
            tables[kind] = load_table(kind, file) if own else Table(call(native.NewTable, kind))
            if own:
                written.append(kind)
        return cls(summary, tables, written)

    @property
    def fct(self) -> Table:
        """A row per flow; times in ns. Flows that did not finish come last, with finished false."""
        return self._tables["fct"]

    @property
    def queue_cdf(self) -> Table:
        """Distribution of queue depths by switch port; node -1 is all ports together."""
        return self._tables["queue_cdf"]

    @property
    def pfc(self) -> Table:
        """A row per pause or resume received."""
        return self._tables["pfc"]

    @property
    def ports(self) -> Table:
        """The counters of every port."""
        return self._tables["ports"]

    @property
    def series(self) -> Table:
        """Quantities over time: every 10 us by default, of flows with ``series={"flows": "first:8"}``."""
        return self._tables["series"]

    @property
    def schedule(self) -> Table:
        """What every host did for the schedule, operation by operation; without rows if there is none."""
        return self._tables["schedule"]

    @property
    def dcms(self) -> Table:
        """What the congestion manager of InfiniBand has set; without rows if there is none (``dcms={"sweep": "10us"}``)."""
        return self._tables["dcms"]

    @property
    def dcms_counters(self) -> Table:
        """What the congestion manager has found at the ports of switches, sweep by sweep."""
        return self._tables["dcms_counters"]

    @cached_property
    def slowdown(self) -> Table:
        """Percentiles of the slowdown by size of message; the last row is all flows."""
        return Table(call(native.Slowdowns, in_go(self.fct, "fct")))

    @property
    def scenario(self) -> str:
        """The scenario in force, as a scenario file: :meth:`qbb.Scenario.parse` reads it."""
        return str(self.summary["scenario"])

    @property
    def interrupted(self) -> bool:
        """The run was ended early."""
        return bool(self.summary["stopped_early"])

    @property
    def files(self) -> list[Path]:
        """What was written; none without out."""
        return [Path(f) for f in self.summary.get("files") or []]

    def over_time(
        self, metric: str, node: SupportsIndex = -1, port: SupportsIndex = -1, flow: SupportsIndex = -1
    ) -> tuple[np.ndarray, np.ndarray]:
        """Times in ns and the means of a metric of series.parquet, such as queue_bytes of a port or
        rate_bps of a flow; empty where nothing was recorded, or always zero.

        A time is the start of what its mean is of, which lasts until the next one."""
        s = self.series
        labels = s.labels("metric")
        if metric not in labels:
            return np.array([]), np.array([])
        at = s.raw("metric") == labels.index(metric)
        at &= (s["node"] == node) & (s["port"] == port) & (s["flow"] == flow)
        return s["time_ns"][at], s["mean"][at]

    def compare(self, other: Result) -> Comparison:
        """Compares the flows with those of another run: see :func:`qbb.compare`."""
        return compare(self, other)

    def save(self, folder: str | Path) -> None:
        """Writes the tables as Parquet, and summary.json, as a run with out does.

        Optional tables of another run that qbb has written there before are removed.
        """
        folder = Path(folder)
        for kind in self._written:
            path = str(folder / f"{kind}.parquet")
            call(in_go(self._tables[kind], kind).Save, path, self.scenario, str(self.summary["seed"]))
        call(native.RemoveOutdated, str(folder), self.scenario)
        summary = {k: v for k, v in self.summary.items() if k != "files"}
        call(native.WriteWhole, str(folder / "summary.json"), json.dumps(summary, indent=2, ensure_ascii=False) + "\n")

    def __repr__(self) -> str:
        f = self.summary["flows"]
        return f"<qbb.Result of {f['finished']} finished flows of {f['total']}, {self.summary['end_ns'] / 1e6:.6g} ms>"
