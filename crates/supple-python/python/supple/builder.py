"""Models described in Python. Every table has the keys of a model file, so that a model can be written to a file and read back."""

from __future__ import annotations

import math
from os import PathLike
from pathlib import Path
from typing import Any, Callable, Mapping, Sequence

from ._supple import Model
from .errors import ArgumentError

Table = dict[str, Any]


def _given(**keys: Any) -> Table:
    """The keys that have a value."""
    return {key: value for key, value in keys.items() if value is not None}


def revolute(axis: Sequence[float], *, name: str | None = None, **more: Any) -> Table:
    """A hinge that turns about `axis`. More keys: damping, spring, friction, stops, motor, position, rotation, rotor_inertia."""
    return _given(kind="revolute", axis=axis, name=name, **more)


def prismatic(axis: Sequence[float], *, name: str | None = None, **more: Any) -> Table:
    """A hinge that slides along `axis`; more keys as for `revolute`."""
    return _given(kind="prismatic", axis=axis, name=name, **more)


def fixed(**more: Any) -> Table:
    """No motion between a body and its parent."""
    return _given(kind="fixed", **more)


def free(*, name: str | None = None, **more: Any) -> Table:
    """A body that floats: quaternion and position, six speeds."""
    return _given(kind="free", name=name, **more)


def spherical(*, name: str | None = None, **more: Any) -> Table:
    """A ball joint: a quaternion, three speeds."""
    return _given(kind="spherical", name=name, **more)


def hinge(kind: str, *, name: str | None = None, **more: Any) -> Table:
    """A hinge of any kind of the model file: also screw, universal, cylindrical, planar."""
    return _given(kind=kind, name=name, **more)


def rigid(mass: float, *, inertia: Any = None, mass_centre: Sequence[float] | None = None, **more: Any) -> Table:
    """Mass of a rigid body; the inertia is about its mass centre unless `inertia_about="origin"`."""
    return _given(mass=mass, inertia=inertia, mass_centre=mass_centre, **more)


def tube(outer_radius: float, thickness: float) -> Table:
    """A circular tube as the section of a beam."""
    return {"tube": {"outer_radius": outer_radius, "thickness": thickness}}


def rectangle(width: float, height: float) -> Table:
    """A solid rectangle, `width` along y and `height` along z, as the section of a beam."""
    return {"rectangle": {"width": width, "height": height}}


def box(width: float, height: float, thickness: float) -> Table:
    """A rectangular box as the section of a beam."""
    return {"box": {"width": width, "height": height, "thickness": thickness}}


def material(E: float, density: float, *, nu: float | None = None, G: float | None = None) -> Table:
    """An isotropic material: Young's modulus, density, and Poisson's ratio or the shear modulus."""
    return _given(E=E, density=density, nu=nu, G=G)


def beam(length: float, *, section: Table | None = None, material: Table | None = None, modes: Mapping[str, Any], **more: Any) -> Table:
    """A flexible beam along x with nodes `root` and `tip`. `modes` counts them: `{"bending_y": 2, "bending_z": 2}`.

    More keys: properties, fidelity, damping_ratio, support, carried, tip, stations, direction, start, twist.
    """
    return _given(length=length, section=section, material=material, modes=dict(modes), **more)


class Builder:
    """Describes a model body by body.

    >>> import supple
    >>> b = supple.Builder(gravity=[0, 0, -9.81])
    >>> aluminium = supple.material(E=7e10, nu=0.33, density=2700)
    >>> boom = supple.beam(2.0, section=supple.tube(0.05, 0.005), material=aluminium, modes={"bending_y": 2, "bending_z": 2})
    >>> b.body("boom", hinge=supple.revolute([0, 1, 0], name="shoulder", damping=0.2), beam=boom)
    >>> b.body("load", parent="boom", at="tip", hinge=supple.fixed(), rigid=supple.rigid(1.5, inertia=[0.01, 0.01, 0.01]))
    >>> b.build()
    Model(bodies=2, speeds=9)
    """

    def __init__(self, *, name: str | None = None, gravity: Sequence[float] | None = None, **more: Any) -> None:
        self._head = _given(format="supple-model-1", name=name, gravity=gravity, **more)
        self._lists: dict[str, list[Table]] = {"body": [], "closure": [], "force": []}
        self._functions: list[tuple[str | None, list[str], Callable[..., Any]]] = []

    def body(self, name: str, *, hinge: Table, parent: str | None = None, at: str | int | None = None, rigid: Table | None = None, beam: Table | None = None, **more: Any) -> None:
        """Adds a body on node `at` of `parent`, or on the ground. More keys: nodes, modes, modal, modal_inertia, inboard_node."""
        self._lists["body"].append(_given(name=name, parent=parent, at=at, hinge=hinge, rigid=rigid, beam=beam, **more))

    def closure(self, kind: str, *, name: str | None = None, **keys: Any) -> None:
        """Adds a joint between two frames that closes a loop, or a coupling: `closure("ball", a={"body": "rod", "node": "tip"}, b={"ground": [1, 0, 0]})`."""
        self._lists["closure"].append(_given(kind=kind, name=name, **keys))

    def force(self, kind: str, *, name: str | None = None, at: Any = None, from_: Any = None, to: Any = None, **keys: Any) -> None:
        """Adds a force element: `force("spring-damper", from_={"ground": [0, 0, 1]}, to={"body": "load"}, stiffness=100.0, length=0.5)`."""
        table = _given(kind=kind, name=name, at=at, to=to, **keys)
        if from_ is not None:
            table["from"] = from_
        self._lists["force"].append(table)

    def python_force(self, function: Callable[..., Any], *, hinges: Sequence[str] = (), nodes: Sequence[str] = (), name: str | None = None) -> None:
        """Adds a force element whose law is a function in Python, on one to four hinges or one to four nodes.

        `function(time, coordinates, speeds)` gives a force per hinge; `function(time, positions, velocities)` a moment and a force per node (rows of six,
        in inertial axes). It may give a dictionary with `force`, `stored` (energy, J) and `dissipated` (power, W) instead, so that the energy balances.
        Its tangents are found by differences. Batches cannot evaluate it.
        """
        if bool(hinges) == bool(nodes):
            raise ArgumentError("a force element in Python acts on hinges or on nodes; give one of both lists")
        self._functions.append((name, list(hinges or nodes), function))

    def text(self) -> str:
        """The model as the text of a model file, without what is written in Python."""
        lines = [f"{key} = {_value(value, key)}" for key, value in self._head.items()]
        for table, entries in self._lists.items():
            for entry in entries:
                lines.append(f"\n[[{table}]]")
                lines.extend(f"{_key(key)} = {_value(value, key)}" for key, value in entry.items())
        return "\n".join(lines) + "\n"

    def save(self, file: str | PathLike[str]) -> None:
        """Writes the model file."""
        if self._functions:
            raise ArgumentError("force elements written in Python cannot be saved in a model file; leave them out, or pickle the model")
        Path(file).write_text(self.text())

    def build(self, *, folder: str | PathLike[str] | None = None) -> Model:
        """The model, checked. Errors name the line of `text()`. Files that tables name are looked for in `folder`."""
        name = self._head.get("name") or "model in Python"
        model = Model.from_text(self.text(), name=str(name), folder=None if folder is None else str(folder))
        return model.with_python_forces(self._functions) if self._functions else model


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() else _text(key)


def _text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'


def _value(value: Any, key: str) -> str:
    """A value in TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(str(k))} = {_value(v, f'{key}.{k}')}" for k, v in value.items()) + " }"
    if hasattr(value, "tolist"):
        return _value(value.tolist(), key)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(v, key) for v in value) + "]"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ArgumentError(f"'{key}' is {value}; give a finite number")
        return repr(value)
    raise ArgumentError(f"'{key}' is a {type(value).__name__}; give numbers, texts, lists or tables")
