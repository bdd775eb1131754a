//! What a file says acts in a hinge: spring, damping, friction, stops, motor. Plain numbers, one per speed of the hinge.

use supple::HingeKind;

use crate::document::{Table, Value};
use crate::source::{Report, Rule, Source};

/// Spring of a hinge: `-stiffness (coordinate - rest)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring {
    /// Stiffness per speed, N m/rad or N/m.
    pub stiffness: Vec<f64>,
    /// Coordinate without force, per speed.
    pub rest: Vec<f64>,
}

/// Dry friction of a hinge.
#[derive(Clone, Debug, PartialEq)]
pub struct Friction {
    /// Level per speed, N m or N.
    pub level: Vec<f64>,
    /// Speed below which it is smoothed; [`FRICTION_SPEED`](super::FRICTION_SPEED) where the file does not say.
    pub transition_speed: Option<f64>,
}

/// Limits of the coordinates of a hinge.
#[derive(Clone, Debug, PartialEq)]
pub struct Stops {
    /// Least coordinates.
    pub lower: Vec<f64>,
    /// Greatest coordinates.
    pub upper: Vec<f64>,
    /// Stiffness; [`STOP_STIFFNESS`](super::STOP_STIFFNESS) where the file does not say.
    pub stiffness: Option<f64>,
    /// Damping of the contact, s/rad or s/m; [`STOP_DAMPING`](super::STOP_DAMPING) where the file does not say.
    pub damping: Option<f64>,
}

/// Motor with a gear at a hinge of one speed.
#[derive(Clone, Debug, PartialEq)]
pub struct Motor {
    /// Turns of the rotor per turn of the hinge.
    pub gear_ratio: f64,
    /// Inertia of the rotor about its axis, kg m².
    pub rotor_inertia: f64,
    /// Greatest torque or force at the hinge.
    pub effort_limit: Option<f64>,
    /// Greatest speed of the hinge.
    pub speed_limit: Option<f64>,
}

impl Motor {
    /// Inertia of the rotor as the hinge feels it: `n² J`.
    pub fn inertia_at_hinge(&self) -> f64 {
        self.gear_ratio * self.gear_ratio * self.rotor_inertia
    }
}

/// What acts in the hinge of one body.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct HingeElements {
    /// Index of the body in the system.
    pub body: usize,
    /// Spring.
    pub spring: Option<Spring>,
    /// Viscous damping per speed, N m s/rad or N s/m; empty where there is none.
    pub damping: Vec<f64>,
    /// Dry friction.
    pub friction: Option<Friction>,
    /// Limits.
    pub stops: Option<Stops>,
    /// Motor.
    pub motor: Option<Motor>,
}

impl HingeElements {
    /// Whether nothing acts there.
    pub fn is_empty(&self) -> bool {
        *self == Self { body: self.body, ..Self::default() }
    }

    /// What acts there, in words.
    pub fn words(&self) -> Vec<&'static str> {
        let kinds = [
            ("spring", self.spring.is_some()),
            ("damping", !self.damping.is_empty()),
            ("friction", self.friction.is_some()),
            ("stops", self.stops.is_some()),
            ("motor", self.motor.is_some()),
        ];
        kinds.iter().filter(|(_, present)| *present).map(|(kind, _)| *kind).collect()
    }
}

/// Elements of a hinge in its table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Acting {
    /// Forces and drive.
    pub(crate) elements: HingeElements,
    /// Inertia of the drive as seen at each speed; empty if not given.
    pub(crate) rotor_inertia: Vec<f64>,
}

/// Reads the elements of a hinge. What does not fit its kind is reported.
pub(crate) fn read(hinge: Table<'_>, kind: &HingeKind, source: &Source, report: &mut Report) -> Option<Acting> {
    let (coordinates, speeds) = kind.sizes();
    let before = report.count();
    let mut useless = |key: &str, because: &str| {
        if let Some(value) = hinge.get(key) {
            report.add(source, value.span(), Rule::Useless { key: key.into(), because: because.into() });
        }
    };
    match () {
        () if speeds == 0 => {
            for key in ["spring", "damping", "friction", "stops", "motor", "rotor_inertia"] {
                useless(key, "a fixed hinge does not move");
            }
        }
        () if coordinates != speeds => {
            for key in ["spring", "stops", "motor"] {
                useless(key, "the attitude of this hinge is a quaternion, not an angle");
            }
        }
        () if speeds > 1 => useless("motor", "a motor turns a hinge of one speed"),
        () => {}
    }
    let mut reader = Reader { source, report, speeds };
    let elements = HingeElements {
        body: 0,
        spring: reader.spring(hinge),
        damping: hinge.get("damping").and_then(|value| reader.per_speed("damping", value)).unwrap_or_default(),
        friction: reader.friction(hinge),
        stops: hinge.table("stops").and_then(|stops| reader.stops(stops)),
        motor: hinge.table("motor").map(|motor| Motor {
            gear_ratio: motor.number("gear_ratio").unwrap_or(1.0),
            rotor_inertia: motor.number("rotor_inertia").unwrap_or(0.0),
            effort_limit: motor.number("effort_limit"),
            speed_limit: motor.number("speed_limit"),
        }),
    };
    let rotor_inertia = reader.rotor_inertia(hinge, &elements);
    (report.count() == before).then_some(Acting { elements, rotor_inertia })
}

struct Reader<'r> {
    source: &'r Source,
    report: &'r mut Report,
    speeds: usize,
}

impl Reader<'_> {
    /// One number for all speeds, or one for each.
    fn per_speed(&mut self, quantity: &str, value: Value<'_>) -> Option<Vec<f64>> {
        if let Some(number) = value.number() {
            return Some(vec![number; self.speeds]);
        }
        let numbers = value.numbers()?;
        if numbers.len() == self.speeds {
            return Some(numbers);
        }
        let (found, expected) = (numbers.len(), self.speeds);
        let rule = Rule::Length { quantity: quantity.into(), found, expected, one_per: "speed of the hinge" };
        self.report.add(self.source, value.span(), rule);
        None
    }

    /// `n² J` of the motor, or the numbers of the hinge itself.
    fn rotor_inertia(&mut self, hinge: Table<'_>, elements: &HingeElements) -> Vec<f64> {
        let of_motor = hinge.table("motor").and_then(|motor| motor.get("rotor_inertia"));
        let Some(own) = hinge.get("rotor_inertia") else {
            let motor = elements.motor.as_ref().filter(|_| of_motor.is_some());
            return motor.map_or(Vec::new(), |motor| vec![motor.inertia_at_hinge()]);
        };
        if of_motor.is_some() {
            let what = "the rotor inertia is told twice: by the hinge and by its motor".to_owned();
            let expected = "one of them: keep that of the motor with its gear ratio n, or n² times it in the hinge";
            self.report.add(self.source, own.span(), Rule::Mismatch { what, expected: expected.into() });
        }
        self.per_speed("rotor_inertia", own).unwrap_or_default()
    }

    fn spring(&mut self, hinge: Table<'_>) -> Option<Spring> {
        let value = hinge.get("spring")?;
        let Some(table) = value.table() else {
            return Some(Spring { stiffness: vec![value.number()?; self.speeds], rest: vec![0.0; self.speeds] });
        };
        let stiffness = self.per_speed("stiffness", table.get("stiffness")?)?;
        let rest = match table.get("rest") {
            Some(rest) => self.per_speed("rest", rest)?,
            None => vec![0.0; self.speeds],
        };
        Some(Spring { stiffness, rest })
    }

    fn friction(&mut self, hinge: Table<'_>) -> Option<Friction> {
        let value = hinge.get("friction")?;
        let Some(table) = value.table() else {
            return Some(Friction { level: vec![value.number()?; self.speeds], transition_speed: None });
        };
        let level = self.per_speed("level", table.get("level")?)?;
        Some(Friction { level, transition_speed: table.number("transition_speed") })
    }

    fn stops(&mut self, table: Table<'_>) -> Option<Stops> {
        let lower = self.per_speed("lower", table.get("lower")?)?;
        let upper = self.per_speed("upper", table.get("upper")?)?;
        if let Some((low, high)) = lower.iter().zip(&upper).find(|(low, high)| low > high) {
            let what = format!("the lower stop {low} is above the upper stop {high}");
            let rule = Rule::Mismatch { what, expected: "lower ≤ upper".into() };
            self.report.add(self.source, table.span_of("lower"), rule);
            return None;
        }
        Some(Stops { lower, upper, stiffness: table.number("stiffness"), damping: table.number("damping") })
    }
}
