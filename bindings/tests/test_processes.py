"""Threads, processes, signals."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import qbb
from qbb._border import call
from qbb.table import rows_to_csv


def test_threads_run_at_once(small):
    """Ten runs in threads, and a simulation that all share: results are those of one thread."""
    alone = small.run()
    results: list[qbb.Result] = []
    shared = small.start()

    def work() -> None:
        results.append(small.replace().run())
        for until in range(10, 400, 10):
            shared.run_until(f"{until}us")
            shared.queues()

    threads = [threading.Thread(target=work) for _ in range(10)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(results) == 10 and all(qbb.compare(alone, r).identical for r in results)
    assert qbb.compare(alone, shared.run()).identical


@pytest.mark.parametrize("again", [lambda s: s, lambda s: pickle.loads(pickle.dumps(s))], ids=["made", "read"])
def test_threads_see_the_flows_of_a_scenario(again, monkeypatch):
    """Copies and runs that came while the first of them handed the flows over had none of them."""

    def slowly(function):
        def wait(*args):
            time.sleep(0.05)
            return function(*args)

        return wait

    s = qbb.Scenario(topology="star:n=3")
    for i in range(5):
        s.add_flow(0, 1, 1000, i)
    s = again(s)
    monkeypatch.setattr(qbb.scenario, "rows_to_csv", slowly(rows_to_csv))
    monkeypatch.setattr(qbb.scenario, "call", slowly(call))
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda seed: len(s.replace(seed=seed).flows()), range(4))) == [5] * 4
        assert sorted(pool.map(lambda i: s.add_flow(0, 2, 1000, i), range(8))) == list(range(5, 13))
    assert len(s.flows()) == 13


def test_other_threads_go_on_during_a_run(endless):
    ticks = 0
    stop = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not stop.wait(0.001):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    with endless.start() as sim:
        sim.run_until("300us")
    stop.set()
    thread.join()
    assert ticks > 2


def test_run_many_is_run(small, tmp_path):
    loads = {load: small.replace(load=load) for load in (0.1, 0.2, 0.4)}
    results = qbb.run_many(loads, workers=2, progress=False, out=tmp_path)
    assert list(results) == list(loads)
    for load, scenario in loads.items():
        assert qbb.compare(results[load], scenario.run()).identical
        assert (tmp_path / str(load) / "fct.parquet").exists()
    listed = qbb.run_many([small], progress=True)
    assert qbb.compare(listed[0], small.run()).identical
    assert qbb.run_many([], progress=False) == [] and qbb.run_many({}) == {}


@pytest.mark.parametrize("key", ["../other", "a/../../other", "/other", "", ".", Path("..")])
def test_run_many_stays_in_its_folder(small, key, tmp_path):
    if key == "/other":
        key = str(tmp_path / "other")
    out = tmp_path / "out"
    with pytest.raises(qbb.Error) as e:
        qbb.run_many({"a": small, key: small}, progress=False, out=out)
    assert str(e.value) == f"out: the key {key!r} names no folder inside {out}"
    assert not any(tmp_path.iterdir())


def test_run_many_counts_in_a_log(small, monkeypatch, capsys):
    """Without a terminal and tqdm: a line for each run that has ended, however long they take."""
    monkeypatch.setattr(qbb.parallel, "tqdm_bar", lambda **_: None)
    monkeypatch.setattr(qbb.parallel, "_LOOK", 0.001)
    qbb.run_many([small], workers=1)
    assert capsys.readouterr().err == "1 of 1 runs\n"


def test_run_many_raises_what_a_run_raises(small):
    with pytest.raises(qbb.Error, match=r"^run 1: .*nonsense"):
        qbb.run_many([small, small.replace(topology="nonsense:k=1")], progress=False)


def test_run_many_that_fails_closes_its_bar(small, monkeypatch):
    """It was drawn once more when the collector found it: in a notebook, below a later cell."""
    tqdm = pytest.importorskip("tqdm").tqdm
    bars = []

    def make(**options):
        bars.append(tqdm(**options))
        return bars[0]

    monkeypatch.setattr(qbb.parallel, "tqdm_bar", make)
    with pytest.raises(qbb.Error, match="^run 0: .*nonsense"):
        qbb.run_many([small.replace(topology="nonsense:k=1")])
    assert bars[0].disable, "is not closed"


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_is_told():
    """Go does not survive a fork: an error, where it would hang."""
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    child = context.Process(target=_try, args=(answers,))
    child.start()
    assert "forked" in answers.get(timeout=60)
    child.join(60)
    assert child.exitcode == 0


def _try(answers) -> None:
    try:
        qbb.Scenario(topology="star:n=2", duration="1us").run()
    except qbb.Error as e:
        answers.put(str(e))


def _run(scenario: qbb.Scenario, sizes: qbb.Sizes) -> qbb.Result:
    return scenario.run()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_pool_is_told(small):
    """A worker of Pool that fails to read its arguments ends, and the pool waits for ever."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        with pytest.raises(qbb.Error, match="forked"):
            pool.starmap_async(_run, [(small, qbb.Sizes("WebSearch"))]).get(timeout=60)


@pytest.mark.parametrize("how", ["run", "steps", "many"])
def test_ctrl_c(how, tmp_path):
    """Ctrl-C ends a run that would take minutes; its files are complete."""
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(f"""
        import sys, threading, qbb
        scenario = qbb.Scenario(topology="fat-tree:k=4", load=0.9, duration="500ms")
        def ready(*_):
            sys.stdout.write("ready\\n")  # in one piece, which a signal does not cut
            sys.stdout.flush()
        if __name__ == "__main__":
            try:
                if {how!r} == "run":
                    scenario.run(out={str(tmp_path / "out")!r}, progress=ready)
                elif {how!r} == "steps":
                    with scenario.start() as sim:
                        for s in sim.steps("10us"):
                            ready()
                else:
                    threading.Timer(3, ready).start()
                    qbb.run_many([scenario, scenario], progress=False)
            except qbb.Interrupted as e:
                print("interrupted", e.result.interrupted, len(e.result.fct) > 0)
            except KeyboardInterrupt:
                print("interrupted")
    """))
    process = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        assert process.stdout.readline() == "ready\n"
        os.killpg(process.pid, signal.SIGINT)
        rest = process.communicate(timeout=60)[0].split("\n")
    finally:
        process.kill()
    assert process.returncode == 0
    assert rest[-2] == ("interrupted True True" if how == "run" else "interrupted")
    if how == "run":
        assert qbb.Result.load(tmp_path / "out").interrupted


def none_left():
    """All processes end, in a while."""
    deadline = time.monotonic() + 30
    while multiprocessing.active_children() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not multiprocessing.active_children()


def test_children_of_run_many_end_with_ctrl_c():
    """No process is left behind, of this run or of earlier tests."""
    none_left()
    long = qbb.Scenario(topology="fat-tree:k=4", load=0.9, duration="500ms")
    threading.Timer(4, os.kill, [os.getpid(), signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        qbb.run_many([long, long], progress=False)
    none_left()
