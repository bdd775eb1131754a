//! A fixed amount of work of every important verb, for counting its instructions.
//!
//! `cargo build --release -p supple-workload`
//!
//! Prints the names of its workloads as it comes to them. With `--traced`, for a tracer alone, it waits for a line on standard input and
//! then stops with a trap before each workload and with an invalid instruction after it, which the tracer steps over:
//! `crates/supple-cli/tests/instructions.rs` counts what is between.

use std::error::Error;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use supple::generic::forward_dynamics;
use supple::spatial::{Lanes, Scalar};
use supple::{
    Body, BodyIndex, DenseWorkspace, DynamicsError, ElasticRotation, Fidelity, Hinge, HingeKind, Inputs, Model,
    NodeIndex, Parent, State, System, Workspace, energy, hybrid_dynamics, inverse_dynamics, kinematics, mass_matrix,
    mass_operator,
};
use supple_bodies::catalogue::beam_chain::beam_chain;
use supple_bodies::catalogue::shuttle_arm::ShuttleArm;
use supple_bodies::catalogue::standard_chain::standard_chain;

/// Whether a tracer counts.
static TRACED: AtomicBool = AtomicBool::new(false);

/// One call outside of the count, so that nothing in it happens for the first time, and one inside.
fn counted(work: &mut dyn FnMut() -> Result<(), DynamicsError>) -> Result<(), DynamicsError> {
    work()?;
    let traced = TRACED.load(Relaxed);
    if traced {
        marker::start();
    }
    let done = work();
    if traced {
        marker::stop();
    }
    done
}

#[cfg(target_arch = "x86_64")]
mod marker {
    use std::arch::asm;

    /// Stops with `SIGTRAP`.
    pub fn start() {
        // SAFETY: the instruction touches neither memory nor registers; without a tracer it ends the program.
        unsafe { asm!("int3", options(nostack)) }
    }

    /// Stops with `SIGILL` at the instruction, two bytes long.
    pub fn stop() {
        // SAFETY: as above.
        unsafe { asm!("ud2", options(nostack)) }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod marker {
    pub fn start() {}
    pub fn stop() {}
}

fn main() -> Result<(), Box<dyn Error>> {
    if std::env::args().any(|argument| argument == "--traced") {
        std::io::stdin().read_line(&mut String::new())?;
        TRACED.store(true, Relaxed);
    }
    // Small: a tracer takes microseconds per instruction.
    let rigid = Model::build(&rigid_chain(4))?;
    all_verbs("4 rigid links", &rigid)?;
    forward("4 rigid links, f64x4", &rigid.cast::<Lanes<f64, 4>>())?;
    forward("4 rigid links, f32", &rigid.cast::<f32>())?;
    all_verbs("2 flexible links of 8 modes", &Model::build(&standard_chain(2, 8))?)?;
    for modes in [10, 100] {
        forward(&format!("10 links of {modes} modes"), &Model::build(&standard_chain(10, modes))?)?;
    }
    let stiffened = Model::build(&beam_chain(2, 4, Fidelity::Stiffened))?;
    forward_and_inverse("2 stiffened beams of 4 modes", &stiffened)?;
    forward("2 stiffened beams of 4 modes, f64x4", &stiffened.cast::<Lanes<f64, 4>>())?;
    let arm = ShuttleArm::flexible(Fidelity::Exact, ElasticRotation::Integrated).build()?;
    forward_and_inverse("Shuttle arm", &arm)?;
    let stiffened = ShuttleArm::flexible(Fidelity::Stiffened, ElasticRotation::Integrated).build()?;
    forward("Shuttle arm, stiffened", &stiffened)?;
    // Any axis costs what a coordinate axis costs, with a rotor and without.
    for rotor in [false, true] {
        for (name, axis) in [("y", [0.0, 1.0, 0.0]), ("-y", [0.0, -1.0, 0.0]), ("skew", [0.6, 0.0, 0.8])] {
            let suffix = if rotor { " and rotors" } else { "" };
            forward(&format!("7 hinges, axes {name}{suffix}"), &Model::build(&arm7(axis, rotor))?)?;
        }
    }
    Ok(())
}

/// Seven equal links whose hinges have one and the same axis.
fn arm7(axis: [f64; 3], rotor: bool) -> System {
    let mut system = rigid_chain(7);
    for body in &mut system.bodies {
        body.hinge.kind = HingeKind::Revolute { axis };
        if rotor {
            body.hinge.rotor_inertia = vec![0.2];
        }
    }
    system
}

fn tell(verb: &str, system: &str) {
    println!("{verb}, {system}");
}

fn forward<T: Scalar>(system: &str, model: &Model<T>) -> Result<(), Box<dyn Error>> {
    let (state, inputs) = moving(model);
    let mut ws = Workspace::new(model);
    tell("forward_dynamics", system);
    Ok(counted(&mut || {
        black_box(forward_dynamics(model, &state, &inputs, &mut ws)?);
        Ok(())
    })?)
}

fn forward_and_inverse(system: &str, model: &Model) -> Result<(), Box<dyn Error>> {
    forward(system, model)?;
    let (state, inputs) = moving(model);
    let mut ws = Workspace::new(model);
    tell("inverse_dynamics", system);
    Ok(counted(&mut || {
        black_box(inverse_dynamics(model, &state, &inputs, &mut ws)?);
        Ok(())
    })?)
}

fn all_verbs(system: &str, model: &Model) -> Result<(), Box<dyn Error>> {
    forward_and_inverse(system, model)?;
    let (state, inputs) = moving(model);
    let mut ws = Workspace::new(model);
    tell("hybrid_dynamics", system);
    counted(&mut || {
        black_box(hybrid_dynamics(model, &state, &inputs, &mut ws)?);
        Ok(())
    })?;
    tell("kinematics", system);
    counted(&mut || {
        black_box(kinematics(model, &state, &mut ws)?);
        Ok(())
    })?;
    tell("energy", system);
    counted(&mut || {
        black_box(energy(model, &state, &mut ws)?);
        Ok(())
    })?;
    let n = model.speed_count();
    let (mut dense, mut out) = (DenseWorkspace::new(model), vec![0.0; n * n]);
    tell("mass_matrix", system);
    counted(&mut || mass_matrix(model, &state, &mut ws, &mut dense, black_box(&mut out)))?;
    tell("mass_operator, solve", system);
    counted(&mut || mass_operator(model, &state, &mut ws)?.solve(&inputs.forces, black_box(&mut out[..n])))?;
    Ok(())
}

/// A state in which nothing is zero; verbs do not branch on values.
fn moving<T: Scalar>(model: &Model<T>) -> (State<T>, Inputs<T>) {
    let (mut state, mut inputs) = (State::new(model), Inputs::new(model));
    for body in model.body_indices() {
        for i in model.modal_coordinates(body) {
            state.coordinates[i] = T::from_f64(1e-3 * (1 + i % 3) as f64);
        }
        for i in model.hinge_coordinates(body) {
            state.coordinates[i] = T::from_f64(0.1 * (1 + i % 7) as f64);
        }
        inputs.prescribed[body.0] = body.0 % 2 == 1;
    }
    for (i, x) in state.speeds.iter_mut().chain(&mut inputs.forces).chain(&mut inputs.accelerations).enumerate() {
        *x = T::from_f64(0.01 * (1 + i % 11) as f64);
    }
    (state, inputs)
}

/// Equal links, each turned against the one before.
fn rigid_chain(bodies: usize) -> System {
    let turned = [[0.6, 0.0, 0.8], [0.0, 1.0, 0.0], [-0.8, 0.0, 0.6]];
    let link = |k: usize| {
        let parent = k.checked_sub(1).map_or(Parent::Ground, |p| Parent::Body(BodyIndex(p), NodeIndex(0)));
        let mut axis = [0.0; 3];
        axis[k % 3] = 1.0;
        let hinge = Hinge::new(HingeKind::Revolute { axis }).at([0.3, 0.1, 0.2]).turned(turned);
        let inertia = [[0.5, 0.01, 0.0], [0.01, 0.6, 0.02], [0.0, 0.02, 0.7]];
        Body::rigid(format!("link {k}"), parent, hinge, 1.5, [0.1, 0.0, 0.2], inertia)
    };
    System { gravity: [0.0, 0.0, -9.81], bodies: (0..bodies).map(link).collect(), ..System::default() }
}
