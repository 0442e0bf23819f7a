"""The charts show the data, and the examples run as a newcomer would run them."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from conftest import TREE

import qbb

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
pyplot = pytest.importorskip("matplotlib.pyplot")
pytestmark = pytest.mark.filterwarnings("error:More than 20 figures")

EXAMPLES = {"closed_loop": ["300us"], "compare_schemes": ["300us"], "own_collective": ["1600000"], "sweep_parameter": ["300us"], "drive_by_hand": []}


@pytest.fixture(autouse=True)
def closed_figures():
    """Each test leaves no figure open."""
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def result():
    scenario = qbb.Scenario(
        topology="star:n=9", load=0.4, duration="300us", incast="8x50KB@100us", cc="hpcc",
        series={"interval": "1us", "flows": "first:3"},
    )
    return scenario.run()


def test_fct_cdf(result):
    ax = qbb.plot.fct_cdf({"a": result, "b": result})
    x, y = ax.lines[0].get_data()
    np.testing.assert_allclose(x, np.sort(result.fct["fct_ns"]) / 1e3)
    assert y[-1] == 1 and [t.get_text() for t in ax.get_legend().get_texts()] == ["a", "b"]


def test_slowdown(result):
    ax = qbb.plot.slowdown(result, percentiles=(50, 99), bins=4)
    median, high = (line.get_ydata() for line in ax.lines)
    assert 2 <= len(median) <= 4 and (high >= median).all() and median.min() >= 1
    ax = qbb.plot.slowdown(result, percentiles=(50, 95, 99), bins=1)
    assert [line.get_ydata()[0] for line in ax.lines] == [result.slowdown[p][-1] for p in ("p50", "p95", "p99")]


def test_a_run_is_called_by_its_key(result):
    """Also by a number, such as a seed."""
    ax = qbb.plot.slowdown({0: result, 1: result}, percentiles=(50,))
    assert [line.get_label() for line in ax.lines] == ["0 p50", "1 p50"]
    assert [line.get_label() for line in qbb.plot.slowdown(result).lines] == ["p50", "p99"]


def test_names_that_matplotlib_would_hide(result):
    """It leaves out of legends what begins with an underscore."""
    for draw in qbb.plot.slowdown, qbb.plot.fct_cdf, qbb.plot.queue_cdf:
        ax = draw({"_a": result, "b": result, "__": result})
        shown = dict.fromkeys(t.get_text().split()[0] for t in ax.get_legend().get_texts())
        assert list(shown) == ["_a", "b", "__"], draw
        assert draw({"_a": result}).get_legend() is not None


def test_what_is_no_result(result):
    for draw in qbb.plot.slowdown, qbb.plot.fct_cdf, qbb.plot.queue_cdf:
        for wrong in [result], {"a": 5}, None:
            with pytest.raises(qbb.Error, match="a chart is of one result, or of several by name"):
                draw(wrong)
        assert not draw({}).lines
    for draw in qbb.plot.queue, qbb.plot.rate:
        for wrong in [result], {"a": result}, {}, None:
            with pytest.raises(qbb.Error, match="^a chart over time is of one result"):
                draw(wrong)


def test_queue_cdf(result):
    ax = qbb.plot.queue_cdf(result)
    assert ax.lines[0].get_ydata()[-1] == 1
    all_ports = result.queue_cdf["node"] == -1
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), result.queue_cdf["upper_bytes"][all_ports])
    one = (result.queue_cdf["node"] == 9) & (result.queue_cdf["port"] == 3)
    ax = qbb.plot.queue_cdf(result, node=9, port=3)
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), result.queue_cdf["cumulative"][one])


def test_over_time(result):
    ax = qbb.plot.queue(result, ports=[(9, 0)])
    np.testing.assert_allclose(ax.lines[0].get_ydata() * 1e3, result.over_time("queue_bytes", 9, 0)[1])
    assert len(qbb.plot.queue(result).lines) == 3
    ax = qbb.plot.rate(result)
    assert [line.get_label() for line in ax.lines] == [f"flow {i} ({result.fct['tag'][result.fct['flow_id'] == i][0]})" for i in range(3)]
    np.testing.assert_allclose(ax.lines[1].get_ydata() * 1e9, result.over_time("rate_bps", flow=1)[1])
    ax = qbb.plot.rate(result, flows=np.array([2, 0]), metric="goodput_bps")
    np.testing.assert_allclose(ax.lines[0].get_ydata() * 1e9, result.over_time("goodput_bps", flow=2)[1])


def test_tags_that_do_not_differ():
    s = qbb.Scenario(topology="star:n=3", patterns="one-one:100KB", series={"interval": "1us", "flows": "all"})
    assert [line.get_label() for line in qbb.plot.rate(s.run()).lines] == ["flow 0"]


def test_a_queue_that_was_always_empty():
    s = qbb.Scenario(topology="star:n=3", series={"interval": "1us"})
    s.add_flow(0, 1, "100KB")
    s.add_flow(2, 1, "100KB")
    ax = qbb.plot.queue(s.run(), ports=[(3, 1), (3, 2)])
    busy, idle = ax.lines
    assert busy.get_ydata().max() > 0 and set(idle.get_ydata()) == {0}
    assert idle.get_xdata()[0] <= busy.get_xdata()[0] and idle.get_xdata()[-1] >= busy.get_xdata()[-1]


def test_what_is_not_there_over_time(result):
    figures = pyplot.get_fignums()
    for draw, text in (
        (lambda: qbb.plot.queue(result, ports=[(9, 0), (99, 9)]), "node 99, port 9: there is no such port of a switch"),
        (lambda: qbb.plot.queue(result, ports=[(0, 0)]), "node 0, port 0: there is no such port of a switch"),
        (lambda: qbb.plot.queue_cdf(result, node=9, port=99), "node 9, port 99: there is no such port of a switch"),
        (lambda: qbb.plot.queue_cdf(result, node=9), "node 9, port -1: there is no such port of a switch"),
        (lambda: qbb.plot.rate(result, flows=[0, 5]), "the run has recorded no time series of rate_bps of flow 5, or"),
        (lambda: qbb.plot.rate(result, metric="window_bytes"), "metric 'window_bytes': it must be rate_bps or goodput_bps"),
    ):
        with pytest.raises(qbb.Error) as e:
            draw()
        assert str(e.value).startswith(text)
    assert pyplot.get_fignums() == figures, "an empty chart is left"


def test_no_series():
    bare = qbb.Scenario(topology="star:n=3", duration="10us", series={"interval": "0s"}).run()
    for draw in qbb.plot.queue, qbb.plot.rate:
        with pytest.raises(qbb.Error, match="has recorded no time series of"):
            draw(bare)


def test_all_examples_are_run():
    assert {p.stem for p in (TREE / "bindings" / "examples").glob("*.py")} == set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name, tmp_path):
    picture = tmp_path / "picture.png"
    script = TREE / "bindings" / "examples" / f"{name}.py"
    done = subprocess.run([sys.executable, script, picture, *EXAMPLES[name]], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) >= 3 and picture.read_bytes().startswith(b"\x89PNG")
