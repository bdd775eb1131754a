"""An evolution strategy in NumPy improves a policy for supple/Slew-v0: `slew_policy.py [GENERATIONS [PICTURE]]`.

The policy is linear: torques from the observation, limited smoothly. Each generation steps a population of policies at once, one instance each,
all with the same episodes; the mean of the policies then moves towards the better half (Rechenberg, Schwefel; weights by rank).
"""

import sys
import time

import gymnasium
import numpy as np
from numpy.typing import NDArray

import supple.gym
from supple.gym.vector import ArmVectorEnv

Array = NDArray[np.float64]

POPULATION, EPISODES, SPREAD = 64, 2, 0.3


def rollout(environment: ArmVectorEnv, policies: Array, seed: int) -> tuple[Array, Array]:
    """Return of an episode and vibration in its last second, for each policy (instances x actions x observations). Policies with the same remainder
    by `EPISODES` meet the same start and target."""
    count = environment.num_envs
    observations, _ = environment.reset(seed=[seed + i % EPISODES for i in range(count)])
    returns, vibration = np.zeros(count), np.zeros(count)
    for step in range(supple.gym.Slew.episode):
        actions = np.tanh(np.einsum("iao,io->ia", policies, observations))
        observations, rewards, _, _, infos = environment.step(actions.astype(np.float32))
        returns += rewards
        if step >= supple.gym.Slew.episode - 50:
            vibration = np.maximum(vibration, infos["vibration"])
    return returns, vibration


def main(generations: int, picture: str | None) -> None:
    environment = gymnasium.make_vec("supple/Slew-v0", num_envs=POPULATION * EPISODES, vectorization_mode="vector_entry_point")
    assert isinstance(environment, ArmVectorEnv)
    rng = np.random.default_rng(1)
    shape = (environment.single_action_space.shape or ())[:1] + (environment.single_observation_space.shape or ())[:1]
    mean, spread = np.zeros(shape), np.full(shape, SPREAD)
    weights = np.maximum(0.0, np.log(POPULATION / 2 + 0.5) - np.log(np.arange(1, POPULATION + 1)))
    weights /= weights.sum()
    test = 10**6
    everywhere = (environment.num_envs, *shape)
    first, _ = rollout(environment, np.broadcast_to(mean, everywhere), test)
    begun, curve = time.perf_counter(), []
    for generation in range(generations):
        candidates = mean + spread * rng.standard_normal((POPULATION, *shape))
        returns, _ = rollout(environment, np.repeat(candidates, EPISODES, axis=0), EPISODES * generation)
        score = returns.reshape(POPULATION, EPISODES).mean(axis=1)
        best = candidates[np.argsort(-score)]
        moved = np.tensordot(weights, best, axes=1)
        spread = np.sqrt(0.8 * spread**2 + 0.2 * np.tensordot(weights, np.square(best - mean), axes=1))
        mean = moved
        curve.append((time.perf_counter() - begun, float(score.mean()), float(score.max())))
    last, vibration_after = rollout(environment, np.broadcast_to(mean, everywhere), test)
    seconds = time.perf_counter() - begun
    print(f"return on episodes not trained on: {first.mean():.3f} -> {last.mean():.3f} in {seconds:.1f} s and {generations} generations")
    print(f"vibration of the tip in the last second: {1e3 * vibration_after.mean():.1f} mm/s")
    assert last.mean() > 0.5 * first.mean(), "the policy did not improve"
    if picture is not None:
        draw(curve, float(first.mean()), float(last.mean()), picture)


def draw(curve: list[tuple[float, float, float]], first: float, last: float, picture: str) -> None:
    import matplotlib.pyplot as pyplot

    seconds, means, bests = np.array(curve).T
    figure, axes = pyplot.subplots(figsize=(6.4, 3.6), layout="constrained")
    axes.plot(seconds, bests, label="best of the population")
    axes.plot(seconds, means, label="mean of the population")
    axes.axhline(first, color="0.6", linestyle=":", label=f"no torque: {first:.2f}")
    axes.axhline(last, color="0.3", linestyle="--", label=f"mean policy on other episodes: {last:.2f}")
    axes.set(xlabel="time [s]", ylabel="return of an episode", title="Evolution strategy on supple/Slew-v0")
    axes.set_ylim(max(4 * first, float(means.min())), 0.2)
    axes.legend()
    figure.savefig(picture, dpi=120)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 12, sys.argv[2] if len(sys.argv) > 2 else None)
