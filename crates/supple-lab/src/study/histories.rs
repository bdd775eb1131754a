//! Damaren and Sharf, figures 1 and 3 to 10: motions over time.

use std::error::Error;

use supple::integrate::{Scheme, Simulation};
use supple::{ElasticRotation, Fidelity, State};
use supple_bodies::beam::ModeCounts;
use supple_bodies::catalogue::manoeuvre::Manoeuvre;
use supple_bodies::catalogue::shuttle_arm::{LINKS, ShuttleArm};
use supple_bodies::catalogue::spin_up_beam::{Discretisation, SpinUpBeam};

use super::drift::{SAMPLES, follow, tolerance};
use super::flight::{Flight, Sample};
use super::panels::{Curve, Panel, Panels};
use super::row::Value;
use super::{Case as StudyCase, Run};
use crate::linearised::Terms;

/// A figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    Fig1,
    Fig3,
    Fig4,
    Fig5,
    Fig6,
    Fig7,
    Fig8,
    Fig9,
    Fig10,
}

/// Every so many samples make a point of a planned manoeuvre.
const EVERY: usize = 4;
/// Steps of torque make the booms vibrate: instants of each manoeuvre 2.5 ms apart, and all of them are points.
const INSTANTS: f64 = 2.5e-3;
/// Time of the last sample of the beam, s.
const BEAM_END: f64 = 20.0;
/// The four treatments of the tips, with what stands in brackets behind the name of a model.
const TIPS: [(ElasticRotation, &str); 4] = [
    (ElasticRotation::Integrated, "E"),
    (ElasticRotation::Euler321, "3-2-1"),
    (ElasticRotation::Euler123, "1-2-3"),
    (ElasticRotation::FirstOrder, "1"),
];
/// Without twist: three bending modes in each plane and two of stretch.
const UNTWISTED: ModeCounts = ModeCounts { bending_y: 3, bending_z: 3, stretch: 2, twist: 0 };

impl Case {
    const ALL: [Self; 9] =
        [Self::Fig1, Self::Fig3, Self::Fig4, Self::Fig5, Self::Fig6, Self::Fig7, Self::Fig8, Self::Fig9, Self::Fig10];

    /// The name in rows.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fig1 => "fig-1",
            Self::Fig3 => "fig-3",
            Self::Fig4 => "fig-4",
            Self::Fig5 => "fig-5",
            Self::Fig6 => "fig-6",
            Self::Fig7 => "fig-7",
            Self::Fig8 => "fig-8",
            Self::Fig9 => "fig-9",
            Self::Fig10 => "fig-10",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Fig1 => "Figure 1: a beam spun up by a torque",
            Self::Fig3 => "Figure 3: I-f, model EE with four treatments of the tips",
            Self::Fig4 => "Figure 4: I-f, model I with four treatments of the tips",
            Self::Fig5 => "Figure 5: I-f, models I(E) and EEE",
            Self::Fig6 => "Figure 6: I-f, deflections of the booms, models I(E) and EEE",
            Self::Fig7 => "Figure 7: I-f without twist, model EEE",
            Self::Fig8 => "Figure 8: I-s, four models",
            Self::Fig9 => "Figure 9: II-f, model EE with four treatments of the tips",
            Self::Fig10 => "Figure 10: II-s, models EEE and I(E)",
        }
    }

    fn manoeuvre(self) -> Manoeuvre {
        match self {
            Self::Fig8 => Manoeuvre::PlannedSlow,
            Self::Fig9 => Manoeuvre::SteppedFast,
            Self::Fig10 => Manoeuvre::SteppedSlow,
            _ => Manoeuvre::PlannedFast,
        }
    }

    /// Whether steps of torque make the booms vibrate.
    fn vibrates(self) -> bool {
        matches!(self, Self::Fig9 | Self::Fig10)
    }

    /// What is drawn of the arm.
    fn shown(self) -> Vec<Shown> {
        let angles = |count| (0..count).map(Shown::Angle);
        let tip = |boom| (0..3).map(move |axis| Shown::Tip { boom, axis });
        match self {
            Self::Fig1 => Vec::new(),
            Self::Fig6 => tip(0).chain(tip(1)).collect(),
            Self::Fig8 => angles(4).collect(),
            Self::Fig9 | Self::Fig10 => angles(3).chain(tip(1)).collect(),
            _ => angles(LINKS).collect(),
        }
    }

    /// The flights, by name.
    fn flights(self, relative: f64) -> Vec<(String, Flight)> {
        let manoeuvre = self.manoeuvre();
        let instants = if self.vibrates() { (manoeuvre.duration() / INSTANTS) as u32 / SAMPLES } else { 1 };
        let flight = |fidelity, tip| Flight {
            instants,
            ..Flight::new(ShuttleArm::flexible(fidelity, tip), manoeuvre, relative)
        };
        let of_model = |model: &'static str, fidelity| {
            let name = move |word: &str| format!("{model}({word})").replace("EE(E)", "EEE");
            TIPS.iter().map(move |(tip, word)| (name(word), flight(fidelity, *tip))).collect::<Vec<_>>()
        };
        let (exact, inconsistent) = (Fidelity::Exact, Fidelity::Inconsistent);
        let integrated = ElasticRotation::Integrated;
        let pair = || {
            vec![("I(E)".to_owned(), flight(inconsistent, integrated)), ("EEE".to_owned(), flight(exact, integrated))]
        };
        match self {
            Self::Fig1 => Vec::new(),
            Self::Fig3 | Self::Fig9 => of_model("EE", exact),
            Self::Fig4 => of_model("I", inconsistent),
            Self::Fig5 | Self::Fig6 => pair(),
            Self::Fig7 => {
                let arm = ShuttleArm::flexible(exact, integrated).with_modes(UNTWISTED);
                vec![
                    ("NM, no twist".to_owned(), Flight { arm, ..flight(exact, integrated) }),
                    ("FE, no twist".to_owned(), Flight { arm: arm.with_elements(2), ..flight(exact, integrated) }),
                    ("I(1), twist".to_owned(), flight(inconsistent, ElasticRotation::FirstOrder)),
                ]
            }
            Self::Fig8 => {
                let ruthless = flight(Fidelity::Ruthless, ElasticRotation::None);
                let mut all = pair();
                all.push(("CL".to_owned(), flight(Fidelity::Consistent, ElasticRotation::FirstOrder)));
                all.push(("RL".to_owned(), Flight { terms: Some(Terms::RUTHLESS), ..ruthless }));
                all
            }
            Self::Fig10 => vec![
                ("EEE".to_owned(), flight(exact, integrated)),
                ("I(E)".to_owned(), flight(inconsistent, integrated)),
            ],
        }
    }
}

/// A number of the arm.
#[derive(Clone, Copy)]
enum Shown {
    Angle(usize),
    Tip { boom: usize, axis: usize },
}

impl Shown {
    fn of(self, sample: &Sample) -> f64 {
        match self {
            Self::Angle(i) => sample.angles[i],
            Self::Tip { boom, axis } => sample.tips[boom][axis],
        }
    }

    fn title(self) -> String {
        match self {
            Self::Angle(i) => format!("angle {}, rad", i + 1),
            Self::Tip { boom, axis } => format!("tip of link {} along {}, m", boom + 2, ["x", "y", "z"][axis]),
        }
    }

    fn quantity(self) -> String {
        match self {
            Self::Angle(i) => format!("angle_{}_rad", i + 1),
            Self::Tip { boom, axis } => format!("tip_{}_{}_m", boom + 2, ["x", "y", "z"][axis]),
        }
    }
}

/// One for each figure.
pub fn runs() -> Vec<Run> {
    let run =
        |case| Run { case: StudyCase::Histories(case), fidelity: Fidelity::Exact, tip: ElasticRotation::Integrated };
    Case::ALL.map(run).into()
}

/// All panels of a figure, with quantities of the rows as their titles are not.
fn panels(case: Case, relative: f64) -> Result<Vec<(String, Panel)>, Box<dyn Error>> {
    if case == Case::Fig1 {
        return beam(relative);
    }
    let mut flown = Vec::new();
    for (name, flight) in case.flights(relative) {
        flown.push((name, flight.fly()?.samples));
    }
    let every = if case.vibrates() { 1 } else { EVERY };
    let panel = |shown: Shown| {
        let curve = |(name, samples): &(String, Vec<Sample>)| {
            let points = samples.iter().step_by(every);
            Curve { name: name.clone(), points: points.map(|sample| [sample.time, shown.of(sample)]).collect() }
        };
        // Vibrations of one model fill a panel.
        let alone = case.vibrates() && matches!(shown, Shown::Tip { .. });
        let curves: Vec<Curve> = flown.iter().take(if alone { 1 } else { flown.len() }).map(curve).collect();
        let whose = if alone { format!(", {}", curves[0].name) } else { String::new() };
        (shown.quantity(), Panel { title: shown.title() + &whose, curves })
    };
    Ok(case.shown().into_iter().map(panel).collect())
}

/// Figure 1.
fn beam(relative: f64) -> Result<Vec<(String, Panel)>, Box<dyn Error>> {
    let titles = ["joint rate, rad/s", "stretch at the tip, m", "bending at the tip, m"];
    let quantities = ["rate_rad_s", "stretch_m", "bending_m"];
    let mut panels: Vec<(String, Panel)> = quantities
        .iter()
        .zip(titles)
        .map(|(quantity, title)| ((*quantity).to_owned(), Panel { title: title.to_owned(), curves: Vec::new() }))
        .collect();
    let models = [
        ("RL", Fidelity::Ruthless),
        ("I", Fidelity::Inconsistent),
        ("CL", Fidelity::Consistent),
        ("EE", Fidelity::Exact),
    ];
    for (name, fidelity) in models {
        let beam = SpinUpBeam::damaren_sharf(Discretisation::NaturalModes { bending: 2, stretch: 1 }, fidelity);
        let built = beam.build()?;
        let (state, drive) = (State::new(&built.model), built.torque(beam.inertia()));
        let mut simulation = Simulation::new(&built.model, state, drive, Scheme::PrinceDormand8, tolerance(relative))?;
        let sample = |state: &State| [state.time, built.rate(state), built.stretch(state), built.deflection(state)];
        let mut samples = vec![sample(simulation.state())];
        follow(&mut simulation, BEAM_END, |state| samples.push(sample(state)));
        for (i, (_, panel)) in panels.iter_mut().enumerate() {
            let points = samples.iter().step_by(EVERY).map(|sample| [sample[0], sample[i + 1]]).collect();
            panel.curves.push(Curve { name: name.to_owned(), points });
        }
    }
    Ok(panels)
}

/// Of every curve its least, most and last value.
pub fn values(case: Case, relative: f64) -> Result<Vec<Value>, Box<dyn Error>> {
    let mut out = Vec::new();
    for (quantity, panel) in panels(case, relative)? {
        for Curve { name, points } in panel.curves {
            let name = name.replace(", ", "-").replace(' ', "-");
            let all = || points.iter().map(|p| p[1]);
            let last = all().next_back().unwrap_or(f64::NAN);
            for (word, value) in [
                ("least", all().fold(f64::INFINITY, f64::min)),
                ("most", all().fold(f64::NEG_INFINITY, f64::max)),
                ("last", last),
            ] {
                out.push(Value::new(format!("{name}_{quantity}_{word}"), None, value));
            }
        }
    }
    Ok(out)
}

/// The picture of a figure.
pub fn picture(case: Case, relative: f64) -> Result<String, Box<dyn Error>> {
    let mut panels: Vec<Panel> = panels(case, relative)?.into_iter().map(|(_, panel)| panel).collect();
    if case == Case::Fig1 {
        // Beside a bending of 9 m the others could not be told apart.
        let others = panels.pop().map(|Panel { title, curves }| {
            let small = curves.iter().filter(|curve| curve.name != "I").cloned().collect();
            [Panel { title: format!("{title}, without I"), curves: small }, Panel { title, curves }]
        });
        panels.extend(others.into_iter().flatten().rev());
    }
    Ok(Panels { title: case.title().to_owned(), panels }.to_string())
}
