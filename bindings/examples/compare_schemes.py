"""Compares congestion-control schemes on WebSearch traffic: slowdown by size, and queues.

    python compare_schemes.py [PICTURE] [DURATION]
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import qbb


def main(picture: str = "compare_schemes.png", duration: str = "5ms") -> None:
    base = qbb.Scenario(topology="fat-tree:k=4", workload="websearch", load=0.6, duration=duration, seed=3)
    schemes = {"HPCC": "hpcc", "DCQCN": "dcqcn", "DCTCP": "dctcp"}
    results = qbb.run_many({name: base.replace(cc=cc) for name, cc in schemes.items()})

    for name, result in results.items():
        print(f"{name:6}  {len(result.fct)} flows, p99 slowdown {result.slowdown['p99'][-1]:.1f}")

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
    qbb.plot.slowdown(results, percentiles=(50, 99), ax=left)
    qbb.plot.queue_cdf(results, ax=right)
    figure.savefig(picture, dpi=100)


if __name__ == "__main__":  # run_many starts processes, which import this file
    main(*sys.argv[1:])
