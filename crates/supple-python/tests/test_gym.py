"""Environments of Gymnasium: its checker is content, vectors have the bits of single environments, failures stay alone."""

import subprocess
import sys
import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

import supple  # noqa: E402
import supple.gym  # noqa: E402
from supple.gym.random import uniform  # noqa: E402

NAMES = sorted(supple.gym.TASKS)


def vector(name, count, **options):
    return gymnasium.make_vec(name, num_envs=count, vectorization_mode="vector_entry_point", **options)


def actions(environment, steps, seed=3):
    return np.random.default_rng(seed).uniform(-1, 1, (steps, *environment.action_space.shape)).astype(np.float32)


@pytest.mark.parametrize("name", NAMES)
def test_the_checker_is_content(name):
    """No warning is tolerated, neither with pictures nor without."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(name, render_mode="rgb_array").unwrapped)
        check_env(gymnasium.make(name).unwrapped, skip_render_check=True)


def test_make_imports_the_module_by_itself():
    program = 'import gymnasium; e = gymnasium.make("supple.gym:supple/Slew-v0"); e.reset(seed=1); print(e.step(e.action_space.sample())[1] < 0)'
    answer = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True)
    assert answer.stdout == "True\n", answer.stderr


def test_the_entry_point_registers():
    from importlib.metadata import entry_points

    (point,) = [point for point in entry_points(group="gymnasium.envs") if point.value.startswith("supple.")]
    gymnasium.registry.pop("supple/Link-v0")
    point.load()()
    assert "supple/Link-v0" in gymnasium.registry


def test_supple_does_not_need_gymnasium():
    program = 'import sys; sys.modules["gymnasium"] = None\nimport supple\ntry:\n    import supple.gym\nexcept ImportError as error:\n    print(error)'
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "pip install supple[gym]" in answer.stdout, answer.stderr


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_a_vector_has_the_bits_of_single_environments(name, mode):
    """Over several episodes, with starts, ends and figures; 17 instances fill no whole number of lanes."""
    count, length = 17, 6
    together = vector(name, count, max_episode_steps=length, autoreset_mode=mode)
    singles = SyncVectorEnv([lambda: gymnasium.make(name, max_episode_steps=length)] * count, autoreset_mode=mode)
    assert together.metadata["autoreset_mode"] is mode
    assert together.single_observation_space == singles.single_observation_space and together.action_space == singles.action_space
    (found, info), (expected, expected_info) = together.reset(seed=5), singles.reset(seed=5)
    same(found, expected)
    assert len({row.tobytes() for row in found}) == count
    same_infos(info, expected_info)
    for action in actions(together, 20):
        found, expected = together.step(action), singles.step(action)
        for ours, theirs in zip(found[:4], expected[:4]):
            same(ours, theirs)
        if mode is AutoresetMode.SAME_STEP and found[3].any():
            assert found[4]["final_obs"].shape == found[0].shape and found[4]["final_obs"].dtype == np.float32
            same(found[4]["final_obs"][found[4]["_final_obs"]], np.stack(expected[4]["final_obs"][expected[4]["_final_obs"]]))
            same_infos(found[4]["final_info"], expected[4]["final_info"])
        same_infos(found[4], expected[4])


def same(ours, theirs):
    assert ours.dtype == theirs.dtype and ours.tobytes() == np.ascontiguousarray(theirs).tobytes()


def same_infos(ours, theirs):
    assert ours.keys() == theirs.keys()
    for key in ours:
        if not key.startswith("final"):
            assert np.array_equal(ours[key], theirs[key]), key


def test_the_number_of_threads_does_not_show():
    environments = [vector("supple/Catch-v0", 70, threads=threads) for threads in (1, 2)]
    for environment in environments:
        environment.reset(seed=2)
    for action in actions(environments[0], 5):
        first, second = (environment.step(action) for environment in environments)
        same(first[0], second[0])
        same(first[1], second[1])


def test_a_failing_instance_is_truncated_and_its_neighbours_go_on():
    sound, broken = vector("supple/Slew-v0", 20), vector("supple/Slew-v0", 20)
    for environment in (sound, broken):
        environment.reset(seed=4)
    for step, action in enumerate(actions(sound, 6)):
        spoilt = action.copy()
        if step == 2:
            spoilt[7, 1] = np.nan
        expected, found = sound.step(action), broken.step(spoilt)
        others = np.arange(20) != 7
        for ours, theirs in zip(found[:4], expected[:4]):
            same(ours[others], theirs[others])
        assert all(np.isfinite(part).all() for part in found[:2])
        assert np.flatnonzero(found[4]["failed"]).tolist() == ([7] if step == 2 else [])
        assert np.flatnonzero(found[3]).tolist() == ([7] if step == 2 else [])
    # It started again, with the next episode of its seed.
    alone = gymnasium.make("supple/Slew-v0")
    alone.reset(seed=4 + 7)
    alone.reset()
    for action in actions(sound, 6)[4:]:
        expected = alone.step(action[7])[0]
    same(found[0][7], expected)
    # Also a state that no engine can step stays where it is.
    broken.unwrapped.task.arm.states.speeds[3] = 1e200
    observations, rewards, _, truncated, infos = broken.step(action)
    assert truncated[3] and infos["failed"][3] and truncated.sum() == 1
    assert np.isfinite(observations).all() and np.isfinite(rewards).all()


def test_disabled_autoreset_asks_for_resets():
    environment = vector("supple/Link-v0", 4, max_episode_steps=2, autoreset_mode="Disabled")
    with pytest.raises(gymnasium.error.ResetNeeded):
        environment.step(environment.action_space.sample())
    environment.reset(seed=1)
    environment.reset(seed=[None, 9, None, None], options={"reset_mask": np.array([False, True, False, False])})
    alone = gymnasium.make("supple/Link-v0")
    expected, _ = alone.reset(seed=9)
    action = actions(environment, 1)[0]
    same(environment.step(action)[0][1], alone.step(action[1])[0])
    assert environment.step(action)[3].all()
    with pytest.raises(gymnasium.error.ResetNeeded, match="reset_mask"):
        environment.step(action)
    environment.reset(options={"reset_mask": np.ones(4, dtype=bool)})
    environment.step(action)
    with pytest.raises(supple.ArgumentError, match="reset_mask"):
        environment.reset(options={"reset_mask": np.zeros(4, dtype=bool)})


def test_options_fix_starts_and_targets():
    environment = gymnasium.make("supple/Slew-v0").unwrapped
    observation, info = environment.reset(seed=1, options={"start": [0.1, 0.2], "target": [0.4, -0.3]})
    assert np.allclose(observation[:3], [-0.3, 0.5, 0.2]) and abs(info["error"] - np.hypot(0.3, 0.5)) < 1e-12
    many = vector("supple/Catch-v0", 3)
    many.reset(seed=1, options={"target": [0.6, 0.1], "velocity": np.zeros((3, 2))})
    assert np.allclose(many.unwrapped.task.target, [0.6, 0.1])
    for options, text in [({"goal": 1.0}, "unknown option 'goal'"), ({"target": [1.0]}, "2 finite numbers"), ({"start": [np.nan, 0.0]}, "finite")]:
        with pytest.raises(supple.ArgumentError, match=text):
            environment.reset(options=options)


def test_a_target_is_caught_when_the_tip_moves_with_it():
    environment = gymnasium.make("supple/Catch-v0").unwrapped
    arm = environment.task.arm
    for velocity, caught in [([0.05, 0.0], True), ([0.3, 0.0], False)]:
        environment.reset(seed=1, options={"start": [0.3, 0.8], "target": [0.0, 0.0], "velocity": velocity})
        environment.task.passing[:] = arm.tip()[0]
        _, reward, terminated, _, info = environment.step(np.zeros(2, dtype=np.float32))
        assert terminated is caught and (reward > 1.0) is caught and info["distance"] < 0.03


def test_steps_are_those_of_the_engine():
    """The tip of the environment after half a second, beside a simulation that chooses its own steps."""
    environment = gymnasium.make("supple/Slew-v0").unwrapped
    environment.reset(seed=1, options={"start": [0.2, 0.5], "target": [1.0, -0.5]})
    action = np.array([0.4, -0.3], dtype=np.float32)
    for _ in range(25):
        environment.step(action)
    arm = environment.task.arm
    start = arm.model.state()
    start["hinge.shoulder"], start["hinge.elbow"] = 0.2, 0.5
    torques = {"shoulder": float(action[0]) * 2.0, "elbow": float(action[1]) * 0.5}
    run = supple.Simulation(arm.model, start, drive=lambda time, state: torques)
    run.advance(0.5)
    reference = supple.kinematics(arm.model, run.state).position("lower.tip")[:2]
    assert np.linalg.norm(arm.tip()[0][0] - reference) < 1e-4
    # Deflection and slope of the tip of the first link are what the observation says.
    observed = environment.task._observe()[0]
    frames = supple.kinematics(arm.model, run.state)
    turned = frames.rotation("upper").T @ frames.rotation("upper.tip")
    assert abs(observed[5] / 10 - frames.deflection("upper.tip")[1]) < 2e-5 and abs(observed[6] / 10 - np.arctan2(turned[1, 0], turned[0, 0])) < 2e-4


@pytest.mark.parametrize("name", NAMES)
def test_frames_show_arm_and_goal(name):
    environment = gymnasium.make(name, render_mode="rgb_array")
    environment.reset(seed=3)
    before = environment.render()
    assert before.shape == (480, 480, 3) and before.dtype == np.uint8
    assert (before == 255).mean() > 0.6 and 0.005 < (before[..., 2].astype(int) - before[..., 0] > 60).mean() < 0.2
    for _ in range(20):
        environment.step(np.ones(environment.action_space.shape, dtype=np.float32))
    assert (before != environment.render()).mean() > 0.001
    assert gymnasium.make(name).unwrapped.render() is None
    frames = vector(name, 2, render_mode="rgb_array")
    frames.reset(seed=3)
    assert len(frames.render()) == 2 and np.array_equal(frames.render()[0], before)


def test_drawn_numbers_are_even():
    """Moments of numbers that are counted, over seeds, episodes and places, and no two alike."""
    seeds, episodes = np.arange(2000, dtype=np.uint64), np.zeros(2000, dtype=np.uint64)
    rows = uniform(seeds, episodes, 4)
    other = uniform(np.zeros(2000, dtype=np.uint64), seeds, 4)
    assert len(np.unique(np.concatenate([rows, other[1:]]))) == 4 * 3999
    for numbers in (rows, other):
        assert abs(numbers.mean() - 0.5) < 0.01 and abs(numbers.var() - 1 / 12) < 0.003
        assert np.abs(np.corrcoef(numbers.T) - np.eye(4)).max() < 0.08
        assert abs(np.corrcoef(numbers[:-1, 0], numbers[1:, 0])[0, 1]) < 0.08
