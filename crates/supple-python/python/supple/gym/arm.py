"""Many instances of a flexible arm, stepped by one call of the engine."""

from __future__ import annotations

from pathlib import Path
from typing import Sequence

import numpy as np
from numpy.typing import NDArray

from ..errors import BatchError
from ..files import load
from .. import _supple

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

#: Instances from which on several threads save more than waking them costs.
MANY = 64


class Arm:
    """`count` instances of the arm in a model file, with motors at its hinges. All arrays have a row for each instance.

    Torques are held for `steps` steps of `step` seconds; modes faster than a step are damped, not followed.
    """

    def __init__(self, file: str, hinges: Sequence[str], links: Sequence[str], *, count: int, step: float, steps: int, threads: int | None) -> None:
        self.model = load(Path(__file__).parent / "models" / file)
        self.states = self.model.batch(count, threads=(1 if count < MANY else 0) if threads is None else threads)
        self.count, self.links = count, tuple(links)
        self._step, self._steps = step, steps
        places = [(self.model.hinge_coordinates(hinge).start, self.model.hinge_speeds(hinge).start) for hinge in hinges]
        self._coordinates, self._speeds = (np.array(part) for part in zip(*places))
        self._modes = np.concatenate([np.arange(self.model.coordinate_count)[self.model.modal_coordinates(link)] for link in links])
        self._rates = np.concatenate([np.arange(self.model.speed_count)[self.model.modal_speeds(link)] for link in links])
        #: Deflection and slope of the tips of all links by each mode, per unit of its coordinate: modes x (links x 2).
        self._shapes = np.concatenate([self._tip_shapes(place, link) for place, link in enumerate(links)])
        self._forces = np.zeros((count, self.model.speed_count))
        self._tip = [f"{links[-1]}.tip"]
        self._motion = np.zeros((count, 1, 9))
        self._nodes = [node for link in links for node in self.model.nodes if node.startswith(f"{link}.")]
        rows = self.states.node_motions(self._nodes)[0, :, :3]
        # From the root of each link to its tip, whatever the order of the file.
        order = sorted(range(len(self._nodes)), key=lambda i: (links.index(self._nodes[i].rsplit(".", 1)[0]), float(rows[i, 0])))
        self._nodes = [self._nodes[i] for i in order]
        #: Length of the straight arm, m.
        self.reach = float(rows[:, 0].max())

    def _tip_shapes(self, place: int, link: str) -> Array:
        state, small = self.model.state(), 1e-6
        modes = state.modes(link)
        shapes = np.zeros((len(modes), 2 * len(self.links)))
        for mode in range(len(modes)):
            modes[:] = 0.0
            modes[mode] = small
            frames = _supple.kinematics(self.model, state)
            turned = frames.rotation(link).T @ frames.rotation(f"{link}.tip")
            shapes[mode, 2 * place] = frames.deflection(f"{link}.tip")[1] / small
            shapes[mode, 2 * place + 1] = np.arctan2(turned[1, 0], turned[0, 0]) / small
        return shapes

    def _at_tips(self, modal: Array) -> Array:
        """From modal coordinates or rates to the tips, mode after mode: a product of matrices would have other bits for other numbers of instances."""
        total = np.zeros((self.count, self._shapes.shape[1]))
        for mode, shape in enumerate(self._shapes):
            total += modal[:, mode, None] * shape
        return total

    @property
    def angles(self) -> Array:
        """Angles of the hinges, rad."""
        return self.states.coordinates[:, self._coordinates]

    @property
    def rates(self) -> Array:
        """Speeds of the hinges, rad/s."""
        return self.states.speeds[:, self._speeds]

    @property
    def deflections(self) -> Array:
        """Deflection (m) and slope (rad) of the tip of each link by deformation."""
        return self._at_tips(self.states.coordinates[:, self._modes])

    @property
    def deflection_rates(self) -> Array:
        """Their rates."""
        return self._at_tips(self.states.speeds[:, self._rates])

    def vibration(self) -> Array:
        """How fast the tips of the links move by deformation, m/s: root of the sum of squares over the links."""
        speeds: Array = np.sqrt(np.square(self.deflection_rates[:, ::2]).sum(axis=1))
        return speeds

    def tip(self) -> tuple[Array, Array]:
        """Position and velocity of the tip in the plane; NaN where an instance has none."""
        try:
            self.states.node_motions(self._tip, out=self._motion)
        except BatchError as error:
            if not error.instances:
                raise
        return self._motion[:, 0, :2], self._motion[:, 0, 6:8]

    def rest_at(self, which: Flags, angles: Array) -> None:
        """Puts instances at rest, undeformed, at these angles."""
        self.states.coordinates[which] = 0.0
        self.states.speeds[which] = 0.0
        self.states.coordinates[np.ix_(which, self._coordinates)] = angles

    def step(self, torques: Array) -> Flags:
        """Steps all instances; those that fail keep their states, and are marked."""
        self._forces[:, self._speeds] = torques
        failed = np.zeros(self.count, dtype=bool)
        try:
            self.states.step(self._step, self._forces, scheme="linearly-implicit", count=self._steps)
        except BatchError as error:
            if not error.instances:
                raise
            failed[[instance for instance, _ in error.instances]] = True
        return failed

    def shape(self, instance: int) -> list[Array]:
        """Points along each link, deformed, in the plane."""
        points = self.states.node_motions(self._nodes)[instance, :, :2]
        return [points[[i for i, node in enumerate(self._nodes) if node.rsplit(".", 1)[0] == link]] for link in self.links]

    def rigid_shape(self, angles: Array) -> list[Array]:
        """Ends of each link of the undeformed arm at these angles."""
        ends, heading = [np.zeros(2)], 0.0
        for angle, length in zip(angles, self._lengths()):
            heading += float(angle)
            ends.append(ends[-1] + length * np.array([np.cos(heading), np.sin(heading)]))
        return [np.array(pair) for pair in zip(ends[:-1], ends[1:])]

    def _lengths(self) -> list[float]:
        frames = _supple.kinematics(self.model, self.model.state())
        return [float(frames.position(f"{link}.tip")[0] - frames.position(f"{link}.root")[0]) for link in self.links]
