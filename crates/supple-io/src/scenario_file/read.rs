//! From a document to a scenario.

use std::collections::HashSet;
use std::ops::Range;

use supple::integrate::Limits;
use supple::{BodyIndex, Model, NodeIndex, WrenchFrame};

use super::curve::Curves;
use super::initial::{Initial, Planned};
use super::names::Names;
use super::shapes::SCENARIO;
use super::{FORMAT, Integrator, Method, Motion, NodeWrench, Results, Scenario, Torque};
use crate::change::Change;
use crate::document::{Table, Value, check_document};
use crate::model_file::{self, ModelFile, modal};
use crate::source::folder::Folder;
use crate::source::{Finding, Report, Rule, Source, shorten};
use crate::urdf;

/// Most results of a run.
const MAX_RESULTS: f64 = 1e9;

/// Least relative tolerance: below it steps shrink without end, since rounding errors stay.
const LEAST_TOLERANCE: f64 = 1e-14;

/// Reads a scenario; `of_model` are changes of its model.
pub(super) fn read(source: &Source, folder: &Folder, of_model: &[Change], report: &mut Report) -> Option<Scenario> {
    check_document(source, &SCENARIO, report, |document, report| {
        modal::check_format(document, FORMAT, source, report)?;
        Reader { source, folder, of_model, report }.scenario(document)
    })
}

/// Reads the tables of a scenario and reports what is wrong with them.
pub(super) struct Reader<'r> {
    pub(super) source: &'r Source,
    folder: &'r Folder,
    of_model: &'r [Change],
    report: &'r mut Report,
}

impl Reader<'_> {
    pub(super) fn add(&mut self, span: Range<usize>, rule: Rule) {
        self.report.add(self.source, span, rule);
    }

    fn scenario(mut self, document: Table<'_>) -> Option<Scenario> {
        let integrator = self.integrator(document.table("integrator"));
        self.times(document);
        let results = self.results(document.table("results"));
        // Names can only be checked against a model.
        let (mut model, notes) = self.model(document)?;
        if let Some(gravity) = document.vector("gravity") {
            model.system.gravity = gravity;
            model.model = Model::build(&model.system).ok()?;
        }
        let names = Names::new(&model.system);
        let motions = self.motions(&document.tables("motion"), &[], &model, &names);
        let planned = document.table("feedforward").map_or(Vec::new(), |table| table.tables("motion"));
        let feedforward = self.motions(&planned, &motions, &model, &names);
        let torques = self.torques(document, &model, &names, &motions);
        let wrenches = self.wrenches(document, &model, &names);
        let nodes = self.result_nodes(document, &model, &names);
        let mut initial = Initial { source: self.source, report: self.report, file: &model, names: &names };
        let mut state = initial.read(document.table("initial"));
        let placed = initial.placed(document.table("initial"));
        // A run without a duration is told already.
        let duration = document.number("duration").unwrap_or(1.0);
        let motions = initial.start_motions(motions, duration, &mut state);
        let feedforward = initial.start_feedforward(feedforward, duration, &state);
        initial.check_stops(document, &state);
        Some(Scenario {
            name: document.text("name").map(str::to_owned),
            model_name: document.text("model")?.to_owned(),
            notes,
            duration: document.number("duration")?,
            output_interval: document.number("output_interval")?,
            initial: state,
            placed,
            integrator: integrator?,
            motions,
            feedforward,
            torques,
            wrenches,
            events: super::event::read(&document.tables("events"), &model, self.source, self.report),
            results: Results { nodes, ..results? },
            checkpoint_interval: document.number("checkpoint_interval"),
            model,
        })
    }

    /// The model, whose problems are reported in its own file.
    fn model(&mut self, document: Table<'_>) -> Option<(ModelFile, Vec<Finding>)> {
        let is_robot = document.text("model")?.to_ascii_lowercase().ends_with(".urdf");
        if !is_robot {
            for key in ["side_file", "lenient"] {
                if let Some(value) = document.get(key) {
                    let because = "it applies to robots (.urdf) only".into();
                    self.add(value.span(), Rule::Useless { key: key.into(), because });
                }
            }
        }
        let path = self.path(document.get("model")?)?;
        if let (Some(change), true) = (self.of_model.first(), is_robot) {
            let because = "a robot (.urdf) has no keys to set; import it as a model".into();
            self.add(document.span_of("model"), Rule::Useless { key: change.to_string(), because });
        }
        let name = document.text("model")?;
        let side = document.get("side_file").map(|side| Some((self.path(side)?, side.text()?)));
        let read = if is_robot {
            let lenient = document.get("lenient").and_then(Value::flag).unwrap_or(false);
            let options = urdf::Options { lenient, ..urdf::Options::default() };
            let side = match side {
                Some(side) => Some(side?),
                None => None,
            };
            let side = side.as_ref().map(|(path, name)| (path.as_path(), *name));
            urdf::read_as(&path, name, side, &options).map(|robot| (robot.file, robot.notes))
        } else {
            model_file::read_as(&path, name, self.of_model).map(|file| {
                let notes = file.notes.clone();
                (file, notes)
            })
        };
        read.map_err(|error| self.report.absorb(error)).ok()
    }

    fn path(&mut self, value: Value<'_>) -> Option<std::path::PathBuf> {
        let name = value.text()?;
        match self.folder.resolve(name) {
            Ok(path) => Some(path),
            Err(fault) => {
                self.add(value.span(), Rule::Path { name: shorten(name, 60), fault });
                None
            }
        }
    }

    fn times(&mut self, document: Table<'_>) {
        let (Some(duration), Some(interval)) = (document.number("duration"), document.number("output_interval")) else {
            return;
        };
        if duration / interval > MAX_RESULTS {
            let what = format!("{:e} results", duration / interval);
            let rule = Rule::Mismatch { what, expected: "at most 1e9: a longer output_interval".into() };
            self.add(document.span_of("output_interval"), rule);
        }
        // Steps that are known to be too many are refused before the first.
        let Some(integrator) = document.table("integrator") else { return };
        let told = integrator.get("max_steps").and_then(Value::whole);
        let most = told.map_or(Limits::default().steps as f64, |steps| steps as f64);
        for key in ["step", "greatest_step"] {
            let Some(steps) = integrator.number(key).map(|step| duration / step).filter(|steps| steps.floor() > most)
            else {
                continue;
            };
            let what = format!("{steps:.3e} steps for {duration} s");
            let expected = format!("at most {most}: a longer `{key}`, or more `max_steps`");
            self.add(integrator.span_of(key), Rule::Mismatch { what, expected });
        }
    }

    fn integrator(&mut self, table: Option<Table<'_>>) -> Option<Integrator> {
        let mut integrator = Integrator {
            method: Method::Automatic,
            relative_tolerance: 1e-8,
            absolute_tolerance: 1e-10,
            step: None,
            spectral_radius: 0.8,
            stages: 3,
            iteration_tolerance: 1e-10,
            least_step: None,
            greatest_step: None,
            max_steps: None,
            wall_seconds: None,
        };
        let Some(table) = table else { return Some(integrator) };
        integrator.method = match table.text("kind").unwrap_or("automatic") {
            "automatic" => Method::Automatic,
            "dormand-prince" => Method::DormandPrince,
            "prince-dormand8" => Method::PrinceDormand8,
            "rk4" => Method::RungeKutta4,
            "generalized-alpha" => Method::GeneralizedAlpha,
            "linearly-implicit" => Method::LinearlyImplicit,
            "exponential" => Method::Exponential,
            "exponential-adams" => Method::ExponentialAdams,
            "gauss" => Method::Gauss,
            "adams" => Method::Adams,
            "bdf" => Method::Bdf,
            _ => return None,
        };
        self.stepping(table, integrator.method);
        for (key, method, word) in [
            ("spectral_radius", Method::GeneralizedAlpha, "generalized-alpha"),
            ("stages", Method::Gauss, "gauss"),
            ("iteration_tolerance", Method::Gauss, "gauss"),
        ] {
            if let Some(value) = table.get(key).filter(|_| integrator.method != method) {
                let because = format!("it applies to {word} only");
                self.add(value.span(), Rule::Useless { key: key.into(), because });
            }
        }
        integrator.relative_tolerance = table.number("relative_tolerance").unwrap_or(integrator.relative_tolerance);
        integrator.absolute_tolerance = table.number("absolute_tolerance").unwrap_or(integrator.absolute_tolerance);
        if integrator.relative_tolerance < LEAST_TOLERANCE {
            let rule = Rule::Range {
                quantity: "relative_tolerance".into(),
                value: integrator.relative_tolerance,
                expected: format!("a number of at least {LEAST_TOLERANCE:e}, near rounding"),
            };
            self.add(table.span_of("relative_tolerance"), rule);
        }
        integrator.step = table.number("step");
        integrator.spectral_radius = table.number("spectral_radius").unwrap_or(integrator.spectral_radius);
        if integrator.spectral_radius > 1.0 {
            let rule = Rule::Range {
                quantity: "spectral_radius".into(),
                value: integrator.spectral_radius,
                expected: "a number from 0 to 1".into(),
            };
            self.add(table.span_of("spectral_radius"), rule);
        }
        if let Some(stages) = table.get("stages").and_then(Value::whole) {
            integrator.stages = stages as u32;
        }
        integrator.iteration_tolerance = table.number("iteration_tolerance").unwrap_or(integrator.iteration_tolerance);
        for (key, value, sound, expected) in [
            ("stages", f64::from(integrator.stages), integrator.stages >= 1, "a whole number from 1 to 6"),
            (
                "iteration_tolerance",
                integrator.iteration_tolerance,
                (1e-14..1.0).contains(&integrator.iteration_tolerance),
                "a number from 1e-14, near rounding, to below 1",
            ),
        ] {
            if !sound {
                let rule = Rule::Range { quantity: key.into(), value, expected: expected.into() };
                self.add(table.span_of(key), rule);
            }
        }
        integrator.least_step = table.number("least_step");
        integrator.greatest_step = table.number("greatest_step");
        integrator.max_steps = table.get("max_steps").and_then(Value::whole);
        integrator.wall_seconds = table.number("wall_seconds");
        Some(integrator)
    }

    /// Steps follow tolerances or are fixed, as far as the method can.
    fn stepping(&mut self, table: Table<'_>, method: Method) {
        const ADAPTIVE: [&str; 4] = ["relative_tolerance", "absolute_tolerance", "least_step", "greatest_step"];
        let step = table.get("step");
        let told: Vec<&'static str> = ADAPTIVE.into_iter().filter(|key| table.get(key).is_some()).collect();
        if !method.estimates_error() {
            for key in told {
                let because = "this method has a fixed step and no error estimate".into();
                self.add(table.span_of(key), Rule::Useless { key: key.into(), because });
            }
            if step.is_none() {
                self.add(table.span_of("kind"), Rule::MissingKey { key: "step", meaning: "step of this method, s" });
            }
        } else if let Some(step) = step {
            if !method.takes_fixed_step() {
                let because = "this method chooses its steps by the tolerances".into();
                self.add(step.span(), Rule::Useless { key: "step".into(), because });
            } else if !told.is_empty() {
                let keys = [&["step"], &told[..]].concat();
                self.add(step.span(), Rule::Together { keys });
            }
        }
    }

    /// The body of a hinge that moves.
    fn hinge(&mut self, table: Table<'_>, file: &ModelFile, names: &Names<'_>) -> Option<(BodyIndex, usize)> {
        let value = table.get("hinge")?;
        let name = value.text()?;
        let Some(body) = names.hinge(name) else {
            let moves = |name: &&str| names.hinge(name).is_some_and(|body| !file.model.hinge_speeds(body).is_empty());
            let known = self.report.names(names.hinges().filter(moves));
            self.add(value.span(), Rule::UnknownName { kind: "hinge", name: name.to_owned(), known });
            return None;
        };
        let speeds = file.model.hinge_speeds(body).len();
        if speeds == 0 {
            let what = format!("the hinge `{name}` is fixed");
            self.add(value.span(), Rule::Mismatch { what, expected: "a hinge that can move".into() });
            return None;
        }
        Some((body, speeds))
    }

    /// Prescribed motions of hinges with one degree of freedom, at most one each; `others` already have one.
    fn motions<'d>(
        &mut self,
        tables: &[Table<'d>],
        others: &[Planned<'_>],
        file: &ModelFile,
        names: &Names<'_>,
    ) -> Vec<Planned<'d>> {
        let mut moved: HashSet<BodyIndex> = others.iter().map(|planned| planned.motion.body).collect();
        let mut motions = Vec::new();
        for table in tables.iter().copied() {
            let hinge = self.hinge(table, file, names);
            let curve = Curves { source: self.source, folder: self.folder, report: self.report }.motion(table);
            let Some((body, speeds)) = hinge else { continue };
            let name = table.text("hinge").unwrap_or_default();
            if speeds > 1 {
                let what = format!("the hinge `{name}` has {speeds} speeds");
                let rule = Rule::Mismatch { what, expected: "a hinge with one degree of freedom".into() };
                self.add(table.span_of("hinge"), rule);
            } else if !moved.insert(body) {
                let what = format!("hinge `{name}` already has a prescribed motion");
                self.add(table.span_of("hinge"), Rule::Mismatch { what, expected: "one motion per hinge".into() });
            } else if let Some(curve) = curve {
                motions.push(Planned { motion: Motion { body, curve }, table });
            }
        }
        motions
    }

    fn torques(
        &mut self,
        document: Table<'_>,
        file: &ModelFile,
        names: &Names<'_>,
        motions: &[Planned<'_>],
    ) -> Vec<Torque> {
        let mut torques: Vec<Torque> = Vec::new();
        let moved: HashSet<BodyIndex> = motions.iter().map(|planned| planned.motion.body).collect();
        for table in document.tables("torque") {
            let hinge = self.hinge(table, file, names);
            let curve = Curves { source: self.source, folder: self.folder, report: self.report }.torque(table);
            let Some((body, speeds)) = hinge else { continue };
            let name = table.text("hinge").unwrap_or_default();
            let told = table.get("speed").and_then(Value::whole);
            if moved.contains(&body) {
                let what = format!("hinge `{name}` has a prescribed motion, so a torque has no effect");
                self.add(table.span_of("hinge"), Rule::Mismatch { what, expected: "a motion or a torque".into() });
            } else if told.is_none() && speeds > 1 {
                let meaning = "which speed of the hinge, which has more than one";
                self.add(table.span_of("hinge"), Rule::MissingKey { key: "speed", meaning });
            } else if told.is_some_and(|speed| speed >= speeds) {
                let rule = Rule::Range {
                    quantity: "speed".into(),
                    value: told.unwrap_or_default() as f64,
                    expected: format!("a whole number from 0 to {}", speeds - 1),
                };
                self.add(table.span_of("speed"), rule);
            } else if let Some(curve) = curve {
                torques.push(Torque { body, speed: told.unwrap_or(0), curve });
            }
        }
        torques
    }

    fn wrenches(&mut self, document: Table<'_>, file: &ModelFile, names: &Names<'_>) -> Vec<NodeWrench> {
        let mut wrenches = Vec::new();
        for table in document.tables("wrench") {
            let place = self.node(table, file, names, true);
            let curve = Curves { source: self.source, folder: self.folder, report: self.report }.wrench(table);
            let (Some((body, node)), Some(curve)) = (place, curve) else { continue };
            let in_body = table.text("frame") == Some("body");
            let frame = if in_body { WrenchFrame::Body } else { WrenchFrame::Inertial };
            wrenches.push(NodeWrench { body, node, frame, curve });
        }
        wrenches
    }

    /// A node of a body; by default the first, or the only one where `only`.
    pub(super) fn node(
        &mut self,
        table: Table<'_>,
        file: &ModelFile,
        names: &Names<'_>,
        only: bool,
    ) -> Option<(BodyIndex, NodeIndex)> {
        let value = table.get("body")?;
        let name = value.text()?;
        let Some(body) = names.body(name) else {
            let known = self.report.names(names.bodies());
            self.add(value.span(), Rule::UnknownName { kind: "body", name: name.to_owned(), known });
            return None;
        };
        let nodes = &file.system.bodies[body.0].nodes;
        match table.get("node") {
            Some(reference) => modal::find_node(reference, nodes, self.source, self.report).map(|node| (body, node)),
            None if only && nodes.len() > 1 => {
                let meaning = "node of the body, which has more than one";
                self.add(value.span(), Rule::MissingKey { key: "node", meaning });
                None
            }
            None => Some((body, NodeIndex(0))),
        }
    }
}
