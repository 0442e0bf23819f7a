"""Compares all-reduces: two that are patterns, and two made of flows that wait for others.

    python own_collective.py [PICTURE] [BYTES]
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas as pd

import qbb

LEAVES, HOSTS = 4, 4  # hosts of a leaf
N = LEAVES * HOSTS


class Plan:
    """Flows, of which each may wait for earlier ones. After a pause, such as for computing, it would have a start_ns."""

    def __init__(self) -> None:
        self.flows: list[dict[str, object]] = []

    def send(self, src: int, dst: int, size: int, after: list[int]) -> int:
        self.flows.append({"src": src, "dst": dst, "bytes": size, "start_ns": 0, "after": after})
        return len(self.flows) - 1


def hierarchical(size: int) -> Plan:
    """Rings in every leaf reduce a part for each of its hosts; rings across the leaves, of a host of each, sum the
    parts up; rings in every leaf distribute them."""
    plan = Plan()
    got: list[list[int]] = [[] for _ in range(N)]  # by host, the flow that it must have received
    inside = [host // HOSTS * HOSTS + (host + 1) % HOSTS for host in range(N)]
    across = [(host + HOSTS) % N for host in range(N)]
    part = size // HOSTS
    for steps, to, piece in (HOSTS - 1, inside, part), (2 * (LEAVES - 1), across, part // LEAVES), (HOSTS - 1, inside, part):
        for _ in range(steps):
            sent = {to[host]: plan.send(host, to[host], piece, got[host]) for host in range(N)}
            got = [[sent[host]] for host in range(N)]
    return plan


def tree(size: int, pieces: int = 16) -> Plan:
    """Piece after piece goes up a binary tree, where a host waits for both below it, and down again."""
    plan = Plan()
    last: dict[tuple[int, int], list[int]] = {}  # by ends: the piece before, which goes first

    def pass_on(src: int, dst: int, after: list[int]) -> list[int]:
        last[src, dst] = [plan.send(src, dst, size // pieces, after + last.get((src, dst), []))]
        return last[src, dst]

    for _ in range(pieces):
        up: dict[int, list[int]] = {}
        for host in reversed(range(1, N)):
            up[host] = pass_on(host, (host - 1) // 2, up.get(2 * host + 1, []) + up.get(2 * host + 2, []))
        down = {0: up[1] + up[2]}
        for host in range(1, N):
            down[host] = pass_on((host - 1) // 2, host, down[(host - 1) // 2])
    return plan


def main(picture: str = "own_collective.png", size: str = "8000000") -> None:
    base = qbb.Scenario(
        topology=f"leaf-spine:leaves={LEAVES},spines={LEAVES},hosts={HOSTS},rate=400Gbps", cc="none", mtu="4KB",
        switch={"load_balance": "adaptive"}, host={"recovery": "selective", "reordering": 1000},
    )
    runs = {name: base.replace(patterns=f"{name}:{size}B") for name in ("ring-all-reduce", "halving-doubling")}
    for make in hierarchical, tree:
        runs[make.__name__] = base.replace()
        runs[make.__name__].add_flows(pd.DataFrame(make(int(size)).flows))
    results = qbb.run_many(runs)
    took = pd.Series({name: (r.fct["start_ns"] + r.fct["fct_ns"]).max() / 1e3 for name, r in results.items()}, name="us")
    print(took.to_string(float_format="{:.1f}".format))
    print(f"A link takes {2 * (N - 1) / N * int(size) * 8 / 400e3:.1f} us for what a host must send at least.")

    figure, axes = plt.subplots(figsize=(6, 3), layout="constrained")
    axes.barh(took.index, took)
    axes.set_xlabel("Time of the all-reduce (us)")
    figure.savefig(picture, dpi=100)


if __name__ == "__main__":
    main(*sys.argv[1:])
