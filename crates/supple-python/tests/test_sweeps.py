"""Sweeps: the same rows, to the bit, on threads, processes, Dask and Ray, also where workers are killed."""

import concurrent.futures
import os
import shutil
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import supple

STUDY = """
format = "supple-study-1"
name = "fall of rods that are not exactly known"
scenario = "fall.toml"
sampling = "latin-hypercube"
samples = 60
seed = 3
set = ["duration=0.05", "output_interval=0.01"]

[[vary]]
name = "stiffness"
key = "model.body.lower.beam.properties.EI_z"
uniform = [20, 40]

[[vary]]
name = "integrator"
key = "integrator.kind"
list = ["dormand-prince", "linearly-implicit"]

[[extract]]
name = "tip"
column = "node.lower.tip.y"
"""


@pytest.fixture
def study(tmp_path):
    for name in ("fall.toml", "pendulum.toml"):
        shutil.copy(f"examples/double-pendulum/{name}", tmp_path)
    path = tmp_path / "study.toml"
    path.write_text(STUDY)
    return path


def same(ours, theirs):
    assert ours.to_numpy().tobytes() == theirs.to_numpy().tobytes() and ours.messages == theirs.messages


def killed_once(victims, after=0.0):
    """Kills one of the processes that `victims()` gives, once there are some."""

    def kill():
        time.sleep(after)
        for _ in range(200):
            found = victims()
            if found:
                os.kill(found[0], signal.SIGKILL)
                return
            time.sleep(0.05)

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


def test_rows_are_those_of_single_runs(study):
    result = supple.sweep(study)
    assert result.run.tolist() == list(range(60)) and list(result) == ["stiffness", "integrator", "tip"]
    assert set(result.status) == {"finished"} and result.failed.size == 0 and result.messages == {}
    assert result.varied == ["stiffness", "integrator"] and result.units["tip"] == "m"
    assert set(result["integrator"]) == {"dormand-prince", "linearly-implicit"}
    # A Latin hypercube: one value in each sixtieth of the range.
    assert sorted(np.floor((result["stiffness"] - 20) / 20 * 60).astype(int)) == list(range(60))
    for run in (0, 17, 59):
        values = {"duration": 0.05, "output_interval": 0.01, "model.body.lower.beam.properties.EI_z": float(result["stiffness"][run])}
        alone = supple.simulate(study.parent / "fall.toml", set={**values, "integrator.kind": str(result["integrator"][run])})
        assert alone["node.lower.tip.y"][-1] == result["tip"][run]


def test_parts_stream_and_ranges_are_parts_of_the_whole(study):
    whole = supple.sweep(study, part=7)
    seen = []
    some = supple.sweep(study, runs=(20, 41), part=4, workers=1, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(min(4 * i, 21), 21) for i in range(1, 7)]
    assert np.array_equal(some["tip"], whole["tip"][20:41]) and some.run[0] == 20
    parts = list(supple.sweep_parts(study, part=25))
    assert sorted((part.first, part.end) for part in parts) == [(0, 25), (25, 50), (50, 60)]
    for part in parts:
        assert np.array_equal(part.rows["tip"], whole["tip"][part.first : part.end])


def test_tables_and_summary(study):
    pandas = pytest.importorskip("pandas")
    result = supple.sweep(study)
    frame = result.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame.index.name == "run" and np.array_equal(frame["tip"], result["tip"])
    table = result.to_numpy()
    assert table.dtype.names == ("run", "status", "stiffness", "integrator", "tip")
    summary = result.summary()
    (figures,) = summary["numbers"]
    assert summary["runs"] == summary["done"] == figures["count"] == 60 and figures["name"] == "tip"
    assert figures["mean"]["value"] == pytest.approx(result["tip"].mean()) and figures["mean"]["low"] < figures["mean"]["value"] < figures["mean"]["high"]
    assert result["tip"][figures["worst"][0]["run"]] == figures["worst"][0]["value"] and figures["least"] == result["tip"].min()
    with pytest.raises(supple.UnknownNameError, match="tip"):
        result["pit"]


def test_failed_runs_are_rows(study):
    study.write_text(STUDY.replace('"linearly-implicit"', '"no such scheme"'))
    result = supple.sweep(study)
    failed = result["integrator"] == "no such scheme"
    assert np.array_equal(result.failed, result.run[failed]) and 0 < failed.sum() < 60
    assert np.isnan(result["tip"][failed]).all() and np.isfinite(result["tip"][~failed]).all()
    assert all("no such scheme" in result.messages[int(run)] for run in result.failed)
    summary = result.summary()
    assert summary["failed"] == failed.sum() and summary["numbers"][0]["count"] == (~failed).sum()


def test_mistakes_are_named(study):
    with pytest.raises(supple.ArgumentError, match="0 <= a < b <= 60"):
        supple.sweep(study, runs=(0, 61))
    with pytest.raises(supple.ArgumentError, match="unknown executor 'slurm'"):
        supple.sweep(study, executor="slurm")
    with pytest.raises(supple.ArgumentError, match="is no executor"):
        supple.sweep(study, executor=object())
    with pytest.raises(supple.ArgumentError, match="1 or more"):
        supple.sweep(study, part=0)
    study.write_text(STUDY.replace("column =", "colunm ="))
    with pytest.raises(supple.FileError) as caught:
        supple.sweep(study)
    assert caught.value.findings and caught.value.line


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_control_c_ends_a_sweep(study):
    study.write_text(STUDY.replace("duration=0.05", "duration=1e4"))
    program = f"import supple\nprint('go', flush=True)\ntry:\n    supple.sweep({str(study)!r})\nexcept KeyboardInterrupt:\n    print('interrupted')"
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "go\n"
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert out == "interrupted\n"


def test_processes_and_a_killed_one(study):
    expected = supple.sweep(study)
    with concurrent.futures.ThreadPoolExecutor(2) as executor:
        same(supple.sweep(study, executor=executor, part=9), expected)
    import multiprocessing

    killer = killed_once(lambda: [child.pid for child in multiprocessing.active_children()], after=1.0)
    same(supple.sweep(study, executor="process", workers=2, part=3), expected)
    killer.join()


def test_failures_in_workers_are_those_of_this_process(study):
    """Messages too, although workers have the files elsewhere; and a study that got more runs is another one."""
    study.write_text(STUDY.replace("[20, 40]", "[-20, 40]"))
    with concurrent.futures.ProcessPoolExecutor(1) as executor:
        same(supple.sweep(study, executor=executor, runs=(0, 20)), supple.sweep(study, runs=(0, 20)))
        study.write_text(STUDY.replace("latin-hypercube", "random"))
        few = supple.sweep(study, executor=executor, runs=(50, 60))
        study.write_text(STUDY.replace("latin-hypercube", "random").replace("samples = 60", "samples = 70"))
        more = supple.sweep(study, executor=executor, runs=(50, 70))
        assert np.array_equal(few["tip"], more["tip"][:10]) and np.isfinite(more["tip"]).all()


def test_dask_and_a_killed_worker(study):
    distributed = pytest.importorskip("distributed", reason="distributed (Dask) is not installed")
    expected = supple.sweep(study)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50) as cluster:
        with distributed.Client(cluster) as client:
            same(supple.sweep(study, executor=client, part=5), expected)
            pids = list(client.run(os.getpid).values())
            done = []

            def progress(count, total):
                if not done:
                    os.kill(pids[0], signal.SIGKILL)
                done.append(count)

            same(supple.sweep(study, executor=client, part=1, progress=progress), expected)
            assert len(done) == 60


def test_ray_and_a_killed_worker(study):
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    psutil = pytest.importorskip("psutil", reason="psutil is not installed")
    expected = supple.sweep(study)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        same(supple.sweep(study, executor="ray", part=5), expected)
        done = []

        def progress(count, total):
            if not done:
                own = psutil.Process().children(recursive=True)
                os.kill(next(process.pid for process in own if "ray::RayActor" in " ".join(process.cmdline())), signal.SIGKILL)
            done.append(count)

        same(supple.sweep(study, executor=ray, part=1, progress=progress), expected)
    finally:
        ray.shutdown()


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_compiled_runs_are_those_of_the_engine(study):
    changes = {"integrator.relative_tolerance": 1e-9, "integrator.absolute_tolerance": 1e-11}
    plain = supple.sweep(study, runs=(0, 6), set=changes)
    compiled = supple.sweep(study, runs=(0, 6), set=changes, compiled=True)
    assert np.allclose(plain["tip"], compiled["tip"], rtol=1e-7, atol=0) and not len(compiled.failed)
    same(compiled, supple.sweep(study, runs=(0, 6), set=changes, compiled=True, executor="process", workers=2))
    scenario = study.with_name("fall.toml")
    ours = supple.simulate(scenario, set={"duration": 0.05}, compiled=True)
    assert ours.summary["physics"]["formulation"] == "compiled"


def test_what_a_gpu_cannot_run_is_refused(study):
    """By its key, whether there is a GPU or not."""
    with pytest.raises(supple.RunError, match="runs on a GPU: .*integrator.kind.*--compiled"):
        supple.sweep(study, gpu=True)
    with pytest.raises(supple.ArgumentError, match="give compiled or gpu"):
        supple.sweep(study, compiled=True, gpu=True)
