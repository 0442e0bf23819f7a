"""What the tests share."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import qbb

TREE = Path(__file__).resolve().parents[2]
BASELINES = TREE / "testdata" / "baselines"


@pytest.fixture
def small() -> qbb.Scenario:
    """A run of a moment, with an incast, marks and pauses."""
    return qbb.Scenario(
        topology="star:n=9,rate=25Gbps", workload="websearch", load=0.3, duration="500us", incast="8x200KB@100us",
        cc="dcqcn", buffer="1500KB", seed=5,
    )


@pytest.fixture(scope="session")
def managed() -> qbb.Scenario:
    """A run with a congestion manager of InfiniBand, which finds victims."""
    return qbb.Scenario(
        topology="dumbbell:n=4,bottleneck=400Gbps", workload="none", patterns=["one-many:2MB"], flow_control="credits",
        credits={"tick": "10ns"}, cc=qbb.Scheme("ib-cc", preset="dcms"), seed=5, stop="1ms",
        dcms={"sweep": "20us", "t_c": 200, "t_w": 500, "t_d": 2000},
    )


@pytest.fixture
def endless() -> qbb.Scenario:
    """A run that goes on for minutes."""
    return qbb.Scenario(topology="fat-tree:k=4", load=0.9, duration="1s")


@pytest.fixture
def command():
    """Runs the command qbb that came with the package."""

    def run(*args: object, code: int = 0) -> str:
        done = subprocess.run(
            [Path(sys.executable).with_name("qbb"), *map(str, args)], capture_output=True, text=True, timeout=120
        )
        assert done.returncode == code, done.stderr
        return done.stdout

    return run
