"""Sweeps: many runs of one study, over threads, processes and clusters, with the same rows wherever they run."""

from __future__ import annotations

import json
from collections import deque
from os import PathLike, fspath
from typing import Any, Callable, Iterator, Mapping, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _pools, _supple
from .errors import ArgumentError, RunError
from .files import _changes
from .runs import Columns

#: Parts for each worker, by default: enough that none waits long for the last.
PARTS_PER_WORKER = 16
#: Runs of the largest part that is chosen by itself.
LARGEST = 500
#: Runs that a GPU takes at once.
ON_GPU = 8192
#: How often a part may lose its worker.
MOST_LOSSES = 5


class Part(NamedTuple):
    """The runs `first` to `end`, without the last, of a sweep."""

    #: The first run.
    first: int
    #: The run behind the last.
    end: int
    #: Their rows.
    rows: Sweep


class Sweep(Columns):
    """Rows of a sweep, one for each run, sorted by their numbers: `result["tip"]`, `result.run`.

    Columns are what varies, then what the study extracts; NaN where a run failed.
    """

    def __init__(self, study: _supple.Study, rows: _pools.Rows) -> None:
        columns = study.columns
        values = {name: np.array(rows.texts[i]) if i in rows.texts else rows.numbers[:, i].copy() for i, (name, _, _) in enumerate(columns)}
        super().__init__(values, {name: unit for name, unit, _ in columns})
        self._study, self._rows = study, rows
        #: What each column is.
        self.descriptions = {name: text for name, _, text in columns}
        #: Names of what varies.
        self.varied: list[str] = study.varied
        #: Numbers of the runs.
        self.run = np.arange(rows.first, rows.first + len(rows.statuses), dtype=np.uint64)
        #: How each run ended: "finished", "stopped" by an event, "failed".
        self.status = np.array(study.status_words)[rows.statuses]
        #: Why runs failed or which event stopped them, by their numbers.
        self.messages: dict[int, str] = dict(rows.messages)

    @property
    def failed(self) -> NDArray[np.uint64]:
        """Numbers of the runs that failed."""
        chosen: NDArray[np.uint64] = self.run[self.status == "failed"]
        return chosen

    def summary(self) -> dict[str, Any]:
        """Statistics with bounds, what each extracted number depends on, worst cases with the commands that repeat them: as in summary.json of `supple sweep`."""
        rows = self._rows
        found: dict[str, Any] = json.loads(self._study.summary_text(rows.first, rows.numbers, rows.statuses, rows.messages))
        return found

    def to_numpy(self) -> NDArray[Any]:
        """A structured array: `run`, `status` and all columns."""
        everything = {"run": self.run, "status": self.status, **self._columns}
        table = np.empty(len(self.run), dtype=[(name, values.dtype) for name, values in everything.items()])
        for name, values in everything.items():
            table[name] = values
        return table

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` with the number of the run as index; needs pandas."""
        import pandas

        return pandas.DataFrame({"run": self.run, "status": self.status, **self._columns}).set_index("run")

    def to_arrow(self) -> Any:
        """A `pyarrow.Table`; needs pyarrow."""
        import pyarrow

        return pyarrow.table({"run": self.run, "status": self.status, **self._columns})


def sweep_parts(
    study: str | PathLike[str],
    *,
    executor: Any = None,
    runs: tuple[int, int] | None = None,
    part: int | None = None,
    workers: int | None = None,
    set: Mapping[str, Any] | None = None,
    compiled: bool = False,
    gpu: bool = False,
) -> Iterator[Part]:
    """Makes the runs of a study and gives the rows of each part as soon as it is done, in any order. Arguments are those of `sweep`.

    >>> import supple
    >>> sorted((part.first, part.end) for part in supple.sweep_parts("examples/shuttle-slew/study.toml", runs=(0, 6), part=3))
    [(0, 3), (3, 6)]
    """
    changes = _changes(set)
    read = _supple.Study(fspath(study), changes=changes or [], compiled=compiled, gpu=gpu)
    for (first, end), rows in _parts(read, changes, executor, runs, part, workers):
        yield Part(first, end, Sweep(read, rows))


def sweep(
    study: str | PathLike[str],
    *,
    executor: Any = None,
    runs: tuple[int, int] | None = None,
    part: int | None = None,
    workers: int | None = None,
    set: Mapping[str, Any] | None = None,
    compiled: bool = False,
    gpu: bool = False,
    progress: Callable[[int, int], Any] | None = None,
) -> Sweep:
    """Makes all runs of a study file; the rows are the same, to the bit, whatever the executor and however often a worker is lost.

    `executor` is None for the cores of this machine, "process" for processes, a `distributed.Client` for the workers of Dask, "ray" for actors on the cluster
    of Ray, or any executor of `concurrent.futures`. `runs=(a, b)` makes the runs from a up to b alone; `part` is the number of runs that a worker takes at
    once. `set` replaces values of the scenario, or after `study.` of the study. With `compiled` the equations of motion are
    generated code, which every worker compiles once: rows agree with those of the engine to rounding, and to the bit among processors of one kind. With `gpu`
    an NVIDIA GPU makes them, thousands at a time, with fixed steps of rk4 or linearly-implicit. `progress(done, total)` is called after each part. Ctrl-C ends a sweep; what was
    done by then is in `results` of the `KeyboardInterrupt`, as it is in that of a `RunError`; runs that were not made count as failed. To write results to disk and go on later, use `supple sweep`.

    >>> import supple
    >>> result = supple.sweep("examples/shuttle-slew/study.toml", runs=(0, 4))
    >>> result.run.tolist()
    [0, 1, 2, 3]
    """
    changes = _changes(set)
    read = _supple.Study(fspath(study), changes=changes or [], compiled=compiled, gpu=gpu)
    first, end = _bounds(read, runs)
    rows, done = _blank(read, first, end), 0
    try:
        for (begin, stop), found in _parts(read, changes, executor, (first, end), part, workers):
            _fill(rows, found)
            done += stop - begin
            if progress is not None:
                progress(done, end - first)
    except (RunError, KeyboardInterrupt) as error:
        error.results = Sweep(read, rows)  # type: ignore[union-attr]
        raise
    return Sweep(read, rows)


def _blank(study: _supple.Study, first: int, end: int) -> _pools.Rows:
    """Rows of runs that were not made yet."""
    count = end - first
    numbers = np.full((count, len(study.columns)), np.nan)
    texts = {i: [""] * count for i, is_number in enumerate(study.numeric) if not is_number}
    return _pools.Rows(first, numbers, texts, np.full(count, study.status_words.index("failed"), dtype=np.uint8), {})


def _fill(rows: _pools.Rows, part: _pools.Rows) -> None:
    """Puts the rows of a part in their places."""
    at = slice(part.first - rows.first, part.first - rows.first + len(part.statuses))
    rows.numbers[at] = part.numbers
    rows.statuses[at] = part.statuses
    rows.messages.update(part.messages)
    for column, texts in part.texts.items():
        rows.texts[column][at] = texts


def _bounds(study: _supple.Study, runs: tuple[int, int] | None) -> tuple[int, int]:
    first, end = (0, study.runs) if runs is None else runs
    if not 0 <= first < end <= study.runs:
        raise ArgumentError(f"runs {first} to {end} of a study with {study.runs} runs; give (a, b) with 0 <= a < b <= {study.runs}")
    return first, end


def _parts(
    study: _supple.Study,
    changes: list[tuple[str, str | None]] | None,
    executor: Any,
    runs: tuple[int, int] | None,
    part: int | None,
    workers: int | None,
) -> Iterator[tuple[_pools.Range, _pools.Rows]]:
    from . import __version__

    first, end = _bounds(study, runs)
    if part is not None and part < 1 or workers is not None and workers < 1:
        raise ArgumentError("part and workers must be 1 or more")
    pool = _pools.pool_of(executor, study, _pools.Packed.of(study, changes, __version__), workers)
    try:
        size = part or study.gpu and min(ON_GPU, end - first) or min(LARGEST, max(1, (end - first) // (PARTS_PER_WORKER * max(1, pool.slots // 2))))
        waiting = deque((at, min(at + size, end)) for at in range(first, end, size))
        losses: dict[_pools.Range, int] = {}
        running = 0
        while waiting or running:
            while waiting and running < pool.slots:
                pool.start(waiting.popleft())
                running += 1
            for done, rows in pool.finished():
                running -= 1
                if rows is not None:
                    yield done, rows
                    continue
                losses[done] = losses.get(done, 0) + 1
                if losses[done] >= MOST_LOSSES:
                    raise RunError(f"the runs {done[0]} to {done[1]} lost their worker {MOST_LOSSES} times; run them alone with runs={done} to see why")
                waiting.appendleft(done)
    finally:
        pool.close()
