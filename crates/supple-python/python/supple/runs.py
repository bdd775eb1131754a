"""Runs: scenarios from files, and simulations driven from Python. Results by name, as tables of other packages, and on a page."""

from __future__ import annotations

import html
import json
import subprocess
import sys
import warnings as _warnings
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _supple
from .errors import ArgumentError, RunError, UnknownNameError
from .files import _changes

Array = NDArray[np.float64]


class Columns(Mapping[str, Array]):
    """Columns by name. Arrays are fresh."""

    def __init__(self, columns: Mapping[str, Array], units: Mapping[str, str]) -> None:
        self._columns = dict(columns)
        #: Unit of each column.
        self.units = dict(units)

    def __getitem__(self, name: str) -> Array:
        if name not in self._columns:
            error = UnknownNameError(f"there is no column '{name}'; the columns are: {', '.join(self._columns)}")
            error.what, error.name, error.known = "column", name, list(self._columns)
            raise error
        return self._columns[name].copy()

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(next(iter(self._columns.values())))} rows, {len(self)} columns)"


class Table(Columns):
    """Columns over time by name: `table["hinge.elbow"]`, `table.time`. Arrays are fresh."""

    @property
    def time(self) -> Array:
        """Times of the rows, s."""
        return self["time"]

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` with the time as index; needs pandas."""
        import pandas

        return pandas.DataFrame(dict(self)).set_index("time")

    def to_polars(self) -> Any:
        """A `polars.DataFrame`; needs polars."""
        import polars

        return polars.DataFrame(dict(self))

    def to_xarray(self) -> Any:
        """An `xarray.Dataset` over the time, with units; needs xarray."""
        import xarray

        time = self.time
        data = {name: ("time", values, {"units": self.units[name]}) for name, values in self.items() if name != "time"}
        return xarray.Dataset(data, coords={"time": ("time", time, {"units": "s"})})

    def plot(self, columns: Sequence[str] | None = None, *, axes: Any = None) -> Any:
        """Draws columns (by default the first eight) over time with matplotlib; gives the axes."""
        import matplotlib.pyplot as pyplot

        chosen = [name for name in self if name != "time"][:8] if columns is None else list(columns)
        axes = pyplot.subplots()[1] if axes is None else axes
        for name in chosen:
            axes.plot(self.time, self[name], label=f"{name} [{self.units[name]}]")
        axes.set_xlabel("time [s]")
        axes.legend()
        return axes


class Result(Table):
    """Results of a scenario. In Jupyter it shows the report of the run where there is one, else a table."""

    def __init__(self, results: _supple.RunResults, warnings: Sequence[str]) -> None:
        names = results.columns
        super().__init__({name: results.column(name) for name, _, _ in names}, {name: unit for name, unit, _ in names})
        #: What each column is.
        self.descriptions = {name: text for name, _, text in names}
        #: What the run was, how it ended, energies, statistics: as in summary.json.
        self.summary: dict[str, Any] = json.loads(results.summary_text())
        #: What is doubtful about the results.
        self.warnings = list(warnings)
        #: Folder of the files, where any were written.
        self.folder = None if results.folder is None else Path(results.folder)
        #: The report, where it was asked for.
        self.report = None if results.report is None else Path(results.report)

    def _repr_html_(self) -> str:
        if self.report is not None and self.report.exists():
            page = html.escape(self.report.read_text(), quote=True)
            return f'<iframe srcdoc="{page}" style="width:100%;height:640px;border:0"></iframe>'
        cell = "".join
        head = cell(f"<th>{html.escape(name)} [{html.escape(self.units[name])}]</th>" for name in self)
        rows = len(self.time)
        shown = sorted({0, rows // 4, rows // 2, 3 * rows // 4, rows - 1}) if rows else []
        body = cell("<tr>" + cell(f"<td>{self._columns[name][i]:.6g}</td>" for name in self) + "</tr>" for i in shown)
        title = html.escape(f"{self.summary['scenario']} of {self.summary['model']}: {rows} rows")
        return f"<p>{title}</p><table><tr>{head}</tr>{body}</table>"


def simulate(
    scenario: str | PathLike[str],
    *,
    set: Mapping[str, Any] | None = None,
    folder: str | PathLike[str] | None = None,
    replace: bool = False,
    resume: bool = False,
    report: bool = False,
    compiled: bool = False,
    progress: Callable[[float, float], Any] | None = None,
) -> Result:
    """Runs a scenario file to its end; results stay in memory unless `folder` is given.

    `set` replaces values of the scenario, or after `model.` of its model: `{"duration": 2.0}`. With `report` the folder gets report.html. With
    `compiled` the equations of motion are generated code of the model; that needs a C compiler. `progress(time, end)`
    is called now and then. Ctrl-C ends the run; with a folder it can be resumed. What is doubtful about a run is warned about once.

    >>> import supple
    >>> result = supple.simulate("examples/double-pendulum/fall.toml", set={"duration": 1.0})
    >>> round(float(result["node.lower.tip.y"][-1]), 4)
    -1.0402
    """
    if report and folder is None:
        raise ArgumentError("a report needs a folder; give folder=...")
    try:
        results, warnings = _supple.run_scenario(
            fspath(scenario),
            changes=_changes(set),
            folder=None if folder is None else fspath(folder),
            replace=replace,
            resume=resume,
            report=report,
            compiled=compiled,
            progress=progress,
        )
    except RunError as error:
        if isinstance(error.results, _supple.RunResults):
            error.results = Result(error.results, [])
        raise
    for text in warnings:
        _warnings.warn(text, stacklevel=2)
    return Result(results, warnings)


class Simulation(_supple.Simulation):
    __doc__ = _supple.Simulation.__doc__

    def run(self, end: float, interval: float) -> Table:
        """Integrates to the time `end`; gives a table of all coordinates and speeds every `interval` seconds.

        >>> import supple
        >>> model = supple.load("examples/double-pendulum/pendulum.toml")
        >>> motion = supple.Simulation(model, model.state()).run(0.5, 0.01)
        >>> motion["hinge.pivot"].shape
        (51,)
        """
        start = self.state.time
        if not (interval > 0.0 and end > start):
            raise ArgumentError(f"from {start} to {end} s every {interval} s; give an end after the present time and a positive interval")
        count = int(np.floor((end - start) / interval * (1 + 1e-12))) + 1
        times = np.minimum(start + interval * np.arange(count), end)
        time, coordinates, speeds = self.advance_recording(end, times.tolist())
        names = self.model.state_names
        units = {entry["name"]: entry["unit"] for entry in self.model.variables()}
        half = self.model.coordinate_count
        columns = {"time": time}
        columns.update({name: coordinates[:, i] for i, name in enumerate(_ordered(self.model, names, half)[0])})
        columns.update({name: speeds[:, i] for i, name in enumerate(_ordered(self.model, names, half)[1])})
        return Table(columns, {"time": "s", **{name: units[name] for name in names}})


def _ordered(model: _supple.Model, names: Sequence[str], count: int) -> tuple[list[str], list[str]]:
    """Names in the order of coordinates and of speeds."""
    places = model.state_places()
    coordinates, speeds = [""] * count, [""] * model.speed_count
    for name, (is_speed, index) in zip(names, places):
        (speeds if is_speed else coordinates)[index] = name
    return coordinates, speeds


class View:
    """A live view in a browser or in Jupyter: the report of a run while it goes on. Made by `view`."""

    def __init__(self, process: subprocess.Popen[str], url: str) -> None:
        self._process = process
        #: Where the page is.
        self.url = url

    def close(self) -> None:
        """Ends the run and its server."""
        self._process.terminate()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def __enter__(self) -> View:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _repr_html_(self) -> str:
        return f'<iframe src="{html.escape(self.url, quote=True)}" style="width:100%;height:640px;border:0"></iframe>'


def view(scenario: str | PathLike[str], *, speed: float = 1.0) -> View:
    """Simulates a scenario in a process of its own, `speed` times as fast as real time, and serves its report live on this machine."""
    arguments = [sys.executable, "-m", "supple", "view", fspath(scenario), "--port", "0", "--speed", repr(float(speed)), "--force"]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = ""
    assert process.stdout is not None
    for line in process.stdout:
        said += line
        if "http://" in line:
            return View(process, "http://" + line.split("http://", 1)[1].strip())
    process.wait()
    raise RunError(said.strip() or "the view could not be started")
