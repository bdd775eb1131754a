"""Parameters from recordings and moves within limits: `supple.identify` and `supple.optimise`."""

import json
import re
import shutil
import signal
import threading
from pathlib import Path

import numpy as np
import pytest

import supple

ROOT = Path(__file__).resolve().parents[3]
TRUTH = {"model.body.payload.rigid.mass": 0.3, "model.body.link.beam.material.E": 7.1e10, "model.body.link.hinge.friction.level": 0.08}


def page(name):
    return (ROOT / "docs/how-to" / name).read_text()


def files(name):
    """Files of a page: texts by their names, those made of others with what they are made of."""
    found = {}
    for what, text in re.findall(r"<!-- file: (.*?) -->\n```toml\n(.*?)```", page(name), re.DOTALL):
        file, _, base = what.partition(", from ")
        found[file] = (found[base] if base else "") + text
    return found


def python_block(name, call):
    blocks = re.findall(r"```python\n(.*?)```", page(name), re.DOTALL)
    return next(block for block in blocks if call in block)


@pytest.fixture
def experiment(tmp_path, monkeypatch):
    """The folder of the page on identification, with its recording."""
    for name, text in files("identify.md").items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    supple.simulate("identify/recorded.toml", folder="identify/recorded")
    return tmp_path


@pytest.fixture
def arm(tmp_path, monkeypatch):
    """The folder of the page on optimisation."""
    shutil.copytree(ROOT / "examples/two-link-arm", tmp_path / "examples/two-link-arm")
    for name, text in files("optimise.md").items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


COARSE = {f"model.body.{link}.beam.modes.bending_y": 2 for link in ("upper", "lower")}


def test_pages_run(experiment, arm):
    for name, call in (("identify.md", "supple.identify"), ("optimise.md", "supple.optimise")):
        exec(compile(python_block(name, call), name, "exec"), {})


def test_parameters_with_bounds(experiment):
    steps = []
    found = supple.identify("identify/payload.toml", folder="found", progress=lambda step, residual: steps.append((step, residual)))
    assert list(found.parameters) == list(TRUTH) and found.converged and not found.interrupted
    for name, truth in TRUTH.items():
        assert abs(found[name].value - truth) < 1.6 * found[name].bound < 2 * found[name].joint_bound
        assert found[name].certainty == "bounded" and found[name].keys == (name,)
    assert found.correlation.shape == (3, 3) and np.allclose(np.diag(found.correlation), 1, rtol=1e-14, atol=0)
    column = found.columns["hinge.shoulder"]
    assert column.noise == pytest.approx(1e-3, rel=0.2) and column.noise_found
    assert np.sqrt(np.mean(column.residuals**2)) == pytest.approx(column.residual)
    assert len(steps) > 1 and steps[0][1] > 2 * steps[-1][1] and 0.5 < steps[-1][1] < 1.5
    # The files are those of the command, and the numbers in them.
    written = json.loads(Path("found/identified.json").read_text())
    assert [entry["value"] for entry in written["parameters"]] == [found[name].value for name in TRUTH]
    # The values repeat the recording.
    result = supple.simulate("identify/swing.toml", set=found.changes)
    assert np.abs(result["hinge.shoulder"][-1] - column.fitted[-1]) < 1e-6
    with pytest.raises(supple.ArgumentError, match="replace=True"):
        supple.identify("identify/payload.toml", folder="found")


def test_progress_that_raises_ends_the_search(experiment):
    def stop(step, residual):
        raise ZeroDivisionError("enough")

    with pytest.raises(ZeroDivisionError) as caught:
        supple.identify("identify/payload.toml", progress=stop)
    assert caught.value.results.interrupted and not caught.value.results.converged


def test_interrupts_end_the_search_with_what_was_found(arm):
    timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])

    def begin(*_):
        if not timer.is_alive() and not timer.finished.is_set():
            timer.start()

    fine = {f"model.body.{link}.beam.modes.bending_y": 6 for link in ("upper", "lower")}
    with pytest.raises(KeyboardInterrupt) as caught:
        supple.optimise("examples/two-link-arm/still.toml", set=fine, progress=begin)
    assert caught.value.results.interrupted


def test_moves_within_limits(arm):
    optimum = supple.optimise("examples/two-link-arm/still.toml", set=COARSE, folder="best")
    assert optimum.feasible and optimum.duration == pytest.approx(0.9) and optimum.residuals[0] <= 2e-4 * 1.001
    shoulder = optimum.hinges["shoulder"]
    assert shoulder.positions[-1] == pytest.approx(0.8, abs=1e-3) and shoulder.greatest_effort <= 4 * 1.001
    assert len(optimum.times) == len(shoulder.efforts) and Path("best/motions.toml").exists()


def test_moves_that_exceed_limits_are_errors(arm):
    path = Path("examples/two-link-arm/still.toml")
    path.write_text(path.read_text().replace("effort = 4", "effort = 0.4"))
    with pytest.raises(supple.RunError, match="exceeded by") as caught:
        supple.optimise(path, set=COARSE)
    assert not caught.value.results.feasible and caught.value.results.violation > 1e-3


def test_files_that_are_wrong_are_told_with_their_place(experiment):
    path = Path("identify/payload.toml")
    path.write_text(path.read_text().replace("lower = 0", "lowest = 0", 1))
    with pytest.raises(supple.SuppleError, match="lowest"):
        supple.identify(path)
