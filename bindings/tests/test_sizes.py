"""Distributions of message sizes, and comparing runs."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import qbb


@pytest.mark.parametrize("name", qbb.published_sizes())
def test_samples_follow_the_distribution(name):
    sizes = qbb.Sizes(name)
    drawn = sizes.sample(100_000, seed=3)
    for share in (0.1, 0.5, 0.9, 0.99):
        size = round(sizes.quantile(share))  # as samples are
        assert sizes._share(size - 0.5) - 0.01 < np.mean(drawn <= size) < sizes._share(size + 0.5) + 0.01
    assert drawn.min() >= 1 and drawn.max() <= sizes.points["size_bytes"][-1]
    assert abs(drawn.mean() - sizes.mean) < 5 * drawn.std() / len(drawn) ** 0.5
    assert (sizes.sample(10, seed=3) == drawn[:10]).all() and len(sizes.sample(0)) == 0


def test_a_distribution_of_ones_own(tmp_path):
    sizes = qbb.Sizes.of([("1KB", 50), ("1KB", 60), ("3KB", 100)])
    assert sizes.quantile(0.8) == 2000 and sizes.share("2KB") == pytest.approx(0.8) and sizes.mean == pytest.approx(1400)
    file = tmp_path / "own.txt"
    sizes.save(file)
    assert qbb.Sizes(file).points.to_pandas().equals(sizes.points.to_pandas())
    flows = qbb.Scenario(topology="star:n=4", workload=str(file), duration="200us").flows()
    assert len(flows) and flows["bytes"].max() <= 3000 and flows["bytes"].min() >= 1000


def test_copies():
    sizes = qbb.Sizes("FbHadoop")
    for again in pickle.loads(pickle.dumps(sizes)), copy.deepcopy(sizes), copy.copy(sizes):
        assert again.points.to_pandas().equals(sizes.points.to_pandas()) and again.mean == sizes.mean


def test_fitting_gives_the_distribution_back():
    web = qbb.Sizes("WebSearch")
    again = qbb.Sizes.fit(web.sample(50_000))
    for share in (0.2, 0.5, 0.8):
        assert again.quantile(share) == pytest.approx(web.quantile(share), rel=0.1)
    assert qbb.Sizes.fit([1, 2, 4], points=2).points["size_bytes"].tolist() == [1, 2, 4]
    assert qbb.Sizes.fit([1, 2.5], points=4).points["size_bytes"].tolist() == [1, 1, 2, 2, 2]


@pytest.mark.parametrize("make", [lambda: qbb.Sizes("Nothing"), lambda: qbb.Sizes.of([(1, 50)]), lambda: qbb.Sizes.of([(5, 50), (4, 100)]),
                                  lambda: qbb.Sizes("WebSearch").quantile(2), lambda: qbb.Sizes("WebSearch").sample(-1)])
def test_mistakes(make):
    with pytest.raises(qbb.Error):
        make()


def test_comparing(small, tmp_path, command):
    a, b = small.run(out=tmp_path / "a"), small.replace(cc="hpcc").run(out=tmp_path / "b")
    c = qbb.compare(a, b)
    assert not c.identical and c.paired == len(a.fct) == c.flows[0] and len(c.different) > 0
    d = c.different
    np.testing.assert_allclose(d["relative"], (d["fct_ns_b"] - d["fct_ns_a"]) / d["fct_ns_a"])
    assert c.within(float(abs(d["relative"]).max())) and not c.within(0)
    assert abs(c.largest_difference) == abs(d["relative"]).max()
    assert c.slowdown["p99_b"][-1] == b.slowdown["p99"][-1]
    files = qbb.compare(tmp_path / "a" / "fct.parquet", tmp_path / "b" / "fct.parquet")
    assert len(files.different) == len(d) and qbb.compare(a.fct, a).identical
    report = command("compare", tmp_path / "a" / "fct.parquet", tmp_path / "b" / "fct.parquet", code=2)
    assert f"{len(d)} of {c.paired} in both" in report
