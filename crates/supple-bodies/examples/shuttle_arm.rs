//! The Shuttle arm of Damaren and Sharf on manoeuvre I-s: torques that would bring every hinge of a rigid arm to 0.4 rad in 60 s.
//! Nothing corrects them, so that the flexible arm ends elsewhere.
//!
//! Both booms are flexible, two bending modes in each plane, one of stretch and one of twist, with all terms (EE on both, and the exact
//! rotation of their tips: the paper's EEE); the other links and the payload of 15 t are rigid.
//!
//! ```sh
//! cargo run --release -p supple-bodies --no-default-features --example shuttle_arm
//! ```

use std::error::Error;

use supple::integrate::{Ledger, Scheme, Simulation, Tolerance};
use supple::{BodyIndex, ElasticRotation, Fidelity, Model, State};
use supple_bodies::catalogue::manoeuvre::Manoeuvre;
use supple_bodies::catalogue::shuttle_arm::{Boom, LINKS, ShuttleArm, angles};

/// The arm at one time.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Time, s.
    pub time: f64,
    /// Hinge angles, rad.
    pub angles: [f64; LINKS],
    /// How far the tips of the lower and upper boom are bent away from their axes, m.
    pub bent: [f64; 2],
    /// Where the energy went.
    pub ledger: Ledger,
}

/// Runs the manoeuvre and shows the arm `samples` times.
pub fn run(samples: u32, mut show: impl FnMut(&Sample)) -> Result<Sample, Box<dyn Error>> {
    let model = ShuttleArm::flexible(Fidelity::Exact, ElasticRotation::Integrated).build()?;
    let manoeuvre = Manoeuvre::PlannedSlow;
    let tolerance = Tolerance { relative: 1e-9, absolute: 1e-11 };
    let drive = manoeuvre.drive(&model)?;
    let mut arm = Simulation::new(&model, State::new(&model), drive, Scheme::PrinceDormand8, tolerance)?;
    let mut last = sample(&model, &mut arm)?;
    for i in 1..=samples {
        arm.advance(manoeuvre.duration() * f64::from(i) / f64::from(samples))?;
        last = sample(&model, &mut arm)?;
        show(&last);
    }
    Ok(last)
}

fn sample(model: &Model, arm: &mut Simulation) -> Result<Sample, Box<dyn Error>> {
    let ledger = arm.ledger()?;
    let state = arm.state();
    let bent = [(Boom::Lower, BodyIndex(1)), (Boom::Upper, BodyIndex(2))].map(|(boom, body)| {
        let beam = boom.beam(Fidelity::Exact);
        let tip = &beam.nodes()[beam.tip_node().0].influence;
        let along = |row: usize| -> f64 {
            tip.iter().zip(state.modal_coordinates(model, body)).map(|(column, eta)| column[row] * eta).sum()
        };
        along(4).hypot(along(5))
    });
    Ok(Sample { time: state.time, angles: angles(model, state), bent, ledger })
}

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "  t/s   hinge angles/rad                                  bent/mm          work/J   energy/J   balance/J"
    );
    let mut largest = 0.0_f64;
    run(20, |s| {
        let angles = s.angles.map(|a| format!("{a:7.4}")).join(" ");
        let [lower, upper] = s.bent.map(|b| 1e3 * b);
        let (work, energy) = (s.ledger.work, s.ledger.energy.total());
        println!(
            "{:5.1}  {angles}  {lower:7.2} {upper:7.2}  {work:9.4}  {energy:9.4}  {:9.1e}",
            s.time,
            s.ledger.balance_error()
        );
        largest = largest.max(s.ledger.balance_error().abs());
    })?;
    println!("The largest imbalance of energy and work is {largest:.1e} J.");
    Ok(())
}
