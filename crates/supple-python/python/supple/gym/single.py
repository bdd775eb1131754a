"""One instance of a task as an environment of Gymnasium."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from . import TASKS
from .tasks import BOUND, Task

Numbers = NDArray[np.float32]

#: Pixels of a side of a frame.
PIXELS = 480


def observation_space(task: type[Task]) -> gymnasium.Space[Any]:
    """Numbers of one observation, scaled."""
    return gymnasium.spaces.Box(-BOUND, BOUND, (task.observed,), np.float32)


def action_space(task: type[Task]) -> gymnasium.Space[Any]:
    """Torques of the motors, as parts of their limits."""
    return gymnasium.spaces.Box(-1.0, 1.0, (len(task.torques),), np.float32)


class ArmEnv(gymnasium.Env[Numbers, Numbers]):
    """An arm with something to do, made by `gymnasium.make("supple/Slew-v0")`.

    `reset(seed=..., options=...)` takes a seed, and options that fix what is drawn otherwise, such as `{"target": [0.5, -1.0]}`. An instance that the
    engine cannot step is truncated, with `info["failed"]`.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 50}

    def __init__(self, task: str = "supple/Slew-v0", render_mode: str | None = None) -> None:
        kind = TASKS[task]
        self.metadata = {**self.metadata, "render_fps": round(1.0 / kind.period)}
        self.render_mode = render_mode
        #: The instance.
        self.task = kind(1, threads=1)
        self.observation_space, self.action_space = observation_space(kind), action_space(kind)
        self._all = np.ones(1, dtype=bool)
        self._seed: NDArray[np.uint64] | None = None
        self._episode = np.zeros(1, dtype=np.uint64)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Numbers, dict[str, Any]]:
        """Starts an episode. Without a seed it is the next one of the seed before."""
        super().reset(seed=seed)
        if seed is not None or self._seed is None:
            number = int(self.np_random.integers(2**63)) if seed is None else seed
            self._seed, self._episode = np.array([number], dtype=np.uint64), np.zeros(1, dtype=np.uint64)
        else:
            self._episode = self._episode + np.uint64(1)
        observations, figures = self.task.reset(self._all, self._seed, self._episode, options)
        return observations[0], {**{name: float(values[0]) for name, values in figures.items()}, "failed": False}

    def step(self, action: Numbers) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """Holds the torques for one period."""
        done = self.task.step(np.asarray(action, dtype=float)[None])
        failed = bool(done.failed[0])
        info: dict[str, Any] = {**{name: float(values[0]) for name, values in done.info.items()}, "failed": failed}
        return done.observations[0], float(done.rewards[0]), bool(done.terminated[0]), failed, info

    def render(self) -> NDArray[np.uint8] | None:
        """A frame: the arm, in grey the rigid one, in green its goal. None without a render mode."""
        return self.task.draw(0, PIXELS) if self.render_mode == "rgb_array" else None
