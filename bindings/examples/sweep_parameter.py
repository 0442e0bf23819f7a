"""Sweeps HPCC's target utilisation under an incast: short queues cost throughput.

    python sweep_parameter.py [PICTURE] [DURATION]
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import qbb

TARGETS = (0.7, 0.8, 0.9, 0.95, 0.98)


def main(picture: str = "sweep_parameter.png", duration: str = "3ms") -> None:
    base = qbb.Scenario(topology="fat-tree:k=4", load=0.5, duration=duration, incast="8x100KB@500us")
    runs = {target: base.replace(cc=qbb.Scheme("hpcc", target=target)) for target in TARGETS}
    results = qbb.run_many(runs)

    table = pd.DataFrame(
        {target: figures(result) for target, result in results.items()}, index=["long flows", "queue"]
    ).T
    print(table.to_string(float_format="{:.2f}".format))

    figure, left = plt.subplots(figsize=(6, 4), layout="constrained")
    right = left.twinx()
    left.plot(table.index, table["long flows"], "o-", color="C0")
    right.plot(table.index, table["queue"], "s--", color="C1")
    left.set_xlabel("HPCC's target utilisation")
    left.set_ylabel("Median slowdown of flows over 1 MB", color="C0")
    right.set_ylabel("99th percentile of queues (KB)", color="C1")
    left.grid(True, alpha=0.3)
    figure.savefig(picture, dpi=100)


def figures(result: qbb.Result) -> tuple[float, float]:
    """Median slowdown of long flows, and KB that 99 % of the queue samples stay below."""
    long = result.fct["finished"] & (result.fct["size_bytes"] > 1_000_000)
    return float(np.median(result.fct["slowdown"][long])), result.summary["queue"]["p99_bytes"] / 1e3


if __name__ == "__main__":
    main(*sys.argv[1:])
