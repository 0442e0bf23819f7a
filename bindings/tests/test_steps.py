"""A run under way: steps, what they show, progress."""

from __future__ import annotations

import json
import os

import pytest
from conftest import BASELINES

import qbb


def test_steps_show_the_run(small, tmp_path):
    with small.start(out=tmp_path / "a") as sim:
        assert sim.run_until("50us") and sim.now_ns == 50_000
        ends, deepest, running = [], 0, 0
        for s in sim.steps("10us", until="300us"):
            assert s is sim
            ends.append(s.now_ns)
            queues, flows = s.queues(), s.running()
            deepest, running = max(deepest, int(queues["queue_bytes"].max())), max(running, len(flows))
            assert (flows["acked_bytes"] <= flows["size_bytes"]).all() and (flows["rate_bps"] > 0).all()
            assert (flows["window_bytes"] == -1).all()  # DCQCN has none
        assert ends == [60_000.0 + 10_000 * i for i in range(25)]
        assert deepest > 0 and running > 2
        assert len(sim.ports) == 18 and len(sim.pfc) > 0 and len(sim.queue_cdf) > 0 and len(sim.series) > 0
        half = len(sim.fct)
        assert repr(sim) == f"<qbb.Simulation at 0.3 ms, {sim.progress.flows_ended} of {half} flows ended>"
        assert not sim.over and sim.fct["finished"].sum() < half
        result = sim.run()
    assert result.fct["finished"].all() and len(result.fct) == half and not result.interrupted
    assert qbb.compare(result, small.run()).identical


def test_a_congestion_manager_at_work(managed):
    with managed.start() as sim:
        assert len(sim.dcms) == len(sim.dcms_counters) == 0
        sim.run_until("100us")
        found = len(sim.dcms_counters)
        assert 0 < found and set(sim.dcms_counters["time_ns"]) <= {20_000.0 * i for i in range(1, 6)}
        result = sim.run()
    assert len(result.dcms) == result.summary["credits"]["settings"] > 0 and len(result.dcms_counters) > found


def test_a_schedule_at_work():
    with qbb.Scenario(topology="star:n=4", schedule=BASELINES.parent / "training.goal").start() as sim:
        sim.run_until("400us")
        now = sim.schedule
        under_way = (now["begin_ns"] >= 0) & (now["end_ns"] == -1)
        assert under_way.any() and 0 < (now["end_ns"] >= 0).sum() < len(now) and now["end_ns"].max() <= 400_000
        done = sim.run().schedule
    assert len(done) == len(now) and (done["begin_ns"] >= 0).all() and (done["end_ns"] >= done["begin_ns"]).all()


def test_threads_change_nothing(small, tmp_path):
    base = small.replace(topology="leaf-spine:leaves=2,spines=2,hosts=5,delay=2us")  # long enough for parts
    for threads in 1, 2:
        result = base.run(out=tmp_path / str(threads), threads=threads)
        assert result.summary["machine"]["parts"] >= min(threads, os.cpu_count())
    for name in "fct.parquet", "ports.parquet", "series.parquet":
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes(), name
    with base.start(threads=2) as sim:
        assert sum(1 for _ in sim.steps("20us", until="200us")) == 10
        assert qbb.compare(sim.run(), base.run()).identical
    with pytest.raises(qbb.Error, match="threads: 0 must be from 1"):
        base.run(threads=0)


def test_progress(small):
    seen: list[qbb.Progress] = []
    result = small.run(progress=seen.append)
    assert seen and seen[-1].over and seen[-1].share == 1
    assert seen[-1].flows_ended == seen[-1].flows_total == len(result.fct)
    assert seen[-1].hops == result.summary["packets"]["hops"] and seen[-1].stop_ns is None


def test_a_failing_callback_ends_the_run(small, tmp_path):
    def fail(p: qbb.Progress) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        small.run(out=tmp_path, progress=fail)
    assert list(tmp_path.iterdir()) == []


def test_bar(small, capsys):
    small.run(progress=True)
    assert "flows" in capsys.readouterr().err


def test_finishing_early(endless, tmp_path):
    with endless.start(out=tmp_path) as sim:
        sim.run_until("100us")
        result = sim.finish()
    assert result.interrupted and result.summary["end_ns"] == 100_000
    assert (tmp_path / "fct.parquet").exists()


def test_an_interrupted_run_has_the_rows_of_its_files(tmp_path):
    """Also where parts of the network are at different times then."""

    def interrupt(_):
        raise KeyboardInterrupt

    scenario = qbb.Scenario(topology="fat-tree:k=4", workload="googlerpc2008", load=0.6, duration="1ms")
    with pytest.raises(qbb.Interrupted) as interrupted:
        scenario.run(out=tmp_path, threads=2, progress=interrupt)
    files = qbb.Result.load(tmp_path)
    for kind in "fct", "pfc", "ports":
        ours, written = getattr(interrupted.value.result, kind), getattr(files, kind)
        assert len(ours) == len(written) and all((ours[c] == written[c]).all() for c in ours)


@pytest.mark.parametrize("calls", [1, 2, 4, 9])
def test_ctrl_c_while_the_result_is_collected(small, tmp_path, monkeypatch, calls):
    """It comes after a call of Go; the files are complete, and the result is that of the whole run."""
    whole = small.run(out=tmp_path)
    sim, left = small.start(out=tmp_path), [calls]
    sim.run_until(None)

    def interrupted(function, *args):
        value = qbb._border.call(function, *args)
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt
        return value

    monkeypatch.setattr(qbb.simulation, "call", interrupted)
    monkeypatch.setattr(qbb.simulation, "describe", lambda *args: json.loads(interrupted(*args)))
    with pytest.raises(qbb.Interrupted) as ended:
        sim.finish()
    result = ended.value.result
    assert left[0] <= 0 and not result.interrupted and result.files == whole.files
    for kind in "fct", "pfc", "ports", "series", "queue_cdf":
        ours, theirs = getattr(result, kind), getattr(whole, kind)
        assert len(ours) == len(theirs) and all((ours[c] == theirs[c]).all() for c in ours)


def test_leaving_without_finishing_leaves_nothing(small, tmp_path):
    with small.start(out=tmp_path) as sim:
        sim.run_until("100us")
        assert list(tmp_path.iterdir())  # under temporary names
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_is_over_stays_as_it_is(small):
    with small.start() as sim:
        assert not sim.run_until(None)
        end = sim.now_ns
        assert not sim.run_until("1s") and sim.now_ns == end and list(sim.steps("1us")) == []
        assert sim.finish().summary["end_ns"] == end
