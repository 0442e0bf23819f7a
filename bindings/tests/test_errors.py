"""Mistakes raise qbb.Error with the simulator's one line."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import qbb


@pytest.mark.parametrize(
    "keys, text",
    [
        (dict(lod=0.3), 'unknown key "lod": did you mean load?'),
        (dict(load="fast"), 'load: "fast" is not a number of at least 0'),
        (dict(load=0), "load: 0 must be above 0 and at most 2, such as 0.5 for 50 %"),
        (dict(cc=None), "cc has no value: write none to do without"),
        (dict(cc="hpc"), 'cc: no scheme "hpc"; did you mean hpcc'),
        (dict(cc=qbb.Scheme("hpcc", targt=1)), 'cc.params.targt: no parameter "targt"; did you mean "target"?'),
        (dict(topology="fat-tre"), 'topology "fat-tre": there is no such file'),
        (dict(topology="fat-tree:k=3"), "fat-tree"),
        (dict(duration="5"), '"5" has no unit; write a duration such as 5us'),
        (dict(links=[{"at": "1ms", "down": "0-1"}]), "no link joins nodes 0 and 1"),
        (dict(series={"interval": "1us", "flows": "x"}), 'series.flows: "x" is no flow'),
        (dict(load=object), "load is a type; write a text, a number, a list or a dict"),
        (dict(duration=np.timedelta64(1, "ms")), "duration is a timedelta;"),
        (dict(series={"interval": {1}}), "series.interval is a set;"),
        (dict(patterns=["permutation:1MB", None, b"x"]), "patterns is a bytes;"),
        (dict(cc=qbb.schemes()["hpcc"]), "cc is a SchemeInfo;"),
        (dict(topology=qbb.Topology("star:n=3")), "topology is a Topology; save it, and give the name of the file"),
        (dict(workload=qbb.Sizes("WebSearch")), "workload is a Sizes; save it, and give the name of the file"),
        (dict(load=np.array([0.3, 0.5])), "load needs a single value"),
        (dict(out="x"), "give the folder to run"),
        (dict(flows="nowhere.txt"), "nowhere.txt"),
    ],
)
def test_scenario(keys, text):
    with pytest.raises(qbb.Error) as e:
        qbb.Scenario(**keys).run()
    assert text in str(e.value)
    assert "\n" not in str(e.value)


def test_arguments():
    """Errors name the argument."""
    s = qbb.Scenario(topology="star:n=3")
    for wrong, text in (
        (lambda: s.add_flow(0, 1, None), "bytes: None is not a number of bytes"),
        (lambda: s.add_flow(0, 1, 1.5), "bytes: 1.5 is not a whole number of bytes"),
        (lambda: s.add_flow(0, 1, np.float32(0.5)), "is not a whole number of bytes"),
        (lambda: s.add_flow(0, 1, "1000.5"), 'bytes: "1000.5" is not a whole number of bytes'),
        (lambda: qbb.Scenario(mtu=1000.5), 'mtu: "1000.5" is not a whole number of bytes'),
        (lambda: qbb.Sizes.of([(1.5, 100)]), "size: 1.5 is not a whole number of bytes"),
        (lambda: qbb.Scheme("hpcc").sender(mtu=1000.5), "mtu: 1000.5 is not a whole number of bytes"),
        (lambda: s.add_flow(0, 1, "1MB", "soon"), 'start: "soon" is not a duration'),
        (lambda: qbb.run_many([s], workers=0), "workers is 0"),
        (lambda: qbb.run_many({1: s, "1": s}, out="x"), "two of the keys [1, '1'] give a folder"),
        (lambda: qbb.run_many({"a": s, "./a/": s}, out="x"), "two of the keys ['a', './a/'] give a folder"),
        (lambda: qbb.Sizes.fit([]), "a sample of 0 sizes"),
        (lambda: qbb.Sizes("WebSearch").sample(1.5), "n: 1.5 is not a whole number"),
        (lambda: s.run(out=""), "out: the folder has no name"),
        (lambda: s.run(out=5), "out: 5 is no name of a file or folder"),
        (lambda: s.start(out=b"x"), "out: b'x' is no name of a file or folder"),
        (lambda: qbb.run_many([s], out=5), "out: 5 is no name"),
        (lambda: qbb.Scenario.load(None), "path: None is no name"),
        (lambda: qbb.Topology(None), "spec: None is no name"),
        (lambda: qbb.Sizes(None), "name: None is no name"),
        (lambda: qbb.load_table("fct", None), "path: None is no name"),
        (lambda: qbb.run_many([s], workers="2"), "workers: '2' is not a whole number"),
        (lambda: qbb.run_many([s], workers=1.5), "workers: 1.5 is not a whole number"),
        (lambda: qbb.Sizes.fit([1, 2], points=1.5), "points: 1.5 is not a whole number"),
        (lambda: s.run(threads="2"), "threads: '2' is not a whole number"),
        (lambda: s.start().run_until([1]), "[1] is not a number of nanoseconds"),
        (lambda: list(s.start().steps(None)), "None is not a number of nanoseconds"),
        (lambda: qbb.Scenario.parse("cc: a\0b"), "a text cannot be passed on: embedded null character"),
        (lambda: qbb.Scenario(cc="\ud800"), "a text cannot be passed on: 'utf-8' codec"),
        (lambda: qbb.Scheme("hpcc").sender().feed(["ack"]), "'ack' is no Signal"),
        (lambda: qbb.Scheme("hpcc").sender().ack("10us", hops=[1]), "hops: 1 is no Hop"),
    ):
        with pytest.raises(qbb.Error) as e:
            wrong()
        assert text in str(e.value)
    with pytest.raises(TypeError, match="'a' is no Scenario"):
        qbb.run_many({"a": 3})


def test_flows():
    s = qbb.Scenario(topology="star:n=3")
    for flows, text in (
        ([dict(src=0, dst=9, bytes=1, start_ns=0)], 'added flow 0: flow end is no node "9"'),
        ([dict(src=0, dst=1, bytes=0, start_ns=0)], 'added flow 0: bytes is out of range "0"'),
        ([dict(src=0, dst=1, bytes=1, start_ns=0), dict(src=0, dst=0, bytes=1, start_ns=0)], "added flow 1: flow from a host to itself"),
        ([dict(src=0, dst=1, size=1, start_ns=0)], "no column 'size' in flows"),
        (dict(src=[0, 1], dst=[1], bytes=[1, 1], start_ns=[0, 0]), "differ in length"),
        ([dict(src=0, dst=1, bytes=1, start_ns=0, tag="a\nb")], "is one line"),
        (dict(src=0, dst=1, bytes=1, start_ns=0), "the column src of flows is 0: a dict of columns has lists or arrays"),
        (5, "flows are a DataFrame, a Table, a structured array, a dict of columns, or a list of dicts"),
        (dict(src=np.array(0), dst=[1], bytes=[1], start_ns=[0]), "the column src of flows is array(0): a dict of columns has lists"),
        (np.zeros((2, 4)), "flows are a DataFrame, a Table, a structured array, a dict of columns, or a list of dicts"),
    ):
        with pytest.raises(qbb.Error) as e:
            s.replace(flows=flows).run()
        assert text in str(e.value)


@pytest.mark.parametrize("made", [qbb.Topology("star:n=3"), qbb.Sizes("WebSearch")], ids=["topology", "sizes"])
def test_what_cannot_be_saved(made, tmp_path):
    (tmp_path / "taken").mkdir()
    for path, text in (
        (tmp_path / "taken", "taken: Is a directory"),
        (tmp_path / "none" / "x.txt", "x.txt: No such file or directory"),
        ("a\0b", "a text cannot be passed on: embedded null"),
        (None, "path: None is no name of a file or folder"),
    ):
        with pytest.raises(qbb.Error) as e:
            made.save(path)
        assert text in str(e.value) and "\n" not in str(e.value)


def test_files(tmp_path):
    with pytest.raises(qbb.Error, match="no such file"):
        qbb.Scenario.load(tmp_path / "none.yaml")
    bad = tmp_path / "bad.yaml"
    bad.write_text("load: 0.5\nseed: x\n")
    with pytest.raises(qbb.Error) as e:
        qbb.Scenario.load(bad)
    assert str(e.value).startswith(f"{bad}:2: seed:")
    with pytest.raises(qbb.Error, match="not the folder of a run"):
        qbb.Result.load(tmp_path)
    for text in "{}", "[]", "1":
        (tmp_path / "summary.json").write_text(text)
        with pytest.raises(qbb.Error, match="not the folder of a run: summary.json holds something else"):
            qbb.Result.load(tmp_path)
    with pytest.raises(qbb.Error, match="not a Parquet file"):
        qbb.load_table("ports", bad)
    with pytest.raises(qbb.Error, match='no table "x": there are dcms, dcms_counters, fct'):
        qbb.load_table("x", bad)
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(qbb.Error):
        qbb.Scenario(topology="star:n=3", duration="1us").run(out=blocked)


def test_steps(small):
    with small.start() as sim:
        for step in (0, "-1us"):
            with pytest.raises(qbb.Error, match="leads nowhere"):
                next(sim.steps(step))
        with pytest.raises(qbb.Error, match="before its start"):
            sim.run_until(-1)
        result = sim.finish()
        with pytest.raises(qbb.Error, match="the simulation is closed"):
            sim.run_until("1s")
        assert sim.finish().summary == result.summary


def test_comparing_what_is_no_run(small):
    result = small.run()
    for other, text in (
        (result.ports, "a table fct is needed, not ports"), (result.slowdown, "a table fct is needed, not slowdown"), (5, "5 is no run"),
    ):
        with pytest.raises(qbb.Error, match=text):
            qbb.compare(result, other)


def test_what_runs_in_go_is_not_copied(small):
    """A copy of gopy's handle would free the object twice, which ends the process; one of what holds it would share
    what runs, and a simulation would be closed with the first of the two."""
    for thing in small.start(), qbb.Scheme("hpcc").sender(), qbb.Topology("star:n=3"):
        for make in copy.copy, copy.deepcopy, pickle.dumps:
            with pytest.raises(qbb.Error, match="cannot be copied"):
                make(thing)


def test_kinds_of_errors():
    from qbb._border import _translate

    assert type(_translate("internal error: boom\nstack")) is qbb.InternalError
    assert issubclass(qbb.InternalError, qbb.Error) and issubclass(qbb.Interrupted, KeyboardInterrupt)
    assert str(pickle.loads(pickle.dumps(qbb.Error("text")))) == "text"
