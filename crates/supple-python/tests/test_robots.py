"""Inverse kinematics against closed formulas of two links, balance of flexible links, and limits."""

import numpy as np
import pytest

import supple


def two_links():
    builder = supple.Builder()
    parent, at = None, None
    for name, length in (("upper", 1.0), ("lower", 0.7)):
        mass = supple.rigid(1.0, inertia=[0.1, 0.1, 0.1])
        builder.body(name, parent=parent, at=at, hinge=supple.revolute([0, 0, 1], name=name), rigid=mass, nodes=[{"name": "tip", "position": [length, 0, 0]}])
        parent, at = name, "tip"
    return builder.build()


def tip_of(model, state):
    return supple.kinematics(model, state).position("lower.tip")


@pytest.mark.parametrize("target", [[0.9, 0.6, 0.0], [-0.4, 0.5, 0.0], [0.2, -1.2, 0.0]])
def test_two_links_have_the_angles_of_the_law_of_cosines(target):
    model = two_links()
    found = supple.inverse_kinematics(model, model.state(), supple.Task("lower.tip", target))
    elbow = (np.dot(target, target) - 1.0 - 0.49) / 1.4
    assert found.reached and abs(np.cos(found.state["hinge.lower"]) - elbow) < 1e-7


@pytest.mark.parametrize("target, distance", [([3.0, 4.0, 0.0], 3.3), ([0.1, 0.0, 0.0], 0.2)])
def test_targets_out_of_reach_end_as_near_as_can_be(target, distance):
    model = two_links()
    found = supple.inverse_kinematics(model, model.state(), supple.Task("lower.tip", target))
    assert found.outcome == "out of reach" and abs(found.position_errors[0] - distance) < 1e-6


def test_a_singular_start_is_left():
    model = two_links()
    found = supple.inverse_kinematics(model, model.state(), supple.Task("lower.tip", [1.0, 0.0, 0.0]))
    assert found.reached and np.allclose(tip_of(model, found.state), [1.0, 0.0, 0.0], atol=1e-8)


def test_limits_are_obeyed_and_named():
    model = two_links()
    numbers = np.random.default_rng(3)
    bounds = {"upper": (-1.0, 1.0), "lower": (0.0, 2.2)}
    for _ in range(20):
        state = model.state()
        state.coordinates[:] = [numbers.uniform(-1, 1), numbers.uniform(0.1, 2.1)]
        target = tip_of(model, state)
        found = supple.inverse_kinematics(model, model.state(), supple.Task("lower.tip", target), limits=bounds)
        assert found.reached and np.allclose(tip_of(model, found.state), target, atol=1e-7)
        assert all(lower <= found.state.hinge(name)[0] <= upper for name, (lower, upper) in bounds.items())
    found = supple.inverse_kinematics(model, model.state(), supple.Task("lower.tip", [-1.5, 0.0, 0.0]), limits={"upper": (-0.2, 0.2)})
    assert found.outcome == "at limits" and found.at_limits == ["upper"]


def test_random_poses_of_a_six_axis_arm_are_reached():
    model = supple.load("examples/ur5/ur5.urdf")
    node, numbers = model.nodes[-1], np.random.default_rng(7)
    for _ in range(20):
        state = model.state()
        state.coordinates[:] = numbers.uniform(-2.5, 2.5, 6)
        pose = supple.kinematics(model, state)
        found = supple.inverse_kinematics(model, model.state(), supple.Task(node, pose.position(node), pose.rotation(node)))
        assert found.reached, found
        there = supple.kinematics(model, found.state)
        assert np.allclose(there.position(node), pose.position(node), atol=2e-8)
        assert np.allclose(there.rotation(node), pose.rotation(node), atol=2e-8)


def test_flexible_links_reach_their_target_while_they_sag(pendulum):
    start = pendulum.state()
    start["hinge.elbow"] = 0.5
    for target in ([1.2, 0.7, 0.0], [0.5, -1.4, 0.0]):
        found = supple.inverse_kinematics(pendulum, start, supple.Task("lower.tip", target), equilibrium=True)
        assert found.reached and np.allclose(tip_of(pendulum, found.state), target, atol=2e-8)
        accelerations, _ = supple.hybrid_dynamics(pendulum, found.state, prescribed=["pivot", "elbow"])
        assert np.abs(accelerations).max() < 1e-4
        rigid = found.state.copy()
        for body in pendulum.bodies:
            rigid.modes(body)[:] = 0.0
        assert np.linalg.norm(tip_of(pendulum, rigid) - target) > 1e-2


def test_manipulability_is_that_of_the_formula():
    model = two_links()
    state = model.state()
    for elbow in (0.0, 0.3, 1.1, 2.0):
        state["hinge.lower"] = elbow
        found = supple.manipulability(model, state, "lower.tip", part="translation")
        assert abs(np.prod(found.singular_values) - 0.7 * np.sin(elbow)) < 1e-12
    with pytest.raises(supple.ArgumentError):
        supple.manipulability(model, state, "lower.tip", part="sideways")


def test_questions_without_sense_are_refused():
    model = two_links()
    ask = lambda *tasks, **options: supple.inverse_kinematics(model, model.state(), list(tasks), **options)  # noqa: E731
    with pytest.raises(supple.KinematicsError, match="no task"):
        ask()
    with pytest.raises(supple.KinematicsError, match="finite"):
        ask(supple.Task("lower.tip", [np.nan, 0, 0]))
    with pytest.raises(supple.KinematicsError, match="unit length"):
        ask(supple.Task("lower.tip", attitude=[1, 1, 0, 0]))
    with pytest.raises(supple.KinematicsError, match="lower limit"):
        ask(supple.Task("lower.tip", [1, 0, 0]), limits={"upper": (1.0, 0.0)})
    with pytest.raises(supple.ArgumentError):
        supple.CartesianPath([([0, 0, 0], [0, 0, 0, 1])], linear=(1, 1, 1), angular=(1, 1, 1))
