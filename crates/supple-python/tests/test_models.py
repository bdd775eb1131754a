"""Models described in Python, with forces in Python."""

import pickle

import numpy as np
import pytest

import supple


def pendulum(*, spring=None, function=None):
    builder = supple.Builder(name="bob", gravity=[0, 0, -9.81])
    keys = {} if spring is None else {"spring": spring}
    builder.body("bob", hinge=supple.revolute([0, 1, 0], name="pivot", **keys), rigid=supple.rigid(1.0, mass_centre=[0, 0, -1.0], inertia=[0.1, 0.1, 0.1]))
    if function is not None:
        builder.python_force(function, hinges=["pivot"], name="spring in Python")
    return builder.build()


def linear(time, angles, speeds):
    return {"force": -20.0 * angles, "stored": 10.0 * float(angles @ angles)}


def test_a_builder_gives_the_model_of_its_file(tmp_path):
    builder = supple.Builder(gravity=[0, -9.81, 0])
    rod = supple.beam(1.0, section=supple.rectangle(0.0037, 0.1), material=supple.material(7e10, 2700, nu=0.33), modes={"bending_y": 2})
    builder.body("upper", hinge=supple.revolute([0, 0, 1], name="shoulder"), beam=rod)
    builder.body("lower", parent="upper", at="tip", hinge=supple.revolute([0, 0, 1], name="elbow", damping=0.1), beam=rod)
    builder.force("spring-damper", from_={"ground": [0, 1, 0]}, to={"body": "lower", "node": "tip"}, stiffness=10.0, length=0.5)
    builder.closure("point-on-plane", name="floor", a={"ground": [2.0, 0, 0]}, b={"body": "lower", "node": "tip"}, normal=[1, 0, 0])
    model = builder.build()
    assert model.bodies == ["upper", "lower"] and model.closures == ["floor"]
    builder.save(tmp_path / "arm.toml")
    other = supple.load(tmp_path / "arm.toml")
    state = model.state()
    state.speeds[:] = 0.1
    twin = other.state()
    twin.speeds[:] = 0.1
    assert np.array_equal(supple.forward_dynamics(model, state), supple.forward_dynamics(other, twin))


def test_a_force_in_python_is_the_force_of_the_engine():
    built, own = pendulum(spring=20.0), pendulum(function=linear)
    for model in (built, own):
        state = model.state()
        state["hinge.pivot"] = 0.4
        results = supple.forward_dynamics(model, state), supple.energy(model, state).stored, supple.forward_dynamics_derivatives(model, state)[0]
        if model is built:
            expected = results
    assert np.allclose(results[0], expected[0]) and np.isclose(results[1], expected[1])
    assert np.allclose(results[2], expected[2], rtol=1e-7)
    plants = [supple.linearize(model, model.state(), inputs=["force.pivot"], outputs=["hinge.pivot"]) for model in (built, own)]
    assert np.allclose(plants[0].A, plants[1].A, rtol=1e-7)
    runs = [supple.Simulation(model, model.state(), forces={"pivot": 1.0}) for model in (built, own)]
    for run in runs:
        run.advance(1.0)
    assert np.allclose(runs[0].state.coordinates, runs[1].state.coordinates, atol=1e-7)
    assert abs(runs[1].energy_balance_error) < 1e-6


def test_a_force_in_python_is_refused_by_batches_by_name():
    with pytest.raises(supple.UnsupportedError, match="Python"):
        pendulum(function=linear).batch(4)


def test_an_exception_of_a_force_arrives():
    def broken(time, angles, speeds):
        raise ZeroDivisionError("mine")

    model = pendulum(function=broken)
    with pytest.raises(ZeroDivisionError, match="mine"):
        supple.forward_dynamics(model, model.state())
    with pytest.raises(supple.ArgumentError, match="finite"):
        other = pendulum(function=lambda time, angles, speeds: float("inf"))
        supple.forward_dynamics(other, other.state())


def test_a_model_with_forces_in_python_is_pickled():
    model = pickle.loads(pickle.dumps(pendulum(function=linear)))
    state = model.state()
    state["hinge.pivot"] = 0.4
    expected = pendulum(function=linear)
    same = expected.state()
    same["hinge.pivot"] = 0.4
    assert np.array_equal(supple.forward_dynamics(model, state), supple.forward_dynamics(expected, same))


def test_a_force_between_nodes():
    builder = supple.Builder(gravity=[0, 0, -9.81])
    builder.body("load", hinge=supple.free(), rigid=supple.rigid(2.0, inertia=[0.1, 0.1, 0.1]))
    builder.python_force(lambda time, positions, velocities: [[0, 0, 0, 0, 0, 2.0 * 9.81]], nodes=["load." + builder_node()])
    model = builder.build()
    assert np.allclose(supple.forward_dynamics(model, model.state()), 0.0, atol=1e-12)


def builder_node():
    """Name of the only node of a rigid body."""
    builder = supple.Builder()
    builder.body("load", hinge=supple.free(), rigid=supple.rigid(2.0, inertia=[0.1, 0.1, 0.1]))
    return builder.build().nodes[0].split(".", 1)[1]
