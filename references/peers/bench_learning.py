"""Steps per second of the vector environment supple/Slew-v0, and of MuJoCo on an arm of the same size, in the same run.

    bench_learning.py [INSTANCES]

Both arms have eight degrees of freedom: two motors and, in each of two strips, three modes (Supple) or three hinges with springs between rigid pieces (MuJoCo).
Both hold their torques for 20 ms. MuJoCo's part is `mujoco.rollout` on a pool of threads that it keeps, contacts and constraints switched off, without
observations and rewards; Supple's is a step of the environment, with observations, rewards and restarts, and, for comparison, the step of the engine alone.
The error of each is that of the position of the tip after 1 s of random torques, beside the same model with steps of 0.05 ms: root of the mean over
64 instances. Prints lines `name,metric,value,unit`; times are the least of many rounds, of the processor with one thread and of the clock with two.
"""

import sys
import time

import gymnasium
import mujoco
import numpy as np
from mujoco import rollout

import supple
import supple.gym

PERIOD, ROUNDS = 0.02, 9


def strip(name, width, height, child):
    """A strip of 0.5 m in four rigid pieces with three springs, each for a third of it."""
    E, density, length, ratio = 7.1e10, 2710.0, 0.5, 0.005
    stiffness = E * height * width**3 / 12 / (length / 3)
    mass, damping = density * width * height * length, 2 * ratio * stiffness / 60.0
    pieces, inner = [length / 6, length / 3, length / 3, length / 6], child
    for piece in reversed(range(4)):
        size = pieces[piece]
        part = f'<geom type="box" size="{size / 2} {width / 2} {height / 2}" pos="{size / 2} 0 0" mass="{mass * size / length}"/>'
        joint = f'<joint name="{name}{piece}" axis="0 0 1" stiffness="{stiffness}" damping="{damping}"/>'
        inner = f'<body pos="{pieces[piece - 1]} 0 0">{joint}{part}{inner}</body>' if piece else part + inner
    return inner


def lumped():
    tip = '<body pos="0.0833333333333333 0 0"><inertial pos="0 0 0" mass="0.1" diaginertia="2e-5 2e-5 2e-5"/><site name="tip"/></body>'
    lower = '<joint name="elbow" axis="0 0 1" damping="0.01" armature="0.01"/>' + strip("lower", 0.002, 0.03, tip)
    motor = '<body pos="0.0833333333333333 0 0"><inertial pos="0 0 0" mass="0.6" diaginertia="2e-4 2e-4 2e-4"/>' + f"<body>{lower}</body></body>"
    upper = '<joint name="shoulder" axis="0 0 1" damping="0.02" armature="0.03"/>' + strip("upper", 0.003, 0.04, motor)
    return f"""<mujoco><compiler angle="radian"/><option gravity="0 0 0"><flag contact="disable" constraint="disable"/></option>
      <worldbody><body>{upper}</body></worldbody>
      <actuator><motor joint="shoulder" gear="2"/><motor joint="elbow" gear="0.5"/></actuator></mujoco>"""


class MuJoCo:
    """Instances of the lumped arm."""

    def __init__(self, count, threads, integrator, steps):
        self.model = mujoco.MjModel.from_xml_string(lumped())
        assert self.model.nv == 8
        self.model.opt.integrator = integrator
        self.model.opt.timestep, self.steps = PERIOD / steps, steps
        self.data = [mujoco.MjData(self.model) for _ in range(threads)]
        self.pool = rollout.Rollout(nthread=threads)
        size = mujoco.mj_stateSize(self.model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
        self.state = np.zeros((count, size))
        self.out = np.zeros((count, steps, size))
        mujoco.mj_getState(self.model, self.data[0], self.state[0], mujoco.mjtState.mjSTATE_FULLPHYSICS)
        self.state[:] = self.state[0]
        self.models = [self.model] * count

    def step(self, actions):
        held = np.repeat(actions[:, None, :], self.steps, axis=1)
        self.pool.rollout(self.models, self.data, self.state, held, nstep=self.steps, state=self.out)
        self.state[:] = self.out[:, -1]

    def tips(self):
        data, places = self.data[0], []
        for row in self.state:
            mujoco.mj_setState(self.model, data, row, mujoco.mjtState.mjSTATE_FULLPHYSICS)
            mujoco.mj_forward(self.model, data)
            places.append(data.site("tip").xpos[:2].copy())
        return np.array(places)


class Supple:
    """Instances of the arm with modes, without an environment."""

    def __init__(self, count, threads, steps):
        self.arm = supple.gym.arm.Arm("arm.toml", ("shoulder", "elbow"), ("upper", "lower"), count=count, step=PERIOD / steps, steps=steps, threads=threads)

    def step(self, actions):
        assert not self.arm.step(actions * [2.0, 0.5]).any()

    def tips(self):
        return self.arm.tip()[0].copy()


def actions(count, steps):
    return np.random.default_rng(1).uniform(-1.0, 1.0, (steps, count, 2))


def error(make, steps):
    """Of the tips after 1 s, m; infinite where the steps are too long."""
    ends = []
    for chosen in (steps, 400):
        plant = make(chosen)
        for action in actions(64, 50):
            plant.step(action)
        ends.append(plant.tips())
    difference = np.square(ends[0] - ends[1]).sum(axis=1)
    return float(np.sqrt(difference.mean())) if np.isfinite(difference).all() else float("inf")


def least(calls, clock):
    """Seconds of a call, the least of all rounds: `calls` take turns, so that all meet the same load."""
    best = [float("inf")] * len(calls)
    for _ in range(ROUNDS):
        for i, call in enumerate(calls):
            start = clock()
            for _ in range(10):
                call()
            best[i] = min(best[i], (clock() - start) / 10)
    return best


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1024
    action = actions(count, 1)[0].astype(np.float32)
    # The fewest steps in a period with which MuJoCo is stable on this arm.
    kinds = {"mujoco_implicitfast_7": (mujoco.mjtIntegrator.mjINT_IMPLICITFAST, 7), "mujoco_rk4_5": (mujoco.mjtIntegrator.mjINT_RK4, 5)}
    for n in (2, 4):
        print("supple_%d,tip_error,%.3g,m" % (n, error(lambda steps: Supple(64, 1, steps), n)), flush=True)
    for name, (integrator, n) in kinds.items():
        print("%s,tip_error,%.3g,m" % (name, error(lambda steps: MuJoCo(64, 1, integrator, steps), n)), flush=True)
    for threads, clock, what in ((1, time.process_time, "processor, one thread"), (2, time.perf_counter, "clock, two threads")):
        environment = gymnasium.make_vec("supple/Slew-v0", num_envs=count, vectorization_mode="vector_entry_point", threads=threads)
        environment.reset(seed=1)
        engines = [Supple(count, threads, 2), Supple(count, threads, 4)]
        plants = {name: MuJoCo(count, threads, *kind) for name, kind in kinds.items()}
        calls = [lambda: environment.step(action), *(lambda engine=engine: engine.step(action) for engine in engines)]
        calls += [lambda plant=plant: plant.step(action) for plant in plants.values()]
        for name, seconds in zip(["supple_environment_2", "supple_engine_2", "supple_engine_4", *plants], least(calls, clock)):
            print(f"{name},steps_per_second ({what}),{count / seconds:.0f},1/s", flush=True)


if __name__ == "__main__":
    main()
