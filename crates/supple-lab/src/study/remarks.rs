//! Damaren and Sharf: what the text says beside its tables and figures.
//!
//! | case          | what is said                                                                                     |
//! |---------------|--------------------------------------------------------------------------------------------------|
//! | `speeds`      | I-f: no joint is faster than 0.04 rad/s, the end effector no faster than 1.3 m/s [DS95 4.2]      |
//! | `frequencies` | elements bring high frequencies that are none of the boom's, natural modes do not [DS95 3.2]     |
//! | `planar`      | in the plane, integrating the attitude of a tip and Euler angles are the same [DS95 2.3.2]       |
//! | `tolerance`   | II-s: the drift of EEE falls from 22.3 to 3.5e-7 % when the tolerance goes from 1e-7 to 1e-12    |
//! | `solvers`     | the stiff option gives the same as Adams' methods, at considerably higher cost [DS95 2.5]        |

use std::error::Error;

use supple::integrate::{Drive, Scheme, Simulation};
use supple::{
    BodyIndex, ElasticRotation, Fidelity, Hinge, HingeKind, Inputs, Model, ModelBuilder, NodeIndex, Parent, State,
    Workspace, kinematics,
};
use supple_bodies::beam::{ModalBeam, ModeCounts};
use supple_bodies::catalogue::manoeuvre::Manoeuvre;
use supple_bodies::catalogue::shuttle_arm::{Boom, ShuttleArm, hinges};
use supple_linear::system_modes;

use super::drift::{follow, tolerance};
use super::flight::Flight;
use super::row::Value;
use super::{Case as StudyCase, Run};

/// A remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    Speeds,
    Frequencies,
    Planar,
    Tolerance,
    Solvers,
}

impl Case {
    const ALL: [Self; 5] = [Self::Speeds, Self::Frequencies, Self::Planar, Self::Tolerance, Self::Solvers];

    /// The name in rows.
    pub fn name(self) -> &'static str {
        match self {
            Self::Speeds => "speeds",
            Self::Frequencies => "frequencies",
            Self::Planar => "planar",
            Self::Tolerance => "tolerance",
            Self::Solvers => "solvers",
        }
    }
}

/// One for each remark.
pub fn runs() -> Vec<Run> {
    let run =
        |case| Run { case: StudyCase::Remarks(case), fidelity: Fidelity::Exact, tip: ElasticRotation::Integrated };
    Case::ALL.map(run).into()
}

/// The quantities of a remark.
pub fn values(case: Case, relative: f64) -> Result<Vec<Value>, Box<dyn Error>> {
    match case {
        Case::Speeds => speeds(relative),
        Case::Frequencies => frequencies(),
        Case::Planar => planar(relative),
        Case::Tolerance => drift_by_tolerance(),
        Case::Solvers => solvers(),
    }
}

/// The largest rate of a hinge and the largest speed of the end of link 6, of the arm as planned and of that with booms that bend.
fn speeds(relative: f64) -> Result<Vec<Value>, Box<dyn Error>> {
    let arms = [
        ("planned", ShuttleArm::rigid()),
        ("flexible", ShuttleArm::flexible(Fidelity::Exact, ElasticRotation::Integrated)),
    ];
    let mut out = Vec::new();
    for (name, arm) in arms {
        let [rate, speed] = peaks(&arm, relative)?;
        out.push(Value::new(format!("{name}_peak_joint_rate_rad_s"), Some(0.04), rate));
        out.push(Value::new(format!("{name}_peak_tip_speed_m_s"), Some(1.3), speed));
    }
    Ok(out)
}

/// The largest rate of a hinge and speed of the end of link 6 on I-f.
fn peaks(arm: &ShuttleArm, relative: f64) -> Result<[f64; 2], Box<dyn Error>> {
    let (model, manoeuvre) = (arm.build()?, Manoeuvre::PlannedFast);
    let (hand, mut workspace) = (BodyIndex(model.body_count() - 1), Workspace::new(&model));
    let places = hinges(&model).map(|body| model.hinge_speeds(body).start);
    let drive = manoeuvre.drive(&model)?;
    let mut run = Simulation::new(&model, State::new(&model), drive, Scheme::PrinceDormand8, tolerance(relative))?;
    let [mut rate, mut speed] = [0.0_f64; 2];
    follow(&mut run, manoeuvre.duration(), |state| {
        rate = places.iter().fold(rate, |most, place| most.max(state.speeds[*place].abs()));
        if let Ok(places) = kinematics(&model, state, &mut workspace) {
            speed = speed.max(places.node_velocity(hand, NodeIndex(1)).linear.norm_squared().sqrt());
        }
    });
    Ok([rate, speed])
}

/// Frequencies of each boom, clamped: natural modes, then elements.
fn frequencies() -> Result<Vec<Value>, Box<dyn Error>> {
    let mut out = Vec::new();
    for (boom, name, printed) in [(Boom::Lower, "link_2", 37.2), (Boom::Upper, "link_3", 34.5)] {
        for (elements, shapes) in [(0, "NM"), (1, "FE-1"), (2, "FE-2"), (4, "FE-4")] {
            let model = boom.alone(elements)?;
            let modes = system_modes(&model, &State::new(&model), &Inputs::new(&model))?.modes;
            let found: Vec<f64> = modes.iter().map(|mode| mode.eigenvalue.im).collect();
            let (first, last) = (found.first().copied(), found.last().copied());
            // Bending comes in pairs: third and fourth are the second of each plane.
            for (word, paper, value) in [
                ("first", Some(printed), first),
                ("second_bending", None, found.get(2).copied()),
                ("highest", None, last),
            ] {
                out.push(Value::new(format!("{name}_{shapes}_{word}_rad_s"), paper, value.unwrap_or(f64::NAN)));
            }
        }
    }
    Ok(out)
}

/// A torque on the first hinge.
struct Push;

impl Drive for Push {
    fn drive(&mut self, _: &State, inputs: &mut Inputs) {
        inputs.forces[0] = 40.0;
    }
}

/// Two beams and a load in the plane: how far angles are from those of integrated attitudes at the end.
fn planar(relative: f64) -> Result<Vec<Value>, Box<dyn Error>> {
    let end = |tip: ElasticRotation| -> Result<Vec<f64>, Box<dyn Error>> {
        let model = planar_arm(tip)?;
        let mut run = Simulation::new(&model, State::new(&model), Push, Scheme::PrinceDormand8, tolerance(relative))?;
        run.advance(1.0)?;
        Ok(model.body_indices().map(|body| run.state().coordinates[model.hinge_coordinates(body).start]).collect())
    };
    let exact = end(ElasticRotation::Integrated)?;
    let mut out = Vec::new();
    for (tip, name) in [
        (ElasticRotation::Euler321, "euler321"),
        (ElasticRotation::Euler123, "euler123"),
        (ElasticRotation::RotationVector, "rotvec"),
        (ElasticRotation::FirstOrder, "linear"),
    ] {
        let apart = end(tip)?.iter().zip(&exact).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        let same = (tip != ElasticRotation::FirstOrder).then_some(0.0);
        out.push(Value::new(format!("{name}_angles_apart_rad"), same, apart));
    }
    Ok(out)
}

/// Two aluminium tubes and a load, all hinges about z.
fn planar_arm(tip: ElasticRotation) -> Result<Model, Box<dyn Error>> {
    use supple_bodies::section::{BeamProperties, Material, Section};
    let material = Material { young: 7e10, poisson: 0.33, density: 2700.0 };
    let tube = BeamProperties::new(Section::Tube { outer: 0.02, inner: 0.018 }, material);
    let modes = ModeCounts { bending_y: 2, stretch: 1, ..ModeCounts::default() };
    let beam = ModalBeam { fidelity: Fidelity::Exact, ..ModalBeam::cantilever(2.0, tube, modes) };
    let hinge = || Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
    let mut builder = ModelBuilder::new();
    builder.elastic_rotation(tip);
    let upper = builder.body(beam.body("upper", Parent::Ground, hinge()));
    let lower = builder.body(beam.body("lower", Parent::Body(upper, beam.tip_node()), hinge()));
    let inertia = [[0.1, 0.0, 0.0], [0.0, 0.3, 0.0], [0.0, 0.0, 0.3]];
    let held = Parent::Body(lower, beam.tip_node());
    builder.body(supple::Body::rigid("load", held, hinge(), 5.0, [0.2, 0.0, 0.0], inertia));
    Ok(builder.build()?)
}

/// II-s with Adams' methods: the drift of a model that conserves energy is that of its integrator.
fn drift_by_tolerance() -> Result<Vec<Value>, Box<dyn Error>> {
    let mut out = Vec::new();
    for (relative, printed) in [(1e-7, 22.3), (1e-12, 3.5e-7)] {
        let arm = ShuttleArm::flexible(Fidelity::Exact, ElasticRotation::Integrated);
        let flight = Flight { scheme: Scheme::Adams, ..Flight::new(arm, Manoeuvre::SteppedSlow, relative) };
        let flown = flight.fly()?;
        out.push(Value::new(format!("drift_percent_at_{relative:e}"), Some(printed), flown.drift.rms_percent));
        out.push(Value::new(format!("evaluations_at_{relative:e}"), None, flown.statistics.evaluations as f64));
    }
    Ok(out)
}

/// I-f with Adams' methods, with those for stiff systems, and with the integrator of the tables, at the paper's tolerance.
fn solvers() -> Result<Vec<Value>, Box<dyn Error>> {
    let arm = ShuttleArm::flexible(Fidelity::Exact, ElasticRotation::Integrated);
    let mut out = Vec::new();
    let mut first: Option<[f64; 6]> = None;
    for (scheme, name) in [(Scheme::Adams, "adams"), (Scheme::Bdf, "bdf"), (Scheme::PrinceDormand8, "prince-dormand8")]
    {
        let flown = Flight { scheme, ..Flight::new(arm, Manoeuvre::PlannedFast, 1e-7) }.fly()?;
        let statistics = flown.statistics;
        out.push(Value::new(format!("{name}_steps"), None, (statistics.accepted + statistics.rejected) as f64));
        out.push(Value::new(format!("{name}_evaluations"), None, statistics.evaluations as f64));
        out.push(Value::new(format!("{name}_factorisations"), None, statistics.factorisations as f64));
        out.push(Value::new(format!("{name}_drift_percent"), None, flown.drift.rms_percent));
        let Some(angles) = flown.final_angles() else { continue };
        let from = *first.get_or_insert(angles);
        let apart = angles.iter().zip(from).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        out.push(Value::new(format!("{name}_angles_from_adams_rad"), Some(0.0), apart));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rates of 0.04 rad/s and, with this layout, an end effector somewhat slower than 1.3 m/s where booms do not bend.
    #[test]
    fn the_plan_has_the_speeds_of_the_paper() {
        let [rate, speed] = peaks(&ShuttleArm::rigid(), 1e-8).unwrap();
        assert!((rate - 0.04).abs() < 1e-6, "{rate}");
        assert!((1.2..1.3).contains(&speed), "{speed}");
    }

    /// One element has its second bending frequency half too high; more of them have frequencies far above all natural modes in use.
    #[test]
    fn elements_bring_frequencies_that_modes_do_not() {
        let rows = frequencies().unwrap();
        let value = |name: &str| rows.iter().find(|row| row.quantity == name).unwrap().ours;
        for (link, printed) in [("link_2", 37.2), ("link_3", 34.5)] {
            let of = |shapes: &str, word: &str| value(&format!("{link}_{shapes}_{word}_rad_s"));
            assert!((of("NM", "first") - printed).abs() < 0.05);
            for shapes in ["FE-1", "FE-2", "FE-4"] {
                assert!((of(shapes, "first") / of("NM", "first") - 1.0).abs() < 5e-3);
            }
            assert!(of("FE-1", "second_bending") > 1.5 * of("NM", "second_bending"));
            assert!((of("FE-4", "second_bending") / of("NM", "second_bending") - 1.0).abs() < 2e-3);
            assert!(
                of("FE-2", "highest") > 3.0 * of("NM", "highest") && of("FE-4", "highest") > 8.0 * of("NM", "highest")
            );
        }
    }

    /// The first second of I-f: the same angles, at more evaluations and thousands of factorisations.
    #[test]
    fn the_stiff_option_gives_the_same_and_costs_more() {
        let arm = ShuttleArm::flexible(Fidelity::Exact, ElasticRotation::Integrated);
        let model = arm.build().unwrap();
        let [adams, bdf] = [Scheme::Adams, Scheme::Bdf].map(|scheme| {
            let drive = Manoeuvre::PlannedFast.drive(&model).unwrap();
            let mut run = Simulation::new(&model, State::new(&model), drive, scheme, tolerance(1e-7)).unwrap();
            run.advance(1.0).unwrap();
            (supple_bodies::catalogue::shuttle_arm::angles(&model, run.state()), run.statistics())
        });
        for (a, b) in adams.0.iter().zip(bdf.0) {
            assert!((a - b).abs() < 1e-7, "{adams:?} {bdf:?}");
        }
        assert!(bdf.1.evaluations > adams.1.evaluations && bdf.1.factorisations > 100, "{:?} {:?}", adams.1, bdf.1);
    }
}
