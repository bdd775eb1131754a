"""What a call from Python costs: one state, and batches of 1,024 Shuttle arms beside a loop over Pinocchio's lumped arm.

    bench_python.py MODEL.toml [LUMPED.xml]

MODEL.toml is a model of Supple, LUMPED.xml the arm with its booms in rigid pieces as MJCF, for Pinocchio where it is installed. Prints lines
`name,metric,value,unit` as the other benchmarks do. The clock is the processor time of the thread, the value the least of many rounds.
"""

import sys
import time

import numpy as np

import supple

INSTANCES = 1024


def least(call, calls, rounds=41):
    """Nanoseconds of one of `calls` calls, the least of all rounds."""
    best = float("inf")
    for _ in range(rounds):
        start = time.thread_time_ns()
        for _ in range(calls):
            call()
        best = min(best, (time.thread_time_ns() - start) / calls)
    return best


def line(name, metric, value):
    print(f"{name},{metric},{value:.1f},ns", flush=True)


def one_state(model):
    state, rng = model.state(), np.random.default_rng(1)
    state.speeds[:] = rng.uniform(-0.02, 0.02, model.speed_count)
    forces, out = rng.uniform(-10, 10, model.speed_count), np.empty(model.speed_count)
    line("python", "forward_dynamics_out", least(lambda: supple.forward_dynamics(model, state, forces, out=out), 2000))
    line("python", "forward_dynamics", least(lambda: supple.forward_dynamics(model, state, forces), 2000))
    line("python", "empty_lambda", least(lambda: None, 20000))


def batch(model):
    n, states, rng = model.speed_count, model.batch(INSTANCES, threads=1), np.random.default_rng(1)
    i = np.arange(INSTANCES * n)
    states.coordinates[:] += (0.05 * np.sin(0.7 * np.arange(states.coordinates.size))).reshape(states.coordinates.shape)
    states.speeds[:] = (0.02 * np.sin(0.9 * i)).reshape(states.speeds.shape)
    forces, out = (10 * np.sin(1.1 * i)).reshape(INSTANCES, n), np.empty((INSTANCES, n))
    line("python", "batch_out", least(lambda: supple.forward_dynamics(model, states, forces, out=out), 10) / INSTANCES)
    line("python", "batch", least(lambda: supple.forward_dynamics(model, states, forces), 10) / INSTANCES)


def lumped(file):
    import pinocchio

    model = pinocchio.buildModelFromMJCF(file)
    data, rng = model.createData(), np.random.default_rng(1)
    q = [pinocchio.neutral(model) + rng.uniform(-0.05, 0.05, model.nq) for _ in range(INSTANCES)]
    v, tau = rng.uniform(-0.02, 0.02, (INSTANCES, model.nv)), rng.uniform(-10, 10, (INSTANCES, model.nv))

    def loop():
        for i in range(INSTANCES):
            pinocchio.aba(model, data, q[i], v[i], tau[i])

    line("pinocchio", f"loop_aba_nv{model.nv}", least(loop, 1) / INSTANCES)


model = supple.load(sys.argv[1])
print(f"python,speeds,{model.speed_count},", flush=True)
one_state(model)
batch(model)
if len(sys.argv) > 2:
    lumped(sys.argv[2])
