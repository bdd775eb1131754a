"""What the arms are to do: starts, observations and rewards of all instances at once. Nothing here needs Gymnasium.

A task has `count` instances. `reset` starts episodes of some of them, `step` moves all of them by one period of control.
"""

from __future__ import annotations

from typing import Any, ClassVar, Mapping, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import ArgumentError
from .arm import Arm, Array, Flags
from .picture import BLACK, BLUE, GREEN, GREY, RED, Picture
from .random import uniform

Counts = NDArray[np.uint64]

#: Bound of every number of an observation: scaled as they are, numbers beyond it have no meaning.
BOUND = 10.0


class Step(NamedTuple):
    """What a step gives, a row for each instance."""

    #: What the policy gets.
    observations: NDArray[np.float32]
    #: Rewards.
    rewards: Array
    #: Whether the episode reached its goal.
    terminated: Flags
    #: Whether the instance could not be stepped: it keeps its state, and its episode is over.
    failed: Flags
    #: Figures by name.
    info: dict[str, Array]


class Task:
    """Instances of an arm with something to do. Actions are torques of the motors from -1 to 1, as parts of their limits."""

    #: Model, hinges with motors, and links from the base outwards.
    file: ClassVar[str]
    hinges: ClassVar[tuple[str, ...]]
    links: ClassVar[tuple[str, ...]]
    #: Limits of the torques, N m.
    torques: ClassVar[tuple[float, ...]]
    #: Numbers that are drawn at the start of an episode.
    drawn: ClassVar[int]
    #: What `options` of a reset may name, with their sizes.
    options: ClassVar[dict[str, int]]
    #: Number of numbers in an observation.
    observed: ClassVar[int]
    #: Time between two actions, s; steps of the integrator in it.
    period: ClassVar[float] = 0.02
    substeps: ClassVar[int] = 2
    #: Steps of an episode.
    episode: ClassVar[int] = 200

    def __init__(self, count: int = 1, *, threads: int | None = None) -> None:
        self.arm = Arm(self.file, self.hinges, self.links, count=count, step=self.period / self.substeps, steps=self.substeps, threads=threads)
        self.count = count
        self.time = np.zeros(count)
        self._limits = np.array(self.torques)
        self._seen = np.zeros((count, self.observed), dtype=np.float32)

    def reset(self, which: Flags, seeds: Counts, episodes: Counts, options: Mapping[str, Any] | None) -> tuple[NDArray[np.float32], dict[str, Array]]:
        """Starts episodes of the instances of `which`, which depend on `seeds` and `episodes` of those alone; observations and figures of all."""
        given = self._given(options, which)
        self.time[which] = 0.0
        self._start(which, uniform(seeds[which], episodes[which], self.drawn), given)
        self._seen = np.where(which[:, None], self._bounded(self._observe()), self._seen)
        return self._seen.copy(), self._figures()

    def step(self, actions: Array) -> Step:
        """Moves all instances by one period. An instance that fails, or is given an action that is no number, does not touch the others."""
        parts = np.clip(np.asarray(actions, dtype=float).reshape(self.count, len(self.torques)), -1.0, 1.0)
        failed = self.arm.step(parts * self._limits)
        self.time += np.where(failed, 0.0, self.period)
        effort = np.square(np.where(np.isfinite(parts), parts, 1.0)).mean(axis=1)
        with np.errstate(all="ignore"):  # numbers of instances that failed
            figures = self._figures()
            rewards, terminated = self._judge(figures, effort)
            observed = self._bounded(self._observe())
        sound = ~failed
        self._seen = np.where(sound[:, None], observed, self._seen)
        figures = {name: np.where(np.isfinite(values), values, 0.0) for name, values in figures.items()}
        return Step(self._seen.copy(), np.where(np.isfinite(rewards), rewards, 0.0), terminated & sound, failed, figures)

    def draw(self, instance: int, size: int) -> NDArray[np.uint8]:
        """A picture of an instance: the arm, in grey the rigid one, and its goal."""
        picture = Picture(size, 1.15 * self.arm.reach)
        self._draw_goal(picture, instance)
        picture.chain(self.arm.rigid_shape(self.arm.angles[instance]), GREY, 0.008 * size)
        picture.chain(self.arm.shape(instance), BLUE, 0.012 * size)
        picture.dot(np.zeros(2), BLACK, 0.04 * size)
        return picture.frame()

    def _given(self, options: Mapping[str, Any] | None, which: Flags) -> dict[str, Array]:
        """Options as arrays with a row for each instance that is reset."""
        found = {}
        for name, value in (options or {}).items():
            if name not in self.options:
                raise ArgumentError(f"unknown option '{name}' of a reset; {type(self).__name__} takes {', '.join(self.options)}")
            numbers = np.asarray(value, dtype=float)
            wide = numbers[which] if numbers.shape == (self.count, self.options[name]) else numbers
            if wide.shape[-1:] != (self.options[name],) or not np.isfinite(wide).all():
                raise ArgumentError(f"option '{name}' has the shape {numbers.shape}; give {self.options[name]} finite numbers, or a row of them for each instance")
            found[name] = np.broadcast_to(wide, (int(which.sum()), self.options[name]))
        return found

    @staticmethod
    def _bounded(numbers: Array) -> NDArray[np.float32]:
        return np.clip(numbers, -BOUND, BOUND).astype(np.float32)

    def _start(self, which: Flags, drawn: Array, given: Mapping[str, Array]) -> None:
        raise NotImplementedError

    def _observe(self) -> Array:
        raise NotImplementedError

    def _figures(self) -> dict[str, Array]:
        raise NotImplementedError

    def _judge(self, figures: Mapping[str, Array], effort: Array) -> tuple[Array, Flags]:
        raise NotImplementedError

    def _draw_goal(self, picture: Picture, instance: int) -> None:
        raise NotImplementedError


class _Pose(Task):
    """Moves to angles of the hinges and rests there. The reward of a second is minus error, vibration and effort, each squared and weighed."""

    options: ClassVar[dict[str, int]]
    #: How far from zero starts and targets are, rad.
    widest: ClassVar[tuple[float, ...]]

    def __init__(self, count: int = 1, *, threads: int | None = None) -> None:
        super().__init__(count, threads=threads)
        self.target = np.zeros((count, len(self.hinges)))

    def _start(self, which: Flags, drawn: Array, given: Mapping[str, Array]) -> None:
        hinges = len(self.hinges)
        angles = (2.0 * drawn - 1.0) * np.tile(self.widest, 2)
        self.arm.rest_at(which, given.get("start", angles[:, :hinges]))
        self.target[which] = given.get("target", angles[:, hinges:])

    def _figures(self) -> dict[str, Array]:
        error = np.sqrt(np.square(self.arm.angles - self.target).sum(axis=1))
        return {"error": error, "vibration": self.arm.vibration()}

    def _judge(self, figures: Mapping[str, Array], effort: Array) -> tuple[Array, Flags]:
        cost = np.square(figures["error"]) + np.square(figures["vibration"] / 0.5) + 0.02 * effort
        return -self.period * cost, np.zeros(self.count, dtype=bool)

    def _draw_goal(self, picture: Picture, instance: int) -> None:
        picture.chain(self.arm.rigid_shape(self.target[instance]), GREEN, 3.0)


class Slew(_Pose):
    """A flexible two-link arm moves from one pose to another and rests there."""

    file, hinges, links = "arm.toml", ("shoulder", "elbow"), ("upper", "lower")
    torques, widest, drawn = (2.0, 0.5), (1.2, 1.8), 4
    options = {"start": 2, "target": 2}
    observed = 13

    def _observe(self) -> Array:
        arm = self.arm
        return np.hstack([arm.angles - self.target, arm.angles[:, 1:], arm.rates, 10.0 * arm.deflections, arm.deflection_rates])


class Link(_Pose):
    """A single flexible link swings to an angle and holds it without vibration."""

    file, hinges, links = "link.toml", ("hub",), ("strip",)
    torques, widest, drawn = (0.5,), (1.5,), 2
    options = {"start": 1, "target": 1}
    observed = 6
    episode = 150

    def _observe(self) -> Array:
        arm = self.arm
        return np.hstack([arm.angles - self.target, arm.rates, 10.0 * arm.deflections, arm.deflection_rates])


class Catch(Task):
    """The tip of a flexible two-link arm meets a target that passes by, and is caught when it is near and moves with it."""

    file, hinges, links = "arm.toml", ("shoulder", "elbow"), ("upper", "lower")
    torques, drawn = (2.0, 0.5), 7
    options = {"start": 2, "target": 2, "velocity": 2}
    observed = 18
    episode = 300
    #: The target is caught at this distance, m, and relative speed, m/s.
    near: ClassVar[float] = 0.03
    slow: ClassVar[float] = 0.1

    def __init__(self, count: int = 1, *, threads: int | None = None) -> None:
        super().__init__(count, threads=threads)
        self.passing = np.zeros((count, 2))
        self.velocity = np.zeros((count, 2))

    def _start(self, which: Flags, drawn: Array, given: Mapping[str, Array]) -> None:
        start = np.stack([1.2 * (2.0 * drawn[:, 0] - 1.0), 0.4 + 1.2 * drawn[:, 1]], axis=1)
        self.arm.rest_at(which, given.get("start", start))
        # It passes a place within reach between 1.5 and 4 s.
        bearing, distance = 2.0 * drawn[:, 2] - 1.0, 0.55 + 0.3 * drawn[:, 3]
        heading, speed, meeting = 2.0 * np.pi * drawn[:, 4], 0.05 + 0.1 * drawn[:, 5], 1.5 + 2.5 * drawn[:, 6]
        velocity = given.get("velocity", speed[:, None] * np.stack([np.cos(heading), np.sin(heading)], axis=1))
        place = distance[:, None] * np.stack([np.cos(bearing), np.sin(bearing)], axis=1) - meeting[:, None] * velocity
        self.passing[which], self.velocity[which] = given.get("target", place), velocity

    @property
    def target(self) -> Array:
        """Where the targets are now."""
        return self.passing + self.time[:, None] * self.velocity

    def _observe(self) -> Array:
        arm, (position, velocity) = self.arm, self.arm.tip()
        heading = np.cumsum(arm.angles, axis=1)
        return np.hstack(
            [
                np.cos(heading),
                np.sin(heading),
                arm.rates,
                10.0 * arm.deflections,
                arm.deflection_rates,
                4.0 * (self.target - position),
                self.velocity - velocity,
            ]
        )

    def _figures(self) -> dict[str, Array]:
        position, velocity = self.arm.tip()
        distance = np.sqrt(np.square(self.target - position).sum(axis=1))
        speed = np.sqrt(np.square(self.velocity - velocity).sum(axis=1))
        return {"distance": distance, "relative_speed": speed, "vibration": self.arm.vibration()}

    def _judge(self, figures: Mapping[str, Array], effort: Array) -> tuple[Array, Flags]:
        caught = (figures["distance"] < self.near) & (figures["relative_speed"] < self.slow)
        cost = 4.0 * np.square(figures["distance"]) + 0.2 * np.square(figures["relative_speed"]) + 0.02 * effort
        return np.where(caught, 2.0, 0.0) - self.period * cost, caught

    def _draw_goal(self, picture: Picture, instance: int) -> None:
        target, velocity = self.target[instance], self.velocity[instance]
        picture.line(np.array([target, target + 2.0 * velocity]), GREY, 2.0)
        picture.dot(target, RED, 14.0)
