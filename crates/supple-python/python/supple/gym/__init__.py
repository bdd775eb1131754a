"""Gymnasium environments of flexible arms: `supple/Slew-v0`, `supple/Catch-v0`, `supple/Link-v0`.

Importing this module registers them. `gymnasium.make("supple.gym:supple/Slew-v0")` imports it by itself. Needs gymnasium: `pip install supple[gym]`.
"""

from __future__ import annotations

try:
    import gymnasium
except ImportError as error:
    raise ImportError("supple.gym needs Gymnasium; install it with: pip install supple[gym]") from error

from .tasks import Catch, Link, Slew, Task

__all__ = ["TASKS", "Catch", "Link", "Slew", "Task", "register"]

#: Tasks by the names of their environments.
TASKS: dict[str, type[Task]] = {"supple/Slew-v0": Slew, "supple/Catch-v0": Catch, "supple/Link-v0": Link}


def register() -> None:
    """Registers the environments. The entry point of the group `gymnasium.envs`, which Gymnasium before 1.0 calls."""
    for name, task in TASKS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point="supple.gym.single:ArmEnv",
                vector_entry_point="supple.gym.vector:ArmVectorEnv",
                max_episode_steps=task.episode,
                kwargs={"task": name},
            )


register()
