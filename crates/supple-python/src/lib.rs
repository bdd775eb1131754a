//! The compiled module of the Python package: a door to the engine. Each file here converts what one part of the engine takes and gives; equations
//! and rules are in the crates that it calls.

mod arrays;
mod batch;
mod case;
mod command;
mod compiled;
mod derivatives;
mod dynamics;
mod errors;
mod inputs;
mod inverse_kinematics;
mod kinematics;
mod linear;
mod model;
mod python_error;
mod python_force;
mod run;
mod search;
mod simulation;
mod state;
mod sweep;
mod watch;

use pyo3::prelude::*;

/// What the compiler may use of the processor, as text that can be found in the file of the module without loading it (`supple/_processor.py`).
#[used]
static COMPILED_FOR: &str = if cfg!(all(target_arch = "x86_64", target_feature = "avx2")) {
    "supple-compiled-for:x86-64-v3;"
} else {
    "supple-compiled-for:baseline;"
};

#[pymodule(gil_used = false)]
mod _supple {
    #[pymodule_export]
    use super::batch::States;
    #[pymodule_export]
    use super::case::evaluate_case_text;
    #[pymodule_export]
    use super::command::command;
    #[pymodule_export]
    use super::compiled::Compiled;
    #[pymodule_export]
    use super::derivatives::{forward_dynamics_derivatives, inverse_dynamics_derivatives};
    #[pymodule_export]
    use super::dynamics::{
        bias_forces, composite_forward_dynamics, forward_dynamics, hybrid_dynamics, inverse_dynamics, mass_matrix,
    };
    #[pymodule_export]
    use super::inverse_kinematics::{CartesianPath, IkResult, Manipulability, find_pose, manipulability};
    #[pymodule_export]
    use super::kinematics::{
        Energy, Kinematics, Momentum, energy, jacobian, kinematics, momentum, operational_inertia,
    };
    #[pymodule_export]
    use super::linear::{Equilibrium, find_equilibrium, linearize_parts, modes_parts, signals};
    #[pymodule_export]
    use super::model::{Model, load_model};
    #[pymodule_export]
    use super::run::{RunResults, run_scenario};
    #[pymodule_export]
    use super::search::{identify_file, optimise_file};
    #[pymodule_export]
    use super::simulation::Simulation;
    #[pymodule_export]
    use super::state::State;
    #[pymodule_export]
    use super::sweep::Study;
}
