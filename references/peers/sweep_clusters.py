"""A study on threads, on Dask and on Ray, one worker of each killed in the middle: `sweep_clusters.py STUDY [RUNS]`.

Prints for each: seconds of the clock and of all processors, whether the rows are those of this process to the bit, and what a part costs beyond its runs; then
the bytes of a row on its way back. Only processes of its own are killed.
"""

import os
import pickle
import signal
import sys
import time

import psutil

import supple
from supple import _pools, _supple


def processor(start=None):
    """Processor time of this process and all that it started and still lives, s."""
    every = [psutil.Process(), *psutil.Process().children(recursive=True)]
    total = 0.0
    for process in every:
        try:
            times = process.cpu_times()
            total += times.user + times.system
        except psutil.Error:
            pass
    return total if start is None else total - start


def killer(victims, at):
    """Progress that kills one of `victims()` once `at` runs are done."""
    killed = []

    def progress(done, total):
        if not killed and done >= at:
            killed.append(victims()[0])
            os.kill(killed[0], signal.SIGKILL)

    progress.killed = killed
    return progress


def report(name, study, runs, expected, **options):
    before, begun = processor(), time.perf_counter()
    result = supple.sweep(study, runs=(0, runs), **options)
    seconds = time.perf_counter() - begun
    same = expected is None or result.to_numpy().tobytes() == expected.to_numpy().tobytes()
    killed = getattr(options.get("progress"), "killed", [])
    print(f"{name}: {seconds:.2f} s, processors {processor(before):.2f} s, equal to the bit: {same}, killed: {len(killed)}", flush=True)
    assert same
    return result


def named(word):
    found = []
    for process in psutil.Process().children(recursive=True):
        try:
            if word in " ".join(process.cmdline()):
                found.append(process.pid)
        except psutil.Error:
            pass
    return found


def overhead(study, run_empty):
    """Milliseconds of a part without runs worth naming, over 200 of them."""
    packed = _pools.Packed.of(_supple.Study(study), None, supple.__version__)
    begun = time.perf_counter()
    run_empty(packed, 200)
    return 1e3 * (time.perf_counter() - begun) / 200


def dask(study, runs, expected, workers, kill):
    import distributed

    with distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster, distributed.Client(cluster) as client:
        pids = list(client.run(os.getpid).values())
        progress = killer(lambda: pids, runs // 2) if kill else None
        report(f"Dask, {workers} workers", study, runs, expected, executor=client, progress=progress)
        if kill:
            submit = lambda packed: client.submit(_pools.run_part, packed, (0, 0), pure=False)  # noqa: E731
            print("Dask: %.2f ms a part" % overhead(study, lambda packed, n: client.gather([submit(packed) for _ in range(n)])), flush=True)


def on_ray(study, runs, expected, workers, kill):
    import ray

    ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
    progress = killer(lambda: named("ray::RayActor"), runs // 2) if kill else None
    report(f"Ray, {workers} actors", study, runs, expected, executor="ray", progress=progress)
    if kill:
        actor = None

        def empty(packed, n):
            nonlocal actor
            actor = actor or ray.remote(num_cpus=1)(_pools.RayActor).remote(packed)
            ray.get([actor.run.remote((0, 0)) for _ in range(n)])

        overhead(study, empty)
        print("Ray: %.2f ms a part" % overhead(study, empty), flush=True)
    ray.shutdown()


def main():
    study, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    read = _supple.Study(study)
    for count in (1, 100):
        size = len(pickle.dumps(_pools.Rows.run(read, (0, count)), protocol=5))
        print(f"{size / count:.0f} bytes a row in parts of {count}; the study: {_pools.Packed.of(read, None, supple.__version__).size()} bytes", flush=True)
    expected = report("one thread", study, runs, None, workers=1)
    dask(study, runs, expected, 2, True)
    on_ray(study, runs, expected, 2, True)
    report("two threads", study, runs, expected, workers=2)
    for workers in (1, 2):
        dask(study, runs, expected, workers, False)
        on_ray(study, runs, expected, workers, False)


if __name__ == "__main__":
    main()
