"""The flexible arm as a model of acados: explicit dynamics, compiled from the model, with their derivatives.

    pip install casadi numpy
    python examples/two-link-arm/acados_model.py

With acados_template a solver is made that brings the arm from rest to rest. Without it, this does what acados does with a model: it generates the explicit
dynamics and their forward sensitivities as C, compiles them together with the code of the arm, and calls them through the interface that acados has for
functions of CasADi.
"""

import ctypes
import os
import subprocess
import tempfile
from pathlib import Path

import casadi
import numpy
from casadi_move import ARM, TARGET, supple

# acados counts by int.
COUNT = "int"


def compiled(sources, library, *flags):
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", *flags, *map(str, sources), "-lm", "-o", str(library)], check=True)


def arm(folder):
    """State, torques, rates of the state as expressions of CasADi, and the files that they call."""
    few = [word for link in ("upper", "lower") for word in ("--set", f"body.{link}.beam.modes.bending_y=1")]
    code = folder / "code"
    supple("compile", ARM, *few, "--verb", "forward_dynamics", "--target", "casadi", "-o", code)
    sources = [path for path in sorted(code.glob("*.c")) if path.name != "check.c"]
    compiled(sources, folder / "arm.so")
    acceleration = casadi.external("forward_dynamics", str(folder / "arm.so"))
    header = (code / "forward_dynamics.h").read_text().split("Inputs, in[]:\n")[1].split("\n\n")[0]
    names = [line.split(None, 1)[1].rsplit(" [", 1)[0] for line in header.splitlines()]
    n = len(names) // 3
    hinges = [names.index(name) for name in TARGET]
    state, torque, forces = casadi.MX.sym("x", 2 * n), casadi.MX.sym("u", 2), casadi.MX.zeros(n, 1)
    forces[hinges] = torque
    return state, torque, casadi.vertcat(state[n:], acceleration(casadi.vertcat(state, forces))), sources, hinges


def solved(folder, state, torque, rates, sources, hinges):
    """A solver of acados; the code of the arm is linked to it by way of its folder."""
    from acados_template import AcadosModel, AcadosOcp, AcadosOcpSolver

    compiled(sources, folder / "libarm.so", f"-Dcasadi_int={COUNT}")
    ocp, n = AcadosOcp(), state.numel()
    ocp.model = AcadosModel()
    ocp.model.name, ocp.model.x, ocp.model.u, ocp.model.f_expl_expr = "arm", state, torque, rates
    ocp.solver_options.N_horizon, ocp.solver_options.tf = 40, 1.0
    ocp.solver_options.integrator_type, ocp.solver_options.sim_method_num_steps = "IRK", 2
    ocp.model.xdot = casadi.MX.sym("xdot", n)
    ocp.model.f_impl_expr = ocp.model.xdot - rates
    ocp.model.cost_expr_ext_cost = casadi.sumsqr(torque)
    ocp.cost.cost_type = "EXTERNAL"
    ocp.constraints.x0 = numpy.zeros(n)
    end = numpy.zeros(n)
    end[hinges] = list(TARGET.values())
    ocp.constraints.idxbx_e, ocp.constraints.lbx_e, ocp.constraints.ubx_e = numpy.arange(n), end, end
    ocp.solver_options.model_external_shared_lib_dir = str(folder)
    ocp.solver_options.model_external_shared_lib_name = "arm"
    ocp.solver_options.hessian_approx = "GAUSS_NEWTON"
    solver = AcadosOcpSolver(ocp, json_file=str(folder / "arm.json"))
    status = solver.solve()
    print(f"acados: status {status}, first torques {solver.get(1, 'u')} N m")
    assert status == 0


def called(folder, state, torque, rates, sources):
    """The functions that acados generates, called as it calls them, against CasADi's own."""
    n, m = state.numel(), torque.numel()
    along, push = casadi.MX.sym("Sx", n, n), casadi.MX.sym("Su", n, m)
    forward = [rates, casadi.jtimes(rates, state, along), casadi.jacobian(rates, torque) + casadi.jtimes(rates, state, push)]
    functions = {
        "arm_expl_ode_fun": casadi.Function("arm_expl_ode_fun", [state, torque], [rates]),
        "arm_expl_vde_forw": casadi.Function("arm_expl_vde_forw", [state, along, push, torque], forward),
    }
    files = []
    for name, function in functions.items():
        generator = casadi.CodeGenerator(f"{name}.c", {"casadi_int": COUNT})
        generator.add(function)
        files.append(generator.generate(f"{folder}/"))
    library = folder / "arm_acados.so"
    compiled([*files, *sources], library, f"-Dcasadi_int={COUNT}")
    loaded = ctypes.CDLL(str(library))
    random = numpy.random.default_rng(1)
    worst = 0.0
    for name, function in functions.items():
        for _ in range(20):
            inputs = [0.1 * random.standard_normal(function.size_in(i)) for i in range(function.n_in())]
            expected = [numpy.array(x) for x in function.call(inputs)]
            found = through_acados(loaded, name, function, inputs)
            worst = max(worst, *(numpy.abs(a - b).max() / numpy.abs(b).max() for a, b in zip(found, expected)))
    print(f"{', '.join(functions)}: generated, linked with the code of the arm and called as acados does; worst relative difference {worst:.1e}")
    assert worst < 1e-12


def through_acados(loaded, name, function, inputs):
    """One call by the pointers of `external_function_casadi`."""
    sizes = [ctypes.c_int() for _ in range(4)]
    assert getattr(loaded, f"{name}_work")(*map(ctypes.byref, sizes)) == 0
    length = [max(1, size.value) for size in sizes]
    number = ctypes.POINTER(ctypes.c_double)
    columns = [numpy.asfortranarray(x).ravel(order="F") for x in inputs]
    results = [numpy.zeros(function.sparsity_out(i).nnz()) for i in range(function.n_out())]
    arg, res = (number * length[0])(), (number * length[1])()
    for pointers, arrays in ((arg, columns), (res, results)):
        for i, array in enumerate(arrays):
            pointers[i] = array.ctypes.data_as(number)
    whole, work = (ctypes.c_int * length[2])(), (ctypes.c_double * length[3])()
    assert getattr(loaded, name)(arg, res, whole, work, None) == 0
    return [numpy.array(casadi.DM(function.sparsity_out(i), list(values))) for i, values in enumerate(results)]


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        state, torque, rates, sources, hinges = arm(folder)
        try:
            import acados_template  # noqa: F401
        except ImportError:
            print("acados_template is not installed: its calls are made here")
            called(folder, state, torque, rates, sources)
        else:
            solved(folder, state, torque, rates, sources, hinges)


if __name__ == "__main__":
    main()
