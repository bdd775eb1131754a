"""Where the parts of a sweep run: threads and processes of this machine, any executor like those of `concurrent.futures`, Dask and Ray.

A pool is given parts, ranges of run numbers, and gives back what they are worth as they are done, or None for a part whose worker was lost. Workers keep
the study: files are read and checked once in each.
"""

from __future__ import annotations

import concurrent.futures
import importlib
import os
import tempfile
from collections import OrderedDict
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from . import _supple
from .errors import ArgumentError, RunError

#: A range of run numbers: the first, and the one behind the last.
Range = tuple[int, int]
#: What the rows of a study follow from: fingerprint of the contents, number of runs, whether code is generated, whether a GPU makes them.
Identity = tuple[int, int, bool, bool]
#: Seconds between looks for Ctrl-C while workers are busy.
LOOK = 0.2
#: Bytes of a study up to which it travels with every part; a larger one is sent to the workers of Dask once.
LIGHT = 1 << 20
#: Studies that a worker keeps.
KEPT = 4


class Rows(NamedTuple):
    """What the runs of a part leave, as it travels back."""

    first: int
    #: Runs x columns; NaN where a value is a text.
    numbers: NDArray[np.float64]
    #: Columns of texts, by their places.
    texts: dict[int, list[str]]
    #: How each run ended, as a place in `Study.status_words`.
    statuses: NDArray[np.uint8]
    #: Why runs failed or which event stopped them, by their numbers.
    messages: dict[int, str]

    @staticmethod
    def run(study: _supple.Study, part: Range) -> Rows:
        """Makes the runs of a part."""
        return Rows(part[0], *study.run_range(*part))


@dataclass(frozen=True)
class Packed:
    """A study with all files that it depends on, as it travels to workers, which need not see the disk of this machine."""

    #: Contents by paths below a folder that all share.
    files: dict[str, bytes]
    #: The study among them, and its folder as the user named it.
    study: str
    folder: str
    changes: list[tuple[str, str | None]]
    #: What its rows follow from.
    identity: Identity
    version: str

    @staticmethod
    def of(study: _supple.Study, changes: list[tuple[str, str | None]] | None, version: str) -> Packed:
        """Packs a study that was read."""
        named = study.files
        paths = [Path(os.path.realpath(path)) for path in named]
        root = Path(os.path.commonpath([path.parent for path in paths]))
        files = {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}
        return Packed(files, paths[0].relative_to(root).as_posix(), os.path.dirname(named[0]), changes or [], identity(study), version)

    def size(self) -> int:
        """Bytes of the files."""
        return sum(map(len, self.files.values()))

    def open(self) -> Opened:
        """Reads the study in a folder of its own; fails where it is not the one that was packed."""
        return Opened(self)


def identity(study: _supple.Study) -> Identity:
    """What the rows of a study follow from."""
    return study.fingerprint, study.runs, study.compiled, study.gpu


class Opened:
    """A study in a worker, with its files in a folder that lives as long."""

    def __init__(self, packed: Packed) -> None:
        from . import __version__

        if packed.version != __version__:
            raise RunError(f"this worker has supple {__version__}, the sweep was started with {packed.version}; install the same version everywhere")
        self._folder = tempfile.TemporaryDirectory(prefix="supple-study-")
        root = Path(self._folder.name)
        for name, content in packed.files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        self._study = _supple.Study(root / packed.study, changes=packed.changes, compiled=packed.identity[2], gpu=packed.identity[3])
        if identity(self._study) != packed.identity:
            raise RunError("the files of the study changed while it was sent to the workers; start the sweep again")
        #: What messages of runs call the folder of the study here, and what they are to call it.
        self._here, self._there = f"{(root / packed.study).parent}{os.sep}", os.path.join(packed.folder, "")

    def run(self, part: Range) -> Rows:
        """Makes the runs of a part."""
        rows = Rows.run(self._study, part)
        return rows._replace(messages={run: text.replace(self._here, self._there) for run, text in rows.messages.items()})


_opened: OrderedDict[Identity, Opened] = OrderedDict()


def run_part(packed: Packed, part: Range) -> Rows:
    """Makes the runs of a part in a worker, with the study that earlier parts left there."""
    opened = _opened.get(packed.identity)
    if opened is None:
        opened = _opened[packed.identity] = packed.open()
        while len(_opened) > KEPT:
            _opened.popitem(last=False)
    return opened.run(part)


class Pool(Protocol):
    """Where parts run."""

    #: Parts that may be under way at once.
    slots: int

    def start(self, part: Range) -> None:
        """Hands a part to a worker."""

    def finished(self) -> Iterator[tuple[Range, Rows | None]]:
        """Waits until parts are done; None for one whose worker was lost. Gives nothing when it is time to look for Ctrl-C."""

    def close(self) -> None:
        """Ends what this pool started."""


class Futures:
    """Any executor with `submit` whose futures are those of `concurrent.futures`."""

    def __init__(self, executor: concurrent.futures.Executor, packed: Packed, workers: int) -> None:
        self._executor, self._packed = executor, packed
        self._running: dict[concurrent.futures.Future[Rows], tuple[Range, concurrent.futures.Executor]] = {}
        self.slots = 2 * workers

    def _submit(self, part: Range) -> concurrent.futures.Future[Rows]:
        return self._executor.submit(run_part, self._packed, part)

    def start(self, part: Range) -> None:
        future = self._submit(part)
        self._running[future] = (part, self._executor)

    def finished(self) -> Iterator[tuple[Range, Rows | None]]:
        done, _ = concurrent.futures.wait(self._running, timeout=LOOK, return_when=concurrent.futures.FIRST_COMPLETED)
        for future in done:
            part, executor = self._running.pop(future)
            try:
                yield part, future.result()
            except BrokenProcessPool:
                self._replace(executor)
                yield part, None

    def _replace(self, broken: concurrent.futures.Executor) -> None:
        raise RunError("a worker of the pool was killed, which ends a ProcessPoolExecutor; executor='process' starts another and goes on")

    def close(self) -> None:
        for future in self._running:
            future.cancel()


class Threads(Futures):
    """Threads of this process: the runs are compiled code that needs no lock of the interpreter."""

    def __init__(self, study: _supple.Study, packed: Packed, workers: int) -> None:
        super().__init__(concurrent.futures.ThreadPoolExecutor(workers), packed, workers)
        self._study = study

    def _submit(self, part: Range) -> concurrent.futures.Future[Rows]:
        return self._executor.submit(Rows.run, self._study, part)

    def close(self) -> None:
        self._study.interrupt()
        self._executor.shutdown(cancel_futures=True)


class Processes(Futures):
    """Processes of this machine; where one is killed, others take its parts."""

    def __init__(self, packed: Packed, workers: int) -> None:
        self._workers = workers
        super().__init__(self._fresh(), packed, workers)

    def _fresh(self) -> concurrent.futures.Executor:
        import multiprocessing

        return concurrent.futures.ProcessPoolExecutor(self._workers, mp_context=multiprocessing.get_context("spawn"))

    def _replace(self, broken: concurrent.futures.Executor) -> None:
        # All parts of a broken pool end in the same way: it is replaced once.
        if broken is self._executor:
            broken.shutdown(wait=False, cancel_futures=True)
            self._executor = self._fresh()

    def start(self, part: Range) -> None:
        try:
            super().start(part)
        except BrokenProcessPool:
            self._replace(self._executor)
            super().start(part)

    def close(self) -> None:
        super().close()
        self._executor.shutdown(cancel_futures=True)


class Dask:
    """Workers of a `distributed.Client`; Dask does the parts of lost workers again."""

    def __init__(self, client: Any, packed: Packed) -> None:
        self._client = client
        self._packed = packed if packed.size() < LIGHT else client.scatter(packed, broadcast=True, hash=False)
        self._running: dict[Any, Range] = {}
        workers = client.scheduler_info(n_workers=-1)["workers"].values()
        self.slots = 2 * max(1, sum(worker["nthreads"] for worker in workers))

    def start(self, part: Range) -> None:
        self._running[self._client.submit(run_part, self._packed, part, pure=False)] = part

    def finished(self) -> Iterator[tuple[Range, Rows | None]]:
        import asyncio

        distributed: Any = importlib.import_module("distributed")
        try:
            done = distributed.wait(list(self._running), timeout=LOOK, return_when="FIRST_COMPLETED").done
        except (asyncio.TimeoutError, TimeoutError):
            return
        for future in done:
            part = self._running.pop(future)
            try:
                yield part, future.result()
            except (distributed.scheduler.KilledWorker, concurrent.futures.CancelledError, asyncio.CancelledError):
                yield part, None

    def close(self) -> None:
        self._client.cancel(list(self._running), force=True)


class RayActor:
    """A worker of Ray that keeps its study."""

    def __init__(self, packed: Packed) -> None:
        self._opened = packed.open()

    def run(self, part: Range) -> Rows:
        """Makes the runs of a part."""
        return self._opened.run(part)


class Ray:
    """Actors of Ray, one for each processor of the cluster. Ray starts those that are lost again, and their parts."""

    def __init__(self, ray: Any, packed: Packed, workers: int | None) -> None:
        self._ray = ray
        if not ray.is_initialized():
            ray.init()
        count = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._make = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=-1)(RayActor)
        # Kept: an actor that is started again reads it once more.
        self._study = ray.put(packed)
        self._actors = [self._make.remote(self._study) for _ in range(count)]
        self._loads = [0] * count
        self._running: dict[Any, tuple[Range, int]] = {}
        self.slots = 2 * count

    def start(self, part: Range) -> None:
        chosen = self._loads.index(min(self._loads))
        self._loads[chosen] += 1
        self._running[self._actors[chosen].run.remote(part)] = (part, chosen)

    def finished(self) -> Iterator[tuple[Range, Rows | None]]:
        done, _ = self._ray.wait(list(self._running), num_returns=1, timeout=LOOK)
        for reference in done:
            part, chosen = self._running.pop(reference)
            self._loads[chosen] -= 1
            try:
                yield part, self._ray.get(reference)
            except self._ray.exceptions.RayActorError:
                self._actors[chosen] = self._make.remote(self._study)
                yield part, None

    def close(self) -> None:
        for actor in self._actors:
            self._ray.kill(actor)


def pool_of(executor: Any, study: _supple.Study, packed: Packed, workers: int | None) -> Pool:
    """The pool for what a user gave as executor."""
    here = workers or available()
    if executor is None:
        # One thread hands runs to a GPU; the rest of the work has threads of its own.
        return Threads(study, packed, 1 if study.gpu else here)
    if isinstance(executor, str):
        if executor == "process":
            return Processes(packed, here)
        if executor == "ray":
            import ray

            return Ray(ray, packed, workers)
        raise ArgumentError(f"unknown executor '{executor}'; give None, 'process', 'ray', a client of Dask or an executor of concurrent.futures")
    if getattr(executor, "__name__", "") == "ray":
        return Ray(executor, packed, workers)
    if type(executor).__module__.split(".")[0] == "distributed":
        return Dask(executor, packed)
    if callable(getattr(executor, "submit", None)):
        return Futures(executor, packed, workers or getattr(executor, "_max_workers", None) or here)
    raise ArgumentError(f"a {type(executor).__name__} is no executor; give None, 'process', 'ray', a client of Dask or an executor of concurrent.futures")


def available() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
