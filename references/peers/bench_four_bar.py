"""The planar four-bar of `supple bench --system four-bar` in Exudyn: three rigid bodies in absolute coordinates, four revolute joints, or
three and a point on a line in place of the pin. Falls from rest at zero coordinates under gravity: generalized-alpha, 2000 steps of 1 ms.
Written for the harness that docs/speed.md names: prints lines `name,metric,value,unit`.
"""

import os
import sys
import time

sys.exudynFast = True
import numpy as np

import exudyn as exu
import exudyn.itemInterface as ei
from exudyn.rigidBodyUtilities import GetRigidBodyNode

REPEAT = int(os.environ.get("REPEAT", "3"))
STEPS = 2000
TURN = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])  # carries z to y, the direction of the hinges


def four_bar(pin):
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    ground = mbs.AddObject(ei.ObjectGround())

    def body(at, mass, centre, own):
        c = np.array(centre)
        inertia = np.diag(own) + mass * (c @ c * np.eye(3) - np.outer(c, c))
        node = mbs.AddNode(GetRigidBodyNode(nodeType=exu.NodeType.RotationEulerParameters, position=list(at)))
        i = inertia
        b = mbs.AddObject(ei.ObjectRigidBody(
            nodeNumber=node, mass=mass, centerOfMass=list(c), inertia=[i[0, 0], i[1, 1], i[2, 2], i[1, 2], i[0, 2], i[0, 1]]))
        weight = mbs.AddMarker(ei.MarkerBodyPosition(bodyNumber=b, localPosition=list(c)))
        mbs.AddLoad(ei.LoadForceVector(markerNumber=weight, loadVector=[0, 0, -9.81 * mass]))
        return b, node

    def mark(b, at):
        return mbs.AddMarker(ei.MarkerBodyRigid(bodyNumber=b, localPosition=list(at)))

    def hinge(a, b):
        mbs.AddObject(ei.ObjectJointRevoluteZ(markerNumbers=[a, b], rotationMarker0=TURN, rotationMarker1=TURN))

    crank, node = body((0, 0, 0), 0.2, (0, 0, 0.1), (1e-3, 1e-3, 1e-4))
    coupler, _ = body((0, 0, 0.2), 0.5, (0.25, 0, 0.1), (1e-4, 1e-2, 1e-2))
    rocker, _ = body((0.6, 0, 0), 0.4, (-0.05, 0, 0.2), (5e-3, 5e-3, 1e-4))
    hinge(mark(ground, (0, 0, 0)), mark(crank, (0, 0, 0)))
    hinge(mark(crank, (0, 0, 0.2)), mark(coupler, (0, 0, 0)))
    hinge(mark(ground, (0.6, 0, 0)), mark(rocker, (0, 0, 0)))
    ends = [mark(coupler, (0.5, 0, 0.2)), mark(rocker, (-0.1, 0, 0.4))]
    if pin == "revolute":
        hinge(*ends)
    else:  # free along y, all rotations free
        mbs.AddObject(ei.ObjectJointGeneric(markerNumbers=ends, constrainedAxes=[1, 0, 1, 0, 0, 0]))
    mbs.Assemble()
    return container, mbs, node


def solve(pin):
    _container, mbs, node = four_bar(pin)
    s = exu.SimulationSettings()
    s.timeIntegration.endTime = STEPS * 1e-3
    s.timeIntegration.numberOfSteps = STEPS
    s.timeIntegration.verboseMode = 0
    s.solutionSettings.writeSolutionToFile = False
    s.parallel.numberOfThreads = 1
    s.timeIntegration.generalizedAlpha.spectralRadius = 0.8
    s.linearSolver.solverType = exu.LinearSolverType.EigenDense if pin == "revolute" else exu.LinearSolverType.EXUdense
    if pin == "revolute":
        s.linearSolver.ignoreSingularJacobian = True
    start = time.process_time()
    mbs.SolveDynamic(s, solverType=exu.DynamicSolverType.GeneralizedAlpha)
    spent = time.process_time() - start
    newton = mbs.sys["dynamicSolver"].it.newtonStepsCount
    turned = mbs.GetNodeOutput(node, exu.OutputVariableType.RotationMatrix).reshape(3, 3)
    return spent, newton, np.arctan2(turned[0, 2], turned[2, 2])


for pin in ("revolute", "line"):
    name = f"exudyn/four_bar_{pin}_genalpha_h1e-3"
    taken = [solve(pin) for _ in range(REPEAT)]
    spent = sorted(t[0] for t in taken)
    print(f"{name},per_step_min,{spent[0] / STEPS * 1e9:.6g},ns")
    print(f"{name},per_step_median,{spent[len(spent) // 2] / STEPS * 1e9:.6g},ns")
    print(f"{name},newton_per_step,{taken[0][1] / STEPS:.4g},1")
    print(f"{name},check_crank_at_end,{taken[0][2]:.6g},rad", flush=True)
