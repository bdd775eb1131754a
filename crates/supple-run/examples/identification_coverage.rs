//! How often bounds of identified parameters hold: five parameters of a two-link arm from noisy encoders, over and over.
//!
//! `cargo run --release -p supple-run --example identification_coverage 100 1` prints how many of a hundred trials, with noise of seed 1, have each parameter within its bound of 95 %,
//! and the spread of the estimates beside the one that is stated.

use std::path::Path;

use supple_io::identification_file::{Identification, Measured, Parameter};
use supple_run::{Estimate, IdentifyOptions, Options, identify, run};

/// A two-link arm with soft links, dry and viscous friction, and a payload; torques that keep it moving.
pub const ARM: &str = r#"
format = "supple-model-1"
name = "arm"
gravity = [0, 0, 0]
[[body]]
name = "upper"
hinge = { name = "shoulder", kind = "revolute", axis = [0, 0, 1], rotor_inertia = 0.02, damping = 0.08, friction = { level = 0.05, transition_speed = 0.05 } }
[body.beam]
length = 0.5
section = { rectangle = { width = 0.003, height = 0.04 } }
material = { E = 7.1e10, nu = 0.33, density = 2710 }
damping_ratio = 0.01
modes = { bending_y = 1 }
[[body]]
name = "lower"
parent = "upper"
at = "tip"
hinge = { name = "elbow", kind = "revolute", axis = [0, 0, 1], rotor_inertia = 0.01, damping = 0.04 }
[body.beam]
length = 0.5
section = { rectangle = { width = 0.002, height = 0.03 } }
material = { E = 7.1e10, nu = 0.33, density = 2710 }
damping_ratio = 0.01
modes = { bending_y = 1 }
[[body]]
name = "payload"
parent = "lower"
at = "tip"
hinge = { kind = "fixed" }
rigid = { mass = 0.3, mass_centre = [0.02, 0, 0], inertia = [1e-4, 2e-4, 2e-4] }
"#;

/// Its scenario.
pub const SWING: &str = r#"
format = "supple-scenario-1"
model = "arm.toml"
duration = 2
output_interval = 0.02
[integrator]
kind = "exponential-adams"
relative_tolerance = 1e-6
absolute_tolerance = 1e-8
[[torque]]
hinge = "shoulder"
table = { times = [0, 0.2, 0.5, 0.8, 1.1, 1.5, 2.0], values = [0, 1.2, -1.2, 1.0, -0.8, 0.9, -0.5] }
[[torque]]
hinge = "elbow"
table = { times = [0, 0.3, 0.6, 1.0, 1.4, 1.7, 2.0], values = [0, -0.4, 0.5, -0.3, 0.4, -0.4, 0.2] }
[results]
columns = ["hinges", "hinge_speeds", "hinge_forces"]
nodes = [{ body = "lower", node = "tip" }]
"#;

/// Noise of the encoders, rad.
pub const DEVIATION: f64 = 1e-3;

/// True values of five parameters, and where the search starts.
pub const FIVE: [(&str, f64, f64); 5] = [
    ("model.body.upper.beam.material.E", 7.1e10, 6.0e10),
    ("model.body.upper.hinge.damping", 0.08, 0.05),
    ("model.body.upper.hinge.friction.level", 0.05, 0.03),
    ("model.body.lower.hinge.damping", 0.04, 0.06),
    ("model.body.payload.rigid.mass", 0.3, 0.25),
];

/// Normal noise that is the same every time.
pub struct Noise(pub u64);

impl Noise {
    /// Evenly between zero and one.
    pub fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// With mean zero and deviation one.
    pub fn normal(&mut self) -> f64 {
        let (a, b) = (self.uniform().max(1e-300), self.uniform());
        (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    }
}

/// Numbers with noise.
pub fn noisy(values: &[f64], deviation: f64, noise: &mut Noise) -> Vec<f64> {
    values.iter().map(|x| x + deviation * noise.normal()).collect()
}

/// The encoders of the arm, without noise: times, shoulder, elbow.
pub fn encoders(scenario: &Path) -> [Vec<f64>; 3] {
    let results = run(scenario, &Options::default()).unwrap();
    ["time", "hinge.shoulder", "hinge.elbow"].map(|name| results.column(name).unwrap().to_vec())
}

/// The problem: five parameters from two encoders.
pub fn five(scenario: &Path, [times, shoulder, elbow]: &[Vec<f64>; 3], noise: Option<f64>) -> Identification {
    let mut problem = Identification::new(scenario);
    for (key, _, start) in FIVE {
        let mut parameter = Parameter::new(key, start);
        parameter.bounds[0] = 0.0;
        problem.parameters.push(parameter);
    }
    for (column, values) in [("hinge.shoulder", shoulder), ("hinge.elbow", elbow)] {
        let mut measured = Measured::new(column, times.clone(), values.clone());
        measured.noise = noise;
        problem.measured.push(measured);
    }
    problem
}

/// What is found.
pub fn found(problem: &Identification) -> Estimate {
    identify(problem, &IdentifyOptions::default(), &mut |_| ()).unwrap()
}

/// Runs the trials asked for and prints what they give.
#[allow(dead_code)] // tests take the rest of this file
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let trials: usize = std::env::args().nth(1).map_or(Ok(100), |text| text.parse())?;
    let folder = std::env::temp_dir().join("supple-identification-coverage");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("arm.toml"), ARM)?;
    let path = folder.join("swing.toml");
    std::fs::write(&path, SWING)?;
    let [times, shoulder, elbow] = encoders(&path);
    let seed: u64 = std::env::args().nth(2).map_or(Ok(1), |text| text.parse())?;
    let mut noise = Noise(88_172_645_463_325_252_u64.wrapping_mul(2 * seed + 1));
    let (mut inside, mut together, mut squares, mut stated) = ([0; 5], [0; 2], [0.0; 5], [0.0; 5]);
    for _ in 0..trials {
        let data = [times.clone(), noisy(&shoulder, DEVIATION, &mut noise), noisy(&elbow, DEVIATION, &mut noise)];
        let fit = found(&five(&path, &data, Some(DEVIATION)));
        let mut all = [true; 2];
        for (i, (parameter, (_, truth, _))) in fit.parameters.iter().zip(FIVE).enumerate() {
            let (error, bound) = (parameter.value - truth, parameter.bound.unwrap_or(f64::INFINITY));
            inside[i] += usize::from(error.abs() <= bound);
            all[0] &= error.abs() <= bound;
            all[1] &= error.abs() <= parameter.joint_bound.unwrap_or(f64::INFINITY);
            squares[i] += error * error / trials as f64;
            stated[i] += parameter.deviation.unwrap_or(f64::INFINITY).powi(2) / trials as f64;
        }
        (0..2).for_each(|i| together[i] += usize::from(all[i]));
    }
    println!("parameter                                 true value   within its bound   spread   stated spread");
    for (i, (key, truth, _)) in FIVE.iter().enumerate() {
        let (spread, stated) = (squares[i].sqrt(), stated[i].sqrt());
        println!("{key:40}  {truth:>10.3e}   {:>6} of {trials:<6}   {spread:.3e}   {stated:.3e}", inside[i]);
    }
    let sum: usize = inside.iter().sum();
    let [single, joint] = together;
    println!(
        "all bounds: {sum} of {}; all five at once: {single} of {trials}, within joint bounds {joint} of {trials}",
        5 * trials
    );
    Ok(())
}
