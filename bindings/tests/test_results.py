"""Results: the command's bytes, the documented columns, and every reader of Parquet."""

from __future__ import annotations

import json
import os
import pickle
import stat
import subprocess
import sys
import threading

import numpy as np
import pandas as pd
import pytest
from conftest import BASELINES

import qbb

TABLES = ["fct", "pfc", "ports", "queue_cdf", "series"]
MANAGER = ["dcms", "dcms_counters"]  # of a congestion manager
SCHEDULE = ["schedule"]
ALL = TABLES + MANAGER + SCHEDULE


def files(folder) -> dict[str, bytes]:
    """The files of a run; of summary.json what does not depend on the machine."""
    content = {p.name: p.read_bytes() for p in folder.iterdir()}
    summary = json.loads(content["summary.json"])
    del summary["machine"]
    return content | {"summary.json": json.dumps(summary).encode()}


CASES = ["dumbbell4-hpcc", "dumbbell4-dcqcn", "fat16-loss-hpcc", "fat16-linkdown-dcqcn", "star61-incast60-timely"]


@pytest.mark.parametrize("case", CASES)
def test_baselines_are_the_commands_byte_for_byte(case, command, tmp_path, monkeypatch):
    """Run whole by the command, in steps by Python: the same files, which are the reference's."""
    config = BASELINES / case / "config.txt"
    (tmp_path / "a").mkdir()
    monkeypatch.chdir(tmp_path / "a")
    command("run", config, "--quiet", "--out", tmp_path / "a", "--set", "files.fct=fct.txt", "--set", "files.pfc=pfc.txt")
    names = {"fct": "fct.txt", "pfc": "pfc.txt"}
    with qbb.Scenario.load(config, files=names).start(out=tmp_path / "b") as sim:
        for _ in sim.steps("1ms", until="2002ms"):
            pass
        result = sim.run()
    a, b = files(tmp_path / "a"), files(tmp_path / "b")
    assert a.keys() == b.keys() and [name for name in a if a[name] != b[name]] == []
    assert b["fct.txt"] == (BASELINES / case / "fct.txt").read_bytes()
    assert len(result.fct) == result.summary["flows"]["total"]
    assert sorted(p.name for p in result.files) == sorted(a)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run with rows in every table but those of a manager and of a schedule, and the folder of its files."""
    folder = tmp_path_factory.mktemp("run")
    scenario = qbb.Scenario(
        topology="star:n=9,rate=25Gbps", load=0.3, duration="500us", incast="8x200KB@100us", cc="dcqcn", cc_by_tag={"incast": "none"},
        buffer="1500KB", seed=5, series={"interval": "1us", "flows": "first:5"}, stop="1ms",
    )
    return scenario.run(out=folder), folder


@pytest.fixture(scope="module")
def run_of_manager(managed, tmp_path_factory):
    """A run with rows in the manager's tables, and the folder of its files."""
    folder = tmp_path_factory.mktemp("managed")
    return managed.run(out=folder), folder


@pytest.fixture(scope="module")
def run_of_schedule(tmp_path_factory):
    """A run with rows of a schedule, not all of which it comes to, and the folder of its files."""
    folder = tmp_path_factory.mktemp("scheduled")
    return qbb.Scenario(topology="star:n=4", schedule=BASELINES.parent / "training.goal", seed=5, stop="1ms").run(out=folder), folder


@pytest.fixture
def having(run, run_of_manager, run_of_schedule):
    """A run with rows in a table, and the folder of its files."""
    return lambda kind: run_of_manager if kind in MANAGER else run_of_schedule if kind in SCHEDULE else run


@pytest.mark.parametrize("kind", ALL)
def test_tables_have_the_documented_columns(having, kind):
    table = getattr(having(kind)[0], kind)
    assert len(table) > 0
    manual = qbb.schemas()[f"{kind}.parquet"]["columns"]
    columns = [c for c in manual if c["type"] != "metric"]
    assert [(c["name"], c["unit"], c["doc"]) for c in columns] == [(c.name, c.unit, c.doc) for c in table.columns.values()]
    frame = table.to_pandas()
    assert frame.attrs["units"] == table.units == {c["name"]: c["unit"] for c in columns}
    kinds = {"int32": "int32", "int64": "int64", "double": "float64", "boolean": "bool"}
    for c in columns:
        assert frame[c["name"]].dtype == kinds.get(c["type"], frame[c["name"]].dtype), c


@pytest.mark.parametrize("kind", ALL)
def test_parquet_is_read_by_all(having, kind):
    """pyarrow, pandas, duckdb and polars see what Python has in memory."""
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    parquet = pytest.importorskip("pyarrow.parquet")
    result, folder = having(kind)
    file = folder / f"{kind}.parquet"
    table = getattr(result, kind)
    read = {
        "pyarrow": parquet.read_table(file).to_pydict(),
        "pandas": pd.read_parquet(file),
        "duckdb": duckdb.sql(f"SELECT * FROM '{file}'").fetchnumpy(),
        "polars": polars.read_parquet(file).to_dict(as_series=False),
    }
    for reader, columns in read.items():
        assert list(columns.keys()) == table.keys(), reader
        for name in table:
            np.testing.assert_array_equal(np.asarray(columns[name]), table[name], err_msg=f"{reader}: {name}")
    assert parquet.read_metadata(file).metadata[b"seed"] == b"5"


@pytest.mark.parametrize("kind", ["fct", "dcms", "schedule"])
def test_results_of_the_command_are_read(having, kind):
    result, folder = having(kind)
    again = qbb.Result.load(folder)
    for kind in ALL:
        pd.testing.assert_frame_equal(getattr(again, kind).to_pandas(), getattr(result, kind).to_pandas())
    assert again.compare(result).identical
    assert qbb.Scenario.parse(again.scenario).text == qbb.Scenario.parse(result.scenario).text


def test_tables_of_an_earlier_run_in_the_folder(tmp_path):
    optional = {"queue_cdf.parquet", "series.parquet"}
    first = qbb.Scenario(topology="star:n=3", duration="50us").run(out=tmp_path)
    tables = {name: (tmp_path / name).read_bytes() for name in optional}
    bare = qbb.Scenario(topology="star:n=3", duration="50us", queue_sampling={"interval": "0s"}, series={"interval": "0s"})
    r = bare.run(out=tmp_path)
    assert not optional & set(os.listdir(tmp_path)), "the run has left them"
    for name, content in tables.items():
        (tmp_path / name).write_bytes(content)
    again = qbb.Result.load(tmp_path)
    assert len(again.fct) == len(r.fct) > 0
    assert len(again.queue_cdf) == len(again.series) == 0, "they are read"
    again.save(tmp_path)
    assert not optional & set(os.listdir(tmp_path)), "save has left them"
    first.save(tmp_path)
    assert optional <= set(os.listdir(tmp_path))


def test_saved_in_utf_8(tmp_path):
    """Whatever the locale."""
    script = r"""
import qbb, sys
s = qbb.Scenario(topology="star:n=3", workload="none", cc_by_tag={"\u20ac": "dcqcn"})
s.add_flow(0, 1, 1000, tag="\u20ac")
s.run().save(sys.argv[1])
print("\u20ac" in qbb.Result.load(sys.argv[1]).scenario)
"""
    env = os.environ | {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    done = subprocess.run([sys.executable, "-c", script, tmp_path], capture_output=True, text=True, env=env, cwd=tmp_path, timeout=60)
    assert done.stdout == "True\n", done.stderr


@pytest.mark.parametrize("kind", ["fct", "dcms", "schedule"])
def test_saved_and_pickled_results_are_the_same(having, kind, tmp_path):
    result, folder = having(kind)
    copy = pickle.loads(pickle.dumps(result))
    copy.save(tmp_path)
    saved, written = files(tmp_path), files(folder)
    assert saved == written
    assert copy.compare(result).identical and repr(copy) == repr(result)


def test_a_summary_is_saved_whole_or_not_at_all(run, tmp_path):
    """Under another name first, which a killed process leaves there, and the next one that saves removes."""
    result, _ = run
    left = tmp_path / ".summary.json.tmp0"
    left.write_text("{")
    result.save(tmp_path)
    assert not left.exists()
    summary = tmp_path / "summary.json"
    assert stat.S_IMODE(summary.stat().st_mode) == stat.S_IMODE((tmp_path / "fct.parquet").stat().st_mode)
    before = sorted(os.listdir(tmp_path))
    summary.unlink()
    summary.mkdir()
    with pytest.raises(qbb.Error, match="summary.json: there is a folder of this name"):
        result.save(tmp_path)
    assert sorted(os.listdir(tmp_path)) == before


def test_threads_save_into_one_folder(run, tmp_path):
    result, _ = run
    failed = []

    def save():
        try:
            for _ in range(5):
                result.save(tmp_path)
        except qbb.Error as e:
            failed.append(e)

    threads = [threading.Thread(target=save) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failed
    assert qbb.Result.load(tmp_path).summary["flows"] == result.summary["flows"]
    assert not [name for name in os.listdir(tmp_path) if "tmp" in name]


@pytest.mark.parametrize("keys", [{}, dict(flow_control="credits", cc="ib-cc", dcms={"sweep": "10us"})])
def test_tables_without_rows_are_saved_as_a_run_writes_them(keys, tmp_path):
    s = qbb.Scenario(topology="star:n=3", flows=[], **keys)
    s.run(out=tmp_path / "a").save(tmp_path / "b")
    assert files(tmp_path / "b") == files(tmp_path / "a")
    qbb.Result.load(tmp_path / "a").save(tmp_path / "c")
    assert files(tmp_path / "c") == files(tmp_path / "a")


def test_over_time(run):
    result, _ = run
    port = int(np.argmax(result.ports["max_queue_bytes"]))
    node, number = int(result.ports["node"][port]), int(result.ports["port"][port])
    time, queue = result.over_time("queue_bytes", node, number)
    assert len(time) == len(queue) > 100 and (np.diff(time) > 0).all() and queue.max() > 0
    assert result.series["max"][result.series["metric"] == "queue_bytes"].max() == result.ports["max_queue_bytes"].max()
    time, rate = result.over_time("rate_bps", flow=0)
    assert len(time) and 0 < rate.max() <= 25e9
    assert len(result.over_time("rate_bps", flow=10**6)[0]) == len(result.over_time("nonsense")[0]) == 0


def test_slowdown_and_summary_agree(run):
    result, _ = run
    rows = result.slowdown.to_pandas()
    assert rows["size"].tolist() == [r["label"] for r in result.summary["slowdown"]]
    assert rows["p99"].tolist() == [r["p99"] for r in result.summary["slowdown"]]


def test_unfinished_flows_stand_last():
    s = qbb.Scenario(topology="star:n=3", stop="20us")
    s.add_flow(0, 2, "1KB")
    s.add_flow(1, 2, "10MB", tag="long")
    r = s.run()
    assert r.fct["finished"].tolist() == [True, False] and r.fct["fct_ns"][1] == 0
    assert r.fct["tag"].tolist() == ["", "long"] and not r.interrupted
    assert r.summary["unfinished"][0]["flows"] == 1


def test_no_queue_samples_no_table():
    r = qbb.Scenario(topology="star:n=3", duration="10us", queue_sampling={"interval": "0s"}, series={"interval": "0s"}).run()
    assert len(r.queue_cdf) == 0 and len(r.series) == 0 and r.queue_cdf["node"].tolist() == []
    assert r.queue_cdf.to_pandas().empty


@pytest.mark.parametrize("categories", [False, True])
def test_types_do_not_depend_on_the_rows(run, categories):
    """Text without rows was of another type: Parquet files of a sweep did not fit together."""
    empty = qbb.Scenario(topology="star:n=3", flows=[]).run()
    full, none = (r.fct.to_pandas(categories=categories) for r in (run[0], empty))
    types, others = ([getattr(t, "categories", t) for t in frame.dtypes] for frame in (full, none))
    assert len(full) > 0 == len(none) and [getattr(t, "dtype", t) for t in others] == [getattr(t, "dtype", t) for t in types]


def test_arrays(run):
    fct = run[0].fct
    assert fct["fct_ns"] is fct["fct_ns"]
    for table in fct, pickle.loads(pickle.dumps(fct)):
        for column in "fct_ns", "tag":
            with pytest.raises(ValueError, match="read-only"):
                table[column][0] = table[column][0]
    with pytest.raises(KeyError, match="no column 'fct'"):
        fct["fct"]
    for wrong in 0, slice(3), ["src", "dst"]:
        with pytest.raises(KeyError, match="no column .*: there are flow_id, "):
            fct[wrong]
    with pytest.raises(KeyError, match="no column of text 'src': there are tag, scheme"):
        fct.labels("src")
    for make in np.asarray, pd.DataFrame:  # would be of the columns' names
        with pytest.raises(qbb.Error, match="take a column of the table, or to_pandas"):
            make(fct)
    assert "fct_ns" in fct and "x" not in fct and list(fct) == fct.keys()
    frame = fct.to_pandas(categories=True)
    assert frame["tag"].dtype == "category" and frame["tag"].tolist() == fct["tag"].tolist()
    frame["fct_ns"] *= 2  # a frame is the user's own
