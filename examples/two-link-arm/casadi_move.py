"""A rest-to-rest move of the flexible arm by direct collocation in CasADi, with the dynamics and their derivatives compiled from the model.

    pip install casadi numpy
    python examples/two-link-arm/casadi_move.py

`supple compile --target casadi` writes C with the interface of CasADi; `casadi.external` loads it. Torques that bring both hinges to their ends in 1 s
and all modes to rest, with the smallest rates, are found by ipopt; then `supple run` plays them on the arm with more modes and measures what vibrates on.
The command is `supple`, or what the environment variable SUPPLE says.
"""

import csv
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import casadi
import numpy

ARM = Path(__file__).resolve().parent / "arm.toml"
DURATION, INTERVALS, DEGREE = 1.0, 40, 3
TARGET = {"hinge.shoulder": 0.8, "hinge.elbow": -0.6}
# N m, between which the torques stay.
LIMIT = 4.0


def supple(*words):
    command = [*os.environ.get("SUPPLE", "supple").split(), *map(str, words)]
    told = subprocess.run(command, capture_output=True, text=True)
    if told.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{told.stderr}")
    return told.stdout


def dynamics(folder):
    """Accelerations from coordinates, speeds and forces as a function of CasADi, and the names of its numbers."""
    few = [word for link in ("upper", "lower") for word in ("--set", f"body.{link}.beam.modes.bending_y=1")]
    code = folder / "code"
    supple("compile", ARM, *few, "--verb", "forward_dynamics", "--target", "casadi", "-o", code)
    library = folder / "arm.so"
    sources = sorted(map(str, code.glob("*.c")))
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", *sources, "-lm", "-o", str(library)], check=True)
    header = (code / "forward_dynamics.h").read_text()
    inputs = header.split("Inputs, in[]:\n")[1].split("\n\n")[0].splitlines()
    return casadi.external("forward_dynamics", str(library)), [line.split(None, 1)[1].rsplit(" [", 1)[0] for line in inputs]


def collocation(degree):
    """Derivatives at the points of Radau of the polynomials that are one at 0 or at one of the points."""
    points = [0.0, *casadi.collocation_points(degree, "radau")]
    rows = []
    for j, at in enumerate(points):
        others = [x for k, x in enumerate(points) if k != j]
        basis = numpy.poly1d([1.0])
        for x in others:
            basis *= numpy.poly1d([1.0, -x]) / (at - x)
        rows.append([basis.deriv()(x) for x in points[1:]])
    return points, numpy.array(rows)


def planned(acceleration, names):
    """Times and torques of both hinges that bring the arm from rest to rest."""
    n = len(names) // 3
    hinges = [names.index(name) for name in TARGET]
    points, derivative = collocation(DEGREE)
    step = DURATION / INTERVALS
    unknowns, least, most, first, holds = [], [], [], [], []

    def unknown(size, low, high, guess):
        symbol = casadi.MX.sym(f"w{len(unknowns)}", size)
        unknowns.append(symbol)
        least.extend(low)
        most.extend(high)
        first.extend(guess)
        return symbol

    def guess(share):
        x = numpy.zeros(2 * n)
        x[hinges] = share * numpy.array(list(TARGET.values()))
        return x

    def rates(state, torque):
        forces = casadi.MX.zeros(n, 1)
        forces[hinges] = torque
        return casadi.vertcat(state[n:], acceleration(casadi.vertcat(state, forces)))

    free, nothing, end = [casadi.inf] * (2 * n), [0.0] * (2 * n), list(guess(1.0))
    state, torque = unknown(2 * n, nothing, nothing, nothing), unknown(2, [0, 0], [0, 0], [0, 0])
    torques, cost = [torque], 0
    for k in range(INTERVALS):
        last = k + 1 == INTERVALS
        bound = 0.0 if last else LIMIT
        later = unknown(2, [-bound] * 2, [bound] * 2, [0, 0])
        inner = [unknown(2 * n, [-x for x in free], free, guess((k + x) / INTERVALS)) for x in points[1:]]
        stages = [state, *inner]
        for j, x in enumerate(points[1:]):
            slope = sum(float(derivative[i, j]) * stages[i] for i in range(DEGREE + 1))
            holds.append(slope - step * rates(stages[j + 1], torque + x * (later - torque)))
        cost += casadi.sumsqr(later - torque) / step
        state, torque = inner[-1], later
        torques.append(later)
    holds.append(state - casadi.DM(end))
    problem = {"x": casadi.vertcat(*unknowns), "f": cost, "g": casadi.vertcat(*holds)}
    options = {
        "ipopt": {"hessian_approximation": "limited-memory", "print_level": 0, "tol": 1e-7, "max_iter": 500},
        "print_time": False,
    }
    solver = casadi.nlpsol("solver", "ipopt", problem, options)
    start = time.process_time()
    found = solver(x0=first, lbx=least, ubx=most, lbg=0, ubg=0)
    stats = solver.stats()
    print(
        f"{problem['x'].numel()} unknowns, {problem['g'].numel()} equations: {stats['return_status']} after {stats['iter_count']} iterations, "
        f"{time.process_time() - start:.1f} s of processor time"
    )
    if not stats["success"]:
        sys.exit("no move was found")
    values = casadi.Function("torques", [problem["x"]], [casadi.horzcat(*torques)])(found["x"])
    return numpy.linspace(0, DURATION, INTERVALS + 1), numpy.array(values)


def played(folder, times, torques):
    """Positions of the tip over time, with these torques on the arm with all its modes."""
    lines = ['format = "supple-scenario-1"', 'name = "casadi"', 'model = "arm.toml"', "duration = 3", "output_interval = 0.005"]
    lines += ["[integrator]", 'kind = "exponential"', "relative_tolerance = 1e-8", "absolute_tolerance = 1e-10"]
    for name, values in zip(TARGET, torques):
        hinge = name.removeprefix("hinge.")
        table = f"{{ times = {list(map(float, times))}, values = {list(map(float, values))} }}"
        lines += ["[[torque]]", f'hinge = "{hinge}"', f"table = {table}"]
    lines += ["[results]", 'folder = "results"', 'columns = ["hinges"]', 'nodes = [{ body = "lower", node = "tip" }]']
    (folder / "arm.toml").write_text(ARM.read_text())
    scenario = folder / "move.toml"
    scenario.write_text("\n".join(lines))
    supple("run", scenario)
    rows = list(csv.DictReader((folder / "results" / "results.csv").open()))
    columns = {key.split("[")[0]: key for key in rows[0]}
    return {name: numpy.array([float(row[key]) for row in rows]) for name, key in columns.items()}


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        acceleration, names = dynamics(folder)
        times, torques = planned(acceleration, names)
        motion = played(folder, times, torques)
    after = motion["time"] > DURATION
    tip = numpy.stack([motion[f"node.lower.tip.{axis}"][after] for axis in "xy"])
    residual = numpy.abs(tip - tip.mean(axis=1, keepdims=True)).max()
    ends = [float(motion[name][-1]) for name in TARGET]
    print(f"largest torque {numpy.abs(torques).max():.2f} N m; hinges end at {ends[0]:.5f} and {ends[1]:.5f} rad")
    print(f"residual vibration of the tip: {1e3 * residual:.3f} mm (PD on quintic moves of 1 s: 16.2 mm)")
    assert residual < 1e-3 and all(abs(end - wanted) < 2e-3 for end, wanted in zip(ends, TARGET.values()))


if __name__ == "__main__":
    main()
