"""Closed loops: flows that a program adds while a run is under way."""

from __future__ import annotations

import numpy as np
import pytest

import qbb


@pytest.fixture
def idle() -> qbb.Scenario:
    return qbb.Scenario(topology="star:n=9", workload="none", cc="dcqcn")


def test_a_server_answers(idle, tmp_path):
    with idle.start(out=tmp_path, closed_loop=True) as sim:
        assert [sim.add_flow(worker, 8, "100KB", tag="gradient") for worker in range(8)] == list(range(8))
        ends = []
        while (flow := sim.next_end()) is not None:
            ends.append(sim.now_ns)
            if flow < 24:  # three answers, in turn
                sim.add_flow(8, flow % 8, "10KB", sim.now_ns + 1000, tag="answer")
        result = sim.finish()
    fct = result.fct.to_pandas().set_index("flow_id")
    assert len(fct) == len(ends) == 32 and fct["finished"].all() and not result.interrupted
    assert ends == sorted((fct["start_ns"] + fct["fct_ns"]).round(3))
    answers = fct[fct["tag"] == "answer"]
    assert (answers["start_ns"].to_numpy() == (np.array(ends[:24]) + 1000).round(3)).all()
    assert qbb.Result.load(tmp_path).fct.to_pandas().set_index("flow_id").equals(fct)


def test_as_flows_that_are_known_before(idle):
    rng = np.random.default_rng(4)
    known = idle.replace()
    with idle.start(closed_loop=True) as sim:
        for start in np.cumsum(rng.integers(1, 30_000, 40)):
            src, dst = rng.choice(9, 2, replace=False)
            flow = int(src), int(dst), int(rng.integers(1, 300_000))
            sim.run_until(float(start) - 0.25)
            sim.add_flow(*flow, float(start))
            known.add_flow(*flow, float(start))
        grown = sim.run()
    assert qbb.compare(grown, known.run()).identical


def test_a_ring_of_arrivals_is_the_pattern(idle):
    hosts, size = 9, 90_000
    pattern = idle.replace(patterns=f"ring-all-reduce:{size}B,2", workload="none").run()
    with idle.start(closed_loop=True) as sim:
        steps = {sim.add_flow(host, (host + 1) % hosts, size // hosts): (host, 1) for host in range(hosts)}
        while (flow := sim.next_arrival()) is not None:
            host, step = steps[flow]
            if step < 4 * (hosts - 1):
                steps[sim.add_flow((host + 1) % hosts, (host + 2) % hosts, size // hosts)] = (host + 1) % hosts, step + 1
        assert sorted(steps) == sorted(sim.next_end() for _ in steps)
        ring = sim.finish()
    assert ring.summary["traffic"] == pattern.summary["traffic"] and len(ring.fct) == len(pattern.fct)


def test_time_goes_on_without_flows(idle):
    with idle.start(closed_loop=True) as sim:
        assert sim.next_end("3s") is None and sim.now_ns == 3e9
        assert sim.run_until("4s") and not sim.over
        flow = sim.add_flow(0, 1, 1000)
        assert sim.run_until("5s") and sim.next_end("6s") == flow and sim.now_ns == 5e9  # it ended before
        assert sim.next_end() is None and sim.next_end() is None
        assert sim.add_flow(1, 0, 1000) == 1 and sim.next_end() == 1
        assert list(sim.fct["fct_ns"] == sim.fct["ideal_fct_ns"]) == [True, True]


def test_schemes_and_classes_of_the_scenario(idle):
    mixed = idle.replace(cc_by_tag={"bulk": "cubic"}, class_by_tag={"bulk": 1}, lossy="1", workload="websearch", duration="10us")
    with mixed.start(closed_loop=True) as sim:
        own = len(sim.fct)
        sim.add_flow(0, 1, "1MB", tag="bulk")
        sim.add_flow(2, 1, "1MB", scheme="cubic", prio=2)
        sim.add_flow(3, 1, "1MB")
        fct = sim.run().fct
    last = [list(fct["flow_id"]).index(own + i) for i in range(3)]
    assert list(fct["scheme"][last]) == ["cubic", "cubic", "dcqcn"] and list(fct["priority"][last]) == [1, 2, 3]


def test_mistakes(idle):
    with idle.start(closed_loop=True) as sim:
        sim.run_until("1us")
        for mistake, flow in {
            'flow 0: flow end is no node "10": nodes are numbered from 0 to 9': dict(src=0, dst=10, bytes=1),
            'flow 0: flow end is a switch: "9": flows run between hosts': dict(src=0, dst=9, bytes=1),
            "flow 0: it starts at 500ns, and it is 1us now": dict(src=0, dst=1, bytes=1, start=500),
            'flow 0: the run has no scheme "hpcc", but dcqcn: cc_by_tag gives more to tags': dict(src=0, dst=1, bytes=1, scheme="hpcc"),
            "flow 0: prio": dict(src=0, dst=1, bytes=1, prio=9),
        }.items():
            with pytest.raises(qbb.Error) as e:
                sim.add_flow(**flow)
            assert mistake in str(e.value)
        assert len(sim.fct) == 0
    with idle.replace(stop="1us").start(closed_loop=True) as sim:
        assert not sim.run_until("2us")
        with pytest.raises(qbb.Error, match="the run has ended"):
            sim.add_flow(0, 1, 1)
    with idle.start() as sim:
        for call in (lambda: sim.add_flow(0, 1, 1), sim.next_end, sim.next_arrival):
            with pytest.raises(qbb.Error, match="no closed loop: start it with closed_loop=True"):
                call()
