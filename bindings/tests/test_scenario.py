"""Scenarios: what Python says is what the command would run."""

from __future__ import annotations

import copy
import pickle
import time

import numpy as np
import pandas as pd
import pytest
from conftest import BASELINES

import qbb
from qbb.table import rows_to_csv


def test_keywords_are_the_keys_of_a_file():
    s = qbb.Scenario(
        load=np.float64(0.25), duration="2ms", cc=qbb.Scheme("hpcc", target=0.9, fast_react=False), seed=np.int64(3),
        patterns=("permutation:1MB",), ecn={"mark": "off", "thresholds": [{"rate": "10Gbps", "kmin": "1KB", "kmax": "2KB", "pmax": 1}]},
        links=[{"at": "1ms", "down": "16-20"}], options={"rto": "1ms"},
    )
    text = s.text
    for line in ("load: 0.25", "duration: 2ms", "name: hpcc", "target: 0.9", "fast_react: false", "seed: 3", "mark: off",
                 "- permutation:1MB", "kmax: 2KB", "- at: 1ms", "down: 16-20", "rto: 1ms"):
        assert f" {line}\n" in text.replace("\n", " \n ").replace("  ", " ") or line in text, line
    assert qbb.Scenario.parse(text).text == text


def test_arrays_are_lists():
    patterns = ["permutation:1MB", "ring-all-reduce:1MB"]
    text = qbb.Scenario(patterns=patterns).text
    assert all(p in text for p in patterns)
    assert qbb.Scenario(patterns=np.array(patterns)).text == qbb.Scenario(patterns=pd.Series(patterns)).text == text
    assert "load: 0.25" in qbb.Scenario(load=np.array(0.25)).text


def test_defaults_are_those_of_the_command(command):
    printed = command("run", "--print-scenario", "--out", "out")
    assert qbb.Scenario().text == printed


def test_every_key_is_documented():
    names = [k["name"] for k in qbb.keys()]
    assert {"topology", "cc", "cc.name", "series.interval"} <= set(names)
    assert all(k["doc"] and k["type"] for k in qbb.keys())


def test_a_copy_is_another_scenario():
    base = qbb.Scenario(cc=qbb.Scheme("hpcc", target=0.9), load=0.3)
    other = base.replace(cc="dcqcn", load=0.5)
    assert "name: dcqcn" in other.text and "load: 0.5" in other.text
    assert "name: hpcc" in base.text and "load: 0.3" in base.text and "target: 0.9" in base.text


def test_sections_keep_other_keys_and_lists_and_parameters_do_not():
    base = qbb.Scenario(cc=qbb.Scheme("dctcp", g=0.5), series={"interval": "5us", "flows": "first:8"}, patterns=["permutation:1MB"])
    same = dict(cc="dctcp", series={"interval": "1us", "flows": "first:8"}, patterns=["ring-all-reduce:1MB"])
    changed = base.replace(cc={"params": {}}, series={"interval": "1us"}, patterns=["ring-all-reduce:1MB"])
    assert changed.text == qbb.Scenario(**same).text


def test_a_failed_change_changes_nothing():
    s = qbb.Scenario(load=0.3)
    with pytest.raises(qbb.Error):
        s.update(load=0.4, seed="x")
    assert "load: 0.3" in s.text


def test_flows_one_by_one():
    s = qbb.Scenario(topology="star:n=4,rate=10Gbps", workload="none")
    first = s.add_flow(0, 3, "1MB", "5us", tag="a,\"b\"")
    assert first == 0
    assert s.add_flow(1, 3, 2000, 7500, prio=4, scheme="dctcp") == 1
    assert s.add_flow(2, 3, "1KB", "1us", after=first) == 2
    fct = s.run().fct.to_pandas().set_index("flow_id").sort_index()
    assert fct["size_bytes"].tolist() == [1_000_000, 2000, 1000]
    assert fct["start_ns"][0] == 5000 and fct["start_ns"][1] == 7500
    assert fct["start_ns"][2] == fct["start_ns"][0] + fct["fct_ns"][0] + 1000
    assert fct["tag"][0] == 'a,"b"' and fct["scheme"].tolist() == ["hpcc", "dctcp", "hpcc"]
    assert fct["priority"].tolist() == [3, 4, 3] and fct["finished"].all()


@pytest.mark.parametrize("keys", [{"workload": "none"}, {"workload": "websearch", "duration": "200us"}])
def test_flows_are_added_in_any_order(keys):
    s = qbb.Scenario(topology="star:n=4", **keys)
    late = s.add_flow(0, 3, 1001, "90us")
    early = s.add_flow(1, 3, 1002, "10us")
    waits = s.add_flow(2, 3, 1003, "1us", after=early)
    same = s.add_flow(2, 3, 1004, "10us")
    assert (late, early, waits, same) == (0, 1, 2, 3)
    ids = s.flow_ids()
    assert s.flows()["bytes"][ids].tolist() == [1001, 1002, 1003, 1004]
    assert ids[early] < ids[waits] < ids[same] < ids[late]
    for each in s, s.replace(seed=2), pickle.loads(pickle.dumps(s)):
        fct = each.run().fct.to_pandas().set_index("flow_id").loc[each.flow_ids()]
        assert fct["size_bytes"].tolist() == [1001, 1002, 1003, 1004]
        start, end = fct["start_ns"].tolist(), (fct["start_ns"] + fct["fct_ns"]).tolist()
        assert start[late] == 90_000 and start[early] == start[same] == 10_000 and start[waits] == end[early] + 1000
    assert qbb.Scenario(topology="star:n=4").flow_ids().tolist() == []


def test_schedule_in_goal():
    result = qbb.Scenario(topology="star:n=4", schedule=BASELINES.parent / "training.goal").run()
    end = result.fct["start_ns"] + result.fct["fct_ns"]
    assert result.fct["tag"].tolist() == ["training"] * 72
    done = result.summary["schedule"]
    assert done["hosts"] == done["done"] == 4 and done["done_ns"] == pytest.approx(end.max() + 50_000, abs=10_000)
    operations = result.schedule.to_pandas()
    sends = operations[operations["kind"] == "send"].set_index("flow_id")
    flows = result.fct.to_pandas().set_index("flow_id").loc[sends.index]
    assert sends["begin_ns"].equals(flows["start_ns"]) and len(flows) == 72
    assert np.allclose(sends["end_ns"], flows["start_ns"] + flows["fct_ns"], rtol=0, atol=1e-3)


def test_schedule_of_chakra_traces():
    result = qbb.Scenario(topology="star:n=4", schedule=BASELINES.parent / "chakra").run()
    assert result.fct["tag"].tolist() == ["training"] * 72
    done = result.summary["schedule"]
    assert done["hosts"] == done["done"] == 4 and done["done_ns"] == pytest.approx(1.16e6, rel=0.01)
    assert done["computing_ns"] == 500_000 and done["exposed_ns"] == pytest.approx(done["done_ns"] - 500_000, abs=20)


@pytest.mark.parametrize("form", ["table", "frame", "dict", "records", "array"])
def test_flows_in_bulk_are_the_same_run(form):
    base = qbb.Scenario(topology="star:n=5", duration="300us", incast="4x10KB@100us", cc_by_tag={"incast": "dcqcn"})
    flows = base.flows()
    assert len(flows) > 10
    made = {"table": flows, "frame": flows.to_pandas(), "dict": {n: flows[n] for n in flows},
            "records": flows.to_pandas().to_dict("records"), "array": flows.to_pandas().to_records(index=False)}[form]
    again = qbb.Scenario(topology="star:n=5", flows=made)
    assert qbb.compare(base.run(), again.run()).identical


@pytest.mark.parametrize("kind", [np.array, pd.Series, list], ids=["array", "series", "list"])
@pytest.mark.parametrize("column, unit", [("start_s", 1), ("start_ns", 1e9)])
def test_starts_are_rounded_to_picoseconds(kind, column, unit):
    starts = np.array([1e-6, 3e-6, 7e-6], dtype="f4") * np.float32(unit)
    s = qbb.Scenario(topology="star:n=4", flows={"src": [0, 1, 2], "dst": [3, 3, 3], "bytes": [1, 1, 1], column: kind(starts)})
    assert s.flows()["start_ns"].tolist() == [1000, 3000, 7000]
    s = s.replace(flows={"src": [0], "dst": [3], "bytes": [1], column: [3 * 0.3e-6 * unit]})
    assert s.flows()["start_ns"].tolist() == [900]
    starts = {"start_s": [4e-13, 5e-13, 1.5e-12, 2.0025e-9], "start_ns": [0.0004, 0.0005, 0.0015, 2.0025]}
    s = s.replace(flows={"src": [0] * 4, "dst": [3] * 4, "bytes": [1] * 4, column: starts[column]})
    assert s.flows()["start_ns"].tolist() == [0, 0.001, 0.002, 2.003]  # a half goes up, however it is given
    for at, want in zip(starts["start_ns"], [0, 1, 2, 2003]):
        assert qbb.units.picoseconds(at) == qbb.units.picoseconds(f"{at}ns") == want and qbb.units.picoseconds(-at) == -want


@pytest.mark.parametrize("after", [[0, 1], (1, 0), range(2), np.array([0, 1]), pd.Series([1, 0]), "0 1"])
def test_a_flow_that_waits_for_several(after):
    s = qbb.Scenario(topology="star:n=4", workload="none")
    s.add_flow(0, 2, "1MB")
    s.add_flow(1, 3, "2MB")
    assert s.add_flow(2, 3, "1KB", "1us", after=after) == 2
    fct = s.run().fct.to_pandas().set_index("flow_id").sort_index()
    assert fct["start_ns"][2] == fct["fct_ns"][1] + 1000
    assert qbb.compare(s.run(), qbb.Scenario(topology="star:n=4", flows=s.flows()).run()).identical


@pytest.mark.parametrize("kind", [list, np.array])
def test_a_flow_waits_for_those_that_were_given(kind):
    """Not for what the list of them has got since."""
    s = qbb.Scenario(topology="star:n=4", workload="none")
    earlier = kind([0])
    s.add_flow(0, 3, 1000)
    s.add_flow(1, 3, 1000, after=earlier)
    s.add_flows({"src": [2], "dst": [3], "bytes": [1000], "start_ns": [0], "after": [earlier]})
    s.add_flow(2, 0, 1000)
    earlier[0] = 3
    assert s.flows()["after"].tolist() == ["", "0", "0", ""]


def test_columns_of_different_length_are_told_at_once():
    """Those of two tables, joined, could have the same length."""
    s = qbb.Scenario(topology="star:n=9")
    with pytest.raises(qbb.Error, match="^the columns of flows differ in length$"):
        s.add_flows({"src": [0, 1, 2], "dst": [3, 4], "bytes": [1, 2, 3], "start_ns": [0, 0, 0]})
    s.add_flows({"src": [0], "dst": [5], "bytes": [4], "start_ns": [0]})
    assert s.flows()["dst"].tolist() == [5]


def test_flows_of_a_run_are_run_with_another_scheme():
    base = qbb.Scenario(topology="star:n=5", duration="300us", incast="4x10KB@100us", cc_by_tag={"incast": "timely"})
    flows = base.flows()
    assert set(zip(flows["tag"], flows["scheme"])) == {("background", ""), ("incast", "timely")}
    fct = qbb.Scenario(topology="star:n=5", cc="dcqcn", flows=flows).run().fct
    assert set(zip(fct["tag"], fct["scheme"])) == {("background", "dcqcn"), ("incast", "timely")}


@pytest.mark.parametrize("missing", [None, float("nan"), np.float32("nan"), pd.NA])
def test_what_is_missing_in_flows_is_left_out(missing):
    rows = {"src": [0, 0], "dst": [1, 2], "bytes": [1000, 2000], "start_ns": [0, 5], "tag": ["a", missing], "after": [missing, 0]}
    for flows in (rows, pd.DataFrame(rows), pd.DataFrame(rows).astype({"tag": "category"}), pd.DataFrame(rows).convert_dtypes()):
        fct = qbb.Scenario(topology="star:n=3", flows=flows).run().fct
        assert fct["tag"].tolist() == ["a", ""]
        assert fct["start_ns"][1] == fct["fct_ns"][0] + 5


def test_flows_of_pyarrow():
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"src": [0, 1], "dst": [1, 2], "bytes": [1000, 2000], "start_ns": [0.0, 5.5], "tag": ["a", None]})
    fct = qbb.Scenario(topology="star:n=3", flows=table).run().fct
    assert fct["tag"].tolist() == ["a", ""] and fct["start_ns"].tolist() == [0, 5.5]


def test_patterns_begin_later_or_after_others():
    s = qbb.Scenario(topology="star:n=4", cc="none", patterns=[
        "one-one:1KB,hosts=0-1,tag=a,start=5us", "one-one:1KB,hosts=0-1,tag=b,after=a,start=2us"])
    flows = s.run().fct.to_pandas().set_index("tag")
    assert flows.start_ns["a"] == 5000
    assert flows.start_ns["b"] == pytest.approx(5000 + flows.fct_ns["a"] + 2000)
    with pytest.raises(qbb.Error, match='no pattern before this one has the tag "b"'):
        s.replace(patterns="one-one:1KB,after=b").flows()


def test_patterns_of_groups_tag_their_flows():
    s = qbb.Scenario(topology="star:n=8", cc="none", patterns=[
        "ring-all-reduce:4KB,2,1us,group=4,tag=tp{group}.{round}", "one-one:1KB,hosts=5,0,tag=pair"])
    r = s.run()
    flows = r.fct.to_pandas()
    flows["end_ns"] = flows.start_ns + flows.fct_ns
    by_tag = flows.groupby("tag")
    assert {tag: set(part.src) | set(part.dst) for tag, part in by_tag} == {
        "tp0.0": {0, 1, 2, 3}, "tp0.1": {0, 1, 2, 3}, "tp1.0": {4, 5, 6, 7}, "tp1.1": {4, 5, 6, 7}, "pair": {0, 5}}
    took = by_tag.end_ns.max() - by_tag.start_ns.min()
    for tag in r.summary["tags"]:
        assert tag["groups"] == 1 and tag["fastest_ns"] == tag["slowest_ns"] == pytest.approx(took[tag["tag"]])
    with pytest.raises(qbb.Error, match="hosts: node 8 is a switch"):
        s.replace(patterns="permutation:1KB,hosts=0-8").flows()


def test_flows_of_a_file_and_more(tmp_path):
    (tmp_path / "flow.csv").write_text("src,dst,bytes,start_ns\n0,2,1000,5\n")
    s = qbb.Scenario(topology="star:n=3", flows=tmp_path / "flow.csv")
    s.add_flow(1, 2, 3000, 10)
    assert s.flows()["bytes"].tolist() == [1000, 3000]
    assert pickle.loads(pickle.dumps(s)).flows()["bytes"].tolist() == [1000, 3000]


def test_many_flows_one_by_one():
    """A flow costs the same however many there are: ten times as many took a hundred times as long."""

    def seconds(flows):
        s = qbb.Scenario(topology="star:n=3")
        began = time.process_time()
        for i in range(flows):
            assert s.add_flow(0, 1, 1000, i) == i
        return time.process_time() - began

    assert seconds(20_000) < 100 * min(seconds(1_000) for _ in range(3))


def test_flows_are_handed_over_once(monkeypatch):
    """Not for every use and every copy, which took seconds for a million flows."""
    written = []

    def write(*args):
        written.append(args)
        return rows_to_csv(*args)

    monkeypatch.setattr(qbb.scenario, "rows_to_csv", write)
    s = qbb.Scenario(topology="star:n=3")
    s.add_flow(0, 1, 1000)
    for each in s, s.replace(seed=2), copy.copy(s).replace(seed=3):
        assert each.flows()["bytes"].tolist() == [1000] and "seed" in each.text and each.flow_ids().tolist() == [0]
    assert len(written) == 2  # a copy of copy.copy is one of pickle
    s.add_flow(0, 2, 2000, "1us")
    assert s.flows()["bytes"].tolist() == [1000, 2000] and s.replace(flows="").text == qbb.Scenario(topology="star:n=3").text
    s.add_flow(0, 9, 3000)
    for _ in range(2):
        with pytest.raises(qbb.Error, match="added flow 2"):
            s.flows()
    s.add_flows({"size": [1]})
    for _ in range(2):
        with pytest.raises(qbb.Error, match="no column 'size' in flows"):
            s.flows()
    assert s.replace(flows=[]).flows()["bytes"].tolist() == []


def test_no_flows_beside_some():
    s = qbb.Scenario(topology="star:n=3", flows=[]).add_flows([])
    assert s.add_flow(0, 1, 1000) == 0 and s.add_flow(0, 2, 2000) == 1
    for each in s, s.replace(seed=2), pickle.loads(pickle.dumps(s)):
        assert each.flows()["bytes"].tolist() == [1000, 2000]
        assert each.add_flow(1, 2, 3000) == 2


NONE = [[], {}, pd.DataFrame(), pd.DataFrame({"src": [], "dst": [], "bytes": [], "start_ns": []}), {"tag": []}]


@pytest.mark.parametrize("empty", NONE)
def test_a_table_without_rows_is_no_flows(empty, tmp_path):
    """Not the built-in workload: what a filter leaves of a table may be nothing."""
    (tmp_path / "flow.csv").write_text("src,dst,bytes,start_ns\n0,2,1000,5\n")
    some = qbb.Scenario(topology="star:n=4")
    some.add_flow(0, 1, 1000)
    for s in (
        qbb.Scenario(topology="star:n=4", flows=empty),
        qbb.Scenario(topology="star:n=4").add_flows(empty),
        some.replace(flows=empty),
        some.replace(flows=tmp_path / "flow.csv").replace(flows=empty),
    ):
        for each in s, s.replace(seed=2), pickle.loads(pickle.dumps(s)), copy.copy(s).replace(load=0.3):
            assert len(each.flows()) == len(each.run().fct) == 0
    copy.copy(some).add_flow(0, 1, 2000)
    assert some.flows()["bytes"].tolist() == [1000]


def test_a_workload_beside_a_table_without_rows():
    s = qbb.Scenario(topology="star:n=4", duration="300us", workload="websearch", flows=[])
    for each in s, pickle.loads(pickle.dumps(s)):
        assert set(each.flows()["tag"]) == {"background"}
    with pytest.raises(qbb.Error, match="no column 'size' in flows"):
        s.replace(flows={"size": []}).flows()


def test_new_flows_replace_all_others(tmp_path):
    file = tmp_path / "flow.csv"
    file.write_text("src,dst,bytes,start_ns\n0,2,1000,5\n")
    rows = [dict(src=1, dst=2, bytes=2000, start_ns=0)]
    s = qbb.Scenario(topology="star:n=4", flows=rows)
    s.add_flow(0, 1, 3000)
    assert s.replace(flows=file).flows()["bytes"].tolist() == [1000]
    assert s.replace(flows=file).replace(flows=rows).flows()["bytes"].tolist() == [2000]
    assert set(s.replace(flows="").flows()["tag"]) == {"background"}
    with pytest.raises(qbb.Error):
        s.update(flows=[], seed="x")
    assert s.flows()["bytes"].tolist() == [2000, 3000], "a failed change has changed them"


def test_config_txt_and_changes():
    s = qbb.Scenario.load(BASELINES / "dumbbell4-hpcc" / "config.txt", trace="")
    assert "profile: ns3" in s.text
    sizes = s.flows()["bytes"]
    assert pickle.loads(pickle.dumps(s)).flows()["bytes"].tolist() == sizes.tolist()
    assert "name: dcqcn" in s.replace(cc="dcqcn").text


def test_topology(tmp_path):
    t = qbb.Topology("fat-tree:k=4")
    assert len(t.hosts) == 16 and len(t.switches) == 20 and len(t.links) == 48
    t.save(tmp_path / "topology.txt")
    again = qbb.Topology(tmp_path / "topology.txt")
    assert pd.DataFrame.equals(t.links.to_pandas(), again.links.to_pandas())
    used = qbb.Scenario(topology="leaf-spine:leaves=2,spines=2,hosts=4", workload="websearch", incast="4x1KB").topology()
    assert len(used.hosts) == 8
    assert set(t.links["rate_bps"]) == {100_000_000_000}


def test_times_are_exact():
    from qbb.units import bits_per_second, nanoseconds, picoseconds, size

    assert picoseconds("1.5ns") == 1500 and picoseconds(2.5) == 2500 and nanoseconds("3us") == 3000
    assert bits_per_second("12.5GB/s") == 100_000_000_000 and size("64KiB") == 65536 and size(7) == 7
    assert picoseconds(np.int32(3_000_000)) == 3_000_000_000 and picoseconds(np.float32(3e6 + 1)) == 3_000_001_000
    for bad, what in ((picoseconds, "5"), (size, "x"), (bits_per_second, ""), (picoseconds, float("nan")), (size, 1e30)):
        with pytest.raises(qbb.Error):
            bad(what)
