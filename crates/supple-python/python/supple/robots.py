"""Kinematics that robot people expect: poses for targets of nodes, and hinge angles along a path."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _supple
from ._supple import CartesianPath, IkResult, Model, State
from .errors import KinematicsError
from .linear import Forces


class Task:
    """Where a node should be: a position, an attitude (a unit quaternion x, y, z, w, or a rotation matrix), or both.

    `axes` says along which inertial axes the position counts, `weight` how much its errors count among those of other tasks.
    """

    def __init__(self, node: str, position: ArrayLike | None = None, attitude: ArrayLike | None = None, *, axes: str = "xyz", weight: float = 1.0) -> None:
        self.node, self.axes, self.weight = node, axes, weight
        self.position = None if position is None else np.asarray(position, dtype=float)
        self.attitude = None if attitude is None else _quaternion(np.asarray(attitude, dtype=float))
        if self.position is not None and self.position.shape != (3,):
            raise KinematicsError(f"the position of '{node}' has the shape {self.position.shape}; give three numbers")
        if not axes or set(axes) - set("xyz"):
            raise KinematicsError(f"unknown axes '{axes}'; give some of x, y and z")

    def _parts(self) -> tuple[str, list[float] | None, list[float] | None, list[bool], float]:
        position = None if self.position is None else self.position.tolist()
        attitude = None if self.attitude is None else self.attitude.tolist()
        return (self.node, position, attitude, [axis in self.axes for axis in "xyz"], float(self.weight))


def _quaternion(attitude: NDArray[np.float64]) -> NDArray[np.float64]:
    """A quaternion (x, y, z, w) from one, or from a rotation matrix."""
    if attitude.shape == (4,):
        return attitude
    if attitude.shape != (3, 3) or not np.allclose(attitude @ attitude.T, np.eye(3), atol=1e-6) or np.linalg.det(attitude) < 0:
        raise KinematicsError("an attitude is neither a quaternion (x, y, z, w) nor a rotation matrix")
    # The eigenvector of the greatest eigenvalue of Bar-Itzhack's matrix.
    r = attitude
    k = np.array(
        [
            [r[0, 0] - r[1, 1] - r[2, 2], r[0, 1] + r[1, 0], r[0, 2] + r[2, 0], r[2, 1] - r[1, 2]],
            [0, r[1, 1] - r[0, 0] - r[2, 2], r[1, 2] + r[2, 1], r[0, 2] - r[2, 0]],
            [0, 0, r[2, 2] - r[0, 0] - r[1, 1], r[1, 0] - r[0, 1]],
            [0, 0, 0, r[0, 0] + r[1, 1] + r[2, 2]],
        ]
    )
    vectors: NDArray[np.float64] = np.linalg.eigh(np.triu(k) + np.triu(k, 1).T)[1]
    return vectors[:, -1]


def inverse_kinematics(
    model: Model,
    state: State,
    tasks: Task | Sequence[Task],
    *,
    hinges: Sequence[str] = (),
    limits: Mapping[str, tuple[float, float]] | None = None,
    equilibrium: bool = False,
    position_tolerance: float = 1e-8,
    rotation_tolerance: float = 1e-8,
    restarts: int = 16,
    forces: Forces = None,
    wrenches: Mapping[str, Any] | None = None,
    locked: Sequence[str] = (),
) -> IkResult:
    """A pose in which all tasks are met, near to `state` where there is one.

    `hinges` names those that may move (all by default), `limits` bounds their coordinates. With `equilibrium`, flexible links are at rest under gravity and what
    acts: the tip reaches its target although it sags. Targets that cannot be reached are no error: `outcome` says why, and the state is the nearest found.

    >>> import supple
    >>> model = supple.load("examples/double-pendulum/pendulum.toml")
    >>> found = supple.inverse_kinematics(model, model.state(), supple.Task("lower.tip", [1.0, -1.0, 0.0]))
    >>> found.outcome, bool(found.position_errors[0] < 1e-8)
    ('reached', True)
    >>> supple.inverse_kinematics(model, model.state(), supple.Task("lower.tip", [3.0, 0.0, 0.0])).outcome
    'out of reach'
    """
    listed = [tasks] if isinstance(tasks, Task) else list(tasks)
    bounds = [(name, float(lower), float(upper)) for name, (lower, upper) in (limits or {}).items()]
    return _supple.find_pose(
        model,
        state,
        [task._parts() for task in listed],
        hinges=list(hinges),
        limits=bounds,
        equilibrium=equilibrium,
        tolerances=(float(position_tolerance), float(rotation_tolerance)),
        restarts=restarts,
        forces=forces,
        wrenches=wrenches,
        locked=list(locked),
    )


def follow(model: Model, state: State, node: str, path: CartesianPath, times: Sequence[float], **options: Any) -> NDArray[np.float64]:
    """Coordinates, a row for each of `times`, for which a node follows a path. `options` are those of `inverse_kinematics`.

    Each pose starts from the one before it. Where the path leaves the reach of the arm, KinematicsError says at which time.
    """
    rows, at = [], state
    for time in times:
        position, attitude, _, _ = path(time)
        found = inverse_kinematics(model, at, Task(node, position, attitude), **{"restarts": 0, **options})
        if not found.reached:
            raise KinematicsError(f"at t = {time} s the pose of '{node}' is not reached: {found.outcome}; shorten the path, or start it elsewhere")
        at = found.state
        rows.append(at.coordinates.copy())
    return np.array(rows)
