"""A regulator designed with python-control on the linear model, run on the nonlinear plant."""

from typing import Any

import control
import numpy as np

import supple

model = supple.load("examples/double-pendulum/pendulum.toml")
hanging = supple.equilibrium(model, model.state()).state
plant = supple.linearize(model, hanging, inputs=["force.pivot", "force.elbow"], outputs=["hinge.*"])
weights = np.diag([100.0 if name.startswith("hinge.") else 1e-3 for name in plant.states])
gain: Any = control.lqr(plant.to_control(), weights, 0.1 * np.eye(2))[0]


def regulator(time: float, state: supple.State) -> dict[str, float]:
    pivot, elbow = -gain @ plant.deviation(state)
    return {"pivot": float(pivot), "elbow": float(elbow)}


start = hanging.copy()
start.hinge("pivot")[:] += 0.1
motion = supple.Simulation(model, start, drive=regulator).run(3.0, 0.02)
rest = plant.x[plant.states.index("hinge.pivot")]
print("pivot:", motion["hinge.pivot"][0] - rest, "->", motion["hinge.pivot"][-1] - rest, "rad")
assert abs(motion["hinge.pivot"][-1] - rest) < 0.01
