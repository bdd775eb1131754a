//! What colours tell of flexible bodies.

use supple_io::drawing::Colour;

use crate::motion::Motion;
use crate::pose;
use crate::scene::{Scene, SceneBody};

/// Shapes at nodes in frames that are looked at for a greatest value; beyond it some frames are passed over, as pages do.
const MOST_WORK: usize = 5_000_000;

/// Anchors of a scale whose lightness rises evenly, also for people with colour-blindness; that of the page.
const SCALE: [Colour; 6] = [
    Colour::hex(0x5b_4f_c7),
    Colour::hex(0x32_77_c4),
    Colour::hex(0x1f_9e_9b),
    Colour::hex(0x55_c6_67),
    Colour::hex(0xc8_dd_3f),
    Colour::hex(0xfd_e7_25),
];

/// The colour of a share of the greatest value.
pub fn colour(share: f64) -> Colour {
    let at = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 } * (SCALE.len() - 1) as f64;
    let i = (at as usize).min(SCALE.len() - 2);
    SCALE[i].towards(SCALE[i + 1], at - i as f64)
}

/// A quantity shown as colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// How far a place is from where it would be undeformed.
    Deflection,
    /// The greatest normal strain of a section, without sign: of beams whose section is known.
    Strain,
    /// Curvature of the centre line.
    Curvature,
}

impl Quantity {
    /// Title, unit and factor to it for a greatest value.
    pub fn words(self, greatest: f64) -> (&'static str, &'static str, f64) {
        match self {
            // As the answers of a run have lengths.
            Self::Deflection if greatest > 1e-9 && greatest < 1e-4 => ("Deflection", "µm", 1e6),
            Self::Deflection if greatest > 1e-9 && greatest < 0.9995 => ("Deflection", "mm", 1e3),
            Self::Deflection => ("Deflection", "m", 1.0),
            Self::Strain if greatest < 1e-3 => ("Strain of the outer fibre", "µm/m", 1e6),
            Self::Strain => ("Strain of the outer fibre", "mm/m", 1e3),
            Self::Curvature => ("Curvature", "1/m", 1.0),
        }
    }

    /// Its SI unit.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Deflection => "m",
            Self::Strain => "1",
            Self::Curvature => "1/m",
        }
    }

    /// Whether a body has it.
    pub fn is_of(self, body: &SceneBody) -> bool {
        let strain = body.strain.as_ref();
        body.modes > 0
            && match self {
                Self::Deflection => !body.node_names.is_empty(),
                Self::Strain => strain.is_some_and(|strain| strain.fibres.is_some()),
                Self::Curvature => strain.is_some(),
            }
    }

    /// From stretch and curvatures; none for a deflection, which does not follow from them.
    pub fn of_strain(self, body: &SceneBody, told: [f64; 3]) -> Option<f64> {
        match self {
            Self::Deflection => None,
            Self::Strain => Some(body.strain.as_ref()?.fibres?.greatest(told)),
            Self::Curvature => Some(told[1].hypot(told[2])),
        }
    }

    /// The greatest value of any body over a motion; none where no body has any.
    pub fn greatest(self, scene: &Scene, motion: &Motion) -> Option<f64> {
        let (length, mut at, mut most) = (scene.frame_length(), 0, None);
        let work = |body: &SceneBody| body.node_names.len() * (body.modes + body.second_order.len());
        let all: usize = scene.bodies.iter().filter(|body| self.is_of(body)).map(work).sum();
        let stride = motion.len().saturating_mul(all).div_ceil(MOST_WORK).max(1);
        for body in &scene.bodies {
            if self.is_of(body) {
                let frames = motion.frames.0.chunks(length.max(1)).step_by(stride);
                let eta = |frame: &[f32]| frame[at + 7..at + 7 + body.modes].iter().map(|x| f64::from(*x)).collect();
                let own = frames.map(|frame| self.greatest_of(body, eta(frame))).fold(0.0, f64::max);
                most = Some(f64::max(own, most.unwrap_or(0.0)));
            }
            at += 7 + body.modes;
        }
        most
    }

    /// The greatest value of a body in one state.
    pub fn greatest_of(self, body: &SceneBody, eta: Vec<f64>) -> f64 {
        let values: Vec<f64> = match (self, &body.strain, &body.line) {
            (Self::Deflection, ..) => {
                let amplitudes = pose::amplitudes(body, &eta);
                (0..body.node_names.len()).map(|n| deflection(body, n, &amplitudes)).collect()
            }
            (_, Some(strain), Some(line)) => {
                (0..line.len()).filter_map(|n| self.of_strain(body, strain.at(n, &eta))).collect()
            }
            _ => Vec::new(),
        };
        values.into_iter().fold(0.0, f64::max)
    }
}

/// How far the deformation moves a node.
pub fn deflection(body: &SceneBody, node: usize, amplitudes: &[f64]) -> f64 {
    let mut u = [0.0; 3];
    for (r, amplitude) in amplitudes.iter().enumerate() {
        let at = 6 * (node * amplitudes.len() + r) + 3;
        (0..3).for_each(|i| u[i] += f64::from(body.influence.0.get(at + i).copied().unwrap_or(0.0)) * amplitude);
    }
    u[0].hypot(u[1]).hypot(u[2])
}
