"""Many runs at once, in separate processes."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, overload

from ._border import file_name
from .errors import Error
from .progress import tqdm_bar
from .result import Result
from .scenario import Scenario
from .units import whole

_LOOK = 0.2  # s between looks for signals, which a wait may not notice

Key = TypeVar("Key", bound=Hashable)


@overload
def run_many(
    scenarios: Mapping[Key, Scenario], *, workers: int | None = None, progress: bool = True, out: str | Path | None = None,
) -> dict[Key, Result]: ...
@overload
def run_many(
    scenarios: Sequence[Scenario], *, workers: int | None = None, progress: bool = True, out: str | Path | None = None,
) -> list[Result]: ...
def run_many(
    scenarios: Any, *, workers: int | None = None, progress: bool = True, out: str | Path | None = None
) -> Any:
    """Runs scenarios in parallel, in fresh processes ("spawn").

    Returns the results in the order given, or by the keys of a mapping. workers: as many as there
    are processors, by default. progress: a bar (tqdm's, where that is there). out: a folder, inside
    which every run gets one of its own, called by its key or number.

    The first run that fails ends all; so does Ctrl-C. A script that calls this must guard what it
    does by ``if __name__ == "__main__":``, as for any process that is spawned.
    """
    if workers is not None and whole(workers, "workers") < 1:
        raise Error(f"workers is {workers}; it must be at least 1")
    named = dict(scenarios) if isinstance(scenarios, Mapping) else dict(enumerate(scenarios))
    for key, scenario in named.items():
        if not isinstance(scenario, Scenario):
            raise TypeError(f"run_many: {key!r} is no Scenario but {scenario!r}")
    folders = {key: None if out is None else _folder(out, key) for key in named}
    if out is not None and len(set(folders.values())) < len(named):
        raise Error(f"out: two of the keys {list(named)} give a folder the same name")
    with _counter(progress, len(named)) as count:
        results = _run(named, workers or os.cpu_count() or 1, count, folders)
    ordered = {key: results[key] for key in named}
    return ordered if isinstance(scenarios, Mapping) else list(ordered.values())


def _folder(out: str | Path, key: object) -> str:
    """The folder of a run."""
    name = Path(str(key))
    if name.anchor or ".." in name.parts or not name.parts:
        raise Error(f"out: the key {key!r} names no folder inside {out}")
    return str(Path(file_name(out, "out")) / name)


def _run(
    named: dict[Any, Scenario], workers: int, count: Callable[[int], None], folders: Mapping[Any, str | None]
) -> dict[Any, Result]:
    results: dict[Any, Result] = {}
    if not named:
        return results
    pool = ProcessPoolExecutor(min(workers, len(named)), mp_context=multiprocessing.get_context("spawn"))
    try:
        waiting: dict[Future[Result], Any] = {pool.submit(_one, s, folders[key]): key for key, s in named.items()}
        while waiting:
            done, _ = wait(waiting, timeout=_LOOK, return_when=FIRST_COMPLETED)
            for future in done:
                key = waiting.pop(future)
                try:
                    results[key] = future.result()
                except Error as e:
                    raise type(e)(f"run {key!r}: {e}") from e
            if done:
                count(len(results))
    except BaseException:
        for process in list((pool._processes or {}).values()):
            process.terminate()
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()
    return results


def _one(scenario: Scenario, out: str | None) -> Result:
    return scenario.run(out)


@contextmanager
def _counter(progress: bool, total: int) -> Iterator[Callable[[int], None]]:
    """What is told of the number of runs that are done."""
    bar = tqdm_bar(total=total, unit="run") if progress and total else None
    if bar is not None:
        with bar:
            yield lambda done: bar.update(done - bar.n)
    elif progress:
        start, end = ("\r", "") if sys.stderr.isatty() else ("", "\n")
        yield lambda done: print(f"{start}{done} of {total} runs", end="\n" if done == total else end, file=sys.stderr, flush=True)
    else:
        yield lambda done: None
