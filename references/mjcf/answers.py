"""What MuJoCo computes of the files given: masses, positions and accelerations at random states, as NAME.json beside NAME.xml.

    python answers.py FILE.xml…

Contact, limits, friction and equalities are off, and damping is explicit: what is left is the smooth motion of the tree.
"""

import json
import pathlib
import sys

import mujoco
import numpy as np

STATES = 3
OFF = mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_ACTUATION
JOINTS = {0: "free", 1: "ball", 2: "slide", 3: "hinge"}


def random_state(model, data, random):
    """Hinges and slides a little around where they are drawn, within their limits; attitudes anywhere."""
    data.qpos[:] = model.qpos0
    for j in range(model.njnt):
        at, kind = model.jnt_qposadr[j], model.jnt_type[j]
        if kind == 0:
            data.qpos[at : at + 3] += random.normal(size=3)
            at += 3
        if kind <= 1:
            q = random.normal(size=4)
            data.qpos[at : at + 4] = q / np.linalg.norm(q)
        else:
            low, high = model.jnt_range[j] if model.jnt_limited[j] else model.qpos0[at] + np.array([-1.5, 1.5])
            data.qpos[at] = random.uniform(low, high)
    data.qvel[:] = random.normal(size=model.nv)


def answers(file, seed):
    model = mujoco.MjModel.from_xml_path(str(file))
    model.opt.disableflags |= OFF
    data, random = mujoco.MjData(model), np.random.default_rng(seed)
    states = []
    for _ in range(STATES):
        random_state(model, data, random)
        data.qfrc_applied[:] = 10 * random.normal(size=model.nv)
        mujoco.mj_forward(model, data)
        mass = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, mass) if mujoco.__version__ >= "3.3" else mujoco.mj_fullM(model, mass, data.qM)
        states.append(
            {
                "coordinates": data.qpos.tolist(),
                "speeds": data.qvel.tolist(),
                "forces": data.qfrc_applied.tolist(),
                "accelerations": data.qacc.tolist(),
                "mass_matrix": mass.tolist(),
                "sites": {model.site(k).name: data.site_xpos[k].tolist() for k in range(model.nsite)},
                "geoms": [[*data.geom_xpos[k], *data.geom_xmat[k][[2, 5, 8]]] for k in drawn(model)],
            }
        )
    joints = [
        {"name": model.joint(j).name, "kind": JOINTS[int(model.jnt_type[j])], "drawn": drawn_at(model, j)}
        for j in range(model.njnt)
    ]
    return {"mujoco": mujoco.__version__, "joints": joints, "states": states}


def drawn(model):
    """Shapes of numbers that are drawn, for each body in the order of the bodies: planes, fields and meshes are left out."""
    shapes = []
    for body in range(model.nbody):
        first, count = model.body_geomadr[body], model.body_geomnum[body]
        own = [k for k in range(first, first + count) if model.geom_group[k] <= 2]
        eye = [k for k in own if model.geom_contype[k] == 0 and model.geom_conaffinity[k] == 0]
        chosen = eye or own or range(first, first + count)
        shapes += [k for k in chosen if model.geom_type[k] in (2, 3, 4, 5, 6)]
    return shapes


def drawn_at(model, joint):
    """Its coordinates as the model is drawn."""
    at, size = model.jnt_qposadr[joint], {0: 7, 1: 4}.get(int(model.jnt_type[joint]), 1)
    return model.qpos0[at : at + size].tolist()


for seed, name in enumerate(sorted(sys.argv[1:])):
    file = pathlib.Path(name)
    file.with_suffix(".json").write_text(json.dumps(answers(file, seed)) + "\n")
