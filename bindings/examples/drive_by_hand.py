"""Drives schemes by hand: one flow on one link whose capacity changes, without a simulator.

The model is a fluid one: in a round trip the flow sends rate x time, the link takes away what it
can, the rest queues. The scheme hears the link's telemetry, as the ACKs of that round trip would
bring it, and answers with a rate.

    python drive_by_hand.py [PICTURE]
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import qbb

RTT_NS = 8_000
STEPS = 150


def capacity(step: int) -> float:
    """Bit/s that the link has for the flow: half of it goes to another flow for a while."""
    return 50e9 if 50 <= step < 100 else 100e9


def drive(scheme: qbb.Scheme) -> tuple[list[float], list[float]]:
    """Rates in Gb/s and queues in KB, by round trip."""
    sender = scheme.sender(line_rate="100Gbps", base_rtt=RTT_NS)
    queue, tx, rates, queues = 0.0, 0.0, [], []
    for step in range(1, STEPS):
        now = step * RTT_NS
        arrived = sender.rate_bps * RTT_NS / 8e9
        served = min(queue + arrived, capacity(step) * RTT_NS / 8e9)
        queue, tx = queue + arrived - served, tx + served
        hop = qbb.Hop(rate=capacity(step), time=now, tx=tx, queue=queue)
        sender.ack(now, bytes=served, rtt=RTT_NS, hops=[hop])
        rates.append(sender.rate_bps / 1e9)
        queues.append(queue / 1e3)
    return rates, queues


def main(picture: str = "drive_by_hand.png") -> None:
    figure, (top, bottom) = plt.subplots(2, 1, sharex=True, figsize=(7, 5), layout="constrained")
    for scheme in (qbb.Scheme("hpcc"), qbb.Scheme("mpcc"), qbb.Scheme("powertcp")):
        rates, queues = drive(scheme)
        print(f"{scheme.name:9} ends at {rates[-1]:.1f} Gb/s; deepest queue {max(queues):.0f} KB")
        top.plot(rates, label=scheme.name)
        bottom.plot(queues, label=scheme.name)
    top.set_ylabel("Rate (Gb/s)")
    bottom.set(xlabel="Round trips", ylabel="Queue (KB)")
    for ax in (top, bottom):
        ax.grid(True, alpha=0.3)
        ax.legend(frameon=False)
    figure.savefig(picture, dpi=100)


if __name__ == "__main__":
    main(*sys.argv[1:])
