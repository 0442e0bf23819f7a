"""Congestion-control schemes: to name in a scenario, or to drive by hand."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, SupportsIndex, TypeVar

from ._border import call, describe, native, no_copy
from .errors import Error
from .table import Table
from .units import Quantity, bits_per_second, picoseconds, size, whole, whole_size


@dataclass(frozen=True)
class Param:
    """A parameter of a scheme."""

    name: str
    unit: str  # rate, duration, bytes, bool, choice: ..., or "" for a number
    range: str  # what a number must be, such as "above 0 and at most 1" or "0 or more, 0 for the default"; "": not negative, or no number
    default: str
    doc: str
    source: str  # paper, standard or program that the default comes from


@dataclass(frozen=True)
class SchemeInfo:
    """What is known of a scheme."""

    name: str
    aliases: tuple[str, ...]
    doc: str
    source: str
    params: tuple[Param, ...]


def schemes() -> dict[str, SchemeInfo]:
    """All schemes by name, with their parameters."""
    return {
        s["Name"]: SchemeInfo(
            s["Name"], tuple(s["Aliases"]), s["Doc"], s["Source"],
            tuple(Param(p["Name"], p["Unit"], p["Range"], p["Default"], p["Doc"], p["Source"]) for p in s["Params"] or []),
        )
        for s in describe(native.Schemes)
    }


class Scheme:
    """A scheme with parameters: ``qbb.Scheme("hpcc", target=0.9, ai="50Mbps")``."""

    def __init__(self, name: str, **params: Any):
        self.name = name
        self.params = {k: _text(v) for k, v in params.items()}

    def sender(
        self, line_rate: Quantity = "100Gbps", base_rtt: Quantity = "8us", *, mtu: Quantity = 1000, size: Quantity = "1GB",
        hops: SupportsIndex = 1, min_rate: Quantity = 0, window: Quantity = 0, seed: SupportsIndex = 1,
    ) -> Sender:
        """The sending side of one flow, to be driven by hand.

        line_rate is that of its port, base_rtt the round trip without queues, size that of the
        flow, hops the switches whose telemetry comes back; min_rate and window are what the host
        imposes, 0 for nothing.
        """
        return Sender(self, line_rate, base_rtt, mtu, size, hops, min_rate, window, seed)

    def __repr__(self) -> str:
        return f"Scheme({', '.join([repr(self.name), *(f'{k}={v!r}' for k, v in self.params.items())])})"


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


T = TypeVar("T")


def _must_be(kind: type[T], value: T, where: str = "") -> T:
    if not isinstance(value, kind):
        raise Error(f"{where}{value!r} is no {kind.__name__}")
    return value


@dataclass(frozen=True)
class Hop:
    """A record of in-band telemetry: what a switch writes when a packet leaves its queue."""

    rate: Quantity  # of the egress link
    time: Quantity  # of the departure
    tx: Quantity  # bytes that the port has sent before
    queue: Quantity  # bytes that are queued after
    flows: SupportsIndex = 0  # active flows in the queue, where the switch counts them

    def _json(self) -> dict[str, int]:
        return {
            "Line": bits_per_second(self.rate, "rate"), "At": picoseconds(self.time, "time"), "Tx": size(self.tx, "tx"),
            "Queue": size(self.queue, "queue"), "Flows": whole(self.flows, "flows", signed=False),
        }


@dataclass(frozen=True)
class Signal:
    """One thing that a sender hears. Kinds: ack, notify (CNP, BECN), switch (QCN), sent, grant,
    loss, path, timer. Plain numbers of bytes may have fractions, which are rounded, as those of hops."""

    kind: str
    time: Quantity
    bytes: Quantity = 0  # ack: newly acknowledged; sent: on the wire
    marked: Quantity = 0  # ack: of these, marked by ECN
    acked: Quantity = 0  # ack: next byte that the receiver expects
    next: Quantity = 0  # next byte to be sent
    in_flight: Quantity = 0
    rtt: Quantity = 0
    host_time: Quantity = 0  # ack: spent in the receiving host
    feedback: SupportsIndex = 0  # switch: quantised feedback
    aux: SupportsIndex = 0  # ack: what the packet carried at last; else content of a notification or grant
    ece: bool = False  # the acknowledged packet carried a congestion mark
    nack: bool = False
    timeout: bool = False  # loss: found by the retransmission timer; otherwise a switch has trimmed a packet
    hops: tuple[Hop, ...] = ()

    def _json(self) -> dict[str, Any]:
        return {
            "Kind": str(self.kind), "Now": picoseconds(self.time, "time"), "Bytes": size(self.bytes, "bytes"),
            "Marked": size(self.marked, "marked"), "Acked": size(self.acked, "acked"), "Next": size(self.next, "next"),
            "InFlight": size(self.in_flight, "in_flight"), "RTT": picoseconds(self.rtt, "rtt"),
            "HostTime": picoseconds(self.host_time, "host_time"), "Feedback": whole(self.feedback, "feedback"),
            "Aux": whole(self.aux, "aux", 64, signed=False),
            "ECE": bool(self.ece), "Nack": bool(self.nack), "Timeout": bool(self.timeout),
            "Hops": [_must_be(Hop, h, "hops: ")._json() for h in self.hops],
        }


class Sender:
    """The sending side of one flow, from :meth:`Scheme.sender`: feed it signals, read rate and
    window.

    Times are texts with a unit or ns, and must not go back. The scheme's own timers are served as
    they fall due. rate_bps, window_bytes (None: no limit), gap_ns, wake_ns (None: never), stamp
    (what a data packet carries) and timeout_ns (the least time without progress after which packets
    count as lost; 0: the host's own) are the answer to the last signal.
    """

    def __init__(
        self, scheme: Scheme, line_rate: Quantity, base_rtt: Quantity, mtu: Quantity, bytes: Quantity, hops: SupportsIndex,
        min_rate: Quantity, window: Quantity, seed: SupportsIndex,
    ):
        self.scheme = scheme
        flow = {
            "Line": bits_per_second(line_rate, "line_rate"), "RTT": picoseconds(base_rtt, "base_rtt"),
            "MTU": whole_size(mtu, "mtu"), "Size": whole_size(bytes, "size"), "Hops": whole(hops, "hops"),
            "MinRate": bits_per_second(min_rate, "min_rate"), "Window": size(window, "window"),
            "Seed": whole(seed, "seed", 64, signed=False),
        }
        self._rtt = flow["RTT"]
        self._handle = call(native.NewSender, scheme.name, json.dumps(scheme.params), json.dumps(flow))
        self._acked = 0
        self._read(Table(call(self._handle.Answer)))

    __reduce_ex__ = no_copy

    def _read(self, answers: Table) -> None:
        self.time_ns = float(answers["time_ns"][-1])
        self.rate_bps = int(answers["rate_bps"][-1])
        window, wake = int(answers["window_bytes"][-1]), float(answers["wake_ns"][-1])
        self.window_bytes = None if window < 0 else window
        self.gap_ns = float(answers["gap_ns"][-1])
        self.wake_ns = None if wake < 0 else wake
        self.stamp = int(answers["stamp"][-1])
        self.timeout_ns = float(answers["timeout_ns"][-1])

    def feed(self, signals: Iterable[Signal]) -> Table:
        """Hands over signals in the order of time; returns time_ns, rate_bps, window_bytes,
        gap_ns, wake_ns, stamp and timeout_ns after each."""
        text = json.dumps([_must_be(Signal, s)._json() for s in signals])
        try:
            answers = Table(call(self._handle.Feed, text))
        except Error:  # those before a signal that is refused have been heard
            self._read(Table(call(self._handle.Answer)))
            raise
        if len(answers):
            self._read(answers)
        return answers

    def ack(
        self, time: Quantity, bytes: Quantity = 1000, *, rtt: Quantity | None = None, ece: bool = False,
        hops: Iterable[Hop] = (), in_flight: Quantity | None = None, host_time: Quantity = 0, aux: SupportsIndex = 0,
    ) -> int:
        """An acknowledgement of further bytes; returns the rate in bit/s.

        in_flight is what the flow has under way after it: by default its window, or what its rate
        sends in a round trip. aux is what the acknowledged packet carried at last: its stamp, or a digest.
        """
        newly = size(bytes)
        acked = self._acked + newly
        if in_flight is None:
            in_flight = self._under_way()
        rtt_ps = self._rtt if rtt is None else picoseconds(rtt)
        under_way = size(in_flight)
        rate = self._hear(Signal(
            "ack", time, bytes=newly, marked=newly if ece else 0, acked=acked, next=acked + under_way,
            in_flight=under_way, rtt=min(rtt_ps, picoseconds(time)) / 1000, ece=ece, hops=tuple(hops), host_time=host_time,
            aux=aux,
        ))
        self._acked = acked
        return rate

    def _under_way(self) -> int:
        return self.window_bytes or self.rate_bps * self._rtt // (8 * 10**12)

    def notify(self, time: Quantity, aux: SupportsIndex = 0) -> int:
        """A congestion notification packet; returns the rate in bit/s."""
        return self._hear(Signal("notify", time, aux=aux))

    def switch(self, time: Quantity, feedback: SupportsIndex, aux: SupportsIndex = 0) -> int:
        """The message of a congestion point (QCN); returns the rate in bit/s."""
        return self._hear(Signal("switch", time, feedback=feedback, aux=aux))

    def sent(self, time: Quantity, bytes: Quantity = 1000) -> int:
        """A packet has left; returns the rate in bit/s."""
        return self._hear(Signal("sent", time, bytes=bytes))

    def loss(self, time: Quantity, timeout: bool = True) -> int:
        """The retransmission timer has found a loss, or, without timeout, a switch has trimmed a packet, which
        the host sends again; returns the rate in bit/s. The flow has under way what ack assumes. Losses that a NACK
        tells of are signals of kind ack with nack."""
        return self._hear(Signal("loss", time, timeout=timeout, acked=self._acked, next=self._acked + self._under_way()))

    def wait(self, time: Quantity) -> int:
        """Time passes, and the scheme's timers are served; returns the rate in bit/s."""
        return self._hear(Signal("timer", time))

    def _hear(self, signal: Signal) -> int:
        self.feed([signal])
        return self.rate_bps

    def __repr__(self) -> str:
        window = "no window" if self.window_bytes is None else f"window {self.window_bytes} B"
        return f"<qbb.Sender of {self.scheme!r}: {self.rate_bps / 1e9:.6g} Gb/s, {window}, at {self.time_ns} ns>"


__all__ = ["Error", "Hop", "Param", "Scheme", "SchemeInfo", "Sender", "Signal", "schemes"]
