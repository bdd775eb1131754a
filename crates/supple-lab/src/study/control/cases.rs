//! The cases: payloads, start poses, what the controller takes for true, and the rows of a case.

use std::error::Error;
use std::f64::consts::TAU;
use std::sync::LazyLock;

use serde::Serialize;
use supple_bodies::catalogue::shuttle_arm::LINKS;
use supple_control::Trajectory;

use super::arm::{Arm, Gains, NOMINAL_PAYLOAD, PLANT_MODES};
use super::design::{DURATION, Knowledge, TURN, limits, locked_frequencies, on_the_way, servos};
use super::motion::{Motion, Outcome};

/// Cases: the nominal one, then random ones.
const CASES: usize = 51;
/// Periods of the first mode over which the tip is watched after the arrival.
const PERIODS: f64 = 5.0;

static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let random = (1..CASES).map(|k| format!("random-{k:02}"));
    std::iter::once("nominal".to_owned()).chain(random).collect()
});

/// A case by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case(usize);

impl Case {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..CASES).map(Self)
    }

    /// Its name in rows.
    pub fn name(self) -> &'static str {
        &NAMES[self.0]
    }

    /// A number from 0 to 1 that follows from the case and a count alone (SplitMix64).
    fn uniform(self, count: u64) -> f64 {
        let mut x =
            (self.0 as u64).wrapping_mul(0xD1B5_4A32_D192_ED03).wrapping_add(count.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((x ^ (x >> 31)) >> 11) as f64 * 2.0_f64.powi(-53)
    }

    /// Payload, kg, and start pose, rad: of a random case from 10 to 20 t, and each hinge up to half a radian to either side.
    fn system(self) -> (f64, [f64; LINKS]) {
        if self.0 == 0 {
            return (NOMINAL_PAYLOAD, [0.0; LINKS]);
        }
        let payload = NOMINAL_PAYLOAD * (2.0 + 2.0 * self.uniform(1)) / 3.0;
        (payload, std::array::from_fn(|i| self.uniform(2 + i as u64) - 0.5))
    }

    /// What the controller takes for true: stiffnesses 10 % off, one way or the other, and a payload up to 10 % off.
    fn knowledge(self, payload: f64) -> Knowledge {
        let (stiffness, share) = match self.0 {
            0 => (0.9, 1.1),
            _ => (if self.uniform(8) < 0.5 { 0.9 } else { 1.1 }, 0.9 + 0.2 * self.uniform(9)),
        };
        Knowledge { payload: share * payload, stiffness }
    }
}

/// A row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    pub case: &'static str,
    pub controller: &'static str,
    pub quantity: &'static str,
    pub value: f64,
}

/// Runs a case under every controller.
pub fn rows(case: Case) -> Result<Vec<Row>, Box<dyn Error>> {
    let (payload, start) = case.system();
    let end_pose = on_the_way(&start, 1.0);
    let arm = |servos| Arm { payload, stiffness: 1.0, modes: PLANT_MODES, damping: 0.0, servos };
    let first = locked_frequencies(&arm(None).build()?, &end_pose)?[0];
    let knowledge = case.knowledge(payload);
    // Joint servos of the yardstick by the arm as it is, those of the other by what the controller takes for true.
    let yardstick = servos(payload, &end_pose, 0.5 * first)?;
    let own = servos(knowledge.payload, &end_pose, 0.5 * knowledge.first_frequency(&end_pose)?)?;
    let limits = limits()?;

    let shaper = knowledge.shaper(&start)?;
    let arrival = DURATION + shaper.duration();
    let end = arrival + PERIODS * TAU / first;
    let cycloid = |duration: f64| -> Result<Vec<Trajectory>, Box<dyn Error>> {
        start.iter().map(|angle| Ok(Trajectory::cycloidal([0.0, duration], [*angle, angle + TURN])?)).collect()
    };
    let shaped: Vec<Trajectory> = cycloid(DURATION)?.into_iter().map(|motion| motion.shaped(&shaper)).collect();
    let motion = |servos: [Gains; LINKS], commands: Vec<Trajectory>| -> Result<Motion, Box<dyn Error>> {
        let commands = <[Trajectory; LINKS]>::try_from(commands).map_err(|_| "a command for each hinge")?;
        Ok(Motion { plant: arm(Some(servos)).build()?, start, servos, commands, times: [arrival, end], limits })
    };

    let pd = motion(yardstick, cycloid(arrival)?)?.run(None)?;
    let pd_shaped = motion(yardstick, shaped.clone())?.run(None)?;
    let with = motion(own, shaped)?;
    let reference = knowledge.reference(&with.commands, end)?;
    let shaped_modal = with.run(Some((knowledge.feedback(own, &start)?, reference)))?;

    let row = |controller, quantity, value| Row { case: case.name(), controller, quantity, value };
    let mut out = vec![
        row("all", "payload_kg", payload),
        row("all", "first_frequency_hz", first / TAU),
        row("all", "arrival_s", arrival),
    ];
    for (controller, found) in [("pd", pd), ("pd_shaped", pd_shaped), ("shaped_modal", shaped_modal)] {
        let Outcome { residual, torque, tracking } = found;
        out.push(row(controller, "residual_tip_m", residual));
        out.push(row(controller, "peak_torque_over_limit", torque));
        out.push(row(controller, "tracking_rms_rad", tracking));
    }
    out.push(row("shaped_modal", "pd_over_shaped_modal", pd.residual / shaped_modal.residual));
    Ok(out)
}
