"""Searches for numbers: parameters of a model from recordings, and moves within limits."""

from __future__ import annotations

import json
import warnings as _warnings
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any, Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from . import _supple
from .errors import RunError
from .files import _changes

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Parameter:
    """A parameter as it was found."""

    #: Its name in the file.
    name: str
    #: Keys of the scenario that have its value; none for the offset of a sensor.
    keys: tuple[str, ...]
    #: Its value.
    value: float
    #: The true value is within `value ± bound` with the probability asked for; None where that cannot be said.
    bound: float | None
    #: The same for all parameters at once.
    joint_bound: float | None
    #: Standard deviation.
    deviation: float | None
    #: "bounded", "at-limit" or "undetermined".
    certainty: str


@dataclass(frozen=True)
class FittedColumn:
    """A measured column and what the model gives with the parameters found."""

    times: Array
    measured: Array
    #: Of the model, offset of the sensor included.
    fitted: Array
    #: Standard deviation of the noise, and whether it was found from what is left over.
    noise: float
    noise_found: bool
    #: Root mean square of the differences.
    residual: float
    #: Correlation of neighbouring differences, and probability that white noise is as correlated.
    whiteness: tuple[float, float] | None

    @property
    def residuals(self) -> Array:
        """Measured less fitted."""
        return self.measured - self.fitted


class Estimate:
    """What `identify` found."""

    def __init__(self, found: dict[str, Any], changes: list[str]) -> None:
        #: Parameters by their names, in the order of the file; offsets of sensors last.
        self.parameters = {entry["name"]: Parameter(**{**entry, "keys": tuple(entry["keys"])}) for entry in found["parameters"]}
        #: Probability of the bounds.
        self.confidence: float = found["confidence"]
        #: Correlation of the parameters.
        self.correlation: Array = np.array(found["correlation"])
        #: Condition of the problem; infinite where something is not determined.
        self.condition: float = np.inf if found["condition"] is None else found["condition"]
        #: Variance of the residuals in units of the noise: about 1 where model and noise are right.
        self.residual_variance: float = found["residual_variance"]
        self.degrees_of_freedom: int = found["degrees_of_freedom"]
        self.iterations: int = found["iterations"]
        #: Whether it is a minimum, and whether it was ended early.
        self.converged: bool = found["converged"]
        self.interrupted: bool = found["interrupted"]
        #: What to be careful about.
        self.warnings: list[str] = found["warnings"]
        #: Measured columns by their names.
        self.columns = {entry["column"]: _column(entry) for entry in found["columns"]}
        self._changes = changes

    @property
    def changes(self) -> dict[str, float]:
        """Values by keys, for `set` of `simulate` and others."""
        pairs = (change.rsplit("=", 1) for change in self._changes)
        return {key: float(value) for key, value in pairs}

    def __getitem__(self, name: str) -> Parameter:
        return self.parameters[name]

    def __repr__(self) -> str:
        def shown(parameter: Parameter) -> str:
            bound = "?" if parameter.bound is None else f"{parameter.bound:.2g}"
            return f"{parameter.name} = {parameter.value:.7g} ± {bound}"

        return f"Estimate({'; '.join(map(shown, self.parameters.values()))})"


def _column(entry: dict[str, Any]) -> FittedColumn:
    arrays = {name: np.array(entry[name], dtype=float) for name in ("times", "measured", "fitted")}
    whiteness = entry["whiteness"]
    return FittedColumn(
        **arrays,
        noise=entry["noise"],
        noise_found=entry["noise_found"],
        residual=entry["residual"],
        whiteness=None if whiteness is None else (whiteness[0], whiteness[1]),
    )


@dataclass(frozen=True)
class MovedHinge:
    """A hinge of an optimised move, at the knots. The cubic spline through the positions, at rest at both ends, is the move exactly."""

    positions: Array
    speeds: Array
    accelerations: Array
    #: Torque or force of the drive.
    efforts: Array
    #: The greatest of these, also between knots.
    greatest_effort: float


class Optimum:
    """What `optimise` found."""

    def __init__(self, found: dict[str, Any]) -> None:
        #: How long the move takes, s.
        self.duration: float = found["duration"]
        #: Whether all limits are kept, and by how much they are exceeded at most, relatively.
        self.feasible: bool = found["feasible"]
        self.violation: float = found["violation"]
        #: Mean square of the efforts, in units of their limits.
        self.effort: float = found["effort"]
        #: Greatest distance of each node of the file from its place after the move, m.
        self.residuals: Array = np.array(found["residuals"], dtype=float)
        #: Times of the knots, s.
        self.times: Array = np.array(found["times"])
        #: The hinges by their names.
        self.hinges = {entry["hinge"]: _hinge(entry) for entry in found["hinges"]}
        #: Convex problems solved.
        self.rounds: int = found["rounds"]
        self.interrupted: bool = found["interrupted"]

    def __repr__(self) -> str:
        return f"Optimum(duration={self.duration:.6g}, feasible={self.feasible}, effort={self.effort:.4g}, hinges={list(self.hinges)})"


def _hinge(entry: dict[str, Any]) -> MovedHinge:
    names = ("positions", "speeds", "accelerations", "efforts")
    return MovedHinge(**{name: np.array(entry[name]) for name in names}, greatest_effort=entry["greatest_effort"])


def identify(
    file: str | PathLike[str],
    *,
    set: Mapping[str, Any] | None = None,
    folder: str | PathLike[str] | None = None,
    replace: bool = False,
    progress: Callable[[float, float], Any] | None = None,
) -> Estimate:
    """Finds the parameters of an identification file from its recording, with bounds, as `supple identify` does.

    `set` replaces values of the scenario. With `folder` the files of the command are written there. `progress(step, residual)` is called at each step, with
    the root mean square of the residuals in units of the noise. Ctrl-C ends the search; `results` of the exception has the best values so far, where there
    are any. Doubts are warned about once each.
    """
    text, changes, raised = _supple.identify_file(
        fspath(file), changes=_changes(set), folder=None if folder is None else fspath(folder), replace=replace, progress=progress
    )
    estimate = Estimate(json.loads(text), changes)
    _raise(raised, estimate)
    for warning in estimate.warnings:
        _warnings.warn(warning, stacklevel=2)
    return estimate


def optimise(
    file: str | PathLike[str],
    *,
    set: Mapping[str, Any] | None = None,
    folder: str | PathLike[str] | None = None,
    replace: bool = False,
    progress: Callable[[float, float, float], Any] | None = None,
) -> Optimum:
    """Finds the move of an optimisation file, as `supple optimise` does.

    `set` replaces values of the scenario. With `folder` the files of the command are written there. `progress(duration, effort, violation)` is called at each
    round. Ctrl-C ends the search; `results` of the exception has the best move so far. A move that does not keep its limits is a `RunError` with the best
    one in `results`.
    """
    text, _, raised = _supple.optimise_file(
        fspath(file), changes=_changes(set), folder=None if folder is None else fspath(folder), replace=replace, progress=progress
    )
    optimum = Optimum(json.loads(text))
    _raise(raised, optimum)
    if not optimum.feasible:
        exceeded = f"no move keeps all limits: they are exceeded by {100 * optimum.violation:.2f} %"
        error = RunError(f"{exceeded}; allow more time, effort or vibration, or more knots")
        error.results = optimum
        raise error
    return optimum


def _raise(raised: BaseException | None, results: Any) -> None:
    """Raises what was raised meanwhile, with what was found by then."""
    if raised is not None:
        raised.results = results  # type: ignore[attr-defined]
        raise raised
