//! Craig and Bampton's shapes of a beam with any sections: static shapes of tip loads, then modes with the tip held, combined to modes with its load.
//!
//! Fields are made orthonormal in strain energy, tip loads first. What remains of the others does not move the tip: `∫ σ_tip* S σ dx` is the work of
//! the tip's load on their motion. Of these the slowest are kept; their squares of frequencies are the inverse eigenvalues of the mass.

use super::line::{Field, Line, Motion};
use crate::eigen;
use crate::report;
use supple::Node;

/// Polynomials of each stress resultant beyond the modes asked for.
const BEYOND: usize = 8;
/// Fields of which rounding alone is left are in the span of those before them.
const DEPENDENT: f64 = 1e-10;

/// Stress resultants and tip loads of shapes that do not know of others.
pub(super) struct Group {
    pub components: &'static [usize],
    pub tips: &'static [usize],
}

/// A shape: how the places move, what bends them, and its stiffness at unit modal mass.
pub(super) struct VaryingShape {
    pub motions: Vec<Motion>,
    /// The same as a combination of fields.
    pub fields: Vec<(Field, f64)>,
    pub stiffness: f64,
}

/// The shapes of a group with `count` modes of the held tip; `nodes` have the mass, at their places of the line, and `load` is at the tip.
pub(super) fn shapes(
    line: &Line,
    group: &Group,
    count: usize,
    nodes: &[(usize, Node)],
    load: &[Node],
) -> Vec<VaryingShape> {
    let soft = |component: &&usize| line.tip().law.compliance[**component][**component] != 0.0;
    let polynomials = (0..count + BEYOND)
        .flat_map(|degree| group.components.iter().filter(soft).map(move |c| Field::Polynomial(*c, degree)));
    let fields: Vec<Field> = group.tips.iter().map(|axis| Field::Tip(*axis)).chain(polynomials).collect();
    let (basis, statics) = orthonormal(&line.energies(&fields), group.tips.len());
    let motions: Vec<Vec<Motion>> = fields.iter().map(|field| line.motions(*field)).collect();
    let combined = |weights: &[f64], place: usize| -> [f64; 6] {
        let mut column = [0.0; 6];
        for (w, motion) in weights.iter().zip(&motions) {
            column.iter_mut().zip(motion[place].column).for_each(|(x, y)| *x += w * y);
        }
        column
    };
    let mass = |basis: &[Vec<f64>], load: &[Node]| -> Vec<Vec<f64>> {
        let n = basis.len();
        let mut out = vec![vec![0.0; n]; n];
        let tip = line.place(line.tip().x);
        let carrying = nodes.iter().map(|(place, node)| (*place, node)).chain(load.iter().map(|node| (tip, node)));
        for (place, node) in carrying {
            let columns: Vec<[f64; 6]> = basis.iter().map(|weights| combined(weights, place)).collect();
            for (row, a) in out.iter_mut().zip(&columns) {
                row.iter_mut().zip(&columns).for_each(|(entry, b)| *entry += report::bilinear(node, a, b));
            }
        }
        out
    };
    let (tips, held) = basis.split_at(statics);
    let kept = slowest(held, mass(held, &[]), count);
    let all: Vec<Vec<f64>> = tips.iter().cloned().chain(kept.into_iter().map(|(_, weights)| weights)).collect();
    // With what is at the tip: the same span, in the coordinates of its modes.
    let loaded = mass(&all, load);
    let modes = slowest(&all, loaded, all.len());
    modes.into_iter().map(|(value, weights)| shape(value, &weights, &fields, &motions)).collect()
}

/// The slowest combinations of shapes of unit stiffness, each with its mass: the greatest eigenvalues of the mass.
fn slowest(basis: &[Vec<f64>], mass: Vec<Vec<f64>>, count: usize) -> Vec<(f64, Vec<f64>)> {
    let (values, vectors) = eigen::symmetric(mass);
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|i, j| values[*j].total_cmp(&values[*i]));
    let combination = |v: &Vec<f64>| -> Vec<f64> {
        let mut out = vec![0.0; basis.first().map_or(0, Vec::len)];
        for (factor, weights) in v.iter().zip(basis) {
            out.iter_mut().zip(weights).for_each(|(x, w)| *x += factor * w);
        }
        out
    };
    order.into_iter().take(count).map(|k| (values[k], combination(&vectors[k]))).collect()
}

/// Of unit modal mass; without mass it is not a number, which `build` refuses. The largest motion of the tip is positive.
fn shape(mass: f64, weights: &[f64], fields: &[Field], motions: &[Vec<Motion>]) -> VaryingShape {
    let scale = if mass > 0.0 { mass.sqrt().recip() } else { f64::NAN };
    let places = motions.first().map_or(0, Vec::len);
    let sum = |place: usize| {
        let mut out = Motion { column: [0.0; 6], slope: [0.0; 3] };
        for (w, motion) in weights.iter().zip(motions) {
            out.column.iter_mut().zip(motion[place].column).for_each(|(x, y)| *x += scale * w * y);
            out.slope.iter_mut().zip(motion[place].slope).for_each(|(x, y)| *x += scale * w * y);
        }
        out
    };
    let mut motions: Vec<Motion> = (0..places).map(sum).collect();
    let tip = motions.last().map_or([0.0; 6], |motion| motion.column);
    let largest =
        tip[3..].iter().chain(&tip[..3]).fold(0.0_f64, |m, x| if x.abs() > m.abs() * 1.000_001 { *x } else { m });
    let sign = if largest < 0.0 { -1.0 } else { 1.0 };
    for motion in &mut motions {
        motion.column.iter_mut().chain(&mut motion.slope).for_each(|x| *x *= sign);
    }
    let fields = fields.iter().zip(weights).map(|(field, w)| (*field, sign * scale * w)).collect();
    VaryingShape { motions, fields, stiffness: scale * scale }
}

/// Combinations that are orthonormal in `gram`, in the order of the fields; those that depend on earlier ones are left out. Also how many of the first
/// `leading` are left.
fn orthonormal(gram: &[Vec<f64>], leading: usize) -> (Vec<Vec<f64>>, usize) {
    let n = gram.len();
    let image =
        |c: &[f64]| -> Vec<f64> { gram.iter().map(|row| row.iter().zip(c).map(|(x, y)| x * y).sum()).collect() };
    let mut out: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
    let mut first = 0;
    for field in 0..n {
        let mut c: Vec<f64> = (0..n).map(|i| f64::from(i == field)).collect();
        // Twice is enough.
        for _ in 0..2 {
            for (b, b_image) in &out {
                let part: f64 = b_image.iter().zip(&c).map(|(x, y)| x * y).sum();
                c.iter_mut().zip(b).for_each(|(x, y)| *x -= part * y);
            }
        }
        let c_image = image(&c);
        let square: f64 = c.iter().zip(&c_image).map(|(x, y)| x * y).sum();
        if square > DEPENDENT * gram[field][field] && square.is_finite() {
            let size = square.sqrt().recip();
            out.push((c.iter().map(|x| x * size).collect(), c_image.iter().map(|x| x * size).collect()));
            first += usize::from(field < leading);
        }
    }
    (out.into_iter().map(|(c, _)| c).collect(), first)
}
