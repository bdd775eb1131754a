"""Linear models and system modes, as NumPy arrays with names."""

from __future__ import annotations

from typing import Any, Mapping, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _supple
from ._supple import Model, State

Array = NDArray[np.float64]
Forces = Union[ArrayLike, Mapping[str, Any], None]


class LinearModel:
    """`dx/dt = A x + B u`, `y = C x + D u`: deviations from an operating point, with names.

    Made by `linearize`. `x`, `u` and `y` are the values at the operating point.
    """

    #: Matrices.
    A: Array
    B: Array
    C: Array
    D: Array
    #: Values at the operating point.
    x: Array
    u: Array
    y: Array
    #: Names of states, inputs and outputs.
    states: list[str]
    inputs: list[str]
    outputs: list[str]
    #: Unit of each name.
    units: dict[str, str]

    def __init__(self, parts: Mapping[str, Any]) -> None:
        self.A, self.B, self.C, self.D = (parts[name] for name in "ABCD")
        self.x, self.u, self.y = (parts[name] for name in "xuy")
        self.states, self.inputs, self.outputs = ([name for name, _ in parts[kind]] for kind in ("states", "inputs", "outputs"))
        self.units = {name: unit for kind in ("states", "inputs", "outputs") for name, unit in parts[kind]}

    @property
    def poles(self) -> NDArray[np.complex128]:
        """Eigenvalues of A, 1/s."""
        return np.linalg.eigvals(self.A).astype(np.complex128)

    def to_control(self) -> Any:
        """A `control.StateSpace` with the same names; needs python-control."""
        import control

        return control.ss(self.A, self.B, self.C, self.D, states=_plain(self.states), inputs=_plain(self.inputs), outputs=_plain(self.outputs))

    def to_scipy(self) -> Any:
        """A `scipy.signal.StateSpace`; needs SciPy."""
        from scipy.signal import StateSpace

        return StateSpace(self.A, self.B, self.C, self.D)

    def deviation(self, state: State) -> Array:
        """How far a state is from the operating point, as `x` of the linear model. For states whose names are variables of the state."""
        return np.array([state[name] for name in self.states]) - self.x

    def __repr__(self) -> str:
        return f"LinearModel(states={len(self.states)}, inputs={self.inputs}, outputs={self.outputs})"


def _plain(names: Sequence[str]) -> list[str]:
    # python-control gives dots a meaning of their own.
    return [name.replace(".", "_") for name in names]


def linearize(
    model: Model,
    state: State,
    *,
    inputs: Sequence[str],
    outputs: Sequence[str],
    forces: Forces = None,
    wrenches: Mapping[str, Any] | None = None,
    locked: Sequence[str] = (),
) -> LinearModel:
    """A linear model about a state. `supple.signals(model)` lists what inputs and outputs there are; patterns take `*`.

    Hinges named in `locked` are held, all others are free. `forces` and `wrenches` act at the operating point.

    >>> import supple
    >>> model = supple.load("examples/double-pendulum/pendulum.toml")
    >>> hanging = supple.equilibrium(model, model.state()).state
    >>> plant = supple.linearize(model, hanging, inputs=["force.pivot"], outputs=["hinge.*"])
    >>> plant.A.shape, plant.outputs
    ((20, 20), ['hinge.pivot', 'hinge.elbow'])
    """
    parts = _supple.linearize_parts(model, state, list(inputs), list(outputs), forces=forces, wrenches=wrenches, locked=list(locked))
    return LinearModel(parts)


def signals(model: Model) -> tuple[dict[str, str], dict[str, str]]:
    """Inputs and outputs that `linearize` knows, with units."""
    given, measured = _supple.signals(model)
    return dict(given), dict(measured)


class Modes:
    """Modes of a whole system, slowest first. Made by `modes`; arrays have one row per mode."""

    #: Eigenvalues, 1/s.
    eigenvalues: NDArray[np.complex128]
    #: Frequencies, Hz.
    frequencies: Array
    #: Damping ratios.
    damping_ratios: Array
    #: Displacements of all coordinates, of unit modal mass.
    shapes: NDArray[np.complex128]
    #: What each coordinate contributes to the kinetic energy: a sum of one, with parts of either sign.
    participation: Array
    #: Share of each body in the kinetic energy, between zero and one.
    body_participation: Array
    #: Effective masses along and about the inertial axes.
    effective_masses: Array
    #: Displacements of nodes: modes x nodes x 6, rotation first.
    node_shapes: NDArray[np.complex128]
    #: Names of the coordinates.
    coordinates: list[str]
    #: Names of the bodies.
    bodies: list[str]
    #: Names of the nodes.
    nodes: list[str]

    def __init__(self, parts: Mapping[str, Any]) -> None:
        for name, value in parts.items():
            setattr(self, name, value)
        self.node_shapes = self.node_shapes.reshape(len(self.frequencies), len(self.nodes), 6)

    def __len__(self) -> int:
        return len(self.frequencies)

    def __repr__(self) -> str:
        first = ", ".join(f"{f:.4g}" for f in self.frequencies[:4])
        return f"Modes({len(self)} modes; {first}{', ...' if len(self) > 4 else ''} Hz)"


def modes(model: Model, state: State | None = None, *, locked: Sequence[str] = ("*",), forces: Forces = None, wrenches: Mapping[str, Any] | None = None) -> Modes:
    """Modes of the system about a state, hinges locked unless `locked` says otherwise.

    >>> import supple
    >>> model = supple.load("examples/double-pendulum/pendulum.toml")
    >>> free = supple.modes(model, supple.equilibrium(model, model.state()).state, locked=[])
    >>> free.frequencies[:2].round(3).tolist()
    [0.426, 1.141]
    """
    at = model.state() if state is None else state
    return Modes(_supple.modes_parts(model, at, forces=forces, wrenches=wrenches, locked=list(locked)))
