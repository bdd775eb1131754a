//! What a file says acts in a hinge: spring, damping, friction, stops, motor. Plain numbers, one per speed of the hinge.

use supple::HingeKind;

use crate::document::{Table, Value};
use crate::source::{Report, Rule, Source, written};

/// Spring of a hinge: `-stiffness (coordinate - rest)`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spring {
    /// Stiffness per speed, N m/rad or N/m.
    pub(crate) stiffness: Vec<f64>,
    /// Coordinate without force, per speed.
    pub(crate) rest: Vec<f64>,
}

/// Dry friction of a hinge.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Friction {
    /// Level per speed, N m or N.
    pub(crate) level: Vec<f64>,
    /// Speed below which it is smoothed; [`FRICTION_SPEED`](super::FRICTION_SPEED) where the file does not say.
    pub(crate) transition_speed: Option<f64>,
}

/// Limits of the coordinates of a hinge.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stops {
    /// Least coordinates.
    pub(crate) lower: Vec<f64>,
    /// Greatest coordinates.
    pub(crate) upper: Vec<f64>,
    /// Stiffness; [`STOP_STIFFNESS`](super::STOP_STIFFNESS) where the file does not say.
    pub(crate) stiffness: Option<f64>,
    /// Damping of the contact, s/rad or s/m; [`STOP_DAMPING`](super::STOP_DAMPING) where the file does not say.
    pub(crate) damping: Option<f64>,
}

/// Motor with a gear at a hinge of one speed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Motor {
    /// Name, where the file gives one; that of the hinge or body otherwise.
    pub(crate) name: Option<String>,
    /// Turns of the rotor per turn of the hinge.
    pub(crate) gear_ratio: f64,
    /// Inertia of the rotor about its axis, kg m².
    pub(crate) rotor_inertia: f64,
    /// Greatest torque or force at the hinge.
    pub(crate) effort_limit: Option<f64>,
    /// Greatest speed of the hinge.
    pub(crate) speed_limit: Option<f64>,
}

/// What a file says of one hinge beside its kind and place: a step between tables and the force elements of a system.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct HingeTable {
    /// Spring.
    pub(crate) spring: Option<Spring>,
    /// Viscous damping per speed, N m s/rad or N s/m; empty where there is none.
    pub(crate) damping: Vec<f64>,
    /// Dry friction.
    pub(crate) friction: Option<Friction>,
    /// Limits.
    pub(crate) stops: Option<Stops>,
    /// Motor.
    pub(crate) motor: Option<Motor>,
}

/// Elements of a hinge in its table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Acting {
    /// Forces and drive.
    pub(crate) elements: HingeTable,
    /// Inertia of the drive as seen at each speed, where the hinge itself gives it; empty otherwise.
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
    let elements = HingeTable {
        spring: reader.spring(hinge),
        damping: hinge.get("damping").and_then(|value| reader.per_speed("damping", value)).unwrap_or_default(),
        friction: reader.friction(hinge),
        stops: hinge.table("stops").and_then(|stops| reader.stops(stops)),
        motor: hinge.table("motor").map(|motor| Motor {
            name: motor.text("name").map(str::to_owned),
            gear_ratio: motor.number("gear_ratio").unwrap_or(1.0),
            rotor_inertia: motor.number("rotor_inertia").unwrap_or(0.0),
            effort_limit: motor.number("effort_limit"),
            speed_limit: motor.number("speed_limit"),
        }),
    };
    let rotor_inertia = reader.rotor_inertia(hinge);
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

    /// The numbers of the hinge itself; those of its motor are the motor's.
    fn rotor_inertia(&mut self, hinge: Table<'_>) -> Vec<f64> {
        let of_motor = hinge.table("motor").and_then(|motor| motor.get("rotor_inertia"));
        let Some(own) = hinge.get("rotor_inertia") else { return Vec::new() };
        if of_motor.is_some() {
            let what = "the rotor inertia is given twice: in the hinge and in its motor".to_owned();
            let expected = "one of them: keep that of the motor with its gear ratio n, or n² times it in the hinge";
            self.report.add(self.source, own.span(), Rule::Mismatch { what, expected: expected.into() });
        }
        self.per_speed("rotor_inertia", own).unwrap_or_default()
    }

    fn spring(&mut self, hinge: Table<'_>) -> Option<Spring> {
        let value = hinge.get("spring")?;
        let given = value.table().map_or(Some(value), |table| table.get("stiffness"));
        if given.is_some_and(|given| given.number() == Some(0.0)) {
            let what = "the spring has no stiffness".to_owned();
            self.report.doubt(self.source, value.span(), what, "a stiffness above 0, or no spring");
        }
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
            let what = format!("the lower stop {} is above the upper stop {}", written(*low), written(*high));
            let rule = Rule::Mismatch { what, expected: "lower ≤ upper".into() };
            self.report.add(self.source, table.span_of("lower"), rule);
            return None;
        }
        Some(Stops { lower, upper, stiffness: table.number("stiffness"), damping: table.number("damping") })
    }
}
