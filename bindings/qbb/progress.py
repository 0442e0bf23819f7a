"""How far runs have come."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Progress:
    """How far a run has come."""

    now_ns: float  # simulated time
    stop_ns: float | None  # end of the run; None: when all flows have ended
    flows_started: int
    flows_ended: int
    flows_total: int
    hops: int  # packets that have crossed a link, except those of flow control (PFC, credits)
    over: bool
    wall_seconds: float  # since the start, of the clock on the wall

    @property
    def share(self) -> float:
        """The share of the run that is done: by flows, or by time if that is further."""
        if self.over:
            return 1.0
        done = self.flows_ended / max(1, self.flows_total)
        if self.stop_ns:
            done = max(done, self.now_ns / self.stop_ns)
        return min(done, 1.0)


class Bar:
    """A bar for one run: tqdm's, or a line on standard error without it."""

    def __init__(self) -> None:
        self._bar: Any = tqdm_bar(total=100, unit="%", bar_format="{l_bar}{bar}| {elapsed}<{remaining}{postfix}")

    def __call__(self, p: Progress) -> None:
        if self._bar is None:
            print(f"\r{p.share:4.0%}  {p.now_ns / 1e6:.3f} ms  {p.flows_ended} of {p.flows_total} flows", end="", file=sys.stderr)
            return
        self._bar.set_postfix_str(f"{p.flows_ended} of {p.flows_total} flows", refresh=False)
        self._bar.update(100 * p.share - self._bar.n)

    def close(self) -> None:
        if self._bar is None:
            print(file=sys.stderr)
        else:
            self._bar.close()


def tqdm_bar(**options: Any) -> Any:
    """A bar of tqdm, None if that is not there."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(**options)
