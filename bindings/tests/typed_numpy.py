"""Checked by mypy --strict, never run: NumPy's numbers pass where Python's do, as those of columns are."""

import numpy as np

import qbb


def flows_of_arrays(src: np.int32, size: np.int64, start: np.float64) -> qbb.Result:
    scenario = qbb.Scenario(topology="star:n=4", workload="none")
    number = scenario.add_flow(src, src + 1, size, start, prio=np.int64(4), src_port=src, dst_port=src)
    scenario.add_flow(src, 2, size, after=[number, np.int64(0)])
    scenario.add_flow(src, 2, size, after=np.array([0, 1]))
    with scenario.start(threads=np.int64(2)) as simulation:
        simulation.run_until(start)
        return simulation.finish()


def of_a_column(result: qbb.Result, node: np.int32, port: np.int32) -> None:
    result.over_time("queue_bytes", node, port)
    result.over_time("rate_bps", flow=node)
    qbb.plot.queue(result, ports=[(node, port)])
    qbb.plot.queue_cdf(result, node, port)
    qbb.plot.rate(result, flows=result.fct["flow_id"][:3])


def of_a_random_number(size: np.float64, seed: np.uint32) -> float:
    sizes = qbb.Sizes.of([(size, np.float64(50)), (2 * size, 100)])
    sender = qbb.Scheme("hpcc").sender(np.float64(1e11), np.float64(8000), size=size, hops=np.int64(1), seed=seed)
    sender.feed([qbb.Signal("ack", size, bytes=size, hops=(qbb.Hop(size, size, size, size),))])
    return float(sizes.sample(np.int64(10), seed).mean()) + sizes.share(size)
