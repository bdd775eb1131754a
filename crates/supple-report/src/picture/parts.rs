//! A system in one frame as things to paint: rods, faces and balls in space.

use supple::spatial::Vector3;
use supple_io::drawing::Colour;

use super::closures;
use super::covers::{Covers, Placed};
use super::line::LineShape;
use super::quantity::{Quantity, colour, deflection};
use super::solids;
use crate::pose::{self, Pose};
use crate::scene::{Form, Scene, SceneBody, Solid};

/// Pieces of a straight rod, so that it can be partly in front of something.
const ROD_PIECES: usize = 24;
/// The thinnest half section is this part of the size of the system.
const THINNEST: f64 = 400.0;
const RIGID: [Colour; 4] =
    [Colour::hex(0x8e_a3_bd), Colour::hex(0xa6_b4_c6), Colour::hex(0x7f_95_b2), Colour::hex(0x9a_a9_bf)];
const FLEXIBLE: Colour = Colour::hex(0x4f_7f_d0);
const HINGE: Colour = Colour::hex(0xe8_83_3a);
const BASE: Colour = Colour::hex(0x5b_66_75);

/// Something to paint.
pub struct Part {
    /// Its form.
    pub form: PartForm,
    /// Its colour.
    pub colour: Colour,
    /// What it belongs to.
    pub class: String,
}

/// A form in space.
pub enum PartForm {
    /// A straight piece of a rod, its radius, and how far behind its place it is painted.
    Rod([Vector3<f64>; 2], f64, f64),
    /// A flat face of a solid around a centre; whether its edges are seen.
    Face(Vec<Vector3<f64>>, Vector3<f64>, bool),
    /// A flat piece of a surface, seen from both sides, and how far behind its place it is painted.
    Sheet(Vec<Vector3<f64>>, f64),
    /// A piece of an edge between faces, and the same.
    Edge([Vector3<f64>; 2], f64),
    /// A ball; whether it is in front of what is at the same place.
    Ball(Vector3<f64>, f64, bool),
}

/// How parts are made.
pub struct PartMaker<'s> {
    scene: &'s Scene,
    lines: Vec<Option<LineShape<'s>>>,
    covers: Covers,
    /// Size of the system, which thicknesses follow from.
    size: f64,
    /// What colours tell, and the value of the last colour.
    colours: Option<(Quantity, f64)>,
}

/// Radius of thin things in a system of a size.
pub fn thin(size: f64) -> f64 {
    size / 120.0
}

impl<'s> PartMaker<'s> {
    /// For a system of a size.
    pub fn new(scene: &'s Scene, size: f64, colours: Option<(Quantity, f64)>) -> Self {
        let line = |body: &'s SceneBody| if body.modes > 0 { LineShape::new(body) } else { None };
        let covers = Covers::new(scene, size);
        Self { scene, lines: scene.bodies.iter().map(line).collect(), covers, size, colours }
    }

    /// Radius of thin things.
    pub fn thin(&self) -> f64 {
        thin(self.size)
    }

    /// How thick a flexible body is drawn whose section is not known.
    fn radius(&self, body: &SceneBody) -> f64 {
        let far = body.positions.0.as_chunks::<3>().0.iter().map(|p| p.iter().map(|x| f64::from(x * x)).sum::<f64>());
        let far = far.fold(0.0, f64::max).sqrt();
        (far / 38.0).max(self.size / 400.0).min(self.size / 90.0)
    }

    /// All parts of a frame with the deformation `scale` times as large as it is.
    pub fn parts(&self, frame: &[f32], scale: f64) -> Vec<Part> {
        let placed = pose::place(self.scene, frame, scale);
        let really = pose::place(self.scene, frame, 1.0);
        let (poses, drawn) = &placed;
        let mut out = Vec::new();
        for (k, body) in self.scene.bodies.iter().enumerate() {
            let class = format!("body-{k}");
            let covered = !body.shapes.is_empty();
            let line = self.lines[k].as_ref();
            let at = Placed { k, body, pose: &poses[k], line, drawn: &drawn[k], real: &really.1[k], class: &class };
            if covered {
                self.cover(&mut out, &at);
            } else {
                self.connect(&mut out, &at);
            }
            // A line that is covered is inside.
            match line {
                _ if body.modes == 0 || body.node_names.is_empty() => {
                    if !covered {
                        self.rigid(&mut out, k, &poses[k], &class);
                    }
                }
                Some(line) if !covered => self.bar(&mut out, &at, line),
                Some(_) => {}
                None => self.net(&mut out, &at),
            }
            let own = poses[k].then(&pose::inboard(self.scene, k, &drawn[k])).position;
            // What looks like itself shows its joints itself.
            let shown = covered && body.parent.is_none_or(|parent| !self.scene.bodies[parent].shapes.is_empty());
            if !shown && !matches!(body.hinge.kind.as_str(), "fixed" | "free") {
                let form = PartForm::Ball(own, 0.95 * self.thin(), true);
                out.push(Part { form, colour: HINGE, class: format!("hinge-{k}") });
            }
            if body.parent.is_none() && body.hinge.kind != "free" && !covered {
                self.base(&mut out, k);
            }
        }
        closures::add(&mut out, self.scene, [&placed, &really], self.size);
        out
    }

    /// Whether a body has an odd number of bodies below it.
    fn is_odd(&self, mut k: usize) -> bool {
        let mut odd = false;
        while let Some(parent) = self.scene.bodies[k].parent {
            (k, odd) = (parent, !odd);
        }
        odd
    }

    /// A foot on the ground where the hinge of a body sits.
    fn base(&self, out: &mut Vec<Part>, k: usize) {
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let foot = Solid { form: Form::Box { sides: [3.2 * self.thin(); 3] }, centre: [0.0; 3], axes };
        let centre = Vector3(self.scene.bodies[k].hinge.position);
        let pose = Pose { position: centre, ..Pose::IDENTITY };
        for face in solids::faces(&foot, &pose, 0.0) {
            let form = PartForm::Face(face, centre, true);
            out.push(Part { form, colour: BASE, class: format!("base-{k}") });
        }
    }

    /// The colour that tells of a value, where colours tell something.
    fn tell(&self, value: Option<f64>) -> Option<Colour> {
        let ((_, greatest), value) = self.colours.zip(value)?;
        Some(colour(if greatest > 0.0 { value / greatest } else { 0.0 }))
    }

    /// The colour of a body where it has none of its own.
    fn usual(&self, at: &Placed<'_>) -> Colour {
        if at.body.modes > 0 { FLEXIBLE } else { RIGID[at.k % RIGID.len()] }
    }

    /// The shapes that the file gives to a body.
    fn cover(&self, out: &mut Vec<Part>, at: &Placed<'_>) {
        let value = |i: usize| at.line?.value(i, self.colours?.0, at.real);
        self.covers.add(out, at, self.usual(at), &|i| self.tell(value(i)));
    }

    /// Rods from nodes to what is fixed to them at a distance.
    fn connect(&self, out: &mut Vec<Part>, at: &Placed<'_>) {
        let still = vec![0.0; at.drawn.len()];
        let turned = if self.scene.carried_by_deformation { at.drawn } else { &still };
        let colour = self.usual(at);
        for rod in &at.body.connectors {
            let node = at.pose.then(&pose::deformed(at.body, rod.node, turned));
            let to = node.attitude * Vector3(rod.to) + node.position;
            let place = |i: usize| node.position + (to - node.position) * (i as f64 / ROD_PIECES as f64);
            let back = at.pose.inverse();
            let hidden = |i: usize| {
                let local = back.attitude * place(i) + back.position;
                at.body.solid.as_ref().is_some_and(|solid| solids::contains(solid, local.0))
            };
            for i in (0..ROD_PIECES).filter(|i| !(hidden(*i) && hidden(i + 1))) {
                let form = PartForm::Rod([place(i), place(i + 1)], 0.45 * self.thin(), 0.0);
                out.push(Part { form, colour, class: at.class.to_owned() });
            }
        }
    }

    /// A flexible body of nodes anywhere: rods between neighbours, or a panel with its lines.
    fn net(&self, out: &mut Vec<Part>, &Placed { body, pose, drawn, real, class, .. }: &Placed<'_>) {
        let radius = self.radius(body);
        let share = |value: Option<f64>| self.tell(value).unwrap_or(FLEXIBLE);
        let quantity = self.colours.map(|(quantity, _)| quantity);
        let at = |n: usize| pose.then(&pose::deformed(body, n, drawn)).position;
        let value = |n: usize| (quantity? == Quantity::Deflection).then(|| deflection(body, n, real));
        // On a panel the rods are its lines.
        let is_panel = !body.panel.is_empty();
        for triangle in &body.panel {
            let mean = triangle.map(value).into_iter().sum::<Option<f64>>().map(|sum| sum / 3.0);
            let form = PartForm::Sheet(triangle.map(at).to_vec(), 0.0);
            out.push(Part { form, colour: share(mean), class: class.to_owned() });
        }
        for [a, b] in &body.edges {
            let middle = value(*a).zip(value(*b)).map(|(a, b)| 0.5 * (a + b));
            let ends = [at(*a), at(*b)];
            // In front of the triangles on both sides, whose middles are half a line away.
            let length = (ends[1] - ends[0]).norm_squared().sqrt();
            let form =
                if is_panel { PartForm::Edge(ends, -0.4 * length) } else { PartForm::Rod(ends, 0.5 * radius, 0.0) };
            out.push(Part { form, colour: share(middle), class: class.to_owned() });
        }
        for n in (0..body.node_names.len()).filter(|_| !is_panel) {
            let form = PartForm::Ball(at(n), 0.8 * radius, false);
            out.push(Part { form, colour: share(value(n)), class: class.to_owned() });
        }
    }

    /// A body on a line: pieces of a rod as thick as its section, or the sides of a bar with four corners.
    fn bar(&self, out: &mut Vec<Part>, at: &Placed<'_>, line: &LineShape<'_>) {
        let &Placed { k, body, pose, drawn, real, class, .. } = at;
        let least = self.size / THINNEST;
        let quantity = self.colours.map(|(quantity, _)| quantity);
        let value = |i: usize| quantity.and_then(|quantity| line.value(i, quantity, real));
        // A boom that slides in another one is inside it: every second body along the tree is a piece farther away.
        let behind = if self.is_odd(k) { 2.0 * line.piece() } else { 0.0 };
        let sections: Vec<Pose> = line.sections(drawn).iter().map(|own| pose.then(own)).collect();
        let square = body.section.as_ref().filter(|section| !section.round);
        let corners = |i: usize| -> Option<[Vector3<f64>; 4]> {
            let (section, [y, z, twist]) = (square?, line.size(i)?);
            let ([a, b], (sin, cos)) = (section.across.map(Vector3), twist.sin_cos());
            let (y, z) = ((a * cos + b * sin) * y.max(least), (b * cos - a * sin) * z.max(least));
            let at = |p: Vector3<f64>| sections[i].attitude * p + sections[i].position;
            Some([at(y + z), at(z - y), at(-(y + z)), at(y - z)])
        };
        for i in 0..line.len() - 1 {
            // The colour of a piece is that of its middle.
            let middle = value(i).zip(value(i + 1)).map(|(a, b)| 0.5 * (a + b));
            let colour = self.tell(middle).unwrap_or(FLEXIBLE);
            let mut add = |form: PartForm| out.push(Part { form, colour, class: class.to_owned() });
            if let (Some(a), Some(b)) = (corners(i), corners(i + 1)) {
                for s in 0..4 {
                    let t = (s + 1) % 4;
                    add(PartForm::Sheet(vec![a[s], a[t], b[t], b[s]], behind));
                    add(PartForm::Edge([a[s], b[s]], behind));
                }
                for (end, here) in [(i == 0, a), (i + 2 == line.len(), b)] {
                    if end {
                        add(PartForm::Sheet(here.to_vec(), behind));
                        (0..4).for_each(|s| add(PartForm::Edge([here[s], here[(s + 1) % 4]], behind)));
                    }
                }
                continue;
            }
            let radius = match (&body.section, line.size(i), line.size(i + 1)) {
                (Some(_), Some(a), Some(b)) => (0.5 * (a[0] + b[0])).max(least),
                (Some(_), ..) => 0.45 * self.thin(),
                (None, ..) => self.radius(body),
            };
            add(PartForm::Rod([sections[i].position, sections[i + 1].position], radius, behind));
        }
    }

    fn rigid(&self, out: &mut Vec<Part>, k: usize, pose: &Pose, class: &str) {
        let (body, thin, colour) = (&self.scene.bodies[k], self.thin(), RIGID[k % RIGID.len()]);
        let mut add = |form: PartForm| out.push(Part { form, colour, class: class.to_owned() });
        let centre = pose.attitude * Vector3(body.mass.mass_centre) + pose.position;
        match &body.solid {
            Some(solid @ Solid { form: Form::Cylinder { .. } | Form::Box { .. }, .. }) => {
                let edges = matches!(solid.form, Form::Box { .. });
                let faces = solids::faces(solid, pose, 0.6 * thin);
                // The caps of a cylinder are many-sided, and their edges are seen.
                faces.into_iter().for_each(|face| {
                    let rim = edges || face.len() > 4;
                    add(PartForm::Face(face, centre, rim));
                });
            }
            Some(Solid { form: Form::Ball { radius }, .. }) => {
                add(PartForm::Ball(centre, radius.max(0.6 * thin), false))
            }
            None if body.mass.mass > 0.0 => add(PartForm::Ball(centre, 2.0 * thin, false)),
            None => {}
        }
        for [from, to] in self.rods(k, pose) {
            let at = |i: usize| from + (to - from) * (i as f64 / ROD_PIECES as f64);
            let back = pose.inverse();
            let local = |i: usize| (back.attitude * at(i) + back.position).0;
            let ball =
                Solid { form: Form::Ball { radius: 2.0 * thin }, centre: body.mass.mass_centre, axes: [[0.0; 3]; 3] };
            let hidden = |i: usize| solids::contains(body.solid.as_ref().unwrap_or(&ball), local(i));
            // What is inside the solid is not seen, wherever it is painted.
            for i in (0..ROD_PIECES).filter(|i| !(hidden(*i) && hidden(i + 1))) {
                add(PartForm::Rod([at(i), at(i + 1)], 0.45 * thin, 0.0));
            }
        }
    }

    /// From the hinge of a rigid body to its other nodes, its mass centre and the frames of closures on it.
    fn rods(&self, k: usize, pose: &Pose) -> Vec<[Vector3<f64>; 2]> {
        let body = &self.scene.bodies[k];
        let at = |n: usize| pose.then(&pose::deformed(body, n, &[])).position;
        let hinge = at(body.inboard);
        let centre = (body.mass.mass > 0.0).then(|| pose.attitude * Vector3(body.mass.mass_centre) + pose.position);
        let frames = self.scene.closures.iter().flat_map(|closure| closure.frames.iter().flatten());
        let held = frames.filter(|frame| frame.body == Some(k));
        let held = held.map(|frame| pose.attitude * Vector3(frame.position) + at(frame.node));
        let ends = (0..body.node_names.len()).map(at).chain(centre).chain(held);
        ends.map(|end| [hinge, end]).filter(|[a, b]| (*b - *a).dot(*b - *a) > 0.0).collect()
    }

    /// The ghost of a body, without deformation: its lines, and the corners of its solid.
    pub fn ghost(&self, k: usize, pose: &Pose) -> (Vec<[Vector3<f64>; 2]>, Vec<Vector3<f64>>) {
        let body = &self.scene.bodies[k];
        let at = |n: usize| pose.then(&pose::deformed(body, n, &[])).position;
        if !body.shapes.is_empty() {
            return (Vec::new(), self.covers.corners(k, pose));
        }
        let lines = match &body.line {
            Some(line) if body.modes > 0 && line.len() > 1 => vec![[at(line[0]), at(line[line.len() - 1])]],
            _ if body.modes > 0 => body.edges.iter().map(|[a, b]| [at(*a), at(*b)]).collect(),
            _ => self.rods(k, pose),
        };
        let solid = body.solid.as_ref().filter(|_| body.modes == 0);
        let corners = solid.map(|solid| solids::faces(solid, pose, 0.6 * self.thin()).concat());
        (lines, corners.unwrap_or_default())
    }
}
