"""Runs of scenarios, simulations from Python, linear design."""

import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import supple


def test_a_scenario_gives_its_table(tmp_path):
    result = supple.simulate("examples/double-pendulum/fall.toml", set={"duration": 1.0}, folder=tmp_path / "out", report=True)
    # As Exudyn finds with geometrically exact beams.
    assert abs(result["node.lower.tip.y"][-1] + 1.0403) < 1e-4
    assert result.units["node.lower.tip.y"] == "m" and len(result.time) == 101
    assert abs(result.summary["ledger"]["balance_error"]) < 1e-8
    assert result.report is not None and result.report.exists() and "<iframe" in result._repr_html_()
    with pytest.raises(supple.RunError) as caught:
        supple.simulate("examples/double-pendulum/fall.toml", folder=tmp_path / "out")
    assert caught.value.kind == "Exists" and caught.value.remedy
    with pytest.raises(supple.UnknownNameError, match="columns are"):
        result["nothing"]


def test_tables_of_other_packages():
    result = supple.simulate("examples/double-pendulum/fall.toml", set={"duration": 0.1})
    pandas, polars, xarray = map(pytest.importorskip, ("pandas", "polars", "xarray"))
    frame = result.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and np.array_equal(frame["hinge.elbow"], result["hinge.elbow"])
    assert isinstance(result.to_polars(), polars.DataFrame) and result.to_polars()["time"].len() == len(result.time)
    data = result.to_xarray()
    assert isinstance(data, xarray.Dataset) and data["hinge.elbow"].attrs["units"] == "rad"
    assert "<table>" in result._repr_html_()
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    assert len(result.plot(["hinge.elbow", "hinge.pivot"]).lines) == 2


def test_a_bad_scenario_shows_its_line(tmp_path):
    bad = tmp_path / "bad.toml"
    bad.write_text('format = "supple-scenario-1"\nmodel = "arm.toml"\nduraton = 1\n')
    with pytest.raises(supple.FileError) as caught:
        supple.simulate(bad)
    assert any(found.line == 3 and "duraton" in found.what for found in caught.value.findings)


def test_a_drive_in_python_is_that_of_the_engine(pendulum):
    """Damping of a drive in Python and the same forces held by a controller at short periods."""
    end = 0.3
    continuous = supple.Simulation(pendulum, pendulum.state(), drive=lambda t, s: {"pivot": -2.0 * s["speed.pivot"]})
    continuous.advance(end)
    sampled = supple.Simulation(pendulum, pendulum.state())
    sampled.add_controller(lambda t, s: {"pivot": -2.0 * s["speed.pivot"]}, 2e-4)
    sampled.advance(end)
    assert np.allclose(continuous.state.coordinates, sampled.state.coordinates, atol=2e-3)
    free = supple.Simulation(pendulum, pendulum.state())
    free.advance(end)
    assert abs(free.state["hinge.pivot"] - continuous.state["hinge.pivot"]) > 0.02
    assert abs(free.energy_balance_error) < 1e-8


def test_an_exception_of_a_drive_arrives(pendulum):
    calls = []

    def drive(t, s):
        calls.append(t)
        if t > 0.05:
            raise KeyError("mine")

    run = supple.Simulation(pendulum, pendulum.state(), drive=drive)
    with pytest.raises(KeyError, match="mine"):
        run.advance(1.0)
    assert run.state.time <= 0.06


def test_other_threads_run_during_a_simulation(pendulum):
    run = supple.Simulation(pendulum, pendulum.state())
    thread = threading.Thread(target=lambda: run.advance(1.0))
    count = 0
    thread.start()
    while thread.is_alive():
        count += 1
        time.sleep(1e-4)
    thread.join()
    assert count > 3 and run.state.time == 1.0


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("call", ["supple.simulate('examples/double-pendulum/fall.toml', set={'duration': 1e4})", "supple.Simulation(m, m.state()).advance(1e4)"])
def test_control_c_ends_a_long_call(call):
    program = f"import supple; m = supple.load('examples/double-pendulum/pendulum.toml'); print('go', flush=True)\ntry:\n    {call}\nexcept KeyboardInterrupt:\n    print('interrupted')"
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "go\n"
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert out == "interrupted\n"


def test_modes_and_equilibrium(pendulum):
    hanging = supple.equilibrium(pendulum, pendulum.state())
    assert hanging.stable and np.allclose(supple.forward_dynamics(pendulum, hanging.state), 0.0, atol=1e-6)
    free = supple.modes(pendulum, hanging.state, locked=[])
    plant = supple.linearize(pendulum, hanging.state, inputs=["force.pivot"], outputs=["hinge.*"])
    rates = np.sort(np.abs(plant.poles.imag[plant.poles.imag > 0]))
    assert np.allclose(rates / (2 * np.pi), np.sort(free.frequencies), rtol=1e-6)
    assert supple.modes(pendulum).frequencies[0] > free.frequencies[0]
    given, measured = supple.signals(pendulum)
    assert given["force.pivot"] == "N m" and measured["hinge.elbow"] == "rad"
    with pytest.raises(supple.LinearError) as caught:
        supple.linearize(pendulum, hanging.state, inputs=["force.pivto"], outputs=["hinge.*"])
    assert "force.pivot" in (caught.value.remedy or "")


def test_lqr_of_python_control_holds_the_plant():
    """Designed on the linear model, run on the nonlinear plant: small motions decay as predicted."""
    control = pytest.importorskip("control")
    model = supple.load("examples/double-pendulum/pendulum.toml")
    at = supple.equilibrium(model, model.state()).state
    plant = supple.linearize(model, at, inputs=["force.pivot", "force.elbow"], outputs=["hinge.pivot", "hinge.elbow"])
    system = plant.to_control()
    assert system.nstates == 20 and np.allclose(plant.to_scipy().A, plant.A)
    weights = np.diag([100.0 if name.startswith("hinge.") else 1e-3 for name in plant.states])
    gain, _, poles = control.lqr(system, weights, 0.1 * np.eye(2))
    assert poles.real.max() < 0

    def controller(t, state):
        u = -gain @ plant.deviation(state)
        return {"pivot": u[0], "elbow": u[1]}

    start = at.copy()
    start.hinge("pivot")[:] += 1e-3
    run = supple.Simulation(model, start, drive=controller)
    motion = run.run(4.0, 0.05)
    from scipy.linalg import expm

    x0 = plant.deviation(start)
    closed = plant.A - plant.B @ np.asarray(gain)
    index = plant.states.index("hinge.pivot")
    predicted = np.array([(expm(closed * t) @ x0)[index] for t in motion.time])
    actual = motion["hinge.pivot"] - plant.x[index]
    assert np.abs(actual - predicted).max() < 1e-5, np.abs(actual - predicted).max()
    assert np.abs(actual[-1]) < 0.05 * np.abs(actual[0])


def test_inverse_kinematics_and_paths():
    model = supple.load("examples/ur5/ur5.urdf")
    state = model.state()
    state.coordinates[:] = [0.3, -1.2, 1.4, -0.4, 1.1, 0.2]
    node = model.nodes[-1]
    pose = supple.kinematics(model, state)
    found = supple.inverse_kinematics(model, model.state(), supple.Task(node, pose.position(node), pose.rotation(node)))
    assert found.reached
    there = supple.kinematics(model, found.state)
    assert np.allclose(there.position(node), pose.position(node), atol=1e-7) and np.allclose(there.rotation(node), pose.rotation(node), atol=1e-7)
    attitude = supple.Task(node, attitude=pose.rotation(node)).attitude
    a, b = (pose.position(node).tolist(), attitude.tolist()), ((pose.position(node) + [0.1, 0.1, -0.1]).tolist(), attitude.tolist())
    path = supple.CartesianPath([a, b], linear=(0.2, 0.5, 4.0), angular=(1.0, 2.0, 10.0))
    times = np.linspace(path.start, path.end, 9)
    rows = supple.follow(model, state, node, path, times.tolist())
    for time, row in zip(times, rows):
        at = model.state()
        at.coordinates = row
        assert np.allclose(supple.kinematics(model, at).position(node), path(time)[0], atol=1e-7)
    with pytest.raises(supple.KinematicsError, match="not reached"):
        far = supple.CartesianPath([a, ([5.0, 0.0, 0.0], a[1])], linear=(1.0, 1.0, 10.0), angular=(1.0, 2.0, 10.0))
        supple.follow(model, state, node, far, [far.end])
    bounds = {name: (-1.5, 1.5) for name in model.hinges if model.hinge_speeds(name).stop - model.hinge_speeds(name).start == 1}
    limited = supple.inverse_kinematics(model, model.state(), supple.Task(node, pose.position(node)), limits=bounds)
    assert all(-1.5 <= limited.state.hinge(name)[0] <= 1.5 for name in bounds)


def test_the_command():
    answer = subprocess.run([sys.executable, "-m", "supple", "--version"], capture_output=True, text=True)
    if "no command" in answer.stderr:
        pytest.skip("built without the command")
    assert answer.returncode == 0 and answer.stdout.startswith("supple ")
    wrong = subprocess.run([sys.executable, "-m", "supple", "nonsense"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "nonsense" in wrong.stderr
