"""Verbs against each other, against definitions and against answers from outside."""

import copy
import json
import os
import pickle
import threading
from pathlib import Path

import numpy as np
import pytest

import supple

CASES = sorted(Path("references/cases").glob("*.json"))


def worst(found, expected, scale):
    """Largest difference of two trees of numbers, over `scale`."""
    if isinstance(expected, dict):
        return max((worst(found[key], expected[key], scale) for key in expected if key in found), default=0.0)
    if isinstance(expected, list):
        assert len(found) == len(expected)
        return max((worst(a, b, scale) for a, b in zip(found, expected)), default=0.0)
    return 0.0 if not isinstance(expected, float) else abs(found - expected) / scale


def size(tree):
    if isinstance(tree, dict):
        return max(map(size, tree.values()), default=0.0)
    if isinstance(tree, list):
        return max(map(size, tree), default=0.0)
    return abs(tree) if isinstance(tree, float) else 0.0


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_reference_cases(path):
    case = json.loads(path.read_text())
    answers = supple.evaluate_case(case)
    json.dumps(answers)
    compared = [key for key in case["expected"] if key in answers]
    assert compared
    for key in compared:
        expected = case["expected"][key]
        assert worst(answers[key], expected, max(1.0, size(expected))) < 1e-9, key


def some_state(model, seed=1):
    state = model.state()
    numbers = np.random.default_rng(seed)
    state.displace(0.1 * numbers.standard_normal(model.speed_count))
    state.speeds[:] = 0.1 * numbers.standard_normal(model.speed_count)
    return state


def test_forward_and_inverse_dynamics_agree(pendulum):
    state = some_state(pendulum)
    forces = np.linspace(-1, 1, pendulum.speed_count)
    found = supple.forward_dynamics(pendulum, state, forces)
    assert np.allclose(supple.inverse_dynamics(pendulum, state, found), forces, atol=1e-8)
    assert np.allclose(supple.composite_forward_dynamics(pendulum, state, forces), found, rtol=1e-9, atol=1e-9)
    mass, bias = supple.mass_matrix(pendulum, state), supple.bias_forces(pendulum, state)
    assert np.allclose(mass @ found + bias, forces, atol=1e-8)
    _, hybrid = supple.hybrid_dynamics(pendulum, state, forces, found, prescribed=["elbow"])
    assert np.allclose(hybrid, forces, atol=1e-8)


def test_out_is_filled_and_results_are_fresh(pendulum):
    state = some_state(pendulum)
    out = np.empty(pendulum.speed_count)
    assert supple.forward_dynamics(pendulum, state, out=out) is out
    fresh = supple.forward_dynamics(pendulum, state)
    assert np.array_equal(out, fresh)
    state.speeds[:] = 0
    assert np.array_equal(out, fresh)
    with pytest.raises(supple.ArgumentError, match="shape"):
        supple.forward_dynamics(pendulum, state, out=np.empty(3))
    with pytest.raises(supple.ArgumentError, match="read-only"):
        out.flags.writeable = False
        supple.forward_dynamics(pendulum, state, out=out)
    with pytest.raises(supple.ArgumentError, match="float64"):
        supple.forward_dynamics(pendulum, state, out=np.empty(pendulum.speed_count, dtype=np.float32))


def test_forces_by_name_and_strided(pendulum):
    state = some_state(pendulum)
    forces = np.zeros(pendulum.speed_count)
    forces[pendulum.hinge_speeds("elbow")] = 2.0
    named = supple.forward_dynamics(pendulum, state, {"elbow": 2.0})
    assert np.array_equal(named, supple.forward_dynamics(pendulum, state, forces))
    strided = np.zeros((pendulum.speed_count, 3))
    strided[:, 1] = forces
    assert np.array_equal(named, supple.forward_dynamics(pendulum, state, strided[:, 1]))
    assert np.array_equal(named, supple.forward_dynamics(pendulum, state, forces.tolist()))


def test_wrenches_act_through_the_jacobian(pendulum):
    state = some_state(pendulum)
    wrench = np.array([0.1, -0.2, 0.3, 1.0, 2.0, -0.5])
    with_wrench = supple.inverse_dynamics(pendulum, state, wrenches={"lower.tip": wrench})
    without = supple.inverse_dynamics(pendulum, state)
    assert np.allclose(without - with_wrench, supple.jacobian(pendulum, state, "lower.tip").T @ wrench, atol=1e-10)


def test_views_by_name_are_the_state(pendulum):
    state = pendulum.state()
    state.hinge("elbow")[:] = 0.25
    assert state["hinge.elbow"] == 0.25 and state.coordinates[pendulum.hinge_coordinates("elbow")] == [0.25]
    state["mode.upper.2"] = 0.01
    assert state.modes("upper")[1] == 0.01
    view = state.speeds
    del state
    view[:] = 1.0
    assert view.sum() == pendulum.speed_count


def test_kinematics_are_rates(pendulum):
    state = some_state(pendulum)
    h = 1e-6
    after, before = state.copy(), state.copy()
    after.displace(h * state.speeds)
    before.displace(-h * state.speeds)
    at = lambda s: supple.kinematics(pendulum, s).position("lower.tip")  # noqa: E731
    rate = (at(after) - at(before)) / (2 * h)
    found = supple.kinematics(pendulum, state)
    assert np.allclose(found.velocity("lower.tip")[3:], rate, atol=1e-8)
    assert np.allclose(supple.jacobian(pendulum, state, "lower.tip") @ state.speeds, found.velocity("lower.tip"))
    assert np.isclose(supple.energy(pendulum, state).kinetic, 0.5 * state.speeds @ supple.mass_matrix(pendulum, state) @ state.speeds)
    assert np.isclose(supple.momentum(pendulum, state).mass, 2.0)


def test_derivatives_are_those_of_differences(pendulum):
    state = some_state(pendulum)
    by_place, by_speed, by_force = supple.forward_dynamics_derivatives(pendulum, state)
    assert np.allclose(by_force @ supple.mass_matrix(pendulum, state), np.eye(pendulum.speed_count), atol=1e-6)
    for j in range(pendulum.speed_count):
        step = np.zeros(pendulum.speed_count)
        step[j] = 1e-6
        moved = []
        for sign in (1, -1):
            other = state.copy()
            other.displace(sign * step)
            moved.append(supple.forward_dynamics(pendulum, other))
        differences = (moved[0] - moved[1]) / 2e-6
        assert np.allclose(by_place[:, j], differences, rtol=1e-4, atol=1e-4 * np.abs(by_place).max())


def test_batch_rows_are_single_states(shuttle):
    states = shuttle.batch(37)
    numbers = np.random.default_rng(5)
    states.coordinates[:] = 0.1 * numbers.standard_normal(states.coordinates.shape)
    states.speeds[:] = 0.1 * numbers.standard_normal(states.speeds.shape)
    forces = numbers.standard_normal((37, shuttle.speed_count))
    found = supple.forward_dynamics(shuttle, states, forces)
    masses = supple.mass_matrix(shuttle, states)
    back = supple.inverse_dynamics(shuttle, states, found)
    for i in range(37):
        one = shuttle.state()
        one.coordinates = states.coordinates[i]
        one.speeds = states.speeds[i]
        one.attitudes[:] = states.attitudes[i]
        assert np.array_equal(supple.forward_dynamics(shuttle, one, forces[i]), found[i])
        assert np.allclose(supple.mass_matrix(shuttle, one), masses[i], rtol=1e-13, atol=0)
    assert np.allclose(back, forces, atol=1e-6)
    before = states.coordinates.copy()
    states.step(1e-3, forces)
    assert not np.array_equal(before, states.coordinates) and np.isfinite(states.coordinates).all()


def test_steps_of_batches_bear_stiff_modes_unless_told_otherwise(shuttle):
    states, forces = shuttle.batch(3), np.zeros((3, shuttle.speed_count))
    states.speeds[:] = 1e-3
    for _ in range(40):
        states.step(0.02, forces)
    assert abs(states.speeds).max() < 0.1
    with pytest.raises(supple.BatchError):
        for _ in range(1000):
            states.step(0.02, forces, scheme="rk4")
    with pytest.raises(supple.ArgumentError, match="linearly-implicit"):
        states.step(0.02, forces, scheme="euler")


def test_compiled_verbs_are_the_verbs(pendulum):
    numbers = np.random.default_rng(3)
    state = pendulum.state()
    state.coordinates[:] = 0.1 * numbers.standard_normal(pendulum.coordinate_count)
    state.speeds[:] = 0.1 * numbers.standard_normal(pendulum.speed_count)
    forces = numbers.standard_normal(pendulum.speed_count)
    try:
        dynamics = pendulum.compiled("forward_dynamics")
    except supple.UnsupportedError as error:
        assert os.environ.get("CI") != "true", error
        pytest.skip(str(error))
    expected = supple.forward_dynamics(pendulum, state, forces)
    found = dynamics(state, forces)
    assert len(dynamics.outputs) == pendulum.speed_count and Path(dynamics.library).exists()
    assert abs(found - expected).max() < 1e-9 * abs(expected).max()
    out = np.empty(pendulum.speed_count)
    assert dynamics(state, forces, out=out) is out and np.array_equal(out, found)
    forces[0] = np.nan
    with pytest.raises(supple.DynamicsError):
        dynamics(state, forces)
    with pytest.raises(supple.ArgumentError, match="forward_dynamic"):
        pendulum.compiled("forward_dynamic")


def test_a_bad_instance_is_named_and_leaves_its_neighbours(pendulum):
    states = pendulum.batch(20)
    out = np.zeros((20, pendulum.speed_count))
    states.speeds[7, 0] = np.nan
    with pytest.raises(supple.BatchError) as caught:
        supple.forward_dynamics(pendulum, states, out=out)
    assert [instance for instance, _ in caught.value.instances] == [7]
    assert np.isnan(out[7]).all() and np.isfinite(np.delete(out, 7, axis=0)).all()


def test_pickle_and_copy(shuttle):
    state = some_state(shuttle)
    model, other = pickle.loads(pickle.dumps((shuttle, state)))
    assert other == state and np.array_equal(supple.forward_dynamics(model, other.model.state()), supple.forward_dynamics(shuttle, shuttle.state()))
    assert np.array_equal(supple.forward_dynamics(other.model, other), supple.forward_dynamics(shuttle, state))
    assert copy.copy(shuttle) is shuttle
    deep = copy.deepcopy(state)
    deep.speeds[:] = 0
    assert deep != state


def test_threads_share_a_model(pendulum):
    state = some_state(pendulum)
    expected = supple.forward_dynamics(pendulum, state)
    found = []

    def work():
        own = state.copy()
        found.extend(np.array_equal(supple.forward_dynamics(pendulum, own), expected) for _ in range(200))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 800 and all(found)


def test_several_steps_are_one_call(pendulum):
    once, thrice = pendulum.batch(4), pendulum.batch(4)
    for states in (once, thrice):
        states.coordinates[:, pendulum.hinge_coordinates("elbow")] = 0.3
    once.step(1e-3, count=3)
    for _ in range(3):
        thrice.step(1e-3)
    assert np.array_equal(once.coordinates, thrice.coordinates)


def test_a_device_that_is_not_there_is_named(pendulum):
    with pytest.raises(supple.ArgumentError, match="unknown device 'tpu'"):
        pendulum.batch(4, device="tpu")
    try:
        states = pendulum.batch(4, device="cuda")
    except supple.DeviceError as error:
        assert error.kind in {"NoDriver", "NoDevice", "NoCompiler"} and "; install" in str(error) or "; look at" in str(error)
    else:
        states.step(1e-3, count=10)
