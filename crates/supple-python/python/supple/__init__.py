"""Flexible multibody dynamics in O(N).

>>> import supple
>>> model = supple.load("examples/double-pendulum/pendulum.toml")
>>> state = model.state()
>>> state.hinge("elbow")[:] = 0.3
>>> supple.forward_dynamics(model, state).shape
(10,)

Verbs have one shape: `verb(model, state, forces, out=...)`. Their results are fresh arrays, or go into `out`; only `State` and `States` have views.
"""

from __future__ import annotations

from pathlib import Path as _Path

from . import _processor

_processor.check(_Path(__file__).parent, _processor.missing())

from ._supple import (  # noqa: E402
    CartesianPath,
    Compiled,
    Energy,
    Equilibrium,
    IkResult,
    Kinematics,
    Manipulability,
    Model,
    Momentum,
    State,
    States,
    bias_forces,
    composite_forward_dynamics,
    energy,
    equilibrium,
    forward_dynamics,
    forward_dynamics_derivatives,
    hybrid_dynamics,
    inverse_dynamics,
    inverse_dynamics_derivatives,
    jacobian,
    kinematics,
    manipulability,
    mass_matrix,
    momentum,
    operational_inertia,
)
from .builder import Builder, beam, box, fixed, free, hinge, material, prismatic, rectangle, revolute, rigid, spherical, tube  # noqa: E402
from .errors import (  # noqa: E402
    ArgumentError,
    BatchError,
    CaseError,
    DeviceError,
    DynamicsError,
    FileError,
    Finding,
    IntegrationError,
    KinematicsError,
    LinearError,
    RunError,
    SuppleError,
    UnknownNameError,
    UnsupportedError,
)
from .files import evaluate_case, load  # noqa: E402
from .linear import LinearModel, Modes, linearize, modes, signals  # noqa: E402
from .robots import Task, follow, inverse_kinematics  # noqa: E402
from .runs import Result, Simulation, Table, View, simulate, view  # noqa: E402
from .searches import Estimate, FittedColumn, MovedHinge, Optimum, Parameter, identify, optimise  # noqa: E402
from .sweeps import Part, Sweep, sweep, sweep_parts  # noqa: E402

__version__ = "0.1.0"

__all__ = [
    "ArgumentError",
    "BatchError",
    "Builder",
    "CartesianPath",
    "CaseError",
    "Compiled",
    "DeviceError",
    "DynamicsError",
    "Energy",
    "Equilibrium",
    "Estimate",
    "FileError",
    "Finding",
    "FittedColumn",
    "IkResult",
    "IntegrationError",
    "Kinematics",
    "KinematicsError",
    "LinearError",
    "LinearModel",
    "Manipulability",
    "Model",
    "Modes",
    "Momentum",
    "MovedHinge",
    "Optimum",
    "Parameter",
    "Part",
    "Result",
    "RunError",
    "Simulation",
    "State",
    "States",
    "SuppleError",
    "Sweep",
    "Table",
    "Task",
    "UnknownNameError",
    "UnsupportedError",
    "View",
    "beam",
    "bias_forces",
    "box",
    "composite_forward_dynamics",
    "energy",
    "equilibrium",
    "evaluate_case",
    "fixed",
    "follow",
    "forward_dynamics",
    "forward_dynamics_derivatives",
    "free",
    "hinge",
    "hybrid_dynamics",
    "identify",
    "inverse_dynamics",
    "inverse_dynamics_derivatives",
    "inverse_kinematics",
    "jacobian",
    "kinematics",
    "linearize",
    "load",
    "manipulability",
    "mass_matrix",
    "material",
    "modes",
    "momentum",
    "operational_inertia",
    "optimise",
    "prismatic",
    "rectangle",
    "revolute",
    "rigid",
    "signals",
    "simulate",
    "spherical",
    "sweep",
    "sweep_parts",
    "tube",
    "view",
]
