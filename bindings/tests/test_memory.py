"""What is let go is gone, and a million flows fit."""

from __future__ import annotations

import gc
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import qbb
from qbb._native import _native
from qbb.table import rows_to_csv


def handles() -> int:
    """Go objects that Python holds."""
    gc.collect()
    return _native.NumHandles()


def test_a_running_simulation_is_collected(endless, tmp_path):
    before = handles()
    sim = endless.start(out=tmp_path)
    sim.run_until("100us")
    table = sim.fct
    assert handles() > before and list(tmp_path.iterdir())
    del sim
    gc.collect()
    assert list(tmp_path.iterdir()) == []
    assert len(table["fct_ns"]) == len(table)  # lives on by itself
    del table
    assert handles() == before


def test_a_running_simulation_in_a_cycle_is_collected(endless, tmp_path):
    """As an exception that is kept holds one: the collector calls __del__ in any order there."""
    before = handles()
    for i in range(3):
        sim = endless.start(out=tmp_path / str(i))
        sim.run_until("10us")
        sim.itself = sim
        del sim
    assert handles() == before
    assert [f for folder in tmp_path.iterdir() for f in folder.iterdir()] == []


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc to see the memory of the process")
def test_a_hundred_runs_leave_nothing():
    scenario = qbb.Scenario(topology="star:n=5", duration="100us", incast="4x50KB@50us", series={"interval": "1us"})

    def resident() -> int:
        gc.collect()
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    def some(runs: int) -> None:
        for _ in range(runs):
            result = scenario.run()
            result.fct.to_pandas()
            result.slowdown.to_pandas()

    some(20)
    objects, memory = handles(), resident()
    some(100)
    assert handles() == objects
    assert resident() - memory < 20e6


def test_flows_are_written_row_by_row():
    """All cells at once took fifteen times the memory of the text."""
    rows = {name: list(range(100_000)) for name in ("src", "dst", "bytes", "start_ns")}
    tracemalloc.start()
    try:
        text = rows_to_csv(rows, list(rows))
        assert tracemalloc.get_traced_memory()[1] < 6 * len(text)
    finally:
        tracemalloc.stop()


def test_a_million_flows():
    n = 1_000_000
    rng = np.random.default_rng(1)
    src = rng.integers(0, 8, n)
    scenario = qbb.Scenario(topology="star:n=9,rate=400Gbps", cc="none", queue_sampling={"interval": "0s"})
    scenario.add_flows({"src": src, "dst": (src + rng.integers(1, 8, n)) % 8, "bytes": np.full(n, 64), "start_ns": np.arange(n) * 5})
    result = scenario.run()
    assert len(result.fct) == n and result.fct["finished"].all()
    assert len(result.fct.to_pandas(categories=True)) == n
    np.testing.assert_array_equal(np.sort(result.fct["flow_id"]), np.arange(n))
