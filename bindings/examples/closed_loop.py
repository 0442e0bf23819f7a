"""Clients that wait for answers: a closed loop, in which what is sent depends on what has arrived.

Every client keeps one request to a storage server under way; the server needs a while to find the block, then sends it.
More clients get more blocks a second, until the server's link is full; from then on each of them waits longer.

    python closed_loop.py [PICTURE] [DURATION]
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas as pd

import qbb

REQUEST, BLOCK, SEEK_NS = 64, 64_000, 20_000.0


def serve(clients: int, scheme: str, duration: str) -> tuple[float, float]:
    """Gb/s of blocks, and the mean time in us from a request to the end of its block."""
    server = clients
    waits = []
    with qbb.Scenario(topology=f"star:n={clients + 1}", cc=scheme, workload="none").start(closed_loop=True) as sim:
        asked = dict.fromkeys(range(clients), 0.0)
        requests = {sim.add_flow(client, server, REQUEST): client for client in range(clients)}
        blocks: dict[int, int] = {}
        while (flow := sim.next_arrival(duration)) is not None:
            if flow in requests:
                client = requests.pop(flow)
                blocks[sim.add_flow(server, client, BLOCK, sim.now_ns + SEEK_NS)] = client
            else:
                client = blocks.pop(flow)
                waits.append(sim.now_ns - asked[client])
                asked[client] = sim.now_ns
                requests[sim.add_flow(client, server, REQUEST)] = client
        return len(waits) * BLOCK * 8 / sim.now_ns, sum(waits) / len(waits) / 1e3


def main(picture: str = "closed_loop.png", duration: str = "2ms") -> None:
    rows = [(scheme, n, *serve(n, scheme, duration)) for scheme in ("dcqcn", "hpcc") for n in (1, 2, 4, 8, 16)]
    table = pd.DataFrame(rows, columns=["scheme", "clients", "Gb/s", "wait (us)"])
    print(table.to_string(index=False, float_format="{:.1f}".format))

    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    for scheme, part in table.groupby("scheme"):
        axes.plot(part["Gb/s"], part["wait (us)"], "o-", label=scheme)
    axes.set_xlabel("Blocks served (Gb/s), by 1 to 16 clients")
    axes.set_ylabel("Time from request to block (us)")
    axes.grid(True, alpha=0.3)
    axes.legend()
    figure.savefig(picture, dpi=100)


if __name__ == "__main__":
    main(*sys.argv[1:])
