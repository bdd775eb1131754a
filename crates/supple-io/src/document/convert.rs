//! Numbers of a document in SI units, by the units that its shape declares.

use std::collections::HashMap;

use supple::HingeKind;
use supple::model::{coordinate_names, speed_names};

use super::shape::{Key, Shape, TableShape, Unit};
use super::units::{LengthUnit, Powers, Units};
use super::value::{Table, Value};
use crate::source::number::NumberFault;
use crate::source::{Report, Rule, Source, shorten, written};

/// Gravity below this is hardly meant in a file of millimetres, m/s².
const LEAST_GRAVITY: f64 = 0.1;

/// What a coordinate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sense {
    /// An angle.
    Turn,
    /// A length.
    Slide,
    /// A component of a quaternion, a mode.
    Plain,
}

/// What the coordinates and the speeds of a hinge are.
#[derive(Clone, Debug, Default)]
pub(crate) struct HingeSenses {
    coordinates: Vec<Sense>,
    speeds: Vec<Sense>,
}

impl HingeSenses {
    /// Those of a kind of hinge.
    pub(crate) fn of(kind: &HingeKind) -> Self {
        let coordinate = |unit: &str| match unit {
            "rad" => Sense::Turn,
            "m" => Sense::Slide,
            _ => Sense::Plain,
        };
        Self {
            coordinates: coordinate_names(kind).iter().map(|(_, unit)| coordinate(unit)).collect(),
            speeds: speed_names(kind)
                .iter()
                .map(|(_, turns)| if *turns { Sense::Turn } else { Sense::Slide })
                .collect(),
        }
    }

    /// Those of a kind of hinge by its word.
    pub(crate) fn of_word(word: &str) -> Option<Self> {
        let axis = [0.0, 0.0, 1.0];
        Some(Self::of(&match word {
            "fixed" => HingeKind::Fixed,
            "revolute" => HingeKind::Revolute { axis },
            "prismatic" => HingeKind::Prismatic { axis },
            "screw" => HingeKind::Screw { axis, pitch: 0.0 },
            "universal" => HingeKind::Universal { axes: [axis, axis] },
            "cylindrical" => HingeKind::Cylindrical { axis },
            "planar" => HingeKind::Planar { normal: axis },
            "spherical" => HingeKind::Spherical,
            "free" => HingeKind::Free,
            _ => return None,
        }))
    }

    /// One direction of a hinge.
    pub(crate) fn speed(&self, index: usize) -> Option<Sense> {
        self.speeds.get(index).copied()
    }

    fn one(sense: Sense) -> Self {
        Self { coordinates: vec![sense], speeds: vec![sense] }
    }
}

/// What is known by name when numbers are converted.
#[derive(Debug, Default)]
pub(crate) struct Directions {
    /// Hinges by their names and by those of their bodies.
    pub(crate) hinges: HashMap<String, HingeSenses>,
    /// Coordinates of closures.
    pub(crate) closures: HashMap<String, Vec<Sense>>,
    /// Motors among the force elements.
    pub(crate) motors: HashMap<String, Sense>,
    /// Units of quantities that events watch.
    pub(crate) quantities: HashMap<String, &'static str>,
}

/// Coordinates of a kind of closure by its word; those of a coupling are what its first hinge is.
pub(crate) fn closure_senses(word: &str, first: Option<Sense>) -> Vec<Sense> {
    use Sense::{Slide, Turn};
    match word {
        "revolute" | "screw" => vec![Turn],
        "prismatic" | "point-on-line" | "distance" => vec![Slide],
        "cylindrical" => vec![Turn, Slide],
        "planar" => vec![Slide, Slide, Turn],
        "point-on-plane" => vec![Slide, Slide],
        "coupling" => first.into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Converts every number of a document whose unit has angles or lengths in it, where the document has other units than SI.
pub(crate) fn convert(
    document: Table<'_>,
    shape: &'static TableShape,
    directions: &Directions,
    source: &Source,
    report: &mut Report,
) -> Units {
    let units = Units::of(document);
    if !units.is_si() {
        report.set_other_units(true);
        Converter { units, directions, source, report }.table(document, shape, &Context::default(), Unit::Plain);
        doubt_gravity(document, units, source, report);
    }
    units
}

/// Metres written where the file has millimetres.
fn doubt_gravity(document: Table<'_>, units: Units, source: &Source, report: &mut Report) {
    let Some(gravity) = document.vector("gravity") else { return };
    let size = gravity.iter().map(|x| x * x).sum::<f64>().sqrt();
    if units.length != LengthUnit::Metre && size > 0.0 && size < LEAST_GRAVITY {
        let what = format!("gravity is {} m/s²", written(size));
        report.doubt(
            source,
            document.span_of("gravity"),
            what,
            "gravity in the units of the file, 9810 mm/s² on Earth",
        );
    }
}

/// What the numbers of a table are about.
#[derive(Clone, Default)]
struct Context {
    /// The hinge.
    hinge: Option<HingeSenses>,
    /// The two coordinates that a ratio relates.
    related: Option<[Sense; 2]>,
    /// Unit of the quantity that an event watches.
    quantity: Option<&'static str>,
    /// Whether a force element is a pair of stops.
    is_stops: bool,
}

struct Converter<'c> {
    units: Units,
    directions: &'c Directions,
    source: &'c Source,
    report: &'c mut Report,
}

impl Converter<'_> {
    fn table(&mut self, table: Table<'_>, shape: &'static TableShape, outer: &Context, inherited: Unit) {
        let context = self.context(table, shape, outer);
        for key in shape.keys {
            if let Some(value) = table.get(key.name) {
                let unit = if key.unit == Unit::Inherited { inherited } else { key.unit };
                self.value(value, key, key.shape, &context, unit);
            }
        }
    }

    /// What the numbers of a table are about, by what it names.
    fn context(&self, table: Table<'_>, shape: &TableShape, outer: &Context) -> Context {
        let known = |name: Option<&str>| name.and_then(|name| self.directions.hinges.get(name)).cloned();
        let hinge = |sense: Option<Sense>| sense.map(HingeSenses::one);
        match shape.name {
            "hinge" => Context { hinge: table.text("kind").and_then(HingeSenses::of_word), ..Context::default() },
            "joint" => Context { hinge: known(table.text("name")), ..Context::default() },
            "motion" | "feedforward-motion" | "controller" => {
                Context { hinge: known(table.text("hinge")), ..Context::default() }
            }
            "torque" => {
                let speed = table.get("speed").and_then(Value::whole).unwrap_or(0);
                let one = known(table.text("hinge")).and_then(|senses| senses.speed(speed));
                Context { hinge: hinge(one), ..Context::default() }
            }
            "closure-motion" => {
                let coordinate = table.get("coordinate").and_then(Value::whole).unwrap_or(0);
                let closure = table.text("closure").and_then(|name| self.directions.closures.get(name));
                Context { hinge: hinge(closure.and_then(|all| all.get(coordinate).copied())), ..Context::default() }
            }
            "motor-force" => {
                let motor = table.text("motor").and_then(|name| self.directions.motors.get(name));
                Context { hinge: hinge(motor.copied()), ..Context::default() }
            }
            "event" => Context {
                quantity: table.text("quantity").and_then(|name| self.directions.quantities.get(name)).copied(),
                ..Context::default()
            },
            "force" => self.force(table),
            "closure" => {
                let first = table.tables("hinges").first().and_then(|first| self.directions.coupled(*first));
                Context { hinge: hinge(first), ..Context::default() }
            }
            "coupled-hinge" => {
                let base = outer.hinge.as_ref().and_then(|senses| senses.speed(0));
                let related = base.zip(self.directions.coupled(table)).map(|(base, own)| [base, own]);
                Context { related, ..Context::default() }
            }
            _ => outer.clone(),
        }
    }

    /// A force element: what its first port measures, and both where there are two.
    fn force(&self, table: Table<'_>) -> Context {
        let is_stops = table.text("kind") == Some("hinge-stops");
        let port = |key: &str| table.table(key).and_then(|port| self.directions.port(port));
        let [first, second] = match table.text("kind") {
            Some("spring-damper" | "bushing" | "constant" | "follower" | "point-mass-field") => [Some(Sense::Slide); 2],
            Some("coupling") => [port("from"), port("to")],
            _ => [port("at"), None],
        };
        let related = first.zip(second).map(|(first, second)| [first, second]);
        Context { hinge: first.map(HingeSenses::one), related, is_stops, quantity: None }
    }

    fn value(&mut self, value: Value<'_>, key: &Key, shape: &'static Shape, context: &Context, unit: Unit) {
        match shape {
            Shape::Table(inner) => {
                if let Some(table) = value.table() {
                    self.table(table, inner, context, unit);
                }
            }
            Shape::Made(inner) => {
                if let Some(table) = value.table() {
                    self.table(table, inner(), context, unit);
                }
            }
            Shape::List { of, .. } if matches!(of, Shape::Table(_) | Shape::Made(_)) => {
                value.items().into_iter().flatten().for_each(|item| self.value(item, key, of, context, unit));
            }
            Shape::Map(_) => {
                for (name, _, value) in value.table().into_iter().flat_map(Table::entries) {
                    let hinge = self.directions.hinges.get(name).cloned();
                    self.numbers(value, key, &Context { hinge, ..Context::default() }, unit);
                }
            }
            // A table where there may be one, numbers otherwise.
            Shape::Choice(shapes) if value.table().is_some() => {
                let table = shapes.iter().find(|shape| matches!(shape, Shape::Table(_) | Shape::Made(_)));
                if let Some(shape) = table {
                    self.value(value, key, shape, context, unit);
                }
            }
            _ => self.numbers(value, key, context, unit),
        }
    }

    /// A number, or lists of them.
    fn numbers(&mut self, value: Value<'_>, key: &Key, context: &Context, unit: Unit) {
        match unit {
            Unit::Plain | Unit::Si | Unit::Inherited => {}
            Unit::Modal => {
                let what = format!("`{}` is in SI units, the file has {}", key.name, self.units);
                let expected = "a body that is given by modes in a file of its own (`modal = { file = … }`)".into();
                self.report.add(self.source, value.span(), Rule::Mismatch { what, expected });
            }
            Unit::Section => self.section(value, key),
            Unit::Ratio => {
                let powers = context.related.map(|related| {
                    let [first, second] = related.map(|sense| of_hinge("rad or m", sense));
                    first.per(second)
                });
                self.each(value, key, powers.unwrap_or_default());
            }
            Unit::Quantity => self.each(value, key, context.quantity.map(Powers::of).unwrap_or_default()),
            Unit::ForceDamping => {
                let unit = if context.is_stops { "s/rad or s/m" } else { "N m s/rad or N s/m" };
                self.by_hinge(value, key, context, unit);
            }
            Unit::Of(unit) if unit.contains(" or ") => self.by_hinge(value, key, context, unit),
            Unit::Of(unit) => self.each(value, key, Powers::of(unit)),
        }
    }

    /// Numbers whose unit depends on what a hinge does.
    fn by_hinge(&mut self, value: Value<'_>, key: &Key, context: &Context, unit: &'static str) {
        let Some(senses) = &context.hinge else {
            let what = format!("`{}` is in {unit}, and nothing here says which", key.name);
            let expected = "the name of a hinge that the model has, in this table".into();
            self.report.add(self.source, value.span(), Rule::Mismatch { what, expected });
            return;
        };
        let senses = if unit == "rad or m" { &senses.coordinates } else { &senses.speeds };
        let powers: Vec<Powers> = senses.iter().map(|sense| of_hinge(unit, *sense)).collect();
        match powers.as_slice() {
            // Of a fixed hinge, which takes none.
            [] => {}
            [first, rest @ ..] if rest.iter().all(|other| other == first) => self.each(value, key, *first),
            _ => match value.items() {
                Some(items) => items.zip(powers).for_each(|(item, powers)| self.each(item, key, powers)),
                None => {
                    let what = format!("`{}` is one number for angles and lengths, in {}", key.name, self.units);
                    let expected =
                        "a list with one number for each coordinate of the hinge, or a file in SI units".into();
                    self.report.add(self.source, value.span(), Rule::Mismatch { what, expected });
                }
            },
        }
    }

    /// Rows N, Qy, Qz, Mx, My, Mz per strain and curvature.
    fn section(&mut self, value: Value<'_>, key: &Key) {
        for (i, row) in value.items().into_iter().flatten().enumerate() {
            for (j, entry) in row.items().into_iter().flatten().enumerate() {
                let length = i32::from(i >= 3) + i32::from(j >= 3);
                self.each(entry, key, Powers { length, angle: 0 });
            }
        }
    }

    /// One number or all of a list; a text is the name of a column of numbers.
    fn each(&mut self, value: Value<'_>, key: &Key, powers: Powers) {
        if powers.is_plain() {
            return;
        }
        if let Some(items) = value.items() {
            items.for_each(|item| self.each(item, key, powers));
            return;
        }
        let written = value.written_number().or(value.text().map(|_| 1.0));
        let (Some(written), Some(numbers)) = (written, value.in_si) else { return };
        let number = self.units.in_si(written, powers);
        let fault = match () {
            () if !number.is_finite() => Some(NumberFault::Overflow),
            () if number == 0.0 && written != 0.0 => Some(NumberFault::Underflow),
            () => None,
        };
        if let Some(fault) = fault {
            let text = shorten(self.source.text.get(value.span()).unwrap_or_default(), 40);
            let rule = Rule::Number { quantity: format!("{} in SI units", key.name), text, fault };
            self.report.add(self.source, value.span(), rule);
        }
        numbers.put(value.span().start, number);
    }
}

/// The powers of a unit such as "N m or N" for a hinge that turns or slides.
fn of_hinge(unit: &str, sense: Sense) -> Powers {
    let (turns, slides) = unit.split_once(" or ").unwrap_or((unit, unit));
    match sense {
        Sense::Turn => Powers::of(turns),
        Sense::Slide => Powers::of(slides),
        Sense::Plain => Powers::default(),
    }
}

impl Directions {
    /// The coordinate of a hinge in a coupling.
    pub(crate) fn coupled(&self, table: Table<'_>) -> Option<Sense> {
        let speed = table.get("speed").and_then(Value::whole).unwrap_or(0);
        self.hinges.get(table.text("hinge")?)?.speed(speed)
    }

    /// What a port of a force element measures.
    pub(crate) fn port(&self, port: Table<'_>) -> Option<Sense> {
        if let Some(name) = port.text("closure") {
            let coordinate = port.get("coordinate").and_then(Value::whole).unwrap_or(0);
            return self.closures.get(name)?.get(coordinate).copied();
        }
        self.hinges.get(port.text("body")?)?.speed(port.get("speed").and_then(Value::whole).unwrap_or(0))
    }

    /// The closures of a document whose hinges are known.
    pub(crate) fn add_closures(&mut self, document: Table<'_>) {
        for table in document.tables("closure") {
            let (Some(name), Some(word)) = (table.text("name"), table.text("kind")) else { continue };
            let first = table.tables("hinges").first().and_then(|first| self.coupled(*first));
            self.closures.insert(name.to_owned(), closure_senses(word, first));
        }
    }
}
