//! From parts in space to a drawing: what is farther from the eye is painted first.

use supple_io::drawing::{Colour, Drawing, Item, Shape, Stroke};

use super::camera::{Camera, Fit};
use super::parts::{Part, PartForm};

/// Where the light comes from: right, up, towards the eye.
const LIGHT: [f64; 3] = [0.42, 0.73, 0.54];
/// How far edges are before their faces, on the page.
const EDGE: f64 = 3.0;
/// Thinnest rod on the page.
const THINNEST: f64 = 1.4;

/// How parts are painted.
pub struct Painter<'c> {
    /// From where.
    pub camera: &'c Camera,
    /// Onto which part of the page.
    pub fit: Fit,
    /// Colour that parts fade to.
    pub background: Colour,
    /// How far they have faded.
    pub fade: f64,
}

impl Painter<'_> {
    /// Paints parts, the farthest first; `prefix` stands before their classes.
    pub fn paint(&self, out: &mut Drawing, parts: &[Part], prefix: &str) {
        let mut items: Vec<(f64, Item)> = parts.iter().flat_map(|part| self.items(part)).collect();
        items.sort_by(|a, b| a.0.total_cmp(&b.0));
        items.into_iter().for_each(|(_, item)| {
            let class = format!("{prefix}{}", item.class);
            out.add(item.of(class));
        });
    }

    fn faded(&self, colour: Colour) -> Colour {
        colour.towards(self.background, self.fade)
    }

    /// What a part looks like, and how near it is to the eye.
    fn items(&self, part: &Part) -> Vec<(f64, Item)> {
        let (colour, dark) = (self.faded(part.colour), self.faded(part.colour.towards(Colour::BLACK, 0.45)));
        let items = match &part.form {
            PartForm::Rod(ends, radius, behind) => {
                let seen = ends.map(|p| self.camera.seen(p));
                let depth = 0.5 * (seen[0][2] + seen[1][2]) - behind;
                let [a, b] = seen.map(|p| self.fit.page(p));
                let width = (2.0 * radius * self.fit.scale).max(THINNEST);
                let line = |a: [f64; 2], b: [f64; 2]| Shape::Polyline(vec![a, b]);
                let mut items = vec![(depth, Item::stroked(line(a, b), Stroke::rounded(colour, width)))];
                let along = [b[0] - a[0], b[1] - a[1]];
                let length = along[0].hypot(along[1]);
                // Its two sides, where they are not in each other.
                if width > 3.0 && length > 0.0 {
                    let off = [-0.5 * width * along[1] / length, 0.5 * width * along[0] / length];
                    for sign in [-1.0, 1.0] {
                        let beside = |p: [f64; 2]| [p[0] + sign * off[0], p[1] + sign * off[1]];
                        items.push((depth, Item::stroked(line(beside(a), beside(b)), Stroke::rounded(dark, 0.8))));
                    }
                }
                items
            }
            PartForm::Face(points, centre, rim) => {
                let seen: Vec<[f64; 3]> = points.iter().map(|p| self.camera.seen(*p)).collect();
                let mean: [f64; 3] =
                    std::array::from_fn(|i| seen.iter().map(|p| p[i]).sum::<f64>() / seen.len() as f64);
                let inside = self.camera.seen(*centre);
                let normal = normal(&seen, std::array::from_fn(|i| mean[i] - inside[i]));
                if normal[2] <= 0.0 {
                    return Vec::new();
                }
                let fill = self.faded(lit(part.colour, normal));
                let page: Vec<[f64; 2]> = seen.iter().map(|p| self.fit.page(*p)).collect();
                // A line in its own colour closes the seam to the next face.
                let edge = if *rim { Stroke::new(dark, 0.8) } else { Stroke::new(fill, 0.6) };
                vec![(mean[2], Item::filled(Shape::Polygon(page), fill).edged(edge))]
            }
            PartForm::Sheet(points, behind) => {
                let seen: Vec<[f64; 3]> = points.iter().map(|p| self.camera.seen(*p)).collect();
                let depth = seen.iter().map(|p| p[2]).sum::<f64>() / seen.len().max(1) as f64 - behind;
                // Towards the eye, whichever side that is.
                let fill = self.faded(lit(part.colour, normal(&seen, [0.0, 0.0, 1.0])));
                let page: Vec<[f64; 2]> = seen.iter().map(|p| self.fit.page(*p)).collect();
                vec![(depth, Item::filled(Shape::Polygon(page), fill).edged(Stroke::new(fill, 0.6)))]
            }
            PartForm::Edge(ends, behind) => {
                let seen = ends.map(|p| self.camera.seen(p));
                // In front of the two faces that meet there.
                let depth = 0.5 * (seen[0][2] + seen[1][2]) + EDGE / self.fit.scale - behind;
                let line = Shape::Polyline(seen.map(|p| self.fit.page(p)).to_vec());
                vec![(depth, Item::stroked(line, Stroke::rounded(dark, 0.6)))]
            }
            PartForm::Ball(centre, radius, in_front) => {
                let seen = self.camera.seen(*centre);
                let width = (radius * self.fit.scale).max(THINNEST);
                let depth = seen[2] + if *in_front { 2.2 * radius } else { 0.0 };
                let circle = Shape::Circle(self.fit.page(seen), width);
                vec![(depth, Item::filled(circle, colour).edged(Stroke::new(dark, 0.8)))]
            }
        };
        let classed = |(depth, item): (f64, Item)| (depth, item.of(&part.class));
        items.into_iter().map(classed).collect()
    }
}

/// A colour as light makes it on a face with a normal.
fn lit(colour: Colour, normal: [f64; 3]) -> Colour {
    let lit: f64 = (0..3).map(|i| LIGHT[i] * normal[i]).sum();
    if lit > 0.55 {
        colour.towards(Colour::WHITE, 0.45 * (lit - 0.55))
    } else {
        colour.towards(Colour::BLACK, 0.38 * (0.55 - lit))
    }
}

/// The normal of a flat face on the side of a direction, of unit length (Newell's sum over its edges).
fn normal(points: &[[f64; 3]], outward: [f64; 3]) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for (a, b) in points.iter().zip(points.iter().cycle().skip(1)) {
        for i in 0..3 {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            sum[i] += (a[j] - b[j]) * (a[k] + b[k]);
        }
    }
    let length = sum.iter().map(|x| x * x).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
    let side: f64 = (0..3).map(|i| sum[i] * outward[i]).sum();
    sum.map(|x| x / length * if side < 0.0 { -1.0 } else { 1.0 })
}
