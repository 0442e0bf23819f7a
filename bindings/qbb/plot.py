"""Charts on matplotlib. Every function draws on the axes given, or on new ones, and returns them.

Results come one, or several by name: ``{"HPCC": a, "DCQCN": b}``.
"""

from __future__ import annotations

from typing import Mapping, Sequence, Union

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from .result import Result
from .timeseries import TimeSeries

Results = Union[Result, Mapping[str, Result]]

_STYLES = ("-", "--", ":", "-.")


def slowdown(results: Results, percentiles: Sequence[float] = (50, 99), bins: int = 12, ax: Axes | None = None) -> Axes:
    """Slowdown by size of message: a line per run and percentile.

    A bin holds the same share of the flows of all runs together; a point stands at its median
    size. Bins without a flow of a run are left out of its lines.
    """
    ax, runs = _begin(results, ax)
    finished = {name: _finished(r) for name, r in runs.items()}
    sizes = np.concatenate([s for s, _ in finished.values()])
    edges = np.unique(np.quantile(sizes, np.linspace(0, 1, bins + 1))) if len(sizes) else np.array([0.0, 1.0])
    for i, (name, (size, slow)) in enumerate(finished.items()):
        which = np.clip(np.searchsorted(edges, size, side="right") - 1, 0, max(0, len(edges) - 2))
        present = np.unique(which)
        x = [np.median(size[which == b]) for b in present]
        for k, p in enumerate(percentiles):
            y = [np.percentile(slow[which == b], p) for b in present]
            ax.plot(x, y, marker="o", markersize=3, color=f"C{i}", linestyle=_STYLES[k % 4], label=_label(name, f"p{p:g}"))
    ax.set(xscale="log", yscale="log", xlabel="Size of message", ylabel="Slowdown")
    _sizes(ax)
    ax.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
    return _end(ax)


def fct_cdf(results: Results, ax: Axes | None = None) -> Axes:
    """Distribution of flow completion times."""
    ax, runs = _begin(results, ax)
    for name, r in runs.items():
        x = np.sort(r.fct["fct_ns"][r.fct["finished"]]) / 1e3
        ax.step(x, np.arange(1, len(x) + 1) / max(1, len(x)), where="post", label=name)
    ax.set(xscale="log", xlabel="Flow completion time (µs)", ylabel="Share of flows", ylim=(0, 1))
    return _end(ax)


def queue_cdf(results: Results, node: int = -1, port: int = -1, ax: Axes | None = None) -> Axes:
    """Distribution of queue depths: of all switch ports together, or of one.

    The vertical axis begins where the distribution does: most samples see empty queues.
    """
    ax, runs = _begin(results, ax)
    lowest = 1.0
    for name, r in runs.items():
        q = r.queue_cdf
        at = (q["node"] == node) & (q["port"] == port)
        x, y = q["upper_bytes"][at], q["cumulative"][at]
        if len(x):
            lowest = min(lowest, float(y[0]))
        ax.step(x, y, where="post", label=name)
    ax.set(xscale="log", xlabel="Queue of a switch port", ylabel="Share of samples below", ylim=(max(0.0, lowest - 0.02), 1))
    _sizes(ax)
    return _end(ax)


def queue(series: TimeSeries, ports: Sequence[tuple[int, int]] | None = None, ax: Axes | None = None) -> Axes:
    """Queues over time: of the ports given as (node, port), or of the three deepest."""
    if ax is None:
        ax = plt.subplots()[1]
    for node, port in series.deepest(3) if ports is None else ports:
        ax.plot(series.time_ns / 1e6, series.queue(node, port) / 1e3, linewidth=1, label=f"switch {node}, port {port}")
    ax.set(xlabel="Time (ms)", ylabel="Queue (KB)")
    ax.set_ylim(bottom=0)
    return _end(ax)


def rate(series: TimeSeries, flows: Sequence[int] | None = None, ax: Axes | None = None) -> Axes:
    """Rates that the schemes allow, over time: of the flows given, or of the first eight."""
    if ax is None:
        ax = plt.subplots()[1]
    for flow_id in series.flow_ids()[:8] if flows is None else flows:
        time, bps, _ = series.flow(flow_id)
        ax.plot(time / 1e6, bps / 1e9, linewidth=1, label=f"flow {flow_id}")
    ax.set(xlabel="Time (ms)", ylabel="Rate (Gb/s)")
    ax.set_ylim(bottom=0)
    return _end(ax)


def _begin(results: Results, ax: Axes | None) -> tuple[Axes, Mapping[str, Result]]:
    if ax is None:
        ax = plt.subplots()[1]
    return ax, {"": results} if isinstance(results, Result) else results


def _end(ax: Axes) -> Axes:
    ax.grid(True, alpha=0.3)
    if any(ax.get_legend_handles_labels()[1]):
        ax.legend(frameon=False)
    return ax


def _label(name: str, what: str) -> str:
    return f"{name} {what}" if name else what


def _finished(r: Result) -> tuple[np.ndarray, np.ndarray]:
    done = r.fct["finished"]
    return r.fct["size_bytes"][done], r.fct["slowdown"][done]


def _sizes(ax: Axes) -> None:
    """Sizes as 10KB on a logarithmic horizontal axis."""

    def text(value: float, _: object) -> str:
        for factor, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "KB")):
            if value >= factor:
                return f"{value / factor:g}{unit}"
        return f"{value:g}B"

    ax.xaxis.set_major_formatter(FuncFormatter(text))
