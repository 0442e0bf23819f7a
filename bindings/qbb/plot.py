"""Charts on matplotlib. Every function draws on the axes given, or on new ones, and returns them.

slowdown, fct_cdf and queue_cdf take one result, or several by name: ``{"HPCC": a, "DCQCN": b}``. queue and rate
take one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from .errors import Error
from .result import Result

try:
    import matplotlib.pyplot as plt
    from matplotlib.axes import Axes
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
except ModuleNotFoundError as e:
    if e.name != "matplotlib":
        raise
    raise Error("charts need matplotlib: install qbb with its extra plot or all, or pip install matplotlib") from e

if TYPE_CHECKING:
    import pandas

Results = Result | Mapping[str, Result]

_STYLES = ("-", "--", ":", "-.")
_RATES = ("rate_bps", "goodput_bps")
_NOT_RECORDED = 'the run has recorded no time series of {}, or it was always zero: give series={{"interval": "1us", "flows": "first:8"}}'


def slowdown(results: Results, percentiles: Sequence[float] = (50, 99), bins: int = 12, ax: Axes | None = None) -> Axes:
    """Slowdown by size of message: a line per run and percentile.

    A bin holds the same share of the flows of all runs together; a point stands at its median
    size. Bins without a flow of a run are left out of its lines. Percentiles are by nearest rank, as in all tables.
    """
    runs, ax = _runs(results), _axes(ax)
    finished = {name: _finished(r) for name, r in runs.items()}
    sizes = np.concatenate([np.array([]), *(s for s, _ in finished.values())])
    edges = np.unique(np.quantile(sizes, np.linspace(0, 1, bins + 1))) if len(sizes) else np.array([0.0, 1.0])
    for i, (name, (size, slow)) in enumerate(finished.items()):
        which = np.clip(np.searchsorted(edges, size, side="right") - 1, 0, max(0, len(edges) - 2))
        present = np.unique(which)
        x = [np.median(size[which == b]) for b in present]
        for k, p in enumerate(percentiles):
            y = [np.percentile(slow[which == b], p, method="inverted_cdf") for b in present]
            ax.plot(x, y, marker="o", markersize=3, color=f"C{i}", linestyle=_STYLES[k % 4], label=_label(name, f"p{p:g}"))
    ax.set(yscale="log", xlabel="Size of message", ylabel="Slowdown")
    _spread(ax)
    _sizes(ax)
    ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
    ax.yaxis.set_minor_formatter(NullFormatter())
    if len(sizes):
        ax.set_ylim(top=ax.get_ylim()[1] * 1.3**len(runs))  # room for the legend
    return _end(ax, columns=len(percentiles))


def fct_cdf(results: Results, ax: Axes | None = None) -> Axes:
    """Distribution of flow completion times."""
    runs, ax = _runs(results), _axes(ax)
    for name, r in runs.items():
        x = np.sort(r.fct["fct_ns"][r.fct["finished"]]) / 1e3
        ax.step(x, np.arange(1, len(x) + 1) / max(1, len(x)), where="post", label=_label(name))
    ax.set(xlabel="Flow completion time (µs)", ylabel="Share of flows", ylim=(0, 1))
    _spread(ax)
    return _end(ax)


def queue_cdf(results: Results, node: SupportsIndex = -1, port: SupportsIndex = -1, ax: Axes | None = None) -> Axes:
    """Distribution of queue depths: of all switch ports together, or of one that every run has.

    The vertical axis begins where the distribution does: most samples see empty queues.
    """
    runs = _runs(results)
    if (node, port) != (-1, -1):
        for r in runs.values():
            _check_port(r, node, port)
    ax = _axes(ax)
    lowest = 1.0
    for name, r in runs.items():
        q = r.queue_cdf
        at = (q["node"] == node) & (q["port"] == port)
        x, y = q["upper_bytes"][at], q["cumulative"][at]
        if len(x):
            lowest = min(lowest, float(y[0]))
        ax.step(x, y, where="post", label=_label(name))
    ax.set(xlabel="Queue of a switch port", ylabel="Share of samples below", ylim=(max(0.0, lowest - 0.02), 1))
    _spread(ax)
    _sizes(ax)
    return _end(ax)


def queue(result: Result, ports: Sequence[tuple[SupportsIndex, SupportsIndex]] | None = None, ax: Axes | None = None) -> Axes:
    """Queues over time, recorded every ``series={"interval": "10us"}`` by default: of the ports given as (node,
    port), or of the three deepest. The line is the mean, the shade reaches to the extremes."""
    s = _metric(result, "queue_bytes")
    if ports is None:
        deepest = s.groupby(["node", "port"])["max"].max().sort_values(ascending=False, kind="stable")
        ports = list(deepest.index[:3])
    for node, port in ports:
        _check_port(result, node, port)
    ax = _axes(ax)
    for node, port in ports:
        _line(ax, s, (s["node"] == node) & (s["port"] == port), 1e3, f"node {node}, port {port}")
    ax.set(xlabel="Time (ms)", ylabel="Queue (KB)")
    ax.set_ylim(bottom=0)
    return _end(ax)


def rate(
    result: Result, flows: Sequence[SupportsIndex] | np.ndarray | None = None, metric: str = "rate_bps", ax: Axes | None = None
) -> Axes:
    """Rates over time, of a run with ``series={"flows": ...}``: of the flows
    given, or of the first eight. Metrics: rate_bps, what the scheme allows; goodput_bps, what
    arrives."""
    if metric not in _RATES:
        raise Error(f"metric {metric!r}: it must be {' or '.join(_RATES)}")
    s = _metric(result, metric)
    recorded = sorted(s["flow"].unique())
    flows = recorded[:8] if flows is None else flows
    for flow in flows:
        if flow not in recorded:
            raise Error(_NOT_RECORDED.format(f"{metric} of flow {flow}"))
    ids, tags = result.fct["flow_id"], result.fct["tag"]
    several = len(set(tags)) > 1
    ax = _axes(ax)
    for flow in flows:
        tag = tags[ids == flow][0] if several else ""
        _line(ax, s, s["flow"] == flow, 1e9, f"flow {flow} ({tag})" if tag else f"flow {flow}")
    ax.set(xlabel="Time (ms)", ylabel="Rate (Gb/s)")
    ax.set_ylim(bottom=0)
    return _end(ax)


def _check_port(result: Result, node: SupportsIndex, port: SupportsIndex) -> None:
    switches = result.ports["node_kind"] == "switch"
    if not np.any(switches & (result.ports["node"] == node) & (result.ports["port"] == port)):
        raise Error(f"node {node}, port {port}: there is no such port of a switch")


def _metric(result: Result, metric: str) -> pandas.DataFrame:
    if not isinstance(result, Result):
        raise Error("a chart over time is of one result; several share a chart if each is drawn on the same ax")
    s = result.series.to_pandas(categories=True)
    s = s[s["metric"] == metric]
    if s.empty:
        raise Error(_NOT_RECORDED.format(metric))
    return s


def _line(ax: Axes, all: pandas.DataFrame, which: pandas.Series[bool], unit: float, label: str) -> None:
    """A point stands in the middle of the time for which it stands. What was always zero has no points."""
    s = all[which]
    if s.empty:
        ax.plot([all["time_ns"].min() / 1e6, (all["time_ns"] + all["span_ns"]).max() / 1e6], [0, 0], linewidth=1, label=label)
        return
    x = (s["time_ns"] + s["span_ns"] / 2) / 1e6
    line = ax.plot(x, s["mean"] / unit, linewidth=1, label=label)[0]
    ax.fill_between(x, s["min"] / unit, s["max"] / unit, color=line.get_color(), alpha=0.2, linewidth=0)


def _runs(results: Results) -> Mapping[str, Result]:
    runs = {"": results} if isinstance(results, Result) else results
    if not isinstance(runs, Mapping) or not all(isinstance(r, Result) for r in runs.values()):
        raise Error('a chart is of one result, or of several by name, such as {"HPCC": a, "DCQCN": b}')
    return runs


def _axes(ax: Axes | None) -> Axes:
    return plt.subplots()[1] if ax is None else ax


def _end(ax: Axes, columns: int = 1) -> Axes:
    ax.grid(True, alpha=0.3)
    if any(ax.get_legend_handles_labels()[1]):
        ax.legend(frameon=False, fontsize="small", ncols=columns)
    return ax


def _label(name: object, what: str = "") -> str:
    text = what if name == "" else f"{name} {what}".rstrip()
    return f" {text}" if text.startswith("_") else text  # matplotlib leaves out of legends what begins with _


def _finished(r: Result) -> tuple[np.ndarray, np.ndarray]:
    done = r.fct["finished"]
    return r.fct["size_bytes"][done], r.fct["slowdown"][done]


def _spread(ax: Axes) -> None:
    """Makes the horizontal axis logarithmic if it holds a decade or more; in less, labels would collide."""
    drawn = [x for line in ax.get_lines() for x in np.asarray(line.get_xdata(), dtype=float) if x > 0]
    ax.set_xscale("log" if drawn and max(drawn) >= 10 * min(drawn) else "linear")


def _sizes(ax: Axes) -> None:
    """Sizes as 10KB on the horizontal axis."""

    def text(value: float, _: object) -> str:
        for factor, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "KB")):
            if value >= factor:
                return f"{value / factor:g}{unit}"
        return f"{value:g}B"

    ax.xaxis.set_major_formatter(FuncFormatter(text))
