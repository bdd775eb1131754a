//! From a document to a system.

use std::collections::HashMap;
use std::ops::Range;

use supple::{BodyIndex, Hinge, HingeKind, Model, Modes, Node, NodeIndex, Parent, Problem, System};

use super::beam::BeamBudget;
use super::closure_tables::{self, Named, Places};
use super::directions;
use super::elements::{self, HingeTable};
use super::geometry::{mass_properties, rotation};
use super::modal::FlexibleParts;
use super::order::parents_first;
use super::pieces::{self, Place};
use super::places::{Tables, span_of_part};
use super::problem_place;
use super::shapes::{MAX_BODIES, MODEL};
use super::visuals::Looks;
use super::words::{CONVENTIONS, ELASTIC_ROTATIONS, meaning};
use super::{FORMAT, ModelFile, accepted, damping, modal};
use super::{force_tables, forces};
use crate::document::convert::convert;
use crate::document::units::Units;
use crate::document::{Table, Value, check_document};
use crate::source::folder::Folder;
use crate::source::{Report, Rule, Source};

/// What stands for inertial space as a parent, unless a body has this name.
const GROUND: &str = "ground";

pub(super) fn read(source: &Source, folder: &Folder, report: &mut Report) -> Option<ModelFile> {
    // Before a parser fills the memory with them.
    let found = source.document().lines().filter(|line| line.trim_start().starts_with("[[body]]")).count();
    if found > MAX_BODIES {
        report.add(source, 0..0, Rule::TooMany { what: "bodies", found, limit: MAX_BODIES });
        return None;
    }
    let file = check_document(source, &MODEL, report, |document, report| {
        modal::check_format(document, FORMAT, source, report)?;
        let units = convert(document, &MODEL, &directions::of(document), source, report);
        let file = Reader { source, folder, report, beams: BeamBudget::default() }.model(document)?;
        Some(ModelFile { units, ..file })
    })?;
    Some(ModelFile { notes: report.take_doubts(), ..file })
}

/// A body before it is known where it hangs.
pub(super) struct Draft<'d> {
    pub(super) table: Table<'d>,
    pub(super) hinge: Hinge,
    pub(super) elements: HingeTable,
    pub(super) parts: FlexibleParts,
}

struct Reader<'r> {
    source: &'r Source,
    folder: &'r Folder,
    report: &'r mut Report,
    beams: BeamBudget,
}

impl Reader<'_> {
    fn add(&mut self, span: Range<usize>, rule: Rule) {
        self.report.add(self.source, span, rule);
    }

    fn model(mut self, document: Table<'_>) -> Option<ModelFile> {
        let tables = document.tables("body");
        if tables.len() > MAX_BODIES {
            let rule = Rule::TooMany { what: "bodies", found: tables.len(), limit: MAX_BODIES };
            self.add(document.span_of("body"), rule);
            return None;
        }
        let names = self.names(&tables);
        let parents = self.parents(&tables, &names);
        let drafts: Vec<Option<Draft<'_>>> = tables.iter().map(|table| self.draft(*table)).collect();
        let order = match parents_first(&parents) {
            Ok(order) => order,
            Err(circle) => {
                let names = circle.iter().filter_map(|k| tables[*k].text("name")).map(str::to_owned).collect();
                self.add(tables[circle[0]].span_of("parent"), Rule::Cycle { kind: "bodies", names });
                return None;
            }
        };
        let places = self.places(&tables, &parents, &drafts);
        // Without a body that is whole there is no system to look at.
        let drafts: Vec<Draft<'_>> = drafts.into_iter().collect::<Option<_>>()?;
        let places: Vec<Option<Place>> = places.into_iter().collect::<Option<_>>()?;
        // Where the last piece of each body is in the system: bodies of a beam that is cut come one after the other.
        let mut last = vec![0; order.len()];
        let mut next = 0;
        for k in &order {
            last[*k] = next + drafts[*k].parts.before.len();
            next = last[*k] + 1;
        }
        let mut drafts: Vec<Option<Draft<'_>>> = drafts.into_iter().map(Some).collect();
        let (mut bodies, mut elements, mut beams, mut sources) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut looks = Looks::new(self.source, self.folder, self.report);
        let mut visuals = Vec::new();
        for k in order {
            let draft = drafts[k].take()?;
            visuals.extend(looks.read(draft.table, &draft.parts, last[k]));
            let parent = match (parents[k], places[k]) {
                (Some(parent), Some(place)) => Parent::Body(BodyIndex(last[parent] - place.before), place.node),
                _ => Parent::Ground,
            };
            sources.extend(std::iter::repeat_n(draft.table, draft.parts.before.len() + 1));
            for (body, acting, line) in pieces::bodies(draft, parent, bodies.len())? {
                beams.extend(line);
                elements.push(acting);
                bodies.push(body);
            }
        }
        looks.note();
        let word = |key: &str| document.get(key).map(|value| value.text());
        let mut system = System {
            gravity: document.get("gravity").map_or(Some([0.0; 3]), Value::array)?,
            elastic_rotation: word("elastic_rotation")
                .map_or(Some(Default::default()), |w| meaning(ELASTIC_ROTATIONS, w))?,
            inertia: word("inertia_convention").map_or(Some(Default::default()), |w| meaning(CONVENTIONS, w))?,
            accepted_inertia: accepted::names(document, names.keys().copied(), self.source, self.report),
            bodies,
            ..System::default()
        };
        elements.iter().enumerate().for_each(|(k, table)| forces::put_into(&mut system, k, table));
        let (tables, in_hinges) = (document.tables("force"), system.forces.len());
        let before = self.report.count();
        let named: Vec<Named<'_>> = system.bodies.iter().map(Named::new).collect();
        let closed = closure_tables::read(document, &named, self.source, self.report);
        let names: Vec<Option<String>> = closed.iter().map(|(closure, _)| closure.name.clone()).collect();
        let told = force_tables::read(&tables, (&system.bodies, &names), self.source, self.report);
        if self.report.count() > before {
            return None;
        }
        system.forces.extend(told);
        let (closures, closing): (_, Vec<Places>) = closed.into_iter().unzip();
        system.closures = closures;
        let tables = Tables { bodies: &sources, forces: &tables, in_hinges, closures: &closing };
        let mut model = self.build(&system, &tables)?;
        accepted::note(document, &system, self.source, self.report);
        let damping = damping::read(document, (&mut system, &mut model), self.source, self.report);
        let name = document.text("name").map(str::to_owned);
        Some(ModelFile { name, system, beams, model, damping, units: Units::default(), visuals, notes: Vec::new() })
    }

    /// Names of bodies; twice or reserved ones are reported.
    fn names<'d>(&mut self, tables: &[Table<'d>]) -> HashMap<&'d str, usize> {
        let mut names = HashMap::new();
        let mut hinges: HashMap<&str, Range<usize>> = HashMap::new();
        for (k, table) in tables.iter().enumerate() {
            if let Some(value) = table.table("hinge").and_then(|hinge| hinge.get("name"))
                && let Some(name) = value.text()
                && let Some(first) = hinges.insert(name, value.span())
            {
                let first_line = self.source.place(first).line;
                self.add(value.span(), Rule::DuplicateName { kind: "hinge", name: name.into(), first_line });
            }
            let Some(name) = table.text("name") else { continue };
            let span = table.span_of("name");
            if let Some(first) = names.get(name) {
                let first: &Table<'_> = &tables[*first];
                let first_line = self.source.place(first.span_of("name")).line;
                self.add(span, Rule::DuplicateName { kind: "body", name: name.into(), first_line });
            } else {
                names.insert(name, k);
            }
        }
        for table in tables {
            self.names_of_pieces(*table, tables, &names, &hinges);
        }
        names
    }

    /// Names that a beam in pieces takes for itself, and that another has.
    fn names_of_pieces(
        &mut self,
        cut: Table<'_>,
        tables: &[Table<'_>],
        names: &HashMap<&str, usize>,
        hinges: &HashMap<&str, Range<usize>>,
    ) {
        let count = cut.table("beam").map_or(1, pieces::count);
        let Some(name) = cut.text("name").filter(|_| count > 1) else { return };
        let first_line = self.source.place(cut.span_of("name")).line;
        for taken in (1..count).map(|k| pieces::name(name, k)) {
            if let Some(other) = names.get(taken.as_str()) {
                let span = tables[*other].span_of("name");
                self.add(span, Rule::DuplicateName { kind: "body", name: taken, first_line });
            }
        }
        let unnamed = cut.table("hinge").is_some_and(|hinge| hinge.get("name").is_none());
        if let Some(span) = hinges.get(name).filter(|_| unnamed) {
            self.add(span.clone(), Rule::DuplicateName { kind: "hinge", name: name.into(), first_line });
        }
    }

    /// The parent of each body; unknown names are reported.
    fn parents(&mut self, tables: &[Table<'_>], names: &HashMap<&str, usize>) -> Vec<Option<usize>> {
        let mut parents = Vec::with_capacity(tables.len());
        for table in tables {
            let told = table.text("parent");
            let parent = told.and_then(|name| names.get(name).copied());
            if let (Some(name), None) = (told.filter(|name| *name != GROUND), parent) {
                let known = tables.iter().filter_map(|table| table.text("name")).chain([GROUND]);
                let known = self.report.names(known);
                self.add(table.span_of("parent"), Rule::UnknownName { kind: "body", name: name.into(), known });
            }
            parents.push(parent);
        }
        parents
    }

    /// The node of the parent on which each body hangs; nothing for the ground.
    fn places(
        &mut self,
        tables: &[Table<'_>],
        parents: &[Option<usize>],
        drafts: &[Option<Draft<'_>>],
    ) -> Vec<Option<Option<Place>>> {
        let mut places = Vec::with_capacity(tables.len());
        for (table, parent) in tables.iter().zip(parents) {
            let at = table.get("at");
            let on_ground = table.text("parent").is_none_or(|name| name == GROUND);
            let place = match (parent, at) {
                (None, Some(at)) if on_ground => {
                    let because = "the ground has no nodes; use the hinge's position".into();
                    self.add(at.span(), Rule::Useless { key: "at".into(), because });
                    None
                }
                (None, _) => on_ground.then_some(None),
                (Some(parent), at) => match (&drafts[*parent], at) {
                    (None, _) => None,
                    (Some(parent), Some(at)) => pieces::find(at, &parent.parts, self.source, self.report).map(Some),
                    (Some(parent), None) if parent.parts.nodes.len() < 2 => {
                        Some(Some(Place { before: 0, node: NodeIndex(0) }))
                    }
                    (Some(draft), None) => {
                        let known = self.report.names(pieces::names(&draft.parts));
                        let parent = table.text("parent").unwrap_or_default().to_owned();
                        self.add(table.span_of("parent"), Rule::MissingNode { parent, known });
                        None
                    }
                },
            };
            places.push(place);
        }
        places
    }

    fn draft<'d>(&mut self, table: Table<'d>) -> Option<Draft<'d>> {
        let hinge = table.table("hinge").and_then(|hinge| self.hinge(hinge));
        let mut parts = self.content(table)?;
        if let Some(reference) = table.get("inboard_node") {
            parts.inboard = modal::find_node(reference, &parts.nodes, self.source, self.report)?;
        }
        let (hinge, elements) = hinge?;
        Some(Draft { table, hinge, elements, parts })
    }

    /// Nodes and modes of a body, in whatever form they are given.
    fn content(&mut self, table: Table<'_>) -> Option<FlexibleParts> {
        if let Some(told) = table.table("beam") {
            return self.beams.parts(told, self.source, self.report);
        }
        if let Some(told) = table.table("modal") {
            return modal::from_file(told, self.source, self.folder, self.report);
        }
        let mut nodes = Vec::new();
        if let Some(rigid) = table.table("rigid") {
            let (mass, mass_centre, inertia) = mass_properties(rigid)?;
            nodes.push(Node { mass, mass_centre, inertia, ..Node::default() });
        }
        nodes.extend(modal::nodes(&table.tables("nodes"))?);
        let modes = match table.table("modes") {
            Some(modes) => modal::modes(modes, self.source, self.report)?,
            None => Modes::default(),
        };
        let modal_inertia = modal::modal_inertia(table.get("modal_inertia"))?;
        Some(FlexibleParts { modal_inertia, ..FlexibleParts::new(nodes, modes) })
    }

    fn hinge(&mut self, table: Table<'_>) -> Option<(Hinge, HingeTable)> {
        let kind = self.hinge_kind(table);
        let told = table.table("rotation").map(|told| rotation(told, self.source, self.report));
        let kind = kind?;
        let acting = elements::read(table, &kind, self.source, self.report);
        let mut hinge = Hinge::new(kind).at(table.get("position").map_or(Some([0.0; 3]), Value::array)?);
        if let Some(told) = told {
            hinge = hinge.turned(told?);
        }
        hinge.name = table.text("name").map(str::to_owned);
        let acting = acting?;
        Some((hinge.driven(acting.rotor_inertia), acting.elements))
    }

    fn hinge_kind(&mut self, table: Table<'_>) -> Option<HingeKind> {
        const OTHERS: [&str; 3] = ["fixed", "spherical", "free"];
        let word = table.text("kind")?;
        let needed: &[&'static str] = match word {
            "revolute" | "prismatic" | "cylindrical" => &["axis"],
            "screw" => &["axis", "pitch"],
            "universal" => &["axes"],
            "planar" => &["normal"],
            word if OTHERS.contains(&word) => &[],
            // An unknown word, told already.
            _ => return None,
        };
        for key in ["axis", "axes", "normal", "pitch"] {
            match (needed.contains(&key), table.get(key)) {
                (true, None) => {
                    let meaning = "direction or pitch of this kind of hinge";
                    self.add(table.span(), Rule::MissingKey { key, meaning });
                }
                (false, Some(value)) => {
                    let because = format!("a {word} hinge has none");
                    self.add(value.span(), Rule::Useless { key: key.into(), because });
                }
                _ => {}
            }
        }
        Some(match word {
            "fixed" => HingeKind::Fixed,
            "revolute" => HingeKind::Revolute { axis: table.vector("axis")? },
            "prismatic" => HingeKind::Prismatic { axis: table.vector("axis")? },
            "cylindrical" => HingeKind::Cylindrical { axis: table.vector("axis")? },
            "screw" => HingeKind::Screw { axis: table.vector("axis")?, pitch: table.number("pitch")? },
            "universal" => {
                let axes: Vec<[f64; 3]> = table.get("axes")?.items()?.map(Value::array).collect::<Option<_>>()?;
                HingeKind::Universal { axes: axes.try_into().ok()? }
            }
            "planar" => HingeKind::Planar { normal: table.vector("normal")? },
            "spherical" => HingeKind::Spherical,
            "free" => HingeKind::Free,
            _ => return None,
        })
    }

    /// Builds the model; problems of the engine are reported at the body, force or closure that they are about.
    fn build(&mut self, system: &System, tables: &Tables<'_>) -> Option<Model> {
        let error = match Model::build(system) {
            Ok(model) => return Some(model),
            Err(error) => error,
        };
        let places: HashMap<&str, usize> =
            system.bodies.iter().enumerate().map(|(k, body)| (body.name.as_str(), k)).collect();
        for problem in &problem_place::all_problems(system, &error) {
            // Told already, with both lines.
            let told = ["body", "hinge", "closure"];
            let names = matches!(problem, Problem::DuplicateName { kind, .. } if told.contains(&kind.as_str()));
            if names || matches!(problem, Problem::EmptyName { .. }) {
                continue;
            }
            let at = problem_place::place(problem);
            let table = at.and_then(|(body, part)| Some((tables.bodies[*places.get(body)?], part)));
            let span = table.map_or(0..0, |(table, part)| span_of_part(table, part));
            self.add(tables.span_of(problem).unwrap_or(span), Rule::Model(problem.clone()));
        }
        None
    }
}
