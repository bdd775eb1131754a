"""Many instances of a task as a vector environment of Gymnasium: one call of the engine steps all of them."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ..errors import ArgumentError
from . import TASKS
from .arm import Array, Flags
from .single import PIXELS, Numbers, action_space, observation_space
from .tasks import Step


class ArmVectorEnv(VectorEnv[Numbers, Numbers, NDArray[Any]]):
    """Arms with something to do, made by `gymnasium.make_vec("supple/Slew-v0", num_envs=256, vectorization_mode="vector_entry_point")`.

    Instance i has the episodes, to the bit, of an environment of its own with the seed `seed + i`. `autoreset_mode` is "NextStep", "SameStep" (then
    `infos["final_obs"]` and `infos["final_info"]` have the ends of episodes) or "Disabled" (then `reset(options={"reset_mask": ...})` starts episodes). An
    instance that the engine cannot step is truncated, with `infos["failed"]`, and does not touch the others.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 50, "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        *,
        task: str = "supple/Slew-v0",
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
    ) -> None:
        kind = TASKS[task]
        #: The instances.
        self.task = kind(num_envs, threads=threads)
        self.num_envs, self.render_mode = num_envs, render_mode
        self._mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "render_fps": round(1.0 / kind.period), "autoreset_mode": self._mode}
        self._longest = kind.episode if max_episode_steps is None else max_episode_steps
        self.single_observation_space, self.single_action_space = observation_space(kind), action_space(kind)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seeds = np.zeros(num_envs, dtype=np.uint64)
        self._episodes = np.zeros(num_envs, dtype=np.uint64)
        self._begun = np.zeros(num_envs, dtype=bool)
        self._over = np.zeros(num_envs, dtype=bool)
        self._steps = np.zeros(num_envs, dtype=np.int64)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Starts episodes of all instances, or of those of `options["reset_mask"]`. Instance i gets the seed `seed + i`."""
        super().reset(seed=seed if isinstance(seed, int) else None)
        options = dict(options or {})
        which = self._mask(options.pop("reset_mask", None))
        seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else seed
        if seeds is not None and len(seeds) != self.num_envs:
            raise ArgumentError(f"{len(seeds)} seeds for {self.num_envs} environments; give one for each")
        self._episodes[which & self._begun] += np.uint64(1)
        fresh = which & ~self._begun
        if seeds is not None:
            given = which & np.array([number is not None for number in seeds])
            self._seeds[given] = np.array([number or 0 for number in seeds], dtype=np.uint64)[given]
            self._episodes[given] = 0
            fresh &= ~given
        self._seeds[fresh] = self.np_random.integers(2**63, size=int(fresh.sum()), dtype=np.uint64) if fresh.any() else 0
        return self._start(which, options)

    def step(self, actions: Numbers) -> tuple[Numbers, Array, Flags, Flags, dict[str, Any]]:
        """Holds the torques of all instances for one period."""
        if not self._begun.all():
            raise ResetNeeded("reset the environments before the first step")
        if self._mode is AutoresetMode.DISABLED and self._over.any():
            raise ResetNeeded(f'episodes of instances {np.flatnonzero(self._over).tolist()} are over; reset them with options={{"reset_mask": ...}}')
        restarted = self._over if self._mode is AutoresetMode.NEXT_STEP else np.zeros(self.num_envs, dtype=bool)
        done = self.task.step(np.asarray(actions, dtype=float))
        self._steps += 1
        truncated = done.failed | (self._steps >= self._longest)
        rewards, terminated = done.rewards, done.terminated
        observations, infos = done.observations, self._infos({**done.info, "failed": done.failed}, ~restarted)
        if restarted.any():
            rewards, terminated, truncated = np.where(restarted, 0.0, rewards), terminated & ~restarted, truncated & ~restarted
            self._episodes[restarted] += np.uint64(1)
            observations, infos = self._restarted(done, restarted)
        self._over = terminated | truncated
        if self._mode is AutoresetMode.SAME_STEP and self._over.any():
            ended = self._over
            final = {"final_obs": done.observations, "_final_obs": ended.copy(), "final_info": self._infos({**done.info, "failed": done.failed}, ended), "_final_info": ended.copy()}
            self._episodes[ended] += np.uint64(1)
            observations, infos = self._restarted(done, ended)
            infos.update(final)
        return observations, rewards, terminated, truncated, infos

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """A frame of each instance. None without a render mode."""
        return tuple(self.task.draw(i, PIXELS) for i in range(self.num_envs)) if self.render_mode == "rgb_array" else None

    def _mask(self, given: Any) -> Flags:
        if given is None:
            return np.ones(self.num_envs, dtype=bool)
        mask = np.asarray(given)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise ArgumentError(f"reset_mask must be {self.num_envs} booleans with at least one True")
        return mask

    def _start(self, which: Flags, options: dict[str, Any] | None) -> tuple[Numbers, dict[str, Any]]:
        observations, figures = self.task.reset(which, self._seeds, self._episodes, options)
        self._begun |= which
        self._over = self._over & ~which
        self._steps[which] = 0
        return observations, self._infos({**figures, "failed": np.zeros(self.num_envs, dtype=bool)}, which)

    def _restarted(self, done: Step, which: Flags) -> tuple[Numbers, dict[str, Any]]:
        """Observations and infos of a step after which instances start again."""
        observations, infos = self._start(which, None)
        failed = done.failed & ~which
        merged = {name: np.where(which, infos[name], values) for name, values in done.info.items()}
        return observations, self._infos({**merged, "failed": failed}, np.ones(self.num_envs, dtype=bool))

    def _infos(self, figures: dict[str, Any], which: Flags) -> dict[str, Any]:
        """Figures with the masks that Gymnasium puts beside them."""
        return {**{name: np.where(which, values, np.zeros_like(values)) for name, values in figures.items()}, **{f"_{name}": which.copy() for name in figures}}
