//! A system at one time, or at several in one picture.

use supple::spatial::Vector3;
use supple_io::drawing::{Anchor, Colour, Drawing, Item, Shape, Stroke};

use super::camera::{Camera, Fit, View};
use super::error::PictureError;
use super::furniture::{self, ABOVE, BELOW, MARGIN};
use super::paint::Painter;
use super::parts::{Part, PartForm, PartMaker};
use super::quantity::Quantity;
use super::solids::outline;
use crate::pose;
use crate::recording::Recording;
use crate::scene::Scene;

/// How far the first of several frames fades.
const FADED: f64 = 0.72;
/// Times that a motion is looked at, to fit all of it or to draw paths.
pub(crate) const LOOKS: usize = 60;
const PATH_POINTS: usize = 600;
/// Most paths.
const MOST_PATHS: usize = 5;
const PATHS: [Colour; 5] = [
    Colour::hex(0xe8_83_3a),
    Colour::hex(0x2f_a5_8c),
    Colour::hex(0xb2_5f_c9),
    Colour::hex(0x3f_86_e0),
    Colour::hex(0xd1_49_5b),
];
const GHOST: Colour = Colour::hex(0x8a_97_a8);

/// What is drawn behind frames, dashed.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Ghost {
    /// Nothing.
    #[default]
    None,
    /// The same hinge motion without deformation.
    Undeformed,
    /// The system at rest, as a frame.
    Rest(Vec<f32>),
}

/// What a picture of frames shows.
#[derive(Clone, Debug, PartialEq)]
pub struct FramePicture {
    /// Times; the last one is in front, those before it fade.
    pub times: Vec<f64>,
    /// Deformation scale factor.
    pub exaggeration: f64,
    /// Width and height.
    pub size: [f64; 2],
    /// From where.
    pub view: View,
    /// What colours tell; none for plain ones.
    pub colours: Option<Quantity>,
    /// What is drawn behind, dashed.
    pub ghost: Ghost,
    /// Whether the paths of the outermost nodes are drawn.
    pub paths: bool,
    /// Whether bodies are named.
    pub names: bool,
    /// Whether nothing but the system is drawn: no words, axes, scale or legend.
    pub bare: bool,
    /// Whether it is light on dark.
    pub dark: bool,
    /// Whether the whole motion has room in the picture, not only what is drawn.
    pub whole_motion: bool,
    /// Whether there is but one state, whose time says nothing.
    pub still: bool,
}

impl Default for FramePicture {
    fn default() -> Self {
        Self {
            times: Vec::new(),
            exaggeration: 1.0,
            size: [1000.0, 700.0],
            view: View::default(),
            colours: None,
            ghost: Ghost::None,
            paths: false,
            names: false,
            bare: false,
            dark: false,
            whole_motion: false,
            still: false,
        }
    }
}

/// The smallest picture.
pub fn smallest(bare: bool) -> [f64; 2] {
    if bare { [32.0, 32.0] } else { [280.0, 200.0] }
}

/// Draws frames of a motion.
///
/// # Errors
/// Times outside of the motion, a quantity that no body has, a page without room.
pub fn frame(recording: &Recording, asked: &FramePicture) -> Result<Drawing, PictureError> {
    let (scene, motion) = (&recording.scene, &recording.motion);
    let span = motion.span().ok_or(PictureError::NoFrame)?;
    let times = if asked.times.is_empty() { vec![span[1]] } else { asked.times.clone() };
    within(&times, span)?;
    let frames: Vec<Vec<f32>> = times.iter().filter_map(|t| motion.sample(scene, *t)).collect();
    let when = furniture::when(&times);
    Ok(Studio::new(recording, asked, &frames, &when)?.draw(&times, &frames, &when))
}

/// Times have to be those of the motion.
pub(crate) fn within(times: &[f64], span: [f64; 2]) -> Result<(), PictureError> {
    // A time that was printed with fewer digits is still the last one.
    let room = 1e-9 * (span[1] - span[0]).abs().max(span[0].abs()).max(span[1].abs());
    match times.iter().find(|t| !(**t >= span[0] - room && **t <= span[1] + room)) {
        Some(time) => Err(PictureError::Outside { time: *time, span }),
        None => Ok(()),
    }
}

/// Everything that frames are drawn with.
pub(crate) struct Studio<'r> {
    recording: &'r Recording,
    asked: &'r FramePicture,
    maker: PartMaker<'r>,
    camera: Camera,
    fit: Fit,
    colours: Option<(Quantity, f64)>,
    paths: Vec<Vec<Vector3<f64>>>,
    /// Lines of the caption.
    lines: usize,
}

/// Words about how large the deformation is drawn and what is behind.
fn how(asked: &FramePicture, scene: &Scene) -> String {
    let flexible = scene.bodies.iter().any(|body| body.modes > 0);
    let size = match (asked.exaggeration, &asked.ghost) {
        // The size of a mode says nothing.
        (_, Ghost::Rest(_)) => Some("not to scale".to_owned()),
        _ if !flexible => None,
        (1.0, _) => (!asked.still).then(|| "deformation to scale".to_owned()),
        (0.0, _) => Some("without deformation".to_owned()),
        (s, _) => Some(format!("deformation {} times as large", furniture::short(s))),
    };
    let behind = match asked.ghost {
        Ghost::None => None,
        Ghost::Undeformed => flexible.then_some("dashed: undeformed"),
        Ghost::Rest(_) => Some("dashed: at rest"),
    };
    size.into_iter().chain(behind.map(str::to_owned)).collect::<Vec<_>>().join(", ")
}

impl<'r> Studio<'r> {
    /// With a view that these frames have room in, below words about when they are, the longest ones.
    pub(crate) fn new(
        recording: &'r Recording,
        asked: &'r FramePicture,
        frames: &[Vec<f32>],
        when: &str,
    ) -> Result<Self, PictureError> {
        let (scene, scale) = (&recording.scene, asked.exaggeration);
        let least = smallest(asked.bare);
        if !(asked.size[0] >= least[0] && asked.size[1] >= least[1]) {
            return Err(PictureError::TooSmall { size: asked.size, least });
        }
        let colours = match asked.colours {
            None => None,
            Some(quantity) => {
                let lines = scene.bodies.iter().any(|body| Quantity::Curvature.is_of(body));
                let greatest = quantity.greatest(scene, &recording.motion);
                Some((quantity, greatest.ok_or(PictureError::Without { quantity, lines })?))
            }
        };
        let camera = Camera::new(asked.view, scene.gravity);
        let paths = if asked.paths { paths(recording, scale) } else { Vec::new() };
        let whole = recording.motion.span().filter(|_| asked.whole_motion);
        let looks = whole.map(|span| looks(recording, span, LOOKS)).unwrap_or_default();
        // Without thickness first: what is there tells how thick it is drawn, and that how much room it needs.
        let drawn = |maker: &PartMaker<'_>| {
            let mut points: Vec<Vector3<f64>> =
                frames.iter().flat_map(|frame| places(&maker.parts(frame, scale))).collect();
            match &asked.ghost {
                Ghost::None => {}
                Ghost::Undeformed => points.extend(frames.iter().flat_map(|frame| places(&maker.parts(frame, 0.0)))),
                Ghost::Rest(rest) => points.extend(places(&maker.parts(rest, 1.0))),
            }
            points.extend(looks.iter().flat_map(|frame| places(&maker.parts(frame, scale))));
            points.extend(paths.iter().flatten());
            points
        };
        let size = extent(&drawn(&PartMaker::new(scene, 0.0, None)));
        // A point has marks as in a system of a metre, and room around them.
        let maker = PartMaker::new(scene, if size > 0.0 { size } else { 1.0 }, colours);
        let mut points = drawn(&maker);
        if size == 0.0 {
            let about = points.first().copied().unwrap_or(Vector3::ZERO);
            points.extend([-0.5, 0.5].map(|half| about + Vector3([half; 3])));
        }
        let seen: Vec<[f64; 3]> = points.iter().map(|p| camera.seen(*p)).collect();
        let [width, height] = asked.size;
        // Rods and hinges reach beyond their centres.
        let edge = if asked.bare { 0.02 * width.min(height) + 2.0 } else { MARGIN + 0.015 * width.min(height) };
        let lines = furniture::caption_lines(when, &how(asked, scene), width);
        let (above, below) =
            if asked.bare { (edge, edge) } else { (ABOVE + 8.0 + furniture::LINE * (lines - 1) as f64, BELOW) };
        let fit = Fit::new(&seen, [edge, above], [width - 2.0 * edge, height - above - below]);
        Ok(Self { recording, asked, maker, camera, fit, colours, paths, lines })
    }

    fn page(&self, p: Vector3<f64>) -> [f64; 2] {
        self.fit.page(self.camera.seen(p))
    }

    /// Draws frames of some times, under words about when they are.
    pub(crate) fn draw(&self, times: &[f64], frames: &[Vec<f32>], when: &str) -> Drawing {
        let (scene, asked) = (&self.recording.scene, self.asked);
        let [width, height] = asked.size;
        let title = format!("{} at {} s", scene.name, times.iter().map(f64::to_string).collect::<Vec<_>>().join(", "));
        let mut out = Drawing::new(width, height, title);
        if asked.dark {
            (out.background, out.ink) = (Colour::hex(0x10_15_1d), Colour::hex(0xe4_e9_f0));
        }
        for (i, path) in self.paths.iter().enumerate() {
            let line = Shape::Polyline(path.iter().map(|p| self.page(*p)).collect());
            out.add(Item::stroked(line, Stroke::new(PATHS[i % PATHS.len()], 1.2)).of(format!("path-{i}")));
        }
        for (i, frame) in frames.iter().enumerate() {
            let prefix = format!("frame-{i} ");
            let fade = if frames.len() > 1 { FADED * (1.0 - i as f64 / (frames.len() - 1) as f64) } else { 0.0 };
            self.ghost(&mut out, frame, &prefix, fade);
            let painter = Painter { camera: &self.camera, fit: self.fit, background: out.background, fade };
            painter.paint(&mut out, &self.maker.parts(frame, asked.exaggeration), &prefix);
        }
        if let Some(frame) = frames.last().filter(|_| asked.names && !asked.bare) {
            self.names(&mut out, frame);
        }
        if !asked.bare {
            furniture::triad(&mut out, &self.camera);
            furniture::scale_bar(&mut out, self.fit.scale);
            let when = if asked.still { "" } else { when };
            furniture::caption(&mut out, when, &how(asked, scene), self.lines);
            if let Some((quantity, greatest)) = self.colours {
                let partly = scene.bodies.iter().any(|body| body.modes > 0 && !quantity.is_of(body));
                furniture::legend(&mut out, quantity, greatest, partly);
            }
        }
        out
    }

    /// What is behind everything, in dashed lines.
    fn ghost(&self, out: &mut Drawing, frame: &[f32], prefix: &str, fade: f64) {
        let (poses, _) = match &self.asked.ghost {
            Ghost::None => return,
            Ghost::Undeformed => pose::place(&self.recording.scene, frame, 0.0),
            Ghost::Rest(rest) => pose::place(&self.recording.scene, rest, 1.0),
        };
        let dashed = Stroke { dash: Some([5.0, 3.0]), ..Stroke::new(GHOST.towards(out.background, 0.6 * fade), 1.2) };
        for (k, pose) in poses.iter().enumerate() {
            let class = format!("{prefix}ghost-{k}");
            let (lines, corners) = self.maker.ghost(k, pose);
            for [a, b] in lines {
                let line = Shape::Polyline(vec![self.page(a), self.page(b)]);
                out.add(Item::stroked(line, dashed).of(&class));
            }
            let rim = outline(&corners.iter().map(|p| self.page(*p)).collect::<Vec<_>>());
            if rim.len() > 2 {
                out.add(Item::stroked(Shape::Polygon(rim), dashed).of(&class));
            }
        }
    }

    fn names(&self, out: &mut Drawing, frame: &[f32]) {
        let (poses, _) = pose::place(&self.recording.scene, frame, self.asked.exaggeration);
        for (k, (body, pose)) in self.recording.scene.bodies.iter().zip(&poses).enumerate() {
            let [x, y] = self.page(pose.attitude * Vector3(body.mass.mass_centre) + pose.position);
            let above = 1.6 * self.maker.thin() * self.fit.scale + 8.0;
            out.add(Item::text([x, y - above], Anchor::Middle, &body.name).of(format!("name-{k}")));
        }
    }
}

/// Points that have to be in the picture.
fn places(parts: &[Part]) -> Vec<Vector3<f64>> {
    let of_part = |part: &Part| match &part.form {
        PartForm::Rod(ends, ..) => ends.to_vec(),
        PartForm::Edge(ends, _) => ends.to_vec(),
        PartForm::Face(points, ..) | PartForm::Sheet(points, _) => points.clone(),
        PartForm::Ball(centre, radius, _) => {
            let corner = |i: usize| {
                let sign = |bit: usize| if i >> bit & 1 == 0 { -radius } else { *radius };
                *centre + Vector3([sign(0), sign(1), sign(2)]) * 0.6
            };
            (0..8).map(corner).collect()
        }
    };
    parts.iter().flat_map(of_part).collect()
}

/// Diagonal of the box around some points.
fn extent(points: &[Vector3<f64>]) -> f64 {
    let side = |i: usize| {
        let [low, high] = points
            .iter()
            .map(|p| p.0[i])
            .filter(|x| x.is_finite())
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [a.min(x), b.max(x)]);
        if high > low { high - low } else { 0.0 }
    };
    side(0).hypot(side(1)).hypot(side(2))
}

/// Frames evenly over a part of the motion.
pub(crate) fn looks(recording: &Recording, [start, end]: [f64; 2], most: usize) -> Vec<Vec<f32>> {
    let count = recording.motion.len().min(most);
    let time = |i: usize| if count > 1 { start + (end - start) * i as f64 / (count - 1) as f64 } else { start };
    (0..count).filter_map(|i| recording.motion.sample(&recording.scene, time(i))).collect()
}

/// Paths of the nodes farthest from the hinge of bodies that carry nothing.
fn paths(recording: &Recording, scale: f64) -> Vec<Vec<Vector3<f64>>> {
    let scene = &recording.scene;
    let carries = |k: &usize| scene.bodies.iter().any(|body| body.parent == Some(*k));
    let ends: Vec<usize> = (0..scene.bodies.len()).filter(|k| !carries(k)).take(MOST_PATHS).collect();
    let mut out = vec![Vec::new(); ends.len()];
    let span = recording.motion.span().unwrap_or_default();
    for frame in looks(recording, span, PATH_POINTS) {
        let (poses, amplitudes) = pose::place(scene, &frame, scale);
        for (k, path) in ends.iter().zip(&mut out) {
            let body = &scene.bodies[*k];
            path.push(poses[*k].then(&pose::deformed(body, body.tip(), &amplitudes[*k])).position);
        }
    }
    out
}
