"""Mistakes show file, line and remedy; nothing that a user gives ends the interpreter."""

import numpy as np
import pytest

import supple
from supple import _processor


def test_a_bad_model_file_names_line_and_remedy(tmp_path):
    text = open("examples/double-pendulum/pendulum.toml").read()
    line = next(i for i, row in enumerate(text.splitlines(), 1) if row.startswith("length"))
    bad = tmp_path / "bad.toml"
    bad.write_text(text.replace("length = 1", "lenght = 1", 1))
    with pytest.raises(supple.FileError) as caught:
        supple.load(bad)
    error = caught.value
    finding = next(found for found in error.findings if found.line == line)
    assert finding.file == str(bad) and "lenght" in finding.what and "length" in (finding.remedy or "")
    assert error.file == str(bad) and error.line and f"{bad}:{line}" in str(error)


def test_a_file_that_is_not_there():
    with pytest.raises(supple.FileError) as caught:
        supple.load("no-such-file.toml")
    assert caught.value.remedy


def test_unknown_names_have_the_nearest(pendulum):
    with pytest.raises(supple.UnknownNameError) as caught:
        pendulum.state().hinge("elbwo")
    assert caught.value.nearest == "elbow" and caught.value.remedy == "did you mean 'elbow'?" and caught.value.what == "hinge"
    with pytest.raises(supple.UnknownNameError, match="hinge.elbow"):
        pendulum.state()["hinge.elbo"]
    with pytest.raises(supple.UnknownNameError):
        supple.jacobian(pendulum, pendulum.state(), "lower.tipp")


def test_numbers_that_are_not_finite(pendulum):
    state = pendulum.state()
    state.speeds[1] = np.inf
    with pytest.raises(supple.DynamicsError) as caught:
        supple.forward_dynamics(pendulum, state)
    assert caught.value.kind == "NotFinite" and caught.value.index == 1
    with pytest.raises(supple.SuppleError):
        supple.forward_dynamics(pendulum, pendulum.state(), [np.nan] * pendulum.speed_count)


def test_wrong_arguments(pendulum, shuttle):
    with pytest.raises(supple.ArgumentError, match="another model"):
        supple.forward_dynamics(pendulum, shuttle.state())
    with pytest.raises(supple.ArgumentError, match="numbers"):
        supple.forward_dynamics(pendulum, pendulum.state(), [1.0])
    with pytest.raises(supple.ArgumentError, match="no state"):
        supple.forward_dynamics(pendulum, 3)
    with pytest.raises(TypeError):
        supple.forward_dynamics(3, pendulum.state())
    with pytest.raises(supple.ArgumentError):
        pendulum.batch(0)
    with pytest.raises((supple.ArgumentError, OverflowError)):
        pendulum.batch(-1)
    with pytest.raises(supple.BatchError):
        pendulum.batch(2, threads=10**6)


def test_cases_that_make_no_sense():
    with pytest.raises(supple.CaseError) as caught:
        supple.evaluate_case({"schema": "supple-oracle-1", "kind": "tree", "model": {}})
    assert caught.value.problems
    with pytest.raises(supple.UnsupportedError):
        supple.evaluate_case({"schema": "supple-oracle-1", "kind": "fluid"})
    with pytest.raises(supple.ArgumentError, match="JSON"):
        supple.evaluate_case({"x": float("nan")})


def test_a_model_in_python_names_its_line():
    builder = supple.Builder(name="arm")
    builder.body("boom", hinge=supple.revolute([0, 0, 0]), rigid=supple.rigid(1.0, inertia=[1, 1, 1]))
    with pytest.raises(supple.FileError) as caught:
        builder.build()
    assert caught.value.file == "arm" and caught.value.line is not None
    assert "hinge" in builder.text().splitlines()[caught.value.line - 1]
    with pytest.raises(supple.ArgumentError, match="finite"):
        supple.Builder(gravity=[0, 0, float("nan")]).text()


def test_an_old_processor_is_refused_before_the_module_is_loaded():
    nehalem = "processor : 0\nflags\t\t: fpu sse4_2 popcnt\n"
    lacks = _processor.missing(nehalem)
    assert "avx2" in lacks and "fma" in lacks
    folder = __import__("pathlib").Path(supple.__file__).parent
    if any(_processor.needs_v3(module) for module in folder.glob("_supple*.so")):
        with pytest.raises(ImportError, match="baseline wheel"):
            _processor.check(folder, lacks)
    _processor.check(folder, [])
    assert _processor.missing("flags : " + " ".join(_processor.NEEDED)) == []
